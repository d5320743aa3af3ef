"""A message as plain data, as it lies with its record: with the commit it is enough to write the same mail again."""

from __future__ import annotations

from typing import Any

from engine.catalog import Arg, Msg
from engine.chronicle import Data
from engine.game import CardText, Seat
from pbem.outbound.mail import Choice, MailKind, Message, Said, Spoken

_PLAIN = ("own", "since", "position", "public", "options", "quiet", "brief", "answering", "root", "last")
"""What is written as it is."""


def pack(draft: Message) -> Data:
    """The draft as plain data for TOML; what is empty is left out."""
    found: Data = {"seat": draft.seat, "kind": str(draft.kind), "heard": draft.heard, "told": draft.told}
    for name in _PLAIN:
        if value := getattr(draft, name):
            found[name] = value
    if draft.said:
        found["said"] = [_pack_said(said) for said in draft.said]
    if draft.notes:
        found["notes"] = [pack_msg(note) for note in draft.notes]
    if draft.earned:
        found["earned"] = [pack_msg(says) for says in draft.earned]
    if draft.answers:
        found["answers"] = [
            {"title": pack_msg(block.title), "lines": [pack_msg(line) for line in block.lines]}
            for block in draft.answers
        ]
    if draft.messages:
        found["messages"] = [[one.who, one.text, one.alone] for one in draft.messages]
    if draft.choices:
        found["choices"] = [_pack_choice(choice) for choice in draft.choices]
    return found


def unpack(data: Data) -> Message:
    """Read what `pack` wrote. Raises KeyError or ValueError on anything else."""
    plain = {name: data[name] for name in ("heard", "told", *_PLAIN) if name in data}
    return Message(
        seat=Seat(data["seat"]),
        kind=MailKind(data["kind"]),
        said=tuple(_unpack_said(row) for row in data.get("said", ())),
        notes=tuple(unpack_msg(row) for row in data.get("notes", ())),
        answers=tuple(
            CardText(unpack_msg(row["title"]), tuple(unpack_msg(line) for line in row["lines"]))
            for row in data.get("answers", ())
        ),
        messages=tuple(Spoken(str(who), str(text), bool(alone)) for who, text, alone in data.get("messages", ())),
        earned=tuple(unpack_msg(row) for row in data.get("earned", ())),
        choices=tuple(_unpack_choice(row) for row in data.get("choices", ())),
        **plain,
    )


def _pack_said(said: Said) -> Data:
    found: Data = {"written": said.written}
    if said.understood:
        found["understood"] = said.understood
    for name, msgs in (("effects", said.effects), ("assumed", said.assumed), ("possible", said.possible)):
        if msgs:
            found[name] = [pack_msg(msg) for msg in msgs]
    if said.reason is not None:
        found["reason"] = pack_msg(said.reason)
    return found


def _unpack_said(row: Data) -> Said:
    return Said(
        row["written"],
        row.get("understood", ""),
        tuple(unpack_msg(msg) for msg in row.get("effects", ())),
        tuple(unpack_msg(msg) for msg in row.get("assumed", ())),
        unpack_msg(row["reason"]) if "reason" in row else None,
        tuple(unpack_msg(msg) for msg in row.get("possible", ())),
    )


def _pack_choice(choice: Choice) -> Data:
    says = {} if choice.says is None else {"says": pack_msg(choice.says)}
    return {"text": choice.text, **says}


def _unpack_choice(row: Data) -> Choice:
    return Choice(row["text"], unpack_msg(row["says"]) if "says" in row else None)


def pack_msg(msg: Msg) -> Data:
    found: Data = {"text": msg.text}
    if msg.many:
        found["many"] = msg.many
    if msg.args:
        # A list of pairs and not a table: the order of the arguments is part of the message's value.
        found["args"] = [[name, _pack_arg(value)] for name, value in msg.args]
    return found


def _pack_arg(value: Arg) -> Any:
    if isinstance(value, Msg):
        return pack_msg(value)
    return [_pack_arg(part) for part in value] if isinstance(value, tuple) else value


def unpack_msg(data: Data) -> Msg:
    args = tuple((str(name), _unpack_arg(value)) for name, value in data.get("args", ()))
    return Msg(data["text"], data.get("many", ""), args)


def _unpack_arg(value: Any) -> Any:
    if isinstance(value, dict):
        return unpack_msg(value)
    return tuple(_unpack_arg(part) for part in value) if isinstance(value, list) else value
