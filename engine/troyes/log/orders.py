"""Orders as sentences: who did what with which dice, and what it changed for everybody; or what it would change."""

from __future__ import annotations

from collections.abc import Sequence

from engine.catalog import Msg, T
from engine.kit.facts import Fact
from engine.troyes.board.words import named
from engine.troyes.entries.citizens import CitizenMoves
from engine.troyes.entries.dice import DiceExchanged
from engine.troyes.entries.ordering import Ordered
from engine.troyes.log import plans
from engine.troyes.log import voice as say
from engine.troyes.log.acts import ACTS, beside, sold_by, taken
from engine.troyes.log.groups import Matter, grouped
from engine.troyes.log.tally import tally
from engine.troyes.log.voice import Told, Voice
from engine.troyes.state import places
from engine.troyes.state.orders import Order, Pass
from engine.troyes.state.state import GRAY, TroyesState

WHY = {
    "only": T("There was no choice."),
    "wish": T("Your list said so."),
    "standing": T("You have said so once for all."),
}
"""Why an answer was given for a seat."""


def tell(voice: Voice, group: Matter) -> Told:
    """The order as one sentence for the voice's reader."""
    head: Ordered = group.head
    seat, reader, sums = head.seat, voice.reader, group.sums
    done, sold = ACTS[type(head.order)](voice, group, head.order), sold_by(voice.reader, group)
    if sold and reader:
        price = sums.bought[reader]
        act = T(
            "{who} buys YOUR {dice} ({price}) and {act}",
            "{who} buys YOUR {dice} ({price}) and {act}",
            n=len(sold),
            who=voice.name(seat),
            dice=say.dice(pick.die for pick in sold),
            price=T("you {gain}", gain=say.deniers(price)) if price else T("you get nothing"),
            act=done.other,
        )
        others = sums.without_sale(reader).others(voice, [seat])
    else:
        act, others = voice.act(seat, done.you, done.other), sums.others(voice, [seat])
    says = say.report(act, (*done.extra, *beside(voice, group), *sums.changes(seat)), others)
    given = head.why.get(reader or "", head.given)
    if given:
        says = T("{sentence} {why}", sentence=says, why=WHY[given] if given in WHY else plans.fired(given))
    out = isinstance(head.order, Pass) and reader in head.why
    return Told(says, reader is not None and reader in _touched(group), seat, out)


def _touched(group: Matter) -> set[str]:
    """Whom it touches: its seat, whoever gains or loses, and whose citizens and dice were moved."""
    found = {group.head.seat, *group.sums.touched(), *(pick.owner for pick in taken(group))}
    for fact in group.facts:
        if isinstance(fact, CitizenMoves):
            found |= {push.owner for push in fact.pushed}
            found |= {fact.owner} if fact.source.on == places.POSSESSION else set()
        elif isinstance(fact, DiceExchanged):
            found.add(fact.owner)
    return found


def counter(voice: Voice, group: Matter, seat: str) -> Told:
    """An event countered on the way: who gained what, and who takes the card."""
    done, gained = group.head, group.sums.others(voice)
    if done.stays:
        end = T("it stays, with all banners free")
    elif done.winner == GRAY:
        end = T("the card goes to gray")
    elif done.winner == voice.reader:
        end = T("you take the card")
    else:
        end = T("{who} takes the card", who=voice.name(done.winner))
    says = T("Event {event} is countered: {gains}.", event=named(done.event), gains=say.chain([*gained, end]))
    touched = {*group.sums.touched(), done.winner}
    return Told(says, voice.reader is not None and voice.reader in touched, seat)


def effects(state: TroyesState, seat: str, order: Order, facts: Sequence[Fact[TroyesState]]) -> Msg:
    """What an order would do to its seat and others, from the facts of its walk: «8 times, +10 deniers; Geoffrey +6
    deniers». Dice and tradesman are paid from the gain."""
    voice, (group, *_) = Voice(state, seat, brief=True), grouped([Ordered(seat, order), *facts], [Ordered])
    done, sums = ACTS[type(order)](voice, group, order), tally(facts) if group.counters else group.sums
    own = (*done.brief, *done.extra, *beside(voice, group), *sums.net(seat).changes(seat))
    own += tuple(T("counters {event}", event=named(event.head.event)) for event in group.counters)
    parts = [T("{parts}", parts=own)] if own else []
    parts += sums.others(voice, [seat])
    return say.chain(parts) if parts else T("nothing is gained")
