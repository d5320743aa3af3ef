"""What the Ladies add to a view: the ramparts, and what a seat alone knows of its reactions and sealed answers."""

from __future__ import annotations

from collections.abc import Callable

from engine.catalog import Msg, T
from engine.troyes.actions import reactions, sealed_answers
from engine.troyes.board.phrases import reaction_text
from engine.troyes.card_data.explain import LEVELS, card_text
from engine.troyes.card_data.item_names import item_name
from engine.troyes.notation import order_message
from engine.troyes.state import orders
from engine.troyes.state.troyes_state import TroyesState
from engine.troyes.view.view_values import Owner, Ramparts, TileView

RULE_WORDS = {
    reactions.ALWAYS: T.of("a reaction", "always"),
    reactions.NEVER: T.of("a reaction", "never"),
    reactions.ASK: T.of("a reaction", "ask"),
}
"""What a seat may say once for all of a tile, as its reader types it."""


def ramparts_view(state: TroyesState, owner: Callable[[str], Owner]) -> Ramparts:
    """Tiles and guards; `owner` makes the reader's word for a seat."""
    board = state.box.board
    tiles = tuple(
        TileView(
            LEVELS[face.level],
            item_name(tile.id),
            board.gates[face.level - 1],
            card_text(face),
            tuple((owner(seat), n) for seat, n in tile.cubes.items()),
        )
        for tile in state.tiles
        for face in (state.outdoor(tile.id),)
    )
    return Ramparts(
        tiles,
        tuple((owner(seat), state.houses[seat].guard) for seat in state.clockwise(state.start)),
        board.ramparts,
        tuple(owner(seat) for seat in state.arrived),
    )


def reaction_rules(state: TroyesState, seat: str) -> tuple[tuple[Msg, Msg], ...]:
    """What the seat's cubes do on each tile that answers others, and how to change it."""
    return tuple(
        (
            reaction_text(tile, said),
            T(
                "To change it: «auto: react {level} {one}», or {other}.",
                level=LEVELS[state.outdoor(tile).level],
                one=RULE_WORDS[one],
                other=RULE_WORDS[other],
            ),
        )
        for tile in state.answering
        for said in (reactions.reaction_rule(state, seat, tile),)
        for one, other in ([word for word in reactions.REACTION_RULES if word != said],)
    )


def own_sealed_answer(state: TroyesState, seat: str) -> Msg | str:
    """The seat's own answer to the open sealed decision, as an order; `""` for none."""
    said = state.sealed.get(seat, "")
    if not said or not state.agenda or state.agenda[-1]["step"] != "sealed":
        return ""
    order = orders.Give(said) if sealed_answers.SEALED[state.agenda[-1]["event"]] == "give" else orders.Discard(said)
    return order_message(state, seat, order)
