"""What a letter is asked back, by numbers of its own, and what becomes of the answer (contract, «How a letter is read»)."""

from __future__ import annotations

import pytest

from engine.catalog import T
from engine.errors import NotAllowed, TooLate, Unclear
from pbem.desk.core.option_lists import OptionList
from pbem.desk.orders import suggestions
from pbem.desk.orders.session import Session
from pbem.outbound.mail import Choice, MailKind
from pbem.reading.line_parser import parse_line
from tests.desk.one_letter import ANNA, heard, position, request
from tests.desk.room import Room
from tests.fakegame import GAME


def test_one_number_plays_what_was_asked_back(room: Room) -> None:
    """The answer numbers a complete order; `1` plays the orders above and passes the line over."""
    sent = room.sent_by("anna", "spend 1\nadd 2\nunless Bob minds")
    assert [(got.seat, got.kind) for got in sent] == [("anna", "refusal")]
    assert "[1] spend 1 · then «add 2»" in sent[0].text
    assert room.state().counter == 0
    room.send("anna", "1")
    assert (room.state().counter, room.state().points["anna"]) == (2, 2)


def test_number_asked_back_goes_on_to_count_in_its_list(room: Room) -> None:
    """The number sent alone is the order that the first mail offered by it."""
    sent = room.sent_by("anna", "I would not take\n2")
    assert "[2] add 2" in sent[0].text
    room.send("anna", "2")
    assert room.state().counter == 2


def test_number_counts_in_the_mail_it_answers(room: Room) -> None:
    """Two mails of one decision are open: the game's options, and one with a choice of its own."""
    turn = room.last("anna")
    asked = room.sent_by("anna", "pass\nunless Bob minds")[0]
    assert "[1] pass · and nothing else" in asked.text
    room.send("anna", "1", to=turn)
    assert room.state().counter == 3


def test_number_beyond_the_choices_of_the_mail_is_refused(room: Room) -> None:
    room.send("anna", "pass\nunless Bob minds")
    assert room.send("anna", "3").outcome == "refused"
    assert "the list has 2" in room.last("anna").text
    assert (room.state().turn, room.state().counter) == ("anna", 0)


def test_number_without_a_mail_that_it_answers_is_asked_back_where_lists_differ(room: Room) -> None:
    """A program that drops In-Reply-To leaves only the key, which all mails of a decision share."""
    alone = {"In-Reply-To": ""}
    room.send("anna", "pass\nunless Bob minds")
    sent = room.sent_by("anna", "1", fields=alone)
    assert room.state().counter == 0
    assert "does not tell which of my mails" in sent[0].text
    assert ("[1] add 3" in sent[0].text, "[2] pass" in sent[0].text) == (True, True)
    room.send("anna", "2")
    assert (room.state().turn, room.state().counter) == ("bob", 0)


def test_number_without_a_mail_that_it_answers_counts_where_lists_agree(room: Room) -> None:
    room.send("anna", "add 3\nunless Bob minds")
    room.send("anna", "1", fields={"In-Reply-To": ""})
    assert room.state().counter == 3


def test_words_count_beside_a_number_and_must_agree(room: Room) -> None:
    """`[3] add 2`: the third option is `add 1`."""
    sent = room.sent_by("anna", "[3] add 2")
    assert room.state().counter == 0
    assert ("[1] add 2" in sent[0].text, "[2] add 1" in sent[0].text) == (True, True)
    room.send("anna", "1")
    assert room.state().counter == 2


def test_undo_at_the_end_of_a_sentence_takes_nothing_back(room: Room) -> None:
    room.send("anna", "add 2")
    sent = room.sent_by("anna", "nothing to do with it, wait for me, I shall never\nundo")
    assert room.state().counter == 2
    assert "[1] undo · and nothing else" in sent[0].text
    room.send("anna", "1")
    assert (room.state().turn, room.state().counter) == ("anna", 0)


def test_choices_survive_a_lost_spool(room: Room) -> None:
    """The record keeps them with the mail."""
    asked = room.sent_by("anna", "pass\nunless Bob minds")[0]
    room.lose_spool()
    room.desk.rebuild("tally-1")
    assert asked.raw in [got.raw for got in room.mails("anna")]


@pytest.mark.parametrize(
    "line",
    [
        "I'd be glad of 3 as always", "My darling is number 3", "three it shall be",
        "the 3rd looks lovely", "je crois que c'est le 3 aujourd'hui", "mon favori : le troisième, quelle belle journée",
    ],
)  # fmt: skip
def test_only_number_of_a_letter_is_asked_back_whatever_stands_beside_it(line: str) -> None:
    """As long as no word is the game's and none doubts: `1` plays it."""
    result = heard(f"Hello everybody,\n\n{line}\n\nAnna")
    assert (result.entries, result.answer.kind, result.answer.brief) == ((), MailKind.REFUSAL, True)
    assert result.answer.choices[0].text == GAME.offers(position(), ANNA)[2].text


@pytest.mark.parametrize(
    "line",
    ["I'd go for 3, but not today", "is 3 lovely?", "see you at 20", "is 3 enough, though?"],
)
def test_number_in_doubt_is_not_proposed(line: str) -> None:
    result = heard(f"Hello everybody,\n\n{line}\n\nAnna")
    assert (result.entries, result.answer.choices) == ((), ())


@pytest.mark.parametrize(
    ("written", "which"),
    [
        ("1 or 2", (1, 2)), ("le 2 ou le 3", (2, 3)), ("option 2 is best", (2,)), ("2\n3", (2, 3)), ("3 or 2 of us", (3, 2)),
        ("do 2", (2,)), ("take five", (5,)), ("it's 3", (3,)),
    ],
)  # fmt: skip
def test_numbers_of_which_one_may_be_meant_are_asked_about(written: str, which: tuple[int, ...]) -> None:
    result, offers = heard(written), GAME.offers(position(), ANNA)
    assert (result.entries, result.answer.kind) == ((), MailKind.REFUSAL)
    assert [choice.text for choice in result.answer.choices] == [offers[number - 1].text for number in which]


def test_number_among_words_is_not_proposed_to_whom_is_not_asked(room: Room) -> None:
    sent = room.sent_by("bob", "My pick is number 1")
    assert "among words" not in sent[0].text


def test_stale_lists_that_a_letter_may_answer_are_late() -> None:
    """None of the lists that were mailed is open any more."""
    asked = request((), ())
    vars(asked)["listed"] = (OptionList("one"), OptionList("other"))
    session = Session(asked, position())
    with pytest.raises(TooLate):
        session.meant(parse_line("1"))


def test_talk_in_a_choice_stands_on_its_line(room: Room) -> None:
    """What people write is shown without signs that turn lines round."""
    sent = room.sent_by("anna", "say ab\u202ec\u200b d\nadd 2\nunless Bob minds")
    assert "[1] say abc d · then «add 2»" in sent[0].text
    room.send("anna", "1")
    assert room.state().counter == 2
    assert "abc d" in room.last("bob").text


def test_all_meanings_of_a_line_are_numbered() -> None:
    """Up to nine; a refusal's repairs are three at most."""
    asked, orders = Session(request((), ()), position()), tuple(f"add {n}" for n in range(1, 12))
    assert suggestions.suggest_orders(asked, "add", Unclear(T("Which?"), orders=orders)) == orders[:9]
    assert len(suggestions.suggest_orders(asked, "add", NotAllowed(T("No."), orders=orders))) == 3


def test_number_of_a_list_that_counts_nothing_must_agree() -> None:
    """`2. add 1` as the only line of its kind: the second option is `add 2`."""
    result = heard("2. add 1")
    assert (result.effects.played, result.answer.choices) == ((), (Choice("add 1"), Choice("add 2")))


SIGNATURE = "Anna Marigold\nFooMail Ltd, High Street\n+33 1 23 45 67 89"


def test_a_signature_is_known_once_it_was_passed_over(room: Room) -> None:
    """By one number; the whole block, as it stands."""
    sent = room.sent_by("anna", f"spend 1\n\n{SIGNATURE}")
    assert "«1» plays" in sent[0].text
    assert room.state().points["anna"] == 3
    room.send("anna", "1")
    assert room.state().points["anna"] == 2
    sent = room.sent_by("anna", f"add 2\n\n{SIGNATURE}")
    assert room.state().counter == 2
    assert "Not read" not in sent[0].text
    room.send("bob", "pass")
    assert room.send("anna", f"pass\n\n{SIGNATURE}\nunless Bob minds").outcome == "refused"


@pytest.mark.parametrize("below", ["Written in a train\nFooMail 7", "Anna says no", "scrap that\nAnna", "Scrap that.\nAnna", "Anna\nor rather not"])
def test_a_sentence_is_never_a_signature(room: Room, below: str) -> None:
    """Nor is what names nobody: what was passed over once may be meant the next time."""
    room.send("anna", f"spend 1\n\n{below}")
    room.send("anna", "1")
    assert room.state().points["anna"] == 2
    assert room.send("anna", f"add 2\n\n{below}").outcome == "refused"


def test_line_that_was_asked_back_is_no_signature_before_it_was_passed_over(room: Room) -> None:
    """The same letter again is refused again."""
    for _ in range(2):
        assert room.send("anna", f"pass\n{SIGNATURE}").outcome == "refused"


def test_doubt_is_never_a_signature(room: Room) -> None:
    """What was passed over once may be meant the next time."""
    room.send("anna", "spend 1\nunless Bob minds")
    room.send("anna", "1")
    assert room.send("anna", "add 2\nunless Bob minds").outcome == "refused"
    assert room.state().counter == 0
