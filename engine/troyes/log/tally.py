"""What the facts of one group add up to, seat by seat."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.catalog import Msg, T
from engine.chronicle import Entry
from engine.troyes.log import phrases
from engine.troyes.log.phrases import Voice
from engine.troyes.state.state import BANK, GRAY


@dataclass(slots=True)
class Tally:
    """Net changes by seat, payments for dice and hire left out; `bought` is what was paid for dice, by payee."""

    deniers: dict[str, int] = field(default_factory=dict)
    influence: dict[str, int] = field(default_factory=dict)
    wasted: dict[str, int] = field(default_factory=dict)
    points: dict[str, int] = field(default_factory=dict)
    bought: dict[str, int] = field(default_factory=dict)
    hire: int = 0

    def changes(self, seat: str) -> tuple[Msg, ...]:
        """What changed for one seat, in words."""
        told: list[Msg] = []
        if by := self.deniers.get(seat, 0):
            told.append(phrases.deniers(by))
        if by := self.influence.get(seat, 0):
            told.append(phrases.influence(by))
        if lost := self.wasted.get(seat, 0):
            told.append(T("{n} influence lost beyond the most one may have", n=lost))
        if by := self.points.get(seat, 0):
            told.append(phrases.points(by))
        return tuple(told)

    def touched(self) -> list[str]:
        """Seats for which something changed, sellers of dice included."""
        seats = (*self.deniers, *self.influence, *self.wasted, *self.points, *self.bought)
        return [seat for seat in dict.fromkeys(seats) if seat != BANK]

    def others(self, voice: Voice, but: Iterable[str]) -> list[Msg]:
        """What changed for all seats `but` some, each with its name; dice sold count as deniers."""
        told: list[Msg] = []
        for seat in self.touched():
            if seat in but:
                continue
            sold = self.bought.get(seat, 0)
            changed = ((phrases.deniers(sold),) if sold else ()) + self.changes(seat)
            if changed:
                told.append(T("{who} {changes}", who=voice.name(seat), changes=changed))
        return told


def tally(entries: Iterable[Entry]) -> Tally:
    """Add up payments, influence and points."""
    sums = Tally()
    for entry in entries:
        data = entry.data
        match entry.kind:
            case "pays":
                _pay(sums, data["payer"], data["payee"], data["deniers"], data.get("reason", ""))
            case "influence":
                _add(sums.influence, data["seat"], data["by"])
                _add(sums.wasted, data["seat"], data.get("wasted", 0))
            case "points":
                _add(sums.points, data["seat"], data["by"])
            case "collects":
                _add(sums.deniers, data["seat"], data["deniers"])
    return sums


def _pay(sums: Tally, payer: str, payee: str, paid: int, reason: str) -> None:
    if reason == "hire":
        sums.hire += paid
    elif reason == "dice":
        _add(sums.bought, payee, paid)
    else:
        for owner, by in ((payer, -paid), (payee, paid)):
            if owner not in (BANK, GRAY):
                _add(sums.deniers, owner, by)


def _add(sums: dict[str, int], key: str, by: int) -> None:
    if by:
        sums[key] = sums.get(key, 0) + by
