"""Time zones by name (`Europe/Paris`), and those that an offset (`UTC+2`) or an abbreviation (`CEST`) may mean.

An offset has no summer time, and an abbreviation is used in several countries. So the zones that may be meant are
offered instead, from the tables of the package `tzdata`: all of one's own part of the world, and elsewhere one for each
way to count the hours.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from engine.catalog import T
from engine.errors import NotUnderstood

MOST_NEAR_ZONES = 12
"""At most so many zones of one's own part of the world are offered."""

_OFFSET = re.compile(r"(?:utc|gmt)?\s?([+-])\s?(\d{1,2})(?::?([0-5]\d))?", re.IGNORECASE)
_SHORT = re.compile(r"[A-Za-z]{3,4}")
_NO_ZONES = frozenset({"localtime", "posixrules", "Factory"})
"""Files beside the zones that name this machine's zone, or none."""


def zone_of(name: str) -> ZoneInfo:
    """The zone of that name. Raises NotUnderstood."""
    try:
        if name in _NO_ZONES or not re.fullmatch(r"(?!posix/|right/)[A-Za-z0-9_+][A-Za-z0-9_+/-]{0,59}", name):
            raise ValueError
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise NotUnderstood(
            T("«{name}» is no time zone.", name=name[:60]),
            possible=(T("Europe/Paris"), T("America/New_York"), T("Pacific/Auckland"), T("UTC")),
        ) from None


def zones_meant(told: str, now: datetime, here: ZoneInfo) -> tuple[str, ...]:
    """The zones that may be meant by an offset or an abbreviation, those around `here` first; none for other words."""
    told = told.replace("\u2212", "-").replace("'", "").strip()
    if found := _OFFSET.fullmatch(told):
        behind = timedelta(hours=int(found[2]), minutes=int(found[3] or 0)) * (-1 if found[1] == "-" else 1)
        return _known(lambda name: now.astimezone(ZoneInfo(name)).utcoffset() == behind, here)
    if not _SHORT.fullmatch(told) or told.upper() == "UTC":
        return ()
    return _known(lambda name: told.upper() in _called(name, now.year), here)


def _known(fits: Callable[[str], bool], here: ZoneInfo) -> tuple[str, ...]:
    region = f"{here.key.partition('/')[0]}/"
    near = [name for name in _listed("zone.tab") if name.startswith(region) and fits(name)]
    far = [name for name in _listed("zonenow.tab") if not name.startswith(region) and fits(name)]
    # The zones of zonenow.tab are the better known ones: each stands for all that count the hours as it does.
    near.sort(key=lambda name: (name != here.key, name not in _listed("zonenow.tab"), name))
    return (*near[:MOST_NEAR_ZONES], *far)


@cache
def _called(name: str, year: int) -> frozenset[str]:
    """The abbreviations of a zone in the course of a year."""
    zone = ZoneInfo(name)
    return frozenset(str(datetime(year, month, 15, tzinfo=zone).tzname()) for month in (1, 7))


@cache
def _listed(table: str) -> tuple[str, ...]:
    lines = (files("tzdata") / "zoneinfo" / table).read_text(encoding="utf-8").splitlines()
    return tuple(line.split("\t")[2] for line in lines if not line.startswith("#"))
