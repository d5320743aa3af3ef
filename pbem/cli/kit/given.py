"""What a person has named: a kind of game, a file."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.game import AnyGame, find
from pbem.cli.kit.call import TROUBLE, USAGE, CommandEnd
from pbem.outbound.catalogue import languages


def rules_of(kind: str) -> AnyGame:
    """The game called `kind`. Ends the command when there is none."""
    with known():
        return find(kind)


@contextmanager
def known(code: int = USAGE) -> Iterator[None]:
    """Ends the command with the sentence of a LookupError: nothing is called so."""
    try:
        yield
    except LookupError as odd:
        raise CommandEnd(str(odd.args[0]), code) from None


def read_toml(path: Path) -> dict[str, Any]:
    """A file of the moderator's own. Ends the command when it is no TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as odd:
        raise CommandEnd(f"{path}: is no TOML: {odd}", TROUBLE) from None


def spoken_by(pairs: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """Name to language of what was given as NAME=fr; `all` stands for whoever is not named. Ends the command where
    nobody is called so, or mails cannot be written in that language."""
    found: dict[str, str] = {}
    for pair in pairs:
        name, equals, language = (part.strip() for part in pair.partition("="))
        known = {one.casefold(): one for one in names} | {"all": "all"}
        if not equals or name.casefold() not in known:
            there = ", ".join(names)
            raise CommandEnd(f"--language {pair!r}: it is given as NAME=fr or all=fr; there are: {there}", USAGE)
        if language not in languages():
            there = ", ".join(languages())
            raise CommandEnd(f"--language {pair!r}: there are no mails in {language!r}; there are: {there}", USAGE)
        found[known[name.casefold()]] = language
    every = found.pop("all", "")
    return {name: every for name in names if every} | found
