"""A line that no grammar reads is an order only where the order explains each of its words, and each part is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.reference import Gist
from engine.troyes.notation import gist
from engine.troyes_dice.notation.way import Way
from pbem.desk import foremost

from .bench import Bench, laid_out
from .mailed import Reader, table
from .measure import send


@pytest.fixture(scope="module")
def troyes(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return laid_out(tmp_path_factory.mktemp("troyes"), "troyes")


@pytest.fixture(scope="module")
def dice(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return laid_out(tmp_path_factory.mktemp("dice"), "dice")


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("Brigands with my red four and the red two from gray, heres the 4 deniers", ("fight brigands with R4 gray:R2",)),
        ("Brigands with my red four and the red two from gray, heres the 3 deniers", ()),
        ("Brigands with my red four and the red two, heres the 4 deniers", ()),
        ("Brigands with my red four, leave the red two from gray", ("fight brigands with R4",)),
        ("War with my red four and the red two from gray at the cathedral, heres 4 deniers", ()),
    ],
)
def test_a_fight_is_told_by_its_words(troyes: Bench, line: str, orders: tuple[str, ...]) -> None:
    """Another price, nobody for a bought die, a die that is only listed, a place that has no part in it."""
    assert send(troyes, line).orders == orders


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("I take the yellow five into the city hall, box five", ("yellow 5: city-hall 5",)),
        ("I take the yellow five into the city hall, box four", ()),
        ("I take the yellow five into the city hall, box two", ()),
        ("I take the yellow five into the city hall, box five, for 3 knowledge", ()),
        ("I take the yellow five into the city hall, box five, and the cathedral", ()),
        ("city hall, box five, with one die, how lovely", ()),
        ("I take the yellow five into the city hall, box five, with Faye", ()),
    ],
)
def test_a_half_day_is_told_by_its_words(dice: Bench, line: str, orders: tuple[str, ...]) -> None:
    """Another column or price, a second building, no die named, somebody else."""
    assert send(dice, line).orders == orders


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("counts palace 5 with the red", ("red 3 as red 5: counts-palace 5",)),
        ("counts palace 5 with the red 3", ()),
        ("counts palace 6 with the red 3", ()),
        ("counts palace 5 with the red if it is free", ()),
    ],
)
def test_what_the_rules_forbid_may_be_meant_otherwise(tmp_path: Path, line: str, orders: tuple[str, ...]) -> None:
    """As the grammar reads the first ones a three builds in those columns; only of the first one all else leaves one
    way."""
    found = Reader(table(tmp_path, "dice, nineteenth: with banquets")).read(line)
    assert found.orders == orders
    assert orders or found.says


@pytest.mark.parametrize(
    ("at", "line", "orders"),
    [
        ("twenty-sixth: a turn for four", "civil war, two yellow 6 from emily", ("fight civil-war with emily:Y6 emily:Y6",)),
        ("twenty-sixth: a turn for four", "secheresse avec les 2 six jaunes d'emily", ("fight drought with emily:Y6 emily:Y6",)),
        ("thirty-second: a turn for four", "les 2 six d'Emily sur les escarmouches, super", ("fight skirmishes with emily:R6 emily:R6",)),
        ("twenty-fourth: black dice", "both yellow twos against the black 4 please", ("counter 4 with Y2 Y2",)),
        ("thirty-second: a turn for four", "les 2 six de Geoffrey sur les escarmouches, super", ()),
        ("thirty-second: a late turn for two", "je retourne mon dé", ("flip Y2",)),
        ("thirty-second: a late turn for two", "je retourne le dé", ()),
        ("thirty-second: a late turn for two", "farm with my only die, hooray", ("farm Y2",)),
        ("thirty-third: a late turn for two", "farm with my only die, hooray", ()),
        ("thirty-third: a turn for four", "je retourne mon dé", ()),
        ("thirty-third: a turn for four", "Les brigands de l'événement 4, avec le rouge 5 de Geoffrey", ("fight event-4 with geoffrey:R5",)),
        ("thirty-third: a turn for four", "Les brigands de l'événement 6, avec le rouge 5 de Geoffrey", ()),
        ("twenty-sixth: a late turn for two", "Cathédrale niv 2 col 3 avec mon B3", ("build with W3",)),
        ("twenty-sixth: a late turn for two", "Cathédrale niv 3 col 3 avec mon B3", ()),
        ("twenty-sixth: an early turn", "Un seul cube à la cathédrale, avec le B1 de Geoffrey", ("build with geoffrey:W1",)),
        ("twenty-sixth: an early turn", "Deux cubes à la cathédrale, avec le B1 de Geoffrey", ()),
        ("twenty-sixth: black dice", "Red 3 against both black threes", ("counter 3 3 with R3",)),
        ("twenty-sixth: black dice", "Red 3 fears both black threes", ()),
        ("dice, twenty-sixth: a morning", "city hall 3, I pay the influence not the denier", ("yellow 3: city-hall 3; pay influence",)),
        ("dice, twenty-sixth: a morning", "city hall 3, I pay the influence not the influence", ()),
    ],
)
def test_what_is_said_of_dice_and_amounts_is_true_of_the_order(tmp_path: Path, at: str, line: str, orders: tuple[str, ...]) -> None:
    assert Reader(table(tmp_path, at)).read(line).orders == orders


def test_a_number_behind_a_place_is_no_options(tmp_path: Path) -> None:
    """«my cathedral number 5» tells the column."""
    line = "White 3 made a 5 for two influence, and that's my cathedral number 5."
    found = Reader(table(tmp_path, "dice, twenty-seventh: a morning")).read(line)
    assert found.orders == ("white 3 as white 5: cathedral 5",)


def test_what_a_line_can_only_mean_is_refused_like_any_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be an order that what stands above it rules out: the letter is answered, and nothing is played."""
    reader = Reader(table(tmp_path, "nineteenth: an early turn"))
    monkeypatch.setattr(foremost, "supposed", lambda *_, **__: Gist(("pass",)))
    found = reader.read("recruit 1\nactivate the nothing at all")
    assert found.outcome in ("ask", "refuse") and not found.orders
    assert "looks like a slip" in found.says


def test_planted_faults_are_found(troyes: Bench, dice: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were amounts or columns not held against the order, what contradicts them would be played over."""
    monkeypatch.setattr(gist, "are_true", lambda *_: True)
    assert send(troyes, "Brigands with my red four and the red two from gray, heres the 3 deniers").orders
    monkeypatch.setattr(Way, "explains", lambda self, piece: piece.kind == "number" or piece.kind != "face" or piece.number == self.act.value)
    assert send(dice, "I take the yellow five into the city hall, box four").orders
