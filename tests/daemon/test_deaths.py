"""Of what the program has died: a death tells against a letter only if nothing else was begun since the start.

The machine may die of anything while many letters wait; none of them is put aside for it. What does kill is still found.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.daemon.main_loop import DONE, TROUBLE
from pbem.store.errors import HandEdited
from pbem.store.inbound_queue import MAX_ATTEMPTS
from tests.daemon.fakes import Host, Killed, letter


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


async def dies(host: Host, *moods: tuple[str, object]) -> None:
    host.restart()
    host.desk.moods |= dict(moods)
    with pytest.raises(Killed):
        await host.daemon.run(once=True)


def deaths(host: Host) -> dict[str, tuple[int, bool]]:
    return {one.raw.rpartition(b"\r\n\r\n")[2].strip().decode(): (one.deaths, one.open) for one in host.spool.waiting()}


async def test_letters_that_were_begun_after_others_are_innocent_of_a_death(host: Host) -> None:
    host.box.deliver("one", "two", "three", "four")
    await dies(host, ("four", Killed()))
    assert deaths(host) == {"four": (0, True)}
    host.restart()
    assert await host.daemon.run(once=True) == DONE
    assert host.server.taken == ["one", "two", "three", "four"]


@pytest.mark.parametrize("first", [(), ("good",)])
async def test_a_letter_that_kills_is_found_wherever_it_stands(host: Host, first: tuple[str, ...]) -> None:
    host.box.deliver(*first, "poison", "more")
    for _ in range(MAX_ATTEMPTS + len(first)):
        await dies(host, ("poison", Killed()))
    host.restart()
    assert await host.daemon.run(once=True) == DONE
    assert host.box.folders["Quarantine"] == [letter("poison")]
    assert host.server.taken == [*first, "more"]
    assert host.desk.told == [("anna@players.test", False)]


async def test_a_letter_that_waits_for_its_game_does_not_hide_one_that_kills(host: Host) -> None:
    """It is begun again at each start, and comes to nothing."""
    held = ("parked", HandEdited("tale-3", ["state.toml"]))
    host.box.deliver("parked", "poison", "good")
    for _ in range(MAX_ATTEMPTS + 1):
        await dies(host, ("poison", Killed()), held)
    host.restart()
    host.desk.moods |= dict([held])
    assert await host.daemon.run(once=True) == TROUBLE
    assert host.box.folders == {"Quarantine": [letter("poison")], "Handled": [letter("good")]}
    assert deaths(host) == {"parked": (0, False)}


async def test_the_first_letter_after_a_start_stands_alone(host: Host) -> None:
    """Else the one behind it could have been what we died of."""
    rows: list[int] = []

    @contextmanager
    def row() -> Iterator[None]:
        rows.append(0)
        yield

    host.intake._batch = row
    before = host.desk.handle

    def handle(*given: object) -> object:
        rows[-1] += 1
        return before(*given)  # type: ignore[arg-type]

    host.desk.handle = handle  # type: ignore[assignment,method-assign]
    host.box.deliver("one", "two", "three")
    await host.daemon.run(once=True)
    assert rows == [1, 2]


async def test_a_defect_tells_against_a_letter_whatever_was_begun_before(host: Host) -> None:
    host.box.deliver("good", "defect")
    host.desk.moods["defect"] = ZeroDivisionError()
    await host.daemon.run(once=True)
    assert deaths(host) == {"defect": (1, True)}


async def test_who_cannot_be_told_keeps_nothing_from_being_put_aside(host: Host) -> None:
    host.box.deliver("poison")
    for _ in range(MAX_ATTEMPTS):
        await dies(host, ("poison", Killed()))
    host.restart()
    host.desk.moods["aside poison"] = ZeroDivisionError()
    assert await host.daemon.run(once=True) == DONE
    assert host.box.folders["Quarantine"] == [letter("poison")]
    assert len(host.reports) == 1
    assert host.desk.told == []
