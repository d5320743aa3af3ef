"""Packs that are written here are what git itself reads."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pbem.store.git_objects import FILE, FOLDER, GitObject, edited_tree, object_id
from pbem.store.packfile import build_pack

SIZES = (0, 1, 15, 16, 127, 128, 2047, 2048, 2**18, 2**18 + 1)
"""On both sides of where the size of an object takes another octet."""


def git(folder: Path, *words: str, given: bytes = b"") -> bytes:
    return subprocess.run(["git", *words], cwd=folder, input=given, capture_output=True, check=True).stdout


def stored(folder: Path, objects: dict[str, tuple[str, bytes]]) -> Path:
    """A repository that has these in one pack."""
    git(folder, "init", "--quiet")
    name, pack, index = build_pack(objects)
    place = folder / ".git" / "objects" / "pack"
    (place / f"{name}.pack").write_bytes(pack)
    (place / f"{name}.idx").write_bytes(index)
    git(folder, "verify-pack", str(place / f"{name}.idx"))
    return place / f"{name}.idx"


def named(*data: bytes) -> dict[str, tuple[str, bytes]]:
    return {object_id("blob", one): ("blob", one) for one in data}


def test_git_reads_objects_of_every_size(tmp_path: Path) -> None:
    objects = named(*(bytes(n % 251 for n in range(size)) for size in SIZES))
    stored(tmp_path, objects)
    for found, (kind, data) in objects.items():
        assert git(tmp_path, "cat-file", kind, found) == data


def test_the_index_is_the_one_git_makes(tmp_path: Path) -> None:
    index = stored(tmp_path, named(*(b"%d" % n for n in range(600))))
    git(tmp_path, "index-pack", "-o", str(tmp_path / "own.idx"), str(index.with_suffix(".pack")))
    assert (tmp_path / "own.idx").read_bytes() == index.read_bytes()


def test_git_makes_the_same_tree(tmp_path: Path) -> None:
    """`a` the folder stands after `a-b` and before `a0`, as if it were called `a/`."""
    git(tmp_path, "init", "--quiet")
    blob = git(tmp_path, "hash-object", "-w", "--stdin", given=b"text").decode().strip()
    empty = git(tmp_path, "mktree").decode().strip()
    lines = {"a": (FOLDER, empty), "a-b": (FILE, blob), "a0": (FILE, blob), "é": (FILE, blob)}
    made = edited_tree(None, lines)
    rows = "".join(
        f"{mode.decode():0>6} {'tree' if mode == FOLDER else 'blob'} {found}\t{name}\n"
        for name, (mode, found) in lines.items()
    )
    assert git(tmp_path, "mktree", given=rows.encode()).decode().strip() == object_id("tree", made)
    without = edited_tree(GitObject("", "tree", made), {"a0": None, "a-b": (FILE, blob)})
    assert b"a0" not in without
    assert edited_tree(GitObject("", "tree", without), {"a0": (FILE, blob)}) == made


def test_a_line_keeps_the_mode_that_somebody_gave_it(tmp_path: Path) -> None:
    tree = GitObject("", "tree", b"100755 run\0" + bytes(20))
    assert edited_tree(tree, {"other": (FILE, "11" * 20)}) == b"100644 other\0" + bytes([0x11]) * 20 + tree.data


def test_what_is_not_there_cannot_be_taken_out() -> None:
    with pytest.raises(KeyError):
        edited_tree(None, {"gone": None})
