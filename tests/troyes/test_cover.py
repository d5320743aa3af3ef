"""The exact cover: which lines that no grammar knows are one order, and which are asked back."""

from __future__ import annotations

import random
import re
from contextlib import suppress

import pytest

from engine.chance import BlindChance
from engine.errors import NotAllowed, OrderRefused
from engine.game import Seat
from engine.troyes.phases import game_flow
from engine.troyes.state import orders
from engine.troyes.suggest.cover import covered_order
from engine.troyes.suggest.ranking import suggested_orders
from tests.troyes.test_spoken import open_to, positions
from tests.troyes.test_wordings import ANNA, GAME, position
from tests.understood.bench import TABLES
from tests.understood.bench import troyes as laid

FAYE = Seat("faye")


def covered(name: str, asked: str, line: str) -> str:
    """The order that a line is covered by, as it is written; empty for none."""
    state = position(name, asked)
    order = covered_order(state, ANNA, line, game_flow.apply_on_copy)
    return GAME.write(state, ANNA, order) if order is not None else ""


@pytest.mark.parametrize(
    ("line", "order"),
    [
        # Each word of it is known and explained.
        ("please let my W4 build at the cathedral", "build with W4"),
        ("avec mon B4 je construis la cathédrale", "build with W4"),
        ("I tackle the war with R4", "fight war with R4"),
        ("le R4 contre la guerre", "fight war with R4"),
        ("farm with Y5 zzgl", ""),
        ("je cultive avec J5 zzgl", ""),
        ("farm with Y5 and the merchant", ""),
        ("je cultive avec J5 et le marchand", ""),
        # Dice are said, and only these.
        ("let us farm", ""),
        ("on cultive", ""),
        ("my Y5 and Y4 go farming", "farm Y5 Y4"),
        ("mes J5 et J4 vont cultiver", "farm Y5 Y4"),
        # Another's die is said with its owner; nobody's is one's own.
        ("I tackle the war with R5", ""),
        ("je tape sur la guerre avec R5", ""),
        ("my W2 and Faye's W6 for the cathedral", "build with W2 faye:W6"),
        ("mon B2 et le B6 de Faye pour la cathédrale", "build with W2 faye:W6"),
        # Whose the second of two dice is, is not told.
        ("Faye's W6 and W2 for the cathedral", ""),
        ("le B6 de Faye et B2 pour la cathédrale", ""),
        # A goal that two things here may be called is none.
        ("I tackle the conflict with R4", ""),
        ("je tape sur le conflit avec R4", ""),
        # Hiring, and a cube that is used, are said.
        ("the merchant with my Y5 and Y4", "activate merchant with Y5 Y4"),
        ("the merchant with my Y5 and Y4 using merchant", ""),
        ("le marchand avec mes J5 et J4 en utilisant le marchand", ""),
        ("place Y5 from the merchant", ""),
        ("the archer with my R4", ""),
        ("l'archer avec mon R4", ""),
        # Where somebody comes from, and goes.
        ("my citizen goes to palace 1 with Y5", ""),
        ("mon habitant va au palais 1 avec J5", ""),
        ("my citizen at the city hall goes to palace 1 with Y5", ""),
        ("mon habitant à l'hôtel de ville va vers palais 1 avec J5", ""),
        # What is done is said.
        ("my Y5 from palace 1", ""),
        ("mon J5 du palais 1", ""),
        # What is paid and gained is true.
        ("I hire one more citizen for 2 influence", "recruit 1"),
        ("j'engage un habitant de plus pour 2 d'influence", "recruit 1"),
        ("I hire one more citizen for 3 influence", ""),
        ("j'engage un habitant de plus pour 3 d'influence", ""),
        # Two orders, the closed list, names and colours alone, and passing.
        ("I turn W4 over and the war gets R4", ""),
        ("je retourne B4 et je tape sur la guerre avec R4", ""),
        ("my W4 does not build at the cathedral", ""),
        ("mon B4 ne construit pas la cathédrale", ""),
        ("the war", ""),
        ("la guerre", ""),
        ("my white", ""),
        ("mon blanc", ""),
        ("4", ""),
        ("I will pass now", ""),
        ("je passe mon tour", ""),
    ],
)  # fmt: skip
def test_a_line_is_covered_by_one_order_or_by_none(line: str, order: str) -> None:
    assert covered("turn", "turn", line) == order


def test_how_often_is_no_choice() -> None:
    """A number beside «times» counts, and explains no column of the cathedral."""
    assert covered("ladies", "turn", "the master builder 2 times with my W5 and W2: 1") == ""


def test_refusals_of_the_grammar_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it forbids, or finds doubtful, no cover makes an order of; what it does not know, one may."""
    monkeypatch.setattr("engine.troyes.game.covered_order", lambda *_: orders.Pass())
    assert GAME.read(position("turn", "turn"), ANNA, "zzgl").text == "pass"
    with pytest.raises(NotAllowed):
        GAME.read(position("turn", "turn"), ANNA, "place Y5 Y4")


PLAYED_BY_ITS_WORDS = (orders.Pass, orders.React, *orders.ANYTIME)
"""What no cover makes, and the ranker proposes for nothing else."""


def test_words_of_an_order_in_another_arrangement_are_that_order_or_asked_back() -> None:
    """Never another one; and it is among what is proposed nearly always, first in most."""
    rng = random.Random(5)
    first = among = every = 0
    for seed in range(3, 9):
        for state, seat in positions(seed, 24):
            for order in open_to(state, seat, rng):
                if isinstance(order, PLAYED_BY_ITS_WORDS) or len(getattr(order, "targets", ())) > 1:
                    continue
                text = GAME.write(state, seat, order)
                verb, _, rest = text.partition(" ")
                parts = re.split(r" (?=with |using |from |hiring )", rest)
                rng.shuffle(parts)
                line = " ".join((*parts, verb)) if rng.random() < 0.5 else " ".join((verb, *parts))
                with suppress(OrderRefused):
                    found = GAME.read(state, seat, line).text
                    assert sorted(found.split()) == sorted(text.split()), (line, text)
                    continue
                every += 1
                near = suggested_orders(state, seat, line, game_flow.apply_on_copy, "en")
                first += near[:1] == (text,)
                among += text in near
    print(f"\n{every} asked back, first {first}, among {among}")
    assert every >= 10
    assert among >= 0.9 * every
    assert first >= 0.8 * every


def test_what_another_keeps_to_herself_changes_nothing_of_what_is_read() -> None:
    """Her plan buys a die of Anna's as soon as it fires: what Anna has behind her own order would tell of it."""
    state = laid(TABLES["troyes"])
    planned = GAME.read(state, FAYE, "later: build with anna:W2")
    planning = GAME.apply(state, FAYE, planned.order, BlindChance()).state
    assert planning.plans[FAYE]
    line = "I harvest with Y5 and Y4 and get 4 deniers"
    assert [GAME.read(at, ANNA, line).text for at in (state, planning)] == ["farm Y5 Y4"] * 2
