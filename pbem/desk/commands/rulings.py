"""`ruling A43` and `rulings`: how this engine answers what the rulebooks leave open, as RULINGS.md says it.

`RULINGS.fr.md` beside it says the same in French, and so may any other language: a ruling that it lacks stays English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from engine.catalog import Msg, T
from engine.errors import NotUnderstood
from engine.game import games
from engine.reference import CardText
from pbem.desk.commands.word import Command, Does
from pbem.outbound.catalogue import ENGLISH, languages, typeset

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
FIRST = 90
"""Characters of a ruling in the list of all."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """One ruling as a language has it; `subject` and `other` are of a row of a table."""

    ids: str
    here: str
    subject: str = ""
    other: str = ""


def answer(argument: str, title: str) -> CardText:
    """One ruling, or all those of a game. Raises NotUnderstood for a number that is none."""
    known = _known(title)
    wanted = argument.strip(" .!?«»").upper()
    if not wanted:
        told = dict.fromkeys(ruling for rulings in known.values() for ruling in rulings)
        return CardText(T("Rulings"), tuple(_told(one, FIRST) for one in told))
    if wanted not in known:
        raise NotUnderstood(T("There is no ruling «{text}» of this game.", text=argument[:20]), orders=("rulings",))
    return CardText(T("Ruling {number}", number=wanted), tuple(map(_told, known[wanted])))


def _told(ruling: tuple[tuple[str, Ruling], ...], most: int = 0) -> Msg:
    """A ruling in whatever language its reader has; `most` characters of it, if any."""

    def each(part: str) -> Msg:
        return T.each(**{language: _cut(getattr(one, part), most) for language, one in ruling})

    one = dict(ruling)[ENGLISH]
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
def _known(title: str) -> Mapping[str, tuple[tuple[tuple[str, Ruling], ...], ...]]:
    """The rulings of a game by each of their numbers, every one with the languages that have it."""
    found = {language: _numbered(title, language) for language in languages()}
    known: dict[str, tuple[tuple[tuple[str, Ruling], ...], ...]] = {}
    for key, english in found[ENGLISH].items():
        ruling = tuple((language, of[key]) for language, of in found.items() if key in of)
        for number in _numbers(english.ids):
            known[number] = (*known.get(number, ()), ruling)
    return known


def _numbered(title: str, language: str) -> Mapping[tuple[str, int], Ruling]:
    """The rulings of a game in a language, by their numbers and which of those with the same it is."""
    text = _text("RULINGS.md" if language == ENGLISH else f"RULINGS.{language}.md")
    parts = {name: body for name, _, body in (part.partition("\n") for part in text.split("\n## ")[1:])}
    titles = {game.title for game in games().values()}
    # A part of the file that has a game's name is that game's alone.
    own = [body for name, body in parts.items() if name == title or (title not in parts and name not in titles)]
    found: dict[tuple[str, int], Ruling] = {}
    for ruling in (one for body in own for one in _rulings(body, language)):
        nth = sum(ids == ruling.ids for ids, _ in found)
        found[ruling.ids, nth] = ruling
    return found


def _text(name: str) -> str:
    """A file of rulings; nothing where a language has none."""
    package = resources.files("templates")
    file = package.joinpath(name)
    # In a checkout the file stands beside the package.
    file = file if file.is_file() else Path(str(package)).parent / name
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def _rulings(body: str, language: str) -> Iterator[Ruling]:
    """Numbers and words of the rulings of a part."""
    # An item goes on where lines are indented.
    for line in re.sub(r"\n  +", " ", body).splitlines():
        if found := _ROW.match(line) or _ITEM.match(line):
            yield Ruling(**{part: typeset(_plain(said.strip()), language) for part, said in found.groupdict().items()})


def _numbers(ids: str) -> Iterator[str]:
    for letter, first, last in _ID.findall(ids):
        yield from (f"{letter}{n}" for n in range(int(first), int(last or first) + 1))


def _plain(text: str) -> str:
    return re.sub(r"`([^`]*)`", r"«\1»", text).replace("**", "")
