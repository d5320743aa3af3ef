"""`ruling A43` and `rulings`: how this engine answers what the rulebooks leave open, as RULINGS.md says it.

`RULINGS.fr.md` beside it says the same in French, and so may any other language: a ruling that it lacks stays English.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from engine.catalog import Msg, T
from engine.errors import NotUnderstood
from engine.game import games
from engine.reference import CardText
from pbem.desk.commands.command import Command, Does
from pbem.outbound.translation import ENGLISH, languages, typeset

COMMANDS = (
    Command(
        "ruling", Does.ASK, T.of("a letter", "ruling A43"),
        T("what decides where the rulebooks are silent; «rulings» lists all of it"),
        ("rulings", "precision", "precisions"), argument=True,
    ),
)  # fmt: skip

_ROW = re.compile(r"\| (?P<ids>[AD]\d+) \| (?P<subject>[^|]*) \| (?P<here>[^|]*) \|(?P<other>[^|]*)\|$")
_ITEM = re.compile(r"- \*\*(?P<ids>[ADE]\d+[^*]*)\*\* (?P<here>.*)$")
_ID = re.compile(r"([ADE])(\d+)(?:…[ADE]?(\d+))?")
EXCERPT_LENGTH = 90
"""Characters of a ruling in the list of all."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """One ruling in one language; a row of a table has a `subject`, and maybe what others do (`other`)."""

    ids: str
    here: str
    subject: str = ""
    other: str = ""


def ruling_text(argument: str, title: str) -> CardText:
    """One ruling, or all those of a game. Raises NotUnderstood for a number that is none."""
    wanted = argument.strip(" .!?«»").upper()
    if not wanted:
        return CardText(T("Rulings"), tuple(_told(one, EXCERPT_LENGTH) for one in _known(title).values()))
    found = [one for (ids, _), one in _known(title).items() if wanted in _numbers(ids)]
    if not found:
        raise NotUnderstood(T("There is no ruling «{text}» of this game.", text=argument[:20]), orders=("rulings",))
    return CardText(T("Ruling {number}", number=wanted), tuple(map(_told, found)))


def _told(ruling: Mapping[str, Ruling], most: int = 0) -> Msg:
    """A ruling in whatever language its reader has; `most` characters of it, if any."""

    def each(part: str) -> Msg:
        return T.each(**{language: _cut(getattr(one, part), most) for language, one in ruling.items()})

    one = ruling[ENGLISH]
    if not one.subject:
        return T("{number}: {text}", number=one.ids, text=each("here"))
    if not one.other or most:
        return T("{number} {subject}: {text}", number=one.ids, subject=each("subject"), text=each("here"))
    return T(
        "{number} {subject}: {text} (elsewhere: {other})",
        number=one.ids, subject=each("subject"), text=each("here"), other=each("other"),
    )  # fmt: skip


def _cut(text: str, most: int) -> str:
    return text if not most or len(text) <= most else text[:most].rpartition(" ")[0] + " …"


@cache
def _known(title: str) -> Mapping[tuple[str, int], Mapping[str, Ruling]]:
    """The rulings of a game: their numbers and which of those with the same it is, to the ruling by language."""
    known: dict[tuple[str, int], dict[str, Ruling]] = {}
    for language in (ENGLISH, *(one for one in languages() if one != ENGLISH)):
        seen = Counter[str]()
        for ruling in _rulings(title, language):
            key = ruling.ids, seen[ruling.ids]
            seen[ruling.ids] += 1
            if language == ENGLISH or key in known:
                known.setdefault(key, {})[language] = ruling
    return known


def _rulings(title: str, language: str) -> Iterator[Ruling]:
    """The rulings of a game in a language; a part of the file that has a game's name is that game's alone."""
    text = _text("RULINGS.md" if language == ENGLISH else f"RULINGS.{language}.md")
    parts = {name: body for name, _, body in (part.partition("\n") for part in text.split("\n## ")[1:])}
    others = {game.title for game in games().values()} if title not in parts else parts.keys() - {title}
    for body in (body for name, body in parts.items() if name not in others):
        # An item goes on where lines are indented.
        for line in re.sub(r"\n  +", " ", body).splitlines():
            if found := _ROW.match(line) or _ITEM.match(line):
                yield Ruling(**{part: typeset(_plain(said), language) for part, said in found.groupdict().items()})


def _text(name: str) -> str:
    """A file of rulings; nothing where a language has none. In a checkout it stands beside the package."""
    package = resources.files("templates")
    file = package.joinpath(name)
    file = file if file.is_file() else Path(str(package)).parent / name
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def _numbers(ids: str) -> list[str]:
    """All numbers that «A3…5, D2» names."""
    found = _ID.findall(ids)
    return [f"{letter}{n}" for letter, first, last in found for n in range(int(first), int(last or first) + 1)]


def _plain(text: str) -> str:
    return re.sub(r"`([^`]*)`", r"«\1»", text.strip()).replace("**", "")
