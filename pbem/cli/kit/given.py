"""What a person has named: a kind of game, a file."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.game import AnyGame, find
from pbem.cli.kit.call import TROUBLE, USAGE, CommandEnd


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
