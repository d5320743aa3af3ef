"""A month keeps its promises, and each promise can be seen broken."""

from __future__ import annotations

import copy
import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from pbem.store.stored import Stored
from tests.month import __main__ as command
from tests.month.__main__ import lived, page, report
from tests.month.people import of
from tests.month.promises import PROMISES, Promise, checked, is_reminder
from tests.month.sim import HOUR, Month
from tests.patience import PATIENCE


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Month]:
    """A few days of two tables, with all that befalls a host; at each somebody never answers."""
    logging.disable(logging.CRITICAL)
    found, _ = lived(tmp_path_factory.mktemp("month"), seed=5, games=2, days=5, silent=True)
    yield found
    found.service.close()
    logging.disable(logging.NOTSET)


def test_a_few_days_keep_every_promise(month: Month) -> None:
    kept = checked(month)
    assert {} == {name: one.broken for name, one in kept.items() if one.broken}
    told = report(month, kept)
    assert told["defaults"]
    assert told["reminders"]
    assert all(one["counted"] for one in told["promises"].values())
    assert {"seed", "games", "people", "letters", "mails", "days", "reminders", "defaults", "promises"} <= told.keys()
    json.dumps(told)
    assert sum(told["letters_a_day"]) == told["letters"]
    assert sum(told["answer_times"]) > 0
    shown = page(told)
    assert 3 == shown.count("<svg")
    assert (len(PROMISES), 0) == (shown.count("<td>held<td>"), shown.count("BROKEN"))
    assert all(f"<td>{table}<td>" in shown for table in told["tables"])
    assert "http" not in shown


@pytest.mark.parametrize("broken", [(), ("somebody was played for at night",)])
def test_the_command_fails_when_a_promise_is_broken(
    month: Month, broken: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its JSON says so, and the line on stderr why."""
    kept = {**checked(month), "lawful_defaults": Promise(1, list(broken))}
    told = report(month, kept)
    lived_month = SimpleNamespace(service=SimpleNamespace(close=lambda: None))
    monkeypatch.setattr(command, "lived", lambda *given: (lived_month, kept))
    monkeypatch.setattr(command, "report", lambda *given: told)
    monkeypatch.setattr("sys.argv", ["month", "--seed", "5", "--json"])
    assert int(bool(broken)) == command.main()
    out, odd = capsys.readouterr()
    assert {"held": not broken, "counted": 1} == json.loads(out)["promises"]["lawful_defaults"]
    assert [f"lawful_defaults: {one}" for one in broken] == odd.splitlines()


def test_a_month_that_is_told_to_end_does(tmp_path: Path) -> None:
    """At once, and nothing is left of it; though the daemons in it catch the signal as well."""
    month = subprocess.Popen(
        [sys.executable, "-m", "tests.month", "--games", "2"], env={**os.environ, "TMPDIR": str(tmp_path)}
    )
    try:
        end = time.monotonic() + PATIENCE
        while not list(tmp_path.glob("*/mail/heartbeat.toml")):
            assert time.monotonic() < end
            time.sleep(0.05)
        month.send_signal(signal.SIGTERM)
        assert 128 + signal.SIGTERM == month.wait(PATIENCE)
        assert [] == list(tmp_path.iterdir())
    finally:
        month.kill()
        month.wait()


def _twice(month: Month) -> None:
    someone = next(one for one in month.people.values() if one.seen)
    at, mail = someone.seen[-1]
    someone.seen.append((at + HOUR, mail))


def _at_night(month: Month) -> None:
    for one in month.people.values():
        one.seen = [(at.replace(hour=3) if is_reminder(mail) else at, mail) for at, mail in one.seen]
        one.told, one.zone = set(), "UTC"


def _together(month: Month) -> None:
    for one in month.people.values():
        for at, mail in [(at, copy.deepcopy(mail)) for at, mail in one.seen if is_reminder(mail)]:
            mail.replace_header("Message-ID", "<again@month.test>")
            one.seen.append((at + HOUR, mail))


def _unshown(month: Month) -> None:
    for one in month.people.values():
        one.seen = [(at, mail) for at, mail in one.seen if not is_reminder(mail)]


def _to_another(month: Month) -> None:
    giver = next(one for one in month.people.values() if any(of(mail)[0] for _, mail in one.seen))
    other = next(one for one in month.people.values() if not one.seen)
    other.seen = list(giver.seen)


def _unanswered(month: Month) -> None:
    for one in month.people.values():
        one.seen = [(at + timedelta(minutes=1), mail) for at, mail in one.seen]


def _unsent(month: Month) -> None:
    with month.service.spool.change() as db:
        db.execute("UPDATE outbox SET state = 'ready' WHERE number = 1")


def _unheard(month: Month) -> None:
    month.told = []


def _lost(month: Month) -> None:
    for one in month.people.values():
        one.way = "forwarding" if one.way == "silent" else one.way


def _stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Stored.read.__func__  # type: ignore[attr-defined]

    def read(cls: type[Stored], *given: object) -> Stored:
        found: Stored = real(cls, *given)
        rows = tuple(replace(row, clock=None) for row in found.table.seats)
        return replace(found, table=replace(found.table, seats=rows), game={**found.game, "odd": 1})

    monkeypatch.setattr(Stored, "read", classmethod(read))


PLANTED: dict[str, Callable[[Month], None]] = {
    "no_mail_twice": _twice,
    "no_reminder_at_night": _at_night,
    "reminders_are_apart": _together,
    "lawful_defaults": _unshown,
    "nobody_else_is_written_to": _to_another,
    "every_letter_has_an_answer": _unanswered,
    "every_mail_arrives": _unsent,
    "the_moderator_hears_of_every_outage": _unheard,
    "everybody_reaches_a_good_end": _lost,
}


@pytest.mark.parametrize("name", PROMISES)
def test_every_promise_can_be_broken(month: Month, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same days, with a fault planted in what was seen of them."""
    before = {who: (list(one.seen), set(one.told), one.zone, one.way) for who, one in month.people.items()}
    told = month.told
    try:
        if name in PLANTED:
            PLANTED[name](month)
        else:
            _stopped(monkeypatch)
        found = Promise()
        PROMISES[name](month, found)
        assert found.broken
    finally:
        month.told = told
        for who, (seen, zones, zone, way) in before.items():
            one = month.people[who]
            one.seen, one.told, one.zone, one.way = seen, zones, zone, way


@pytest.mark.soak
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_month_keeps_every_promise(tmp_path: Path, seed: int) -> None:
    month, kept = lived(tmp_path, seed, games=40, days=30)
    month.service.close()
    assert {} == {name: one.broken for name, one in kept.items() if one.broken}
