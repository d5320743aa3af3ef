"""Standing orders by hand: what fires when, what cancels them, what is refused, and what is proposed."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from engine.errors import NotAllowed, NotUnderstood, OrderRefused, Unclear
from engine.game import Seat
from engine.troyes_dice.actions import sealed_answers, standing_orders
from engine.troyes_dice.card_data.sheet import COLOURS
from engine.troyes_dice.state.dice_state import AFTERNOON, DiceState, Die, Plaza
from engine.troyes_dice.state.kept_plans import BrokenPlan, KeptPlan
from tests.dice.games import ANNA, FAYE, GAME, Run, begin

EARLY = {"track_bonus": {colour: {"prestige_at": 2} for colour in COLOURS}}
"""A bonus with the second citizen, so that choices are open on the first day."""


def lying(*dice: tuple[str, int], **sheet: Any) -> DiceState:
    """The first morning of two, with Anna asked, these dice on the plazas, the first destroyed, and her sheet so."""
    state = deepcopy(begin(2).state)
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


def after(state: DiceState, *lines: str, sheet: Any = None) -> standing_orders.Fired:
    """What becomes of Anna's standing orders when she is asked now."""
    orders = [GAME.read(state, ANNA, line).order for line in lines]
    plans = tuple(KeptPlan(order, 0, state.day, sheet) for order in orders)  # type: ignore[arg-type]
    return standing_orders.fire_standing(replace(state, plans={ANNA: plans}), ANNA, "half-day")


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
    assert found.answer is not None and GAME.write(state, ANNA, found.answer.order, "en").startswith(order)
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
    known = deepcopy(state.sheets[ANNA])
    known.built["city_hall"] = (other if column == 4 else column,)
    line = "later: yellow 4: city-hall"
    assert BrokenPlan("later", "less", 1) == after(state, line, sheet=known).surprise
    assert (less := after(state, line, sheet=state.sheets[ANNA]).answer) and "later 1" == less.why
    state.sheets[ANNA] = known
    assert (same := after(state, line, sheet=deepcopy(known)).answer) and "later 1" == same.why


def test_a_bonus_that_was_not_said_is_a_surprise() -> None:
    """The choices that `auto: bonus` names are made; an unfinished answer is never sealed."""
    state = lying(*DICE, citizens={"white": 6})
    state = replace(state, box=begin(2, facts=EARLY).state.box)
    state.sheets[ANNA].citizens["white"] = 1
    assert BrokenPlan("later", "choice", 1) == after(state, "later: white 5: bishopric").surprise
    found = after(state, "later: white 5: bishopric", "auto: bonus counts-palace, cathedral 2, great-hall 3")
    assert found.answer is not None and "later 1" == found.answer.why
    assert found.answer.order.bonus in (("cathedral 2",), ("great_hall 3",)) and ["bonus"] == [one.kind for one in found.left]


def test_what_is_said_of_half_days_answers_no_choice_of_a_bonus() -> None:
    """It is kept although the words that were said of bonuses leave that choice open."""
    run = begin(2, facts=EARLY)
    run.state = lying(*DICE)
    run.state = replace(run.state, box=begin(2, facts=EARLY).state.box)
    run.state.sheets[ANNA].citizens["white"] = 1
    run.order(ANNA, "auto: bonus counts-palace 6")
    run.order(ANNA, "white 5: bishopric")
    assert "bonus" == sealed_answers.asked_kind(run.state, ANNA)
    run.order(ANNA, "auto: resources, every day")
    assert "bonus" == sealed_answers.asked_kind(run.state, ANNA)
    assert ["auto", "bonus"] == [one.kind for one in run.state.plans[ANNA]]


def test_what_is_said_of_this_days_dice_while_a_bonus_is_asked_on_its_last_half_day_is_refused() -> None:
    """It could never fire."""
    run = begin(2, facts=EARLY)
    run.state = replace(lying(*DICE), box=run.state.box)
    run.state.sheets[ANNA].citizens["white"] = 1
    run.order(ANNA, "white 5: bishopric")
    assert "bonus" == sealed_answers.asked_kind(run.state, ANNA)
    run.state = replace(run.state, half=AFTERNOON)
    with pytest.raises(NotAllowed, match="ends with this half day"):
        run.order(ANNA, "auto: deniers")


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
    assert ANNA in run.open_seats() and "You have no such standing order" in hears(run, ANNA)
    run.order(ANNA, "later: resources")
    run.order(ANNA, "cancel auto")
    assert ["later"] == [one.kind for one in run.state.plans[ANNA]]
    assert "You have no such standing order" in hears(run, ANNA)
    run.order(ANNA, "cancel later")
    assert {} == run.state.plans and "is taken back: you are asked." in hears(run, ANNA)


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
