"""Mails of a lost spool, written again from the records: intents, drafts and positions are all in the repository."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Game
from engine.game import Seat
from pbem.desk.draft import Draft
from pbem.desk.draft import unpack
from pbem.desk.office import Office
from pbem.desk.scene import Scene
from pbem.desk.scene import dress
from pbem.desk.sealing import write
from pbem.store.ledger import Outgoing
from pbem.store.record import Intent
from pbem.store.record import Record
from pbem.store.record import records
from pbem.store.repo import GameRepo
from pbem.store.stored import Stored


def rebuild(office: Office, game: Game, repo: GameRepo) -> int:
    """Put every committed mail of a game that the spool has no row of into the spool again; how many. Under its lock.

    A crash leaves some of them there; the next call writes the rest.
    """
    name, count = repo.name, 0
    lost = {
        record.number: record
        for record in records(repo, secret=False)
        if record.intents and office.spool.missing(record.intents)
    }
    if not lost:
        return 0
    written: list[list[Outgoing]] = []
    for commit in repo.log():
        number = int(commit.trailers.get("Record", "0"))
        if number in lost:
            written.append(_written(office, game, repo, number, commit.id))
            del lost[number]
        if not lost:
            break
    # The oldest first: in this order they go.
    for mails in reversed(written):
        office.spool.restock(name, mails)
        count += len(mails)
    return count


def _written(office: Office, game: Game, repo: GameRepo, number: int, commit: str) -> list[Outgoing]:
    record = Record.read(repo, number, commit)
    stored = Stored.read(repo, commit)
    state = game.load(stored.game, stored.hidden) if stored.game else None

    def past(after: int) -> Sequence[Record]:
        return tuple(records(repo, after, upto=number, commit=commit))

    scene = Scene(game, stored, state, past)
    drafts = [unpack(row) for row in record.private.get("mails", ())]
    wanted = {intent.message_id for intent in office.spool.missing(record.intents)}
    return [
        write(office, stored, draft, intent, dress(scene, draft, _token(office, name, draft, intent)), record.at)
        for draft, intent in zip(drafts, record.intents, strict=True)
        if (name := stored.table.game) and intent.message_id in wanted
    ]


def _token(office: Office, game: str, draft: Draft, intent: Intent) -> str:
    if draft.public:
        return ""
    holder = office.people.holder(game, Seat(draft.seat))
    return str(office.keys.token(game, draft.seat, holder.generation, intent.decision))
