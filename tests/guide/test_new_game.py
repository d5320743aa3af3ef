"""A new game: one package that offers a `GAME`. From there on it is played by mail, proved, exported and put right.

Read `tests/guide/games/pig` first. Nothing else is written for it: no template, no command, no line in the post room.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import engine
from engine.chance import SeededChance
from engine.errors import PositionError
from engine.game import Game, Seat, find_game, games
from pbem.cli import main
from tests.whole.room import Hall

FOLDER = Path(__file__).parent / "games"


@pytest.fixture(autouse=True)
def _found(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Games are found by looking under `engine`; here that looks into this folder too."""
    monkeypatch.setattr(engine, "__path__", [*engine.__path__, str(FOLDER)])
    games.cache_clear()
    yield
    games.cache_clear()


def command(*words: str) -> str:
    result = CliRunner().invoke(main, words)
    assert 0 == result.exit_code, result.output
    return result.stdout


def test_it_is_found_and_it_is_short() -> None:
    """All that a game of its own has to say fits on two pages."""
    game: Game[Any, str] = find_game("pig")
    assert "Pig" == game.title
    assert len((FOLDER / "pig" / "__init__.py").read_text().splitlines()) <= 120


def test_its_letters_are_read_and_answered(tmp_path: Path) -> None:
    """Options as numbers, words in both languages, the position and the news: all as in any game."""
    hall = Hall(tmp_path, "pig")
    hall.seat_all(2)
    seat = hall.asked()
    assert seat is not None
    mail = hall.last(seat).text
    assert "[1] roll" in mail and "[2] hold" in mail
    assert "Anna: 0 points" in mail and "In the pot: 0" in mail
    hall.send(seat, "lancer")
    assert "rolls a " in hall.last(seat).text
    refused = hall.send(hall.asked() or seat, "rol")
    assert "refused" == refused.outcome
    assert ["lancer", "garder"] == [offer.text for offer in find_game("pig").offers(hall.position(), Seat(seat), "fr")]


def test_a_whole_game_is_played_by_real_mail_and_proved(tmp_path: Path) -> None:
    """A post office, a daemon, and programs that know their mailboxes alone; then every roll is checked."""
    words = ("demo", "--game", "pig", "--players", "3", "--seed", "5", "--dir", str(tmp_path), "--json")
    told = json.loads(command(*words))
    assert "pig" == told["kind"]
    assert 0 == told["refusals"]
    assert max(row["total"] for row in told["scores"].values()) >= 20
    store = ("--store", told["store"])
    proof = json.loads(command(*store, "verify", told["game"], "--json"))
    assert proof["holds"]
    assert proof["rolls"] > 10
    page = tmp_path / "pig.html"
    command(*store, "export", told["game"], "--view", "full", "--format", "html", "--output", str(page))
    assert "Pig" in page.read_text()
    assert "points" in command(*store, "show", told["game"])


def test_it_is_put_right_like_any_other(tmp_path: Path) -> None:
    hall = Hall(tmp_path, "pig")
    hall.seat_all(2)
    game, state = find_game("pig"), hall.position()
    settable = game.moderation.settable(state)
    assert {"anna.name", "pot"} <= set(settable)
    changed = game.fold(state, [game.moderation.change(state, "pot", 7, "a slip")])
    assert (0, 7) == (state.pot, changed.pot)
    assert game.dump(changed) == game.dump(game.load(*game.dump(changed)))


def test_a_roll_that_it_forgets_to_record_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A game cannot keep a roll back from `verify`: what it drew stands in an entry, or the order fails."""
    game = find_game("pig")
    assert {"begins": ("first",), "rolled": ("pig",)} == game.draws
    hall = Hall(tmp_path, "pig")
    hall.seat_all(2)
    state, seat = hall.position(), hall.asked()
    monkeypatch.setattr(game, "play", lambda run, seat, order: bool(run.rolls("pig", seat)))
    with pytest.raises(PositionError, match="was drawn and is in no entry"):
        game.apply(state, seat, "roll", SeededChance(b"s", (), "pig"))
