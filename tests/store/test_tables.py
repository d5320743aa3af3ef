"""TOML as the store writes it."""

from __future__ import annotations

import json
import string
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from engine.errors import PositionError
from pbem.store import toml_format

texts = some.text(some.characters(exclude_categories=["Cs"]), max_size=30)
long_texts = some.text(string.ascii_letters + " \n\"'\\é", max_size=150)
keys = some.one_of(some.text(string.ascii_lowercase + "_-", min_size=1, max_size=12), texts)
plain = some.one_of(texts, long_texts, some.integers(-(2**63), 2**63 - 1), some.booleans())
values = some.recursive(
    plain,
    lambda inner: some.one_of(some.lists(inner, max_size=6), some.dictionaries(keys, inner, max_size=5)),
    max_leaves=40,
)
data = some.dictionaries(keys, values, max_size=6)


@settings(max_examples=30)
@given(data)
def test_what_is_written_reads_back_equal_and_in_the_same_order(table: dict[str, Any]) -> None:
    """A sample; the soak writes many."""
    reads_back(table)


@pytest.mark.soak
@settings(max_examples=3000)
@given(data)
def test_whatever_is_written_reads_back_equal_and_in_the_same_order(table: dict[str, Any]) -> None:
    reads_back(table)


def reads_back(table: dict[str, Any]) -> None:
    back = toml_format.parse_toml(toml_format.toml_bytes(table), "x.toml")
    assert json.dumps(table) == json.dumps(back)


def test_a_position_reads_as_a_person_would_write_it() -> None:
    """Short lists and tables stay on their lines, tables in a list stand one to a line, the last ones in sections."""
    position = {
        "round": 3,
        "queue": ["brigands", "war"],
        "influence": {"anna": 4, "bob": 0},
        "seats": [{"seat": "anna", "dice": ["R4", "W3"]}, {"seat": "bob", "dice": []}],
        "district": {"red": {"buildings": [[1, "anna"], [2, "bob"]], "note": "x" * 90}},
    }
    expected = """\
round = 3
queue = ["brigands", "war"]
influence = {anna = 4, bob = 0}
seats = [
    {seat = "anna", dice = ["R4", "W3"]},
    {seat = "bob", dice = []},
]

[district.red]
buildings = [[1, "anna"], [2, "bob"]]
note = "%s"
""" % ("x" * 90)
    assert expected == toml_format.toml_bytes(position).decode()


def test_a_large_table_before_a_plain_value_keeps_its_place_with_dotted_keys() -> None:
    position = {"red": {"note": "x" * 90, "n": 1}, "round": 3}
    assert f'red.note = "{"x" * 90}"\nred.n = 1\nround = 3\n' == toml_format.toml_bytes(position).decode()


def test_moments_keep_their_zone_and_microseconds() -> None:
    moments = {
        "utc": datetime(2026, 11, 20, 12, 0, 1, 250, tzinfo=UTC),
        "paris": datetime(2026, 11, 20, 13, 0, tzinfo=timezone(timedelta(hours=1))),
        "ratio": 0.1,
    }
    raw = toml_format.toml_bytes(moments)
    assert moments == toml_format.parse_toml(raw, "x.toml")
    assert b"utc = 2026-11-20T12:00:01.000250Z" in raw


@pytest.mark.parametrize(
    ("value", "where"),
    [({"a": {"b": None}}, "a.b"), ({"a": [1, {"b": {1}}]}, "a[1].b"), ({"a": {3: 1}}, "a"), ({"b": "\ud800"}, "b")],
)
def test_values_that_toml_does_not_have_are_refused_with_their_path(value: dict[str, Any], where: str) -> None:
    with pytest.raises(PositionError) as refused:
        toml_format.toml_bytes(value)
    assert where == refused.value.where


@pytest.mark.parametrize("raw", [b"a = ", b"a = 1\na = 2\n", b"\xff", b"x = " + b"[" * 5000, b"state"])
def test_what_is_not_toml_is_refused_by_the_name_of_the_file(raw: bytes) -> None:
    with pytest.raises(PositionError, match=r"^state\.toml: is "):
        toml_format.parse_toml(raw, "state.toml")


def test_an_editor_s_byte_order_mark_and_line_ends_are_read() -> None:
    assert toml_format.parse_toml("\ufeffa = 1\r\nb = 2\r\n".encode(), "state.toml") == {"a": 1, "b": 2}
