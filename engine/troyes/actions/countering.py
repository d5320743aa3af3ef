"""Black dice, countered from the highest, by the seats in turn.

Rulebook, Phase 3, Important; rulings A12 to A14, A71. Red dice count double, colours may be mixed, no dice are bought
and no cube of a card helps. A seat that can beat the highest die must do so. A seat that cannot loses points and keeps
its dice (D22).
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

from engine.catalog import T
from engine.errors import Gone, NotAllowed
from engine.troyes.board import losses, purse
from engine.troyes.board.phrases import dice_text
from engine.troyes.card_data.item_names import item_name
from engine.troyes.events.card_events import TileCubes
from engine.troyes.events.dice_events import BlackGone, DiceLeave
from engine.troyes.events.play import Play
from engine.troyes.state import dice
from engine.troyes.state.orders import Counter
from engine.troyes.state.troyes_state import LE_ROY, Frame, TroyesState


def die_strength(state: TroyesState, word: str) -> int:
    """What a die is worth against black dice. A purple die counts as red (A11)."""
    return _strengths(state.box.board.red_factor)[word]


@cache
def _strengths(red_factor: int) -> dict[str, int]:
    return {word: dice.die_value(word) * (red_factor if word[0] in "RP" else 1) for word in dice.FACES}


def total_strength(state: TroyesState, words: tuple[str, ...] | list[str]) -> int:
    """What dice are worth together against black dice."""
    strengths = _strengths(state.box.board.red_factor)
    return sum([strengths[word] for word in words])


def can_beat(state: TroyesState, seat: str) -> bool:
    """Whether all dice of the seat together match the highest black die."""
    return total_strength(state, state.dice[seat]) >= state.black[0]


def may_be_last(state: TroyesState, seat: str) -> bool:
    """Whether no black die may be left once the seat, which is asked, has answered."""
    return len(state.black) == 1 or total_strength(state, state.dice[seat]) >= sum(state.black)


def black_dice_left_for(state: TroyesState, asked: str, seat: str) -> list[int]:
    """The most black dice that can be left for `seat` when `asked` has the highest: each seat before it takes one."""
    before = 0
    while asked != seat:
        asked, before = state.after(asked), before + (asked != LE_ROY)
    return state.black[before:]


def ask_counter(play: Play, frame: Frame) -> bool:
    """Ask the next seat of the circle, until no black die is left."""
    if not play.state.black:
        play.state.agenda.pop()
        return False
    if frame["seat"] == LE_ROY and not play.state.dice[LE_ROY]:
        frame["seat"] = play.state.after(LE_ROY)
        return False
    play.ask(frame["seat"], "counter")
    return True


def forced_counter(state: TroyesState, seat: str) -> bool:
    """Whether the seat has only one possible answer. Influence counts as a choice."""
    words = state.dice[seat]
    if state.tiles and state.cubes_on(losses.PROTECTION, seat):
        return False
    if words and state.houses[seat].influence >= state.box.board.reroll:
        return False
    if not words or not can_beat(state, seat):
        return True
    needed = total_strength(state, words)
    if needed - min(die_strength(state, word) for word in words) >= state.black[0]:
        return False
    return len(state.black) == 1 or needed < state.black[0] + state.black[-1]


def counter_black(play: Play, frame: Frame, seat: str, order: Counter) -> None:
    """Beat the highest black die, and others at once if the sum allows. Raises NotAllowed."""
    state, board = play.state, play.state.box.board
    highest = state.black[0]
    frame["seat"] = state.after(seat)
    if order.using:
        _protect(play, seat, order)
        return
    if not order.dice:
        if can_beat(state, seat):
            raise NotAllowed(
                T(
                    "Your dice {dice} make {total} (red counts double) and beat the {highest}: you must counter it.",
                    dice=dice_text(state.dice[seat]),
                    total=total_strength(state, state.dice[seat]),
                    highest=highest,
                ),
                rule="A13",
            )
        play.record(BlackGone(seat, (highest,), beaten=False))
        purse.change_points(play, seat, -board.unbeaten_loss)
        return
    lacking = dice.missing_dice(order.dice, state.dice[seat])
    if lacking:
        raise Gone(
            T(
                "You have no {die} in your district; your dice are {dice}. Others' dice cannot be used here.",
                die=dice_text(lacking),
                dice=dice_text(state.dice[seat]) or T("none"),
            )
        )
    left = state.black[:]
    for number in order.black:
        if number not in left:
            raise Gone(
                T("There is no black {number} left; black dice are {black}.", number=number, black=tuple(state.black))
            )
        left.remove(number)
    if highest not in order.black:
        raise Gone(T("The highest black die, {highest}, must be among them.", highest=highest), rule="A13")
    made = total_strength(state, order.dice)
    if made < sum(order.black):
        raise NotAllowed(
            T(
                "{dice} make {made} (red counts double); against {black} you need {needed}.",
                dice=dice_text(order.dice),
                made=made,
                black=tuple(order.black),
                needed=sum(order.black),
            ),
            rule="A13",
        )
    play.record(DiceLeave(seat, order.dice, seat))
    play.record(BlackGone(seat, order.black, beaten=True))
    purse.gain_influence(play, seat, len(order.black) * board.black_die_influence)


def _protect(play: Play, seat: str, order: Counter) -> None:
    """Destroy the highest black die, and nothing more, with a cube of the Protection tile."""
    state = play.state
    highest = state.black[0]
    if order.using != losses.PROTECTION or not state.cubes_on(losses.PROTECTION, seat):
        raise Gone(T("You have no cube on {tile} to use here.", tile=item_name(order.using)), rule="D16")
    if order.dice or order.black != (highest,):
        raise NotAllowed(
            T(
                "A cube of {tile} destroys the highest black die, {highest}, alone.",
                tile=item_name(order.using),
                highest=highest,
            ),
            possible=(T("counter {highest} using protection", highest=highest),),
        )
    play.record(TileCubes(order.using, seat, -1))
    play.record(BlackGone(seat, (highest,), beaten=True))
    purse.gain_influence(play, seat, state.box.board.black_die_influence)


def cheapest_counter(state: TroyesState, seat: str) -> Counter:
    """The fewest dice that beat the highest black die alone, then the weakest, then of fewest pips; else none."""
    if not can_beat(state, seat):
        return Counter((), ())
    words = state.dice[seat]
    for size in range(1, len(words) + 1):
        ways = [
            way
            for way in dict.fromkeys(combinations(words, size))
            if total_strength(state, list(way)) >= state.black[0]
        ]
        if ways:
            best = min(ways, key=lambda way: (total_strength(state, list(way)), sum(map(dice.die_value, way)), way))
            return Counter((state.black[0],), best)
    raise AssertionError("all dice together beat it")
