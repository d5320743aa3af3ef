"""A few orders picked by a stream of numbers, cheap to find: for random games and simple computer players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from engine.errors import NotAllowed
from engine.errors import Unclear
from engine.kit.sampling import Lot
from engine.troyes import countering
from engine.troyes import dice
from engine.troyes import orders
from engine.troyes import places
from engine.troyes.activating import capacity
from engine.troyes.choices import CHOOSES
from engine.troyes.choices import USE
from engine.troyes.group import Group
from engine.troyes.group import form
from engine.troyes.orders import Order
from engine.troyes.possible import acting
from engine.troyes.possible.answering import asked_kind
from engine.troyes.possible.answering import counters
from engine.troyes.possible.answering import every
from engine.troyes.possible.answering import with_influence
from engine.troyes.possible.grouping import cubes_of
from engine.troyes.possible.grouping import picks
from engine.troyes.possible.grouping import usings
from engine.troyes.possible.walking import legal
from engine.troyes.state import Town

TRIES = 24
"""Candidates looked at before a sampled turn ends with a pass."""


def some(town: Town, seat: str, lot: Lot) -> Iterator[Order]:
    """A few orders picked by `lot`; at least one."""
    kind = asked_kind(town, seat)
    if kind not in ("turn", "counter"):
        yield lot.pick(list(every(town, seat)))
        return
    if lot.below(6) == 0:
        uses = list(with_influence(town, seat))
        if uses:
            yield lot.pick(uses)
    if kind == "counter":
        yield countering.cheapest(town, seat) if lot.below(2) else lot.pick(list(islice(counters(town, seat), 200)))
        return
    if town.tiles:
        yield from _before(town, seat, lot)
    for _ in range(TRIES):
        order = _candidate(town, seat, lot)
        if order is None:
            continue
        if town.tiles and lot.below(2):
            order = _with_tile(town, seat, order, lot)
        if legal(town, seat, order):
            yield order
            return
    yield orders.Pass()


def _before(town: Town, seat: str, lot: Lot) -> Iterator[Order]:
    uses = list(acting.tiles_before(town, seat))
    if uses and lot.below(2):
        yield lot.pick(uses)


def _with_tile(town: Town, seat: str, order: Order, lot: Lot) -> Order:
    """The order with a tile where there is a cube for it; else as it is."""
    more = list(islice(acting.with_tile(town, seat, order), 60))
    if not more:
        return order
    chosen = lot.pick(more)
    return chosen if legal(town, seat, chosen) else order


def _candidate(town: Town, seat: str, lot: Lot) -> Order | None:
    if town.tiles and lot.below(8) == 0:
        guards = list(islice(acting.guards(town, seat), 400))
        return lot.pick(guards) if guards else None
    card_used = lot.pick(("", *cubes_of(town, seat)))
    deed = lot.below(4 + 2 * len(town.cards))
    card = town.cards[(deed - 4) // 2] if deed >= 4 else None
    mixed = card is not None and len(town.activity(card.id).dice) > 1
    colours = dice.COLOURS if mixed else (lot.pick(dice.COLOURS),)
    pool = picks(town, seat, colours)
    own = [pick for pick in pool if pick.owner == seat]
    if lot.below(3) and own:
        pool = own
    if not pool:
        return None
    size = 1 + lot.below(town.box.board.group_max)
    left, chosen = Counter(pool), []
    for _ in range(min(size, len(pool))):
        pick = lot.pick(list(left.elements()))
        left[pick] -= 1
        chosen.append(pick)
    using = list(usings(seat, card_used, chosen))
    if not using:
        return None
    wanted = _wanted(town, deed, card.id if card else "", colours)
    try:
        group = form(
            town, seat, tuple(chosen), lot.pick(using) if len(using) > 1 else using[0], wanted=wanted, mixed=mixed
        )
    except (NotAllowed, Unclear):
        return None
    if card is not None:
        return _activation(town, seat, card.id, group, lot)
    return _plain(town, seat, deed, group, lot)


def _wanted(town: Town, deed: int, card: str, colours: Sequence[str]) -> tuple[str, ...]:
    """What a purple die alone would have to be."""
    if card:
        return town.activity(card).dice
    return {0: (dice.WHITE,), 3: (dice.YELLOW,)}.get(deed, tuple(colours))


def _plain(town: Town, seat: str, deed: int, group: Group, lot: Lot) -> Order | None:
    if deed == 0:
        return orders.Build(group.picks, group.using)
    if deed == 1:
        threat = lot.pick(town.queue)
        most = min(group.total // town.event(threat.id).divisor, town.free_banners(threat))
        freed = next(acting.freeings(town, threat, most)) if most else ()
        return orders.Fight(threat.id, group.picks, most, group.using, freed)
    if deed == 2:
        from_where = acting.sources(town, seat)
        if not from_where:
            return None
        pick = group.picks[0]
        if pick.die[0] == "P" and not group.using.card:
            pick = replace(pick, colour=group.colour)
        return orders.Station(pick, lot.pick(from_where), group.using)
    return orders.Farm(group.picks, group.using)


def _activation(town: Town, seat: str, id: str, group: Group, lot: Lot) -> Order | None:
    card, activity = town.card(id), town.activity(id)
    most = capacity(group, activity)
    if card is None or most < 1:
        return None
    times = most if lot.below(4) or not activity.divisor else 1 + lot.below(most)
    source, space = "", 0
    if not card.has(seat):
        from_where = acting.sources(town, seat)
        if not from_where:
            return None
        source = from_where[0] if lot.below(3) else lot.pick(from_where)
        space = next((number for number, owner in enumerate(card.spaces, start=1) if not owner), 0)
    if activity.kind == "mixed" and card.cubes.get(seat) and lot.below(3):
        times = min(times, card.cubes[seat])
    targets = _targets(town, seat, id, times, lot)
    return None if targets is None else orders.Activate(id, group.picks, times, source, space, targets, group.using)


def _targets(town: Town, seat: str, id: str, times: int, lot: Lot) -> tuple[str, ...] | None:
    """Choices picked one by one where there may be many of them, else one way out of the first few."""
    kind = CHOOSES.get(id)
    if kind is None and town.activity(id).kind != "mixed":
        return ()
    if kind == "building":
        return tuple(lot.pick((places.PALACE, places.BISHOPRIC)) for _ in range(times))
    if kind == "event" and town.activity(id).kind == "immediate" and id != "scout":
        if id == "archer" and lot.below(2):
            return ()
        return tuple(lot.pick(town.queue).id for _ in range(times))
    ways = list(islice(acting.targets_for(town, seat, id, times), 64))
    if not ways:
        return None
    chosen = lot.pick(ways) if len(ways) > 1 else ways[0]
    if kind == "event" and id == "catapult" and chosen[:1] == (USE,):
        return (USE, *(lot.pick(town.queue).id for _ in range(times)))
    return chosen
