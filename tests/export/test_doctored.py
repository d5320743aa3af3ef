"""Games of a host who cheats with his own program: every kind of draw that a game declares, and each field of its record.

Such a game is played by rules that take another draw than the honest ones, write it down as it was taken and go on with
what came; it folds, and every number follows from the seed. Only what the rules draw there gives it away.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest

from engine.chance import Chance, Purpose, SeededChance
from engine.errors import NotAllowed, PositionError
from engine.event_log import LogEntry
from engine.game import AnyGame, Line, Seat, games
from engine.kit import rolls, transaction
from engine.kit.rolls import Rolled
from engine.troyes.phases import setup
from pbem.export import verify_alone
from pbem.export.audience import Audience
from pbem.export.document import Data, export_document
from pbem.export.game_source import GameSource
from pbem.export.import_game import import_document
from pbem.export.verify_export import verify_document
from pbem.host.people import People
from pbem.store.game_store import GameStore
from tests.export.tables import BEGIN, table

ALL = {"troyes": {"ladies": "all"}, "troyes-dice": {"expansion": "yes", "numbering": "crier"}}
KNOWN: dict[tuple[str, str], tuple[int, int]] = {
    ("troyes", "possession"): (4, 115), ("troyes", "placement"): (1, 3), ("troyes", "le_roy_action"): (1, 3),
}  # fmt: skip
"""Players and seed of games in which rare draws are made; others are looked for."""
DRAWS = [
    (kind, entry, draw)
    for kind, game in sorted(games().items())
    for entry, draws in sorted(game.draws.items())
    for draw in draws
]
LATER = [(kind, entry, draw) for kind, entry, draw in DRAWS if entry != "begins"]


def everything(kind: str, players: int) -> dict[str, str]:
    """Options with which every draw of a game may be made."""
    return {} if players == 1 and kind == "troyes" else ALL.get(kind, {})


def settings(kind: str, players: int) -> list[dict[str, str]]:
    """Each value of each option, alone and beside all that there is, as far as a table of so many may have it."""
    game, found = games()[kind], dict[str, dict[str, str]]()
    values = [{one.name: value} for one in game.options for value in one.values if value != one.default]
    for chosen in ({}, *values):
        for beside in ({}, everything(kind, players)):
            with suppress(NotAllowed):
                settled = game.settle_options(players, beside | chosen)
                found[str(settled)] = beside | chosen
    return [*found.values()]


@cache
def honest(kind: str, players: int, seed: int) -> GameSource:
    return table(kind, players, seed, options=everything(kind, players))


def drawn(source: GameSource) -> set[tuple[str, str]]:
    """Kinds of entries and of draws of a game."""
    return {
        (entry.kind, draw["draw"].split("/")[1])
        for record in source.records
        for entry in record.entries
        for draw in verify_alone.draws([entry.data, entry.only, entry.hidden])
    }


@cache
def where(kind: str, entry: str, draw: str) -> tuple[int, int]:
    """Players and seed of a game with such a draw."""
    if (kind, draw) in KNOWN:
        return KNOWN[kind, draw]
    for seed in (8, 1, 0, *range(2, 60)):
        players = 2 + seed % 3
        if (entry, draw) in drawn(honest(kind, players, seed)):
            return players, seed
    raise LookupError(f"no game was found in which {kind} draws {draw}; name one in KNOWN")


@cache
def first_in(kind: str, entry: str, draw: str) -> int:
    """The record of that game in which the first such draw is made."""
    records = honest(kind, *where(kind, entry, draw)).records
    told = [
        one.number for one in records for part in one.entries
        if part.kind == entry and str(part.data.get("draw")).split("/")[1:2] == [draw]
    ]  # fmt: skip
    return told[0]


class Unspoken:
    """A game that shows and tells nothing: views and sentences take most of an export's time, and prove no draw."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def view(self, state: Any, seat: Seat | None) -> None:
        """Nothing."""

    def tell(self, state: Any, entries: Sequence[LogEntry], reader: Seat | None, first: int = 0) -> tuple[Line, ...]:
        """Nothing."""
        return ()


def full(source: GameSource) -> Data:
    return export_document(replace(source, game=cast(AnyGame, Unspoken(source.game))), Audience(full=True), valued=False)


def refused(found: Data, folder: Path) -> None:
    """By `verify` and by `import`."""
    asked = verify_document(found)
    assert not asked.holds
    with pytest.raises(PositionError, match="does not pass `pbem verify`"):
        import_document(found, GameStore(folder / "games"), People(folder / "mail"), BEGIN)


@cache
def beginning(kind: str, players: int, seed: int, stop: int) -> Data:
    """The honest game up to a record."""
    return full(table(kind, players, seed, options=everything(kind, players), stop=stop))


Twist = Callable[[Chance, Purpose, int, int], Rolled]


def named(**other: Any) -> Twist:
    """A draw with another purpose: its numbers follow from the seed all the same."""

    def twist(chance: Chance, purpose: Purpose, count: int, sides: int) -> Rolled:
        fresh = replace(purpose, **{name: of(purpose) for name, of in other.items()})
        return taken(chance, fresh, count, sides)

    return twist


def taken(chance: Chance, purpose: Purpose, count: int, sides: int) -> Rolled:
    return Rolled(purpose, chance.roll(purpose, count, sides) if sides else chance.order(purpose, count), sides)


def many(chance: Chance, purpose: Purpose, count: int, sides: int) -> Rolled:
    """The best of many names."""
    names = [replace(purpose, kind=f"{purpose.kind}{k}") for k in range(40)]
    return max((taken(chance, one, count, sides) for one in names), key=lambda one: (sum(one.numbers), one.numbers))


def made_up(chance: Chance, purpose: Purpose, count: int, sides: int) -> Rolled:
    """Numbers that do not follow from the seed."""
    right = taken(chance, purpose, count, sides)
    others = (number % sides + 1 for number in right.numbers) if sides else reversed(right.numbers)
    return replace(right, numbers=tuple(others))


def of_epoch(chance: Chance, purpose: Purpose, count: int, sides: int) -> Rolled:
    """A draw of another epoch, which no record tells of."""
    assert isinstance(chance, SeededChance)
    other = copy(chance)
    other.prefix = chance.prefix.replace("/0/", "/1/")
    return taken(other, purpose, count, sides)


TWISTS: dict[str, Twist] = {
    "kind": named(kind=lambda one: f"{one.kind}2"),
    "seat": named(seat=lambda one: "" if one.seat else "anna"),
    "round": named(round=lambda one: one.round + 1),
    "n": named(n=lambda one: one.n + 1),
    "sides": lambda chance, purpose, count, sides: taken(chance, purpose, count, sides - 1 if sides > 1 else sides),
    "value": made_up,
    "epoch": of_epoch,
    "many names": many,
}


@contextmanager
def cheating(draw: str, twist: Twist) -> Iterator[None]:
    """Rules that take draws of a kind so."""

    def take(purpose: Purpose) -> Twist:
        return twist if purpose.kind == draw else taken

    def rolls_so(self: Any, purpose: Purpose, dice: int = 1, sides: int = 6) -> Rolled:
        known = isinstance(self.chance, SeededChance)
        return self._drawn((take(purpose) if known else taken)(self.chance, purpose, dice, sides))

    def roll(chance: Chance, purpose: Purpose, dice: int = 1, sides: int = 6) -> Rolled:
        return take(purpose)(chance, purpose, dice, sides)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transaction.Transaction, "roll", rolls_so)
        patch.setattr(transaction.Transaction, "shuffle", lambda self, purpose, count: rolls_so(self, purpose, count, 0))
        patch.setattr(rolls, "roll", roll)
        patch.setattr(rolls, "shuffle", lambda chance, purpose, count: roll(chance, purpose, count, 0))
        patch.setattr(setup, "roll", rolls.roll)
        yield


@pytest.mark.parametrize(
    ("kind", "entry", "draw", "field"),
    # Shuffles have no sides; nothing but shuffles is in the deal.
    [(*one, field) for one in DRAWS for field in TWISTS if field != "sides" or (one[2] != "uprising_seats" and one in LATER)],
    ids=lambda part: part,
)
def test_a_draw_that_the_rules_do_not_make_is_refused(kind: str, entry: str, draw: str, field: str, tmp_path: Path) -> None:
    players, seed, stop = 3, 1, 2
    if entry != "begins":
        (players, seed), stop = where(kind, entry, draw), first_in(kind, entry, draw)
        assert (entry, draw) in drawn(honest(kind, players, seed))
    with cheating(draw, TWISTS[field]):
        found = full(table(kind, players, seed, options=everything(kind, players), stop=stop))
    # By another epoch a die may show the same.
    same = found == beginning(kind, players, seed, stop)
    assert field in ("epoch", "sides") or not same
    assert same or not verify_document(found).holds
    if field == "many names":
        refused(found, tmp_path)


def rewritten(source: GameSource, change: Callable[[list[LogEntry]], list[LogEntry]]) -> GameSource:
    """A game whose entries are others, record by record; its position is what they fold to. Raises PositionError."""
    made, count, state = [], 0, None
    for record in source.records:
        entries = tuple(change(list(record.entries)))
        made.append(replace(record, entries=entries, first=count + 1 if entries else 0))
        count += len(entries)
        state = source.game.fold(state, entries) if entries else state
    public, hidden = source.game.dump(state)
    return replace(source, records=tuple(made), stored=replace(source.stored, game=public, hidden=hidden))


def once(entry: str, draw: str, does: Callable[[list[LogEntry], int], list[LogEntry]]) -> Callable[[list[LogEntry]], list[LogEntry]]:
    """A change at the first entry of a kind that tells of such a draw."""
    left = [True]

    def change(entries: list[LogEntry]) -> list[LogEntry]:
        for at, one in enumerate(entries):
            if left and one.kind == entry and str(one.data.get("draw")).split("/")[1:2] == [draw]:
                left.clear()
                return does(entries, at)
        return entries

    return change


def other(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return f"{value[0]}{int(value[1]) % 6 + 1}" if value[1:].isdigit() else f"{value}2"
    return [other(value[0]), *value[1:]] if value else ["Y1"]


FREE = {("shot", "target")}
"""What an entry with a draw says that neither is a draw nor follows from one."""


@pytest.mark.parametrize(("kind", "entry", "draw"), LATER, ids=lambda part: part)
def test_a_draw_left_out_repeated_or_with_another_result_is_refused(kind: str, entry: str, draw: str) -> None:
    source = honest(kind, *where(kind, entry, draw))
    first = next(
        one for record in source.records for one in record.entries
        if one.kind == entry and str(one.data.get("draw")).split("/")[1:2] == [draw]
    )  # fmt: skip
    told = [name for name in first.data if name not in ("draw", "shown", "order", "sides") and (entry, name) not in FREE]

    def with_data(name: str, value: Any) -> Callable[[list[LogEntry], int], list[LogEntry]]:
        return lambda all_, at: [*all_[:at], replace(all_[at], data={**all_[at].data, name: value}), *all_[at + 1 :]]

    numbers = "order" if "order" in first.data else "shown"
    changes: dict[str, Callable[[list[LogEntry], int], list[LogEntry]]] = {
        "left out": lambda all_, at: [*all_[:at], *all_[at + 1 :]],
        "repeated": lambda all_, at: [*all_[: at + 1], *all_[at:]],
        "one number more": with_data(numbers, [*first.data[numbers], len(first.data[numbers])]),
        "one number less": with_data(numbers, first.data[numbers][:-1]),
        **{name: with_data(name, other(first.data[name])) for name in told},
    }
    for says, does in changes.items():
        try:
            found = full(rewritten(source, once(entry, draw, does)))
        except PositionError:
            continue  # It does not even fold.
        assert not verify_document(found).holds, says


@pytest.mark.parametrize("kind", sorted(games()))
def test_draws_in_another_order_are_refused(kind: str) -> None:
    source = honest(kind, 3, 1)
    entries = [one for record in source.records for one in record.entries if "draw" in one.data]
    one, two = random.Random(1).sample(entries, 2)
    swap = {id(one): two, id(two): one}

    def change(all_: list[LogEntry]) -> list[LogEntry]:
        return [swap.get(id(entry), entry) for entry in all_]

    try:
        found = full(rewritten(source, change))
    except PositionError:
        return
    assert not verify_document(found).holds


@pytest.mark.parametrize("kind", sorted(games()))
def test_the_script_alone_refuses_a_host_who_tries_many_names(kind: str) -> None:
    """Its closed list is that of the games; round, seat and number are those of the entries."""
    draw = {"troyes": "workforce", "troyes-dice": "dice"}[kind]
    for field in ("many names", "kind", "seat", "round", "n", "value", "epoch"):
        with cheating(draw, TWISTS[field]):
            found = full(table(kind, 3, 1, stop=30))
        assert verify_alone.check_draws(found)[1], field


def test_the_script_knows_the_draws_of_every_game_and_no_others() -> None:
    known = {kind: {entry: set(kinds) for entry, (_, kinds) in rows.items()} for kind, rows in verify_alone.GAMES.items()}
    assert {kind: {entry: set(kinds) for entry, kinds in game.draws.items()} for kind, game in games().items()} == known


def test_a_record_that_is_taken_out_is_missed() -> None:
    """Be it one that holds no draw."""
    found = full(honest("troyes", 3, 1))
    at = next(at for at, row in enumerate(found["records"]) if at > 3 and not any(verify_alone.draws(row)))
    del found["records"][at]
    assert any("missing" in says for says in verify_alone.check_draws(found)[1])


@pytest.mark.parametrize("kind", sorted(games()))
@pytest.mark.parametrize("number", range(4))
def test_what_the_rules_draw_is_what_they_say_that_they_draw(kind: str, number: int) -> None:
    """Honest games of everything that there is: with all modules, alone, and where rare draws are made."""
    players, seed = (*KNOWN.values(), (3, 8))[number] if kind == "troyes" else (2 + number, number)
    found = verify_document(full(honest(kind, players, seed)))
    assert ((), True) == (found.differences, found.holds)



@pytest.mark.parametrize(
    ("seed", "share"), [(8, 8), *(pytest.param(seed, 1, marks=pytest.mark.soak) for seed in range(8, 41))]
)
@pytest.mark.parametrize("kind", sorted(games()))
def test_honest_games_hold_with_every_option(kind: str, seed: int, share: int) -> None:
    """Of the sample every eighth setting of one seed."""
    players = (3, 4, 1, 2)[seed % 4]
    for options in settings(kind, players)[::share]:
        export = full(table(kind, players, seed, options=options))
        found = verify_document(export)
        assert ((), True, []) == (found.differences, found.holds, verify_alone.check_draws(export)[1]), options
