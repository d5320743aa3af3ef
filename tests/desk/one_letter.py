"""One letter from Anna, read in a game that has just begun."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from email.message import EmailMessage

from engine.chance import BlindChance
from engine.game import Seat
from pbem.desk.core.context import Context
from pbem.desk.core.request import Request
from pbem.desk.core.result import Result
from pbem.desk.orders.interpret_letter import interpret
from pbem.inbound.incoming_letter import open_letter
from pbem.store.game_table import SeatRow, Secrets, Status, Table
from pbem.store.state_file import StoredGame
from tests.fakegame import GAME, Run
from tests.fakeposition import Position

ANNA = Seat("anna")


def position() -> Position:
    """Anna to move, three points, nothing rolled."""
    run = Run(None, BlindChance())
    run.note("began", {"seats": ["anna", "bob"], "names": ["Anna", "Bob"], "rounds": 2}, {"anna": {"number": 1}, "bob": {"number": 2}})
    return run.state


def heard(text: str, subtype: str = "plain", names: tuple[str, ...] = ("Anna", "Bob")) -> Result:
    """What becomes of a letter from Anna."""
    message = EmailMessage()
    message["From"] = "anna@people.test"
    message.set_content(text, subtype=subtype)
    letter = open_letter(message.as_bytes())
    assert letter.trouble is None
    return interpret(request(letter.lines, letter.raw_lines, names))


def request(lines: Sequence[str], written: Sequence[str], names: tuple[str, ...] = ("Anna", "Bob")) -> Request:
    """A letter from Anna in a running game."""
    at = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    rows = tuple(SeatRow(seat, name) for seat, name in zip(("anna", "bob"), names, strict=True))
    table = Table("tally-1", "tally", Status.RUNNING, "0", 1, {}, rows, at, at, decisions=1)
    context = Context(game=GAME, stored=StoredGame(table, Secrets("00" * 32)), state=position())
    return Request(context=context, seat=ANNA, lines=lines, written=written)
