"""What the month must keep, each promise found again from mails, letters and records, not from what the product says."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from functools import cache
from zoneinfo import ZoneInfo

from engine.game import find_game
from pbem.desk.core.undo import DEFAULT, replay_records
from pbem.host.keys import mail_of
from pbem.inbound.incoming_letter import open_letter
from pbem.store.state_file import StoredGame
from tests import parts
from tests.month.people import Person, asks, of
from tests.month.sim import HOUR, Month

NOTICED = 25 * HOUR
"""A time without post that a host notices which looks once an hour."""

GRACE = SHOWN = 12 * HOUR
"""After the end of somebody's time, and after the order was shown, until it is played."""


MOVING = ("There was no post", "could not be worked on", "was set back")
"""What the moderator is told where clocks were moved."""
_ENDS = re.compile(r" to (\d{4}-\d\d-\d\d \d\d:\d\d)")


@dataclass
class Promise:
    """What was looked at, and what broke it."""

    counted: int = 0
    broken: list[str] = field(default_factory=list)

    def of(self, holds: object, says: str) -> None:
        self.counted += 1
        if not holds:
            self.broken.append(says)


@cache
def text_of(mail: EmailMessage) -> str:
    return parts.text_of(mail).replace(" \n", " ").replace("\n", " ")


def is_reminder(mail: EmailMessage) -> bool:
    return "This is a reminder: an answer of yours is still awaited." in text_of(mail)


def _reminders(one: Person) -> Iterator[tuple[datetime, EmailMessage]]:
    """Those a person got, each once: a mail that goes again when the spool was lost is no new one."""
    known = set()
    for at, mail in one.seen:
        if is_reminder(mail) and mail["Message-ID"] not in known:
            known.add(mail["Message-ID"])
            yield at, mail


def _holder(month: Month, game: str, seat: str, at: datetime) -> Person:
    """Who sat there then. A seat is given away at the end of a look, which takes less than an hour by its own clock."""
    first, *others = month.sat[game, seat]
    return month.people[[first[1], *(name for since, name in others if since + HOUR <= at)][-1]]


def _told(who: Person, game: str, at: datetime, words: str) -> bool:
    """Whether a mail of that table has confirmed something to them by then."""
    return any(came <= at and of(mail)[0] == game and words in text_of(mail) for came, mail in who.seen)


def _zone(who: Person, at: datetime) -> ZoneInfo:
    """Where they live, as far as the host knows: it is told at one table for all."""
    told = any(came <= at and f"in the zone {who.zone}" in text_of(mail) for came, mail in who.seen)
    return ZoneInfo(who.zone if told else "UTC")


def _is_away(who: Person, game: str, at: datetime) -> bool:
    away = who.absent is not None and who.absent[0] <= at < who.absent[1]
    return away and _told(who, game, at, "You are away from")


def lawful_defaults(month: Month, kept: Promise) -> None:
    """What was played had been asked for as long as the table's pace and grace are, and shown in a reminder for twelve
    hours; by day; and nobody was away."""
    for name, past in month.past.items():
        time = StoredGame.read_public(month.service.store.open(name)).table.pace.hours * HOUR + GRACE
        for record in past:
            told = record.private.get(DEFAULT)
            if not told:
                continue
            who = _holder(month, name, told["seat"], record.at)
            mine = [(at, mail) for at, mail in who.seen if of(mail) == (name, told["number"])]
            order = record.private["orders"][0]
            asked = [at for at, _ in mine if at <= record.at - time]
            shown = [at for at, mail in mine if is_reminder(mail) and f"Would be done: «{order}»" in text_of(mail)]
            local = record.at.astimezone(_zone(who, record.at))
            what = f"{name} {record.number} {told['seat']}"
            kept.of(record.at <= month.now, f"{what}: by a clock that ran ahead")
            ends = (end for since, end in month.outages if end - since > NOTICED)
            kept.of(not any(end <= record.at < end + HOUR for end in ends), f"{what}: right after an outage")
            kept.of(asked, f"{what}: not asked for {time}")
            kept.of(any(at <= record.at - SHOWN for at in shown), f"{what}: not shown for twelve hours")
            kept.of(7 <= local.hour < 22, f"{what}: at night")
            away = _is_away(who, name, record.at)
            kept.of(not away, f"{what}: {who.name} was away")


def every_letter_has_an_answer(month: Month, kept: Promise) -> None:
    """A mail to its writer at the next look, or a reason that was written down; of somebody whose mailbox is gone the
    moderator hears."""
    texts, gone = [text_of(mail) for mail in month.told], month.happened.get("bounces")
    for letter in month.letters:
        digest = open_letter(letter.raw).digest
        look = next((at for at in month.looks if at >= letter.at), None)
        came = any(at == look for at, _ in month.people[letter.person].seen)
        lost = gone is not None and look is not None and look >= gone and month.people[letter.person].way == "bouncing"
        told = lost and any(f"mail to {letter.person} cannot be delivered" in text for text in texts)
        kept.of(came or told or month.notes.get(digest), f"{letter.person} {letter.at}: {letter.text!r}")


def no_mail_twice(month: Month, kept: Promise) -> None:
    """But a seat's newest of those that a record promises, once, after the spool was lost."""
    lost = month.happened.get("lost spool")
    keys = month.service.desk.services.keys
    promised = {
        keys.mail(name, intent.seat, intent.message_id)
        for name, past in month.past.items()
        for record in past
        for intent in record.intents
    }
    for one in month.people.values():
        known: dict[str, str] = {}
        for at, mail in one.seen:
            name, seat = str(mail["Message-ID"]), f"{mail['X-PBEM-Game']} {mail['To']}"
            newest = next((old for old in reversed(known) if known[old] == seat and mail_of(old) in promised), "")
            kept.of(name not in known or (at == lost and name == newest), f"{one.name}: {name} again at {at}")
            if at != lost or name not in known:
                known[name] = seat


def the_moderator_hears_of_every_outage(month: Month, kept: Promise) -> None:
    """Of each that moved a clock, of all tables or of one; and of a spool that was lost."""
    texts = [text_of(mail) for mail in month.told]
    moving = [text for text in texts if any(one in text for one in MOVING)]
    moved = {record.at for _, past in month.past.items() for record in past if record.what == "outage"}
    ends = [datetime.fromisoformat(f"{end}+00:00") for text in moving for end in _ENDS.findall(text)]
    for at in moved:
        # The clock ticks while the tables are moved, one after another.
        kept.of(any(timedelta() <= at - end < HOUR / 4 for end in ends), f"{at}: not told")
    if "lost spool" in month.happened:
        kept.of(any("The spool was lost" in text for text in texts), "lost spool: not told")


def everybody_reaches_a_good_end(month: Month, kept: Promise) -> None:
    """Who says no sits nowhere; who has no key, forwards mail or has a vacation note plays where they sit."""
    played = Counter(
        _holder(month, name, record.seat, record.at).name
        for name, past in month.past.items()
        for record in past
        if record.seat and record.letter and record.entries
    )
    sits = {one: (name, seat) for (name, seat), sat in month.sat.items() for _, one in sat[-1:]}
    for one in month.people.values():
        if one.way == "refuser" and len(one.seen) > 2:
            running = one.name in sits and _status(month, sits[one.name][0]) == "running"
            kept.of(not running or played[one.name], f"{one.name} has said no and sits at {sits.get(one.name)}")
        if one.way in ("keyless", "forwarding", "vacation") and one.name in sits:
            asked = sum(asks(mail) for _, mail in one.seen)
            kept.of(asked < 4 or played[one.name], f"{one.name} ({one.way}) was asked {asked} times and never played")


def _status(month: Month, name: str) -> str:
    return str(StoredGame.read_public(month.service.store.open(name)).table.status)


def no_reminder_at_night(month: Month, kept: Promise) -> None:
    for one in month.people.values():
        for at, _ in _reminders(one):
            local = at.astimezone(_zone(one, at))
            kept.of(7 <= local.hour < 22, f"{one.name}: {at} is {local:%H:%M} there")


def reminders_are_apart(month: Month, kept: Promise) -> None:
    for one in month.people.values():
        times = defaultdict(list)
        for at, mail in _reminders(one):
            times[of(mail)].append(at)
        for what, found in times.items():
            gaps = [later - sooner for sooner, later in itertools.pairwise(found)]
            kept.of(all(gap >= 5 * HOUR for gap in gaps), f"{one.name} {what}: {found}")


def nobody_else_is_written_to(month: Month, kept: Promise) -> None:
    """No mail of a table to who did not hold a seat of it then."""
    for one in month.people.values():
        for at, mail in one.seen:
            game = of(mail)[0]
            if not game:
                continue
            held = False
            for (name, _), sat in month.sat.items():
                ends = [*(since for since, _ in sat[1:]), None]
                held |= name == game and any(
                    who == one.name and since <= at and (end is None or at <= end + HOUR)
                    for (since, who), end in zip(sat, ends, strict=True)
                )
            kept.of(held, f"{one.name} got a mail of {game} at {at}")


def every_mail_arrives(month: Month, kept: Promise) -> None:
    rows = month.service.spool.rows()
    for row in rows:
        kept.of(row.state in ("sent", "failed"), f"{row.message_id} is {row.state}")


def every_game_ends_or_waits(month: Month, kept: Promise) -> None:
    """Over, given up, held; or somebody is asked whose clock runs, or who was told to the moderator."""
    for name in month.service.store.names():
        table = StoredGame.read(month.service.store.open(name)).table
        waits = table.status in ("ended", "abandoned", "held") or any(row.clock for row in table.seats)
        kept.of(waits, f"{name} is {table.status} and waits for nobody")


def every_record_folds(month: Month, kept: Promise) -> None:
    for name, past in month.past.items():
        stored = StoredGame.read(month.service.store.open(name))
        if stored.game:
            game = find_game(stored.table.kind)
            kept.of(game.dump(replay_records(game, past)) == (stored.game, stored.hidden), name)


PROMISES: dict[str, Callable[[Month, Promise], None]] = {
    one.__name__: one
    for one in (
        lawful_defaults, every_letter_has_an_answer, no_mail_twice, no_reminder_at_night, reminders_are_apart,
        nobody_else_is_written_to, every_mail_arrives, every_game_ends_or_waits, every_record_folds,
        the_moderator_hears_of_every_outage, everybody_reaches_a_good_end,
    )
}  # fmt: skip


def checked(month: Month) -> dict[str, Promise]:
    """Every promise, counted."""
    found: dict[str, Promise] = {}
    for name, check in PROMISES.items():
        check(month, found.setdefault(name, Promise()))
    return found
