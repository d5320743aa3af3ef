"""The files of a game that people open: written after the branch has moved, compared before anything else.

Only the files at the root are checked out; folders (the chronicle) stand in the history and in every clone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pbem.store.durable import replace_files, sync_folder, write_unsynced
from pbem.store.objects import blob_id

KEPT = "kept-"
"""How the names begin of what is kept aside in our folder."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How a work file differs from the last commit: `changed`, `missing`, or `unknown` (no commit has it)."""

    path: str
    how: str


class WorkTree:
    """The work files in `folder`; `own` is a folder of ours inside its .git, for scratch and kept edits."""

    def __init__(self, folder: Path, own: Path) -> None:
        self.folder = folder
        self._own = own

    def found(self, name: str) -> str:
        """The id of a work file as it lies there; empty when it is missing."""
        try:
            return blob_id((self.folder / name).read_bytes())
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            return ""

    def changes(self, wanted: Mapping[str, str]) -> tuple[Difference, ...]:
        """Which of the `wanted` files (name and id) lie there differently."""
        found = {name: self.found(name) for name in wanted}
        return tuple(
            Difference(name, "changed" if found[name] else "missing") for name in wanted if found[name] != wanted[name]
        )

    def unknown(self, known: Collection[str]) -> tuple[Difference, ...]:
        """Files at the root that no commit has, editors' leavings aside."""
        names = sorted(path.name for path in self.folder.iterdir() if path.is_file())
        return tuple(
            Difference(name, "unknown")
            for name in names
            if name not in known and name[0] not in ".#" and name[-1] != "~"
        )

    def write(self, files: Mapping[str, bytes], removed: Collection[str]) -> None:
        """Durable when it returns. Raises OSError when a file cannot be written (a folder in its place, disk full)."""
        replace_files(self.folder, files, self._own)
        if removed:
            for name in removed:
                (self.folder / name).unlink(missing_ok=True)
            sync_folder(self.folder)

    def lay_down(self, files: Mapping[str, bytes], place: Path) -> None:
        """Write files beside their place, into a folder. Not synced."""
        place.mkdir()
        for name, data in files.items():
            write_unsynced(place / name, data)

    def take_in(self, place: Path, removed: Collection[str]) -> None:
        """Move what was laid down in a folder to its place, and take files away. Not synced. Raises OSError."""
        for laid in sorted(place.iterdir()):
            laid.replace(self.folder / laid.name)
        for name in removed:
            (self.folder / name).unlink(missing_ok=True)

    def set_aside(self, name: str) -> Path | None:
        """Keep an edited file before it is replaced; None when there is nothing to keep."""
        source = self.folder / name
        if not source.exists():
            return None
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        kept = self._own / f"{KEPT}{stamp}-{name}"
        source.rename(kept)
        sync_folder(self._own)
        return kept
