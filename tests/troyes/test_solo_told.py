"""What le Roy does as sentences, and the mails of a solo game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.event_log import LogEntry
from engine.game import Seat, Step
from engine.troyes.state import orders
from engine.troyes.state.troyes_state import LE_ROY, TroyesState
from pbem.outbound.mail import DiceProof, Mail, MailKind
from tests.troyes import games
from tests.troyes.entries import e, ordered
from tests.troyes.games import GAME
from tests.troyes.test_viewing import RENDERER, body, check_shown

ANNA = Seat("anna")


def played(seed: int) -> Iterator[tuple[TroyesState, Seat, str, Step]]:
    return games.random_game(1, seed, seed % 2 == 1)


def told(*entries: LogEntry, reader: str | None = ANNA) -> list[str]:
    return [str(line.says) for line in GAME.tell(games.opening(1, 1).state, entries, reader)]


def turn(action: str, shown: list[int], *entries: LogEntry) -> tuple[LogEntry, ...]:
    (head,) = ordered(LE_ROY, orders.LeRoy(), given="dice")
    return head, e("acts", action=action, draw="1/le_roy_action/le_roy/1", shown=shown), *entries


def spent(*dice: str, owner: str = LE_ROY) -> LogEntry:
    return e("leaves", owner=owner, dice=list(dice), by=LE_ROY)


def gained(points: int, seat: str = LE_ROY) -> LogEntry:
    return e("points", seat=seat, by=points)


def test_his_actions_are_told_with_the_roll_that_caused_them() -> None:
    """One sentence for each row of the table; what is the reader's is named as such."""
    sold = e("pays", payer="bank", payee="anna", deniers=6, reason="sold")
    pair = turn("pair", [1, 1], sold, spent("R6", owner="anna"), spent("Y5", "R4"), gained(2))
    says = "Le Roy rolls 1 and 1: he takes points; he buys YOUR R6 (you +6 deniers); he spends Y5 R4; le Roy +2 VP."
    assert [says] == told(*pair)
    assert "he buys R6 of Anna (Anna +6 deniers)" in told(*pair, reader=None)[0]
    push = {"owner": "anna", "source": "bishopric 1.1", "to": "bishopric lying"}
    moved = e("moves", owner=LE_ROY, source="supply", to="bishopric 1.1", pushed=[push])
    assert ["Le Roy rolls 6 and 4: a citizen to Bishopric 1.1; YOUR citizen is expelled; he spends W6."] == told(
        *turn("worker", [6, 4], spent("W6"), moved)
    )
    assert ["Le Roy rolls 2 and 2: he can place no citizen; he spends R1."] == told(*turn("worker", [2, 2], spent("R1")))
    banners = [e("banner", event="drought", owner=LE_ROY)] * 2
    won = e("countered", event="drought", winner=LE_ROY)
    assert [
        "Le Roy rolls 3 and 6: he covers Drought, 2 cubes; he spends Y6 W4.",
        "Event Drought is countered: le Roy +3 VP; you +1 VP; le Roy takes the card.",
    ] == told(*turn("event", [3, 6], spent("W4", "Y6"), *banners, won, gained(3), gained(1, "anna")))
    hired = e("moves", owner=LE_ROY, source="supply", to="prior 1")
    assert ["Le Roy rolls 3 and 3: a tradesman on Prior (4 VP space); he spends W2."] == told(
        *turn("tradesman", [3, 3], spent("W2"), hired)
    )
    pictured = e("moves", owner=LE_ROY, source="supply", to="mercenary picture")
    assert "a tradesman on Mercenary (illustration)" in told(*turn("tradesman", [3, 3], spent("W2"), pictured))[0]
    assert "he finds no place for a tradesman" in told(*turn("tradesman", [3, 3], spent("W2")))[0]
    built = e("builds", owner=LE_ROY, level=1, column=6), gained(1), e("builds", owner=LE_ROY, level=2, column=5), gained(1)
    assert [
        "Le Roy rolls 2 and 5: he builds on the cathedral, level 1 column 6, level 2 column 5; he spends W3 R2; "
        "le Roy +2 VP."
    ] == told(*turn("cathedral", [2, 5], spent("W3", "R2"), *built))
    assert ["Le Roy rolls 3 and 4: the cathedral has no room left; he spends W3; le Roy +2 VP."] == told(
        *turn("cathedral", [3, 4], spent("W3"), gained(2))
    )
    judged = e("judged", character="henry_i")
    assert [
        "Le Roy rolls 5 and 3: Henry I judges you both and leaves; he spends no die; le Roy +3 VP; you +1 VP."
    ] == told(*turn("character", [5, 3], judged, gained(1, "anna"), gained(3)))
    assert ["Le Roy rolls 4 and 4: no character is left; he spends no die; le Roy +1 VP."] == told(
        *turn("character", [4, 4], gained(1))
    )


def test_his_placement_and_his_black_dice_are_told() -> None:
    (head,) = ordered(LE_ROY, orders.LeRoy(), given="dice")
    rolled = e("acts", action="settle", dice=["R6", "W4"], draw="0/placement/le_roy/1", shown=[6, 4])
    spaces = [e("moves", owner=LE_ROY, source="supply", to=to) for to in ("palace 6", "bishopric 3.1")]
    assert ["Le Roy rolls R6 W4 and settles in Palace 6, Bishopric 3.1."] == told(head, rolled, *spaces)
    gone = e("black_gone", dice=[5], seat=LE_ROY, beaten=True)
    assert ["Le Roy spends R3 on the black 5."] == told(head, spent("R3"), gone)
    assert ["The black dice show 5 2. Le Roy counters first."] == told(e("black", seat=LE_ROY, dice=[2, 5], draw="1/black/le_roy/1", shown=[2, 5]))
    assert ["The start player card goes to le Roy."] == told(e("starts", seat=LE_ROY))


def test_his_turn_comes_in_the_step_of_the_order_before_it() -> None:
    """The same mail brings it: the last entry of each step asks the player, nobody else."""
    found = 0
    for *_, step in played(5):
        rolls = [made for made in step.entries if made.kind == "acts"]
        lines = [str(line.says) for line in GAME.tell(step.state, step.entries, ANNA)]
        assert len(rolls) == sum(line.startswith("Le Roy rolls") for line in lines)
        found += len(rolls)
    assert found > 20


@pytest.mark.parametrize("seed", (*range(10), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(10, 30))))
def test_every_solo_sentence_is_whole(seed: int) -> None:
    """No brace unfilled, no gray, no handle of his, none put down to a seat that does not sit here."""
    opening = games.opening(1, seed, seed % 2 == 1)
    for step in (opening, *(step for *_, step in played(seed))):
        for reader in (ANNA, None):
            for line in GAME.tell(step.state, step.entries, reader):
                text = str(line.says)
                assert not {"{", "gray", "le_roy", "le-roy:"} & {part for part in ("{", "gray", "le_roy") if part in text}
                assert line.seat in ("", ANNA)


# The mail.


@pytest.mark.parametrize("seed", (*range(3), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(3, 6))))
def test_every_solo_position_renders_and_no_line_of_it_is_an_order(seed: int) -> None:
    for number, (*_, step) in enumerate(played(seed)):
        for reader in (ANNA, None) if number % 3 == 0 else (ANNA,):
            text = check_shown(step.state, reader)
            assert not [odd for odd in ("le_roy", "gray", "OTHER") if odd in text]


def test_the_solo_mail_shows_his_side_and_the_pile() -> None:
    state = next(step.state for *_, step in played(2) if step.state.round).copy()
    state.dice[LE_ROY], state.houses[LE_ROY].vp, state.houses[LE_ROY].won = ["Y6", "R6"], 7, ["heresy"]
    state.pile = ["henry_i", "thibaut_ii"]
    state.houses[ANNA].deniers, state.neutrals = 12, 9
    text = body(state, ANNA)
    assert "Le Roy's dice, strongest first: R6 Y6 · 7 VP · 9 citizens left · events won: Heresy" in text
    henry = "Henry I: Counts the Event cards you have won. From 1, 3, 5 on: 1, 3, 6 VP. Now you 0 (0 VP), le Roy 1 (1 VP)"
    assert henry in text
    assert text.index(henry) < text.index("Thibaut II: Counts your deniers. From 6, 12, 18 on: 1, 3, 6 VP. Now you 12 (3 VP)")
    state.pile = []
    assert "All have judged." in body(state, ANNA)


def test_the_last_mail_names_him_and_tells_the_verdict() -> None:
    *_, (_, _, _, step) = played(9)
    state, result = step.state, GAME.result(step.state)
    players = tuple(state.names.items())
    mail = Mail(
        kind=MailKind.FINAL, game="troyes-1", game_kind="troyes", seat=Seat("anna"), name="Anna", heading=GAME.heading(state), players=players, result=result,
        view=GAME.view(state, ANNA), board=True, full=True, dice=DiceProof(commitment="f", seed="s"),
    )  # fmt: skip
    text = RENDERER.text(mail).body
    assert "The game is over. Le Roy has won." in text
    assert f"Le Roy: {result.totals[LE_ROY]} VP" in text and str(result.notes[1]) in text
