"""Check the dice of a game from its export alone: python3 verify_alone.py EXPORT (JSON or TOML).

It needs nothing but Python 3.11. Seed and host's word must have the hash that was published before any player's word
was known; every word must be the one that was published before anything was dealt; every roll and shuffle must
follow from the seed, the words and the purpose of the draw. The key is the SHA-256 of a fixed text, the seed and
every word (the host's first, then the seats'), each after its length; a draw uses the bytes of
HMAC-SHA-256(key, "game/epoch/purpose/block"), and passes over bytes that would favour a face.
Exit 0: all is well, 1: something differs, or nothing could be checked.
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

CANNOT = (
    "What this cannot show: whether the host has looked at the seed before the end, or whether somebody who knew it "
    "gave the last word, or opened the table, so that the dice were to their liking."
)


def hashed(purpose: str, *parts: bytes) -> bytes:
    """SHA-256 of a fixed text and the parts, each after its length in four bytes."""
    found = hashlib.sha256(f"troyes-by-mail {purpose} 1".encode())
    for part in parts:
        found.update(len(part).to_bytes(4, "big") + part)
    return found.digest()


def words_of(export: dict[str, Any], given: dict[str, str]) -> dict[str, str]:
    """Every word, the host's first, then the seats' in order; one that nobody gave is empty."""
    return {who: given.get(who, "") for who in ("host", *(row["seat"] for row in export["game"]["seats"]))}


def words(export: dict[str, Any]) -> Iterator[str]:
    """What differs of the seed and the words, from what was published of them before the game."""
    seed, now = bytes.fromhex(export["chance"]["seed"]), words_of(export, export["chance"]["words"])
    if hashed("seed", seed, now["host"].encode()).hex() != export["game"]["commitment"]:
        yield "seed and host's word do not have the hash that was published before any player's word was known"
    openings = [record["opening"] for record in export["records"] if "opening" in record]
    if not openings and any(step.get("entries") for record in export["records"] for step in record["steps"]):
        yield "no record tells which words were fixed when the game began"
    for opening in openings:
        then = words_of(export, opening["words"])
        for who in (who for who in now if now[who] != then[who]):
            yield f"the word of {who} was «{then[who]}» when the game began, and is «{now[who]}» now"
        if hashed("words", *(word.encode() for word in then.values())).hex() != opening["hash"]:
            yield "the words listed when the game began do not have the hash that stands with them"


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


def left_out(export: dict[str, Any]) -> Iterator[str]:
    """Entries that must record a draw and hold none, so that nobody can check what was drawn."""
    entries = [entry for record in export["records"] for step in record["steps"] for entry in step.get("entries", [])]
    # How the cards were shuffled at the beginning is hidden in other views than the full one.
    for entry in entries if export["view"] == "full" else entries[1:]:
        if entry["kind"] in export["game"]["draws"] and not any(draws(entry)):
            yield f"an entry «{entry['kind']}» holds no draw, so nobody can check it: {entry['data']}"[:300]
    if not any(draws(entries)):
        yield "no roll and no shuffle is recorded, so nothing could be checked"


def check(export: dict[str, Any]) -> tuple[dict[str, int], list[str]]:
    """How many rolls and shuffles there are, and everything that differs. Raises KeyError without a seed."""
    chance, found, seen = export["chance"], {"roll": 0, "shuffle": 0}, set()
    wrong, epoch = [*words(export), *left_out(export)], chance["epoch"]
    given = words_of(export, chance["words"]).values()
    key = hashed("dice", bytes.fromhex(chance["seed"]), *(word.encode() for word in given))
    for at, record in enumerate(export["records"], 1):
        epoch = record.get("epoch", epoch)
        for draw in (one for step in record["steps"] for one in draws(step.get("entries", []))):
            place, what = f"record {record.get('number', at)}, {draw['draw']}", draw["draw"].split("/")
            kind, recorded, right = expected(key, f"{chance['game']}/{epoch}/{draw['draw']}", draw)
            found[kind] += 1
            if recorded != right or not recorded:
                wrong.append(f"{place}: {recorded or 'nothing'} is recorded, the seed gives {right or 'numbers'}")
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


def redraws(export: dict[str, Any]) -> list[tuple[int, str]]:
    """The records from which on the moderator has had the dice drawn anew, each with its reason."""
    rows = enumerate(export["records"], 1)
    return [(row.get("number", at), row.get("note", "")) for at, row in rows if "epoch" in row]


if __name__ == "__main__":
    raw = Path(sys.argv[1]).read_text("utf-8").lstrip()
    read: dict[str, Any] = json.loads(raw) if raw[:1] == "{" else tomllib.loads(raw)
    if "chance" not in read:
        sys.exit("This export holds no seed: the game was not over when it was made.")
    counted, odd = check(read)
    again = [f"the moderator had the dice drawn anew at step {step}: «{why}»" for step, why in redraws(read)]
    sums = f"{counted['roll']} rolls and {counted['shuffle']} shuffles checked, {len(odd)} differ"
    print(*odd, *again, sums, CANNOT, sep="\n")
    sys.exit(1 if odd else 0)
