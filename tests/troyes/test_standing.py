"""Standing orders: nothing is played that its owner has not said, and nothing of them is seen before they fire.

The law plays whole random games twice: with random standing orders, and without any, where whatever fired is ordered
by its owner. Both are the same game, dice included.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from engine.chance import Blind, Chance
from engine.errors import NotAllowed, NotUnderstood, OrderRefused, Unclear
from engine.game import Seat, Step
from engine.kit.sampling import Lot
from engine.troyes.actions.standing import if_asked
from engine.troyes.entries import facts
from engine.troyes.entries.course import MattersPending
from engine.troyes.entries.ordering import Ordered
from engine.troyes.moves import legal
from engine.troyes.state import orders
from engine.troyes.state.orders import Order
from engine.troyes.state.state import TroyesState
from tests.troyes import games, ladies

GAME = games.GAME
PUBLIC = ("only", "dice")
FIRED = {"pass": "auto: pass", "dieless": "auto: pass when I have no die", "counter": "auto: counter"}


def random_plan(state: TroyesState, seat: str, rng: random.Random) -> Order | None:
    """A standing order that the seat may give now."""
    if not state.round and rng.random() < 0.5:
        return orders.AutoPlace(tuple(map(str, rng.sample(state.free_spaces(), min(3, len(state.free_spaces()))))))
    match rng.randrange(6):
        case 0:
            return orders.AutoPass(rng.random() < 0.5, False)
        case 1:
            return orders.AutoPass(True, True)
        case 2:
            return orders.AutoCounter(rng.choice((0, 0, 2, 4)), rng.random() < 0.5)
        case 3:
            return orders.Cancel(rng.choice(("", "pass", "counter", "later")))
        case _:
            try:
                at = if_asked(state, seat, rng.choice(("", "turn")))
            except NotAllowed:
                return None
            lot = Lot([rng.randrange(1 << 30) for _ in range(64)])
            found = [order for order in islice(legal.some(at, seat, lot), 12) if isinstance(order, orders.Deed)]
            return orders.Later(tuple(found[:3])) if found else None


def given(state: TroyesState, rng: random.Random) -> Iterator[tuple[Seat, Order]]:
    """Some seats say something for later."""
    for seat in state.seats:
        if rng.random() < 0.3 and seat not in {asked["seat"] for asked in state.asked}:
            order = random_plan(state, seat, rng)
            if order is not None:
                yield Seat(seat), order


def ordered(step: Step[TroyesState]) -> list[Ordered]:
    """The orders of a step that somebody gave, by hand or beforehand."""
    return [fact for fact in facts(step.entries) if isinstance(fact, Ordered) and fact.given not in PUBLIC]


def opened(seed: int) -> tuple[TroyesState, Chance]:
    """A game of any kind."""
    if seed % 2:
        return ladies.opening(seed).state, ladies.chance_of(seed)
    return games.opening(2 + seed % 3, seed).state, games.chance_of(seed)


def played(seed: int, met: Counter[str]) -> None:
    """The law over one game."""
    rng = random.Random(seed)
    state, dice = opened(seed)
    bare = state.copy()
    silent: set[str] = set()
    for _ in range(games.LONGEST):
        if not state.asked:
            break
        for seat, order in given(state, rng):
            try:
                said = GAME.apply(state, seat, order, Blind())
            except NotAllowed:
                continue
            met[type(order).__name__] += 1
            written = [GAME.write(state, seat, order, language) for language in ("en", "fr")]
            assert all(order == GAME.read(state, seat, line).order for line in written), written
            assert not said.reveals and said.state.asked == state.asked
            assert GAME.dump(said.state)[0] == GAME.dump(state)[0], "nobody sees it"
            assert GAME.dump(said.state) == GAME.dump(GAME.fold(state, said.entries))
            assert all(() == GAME.tell(said.state, said.entries, other) for other in (None, *state.others(seat)))
            assert GAME.tell(said.state, said.entries, seat), "it is echoed"
            state = said.state
        asked = next(one for one in GAME.waiting(state) if not one.answered)
        text = next(iter(GAME.reference.every(state, asked.seat, [rng.randrange(1 << 30) for _ in range(64)])))
        step = GAME.apply(state, asked.seat, GAME.read(state, asked.seat, text).order, dice)
        assert GAME.dump(step.state) == GAME.dump(GAME.fold(state, step.entries)), text
        bare = by_hand(seed, bare, asked.seat, text, step, dice)
        explained(state, step, met)
        answered_himself(silent, asked.seat, GAME.read(state, asked.seat, text).order, step)
        met["asked after a surprise"] += len(silent)
        surprised(state, asked.seat, text, step, dice, met)
        state = step.state
    assert GAME.result(state) is not None


def by_hand(
    seed: int, bare: TroyesState, seat: Seat, text: str, step: Step[TroyesState], dice: Chance
) -> TroyesState:
    """The same game without standing orders: whatever fired is ordered by its owner, and comes to the same."""
    bare = GAME.apply(bare, seat, GAME.read(bare, seat, text).order, dice).state
    for fact in ordered(step):
        if fact.why:
            assert fact.seat in {one["seat"] for one in bare.asked}, (seed, "only who is asked has an order fired")
            bare = GAME.apply(bare, Seat(fact.seat), fact.order, dice).state
    assert GAME.dump(bare)[0] == GAME.dump(step.state)[0], (seed, text)
    return bare


def explained(state: TroyesState, step: Step[TroyesState], met: Counter[str]) -> None:
    """What fires stands in its owner's words, and is told to him alone; the table sees no plan and no reason."""
    assert not any({"plans", "cancelled", "why"} & set(made.public()) for made in step.entries)
    for fact in ordered(step):
        if not fact.why:
            continue
        assert {fact.seat} == set(fact.why), "nobody else learns why"
        word = fact.why[fact.seat].split()[0]
        met[f"fired {word}"] += 1
        if word not in ("later", *FIRED):
            continue
        had = {plan.kind: plan.order for plan in state.plans[fact.seat]}
        if word == "later":
            assert fact.order in had["later"].orders
        else:
            assert GAME.write(state, Seat(fact.seat), had["pass" if word == "dieless" else word], "en").startswith(FIRED[word])
        told = [str(line.says) for line in GAME.tell(step.state, step.entries, Seat(fact.seat))]
        assert any("As you said" in says for says in told), told
        for other in (None, *state.others(fact.seat)):
            others = {one.seat for one in ordered(step) if one.why} - {fact.seat}
            if other not in others:
                assert not any("As you said" in str(line.says) for line in GAME.tell(step.state, step.entries, other))


def answered_himself(silent: set[str], seat: Seat, order: Order, step: Step[TroyesState]) -> None:
    """Nothing fires for who was surprised (`silent`) before he has done more than spend influence or a cube."""
    if not isinstance(order, orders.Reroll | orders.Flip | orders.Recruit | orders.Use):
        silent.discard(seat)
    fired = {fact.seat for fact in ordered(step) if next(iter(fact.why.values()), "").split(" ")[0] in ("later", *FIRED)}
    assert not fired & silent
    silent |= {one for fact in facts(step.entries) if isinstance(fact, MattersPending) for one in fact.cancelled}


def surprised(state: TroyesState, seat: Seat, text: str, step: Step[TroyesState], dice: Chance, met: Counter[str]) -> None:
    """Had its owner been told something else, it would not have fired, and he would be asked and told why."""
    for fact in ordered(step)[:2]:
        word = next(iter(fact.why.values()), "").split(" ")[0]
        plans = [plan for plan in state.plans.get(fact.seat, ()) if plan.kind == word]
        if word not in ("later", "pass") or (word == "pass" and not (plans[0].dice and state.dice[fact.seat])):
            continue
        other = state.copy()
        told = tuple(replace(one, deniers=one.deniers + 1) for one in plans[0].promises)
        others = [plan for plan in state.plans[fact.seat] if plan.kind != word]
        other.plans = {fact.seat: (replace(plans[0], promises=told, dice=()), *others)}
        again = GAME.apply(other, seat, GAME.read(other, seat, text).order, dice)
        if word == "pass" and not again.state.dice[fact.seat]:
            continue  # bought away on the way there: nothing is left that could have come
        assert word not in holding(again.state, fact.seat)
        assert not any(one.seat == fact.seat and one.why for one in ordered(again))
        lines = [str(line.says) for line in GAME.tell(again.state, again.entries, Seat(fact.seat))]
        assert any("no longer holds" in says for says in lines), lines
        met[f"surprised {word}"] += 1
        return


def test_no_standing_order_plays_what_its_owner_has_not_said() -> None:
    """Each firing is legal, in its owner's words, told, and refused after a surprise; the dice stay the same."""
    met: Counter[str] = Counter()
    for seed in range(8):
        played(seed, met)
    print(sorted(met.items()))
    assert {"fired later", "fired dieless", "fired counter", "fired pass", "fired wish"} <= set(met)
    assert {"surprised later", "surprised pass", "asked after a surprise"} <= set(met)
    assert {"AutoPass", "AutoCounter", "AutoPlace", "Later", "Cancel"} <= set(met)


@pytest.mark.soak
def test_no_standing_order_plays_what_its_owner_has_not_said_in_many_games() -> None:
    """The full number."""
    met: Counter[str] = Counter()
    for seed in range(1000, 1300):
        played(seed, met)
    print(sorted(met.items()))


# What fires when, by hand.


def middle(kind: str, seed: int, good: Any = lambda state, seat: True) -> tuple[TroyesState, Seat]:
    """A position of a three-player game in which a seat is asked a kind of thing."""
    for at in range(seed, seed + 40):
        for state, seat, *_ in games.random_game(3, at):
            if state.asked and state.asked[0]["kind"] == kind and good(state, seat):
                return state, seat
    raise AssertionError(f"no game asks {kind} so")


def say(state: TroyesState, seat: str, line: str) -> TroyesState:
    """The position once a seat has said something for later."""
    return GAME.apply(state, Seat(seat), GAME.read(state, Seat(seat), line).order, Blind()).state


def hears(step: Step[TroyesState], seat: str) -> str:
    """What a seat is told of a step."""
    return " ".join(str(line.says) for line in GAME.tell(step.state, step.entries, Seat(seat)))


def without_dice(state: TroyesState, seat: str) -> TroyesState:
    """The position with nothing in a district, and money to buy with."""
    found = state.copy()
    found.dice[seat], found.houses[seat].deniers = [], 9
    return found


def turn(seed: int = 1) -> tuple[TroyesState, Seat, str]:
    """A turn early in a round in which everybody may still act, with whose it is and who comes next."""
    state, seat = middle("turn", seed, lambda at, _: all(len(at.dice[one]) > 1 and not at.houses[one].passed for one in at.seats))
    return state, seat, state.after(seat)


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
    assert next_ == asked.state.asked[0]["seat"] and not asked.state.houses[next_].passed


def test_a_seat_that_has_a_die_is_asked_and_its_standing_order_stays() -> None:
    """`when I have no die` says nothing of a district with dice."""
    state, seat, next_ = turn()
    step = GAME.apply(say(state, next_, "auto: pass when I have no die"), seat, orders.Pass(), games.chance_of(1))
    assert next_ == step.state.asked[0]["seat"] and step.state.plans[next_]


def test_what_holds_for_a_round_is_gone_in_the_next() -> None:
    """Scoped to the round unless said otherwise."""
    state, seat, next_ = turn()
    state = say(without_dice(state, next_), next_, "auto: pass when I have no die")
    state.round += 1
    step = GAME.apply(state, seat, orders.Pass(), games.chance_of(1))
    assert next_ == step.state.asked[0]["seat"] and set() == holding(step.state, next_)


def test_passing_leaves_no_dice_that_were_not_there_when_it_was_said() -> None:
    """A die that came since is a surprise: nothing fires, and the mail says what changed."""
    state, seat, next_ = turn()
    state = say(state, next_, "auto: pass")
    step = GAME.apply(state, seat, orders.Pass(), games.chance_of(1))
    assert step.state.houses[next_].passed and "As you said: pass." in hears(step, next_)
    state.dice[next_] = [*state.dice[next_], "W6"]
    step = GAME.apply(state, seat, orders.Pass(), games.chance_of(1))
    assert next_ == step.state.asked[0]["seat"] and set() == holding(step.state, next_)
    assert "«auto: pass» no longer holds: there are other dice in your district" in hears(step, next_)
    assert "no longer holds" not in hears(step, seat)


def black(dice: list[str], influence: int, line: str) -> Step[TroyesState]:
    """What follows when black dice come to a seat with these dice and influence, who has said something before."""
    state, seat = middle("counter", 3, lambda at, _: len(at.black) > 1)
    next_ = state.after(seat)
    state.black, state.dice[seat], state.dice[next_] = [5, 4], ["R3"], dice
    state.houses[next_].influence = influence
    return GAME.apply(say(state, next_, line), seat, orders.Counter((5,), ("R3",)), games.chance_of(3))


def test_black_dice_are_countered_with_the_fewest_then_the_cheapest() -> None:
    """As `counter auto` does, without being asked; whoever could still do something else is asked."""
    fires = black(["W4", "R2", "W1", "Y6"], 9, "auto: counter")
    (order,) = [one for one in ordered(fires) if one.why]
    assert orders.Counter((4,), ("R2",)) == order.order
    assert "As you said: the fewest, then the cheapest dice." in hears(fires, order.seat)
    asked = black(["W1", "Y2"], 1, "auto: counter")
    assert "counter" == asked.state.asked[0]["kind"] and not [one for one in ordered(asked) if one.why]
    owner = asked.state.asked[0]["seat"]
    assert set() == holding(asked.state, owner) and "your dice do not beat the highest black die" in hears(asked, owner)
    lost = black(["W1", "Y2"], 4, "auto: counter keep 4 influence")
    assert [orders.Counter((), ())] == [one.order for one in ordered(lost) if one.why]


def test_a_list_for_the_placement_may_come_from_whoever_is_not_asked() -> None:
    """`auto: place` is the list of `settle` without a placement now."""
    state = games.opening(3, 1).state
    seat, next_ = state.asked[0]["seat"], state.after(state.asked[0]["seat"])
    said = GAME.apply(state, Seat(next_), GAME.read(state, Seat(next_), "auto: place palace 6, palace 5").order, Blind())
    assert "Your placements to come: the first of palace 6, palace 5 that is free." in hears(said, next_)
    step = GAME.apply(said.state, seat, GAME.read(said.state, seat, "settle palace 6").order, Blind())
    assert next_ == step.state.palace[4] and "Your list said so." in hears(step, next_)
    assert {} == say(said.state, next_, "cancel place").wishes
    later, _, other = turn()
    with pytest.raises(NotAllowed, match="initial placement is over"):
        say(later, other, "auto: place palace 6")


def test_the_first_order_that_is_legal_is_played_when_its_turn_comes() -> None:
    """`later`: each is told with what it brings; one that somebody has made impossible is passed over."""
    state, seat, next_ = turn()
    state.dice[next_], state.dice[seat] = ["Y6", "Y5"], ["Y4", "W1"]
    state.houses[seat].deniers = 9
    line = f"later: farm Y6 {seat}:Y4 | farm Y6 Y5 | pass"
    state.houses[next_].deniers = 9
    said = GAME.apply(state, Seat(next_), GAME.read(state, Seat(next_), line).order, Blind())
    assert "2: +5 deniers" in hears(said, next_) and "3: no deniers, influence or VP at once" in hears(said, next_)
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
    assert next_ == step.state.asked[0]["seat"] and set() == holding(step.state, next_)
    assert told in hears(step, next_) and "no longer holds" not in hears(step, seat)


def holding(state: TroyesState, seat: str) -> set[str]:
    """Which kinds of standing orders of a seat hold."""
    return {plan.kind for plan in state.plans.get(seat, ()) if plan.holds(state.round, state.houses[seat].passed)}


def test_who_was_surprised_answers_himself_before_anything_else_fires_for_him() -> None:
    """He re-rolls first, and is asked again: what else he has said waits until he has taken his turn."""
    state, seat, next_ = turn()
    state.dice[next_], state.houses[next_].influence = ["Y6", "W5"], 4
    state = say(say(state, next_, "auto: pass"), next_, "later: farm Y6")
    state.dice[next_] = ["W5"]
    state = GAME.apply(state, seat, orders.Pass(), games.chance_of(1)).state
    assert next_ == state.asked[0]["seat"] and {"pass"} == holding(state, next_)
    rolled = GAME.apply(state, Seat(next_), orders.Reroll("W5"), games.chance_of(1))
    assert next_ == rolled.state.asked[0]["seat"] and not [one for one in ordered(rolled) if one.why]
    state = rolled.state
    state.plans[next_] = tuple(replace(plan, dice=tuple(state.dice[next_])) for plan in state.plans[next_])
    order = next(one for one, _ in GAME.thinking.ranked(state, next_) if isinstance(one, orders.Recruit | orders.Deed))
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
    assert (next_, "counter") == (state.asked[0]["seat"], state.asked[0]["kind"])
    step = GAME.apply(state, Seat(next_), orders.Reroll("W3"), games.chance_of(3))
    assert (next_, "counter") == (step.state.asked[0]["seat"], step.state.asked[0]["kind"])
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
    said = GAME.apply(state, Seat(next_), GAME.read(state, Seat(next_), "later: farm Y6 Y5").order, Blind())
    assert "When your turn comes, the first of these" in hears(said, next_)
    first = GAME.apply(said.state, seat, orders.Counter((5,), ("R3",)), games.chance_of(3))
    assert (next_, "counter") == (first.state.asked[0]["seat"], first.state.asked[0]["kind"])
    assert {"later"} == holding(first.state, next_) and "no longer holds" not in hears(first, next_)
    fires = GAME.apply(first.state, Seat(next_), orders.Counter((1,), ("W1",)), games.chance_of(3))
    assert "As you said for later, order 1." in hears(fires, next_)
    spent = GAME.apply(first.state, Seat(next_), orders.Counter((1,), ("Y5",)), games.chance_of(3))
    assert next_ == spent.state.asked[0]["seat"] and "none of its orders can be played now" in hears(spent, next_)
    with pytest.raises(NotAllowed, match="answers one question"):
        say(state, next_, "later: counter 1 with W1 | farm Y6")
    told = GAME.apply(state, Seat(next_), GAME.read(state, Seat(next_), "later: counter 1 with Y6").order, Blind())
    assert "When black dice come to you, the first of these" in hears(told, next_)


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


def test_what_would_be_asked_for_later_is_proposed() -> None:
    """`later:` alone: the options that will likely be open, each a whole line."""
    state, _, next_ = turn()
    with pytest.raises(Unclear) as refused:
        GAME.read(state, Seat(next_), "later:")
    assert refused.value.anytime and len(refused.value.orders) > 1
    for line in refused.value.orders:
        assert line.startswith("later: ") and say(state, next_, line).plans[next_]


@pytest.mark.parametrize(("line", "kind", "told"), [
    ("auto: pass every round", NotUnderstood, "Every round only"),
    ("auto: pass when it rains", NotUnderstood, "Standing orders are"),
    ("cancel dinner", NotUnderstood, "takes back all your standing orders"),
    ("later: reroll Y6", NotAllowed, "cannot be said for later"),
    ("later: farm W6", NotAllowed, "You have no"),
])  # fmt: skip
def test_what_cannot_be_said_for_later_is_refused_for_that(line: str, kind: type[OrderRefused], told: str) -> None:
    """Whoever is asked: the reason counts, not whose turn it is."""
    state, _, next_ = turn()
    state.dice[next_] = ["Y6", "Y5"]
    with pytest.raises(kind, match=re.escape(told)):
        say(state, next_, line)
    try:
        assert GAME.read(state, Seat(next_), line).anytime
    except OrderRefused as refused:
        assert refused.anytime


def test_later_is_not_for_what_is_asked_now() -> None:
    """An order for now is an order; one for later stands below it."""
    state, seat, _ = turn()
    with pytest.raises(NotAllowed, match="You are asked now"):
        say(state, seat, "later: pass")


def test_a_mail_that_asks_offers_the_standing_order_that_would_have_helped() -> None:
    """No die left; black dice."""
    state, seat, _ = turn()
    poor = without_dice(state, seat)
    texts = [offer.text for offer in GAME.offers(poor, seat)]
    assert "auto: pass when I have no die, every round" == texts[texts.index("pass") + 1]
    assert not any(offer.text.startswith("auto") for offer in GAME.offers(state, seat))
    answered = GAME.apply(poor, seat, GAME.read(poor, seat, "auto: pass when I have no die, every round").order, games.chance_of(1))
    assert answered.state.houses[seat].passed and answered.state.plans[seat]
    state, seat = middle("counter", 3, lambda at, who: len(at.dice[who]) > 2 and at.black[0] < 6)
    assert "auto: counter, every round" in [offer.text for offer in GAME.offers(state, seat)]


def test_what_was_said_since_is_gone_with_the_orders_that_are_taken_back() -> None:
    """An entry tells its owner, and is there whoever has said anything."""
    state, seat, next_ = turn()
    after = say(state, next_, "auto: pass")
    for before in (state, after):
        (entry,) = GAME.moderation.gone_with(before, state)
        assert {"kind": "plans"} == entry.public()
        assert GAME.dump(state) == GAME.dump(GAME.fold(state, [entry]))
        told = [str(line.says) for line in GAME.tell(state, [entry], Seat(next_))]
        assert (before is after) == bool(told) and () == GAME.tell(state, [entry], seat)


def went_back(before: TroyesState, after: TroyesState, seat: str) -> tuple[TroyesState, str]:
    """The position once orders were taken back, and what a seat is told of that."""
    entries = GAME.moderation.gone_with(before, after)
    state = GAME.fold(after, entries)
    return state, " ".join(str(line.says) for line in GAME.tell(state, entries, Seat(seat)))


def test_what_was_surprised_by_orders_that_are_taken_back_holds_again() -> None:
    """What its owner has himself taken back or changed since does not, and each is told what is true."""
    state, seat, next_ = turn()
    state.dice[next_], state.dice[seat], state.houses[seat].deniers = ["Y6", "W5"], ["Y5", "W1"], 9
    state.houses[next_].influence = 0
    mark = say(say(state, next_, "auto: pass"), next_, "later: farm Y6")
    order = GAME.read(mark, seat, f"farm {next_}:Y6").order
    surprised = GAME.apply(mark, seat, order, games.chance_of(1)).state
    assert next_ == surprised.asked[0]["seat"] and {"pass"} == holding(surprised, next_)
    again, told = went_back(surprised, mark, next_)
    assert {"later", "pass"} == holding(again, next_)
    assert "Of what you have said for later this holds now: «later», «auto: pass»." in told
    cancelled = say(say(mark, next_, "cancel pass"), next_, "auto: counter")
    again, told = went_back(cancelled, mark, next_)
    assert {"later"} == holding(again, next_) and "this holds now: «later»." in told
    changed = say(mark, next_, "later: farm Y6 | pass")
    again, told = went_back(changed, mark, next_)
    assert {"pass"} == holding(again, next_) and "this holds now: «auto: pass»." in told
    again, told = went_back(say(mark, next_, "cancel"), mark, next_)
    assert set() == holding(again, next_) and "" == told


# Again and again, inside an order.


@pytest.mark.parametrize(("until", "most", "influence"), [(6, 4, 6), (6, 2, 6), (4, 9, 3), (2, 1, 1)])
def test_a_die_is_rolled_again_until_it_shows_enough_or_the_cap_is_reached(until: int, most: int, influence: int) -> None:
    """It never spends above the cap, nor what is not there; each roll is the one that would have come by hand."""
    for seed in range(6):
        state, seat, _ = turn(seed + 1)
        state.dice[seat], state.houses[seat].influence = ["Y1", "W2"], influence
        line = f"reroll Y1 until {until}+ max {most}"
        order = GAME.read(state, Seat(seat), line).order
        assert GAME.write(state, Seat(seat), order, "en") == line and order == orders.Reroll("Y1", until, most)
        dice = games.chance_of(seed)
        step = GAME.apply(state, Seat(seat), order, dice)
        spent = influence - step.state.houses[seat].influence
        die = step.state.dice[seat][0] if step.state.dice[seat][1] == "W2" else step.state.dice[seat][1]
        assert spent <= min(most, influence) and (int(die[1]) >= until or spent == min(most, influence))
        hand, shown = state, "Y1"
        for _ in range(spent):
            was = Counter(hand.dice[seat])
            hand = GAME.apply(hand, Seat(seat), orders.Reroll(shown), dice).state
            shown = next(iter(Counter(hand.dice[seat]) - was), shown)
        assert hand.dice == step.state.dice and hand.houses == step.state.houses
        assert seat == step.state.asked[0]["seat"] and "re-roll Y1 → " in hears(step, seat)


@pytest.mark.parametrize("line", ["reroll Y1 until 4", "reroll Y1 max 3", "reroll Y1 until 9 max 3", "reroll Y1 until it is good"])
def test_rolling_again_needs_a_goal_and_a_cap(line: str) -> None:
    """Spending influence is never assumed."""
    state, seat, _ = turn()
    state.dice[seat] = ["Y1", "W2"]
    with pytest.raises(NotUnderstood):
        GAME.read(state, Seat(seat), line)
