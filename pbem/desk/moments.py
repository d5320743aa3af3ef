"""When and where, as a sentence tells it: hours of a day, spans, days of an absence, time zones, addresses.

Each gives what is to be written behind a command and the places of its words, or nothing where the sentence has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import pairwise
from zoneinfo import available_timezones

from engine.errors import OrderRefused
from engine.kit.words import folded
from pbem.clocks.dates import period
from pbem.desk.request import Request
from pbem.reading.courtesy import NUMBERS
from pbem.reading.wants import Sentence

Found = Iterator[tuple[str, frozenset[int]]]
"""What may stand there, the likest first."""

_HALF = r"(am|pm|a\.m\.|p\.m\.|at night|in the (?:evening|afternoon|morning)|du soir|du matin|de l'apres-midi)?"
"""Of which half of the day an hour is told."""
_TIME = rf"(\d{{1,2}}|noon|midday|midi|midnight|minuit)\s*(?:h|:|heures?|o'clock)?\s*(?:00)?\s*{_HALF}"
_HOURS = re.compile(rf"\b{_TIME}\s*(?:-|to|till|until|and|et|a|jusqu'a)\s*{_TIME}(?![\w/])")
_HOUR = re.compile(
    r"(?<![\d/.])(?:\b(at|a|vers|around|by)\s+)?(\d{1,2}|noon|midday|midi|midnight|minuit)"
    r"(\s*(?:h(?:00)?|heures?|:00|o'clock))?"
    rf"\s*{_HALF}(?![\w/:])"
)
_NAMED_HOURS = {"noon": 12, "midday": 12, "midi": 12, "midnight": 0, "minuit": 0}
_LATE = ("p", "in the ev", "in the af", "du soir", "de l")
"""How it begins that hours are told of the second half of a day."""
_SMALL_HOURS = 5
"""Hours «at night» that are after midnight."""
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_UNITS = {
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours", "heure", "heures"), 1),
    **dict.fromkeys(("j", "d", "day", "days", "jour", "jours"), 24),
}
_DATED = re.compile(r"\d|demain|tomorrow|today|aujourd|day\b|di\b|dimanche|week|semaine|jours?\b")
_RETURN = re.compile(
    r"(?:back|home|return\w*|retour|rentr\w+|revien\w*)\s+(?:on\s+)?(?:the\s+|le\s+)?(\d{1,2})(?:st|nd|rd|th)?\b"
)
"""The day of the month on which its writer is back."""
_COMES = re.compile(r"(?:back|home|return\w*|retour|rentr\w+|revien\w*)(?:\s+(?:on|the|le|here|in))*\s*$")
"""What stands before the day on which its writer is back."""
_MONTH = re.compile(r"[a-z]{3,}")
_SHORT = frozenset({"utc", "gmt"})
_ELSEWHERE = {
    town: zone
    for zone, towns in {
        "Europe/Paris": "france marseille lyon", "Europe/Brussels": "belgique belgium bruxelles",
        "Europe/Zurich": "suisse switzerland geneve geneva lausanne", "Europe/Berlin": "allemagne germany",
        "Europe/London": "londres uk england angleterre", "America/Toronto": "quebec", "Europe/Rome": "italie italy",
        "Europe/Madrid": "espagne spain",
    }.items()
    for town in towns.split()
}  # fmt: skip
"""Places that no zone is named after."""


def at_hour(sentence: Sentence) -> Found:
    """An hour of the day: «à 20h», «at 8pm», «à 7 heures»."""
    for found in _HOUR.finditer(folded(sentence.raw)):
        hour = _hour(found[2], found[4])
        if (found[1] or found[3] or found[4]) and hour < 24:
            yield str(hour), between(sentence, *found.span())
            return


def hours(sentence: Sentence) -> Found:
    """From one hour to another: «between 10pm and 7am»."""
    text = folded(sentence.raw)
    if found := _HOURS.search(text):
        first, last = (_hour(found[at], found[at + 1]) for at in (1, 3))
        if first < 24 and last < 24 and first != last:
            yield f"{first}-{last}", between(sentence, *found.span())


def _hour(said: str, half: str | None) -> int:
    hour = _NAMED_HOURS.get(said, int(said) if said.isdigit() else 0)
    if not half:
        return hour % 24
    late = half.startswith(_LATE) or (half == "at night" and hour > _SMALL_HOURS)
    return hour % 12 + 12 * late


def span(sentence: Sentence) -> Found:
    """How long before something: «six hours», «la veille»."""
    yield from (("24h", frozenset({at})) for at, word in enumerate(sentence.words) if word == "veille")
    words = [part for word in sentence.words for part in re.findall(r"\d+|[a-z]+", word)]
    for count, unit in pairwise(words):
        number = int(count) if count.isdigit() else NUMBERS.get(count, 0)
        if number and unit in _UNITS:
            spent = {at for at, word in enumerate(sentence.words) if word in (count, unit, count + unit)}
            yield f"{number * _UNITS[unit]}h", frozenset(spent)


@cache
def _zones() -> Mapping[str, str]:
    """Zones by the names of their towns."""
    found = {}
    for name in sorted(available_timezones(), key=lambda name: ("/" in name, name)):
        town = folded(name).rpartition("/")[2].replace("_", " ")
        if len(town) > 3 or town in _SHORT:
            found[town] = name
    return {**found, **_ELSEWHERE}


@cache
def towns() -> frozenset[str]:
    """Towns and countries that are one word."""
    return frozenset(town for town in _zones() if " " not in town)


def zone(sentence: Sentence) -> Found:
    """A zone, by its name or a town."""
    for size in (3, 2, 1):
        for at in range(len(sentence.words) - size + 1):
            if zone := _zones().get(" ".join(sentence.words[at : at + size])):
                region = at and folded(zone).startswith(f"{sentence.words[at - 1]}/")
                yield zone, frozenset(range(at - bool(region), at + size))
                return


def address(sentence: Sentence) -> Found:
    """Where mails may go."""
    if found := _ADDRESS.search(sentence.raw):
        yield found[0], between(sentence, *found.span())


def dates(request: Request, sentence: Sentence) -> Found:
    """The longest stretch that tells a day or two; a day of the month that is told further on may be the last."""
    if request.now is None or request.hours is None:
        return
    last = _RETURN.search(folded(sentence.raw))
    for text, places in _stretches(request, sentence):
        month = _MONTH.search(folded(text))
        until = f"{text} - {last[1]} {month[0]}" if last and month else ""
        with suppress(OrderRefused):
            if until and period(until, request.now.astimezone(request.hours.zone).date()):
                yield until, places | between(sentence, *last.span())  # type: ignore[union-attr]
        yield text, places


def _stretches(request: Request, sentence: Sentence) -> Found:
    if request.now is None or request.hours is None:
        return
    today = request.now.astimezone(request.hours.zone).date()
    count = len(sentence.words)
    for size in range(min(count, 10), 0, -1):
        for at in range(count - size + 1):
            text = sentence.part(at, at + size)
            if _DATED.search(folded(text)):
                if _COMES.search(folded(sentence.raw[: sentence.spans[at][0]])):
                    text = f"until {text}"
                with suppress(OrderRefused):
                    period(text, today)
                    yield text, frozenset(range(at, at + size))
                    return


def between(sentence: Sentence, first: int, last: int) -> frozenset[int]:
    """The places of words that begin between two characters."""
    return frozenset(at for at, (begins, _) in enumerate(sentence.spans) if first <= begins < last)
