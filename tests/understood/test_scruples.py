"""What a line says beside an order that the grammar finds in it: fewer dice, another place, a cube more, no payment.

None of these is played; what says the same without the words that limit it is.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.troyes.notation import scruples
from tests.dice.test_wordings import position
from tests.understood.games import Tables, sent


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    found = Tables(tmp_path_factory.mktemp("scruples"))
    yield found
    found.close()


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
def test_what_limits_an_order_is_asked_back(tables: Tables, sheet: str, line: str, orders: tuple[str, ...]) -> None:
    """And what says no such thing is played."""
    kind = "counter" if sheet == "counter" else "turn"
    assert sent(tables, sheet, kind, line).orders == orders


DICE = [
    ("red 2: influence; don't pay knowledge", ()),
    ("red 2: influence without paying deniers", ()),
    ("use influence to make red 2 a 3: fortress", ()),
    ("red 2: influence; pay knowledge", ("red 2: influence; pay knowledge",)),
]


@pytest.mark.parametrize(("line", "orders"), DICE)
def test_what_is_denied_of_a_payment_is_not_paid(tables: Tables, line: str, orders: tuple[str, ...]) -> None:
    """Nor what a resource is named for that is spent on something else."""
    assert tables.send("dice", "first", position("first"), line).orders == orders


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
