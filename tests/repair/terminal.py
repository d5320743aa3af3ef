"""The command line on a host whose game is that of the bench."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner, Result

from pbem.cli import main
from tests.commands import Commands


@dataclass
class Terminal(Commands):
    """`run` calls a command on a host's store; `read` its JSON, which must be all of stdout."""

    folder: Path

    def run(self, *words: str, typed: str | None = None, env: dict[str, str] | None = None) -> Result:
        return CliRunner().invoke(main, ["--store", str(self.folder / "games"), *words], input=typed, env=env)


def at(folder: Path) -> Terminal:
    """A terminal for the host in a folder; its secret is the one of the tests."""
    secret = folder / "mail" / "host.secret"
    if not secret.exists():
        secret.write_text(bytes(range(32)).hex() + "\n")
        secret.chmod(0o600)
    (folder / "mail").chmod(0o700)
    return Terminal(folder)
