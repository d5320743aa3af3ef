"""Which standing order fires when, by hand: as it was said, not after a surprise, and nobody else is told why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.chance import BlindChance
from engine.errors import NotAllowed, Unclear
from engine.game import Seat
from engine.troyes.notation.standing_parser import parse_order
from engine.troyes.state import orders
from engine.troyes.state.kept_plans import Promise
from tests.troyes import games
from tests.troyes.standing import GAME, black, hears, holding, middle, ordered, say, turn, without_dice


def test_who_has_no_die_passes_as_he_said_in_every_round_until_he_takes_it_back() -> None:
    """The owner is told why; the others that he passes, no more."""
    state, seat, next_ = turn()
    state = say(without_dice(state, next_), next_, "auto: pass when I have no die, every round")
    step = GAME.apply(state, seat, orders.Pass(), games.chance_of(1))
    assert step.state.houses[next_].passed and step.reveals
    assert "You pass: 2 deniers on the district. As you said: pass, no die left." in hears(step, next_)
    assert "As you said" not in hears(step, seat)
    assert step.state.plans[next_][0].always
    back = say(step.state, next_, "cancel pass")
    assert {} == back.plans
    asked = GAME.apply(say(state, next_, "cancel"), seat, orders.Pass(), games.chance_of(1))
    assert next_ == asked.state.asked[0].seat and not asked.state.houses[next_].passed


def test_that_there_is_nothing_to_take_back_is_told() -> None:
    """And what was said stays."""
    state, _, next_ = turn()
    nothing, cancel = "You have no such standing order: nothing is taken back.", GAME.read(state, next_, "cancel").order
    assert nothing == hears(GAME.apply(state, next_, cancel, games.chance_of(1)), next_)
    state = say(without_dice(state, next_), next_, "auto: pass when I have no die, every round")
    assert "What you had said is taken back" in hears(GAME.apply(state, next_, cancel, games.chance_of(1)), next_)
    step = GAME.apply(state, next_, GAME.read(state, next_, "cancel counter").order, games.chance_of(1))
    assert nothing == hears(step, next_)
    assert state.plans == step.state.plans


def test_a_seat_that_has_a_die_is_asked_and_its_standing_order_stays() -> None:
    """`when I have no die` says nothing of a district with dice."""
    state, seat, next_ = turn()
    step = GAME.apply(say(state, next_, "auto: pass when I have no die"), seat, orders.Pass(), games.chance_of(1))
    assert next_ == step.state.asked[0].seat and step.state.plans[next_]


def test_what_holds_for_a_round_is_gone_in_the_next() -> None:
    """Scoped to the round unless said otherwise."""
    state, seat, next_ = turn()
    state = say(without_dice(state, next_), next_, "auto: pass when I have no die")
    state.round += 1
    step = GAME.apply(state, seat, orders.Pass(), games.chance_of(1))
    assert next_ == step.state.asked[0].seat and set() == holding(step.state, next_)


def test_passing_leaves_no_dice_that_were_not_there_when_it_was_said() -> None:
    """A die that came since is a surprise: nothing fires, and the mail says what changed."""
    state, seat, next_ = turn()
    state = say(state, next_, "auto: pass")
    step = GAME.apply(state, seat, orders.Pass(), games.chance_of(1))
    assert step.state.houses[next_].passed and "As you said: pass." in hears(step, next_)
    state.dice[next_] = [*state.dice[next_], "W6"]
    step = GAME.apply(state, seat, orders.Pass(), games.chance_of(1))
    assert next_ == step.state.asked[0].seat and set() == holding(step.state, next_)
    assert "«auto: pass» no longer holds: there are other dice in your district" in hears(step, next_)
    assert "no longer holds" not in hears(step, seat)


def test_black_dice_are_countered_with_the_fewest_then_the_cheapest() -> None:
    """As `counter auto` does, without being asked; whoever could still do something else is asked."""
    fires = black(["W4", "R2", "W1", "Y6"], 9, "auto: counter")
    (order,) = [one for one in ordered(fires) if one.why]
    assert orders.Counter((4,), ("R2",)) == order.order
    assert "As you said: the fewest, then the cheapest dice." in hears(fires, order.seat)
    asked = black(["W1", "Y2"], 1, "auto: counter")
    assert "counter" == asked.state.asked[0].kind and not [one for one in ordered(asked) if one.why]
    owner = asked.state.asked[0].seat
    assert set() == holding(asked.state, owner) and "your dice do not beat the highest black die" in hears(asked, owner)
    lost = black(["W1", "Y2"], 4, "auto: counter keep 4 influence")
    assert [orders.Counter((), ())] == [one.order for one in ordered(lost) if one.why]


def test_a_list_for_the_placement_may_come_from_whoever_is_not_asked() -> None:
    """`auto: place` is the list of `settle` without a placement now."""
    state = games.opening(3, 1).state
    seat, next_ = state.asked[0].seat, state.after(state.asked[0].seat)
    said = GAME.apply(state, Seat(next_), GAME.read(state, Seat(next_), "auto: place palace 6, palace 5").order, BlindChance())
    assert "Your placements to come: the first of palace 6, palace 5 that is free." in hears(said, next_)
    step = GAME.apply(said.state, seat, GAME.read(said.state, seat, "settle palace 6").order, BlindChance())
    assert next_ == step.state.palace[4] and "Your list said so." in hears(step, next_)
    assert {} == say(said.state, next_, "cancel place").wishes
    later, _, other = turn()
    with pytest.raises(NotAllowed, match="initial placement is over"):
        say(later, other, "auto: place palace 6")


def test_the_first_order_that_names_nothing_that_is_gone_is_played() -> None:
    """`later`: each is told with what it brings; one that somebody has made impossible is passed over."""
    state, seat, next_ = turn()
    state.dice[next_], state.dice[seat] = ["Y6", "Y5"], ["Y4", "W1"]
    state.houses[seat].deniers = 9
    line = f"later: farm Y6 {seat}:Y4 | farm Y6 Y5 | auto: pass"
    state.houses[next_].deniers = 9
    said = GAME.apply(state, Seat(next_), GAME.read(state, Seat(next_), line).order, BlindChance())
    assert "2: +5 deniers" in hears(said, next_) and "if all do, you pass and leave Y6 Y5" in hears(said, next_)
    step = GAME.apply(said.state, seat, GAME.read(said.state, seat, "farm Y4").order, games.chance_of(1))
    (order,) = [one for one in ordered(step) if one.why]
    assert "farm Y6 Y5" == GAME.write(state, Seat(next_), order.order, "en")
    assert "As you said for later, order 2." in hears(step, next_) and next_ not in step.state.plans


@pytest.mark.parametrize(("change", "told"), [
    ("poorer", "its order 1 was to bring +5 deniers, and would now bring"),
    ("elsewhere", "would now touch other dice, cards, spaces or persons"),
    ("impossible", "none of its orders can be played now"),
])  # fmt: skip
def test_an_order_for_later_is_cancelled_by_a_surprise(change: str, told: str) -> None:
    """It would cost more or bring less, touch something else, or cannot be: nothing fires, and it is told why."""
    state, seat, next_ = turn()
    state.dice[next_] = ["Y6", "Y5"]
    state = say(state, next_, "later: farm Y6 Y5")
    (plan,) = state.plans[next_]
    if change == "poorer":
        dearer = replace(state.box.board, agriculture_divisor=3)
        state.box = replace(state.box, board=dearer)
    elif change == "elsewhere":
        state.plans[next_] = (replace(plan, promises=(replace(plan.promises[0], does="another"),)),)
    else:
        state.dice[next_] = ["Y6", "W5"]
    step = GAME.apply(state, seat, orders.Pass(), games.chance_of(1))
    assert next_ == step.state.asked[0].seat and set() == holding(step.state, next_)
    assert told in hears(step, next_) and "no longer holds" not in hears(step, seat)


def test_who_was_surprised_answers_himself_before_anything_else_fires_for_him() -> None:
    """He re-rolls first, and is asked again: what else he has said waits until he has taken his turn."""
    state, seat, next_ = turn()
    state.dice[next_], state.houses[next_].influence = ["Y6", "W5"], 4
    state = say(say(state, next_, "auto: pass"), next_, "later: farm Y6")
    state.dice[next_] = ["W5"]
    state = GAME.apply(state, seat, orders.Pass(), games.chance_of(1)).state
    assert next_ == state.asked[0].seat and {"pass"} == holding(state, next_)
    rolled = GAME.apply(state, Seat(next_), orders.Reroll("W5"), games.chance_of(1))
    assert next_ == rolled.state.asked[0].seat and not [one for one in ordered(rolled) if one.why]
    state = rolled.state
    state.plans[next_] = tuple(replace(plan, dice=tuple(state.dice[next_])) for plan in state.plans[next_])
    order = next(one for one, _ in GAME.thinking.ranked(state, next_) if isinstance(one, orders.Recruit | orders.PlannableOrder))
    state = GAME.apply(state, Seat(next_), order, games.chance_of(1)).state
    assert all(not plan.off for plan in state.plans.get(next_, ()))


def test_who_said_in_vain_which_dice_beat_black_ones_is_asked_until_he_has() -> None:
    """`auto: counter` stands, and does not answer for him when he has re-rolled."""
    asked = black(["W4", "R2", "W1", "Y6"], 9, "later: counter 4 with W4")
    (order,) = [one for one in ordered(asked) if one.why]
    assert orders.Counter((4,), ("W4",)) == order.order, "it answers black dice"
    state, seat = middle("counter", 3, lambda at, _: len(at.black) > 1)
    next_ = state.after(seat)
    state.black, state.dice[seat], state.dice[next_] = [5, 4], ["R3"], ["W4", "R2"]
    state.houses[next_].influence = 9
    state = say(say(state, next_, "auto: counter, every round"), next_, "later: counter 4 with W4")
    state.dice[next_] = ["W3", "R2"]
    state = GAME.apply(state, seat, orders.Counter((5,), ("R3",)), games.chance_of(3)).state
    assert (next_, "counter") == (state.asked[0].seat, state.asked[0].kind)
    step = GAME.apply(state, Seat(next_), orders.Reroll("W3"), games.chance_of(3))
    assert (next_, "counter") == (step.state.asked[0].seat, step.state.asked[0].kind)
    assert not [one for one in ordered(step) if one.why]
    done = GAME.apply(step.state, Seat(next_), orders.Counter((4,), ("R2",)), games.chance_of(3)).state
    assert [""] == [plan.off for plan in done.plans[next_]], "from then on it counters again"


@pytest.mark.parametrize("line", ["later: counter 5 with Y6", "later: counter 5 with Y6 | counter none", "later: beat 5 with Y6"])
def test_black_dice_that_cannot_come_are_not_answered_for_later(line: str) -> None:
    """In the turns of a round, and where those that are asked before take all that are left."""
    state, _, next_ = turn()
    state.dice[next_] = ["Y6", "Y5"]
    with pytest.raises(NotAllowed, match="No black die comes to you any more in this round"):
        say(state, next_, line)
    state, seat = middle("counter", 3)
    next_ = state.after(seat)
    state.black, state.dice[next_] = [5], ["Y6"]
    with pytest.raises(NotAllowed, match="No black die comes to you any more in this round"):
        say(state, next_, line)
    state.black = [5, 5]
    assert {"later"} == holding(say(state, next_, line.replace(" | counter none", "")), next_)


def test_what_is_said_of_a_turn_while_black_dice_come_waits_for_the_turn() -> None:
    """It is told so, is no answer to black dice, and is played once they are gone, if it still does what it would."""
    state, seat = middle("counter", 3, lambda at, _: len(at.black) > 1)
    next_ = state.after(seat)
    state.start, state.black = next_, [5, 1]
    state.dice[seat], state.dice[next_] = ["R3", "W1"], ["Y6", "Y5", "W1"]
    state.houses[seat].influence = state.houses[next_].influence = 0
    said = GAME.apply(state, Seat(next_), GAME.read(state, Seat(next_), "later: farm Y6 Y5").order, BlindChance())
    assert "When your turn comes, this is played" in hears(said, next_)
    first = GAME.apply(said.state, seat, orders.Counter((5,), ("R3",)), games.chance_of(3))
    assert (next_, "counter") == (first.state.asked[0].seat, first.state.asked[0].kind)
    assert {"later"} == holding(first.state, next_) and "no longer holds" not in hears(first, next_)
    fires = GAME.apply(first.state, Seat(next_), orders.Counter((1,), ("W1",)), games.chance_of(3))
    assert "As you said for later, order 1." in hears(fires, next_)
    spent = GAME.apply(first.state, Seat(next_), orders.Counter((1,), ("Y5",)), games.chance_of(3))
    assert next_ == spent.state.asked[0].seat and "none of its orders can be played now" in hears(spent, next_)
    with pytest.raises(NotAllowed, match="answers one question"):
        say(state, next_, "later: counter 1 with W1 | farm Y6")
    told = GAME.apply(state, Seat(next_), GAME.read(state, Seat(next_), "later: counter 1 with Y6").order, BlindChance())
    assert "When black dice come to you, this is played" in hears(told, next_)


def test_for_one_round_black_dice_are_countered_as_often_as_they_come() -> None:
    """What has fired once stands until the round is over."""
    step = black(["W4", "R2", "W1", "Y6"], 9, "auto: counter")
    owner = next(one.seat for one in ordered(step) if one.why)
    assert {"counter"} == holding(step.state, owner)


def test_a_pass_for_this_round_is_spent_when_it_has_fired() -> None:
    """It is not listed any more, nor where nothing else was left to do; one for every round is."""
    state, seat, next_ = turn()
    forced = say(say(without_dice(state, next_), next_, "auto: pass"), next_, "auto: counter")
    forced.houses[next_].deniers = forced.houses[next_].influence = 0
    forced = GAME.apply(forced, seat, orders.Pass(), games.chance_of(1)).state
    assert forced.houses[next_].passed and set() == holding(forced, next_)
    for line, left in (("auto: pass", set()), ("auto: pass when I have no die", set()), ("auto: pass when I have no die, every round", {"pass"})):
        said = say(without_dice(state, next_), next_, line)
        step = GAME.apply(said, seat, orders.Pass(), games.chance_of(1))
        assert step.state.houses[next_].passed and left == holding(step.state, next_), line
        shown = GAME.view(step.state, next_).secret
        assert shown is not None and len(left) == len(shown.plans)


def test_a_typed_pass_behind_another_order_is_asked_back_once() -> None:
    """To be asked, or to pass, where the other order is gone: as it is answered, it is no question any more."""
    state, _, next_ = turn()
    state.dice[next_] = ["Y6", "W5"]
    for line in ("later: farm Y6 | pass", "ensuite: cultiver J6 | passer", "later: farm Y6 | build with W5 | pass"):
        with pytest.raises(Unclear, match="Passing ends your round") as refused:
            GAME.read(state, Seat(next_), line)
        asked, passes = refused.value.orders
        assert refused.value.anytime and passes == f"{asked} | auto: pass"
        for text, ends in ((asked, False), (passes, True)):
            order = GAME.read(state, Seat(next_), text).order
            assert isinstance(order, orders.Later) and order.passes is ends and orders.Pass() not in order.orders
            french = GAME.write(state, Seat(next_), order, "fr")
            assert order == GAME.read(state, Seat(next_), french).order and french.endswith("| auto: passer") is ends
    assert orders.Later((orders.Pass(),)) == GAME.read(state, Seat(next_), "later: pass").order, "asked for alone"
    with pytest.raises(NotAllowed, match="without more words"):
        GAME.read(state, Seat(next_), "later: farm Y6 | auto: pass when I have no die")


def test_what_could_be_meant_by_a_part_of_later_stands_in_its_place() -> None:
    """A choice drops nothing of what stands around it."""
    state, seat, next_ = turn()
    state.dice[next_] = ["Y6", "Y5", "W5"]

    with pytest.raises(Unclear) as refused:
        parse_order(state, next_, f"later: build with W5 | farm {state.names[seat]}'s Y6 and Y5 | auto: pass")
    assert refused.value.orders == (
        f"later: build with W5 | farm {seat}:Y6 Y5 | auto: pass",
        f"later: build with W5 | farm {seat}:Y6 {seat}:Y5 | auto: pass",
    )


@pytest.mark.parametrize("gone", [True, False])
def test_a_plan_that_was_kept_before_passes_for_nobody(gone: bool) -> None:
    """`A | pass` as it was kept once, complete and with passing among its orders: A is played as it was told, and where it
    is gone, or no longer possible as it stands there, its owner is asked."""
    state, seat, next_ = turn()
    state.dice[next_] = ["Y6", "Y5"]
    state = say(state, next_, "later: farm Y6 Y5")
    (plan,) = state.plans[next_]
    old = orders.Later((*plan.order.orders, orders.Pass()))
    state.plans[next_] = (replace(plan, order=old, promises=(*plan.promises, Promise("0"))),)
    state = GAME.load(*GAME.dump(state))
    if gone:
        state.dice[next_] = ["Y6", "W5"]
    step = GAME.apply(state, seat, orders.Pass(), games.chance_of(1))
    assert not step.state.houses[next_].passed
    if gone:
        assert next_ == step.state.asked[0].seat and "what stood before its «pass» is gone" in hears(step, next_)
    else:
        assert "As you said for later, order 1." in hears(step, next_)


def test_whoever_would_put_fewer_cubes_than_was_told_is_asked() -> None:
    state, seat, next_ = turn()
    state.dice[next_] = ["R6", "Y5"]
    at = next(at for at, threat in enumerate(state.queue) if threat.id == "marauding")
    state.queue[at] = replace(state.queue[at], cubes=[])
    state = say(state, next_, "later: fight marauding with R6 | auto: pass")
    (plan,) = state.plans[next_]
    assert isinstance(plan.order, orders.Later) and isinstance(plan.order.orders[0], orders.Fight)
    assert 0 == plan.order.orders[0].cubes, "as many as there can be, as it was written"
    state.queue[at] = replace(state.queue[at], cubes=[seat, seat])
    step = GAME.apply(state, seat, orders.Pass(), games.chance_of(1))
    assert next_ == step.state.asked[0].seat and "«later» no longer holds: its order 1" in hears(step, next_)
