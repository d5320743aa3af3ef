"""Statistics of a host: games, wins by person, place and card, durations, cards named in orders.

Only finished games count for wins and cards; of others only the public half is read.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from engine.event_log import Data
from pbem.desk.core.undo import DEFAULT
from pbem.export.game_source import GameSource
from pbem.outbound.mail import MailKind

SECONDS_A_DAY = 86400
SECONDS_AN_HOUR = 3600


@dataclass
class Wins:
    """Games in which something took part, and games that it won."""

    games: int = 0
    wins: int = 0

    @property
    def rate(self) -> float:
        """The share of wins, 0 to 1."""
        return self.wins / self.games if self.games else 0.0

    def to_data(self) -> Data:
        return {"games": self.games, "wins": self.wins, "rate": round(self.rate, 3)}


@dataclass
class AnswerTimes:
    """Hours from asking mails to playing letters of a person, reminders, and answers given by the clock."""

    hours: list[float] = field(default_factory=list)
    reminders: int = 0
    defaults: int = 0

    def to_data(self) -> Data:
        return {"hours": spread(self.hours), "reminders": self.reminders, "defaults": self.defaults}


@dataclass
class GameStatistics:
    """The statistics of one kind of game.

    `seats` counts by place from the start player (1), clockwise; `held` by secret cards shown at the end; `cards` the
    orders that name a card.
    """

    kind: str
    status: Counter[str] = field(default_factory=Counter)
    people: dict[str, Wins] = field(default_factory=dict)
    answers: dict[str, AnswerTimes] = field(default_factory=dict)
    seats: dict[str, Wins] = field(default_factory=dict)
    held: dict[str, Wins] = field(default_factory=dict)
    cards: Counter[str] = field(default_factory=Counter)
    days: list[float] = field(default_factory=list)
    letters: list[int] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    """Names of cards by id."""

    def to_data(self) -> Data:
        """The figures as plain data, for `--json`."""
        return {
            "kind": self.kind,
            "games": dict(self.status),
            "people": {name: wins.to_data() for name, wins in self.people.items()},
            "answers": {name: one.to_data() for name, one in self.answers.items()},
            "seats": {place: wins.to_data() for place, wins in sorted(self.seats.items())},
            "held": {id: wins.to_data() for id, wins in sorted(self.held.items())},
            "cards": dict(self.cards.most_common()),
            "days": spread(self.days),
            "letters": spread(self.letters),
        }


def spread(values: Sequence[float]) -> Data:
    """Least, median and most; empty without values."""
    if not values:
        return {}
    found = {"least": min(values), "median": statistics.median(values), "most": max(values)}
    return {name: round(value, 2) for name, value in found.items()}


def add_game(figures: GameStatistics, source: GameSource, people: Mapping[str, str]) -> None:
    """Add a finished game. `people` maps seats to persons."""
    state = source.state()
    result = source.game.result(state) if state is not None else None
    if result is None:
        return
    table, winners = source.stored.table, {str(seat) for seat in result.winners}
    figures.days.append((source.records[-1].at - table.opened).total_seconds() / SECONDS_A_DAY)
    figures.letters.append(sum(record.letter is not None for record in source.records))
    _answered(figures.answers, source, people)
    for place, seat in enumerate(_from_start(source), 1):
        _won(figures.seats, str(place), seat in winners)
        _won(figures.people, people[seat], seat in winners)
    for id in {str(row["id"]) for row in source.game.reference.facts() if row.get("id")} - figures.names.keys():
        if (text := source.game.reference.explain(id, state)) is not None:
            figures.names[id] = str(text.title)
    for seat, ids in _held(source, figures.names).items():
        for id in ids:
            _won(figures.held, id, seat in winners)
    # Copies of a card share a name, and orders name it by that.
    called = {_folded(word): name for id, name in figures.names.items() for word in (id, name)}
    for record in source.records:
        for order in record.private.get("orders", ()):
            words = {_folded(word.strip(":,")) for word in str(order).split()}
            figures.cards.update({called[word] for word in words & called.keys()})


def _answered(found: dict[str, AnswerTimes], source: GameSource, people: Mapping[str, str]) -> None:
    """Count the answers of each person, from the first mail on a decision to the letter that played."""
    asked: dict[str, tuple[int, datetime]] = {}
    for record in source.records:
        if record.letter is not None and record.entries and record.seat in asked:
            hours = (record.at - asked.pop(record.seat)[1]).total_seconds() / SECONDS_AN_HOUR
            found.setdefault(people[record.seat], AnswerTimes()).hours.append(hours)
        if default := record.private.get(DEFAULT):
            found.setdefault(people[str(default["seat"])], AnswerTimes()).defaults += 1
        for intent in record.intents:
            if intent.seat not in people:
                continue
            if intent.kind == MailKind.REMINDER:
                found.setdefault(people[intent.seat], AnswerTimes()).reminders += 1
            if asked.get(intent.seat, (0,))[0] != intent.decision:
                asked[intent.seat] = (intent.decision, record.at)


def _folded(word: str) -> str:
    return "".join(char for char in word.casefold() if char.isalnum())


def _won(found: dict[str, Wins], key: str, won: bool) -> None:
    row = found.setdefault(key, Wins())
    row.games += 1
    row.wins += won


def _from_start(source: GameSource) -> tuple[str, ...]:
    """The seats from the start player on, as far as the first entry names one."""
    seats = source.seats
    first = next((record.entries[0].data.get("start") for record in source.records if record.entries), None)
    at = seats.index(first) if first in seats else 0
    return seats[at:] + seats[:at]


def _held(source: GameSource, names: Mapping[str, str]) -> dict[str, list[str]]:
    """The secret cards of each seat, as the last entries reveal them: any table of card lists by seat."""
    last = next((record.entries for record in reversed(source.records) if record.entries), ())
    found: dict[str, list[str]] = {}
    for entry in last:
        for value in entry.data.values():
            if _by_seat(value, source.seats, names):
                found.update({seat: list(dict.fromkeys(ids)) for seat, ids in value.items()})
    return found


def _by_seat(value: Any, seats: Sequence[str], names: Mapping[str, str]) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == set(seats)
        and all(isinstance(ids, list) and ids and all(id in names for id in ids) for ids in value.values())
    )
