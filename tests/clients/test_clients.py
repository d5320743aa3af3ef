"""Real mail programs by key presses, real servers between: what people type is what the daemon plays.

A game of Dice alone: each answer brings the next question, so that every letter answers the mail before.
"""

from __future__ import annotations

import asyncio
import contextlib
import imaplib
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.game import Seat
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.daemon.service import Service, mailbox_settings, make_daemon, open_service
from pbem.inbound.mailbox import Mailbox
from pbem.store.commit_record import Record
from pbem.store.private_text import fill_text
from pbem.store.state_file import StoredGame
from tests.patience import PATIENCE
from tests.whole.byrealmail import until
from tests.whole.test_real_servers import host_at
from tests.wire.servers import Office, absent, dovecot_office

from .programs import PROGRAMS, Program, Where
from .terminal import missing, terminal

ANNA = Seat("anna")


class Table:
    """A game of one person, and its host, who works when a letter has come."""

    def __init__(self, service: Service, address: str) -> None:
        self.service = service
        seats = (Invited("Anna", (address,)),)
        opening = Opening("troyes-dice", seats, now=True, seed=b"a mail program's seed, 32 bytes.")
        self.game = open_table(service.desk, opening).table.game

    @property
    def listed(self) -> list[str]:
        """The orders on the list of the newest mail."""
        context = self.service.desk.look(self.game, lambda context: context)
        return [offer.text for offer in context.game.offers(context.state, ANNA)]

    def played(self) -> list[str]:
        """What the newest record says was played, or what the writer was told instead."""
        repo = self.service.store.open(self.game)
        record = Record.read(repo, StoredGame.read(repo).table.records)
        private = fill_text(self.service.spool.words, self.game, record).private
        return list(private.get("orders", [])) or [str(private.get("mails"))]


@pytest.mark.servers
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.name)
def test_what_is_typed_into_a_mail_program_is_played(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A number above the quotation, a number below it, an order in words; all under the program's own signature."""
    if name := missing(*program.needs):
        absent(f"{name} is not installed")
    with dovecot_office() as office:
        monkeypatch.setenv("PBEM_IMAP_PASSWORD", office.password)
        asyncio.run(_answers(program, office, tmp_path))


async def _answers(program: Program, office: Office, folder: Path) -> None:
    config = host_at(office, folder)
    home = folder / "home"
    home.mkdir()
    address = office.make_account("anna")
    program.prepare(home, office, "anna", "Anna Dupré")
    with (
        contextlib.closing(open_service(config)) as service,
        terminal(folder) as screen,
        imaplib.IMAP4(office.host, office.imap_port, timeout=PATIENCE) as inbox,
    ):
        inbox.login("anna", office.password)
        table = Table(service, address)
        host = Mailbox(mailbox_settings(config))
        await host.connect()

        async def has_letter() -> bool:
            return bool(await host.arrived())

        await make_daemon(service).run(once=True)
        mails = 0

        async def answers(typed: str, where: Where) -> list[str]:
            # Postfix has taken the mail; Dovecot has it a moment later, and a program that is open then need not look.
            nonlocal mails
            await until("a mail", lambda: delivered(inbox) > mails)
            mails += 1
            program.answer(screen, home, office, typed, where)
            await until("a letter", has_letter)
            await make_daemon(service).run(once=True)
            return table.played()

        for number, (where, choose) in enumerate(LETTERS):
            typed, order = choose(table.listed)
            played = await answers(typed, where)
            if number == 0 and not program.marks_signature:
                # Lines that nobody knows stand under the order: they are asked about once.
                assert played != [order]
                played = await answers("1", where)
            assert played == [order], (where, typed)
        await host.close()


def delivered(inbox: imaplib.IMAP4) -> int:
    """How many mails lie there now."""
    _, (count,) = inbox.select(readonly=True)
    return int(count or b"0")


def _said(number: int, words: str = "{n}") -> Callable[[list[str]], tuple[str, str]]:
    """What is typed to choose an option of a list, by its number (`{n}`) or its words (`{order}`), and that option."""
    return lambda listed: (words.format(n=number, order=listed[number - 1]), listed[number - 1])


LETTERS: tuple[tuple[Where, Callable[[list[str]], tuple[str, str]]], ...] = (
    (Where.ABOVE, _said(2)),
    (Where.BELOW, _said(3)),
    (Where.PLACE, _said(2, "{order}")),
    (Where.ABOVE, _said(1, "Hi! I'll take number {n}, please.")),
    (Where.BELOW, _said(2, "Bonjour, je prends le {n}, merci !")),
    (Where.PLACE, _said(1, "I'd like {order}, thanks")),
)
