"""What is published of the words for the dice, and when (contract, «Dice»)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.chance import commitment, words_hash
from pbem.admin.actions.lifecycle import end
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.desk.core.game_start import OPENING
from pbem.export.verify_export import verify_game
from pbem.store.commit_record import Record
from pbem.store.state_file import StoredGame, commit_game
from tests.desk.room import Room
from tests.fakegame import find


def gathered(room: Room) -> str:
    """A table of three, two of whom have joined; the host has given a word."""
    room.open(3, now=False, host_word="mill")
    room.send("anna", "join marmalade")
    room.send("bob", "join")
    return "tally-1"


def forged(room: Room, change: Callable[[StoredGame], StoredGame]) -> None:
    """The host, who can write every file, puts other words into them."""
    repo = room.store.open("tally-1")
    with repo.lock("x"):
        stored = StoredGame.read(repo)
        commit_game(repo, change(stored), Record(stored.table.records + 1, room.time, "letter", "0.1"), "x")
        room.spool.catch_up(repo)


def with_word(who: str, word: str) -> Callable[[StoredGame], StoredGame]:
    return lambda stored: replace(
        stored, secrets=replace(stored.secrets, words={**stored.secrets.words, who: word})
    )


def proven(room: Room) -> tuple[bool, str]:
    found = verify_game(room.store.open("tally-1"), reveal=True, find=find)
    return found.holds, " ".join(found.differences)


def test_what_is_published_first_is_one_hash_over_seed_and_host_word(empty: Room) -> None:
    gathered(empty)
    for got in empty.mails()[:3]:
        assert commitment(b"s" * 32, "mill") in got.text.replace("\n", "")
        assert "mill" not in got.text
        assert "marmalade" not in got.text


def test_no_word_is_told_before_the_last_one_is_fixed(empty: Room) -> None:
    gathered(empty)
    told = [got for got in empty.mails() if "marmalade" in got.text]
    assert {"anna"} == {got.seat for got in told}


def test_the_opening_mail_lists_every_word_and_their_hash(empty: Room) -> None:
    gathered(empty)
    sent = empty.sent_by("cleo", "join kettle")
    assert ["anna", "bob", "cleo"] == [got.seat for got in sent]
    for got in sent:
        for sentence in (
            "The host's word: «mill»", "The word of Anna: «marmalade»", "Bob gave no word.", "The word of Cleo: «kettle»",
        ):  # fmt: skip
            assert sentence in got.text, (got.seat, sentence)
        assert words_hash(("mill", "marmalade", "", "kettle")) in got.text
        assert (b"s" * 32).hex() not in got.text
    fixed = empty.record().also[OPENING]
    assert {"host": "mill", "anna": "marmalade", "bob": "", "cleo": "kettle"} == fixed["words"]
    assert words_hash(("mill", "marmalade", "", "kettle")) == fixed["hash"]


def test_an_honest_game_holds(empty: Room) -> None:
    gathered(empty)
    empty.send("cleo", "join kettle")
    assert (True, "") == proven(empty)


def test_a_host_who_tries_words_until_the_deal_suits_is_found(empty: Room) -> None:
    """Knowing every other word, the host takes another one of his own before the last player's word is in."""
    gathered(empty)
    forged(empty, with_word("host", "h217"))
    empty.send("cleo", "join kettle")
    holds, says = proven(empty)
    assert not holds
    assert "seed and host's word do not have the hash" in says


@pytest.mark.parametrize(("who", "was"), [("host", "mill"), ("anna", "marmalade"), ("bob", "")])
def test_a_word_changed_after_the_opening_is_named(empty: Room, who: str, was: str) -> None:
    gathered(empty)
    empty.send("cleo", "join kettle")
    forged(empty, with_word(who, "plum"))
    holds, says = proven(empty)
    assert not holds
    assert f"the word of {who} was «{was}» when the game began, and is «plum» now" in says


def test_another_hash_in_the_files_than_in_the_first_commit_is_found(empty: Room) -> None:
    """A host who changes seed, word and hash together."""
    gathered(empty)

    def all_of_them(stored: StoredGame) -> StoredGame:
        hashed = commitment(b"t" * 32, "mill")
        return replace(
            stored,
            table=replace(stored.table, commitment=hashed),
            secrets=replace(stored.secrets, seed=(b"t" * 32).hex()),
        )

    forged(empty, all_of_them)
    empty.send("cleo", "join kettle")
    holds, says = proven(empty)
    assert not holds
    assert "published with the first commit" in says


def test_a_table_that_begins_at_once_says_that_nobody_gave_a_word(empty: Room) -> None:
    empty.open(2, now=True)
    for got in empty.mails():
        assert "Nobody gave a word, neither the host nor a player" in got.text
        assert "every word was fixed" not in got.text
        assert words_hash(("", "", "")) in got.text


def test_a_word_given_by_the_host_for_a_seat_is_listed_at_once(empty: Room) -> None:
    invited = (Invited("Anna", ("anna@people.test",), "heron"), Invited("Bob"))
    open_table(empty.desk, Opening("tally", invited, seed=b"s" * 32))
    (sent,) = empty.mails()
    assert "The word of Anna: «heron»" in sent.text
    assert "Bob gave no word." in sent.text


def test_a_word_is_listed_as_it_is_hashed(empty: Room) -> None:
    """No character that a mail would drop, and none that a reader cannot see."""
    empty.open(2, now=False)
    empty.send("anna", "join mar\u202emalade")
    empty.send("bob", "join")
    listed = re.search("The word of Anna: «(.*)»", empty.last("bob").text)
    assert listed is not None
    assert empty.record().also[OPENING]["words"]["anna"] == listed[1] == "marmalade"
    assert words_hash(("", listed[1], "")) in empty.last("bob").text


def test_the_final_mail_repeats_words_and_hashes_beside_the_seed(empty: Room) -> None:
    gathered(empty)
    empty.send("cleo", "join kettle")
    empty.desk.change("tally-1", "end", end("enough"))
    for seat in ("anna", "bob", "cleo"):
        text = empty.last(seat).text
        assert (b"s" * 32).hex() in text
        assert "The word of Anna: «marmalade»" in text
        assert commitment(b"s" * 32, "mill") in text
        assert words_hash(("mill", "marmalade", "", "kettle")) in text
    assert (True, "") == proven(empty)
