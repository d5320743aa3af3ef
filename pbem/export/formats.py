"""Export a game in each format."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.catalog import Catalogue
from engine.chronicle import Data
from pbem.export.document import document
from pbem.export.letters import Discretion, mbox
from pbem.export.narrative import narrative
from pbem.export.page import page
from pbem.export.sheet import sheet
from pbem.export.sight import NoSight, Sight
from pbem.export.source import Source
from pbem.store import tables
from pbem.store.git import git
from pbem.store.repo import GameRepo
from pbem.store.spool import Spool
from pbem.store.trouble import StoreError


def json_text(found: Data) -> str:
    """The document as JSON, one record a line."""
    head = {key: value for key, value in found.items() if key != "records"}
    lines = [f'{_compact(key)}: {_compact(value)},' for key, value in head.items()]
    rows = ",\n".join(f"  {_compact(row)}" for row in found["records"])
    return "{\n" + "\n".join(lines) + '\n"records": [\n' + rows + "\n]\n}\n"


def toml_text(found: Data) -> str:
    """The document as TOML."""
    return tables.write(found).decode()


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


WRITERS: Mapping[str, Callable[[Data, Catalogue], str]] = {
    "json": lambda found, words: json_text(found),
    "toml": lambda found, words: toml_text(found),
    "html": page,
    "csv": lambda found, words: sheet(found),
    "md": narrative,
}
"""Formats made from a document alone."""

WHOLE = frozenset({"mbox", "bundle"})
"""Formats that hold every secret, allowed with the full view only."""

FORMATS = ("json", "toml", "html", "mbox", "bundle", "csv", "md")


@dataclass(frozen=True, slots=True)
class Made:
    """The bytes of a file, and a note for its reader."""

    data: bytes
    note: str = ""


def make(
    source: Source, sight: Sight, form: str, repo: GameRepo, spool: Spool | None, words: Catalogue, domain: str = ""
) -> Made:
    """Export a game. Only mbox needs the `spool`. Raises NoSight, NoScores, PositionError, StoreError."""
    if form in WHOLE and not sight.full:
        raise NoSight(f"--format {form} holds every secret of the game, so it goes with --view full only")
    if form == "bundle":
        return Made(git_bundle(repo))
    if form != "mbox":
        return again(document(source, sight, words), form, words)
    if spool is None:
        raise ValueError("an mbox is made from the spool")
    data, lost = mbox(source, spool, None if source.open_hand else Discretion(source.addressed(), domain))
    return Made(data, f"{lost} mails are no longer kept and are not in it" if lost else "")


def git_bundle(repo: GameRepo) -> bytes:
    """The whole history as a file that `git clone` takes. Raises StoreError with git's words."""
    try:
        return git(repo.gitdir, "bundle", "create", "--quiet", "-", "HEAD", "main")
    except StoreError as error:
        raise StoreError(f"{repo.name}: {error}") from None


def again(found: Data, form: str, words: Catalogue) -> Made:
    """Convert a document to another format. Raises NoScores, PositionError, and NoSight if that needs the game."""
    if form in WHOLE:
        raise NoSight(f"--format {form} is made from a stored game; `pbem import` makes one of an export")
    return Made(WRITERS[form](found, words).encode())
