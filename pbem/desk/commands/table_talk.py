"""Talk between the people of a table: `say` to everybody, `tell` to one seat, `note` to oneself.

Private words must not go to all by a slip: a `say` that may be meant for one seat is asked back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood
from engine.game import Seat
from engine.kit.words import fold_text
from pbem.desk.commands.clarification import AskedBack
from pbem.desk.commands.command import Command, Does
from pbem.desk.core.result import Talk
from pbem.inbound.sanitize import MESSAGE_LIMIT, clean_text
from pbem.outbound.mail import Choice

NOTE = "note"
_MARK = re.compile(r"\d+(?:[.,]\d+)?\s*(?:/|sur|out of)\s*\d+\b")
FOR_ME = "private:"
"""Before a note that might be none by itself."""


def _is_note(said: str) -> bool:
    """Whether it may be noted: people begin sentences with the word, and give marks with it («note : 20/20»)."""
    return said.split(" ")[0] not in ("", "that", "que", "bien", "also") and not _MARK.match(said)


COMMANDS = (
    Command(
        "say", Does.SAY, T.of("a letter", "say TEXT"),
        T("tells everybody at the table, on one line; «say all: …» where it begins with a name"),
        ("dire",), argument=True, needs=True, values={"fr": {"all:": "tous:"}},
    ),
    Command(
        "tell", Does.SAY, T.of("a letter", "tell anna: TEXT"), T("tells one player only, on one line"),
        ("chuchoter",), argument=True, needs=True,
    ),
    Command(
        NOTE, Does.SAY, T.of("a letter", "note TEXT"),
        T("keeps a note, which you alone can read («notes»); when the game is over the whole table reads it"),
        ("noter",), argument=True, needs=True, only=_is_note, values={"fr": {FOR_ME: "privé:"}},
    ),
)  # fmt: skip

_ALL = re.compile(
    r"(?:(?:to|à|a)\s+)?(?:all|everybody|everyone|the table|tous|toutes|tout le monde|(?:toute )?la table"
    r"|aux autres)\s*:",
    re.IGNORECASE,
)
_TOWARDS = re.compile(r"(?:to|à|a|for|pour)\s+", re.IGNORECASE)
_BUT = re.compile(
    r"(?:(?:to|à|a|aux)\s+)?(?:all|everybody|everyone|(?:the )?others|the table|tous|toutes|tout le monde"
    r"|(?:les )?autres|la table)\s*,?\s*(?:but not|but|except for|except|save|apart from|other than|and not|not|sauf"
    r"|hormis|except[ée]|[àa] part|mais pas|et pas|pas)\s+(?:to\s+|[àa]\s+)?",
    re.IGNORECASE,
)
"""A text for all but somebody."""
_APART = re.compile(
    r"(?:(?:it|this|that|[çc]a|cela)\s+)?(?:(?:only|just|seulement|juste)\s*,?\s+(?=(?:to|à|a|pour)\s)"
    r"|(?:in private|private|privately|secretly|in secret|secret|en priv[ée]|priv[ée]|en secret|secr[èe]tement)\s*"
    r"(?:,?\s+(?=(?:to|à|a|pour)\s)|:\s*))",
    re.IGNORECASE,
)
"""Words before a text, or before a name, that make it private."""
_FEW = re.compile(
    r"\b(?:only|just for|private|privately|secret|secretly|psst|eyes|between us|seulement|uniquement|rien que|prive"
    r"|entre nous|confidence|confidentiel|chut)\b"
)
"""Folded words that may make a text private in which somebody is named."""
_ALONE = re.compile(
    r"[\s,(]*(?:(?:and|et|mais|but)\s+)?(?:only|alone|just (?:to )?(?:her|him|them)|in private|privately"
    r"|secretly|in secret|for (?:her|his|their) eyes only|private|seulement|uniquement|seule?"
    r"|(?:(?:seulement|uniquement)\s+)?(?:rien qu')?[àa] (?:elle|lui)(?: seule?)?|en priv[ée]|priv[ée]"
    r"|en secret|en aparté|discrètement)[\s)]*[:,]\s*",
    re.IGNORECASE,
)
"""Words behind a name that make a text private."""
_SENT = re.compile(
    r"(?P<text>[^\s:]+(?:\s+[^\s:]+){0,2})\s+(?:to|à|a)\s+(?P<name>[^:]+?)"
    r"(?:\s+(?:from me|for me|de ma part|pour moi))?\W*",
    re.IGNORECASE,
)
"""One to three words and a name: «hello to Faye from me»."""
_TO_ONE = re.compile(r"[àa]\s", re.IGNORECASE)
_AND = re.compile(r"\s*(?:,|;|/|&|\+|and\b|et\b|or\b|ou\b)\s*", re.IGNORECASE)
_MARKS = " \t@«»\"'“”‘’*_([-–—:,;."
"""What may stand before a name."""

_FOR_ME = re.compile(
    r"(?:for me|to (?:my)?self|pour moi|perso(?:nnelle)?|priv[ée]e?|private)(?:\s+(?:alone|seule?))?\s*:\s*",
    re.IGNORECASE,
)
"""Words before a note that need not be kept: it is always private."""

_GOING_TO = re.compile(r"(?:\bi|\bje|\bi ?'?ll|\bwill|\bshall|\bgoing to|\bgonna|\bimma|\bvais|\bon va)\W*$")
"""Words before an announcement: «I will tell Faye»."""

_ARTICLES = frozenset({"the", "le", "la", "les", "an", "un", "une", "de", "du", "mr", "mrs", "ms", "dr", "mme"})
_LONGEST_NAME = 80


def parse_message(command: Command, argument: str, names: Mapping[Seat, str], seat: Seat) -> Talk:
    """Read the text after `say` or `tell`; `names` maps seats to display names.

    Raises NotUnderstood without a text or a known seat, NotAllowed for a text that is too long or to oneself,
    AskedBack where it may have been meant for one seat alone.
    """
    to, text = _to_one(argument, names) if command.word == "tell" else _to_all(argument, names, seat)
    if to == seat:
        raise NotAllowed(T("That is your own seat."), possible=_ways(names, seat))
    return Talk(to, _kept(command, text))


def announces_talk(written: str, words: str) -> bool:
    """Whether a sentence only tells that its last words are going to be said: «I will tell Faye»."""
    return _GOING_TO.search(fold_text(written.strip().removesuffix(words))) is not None


def excludes_somebody(text: str) -> bool:
    """Whether a text is for all but somebody: «all but Faye …»."""
    return _BUT.match(text) is not None


def strip_signature(one: Talk, names: Iterable[str]) -> Talk:
    """Take its writer's name off the end. Raises NotAllowed where nothing else is said."""
    ones = {word for name in names for word in (name.strip(), name.strip().partition(" ")[0]) if len(word) > 1}
    either = "|".join(sorted(map(re.escape, ones), key=len, reverse=True))
    signed = rf"(?:^|[\s,;:.!?()–—-]+)(?:{either})[\s.!)]*$"
    text = re.sub(signed, "", one.text, flags=re.IGNORECASE) if ones else one.text
    if not text:
        raise NotAllowed(T("At this table nobody says before the end who they are."))
    return replace(one, text=text)


def parse_note(command: Command, argument: str, author: str) -> Talk:
    """Read the text after `note`, which goes to nobody but its author (`author_id`). Raises as `parse_message` does."""
    return Talk(Seat(author), _kept(command, argument[found.end() if (found := _FOR_ME.match(argument)) else 0 :]))


def _kept(command: Command, text: str) -> str:
    text = clean_text(text, 0)
    if not text:
        raise NotUnderstood(T("«{word}» needs a text on the same line.", word=command.name))
    if len(text) > MESSAGE_LIMIT:
        raise NotAllowed(
            T("A message has at most {most} characters; this one has {n}.", most=MESSAGE_LIMIT, n=len(text))
        )
    return text


def _to_all(argument: str, names: Mapping[Seat, str], seat: Seat) -> tuple[Seat | None, str]:
    """A text for the table: `say TEXT`, `say all: TEXT`; `dire à ANNA : TEXT` is for one."""
    if match := _ALL.match(argument):
        return None, argument[match.end() :]
    but = _BUT.match(argument)
    apart = _APART.match(argument)
    begun = but or apart
    seats, text, colon = _named(argument[begun.end() if begun else 0 :], names)
    if not begun and (sent := _SENT.fullmatch(argument)):
        behind = tuple(one for one, name in names.items() if fold_text(sent["name"]) in _forms(one, name))[:1]
        seats, text = (behind, sent["text"]) if behind else (seats, text)
    if apart and not seats:
        seats = tuple(one for one in names if one != seat)
    if not seats and not (seats := _perhaps_to(argument, names)):
        return None, argument
    if but:
        text, seats = text.removeprefix(":"), tuple(one for one in names if one not in (*seats, seat))
    elif colon and len(seats) == 1 and _TO_ONE.match(argument):
        return seats[0], text
    others = tuple(one for one in seats if one != seat)
    if not others:
        return None, argument
    text, whole = clean_text(text.lstrip(" ,;"), MESSAGE_LIMIT), clean_text(argument, MESSAGE_LIMIT)
    choices = [Choice(f"tell {one}: {text or whole}", T("only to {name}", name=names[one])) for one in others]
    choices.append(Choice(f"say all: {whole}", T("to everybody at the table")))
    called = tuple(names[one] for one in others)
    says = T("The text begins with the name of {names}. Is it private, or for all?", names=called)
    if begun or not _named(argument, names)[0]:
        says = T("This may not be meant for all. Is it private, or for all?")
    raise AskedBack(says, tuple(choices))


def _perhaps_to(argument: str, names: Mapping[Seat, str]) -> tuple[Seat, ...]:
    """Whom a text may be for alone: who is named in it, beside a word for few."""
    words = fold_text(argument)
    said = {one: "|".join(map(re.escape, _forms(one, name))) for one, name in names.items()}
    return tuple(one for one, forms in said.items() if _FEW.search(words) and re.search(rf"\b(?:{forms})\b", words))


def _to_one(argument: str, names: Mapping[Seat, str]) -> tuple[Seat | None, str]:
    """`tell anna: TEXT`, `tell Anna TEXT`, `chuchoter à Anna : TEXT`."""
    seats, text, colon = _named(argument, names)
    if len(seats) == 1:
        further = None if colon else _AND.match(text)
        if further is None or not _named(text[further.end() :], names)[0]:
            return seats[0], text.lstrip(" ,;")
        raise NotUnderstood(T("«tell» goes to one seat; write one line for each."), possible=_ways(names))
    if len(seats) > 1:
        called = tuple(names[seat] for seat in seats)
        raise NotUnderstood(T("Several seats may be meant: {names}.", names=called), possible=_ways(names))
    head = argument.partition(":")[0] if ":" in argument[: _LONGEST_NAME + 1] else argument.partition(" ")[0]
    raise NotUnderstood(
        T("No seat at this table is called «{name}».", name=clean_text(head, 40)), possible=(*_ways(names), T("say …"))
    )


def _named(text: str, names: Mapping[Seat, str]) -> tuple[tuple[Seat, ...], str, bool]:
    """The seats whose name a text begins with, what follows the name, and whether a colon does.

    A name is a handle, a display name or its first word; of several fits the longest counts. With `to`, `à` before
    it, and whatever marks it is written with.
    """
    begun = text.lstrip(_MARKS)
    towards = _TOWARDS.match(begun)
    for start in (begun, begun[towards.end() :].lstrip(_MARKS) if towards else ""):
        for end in reversed([match.end() for match in re.finditer(r"\w(?!\w)", start[: _LONGEST_NAME + 1])]):
            said = fold_text(start[:end]).strip()
            if seats := tuple(seat for seat, name in names.items() if said in _forms(seat, name)):
                return seats, *_after(start, end)
    return (), text, False


def _after(text: str, end: int) -> tuple[str, bool]:
    """What follows a name: without the marks between them; the whole text where the name is a part of it (Anna's)."""
    rest = text[end:]
    if alone := _ALONE.match(rest):
        return rest[alone.end() :], True
    if rest[:1] in ("'", "’"):
        return text, False
    bare = rest.lstrip(" \t\u00a0\u202f\"”»*_)]")
    return (bare[1:].lstrip(), True) if bare[:1] in (":", "：") else (rest.lstrip(" \t-–—"), False)


def _forms(seat: Seat, name: str) -> frozenset[str]:
    whole = fold_text(name).strip()
    first = re.split(r"[\s-]", whole, maxsplit=1)[0]
    short = {first} if len(first) > 1 and first not in _ARTICLES else set()
    return frozenset({fold_text(seat), whole, *short})


def _ways(names: Mapping[Seat, str], seat: Seat | None = None) -> tuple[Msg, ...]:
    return tuple(T("tell {seat}: …", seat=other) for other in names if other != seat)
