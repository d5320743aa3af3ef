"""The spool: letters in, mails out, and what a restart makes of both."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.store.commit_record import Intent, read_records
from pbem.store.database import AnsweredBy, OutgoingMail
from pbem.store.errors import StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.game_store import GameStore
from pbem.store.inbound_queue import MAX_STRAY_BYTES, MAX_STRAYS
from pbem.store.outbound_queue import drop_prepared
from pbem.store.spool import Spool
from pbem.store.state_file import StoredGame, commit_game
from tests.store.play import NOON, digest, following, handle, letter, made, mails

LATER = NOON + timedelta(days=3650)


def states(spool: Spool) -> dict[str, str]:
    return {row.message_id: row.state for row in spool.rows()}


def mail(name: str, rcpt: str = "anna@play.test") -> OutgoingMail:
    return OutgoingMail(name, "anna", rcpt, f"mail {name}".encode(), "news", "gm@play.test")


# Letters


def test_letters_wait_in_the_order_they_came_until_they_are_handled(spool: Spool) -> None:
    for number in (3, 1, 2):
        assert spool.take(letter(number), digest(letter(number)), 7, number, NOON)
    assert [3, 1, 2] == [found.uid for found in spool.waiting()]
    spool.done(digest(letter(1)), "a robot")
    spool.quarantine(digest(letter(3)), "killed the reader twice")
    assert [2] == [found.uid for found in spool.waiting()]
    poison = spool.letter(digest(letter(3)))
    assert poison
    assert (letter(3), "quarantined") == (poison.raw, poison.state)
    assert spool.to_file() == [(7, 1, "handled"), (7, 3, "quarantined")]
    spool.filed({(7, 1): (0, 0)})
    assert spool.to_file() == [(7, 3, "quarantined")]


def test_a_letter_is_known_by_its_place_and_by_its_content(spool: Spool) -> None:
    spool.take(letter(1), digest(letter(1)), 7, 12, NOON)
    assert (digest(letter(1)), "", "") == (spool.fetched(7, 12), spool.fetched(7, 13), spool.fetched(8, 12))
    assert not spool.take(letter(1), digest(letter(1)), 8, 12, NOON)
    assert len(spool.waiting()) == 1


def test_attempts_are_counted_before_they_are_made(spool: Spool, tmp_path: Path) -> None:
    spool.take(letter(1), digest(letter(1)), 7, 1, NOON)
    spool.attempt(digest(letter(1)))
    assert spool.attempts(digest(letter(1))) == 1
    Spool(tmp_path / "mail").attempt(digest(letter(1)))
    assert spool.attempts(digest(letter(1))) == 2


def test_a_handled_letter_names_its_record(repo: GameRepo, spool: Spool) -> None:
    handle(repo, spool, letter(1))
    assert AnsweredBy("mill-1", 2) == spool.seen(digest(letter(1)))
    assert spool.seen(digest(letter(2))) is None


# Mails


def test_a_mail_goes_once_its_record_is_committed(repo: GameRepo, spool: Spool) -> None:
    with repo.lock():
        stored, record = following(StoredGame.read(repo), letter(1))
        spool.prepare(repo.name, replace(record, number=2), mails(record), repo)
        assert spool.due(LATER) == []
        stored = commit_game(repo, stored, record, "anna grinds 4")
        spool.committed(repo.name, stored.commit, record)
    due = spool.due(LATER)
    assert ["mill-1.2.1", "mill-1.2.2"] == [row.message_id for row in due]
    assert (b"mail mill-1.2.1", "anna@play.test", "anna") == (due[0].raw, due[0].rcpt, due[0].seat)
    spool.sent([due[0].message_id], NOON)
    assert {"mill-1.2.1": "sent", "mill-1.2.2": "ready"} == states(spool)


def test_a_delayed_mail_waits_and_holds_back_later_ones_to_the_same_address(spool: Spool) -> None:
    for name, rcpt in (("a", "anna@play.test"), ("b", "bob@play.test"), ("c", "anna@play.test")):
        assert spool.enqueue(mail(name, rcpt))
    wait = timedelta(minutes=5)
    retry = LATER + wait
    assert spool.delayed("a", LATER, wait, "451 later", "boot", 100.0, 7200) == 0
    assert ["b"] == [row.message_id for row in spool.due(LATER)]
    assert ["a", "b", "c"] == [row.message_id for row in spool.due(retry)]
    (row,) = [row for row in spool.rows() if row.message_id == "a"]
    assert (1, retry, "451 later") == (row.attempts, row.next_try, row.error)
    spool.sent(["b"], NOON)
    spool.sent(["c"], NOON)
    assert retry == spool.next_due(LATER)
    spool.sent(["a"], NOON)
    assert spool.next_due(LATER) is None


def test_refused_mails_are_not_tried_again(spool: Spool) -> None:
    spool.enqueue(mail("a"))
    spool.enqueue(mail("b"))
    spool.failed("a", "550 no such user")
    spool.sent(["b"], NOON)
    spool.failed("b", "too late")
    assert {"a": "failed", "b": "sent"} == states(spool)
    assert spool.due(LATER) == []


def test_a_known_message_id_is_not_taken_twice(spool: Spool) -> None:
    assert spool.enqueue(mail("a"))
    spool.sent(["a"], NOON)
    assert not spool.enqueue(mail("a"))
    assert {"a": "sent"} == states(spool)


# Restart


def committed_without_notice(repo: GameRepo, spool: Spool, number: int = 1) -> None:
    """A kill between the commit and the notice of it."""
    with repo.lock():
        stored, record = following(StoredGame.read(repo), letter(number))
        spool.prepare(repo.name, record, mails(record), repo)
        commit_game(repo, stored, record, "anna grinds 4")


def test_mails_of_a_committed_record_become_ready_at_the_restart(
    store: GameStore, repo: GameRepo, spool: Spool
) -> None:
    spool.take(letter(1), digest(letter(1)), 7, 1, NOON)
    committed_without_notice(repo, spool)
    spool.recover(store)
    assert {"mill-1.2.1": "ready", "mill-1.2.2": "ready"} == states(spool)
    assert spool.seen(digest(letter(1)))
    assert spool.waiting() == []
    assert () == spool.moved_on(store)
    spool.sent(["mill-1.2.1"], NOON)
    before = spool.rows()
    assert () == spool.recover(store) == spool.recover(store, [repo.name]), "a second start, and all read once more"
    assert before == spool.rows()


def test_mails_of_a_commit_that_never_was_are_dropped_at_the_restart(
    store: GameStore, repo: GameRepo, spool: Spool
) -> None:
    spool.recover(store)
    record = following(StoredGame.read(repo), letter(1))[1]
    with repo.lock():
        spool.prepare(repo.name, record, mails(record), repo)
    spool.recover(store)
    assert spool.seen(digest(letter(1))) is None
    assert {} == states(spool)


def test_mails_of_an_earlier_attempt_never_go_out_for_another_record(
    store: GameStore, repo: GameRepo, spool: Spool
) -> None:
    """Record 2 was prepared for one letter, the process died, and record 2 became another letter's."""
    record = following(StoredGame.read(repo), letter(1))[1]
    with repo.lock():
        spool.prepare(repo.name, record, mails(record), repo)
        stored, other = following(StoredGame.read(repo), letter(2))
        commit_game(repo, stored, other, "bob grinds 2")
    spool.recover(store)
    assert {"mill-1.1.1", "mill-1.1.2"} >= states(spool).keys()
    assert list(other.intents) == spool.missing(other)


def test_the_next_record_of_a_game_heals_what_a_killed_process_left(repo: GameRepo, spool: Spool) -> None:
    """The daemon runs on, another process was killed between its commit and the notice of it."""
    committed_without_notice(repo, spool)
    handle(repo, spool, letter(2))
    assert ["ready"] * 4 == list(states(spool).values())
    assert spool.seen(digest(letter(1)))


def test_a_record_is_prepared_only_when_what_is_before_it_is_known(repo: GameRepo, spool: Spool) -> None:
    committed_without_notice(repo, spool)
    record = following(StoredGame.read(repo), letter(2))[1]
    with pytest.raises(StoreError, match="record 3 cannot follow on 1; nothing was prepared"):
        spool.prepare(repo.name, record, mails(record))
    assert {"mill-1.2.1": "prepared", "mill-1.2.2": "prepared"} == states(spool)


def test_a_lost_spool_is_filled_again_from_the_records(
    store: GameStore, repo: GameRepo, spool: Spool, tmp_path: Path
) -> None:
    for number in range(3):
        handle(repo, spool, letter(number))
    fresh = Spool(tmp_path / "other")
    assert fresh.recover(store) == ()
    assert all(fresh.seen(digest(letter(number))) for number in range(3))
    assert fresh.fetched(7, 3) == digest(letter(1))
    promised = [intent for record in read_records(repo) for intent in record.intents]

    def missing() -> list[Intent]:
        return [intent for record in read_records(repo) for intent in fresh.missing(record)]

    assert promised == missing()
    fresh.assume_sent("mill-1", promised[:-2], LATER)
    assert {LATER} == {fresh.accepted(intent.message_id) for intent in promised[:-2]}
    assert promised[-2:] == missing()
    fresh.restock("mill-1", [mail(intent.message_id) for intent in promised[-2:]])
    assert [] == missing()
    assert [i.message_id for i in promised[-2:]] == [row.message_id for row in fresh.due(LATER)]


def test_a_game_that_cannot_be_read_does_not_stop_the_others(store: GameStore, spool: Spool) -> None:
    broken, sound = made(store, "mill-1"), made(store, "mill-2")
    committed_without_notice(broken, spool)
    committed_without_notice(sound, spool)
    (broken.gitdir / "refs/heads/main").write_text("")
    (trouble,) = spool.recover(store)
    assert trouble.startswith("mill-1: ")
    assert {"prepared": 2, "ready": 2} == {
        state: list(states(spool).values()).count(state) for state in ("prepared", "ready")
    }


def test_a_game_put_back_on_an_older_commit_gives_its_numbers_again(
    store: GameStore, repo: GameRepo, spool: Spool
) -> None:
    handle(repo, spool, letter(1))
    older = repo.head
    handle(repo, spool, letter(2))
    spool.sent(states(spool), NOON)
    with repo.lock(check=False):
        repo.point_at(older)
        repo.restore(["state.toml"])
    spool.recover(store)
    handle(repo, spool, letter(3))
    assert ["mill-1.2.1", "mill-1.2.2", "mill-1.3.1", "mill-1.3.2"] == [
        row.message_id for row in spool.rows() if ".lost-" not in row.message_id
    ]
    assert {"sent": 4, "ready": 2} == {
        state: list(states(spool).values()).count(state) for state in ("sent", "ready")
    }


def test_mails_of_a_game_that_is_gone_are_dropped(store: GameStore, spool: Spool) -> None:
    """Its first commit never came to be."""
    record = replace(following(StoredGame.read(made(store)), letter(1))[1], number=1)
    spool.prepare("mill-9", record, [mail("mill-9.1.1")])
    spool.recover(store)
    assert {} == states(spool)


# Keeping


def test_old_bytes_are_emptied_and_what_was_sent_stays_known(repo: GameRepo, spool: Spool) -> None:
    spool.take(letter(1), digest(letter(1)), 7, 1, NOON)
    handle(repo, spool, letter(1))
    spool.take(letter(2), digest(letter(2)), 7, 2, NOON)
    spool.sent(["mill-1.2.1"], NOON)
    assert [0, 2] == [spool.prune(2) for _ in range(2)]
    assert (b"", b"mail mill-1.2.2") == (spool.raw("mill-1.2.1"), spool.raw("mill-1.2.2"))
    assert [] == spool.missing(next(read_records(repo, 1)))
    assert spool.seen(digest(letter(1)))
    assert [letter(2)] == [found.raw for found in spool.waiting()]
    with pytest.raises(KeyError):
        spool.raw("nothing")


def test_what_nothing_came_of_keeps_its_bytes_while_there_is_room(spool: Spool) -> None:
    """Anybody may write, and nobody fills the disk by it; letters that a record answers are kept as ever."""

    def bytes_kept() -> int:
        return int(spool.ask("SELECT coalesce(sum(length(raw)), 0) FROM letters")[0][0])

    for number in range(MAX_STRAYS + 20):
        spool.take(letter(number), digest(letter(number)), 7, number, NOON)
        spool.done(digest(letter(number)), "a stranger")
    assert spool.ask("SELECT count(*) FROM letters WHERE raw IS NOT NULL") == [(MAX_STRAYS,)]
    assert spool.letter(digest(letter(MAX_STRAYS + 19))).raw == letter(MAX_STRAYS + 19)  # type: ignore[union-attr]
    for number in range(60):
        raw = bytes([number]) * 320 * 1024
        spool.take(raw, digest(raw), 8, number, NOON)
        spool.done(digest(raw), "a stranger")
    assert bytes_kept() <= MAX_STRAY_BYTES
    spool.take(b"orders", digest(b"orders"), 9, 1, NOON)
    spool.done(digest(b"orders"), game="mill-1", record=2)
    for number in range(MAX_STRAYS + 1):
        raw = b"again %d" % number
        spool.take(raw, digest(raw), 10, number, NOON)
        spool.done(digest(raw), "a stranger")
    assert spool.letter(digest(b"orders")).raw == b"orders"  # type: ignore[union-attr]


def test_the_place_of_a_filed_letter_is_told_after_so_many_days_and_once(spool: Spool) -> None:
    """Only of what was filed as handled, and only where the server has said where it lies."""
    for uid in range(1, 5):
        spool.take(letter(uid), digest(letter(uid)), 7, uid, NOON)
        spool.done(digest(letter(uid))) if uid != 3 else spool.quarantine(digest(letter(uid)), "poison")
    for uid, now_at in ((1, (70, 11)), (2, (0, 0)), (3, (71, 1))):
        spool.filed({(7, uid): now_at})
    spool.prune(60)
    assert spool.filed_before(2) == {}
    spool.filed({(7, 4): (70, 12)})
    spool.prune(60)
    assert spool.filed_before(2) == {70: [11]}
    spool.removed(70, [11])
    assert spool.filed_before(1) == {70: [12]}


def test_trouble_of_sqlite_names_its_file(spool: Spool, tmp_path: Path) -> None:
    with pytest.raises(sqlite3.Error, match=re.escape(f"{tmp_path / 'mail' / 'spool.sqlite'}: no such table")):
        spool.ask("SELECT * FROM nowhere")


def test_a_change_that_fails_is_undone_whole(repo: GameRepo, spool: Spool) -> None:
    handle(repo, spool, letter(1))
    record = following(StoredGame.read(repo), letter(2))[1]
    with repo.lock(), pytest.raises(StoreError, match=r"mill-1\.2\.1 was sent before"):
        spool.prepare(repo.name, record, [mail("new"), mail("mill-1.2.1")], repo)
    assert ["mill-1.2.1", "mill-1.2.2"] == list(states(spool))


def test_a_spool_of_another_version_is_refused(spool: Spool, tmp_path: Path) -> None:
    with spool.change() as db:
        db.execute("PRAGMA user_version=99")
    with pytest.raises(StoreError, match="of another version"):
        Spool(tmp_path / "mail")


def test_every_commit_of_the_spool_is_synced(spool: Spool) -> None:
    """2 is FULL: https://sqlite.org/pragma.html#pragma_synchronous"""
    assert [(2,)] == spool.ask("PRAGMA synchronous")
    assert [("wal",)] == spool.ask("PRAGMA journal_mode")


def test_mails_that_are_done_with_cost_nothing(spool: Spool) -> None:
    """The sender asks after every letter, and each letter of a game drops what was never committed."""
    costs, steps = [], 0

    def step() -> int:
        nonlocal steps
        steps += 1
        return 0

    spool.enqueue(mail("waiting"))
    for round in range(2):
        steps = 0
        spool._db.set_progress_handler(step, 1)
        assert ["waiting"] == [row.message_id for row in spool.due(NOON)]
        assert spool.next_due(NOON) and not spool.gathered()
        with spool.change() as db:
            drop_prepared(db, "")
        spool._db.set_progress_handler(None, 0)
        costs.append(steps)
        for number in range(50):
            spool.enqueue(mail(f"{round}.{number}"))
        spool.sent((f"{round}.{number}" for number in range(50)), NOON)
    assert costs[0] == costs[1]
