"""Orders picked by a stream of random numbers, cheap to find: for random games and simple computer players."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import islice

from engine.kit.sampling import NumberStream
from engine.troyes.actions import countering
from engine.troyes.actions.activation import capacity
from engine.troyes.actions.carry_out_order import is_legal
from engine.troyes.board.card_choices import USE
from engine.troyes.board.card_declaration import declaration_of
from engine.troyes.board.dice_group import Group, group_of
from engine.troyes.options import action_orders
from engine.troyes.options.legal_orders import asked_kind, counter_orders, every_order, with_influence
from engine.troyes.options.payable_groups import cube_uses, cubes_of, pickable_dice
from engine.troyes.state import dice, orders, places
from engine.troyes.state.orders import Order, Pick
from engine.troyes.state.troyes_state import TroyesState

TRIES = 24
"""How many candidates are tried before a turn ends with a pass."""


def random_order(state: TroyesState, seat: str, lot: NumberStream) -> Iterator[Order]:
    """A few orders picked by `lot`; at least one."""
    kind = asked_kind(state, seat)
    if kind not in ("turn", "counter"):
        yield lot.pick(list(every_order(state, seat)))
        return
    if lot.below(6) == 0 and (bought := list(with_influence(state, seat))):
        yield lot.pick(bought)
    if kind == "counter":
        cheapest, ways = lot.below(2), islice(counter_orders(state, seat), 200)
        yield countering.cheapest_counter(state, seat) if cheapest else lot.pick(list(ways))
        return
    if state.tiles and (uses := list(action_orders.tiles_before(state, seat))) and lot.below(2):
        yield lot.pick(uses)
    found = _Candidates(state, seat, lot)
    for _ in range(TRIES):
        order = found.candidate()
        if order is None:
            continue
        if state.tiles and lot.below(2):
            order = _with_tile(state, seat, order, lot)
        if is_legal(state, seat, order):
            yield order
            return
    yield orders.Pass()


def _with_tile(state: TroyesState, seat: str, order: Order, lot: NumberStream) -> Order:
    """The order with a tile where there is a cube for it; else the same order."""
    more = list(islice(action_orders.with_tile(state, seat, order), 60))
    if not more:
        return order
    chosen = lot.pick(more)
    return chosen if is_legal(state, seat, chosen) else order


class _Candidates:
    """Candidates of one position, picked one after another."""

    def __init__(self, state: TroyesState, seat: str, lot: NumberStream) -> None:
        self._state, self._seat, self._lot = state, seat, lot
        self._cubes = ("", *cubes_of(state, seat))
        self._pools: dict[tuple[str, ...], tuple[list[Pick], list[Pick]]] = {}

    def candidate(self) -> Order | None:
        """An order that may be legal, or None where the picks make none."""
        state, seat, lot = self._state, self._seat, self._lot
        if state.tiles and lot.below(8) == 0:
            guards = list(islice(action_orders.guard_orders(state, seat), 400))
            return lot.pick(guards) if guards else None
        card_used = lot.pick(self._cubes)
        kind = lot.below(4 + 2 * len(state.cards))
        card = state.cards[(kind - 4) // 2].id if kind >= 4 else ""
        mixed = bool(card) and len(state.activity(card).dice) > 1
        colours: tuple[str, ...] = dice.COLOURS if mixed else (lot.pick(dice.COLOURS),)
        chosen = self._chosen(colours)
        using = list(cube_uses(seat, card_used, chosen)) if chosen else []
        if not using:
            return None
        use = lot.pick(using) if len(using) > 1 else using[0]
        wanted = state.activity(card).dice if card else _ALONE.get(kind, colours)
        group = group_of(state.box, seat, chosen, use, wanted, mixed)
        if group is None:
            return None
        return self._activation(card, group) if card else self._plain(kind, group)

    def _chosen(self, colours: tuple[str, ...]) -> tuple[Pick, ...]:
        """Dice of these colours, often only own ones; none where there are none."""
        lot = self._lot
        if colours not in self._pools:
            found = pickable_dice(self._state, self._seat, colours)
            self._pools[colours] = found, [pick for pick in found if pick.owner == self._seat]
        pool, own = self._pools[colours]
        left = (own if lot.below(3) and own else pool).copy()
        chosen: list[Pick] = []
        for _ in range(min(1 + lot.below(self._state.box.board.group_max), len(left)) if left else 0):
            chosen.append(lot.pick(left))
            left.remove(chosen[-1])
        return tuple(chosen)

    @cached_property
    def _sources(self) -> list[str]:
        return action_orders.worker_sources(self._state, self._seat)

    def _plain(self, kind: int, group: Group) -> Order | None:
        state, lot = self._state, self._lot
        if kind == 0:
            return orders.Build(group.picks, group.using)
        if kind == 1:
            threat = lot.pick(state.queue)
            most = min(group.total // state.event(threat.id).divisor, state.free_banners(threat))
            freed = next(action_orders.freeings(state, threat, most)) if most else ()
            return orders.Fight(threat.id, group.picks, most, group.using, freed)
        if kind == 2:
            if not self._sources:
                return None
            pick = action_orders.with_colour(group, group.colour)
            return orders.Station(pick, lot.pick(self._sources), group.using)
        return orders.Farm(group.picks, group.using)

    def _activation(self, id: str, group: Group) -> Order | None:
        state, seat, lot = self._state, self._seat, self._lot
        card, activity = state.card(id), state.activity(id)
        most = capacity(group, activity)
        if card is None or most < 1:
            return None
        times = most if lot.below(4) or not activity.divisor else 1 + lot.below(most)
        source, space = "", 0
        if not card.has(seat):
            if not self._sources:
                return None
            source = self._sources[0] if lot.below(3) else lot.pick(self._sources)
            space = state.best_space(id)
        if activity.kind == "mixed" and card.cubes.get(seat) and lot.below(3):
            times = min(times, card.cubes[seat])
        targets = _targets(state, seat, id, times, lot)
        return None if targets is None else orders.Activate(id, group.picks, times, source, space, targets, group.using)


_ALONE = {0: (dice.WHITE,), 3: (dice.YELLOW,)}
"""The colour that a lone purple die takes on the cathedral and for agriculture."""


def _targets(state: TroyesState, seat: str, id: str, times: int, lot: NumberStream) -> tuple[str, ...] | None:
    """Choices picked one by one where there may be many lists, else one of the first few lists."""
    asks, activity = declaration_of(id), state.activity(id)
    if not asks.chooses and activity.kind != "mixed":
        return ()
    if asks.chooses == "building":
        return tuple(lot.pick((places.PALACE, places.BISHOPRIC)) for _ in range(times))
    if asks.chooses == "event" and activity.kind == "immediate":
        if asks.optional and lot.below(2):
            return ()
        return tuple(lot.pick(state.queue).id for _ in range(times))
    ways = list(islice(action_orders.targets_for(state, seat, id, times), 64))
    if not ways:
        return None
    chosen = lot.pick(ways) if len(ways) > 1 else ways[0]
    if asks.chooses == "event" and chosen[:1] == (USE,):
        return (USE, *(lot.pick(state.queue).id for _ in range(times)))
    return chosen
