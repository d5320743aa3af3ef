"""What the Ladies add to a view: the ramparts, and what a seat alone knows of its reactions and sealed answers."""

from __future__ import annotations

from collections.abc import Callable

from engine.catalog import Msg
from engine.catalog import T
from engine.troyes import cards
from engine.troyes import orders
from engine.troyes import reactions
from engine.troyes import sealed
from engine.troyes.language import write
from engine.troyes.state import Town
from engine.troyes.viewing.parts import Owner
from engine.troyes.viewing.parts import Ramparts
from engine.troyes.viewing.parts import TileView
from engine.troyes.words import named


def ramparts(town: Town, owner: Callable[[str], Owner]) -> Ramparts:
    """Tiles and guards; `owner` makes the reader's word for a seat."""
    board = town.box.board
    tiles = tuple(
        TileView(
            cards.LEVELS[face.level],
            named(tile.id),
            board.gates[face.level - 1],
            cards.card_text(face),
            tuple((owner(seat), n) for seat, n in tile.cubes.items()),
        )
        for tile in town.tiles
        for face in (town.outdoor(tile.id),)
    )
    return Ramparts(
        tiles,
        tuple((owner(seat), town.houses[seat].guard) for seat in town.clockwise(town.start)),
        board.ramparts,
        tuple(owner(seat) for seat in town.arrived),
    )


def reacts(town: Town, seat: str) -> tuple[Msg, ...]:
    """What the seat's cubes do on each tile that answers others, and how to change it."""
    return tuple(
        T(
            "{says} To change it: «auto: react {level} {one}», or {other}.",
            says=reactions.reacting(tile, said),
            level=cards.LEVELS[town.outdoor(tile).level],
            one=one,
            other=other,
        )
        for tile in town.answering
        for said in (reactions.said(town, seat, tile),)
        for one, other in ([word for word in reactions.SAID if word != said],)
    )


def answered(town: Town, seat: str) -> str:
    """The seat's own answer to the open sealed decision, as an order; `""` for none."""
    said = town.sealed.get(seat, "")
    if not said or not town.agenda or town.agenda[-1]["step"] != "sealed":
        return ""
    order = orders.Give(said) if sealed.SEALED[town.agenda[-1]["event"]] == "give" else orders.Discard(said)
    return write(town, seat, order)
