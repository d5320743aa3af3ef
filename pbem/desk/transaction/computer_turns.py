"""Play the seats that computers hold: whatever they are asked is answered at once.

The answers belong to the record of the letter that led to them, so that people are mailed once. A computer sees what
its seat may see and picks with a chance of its own, so that the same seed gives the same game. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.chance import Chance
from engine.errors import OrderRefused
from engine.game import AnyGame, Decision, Step
from engine.levels import MOST as SEARCHED
from engine.levels import Player, Strong
from pbem.desk.core.context import STOPPED
from pbem.desk.core.game_start import chance_of
from pbem.desk.core.result import Result
from pbem.desk.core.seat_controller import COMPUTER, computer_chance, level_of
from pbem.store.game_table import Status

MOST = 1000
"""Answers in one go. A table of computers alone plays to its end in fewer."""


def play_on(game: AnyGame, result: Result) -> Result:
    """The result with the answers of computers that follow on it."""
    stored = result.stored
    computers = {row.seat: level_of(row) for row in stored.table.seats if row.by == COMPUTER}
    status = result.status or (Status.RUNNING if result.began else stored.table.status)
    if result.state is None or not computers or status in (STOPPED | {Status.GATHERING}):
        return result
    chance, since = chance_of(stored), stored.table.entries + len(result.entries)
    answered, searched = 0, 0
    while answered < MOST and (asked := _asked(game, result.state, computers)) is not None:
        player = _rested(computers[asked.seat], searched)
        thoughts = player.consider(game, result.state, asked.seat, computer_chance(stored, asked))
        step = _answer(game, result.state, asked, [order for order, _ in thoughts], chance)
        if step is None:
            break
        answered += 1
        searched += player.simulations if isinstance(player, Strong) and len(thoughts) > 1 else 0
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


def _asked(game: AnyGame, state: Any, computers: Mapping[str, Player]) -> Decision | None:
    return next((one for one in game.waiting(state) if one.seat in computers and not one.answered), None)


def _rested(player: Player, searched: int) -> Player:
    """A player with the simulations that are left for this letter, so that the watchdog does not end it."""
    if not isinstance(player, Strong):
        return player
    return Strong(max(1, min(player.simulations, SEARCHED - searched)))


def _answer(game: AnyGame, state: Any, asked: Decision, thoughts: Sequence[Any], chance: Chance) -> Step[Any] | None:
    """Play the first legal order of these, or the default; None if neither is legal."""
    for order in (*thoughts, game.default(state, asked.seat)):
        try:
            return game.apply(state, asked.seat, order, chance)
        except OrderRefused:
            continue
    return None
