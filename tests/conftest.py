"""Options of the test run."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "any machine", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")
"""No test depends on how fast the machine is, and each run draws the same samples."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true", help="Write the golden files anew instead of comparing.")


MEMORY = Path("/dev/shm")
ROOM = 4 * 1024**3
"""Bytes that must be free there; a run needs a tenth of it."""


def pytest_configure(config: pytest.Config) -> None:
    """Write to memory where there is room: thousands of small hosts wait for nothing but the disk's fsync.

    That every fsync is made is shown by the system calls (tests/store/test_durability.py), not by the disk.
    """
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK | os.X_OK):
        executes = not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
        if executes and shutil.disk_usage(MEMORY).free > ROOM:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


LONGEST = (
    *("deploy/test_from_nothing", "deploy/test_recipe", "export/test_page"),
    *("clients/test_clients", "wire/test_client", "whole/test_pages", "understood/test_understood"),
    *("export/test_documents", "export/test_checking", "demo/test_demo_game", "levels/test_levels"),
    *("repair/test_damage", "dice_mail/test_achievements", "troyes/test_spoken", "whole/test_private"),
    *("whole/test_final_mail", "repair/test_any_game", "dice_mail/test_demo", "repair/test_computer_seats"),
    *("reading/test_property", "daemon/test_kills", "whole/test_load", "cli/test_cli_lost_spool"),
    *("desk/test_gathering", "clocks/test_tables", "repair/test_terminal", "test_house", "whole/test_real_servers"),
)
"""Files that take longest, of which none may be left for the end: a worker takes whole files, in the order of the items.

Whole ones, since what a file lays out once serves all of its tests.
"""


def pytest_collection(session: pytest.Session) -> None:
    """Each worker imports another share of the tests first: what it compiles there, the others find compiled.

    In a fresh clone each of them would compile every file, twice as long as all else that collecting takes.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is None:
        return
    folders = [path for path in map(Path, session.config.args) if path.is_dir()]
    files = sorted({path.resolve() for folder in folders for path in folder.rglob("test_*.py")})
    for path in files[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
        with contextlib.suppress(Exception):  # told of when the file is collected
            importlib.import_module(".".join(path.relative_to(session.config.rootpath).with_suffix("").parts))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first."""
    place = {f"tests/{name}.py": number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.nodeid.partition("::")[0], len(place)))


def pytest_collection_finish() -> None:
    """Collect garbage more rarely, and not among what was imported: a test's positions live for a moment (6 % of CPU)."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than cores: some tests wait for servers, disks and killed processes."""
    return len(os.sched_getaffinity(0)) + 1
