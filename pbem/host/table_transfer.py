"""Tables go to another host behind the same address, and a redirect stays behind.

Hosts behind one address have one secret, so that every key and Message-ID holds at each of them. A host that takes
tables in has a door: a bare git repository in the mail folder, which says the host's own address. A table leaves in
steps; after a kill, the same move asked for again goes on with the next:

1. The redirect says where the table is to go: nothing has changed, the game plays on.
2. The table is put out of the games, by one rename under its lock: letters wait, no clock runs, no command finds it.
3. Its mails that have not gone are held back: they go from the other host.
4. History, people, words and mails are pushed to the door, all or nothing. Redirects count the moves, so the other host
   knows a table that is pushed twice.
5. The redirect says that the table is gone: letters are passed on.
6. What is left of it here is emptied.

The other host takes in what lies at its door before it looks at a letter or a clock; after a kill it does so again.
Players are told nothing: only headers show who has passed a letter on.
"""

from __future__ import annotations

import base64
import json
import logging
import os
import sqlite3
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pygit2

from engine.catalog import Msg, T
from engine.errors import PositionError
from pbem.host.followers import Followers
from pbem.host.keys import Keys
from pbem.host.people import People
from pbem.host.toml_folder import TomlFolder
from pbem.store import backup_repository, toml_format
from pbem.store.backup_repository import is_remote
from pbem.store.data_codec import Count
from pbem.store.database import OutgoingMail
from pbem.store.durable_files import private_umask, replace_file
from pbem.store.errors import NoSuchGame, StoreError
from pbem.store.game_store import GameStore
from pbem.store.locks import Lock
from pbem.store.spool import Spool

log = logging.getLogger(__name__)

INBOX_REPOSITORY = "door.git"
"""In the mail folder: where others push tables."""

REDIRECTS = "moved"
"""In the mail folder: the redirects."""

PASSED_ON_HEADER = "X-PBEM-Passed-On"
"""The header of a letter that was passed on: which table, and to whom."""

VERSION = 1
_THEN = datetime(2000, 1, 1, tzinfo=UTC)
"""The time of every commit at the door, so that the same content has the same id."""

_HERE, _HISTORY, _THINGS = "refs/pbem/door", "refs/pbem/history/", "refs/pbem/things/"
_ASIDE, _TOLD = "refs/pbem/aside/", "refs/pbem/told/"
"""The first push that is no table of ours, for somebody to look at; and what could not be taken in and was told."""
_MOST = 64 * 1024
"""Octets that `move.toml` may have."""
_ABOUT, _PEOPLE, _FOLLOWERS, _REST = "move.toml", "people.toml", "followers.toml", "rest.json"


@dataclass(frozen=True, slots=True)
class Redirect:
    """A table that has moved: how often, as far as is known here.

    Where it came to, `door` is empty. Elsewhere `door` is where it goes, `address` takes its letters, `head` is its
    last commit here, and `gone` says that it has arrived.
    """

    moves: Count
    door: str = ""
    address: str = ""
    head: str = ""
    gone: bool = False


class TableTransfers:
    """The tables of a host that come and go. `folder` is its mail folder. `address` is the host's own behind the common
    one; empty for a host that takes no tables in."""

    def __init__(
        self, store: GameStore, spool: Spool, people: People, folder: Path, keys: Keys, address: str = ""
    ) -> None:
        self._store, self._spool, self._people, self._keys = store, spool, people, keys
        self._folder, self._door = folder, folder / INBOX_REPOSITORY
        self._posts = TomlFolder(folder / REDIRECTS, Redirect)
        self._address = address

    # What has gone.

    def move(self, game: str, door: str, patience: float = 5.0) -> Redirect:
        """Bring a table to the door of another host, or go on with that; returns the redirect that is left.

        `patience`: seconds to wait for its mails that a daemon is sending. Raises NoSuchGame, StoreError, OSError; the
        text says how far it came.
        """
        door = door if is_remote(door) else str(Path(door).absolute())
        with private_umask(), Lock(self._folder / ".moving", "the moving of tables").taken("move", 0):
            post, here = self._posts.get(game), self._store.has(game)
            if not here and (post is None or not post.door):
                raise NoSuchGame(f"there is no game {game!r} in {self._store.root}")
            if not here and post is not None and post.door != door:
                state = "has gone" if post.gone else "is on its way"
                raise StoreError(f"{game} {state} to {post.door}; nothing was done")
            with tempfile.TemporaryDirectory(prefix=".moving-", dir=self._folder) as scratch:
                place = backup_repository.bare_repository(Path(scratch) / "git")
                if here:
                    address = self._asked(place, game, door)
                    end = time.monotonic() + patience
                    while self._spool.waits(game) and time.monotonic() < end:
                        time.sleep(0.1)
                    post = self._put_out(place, game, Redirect((post.moves if post else 0) + 1, door, address))
                assert post is not None
                if not post.gone:
                    self._bring(place, game, post)
                    post = replace(post, gone=True)
                    self._posts.put(game, post)
            self._clear(game)
            return post

    def clear(self) -> None:
        """Empty what is left of tables that have gone, after a kill."""
        for game in self._posts.names():
            if (post := self._posts.get(game)) and post.gone and self._store.leaving(game):
                self._clear(game)

    def post(self, game: str) -> Redirect | None:
        """The redirect of a table that has gone, or is about to go; None while it is here, or was never."""
        found = None if self._store.has(game) else self._posts.get(game)
        return found if found and found.door else None

    def pass_on(self, game: str, post: Redirect, digest: str) -> bool:
        """Put a letter of the spool into the outbox for the table's host. Doing it again changes nothing.

        False when the letter has come back to us: then two redirects point at each other, and it goes nowhere.
        """
        letter = self._spool.letter(digest)
        line = f"{PASSED_ON_HEADER}: {game}; {post.address}\r\n".encode("ascii")
        if letter is None or line.strip() in letter.raw[: 64 * 1024]:
            return False
        self._spool.enqueue(OutgoingMail(f"passed-on {digest}", "", post.address, line + letter.raw, "passed-on"))
        return True

    def _asked(self, place: Path, game: str, door: str) -> str:
        """The address of the host behind a door. Raises StoreError when it would not take the table."""
        if not is_remote(door) and not (Path(door) / "HEAD").is_file():
            raise StoreError(f"there is no door at {door}: a daemon with a label in [host] makes it; nothing was done")
        if _HERE not in backup_repository.remote_refs(place, door):
            raise StoreError(f"{door} is no door of a host; nothing was done")
        backup_repository.fetch_refs(place, door, f"+{_HERE}:{_HERE}")
        about = _about(backup_repository.read_files(place, backup_repository.remote_refs(place, str(place))[_HERE]))
        if about["secret"] != self._keys.host:
            raise StoreError(
                f"the host behind {door} has another secret, so that no key in a mail of {game} would hold there; "
                "nothing was done. Hosts behind one address have the same mail/host.secret"
            )
        if about["address"] == self._address:
            raise StoreError(f"{door} is the door of this host; nothing was done")
        return str(about["address"])

    def _put_out(self, place: Path, game: str, post: Redirect) -> Redirect:
        repo = self._store.open(game)
        with repo.lock("moving"):
            if self._people.awaited(game):
                raise StoreError(f"a change of people of {game} is not finished; a daemon does it, nothing was done")
            self._spool.catch_up(repo)
            post = replace(post, head=repo.head)
            backup_repository.share_objects(place, [repo.gitdir])
            if missing := backup_repository.damage_of(place, repo.gitdir, post.head, ""):
                raise StoreError(f"{game}: its history is damaged: {missing}; nothing was done")
            self._posts.put(game, post)
            self._store.put_out(game)
        return post

    def _bring(self, place: Path, game: str, post: Redirect) -> None:
        self._spool.hold_back(game)
        about = {"version": VERSION, "game": game, "moves": post.moves, "secret": self._keys.host}
        mails = [{**one, "raw": base64.b64encode(one["raw"]).decode()} for one in self._spool.of_game(game)]
        rest = {"words": self._spool.words.of(game), "mails": mails}
        files = {_ABOUT: toml_format.toml_bytes(about), _REST: json.dumps(rest).encode()}
        for name, path in self._papers(game).items():
            with suppress(FileNotFoundError):
                files[name] = path.read_bytes()
        backup_repository.share_objects(place, [self._store.root / game / ".git"])
        things = backup_repository.commit_files(place, files, game, _THEN)
        refs = {f"{_HISTORY}{game}": post.head, f"{_THINGS}{game}": things}
        backup_repository.point_refs(place, refs)
        try:
            backup_repository.push_refs(place, post.door, refs)
        except StoreError as odd:
            raise StoreError(
                f"{game} could not be brought to {post.door}: {odd}. It is put out of the games, and letters to it "
                f"wait: `pbem move {game} --to {post.door}` goes on"
            ) from None

    def _clear(self, game: str) -> None:
        for path in self._papers(game).values():
            path.unlink(missing_ok=True)
        self._spool.words.drop(game)
        self._spool.gone(game)
        self._store.drop(game)

    # What comes.

    def open_door(self) -> None:
        """Let others push tables, if this host has an address of its own."""
        if not self._address:
            return
        with private_umask():
            place = backup_repository.bare_repository(self._door)
            about = {"version": VERSION, "secret": self._keys.host, "address": self._address}
            here = backup_repository.commit_files(place, {_ABOUT: toml_format.toml_bytes(about)}, self._address, _THEN)
            if not (known := _ref(place / _HERE)):
                # Nothing is to be collected as garbage while it comes.
                backup_repository.backup_git(place, "config", "gc.auto", "0")
                # The pushing host forgets the table, so it must be on our disk.
                backup_repository.backup_git(place, "config", "core.fsync", "all")
            if known != here:
                backup_repository.point_refs(place, {_HERE: here})

    def take_in(self) -> tuple[Msg, ...]:
        """Take the tables at the door into the games; returns what the moderator is to be told, once.

        Whoever may push there may push anything: what does not hold the host's secret is put aside unread. A table that
        cannot be taken in now is left for the next time. Raises OSError, sqlite3.Error.
        """
        told: list[Msg] = []
        for game in _refs(self._door / _THINGS):
            brought = _ref(self._door / _THINGS / game)
            try:
                if not self._holds_secret(brought):
                    told += self._put_aside(game, brought)
                    continue
                # We may wait long for somebody who opens a table, who may wait for a commit of ours that is pending.
                self._store.group_commit.flush()
                with private_umask(), self._people.opening():
                    self._take_in(game, brought)
            except (OSError, sqlite3.Error):
                raise
            except Exception as odd:
                why = str(odd) if isinstance(odd, StoreError | PositionError) else type(odd).__name__
                if _ref(self._door / _TOLD / game) != brought:
                    with suppress(StoreError):
                        backup_repository.point_refs(self._door, {f"{_TOLD}{game}": brought})
                    log.error("%s lies at the door and cannot be taken in: %s", game, why)
                    told.append(T("{game} lies at the door and cannot be taken in: {why}", game=game, why=why))
        return tuple(told)

    def _holds_secret(self, brought: str) -> bool:
        """Whether a push is from a host that has our secret. Nothing of it is parsed."""
        try:
            about: Any = pygit2.Repository(str(self._door))[brought].peel(pygit2.Tree)[_ABOUT]
            return about.type_str == "blob" and about.size < _MOST and self._keys.host.encode() in about.data
        except (KeyError, ValueError, pygit2.GitError):
            return False

    def _put_aside(self, game: str, brought: str) -> list[Msg]:
        """Put a push aside. Only the first is kept and told, until somebody has removed it: pushes may come without
        end."""
        first = not _refs(self._door / _ASIDE)
        kept = f"update {_ASIDE}{game} {brought}\n" if first else ""
        backup_repository.backup_git(self._door, "update-ref", "--stdin", given=f"{kept}delete {_THINGS}{game}\n")
        log.error("%s lay at the door and is no table of ours; it was put aside", game)
        says = T("Something that is no table of ours was pushed to the door; it was put aside, unread.")
        return [says] if first else []

    def _take_in(self, game: str, brought: str) -> None:
        files = backup_repository.read_files(self._door, brought)
        about, post = _about(files), self._posts.get(game)
        if about["secret"] != self._keys.host or about["game"] != game:
            raise StoreError("it is another host's; nothing was taken in")
        if post is None or post.moves < about["moves"]:
            rest = json.loads(files[_REST])
            for name, path in self._papers(game).items():
                if name in files:
                    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                    replace_file(path, files[name])
            self._spool.words.put(game, rest["words"])
            if not self._store.has(game):
                self._store.adopt(game, self._door, f"{_HISTORY}{game}")
            self._spool.catch_up(self._store.open(game))
            self._spool.carry_in(game, ({**one, "raw": base64.b64decode(one["raw"])} for one in rest["mails"]))
            self._posts.put(game, Redirect(about["moves"]))
            log.info("%s has come, its move no. %d", game, about["moves"])
        gone = "".join(f"delete {ref}{game}\n" for ref in (_THINGS, _HISTORY, _TOLD))
        backup_repository.backup_git(self._door, "update-ref", "--stdin", given=gone)
        backup_repository.backup_git(self._door, "prune", "--expire=now")

    def _papers(self, game: str) -> dict[str, Path]:
        return {_PEOPLE: self._people.path(game), _FOLLOWERS: Followers(self._folder).files.path(game)}


def redirects_of(folder: Path) -> dict[str, Redirect]:
    """The tables of a host that have gone, or are to go, and where. Raises PositionError, OSError."""
    posts = TomlFolder(folder / REDIRECTS, Redirect)
    found = ((game, posts.get(game)) for game in posts.names())
    return {game: post for game, post in found if post is not None and post.door}


def _refs(folder: Path) -> tuple[str, ...]:
    """The tables that have a git ref there; asked before each letter. Files that git is writing have a dot."""
    try:
        found = os.listdir(folder)  # noqa: PTH208
    except FileNotFoundError:
        return ()
    return tuple(sorted(name for name in found if "." not in name and (folder / name).is_file()))


def _ref(path: Path) -> str:
    """The commit of a ref by its file; empty where there is none."""
    with suppress(FileNotFoundError):
        return path.read_text(encoding="ascii").strip()
    return ""


def _about(files: Mapping[str, bytes]) -> dict[str, Any]:
    about = toml_format.parse_toml(files[_ABOUT], _ABOUT)
    if about["version"] != VERSION:
        raise StoreError(f"what lies there is of version {about['version']}, and this program reads {VERSION}")
    return about
