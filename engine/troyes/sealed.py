"""Decisions that all seats answer at once: Possession and Harsh Winter (A24, A25).

Nothing of an answer is shown before the last one is in, not even who has answered; then they are applied in the order
of play from the start player. A seat with one way only is not asked, one with none is passed over.
"""

from __future__ import annotations

from engine.catalog import T
from engine.chance import Unknown
from engine.errors import NotAllowed
from engine.troyes import language
from engine.troyes import orders
from engine.troyes import possession
from engine.troyes import purse
from engine.troyes.state import BLANK
from engine.troyes.state import Frame
from engine.troyes.state import Town
from engine.troyes.verbs import Play
from engine.troyes.words import named
from engine.troyes.words import typed

SEALED = {"possession": "give", "harsh_winter": "discard"}
"""Event to the kind of decision it opens."""


def ways(town: Town, kind: str, seat: str) -> list[str]:
    """What the seat may answer: sources of a citizen, or cards and tiles with its cubes."""
    if kind == "give":
        return possession.sources(town, seat)
    return [card.id for card in town.cards if card.cubes.get(seat)] + [
        tile.id for tile in town.tiles if tile.cubes.get(seat)
    ]


def step(play: Play, frame: Frame) -> bool:
    """Ask everybody who has a choice; when all have answered, show and apply the answers.

    Who has no citizen to give loses points (A15, A24).
    """
    town, kind = play.town, SEALED[frame["event"]]
    if not complete(town):
        waiting = [seat for seat in town.around(town.start) if len(ways(town, kind, seat)) > 1]
        if waiting:
            play.ask_all(waiting, kind)
            return True
    if BLANK in town.sealed.values():
        raise Unknown("the answers of others")
    town.agenda.pop()
    town.asked = []
    answers = dict(town.sealed)
    play.record("unsealed", event=frame["event"])
    order = town.around(town.start)
    for seat in order:
        if kind == "give" and not ways(town, kind, seat):
            purse.points(play, seat, -town.box.board.unresolved_loss)
    for seat in order:
        _apply(play, kind, seat, answers.get(seat, ""))
    return False


def answer(play: Play, seat: str, order: orders.Give | orders.Discard) -> None:
    """Seal one answer. Raises NotAllowed when it cannot be carried out."""
    town = play.town
    if isinstance(order, orders.Give):
        possession.check(town, seat, order.source)
        answered = order.source
    else:
        answered = order.on
        if answered not in ways(town, "discard", seat):
            raise NotAllowed(
                T("You have no cube on {card}.", card=named(answered)),
                possible=tuple(T("discard {card}", card=typed(id)) for id in ways(town, "discard", seat)),
            )
    play.record("sealed", only={seat: {"answer": answered}})


def complete(town: Town) -> bool:
    """Whether everybody who was asked at once has answered; until then each may still answer anew."""
    return bool(town.asked) and all(asked["seat"] in town.sealed for asked in town.asked)


def _apply(play: Play, kind: str, seat: str, answered: str) -> None:
    """One answer, or the only way there was."""
    town = play.town
    only = ways(town, kind, seat)
    given = "" if answered else "only"
    if not answered and only:
        answered = only[0]
    if not answered:
        return
    order = orders.Give(answered) if kind == "give" else orders.Discard(answered)
    play.record("order", seat=seat, text=language.write(town, seat, order), deed=kind, given=given)
    if isinstance(order, orders.Give):
        possession.give(play, seat, order)
    elif town.tile(order.on) is not None:
        play.record("tile", tile=order.on, seat=seat, by=-1)
    else:
        play.record("cubes", card=order.on, seat=seat, by=-1)
