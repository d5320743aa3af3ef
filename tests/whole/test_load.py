"""Many people who write at once lose nothing, and need not wait for their receipts."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.whole import load
from tests.wire.servers import dovecot_office

AT_MOST = 2.0
"""Seconds from delivery to receipt, for 95 of 100 letters."""


def loaded(folder: Path, monkeypatch: pytest.MonkeyPatch, people: int, seconds: float) -> load.Loaded:
    with dovecot_office() as office:
        monkeypatch.setenv("PBEM_IMAP_PASSWORD", office.password)
        found = asyncio.run(load.load_of(folder, office, people, seconds))
    print(f"{people} people, {seconds:g} seconds: {found}")
    return found


@pytest.mark.servers
def test_people_who_write_at_once_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few for a second or two; how long a receipt takes is the machine's matter here."""
    found = loaded(tmp_path, monkeypatch, people=4, seconds=1.0)
    assert [] == found.lost
    assert found.letters >= 4


@pytest.mark.soak
@pytest.mark.servers
def test_twenty_people_write_at_once_for_ten_minutes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = loaded(tmp_path, monkeypatch, people=20, seconds=600.0)
    assert [] == found.lost
    assert found.games > 10, "a game that was over was not followed by another"
    assert found.late < AT_MOST
