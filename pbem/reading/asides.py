"""What a line goes on to say behind a whole order: a sentence of its own, or an apology or a wish behind a comma; and
why an order is given, before it («out of ideas so pass»); and how a letter opens («Good day from the rain! Pass»).

Contract, «How a letter is read»: what holds no word of the game and neither doubts, denies, asks nor names another way
is passed over and shown, as a line below the orders is. Inside one line more words are doubts than below it: who has
second thoughts has them at once («pass. Hmm, let me think»).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from pbem.reading import kinds
from pbem.reading.phrases import ASIDES, GREETINGS, IS, OF_THINGS, POINTING, WAVERS, words_of

_END = re.compile(r"(?<!\.)[.!]+\s+(?=\S)|\s*,\s+(?=\S)|\s+[-–—]\s+(?=\S)")
"""A sentence that ends, but not one that trails off, or a comma or dash."""
_ENDED = re.compile(r"(?<!\.)[.!]+\s+(?=\S)")
_SO = re.compile(r",?\s+(?:so|donc|alors)\s+", re.IGNORECASE)
_SENTENCE = 3
"""Words that a sentence about something has at least."""
_LONGEST = 12
"""No aside has more words."""


def endings(line: str) -> Iterator[tuple[str, str, bool]]:
    """Where an order may end in a line, the latest first: the order, what is behind it, whether a sentence ended."""
    for found in reversed(list(_END.finditer(line))):
        stop = found[0].strip()[:1]
        if ".." not in found[0]:
            yield line[: found.start()], line[found.end() :], stop in (".", "!")


def reason(line: str) -> tuple[str, str]:
    """What stands before «so» in a line, and the order behind it; two empty texts where there is none."""
    before, _, order = _SO.sub("\n", line, count=1).partition("\n")
    return (before, order) if order else ("", "")


def opening(line: str) -> tuple[str, str]:
    """The sentence that a line opens with where that greets, and what is behind it; two empty texts for none."""
    before, _, order = _ENDED.sub("\n", line, count=1).partition("\n")
    words = [word for word, _, _ in words_of(before)]
    return (before, order) if order and words and GREETINGS.at(words, 0) else ("", "")


def _tells_a_thing(words: list[str]) -> bool:
    """Whether they tell of something, and not of what was said before: «dinner is waiting»."""
    told = len(words) >= _SENTENCE and (OF_THINGS.at(words, 0) or IS.at(words, 1) or IS.at(words, 2))
    return bool(told) and {*words}.isdisjoint(POINTING)


def is_aside(
    text: str,
    names: Collection[str],
    verbs: Collection[str],
    known: Collection[str],
    commands: Collection[str],
    *,
    before: bool = False,
) -> bool:
    """Whether words beside an order say nothing of it. Behind it they begin as thanks, a wish, praise or an apology do,
    or tell of something else; what else is said at once («Scrap that.») may be of the order. With `before` they are
    why it is given."""
    words = [word for word, _, _ in words_of(text)]
    people = {word for name in names for word, _, _ in words_of(name)}
    if not words or len(words) > _LONGEST or "?" in text or ".." in text or "…" in text or kinds.in_doubt(text):
        return False
    begun = 0 if before else ASIDES.at(words, 0)
    if not (before or begun or _tells_a_thing(words)):
        return False
    said = [] if begun and people.issuperset(words[begun:]) else words[begun:]  # «sorry Emily»
    if not {*said, *(word.removesuffix("'s") for word in said)}.isdisjoint(WAVERS | people | {*commands}):
        return False
    noun = "the " if len(said) > 1 and IS.at(said, 1) else ""  # «dinner is waiting»: its first word is no verb
    rest = " ".join(said)
    return kinds.is_chatter(noun + rest, verbs, known, commands) and not kinds.tells(rest, verbs)
