"""Keeps what people write outside the games' repositories, so that it can be forgotten.

A record holds a placeholder for each text (`troyes-12.17.say1`). The texts lie in `words.sqlite` of the host's mail
folder, not in the spool, which can be thrown away and filled again. They are written before the commit that refers to
them; after a crash between the two the next record of that number drops them. Where a text was taken back or lost,
readers are told so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine import data_paths
from engine.event_log import Data
from pbem.store.commit_record import Record
from pbem.store.database import SqliteFile
from pbem.store.game_table import Table

WORDS_LOST = "(words lost)"
WORDS_TAKEN_BACK = "(words taken back)"

_MAIL = ("said", "notes", "earned", "answers", "messages", "choices", "repairs", "answering")
"""The fields of a packed mail that may hold people's words or the Message-IDs of their letters."""

Turn = Callable[[str, str], str]
"""Takes a placeholder and the present text, and gives the new text."""


def placeholder(game: str, record: int, kind: str, nth: int | str = "") -> str:
    """The placeholder of the nth text of a kind in a record."""
    return f"{game}.{record}.{kind}{nth}"


def extract_text(game: str, record: Record) -> tuple[Record, dict[str, str]]:
    """A record as it is committed, and its texts by their placeholders."""
    texts: dict[str, str] = {}

    def put(name: str, text: str) -> str:
        texts[name] = text
        return name

    record = _turned(game, record, put)
    if mails := record.private.get("mails"):
        names = (placeholder(game, record.number, "mail", n) for n in range(1, len(mails) + 1))
        parts = [extract_mail_text(name, mail, texts) for name, mail in zip(names, mails, strict=True)]
        record = replace(record, private={**record.private, "mails": parts})
    return record, texts


def extract_mail_text(name: str, mail: Data, texts: dict[str, str]) -> Data:
    """A packed mail as it is committed; its text is added to `texts` under `name`."""
    texts[name] = json.dumps({key: mail[key] for key in _MAIL if key in mail}, ensure_ascii=False)
    return {**{key: part for key, part in mail.items() if key not in _MAIL}, "words": name}


def _turned(game: str, record: Record, turn: Turn) -> Record:
    """The record with each text replaced by what `turn` gives."""

    def named(kind: str, nth: int | str, text: str) -> str:
        return turn(placeholder(game, record.number, kind, nth), text)

    also, private = dict(record.also), dict(record.private)
    if says := also.get("says"):
        also["says"] = [named("say", n, text) for n, text in enumerate(says, 1)]
    if tells := private.get("tells"):
        private["tells"] = [{**one, "text": named("tell", n, one["text"])} for n, one in enumerate(tells, 1)]
    note = named("note", "", record.note) if record.note else ""
    entries = list(record.entries)
    for at, entry in enumerate(entries):
        if entry.kind == data_paths.EDIT_KIND and (why := entry.data.get("reason")):
            entries[at] = replace(entry, data={**entry.data, "reason": named("reason", at, why)})
    return replace(record, note=note, also=also, private=private, entries=tuple(entries))


class PrivateText(SqliteFile):
    """The texts in `folder`. A text that was taken back leaves an empty row."""

    NAME, SCHEMA = "words.sqlite", 1
    DAMAGED = (
        "move it away with its -wal and -shm, or put it back from a copy: games go on without it, with «(words lost)» "
        "where words stood"
    )
    TABLES = """
CREATE TABLE words (
    mark TEXT PRIMARY KEY, game TEXT NOT NULL, record INTEGER NOT NULL, author TEXT NOT NULL, text TEXT) WITHOUT ROWID;
CREATE INDEX words_of ON words(game, record)
"""

    def keep(
        self, game: str, record: int, author: str, texts: Mapping[str, str], survives: str = "a power cut"
    ) -> None:
        """Keep the texts of a record that is about to be committed; those of an earlier attempt are dropped.

        `survives` as in `change`: a commit brings the whole mail folder to the disk.
        """
        if not texts and not self.ask("SELECT 1 FROM words WHERE game = ? AND record = ?", game, record):
            return
        with self.change(survives=survives) as db:
            db.execute("DELETE FROM words WHERE game = ? AND record = ?", (game, record))
            rows = ((name, game, record, author, text) for name, text in texts.items())
            db.executemany("INSERT OR REPLACE INTO words VALUES (?, ?, ?, ?, ?)", rows)

    def text(self, name: str) -> str:
        """The text of a placeholder, or why there is none."""
        rows = self.ask("SELECT text FROM words WHERE mark = ?", name)
        return WORDS_LOST if not rows else WORDS_TAKEN_BACK if rows[0][0] is None else str(rows[0][0])

    def mail(self, mail: Data) -> Data:
        """A packed mail with its text, or with a note that this is gone."""
        if "words" not in mail:
            return mail
        found = self.text(mail["words"])
        words: Data = {"notes": [{"text": found}]} if found in (WORDS_LOST, WORDS_TAKEN_BACK) else json.loads(found)
        return {key: part for key, part in mail.items() if key != "words"} | words

    def of(self, game: str) -> list[tuple[str, int, str, str | None]]:
        """The placeholder, record, author and text of all texts of a game."""
        return self.ask("SELECT mark, record, author, text FROM words WHERE game = ? ORDER BY record, mark", game)

    def put(self, game: str, words: Iterable[Sequence[Any]]) -> None:
        """Take in the texts of a game that has come, as `of` gives them."""
        with self.change() as db:
            rows = ((name, game, *rest) for name, *rest in words)
            db.executemany("INSERT OR REPLACE INTO words VALUES (?, ?, ?, ?, ?)", rows)

    def drop(self, game: str) -> None:
        """Delete the texts of a game that has gone."""
        with self.emptying() as db:
            db.execute("DELETE FROM words WHERE game = ?", (game,))

    def told(self, game: str, author: str = "") -> bool:
        """Whether anybody, or one author, has said something to one person alone."""
        which = "game = ?1 AND (?2 = '' OR author = ?2) AND mark LIKE '%.tell%'"
        return bool(self.ask(f"SELECT 1 FROM words WHERE {which} LIMIT 1", game, author))

    def forget(self, game: str, author: str) -> list[int]:
        """Empty what somebody wrote in a game; the records that held it. Doing it again gives the same records."""
        which = "game = ? AND author = ?"
        found = self.ask(f"SELECT DISTINCT record FROM words WHERE {which} ORDER BY record", game, author)
        with self.emptying() as db:
            db.execute(f"UPDATE words SET text = NULL WHERE {which}", (game, author))
        return [int(record) for (record,) in found]


def fill_text(words: PrivateText | None, game: str, record: Record) -> Record:
    """A record that was read, with its texts in their places; records of schema 1 hold them themselves."""

    def put(name: str, text: str) -> str:
        if text != name:
            return text
        return WORDS_LOST if words is None else words.text(name)

    return _turned(game, record, put)


def hold_reason(words: PrivateText | None, table: Table) -> str:
    if not re.fullmatch(rf"{re.escape(table.game)}\.\d+\.note", table.reason):
        return table.reason
    return WORDS_LOST if words is None else words.text(table.reason)


def open_private_text(folder: Path) -> PrivateText | None:
    """The texts in a host's mail folder; None where there is no file of them."""
    return PrivateText(folder) if (folder / PrivateText.NAME).is_file() else None


def author_id(seat: str, generation: int) -> str:
    """The author of a seat's texts: its holder, counted from 1."""
    return f"{seat}.{generation}"
