"""The solo game from end to end: laws over random games, what is open and what is not, words, options, the result."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from engine.chance import BlindChance, Chance, Purpose, UnknownDraw
from engine.errors import NotAllowed, PositionError
from engine.game import Seat, Step
from engine.troyes.board import scoring
from engine.troyes.card_data.corrections import check_corrections
from engine.troyes.card_data.item_names import item_name
from engine.troyes.state.troyes_state import LE_ROY, OpenQuestion, TroyesState
from tests.troyes import games
from tests.troyes.games import GAME
from tests.troyes.test_laws import held

ANNA = Seat("anna")


def played(seed: int, *, chance: Chance | None = None) -> Iterator[tuple[TroyesState, Seat, str, Step]]:
    return games.random_game(1, seed, seed % 2 == 1, chance=chance)


def hold(seed: int) -> None:
    """Every law over one whole random game, and what holds of le Roy."""
    starts, state = dict[int, str](), games.opening(1, seed).state
    for before, _, _, step in held(seed, "solo"):
        state = step.state
        assert all(asked.seat == ANNA for asked in GAME.waiting(state)), "nobody outside is asked for le Roy"
        assert 24 == state.neutrals + sum(1 for _ in state.whereabouts(LE_ROY))
        starts[before.round] = before.start
    assert 4 == state.round
    assert {ANNA, LE_ROY} == {starts[1], starts[2]} and starts[1] == starts[3] and starts[2] == starts[4]
    assert set(state.scores) == {ANNA, LE_ROY}


@pytest.mark.parametrize("seed", range(10))
def test_random_solo_games_hold_the_laws(seed: int) -> None:
    """Le Roy's 24 citizens, limits, fold equals state, save and load, read(write(order)), four rounds, both start."""
    hold(seed)


@pytest.mark.soak
def test_five_hundred_random_solo_games_hold_the_laws() -> None:
    """The full number."""
    for seed in range(5000, 5500):
        hold(seed)


def test_a_broken_solo_position_is_named() -> None:
    state: TroyesState = next(iter(islice(played(3), 12, 13)))[0].copy()
    assert () == GAME.moderation.violations(state)
    state.neutrals += 1
    assert ("there are 25 neutral citizens, not 24",) == GAME.moderation.violations(state)
    state.neutrals -= 1
    state.pile.append(state.pile[0] if state.pile else "nobody")
    assert any("pile" in law for law in GAME.moderation.violations(state))
    state.pile.clear()
    state.start = "gray"
    assert any("gray" in law for law in GAME.moderation.violations(state))


def test_a_damaged_state_of_le_roy_is_named_by_its_path() -> None:
    public, secret = GAME.dump(games.opening(1, 1).state)
    public["le_roy"]["vp"] = "many"
    with pytest.raises(PositionError, match="le_roy"):
        GAME.load(public, secret)


def test_a_table_without_le_roy_has_nothing_of_him() -> None:
    """Games that are running keep their state files: what the solo game adds is absent from theirs."""
    state = games.opening(2, 1).state
    public, _ = GAME.dump(state)
    assert "le_roy" not in public and "gray" in public["dice"]
    del public["box"]["solo"]
    del public["options"]["solo"]
    assert GAME.dump(state)[1] == GAME.dump(GAME.load(public, GAME.dump(state)[1]))[1]


# What is open, and what is not.


def otherwise(state: TroyesState, seed: int) -> TroyesState:
    """The position with another order of everything that lies face down."""
    rng, other = random.Random(seed), state.copy()
    for deck in other.decks.values():
        rng.shuffle(deck)
    return other


@pytest.mark.parametrize("seed", (*range(4), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(4, 8))))
def test_face_down_cards_change_nothing_the_player_is_sent(seed: int) -> None:
    """What lies face down is not told."""
    for number, (*_, step) in enumerate(played(seed)):
        state, other = step.state, otherwise(step.state, seed + number)
        entries = tuple(replace(made, hidden={"decks": {}} if made.hidden else {}) for made in step.entries)
        for reader in (ANNA, None):
            assert GAME.view(state, reader) == GAME.view(other, reader)
            assert GAME.tell(state, step.entries, reader) == GAME.tell(other, entries, reader)
        if number % 4 == 0 and state.asked:
            assert GAME.offers(state, ANNA) == GAME.offers(other, ANNA)
            made = GAME.offers(state, ANNA)
            assert GAME.reference.examples(state, ANNA, [offer.text for offer in made]) == GAME.reference.examples(other, ANNA, [offer.text for offer in made])


class OtherRolls:
    """The dice of the seeded game, but le Roy's action dice show their backs."""

    def __init__(self, seed: int) -> None:
        self._true = games.chance_of(seed)

    def roll(self, purpose: Purpose, dice: int = 1, sides: int = 6) -> tuple[int, ...]:
        shown = self._true.roll(purpose, dice, sides)
        return tuple(7 - number for number in shown) if purpose.kind == "le_roy_action" else shown

    def order(self, purpose: Purpose, count: int) -> tuple[int, ...]:
        return self._true.order(purpose, count)


@pytest.mark.parametrize("seed", range(6))
def test_his_coming_dice_are_known_to_nobody(seed: int) -> None:
    """Two games that differ in le Roy's rolls alone are the same in every word until he first rolls."""
    ones, twos = played(seed), played(seed, chance=OtherRolls(seed))
    for (state, seat, text, one), (other, _, same, two) in zip(ones, twos, strict=True):
        assert GAME.dump(state) == GAME.dump(other) and text == same
        assert GAME.view(state, seat) == GAME.view(other, seat)
        assert GAME.offers(state, seat) == GAME.offers(other, seat)
        if one.entries != two.entries:
            rolls = [made for made in one.entries if made.kind == "acts" and "le_roy_action" in made.data["draw"]]
            assert rolls, "nothing else may differ"
            return
        assert GAME.tell(one.state, one.entries, seat) == GAME.tell(two.state, two.entries, seat)
    raise AssertionError("le Roy never rolled")


def test_the_pile_is_open_and_in_order() -> None:
    """Rulebook: the characters are stacked so that all can be read; the top one is the next."""
    state = games.opening(1, 7).state
    king = GAME.view(state, ANNA).king
    assert [item_name(id) for id in state.pile] == [judge.name for judge in king.pile]
    assert 6 == len(king.pile)
    blind = {item_name("thibaut_ii"), item_name("hugues_de_payns")}
    assert {judge.name: 1 if judge.name in blind else 2 for judge in king.pile} == {
        judge.name: len(judge.standings) for judge in king.pile
    }


def test_his_dice_are_shown_strongest_first() -> None:
    state = next(step.state for *_, step in played(2) if step.state.round)
    state = state.copy()
    state.dice[LE_ROY] = ["Y6", "Y2", "W6", "W5", "R6", "R2"]
    seen = GAME.view(state, ANNA)
    assert ("R6", "Y6", "W6", "W5", "R2", "Y2") == seen.king.dice == seen.square[-1].dice
    assert "le-roy" == seen.square[-1].owner.seat


# Options, words, the end.


def test_one_player_is_solo_and_solo_is_one_player() -> None:
    assert "yes" == GAME.settle_options(1, {})["solo"] == GAME.settle_options(1, {"solo": "yes"})["solo"]
    assert "no" == GAME.settle_options(2, {})["solo"]
    for players, chosen in ((1, {"solo": "no"}), (2, {"solo": "yes"}), (0, {}), (5, {})):
        with pytest.raises(NotAllowed):
            GAME.settle_options(players, chosen)
    assert range(1, 5) == GAME.seats


def test_the_start_player_is_drawn_between_the_two_or_named() -> None:
    assert {ANNA, LE_ROY} == {games.opening(1, seed).state.start for seed in range(20)}
    options = GAME.settle_options(1, {})
    assert ANNA == GAME.start({ANNA: "Anna"}, options, games.chance_of(1), first=ANNA).state.start


@pytest.mark.parametrize("word", ["le-roy", "LE_ROY", "leroy", "roy", "le Roy", "king", "neutral", "gray"])
def test_his_district_has_many_names_and_one_that_is_written(word: str) -> None:
    state = next(step.state for *_, step in played(4) if step.state.round and step.state.asked[0].kind == "turn").copy()
    state.dice[LE_ROY] = ["Y6", "Y5"]
    state.houses[ANNA].deniers = 9
    assert "farm le-roy:Y6 le-roy:Y5" == GAME.read(state, ANNA, f"farm {word}:Y6 {word}:Y5").text


def test_a_player_called_roy_keeps_the_name() -> None:
    """His own dice are never le Roy's."""
    step = GAME.start({Seat("roy"): "Roy"}, GAME.settle_options(1, {}), games.chance_of(1))
    state = step.state.copy()
    state.asked = [OpenQuestion("roy", "turn", state.number)]
    state.dice = {"roy": ["Y4"], LE_ROY: ["Y6"]}
    assert "farm Y4" == GAME.read(state, Seat("roy"), "farm roy:Y4").text
    assert not {"roy", "leroy"} & GAME.reference.reserved() and {"le-roy", "le_roy"} <= GAME.reference.reserved()


def test_he_is_explained_and_cards_speak_of_him_in_his_game() -> None:
    told = GAME.reference.explain("le-roy")
    assert told is not None and "Le Roy" == str(told.title)
    assert any("2 or 12: 2 VP for 3 dice" in str(line) for line in told.lines)
    solo, base = games.opening(1, 1).state, games.opening(2, 1).state
    assert "a citizen of le Roy" in str(GAME.reference.explain("wayfarers", solo)) and "gray" in str(GAME.reference.explain("wayfarers", base))
    assert "2 deniers from the bank per citizen of le Roy" in str(GAME.reference.explain("tax-collector", solo).lines[-1])


def test_the_result_carries_his_score_and_a_verdict() -> None:
    *_, (_, _, _, step) = played(9)
    result = GAME.result(step.state)
    assert {ANNA, LE_ROY} == set(result.scores) == set(result.totals)
    assert "Le Roy" == str(result.names[LE_ROY])
    assert "thibaut_ii" not in result.scores[LE_ROY]
    difference = result.totals[ANNA] - result.totals[LE_ROY]
    assert f"The difference is {difference}." == str(result.notes[0])
    assert (LE_ROY,) == result.winners and difference <= 0
    last = [str(line.says) for line in GAME.tell(step.state, step.entries, ANNA)][-1]
    assert f"The difference is {difference}. {result.notes[1]}" == last


def test_a_host_corrects_his_numbers_and_the_game_keeps_them() -> None:
    facts = {"solo": {"pair_points": 3, "palace_order": [1, 2, 3, 4, 5, 6]}}
    step = GAME.start({ANNA: "Anna"}, GAME.settle_options(1, {}), games.chance_of(1), facts=facts)
    solo = GAME.load(*GAME.dump(step.state)).box.solo
    assert (3, (1, 2, 3, 4, 5, 6)) == (solo.pair_points, solo.palace_order)
    for wrong in ({"palace_order": [1, 1, 2, 3, 4, 5]}, {"bishopric_order": [[1, 3]] * 6}, {"actions": []}):
        with pytest.raises(NotAllowed):
            check_corrections({"solo": wrong})


def test_deniers_and_influence_never_count_for_him() -> None:
    """A62, whatever a host has corrected: even a character that asks for nothing is blind to le Roy."""
    steps = {"thresholds": [0, 1, 2], "two_player_thresholds": [0, 1, 2]}
    facts = {"character": {"thibaut_ii": steps, "hugues_de_payns": steps}}
    state = GAME.start({ANNA: "Anna"}, GAME.settle_options(1, {}), games.chance_of(1), facts=facts).state
    for id in ("thibaut_ii", "hugues_de_payns"):
        assert (0, 6) == (scoring.character_points(state, LE_ROY, id), scoring.character_points(state, ANNA, id))
        assert id in scoring.score_parts(state, ANNA) and id not in scoring.score_parts(state, LE_ROY)


def test_a_trial_stops_before_his_roll() -> None:
    """«try pass» tells what is sure, and none of le Roy's dice."""
    state = next(
        state for state, *_ in played(6) if state.round and state.asked[0].kind == "turn" and state.dice[LE_ROY]
    )
    with pytest.raises(UnknownDraw, match="le_roy_action") as ended:
        GAME.apply(state, ANNA, GAME.read(state, ANNA, "pass").order, BlindChance())
    told = [str(line.says) for line in GAME.tell(state, ended.value.entries, ANNA)]
    assert told and not any("Le Roy" in says for says in told)
