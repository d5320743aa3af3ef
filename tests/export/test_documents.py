"""Exports for programs: JSON and TOML say the same, keep their schema, and hold every position."""

from __future__ import annotations

import copy
import json
import tomllib
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.catalog import ENGLISH
from engine.errors import PositionError
from pbem.export.audience import Audience, NoAudience
from pbem.export.document import export_document
from pbem.export.document_reader import read_document
from pbem.export.formats import WRITERS
from pbem.export.visible_position import apply_change, difference, visible_position
from tests.export.tables import KINDS, NUMBERS, exported, sample, table

SCHEMA = json.loads(resources.files("pbem.export").joinpath("schema.json").read_text())
VIEWS = ("public", "seat:anna", "full")

trees = st.recursive(
    st.integers() | st.booleans() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=12,
)
tables = st.dictionaries(st.text(max_size=2), trees, max_size=4)


@given(tables, tables)
def test_a_change_leads_from_one_position_to_the_next(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Whatever two tables hold; True and 1 are not the same."""
    change, gone = difference(one, other)
    assert json.dumps(other, sort_keys=True) == json.dumps(apply_change(one, change, gone), sort_keys=True)


def test_nothing_is_written_where_nothing_changes() -> None:
    assert ({}, []) == difference({"a": {"b": [1]}}, {"a": {"b": [1]}})
    assert ({"a": {"c": 2}}, [["a", "b"]]) == difference({"a": {"b": 1, "d": 4}}, {"a": {"c": 2, "d": 4}})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("view", VIEWS)
def test_json_and_toml_hold_the_same_and_keep_the_schema(kind: str, view: str, tmp_path: Path) -> None:
    """The schema that is published; both forms are read back by the same reader."""
    source = sample(kind, 1)
    found = export_document(source, Audience.parse(view, source.seats))
    as_json, as_toml = tmp_path / "game.json", tmp_path / "game.toml"
    as_json.write_text(WRITERS["json"](found, ENGLISH))
    as_toml.write_text(WRITERS["toml"](found, ENGLISH))
    assert found == json.loads(as_json.read_text()) == tomllib.loads(as_toml.read_text())
    assert found == read_document(as_json) == read_document(as_toml)
    assert [] == [error.message for error in jsonschema.Draft202012Validator(SCHEMA).iter_errors(found)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("number", NUMBERS)
def test_every_position_stands_in_an_export_without_a_rule_being_run(kind: str, number: int) -> None:
    """After each record the changes, laid over each other, give what the entries fold to."""
    source = sample(kind, number)
    for view in VIEWS:
        sight = Audience.parse(view, source.seats)
        shown: dict[str, Any] = {}
        state: Any = None
        for row, record in zip(exported(kind, number, sight)["records"], source.records, strict=sight.full):
            for step in row["steps"]:
                shown = apply_change(shown, step.get("change", {}), step.get("gone", ()))
            if sight.full:
                assert record.number == row["number"]
                state = source.game.fold(state, record.entries)
                assert visible_position(source.game, state, sight, source.seats, ENGLISH) == shown
        assert source.stored.game == shown["table"]
        assert (source.stored.hidden if sight.full else None) == shown.get("hidden")


def test_every_entry_has_its_time_seat_order_dice_and_commit() -> None:
    """What programs may ask of the machine-readable form."""
    source = sample("troyes", 1)
    found = exported("troyes", 1, Audience(full=True))
    numbers = [entry["number"] for row in found["records"] for step in row["steps"] for entry in step["entries"]]
    assert list(range(1, source.stored.table.entries + 1)) == numbers
    letters = [row for row in found["records"] if row["what"] == "letter"]
    assert all(row["seat"] and row["orders"] and row["commit"] and row["at"].endswith("Z") for row in letters)
    rolls = [e["data"] for row in found["records"] for s in row["steps"] for e in s["entries"] if "draw" in e["data"]]
    assert len(rolls) > 20
    assert all(roll["shown"] and len(roll["draw"].split("/")) == 4 for roll in rolls)


def test_what_a_person_says_stays_at_the_table() -> None:
    """`say` is for the seats, `tell` for one of them; the public hears neither."""
    source = table("troyes", 3, 5, stop=6)
    record = source.records[3]
    also = {"says": ["hello all"]}
    private = {**record.private, "tells": [{"to": "faye", "text": "psst"}]}
    changed = replace(record, also=also, private=private)
    records = (*source.records[:3], changed, *source.records[4:])
    source = type(source)(source.game, source.stored, records, source.commits)
    heard = {
        view: [one["text"] for row in export_document(source, Audience.parse(view, source.seats))["records"] for one in row.get("talk", ())]
        for view in ("public", "seat:anna", "seat:faye", "seat:geoffrey", "full")
    }
    writer = f"seat:{record.seat}"
    for view, texts in heard.items():
        expected = [] if view == "public" else ["hello all", "psst"] if view in ("full", "seat:faye", writer) else ["hello all"]
        assert expected == texts, view


def test_a_view_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(NoAudience, match="seat:anna, seat:faye, full"):
        Audience.parse("anna", ["anna", "faye"])


@pytest.mark.parametrize(
    "text", ["", "{", "[1]", "{}", '{"format": "pbem-export", "version": 99}', "format = 3", "\ufffd\x00", "{" * 5000]
)
def test_what_is_no_export_is_refused_with_the_name_of_the_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "odd.json"
    path.write_text(text)
    with pytest.raises(PositionError, match=r"odd\.json"):
        read_document(path)


def test_the_recipe_in_the_manual_rebuilds_the_position() -> None:
    """docs/export.md, «Positions, without a rule being run»: its few lines are run as they stand there."""
    manual = (Path(__file__).parents[2] / "docs/export.md").read_text()
    recipe = manual.split("```python\n")[1].split("```")[0]
    for kind in KINDS:
        source = sample(kind, 1)
        names: dict[str, Any] = {"copy": copy, "export": exported(kind, 1, Audience(full=True))}
        exec(recipe, names)
        assert {"table": source.stored.game, "hidden": source.stored.hidden} == {
            part: names["position"][part] for part in ("table", "hidden")
        }
