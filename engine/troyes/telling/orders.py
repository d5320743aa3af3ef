"""Orders as sentences: who did what with which dice, and what it changed for everybody."""

from __future__ import annotations

from engine.catalog import T
from engine.troyes.state import GRAY
from engine.troyes.telling import ladies
from engine.troyes.telling import phrases
from engine.troyes.telling.acts import ACTS
from engine.troyes.telling.deeds import Deed
from engine.troyes.telling.deeds import deed
from engine.troyes.telling.deeds import sold_by
from engine.troyes.telling.groups import Group
from engine.troyes.telling.phrases import Told
from engine.troyes.telling.phrases import Voice
from engine.troyes.telling.tally import Tally
from engine.troyes.telling.tally import tally
from engine.troyes.words import named


def tell(voice: Voice, group: Group) -> Told:
    """The order as one sentence for the voice's reader."""
    done = deed(group)
    you, other, extra = ACTS[group.head.data["deed"]](voice, done)
    seat, sums, sold = done.seat, done.sums, sold_by(voice.reader, done)
    own = (*extra, *ladies.beside(voice, done), *sums.changes(seat))
    if sold and voice.reader:
        words = phrases.dice(pick.die for pick in sold)
        price = sums.bought.get(voice.reader, 0)
        act = T(
            "{who} buys YOUR {dice} ({price}) and {act}",
            who=voice.name(seat),
            dice=words,
            price=T("you {gain}", gain=phrases.deniers(price)) if price else T("you get nothing"),
            act=other,
        )
        others = _without_sale(sums, voice.reader).others(voice, [seat])
    else:
        act = voice.act(seat, you, other)
        others = sums.others(voice, [seat])
    says = phrases.report(act, own, others)
    given = group.head.seen_by(voice.reader).get("given", "")
    if given:
        says = T("{sentence} {why}", sentence=says, why=WHY[given])
    return Told(says, _touches(voice, done), seat)


WHY = {
    "only": T("There was no choice."),
    "wish": T("Your list said so."),
    "standing": T("You have said so once for all."),
}
"""Why an answer was given for a seat."""


def _without_sale(sums: Tally, reader: str) -> Tally:
    bought = {payee: paid for payee, paid in sums.bought.items() if payee != reader}
    return Tally(sums.deniers, sums.influence, sums.wasted, sums.points, bought, sums.hire)


def _touches(voice: Voice, done: Deed) -> bool:
    reader = voice.reader
    if reader is None:
        return False
    pushed = [push["owner"] for entry in done.group.of("moves") for push in entry.data.get("pushed", ())]
    if reader in ladies.touched(done.group):
        return True
    return reader in (done.seat, *done.sums.touched(), *pushed, *(pick.owner for pick in done.taken))


def counter(voice: Voice, group: Group, seat: str) -> Told:
    """An event countered on the way: who gained what, and who takes the card."""
    data = group.head.data
    event, gained = named(data["event"]), tally(group.entries).others(voice, ())
    if data.get("stays"):
        end = T("it stays, with all banners free")
    elif data["winner"] == GRAY:
        end = T("the card goes to gray")
    elif data["winner"] == voice.reader:
        end = T("you take the card")
    else:
        end = T("{who} takes the card", who=voice.name(data["winner"]))
    says = T("Event {event} is countered: {gains}.", event=event, gains=phrases.chain([*gained, end]))
    touched = {entry.data["seat"] for entry in group.entries} | {data["winner"]}
    return Told(says, voice.reader is not None and voice.reader in touched, seat)
