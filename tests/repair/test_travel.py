"""Going back and forward: what counts, which keys live, which dice return, who hears of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import NotAllowed, NotUnderstood
from engine.game import find_game
from pbem.admin.actions import lifecycle, position_values, rollback, seat_holders, time_limits
from pbem.admin.admin_action import undone_lines
from pbem.admin.persons import Person
from pbem.desk.core.undo import replay_records
from pbem.export.game_source import read_source
from pbem.export.verify_export import verify_game, verify_source
from pbem.store.commit_record import read_records
from pbem.store.state_file import StoredGame
from tests.repair.bench import Bench

WHY = "a slip"


def position(bench: Bench, commit: str | None = None) -> dict[str, object]:
    """The public position, but for the numbers of its decisions."""
    stored = StoredGame.read(bench.store.open(bench.table), commit)
    return {key: part for key, part in stored.game.items() if key not in ("number", "asked")}


def folds(bench: Bench) -> bool:
    """Whether the whole chronicle folds to the position that is stored."""
    repo = bench.store.open(bench.table)
    game = find_game("troyes")
    return game.dump(replay_records(game, read_records(repo))) == (StoredGame.read(repo).game, StoredGame.read(repo).hidden)


def commit_of(bench: Bench, step: int) -> str:
    return next(one.commit for one in rollback.game_steps(bench.store.open(bench.table)) if one.record == step)


@pytest.mark.parametrize("step", [1, 5, 11, 14])
def test_a_game_stands_again_as_it_stood(bench: Bench, step: int) -> None:
    wanted = position(bench, commit_of(bench, step))
    bench.repair(rollback.rollback(str(step), WHY))
    assert wanted == position(bench)
    assert folds(bench)


def test_a_commit_names_a_step_too(bench: Bench) -> None:
    commit = commit_of(bench, 9)
    bench.repair(rollback.rollback(commit[:12], WHY))
    assert position(bench, commit) == position(bench)


def test_going_back_is_a_commit_and_forgets_nothing(bench: Bench) -> None:
    head, entries = bench.stored(bench.table).commit, bench.stored(bench.table).table.entries
    sealed = bench.repair(rollback.rollback("9", WHY))
    assert head in [commit.id for commit in bench.store.open(bench.table).log()]
    assert entries <= sealed.stored.table.entries
    assert {"record": 9, "commit": commit_of(bench, 9), "entry": 0, "number": 0} | sealed.record.also["back"] == (
        sealed.record.also["back"]
    )


def test_no_key_of_what_was_taken_back_plays(bench: Bench) -> None:
    """Rollback cancels open tokens, though the same seat may be asked the same thing again."""
    seat = str(bench.asked())
    old = bench.last(seat)
    bench.repair(rollback.rollback("13", WHY))
    bench.repair(rollback.rollforward("it was right"))
    assert seat == bench.asked()
    assert "refused" == bench.send(seat, "1", to=old).outcome
    assert "played" == bench.send(seat, "1").outcome


def test_the_same_dice_return(bench: Bench) -> None:
    bench.play(3)
    after = position(bench)
    bench.repair(rollback.rollback("15", WHY))
    bench.play(3)
    assert after == position(bench)


def test_other_dice_fall_after_a_redraw_and_the_proof_holds(bench: Bench) -> None:
    """`--redraw` raises the epoch, needs a reason, and shows in `verify`."""
    while bench.position().round == 1:
        bench.play(1)
    first = bench.position().dice
    bench.repair(rollback.rollback("14", "seen too early", redraw=True))
    assert 1 == bench.stored(bench.table).secrets.epoch
    while bench.position().round == 1:
        bench.play(1)
    assert first != bench.position().dice
    proof = verify_game(bench.store.open(bench.table), reveal=True, words=bench.spool.words)
    assert proof.holds, proof.differences
    assert ((travel_step(bench), "seen too early"),) == proof.redraws


def travel_step(bench: Bench) -> int:
    return next(one.number for one in read_records(bench.store.open(bench.table)) if one.what == "rollback")


def test_a_die_changed_after_a_redraw_is_found(bench: Bench) -> None:
    bench.repair(rollback.rollback("14", "seen", redraw=True))
    repo = bench.store.open(bench.table)
    honest = read_source(repo)
    stored = honest.stored
    lying = replace(honest, stored=replace(stored, secrets=replace(stored.secrets, epoch=7)))
    assert verify_source(honest, stored.table.commitment).holds
    assert ("the dice are drawn with epoch 7, the records say 1",) == verify_source(lying, stored.table.commitment).differences


def test_forward_brings_everything_back(bench: Bench) -> None:
    before = position(bench)
    bench.repair(rollback.rollback("6", WHY))
    bench.repair(rollback.rollforward("it was right"))
    assert before == position(bench)
    assert folds(bench)


def test_two_steps_back_are_two_steps_forward(bench: Bench) -> None:
    before = position(bench)
    bench.repair(rollback.rollback("12", WHY))
    between = position(bench)
    bench.repair(rollback.rollback("4", WHY))
    bench.repair(rollback.rollforward("it was right"))
    assert between == position(bench)
    bench.repair(rollback.rollforward("it was right"))
    assert before == position(bench)
    assert folds(bench)


def test_there_is_nothing_to_bring_back_from_nowhere(bench: Bench) -> None:
    with pytest.raises(NotAllowed, match="nothing to bring back"):
        bench.repair(rollback.rollforward("it was right"))


def test_talk_and_a_pause_do_not_stop_the_way_forward(bench: Bench) -> None:
    before = position(bench)
    bench.repair(rollback.rollback("6", WHY))
    bench.send("anna", "say what happens?")
    bench.repair(lifecycle.hold("a question"))
    bench.repair(lifecycle.resume())
    bench.repair(rollback.rollforward("it was right"))
    assert before == position(bench)


def test_nothing_comes_back_once_somebody_has_acted(bench: Bench) -> None:
    bench.repair(rollback.rollback("6", WHY))
    bench.play(1)
    with pytest.raises(NotAllowed, match="has acted since"):
        bench.repair(rollback.rollforward("it was right"))


def test_undo_takes_back_the_last_orders_whoever_gave_them(bench: Bench) -> None:
    before = position(bench)
    bench.play(1)
    bench.repair(rollback.undo(WHY))
    assert before == position(bench)
    assert folds(bench)


def test_a_player_takes_back_nothing_across_a_repair(bench: Bench) -> None:
    seat = str(bench.asked())
    bench.play(1)
    bench.repair(position_values.set_value("anna.deniers", "+1", WHY))
    assert "refused" == bench.send(seat, "undo").outcome


def test_a_player_may_still_undo_after_going_back(bench: Bench) -> None:
    bench.repair(rollback.rollback("12", WHY))
    before, seat = position(bench), str(bench.asked())
    assert "played" == bench.send(seat, "1").outcome
    assert "played" == bench.send(seat, "undo").outcome
    assert before == position(bench)
    assert folds(bench)


def test_the_preview_tells_what_would_be_undone_as_a_spectator_reads_it(bench: Bench) -> None:
    seat = str(bench.asked())
    bench.play(1)
    lost = bench.desk.look(bench.table, lambda context: undone_lines(context, 15))
    assert str(lost[0]).startswith(seat.title())


def test_the_preview_promises_nothing_that_stays(bench: Bench) -> None:
    """Who sits there, what they are called, the pace and a remark stay as they are when a game is put back."""
    bench.play(1)
    played = bench.desk.look(bench.table, lambda context: undone_lines(context, 14))
    zoe = Person("Zoe", ("zoe@people.test",))
    for action in (
        seat_holders.replace_holder(bench.desk.services, "faye", zoe, WHY),
        seat_holders.rename(bench.desk.services, "anna", "Annabel", WHY),
        time_limits.set_pace("brisk", WHY),
        lifecycle.remark("Hello"),
    ):
        bench.repair(action)
    preview = bench.desk.look(bench.table, lambda context: undone_lines(context, 14))
    assert len(played) == len(preview) - 1
    assert "Who sits where stays" in str(preview[-1])
    assert not [one for one in preview if any(word in str(one) for word in ("The moderator", "The pace", "taken over"))]
    bench.repair(rollback.rollback("14", WHY))
    assert ["Annabel", "Zoe"] == [row.name for row in bench.stored(bench.table).table.seats]
    assert 24 == bench.stored(bench.table).table.pace.hours


def test_who_had_not_heard_hears_it_when_it_counts_again(bench: Bench) -> None:
    lost = bench.desk.look(bench.table, lambda context: undone_lines(context, 13))
    told = next(str(one).partition(":")[0] for one in lost if str(one).startswith("Faye "))
    bench.repair(rollback.rollback("13", WHY))
    assert told not in bench.last("anna").text
    bench.repair(rollback.rollforward("it was right"))
    assert told in bench.last("anna").text


@pytest.mark.parametrize(
    ("to", "error", "says"),
    [
        ("99", NotUnderstood, "no step 99"),
        ("15", NotAllowed, "nothing was played since"),
        ("yesterday", NotUnderstood, "neither the number"),
        ("abcdef0123", NotUnderstood, "no step abcdef0123"),
    ],
)
def test_where_it_cannot_go_it_says_why(bench: Bench, to: str, error: type[Exception], says: str) -> None:
    head = bench.store.open(bench.table).head
    with pytest.raises(error) as refusal:
        bench.repair(rollback.rollback(to, WHY))
    assert says in str(refusal.value.reason)  # type: ignore[attr-defined]
    assert head == bench.store.open(bench.table).head


def test_a_reason_is_needed(bench: Bench) -> None:
    with pytest.raises(NotUnderstood, match="reason is needed"):
        bench.repair(rollback.rollback("9", " "))


def test_a_finished_game_does_not_go_back(bench: Bench) -> None:
    """Its seed is known: the dice that come would be, too."""
    bench.repair(lifecycle.end(WHY))
    with pytest.raises(NotAllowed, match="seed is published"):
        bench.repair(rollback.rollback("9", WHY))


def test_private_plans_are_cancelled(tmp_path: object, bench: Bench) -> None:
    """Standing orders and preferences do not survive going back, and nobody can tell who had some."""
    host = Bench(bench.folder.parent / "plans")
    host.seat_all(2)
    seat = str(host.asked())
    first, second = (offer.text for offer in host.rules.offers(host.position(), host.asked())[:2])  # type: ignore[arg-type]
    host.send(seat, f"{first}, {second.removeprefix('settle ')}")
    assert host.position().wishes
    host.play(1)
    host.repair(rollback.rollback("2", WHY))
    assert {} == host.position().wishes
    assert {"anna", "faye"} == set(host.record(0, host.table).entries[0].only)
    assert folds(host)
