"""Servers that misbehave on purpose: small scripts over asyncio, IMAP and SMTP, plain or in TLS."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

from pbem.inbound.mailbox import Mailbox, MailboxSettings
from tests.patience import PATIENCE

Script = Callable[["Talk"], Awaitable[None]]


class Talk:
    """One conversation from the server's side."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.heard: list[str] = []

    def say(self, *lines: str) -> None:
        self.writer.write("".join(f"{line}\r\n" for line in lines).encode())

    async def hear(self) -> str:
        """The next line; ConnectionError when the client has gone."""
        line = await self.reader.readline()
        if not line:
            raise ConnectionResetError
        self.heard.append(line.decode().rstrip("\r\n"))
        return self.heard[-1]

    async def command(self) -> tuple[str, str]:
        """Tag and the rest of an IMAP command."""
        tag, _, rest = (await self.hear()).partition(" ")
        return tag, rest

    def cut(self) -> None:
        self.writer.transport.abort()

    async def silence(self) -> None:
        """Never answer again."""
        await asyncio.sleep(3600)


class Odd:
    """A listening script: its port, and every conversation so far."""

    def __init__(self) -> None:
        self.port = 0
        self.talks: list[Talk] = []

    def heard(self) -> list[str]:
        return [line for talk in self.talks for line in talk.heard]


@contextlib.asynccontextmanager
async def odd_server(script: Script, tls: ssl.SSLContext | None = None) -> AsyncIterator[Odd]:
    odd = Odd()
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        talk = Talk(reader, writer)
        odd.talks.append(talk)
        try:
            await script(talk)
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    odd.port = server.sockets[0].getsockname()[1]
    try:
        yield odd
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


CAPABILITY = "IMAP4rev1 IDLE MOVE UIDPLUS SASL-IR AUTH=PLAIN"


async def imap(talk: Talk, special: Callable[[Talk, str, str], Awaitable[bool]], capability: str = CAPABILITY) -> None:
    """A server with three letters, 7 to 9, that does as it should except where `special` answers first."""
    talk.say(f"* OK [CAPABILITY {capability}] odd")
    while True:
        tag, rest = await talk.command()
        verb = rest.upper()
        if not verb:
            talk.say(f"{tag} BAD what?")
            continue
        if await special(talk, tag, rest):
            continue
        if verb.startswith("CAPABILITY"):
            talk.say(f"* CAPABILITY {capability}")
        elif verb.startswith("SELECT"):
            talk.say("* 3 EXISTS", "* OK [UIDVALIDITY 5] ok", "* OK [UIDNEXT 10] ok")
        elif verb.startswith("UID SEARCH"):
            talk.say("* SEARCH 7 8 9")
        elif "RFC822.SIZE" in verb:
            talk.say(*(f"* {n} FETCH (UID {n + 6} RFC822.SIZE 5)" for n in (1, 2, 3)))
        elif "BODY.PEEK[]" in verb:
            for n in (1, 2, 3):
                talk.say(f"* {n} FETCH (UID {n + 6} BODY[] {{5}}", f"hi {n + 6})")
        elif verb.startswith("IDLE"):
            talk.say("+ idling")
            await talk.hear()
        elif verb.startswith("LOGOUT"):
            talk.say("* BYE bye")
        talk.say(f"{tag} OK done")


TIMEOUT = 0.5
"""Seconds, where a test waits for the timeout; what comes later than that is met as silence, which does no harm."""


def settings(port: int, **changes: Any) -> MailboxSettings:
    values: dict[str, Any] = {"host": "127.0.0.1", "port": port, "user": "table", "password": "pw", "tls": "none"}
    return MailboxSettings(**(values | {"timeout": PATIENCE, "poll": 0.1} | changes))


@contextlib.asynccontextmanager
async def mailbox_at(special: Any, capability: str = CAPABILITY, **changes: Any) -> AsyncIterator[tuple[Mailbox, Odd]]:
    async with odd_server(lambda talk: imap(talk, special, capability)) as odd:
        mailbox = Mailbox(settings(odd.port, **changes))
        await mailbox.connect()
        yield mailbox, odd
        await mailbox.close()


async def nothing_special(talk: Talk, tag: str, rest: str) -> bool:
    return False


def on(words: str, *answers: str, then: str = "") -> Callable[[Talk, str, str], Awaitable[bool]]:
    """Answer commands that hold `words`, with their {tag}; then `cut`, `close`, keep `silent` or `go on` as usual.

    Before a cut the first answer goes alone, and the others when the client has read it.
    """

    async def special(talk: Talk, tag: str, rest: str) -> bool:
        if words not in rest:
            return False
        said = [line.replace("{tag}", tag) for line in answers]
        if then == "cut":
            talk.say(*said[:1])
            await asyncio.sleep(0.1)
            said = said[1:]
        talk.say(*said)
        if then == "cut":
            talk.cut()
        elif then == "close":
            talk.writer.close()
        elif then == "silent":
            await talk.silence()
        return then != "go on"

    return special


@contextlib.contextmanager
def soon() -> Iterator[None]:
    """What happens inside must end by itself, before `AGES` are over: no hang."""
    begin = time.monotonic()
    yield
    assert time.monotonic() - begin < PATIENCE
