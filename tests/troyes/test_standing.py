"""Standing orders: nothing is played that its owner has not said, and nothing of them is seen before they fire.

The law plays whole random games twice: with random standing orders, and without any, where whatever fired is ordered
by its owner. Both are the same game, dice included.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice

import pytest

from engine.chance import BlindChance, Chance, UnknownDraw
from engine.errors import NotAllowed, NotUnderstood, OrderRefused, Unclear
from engine.game import Seat, Step
from engine.kit.sampling import NumberStream
from engine.troyes.actions.carry_out_order import carry_out, is_legal
from engine.troyes.actions.standing_orders import position_if_asked
from engine.troyes.events.order_events import Ordered
from engine.troyes.events.play import Play, read_entries
from engine.troyes.events.round_events import MattersPending
from engine.troyes.options.random_orders import random_order
from engine.troyes.state import orders
from engine.troyes.state.orders import Order
from engine.troyes.state.troyes_state import TroyesState
from tests.troyes import games, ladies
from tests.troyes.standing import GAME, hears, holding, middle, ordered, say, turn, without_dice

FIRED = {"pass": "auto: pass", "dieless": "auto: pass when I have no die", "counter": "auto: counter"}


def random_plan(state: TroyesState, seat: str, rng: random.Random) -> Order | None:
    """A standing order that the seat may give now."""
    if not state.round and rng.random() < 0.5:
        return orders.AutoPlace(tuple(map(str, rng.sample(state.free_spaces(), min(3, len(state.free_spaces()))))))
    match rng.randrange(8):
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
                at = position_if_asked(state, seat, rng.choice(("", "turn")))
            except NotAllowed:
                return None
            lots = (NumberStream([rng.randrange(1 << 30) for _ in range(64)]) for _ in range(3))
            found = [order for lot in lots for order in islice(random_order(at, seat, lot), 4) if isinstance(order, orders.PlannableOrder)]
            acts = [order for order in found if not isinstance(order, orders.Pass)] or found[:1]
            acts = list(dict.fromkeys(rng.sample(acts, min(3, len(acts)))))
            passes = at.asked[0].kind == "turn" and orders.Pass() not in acts and rng.random() < 0.5
            return orders.Later(tuple(acts), passes) if acts else None


def given(state: TroyesState, rng: random.Random) -> Iterator[tuple[Seat, Order]]:
    """Some seats say something for later."""
    for seat in state.seats:
        if rng.random() < 0.3 and seat not in {asked.seat for asked in state.asked}:
            order = random_plan(state, seat, rng)
            if order is not None:
                yield Seat(seat), order


def opened(seed: int) -> tuple[TroyesState, Chance]:
    """A game of any kind."""
    if seed % 2:
        return ladies.opening(seed).state, ladies.chance_of(seed)
    return games.opening(2 + seed % 3, seed).state, games.chance_of(seed)


def does(state: TroyesState, seat: str, order: Order) -> Counter[str]:
    """What an order brings its seat, by what a person at the table counts; as far as no die is rolled."""
    play = Play(state.fork(), BlindChance())
    with suppress(UnknownDraw):
        carry_out(play, play.state.agenda[-1], seat, order)
    return Counter({name: n - counts(state, seat)[name] for name, n in counts(play.state, seat).items()})


def counts(state: TroyesState, seat: str) -> Counter[str]:
    house = state.houses[seat]
    spaces = [worth for card in state.cards for worth, owner in zip(state.activity(card.id).spaces, card.spaces, strict=True) if owner == seat]
    return Counter({
        "deniers": house.deniers, "influence": house.influence, "vp": house.vp, "guard": house.guard,
        "on events": sum(threat.cubes.count(seat) for threat in state.queue),
        "on the cathedral": state.cubes_on_cathedral(seat),
        "on cards": sum(card.cubes.get(seat, 0) for card in state.cards),
        "spaces": sum(spaces),
    })  # fmt: skip


def ways(state: TroyesState, order: Order) -> Iterator[Order]:
    """An order with every number of cubes and every space: what still names the same die, card and event."""
    match order:
        case orders.Fight():
            yield from (replace(order, cubes=cubes) for cubes in range(1, 10))
        case orders.Activate(hiring=hiring) if hiring:
            yield from (replace(order, space=space) for space in range(5))
        case _:
            yield order


Told = dict[str, tuple[orders.Later, list[Counter[str]]]]
"""What each seat has said for later last, and what each of its orders would have brought then."""


def played(seed: int, met: Counter[str]) -> None:
    """The law over one game."""
    rng = random.Random(seed)
    told: Told = {}
    state, dice = opened(seed)
    bare = state.copy()
    silent: set[str] = set()
    for _ in range(games.LONGEST):
        if not state.asked:
            break
        for seat, order in given(state, rng):
            try:
                said = GAME.apply(state, seat, order, BlindChance())
            except NotAllowed:
                continue
            met[type(order).__name__] += 1
            if isinstance(order, orders.Later):
                at = position_if_asked(state, seat, "counter" if isinstance(order.orders[0], orders.Counter) else "turn")
                told[seat] = order, [does(at, seat, deed) for deed in order.orders]
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
        bare = by_hand(seed, bare, asked.seat, text, step, dice, told, met)
        explained(state, step, met)
        answered_himself(silent, asked.seat, GAME.read(state, asked.seat, text).order, step)
        met["asked after a surprise"] += len(silent)
        surprised(state, asked.seat, text, step, dice, met)
        state = step.state
    assert GAME.result(state) is not None


def by_hand(
    seed: int, bare: TroyesState, seat: Seat, text: str, step: Step[TroyesState], dice: Chance, told: Told, met: Counter[str]
) -> TroyesState:
    """The same game without standing orders: whatever fired is ordered by its owner, and comes to the same."""
    bare = GAME.apply(bare, seat, GAME.read(bare, seat, text).order, dice).state
    for fact in ordered(step):
        if fact.why:
            assert fact.seat in {one.seat for one in bare.asked}, (seed, "only who is asked has an order fired")
            no_less(bare, fact, told, met)
            bare = GAME.apply(bare, Seat(fact.seat), fact.order, dice).state
    assert GAME.dump(bare)[0] == GAME.dump(step.state)[0], (seed, text)
    return bare


def no_less(state: TroyesState, fact: Ordered, told: Told, met: Counter[str]) -> None:
    """Nothing fires that does less than it said; what stands before it names what is gone; and nobody is out of the round
    who has not asked for that by itself."""
    word, _, nth = fact.why[fact.seat].partition(" ")
    if word != "later":
        assert not isinstance(fact.order, orders.Pass) or word in ("pass", "dieless")
        return
    said, brought = told[fact.seat]
    if nth == "else":
        assert said.passes and isinstance(fact.order, orders.Pass)
        before = said.orders
    else:
        before = said.orders[: int(nth) - 1]
        now = does(state, fact.seat, fact.order)
        assert all(now[what] >= n for what, n in brought[int(nth) - 1].items()), (fact, now, brought)
        assert not isinstance(fact.order, orders.Pass) or said == orders.Later((orders.Pass(),))
    met[f"later {'else' if nth == 'else' else 'first' if nth == '1' else 'another'}"] += 1
    for order in before:
        assert not any(is_legal(state, fact.seat, way) for way in ways(state, order)), (order, fact)


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
            later = had["later"]
            assert type(fact.order) in {orders.Pass, *map(type, later.orders)} and isinstance(later, orders.Later)
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
    # Where nothing else is left for him to do, that was his answer.
    silent -= {fact.seat for fact in read_entries(step.entries) if isinstance(fact, Ordered) and fact.given == "only"}
    fired = {fact.seat for fact in ordered(step) if next(iter(fact.why.values()), "").split(" ")[0] in ("later", *FIRED)}
    assert not fired & silent
    silent |= {one for fact in read_entries(step.entries) if isinstance(fact, MattersPending) for one in fact.cancelled}


def surprised(state: TroyesState, seat: Seat, text: str, step: Step[TroyesState], dice: Chance, met: Counter[str]) -> None:
    """Had its owner been told something else, it would not have fired, and he would be asked and told why."""
    for fact in ordered(step)[:2]:
        word = next(iter(fact.why.values()), "").split(" ")[0]
        plans = [plan for plan in state.plans.get(fact.seat, ()) if plan.kind == word]
        if word not in ("later", "pass") or (word == "pass" and not (plans[0].dice and state.dice[fact.seat])):
            continue
        if fact.why[fact.seat] == "later else":
            continue  # nothing of what stood before it is there to do less
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
    assert {"later first", "later another", "later else"} <= set(met)
    assert {"surprised later", "surprised pass", "asked after a surprise"} <= set(met)
    assert {"AutoPass", "AutoCounter", "AutoPlace", "Later", "Cancel"} <= set(met)


@pytest.mark.soak
def test_no_standing_order_plays_what_its_owner_has_not_said_in_many_games() -> None:
    """The full number."""
    met: Counter[str] = Counter()
    for seed in range(1000, 1300):
        played(seed, met)
    print(sorted(met.items()))
    assert met["fired later"] > 2000


# What may be said, and what is left of it when orders are taken back.


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
    ("auto:", NotUnderstood, "Standing orders are"),
    ("auto: dinner", NotUnderstood, "Standing orders are"),
    ("auto: react perhaps", NotUnderstood, "A standing order about reactions is"),
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
    assert next_ == surprised.asked[0].seat and {"pass"} == holding(surprised, next_)
    again, told = went_back(surprised, mark, next_)
    assert {"later", "pass"} == holding(again, next_)
    assert "Of what you have said for later this holds now: «later», «auto: pass»." in told
    cancelled = say(say(mark, next_, "cancel pass"), next_, "auto: counter")
    again, told = went_back(cancelled, mark, next_)
    assert {"later"} == holding(again, next_) and "this holds now: «later»." in told
    changed = say(mark, next_, "later: farm Y6 | auto: pass")
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
        assert seat == step.state.asked[0].seat and "re-roll Y1 → " in hears(step, seat)


@pytest.mark.parametrize("line", ["reroll Y1 until 4", "reroll Y1 max 3", "reroll Y1 until 9 max 3", "reroll Y1 until it is good"])
def test_rolling_again_needs_a_goal_and_a_cap(line: str) -> None:
    """Spending influence is never assumed."""
    state, seat, _ = turn()
    state.dice[seat] = ["Y1", "W2"]
    with pytest.raises(NotUnderstood):
        GAME.read(state, Seat(seat), line)
