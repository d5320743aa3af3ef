"""Learns which order a line means that no grammar reads (`engine/kit/certainty`): `python -m tests.learn_gist troyes` or
`troyes-dice` writes the weights of a game; with `measure` behind it nothing is written, and whole sheets are left out in
turn, to tell what each likelihood would play rightly and wrongly of sheets that nothing was learnt from.

The cases are the lines of `mailed-*.toml` (what was meant, or «none» for a trap, for two orders in a line, and where the
order that is meant is not among those that are held against the line), as far as nothing bars them. Of Troyes Dice, of
which the grammar reads most, also those that it reads, and the lines of `dice-*.toml`. A ridge keeps the weights small; they are fitted by accelerated gradient from nought:
the same weights each time. Needs NumPy, which comes with the extra `dev`.
"""

from __future__ import annotations

import json
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, NoReturn
from unittest import mock

import numpy as np
from numpy.typing import NDArray

import engine
from engine.catalog import T
from engine.errors import NotUnderstood
from engine.game import find
from engine.kit.certainty import Case, Logit, shares
from engine.reference import Reference
from pbem.reading.bars import bars
from pbem.reading.line import read as plain
from tests.dice import test_wordings as wordings
from tests.understood import mailed

_ENGINE = Path(engine.__file__).parent
TABLES = {kind: _ENGINE / kind.replace("-", "_") / "notation" / "gist.json" for kind in ("troyes", "troyes-dice")}
RIDGE, STEPS = 0.02, 1500
FOLDS = 8
TRAP = 3.0
"""What a line counts of which nothing may be played."""
LEAST = {"troyes": 0.9, "troyes-dice": 0.9}
"""How likely an order must be to be played."""
Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Known:
    """A line, the orders held against it, and the place of the one that is meant among them; -1 for none of them.

    `trap`: nothing may be played.
    """

    sheet: str
    written: str
    case: Case
    meant: int
    trap: bool


def known(kind: str, sheets: Iterable[str] = ()) -> Iterator[Known]:
    """Every line of the sheets (all `mailed-*` for none) that a game of this kind is held against."""
    held: list[_Line] = []
    for sheet in sheets or sorted(path.stem for path in mailed.SHEETS.glob("mailed-*.toml")):
        for mail in tomllib.loads((mailed.SHEETS / f"{sheet}.toml").read_text(encoding="utf-8"))["mail"]:
            at = mail.get("at", mail["name"])
            if mailed.positions()[at]["kind"] == kind:
                held += _of_mail(sheet, at, mail)
    reference = find(kind).reference
    for line in held:
        yield from _held(reference, line)
    if kind == "troyes-dice":
        for line in _of_dice():
            yield from _held(reference, line)


@dataclass(frozen=True)
class _Line:
    """A line of a sheet as a game is asked for it, and the orders that are meant."""

    sheet: str
    written: str
    state: Any
    seat: str
    text: str
    meant: tuple[str, ...]
    trap: bool


def _held(reference: Reference[Any], line: _Line) -> Iterator[Known]:
    case = reference.case(line.state, line.seat, line.text)
    if case is not None:
        texts = [mailed.alike((one.text,)) for one in case.alternatives]
        meant = texts.index(mailed.alike(line.meant)) if mailed.alike(line.meant) in texts else -1
        yield Known(line.sheet, line.written, case, meant, line.trap)


def _of_mail(sheet: str, at: str, mail: Mapping[str, Sequence[Sequence[str] | str]]) -> Iterator[_Line]:
    with tempfile.TemporaryDirectory() as folder:
        hall = mailed.table(Path(folder), at)
        reader, rules = mailed.Reader(hall), hall.rules
        rows = [(row[0], str(row[1])) for language in ("en", "fr") for row in mail.get(language, ())]
        rows += [(str(trap), "") for trap in mail.get("traps", ())]
        for written, order in rows:
            meant = reader.read(order.replace(" / ", "\n")).orders if order else ()
            with mock.patch.object(type(rules.reference), "gist", autospec=True, return_value=None) as asked:
                reader.read(written)
                if not asked.called and rules.kind == "troyes-dice":
                    with mock.patch.object(type(rules), "read", _refused):
                        reader.read(written)
            if asked.called and "\n" not in written:
                yield _Line(sheet, written, *asked.call_args_list[0].args[1:], meant, not order)
        hall.spool.close()


def _refused(*_: object) -> NoReturn:
    raise NotUnderstood(T("«{line}» is not complete.", line=""))


def _of_dice() -> Iterator[_Line]:
    """The lines of a half day that nothing bars; one of which it is to be asked which of several is meant is a trap."""
    for sheet in (*wordings.SHEETS, "afterwards", *wordings.TRAPS):
        for position, rows in wordings.lines(sheet).items():
            state = wordings.GAME.moderation.redacted(wordings.position(position), wordings.ANNA)
            for written, said in (dict.fromkeys(rows["plays_nothing"], "") if sheet in wordings.TRAPS else rows).items():
                meant = tuple(said) if isinstance(said, list) else (said,) * bool(said)
                meant = meant if len(meant) == 1 else ()
                if not bars(written, wordings.NAMES):
                    text = plain(written, wordings.NAMES).text
                    yield _Line(f"dice-{sheet}", written, state, wordings.ANNA, text, meant, not meant)


@dataclass(frozen=True)
class Rows:
    """Cases as matrices: a row for each order held against a line and one for «none», `of` the case of each row."""

    names: tuple[str, ...]
    values: Vector
    of: NDArray[np.int64]
    meant: Vector
    weight: Vector


def _rows(cases: Sequence[Known]) -> Rows:
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
    weight = np.array([TRAP if one.trap else 1.0 for one in cases])
    of = np.array([row[0] for row in rows])
    return Rows(tuple(names), values, of, np.array([float(row[3]) for row in rows]), weight)


def fitted(cases: Sequence[Known], least: float) -> Logit:
    """The weights that make what was meant likeliest."""
    rows = _rows(cases)
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
        {name.removeprefix(kind): round(float(weight), 4) for name, weight in told.items() if name.startswith(kind)}
        for kind in ("order ", "line ")
    )
    return Logit(order, line, least)


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
        best = max(range(len(parts)), key=parts.__getitem__, default=-1)
        if parts and not one.case.alternatives[best].barred:
            yield Told(parts[best], best == one.meant, one, one.case.alternatives[best].text)


def left_out(cases: Sequence[Known], least: float) -> Iterator[Told]:
    """The same, each sheet by weights that others taught."""
    sheets = sorted({one.sheet for one in cases})
    for fold in range(FOLDS):
        out = {*sheets[fold::FOLDS]}
        if out:
            yield from told([one for one in cases if one.sheet in out], fitted([one for one in cases if one.sheet not in out], least))


def _measure(cases: Sequence[Known], kind: str) -> None:
    found = sorted(left_out(cases, LEAST[kind]), key=lambda one: -one.share)
    orders = sum(not one.trap for one in cases)
    print(f"{len(cases)} lines, {sum(one.meant >= 0 for one in cases)} whose order is held against them, {sum(one.trap for one in cases)} traps")
    for least in (0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995):
        sure = [one for one in found if one.share >= least]
        right, traps = sum(one.right for one in sure), sum(one.known.trap for one in sure)
        print(f"{least}: {right} of {orders} rightly, {len(sure) - right - traps} wrongly, {traps} traps")
    for one in found:
        if not one.right and one.share >= 0.5:
            print(f"  {one.share:.3f} {'TRAP' if one.known.trap else 'wrong'} {one.known.written!r}: {one.text}")


if __name__ == "__main__":
    kind, *rest = sys.argv[1:]
    every = list(known(kind))
    if rest == ["measure"]:
        _measure(every, kind)
    else:
        learnt = fitted(every, LEAST[kind])
        TABLES[kind].write_text(json.dumps(learnt.__dict__, indent=1, sort_keys=True) + "\n", encoding="utf-8")
