"""Spectators by mail: followers of a table get its public view once a round.

The mail is made without opening a secret, so it can tell none. It has one name for its round and reader, so that it
is queued once even after a crash.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from email.headerregistry import Address
from typing import Any

from engine.catalog import Msg, T
from engine.errors import NotAllowed, PositionError
from engine.game import Seat
from pbem.admin.tables.player_tables import read_table
from pbem.desk.commands.game_news import news_lines
from pbem.desk.core.context import OVER, Context
from pbem.desk.core.services import Services
from pbem.desk.core.undo import ACTION_SENTENCE
from pbem.desk.desk import Desk
from pbem.desk.limits.bounce_reports import follower_key
from pbem.desk.transaction.compose import compose
from pbem.host.followers import Follower
from pbem.host.keys import message_id
from pbem.outbound.mail import Mail, MailKind, Message
from pbem.outbound.render import Thread
from pbem.store.database import OutgoingMail
from pbem.store.errors import StoreError
from pbem.store.game_table import Status

MAX_FOLLOWERS = 20
"""Followers of one table."""
MAX_FOLLOWED = 10
"""Tables that one person may follow."""


def check_followable(services: Services, address: str, game: str) -> None:
    """Raises NotAllowed unless the address may follow the table; a table that is not there is refused alike."""
    table = read_table(services, game)
    if table is None or not table.follow or table.status in OVER:
        raise NotAllowed(T("No table called {game} can be followed.", game=game))
    if any(address in one.addresses for one in services.people.holders(game)):
        raise NotAllowed(T("You sit at {game}, and its mails come to you.", game=game))
    ones = services.followers.of(game)
    if len(ones) >= MAX_FOLLOWERS and all(one.address != address for one in ones):
        raise NotAllowed(T("{n} people follow {game}, which is the most.", n=MAX_FOLLOWERS, game=game))
    if len(services.followers.followed(address)) >= MAX_FOLLOWED:
        raise NotAllowed(T("You follow {n} tables, which is the most.", n=MAX_FOLLOWED))


def follow_table(services: Services, address: str, game: str, language: str = "") -> tuple[Msg, ...]:
    """Let an address follow a table, in its `language`; what it is told. Raises NotAllowed."""
    # After a crash this may be the second time.
    if game not in services.followers.followed(address):
        check_followable(services, address, game)
        services.followers.keep(game, Follower(address, language=services.spoken(address) or language))
    return (
        T("You follow {game}: once a round a mail shows what everybody may see of it.", game=game),
        _ending(services, game),
    )


def unfollow_table(services: Services, address: str, game: str) -> tuple[Msg, ...]:
    """Stop following a table, or all where `game` is empty; what the address is told. Raises NotAllowed."""
    games = [one for one in services.followers.followed(address) if game in ("", one)]
    if not games and not game:
        raise NotAllowed(T("You follow no table."))
    for one in games:
        services.followers.drop(one, address)
    return (T("You do not follow {games} any more.", games=tuple(games) or (game,)),)


def mail_followers(desk: Desk, now: datetime) -> int:
    """Mail each follower a round that has begun, and the end; the number of mails. Unreadable tables wait."""
    count, services = 0, desk.services
    for game in services.followers.games():
        if not services.store.has(game):
            services.followers.drop(game)
            continue
        with suppress(StoreError, PositionError, LookupError):
            count += _of_table(desk, game, now)
    return count


def _of_table(desk: Desk, game: str, now: datetime) -> int:
    context = desk.look(game, lambda found: found, public=True)
    table, state = context.stored.table, context.state
    over = table.status in OVER
    if now < table.changed + timedelta(minutes=table.cooling) and not over:
        # The last answer may still be replaced.
        return 0
    stage = str(table.status) if over else "" if state is None else context.game.stage(state)
    due = [one for one in desk.services.followers.of(game) if stage and one.stage != stage]
    for one in due:
        _mail(desk.services, context, one, stage)
        if over:
            desk.services.followers.drop(game, one.address)
        else:
            desk.services.followers.keep(game, replace(one, stage=stage, heard=table.records))
    return len(due)


def _mail(services: Services, context: Context, one: Follower, stage: str) -> None:
    name = services.keys.mail(context.stored.table.game, f"follower {one.address}", stage)
    ident, host = message_id(name, services.renderer.host.domain), services.renderer.host
    to, people = Address("", addr_spec=one.address), services.people
    language = services.spoken(one.address) or people.usual
    raw = services.renderer.message(
        _view(services, context, one), to, Thread(), ident, services.clock(), language=language
    )
    back = host.reply_address(str(follower_key(services, one.address)))
    services.spool.enqueue(OutgoingMail(f"follow.{name}", "", one.address, raw, "follow", back))


def _view(services: Services, context: Context, one: Follower) -> Mail:
    """The public view, the news since the last one, and how to end these mails."""
    table, over = context.stored.table, context.stored.table.status in OVER
    notes = [T("This is what everybody may see of the table {game}, which you follow.", game=table.game)]
    if not over:
        notes.append(_ending(services, table.game))
    message = Message(kind=MailKind.NEWS, seat=Seat(""), public=True, notes=tuple(notes))
    if context.state is None:
        return replace(compose(context, message, ""), kind=MailKind.FINAL)
    # Who is away and why something was repaired is for the table only.
    past = context.past(one.heard) if one.heard else ()
    records = [
        replace(record, note="", also={name: part for name, part in record.also.items() if name != ACTION_SENTENCE})
        for record in past
    ]
    news = news_lines(context.game, context.state, context.names(), records, None, 0)
    more: dict[str, Any] = {"news": news, "waiting_for": () if over else tuple(_awaited(context))}
    if over:
        ended = table.status is Status.ENDED
        more |= {"kind": MailKind.FINAL, "result": context.game.result(context.state) if ended else None}
    return replace(compose(context, message, ""), **more)


def _awaited(context: Context) -> list[str]:
    """Names of those the table waits for, without sealed decisions, where names would tell who has answered."""
    return [context.names()[one.seat] for one in context.waiting() if not one.sealed]


def _ending(services: Services, game: str) -> Msg:
    return T("«unfollow {game}», written to {address}, ends it.", game=game, address=services.renderer.host.address)
