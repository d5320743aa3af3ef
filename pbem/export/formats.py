"""Export a game in each format."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.catalog import Catalogue
from engine.event_log import Data
from pbem.export.audience import Audience, NoAudience
from pbem.export.document import export_document
from pbem.export.game_source import GameSource
from pbem.export.markdown import write_markdown
from pbem.export.mbox import Anonymizer, write_mbox
from pbem.export.replay_page import write_replay_page
from pbem.export.score_sheet import write_score_sheet
from pbem.store import toml_format
from pbem.store.errors import StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.git import run_git
from pbem.store.spool import Spool


def json_text(found: Data) -> str:
    """The document as JSON, one record a line."""
    head = {key: value for key, value in found.items() if key != "records"}
    lines = [f"{_compact(key)}: {_compact(value)}," for key, value in head.items()]
    rows = ",\n".join(f"  {_compact(row)}" for row in found["records"])
    return "{\n" + "\n".join(lines) + '\n"records": [\n' + rows + "\n]\n}\n"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


WRITERS: Mapping[str, Callable[[Data, Catalogue], str]] = {
    "json": lambda found, words: json_text(found),
    "toml": lambda found, words: toml_format.toml_bytes(found).decode(),
    "html": write_replay_page,
    "csv": lambda found, words: write_score_sheet(found),
    "md": write_markdown,
}
"""Formats made from a document alone."""

FULL_FORMATS = ("mbox", "bundle")
"""Formats that hold every secret, allowed with the full view only."""

FORMATS = ("json", "toml", "html", "mbox", "bundle", "csv", "md")


@dataclass(frozen=True, slots=True)
class ExportFile:
    """The bytes of a file, and a note for its reader."""

    data: bytes
    note: str = ""


def make_export(
    source: GameSource,
    sight: Audience,
    form: str,
    repo: GameRepo,
    spool: Spool | None,
    words: Catalogue,
    domain: str = "",
) -> ExportFile:
    """Export a game. Only mbox needs the `spool`. A bundle is the whole history as a file that `git clone` takes.

    Raises NoAudience, NoScores, PositionError, StoreError.
    """
    if form in FULL_FORMATS and not sight.full:
        raise NoAudience(f"--format {form} holds every secret of the game, so it goes with --view full only")
    if form == "bundle":
        try:
            return ExportFile(run_git(repo.gitdir, "bundle", "create", "--quiet", "-", "HEAD", "main"))
        except StoreError as error:
            raise StoreError(f"{repo.name}: {error}") from None
    if form != "mbox":
        return convert_document(export_document(source, sight, words), form, words)
    if spool is None:
        raise ValueError("an mbox is made from the spool")
    data, lost = write_mbox(source, spool, None if source.open_hand else Anonymizer(source.addressed(), domain))
    return ExportFile(data, f"{lost} mails are no longer kept and are not in it" if lost else "")


def convert_document(found: Data, form: str, words: Catalogue) -> ExportFile:
    """Convert a document to another format. Raises NoScores, PositionError, and NoAudience if that needs the game."""
    if form in FULL_FORMATS:
        raise NoAudience(f"--format {form} is made from a stored game; `pbem import` makes one of an export")
    return ExportFile(WRITERS[form](found, words).encode())
