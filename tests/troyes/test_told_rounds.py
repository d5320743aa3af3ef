"""What happens without an order as sentences, and what of it is told to whom."""

from __future__ import annotations

from collections import Counter

from engine.event_log import LogEntry
from engine.game import Seat
from engine.troyes.news import sentences
from engine.troyes.state import orders
from tests.troyes import games
from tests.troyes.entries import e, ordered, state, told
from tests.troyes.games import GAME, chance_of


def test_events_tell_what_each_lost() -> None:
    entries = [
        e("resolves", event="marauding", black=1),
        e("resolves", event="brigands_a", black=1),
        e("resolves", event="heresy", black=0),
        e("influence", seat="anna", by=-1),
        e("points", seat="anna", by=-2),
        e("influence", seat="faye", by=-2),
        e("resolves", event="normans_attack", black=2),
    ]
    assert [
        "Black dice are sent: Marauding 1, Brigands 1.",
        "Event Heresy: you -1 influence, -2 VP; Faye -2 influence.",
        "Black dice are sent: Normans Attack 2.",
    ] == told(entries, "anna")
    assert [False, True, False] == [line.mine for line in sentences.tell_news(state(), entries, "anna")]
    assert [1, 5, 6] == [line.end for line in sentences.tell_news(state(), entries, "anna")]


def test_neutral_citizens_and_cubes_of_events_are_told() -> None:
    """A16, A17, A18, A22."""
    entries = [
        e("resolves", event="wayfarers", black=0),
        e("fate", event="wayfarers", draw="1/wayfarers/anna/1", shown=[6]),
        e(
            "moves",
            owner="gray",
            source="supply",
            to="city_hall 1.1",
            pushed=[{"owner": "faye", "source": "city_hall 1.1", "to": "city_hall 1.2"}],
        ),
        e("resolves", event="wayfarers", black=0),
        e("fate", event="wayfarers", draw="1/wayfarers/anna/2", shown=[6]),
        e("resolves", event="wayfarers", black=0),
        e("resolves", event="traveling_builders", black=0),
        e("builds", owner="gray", level=1, column=3),
        e("resolves", event="interrupted_work", black=0),
        e("falls", owner="faye", level=2, column=6),
        e("resolves", event="resistance", black=0),
        e("banner_off", event="war", owner="faye"),
        e("banner_off", event="drought", owner="gray"),
        e("resolves", event="support", black=0),
        e("banner", event="war", owner="gray"),
        e("resolves", event="support", black=0),
    ]
    assert [
        "Event Wayfarers: rolls 6; a gray citizen enters City Hall 1.1; YOUR citizen moves on to City Hall 1.2.",
        "Event Wayfarers: rolls 6; nobody enters.",
        "Event Wayfarers: nothing happens.",
        "Event Traveling Builders: a gray cube on the cathedral, level 1 column 3.",
        "Event Interrupted Work: YOUR cube falls from the cathedral, level 2 column 6.",
        "Event Resistance: YOUR cube taken off War; a gray cube taken off Drought.",
        "Event Support: a gray cube on War.",
        "Event Support: the start player chooses.",
    ] == told(entries, "faye")
    touched = [line.mine for line in sentences.tell_news(state(), entries, "faye")]
    assert [True, False, False, False, True, True, False, False] == touched


def test_income_spells_out_the_readers_own_part() -> None:
    entries = [
        e("phase", phase="income"),
        e("pays", payer="bank", payee="anna", deniers=10, reason="income"),
        e("pays", payer="anna", payee="bank", deniers=3, reason="salaries"),
        e("pays", payer="bank", payee="faye", deniers=10, reason="income"),
        e("pays", payer="faye", payee="bank", deniers=10, reason="salaries"),
        e("points", seat="faye", by=-2),
    ]
    assert ["Income and salaries: you +10 deniers income, -3 salaries; Faye -2 VP."] == told(entries, "anna")
    assert ["Income and salaries: you +10 deniers income, -10 salaries, -2 VP; Anna +7 deniers."] == told(
        entries, "faye"
    )
    assert ["Income and salaries: Anna +7 deniers; Faye -2 VP."] == told(entries)


def test_a_round_is_told_from_its_cards_to_its_end() -> None:
    entries = [
        e("round", round=2),
        e("activity", card="priest"),
        e("phase", phase="workforce"),
        e("rolled", owner="anna", dice=["W2", "Y4"], draw="2/workforce/anna/1", shown=[2, 4]),
        e("rolled", owner="gray", dice=["R1"], draw="2/workforce/gray/1", shown=[1]),
        e("phase", phase="events"),
        e("threat", event="normans_attack", deck="red"),
        e("phase", phase="end of round"),
        e("collects", seat="anna", deniers=3),
        e("moves", owner="faye", source="palace lying", to="supply"),
        e("leaves", owner="gray", dice=["R1"]),
        e("starts", seat="faye"),
    ]
    assert [
        "Round 2 of 6 begins.",
        "New activity: Priest (white, per 3, hire 6, spaces 3, 2 VP). 1 cube: +3 to each yellow die, past 6 too. "
        "Not to place in City Hall.",
        "The dice are rolled: Anna Y4 W2; gray R1.",
        "New event: Normans Attack (red dice, 5 for each of 5 cubes, 4 and 2 VP). 2 black dice each round.",
        "End of the round: Anna +3 deniers; expelled citizens go home, you 1.",
        "The start player card comes to you.",
    ] == told(entries, "faye")


def test_the_end_tells_scores_winner_and_characters() -> None:
    entries = [
        e("phase", phase="final scoring"),
        e("scored", seat="anna", parts={"tokens": 12, "cathedral": -2, "henry_i": 3}),
        e("over", winners=["anna"], characters={"anna": ["henry_i"], "faye": ["urbain_iv"]}),
    ]
    assert [
        "You have 13 VP: tokens 12, missing cathedral levels -2, Henry I 3.",
        "The game is over: you have won.",
        "The characters: you Henry I; Faye Urbain IV.",
    ] == told(entries, "anna")
    assert "The game is over: Anna has won." == told(entries)[1]
    shared = [e("over", winners=["anna", "faye"], characters={"anna": ["henry_i"]})]
    assert "The game is over: Anna, Faye share the victory." == told(shared)[0]


def test_a_repair_of_points_shows_the_total_to_nobody_else() -> None:
    """Totals of others are not printed."""
    entries = [e("edited", path="anna.vp", before=11, after=13, reason="missed a cube")]
    other = "The moderator has corrected VP of Anna: +2 VP. Reason: «missed a cube»"
    assert [other] == told(entries, "faye") == told(entries)
    assert ["The moderator has corrected your VP: 13, was 11. Reason: «missed a cube»"] == told(entries, "anna")
    deniers = [e("edited", path="anna.deniers", before=3, after=5)]
    assert ["The moderator has corrected deniers of Anna: 5, was 3."] == told(deniers, "faye")
    assert ["The moderator has corrected your deniers: 5, was 3."] == told(deniers, "anna")
    die = [e("edited", path="dice.anna.1", before="R2", after="R6")]
    assert ["The moderator has corrected dice.anna.1: R6, was R2."] == told(die, "faye") == told(die, "anna")
    assert [True, False] == [sentences.tell_news(state(), die, seat)[0].mine for seat in ("anna", "faye")]
    deck = [e("edited", path="decks.red.0", before="war", after="heresy")]
    assert ["The moderator has corrected decks.red.0."] == told(deck, "faye")


def test_a_repair_can_be_told_where_a_seat_is_called_like_a_count() -> None:
    """A path that ends with a count's word is of that count only where a seat stands before it."""
    named = GAME.start({Seat(word): word.title() for word in ("coins", "name", "anna")}, GAME.settle_options(3, {}), chance_of(1))
    for path in ("characters.coins", "dice.coins", "wishes.name", "dice.name"):
        repair = GAME.moderation.change(named.state, path, [], "why" if path == "dice.coins" else "")
        (line,) = GAME.tell(named.state, [repair], Seat("anna"))
        assert str(line.says).startswith(f"The moderator has corrected {path}")
        assert line == GAME.tell(named.state, [repair], Seat("coins"))[0] == GAME.tell(named.state, [repair], None)[0]


def test_an_answer_from_ones_own_list_is_nobody_elses_business() -> None:
    (order,) = ordered("anna", orders.Settle(("palace 6",)))
    (wished,) = ordered("anna", orders.Settle(("palace 6",)), anna="wish")
    moves = e("moves", owner="anna", source="supply", to="palace 6")
    later = LogEntry("wishes", {}, {"anna": {"places": ["palace 5", "city_hall 3.1"]}})
    assert ["Anna settles in Palace 6."] == told([wished, moves, later], "faye") == told([wished, moves, later])
    assert ["You settle in Palace 6. Your list said so."] == told([wished, moves, later], "anna")
    assert ["Anna settles in Palace 6."] == told([order, moves, later], "faye")
    assert ["You settle in Palace 6: your list for later is Palace 5, City Hall 3.1."] == told(
        [order, moves, later], "anna"
    )


def test_a_decision_with_one_outcome_is_told_as_such_to_all() -> None:
    entries = ordered("anna", orders.Pass(), e("passes", seat="anna", coins=2), given="only")
    assert ["Anna passes: 2 deniers on the district. There was no choice."] == told(entries, "faye")


def test_whoever_may_act_once_the_black_dice_are_gone_is_told_so() -> None:
    """And nobody is told so in vain; it is left unsaid only where others, who have no choice, take what is left."""
    told = Counter[bool]()
    for seed in range(6):
        for at, seat, *_ in games.random_game(2 + seed % 3, seed):
            if at.asked and at.asked[0].kind == "counter":
                says = "act in the same letter" in str(GAME.waiting(at)[0].question)
                lines = (offer.text for offer in GAME.offers(at, seat))
                reads = [GAME.read(at, seat, line).order for line in lines if "\n" not in line]
                answers = [order for order in reads if isinstance(order, orders.Counter)]
                ends = [GAME.apply(at, seat, order, games.chance_of(1)).state for order in answers]
                acts = any(end.asked and end.asked[0].seat == seat for end in ends if not end.black)
                assert acts or not says
                assert says or not acts or (seat == at.start and len(at.black) > 1)
                told[says] += 1
    assert min(told[True], told[False]) > 5
