"""A damaged game goes back to the last step that is whole: what that would lose, and how everybody is told.

Where what still reads holds all of the last step, the game stays where it is: only older positions are out of reach.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from engine.catalog import Msg, T
from engine.chronicle import Entry
from pbem.desk.context import Context
from pbem.desk.desk import Desk
from pbem.desk.result import Result
from pbem.desk.seated import with_row
from pbem.desk.services import Services
from pbem.host.people import Holder, PeopleError
from pbem.moderation import salvage
from pbem.moderation.adopting import mended, reason_of
from pbem.moderation.check import plays
from pbem.moderation.deed import done
from pbem.moderation.salvage import Sound
from pbem.moderation.seats import called
from pbem.store.repo import GameRepo
from pbem.store.stored import Stored
from pbem.store.trouble import StoreError

_LATER = "SELECT digest FROM handled WHERE game = ? AND record > ?"


@dataclass(frozen=True, slots=True)
class WayBack:
    """What going back would do: to which step, out of how many, what is lost with them, and what is played again."""

    sound: Sound
    step: int
    last: int
    lost: tuple[str, ...] = ()
    """The first lines of the steps that would be lost, the oldest first, as far as they can still be read."""
    letters: int = 0
    stays: bool = False
    """Whether it is the last commit that is whole."""

    @property
    def loses(self) -> bool:
        """Whether any step would be lost."""
        return self.last > self.step

    def __str__(self) -> str:
        if self.stays:
            stays = f"the last step, {self.step}, is whole: the game stays there"
            return f"{stays}, and at most older positions are out of reach"
        count, letters = self.last - self.step, self.letters
        steps = f"{count} step{'' if count == 1 else 's'}"
        again = f"{letters} letter{'' if letters == 1 else 's'} would be played again"
        return f"the game would stand at step {self.step} again, {steps} would be lost, and {again}"


def way_back(services: Services, repo: GameRepo) -> WayBack:
    """What going back would do. Nothing is changed. Raises Damaged when no commit is whole."""
    tip = repo.history.tip
    sound = salvage.newest_sound(repo, partial(plays, services.find))
    salvage.lent(repo, sound)
    try:
        step = Stored.read_public(repo, sound.commit).table.records
        known = services.spool.ask("SELECT record FROM games WHERE game = ?", repo.name)
        # Of a line that was given up before, steps may lie there too.
        last = max(step, int(known[0][0])) if known else 0
        lost: dict[int, str] = {}
        for number, oid in salvage.commits(repo):
            if step < number and (number <= last or not known):
                lost.setdefault(number, next(repo.log(1, oid)).subject)
    finally:
        salvage.opened_anew(repo)
    stays = sound.commit == tip
    last = step if stays else max(last, step, *lost)
    rows = tuple(f"step {number}: {lost[number]}" for number in sorted(lost) if number <= last)
    later = f"digest IN ({_LATER})"
    letters = services.spool.ask(f"SELECT count(*) FROM letters WHERE raw IS NOT NULL AND {later}", repo.name, step)
    return WayBack(sound, step, last, rows, int(letters[0][0]), stays)


def go_back(desk: Desk, repo: GameRepo, why: str) -> str:
    """Let the game go on from the last step that is whole. Raises StoreError in words when it cannot."""
    with suppress(StoreError):
        salvage.index_packs(repo)
    services = desk.services
    way = way_back(services, repo)
    if way.stays:
        salvage.stand_on(repo, way.sound)
        return f"{way}; what is damaged is set aside"
    text = reason_of(why) if way.loses else why
    salvage.stand_on(repo, way.sound)
    kept = repo.restore([change.path for change in repo.status() if change.how != "unknown"])
    services.spool.catch_up(repo)
    again = play_again(desk, repo.name, way.step)
    desk.change(repo.name, "mend", lambda context: _told(context, services, way, text), check=False)
    aside = f"; work files are kept in {kept[0].parent}" if kept else ""
    count = way.last - way.step
    steps = f"{count} step{' is' if count == 1 else 's are'} lost"
    letters = f"{again} letter{' is' if again == 1 else 's are'} played again"
    return f"the game stands at step {way.step} again, {steps}, {letters}{aside}"


def _told(context: Context, services: Services, way: WayBack, why: str) -> Result:
    """Everybody is mailed how far the game went back and why; where no step is lost, the next mails say it.

    Decisions keep their numbers, for the keys of the letters that are played again.
    """
    if not way.loses:
        return mended(context, why, concerned=())
    stored, state = _still_seated(context, services), context.state
    entries: tuple[Entry, ...] = ()
    when = context.stored.table.changed.strftime("%Y-%m-%d %H:%M")
    place: Msg = T("step {number}", number=way.step)
    if state is not None:
        entries = called(context.game, state, {row.seat: row.name for row in stored.table.seats})
        state = context.game.fold(state, entries)
        where = context.game.heading(state)
        place = T("step {number}, {where}, {when} UTC", number=way.step, where=where, when=when)
    says = T(
        "The files of the game were damaged, and {n} step of it is lost. The game stands again at {place}. Letters "
        "that came since are played again where they are still there, and the same dice will fall.",
        "The files of the game were damaged, and {n} steps of it are lost. The game stands again at {place}. Letters "
        "that came since are played again where they are still there, and the same dice will fall.",
        n=way.last - way.step, place=place,
    )  # fmt: skip
    return done(context, "mend", says, why, stored=stored, state=state, entries=entries, shows=True, marks=())


def _still_seated(context: Context, services: Services) -> Stored:
    """The table with whoever has taken a seat over since: who sits there is nothing that damage takes back."""
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


def play_again(desk: Desk, game: str, number: int) -> int:
    """Letters answered by records that are gone wait again: the same dice fall, so they do what they did."""
    with desk.services.spool.change() as db:
        count = db.execute(
            f"UPDATE letters SET state = 'new', attempts = 0 WHERE raw IS NOT NULL AND digest IN ({_LATER})",
            (game, number),
        ).rowcount
        db.execute("DELETE FROM handled WHERE game = ? AND record > ?", (game, number))
        desk.services.spool.forget_after(db, game, number)
    return int(count)
