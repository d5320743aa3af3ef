"""What one mail will say, as far as it cannot be read from the position again; it is kept with the letter's record.

A `Draft` and the commit it belongs to are enough to write the same mail again when the spool was lost.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from engine.catalog import Arg, Msg
from engine.chronicle import Data
from engine.game import Seat
from engine.reference import CardText
from pbem.outbound.mail import Choice, MailKind, Said, Spoken


@dataclass(frozen=True, slots=True)
class Draft:
    """One mail to come.

    `heard` is the number of the record whose entries the seat was told last; `own` says that the entries of the
    draft's own record are told by `said` and not again as news; `position` that the position is shown whoever is
    asked; `public` that the mail is a view to forward, without token and options.
    """

    seat: Seat
    kind: MailKind
    said: tuple[Said, ...] = ()
    notes: tuple[Msg, ...] = ()
    answers: tuple[CardText, ...] = ()
    messages: tuple[Spoken, ...] = ()
    heard: int = 0
    told: int = 0
    """Number of the last entry the seat was told before."""
    own: bool = False
    position: bool = False
    public: bool = False
    quiet: bool = False
    """No news, no position: for a mail that must not fail."""
    answering: str = ""
    """Message-ID of the letter it answers."""
    root: str = ""
    last: str = ""
    """Thread: the intents of its first and of its last mail."""
    since: int = 0
    """With `own`: number of the last entry that `said` tells; later ones of the record are news. 0: it tells all."""

    options: bool = False
    """The options are listed even to a seat that has answered."""
    earned: tuple[Msg, ...] = ()
    """What the end of the game adds to the achievements of the seat's holder."""
    choices: tuple[Choice, ...] = ()
    """Choices of the mail's own, in place of the game's options."""
    brief: bool = False
    """The position is not repeated, whatever the kind."""

    def retold(self, kind: MailKind) -> Draft:
        """The same content in a mail of another kind."""
        return replace(self, kind=kind)


def pack(draft: Draft) -> Data:
    """The draft as plain data for TOML; what is empty is left out."""
    found: Data = {"seat": draft.seat, "kind": str(draft.kind), "heard": draft.heard, "told": draft.told}
    for name in ("own", "since", "position", "public", "options", "quiet", "brief", "answering", "root", "last"):
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


def unpack(data: Data) -> Draft:
    """Read what `pack` wrote. Raises KeyError or ValueError on anything else."""
    return Draft(
        Seat(data["seat"]),
        MailKind(data["kind"]),
        tuple(_unpack_said(row) for row in data.get("said", ())),
        tuple(unpack_msg(row) for row in data.get("notes", ())),
        tuple(
            CardText(unpack_msg(row["title"]), tuple(unpack_msg(line) for line in row["lines"]))
            for row in data.get("answers", ())
        ),
        tuple(Spoken(str(who), str(text), bool(alone)) for who, text, alone in data.get("messages", ())),
        data["heard"],
        data["told"],
        data.get("own", False),
        data.get("position", False),
        data.get("public", False),
        data.get("quiet", False),
        data.get("answering", ""),
        data.get("root", ""),
        data.get("last", ""),
        data.get("since", 0),
        data.get("options", False),
        tuple(unpack_msg(row) for row in data.get("earned", ())),
        tuple(_unpack_choice(row) for row in data.get("choices", ())),
        data.get("brief", False),
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
