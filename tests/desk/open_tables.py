"""Letters about tables that people open and join by mail."""

from __future__ import annotations

from dataclasses import replace

from pbem.host.config import TablesConfig
from tests.desk.room import OWN, Got, Room


def lets(room: Room, who: str, **more: int) -> Room:
    """The host's policy is this from now on."""
    room.desk.services = replace(room.desk.services, tables=TablesConfig(who, **more))  # type: ignore[arg-type]
    return room


def to(got: Got) -> str:
    return str(got.message["To"].addresses[0].addr_spec)


def fresh(room: Room, address: str, text: str, **fields: str) -> list[Got]:
    """What a letter without a key leads to."""
    room.count += 1
    before = len(room.mails())
    letter = f"From: {address}\nTo: {OWN}\nSubject: hello\nMessage-ID: <fresh{room.count}@people.test>\n"
    letter += "".join(f"{name}: {value}\n" for name, value in fields.items())
    room.post(f"{letter}\n{text}\n".encode())
    return room.mails()[before:]


def answer(room: Room, address: str, text: str, mail: Got) -> list[Got]:
    """What an answer to a mail of ours leads to."""
    before = len(room.mails())
    room.post(room.write("anna", text, to=mail, sender=address))
    return room.mails()[before:]


def opened(room: Room, text: str = "new tally 3 players", by: str = "anna") -> str:
    """A table that somebody with a key has opened; its name."""
    names = set(room.store.names())
    room.send(by, text)
    (new,) = set(room.store.names()) - names
    return new


def seats(room: Room, game: str) -> list[str]:
    return [row.seat for row in room.stored(game).table.seats]
