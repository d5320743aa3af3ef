"""`ruling A43` and `rulings`: how this engine answers what the rulebooks leave open, as RULINGS.md says it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from pathlib import Path

from engine.catalog import T
from engine.errors import NotUnderstood
from engine.game import games
from engine.reference import CardText
from pbem.desk.commands.word import Command, Does

COMMANDS = (
    Command(
        "ruling", Does.ASK, T.of("a letter", "ruling A43"),
        T("what decides where the rulebooks are silent; «rulings» lists all of it"),
        ("rulings", "precision", "precisions"), argument=True,
    ),
)  # fmt: skip

_ROW = re.compile(r"\| (?P<ids>[AD]\d+) \| (?P<subject>[^|]*) \| (?P<here>[^|]*) \|(?P<other>[^|]*)\|$")
_ITEM = re.compile(r"- \*\*(?P<ids>[ADE]\d+[^*]*)\*\* (?P<text>.*)$")
_ID = re.compile(r"([ADE])(\d+)(?: to [ADE]?(\d+))?")
FIRST = 90
"""Characters of a ruling in the list of all."""


def answer(argument: str, title: str) -> CardText:
    """One ruling, or all those of a game. Raises NotUnderstood for a number that is none."""
    known = _known(title)
    wanted = argument.strip(" .!?«»").upper()
    if not wanted:
        told = dict.fromkeys(known.values())
        return CardText(T("Rulings"), tuple(T("{text}", text=_cut(text)) for text in told))
    if wanted not in known:
        raise NotUnderstood(T("There is no ruling «{text}» of this game.", text=argument[:20]), orders=("rulings",))
    return CardText(T("Ruling {number}", number=wanted), (T("{text}", text=known[wanted]),))


def _cut(text: str) -> str:
    return text if len(text) <= FIRST else text[:FIRST].rpartition(" ")[0] + " …"


@cache
def _known(title: str) -> Mapping[str, str]:
    """Each ruling of a game by its number; a part of the file that has a game's name is that game's alone."""
    package = resources.files("templates")
    file = package.joinpath("RULINGS.md")
    # In a checkout the file stands beside the package.
    text = (file if file.is_file() else Path(str(package)).parent / "RULINGS.md").read_text(encoding="utf-8")
    parts = {name: body for name, _, body in (part.partition("\n") for part in text.split("\n## ")[1:])}
    titles = {game.title for game in games().values()}
    own = [body for name, body in parts.items() if name == title or (title not in parts and name not in titles)]
    return {one: told for body in own for ids, told in _rulings(body) for one in _numbers(ids)}


def _rulings(body: str) -> Iterator[tuple[str, str]]:
    """Numbers and words of the rulings of a part."""
    # An item goes on where lines are indented.
    for line in re.sub(r"\n  +", " ", body).splitlines():
        if row := _ROW.match(line):
            other = f" (elsewhere: {row['other'].strip()})" if row["other"].strip() else ""
            yield row["ids"], _plain(f"{row['ids']} {row['subject']}: {row['here']}{other}")
        elif item := _ITEM.match(line):
            yield item["ids"], _plain(f"{item['ids']}: {item['text']}")


def _numbers(ids: str) -> Iterator[str]:
    for letter, first, last in _ID.findall(ids):
        yield from (f"{letter}{n}" for n in range(int(first), int(last or first) + 1))


def _plain(text: str) -> str:
    return re.sub(r"`([^`]*)`", r"«\1»", text).replace("**", "")
