"""`pbem init`: writes a host's settings and secret."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click

from pbem.cli.kit import console
from pbem.cli.kit.call import DIFFERS, USAGE, Call, CommandEnd, json_option, print_answer
from pbem.host.config import (
    IMAP_PORTS,
    SMTP_PORTS,
    Config,
    HostConfig,
    ImapConfig,
    MailboxConfig,
    ModeratorConfig,
    SmtpConfig,
)
from pbem.host.passwords import SecretError, password
from pbem.host.settings_file import is_address
from pbem.host.setup import write_settings
from pbem.store.permissions import refuse_root

TLS = click.Choice(["tls", "starttls", "none"])


@click.command("init")
@click.option("--address", help="The address that players write to.")
@click.option("--name", help="The name they see beside it.")
@click.option("--moderator", "moderators", multiple=True, help="Who hears of trouble; an address.")
@click.option("--seat", help="The name you play under, if you do.")
@click.option("--time-zone", help="Such as Europe/Paris.")
@click.option("--plus/--no-plus", default=None, help="Whether mail to local+anything@domain reaches the mailbox.")
@click.option("--maildir", type=click.Path(path_type=Path), help="Without IMAP: where a mail server here delivers.")
@click.option("--imap-host", help="The server of the mailbox.")
@click.option("--imap-port", type=click.IntRange(1, 65535))
@click.option("--imap-user", help="The login; the address if left out.")
@click.option("--imap-tls", type=TLS)
@click.option("--smtp-host", help="The server that mail leaves by.")
@click.option("--smtp-port", type=click.IntRange(1, 65535))
@click.option("--smtp-user", help="The login; '' for none.")
@click.option("--smtp-tls", type=TLS)
@click.option("--batch", is_flag=True, help="Ask nothing: what is not given gets its default.")
@json_option
@click.pass_obj
def command(call: Call, /, batch: bool, **given: Any) -> None:
    """Write pbem.toml and the host's secret.

    Asks what is not given as a flag; never for a password, which belongs in the environment, a file of mode 0600, or
    the keyring. The file goes where --config says, or into this folder.
    """
    path = (call.config_file or Path("pbem.toml")).absolute()
    if path.exists():
        raise CommandEnd(f"{path} is there already; edit it, or name another with --config FILE", DIFFERS)
    refuse_root(path.parent)
    answers = _Answers(given, asks=not batch and not call.as_json and sys.stdin.isatty())
    config = write_settings(_settings(answers, path, call.store_folder))
    known, comes = "", ""
    try:
        if config.mailbox.maildir is None:
            known = password("imap", config).where
            comes = f"The password comes from {known}."
    except SecretError as odd:
        comes = str(odd)
    made = {"config": path, "store": config.store, "mail": config.mail, "secret": config.host_secret}
    found = {what: str(where) for what, where in made.items()} | {"password": known}
    print_answer(found, lambda found: _print(found, comes))


def _print(found: dict[str, str], password_comes: str) -> None:
    for what, key in (("settings", "config"), ("games", "store"), ("mail", "mail"), ("secret", "secret")):
        click.echo(f"{what}\t{found[key]}")
    console.warn("Keep the secret and back it up: it makes the keys in the mails' addresses.")
    if password_comes:
        console.warn(password_comes)
    console.warn("Next: `pbem doctor`.")


class _Answers:
    """Answers given as flags; the rest is asked for, or gets its default."""

    def __init__(self, flags: dict[str, Any], asks: bool) -> None:
        self.flags, self._asks = flags, asks

    def get(self, name: str, question: str, default: Any = None, kind: Any = None, check: Any = lambda one: one) -> Any:
        """An answer. `check` raises CommandEnd for a wrong one, which is then asked for again."""
        value = self.flags.get(name)
        if value not in (None, ()):
            return check(value)
        if self._asks and kind is bool:
            return click.confirm(question, default=default, err=True)
        while self._asks:
            try:
                return check(click.prompt(question, default=default, type=kind, err=True))
            except CommandEnd as odd:
                console.warn(odd.message)
        if default is None:
            raise CommandEnd(f"--{name.replace('_', '-')} is needed: {question.lower()}", USAGE)
        return check(default)


def _address(address: str) -> str:
    if not is_address(address):
        raise CommandEnd(f"{address!r} is no address that mail can be sent to", USAGE)
    return address


def _addresses(given: str | Sequence[str]) -> tuple[str, ...]:
    return tuple(_address(one) for one in ([given] if isinstance(given, str) else given) if one)


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise CommandEnd(f"{name!r} is no time zone; a name such as Europe/Paris is needed", USAGE) from None
    return name


def _settings(answers: _Answers, path: Path, store: Path | None) -> Config:
    address = answers.get("address", "Address that players write to", check=_address)
    domain = address.partition("@")[2]
    name = answers.get("name", "Name beside it", "Troyes by Mail")
    whose = "Your own address, which hears of trouble ('' for none)"
    moderators = answers.get("moderators", whose, "", check=_addresses)
    seat = answers.get("seat", "The name you play under ('' if you do not)", "")
    zone = answers.get("time_zone", "Time zone", _own_zone(), check=_zone)
    asks = "Does mail to local+anything@domain reach the mailbox? (`pbem doctor` tests it)"
    plus = answers.get("plus", asks, True, bool)
    maildir = answers.flags["maildir"]
    imap = ImapConfig(port=IMAP_PORTS["tls"]) if maildir else _imap(answers, address, domain)
    # A mail server on this machine that delivers also takes our mails, without a login.
    smtp_host = answers.get("smtp_host", "SMTP server", imap.host.replace("imap.", "smtp.", 1) or "localhost")
    smtp_tls = answers.get("smtp_tls", "SMTP encryption", "none" if maildir else "tls", TLS)
    smtp_port = answers.get("smtp_port", "SMTP port", SMTP_PORTS[smtp_tls], int)
    smtp_user = answers.get("smtp_user", "SMTP login", imap.user)
    return Config(
        store=(store or path.parent / "games").absolute(), mail=path.parent / "mail", path=path,
        host=HostConfig(address, name, time_zone=zone, plus_addressing=plus),
        moderator=ModeratorConfig(moderators, seat), imap=imap, mailbox=MailboxConfig(maildir and maildir.absolute()),
        smtp=SmtpConfig(smtp_host, smtp_port, smtp_user, smtp_tls, sender=address),
    )  # fmt: skip


def _imap(answers: _Answers, address: str, domain: str) -> ImapConfig:
    host = answers.get("imap_host", "IMAP server (of a machine of your own, its name)", f"imap.{domain}")
    tls = answers.get("imap_tls", "IMAP encryption", "tls", TLS)
    port = answers.get("imap_port", "IMAP port", IMAP_PORTS[tls], int)
    return ImapConfig(host, port, answers.get("imap_user", "IMAP login", address), tls)


def _own_zone() -> str:
    """The name of this machine's time zone, else UTC."""
    try:
        name = Path("/etc/timezone").read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        name = ""
    return name if "/" in name else "UTC"
