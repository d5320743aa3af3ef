"""IMAP4rev1 for the local post office (RFC 3501; 2177 IDLE, 4315 UIDPLUS, 6851 MOVE, 7888 LITERAL+).

One `ImapSession` per connection. Commands are answered in the order they come; while a client idles it is told of a new
letter in the same instant in which SMTP has stored it. What no mail program needs here is left out: other logins than
LOGIN, renaming and deleting folders, keywords.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import re
from collections.abc import Iterable, Mapping

from pbem.demo.postoffice.imap_grammar import BadCommand, Refused, Word, atom, parse_command, quote, read_date
from pbem.demo.postoffice.mail_storage import FLAGS, Account, Folder, flag_letters
from pbem.demo.postoffice.selected_folder import SelectedFolder

CAPABILITIES = ("IMAP4rev1", "LITERAL+", "IDLE", "MOVE", "UIDPLUS")
LONGEST_LINE = 64 * 1024
LARGEST_LITERAL = 32 * 1024 * 1024

_LITERAL = re.compile(rb"\{(\d{1,9})(\+?)\}\r\n\Z")
_ALL_FLAGS = " ".join(FLAGS.values())
_ANYTIME = {"CAPABILITY", "NOOP", "LOGOUT", "LOGIN"}
_LOGGED_IN = {
    "SELECT", "EXAMINE", "LIST", "LSUB", "STATUS", "SUBSCRIBE", "UNSUBSCRIBE", "CREATE", "APPEND", "IDLE",
}  # fmt: skip
_SELECTED = {"CHECK", "CLOSE", "EXPUNGE", "SEARCH", "FETCH", "STORE", "COPY", "MOVE"}
_BY_UID = {"SEARCH", "FETCH", "STORE", "COPY", "MOVE", "EXPUNGE"}


class ImapSession:
    """One client. `serve` runs until it leaves. The method `_do_VERB` answers a command: it sends the untagged lines
    and gives the text behind OK. Raises BadCommand, Refused."""

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
        self._selected: SelectedFolder | None = None
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

    def end(self) -> None:
        """Cut the connection: the office closes."""
        with contextlib.suppress(OSError):
            self._writer.transport.abort()

    def _send(self, *lines: str) -> None:
        self._writer.writelines(line.encode("utf-8", "surrogateescape") + b"\r\n" for line in lines)

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
            if size + len(command) > LARGEST_LITERAL:
                self._send("* BYE That is too large")
                raise OSError("literal too large")
            if not literal[2]:
                self._send("+ go on")
                await self._writer.drain()
            command += await self._reader.readexactly(size)

    async def _answer(self, command: bytes) -> None:
        tag, _, rest = command.partition(b" ")
        name = tag.decode("ascii", "replace")
        if not re.fullmatch(r'[^(){%*"\\+\x00-\x20\x7f-\U0010ffff]{1,50}', name):
            self._send("* BAD A command begins with a tag")
            return
        removals = True
        try:
            words = parse_command(rest)
            verb = atom(words.pop(0)).upper() if words else ""
            by_uid = verb == "UID" and bool(words)
            if by_uid:
                verb = atom(words.pop(0)).upper()
            # While these are answered, sequence numbers must not change (RFC 3501 section 7.4.1).
            removals = by_uid or verb not in ("FETCH", "STORE", "SEARCH")
            self._tell(removals=False)
            said = await self._do(verb, words, by_uid)
            end = f"{name} OK {said}"
        except BadCommand as bad:
            end = f"{name} BAD {bad}"
        except Refused as no:
            end = f"{name} NO {no}"
        except FileNotFoundError:
            end = f"{name} NO that letter is gone"
        self._tell(removals)
        self._send(end)

    def _tell(self, removals: bool) -> None:
        if self._selected is not None:
            self._writer.write(self._selected.changes(removals))

    def _news(self) -> None:
        if self._idling:
            self._tell(removals=True)

    async def _do(self, verb: str, words: list[Word], by_uid: bool) -> str:
        if verb not in _ANYTIME | _LOGGED_IN | _SELECTED or (by_uid and verb not in _BY_UID):
            raise BadCommand(f"unknown command {'UID ' * by_uid}{verb[:40]}")
        if verb not in _ANYTIME and self._account is None:
            raise BadCommand("log in first")
        if verb == "IDLE":
            return await self._idle()
        if verb not in _SELECTED:
            return str(getattr(self, f"_do_{verb.lower()}")(words))
        if self._selected is None:
            raise BadCommand("open a folder first")
        return await self._in_folder(self._selected, verb, words, by_uid)

    # At any time

    def _do_capability(self, words: list[Word]) -> str:
        self._send(f"* CAPABILITY {self._capabilities}")
        return "That is all"

    def _do_noop(self, words: list[Word]) -> str:
        return "Nothing done"

    def _do_logout(self, words: list[Word]) -> str:
        self._leave_folder()
        self._leaving = True
        self._send("* BYE Until the next letter")
        return "Goodbye"

    def _do_login(self, words: list[Word]) -> str:
        if len(words) != 2 or self._account is not None:
            raise BadCommand("LOGIN needs a user and a password, once")
        user, password = (atom(word).encode("utf-8", "surrogateescape") for word in words)
        account = self._accounts.get(user.decode("ascii", "replace").partition("@")[0].lower())
        if account is None or not hmac.compare_digest(password, self._password.encode()):
            raise Refused("[AUTHENTICATIONFAILED] user or password is wrong")
        self._account = account
        return f"[CAPABILITY {self._capabilities}] Welcome"

    # Folders (RFC 3501 section 6.3)

    @property
    def _home(self) -> Account:
        assert self._account is not None
        return self._account

    def _leave_folder(self) -> None:
        if self._selected is not None:
            self._selected.close()
            self._selected = None

    def _named(self, words: list[Word], code: str = "NONEXISTENT") -> Folder:
        """The folder that the first word names; TRYCREATE as `code` tells the client that it may make it."""
        folder = self._home.folder(atom(words[0])) if words else None
        if folder is None:
            raise Refused(f"[{code}] there is no such folder")
        return folder

    def _do_select(self, words: list[Word], read_only: bool = False) -> str:
        self._leave_folder()
        folder = self._named(words)
        selected = self._selected = SelectedFolder(folder, read_only, self._news)
        unseen = next((number for number, mail in enumerate(selected.mails, 1) if "S" not in mail.flags), 0)
        self._send(
            f"* FLAGS ({_ALL_FLAGS})",
            f"* {len(selected.mails)} EXISTS",
            "* 0 RECENT",
            *([f"* OK [UNSEEN {unseen}] first unread letter"] if unseen else []),
            f"* OK [PERMANENTFLAGS ({'' if read_only else _ALL_FLAGS})] these are kept",
            f"* OK [UIDVALIDITY {folder.uidvalidity}] UIDs are valid",
            f"* OK [UIDNEXT {folder.uidnext}] next UID",
        )
        return f"[{'READ-ONLY' if read_only else 'READ-WRITE'}] Open"

    def _do_examine(self, words: list[Word]) -> str:
        return self._do_select(words, read_only=True)

    def _do_list(self, words: list[Word], verb: str = "LIST") -> str:
        if len(words) != 2:
            raise BadCommand(f"{verb} needs a reference and a pattern")
        if not atom(words[1]):
            self._send(f'* {verb} (\\Noselect) "." ""')
            return "That is all"
        pattern = atom(words[0]) + atom(words[1])
        signs = {"*": ".*", "%": r"[^.]*"}
        wanted = "".join(signs.get(sign, re.escape(sign)) for sign in re.sub(r"\*+", "*", pattern))
        for name in self._home.folders:
            if re.fullmatch(wanted, name) or (name == "INBOX" and pattern.upper() == "INBOX"):
                self._send(f'* {verb} () "." {quote(name).decode()}')
        return "That is all"

    def _do_lsub(self, words: list[Word]) -> str:
        return self._do_list(words, "LSUB")

    def _do_status(self, words: list[Word]) -> str:
        folder, wanted = self._named(words), words[1] if len(words) == 2 else None
        if not isinstance(wanted, list):
            raise BadCommand("STATUS needs a folder and a list of what to tell")
        figures = {
            "MESSAGES": len(folder.mails),
            "RECENT": 0,
            "UIDNEXT": folder.uidnext,
            "UIDVALIDITY": folder.uidvalidity,
            "UNSEEN": sum("S" not in mail.flags for mail in folder.mails.values()),
        }
        told = " ".join(f"{name} {figures[name]}" for word in wanted if (name := atom(word).upper()) in figures)
        self._send(f"* STATUS {quote(folder.name).decode()} ({told})")
        return "That is all"

    def _do_subscribe(self, words: list[Word]) -> str:
        return "Every folder is always subscribed"

    _do_unsubscribe = _do_subscribe

    def _do_create(self, words: list[Word]) -> str:
        if not words or not self._home.create(atom(words[0]).rstrip(".")):
            raise Refused("[CANNOT] that folder exists already, or its name is no name")
        return "Made"

    def _do_append(self, words: list[Word]) -> str:
        raw = words[-1] if len(words) > 1 else []
        if isinstance(raw, list):
            raise BadCommand("APPEND needs a folder and a letter")
        folder = self._named(words, "TRYCREATE")
        flags, date = frozenset[str](), None
        for word in words[1:-1]:
            if isinstance(word, list):
                flags = flag_letters(map(atom, word))
            else:
                date = read_date(atom(word)).timestamp()
        mail = folder.add(raw, flags, date)
        return f"[APPENDUID {folder.uidvalidity} {mail.uid}] Kept"

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

    # In a folder (RFC 3501 section 6.4)

    async def _in_folder(self, folder: SelectedFolder, verb: str, words: list[Word], by_uid: bool) -> str:
        if folder.read_only and verb in ("STORE", "EXPUNGE", "MOVE"):
            raise Refused("[READ-ONLY] the folder was opened for reading only")
        if verb in ("FETCH", "STORE"):
            for line in folder.fetch(words, by_uid) if verb == "FETCH" else folder.store(words, by_uid):
                self._writer.write(line)
                await self._writer.drain()
        elif verb == "SEARCH":
            self._send(" ".join(["* SEARCH", *map(str, folder.search(words, by_uid))]))
        elif verb == "EXPUNGE":
            if by_uid and not words:
                raise BadCommand("UID EXPUNGE needs a set of UIDs")
            folder.expunge(*([atom(words[0])] if by_uid else []))
        elif verb in ("COPY", "MOVE"):
            if len(words) != 2:
                raise BadCommand(f"{verb} needs a set of numbers and a folder")
            target = self._named(words[1:], "TRYCREATE")
            code = folder.transfer(atom(words[0]), target, by_uid, verb == "MOVE")
            if verb == "COPY":
                return f"{code}Copied"
            self._send(*([f"* OK {code}moved"] if code else []))
        elif verb == "CLOSE":
            if not folder.read_only:
                folder.expunge()
            self._leave_folder()
        return "Done"
