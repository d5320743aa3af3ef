"""The law of a look: it does nothing twice, whatever the clock does while it works.

The clock of these hosts moves whenever it is read (`Clocked.tick`), forwards or back.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.clocks.deadlines import DueAction, next_action
from pbem.clocks.pace import parse_pace
from tests.clocks.table import HOUR, Clocked
from tests.clocks.test_due import ask, shown, utc

SECOND = timedelta(seconds=1)
TICKS = (SECOND, 40 * SECOND, -SECOND, -40 * SECOND)


def reminded(room: Clocked) -> Counter[tuple[str, str, int]]:
    """How many reminders went, a table, seat and decision."""
    rows = ((name, room.stored(name)) for name in room.store.names())
    return Counter(
        (name, seat, one.number)
        for name, stored in rows
        for seat, found in stored.secrets.reminded.items()
        for one in found
        if one.mail
    )


@pytest.mark.parametrize("tick", TICKS)
def test_a_look_sends_at_most_one_reminder_a_seat_and_decision(tmp_path: Path, tick: timedelta) -> None:
    room = Clocked(tmp_path)
    for _ in range(3):
        room.seated(2, "brisk")
    room.time += 23 * HOUR
    room.well, room.tick, room.mails_go = room.time, tick, False
    before = len(room.mails())
    for _ in range(3):
        # The mails are not taken meanwhile: what was written must be enough to know it again.
        room.keeper.look(room.well)
        assert set(reminded(room).values()) == {1}
        assert len(room.mails()) == before + 3


@pytest.mark.parametrize("tick", TICKS)
def test_what_a_look_leads_to_waits_for_the_mail_of_the_day(tmp_path: Path, tick: timedelta) -> None:
    """The clock plays for Anna: Bob, who is asked next and wishes one mail a day, is not mailed in the same breath."""
    room = Clocked(tmp_path)
    room.seated(3, "medium")
    room.says("bob", "mail daily 20")
    room.on("2026-11-26T20:50")
    assert room.stored().secrets.defaults == {}
    room.time += HOUR / 2
    room.well, room.tick = room.time, tick
    before = len(room.mails("bob"))
    assert room.keeper.look(room.well)
    assert room.stored().secrets.defaults == {"anna": 1}
    assert "bob" in room.stored().secrets.held
    assert len(room.mails("bob")) == before


def test_an_order_that_changes_while_a_look_works_is_shown_later() -> None:
    """Each order of the clock may change what it would play for others: that is no reason to mail them twice."""
    now = utc("2026-11-26T12:00")
    found = next_action(parse_pace("medium"), ask(shown=(shown("2026-11-26T12:00", order="add 1"),)), now)
    assert found is not None
    assert (found.what, found.at) == (DueAction.REMIND, now + HOUR)


def test_what_is_taken_while_a_look_works_is_not_shown_anew() -> None:
    """The server took the reminder a second after the look had read the time."""
    now = utc("2026-11-26T12:00")
    taken = (shown("2026-11-26T11:59", "2026-11-26T12:00:01"),)
    found = next_action(parse_pace("medium"), ask(shown=taken), now)
    assert found is not None
    assert found.what is DueAction.PLAY
