"""Standing orders: nothing is sealed that its owner has not said, and nothing of them is seen before a half day closes.

The law plays whole random games twice: with random standing orders, and without any, where whatever fired is ordered by
its owner. Both are the same game, dice included.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from engine.errors import NotAllowed, NotUnderstood, OrderRefused, TooLate, Unclear
from engine.game import Seat, Step
from engine.troyes_dice import entries as did
from engine.troyes_dice.actions import answers, standing
from engine.troyes_dice.box.sheet import COLOUR, COLOURS, RESOURCES, ROWS
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
from engine.troyes_dice.state.plans import BrokenPlan, KeptPlan
from engine.troyes_dice.state.state import DiceState, Die, Plaza
from tests.dice.games import ANNA, FAYE, GAME, Run, begin, options_of, sample

EARLY = {"track_bonus": {colour: {"prestige_at": 2} for colour in COLOURS}}
"""A bonus with the second citizen, so that choices are open on the first day."""


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
    return list(did.Course.kinds.read(step.entries))


def by_hand(bare: DiceState, seat: str, answer: Answer, chance: Any) -> DiceState:
    """What fired, ordered by its owner."""
    if isinstance(answer, HalfDay):
        return GAME.apply(bare, Seat(seat), answer, chance).state
    before = answers.answer(bare, seat)
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
    for seed in range(12):
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


# What fires when, by hand.


def lying(*dice: tuple[str, int], **sheet: Any) -> DiceState:
    """The first morning of two, with Anna asked, these dice on the plazas, the first destroyed, and her sheet so."""
    state = begin(2).state.copy()
    plazas = list(state.plazas)
    for slot, (colour, _) in enumerate(dice):
        plazas[state.notch(slot)] = Plaza(colour, "red", "", "")
    state.plazas = tuple(plazas)
    state.dice = tuple(Die(value, slot == 0, slot == 0) for slot, (_, value) in enumerate(dice))
    for part, values in sheet.items():
        getattr(state.sheets[ANNA], part).update(values)
    return state


DICE = (("red", 1), ("white", 3), ("yellow", 4), ("white", 5))
"""Any resource, a denier, and two deniers are paid for the last three."""


def after(state: DiceState, *lines: str, sheet: Any = None) -> standing.Fires:
    """What becomes of Anna's standing orders when she is asked now."""
    orders = [GAME.read(state, ANNA, line).order for line in lines]
    plans = tuple(KeptPlan(order, 0, state.day, sheet) for order in orders)  # type: ignore[arg-type]
    return standing.fires(replace(state, plans={ANNA: plans}), ANNA, "half-day")


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("later: white 5: cathedral", "white 5: cathedral 5"),
        ("later: white: cathedral", "white 5: cathedral 5"),
        ("later: white 4+: knowledge", "white 5: knowledge"),
        ("later: white 4: cathedral | yellow: city-hall", "yellow 4: city-hall 4"),
        ("later: cathedral 3; pay knowledge", "white 3: cathedral 3; pay knowledge"),
        ("later: cathedral max 1", "white 3: cathedral 3; pay"),
        ("later: red: fortress | resources", "white 5: knowledge"),
        ("later: cathedral 4 max 2", "white 3 as white 4: cathedral 4; pay"),
        ("later: deniers 5+ max 2 | deniers", "yellow 4 as yellow 5: deniers"),
        ("plus tard: blanc 5 ou plus : évêché", "white 5: bishopric 5"),
    ],
)
def test_the_first_goal_that_can_be_reached_is_the_answer(line: str, order: str) -> None:
    """A die as it lies, unless the line says what may be spent; the cheapest for a building, the most of resources."""
    state = lying(*DICE)
    found = after(state, line)
    assert found.answer is not None and GAME.write(state, ANNA, found.answer, "en").startswith(order)
    assert () == found.left


def test_what_costs_more_than_was_said_is_not_reached() -> None:
    """Nor what leaves open which resource pays."""
    state = lying(*DICE)
    for line in ("white 5: cathedral max 1", "white 3: cathedral", "red: fortress", "cathedral 3", "knowledge 6+"):
        assert BrokenPlan("later", "none") == after(state, f"later: {line}").surprise, line
    assert BrokenPlan("auto", "none") == after(state, "auto: cathedral 6 max 1, every day").surprise


def test_what_brings_less_than_when_it_was_said_is_a_surprise() -> None:
    """A Great Hall that its owner knew of would have made a link: without it nothing fires."""
    state = lying(*DICE)
    for link in state.box.links:
        other, column = link.columns if link.row == "city_hall" else (0, 0)
        if column == 4 or other == 4:
            break
    known = state.sheets[ANNA].copy()
    known.built["city_hall"] = (other if column == 4 else column,)
    line = "later: yellow 4: city-hall"
    assert BrokenPlan("later", "less", 1) == after(state, line, sheet=known).surprise
    assert "later 1" == after(state, line, sheet=state.sheets[ANNA]).why
    state.sheets[ANNA] = known
    assert "later 1" == after(state, line, sheet=known.copy()).why


def test_a_bonus_that_was_not_said_is_a_surprise() -> None:
    """The choices that `auto: bonus` names are made; an unfinished answer is never sealed."""
    state = lying(*DICE, citizens={"white": 6})
    state = replace(state, box=begin(2, facts=EARLY).state.box)
    state.sheets[ANNA].citizens["white"] = 1
    assert BrokenPlan("later", "choice", 1) == after(state, "later: white 5: bishopric").surprise
    found = after(state, "later: white 5: bishopric", "auto: bonus counts-palace, cathedral 2, great-hall 3")
    assert found.answer is not None and "later 1" == found.why
    assert found.answer.bonus in (("cathedral 2",), ("great_hall 3",)) and ["bonus"] == [one.kind for one in found.left]


def test_what_is_said_of_half_days_answers_no_choice_of_a_bonus() -> None:
    """It is kept although the words that were said of bonuses leave that choice open."""
    run = begin(2, facts=EARLY)
    run.state = lying(*DICE)
    run.state = replace(run.state, box=begin(2, facts=EARLY).state.box)
    run.state.sheets[ANNA].citizens["white"] = 1
    run.order(ANNA, "auto: bonus counts-palace 6")
    run.order(ANNA, "white 5: bishopric")
    assert "bonus" == answers.asked_kind(run.state, ANNA)
    run.order(ANNA, "auto: resources, every day")
    assert "bonus" == answers.asked_kind(run.state, ANNA)
    assert ["auto", "bonus"] == [one.kind for one in run.state.plans[ANNA]]


def ready() -> Run:
    """Anna has answered; Faye and Geoffrey have not."""
    run = begin(3, 4)
    run.order(ANNA, GAME.offers(run.state, ANNA)[0].text)
    return run


def hears(run: Run, seat: Seat) -> str:
    return " ".join(str(line.says) for line in GAME.tell(run.state, run.last, seat))


def test_it_holds_for_the_next_half_day_alone() -> None:
    """`later` is gone once it was asked; `auto` ends with its day, unless it says every day."""
    run = ready()
    run.order(ANNA, "later: resources")
    assert "It holds for the afternoon of day 1, or until you write «cancel later»." in hears(run, ANNA)
    run.order(ANNA, "auto: deniers | resources")
    assert "It holds until the end of day 1, or you write «cancel auto»." in hears(run, ANNA)
    assert ["later", "auto"] == [one.kind for one in run.state.plans[ANNA]]
    run.finish_half_day()
    assert "As you said for later, goal 1." in hears(run, ANNA) and ANNA not in run.open_seats()
    assert "As you said" not in hears(run, FAYE)
    assert ["auto"] == [one.kind for one in run.state.plans[ANNA]]
    with pytest.raises(NotAllowed, match="ends with this half day"):
        run.order(ANNA, "auto: deniers")
    run.order(ANNA, "auto: influence | resources, every day")
    assert "It holds every day, until something surprises it or you write «cancel auto»." in hears(run, ANNA)
    run.finish_half_day()
    assert "As you said, goal" in hears(run, ANNA)
    run.order(ANNA, "cancel")
    assert {} == run.state.plans and ANNA not in run.open_seats()
    assert "is taken back; an answer that is already sealed stays." in hears(run, ANNA)
    run.finish_half_day()
    run.order(ANNA, "cancel")
    assert ANNA in run.open_seats() and "is taken back: you are asked." in hears(run, ANNA)


def test_the_half_day_that_is_meant_is_named() -> None:
    """Whoever answers last has the next dice before him when what stands below his answer is read."""
    run = begin(2, 4)
    run.order(FAYE, GAME.offers(run.state, FAYE)[0].text)
    run.order(ANNA, GAME.offers(run.state, ANNA)[0].text)
    assert "afternoon" == run.state.half
    run.order(ANNA, "later: resources")
    assert "It holds for the morning of day 2, or until you write «cancel later»." in hears(run, ANNA)


def test_one_that_answers_now_does_so() -> None:
    """Whoever is asked and says `auto` has answered, but not who says `later`; what cannot answer now is refused."""
    run = begin(3, 4)
    run.order(ANNA, "later: resources")
    assert ANNA in run.open_seats(), "that is for the next half day"
    assert ["later"] == [one.kind for one in run.state.plans[ANNA]] and run.state.plans[ANNA][0].sheet is None
    with pytest.raises(NotAllowed, match="none of it is possible"):
        run.order(ANNA, "auto: cathedral 6 max 0")
    run.order(ANNA, "auto: resources")
    assert ANNA not in run.open_seats() and "Sealed until everybody has answered" in hears(run, ANNA)


def test_what_is_taken_back_takes_with_it_what_was_said_on_top() -> None:
    """`undo` of the answer; the entry looks like one of an answer to others."""
    run = ready()
    run.order(ANNA, "later: resources")
    step = GAME.withdraw(run.state, ANNA)
    assert step is not None and {} == step.state.plans
    assert [{"kind": "sealed"}] == [entry.public() for entry in step.entries]
    told = " ".join(str(line.says) for line in GAME.tell(step.state, step.entries, ANNA))
    assert "With your answer goes what you had said for later" in told


def test_going_back_forgets_all_that_was_said() -> None:
    """The same entry whoever has said anything."""
    run = ready()
    (plain,) = GAME.moderation.without_plans(run.state)
    run.order(ANNA, "auto: resources, every day")
    (entry,) = GAME.moderation.without_plans(run.state)
    assert plain == entry
    found = GAME.fold(run.state, [entry])
    assert {} == found.plans == found.sealed
    assert {} == GAME.moderation.redacted(run.state, FAYE).plans


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("later: white 4: cathedral 6", "builds in column 4"),
        ("later: red: cathedral", "needs a white die"),
        ("later: cathedral 7", "six columns"),
        ("later: red 4 as white 4: cathedral", "more of a die than can be known"),
        ("later: red 4 plaza 2: influence", "more of a die than can be known"),
        ("later: " + " | ".join(["resources"] * 7), "at most 6"),
        ("later: cathedral; pay 2 knowledge", "«max» says how much"),
    ],
)
def test_what_no_die_could_do_is_refused_when_it_is_said(line: str, why: str) -> None:
    run = ready()
    with pytest.raises(OrderRefused) as refused:
        run.order(ANNA, line)
    assert why in str(refused.value.reason)


@pytest.mark.parametrize("line", ["later: red 4", "auto: catedral", "auto: pass", "auto: passer, chaque jour", "cancel the game"])
def test_what_is_no_goal_is_not_understood(line: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        GAME.read(ready().state, ANNA, line)
    assert refused.value.anytime


@pytest.mark.parametrize("line", ["See you later!", "later today", "plus tard peut-être"])
def test_without_its_colon_later_is_talk(line: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        GAME.read(ready().state, ANNA, line)
    assert not refused.value.anytime


def test_what_may_be_said_is_proposed() -> None:
    """`later:` alone brings lines that can be sent as they stand; a resource of a morning, the same for the afternoon."""
    run = ready()
    with pytest.raises(Unclear) as unclear:
        GAME.read(run.state, ANNA, "later:")
    assert 3 == len(unclear.value.orders)
    for line in unclear.value.orders:
        step = GAME.apply(run.state, ANNA, GAME.read(run.state, ANNA, line).order, run.chance)
        assert line == GAME.write(step.state, ANNA, step.state.plans[ANNA][0].order, "en")
    met = 0
    for seed in range(30):
        run = begin(2, seed)
        best, *_, last = (offer.text for offer in GAME.offers(run.state, ANNA))
        if last.startswith("auto: "):
            met += 1
            run.order(ANNA, last)
            assert best == str(GAME.view(run.state, ANNA).answer)
            assert not any(offer.text.startswith("auto") for offer in GAME.offers(begin(1, seed).state, ANNA))
    assert met
