"""The law of what may stand unread next to an order: a closed list of courtesy, and nothing else."""

from __future__ import annotations

import os
import random

import pytest

from pbem.desk.orders import line_types
from tests.reading.beside import SAID, Pair, everywhere, pairs, retractions, sentences

SAMPLE, SOAK = 400, 20_000


def _played(found: list[Pair]) -> list[str]:
    return [f"{pair.where}: {pair.text!r} played {plays}" for pair in found if (plays := pair.plays)]


def test_no_order_is_played_over_a_sentence_that_no_table_knows() -> None:
    """The seeded sample."""
    assert _played(list(pairs(random.Random(21), SAMPLE))) == []


@pytest.mark.soak
@pytest.mark.parametrize("piece", range(10))
def test_soak_of_orders_beside_sentences(piece: int) -> None:
    """All 20,000 in ten pieces; `READING_SEED` begins elsewhere."""
    seed = int(os.environ.get("READING_SEED", "1")) * 1000 + 500 + piece
    assert _played(list(pairs(random.Random(seed), SOAK // 10))) == []


@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_second_thought_is_played_over(language: str) -> None:
    """Of each a few of its places; the soak has them all."""
    rng = random.Random(22)
    assert len(retractions()[language]) == 60
    found = [rng.choice(list(everywhere(rng, said, language))) for said in retractions()[language]]
    assert _played(found) == []


@pytest.mark.soak
@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_second_thought_is_played_over_wherever_it_stands(language: str) -> None:
    rng = random.Random(23)
    assert _played([pair for said in retractions()[language] for pair in everywhere(rng, said, language)]) == []


def test_half_of_what_is_said_was_written_for_something_else() -> None:
    assert len(sentences()) > 1000
    assert not {*sentences()} & {*SAID}


def test_the_law_can_be_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that takes what it does not know for courtesy is found."""
    monkeypatch.setattr(line_types.Sorter, "_is_courteous", lambda self, text: True)
    assert _played(list(pairs(random.Random(21), 120)))
