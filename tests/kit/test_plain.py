"""Dataclasses as plain data and back: exact, apart from what they were made of, and with the path of what is wrong."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from typing import Any

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import PositionError
from engine.event_log import plain_copy
from engine.kit import codec

NAMES = st.text("abcdefgé -", min_size=1, max_size=5)
NUMBERS = st.integers(-9, 9)


@dataclass(slots=True)
class Piece:
    """A small part."""

    id: str
    value: int = 0
    marks: tuple[int, ...] = ()
    owners: list[str] = field(default_factory=list, metadata=codec.OPTIONAL)
    gone: bool = field(default=False, metadata=codec.OPTIONAL)


@dataclass(slots=True)
class Board:
    """All there is to write."""

    round: int
    name: str
    over: bool
    grid: list[list[str]]
    pieces: list[Piece]
    rows: tuple[Piece, ...]
    counts: dict[str, dict[str, int]]
    held: dict[str, Piece]
    agenda: list[dict[str, Any]]
    secret: str = "x"


@dataclass(slots=True)
class Coins:
    """What lies before a seat."""

    value: int = 0


PIECES = st.builds(Piece, NAMES, NUMBERS, st.lists(NUMBERS).map(tuple), st.lists(NAMES), st.booleans())
BOARDS = st.builds(
    Board,
    NUMBERS,
    NAMES,
    st.booleans(),
    st.lists(st.lists(NAMES)),
    st.lists(PIECES, max_size=3),
    st.lists(PIECES, max_size=3).map(tuple),
    st.dictionaries(NAMES, st.dictionaries(NAMES, NUMBERS)),
    st.dictionaries(NAMES, PIECES, max_size=3),
    st.lists(st.dictionaries(NAMES, st.one_of(NUMBERS, NAMES, st.lists(NAMES)), max_size=3), max_size=3),
)
FORM: codec.Codec[Board] = codec.Codec(Board)
EXAMPLE = Board(1, "a", False, [["b"]], [Piece("p")], (), {"c": {"d": 2}}, {"e": Piece("q")}, [{"step": "f"}])


@given(BOARDS)
def test_what_is_written_is_read_exactly(board: Board) -> None:
    data = FORM.write(board)
    assert board == FORM.read(data)
    assert data == tomllib.loads(tomli_w.dumps(data)) == json.loads(json.dumps(data))


@given(BOARDS)
def test_nothing_is_shared(board: Board) -> None:
    """Who changes the data changes no position, and the other way round."""
    data = FORM.write(board)
    kept = json.dumps(data)
    again = FORM.read(data)
    spoil(data)
    assert kept == json.dumps(FORM.write(again)) == json.dumps(FORM.write(board))


def spoil(data: Any) -> None:
    parts = list(data.values()) if isinstance(data, dict) else list(data)
    for part in parts:
        if isinstance(part, dict | list):
            spoil(part)
    data.clear()


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (("round",), "1", "round: '1' is not a whole number"),
        (("round",), True, "round: True is not a whole number"),
        (("over",), 1, "over: 1 is not true or false"),
        (("name",), None, "name: None is not text"),
        (("grid",), {}, "grid: {} is not a list"),
        (("grid", 0), "b", "grid.1: 'b' is not a list"),
        (("grid", 0, 0), 3, "grid.1.1: 3 is not text"),
        (("pieces", 0, "value"), 1.5, "pieces.p.value: 1.5 is not a whole number"),
        (("pieces", 0), [], "pieces.1: [] is not a table"),
        (("counts", "c"), [], "counts.c: [] is not a table"),
        (("counts", "c", "d"), "2", "counts.c.d: '2' is not a whole number"),
        (("held", "e", "owners"), [3], "held.e.owners.1: 3 is not text"),
        (("held", "e", "hue"), 3, "held.e.hue: is not known here"),
        (("agenda",), [3], "agenda.1: 3 is not a table"),
    ],
)
def test_the_path_of_what_is_wrong_is_told(path: tuple[Any, ...], value: Any, expected: str) -> None:
    data: Any = FORM.write(EXAMPLE)
    *above, last = path
    holder = data
    for word in above:
        holder = holder[word]
    holder[last] = value
    with pytest.raises(PositionError) as error:
        FORM.read(data, "")
    assert expected == str(error.value)
    with pytest.raises(PositionError) as error:
        FORM.read(data, "here")
    assert f"here.{expected}" == str(error.value)


@pytest.mark.parametrize("name", FORM.write(EXAMPLE))
def test_what_is_missing_is_told(name: str) -> None:
    data = FORM.write(EXAMPLE)
    del data[name]
    with pytest.raises(PositionError, match=f"^{name}: is missing$"):
        FORM.read(data)


def test_what_is_optional_is_left_out_where_it_is_empty() -> None:
    form = codec.Codec(Piece)
    assert {"id": "p", "value": 0, "marks": []} == form.write(Piece("p"))
    assert {"id": "p", "value": 0, "marks": [1], "owners": ["a"], "gone": True} == form.write(
        Piece("p", 0, (1,), ["a"], True)
    )
    assert Piece("p") == form.read({"id": "p", "value": 0, "marks": []})


def test_a_form_may_take_some_fields_only() -> None:
    form = codec.Codec(Board, "round name")
    assert {"round": 1, "name": "a"} == form.write(EXAMPLE)
    assert {"round": 1, "name": "a"} == form.values({"round": 1, "name": "a"})


def test_a_type_without_a_plain_form_is_told_at_once() -> None:
    with pytest.raises(TypeError, match="has no plain form"):
        codec.read_value(set[str], [], "x")


def test_rows_of_seats_carry_their_names() -> None:
    """`seats.anna.value`, as a moderator writes it."""
    form = codec.Codec(Coins)
    names, held = {"anna": "Anna", "bo": "Bo"}, {"bo": Coins(2), "anna": Coins(1)}
    rows = codec.write_seats(names, held, form)
    assert (names, held) == codec.take_seats({"seats": plain_copy(rows)}, form)
    assert [{"seat": "anna", "name": "Anna", "value": 1}, {"seat": "bo", "name": "Bo", "value": 2}] == rows
    for damage, expected in (
        ({"value": "x"}, "seats.bo.value: 'x' is not a whole number"),
        ({"name": 3}, "seats.bo.name: 3 is not text"),
        ({"seat": 3}, "seats.2.seat: 3 is not text"),
    ):
        with pytest.raises(PositionError) as error:
            codec.take_seats(plain_copy({"seats": [rows[0], rows[1] | damage]}), form)
        assert expected == str(error.value)


def test_tables_of_an_older_schema_are_brought_up_to_date() -> None:
    def second(public: dict[str, Any], secret: dict[str, Any]) -> None:
        public["new"] = secret.pop("old")

    public, secret = {"schema": 1}, {"old": 3}
    codec.migrate(public, secret, 2, {1: second})
    assert ({"schema": 2, "new": 3}, {}) == (public, secret)
    for schema in (3, "x", [], None):
        with pytest.raises(PositionError, match=r"^schema: "):
            codec.migrate({"schema": schema}, {}, 2, {1: second})


@dataclass(frozen=True)
class Spot:
    """A place as a word."""

    word: str

    def __str__(self) -> str:
        return self.word

    @classmethod
    def parse(cls, text: str) -> Spot:
        if not text.isalpha():
            raise ValueError(text)
        return cls(text)


@dataclass(frozen=True)
class Walk:
    """To a place, maybe past another."""

    to: Spot
    past: Spot | None = None
    times: int = 1


@dataclass(frozen=True)
class Rest:
    """Nowhere."""


@dataclass(frozen=True)
class Day:
    """What was done, and by whom."""

    does: Walk | Rest
    who: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("day", "written"),
    [
        (Day(Rest()), {"does": {"verb": "rest"}}),
        (Day(Walk(Spot("hill")), ("anna",)), {"does": {"verb": "walk", "to": "hill"}, "who": ["anna"]}),
        (Day(Walk(Spot("hill"), Spot("mill"), 2)), {"does": {"verb": "walk", "to": "hill", "past": "mill", "times": 2}}),
    ],
)
def test_one_of_several_is_written_with_its_name_and_without_what_goes_without_saying(day: Day, written: Any) -> None:
    form = codec.Codec(Day, sparse=True)
    assert written == form.write(day)
    assert day == form.read(written)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"does": {"verb": "fly"}}, "does: {'verb': 'fly'} is none of walk, rest"),
        ({"does": {"to": "hill"}}, "does: {'to': 'hill'} is none of walk, rest"),
        ({"does": {"verb": "walk"}}, "does.to: is missing"),
        ({"does": {"verb": "walk", "to": "h1"}}, "does.to: 'h1' cannot be read"),
        ({"does": {"verb": "walk", "to": 1}}, "does.to: 1 is not text"),
        ({"does": {"verb": "rest", "to": "hill"}}, "does.to: is not known here"),
        ({"does": {"verb": "rest"}, "who": ["anna", 3]}, "who.2: 3 is not text"),
    ],
)
def test_what_is_wrong_in_one_of_several_is_told_with_its_path(data: Any, says: str) -> None:
    with pytest.raises(PositionError) as wrong:
        codec.Codec(Day, sparse=True).read(data)
    assert says == str(wrong.value)
