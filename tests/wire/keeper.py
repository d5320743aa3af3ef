"""A small IMAP server that keeps letters, and holds some of them back, takes none into its folders, or wants prefixes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .odd import Talk

FAULTS = ("nothing", "no", "bad", "bye", "nil", "zero", "empty")
"""Ways in which servers do not give out a letter that they list; "silence" is one more, which takes a timeout."""


@dataclass
class Keeper:
    """Letters of INBOX by UID; which of them is kept back, and how; what is moved where.

    `prefix`: what names of folders have to begin with; `tells` whether NAMESPACE says so. `full`: no folder takes a
    letter. `heads`: whether headers are given out of what is kept back.
    """

    inbox: dict[int, bytes] = field(default_factory=dict)
    faults: dict[int, str] = field(default_factory=dict)
    validity: int = 7
    prefix: str = ""
    tells: bool = True
    full: bool = False
    heads: bool = False
    folders: dict[str, list[bytes]] = field(default_factory=dict)
    asked: list[list[int]] = field(default_factory=list)
    """Of which letters the text was asked for, each time."""

    @property
    def words(self) -> str:
        return "IMAP4rev1 IDLE MOVE UIDPLUS" + " NAMESPACE" * self.tells

    def deliver(self, raw: bytes) -> None:
        self.inbox[max(self.inbox, default=0) + 1] = raw

    async def serve(self, talk: Talk) -> None:
        """The script of an `odd_server`."""
        talk.say(f"* OK [CAPABILITY {self.words}] keeper")
        while True:
            tag, rest = await talk.command()
            said = await self._answer(talk, rest)
            await talk.writer.drain()
            if said == "cut":
                talk.cut()
                return
            talk.say(f"{tag} {said}")

    async def _answer(self, talk: Talk, rest: str) -> str:
        verb, _, given = rest.removeprefix("UID ").partition(" ")
        name = next(iter(re.findall(r'"([^"]+)"', given)), given)
        if verb == "CAPABILITY":
            talk.say(f"* CAPABILITY {self.words}")
        elif verb == "NAMESPACE":
            talk.say(f'* NAMESPACE (("{self.prefix}" ".")) NIL NIL')
        elif verb == "LIST" and given == '"" ""':
            talk.say('* LIST (\\Noselect) "." ""')
        elif verb == "SELECT":
            talk.say(f"* {len(self.inbox)} EXISTS", f"* OK [UIDVALIDITY {self.validity}] ok")
            if name != "INBOX" and name not in self.folders:
                return "NO [NONEXISTENT] no such folder"
        elif verb == "SEARCH":
            talk.say(" ".join(("* SEARCH", *map(str, sorted(self.inbox)))))
        elif verb == "FETCH":
            uids = [uid for uid in self._uids(given) if uid in self.inbox]
            if "BODY.PEEK[]" in given:
                self.asked.append(uids)
                if "silence" in {self.faults.get(uid) for uid in uids}:
                    await talk.silence()
            return self._fetch(talk, uids, given)
        elif verb == "STATUS":
            return "OK" if name in self.folders else "NO [NONEXISTENT] no such folder"
        elif verb == "CREATE":
            if not name.startswith(self.prefix):
                return f"NO [CANNOT] Invalid mailbox name: must begin with {self.prefix}"
            self.folders.setdefault(name, [])
        elif verb == "MOVE":
            if name not in self.folders:
                return "NO [TRYCREATE] Mailbox does not exist"
            if self.full:
                return "NO [OVERQUOTA] Quota exceeded (mailbox for user is full)"
            self.folders[name] += [self.inbox.pop(uid) for uid in self._uids(given) if uid in self.inbox]
        elif verb == "IDLE":
            talk.say("+ idling")
            await talk.hear()
        return "OK done"

    def _uids(self, given: str) -> list[int]:
        found: list[int] = []
        for span in given.split()[0].split(","):
            first, _, last = span.partition(":")
            found += range(int(first), int(last or first) + 1)
        return found

    def _fetch(self, talk: Talk, uids: list[int], given: str) -> str:
        if "RFC822.SIZE" in given:
            talk.say(*(f"* {uid} FETCH (UID {uid} RFC822.SIZE {len(self.inbox[uid])})" for uid in uids))
            return "OK done"
        head, end = "HEADER" in given, "OK done"
        for uid in uids:
            raw = self.inbox[uid].partition(b"\r\n\r\n")[0] + b"\r\n\r\n" if head else self.inbox[uid]
            fault = ("nothing" if not self.heads else "") if head and uid in self.faults else self.faults.get(uid, "")
            if fault in ("no", "bad"):
                end = f"{fault.upper()} [SERVERBUG] The message could not be retrieved"
            elif fault == "bye":
                talk.say("* BYE internal error")
                return "cut"
            elif fault in ("nil", "zero", "empty"):
                body = {"nil": "NIL)", "zero": "{0}\r\n)", "empty": '"")'}[fault]
                talk.say(f"* {uid} FETCH (UID {uid} BODY[] {body}")
            elif not fault:
                talk.writer.write(b"* %d FETCH (UID %d BODY[] {%d}\r\n%b)\r\n" % (uid, uid, len(raw), raw))
        return end
