"""What plays nothing, what is filled in and what is refused, in the positions of `tests/wordings/dice-positions.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.catalog import ENGLISH
from engine.errors import OrderRefused
from engine.troyes_dice.cases.rule_tests import Scenario
from engine.troyes_dice.cases.terms import lay_out_table
from engine.troyes_dice.state.dice import laid_dice
from engine.troyes_dice.state.dice_state import DiceState
from tests.dice.games import ANNA, GAME, Run, begin
from tests.dice.test_table import mail

WORDINGS = Path(__file__).parents[1] / "wordings"


def lines(name: str) -> dict[str, dict[str, Any]]:
    """One file of lines, by position."""
    return tomllib.loads((WORDINGS / f"dice-{name}.toml").read_text(encoding="utf-8"))


@cache
def position(name: str) -> DiceState:
    """The position of that name, as it is laid, or where everybody has done what it tells, or what does least."""
    row = lines("positions")[name]
    if laid_out := row.get("laid"):
        return Scenario(lay_out_table(laid_out, laid_out), laid_out, laid_out).before
    at = row.get("prestige_at", 0)
    facts = {"track_bonus": {colour: {"prestige_at": at} for colour in ("red", "yellow", "white")}} if at else None
    run = begin(row["players"], row["seed"], facts, **row.get("options", {}))
    taken = iter(row.get("takes", ()))
    while max(run.state.half_day, 0) < row["half_day"]:
        seat = run.open_seats()[0]
        run.order(seat, next(taken, None) or GAME.write(run.state, seat, GAME.default(run.state, seat), "en"))
    if "given" in row:
        run.order(ANNA, row["given"])
    return run.state


def read(name: str, line: str) -> str | set[str]:
    """The order that is read, or those from which to choose; each of them is whole, and legal as it stands."""
    state = position(name)
    try:
        return GAME.read(state, ANNA, line).text
    except OrderRefused as refused:
        for order in refused.orders:
            reading = GAME.read(state, ANNA, order)
            assert (order, ()) == (reading.text, reading.assumed)
            GAME.apply(state, ANNA, reading.order, begin(1).chance)
        return set(refused.orders)


def test_traps_play_nothing() -> None:
    """Orders: exact words of tables only; nothing is guessed."""
    traps = [(name, line) for name, rows in lines("traps").items() for line in rows["plays_nothing"]]
    played = {line: found for name, line in traps if isinstance(found := read(name, line), str)}
    assert len(traps) >= 50
    assert not played


def test_what_is_filled_in_is_echoed() -> None:
    """The die that was not named, what a payment makes of it, the column."""
    for line, assumed in {
        "yellow 1: city hall": ["column 1"],
        "plaza 3: cathedral": ["white 5", "column 5"],
        "white die for the cathedral": ["white 5", "column 5"],
        "yellow 1 + 2: great hall 3": [],
    }.items():
        assert (line, assumed) == (line, list(map(str, GAME.read(position("first"), ANNA, line).assumed)))


@pytest.mark.parametrize(
    ("name", "line", "reason"),
    [
        ("first", "cathedral 4 with white 5", "A 5 builds in column 5; you named column 4."),
        ("first", "cathedral with yellow 1", "Cathedral needs a white die; yours is yellow."),
        ("first", "yellow 1, pay deniers: city hall", "This die costs nothing."),
        ("first", "red 2 paying 2 deniers: fortress", "That costs 1 denier."),
        ("first", "plaza 5: cathedral", "No such die lies on a plaza now."),
        ("first", "plaza 4: deniers", "That plaza is destroyed this half day; its die cannot be used."),
        ("first", "yellow 1 raised to 1: city hall", "That die counts 1 now."),
        ("first", "white 5", "«white 5» is not complete."),
        ("alike", "yellow 4 : hôtel de ville", "There are two such dice, at different prices."),
        ("raided", "yellow 3 turned white: cathedral", "The raid at this plaza: this die keeps its colour, yellow."),
        ("crier", "red 3: influence", "First the columns must be numbered."),
        ("crier", "up and down", "Say up or down."),
    ],
)
def test_a_refusal_tells_what_is_in_the_way(name: str, line: str, reason: str) -> None:
    """Orders: never that a word is unknown where another thing is wrong, nor a die that does not lie there."""
    with pytest.raises(OrderRefused) as refused:
        GAME.read(position(name), ANNA, line)
    assert reason == ENGLISH.render(refused.value.reason)


def test_our_own_texts_play_nothing() -> None:
    """Cards with their titles, and what a mail tells beside its options: no line of them is an order."""
    cards = [GAME.reference.explain(word) for word in GAME.reference.words()]
    texts = {str(text) for card in cards if card is not None for text in (card.title, *card.lines)}
    for name in lines("positions"):
        run = Run(position(name), begin(1).chance)
        told = {line for line in mail(run).splitlines() if not line.startswith("[")}
        played = {line: found for line in texts | told if isinstance(found := read(name, line), str)}
        assert not played


def test_the_positions_are_as_they_are_told() -> None:
    for name, row in lines("positions").items():
        state = position(name)
        dice = [die.word if die.usable else f"black {die.face} on {die.colour}" for die in laid_dice(state)]
        columns = " ".join(map(str, state.numbering or filter(None, [state.first_number])))
        assert (name, row["columns"], row["dice"]) == (name, columns, dice)


def test_the_only_open_column_of_a_bonus_is_filled_in() -> None:
    state = position("open").copy()
    sheet = state.sheets[ANNA]
    state.sheets[ANNA] = replace(sheet, crossed={**sheet.crossed, "red": (1, 2, 3, 4, 6)})
    reading = GAME.read(state, ANNA, "bonus fortress")
    assert ("bonus fortress 5", ["fortress 5"]) == (reading.text, list(map(str, reading.assumed)))
