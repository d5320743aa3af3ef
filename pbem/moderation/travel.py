"""Going back to a position that was, and forward again while nobody has acted since."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from engine.catalog import T
from engine.chronicle import Data
from engine.errors import NotAllowed, NotUnderstood
from pbem.desk.answering import Case
from pbem.desk.undo import BACK, EPOCH, UNDO
from pbem.inbound.speech import relayed
from pbem.moderation.deeds import LONGEST, Deed, Drawn, done, reason
from pbem.moderation.seats import called
from pbem.store.fields import write
from pbem.store.record import Record
from pbem.store.repo import GameRepo
from pbem.store.stored import Stored
from pbem.store.table import Status


@dataclass(frozen=True, slots=True)
class Point:
    """A step of a game that can be gone back to: the record, its commit, when, and its public first line."""

    record: int
    commit: str
    at: datetime
    says: str


def points(repo: GameRepo, start: str | None = None) -> Iterator[Point]:
    """The steps of a game, newest first. A commit that holds no record of ours is none."""
    last = 0
    for commit in repo.log(start=start):
        number = int(commit.trailers.get("Record", "0"))
        if number and (not last or number < last):
            last = number
            yield Point(number, commit.id, commit.at, commit.subject)


def point(case: Case, to: str) -> Point:
    """The step called `to`: its number, or the beginning of its commit's id. Raises NotUnderstood."""
    wanted = to.strip().casefold()
    number = int(wanted) if re.fullmatch(r"[0-9]{1,6}", wanted) else 0
    if not number and not re.fullmatch(r"[0-9a-f]{7,40}", wanted):
        raise NotUnderstood(T("«{text}» is neither the number of a step nor the id of a commit.", text=relayed(to, 50)))
    for found in points(case.repo, case.stored.commit):
        if found.record == number or (not number and found.commit.startswith(wanted)):
            return found
    last = case.stored.table.records
    raise NotUnderstood(T("There is no step {text}; they go from 1 to {last}.", text=wanted, last=last))


def acted(record: Record) -> bool:
    """Whether a record has changed the position."""
    return bool(record.entries) or UNDO in record.also or BACK in record.also


def before_last(case: Case) -> Point:
    """The step before the last orders. Raises NotAllowed when there are none."""
    for record in reversed(case.past(0)):
        if BACK in record.also:
            raise NotAllowed(
                T("The last thing done was to go back, at step {number}.", number=record.number),
                possible=(T("rollforward"), T("rollback to an earlier step")),
            )
        if acted(record):
            return point(case, str(record.number - 1)) if record.number > 1 else _nothing()
    return _nothing()


def _nothing() -> Point:
    raise NotAllowed(T("Nothing has been played yet that could be taken back."))


def undo(why: str) -> Deed:
    """Take back the last orders, whoever gave them, with all that followed."""
    return lambda case: _stand(case, before_last(case), {"what": "undo"}, reason(why))


def rollback(to: str, why: str, redraw: bool = False) -> Deed:
    """The game stands again at the step `to`; with `redraw` the dice that come are other ones."""

    def deed(case: Case) -> Drawn:
        data: Data = {"what": "rollback"}
        if redraw:
            data["redraw"] = True
        return _stand(case, point(case, to), data, reason(why))

    return deed


def rollforward(why: str = "") -> Deed:
    """What was gone back from counts again. Raises NotAllowed when somebody has acted since."""

    def deed(case: Case) -> Drawn:
        left = returning(case)
        # What comes to count again is told to everybody, also to who had not heard of it the first time.
        heard = int(left.also[BACK]["record"])
        rows = tuple(
            replace(row, heard=min(heard, row.heard))
            for row in case.stored.table.seats
        )
        stored = replace(case.stored, table=replace(case.stored.table, seats=rows))
        target = point(case, str(left.number - 1))
        return _stand(case, target, {"what": "rollforward"}, relayed(why, LONGEST), stored)

    return deed


def returning(case: Case) -> Record:
    """The record that went back and that can be taken back. Raises NotAllowed."""
    depth, past = 0, case.past(0)
    for record in reversed(past):
        if record.what == "rollforward":
            depth += 1
        elif BACK in record.also:
            if not depth:
                return record
            depth -= 1
        elif acted(record):
            if not any(BACK in one.also for one in past[: record.number]):
                break
            name = next((row.name for row in case.stored.table.seats if row.seat == record.seat), T("the moderator"))
            raise NotAllowed(
                T("{name} has acted since, at step {number}, so nothing can be brought back.", name=name,
                  number=record.number),
                possible=(T("rollback to a step before that"),),
            )  # fmt: skip
    raise NotAllowed(T("Nothing was gone back from, so there is nothing to bring back."))


def _stand(case: Case, target: Point, data: Data, why: str, stored: Stored | None = None) -> Drawn:
    """The game stands again as after the record of `target`; decisions get new numbers, plans are cancelled."""
    before, table = stored or case.stored, case.stored.table
    _check(case, target)
    past = Stored.read(case.repo, target.commit)
    if not past.game:
        raise NotAllowed(T("At step {number} the game had not begun; open a new table.", number=target.record))
    state = case.game.renumber(case.game.load(past.game, past.hidden), table.decisions)
    entries = case.game.calmed(state) if data["what"] != "rollforward" else ()
    # Who sits there is nothing that a position takes back.
    entries += called(case.game, state, {row.seat: row.name for row in table.seats})
    if entries:
        state = case.game.fold(state, entries)
    data = {
        **data,
        "record": target.record,
        "where": write(case.game.heading(state)),
        "when": past.table.changed.strftime("%Y-%m-%d %H:%M"),
    }
    back = {
        "record": target.record,
        "commit": target.commit,
        "entry": past.table.entries,
        "number": table.decisions,
    }
    also: dict[str, Any] = {BACK: back}
    # Lists of options and whatever else was kept for decisions that are gone.
    secrets = replace(before.secrets, lists={}, said={})
    if data.get("redraw"):
        secrets = replace(secrets, epoch=secrets.epoch + 1)
        also[EPOCH] = secrets.epoch
    return done(
        case,
        data,
        why,
        stored=replace(before, secrets=secrets),
        state=state,
        entries=entries,
        marks=(),
        also=also,
        shows=True,
    )


def _check(case: Case, target: Point) -> None:
    table = case.stored.table
    if table.status is Status.ENDED:
        raise NotAllowed(
            T("The game is over and its seed is published, so dice that come would be known; it cannot go back."),
            possible=(T("open a new table"),),
        )
    if case.state is None:
        raise NotAllowed(T("The game has not begun."))
    if not any(acted(record) for record in case.past(target.record)):
        raise NotAllowed(
            T("The game stands as it stood at step {number}; nothing was played since.", number=target.record),
            possible=(T("a step before {number}", number=target.record),),
        )
