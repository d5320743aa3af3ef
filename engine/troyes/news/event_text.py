"""Event cards that take effect, one sentence each. Those that only send black dice are told together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.catalog import Msg, T
from engine.kit.events import Event
from engine.troyes.card_data.item_names import item_name
from engine.troyes.events.card_events import BannerCovered, BannerFreed, CubeBuilt, CubeFalls, EventResolves
from engine.troyes.events.citizen_events import BuildingReseated, CitizenMoves
from engine.troyes.events.dice_events import FateRolled
from engine.troyes.events.round_events import MattersPending
from engine.troyes.news import sentence_parts as say
from engine.troyes.news.event_groups import EventGroup
from engine.troyes.news.sentence_parts import Sentence, Voice
from engine.troyes.state import places
from engine.troyes.state.troyes_state import TroyesState


def only_sends_dice(group: EventGroup) -> bool:
    """Whether an event card did nothing but send black dice."""
    here = isinstance(group.head, EventResolves) and group.head.black
    return bool(here) and all(isinstance(fact, MattersPending) for fact in group.facts)


def sent_text(groups: Sequence[EventGroup]) -> Msg:
    """Black dice sent by several event cards."""
    each = tuple(T("{event} {n}", event=item_name(group.head.event), n=group.head.black) for group in groups)
    return T("Black dice are sent: {events}.", events=each)


def event_text(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    """An event card takes effect."""
    head: EventResolves = group.head
    parts, touched = group.sums.others(voice), set(group.sums.touched())
    if head.black:
        parts.insert(0, T("sends {n} black die", "sends {n} black dice", n=head.black))
    for fact in group.facts:
        parts += _said(voice, fact)
        touched |= _touched(fact)
        if isinstance(fact, FateRolled) and not group.of(CitizenMoves) and not group.of(BuildingReseated):
            parts.append(T("nobody enters"))
    if not parts:
        # Support, whose cubes still have to be placed.
        waits = "cubes" in voice.state.event(head.event).numbers and not group.counters
        idle = T("who has a choice is asked") if _asks(group) else T("nothing happens")
        idle = T("nobody has a choice") if group.done else idle
        parts.append(T("the start player chooses") if waits else idle)
    # «Event» stands first, since a quoted line that begins with «Support» could be read as an order.
    says = T("Event {event}: {parts}.", event=item_name(head.event), parts=say.joined(parts))
    yield Sentence(says, voice.reader in touched)


def _asks(group: EventGroup) -> bool:
    """Whether answers to the event card are still awaited (Harsh Winter, losses with Protection)."""
    pending = (frame for rest in group.of(MattersPending) for frame in rest.pending)
    return any(frame.get("event") == group.head.event for frame in pending)


def _said(voice: Voice, fact: Event[TroyesState]) -> list[Msg]:
    match fact:
        case FateRolled():
            return [T("rolls {dice}", dice=say.dice_list(fact.rolled.numbers))]
        case BuildingReseated():
            return [_reseated(voice, fact)]
        case CitizenMoves() if fact.source.on == places.POSSESSION:
            return [voice.freed(fact.owner)]
        case CitizenMoves():
            to = say.place_text(fact.to)
            return [T("{citizen} enters {place}", citizen=voice.citizen(fact.owner), place=to), *voice.pushed([fact])]
        case CubeBuilt():
            space = say.level_text(fact.level, fact.column)
            text = T("{cube} on the cathedral, {space}", cube=voice.cube(fact.owner), space=space)
        case CubeFalls():
            space = say.level_text(fact.level, fact.column)
            text = T("{cube} falls from the cathedral, {space}", cube=voice.cube(fact.owner), space=space)
        case BannerCovered():
            text = T("{cube} on {event}", cube=voice.cube(fact.owner), event=item_name(fact.event))
        case BannerFreed():
            text = T("{cube} taken off {event}", cube=voice.cube(fact.owner), event=item_name(fact.event))
        case _:
            return []
    return [text]


def _touched(fact: Event[TroyesState]) -> set[str]:
    """The seats it touches besides money and points. A neutral citizen or cube touches only those in its way."""
    match fact:
        case CubeFalls() | BannerFreed():
            return {fact.owner}
        case CitizenMoves():
            freed = [fact.owner] if fact.source.on == places.POSSESSION else []
            return {*freed, *(push.owner for push in fact.pushed)}
        case BuildingReseated():
            return {*fact.seats, *fact.lying}
    return set()


def _reseated(voice: Voice, fact: BuildingReseated) -> Msg:
    """A building after an uprising."""
    spaces = zip(places.spaces_of(fact.building), fact.seats, strict=True)
    there = [T("{space} {who}", space=place.spot, who=voice.name(owner)) for place, owner in spaces if owner]
    there += [T("lying {who}", who=voice.name(owner)) for owner in fact.lying]
    return T("{building} is seated anew, {there}", building=item_name(fact.building), there=tuple(there) or T("nobody"))
