"""Whatever a moderator does to an honest game, its dice are still shown to be honest: by `pbem verify`, by the script
that stands alone, and by `pbem import`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.admin.actions import position_values
from pbem.admin.admin_action import AdminAction, ArgumentKind, BoundAction
from pbem.admin.admin_words import ADMIN_WORDS
from pbem.admin.persons import Person
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.daemon.timekeeping import Timekeeper
from pbem.export import verify_alone
from pbem.export.audience import Audience
from pbem.export.document import export_document
from pbem.export.formats import json_text
from pbem.export.game_source import read_source
from pbem.export.import_game import import_document
from pbem.export.verify_export import verify_game
from pbem.host.people import People
from pbem.store.commit_record import read_records
from pbem.store.game_store import GameStore
from tests.repair.bench import Bench

KINDS = ("troyes", "troyes-dice")
ACTIONS = {one.word: one for one in ADMIN_WORDS if isinstance(one, AdminAction)}
GIVEN: dict[ArgumentKind, Any] = {
    ArgumentKind.SEAT: "faye", ArgumentKind.STEP: "11", ArgumentKind.NAME: "Fanny", ArgumentKind.TEXT: "I am away until Monday.",
    ArgumentKind.PERSON: Person("Zoe", ("zoe@people.test",)), ArgumentKind.ORDER: ["1"], ArgumentKind.VALUE: "+1",
}  # fmt: skip
"""What an action is given, by what it takes; and some by their words, which want something else under that name."""
OTHER: dict[str, dict[str, Any]] = {
    "deadline": {"more": "+2d"}, "away": {"days": "24 dec to 6 jan"}, "pace": {"pace": "brisk"},
    "computer": {"level": "novice"}, "replace": {"language": "fr"}, "invite": {"language": "fr"},
    "address": {"address": "anna@example.org"},
}  # fmt: skip
BEFORE = {
    "resume": "hold", "rollforward": "rollback", "computer off": "computer", "deadline": "pace", "undo default": "pace",
}  # fmt: skip
"""What has to be done before an action can be done."""
GATHERS = ("start", "invite")
"""Deeds to a table that has not begun."""


def cases() -> Iterator[str]:
    """Every action, and once more with each of its flags."""
    for word, one in ACTIONS.items():
        flags = [part.name for part in one.takes if part.takes is ArgumentKind.FLAG]
        yield from (word, *(f"{word} {flag}" for flag in flags))


def doing(bench: Bench, case: str) -> BoundAction:
    """An action with all that it takes."""
    word, _, flagged = case.partition(" ")
    one, given = ACTIONS[word], dict[str, Any]()
    for part in one.takes:
        if part.takes is ArgumentKind.FLAG:
            given[part.name] = part.name == flagged
        elif part.takes is ArgumentKind.PATH:
            given[part.name] = "anna.deniers" if bench.kind == "troyes" else "anna.circled.denier"
        else:
            given[part.name] = GIVEN[part.takes]
    if word == "as":
        given["seat"] = str(bench.asked())
    if word == "edit":
        path = "seats.anna.deniers" if bench.kind == "troyes" else "seats.anna.circled.denier"
        return lambda context: position_values.set_values(context, [(path, 9)], "as agreed")
    return one.of(bench.desk.services, given | OTHER.get(word, {}), "for the better")


def opened(folder: Path, kind: str, *, gathering: bool) -> Bench:
    bench = Bench(folder, kind)
    if gathering:
        people = tuple(Invited(name, (f"{name.lower()}@people.test",)) for name in ("Anna", "Faye", "Geoffrey"))
        open_table(bench.desk, Opening(kind, people, seed=b"s" * 32))
        for seat in ("anna", "geoffrey"):
            bench.send(seat, "join plum")
        return bench
    bench.seat_all(2)
    bench.play(14)
    return bench


def let_the_clock_play(bench: Bench) -> None:
    """Nobody answers until the clock does."""
    keeper = Timekeeper(bench.desk, bench.folder / "mail", lambda: bench.time, lambda says, game: None)
    for _ in range(200):
        bench.spool.sent([row.message_id for row in bench.spool.rows(state="ready")], bench.time)
        bench.time += timedelta(hours=1)
        keeper.look(bench.time)
        if "default" in [record.what for record in read_records(bench.store.open(bench.table))]:
            return
    pytest.fail("the clock has played nothing")


@pytest.mark.parametrize("case", tuple(cases()))
@pytest.mark.parametrize("kind", KINDS)
def test_an_honest_game_holds_after_every_action(kind: str, case: str, tmp_path: Path) -> None:
    bench = opened(tmp_path / "host", kind, gathering=case in GATHERS)
    if before := BEFORE.get(case, ""):
        bench.repair(doing(bench, before))
    if case == "undo default":
        let_the_clock_play(bench)
    bench.repair(doing(bench, case))
    if case in GATHERS:
        for seat in ("faye", "zoe"):
            if bench.stored(bench.table).table.status == "gathering":
                bench.send(seat, "join pear")
    for _ in range(4):
        if bench.status == "running" and bench.asked():
            bench.play(1)
    repo = bench.store.open(bench.table)
    proof = verify_game(repo, reveal=True, words=bench.spool.words)
    assert ((), True) == (proof.differences, proof.holds)
    found = json.loads(json_text(export_document(read_source(repo, words=bench.spool.words), Audience(full=True), valued=False)))
    assert [] == verify_alone.check_draws(found)[1]
    import_document(found, GameStore(tmp_path / "games"), People(tmp_path / "mail"), bench.time)
    assert bench.table in GameStore(tmp_path / "games").names()
