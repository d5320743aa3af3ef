"""The formats a game is exported in, and what each makes of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.catalog import Catalogue
from engine.chronicle import Data
from pbem.export.bundle import bundle
from pbem.export.document import document
from pbem.export.letters import Discretion, mbox
from pbem.export.narrative import narrative
from pbem.export.page import page
from pbem.export.sheet import sheet
from pbem.export.sight import NoSight, Sight
from pbem.export.source import Source
from pbem.store import tables
from pbem.store.repo import GameRepo
from pbem.store.spool import Spool


def json_text(found: Data) -> str:
    """JSON for programs and for diffs: one record a line below the first few."""
    head = {key: value for key, value in found.items() if key != "records"}
    lines = [f'{_compact(key)}: {_compact(value)},' for key, value in head.items()]
    rows = ",\n".join(f"  {_compact(row)}" for row in found["records"])
    return "{\n" + "\n".join(lines) + '\n"records": [\n' + rows + "\n]\n}\n"


def toml_text(found: Data) -> str:
    """The same table as TOML."""
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
"""Formats that are made from a document alone."""

WHOLE = frozenset({"mbox", "bundle"})
"""Formats that hold every secret of a game, whatever is left out: only with the full view."""

FORMATS = ("json", "toml", "html", "mbox", "bundle", "csv", "md")


@dataclass(frozen=True, slots=True)
class Made:
    """A file's bytes and what its reader has to be told of it; empty when nothing."""

    data: bytes
    note: str = ""


def make(
    source: Source, sight: Sight, form: str, repo: GameRepo, spool: Spool | None, words: Catalogue, domain: str = ""
) -> Made:
    """One export. `source.addresses` says whether addresses go into it; `spool` is needed for mbox alone.

    Raises NoSight, NoScores, PositionError, StoreError.
    """
    if form in WHOLE and not sight.full:
        raise NoSight(f"--format {form} holds every secret of the game, so it goes with --view full only")
    if form == "bundle":
        return Made(bundle(repo))
    if form != "mbox":
        return again(document(source, sight, words), form, words)
    if spool is None:
        raise ValueError("an mbox is made from the spool")
    data, lost = mbox(source, spool, None if source.open_hand else Discretion(source.addressed(), domain))
    return Made(data, f"{lost} mails are no longer kept and are not in it" if lost else "")


def again(found: Data, form: str, words: Catalogue) -> Made:
    """A document in one of the formats that need nothing else. Raises NoScores, PositionError, and NoSight else."""
    if form in WHOLE:
        raise NoSight(f"--format {form} is made from a stored game; `pbem import` makes one of an export")
    return Made(WRITERS[form](found, words).encode())
