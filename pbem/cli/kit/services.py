"""The services of a host, for commands that act on its games or look through them as its desk does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from engine.game import find
from pbem.cli.kit.call import Call
from pbem.cli.kit.stored import config_of
from pbem.daemon.service import Service, open_service
from pbem.moderation.deeds import named, revealed
from pbem.outbound.render import DELIMITER
from pbem.store.repo import GameRepo
from pbem.store.stored import Stored


@contextmanager
def opened(call: Call) -> Iterator[Service]:
    """Store, spool, people and desk."""
    service = open_service(config_of(call))
    try:
        yield service
    finally:
        service.close()


def look(call: Call, repo: GameRepo, seat: str = "") -> Stored:
    """The whole position, after a record that somebody has looked at it."""
    stored = Stored.read_public(repo)
    if seat and seat not in [row.seat for row in stored.table.seats]:
        return stored
    with opened(call) as service:
        return service.desk.change(repo.name, "show --reveal", lambda context: revealed(context, seat)).stored


def awaited(call: Call, repo: GameRepo) -> list[str]:
    """The seats that have not answered what is asked, a sealed answer too.

    Where the moderator plays, that is more than he may know: the table is told that somebody has looked.
    """
    public = Stored.read_public(repo)
    rules = find(public.table.kind)
    if not public.game or not any(one.sealed for one in rules.waiting(rules.load(public.game, {}))):
        return [one.seat for one in rules.waiting(rules.load(public.game, {}))] if public.game else []
    with opened(call) as service:
        if service.desk.services.people.moderator_sits(repo.name):
            stored = service.desk.change(repo.name, "awaited", named).stored
        else:
            stored = Stored.read(repo)
    return [one.seat for one in rules.waiting(rules.load(stored.game, stored.hidden)) if not one.answered]


awaited_option = click.option(
    "--awaited", is_flag=True, help="Name who has not given a sealed answer; where you play, the table is told."
)


def without_delimiter(body: str) -> str:
    """A mail's text without its first line, which tells where to answer."""
    return "\n".join(line for line in body.splitlines() if line != DELIMITER).strip("\n")
