"""Histories that somebody else has made write nothing beside the folder that they are brought to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pygit2
import pytest

from pbem.store import backup_repository
from pbem.store.errors import StoreError
from pbem.store.game_store import GameStore

OUT = ("..", ".", ".git", "../../out.txt", "deep/out.txt")


def made(folder: Path, name: str, ref: str, *, above: str = "") -> tuple[Path, str]:
    """A repository whose commit holds a file of that name, in a folder `above`, as git itself would not write it."""
    place = backup_repository.bare_repository(folder)
    repo: Any = pygit2.Repository(str(place))

    def tree(mode: bytes, called: str, found: Any) -> Any:
        line = mode + b" " + called.encode() + b"\0" + bytes.fromhex(str(found))
        return repo.odb.write(pygit2.enums.ObjectType.TREE, line)

    found = tree(b"100644", name, repo.create_blob(b"out"))
    found = tree(b"40000", above, found) if above else found
    who = pygit2.Signature("pbem", "pbem@localhost", 1, 0)
    return place, str(repo.create_commit(ref, who, who, "made", found, []))


@pytest.mark.parametrize("name", OUT)
def test_a_backup_is_lifted_into_its_own_folder_alone(tmp_path: Path, name: str) -> None:
    place, commit = made(tmp_path / "backup", name, backup_repository.HOST_REF, above="mail")
    with pytest.raises(StoreError, match="which is no file of a host; nothing was made"):
        backup_repository.read_files(place, commit)
    place, commit = made(tmp_path / "another", "out.txt", backup_repository.HOST_REF, above=name)
    with pytest.raises(StoreError, match="which is no file of a host; nothing was made"):
        backup_repository.read_files(place, commit)


@pytest.mark.parametrize("name", OUT)
def test_a_game_that_comes_from_elsewhere_writes_into_its_own_folder_alone(tmp_path: Path, name: str) -> None:
    place, _ = made(tmp_path / "backup", name, "refs/pbem/games/one")
    store = GameStore(tmp_path / "host" / "games")
    with pytest.raises(StoreError, match="which is no file of a game"):
        store.adopt("one", place, "refs/pbem/games/one")
    assert not list(tmp_path.rglob("out.txt"))
    assert store.names() == ()
