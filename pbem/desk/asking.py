"""What is asked back: orders that a letter may not have meant (contract, «How a letter is read»).

Nothing is done of such a letter; the answer is short and numbers complete orders, of which one number plays one.
"""

from __future__ import annotations

from engine.catalog import Msg, T
from engine.errors import OrderRefused
from pbem.inbound.speech import WRITTEN_LIMIT, relayed
from pbem.outbound.mail import Choice


class AskedBack(OrderRefused):
    """A line that is not played before its writer has said what it means. `choices` are what it may mean.

    Without choices of its own the answer lists the game's options, in which the line's number goes on to count.
    """

    word = "asked back"

    def __init__(self, reason: Msg, choices: tuple[Choice, ...] = ()) -> None:
        super().__init__(reason)
        self.choices = choices


def choices_of(*texts: str) -> tuple[Choice, ...]:
    """Lines of a letter to choose from, that need no sentence."""
    return tuple(Choice(text) for text in texts)


def end_of_sentence(line: str, choices: tuple[Choice, ...]) -> AskedBack:
    """A number or a word that may be the rest of the sentence above it."""
    return AskedBack(
        T("I saw «{order}» at the end of a sentence. If it is your order, send it alone.", order=line), choices
    )


def name_or_order(line: str, choices: tuple[Choice, ...]) -> AskedBack:
    """A line that is somebody's name and an order too."""
    says = T("«{line}» is a name at this table and an order too. I cannot tell which of them you mean.", line=line)
    return AskedBack(says, choices)


def several_lists(number: int, choices: tuple[Choice, ...]) -> AskedBack:
    """A number that means different orders in the mails which the letter may answer."""
    says = T("Your letter does not tell which of my mails it answers, and «{n}» is not the same in all.", n=number)
    return AskedBack(says, choices)


def number_against_words(number: int, choices: tuple[Choice, ...]) -> AskedBack:
    """A number beside words that are another order than that option."""
    return AskedBack(T("The words beside «{n}» are not option {n} of the mail that you answer.", n=number), choices)


def line_below() -> Msg:
    """Why a line under the orders, which is none, keeps them from being played."""
    return T("This line is no order, and it may change what the lines above it mean.")


def ways_on(choices: tuple[Choice, ...]) -> tuple[Msg, ...]:
    """How to go on after a line under the orders: pass it over, or end the reading above it."""
    ends = T("«--» or «end» on a line of its own ends the reading: what stands below it is never read.")
    if not choices:
        return (ends,)
    return (T("To play what stands above that line and to pass the line over, answer «1»."), ends)


def not_read(lines: tuple[str, ...]) -> tuple[Msg, ...]:
    """Lines that were passed over, shown once; nothing for none."""
    if not lines:
        return ()
    told = tuple(T("«{line}»", line=shown(line)) for line in lines[:5])
    if more := len(lines) - len(told):
        told = (*told, T("{n} more line", "{n} more lines", n=more))
    return (T("Not read: {lines}", lines=told),)


def shown(line: str) -> str:
    """A line of a letter as it may stand within a sentence."""
    return relayed(line, WRITTEN_LIMIT // 2)
