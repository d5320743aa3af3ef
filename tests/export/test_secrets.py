"""No export shows its reader what the reader may not know: not a byte of it depends on that.

Two tables that differ only in what a seat may not see (other hands, decks, sealed answers, the seed, private talk)
are exported for that seat; ids, times and commit ids held fixed, every format must come out the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine.catalog import ENGLISH
from engine.event_log import LogEntry
from pbem.export.audience import Audience
from pbem.export.document import export_document
from pbem.export.formats import convert_document
from pbem.export.game_source import GameSource
from pbem.store.commit_record import Record
from pbem.store.game_table import DecisionAnswers
from tests.export.tables import KINDS, table
from tests.fakegame import GAME as TALLY

FORMATS = ("json", "toml", "html", "md")


def written(source: GameSource, view: str) -> dict[str, bytes]:
    """Every format that a reader of that view can get."""
    sight = Audience.parse(view, source.seats)
    found = export_document(source, sight, ENGLISH)
    forms = (*FORMATS, "csv") if source.over else FORMATS
    return {form: convert_document(found, form, ENGLISH).data for form in forms}


def tampered(source: GameSource, seat: str, change: Callable[[str, Any], Any]) -> GameSource:
    """The same game with all that `seat` may not see changed: in the position, in every entry, in every record."""

    def entry(one: LogEntry) -> LogEntry:
        only = {who: data if who == seat else change(f"only.{who}", data) for who, data in one.only.items()}
        return replace(one, only=only, hidden=change("hidden", one.hidden))

    def record(one: Record) -> Record:
        private = one.private if one.seat == seat else {"orders": ["pass"], "tells": [{"to": "nobody", "text": "psst"}]}
        return replace(one, entries=tuple(entry(e) for e in one.entries), private=private)

    hidden = {
        name: {who: held if who == seat else change(f"{name}.{who}", held) for who, held in part.items()}
        if isinstance(part, dict)
        else part
        for name, part in source.stored.hidden.items()
    }
    secrets = replace(source.stored.secrets, seed="ab" * 32, words={}, said={"anna": (DecisionAnswers(1, "", 1),)})
    stored = replace(source.stored, hidden=hidden, secrets=secrets)
    return replace(source, stored=stored, records=tuple(record(one) for one in source.records))


def turned(place: str, value: Any) -> Any:
    """Another secret of the same shape: decks the other way round, hands of cards that nobody holds."""
    if isinstance(value, list):
        if value and all(isinstance(one, str) for one in value):
            return UNUSED[: len(value)] if "characters" in place else value[::-1]
        return value
    if isinstance(value, dict):
        return {key: turned(f"{place}.{key}", part) for key, part in value.items()}
    return value


UNUSED: list[str] = []


@pytest.mark.parametrize(("players", "seed", "stop"), [(2, 1, 4), (3, 2, 18), pytest.param(3, 3, 40, marks=pytest.mark.soak), (4, 4, 70)])
def test_no_seat_and_no_stranger_reads_a_rivals_hand(players: int, seed: int, stop: int) -> None:
    """Hands, decks, seed and private talk, in the middle of a game; decks that are not turned up, at any time."""
    source = table("troyes", players, seed, stop=stop)
    assert not source.over
    held = source.stored.hidden["characters"]
    known = set(itertools.chain(*held.values()))
    UNUSED[:] = [id for id in source.state().box.characters if id not in known]
    for view in ("public", *(f"seat:{seat}" for seat in source.seats)):
        other = tampered(source, view.removeprefix("seat:"), backwards(source))
        assert written(source, view) == written(other, view), view


def backwards(source: GameSource) -> Callable[[str, Any], Any]:
    """`turned`, but for the cards of a deck that were turned up in the meantime."""

    def change(place: str, value: Any) -> Any:
        if place != "hidden" or not isinstance(value, dict) or "decks" not in value:
            return turned(place, value)
        # What was drawn since stays where it was; what is still face down is turned round.
        left = source.stored.hidden["decks"]
        decks = {name: [*deck[: len(deck) - len(left[name])], *left[name][::-1]] for name, deck in value["decks"].items()}
        decks["activities"] = value["decks"]["activities"]
        return {**value, "decks": decks, "draws": []}

    return change


def test_a_sealed_answer_is_nobodys_business_before_all_have_answered() -> None:
    """Not what it is, and not that it is there: another answer gives the same bytes, and so does none at all."""
    source = next(
        found for stop in range(3, 40) if len((found := table("troyes-dice", 3, 4, stop=stop)).stored.hidden["sealed"]) == 1
    )
    (seat,) = source.stored.hidden["sealed"]
    others = [other for other in source.seats if other != seat]
    before = table("troyes-dice", 3, 4, stop=source.stored.table.records - 1)
    for view in ("public", *(f"seat:{other}" for other in others)):
        assert written(before, view) == written(source, view), view
    assert written(before, f"seat:{seat}") != written(source, f"seat:{seat}")


def test_a_game_nobody_has_heard_of_keeps_its_bids() -> None:
    """The post room knows no rules: what is secret is told by entries and views alone."""
    source = next(
        found for stop in range(3, 40) if len((found := table("tally", 3, 4, stop=stop, game=TALLY)).stored.hidden["bids"]) == 1
    )
    (seat,) = source.stored.hidden["bids"]
    reader = next(other for other in source.seats if other != seat)
    records = list(source.records)
    last = records[-1].entries
    records[-1] = replace(
        records[-1],
        entries=tuple(replace(e, only={seat: {"bid": 9}}) if e.kind == "sealed" else e for e in last),
        private={"orders": ["bid 9"]},
    )
    other = replace(source, records=tuple(records), stored=replace(source.stored, hidden={**source.stored.hidden, "bids": {seat: 9}}))
    for view in ("public", f"seat:{reader}"):
        assert written(source, view) == written(other, view)
    assert written(source, f"seat:{seat}") != written(other, f"seat:{seat}")


@pytest.mark.parametrize("leak", ["seats", "visible"])
def test_a_planted_leak_is_found(monkeypatch: pytest.MonkeyPatch, leak: str) -> None:
    """The law is no decoration: an export that takes a rival's secrets, or their entries, in turns it red."""
    if leak == "seats":
        monkeypatch.setattr(Audience, "seats", lambda self, seats: tuple(seats))
    else:
        monkeypatch.setattr("engine.event_log.LogEntry.seen_by", lambda self, seat: {**self.data, **self.only, **self.hidden})
    with pytest.raises(AssertionError):
        test_no_seat_and_no_stranger_reads_a_rivals_hand(3, 2, 18)


@pytest.mark.parametrize("kind", KINDS)
def test_no_reader_but_the_full_one_is_shown_hidden_tables(kind: str) -> None:
    """Decks and other people's tables do not even have a place in such a document."""
    source = table(kind, 3, 6, stop=12)
    for view in ("public", "seat:anna"):
        found = export_document(source, Audience.parse(view, source.seats))
        assert not {"kept", "addresses", "chance"} & found.keys()
        for row in found["records"]:
            for step in row["steps"]:
                change = step.get("change", {})
                assert "hidden" not in change
                assert set(change.get("secret", {})) <= ({"anna"} if view == "seat:anna" else set())
                assert all({"kind", "data"} == entry.keys() for entry in step.get("entries", ()))
