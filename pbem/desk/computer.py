"""Seats that a computer holds: whatever they are asked is answered at once, as their level plays.

The answers belong to the record of the letter that led to them, so that people are mailed once, when one of them is
asked again. A computer sees what its seat may see, and picks with a stream of chance that no die of the game comes
from: the same seed gives the same game. Nothing is written here; a crash leaves nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.catalog import Msg, T
from engine.chance import Apart, Chance, Derived
from engine.errors import OrderRefused
from engine.game import AnyGame, Decision, Step
from engine.levels import SEATED, Level, level
from pbem.desk.context import STOPPED
from pbem.desk.result import Result
from pbem.desk.start import chance_of, drawn_as
from pbem.store.stored import Stored
from pbem.store.table import SeatRow, Status

MOST = 1000
"""Answers in one go. A table of computers alone plays to its end in fewer."""

PERSON, COMPUTER = "person", "computer"
"""Who a seat is played by, in its row."""


def seated(text: str) -> str:
    """The name of a level that may sit at a table. Raises NotAllowed naming those there are."""
    return level(text, SEATED).name


def level_of(row: SeatRow) -> Level:
    """How a computer plays a seat. Seats from before there were levels are played by the first of them."""
    return level(row.level or next(iter(SEATED)), SEATED)


def told(row: SeatRow) -> Msg:
    """A computer's seat in words."""
    return T("{name} (level {level})", name=row.name, level=level_of(row).name)


def by_person(row: SeatRow) -> SeatRow:
    """The row of a seat that its person plays again."""
    return replace(row, by=PERSON, level="")


def returns(name: str) -> Msg:
    """That somebody plays again."""
    return T("{name} plays again; the computer has left the seat.", name=name)


def with_row(stored: Stored, fresh: SeatRow) -> Stored:
    """The table with one row changed."""
    rows = tuple(fresh if row.seat == fresh.seat else row for row in stored.table.seats)
    return replace(stored, table=replace(stored.table, seats=rows))


def play_on(game: AnyGame, result: Result) -> Result:
    """What was decided, with the answers of computers that follow on it."""
    stored = result.stored
    computers = {row.seat: level_of(row) for row in stored.table.seats if row.by == COMPUTER}
    status = result.status or (Status.RUNNING if result.began else stored.table.status)
    if result.state is None or not computers or status in (STOPPED | {Status.GATHERING}):
        return result
    chance, since = chance_of(stored), stored.table.entries + len(result.entries)
    answered = 0
    while answered < MOST and (asked := _asked(game, result.state, computers)) is not None:
        step = _answer(game, result.state, asked, computers[asked.seat], _stream(stored, asked), chance)
        if step is None:
            break
        answered += 1
        result = replace(
            result,
            state=step.state,
            entries=(*result.entries, *step.entries),
            reveals=result.reveals or step.reveals,
            marks=() if step.reveals else result.marks,
        )
    if answered and result.answer is not None and not result.answer.since:
        result = replace(result, answer=replace(result.answer, since=since))
    return result


def _stream(stored: Stored, asked: Decision) -> Chance:
    """What a computer picks with at one decision. The name in front keeps it apart from every draw of the game."""
    secrets = stored.secrets
    own = Derived(bytes.fromhex(secrets.seed), (), f"computer {drawn_as(stored.table)}", secrets.epoch)
    return Apart(own, f"{asked.seat}-{asked.number}")


def _asked(game: AnyGame, state: Any, computers: Mapping[str, Level]) -> Decision | None:
    return next((one for one in game.waiting(state) if one.seat in computers and not one.answered), None)


def _answer(
    game: AnyGame, state: Any, asked: Decision, player: Level, own: Chance, chance: Chance
) -> Step[Any] | None:
    """The best that it thinks of and can be played, or what does least; None when neither can be."""
    thoughts = [order for order, _ in player.consider(game, state, asked.seat, own)]
    for order in (*thoughts, game.default(state, asked.seat)):
        try:
            return game.apply(state, asked.seat, order, chance)
        except OrderRefused:
            continue
    return None
