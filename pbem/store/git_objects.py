"""Reads and checks git objects: loose ones by ourselves, packed ones through libgit2.

libgit2 up to 1.9.7 never returns from reading a truncated loose object (libgit2 #7342), and a daemon that serves other
games must not hang over one damaged file. Source: Pro Git, chapter 10, «Git Objects».
"""

from __future__ import annotations

import hashlib
import os
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pygit2
from pygit2.enums import Option

from pbem.store.errors import Damaged
from pbem.store.lru import LruCache
from pbem.store.packfile import KIND_OF

# libgit2's cache would only grow; we keep the few objects that are read again ourselves. The limit saves file handles
# in a daemon that serves many games.
pygit2.option(Option.ENABLE_CACHING, False)
pygit2.option(Option.SET_MWINDOW_FILE_LIMIT, 128)

FILE, FOLDER = b"100644", b"40000"
"""Modes in a tree."""

MAX_TREES = 256
"""How many trees stay parsed."""

MAX_OBJECTS = 32
"""How many commits and trees of a game stay in memory."""

_ITEM = re.compile(rb"(\d+) ([^\0]+)\0(.{20})", re.DOTALL)


@dataclass(frozen=True, slots=True)
class GitObject:
    """A git object: `kind` is commit, tree, blob or tag; `data` is its content without the header."""

    id: str
    kind: str
    data: bytes


@dataclass(frozen=True, slots=True)
class TreeItem:
    """A file or a folder in a tree; `id` names its object."""

    name: str
    id: str
    folder: bool


class GitObjects:
    """The objects of the repository `gitdir`, read through `odb`, and those of a commit in the making."""

    def __init__(self, gitdir: str | Path, odb: Any, name: str) -> None:
        self._folder = f"{gitdir}/objects"
        self._odb = odb
        self._name = name
        self._kept = LruCache(MAX_OBJECTS)
        self.fresh: dict[str, GitObject] = {}
        """The objects of a commit that is not published yet."""

    def get(self, found: str, kind: str = "") -> GitObject:
        """The object of an id, and of a kind if one is given. Raises Damaged when it is missing or not whole."""
        known: GitObject | None = self._kept.get(found) or self.fresh.get(found)
        if known is None:
            known = self._loose(found) or self.packed(found)
            self._keep(known)
        if kind and known.kind != kind:
            raise Damaged(f"{self._name}: the object {found} is a {known.kind}, a {kind} is needed")
        return known

    def add(self, kind: str, data: bytes) -> str:
        """Add an object to the commit in the making; its id."""
        found = object_id(kind, data)
        self.fresh[found] = GitObject(found, kind, data)
        return found

    def placed(self) -> None:
        """The commit in the making is published."""
        for found in self.fresh.values():
            self._keep(found)
        self.fresh.clear()

    def _keep(self, found: GitObject) -> None:
        if found.kind != "blob":
            self._kept.put(found.id, found)

    def _loose(self, found: str) -> GitObject | None:
        try:
            packed = Path(self._folder, found[:2], found[2:]).read_bytes()
        except OSError:
            return None
        raw = b""
        with suppress(zlib.error):
            raw = zlib.decompress(packed)
        if hashlib.sha1(raw, usedforsecurity=False).hexdigest() != found:
            raise Damaged(f"{self._name}: the object {found} is damaged")
        head, data = raw.split(b"\0", 1)
        return GitObject(found, head.split(b" ", 1)[0].decode("ascii"), data)

    def packed(self, found: str) -> GitObject:
        """An object that is not loose. Raises Damaged when it is missing or not whole."""
        try:
            kind, data = self._odb.read(found)[:2]
        except (KeyError, ValueError, OSError, pygit2.GitError):
            raise Damaged(f"{self._name}: the object {found} is missing") from None
        return GitObject(found, KIND_OF.get(int(kind), "tag"), bytes(data))


def root_files(gitdir: str, name: str, commit: str, wanted: Sequence[str]) -> tuple[bytes, ...]:
    """Files at the root of a commit, read without opening the repository, since thousands are read at a start.

    Raises Damaged, KeyError when the commit has no such file.
    """
    folder = f"{gitdir}/objects"
    try:
        objects = GitObjects(gitdir, pygit2.Odb(folder), name)
        # Hardly any game has loose objects, so looking for them is skipped.
        read = objects.get if any(len(one) == len("ff") for one in os.listdir(folder)) else objects.packed  # noqa: PTH208
    except (OSError, pygit2.GitError) as error:
        raise Damaged(f"{name}: the repository cannot be opened: {error}") from None
    tree = read(commit_headers(read(commit))["tree"][0])
    return tuple(read(_found(tree, one)).data for one in wanted)


def _found(tree: GitObject, name: str) -> str:
    if not (found := tree_entry(tree, name)):
        raise KeyError(name)
    return found


@lru_cache(MAX_TREES)
def _lines(data: bytes) -> Mapping[bytes, tuple[bytes, bytes]]:
    """The mode and object of each name in a tree; a folder of the chronicle has two hundred."""
    return MappingProxyType({name: (mode, raw) for mode, name, raw in _ITEM.findall(data)})


def tree_items(tree: GitObject) -> Iterator[TreeItem]:
    for name, (mode, found) in _lines(tree.data).items():
        yield TreeItem(name.decode("utf-8", "surrogateescape"), found.hex(), mode == FOLDER)


def is_unsafe_name(name: str) -> bool:
    """Whether a name in a tree would lead out of its folder, as no tree of git's own has."""
    return name in ("", ".", "..", ".git") or "/" in name


def tree_entry(tree: GitObject, name: str) -> str:
    """The id of a name in a tree; empty when there is none."""
    found = _lines(tree.data).get(name.encode("utf-8", "surrogateescape"))
    return found[1].hex() if found else ""


def commit_headers(commit: GitObject) -> dict[str, list[str]]:
    """The header lines of a commit by their word: tree, parent (several), author, committer."""
    found: dict[str, list[str]] = {}
    for line in commit.data.split(b"\n\n", 1)[0].decode("utf-8", "replace").split("\n"):
        word, _, rest = line.partition(" ")
        found.setdefault(word, []).append(rest)
    return found


def edited_tree(tree: GitObject | None, lines: Mapping[str, tuple[bytes, str] | None]) -> bytes:
    """The content of a tree with some lines (mode and id by name) put in, or removed (None)."""
    found = {} if tree is None else dict(_lines(tree.data))
    for called, line in lines.items():
        name = called.encode("utf-8", "surrogateescape")
        if line is None:
            del found[name]
        else:
            found[name] = line[0], bytes.fromhex(line[1])
    # Git orders a folder as if its name ended with a slash.
    rows = sorted((name + b"/" if mode == FOLDER else name, name, mode, raw) for name, (mode, raw) in found.items())
    return b"".join(b"%b %b\0%b" % (mode, name, raw) for _, name, mode, raw in rows)


def object_id(kind: str, data: bytes) -> str:
    return hashlib.sha1(b"%b %d\0" % (kind.encode(), len(data)) + data, usedforsecurity=False).hexdigest()


def blob_id(data: bytes) -> str:
    return object_id("blob", data)
