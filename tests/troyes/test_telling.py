"""Entries told as sentences: every kind has its words, and whole games are told to every reader."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.catalog import Catalogue
from engine.event_log import LogEntry
from engine.game import Line, Seat
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
    named = {node.id for node in nodes if isinstance(node, ast.Name)}
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


@pytest.mark.parametrize("seed", SEEDS)
def test_whole_games_are_told_to_every_reader(seed: int) -> None:
    """Every sentence renders, touches whom it names, and is told in order."""
    players, bonus = 2 + seed % 3, seed % 2 == 0
    first = 1
    opening = games.opening(players, seed, bonus, names=HANDLES)
    steps = [opening, *(step for *_, step in games.random_game(players, seed, bonus, names=HANDLES))]
    last = steps[-1].state
    for step in steps:
        for reader in (None, *list(HANDLES)[:players]):
            # News are told long after: the last position must serve as well as the one that followed.
            lines = sentences.tell_news(step.state, step.entries, reader, first)
            assert lines == sentences.tell_news(last, step.entries, reader, first)
            check_lines(lines, first, step.entries)
            for line in lines:
                mentioned = re.search(r"\b[Yy]ou\b|\bYOUR\b", _without_card_texts(str(line.says)))
                if reader is None:
                    assert not mentioned and not line.mine, line.says
                else:
                    assert line.mine == bool(mentioned) or "characters" in str(line.says), line.says
        first += len(step.entries)


def _without_card_texts(text: str) -> str:
    return "" if text.startswith(("New ", "The characters")) else text
