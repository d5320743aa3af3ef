"""Orders as sentences: who did what with which dice, and what it changed for everybody."""

from __future__ import annotations

from engine.catalog import T
from engine.troyes.board.words import named
from engine.troyes.log import ladies, phrases
from engine.troyes.log.acts import ACTS
from engine.troyes.log.deeds import Deed, deed, sold_by
from engine.troyes.log.groups import Matter
from engine.troyes.log.phrases import Told, Voice
from engine.troyes.log.tally import Tally, tally
from engine.troyes.state.state import GRAY


def tell(voice: Voice, group: Matter) -> Told:
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


def counter(voice: Voice, group: Matter, seat: str) -> Told:
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
