"""Who holds a seat: another person, another name or address, a computer, or the person again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.catalog import Msg, T
from engine.chronicle import Entry
from engine.errors import NotAllowed, NotUnderstood
from engine.game import AnyGame, Seat
from engine.levels import in_words
from pbem.desk.context import Context
from pbem.desk.result import RETURNS, Result
from pbem.desk.seated import COMPUTER, PERSON, USUAL, by_person, level_at, returns, with_row
from pbem.desk.services import Services
from pbem.desk.start import answered, begins, is_complete, uncounted
from pbem.desk.waits import unshortened
from pbem.host.people import Holder
from pbem.inbound.speech import relayed
from pbem.moderation.deed import (
    LANGUAGE,
    LONGEST,
    SEAT,
    Argument,
    Takes,
    asked_anew,
    deed,
    done,
    flag,
    not_over,
    reason,
    seat_of,
)
from pbem.moderation.opening import Person, checked_addresses
from pbem.outbound.mail import MailKind, Message
from pbem.store.stored import Stored
from pbem.store.table import SeatRow, Status

NAME = 40
"""Characters of a name."""
ODD = "[]{}<>|\\"
"""Characters of no name; they are left of terminal colour codes."""


def _changes_hands(context: Context, given: Mapping[str, Any]) -> str:
    """The question before a seat changes hands, or gets a holder without an address."""
    row, name = seat_of(context, given["seat"]), given["person"].name
    if not given["person"].addresses:
        return f"{name} has no address: nobody would be mailed for the seat of {row.name}. Do it?"
    return "" if name == row.name else f"Give the seat of {row.name} to {name}, for good?"


@deed(
    T("another person takes a seat"),
    SEAT,
    Argument(name="person", takes=Takes.PERSON, shown="Zoe <zoe@example.org>"),
    LANGUAGE,
    word="replace", sure=_changes_hands,
)  # fmt: skip
def replaced(
    context: Context, services: Services, seat: str, person: Person, why: str, language: str = ""
) -> Result:
    """Give a seat to another person.

    The keys of whoever held it are dead from then on; the new person is welcomed with the position and the secrets of
    the seat. The seat keeps its handle in orders. For a new address only, name the same person again, whose language,
    hours and other wishes for their mails stay.
    """
    not_over(context)
    row, text = seat_of(context, seat), reason(why)
    name, addresses = _name(context, person.name, row), checked_addresses(person.addresses)
    holders, before = _holders(context, services, row)
    holder = before if before.name == name else Holder(Seat(row.seat), name)
    holder = services.people.known(replace(
        holder.reached, addresses=addresses, generation=before.generation + 1, coming="",
        language=language or holder.language,
    ))  # fmt: skip
    # Thread and counts belong to the person before; time that was added stays with the seat.
    hidden = context.stored.table.anonymous
    called = row.name if hidden else name
    fresh = SeatRow(
        row.seat, called, told=row.told, heard=row.heard, generation=holder.generation,
        clock=row.clock and replace(row.clock, asked=""),
    )
    fresh = unshortened(services, context.stored.table.pace, (before, row), (holder, fresh))
    stored = uncounted(with_row(context.stored, fresh), row.seat)
    if addresses and not stored.game:
        stored = _without_word(stored, row.seat)
    says = T("{name} has taken over the seat of {before}.", name=name, before=row.name)
    if hidden:
        says = T("Somebody else has taken over the seat of {before}.", before=row.name)
    kind = MailKind.INVITATION if context.state is None else MailKind.WELCOME
    welcome = Message(seat=holder.seat, kind=kind, position=True)
    known = _with_holder(context, holders, holder)
    return _renamed(context, stored, "replace", says, text, holders=known, answer=welcome)


@deed(
    T("corrects the address of a seat; the person stays, and nobody else is told"), SEAT,
    Argument(name="address", takes=Takes.NAME, shown="anna@example.org"),
)  # fmt: skip
def address(context: Context, services: Services, seat: str, address: str) -> Result:
    """Correct the address of whoever holds a seat.

    For one that was mistyped, or at which nobody reads mail. What went to the old address cannot be answered any more;
    the seat's mail with all that it needs goes to the new one. Nobody else is told.
    """
    row = seat_of(context, seat)
    holders, before = _holders(context, services, row)
    addresses = checked_addresses([one for one in address.split(",") if one.strip()])
    if not addresses or addresses == before.addresses:
        raise NotAllowed(T("That is the address of {name} already.", name=row.name))
    holder = services.people.known(
        replace(before.reached, addresses=addresses, generation=before.generation + 1, coming="")
    )
    clock = row.clock and replace(row.clock, asked="")
    fresh = replace(row, generation=holder.generation, thread=None, asked=0, clock=clock)
    # A reminder to an address where nobody reads does not count.
    secrets = context.stored.secrets
    reminded = {who: rows for who, rows in secrets.reminded.items() if who != row.seat}
    stored = with_row(replace(context.stored, secrets=replace(secrets, reminded=reminded)), fresh)
    kind = MailKind.INVITATION if context.state is None else MailKind.WELCOME
    return Result(
        what="address", says="an address was corrected", stored=stored, state=context.state,
        told=(T("Mail to {name} goes to another address from now on.", name=row.name),),
        holders=_with_holder(context, holders, holder), answer=Message(seat=holder.seat, kind=kind, position=True),
    )  # fmt: skip


def _holders(context: Context, services: Services, row: SeatRow) -> tuple[tuple[Holder, ...], Holder]:
    """All holders of the table, and that of a seat."""
    holders = services.people.holders(context.stored.table.game)
    mine = (one for one in holders if one.seat == row.seat)
    return holders, next(mine, Holder(Seat(row.seat), row.name, generation=0))


def _without_word(stored: Stored, seat: str) -> Stored:
    """The table without the answer of the person before to the invitation."""
    table = stored.table
    joined = tuple(one for one in table.joined if one != seat)
    declined = tuple(one for one in table.declined if one != seat)
    words = {who: word for who, word in stored.secrets.words.items() if who != seat}
    secrets = replace(stored.secrets, words=words)
    return replace(stored, table=replace(table, joined=joined, declined=declined), secrets=secrets)


@deed(
    T("a seat is called otherwise"), SEAT, Argument(name="name", takes=Takes.NAME, shown="Annabel"),
)  # fmt: skip
def rename(context: Context, services: Services, seat: str, name: str, why: str = "") -> Result:
    """Call the player of a seat otherwise.

    The handle in orders stays as it is.
    """
    not_over(context)
    row = seat_of(context, seat)
    fresh = _name(context, name, row)
    if fresh == row.name:
        raise NotAllowed(T("{name} is called so already.", name=fresh))
    holders, old = _holders(context, services, row)
    says = T("{before} is called {name} from now on.", before=row.name, name=fresh)
    # At an anonymous table the final mail tells the person's own name.
    called_so = old if context.stored.table.anonymous else replace(old, name=fresh)
    return _renamed(
        context, with_row(context.stored, replace(row, name=fresh)), "rename", says, relayed(why, LONGEST),
        holders=_with_holder(context, holders, called_so),
    )  # fmt: skip


@deed(
    T("a computer plays for a seat; «off» gives it back"), SEAT,
    Argument(name="level", takes=Takes.NAME, default=USUAL, optional=True, help="How well it plays."),
    flag("off", "The person plays again."),
)  # fmt: skip
def computer(context: Context, seat: str, why: str, off: bool = False, level: str = "") -> Result:
    """Let a computer play for a seat, or give it back.

    It answers at once; before the game it has joined, without a word for the dice. Everybody is told which seat and
    which level; people are mailed when one of them is asked again. Whoever holds the seat takes it back with «back» in
    a letter, whenever they want.
    """
    not_over(context)
    row, plays = seat_of(context, seat), "" if off else level_at(level or USUAL, context.game)
    if off and row.by == PERSON:
        raise NotAllowed(T("{who} plays for {name} already.", who=T("a person"), name=row.name))
    if row.by == COMPUTER and plays == row.level:
        raise NotAllowed(T("{who} plays for {name} already.", who=T("a computer"), name=row.name))
    if off:
        returned = asked_anew(with_row(context.stored, by_person(row)), row.seat)
        returned = _without_word(returned, row.seat) if context.state is None else returned
        return done(context, RETURNS, returns(row.name), reason(why), stored=returned)
    says = T("A computer (level {level}) plays for {name} from now on.", name=row.name, level=in_words(plays))
    stored = with_row(context.stored, replace(row, by=COMPUTER, level=plays))
    result = done(context, RETURNS, says, reason(why), stored=stored)
    if context.state is not None:
        return result
    # A computer has no word for the dice; the word of a person who has joined stays.
    table = stored.table
    joined, declined = dict.fromkeys((*table.joined, row.seat)), [one for one in table.declined if one != row.seat]
    stored = answered(stored, Seat(row.seat), tuple(joined), declined, stored.secrets.words.get(row.seat, ""))
    result = replace(result, stored=stored)
    begun = table.status is Status.GATHERING and is_complete(stored)
    return replace(result, **begins(context.game, stored)) if begun else result


def called(game: AnyGame, state: Any, names: Mapping[str, str]) -> tuple[Entry, ...]:
    """The entries that change the names in a position, where the game keeps names."""
    found: list[Entry] = []
    for seat, name in names.items():
        try:
            entry = game.moderation.change(state, f"{seat}.name", name)
        except NotAllowed:
            continue
        if entry.data.get("before") != name:
            found.append(entry)
    return tuple(found)


def _renamed(context: Context, stored: Stored, what: str, says: Msg, why: str, **more: Any) -> Result:
    """The result of an action that changes names, in the position, too."""
    if context.state is not None:
        entries = called(context.game, context.state, {row.seat: row.name for row in stored.table.seats})
        more |= {"state": context.game.fold(context.state, entries) if entries else context.state, "entries": entries}
    return done(context, what, says, why, stored=stored, **more)


def _name(context: Context, name: str, row: SeatRow) -> str:
    found = relayed(name, NAME)
    if any(not letter.isprintable() or letter in ODD for letter in name):
        raise NotUnderstood(T("«{name}» is no name: something in it stands in no name.", name=found))
    if not found:
        raise NotUnderstood(T("A name is needed."))
    taken = [other.name for other in context.stored.table.seats if other.seat != row.seat]
    if found.casefold() in [other.casefold() for other in taken]:
        raise NotAllowed(T("Another seat is called {name}.", name=found))
    return found


def _with_holder(context: Context, holders: Sequence[Holder], fresh: Holder) -> tuple[Holder, ...]:
    known = {holder.seat: holder for holder in holders} | {fresh.seat: fresh}
    return tuple(known[Seat(row.seat)] for row in context.stored.table.seats if Seat(row.seat) in known)
