"""Tables that players open and join by mail, within the host's `[tables]` settings.

The asker is proven, by a key or by an answer (`pbem.admin.host_requests`). Invitations are limited, so that nobody is
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
from pbem.admin.admin_action import action_result
from pbem.admin.tables.invitations import seat_newcomer
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.admin.tables.opening_parser import parse_opening, plain_name
from pbem.clocks.pace import TABLE_OPTIONS, option_texts
from pbem.desk.clock.table_summaries import table_summaries
from pbem.desk.core.context import Context
from pbem.desk.core.result import Result
from pbem.desk.core.services import Services
from pbem.desk.desk import Desk
from pbem.desk.limits.rate_limits import midnight
from pbem.desk.pregame.gathering import chosen_options, free_places, place_kept_for
from pbem.host.pending_requests import Requester
from pbem.inbound.incoming_letter import Letter
from pbem.store.commit_record import AnsweredLetter
from pbem.store.errors import StoreError
from pbem.store.game_table import Status, Table
from pbem.store.state_file import StoredGame

INVITING_A_DAY = 6
"""People whom one player may invite in a day."""
INVITED_A_DAY = 2
"""Invitations by players that one mailbox gets in a day; from people it has not played with, one."""
INVITE_AGAIN_AFTER = timedelta(days=30)
"""Time between two invitations of one mailbox by a player it has not played with."""
OPEN_FOR = timedelta(days=30)
"""After this time a player's table that has not begun is given up."""
NEWCOMERS_SHARE = 3
"""Newcomers of one domain may open the n-th part of the tables that may wait."""


def is_known_player(services: Services, address: str) -> bool:
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
    openers = (services.people.holders(table.game)[:1] for table in waiting_tables(services))
    addresses = (one.addresses[0] for found in openers for one in found if one.addresses)
    return [address.rpartition("@")[2] for address in addresses if _is_new(services, address)]


def waiting_tables(services: Services) -> Iterator[Table]:
    """Tables that players opened and that have not begun."""
    for game, one in table_summaries(services):
        if one.wish and one.status is Status.GATHERING and (table := read_table(services, game)) is not None:
            yield table


def read_table(services: Services, game: str) -> Table | None:
    """The public table of a game; None where it cannot be read."""
    with suppress(StoreError, PositionError):
        return StoredGame.read_public(services.store.open(game)).table
    return None


def tables_text(services: Services) -> tuple[Msg, ...]:
    """The tables that may be joined, a line each."""
    joinable = (table for table in waiting_tables(services) if free_places(table, table.declined))
    lines = tuple(table_line(services, table) for table in joinable)
    return (T("Tables with a free place:"), *lines) if lines else (T("No table has a free place now."),)


def table_line(services: Services, table: Table, *, joining: bool = True) -> Msg:
    """A table in one line: game, options, players; with `joining`, how it is joined."""
    game = services.find(table.kind)
    options = {**table.options, **option_texts(table)}
    ones = tuple(shown for shown, _ in chosen_options((*game.options, *TABLE_OPTIONS), options))
    found: dict[str, Any] = {
        "game": table.game, "title": game.title, "n": table.places, "options": ones or T("the usual options"),
        "names": tuple(row.name for row in table.seats if row.seat not in table.declined),
    }  # fmt: skip
    if not joining:
        return T("{game}: {title}, {n} players, {options}; there are {names}.", **found)
    return T("{game}: {title}, {n} players, {options}; there are {names}. «join {game}» takes a place.", **found)


def open_requested(desk: Desk, asker: Requester, line: str, word: str = "") -> tuple[Msg, ...]:
    """Open the table that a line asks for, joined by its writer with a word for the dice; what they are told.

    After a crash the same call finds the same table. Raises OrderRefused, StoreError.
    """
    services = desk.services
    opening = parse_opening(services, asker, line, word)
    game = next((name for name, one in table_summaries(services) if one.wish == asker.mark), "")
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


def _measured(services: Services, asker: Requester, opening: Opening) -> None:
    """Count a table that is to be opened against the limits. Raises NotAllowed beyond them."""
    policy, spool, now = services.tables, services.spool, services.clock()
    today, me = midnight(now), services.keys.mailbox(asker.address)
    new, new_ones = _is_new(services, asker.address), _by_newcomers(services)
    # Newcomers' tables do not count against people who are known here.
    if sum(1 for _ in waiting_tables(services)) - (0 if new else len(new_ones)) >= policy.waiting:
        raise NotAllowed(
            T("{n} tables wait for players here, which is the most.", n=policy.waiting), possible=(T("tables"),)
        )
    domain, share = asker.address.rpartition("@")[2], max(1, policy.waiting // NEWCOMERS_SHARE)
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
    if spool.spent(f"invites {me}", today, now) + len(others) > INVITING_A_DAY:
        raise NotAllowed(T("At most {n} people are invited for you in a day.", n=INVITING_A_DAY))
    for one, mark in zip(opening.invited[1:], others, strict=True):
        friends = _acquainted(services, asker.address, one.addresses[0])
        again = spool.spent(f"invites {me} {mark}", now - INVITE_AGAIN_AFTER, now) and not friends
        if again or spool.spent(f"invited {mark}", today, now) >= (INVITED_A_DAY if friends else 1):
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


def joinable_table(services: Services, game: str) -> Table:
    """A table that may be joined. Raises NotAllowed, with the same sentence where there is no such table."""
    table = read_table(services, game)
    if table is None or table.status is not Status.GATHERING or not free_places(table, table.declined):
        raise NotAllowed(T("No table called {game} has a free place.", game=game), possible=(T("tables"),))
    return table


def join_table(desk: Desk, asker: Requester, game: str, word: str | None, letter: Letter, mark: AnsweredLetter) -> None:
    """Seat the asker at a table; its mail is the answer. Raises NotAllowed where no place is free, StoreError."""
    services = desk.services
    if not services.store.has(game):
        joinable_table(services, game)
    with services.store.open(game).lock("a letter") as repo:
        if desk.taken_before(repo, letter, mark, services.spool.attempts(letter.digest)):
            return
        joinable_table(services, game)
        context = desk.context(repo)
        holders = services.people.holders(game)
        gone = context.stored.table.declined
        if any(asker.address in one.addresses and one.seat not in gone for one in holders):
            raise NotAllowed(T("You have a seat at {game} already; its invitation is what you answer.", game=game))
        name = plain_name(asker.name) or "Player"
        invited = Invited(name, (asker.address,), word, language=asker.language)
        desk.commit(context, replace(seat_newcomer(context, services, invited), letter=mark))


def give_up_stale(desk: Desk, now: datetime) -> None:
    """Give up players' tables that have not begun in time, and earlier the places of those who have not answered.

    Everybody who has joined is told.
    """
    for table in waiting_tables(desk.services):
        with suppress(StoreError, OrderRefused):
            if now - table.opened >= OPEN_FOR:
                desk.change(table.game, "nobody fills it", _given_up)
            elif now - table.opened >= place_kept_for(table.pace) and _silent(table):
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
    return action_result(context, "decline", says, stored=stored, concerned=tuple(Seat(seat) for seat in table.joined))


def _given_up(context: Context) -> Result:
    table = context.stored.table
    if table.status is not Status.GATHERING:
        raise NotAllowed(T("The game has begun already."))
    says = T("The table has not begun within {n} days, and is given up.", n=OPEN_FOR.days)
    there = tuple(row.seat for row in context.stored.rows if row.seat in table.joined)
    return action_result(context, "abandon", says, status=Status.ABANDONED, concerned=there)
