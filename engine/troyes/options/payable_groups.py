"""Groups of dice that a seat can put together and pay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from engine.troyes.board.card_declaration import declaration_of
from engine.troyes.board.dice_group import Group, group_of
from engine.troyes.state import dice
from engine.troyes.state.orders import NOTHING_USED, Pick, Using
from engine.troyes.state.troyes_state import TroyesState


def cubes_of(state: TroyesState, seat: str) -> list[str]:
    """The delayed cards on which the seat has a cube to use."""
    return [card.id for card in state.cards if card.cubes.get(seat) and state.activity(card.id).delayed]


def pickable_dice(state: TroyesState, seat: str, colours: Sequence[str]) -> list[Pick]:
    """Every die of these colours on the square, one's own first, and equal dice as often as they lie there.

    An own purple die is among those of every colour; purple dice of others are left out.
    """
    owners = (seat, *(owner for owner in state.dice if owner != seat))
    return [
        Pick(owner, word)
        for owner in owners
        for word in state.dice[owner]
        if dice.die_colour(word) in colours or (word[0] == "P" and owner == seat)
    ]


def cube_uses(seat: str, card: str, chosen: Iterable[Pick]) -> Iterator[Using]:
    """The ways to use a card's cube with these dice: one for each die it may work on."""
    if not card:
        yield NOTHING_USED
    elif not (whose := declaration_of(card).names):
        yield Using(card)
    else:
        for pick in dict.fromkeys(chosen):
            if whose == "any" or (pick.owner == seat) is (whose == "own"):
                yield Using(card, Pick(pick.owner, pick.die))


def payable_groups(
    state: TroyesState, seat: str, colours: tuple[str, ...], *, mixed: bool = False, most: int = 0
) -> Iterator[Group]:
    """Every group that counts as dice of `colours` and can be paid, with each cube that fits, by size up to `most`."""
    purse, board = state.houses[seat].deniers, state.box.board
    for card in ("", *cubes_of(state, seat)):
        raw = dice.COLOURS if card else colours
        pools = [pickable_dice(state, seat, some) for some in ([raw] if mixed else [(colour,) for colour in raw])]
        if not card and purse < min(board.prices):
            pools = [[pick for pick in pool if pick.owner == seat] for pool in pools]
        seen: set[tuple[Pick, ...]] = set()
        for size in range(1, (most or board.group_max) + 1):
            for pool in pools:
                for combination in dict.fromkeys(combinations(pool, size)):
                    bought = sum([pick.owner != seat for pick in combination])
                    if not card and bought * board.prices[size - 1] > purse:
                        continue
                    if combination in seen:
                        continue  # a purple die alone stands in every pool
                    if combination[0].die[0] == "P" or combination[-1].die[0] == "P":
                        seen.add(combination)
                    for using in cube_uses(seat, card, combination):
                        group = group_of(state.box, seat, combination, using, colours, mixed)
                        if group is not None and group.cost <= purse and group.colours <= set(colours):
                            yield group
