"""ARCHITECTURE.md tells the walk of a letter; the real calls agree with it."""

from __future__ import annotations

from pathlib import Path

from pbem.daemon.main_loop import DONE
from tests.daemon.test_service import Host, host
from tests.daemon.walk import ROOT, out_of_order, rooms, told, traced

__all__ = ["host"]


def test_every_name_of_the_walk_is_a_file() -> None:
    """The picture may name only what exists."""
    paths = [ROOT / Path(*name.split(".")) for name in told()]
    assert len(paths) > 8
    assert [] == [path for path in paths if not (path.with_suffix(".py").is_file() or path.is_dir())]


async def test_a_letter_walks_as_the_page_says(host: Host) -> None:
    """In the order told, and through no room that is not told. `make test ARGS='-s -k walks_as'` prints it."""
    host.begin()
    assert await host.once() == DONE
    who = next(name for name in ("anna", "eve") if "your turn" in host.mails(name)[-1]["Subject"])
    await host.answer(who, "1")
    with traced() as calls:
        assert await host.once() == DONE
    print(*dict.fromkeys(calls), sep="\n")
    assert [] == out_of_order(told(), calls)
    # Settings, the spool and the hours of people are asked everywhere.
    assert set() == set(rooms(calls)) - set(rooms(told())) - {"host", "store", "clocks"}


def test_another_order_is_found() -> None:
    assert ["b"] == out_of_order(["a", "c", "b"], ["a", "b", "c"])
    assert [] == out_of_order(["a", "b", "a"], ["a", "c", "b", "c", "a"])
