"""Tables of Troyes Dice in a whole post room, for the tests by mail."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.game import Decision, Seat
from pbem.desk.core.result import Result
from tests.dice.games import GAME
from tests.whole.room import Hall

EARLY = {"track_bonus": {colour: {"prestige_at": 2} for colour in ("red", "yellow", "white")}}
"""A host's correction that brings a bonus with the second citizen, so that a choice is open on the first day."""


def seated(folder: Path, players: int = 3, **more: Any) -> Hall:
    """A table at its first half day."""
    hall = Hall(folder, GAME.kind)
    hall.seat_all(players, **more)
    return hall


def decision(hall: Hall, seat: str) -> Decision:
    """What the seat is asked."""
    return next(one for one in GAME.waiting(hall.position()) if one.seat == seat)


def missing(hall: Hall) -> list[Seat]:
    """Who has not answered completely."""
    return [one.seat for one in GAME.waiting(hall.position()) if not one.answered]


def finish(hall: Hall) -> None:
    """Everybody who is still asked takes the first option, until the half day is over."""
    number = hall.position().number
    while hall.position().number == number and missing(hall):
        hall.send(missing(hall)[0], "1")


def offered(hall: Hall, seat: str) -> list[str]:
    """The orders on the seat's list."""
    return [offer.text for offer in GAME.offers(hall.position(), Seat(seat))]


def with_choice(hall: Hall, seat: str) -> tuple[str, str]:
    """An order whose bonus leaves a choice, and the words of one choice."""
    whole = next(text for text in GAME.reference.every(hall.position(), Seat(seat)) if "; bonus" in text)
    order, _, choice = whole.partition("; ")
    return order, choice


def subject(hall: Hall, seat: str) -> str:
    """The subject of the newest mail to the seat."""
    return str(hall.last(seat).message["Subject"])


def seat_computer(hall: Hall, name: str, seat: str) -> None:
    """A computer plays for the seat from now on."""

    def draw(case: Any) -> Result:
        rows = tuple(replace(row, by="computer") if row.seat == seat else row for row in case.stored.table.seats)
        stored = replace(case.stored, table=replace(case.stored.table, seats=rows))
        return Result(what="computer", says="a computer plays", stored=stored, state=case.state)

    hall.desk.change(name, "computer", draw)
