"""An export held against its own seed, and, where it is a full one, against the rules' memory of it.

`verify_alone` checks seed, words and every draw; here the deal is done again from the seed, and the entries are folded
and compared with the positions that the export shows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine import game as games
from engine.chance import Derived
from engine.chronicle import Data
from engine.errors import OrderRefused, PositionError
from engine.game import AnyGame, Seat
from pbem.desk.undo import replay
from pbem.export import verify_alone
from pbem.export.course import ordinary
from pbem.export.reading import LOOSE, loose, walk
from pbem.export.sight import FULL


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
        counts, differs = verify_alone.check(found)
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
    seats = {Seat(row["seat"]): row["name"] for row in table["seats"]}
    words = verify_alone.words_of(found, chance["words"])
    dice = Derived(bytes.fromhex(chance["seed"]), tuple(words.values()), chance["game"], chance["epoch"])
    start = Seat(kept["first"]) if "first" in kept else None
    try:
        begun = game.start(seats, table["options"], dice, facts=kept.get("facts"), first=start).entries[0]
    except OrderRefused as odd:
        return [f"the game cannot be dealt again: {odd.reason}"]
    parts = (("data", begun.data), ("only", begun.only), ("hidden", begun.hidden))
    # The box is as it was when the game was made; a newer program may have other numbers in its own.
    return [
        f"entry 1: `{part}.{name}` is not what the seed deals"
        for part, right in parts
        for name in right
        if name != "box" and first.get(part, {}).get(name) != right[name]
    ]


def _folded(game: AnyGame, found: Data) -> tuple[int, list[str]]:
    """The positions that the entries fold to, compared with those shown after each step that has entries."""
    state: Any = None
    count, wrong, past = 0, [], []
    for record, _, steps in walk(found):
        past.append(record)
        place = f"record {record.number}"
        try:
            if not ordinary(record):
                count += 1
                state = replay(game, past)
                if state is not None and not _is(game, state, steps[-1].after):
                    wrong.append(f"{place}: the position is not the one that it names")
                continue
            for step in steps:
                if step.entries:
                    count += 1
                    state = game.fold(state, step.entries)
                    if not _is(game, state, step.after):
                        wrong.append(f"{place}: the position is not what the entries lead to")
                elif step.before != step.after:
                    wrong.append(f"{place}: the position changes and no entry says why")
        except PositionError as odd:
            return count, [*wrong, f"{place}: {odd}"]
    return count, wrong


def _is(game: AnyGame, state: Any, shown: Data) -> bool:
    return game.dump(state) == (shown.get("table"), shown.get("hidden"))
