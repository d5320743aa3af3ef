"""Mail programs with their own defaults, and how one answers the newest mail in them.

A home of its own tells each program no more than servers and name; how it quotes and where it puts a signature is
its own. Writing above the quotation and below it are what people do, and `Where.PLACE` is where the program puts them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from tests.wire.servers import Office

from .terminal import Terminal

SIGNATURE = "Anna Dupré\n06 12 34 56 78\n"


class Where(StrEnum):
    """Where somebody writes."""

    ABOVE = "above"
    BELOW = "below"
    PLACE = "place"


class Program(Protocol):
    """A mail program."""

    name: str
    needs: tuple[str, ...]
    """What must be installed."""
    marks_signature: bool
    """Whether dashes stand above the signature."""

    def prepare(self, home: Path, office: Office, account: str, name: str) -> None:
        """Lay down its settings."""

    def answer(self, terminal: Terminal, home: Path, office: Office, text: str, where: Where) -> None:
        """Open the newest mail, answer it with a line, and leave the program."""


def surroundings(home: Path) -> Mapping[str, str]:
    """What a program is told of the person at the terminal."""
    return {"HOME": str(home), "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "USER": "anna", "MAIL": "", "TERM": "screen"}


class Mutt:
    """Mutt as it comes, with nano as its editor: quotes with `> `, writes the signature below under dashes."""

    name = "mutt"
    needs = ("mutt", "nano")
    marks_signature = True

    def prepare(self, home: Path, office: Office, account: str, name: str) -> None:
        (home / ".signature").write_text(SIGNATURE, encoding="utf-8")
        (home / ".muttrc").write_text(
            f'set imap_user="{account}" imap_pass="{office.password}" ssl_starttls=no ssl_force_tls=no\n'
            f'set spoolfile="imap://{office.host}:{office.imap_port}/INBOX" folder="imap://{office.host}:'
            f'{office.imap_port}/"\nset smtp_url="smtp://{office.host}:{office.smtp_port}/" record=""\n'
            f'set from="{account}@{office.domain}" realname="{name}" hostname="home.test" editor="nano --ignorercfiles"\n'
            # The clock of the disk may stand still while a line is typed.
            f'set abort_unmodified=no\n',
            encoding="utf-8",
        )

    def answer(self, terminal: Terminal, home: Path, office: Office, text: str, where: Where) -> None:
        terminal.start("mutt -n", home, surroundings(home))
        terminal.see("q:Quit")
        terminal.press("r")
        for asked in ("Reply to ", "To: ", "Subject: ", "Include message in reply?"):
            terminal.see(asked)
            terminal.press("Enter")
        terminal.see("^X Exit")
        if where is Where.BELOW:
            # Under the quotation, above the signature.
            terminal.press("M-/")
            for _ in range(SIGNATURE.count("\n") + 1):
                terminal.press("Up")
            terminal.press("Home")
        terminal.type(text)
        terminal.press("Enter")
        if where is Where.ABOVE:
            terminal.press("Enter")
        terminal.see(text)
        terminal.press("C-x")
        terminal.see("Save modified buffer?")
        terminal.press("y")
        terminal.see("File Name to Write")
        terminal.press("Enter")
        terminal.see("y:Send")
        terminal.press("y")
        terminal.see("r:Reply")
        terminal.press("q")
        terminal.ended()


class Alpine:
    """Alpine as it comes: writes the signature above the quotation, without dashes."""

    name = "alpine"
    needs = ("alpine",)
    marks_signature = False

    def prepare(self, home: Path, office: Office, account: str, name: str) -> None:
        (home / ".signature").write_text(SIGNATURE, encoding="utf-8")
        (home / ".pinerc").write_text(
            f"personal-name={name}\nuser-domain={office.domain}\ncustomized-hdrs=From: {name} <{account}@{office.domain}>\n"
            f"smtp-server={office.host}:{office.smtp_port}/notls\n"
            f"inbox-path={{{office.host}:{office.imaps_port}/user={account}/ssl/novalidate-cert}}INBOX\n"
            # Nothing is asked about the year's old mail, or kept of what was sent.
            'default-fcc=""\nlast-version-used=9.99\npruned-folders=\nlast-time-prune-questioned=999.12\n'
            "feature-list=quit-without-confirm,disable-password-file-saving\n",
            encoding="utf-8",
        )
        (home / "mail").mkdir()

    def answer(self, terminal: Terminal, home: Path, office: Office, text: str, where: Where) -> None:
        terminal.start("alpine -i", home, surroundings(home))
        terminal.see("PASSWORD")
        terminal.type(office.password)
        terminal.press("Enter")
        terminal.see("R Reply")
        terminal.press("r")
        for asked, key in (("Include original message", "y"), ('Use "Reply-To:"', "y"), ("Reply to all", "n")):
            terminal.see(asked)
            terminal.press(key)
        terminal.see("Message Text -----")
        if where is Where.BELOW:
            terminal.press("C-w")
            terminal.see("^V ")
            terminal.press("C-v")
            terminal.lose("^V LastLine")
        terminal.type(text)
        terminal.press("Enter")
        terminal.see(text)
        terminal.press("C-x")
        terminal.see("Send message?")
        terminal.press("y")
        terminal.see("R Reply")
        terminal.press("q")
        terminal.ended()


PROGRAMS: tuple[Program, ...] = (Mutt(), Alpine())
