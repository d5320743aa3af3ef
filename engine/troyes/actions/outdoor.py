"""Cubes of outdoor tiles used in one's own turn, before the action and in it.

Rulebook of the Ladies, module 5; rulings A29, A51 to A54. For cubes used in other players' turns and in phase 3 see
`engine.troyes.actions.reactions`.
"""

from __future__ import annotations

from engine.catalog import T
from engine.errors import Gone, NotAllowed, Unclear
from engine.troyes.board import card_declaration, purse
from engine.troyes.board.phrases import dice_text, typed_place
from engine.troyes.card_data.explain import LEVELS
from engine.troyes.card_data.item_names import item_name
from engine.troyes.events.card_events import BannerCovered, CubeBuilt, CubesChange, TileCubes
from engine.troyes.events.dice_events import DiceExchanged, DiceRolled
from engine.troyes.events.lookup import list_without
from engine.troyes.events.play import Play
from engine.troyes.state import dice, orders, places
from engine.troyes.state.orders import Order, TileUse, Using
from engine.troyes.state.troyes_state import BANK, Frame, TroyesState

SWAPS = 3
"""The most dice that one cube of the Exchange swaps, each with another district (D16)."""

DICE_ACTIONS = (orders.Activate, orders.Build, orders.Fight, orders.Station, orders.Farm, orders.Guard)
SERVES: dict[str, tuple[type, ...]] = {
    "influence_on_placement": (orders.Station,),
    "deniers_on_agriculture": (orders.Farm,),
    "exchange_dice": DICE_ACTIONS,
    "flip_bought_die": DICE_ACTIONS,
    "extra_delayed_cube": (orders.Activate,),
    "vp_on_cube": (orders.Activate, orders.Build, orders.Fight),
}
"""Tile to the actions that a cube of it may be used in."""
CUBE_PLACED = (CubeBuilt, BannerCovered)
"""Events that put a cube on the cathedral or an event card."""


def tile_level(state: TroyesState, tile: str) -> str:
    """The level of a tile as it is written: `II`."""
    return LEVELS[state.outdoor(tile).level]


def _cube_there(state: TroyesState, seat: str, tile: str) -> None:
    if state.tile(tile) is None:
        here = tuple(item_name(other.id) for other in state.tiles) or T("none")
        raise NotAllowed(T("{tile} is not in play; outdoor tiles in play: {here}.", tile=item_name(tile), here=here))
    if not state.cubes_on(tile, seat):
        raise Gone(T("You have no cube on {tile}.", tile=item_name(tile)))


# Before an action: the tiles that roll a die.


def use_tile(play: Play, frame: Frame, seat: str, order: orders.Use) -> None:
    """Roll a die of the supply into one's own district, once a turn for each tile (A51). Raises NotAllowed."""
    reason = unusable(play.state, frame, seat, order.tile)
    if reason is not None:
        raise reason
    state = play.state
    facts = state.outdoor(order.tile)
    frame["used"] = [*frame.get("used", []), order.tile]
    play.record(TileCubes(order.tile, seat, -1))
    purse.pay_deniers(play, seat, BANK, facts.numbers.get("cost", 0))
    rolled = play.rolls("tile", seat)
    play.record(DiceRolled(rolled, seat, (dice.die_word(facts.rolls, rolled.numbers[0]),)))


def unusable(state: TroyesState, frame: Frame, seat: str, tile: str) -> NotAllowed | None:
    """Why the seat cannot use this tile before its action, or None when it can."""
    try:
        _cube_there(state, seat, tile)
    except NotAllowed as refusal:
        return refusal
    facts = state.outdoor(tile)
    if not facts.rolls:
        return NotAllowed(
            T("{tile} is used in an action: «… using {level}».", tile=item_name(tile), level=tile_level(state, tile))
            if facts.when == "own"
            else T("{tile} is not used in a turn of yours.", tile=item_name(tile))
        )
    if tile in frame.get("used", ()):
        return NotAllowed(T("{tile} has been used in this turn: one cube of a tile.", tile=item_name(tile)), rule="A29")
    if facts.rolls == "purple":
        if not state.has("head") or any(dice.die_colour(word) == "purple" for word in state.dice[seat]):
            return NotAllowed(T("Your purple die has not been used: nobody has two."), rule="A51")
    elif not in_supply(state, facts.rolls):
        return NotAllowed(T("All dice of that colour lie on the square."), rule="A51")
    cost, purse_ = facts.numbers.get("cost", 0), state.houses[seat].deniers
    if cost > purse_:
        return NotAllowed(T("That costs {cost} deniers; you have {purse}.", cost=cost, purse=purse_), rule="A51")
    return None


def in_supply(state: TroyesState, colour: str) -> int:
    """How many dice of a colour do not lie on the square."""
    lying = sum(dice.die_colour(word) == colour for words in state.dice.values() for word in words)
    return len(places.SPACES) // 3 - lying


# In an action: the other tiles of one's own.


def begin_tile_uses(play: Play, seat: str, order: Order) -> None:
    """Check the tiles that an action uses, take their cubes and swap dice. Raises NotAllowed, Unclear."""
    using: Using = getattr(order, "using", None) or Using()
    used = [use.tile for use in using.tiles]
    for use in using.tiles:
        _cube_there(play.state, seat, use.tile)
        if used.count(use.tile) > 1:
            raise NotAllowed(
                T("One cube of {tile} may be used in an action, not two.", tile=item_name(use.tile)), rule="A29"
            )
        if not isinstance(order, SERVES.get(use.tile, ())):
            raise NotAllowed(
                T(
                    "{tile} cannot be used in this action: «card {word}» tells when.",
                    tile=item_name(use.tile),
                    word=typed_place(use.tile),
                ),
                rule="D16",
            )
        if use.tile == "exchange_dice":
            _check_swaps(play.state, seat, use)
        if not _waits(order, use):
            play.record(TileCubes(use.tile, seat, -1))
        for swap in use.swaps:
            play.record(DiceExchanged(seat, swap.other.owner, swap.own, swap.other.die))


def _waits(order: Order, use: TileUse) -> bool:
    """Whether the cube is spent only when an arrow hits, because the card rolls dice later."""
    return (
        use.tile == "vp_on_cube"
        and isinstance(order, orders.Activate)
        and card_declaration.declaration_of(order.card).rolls
    )


def _check_swaps(state: TroyesState, seat: str, use: TileUse) -> None:
    if not use.swaps:
        raise Unclear(T("Say which dice are exchanged: «using exchange: Y1 for faye:Y6»."))
    owners = [swap.other.owner for swap in use.swaps]
    if len(owners) > SWAPS or len(set(owners)) < len(owners) or seat in owners:
        raise NotAllowed(T("One die is exchanged with each other district, {n} at most.", n=SWAPS), rule="A52")
    if any(dice.die_colour(word) == "purple" for swap in use.swaps for word in (swap.own, swap.other.die)):
        raise NotAllowed(T("A purple die cannot be exchanged."), rule="A11")
    if any(swap.own == swap.other.die for swap in use.swaps):
        raise NotAllowed(T("Two dice that are alike need no exchange."), rule="A66")
    theirs = ((swap.other.owner, [swap.other.die]) for swap in use.swaps)
    for owner, words in ((seat, [swap.own for swap in use.swaps]), *theirs):
        lacking = dice.missing_dice(words, state.dice.get(owner, []))
        if lacking:
            raise Gone(
                T(
                    "There is no {die} to exchange; the dice there are {dice}.",
                    die=dice_text(lacking),
                    dice=dice_text(state.dice.get(owner, [])) or T("none"),
                )
            )


def position_after_swaps(state: TroyesState, seat: str, using: Using) -> TroyesState:
    """The position after the swaps of an order, for trying it. It is the state itself when there are no swaps."""
    use = using.tile("exchange_dice")
    if use is None or not use.swaps:
        return state
    changed = state.fork()
    for swap in use.swaps:
        owner, own, other = swap.other.owner, swap.own, swap.other.die
        mine, theirs = changed.dice[seat], changed.dice.get(owner, [])
        if own in mine and other in theirs:
            mine, theirs = [*list_without(mine, own), other], [*list_without(theirs, other), own]
            changed.dice = {**changed.dice, seat: mine, owner: theirs}
    return changed


def end_tile_uses(play: Play, seat: str, order: Order, since: int) -> None:
    """Give what the tiles used in an action bring; `since` is the number of its first event. Raises NotAllowed."""
    using: Using = getattr(order, "using", None) or Using()
    for use in using.tiles:
        facts = play.state.outdoor(use.tile)
        match use.tile:
            case "influence_on_placement":
                purse.gain_influence(play, seat, facts.numbers["influence"])
            case "deniers_on_agriculture":
                purse.earn_deniers(play, seat, facts.numbers["deniers"])
            case "extra_delayed_cube":
                _move_cube(play, seat, order, use)
            case "vp_on_cube" if _waits(order, use):
                play.state.agenda[-1]["renown"] = use.tile
            case "vp_on_cube":
                placed = any(isinstance(fact, CUBE_PLACED) and fact.owner == seat for fact in play.facts[since:])
                if not placed:
                    raise NotAllowed(
                        T(
                            "No cube comes on the cathedral or an event: {tile} gives nothing.",
                            tile=item_name(use.tile),
                        ),
                        rule="A66",
                    )
                purse.change_points(play, seat, facts.numbers["points"])


def archer_renown(play: Play, frame: Frame) -> None:
    """Spend the Renown cube on the Archer's first hit."""
    tile = frame.pop("renown", "")
    if tile:
        play.record(TileCubes(tile, frame["seat"], -1))
        purse.change_points(play, frame["seat"], play.state.outdoor(tile).numbers["points"])


def _move_cube(play: Play, seat: str, order: Order, use: TileUse) -> None:
    """Move a cube from the tile to a card that keeps cubes. Breeder asks its price, Fort gives nothing (A54)."""
    state = play.state
    assert isinstance(order, orders.Activate)
    if state.activity(order.card).kind not in ("delayed", "mixed"):
        raise NotAllowed(
            T("{tile} serves when a delayed or mixed card is activated.", tile=item_name(use.tile)), rule="A54"
        )
    targets = tuple(card.id for card in state.cards if state.activity(card.id).keeps)
    if not use.card:
        raise Unclear(
            T("Say where the cube goes, after a colon."),
            possible=tuple(
                T("using {tile}: {card}", tile=tile_level(state, use.tile), card=typed_place(id)) for id in targets
            ),
        )
    if use.card not in targets:
        raise NotAllowed(T("{card} keeps no cubes, or is not in play.", card=item_name(use.card)))
    priced = card_declaration.declaration_of(use.card).priced
    price = state.activity(use.card).numbers[priced] if priced else 0
    if price > state.houses[seat].deniers:
        purse_ = state.houses[seat].deniers
        raise NotAllowed(T("That costs {cost} deniers; you have {purse}.", cost=price, purse=purse_))
    purse.pay_deniers(play, seat, BANK, price)
    play.record(CubesChange(use.card, seat, 1))
