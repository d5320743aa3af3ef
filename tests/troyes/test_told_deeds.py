"""Orders as sentences, for their doer, for whom they touch, and for everybody else."""

from __future__ import annotations

from engine.event_log import LogEntry
from engine.troyes.events.order_events import Ordered
from engine.troyes.events.play import read_entries
from engine.troyes.news import sentences
from engine.troyes.news.order_text import effects_text
from engine.troyes.state import orders
from engine.troyes.state.orders import Pick, Using
from tests.troyes.entries import bought, e, ordered, picks, state, told


def test_a_fight_tells_dice_cubes_and_influence() -> None:
    entries = ordered(
        "faye",
        orders.Fight("marauding", picks("R5 R3", "faye"), 2),
        e("leaves", owner="faye", dice=["R5", "R3"], by="faye"),
        *[e("banner", event="marauding", owner="faye"), e("influence", seat="faye", by=1)] * 2,
    )
    assert ["Faye fights Marauding with R5 R3: 2 cubes, +2 influence."] == told(entries)
    assert ["You fight Marauding with R5 R3: 2 cubes, +2 influence."] == told(entries, "faye")


def test_whose_die_is_bought_hears_it_first() -> None:
    """«Geoffrey bought YOUR Y5 (you +4 deniers)»."""
    entries = ordered(
        "geoffrey",
        orders.Farm(picks("anna:Y5 Y3", "geoffrey")),
        *bought("geoffrey", "anna", ["Y5"], 4),
        e("leaves", owner="geoffrey", dice=["Y3"], by="geoffrey"),
        e("pays", payer="bank", payee="geoffrey", deniers=4),
    )
    assert ["Geoffrey buys YOUR Y5 (you +4 deniers) and farms with it and Y3: +4 deniers."] == told(entries, "anna")
    assert ["Geoffrey farms with anna:Y5 Y3 (-4 deniers): +4 deniers; Anna +4 deniers."] == told(entries, "faye")
    assert ["You farm with anna:Y5 Y3 (-4 deniers): +4 deniers; Anna +4 deniers."] == told(entries, "geoffrey")
    assert [True] == [line.mine for line in sentences.tell_news(state(), entries, "anna")]
    assert [False] == [line.mine for line in sentences.tell_news(state(), entries, "faye")]


def test_a_die_taken_with_tithe_brings_its_owner_nothing() -> None:
    """A6."""
    entries = ordered(
        "geoffrey",
        orders.Farm(picks("anna:Y5"), Using("tithe")),
        e("leaves", owner="anna", dice=["Y5"], by="geoffrey"),
        e("cubes", card="tithe", seat="geoffrey", by=-1),
        e("pays", payer="bank", payee="geoffrey", deniers=2),
    )
    expected = "Geoffrey buys YOUR Y5 (you get nothing) and farms with it using Tithe: +2 deniers."
    assert [expected] == told(entries, "anna")


def test_a_pass_tells_what_is_put_by() -> None:
    entries = ordered("emily", orders.Pass(), e("passes", seat="emily", coins=2))
    again = [e("passes", seat="emily", coins=1, again=True)]
    assert ["Emily passes: 2 deniers on the district."] == told(entries)
    assert ["Emily has passed: 1 more denier on the district."] == told(again)
    assert ["You have passed: 1 more denier on the district."] == told(again, "emily")


def merchant() -> list[LogEntry]:
    """The rulebook's example of activating a card: 16 with three dice makes 8 activations."""
    return ordered(
        "anna",
        orders.Activate("merchant", picks("Y6 Y5 geoffrey:Y5", "anna"), 8, "supply", 1),
        e("pays", payer="anna", payee="bank", deniers=4, reason="hire"),
        e("moves", owner="anna", source="supply", to="merchant 1"),
        e("pays", payer="anna", payee="geoffrey", deniers=6, reason="dice"),
        e("leaves", owner="anna", dice=["Y6", "Y5"], by="anna"),
        e("leaves", owner="geoffrey", dice=["Y5"], by="anna"),
        e("pays", payer="bank", payee="anna", deniers=16),
    )


def test_hiring_and_activating_tells_space_prices_and_times() -> None:
    """Rulebook, Activate an Activity card, example."""
    assert [
        "Anna hires a tradesman on Merchant (2 VP space, -4 deniers) and activates the card 8 times with "
        "Y6 Y5 geoffrey:Y5 (-6 deniers): +16 deniers; Geoffrey +6 deniers."
    ] == told(merchant())


def test_a_tradesman_from_the_board_and_on_the_illustration_is_told_as_such() -> None:
    entries = ordered(
        "anna",
        orders.Activate("hunting", picks("R6", "anna"), 2, "palace lying"),
        e("pays", payer="anna", payee="bank", deniers=5, reason="hire"),
        e("moves", owner="anna", source="palace lying", to="hunting picture"),
        e("leaves", owner="anna", dice=["R6"], by="anna"),
        e("influence", seat="anna", by=4, wasted=2),
    )
    assert [
        "Anna hires a tradesman on Hunting from among the expelled of the Palace (illustration, -5 deniers) and "
        "activates the card twice with R6: +4 influence, 2 influence lost beyond the most one may have."
    ] == told(entries)


def test_what_an_option_would_do_is_said_from_the_same_facts() -> None:
    """The dice and the tradesman are paid from the gain; what the order says itself is not said again."""
    head, *done = read_entries(merchant())
    assert isinstance(head, Ordered)
    assert "8 times, tradesman worth 2 VP, +6 deniers; Geoffrey +6 deniers" == str(
        effects_text(state(), "anna", head.order, done)
    )
    head, *done = read_entries(pushing())
    assert isinstance(head, Ordered)
    assert (
        "to Bishopric 1.1, a citizen of Anna is expelled, a gray citizen moves on to Bishopric 1.2"
        == str(effects_text(state(), "faye", head.order, done))
    )
    assert "nothing is gained" == str(effects_text(state(), "anna", orders.Recruit(1), []))


def pushing() -> list[LogEntry]:
    return ordered(
        "faye",
        orders.Station(Pick("faye", "W1"), "supply"),
        e("leaves", owner="faye", dice=["W1"], by="faye"),
        e(
            "moves",
            owner="faye",
            source="supply",
            to="bishopric 1.1",
            pushed=[
                {"owner": "anna", "source": "bishopric 1.2", "to": "bishopric lying"},
                {"owner": "gray", "source": "bishopric 1.1", "to": "bishopric 1.2"},
            ],
        ),
    )


def test_citizens_pushed_and_expelled_are_told() -> None:
    """A42, A43."""
    entries = pushing()
    start, end = "Faye places a citizen on Bishopric 1.1 with W1: ", ", a gray citizen moves on to Bishopric 1.2."
    assert [f"{start}a citizen of Anna is expelled{end}"] == told(entries)
    assert [f"{start}YOUR citizen is expelled{end}"] == told(entries, "anna")
    assert sentences.tell_news(state(), entries, "anna")[0].mine
    assert not sentences.tell_news(state(), entries, "emily")[0].mine


def test_a_countered_event_tells_points_and_who_takes_the_card() -> None:
    """A19, A20."""
    entries = ordered(
        "faye",
        orders.Fight("drought", picks("Y4", "faye"), 1),
        e("leaves", owner="faye", dice=["Y4"], by="faye"),
        e("banner", event="drought", owner="faye"),
        e("influence", seat="faye", by=1),
        e("countered", event="drought", winner="anna"),
        e("points", seat="anna", by=3),
        e("points", seat="faye", by=1),
    )
    fight = "Faye fights Drought with Y4: 1 cube, +1 influence."
    assert [fight, "Event Drought is countered: Anna +3 VP; Faye +1 VP; Anna takes the card."] == told(entries)
    assert [fight, "Event Drought is countered: you +3 VP; Faye +1 VP; you take the card."] == told(entries, "anna")
    assert [False, True] == [line.mine for line in sentences.tell_news(state(), entries, "anna")]


def test_points_after_a_second_cube_do_not_belong_to_the_counter_before_it() -> None:
    entries = ordered(
        "faye",
        orders.Activate("diplomat", picks("R6", "faye"), 2, targets=("support", "drought")),
        e("leaves", owner="faye", dice=["R6"], by="faye"),
        e("influence", seat="faye", by=-4),
        e("banner", event="support", owner="faye"),
        e("countered", event="support", winner="gray"),
        e("banner", event="drought", owner="faye"),
        e("countered", event="drought", winner="faye"),
        e("points", seat="faye", by=4),
    )
    assert [
        "Faye activates Diplomat twice with R6: 1 cube on Support, 1 cube on Drought, -4 influence.",
        "Event Support is countered: the card goes to gray.",
        "Event Drought is countered: Faye +4 VP; Faye takes the card.",
    ] == told(entries)


def test_influence_is_told_with_what_dice_were_and_are() -> None:
    reroll = ordered(
        "anna",
        orders.Reroll("Y2"),
        e("influence", seat="anna", by=-1),
        e("rerolled", seat="anna", dice=["Y2"], now=["Y4"], draw="1/reroll/anna/1", shown=[4]),
    )
    flip = ordered(
        "anna",
        orders.Flip(("Y2", "W3")),
        e("influence", seat="anna", by=-4),
        e("flipped", seat="anna", dice=["Y2", "W3"], now=["Y5", "W4"]),
    )
    recruit = ordered(
        "anna", orders.Recruit(2), e("influence", seat="anna", by=-4), e("recruited", seat="anna", citizens=2)
    )
    assert ["Anna re-rolls Y2 → Y4: -1 influence."] == told(reroll)
    assert ["You flip Y2 W3 → Y5 W4: -4 influence."] == told(flip, "anna")
    assert ["Anna recruits 2 citizens: -4 influence."] == told(recruit)


def test_black_dice_are_told_beaten_and_unbeaten() -> None:
    beaten = ordered(
        "anna",
        orders.Counter((6, 1), ("R4",)),
        e("leaves", owner="anna", dice=["R4"], by="anna"),
        e("black_gone", dice=[6, 1], seat="anna", beaten=True),
        e("influence", seat="anna", by=2),
    )
    gone = e("black_gone", dice=[6], seat="anna", beaten=False)
    lost = ordered("anna", orders.Counter((), ()), gone, e("points", seat="anna", by=-2))
    poor = ordered("anna", orders.Counter((), ()), gone)
    assert ["Anna beats the black 6 1 with R4: +2 influence."] == told(beaten)
    assert ["You cannot beat the black 6: -2 VP."] == told(lost, "anna")
    assert ["Anna cannot beat the black 6: no VP to lose."] == told(poor)
    roll = [e("black", seat="anna", dice=[1, 5], draw="1/black/anna/1", shown=[1, 5])]
    assert ["The black dice show 5 1. Anna counters first."] == told(roll)
    assert ["The black dice show 5 1. You counter first."] == told(roll, "anna")


def test_archery_tells_each_roll_and_a_hit_that_waits() -> None:
    shot = ordered(
        "anna",
        orders.Activate("archer", picks("R4", "anna"), 2),
        e("leaves", owner="anna", dice=["R4"], by="anna"),
        e("shot", seat="anna", hit=False, target="", draw="1/archer/anna/1", shown=[2]),
        e("shot", seat="anna", hit=True, target="", draw="1/archer/anna/2", shown=[4]),
    )
    drawn = ordered("anna", orders.Activate("archer", picks("R4", "anna"), 2), e("leaves", owner="anna", dice=["R4"], by="anna"))
    aimed = ordered(
        "anna",
        orders.Target("war"),
        e("banner", event="war", owner="anna"),
        e("influence", seat="anna", by=1),
        e("shot", seat="anna", hit=False, target="", draw="1/archer/anna/3", shown=[1]),
    )
    assert ["Anna activates Archer twice with R4: rolls 2 4, a hit that still needs its event."] == told(shot)
    assert ["You hit War: 1 cube, rolls 1, no hit, +1 influence."] == told(aimed, "anna")
    assert ["Anna activates Archer twice with R4."] == told(drawn)
