"""All actions and questions of the moderator, and the lines of mails that name one: `gm hold because …`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from engine.catalog import T
from engine.errors import NotUnderstood
from engine.kit.words import fold_text
from engine.reference import CardText
from pbem.admin import admin_questions
from pbem.admin.actions import (
    lifecycle,
    position_text,
    position_values,
    rollback,
    seat_holders,
    seat_orders,
    time_limits,
)
from pbem.admin.admin_action import AdminAction, AdminWord, ArgumentKind, admin_question
from pbem.admin.tables import invitations
from pbem.desk.core.context import Context

PREFIX = "gm"


@admin_question(T("this list"), word="help")
def help_question(context: Context) -> tuple[CardText, ...]:
    """All words that a mail may say."""
    rows = tuple(T("«{usage}»: {says}", usage=one.usage, says=one.says) for one in BY_MAIL.values())
    return (CardText(T("What the moderator can write"), rows),)


ADMIN_WORDS: tuple[AdminWord, ...] = (
    admin_questions.status,
    admin_questions.log,
    admin_questions.trial_question,
    admin_questions.fsck_question,
    help_question,
    rollback.undo,
    rollback.rollback,
    rollback.rollforward,
    seat_orders.give_orders,
    position_values.set_value,
    position_text.edit,
    invitations.start,
    invitations.invite,
    lifecycle.hold,
    lifecycle.resume,
    lifecycle.resend,
    time_limits.deadline,
    time_limits.away,
    time_limits.set_pace,
    seat_holders.computer,
    seat_holders.replace_holder,
    seat_holders.rename,
    seat_holders.address,
    lifecycle.remark,
    lifecycle.end,
    lifecycle.abandon,
)
"""In the order of `gm help`. `pbem mend` is none of them, since it looks after the whole host."""

BY_MAIL = {one.word: one for one in ADMIN_WORDS if not (isinstance(one, AdminAction) and not one.by_mail)}
AT_TERMINAL = {one.word: one for one in ADMIN_WORDS if isinstance(one, AdminAction) and one.at_terminal}

_WHY = re.compile(r"(?:^|\s)(?:because|parce que)\s+(.*)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AdminLine:
    """One line as it was read: its word, the text behind it, and the reason."""

    word: AdminWord
    argument: str
    why: str
    line: str

    def values(self) -> dict[str, Any]:
        """The arguments by name. Raises NotUnderstood."""
        return self.word.read(self.argument)


def is_admin_line(line: str) -> bool:
    """Whether a line begins with `gm`."""
    words = line.split(None, 1)
    return bool(words) and fold_text(words[0]).rstrip(":") == PREFIX


def parse_admin_line(line: str) -> AdminLine:
    """Read one line. Raises NotUnderstood with the words there are."""
    words = line.split(None, 2)
    said = fold_text(words[1]).rstrip(":") if len(words) > 1 else "help"
    word = BY_MAIL.get(said)
    if word is None:
        raise NotUnderstood(
            T("«gm {word}» is nothing that can be asked of the moderator's desk.", word=said[:40]),
            possible=(T("gm and one of: {words}", words=tuple(BY_MAIL)),),
        )
    rest = words[2] if len(words) > 2 else ""
    match = None if any(one.takes is ArgumentKind.TEXT for one in word.takes) else _WHY.search(rest)
    argument = rest[: match.start()] if match else rest
    return AdminLine(word, argument.strip(), match[1].strip() if match else "", line)
