"""Standing orders: nothing is sealed that its owner has not said, and nothing of them is seen before a half day closes.

The law plays whole random games twice: with random standing orders, and without any, where whatever fired is ordered by
its owner. Both are the same game, dice included.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from engine.errors import NotAllowed, TooLate
from engine.game import Seat, Step
from engine.troyes_dice import events as did
from engine.troyes_dice.actions import sealed_answers
from engine.troyes_dice.card_data.sheet import COLOUR, COLOURS, RESOURCES, ROWS
from engine.troyes_dice.state.dice_state import DiceState
from engine.troyes_dice.state.orders import (
    RESOURCES_USE,
    Answer,
    AutoBonus,
    AutoGoals,
    Bonus,
    Goal,
    HalfDay,
    LaterGoals,
    Order,
    TakeBack,
)
from tests.dice.games import GAME, begin, options_of, sample
from tests.dice.test_standing import EARLY


def random_goal(rng: random.Random) -> Goal:
    use = rng.choice((*ROWS, *ROWS, *RESOURCES, RESOURCES_USE))
    colour = rng.choice(("", "", *COLOURS))
    value = rng.choice((0, *range(1, 7))) if colour else 0
    at = rng.choice((0, 0, *range(1, 7)))
    pay = rng.choice(("", "", *RESOURCES))
    return Goal(use, at, colour, value, bool(value) and rng.random() < 0.5, rng.choice((-1, -1, 0, 2, 4)), pay)


def random_plan(rng: random.Random) -> Order:
    """A standing order, possible or not."""
    goals = tuple(random_goal(rng) for _ in range(rng.randint(1, 4)))
    match rng.randrange(8):
        case 0:
            return TakeBack(rng.choice(("", "later", "auto", "bonus")))
        case 1 | 2:
            choices = (*COLOURS, *(f"{row} {column}" for row in ROWS for column in range(1, 7)), *ROWS)
            return AutoBonus(tuple(rng.sample(choices, rng.randint(1, 6))), rng.random() < 0.5)
        case 3 | 4:
            return AutoGoals((*goals[:2], Goal(RESOURCES_USE)), rng.random() < 0.3)
    return LaterGoals(goals)


def facts(step: Step[DiceState]) -> list[Any]:
    return list(did.DicePlay.kinds.read(step.entries))


def by_hand(bare: DiceState, seat: str, answer: Answer, chance: Any) -> DiceState:
    """What fired, ordered by its owner."""
    if isinstance(answer, HalfDay):
        return GAME.apply(bare, Seat(seat), answer, chance).state
    before = sealed_answers.sealed_answer(bare, seat)
    assert before is not None
    return GAME.apply(bare, Seat(seat), Bonus(answer.bonus[len(before.bonus) :]), chance).state


def told(step: Step[DiceState], seat: str | None) -> str:
    return " ".join(str(line.says) for line in GAME.tell(step.state, step.entries, Seat(seat) if seat else None))


class Twice:
    """A game with standing orders, and the same one by hand."""

    def __init__(self, seed: int, met: Counter[str]) -> None:
        players, options = options_of(seed)
        self.run = begin(players, seed, EARLY if seed % 2 else None, **{k: v for k, v in options.items() if "." not in k})
        self.bare = self.run.state.copy()
        self.rng, self.met = random.Random(seed), met

    def say(self, seat: Seat) -> None:
        """Somebody says something for later: nobody else sees it, whatever it is."""
        state, order = self.run.state, random_plan(self.rng)
        try:
            step = GAME.apply(state, seat, order, self.run.chance)
        except (NotAllowed, TooLate):
            return
        self.met[type(order).__name__] += 1
        for language in ("en", "fr"):
            line = GAME.write(state, seat, order, language)
            assert order == GAME.read(state, seat, line).order, line
            assert GAME.read(state, seat, line).anytime
        first = step.entries[0]
        assert {"kind": "sealed"} == first.public(), "others see that something was sealed"
        assert told(step, seat), "it is echoed"
        if (step.state.phase, step.state.half_day) == (state.phase, state.half_day):
            assert not step.reveals and GAME.dump(step.state)[0] == GAME.dump(state)[0], "nobody sees it"
            assert all(not GAME.tell(step.state, step.entries, other) for other in (None, *state.names) if other != seat)
        self.follow(step)

    def play(self, seat: Seat) -> None:
        """A letter of a seat that is asked."""
        state = self.run.state
        text = next(GAME.reference.every(state, seat, sample(self.rng)))
        if self.rng.random() < 0.5 and not text.startswith("bonus"):
            text = text.partition("; bonus")[0]
        order = GAME.read(state, seat, text).order
        bare = GAME.apply(self.bare, seat, order, self.run.chance).state
        step = GAME.apply(state, seat, order, self.run.chance)
        sealed = next(fact for fact in facts(step) if isinstance(fact, did.Sealed | did.Numbered))
        if isinstance(sealed, did.Sealed) and sealed.why:
            # What the letter left open was said before.
            bare = by_hand(self.bare, seat, sealed.answers[seat].order, self.run.chance)
        self.bare = bare
        self.follow(step, answered=True)

    def follow(self, step: Step[DiceState], answered: bool = False) -> None:
        """What fires is legal, in its owner's words, told to him alone, and refused after a surprise."""
        before, self.run.state = self.run.state, step.state
        assert GAME.dump(step.state) == GAME.dump(GAME.fold(before, step.entries))
        assert GAME.dump(step.state) == GAME.dump(GAME.load(*GAME.dump(step.state)))
        assert not any(set(entry.public()) & {"plans", "said", "why", "answers", "cancelled"} for entry in step.entries)
        held = before.plans
        for fact in facts(step):
            if not isinstance(fact, did.Asks | did.Sealed):
                continue
            for seat, why in fact.why.items():
                kind, _, nth = why.partition(" ")
                self.met[f"fired {kind}"] += 1
                answer = fact.answers[seat].order
                if isinstance(fact, did.Asks) or not answered:
                    self.bare = by_hand(self.bare, seat, answer, self.run.chance)
                self.stands(fact, held, seat, kind, int(nth or 0), answer)
                assert "As you said" in told(step, seat)
            for seat, surprise in getattr(fact, "cancelled", {}).items():
                self.met[f"surprise {surprise.why}"] += 1
                assert seat not in fact.answers and surprise.kind not in {one.kind for one in fact.plans.get(seat, ())}
                assert "no longer holds" in told(step, seat)
            if isinstance(fact, did.Asks):
                held = fact.plans
            elif fact.plans:
                held = {**held, **fact.plans}
        assert GAME.dump(self.bare)[0] == GAME.dump(step.state)[0], "the same game"
        assert not self.run.state.plans or GAME.result(step.state) is None

    def stands(self, fact: Any, held: Any, seat: str, kind: str, nth: int, answer: Answer) -> None:
        """Whatever fired is the goal that its owner wrote; nothing is spent but what it allows."""
        if kind == "bonus":
            return
        had = {one.kind: one.order for one in (*held.get(seat, ()), *fact.plans.get(seat, ()))}
        goal = had[kind].goals[nth - 1]
        assert isinstance(answer, HalfDay)
        spent = sum(sum((one.influence, one.denier, one.knowledge)) for one in fact.does[seat] if isinstance(one, did.Spends))
        assert goal.most < 0 or spent <= goal.most
        if goal.use in COLOUR:
            assert answer.use == goal.use and goal.at in (0, answer.column)
        else:
            assert answer.use == RESOURCES_USE and answer.value >= goal.at


def played(seed: int, met: Counter[str]) -> None:
    """The law over one game."""
    game = Twice(seed, met)
    while GAME.waiting(game.run.state):
        for seat in game.run.state.names:
            if game.rng.random() < 0.3 and GAME.waiting(game.run.state):
                game.say(Seat(seat))
        if seats := game.run.open_seats():
            game.play(game.rng.choice(seats))
    assert GAME.result(game.run.state) is not None


def test_no_standing_order_seals_what_its_owner_has_not_said() -> None:
    """Each firing is legal, in its owner's words, told to him; the dice stay the same."""
    met: Counter[str] = Counter()
    for seed in range(6):
        played(seed, met)
    print(sorted(met.items()))
    assert {"fired later", "fired auto", "fired bonus", "surprise none", "surprise choice", "surprise other"} <= set(met)
    assert {"LaterGoals", "AutoGoals", "AutoBonus", "TakeBack"} <= set(met)


@pytest.mark.soak
def test_no_standing_order_seals_what_its_owner_has_not_said_in_many_games() -> None:
    """The full number."""
    met: Counter[str] = Counter()
    for seed in range(1000, 1300):
        played(seed, met)
    print(sorted(met.items()))
