"""What the Ladies bring, told as sentences and shown in mails, over whole random games."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.event_log import LogEntry
from engine.troyes.news import sentences
from engine.troyes.state import orders
from engine.troyes.state.orders import Pick, Swap, TileUse, Using
from tests.troyes.entries import e, ordered, picks
from tests.troyes.games import GAME, NAMES
from tests.troyes.ladies import Table, opening, played
from tests.troyes.test_private_view import check_blind
from tests.troyes.test_telling import check_told
from tests.troyes.test_viewing import check_shown

ALL = Table(3, {"ladies": "all", "open-character": "yes"})


@pytest.mark.parametrize("seed", (*range(3), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(3, 8))))
def test_whole_games_with_the_ladies_are_told_to_every_reader(seed: int) -> None:
    """Every sentence renders, touches whom it names, is told in order, and reads the same long after."""
    table = replace(ALL, players=2 + seed % 3)
    check_told([opening(seed, table), *(step for *_, step in played(seed, table))], NAMES)


@pytest.mark.parametrize("seed", range(3))
def test_positions_with_the_ladies_render_and_no_line_of_them_is_an_order(seed: int) -> None:
    table = replace(ALL, players=2 + seed)
    for number, (*_, step) in enumerate(played(seed, table)):
        if number % 9:
            continue
        for seat in (None, *step.state.seats):
            text = check_shown(step.state, seat)
            assert "RAMPARTS" in text and "Open character" in text


@pytest.mark.parametrize("seed", (*range(2), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 4))))
def test_what_is_hidden_from_a_seat_changes_nothing_with_the_ladies(seed: int) -> None:
    """No leak: hands, decks, standing orders and sealed answers of others."""
    for number, (_, seat, _, step) in enumerate(played(seed + 20, replace(ALL, players=2 + seed % 3))):
        if number % 13 == 0 and GAME.result(step.state) is None:
            check_blind(step.state, seat, step.entries, number, offers=number % 39 == 0)


def told(*entries: LogEntry, reader: str | None = None) -> list[str]:
    state = opening(0, ALL).state
    return [str(line.says) for line in sentences.tell_news(state, entries, reader)]


def test_the_guard_is_told_with_his_way_and_his_cubes() -> None:
    entries = ordered(
        "anna",
        orders.Guard(Pick("anna", "Y4"), 2, 5, (1,)),
        e("leaves", owner="anna", dice=["Y4"], by="anna"),
        e("pays", payer="anna", payee="bank", deniers=2, reason="boost"),
        e("guard", seat="anna", to=5),
        e("tile", tile="deniers_on_agriculture", seat="anna", by=1),
    )
    assert ["Anna sends the guard with Y4: to space 5, a cube on Harvest, -2 deniers."] == told(*entries)


def test_cubes_beside_an_action_are_told() -> None:
    entries = ordered(
        "anna",
        orders.Farm(picks("Y6", "anna"), Using(tiles=(TileUse("exchange_dice", (Swap("Y1", Pick("faye", "Y6")),)),))),
        e("tile", tile="exchange_dice", seat="anna", by=-1),
        e("exchanged", seat="anna", owner="faye", gives="Y1", takes="Y6"),
        e("leaves", owner="anna", dice=["Y6"], by="anna"),
        e("pays", payer="bank", payee="anna", deniers=3, reason=""),
    )
    assert ["Anna farms with Y6: a cube of Exchange, Y1 for Y6 of you, +3 deniers."] == told(*entries, reader="faye")


def test_a_reaction_is_told_and_why_to_its_seat_alone() -> None:
    (head,) = ordered("faye", orders.React("gain_influence_when_bought"), faye="standing")
    tile = e("tile", tile="gain_influence_when_bought", seat="faye", by=-1)
    gain = e("influence", seat="faye", by=4)
    assert ["Faye reacts with a cube of Dice Market: +4 influence."] == told(head, tile, gain, reader="anna")
    assert [
        "You react with a cube of Dice Market: +4 influence. You have said so once for all."
    ] == told(head, tile, gain, reader="faye")


def test_an_uprising_is_told_with_everybodys_seat() -> None:
    entries = [
        e("resolves", event="uprising", black=0),
        e("fate", event="uprising", draw="2/uprising/anna/1", shown=[3]),
        e("reseated", draw="2/uprising_seats/anna/1", order=[0, 1, 2], building="palace", seats=["faye", "", "", "gray", "", "anna"], lying=[], neutrals=1),
    ]
    assert ["Event Uprising: rolls 3; Palace is seated anew, 1 Faye, 4 gray, 6 you."] == told(*entries, reader="anna")


def test_an_event_that_waits_for_answers_is_not_told_to_do_nothing() -> None:
    def rests(*frames: dict[str, str]) -> LogEntry:
        return e("agenda", pending=[{"step": "queue"}, *frames], asked=[], number=7)

    winter = e("resolves", event="harsh_winter", black=0)
    waits = rests({"step": "sealed", "event": "harsh_winter"})
    assert ["Event Harsh Winter: who has a choice is asked."] == told(winter, waits)
    assert ["Event Harsh Winter: nothing happens."] == told(winter, rests({"step": "losses", "event": "drought"}))


def test_an_event_in_which_nobody_has_a_choice_is_not_told_to_do_nothing() -> None:
    """What follows at once are the only answers there were; without any nothing happens."""
    moves = e("moves", owner="anna", source="supply", to="possession")
    give = ordered("anna", orders.Give("supply"), moves, given="only")
    happens = e("resolves", event="possession", black=0)
    assert "Event Possession: nobody has a choice." == told(happens, e("unsealed", event="possession"), *give)[0]
    lost = e("points", seat="anna", by=-2)
    assert "Event Possession: nobody has a choice." == told(happens, e("unsealed", event="possession"), lost)[0]
    winter = e("resolves", event="harsh_winter", black=0)
    assert ["Event Harsh Winter: nothing happens."] == told(winter, e("unsealed", event="harsh_winter"))


def test_sealed_answers_are_told_together() -> None:
    entries = [
        e("unsealed", event="possession"),
        *ordered("anna", orders.Give("supply"), e("moves", owner="anna", source="supply", to="possession")),
        *ordered("faye", orders.Give("palace 4"), e("moves", owner="faye", source="palace 4", to="possession")),
    ]
    assert [
        "Anna gives a citizen to Possession, from the supply.",
        "You give a citizen to Possession, from Palace 4.",
    ] == told(*entries, reader="faye")
