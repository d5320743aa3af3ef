"""Verify the dice of a stored game or of an export.

`verify_alone` checks seed, words and the numbers of every draw. Here the deal is repeated from the seed, the positions
rebuilt from the entries are compared with those of the export, and on each position the rules say what the next entry
must draw. None of it shows whether the host has read the seed meanwhile (docs/security.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from engine import game as games
from engine.chance import SeededChance
from engine.errors import OrderRefused, PositionError
from engine.event_log import Data, LogEntry
from engine.game import AnyGame, Seat
from pbem.desk.core.undo import NUMBERED, replay_records, surviving, undone_records
from pbem.export import verify_alone
from pbem.export.audience import FULL, Audience
from pbem.export.document import export_document
from pbem.export.document_reader import MISFIT_ERRORS, entry_of, misfit_text, walk_records
from pbem.export.game_source import GameSource, read_source
from pbem.export.replay_steps import is_plain_record
from pbem.store.commit_record import Record
from pbem.store.game_repo import GameRepo
from pbem.store.game_table import Status
from pbem.store.private_text import PrivateText
from pbem.store.state_file import StoredGame


class NoSeed(Exception):  # noqa: N818 - a refusal, not a defect
    """The export holds no seed, because the game was not over."""


class NotOver(Exception):  # noqa: N818 - a refusal, not a defect
    """The seed of a running game is not read unasked."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What was checked, and what differs.

    `commitment` and `words_hash` are the hashes of the invitations and the welcome mails; `seed_fits`: seed and words
    have them. `positions` counts the compared positions, 0 for an export that is not full.
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
    """Records from which on a moderator had the dice drawn anew, with reasons."""
    differences: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing differs."""
        return not self.differences


def verify_document(found: Data, find: Callable[[str], AnyGame] = games.find_game) -> Verification:
    """Verify a document. Raises NoSeed, LookupError for an unknown kind of game, PositionError for no export."""
    if "chance" not in found:
        raise NoSeed(
            f"this export of {found['game'].get('name')} holds no seed: the game was not over when it was made; "
            "export it again at its end"
        )
    try:
        game = find(found["game"]["kind"])
        fits = not any(verify_alone.word_differences(found))
        counts, differs = verify_alone.check_draws(found, {entry: ("", kinds) for entry, kinds in game.draws.items()})
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
        return Verification(
            table["name"], found["view"], table["commitment"], hashed, fits, counts["roll"], counts["shuffle"],
            positions, epoch, again, tuple(differs),
        )  # fmt: skip
    except MISFIT_ERRORS as error:
        raise PositionError(misfit_text(error), "export") from None


def is_running(repo: GameRepo) -> bool:
    """Whether the game is not over, so that verifying it reveals secrets."""
    return StoredGame.read_public(repo).table.status is not Status.ENDED


def verify_game(
    repo: GameRepo,
    reveal: bool = False,
    find: Callable[[str], AnyGame] = games.find_game,
    words: PrivateText | None = None,
) -> Verification:
    """Verify a stored game. Raises NotOver for a running one without `reveal`, and errors of reading it."""
    if is_running(repo) and not reveal:
        raise NotOver(
            f"{repo.name} is not over, and its seed stays unread until then; with --reveal it is checked all the same, "
            "and the table is told that you have looked"
        )
    *_, first = repo.log()
    published = StoredGame.read_public(repo, first.id).table.commitment
    return verify_source(read_source(repo, find, words), published, find)


def verify_source(source: GameSource, published: str, find: Callable[[str], AnyGame] = games.find_game) -> Verification:
    """Verify a game against the hash that was `published`. Raises PositionError."""
    found = verify_document(export_document(source, Audience(full=True), valued=False), find)
    if found.commitment == published:
        return found
    differs = f"the hash published with the first commit was {published}, and is {found.commitment} now"
    return replace(found, seed_fits=False, differences=(differs, *found.differences))


def _deal(game: AnyGame, found: Data) -> list[str]:
    """Compare the first entry, with hands and decks, with what the seed deals."""
    first = next((one for row in found["records"] for step in row["steps"] for one in step.get("entries", ())), None)
    if first is None:
        return []
    table, chance, kept = found["game"], found["chance"], found.get("kept", {}).get("table", {})
    words = verify_alone.all_words(found, chance["words"])
    dice = SeededChance(bytes.fromhex(chance["seed"]), tuple(words.values()), chance["game"], chance["epoch"])
    start = Seat(kept["first"]) if "first" in kept else None
    try:
        # The names at the deal: a seat may have another by now.
        called = game.moderation.settable(game.fold(None, [entry_of(first)]))
        seats = {Seat(row["seat"]): called.get(f"{row['seat']}.name", row["name"]) for row in table["seats"]}
        begun = game.start(seats, table["options"], dice, facts=kept.get("facts"), first=start).entries[0]
    except (OrderRefused, PositionError) as odd:
        return [f"the game cannot be dealt again: {odd}"]
    parts = (("data", begun.data), ("only", begun.only), ("hidden", begun.hidden))
    # The box is that of the program that made the game; a newer one may have other numbers.
    return [
        f"entry 1: `{part}.{name}` is not what the seed deals"
        for part, right in parts
        for name in right
        if name != "box" and first.get(part, {}).get(name) != right[name]
    ]


def _folded(game: AnyGame, found: Data) -> tuple[int, list[str]]:
    """Compare the position after each step with the one shown, and the draws of each entry with those of the rules.

    Returns the number of positions and the differences.
    """
    state: Any = None
    count, wrong, past, counting = 0, list[str](), list[Record](), list[LogEntry]()
    for record, _, steps in walk_records(found):
        place = f"record {record.number}"
        try:
            if not is_plain_record(record):
                also = {key: value for key, value in record.also.items() if key != NUMBERED}
                back = [*past, replace(record, entries=(), also=also)]
                state, counting = (
                    replay_records(game, back),
                    [entry for piece in surviving(back) for entry in piece.entries],
                )
            past.append(record)
            for step in steps:
                for entry in step.entries:
                    if state is not None:
                        wrong += (f"{place}: {odd}" for odd in _drawn(game, state, counting, entry))
                    state = game.fold(state, (entry,))
                    counting.append(entry)
                if NUMBERED in record.also and step is steps[-1]:
                    state = replay_records(game, past)
                count += state is not None
                if not _is(game, state, step.after):
                    wrong.append(f"{place}: the position is not what the entries lead to")
        except PositionError as odd:
            return count, [*wrong, f"{place}: {odd}"]
    gone = undone_records(past)
    wrong += (
        f"record {row['number']}: whether it was taken back is not as it says"
        for row in found["records"]
        if row.get("undone", False) is not (row["number"] in gone)
    )
    return count, wrong


def _drawn(game: AnyGame, state: Any, counting: list[LogEntry], entry: LogEntry) -> Iterator[str]:
    """Differences between the draws of an entry and those of the rules."""
    try:
        due = [(str(one.purpose), one.count, one.sides) for one in game.due(state, counting, entry)]
    except PositionError as odd:
        yield f"«{entry.kind}»: {odd}"
        return
    except MISFIT_ERRORS as odd:
        yield f"«{entry.kind}»: {misfit_text(odd)}"
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
