"""The services of a host, for commands that act on its games or look through them as its desk does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pbem.cli.kit.call import Call
from pbem.cli.kit.stored import config_of
from pbem.daemon.service import Service, open_service
from pbem.desk.changes import Changes
from pbem.desk.commit import commit
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
    with opened(call) as service, service.store.open(repo.name).lock("show --reveal") as locked:
        stored = Stored.read(locked)
        if seat and seat not in [row.seat for row in stored.table.seats]:
            return stored
        services = service.desk.services
        rules = services.find(stored.table.kind)
        state = rules.load(stored.game, stored.hidden) if stored.game else None
        what = f"the secrets of {stored.table.seat(seat).name}" if seat else "all secrets"
        change = Changes("reveal", f"the host has looked at {what}", state, also=revealed(stored, seat))
        return commit(services, rules, locked, stored, change).stored


def without_delimiter(body: str) -> str:
    """A mail's text without its first line, which tells where to answer."""
    return "\n".join(line for line in body.splitlines() if line != DELIMITER).strip("\n")
