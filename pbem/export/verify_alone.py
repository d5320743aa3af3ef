"""Check the dice of a game from its export alone: python3 verify_alone.py EXPORT (JSON or TOML).

It needs nothing but Python 3.11. The seed must have the hash that was published before anybody's word was known,
and every roll and shuffle must follow from the seed, the words and the purpose of the draw. The key is the SHA-256
of a fixed text, the seed and every word (the host's first, then the seats'), each after its length; a draw uses the
bytes of HMAC-SHA-256(key, "game/epoch/purpose/block"), and passes over bytes that would favour a face.
It cannot show whether the host has read the seed before the end. Exit 0: all is well, 1: something differs.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def key_of(export: dict[str, Any]) -> bytes:
    """The key of the game's draws."""
    chance = export["chance"]
    words = [chance["words"].get(who, "") for who in ("host", *(row["seat"] for row in export["game"]["seats"]))]
    key = hashlib.sha256(b"troyes-by-mail dice 1")
    for part in (bytes.fromhex(chance["seed"]), *(word.encode() for word in words)):
        key.update(len(part).to_bytes(4, "big") + part)
    return key.digest()


def numbers(key: bytes, purpose: str, limits: list[int]) -> list[int]:
    """A number below each limit, in turn."""

    def source() -> Iterator[int]:
        block = 0
        while True:
            yield from hmac.new(key, f"{purpose}/{block}".encode(), hashlib.sha256).digest()
            block += 1

    stream = source()
    return [next(n for n in stream if n < 256 - 256 % limit) % limit for limit in limits]


def expected(key: bytes, purpose: str, draw: dict[str, Any]) -> tuple[str, list[int], list[int]]:
    """What is recorded and what the seed gives: a shuffle has an `order`, a roll has `shown`."""
    if "order" in draw:
        places = list(range(len(draw["order"])))
        below = numbers(key, purpose, list(range(len(places), 1, -1)))
        for last, other in zip(range(len(places) - 1, 0, -1), below, strict=True):
            places[last], places[other] = places[other], places[last]
        return "shuffle", list(draw["order"]), places
    shown = list(draw.get("shown", []))
    return "roll", shown, [1 + n for n in numbers(key, purpose, [draw.get("sides", 6)] * len(shown))]


def draws(value: Any) -> Iterator[dict[str, Any]]:
    """Every recorded draw, wherever it stands."""
    if isinstance(value, dict) and isinstance(value.get("draw"), str):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from draws(part)


def check(export: dict[str, Any]) -> tuple[dict[str, int], list[str]]:
    """How many rolls and shuffles there are, and everything that differs. Raises KeyError without a seed."""
    game, chance, found = export["game"], export["chance"], {"roll": 0, "shuffle": 0}
    key, epoch, seen, wrong = key_of(export), chance["epoch"], set(), []
    if hashlib.sha256(bytes.fromhex(chance["seed"])).hexdigest() != game["seed_hash"]:
        wrong.append("the seed does not have the published hash")
    for at, record in enumerate(export["records"], 1):
        epoch = record.get("epoch", epoch)
        for draw in (one for step in record["steps"] for one in draws(step.get("entries", []))):
            place, what = f"record {record.get('number', at)}, {draw['draw']}", draw["draw"].split("/")
            kind, recorded, right = expected(key, f"{game['name']}/{epoch}/{draw['draw']}", draw)
            found[kind] += 1
            if recorded != right:
                wrong.append(f"{place}: {recorded} is recorded, the seed gives {right}")
            # The numbers stand again in the dice on the table, such as Y5, or raised as the entry says, to 6 at most.
            dice = draw.get("now", draw.get("dice", draw.get("values", [])))
            faces = [int(str(die)[-1]) for die in dice if str(die)[-1:].isdigit()]
            laid = sorted(min(6, n + draw["raised"]) for n in recorded) if "raised" in draw else sorted(recorded)
            if kind == "roll" and len(faces) == len(recorded) and sorted(faces) != laid:
                wrong.append(f"{place}: {recorded} was rolled, {dice} was laid down")
            # A number left out would let a host choose among several draws.
            if what[-1] != "1" and (*what[:-1], str(int(what[-1]) - 1)) not in seen:
                wrong.append(f"{place}: the draw before it was never recorded")
            seen.add(tuple(what))
    return found, wrong


if __name__ == "__main__":
    raw = Path(sys.argv[1]).read_text("utf-8").lstrip()
    read: dict[str, Any] = json.loads(raw) if raw[:1] == "{" else tomllib.loads(raw)
    if "chance" not in read:
        sys.exit("This export holds no seed: the game was not over when it was made.")
    counted, odd = check(read)
    print(*odd, f"{counted['roll']} rolls and {counted['shuffle']} shuffles checked, {len(odd)} differ", sep="\n")
    sys.exit(1 if odd else 0)
