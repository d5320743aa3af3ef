"""What kind of line a line is, before the game is asked: greeting, chatter, closing, number.

Contract, «What is assumed»: before the first order a fixed list of greetings is passed over, and lines that hold no
word of the game and are not within two letters of a verb; after it only a listed closing ends the reading.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from collections.abc import Iterable

from pbem.commands.word import folded

GREETINGS = (
    *("hi", "hello", "hey", "dear", "good morning", "good afternoon", "good evening", "good day", "greetings"),
    *("bonjour", "bonsoir", "salut", "coucou", "cher", "chere", "chers", "cheres", "hi there", "hello there"),
    *("howdy", "hiya", "re", "rebonjour", "hola", "moin", "hallo", "ciao"),
)
"""What may open a letter, folded."""

CLOSINGS = (
    *("thanks", "thank you", "thx", "ty", "many thanks", "thanks a lot", "cheers", "best", "best regards", "regards"),
    *("kind regards", "warm regards", "best wishes", "bye", "good night", "good luck", "have fun", "yours"),
    *("sincerely", "yours sincerely", "sent from my phone"),
    *("see you", "see you soon", "take care", "all the best", "greetings", "love", "have a nice day", "good evening"),
    *("merci", "merci beaucoup", "merci bien", "mille mercis", "cordialement", "bien cordialement", "amities"),
    *("bien a vous", "bien a toi", "a bientot", "a plus", "a+", "au revoir", "bonne soiree", "bonne journee"),
    *("bonne nuit", "bonne chance", "bises", "bisous", "amicalement", "salutations", "a demain", "ciao", "tchao"),
)
"""What may end a letter, folded."""

_COMPANY = (
    *("all", "everyone", "everybody", "folks", "friends", "guys", "team", "there", "and", "a", "the", "again", "you"),
    *("a tous", "a toutes", "tous", "toutes", "tout le monde", "les amis", "et", "encore", "vous", "toi"),
)
_WORDS = re.compile(r"[a-z0-9+'-]+")
_DIE = re.compile(r"(?:[a-z0-9-]+:)?[a-z]{1,2}[0-9]{1,2}")
_NUMBER = re.compile(
    r"(?:(?:option|choix|no|nr)\.?\s*|#\s*|n°\s*)?"
    r"(?:\[\s*([0-9]{1,3})\s*\]|\(\s*([0-9]{1,3})\s*\)|([0-9]{1,3}))[.!)]?"
)
_PARTICLES = frozenset(
    (
        *("a", "an", "and", "as", "at", "by", "for", "from", "i", "in", "me", "my", "no", "not", "of", "on", "or"),
        *("out", "the", "then", "times", "to", "up", "use", "using", "with", "once"),
        *("avec", "de", "des", "du", "et", "la", "le", "les", "par", "pour", "sur", "un", "une"),
    )
)
"""Small words that orders and letters share: alone they make no order of a line."""


def option_number(line: str) -> int | None:
    """The number of an option: `3`, `option 3`, `[3]`, `3.`; None for any other line."""
    match = _NUMBER.fullmatch(folded(line))
    if match is None:
        return None
    return int(match[1] or match[2] or match[3])


def _spent(line: str, phrases: Iterable[str], names: Collection[str]) -> tuple[bool, bool]:
    """Whether the whole line is made of phrases, company and names, and whether it holds a phrase or a name."""
    words = _WORDS.findall(folded(line))
    firsts = {part for name in names for part in _WORDS.findall(folded(name)) if len(part) > 1}
    listed = {tuple(phrase.split()) for phrase in phrases}
    company = {tuple(phrase.split()) for phrase in _COMPANY}
    told, at = False, 0
    while at < len(words):
        for size in (4, 3, 2, 1):
            part = tuple(words[at : at + size])
            if len(part) == size and (part in listed or part in company or (size == 1 and part[0] in firsts)):
                told = told or part not in company
                at += size
                break
        else:
            return False, told
    return True, told


def is_greeting(line: str, names: Collection[str] = ()) -> bool:
    """Whether a line greets and does nothing else. `names` are the people of the table."""
    whole, told = _spent(line, GREETINGS, names)
    return whole and told


def is_closing(line: str, names: Collection[str] = ()) -> bool:
    """Whether a line closes a letter: thanks, merci, regards, a name of the table. Punctuation does not matter."""
    whole, told = _spent(line, CLOSINGS, names)
    return whole and told


def is_chatter(line: str, verbs: Collection[str], known: Collection[str], commands: Collection[str] = ()) -> bool:
    """Whether a line may be passed over before the first order.

    It may when it holds no verb, die, card or place word, and neither the line nor its first word is nearly a verb.
    `verbs` and `known` are the game's words; of `commands` only a first word that is nearly a long one counts.
    """
    words = _WORDS.findall(folded(line))
    if not words:
        return True
    # Two words and three joined, because a place or card may be written apart: `city hall` for `city-hall`.
    joined = {"-".join(words[at : at + size]) for size in (1, 2, 3) for at in range(len(words) - size + 1)}
    if joined & ({folded(word) for word in (*verbs, *known)} - _PARTICLES):
        return False
    if any(_DIE.fullmatch(word) for word in words):
        return False
    whole = " ".join(words)
    if any(within(whole, folded(verb), 2) for verb in verbs):
        return False
    # Short commands are near too many plain words («well», «may») to count.
    return not nearest(words[0], (*verbs, *(command for command in commands if len(command) > 4)))


def nearest(word: str, words: Iterable[str]) -> str:
    """The word that `word` is a slip away from: one letter for words up to six, two for longer ones; else empty."""
    wanted = folded(word)
    for most in (0, 1, 2):
        for candidate in sorted(words):
            allowed = 0 if len(candidate) < 3 else 1 if len(candidate) < 7 else 2
            if most <= allowed and within(wanted, folded(candidate), most):
                return candidate
    return ""


def within(one: str, other: str, most: int) -> bool:
    """Whether at most `most` letters are missing, extra, wrong or swapped with a neighbour."""
    if abs(len(one) - len(other)) > most:
        return False
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, char in enumerate(one, 1):
        following = [at]
        for to, wanted in enumerate(other, 1):
            cost = min(row[to] + 1, following[to - 1] + 1, row[to - 1] + (char != wanted))
            if at > 1 and to > 1 and char == other[to - 2] and one[at - 2] == wanted:
                cost = min(cost, before[to - 2] + 1)
            following.append(cost)
        before, row = row, following
    return row[-1] <= most
