"""Cubes of outdoor tiles used in other players' turns: when an opponent buys one's dice, or activates a card one works
on.

A reaction opens after the action, in the order of play, and only for a seat that has a cube for it (rulebook of the
Ladies, module 5; A53, D16). Every tile asks, unless the seat has given a standing answer for it
(`phases.automatic_answers`).
"""

from __future__ import annotations

from engine.catalog import Msg, T
from engine.errors import NotAllowed
from engine.troyes.board import losses, purse
from engine.troyes.card_data.explain import LEVELS
from engine.troyes.card_data.item_names import item_name
from engine.troyes.events.card_events import TileCubes
from engine.troyes.events.money_events import Pays
from engine.troyes.events.order_events import StandingOrder
from engine.troyes.events.play import Play
from engine.troyes.state import orders
from engine.troyes.state.orders import Order
from engine.troyes.state.troyes_state import Frame, TroyesState

SOLD = "gain_influence_when_bought"
WORKED = "gain_deniers_when_activated"
ALWAYS, NEVER, ASK = "always", "never", "ask"
REACTION_RULES = (ALWAYS, NEVER, ASK)
"""The standing answers that a seat may give for a tile; each tile asks by default."""


def reaction_rule(state: TroyesState, seat: str, tile: str) -> str:
    """The seat's standing answer for a tile."""
    return state.reacts.get(seat, {}).get(tile, ASK)


def keep_reaction(play: Play, seat: str, order: orders.Auto) -> None:
    """Keep a standing answer for one tile, or for all that react. Raises NotAllowed."""
    tiles = play.state.answering
    if not tiles:
        raise NotAllowed(T("No tile of this game is used in other players' turns."))
    if order.tile and order.tile not in tiles:
        raise NotAllowed(
            T("{tile} does not answer what others do: say nothing of it.", tile=item_name(order.tile)),
            possible=tuple(
                T("auto: react {level} {said}", level=LEVELS[play.state.outdoor(tile).level], said=order.react)
                for tile in tiles
            ),
        )
    play.record(StandingOrder({seat: order.react}, {seat: (order.tile,) if order.tile else tuple(tiles)}))


def open_reactions(play: Play, seat: str, order: Order, since: int, depth: int) -> None:
    """Open the reactions to an action: `since` numbers its first event, `depth` its first pending step."""
    state = play.state
    for tile, touched in ((SOLD, _sellers(play, since)), (WORKED, _colleagues(state, order))):
        left = [other for other in state.around(seat)[1:] if other in touched and state.cubes_on(tile, other)]
        if left:
            # Below the pending steps of the action itself, such as an Archer's rolls.
            state.agenda.insert(depth, {"step": "reactions", "tile": tile, "left": left})


def _sellers(play: Play, since: int) -> set[str]:
    """The seats that were paid for dice. A die taken for nothing is not bought (A53)."""
    return {fact.payee for fact in play.facts[since:] if isinstance(fact, Pays) and fact.reason == "dice"}


def _colleagues(state: TroyesState, order: Order) -> set[str]:
    """The owners of tradesmen on the card that was activated."""
    card = state.card(order.card) if isinstance(order, orders.Activate) else None
    return {*card.spaces, *card.picture} if card is not None else set()


def ask_reaction(play: Play, frame: Frame) -> bool:
    """Ask the next seat that still has a cube."""
    while frame["left"]:
        if play.state.cubes_on(frame["tile"], frame["left"][0]):
            play.ask(frame["left"][0], "react")
            return True
        frame["left"] = frame["left"][1:]
    play.state.agenda.pop()
    return False


def answer_reaction(play: Play, frame: Frame, seat: str, order: orders.React) -> None:
    """Use the cube, or keep it. Raises NotAllowed for another tile than the one that is asked about."""
    tile = asked_tile(frame)
    if order.tile not in ("", tile):
        raise NotAllowed(
            T("You are asked about {tile}.", tile=item_name(tile)),
            possible=(T("react {level}", level=LEVELS[play.state.outdoor(tile).level]), T("react no")),
        )
    if frame["step"] == "losses":
        if order.tile:
            losses.use_protection(play, frame)
        else:
            losses.bear_loss(play, frame)
        frame["answered"] = True
        return
    frame["left"] = frame["left"][1:]
    if not order.tile:
        return
    numbers = play.state.outdoor(tile).numbers
    play.record(TileCubes(tile, seat, -1))
    if tile == SOLD:
        purse.gain_influence(play, seat, numbers["influence"])
    else:
        purse.earn_deniers(play, seat, numbers["deniers"])


def asked_tile(frame: Frame) -> str:
    """The tile that the pending step asks about."""
    return losses.PROTECTION if frame["step"] == "losses" else str(frame["tile"])


def reaction_question(state: TroyesState, seat: str) -> Msg:
    """The question to the seat, with what the cube gives or what it saves."""
    frame = state.agenda[-1]
    tile = asked_tile(frame)
    level = LEVELS[state.outdoor(tile).level]
    if frame["step"] == "losses":
        return T(
            "{event} takes {loss} from you: do you use a cube of {tile} (react {level}) to be spared it?",
            event=item_name(frame["event"]),
            loss=losses.loss_from(state, frame["event"], seat).says,
            tile=item_name(tile),
            level=level,
        )
    numbers = state.outdoor(tile).numbers
    if tile == SOLD:
        return T(
            "Dice of yours were bought: do you use a cube of {tile} (react {level}) for {n} influence?",
            tile=item_name(tile),
            level=level,
            n=numbers["influence"],
        )
    return T(
        "A card you work on was activated: do you use a cube of {tile} (react {level}) for {gain}?",
        tile=item_name(tile),
        level=level,
        gain=T("{n} denier", "{n} deniers", n=numbers["deniers"]),
    )
