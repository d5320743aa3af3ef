"""Logging in: what is said before and after TLS, and what never leaves the machine or stands in an error."""

from __future__ import annotations

import ssl
from dataclasses import replace

import pytest

from pbem.host.passwords import WORDS_HIDDEN, hide_passwords
from pbem.host.tls import tls_context
from pbem.inbound.mailbox import AccountTrouble, LoginRefused, Mailbox, MailboxError

from .certificate import Certificate
from .odd import Talk, imap, nothing_special, odd_server, on, settings, soon


async def test_a_certificate_nobody_has_signed_is_refused(certificate: Certificate) -> None:
    async with odd_server(lambda talk: imap(talk, nothing_special), certificate.server_context()) as odd:
        with pytest.raises(MailboxError, match=r"(?i)certificate"):
            await Mailbox(settings(odd.port, tls="tls")).connect()
        with pytest.raises(MailboxError, match="cannot be read"):
            await Mailbox(settings(odd.port, tls="tls", ca_file="/nowhere.pem")).connect()


async def test_refused_login_that_echoes_the_password_does_not_show_it() -> None:
    async def echo(talk: Talk, tag: str, rest: str) -> bool:
        if rest.startswith("LOGIN"):
            talk.say(f"{tag} BAD what is {rest}?")
            return True
        return False

    async with odd_server(lambda talk: imap(talk, echo)) as odd:
        with pytest.raises(LoginRefused) as caught:
            await Mailbox(settings(odd.port, password="hunter2")).connect()
        assert "hunter2" not in f"{caught.value}{caught.value.__context__!r}"
        assert WORDS_HIDDEN in str(caught.value)


@pytest.mark.parametrize(
    ("said", "password", "shown"),
    [
        # Nothing is cut out: «…ned» would tell it. Short ones are never looked for, so that nothing tells it either.
        ("550 5.1.1 you are pwned", "pw", False),
        ("550 5.1.1 no such user", "pw", False),
        ("550 5.1.1 no such user", "correct horse battery", True),
        ("BAD what is LOGIN games CORRECT  horse\tbattery?", "correct horse battery", False),
        ("BAD what is AUTHENTICATE PLAIN AGFubmEAY29ycmVjdCBob3JzZQ==", "correct horse", False),
        ('BAD LOGIN anna "correct \\"horse\\""', 'correct "horse"', False),
        ("535 no", "", True),
    ],
)
def test_what_a_server_says_is_shown_whole_or_not_at_all(said: str, password: str, shown: bool) -> None:
    assert hide_passwords(said, "anna", password) == (said if shown else WORDS_HIDDEN)
    assert hide_passwords(said, "anna", "another one, newer", password) == (said if shown else WORDS_HIDDEN)


async def test_login_words_are_quoted_and_other_characters_go_through_plain() -> None:
    """RFC 3501 section 9: LOGIN takes ASCII only; RFC 4616 takes UTF-8."""
    async with odd_server(lambda talk: imap(talk, nothing_special)) as odd:
        for user, password in (("anna b", 'a"b\\c'), ("anna", "é")):
            mailbox = Mailbox(settings(odd.port, user=user, password=password))
            await mailbox.connect()
            await mailbox.close()
        assert any(line.endswith(r'LOGIN "anna b" "a\"b\\c"') for line in odd.heard())
        assert any(line.endswith("AUTHENTICATE PLAIN AGFubmEAw6k=") for line in odd.heard())
    async with odd_server(lambda talk: imap(talk, nothing_special, "IMAP4rev1")) as odd:
        with pytest.raises(LoginRefused, match="characters"):
            await Mailbox(settings(odd.port, user="anna\r\nx LOGOUT")).connect()
        assert not any("LOGIN" in line or "LOGOUT" in line for line in odd.heard())
    async with odd_server(lambda talk: imap(talk, nothing_special, "IMAP4rev1 LOGINDISABLED")) as odd:
        with pytest.raises(LoginRefused, match="does not allow"):
            await Mailbox(settings(odd.port)).connect()


async def test_password_leaves_the_machine_only_in_tls() -> None:
    with pytest.raises(MailboxError, match="in the clear"):
        await Mailbox(settings(143, host="192.0.2.1")).connect()


async def test_starttls_changes_to_tls_before_the_password(certificate: Certificate) -> None:
    """RFC 3501 section 6.2.1; bytes sent ahead of the handshake are an attack (CVE-2011-0411 and its kin)."""
    inject = ""

    async def script(talk: Talk) -> None:
        talk.say("* OK hello")
        while True:
            tag, rest = await talk.command()
            if rest == "STARTTLS":
                talk.writer.write(f"{tag} OK go\r\n{inject}".encode())
                await talk.writer.drain()
                await talk.writer.start_tls(certificate.server_context())
                inner = Talk(talk.reader, talk.writer)
                inner.heard = talk.heard
                talk.heard.append("-- tls --")
                await _after_tls(inner)
                return
            talk.say("* CAPABILITY IMAP4rev1 STARTTLS LOGINDISABLED", f"{tag} OK done")

    async def _after_tls(talk: Talk) -> None:
        while True:
            tag, rest = await talk.command()
            if rest == "CAPABILITY":
                talk.say("* CAPABILITY IMAP4rev1 IDLE")
            elif rest.startswith("SELECT"):
                talk.say("* 0 EXISTS", "* OK [UIDVALIDITY 5] ok")
            talk.say(f"{tag} OK done")

    async with odd_server(script) as odd:
        box = settings(odd.port, tls="starttls", ca_file=str(certificate.cert))
        mailbox = Mailbox(box)
        await mailbox.connect()
        heard = odd.heard()
        assert heard.index("-- tls --") < next(n for n, line in enumerate(heard) if "LOGIN" in line)
        await mailbox.close()
        inject = "* CAPABILITY IMAP4rev1 EVIL\r\n"
        with soon(), pytest.raises(MailboxError):
            await Mailbox(box).connect()
        assert sum("LOGIN" in line for line in odd.heard()) == 1


async def test_starttls_not_offered_is_refused_before_the_password() -> None:
    async with odd_server(lambda talk: imap(talk, nothing_special)) as odd:
        with pytest.raises(MailboxError, match="STARTTLS"):
            await Mailbox(settings(odd.port, tls="starttls")).connect()
        assert not any("LOGIN" in line for line in odd.heard())


def test_context_for_tls_checks_names_and_chains() -> None:
    made = tls_context("tls", "mail.example.org")
    assert made is not None
    assert (made.check_hostname, made.verify_mode) == (True, ssl.CERT_REQUIRED)


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        # Dovecot 2.3, whose log alone tells of first_valid_uid.
        (["{tag} OK Logged in", "* BYE Internal error occurred. Refer to server log."], "Refer to server log"),
        (["* BYE Mail access for users with UID 105 not permitted"], "UID 105 not permitted"),
        (["* BYE \x1b]0;evil\x07\x1b[2Jgone"], "goodbye: ]0;evil[2Jgone"),
        (["{tag} NO [UNAVAILABLE] Internal error occurred."], "UNAVAILABLE"),
        (["{tag} NO [CONTACTADMIN] Your account is locked."], "account is locked"),
    ],
)
async def test_what_ends_after_the_greeting_is_trouble_of_the_account(answers: list[str], words: str) -> None:
    """The server was reached, so host, port and TLS are right, and looking there again is lost time."""

    special = on("LOGIN", *answers, then="" if answers[0].startswith("{tag} NO") else "close")
    async with odd_server(lambda talk: imap(talk, special)) as odd:
        with pytest.raises(AccountTrouble) as caught:
            await Mailbox(replace(settings(odd.port), password="not in any answer")).connect()
        assert words in str(caught.value)
        assert str(caught.value).isprintable()


async def test_a_wrong_password_is_no_trouble_of_the_account() -> None:
    refuse = on("LOGIN", "{tag} NO [AUTHENTICATIONFAILED] Authentication failed.")
    async with odd_server(lambda talk: imap(talk, refuse)) as odd:
        with pytest.raises(LoginRefused):
            await Mailbox(settings(odd.port)).connect()
