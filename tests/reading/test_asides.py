"""What stands behind a whole order in its line: passed over where it says nothing of it, never where it may take it back."""

from __future__ import annotations

import pytest

from pbem.reading.asides import endings, is_aside

NAMES = ("Anna", "Faye")
VERBS = frozenset(("pass", "build", "fight"))
KNOWN = ("cathedral", "war")


def passed_over(line: str) -> bool:
    """Whether what follows `pass` in a line says nothing of it."""
    return any(
        order == "pass" and is_aside(aside, NAMES, VERBS, KNOWN, frozenset(("undo", "status")))
        for order, aside, _ in endings(line)
    )


@pytest.mark.parametrize(
    "behind",
    [
        ". Good game so far guys!",
        ", sorry for being slow!",
        ", bon courage à vous",
        "! Hello from the rain",
        " - desolé du bruit",
        ", désolé Anna",
        ", on verra bien",
        ", c'est tout pour ce soir",
        ". Je sais, c'est cher !",
        ", dinner is waiting",
        ", I need the rest",
        ". My kettle is boiling",
    ],
)
def test_talk_is_passed_over(behind: str) -> None:
    assert passed_over(f"pass{behind}")


@pytest.mark.parametrize(
    "behind",
    [
        *(
            ". Let me think",
            ". Scrap that",
            "! It is raining here",
            ". Hmm",
            ", I need time",
            ", I am joking",
            ", I need that",
            ", my wife suggests",
            ", the plan is off",
            ", I was dreaming",
            ", the cathedral is nice",
            ", I need Faye's help",
            ", my brother passed",
            ". No wait",
            ". Just kidding",
            ". Build with W2",
            ". Undo",
            ". Or the war",
            ". Faye next",
        ),
        *(
            ", I guess",
            ", it rains",
            "... it rains",
            ". Is that good?",
            ". I take 5",
            ". Je rigole",
            ". Faye passed",
            ", si possible",
        ),
        *(". On verra", ". Sorry, my mistake", ". As a joke", ". Later"),
        *(", désolé Anna passe", ", on verra", ", tant pis si je perds", ", voilà la cathedral"),
    ],
)
def test_what_may_take_an_order_back_is_not(behind: str) -> None:
    """Second thoughts, questions, another way, somebody else, a word of the game."""
    assert not passed_over(f"pass{behind}")
