"""The host's settings: what `pbem.toml` holds, checked as a whole.

A mistake in the file is never met half-way through a game: reading tells every one of them at once, each with its
place, what stands there, and what would work. Passwords never stand in the file (see `pbem.host.passwords`). Paths are
relative to the file's folder. A bare store, without any file, works for everything that needs no mail server.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from pbem.host.checked import ConfigError, SettingsTable
from pbem.host.tls import Tls

FILE = "pbem.toml"

TLS_WORDS: tuple[Tls, ...] = ("tls", "starttls", "none")
IMAP_PORTS: Mapping[str, int] = {"tls": 993, "starttls": 143, "none": 143}
SMTP_PORTS: Mapping[str, int] = {"tls": 465, "starttls": 587, "none": 25}


@dataclass(frozen=True, slots=True)
class HostConfig:
    """`[host]`: who writes the mails. `time_zone` is where a player lives who has named no other.

    `authserv_id`: the name under which the own mail server writes its Authentication-Results; empty: they are not
    looked at. `dmarc_exempt`: addresses whose letters count though they fail there (forwarding, say).
    """

    address: str = "pbem@localhost.localdomain"
    name: str = "Troyes by Mail"
    domain: str = ""
    time_zone: str = "UTC"
    plus_addressing: bool = True
    list_id: str = ""
    authserv_id: str = ""
    dmarc_exempt: tuple[str, ...] = ()

    @property
    def zone(self) -> ZoneInfo:
        """The time zone as an object."""
        return ZoneInfo(self.time_zone)


@dataclass(frozen=True, slots=True)
class ModeratorConfig:
    """`[moderator]`: who hears of trouble and may repair games. `seat`: the name they play under, if they do."""

    addresses: tuple[str, ...] = ()
    seat: str = ""


@dataclass(frozen=True, slots=True)
class ImapConfig:
    """`[imap]`: the mailbox that answers come to. `poll`: seconds between looks where the server has no IDLE.

    `keep_filed_days`: how long handled letters stay in the folder `filed`; 0 is for ever. Others are never removed.
    """

    host: str = ""
    port: int = 993
    user: str = ""
    tls: Tls = "tls"
    folder: str = "INBOX"
    filed: str = "Handled"
    quarantine: str = "Quarantine"
    idle: bool = True
    poll: int = 20
    timeout: int = 30
    ca_file: str = ""
    plaintext_allowed: bool = False
    password_file: Path | None = None
    keep_filed_days: int = 60


@dataclass(frozen=True, slots=True)
class SmtpConfig:
    """`[smtp]`: the server that mail leaves by; no login where `user` is empty.

    `sender` (`from` in the file) is the envelope sender, where bounces go.
    """

    host: str = ""
    port: int = 465
    user: str = ""
    tls: Tls = "tls"
    sender: str = ""
    timeout: int = 30
    ca_file: str = ""
    plaintext_allowed: bool = False
    password_file: Path | None = None


@dataclass(frozen=True, slots=True)
class Config:
    """All settings. `path` is the file they came from, None for a bare store.

    `store` holds one folder and repository per game. `mail` holds what never enters a game's repository: the spool,
    people's addresses, due times, heartbeat, the host's secret; `keep_days`: how long the spool keeps old bytes.
    """

    store: Path
    mail: Path
    path: Path | None = None
    keep_days: int = 60
    host: HostConfig = field(default_factory=HostConfig)
    moderator: ModeratorConfig = field(default_factory=ModeratorConfig)
    imap: ImapConfig = field(default_factory=ImapConfig)
    smtp: SmtpConfig = field(default_factory=SmtpConfig)
    secret_file: Path | None = None

    @property
    def host_secret(self) -> Path:
        """The file with the secret that tokens are made from."""
        return self.secret_file or self.mail / "host.secret"


def load(path: Path) -> Config:
    """Read `pbem.toml`. Raises ConfigError with every mistake in it, or when the file cannot be read."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        says = "there is no such file; `pbem init` writes one, or name a store with --store DIR"
        raise ConfigError(path, (says,)) from None
    except (OSError, UnicodeDecodeError) as odd:
        raise ConfigError(path, (f"cannot be read: {odd}",)) from None
    except tomllib.TOMLDecodeError as odd:
        raise ConfigError(path, (f"is no TOML: {odd}",)) from None
    return read(table, path)


def bare(store: Path) -> Config:
    """Settings for a store without a file. Its mail folder lies beside it: `mail` for `games`, else `NAME-mail`."""
    store = store.absolute()
    return Config(store, store.with_name("mail" if store.name == "games" else f"{store.name}-mail"))


def find(config: Path | None = None, store: Path | None = None, folder: Path | None = None) -> Config:
    """The settings a command works with: `--config FILE`, else a bare `--store DIR`, else `pbem.toml` of `folder`.

    With both, the file's settings hold for the given store. A bare store with a `pbem.toml` beside it that names
    it uses that file. Raises ConfigError.
    """
    if config is not None:
        found = load(config)
        return found if store is None else _moved(found, store)
    if store is not None:
        beside = store.absolute().parent / FILE
        if beside.is_file() and (found := load(beside)).store == store.absolute():
            return found
        return bare(store)
    return load((folder or Path.cwd()) / FILE)


def _moved(config: Config, store: Path) -> Config:
    return replace(config, store=store.absolute())


def read(table: Mapping[str, Any], path: Path) -> Config:
    """Check the tables of a settings file that lies at `path`. Raises ConfigError with every mistake."""
    folder = path.absolute().parent
    top = SettingsTable(table, path)
    host, moderator = _host(top.table("host", required=True)), _moderator(top.table("moderator"))
    imap, smtp = _imap(top.table("imap"), host, folder), _smtp(top.table("smtp"), host, folder)
    store, mail = top.table("store"), top.table("mail")
    found = Config(
        store=store.path("path", folder, folder / "games"),
        mail=mail.path("folder", folder, folder / "mail"),
        path=path.absolute(),
        keep_days=mail.number("keep_days", 60, 1, 3650),
        host=host,
        moderator=moderator,
        imap=imap,
        smtp=smtp,
        secret_file=mail.optional_path("secret_file", folder),
    )
    if found.mail == found.store or found.store in found.mail.parents:
        mail.wrong("folder", "must lie outside the store, so that no address or raw letter enters a game's history")
    for part in (store, mail, top):
        part.finish()
    if top.problems:
        raise ConfigError(path, tuple(top.problems))
    return found


def _host(part: SettingsTable) -> HostConfig:
    found = HostConfig(
        address=part.address("address", required=True),
        name=part.text("name", "Troyes by Mail", longest=80),
        domain=part.domain("domain"),
        time_zone=part.zone("time_zone", "UTC"),
        plus_addressing=part.flag("plus_addressing", True),
        list_id=part.domain("list_id"),
        authserv_id=part.text("authserv_id", "", longest=200).lower(),
        dmarc_exempt=part.addresses("dmarc_exempt"),
    )
    if found.plus_addressing and "+" in found.address.partition("@")[0]:
        part.wrong("address", "has a + already, where the token would go; take another or plus_addressing = false")
    part.finish()
    return found


def _moderator(part: SettingsTable) -> ModeratorConfig:
    found = ModeratorConfig(part.addresses("addresses"), part.text("seat", "", longest=40))
    part.finish()
    return found


def _imap(part: SettingsTable, host: HostConfig, folder: Path) -> ImapConfig:
    tls = part.one_of("tls", TLS_WORDS, "tls")
    found = ImapConfig(
        host=part.text("host", ""),
        port=part.number("port", IMAP_PORTS[tls], 1, 65535),
        user=part.text("user", host.address),
        tls=tls,
        folder=part.text("folder", "INBOX"),
        filed=part.text("filed", "Handled"),
        quarantine=part.text("quarantine", "Quarantine"),
        keep_filed_days=part.number("keep_filed_days", 60, 0, 36500),
        idle=part.flag("idle", True),
        poll=part.number("poll", 20, 5, 3600),
        timeout=part.number("timeout", 30, 5, 600),
        ca_file=part.text("ca_file", ""),
        plaintext_allowed=part.flag("plaintext_allowed", False),
        password_file=part.optional_path("password_file", folder),
    )
    for name in ("filed", "quarantine"):
        if getattr(found, name) == found.folder:
            part.wrong(name, f"is the folder that letters arrive in; name another, such as {name.title()!r}")
    part.finish(password="IMAP")
    return found


def _smtp(part: SettingsTable, host: HostConfig, folder: Path) -> SmtpConfig:
    tls = part.one_of("tls", TLS_WORDS, "tls")
    found = SmtpConfig(
        host=part.text("host", ""),
        port=part.number("port", SMTP_PORTS[tls], 1, 65535),
        user=part.text("user", host.address, empty=True),
        tls=tls,
        sender=part.address("from") or host.address,
        timeout=part.number("timeout", 30, 5, 600),
        ca_file=part.text("ca_file", ""),
        plaintext_allowed=part.flag("plaintext_allowed", False),
        password_file=part.optional_path("password_file", folder),
    )
    part.finish(password="SMTP")
    return found
