"""Groups of dice that a seat can put together and pay."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from itertools import combinations

from engine.errors import NotAllowed
from engine.errors import Unclear
from engine.troyes import dice
from engine.troyes.delayed import NAMES_A_DIE
from engine.troyes.group import Group
from engine.troyes.group import form
from engine.troyes.picks import NOTHING_USED
from engine.troyes.picks import Pick
from engine.troyes.picks import Using
from engine.troyes.state import Town


def cubes_of(town: Town, seat: str) -> list[str]:
    """The delayed cards on which the seat has a cube to use."""
    return [card.id for card in town.cards if card.cubes.get(seat) and town.activity(card.id).delayed]


def picks(town: Town, seat: str, colours: Sequence[str]) -> list[Pick]:
    """Every die of these colours on the square, one's own first; equal dice stand as often as they are there. An own
    purple die stands among those of every colour, others' nowhere."""
    owners = (seat, *(owner for owner in town.dice if owner != seat))
    return [
        Pick(owner, word)
        for owner in owners
        for word in town.dice[owner]
        if dice.colour(word) in colours or (word[0] == "P" and owner == seat)
    ]


def usings(seat: str, card: str, chosen: Iterable[Pick]) -> Iterator[Using]:
    """The ways to use a card's cube with these dice: one for each die it may work on."""
    if not card:
        yield NOTHING_USED
    elif card not in NAMES_A_DIE:
        yield Using(card)
    else:
        for pick in dict.fromkeys(chosen):
            if card == "preacher" or (pick.owner == seat) is (card == "distiller"):
                yield Using(card, Pick(pick.owner, pick.die))


def formed(
    town: Town, seat: str, chosen: tuple[Pick, ...], using: Using, colours: Sequence[str], *, mixed: bool = False
) -> Group | None:
    """The group, if the rules allow it."""
    try:
        return form(town, seat, chosen, using, wanted=tuple(colours), mixed=mixed)
    except (NotAllowed, Unclear):
        return None


def groups(town: Town, seat: str, colours: Sequence[str], *, mixed: bool = False) -> Iterator[Group]:
    """Every group that counts as dice of `colours` and can be paid, with each cube that fits, in order of size."""
    purse, board = town.houses[seat].deniers, town.box.board
    for card in ("", *cubes_of(town, seat)):
        raw = colours if not card else tuple(dice.COLOURS)
        pools = [picks(town, seat, (colour,)) for colour in raw] if not mixed else [picks(town, seat, raw)]
        seen: set[tuple[Pick, ...]] = set()
        for size in range(1, board.group_max + 1):
            for pool in pools:
                for combination in dict.fromkeys(combinations(pool, size)):
                    bought = sum(pick.owner != seat for pick in combination)
                    if not card and bought * board.prices[size - 1] > purse:
                        continue
                    if combination in seen:
                        continue  # a purple die alone stands in every pool
                    if combination[0].die[0] == "P" or combination[-1].die[0] == "P":
                        seen.add(combination)
                    for using in usings(seat, card, combination):
                        group = formed(town, seat, combination, using, colours, mixed=mixed)
                        if group is not None and group.cost <= purse and group.colours <= set(colours):
                            yield group
