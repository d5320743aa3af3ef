"""The ramparts: action 7 with the guard, and the gates (rulebook of the Ladies, module 5; A50, A51, A69)."""

from __future__ import annotations

from engine.catalog import T
from engine.errors import NotAllowed
from engine.troyes.board import purse
from engine.troyes.board.dice_group import check_purse, form_group
from engine.troyes.card_data.explain import LEVELS
from engine.troyes.card_data.item_names import item_name
from engine.troyes.events.card_events import GuardArrives, GuardMoves, TileCubes
from engine.troyes.events.dice_events import DiceLeave
from engine.troyes.events.play import Play
from engine.troyes.state import dice, orders
from engine.troyes.state.troyes_state import BANK, Tile, TroyesState


def at_level(state: TroyesState, number: int) -> Tile | None:
    """The tile of a level, 1 to 4, if the ramparts are played."""
    return next((tile for tile in state.tiles if state.outdoor(tile.id).level == number), None)


def gates_reached(state: TroyesState, seat: str) -> int:
    """How many gates the seat's guard has reached or passed: the levels of the tiles it may put cubes on."""
    return sum(state.houses[seat].guard >= gate for gate in state.box.board.gates)


# Action 7.


def use_guard(play: Play, seat: str, order: orders.Guard) -> None:
    """Spend the points of one die, perhaps boosted, on spaces or on cubes on tiles that were reached."""
    state, board = play.state, play.state.box.board
    if not state.tiles:
        raise NotAllowed(T("The ramparts are not played in this game."))
    group = form_group(state, seat, (order.die,), order.using, wanted=_colours(state, order))
    if group.using.card:
        raise NotAllowed(T("No cube of a card helps the guard; pips can be bought: «guard Y4 +2»."), rule="A29")
    points = group.total + order.boost
    if order.boost and points > board.boost_max:
        raise NotAllowed(
            T("The die counts {value} and can be boosted to {most} at most.", value=group.total, most=board.boost_max),
            rule="A50",
        )
    spent = order.advance + len(order.cubes)
    if not spent:
        raise NotAllowed(T("Say what the guard does: «advance 3», «cube I»."))
    if spent > points:
        raise NotAllowed(
            T("That takes {spent} points; the die gives {points}.", spent=spent, points=points),
            possible=(T("+{n}", n=order.boost + spent - points),) if spent <= board.boost_max else (),
            rule="A50",
        )
    check_purse(state, group, more=order.boost * board.boost_price)
    purse.settle_group(play, group)
    purse.pay_deniers(play, seat, BANK, order.boost * board.boost_price, "boost")
    _advance(play, seat, order.advance)
    for number in order.cubes:
        _place(play, seat, number, group.colour)


def _colours(state: TroyesState, order: orders.Guard) -> tuple[str, ...]:
    """The colours that a purple die may take: any but the colour of a tile that rolls such a die (A11)."""
    tile = at_level(state, 3)
    barred = state.outdoor(tile.id).rolls if tile is not None and 3 in order.cubes else ""
    return tuple(colour for colour in dice.COLOURS if colour != barred)


def _advance(play: Play, seat: str, spaces: int) -> None:
    if not spaces:
        return
    state, board = play.state, play.state.box.board
    here = state.houses[seat].guard
    if here + spaces > board.ramparts:
        raise NotAllowed(
            T(
                "Your guard stands on {here} and stops at {last}: {left} spaces are left.",
                here=here,
                last=board.ramparts,
                left=board.ramparts - here,
            ),
            rule="A50",
        )
    play.record(GuardMoves(seat, here + spaces))
    if here + spaces == board.ramparts:
        _arrive(play, seat)


def _arrive(play: Play, seat: str) -> None:
    """The guard enters the tile of level IV, and gets what that tile gives on arrival (A50)."""
    play.record(GuardArrives(seat))
    tile = at_level(play.state, 4)
    assert tile is not None
    facts = play.state.outdoor(tile.id)
    if tile.id == "arrival_race":
        place = len(play.state.arrived) - 1
        purse.change_points(play, seat, facts.prizes[place] if place < len(facts.prizes) else 0)
    purse.change_points(play, seat, facts.numbers.get("arrival", 0))


def _place(play: Play, seat: str, number: int, colour: str) -> None:
    state = play.state
    tile = at_level(state, number)
    assert tile is not None
    facts = state.outdoor(tile.id)
    if number > gates_reached(state, seat):
        raise NotAllowed(
            T(
                "Your guard on {here} has not reached the gate of level {level}, on {gate}.",
                here=state.houses[seat].guard,
                level=LEVELS[number],
                gate=state.box.board.gates[number - 1],
            ),
            rule="A50",
        )
    if facts.when == "none":
        raise NotAllowed(T("{tile} takes no cubes.", tile=item_name(tile.id)))
    if facts.rolls == colour or (facts.rolls == "purple" and _used_purple(play)):
        raise NotAllowed(
            T("A cube comes on {tile} only with a die of another colour.", tile=item_name(tile.id)), rule="A51"
        )
    play.record(TileCubes(tile.id, seat, 1))


def _used_purple(play: Play) -> bool:
    gone = next((fact for fact in reversed(play.facts) if isinstance(fact, DiceLeave)), None)
    return gone is not None and any(dice.die_colour(word) == "purple" for word in gone.dice)
