"""A computer's way to read mails and to choose."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from email.headerregistry import Address
from typing import Any, cast

from engine.catalog import T
from engine.game import Decision, Offer, Seat
from pbem.demo.mail_client import MailClient
from pbem.demo.mail_computer import MailComputer
from pbem.demo.received_mail import ReceivedMail, parse_mail
from pbem.desk.transaction.compose import with_choices
from pbem.outbound.mail import Choice, Mail, MailKind
from pbem.outbound.render import Host, Renderer, Thread

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
LONG = (
    "farm Y6 Y5 using exchange: Y1 for faye:Y6, W1 for geoffrey:Y5 and then some more words so that it must be broken"
)


def written(mail: Mail) -> ReceivedMail:
    renderer = Renderer(Host("pbem@demo.example"))
    to = Address("Anna", addr_spec="anna@demo.example")
    return parse_mail(renderer.message(mail, to, Thread("<a@b>", "<c@d>"), "<e@f>", NOON))


def mail_of(kind: MailKind, **more: Any) -> Mail:
    return Mail(
        kind=kind, game="troyes-1", game_kind="troyes", seat=Seat("anna"), name="Anna", heading=T("round 2 of 6"),
        token="troyes-1.3.abcdefgh23456723", **more,
    )  # fmt: skip


def question(kind: MailKind = MailKind.TURN, *offers: str) -> Mail:
    asked = Decision(Seat("anna"), "turn", 3, T("act"))
    return mail_of(kind, decision=asked, offers=tuple(Offer(text, T("a · b")) for text in offers))


def test_options_are_read_whole_though_their_lines_are_broken() -> None:
    mail = written(question(MailKind.TURN, LONG, "pass"))
    assert (LONG, "pass") == mail.options
    assert mail.asks
    assert "pbem+troyes-1.3.abcdefgh23456723@demo.example" == mail.reply_to
    assert "Round 2 of 6" == mail.heading


def test_the_answer_cites_the_whole_thread() -> None:
    mail = written(question(MailKind.TURN, "pass"))
    assert "<e@f>" == mail.message_id
    assert ["<a@b>", "<c@d>", "<e@f>"] == mail.references.split()


def test_an_invitation_asks_for_a_word() -> None:
    mail = mail_of(MailKind.INVITATION)
    assert not written(mail).invites
    choices = (Choice("join", T("you take the seat")), Choice("decline", T("you say no")))
    assert written(with_choices(mail, choices)).invites
    assert not written(question(MailKind.TURN, "pass")).invites


class Pigeon:
    """Brings the mails it was given and keeps the answers."""

    def __init__(self, *mails: ReceivedMail) -> None:
        self.account = "anna"
        self.sent = 0
        self.mails = list(mails)
        self.answers: list[str] = []

    async def fetch(self) -> list[ReceivedMail]:
        found, self.mails = self.mails, []
        return found

    async def answer(self, mail: ReceivedMail, lines: str) -> None:
        self.answers.append(lines)


def answers(*mails: Mail) -> list[str]:
    """What a computer answers to these mails, one after the other."""
    pigeon = Pigeon()
    computer = MailComputer(cast(MailClient, pigeon), "seed")

    async def work() -> None:
        for mail in mails:
            pigeon.mails.append(written(mail))
            await computer.look()
            await computer.answer()

    asyncio.run(work())
    return pigeon.answers


def test_a_refused_option_is_not_taken_again() -> None:
    refused = question(MailKind.REFUSAL, "farm Y1", "build with W1", "pass")
    given = answers(question(MailKind.TURN, "farm Y1", "build with W1", "pass"), refused, refused)
    assert ["1", "2", "3"] == sorted(given)


def test_a_computer_mostly_takes_the_first_option_and_not_always() -> None:
    given = answers(*(question(MailKind.TURN, "farm Y1", "build with W1", "pass") for _ in range(60)))
    assert 30 < given.count("1") < 60


def test_a_mail_without_options_asks_nothing_and_is_not_answered() -> None:
    news = mail_of(MailKind.NEWS)
    assert not written(news).asks
    assert [] == answers(news)
