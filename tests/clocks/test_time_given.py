"""No action takes time away that was given: what the clock would play comes never sooner than was told."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from engine.errors import OrderRefused
from pbem.admin.actions import lifecycle, position_values, rollback, seat_holders, time_limits
from pbem.admin.admin_action import BoundAction
from pbem.admin.persons import parse_person
from pbem.clocks.deadlines import grace_end
from pbem.desk.clock.clock_text import ask_of
from pbem.store.errors import StoreError
from tests.clocks.table import HOUR, Clocked


def deadlines(room: Clocked) -> dict[str, datetime]:
    """When the clock would play for each seat that is asked, were every mail taken now."""
    found, stored = {}, room.stored()
    asked = room.rules.waiting(room.state()) if stored.table.status == "running" else ()
    holders = {str(one.seat): one for one in room.people.holders(stored.table.game)}
    for one in asked:
        row = stored.table.seat(one.seat)
        ask = ask_of(room.desk.services, holders[row.seat], row)
        if row.by == "person" and row.clock and (at := grace_end(stored.table.pace, replace(ask, start=ask.start or room.time))):
            found[row.seat] = at
    return found


def some_action(dice: random.Random, room: Clocked) -> tuple[str, BoundAction]:
    services, seat = room.desk.services, dice.choice(("anna", "bob", "cleo"))
    name = dice.choice(("Zoe", "Yan", seat.title()))
    records = room.stored().table.records
    every: dict[str, Callable[[], BoundAction]] = {
        "hold": lambda: lifecycle.hold("x"),
        "resume": lambda: lifecycle.resume(),
        "deadline": lambda: time_limits.deadline(services, seat, dice.choice(("+2d", "+5d", "+12h"))),
        "away": lambda: time_limits.away(services, seat, dice.choice(("off", "for 3 days", "tomorrow"))),
        "replace": lambda: seat_holders.replace_holder(services, seat, parse_person(f"{name} <{seat}@people.test>"), "x"),
        "computer": lambda: seat_holders.computer(seat, "x", off=dice.random() < 0.5),
        "undo": lambda: rollback.undo("x"),
        "rollback": lambda: rollback.rollback(str(dice.randint(2, records)), "x"),
        "rollforward": lambda: rollback.rollforward("x"),
        "set": lambda: position_values.set_value("counter", str(dice.randint(0, 3)), "x"),
        "rename": lambda: seat_holders.rename(services, seat, f"{name}s"),
        "resend": lambda: lifecycle.resend(dice.choice(("", seat))),
        "remark": lambda: lifecycle.remark("Good luck"),
    }
    what = dice.choice(sorted(every))
    return what, every[what]()


@pytest.mark.parametrize("seed", range(8))
def test_no_deed_takes_time_away(tmp_path: Path, seed: int) -> None:
    room, dice = Clocked(tmp_path), random.Random(seed)
    room.seated(3, "medium")
    told, done = deadlines(room), 0
    for _ in range(30):
        if dice.random() < 0.3:
            room.wait(dice.randint(1, 9))
            with suppress(OrderRefused, StoreError):
                room.send(room.state().turn, dice.choice(("add 1", "add 2")))
            room.deliver()
            told = told if room.stored().table.status == "held" else deadlines(room)
        what, action = some_action(dice, room)
        try:
            room.desk.change("tally-1", what, action)
        except (OrderRefused, StoreError):
            continue
        room.deliver()
        room.well, done = room.time, done + 1
        after = deadlines(room)
        for seat in told.keys() & after.keys():
            assert after[seat] >= told[seat], (what, seat)
        if room.stored().table.status == "running":
            told = after
    assert done > 8


def test_hold_and_resume_keep_what_a_deadline_gave(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    room.seated(2, "medium")
    room.desk.change("tally-1", "deadline", time_limits.deadline(room.desk.services, "anna", "+2d"))
    room.deliver()
    given = deadlines(room)["anna"]
    room.desk.change("tally-1", "hold", lifecycle.hold("a word"))
    room.deliver()
    assert room.keeper.look(room.time) == 0
    room.desk.change("tally-1", "resume", lifecycle.resume())
    room.deliver()
    assert given <= deadlines(room)["anna"] <= given + HOUR
    assert "Please answer by Saturday 28 November, 09:00" in room.last("anna").text.replace("\n", " ")
