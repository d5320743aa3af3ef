"""Entries told as sentences: every kind, the examples of the design, whole games for every reader."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.catalog import Catalogue
from engine.chronicle import Entry
from engine.game import Line
from engine.game import Seat
from engine.troyes import telling
from engine.troyes.conduct import ANSWERS
from engine.troyes.language.words import VERBS
from engine.troyes.state import Town
from engine.troyes.telling import acts
from engine.troyes.telling import groups
from engine.troyes.telling import happenings
from engine.troyes.verbs import FOLDS
from pbem.language import Pseudo
from tests.troyes import games

HANDLES = {Seat("h-one"): "Anna", Seat("h-two"): "Faye", Seat("h-three"): "Geoffrey", Seat("h-four"): "Émile Nord"}
"""Handles that no sentence may show where a name belongs."""

SEEDS = range(10)


def town(players: int = 4) -> Town:
    found: Town = games.opening(players, 1).state
    return found


def e(kind: str, **data: Any) -> Entry:
    """An entry; `from_` stands for the key `from`."""
    return Entry(kind, {key.rstrip("_"): value for key, value in data.items()})


def ordered(seat: str, text: str, deed: str, *entries: Entry, given: str = "") -> list[Entry]:
    return [e("order", seat=seat, text=text, deed=deed, given=given), *entries]


def bought(buyer: str, owner: str, dice: list[str], price: int) -> list[Entry]:
    return [
        e("pays", payer=buyer, payee=owner, deniers=price, reason="dice"),
        e("leaves", owner=owner, dice=dice, by=buyer),
    ]


def told(entries: Sequence[Entry], reader: str | None = None) -> list[str]:
    return [str(line.says) for line in telling.tell(town(), entries, reader)]


def test_every_kind_of_entry_is_told_within_another_or_left_untold_on_purpose() -> None:
    headings = telling.TOLD.keys() - {"neutrals", "waits"}
    assert set(FOLDS) == headings | telling.WITHIN | telling.UNTOLD
    assert groups.OPENS == headings
    assert not telling.WITHIN & (headings | telling.UNTOLD)


def test_every_order_has_words() -> None:
    assert {kind.__name__.lower() for kinds in ANSWERS.values() for kind in kinds} == set(acts.ACTS)


def test_a_fight_tells_dice_cubes_and_influence() -> None:
    entries = ordered(
        "faye",
        "fight marauding with R5 R3",
        "fight",
        e("leaves", owner="faye", dice=["R5", "R3"], by="faye"),
        *[e("banner", event="marauding", owner="faye"), e("influence", seat="faye", by=1)] * 2,
    )
    assert ["Faye fights Marauding with R5 R3: 2 cubes, +2 influence."] == told(entries)
    assert ["You fight Marauding with R5 R3: 2 cubes, +2 influence."] == told(entries, "faye")


def test_whose_die_is_bought_hears_it_first() -> None:
    """mails.md: «Geoffrey bought YOUR Y5 (you +4 deniers)»."""
    entries = ordered(
        "geoffrey",
        "farm anna:Y5 Y3",
        "farm",
        *bought("geoffrey", "anna", ["Y5"], 4),
        e("leaves", owner="geoffrey", dice=["Y3"], by="geoffrey"),
        e("pays", payer="bank", payee="geoffrey", deniers=4),
    )
    assert ["Geoffrey buys YOUR Y5 (you +4 deniers) and farms with it and Y3: +4 deniers."] == told(entries, "anna")
    assert ["Geoffrey farms with anna:Y5 Y3 (-4 deniers): +4 deniers; Anna +4 deniers."] == told(entries, "faye")
    assert ["You farm with anna:Y5 Y3 (-4 deniers): +4 deniers; Anna +4 deniers."] == told(entries, "geoffrey")
    assert [True] == [line.mine for line in telling.tell(town(), entries, "anna")]
    assert [False] == [line.mine for line in telling.tell(town(), entries, "faye")]


def test_a_die_taken_with_tithe_brings_its_owner_nothing() -> None:
    """A6."""
    entries = ordered(
        "geoffrey",
        "farm anna:Y5 using tithe",
        "farm",
        e("leaves", owner="anna", dice=["Y5"], by="geoffrey"),
        e("cubes", card="tithe", seat="geoffrey", by=-1),
        e("pays", payer="bank", payee="geoffrey", deniers=2),
    )
    expected = "Geoffrey buys YOUR Y5 (you get nothing) and farms with it using Tithe: +2 deniers."
    assert [expected] == told(entries, "anna")


def test_a_pass_tells_what_is_put_by() -> None:
    entries = ordered("emily", "pass", "pass", e("passes", seat="emily", coins=2))
    again = [e("passes", seat="emily", coins=1, again=True)]
    assert ["Emily passes: 2 deniers on the district."] == told(entries)
    assert ["Emily has passed: 1 more denier on the district."] == told(again)
    assert ["You have passed: 1 more denier on the district."] == told(again, "emily")


def merchant() -> list[Entry]:
    """The rulebook's example of activating a card: 16 with three dice makes 8 activations."""
    return ordered(
        "anna",
        "activate merchant hiring from supply with Y6 Y5 geoffrey:Y5",
        "activate",
        e("pays", payer="anna", payee="bank", deniers=4, reason="hire"),
        e("moves", owner="anna", from_="supply", to="merchant 1"),
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
        "activate hunting hiring from palace-lying 2 times with R6",
        "activate",
        e("pays", payer="anna", payee="bank", deniers=5, reason="hire"),
        e("moves", owner="anna", from_="palace lying", to="hunting picture"),
        e("leaves", owner="anna", dice=["R6"], by="anna"),
        e("influence", seat="anna", by=4, wasted=2),
    )
    assert [
        "Anna hires a tradesman on Hunting from among the expelled of the Palace (illustration, -5 deniers) and "
        "activates the card twice with R6: +4 influence, 2 influence lost beyond the most one may have."
    ] == told(entries)


def test_a_commit_subject_names_seats_and_what_was_paid() -> None:
    """architecture.md: `anna activates merchant (16), pays geoffrey 6`."""
    settled = town()
    expected = "anna hires on merchant and activates it (+16 deniers), pays geoffrey 6"
    assert expected == str(telling.summary(settled, merchant()))
    there = [entry for entry in merchant() if entry.kind != "moves"]
    assert "anna activates merchant (+16 deniers), pays geoffrey 6" == str(telling.summary(settled, there))
    assert "repair" == str(telling.summary(settled, [e("edited", path="anna.vp", before=1, after=2)]))
    assert "the game begins" == str(telling.summary(settled, games.opening(2, 1).entries))


def test_citizens_pushed_and_expelled_are_told() -> None:
    """A42, A43."""
    entries = ordered(
        "faye",
        "place W1 from supply",
        "station",
        e("leaves", owner="faye", dice=["W1"], by="faye"),
        e(
            "moves",
            owner="faye",
            from_="supply",
            to="bishopric 1.1",
            pushed=[
                {"owner": "anna", "from": "bishopric 1.2", "to": "bishopric lying"},
                {"owner": "gray", "from": "bishopric 1.1", "to": "bishopric 1.2"},
            ],
        ),
    )
    start, end = "Faye places a citizen on Bishopric 1.1 with W1: ", ", a gray citizen moves on to Bishopric 1.2."
    assert [f"{start}a citizen of Anna is expelled{end}"] == told(entries)
    assert [f"{start}YOUR citizen is expelled{end}"] == told(entries, "anna")
    assert telling.tell(town(), entries, "anna")[0].mine
    assert not telling.tell(town(), entries, "emily")[0].mine


def test_a_countered_event_tells_points_and_who_takes_the_card() -> None:
    """A19, A20."""
    entries = ordered(
        "faye",
        "fight drought with Y4",
        "fight",
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
    assert [False, True] == [line.mine for line in telling.tell(town(), entries, "anna")]


def test_points_after_a_second_cube_do_not_belong_to_the_counter_before_it() -> None:
    entries = ordered(
        "faye",
        "activate diplomat with R6: support, drought",
        "activate",
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
        "reroll Y2",
        "reroll",
        e("influence", seat="anna", by=-1),
        e("rerolled", seat="anna", dice=["Y2"], now=["Y4"], draw="1/reroll/anna/1", shown=[4]),
    )
    flip = ordered(
        "anna",
        "flip Y2 W3",
        "flip",
        e("influence", seat="anna", by=-4),
        e("flipped", seat="anna", dice=["Y2", "W3"], now=["Y5", "W4"]),
    )
    recruit = ordered(
        "anna", "recruit 2", "recruit", e("influence", seat="anna", by=-4), e("recruited", seat="anna", citizens=2)
    )
    assert ["Anna re-rolls Y2 → Y4: -1 influence."] == told(reroll)
    assert ["You flip Y2 W3 → Y5 W4: -4 influence."] == told(flip, "anna")
    assert ["Anna recruits 2 citizens: -4 influence."] == told(recruit)


def test_black_dice_are_told_beaten_and_unbeaten() -> None:
    beaten = ordered(
        "anna",
        "counter 6 1 with R4",
        "counter",
        e("leaves", owner="anna", dice=["R4"], by="anna"),
        e("black_gone", dice=[6, 1], seat="anna", beaten=True),
        e("influence", seat="anna", by=2),
    )
    gone = e("black_gone", dice=[6], seat="anna", beaten=False)
    lost = ordered("anna", "counter none", "counter", gone, e("points", seat="anna", by=-2))
    poor = ordered("anna", "counter none", "counter", gone)
    assert ["Anna beats the black 6 1 with R4: +2 influence."] == told(beaten)
    assert ["You cannot beat the black 6: -2 VP."] == told(lost, "anna")
    assert ["Anna cannot beat the black 6: no VP to lose."] == told(poor)
    roll = [e("black", seat="anna", dice=[1, 5], draw="1/black/anna/1", shown=[1, 5])]
    assert ["The black dice show 5 1. Anna counters first."] == told(roll)
    assert ["The black dice show 5 1. You counter first."] == told(roll, "anna")


def test_archery_tells_each_roll_and_a_hit_that_waits() -> None:
    shot = ordered(
        "anna",
        "activate archer with R4",
        "activate",
        e("leaves", owner="anna", dice=["R4"], by="anna"),
        e("shot", seat="anna", hit=False, target="", draw="1/archer/anna/1", shown=[2]),
        e("shot", seat="anna", hit=True, target="", draw="1/archer/anna/2", shown=[4]),
    )
    aimed = ordered(
        "anna",
        "target war",
        "target",
        e("banner", event="war", owner="anna"),
        e("influence", seat="anna", by=1),
        e("shot", seat="anna", hit=False, target="", draw="1/archer/anna/3", shown=[1]),
    )
    assert ["Anna activates Archer twice with R4: rolls 2 4, a hit that still needs its event."] == told(shot)
    assert ["You hit War: 1 cube, rolls 1, no hit, +1 influence."] == told(aimed, "anna")


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
    assert [False, True, False] == [line.mine for line in telling.tell(town(), entries, "anna")]
    assert [1, 5, 6] == [line.end for line in telling.tell(town(), entries, "anna")]


def test_neutral_citizens_and_cubes_of_events_are_told() -> None:
    """A16, A17, A18, A22."""
    entries = [
        e("resolves", event="wayfarers", black=0),
        e("fate", event="wayfarers", draw="1/wayfarers/anna/1", shown=[6]),
        e(
            "moves",
            owner="gray",
            from_="supply",
            to="city_hall 1.1",
            pushed=[{"owner": "faye", "from": "city_hall 1.1", "to": "city_hall 1.2"}],
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
    touched = [line.mine for line in telling.tell(town(), entries, "faye")]
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
        e("moves", owner="faye", from_="palace lying", to="supply"),
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
        e("over", phase="over", winners=["anna"], characters={"anna": ["henry_i"], "faye": ["urbain_iv"]}),
    ]
    assert [
        "You have 13 VP: tokens 12, missing cathedral levels -2, Henry I 3.",
        "The game is over: you have won.",
        "The characters: you Henry I; Faye Urbain IV.",
    ] == told(entries, "anna")
    assert "The game is over: Anna has won." == told(entries)[1]
    shared = [e("over", phase="over", winners=["anna", "faye"], characters={"anna": ["henry_i"]})]
    assert "The game is over: Anna, Faye share the victory." == told(shared)[0]


def test_a_repair_of_points_shows_the_total_to_nobody_else() -> None:
    """contract, «Private»: totals of others are not printed."""
    entries = [e("edited", path="anna.vp", before=11, after=13, reason="missed a cube")]
    other = "The moderator has corrected VP of Anna: +2 VP. Reason: «missed a cube»"
    assert [other] == told(entries, "faye") == told(entries)
    assert ["The moderator has corrected VP of you: 13, was 11. Reason: «missed a cube»"] == told(entries, "anna")
    deniers = [e("edited", path="anna.deniers", before=3, after=5)]
    assert ["The moderator has corrected deniers of Anna: 5, was 3."] == told(deniers, "faye")
    assert {"deniers", "influence", "vp", "supply", "reserve", "coins"} == set(happenings.COUNTS)


def test_an_answer_from_ones_own_list_is_nobody_elses_business() -> None:
    order = Entry("order", {"seat": "anna", "text": "settle palace 6", "deed": "settle", "given": ""})
    wished = replace(order, only={"anna": {"given": "wish"}})
    moves = e("moves", owner="anna", from_="supply", to="palace 6")
    later = Entry("wishes", {}, {"anna": {"places": ["palace 5", "city_hall 3.1"]}})
    assert ["Anna settles in Palace 6."] == told([wished, moves, later], "faye") == told([wished, moves, later])
    assert ["You settle in Palace 6. Your list said so."] == told([wished, moves, later], "anna")
    assert ["Anna settles in Palace 6."] == told([order, moves, later], "faye")
    assert ["You settle in Palace 6: your list for later is Palace 5, City Hall 3.1."] == told(
        [order, moves, later], "anna"
    )


def test_a_decision_with_one_outcome_is_told_as_such_to_all() -> None:
    entries = ordered("anna", "pass", "pass", e("passes", seat="anna", coins=2), given="only")
    assert ["Anna passes: 2 deniers on the district. There was no choice."] == told(entries, "faye")


def check_lines(lines: Sequence[Line], first: int, entries: Sequence[Entry]) -> None:
    """What holds of all news, whoever reads it."""
    ends = [line.end for line in lines]
    assert sorted(ends) == ends
    assert all(first <= end < first + len(entries) for end in ends)
    for line in lines:
        text = str(line.says)
        assert "{" not in text and "}" not in text and "None" not in text, text
        for handle in HANDLES:
            assert not re.search(rf"\b{handle}\b(?!:[YWR][1-6])", text), text
        assert text.split()[0].strip(":").lower() not in VERBS, text
        assert text.endswith((".", "»")), text
        assert "⟦" == Catalogue(Pseudo()).render(line.says)[0], text


@pytest.mark.parametrize("seed", SEEDS)
def test_whole_games_are_told_to_every_reader(seed: int) -> None:
    """Every sentence renders, touches whom it names, and is told in order."""
    players, bonus = 2 + seed % 3, seed % 2 == 0
    first = 1
    opening = games.opening(players, seed, bonus, names=HANDLES)
    steps = [opening, *(step for *_, step in games.random_game(players, seed, bonus, names=HANDLES))]
    last = steps[-1].state
    for step in steps:
        for reader in (None, *list(HANDLES)[:players]):
            # News are told long after: the last position must serve as well as the one that followed.
            lines = telling.tell(step.state, step.entries, reader, first)
            assert lines == telling.tell(last, step.entries, reader, first)
            check_lines(lines, first, step.entries)
            for line in lines:
                mentioned = re.search(r"\b[Yy]ou\b|\bYOUR\b", _without_card_texts(str(line.says)))
                if reader is None:
                    assert not mentioned and not line.mine, line.says
                else:
                    assert line.mine == bool(mentioned) or "characters" in str(line.says), line.says
        words = str(telling.summary(last, step.entries))
        assert "{" not in words and 0 < len(words) < 200
        first += len(step.entries)


def _without_card_texts(text: str) -> str:
    return "" if text.startswith(("New ", "The characters")) else text
