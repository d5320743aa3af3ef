"""aioimaplib, with the places fixed where it hangs or leaks.

What aioimaplib 2.0.3 does, and what this module does instead:
- it parses responses by recursion, one level a line, and fails at some 1,000 lines: here a loop;
- it reports a lost connection to nobody: here `lost` is a future to wait on;
- an error while parsing reaches the event loop's log only: here it ends the connection with a reason;
- it logs lines, letters and some passwords for debugging: here nothing is logged;
- it drops `* n EXISTS` unless a command asked for it: here it sets `news`, so no wake-up is missed;
- AUTHENTICATE waits for ever if the server answers a token with a challenge: here it gets an empty line;
- STARTTLS is missing: here it is (RFC 3501, section 6.2.1), and bytes sent before the handshake are refused.
"""

from __future__ import annotations

import asyncio
import base64
import re
import ssl
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import aioimaplib
from aioimaplib import aioimaplib as lib

from pbem.host.settings_file import Auth
from pbem.inbound.imap_syntax import COPYUID, printable_words, quoted_string, server_words

_LONGEST_LINE = 4 * 1024 * 1024
"""Bytes of one line. SEARCH responds in one line: 4 MB hold half a million UIDs."""

_EXISTS = re.compile(rb"\* (\d+) EXISTS$")
_EXPUNGE = re.compile(rb"\* \d+ EXPUNGE$")
T = TypeVar("T")


class WireError(Exception):
    """The connection is unusable. The text never contains what was sent."""


class ImapProtocol(lib.IMAP4ClientProtocol):
    """aioimaplib's protocol with a looping parser that keeps unsolicited responses."""

    transport: Any
    loop: Any
    current_command: Any

    def __init__(self, loop: asyncio.AbstractEventLoop, literal_limit: int) -> None:
        super().__init__(loop)
        self.lost: asyncio.Future[str] = loop.create_future()
        """Resolves once, with the reason, when the connection is unusable."""
        self.news = asyncio.Event()
        """Set when the folder has grown since it was last cleared."""
        self.exists = 0
        self.copied = b""
        """The last untagged COPYUID, which comes before the response to MOVE."""
        self._literal_limit = literal_limit
        self._tls_next = False
        self._continued: list[str] = []
        """The next answers to the challenges of AUTHENTICATE."""

    def give_up(self, reason: str) -> None:
        """Resolve `lost` and cut the connection."""
        if not self.lost.done():
            self.lost.set_result(reason)
        self.news.set()
        if self.transport is not None:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.give_up("the server closed the connection" if exc is None else f"the connection broke: {exc}")

    def data_received(self, d: bytes) -> None:
        if self.lost.done():
            return
        try:
            self._handle_responses(self.incomplete_line + d, self._handle_line, self.current_command)
            self.incomplete_line = b""
            self.current_command = None
        except lib.IncompleteRead as more:
            self.current_command = more.cmd
            self.incomplete_line = more.data
            if len(more.data) > _LONGEST_LINE:
                self.give_up("the server sent a line without end")
        except Exception as odd:
            self.give_up(f"the server answered something unexpected ({type(odd).__name__})")

    def _handle_responses(self, data: bytes, line_handler: Any, current_cmd: Any = None) -> None:
        while data:
            if current_cmd is not None and current_cmd.wait_literal_data():
                data = current_cmd.append_literal_data(data)
                if current_cmd.wait_literal_data():
                    raise lib.IncompleteRead(current_cmd)
            line, separator, tail = data.partition(b"\r\n")
            if not separator:
                raise lib.IncompleteRead(current_cmd, data)
            if self._tls_next:
                raise WireError("plain bytes behind the answer to STARTTLS")
            command = line_handler(line, current_cmd)
            literal = lib.literal_data_re.match(line)
            if literal:
                size = int(literal["size"])
                if size > self._literal_limit:
                    raise WireError("a literal larger than was asked for")
                command = command if command is not None else lib.Command("NIL", "unused")
                command.begin_literal_data(size)
            current_cmd = command if literal or (command is not None and command.wait_data()) else None
            data = tail
        if self.pending_sync_command is not None:
            self.pending_sync_command.flush()
        if current_cmd is not None and current_cmd.wait_data():
            raise lib.IncompleteRead(current_cmd)

    def _untagged_response(self, line: bytes) -> Any:
        grown = _EXISTS.match(line)
        if grown:
            count = int(grown[1])
            if count > self.exists:
                self.news.set()
            self.exists = count
        elif COPYUID.search(line):
            self.copied = line
        elif _EXPUNGE.match(line):
            self.exists = max(0, self.exists - 1)
        elif line.upper().startswith(b"* BYE") and self.state != lib.LOGOUT:
            leaving = self.pending_sync_command or next(iter(self.pending_async_commands.values()), None)
            if leaving is None or leaving.name != "LOGOUT":
                words = printable_words(line[len("* BYE") :])
                self.give_up(f"the server said goodbye: {words}" if words else "the server said goodbye")
        return super()._untagged_response(line)

    def _continuation(self, line: bytes) -> None:
        if self.pending_sync_command is not None and self.pending_sync_command.name == "AUTHENTICATE":
            # A further challenge is the reason of a refusal; the refusal follows after an empty line.
            self.send(self._continued.pop(0) if self._continued else "")
        else:
            super()._continuation(line)

    def _response_done(self, line: bytes) -> None:
        if line.startswith(b"DONE BAD"):
            # The server ended IDLE while our DONE was on its way, and took the word for a command.
            return
        command = self.pending_sync_command
        super()._response_done(line)
        if command is not None and command.name == "STARTTLS" and command.response.result == "OK":
            self._tls_next = True
            self.transport.pause_reading()

    def send(self, line: str, scrub: str | None = None) -> None:
        self.transport.write(f"{line}\r\n".encode())

    async def welcome(self, command: bytes) -> None:
        try:
            await super().welcome(command)
        except Exception as odd:
            self.give_up(f"the server did not greet as an IMAP server does ({type(odd).__name__})")

    async def start_tls(self, context: ssl.SSLContext, host: str) -> None:
        """Switch to TLS before the login. Raises WireError or the TLS error."""
        if "STARTTLS" not in self.words():
            raise WireError("the server does not offer STARTTLS")
        answer = await self.execute(lib.Command("STARTTLS", self.new_tag(), loop=self.loop))
        if answer.result != "OK":
            raise WireError(f"the server refused STARTTLS: {server_words(answer)}")
        plain = self.transport
        self.transport = await self.loop.start_tls(plain, self, context, server_hostname=host)
        self._tls_next = False
        await self.capability()

    async def authenticate(self, way: str, words: str) -> Any:
        """AUTHENTICATE, with the initial response on the same line if the server allows it (RFC 4959)."""
        word = base64.b64encode(words.encode()).decode()
        at_once = [word] if "SASL-IR" in self.words() else []
        self._continued = [] if at_once else [word]
        answer = await self.execute(lib.Command("AUTHENTICATE", self.new_tag(), way, *at_once, loop=self.loop))
        if answer.result == "OK":
            self.state = lib.AUTH
        return answer

    def words(self) -> set[str]:
        """The capabilities last announced, in capitals."""
        return {word.upper() for word in self.capabilities}


class ImapClient(aioimaplib.IMAP4):
    """One connection: `connected` waits for the greeting, `abandon` cancels all its tasks."""

    protocol: Any
    """An `ImapProtocol`; aioimaplib declares it as None."""

    def __init__(self, host: str, port: int, timeout: float, context: Any, literal_limit: int) -> None:
        self._literal_limit = literal_limit
        super().__init__(host, port, timeout=timeout, ssl_context=context)

    def create_client(self, host: str, port: int, loop: Any, conn_lost_cb: Any = None, ssl_context: Any = None) -> None:
        loop = asyncio.get_running_loop()
        self.protocol = ImapProtocol(loop, self._literal_limit)
        self._client_task = loop.create_task(
            loop.create_connection(lambda: self.protocol, host, port, ssl=ssl_context), name="imap connection"
        )

    async def connected(self) -> None:
        """Wait until the greeting and the first CAPABILITY are read. Raises what connecting raised."""
        await self._client_task
        await self.protocol.wait("AUTH|NONAUTH")

    async def guard(self, work: Awaitable[T]) -> T:
        """Await `work`. If the connection is lost first, cancel it and raise WireError."""
        task: asyncio.Future[T] = asyncio.ensure_future(work)
        try:
            await asyncio.wait({task, self.protocol.lost}, return_when="FIRST_COMPLETED")
            if not task.done():
                raise WireError(self.protocol.lost.result())
            return await task
        finally:
            task.cancel()
            task.add_done_callback(_forget)

    def abandon(self) -> None:
        """Cut the connection and cancel all its tasks."""
        self.protocol.give_up("the connection was given up")
        waiting = {self._client_task, *self.tasks, *self.protocol.tasks}
        for task in waiting:
            task.cancel()
            task.add_done_callback(_forget)


def log_in(client: ImapClient, user: str, secret: str, auth: Auth) -> Awaitable[Any]:
    """Log in with a password or a token and return the response. Raises WireError if the server offers no way."""
    words = client.protocol.words()
    authenticate: Callable[[str, str], Awaitable[Any]] = client.protocol.authenticate
    login: Callable[[str, str], Awaitable[Any]] = client.login
    both = user + secret
    plain = both.isascii() and both.isprintable()
    if auth == "xoauth2":
        if "AUTH=XOAUTH2" not in words:
            raise WireError("the server takes no token (XOAUTH2); set auth = \"password\" in [imap]")
        if not plain:
            raise WireError("the user or the token holds characters that no token has")
        return authenticate("XOAUTH2", f"user={user}\1auth=Bearer {secret}\1\1")
    if plain and "LOGINDISABLED" not in words:
        return login(quoted_string(user), secret)
    if {"AUTH=PLAIN", "SASL-IR"} <= words and "\0" not in both:
        # RFC 4616: LOGIN takes ASCII only.
        return authenticate("PLAIN", f"\0{user}\0{secret}")
    raise WireError(
        "the server does not allow a login with user and password here"
        if plain
        else "user or password hold characters that this server takes in no way we know"
    )


def _forget(task: asyncio.Future[Any]) -> None:
    """Read the outcome of an abandoned task, so that asyncio does not warn."""
    if not task.cancelled():
        task.exception()
