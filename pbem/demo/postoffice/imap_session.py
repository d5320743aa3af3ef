"""IMAP4rev1 for the local post office (RFC 3501; 2177 IDLE, 4315 UIDPLUS, 6851 MOVE, 7888 LITERAL+).

One `ImapSession` per connection. Commands are answered in the order they come; while a client idles it is told of a new
letter in the same instant in which SMTP has stored it. What no mail program needs here is left out: other logins than
LOGIN, renaming and deleting folders, keywords.
"""

from __future__ import annotations

import asyncio
import hmac
import re
from collections.abc import Iterable, Mapping

from pbem.demo.postoffice.imap_grammar import BadCommand, Refused, Word, atom, parse_command, quote, read_date
from pbem.demo.postoffice.mail_storage import FLAGS, Account, Folder, flag_letters
from pbem.demo.postoffice.selected_folder import SelectedFolder

CAPABILITIES = ("IMAP4rev1", "LITERAL+", "IDLE", "MOVE", "UIDPLUS")
LONGEST_LINE = 64 * 1024
LARGEST = 32 * 1024 * 1024

_LITERAL = re.compile(rb"\{(\d{1,9})(\+?)\}\r\n\Z")
_ALL_FLAGS = " ".join(FLAGS.values())
_ANYTIME = {"CAPABILITY", "NOOP", "LOGOUT", "LOGIN"}
_BY_UID = {"SEARCH", "FETCH", "STORE", "COPY", "MOVE", "EXPUNGE"}
_SELECTED = {*_BY_UID, "CHECK", "CLOSE"}


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
        self._reader, self._writer = reader, writer
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
            if size + len(command) > LARGEST:
                self._send("* BYE That is too large")
                raise OSError("literal too large")
            if not literal[2]:
                self._send("+ go on")
                await self._writer.drain()
            command += await self._reader.readexactly(size)

    async def _answer(self, command: bytes) -> None:
        tag, _, rest = command.partition(b" ")
        if not re.fullmatch(rb'[^(){%*"\\+\x00-\x20\x7f-\xff]{1,50}', tag):
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
            end = f"OK {await self._do(verb, words, by_uid)}"
        except BadCommand as bad:
            end = f"BAD {bad}"
        except Refused as no:
            end = f"NO {no}"
        except FileNotFoundError:
            end = "NO that letter is gone"
        self._tell(removals)
        self._send(f"{tag.decode()} {end}")

    def _tell(self, removals: bool) -> None:
        if self._selected is not None:
            self._writer.write(self._selected.changes(removals))

    def _news(self) -> None:
        if self._idling:
            self._tell(removals=True)

    async def _do(self, verb: str, words: list[Word], by_uid: bool) -> str:
        """Answer a command: send the untagged lines, and give the text behind OK. Raises BadCommand, Refused."""
        if by_uid and verb not in _BY_UID:
            raise BadCommand(f"unknown command UID {verb[:40]}")
        if self._account is None and verb not in _ANYTIME:
            raise BadCommand("log in first")
        if verb in _SELECTED:
            return await self._in_folder(verb, words, by_uid)
        match verb:
            case "NOOP" | "SUBSCRIBE" | "UNSUBSCRIBE":
                pass
            case "CAPABILITY":
                self._send(f"* CAPABILITY {self._capabilities}")
            case "LOGIN":
                self._log_in(*_two(words))
            case "LOGOUT":
                self._leave_folder()
                self._leaving = True
                self._send("* BYE Until the next letter")
            case "SELECT" | "EXAMINE":
                return self._select(self._named(words), verb == "EXAMINE")
            case "LIST" | "LSUB":
                self._list(verb, *_two(words))
            case "STATUS":
                self._status(self._named(words), words[1:])
            case "CREATE":
                if not words or not self._home.create(atom(words[0]).rstrip(".")):
                    raise Refused("[CANNOT] that folder exists already, or its name is no name")
            case "APPEND":
                return self._append(words)
            case "IDLE":
                await self._idle()
            case _:
                raise BadCommand(f"unknown command {verb[:40]}")
        return "Done"

    def _log_in(self, user: str, password: str) -> None:
        account = self._accounts.get(user.partition("@")[0].lower())
        good = hmac.compare_digest(password.encode("utf-8", "surrogateescape"), self._password.encode())
        if account is None or not good:
            raise Refused("[AUTHENTICATIONFAILED] user or password is wrong")
        self._account = account

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

    def _select(self, folder: Folder, read_only: bool) -> str:
        self._leave_folder()
        self._selected = SelectedFolder(folder, read_only, self._news)
        unseen = next((number for number, mail in enumerate(self._selected.mails, 1) if "S" not in mail.flags), 0)
        self._send(
            f"* FLAGS ({_ALL_FLAGS})",
            f"* {len(folder.mails)} EXISTS",
            "* 0 RECENT",
            *([f"* OK [UNSEEN {unseen}] first unread letter"] if unseen else []),
            f"* OK [PERMANENTFLAGS ({'' if read_only else _ALL_FLAGS})] these are kept",
            f"* OK [UIDVALIDITY {folder.uidvalidity}] UIDs are valid",
            f"* OK [UIDNEXT {folder.uidnext}] next UID",
        )
        return f"[{'READ-ONLY' if read_only else 'READ-WRITE'}] Open"

    def _list(self, verb: str, reference: str, pattern: str) -> None:
        if not pattern:
            self._send(f'* {verb} (\\Noselect) "." ""')
        signs = {"*": ".*", "%": r"[^.]*"}
        wanted = "".join(signs.get(sign, re.escape(sign)) for sign in re.sub(r"\*+", "*", reference + pattern))
        for name in self._home.folders if pattern else ():
            if re.fullmatch(wanted, name) or (name == "INBOX" and pattern.upper() == "INBOX"):
                self._send(f'* {verb} () "." {quote(name).decode()}')

    def _status(self, folder: Folder, wanted: list[Word]) -> None:
        figures = {
            "MESSAGES": len(folder.mails),
            "RECENT": 0,
            "UIDNEXT": folder.uidnext,
            "UIDVALIDITY": folder.uidvalidity,
            "UNSEEN": sum("S" not in mail.flags for mail in folder.mails.values()),
        }
        if len(wanted) != 1 or not isinstance(wanted[0], list):
            raise BadCommand("STATUS needs a folder and a list of what to tell")
        told = " ".join(f"{name} {figures[name]}" for word in wanted[0] if (name := atom(word).upper()) in figures)
        self._send(f"* STATUS {quote(folder.name).decode()} ({told})")

    def _append(self, words: list[Word]) -> str:
        """Keep a letter that the client brings, with its flags and date if they are told."""
        raw = words[-1] if len(words) > 1 else []
        if isinstance(raw, list):
            raise BadCommand("APPEND needs a folder and a letter")
        folder, more = self._named(words, "TRYCREATE"), words[1:-1]
        flags = flag_letters(atom(flag) for word in more if isinstance(word, list) for flag in word)
        date = next((read_date(atom(word)) for word in more if not isinstance(word, list)), None)
        return f"[APPENDUID {folder.uidvalidity} {folder.add(raw, flags, date).uid}] Kept"

    async def _idle(self) -> None:
        self._send("+ idling")
        self._idling = True
        try:
            self._news()
            line = await self._reader.readuntil(b"\r\n")
        finally:
            self._idling = False
        if line.strip().upper() != b"DONE":
            raise BadCommand("IDLE ends with DONE")

    async def _in_folder(self, verb: str, words: list[Word], by_uid: bool) -> str:
        """The commands of the selected state (RFC 3501 section 6.4)."""
        folder = self._selected
        if folder is None:
            raise BadCommand("open a folder first")
        if folder.read_only and verb in ("STORE", "EXPUNGE", "MOVE"):
            raise Refused("[READ-ONLY] the folder was opened for reading only")
        match verb:
            case "FETCH" | "STORE":
                for line in folder.fetch(words, by_uid) if verb == "FETCH" else folder.store(words, by_uid):
                    self._writer.write(line)
                    await self._writer.drain()
            case "SEARCH":
                self._send(" ".join(["* SEARCH", *map(str, folder.search(words, by_uid))]))
            case "EXPUNGE":
                if by_uid and not words:
                    raise BadCommand("UID EXPUNGE needs a set of UIDs")
                folder.expunge(*([atom(words[0])] if by_uid else []))
            case "COPY" | "MOVE":
                numbers, _ = _two(words)
                code = folder.transfer(numbers, self._named(words[1:], "TRYCREATE"), by_uid, verb == "MOVE")
                if verb == "COPY":
                    return f"{code}Copied"
                self._send(*([f"* OK {code}moved"] if code else []))
            case "CLOSE":
                if not folder.read_only:
                    folder.expunge()
                self._leave_folder()
        return "Done"


def _two(words: list[Word]) -> tuple[str, str]:
    """The two words of a command. Raises BadCommand."""
    if len(words) != 2:
        raise BadCommand("two words are needed")
    return atom(words[0]), atom(words[1])
