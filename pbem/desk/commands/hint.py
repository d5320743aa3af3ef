"""A hint by mail: what a steady player would think of in the writer's place, from what the writer may see."""

from __future__ import annotations

from engine.catalog import T
from engine.chance import SubStream
from engine.errors import NotAllowed
from engine.levels import find_level
from engine.reference import CardText
from pbem.desk.core.request import Request
from pbem.desk.core.seat_controller import COMPUTER, computer_chance

LEVEL = "steady"
SHOWN = 3
"""Orders that a hint names."""


def hint_answer(request: Request) -> CardText:
    """The best orders for what the seat is asked, each with what it may gain.

    Raises NotAllowed where the table plays without hints, nothing is asked, or one was given for this decision.
    """
    asked, row = request.asked, request.table.seat(request.seat)
    if not request.table.hints:
        raise NotAllowed(T("This table plays without hints."))
    # Before the game nothing has a number yet.
    if asked is None or not asked.number or request.held is not None or row.by == COMPUTER:
        raise NotAllowed(T("Nothing is asked of you now, so that there is nothing to advise."))
    if row.hinted == asked.number:
        raise NotAllowed(T("There is one hint for each decision, and you have had it."))
    chance = SubStream(computer_chance(request.context.stored, asked), "hint")
    found = find_level(LEVEL).consider(request.game, request.state, request.seat, chance)[:SHOWN]
    lines = tuple(
        T(
            "«{order}», about {gain} VP",
            order=request.game.write(request.state, request.seat, order, request.language),
            gain=f"{worth:+.1f}",
        )
        for order, worth in found
    )
    return CardText(T("Hint: what promises most, against the others' share"), lines)
