"""Writes the objects of one commit as a pack and its index, without deltas. Source: gitformat-pack of git.

libgit2 writes packs, too, but through a temporary file, a memory map, and look-ups of known objects. For the eight
small objects of a commit that takes longer than all the rest of the commit.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections import Counter
from collections.abc import Mapping
from itertools import accumulate

KINDS = {"commit": 1, "tree": 2, "blob": 3}
KIND_OF = {number: kind for kind, number in KINDS.items()}
_MAGIC = b"\xfftOc"


def build_pack(objects: Mapping[str, tuple[str, bytes]]) -> tuple[str, bytes, bytes]:
    """The name, the bytes, and the index of a pack of these objects (kind and content by id)."""
    pieces = [struct.pack(">4sII", b"PACK", 2, len(objects))]
    rows = []
    at = len(pieces[0])
    for found, (kind, data) in objects.items():
        # A tree is made of ids, which hardly compress.
        piece = _head(KINDS[kind], len(data)) + zlib.compress(data, 1 if kind == "tree" else -1)
        rows.append((bytes.fromhex(found), zlib.crc32(piece), at))
        pieces.append(piece)
        at += len(piece)
    body = b"".join(pieces)
    seal = hashlib.sha1(body, usedforsecurity=False).digest()
    return f"pack-{seal.hex()}", body + seal, _index(sorted(rows), seal)


def _head(kind: int, size: int) -> bytes:
    """The kind and the size of an object: four bits of the size, then seven an octet, the lowest first."""
    size, octet = size >> 4, (kind << 4) | (size & 0x0F)
    head = bytearray()
    while size:
        head.append(octet | 0x80)
        size, octet = size >> 7, size & 0x7F
    head.append(octet)
    return bytes(head)


def _index(rows: list[tuple[bytes, int, int]], seal: bytes) -> bytes:
    """The index, version 2: counts of names by first octet, names, check sums, offsets."""
    counts = Counter(found[0] for found, _, _ in rows)
    fan = accumulate(counts[octet] for octet in range(256))
    parts = [
        struct.pack(">4sI256I", _MAGIC, 2, *fan),
        *(found for found, _, _ in rows),
        struct.pack(f">{len(rows)}I", *(check for _, check, _ in rows)),
        struct.pack(f">{len(rows)}I", *(at for _, _, at in rows)),
        seal,
    ]
    body = b"".join(parts)
    return body + hashlib.sha1(body, usedforsecurity=False).digest()
