"""Laws over whole games with every combination of the Ladies' modules: seeded samples here, the full numbers in soak."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from engine.chance import SeededChance
from engine.event_log import LogEntry, read_log_entry
from engine.game import Seat
from engine.troyes.state.troyes_state import Card
from tests.troyes.games import GAME
from tests.troyes.ladies import ALL, opening, played


def hold(seed: int) -> set[str]:
    """Every law over one whole random game; the kinds of orders that were given."""
    first = opening(seed)
    entries: list[LogEntry] = list(first.entries)
    state: Any = first.state
    kinds: set[str] = set()
    positions = [(state, GAME.dump(state))]
    for before, seat, text, step in played(seed):
        state = step.state
        positions.append((state, GAME.dump(state)))
        assert () == GAME.moderation.violations(state), (seed, text)
        kept = {asked.number for asked in before.asked}
        new = {asked.number for asked in state.asked} - kept
        assert all(number > before.number for number in new), "every new question has a new number"
        assert GAME.dump(GAME.fold(before, step.entries)) == positions[-1][1], (seed, seat, text)
        entries += step.entries
        kinds.add(text.split()[0].rstrip(":"))
        if " using " in text:
            kinds.add("using")
    assert all(was == GAME.dump(one) for one, was in positions), "what was gone on from stays as it was"
    assert GAME.result(state) is not None
    stored = [read_log_entry(made.public(), made.secret()) for made in entries]
    assert GAME.dump(state) == GAME.dump(GAME.fold(None, stored)), "the chronicle alone rebuilds the game"
    assert GAME.dump(state) == GAME.dump(GAME.load(*GAME.dump(state)))
    return kinds


@pytest.mark.parametrize("seed", range(14))
def test_random_games_with_the_ladies_hold_the_laws(seed: int) -> None:
    """Citizens, cubes, dice, decks, limits; fold equals state; save and load; read(write(order)); every game ends."""
    hold(seed)


@pytest.mark.soak
def test_a_thousand_random_games_with_the_ladies_hold_the_laws() -> None:
    """The full number of the issue; between them every new kind of order is given."""
    kinds: set[str] = set()
    for seed in range(5000, 6000):
        kinds |= hold(seed)
    assert {"guard", "use", "react", "give", "discard", "release", "auto", "using"} <= kinds


@pytest.mark.parametrize("seed", range(700, 705))
def test_every_ladies_offer_is_accepted_and_changes_nothing_until_played(seed: int) -> None:
    """Offers are read and applied; looking leaves the state as it was; every question has offers."""
    chance = SeededChance(b"offers", [], "troyes-1")
    for at, (state, seat, _, _) in enumerate(played(seed, replace(ALL, players=2 + seed % 3))):
        if at % 6 and state.asked[0].kind in ("turn", "settle", "counter"):
            continue
        if all(asked.seat != seat for asked in state.asked):
            continue
        was = GAME.dump(state)
        offers = GAME.offers(state, seat)
        texts = [offer.text for offer in offers]
        assert texts and len(set(texts)) == len(texts)
        for offer in offers:
            assert str(offer.says)
            reading = GAME.read(state, seat, offer.text)
            assert offer.text == reading.text
            GAME.apply(state, seat, reading.order, chance)
        assert was == GAME.dump(state)


def test_offers_cover_every_new_kind_of_order() -> None:
    """Guard, outdoor cubes before and in an action, reactions, sealed answers, mixed cards both ways."""
    wanted = {"guard", "use", "react", "give", "discard", ": place", ": use", " using I"}
    seen: set[str] = set()
    for seed in range(720, 740):
        if wanted <= seen:
            break
        for at, (state, seat, _, _) in enumerate(played(seed, replace(ALL, players=2 + seed % 3))):
            asked = next((asked.kind for asked in state.asked if asked.seat == seat), "")
            if asked and (at % 3 == 0 or asked not in ("turn", "settle", "counter")):
                for offer in GAME.offers(state, seat):
                    clauses = (word for word in (": place", ": use", " using I") if word in offer.text)
                    seen |= {offer.text.split()[0], *clauses}
    assert wanted <= seen


@pytest.mark.parametrize("seed", (7, 14))
def test_everything_the_generator_lists_with_the_ladies_is_accepted(seed: int) -> None:
    """The exhaustive generator, sampled by stride where it is long."""
    chance = SeededChance(b"every", [], "troyes-1")
    for at, (state, seat, _, _) in enumerate(played(seed, ALL)):
        if at % 31 or all(asked.seat != seat for asked in state.asked):
            continue
        for text in islice(GAME.reference.every(state, seat), 0, 2500, 53):
            reading = GAME.read(state, seat, text)
            assert text == reading.text
            GAME.apply(state, seat, reading.order, chance)


def test_cubes_of_a_mixed_card_are_used_with_an_empty_purse() -> None:
    """The generator: the price of a mixed card is one of placing its cubes, never of using them."""
    state = next(state for state, seat, *_ in played(3, ALL) if ("turn", seat) == (state.asked[0].kind, "anna")).copy()
    state.cards[0] = Card("breeder", ["anna", ""], cubes={"anna": 2})
    state.houses["anna"].deniers, state.dice["anna"] = 0, ["Y4"]
    found = [text for text in GAME.reference.every(state, Seat("anna")) if text.startswith("activate breeder with Y4:")]
    assert ["activate breeder with Y4: use 2", "activate breeder with Y4: use 1"] == found


def test_the_planted_break_of_the_ramparts_is_seen() -> None:
    """The laws are no decoration: a cube beyond a gate, a guard past the last space, a second purple die."""
    state = opening(0, ALL).state.copy()
    assert () == GAME.moderation.violations(state)
    state.tiles[2].cubes["anna"] = 1
    assert any("the guard stands on 0" in law for law in GAME.moderation.violations(state))
    state.tiles[2].cubes.clear()
    state.houses["faye"].guard = 20
    assert any("arrived are none" in law for law in GAME.moderation.violations(state))
    state.houses["faye"].guard = 0
    state.dice["anna"] = ["P5", "P2"]
    assert any("2 purple dice" in law for law in GAME.moderation.violations(state))
