"""Where passwords and the host's secret come from, never the settings file; and nothing here prints one.

A password, or a token in its place, is what `password_command` prints on its first line, as with isync and msmtp.
Without one it is looked for, in this order, in the environment (`PBEM_IMAP_PASSWORD`, `PBEM_SMTP_PASSWORD`), among the
credentials that systemd hands over (`imap-password`, `smtp-password` in $CREDENTIALS_DIRECTORY), in the file that
`password_file` names, and in the system keyring, if the package `keyring` is installed. SMTP falls back to the
password of IMAP where both log in with the same user.
"""

from __future__ import annotations

import base64
import importlib
import os
import secrets
import stat
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pbem.host.config import Config, ServerConfig
from pbem.store.durable_files import write_file

Which = Literal["imap", "smtp"]


class SecretError(Exception):
    """A password or secret is missing, or lies open to others. The text says where it was looked for."""


@dataclass(frozen=True)
class Secret:
    """A value that no log, traceback or `repr` shows. `where` tells what it came from."""

    _value: str
    where: str = ""

    def __repr__(self) -> str:
        return f"Secret(from {self.where or 'nowhere'})"

    __str__ = __repr__

    def reveal(self) -> str:
        """The value itself, for the one call that needs it."""
        return self._value


WORDS_HIDDEN = "(its words are not repeated here)"
SHORT = 8
"""A server's words may hold a password shorter than this by chance."""

COMMAND_TIME = 60.0
"""Seconds that a password_command may take: a token may have to be fetched from far."""


def hide_passwords(said: str, user: str, *hidden: str) -> str:
    """What a server has said, to be shown or logged: all of it, or nothing where it may hold a password of ours.

    A password cut out of a sentence tells itself: «pwned» without it reads «…ned». So all words are left out when they
    hold it, as it is or as it goes over the wire; and always where the password is short, so that leaving them out does
    not say that it stands in them.
    """
    # Case and blanks do not matter: a server may repeat a command in capitals, or break it into lines.
    heard = "".join(said.split()).casefold()
    return WORDS_HIDDEN if any(_may_hold(heard, user, secret) for secret in hidden if secret) else said


def _may_hold(heard: str, user: str, secret: str) -> bool:
    ways = (secret, f"\0{user}\0{secret}", f"user={user}\1auth=Bearer {secret}\1\1")
    wire = (base64.b64encode(text.encode()).decode().rstrip("=") for text in ways)
    forms = (secret, secret.replace("\\", "\\\\").replace('"', '\\"'), *wire)
    return len(secret) < SHORT or any("".join(form.split()).casefold() in heard for form in forms)


def password(which: Which, config: Config, environ: Mapping[str, str] | None = None) -> Secret:
    """The password for a server; empty where no user logs in. Raises SecretError when there is none."""
    environ = os.environ if environ is None else environ
    part: ServerConfig = config.imap if which == "imap" else config.smtp
    if not part.user:
        return Secret("", "no login")
    found = _own(which, part, environ)
    if found is None and which == "smtp" and part.user == config.imap.user:
        found = _own("imap", config.imap, environ)
    if found is not None:
        return found
    name = which.upper()
    raise SecretError(
        f"[{which}]: there is no password for {part.user}. Set PBEM_{name}_PASSWORD, or name a file of mode 0600 as "
        f"password_file in [{which}], or give systemd the credential {which}-password, or install keyring and run "
        f"`keyring set pbem-{which} {part.user}`"
    )


def renewal(which: Which, config: Config) -> Callable[[], str] | None:
    """What gives another password once the server has refused one: a command may; None where it would be the same."""
    command = config.imap.password_command
    if which == "smtp":
        command = config.smtp.password_command or (command if config.smtp.user == config.imap.user else "")
    return (lambda: password(which, config).reveal()) if command else None


def _own(which: Which, part: ServerConfig, environ: Mapping[str, str]) -> Secret | None:
    if part.password_command:
        return _printed(which, part.password_command)
    variable = f"PBEM_{which.upper()}_PASSWORD"
    if environ.get(variable):
        return Secret(environ[variable], f"${variable}")
    folder = environ.get("CREDENTIALS_DIRECTORY")
    if folder and (credential := Path(folder, f"{which}-password")).is_file():
        # systemd guards that folder itself; its mode depends on the version.
        return Secret(_first_line(credential), f"credential {which}-password")
    if part.password_file is not None:
        return Secret(_first_line(check_private(part.password_file)), str(part.password_file))
    try:
        keyring = importlib.import_module("keyring")
        value = keyring.get_password(f"pbem-{which}", part.user)
    except Exception:  # not installed, no desktop session, locked: each means that there is none to be had
        return None
    return Secret(str(value), "the system keyring") if value else None


def _printed(which: Which, command: str) -> Secret:
    """The first line that a command prints. The rest is shown nowhere: a token may stand in it."""
    why = f"[{which}]: password_command"
    try:
        done = subprocess.run(
            command, shell=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=COMMAND_TIME, check=False
        )
        line = done.stdout.decode("utf-8").split("\n", 1)[0].rstrip("\r")
    except subprocess.TimeoutExpired:
        raise SecretError(f"{why} did not end within {COMMAND_TIME:g} seconds; run it by hand to see why") from None
    except UnicodeDecodeError:
        raise SecretError(f"{why} printed something that is no text; run it by hand to see what") from None
    if done.returncode or not line:
        says = f"ended with {done.returncode}" if done.returncode else "printed nothing on its first line"
        raise SecretError(f"{why} {says}; run it by hand, as the user that runs pbem, to see why")
    return Secret(line, "password_command")


def check_private(path: Path) -> Path:
    """`path`, if it is a file that only its owner can read. Raises SecretError otherwise."""
    try:
        mode = path.stat().st_mode
    except OSError as odd:
        raise SecretError(f"{path}: cannot be read: {odd.strerror}") from None
    if not stat.S_ISREG(mode):
        raise SecretError(f"{path}: is no file")
    if mode & 0o077:
        octal = f"{stat.S_IMODE(mode):04o}"
        raise SecretError(f"{path}: its mode is {octal}, so others can read it; run `chmod 600 {path}`")
    return path


def host_secret(config: Config) -> bytes:
    """The secret that tokens are made from: 32 random bytes, in a file as hexadecimal digits of mode 0600.

    It is made where there is neither secret nor game yet. A crash meanwhile leaves no file or a whole one. Raises
    SecretError when it lies open to others, holds no such number, or is gone while games go on.
    """
    path = config.host_secret
    if not path.exists() and config.store.is_dir() and any(config.store.glob("*/state.toml")):
        raise SecretError(
            f"{path}: the host's secret is missing, though there are games in {config.store}. Put it back from your "
            "backup: with another one no answer to a mail that is already out is known. If it is lost for good, put 64 "
            "hexadecimal digits of your own into it (mode 0600) and run `pbem resend` for each game"
        )
    try:
        if not path.exists():
            _make_secret(path)
        secret = bytes.fromhex(check_private(path).read_text(encoding="ascii").strip())
    except OSError as odd:
        raise SecretError(str(odd)) from None
    except ValueError:
        secret = b""
    if len(secret) >= 16:
        return secret
    raise SecretError(f"{path} must hold at least 32 hexadecimal digits; it was made by `pbem init` or at first use")


def _make_secret(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    write_file(beside, secrets.token_hex(32).encode() + b"\n", sync=True)
    # Another process may have been first; its secret counts.
    with suppress(FileExistsError):
        path.hardlink_to(beside)
    beside.unlink()


def _first_line(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").split("\n", 1)[0]
    except (OSError, UnicodeDecodeError) as odd:
        raise SecretError(f"{path}: cannot be read: {odd}") from None
