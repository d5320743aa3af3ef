"""What letters of a batch cost, and letters alone; and how a batch meets a letter that fails."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path

import pytest

from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.host.people import People
from pbem.inbound.incoming_letter import open_letter
from pbem.router import Router
from pbem.store.inbound_queue import MAX_ATTEMPTS
from tests.daemon import batches

PROGRAM = Path(__file__).with_name("batches.py")
SYNCS = r"(fsync|fdatasync|syncfs|sync|msync|sync_file_range)"


def syncs(folder: Path, how: str) -> tuple[int, int, int]:
    """How often the disk was waited for, by the system calls; and for how many letters and mails."""
    trace = folder / "trace"
    calls = "trace=fsync,fdatasync,syncfs,sync,msync,sync_file_range,access"
    words = ["strace", "-f", "-e", calls, "-o", str(trace), sys.executable, str(PROGRAM), str(folder / "host"), "5", "1", how]
    surroundings = {**os.environ, "PYTHONPATH": str(PROGRAM.parents[2])}
    done = subprocess.run(words, env=surroundings, capture_output=True, text=True, check=False)
    if "ptrace" in done.stderr.lower():
        pytest.skip(f"strace may not trace here: {done.stderr.strip()[:200]}")
    assert done.returncode == 0, done.stderr
    letters, mails = map(int, done.stdout.split())
    count, counts = 0, False
    for line in trace.read_text().splitlines():
        if '"/begin"' in line or '"/end"' in line:
            counts = '"/begin"' in line
        elif counts and re.search(rf"\b{SYNCS}\(", line):
            count += 1
    return count, letters, mails


@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
def test_the_disk_is_waited_for_at_most_three_times_a_letter_in_a_row(tmp_path: Path) -> None:
    """Twenty letters over five games, and every mail that answers them: from fetching to filing. 18.9 before batches."""
    calls, letters, mails = syncs(tmp_path, "batch")
    print(f"{calls / letters:.2f} syncs a letter in a batch ({letters} letters, {mails} mails)")
    assert letters == 20
    assert mails > letters
    assert mails < calls <= 3 * letters


@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
def test_a_letter_alone_waits_for_the_disk_five_times(tmp_path: Path) -> None:
    """Two for the commit, one a mail, one for what is filed. 18.9 before."""
    calls, letters, mails = syncs(tmp_path, "alone")
    print(f"{calls / letters:.2f} syncs a letter alone ({letters} letters, {mails} mails)")
    assert letters == 20
    assert 2 * letters + mails < calls <= 5 * letters


def test_a_batch_that_takes_long_is_answered_before_the_next_letters(tmp_path: Path) -> None:
    """Each look at the clock is a fifth of a second after the one before: two letters fit into a batch."""
    looks = count()
    with closing(batches.opened(tmp_path, 4)) as service:
        post = batches.Post(service, lambda: next(looks) / 5)
        post.round()
        post.deliver(list(batches.letters(service, 0))[:4])
        answered: list[int] = []

        async def after() -> None:
            answered.append(post.intake.answered)

        asyncio.run(post.intake.collect(post.box, after, asyncio.Event()))
        # The first one after a start stands alone.
        assert answered == [1, 3, 4]


@pytest.mark.parametrize("keyed", [True, False], ids=["by its key", "by what it refers to"])
def test_a_letter_may_answer_a_mail_that_its_batch_promises_once_more(tmp_path: Path, keyed: bool) -> None:
    """After a restore: the letter before it is read again, whose mails are written again."""
    with closing(batches.opened(tmp_path / "host", 1)) as service:
        batches.Post(service).round()
    shutil.copytree(tmp_path / "host", tmp_path / "restored")
    with closing(batches.opened(tmp_path / "host", 1)) as service:
        post = batches.Post(service)
        raws = [next(batches.letters(service, 0))]
        post.deliver(raws)
        post.round()
        raws.append(next(batches.letters(service, 1)))
        if not keyed:
            raws[1] = re.sub(rb"(?m)^To: .*$", f"To: games@{batches.DOMAIN}".encode(), raws[1])
        post.deliver(raws[1:])
        post.round()
    with closing(batches.opened(tmp_path / "restored", 1)) as service:
        restored = batches.Post(service)
        restored.deliver(raws)
        restored.round()
    assert len(raws) < len(post.server.taken)
    assert sorted(post.server.taken) == sorted(restored.server.taken)
def test_what_is_not_published_does_not_tell_against_its_letter(tmp_path: Path) -> None:
    """Somebody's git holds the branch of one game: its letter waits as long as that lasts, and the others go on."""
    with closing(batches.opened(tmp_path, 2)) as service:
        first = batches.Post(service)
        first.round()
        raws = list(batches.letters(service, 0))[:2]
        held = service.store.open(service.store.names()[0]).gitdir / "refs/heads/main.lock"
        held.write_text("")
        first.deliver(raws)
        for _ in range(MAX_ATTEMPTS + 1):
            post = batches.Post(service)
            post.box = first.box
            post.round()
            assert [one.digest for one in service.spool.waiting()] == [batches.digest(raws[0])]
            assert service.spool.deaths(batches.digest(raws[0])) == 0
            assert post.intake.left == 1
        held.unlink()
        post = batches.Post(service)
        post.box = first.box
        post.round()
        assert (service.spool.waiting(), post.intake.left, post.intake.answered) == ([], 0, 1)


def test_a_batch_is_published_before_somebody_who_opens_a_table_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who opens or imports one may take long, and may want a game of the batch."""
    with closing(batches.opened(tmp_path, 1)) as service:
        batches.Post(service).round()
        raw = next(batches.letters(service, 0))
        seen: list[bool] = []

        @contextmanager
        def opening(people: People) -> Iterator[None]:
            seen.append(service.store.group_commit.busy)
            yield

        monkeypatch.setattr(People, "opening", opening)
        service.spool.take(raw, batches.digest(raw), 7, 1, batches.NOON)
        with service.store.group_commit.batch():
            Router(service.desk).handle(open_letter(raw, frozenset({f"games@{batches.DOMAIN}"})))
            assert service.store.group_commit.busy
            invited = tuple(Invited(name, (f"{name.lower()}@{batches.DOMAIN}",)) for name in batches.NAMES)
            open_table(service.desk, Opening("tally", invited, {"rounds": "3"}, now=True))
        assert seen == [False]
