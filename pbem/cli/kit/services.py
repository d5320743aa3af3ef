"""The services of a host, for commands that act on its games or look through them as its desk does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pbem.cli.kit.call import Call
from pbem.cli.kit.stored import config_of
from pbem.daemon.service import Service, open_service
from pbem.moderation.deeds import revealed
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


def without_delimiter(body: str) -> str:
    """A mail's text without its first line, which tells where to answer."""
    return "\n".join(line for line in body.splitlines() if line != DELIMITER).strip("\n")
