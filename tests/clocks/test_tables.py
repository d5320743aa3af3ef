"""Tables that keep time, letter by letter on a simulated clock: reminders, defaults, what all are told."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from engine.errors import NotAllowed, TooLate
from engine.game import Seat
from pbem.admin.actions import lifecycle, rollback, seat_holders, time_limits
from pbem.admin.persons import Person
from pbem.desk.core.undo import replay_records
from pbem.export.game_source import read_source
from pbem.export.game_statistics import GameStatistics, add_game
from pbem.store.commit_record import read_records
from tests.clocks.table import HOUR, Clocked
from tests.desk.room import OWN
from tests.fakegame import GAME
from tests.repair.bench import MODERATOR
from tests.repair.terminal import at


def test_a_silent_seat_is_reminded_and_then_played_for(room: Clocked) -> None:
    """Half time, twelve and two hours before the end; the default at the end of grace, twelve hours after it."""
    begun = room.time
    sent = room.wait(100, until=lambda: room.state().turn == "bob")
    assert [("anna", "reminder")] * 3 + [("anna", "news"), ("bob", "turn")] == room.kinds(sent)
    assert begun + 60 * HOUR <= room.time < begun + 61 * HOUR
    for got in sent[:3]:
        text = got.text.replace("\n", " ")
        assert "This is a reminder: an answer of yours is still awaited." in text
        assert "Would be done: «pass»" in text
        assert "This is played for you if no answer of yours has come by Thursday 26 November, 21:00 (UTC)." in text
        assert "Please answer by Thursday 26 November, 09:00 (UTC)." in text
        assert "[1] " in text
    told = "«pass» was played for you, since you had not answered in time.", "«pass» was played for Anna, who did not answer in time."
    assert [words in got.text.replace("\n", " ") for words, got in zip(told, sent[3:], strict=True)] == [True, True]
    assert room.subjects()[0] == "«pass» was played for Anna, who did not answer in time."


def test_what_the_clock_has_played_is_the_moderators_to_take_back(room: Clocked) -> None:
    """«somebody else has acted» would be untrue of the clock: whoever came too late is told whom to ask."""
    room.wait(100, until=lambda: room.state().turn == "bob")
    text = room.says("anna", "undo")
    assert "What was played for you since you had not answered in time, you cannot take back yourself." in text
    assert "Possible: Ask the moderator, who can take it back while nobody has acted since." in text
    room.says("bob", "add 1")
    assert "somebody else has acted since your last orders" in room.says("anna", "undo")


def test_what_is_folded_is_what_is_stored(room: Clocked) -> None:
    """A default is recorded as an order given by the clock: facts, not inputs."""
    room.wait(24 * 30, until=lambda: room.stored().table.status == "ended")
    assert "ended" == room.stored().table.status
    found = list(read_records(room.store.open("tally-1")))
    # The record of a sealed answer names nobody.
    assert {"anna", "bob", ""} == {record.seat for record in found if record.what == "default"}
    assert GAME.dump(room.state()) == GAME.dump(replay_records(GAME, found))


def test_an_answer_ends_it(room: Clocked) -> None:
    """Whoever has answered is not reminded; the next one's clock starts with their own mail."""
    room.wait(30)
    room.says("anna", "add 1")
    bobs = room.time
    sent = room.wait(100, until=lambda: room.state().phase == "bid")
    assert {"bob"} == {got.seat for got in sent if got.kind == "reminder"}
    assert bobs + 60 * HOUR <= room.time


def test_a_table_without_a_pace_is_as_it_was(tmp_path: Path) -> None:
    """`none` is what running games keep: nothing is ever due, and no mail names a time."""
    room = Clocked(tmp_path)
    room.seated(pace="none")
    assert [] == room.wait(24 * 365)
    assert not any("Please answer by" in got.text for got in room.mails())
    state = room.store.open("tally-1").read("state.toml").decode()
    assert "pace" not in state
    assert "clock" not in state


def test_the_clock_starts_when_the_server_has_taken_the_mail(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    room.mails_go = False
    room.seated()
    assert [] == room.wait(24 * 7)
    room.mails_go = True
    room.well = room.time
    taken = room.time
    room.wait(100, until=lambda: room.state().turn == "bob")
    assert taken + 60 * HOUR <= room.time


def test_no_default_before_a_reminder_with_it_was_delivered(room: Clocked) -> None:
    """Reminders that the server does not take are none: nothing is played, however late it is."""
    room.wait(20)
    room.mails_go = False
    room.wait(24 * 7)
    assert "anna" == room.state().turn
    room.mails_go = True
    back = room.time
    room.wait(100, until=lambda: room.state().turn == "bob")
    assert room.time >= back + 12 * HOUR


def test_one_sealed_reminder_tells_nothing_of_the_others(tmp_path: Path) -> None:
    """A deadline for each seat that has not answered, in a simultaneous decision, too."""
    room = Clocked(tmp_path)
    room.seated(3)
    for seat in ("anna", "bob", "cleo"):
        room.says(seat, "pass")
    room.says("bob", "bid 1")
    sent = room.wait(100, until=lambda: room.state().round == 2)
    assert {"anna", "cleo"} == {got.seat for got in sent if got.kind == "reminder"}
    for got in sent:
        if got.kind == "reminder":
            text = got.text.replace("\n", " ")
            assert "1 of 3 has answered, since Tuesday 24 November." in text
            assert "«bid 0»" in text
    told = [got.text.replace("\n", " ") for got in sent if got.kind == "turn"]
    assert told
    assert all("was sealed for somebody who did not answer in time" in text for text in told)


@pytest.mark.parametrize(("late", "what"), [("wait", "anna"), ("computer", "bob")])
def test_what_is_done_for_who_is_late_is_the_tables(tmp_path: Path, late: str, what: str) -> None:
    room = Clocked(tmp_path)
    room.seated(late=late)
    sent = room.wait(72)
    assert what == room.state().turn
    told = [got for got in sent if got.seat == "gm"]
    if late == "wait":
        assert 1 == len(told)
        assert "Anna has not answered in time" in told[0].text.replace("\n", " ")
        assert "the moderator is told" in sent[0].text.replace("\n", " ")
        assert [] == [got for got in room.wait(24 * 9) if got.seat == "gm"]
    else:
        assert not told
        assert "was played for Anna" in room.last("bob").text.replace("\n", " ")


def _others(room: Clocked) -> None:
    """Bob answers whatever he is asked."""
    if any(one.seat == "bob" for one in GAME.waiting(room.state())):
        room.says("bob", "bid 0" if room.state().phase == "bid" else "pass")


def test_three_defaults_in_a_row_are_told_to_the_moderator(room: Clocked) -> None:
    """The seat is to be offered to somebody else; a letter of its holder begins the count anew."""
    for turned in (1, 2, 3):
        room.wait(24 * 20, until=lambda want=turned: room.defaults("anna") == want)
        told = [got.text.replace("\n", " ") for got in room.mails("gm")]
        assert (turned == 3) == any("Anna has not answered 3 times in a row" in text for text in told)
        _others(room)
    assert "gm replace anna" in told[-1]
    room.says("anna", "pass" if room.state().phase == "turn" else "bid 0")
    assert not room.defaults("anna")


def test_who_takes_a_seat_over_is_counted_anew(room: Clocked) -> None:
    """Neither the answers of the clock nor the reminders of the person before count for them."""
    room.wait(24 * 20, until=lambda: room.defaults("anna") == 1)
    _others(room)
    room.wait(40)
    zoe = Person("Zoe", ("zoe@people.test",))
    room.desk.change("tally-1", "replace", seat_holders.replace_holder(room.desk.services, "anna", zoe, "Anna has left"))
    room.deliver()
    begun = room.time
    assert 0 == room.defaults("anna")
    assert "anna" not in room.stored().secrets.reminded
    room.wait(24 * 20, until=lambda: room.defaults("anna") == 1)
    assert room.time >= begun + 60 * HOUR


def test_a_held_game_says_so_once_a_week(room: Clocked) -> None:
    room.desk.change("tally-1", "hold", lifecycle.hold("we are on holiday"))
    sent = room.wait(24 * 15)
    assert [("anna", "news"), ("bob", "news")] * 2 == room.kinds(sent)
    assert "The game is still held" in sent[0].text.replace("\n", " ")
    assert "clock" not in room.row("anna")
    room.desk.change("tally-1", "resume", lifecycle.resume("back"))
    room.deliver()
    begun = room.time
    room.wait(100, until=lambda: room.state().turn == "bob")
    assert room.time >= begun + 60 * HOUR


def test_the_moderator_gives_more_time(room: Clocked) -> None:
    """`deadline`: reminders and grace move with it."""
    begun = room.time
    room.desk.change("tally-1", "deadline", time_limits.deadline(room.desk.services, "anna", "+2d"))
    assert "Anna has 48 hours more to answer" in room.last("anna").text
    room.wait(200, until=lambda: room.state().turn == "bob")
    assert room.time >= begun + (60 + 48) * HOUR
    with pytest.raises(NotAllowed):
        room.desk.change("tally-1", "deadline", time_limits.deadline(room.desk.services, "anna", "+2d"))


def test_more_time_counts_from_the_end_as_it_is_told(tmp_path: Path) -> None:
    """Asked on Thursday for 48 hours, at a table that ends nothing on a weekend: due on Monday, and not on Saturday."""
    room = Clocked(tmp_path)
    room.time = datetime(2026, 11, 26, 9, 0, tzinfo=UTC)
    room.seated(pace="medium mon-fri 20:00")
    assert "Please answer by Monday 30 November, 20:00 (UTC)." in room.last("anna").text.replace("\n", " ")
    for more, end in (("+2d", "Wednesday 2 December, 20:00 (UTC)"), ("+1d", "Thursday 3 December, 20:00 (UTC)")):
        room.desk.change("tally-1", "deadline", time_limits.deadline(room.desk.services, "anna", more))
        room.deliver()
        assert f"hours more to answer: until {end}." in room.last("anna").text.replace("\n", " ")
        assert f"Please answer by {end}." in room.last("anna").text.replace("\n", " ")


def test_the_moderator_grants_more_absence_and_ends_it(room: Clocked) -> None:
    def away(days: str) -> None:
        room.desk.change("tally-1", "away", time_limits.away(room.desk.services, "anna", days))

    away("24 dec to 31 jan")
    assert 1 == len(room.row("anna")["away"])
    with pytest.raises(NotAllowed) as refusal:
        away("26 dec")
    assert "Anna is away then already." == str(refusal.value.reason)
    away("off")
    assert "away" not in room.row("anna")
    assert "Anna is here again." in room.last("anna").text
    with pytest.raises(TooLate) as late:
        away("off")
    assert "Anna is not away, nor will be." == str(late.value.reason)


def test_another_pace_begins_for_everybody_at_once(tmp_path: Path) -> None:
    """A game without a pace gets one; who is asked is mailed again and has the whole time."""
    room = Clocked(tmp_path)
    room.seated(pace="none")
    room.wait(24 * 30)
    room.desk.change("tally-1", "pace", time_limits.set_pace("brisk", "we want to go on"))
    room.deliver()
    begun = room.time
    assert "Please answer by Friday 25 December, 09:00 (UTC)." in room.last("anna").text.replace("\n", " ")
    room.wait(100, until=lambda: room.state().turn == "bob")
    assert begun + 36 * HOUR <= room.time


def test_a_default_is_taken_back(room: Clocked) -> None:
    """`undo default` takes one back, as long as nobody has acted; the seat is asked again, with the whole time."""
    with pytest.raises(NotAllowed):
        room.desk.change("tally-1", "undo", rollback.undo("x", default=True))
    room.wait(100, until=lambda: room.state().turn == "bob")
    room.desk.change("tally-1", "undo", rollback.undo("her letter was lost", default=True))
    room.deliver()
    assert "anna" == room.state().turn
    assert not room.defaults("anna")
    assert "What the clock has played for Anna is taken back" in room.last("bob").text.replace("\n", " ")
    begun = room.time
    room.wait(100, until=lambda: room.state().turn == "bob")
    assert room.time >= begun + 60 * HOUR
    room.says("bob", "add 1")
    with pytest.raises(NotAllowed):
        room.desk.change("tally-1", "undo", rollback.undo("x", default=True))


def test_all_together_hold_a_game_and_let_it_go_on(room: Clocked) -> None:
    assert "1 of 2" in room.says("anna", "vote hold")
    assert "Anna asks for the game to be held (1 of 2); «vote hold» agrees." in room.last("bob").text.replace("\n", " ")
    assert "running" == room.stored().table.status
    room.says("bob", "vote hold")
    assert "held" == room.stored().table.status
    assert "everybody has asked for it" in room.says("anna", "add 1")
    room.says("anna", "vote resume")
    assert "held" == room.stored().table.status
    room.says("bob", "vote resume")
    assert "running" == room.stored().table.status
    assert "turn" == room.last("anna").kind
    assert "clock" in room.row("anna")


def test_nobody_votes_against_the_moderator(room: Clocked) -> None:
    room.desk.change("tally-1", "hold", lifecycle.hold("I am ill"))
    assert "Only the moderator" in room.says("anna", "vote resume")


def test_a_vacation_note_is_no_absence(room: Clocked) -> None:
    before = room.stored().table.seat("anna").away
    room.send("anna", "Away until Monday.", fields={"Subject": "Away: Re: your turn"})
    assert before == room.stored().table.seat("anna").away == ()
    assert "I took this for an automatic note" in room.last("anna").text


@pytest.mark.parametrize("kind", ["troyes", "troyes-dice"])
def test_a_game_that_nobody_plays_goes_on_by_the_clock(tmp_path: Path, kind: str) -> None:
    """Both games: what the reminder shows is what is played, and the record folds to the state."""
    room = Clocked(tmp_path)
    name = room.seated(3, "brisk", kind)
    sent = room.wait(24 * 4)
    game, stored = room.rules, room.stored(name)
    found = list(read_records(room.store.open(name)))
    played = [record for record in found if record.what == "default"]
    assert played
    shown = {got.text.partition("Would be done: «")[2].partition("»")[0] for got in sent if got.kind == "reminder"}
    assert all(order in shown for record in played for order in record.private["orders"])
    assert game.dump(replay_records(game, found)) == (stored.game, stored.hidden)


def test_what_was_set_goes_with_what_is_refused_after_something_was_shown(room: Clocked) -> None:
    """The roll stands, because it was seen; nothing else of the letter does."""
    text = room.says("anna", "roll\nvote hold\nadd 99")
    assert "«roll» stands" in text
    assert () == room.stored().table.votes


def test_the_invitation_says_how_fast_the_table_plays(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    room.open(now=False, options={"pace": "medium mon-fri 20:00", "late": "wait", "answers": "names"})
    text = room.last("anna").text.replace("\n", " ")
    for told in ("medium mon,tue,wed,thu,fri 20:00", "wait", "names"):
        assert told in text


def test_the_terminal_and_the_moderator_see_the_wait(tmp_path: Path) -> None:
    """`list`, `watch`, `show`, `gm status`: how many have answered, since when, until when; nobody's name."""
    room = Clocked(tmp_path)
    name = room.seated(3, kind="troyes-dice")
    room.says("bob", "1")
    room.wait(1)
    message = EmailMessage()
    message["From"], message["To"], message["Message-ID"] = MODERATOR, OWN, "<gm1@host.test>"
    message["Subject"] = f"[{name}]"
    message.set_content("gm status\n")
    room.post(message.as_bytes())
    text = room.last("gm").text.replace("\n", " ")
    assert "1 of 3 have answered." in text
    assert "Anna: until Thursday 26 November, 09:00 (UTC)" in text
    room.spool.close()
    term = at(room.folder)
    for row in (*term.read("list"), term.read("show", name), *term.read("watch", "--once")["games"]):
        assert {"n": 1, "of": 3, "names": []} == row["answered"]
        assert "2026-11-24T09:00" == row["since"][:16]
        assert {"2026-11-26T09:00"} == {until[:16] for until in row["until"].values()}
        assert {"anna", "bob", "cleo"} == row["until"].keys()
        assert "medium" == row["pace"]


def test_figures_tell_how_people_answer(tmp_path: Path) -> None:
    """`stats`: answer times, reminders, and answers of the clock, a person."""
    room = Clocked(tmp_path)
    room.seated()
    room.wait(1)
    room.says("anna", "add 1")
    room.wait(24 * 30, until=lambda: room.stored().table.status == "ended")
    figures = GameStatistics("tally")
    source = read_source(room.store.open("tally-1"), room.find)
    add_game(figures, source, {"anna": "Anna", "bob": "Bob"})
    told = figures.to_data()["answers"]
    assert 1 == len(figures.answers["Anna"].hours)
    assert 1 <= told["Anna"]["hours"]["median"] <= 1.1
    played = [record.private["default"]["seat"] for record in source.records if "default" in record.private]
    assert told["Bob"]["defaults"] == played.count("bob")
    assert told["Bob"]["reminders"] >= told["Bob"]["defaults"] > 0


def test_the_clock_plays_in_canonical_words_and_tells_in_the_readers(tmp_path: Path) -> None:
    """A language that is chosen after the reminders gives nobody more time, and is nobody else's."""
    room = Clocked(tmp_path)
    name = room.seated(2, "brisk", "troyes")
    room.people.change(name, replace(room.people.holder(name, Seat("anna")), language="fr"))
    room.on("2026-11-25T08:00")
    assert ["start", "reminder", "reminder"] == [one.what for one in read_records(room.store.open(name))]
    room.says("bob", "language fr")
    room.wait(14)
    played = room.record(game=name)
    assert ("default", 21) == (played.what, played.at.hour)
    (order,) = played.private["orders"]
    assert order.startswith("settle ")
    told = room.last("anna").text.replace("\u00a0", " ").replace("\n", " ")
    assert "« installer " in told and order not in told
    room.wait(24, until=lambda: room.last("anna").kind == "reminder")
    assert "« installer " in room.last("anna").text.replace("\u00a0", " ")
