"""The index file of a repository whose folders are not checked out.

`git status` in a game's folder should answer a person truthfully, so the index must name what is committed. A
plain index names every file and would grow with the history; this one holds the files at the root and one entry
per folder («sparse directory», git's index format version 3, read by git 2.32 and later). libgit2 cannot write it.
Source: Documentation/gitformat-index of git.
"""

from __future__ import annotations

import hashlib
import os
import struct
from collections.abc import Mapping
from pathlib import Path

_FILE = 0o100644
_FOLDER = 0o040000
_EXTENDED = 0x4000
_SKIPPED = 0x4000
_NOBODY = os.stat_result((0,) * 10)


def write_index(path: Path, work: Path, files: Mapping[str, str], folders: Mapping[str, str]) -> None:
    """Write the index: `files` at the root and `folders`, each with its object id. `work` is the work tree.

    Not synced: a lost or torn index is written again with the next commit and holds nothing of its own.
    """
    entries = []
    for name, found in files.items():
        try:
            stat = (work / name).stat()
        except FileNotFoundError:
            stat = _NOBODY
        entries.append((name.encode(), _entry(name.encode(), found, _FILE, stat)))
    for name, found in folders.items():
        raw = name.encode() + b"/"
        entries.append((raw, _entry(raw, found, _FOLDER, _NOBODY)))
    body = b"".join(entry for _, entry in sorted(entries))
    text = struct.pack(">4sII", b"DIRC", 3, len(entries)) + body
    if folders:
        text += struct.pack(">4sI", b"sdir", 0)
    temp = path.with_name("index.pbem")
    temp.write_bytes(text + hashlib.sha1(text, usedforsecurity=False).digest())
    temp.replace(path)


def _entry(name: bytes, found: str, mode: int, stat: os.stat_result) -> bytes:
    changed, modified = getattr(stat, "st_ctime_ns", 0) or 0, getattr(stat, "st_mtime_ns", 0) or 0
    skipped = mode == _FOLDER
    fields = (
        changed // 10**9,
        changed % 10**9,
        modified // 10**9,
        modified % 10**9,
        stat.st_dev & 0xFFFFFFFF,
        stat.st_ino & 0xFFFFFFFF,
        mode,
        stat.st_uid & 0xFFFFFFFF,
        stat.st_gid & 0xFFFFFFFF,
        stat.st_size & 0xFFFFFFFF,
    )
    flags = min(len(name), 0xFFF) | (_EXTENDED if skipped else 0)
    raw = struct.pack(">10I20sH", *fields, bytes.fromhex(found), flags)
    if skipped:
        raw += struct.pack(">H", _SKIPPED)
    raw += name
    return raw + bytes(8 - len(raw) % 8)
