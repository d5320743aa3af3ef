"""Entries told as sentences: every kind has its words, and whole games are told to every reader."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from engine.catalog import Catalogue
from engine.event_log import LogEntry
from engine.game import Line, Seat, Step
from engine.troyes.card_data.troyes_box import load_box
from engine.troyes.events.play import KINDS
from engine.troyes.news import order_phrases, sentences, solo_text
from engine.troyes.notation.order_words import VERBS
from engine.troyes.phases.game_flow import ANSWERS
from engine.troyes.solo.solo_turn import LE_ROY_ACTIONS
from engine.troyes.state import orders
from tests.pseudo import PSEUDO
from tests.troyes import games

HANDLES = {Seat("h-one"): "Anna", Seat("h-two"): "Faye", Seat("h-three"): "Geoffrey", Seat("h-four"): "Émile Nord"}
"""Handles that no sentence may show where a name belongs."""

SEEDS = (*range(4), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(4, 10)))


def test_every_kind_of_entry_is_told_within_another_or_left_untold_on_purpose() -> None:
    """Each heads a matter, or is named where the facts of a matter are told: nothing happens in silence."""
    rooms = [path for path in Path(sentences.__file__).parent.glob("*.py") if path.name != "__init__.py"]
    nodes = [node for room in rooms for node in ast.walk(ast.parse(room.read_text()))]
    named = {getattr(node, "id", getattr(node, "attr", "")) for node in nodes if isinstance(node, ast.Name | ast.Attribute)}
    assert {"begins", "pays", "agenda"} < KINDS.facts.keys()
    assert [] == [kind for kind in KINDS.facts.values() if kind not in sentences.SENTENCES and kind.__name__ not in named]


def test_every_order_has_words() -> None:
    """Le Roy's answer is told by the action it came to."""
    assert {kind for kinds in ANSWERS.values() for kind in kinds} == {*order_phrases.ORDER_PHRASES, orders.LeRoy}
    assert set(load_box().solo.actions) == set(solo_text.ACTIONS) == set(LE_ROY_ACTIONS)


def check_lines(lines: Sequence[Line], first: int, entries: Sequence[LogEntry]) -> None:
    """What holds of all news, whoever reads it."""
    ends = [line.end for line in lines]
    assert sorted(ends) == ends
    assert all(first <= end < first + len(entries) for end in ends)
    for line in lines:
        text = str(line.says)
        assert "{" not in text and "}" not in text and "None" not in text, text
        for handle in HANDLES:
            assert not re.search(rf"\b{handle}\b(?!:[YWR][1-6])", text), text
        assert text.split()[0].strip(":").lower() not in VERBS, text
        assert text.endswith((".", "»")), text
        assert "⟦" == Catalogue(PSEUDO).render(line.says)[0], text


def check_told(steps: Sequence[Step], names: Iterable[Seat]) -> None:
    """Every sentence renders, touches whom it names, is told in order, and reads the same long after."""
    first, last = 1, steps[-1].state
    for step in steps:
        for reader in (None, *(seat for seat in names if seat in last.names)):
            # News are told long after: the last position must serve as well as the one that followed.
            lines = sentences.tell_news(step.state, step.entries, reader, first)
            assert lines == sentences.tell_news(last, step.entries, reader, first)
            check_lines(lines, first, step.entries)
            for line in lines:
                text = "" if str(line.says).startswith(("New ", "The characters")) else str(line.says)
                mentioned = bool(re.search(r"\b[Yy]our?\b|\bYOUR\b", text))
                assert line.mine == (mentioned and reader is not None) or "characters" in str(line.says), line.says
                assert reader is not None or not (mentioned or line.mine), line.says
        first += len(step.entries)


@pytest.mark.parametrize("seed", SEEDS)
def test_whole_games_are_told_to_every_reader(seed: int) -> None:
    players, bonus = 2 + seed % 3, seed % 2 == 0
    opening = games.opening(players, seed, bonus, names=HANDLES)
    check_told([opening, *(step for *_, step in games.random_game(players, seed, bonus, names=HANDLES))], HANDLES)
