"""What is not said in full is an order of Troyes where it is sure enough, and nothing grave is passed over for it."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from engine.troyes.notation import certain, faces
from pbem.reading import directive

from .bench import Bench, laid_out
from .mailed import Reader, table
from .measure import send


@pytest.fixture(scope="module")
def troyes(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return laid_out(tmp_path_factory.mktemp("troyes"), "troyes")


LINES = [
    ("merchant pls, my y5, hiring my citizen of palace 2, four deniers i know", "merchant hiring from palace 2 with Y5"),
    ("merchant pls, my y5, hiring my citizen of palace 2, five deniers i know", ""),
    ("merchant pls, my y5 and a die of Anna, hiring my citizen of palace 2", ""),
    ("merchant pls, my y5, hiring my citizen of palace 2, recruit one", ""),
]


@pytest.mark.parametrize(("line", "order"), LINES)
def test_the_likeliest_order_is_played_where_nothing_grave_is_unsaid(tmp_path: Path, line: str, order: str) -> None:
    """Another amount, somebody's die that is not named, a second order."""
    found = Reader(table(tmp_path, "nineteenth, ladies: a turn")).read(line)
    assert found.orders == ((f"activate {order}",) if order else ())


def test_planted_faults_are_found(troyes: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were nothing grave, or anything sure enough, what is said of events would be played, and what is only named."""
    reader = Reader(table(tmp_path, "twenty-fourth: an early turn"))
    assert not send(troyes, "marauding hits R3").orders
    assert not reader.read("Faye's die on the brigands").orders
    monkeypatch.setattr(certain, "WEIGHTS", replace(certain.WEIGHTS, least=0.0))
    monkeypatch.setattr(certain, "_GRAVE", frozenset())
    monkeypatch.setattr(directive, "LEAST", -math.inf)
    assert send(troyes, "marauding hits R3").orders


def test_both_dice_of_somebody_are_never_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """«les deux 6»: what a small word asks of an order is grave; were it not, one of them would be played."""
    reader = Reader(table(tmp_path, "twenty-sixth: a turn for four"))
    written = "Les deux 6 d'Emily sur la Guerre civile !"
    assert reader.read(written).orders == ("fight civil-war with emily:Y6 emily:Y6",)
    monkeypatch.setattr(faces, "BOTH", "nothing")
    assert not reader.read(written).orders
    monkeypatch.setattr(certain, "_GRAVE", certain._GRAVE - {"how many"})
    monkeypatch.setattr(certain, "WEIGHTS", replace(certain.WEIGHTS, least=0.5))
    assert reader.read(written).orders == ("fight civil-war with emily:Y6",)
