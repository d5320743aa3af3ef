"""Values are compared by what they hold, and hold nothing but what they declare."""

from __future__ import annotations

import pytest

from engine.values import fixed


@fixed
class Place:
    """Where something stands."""

    row: str
    at: int = 0


@fixed(eq=False, kw_only=True)
class Thing:
    """Something that is only itself."""

    name: str


def test_what_holds_the_same_is_one_key() -> None:
    assert 1 == len({Place("a", 1), Place("a", 1)})
    assert 2 == len({Place("a"), Place("a", 1)})


def test_what_is_only_itself_is_a_key_of_its_own() -> None:
    assert 2 == len({Thing(name="a"), Thing(name="a")})


def test_nothing_can_be_put_beside_the_fields() -> None:
    with pytest.raises(AttributeError):
        Place("a").other = 1  # type: ignore[attr-defined]
