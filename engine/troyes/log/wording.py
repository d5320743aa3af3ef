"""What several deeds say alike: the dice that were taken, with their price and the cube that changed them."""

from __future__ import annotations

from engine.catalog import Msg, T
from engine.troyes.board.words import named
from engine.troyes.log import phrases
from engine.troyes.log.deeds import Deed, sold_by
from engine.troyes.log.phrases import Voice, Words

Act = tuple[Msg, Msg, tuple[Msg, ...]]
"""What was done, as its doer is told and as others are, and the changes that are no deniers, influence or points."""


def dice(voice: Voice, done: Deed) -> Words:
    """The dice with what they cost; what was bought from the reader has been named before."""
    sold = sold_by(voice.reader, done)
    rest = [pick for pick in done.taken if pick not in sold]
    words: Words = phrases.dice(pick.word(done.seat) for pick in rest)
    paid = sum(paid for payee, paid in done.sums.bought.items() if not sold or payee != voice.reader)
    if paid:
        words = T("{dice} ({price})", dice=words, price=phrases.deniers(-paid))
    if sold and rest:
        words = T("it and {dice}", dice=words) if len(sold) == 1 else T("them and {dice}", dice=words)
    elif sold:
        words = T("it") if len(sold) == 1 else T("them")
    return T("{dice} using {card}", dice=words, card=named(done.using)) if done.using else words
