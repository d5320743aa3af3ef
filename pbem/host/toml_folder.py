"""A folder of TOML files that hold values of one dataclass, which only the host's user can read."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Generic, TypeVar

from pbem.store import toml_format
from pbem.store.data_codec import from_data, to_data
from pbem.store.durable_files import replace_file

V = TypeVar("V")


class TomlFolder(Generic[V]):
    """The values under `folder`, in NAME.toml each, mode 0600. The folder is made with the first of them."""

    def __init__(self, folder: Path, kind: type[V]) -> None:
        self.folder = folder
        self._kind = kind

    def names(self) -> tuple[str, ...]:
        """The names of all values, sorted."""
        try:
            found = os.listdir(self.folder)  # noqa: PTH208 - asked before each letter
        except FileNotFoundError:
            return ()
        return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))

    def path(self, name: str) -> Path:
        return self.folder / f"{name}.toml"

    def get(self, name: str) -> V | None:
        """A value; None where there is none. Raises PositionError for a file that does not hold together."""
        path = self.path(name)
        with suppress(FileNotFoundError):
            return from_data(self._kind, toml_format.parse_toml(path.read_bytes(), str(path)), f"{path}: ")
        return None

    def put(self, name: str, value: V) -> None:
        """Keep a value. A crash leaves the old file or the new one, whole."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        replace_file(self.path(name), toml_format.toml_bytes(to_data(value)))

    def drop(self, name: str) -> None:
        """Forget a value, if there is one."""
        self.path(name).unlink(missing_ok=True)
