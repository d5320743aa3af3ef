"""ARCHITECTURE.md describes four walks through the code; the real calls agree with each."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.daemon.main_loop import DONE
from tests.daemon.test_service import Host, host
from tests.daemon.walk import ROOT, WALKS, described, folders, out_of_order, rooms, traced
from tests.repair.terminal import at
from tests.whole.room import Hall

__all__ = ["host"]


@pytest.mark.parametrize("walk", WALKS)
def test_each_walk_names_files_and_enters_no_folder_twice(walk: str) -> None:
    names = described(walk)
    assert len(names) > 6
    assert [] == [name for name in names if not (ROOT / name.replace(".", "/")).with_suffix(".py").is_file()]
    assert len(folders(names)) == len(set(folders(names)))


async def test_a_letter_walks_as_described(host: Host) -> None:
    """In this order, and through no other room. `make test ARGS='-s -k walks_as'` prints the calls."""
    host.begin()
    assert await host.once() == DONE
    who = next(name for name in ("anna", "eve") if "your turn" in host.mails(name)[-1]["Subject"])
    await host.answer(who, "1")
    with traced() as calls:
        assert await host.once() == DONE
    print(*dict.fromkeys(calls), sep="\n")
    assert [] == out_of_order(described("a letter"), calls)
    # Settings, the spool, hours of people and the reader of lines are asked everywhere; `gm` lines are looked for.
    assert set() == set(rooms(calls)) - set(rooms(described("a letter"))) - {"host", "store", "clocks", "reading", "admin"}


def test_an_order_and_a_mail_walk_as_described(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.seat_all(2)
    order = ""
    while not order:
        seat = hall.rules.waiting(hall.position())[0].seat
        texts = [offer.text for offer in hall.rules.offers(hall.position(), seat)]
        order = next((text for text in texts if text.startswith(("activate", "build", "farm"))), "")
        if not order:
            hall.send(seat, "1")
    with traced() as calls:
        hall.send(seat, order)
    print(order, *dict.fromkeys(calls), sep="\n")
    assert [] == out_of_order(described("an order"), calls)
    # Sending is the end of a letter's walk.
    assert [] == out_of_order(described("a mail")[:-1], calls)


def test_an_admin_action_walks_as_described(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.seat_all(2)
    with traced() as calls:
        result = at(tmp_path).run("hold", hall.table, "--why", "Faye is ill")
    print(result.output, *dict.fromkeys(calls), sep="\n")
    assert result.exit_code == 0
    assert [] == out_of_order(described("an admin action"), calls)


def test_another_order_is_found() -> None:
    assert ["b"] == out_of_order(["a", "c", "b"], ["a", "b", "c"])
    assert [] == out_of_order(["a", "b", "a"], ["a", "c", "b", "c", "a"])
