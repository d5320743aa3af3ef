"""Tables put right: pauses, ends, people, computers, orders for somebody else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import NotAllowed, NotUnderstood
from engine.game import find_game
from pbem.admin.actions import lifecycle, seat_holders, seat_orders
from pbem.admin.health.game_health import check_game
from pbem.admin.persons import Person
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.desk.core.undo import replay_records
from pbem.host.people import Holder
from pbem.store.commit_record import read_records
from tests.repair.bench import Bench


def test_a_held_game_takes_questions_and_talk_but_no_orders(bench: Bench) -> None:
    seat = str(bench.asked())
    bench.repair(lifecycle.hold("Faye is ill"))
    assert "refused" == bench.send(seat, "1").outcome
    assert "Faye is ill" in bench.last(seat).text
    assert "answered" == bench.send(seat, "status").outcome
    assert "played" == bench.send(seat, "say get well").outcome


def test_a_game_that_goes_on_asks_again_with_the_options(bench: Bench) -> None:
    seat = str(bench.asked())
    bench.repair(lifecycle.hold("Faye is ill"))
    assert "[1]" not in bench.last(seat).text
    bench.repair(lifecycle.resume())
    assert "turn" == bench.last(seat).kind
    assert "[1]" in bench.last(seat).text
    assert "played" == bench.send(seat, "1").outcome


def test_what_is_so_already_is_refused(bench: Bench) -> None:
    with pytest.raises(NotAllowed):
        bench.repair(lifecycle.resume())
    bench.repair(lifecycle.hold("x"))
    with pytest.raises(NotAllowed):
        bench.repair(lifecycle.hold("x"))


def test_a_game_given_up_keeps_its_seed_and_can_go_on(bench: Bench) -> None:
    seed = bench.stored(bench.table).secrets.seed
    bench.repair(lifecycle.abandon("nobody has time"))
    assert "abandoned" == bench.status
    assert all(seed not in got.text for got in bench.mails())
    bench.repair(lifecycle.resume("we have time"))
    assert "running" == bench.status
    bench.play(1)


def test_an_ended_game_publishes_its_seed_once_and_asks_nothing(bench: Bench) -> None:
    seat = str(bench.asked())
    bench.repair(lifecycle.end("enough"))
    seed = bench.stored(bench.table).secrets.seed
    finals = [got for got in bench.mails() if got.kind == "final"]
    assert {"anna", "faye"} == {got.seat for got in finals}
    assert all(seed in got.text and "[1]" not in got.text for got in finals)
    assert seed == bench.record(0, bench.table).also["seed"]
    assert "refused" == bench.send(seat, "1").outcome
    with pytest.raises(NotAllowed):
        bench.repair(lifecycle.resume())


def test_the_keys_of_a_replaced_player_are_dead(bench: Bench) -> None:
    """Any token issued to the seat's present holder."""
    old = bench.last("faye")
    bench.repair(seat_holders.replace_holder(bench.desk.services, "faye", Person("Zoe", ("zoe@people.test",)), "Faye has moved"))
    assert "silent" == bench.send("faye", "status", to=old).outcome
    assert "refused" == bench.send("faye", "1", to=old, sender="zoe@people.test").outcome
    assert "answered" == bench.send("faye", "status", sender="zoe@people.test").outcome


def test_the_new_player_gets_the_secrets_and_the_others_do_not(bench: Bench) -> None:
    held = bench.position().characters
    before = len(bench.mails())
    bench.repair(seat_holders.replace_holder(bench.desk.services, "faye", Person("Zoe", ("zoe@people.test",)), "Faye has moved"))
    sent = {got.seat: got for got in bench.mails()[before:]}
    assert "welcome" == sent["faye"].kind
    assert "zoe@people.test" in str(sent["faye"].message["To"])
    assert "ONLY FOR YOU" in sent["faye"].text
    assert "ONLY FOR YOU" not in sent["anna"].text
    assert held == bench.position().characters
    assert "Zoe" == bench.position().names["faye"]


def test_people_and_table_agree_after_a_replacement(bench: Bench) -> None:
    bench.repair(seat_holders.replace_holder(bench.desk.services, "faye", Person("Zoe", ("zoe@people.test",)), "Faye has moved"))
    holder = bench.people.holder(bench.table, "faye")
    assert ("Zoe", 2) == (holder.name, holder.generation)
    assert () == check_game(bench.desk.services, bench.store.open(bench.table))


@pytest.mark.parametrize(
    ("seat", "name", "addresses", "error"),
    [
        ("eve", "Zoe", ("zoe@people.test",), NotUnderstood),
        ("faye", "Anna", ("zoe@people.test",), NotAllowed),
        ("faye", "Zoe", ("nowhere",), NotAllowed),
        ("faye", "", ("zoe@people.test",), NotUnderstood),
    ],
)
def test_a_person_who_cannot_sit_there_is_refused(
    bench: Bench, seat: str, name: str, addresses: tuple[str, ...], error: type[Exception]
) -> None:
    holders = bench.people.holders(bench.table)
    with pytest.raises(error):
        bench.repair(seat_holders.replace_holder(bench.desk.services, seat, Person(name, addresses), "x"))
    assert holders == bench.people.holders(bench.table)


def test_a_new_address_keeps_what_its_owner_has_chosen_and_another_person_begins_afresh(bench: Bench) -> None:
    people = bench.desk.services.people
    chosen = {"language": "fr", "zone": "Europe/Paris", "quiet": "22-7", "remind": 3, "volume": "daily", "hour": 9}
    people.change(bench.table, replace(people.holder(bench.table, "faye"), **chosen, coming="f@new.test", unreachable="x"))
    bench.repair(seat_holders.replace_holder(bench.desk.services, "faye", Person("Faye", ("faye@new.test",)), "a new address"))
    found = people.holder(bench.table, "faye")
    assert Holder(found.seat, "Faye", ("faye@new.test",), 2, **chosen) == found
    bench.repair(seat_holders.replace_holder(bench.desk.services, "faye", Person("Zoe", ("zoe@people.test",)), "Faye has moved"))
    assert Holder(found.seat, "Zoe", ("zoe@people.test",), 3) == people.holder(bench.table, "faye")


@pytest.mark.parametrize("public", [False, True])
def test_where_the_holder_of_a_seat_lives_is_known_at_the_desk_and_of_nobody_it_is_the_host_s(
    bench: Bench, public: bool
) -> None:
    people = bench.desk.services.people
    people.change(bench.table, replace(people.holder(bench.table, "faye"), zone="Europe/Paris"))
    for seat, zone in (("faye", "Europe/Paris"), ("nobody", "UTC")):
        assert zone == str(bench.desk.look(bench.table, lambda context, seat=seat: context.zone(seat), public))


def test_a_new_name_reaches_position_mails_and_people(bench: Bench) -> None:
    bench.repair(seat_holders.rename(bench.desk.services, "faye", "Fanny"))
    assert ("Fanny", "Fanny") == (bench.position().names["faye"], bench.people.holder(bench.table, "faye").name)
    assert "Fanny" in bench.last("anna").text
    with pytest.raises(NotAllowed):
        bench.repair(seat_holders.rename(bench.desk.services, "faye", "Fanny"))


def test_a_computer_answers_at_once_and_people_are_mailed_when_they_are_asked(bench: Bench) -> None:
    bench.repair(seat_holders.computer("faye", "on holiday", level="novice"))
    assert "anna" == bench.asked()
    while bench.status == "running":
        before = len(bench.mails("anna"))
        assert "anna" == bench.asked()
        bench.send("anna", "1")
        assert 1 == len(bench.mails("anna")) - before
    assert {"anna", "faye"} <= {got.seat for got in bench.mails() if got.kind == "final"}


def test_a_computers_answers_are_told_to_whoever_led_to_them(bench: Bench) -> None:
    """They belong to the record of her letter, and still are news to her."""
    bench.repair(seat_holders.computer("faye", "on holiday"))
    bench.send("anna", "pass")
    receipt = bench.last("anna").text
    assert "You pass" in receipt
    assert "Faye" in receipt.split("Since your last mail")[1].split("\n\n")[0]


def test_undo_takes_back_the_computers_answers_too(bench: Bench) -> None:
    """The automatic and computer answers that followed."""
    bench.repair(seat_holders.computer("faye", "on holiday"))
    before = bench.position()
    bench.send("anna", "1")
    if bench.record(0, bench.table).reveals:
        pytest.skip("something was shown")
    assert "played" == bench.send("anna", "undo").outcome
    after = bench.position()
    assert (before.dice, before.queue, before.houses) == (after.dice, after.queue, after.houses)


def test_a_table_of_computers_plays_to_its_end(bench: Bench) -> None:
    bench.repair(seat_holders.computer("faye", "on holiday", level="novice"))
    bench.repair(seat_holders.computer("anna", "on holiday", level="novice"))
    assert "ended" == bench.status
    repo = bench.store.open(bench.table)
    game = find_game("troyes")
    assert game.dump(replay_records(game, read_records(repo)))[0] == bench.stored(bench.table).game


def test_the_person_is_asked_again_when_the_computer_leaves(bench: Bench) -> None:
    bench.repair(seat_holders.computer("anna", "on holiday"))
    bench.send("faye", "1")
    bench.repair(seat_holders.computer("anna", "back", off=True))
    for _ in range(6):
        if bench.asked() != "anna":
            bench.play(1)
    assert "anna" == bench.asked()
    assert "turn" == bench.last("anna").kind


def test_orders_for_somebody_go_to_the_holder_and_are_told(bench: Bench) -> None:
    seat = str(bench.asked())
    other = "anna" if seat == "faye" else "faye"
    bench.repair(seat_orders.give_orders(seat, ["1"], "the mail is down"))
    assert "receipt" == bench.last(seat).kind
    assert "The moderator has given orders" in bench.last(other).text
    assert "the mail is down" in bench.last(other).text


@pytest.mark.parametrize(
    "lines", [["status"], ["say hello"], ["build a spaceship"], ["try 1"], ["1", "card monk"], [""]]
)
def test_only_orders_can_be_given_for_somebody(bench: Bench, lines: list[str]) -> None:
    head = bench.store.open(bench.table).head
    with pytest.raises(seat_orders.RejectedOrders):
        bench.repair(seat_orders.give_orders(str(bench.asked()), lines, "x"))
    assert head == bench.store.open(bench.table).head


def test_a_remark_waits_for_the_next_mail(bench: Bench) -> None:
    before = len(bench.mails())
    bench.repair(lifecycle.remark("Merry Christmas"))
    assert before == len(bench.mails())
    seat = str(bench.asked())
    bench.send(seat, "status")
    assert "The moderator says: «Merry Christmas»" in bench.last(seat).text


def test_resending_to_all_shows_everybody_the_position(bench: Bench) -> None:
    before = len(bench.mails())
    bench.repair(lifecycle.resend())
    sent = bench.mails()[before:]
    assert {"anna", "faye"} == {got.seat for got in sent}
    assert all("EVENTS" in got.text for got in sent)
    seat = str(bench.asked())
    assert "played" == bench.send(seat, "1").outcome


def test_a_table_that_gathers_can_be_given_up_and_taken_up(bench: Bench) -> None:
    invited = tuple(Invited(name, (f"{name.lower()}@people.test",)) for name in ("Bob", "Cleo"))
    name = open_table(bench.desk, Opening("troyes", invited)).table.game
    invitation = bench.last("bob")
    bench.repair(lifecycle.abandon("nobody answers"), name)
    for line in ("join", "yes", "1"):
        assert "refused" == bench.send("bob", line, to=invitation).outcome
        assert "This game was given up." in bench.last("bob").text
    bench.repair(lifecycle.resume(), name)
    bench.repair(seat_holders.replace_holder(bench.desk.services, "cleo", Person("Dora", ("dora@people.test",)), "Cleo cannot"), name)
    assert "invitation" == bench.last("cleo").kind
    bench.send("bob", "join", to=invitation)
    bench.send("cleo", "join heron", sender="dora@people.test")
    assert "running" == str(bench.stored(name).table.status)


def test_a_declined_seat_can_be_given_to_somebody_else(bench: Bench) -> None:
    """Whoever takes it over is invited as if nobody had been."""
    invited = tuple(Invited(name, (f"{name.lower()}@people.test",)) for name in ("Bob", "Cleo"))
    name = open_table(bench.desk, Opening("troyes", invited)).table.game
    bench.send("bob", "join quince")
    bench.send("cleo", "No thanks")
    assert (("bob",), ("cleo",)) == (bench.stored(name).table.joined, bench.stored(name).table.declined)
    former = bench.last("cleo")
    bench.repair(seat_holders.replace_holder(bench.desk.services, "cleo", Person("Dora", ("dora@people.test",)), "Cleo cannot"), name)
    assert () == bench.stored(name).table.declined
    text = bench.last("cleo").text
    assert "No answer yet: Dora." in text
    assert "[2] decline" in text
    bench.send("cleo", "join", to=former)
    assert ("bob",) == bench.stored(name).table.joined
    bench.send("cleo", "1", sender="dora@people.test")
    assert "running" == str(bench.stored(name).table.status)


def test_a_seat_that_was_changing_hands_does_not_stop_other_letters(bench: Bench) -> None:
    """Killed between people and commit, and the game damaged besides: another game's letters are answered."""
    name, other = bench.table, bench.seat_all(2, seed=b"t" * 32)
    bench.people.prepare(name, bench.people.holders(name), "fingerprint of nothing")
    (bench.folder / "games" / name / ".git" / "refs" / "heads" / "main").unlink()
    stored = bench.stored(other)
    rules = find_game("troyes")
    seat = rules.waiting(rules.load(stored.game, stored.hidden))[0].seat
    mail = next(got for got in bench.mails(seat) if got.name.startswith(other))
    assert "played" == bench.send(seat, "1", to=mail).outcome


def test_a_letter_that_waited_while_its_seat_changed_hands_plays_nothing(bench: Bench) -> None:
    from pbem import router
    from pbem.desk.core.identity import identify

    bench.repair(seat_holders.computer("anna", "x"))
    old = bench.last("faye")
    raw = bench.write("faye", "1", to=old)
    entries = bench.stored(bench.table).table.entries

    def late(*known: object) -> object:
        who = identify(*known)  # type: ignore[arg-type]
        bench.repair(seat_holders.replace_holder(bench.desk.services, "faye", Person("Zoe", ("zoe@people.test",)), "she left"))
        return who

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(router, "identify", late)
        assert "silent" == bench.post(raw).outcome
    assert entries + 1 == bench.stored(bench.table).table.entries
