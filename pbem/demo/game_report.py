"""What a demo tells at its end, taken from the store and the spool."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from engine.game import find_game
from pbem.daemon.service import Service
from pbem.store.commit_record import Record, read_records
from pbem.store.state_file import StoredGame

ASKS = frozenset({"turn", "welcome", "final"})
"""Kinds of mail that put a new decision to somebody who has not written."""


def game_report(service: Service, game: str, mailbox: Path) -> dict[str, Any]:
    """The figures of a game, finished or not (`scores` and `winners` are empty then)."""
    repo = service.store.open(game)
    stored = StoredGame.read(repo)
    table, rules = stored.table, find_game(stored.table.kind)
    state = rules.load(stored.game, stored.hidden) if stored.game else None
    result = rules.result(state) if state is not None else None
    chronicle = tuple(read_records(repo, upto=table.records))
    mails = service.spool.rows(game)
    sent = [mail.seat for mail in mails if mail.state == "sent"]
    totals = result.totals if result else {}
    stage = re.search(r"(\d+)$", rules.stage(state)) if state is not None else None
    return {
        "game": game,
        "kind": table.kind,
        "options": {"players": str(len(table.seats)), **table.options},
        "rounds": int(stage[1]) if stage else 0,
        "letters_in": sum(record.letter is not None for record in chronicle),
        "mails_out": len(sent),
        "mails_per_person": {row.seat: sent.count(row.seat) for row in table.seats},
        "serial_waits": serial_waits(chronicle),
        "refusals": sum(mail.kind == "refusal" for mail in mails),
        "scores": {
            str(seat): {"total": total, "components": dict(result.scores[seat] if result else {})}
            for seat, total in totals.items()
        },
        "winners": [str(seat) for seat in result.winners] if result else [],
        "store": str(service.config.store),
        "mailbox": str(mailbox),
        "commits": sum(1 for _ in repo.log()),
        # Only where a game has something to say.
        **({"notes": [str(note) for note in result.notes]} if result and result.notes else {}),
    }


def serial_waits(chronicle: tuple[Record, ...]) -> int:
    """How often the table waited before anybody else could act: the times one answer had to come before the next.

    Two letters in a row are one wait when neither had to wait for the other: both answer the same decision, which was
    put to several seats at once; or one seat wrote both, and nobody else was asked in between.
    """
    waits, last, begun = 0, "", 0
    asked: dict[str, int] = {}
    spread: set[int] = set()
    for record in chronicle:
        if record.letter is not None and record.entries and record.seat and record.what not in ("start", "join"):
            number = asked.get(record.seat, 0)
            goes_on = record.seat == last and number not in spread
            if number != begun and not goes_on:
                waits += 1
            begun, last = number, record.seat
        for intent in record.intents:
            asked[intent.seat] = intent.decision
            if intent.seat != record.seat and intent.kind in ASKS:
                spread.add(intent.decision)
    return waits
