"""Le Roy's part of the initial placement: six dice, the three highest place a citizen each (rulebook; A64)."""

from __future__ import annotations

from engine.troyes.events import Play
from engine.troyes.events.dice_events import LeRoyActs, le_roy_placing_dice
from engine.troyes.state import dice, places
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import LE_ROY, TroyesState


def solo_settler(state: TroyesState, turn: int) -> str:
    """Whose the `turn`-th part of the placement is: his, then two single ones of the player's, and so on."""
    return state.seats[0] if turn % (state.box.solo.placed_by_player + 1) else LE_ROY


def le_roy_settles(play: Play) -> None:
    """Roll, and place his citizens."""
    state = play.state
    rolled = play.rolls("placement", LE_ROY, len(dice.COLOURS) * state.box.solo.placement_dice)
    words = le_roy_placing_dice(state, rolled.numbers)
    play.record(LeRoyActs(rolled, "settle", words))
    left = list(words)
    for _ in range(min(state.box.solo.placed_by_le_roy, len(state.free_spaces()))):
        play.move(LE_ROY, Place(places.SUPPLY), _next(state, left))


def _next(state: TroyesState, left: list[str]) -> Place:
    """The best free space of the highest die whose building has one; the die is taken from those `left` (A64).

    When no die is left, one building alone has room: each of the others was filled or had no citizen placed there.
    """
    for word in left:
        free = best_free_spaces(state, places.BUILDING_OF[dice.die_colour(word)])
        if free:
            left.remove(word)
            return free[0]
    return next(free[0] for building in places.BUILDINGS if (free := best_free_spaces(state, building)))


def best_free_spaces(state: TroyesState, building: str) -> list[Place]:
    """The free spaces of a building, his best first."""
    return [place for place in space_order(state, building) if not state.owner_at(place)]


def space_order(state: TroyesState, building: str) -> list[Place]:
    """All spaces of a building as he ranks them."""
    solo = state.box.solo
    if building == places.PALACE:
        return [Place(building, str(number)) for number in solo.palace_order]
    ranked = solo.city_hall_order if building == places.CITY_HALL else solo.bishopric_order
    return [Place(building, f"{row}.{column}") for row, column in ranked]
