"""A moderator's action needs the newest key of that game and uses it up; his desk has a budget of its own."""

from __future__ import annotations

import pytest

from pbem.desk.limits import rate_limits
from tests.repair.bench import Bench, key

ANOTHER_WAY = b"Received: from evil.test by mx.host.test; Sun, 22 Nov 2026 01:00:00 +0000\n"


def records(bench: Bench) -> int:
    return bench.stored(bench.table).table.records


def test_a_rollback_that_comes_again_does_nothing(bench: Bench) -> None:
    """Its bytes on another way, long after the table has played on."""
    raw: list[bytes] = []
    post = bench.post

    def kept(letter: bytes) -> object:
        raw.append(letter)
        return post(letter)

    bench.post = kept  # type: ignore[method-assign, assignment]
    bench.moderate("gm rollback 9 because of a slip\n", to=key(bench))
    bench.post = post  # type: ignore[method-assign]
    assert "rollback" == bench.record(0, bench.table).what
    bench.play(2)
    before, mails = records(bench), len(bench.mails())
    assert "seen" == bench.post(ANOTHER_WAY + raw[-1]).outcome
    assert (before, mails) == (records(bench), len(bench.mails()))


@pytest.mark.parametrize(
    "line", ["gm rollback 9 because x", "gm remark hello", "gm resend", "gm set anna.deniers +3 because x"]
)
def test_a_key_is_used_up_by_an_action(bench: Bench, line: str) -> None:
    """The same letter with another Message-ID: nothing is done, and he is told."""
    used = key(bench)
    bench.moderate(f"{line}\n", to=used)
    bench.play(1)
    before = bench.stored(bench.table).table.entries
    sent = bench.moderate(f"{line}\n", to=used)
    assert [("gm", "refusal")] == [(got.seat, got.kind) for got in sent]
    assert "was used, or is not the newest" in sent[0].text
    assert before == bench.stored(bench.table).table.entries
    # He may want it still: the answer carries the key for it.
    assert "receipt" == next(got for got in bench.moderate("gm remark x\n", to=sent[0]) if got.seat == "gm").kind


def test_an_older_key_does_nothing_once_a_newer_mail_is_out(bench: Bench) -> None:
    old = key(bench)
    bench.play(1)
    bench.moderate("gm status\n", to=old)
    (mail,) = bench.moderate("gm hold because x\n", to=old)
    assert "not the newest" in mail.text
    assert "running" == bench.status


def test_a_refused_action_uses_nothing_up(bench: Bench) -> None:
    mail = key(bench)
    bench.moderate("gm set anna.nonsense 12 because x\n", to=mail)
    bench.moderate("gm hold because x\n", to=mail)
    assert "held" == bench.status


def test_a_rollback_brings_no_used_key_back(bench: Bench) -> None:
    used = key(bench)
    step = records(bench)
    bench.moderate("gm remark hello\n", to=used)
    bench.play(1)
    bench.moderate(f"gm rollback {step} because x\n", to=bench.last("gm"))
    before = records(bench)
    (mail,) = bench.moderate("gm hold because x\n", to=used)
    assert "was used" in mail.text
    assert before + 1 == records(bench)
    assert "running" == bench.status


@pytest.mark.parametrize("line", ["gm fsck", "gm log 200", "gm rollback 9", "gm try anna: pass"])
def test_what_costs_work_needs_a_key(bench: Bench, line: str) -> None:
    (mail,) = bench.moderate(f"{line}\n")
    assert "refusal" == mail.kind
    assert "carries no key" in mail.text


def test_letters_without_a_key_have_a_budget_of_their_own(bench: Bench) -> None:
    """60 forged ones: three answers, the third says so, three records; with the key everything goes on."""
    mail, before = key(bench), records(bench)
    sent = [got for _ in range(20) for got in bench.moderate("gm status\n")]
    # One was used for the key.
    assert 2 == len(sent)
    assert "within the hour" in sent[-1].text
    assert before + 2 == records(bench)
    assert [] == bench.moderate("gm status\n", subject="no game at all")
    (answer,) = bench.moderate("gm log 5\n", to=sent[-1])
    assert "answer" == answer.kind
    bench.moderate("gm hold because x\n", to=mail)
    assert "held" == bench.status
    # Nothing of it was a player's.
    assert "today" not in bench.sent_by("anna", "help", to=bench.last("anna"))[0].text


def test_questions_with_a_key_have_a_measure_too(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "QUESTIONS", 2)
    mail = key(bench)
    texts = [bench.moderate("gm log 5\n", to=mail)[0].text for _ in range(3)]
    assert ["2 questions of yours" in text for text in texts] == [False, False, True]
    assert "receipt" == bench.moderate("gm hold because x\n", to=mail)[-1].kind


def test_letters_that_name_no_game_are_answered_three_times(bench: Bench) -> None:
    bench.seat_all(2)
    before = len(bench.mails())
    for n in range(6):
        bench.moderate(f"gm status {n}\n", subject="hello")
    assert 3 == len(bench.mails()) - before
