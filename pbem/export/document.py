"""Make the export document of a game, from which JSON, TOML and the replay page are written.

`docs/export.md` explains it and `schema.json` is its JSON Schema. Each position is a change to the one before.
Times are UTC, ISO 8601.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from engine.catalog import ENGLISH, Catalogue
from engine.event_log import Data, LogEntry
from pbem.desk.core.game_start import OPENING, drawn_as
from pbem.desk.core.services import program_version
from pbem.desk.core.undo import EPOCH
from pbem.export.audience import EVERYBODY, Audience
from pbem.export.game_source import GameSource
from pbem.export.replay_steps import Chapter, ReplayStep, is_visible, replay_chapters, table_talk
from pbem.export.turn_costs import TurnCosts
from pbem.export.visible_position import difference, visible_position
from pbem.store.data_codec import to_data
from pbem.store.game_table import Pace, SeatRow, Status

FORMAT = "pbem-export"
VERSION = 1
"""Raised when older readers would misread the format."""


@dataclass(frozen=True, slots=True)
class KeptFields:
    """Fields of `Table` that only an import needs."""

    joined: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    first: str = ""
    facts: Data | None = None
    origin: str = ""
    hints: bool = False
    pace: Pace = field(default_factory=Pace)
    answers: str = "count"
    cooling: int = 0
    follow: bool = False
    anonymous: bool = False


def export_document(source: GameSource, sight: Audience, words: Catalogue = ENGLISH, *, valued: bool = True) -> Data:
    """The export document. `valued` adds estimates of all positions (`pbem.export.turn_costs`), which takes most time.
    Raises PositionError if the records do not fit the position."""
    chapters = replay_chapters(source, sight)
    found: Data = {"format": FORMAT, "version": VERSION, "made_by": program_version(), "view": str(sight)}
    found["game"] = _table(source, sight, chapters)
    if source.over or sight.full:
        found["chance"] = _chance(source)
    if result := _result(source, words):
        found["result"] = result
    found["cards"] = _cards(source, words)
    if sight.full:
        found["kept"] = _kept(source)
    if source.open_hand:
        found["addresses"] = {seat: list(known) for seat, known in source.addresses.items()}
    worths = TurnCosts(source.game, source.seats, words.language)
    if valued and sight.full:
        worths.walk(chapters)
    found["records"] = _records(source, sight, chapters, worths, words)
    return found


def _table(source: GameSource, sight: Audience, chapters: tuple[Chapter, ...]) -> Data:
    table = source.stored.table
    # The last record may be a letter that the reader must not know of.
    changed = chapters[-1].record.at if chapters else table.opened
    found: Data = {
        "name": table.game,
        "kind": table.kind,
        "title": source.game.title,
        "status": str(table.status),
        "options": dict(table.options),
        "seats": [_seat(row) for row in table.seats],
        "opened": utc_text(table.opened),
        "changed": utc_text(table.changed if sight.full else changed),
        "commitment": table.commitment,
        "game_schema": table.game_schema,
        "engine": table.engine,
        "draws": sorted(source.game.draws),
    }
    return found | ({"reason": table.reason} if table.status is Status.HELD and table.reason else {})


def _seat(row: SeatRow) -> Data:
    found = {"seat": row.seat, "name": row.name, "by": row.by}
    return found | ({"level": row.level} if row.level else {})


def _chance(source: GameSource) -> Data:
    hidden = source.stored.secrets
    seed, words, epoch = hidden.seed, dict(hidden.words), hidden.epoch
    for record in source.records:
        if "seed" in record.also:
            seed, words = str(record.also["seed"]), {str(k): str(v) for k, v in record.also["words"].items()}
        if EPOCH in record.also:
            epoch = 0  # the records say from where each later epoch counts
    return {"game": drawn_as(source.stored.table), "seed": seed, "words": words, "epoch": epoch}


def _result(source: GameSource, words: Catalogue) -> Data:
    state = source.state()
    result = source.game.result(state) if state is not None else None
    if result is None:
        return {}
    return {
        "scores": {str(seat): dict(parts) for seat, parts in result.scores.items()},
        "totals": {str(seat): total for seat, total in result.totals.items()},
        "winners": [str(seat) for seat in result.winners],
        "names": {part: words.render(name) for part, name in result.names.items()},
    }


def _cards(source: GameSource, words: Catalogue) -> Data:
    """Every card of the box with its text, in play or not."""
    state, found = source.state(), {}
    for row in source.game.reference.facts():
        id = str(row.get("id", ""))
        if not id or id in found:
            continue
        text = source.game.reference.explain(id, state)
        if text is not None:
            found[id] = {
                "name": words.render(text.title),
                "group": str(row.get("group", "")),
                "color": str(row.get("color", "")),
                "text": [words.render(line) for line in text.lines],
            }
    return found


def _kept(source: GameSource) -> Data:
    """Further data for an import, without ids of letters and mails."""
    table, secrets = source.stored.table, source.stored.secrets
    return {
        "table": {key: value for key, value in to_data(table).items() if key in KeptFields.__dataclass_fields__},
        "decisions": table.decisions,
        "epoch": secrets.epoch,
    }


def _records(
    source: GameSource, sight: Audience, chapters: tuple[Chapter, ...], worths: TurnCosts, words: Catalogue
) -> list[Data]:
    seats, found = source.seats, []
    before: Data = {}
    for at, chapter in enumerate(chapters):
        record = chapter.record
        row: Data = {"at": utc_text(record.at), "what": record.what}
        commit = source.commits.get(record.number, ("", ""))
        optional: dict[str, Any] = {
            "seat": record.seat if sight.full or sight.seat == record.seat or not record.unnamed else "",
            "orders": list(record.private.get("orders", ())) if sight.full or record.seat == sight.seat != "" else [],
            "note": record.note,
            "commit": str(record.also.get("commit", commit[0])),
            "epoch": record.also.get(EPOCH),
            OPENING: record.also.get(OPENING),
            "undone": chapter.undone,
            "talk": table_talk(source, record, sight),
        }
        if sight.full:
            optional |= {
                "number": record.number,
                "says": commit[1],
                "engine": record.engine,
                "reveals": record.reveals,
                "also": {key: value for key, value in record.also.items() if key not in ("says", "commit", OPENING)},
            }
        row |= {key: value for key, value in optional.items() if value}
        row["steps"] = []
        for nth, step in enumerate(chapter.steps):
            after = visible_position(source.game, step.state, sight, seats, words)
            row["steps"].append(_step(source, sight, step, before, after, words) | worths.told((at, nth)))
            before = after
        found.append(row)
    return found


def _step(source: GameSource, sight: Audience, step: ReplayStep, before: Data, after: Data, words: Catalogue) -> Data:
    found: Data = {}
    if step.state is not None:
        found["heading"] = words.render(source.game.heading(step.state))
        found["stage"] = source.game.stage(step.state)
    if step.seat:
        found["seat"] = step.seat
    lines = {reader or EVERYBODY: [words.render(line) for line in told] for reader, told in step.lines.items() if told}
    if sight.full:
        everybody = lines.get(EVERYBODY)
        lines = {reader: told for reader, told in lines.items() if reader == EVERYBODY or told != everybody}
    if lines:
        found["lines"] = lines
    entries = [row for n, entry in enumerate(step.entries) if (row := _entry(entry, step.first + n, sight))]
    if entries:
        found["entries"] = entries
    change, gone = difference(before, after)
    if gone:
        found["gone"] = gone
    if change:
        found["change"] = change
    return found


def _entry(entry: LogEntry, number: int, sight: Audience) -> Data:
    if sight.full:
        found: Data = {"number": number, "kind": entry.kind, "data": dict(entry.data)}
        return found | entry.secret()
    reader = sight.seat or None
    return {"kind": entry.kind, "data": entry.seen_by(reader)} if is_visible(entry, reader) else {}


def utc_text(at: datetime) -> str:
    """A time as `2026-11-21T12:00:00Z`."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")
