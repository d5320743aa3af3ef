"""Kills together with clocks that jump and servers that put mail off: no letter lost, none applied twice, no mail lost.

The clock is another one at each start, hours or ten years off; a mail that was put off by one clock meets another.
"""

from __future__ import annotations

import contextlib
import os
import random
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.daemon.test_kills import NAMES, Play, promised
from tests.daemon.victim import DOMAIN, Victim
from tests.patience import PATIENCE
from tests.wire.servers import Office, local_office

JUMPS = (0, 2, -2, 24 * 5, -24 * 5, 24 * 3650, -24 * 3650)
"""Hours by which the clock of a start may be wrong."""

REFUSED = 0.1

QUIET = 0.4
"""Seconds without a mail after which what was put off meets another clock; twice as long after a start without any."""


class Nemesis(Play):
    """The same tables, whose daemon is killed upon a mail and wakes in another year."""

    def __init__(self, folder: Path, office: Office, tables: int, kind: str, seed: int) -> None:
        self.dice = random.Random(seed)
        self.starts = 0
        super().__init__(folder, office, tables, kind)

    @contextlib.contextmanager
    def daemon(self) -> Iterator[Victim]:
        self.starts += 1
        os.environ["VICTIM_CLOCK"] = str(timedelta(hours=self.dice.choice(JUMPS)).total_seconds())
        os.environ["VICTIM_REFUSES"] = f"{self.dice.random()} {REFUSED}"
        with super().daemon() as victim:
            yield victim

    def run(self, kills: int, dice: random.Random) -> int:
        """Play to the end with at least so many kills as long as games go on; how many there were."""
        end, done, wait = time.monotonic() + PATIENCE, 0, QUIET
        while True:
            with self.daemon() as victim:
                first = count = len(self.delivered())
                quiet = time.monotonic() + wait
                pause = dice.uniform(0.0, 0.02)
                # Until the last kill a start sees two letters at most, so that the games outlast it on any machine.
                most = self.letters + 2 if done < kills else sys.maxsize
                while True:
                    if self.answer_all(most) == self.tables * len(NAMES):
                        return done
                    assert time.monotonic() < end, "no mail comes any more"
                    assert victim.ended() is None, "the daemon ended by itself"
                    if (there := len(self.delivered())) > count:
                        count, quiet, end = there, time.monotonic() + wait, time.monotonic() + PATIENCE
                    wanted = (done < kills and count > first) or time.monotonic() > quiet
                    if wanted and not self.kills_by_itself():
                        time.sleep(pause)
                        done += 1
                        wait = QUIET if count > first else min(2 * wait, 20.0)
                        break
                    time.sleep(0.002)


def play(folder: Path, monkeypatch: pytest.MonkeyPatch, kills: int, tables: int, seed: int, kind: str = "tally") -> None:
    for name in ("VICTIM_CLOCK", "VICTIM_REFUSES"):
        monkeypatch.setenv(name, "")
    with local_office(folder / "office", domain=DOMAIN) as office:
        monkeypatch.setenv("PBEM_IMAP_PASSWORD", office.password)
        game = Nemesis(folder, office, tables, kind, seed)
        happened = game.run(kills, random.Random(seed))
        assert happened >= kills
        mails = game.mails_by_id()
        assert set(game.intents()) == promised(mails), "an intent without its mail, or a mail without its intent"
        assert all(len(set(copies)) == 1 for copies in mails.values()), "two different mails for one intent"
        assert sum(len(copies) - 1 for copies in mails.values()) <= happened, "more than one mail a kill was repeated"
        game.outcome()
        assert sum(int(row[3]) for row in game.outcome()) == game.letters, "a letter was lost"  # type: ignore[index]


def test_kills_with_clock_jumps_and_refusals_lose_and_repeat_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Contract, «State, secrets, repair»: a clock that jumps decides nothing; seed 1, 5 kills."""
    play(tmp_path, monkeypatch, kills=5, tables=1, seed=1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 12))
def test_two_hundred_kills_with_clock_jumps_and_refusals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Ten times twenty kills, each time in other games."""
    play(tmp_path, monkeypatch, kills=20, tables=4, seed=seed)
