"""All actions and questions of the moderator, and the lines of mails that name one: `gm hold because …`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from engine.catalog import T
from engine.errors import NotUnderstood
from engine.kit.words import folded
from engine.reference import CardText
from pbem.desk.context import Context
from pbem.moderation import asked, deeds, gathering, orders, seats, sheet, times, travel, values
from pbem.moderation.deed import Deed, Takes, Word, question

PREFIX = "gm"


@question(T("this list"), word="help")
def listed(context: Context) -> tuple[CardText, ...]:
    """All words that a mail may say."""
    rows = tuple(T("«{usage}»: {says}", usage=one.usage, says=one.says) for one in BY_MAIL.values())
    return (CardText(T("What the moderator can write"), rows),)


WORDS: tuple[Word, ...] = (
    asked.status,
    asked.log,
    asked.trial,
    asked.health,
    listed,
    travel.undo,
    travel.rollback,
    travel.rollforward,
    orders.given,
    values.put,
    sheet.edit,
    gathering.start,
    gathering.invite,
    deeds.hold,
    deeds.resume,
    deeds.resend,
    times.deadline,
    times.away,
    times.paced,
    seats.computer,
    seats.replaced,
    seats.rename,
    seats.address,
    deeds.remark,
    deeds.end,
    deeds.abandon,
)
"""In the order of `gm help`. `pbem mend` is none of them, since it looks after the whole host."""

BY_MAIL = {one.word: one for one in WORDS if not (isinstance(one, Deed) and not one.by_mail)}
AT_TERMINAL = {one.word: one for one in WORDS if isinstance(one, Deed) and one.at_terminal}

_WHY = re.compile(r"(?:^|\s)(?:because|parce que)\s+(.*)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GmLine:
    """One line as it was read: its word, the text behind it, and the reason."""

    word: Word
    argument: str
    why: str
    line: str

    def values(self) -> dict[str, Any]:
        """The arguments by name. Raises NotUnderstood."""
        return self.word.read(self.argument)


def is_line(line: str) -> bool:
    """Whether a line begins with `gm`."""
    words = line.split(None, 1)
    return bool(words) and folded(words[0]).rstrip(":") == PREFIX


def read(line: str) -> GmLine:
    """Read one line. Raises NotUnderstood with the words there are."""
    words = line.split(None, 2)
    said = folded(words[1]).rstrip(":") if len(words) > 1 else "help"
    word = BY_MAIL.get(said)
    if word is None:
        raise NotUnderstood(
            T("«gm {word}» is nothing that can be asked of the moderator's desk.", word=said[:40]),
            possible=(T("gm and one of: {words}", words=tuple(BY_MAIL)),),
        )
    rest = words[2] if len(words) > 2 else ""
    match = None if any(one.takes is Takes.TEXT for one in word.takes) else _WHY.search(rest)
    argument = rest[: match.start()] if match else rest
    return GmLine(word, argument.strip(), match[1].strip() if match else "", line)
