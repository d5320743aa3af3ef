"""Opens the host's services, for commands that act on games or read secrets; says which looks are recorded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from engine.game import find_game
from pbem.admin.actions.lifecycle import record_awaited_look, record_reveal
from pbem.cli.kit.call import Call
from pbem.cli.kit.stored import config_of
from pbem.daemon.service import Service, open_service
from pbem.outbound.render import DELIMITER
from pbem.store.game_repo import GameRepo
from pbem.store.state_file import StoredGame


@contextmanager
def open_host(call: Call) -> Iterator[Service]:
    """Store, spool, people and desk."""
    service = open_service(config_of(call))
    try:
        yield service
    finally:
        service.close()


def read_with_secrets(call: Call, repo: GameRepo, seat: str = "") -> StoredGame:
    """Read a position with its secrets, after a record that somebody has looked."""
    stored = StoredGame.read_public(repo)
    if seat and seat not in [row.seat for row in stored.table.seats]:
        return stored
    with open_host(call) as service:
        return service.desk.change(repo.name, "show --reveal", lambda context: record_reveal(context, seat)).stored


def awaited_seats(call: Call, repo: GameRepo) -> list[str]:
    """The seats that have not answered, sealed answers too.

    A moderator who plays may not know that, so the look is recorded and told.
    """
    stored = StoredGame.read_public(repo)
    rules = find_game(stored.table.kind)
    waiting = rules.waiting(rules.load(stored.game, {})) if stored.game else ()
    if not any(one.sealed for one in waiting):
        return [one.seat for one in waiting]
    with open_host(call) as service:
        if service.desk.services.people.moderator_sits(repo.name):
            # The very state whose look is told.
            stored = service.desk.change(repo.name, "awaited", record_awaited_look).stored
        else:
            stored = StoredGame.read(repo)
    return [one.seat for one in rules.waiting(rules.load(stored.game, stored.hidden)) if not one.answered]


awaited_option = click.option(
    "--awaited", is_flag=True, help="Name who has not given a sealed answer; where you play, the table is told."
)


def without_delimiter(body: str) -> str:
    """A mail's text without the line that tells where to answer."""
    return "\n".join(line for line in body.splitlines() if line != DELIMITER).strip("\n")
