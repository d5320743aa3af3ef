"""Whose letter it is: its tokens, and the address in From (contract, «The token»).

Reply-To, Sender and display names never count. An unknown address gets silence, whatever token it shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from engine.catalog import Msg
from engine.catalog import T
from engine.game import Seat
from pbem.letter import Letter
from pbem.people import People
from pbem.tokens import Keys
from pbem.tokens import Token
from pbem.tokens import tokens_of

_TAG = re.compile(r"\[([a-z][a-z0-9-]{0,39})\]", re.IGNORECASE)


_NOBODY = Seat("")

MOST_TOKENS = 50
"""Texts of the shape of a token that are looked at in one letter, from each of its two sources."""


@dataclass(frozen=True, slots=True)
class Who:
    """A seat and the number of the decision its letter answers; with `trouble` the letter is not read.

    `game` empty means silence; `why` is for the log and names no address.
    """

    game: str = ""
    seat: Seat = _NOBODY
    decision: int = -1
    trouble: Msg | None = None
    why: str = ""


def identify(letter: Letter, people: People, keys: Keys) -> Who:
    """Find the seat that a letter speaks for. Never raises for what the letter holds."""
    if not letter.sender:
        return Who(why="no usable From")
    direct = _fitting(tokens_of((*letter.recipients, letter.asks_subject or letter.subject)), people, keys)
    cited = _fitting(tokens_of(letter.references), people, keys)
    owners = {(token.game, seat) for token, seat in (*direct, *cited)}
    own = sorted(owner for owner in owners if letter.sender in people.holder(*owner).addresses)
    if not own:
        return _without_key(letter, people, owners)
    game, seat = own[0]
    numbers = {token.decision for token, _ in direct}
    cited_numbers = {token.decision for token, _ in cited}
    # The mails before the one that is answered are cited too; only the address and the subject name one mail.
    if len(owners) > 1 or len(numbers) > 1 or (numbers and cited_numbers and not numbers & cited_numbers):
        trouble = T(
            "Your letter carries keys of different mails. Nothing was done; please answer one mail, and only that one."
        )
        return Who(game, seat, trouble=trouble, why="tokens disagree")
    return Who(game, seat, max(numbers or cited_numbers))


def _fitting(tokens: Iterable[Token], people: People, keys: Keys) -> list[tuple[Token, Seat]]:
    return [
        (token, holder.seat)
        for token in islice(tokens, MOST_TOKENS)
        for holder in people.holders(token.game)
        if keys.fits(token, holder.seat, holder.generation)
    ]


def _without_key(letter: Letter, people: People, owners: set[tuple[str, Seat]]) -> Who:
    """A letter without a key of its sender's: a known player is told how to answer, anybody else nothing."""
    seats = people.seats_of(letter.sender)
    if not seats:
        return Who(why="unknown sender")
    named = {game.lower() for game in _TAG.findall(letter.subject)} | {game for game, _ in owners}
    game, seat = next((place for place in seats if place[0] in named), seats[0])
    if owners:
        trouble = T(
            "The key in your letter belongs to another seat. Nothing was done; please answer mails sent to you."
        )
    elif tokens_of((*letter.recipients, letter.subject, *letter.references)):
        trouble = T("The key in your letter is not valid. Nothing was done; please answer this mail instead.")
    else:
        trouble = T("Your letter carries no key, so nothing of it was done. Please answer this mail instead.")
    return Who(game, seat, trouble=trouble, why="no key of the sender's")
