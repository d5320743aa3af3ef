"""Lets a damaged game go on from its newest whole commit: what that would lose, and how everybody is told.

Where the last step is whole the game stays there: only older positions are out of reach. With a backup its packs come
in first, so that the newest whole commit is one of both. Letters that were answered since are played again.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from engine.catalog import Msg, T
from engine.event_log import LogEntry
from pbem.admin.actions.seat_holders import name_corrections
from pbem.admin.admin_action import action_result
from pbem.admin.health.accept_edit import fix_result, required_reason
from pbem.admin.health.adopt_backup import commits, joined, newest_whole, renew, take_in
from pbem.admin.health.game_health import is_playable
from pbem.desk.core.context import Context
from pbem.desk.core.result import Result
from pbem.desk.core.seat_controller import with_row
from pbem.desk.core.services import Services
from pbem.desk.desk import Desk
from pbem.host.people import Holder, PeopleError
from pbem.store.errors import Damaged, StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.state_file import StoredGame

_LATER = "SELECT digest FROM handled WHERE game = ? AND record > ?"


@dataclass(frozen=True, slots=True)
class ResetPlan:
    """A reset of a game to `step`, its newest whole one; it would lose `count` steps, of which `lost` still tell what.

    `tip` was the last commit. `letters` would be played again. `stays`: the last commit is whole. `helped`: `commit`
    comes from the backup.
    """

    tip: str
    commit: str
    step: int
    count: int
    lost: tuple[str, ...]
    letters: int
    stays: bool
    helped: bool

    @property
    def loses(self) -> bool:
        """Whether any step would be lost."""
        return self.count > 0

    def __str__(self) -> str:
        if self.stays:
            stays = f"the last step, {self.step}, is whole: the game stays there"
            return f"{stays}, and at most older positions are out of reach"
        letters = _counted(self.letters, "letter")
        steps = _counted(self.count, "step")
        return f"the game would stand at step {self.step} again, {steps} would be lost, and {letters} played again"


def _counted(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def plan_reset(services: Services, repo: GameRepo, source: Path | None) -> ResetPlan:
    """What a reset would do, with a backup or a clone at `source`. Nothing is changed.

    Raises Damaged when no commit is whole, StoreError when `source` does not hold the game.
    """
    with _both(repo, source) as other:
        return _plan(services, repo, other)


def _both(repo: GameRepo, source: Path | None) -> AbstractContextManager[GameRepo | None]:
    return joined(repo, source) if source else nullcontext()


def _plan(services: Services, repo: GameRepo, other: GameRepo | None) -> ResetPlan:
    repo.reopen()
    tip, name = repo.history.tip, repo.name
    start = tip or repo.last_written
    found = []
    for one in (other, repo):
        with suppress(Damaged):
            if one is not None:
                commit = newest_whole(one, partial(is_playable, services.find), start)
                found.append((StoredGame.read_public(one, commit).table.records, commit, one))
    if not found:
        # It says what is needed.
        newest_whole(repo, partial(is_playable, services.find), start)
    step, commit, best = max(found, key=lambda one: one[0])
    known = services.spool.ask("SELECT record FROM games WHERE game = ?", name)
    # Steps of a line that was given up before may lie in the repository, too.
    last = max(step, int(known[0][0])) if known else 0
    stays, line = commit == tip, _line(best, commit)
    lost: dict[int, str] = {}
    if not stays:
        ours = _line(repo, start)
        for number, oid in commits(repo):
            # The source may have another line, with other steps of the same numbers.
            apart = oid not in line and (oid in ours if ours else best is other)
            if (step < number and (number <= last or not known)) or (number <= step and apart):
                lost.setdefault(number, next(repo.log(1, oid)).subject)
    numbers = {*lost, *(range(step + 1, last + 1) if not stays else ())}
    # Where nobody knows how many, the last commit at least is lost.
    count = 0 if stays else max(len(numbers), int(bool(start) and start not in line))
    rows = tuple(f"step {number}: {lost[number]}" for number in sorted(lost))
    query = f"SELECT count(*) FROM letters WHERE raw IS NOT NULL AND digest IN ({_LATER})"
    ((letters,),) = services.spool.ask(query, name, step)
    return ResetPlan(start, commit, step, count, rows, int(letters), stays, best is other)


def _line(repo: GameRepo, commit: str) -> set[str]:
    """A commit and those before it, as far as they can be read."""
    found: set[str] = set()
    with suppress(StoreError):
        found.update(one.id for one in repo.log(start=commit))
    return found


def reset_game(desk: Desk, repo: GameRepo, source: Path | None, why: str) -> str:
    """Let the game go on from its newest whole step; what was done, in words. Raises StoreError when it cannot."""
    services = desk.services
    with _both(repo, source) as other:
        way = _plan(services, repo, other)
        text = required_reason(why) if way.loses else why
        if other is not None and way.helped:
            take_in(repo, other.gitdir)
        elif other is not None and way.stays:
            raise StoreError(f"{source} has nothing of what is missing")
    # Letters wait again before the branch moves: after a kill between the two they wait for the next `mend`.
    again = 0 if way.stays else replay_letters(desk, repo.name, way.step)
    if repo.history.tip != way.commit:
        repo.point_at(way.commit)
        repo.reopen()
    with suppress(StoreError):
        renew(repo)
    if way.stays:
        return f"what was lost is taken from {source}" if way.helped else str(way)
    kept = repo.restore([change.path for change in repo.status()])
    services.spool.catch_up(repo)
    again += replay_letters(desk, repo.name, way.step)
    desk.change(repo.name, "mend", lambda context: _told(context, services, way, text), check=False)
    aside = f"; work files are kept in {kept[0].parent}" if kept else ""
    lost, letters = _counted(way.count, "step"), _counted(again, "letter")
    return f"the game stands at step {way.step} again; lost: {lost}; played again: {letters}{aside}"


def _told(context: Context, services: Services, way: ResetPlan, why: str) -> Result:
    """Everybody is mailed how far the game went back and why; where no step is lost, the next mails say it.

    Decisions keep their numbers, for the keys of the letters that are played again.
    """
    if not way.loses:
        return fix_result(context, why, concerned=())
    stored, state = _still_seated(context, services), context.state
    stored = replace(stored, table=replace(stored.table, lost=(way.tip or way.commit)[:8]))
    entries: tuple[LogEntry, ...] = ()
    when = context.stored.table.changed.strftime("%Y-%m-%d %H:%M")
    place: Msg = T("step {number}", number=way.step)
    if state is not None:
        entries = name_corrections(context.game, state, {row.seat: row.name for row in stored.table.seats})
        state = context.game.fold(state, entries)
        where = context.game.heading(state)
        place = T("step {number}, {where}, {when} UTC", number=way.step, where=where, when=when)
    says = T(
        "The files of the game were damaged, and {n} step of it is lost. The game stands again at {place}. Letters "
        "that came since are played again where they are still there, and the same dice will fall.",
        "The files of the game were damaged, and {n} steps of it are lost. The game stands again at {place}. Letters "
        "that came since are played again where they are still there, and the same dice will fall.",
        n=way.count, place=place,
    )  # fmt: skip
    return action_result(context, "mend", says, why, stored=stored, state=state, entries=entries, shows=True, marks=())


def _still_seated(context: Context, services: Services) -> StoredGame:
    """The table with its present people: a seat that was taken over since the step stays with whoever holds it."""
    stored = context.stored
    known: dict[str, Holder] = {}
    with suppress(PeopleError):
        known = {one.seat: one for one in services.people.holders(stored.table.game)}
    for row in stored.table.seats:
        holder = known.get(row.seat)
        if holder is not None and holder.generation > row.generation:
            name = row.name if stored.table.anonymous else holder.name
            stored = with_row(stored, replace(row, name=name, generation=holder.generation))
    return stored


def replay_letters(desk: Desk, game: str, number: int) -> int:
    """Let letters wait again that records after `number` answered; how many. The same dice fall for them."""
    with desk.services.spool.change() as db:
        count = db.execute(
            f"UPDATE letters SET state = 'new', attempts = 0 WHERE raw IS NOT NULL AND digest IN ({_LATER})",
            (game, number),
        ).rowcount
        db.execute("DELETE FROM handled WHERE game = ? AND record > ?", (game, number))
        desk.services.spool.forget_after(db, game, number)
    return int(count)
