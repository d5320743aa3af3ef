"""Laws that hold in every game: seeded samples here, the full numbers in `make soak`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from engine.chance import BlindChance, SeededChance, UnknownDraw
from engine.errors import OrderRefused, PositionError
from engine.event_log import LogEntry, read_log_entry
from engine.game import Seat, Step
from engine.troyes.options.legal_orders import asked_kind
from engine.troyes.state.troyes_state import Card, TroyesState
from tests.troyes import games, ladies
from tests.troyes.games import GAME

Course = Iterator[tuple[TroyesState, Seat, str, Step]]
ALL = ladies.ALL
ALONE = ("base", "solo")
"""Games in which one seat is asked at a time, so that each order brings a question with a new number."""


def played(seed: int, game: str = "base") -> Course:
    """A whole random game: of the base box, of one player, of some modules of the Ladies, or of all of them."""
    match game:
        case "base":
            return games.random_game(2 + seed % 3, seed, seed // 3 % 2 == 1)
        case "solo":
            return games.random_game(1, seed, seed % 2 == 1)
        case "ladies":
            return ladies.played(seed)
    return ladies.played(seed, replace(ALL, players=2 + seed % 3))


def begin(seed: int, game: str = "base") -> Step:
    """The set-up of that game."""
    if game == "ladies":
        return ladies.opening(seed)
    return games.opening(1, seed, seed % 2 == 1) if game == "solo" else games.opening(2 + seed % 3, seed, seed // 3 % 2 == 1)


def held(seed: int, game: str) -> Course:
    """Every law over one whole random game, which is given order by order."""
    first = begin(seed, game)
    entries, state = list(first.entries), first.state
    positions = [(state, GAME.dump(state))]
    for before, seat, text, step in played(seed, game):
        state = step.state
        positions.append((state, GAME.dump(state)))
        assert () == GAME.moderation.violations(state), (seed, text)
        new = {asked.number for asked in state.asked} - {asked.number for asked in before.asked}
        assert all(number > before.number for number in new), "every new question has a new number"
        assert new or not state.asked or state.asked == before.asked
        assert before.number <= state.number and (before.number < state.number or not state.asked or game not in ALONE)
        assert GAME.dump(GAME.fold(before, step.entries)) == positions[-1][1], (seed, seat, text)
        entries += step.entries
        yield before, seat, text, step
    assert all(was == GAME.dump(one) for one, was in positions), "what was gone on from stays as it was"
    assert GAME.result(state) is not None
    stored = [read_log_entry(made.public(), made.secret()) for made in entries]
    assert GAME.dump(state) == GAME.dump(GAME.fold(None, stored)), "the event log alone rebuilds the game"
    assert GAME.dump(state) == GAME.dump(GAME.load(*GAME.dump(state)))


@pytest.mark.parametrize("game", ["base", "ladies"])
@pytest.mark.parametrize("seed", range(14))
def test_random_games_hold_the_laws(seed: int, game: str) -> None:
    """Citizens, cubes, decks and limits; fold equals state; save and load; read(write(order)); every game ends."""
    assert list(held(seed, game))


@pytest.mark.soak
@pytest.mark.parametrize("game", ["base", "ladies"])
def test_a_thousand_random_games_hold_the_laws(game: str) -> None:
    """Between them every kind of order of the Ladies is given."""
    kinds: set[str] = set()
    for seed in range(1000, 2000):
        for _, _, text, _ in held(seed, game):
            kinds |= {text.split()[0].rstrip(":"), "using" if " using " in text else ""}
    assert game == "base" or {"guard", "use", "react", "give", "discard", "release", "auto", "using"} <= kinds


def asked_at(course: Course, stride: int) -> Iterator[tuple[TroyesState, Seat]]:
    """Positions in which the seat is asked: all that ask something rare, of the others every so-manieth."""
    for at, (state, seat, *_) in enumerate(course):
        kind = asked_kind(state, seat)
        if kind and (at % stride == 0 or kind not in ("turn", "settle", "counter")):
            yield state, seat


OFFERED = (*(("base", seed) for seed in range(300, 306)), *(("all", seed) for seed in range(700, 705)), *(("solo", seed) for seed in range(4)))


@pytest.mark.parametrize(("game", "seed"), OFFERED)
def test_every_offer_is_accepted_and_changes_nothing_until_played(game: str, seed: int) -> None:
    """Offers cover passing and are all read and applied; looking leaves the state as it was."""
    chance = SeededChance(b"offers", [], "troyes-1")
    for state, seat in asked_at(played(seed, game), 5):
        was = GAME.dump(state)
        offers = GAME.offers(state, seat)
        texts = [offer.text for offer in offers]
        assert texts and len(set(texts)) == len(texts)
        assert "pass" in texts or asked_kind(state, seat) != "turn"
        for offer in offers:
            assert str(offer.says)
            reading = GAME.read(state, seat, offer.text)
            assert offer.text == reading.text
            GAME.apply(state, seat, reading.order, chance)
        for example in GAME.reference.examples(state, seat, texts):
            GAME.read(state, seat, example)
        assert was == GAME.dump(state)


EVERY = (("base", 7), ("base", 8), ("all", 7), ("all", 14), *(("solo", seed) for seed in range(4)))


@pytest.mark.parametrize(("game", "seed"), EVERY)
def test_everything_the_generator_lists_is_accepted(game: str, seed: int) -> None:
    """The exhaustive generator, sampled by stride where it is long."""
    chance = SeededChance(b"every", [], "troyes-1")
    for state, seat in asked_at(played(seed, game), 23):
        for text in islice(GAME.reference.every(state, seat), 0, 2500, 47):
            reading = GAME.read(state, seat, text)
            assert text == reading.text
            GAME.apply(state, seat, reading.order, chance)


def test_offers_cover_every_new_kind_of_order() -> None:
    """Guard, outdoor cubes before and in an action, reactions, sealed answers, mixed cards both ways."""
    wanted = {"guard", "use", "react", "give", "discard", ": place", ": use", " using I"}
    seen: set[str] = set()
    for seed in range(720, 740):
        for state, seat in asked_at(played(seed, "all"), 3) if not wanted <= seen else ():
            for offer in GAME.offers(state, seat):
                seen |= {offer.text.split()[0], *(word for word in (": place", ": use", " using I") if word in offer.text)}
    assert wanted <= seen


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
    state = begin(3).state
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


def test_an_event_log_that_does_not_fit_is_named() -> None:
    """Folding says which entry is wrong."""
    state = begin(1).state
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
            again = GAME.apply(state, seat, GAME.read(state, seat, text).order, games.chance_of(2))
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


def test_cubes_of_a_mixed_card_are_used_with_an_empty_purse() -> None:
    """The generator: the price of a mixed card is one of placing its cubes, never of using them."""
    state = next(state for state, seat, *_ in ladies.played(3, ALL) if ("turn", seat) == (state.asked[0].kind, "anna")).copy()
    state.cards[0] = Card("breeder", ["anna", ""], cubes={"anna": 2})
    state.houses["anna"].deniers, state.dice["anna"] = 0, ["Y4"]
    found = [text for text in GAME.reference.every(state, Seat("anna")) if text.startswith("activate breeder with Y4:")]
    assert ["activate breeder with Y4: use 2", "activate breeder with Y4: use 1"] == found


def test_the_planted_break_of_the_ramparts_is_seen() -> None:
    """The laws are no decoration: a cube beyond a gate, a guard past the last space, a second purple die."""
    state = ladies.opening(0, ALL).state.copy()
    assert () == GAME.moderation.violations(state)
    state.tiles[2].cubes["anna"] = 1
    assert any("the guard stands on 0" in law for law in GAME.moderation.violations(state))
    state.tiles[2].cubes.clear()
    state.houses["faye"].guard = 20
    assert any("arrived are none" in law for law in GAME.moderation.violations(state))
    state.houses["faye"].guard = 0
    state.dice["anna"] = ["P5", "P2"]
    assert any("2 purple dice" in law for law in GAME.moderation.violations(state))
