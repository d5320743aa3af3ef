"""The final mail: how the game went, row by row, from what is recorded and counts in the end; and no order is offered."""

from __future__ import annotations

import random
import re
from pathlib import Path

import html5lib
import pytest

from engine.game import Ending, Seat
from engine.troyes.news import sentences
from engine.troyes.state import orders
from pbem.desk.transaction.compose import decided
from tests.dice.games import GAME as DICE
from tests.troyes.entries import e, ordered, state
from tests.whole.pages import faults
from tests.whole.room import Hall

GAMES = {
    "base": ("troyes", 2, {}),
    "ladies": ("troyes", 2, {"ladies": "all"}),
    "solo": ("troyes", 1, {}),
    "dice": ("troyes-dice", 2, {"expansion": "yes"}),
}
_BIGGEST = re.compile(r"\+(\d+) VP")


def finished(folder: Path, name: str, seed: int = 3) -> Hall:
    """A whole game by mail; every letter answers with an option of its mail, and none is refused."""
    kind, players, options = GAMES[name]
    hall, rng = Hall(folder, kind), random.Random(seed)
    hall.seat_all(players, seed=bytes([seed]) * 32, options=options)
    for _ in range(400):
        waiting = [one.seat for one in hall.rules.waiting(hall.position()) if not one.answered]
        if not waiting:
            return hall
        hall.send(waiting[0], "1" if rng.random() < 0.8 else "2")
        text = hall.last(waiting[0]).text
        assert "Not possible" not in text and "not understood" not in text, text
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("name", (pytest.param("base", marks=pytest.mark.soak), *(name for name in GAMES if name != "base")))
def test_the_final_mail_tells_every_row_and_every_component(tmp_path: Path, name: str) -> None:
    hall = finished(tmp_path, name)
    result = hall.rules.result(hall.position())
    page = str(hall.last("anna").message.get_body(("html",)).get_content())
    assert [] == faults(page)
    html5lib.HTMLParser(strict=True).parse(page)
    text = hall.last("anna").text
    went = text.partition("HOW IT WENT\n")[2].partition("\n\n")[0].splitlines()
    assert len(result.scores) == len(went) and all(line.startswith("- ") for line in went)
    assert any(_BIGGEST.search(line) for line in went)
    counted = text.partition("WHAT COUNTED\n")[2].partition("\n\n")[0].splitlines()
    assert {part for parts in result.scores.values() for part in parts} == set(result.explains)
    assert len(result.explains) == len(counted)
    for row in (hall.last(seat).text for seat in ("anna", *(("faye",) if len(went) > 1 and name != "solo" else ()))):
        assert row.partition("HOW IT WENT\n")[2].partition("\n\n")[0].splitlines() == went, "the same to everybody"
    assert all(heading in page for heading in ("HOW IT WENT", "WHAT COUNTED", "FINAL SCORES"))
    assert "try …" not in text and "undo" not in text and "body=undo" not in page and "Also: history" in text
    assert hall.stored(hall.table).secrets.seed in text
    told = text.partition("Since your last mail")[2].partition("\n\n")[0] + text.partition("\nDone: ")[2].partition("\n\n")[0]
    assert told and not re.search(r"\d VP[ :(]+(tokens|characters) |The game is over|The characters: ", told)
    assert "ONLY FOR YOU" not in text + page, "what was secret stands in the table"


def test_what_was_decided_is_told_by_the_widest_component() -> None:
    scores = {
        Seat("anna"): {"tokens": 20, "cathedral": 0, "henry_i": 1},
        Seat("faye"): {"tokens": 21, "cathedral": -6, "henry_i": 3},
        Seat("emily"): {"tokens": 21, "cathedral": 0, "henry_i": 0},
    }
    result = Ending(scores, {seat: sum(parts.values()) for seat, parts in scores.items()}, (Seat("anna"),))
    called = {"anna": "Anna", "faye": "Faye", "emily": "Emily"}
    assert "Level with Emily." == str(decided(result, "anna", called))
    assert "3 VP behind Anna, above all by cathedral: -6 against 0." == str(decided(result, "faye", called))
    alone = Ending({Seat("anna"): {"tokens": 3}}, {Seat("anna"): 3}, (Seat("anna"),))
    assert decided(alone, "anna", called) is None
    first = Ending(scores, {Seat("anna"): 21, Seat("faye"): 18, Seat("emily"): 20}, (Seat("anna"),))
    assert "1 VP ahead of Emily, above all by henry_i: 1 against 0." == str(decided(first, "anna", called))


def test_the_biggest_turn_is_told_as_everybody_heard_of_it() -> None:
    """What others gain in it counts for nobody, and losses are no story."""
    end = state()
    end.scores = {"anna": {"tokens": 5}, "faye": {"tokens": 2}}
    entries = [
        e("round", round=1),
        *ordered("anna", orders.Recruit(1), e("points", seat="anna", by=2)),
        e("round", round=2),
        *ordered("anna", orders.Pass(), e("points", seat="anna", by=3), e("points", seat="faye", by=9)),
        *ordered("faye", orders.Pass(), e("points", seat="faye", by=-1)),
    ]
    told = sentences.best_turns(end, entries)
    assert str(told["anna"]).startswith("The biggest turn, in round 2, +3 VP: Anna passes")
    assert "No turn brought VP." == str(told["faye"])


def test_a_near_miss_of_an_achievement_is_told(tmp_path: Path) -> None:
    """Only what is near, has not been reached and was not earned before; of the marks the next one."""
    hall = Hall(tmp_path, DICE.kind)
    hall.seat_all(1, seed=b"\x01" * 32)
    while hall.asked() is not None:
        hall.send("anna", "1")
    result = DICE.result(hall.position())
    missed = result.missed[Seat("anna")]
    assert not set(missed) & set(result.achieved[Seat("anna")])
    assert missed and len({"score-1", "score-2", "score-3"} & set(missed)) <= 1
    text = hall.last("anna").text
    for says in map(str, missed.values()):
        assert f"- {says}\n" in text
        assert re.fullmatch(r"\d+ (VP|citizens?|buildings?|circles?) short of .+\.", says)
    book, again = hall.desk.services.achievements, next(iter(missed))
    told = book.news(DICE, "another", ("anna@people.test",), (again,), missed)
    assert str(missed[again]) not in map(str, told), "it is reached now"
