"""A guide: what a plain card needs is its row, its function and its rule position. Everything else follows from them.

The Gardener below is no card of the game. His row would stand in `engine/troyes/card_data/bonus.toml`, his function in
`engine/troyes/cards/bonus.py`, and his position in `tests/rulebook/bonus_cards.toml`.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from engine.catalog import ENGLISH
from engine.chance import SeededChance
from engine.game import Seat, Step, find_game
from engine.reference import Verdict
from engine.troyes.board import card_declaration, purse
from engine.troyes.board.card_declaration import CARDS, Activation, Declaration, card
from engine.troyes.card_data import tables
from engine.troyes.card_data.troyes_box import load_box
from engine.troyes.cases import lay_out_table
from engine.troyes.events.play import Play
from engine.troyes.state.troyes_state import OpenQuestion, TroyesState

GAME, ANNA = find_game("troyes"), Seat("anna")

ROW = """
id = "gardener"
name_en = "Gardener"
name_fr = "Jardinier"
color = "yellow"
level = 1
kind = "immediate"
hire = 5
spaces = [2, 1]
dice = ["yellow"]
divisor = 4
numbers = { deniers = 3, points = 1 }
text_en = "Each time: +{deniers} and {points}."
text_fr = "À chaque fois : +{deniers} et {points}."
confidence = "seed"
source = "a guide for whoever adds a card"
"""

POSITION = """
id = "gardener-twice"
title = "Each activation brings deniers and a point"
rule = "appendix"
game = "base+bonus"
action = ["activate gardener with Y5 Y4"]
[position]
dice = { anna = ["Y5", "Y4"], faye = ["R1"] }
cards = [{ id = "gardener", spaces = ["anna", ""] }]
[expected]
result = "ok"
delta = { anna = { deniers = 6, vp = 2 } }
"""


def gardener(play: Play, act: Activation) -> None:
    """Deniers and victory points."""
    purse.earn_deniers(play, act.seat, act.number("deniers"))
    purse.change_points(play, act.seat, act.number("points"))


@pytest.fixture(autouse=True)
def in_the_box(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The row is put where the file's rows are, the function is declared, and all that was read before is read anew."""
    row = tomllib.loads(ROW)
    monkeypatch.setitem(tables.shipped_tables("activity"), row["id"], {"set": "bonus", **row})
    card()(gardener)
    _read_anew()
    yield
    monkeypatch.undo()
    del CARDS["gardener"]
    _read_anew()


def _read_anew() -> None:
    rooms = [module for name, module in sys.modules.items() if name.startswith("engine.troyes.card_data.")]
    for function in {id(one): one for room in rooms for one in vars(room).values()}.values():
        if hasattr(function, "cache_clear") and function is not tables.shipped_tables:
            function.cache_clear()


def laid(**facts: Any) -> TroyesState:
    """The position before its order, with corrections of the card's numbers."""
    scenario = tomllib.loads(POSITION)
    if facts:
        scenario["facts"] = {"activity": {"gardener": facts}}
    state = lay_out_table(scenario, scenario)
    state.agenda = [{"step": "course", "next": "end of round"}, {"step": "turns", "seat": "anna"}]
    state.asked, state.number = [OpenQuestion("anna", "turn", 1)], 1
    return state


def played(state: TroyesState) -> Step:
    order = GAME.read(state, ANNA, "activate gardener with Y5 Y4").order
    return GAME.apply(state, ANNA, order, SeededChance(b"guide", (), "guide"))


def test_row_and_function_belong_together() -> None:
    """What is checked whenever the engine is imported."""
    card_declaration.check_declarations(load_box().activities)


def test_it_is_played() -> None:
    """Its rule position passes, read in English and French."""
    scenario = tomllib.loads(POSITION)
    for line in ("activate gardener with Y5 Y4", "activer jardinier avec Y5 Y4"):
        assert Verdict("gardener-twice", "pass") == GAME.reference.rule_test({**scenario, "action": [line]}, {})


def test_it_is_dealt() -> None:
    """A card of the bonus box comes with `bonus=yes`, and not without."""
    options = [GAME.settle_options(2, {"bonus": bonus}) for bonus in ("yes", "no")]
    seats = {ANNA: "Anna", Seat("faye"): "Faye"}
    begun = [GAME.start(seats, chosen, SeededChance(b"guide", (), "guide")).state for chosen in options]
    assert [True, True] == ["gardener" in state.box.activities for state in begun]
    assert "gardener" in begun[0].box.pile("yellow", 1, ("base", "bonus"))
    assert "gardener" not in begun[1].box.pile("yellow", 1, ("base",))


def test_it_is_offered_with_what_it_would_do() -> None:
    """The options of a mail, written and worded from trying them alone."""
    said = {offer.text: str(offer.says) for offer in GAME.offers(laid(), ANNA)}
    assert "twice, +6 deniers, +2 VP" == said["activate gardener with Y5 Y4"]


@pytest.mark.parametrize(("points", "first"), [(0, False), (9, True)])
def test_it_ranks_itself(points: int, first: bool) -> None:
    """Nobody has valued it: it stands where the difference of the estimate puts it."""
    texts = [offer.text for offer in GAME.offers(laid(deniers=0, points=points), ANNA)]
    assert first == texts[0].startswith("activate gardener"), texts


def test_it_is_explained() -> None:
    """`card gardener`, with the numbers of this game."""
    found = GAME.reference.explain("jardinier", laid(points=4))
    assert found is not None
    assert "Each time: +3 deniers and 4 VP." in [ENGLISH.render(line) for line in found.lines]
    assert {"gardener", "jardinier"} <= set(GAME.reference.words())


def test_it_is_told() -> None:
    """News for the others."""
    state = laid()
    lines = GAME.tell(state, played(state).entries, Seat("faye"))
    assert any("Gardener" in ENGLISH.render(line.says) for line in lines), lines


def test_it_is_stored_and_brought_back() -> None:
    """A position with it is written and read again, and the entries lead to the same one."""
    state = laid(points=4)
    step = played(state)
    assert step.state == GAME.load(*GAME.dump(step.state)) == GAME.fold(state, step.entries)
    assert "level 1, hire 5, spaces 2 1, divisor 4, deniers 3, points 4" in str(GAME.dump(state)[0])


def test_it_stands_on_the_proof_sheet() -> None:
    """Each of its numbers, with how sure it is and where it is from."""
    rows = {row["field"]: row for row in GAME.reference.facts() if row["id"] == "gardener"}
    assert (3, "seed", "a guide for whoever adds a card") == tuple(
        rows["deniers"][key] for key in ("value", "confidence", "source")
    )


@pytest.mark.parametrize(
    ("change", "declaration", "found"),
    [
        ({}, None, "gardener: it has a row, and no declaration"),
        ({"kind": "delayed"}, Declaration(), "gardener: its row says delayed, its declaration not delayed"),
        ({"kind": "endgame"}, Declaration(), "gardener: its row says endgame, and its declaration nothing of the end"),
        ({}, Declaration(chooses="river"), "gardener: it chooses river"),
        ({}, Declaration(chooses="gain"), "gardener: its row has no number influence"),
        ({}, Declaration(priced="cost"), "gardener: its row has no number cost"),
        ({}, Declaration(priced="points"), "gardener: it is priced in points"),
        ({}, Declaration(chooses="events"), "gardener: it is priced in nothing; what its cubes cost is paid in deniers"),
        (
            {"kind": "mixed", "numbers": {"influence": 1}},
            Declaration(priced="influence"),
            "gardener: it is priced in influence; what its cubes cost is paid in deniers",
        ),
        ({}, Declaration(optional=True), "gardener: it chooses nothing, and that may be left out"),
        ({"kind": "endgame"}, Declaration(chooses="event", end=lambda cubes, numbers: {}), "gardener: it chooses event"),
        ({}, Declaration(on="green"), "gardener: its cube works on green"),
    ],
)
def test_what_does_not_belong_together_is_an_error_naming_the_card(
    change: dict[str, Any], declaration: Declaration | None, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the cards are imported, and not in the middle of a game."""
    rows = dict(load_box().activities)
    rows["gardener"] = replace(rows["gardener"], **change)
    monkeypatch.delitem(CARDS, "gardener")
    if declaration is not None:
        monkeypatch.setitem(CARDS, "gardener", declaration)
    with pytest.raises(ValueError, match="gardener") as refused:
        card_declaration.check_declarations(rows)
    assert found in str(refused.value)


def test_a_declaration_without_a_row_is_an_error_too() -> None:
    rows = {id: row for id, row in load_box().activities.items() if id != "gardener"}
    with pytest.raises(ValueError, match="gardener: it is declared, and has no row"):
        card_declaration.check_declarations(rows)


def test_a_card_is_declared_once() -> None:
    with pytest.raises(ValueError, match="gardener: it is declared twice"):
        card()(gardener)
