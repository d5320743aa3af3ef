"""What a letter can say before the game beside an answer: questions, talk, trials, orders, automatic notes."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import pbem.desk
import pbem.desk.commands
from pbem.desk.pregame.gathering import Gathering
from tests.desk.room import Room
from tests.desk.test_gathering import LETTERS, answers
from tests.fakegame import GAME

QUESTIONS = ("help", "help join", "status", "options", "history", "card counter", "board", "achievements", "card join")


def test_help_before_the_game_says_how_to_join(empty: Room) -> None:
    empty.open(2, now=False)
    sent = empty.sent_by("anna", "help")
    assert sent[0].kind == "answer"
    assert empty.stored().table.joined == ()


def test_help_before_the_game_lists_what_is_not_refused(empty: Room) -> None:
    empty.open(2, now=False)
    text = empty.sent_by("bob", "help")[0].text
    for command in pbem.desk.commands.COMMANDS:
        letter = str(command.usage).replace("ORDER", "join").replace("NAME", "counter").replace("WORD", "")
        refused = any(got.kind == "refusal" for got in empty.sent_by("bob", letter))
        if command.word in ("end", "ruling"):  # Alone it says nothing; the rulebook of this game is never silent.
            continue
        assert (f"\n{command.usage}: " in text) is not refused, command.usage


@pytest.mark.parametrize("text", LETTERS["notes"])
def test_an_automatic_note_joins_nothing(three: Room, text: str) -> None:
    """One line, Auto-Submitted, once a day and seat."""
    sent = three.sent_by("anna", text)
    assert [got.seat for got in sent] == ["anna"]
    assert "I took this for an automatic note" in sent[0].text
    assert str(sent[0].message["Auto-Submitted"]) == "auto-replied"
    assert ((), ()) == answers(three)
    assert three.send("anna", text).outcome == "silent"
    three.time = three.time.replace(day=three.time.day + 1)
    assert three.send("anna", text).outcome == "refused"


@pytest.mark.parametrize(
    "subject",
    [
        "Abwesend: Re: [tally-1] A seat is kept for you", "Vacation: Re: [tally-1] A seat", "Absence : Re: [tally-1] A seat",
        "Réponse auto : [tally-1] A seat is kept for you", "Frånvarande: [tally-1]", "Ausente: [tally-1] A seat",
        "Afwezig: Re: [tally-1]", "Assente: [tally-1]", "Out of office: [tally-1] A seat",
    ],
)  # fmt: skip
def test_a_subject_can_give_an_automatic_note_away(three: Room, subject: str) -> None:
    before = len(three.mails())
    raw = three.write("anna", "Bonjour, hallo!", fields={"Subject": subject})
    assert three.post(raw).outcome in ("refused", "silent")
    assert len(three.mails()) <= before + 1
    assert "No answer to the invitation" not in three.last("anna").text
    assert ((), ()) == answers(three)


@pytest.mark.parametrize(
    "text",
    ["I am away until Monday, so here is my move:\nadd 2", "I'm on vacation next week.\n\n2", "Ich bin im Urlaub.\najoute 2"],
)
def test_an_order_in_a_letter_of_somebody_who_is_away_is_asked_about(room: Room, text: str) -> None:
    """A note must never swallow a person's order."""
    room.send("anna", text)
    room.send("anna", "1")
    assert room.state().counter == 2


def test_somebody_who_is_away_may_join_all_the_same(three: Room) -> None:
    three.send("anna", "I am on vacation this week.\n\njoin heron")
    assert (("anna",), ()) == answers(three)


def test_a_note_in_a_running_game_plays_nothing(room: Room) -> None:
    head = room.state()
    assert room.send("anna", "Automatic reply: away\nadd 1").outcome == "refused"
    assert room.send("anna", "Automatic reply: away\nadd 1").outcome == "silent"
    assert head == room.state()


def test_somebody_who_writes_otherwise_after_being_taken_for_a_program_is_answered(room: Room) -> None:
    """A program says the same again; a person who is told to write it otherwise does."""
    said = ("I will be away until Monday.", "Yes, I am away until Monday, please stop my clock", "I am away until Monday")
    assert [room.send("anna", one).outcome for one in said] == ["refused"] * 3
    assert room.send("anna", said[-1]).outcome == "silent"


@pytest.mark.parametrize("line", QUESTIONS)
def test_questions_are_answered_before_the_game(three: Room, line: str) -> None:
    """The mails of a table that gathers name no command that does not work."""
    sent = three.sent_by("anna", line)
    assert [(got.seat, got.kind) for got in sent] == [("anna", "answer")]
    assert "Not played" not in sent[0].text
    assert ((), ()) == answers(three)


def test_a_card_is_explained_before_the_game(three: Room) -> None:
    assert "It goes up." in three.sent_by("anna", "card counter")[0].text
    assert "Nothing has happened yet." in three.sent_by("anna", "history")[0].text


def test_board_before_the_game_can_be_forwarded(three: Room) -> None:
    got = three.sent_by("anna", "board")[0]
    assert "This table plays Tally, with 3 players." in got.text
    assert "[1]" not in got.text
    assert "To answer" not in got.text


def test_people_talk_before_the_game(three: Room) -> None:
    assert "Anna says: «Hello»" in three.sent_by("anna", "say Hello")[1].text
    sent = three.sent_by("anna", "tell bob: psst")
    assert {"anna", "bob"} == {got.seat for got in sent}
    assert "Anna, only to you: «psst»" in three.last("bob").text
    assert ((), ()) == answers(three)


def test_joining_can_be_tried_and_taken_back(three: Room) -> None:
    assert [got.kind for got in three.sent_by("anna", "try join heron")] == ["trial"]
    assert ((), ()) == answers(three)
    three.send("anna", "join heron")
    three.send("anna", "undo")
    assert ((), ()) == answers(three)
    assert "anna" not in three.stored().secrets.words
    three.send("anna", "join quince")
    assert three.stored().secrets.words["anna"] == "quince"


def test_orders_of_the_game_are_told_to_be_too_early(three: Room) -> None:
    assert "The game has not begun" in three.sent_by("anna", "add 1")[0].text


def test_a_table_before_its_game_has_all_that_reading_a_letter_asks_of_a_game() -> None:
    """The interpreter is given a `Gathering` for a `Game`: what it asks of one, the other must have."""
    names = (
        "orders/interpret_letter", "orders/session", "orders/line_types", "transaction/compose", "core/request",
        "commands/game_news", "commands/info_commands",
    )  # fmt: skip
    files = [Path(pbem.desk.__path__[0]) / f"{name}.py" for name in names]
    asked = {
        node.attr
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and (
            (isinstance(node.value, ast.Name) and node.value.id in ("game", "rules"))
            or (isinstance(node.value, ast.Attribute) and node.value.attr in ("game", "rules", "reference"))
        )
    }
    assert len(asked) > 12
    # A choice of such a table is no order and has no title; a table that ends before its game has no story.
    assert asked - set(dir(Gathering(GAME))) == {"story", "title_of"}
