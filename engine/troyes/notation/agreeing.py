"""Whether what a line tells of an order beside it is true: its cost, what a die comes to show, columns, levels, places.

Who says so and is wrong may mean another order; such a line is not understood.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.troyes.box.faces import Board
from engine.troyes.notation.saying import Saying
from engine.troyes.state import places

_FACES = 7
"""What opposite sides of a die come to."""


_BUYING = ("build", "fight", "farm", "place")
"""Orders that cost deniers for what is bought alone."""


def costs_so(said: Saying, verb: str, seat: str, board: Board) -> bool:
    """Whether the order costs what the line says it does, as far as that is known before it is walked."""
    number, unit = said.cost
    bought = sum(die.owner not in ("", seat) for die in said.dice)
    if verb in _BUYING and bought:
        price = board.prices[min(len(said.dice), len(board.prices)) - 1]
        return not number or (number, unit or "deniers") == (bought * price, "deniers")
    wanted = {
        "recruit": (max(1, said.citizens, *said.numbers, 1) * board.recruit, "influence"),
        "flip": (board.flip, "influence"),
        "reroll": (board.reroll, "influence"),
        "give": (board.recruit, "influence"),
        "guard": (number, "deniers"),
    }.get(verb)
    return not number or (wanted is not None and number == wanted[0] and unit in ("", wanted[1]))


def shows(said: Saying, words: str, pips: int = 0, *, flips: bool = False) -> bool:
    """Whether a die comes to show what is said of it: turned over, or with pips added."""
    value = words[-1:]
    if not said.result:
        return True
    return (
        " " not in words and value.isdecimal() and said.result == (_FACES - int(value) if flips else int(value) + pips)
    )


def columns_agree(said: Saying, words: str) -> bool:
    """Columns are those of the dice; who names them must name them so (contract)."""
    named, built = sorted(said.columns), sorted(int(die[-1]) for die in words.split() if die[-1].isdecimal())
    return not named or (not said.used and named == built)


def level_agrees(said: Saying, words: str, cathedral: Sequence[Sequence[str]]) -> bool:
    """Whether the level that is named is the next one of the column that one die builds in."""
    column = words[-1:]
    if not said.level or " " in words or not column.isdecimal():
        return not said.level
    free = [level for level, row in enumerate(cathedral, 1) if not row[int(column) - 1]]
    return free[:1] == [said.level]


def leads(board: Board, building: str, spot: str, value: str) -> bool:
    """Whether a die of this value leads to that space of the building."""
    if not spot or not value.isdecimal():
        return not spot
    if building == places.PALACE:
        return spot == value
    return spot == f"{board.row(int(value))}.1"
