"""One letter, however short, gets one answer of a size that every provider takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.catalog import Msg
from engine.game import Seat
from engine.reference import CardText
from pbem.desk.core.result import reply_result
from pbem.desk.orders.reply_builder import LARGEST, fitting, size_of
from pbem.outbound.mail import MailKind, Message
from tests.desk.room import Room

MOST = 60_000


def test_the_same_question_is_answered_once_a_letter(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.open(2)
    room.send("anna", "history 500")
    once = len(room.last("anna").raw)
    room.send("anna", "History 500\n" * 60)
    assert len(room.last("anna").raw) < once + 200


def test_an_answer_says_what_was_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room(tmp_path)
    room.open(2)
    monkeypatch.setattr("pbem.desk.orders.reply_builder.LARGEST", 1500)
    room.send("anna", "help")
    assert "lines were left out, since one answer has no room for them" in room.last("anna").text.replace("\n", " ")


def test_an_answer_of_every_question_has_less_than_60_kb(tmp_path: Path) -> None:
    text = CardText(Msg("Long"), tuple(Msg(f"{n} " + "é<" * 20) for n in range(5000)))
    room = Room(tmp_path)
    room.open(2)
    note = Message(seat=Seat("anna"), kind=MailKind.ANSWER, answers=fitting([text]), position=True, options=True)
    room.desk.change("tally-1", "x", lambda context: reply_result(context, note, "x"))
    assert len(room.last("anna").raw) < MOST


@pytest.mark.parametrize("lines", [1, 30, 3000])
def test_what_fits_is_told_whole(lines: int) -> None:
    blocks = tuple(CardText(Msg(f"Block {n}"), tuple(Msg("x" * 50) for _ in range(lines))) for n in range(3))
    found = fitting(blocks)
    assert found == blocks or (size_of(found) < LARGEST + 500 and "left out" in str(found[-1].lines[0]))
    assert (found == blocks) == (lines < 100)
