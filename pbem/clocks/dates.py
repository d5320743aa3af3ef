"""Dates and time spans as people write them, in English and French; and moments as they are shown to a reader."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from engine.catalog import Msg, T
from engine.errors import NotUnderstood
from engine.kit.words import fold_text

_MONTHS = (
    ("jan", "january", "janv", "janvier"), ("feb", "february", "fev", "fevr", "fevrier"), ("mar", "march", "mars"),
    ("apr", "april", "avr", "avril"), ("may", "mai"), ("jun", "june", "juin"), ("jul", "july", "juil", "juillet"),
    ("aug", "august", "aout"), ("sep", "sept", "september", "septembre"), ("oct", "october", "octobre"),
    ("nov", "november", "novembre"), ("dec", "december", "decembre"),
)  # fmt: skip
_MONTH = {word: number for number, words in enumerate(_MONTHS, 1) for word in words}
_NAMED = (
    *(T("January"), T("February"), T("March"), T("April"), T("May"), T("June"), T("July"), T("August")),
    *(T("September"), T("October"), T("November"), T("December")),
)
_WEEKDAYS = (
    T("Monday"), T("Tuesday"), T("Wednesday"), T("Thursday"), T("Friday"), T("Saturday"), T("Sunday"),
)  # fmt: skip
_TODAY = {"today": 0, "aujourd'hui": 0, "tomorrow": 1, "demain": 1}
_DAYS = (
    ("monday", "mon", "lundi"), ("tuesday", "tue", "mardi"), ("wednesday", "wed", "mercredi"),
    ("thursday", "thu", "jeudi"), ("friday", "fri", "vendredi"), ("saturday", "sat", "samedi"),
    ("sunday", "sun", "dimanche"),
)  # fmt: skip
_DAY = {word: number for number, words in enumerate(_DAYS) for word in words}
_WEEKS = {"this week": 0, "cette semaine": 0, "next week": 1, "la semaine prochaine": 1, "semaine prochaine": 1}
_UNTIL = re.compile(r"\s+(?:to|until|till|through|au|jusqu'au|jusqu'a)\s+(?:the\s+|le\s+)?|\s+(?:-|–|—)\s+|\s*\.\.+\s*")
_FROM = re.compile(r"^(?:from\s+|du\s+|des\s+le\s+|a\s+partir\s+du\s+|le\s+)")
_ALONE = re.compile(r"^(?:until|till|jusqu'au|jusqu'a)\s+(?:the\s+|le\s+)?")
_FOR = re.compile(r"(?:for|pendant|pour|durant)\s+(\d{1,3}\s*(?:d|days?|j|jours?|w|weeks?|semaines?))")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_SLASHED = re.compile(r"(\d{1,2})[/.](\d{1,2})(?:[/.](\d{4}))?\.?")
_WORDED = re.compile(
    r"(?:(\d{1,2})(?:er|st|nd|rd|th)?\.?\s+(?:of\s+)?([a-z]+)\.?|([a-z]+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?)"
    r"(?:,?\s+(\d{4}))?"
)
_SPAN = re.compile(r"\+?\s*(\d{1,4})\s*(h|hours?|heures?|d|days?|j|jours?|w|weeks?|semaines?)")


def period(text: str, today: date) -> tuple[date, date]:
    """Read the first and the last day of `24 dec to 6 jan`, `du 24 décembre au 6 janvier`, `until 6 jan`, `24 dec`,
    `monday to friday`, `for 10 days`, `next week`.

    A date without a year is the next one there is. Raises NotUnderstood.
    """
    said = fold_text(text).strip().replace("’", "'")
    if lasts := _FOR.fullmatch(said):
        first, last = today, today + span(lasts[1]) - timedelta(days=1)
    elif said in _WEEKS:
        monday = today + timedelta(weeks=_WEEKS[said], days=-today.weekday())
        first, last = max(today, monday), monday + timedelta(days=6)
    elif _ALONE.match(said):
        first, last = today, _day(_ALONE.sub("", said), today, text)
    else:
        begins, *more = _UNTIL.split(_FROM.sub("", said), maxsplit=1)
        if more and re.fullmatch(r"\d{1,2}(?:er|st|nd|rd|th)?", begins):
            # «24 to 27 december»: the month stands at the end.
            last = _day(more[0], today, text)
            first = _day(f"{begins} {_MONTHS[last.month - 1][0]} {last.year}", today, text)
        else:
            first = _day(begins, today, text)
            last = _day(more[0], first, text) if more else first
    if last.year >= LATEST:
        raise _unreadable(text)
    if last < first:
        raise NotUnderstood(T("The last day of «{text}» comes before the first.", text=text[:60]), possible=_WAYS)
    return first, last


def span(text: str) -> timedelta:
    """Read `+2d`, `12h`, `3 jours`. Raises NotUnderstood."""
    found = _SPAN.fullmatch(fold_text(text).strip())
    if found is None or not int(found[1]):
        raise NotUnderstood(T("«{text}» is no time span.", text=text[:40]), possible=(T("+2d"), T("+12h"), T("+1w")))
    days, weeks = found[2][0] in "dj", found[2][0] in "ws"
    return int(found[1]) * timedelta(weeks=weeks, days=days, hours=not (days or weeks))


def local_time(moment: datetime, zone: ZoneInfo) -> Msg:
    """A moment in its reader's zone: «Thursday 26 November, 20:00 (Europe/Paris)»."""
    local = moment.astimezone(zone)
    return T("{day}, {time} ({zone})", day=local_day(moment, zone), time=f"{local:%H:%M}", zone=zone.key)


def local_day(moment: datetime, zone: ZoneInfo) -> Msg:
    """The day of a moment in its reader's zone: «Thursday 26 November»."""
    local = moment.astimezone(zone)
    weekday, month = _WEEKDAYS[local.weekday()], _NAMED[local.month - 1]
    return T("{weekday} {n} {month}", "{weekday} {n} {month}", n=local.day, weekday=weekday, month=month)


LATEST = 9000
"""From this year on nobody means a date; Python's dates end at 9999."""
_WAYS = (T("away 24 dec to 6 jan"), T("away until 6 jan"), T("away off"))


def _day(said: str, after: date, text: str) -> date:
    said = said.strip()
    if said in _TODAY:
        return after + timedelta(days=_TODAY[said])
    if (named := said.removeprefix("next ").removesuffix(" prochain")) in _DAY:
        return after + timedelta(days=(_DAY[named] - after.weekday() - 1) % 7 + 1)
    year, month, day = _parts(said)
    # A leap day is the next one there is, however far off.
    for at in (year,) if year else range(after.year, after.year + 9):
        with suppress(ValueError):
            if (found := date(at, month, day)) >= after or year:
                return found
    raise _unreadable(text)


def _unreadable(text: str) -> NotUnderstood:
    return NotUnderstood(T("I cannot read the dates in «{text}».", text=text[:60]), possible=_WAYS)


def _parts(said: str) -> tuple[int, int, int]:
    """Year (0: not said), month and day; a month of 0 where they cannot be read."""
    if found := _ISO.fullmatch(said):
        return int(found[1]), int(found[2]), int(found[3])
    if found := _SLASHED.fullmatch(said):
        return int(found[3] or 0), int(found[2]), int(found[1])
    if found := _WORDED.fullmatch(said):
        return int(found[5] or 0), _MONTH.get(found[2] or found[3], 0), int(found[1] or found[4])
    return 0, 0, 0
