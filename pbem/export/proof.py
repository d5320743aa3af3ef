"""The dice of a stored game, checked as those of its full export are, and against what its first commit published.

What this cannot show is whether the host has read the seed meanwhile (SECURITY.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine import game as games
from engine.game import AnyGame
from pbem.export.document import document
from pbem.export.inquiry import Inquiry, inquire
from pbem.export.sight import Sight
from pbem.export.source import Source, read
from pbem.store.repo import GameRepo
from pbem.store.stored import Stored
from pbem.store.table import Status
from pbem.store.words import Words


class NotOver(Exception):  # noqa: N818 - a refusal, not a defect
    """The seed of a game that goes on is not looked at unasked."""


def is_running(repo: GameRepo) -> bool:
    """Whether the game is not over, so that a check has to open its secrets."""
    return Stored.read_public(repo).table.status is not Status.ENDED


def check(
    repo: GameRepo, reveal: bool = False, find: Callable[[str], AnyGame] = games.find, words: Words | None = None
) -> Inquiry:
    """Check a game. Raises NotOver for one that goes on unless `reveal`; LookupError, PositionError, StoreError."""
    if is_running(repo) and not reveal:
        raise NotOver(
            f"{repo.name} is not over, and its seed stays unread until then; with --reveal it is checked all the same, "
            "and the table is told that you have looked"
        )
    # Of a game that is over everything is public; of another, somebody has asked for it.
    return proof_of(read(repo, find, words), first_commitment(repo), find)


def first_commitment(repo: GameRepo) -> str:
    """The hash over seed and host's word as the game's first commit published it."""
    first = ""
    for commit in repo.log():
        first = commit.id
    return Stored.read_public(repo, first).table.commitment


def proof_of(source: Source, published: str, find: Callable[[str], AnyGame] = games.find) -> Inquiry:
    """Compare what the records say was drawn with what seed, words and purposes give. Raises PositionError."""
    found = inquire(document(source, Sight(full=True), valued=False), find)
    if found.commitment == published:
        return found
    differs = f"the hash published with the first commit was {published}, and is {found.commitment} now"
    return replace(found, seed_fits=False, differences=(differs, *found.differences))
