"""The project's table of decisions has a row for each kind that the engine asks."""

from __future__ import annotations

import pytest

from engine.game import Decision
from engine.troyes_dice.actions import sealed_answers
from engine.troyes_dice.notation.order_words import TABLE, VERBS
from tests.dice.games import GAME, Run, begin, options_of, steps

WORDS = {
    "numbering": (frozenset({"numbering"}), "numbering 4 up", "numbering 4 5 6 1 2 3"),
    "half-day": (
        frozenset(TABLE["colour"]),
        "red 6 as white 5: cathedral; pay influence; bonus yellow, counts-palace 3",
    ),
    "bonus": (frozenset({"bonus"}), "bonus yellow, counts-palace 3"),
}
"""Kind of decision: the words its canonical orders begin with, and how they look."""
STANDING = {"auto:"}
"""What an order that answers begins with, where it stands for later half days too."""


def asked(run: Run) -> list[Decision]:
    return [decision for decision in GAME.waiting(run.state) if not decision.answered]


def test_every_kind_the_engine_has_is_in_the_table() -> None:
    assert set(WORDS) == {sealed_answers.NUMBERING, sealed_answers.HALF_DAY, sealed_answers.BONUS}
    for begins, *examples in WORDS.values():
        assert all(example.split()[0] in begins for example in examples)
        assert begins <= set(VERBS.values()) | set(TABLE["colour"])


@pytest.mark.parametrize("seed", range(6))
def test_every_decision_of_a_game_has_its_words(seed: int) -> None:
    """Offers, examples and the list of all orders begin with the words of the table, and a question is put."""
    players, options = options_of(seed)
    run = begin(min(players, 3), seed=seed, facts=None, **{k: v for k, v in options.items() if "." not in k})
    kinds = set()
    for n, (seat, _) in enumerate(steps(run, seed)):
        decision = next(one for one in asked(run) if one.seat == seat)
        kinds.add(decision.kind)
        if n % 5:
            continue
        assert str(decision.question).endswith(".")
        begins = WORDS[decision.kind][0]
        made = GAME.offers(run.state, seat)
        assert made
        assert {offer.text.split()[0] for offer in made} <= begins | STANDING
        assert {text.split()[0] for text in GAME.reference.examples(run.state, seat, [offer.text for offer in made])} <= begins
    assert "half-day" in kinds
    assert kinds <= set(WORDS)
