"""The host's settings: what `pbem.toml` holds, checked as a whole.

Reading the file tells every mistake at once, each with its place, what stands there, and what would work. Passwords
never stand in the file (see `pbem.host.passwords`). Paths are relative to the file's folder. A bare store, without any
file, works for everything that needs no mail server.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias
from zoneinfo import ZoneInfo

from pbem.host.settings_file import (
    Address,
    Addresses,
    Auth,
    CommandLine,
    ConfigError,
    Domain,
    Flag,
    Label,
    Line,
    Place,
    SettingsReader,
    ShortLine,
    integer_range,
)
from pbem.host.tls import Tls
from pbem.store.data_codec import describe_type

FILE = "pbem.toml"

PASSWORDS: Mapping[str, str] = {"imap": "PBEM_IMAP_PASSWORD", "smtp": "PBEM_SMTP_PASSWORD"}
IMAP_PORTS: Mapping[str, int] = {"tls": 993, "starttls": 143, "none": 143}
SMTP_PORTS: Mapping[str, int] = {"tls": 465, "starttls": 587, "none": 25}

Port: TypeAlias = Annotated[int, integer_range(1, 65535, 993)]


@dataclass(frozen=True, slots=True)
class HostConfig:
    """`[host]`: who writes the mails. `time_zone` is where a player lives who has named no other; `language` is that of
    whoever has chosen none, and of the host's own mails.

    `label`: what the ids of games opened here begin with, where several hosts share the address.
    `authserv_id`: the name under which the own mail server writes its Authentication-Results; empty: they are not
    looked at. `dmarc_exempt`: addresses whose letters count though they fail there (forwarding, say).
    """

    address: Address = "pbem@localhost.localdomain"
    name: ShortLine = "Troyes by Mail"
    domain: Domain = ""
    time_zone: str = "UTC"
    language: Line = "en"
    plus_addressing: Flag = True
    list_id: Domain = ""
    authserv_id: Line = ""
    dmarc_exempt: Addresses = ()
    label: Label = ""

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)


@dataclass(frozen=True, slots=True)
class ModeratorConfig:
    """`[moderator]`: who hears of trouble and may repair games. `seat`: the name they play under, if they do.

    `on_trouble`: a command that tells them, on another way than by mail, when mail is down, and when it works again.
    """

    addresses: Addresses = ()
    seat: ShortLine = ""
    on_trouble: Line = ""


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """What `[imap]` and `[smtp]` both say of a server and the login there. `port`: 0 is the usual one.

    `auth`: "xoauth2" where the provider takes a token in place of a password. `password_command`: what prints it.
    """

    host: Line = ""
    port: Port = 0
    user: Line = ""
    tls: Tls = "tls"
    timeout: Annotated[int, integer_range(5, 600, 30)] = 30
    ca_file: Line = ""
    plaintext_allowed: Flag = False
    password_file: Place = None
    password_command: CommandLine = ""
    auth: Auth = "password"


@dataclass(frozen=True, slots=True)
class ImapConfig(ServerConfig):
    """`[imap]`: the mailbox that answers come to. `poll`: seconds between looks where the server has no IDLE.

    `keep_filed_days`: how long handled letters stay in the folder `filed`; 0 is for ever. Others are never removed.
    """

    folder: Line = "INBOX"
    filed: Line = "Handled"
    quarantine: Line = "Quarantine"
    idle: Flag = True
    poll: Annotated[int, integer_range(5, 3600, 20)] = 20
    keep_filed_days: Annotated[int, integer_range(0, 36500, 60)] = 60


@dataclass(frozen=True, slots=True)
class MailboxConfig:
    """`[mailbox]`: in place of a server in `[imap]`, the Maildir that this machine's own mail server delivers to.

    What `[imap]` says of `filed`, `quarantine` and `keep_filed_days` holds for it, too.
    """

    maildir: Place = None


@dataclass(frozen=True, slots=True)
class SmtpConfig(ServerConfig):
    """`[smtp]`: the server that mail leaves by; no login where `user` is empty.

    `sender` is the envelope sender, where bounces go.
    """

    sender: Address = ""


@dataclass(frozen=True, slots=True)
class TablesConfig:
    """`[tables]`: who may `open` and join tables by mail: nobody, people who have joined one here (known), or anyone.

    `follow`: who may follow by mail the tables that allow it: nobody, people who have a seat here, or anyone.
    `a_day`: tables that one person may open in a day; `waiting`: tables so opened that wait for players at one time.
    """

    open: Literal["nobody", "known", "anyone"] = "nobody"
    a_day: Annotated[int, integer_range(1, 100, 2)] = 2
    waiting: Annotated[int, integer_range(1, 1000, 10)] = 10
    follow: Literal["nobody", "known", "anyone"] = "nobody"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tables:
    """The tables of the file that are settings as they stand."""

    host: HostConfig = HostConfig()
    moderator: ModeratorConfig = ModeratorConfig()
    imap: ImapConfig = ImapConfig()
    smtp: SmtpConfig = SmtpConfig()
    mailbox: MailboxConfig = MailboxConfig()
    tables: TablesConfig = TablesConfig()


@dataclass(frozen=True, slots=True)
class Config(_Tables):
    """All settings. `path` is the file they came from, None for a bare store.

    `store` holds one folder and repository per game. `mail` holds what never enters a game's repository: the spool,
    people's addresses, due times, heartbeat, the host's secret; `keep_days`: how long the spool keeps old bytes.
    """

    store: Path
    mail: Path
    path: Path | None = None
    keep_days: int = 60
    secret_file: Path | None = None

    @property
    def host_secret(self) -> Path:
        """The file with the secret that tokens are made from."""
        return self.secret_file or self.mail / "host.secret"


@dataclass(frozen=True, slots=True)
class _Store:
    """`[store]`."""

    path: Place = None


@dataclass(frozen=True, slots=True)
class _Mail:
    """`[mail]`."""

    folder: Place = None
    secret_file: Place = None
    keep_days: Annotated[int, integer_range(1, 3650, 60)] = 60


@dataclass(frozen=True, slots=True)
class _SettingsFile(_Tables):
    """The tables of the file."""

    store: _Store = _Store()
    mail: _Mail = _Mail()


def load_config(path: Path) -> Config:
    """Read `pbem.toml`. Raises ConfigError with every mistake in it, or when the file cannot be read."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        says = "there is no such file; `pbem init` writes one, or name a store with --store DIR"
        raise ConfigError(path, (says,)) from None
    except (OSError, UnicodeDecodeError) as odd:
        raise ConfigError(path, (f"cannot be read: {odd}",)) from None
    except (tomllib.TOMLDecodeError, RecursionError) as odd:
        raise ConfigError(path, (f"is no TOML: {odd}",)) from None
    return check_settings(table, path)


def config_of_store(store: Path) -> Config:
    """Settings for a store without a file. Its mail folder lies beside it: `mail` for `games`, else `NAME-mail`."""
    store = store.absolute()
    return Config(store, store.with_name("mail" if store.name == "games" else f"{store.name}-mail"))


def find_config(config: Path | None = None, store: Path | None = None) -> Config:
    """The settings a command works with: those of `--config FILE`, a bare `--store DIR`, or `pbem.toml` here.

    With both, the file's settings hold for the given store. A bare store with a `pbem.toml` beside it that names
    it uses that file. Raises ConfigError.
    """
    if config is None and store is None:
        return load_config(Path.cwd() / FILE)
    if store is None:
        return load_config(config or Path())
    store = store.absolute()
    if config is not None:
        return replace(load_config(config), store=store)
    beside = store.parent / FILE
    if beside.is_file() and (found := load_config(beside)).store == store:
        return found
    return config_of_store(store)


def check_settings(table: Mapping[str, Any], path: Path) -> Config:
    """Check the tables of a settings file that lies at `path`. Raises ConfigError with every mistake."""
    folder = path.absolute().parent
    settings = SettingsReader(table, folder)
    found = settings.read(_SettingsFile, PASSWORDS, empty=("smtp", "user"))
    store, mail = found.store.path or folder / "games", found.mail.folder or folder / "mail"
    for name, key, says in _contradictions(settings, found, store, mail):
        settings.wrong(name, key, says)
    if settings.problems:
        raise ConfigError(path, tuple(settings.problems))
    host, imap, smtp = found.host, found.imap, found.smtp
    user = smtp.user if settings.given("smtp", "user") else host.address
    sender, port = smtp.sender or host.address, smtp.port or SMTP_PORTS[smtp.tls]
    return Config(
        store=store,
        mail=mail,
        path=path.absolute(),
        keep_days=found.mail.keep_days,
        host=replace(host, authserv_id=host.authserv_id.lower()),
        moderator=found.moderator,
        imap=replace(imap, port=imap.port or IMAP_PORTS[imap.tls], user=imap.user or host.address),
        smtp=replace(smtp, port=port, user=user, sender=sender),
        mailbox=found.mailbox,
        tables=found.tables,
        secret_file=found.mail.secret_file,
    )


def _contradictions(
    settings: SettingsReader, found: _SettingsFile, store: Path, mail: Path
) -> Iterator[tuple[str, str, str]]:
    """Table, key and what is wrong, for values that do not go together or are missing."""
    host, imap, smtp = found.host, found.imap, found.smtp
    if not settings.given("host"):
        settings.problems.append("[host]: is missing")
    elif not host.address or not settings.given("host", "address"):
        yield "host", "address", f"is missing; it must be {describe_type(Address)}"
    if host.plus_addressing and "+" in host.address.partition("@")[0]:
        yield "host", "address", "has a + already, where the token would go; take another or plus_addressing = false"
    if host.label and not host.plus_addressing:
        yield "host", "label", "needs plus_addressing = true: by plus addresses letters find this host"
    try:
        host.zone  # noqa: B018 - whether there is such a zone
    except (KeyError, ValueError, OSError):
        yield "host", "time_zone", 'is no time zone; it must be a name such as "Europe/Paris" or "UTC"'
    for name in ("filed", "quarantine"):
        if getattr(imap, name) == imap.folder:
            yield "imap", name, f"is the folder that letters arrive in; name another, such as {name.title()!r}"
    same = not settings.given("smtp", "user") or smtp.user == (imap.user or host.address)
    commands = {"imap": imap.password_command, "smtp": smtp.password_command or (same and imap.password_command)}
    parts: dict[str, ServerConfig] = {"imap": imap, "smtp": smtp}
    for name, part in parts.items():
        if part.auth == "xoauth2" and not commands[name]:
            yield name, "auth", "needs a password_command: a token is good for an hour or so, then a new one"
        if part.password_command and part.password_file:
            yield name, "password_file", "stands beside a password_command; leave one of the two out"
    if found.mailbox.maildir is not None and imap.host:
        says = "stands beside a host in [imap]; letters come to one mailbox, so leave one of the two out"
        yield "mailbox", "maildir", says
    if mail.is_relative_to(store):
        yield "mail", "folder", "must lie outside the store, so that no address or raw letter enters a game's history"
