"""Polite questions as orders, and one of several dice as a die."""

from __future__ import annotations

import pytest

from pbem.reading.rewording import one_of, ordered

VERBS = frozenset(("build", "construire", "farm"))


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ("Could you please build with W2?", "build with W2."),
        ("Can you put the red 3 there, please?", "put the red 3 there."),
        ("Pourriez-vous me construire la forteresse 3, s'il vous plaît ?", "construire la forteresse 3."),
    ],
)
def test_a_polite_question_orders(said: str, order: str) -> None:
    assert ordered(said, VERBS) == order


@pytest.mark.parametrize(
    "said",
    [
        *("Can I build with W2, please?", "Could you build with W2?", "Peux-tu construire ?", "Merci, peux-tu construire ?"),
        *("Could you please tell me what W2 does?", "Could you please not build with W2?", "Could you please wait?"),
        *("Can you build with W2, thanks for explaining", "Could you please take W2 out of the cathedral?"),
    ],
)
def test_other_questions_ask(said: str) -> None:
    """Without a word of courtesy, of somebody else, with another verb, or to undo something."""
    assert ordered(said, VERBS) == said


@pytest.mark.parametrize(
    ("line", "die"),
    [
        ("farm with one of my two yellow sixes", "farm with my yellow six"),
        ("one of the white 2s, please", "the white 2, please"),
        ("one of my sixes", "one of my sixes"),
        ("l'un de mes deux 3 jaunes", "mon 3 jaune"),
        ("un des deux 5 blancs", "le 5 blanc"),
        ("one of Faye's white twos", "Faye's white two"),
        ("one of Emily's sixes on the brigands", "Emily's six on the brigands"),
        ("one of Emily's dice on the brigands", "one of Emily's dice on the brigands"),
        ("one of my reds or one of my yellows", "one of my reds or one of my yellows"),
        ("one of these days", "one of these days"),
        ("un de mes dés", "un de mes dés"),
    ],
)
def test_one_of_dice_that_are_alike_is_a_die(line: str, die: str) -> None:
    """A colour alone tells no face: which of them stays open."""
    assert one_of(line) == die
