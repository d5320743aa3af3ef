"""Who holds a seat: another person, another name or address, a computer, or the person again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood
from engine.event_log import LogEntry
from engine.game import AnyGame, Seat
from engine.levels import level_text
from pbem.admin.admin_action import (
    LANGUAGE,
    MAX_REASON,
    SEAT,
    Argument,
    ArgumentKind,
    action_result,
    admin_action,
    ask_again,
    checked_reason,
    find_row,
    flag_argument,
    require_not_over,
)
from pbem.admin.persons import Person, checked_addresses
from pbem.desk.clock.clock_text import prolonged
from pbem.desk.core.context import Context
from pbem.desk.core.game_start import beginning, forget_holder, is_complete, with_answer
from pbem.desk.core.result import RETURNS, Result
from pbem.desk.core.seat_controller import (
    COMPUTER,
    PERSON,
    SUBSTITUTE_LEVEL,
    by_person,
    level_at,
    return_text,
    with_row,
)
from pbem.desk.core.services import Services
from pbem.host.people import Holder
from pbem.inbound.sanitize import clean_text
from pbem.outbound.mail import MailKind, Message
from pbem.store.game_table import SeatRow, Status
from pbem.store.state_file import StoredGame

MAX_NAME = 40
"""Characters of a name."""
ODD = "[]{}<>|\\"
"""Characters of no name; they are left of terminal colour codes."""


def _changes_hands(context: Context, given: Mapping[str, Any]) -> str:
    """The question before a seat changes hands, or gets a holder without an address."""
    row, name = find_row(context, given["seat"]), given["person"].name
    if not given["person"].addresses:
        return f"{name} has no address: nobody would be mailed for the seat of {row.name}. Do it?"
    return "" if name == row.name else f"Give the seat of {row.name} to {name}, for good?"


@admin_action(
    T("another person takes a seat"),
    SEAT,
    Argument(name="person", takes=ArgumentKind.PERSON, shown="Zoe <zoe@example.org>"),
    LANGUAGE,
    word="replace", sure=_changes_hands,
)  # fmt: skip
def replace_holder(
    context: Context, services: Services, seat: str, person: Person, why: str, language: str = ""
) -> Result:
    """Give a seat to another person.

    The keys of whoever held it are dead from then on; the new person is welcomed with the position and the secrets of
    the seat. The seat keeps its handle in orders. For a new address only, name the same person again, whose language,
    hours and other wishes for their mails stay.
    """
    require_not_over(context)
    row, text = find_row(context, seat), checked_reason(why)
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
    fresh = prolonged(services, context.stored.table.pace, (before, row), (holder, fresh))
    stored = forget_holder(with_row(context.stored, fresh), row.seat)
    if addresses and not stored.game:
        stored = _without_word(stored, row.seat)
    says = T("{name} has taken over the seat of {before}.", name=name, before=row.name)
    if hidden:
        says = T("Somebody else has taken over the seat of {before}.", before=row.name)
    kind = MailKind.INVITATION if context.state is None else MailKind.WELCOME
    welcome = Message(seat=holder.seat, kind=kind, position=True)
    known = _with_holder(context, holders, holder)
    return _renamed(context, stored, "replace", says, text, holders=known, answer=welcome)


@admin_action(
    T("corrects the address of a seat; the person stays, and nobody else is told"), SEAT,
    Argument(name="address", takes=ArgumentKind.NAME, shown="anna@example.org"),
)  # fmt: skip
def address(context: Context, services: Services, seat: str, address: str) -> Result:
    """Correct the address of whoever holds a seat.

    For one that was mistyped, or at which nobody reads mail. What went to the old address cannot be answered any more;
    the seat's mail with all that it needs goes to the new one. Nobody else is told.
    """
    row = find_row(context, seat)
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
    return holders, next(mine, Holder(Seat(row.seat), row.name, generation=row.generation))


def _without_word(stored: StoredGame, seat: str) -> StoredGame:
    """The table without the answer of the person before to the invitation."""
    table = stored.table
    joined = tuple(one for one in table.joined if one != seat)
    declined = tuple(one for one in table.declined if one != seat)
    words = {who: word for who, word in stored.secrets.words.items() if who != seat}
    secrets = replace(stored.secrets, words=words)
    return replace(stored, table=replace(table, joined=joined, declined=declined), secrets=secrets)


@admin_action(
    T("a seat is called otherwise"), SEAT, Argument(name="name", takes=ArgumentKind.NAME, shown="Annabel"),
)  # fmt: skip
def rename(context: Context, services: Services, seat: str, name: str, why: str = "") -> Result:
    """Call the player of a seat otherwise.

    The handle in orders stays as it is.
    """
    require_not_over(context)
    row = find_row(context, seat)
    fresh = _name(context, name, row)
    if fresh == row.name:
        raise NotAllowed(T("{name} is called so already.", name=fresh))
    holders, old = _holders(context, services, row)
    says = T("{before} is called {name} from now on.", before=row.name, name=fresh)
    # At an anonymous table the final mail tells the person's own name.
    called_so = old if context.stored.table.anonymous else replace(old, name=fresh)
    return _renamed(
        context, with_row(context.stored, replace(row, name=fresh)), "rename", says, clean_text(why, MAX_REASON),
        holders=_with_holder(context, holders, called_so),
    )  # fmt: skip


@admin_action(
    T("a computer plays for a seat; «off» gives it back"), SEAT,
    Argument(name="level", takes=ArgumentKind.NAME, default=SUBSTITUTE_LEVEL, optional=True, help="How well it plays."),
    flag_argument("off", "The person plays again."),
)  # fmt: skip
def computer(context: Context, seat: str, why: str, off: bool = False, level: str = "") -> Result:
    """Let a computer play for a seat, or give it back.

    It answers at once; before the game it has joined, without a word for the dice. Everybody is told which seat and
    which level; people are mailed when one of them is asked again. Whoever holds the seat takes it back with «back» in
    a letter, whenever they want.
    """
    require_not_over(context)
    row, plays = find_row(context, seat), "" if off else level_at(level or SUBSTITUTE_LEVEL, context.game)
    if off and row.by == PERSON:
        raise NotAllowed(T("{who} plays for {name} already.", who=T("a person"), name=row.name))
    if row.by == COMPUTER and plays == row.level:
        raise NotAllowed(T("{who} plays for {name} already.", who=T("a computer"), name=row.name))
    if off:
        returned = ask_again(with_row(context.stored, by_person(row)), row.seat)
        returned = _without_word(returned, row.seat) if context.state is None else returned
        return action_result(context, RETURNS, return_text(row.name), checked_reason(why), stored=returned)
    says = T("A computer (level {level}) plays for {name} from now on.", name=row.name, level=level_text(plays))
    stored = with_row(context.stored, replace(row, by=COMPUTER, level=plays))
    result = action_result(context, RETURNS, says, checked_reason(why), stored=stored)
    if context.state is not None:
        return result
    # A computer has no word for the dice; the word of a person who has joined stays.
    table = stored.table
    joined, declined = dict.fromkeys((*table.joined, row.seat)), [one for one in table.declined if one != row.seat]
    stored = with_answer(stored, Seat(row.seat), tuple(joined), declined, stored.secrets.words.get(row.seat, ""))
    result = replace(result, stored=stored)
    begun = table.status is Status.GATHERING and is_complete(stored)
    return replace(result, **beginning(context.game, stored)) if begun else result


def name_corrections(game: AnyGame, state: Any, names: Mapping[str, str]) -> tuple[LogEntry, ...]:
    """The entries that change the names in a position, where the game keeps names."""
    found: list[LogEntry] = []
    for seat, name in names.items():
        try:
            entry = game.moderation.change(state, f"{seat}.name", name)
        except NotAllowed:
            continue
        if entry.data.get("before") != name:
            found.append(entry)
    return tuple(found)


def _renamed(context: Context, stored: StoredGame, what: str, says: Msg, why: str, **more: Any) -> Result:
    """The result of an action that changes names, in the position, too."""
    if context.state is not None:
        entries = name_corrections(context.game, context.state, {row.seat: row.name for row in stored.table.seats})
        more |= {"state": context.game.fold(context.state, entries) if entries else context.state, "entries": entries}
    return action_result(context, what, says, why, stored=stored, **more)


def _name(context: Context, name: str, row: SeatRow) -> str:
    found = clean_text(name, MAX_NAME)
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
