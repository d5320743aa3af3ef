"""Questions, talk and trials."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from engine.errors import NotAllowed, NotUnderstood
from engine.game import AnyGame, Seat, games
from engine.kit.words import fold_text
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.desk import commands
from pbem.desk.commands.clarification import AskedBack
from pbem.desk.commands.table_talk import parse_message
from tests.desk.open_tables import fresh
from tests.desk.room import Room
from tests.fakegame import GAME


def clashes(games: Iterable[AnyGame]) -> tuple[str, ...]:
    """Words that would mean two things: two commands, or a command and an order of one of `games`."""
    seen: dict[str, str] = {}
    found = []
    for command in commands.COMMANDS:
        for word in command.words():
            if word in seen:
                found.append(f"{word}: {seen[word]} and {command.word}")
            seen[word] = command.word
    for game in games:
        for verb in sorted(game.reference.verbs()):
            word = fold_text(verb)
            if word in seen or word in commands.RESERVED:
                found.append(f"{word}: {seen.get(word, 'the post room')} and an order of {game.kind}")
    return tuple(found)



def test_no_command_word_means_two_things() -> None:
    """Orders: verbs and aliases are exact words, EN and FR together, and no word means two things."""
    assert clashes((GAME, *games().values())) == ()


def test_every_command_is_in_the_help(room: Room) -> None:
    text = room.sent_by("anna", "help")[0].text
    assert all(str(command.usage) in text for command in commands.COMMANDS)


@pytest.mark.parametrize(
    "line", ["status", "options", "history", "history 3", "help", "help undo", "card counter", "board"]
)
def test_question_changes_nothing(room: Room, line: str) -> None:
    before = room.state()
    sent = room.sent_by("anna", line)
    assert [(got.seat, got.kind) for got in sent] == [("anna", "answer")]
    assert before == room.state()


def test_questions_take_any_token(room: Room) -> None:
    old = room.last("anna")
    room.send("anna", "roll")
    assert room.send("anna", "status", to=old).outcome == "answered"


def test_question_beside_orders_is_answered_in_the_receipt(room: Room) -> None:
    sent = room.sent_by("anna", "card counter\nadd 1")
    assert sent[0].kind == "receipt"
    assert "It goes up." in sent[0].text
    assert room.state().counter == 1


def test_history_shows_what_happened(trio: Room) -> None:
    trio.send("anna", "add 2")
    trio.send("bob", "add 3")
    text = trio.sent_by("anna", "history")[0].text
    assert text.index("Anna added 2.") < text.index("Bob added 3.")


def test_board_carries_no_token_and_no_other_mail(room: Room) -> None:
    """Contract, «Private»: a public view without token or options."""
    token = room.last("anna").reply_to.split("+")[1].split("@")[0]
    got = room.sent_by("anna", "board")[0]
    key = token.split(".")[2].encode()
    assert key not in got.raw
    assert b"References" not in got.raw
    assert "[1]" not in got.text


def test_say_is_relayed_to_everybody_else_on_one_line(trio: Room) -> None:
    sent = trio.sent_by("bob", "say Hello \u202eworld\u0007, «add 3» À bientôt, Été “quoted”")
    assert [(got.seat, got.kind) for got in sent] == [("anna", "news"), ("bob", "receipt"), ("cleo", "news")]
    assert "Hello world, «add 3» À bientôt, Été “quoted”" in " ".join(sent[0].text.split())
    assert "\u202e" not in sent[0].text


def test_say_comes_with_the_turn_in_one_mail(room: Room) -> None:
    """One letter in causes at most one mail per person."""
    sent = room.sent_by("anna", "say your turn\nadd 1")
    assert [(got.seat, got.kind) for got in sent] == [("anna", "receipt"), ("bob", "turn")]
    assert "your turn" in sent[1].text


def test_tell_reaches_one_seat_and_stays_secret_in_the_record(trio: Room) -> None:
    sent = trio.sent_by("anna", "tell Cleo: marmalade")
    assert {"anna", "cleo"} == {got.seat for got in sent}
    repo = trio.store.open("tally-1")
    number = trio.stored().table.records
    assert b"marmalade" not in repo.read(f"chronicle/0000/{number:06}.toml")
    assert "marmalade" in str(trio.record().private)
    assert "marmalade" not in trio.subjects()[0]


NAMES = {Seat("anna"): "Anna", Seat("bob"): "Bob Nord", Seat("cleo"): "Cléo", Seat("dora"): "Dora"}


def heard(line: str) -> tuple[str | None, str] | tuple[str, ...]:
    """To whom a line of Anna's goes, and what; or the choices that ask her back."""
    found = commands.parse_command(line)
    assert found is not None
    try:
        message = parse_message(*found, NAMES, Seat("anna"))
    except AskedBack as question:
        return tuple(choice.text for choice in question.choices)
    return message.to, message.text


@pytest.mark.parametrize(
    ("line", "to", "text"),
    [
        ("tell cleo: truce?", "cleo", "truce?"),
        ("tell Cléo: truce?", "cleo", "truce?"),
        ("tell CLEO : truce?", "cleo", "truce?"),
        ("tell cleo truce?", "cleo", "truce?"),
        ("tell cleo, truce?", "cleo", "truce?"),
        ("tell to Cleo: truce?", "cleo", "truce?"),
        ("tell: cleo: truce?", "cleo", "truce?"),
        ("tell Bob Nord: truce?", "bob", "truce?"),
        ("tell Bob truce?", "bob", "truce?"),
        ("tell bob we meet at 10:30", "bob", "we meet at 10:30"),
        ("chuchoter à Cléo : paix ?", "cleo", "paix ?"),
        ("chuchoter Cléo : paix ?", "cleo", "paix ?"),
        ("Chuchoter à cleo: paix ?", "cleo", "paix ?"),
        ("dire à Cléo : paix ?", "cleo", "paix ?"),
        ("dire à Bob Nord\u00a0: paix ?", "bob", "paix ?"),
        ("dire a cleo : paix ?", "cleo", "paix ?"),
    ],
)
def test_what_names_one_seat_is_private(line: str, to: str, text: str) -> None:
    """Contract, «Talk cannot leak»."""
    assert (to, text) == heard(line)


@pytest.mark.parametrize(
    "rest",
    ["Hello", "Hello Bob: nice move", "all: Cleo, nice move", "à tous : Cleo joue bien", "everybody: Bob leads", "Annabel is here",
     "Bobby was my uncle", "to all: hi", "well, cleo leads", "Anna here, hello"],
)  # fmt: skip
@pytest.mark.parametrize("word", ["say", "dire"])
def test_what_names_nobody_first_is_for_all(word: str, rest: str) -> None:
    to, text = heard(f"{word} {rest}")
    assert to is None
    assert rest.endswith(text)


@pytest.mark.parametrize("word", ["say", "dire"])
@pytest.mark.parametrize(
    ("rest", "text"),
    [
        ("cleo: truce?", "truce?"), ("Cléo, truce?", "truce?"), ("cleo truce?", "truce?"), ("to Cleo: truce?", "truce?"),
        ("to cleo truce?", "truce?"), ("CLEO - truce?", "truce?"), ("@cleo truce?", "truce?"), ("«Cleo»: truce?", "truce?"),
        ("à Cleo truce?", "truce?"), ("for Cleo: truce?", "truce?"), ("Cleo's move was bad", "Cleo's move was bad"),
    ],
)  # fmt: skip
def test_what_names_a_seat_first_is_asked_back(word: str, rest: str, text: str) -> None:
    assert (f"tell cleo: {text}", f"say all: {rest}") == heard(f"{word} {rest}")


def test_every_choice_is_read_as_what_it_says() -> None:
    """Contract: a choice that is asked back plays as if it were written."""
    private, public = heard("say Bob: do you see what Cleo: hides?")
    assert ("bob", "do you see what Cleo: hides?") == heard(str(private))
    assert (None, "Bob: do you see what Cleo: hides?") == heard(str(public))


def test_seats_of_one_first_name_are_asked_for_each() -> None:
    names = {Seat("eve-nord"): "Ève Nord", Seat("eve-sud"): "Ève Sud", Seat("anna"): "Anna"}
    say, tell = commands.parse_command("say eve: psst"), commands.parse_command("tell eve: psst")
    assert say
    assert tell
    with pytest.raises(AskedBack) as question:
        parse_message(*say, names, Seat("anna"))
    assert ["tell eve-nord: psst", "tell eve-sud: psst", "say all: eve: psst"] == [one.text for one in question.value.choices]
    with pytest.raises(NotUnderstood, match="Several"):
        parse_message(*tell, names, Seat("anna"))


@pytest.mark.parametrize("line", ["tell cleo and bob: psst", "tell Cleo, Bob: psst", "tell zoe: psst", "tell Bob & Dora psst"])
def test_private_words_never_go_to_one_of_two(line: str) -> None:
    found = commands.parse_command(line)
    assert found
    with pytest.raises(NotUnderstood):
        parse_message(*found, NAMES, Seat("anna"))


@pytest.mark.parametrize(("answer", "hears"), [("1", {"cleo"}), ("2", {"anna", "bob", "cleo"})])
@pytest.mark.parametrize("seat", ["anna", "bob"])
def test_what_was_asked_back_is_answered_with_a_number(trio: Room, seat: str, answer: str, hears: set[str]) -> None:
    """Whether it is one's turn (then a number has other lists, too) or not."""
    sent = trio.sent_by(seat, "say Cleo: truce?")
    assert [(got.seat, got.kind) for got in sent] == [(seat, "refusal")]
    assert "[1] tell cleo: truce? · only to Cleo\n[2] say all: Cleo: truce? · to everybody" in sent[0].text
    assert "[3]" not in sent[0].text
    before = trio.state()
    sent = trio.sent_by(seat, answer)
    assert {got.seat for got in sent} - {seat} == hears - {seat}
    assert ("Cleo, only" in sent[-1].text, "only to you: «truce?»" in sent[-1].text) == (False, answer == "1")
    assert before == trio.state()


def test_what_was_asked_back_is_answered_although_the_game_has_gone_on(trio: Room) -> None:
    """Talk takes any token of the seat; the number stands for it."""
    asked = trio.sent_by("cleo", "say Bob: truce?")[0]
    trio.send("anna", "add 1")
    sent = trio.sent_by("cleo", "1", to=asked)
    assert {got.seat for got in sent} == {"bob", "cleo"}
    assert "Cleo, only to you: «truce?»" in trio.last("bob").text


def test_numbers_of_the_turn_still_count_beside_what_is_asked_back(trio: Room) -> None:
    """A number counts in the list of the very mail that is answered."""
    turn = trio.last("anna")
    trio.send("anna", "say Cleo: truce?")
    asked = trio.last("anna")
    assert "refused" == trio.send("anna", "3", to=asked).outcome
    assert 0 == trio.state().counter
    trio.send("anna", "1", to=turn)
    assert 3 == trio.state().counter


def test_a_letter_that_does_not_tell_which_mail_it_answers_sends_nothing_by_number(trio: Room) -> None:
    turn = trio.last("anna")
    trio.send("anna", "say Cleo: truce?")
    raw = trio.write("anna", "1", to=turn, fields={"In-Reply-To": ""})
    before = trio.state()
    assert "refused" == trio.post(raw).outcome
    assert before == trio.state()
    assert "truce" not in "".join(got.text for got in trio.mails("cleo"))


def test_nothing_else_of_a_letter_is_done_when_its_talk_is_asked_back(trio: Room) -> None:
    sent = trio.sent_by("anna", "say hello\nadd 1\nsay cleo: truce?")
    assert ["anna"] == [got.seat for got in sent]
    assert 0 == trio.state().counter


def test_a_private_message_is_marked_where_it_is_read(trio: Room) -> None:
    """Contract, «Talk cannot leak»: in the reader's mail and in the writer's receipt."""
    for line, receipt, read in (
        ("tell cleo: psst", "Sent to Cleo alone.", "Anna, only to you: «psst»"),
        ("say psst", "Sent to everybody at the table.", "Anna says: «psst»"),
    ):
        sent = {got.seat: got for got in trio.sent_by("anna", line)}
        assert receipt in sent["anna"].text
        assert read in sent["cleo"].text
        assert "Played" not in str(sent["anna"].message["Subject"])


def test_two_tables_that_differ_in_private_words_send_a_third_seat_the_same(empty: Room) -> None:
    """Contract, «Private»: no byte of what one seat is told reaches another."""
    mails, subjects = [], []
    for folder, text in (("one", "let us attack Bob"), ("two", "no, thanks, rather not at all")):
        room = Room(empty.folder / folder)
        room.open(3)
        room.send("anna", f"tell cleo: {text}")
        room.send("anna", f"say cleo: {text}")
        room.send("anna", "1")
        room.send("anna", "add 1")
        for line in ("status", "history", "say anna: hm", "nonsense", "add 2"):
            room.send("bob", line)
        mails.append([got.raw for got in room.mails("bob")])
        subjects.append(room.subjects())
    assert mails[0] == mails[1]
    assert subjects[0] == subjects[1]


def test_message_over_a_thousand_characters_is_refused() -> None:
    """Contract, «Private»: 1,000 characters at most, counted as they are relayed."""
    say = commands.parse_command("say x")
    assert say is not None
    names = {Seat("anna"): "Anna", Seat("bob"): "Bob"}
    assert len(parse_message(say[0], "x" * 1000, names, Seat("anna")).text) == 1000
    with pytest.raises(NotAllowed, match="this one has"):
        parse_message(say[0], "x" * 1001, names, Seat("anna"))


@pytest.mark.parametrize(
    ("letter", "says"),
    [
        ("card unicorn", ""), ("board\nadd 1", ""), ("status\nboard", ""), ("say hello\nadd 9", ""), ("tell zoe: hello", ""),
        ("spend 1\ntry add 1", ""), ("try\nspend 1\nadd 2", "Anna added 2."), ("try add 9", "Add 1 to 3, not 9."),
    ],
)  # fmt: skip
def test_letters_that_play_nothing_and_tell_nobody_else(room: Room, letter: str, says: str) -> None:
    """An unknown card, a public view beside something, talk in a refused letter or to nobody; all after `try` is tried."""
    sent = room.sent_by("anna", letter)
    assert [("anna", "trial" if letter.startswith("try") else "refusal")] == [(got.seat, got.kind) for got in sent]
    assert says in sent[0].text
    assert (room.state().counter, room.state().points["anna"]) == (0, 3)


def test_try_plays_nothing(room: Room) -> None:
    sent = room.sent_by("anna", "try spend 1\ntry add 2")
    assert [(got.seat, got.kind) for got in sent] == [("anna", "trial")]
    assert sent[0].text.split("\n")[2].startswith("NOT PLAYED")
    assert "Anna added 2." in sent[0].text
    assert (room.state().counter, room.state().points["anna"]) == (0, 3)


def test_try_never_shows_a_die(room: Room) -> None:
    """A trial ends where something would be shown; no number is drawn at all."""
    text = room.sent_by("anna", "try spend 1\ntry roll\ntry add 1")[0].text
    assert "rolled" not in text
    assert "Anna spent 1." in text
    assert "nobody knows before it is played" in text
    assert "Anna added 1." not in text


def test_try_of_the_last_sealed_answer_shows_no_other(room: Room) -> None:
    for seat, line in (("anna", "pass"), ("bob", "pass"), ("bob", "bid 3")):
        room.send(seat, line)
    text = room.sent_by("anna", "try bid 1")[0].text
    assert "The bids" not in text
    assert room.state().bids == {"bob": 3}


def test_a_household_is_told_which_seat_a_mail_is_for(tmp_path: Path) -> None:
    """Contract, «The token»: where one address holds several seats of a table, subject and first line name the seat."""
    room = Room(tmp_path)
    invited = tuple(Invited(name, ("home@people.test",)) for name in ("Anna", "Bob"))
    open_table(room.desk, Opening("tally", (*invited, Invited("Cleo", ("cleo@people.test",))), now=True, seed=b"s" * 32))
    subjects = {got.seat: str(got.message["Subject"]).partition(" ")[2].partition(",")[0] for got in room.mails()}
    assert (subjects["anna"], subjects["bob"]) == ("Anna", "Bob")
    assert "Cleo" not in subjects["cleo"]
    assert "This mail is for the seat of Bob." in room.last("bob").text
    # Each of the addresses to write to, too, is told of whom it is.
    (games,) = fresh(room, "home@people.test", "games")
    listed = games.text.replace("\n", " ")
    assert "tally-1 for Anna, " in listed and "tally-1 for Bob, " in listed
