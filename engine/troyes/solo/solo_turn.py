"""Le Roy, the opponent of the solo game: what his dice make him do when he is asked (rulebook, The King's Challenge).

He sits in the circle like a seat. `phases.automatic_answers` answers for him with `orders.LeRoy`, which says only that
his dice decide, and `act_for_le_roy` does it. Rulings D25 and A55 to A64. He pays as much of a price as he can, and the
action is done all the same.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.errors import NotAllowed
from engine.troyes.board import buildings, purse, scoring, threats
from engine.troyes.board.buildings import Entering
from engine.troyes.card_data.house_rules import read_rules
from engine.troyes.events.card_events import CharacterJudges, CubeBuilt
from engine.troyes.events.dice_events import BlackGone, DiceLeave, LeRoyActs, le_roy_placing_dice
from engine.troyes.events.play import Play
from engine.troyes.state import dice, places
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import BANK, LE_ROY, Card, Frame, TroyesState


def act_for_le_roy(play: Play, frame: Frame, kind: str) -> None:
    """Do what his dice say, as the answer to a decision of this kind."""
    if kind == "settle":
        le_roy_settles(play)
        frame["turn"] += 1
        return
    frame["seat"] = play.state.after(LE_ROY)
    if kind == "counter":
        le_roy_counters(play)
    else:
        le_roy_acts(play)


LEAST = 2
"""The lowest sum of two dice."""
COLOURS = (dice.RED, dice.YELLOW, dice.WHITE)
"""His preference among equal spots."""


def le_roy_acts(play: Play) -> None:
    """Roll for his action and do it."""
    rolled = play.rolls("le_roy_action", LE_ROY, 2)
    action = play.state.box.solo.actions[sum(rolled.numbers) - LEAST]
    play.record(LeRoyActs(rolled, action))
    LE_ROY_ACTIONS[action](play)


def _spend(play: Play, count: int) -> None:
    """Take his best dice off the square, as many as there are."""
    best = dice.dice_by_rank(play.state.dice[LE_ROY])[:count]
    if best:
        play.record(DiceLeave(LE_ROY, tuple(best), LE_ROY))


# Rolls 2, 3, 11, 12.


def _pair(play: Play) -> None:
    solo, rules = play.state.box.solo, read_rules(play.state.options)
    _deal(play, solo.pair_dice, solo.pair_price, rules.le_roy_pair_vp or solo.pair_points)


def _single(play: Play) -> None:
    solo = play.state.box.solo
    _deal(play, solo.deal_dice, solo.deal_price, solo.deal_points)


def _deal(play: Play, count: int, price: int, points: int) -> None:
    """Take points for dice, the player's best one among them while there is one (A56, A63)."""
    seat = play.state.seats[0]
    theirs = dice.dice_by_rank(word for word in play.state.dice[seat] if dice.die_colour(word) in COLOURS)
    if theirs:
        purse.pay_deniers(play, BANK, seat, price, "sold")
        play.record(DiceLeave(seat, tuple(theirs[:1]), LE_ROY))
        count -= 1
    _spend(play, count)
    purse.change_points(play, LE_ROY, points)


# Rolls 4 and 10.


def _worker(play: Play) -> None:
    """Place a citizen in the building of his highest die (A57)."""
    die, way = placing_die(play.state)
    play.record(DiceLeave(LE_ROY, (die,), LE_ROY))
    if way is not None:
        buildings.enter_building(play, way)


def placing_die(state: TroyesState) -> tuple[str, Entering | None]:
    """The die he spends to place a citizen, and the way in; None when no die can place one.

    The highest value that can place decides. Among dice of that value he takes one that expels the player, else the
    first in rank.
    """
    words = dice.dice_by_rank(state.dice[LE_ROY])
    values = list(dict.fromkeys(map(dice.die_value, words))) if state.neutrals else []
    for value in values:
        ways = [(word, way) for word in words if dice.die_value(word) == value and (way := _way(state, word))]
        if ways:
            return next((found for found in ways if found[1].expels in state.names), ways[0])
    return words[0], None


def _way(state: TroyesState, word: str) -> Entering | None:
    """Where one die leads him, best a place where he expels the player (A57). None where protection bars it (A43)."""
    building, value = places.BUILDING_OF[dice.die_colour(word)], dice.die_value(word)
    straight = _entering(state, building, value)
    if read_rules(state.options).le_roy_places == "die":
        return straight
    ways = [straight, *(_entering(state, building, number) for number in _numbers(state, building))]
    return next((way for way in ways if way is not None and way.expels in state.names), straight)


def _entering(state: TroyesState, building: str, number: int) -> Entering | None:
    try:
        return buildings.checked_entry(state, LE_ROY, building, number, Place(places.SUPPLY))
    except NotAllowed:
        return None


def _numbers(state: TroyesState, building: str) -> list[int]:
    """A die for each space or row where newcomers enter, from the first on."""
    board = state.box.board
    return list(range(1, board.palace_spaces + 1)) if building == places.PALACE else [row[0] for row in board.rows]


# Rolls 5 and 9.


def _event(play: Play) -> None:
    """Cover all free banners of the right-most event, or of Marauding when it stands alone (A55)."""
    state = play.state
    threat = state.queue[-1]
    free = state.free_banners(threat)
    _spend(play, free * state.box.solo.event_dice)
    threats.place_cubes(play, LE_ROY, threat.id, free)


# Roll 6.


def _tradesman(play: Play) -> None:
    state = play.state
    _spend(play, state.box.solo.tradesman_dice)
    spot = best_spot(state)
    if spot is not None and state.neutrals:
        play.move(LE_ROY, Place(places.SUPPLY), spot)


def best_spot(state: TroyesState) -> Place | None:
    """The spot worth most VP on a card without him, then on the cheapest card, then red, yellow, white."""

    def rank(card: Card) -> tuple[int, int, int]:
        face, number = state.activity(card.id), state.best_space(card.id)
        return -face.spaces[number - 1] if number else 0, face.hire, COLOURS.index(face.color)

    found = min((card for card in state.cards if not card.has(LE_ROY)), key=rank, default=None)
    return Place(found.id, str(state.best_space(found.id) or places.PICTURE)) if found is not None else None


# Roll 7.


def _cathedral(play: Play) -> None:
    """Put cubes on the lowest level with room, best columns first; take points when there is no room at all."""
    state, solo = play.state, play.state.box.solo
    _spend(play, solo.cathedral_dice)
    built = 0
    while built < solo.cathedral_cubes and (space := _space(state)):
        level, column = space
        play.record(CubeBuilt(LE_ROY, level, column))
        purse.change_points(play, LE_ROY, state.box.board.cathedral_points)
        built += 1
    if not built:
        purse.change_points(play, LE_ROY, solo.cathedral_instead)


def _space(state: TroyesState) -> tuple[int, int] | None:
    """Level and column of his next cube: the column that brings a player most influence, then the highest number."""
    influence = state.box.board.cathedral_influence
    for level, row in enumerate(state.cathedral, start=1):
        free = [column for column, owner in enumerate(row, start=1) if not owner]
        if free:
            return level, max(free, key=lambda column: (influence[column - 1], column))
    return None


# Roll 8.


def _character(play: Play) -> None:
    """The top character judges both and leaves the pile."""
    state = play.state
    _spend(play, state.box.solo.character_dice)
    if not state.pile:
        purse.change_points(play, LE_ROY, state.box.solo.character_instead)
        return
    id = state.pile[0]
    worth = {owner: scoring.character_points(state, owner, id) for owner in state.circle}
    play.record(CharacterJudges(id))
    for owner, points in worth.items():
        purse.change_points(play, owner, points)


LE_ROY_ACTIONS: dict[str, Callable[[Play], None]] = {
    "pair": _pair,
    "deal": _single,
    "worker": _worker,
    "event": _event,
    "tradesman": _tradesman,
    "cathedral": _cathedral,
    "character": _character,
}
"""The words of `solo.actions` to what they do."""


def solo_settler(state: TroyesState, turn: int) -> str:
    """The owner of the `turn`-th part of the placement: le Roy, then the player twice, and so on."""
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
    """The best free space for the highest die whose building has one. The die is taken out of `left` (A64).

    When no die is left, only one building has room: each of the others is full or had none of his citizens placed.
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


def le_roy_counters(play: Play) -> None:
    """Spend his strongest die on the highest black die. He gains and loses nothing by it."""
    state = play.state
    strongest, highest = dice.dice_by_rank(state.dice[LE_ROY])[0], state.black[0]
    play.record(DiceLeave(LE_ROY, (strongest,), LE_ROY))
    play.record(BlackGone(LE_ROY, (highest,), beaten=True))
