"""The seats of a table before its game: inviting one more, joining, and starting without those who do not answer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from engine.catalog import T
from engine.errors import NotAllowed
from engine.kit.words import fold_text
from pbem.admin.admin_action import LANGUAGE, MAX_REASON, Argument, ArgumentKind, action_result, admin_action, find_row
from pbem.admin.persons import Person
from pbem.admin.tables.opening import Invited, check_seat_count, draw_alias, new_holder
from pbem.desk.core.context import Context
from pbem.desk.core.game_start import beginning, forget_holder, is_complete, missing_words, with_answer
from pbem.desk.core.result import Result
from pbem.desk.core.services import Services
from pbem.desk.pregame.gathering import free_places
from pbem.host.people import Holder
from pbem.inbound.sanitize import clean_text
from pbem.outbound.mail import MailKind, Message
from pbem.store.game_table import SeatRow, Status, Table
from pbem.store.state_file import StoredGame


def _gathers(context: Context) -> None:
    if context.stored.table.status is not Status.GATHERING:
        raise NotAllowed(T("The game has begun already."))


@admin_action(
    T("begins the game without seats that have not answered, or that have said no"),
    Argument(
        name="without", takes=ArgumentKind.SEAT, shown="without cleo", optional=True, option=True,
        help="A seat that is left out; several with commas.",
    ),
)  # fmt: skip
def start(context: Context, services: Services, without: str, why: str = "") -> Result:
    """Begin a game without waiting for everybody.

    The seats that --without names are taken away, with their keys; whoever has joined stays. The game must still be
    for as many as are left, and all of them must have joined: only they say yes for themselves.
    """
    _gathers(context)
    table = context.stored.table
    gone = [find_row(context, word) for word in re.split(r"[,\s]+", without) if word]
    for row in gone:
        if row.seat in table.joined:
            raise NotAllowed(T("{name} has joined, and cannot be left out.", name=row.name))
    stored = _seated(context, tuple(row for row in table.seats if row not in gone), 0)
    if missing := missing_words(stored):
        names = tuple(table.seat(seat).name for seat in missing)
        raise NotAllowed(
            T("Not everybody has joined; an answer is missing from {names}.", names=names),
            possible=(T("start without {seats}", seats=tuple(str(seat) for seat in missing)),),
        )
    holders = _clockwise(stored, services.people.holders(table.game))
    names = tuple(row.name for row in gone)
    says = T("The game begins without {names}.", names=names) if gone else T("The game begins.")
    result = action_result(context, "start", says, clean_text(why, MAX_REASON), stored=stored, holders=holders)
    return replace(result, **beginning(context.game, stored))


@admin_action(
    T("invites one more to a table that has not begun"),
    Argument(name="person", takes=ArgumentKind.PERSON, shown="Zoe <zoe@example.org>"),
    LANGUAGE,
)  # fmt: skip
def invite(context: Context, services: Services, person: Person, why: str = "", language: str = "") -> Result:
    """Invite one more to a table that has not begun.

    The new seat is the last one, clockwise, unless the table is anonymous. The hash over seed and host's word stays as
    it was published.
    """
    _gathers(context)
    one = Invited(person.name, person.addresses, language=language)
    stored, new, people = _with_newcomer(context, services, one)
    if not new.addresses:
        raise NotAllowed(T("An invitation needs an address."), possible=(T("Zoe <zoe@example.org>"),))
    called = stored.table.seat(new.seat).name
    return action_result(
        context, "invite", T("{name} is invited to the table.", name=called), clean_text(why, MAX_REASON),
        stored=stored, holders=people, concerned=(),
        answer=Message(seat=new.seat, kind=MailKind.INVITATION, position=True),
    )  # fmt: skip


def seat_newcomer(context: Context, services: Services, one: Invited) -> Result:
    """Seat a newcomer at a free place, or in place of one who has declined.

    With a word they have joined; without one they are invited. Raises NotAllowed when the table is full.
    """
    table = context.stored.table
    if table.status is not Status.GATHERING or not free_places(table, table.declined):
        raise NotAllowed(T("No place is free at the table {game}.", game=table.game))
    # At a full table the seat that has declined first goes.
    out = next(iter(table.declined), "") if len(table.seats) >= table.places else ""
    stored, new, people = _with_newcomer(context, services, replace(one, name=_unlike(one.name, table)), out)
    called = stored.table.seat(new.seat).name
    message = Message(seat=new.seat, kind=MailKind.INVITATION, position=True)
    more: dict[str, Any] = {}
    if one.word is not None:
        stored = with_answer(stored, new.seat, (*stored.table.joined, new.seat), stored.table.declined, one.word)
        message = replace(message, kind=MailKind.RECEIPT, notes=(T("You have joined; your word is fixed."),))
        if is_complete(stored):
            message, more = replace(message, kind=MailKind.WELCOME), beginning(context.game, stored)
    says = T("{name} has come to the table.", name=called)
    if more:
        says = T("{name} has come to the table. All are here, and the game begins.", name=called)
    result = action_result(context, "join", says, stored=stored, holders=people, answer=message, concerned=())
    return replace(result, **more)


def _with_newcomer(
    context: Context, services: Services, one: Invited, out: str = ""
) -> tuple[StoredGame, Holder, tuple[Holder, ...]]:
    """The table with one more seat, without the seat `out`; its new holder, and all holders clockwise."""
    table, holders = context.stored.table, services.people.holders(context.stored.table.game)
    seed = bytes.fromhex(context.stored.secrets.seed)
    alias = draw_alias(context.game, holders, seed) if table.anonymous else ""
    new = services.people.known(new_holder(context.game, one, holders, alias))
    # No earlier key of a seat of this name fits this generation.
    new = replace(new, generation=table.records + 2)
    fresh = SeatRow(new.seat, new.seat.title() if alias else new.name, generation=new.generation)
    stored = _seated(context, (*(row for row in table.seats if row.seat != out), fresh), table.places)
    return stored, new, _clockwise(stored, (*holders, new))


def _clockwise(stored: StoredGame, people: Iterable[Holder]) -> tuple[Holder, ...]:
    """The holders who have a seat, in the order of the seats."""
    known = {str(one.seat): one for one in people}
    return tuple(known[row.seat] for row in stored.table.seats if row.seat in known)


def _unlike(name: str, table: Table) -> str:
    """The name, with a number where another at the table has it."""
    taken, count, found = {fold_text(row.name).strip() for row in table.seats}, 1, name
    while fold_text(found).strip() in taken:
        count += 1
        found = f"{name} {count}"
    return found


def _seated(context: Context, rows: tuple[SeatRow, ...], places: int) -> StoredGame:
    """The table with these seats for `places` players, with options settled for so many."""
    table, seats, size = context.stored.table, {row.seat for row in rows}, max(len(rows), places)
    check_seat_count(context.game, size)
    if table.anonymous:
        # The last place would tell who came last.
        rows = tuple(sorted(rows, key=lambda row: row.seat))
    table = replace(
        table, seats=rows, places=places, options=context.game.settle_options(size, table.options),
        joined=tuple(one for one in table.joined if one in seats),
        declined=tuple(one for one in table.declined if one in seats),
        first=table.first if table.first in seats else "",
    )  # fmt: skip
    stored = replace(context.stored, table=table)
    for row in context.stored.table.seats:
        stored = stored if row.seat in seats else forget_holder(stored, row.seat)
    return stored
