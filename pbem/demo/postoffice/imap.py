"""IMAP4rev1 for the local post office (RFC 3501; 2177 IDLE, 4315 UIDPLUS, 6851 MOVE, 3691, 2342, 2971, 4959, 7888).

One `Session` per connection. Commands are answered in the order they come; while a client idles it is told of a
new letter in the same instant in which SMTP has stored it.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import contextlib
import hmac
import re
from collections.abc import Iterable, Mapping

from pbem.demo.postoffice import folders
from pbem.demo.postoffice.folders import Refused
from pbem.demo.postoffice.maildir import FLAGS, Account
from pbem.demo.postoffice.view import SelectedView
from pbem.demo.postoffice.words import BadCommand, Word, atom, read

CAPABILITIES = [
    "IMAP4rev1",
    "LITERAL+",
    "SASL-IR",
    "AUTH=PLAIN",
    "ID",
    "IDLE",
    "MOVE",
    "NAMESPACE",
    "UIDPLUS",
    "UNSELECT",
]
LONGEST_LINE = 64 * 1024
LARGEST_LITERAL = 32 * 1024 * 1024

_LITERAL = re.compile(rb"\{(\d{1,9})(\+?)\}\r\n\Z")
_ALL_FLAGS = " ".join(FLAGS.values())
_BEFORE_LOGIN = {"CAPABILITY", "NOOP", "LOGOUT", "LOGIN", "AUTHENTICATE", "ID"}
_IN_FOLDER = {"CHECK", "CLOSE", "UNSELECT", "EXPUNGE", "SEARCH", "FETCH", "STORE", "COPY", "MOVE", "UID"}
_NEEDS = {"IDLE": "IDLE", "MOVE": "MOVE", "UID MOVE": "MOVE", "UID EXPUNGE": "UIDPLUS", "UNSELECT": "UNSELECT"}


class ImapSession:
    """One client. `serve` runs until it leaves."""

    def __init__(
        self,
        accounts: Mapping[str, Account],
        password: str,
        capabilities: Iterable[str],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self._accounts = accounts
        self._password = password
        self._capabilities = " ".join(capabilities)
        self._reader = reader
        self._writer = writer
        self._account: Account | None = None
        self._view: SelectedView | None = None
        self._idling = False
        self._leaving = False

    async def serve(self) -> None:
        """Greet and answer until the client leaves or the connection ends."""
        try:
            self._send(f"* OK [CAPABILITY {self._capabilities}] post office ready")
            while not self._leaving:
                await self._writer.drain()
                await self._answer(await self._command())
            await self._writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            self._leave_folder()
            self._writer.close()

    def _send(self, line: str) -> None:
        self._writer.write(line.encode("utf-8", "surrogateescape") + b"\r\n")

    async def _command(self) -> bytes:
        """One command with its literals, without the last line end."""
        command = b""
        while True:
            line = await self._reader.readuntil(b"\r\n")
            command += line
            literal = _LITERAL.search(line)
            if not literal:
                return command[:-2]
            size = int(literal[1])
            if size > LARGEST_LITERAL or len(command) > LARGEST_LITERAL:
                self._send("* BYE That is too large")
                raise OSError("literal too large")
            if not literal[2]:
                self._send("+ go on")
                await self._writer.drain()
            command += await self._reader.readexactly(size)

    async def _answer(self, command: bytes) -> None:
        tag, _, rest = command.partition(b" ")
        name = tag.decode("ascii", "replace")
        if not re.fullmatch(r"[!-~]{1,50}", name) or re.search(r'[(){%*"\\+]', name):
            self._send("* BAD A command begins with a tag")
            return
        removals = True
        try:
            words = read(rest)
            verb = atom(words.pop(0)).upper() if words else ""
            by_uid = verb == "UID" and bool(words)
            if by_uid:
                verb = atom(words.pop(0)).upper()
            removals = by_uid or verb not in ("FETCH", "STORE", "SEARCH")
            self._tell(removals=False)
            said = await self._do(verb, words, by_uid)
            self._tell(removals)
            self._send(f"{name} OK {said}")
        except BadCommand as bad:
            self._tell(removals)
            self._send(f"{name} BAD {bad}")
        except (Refused, FileNotFoundError) as no:
            self._tell(removals)
            self._send(f"{name} NO {no if isinstance(no, Refused) else 'that letter is gone'}")

    def _tell(self, removals: bool) -> None:
        if self._view is not None:
            self._writer.write(self._view.changes(removals))

    def _news(self) -> None:
        if self._idling:
            self._tell(removals=True)

    async def _do(self, verb: str, words: list[Word], by_uid: bool) -> str:
        if self._account is None and verb not in _BEFORE_LOGIN:
            raise BadCommand("log in first")
        if by_uid and verb not in ("SEARCH", "FETCH", "STORE", "COPY", "MOVE", "EXPUNGE"):
            raise BadCommand(f"UID does not go with {verb}")
        if (by_uid or verb in _IN_FOLDER) and self._view is None:
            raise BadCommand("open a folder first")
        needed = _NEEDS.get(f"UID {verb}" if by_uid else verb)
        if needed and needed not in self._capabilities.split():
            raise BadCommand(f"{verb} is not offered here")
        if verb in ("AUTHENTICATE", "IDLE"):
            return await (self._authenticate(words) if verb == "AUTHENTICATE" else self._idle())
        handler = getattr(self, f"_{verb.lower()}", None) if verb in _HANDLED else None
        if handler is not None:
            return str(handler(words))
        if self._view is not None and (by_uid or verb in _IN_FOLDER):
            return await self._in_folder(self._view, verb, words, by_uid)
        raise BadCommand(f"unknown command {verb[:40]}")

    # Before login

    def _capability(self, words: list[Word]) -> str:
        return self._lines([f"* CAPABILITY {self._capabilities}"])

    def _noop(self, words: list[Word]) -> str:
        return "Nothing done"

    def _id(self, words: list[Word]) -> str:
        self._send('* ID ("name" "post office")')
        return "Pleased to meet you"

    def _logout(self, words: list[Word]) -> str:
        self._leave_folder()
        self._leaving = True
        self._send("* BYE Until the next letter")
        return "Goodbye"

    def _login(self, words: list[Word]) -> str:
        if len(words) != 2:
            raise BadCommand("LOGIN needs a user and a password")
        return self._enter(atom(words[0]), atom(words[1]))

    async def _authenticate(self, words: list[Word]) -> str:
        if not words or atom(words[0]).upper() != "PLAIN":
            raise Refused("[CANNOT] only PLAIN is known")
        if len(words) > 1:
            answer = atom(words[1]).encode()
        else:
            self._send("+ ")
            await self._writer.drain()
            answer = (await self._reader.readuntil(b"\r\n")).strip()
        try:
            _, user, password = base64.b64decode(answer, validate=True).decode().split("\0")
        except (binascii.Error, UnicodeDecodeError, ValueError):
            raise BadCommand("that is no PLAIN answer") from None
        return self._enter(user, password)

    def _enter(self, user: str, password: str) -> str:
        if self._account is not None:
            raise BadCommand("logged in already")
        account = self._accounts.get(user.partition("@")[0].lower())
        good = hmac.compare_digest(password.encode("utf-8", "surrogateescape"), self._password.encode())
        if account is None or not good:
            raise Refused("[AUTHENTICATIONFAILED] user or password is wrong")
        self._account = account
        return f"[CAPABILITY {self._capabilities}] Welcome"

    # Folders

    @property
    def _home(self) -> Account:
        if self._account is None:
            raise BadCommand("log in first")
        return self._account

    def _leave_folder(self) -> None:
        if self._view is not None:
            self._view.close()
            self._view = None

    def _select(self, words: list[Word]) -> str:
        return self._open(words, read_only=False)

    def _examine(self, words: list[Word]) -> str:
        return self._open(words, read_only=True)

    def _open(self, words: list[Word], read_only: bool) -> str:
        self._leave_folder()
        folder = folders.named(self._home, words)
        view = self._view = SelectedView(folder, read_only, self._news)
        unseen = next((n for n, mail in enumerate(view.mails, 1) if "S" not in mail.flags), 0)
        self._send(f"* FLAGS ({_ALL_FLAGS})")
        self._send(f"* {len(view.mails)} EXISTS")
        self._send("* 0 RECENT")
        if unseen:
            self._send(f"* OK [UNSEEN {unseen}] first unread letter")
        self._send(f"* OK [PERMANENTFLAGS ({'' if read_only else _ALL_FLAGS})] these are kept")
        self._send(f"* OK [UIDVALIDITY {folder.account.uidvalidity}] UIDs are valid")
        self._send(f"* OK [UIDNEXT {folder.account.uidnext}] next UID")
        return f"[{'READ-ONLY' if read_only else 'READ-WRITE'}] Open"

    def _list(self, words: list[Word]) -> str:
        return self._lines(folders.listed(self._home, words, "LIST"))

    def _lsub(self, words: list[Word]) -> str:
        return self._lines(folders.listed(self._home, words, "LSUB"))

    def _status(self, words: list[Word]) -> str:
        return self._lines([folders.status(self._home, words)])

    def _namespace(self, words: list[Word]) -> str:
        return self._lines(['* NAMESPACE (("" ".")) NIL NIL'])

    def _subscribe(self, words: list[Word]) -> str:
        return "Every folder is always subscribed"

    def _unsubscribe(self, words: list[Word]) -> str:
        return self._subscribe(words)

    def _rename(self, words: list[Word]) -> str:
        raise Refused("[CANNOT] folders keep their names here")

    def _create(self, words: list[Word]) -> str:
        return folders.create(self._home, words)

    def _delete(self, words: list[Word]) -> str:
        return folders.delete(self._home, words)

    def _append(self, words: list[Word]) -> str:
        return folders.append(self._home, words)

    def _lines(self, lines: list[str]) -> str:
        for line in lines:
            self._send(line)
        return "That is all"

    # In a folder

    async def _in_folder(self, view: SelectedView, verb: str, words: list[Word], by_uid: bool) -> str:
        if verb == "FETCH":
            for number, line in enumerate(view.fetch(words, by_uid)):
                self._writer.write(line)
                if number % 20 == 19:
                    await self._writer.drain()
            return "Fetched"
        if verb == "SEARCH":
            self._writer.write(view.search(words, by_uid))
            return "Searched"
        if verb in ("CLOSE", "UNSELECT"):
            if verb == "CLOSE" and not view.read_only:
                view.expunge()
            self._leave_folder()
            return "Closed"
        if verb == "CHECK":
            return "Checked"
        if view.read_only and verb != "COPY":
            raise Refused("[READ-ONLY] the folder was opened for reading only")
        if verb == "STORE":
            self._writer.write(b"".join(view.store(words, by_uid)))
            return "Stored"
        if verb == "EXPUNGE":
            if by_uid and not words:
                raise BadCommand("UID EXPUNGE needs a set of UIDs")
            view.expunge(atom(words[0]) if by_uid else "")
            return "Expunged"
        if verb in ("COPY", "MOVE"):
            if len(words) != 2:
                raise BadCommand(f"{verb} needs a set of numbers and a folder")
            target = folders.named(self._home, words[1:], "TRYCREATE")
            code = view.transfer(atom(words[0]), target, by_uid, verb == "MOVE")
            if verb == "MOVE" and code:
                self._send(f"* OK {code}moved")
            return "Moved" if verb == "MOVE" else f"{code}Copied"
        raise BadCommand(f"unknown command {verb[:40]}")

    async def _idle(self) -> str:
        self._send("+ idling")
        self._idling = True
        try:
            self._news()
            line = await self._reader.readuntil(b"\r\n")
        finally:
            self._idling = False
        if line.strip().upper() != b"DONE":
            raise BadCommand("IDLE ends with DONE")
        return "Awake"

    def end(self) -> None:
        """Cut the connection: the office closes."""
        with contextlib.suppress(OSError):
            self._writer.transport.abort()


_HANDLED = {
    "APPEND", "CAPABILITY", "CREATE", "DELETE", "EXAMINE", "ID", "LIST", "LOGIN", "LOGOUT", "LSUB",
    "NAMESPACE", "NOOP", "RENAME", "SELECT", "STATUS", "SUBSCRIBE", "UNSUBSCRIBE",
}  # fmt: skip
