"""What still reads out of a damaged pack: each object by itself, as far as its own bytes and those it is made from go.

git and libgit2 open no pack whose end is gone, and libgit2 has been seen to hang over what is cut off. So a pack is
taken apart here: where its index is whole, at the places that it names; without one, from the beginning to the first
damage. Nothing is believed that its name does not confirm. Source: gitformat-pack of git.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from pbem.store.objects import Found, id_of
from pbem.store.packfile import KIND_OF

_BY_OFFSET, _BY_NAME = 6, 7
_NAMES = 8 + 256 * 4
_FAR = 0x80000000
_LONGEST = 5000
"""Deltas upon one another: git makes 50, or 4095 where it is told to. Two that name each other would have no end."""
_STEP = 16 * 1024
"""How much is given to zlib at a time, which copies whatever it does not use."""


class _Torn(Exception):  # noqa: N818 - it goes no further than this file
    """An object that does not read."""


def readable(pack: bytes, index: bytes = b"") -> Iterator[Found]:
    """The objects that read out of a pack, whole ones only. `index`: its index, if that is whole; else none."""
    taken = _Pack(pack)
    if index:
        taken.places = dict(places_in(index))
        for name, at in taken.places.items():
            try:
                kind, data = taken.whole(at)
            except _Torn:
                continue
            if id_of(kind, data) == name:
                yield Found(name, kind, data)
        return
    at = 12
    while at < len(pack) - 20:
        try:
            kind, data = taken.whole(at)
        except _Torn:
            return
        name = id_of(kind, data)
        taken.places[name] = at
        at = taken.after[at]
        yield Found(name, kind, data)


def places_in(index: bytes) -> Iterator[tuple[str, int]]:
    """The objects that an index of version 2 names, with their places in the pack."""
    (count,) = struct.unpack_from(">I", index, _NAMES - 4)
    places = _NAMES + 24 * count
    far = places + 4 * count
    for n in range(count):
        (at,) = struct.unpack_from(">I", index, places + 4 * n)
        if at & _FAR:
            (at,) = struct.unpack_from(">Q", index, far + 8 * (at & ~_FAR))
        yield index[_NAMES + 20 * n : _NAMES + 20 * (n + 1)].hex(), at


@dataclass
class _Pack:
    """A pack whose bytes may be damaged anywhere."""

    pack: bytes
    places: dict[str, int] = field(default_factory=dict)
    made: dict[int, tuple[str, bytes]] = field(default_factory=dict)
    after: dict[int, int] = field(default_factory=dict)

    def whole(self, at: int) -> tuple[str, bytes]:
        """Kind and content of the object at a place, with all that it is made from. Raises _Torn."""
        chain: list[bytes] = []
        place: int | None = at
        while place not in self.made:
            if place is None or len(chain) > _LONGEST:
                raise _Torn
            kind, data, base = self._piece(place)
            if kind:
                self.made[place] = kind, data
                break
            chain.append(data)
            place = base
        kind, data = self.made[place]
        for delta in reversed(chain):
            data = _applied(data, delta)
        self.made[at] = kind, data
        return kind, data

    def _piece(self, at: int) -> tuple[str, bytes, int | None]:
        """What lies at a place: a kind and content; or no kind, a delta, and the place of what it changes."""
        start = at
        try:
            octet = self.pack[at]
            number, size, shift = (octet >> 4) & 7, octet & 15, 4
            at += 1
            while octet & 0x80:
                octet = self.pack[at]
                size |= (octet & 0x7F) << shift
                shift += 7
                at += 1
            base: int | None = None
            if number == _BY_OFFSET:
                octet = self.pack[at]
                back = octet & 0x7F
                at += 1
                while octet & 0x80:
                    octet = self.pack[at]
                    back = ((back + 1) << 7) | (octet & 0x7F)
                    at += 1
                base = start - back if 0 < back < start else None
            elif number == _BY_NAME:
                base = self.places.get(self.pack[at : at + 20].hex())
                at += 20
            elif number not in KIND_OF:
                raise _Torn
            data, self.after[start] = self._unpacked(at, size)
        except (IndexError, zlib.error):
            raise _Torn from None
        return KIND_OF.get(number, ""), data, base

    def _unpacked(self, at: int, size: int) -> tuple[bytes, int]:
        """What is packed at a place, of so many bytes, and where it ends. Raises _Torn, zlib.error."""
        unpacking, parts, left = zlib.decompressobj(), [], size
        while not unpacking.eof:
            piece = self.pack[at : at + _STEP]
            # No more than is promised, whatever a damaged stream would swell to.
            parts.append(unpacking.decompress(piece, left + 1))
            left -= len(parts[-1])
            if left < 0 or not piece:
                raise _Torn
            at += len(piece) - len(unpacking.unconsumed_tail or unpacking.unused_data)
        if left:
            raise _Torn
        return b"".join(parts), at


def _applied(base: bytes, delta: bytes) -> bytes:
    """What a delta makes of the content that it changes. Raises _Torn."""
    try:
        before, at = _number(delta, 0)
        after, at = _number(delta, at)
        parts = []
        while at < len(delta):
            told = delta[at]
            at += 1
            if told & 0x80:
                values = []
                for bit in range(7):
                    values.append(delta[at] if told & (1 << bit) else 0)
                    at += bool(told & (1 << bit))
                start = int.from_bytes(bytes(values[:4]), "little")
                size = int.from_bytes(bytes(values[4:]), "little") or 0x10000
                parts.append(base[start : start + size])
            elif told:
                parts.append(delta[at : at + told])
                at += told
            else:
                raise _Torn
    except IndexError:
        raise _Torn from None
    made = b"".join(parts)
    if len(base) != before or len(made) != after:
        raise _Torn
    return made


def _number(delta: bytes, at: int) -> tuple[int, int]:
    """A size of a delta, and where it ends: seven bits to an octet, the least first."""
    size = shift = 0
    while True:
        octet = delta[at]
        size |= (octet & 0x7F) << shift
        shift += 7
        at += 1
        if not octet & 0x80:
            return size, at
