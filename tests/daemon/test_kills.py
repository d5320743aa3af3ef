"""`kill -9` of a daemon that plays games by real mail: no letter lost, none applied twice, no intent without its mail.

The players are this process: they answer the newest mail that asks them something with its first option.
"""

from __future__ import annotations

import contextlib
import email
import email.policy
import os
import random
import smtplib
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.daemon.service import open_service
from pbem.host.keys import mail_of
from pbem.store.commit_record import read_records
from pbem.store.state_file import StoredGame
from tests.daemon.victim import DOMAIN, Victim, config_of, find
from tests.parts import text_of
from tests.patience import PATIENCE
from tests.wire.servers import Office, local_office

NAMES = ("Anna", "Eve", "Faye", "Gil")


class Play:
    """Tables of four in `folder`, played over `office` by a daemon that is killed now and then."""

    def __init__(self, folder: Path, office: Office, tables: int, kind: str = "tally") -> None:
        self.folder, self.office, self.tables = folder, office, tables
        self.config = config_of(folder, office.smtp_port, office.imap_port)
        self.answered: set[str] = set()
        self.over: set[tuple[str, str]] = set()
        self.letters = 0
        for name in ("games", *(name.lower() for name in NAMES)):
            office.make_account(name)
        with contextlib.closing(open_service(self.config, find=find)) as service:
            for number in range(tables):
                invited = tuple(Invited(name, (f"{name.lower()}@{DOMAIN}",)) for name in NAMES)
                seed = bytes([number + 1]) * 32
                options = {"rounds": "3"} if kind == "tally" else {}
                open_table(service.desk, Opening(kind, invited, options, now=True, seed=seed))

    @contextlib.contextmanager
    def daemon(self) -> Iterator[Victim]:
        """A daemon of its own process; killed at the end."""
        ports = self.office.smtp_port, self.office.imap_port
        environ = {**os.environ, "PBEM_IMAP_PASSWORD": self.office.password, "PBEM_SMTP_PASSWORD": self.office.password}
        with Victim(self.folder, ports, environ) as victim:
            assert victim.hear() == "ready"
            yield victim

    def delivered(self) -> list[tuple[str, Path]]:
        """Who has which mail, in no order. Nobody but these tests opens the mailboxes: what has come is `new` for ever."""
        inboxes = {name: self.office.folder / name / "new" for name in map(str.lower, NAMES)}
        return [(who, path) for who, inbox in inboxes.items() for path in inbox.iterdir()]

    def answer_all(self, letters: int = sys.maxsize) -> int:
        """Answer what asks something and was not answered, up to so many letters in all; how many results have come."""
        for who, path in self.delivered():
            if path.name in self.answered:
                continue
            with contextlib.suppress(FileNotFoundError):
                raw = path.read_bytes().replace(b"\r\n", b"\n")
                mail = email.message_from_bytes(raw, policy=email.policy.default)
                ident = f"{who} {mail['Message-ID']}"
                if ident not in self.answered and "\n[1] " in text_of(mail):
                    if self.letters >= letters:
                        continue
                    self.answer(who, mail)
                self.answered.add(path.name)
                self.answered.add(ident)
                if "Final result" in mail["Subject"]:
                    self.over.add((who, str(mail["X-PBEM-Game"])))
        return len(self.over)

    def answer(self, who: str, mail: EmailMessage) -> None:
        self.letters += 1
        letter = EmailMessage()
        letter["From"], letter["To"] = f"{who}@{DOMAIN}", str(mail["Reply-To"])
        letter["Message-ID"] = f"<{self.letters}@people.test>"
        letter["In-Reply-To"] = str(mail["Message-ID"])
        letter.set_content("1\n")
        with smtplib.SMTP("127.0.0.1", self.office.smtp_port) as smtp:
            smtp.login("games", self.office.password)
            smtp.sendmail(f"{who}@{DOMAIN}", [letter["To"].addresses[0].addr_spec], letter.as_bytes())

    def kills_by_itself(self) -> bool:
        """Whether a letter has met two kills already: a third would rightly put it aside, and the game would stand."""
        begun = "SELECT 1 FROM letters WHERE state = 'new' AND attempts >= 2"
        with contextlib.closing(sqlite3.connect(self.config.mail / "spool.sqlite", timeout=30)) as db:
            return db.execute(begun).fetchone() is not None

    def run(self, kills: Sequence[int], dice: random.Random) -> None:
        """Play to the end, with a kill once so many letters have been written, for each of `kills`.

        Players write no more until the daemon is dead, so that every kill meets games that go on, however fast the
        machine is: at any time after the letter, or just after a mail has gone out, when most is under way. On a slow one
        a kill waits until no letter has met two.
        """
        moved = time.monotonic(), 0
        for stop in (*kills, 0):
            with self.daemon() as victim:
                count, upon_mail = len(self.delivered()), dice.random() < 0.5
                pause = dice.uniform(0.0, 0.01 if upon_mail else 0.1)
                while self.answer_all(stop or sys.maxsize) < self.tables * len(NAMES):
                    assert victim.ended() is None, "the daemon ended by itself"
                    reached = bool(stop) and self.letters >= stop
                    due = reached and (not upon_mail or len(self.delivered()) > count)
                    if due and not self.kills_by_itself():
                        time.sleep(pause)
                        break
                    count = count if reached else len(self.delivered())
                    moved = moved if moved[1] == self.letters else (time.monotonic(), self.letters)
                    assert time.monotonic() - moved[0] < PATIENCE, "the games stand still"
                    time.sleep(0.002)
                else:
                    assert not stop, "the games were over before their last kill"

    def outcome(self) -> list[object]:
        """The stored positions, and how many entries and letters each game has."""
        found: list[object] = []
        with contextlib.closing(open_service(self.config, find=find)) as service:
            for name in service.store.names():
                repo = service.store.open(name)
                stored = StoredGame.read(repo)
                letters = [record.letter.digest for record in read_records(repo) if record.letter]
                assert len(letters) == len(set(letters)), "a letter was applied twice"
                found.append((stored.game, stored.hidden, stored.table.entries, len(letters)))
        return found

    def mails_by_id(self) -> dict[str, list[bytes]]:
        found: dict[str, list[bytes]] = {}
        for who, path in self.delivered():
            raw = path.read_bytes()
            ident = str(email.message_from_bytes(raw)["Message-ID"])
            # What the server adds on the way stands above our own fields.
            found.setdefault(f"{who} {ident}", []).append(raw[raw.index(b"From: Troyes by Mail") :])
        return found

    def intents(self) -> Counter[tuple[str, str]]:
        """(seat, name in the Message-ID) of every mail that some record promises."""
        counted: Counter[tuple[str, str]] = Counter()
        with contextlib.closing(open_service(self.config, find=find)) as service:
            for name in service.store.names():
                for record in read_records(service.store.open(name)):
                    for intent in record.intents:
                        mail = service.desk.services.keys.mail(name, intent.seat, intent.message_id)
                        counted[(intent.seat, mail)] += 1
        return counted


def promised(mails: dict[str, list[bytes]]) -> set[tuple[str, str]]:
    """(seat, name in the Message-ID) of the mails that came."""
    found = set()
    for key in mails:
        who, ident = key.split(" ", 1)
        found.add((who, mail_of(ident)))
    return found


def evenly(kills: int, letters: int) -> tuple[int, ...]:
    """After how many letters the kills come, over games of so many letters; each has one of its own."""
    assert kills < letters, "seat more tables"
    return tuple(letters * (number + 1) // (kills + 1) for number in range(kills))


def play_with_kills(
    folder: Path, monkeypatch: pytest.MonkeyPatch, kills: int, tables: int, seed: int, kind: str = "tally"
) -> None:
    outcomes: list[list[object]] = []
    instants: tuple[int, ...] = ()
    for name in ("calm", "killed"):
        with local_office(folder / name / "office", domain=DOMAIN) as office:
            monkeypatch.setenv("PBEM_IMAP_PASSWORD", office.password)
            play = Play(folder / name, office, tables, kind)
            play.run(instants, random.Random(seed))
            instants = evenly(kills, play.letters)
            mails = play.mails_by_id()
            outcomes.append(play.outcome())
            assert set(play.intents()) == promised(mails), "an intent without its mail, or a mail without its intent"
            repeated = sum(len(copies) - 1 for copies in mails.values())
            assert repeated <= kills, "more than one mail was repeated for a kill"
            assert name == "killed" or not repeated
            assert all(len(set(copies)) == 1 for copies in mails.values()), "two different mails for one intent"
    assert outcomes[0] == outcomes[1]


def test_kills_lose_and_repeat_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Contract, «State, secrets, repair»; seed 1, 6 kills."""
    play_with_kills(tmp_path, monkeypatch, kills=6, tables=2, seed=1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 12))
def test_two_hundred_kills_lose_and_repeat_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Ten times twenty kills, each time in other games."""
    play_with_kills(tmp_path, monkeypatch, kills=20, tables=4, seed=seed)


@pytest.mark.soak
def test_two_hundred_kills_of_a_daemon_that_plays_troyes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same over whole games of four, which end as they do without kills."""
    play_with_kills(tmp_path, monkeypatch, kills=200, tables=3, seed=1, kind="troyes")
