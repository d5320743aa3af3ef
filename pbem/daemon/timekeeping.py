"""The clocks of all tables: what is due next anywhere, done once every letter that had come was read.

The daemon calls `look` in its loop, after the letters and never beside them, and waits no longer than until the next
thing is due. Time in which nothing could be read or sent does not count: every running clock is moved by it. That time
is written to `outage.toml` before the first game is moved, and each game remembers the outage it was moved by, so that
a crash moves none twice and forgets none.
"""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from engine.catalog import Msg, T
from engine.errors import OrderRefused, PositionError
from pbem.admin.tables import spectator_mail
from pbem.admin.tables.opening import open_table, rematch_opening
from pbem.clocks.deadlines import CLOCK_TOLERANCE, HOUR, deadline_of, grace_end
from pbem.daemon.schedule_cache import ScheduleCache, TableSchedule, clock_mails
from pbem.desk.clock.clock_actions import due_result, next_due
from pbem.desk.clock.clock_text import ask_of
from pbem.desk.clock.delivery_policy import bind
from pbem.desk.clock.table_summaries import table_summaries
from pbem.desk.commands.preferences import wants_again
from pbem.desk.core.context import Context
from pbem.desk.core.result import Result
from pbem.desk.core.undo import ACTION_SENTENCE
from pbem.desk.desk import Desk
from pbem.store import toml_format
from pbem.store.data_codec import to_data
from pbem.store.durable_files import replace_file
from pbem.store.errors import StoreError
from pbem.store.game_table import SeatRow, Status
from pbem.store.state_file import StoredGame

log = logging.getLogger(__name__)

UNNOTICED = HOUR
"""Time without post up to this moves no clock."""
UNNOTICED_ONCE = 25 * HOUR
"""The same for a host that looks into its mailbox at intervals."""

PATIENCE = HOUR
"""How long a letter that cannot be answered keeps the clocks from acting."""
PAUSE = 0.05
"""Seconds between two looks of which the first has not come to its end."""
MOST = 50
"""Things done at one table in one look."""


class Timekeeper:
    """The clocks of one host. `report` tells the moderator."""

    def __init__(
        self, desk: Desk, folder: Path, now: Callable[[], datetime], report: Callable[[Msg, str], None]
    ) -> None:
        self._desk, self._now, self._report = desk, now, report
        self._outage_file, self._stopped_file = folder / "outage.toml", folder / "stood.toml"
        self._waiting: datetime | None = None
        """Since when a letter cannot be answered."""
        self._sign: datetime | None = None
        self.complete = True
        """Whether the last look has left nothing to the next one: it has seen every table, or no clock was to act."""
        self._stopped = _moments(self._stopped_file)
        """Since when tables cannot be worked on, and so their letters not be read. Outlasts the process."""
        self._plans = ScheduleCache(desk.services, folder, self._stopped)

    def look(self, well: datetime | None, *, waiting: bool = False, once: bool = False) -> int:
        """Do what is due, every letter having been read; how much that was.

        `well` is when this was last so: letters could be read and mails be sent. `waiting`: a letter could not be
        answered yet. Where many tables have to be read for it (`complete`), a look ends before that is done. Raises
        OSError, sqlite3.Error.
        """
        now = self._now()
        self.complete = True
        names = self._plans.walk(now)
        if self._move_for_outage(well, now, UNNOTICED_ONCE if once else UNNOTICED):
            # A clock that runs ahead for one look does nothing.
            return 0
        # A process that works once has tried every letter, and never knows for how long one waits.
        self._waiting = (self._waiting or now) if waiting and not once else None
        if self._waiting is not None and timedelta() <= now - self._waiting < PATIENCE:
            return 0
        for gone in () if names is None else self._stopped.keys() - set(names):
            # Another table may get its name.
            self._mark(gone, None)
        count = sum(self._work_on(name, now) for name in self._plans.turn(whole=once))
        self._plans.save()
        self.complete = self._plans.complete
        return count + bind(self._desk.services) + spectator_mail.mail_followers(self._desk, now)

    def soon(self, longest: float) -> float:
        """Seconds until something is due, at most `longest`; a moment where the last look has left something."""
        return self._plans.soon(self._now(), longest) if self.complete else PAUSE

    def _work_on(self, name: str, now: datetime) -> int:
        """Do what is due at a table, and plan what comes next."""
        store, services = self._desk.services.store, self._desk.services
        try:
            stored = StoredGame.read(store.open(name))
            if wants_again(stored.table):
                self._plans.leave(name)
                return self._open_again(name)
            if not (_timed(stored) or stored.secrets.held):
                # A table without a clock cannot be stopped.
                self._mark(name, None)
                self._plans.plan(name, TableSchedule(stored.commit))
                return 0
            if name in self._stopped and not self._start_again(name, now):
                self._plans.leave(name)
                return 0
            people = services.people.stamp(name)
            count = 0
            with store.open(name).lock("the clock") as repo:
                context = self._desk.context(repo)
                while count < MOST and (result := due_result(context, services, now)) is not None:
                    self._desk.commit(context, result, at=now)
                    context = self._desk.context(repo)
                    log.info("%s: %s", name, result.what)
                    count += 1
                    people = services.people.stamp(name)
                mails = clock_mails(services, context.stored)
                found, sure = next_due(context, services, now)
                at = found.next.at if found else None
                self._plans.plan(name, TableSchedule(context.stored.commit, at, people, mails, sure))
        except (StoreError, PositionError, LookupError) as odd:
            self._plans.leave(name)
            self._stop(name, now, odd)
            return 0
        return count

    def _open_again(self, name: str) -> int:
        """Open the table that all have asked for. A crash leaves it open, and the next look finds it."""
        services = self._desk.services
        with services.store.open(name).lock("another game") as repo:
            context = self._desk.context(repo)
            try:
                new = next((other for other, one in table_summaries(services) if one.follows == name), "")
                if not new:
                    opening = rematch_opening(context.stored, services.people.holders(name))
                    new = open_table(self._desk, opening).table.game
                says = T("The next table of these people is {game}.", game=new)
            except OrderRefused as odd:
                says = T("Another game could not be opened: {why}", why=odd.reason)
            stored = replace(context.stored, table=replace(context.stored.table, again=()))
            self._desk.commit(context, _table_result("again", says, stored, context))
        self._report(says, name)
        return 1

    # Tables that cannot be worked on.

    def _mark(self, name: str, since: datetime | None) -> None:
        """Note that a table cannot be worked on since then; None: it can."""
        if (name in self._stopped) != (since is None):
            return
        if since is None:
            del self._stopped[name]
        else:
            self._stopped[name] = since
        replace_file(self._stopped_file, toml_format.toml_bytes(self._stopped))

    def _stop(self, name: str, since: datetime, odd: Exception) -> None:
        """A table cannot be worked on since then; the moderator is told once."""
        why = f"{type(odd).__name__}: {odd}" if isinstance(odd, LookupError) else str(odd)
        if name not in self._stopped:
            log.warning("%s: its clocks stand", name, exc_info=odd)
            self._report(T("The clocks of this table stand, since it cannot be worked on: {why}", why=why), name)
        self._mark(name, since)

    def _start_again(self, name: str, now: datetime) -> bool:
        """Move the clocks of a table that can be worked on again, and tell the moderator; whether that was done."""
        since = self._stopped[name]
        with self._desk.services.store.open(name).lock("the clock") as repo:
            # A defect that is still there would stop it again as soon as it was moved.
            due_result(self._desk.context(repo), self._desk.services, now)
        if not self._move(name, now, now):
            return False
        says = T(
            "This table could not be worked on from {since} to {until} (UTC): its clocks were moved by that time.",
            **_shown(since, now),
        )
        self._report(says, name)
        return True

    # Time without post.

    def _move_for_outage(self, well: datetime | None, now: datetime, unnoticed: timedelta) -> bool:
        """Move every running clock by the time without post, or by which the host's clock was set; whether there was
        any."""
        left = _moments(self._outage_file)
        if left.keys() >= {"since", "until"}:
            # A crash came between: first what was laid down then, for tables that were not moved yet.
            self._move_all(left["since"], left["until"])
            well = left["until"]
        elif well is None:
            well = self._sign = self._sign or self._last_sign()
        if well is not None and not -CLOCK_TOLERANCE <= now - well <= unnoticed:
            replace_file(self._outage_file, toml_format.toml_bytes({"since": well, "until": now}))
            self._move_all(well, now)
            return True
        return False

    def _last_sign(self) -> datetime | None:
        """When something was last done at a table whose clocks run: where nothing tells when the post last went."""
        found = []
        for name in self._desk.services.store.names():
            with suppress(StoreError, PositionError):
                if not self._plans.quiet(name):
                    stored = StoredGame.read(self._desk.services.store.open(name))
                    found += [stored.table.changed] if _timed(stored) else []
        return max(found, default=None)

    def _move_all(self, since: datetime, until: datetime) -> None:
        moved = sum(self._move(name, since, until) for name in self._desk.services.store.names())
        says = T(
            "There was no post from {since} to {until} (UTC): the clocks of {n} table were moved by that time.",
            "There was no post from {since} to {until} (UTC): the clocks of {n} tables were moved by that time.",
            n=moved, **_shown(since, until),
        )  # fmt: skip
        if until < since:
            says = T(
                "The clock of this host was set back from {since} to {until} (UTC): {n} table follows it.",
                "The clock of this host was set back from {since} to {until} (UTC): {n} tables follow it.",
                n=moved, **_shown(since, until),
            )  # fmt: skip
        if moved:
            self._report(says, "")
        self._plans.clear()
        self._outage_file.unlink(missing_ok=True)

    def _move(self, name: str, since: datetime, until: datetime) -> bool:
        """Move the clocks of a table; whether any run there and they are moved now, or were before a crash."""
        store = self._desk.services.store
        since = min(since, self._stopped.get(name, since))
        try:
            if self._plans.quiet(name):
                return False
            table = StoredGame.read_public(store.open(name)).table
            if table.status is Status.GATHERING or not any(row.clock and row.clock.asked for row in table.seats):
                # Invitations have no deadline.
                self._mark(name, None)
                return False
            if table.outage is not None and since < table.outage <= until:
                # A crash came between: it was moved by the time before that already.
                since = table.outage
            with store.open(name).lock("the clock") as repo:
                context = self._desk.context(repo)
                if context.stored.table.outage != until:
                    self._desk.commit(context, self._result(context, since, until))
            self._mark(name, None)
            return True
        except (StoreError, PositionError, LookupError) as odd:
            self._stop(name, since, odd)
            return False

    def _result(self, context: Context, since: datetime, until: datetime) -> Result:
        table = context.stored.table
        rows = tuple(self._row(context, row, since, until) for row in table.seats)
        says = T("The clocks of this table were moved, because for a time there was no post.")
        if until < since:
            says = T("The clocks of this table follow the clock of the host, which was set right.")
        stored = replace(context.stored, table=replace(table, seats=rows, outage=until))
        return _table_result("outage", says, stored, context)

    def _row(self, context: Context, row: SeatRow, since: datetime, until: datetime) -> SeatRow:
        services, pace = self._desk.services, context.stored.table.pace
        holders = services.people.holders(context.stored.table.game)
        ask = ask_of(services, next((one for one in holders if one.seat == row.seat), None), row)
        before = deadline_of(pace, ask)
        if row.clock is None or ask.start is None or before is None:
            return row
        # A mail that went out in the meantime has lost less; one of another era of the clock has not.
        lost = ask.start if since < ask.start <= min(before, until) else since
        more = ask.more + (until - lost)
        if ask.start <= until < since:
            # A clock that was set right takes back what it gave when it ran ahead; who was asked since got nothing.
            more = max(more, timedelta())
        least = ask.hours.free(until + HOUR)
        # Whoever had time left, or was in grace, has an hour by day at least.
        ends = deadline_of if before > since else grace_end
        more += max(least - (ends(pace, replace(ask, more=more)) or least), timedelta())
        return replace(row, clock=replace(row.clock, more=int(more.total_seconds())))


def _table_result(what: str, says: Msg, stored: StoredGame, context: Context) -> Result:
    """A result that changes no position."""
    return Result(what=what, says=str(says), stored=stored, state=context.state, also={ACTION_SENTENCE: to_data(says)})


def _timed(stored: StoredGame) -> bool:
    """Whether anything can be due at a table."""
    return stored.table.status == "held" or any(row.clock for row in stored.table.seats)


def _shown(since: datetime, until: datetime) -> dict[str, str]:
    return {"since": f"{since:%Y-%m-%d %H:%M}", "until": f"{until:%Y-%m-%d %H:%M}"}


def _moments(path: Path) -> dict[str, datetime]:
    """The moments of a small file; none where there is no such file, or it cannot be read."""
    with suppress(FileNotFoundError, ValueError, AttributeError):
        told = tomllib.loads(path.read_text(encoding="utf-8"))
        return {name: moment.astimezone(UTC) for name, moment in told.items()}
    return {}
