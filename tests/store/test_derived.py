"""What is kept of the games to save time: whatever a disk, a kill or another version leaves of it, no row is wrong."""

from __future__ import annotations

import logging
import os
import random
import signal
import sqlite3
import stat
import time
from pathlib import Path

import pytest

from pbem.store.row_cache import CACHE_FILE, CachedRow, CachedRows

ROWS: dict[str, CachedRow | None] = {f"tally-{n}": CachedRow(f"commit {n}", f"what follows from {n} " * 5) for n in range(40)}


def filled(folder: Path) -> CachedRows:
    rows = CachedRows(folder, "plans", "one")
    rows.keep(ROWS)
    return rows


def test_rows_are_kept_changed_and_dropped(tmp_path: Path) -> None:
    rows = filled(tmp_path)
    assert rows.all() == ROWS
    new = CachedRow("a commit", "é\n2")
    rows.keep({"tally-1": new, "tally-2": None, "tally-99": None})
    assert CachedRows(tmp_path, "plans", "one").all() == {name: row for name, row in ROWS.items() if name != "tally-2"} | {"tally-1": new}
    assert 0o600 == stat.S_IMODE((tmp_path / CACHE_FILE).stat().st_mode)


def test_what_another_version_has_kept_is_not_there_and_is_replaced(tmp_path: Path) -> None:
    old = filled(tmp_path)
    new = CachedRows(tmp_path, "plans", "two")
    assert {} == new.all()
    new.keep({"tally-1": CachedRow("a", "b")})
    assert {"tally-1": CachedRow("a", "b")} == new.all()
    assert "tally-1" not in old.all()
    assert {} == CachedRows(tmp_path, "others", "one").all()


@pytest.mark.parametrize("seed", range(60))
def test_a_damaged_file_tells_nothing_wrong_and_is_made_again(tmp_path: Path, seed: int) -> None:
    """Bytes anywhere, most of them in rows; files cut off."""
    rows, dice, file = filled(tmp_path), random.Random(seed), tmp_path / CACHE_FILE
    raw = bytearray(file.read_bytes())
    if seed % 3:
        for _ in range(10 ** (seed % 4)):
            raw[dice.randrange(len(raw))] = dice.randrange(256)
    else:
        del raw[dice.randrange(len(raw)) :]
    file.write_bytes(raw)
    for suffix in ("-wal", "-shm"):
        file.with_name(f"{CACHE_FILE}{suffix}").unlink(missing_ok=True)
    assert rows.all().items() <= ROWS.items()
    # Whatever was left of it: once everything was written again, everything is there.
    rows.keep(ROWS)
    rows.keep(ROWS)
    assert rows.all() == ROWS


def test_a_file_of_something_else_is_thrown_away_and_the_log_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / CACHE_FILE).write_bytes(b"this is no database" * 100)
    with caplog.at_level(logging.WARNING):
        rows = filled(tmp_path)
    assert f"{CACHE_FILE} is thrown away, and made again from the games" in caplog.text
    assert rows.all() == ROWS
    with sqlite3.connect(tmp_path / CACHE_FILE) as db:
        db.execute("DROP TABLE rows")
        db.execute("PRAGMA user_version = 7")
    assert {} == rows.all()
    rows.keep(ROWS)
    assert rows.all() == ROWS


def test_a_folder_that_cannot_be_written_stops_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "mail").write_text("a file is in the way")
    rows = CachedRows(tmp_path / "mail", "plans", "one")
    rows.keep(ROWS)
    assert {} == rows.all()
    assert "cannot be" in caplog.text


def test_a_writer_that_is_killed_leaves_all_or_nothing(tmp_path: Path) -> None:
    rows = filled(tmp_path)
    dice = random.Random(5)
    for _ in range(8):
        if not (child := os.fork()):
            for turn in range(10_000):
                rows.keep({name: CachedRow(f"{turn}", name) for name in ROWS})
            os._exit(0)
        time.sleep(dice.uniform(0.0, 0.05))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        found = rows.all()
        assert found.keys() == ROWS.keys()
        assert found == ROWS or 1 == len({row.of for row in found.values()})
