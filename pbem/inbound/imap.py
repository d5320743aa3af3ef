"""The IMAP connection under `pbem.inbound.mailbox`: aioimaplib with the places mended where it hangs or leaks.

What aioimaplib 2.0.3 does by itself, and what is done here instead:
- answers are parsed by recursion, one level per line, and some 1,000 lines end the connection: here by a loop;
- a lost connection is told to nobody (with TLS it cannot be): here `lost` is a future everybody can wait on;
- an error while parsing only reaches the event loop's log: here it ends the connection with a reason;
- lines and letters are logged for debugging, passwords in some spellings too: here nothing is logged;
- `* n EXISTS` is dropped unless a command asked for it: here it sets `news`, so that no wake-up is missed;
- AUTHENTICATE waits for ever where a server answers a token with a reason first: here that gets its empty line;
- STARTTLS is missing: here it is (RFC 3501 section 6.2.1), and refuses bytes sent ahead of the handshake.
"""

from __future__ import annotations

import asyncio
import base64
import re
import ssl
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import Any, TypeVar

import aioimaplib
from aioimaplib import aioimaplib as lib

from pbem.host.checked import Auth
from pbem.inbound.speech import one_line

_LONGEST_LINE = 4 * 1024 * 1024
"""A line without end is no answer. SEARCH answers in one line: 4 MB hold half a million UIDs."""

_EXISTS = re.compile(rb"\* (\d+) EXISTS$")
_EXPUNGE = re.compile(rb"\* \d+ EXPUNGE$")
_FETCH = re.compile(rb"\d+ FETCH \(", re.IGNORECASE)
_UID = re.compile(rb"\bUID (\d+)", re.IGNORECASE)
_SIZE = re.compile(rb"\bRFC822\.SIZE (\d+)", re.IGNORECASE)
_COPYUID = re.compile(rb"\[COPYUID (\d+) ([\d:,]+) ([\d:,]+)\]", re.IGNORECASE)
_STORAGE = re.compile(rb"\bSTORAGE (\d+) (\d+)", re.IGNORECASE)
_NO_BODY = re.compile(rb'\bBODY\[\](?:<0>)? (?:NIL|"")', re.IGNORECASE)


_MOST_UIDS = 10_000


T = TypeVar("T")


def chunks(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """So many at a time, because a command has a length that servers bear."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


class WireError(Exception):
    """The connection is of no more use. The text never contains what was sent."""


class Protocol(lib.IMAP4ClientProtocol):
    """aioimaplib's protocol with a parser that loops, and with its ears open."""

    transport: Any
    loop: Any
    current_command: Any

    def __init__(self, loop: asyncio.AbstractEventLoop, literal_limit: int) -> None:
        super().__init__(loop)
        self.lost: asyncio.Future[str] = loop.create_future()
        """Resolves with the reason, once, when the connection is of no more use."""
        self.news = asyncio.Event()
        """Set when the folder grew since it was last cleared."""
        self.exists = 0
        self.copied = b""
        """The last untagged answer that told where moved letters lie now: it comes before the command is answered."""
        self._literal_limit = literal_limit
        self._tls_next = False
        self._continued: list[str] = []
        """What is said where the server asks for more of a login."""

    def give_up(self, reason: str) -> None:
        """Tell everybody who waits, and cut the line."""
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
        elif _COPYUID.search(line):
            self.copied = line
        elif _EXPUNGE.match(line):
            self.exists = max(0, self.exists - 1)
        elif line.upper().startswith(b"* BYE") and self.state != lib.LOGOUT:
            leaving = self.pending_sync_command or next(iter(self.pending_async_commands.values()), None)
            if leaving is None or leaving.name != "LOGOUT":
                words = readable(line[len("* BYE") :])
                self.give_up(f"the server said goodbye: {words}" if words else "the server said goodbye")
        return super()._untagged_response(line)

    def _continuation(self, line: bytes) -> None:
        if self.pending_sync_command is not None and self.pending_sync_command.name == "AUTHENTICATE":
            # Beyond what was to be said it is the reason of a refusal, which comes after an empty line.
            self.send(self._continued.pop(0) if self._continued else "")
        else:
            super()._continuation(line)

    def _response_done(self, line: bytes) -> None:
        if line.startswith(b"DONE BAD"):
            # The server ended IDLE by itself while our DONE was on its way, and took the word for a command.
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
        """Change to TLS on a connection that has greeted and not logged in. Raises WireError or the TLS error."""
        if "STARTTLS" not in self.words():
            raise WireError("the server does not offer STARTTLS")
        answer = await self.execute(lib.Command("STARTTLS", self.new_tag(), loop=self.loop))
        if answer.result != "OK":
            raise WireError(f"the server refused STARTTLS: {said(answer)}")
        plain = self.transport
        self.transport = await self.loop.start_tls(plain, self, context, server_hostname=host)
        self._tls_next = False
        await self.capability()

    async def authenticate(self, way: str, words: str) -> Any:
        """AUTHENTICATE, with its initial answer in the same line where the server takes it there (RFC 4959)."""
        word = base64.b64encode(words.encode()).decode()
        at_once = [word] if "SASL-IR" in self.words() else []
        self._continued = [] if at_once else [word]
        answer = await self.execute(lib.Command("AUTHENTICATE", self.new_tag(), way, *at_once, loop=self.loop))
        if answer.result == "OK":
            self.state = lib.AUTH
        return answer

    def words(self) -> set[str]:
        """The capabilities last told, in capitals."""
        return {word.upper() for word in self.capabilities}


class Client(aioimaplib.IMAP4):
    """One connection. `connected` waits for the greeting; `abandon` leaves nothing behind."""

    protocol: Any
    """A `Protocol`; aioimaplib declares it as None."""

    def __init__(self, host: str, port: int, timeout: float, context: Any, literal_limit: int) -> None:
        self._literal_limit = literal_limit
        super().__init__(host, port, timeout=timeout, ssl_context=context)

    def create_client(self, host: str, port: int, loop: Any, conn_lost_cb: Any = None, ssl_context: Any = None) -> None:
        loop = asyncio.get_running_loop()
        self.protocol = Protocol(loop, self._literal_limit)
        self._client_task = loop.create_task(
            loop.create_connection(lambda: self.protocol, host, port, ssl=ssl_context), name="imap connection"
        )

    async def connected(self) -> None:
        """Until the greeting and the first CAPABILITY are read. Raises what connecting raised."""
        await self._client_task
        await self.protocol.wait("AUTH|NONAUTH")

    async def guard(self, work: Awaitable[T]) -> T:
        """Await one thing, or cancel it when the connection is lost first. Raises WireError then."""
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
        """Cut the line without a word and cancel everything that still waits on it."""
        self.protocol.give_up("the connection was given up")
        waiting = {self._client_task, *self.tasks, *self.protocol.tasks}
        for task in waiting:
            task.cancel()
            task.add_done_callback(_forget)


def log_in(client: Client, user: str, secret: str, auth: Auth) -> Awaitable[Any]:
    """A login with a password or a token; gives the server's answer. Raises WireError when it takes neither from us."""
    words = client.protocol.words()
    authenticate: Callable[[str, str], Awaitable[Any]] = client.protocol.authenticate
    login: Callable[[str, str], Awaitable[Any]] = client.login
    both = user + secret
    readable = both.isascii() and both.isprintable()
    if auth == "xoauth2":
        if "AUTH=XOAUTH2" not in words:
            raise WireError("the server takes no token (XOAUTH2); set auth = \"password\" in [imap]")
        if not readable:
            raise WireError("the user or the token holds characters that no token has")
        return authenticate("XOAUTH2", f"user={user}\1auth=Bearer {secret}\1\1")
    if readable and "LOGINDISABLED" not in words:
        return login(quoted(user), secret)
    if {"AUTH=PLAIN", "SASL-IR"} <= words and "\0" not in both:
        # RFC 4616: LOGIN takes ASCII only.
        return authenticate("PLAIN", f"\0{user}\0{secret}")
    raise WireError(
        "the server does not allow a login with user and password here"
        if readable
        else "user or password hold characters that this server takes in no way we know"
    )


def _forget(task: asyncio.Future[Any]) -> None:
    """Read the outcome of an abandoned task, or asyncio complains that nobody did."""
    if not task.cancelled():
        task.exception()


def quoted(text: str) -> str:
    """`text` as an IMAP quoted string (RFC 3501 section 9). Raises ValueError on anything but printable ASCII."""
    if not text.isascii() or not text.isprintable():
        raise ValueError("only printable ASCII can be quoted for IMAP")
    return str(lib.quoted(text))


_NOT_NOW = re.compile(r"NO \[(?:UNAVAILABLE|SERVERBUG|CONTACTADMIN|INUSE|LIMIT)\b", re.IGNORECASE)
_VALIDITY = re.compile(rb"\[UIDVALIDITY (\d+)\]", re.IGNORECASE)


def passing(answer: Any) -> bool:
    """Whether a refusal has another reason than the words of a login or the name of a folder (RFC 5530, section 3)."""
    return bool(_NOT_NOW.match(said(answer)))


def lists(lines: Iterable[bytes]) -> bool:
    """Whether the answer to LIST names a folder that is there."""
    found = (bytes(line).upper() for line in lines)
    return any(line.startswith((b"LIST (", b"(")) and rb"\NONEXISTENT" not in line for line in found)


def read_validity(lines: Iterable[bytes]) -> int | None:
    """The UIDVALIDITY that the answer to SELECT tells."""
    return next((int(found[1]) for line in lines if (found := _VALIDITY.search(bytes(line)))), None)


MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def day(one: date) -> str:
    """A day as SEARCH wants it, in English whatever is spoken here (RFC 3501, section 9)."""
    return f"{one.day}-{MONTHS[one.month - 1]}-{one.year}"


def uid_set(uids: Iterable[int]) -> str:
    """`3:5,9` for 3, 4, 5, 9: the shortest set that names exactly these."""
    spans: list[list[int]] = []
    for uid in sorted(set(uids)):
        if spans and uid == spans[-1][1] + 1:
            spans[-1][1] = uid
        else:
            spans.append([uid, uid])
    return ",".join(f"{first}:{last}" if last > first else f"{first}" for first, last in spans)


def uids(text: bytes) -> list[int]:
    """The numbers that a set like `3:5,9` names, in the order given; none of a set that is absurdly large."""
    found: list[int] = []
    for span in text.split(b","):
        first, _, last = span.partition(b":")
        if not first.isdigit() or (last and not last.isdigit()) or int(last or first) - int(first) > _MOST_UIDS:
            return []
        found += range(int(first), int(last or first) + 1)
    return found


def read_copied(lines: Iterable[bytes | bytearray]) -> dict[int, tuple[int, int]]:
    """Old UID to (UIDVALIDITY, UID) in the folder that letters were copied to: COPYUID (RFC 4315, RFC 6851)."""
    for line in lines:
        if told := _COPYUID.search(bytes(line)):
            validity, old, new = int(told[1]), uids(told[2]), uids(told[3])
            if len(old) == len(new):
                return {before: (validity, after) for before, after in zip(old, new, strict=True)}
    return {}


def said(answer: Any) -> str:
    """The server's own last words in an answer, for an error text."""
    return f"{answer.result} {readable(bytes(answer.lines[-1]) if answer.lines else b'')}"


def readable(words: bytes) -> str:
    """A server's words on one line: no escape sequence of it reaches a terminal or a log."""
    return one_line(words.decode("utf-8", "replace"), 200)


def _records(lines: Sequence[bytes | bytearray]) -> list[tuple[bytes, list[bytes]]]:
    """One pair per untagged FETCH: its words without the literals, and its literals."""
    records: list[tuple[bytes, list[bytes]]] = []
    for line in lines:
        if isinstance(line, bytearray):
            if records:
                records[-1][1].append(bytes(line))
        elif _FETCH.match(line):
            records.append((line, []))
        elif records:
            records[-1] = (records[-1][0] + b" " + line, records[-1][1])
    return records


def read_quota(lines: Iterable[bytes | bytearray]) -> tuple[int, int] | None:
    """What is used and what is allowed, in units of 1,024 octets: of several quotas the one that is nearest its end."""
    found = [(int(told[1]), int(told[2])) for line in lines for told in _STORAGE.finditer(bytes(line))]
    return max((one for one in found if one[1]), key=lambda one: one[0] / one[1], default=None)


def read_uids(lines: Sequence[bytes | bytearray]) -> set[int]:
    """The UIDs of the answer to `UID SEARCH`."""
    return {int(uid) for line in lines[:-1] for uid in bytes(line).split() if uid.isdigit()}


def read_sizes(lines: Sequence[bytes | bytearray]) -> dict[int, int]:
    """UID to size in octets, from the answer to `UID FETCH … (UID RFC822.SIZE)`."""
    sizes = {}
    for words, _ in _records(lines):
        uid, size = _UID.search(words), _SIZE.search(words)
        if uid and size:
            sizes[int(uid[1])] = int(size[1])
    return sizes


def read_bodies(lines: Sequence[bytes | bytearray]) -> dict[int, bytes]:
    """UID to letter, from the answer to `UID FETCH … (UID BODY.PEEK[])`; FETCH lines about flags are passed over."""
    bodies = {}
    for words, literals in _records(lines):
        uid = _UID.search(words)
        if uid and len(literals) == 1:
            bodies[int(uid[1])] = literals[0]
        elif uid and not literals and _NO_BODY.search(words):
            bodies[int(uid[1])] = b""
    return bodies
