"""Entries made by hand, and the sentences they are told in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.event_log import LogEntry
from engine.troyes.events.order_events import Ordered
from engine.troyes.events.play import KINDS
from engine.troyes.news import sentences
from engine.troyes.state.orders import Order, Pick
from engine.troyes.state.troyes_state import TroyesState
from tests.troyes import games


def state(players: int = 4) -> TroyesState:
    found: TroyesState = games.opening(players, 1).state
    return found


def e(kind: str, **data: Any) -> LogEntry:
    """An entry, as it is stored."""
    return LogEntry(kind, data)


def ordered(seat: str, order: Order, *entries: LogEntry, given: str = "", **why: str) -> list[LogEntry]:
    return [KINDS.entry(Ordered(seat, order, given, why)), *entries]


def picks(words: str, seat: str = "") -> tuple[Pick, ...]:
    """Dice as they are typed; those without a district are the seat's."""
    return tuple(Pick(*word.split(":")) if ":" in word else Pick(seat, word) for word in words.split())


def bought(buyer: str, owner: str, dice: list[str], price: int) -> list[LogEntry]:
    return [
        e("pays", payer=buyer, payee=owner, deniers=price, reason="dice"),
        e("leaves", owner=owner, dice=dice, by=buyer),
    ]


def told(entries: Sequence[LogEntry], reader: str | None = None) -> list[str]:
    return [str(line.says) for line in sentences.tell_news(state(), entries, reader)]
