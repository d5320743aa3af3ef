"""From the invitation to the first turn."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from engine.chance import commitment
from engine.errors import NotAllowed
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.host.people import People
from tests.desk.room import Room
from tests.store.play import git

LETTERS: dict[str, list[str]] = tomllib.loads((Path(__file__).parent / "invitations.toml").read_text(encoding="utf-8"))


def answers(room: Room) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who has joined and who has declined."""
    table = room.stored().table
    return table.joined, table.declined


def test_invitations_publish_the_commitment_before_any_word_is_known(three: Room) -> None:
    """Contract, «Dice»: the seed's hash comes before the players' words."""
    sent = three.mails()
    assert [got.seat for got in sent] == ["anna", "bob", "cleo"]
    assert {"invitation"} == {got.kind for got in sent}
    assert all(commitment(b"s" * 32, "") in got.text.replace("\n", "") for got in sent)
    assert three.stored().game == {}


def test_nothing_is_dealt_before_all_words_are_fixed(three: Room) -> None:
    sent = three.sent_by("anna", "join marmalade")
    three.send("bob", "join")
    assert [(got.seat, got.kind) for got in sent] == [("anna", "receipt")]
    assert three.stored().table.status == "gathering"
    assert three.stored().game == {}


def test_last_word_starts_the_game_with_one_welcome_each(empty: Room) -> None:
    """One letter in causes at most one mail per person: the first player's welcome is the turn as well."""
    empty.open(2, now=False)
    empty.send("anna", "join marmalade")
    sent = empty.sent_by("bob", "Hello!\n\njoin kettle\n\nBob")
    assert [(got.seat, got.kind) for got in sent] == [("anna", "welcome"), ("bob", "welcome")]
    assert empty.stored().secrets.words == {"host": "", "anna": "marmalade", "bob": "kettle"}
    assert "add 3" in sent[0].text
    empty.send("anna", "1")
    assert empty.state().counter == 3


def test_words_change_the_dice(empty: Room) -> None:
    """Each player's word is part of the key of every draw."""
    rolled = set()
    for word in ("a", "b", "c", "d", "e", "f"):
        room = Room(empty.folder / word)
        room.open(2, now=False)
        room.send("anna", "join")
        room.send("bob", f"join {word}")
        rolled.add(tuple(room.state().secrets.values()))
    assert len(rolled) > 1


def test_same_seed_and_words_give_the_same_game(empty: Room) -> None:
    secrets = []
    for folder in ("one", "two"):
        room = Room(empty.folder / folder)
        room.open(4)
        secrets.append(room.state().secrets)
    assert secrets[0] == secrets[1]


def test_word_stays_fixed_and_is_in_no_commit_or_state_file(three: Room) -> None:
    three.send("anna", "join marmalade")
    assert three.send("anna", "join kettle").outcome == "refused"
    assert "joined already" in three.sent_by("anna", "yes")[0].text
    assert three.stored().secrets.words["anna"] == "marmalade"
    repo = three.store.open("tally-1")
    assert b"marmalade" not in repo.read("state.toml")
    assert not any("marmalade" in commit.message for commit in repo.log())


def test_seat_names_are_never_words_of_an_order(empty: Room) -> None:
    """Contract, «Seats and games»."""
    invited = (Invited("Pass"), Invited("Status"), Invited("Zoë Y"), Invited("Y5"))
    table = open_table(empty.desk, Opening("tally", invited)).table
    assert [row.seat for row in table.seats] == ["pass-2", "status-2", "zoe-y", "y5-2"]


def test_too_many_seats_are_refused(empty: Room) -> None:
    with pytest.raises(NotAllowed, match="players"):
        open_table(empty.desk, Opening("tally", tuple(Invited(f"P{n}") for n in range(5))))


def test_tables_are_numbered_and_a_start_player_may_be_named(empty: Room) -> None:
    assert [empty.open(3, first="Cleo"), empty.open()] == ["tally-1", "tally-2"]
    assert empty.state("tally-1").turn == "cleo"


def test_stage_of_waiting_names_who_has_not_joined(three: Room) -> None:
    text = three.sent_by("bob", "join")[0].text
    assert "Anna" in text


@pytest.mark.parametrize("address", ["", "no address", "zoë@people.test", "a@b@c"])
def test_address_that_cannot_be_written_to_is_refused(empty: Room, address: str) -> None:
    with pytest.raises(NotAllowed, match="no address"):
        open_table(empty.desk, Opening("tally", (Invited("Anna", (address,)), Invited("Bob"))))


def test_the_corpus_of_answers_is_broad() -> None:
    assert sum(len(letters) for letters in LETTERS.values()) >= 150
    assert all(len(letters) >= 20 for letters in LETTERS.values())


@pytest.mark.parametrize(("text", "means"), [(text, means) for means in ("joins", "declines") for text in LETTERS[means]])
def test_a_joining_line_joins_and_a_declining_one_declines(three: Room, text: str, means: str) -> None:
    """Courtesy aside nothing else stands in it."""
    assert three.send("anna", text).outcome == "played"
    assert ((("anna",), ()) if means == "joins" else ((), ("anna",))) == answers(three)


@pytest.mark.parametrize("text", LETTERS["asked_back"])
def test_anything_else_joins_nothing_and_is_asked_back(three: Room, text: str) -> None:
    """More words, a doubt, both at once, another language: 1 and 2 then answer."""
    sent = three.sent_by("anna", text)
    assert [(got.seat, got.kind) for got in sent] == [("anna", "refusal")]
    assert ((), ()) == answers(three)
    assert "[1] join ·" in sent[0].text
    assert "[2] decline ·" in sent[0].text
    twin = len(text) % 2 + 1
    three.send("anna", str(twin))
    assert ((("anna",), ()), ((), ("anna",)))[twin - 1] == answers(three)


@pytest.mark.parametrize("first", ["no", "join heron"])
def test_a_doubt_of_somebody_who_has_answered_is_asked_back(three: Room, first: str) -> None:
    """It is nobody's turn before a game, so nobody is told to wait for theirs."""
    three.send("anna", first)
    before = answers(three)
    told = three.sent_by("anna", "join, but not before June")[0]
    assert (before, "refusal") == (answers(three), told.kind)
    assert "turn" not in told.text
    assert "join, but not before June" in told.text


def test_a_bare_word_is_told_how_to_join_with_it(three: Room) -> None:
    assert "«join kettle»" in three.sent_by("anna", "kettle")[0].text


def test_the_invitation_says_what_is_played_with_whom_and_how_to_say_no(empty: Room) -> None:
    empty.open(3, now=False, options={"rounds": "3"})
    above = empty.last("anna").text.split("[1]")[0]
    for part in ("Tally, with 3 players", "rounds 3", "Anna, Bob, Cleo", "«join»", "«decline»"):
        assert part in above
    assert "\n[1] join · you take the seat\n[2] decline · " in empty.last("anna").text


def test_a_declined_seat_is_told_to_the_moderator_without_the_letter(three: Room) -> None:
    """Contract, «Private»: notices to a moderator never quote a letter."""
    three.people = People(three.folder / "mail", ("mod@host.test",))
    three.restart()
    before = len(three.mails())
    three.send("cleo", "decline no time for marmalade")
    told = [got for got in three.mails()[before:] if "mod@host.test" in str(got.message["To"])]
    assert len(told) == 1
    assert "Cleo has declined the seat." in told[0].text
    assert "marmalade" not in told[0].raw.decode()
    assert "Declined: Cleo." in three.sent_by("anna", "status")[0].text
    assert "marmalade" not in "".join(three.subjects())
    assert b"marmalade" not in three.store.open("tally-1").read("state.toml")


def test_a_decline_is_taken_back_by_join_and_joining_by_leave(empty: Room) -> None:
    empty.open(2, now=False)
    empty.send("bob", "no")
    empty.send("anna", "join heron")
    assert (("anna",), ("bob",)) == answers(empty)
    assert empty.stored().table.status == "gathering"
    empty.send("anna", "leave")
    assert ((), ("bob", "anna")) == answers(empty)
    assert "anna" not in empty.stored().secrets.words
    empty.send("anna", "join")
    empty.send("bob", "1", to=empty.mails("bob")[0])
    assert empty.stored().table.status == "running"
    assert empty.stored().secrets.words == {"host": "", "anna": "", "bob": ""}


def test_number_of_the_invitation_still_counts_after_joining(three: Room) -> None:
    """2 is to decline, in whatever mail before the game it is listed."""
    invitation = three.last("anna")
    three.send("anna", "1", to=invitation)
    assert (("anna",), ()) == answers(three)
    three.send("anna", "2", to=invitation)
    assert ((), ("anna",)) == answers(three)


def test_a_number_under_a_mail_that_lists_nothing_answers_nothing(three: Room) -> None:
    """Contract, «How a letter is read»: a number counts in the list of the mail it answers."""
    three.send("anna", "join heron")
    assert "[2]" not in three.last("anna").text
    assert three.send("anna", "2").outcome == "refused"
    assert (("anna",), ()) == answers(three)


@pytest.mark.parametrize(("text", "word"), [("join heron\nbut not before June", "heron"), ("join\nunless I travel", "")])
def test_1_joins_with_the_word_of_the_letter_that_was_asked_back(three: Room, text: str, word: str) -> None:
    three.send("anna", text)
    three.send("anna", "1")
    assert (("anna",), ()) == answers(three)
    assert three.stored().secrets.words["anna"] == word


@pytest.mark.parametrize("lines", ["leave\njoin", "join\nleave", "undo\nleave\njoin"])
def test_who_has_joined_is_not_moved_by_both_answers_at_once(three: Room, lines: str) -> None:
    three.send("anna", "join heron")
    assert three.send("anna", lines).outcome == "refused"
    assert (("anna",), ()) == answers(three)
    assert three.stored().secrets.words["anna"] == "heron"


def test_answers_before_the_game_are_the_same_bytes_after_a_lost_spool(three: Room) -> None:
    for seat, text in (("anna", "say bob: hm"), ("anna", "1"), ("bob", "no"), ("bob", "ja"), ("bob", "join"), ("cleo", "Absent.")):
        three.send(seat, text)
        before = three.last(seat).raw
        three.lose_spool()
        three.desk.rebuild("tally-1")
        assert before == three.last(seat).raw


def test_tables_that_differ_in_words_and_reasons_send_another_seat_the_same(empty: Room) -> None:
    """Contract, «Private»: before the game, too."""
    told = []
    for folder, word, reason in (("one", "heron", "ill"), ("two", "quince", "no time before June")):
        room = Room(empty.folder / folder)
        room.open(4, now=False)
        for seat, text in (("anna", f"join {word}"), ("cleo", f"decline {reason}"), ("dora", f"yes if {reason}")):
            room.send(seat, text)
        for line in ("status", "history", "board", "nonsense", "join", "join again", "try leave"):
            room.send("bob", line)
        repo = room.store.open("tally-1")
        told.append(([got.raw for got in room.mails("bob")], room.subjects(), repo.read("state.toml")))
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("letter", "said"),
    [("join heron", "You have joined"), ("decline", "You have declined"), ("join\nundo", "Taken back"), ("say hello", "Sent")],
)
def test_the_first_line_says_what_happened(three: Room, letter: str, said: str) -> None:
    """Nothing is «played» before the game."""
    *first, last = letter.split("\n")
    for line in first:
        three.send("anna", line)
    sent = three.sent_by("anna", last)
    assert f"{said}." == sent[0].text.split("\n")[2]


@pytest.mark.parametrize("letter", ["decline my aunt grows quinces", "join\nsay my aunt grows quinces", "my aunt grows quinces"])
def test_what_people_write_beside_an_answer_is_in_no_repository(three: Room, letter: str) -> None:
    """Contract, «State, secrets, repair»: neither a reason nor talk, in any file or message of any commit."""
    assert "quinces" in "".join(got.text for got in three.sent_by("anna", letter))
    committed = git(three.folder / "games" / "tally-1", "log", "--patch", "--format=%B", "--text")
    assert "tally-1" in committed
    assert "quinces" not in committed


def test_before_the_game_the_options_are_told_once(empty: Room) -> None:
    """«All options are the usual ones», of the game, stood under the pace that was chosen."""
    invited = tuple(Invited(name, (f"{name.lower()}@people.test",)) for name in ("Anna", "Bob"))
    open_table(empty.desk, Opening("tally", invited, seed=b"s" * 32, options={"pace": "slow"}))
    empty.send("anna", "status")
    text = empty.last("anna").text
    assert "pace slow" in text and "usual ones" not in text and 1 == text.count("This table plays")
