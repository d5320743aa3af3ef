"""From the invitation to the first turn."""

from __future__ import annotations

import pytest

from engine.chance import commitment
from engine.errors import NotAllowed
from pbem.desk.gathering import word_of
from pbem.table import Invited
from pbem.table import Opening
from pbem.table import open_table
from tests.desk.room import Room


def test_invitations_publish_the_commitment_before_any_word_is_known(empty: Room) -> None:
    """Contract, «Dice»: the seed's hash comes before the players' words."""
    empty.open(3, now=False)
    sent = empty.mails()
    assert [got.seat for got in sent] == ["anna", "bob", "cleo"]
    assert {"invitation"} == {got.kind for got in sent}
    assert all(commitment(b"s" * 32, "") in got.text.replace("\n", "") for got in sent)
    assert empty.stored().game == {}


def test_nothing_is_dealt_before_all_words_are_fixed(empty: Room) -> None:
    empty.open(3, now=False)
    sent = empty.sent_by("anna", "join marmalade")
    empty.send("bob", "join")
    assert [(got.seat, got.kind) for got in sent] == [("anna", "receipt")]
    assert empty.stored().table.status == "gathering"
    assert empty.stored().game == {}


def test_last_word_starts_the_game_with_one_welcome_each(empty: Room) -> None:
    """One letter in causes at most one mail per person: the first player's welcome is the turn as well."""
    empty.open(2, now=False)
    empty.send("anna", "join marmalade")
    sent = empty.sent_by("bob", "Hello!\n\nkettle\n\nBob")
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


def test_word_stays_fixed(empty: Room) -> None:
    empty.open(3, now=False)
    empty.send("anna", "join marmalade")
    assert empty.send("anna", "join kettle").outcome == "refused"
    assert empty.stored().secrets.words["anna"] == "marmalade"


def test_word_is_no_secret_in_commit_or_state_file(empty: Room) -> None:
    empty.open(3, now=False)
    empty.send("anna", "join marmalade")
    repo = empty.store.open("tally-1")
    assert b"marmalade" not in repo.read("state.toml")
    assert not any("marmalade" in commit.message for commit in repo.log())


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("join", ""),
        ("JOIN Marmalade", "Marmalade"),
        ("word kettle", "kettle"),
        ("mot théière", "théière"),
        ("Hi,\nkettle\nthanks", "kettle"),
        ("Great!\njoin kettle", "kettle"),
        ("Happy to play with you all\njoin", ""),
    ],
)
def test_plain_answer_that_holds_one_word_joins(text: str, word: str) -> None:
    assert word == word_of(text.split("\n"), ("Anna",)).word


@pytest.mark.parametrize("text", ["Happy to play!", "", "Hello\nThanks\nAnna", "join two words"])
def test_answer_without_one_word_does_not_join(empty: Room, text: str) -> None:
    empty.open(2, now=False)
    assert empty.send("anna", text).outcome == "refused"
    assert empty.stored().table.also["joined"] == []


def test_help_before_the_game_says_how_to_join(empty: Room) -> None:
    empty.open(2, now=False)
    sent = empty.sent_by("anna", "help")
    assert sent[0].kind == "answer"
    assert empty.stored().table.also["joined"] == []


def test_seat_names_are_never_words_of_an_order(empty: Room) -> None:
    """Contract, «Seats and games»."""
    invited = (Invited("Pass"), Invited("Status"), Invited("Zoë Y"), Invited("Y5"))
    table = open_table(empty.desk, Opening("tally", invited)).table
    assert [row.seat for row in table.seats] == ["pass-2", "status-2", "zoe-y", "y5-2"]


def test_too_many_seats_are_refused(empty: Room) -> None:
    with pytest.raises(NotAllowed, match="players"):
        open_table(empty.desk, Opening("tally", tuple(Invited(f"P{n}") for n in range(5))))


def test_tables_are_numbered(empty: Room) -> None:
    assert [empty.open(), empty.open()] == ["tally-1", "tally-2"]


def test_start_player_may_be_named(empty: Room) -> None:
    empty.open(3, first="Cleo")
    assert empty.state().turn == "cleo"


def test_stage_of_waiting_names_who_has_not_joined(empty: Room) -> None:
    empty.open(3, now=False)
    text = empty.sent_by("bob", "join")[0].text
    assert "Anna" in text


@pytest.mark.parametrize("address", ["", "no address", "zoë@people.test", "a@b@c"])
def test_address_that_cannot_be_written_to_is_refused(empty: Room, address: str) -> None:
    with pytest.raises(NotAllowed, match="no address"):
        open_table(empty.desk, Opening("tally", (Invited("Anna", (address,)), Invited("Bob"))))


def test_command_is_no_word(empty: Room) -> None:
    empty.open(2, now=False)
    assert "refused" == empty.send("anna", "status").outcome
    assert [] == empty.stored().table.also["joined"]
