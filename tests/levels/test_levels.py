"""Computer players: what a level chooses is a function of what its seat may see and of its own stream of chance."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from engine.chance import BlindChance, SeededChance, SubStream
from engine.errors import NotAllowed
from engine.game import Seat, find_game
from engine.levels import LEVELS, SEATED_LEVELS, find_level, level_text
from engine.troyes.state.troyes_state import TroyesState
from engine.troyes_dice.actions.half_day import die_orders
from engine.troyes_dice.options.estimate import sheet_worth
from engine.troyes_dice.state.dice_state import DiceState
from engine.troyes_dice.state.orders import Fallback, SealedAnswer
from pbem.outbound.translation import language_catalogue
from pbem.tournament import Contest, play_contest, results_table, wilson

TABLES: Mapping[str, tuple[str, int, dict[str, str]]] = {
    "base": ("troyes", 3, {}),
    "two": ("troyes", 2, {"bonus": "yes"}),
    "ladies": ("troyes", 3, {"ladies": "all", "open-character": "yes"}),
    "solo": ("troyes", 1, {}),
    "dice": ("troyes-dice", 3, {}),
    "expansion": ("troyes-dice", 2, {"expansion": "yes", "numbering": "expert"}),
}


PLAYERS = ("first", "random", "novice", "steady", "strong:12")
"""Every level, one that searches with a budget that lasts no longer than the others."""
EVERY = {"base": 16, "two": 16, "ladies": 20, "solo": 6}
"""Of so many decisions one is looked at."""


def positions(name: str, seed: int, every: int) -> Iterator[tuple[Any, Any, Seat]]:
    """Positions of a whole game that novices play, each with a seat that is asked."""
    kind, players, options = TABLES[name]
    game, seats = find_game(kind), [Seat(f"s{at}") for at in range(players)]
    chance, own = SeededChance(b"levels", (), f"{name} {seed}"), SeededChance(b"own", (), f"{name} {seed}")
    state = game.start({seat: seat for seat in seats}, game.settle_options(players, options), chance).state
    number = 0
    while asked := next((one for one in game.waiting(state) if not one.answered), None):
        if number % every == seed % every:
            yield game, state, asked.seat
        order = find_level("novice").consider(game, state, asked.seat, SubStream(own, str(number)))[0][0]
        state = game.apply(state, asked.seat, order, chance).state
        number += 1
    assert game.result(state) is not None


def twin(state: Any, seat: str, rng: random.Random) -> Any:
    """The same for `seat`, with all changed that it may not see."""
    found = state.copy()
    if isinstance(found, DiceState):
        found.sealed = {one: answer for one, answer in found.sealed.items() if one == seat}
        others = [one for one in found.asked if one != seat and one not in state.sealed]
        found.sealed |= {one: SealedAnswer(Fallback()) for one in others}
        return found
    assert isinstance(found, TroyesState)
    for deck in found.decks.values():
        rng.shuffle(deck)
    if not found.solo:
        held = found.characters.get(seat, [])
        rest = [id for id in found.box.characters if id not in (*held, *found.open_characters)]
        rng.shuffle(rest)
        spare = iter(rest)
        found.characters = {one: held if one == seat else [next(spare) for _ in ids] for one, ids in found.characters.items()}
        decks = {colour: found.decks[colour][0] for colour in ("red", "unused_red") if found.decks[colour]}
        if len(decks) == 2:
            found.decks["red"][0], found.decks["unused_red"][0] = decks["unused_red"], decks["red"]
    found.wishes = {one: words if one == seat else ["palace 1"] for one, words in found.wishes.items()}
    found.reacts = {one: said for one, said in found.reacts.items() if one == seat}
    found.sealed = {one: said for one, said in found.sealed.items() if one == seat}
    return found


@pytest.mark.parametrize("share", [2, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", TABLES)
def test_nobody_peeks(name: str, share: int) -> None:
    """Estimate, ranking, what is imagined, and the choice of each level: the same for twins. More of them in the soak."""
    rng, compared, differ = random.Random(1), 0, 0
    for game, state, seat in positions(name, 1, share * EVERY.get(name, 4)):
        other, own = twin(state, seat, rng), SeededChance(b"twin", (), str(compared))
        differ += game.dump(state)[1] != game.dump(other)[1]
        assert game.estimate(state, seat) == game.estimate(other, seat)
        assert game.thinking.ranked(state, seat) == game.thinking.ranked(other, seat)
        assert game.dump(game.thinking.imagined(state, seat, own)) == game.dump(game.thinking.imagined(other, seat, own))
        assert game.thinking.groups(state, seat) == game.thinking.groups(other, seat)
        assert game.thinking.likely(state, seat) == game.thinking.likely(other, seat)
        assert game.thinking.shown(state) == game.thinking.shown(other)
        for one in (*PLAYERS, "strong:3"):
            if compared == 1 or one in ("novice", "strong:3"):
                assert find_level(one).consider(game, state, seat, own) == find_level(one).consider(game, other, seat, own)
        compared += 1
    assert compared > 2
    assert differ == compared


def test_a_planted_peek_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The law is no decoration: a level that looks at the real decks turns it red."""
    thinking = type(find_game("troyes").thinking)
    monkeypatch.setattr(thinking, "imagined", staticmethod(lambda state, seat, chance: state.copy()))
    with pytest.raises(AssertionError):
        test_nobody_peeks("base", 2)


@pytest.mark.parametrize("name", TABLES)
def test_what_is_imagined_is_sound_and_fits_what_is_seen(name: str) -> None:
    """It keeps the invariants of the game, all that is public, and one's own."""
    for n, (game, state, seat) in enumerate(positions(name, 2, 7)):
        found = game.thinking.imagined(state, seat, SeededChance(b"imagined", (), str(n)))
        assert () == game.moderation.violations(found)
        if isinstance(state, TroyesState):
            assert game.dump(state)[0] == game.dump(found)[0]
            assert state.characters.get(seat) == found.characters.get(seat)
            assert {name: len(deck) for name, deck in state.decks.items()} == {
                name: len(deck) for name, deck in found.decks.items()
            }


def test_no_imagined_event_calls_one_from_an_empty_deck() -> None:
    """Cards that went to the neutral player count as unseen: without them more red ones may seem to come than fit."""
    for game, state, seat in positions("base", 4, 6):
        # As if the neutral player had won every event that nobody leads any more.
        state = state.copy()
        state.queue = []
        for house in state.houses.values():
            house.won.clear()
        for n in range(8):
            found = game.thinking.imagined(state, seat, SeededChance(b"calls", (), str(n)))
            coming = found.decks["red"] + found.decks["unused_red"][:1]
            assert {name: len(deck) for name, deck in state.decks.items()} == {
                name: len(deck) for name, deck in found.decks.items()
            }
            for colour in ("yellow", "white"):
                assert sum(state.event(id).calls == colour for id in coming) <= len(state.decks[colour])


@pytest.mark.parametrize("name", TABLES)
def test_options_stand_in_the_order_of_what_they_promise(name: str) -> None:
    """Mails and computers list the same, the best first."""
    for game, state, seat in positions(name, 3, 12):
        ranked, offered = game.thinking.ranked(state, seat), [offer.text for offer in game.offers(state, seat)]
        # What is said for every round stands beside what it does now, and promises nothing of its own.
        offered = [text for text in offered if not text.startswith("auto: ")]
        assert [worth for _, worth in ranked] == sorted((worth for _, worth in ranked), reverse=True)
        texts = [game.write(state, seat, order, "en") for order, _ in ranked]
        assert texts == offered[: len(texts)]


def test_the_choice_of_a_bonus_is_told_apart_by_what_it_promises() -> None:
    """What is lent a seat in the middle of an answer chooses as well as who began it."""
    for game, state, seat in (found for seed in range(1, 5) for found in positions("dice", seed, 1)):
        if state.sealed or len(state.asked) < 2:
            continue  # the last answer closes the half day
        for act in die_orders(state, seat):
            if game.waiting(begun := game.apply(state, seat, act, BlindChance()).state)[0].kind != "bonus":
                continue
            ranked = game.thinking.ranked(begun, seat)
            promised = [game.estimate(game.apply(begun, seat, order, BlindChance()).state, seat) for order, _ in ranked]
            base = sheet_worth(state, state.sheets[seat])
            assert pytest.approx(promised) == [base + value for _, value in ranked]
            if len({value for _, value in ranked}) > 1:
                return
    raise AssertionError("no bonus made a difference")


def test_the_estimate_of_a_finished_game_is_its_score() -> None:
    """Expected points: at the end nothing is left to expect."""
    for name in ("base", "dice"):
        *_, (game, state, seat) = positions(name, 1, 1)
        chance = SeededChance(b"end", (), "end")
        while asked := next((one for one in game.waiting(state) if not one.answered), None):
            state = game.apply(state, asked.seat, game.default(state, asked.seat), chance).state
        ending = game.result(state)
        assert ending is not None
        assert ending.totals[seat] == game.estimate(state, seat)


@pytest.mark.parametrize("text", ["", "grandmaster", "steady:0", "novice:10"])
def test_an_unknown_level_is_refused(text: str) -> None:
    """With the names of those there are."""
    with pytest.raises(NotAllowed) as odd:
        find_level(text, SEATED_LEVELS)
    assert "novice" in str(odd.value.reason)
    assert "first" not in str(odd.value.reason)


@pytest.mark.parametrize(("name", "said"), [("novice", "débutant"), ("steady", "moyen"), ("strong:400", "fort:400")])
def test_a_level_has_a_name_in_each_language_and_is_read_by_it(name: str, said: str) -> None:
    assert said == language_catalogue("fr").render(level_text(name))
    assert name == str(level_text(name)) == find_level(said, SEATED_LEVELS).name == find_level(said.upper(), SEATED_LEVELS).name


def test_the_same_seed_gives_the_same_games_however_many_play_them() -> None:
    """Arena: games depend on seed and number alone; times apart."""
    plan = Contest("troyes", find_game("troyes").settle_options(2, {}), ("novice", "random"), 2, 7)
    one, two = list(play_contest(plan, 1)), list(play_contest(plan, 2))
    assert [[replace(part, seconds=0.0) for part in game] for game in one] == [
        [replace(part, seconds=0.0) for part in game] for game in two
    ]
    other = list(play_contest(replace(plan, seed=8), 1))
    assert [game[0].points for game in one] != [game[0].points for game in other]
    rows = results_table(plan, one)["levels"]
    assert ["novice", "random"] == [row["level"] for row in rows]
    assert 1.0 == rows[0]["wins"] + rows[1]["wins"]
    assert rows[0]["wins"] > rows[1]["wins"]


def test_wilson() -> None:
    """Two known intervals (Wilson, 1927; Newcombe, 1998: 81 of 263)."""
    assert (0.2553, 0.3662) == tuple(round(end, 4) for end in wilson(81, 263))
    assert 0.0 == round(wilson(0, 20)[0], 6)


def test_every_level_plays_a_whole_game() -> None:
    """The shortest there is."""
    assert {name.partition(":")[0] for name in PLAYERS} == LEVELS.keys()
    for name in PLAYERS:
        plan = Contest("troyes-dice", find_game("troyes-dice").settle_options(1, {}), (name,), 1, 3)
        ((part,),) = play_contest(plan, 1)
        assert 10 < part.decisions <= 16
