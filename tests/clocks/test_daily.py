"""What a person is mailed, as they wish: every turn, or one mail a day over all tables, which delays no decision long."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.admin.actions.seat_holders import replace_holder
from pbem.admin.persons import parse_person
from pbem.daemon import timekeeping
from pbem.desk.transaction import changes
from pbem.store.commit_record import read_records
from tests.clocks.table import HOUR, Clocked
from tests.desk.room import Got
from tests.parts import page_of


@pytest.fixture
def host(tmp_path: Path) -> Clocked:
    """Two tables of Anna and Bob, who wishes one mail a day; it is ten past nine on Tuesday, UTC, where they live."""
    made = Clocked(tmp_path)
    for _ in range(2):
        made.seated(2, "none")
    for mail in made.mails("bob"):
        made.send("bob", "mail daily", to=mail)
    made.deliver()
    return made


def anna_plays(host: Clocked, *tables: str) -> list[Got]:
    """The mails that follow at once when Anna has passed at these tables, beside hers."""
    before = len(host.mails())
    for table in tables or host.store.names():
        mail = next(got for got in reversed(host.mails("anna")) if f"[{table}]" in str(got.message["Subject"]))
        host.send("anna", "pass", to=mail)
    host.deliver()
    return [got for got in host.mails()[before:] if got.seat != "anna"]


def sent(host: Clocked) -> list[Got]:
    """What the server has been given to carry: the mails of a day as one."""
    rows = host.spool.ask("SELECT seat, kind, message_id FROM outbox WHERE within = '' AND state = 'sent' ORDER BY number")
    return [Got(seat, kind, host.spool.raw(name), name) for seat, kind, name in rows]


def test_it_is_said_in_one_line_and_a_sentence_is_asked_back(host: Clocked) -> None:
    answer = host.says("bob", "mail daily at 19h")
    assert "At 19:00 where you live one mail a day tells you of this table" in answer
    assert "You are mailed whenever somebody has acted" in host.says("bob", "mail every turn")
    assert "You are mailed when something is asked of you" in host.says("bob", "courriel mon-tour")
    assert "This may be meant as one of the choices" in host.says("bob", "mail daily 24")
    assert "[1] mail daily" in host.says("bob", "Mail me daily, please")


def test_one_mail_a_day_tells_of_all_tables_and_each_is_answered_at_its_own_address(host: Clocked) -> None:
    assert [] == anna_plays(host)
    before = len(sent(host))
    host.on("2026-11-25T07:59")
    assert len(sent(host)) == before
    host.on("2026-11-25T08:30")
    (daily,) = sent(host)[before:]
    assert daily.message["Subject"] == "[pbem] Today 2 tables ask you something"
    assert daily.message["Reply-To"] is None
    parts = host.mails("bob")[-2:]
    for table, part in zip(("tally-1", "tally-2"), parts, strict=True):
        assert daily.text.count(f"==== [{table}] Round 1 of 2: your turn") == 1
        assert f"To answer: {part.reply_to}" in daily.text
        page = page_of(daily.message)
        assert f"mailto:{part.reply_to.replace('+', '%2B')}?subject=Re%3A%20%5B{table}%5D" in page
        assert page.count('role="main"') == 1
        assert page.count(f'role="region" aria-label="[{table}] Round 1 of 2: your turn"') == 1
        raw = host.write("bob", "add 2", to=daily, fields={"To": part.reply_to, "Subject": "Re: your tables"})
        host.post(raw)
        assert host.state(table).counter == 2
    assert len(sent(host)) == before + 1


def test_a_day_with_one_table_brings_its_own_mail(host: Clocked) -> None:
    anna_plays(host, "tally-2")
    before = len(sent(host))
    host.on("2026-11-25T08:30")
    (mail,) = sent(host)[before:]
    assert mail.message["Subject"] == "[tally-2] Round 1 of 2: your turn"
    host.send("bob", "add 2", to=mail)
    assert host.state("tally-2").counter == 2


def test_an_answer_to_a_day_with_one_question_goes_to_that_table(host: Clocked) -> None:
    anna_plays(host, "tally-1")
    other = next(got for got in host.mails("anna") if "[tally-2]" in str(got.message["Subject"]))
    assert [] == anna_says(host, "say Good morning", other)
    before = len(sent(host))
    host.on("2026-11-25T08:30")
    (daily,) = sent(host)[before:]
    assert daily.message["Subject"] == "[pbem] Today 1 table asks you something"
    assert "Anna says: «Good morning»" in daily.text
    quoted = "\n".join(f"> {line}" for line in daily.text.splitlines())
    host.send("bob", f"1\n\nOn Wed, 25 Nov 2026 at 08:30, {daily.message['From']} wrote:\n{quoted}", to=daily)
    assert host.record(0, "tally-1").seat == "bob"
    assert host.record(0, "tally-1").entries


def test_an_answer_to_several_questions_plays_nothing_and_lists_the_tables(host: Clocked) -> None:
    anna_plays(host)
    host.on("2026-11-25T08:30")
    daily = sent(host)[-1]
    host.send("bob", "1", to=daily)
    last = host.mails("")[-1]
    assert "carries no key" in last.text
    assert "tally-1" in last.text
    assert "tally-2" in last.text
    assert (host.state("tally-1").turn, host.state("tally-2").turn) == ("bob", "bob")


def anna_says(host: Clocked, text: str, to: Got) -> list[Got]:
    before = len(host.mails("bob"))
    host.send("anna", text, to=to)
    host.deliver()
    return host.mails("bob")[before:]


def test_what_was_said_meanwhile_stands_in_the_next_mail_whichever_it_is(host: Clocked) -> None:
    mail = host.mails("anna")[0]
    assert [] == anna_says(host, "say One", mail)
    assert [] == anna_says(host, "tell bob: Two", mail)
    bobs = next(got for got in host.mails("bob") if "[tally-1]" in str(got.message["Subject"]))
    host.send("bob", "status", to=bobs)
    assert "Anna says: «One»" in host.last("bob").text
    assert "Anna, only to you: «Two»" in host.last("bob").text
    before = len(host.mails("bob"))
    host.on("2026-11-26T12:00")
    assert [] == host.mails("bob")[before:]


@pytest.mark.parametrize(("pace", "hour", "waits"), [("brisk", 8, False), ("brisk", 20, True), ("medium", 8, True)])
def test_what_asks_never_waits_for_longer_than_half_of_its_time(tmp_path: Path, pace: str, hour: int, waits: bool) -> None:
    host = Clocked(tmp_path)
    host.seated(2, pace)
    host.says("bob", f"mail daily {hour}")
    asked, before = host.time, len(host.mails("bob"))
    host.send("anna", "pass")
    assert len(host.mails("bob")) == before + (not waits)
    host.wait(30, until=lambda: len(host.mails("bob")) > before)
    assert host.time - asked <= host.stored().table.pace.hours * HOUR / 2
    end = host.row("bob")["clock"]
    assert end["number"] == host.stored().table.wait.number  # type: ignore[union-attr]


def test_a_question_that_must_not_wait_takes_along_what_has_waited(tmp_path: Path) -> None:
    host = Clocked(tmp_path)
    host.seated(2, "brisk")
    host.says("bob", "mail daily")
    assert [] == anna_says(host, "say Good morning", host.last("anna"))
    host.send("anna", "pass")
    host.deliver()
    assert "Anna says: «Good morning»" in host.last("bob").text
    assert not host.stored().secrets.held


def test_what_ends_a_game_and_what_reminds_come_at_once(tmp_path: Path) -> None:
    host = Clocked(tmp_path)
    host.seated(2, "brisk")
    host.says("bob", "mail daily 20")
    host.send("anna", "pass")
    mails = host.wait(30)
    assert [(got.seat, got.kind) for got in mails][:2] == [("bob", "turn"), ("bob", "reminder")]


@pytest.mark.parametrize("killed", ["between tables", "before they are bound"])
def test_a_kill_loses_no_mail_of_the_day_and_sends_none_twice(
    host: Clocked, killed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna_plays(host)
    before, whole = len(sent(host)), host.keeper._work_on
    host.time += 23 * HOUR
    host.well = host.time
    with monkeypatch.context() as patch:
        def dies(*_: object) -> int:
            raise KeyboardInterrupt

        if killed == "between tables":
            patch.setattr(host.keeper, "_work_on", lambda name, now: whole(name, now) if name == "tally-1" else dies())
        else:
            patch.setattr(timekeeping, "bind", dies)
        with pytest.raises(KeyboardInterrupt):
            host.look()
    host.restart()
    assert len(sent(host)) == before
    for _ in range(3):
        host.look()
    (daily,) = sent(host)[before:]
    assert daily.text.count("==== [tally-") == 2
    assert len({host.spool.accepted(got.name) for got in host.mails("bob")[-2:]}) == 1


def test_a_clock_that_ran_ahead_holds_no_mail_back_for_days(host: Clocked) -> None:
    now = host.time
    host.time += timedelta(days=10)
    anna_plays(host, "tally-1")
    host.time = host.well = now
    before = len(sent(host))
    host.look()
    assert len(sent(host)) == before + 1


def test_who_wishes_it_hears_of_every_turn_but_not_that_an_answer_was_sealed(tmp_path: Path) -> None:
    host = Clocked(tmp_path)
    host.seated(3, "none")
    host.says("cleo", "mail every-turn")
    before = len(host.mails("cleo"))
    host.send("anna", "add 1")
    host.send("bob", "add 1")
    assert [got.kind for got in host.mails("cleo")[before:]] == ["news", "turn"]
    assert "Anna" in host.mails("cleo")[before].text
    host.send("cleo", "pass")
    before = len(host.mails("cleo"))
    host.send("anna", "bid 1")
    assert len(host.mails("cleo")) == before


def test_a_lost_spool_sends_the_mail_of_the_day_once_more_at_most(host: Clocked) -> None:
    anna_plays(host)
    host.on("2026-11-25T08:30")
    host.lose_spool()
    assert [got.seat for got in sent(host) if got.raw and got.seat == "bob"] == ["bob", "bob"]


def test_who_takes_the_seat_over_reads_nothing_that_waited_for_the_one_before(host: Clocked) -> None:



    anna_says(host, "tell bob: only for Bob", host.mails("anna")[0])
    action = replace_holder(host.desk.services, "bob", parse_person("Zoe <zoe@people.test>"), "Bob has left")
    host.desk.change("tally-1", "replace", action)
    assert "only for Bob" not in host.last("bob").text
    assert not host.stored().secrets.held


def mailed_to_cleo(folder: Path, volume: str, secret: tuple[tuple[str, str], ...]) -> list[tuple[str, ...]]:
    """All that Cleo is mailed in two days in which nobody else says anything but these secrets."""
    host = Clocked(folder)
    host.tick = timedelta()
    host.seated(3, "none", answers="hidden")
    host.says("cleo", f"mail {volume}")
    for seat in ("anna", "bob", "cleo"):
        host.send(seat, "pass")
    for seat, text in secret:
        host.send(seat, text)
    host.on("2026-11-26T12:00")
    host.send("bob", "say Good morning")
    host.on("2026-11-27T12:00")
    fixed = ("Date", "Subject", "Reply-To")
    mails = [(got, got.message) for got in host.mails("cleo")]
    return [(got.text, page_of(message), *(str(message[name]) for name in fixed)) for got, message in mails]


SECRETS = ((("anna", "bid 1"),), (("anna", "bid 2\ntell bob: psst"),), (("anna", "bid 2"), ("bob", "tell anna: psst")))


@pytest.mark.parametrize("volume", ["my-turn", "every-turn", "daily", "daily 19"])
def test_no_wish_lets_anybody_know_what_is_sealed_or_said_to_another(
    tmp_path: Path, volume: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The law of privacy: which mails, when, and every word, whatever was sealed."""
    monkeypatch.setattr("tests.desk.room.timedelta", lambda minutes: timedelta())
    one, *others = (mailed_to_cleo(tmp_path / f"{n}", volume, secret) for n, secret in enumerate(SECRETS))
    assert len(one) > 2
    for other in others:
        assert other == one


def test_a_planted_leak_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who wishes to hear of every turn hears that somebody has whispered: then the law is broken."""
    monkeypatch.setattr(changes, "hears_every_turn", lambda game, result, holders, waiting: ["cleo"] if result.effects.talk else [])
    with pytest.raises(AssertionError):
        test_no_wish_lets_anybody_know_what_is_sealed_or_said_to_another(tmp_path, "every-turn", monkeypatch)


def test_a_word_to_the_moderator_on_who_is_late_loses_nothing_that_was_said_to_them(tmp_path: Path) -> None:
    host = Clocked(tmp_path)
    name = host.seated(2, "brisk", late="wait")
    host.says("bob", "mail daily 19")
    host.send("anna", "pass")
    said, before = 0, len(host.mails("bob"))
    while "late" not in [record.what for record in read_records(host.store.open(name))]:
        said += 1
        host.send("anna", f"say Word {said}.")
        host.wait(5)
    assert "bob" in host.stored().secrets.held
    host.wait(48)
    heard = " ".join(got.text for got in host.mails("bob")[before:])
    assert [f"«Word {n}.»" in heard for n in range(1, said + 1)] == [True] * said


def test_what_was_said_before_the_game_began_is_heard(tmp_path: Path) -> None:
    host = Clocked(tmp_path)
    host.open(3, now=False)
    host.deliver()
    host.says("bob", "mail daily")
    assert [] == anna_says(host, "say Who begins?", host.last("anna"))
    before = len(host.mails("bob"))
    host.on("2026-11-25T08:30")
    (mail,) = host.mails("bob")[before:]
    assert "Anna says: «Who begins?»" in mail.text
    assert not host.stored().secrets.held
