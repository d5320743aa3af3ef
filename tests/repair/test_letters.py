"""Repairs by mail: lines that begin with `gm`, from the moderator's address and with the moderator's key."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.game import find_game
from pbem.admin import admin_words
from pbem.admin.actions import rollback
from tests.repair.bench import Bench, key


def position(bench: Bench) -> dict[str, object]:
    return {name: part for name, part in bench.stored(bench.table).game.items() if name not in ("number", "asked")}


def test_a_letter_without_a_key_is_answered_with_one_and_does_nothing(bench: Bench) -> None:
    (mail,) = bench.moderate("gm hold because Faye is ill\n")
    assert ("gm", "refusal", "running") == (mail.seat, mail.kind, bench.status)
    assert "carries no key" in mail.text
    sent = bench.moderate("gm hold because Faye is ill\n", to=mail)
    assert {"anna", "faye", "gm"} == {got.seat for got in sent}
    assert "held" == bench.status


def test_strangers_and_players_are_no_moderators(bench: Bench) -> None:
    """Whoever writes, the answer goes to the registered address alone; a stranger gets silence."""
    mail = key(bench)
    assert [] == bench.moderate("gm hold because x\n", to=mail, sender="eve@evil.test")
    assert "running" == bench.status
    sent = bench.moderate("gm hold because x\n", to=mail, sender="anna@people.test")
    assert ["anna"] == [got.seat for got in sent]
    assert "running" == bench.status


def test_a_key_of_a_seat_is_no_key_of_the_moderator(bench: Bench) -> None:
    bench.moderate("gm hold because x\n", to=bench.last("anna"))
    assert "running" == bench.status


def test_only_one_thing_is_changed_by_a_letter(bench: Bench) -> None:
    (mail,) = bench.moderate("gm hold because x\ngm remark hello\n", to=key(bench))
    assert "refusal" == mail.kind
    assert "one thing" in mail.text
    assert "running" == bench.status


@pytest.mark.parametrize("line", ["gm undo because x", "gm as anna: pass because x", "gm rollforward because x"])
def test_what_depends_on_the_moment_takes_the_newest_key(bench: Bench, line: str) -> None:
    old = key(bench)
    bench.play(1)
    before = position(bench)
    (mail,) = bench.moderate(f"{line}\n", to=old)
    assert "gone on since" in mail.text
    assert before == position(bench)


def test_a_named_step_may_be_gone_back_to_with_any_key(bench: Bench) -> None:
    old = key(bench)
    bench.play(1)
    sent = bench.moderate("gm rollback to 9 because of a slip\n", to=old)
    assert {"anna", "faye", "gm"} == {got.seat for got in sent}
    assert "rollback" == bench.record(0, bench.table).what


def test_a_letter_is_done_once_however_often_it_comes(bench: Bench) -> None:
    mail = key(bench)
    bench.moderate("gm remark hello\n", to=mail)
    entries = bench.stored(bench.table).table.records
    bench.count -= 1
    bench.moderate("gm remark hello\n", to=mail)
    assert entries == bench.stored(bench.table).table.records


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("gm undo because of a slip", "undo"),
        ("gm rollback 12 because of a slip", "rollback"),
        ("gm rollback 12 redraw because of a slip", "rollback"),
        ("gm as {asked}: 1 because the mail is down", "letter"),
        ("gm as {asked} pass because the mail is down", "letter"),
        ("gm set anna.deniers +3 because of the salary", "edit"),
        ("gm hold because x", "hold"),
        ("gm resend", "resend"),
        ("gm resend anna", "resend"),
        ("gm computer faye because x", "computer"),
        ("gm replace faye Zoe <zoe@people.test> because she left", "replace"),
        ("gm rename faye Fanny", "rename"),
        ("gm remark Merry Christmas, because it is", "remark"),
        ("gm end because x", "end"),
        ("gm abandon because x", "abandon"),
        ("GM Hold parce que x", "hold"),
    ],
)
def test_every_verb_is_done_and_answered(bench: Bench, line: str, what: str) -> None:
    sent = bench.moderate(f"Hello,\n\n{line.format(asked=bench.asked())}\n\nThanks\nMod\n", to=key(bench))
    answer = next(got for got in sent if got.seat == "gm")
    assert "receipt" == answer.kind, answer.text
    assert what == bench.record(0, bench.table).what
    assert "mod@host.test" in str(answer.message["To"])
    assert len(sent) == len({got.seat for got in sent}), "one mail per person"


def test_forward_and_resume_by_mail(bench: Bench) -> None:
    before = position(bench)
    bench.moderate("gm rollback 12 because x\n", to=key(bench))
    bench.moderate("gm rollforward because it was right\n", to=key(bench))
    assert before == position(bench)
    bench.moderate("gm hold because x\n", to=key(bench))
    bench.moderate("gm resume\n", to=key(bench))
    assert "running" == bench.status


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("gm", "WHAT THE MODERATOR CAN WRITE"),
        ("gm help", "«gm undo because REASON»"),
        ("gm log 3", "THE LAST 3 STEPS"),
        ("gm status", "THE SQUARE"),
        ("gm try {asked}: pass", "ONLY TRIED: PASS"),
        ("gm fsck", "It is sound."),
        ("gm rollback 12", "WOULD UNDO"),
        ("gm undo", "WOULD UNDO"),
    ],
)
def test_questions_change_nothing(bench: Bench, line: str, says: str) -> None:
    before = position(bench)
    (mail,) = bench.moderate(f"{line.format(asked=bench.asked())}\n", to=key(bench))
    assert "answer" == mail.kind
    assert says in mail.text
    assert before == position(bench)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("gm dance\n", "nothing that can be asked"),
        ("gm hold\n", "A reason is needed"),
        ("gm rollback because x\n", "written otherwise"),
        ("gm rollback 99 because x\n", "no step 99"),
        ("gm hold because x\nplease\n", "no line for the moderator"),
        ("gm as eve: pass because x\n", "No seat is called"),
        ("gm as {asked}: dance because x\n", "dance"),
        ("gm set anna.influence 99 because x\n", "20 is the most"),
        ("gm replace faye <> because x\n", "A name is needed"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_done(bench: Bench, text: str, says: str) -> None:
    before, status = position(bench), bench.status
    (mail,) = bench.moderate(text.format(asked=bench.asked()), to=key(bench))
    assert "refusal" == mail.kind
    assert says in mail.text
    assert "Nothing was done." in mail.text
    assert (before, status) == (position(bench), bench.status)


def test_no_mail_to_the_moderator_holds_a_secret(bench: Bench) -> None:
    held = [id for cards in bench.position().characters.values() for id in cards]
    names = [str(find_game("troyes").reference.explain(id).title) for id in held]  # type: ignore[union-attr]
    for line in ("gm status", "gm log 50", "gm rollback 2", "gm try anna: pass", "gm fsck"):
        (mail,) = bench.moderate(f"{line}\n", to=key(bench))
        assert "ONLY FOR YOU" not in mail.text
        assert not [name for name in names if name in mail.text]


def test_without_a_game_in_it_a_letter_is_answered_with_the_games_there_are(bench: Bench) -> None:
    bench.seat_all(2, seed=b"t" * 32)
    before = len(bench.mails())
    bench.moderate("gm status\n", subject="hello")
    (mail,) = bench.mails()[before:]
    assert "troyes-1, troyes-2" in mail.text


def test_quoting_our_help_back_is_no_command(bench: Bench) -> None:
    """Quoting our own mail back, in any client's style, yields no order."""
    (help_,) = bench.moderate("gm help\n")
    status = bench.status
    bench.moderate(help_.text, to=help_)
    assert status == bench.status
    assert not any(admin_words.is_admin_line(line) for line in help_.text.splitlines())


def test_a_letter_reaches_a_game_that_waits_for_repair(bench: Bench) -> None:
    """A game that is parked can be asked about all the same."""
    (bench.folder / "games" / bench.table / "state.toml").write_text("nonsense")
    with pytest.raises(Exception, match="differs"):
        bench.moderate("gm hold because x\n", to=None)


def test_steps_are_those_of_the_log(bench: Bench) -> None:
    numbers = [one.record for one in rollback.game_steps(bench.store.open(bench.table))]
    assert list(range(15, 0, -1)) == numbers


def test_a_trial_does_not_tell_what_or_whether_a_seat_has_sealed(tmp_path: Path) -> None:
    """Whoever moderates may play, too: of a sealed decision nobody learns who has answered."""
    told = []
    for name in ("silent", "answered"):
        half_day = Bench(tmp_path / name, "troyes-dice")
        half_day.seat_all(2)
        if name == "answered":
            half_day.send("anna", "1")
        text = half_day.moderate("gm try anna: 2\n", to=key(half_day))[-1].text
        half_day.moderate("gm hold because x\n", to=key(half_day))
        held = half_day.moderate("gm try anna: 1\n", to=key(half_day))[-1]
        assert "holds the game: x" in held.text
        told.append((text, held.text))
        half_day.spool.close()
    assert told[0] == told[1]
