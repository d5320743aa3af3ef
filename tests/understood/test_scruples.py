"""What a line says beside an order that the grammar finds in it: fewer dice, another place, a cube more, no payment.

None of these is played; what says the same without the words that limit it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from engine.troyes.notation import scruples
from tests.dice import test_wordings as dice
from tests.troyes import test_wordings as troyes

from .bench import Bench
from .measure import send


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str, str], tuple[str, ...]]]:
    """What a line plays at a position that is named, each of which has a table of its own."""
    tables: dict[str, Bench] = {}

    def of(name: str, line: str) -> tuple[str, ...]:
        if name not in tables:
            kind = "dice" if name == "first" else "troyes"
            asked = "counter" if name == "counter" else "turn"
            state = dice.position(name) if kind == "dice" else troyes.position(name, asked)
            tables[name] = Bench(tmp_path_factory.mktemp(name), kind, state)
        return send(tables[name], line).orders

    yield of
    for table in tables.values():
        table.close()


TROYES = [
    # Which dice, and how few.
    ("turn", "fight marauding with the lowest red dice", ()),
    ("turn", "fight marauding with half my reds", ()),
    ("turn", "fight marauding with a red dice", ()),
    ("turn", "build with a white dice", ()),
    ("turn", "build with the best white dice", ()),
    ("turn", "flip a white dice", ()),
    ("turn", "flip two dice", ()),
    ("turn", "farm with the yellow dice, keep one", ()),
    ("turn", "farm with both my big yellow dice", ()),
    ("turn", "farm with the yellow dice", ("farm Y5 Y4 Y1",)),
    ("turn", "farm with my big yellow 5", ("farm Y5",)),
    ("turn", "build with both white dice", ("build with W4 W2",)),
    # What a number counts.
    ("turn", "flip R1 to 5", ()),
    ("turn", "flip R1 to 6", ("flip R1",)),
    ("turn", "fight war with R4 R1, one cube each", ()),
    ("turn", "farm with Y5 and one priest cube", ()),
    ("turn", "farm with Y5 using priest", ("farm Y5 using priest",)),
    ("turn", "activate merchant with Y5 using priest on Y4", ()),
    # Where a citizen goes.
    ("turn", "place Y5 to palace 1", ()),
    ("turn", "move a citizen to palace 4 with W4", ()),
    ("turn", "bring a new citizen to palace 1 with R1", ()),
    ("turn", "place Y5 from palace 1", ("place Y5 from palace 1",)),
    # What is paid.
    ("turn", "fight marauding with gray:W6, don't pay", ()),
    ("turn", "fight marauding with gray:W6 without paying", ()),
    # Guards and tiles.
    ("ladies", "guard R6: advance 5 and cube", ()),
    ("ladies", "guard Y5: advance 3, cube on each", ()),
    ("ladies", "guard Y5: cubes on I and II, advance the rest", ()),
    ("ladies", "move the guards 5 with R6 then cube", ()),
    ("ladies", "guard R6: advance 5", ("guard R6: advance 5",)),
    ("ladies", "activate lumberjack with Y6 Y5: use 2, place 2", ()),
    ("ladies", "use II: fight marauding with R6 turned over", ()),
    ("ladies", "fight marauding with Y6 Y5 using one priest cube", ()),
    # A number before a die in brackets may be an option's.
    ("counter", "2 (R5)", ()),
    ("counter", "6 (R5)", ()),
]


@pytest.mark.parametrize(("sheet", "line", "orders"), TROYES)
def test_what_limits_an_order_is_asked_back(
    played: Callable[[str, str], tuple[str, ...]], sheet: str, line: str, orders: tuple[str, ...]
) -> None:
    """And what says no such thing is played."""
    assert played(sheet, line) == orders


DICE = [
    ("red 2: influence; don't pay knowledge", ()),
    ("red 2: influence without paying deniers", ()),
    ("use influence to make red 2 a 3: fortress", ()),
    ("red 2: influence; pay knowledge", ("red 2: influence; pay knowledge",)),
]


@pytest.mark.parametrize(("line", "orders"), DICE)
def test_what_is_denied_of_a_payment_is_not_paid(
    played: Callable[[str, str], tuple[str, ...]], line: str, orders: tuple[str, ...]
) -> None:
    """Nor what a resource is named for that is spent on something else."""
    assert played("first", line) == orders


@pytest.mark.parametrize(
    ("line", "own", "amiss"),
    [
        ("counter the black 4", ("W4",), True),
        ("counter 4", ("W4",), True),
        ("counter the 4 only thx", ("W4",), True),
        ("counter 4 with W4", ("W4",), False),
        ("counter 4 with 4", ("W4",), False),
        ("counter the 4 with my white 4", ("W4",), False),
        ("counter 4", ("R5",), False),
        ("then the 4 takes care of the black die", ("W4",), False),
        ("then counter with the 4", ("W4",), False),
        ("je contre avec le 4", ("W4",), False),
    ],
)
def test_number_of_a_black_die_is_no_die_of_ones_own(line: str, own: tuple[str, ...], amiss: bool) -> None:
    """Even where one of one's own shows the same."""
    assert scruples.is_black(line, (4,), own) is amiss
