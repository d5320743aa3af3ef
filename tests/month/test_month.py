"""A month keeps its promises, and each promise can be seen broken."""

from __future__ import annotations

import copy
import json
import logging
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from types import SimpleNamespace

import pytest

from pbem.desk.core.undo import DEFAULT
from pbem.store.commit_record import Record
from pbem.store.state_file import StoredGame
from tests.month import __main__ as command
from tests.month.__main__ import both, lived, report
from tests.month.people import Person, of
from tests.month.promises import PROMISES, Promise, checked, is_reminder
from tests.month.sim import BEGINS, HOUR, Month
from tests.patience import PATIENCE


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Month]:
    """A few days of two tables, with all that befalls a host; at each somebody never answers, and whoever does uses the
    standing orders that the mails offer."""
    logging.disable(logging.CRITICAL)
    found, _ = lived(tmp_path_factory.mktemp("month"), seed=5, games=2, days=5, standing=True, silent=True)
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
    assert told["hours_to_answer"] > 0
    assert any(letter.text == "later:" for letter in month.letters)


PROPOSED = "[1] later: farm Y5 · x\n[2] later: farm geoffrey:Y5 · x\n[3] later: build with W2 · x\n"


@pytest.mark.parametrize(
    ("game", "subject", "replied", "text", "naive", "standing"),
    [
        ("troyes-1", "Round 2 of 5: your turn", False, "[1] pass · x\n[2] auto: pass when I have no die · x\n", ["1"], ["2"]),
        ("troyes-1", "Round 2 of 5", True, "> 1\nDone: «pass»\n\nWe wait for Faye.", [], ["later:"]),
        ("troyes-1", "Round 2 of 5", True, "> 1\nDone: «pass»\n\nWe wait for Faye.\nYours: 1; you have passed", [], []),
        ("troyes-1", "Initial placement", True, "> 1\nDone: «palace 5»\n\nWe wait for Faye.", [], []),
        ("troyes-1", "Round 2 of 5", True, f"> later:\n{PROPOSED}", [], ["later: farm Y5 | build with W2"]),
        ("troyes-1", "Round 2 of 5", True, "> later: farm Y5\nDone: «later: farm Y5»\n\nWe wait for Faye.", [], []),
        ("troyes-dice-1", "Morning of day 1 of 8: your turn", False, "[1] yellow 1: deniers · x\n", ["1"], ["later:"]),
    ],
)
def test_what_people_say_with_and_without_standing_orders(
    game: str, subject: str, replied: bool, text: str, naive: list[str], standing: list[str]
) -> None:
    mail = EmailMessage()
    mail["Subject"], mail["X-PBEM-Game"] = f"[{game}] {subject}", game
    mail["Auto-Submitted"] = "auto-replied" if replied else "auto-generated"
    mail["Reply-To"] = f"games+{game}.7.{'a' * 16}@month.test"
    mail.set_content(f"—— answer above this line ——\n{text}")
    for uses, said in ((False, naive), (True, standing)):
        anna = Person("anna", "anna@month.test", "UTC", "prompt", random.Random(1), uses, told={game})
        assert said == [one.text for one in anna.answers(mail, BEGINS)]


def test_both_columns_are_told(month: Month) -> None:
    """A game's letters, waits and days are means over those that have ended in both."""
    naive = report(month, checked(month))
    standing = copy.deepcopy(naive)
    naive["tables"]["troyes-1"].update(status="ended", letters=50, serial_waits=40, days=20.0)
    standing["tables"]["troyes-1"].update(status="ended", letters=31, serial_waits=19, days=9.0)
    standing["tables"]["troyes-dice-1"]["status"] = "ended"
    standing["promises"]["no_mail_twice"] = {"held": False, "counted": 7}
    told = both(naive, standing)
    json.dumps(told)
    assert {"seed", "games", "people", "letters", "mails", "days", "reminders", "defaults", "promises"} <= told.keys()
    assert (naive["letters"], naive, standing) == (told["letters"], told["naive"], told["standing"])
    assert {"held": False, "counted": naive["promises"]["no_mail_twice"]["counted"] + 7} == told["promises"]["no_mail_twice"]
    assert 1 == told["ended_in_both"]
    assert {"letters": 50, "serial_waits": 40, "days": 20.0} == told["game"]["naive"]
    assert {"letters": 31, "serial_waits": 19, "days": 9.0} == told["game"]["standing"]


@pytest.mark.parametrize("broken", [(), ("somebody was played for at night",)])
def test_the_command_fails_when_a_promise_is_broken(
    month: Month, broken: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In either column: its JSON says so, and the line on stderr why."""
    fine = checked(month)
    kept = {False: fine, True: {**fine, "lawful_defaults": Promise(1, list(broken))}}
    reports = {standing: report(month, promises) for standing, promises in kept.items()}
    closed = SimpleNamespace(close=lambda: None)
    monkeypatch.setattr(
        command, "lived", lambda *given, standing: (SimpleNamespace(service=closed, standing=standing), kept[standing])
    )
    monkeypatch.setattr(command, "report", lambda month, promises: reports[month.standing])
    monkeypatch.setattr("sys.argv", ["month", "--seed", "5", "--json"])
    assert int(bool(broken)) == command.main()
    out, odd = capsys.readouterr()
    told = json.loads(out)
    assert {"held": not broken, "counted": 1} == told["standing"]["promises"]["lawful_defaults"]
    assert told["naive"]["promises"]["lawful_defaults"]["held"]
    assert told["promises"]["lawful_defaults"]["held"] is not bool(broken)
    assert [f"with standing orders: lawful_defaults: {one}" for one in broken] == odd.splitlines()


def test_a_month_that_is_told_to_end_does(tmp_path: Path) -> None:
    """At once, and nothing is left of it, no process of a column either; though the daemons in them catch the signal as
    well."""
    month = subprocess.Popen(
        [sys.executable, "-m", "tests.month", "--games", "2"],
        env={**os.environ, "TMPDIR": str(tmp_path)}, start_new_session=True,
    )  # fmt: skip
    try:
        end = time.monotonic() + PATIENCE
        while len(list(tmp_path.glob("*/*/mail/heartbeat.toml"))) < len(command.COLUMNS):
            assert time.monotonic() < end
            time.sleep(0.05)
        month.send_signal(signal.SIGTERM)
        assert 128 + signal.SIGTERM == month.wait(PATIENCE)
        assert [] == list(tmp_path.iterdir())
        with pytest.raises(ProcessLookupError):
            os.killpg(month.pid, 0)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(month.pid, signal.SIGKILL)
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


def _hurried(month: Month) -> None:
    for one in month.people.values():
        one.seen = [(at if is_reminder(mail) else at + 13 * HOUR, mail) for at, mail in one.seen]


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


def _stopped_before(month: Month) -> None:
    month.now = month.begun


def _played(month: Month) -> Iterator[tuple[str, Record]]:
    """What the clock has played, and where."""
    return ((name, record) for name, past in month.past.items() for record in past if DEFAULT in record.private)


def _right_after(month: Month) -> None:
    month.outages = [(record.at - 36 * HOUR, record.at) for _, record in _played(month)]


def _played_at_night(month: Month) -> None:
    for one in month.people.values():
        one.zone = "UTC"
    month.past = {
        name: [replace(record, at=record.at.replace(hour=3)) for record in past] for name, past in month.past.items()
    }


def _away(month: Month) -> None:
    for game, record in _played(month):
        mail = EmailMessage()
        mail["Reply-To"] = f"games+{game}.1.{'a' * 16}@month.test"
        mail.set_content("You are away from today.")
        for name in {who for (table, _), sat in month.sat.items() if table == game for _, who in sat}:
            month.people[name].seen.append((month.begun, mail))
            month.people[name].absent = month.begun, record.at + HOUR


def _refused(month: Month) -> None:
    for one in month.people.values():
        one.way = "refuser" if one.way == "silent" else one.way


def _lost(month: Month) -> None:
    for one in month.people.values():
        one.way = "forwarding" if one.way == "silent" else one.way


def _stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    real = StoredGame.read.__func__  # type: ignore[attr-defined]

    def read(cls: type[StoredGame], *given: object) -> StoredGame:
        found: StoredGame = real(cls, *given)
        rows = tuple(replace(row, clock=None) for row in found.table.seats)
        return replace(found, table=replace(found.table, seats=rows), game={**found.game, "odd": 1})

    monkeypatch.setattr(StoredGame, "read", classmethod(read))


PLANTED: tuple[tuple[str, Callable[[Month], None] | None, str], ...] = (
    ("no_mail_twice", _twice, "again at"),
    ("no_reminder_at_night", _at_night, "03:00 there"),
    ("reminders_are_apart", _together, ""),
    ("lawful_defaults", _unshown, "not shown for twelve hours"),
    ("lawful_defaults", _hurried, "not asked for 1 day, 12:00:00"),
    ("nobody_else_is_written_to", _to_another, "got a mail of"),
    ("every_letter_has_an_answer", _unanswered, ""),
    ("every_mail_arrives", _unsent, "is ready"),
    ("lawful_defaults", _stopped_before, "by a clock that ran ahead"),
    ("lawful_defaults", _right_after, "right after an outage"),
    ("lawful_defaults", _played_at_night, "at night"),
    ("lawful_defaults", _away, "was away"),
    ("the_moderator_hears_of_every_outage", _unheard, "+00:00: not told"),
    ("the_moderator_hears_of_every_outage", _unheard, "lost spool: not told"),
    ("everybody_reaches_a_good_end", _refused, "has said no and sits"),
    ("everybody_reaches_a_good_end", _lost, "never played"),
    ("every_game_ends_or_waits", None, "waits for nobody"),
    ("every_record_folds", None, "troyes-1"),
)
"""Promises, a fault planted in what was seen of the days (None: in what is stored), and what is told of it."""


def test_every_promise_is_seen_broken() -> None:
    assert PROMISES.keys() == {name for name, _, _ in PLANTED}


@pytest.mark.parametrize(("name", "fault", "says"), PLANTED)
def test_every_promise_can_be_broken(
    month: Month, name: str, fault: Callable[[Month], None] | None, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same days, with a fault planted."""
    month = copy.copy(month)
    month.people = {who: replace(one, seen=[*one.seen], told={*one.told}) for who, one in month.people.items()}
    if fault:
        fault(month)
    else:
        _stopped(monkeypatch)
    found = Promise()
    PROMISES[name](month, found)
    assert any(says in one for one in found.broken)


@pytest.mark.soak
@pytest.mark.parametrize("standing", [False, True])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_month_keeps_every_promise(tmp_path: Path, seed: int, standing: bool) -> None:
    month, kept = lived(tmp_path, seed, games=40, days=30, standing=standing)
    month.service.close()
    assert {} == {name: one.broken for name, one in kept.items() if one.broken}
