"""Orders that are open to a seat: all of them, lazily, or some picked by a stream of numbers.

Whatever comes out of here is accepted by `read` and `apply`: each candidate is walked on a copy of the town before it
is offered, with a chance that refuses to roll, so nothing can be learnt from looking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from collections.abc import Sequence
from itertools import combinations
from itertools import product
from typing import TypeVar

from engine.chance import Blind
from engine.chance import Unknown
from engine.errors import NotAllowed
from engine.troyes import countering
from engine.troyes import dice
from engine.troyes import invaders
from engine.troyes import orders
from engine.troyes import places
from engine.troyes import turns
from engine.troyes.effects import CHOOSES
from engine.troyes.effects import PRICED
from engine.troyes.group import Group
from engine.troyes.group import Pick
from engine.troyes.group import form
from engine.troyes.orders import Order
from engine.troyes.state import Town
from engine.troyes.verbs import Play


def act(play: Play, seat: str, order: Order) -> None:
    """Walk one action on the town of `play`. Raises NotAllowed."""
    turns.ACTIONS[type(order)](play, seat, order)


def walk(town: Town, seat: str, order: Order) -> Play:
    """One action walked on a copy, up to the first roll. Raises NotAllowed."""
    play = Play(town.copy(), Blind())
    act(play, seat, order)
    return play


def legal(town: Town, seat: str, order: Order) -> bool:
    """Whether the rules allow this action now."""
    try:
        walk(town, seat, order)
    except NotAllowed:
        return False
    except Unknown:
        return True
    return True


# Groups.


def cubes_of(town: Town, seat: str) -> list[str]:
    """The delayed cards on which the seat has a cube to use."""
    return [card.id for card in town.cards if card.cubes.get(seat) and town.activity(card.id).delayed]


def picks(town: Town, seat: str, colours: Sequence[str]) -> list[Pick]:
    """Every die of these colours on the square, one's own first; equal dice stand as often as they are there."""
    owners = (seat, *(owner for owner in town.dice if owner != seat))
    return [Pick(owner, word) for owner in owners for word in town.dice[owner] if dice.colour(word) in colours]


def groups(town: Town, seat: str, colours: Sequence[str], *, mixed: bool = False) -> Iterator[Group]:
    """Every group that counts as dice of `colours` and can be paid, with each cube that fits, in order of size."""
    purse, board = town.houses[seat].deniers, town.box.board
    for using in ("", *cubes_of(town, seat)):
        raw = colours if not using else tuple(dice.COLOURS)
        pools = [picks(town, seat, (colour,)) for colour in raw] if not mixed else [picks(town, seat, raw)]
        for size in range(1, board.group_max + 1):
            for pool in pools:
                for combination in dict.fromkeys(combinations(pool, size)):
                    bought = sum(pick.owner != seat for pick in combination)
                    if not using and bought * board.prices[size - 1] > purse:
                        continue
                    try:
                        group = form(town, seat, combination, using, mixed=mixed)
                    except NotAllowed:
                        continue
                    if group.cost <= purse and group.colours <= set(colours):
                        yield group


# Actions.


def actions(town: Town, seat: str) -> Iterator[Order]:
    """Every action but passing, walked before it is given."""
    return (order for order in _candidates(town, seat) if legal(town, seat, order))


def _candidates(town: Town, seat: str) -> Iterator[Order]:
    yield from _farms(town, seat)
    for card in town.cards:
        yield from activations(town, seat, card.id)
    for group in groups(town, seat, (dice.WHITE,)):
        yield orders.Build(group.picks, group.using)
    for threat in town.queue:
        event = town.event(threat.id)
        for colour in event.dice:
            for group in groups(town, seat, (colour,)):
                for cubes in range(min(group.total // event.divisor, town.free_banners(threat)), 0, -1):
                    yield orders.Fight(threat.id, group.picks, cubes, group.using)
    for colour in dice.COLOURS:
        for group in groups(town, seat, (colour,)):
            if len(group.picks) == 1:
                for source in sources(town, seat):
                    yield orders.Station(group.picks[0], source, group.using)


def _farms(town: Town, seat: str) -> Iterator[Order]:
    for group in groups(town, seat, (dice.YELLOW,)):
        yield orders.Farm(group.picks, group.using)


def sources(town: Town, seat: str) -> list[str]:
    """Where the seat can take a citizen from: the supply first, then the board."""
    supply = [places.SUPPLY] if town.houses[seat].supply else []
    return supply + [str(place) for place in dict.fromkeys(town.whereabouts(seat))]


def activations(town: Town, seat: str, id: str) -> Iterator[orders.Activate]:
    """Every way to activate one card."""
    card, activity = town.card(id), town.activity(id)
    if card is None:
        return
    hirings: list[tuple[str, int]] = [("", 0)]
    if not card.has(seat):
        if town.houses[seat].deniers < activity.hire:
            return
        free = [number for number, owner in enumerate(card.spaces, start=1) if not owner] or [0]
        hirings = [(source, space) for source in sources(town, seat) for space in free]
    hire = 0 if card.has(seat) else activity.hire
    for group in groups(town, seat, activity.dice, mixed=len(activity.dice) > 1):
        if hire + group.cost > town.houses[seat].deniers:
            continue
        for times in range(group.total // activity.divisor, 0, -1):
            for targets in targets_for(town, id, times):
                for source, space in hirings:
                    yield orders.Activate(id, group.picks, times, source, space, targets, group.using)


def targets_for(town: Town, id: str, times: int) -> Iterator[tuple[str, ...]]:
    """Every list of choices for so many activations of a card, and leaving its price unpaid."""
    kind = CHOOSES.get(id)
    if kind is None:
        yield ()
    elif kind == "building":
        yield from product((places.PALACE, places.BISHOPRIC), repeat=times)
    else:
        if id == "archer":
            yield ()
        yield from product([threat.id for threat in town.queue], repeat=times)
    if id in PRICED and times == 1:
        yield (orders.NOTHING,)


# The other decisions, and the uses of influence before an action.


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
    """Every order open to the seat, whatever it is asked."""
    kind = next((asked["kind"] for asked in town.asked if asked["seat"] == seat), "")
    if kind == "settle":
        yield from (orders.Settle((str(place),)) for place in town.free_spaces())
    elif kind == "turn":
        yield from actions(town, seat)
        yield orders.Pass()
        yield from with_influence(town, seat)
    elif kind == "counter":
        yield from counters(town, seat)
        yield from with_influence(town, seat)
    elif kind == "support":
        frame = town.agenda[-1]
        cubes = town.event(frame["event"]).numbers["cubes"]
        yield from (
            orders.Support(chosen) for chosen in combinations(invaders.supportable(town, frame["event"]), cubes)
        )
    elif kind == "target":
        yield from (orders.Target(threat.id) for threat in town.queue)


# Some of them.


C = TypeVar("C")


class Lot:
    """A stream of numbers used to pick; when it runs out it begins again, shifted, so it never ends."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._numbers = numbers or (0,)
        self._at = 0

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1."""
        lap, at = divmod(self._at, len(self._numbers))
        self._at += 1
        return (self._numbers[at] + lap * 7919) % limit

    def pick(self, choices: Sequence[C]) -> C:
        """One of the choices."""
        return choices[self.below(len(choices))]


TRIES = 24
"""Candidates looked at before a sampled turn ends with a pass."""


def some(town: Town, seat: str, lot: Lot) -> Iterator[Order]:
    """A few orders picked by `lot`, cheap to find; at least one."""
    kind = next((asked["kind"] for asked in town.asked if asked["seat"] == seat), "")
    if kind not in ("turn", "counter"):
        choices = list(every(town, seat))
        yield lot.pick(choices)
        return
    if lot.below(6) == 0:
        uses = list(with_influence(town, seat))
        if uses:
            yield lot.pick(uses)
    if kind == "counter":
        yield countering.cheapest(town, seat) if lot.below(2) else lot.pick(_few_counters(town, seat))
        return
    for _ in range(TRIES):
        order = _candidate(town, seat, lot)
        if order is not None and legal(town, seat, order):
            yield order
            return
    yield orders.Pass()


def _few_counters(town: Town, seat: str) -> list[orders.Counter]:
    return [order for order, _ in zip(counters(town, seat), range(200), strict=False)]


def _candidate(town: Town, seat: str, lot: Lot) -> Order | None:
    using = lot.pick(("", *cubes_of(town, seat)))
    deed = lot.below(4 + 2 * len(town.cards))
    card = town.cards[(deed - 4) // 2] if deed >= 4 else None
    mixed = card is not None and len(town.activity(card.id).dice) > 1
    wanted = dice.COLOURS if mixed else (lot.pick(dice.COLOURS),)
    pool = picks(town, seat, wanted)
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
    try:
        group = form(town, seat, tuple(chosen), using, mixed=mixed)
    except NotAllowed:
        return None
    if card is not None:
        return _activation(town, seat, card.id, group, lot)
    if deed == 0:
        return orders.Build(group.picks, using)
    if deed == 1:
        threat = lot.pick(town.queue)
        most = min(group.total // town.event(threat.id).divisor, town.free_banners(threat))
        return orders.Fight(threat.id, group.picks, most, using)
    if deed == 2:
        from_where = sources(town, seat)
        return orders.Station(group.picks[0], lot.pick(from_where), using) if from_where else None
    return orders.Farm(group.picks, using)


def _activation(town: Town, seat: str, id: str, group: Group, lot: Lot) -> Order | None:
    card, activity = town.card(id), town.activity(id)
    most = group.total // activity.divisor
    if card is None or most < 1:
        return None
    times = most if lot.below(4) else 1 + lot.below(most)
    source, space = "", 0
    if not card.has(seat):
        from_where = sources(town, seat)
        if not from_where:
            return None
        source = from_where[0] if lot.below(3) else lot.pick(from_where)
        space = next((number for number, owner in enumerate(card.spaces, start=1) if not owner), 0)
    targets: tuple[str, ...] = ()
    kind = CHOOSES.get(id)
    if kind == "building":
        targets = tuple(lot.pick((places.PALACE, places.BISHOPRIC)) for _ in range(times))
    elif kind == "event" and not (id == "archer" and lot.below(2)):
        targets = tuple(lot.pick(town.queue).id for _ in range(times))
    return orders.Activate(id, group.picks, times, source, space, targets, group.using)
