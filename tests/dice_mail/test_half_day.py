"""One half day by mail: everybody answers at once, sealed, and the last answer opens the next for all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.store.state_file import StoredGame
from tests.dice.games import GAME
from tests.dice_mail.table import EARLY, decision, finish, missing, offered, seat_computer, seated, subject, with_choice
from tests.whole.room import Hall


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    """Three at the first half day."""
    return seated(tmp_path / "host")


def has_options(text: str) -> bool:
    return bool(re.search(r"^\[1\] ", text, re.MULTILINE))


def test_the_receipt_says_that_the_answer_is_kept_and_asks_nothing(hall: Hall) -> None:
    """Nothing to choose stands in it, so that nobody (and no computer) answers again by mistake; nobody else hears."""
    before = len(hall.mails())
    hall.send("anna", "1")
    (got,) = hall.mails()[before:]
    assert "anna" == got.seat
    assert "receipt" == got.kind
    assert "[troyes-dice-1] Morning of day 1 of 8" == subject(hall, "anna")
    assert "\nYour answer is kept.\n" in got.text
    assert "Until everybody has answered another order takes its place" in got.text
    assert not has_options(got.text)
    assert "You: " not in got.text
    assert "such as" not in got.text


def test_the_last_answer_brings_each_player_exactly_one_mail(hall: Hall) -> None:
    """It opens the next half day: the roll, plazas with cost and colour, sheets, numbered options."""
    hall.send("anna", "1")
    hall.send("faye", "2")
    before = len(hall.mails())
    hall.send("geoffrey", "1")
    new = hall.mails()[before:]
    assert ["anna", "faye", "geoffrey"] == [got.seat for got in new]
    assert ["turn", "turn", "receipt"] == [got.kind for got in new]
    for got in new:
        for part in ("Day 1, afternoon: ", "THE DICE", "Plaza 1: ", "YOUR SHEET", "OTHER PLAYERS", "You: Choose a die"):
            assert part in got.text, part
        assert all(f"{'You' if name.lower() == got.seat else name}: «" in got.text for name in ("Anna", "Faye", "Geoffrey"))
        assert has_options(got.text)


def test_the_mail_tells_an_attack_and_what_it_cost(tmp_path: Path) -> None:
    """From the third day on, in each seat's own news."""
    hall = seated(tmp_path / "host", 2)
    while hall.position().day < 3:
        finish(hall)
    for seat in ("anna", "faye"):
        assert re.search("^[*-] The black die attacks", hall.last(seat).text, re.MULTILINE), hall.last(seat).text[:900]


def test_the_same_letter_twice_is_one_answer(hall: Hall) -> None:
    """Product: nothing is applied twice, and no second receipt goes out."""
    raw = hall.write("anna", "1")
    hall.post(raw)
    kept, mails = GAME.dump(hall.position()), len(hall.mails())
    assert "seen" == hall.post(raw).outcome
    assert (kept, mails) == (GAME.dump(hall.position()), len(hall.mails()))


def test_the_same_words_in_another_letter_are_the_same_answer(hall: Hall) -> None:
    order = offered(hall, "anna")[0]
    hall.send("anna", order)
    kept = GAME.dump(hall.position())
    assert "played" == hall.send("anna", order).outcome
    assert kept == GAME.dump(hall.position())
    assert "\nYour answer is kept." in hall.last("anna").text


def test_another_answer_takes_the_place_of_the_first(hall: Hall) -> None:
    first, second = offered(hall, "anna")[:2]
    hall.send("anna", first)
    hall.send("anna", second)
    assert second in hall.last("anna").text
    assert first not in hall.last("anna").text
    hall.send("faye", "1")
    hall.send("geoffrey", "1")
    assert f"Anna: «{second}»" in hall.last("faye").text
    assert f"Anna: «{first}»" not in hall.last("faye").text


def test_a_number_counts_in_the_list_of_the_turn_mail_after_an_answer(hall: Hall) -> None:
    """The receipt has no list; the newest list is still that of the mail before, whichever of both is answered."""
    asked = hall.last("anna")
    texts = offered(hall, "anna")
    hall.send("anna", "1")
    hall.send("anna", "2")
    assert texts[1] in hall.last("anna").text
    hall.send("anna", "3", to=asked)
    assert texts[2] in hall.last("anna").text


def test_a_refused_replacement_leaves_the_answer(hall: Hall) -> None:
    hall.send("anna", "1")
    kept = GAME.dump(hall.position())
    hall.send("anna", "red 9: influence")
    assert kept == GAME.dump(hall.position())
    got = hall.last("anna")
    assert "NOT PLAYED" in hall.last("anna").text
    assert "your turn" not in subject(hall, "anna")
    assert "Nothing was done; your sealed answer stands as it was." in got.text
    listed = re.findall(r"^\[\d+\] ", got.text, re.MULTILINE)
    near = got.text.partition("Nearest to what you wrote:\n")[2].partition("\n\n")[0]
    assert 1 <= len(listed) == len(near.splitlines()) <= 3, "what would do, and no other options"
    assert "Your sealed answer: «" in got.text.partition("ONLY FOR YOU")[2]


def test_two_answers_in_one_letter_are_refused(hall: Hall) -> None:
    """Which of them was meant is not guessed; and the second is never taken for the next half day."""
    first, second = offered(hall, "anna")[:2]
    kept = GAME.dump(hall.position())
    hall.send("anna", f"{first}\n{second}")
    assert kept == GAME.dump(hall.position())
    assert "one letter gives one answer" in hall.last("anna").text
    hall.send("anna", "1")
    hall.send("faye", "1")
    hall.send("geoffrey", f"{first}\n{second}")
    assert "afternoon" == hall.position().half, "what has shown something stands"
    assert ["anna", "faye", "geoffrey"] == missing(hall)
    assert "PLAYED ONLY IN PART" in hall.last("geoffrey").text


def test_a_choice_may_stand_on_a_line_of_its_own(early: Hall) -> None:
    order, choice = with_choice(early, "anna")
    early.send("anna", f"{order}\n{choice}")
    assert decision(early, "anna").answered


def test_a_late_answer_is_refused_with_the_position_now(hall: Hall) -> None:
    """Crossing mails are never guessed at."""
    old = hall.last("anna")
    finish(hall)
    kept = GAME.dump(hall.position())
    still = offered(hall, "anna")[0]
    for text, told in (("2", "here is the position now."), (still, "what you wrote can still be done now.")):
        hall.send("anna", text, to=old)
        got = hall.last("anna")
        assert f"The game has gone on since the mail that you answer; {told}" in got.text
        assert "THE DICE" in got.text
        assert has_options(got.text)
    assert kept == GAME.dump(hall.position())
    order = GAME.read(hall.position(), "anna", still).order
    assert f"[1] {GAME.title_of(hall.position(), 'anna', order, 'en')} · " in got.text


def test_options_and_status_can_still_be_asked_for(hall: Hall) -> None:
    """Who wants to change an answer sees the list by asking for it."""
    hall.send("anna", "1")
    hall.send("anna", "options")
    assert has_options(hall.last("anna").text)
    assert "takes the place of your answer" in hall.last("anna").text
    hall.send("anna", "status")
    assert "YOUR SHEET" in hall.last("anna").text
    assert not has_options(hall.last("anna").text)


@pytest.mark.parametrize(
    ("letter", "played"),
    [
        ("Bonjour,\nvoici mon coup :\n{order}\nMerci", True),
        ("Hi all\nSorry for the delay!\n{order}\nAnna", True),
        ("Hi all\nsorry, I was away\n{order}\nAnna", False),
        ("R9 is what I want\n{order}", False),
        ("{order}\nwell, that was easy", False),
        ("{order}\nor was it the other one?", False),
    ],
)
def test_a_letter_as_people_write_it(hall: Hall, letter: str, played: bool) -> None:
    """Courtesy is passed over, and nothing else."""
    hall.send("anna", letter.format(order=offered(hall, "anna")[0]))
    sealed = "Sealed until everybody has answered" in hall.last("anna").text
    assert played == sealed, hall.last("anna").text[:600]


# A choice that the answer leaves open.


@pytest.fixture
def early(tmp_path: Path) -> Hall:
    """Two at a first half day in which a second citizen already brings a building."""
    return seated(tmp_path / "host", 2, facts=EARLY)


def test_a_missing_choice_is_asked_in_the_private_receipt(early: Hall) -> None:
    """Before the half day closes, so that nobody waits for it afterwards; and the half day waits for it."""
    order, choice = with_choice(early, "anna")
    before = len(early.mails())
    early.send("anna", order)
    assert ["anna"] == [got.seat for got in early.mails()[before:]]
    assert "You: Choose the prestige building that your bonus brings" in early.last("anna").text
    assert "[1] Choose " in early.last("anna").text
    early.send("faye", "1")
    assert ["anna"] == missing(early)
    early.send("anna", choice)
    assert 2 == early.position().number
    assert f"Anna: «{order}; {choice}»" in early.last("faye").text


def test_another_order_while_a_choice_is_open_takes_its_place(early: Hall) -> None:
    order, _ = with_choice(early, "anna")
    plain = next(text for text in GAME.reference.every(early.position(), decision(early, "anna").seat) if "bonus" not in text)
    early.send("anna", order)
    early.send("anna", plain)
    assert decision(early, "anna").answered
    assert plain in early.last("anna").text


def test_a_number_for_the_older_list_is_refused_while_a_choice_is_open(early: Hall) -> None:
    """The turn mail and the receipt ask different things under one key: a number counts in the mail it answers."""
    asked = early.last("anna")
    order, _ = with_choice(early, "anna")
    early.send("anna", order)
    kept = GAME.dump(early.position())
    early.send("anna", "2", to=asked)
    assert kept == GAME.dump(early.position())
    assert "The list of options has changed since your mail was sent." in early.last("anna").text
    early.send("anna", "2")
    assert decision(early, "anna").answered


def test_the_older_list_counts_again_once_the_choice_is_made(early: Hall) -> None:
    asked = early.last("anna")
    texts = offered(early, "anna")
    order, _ = with_choice(early, "anna")
    early.send("anna", order)
    question = early.last("anna")
    early.send("anna", "1")
    assert decision(early, "anna").answered
    kept = GAME.dump(early.position())
    early.send("anna", "2", to=question)
    assert kept == GAME.dump(early.position()), "the list of the choice is open no more"
    early.send("anna", "2", to=asked)
    assert texts[1] in early.last("anna").text


def test_a_wrong_choice_leaves_the_question_open(early: Hall) -> None:
    order, _ = with_choice(early, "anna")
    early.send("anna", order)
    early.send("anna", "bonus city-hall 3")
    assert "NOT PLAYED" in early.last("anna").text
    assert "bonus" == decision(early, "anna").kind
    assert "[1] Choose " in early.last("anna").text


def test_a_choice_can_be_tried_before_it_is_made(early: Hall) -> None:
    """One's own answer is known to oneself: its choice can be tried, and nothing is kept."""
    order, choice = with_choice(early, "anna")
    early.send("anna", order)
    kept = GAME.dump(early.position())
    early.send("anna", f"try {choice}")
    assert "Would be done: «" in early.last("anna").text
    assert "nobody knows" not in early.last("anna").text
    assert kept == GAME.dump(early.position())


# Taking back, and trying.


def test_undo_takes_back_a_sealed_answer(hall: Hall) -> None:
    hall.send("anna", "1")
    before = len(hall.mails())
    assert "played" == hall.send("anna", "undo").outcome
    assert ["anna"] == [got.seat for got in hall.mails()[before:]]
    assert not decision(hall, "anna").answered
    text = hall.last("anna").text
    assert "Your sealed answer is taken back; you have not answered now." in text
    assert has_options(text)
    assert 1 == hall.position().number, "nobody's key is spent by it"


def test_undo_works_whoever_has_answered_since(hall: Hall) -> None:
    """Whether others have answered is secret, so that it cannot forbid an undo; their answers stay."""
    hall.send("anna", "1")
    hall.send("faye", "2")
    faye = GAME.dump(hall.position())[1]["sealed"]["faye"]
    hall.send("anna", "undo")
    assert ["anna", "geoffrey"] == missing(hall)
    assert {"faye": faye} == GAME.dump(hall.position())[1]["sealed"]
    hall.send("faye", "undo")
    assert ["anna", "faye", "geoffrey"] == missing(hall)


def test_undo_and_another_answer_in_one_letter(hall: Hall) -> None:
    second = offered(hall, "anna")[1]
    hall.send("anna", "1")
    hall.send("anna", f"undo\n{second}")
    assert decision(hall, "anna").answered
    assert second in hall.last("anna").text


def test_undo_with_a_bad_line_after_it_is_not_done(hall: Hall) -> None:
    hall.send("anna", "1")
    kept = GAME.dump(hall.position())
    hall.send("anna", "undo\nred 9: influence")
    assert kept == GAME.dump(hall.position())
    assert "NOT PLAYED" in hall.last("anna").text


def test_nothing_can_be_taken_back_twice_or_after_the_half_day(hall: Hall) -> None:
    hall.send("anna", "1")
    hall.send("anna", "undo")
    assert "refused" == hall.send("anna", "undo").outcome
    finish(hall)
    kept = GAME.dump(hall.position())
    assert "refused" == hall.send("anna", "undo").outcome
    assert kept == GAME.dump(hall.position())


def test_no_position_is_kept_to_go_back_to(hall: Hall) -> None:
    """Going back to it would take back what others have sealed since."""
    hall.send("anna", "1")
    hall.send("faye", "1")
    assert () == StoredGame.read(hall.store.open(hall.table)).table.undo


def test_an_answer_tried_tells_what_it_would_do_to_my_sheet(hall: Hall) -> None:
    """Also for the last one: nothing is rolled, and the half day does not close."""
    for seat in ("faye", "geoffrey"):
        hall.send(seat, "1")
    kept, number = GAME.dump(hall.position()), len(hall.mails())
    hall.send("anna", "try 2")
    text = hall.last("anna").text
    assert "NOT PLAYED" in text
    assert f"Would be done: «{offered(hall, 'anna')[1]}»" in text
    assert "Sealed until everybody has answered: " in text
    assert "afternoon" not in text
    assert kept == GAME.dump(hall.position())
    assert number + 1 == len(hall.mails())


def test_after_a_trial_a_number_plays_what_it_has_tried(hall: Hall) -> None:
    """Also one of the orders nearest to a refused one, which stand above the options."""
    hall.send("anna", "white 9: cathedral 3")
    nearest = re.findall(r"^\[(\d+)\] (.*?) · ", hall.last("anna").text.replace("\u00a0", " "), re.MULTILINE)
    hall.send("anna", "try 2")
    tried = GAME.read(hall.position(), "anna", nearest[1][1]).text
    assert f"Would be done: «{tried}»" in hall.last("anna").text
    assert nearest == re.findall(r"^\[(\d+)\] (.*?) · ", hall.last("anna").text.replace("\u00a0", " "), re.MULTILINE)
    hall.send("anna", "2")
    assert f"Kept: «{tried}»" in hall.last("anna").text


def test_a_trial_alone_ends_before_the_roll(tmp_path: Path) -> None:
    hall = seated(tmp_path / "host", 1)
    hall.send("anna", "try 1")
    text = hall.last("anna").text
    assert "Would be done: «" in text or "> try 1" in text
    assert "the trial ends here" in text
    assert "afternoon" not in text


def test_a_position_sent_again_to_who_has_answered_asks_nothing(hall: Hall) -> None:
    """The moderator cannot see who has answered; the mail is the seat's own."""
    hall.send("anna", "1")
    hall.resend(hall.table, "anna")
    assert "Your answer is kept, sealed" in hall.last("anna").text
    assert not has_options(hall.last("anna").text)


def test_alone_nothing_is_sealed(tmp_path: Path) -> None:
    hall = seated(tmp_path / "host", 1)
    assert "sealed" not in hall.last("anna").text
    hall.send("anna", "1")
    assert "sealed" not in hall.last("anna").text.casefold()
    assert "Afternoon of day 1" in subject(hall, "anna")


def test_a_computer_at_the_table_answers_once(tmp_path: Path) -> None:
    """It is asked as the half day opens, and holds nobody up."""
    hall = seated(tmp_path / "host", 2)
    hall.send("anna", "1")
    hall.send("faye", "1")
    seat_computer(hall, hall.table, "faye")
    assert ["anna"] == missing(hall)
    number = hall.position().number
    hall.send("anna", "1")
    assert number + 1 == hall.position().number
    assert ["anna"] == missing(hall)
