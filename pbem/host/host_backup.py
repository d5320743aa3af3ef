"""Makes a backup of all that a host has, and a host from a backup.

A backup shows one instant while the host works: the spool names the commit of each game, and a game that has moved on
meanwhile is locked and read again. It holds the host's secret, addresses, letters and hidden hands, but no passwords.

A restored host mails nothing that waited then: nobody can know whether it has gone out since, so that is left to the
moderator. Restoring touches nothing that is there; after an interruption only a folder `.restoring` is left.
"""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engine.errors import PositionError
from pbem.host.achievement_book import BOOK
from pbem.host.config import Config, check_settings, config_of_store
from pbem.host.table_transfer import INBOX_REPOSITORY
from pbem.store import backup_repository, toml_format
from pbem.store.backup_repository import EARLIER_REFS, GAME_REFS, HOST_REF, is_remote
from pbem.store.durable_files import private_umask, replace_file, sync_folder, sync_tree, write_file
from pbem.store.errors import StoreError
from pbem.store.game_store import GameStore
from pbem.store.locks import Lock
from pbem.store.permissions import refuse_root
from pbem.store.row_cache import CACHE_FILE

BACKUP_FOLDER = "backup.git"
"""In the mail folder: a repository of what the last backup held, so that the next one brings only what has changed."""

RESTORED_FILE = "restored.toml"
"""In the mail folder of a restored host: when its backup was made, until the letters since then are read again."""

NOT_BACKED_UP = frozenset({
    BACKUP_FOLDER, INBOX_REPOSITORY, RESTORED_FILE, CACHE_FILE,
    "heartbeat.toml", "clock.toml", "notices.txt", "trouble.toml",
})  # fmt: skip
"""The files of the mail folder that are in no backup: signs of life, tables that are just coming, notices, caches."""

ABOUT, SETTINGS, SECRET, MAIL = "backup.toml", "pbem.toml", "host.secret", "mail/"
VERSION = 1

_PUSHED = "pushed"
"""In that repository: when the last backup arrived at its target."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was made: each game's last commit, how many had changed, what was left out and why."""

    games: dict[str, str]
    changed: int
    troubles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RestoredHost:
    """A host that was restored from a backup, when that was made, and its games."""

    folder: Path
    made: datetime
    games: tuple[str, ...]
    waited: tuple[tuple[str, str, str], ...] = ()
    """Game, seat and address of the mails that waited; they are not sent."""
    moved: tuple[str, ...] = ()
    """Settings that were left out, because they named a place outside, or a program that must not run."""
    lost: tuple[str, ...] = ()
    """Games that are damaged in the backup and were left out."""


@dataclass
class _Moment:
    """A host at one instant: files by their names in the backup, the games' commits, and games that cannot be read."""

    files: dict[str, bytes] = field(default_factory=dict)
    heads: dict[str, str] = field(default_factory=dict)
    troubles: dict[str, str] = field(default_factory=dict)


def is_new_target(config: Config, target: str) -> bool:
    """Whether there is no backup at a target yet. Raises StoreError when it cannot be reached."""
    if not is_remote(target) and not Path(target).exists():
        return True
    config.mail.mkdir(parents=True, exist_ok=True, mode=0o700)
    place = backup_repository.bare_repository(config.mail / BACKUP_FOLDER)
    return HOST_REF not in backup_repository.remote_refs(place, target)


def back_up(config: Config, target: str, at: datetime) -> Backup:
    """Bring what has changed to `target`: a folder, which is made, or whatever git can push to.

    Raises StoreError, and then nothing was brought; OSError.
    """
    secret = config.host_secret
    if not secret.exists():
        raise StoreError(f"{secret} is missing: a backup without it would take the place of one that has it")
    refuse_root(config.mail)
    store = GameStore(config.store)
    place = backup_repository.bare_repository(config.mail / BACKUP_FOLDER)
    with private_umask(), Lock(place / "pbem.lock", "the backup").taken("backup", 0):
        target = target if is_remote(target) else str(_folder(config, Path(target)))
        backup_repository.drop_game_refs(place)
        there = backup_repository.remote_refs(place, target)
        _ours(place, target, there, secret)
        moment = _moment(config, store)
        backup_repository.share_objects(place, [store.root / name / ".git" for name in moment.heads])
        refs, games = {}, {}
        for name, head in moment.heads.items():
            before = there.get(f"{GAME_REFS}{name}", "")
            if before == head:
                games[name] = head
                continue
            if missing := backup_repository.damage_of(place, store.root / name / ".git", head, before):
                moment.troubles[name] = f"its history is damaged: {missing}"
                continue
            games[name] = refs[f"{GAME_REFS}{name}"] = head
            if before and not backup_repository.is_ancestor(place, before, head):
                earlier = f"{EARLIER_REFS}{name}/{before}"
                backup_repository.fetch_refs(place, target, f"+{GAME_REFS}{name}:{earlier}")
                refs[earlier] = before
        # A damaged game stays in the backup as it was brought before.
        games |= {name: there[f"{GAME_REFS}{name}"] for name in moment.troubles if f"{GAME_REFS}{name}" in there}
        about = {"version": VERSION, "made": at, "host": _mark(secret.read_bytes()), "games": games}
        files = moment.files | {ABOUT: toml_format.toml_bytes(about)}
        says = f"{config.host.address} at {at:%Y-%m-%d %H:%M} UTC"
        refs[HOST_REF] = backup_repository.commit_files(place, files, says, at)
        backup_repository.point_refs(place, refs)
        backup_repository.push_refs(place, target, refs)
        replace_file(place / _PUSHED, at.isoformat().encode())
    troubles = tuple(f"{name}: {why}" for name, why in sorted(moment.troubles.items()))
    return Backup(games, sum(name.startswith(GAME_REFS) for name in refs), troubles)


def last_backup(config: Config) -> datetime | None:
    """When the last backup of a host was made; None where there is none, or where that is unknown."""
    with suppress(OSError, ValueError):
        return datetime.fromisoformat((config.mail / BACKUP_FOLDER / _PUSHED).read_text())
    return None


def _folder(config: Config, target: Path) -> Path:
    """The target folder, made a repository. Raises StoreError when it must not be one."""
    target = target.absolute()
    for ours in (config.store.resolve(), config.mail.resolve()):
        if target.resolve().is_relative_to(ours):
            raise StoreError(f"{target} lies in {ours}, which is to be backed up; nothing was written")
    if target.exists() and not (target / "HEAD").is_file() and (not target.is_dir() or any(target.iterdir())):
        raise StoreError(f"{target} is there, and is neither empty nor a backup; nothing was written")
    return backup_repository.bare_repository(target)


def _mark(secret: bytes) -> str:
    """The hash by which a host knows its own backups."""
    return hashlib.sha256(b"backup of " + secret.strip()).hexdigest()


def _ours(place: Path, target: str, there: Mapping[str, str], secret: Path) -> None:
    """Fetch what the last backup at a target held beside the games. Raises StoreError when it is another host's."""
    if HOST_REF in there:
        backup_repository.fetch_refs(place, target, f"+{HOST_REF}:{HOST_REF}")
        about = _about(backup_repository.read_files(place, there[HOST_REF]))
        if about["host"] != _mark(secret.read_bytes()):
            raise StoreError(f"{target} holds the backup of another host; nothing was written. Name another target")


def _about(files: Mapping[str, bytes]) -> dict[str, Any]:
    try:
        about = toml_format.parse_toml(files[ABOUT], ABOUT)
        version, made, host, games = about["version"], about["made"], about["host"], about["games"]
    except (KeyError, PositionError):
        raise StoreError("what lies there is no backup of a host") from None
    if version != VERSION:
        raise StoreError(f"the backup is of version {version}, and this program reads {VERSION}")
    told = isinstance(games, dict) and all(isinstance(head, str) for head in games.values())
    if not (told and isinstance(made, datetime) and isinstance(host, str)):
        raise StoreError("what lies there is no backup of a host")
    return about


def _moment(config: Config, store: GameStore) -> _Moment:
    """A host at one instant. Raises StoreError, OSError."""
    locked: set[str] = set()
    with ExitStack() as held:
        while True:
            moment = _look(config, store)
            told = _told(moment.files)
            moved = [name for name, head in moment.heads.items() if told.get(name) != head and name not in locked]
            if not moved:
                break
            for name in moved:
                held.enter_context(store.open(name).lock("backup", check=False))
                locked.add(name)
    # The book of achievements may be behind the games: it notes by itself what it lacks.
    with suppress(StoreError):
        if book := store.book(BOOK):
            moment.heads[book.name] = book.head
    return moment


def _look(config: Config, store: GameStore) -> _Moment:
    found = _Moment()
    # People in `coming` may move to their place meanwhile, so deeper folders are read first.
    files = sorted(_kept(config), key=lambda path: (path.name != "spool.sqlite", -len(path.parts), path))
    for path in files:
        name = f"{MAIL}{path.relative_to(config.mail).as_posix()}"
        with suppress(FileNotFoundError):
            found.files[name] = backup_repository.copy_database(path) if path.suffix == ".sqlite" else path.read_bytes()
    found.files[SECRET] = config.host_secret.read_bytes()
    if config.path is not None:
        found.files[SETTINGS] = config.path.read_bytes()
    for name in store.names():
        try:
            found.heads[name] = store.head(name)
        except StoreError as odd:
            found.troubles[name] = str(odd)
    return found


def _kept(config: Config) -> Iterator[Path]:
    """The files of the mail folder that go into a backup: no passwords, no passing or half written files."""
    passwords = {config.imap.password_file, config.smtp.password_file, config.host_secret}
    for path in config.mail.rglob("*"):
        parts = path.relative_to(config.mail).parts
        odd = path.name.endswith(("-wal", "-shm")) or ".damaged-" in path.name
        if parts[0] in NOT_BACKED_UP or any(part.startswith(".") for part in parts) or odd or path in passwords:
            continue
        if path.is_file() and not path.is_symlink():
            yield path


def _told(files: Mapping[str, bytes]) -> dict[str, str]:
    """The commit of each game by the copied spool."""
    if f"{MAIL}spool.sqlite" not in files:
        return {}
    with closing(sqlite3.connect(":memory:")) as db:
        data = files[f"{MAIL}spool.sqlite"]
        # Without the flag of a write-ahead log, which a database in memory cannot have.
        db.deserialize(data[:18] + b"\x01\x01" + data[20:])
        return dict(db.execute("SELECT game, head FROM games"))


def restore_host(
    target: str, folder: Path, without_damaged: bool = False,
    allows: Callable[[tuple[str, ...]], bool] = lambda found: False,
) -> RestoredHost:  # fmt: skip
    """Make a host in `folder` from the backup at `target`, if wanted without the games that are damaged there.

    `allows` says whether the programs that its settings name may run here; otherwise these are left out. Raises
    StoreError, ConfigError, OSError, and then nothing was made.
    """
    if not is_remote(target):
        if not (Path(target) / "HEAD").is_file():
            raise StoreError(f"there is no backup at {target}; nothing was made")
        target = str(Path(target).absolute())
    folder = folder.absolute()
    refuse_root(folder)
    with private_umask():
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        work = folder / ".restoring"
        if work.exists():
            raise StoreError(f"{work} is left of another restoring; remove it if none is at work, and do it again")
        try:
            return _restored(target, folder, work, without_damaged, allows)
        finally:
            shutil.rmtree(work, ignore_errors=True)


def _damaged(place: Path, target: str, games: Collection[str]) -> tuple[str, ...]:
    """Fetch all games at once, or else one by one; those that cannot be fetched."""

    def lost(name: str) -> bool:
        try:
            backup_repository.fetch_refs(place, target, f"+{GAME_REFS}{name}:{GAME_REFS}{name}")
        except StoreError:
            return True
        return False

    return tuple(name for name in sorted(games) if lost(name)) if lost("*") else ()


def _restored(
    target: str, folder: Path, work: Path, without_damaged: bool, allows: Callable[[tuple[str, ...]], bool]
) -> RestoredHost:
    place = backup_repository.bare_repository(work / "backup")
    if HOST_REF not in backup_repository.remote_refs(place, target):
        raise StoreError(f"there is no backup at {target}; nothing was made")
    backup_repository.fetch_refs(place, target, f"+{HOST_REF}:{HOST_REF}")
    files = backup_repository.read_files(place, backup_repository.remote_refs(place, str(place))[HOST_REF])
    about = _about(files)
    lost = _damaged(place, target, about["games"])
    if lost and not without_damaged:
        raise StoreError(
            f"the backup is damaged: {len(lost)} of its {len(about['games'])} games cannot be read, {', '.join(lost)}; "
            "nothing was made. Another backup may have them; --without-damaged makes a host of the others"
        )
    config, settings, moved = _settings(files, folder)
    found = named_programs(config)
    if found and not allows(found):
        config, settings, moved = _settings(files, folder, runs=False)
        moved += tuple(one.partition(" = ")[0] for one in found)
    for path in (config.store, config.mail, folder / SETTINGS, config.host_secret):
        if path.exists() and not (path.is_dir() and not any(path.iterdir())):
            raise StoreError(f"{path} is there already; nothing was made. Restore into an empty folder")
    store = GameStore(work / "games")
    games = {name: commit for name, commit in about["games"].items() if name not in lost}
    for name, commit in games.items():
        if store.adopt(name, place, f"{GAME_REFS}{name}").head != commit:
            raise StoreError(f"{name}: the history at {target} does not end where the backup says; nothing was made")
    mail = work / "mail"
    mail.mkdir()
    for name, data in files.items():
        if name.startswith(MAIL):
            _write(mail / name.removeprefix(MAIL), data)
    if SECRET not in files:
        raise StoreError("the backup has no host secret; nothing was made")
    _write(work / SECRET, files[SECRET])
    try:
        waited = _withhold(mail / "spool.sqlite")
    except sqlite3.Error as odd:
        raise StoreError(f"the spool in the backup is damaged: {odd}; nothing was made") from None
    _write(mail / RESTORED_FILE, toml_format.toml_bytes({"made": about["made"]}))
    sync_tree(work)
    for made, at in ((store.root, config.store), (mail, config.mail), (work / SECRET, config.host_secret)):
        at.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        made.replace(at)
        sync_folder(at.parent)
    if settings:
        replace_file(folder / SETTINGS, settings)
    return RestoredHost(folder, about["made"], tuple(sorted(games)), waited, moved, lost)


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_file(path, data)


def _settings(files: Mapping[str, bytes], folder: Path, runs: bool = True) -> tuple[Config, bytes, tuple[str, ...]]:
    """The settings of the restored host, their text, and the settings left out: places outside the folder."""
    if SETTINGS not in files:
        return config_of_store(folder / "games"), b"", ()
    text = files[SETTINGS]
    table = toml_format.parse_toml(text, SETTINGS)
    config = check_settings(table, folder / SETTINGS)
    places = {("store", "path"): config.store, ("mail", "folder"): config.mail}
    if config.secret_file is not None:
        places["mail", "secret_file"] = config.secret_file
    # Resolved first: x/../../y begins with the folder's name and lies outside.
    outside = [place for place, path in places.items() if not path.resolve().is_relative_to(folder.resolve())]
    commands = [(part, key) for part, key in PROGRAM_SETTINGS if key in table.get(part, {})]
    gone = outside if runs else [*outside, *commands]
    for part, key in gone:
        del table[part][key]
    if gone:
        config, text = check_settings(table, folder / SETTINGS), toml_format.toml_bytes(table)
    return config, text, tuple(f"[{part}] {key}" for part, key in outside)


PROGRAM_SETTINGS = (("imap", "password_command"), ("smtp", "password_command"), ("moderator", "on_trouble"))
"""The settings that name a program to run."""


def named_programs(config: Config) -> tuple[str, ...]:
    """The settings that name a program, as lines of the file."""
    lines = (config.imap.password_command, config.smtp.password_command, config.moderator.on_trouble)
    named = zip(PROGRAM_SETTINGS, lines, strict=True)
    return tuple(f"[{part}] {key} = {line}" for (part, key), line in named if line)


def _withhold(spool: Path) -> tuple[tuple[str, str, str], ...]:
    """Stop the mails that waited when the backup was made; game, seat and address of each.

    A mail that binds daily ones is named by those.
    """
    if not spool.exists():
        return ()
    with closing(sqlite3.connect(spool)) as db, db:
        # No commit promises a prepared mail; its letter is played again and prepares it anew.
        db.execute("DELETE FROM outbox WHERE state = 'prepared'")
        waits = "state IN ('ready', 'gathered', 'bound')"
        held = "message_id NOT IN (SELECT within FROM outbox WHERE state = 'bound')"
        found = db.execute(f"SELECT DISTINCT game, seat, rcpt FROM outbox WHERE {waits} AND {held} ORDER BY 1, 2, 3")
        waited = tuple((str(game), str(seat), str(to)) for game, seat, to in found)
        says = f"waited when a backup was made; not sent after its restoring on {datetime.now(UTC):%Y-%m-%d}"
        db.execute(f"UPDATE outbox SET state = 'failed', error = ? WHERE {waits}", (says,))
        db.execute("DELETE FROM later")
    return waited
