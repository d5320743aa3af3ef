"""What a letter asks of the host itself, read from its first line that says anything; and what strangers may ask."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.catalog import Msg, T
from engine.errors import NotAllowed
from engine.kit.words import fold_text
from pbem.desk.core.services import Services
from pbem.desk.pregame import invitation_answer
from pbem.inbound.incoming_letter import Letter
from pbem.reading.courtesy import is_closing, is_greeting

_FIXED = {
    **dict.fromkeys(("tables", "open tables", "les tables"), ("tables", "tables")),
    **dict.fromkeys(("my data", "mes donnees"), ("data", "my data")),
    **dict.fromkeys(("forget me", "oubliez-moi", "oubliez moi", "oublie-moi"), ("forget", "forget me")),
}
"""Requests of fixed words: their word, and their line in one form."""
_NEW = re.compile(
    r"(?:new|nouvelle?|nouveau)\s+(?:(?:game|table|partie)\s+(?:(?:of|de|at|a|à)\s+)?)?(\S+)(.*)", re.IGNORECASE
)
_TABLE = r"((?:[a-z][a-z0-9]*-)?[a-z][a-z-]*-[0-9]+)"
"""A table by its name, which begins with the label of its host where several share the address: `b2-troyes-12`."""
_JOIN = re.compile(rf"(?:{'|'.join(invitation_answer.JOIN)})\s+{_TABLE}\s*(\S.*)?", re.IGNORECASE)
_FOLLOW = re.compile(rf"(follow|suivre)\s+{_TABLE}", re.IGNORECASE)
_UNFOLLOW = re.compile(rf"(?:unfollow|ne plus suivre)(?:\s+{_TABLE})?", re.IGNORECASE)
LANGUAGE_LINE = re.compile(r"(?:language|langue)\s+([^\W\d]+)", re.IGNORECASE)
_GOES_ON = re.compile(r"(?:with|avec)\s|[^@]*=[^@]*$", re.IGNORECASE)
_NAMES = re.compile(r"\s(?:with|avec)\s", re.IGNORECASE)
_ADDRESS = frozenset(("address", "adresse", "email", "e-mail", "mail", "courriel"))
"""Nouns of «new address …», which is for a game's desk."""
_OURS = re.compile(
    r"\b(?:play\w*|games?|tables?|join\w*|seats?|troyes|help|jou(?:er|e|ez|ons)|jeux?|parties?|rejoindre|places?|aide)\b"
)
"""Words of a stranger who seems to look for this host. Any other letter of a stranger is met with silence."""

TRIMMED = " \t*_«»\"'.!"


@dataclass(frozen=True, slots=True)
class HostRequest:
    """One request: its word, its line in one form, and the `game` that it joins or follows."""

    word: str
    line: str
    game: str = ""


def parse_request(services: Services, text: str, holds: str = "") -> HostRequest | None:
    """The request in a line; None for any other line. `holds`: the game of the key in its letter."""
    text = text.strip(TRIMMED)
    if said := _FIXED.get(fold_text(text)):
        return HostRequest(*said)
    # In an answer to a game's mail «language» is for the desk, and may stand beside orders.
    if not holds and (found := LANGUAGE_LINE.fullmatch(text)):
        return HostRequest("language", f"language {found[1]}")
    if found := _FOLLOW.fullmatch(text):
        return HostRequest("follow", text, found[2].lower())
    if found := _UNFOLLOW.fullmatch(text):
        return HostRequest("unfollow", text, (found[1] or "").lower())
    if (found := _JOIN.fullmatch(text)) and found[1].lower() != holds:
        return HostRequest("join", text, found[1].lower())
    if found := _NEW.fullmatch(text):
        try:
            services.find(fold_text(found[1]))
        except LookupError:
            # A sentence may begin with «new»; only one that names players or addresses is a request.
            own = fold_text(found[1]).rstrip(":") in _ADDRESS
            if own or not re.search(r"[0-9] ?(?:players?|joueur)|@", found[2], re.IGNORECASE):
                return None
        return HostRequest("new", f"new {fold_text(found[1])}{found[2]}")
    return None


def request_in_letter(services: Services, letter: Letter, holds: str) -> HostRequest | None:
    """The request of a letter: its first line that says anything, with the lines that continue it.

    Raises NotAllowed when the letter asks for more, since only one request would be done.
    """
    lines = [line.strip() for line in letter.lines if line.strip()]
    while lines and is_greeting(lines[0]):
        lines.pop(0)
    if not lines or parse_request(services, lines[0], holds) is None:
        return None
    first = lines.pop(0)
    # A mail program may have broken a long line. An address continues it only where players are named.
    opens = _NEW.match(first.strip(TRIMMED))
    while opens and lines and (_GOES_ON.match(lines[0]) or ("@" in lines[0] and _NAMES.search(first))):
        first = f"{first} {lines.pop(0)}"
    if any(parse_request(services, line, holds) for line in lines):
        raise NotAllowed(T("A letter asks this host for one thing; send the others on their own. Nothing was done."))
    if holds and lines and not is_closing(lines[0], (letter.sender_name,)):
        raise NotAllowed(
            T("«{line}» stands below what this host was asked for; send it on its own. Nothing was done.",
              line=lines[0][:80])
        )  # fmt: skip
    return parse_request(services, first, holds)


def seems_interested(letter: Letter) -> bool:
    """Whether a stranger who asks for nothing that can be done seems to look for this host."""
    return any(_OURS.search(fold_text(line)) for line in (letter.subject, *letter.lines))


def welcome_text(services: Services) -> tuple[Msg, ...]:
    """What a stranger is told who has asked for nothing that the host understands."""
    name = services.renderer.host.name
    says = T("This is {name}, a program that runs games by mail. Nothing of your letter was read.", name=name)
    return (says, *_ways(services))


def language_not_kept(services: Services) -> tuple[Msg, ...]:
    """What a stranger is told who has chosen a language."""
    return (
        T("Nothing is kept of you here until you have a seat at a table. Until then you are answered in the language "
          "that you write in, and your seat has it from the beginning."),
        *_ways(services),
    )  # fmt: skip


def _ways(services: Services) -> tuple[Msg, ...]:
    """What may be asked for without a seat."""
    host = services.renderer.host
    return (
        T("«tables» lists the tables with a free place; «join troyes-12» takes one."),
        T("«new troyes 3 players» opens a table that others join; with their addresses they are invited: "
          "«new troyes 3 players with Bob <bob@example.org>»."),
        T("Write one of these to {address}; first you are asked whether it was you.", address=host.address),
    )  # fmt: skip
