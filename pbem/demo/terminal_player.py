"""A person's seat: the newest mail in the terminal, and a prompt whose lines are sent as real mail.

The mailbox is only read, so any mail program can be used as well; whatever comes is shown, wherever one answered.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import textwrap
import threading

import click

from pbem.demo.mail_client import MailClient
from pbem.demo.postoffice import HOST, PostOffice
from pbem.demo.progress import Progress
from pbem.demo.received_mail import ReceivedMail

HELP = (
    "Answer here with a number or an order, as in a letter («help» explains, «hint» advises, «board» shows the table), "
    "or in your mail program: both see every mail. A line that ends in \\ goes on in the next. «mail» shows the newest "
    "mail again, «quit» or Ctrl-C leaves."
)
LOOK = 0.3
"""Seconds between two looks into the mailbox."""


class TerminalPlayer:
    """Shows what comes and sends what is typed."""

    def __init__(self, mail: MailClient, office: PostOffice, progress: Progress) -> None:
        self.mail = mail
        self._progress = progress
        self._newest: ReceivedMail | None = None
        self._asked = False
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()
        self._server = office

    async def run(self) -> None:
        """Show and send until «quit» or the end of the input."""
        self._progress.pause()
        self._introduce()
        self._listen()
        # Lines of a file or a pipe are there at once: each waits for a mail that asks something.
        patient = not sys.stdin.isatty()
        while True:
            await self.show_new()
            if patient and not self._asked:
                await asyncio.sleep(LOOK)
                continue
            try:
                async with asyncio.timeout(LOOK):
                    line = await self._typed.get()
            except TimeoutError:
                continue
            if line is None or line.strip().lower() in ("quit", "exit"):
                return
            await self._handle(line)

    async def show_new(self) -> None:
        """Print what has come since the last look."""
        for mail in await self.mail.fetch():
            self._newest = mail
            self._asked = self._asked or mail.asks
            self._show(mail)

    async def _handle(self, line: str) -> None:
        written = line
        while written.endswith("\\"):
            more = await self._typed.get()
            written = f"{written[:-1].rstrip()}\n{more or ''}"
        if not written.strip():
            return
        if written.strip().lower() in ("mail", "m", "?"):
            if self._newest is not None:
                self._show(self._newest)
            return
        if self._newest is None:
            click.echo("No mail has come yet that could be answered.", err=True)
            return
        self._asked = False
        await self.mail.answer(self._newest, written)
        click.echo("Sent; the answer comes by mail.", err=True)

    def _introduce(self) -> None:
        say = self._progress.say
        say(f"You are {self.mail.name}, {self.mail.address}. Your mailbox, for any mail program while this runs:")
        say(f"  IMAP {HOST}:{self._server.imap_port}, SMTP {HOST}:{self._server.smtp_port}, no encryption")
        say(f"  user {self.mail.account}, password {self._server.password}")
        say(f"  Maildir {self._server.folder / self.mail.account}")
        say(_fitted(HELP))

    def _show(self, mail: ReceivedMail) -> None:
        click.echo(err=True)
        click.secho(f"==== {mail.subject}", bold=True, err=True)
        # The first line only tells where to write in a mail program.
        lines = "\n".join(mail.text.splitlines()[1:]).strip("\n").splitlines()
        click.echo("\n".join(map(_fitted, lines)), err=True)
        if sys.stderr.isatty() and len(lines) > shutil.get_terminal_size().lines and mail.choices:
            # They have gone over the upper edge.
            click.echo("\n".join(map(_fitted, ("", *mail.choices))), err=True)
        click.echo("> ", nl=False, err=True)

    def _listen(self) -> None:
        """Read lines in a thread of its own: a file, a pipe and a terminal all work, and none holds up the game."""
        loop = asyncio.get_running_loop()

        def lines() -> None:
            for line in sys.stdin:
                loop.call_soon_threadsafe(self._typed.put_nowait, line.rstrip("\n"))
            loop.call_soon_threadsafe(self._typed.put_nowait, None)

        threading.Thread(target=lines, daemon=True).start()


def _fitted(line: str) -> str:
    """A line broken between words at the terminal's edge, what follows set in a little."""
    width = max(20, min(shutil.get_terminal_size().columns, 100) - 1)
    return textwrap.fill(line, width, subsequent_indent="  ", break_on_hyphens=False) if sys.stderr.isatty() else line
