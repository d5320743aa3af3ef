"""The IMAP commands about whole folders (RFC 3501 section 6.3). Each raises BadCommand or Refused."""

from __future__ import annotations

import re

from pbem.demo.postoffice.fetch import read_date
from pbem.demo.postoffice.maildir import Account, Folder, flag_letters
from pbem.demo.postoffice.words import BadCommand, Word, atom, string


class Refused(Exception):  # noqa: N818 - the answer NO
    """The command was understood and cannot be done. The text goes to the client."""


def named(account: Account, words: list[Word], code: str = "NONEXISTENT") -> Folder:
    """The folder that the first word names; TRYCREATE as `code` tells the client that it may make it."""
    folder = account.folder(atom(words[0])) if words else None
    if folder is None:
        raise Refused(f"[{code}] there is no such folder")
    return folder


def listed(account: Account, words: list[Word], verb: str) -> list[str]:
    """The answers of LIST or LSUB."""
    if len(words) != 2:
        raise BadCommand(f"{verb} needs a reference and a pattern")
    pattern = atom(words[0]) + atom(words[1])
    if not atom(words[1]):
        return [f'* {verb} (\\Noselect) "." ""']
    signs = {"*": ".*", "%": r"[^.]*"}
    wanted = re.compile("".join(signs.get(sign, re.escape(sign)) for sign in re.sub(r"\*+", "*", pattern)))
    return [
        f'* {verb} () "." {string(name).decode()}'
        for name in account.folders
        if wanted.fullmatch(name) or (name == "INBOX" and pattern.upper() == "INBOX")
    ]


def status(account: Account, words: list[Word]) -> str:
    """The answer of STATUS."""
    folder = named(account, words)
    wanted = words[1] if len(words) == 2 else None
    if not isinstance(wanted, list):
        raise BadCommand("STATUS needs a folder and a list of what to tell")
    figures = {
        "MESSAGES": len(folder.mails),
        "RECENT": 0,
        "UIDNEXT": account.uidnext,
        "UIDVALIDITY": account.uidvalidity,
        "UNSEEN": sum("S" not in mail.flags for mail in folder.mails.values()),
    }
    told = " ".join(f"{name} {figures[name]}" for word in wanted if (name := atom(word).upper()) in figures)
    return f"* STATUS {string(folder.name).decode()} ({told})"


def create(account: Account, words: list[Word]) -> str:
    """Make a folder; what the tagged answer says."""
    if not words or account.create(atom(words[0]).rstrip(".")) is None:
        raise Refused("[CANNOT] that folder exists already, or its name is no name")
    return "Made"


def delete(account: Account, words: list[Word]) -> str:
    """Delete a folder with its letters; what the tagged answer says."""
    if not words or not account.delete(atom(words[0])):
        raise Refused("[NONEXISTENT] there is no such folder that could be deleted")
    return "Deleted"


def append(account: Account, words: list[Word]) -> str:
    """Keep a letter that the client brings; what the tagged answer says."""
    if len(words) < 2:
        raise BadCommand("APPEND needs a folder and a letter")
    raw = words[-1]
    if isinstance(raw, list):
        raise BadCommand("APPEND ends with the letter")
    folder = named(account, words, "TRYCREATE")
    flags: frozenset[str] = frozenset()
    date = None
    for word in words[1:-1]:
        if isinstance(word, list):
            flags = flag_letters(atom(one) for one in word)
        else:
            date = read_date(atom(word)).timestamp()
    mail = folder.add(raw, flags, date)
    return f"[APPENDUID {account.uidvalidity} {mail.uid}] Kept"
