"""Who sits where: corrected without noise, asked about before somebody is put out, and told what stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import NotAllowed, NotUnderstood
from pbem.admin.actions import rollback, seat_holders
from pbem.admin.persons import parse_person
from tests.clocks.table import Clocked


def test_a_mistyped_address_is_corrected_and_nobody_else_is_told(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    room.seated(2)
    services = room.desk.services
    old, before = room.last("anna"), {seat: len(room.mails(seat)) for seat in ("anna", "bob")}
    done = room.desk.change("tally-1", "address", seat_holders.address(services, "anna", "Anna.B@people.test"))
    assert room.people.holder("tally-1", "anna").addresses == ("anna.b@people.test",)
    assert room.people.holder("tally-1", "anna").name == "Anna"
    assert [len(room.mails(seat)) - before[seat] for seat in ("anna", "bob")] == [1, 0]
    assert "another address" in str(done.told[0])
    assert "taken over" not in room.says("bob", "history") + room.says("bob", "status")
    # The key that went to the wrong address is dead, the new one plays.
    assert room.send("anna", "add 1", to=old, sender="anna.b@people.test").outcome != "played"
    assert room.send("anna", "add 1", to=room.last("anna"), sender="anna.b@people.test").outcome == "played"
    with pytest.raises(NotAllowed):
        room.desk.change("tally-1", "address", seat_holders.address(services, "anna", "anna.b@people.test"))


def test_a_seat_that_the_people_file_has_lost_goes_on_from_the_generation_of_its_table(tmp_path: Path) -> None:
    """Else the keys of its first holder would count again."""
    room = Clocked(tmp_path)
    room.seated(2)
    services, first = room.desk.services, room.last("bob")
    room.people.register("tally-1", [one for one in room.people.holders("tally-1") if one.seat != "bob"])
    room.desk.change("tally-1", "rename", seat_holders.rename(services, "bob", "Rob"))
    assert room.people.holder("tally-1", "bob").generation == 1
    action = seat_holders.replace_holder(services, "bob", parse_person("Zoe <zoe@people.test>"), "x")
    room.desk.change("tally-1", "replace", action)
    assert room.people.holder("tally-1", "bob").generation == room.stored().table.seats[1].generation == 2
    assert room.send("bob", "add 1", to=first, sender="zoe@people.test").outcome != "played"


def test_a_name_that_no_terminal_should_print_is_refused(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    room.seated(2)
    for name in ("\x1b[31m", "[31m", "Z\x07oe", "\u202eeoZ"):
        with pytest.raises(NotUnderstood):
            action = seat_holders.replace_holder(room.desk.services, "bob", parse_person(f"{name} <x@people.test>"), "x")
            room.desk.change("tally-1", "replace", action)


def test_undo_after_rollforward_takes_back_the_last_orders(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    room.seated(2)
    room.send("anna", "add 1")
    room.send("bob", "add 2")
    counter = room.state().counter
    room.desk.change("tally-1", "undo", rollback.undo("x"))
    room.desk.change("tally-1", "rollforward", rollback.rollforward("x"))
    assert room.state().counter == counter
    room.desk.change("tally-1", "undo", rollback.undo("x"))
    assert room.state().counter == counter - 2
