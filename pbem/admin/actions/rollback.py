"""Undo, rollback and rollforward: the game stands again as it stood after an earlier record."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood
from engine.event_log import Data
from pbem.admin.actions.seat_holders import name_corrections
from pbem.admin.admin_action import (
    AdminAction,
    Argument,
    ArgumentKind,
    action_result,
    admin_action,
    checked_reason,
    flag_argument,
    require_begun,
)
from pbem.desk.clock.clock_actions import played_for, without_default
from pbem.desk.core.context import Context
from pbem.desk.core.result import Result
from pbem.desk.core.undo import BACK, EPOCH, changes_position
from pbem.inbound.sanitize import clean_text
from pbem.store.commit_record import Record
from pbem.store.game_repo import GameRepo
from pbem.store.game_table import Status
from pbem.store.state_file import StoredGame


@dataclass(frozen=True, slots=True)
class GameStep:
    """A step that the game can go back to: its record and commit, when it was, and its public first line."""

    record: int
    commit: str
    at: datetime
    says: str


def game_steps(repo: GameRepo, start: str | None = None) -> Iterator[GameStep]:
    """The steps of a game, newest first. A commit without a record of ours is passed over."""
    last = 0
    for commit in repo.log(start=start):
        number = int(commit.trailers.get("Record", "0"))
        if number and (not last or number < last):
            last = number
            yield GameStep(number, commit.id, commit.at, commit.subject)


def find_step(context: Context, to: str) -> GameStep:
    """The step with that number, or with a commit id that begins so. Raises NotUnderstood."""
    wanted = to.strip().casefold()
    number = int(wanted) if re.fullmatch(r"[0-9]{1,6}", wanted) else 0
    if not number and not re.fullmatch(r"[0-9a-f]{7,40}", wanted):
        text = clean_text(to, 50)
        raise NotUnderstood(T("«{text}» is neither the number of a step nor the id of a commit.", text=text))
    for found in game_steps(context.repo, context.stored.commit):
        if found.record == number or (not number and found.commit.startswith(wanted)):
            return found
    last = context.stored.table.records
    raise NotUnderstood(T("There is no step {text}; they go from 1 to {last}.", text=wanted, last=last))


def _effective(context: Context) -> Iterator[Record]:
    """The records, newest first, without rollforwards and what they took back."""
    forward = 0
    for record in reversed(context.past(0)):
        if record.what == "rollforward":
            forward += 1
        elif BACK in record.also and forward:
            forward -= 1
        else:
            yield record


def step_before_orders(context: Context) -> GameStep:
    """The step before the last orders. Raises NotAllowed when there are none."""
    for record in _effective(context):
        if BACK in record.also:
            raise NotAllowed(
                T("The last thing done was to go back, at step {number}.", number=record.number),
                possible=(T("rollforward"), T("rollback to an earlier step")),
            )
        if changes_position(record) and record.number > 1:
            return find_step(context, str(record.number - 1))
    raise NotAllowed(T("Nothing has been played yet that could be taken back."))


def step_before_default(context: Context) -> GameStep:
    """The step before the clock last played for a seat. Raises NotAllowed when somebody has acted since."""
    found = played_for(context)
    if found is None:
        raise NotAllowed(
            T("The last thing that was played was not played by the clock."),
            possible=(T("undo"), T("rollback to an earlier step")),
        )
    return find_step(context, str(found["record"] - 1))


@admin_action(
    T("takes back the last orders; with «default», what the clock has played last"),
    flag_argument("default", "Take back what the clock has played for a seat."), moment=True,
    shows=lambda context, given: step_before_default(context) if given.get("default") else step_before_orders(context),
    sure=lambda context, given: (
        f"Take this back, so that {context.stored.table.game} stands at step {given['step']} again?"
    ),
)  # fmt: skip
def undo(context: Context, why: str, default: bool = False) -> Result:
    """Take back the last orders of a game.

    Whoever gave them, with all that followed on them. What would be undone is shown first. Everybody is mailed where
    the game stands and why; the same dice return. `pbem rollforward` brings it back while nobody has acted. With
    --default it is only done if the clock has played last; the seat is asked again, with the whole time.
    """
    if not default:
        return _stand(
            context, step_before_orders(context), "undo",
            lambda place: T(
                "The moderator has taken back the last orders. The game stands again at {place}.", place=place
            ),
            checked_reason(why), redraw=False,
        )  # fmt: skip
    target, found = step_before_default(context), played_for(context) or {}
    row = context.stored.table.seat(found["seat"])
    # A sealed answer was told without a name.
    name: Msg | str = T("somebody") if found.get("sealed") else row.name
    return _stand(
        context, target, "undo",
        lambda place: T(
            "What the clock has played for {name} is taken back. The game stands again at {place}.",
            name=name, place=place,
        ),
        checked_reason(why), without_default(context.stored, (row.seat,)), redraw=False,
    )  # fmt: skip


def _sure(context: Context, given: Mapping[str, Any]) -> str:
    dice = "Other dice will fall." if given["redraw"] else "The same dice will return."
    return f"Let {context.stored.table.game} stand at step {given['step']} again? {dice}"


@admin_action(
    T("goes back to a step; without a reason it shows what would be undone; «redraw» after the number: other dice"),
    Argument(name="to", takes=ArgumentKind.STEP, shown="17", help="The step (see `pbem log`) or commit to go back to."),
    flag_argument("redraw", "The dice that come are other ones; shows in `pbem verify`."),
    shows=lambda context, given: find_step(context, given["to"]), sure=_sure,
)  # fmt: skip
def rollback(context: Context, to: str, why: str, redraw: bool = False) -> Result:
    """Let a game stand again as it stood at a step.

    Without --to the last steps are listed. What would be undone is shown first. Keys and private plans of what is
    taken back are dead; everybody is mailed where the game stands and why. The dice stay as they were fixed at the
    start, so the same ones return, unless --redraw.
    """
    return _stand(
        context, find_step(context, to), "rollback",
        lambda place: T("The moderator has put the game back. The game stands again at {place}.", place=place),
        checked_reason(why), redraw=redraw,
    )  # fmt: skip


@admin_action(
    T("brings back what was gone back from"), moment=True,
    sure="Bring back in {game} what was gone back from?",
)  # fmt: skip
def rollforward(context: Context, why: str) -> Result:
    """Bring back what was gone back from.

    As long as nobody has acted since `pbem undo` or `pbem rollback`. Everybody is mailed.
    """
    left = last_rollback(context)
    # Everybody is told again what counts again, also those who had not heard of it the first time.
    heard = int(left.also[BACK]["record"])
    rows = tuple(replace(row, heard=min(heard, row.heard)) for row in context.stored.rows)
    table, secrets = replace(context.stored.table, seats=rows), replace(context.stored.secrets, mailed={})
    stored = replace(context.stored, table=table, secrets=secrets)
    return _stand(
        context, find_step(context, str(left.number - 1)), "rollforward",
        lambda place: T(
            "What the moderator had taken back counts again. The game stands again at {place}.", place=place
        ),
        checked_reason(why), stored,
    )  # fmt: skip


def rollback_target(context: Context, action: AdminAction[...], values: Mapping[str, Any]) -> GameStep:
    """The step that an action would go back to. Raises OrderRefused where the action cannot be done."""
    assert action.shows is not None
    target: GameStep = action.shows(context, values)
    action.does(context, **values, why="looking")
    return target


def last_rollback(context: Context) -> Record:
    """The newest record that went back and can be undone. Raises NotAllowed."""
    for record in _effective(context):
        if BACK in record.also:
            return record
        if changes_position(record):
            if not any(BACK in one.also for one in context.past(0)[: record.number]):
                break
            name: Msg | str = T("the moderator")
            if record.seat:
                name = T("Somebody") if record.unnamed else context.stored.table.seat(record.seat).name
            raise NotAllowed(
                T("{name} has acted since, at step {number}, so nothing can be brought back.", name=name,
                  number=record.number),
                possible=(T("rollback to a step before that"),),
            )  # fmt: skip
    raise NotAllowed(T("Nothing was gone back from, so there is nothing to bring back."))


def _stand(
    context: Context, target: GameStep, what: str, says: Callable[[Msg], Msg], why: str,
    stored: StoredGame | None = None, redraw: bool | None = None,
) -> Result:  # fmt: skip
    """The game as after the record of `target`, with new decision numbers.

    `redraw`: whether other dice come, when going back, which also cancels plans; None when going forward.
    """
    before, table = stored or context.stored, context.stored.table
    _check(context, target)
    past = StoredGame.read(context.repo, target.commit)
    if not past.game:
        raise NotAllowed(T("At step {number} the game had not begun; open a new table.", number=target.record))
    state = context.game.moderation.renumber(context.game.load(past.game, past.hidden), table.decisions)
    entries = context.game.moderation.without_plans(state) if redraw is not None else ()
    # Going back does not change who sits there.
    entries += name_corrections(context.game, state, {row.seat: row.name for row in table.seats})
    if entries:
        state = context.game.fold(state, entries)
    where, when = context.game.heading(state), past.table.changed.strftime("%Y-%m-%d %H:%M")
    sentence = says(T("step {number}, {where}, {when} UTC", number=target.record, where=where, when=when))
    if redraw is not None:
        again = T("{told} The dice that come are drawn anew.", told=sentence)
        sentence = again if redraw else T("{told} The same dice will return.", told=sentence)
    also: Data = {
        BACK: {
            "record": target.record, "commit": target.commit, "entry": past.table.entries, "number": table.decisions
        }
    }  # fmt: skip
    # Lists of options were kept for decisions that are gone.
    secrets = replace(before.secrets, lists={}, said={})
    if redraw:
        secrets = replace(secrets, epoch=secrets.epoch + 1)
        also[EPOCH] = secrets.epoch
    return action_result(
        context, what, sentence, why,
        stored=replace(before, secrets=secrets), state=state, entries=entries, marks=(), also=also, shows=True,
    )  # fmt: skip


def _check(context: Context, target: GameStep) -> None:
    table = context.stored.table
    if table.status is Status.ENDED:
        raise NotAllowed(
            T("The game is over and its seed is published, so dice that come would be known; it cannot go back."),
            possible=(T("open a new table"),),
        )
    require_begun(context)
    if not any(changes_position(record) for record in context.past(target.record)):
        raise NotAllowed(
            T("The game stands as it stood at step {number}; nothing was played since.", number=target.record),
            possible=(T("a step before {number}", number=target.record),),
        )
