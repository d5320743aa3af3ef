"""Entries made by hand, and the sentences they are told in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.chronicle import Entry
from engine.troyes import log
from engine.troyes.state.state import TroyesState
from tests.troyes import games


def state(players: int = 4) -> TroyesState:
    found: TroyesState = games.opening(players, 1).state
    return found


def e(kind: str, **data: Any) -> Entry:
    """An entry; `from_` stands for the key `from`."""
    return Entry(kind, {key.rstrip("_"): value for key, value in data.items()})


def ordered(seat: str, text: str, deed: str, *entries: Entry, given: str = "") -> list[Entry]:
    return [e("order", seat=seat, text=text, deed=deed, given=given), *entries]


def bought(buyer: str, owner: str, dice: list[str], price: int) -> list[Entry]:
    return [
        e("pays", payer=buyer, payee=owner, deniers=price, reason="dice"),
        e("leaves", owner=owner, dice=dice, by=buyer),
    ]


def told(entries: Sequence[Entry], reader: str | None = None) -> list[str]:
    return [str(line.says) for line in log.tell(state(), entries, reader)]
