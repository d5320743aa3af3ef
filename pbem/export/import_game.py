"""Import a full export as a game of this host, each record in a commit of its own.

The game is made in a folder next to the games and moved in whole, so a crash leaves no half game. Mails are not sent
again, and letters of the old host are unknown here. The players get new tokens with their next mail.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, fields, replace
from datetime import date, datetime
from typing import Any

from engine import game as games
from engine.catalog import T
from engine.errors import NotAllowed, PositionError
from engine.event_log import Data
from engine.game import AnyGame, Seat
from pbem.admin.admin_words import BY_MAIL
from pbem.desk import commands
from pbem.desk.core.seat_controller import level_of
from pbem.desk.core.services import program_version
from pbem.desk.core.undo import replay_records
from pbem.export import verify_alone
from pbem.export.audience import FULL
from pbem.export.document import KeptFields
from pbem.export.document_reader import MISFIT_ERRORS, misfit_text, walk_records
from pbem.export.verify_export import verify_document
from pbem.host.people import MODERATOR, Holder, People
from pbem.host.settings_file import is_address
from pbem.inbound.sanitize import clean_text
from pbem.store.commit_record import Record
from pbem.store.data_codec import from_data
from pbem.store.durable_files import sync_folder
from pbem.store.errors import GameExists
from pbem.store.game_store import GameStore
from pbem.store.game_table import SeatRow, Secrets, Status, Table
from pbem.store.private_text import PrivateText, author_id, extract_text, placeholder
from pbem.store.state_file import StoredGame, commit_game
from pbem.store.state_file import create_game as founded

_GAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_SEAT = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


@dataclass(frozen=True, slots=True)
class ImportedGame:
    """An imported game; `strangers` are the seats without an address."""

    game: str
    status: Status
    records: int
    strangers: tuple[str, ...]


def import_document(
    found: Data,
    store: GameStore,
    people: People,
    at: datetime,
    find: Callable[[str], AnyGame] = games.find_game,
    name: str = "",
) -> ImportedGame:
    """Import a full export, under `name` if it is given.

    Raises PositionError for an unfit export, NotAllowed for an impossible name, GameExists, LookupError.
    """
    if found["view"] != FULL:
        raise PositionError(
            f"shows the view {found['view']!r}; only a full export holds a whole game (--view full)", "view"
        )
    try:
        game, name = find(str(found["game"]["kind"])), name or str(found["game"]["name"])
        _check_name(game, name, store)
        pages = list(_pages(found, game, name))
        _check(game, pages)
        _check_dice(found, find)
        holders, day = _holders(found), datetime.fromisoformat(found["game"]["changed"]).date()
    except MISFIT_ERRORS as error:
        raise PositionError(misfit_text(error), "export") from None
    nursery = store.root / f".new-{os.getpid()}"
    shutil.rmtree(nursery, ignore_errors=True)
    try:
        with people.opening(), closing(PrivateText(people.folder.parent)) as words:
            if store.has(name):
                raise _exists(name, store)
            stored = _laid_down(GameStore(nursery), words, pages, day, at)
            people.register(name, holders)
            try:
                (nursery / name).rename(store.root / name)
            except OSError:
                raise _exists(name, store) from None
            sync_folder(store.root)
    finally:
        shutil.rmtree(nursery, ignore_errors=True)
    strangers = tuple(holder.name for holder in holders if not holder.addresses)
    return ImportedGame(name, stored.table.status, stored.table.records, strangers)


def _check_name(game: AnyGame, name: str, store: GameStore) -> None:
    if not _GAME.fullmatch(name) or commands.is_reserved_word(name, game) or name in BY_MAIL:
        raise NotAllowed(
            T("No game can be called «{name}».", name=clean_text(name, 70)),
            possible=(T("--as {name}", name=f"{game.kind}-100"),),
        )
    if store.has(name):
        raise _exists(name, store)


def _exists(name: str, store: GameStore) -> GameExists:
    return GameExists(
        f"there is a game {name} already in {store.root}; nothing was changed. --as NAME imports it under another name"
    )


def _check_dice(found: Data, find: Callable[[str], AnyGame]) -> None:
    """Verify the export as `pbem verify` does, as far as the game has come."""
    begun = any(step.get("entries") for row in found["records"] for step in row["steps"])
    if wrong := verify_document(found, find).differences if begun else tuple(verify_alone.word_differences(found)):
        raise PositionError(f"does not pass `pbem verify`: {wrong[0]}", "chance")


@dataclass(frozen=True, slots=True)
class ImportedRecord:
    """One record, the position after it, and the public first line of its commit."""

    stored: StoredGame
    record: Record
    says: str


def _pages(found: Data, game: AnyGame, name: str) -> Iterator[ImportedRecord]:
    count = 0
    table, chance = _table(found, name), found["chance"]
    secrets = Secrets(str(chance["seed"]), dict(chance["words"]), int(found["kept"]["epoch"]))
    for record, row, steps in walk_records(found):
        shown = steps[-1].after
        status = _status(found, game, shown, row is found["records"][-1])
        facts: dict[str, Any] = {"status": status, "changed": record.at, "records": record.number - 1, "entries": count}
        stored = StoredGame(Table(**table, **facts), secrets, shown.get("table", {}), shown.get("hidden", {}))
        yield ImportedRecord(stored, record, str(row["says"]))
        count += len(record.entries)


def _status(found: Data, game: AnyGame, shown: Data, last: bool) -> Status:
    if last:
        return Status(found["game"]["status"])
    if "table" not in shown:
        return Status.GATHERING
    state = game.load(shown["table"], shown["hidden"])
    return Status.RUNNING if game.result(state) is None else Status.ENDED


def _table(found: Data, name: str) -> dict[str, Any]:
    top, kept = found["game"], found["kept"]
    own = from_data(KeptFields, kept["table"], "kept.table: ")
    drawn_as = str(found["chance"]["game"])
    return {
        "game": name,
        "kind": str(top["kind"]),
        "engine": str(top["engine"]),
        "game_schema": int(top["game_schema"]),
        "options": {str(name): str(value) for name, value in top["options"].items()},
        "seats": tuple(map(_row, top["seats"])),
        "opened": datetime.fromisoformat(top["opened"]),
        "commitment": str(top["commitment"]),
        "decisions": int(kept["decisions"]),
        "reason": _reason(found, name),
        **{field.name: getattr(own, field.name) for field in fields(own)},
        "origin": "" if drawn_as == name else drawn_as,
    }


def _row(row: Data) -> SeatRow:
    found = SeatRow(row["seat"], row["name"], row["by"], level=str(row.get("level", "")))
    return replace(found, level=level_of(found).name) if found.level else found


def _reason(found: Data, name: str) -> str:
    """The placeholder of the reason why the game is held, whose words are in the record that says so."""
    why = str(found["game"].get("reason", ""))
    said = (int(row["number"]) for row in reversed(found["records"]) if why and row.get("note") == why)
    return next((placeholder(name, number, "note") for number in said), "")


def _check(game: AnyGame, pages: list[ImportedRecord]) -> None:
    """Check that the records lead to the position, and that it keeps the game's laws."""
    last = pages[-1].stored
    if not last.game:
        return
    state = replay_records(game, [page.record for page in pages])
    if game.dump(state) != (last.game, last.hidden):
        raise PositionError("the entries do not lead to the last position", "records")
    if broken := game.moderation.violations(state):
        raise PositionError(f"the last position breaks a law: {broken[0]}", "records")


def _laid_down(
    store: GameStore, words: PrivateText, pages: list[ImportedRecord], day: date, at: datetime
) -> StoredGame:
    first, *others = [replace(page, record=_without_words(words, page)) for page in pages]
    repo, stored = founded(store, first.stored, first.record, first.says)
    with repo.lock("import"):
        for page in others:
            stored = commit_game(repo, page.stored, page.record, page.says)
            if repo.crowded:
                repo.pack()
        # The next mail does not repeat what was told before.
        rows = tuple(replace(row, told=stored.table.entries, heard=stored.table.records) for row in stored.table.seats)
        note = f"imported from an export of {day}"
        record = Record(stored.table.records + 1, at, "import", program_version(), note=note)
        last = pages[-1].stored
        stored = commit_game(repo, replace(last, table=replace(stored.table, seats=rows)), record, note)
    return stored


def _without_words(words: PrivateText, page: ImportedRecord) -> Record:
    """The record with placeholders for people's words, which are kept in the mail folder."""
    game, seat = page.stored.table.game, page.record.seat
    record, texts = extract_text(game, page.record)
    if texts:
        words.keep(game, record.number, author_id(seat or MODERATOR, 1 if seat else 0), texts)
    return record


def _holders(found: Data) -> tuple[Holder, ...]:
    known, holders = found.get("addresses", {}), []
    for number, row in enumerate(found["game"]["seats"]):
        seat, name, addresses = row["seat"], row["name"], tuple(known.get(row["seat"], ()))
        place = f"game.seats[{number}]"
        if not _SEAT.fullmatch(seat) or clean_text(name, 40) != name:
            raise PositionError(f"has the seat {seat!r} for {name!r}, which no table here could have", place)
        if wrong := [one for one in addresses if not is_address(one)]:
            raise PositionError(f"{wrong[0]!r} is no address", f"addresses.{seat}")
        holders.append(Holder(Seat(seat), name, addresses))
    return tuple(holders)
