"""What the daemon's log says of a letter: no more than the game's public history does."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from tests.daemon.fakes import Host


async def test_the_log_names_neither_whose_a_letter_is_nor_whether_it_has_played(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """`pbem log` says «a sealed answer is given» or «a letter is answered» alike, whoever has given it."""
    host = Host(tmp_path)
    host.box.deliver("one", "two")
    host.desk.moods["two"] = "answered"
    with caplog.at_level(logging.DEBUG, "pbem"):
        await host.daemon.run(once=True)
    said = [line.partition(": ")[2].strip() for line in caplog.messages if line.startswith("letter ")]
    assert ["tale-3, answered", "tale-3, answered no reason"] == said
