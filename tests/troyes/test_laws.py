"""Laws that hold in every game: seeded samples here, the full numbers in `make soak`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from engine.chance import BlindChance, SeededChance, UnknownDraw
from engine.errors import OrderRefused, PositionError
from engine.event_log import LogEntry, read_log_entry
from engine.game import Seat, Step, find_game
from engine.troyes.state.troyes_state import TroyesState

GAME = find_game("troyes")
NAMES = {Seat("anna"): "Anna", Seat("faye"): "Faye", Seat("geoffrey"): "Geoffrey", Seat("emily"): "Emily"}
LONGEST = 900
"""Orders after which a random game should long be over (they take 60 to 250)."""


def kind_of(seed: int) -> tuple[int, str]:
    """Players and bonus cards of the seeded game."""
    return 2 + seed % 3, ("no", "yes")[seed // 3 % 2]


def begin(seed: int) -> tuple[Step, SeededChance]:
    players, bonus = kind_of(seed)
    chance = SeededChance(seed.to_bytes(8, "big"), [], "troyes-1")
    seated = dict(islice(NAMES.items(), players))
    return GAME.start(seated, GAME.settle_options(players, {"bonus": bonus}), chance), chance


def played(seed: int) -> Iterator[tuple[TroyesState, Seat, str, Step]]:
    """A whole random game, order by order: the state before, who, the order's text, what it led to."""
    rng = random.Random(seed)
    step, chance = begin(seed)
    for _ in range(LONGEST):
        asked = GAME.waiting(step.state)
        if not asked:
            return
        state, seat = step.state, asked[0].seat
        text = next(iter(GAME.reference.every(state, seat, [rng.randrange(1 << 30) for _ in range(64)])))
        reading = GAME.read(state, seat, text)
        assert text == reading.text, "read(write(order)) must give the order back"
        step = GAME.apply(state, seat, reading.order, chance)
        yield state, seat, text, step
    raise AssertionError(f"game {seed} did not end in {LONGEST} orders")


def hold(seed: int) -> None:
    """Every law over one whole random game."""
    opening, _ = begin(seed)
    entries: list[LogEntry] = list(opening.entries)
    state: Any = opening.state
    number = state.number
    positions = [(state, GAME.dump(state))]
    for before, seat, text, step in played(seed):
        state = step.state
        positions.append((state, GAME.dump(state)))
        assert () == GAME.moderation.violations(state), (seed, text)
        assert before.number < state.number or not state.asked, "every new question has a new number"
        assert number <= before.number
        number = state.number
        folded = GAME.fold(before, step.entries)
        assert GAME.dump(folded) == positions[-1][1], (seed, seat, text)
        entries += step.entries
    assert all(was == GAME.dump(one) for one, was in positions), "what was gone on from stays as it was"
    assert GAME.result(state) is not None
    stored = [read_log_entry(made.public(), made.secret()) for made in entries]
    assert GAME.dump(state) == GAME.dump(GAME.fold(None, stored)), "the chronicle alone rebuilds the game"
    assert GAME.dump(state) == GAME.dump(GAME.load(*GAME.dump(state)))


@pytest.mark.parametrize("seed", range(14))
def test_random_games_hold_the_laws(seed: int) -> None:
    """Citizens, cubes, decks and limits; fold equals state; save and load; read(write(order)); every game ends."""
    hold(seed)


@pytest.mark.soak
def test_a_thousand_random_games_hold_the_laws() -> None:
    """The full number of the issue."""
    for seed in range(1000, 2000):
        hold(seed)


@pytest.mark.parametrize("seed", range(300, 306))
def test_every_offer_is_accepted_and_changes_nothing_until_played(seed: int) -> None:
    """Offers cover passing and are all read and applied; looking leaves the state as it was."""
    chance = SeededChance(b"offers", [], "troyes-1")
    for at, (state, seat, _, _) in enumerate(played(seed)):
        if at % 5:
            continue
        was = GAME.dump(state)
        offers = GAME.offers(state, seat)
        texts = [offer.text for offer in offers]
        assert texts and len(set(texts)) == len(texts)
        if state.asked[0].kind == "turn":
            assert "pass" in texts
        for offer in offers:
            assert str(offer.says)
            reading = GAME.read(state, seat, offer.text)
            assert offer.text == reading.text
            GAME.apply(state, seat, reading.order, chance)
        for example in GAME.reference.examples(state, seat, [offer.text for offer in offers]):
            GAME.read(state, seat, example)
        assert was == GAME.dump(state)


@pytest.mark.parametrize("seed", (7, 8))
def test_everything_the_generator_lists_is_accepted(seed: int) -> None:
    """The exhaustive generator, sampled by stride where it is long."""
    chance = SeededChance(b"every", [], "troyes-1")
    for at, (state, seat, _, _) in enumerate(played(seed)):
        if at % 23:
            continue
        for text in islice(GAME.reference.every(state, seat), 0, 2000, 41):
            reading = GAME.read(state, seat, text)
            assert text == reading.text
            GAME.apply(state, seat, reading.order, chance)


def test_nobody_else_can_answer() -> None:
    """An order from a seat that is not asked is late, and changes nothing."""
    for state, seat, text, _ in islice(played(5), 0, 60, 7):
        for other in state.seats:
            if other == seat:
                continue
            with pytest.raises(OrderRefused):
                order = GAME.read(state, Seat(other), text).order
                GAME.apply(state, Seat(other), order, SeededChance(b"", [], ""))


def test_redacted_holds_no_secret() -> None:
    """Tools that may not look see sizes only."""
    opening, _ = begin(3)
    state = opening.state
    public, secret = GAME.dump(GAME.moderation.redacted(state))
    del public["box"]  # the numbers of every card there is
    text = repr((public, secret))
    for deck in state.decks.values():
        for card in deck:
            assert f"'{card}'" not in text
    for held in state.characters.values():
        assert not any(f"'{id}'" in text for id in held)


def test_the_planted_break_is_seen() -> None:
    """The laws are no decoration: one citizen, one die, one card too many, each is named."""
    state: TroyesState = next(iter(islice(played(4), 20, 21)))[0].copy()
    assert () == GAME.moderation.violations(state)
    state.houses["anna"].supply += 1
    assert any("anna has 13 citizens" in law for law in GAME.moderation.violations(state))
    state.houses["anna"].supply -= 1
    state.houses["faye"].influence = 21
    assert any("21 influence" in law for law in GAME.moderation.violations(state))
    state.houses["faye"].influence = 4
    state.decks["yellow"].append("drought")
    assert any("yellow" in law for law in GAME.moderation.violations(state))
    state.cards[0].id = "windmill"
    assert "no activity is called windmill" in GAME.moderation.violations(state)


def test_a_chronicle_that_does_not_fit_is_named() -> None:
    """Folding says which entry is wrong."""
    opening, _ = begin(1)
    state = opening.state
    with pytest.raises(PositionError, match=r"entry 0 \(leaves\)"):
        GAME.fold(state, [LogEntry("leaves", {"owner": "anna", "dice": ["Y6"], "by": "anna"})])
    with pytest.raises(PositionError, match="entry 0"):
        GAME.fold(state, [LogEntry("never heard of it")])


def test_the_same_seed_gives_the_same_game() -> None:
    """Same seed, same orders: the same entries to the last one."""
    one = [step.entries for *_, step in played(11)]
    two = [step.entries for *_, step in played(11)]
    assert one == two


def test_taking_an_order_back_returns_the_same_dice() -> None:
    """Draw counters are part of the position: a re-roll after an undo shows what it showed before."""
    for state, seat, text, step in played(2):
        if text.startswith("reroll"):
            again = GAME.apply(state, seat, GAME.read(state, seat, text).order, begin(2)[1])
            assert step.entries == again.entries
            return
    raise AssertionError("game 2 has no re-roll")


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(3, 10))])
def test_a_trial_of_the_last_order_ends_before_the_scores(seed: int) -> None:
    """Reminders try what would be played: who wins hangs on characters that nobody may see before."""
    *_, (state, seat, text, after) = played(seed)
    assert not GAME.waiting(after.state)
    with pytest.raises(UnknownDraw, match="the characters") as ended:
        GAME.apply(GAME.moderation.redacted(state, seat), seat, GAME.read(state, seat, text).order, BlindChance())
    told = [str(line.says) for line in GAME.tell(state, ended.value.entries, seat)]
    assert told and not any("is over" in says or "The characters" in says for says in told)
