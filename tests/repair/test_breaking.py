"""What a refusal suggests: legal orders near to what was written, never the line itself, and no secret."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from engine.chance import SeededChance
from engine.game import AnyGame, find_game
from engine.kit.suggest import MAX_SUGGESTED
from engine.troyes.options.offers import offered_orders
from engine.troyes.suggest import ranking
from engine.troyes.suggest import ranking as troyes
from engine.troyes_dice import suggest as dice
from tests.repair.breaking import one_slip, positions, refuses, spoilt
from tests.troyes import games

SEEN, ENOUGH = 0.9, 0.98
"""The share of orders with one slip that must be among those suggested, and of slips for which anything must be."""
OTHER = SeededChance(b"other", (), "")
"""What nobody sees, dealt otherwise."""


def lawful(game: AnyGame, state: Any, seat: str, line: str) -> tuple[str, ...]:
    """What is suggested for a line: complete, legal, in the reader's language, from what the seat knows alone.

    The best options come first, and what is best may rest on the seat's own character, which nobody else sees: the desk
    asks without it.
    """
    whole, other = state, game.thinking.imagined(state, seat, OTHER)
    state, other = (game.moderation.redacted(one, seat) for one in (whole, other))
    found = game.reference.repairs(state, seat, line)
    assert found == game.reference.repairs(other, seat, line), line
    assert len(found) <= MAX_SUGGESTED and len(set(found)) == len(found)
    assert line not in found
    for one in found:
        assert not refuses(game, whole, seat, one), (line, one)
        reading = game.read(state, seat, one)
        assert one == reading.text == game.write(state, seat, reading.order, "en"), (line, one)
    french = game.reference.repairs(state, seat, line, "fr")
    assert found == tuple(game.read(state, seat, one).text for one in french), line
    return found


def hold(seeds: range, every: int) -> None:
    """The laws for spoilt orders of many positions, and how often an order with one slip is among those suggested."""
    counts: dict[str, Counter[str]] = {}
    for seed in seeds:
        rng = random.Random(seed)
        for game, state, seat, text in positions(seed, every):
            count = counts.setdefault(game.kind, Counter())
            for line, slipped in ((one_slip(rng, text), True), (spoilt(rng, text), False)):
                if not line or not refuses(game, state, seat, line):
                    continue
                found = lawful(game, state, seat, line)
                count["spoilt"] += not slipped
                count["lines"] += slipped
                count["first"] += slipped and found[:1] == (text,)
                count["among them"] += slipped and text in found
                count["any"] += slipped and bool(found)
    for kind, count in sorted(counts.items()):
        shares = ", ".join(f"{what} {count[what] / count['lines']:.1%}" for what in ("first", "among them", "any"))
        print(f"{kind}: {count['spoilt']} spoilt orders; of {count['lines']} with one slip {shares}")
        assert count["lines"] > 2 * len(seeds) and count["spoilt"] > 2 * len(seeds)
        assert count["among them"] >= SEEN * count["lines"]
        assert count["any"] >= ENOUGH * count["lines"]
    assert len(counts) == 2


def test_suggestions_are_legal_and_near() -> None:
    """A sample; the soak has many games."""
    hold(range(4), 6)


@pytest.mark.soak
def test_suggestions_of_many_games_are_legal_and_near() -> None:
    hold(range(3, 90), 3)


def test_nothing_is_suggested_for_words_of_nothing() -> None:
    """«nonsense» is not «none»; what is near nothing that can be done is answered by the options alone."""
    game, state, seat, _ = next(positions(0, 40))
    for line in ("nonsense", "what a game", "the weather is fine here", "xyzzy", "help me"):
        assert () == game.reference.repairs(state, seat, line)


def test_nothing_is_made_for_a_line_with_too_little_of_any_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Talk: neither options nor orders are made to be compared with it."""

    def never(*_: object) -> Any:
        raise AssertionError("orders were made")

    for module in (troyes, dice):
        monkeypatch.setattr(module, "rank_legal", never)
    for seed in (0, 3):
        for game, state, seat, text in positions(seed, 40):
            assert () == game.reference.repairs(state, seat, "nonsense")
            with pytest.raises(AssertionError, match="made"):
                game.reference.repairs(state, seat, f"nonsense {text}")


def test_a_sign_that_stands_alone_is_no_word() -> None:
    """Whatever signs a line holds, it is answered: a letter must never stop its reader."""
    seen = set()
    for game, state, seat, text in positions(0, 14):
        if len(text) < 6:
            continue
        head, _, rest = text.partition(" ")
        for sign in ("-", "—", "_", "…", "´", "·"):
            line = f"{head[0]}q{head[1:]} {sign} {rest}"
            if refuses(game, state, seat, line):
                lawful(game, state, seat, line)
                seen.add((game.kind, sign))
    assert len(seen) == 12


def test_options_are_made_only_where_the_dice_of_a_line_do_not_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """To list them costs as much as all the rest of a refusal."""
    made = []
    offers = offered_orders

    def count(state: Any, seat: str) -> Any:
        made.append(seat)
        return offers(state, seat)

    monkeypatch.setattr(ranking, "offered_orders", count)
    state, seat = turn()
    assert find_game("troyes").reference.repairs(state, seat, "frm Y5 Y4")
    before = len(made)
    assert find_game("troyes").reference.repairs(state, seat, "farm with what there is")
    assert 0 == before < len(made)


def turn(seed: int = 1) -> tuple[Any, str]:
    """Anna's turn with dice of hers and of others, a card to hire on, and little money."""
    for state, seat, _, _ in games.random_game(3, seed):
        if state.asked[0].kind == "turn" and state.houses[seat].supply:
            changed = state.copy()
            changed.dice[seat] = ["Y5", "Y4", "W2", "R4"]
            changed.dice[state.neutral] = ["Y5", "W6", "R2"]
            changed.houses[seat].deniers = 5
            return changed, seat
    raise AssertionError("a game without a turn")


def test_hiring_that_was_not_said_stands_in_the_order() -> None:
    state, seat = turn()
    card = next(card for card in state.cards if not card.has(seat) and state.activity(card.id).hire <= 5)
    die = {"yellow": "Y5", "white": "W2", "red": "R4"}[state.activity(card.id).dice[0]]
    line = f"activate {card.id.replace('_', '-')} with {die}"
    found = find_game("troyes").reference.repairs(state, seat, line)
    assert found and all(" hiring from " in one for one in found)
    assert found[0].startswith(f"{line.removesuffix(f' with {die}')} hiring from supply") and die in found[0]


def test_a_group_too_dear_is_shown_without_the_die_that_is_bought() -> None:
    state, seat = turn()
    found = find_game("troyes").reference.repairs(state, seat, "farm Y5 Y4 gray:Y5")
    assert "farm Y5 Y4" == found[0]
