"""An export held against its own seed, and, where it is a full one, against the rules' memory of it.

`verify_alone` checks seed, words and the numbers of every draw; here the deal is done again from the seed, the entries
are folded and compared with the positions that the export shows, and on each position the game is asked what its rules
draw for the next entry, so that no record is believed about the purpose of its own draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from engine import game as games
from engine.chance import Derived
from engine.chronicle import Data, Entry
from engine.errors import OrderRefused, PositionError
from engine.game import AnyGame, Seat
from pbem.desk.undo import NUMBERED, replay, surviving, undone
from pbem.export import verify_alone
from pbem.export.course import ordinary
from pbem.export.reading import LOOSE, entry_of, loose, walk
from pbem.export.sight import FULL
from pbem.store.record import Record


class NoSeed(Exception):  # noqa: N818 - a refusal, not a defect
    """An export of a game that was not over holds no seed to check against."""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What was looked at and what differs. `positions` counts those compared, 0 for an export that is not full.

    `commitment` and `words_hash` are what the invitations and the welcomes of an honest game say; `seed_fits` whether
    seed and words are those that were published so.
    """

    game: str
    view: str
    commitment: str
    words_hash: str
    seed_fits: bool
    rolls: int
    shuffles: int
    positions: int
    epoch: int
    redraws: tuple[tuple[int, str], ...]
    """The records from which on the moderator has had the dice drawn anew, each with its reason."""
    differences: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether everything is what it must be, and something was there to be checked."""
        return not self.differences


def inquire(found: Data, find: Callable[[str], AnyGame] = games.find) -> Inquiry:
    """Check a document. Raises NoSeed, LookupError for an unknown kind of game, PositionError for what is no export."""
    if "chance" not in found:
        raise NoSeed(
            f"this export of {found['game'].get('name')} holds no seed: the game was not over when it was made; "
            "export it again at its end"
        )
    try:
        game = find(found["game"]["kind"])
        fits = not any(verify_alone.words(found))
        counts, differs = verify_alone.check(found, {entry: ("", kinds) for entry, kinds in game.draws.items()})
        epoch = next((row["epoch"] for row in reversed(found["records"]) if "epoch" in row), found["chance"]["epoch"])
        if sorted(game.draws) != found["game"]["draws"]:
            differs.append(f"`game.draws` does not name what draws in {game.title}: {', '.join(sorted(game.draws))}")
        positions = 0
        if found["view"] == FULL:
            if found["kept"]["epoch"] != epoch:
                differs.append(f"the dice are drawn with epoch {found['kept']['epoch']}, the records say {epoch}")
            differs += _deal(game, found)
            positions, folded = _folded(game, found)
            differs += folded
        hashed = next((row["opening"]["hash"] for row in found["records"] if "opening" in row), "")
        again = tuple((int(step), str(why)) for step, why in verify_alone.redraws(found))
        table = found["game"]
        return Inquiry(
            table["name"], found["view"], table["commitment"], hashed, fits, counts["roll"], counts["shuffle"],
            positions, epoch, again, tuple(differs),
        )  # fmt: skip
    except LOOSE as error:
        raise PositionError(loose(error), "export") from None


def _deal(game: AnyGame, found: Data) -> list[str]:
    """Whether the first entry is what the seed deals, hands and decks included."""
    first = next((one for row in found["records"] for step in row["steps"] for one in step.get("entries", ())), None)
    if first is None:
        return []
    table, chance, kept = found["game"], found["chance"], found.get("kept", {}).get("table", {})
    words = verify_alone.words_of(found, chance["words"])
    dice = Derived(bytes.fromhex(chance["seed"]), tuple(words.values()), chance["game"], chance["epoch"])
    start = Seat(kept["first"]) if "first" in kept else None
    try:
        # The names of the deal: a seat may be called otherwise by now.
        called = game.moderation.settable(game.fold(None, [entry_of(first)]))
        seats = {Seat(row["seat"]): called.get(f"{row['seat']}.name", row["name"]) for row in table["seats"]}
        begun = game.start(seats, table["options"], dice, facts=kept.get("facts"), first=start).entries[0]
    except (OrderRefused, PositionError) as odd:
        return [f"the game cannot be dealt again: {odd}"]
    parts = (("data", begun.data), ("only", begun.only), ("hidden", begun.hidden))
    # The box is as it was when the game was made; a newer program may have other numbers in its own.
    return [
        f"entry 1: `{part}.{name}` is not what the seed deals"
        for part, right in parts
        for name in right
        if name != "box" and first.get(part, {}).get(name) != right[name]
    ]


def _folded(game: AnyGame, found: Data) -> tuple[int, list[str]]:
    """The positions that the entries fold to, compared with those shown after each step, and the draws of each entry
    with those that the rules make on the position before it."""
    state: Any = None
    count, wrong, past, counting = 0, list[str](), list[Record](), list[Entry]()
    for record, _, steps in walk(found):
        place = f"record {record.number}"
        try:
            if not ordinary(record):
                also = {key: value for key, value in record.also.items() if key != NUMBERED}
                back = [*past, replace(record, entries=(), also=also)]
                state, counting = replay(game, back), [entry for piece in surviving(back) for entry in piece.entries]
            past.append(record)
            for step in steps:
                for entry in step.entries:
                    if state is not None:
                        wrong += (f"{place}: {odd}" for odd in _drawn(game, state, counting, entry))
                    state = game.fold(state, (entry,))
                    counting.append(entry)
                if NUMBERED in record.also and step is steps[-1]:
                    state = replay(game, past)
                count += state is not None
                if not _is(game, state, step.after):
                    wrong.append(f"{place}: the position is not what the entries lead to")
        except PositionError as odd:
            return count, [*wrong, f"{place}: {odd}"]
    gone = undone(past)
    wrong += (
        f"record {row['number']}: whether it was taken back is not as it says"
        for row in found["records"]
        if row.get("undone", False) is not (row["number"] in gone)
    )
    return count, wrong


def _drawn(game: AnyGame, state: Any, counting: list[Entry], entry: Entry) -> Iterator[str]:
    """What is not as it must be of the draws of an entry."""
    try:
        due = [(str(one.purpose), one.count, one.sides) for one in game.due(state, counting, entry)]
    except PositionError as odd:
        yield f"«{entry.kind}»: {odd}"
        return
    except LOOSE as odd:
        yield f"«{entry.kind}»: {loose(odd)}"
        return
    for told, right in zip_longest(map(_told, verify_alone.draws([entry.data, entry.only, entry.hidden])), due):
        if told != right:
            yield f"«{entry.kind}» tells of the draw {_named(told)}; on the position before it {_named(right)} is drawn"


def _told(draw: Data) -> tuple[str, int, int]:
    numbers = draw["order"] if "order" in draw else draw.get("shown", [])
    return draw["draw"], len(numbers), 0 if "order" in draw else draw.get("sides", 6)


def _named(draw: tuple[str, int, int] | None) -> str:
    purpose, count, sides = draw or ("", 0, 0)
    return f"{purpose} ({f'{count} of {sides} sides' if sides else f'a shuffle of {count}'})" if draw else "nothing"


def _is(game: AnyGame, state: Any, shown: Data) -> bool:
    if state is None:
        return "table" not in shown
    return game.dump(state) == (shown.get("table"), shown.get("hidden"))
