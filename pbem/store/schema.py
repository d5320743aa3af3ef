"""The schema of a game's files, and the steps that bring older files to it.

A step is a pure function from the tables of one schema to those of the next. Files are read through all steps that
they lack. State files are written with the present number by the next commit; records are never written again.

To change a schema: raise `SCHEMA`, add a step for the old number to each of the four tables (`_same` where nothing
changes), store a game of the old schema under `tests/saved`, and play on with it in `tests/store/test_schema.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.event_log import Data
from pbem.store.data_codec import Step

SCHEMA = 2
"""2: the bags called `also` became fields, and the secrets one table."""


def _lifted(table: Data) -> Data:
    """The table with the content of its `also` beside the rest."""
    also: Data = table.get("also", {})
    return {name: part for name, part in table.items() if name != "also"} | also


def _state(data: Data) -> Data:
    table = _lifted(data["table"])
    return {**data, "table": {**table, "seats": [_lifted(row) for row in table["seats"]]}}


def _secret(data: Data) -> Data:
    secrets = {**data["chance"], **data.get("also", {})}
    waiting = secrets.get("later", {}).items()
    secrets["later"] = {seat: [{**row, "mail": _mail(row["mail"])} for row in rows] for seat, rows in waiting}
    return {"secrets": secrets, "game": data.get("game", {})}


def _mail(mail: Data) -> Data:
    """A packed mail whose messages were lists of who, what, and whether nobody else is told."""
    spoken = [dict(zip(("who", "text", "alone"), one, strict=True)) for one in mail.get("messages", ())]
    return {**mail, "messages": spoken} if spoken else mail


def _closed(data: Data) -> Data:
    private: dict[str, Any] = data.get("private", {})
    if "mails" in private:
        private = {**private, "mails": [_mail(mail) for mail in private["mails"]]}
    return {**data, "private": private}


def _same(data: Data) -> Data:
    return data


STATE_STEPS: Mapping[int, Step] = {1: _state}
SECRET_STEPS: Mapping[int, Step] = {1: _secret}
RECORD_STEPS: Mapping[int, Step] = {1: _same}
CLOSED_STEPS: Mapping[int, Step] = {1: _closed}
