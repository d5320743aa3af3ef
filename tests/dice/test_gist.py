"""Half days that no grammar reads: what names the order, what must be true of it, and what is no order at all.

The grammar has no part here, so that a line is told by its evidence alone, as one in words that nobody foresaw.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.troyes_dice.notation import clauses, gist
from engine.troyes_dice.notation.clauses import Stretch
from engine.troyes_dice.notation.evidence import evidence, terms_in
from engine.troyes_dice.notation.way import Way
from pbem.reading import directive
from pbem.reading.bars import bars
from tests.dice.games import ANNA, GAME
from tests.dice.test_wordings import NAMES, position
from tests.gist_lines import surely


def meant(name: str, line: str) -> str:
    """The order that a line can only mean in a position, or is taken for; empty for none."""
    state, logit = GAME.moderation.redacted(position(name), ANNA), surely(line)
    if bars(line, NAMES):
        return ""
    found = GAME.reference.gist(state, ANNA, line)
    if found is None and logit >= directive.HARDLY:
        found = GAME.reference.likely(state, ANNA, line, {"directive": logit})
    return found.orders[0] if found is not None else ""


@pytest.mark.parametrize(
    ("name", "line", "order"),
    [
        ("alike", "the cheaper yellow serves for the great hall", "yellow 4 plaza 3: great-hall 4"),
        ("alike", "great hall 4 with the most expensive of the yellows", "yellow 4 plaza 4: great-hall 4"),
        ("alike", "great hall 4, the yellow at one denier", "yellow 4 plaza 3: great-hall 4"),
        ("alike", "la grande halle 4 avec le jaune de la dernière place", "yellow 4 plaza 4: great-hall 4"),
        ("alike", "the yellow on 3 for four coins", "yellow 4 plaza 3: deniers"),
        ("alike", "the second yellow, city hall", "yellow 4 plaza 4: city-hall 4"),
        ("alike", "the yellow for the great hall", ""),
        ("raided", "le jaune du pillage, de l'argent", "yellow 3: deniers"),
        ("raided", "money from the raided die", "yellow 3: deniers"),
        ("raided", "le blanc du pillage, du savoir", ""),
        ("market", "the four does the great hall", "yellow 4: great-hall 4"),
        ("market", "the three does the great hall", ""),
        ("two-reds", "the yellow one for the city hall", "yellow 3: city-hall 3"),
    ],
)
def test_a_die_is_told_by_what_it_costs_by_where_it_lies_and_by_its_number(name: str, line: str, order: str) -> None:
    """Where that leaves two dice none is guessed, nor one that is told otherwise."""
    assert meant(name, line) == order


@pytest.mark.parametrize(
    ("name", "line", "order"),
    [
        ("first", "red 2, fortress 2, mais je paie avec mon savoir", "red 2: fortress 2; pay knowledge"),
        ("first", "forteresse 2, le rouge 2 réglé en deniers", "red 2: fortress 2; pay deniers"),
        ("first", "forteresse 2, le rouge 2, je paie la place d'un savoir", "red 2: fortress 2; pay knowledge"),
        ("first", "red 2 for the fortress, two", ""),
        ("first", "white 5 for knowledge with a denier", "white 5: knowledge"),
        ("first", "white 5 for knowledge with two deniers", ""),
    ],
)
def test_what_pays_is_said_in_any_part(name: str, line: str, order: str) -> None:
    """What may pay for a die of any price is never filled in, and a price that is another is of another order."""
    assert meant(name, line) == order


@pytest.mark.parametrize(
    ("name", "line", "order"),
    [
        ("first", "white 5, I raise it by one for the bishopric", "white 5 as white 6: bishopric 6"),
        ("first", "le blanc 5 devient un 6, évêché", "white 5 as white 6: bishopric 6"),
        ("first", "le blanc 5, j'en fais un 6 et je bâtis l'évêché 6", "white 5 as white 6: bishopric 6"),
        ("first", "the white five, one step higher, for the bishopric", "white 5 as white 6: bishopric 6"),
        ("first", "le blanc un cran plus haut, évêché", "white 5 as white 6: bishopric 6"),
        ("first", "the white five stays a five: bishopric", "white 5: bishopric 5"),
        ("first", "the white five stays a four: bishopric", ""),
        ("first", "the last bishopric box, with the white raised to 6", "white 5 as white 6: bishopric 6"),
        ("first", "the third bishopric box, with the white raised to 6", ""),
        ("first", "turn the white 5 red for the fortress", "white 5 as red 5: fortress 5"),
        ("first", "change the white 5 and the red: fortress", ""),
        ("first", "white 5 coloured red for the fortress", "white 5 as red 5: fortress 5"),
        ("first", "white 5 in red for the fortress", "white 5 as red 5: fortress 5"),
        ("first", "le blanc 5 habillé en rouge, forteresse", "white 5 as red 5: fortress 5"),
        ("first", "fortress: the white 5 in the red", ""),
        ("first", "is the white 5 coloured red for the fortress", ""),
        ("first", "no white 5 in red for the fortress", ""),
        ("first", "white 5 in red or in yellow for the fortress", ""),
        ("first", "my neighbour dressed the white 5 in red for the fortress", ""),
        ("first", "the white 5 was coloured red for the fortress", ""),
        ("first", "I wonder about the white 5 in red, fortress 5", ""),
        ("first", "cathedral 4 with the white, if you please", "white 5 as white 4: cathedral 4"),
        ("first", "cathedral 4 with the white 5, if you please", ""),
        ("first", "cathedral 2 with the white 5, if you please", ""),
        ("first", "fortress 5 with the white 5, if you please", ""),
        ("first", "bishopric 6, white", "white 5 as white 6: bishopric 6"),
        ("first", "4 knowledge from the white 5, if you please", ""),
        ("first", "the bishopric with the white 5 kept as it is", ""),
        ("rolled", "cathedral 2 with the white, I pay influence", ""),
    ],
)
def test_each_change_of_a_die_is_said(name: str, line: str, order: str) -> None:
    """Only a column that no die of that colour builds as it lies says it by itself, where its number cannot be meant
    otherwise and the die is told by its colour alone."""
    assert meant(name, line) == order


@pytest.mark.parametrize(
    ("name", "line", "order"),
    [
        ("market", "Great Hall 4! At last some citizen for me, and it costs a denier.", "yellow 4: great-hall 4"),
        ("market", "A denier hurts, great hall 4.", ""),
        ("market", "great hall 4 with the yellow, so I get my first red citizen", ""),
        ("market", "fortress with the red 1, so I get my first red citizen", "red 1: fortress 1"),
        ("market", "fortress with the red 1, so I get my third red citizen", ""),
        ("market", "fortress with the red 1, mon premier habitant rouge", "red 1: fortress 1"),
        ("market", "red 1 for influence, it brings me five", ""),
        ("market", "red 1 for influence, it brings me one", "red 1: influence"),
        ("market", "my first fortress, the red 1", "red 1: fortress 1"),
        ("market", "my second fortress, the red 1", ""),
        ("middle", "deniers with the yellow 5, even if I lose three", ""),
    ],
)
def test_what_an_order_brings_may_be_told_where_it_is_true(name: str, line: str, order: str) -> None:
    """Behind the goal it tells which die is meant, too."""
    assert meant(name, line) == order


SPOKEN = [
    ("I covet the red 1 for the fortress", ""),
    ("I gently covet, and I take the red 1 for the fortress", "red 1: fortress 1"),
    ("Veuillez bâtir la forteresse 1 avec le rouge", "red 1: fortress 1"),
    ("My neighbour builds fortress 1 with the red", ""),
    ("My son loves red 1 for fortress 1", ""),
    ("Explain fortress 1 with the red", ""),
    ("Taking the red 1 for fortress 1 is a classic", ""),
    ("The red 1 and fortress 1 tempt me", ""),
    ("Red 1 costs nothing for fortress 1", ""),
    ("builds Fortress 1, red 1", ""),
    ("The raid takes my red 1 for fortress 1", ""),
    ("Thanks for the red 1 and fortress 1", ""),
    ("With one more denier I take red 1 for fortress 1", ""),
    ("I need red 1 for fortress 1", ""),
    ("Le rouge file à la forteresse 1", "red 1: fortress 1"),
    ("Le rouge 1 attire tout le monde à la forteresse 1", ""),
    ("I take red 1 and fortify fortress 1", "red 1: fortress 1"),
    ("I take red 1 and Martine builds fortress 1", ""),
    ("To do: red 1 for fortress 1", ""),
]


@pytest.mark.parametrize(("line", "order"), SPOKEN)
def test_an_order_is_named_where_its_writer_says_what_is_done(line: str, order: str) -> None:
    """An unknown word is passed over where it can only be beside what is named, and not where a verb's place is."""
    assert meant("market", line) == order


def test_planted_faults_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were every part of a line taken for what is done, talk would be played; were nothing of it held to be true, what
    is told of another order."""

    def all_clear(read: Callable[..., list[Stretch]]) -> Callable[..., list[Stretch]]:
        def found(terms: list[clauses.Typed]) -> list[Stretch]:
            some = read(terms)
            for one in some:
                one.why = ""
            return some

        return found

    with monkeypatch.context() as planted:
        planted.setattr(gist, "clauses", all_clear(gist.clauses))
        assert [line for line, order in SPOKEN if not order and meant("market", line)]
    monkeypatch.setattr(Way, "explains", lambda self, piece: True)
    assert meant("market", "red 1 for influence, it brings me five")


def test_what_a_bonus_is_for_is_no_number_of_the_order() -> None:
    """Else the steps of a shift explain it."""
    assert not evidence(terms_in("bishopric 1, and the bonus for three of every colour")).of("number")
