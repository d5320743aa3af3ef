"""What kind of line a line is, before the game is asked: greeting, chatter, closing, name, number, doubt.

Contract, «How a letter is read»: lines without a word of the game are passed over, but not where they hold a number,
a negation or a condition that may change what an order means, or may be a sentence that goes on in the order.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable

from engine.kit.words import folded, slip, within

GREETINGS = (
    *("hi", "hello", "hey", "dear", "good morning", "good afternoon", "good evening", "good day", "greetings"),
    *("bonjour", "bonsoir", "salut", "coucou", "cher", "chere", "chers", "cheres", "hi there", "hello there"),
    *("howdy", "hiya", "re", "rebonjour", "hola", "moin", "hallo", "ciao"),
)
"""What may open a letter, folded."""

THANKS = (
    *("thanks", "thank you", "thx", "ty", "many thanks", "thanks a lot", "cheers", "bye", "good night", "good luck"),
    *("have fun", "see you", "see you soon", "take care", "have a nice day", "good evening"),
    *("merci", "merci beaucoup", "merci bien", "mille mercis", "a bientot", "a plus", "a+", "au revoir"),
    *("bonne soiree", "bonne journee", "bonne nuit", "bonne chance", "a demain", "ciao", "tchao"),
)
"""What may stand anywhere in a letter and says nothing about orders, folded."""

SIGNED = (
    *("best", "best regards", "regards", "kind regards", "warm regards", "best wishes", "all the best", "love"),
    *("yours", "sincerely", "yours sincerely", "greetings", "sent from my phone"),
    *("cordialement", "bien cordialement", "amities", "bien a vous", "bien a toi", "bises", "bisous", "amicalement"),
    *("salutations",),
)
"""What stands above a signature, folded: what follows is no part of the letter."""

_COMPANY = (
    *("all", "everyone", "everybody", "folks", "friends", "guys", "team", "there", "and", "a", "the", "again", "you"),
    *("a tous", "a toutes", "tous", "toutes", "tout le monde", "les amis", "et", "encore", "vous", "toi"),
)
_WORDS = re.compile(r"[a-z0-9+'-]+")
_DOUBT = frozenset(
    (
        *("not", "never", "nor", "neither", "cannot", "dont", "doesnt", "didnt", "wont", "cant", "isnt", "wasnt"),
        *("shouldnt", "wouldnt", "couldnt", "havent", "hasnt", "but", "if", "unless", "instead", "or", "wait"),
        *("except", "until", "otherwise", "rather", "maybe", "perhaps", "whether", "cancel", "forget", "ignore"),
        *("scratch", "ne", "pas", "jamais", "mais", "si", "sauf", "plutot", "ou", "attends", "attendez", "sinon"),
        *("ni", "peut-etre", "oublie", "oubliez"),
    )
)
"""Words of negation, condition and second thoughts, folded."""

_NUMERALS = frozenset(
    (
        *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "second"),
        *("third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "deux", "trois", "quatre"),
        *("cinq", "sept", "huit", "neuf", "dix", "onze", "douze", "deuxieme", "troisieme", "quatrieme", "cinquieme"),
        *("sixieme", "septieme", "huitieme", "neuvieme", "dixieme"),
    )
)
_AT_EASE = frozenset(("hurry", "rush", "worry", "worries", "problem", "problems", "stress", "pressure", "comment"))
"""After «no» at the beginning of a line: no answer to anything."""

_SMILE = re.compile(r"(?:^|\s)(?:[:;][-']?[)(dpo|/*]|<3|xd|\^\^)$")
_CLOSE = "\"'»)]*_ "
LONG = 55
"""Columns from which a program may have broken a line."""

_BREAKS = 60
"""The narrowest column at which programs break lines."""

_DIE = re.compile(r"(?:[a-z0-9-]+:)?[a-z]{1,2}[0-9]{1,2}")
_PASTED = re.compile(r"\[\s*([0-9]{1,3})\s*\]\s*(\S.*)")
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
    match = _NUMBER.fullmatch(folded(line).strip())
    if match is None:
        return None
    return int(match[1] or match[2] or match[3])


def pasted_option(line: str) -> tuple[int, str] | None:
    """Number and order of an option as our mails write it, `[3] build with W2 · 1 VP`; None for any other line."""
    match = _PASTED.fullmatch(line.strip())
    if match is None:
        return None
    return int(match[1]), match[2].partition(" · ")[0].strip()


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
    whole, told = _spent(line, (*THANKS, *SIGNED), names)
    return whole and told


def is_signature(line: str, names: Collection[str] = ()) -> bool:
    """Whether the reading ends at a line: a name of the table alone, or regards."""
    words = f" {' '.join(_WORDS.findall(folded(line)))} "
    return is_name(line, names) or (is_closing(line, names) and any(f" {phrase} " in words for phrase in SIGNED))


def is_name(line: str, names: Collection[str]) -> bool:
    """Whether a line is a name of the table and nothing else."""
    whole, told = _spent(line, (), names)
    return whole and told


def in_doubt(line: str) -> bool:
    """Whether a line holds a number, a negation or a condition: it may change what an order beside it means."""
    words = _WORDS.findall(folded(line))
    if any(any(map(str.isdigit, word)) or word in _DOUBT or word in _NUMERALS for word in words):
        return True
    if any(word.endswith("n't") or word.startswith("n'") for word in words):
        return True
    if any(word.partition("'")[0] == "s" and word[2:] in ("il", "ils") for word in words):
        return re.search(r"\bs'il (?:te|vous) plait\b", " ".join(words)) is None
    return bool(words) and words[0] in ("no", "non") and (len(words) == 1 or words[1] not in _AT_EASE)


def is_finished(line: str) -> bool:
    """Whether a line ends its sentence: with . ! ? … : or an emoji."""
    end = line.rstrip()
    if end.rstrip(_CLOSE).endswith((".", "!", "?", "…", ":")) or _SMILE.search(end[-4:].lower()):
        return True
    return bool(end) and (unicodedata.category(end[-1]) == "So" or "\U0001f3fb" <= end[-1] <= "\U0001f3ff")


def may_go_on(line: str, below: str) -> bool:
    """Whether the words below may be the rest of this line: it ends no sentence, and a program may have broken it
    or it holds a number, a negation or a condition."""
    if is_finished(line):
        return False
    return may_be_broken(line, below) or in_doubt(line)


def may_be_broken(line: str, below: str) -> bool:
    """Whether a program may have put the words below onto a line of their own for want of room."""
    return len(line) >= LONG or len(line) + 1 + len(below) > _BREAKS


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
    return not slip(words[0], (*verbs, *(command for command in commands if len(command) > 4)))
