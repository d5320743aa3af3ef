"""A damaged pack is taken apart: what reads is right, and nothing that reads is left behind."""

from __future__ import annotations

import itertools
import random
import subprocess
from pathlib import Path

import pygit2
import pytest

from pbem.store.games import GameStore
from pbem.store.objects import id_of
from pbem.store.spool import Spool
from pbem.store.unpacking import places_in, readable
from tests.store.play import handle, letter, made


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes, dict[str, bytes]]:
    """A pack as git makes it, with deltas, its index, and the content of its objects."""
    folder = tmp_path_factory.mktemp("packed")
    repo = made(GameStore(folder / "games"))
    spool = Spool(folder / "mail")
    for number in range(12):
        handle(repo, spool, letter(number))
    spool.close()
    repo.pack()
    (pack,) = (repo.gitdir / "objects" / "pack").glob("*.pack")
    shown = subprocess.run(["git", "verify-pack", "-v", str(pack)], capture_output=True, text=True, check=True).stdout
    assert "chain length" in shown
    odb = pygit2.Odb(str(repo.gitdir / "objects"))
    return pack.read_bytes(), pack.with_suffix(".idx").read_bytes(), {str(one): odb.read(one)[1] for one in odb}


def test_a_whole_pack_is_read_with_its_index_and_without(packed: tuple[bytes, bytes, dict[str, bytes]]) -> None:
    pack, index, every = packed
    for given in (index, b""):
        assert every == {one.id: one.data for one in readable(pack, given)}


def test_what_lies_before_the_end_that_is_gone_is_read(packed: tuple[bytes, bytes, dict[str, bytes]]) -> None:
    pack, index, every = packed
    for part in range(1, 10):
        cut = len(pack) * part // 10
        ends = sorted(places_in(index), key=lambda one: one[1])
        before = {name for (name, _), (_, end) in itertools.pairwise(ends) if end <= cut}
        for given in (index, b""):
            assert before == {one.id for one in readable(pack[:cut], given)} < every.keys()


def test_a_changed_byte_costs_one_object_and_what_is_made_from_it(packed: tuple[bytes, bytes, dict[str, bytes]]) -> None:
    pack, index, every = packed
    chosen, ends = random.Random(7), sorted(places_in(index), key=lambda one: one[1])
    for _ in range(60):
        raw = bytearray(pack)
        at = chosen.randrange(12, len(raw) - 20)
        raw[at] ^= 1 << chosen.randrange(8)
        found = {one.id: (one.kind, one.data) for one in readable(bytes(raw), index)}
        assert all(id_of(*told) == name and told[1] == every[name] for name, told in found.items())
        # What is made from it comes after it.
        (hit,) = [
            place for (_, place), (_, end) in itertools.pairwise([*ends, ("", len(pack) - 20)]) if place <= at < end
        ]
        assert {name for name, place in ends if place < hit} <= found.keys()
        list(readable(bytes(raw)))


def test_nonsense_ends(packed: tuple[bytes, bytes, dict[str, bytes]]) -> None:
    _, index, _ = packed
    chosen = random.Random(8)
    for size in (0, 5, 12, 13, 40, 5000):
        assert [] == list(readable(chosen.randbytes(size), index))
        list(readable(chosen.randbytes(size)))


def test_a_pack_of_deltas_that_name_each_other_ends(tmp_path: Path) -> None:
    one, other = "1" * 40, "2" * 40
    delta = b"\x78\x9c\x03\x00\x00\x00\x00\x01"
    piece = lambda base: b"\x70" + bytes.fromhex(base) + delta  # noqa: E731
    pack = b"PACK" + b"\0\0\0\2" * 2 + piece(other) + piece(one) + bytes(20)
    assert [] == list(readable(pack, _index({one: 12, other: 12 + len(piece(one))})))


def _index(places: dict[str, int]) -> bytes:
    names = sorted(places)
    counts = b"".join(sum(name < f"{n + 1:02x}" for name in names).to_bytes(4) for n in range(255))
    rows = (b"".join(map(bytes.fromhex, names)), bytes(4 * len(names)), b"".join(places[n].to_bytes(4) for n in names))
    return b"\xfftOc\0\0\0\2" + counts + len(names).to_bytes(4) + b"".join(rows) + bytes(40)
