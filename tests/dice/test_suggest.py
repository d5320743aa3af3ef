"""The one order that a line names whole, which no grammar reads; what is doubtful of it is asked back."""

from __future__ import annotations

import pytest

from engine.errors import NotUnderstood, OrderRefused
from engine.troyes_dice import notation
from engine.troyes_dice.suggest import covered_order
from tests.dice.games import ANNA, GAME, begin
from tests.dice.test_language import table


def read(line: str, colours: str = "red white yellow white", dice: tuple[int, ...] = (2, 4, 5, 6)) -> str:
    """What is played for a line; empty where it is asked back. Plazas: free, any resource, a denier; the last is gone."""
    try:
        return GAME.read(table(colours, dice), ANNA, line).text
    except OrderRefused:
        return ""


@pytest.mark.parametrize(
    ("line", "order"),
    [
        # Words around it that say nothing, parts in any order.
        ("I'd like to build the fortress with red 2, please", "red 2: fortress 2"),
        ("je prends le rouge 2 et je construis la forteresse avec", "red 2: fortress 2"),
        ("with the red die I'll get influence", "red 2: influence"),
        ("the free die for the fortress", "red 2: fortress 2"),
        ("I'll put the one on plaza 1 into the fortress", "red 2: fortress 2"),
        # What it becomes, in words or by how much.
        ("I turn the red die into a white 3 for the cathedral", "red 2 as white 3: cathedral 3"),
        ("I raise the red die by one for the fortress", "red 2 as red 3: fortress 3"),
        ("boost red 2 with one influence to 3, and then the fortress", "red 2 as red 3: fortress 3"),
        ("je monte le rouge 2 de 2 pour la forteresse", "red 2 as red 4: fortress 4"),
        ("je change le rouge 2 en blanc pour l'évêché", "red 2 as white 2: bishopric 2"),
        ("with 1 influence I raise the red die to 3, for the fortress", "red 2 as red 3: fortress 3"),
        # What pays for a die of any price is said.
        ("I take knowledge with white 4, paying a denier", "white 4: knowledge; pay deniers"),
        ("I take knowledge with white 4 and a denier to pay the plaza", "white 4: knowledge; pay deniers"),
        ("I take 4 knowledge with white 4, I pay 1 knowledge", "white 4: knowledge; pay knowledge"),
        ("I raise white 4 to 5 for the cathedral, I pay 2 influence", "white 4 as white 5: cathedral 5; pay influence"),
    ],
)
def test_an_order_that_is_named_whole_is_read(line: str, order: str) -> None:
    with pytest.raises(NotUnderstood):
        notation.parse_order(table(), ANNA, line)
    assert (line, order) == (line, read(line))


@pytest.mark.parametrize(
    "line",
    [
        # A word that is not known, one that doubts or denies, asks, or tells how things are.
        "I'd like to build the fortress with red 2 tomorrow",
        "I'd like to build the fortress with red 2 because of Emily",
        "I would not build the fortress with red 2",
        "I could build the fortress with red 2",
        "I'll build the fortress with red 2?",
        "the fortress is red 2 for me",
        "there are 2 influence on red 2",
        "rouge 2 a gagné de l'influence pour moi",
        # A part that is not said: the die, its use, what pays, that it is changed.
        "I'd like to build the fortress, please",
        "I'd like to take red 2, please",
        "I take knowledge with white 4, please",
        "I raise white 4 to 5 for the cathedral, I pay influence",
        "I'd like to build the cathedral with red 2",
        "I'd like to build fortress 3 with red 2",
        # A part that contradicts another, or is said of two things.
        "I take yellow 5 for city hall 4, please",
        "I lower red 2 to 3 for the fortress, please",
        "I raise red 2 by 2 to 3 for the fortress",
        "I turn red 2 and yellow 5 into the fortress",
        "red 2 and red 2 for the fortress, please",
        "I'll build the fortress and the palace with red 2",
        "I'll build the fortress and the city hall with red 2",
        "I take 3 influence with red 2, please",
        "I take influence with red 2, paying a denier please",
        "white 4, bishopric, influence please",
        "white 4 to 3, bishopric, I pay 1 influence",
        "I make red 2, 6 and 4 for the fortress",
        "please change red 2 for the fortress",
        # What it sets off is not named, or passing is.
        "I'll take the fortress with red 2, and the bonus",
        "I'll pay for the fortress with red 2",
        "please pass with red 2",
        # A heading.
        "Fortress (red)",
    ],
)
def test_what_is_not_named_whole_is_asked_back(line: str) -> None:
    assert (line, "") == (line, read(line))


def test_one_of_two_dice_must_be_told_from_the_other() -> None:
    """Though only one of them can be paid for."""
    line = "I'll take influence with the red die, please"
    assert "red 2: influence" == read(line)
    state = table("red yellow red white")
    assert covered_order(state, ANNA, line) is None
    state.sheets[ANNA].spent["denier"] = 3
    assert covered_order(state, ANNA, line) is None


def test_what_the_grammar_finds_forbidden_is_not_named_otherwise() -> None:
    """«yellow 5: city-hall 4» contradicts itself: a column is no change of the die."""
    for line in ("yellow 5: city-hall 4", "red 2: cathedral", "white 4: knowledge"):
        with pytest.raises(OrderRefused) as refused:
            GAME.read(table(), ANNA, line)
        assert not isinstance(refused.value, NotUnderstood)


def test_a_named_bonus_is_looked_for_among_all_orders() -> None:
    """When a bonus comes early thousands of orders are legal, and the named one may stand last among them."""
    early = {"track_bonus": {colour: {"prestige_at": 2} for colour in ("red", "yellow", "white")}}
    state = begin(1, seed=2, facts=early).state
    state.sheets[ANNA].circled = dict.fromkeys(state.sheets[ANNA].circled, 12)
    order = "white 3 as yellow 6: city-hall 6; bonus cathedral 5"
    assert list(GAME.reference.every(state, ANNA)).index(order) > 2400
    assert order in GAME.reference.repairs(state, ANNA, "white 3, yellow 6 for the city-hall 6; bonus cathedral 5")
