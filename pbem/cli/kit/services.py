"""Opens the host's services, for commands that act on games or read secrets; a look at secrets is recorded."""

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
    """Read a position with its secrets, after a record that somebody has looked."""
    stored = Stored.read_public(repo)
    if seat and seat not in [row.seat for row in stored.table.seats]:
        return stored
    with opened(call) as service:
        return service.desk.change(repo.name, "show --reveal", lambda context: revealed(context, seat)).stored


def awaited(call: Call, repo: GameRepo) -> list[str]:
    """The seats that have not answered, sealed answers too.

    A moderator who plays may not know that, so the look is recorded and told.
    """
    stored = Stored.read_public(repo)
    rules = find(stored.table.kind)
    waiting = rules.waiting(rules.load(stored.game, {})) if stored.game else ()
    if not any(one.sealed for one in waiting):
        return [one.seat for one in waiting]
    with opened(call) as service:
        if service.desk.services.people.moderator_sits(repo.name):
            service.desk.change(repo.name, "awaited", named)
    stored = Stored.read(repo)
    return [one.seat for one in rules.waiting(rules.load(stored.game, stored.hidden)) if not one.answered]


awaited_option = click.option(
    "--awaited", is_flag=True, help="Name who has not given a sealed answer; where you play, the table is told."
)


def without_delimiter(body: str) -> str:
    """A mail's text without the line that tells where to answer."""
    return "\n".join(line for line in body.splitlines() if line != DELIMITER).strip("\n")
