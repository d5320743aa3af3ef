"""Checks of `pbem doctor` that need files only: settings, secrets, folders, the post room, stored games."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from engine.game import find_game
from pbem.admin.health.game_health import check_stored_game
from pbem.admin.health.host_health import examine_game, host_faults
from pbem.cli.kit.call import error_text
from pbem.cli.kit.console import MINUTES
from pbem.daemon.heartbeat import STALE_AFTER, STOPPED, read_heartbeat
from pbem.host.config import Config
from pbem.host.host_backup import last_backup
from pbem.host.passwords import SecretError, Which, check_private, password
from pbem.host.people import People, PeopleError
from pbem.host.table_transfer import INBOX_REPOSITORY, redirects_of
from pbem.inbound import headers, mime
from pbem.outbound.translation import languages
from pbem.store.backup_repository import is_remote
from pbem.store.database import QueuedMail
from pbem.store.game_store import GameStore
from pbem.store.permissions import LOW_SPACE, free_space, is_read_only, owner_problem, space_problem
from pbem.store.spool import Spool

DAY = 86400.0
"""Seconds of trying after which a mail that the server puts off (4xx) gets a check of its own."""

OLD = 7
"""Days after which a backup is called old."""

HEADERS = 64 * 1024
"""Bytes of a letter that are read for its header."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check. `state` is well, doubt or bad; `mend` says what would help, empty when it is well."""

    what: str
    state: str
    says: str
    mend: str = ""


def guarded(part: Callable[[Config], Iterable[Check]], config: Config, what: str = "") -> list[Check]:
    """Run some checks; an exception of theirs (files of another user, a full disk) is a finding, too."""
    found: list[Check] = []
    try:
        found.extend(part(config))
    except Exception as odd:
        what = what or getattr(part, "__name__", "")
        found.append(Check(what, "bad", f"cannot be looked at: {error_text(odd)}", "see there; the rest was looked at"))
    return found


def settings(config: Config) -> Iterator[Check]:
    """The settings."""
    if config.path is None:
        yield Check("settings", "doubt", f"none; the store {config.store} is used bare", "`pbem init` writes a file")
        return
    yield Check("settings", "well", str(config.path))
    host = config.host
    yield Check("address", "well", f"{host.address}, plus addresses {'on' if host.plus_addressing else 'off'}")
    yield Check("time zone", "well", host.time_zone)
    if host.language in languages():
        yield Check("language", "well", host.language)
    else:
        says = f"there are no mails in {host.language!r}, and English ones go instead"
        yield Check("language", "doubt", says, f"[host] language is one of {', '.join(languages())}")
    if config.moderator.addresses:
        yield Check("moderator", "well", ", ".join(config.moderator.addresses))
    else:
        yield Check("moderator", "doubt", "nobody hears of trouble", "set addresses in [moderator]")


def secrets(config: Config) -> Iterator[Check]:
    """The host's secret and the passwords are there and closed to others. Their values are never printed."""
    path = config.host_secret
    if not path.exists() and not _names(config):
        yield Check("host secret", "doubt", f"{path} is not there yet", "`pbem new` or `pbem daemon` makes it")
    else:
        try:
            check_private(path)
        except SecretError as odd:
            yield Check("host secret", "bad", str(odd), "see there; it makes the keys in all mails that are out")
        else:
            yield Check("host secret", "well", f"{path}, readable by its owner only")
    which: Which
    for which, host in (("imap", config.imap.host), ("smtp", config.smtp.host)):
        if not host:
            continue
        try:
            found = password(which, config)
        except SecretError as odd:
            yield Check(f"{which} password", "bad", "there is none", str(odd))
        else:
            yield Check(f"{which} password", "well", found.where)


def disks(config: Config) -> Iterator[Check]:
    """Free space for games and mails."""
    for what, path in (("store", config.store), ("mail folder", config.mail)):
        left = f"{free_space(path) // 1024**2:,} MB are free on the disk of {path}"
        if full := space_problem(path):
            yield Check(f"disk of the {what}", "bad", full, "make room: no letter can be answered")
        elif space_problem(path, LOW_SPACE):
            yield Check(f"disk of the {what}", "doubt", left, "make room before it is full")
        else:
            yield Check(f"disk of the {what}", "well", left)


def folders(config: Config) -> Iterator[Check]:
    """The store and the mail folder are ours, writable, and closed to others."""
    for what, path, holds in (("store", config.store, "hands and decks"), ("mail folder", config.mail, "addresses")):
        if not path.exists():
            yield Check(what, "doubt", f"{path} is not there yet", "it is made with the first game")
        elif whose := owner_problem(path):
            yield Check(what, "bad", whose, "run pbem as one user, always; files that another has made stop the post")
        elif is_read_only(path):
            mend = "mount it for writing; where the system has done so because the disk fails, `dmesg` tells"
            yield Check(what, "bad", f"{path} lies on a disk that is mounted read-only", mend)
        elif not os.access(path, os.W_OK | os.X_OK):
            yield Check(what, "bad", f"{path} cannot be written to", f"chmod 700 {path}")
        elif (mode := stat.S_IMODE(path.stat().st_mode)) & 0o077:
            mend = f"`pbem mend`, or chmod 700 {path}"
            yield Check(what, "bad", f"{path}: its mode is {mode:04o}, and {holds} lie in it", mend)
        else:
            yield Check(what, "well", str(path))


def people(config: Config) -> Iterator[Check]:
    """The files of people can be read, and no mail comes back."""
    folder = config.mail / "people"
    if not folder.is_dir():
        return
    known = People(folder.parent)
    troubles = []
    unreachable = []
    for game in known.games():
        try:
            unreachable += [f"{game} {one.seat} ({one.unreachable})" for one in known.holders(game) if one.unreachable]
        except (PeopleError, OSError) as odd:
            troubles.append(str(odd))
    for says in troubles:
        yield Check("people", "bad", says, "mend the file by hand, or put it back from a backup")
    if unreachable:
        mend = "no such mailbox: `pbem address GAME SEAT ADDRESS` mends it; else the server says why"
        yield Check("people", "doubt", f"mail comes back from {', '.join(unreachable)}", mend)
    if not troubles and not unreachable:
        yield Check("people", "well", f"{len(known.games())} games")


def post(config: Config) -> Iterator[Check]:
    """The daemon's last sign of life, and the spool."""
    beat = read_heartbeat(config.mail / "heartbeat.toml")
    if beat is None or beat.ended:
        says = "does not run"
        if beat is not None and beat.state != STOPPED:
            says += f"; process {beat.pid} died after {beat.at.strftime(MINUTES)} UTC"
        if beat is not None and beat.trouble:
            says += f"; the last time, at {beat.at.strftime(MINUTES)} UTC: {beat.trouble}"
        state = "bad" if beat is not None and beat.trouble else "doubt"
        yield Check("daemon", state, says, "start it: `pbem daemon`, or `systemctl start pbem`")
    elif datetime.now(UTC) - beat.at > STALE_AFTER:
        says = f"no sign of life since {beat.at.strftime(MINUTES)} UTC"
        yield Check("daemon", "bad", says, "restart it and look into its log")
    elif beat.trouble:
        yield Check("daemon", "bad", f"{beat.state}: {beat.trouble}", "see the log; it goes on trying")
    else:
        yield Check("daemon", "well", f"process {beat.pid}, {beat.state}")
    if (config.mail / "spool.sqlite").exists():
        with closing(Spool(config.mail)) as spool:
            yield from _spool(spool)
            if config.host.authserv_id:
                yield _judged(spool, config.host.authserv_id)


def _spool(spool: Spool) -> Iterator[Check]:
    stuck = [mail for mail in spool.rows(state="ready") if mail.attempts > 1]
    lost = spool.rows(state="failed")
    old = [mail for mail in stuck if mail.spent >= DAY]
    if old:
        seats = _whose(old)
        says = f"{len(old)} mails have been put off by the server for more than a day: {seats}: {old[-1].error}"
        yield Check("put off", "bad", says, "its words say why: a full mailbox, a limit, an address that is no more")
    if stuck:
        last = stuck[-1]
        says = f"{len(stuck)} mails cannot be sent at present, the last to {_whose([last])}: {last.error}"
        yield Check("outbox", "bad", says, "see below whether the server takes mail; they are tried again")
    if lost:
        says = f"{len(lost)} mails were refused: {_whose(lost)}: {lost[-1].error}"
        yield Check("outbox", "doubt", says, "check the addresses")
    if not stuck and not lost:
        yield Check("outbox", "well", f"{len(spool.rows(state='ready'))} mails wait to be sent")
    for (_, uid), times in spool.unread().items():
        says = f"the mailbox lists the letter UID {uid} and does not give it out, asked {times} times by itself"
        yield Check("letters", "bad", says, "it is asked for again, and put aside in the end; others are read")
    if put := spool.aside():
        when, why = put[-1]
        says = f"{len(put)} letters were put aside, the last of {when[:16].replace('T', ' ')} UTC: {why}"
        mend = "look at it in the mailbox; moved back to where letters come in, it is read again"
        yield Check("put aside", "doubt", says, mend)
    waiting = [letter for letter in spool.waiting() if letter.attempts]
    if waiting:
        says = f"{len(waiting)} letters could not be answered so far"
        yield Check("letters", "bad", says, "the log says why; they are tried again")
    else:
        yield Check("letters", "well", f"{len(spool.waiting())} wait for the daemon")


def _judged(spool: Spool, ours: str) -> Check:
    """Whether the newest letters have Authentication-Results of our own server, under the id in the settings."""
    what = "authserv_id"
    rows = spool.ask("SELECT raw FROM letters WHERE raw IS NOT NULL ORDER BY rowid DESC LIMIT 20")
    found = {one for (raw,) in rows for one in headers.authserv_ids(mime.parse_header(raw[:HEADERS]))}
    if ours in found:
        return Check(what, "well", f"{ours} tells what it makes of letters")
    if "" in found:
        says = "your mail server writes Authentication-Results without an id, as Exchange does: dmarc=fail never counts"
        return Check(what, "bad", says, "take authserv_id out, and let the server itself refuse what fails DMARC")
    if others := ", ".join(sorted(found)[:3]):
        return Check(what, "bad", f"no letter here has results of {ours}, but of {others}", "name your own server's id")
    return Check(what, "doubt", f"no letter here has results of {ours} yet", "look again when letters have come")


def _whose(mails: Iterable[QueuedMail]) -> str:
    """The seats of mails; of a mail without a seat its address."""
    return ", ".join(sorted({f"{mail.game} {mail.seat}" if mail.seat else mail.rcpt for mail in mails}))


def doors(config: Config) -> Iterator[Check]:
    """With several hosts at one address: whether tables can come here, and whether those that left have arrived."""
    door = config.mail / INBOX_REPOSITORY
    if config.host.label and (door / "HEAD").is_file():
        yield Check("door", "well", f"tables of other hosts come in at {door}")
    elif config.host.label:
        mend = "start the daemon once, which makes it, or take the label out of [host]"
        yield Check("door", "doubt", f"there is none at {door}; no table can be brought here", mend)
    arrived: dict[str, list[str]] = {}
    for game, post in redirects_of(config.mail).items():
        if post.gone:
            arrived.setdefault(post.address, []).append(game)
            continue
        shut = not is_remote(post.door) and not (Path(post.door) / "HEAD").is_file()
        says = f"{game} was to go to {post.door}, and has not arrived{': there is no door' if shut else ''}"
        yield Check("moving", "bad", says, f"`pbem move {game} --to {post.door}` goes on; letters to it wait")
    for address, names in arrived.items():
        yield Check("moved", "well", f"letters to {', '.join(names)} are passed on to {address}")


def backups(config: Config) -> Iterator[Check]:
    """How old the last backup is. What came since would be lost with the disk, but for letters that are still there."""
    made = last_backup(config)
    mend = "`pbem backup FOLDER`, best each night: it is what `pbem mend --from` needs"
    if made is None:
        yield Check("backup", "doubt", "none was made yet", mend)
    else:
        days = (datetime.now(UTC) - made).days
        says = f"the last one was made on {made.strftime(MINUTES)} UTC, {days} days ago"
        yield Check("backup", "doubt", says, mend) if days > OLD else Check("backup", "well", says)


def _names(config: Config) -> tuple[str, ...]:
    return GameStore(config.store).names() if config.store.is_dir() else ()


def games(config: Config) -> Iterator[Check]:
    """The host and every stored game, as `fsck` finds them."""
    if not config.store.is_dir():
        return
    store = GameStore(config.store)
    for one in host_faults(store, config.mail):
        # Disks and folders have checks of their own.
        open_folder = one.what == "mode" and stat.S_IMODE(Path(one.path).stat().st_mode) & 0o077
        if one.what != "disk" and not open_folder:
            yield Check(one.what, "bad", f"{one.path}: {one.says}", one.mend)
    sound = 0
    for name in store.names():
        found = examine_game(store, name, partial(check_stored_game, find_game))
        sound += not found
        for one in found:
            yield Check(f"game {name}", "bad", f"{one.what} {one.path}: {one.says}", one.mend)
    yield Check("games", "well", f"{sound} sound")


PARTS = (settings, secrets, disks, folders, people, doors, post, backups)
"""All checks but those of the stored games."""
