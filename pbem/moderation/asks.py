"""What a letter asks of the host itself: its word, found in the first line that says anything."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.catalog import T
from engine.errors import NotAllowed
from engine.kit.words import folded
from pbem.desk import consent
from pbem.desk.services import Services
from pbem.inbound.letter import Letter
from pbem.reading.courtesy import is_closing, is_greeting

_NEW = re.compile(
    r"(?:new|nouvelle?|nouveau)\s+(?:(?:game|table|partie)\s+(?:(?:of|de|at|a|à)\s+)?)?(\S+)(.*)", re.IGNORECASE
)
_TABLE = r"((?:[a-z][a-z0-9]*-)?[a-z][a-z-]*-[0-9]+)"
"""A table by its name, which begins with the label of its host where several share the address: `b2-troyes-12`."""
_JOIN = re.compile(rf"(?:{'|'.join(consent.JOIN)})\s+{_TABLE}\s*(\S.*)?", re.IGNORECASE)
_FOLLOW = re.compile(rf"(follow|suivre)\s+{_TABLE}", re.IGNORECASE)
_UNFOLLOW = re.compile(rf"(?:unfollow|ne plus suivre)(?:\s+{_TABLE})?", re.IGNORECASE)
LANGUAGE = re.compile(r"(?:language|langue)\s+([^\W\d]+)", re.IGNORECASE)
_GOES_ON = re.compile(r"(?:with|avec)\s|[^@]*=[^@]*$", re.IGNORECASE)
_NAMES = re.compile(r"\s(?:with|avec)\s", re.IGNORECASE)
_ADDRESS = frozenset(("address", "adresse", "email", "e-mail", "mail", "courriel"))
"""What of one's own may be new."""
AROUND = " \t*_«»\"'.!"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a line asks of the host: its word, and the line in one form. `game` is the table that it joins."""

    word: str
    line: str
    game: str = ""


def asked_of(services: Services, text: str, holds: str = "") -> Asked | None:
    """What a line asks of the host; None for any other line. `holds`: the game that its letter has a key of."""
    text = text.strip(AROUND)
    if folded(text) in ("tables", "open tables", "les tables"):
        return Asked("tables", "tables")
    if folded(text) in ("my data", "mes donnees"):
        return Asked("data", "my data")
    if folded(text) in ("forget me", "oubliez-moi", "oubliez moi", "oublie-moi"):
        return Asked("forget", "forget me")
    # In an answer to a game's mail it is for the desk, and may stand beside orders.
    if not holds and (found := LANGUAGE.fullmatch(text)):
        return Asked("language", f"language {found[1]}")
    if found := _FOLLOW.fullmatch(text):
        return Asked("follow", text, found[2].lower())
    if found := _UNFOLLOW.fullmatch(text):
        return Asked("unfollow", text, (found[1] or "").lower())
    if (found := _JOIN.fullmatch(text)) and found[1].lower() != holds:
        return Asked("join", text, found[1].lower())
    if found := _NEW.fullmatch(text):
        try:
            services.find(folded(found[1]))
        except LookupError:
            # People begin sentences with «new»; what names players or addresses is meant for us.
            own = folded(found[1]).rstrip(":") in _ADDRESS
            if own or not re.search(r"[0-9] ?(?:players?|joueur)|@", found[2], re.IGNORECASE):
                return None
        return Asked("new", f"new {folded(found[1])}{found[2]}")
    return None


def in_letter(services: Services, letter: Letter, holds: str) -> Asked | None:
    """What a letter asks of the host: its first line that says anything, and what goes on from it.

    Raises NotAllowed when more is asked beside it, since only one of them would be done.
    """
    lines = [line.strip() for line in letter.lines if line.strip()]
    while lines and is_greeting(lines[0]):
        lines.pop(0)
    if not lines or asked_of(services, lines[0], holds) is None:
        return None
    first = lines.pop(0)
    # A long line that a program has broken; an address counts where players are named, and is a signature elsewhere.
    opens = _NEW.match(first.strip(AROUND))
    while opens and lines and (_GOES_ON.match(lines[0]) or ("@" in lines[0] and _NAMES.search(first))):
        first = f"{first} {lines.pop(0)}"
    if any(asked_of(services, line, holds) for line in lines):
        raise NotAllowed(T("A letter asks this host for one thing; send the others on their own. Nothing was done."))
    if holds and lines and not is_closing(lines[0], (letter.sender_name,)):
        raise NotAllowed(
            T("«{line}» stands below what this host was asked for; send it on its own. Nothing was done.",
              line=lines[0][:80])
        )  # fmt: skip
    return asked_of(services, first, holds)
