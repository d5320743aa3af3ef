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

GAMES: dict[str, dict[str, tuple[str, tuple[str, ...]]]] = {
    "troyes": {
        "begins": ("-", (
            "yellow-1", "white-1", "red-1", "yellow-2", "white-2", "red-2", "yellow-3", "white-3", "red-3",
            "yellow-events", "white-events", "red-events", "characters", "start",
            "outdoor-1", "outdoor-2", "outdoor-3", "outdoor-4",
        )),
        "rolled": ("owner", ("workforce", "tile")),
        "rerolled": ("seat", ("reroll",)),
        "black": ("start", ("black",)),
        "fate": ("start", (
            "wayfarers", "theological_conflict", "conflict_of_succession", "uprising", "monk_event", "possession",
        )),
        "reseated": ("start", ("uprising_seats",)),
        "shot": ("seat", ("archer",)),
        "acts": ("le_roy", ("placement", "le_roy_action")),
    },
    "troyes-dice": {
        "begins": ("-", ("plazas", "sides", "banquets", "start", "numbering")),
        "rolled": ("-", ("dice",)),
    },
}  # fmt: skip
"""By game and kind of entry: whose a draw is (what the entry says under that name, the start player, or always the
same) and of what kinds draws may be. There are no others."""
ONLY_VERIFY = (
    "What only `pbem verify` can check, in a full export: whether the rules make each of these draws where it stands, "
    "of that kind and with so many dice; whether none was left out; what came of them; deal and positions."
)
CANNOT = (
    "What this cannot show: whether the host has looked at the seed before the end, or whether somebody who knew it "
    "gave the last word, or opened the table, so that the dice were to their liking."
)


def words_hash(purpose: str, *parts: bytes) -> bytes:
    """SHA-256 of a fixed text and the parts, each after its length in four bytes."""
    found = hashlib.sha256(f"troyes-by-mail {purpose} 1".encode())
    for part in parts:
        found.update(len(part).to_bytes(4, "big") + part)
    return found.digest()


def all_words(export: dict[str, Any], given: dict[str, str]) -> dict[str, str]:
    """Every word, the host's first, then the seats' in order; one that nobody gave is empty."""
    return {who: given.get(who, "") for who in ("host", *(row["seat"] for row in export["game"]["seats"]))}


def word_differences(export: dict[str, Any]) -> Iterator[str]:
    """What differs of the seed and the words, from what was published of them before the game."""
    seed, now = bytes.fromhex(export["chance"]["seed"]), all_words(export, export["chance"]["words"])
    if words_hash("seed", seed, now["host"].encode()).hex() != export["game"]["commitment"]:
        yield "seed and host's word do not have the hash that was published before any player's word was known"
    openings = [record["opening"] for record in export["records"] if "opening" in record]
    if not openings and any(step.get("entries") for record in export["records"] for step in record["steps"]):
        yield "no record tells which words were fixed when the game began"
    for opening in openings:
        then = all_words(export, opening["words"])
        for who in (who for who in now if now[who] != then[who]):
            yield f"the word of {who} was «{then[who]}» when the game began, and is «{now[who]}» now"
        if words_hash("words", *(word.encode() for word in then.values())).hex() != opening["hash"]:
            yield "the words listed when the game began do not have the hash that stands with them"


def draw_numbers(key: bytes, purpose: str, limits: list[int]) -> list[int]:
    """A number below each limit, in turn."""

    def source() -> Iterator[int]:
        block = 0
        while True:
            yield from hmac.new(key, f"{purpose}/{block}".encode(), hashlib.sha256).digest()
            block += 1

    stream = source()
    return [next(n for n in stream if n < 256 - 256 % limit) % limit for limit in limits]


def expected_draw(key: bytes, purpose: str, draw: dict[str, Any]) -> tuple[str, list[int], list[int]]:
    """What is recorded and what the seed gives: a shuffle has an `order`, a roll has `shown`."""
    if "order" in draw:
        places = list(range(len(draw["order"])))
        below = draw_numbers(key, purpose, list(range(len(places), 1, -1)))
        for last, other in zip(range(len(places) - 1, 0, -1), below, strict=True):
            places[last], places[other] = places[other], places[last]
        return "shuffle", list(draw["order"]), places
    shown = list(draw.get("shown", []))
    return "roll", shown, [1 + n for n in draw_numbers(key, purpose, [draw.get("sides", 6)] * len(shown))]


def draws(value: Any) -> Iterator[dict[str, Any]]:
    """Every recorded draw, wherever it stands."""
    if isinstance(value, dict) and isinstance(value.get("draw"), str):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from draws(part)


def missing_draws(export: dict[str, Any]) -> Iterator[str]:
    """Records and entries that are missing, and entries that must record a draw and hold none."""
    # How the cards were shuffled at the beginning is hidden in other views than the full one.
    full, count = export["view"] == "full", 0
    for at, record in enumerate(export["records"], 1):
        if full and record.get("number") != at:
            yield f"record {at} is missing, or another one stands there"
        for entry in (entry for step in record["steps"] for entry in step.get("entries", [])):
            count += 1
            if full and entry.get("number") != count:
                yield f"record {at}: entry {count} is missing, or another one stands there"
            if entry["kind"] in export["game"]["draws"] and (full or count > 1) and not any(draws(entry)):
                yield f"an entry «{entry['kind']}» holds no draw, so nobody can check it: {entry['data']}"[:300]
    if not any(draws(export["records"])):
        yield "no roll and no shuffle is recorded, so nothing could be checked"


class DrawCounter:
    """Round, start player and how many draws of a kind were made, as far as the entries that count have come."""

    def __init__(self, known: dict[str, tuple[str, tuple[str, ...]]], follows: bool) -> None:
        self.known, self.follows = known, follows
        self.now: dict[str, Any] = {"round": 0, "start": "-"}
        self.made: dict[tuple[Any, ...], int] = {}

    def passes(self, entry: dict[str, Any]) -> Iterator[str]:
        """What is not as it must be of the draws of one more entry: their kinds, round, seat and number."""
        data = entry["data"]
        if entry["kind"] == "round":
            self.now["round"] = data["round"]
        elif entry["kind"] == "half_day":
            self.now["round"] = 2 * data["day"] - (data["half"] == "morning")
        elif entry["kind"] == "edited" and data["path"] in self.now:
            self.now[data["path"]] = data["after"]
        elif entry["kind"] in ("begins", "starts"):
            self.now["start"] = data.get("start", data.get("seat", "-"))
        whose, kinds = self.known.get(entry["kind"], ("", ()))
        right = self.now["start"] if whose == "start" else data.get(whose, whose)
        for nth, draw in enumerate(draws(entry), 1):
            turn, kind, seat, n = draw["draw"].split("/")
            if kind not in kinds:
                yield f"{draw['draw']}: an entry «{entry['kind']}» draws nothing of that kind"
            if nth > 1 and entry["kind"] not in ("begins", "began"):
                yield f"{draw['draw']}: an entry «{entry['kind']}» makes one draw"
            if self.follows and (turn != str(self.now["round"]) or seat != right):
                yield f"{draw['draw']}: it was round {self.now['round']}, and the draw is that of {right}"
            # A number left out, or one that comes twice, would let a host choose among several draws.
            self.made[turn, kind, seat] = made = self.made.get((turn, kind, seat), 0) + 1
            if n != str(made):
                yield f"{draw['draw']}: draw {made} of them comes here"


def name_differences(export: dict[str, Any]) -> Iterator[str]:
    """What differs of the name and the epoch that the draws are made with."""
    if export["chance"]["game"] != export["game"]["name"] and all(row["what"] != "import" for row in export["records"]):
        yield f"the draws are made for «{export['chance']['game']}», and nothing says that the game was ever called so"
    epoch = 0
    if export["chance"]["epoch"]:
        yield f"the dice begin with epoch {export['chance']['epoch']}"
    for at, record in enumerate(export["records"], 1):
        if "epoch" in record:
            epoch += 1
            if (record["epoch"], record["what"]) != (epoch, "rollback") or not record.get("note"):
                yield f"record {at}: the epoch becomes {record['epoch']} without a rollback that says why"


def check_draws(export: dict[str, Any], others: dict[str, Any] | None = None) -> tuple[dict[str, int], list[str]]:
    """How many rolls and shuffles there are, and everything that differs; `others`: the kinds of entries that draw in a
    game that is not among `GAMES`. Raises KeyError without a seed."""
    chance, found, game = export["chance"], {"roll": 0, "shuffle": 0}, export["game"]["kind"]
    wrong, epoch = [*word_differences(export), *missing_draws(export), *name_differences(export)], chance["epoch"]
    known = GAMES.get(game) or others
    if known is None:
        wrong.append(f"this script does not know what is drawn in «{game}»; `pbem verify` does")
    given = all_words(export, chance["words"]).values()
    key = words_hash("dice", bytes.fromhex(chance["seed"]), *(word.encode() for word in given))
    course = DrawCounter(known or {}, game in GAMES)
    for at, record in enumerate(export["records"], 1):
        epoch = record.get("epoch", epoch)
        for entry in (one for step in record["steps"] for one in step.get("entries", [])):
            # What was taken back later stands in no row with the rest: its numbers come again.
            passing = DrawCounter(course.known, False) if record.get("undone") else course
            odd = list(passing.passes(entry))
            wrong += (f"record {at}, {one}" for one in odd if not record.get("undone") or "of that kind" in one)
            for draw in draws(entry):
                place = f"record {at}, {draw['draw']}"
                kind, recorded, right = expected_draw(key, f"{chance['game']}/{epoch}/{draw['draw']}", draw)
                found[kind] += 1
                if recorded != right or not recorded:
                    wrong.append(f"{place}: {recorded or 'nothing'} is recorded, the seed gives {right or 'numbers'}")
                # The numbers stand again in the dice on the table, such as Y5, or raised as it says, to 6 at most.
                dice = draw.get("now", draw.get("dice", draw.get("values", [])))
                faces = [int(str(die)[-1]) for die in dice if str(die)[-1:].isdigit()]
                laid = sorted(min(6, n + draw["raised"]) for n in recorded) if "raised" in draw else sorted(recorded)
                if kind == "roll" and len(faces) == len(recorded) and sorted(faces) != laid:
                    wrong.append(f"{place}: {recorded} was rolled, {dice} was laid down")
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
    counted, odd = check_draws(read)
    again = [f"the moderator had the dice drawn anew at step {step}: «{why}»" for step, why in redraws(read)]
    sums = f"{counted['roll']} rolls and {counted['shuffle']} shuffles checked, {len(odd)} differ"
    print(*odd, *again, sums, ONLY_VERIFY, CANNOT, sep="\n")
    sys.exit(1 if odd else 0)
