"""Find whose letter it is, by its tokens and the address in From.

Reply-To, Sender and display names never count. An unknown address gets silence, whatever token it shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from engine.catalog import Msg, T
from engine.game import Seat
from pbem.desk.core.services import Services
from pbem.host.keys import Keys, Token, mail_of, tokens_of
from pbem.host.people import People
from pbem.inbound.incoming_letter import Letter
from pbem.store.commit_record import AnsweredLetter
from pbem.store.message_index import IndexedMail

TAG = re.compile(r"\[([a-z][a-z0-9-]{0,39})\]", re.IGNORECASE)
"""A game named in a subject."""

_NOBODY = Seat("")

_MESSAGE_ID = re.compile(r"<[!-;=?-~]{3,240}>")

MOST_TOKENS = 50
"""Tokens and Message-IDs that are looked at in one letter."""

Looks = Callable[[str], IndexedMail | None]
"""Looks up the mail of a name (`Spool.mailed`)."""


@dataclass(frozen=True, slots=True)
class Who:
    """A seat and the number of the decision its letter answers."""

    game: str = ""
    """Empty for nobody's."""
    seat: Seat = _NOBODY
    decision: int = -1
    trouble: Msg | None = None
    """Why the letter is not read."""
    why: str = ""
    """For the log; names no address."""
    proven: bool = False
    """True if the letter carries a key of the seat and comes from its address."""
    record: int = 0
    """The newest record among the mails it refers to; 0 for none."""
    stolen: bool = False
    """True if the key is the seat's and the address is nobody's."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A key that fits: of which seat, on which decision; `record` of the mail that was looked up for it."""

    game: str
    seat: Seat
    decision: int
    record: int = 0


def usable_message_id(message_id: str) -> str:
    """A letter's Message-ID, if it may stand in a header of ours; else empty."""
    return message_id if _MESSAGE_ID.fullmatch(message_id) and message_id.isascii() else ""


def unique_mark(mark: AnsweredLetter, letter: Letter, keys: Keys) -> AnsweredLetter:
    """The mark of a proven letter, by its Message-ID or content, so that it is taken once."""
    told = letter.message_id or f"content {letter.content or letter.digest}"
    return replace(mark, name=keys.letter(letter.sender, told))


def vouched(services: Services, letter: Letter) -> bool:
    """True if our mail server says that a letter is from the domain in its From."""
    return bool(services.authserv_id) and (services.authserv_id, "pass") in letter.verdicts


def fails(services: Services, letter: Letter) -> bool:
    """True if our mail server says that a letter is not from the domain in its From. No verdict is no failure."""
    exempt = not services.authserv_id or letter.sender in services.dmarc_exempt
    return not exempt and (services.authserv_id, "fail") in letter.verdicts


def identify(letter: Letter, people: People, keys: Keys, look: Looks) -> Who:
    """Find the seat that a letter speaks for. Never raises for what the letter holds."""
    if not letter.sender:
        return Who(why="no usable From")
    direct = _fitting(tokens_of((*letter.recipients, letter.asks_subject or letter.subject)), people, keys)
    cited = _cited(letter, people, look)
    owners = {(proof.game, proof.seat) for proof in (*direct, *cited)}
    own = sorted(owner for owner in owners if letter.sender in people.holder(*owner).addresses)
    if not own:
        return _without_key(letter, people, owners)
    game, seat = own[0]
    numbers = {proof.decision for proof in direct}
    cited_numbers = {proof.decision for proof in cited}
    # References also name older mails; only the address and the subject name one mail.
    if len(owners) > 1 or len(numbers) > 1 or (numbers and cited_numbers and not numbers & cited_numbers):
        trouble = T(
            "Your letter carries keys of different mails. Nothing was done; please answer one mail, and only that one."
        )
        return Who(game, seat, trouble=trouble, why="tokens disagree", proven=True)
    record = max((proof.record for proof in cited), default=0)
    return Who(game, seat, max(numbers or cited_numbers), proven=True, record=record)


def fitting_keys(letter: Letter, people: People, keys: Keys, look: Looks) -> tuple[Proof, ...]:
    """Every key in a letter that fits a seat, whoever wrote."""
    return (*_fitting(tokens_of((*letter.recipients, letter.subject)), people, keys), *_cited(letter, people, look))


def named_games(letter: Letter, look: Looks) -> tuple[str, ...]:
    """The games in a letter's addresses and subject, or else of the mails it refers to; unchecked."""
    told = [token.game for token in islice(tokens_of((*letter.recipients, letter.subject)), MOST_TOKENS)]
    told += [game.lower() for game in TAG.findall(letter.subject)]
    return tuple(dict.fromkeys(told or [mail.game for mail in _mails(letter, look)]))


def _mails(letter: Letter, look: Looks) -> Iterator[IndexedMail]:
    """The mails of ours that a letter refers to."""
    names = (name for reference in letter.references if (name := mail_of(reference)))
    return (mail for name in islice(names, MOST_TOKENS) if (mail := look(name)) is not None)


def _cited(letter: Letter, people: People, look: Looks) -> list[Proof]:
    """The mails of ours that a letter refers to, if they went to the present holder of the seat."""
    return [
        Proof(mail.game, holder.seat, mail.decision, mail.record)
        for mail in _mails(letter, look)
        for holder in people.holders(mail.game)
        if holder.seat == mail.seat and holder.generation - 1 == mail.handed
    ]


def _fitting(tokens: Iterable[Token], people: People, keys: Keys) -> list[Proof]:
    return [
        Proof(token.game, holder.seat, token.decision)
        for token in islice(tokens, MOST_TOKENS)
        for holder in people.holders(token.game)
        if keys.fits(token, holder.seat, holder.generation)
    ]


def _without_key(letter: Letter, people: People, owners: set[tuple[str, Seat]]) -> Who:
    """A letter without a key of its sender's: a known player is told how to answer, anybody else nothing."""
    seats = people.seats_of(letter.sender)
    if not seats and owners:
        game, seat = min(owners)
        return Who(game, seat, why="a key from an unknown address", stolen=True)
    if not seats:
        return Who(why="unknown sender")
    named = {game.lower() for game in TAG.findall(letter.subject)} | {game for game, _ in owners}
    game, seat = next((place for place in seats if place[0] in named), ("", _NOBODY))
    if owners:
        trouble = T(
            "The key in your letter belongs to another seat. Nothing was done; please answer mails sent to you."
        )
    elif tokens_of((*letter.recipients, letter.subject)):
        trouble = T("The key in your letter is not valid. Nothing was done; please answer this mail instead.")
    else:
        trouble = T("Your letter carries no key, so nothing of it was done. Please answer this mail instead.")
    return Who(game, seat, trouble=trouble, why="no key of the sender's")
