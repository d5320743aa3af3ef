"""Likeness alone finds what was meant: how strong the last resort is for wordings that nobody foresaw."""

from __future__ import annotations

from itertools import islice

import pytest

from engine.troyes.repairs.likeness import Likeness

from .nearest import kind, near, rates, wordings

FLOOR = 0.95
"""The share asked of every game and language: what was meant is among the first three."""
FLOORS = {"troyes en": 0.98, "troyes fr": 0.98, "troyes-dice en": 0.97, "troyes-dice fr": 0.97}
"""What is reached."""
EVERY = 9
"""Of the wordings of each sheet a sample takes each so-manieth one."""


def test_the_nearest_of_a_sample_are_what_was_meant() -> None:
    found = rates(near(islice(wordings(), 1, None, EVERY)), kind)
    assert found.keys() == FLOORS.keys()
    for name, (every, _, few, _) in found.items():
        assert every >= 10
        assert few / every >= FLOOR, name


def test_the_measure_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """Likeness that does not look at dice finds less."""
    some = [one for one in islice(wordings(), 1, None, EVERY) if one.place.game.kind == "troyes"]
    monkeypatch.setattr(Likeness, "dice", lambda self, picks: 0.0)
    for name, (every, _, few, _) in rates(near(some), kind).items():
        assert few / every < FLOOR, name


@pytest.mark.soak
def test_the_nearest_are_what_was_meant() -> None:
    """Every wording; nearly all of them by the first number, and hardly any by none."""
    found = rates(near(wordings()), kind)
    assert found.keys() == FLOORS.keys()
    for name, (every, first, few, some) in found.items():
        assert few / every >= FLOORS[name], name
        assert first / every >= 0.9, name
        assert some / every >= few / every >= first / every
