"""Learns which order a line means that no grammar reads (`engine/kit/certainty`): `python -m tests.learn_gist troyes` or
`troyes-dice` writes the weights of a game; with `measure` behind it nothing is written, and whole sheets are left out in
turn, to tell what each likelihood would play rightly and wrongly of sheets that nothing was learnt from.

The cases are the lines of `mailed-*.toml` (what was meant, or «none» for a trap, for two orders in a line, and where the
order that is meant is not among those that are held against the line), also those that the grammar reads, as if it did
not. How surely each is a directive is told by what other sheets teach (`learn_directives`). Where a game says so
(`COUNTS`), lines of `dice-*.toml` count too, and others that are made of them (`gist_lines`). A ridge keeps the weights
small; they are fitted by accelerated gradient from nought: the same weights each time. Needs NumPy, which comes with
the extra `dev`.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import numpy as np
from numpy.typing import NDArray

import engine
from engine.catalog import T
from engine.errors import NotUnderstood, OrderRefused
from engine.game import AnyGame, Seat, find
from engine.kit.certainty import Case, Logit, shares
from pbem.desk import supposing
from pbem.desk.surely import Surely
from tests import learn_directives
from tests.gist_lines import Written, elsewhere, half_days, held, joined
from tests.understood import mailed

_ENGINE = Path(engine.__file__).parent
TABLES = {kind: _ENGINE / kind.replace("-", "_") / "notation" / "gist.json" for kind in ("troyes", "troyes-dice")}
RIDGE, STEPS = 0.2, 1500
FOLDS = 8
COUNTS: Mapping[str, Mapping[str, float]] = {
    "troyes": {"refused": 1.0, "read": 0.5, "joined": 1.0, "elsewhere": 0.5},
    "troyes-dice": {"refused": 1.0, "read": 0.5, "sheet": 0.5},
}
"""What a line counts, by where it is from; others are not learnt from."""
LOOKS = {"mailed-thirty-fifth": 0.1}
"""What a line counts of sheets whose writers were asked to make talk look like an order."""
LEAST = {"troyes": 0.5, "troyes-dice": 0.8}
"""How likely an order must be to be played."""
_NOWHERE = re.compile(r"(?!)")
Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Known:
    """A line, the orders held against it, and the place of the one that is meant among them; -1 for none of them.

    `trap`: nothing may be played. `how` is where the line is from.
    """

    sheet: str
    written: str
    case: Case
    meant: int
    trap: bool
    how: str = "refused"


def known(kind: str) -> Iterator[Known]:
    """Every line of the sheets that a game of this kind is held against, and what is made of them."""
    found, surely = list[Written](), learn_directives.cross_fitted()
    for sheet in sorted(path.stem for path in mailed.SHEETS.glob("mailed-*.toml")):
        for mail in tomllib.loads((mailed.SHEETS / f"{sheet}.toml").read_text(encoding="utf-8"))["mail"]:
            at = mail.get("at", mail["name"])
            if mailed.positions()[at]["kind"] == kind:
                found += (one for one in _of_mail(sheet, at, mail, surely) if one.how in COUNTS[kind])
    game = find(kind)
    found += half_days() if "sheet" in COUNTS[kind] else ()
    for one in chain(found, *(_made(found) if "joined" in COUNTS[kind] else ())):
        told = _labelled(game, one)
        case = held(kind, one) if told is not None else None
        if told is not None and case is not None:
            alike = (n for n, order in enumerate(case.alternatives) if mailed.alike((order.text,)) == mailed.alike(told))
            yield Known(one.sheet, one.line, case, next(alike, -1), one.trap, one.how)


def _made(found: Sequence[Written]) -> Iterator[Iterator[Written]]:
    single = [one for one in found if len(one.meant) == 1]
    yield joined(single)
    yield elsewhere(single)


def _labelled(game: AnyGame, one: Written) -> tuple[str, ...] | None:
    """What is meant by a line; None for one made that the grammar reads as something else."""
    if one.trap or one.how in ("refused", "read", "sheet"):
        return one.meant
    try:
        read: tuple[str, ...] = (game.read(one.state, Seat(one.seat), one.line).text,)
    except OrderRefused:
        return one.meant
    return read if one.how == "elsewhere" or mailed.alike(read) == mailed.alike(one.meant) else None


def _of_mail(
    sheet: str, at: str, mail: Mapping[str, Sequence[Sequence[str] | str]], surely: Mapping[tuple[str, str], float]
) -> Iterator[Written]:
    """The lines of a mail as the game is asked what they most likely mean, whatever bars them."""
    with tempfile.TemporaryDirectory() as folder:
        hall = mailed.table(Path(folder), at)
        reader, reference = mailed.Reader(hall), type(hall.rules.reference)
        rows = [(row[0], str(row[1]), language) for language in ("en", "fr") for row in mail.get(language, ())]
        rows += [(str(trap), "", "trap") for trap in mail.get("traps", ())]
        for written, order, language in rows:
            meant = reader.read(order.replace(" / ", "\n")).orders if order else ()
            how = "read" if reader.read(written).outcome == "play" else "refused"
            with (
                mock.patch.object(reference, "likely", autospec=True, return_value=None) as asked,
                mock.patch.object(reference, "gist", return_value=None),
                mock.patch.object(type(hall.rules), "read", side_effect=NotUnderstood(T("No."))),
                mock.patch.object(Surely, "is_enough", True),
                mock.patch.object(supposing, "THEN", _NOWHERE),
                mock.patch.object(supposing, "AND_I", _NOWHERE),
            ):
                reader.read(written)
            if asked.called and "\n" not in written:
                state, seat, line, says = asked.call_args_list[0].args[1:]
                says = {**says, "directive": surely[f"{sheet} {at}", written]}
                yield Written(sheet, at, language, how, state, seat, line, meant, not order, says)
        hall.spool.close()


@dataclass(frozen=True)
class Rows:
    """Cases as matrices: a row for each order held against a line and one for «none», `of` the case of each row."""

    names: tuple[str, ...]
    values: Vector
    of: NDArray[np.int64]
    meant: Vector
    weight: Vector


def _rows(cases: Sequence[Known], counts: Mapping[str, float]) -> Rows:
    names = sorted({f"order {name}" for one in cases for held in one.case.alternatives for name in held.says})
    names += sorted({f"line {name}" for one in cases for name in one.case.line})
    at = {name: n for n, name in enumerate(names)}
    rows: list[tuple[int, Mapping[str, float], str, bool]] = []
    for n, one in enumerate(cases):
        rows.append((n, one.case.line, "line", one.meant < 0))
        rows += [(n, held.says, "order", place == one.meant) for place, held in enumerate(one.case.alternatives)]
    values = np.zeros((len(rows), len(names)))
    for n, (_, says, kind, _) in enumerate(rows):
        for name, amount in says.items():
            values[n, at[f"{kind} {name}"]] = amount
    weight = np.array([counts[one.how] * LOOKS.get(one.sheet, 1.0) for one in cases])
    of = np.array([row[0] for row in rows])
    return Rows(tuple(names), values, of, np.array([float(row[3]) for row in rows]), weight)


def fitted(cases: Sequence[Known], kind: str) -> Logit:
    """The weights that make what was meant likeliest."""
    rows = _rows(cases, COUNTS[kind])
    size = np.maximum(np.abs(rows.values).max(axis=0, initial=0.0), 1e-9)
    values, many = rows.values / size, len(cases)
    found = ahead = np.zeros(len(rows.names))
    # Of a softmax the curvature is at most half the greatest square of a row.
    rate = 1.0 / (0.5 * float(rows.weight.max()) * float((values**2).sum(axis=1).max()) + RIDGE)
    for step in range(STEPS):
        part = _softmax(values @ ahead, rows.of, many)
        slope = values.T @ ((part - rows.meant) * rows.weight[rows.of]) / many + RIDGE * ahead / many
        last, found = found, ahead - rate * slope
        ahead = found + step / (step + 3) * (found - last)
    told = dict(zip(rows.names, found / size, strict=True))
    order, line = (
        {name.removeprefix(of): round(float(weight), 4) for name, weight in told.items() if name.startswith(of)}
        for of in ("order ", "line ")
    )
    return Logit(order, line, LEAST[kind])


def _softmax(scores: Vector, of: NDArray[np.int64], many: int) -> Vector:
    most = np.full(many, -np.inf)
    np.maximum.at(most, of, scores)
    parts = np.exp(scores - most[of])
    every = np.zeros(many)
    np.add.at(every, of, parts)
    return np.asarray(parts / every[of])


class Told(NamedTuple):
    """What would be played of a line: how likely it is, whether it is right, and the line with what it was taken for."""

    share: float
    right: bool
    known: Known
    text: str


def told(cases: Iterable[Known], weights: Logit) -> Iterator[Told]:
    """The likeliest order of each line that has any."""
    for one in cases:
        parts = shares(one.case, weights)
        if parts:
            best = max(range(len(parts)), key=parts.__getitem__)
            yield Told(parts[best], best == one.meant, one, one.case.alternatives[best].text)


def left_out(cases: Sequence[Known], kind: str) -> Iterator[Told]:
    """The same, each sheet by weights that others taught."""
    sheets = sorted({one.sheet for one in cases})
    for fold in range(FOLDS):
        out = {*sheets[fold::FOLDS]}
        if out:
            learnt = fitted([one for one in cases if one.sheet not in out], kind)
            yield from told([one for one in cases if one.sheet in out], learnt)


def _measure(cases: Sequence[Known], kind: str) -> None:
    found = sorted(left_out(cases, kind), key=lambda one: -one.share)
    for how in COUNTS[kind]:
        some = [one for one in cases if one.how == how]
        orders = sum(not one.trap for one in some)
        held = sum(one.meant >= 0 for one in some)
        print(f"{how}: {len(some)} lines, {held} whose order is held against them, {len(some) - orders} traps")
        for least in (0.5, 0.7, 0.8, 0.85, 0.9, 0.95, 0.97, 0.98, 0.99):
            sure = [one for one in found if one.share >= least and one.known.how == how]
            right, traps = sum(one.right for one in sure), sum(one.known.trap for one in sure)
            print(f"  {least}: {right} of {orders} rightly, {len(sure) - right - traps} wrongly, {traps} traps")
    for one in found:
        if not one.right and one.share >= 0.7:
            what = "TRAP" if one.known.trap else "wrong"
            print(f"  {one.share:.3f} {one.known.how} {what} {one.known.written!r}: {one.text}")


if __name__ == "__main__":
    kind, *rest = sys.argv[1:]
    every = list(known(kind))
    if rest == ["measure"]:
        _measure(every, kind)
    else:
        learnt = fitted(every, kind)
        TABLES[kind].write_text(json.dumps(learnt.__dict__, indent=1, sort_keys=True) + "\n", encoding="utf-8")
