"""Every order open to a seat, whatever it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engine.troyes import countering
from engine.troyes import invaders
from engine.troyes import losses
from engine.troyes import orders
from engine.troyes import places
from engine.troyes import reactions
from engine.troyes import sealed
from engine.troyes import threats
from engine.troyes.orders import Order
from engine.troyes.possible.acting import actions
from engine.troyes.possible.acting import tiles_before
from engine.troyes.state import Town


def asked_kind(town: Town, seat: str) -> str:
    """What the seat is asked; `""` for nothing."""
    return next((asked["kind"] for asked in town.asked if asked["seat"] == seat), "")


def with_influence(town: Town, seat: str) -> Iterator[Order]:
    """Every use of influence open now."""
    board, house = town.box.board, town.houses[seat]
    own = list(dict.fromkeys(town.dice[seat]))
    if house.influence >= board.reroll:
        yield from (orders.Reroll(word) for word in own)
    if house.influence >= board.flip:
        for size in range(1, board.flip_dice + 1):
            yield from (orders.Flip(words) for words in dict.fromkeys(combinations(town.dice[seat], size)))
    for citizens in range(1, min(house.influence // board.recruit, house.reserve) + 1):
        yield orders.Recruit(citizens)


def counters(town: Town, seat: str) -> Iterator[orders.Counter]:
    """Every way to counter the highest black die, alone or with others."""
    if town.cubes_on(losses.PROTECTION, seat):
        yield orders.Counter((town.black[0],), (), losses.PROTECTION)
    if not countering.can_beat(town, seat):
        yield orders.Counter((), ())
        return
    highest, rest = town.black[0], town.black[1:]
    blacks = dict.fromkeys((highest, *more) for size in range(len(rest) + 1) for more in combinations(rest, size))
    for size in range(1, len(town.dice[seat]) + 1):
        for words in dict.fromkeys(combinations(town.dice[seat], size)):
            made = countering.total(town, words)
            yield from (orders.Counter(black, words) for black in blacks if sum(black) <= made)


def every(town: Town, seat: str) -> Iterator[Order]:
    """Every order open to the seat."""
    kind = asked_kind(town, seat)
    frame = town.agenda[-1] if town.agenda else {}
    match kind:
        case "settle":
            yield from (orders.Settle((str(place),)) for place in town.free_spaces())
        case "turn":
            yield from actions(town, seat)
            yield orders.Pass()
            yield from with_influence(town, seat)
            yield from tiles_before(town, seat)
        case "counter":
            yield from counters(town, seat)
            yield from with_influence(town, seat)
        case "support":
            cubes = town.event(frame["event"]).numbers["cubes"]
            yield from map(orders.Support, combinations(invaders.supportable(town, frame["event"]), cubes))
        case "target":
            card = town.activity(frame["card"])
            yield from (orders.Target(threat.id) for threat in town.queue if threats.open_to(threat, card))
        case "react":
            yield orders.React(reactions.asked_tile(frame))
            yield orders.React("")
        case "give":
            yield from map(orders.Give, sealed.ways(town, kind, seat))
        case "discard":
            yield from map(orders.Discard, sealed.ways(town, kind, seat))
        case "release":
            threat = town.threat(places.POSSESSION)
            yield from map(orders.Release, dict.fromkeys(threat.held if threat is not None else ()))
