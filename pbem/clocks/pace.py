"""Paces: how long a decision may take, as a host writes it (`medium mon-fri 20:00`), and the options of every table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood
from engine.kit.words import fold_text
from engine.table_options import Option, replace_words
from pbem.store.game_table import Pace, Table

PACE_HOURS: Mapping[str, int] = {"none": 0, "slow": 72, "medium": 48, "brisk": 24}
"""Each pace and the hours that a decision may take; 0: nothing is ever due."""

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

_FRENCH = {
    "pace": "rythme", "none": "aucun", "slow": "lent", "medium": "moyen", "brisk": "vif",
    "mon": "lun", "tue": "mar", "wed": "mer", "thu": "jeu", "fri": "ven", "sat": "sam", "sun": "dim",
}  # fmt: skip
"""The words of a pace as French mails have them."""

TABLE_OPTIONS: tuple[Option, ...] = (
    Option(
        "pace", (), "none",
        T("how long a decision may take: none, slow (72 h), medium (48 h) or brisk (24 h), with weekdays and a clock "
          "time if you like, as in «medium mon-fri 20:00»"),
        played={word: T("a decision may take {n} hours", n=hours) for word, hours in PACE_HOURS.items() if hours},
        words={"fr": _FRENCH},
    ),
    Option(
        "late", ("default", "computer", "wait"), "default",
        T("what is done for who has not answered in time: the answer that does least, a computer's, or nothing"),
        played={
            "computer": T("for who has not answered in time a computer answers"),
            "wait": T("for who has not answered in time nobody answers: the table waits"),
        },
        words={"fr": {"late": "retard", "computer": "ordinateur", "wait": "attendre"}},
    ),
    Option(
        "answers", ("count", "names", "hidden"), "count",
        T("what mails tell of who has answered a sealed decision"),
        played={
            "names": T("mails tell who has answered a sealed decision"),
            "hidden": T("mails tell nothing of who has answered a sealed decision"),
        },
        words={"fr": {"answers": "réponses", "names": "noms", "hidden": "cachées"}},
    ),
    Option(
        "cooling", ("0", "5", "10", "15", "30", "60"), "0",
        T("for how many minutes the next player is not mailed yet, so that another letter can take the place of the "
          "first"),
        played={"": T("for so many minutes after a letter the next player is not mailed yet, so that another letter "
                      "can take its place")},
        words={"fr": {"cooling": "délai"}},
    ),
    Option(
        "follow", ("no", "yes"), "no",
        T("whether people who do not sit here may follow it, by one public view a round"),
        played={"yes": T("people who do not sit here may follow it, by one public view a round")},
        words={"fr": {"follow": "suivi", "yes": "oui", "no": "non"}},
    ),
    Option(
        "anonymous", ("no", "yes"), "no",
        T("whether nobody learns before the end who the others are"),
        played={"yes": T("nobody learns before the end who the others are")},
        words={"fr": {"anonymous": "anonyme", "yes": "oui", "no": "non"}},
    ),
)  # fmt: skip
"""Options of a table of any game."""

_SPAN = re.compile(rf"({'|'.join(WEEKDAYS)})-({'|'.join(WEEKDAYS)})")
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


def parse_pace(text: str, late: str = "") -> Pace:
    """Read a pace as a host writes it. Raises NotUnderstood, NotAllowed."""
    name, *rest = text.casefold().replace(",", " ").split() or [""]
    if name not in PACE_HOURS:
        raise NotUnderstood(T("«{text}» is no pace.", text=text[:40]), possible=_ways())
    pace = Pace(name, PACE_HOURS[name])
    for word in rest:
        if time := _TIME.fullmatch(word):
            pace = replace(pace, at=f"{int(time[1]):02}:{time[2]}")
        elif days := _days(word):
            pace = replace(pace, days="".join(sorted({*pace.days, *days})))
        else:
            raise NotUnderstood(T("«{word}» is neither a weekday nor a clock time.", word=word[:20]), possible=_ways())
    policies = TABLE_OPTIONS[1].values
    if late and late not in policies:
        raise _no_value("late", late, policies)
    return replace(pace, late=late or TABLE_OPTIONS[1].default)


def table_fields(options: Mapping[str, str]) -> dict[str, Any]:
    """The options of a new table as fields of a `Table`. Raises NotUnderstood, NotAllowed."""
    found: dict[str, Any] = {"pace": parse_pace(options.get("pace", TABLE_OPTIONS[0].default), options.get("late", ""))}
    for option in TABLE_OPTIONS[2:]:
        value = options.get(option.name, option.default)
        if value not in option.values:
            raise _no_value(option.name, value, option.values)
        found[option.name] = int(value) if value.isdecimal() else value == "yes" if "yes" in option.values else value
    return found


def pace_text(pace: Pace) -> str:
    """Write a pace as `parse_pace` reads it."""
    return " ".join(filter(None, (pace.name, ",".join(WEEKDAYS[int(day) - 1] for day in pace.days), pace.at)))


def option_value(option: Option, name: str, value: str) -> str | None:
    """The value of an option that somebody has written, in any language; None where the name is another option's."""
    known = {fold_text(said): word for words in option.words.values() for word, said in words.items()}
    if option.name not in (name, known.get(fold_text(name))):
        return None
    found = replace_words(fold_text(value), known)
    return found if found != fold_text(value) else value


def option_texts(table: Table) -> dict[str, str]:
    """The options of a table, as a host writes them."""
    return {
        "pace": pace_text(table.pace), "late": table.pace.late, "answers": table.answers, "cooling": str(table.cooling),
        "follow": "yes" if table.follow else "no", "anonymous": "yes" if table.anonymous else "no",
    }  # fmt: skip


def _days(word: str) -> str:
    if word in WEEKDAYS:
        return str(WEEKDAYS.index(word) + 1)
    if span := _SPAN.fullmatch(word):
        first, last = (WEEKDAYS.index(day) for day in span.groups())
        return "".join(str(day % 7 + 1) for day in range(first, last + 1 + 7 * (last < first)))
    return ""


def _no_value(name: str, value: str, values: tuple[str, ...]) -> NotAllowed:
    says = T("«{value}» is no value of {name}.", value=value[:40], name=name)
    return NotAllowed(says, possible=(T("one of {values}", values=values),))


def _ways() -> tuple[Msg, ...]:
    return (T("one of {values}", values=tuple(PACE_HOURS)), T("medium mon-fri 20:00"))
