"""Never silent to a person, and no loop for ever (contract, «Never silent to a person»)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from pbem.desk.limits import rate_limits
from tests.desk.room import OWN, Got, Room

KEYLESS = {"To": OWN, "In-Reply-To": ""}


def slowly(room: Room, seat: str, texts: list[str], **more: Any) -> list[list[Got]]:
    """The mails that each letter leads to, ten minutes apart."""
    found = []
    for text in texts:
        room.time += timedelta(minutes=10)
        before = len(room.mails(seat))
        room.send(seat, text, **more)
        found.append(room.mails(seat)[before:])
    return found


def test_sixty_letters_of_one_day_are_all_answered(room: Room) -> None:
    """Questions, slips, tries, orders, each another: none is met by silence."""
    texts = []
    for n in range(15):
        texts += [f"history {n + 1}", f"add {n + 10}", f"try spend 1\ntry add {n % 3 + 1}", f"card c{n}"]
    answers = slowly(room, "anna", texts)
    assert [1] * 60 == [len(mails) for mails in answers]
    assert [] == [row for row in room.spool.rows() if row.kind == "notice"]


def test_questions_beyond_the_measure_get_one_line(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "QUESTIONS", 4)
    answers = slowly(room, "anna", [f"history {n + 1}" for n in range(6)])
    assert ["answer"] * 6 == [got.kind for (got,) in answers]
    assert "THE LAST" in answers[3][0].text.upper() or "HISTORY" in answers[3][0].text.upper()
    assert "4 questions of yours were answered in full today" in answers[4][0].text
    assert len(answers[5][0].raw) < len(answers[3][0].raw)
    (refusal,) = slowly(room, "anna", ["add 9"])[0]
    (trial,) = slowly(room, "anna", ["try add 1"])[0]
    assert ("refusal", "trial") == (refusal.kind, trial.kind)
    assert "questions of yours" not in refusal.text + trial.text
    assert "played" == room.send("anna", "add 1").outcome


def test_the_contracts_measures() -> None:
    numbers = (rate_limits.QUESTIONS, rate_limits.TALK, rate_limits.SAME, rate_limits.FAST, rate_limits.MANY, rate_limits.UNPROVEN)
    assert (40, 60, 3, 12, 100, 3) == numbers
    assert (timedelta(hours=1), timedelta(minutes=10)) == (rate_limits.SAME_WITHIN, rate_limits.TOGETHER)


def test_a_new_day_begins_anew(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "QUESTIONS", 1)
    slowly(room, "anna", ["history 1", "history 2"])
    room.time = room.time.replace(hour=0) + timedelta(days=1)
    ((answer,),) = slowly(room, "anna", ["history 3"])
    assert "questions of yours" not in answer.text


def test_talk_beyond_the_measure_is_not_passed_on_and_the_writer_is_told(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "TALK", 3)
    slowly(room, "anna", ["say one\ntell bob: two", "say three"])
    before = len(room.mails("bob"))
    ((answer,),) = slowly(room, "anna", ["say four"])
    assert "Not passed on: 3 messages" in answer.text
    assert before == len(room.mails("bob"))
    assert "says" not in room.record().also
    assert "played" == room.send("anna", "say five\nadd 1").outcome
    assert "five" not in room.last("bob").text
    assert "Not passed on" in room.last("anna").text
    assert 1 == room.state().counter


@pytest.mark.parametrize("text", ["add 9", "status", "nonsense", ""])
def test_the_same_text_ends_in_silence_after_it_was_said(room: Room, text: str) -> None:
    outcomes = [room.send("anna", text).outcome for _ in range(3)]
    assert "gets no answer" in room.last("anna").text
    assert "silent" not in outcomes
    assert ["silent"] * 3 == [room.send("anna", text).outcome for _ in range(3)]
    notices = [got for got in room.mails() if got.kind == "notice"]
    assert 1 == len(notices)
    assert "mod@host.test" in str(notices[0].message["To"])
    assert text not in notices[0].text or not text
    assert "played nothing" in notices[0].text
    assert "silent" != room.send("anna", "add 8").outcome
    room.time += timedelta(hours=1)
    assert "silent" != room.send("anna", text).outcome


def test_the_moderator_is_told_once_a_day_of_letters_that_are_the_same(room: Room) -> None:
    """A program that sends a few texts in turn does not make the moderator's mailbox ring for each of them."""

    def told() -> int:
        return sum(got.kind == "notice" for got in room.mails())

    for text in ("status", "add 9", "nonsense"):
        assert "silent" == [room.send("anna", text).outcome for _ in range(4)][-1]
    assert 1 == told()
    room.time += timedelta(days=1)
    assert "silent" == [room.send("anna", "status").outcome for _ in range(4)][-1]
    assert 2 == told()


def test_different_letters_refused_for_one_reason_are_no_loop(room: Room) -> None:
    """A beginner who tries words: each is answered."""
    words = ["hold", "ponder", "juggle weekly", "pause", "wait", "hello?"]
    assert ["refused"] * 6 == [room.send("bob", word).outcome for word in words]
    assert [] == [got for got in room.mails() if got.kind == "notice"]


def test_the_same_text_is_answered_when_its_answer_has_changed(room: Room) -> None:
    """`status` after somebody has played is another question."""
    first = room.last("bob")
    assert ["answered"] * 3 == [room.send("bob", "status", to=first).outcome for _ in range(3)]
    assert "played" == room.send("anna", "add 1").outcome
    assert ["answered"] * 3 == [room.send("bob", "status", to=first).outcome for _ in range(3)]
    assert "silent" == room.send("bob", "status", to=first).outcome


def test_what_changes_something_is_never_counted(room: Room) -> None:
    """The same text with the same key, over and over: each is played or passed on."""
    first = room.last("anna")
    for _ in range(5):
        assert "played" == room.send("anna", "spend 1").outcome
        assert "played" == room.send("anna", "undo", to=first).outcome
        assert "played" == room.send("anna", "say x", to=first).outcome


def quickly(room: Room, seat: str, texts: list[str]) -> list[list[Got]]:
    """The mails that each letter leads to, fifteen seconds apart."""
    found = []
    for text in texts:
        room.time -= timedelta(seconds=45)
        before = len(room.mails(seat))
        room.send(seat, text)
        found.append(room.mails(seat)[before:])
    return found


def test_refused_letters_that_come_fast_are_answered_together_and_the_last_before_says_until_when(room: Room) -> None:
    """More than twelve in ten minutes: one mail for the rest when it was said; none is dropped, no order waits."""
    answers = quickly(room, "anna", [f"add {n + 10}" for n in range(12)])
    assert [1] * 12 == [len(mails) for mails in answers]
    ends = room.time + timedelta(minutes=10)
    assert ["is answered then, together with others" in mail.text for (mail,) in answers] == [False] * 11 + [True]
    assert f"Saturday 21 November, {ends:%H:%M}" in " ".join(answers[-1][0].text.split())
    assert [0] * 8 == [len(mails) for mails in quickly(room, "anna", [f"add {n + 30}" for n in range(8)])]
    assert 0 == room.desk.answer_waiting()
    # What is no refusal is answered at once meanwhile.
    assert [1] * 5 == [len(mails) for mails in quickly(room, "anna", ["help", "status", "card x", "try add 1", "add 1"])]
    room.time = ends
    before = len(room.mails("anna"))
    assert 1 == room.desk.answer_waiting()
    (answer,) = room.mails("anna")[before:]
    assert "8 letters of yours are answered here together" in answer.text
    assert [n for n in range(30, 38) if f"add {n}" in answer.text] == list(range(30, 38))
    assert 0 == room.desk.answer_waiting()
    assert "played" == room.send("bob", "add 1").outcome


def test_questions_and_tries_that_come_fast_are_each_answered_at_once(room: Room) -> None:
    """A learner asks cards, and tries what they do."""
    texts = [f"help\ncard c{n}" if n % 2 else f"try add {n % 3 + 1}\ntry spend {n}" for n in range(30)]
    assert [1] * 30 == [len(mails) for mails in quickly(room, "anna", texts)]
    assert "answered then" not in room.last("anna").text


def test_refused_letters_that_go_on_are_answered_every_ten_minutes(room: Room) -> None:
    """Each pause is told before it begins."""
    room.time -= timedelta(minutes=1)
    seen, end, pauses = len(room.mails("anna")), room.time + timedelta(minutes=40), 0
    for n in range(10**6):
        room.time -= timedelta(seconds=40)
        if room.time >= end:
            break
        room.send("anna", f"add {n + 10}")
        room.desk.answer_waiting()
        new, seen = room.mails("anna")[seen:], len(room.mails("anna"))
        pauses += sum("is answered then, together" in got.text for got in new)
    assert pauses in (3, 4)
    assert 12 + 5 < len(room.mails("anna")) < 12 + 12


def test_at_ones_own_table_nothing_is_measured(room: Room) -> None:
    """`pbem play`: every letter is answered at once and in full, the same text too, and all talk is passed on."""
    room.desk.services = replace(room.desk.services, measures=False)
    texts = [*[f"add {n + 10}" for n in range(120)], *["status"] * 50, *[f"say {n}" for n in range(70)]]
    assert [1] * len(texts) == [len(mails) for mails in quickly(room, "anna", texts)]
    assert 70 == sum("says" in got.text for got in room.mails("bob"))


def test_a_program_that_answers_every_mail_is_answered_once_an_hour(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It calls itself none, and writes something else each time; the moderator is told once."""
    monkeypatch.setattr(rate_limits, "MANY", 20)
    seen, end = len(room.mails("anna")) - 1, room.time + timedelta(hours=8)
    while room.time < end:
        new, seen = room.mails("anna")[seen:], len(room.mails("anna"))
        for got in new:
            room.send("anna", f"We have read your letter {room.count}0, and write again soon.", to=got)
        room.time += timedelta(minutes=4)
        room.desk.answer_waiting()
    assert rate_limits.MANY + 5 < room.count < rate_limits.MANY + 9
    assert "answered here" in room.last("anna").text
    (told,) = [got.text.replace("\n", " ") for got in room.mails("") if got.kind == "notice"]
    assert "a program may be answering our mails there" in told


@pytest.mark.parametrize("lost", [False, True])
def test_answers_that_wait_survive_a_kill_and_a_lost_spool(room: Room, lost: bool) -> None:
    for n in range(15):
        room.time -= timedelta(seconds=50)
        room.send("anna", f"add {n + 10}")
    room.spool.close()
    if lost:
        for path in (room.folder / "mail").glob("spool.sqlite*"):
            path.unlink()
    room.restart()
    if lost:
        room.desk.rebuild("tally-1")
    room.time += timedelta(minutes=10)
    before = len(room.mails("anna"))
    assert 1 == room.desk.answer_waiting()
    assert "3 letters of yours" in room.mails("anna")[before].text


def test_a_kill_after_the_commit_sends_waiting_answers_once(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(14):
        room.time -= timedelta(seconds=50)
        room.send("anna", f"add {n + 10}")
    room.time += timedelta(minutes=10)
    before = len(room.mails("anna"))

    class Killed(BaseException):
        pass

    def killed(*args: Any) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(type(room.spool), "committed", killed)
        with pytest.raises(Killed):
            room.desk.answer_waiting()
    room.spool.close()
    room.restart()
    assert 0 == room.desk.answer_waiting()
    assert 1 == len(room.mails("anna")[before:])
    assert {"ready"} == {row.state for row in room.spool.rows()}


def test_forged_letters_without_a_key_touch_nothing_of_the_players(room: Room) -> None:
    """30 of two kinds: 3 answers, of which the third says so; then everything of Anna's own is answered in full."""
    mine = room.last("anna")
    forged = mine.reply_to.replace(mine.reply_to.split(".")[2][:16], "a" * 16)
    before = len(room.mails("anna"))
    for n in range(15):
        room.send("anna", f"add {n}", fields=KEYLESS)
        room.send("anna", f"add {n}", fields={"To": forged, "In-Reply-To": ""})
    answers = room.mails("anna")[before:]
    assert 3 == len(answers)
    assert ["last one today" in got.text for got in answers] == [False, False, True]
    for text in ("options", "add 9", "try add 1", "say can anybody hear me"):
        (answer,) = [got for got in room.sent_by("anna", text, to=mine) if got.seat == "anna"]
        assert "today" not in answer.text
    assert "can anybody hear me" in room.last("bob").text


def test_a_mute_player_is_not_made_by_any_number_of_letters(room: Room) -> None:
    """After a day full of questions a wrong order still gets its answer."""
    slowly(room, "anna", [f"history {n + 1}" for n in range(45)])
    ((answer,),) = slowly(room, "anna", ["activate priest with W6"])
    assert "activate priest" in answer.text


def test_an_old_key_uses_up_nothing_of_whoever_has_the_newest(room: Room) -> None:
    """It may have leaked with a forwarded mail: refusals, questions and talk that come with it are counted apart."""
    leaked = room.last("anna")
    room.send("anna", "add 1")
    room.send("bob", "add 1")
    mine = room.last("anna")
    assert leaked.reply_to != mine.reply_to
    for n in range(45):
        room.time -= timedelta(seconds=45)
        room.send("anna", f"add {n + 10}", to=leaked)
        room.send("anna", f"history {n + 1}", to=leaked)
        room.send("anna", "\n".join(f"say {n} {k}" for k in range(2)), to=leaked)
    for text, kind in ((f"add {99}", "refusal"), ("history 60", "answer"), ("say it is I", "receipt")):
        before = len(room.mails("anna"))
        room.send("anna", text, to=mine)
        (answer,) = room.mails("anna")[before:]
        assert kind == answer.kind
        assert "today" not in answer.text and "together" not in answer.text
