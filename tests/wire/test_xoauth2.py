"""Tokens in place of passwords (SASL XOAUTH2): Dovecot asks a token's own server, and a refused one is fetched anew."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.host.config import Config, ImapConfig, SmtpConfig
from pbem.host.passwords import WORDS_HIDDEN, SecretError, hide_passwords, password, renewal
from pbem.inbound.mailbox import LoginRefused, Mailbox, MailboxError, MailboxSettings
from pbem.outbound.sender import SenderLoginRefused, SenderSettings

from .dovecot import Dovecot, program
from .odd import Talk, imap, nothing_special, odd_server, settings
from .servers import absent, open_folder
from .test_sender import sender_at, smtp
from .tokens import NEW, OLD, TokenServer, token_server

TOKENS = "IMAP4rev1 IDLE MOVE UIDPLUS SASL-IR AUTH=XOAUTH2"


@pytest.fixture
def tokens() -> Iterator[TokenServer]:
    with token_server() as server:
        yield server


@pytest.fixture
def dovecot(tokens: TokenServer) -> Iterator[Dovecot]:
    if program() is None:
        absent("Dovecot is not installed (Debian: dovecot-imapd dovecot-lmtpd)")
    with open_folder() as root:
        server = Dovecot(root, None, tokens=tokens.server_address[1])
        server.start()
        yield server
        server.stop()


def login(port: int, **changes: object) -> MailboxSettings:
    return settings(port, user="games", auth="xoauth2", **changes)


async def test_dovecot_takes_a_token(dovecot: Dovecot, tokens: TokenServer) -> None:
    box = Mailbox(login(dovecot.imap_port, password=NEW))
    await box.connect()
    assert await box.arrived() == []
    await box.close()
    assert tokens.asked == [NEW]


async def test_dovecot_refuses_an_old_token_and_gets_a_new_one(dovecot: Dovecot, tokens: TokenServer) -> None:
    with pytest.raises(LoginRefused) as caught:
        await Mailbox(login(dovecot.imap_port, password=OLD)).connect()
    assert OLD not in str(caught.value)
    box = Mailbox(login(dovecot.imap_port, password=OLD, renew=lambda: NEW))
    await box.connect()
    assert box.connected
    await box.close()
    # It is kept: the next connection begins with it.
    await box.connect()
    await box.close()
    assert tokens.asked == [OLD, OLD, NEW, NEW]


async def refuse(talk: Talk, tag: str, rest: str) -> bool:
    """As large providers do: a reason first, which wants an empty line, then the refusal."""
    if not rest.startswith("AUTHENTICATE XOAUTH2"):
        return False
    token = base64.b64decode(rest.split()[-1]).decode()
    if NEW in token:
        return False
    talk.say("+ " + base64.b64encode(b'{"status":"400","schemes":"Bearer"}').decode())
    assert await talk.hear() == ""
    talk.say(f"{tag} NO [AUTHENTICATIONFAILED] invalid credentials")
    return True


async def test_a_reason_before_the_refusal_is_answered() -> None:
    async with odd_server(lambda talk: imap(talk, refuse, TOKENS)) as odd:
        with pytest.raises(LoginRefused, match="invalid credentials"):
            await Mailbox(login(odd.port, password=OLD)).connect()
        box = Mailbox(login(odd.port, password=OLD, renew=lambda: NEW))
        await box.connect()
        await box.close()
        logins = len(odd.talks)
        with pytest.raises(LoginRefused):
            await Mailbox(login(odd.port, password=OLD, renew=lambda: OLD)).connect()
        assert len(odd.talks) == logins + 1
        asked: list[int] = []

        def fails() -> str:
            asked.append(1)
            raise SecretError("[imap]: password_command ended with 2")

        with pytest.raises(MailboxError, match="ended with 2"):
            await Mailbox(login(odd.port, password=OLD, renew=fails)).connect()
        assert asked == [1]


async def test_a_server_without_initial_answers_is_given_the_token_when_it_asks() -> None:
    heard = []

    async def asks(talk: Talk, tag: str, rest: str) -> bool:
        if rest == "AUTHENTICATE XOAUTH2":
            talk.say("+ ")
            heard.append(base64.b64decode(await talk.hear()).decode())
        return False

    async with odd_server(lambda talk: imap(talk, asks, TOKENS.replace("SASL-IR ", ""))) as odd:
        box = Mailbox(login(odd.port, password=NEW))
        await box.connect()
        await box.close()
    assert heard == [f"user=games\1auth=Bearer {NEW}\1\1"]


async def test_a_server_that_takes_no_tokens_is_told_none() -> None:
    async with odd_server(lambda talk: imap(talk, nothing_special)) as odd:
        with pytest.raises(LoginRefused, match="takes no token"):
            await Mailbox(login(odd.port, password=NEW)).connect()
        assert not any(NEW in line for talk in odd.talks for line in talk.heard)


async def test_mail_is_sent_with_a_token_and_a_refused_one_is_fetched_anew() -> None:
    tried = []

    async def special(talk: Talk, line: str) -> bool:
        if not line.startswith("AUTH XOAUTH2 "):
            return False
        tried.append(base64.b64decode(line.split()[-1]).decode())
        if NEW in tried[-1]:
            talk.say("235 2.7.0 accepted")
            return True
        talk.say("334 " + base64.b64encode(b'{"status":"401"}').decode())
        assert await talk.hear() == ""
        talk.say("535 5.7.8 bad token")
        return True

    words: dict[str, object] = {"user": "games", "auth": "xoauth2", "password": OLD}
    async with odd_server(lambda talk: smtp(talk, special, "AUTH XOAUTH2")) as odd:
        with pytest.raises(SenderLoginRefused):
            await sender_at(odd, **words).check()
        sender = sender_at(odd, **words, renew=lambda: NEW)
        await sender.check()
        await sender.check()
        await sender.close()
    assert tried == [f"user=games\1auth=Bearer {token}\1\1" for token in (OLD, OLD, NEW, NEW)]


def test_a_command_prints_the_password_on_its_first_line(tmp_path: Path) -> None:
    counter = tmp_path / "n"
    command = f"echo x >> {counter}; echo token-$(wc -l < {counter}); echo a second line; echo noise >&2"
    config = Config(tmp_path, tmp_path, imap=ImapConfig("h", user="games", password_command=command, auth="xoauth2"))
    assert password("imap", config).reveal() == "token-1"
    renew = renewal("imap", config)
    assert renew is not None and renew() == "token-2"
    # The other server takes the same words where the same user logs in; and there they can be had anew, too.
    both = Config(tmp_path, tmp_path, imap=config.imap, smtp=SmtpConfig("h", user="games", auth="xoauth2"))
    assert password("smtp", both).reveal() == "token-3"
    again = renewal("smtp", both)
    assert again is not None and again() == "token-4"
    assert renewal("smtp", Config(tmp_path, tmp_path, imap=config.imap, smtp=SmtpConfig("h", user="other"))) is None


@pytest.mark.parametrize(("command", "says"), [("echo secret >&2; exit 3", "ended with 3"), ("true", "printed nothing")])
def test_a_command_that_fails_tells_nothing_of_what_it_printed(tmp_path: Path, command: str, says: str) -> None:
    config = Config(tmp_path, tmp_path, imap=ImapConfig("h", user="games", password_command=command))
    with pytest.raises(SecretError, match=says) as caught:
        password("imap", config)
    assert "secret" not in str(caught.value)


def test_a_token_goes_over_the_wire_in_a_form_that_is_hushed_too() -> None:
    wire = base64.b64encode(f"user=games\1auth=Bearer {NEW}\1\1".encode()).decode()
    assert hide_passwords(f"BAD what is AUTHENTICATE XOAUTH2 {wire}?", "games", NEW) == WORDS_HIDDEN
    assert SenderSettings("h", 1, "games", NEW).renew is None
