"""What is asked back: nothing is done of such a letter, and its short answer numbers what it may have meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.catalog import Msg, T
from engine.errors import OrderRefused
from pbem.inbound.sanitize import WRITTEN_LIMIT, clean_text
from pbem.outbound.mail import Choice, LineAnswer

NO_ORDER = T("No order was found in your letter. Write one order a line, or the number of an option.")
FEW = 2
"""Lines that were understood and do not stand, up to which each is shown."""


class AskedBack(OrderRefused):
    """A line that is not played before its writer has said which of `choices` it means. Without choices the answer
    lists the game's options, in which the line's number goes on to count."""

    word = "asked back"

    def __init__(self, reason: Msg, choices: tuple[Choice, ...] = ()) -> None:
        super().__init__(reason)
        self.choices = choices


def as_choices(*texts: str) -> tuple[Choice, ...]:
    """Lines of a letter to choose from, that need no sentence."""
    return tuple(Choice(text) for text in texts)


def playable_alone(count: int, at: int = 1) -> tuple[Msg, ...]:
    """How to go on where something stands beside clear orders that may change them; `at` is their number."""
    plays = T(
        "Your move is clear; one line of your letter I can't place. «{at}» plays the move without it.",
        "Your move is clear; {n} lines of your letter I can't place. «{at}» plays the move without them.",
        n=count, at=at,
    )  # fmt: skip
    return plays, T("«--» or «end» on a line of its own ends the reading: what stands below it is never read.")


def notes_without_numbers(notes: Iterable[Msg]) -> tuple[Msg, ...]:
    """A mail's notes without those that name a number of its choices."""
    told = {playable_alone(count)[0].text for count in (1, 2)}
    return tuple(note for note in notes if note.text not in told)


def unread_note(lines: tuple[str, ...]) -> tuple[Msg, ...]:
    """Lines that were passed over, shown once; nothing for none."""
    lines = tuple(filter(None, (clean_text(line, WRITTEN_LIMIT // 2) for line in lines)))
    if not lines:
        return ()
    told = tuple(T("«{line}»", line=line) for line in lines[:5])
    if more := len(lines) - len(told):
        told = (*told, T("{n} more line", "{n} more lines", n=more))
    return (T("Not read: {lines}", lines=told),)


def unread_notes(notes: Iterable[Msg]) -> tuple[Msg, ...]:
    """Those of a mail's notes that say what `unread_note` does."""
    return tuple(note for note in notes if note.text == unread_note(("…",))[0].text)


def retracted_lines(lines: Sequence[LineAnswer], why: Msg) -> tuple[LineAnswer, ...]:
    """Lines that were understood and do not stand, with the reason; many are told in one sentence."""
    if len(lines) > FEW:
        return (LineAnswer("", reason=T("{n} lines before this one were understood. {why}", n=len(lines), why=why)),)
    return tuple(LineAnswer(line.written, line.understood, (), line.assumed, why) for line in lines)
