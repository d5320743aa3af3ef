"""The formats a game is exported in, and what each makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.export.sight import NoSight, Sight

if TYPE_CHECKING:
    from engine.catalog import Catalogue
    from engine.chronicle import Data
    from pbem.export.source import Source
    from pbem.store.repo import GameRepo
    from pbem.store.spool import Spool

FORMATS = {"json": "json", "toml": "toml", "html": "html", "mbox": "mbox", "bundle": "bundle", "csv": "csv", "md": "md"}
"""Each format and how its files end."""

WHOLE = frozenset({"mbox", "bundle"})
"""Formats that hold every secret of a game, whatever is left out: only with the full view."""


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
        from pbem.export.bundle import bundle

        return Made(bundle(repo))
    if form == "mbox":
        return _mbox(source, spool, domain)
    from pbem.export.document import document

    return again(document(source, sight, words), form, words)


def again(found: Data, form: str, words: Catalogue) -> Made:
    """A document in one of the formats that need nothing else. Raises NoScores, PositionError, and NoSight else."""
    if form in WHOLE:
        raise NoSight(f"--format {form} is made from a stored game; `pbem import` makes one of an export")
    if form == "json":
        from pbem.export.writing import json_text

        return Made(json_text(found).encode())
    if form == "toml":
        from pbem.export.writing import toml_text

        return Made(toml_text(found).encode())
    if form == "csv":
        from pbem.export.sheet import sheet

        return Made(sheet(found).encode())
    if form == "md":
        from pbem.export.narrative import narrative

        return Made(narrative(found, words).encode())
    from pbem.export.page import page

    return Made(page(found, words).encode())


def _mbox(source: Source, spool: Spool | None, domain: str) -> Made:
    from pbem.export.letters import Discretion, mbox

    if spool is None:
        raise ValueError("an mbox is made from the spool")
    discretion = None if source.open_hand else Discretion(source.addressed(), domain)
    data, lost = mbox(source, spool, discretion)
    return Made(data, f"{lost} mails are no longer kept and are not in it" if lost else "")
