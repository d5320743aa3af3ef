"""What an answer does to its sheet, as one phrase: for receipts, offers, trials and news."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from engine.catalog import Msg, T
from engine.kit.events import Event
from engine.troyes_dice import events as did
from engine.troyes_dice.card_data.item_names import item_name
from engine.troyes_dice.card_data.phrases import citizen_amount, resource_amount
from engine.troyes_dice.card_data.sheet import RESOURCES
from engine.troyes_dice.state.dice_state import DiceState


def effects_text(facts: Iterable[Event[DiceState]]) -> Msg:
    """Return all that an answer does as one phrase, also if nothing is gained."""
    said = tuple(phrase for fact in _added(facts) for phrase in _phrases(fact))
    return T("{effects}", effects=said) if said else T("nothing gained")


def _added(facts: Iterable[Event[DiceState]]) -> Iterable[Event[DiceState]]:
    """The events in the order in which they began, gains of one kind added up."""
    found: dict[object, Event[DiceState]] = {}
    for at, fact in enumerate(facts):
        match fact:
            case did.Circles(resource=key) | did.Citizens(colour=key):
                before = found.get(key)
            case _:
                key, before = str(at), None
        if isinstance(before, did.Circles | did.Citizens) and isinstance(fact, did.Circles | did.Citizens):
            fact = replace(before, by=before.by + fact.by, lost=before.lost + fact.lost)
        found[key] = fact
    return found.values()


def _phrases(fact: Event[DiceState]) -> Iterator[Msg]:
    match fact:
        case did.Spends():
            bill = {resource: getattr(fact, resource) for resource in RESOURCES}
            yield T("pays {price}", price=tuple(resource_amount(resource, n) for resource, n in bill.items() if n))
        case did.Circles(resource=resource, by=n, lost=lost):
            if n:
                yield T("+{gain}", gain=resource_amount(resource, n))
            if lost:
                yield T("{lost} lost at the end of the track", lost=resource_amount(resource, lost))
        case did.Citizens(colour=colour, by=n):
            yield T("+{gain}", gain=citizen_amount(colour, n)) if n else T("a citizen finds no place")
        case did.Builds(row=row, column=column, number=n):
            building = T("{building} {column}", building=item_name(row), column=column)
            counting = T("builds {building}, counting {n} each", building=building, n=n)
            yield counting if n else T("builds {building}", building=building)
        case did.Rewarded(at=at, lost=True):
            yield T("a bonus at {at} citizens finds no building and is lost", at=at)
        case did.Rewarded(bonus="link", row=row, columns=(first, second)):
            yield T("link {row} {first}-{second}", row=item_name(row), first=first, second=second)
        case did.Rewarded(bonus="resources" | "work", at=at):
            yield T("bonus at {at} citizens of every colour", at=at)
        case did.Rewarded(at=at):
            yield T("bonus at {at} citizens of one colour", at=at)
