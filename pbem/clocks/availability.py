"""When a person can be asked something: quiet hours, absences, weekdays, in the zone they live in.

Moments are in UTC; what a person calls a day or an hour is found in their zone, so that daylight saving is right.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from engine.catalog import T
from engine.errors import NotUnderstood
from pbem.store.game_table import Absence, Pace

DAY = timedelta(days=1)
UTC = ZoneInfo("UTC")
USUAL_QUIET_HOURS = (22, 7)
"""Hours between which a person is not reminded, unless they have named others."""

_HOUR = r"(\d{1,2})\s*(?:h|:00|heures?)?\s*(am|pm)?"
_HOURS = re.compile(rf"(?:between\s|from\s|entre\s|de\s)?\s*{_HOUR}\s*(?:-|–|to|and|a|à|et|until|jusqu'a)\s*{_HOUR}")
LATEST = datetime(9000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Availability:
    """A person's hours: quiet from the first of `quiet` to the second (equal: never), and their absences."""

    zone: ZoneInfo
    quiet: tuple[int, int] = USUAL_QUIET_HOURS
    away: tuple[Absence, ...] = ()

    def is_quiet(self, moment: datetime) -> bool:
        first, last = self.quiet
        hour = moment.astimezone(self.zone).hour
        return first <= hour or hour < last if first > last else first <= hour < last

    def is_away(self, moment: datetime) -> bool:
        return self._present(moment) != moment

    def after(self, moment: datetime, span: timedelta) -> datetime:
        """The moment when so much of their time has passed; absences do not count."""
        for one in sorted(self.away, key=lambda one: one.since):
            if one.until <= moment:
                continue
            if moment + span <= one.since:
                break
            span -= max(one.since - moment, timedelta())
            moment = one.until
        return moment + span

    def free(self, moment: datetime, days: str = "") -> datetime:
        """The first moment from then on that is neither quiet nor in an absence, on one of the weekdays."""
        while True:
            found = self._waking(self._present(self._on(moment, days)))
            if found == moment or found >= LATEST:
                return found
            moment = found

    def ends(self, moment: datetime, pace: Pace) -> datetime:
        """When a decision ends that has time until then: on a day and at a clock time of the pace, not in quiet hours.

        A clock time in the quiet hours of an evening becomes the last minute before them, since after them it is
        another day.
        """
        if pace.at:
            hour, minute = map(int, pace.at.split(":"))
            first, last = self.quiet
            if first > last and hour >= first:
                hour, minute = first - 1, 59
            local = moment.astimezone(self.zone)
            found = self._local(local, time(hour, minute))
            moment = found if found >= moment else self._local(local + DAY, time(hour, minute))
            while pace.days and str(moment.astimezone(self.zone).isoweekday()) not in pace.days:
                moment = self._local(moment.astimezone(self.zone) + DAY, time(hour, minute))
        return self.free(moment, pace.days)

    def daily(self, hour: int, moment: datetime) -> datetime:
        """The next time after a moment when it is this hour for them, moved out of quiet hours and absences."""
        local = moment.astimezone(self.zone)
        found = self._local(local, time(hour))
        return self.free(found if found > moment else self._local(local + DAY, time(hour)))

    def day(self, day: date) -> datetime:
        """The beginning of a day of theirs."""
        return datetime.combine(day, time(), self.zone).astimezone(UTC)

    def _local(self, day: datetime, at: time) -> datetime:
        return datetime.combine(day.date(), at, self.zone).astimezone(UTC)

    def _on(self, moment: datetime, days: str) -> datetime:
        local = moment.astimezone(self.zone)
        while days and str(local.isoweekday()) not in days:
            local = datetime.combine(local.date() + DAY, time(), self.zone)
            moment = local.astimezone(UTC)
        return moment

    def _present(self, moment: datetime) -> datetime:
        return max((one.until for one in self.away if one.since <= moment < one.until), default=moment)

    def _waking(self, moment: datetime) -> datetime:
        if not self.is_quiet(moment):
            return moment
        first, last = self.quiet
        local = moment.astimezone(self.zone)
        found = self._local(local + DAY * (first > last and local.hour >= first), time(last))
        # An hour that the clock skips or repeats may still be a quiet one.
        return found if found > moment and not self.is_quiet(found) else moment + timedelta(minutes=30)


def parse_quiet_hours(text: str) -> tuple[int, int]:
    """Quiet hours as they are written, `22-7`, `10pm to 7am`, `22h à 7h`; `off` is none. Raises NotUnderstood."""
    if text in ("", "off", "none"):
        return (0, 0) if text else USUAL_QUIET_HOURS
    found = _HOURS.fullmatch(text.strip())
    if found is None or max(int(found[1]), int(found[3])) > 24:
        raise NotUnderstood(T("«{text}» are no hours.", text=text[:40]), possible=(T("quiet 22-7"), T("quiet off")))
    told = (found.groups()[:2], found.groups()[2:])
    first, last = ((int(at) % 12 + 12 * (half == "pm") if half else int(at)) % 24 for at, half in told)
    if (last - first) % 24 > 16:
        raise NotUnderstood(T("At most 16 hours of a day can be quiet."), possible=(T("quiet 22-7"),))
    return first, last
