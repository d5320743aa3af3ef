"""What is played though nobody ordered it: second thoughts, numbers of a sentence, a pass that was none, another's move.

Each kind was met in letters. Nothing of them is played; where an order is clear, it alone is the first choice.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.whole.room import Hall

from .conftest import Sent


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    """A table whose placement is over."""
    hall = Hall(tmp_path)
    hall.seat_all(3)
    while hall.position().phase != "actions":
        hall.send(str(hall.asked()), "1")
    return hall


SECOND_THOUGHTS = (
    "Cancel that.", "Scrap it.", "Scrap that.", "Strike that.", "Delete that.", "Belay that.", "Just kidding.", "Kidding.", "Said nobody ever.",
    "In my dreams.", "On efface.", "Je plaisante.", "Je rigole.", "Ignorez.", "Ignorez ce mail.", "Mauvaise partie, désolé.",
)  # fmt: skip


@pytest.mark.parametrize("where", ["{order}\n{said}", "{order}\n\n{said}", "{order}. {said}", "{said}\n{order}", "{order}\n\nAnna\n{said}"])
@pytest.mark.parametrize("said", SECOND_THOUGHTS)
def test_a_second_thought_is_never_played_over(sent: Sent, said: str, where: str) -> None:
    """An order that rolls is no exception: it could not be taken back."""
    for order in ("build with W2", "reroll W2"):
        read = sent(where.format(order=order, said=said))
        assert (read.orders, read.choices[:1]) == ((), (order,))


PLACES = {
    "l'évêché": "bishopric", "à l'évêché": "bishopric", "l'hôtel de ville": "city-hall", "l'influence": "influence", "l'activité": "activate",
    "au palais": "palace", "la cathédrale": "cathedral", "l'archer": "archer", "the bishopric": "bishopric", "city hall": "city-hall",
}  # fmt: skip


@pytest.mark.parametrize("number", ["numéro {n}", "ligne {n}", "option {n}", "number {n}", "line {n}", "n° {n}"])
@pytest.mark.parametrize("place", PLACES)
def test_the_number_of_a_place_is_no_option_of_another(sent: Sent, place: str, number: str) -> None:
    """What is played is of that place."""
    for kind in ("troyes", "dice"):
        for n in (1, 2, 3):
            for lead in ("", "je vais à ", "je veux ", "I take "):
                line = f"{lead}{place} {number.format(n=n)}"
                assert all(PLACES[place] in order for order in sent(line, kind).orders), line


NEVER_PLAYED = (
    # A number with other words.
    "je me mets à l'évêché ligne 2", "je vais à l'hôtel de ville numéro 6", "je prends le 3, pour l'hôtel de ville",
    "le 2, l'hôtel de ville", "[2] build with W2", "2) palais", "le 2 (palais)", "3 or 4", "1 then 3", "not 3",
    "3?", "I take the first one. Geoffrey, your dice are mine!", "4 5 6 1 2 3",
    # A pass with anything about it.
    "No thanks, I pass", "I'll pass on that", "non merci, je passe", "I'll take a pass on this one", "Come on Emily, pass", "Emily, passe !",
    "Geoffrey! Pass!", "pass for now", "pass · +2 deniers for now", "pass, not", "not pass", "I would rather pass", "pass on the alliance",
    "pass it on", "Faye, pass", "you pass", "all pass", "passe ton tour", "passons à autre chose", "pass? no way!", "I might pass", "pass!? Emily?",
    # Talk that names an order in full.
    '"Reroll W2!" chants the whole pub, and the whole pub is drunk.', "Faye, kindly spend your own R6 on the brigands.",
    "Pour un d'influence on relance le blanc 2, pour deux on a le dessert.", "I would build with W2", "my plan: build with W2",
    # Words that an order cannot place.
    "recruit a lawyer", "recruit a goat", "recruit 1 and place", "build a wall with W2", "reroll the gate W2", "farm the district card Y5",
    "je recrute un avocat", "recruit a ram",
    # A farewell that may go on from the order, a sign that is on no list, a word that only counts the orders.
    "pass until Friday", "je passe à la prochaine", "pass 🤨", "pass 🙃", "pass 🤡", "First\nrecruit 1",
)  # fmt: skip


@pytest.mark.parametrize("line", NEVER_PLAYED)
def test_what_may_be_no_order_is_not_played(sent: Sent, line: str) -> None:
    assert sent(line).orders == ()


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("3 sounds good", "build with W2"), ("opt 3", "build with W2"), ("yes, the first", "activate merchant with Y5 Y4"),
        ("the third one, please", "build with W2"), ("je prends le 3", "build with W2"), ("[3] build with W2", "build with W2"),
        ("3) build", "build with W2"), ("le 6 (pass)", "pass"), ("pass", "pass"), ("I pass.", "pass"), ("Je passe", "pass"),
        ("je passe mon tour", "pass"), ("Pass, thanks!", "pass"), ("Hi all,\n\npass\n\nAnna", "pass"), ("ok pass", "pass"),
    ],
)  # fmt: skip
def test_a_number_or_a_pass_with_courtesy_is_played(sent: Sent, line: str, order: str) -> None:
    assert sent(line).orders == (order,)


@pytest.mark.parametrize(
    ("line", "never"),
    [
        ("I don't want to pass yet. Build with Geoffrey's white die", "pass"), ("pass? no way!", "pass"), ("passe pas", "pass"),
        ("I won't fight the brigands with R4", "fight brigands with R4"), ("flip W2 then pass", "flip W2\nflip"), ("recruit 2 then pass", "recruit 2\nrecruit"),
        ("ne construis pas avec B2", "build with W2"), ("oh no, my dice", "undo"), ("this is no fun", "resign"),
    ],
)  # fmt: skip
def test_no_choice_is_the_opposite_nor_twice_what_was_written(sent: Sent, line: str, never: str) -> None:
    read = sent(line)
    assert read.orders == ()
    assert not any(choice.startswith(never) for choice in read.choices)


def test_words_behind_a_pasted_option_are_those_of_the_mail(sent: Sent) -> None:
    assert sent("[3] build with W2 · 1 VP, +1 influence").orders == ("build with W2",)
    for does in ("1 VP, but only if Faye agrees", "not now", "1 VP. No wait, pass"):
        assert sent(f"[3] build with W2 · {does}").orders == ()


def test_a_yes_takes_the_first_choice_of_what_was_asked(hall: Hall) -> None:
    """Of a refusal, of a question, of a trial; in answer to a turn it takes nothing."""
    seat = str(hall.asked())
    order = hall.rules.offers(hall.position(), seat)[0].text
    hall.send(seat, "yes")
    assert "Played." not in hall.last(seat).text
    hall.send(seat, f"{order}\nIt rains.")
    assert "I can't place" in hall.last(seat).text
    hall.send(seat, "Yes, do it please")
    assert "Played." in hall.last(seat).text


@pytest.mark.parametrize("by", ["number", "words"])
def test_a_yes_to_a_trial_plays_what_was_tried(hall: Hall, by: str) -> None:
    seat = str(hall.asked())
    order = hall.rules.offers(hall.position(), seat)[1].text
    hall.send(seat, f"try {order if by == 'words' else '2'}")
    assert "Played." not in hall.last(seat).text
    hall.send(seat, "ok do that")
    assert "Played." in hall.last(seat).text
    assert order in hall.last(seat).text


@pytest.mark.parametrize("line", ["pass", "ok", "yes", "passe"])
def test_what_may_answer_a_private_word_is_asked_about(hall: Hall, line: str) -> None:
    """A bare «pass» in answer to a mail in which somebody says something to this seat alone."""
    seat = str(hall.asked())
    other = next(one for one in ("anna", "faye", "geoffrey") if one != seat)
    hall.send(other, f"tell {seat}: shall we ally against the others?")
    assert "only to you" in hall.last(seat).text
    hall.send(seat, line)
    assert "Played." not in hall.last(seat).text
    if line.startswith("pass"):
        assert "to you alone" in hall.last(seat).text
        hall.send(seat, "1")
        assert "Played." in hall.last(seat).text
