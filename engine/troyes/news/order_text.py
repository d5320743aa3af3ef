"""Orders as sentences: who did what with which dice, and what it changed for everybody, or would change."""

from __future__ import annotations

from collections.abc import Sequence

from engine.catalog import Msg, T
from engine.kit.events import Event
from engine.troyes.card_data.item_names import item_name
from engine.troyes.events.citizen_events import CitizenMoves
from engine.troyes.events.dice_events import DiceExchanged
from engine.troyes.events.order_events import Ordered
from engine.troyes.news import sentence_parts as say
from engine.troyes.news import standing_order_text
from engine.troyes.news.event_groups import EventGroup, group_events, tally
from engine.troyes.news.order_phrases import ORDER_PHRASES, dice_sold, dice_taken, side_effects
from engine.troyes.news.sentence_parts import Sentence, Voice
from engine.troyes.state import places
from engine.troyes.state.orders import Order, Pass
from engine.troyes.state.troyes_state import GRAY, TroyesState

WHY = {
    "only": T("There was no choice."),
    "wish": T("Your list said so."),
    "standing": T("You have said so once for all."),
}
"""Why an answer was given for a seat."""


def order_text(voice: Voice, group: EventGroup) -> Sentence:
    """The order as one sentence for the voice's reader."""
    head: Ordered = group.head
    seat, reader, sums = head.seat, voice.reader, group.sums
    done, sold = ORDER_PHRASES[type(head.order)](voice, group, head.order), dice_sold(voice.reader, group)
    if sold and reader:
        price = sums.bought[reader]
        act = T(
            "{who} buys YOUR {dice} ({price}) and {act}",
            "{who} buys YOUR {dice} ({price}) and {act}",
            n=len(sold),
            who=voice.name(seat),
            dice=say.dice_list(pick.die for pick in sold),
            price=T("you {gain}", gain=say.deniers_text(price)) if price else T("you get nothing"),
            act=done.other,
        )
        others = sums.without_sale(reader).others(voice, [seat])
    else:
        act, others = voice.act(seat, done.you, done.other), sums.others(voice, [seat])
    says = say.deed_sentence(act, (*done.extra, *side_effects(voice, group), *sums.changes(seat)), others)
    given = head.why.get(reader or "", head.given)
    if given:
        says = T(
            "{sentence} {why}", sentence=says, why=WHY[given] if given in WHY else standing_order_text.fired_text(given)
        )
    out = isinstance(head.order, Pass) and reader in head.why
    return Sentence(says, reader is not None and reader in _touched(group), seat, out)


def _touched(group: EventGroup) -> set[str]:
    """The seats it touches: its own, those that gain or lose, and those whose citizens and dice were moved."""
    found = {group.head.seat, *group.sums.touched(), *(pick.owner for pick in dice_taken(group))}
    for fact in group.facts:
        if isinstance(fact, CitizenMoves):
            found |= {push.owner for push in fact.pushed}
            found |= {fact.owner} if fact.source.on == places.POSSESSION else set()
        elif isinstance(fact, DiceExchanged):
            found.add(fact.owner)
    return found


def countered_text(voice: Voice, group: EventGroup, seat: str) -> Sentence:
    """An event card countered meanwhile: who gained what, and who takes the card."""
    done, gained = group.head, group.sums.others(voice)
    if done.stays:
        end = T("it stays, with all banners free")
    elif done.winner == GRAY:
        end = T("the card goes to gray")
    elif done.winner == voice.reader:
        end = T("you take the card")
    else:
        end = T("{who} takes the card", who=voice.name(done.winner))
    says = T("Event {event} is countered: {gains}.", event=item_name(done.event), gains=say.joined([*gained, end]))
    touched = {*group.sums.touched(), done.winner}
    return Sentence(says, voice.reader is not None and voice.reader in touched, seat)


def effects_text(state: TroyesState, seat: str, order: Order, facts: Sequence[Event[TroyesState]]) -> Msg:
    """What an order would do by the events of trying it, net: «8 times, +10 deniers; Geoffrey +6 deniers»."""
    voice, (group, *_) = Voice(state, seat, brief=True), group_events([Ordered(seat, order), *facts], [Ordered])
    done, sums = ORDER_PHRASES[type(order)](voice, group, order), tally(facts) if group.counters else group.sums
    own = (*done.brief, *done.extra, *side_effects(voice, group), *sums.net(seat).changes(seat))
    own += tuple(T("counters {event}", event=item_name(event.head.event)) for event in group.counters)
    parts = [T("{parts}", parts=own)] if own else []
    parts += sums.others(voice, [seat])
    return say.joined(parts) if parts else T("nothing is gained")
