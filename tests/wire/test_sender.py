"""The outcomes of sending, told apart by whom they blame, and the connection that is kept (RFC 5321)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.demo.postoffice import PostOffice
from pbem.inbound.mailbox import Mailbox, MailboxSettings
from pbem.outbound.sender import (
    SendDelayed,
    Sender,
    SenderLoginRefused,
    SenderRefused,
    SendError,
    SenderSettings,
    SendRefused,
)
from tests.patience import PATIENCE

from .certificate import Certificate
from .odd import TIMEOUT, Odd, Talk, odd_server, soon

ABOUT_US = (
    "554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException",
    "554 5.2.252 SendAsDenied; table@games.example is not allowed to send as anna",
    "554 5.7.1 only 10 messages per day",
    "550 5.7.705 the tenant has exceeded a threshold",
    "550 5.7.501 spam abuse was detected from this account",
    "554 5.7.1 [CS01] Message rejected due to local policy",
    "554 Message rejected: Email address is not verified. The following identities failed the check",
    "550 5.7.26 This mail is unauthenticated",
    "550 5.7.26 our DMARC policy",
    "550 5.4.5 Daily user sending limit exceeded",
    "554 5.7.0 limit exceeded, try again later",
    "550 5.1.8 access denied, bad outbound sender",
    "550 5.7.60 client does not have permissions to send as this sender",
    "550 SPF check failed",
    "554 your account has been suspended",
)
"""What providers say of the one who sends, at whatever stage; none of it is about a recipient."""

LETTER = b"From: table@games.example\r\nTo: anna@players.example\r\n\r\nYour turn.\r\n"
Special = Callable[[Talk, str], Awaitable[bool]]


async def smtp(talk: Talk, special: Special, extensions: str = "8BITMIME") -> None:
    """A server that takes everything, except where `special` answers first; a letter's end is the line «.»."""
    talk.say("220 odd ESMTP")
    while True:
        line = await talk.hear()
        verb = line.upper()
        if await special(talk, line):
            continue
        if verb.startswith("EHLO"):
            talk.say("250-odd", f"250 {extensions}")
        elif verb == "DATA":
            talk.say("354 go on")
            while await talk.hear() != ".":
                pass
            if not await special(talk, "."):
                talk.say("250 2.0.0 taken")
        elif verb == "QUIT":
            talk.say("221 bye")
            return
        else:
            talk.say("250 2.0.0 fine")


def sender_at(odd: Odd, **changes: Any) -> Sender:
    values: dict[str, Any] = {"host": "127.0.0.1", "port": odd.port, "tls": "none", "timeout": PATIENCE}
    return Sender(SenderSettings(**(values | changes)))


def answering(words: str, answer: str) -> Special:
    async def special(talk: Talk, line: str) -> bool:
        if line.startswith(words):
            talk.say(answer)
            return True
        return False

    return special


async def outcome(special: Special) -> SendError:
    """How a letter to that server fails."""
    async with odd_server(lambda talk: smtp(talk, special)) as odd:
        sender = sender_at(odd)
        with pytest.raises(SendError) as caught:
            await sender.send(LETTER, "table@games.example", "anna@players.example")
        await sender.close()
        return caught.value


@pytest.mark.parametrize(
    ("words", "answer", "kind", "dead"),
    [
        ("RCPT", "550 5.1.1 no such user", SendRefused, True),
        ("RCPT", "553 5.1.3 bad address", SendRefused, True),
        ("RCPT", "450 4.2.1 greylisted", SendDelayed, False),
        ("RCPT", "452 4.5.3 too many", SendDelayed, False),
        ("RCPT", "552 5.2.2 mailbox full", SendDelayed, False),
        ("RCPT", "550 5.2.2 mailbox full", SendDelayed, False),
        ("RCPT", "550 5.4.5 daily sending limit exceeded", SenderRefused, False),
        ("RCPT", "554 5.7.1 <anna@players.example>: Relay access denied", SenderRefused, False),
        ("RCPT", "550 5.7.1 client host blocked using a list", SenderRefused, False),
        ("RCPT", "550 relay not permitted", SenderRefused, False),
        ("RCPT", "550 5.1.1 <relay@players.example>: no such user", SendRefused, True),
        ("RCPT", "550 5.7.1 not this recipient today", SendDelayed, False),
        ("RCPT", "550 5.7.26 unauthenticated sender", SenderRefused, False),
        ("RCPT", "454 4.7.1 relay access denied", SenderRefused, False),
        ("RCPT", "550 sender verify failed", SenderRefused, False),
        ("RCPT", "550 5.2.1 the account is disabled", SendRefused, True),
        ("RCPT", "550 5.7.17 mailbox owner has changed", SendRefused, True),
        ("MAIL", "550 5.7.1 sender not allowed", SenderRefused, False),
        ("MAIL", "552 5.3.4 too large", SendRefused, False),
        ("MAIL", "530 5.7.0 log in first", SenderRefused, False),
        ("MAIL", "451 4.3.0 busy", SenderRefused, False),
        ("MAIL", "550 go away", SenderRefused, False),
        ("EHLO", "554 5.7.1 your host is listed", SenderRefused, False),
        ("EHLO", "421 4.7.0 too many connections", SenderRefused, False),
        ("DATA", "554 5.7.1 looks like spam", SendRefused, False),
        ("DATA", "554 transaction failed", SendRefused, False),
        ("DATA", "552 5.2.2 mailbox full", SendDelayed, False),
        ("DATA", "552 5.3.4 too large", SendRefused, False),
        ("DATA", "451 4.3.0 busy", SendDelayed, False),
        ("DATA", "451 4.7.1 hourly sending limit exceeded", SenderRefused, False),
        *((stage, answer, SenderRefused, False) for stage in ("MAIL", "DATA", ".") for answer in ABOUT_US),
        ("DATA", "421 4.3.2 closing", SendDelayed, False),
    ],
)
async def test_reply_code_decides_between_never_and_later(
    words: str, answer: str, kind: type[SendError], dead: bool
) -> None:
    """RFC 5321 section 4.2.1 and RFC 3463; what blames our account is for the host to mend, so it waits."""
    error = await outcome(answering(words, answer))
    assert kind is type(error)
    assert int(answer[:3]) == error.code
    assert dead is getattr(error, "address_dead", False)
    assert answer[4:9] in str(error)
    if kind is SendRefused:
        assert error.certain is (words != "DATA" or "5.3.4" in answer)  # type: ignore[attr-defined]


async def test_each_recipient_has_an_outcome_of_its_own_on_one_connection() -> None:
    async def special(talk: Talk, line: str) -> bool:
        for name, answer in (("dead@", "550 5.1.1 unknown"), ("busy@", "451 4.2.1 later")):
            if line.startswith("RCPT") and name in line:
                talk.say(answer)
                return True
        return False

    async with odd_server(lambda talk: smtp(talk, special)) as odd:
        sender = sender_at(odd)
        outcomes = []
        for name in ("anna", "dead", "busy", "bert"):
            try:
                await sender.send(LETTER, "table@games.example", f"{name}@players.example")
                outcomes.append("sent")
            except SendError as error:
                outcomes.append(type(error).__name__)
        await sender.close()
        expected = ["sent", "SendRefused", "SendDelayed", "sent"]
        assert expected == outcomes
        assert sender.connections == 1
        assert odd.heard()[-1] == "QUIT"


@pytest.mark.parametrize("farewell", [None, "421 4.4.2 idle too long"])
async def test_connection_dropped_between_two_letters_is_opened_anew(farewell: str | None) -> None:
    """Servers close a quiet connection; the letter has not been handed over, so once more is no duplicate."""
    letters = 0

    async def drops(talk: Talk, line: str) -> bool:
        nonlocal letters
        if line.startswith("MAIL") and letters == 1 and len(odd.talks) == 1:
            if farewell:
                talk.say(farewell)
                await talk.writer.drain()
            talk.cut()
            return True
        letters += line.startswith("RCPT")
        return False

    async with odd_server(lambda talk: smtp(talk, drops)) as odd:
        sender = sender_at(odd)
        for _ in range(3):
            await sender.send(LETTER, "table@games.example", "anna@players.example")
        assert sender.connections == 2
        assert sum(line == "." for line in odd.heard()) == 3
        await sender.close()


async def test_connection_lost_after_the_letter_is_a_delay_and_not_tried_twice_here() -> None:
    """The server may have taken it: only the outbox may decide to send it again, with the same Message-ID."""

    async def cuts(talk: Talk, line: str) -> bool:
        if line == "DATA":
            talk.say("354 go on")
            while await talk.hear() != ".":
                pass
            talk.cut()
            return True
        return False

    async with odd_server(lambda talk: smtp(talk, cuts)) as odd:
        sender = sender_at(odd)
        with pytest.raises(SendDelayed):
            await sender.send(LETTER, "table@games.example", "anna@players.example")
        assert odd.heard().count(".") == 1
        await sender.close()


@pytest.mark.parametrize("words", ["", "EHLO", "MAIL", "RCPT", "DATA"])
async def test_server_that_never_answers_costs_one_timeout(words: str) -> None:
    async def silent(talk: Talk, line: str) -> bool:
        if line.startswith(words):
            await talk.silence()
        return False

    async def script(talk: Talk) -> None:
        if not words:
            await talk.silence()
        await smtp(talk, silent)

    async with odd_server(script) as odd:
        sender = sender_at(odd, timeout=TIMEOUT)
        with soon(), pytest.raises(SendDelayed) as caught:
            await sender.send(LETTER, "table@games.example", "anna@players.example")
        assert caught.value.code == 0
        await sender.close()


async def test_nobody_listening_is_a_delay() -> None:
    async with odd_server(lambda talk: talk.silence()) as odd:
        sender = sender_at(odd)
    with pytest.raises(SendDelayed):
        await sender.send(LETTER, "table@games.example", "anna@players.example")


async def test_cancelled_sending_leaves_no_answer_for_the_next_letter_to_misread() -> None:
    asked, cancelled = asyncio.Event(), asyncio.Event()

    async def script(talk: Talk, line: str) -> bool:
        if line.startswith("RCPT") and not asked.is_set():
            asked.set()
            await cancelled.wait()
            talk.say("550 5.1.1 too late")
            return True
        return False

    async with odd_server(lambda talk: smtp(talk, script)) as odd:
        sender = sender_at(odd)
        task = asyncio.create_task(sender.send(LETTER, "table@games.example", "anna@players.example"))
        await asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        cancelled.set()
        await sender.send(LETTER, "table@games.example", "bert@players.example")
        assert sender.connections == 2
        await sender.close()


@pytest.mark.parametrize(
    "address", ["é@players.example", "anna@exämple.example", "anna", "a b@players.example", "a@b>\r\nRCPT TO:<c@d"]
)
async def test_address_that_smtp_cannot_carry_is_refused_before_a_word_is_said(address: str) -> None:
    """RFC 5321 section 2.3.11; SMTPUTF8 (RFC 6531) is not used."""
    async with odd_server(lambda talk: smtp(talk, answering("nothing", ""))) as odd:
        sender = sender_at(odd)
        with pytest.raises(SendRefused, match="ASCII") as caught:
            await sender.send(LETTER, "table@games.example", address)
        assert caught.value.address_dead
        assert odd.talks == []


async def test_null_sender_and_eight_bit_letters_are_announced() -> None:
    """RFC 5321 section 4.5.5 and RFC 6152."""
    async with odd_server(lambda talk: smtp(talk, answering("nothing", ""))) as odd:
        sender = sender_at(odd)
        await sender.send(LETTER + "é".encode(), "", "anna@players.example")
        await sender.close()
        assert "MAIL FROM:<> BODY=8BITMIME" in odd.heard()


async def test_refused_login_is_for_the_host_and_does_not_show_the_password() -> None:
    special = answering("AUTH", "535 5.7.8 hunter2 is wrong")
    async with odd_server(lambda talk: smtp(talk, special, "AUTH PLAIN")) as odd:
        sender = sender_at(odd, user="table", password="hunter2")
        with pytest.raises(SenderLoginRefused) as caught:
            await sender.send(LETTER, "table@games.example", "anna@players.example")
        assert "hunter2" not in f"{caught.value}{caught.value.__context__!r}{sender.settings!r}"
        assert caught.value.code == 535


async def test_password_leaves_the_machine_only_in_tls() -> None:
    sender = Sender(SenderSettings("192.0.2.1", 587, "table", "hunter2", tls="none"))
    with pytest.raises(SendDelayed, match="in the clear"):
        await sender.check()


@pytest.mark.parametrize("tls", ["tls", "starttls"])
async def test_letters_go_through_tls_and_an_unsigned_certificate_is_refused(
    tls: Any, certificate: Certificate
) -> None:
    """RFC 3207, RFC 8314."""
    context = certificate.server_context()

    async def special(talk: Talk, line: str) -> bool:
        if line == "STARTTLS":
            talk.say("220 go")
            await talk.writer.drain()
            await talk.writer.start_tls(context)
            talk.heard.append("-- tls --")
            return True
        return False

    def script(talk: Talk) -> Awaitable[None]:
        return smtp(talk, special, "STARTTLS")

    async with odd_server(script, context if tls == "tls" else None) as odd:
        sender = sender_at(odd, tls=tls, ca_file=str(certificate.cert))
        await sender.send(LETTER, "table@games.example", "anna@players.example")
        await sender.close()
        assert "." in odd.heard()
        if tls == "starttls":
            heard = odd.heard()
            assert heard.index("-- tls --") < heard.index(".")
        with pytest.raises(SendDelayed, match=r"(?i)certificate"):
            await sender_at(odd, tls=tls).check()


async def test_starttls_not_offered_is_no_reason_to_send_in_the_clear() -> None:
    async with odd_server(lambda talk: smtp(talk, answering("STARTTLS", "502 no"))) as odd:
        with pytest.raises(SendDelayed):
            await sender_at(odd, tls="starttls").send(LETTER, "table@games.example", "anna@players.example")
        assert not any(line.startswith("MAIL") for line in odd.heard())


async def test_sending_from_many_tasks_goes_one_after_another_on_one_connection(tmp_path: Path) -> None:
    office = PostOffice(tmp_path, ["anna"], password="pw")
    await office.start()
    sender = Sender(SenderSettings("127.0.0.1", office.smtp_port, "anna", "pw", tls="none"))
    letters = [sender.send(LETTER, "table@demo.example", f"anna+{n}@demo.example") for n in range(20)]
    await asyncio.gather(*letters)
    assert sender.connections == 1
    mailbox = Mailbox(MailboxSettings("127.0.0.1", office.imap_port, "anna", "pw", tls="none"))
    await mailbox.connect()
    assert len(await mailbox.arrived()) == 20
    await mailbox.close()
    await sender.close()
    await office.stop()
