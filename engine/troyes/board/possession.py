"""Possession: citizens given to the card, and freed again for each cube put on it (A24, D15)."""

from __future__ import annotations

from engine.catalog import T
from engine.errors import NotAllowed, Unclear
from engine.troyes.board import buildings, purse
from engine.troyes.board.phrases import owner_name, typed_place
from engine.troyes.events.citizen_events import CitizensRecruited
from engine.troyes.events.dice_events import FateRolled
from engine.troyes.events.play import Play
from engine.troyes.state import orders, places
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import GRAY, Frame, QueuedEvent, TroyesState

RECRUIT = "recruit"
"""Stands for a citizen hired for influence, which needs an empty supply."""


# Giving one.


def citizen_sources(state: TroyesState, seat: str) -> list[str]:
    """Where the citizen may come from: the supply, a hired one when it is empty, or anywhere on the board."""
    house, price = state.houses[seat], state.box.board.recruit
    first = [places.SUPPLY] if house.supply else []
    if not first and house.reserve and house.influence >= price:
        first = [RECRUIT]
    return first + [str(place) for place in dict.fromkeys(state.whereabouts(seat))]


def check_citizen(state: TroyesState, seat: str, source: str) -> None:
    """Raises NotAllowed unless the seat can give a citizen from there."""
    if source == RECRUIT:
        house, price = state.houses[seat], state.box.board.recruit
        if house.supply:
            raise NotAllowed(
                T("A citizen is hired only with an empty supply; you have {n} in hand.", n=house.supply), rule="A24"
            )
        if not house.reserve or house.influence < price:
            raise NotAllowed(
                T(
                    "Hiring costs {price} influence, you have {influence}; {left} of your citizens are left to hire.",
                    price=price,
                    influence=house.influence,
                    left=house.reserve,
                ),
                rule="A68",
            )
        return
    if source == places.SUPPLY and not state.houses[seat].supply:
        raise NotAllowed(
            T("You have no citizen in hand."),
            possible=tuple(T("give {place}", place=typed_place(place)) for place in citizen_sources(state, seat)[:4]),
            rule="A24",
        )
    buildings.check_source(state, seat, Place.parse(source))


def give_citizen(play: Play, seat: str, order: orders.Give) -> None:
    """Move the citizen to the card."""
    source = order.source
    if source == RECRUIT:
        purse.spend_influence(play, seat, play.state.box.board.recruit)
        play.record(CitizensRecruited(seat, 1))
        source = places.SUPPLY
    play.move(seat, Place.parse(source), Place(places.POSSESSION))


# Freeing one.


def checked_owners(state: TroyesState, threat: QueuedEvent, cubes: int, freed: tuple[str, ...]) -> list[str]:
    """The citizens to be freed, empty for no choice. Raises Unclear for missing names, NotAllowed for wrong ones."""
    left = len(threat.held)
    if freed:
        lacking = [owner for owner in dict.fromkeys(freed) if freed.count(owner) > threat.held.count(owner)]
        if lacking or len(freed) > cubes:
            raise NotAllowed(
                T(
                    "{cubes} cubes free as many citizens; on the card are those of {held}.",
                    cubes=cubes,
                    held=tuple(owner_name(state, owner) for owner in threat.held) or T("nobody"),
                ),
                rule="A24",
            )
    choice = cubes < min(left, state.free_banners(threat)) and len(set(threat.held)) > 1
    if choice and len(freed) < cubes:
        raise Unclear(
            T("Say whose citizen is freed by each cube: «: free {seat}».", seat=threat.held[0]),
            possible=tuple(T("free {seat}", seat=owner) for owner in dict.fromkeys(threat.held)),
        )
    return list(freed)


def free_citizen(play: Play, threat: QueuedEvent, owner: str, freed: list[str] | None) -> None:
    """Free a citizen for one cube: by lot for a neutral cube, else the player may have to choose."""
    if owner == GRAY:
        rolled = play.rolls("possession", play.state.start, 1, len(threat.held))
        play.record(FateRolled(rolled, threat.id))
        send_home(play, threat.held[rolled.numbers[0] - 1])
    elif freed:
        send_home(play, freed.pop(0))
    elif freed is None:
        frame = play.state.agenda[-1] if play.state.agenda else {}
        if frame.get("step") == "free":
            frame["left"] += 1
        else:
            play.state.agenda.append({"step": "free", "seat": owner, "left": 1})
    elif threat.held:
        send_home(play, threat.held[0])


def free_next(play: Play, frame: Frame) -> bool:
    """Free the citizens that leave no choice, and ask for the others."""
    threat = play.state.threat(places.POSSESSION)
    held = threat.held if threat is not None else []
    if not held or not frame["left"]:
        play.state.agenda.pop()
        return False
    if frame["left"] >= len(held) or len(set(held)) == 1:
        frame["left"] -= 1
        send_home(play, held[0])
        return False
    play.ask(frame["seat"], "release")
    return True


def free_chosen(play: Play, frame: Frame, order: orders.Release) -> None:
    """Free the citizen that was named. Raises NotAllowed."""
    threat = play.state.threat(places.POSSESSION)
    held = threat.held if threat is not None else []
    if order.owner not in held:
        raise NotAllowed(
            T("On the card are citizens of {held}.", held=tuple(owner_name(play.state, owner) for owner in held)),
            rule="A24",
        )
    frame["left"] -= 1
    send_home(play, order.owner)


def send_home(play: Play, owner: str) -> None:
    """Send a citizen from the card to his supply."""
    play.move(owner, Place(places.POSSESSION), Place(places.SUPPLY))
