"""Tables that players open and join by mail, within the host's `[tables]` settings.

The asker is proven, by a key or by an answer (`pbem.moderation.wishes`). Invitations are limited, so that nobody is
flooded: a named person gets one mail, which `decline` ends, and few such mails a day.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from engine.catalog import Msg, T
from engine.errors import NotAllowed, OrderRefused, PositionError
from engine.game import Seat
from pbem.clocks.pace import OPTIONS, ways
from pbem.desk.budgets import midnight
from pbem.desk.context import Context
from pbem.desk.desk import Desk
from pbem.desk.joining import chosen, free, kept_for
from pbem.desk.outlines import outlines
from pbem.desk.result import Result
from pbem.desk.services import Services
from pbem.host.wishes import Asker
from pbem.inbound.letter import Letter
from pbem.moderation.deed import done
from pbem.moderation.gathering import joined_by
from pbem.moderation.opening import Invited, Opening, open_table
from pbem.moderation.wanted import opening_of, plain_name
from pbem.store.record import LetterMark
from pbem.store.stored import Stored
from pbem.store.table import Status, Table
from pbem.store.trouble import StoreError

NAMED = 6
"""People whom one player may invite in a day."""
MAILED = 2
"""Invitations by players that one mailbox gets in a day; from people it has not played with, one."""
APART = timedelta(days=30)
"""Time between two invitations of one mailbox by a player it has not played with."""
OPEN_FOR = timedelta(days=30)
"""After this time a player's table that has not begun is given up."""
SHARE = 3
"""Newcomers of one domain may open the n-th part of the tables that may wait."""


def known(services: Services, address: str) -> bool:
    """Whether an address has a seat that it took itself or that the moderator gave it."""
    if address in services.people.moderator.addresses:
        return True
    for game, seat in services.people.seats_of(address):
        table = read_table(services, game)
        if table is not None and (not table.wish or table.status is not Status.GATHERING or seat in table.joined):
            return True
    return False


def _is_new(services: Services, address: str) -> bool:
    """Whether an address is a newcomer: it has no seat in a game that has begun, nor one from the moderator."""
    if address in services.people.moderator.addresses:
        return False
    found = (read_table(services, game) for game, _ in services.people.seats_of(address))
    return all(one is None or (one.wish and one.status is Status.GATHERING) for one in found)


def _by_newcomers(services: Services) -> list[str]:
    """The mail domains of the newcomers who opened waiting tables, one a table."""
    openers = (services.people.holders(table.game)[:1] for table in waiting(services))
    addresses = (one.addresses[0] for found in openers for one in found if one.addresses)
    return [address.rpartition("@")[2] for address in addresses if _is_new(services, address)]


def waiting(services: Services) -> Iterator[Table]:
    """Tables that players opened and that have not begun."""
    for game, one in outlines(services):
        if one.wish and one.status is Status.GATHERING and (table := read_table(services, game)) is not None:
            yield table


def read_table(services: Services, game: str) -> Table | None:
    """The public table of a game; None where it cannot be read."""
    with suppress(StoreError, PositionError):
        return Stored.read_public(services.store.open(game)).table
    return None


def listing(services: Services) -> tuple[Msg, ...]:
    """The tables that may be joined, a line each."""
    joinable = (table for table in waiting(services) if free(table, table.declined))
    lines = tuple(line_of(services, table) for table in joinable)
    return (T("Tables with a free place:"), *lines) if lines else (T("No table has a free place now."),)


def line_of(services: Services, table: Table, *, joining: bool = True) -> Msg:
    """A table in one line: game, options, players; with `joining`, how it is joined."""
    game = services.find(table.kind)
    options = {**table.options, **ways(table)}
    ones = tuple(shown for shown, _ in chosen((*game.options, *OPTIONS), options))
    found: dict[str, Any] = {
        "game": table.game, "title": game.title, "n": table.places, "options": ones or T("the usual options"),
        "names": tuple(row.name for row in table.seats if row.seat not in table.declined),
    }  # fmt: skip
    if not joining:
        return T("{game}: {title}, {n} players, {options}; there are {names}.", **found)
    return T("{game}: {title}, {n} players, {options}; there are {names}. «join {game}» takes a place.", **found)


def opened(desk: Desk, asker: Asker, line: str, word: str = "") -> tuple[Msg, ...]:
    """Open the table that a line asks for, joined by its writer with a word for the dice; what they are told.

    After a crash the same call finds the same table. Raises OrderRefused, StoreError.
    """
    services = desk.services
    opening = opening_of(services, asker, line, word)
    game = next((name for name, one in outlines(services) if one.wish == asker.mark), "")
    if not game:
        _measured(services, asker, opening)
        game = open_table(desk, opening).table.game
    left = opening.places - len(opening.invited)
    if opening.places == 1:
        return (T("The table {game} is open, and its game begins.", game=game),)
    told = [T("The table {game} is open, and you have joined it; its invitation comes to you, too.", game=game)]
    if left:
        told.append(
            T(
                "{n} place is free. Whoever writes «join {game}» to {host} takes it.",
                "{n} places are free. Whoever writes «join {game}» to {host} takes one.",
                n=left, game=game, host=services.renderer.host.address,
            )
        )  # fmt: skip
    days = OPEN_FOR.days
    told.append(
        T("When all are here and have joined, it begins, and you are told; after {n} days without that it is given up.",
          n=days)
    )  # fmt: skip
    return tuple(told)


def _measured(services: Services, asker: Asker, opening: Opening) -> None:
    """Count a table that is to be opened against the limits. Raises NotAllowed beyond them."""
    policy, spool, now = services.tables, services.spool, services.clock()
    today, me = midnight(now), services.keys.mailbox(asker.address)
    new, new_ones = _is_new(services, asker.address), _by_newcomers(services)
    # Newcomers' tables do not count against people who are known here.
    if sum(1 for _ in waiting(services)) - (0 if new else len(new_ones)) >= policy.waiting:
        raise NotAllowed(
            T("{n} tables wait for players here, which is the most.", n=policy.waiting), possible=(T("tables"),)
        )
    domain, share = asker.address.rpartition("@")[2], max(1, policy.waiting // SHARE)
    if new and new_ones.count(domain) >= share:
        raise NotAllowed(
            T(
                "{n} tables wait here that people of {domain} have opened and that have not begun, which is the most "
                "for people who have not played here yet; you may join one of them.",
                n=share, domain=domain,
            ),
            possible=(T("tables"),),
        )  # fmt: skip
    if spool.spent(f"opens {me}", today, now) >= policy.a_day:
        raise NotAllowed(T("You have opened {n} tables today, which is the most.", n=policy.a_day))
    others = [services.keys.mailbox(one.addresses[0]) for one in opening.invited[1:]]
    if spool.spent(f"invites {me}", today, now) + len(others) > NAMED:
        raise NotAllowed(T("At most {n} people are invited for you in a day.", n=NAMED))
    for one, mark in zip(opening.invited[1:], others, strict=True):
        friends = _acquainted(services, asker.address, one.addresses[0])
        again = spool.spent(f"invites {me} {mark}", now - APART, now) and not friends
        if again or spool.spent(f"invited {mark}", today, now) >= (MAILED if friends else 1):
            raise NotAllowed(
                T(
                    "{address} cannot be invited by mail for now. Let them write «join» and the name of the table.",
                    address=one.addresses[0],
                ),
                possible=(T("new troyes 3 players"),),
            )
    spool.spend(f"opens {me}", asker.mark, now)
    spool.spend(f"invites {me}", asker.mark, now, len(others))
    for mark in others:
        spool.spend(f"invites {me} {mark}", asker.mark, now)
        spool.spend(f"invited {mark}", asker.mark, now)


def _acquainted(services: Services, one: str, other: str) -> bool:
    """Whether two addresses have a game together that has begun."""
    shared = {game for game, _ in services.people.seats_of(one)} & {game for game, _ in services.people.seats_of(other)}
    tables = (read_table(services, game) for game in shared)
    return any(table is not None and table.status is not Status.GATHERING for table in tables)


def gathering(services: Services, game: str) -> Table:
    """A table that may be joined. Raises NotAllowed, with the same sentence where there is no such table."""
    table = read_table(services, game)
    if table is None or table.status is not Status.GATHERING or not free(table, table.declined):
        raise NotAllowed(T("No table called {game} has a free place.", game=game), possible=(T("tables"),))
    return table


def joined(desk: Desk, asker: Asker, game: str, word: str | None, letter: Letter, mark: LetterMark) -> None:
    """Seat the asker at a table; its mail is the answer. Raises NotAllowed where no place is free, StoreError."""
    services = desk.services
    if not services.store.has(game):
        gathering(services, game)
    with services.store.open(game).lock("a letter") as repo:
        if desk.taken_before(repo, letter, mark, services.spool.attempts(letter.digest)):
            return
        gathering(services, game)
        context = desk.context(repo)
        holders = services.people.holders(game)
        gone = context.stored.table.declined
        if any(asker.address in one.addresses and one.seat not in gone for one in holders):
            raise NotAllowed(T("You have a seat at {game} already; its invitation is what you answer.", game=game))
        name = plain_name(asker.name) or "Player"
        invited = Invited(name, (asker.address,), word, language=asker.language)
        desk.commit(context, replace(joined_by(context, services, invited), letter=mark))


def give_up(desk: Desk, now: datetime) -> None:
    """Give up players' tables that have not begun in time, and earlier the places of those who have not answered.

    Everybody who has joined is told.
    """
    for table in waiting(desk.services):
        with suppress(StoreError, OrderRefused):
            if now - table.opened >= OPEN_FOR:
                desk.change(table.game, "nobody fills it", _given_up)
            elif now - table.opened >= kept_for(table.pace) and _silent(table):
                desk.change(table.game, "nobody answers", _place_given_up)


def _silent(table: Table) -> tuple[str, ...]:
    """Seats that were named when the table was opened, and have not answered their invitation."""
    heard = {*table.joined, *table.declined}
    return tuple(row.seat for row in table.seats if row.seat not in heard and row.generation == 1)


def _place_given_up(context: Context) -> Result:
    """Count silent seats as declined; a late `join` takes the place back while it is free."""
    table = context.stored.table
    if table.status is not Status.GATHERING or not (silent := _silent(table)):
        raise NotAllowed(T("The game has begun already."))
    names = tuple(table.seat(seat).name for seat in silent)
    says = T("{names} has not answered; the place is free.", "{names} have not answered; their places are free.",
             n=len(names), names=names)  # fmt: skip
    stored = replace(context.stored, table=replace(table, declined=(*table.declined, *silent)))
    return done(context, "decline", says, stored=stored, concerned=tuple(Seat(seat) for seat in table.joined))


def _given_up(context: Context) -> Result:
    table = context.stored.table
    if table.status is not Status.GATHERING:
        raise NotAllowed(T("The game has begun already."))
    says = T("The table has not begun within {n} days, and is given up.", n=OPEN_FOR.days)
    there = tuple(row.seat for row in context.stored.rows if row.seat in table.joined)
    return done(context, "abandon", says, status=Status.ABANDONED, concerned=there)
