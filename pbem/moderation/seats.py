"""Who sits where: another person, another name, a computer or a person again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.catalog import T
from engine.chronicle import Entry
from engine.errors import NotAllowed, NotUnderstood
from engine.game import Game, Seat
from pbem.desk.answering import Case
from pbem.desk.computer import COMPUTER
from pbem.desk.draft import Draft
from pbem.host.checked import is_address
from pbem.host.people import Holder, People
from pbem.inbound.speech import relayed
from pbem.moderation.deeds import LONGEST, Deed, Drawn, asked_anew, done, reason, seat_of
from pbem.outbound.mail import MailKind
from pbem.store.stored import Stored
from pbem.store.table import SeatRow

NAME = 40
"""Characters of a name."""


def replaced(people: People, seat: str, name: str, addresses: Sequence[str], why: str, language: str = "en") -> Deed:
    """Another person takes a seat over: the keys of the one before are dead, the new one is welcomed."""

    def deed(case: Case) -> Drawn:
        row, text = seat_of(case, seat), reason(why)
        called_, addressed = _name(case, name, row), _addresses(addresses)
        holders = people.holders(case.stored.table.game)
        generation = 1 + next((one.generation for one in holders if one.seat == row.seat), 0)
        holder = Holder(Seat(row.seat), called_, addressed, generation, language=language)
        # Thread, counts and what was asked belong to the person before.
        fresh = SeatRow(row.seat, called_, told=row.told, heard=row.heard, generation=generation)
        stored = _without_word(_with_row(case.stored, fresh))
        kind = MailKind.INVITATION if case.state is None else MailKind.WELCOME
        data = {"what": "replace", "seat": row.seat, "before": row.name}
        return _renamed(
            case, stored, data, text, holders=_with_holder(case, holders, holder),
            answer=Draft(holder.seat, kind, position=True),
        )  # fmt: skip

    def _without_word(stored: Stored) -> Stored:
        """What the person before answered to the invitation counts no more, unless the dice are fixed."""
        table = stored.table
        if stored.game or not addresses:
            return stored
        row = next(row for row in table.seats if seat.strip().casefold() in (row.seat, row.name.casefold()))
        joined = tuple(one for one in table.joined if one != row.seat)
        declined = tuple(one for one in table.declined if one != row.seat)
        words = {who: word for who, word in stored.secrets.words.items() if who != row.seat}
        secrets = replace(stored.secrets, words=words)
        return replace(stored, table=replace(table, joined=joined, declined=declined), secrets=secrets)

    return deed


def rename(people: People, seat: str, name: str, why: str = "") -> Deed:
    """A seat is called otherwise; its handle in orders stays."""

    def deed(case: Case) -> Drawn:
        row = seat_of(case, seat)
        fresh = _name(case, name, row)
        if fresh == row.name:
            raise NotAllowed(T("{name} is called so already.", name=fresh))
        holders = people.holders(case.stored.table.game)
        old = next((one for one in holders if one.seat == row.seat), Holder(Seat(row.seat), row.name))
        data = {"what": "rename", "seat": row.seat, "before": row.name, "after": fresh}
        return _renamed(
            case, _with_row(case.stored, replace(row, name=fresh)), data, relayed(why, LONGEST),
            holders=_with_holder(case, holders, replace(old, name=fresh)),
        )  # fmt: skip

    return deed


def computer(seat: str, why: str, on: bool = True) -> Deed:
    """A computer answers for a seat from now on, or the person again."""

    def deed(case: Case) -> Drawn:
        row, by = seat_of(case, seat), COMPUTER if on else "person"
        if row.by == by:
            holds = T("a computer") if on else T("a person")
            raise NotAllowed(T("{who} plays for {name} already.", who=holds, name=row.name))
        stored = _with_row(case.stored, replace(row, by=by))
        data = {"what": "computer", "seat": row.seat, "by": by}
        return done(case, data, reason(why), stored=stored if on else asked_anew(stored, row.seat))

    return deed


def called(game: Game, state: Any, names: Mapping[str, str]) -> tuple[Entry, ...]:
    """The entries that make a position call its seats so, as far as the game keeps names."""
    found: list[Entry] = []
    for seat, name in names.items():
        try:
            entry = game.change(state, f"{seat}.name", name)
        except NotAllowed:
            continue
        if entry.data.get("before") != name:
            found.append(entry)
    return tuple(found)


def _renamed(case: Case, stored: Stored, data: dict[str, Any], why: str, **more: Any) -> Drawn:
    """A deed whose new names reach the position, too."""
    if case.state is None:
        return done(case, data, why, stored=stored, **more)
    entries = called(case.game, case.state, {row.seat: row.name for row in stored.table.seats})
    state = case.game.fold(case.state, entries) if entries else case.state
    return done(case, data, why, stored=stored, state=state, entries=entries, **more)


def _name(case: Case, name: str, row: SeatRow) -> str:
    found = relayed(name, NAME)
    if not found:
        raise NotUnderstood(T("A name is needed."))
    taken = [other.name for other in case.stored.table.seats if other.seat != row.seat]
    if found.casefold() in [other.casefold() for other in taken]:
        raise NotAllowed(T("Another seat is called {name}.", name=found))
    return found


def _addresses(addresses: Sequence[str]) -> tuple[str, ...]:
    found = tuple(address.strip().lower() for address in addresses if address.strip())
    for address in found:
        if not is_address(address):
            raise NotAllowed(T("«{address}» is no address that mail can be sent to.", address=relayed(address, 80)))
    return found


def _with_row(stored: Stored, fresh: SeatRow) -> Stored:
    rows = tuple(fresh if row.seat == fresh.seat else row for row in stored.table.seats)
    return replace(stored, table=replace(stored.table, seats=rows))


def _with_holder(case: Case, holders: Sequence[Holder], fresh: Holder) -> tuple[Holder, ...]:
    known = {holder.seat: holder for holder in holders} | {fresh.seat: fresh}
    return tuple(known[Seat(row.seat)] for row in case.stored.table.seats if Seat(row.seat) in known)
