"""The Ladies through the desk: whole games by letter, standing orders from anybody, sealed answers that stay sealed."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from engine.game import Seat
from engine.troyes.board.phrases import typed_text
from engine.troyes.state.troyes_state import TroyesState
from pbem.store.commit_record import Record
from pbem.store.state_file import StoredGame
from tests.whole.room import Hall

ALL = {"ladies": "all"}
TWO_TILES = b"a" * 32
"""The seed of a game with a tile of level I and one of level II that answer others."""
POSSESSED = b"o" * 32
"""The seed of a game in which Possession soon asks everybody."""


def waiting(hall: Hall) -> Seat | None:
    """A seat whose answer is still missing; None when the game is over."""
    open_ = [decision for decision in hall.rules.waiting(hall.position()) if not decision.answered]
    return open_[0].seat if open_ else None


@pytest.mark.soak
@pytest.mark.parametrize("players", (2, 4))
def test_a_whole_game_of_all_modules_is_played_by_letter(tmp_path: Path, players: int) -> None:
    """Every letter answers with an option of its mail; none is refused, and the game ends.

    So it is for another game of two in tests/whole/test_final_mail.py.
    """
    rng, hall = random.Random(players), Hall(tmp_path)
    hall.seat_all(players, options=ALL)
    for _ in range(600):
        seat = waiting(hall)
        if seat is None:
            break
        hall.send(seat, "1" if rng.random() < 0.8 else "2")
        text = hall.last(seat).text
        assert "Not possible" not in text and "not understood" not in text, text
    assert hall.rules.result(hall.position()) is not None


def test_a_standing_order_comes_from_whoever_is_not_asked(tmp_path: Path) -> None:
    """It is answered to its writer; nobody else is mailed, and the seat that is asked may still answer its mail."""
    hall = Hall(tmp_path)
    hall.seat_all(3, options=ALL, seed=TWO_TILES)
    asked = waiting(hall)
    assert asked is not None
    other = next(seat for seat in hall.position().seats if seat != asked)
    before = {seat: len(hall.mails(seat)) for seat in hall.position().seats}
    tile = hall.position().answering[0]
    hall.send(other, f"auto: react {typed_text(tile)} never")
    after = {seat: len(hall.mails(seat)) for seat in hall.position().seats}
    assert {other: before[other] + 1} == {seat: n for seat, n in after.items() if n != before[seat]}
    assert "your cubes do not react, and you are not asked." in hall.last(other).text
    assert {tile: "never"} == hall.position().reacts[other]
    state: TroyesState = hall.position()
    hall.send(asked, "1")
    assert state.asked != hall.position().asked
    # A position that everybody may read holds nothing of it.
    stored = StoredGame.read(hall.store.open(hall.table))
    assert "reacts" not in stored.game and {tile: "never"} in stored.hidden["reacts"].values()


def test_a_reaction_is_asked_and_answered_once_for_all_by_its_number(tmp_path: Path) -> None:
    """No cube goes unasked; the mail that asks lists the standing order, and its number alone gives it."""
    hall = Hall(tmp_path)
    hall.seat_all(3, options=ALL, seed=TWO_TILES)
    rng = random.Random(4)
    for _ in range(400):
        if _asks_reaction(hall.position()):
            break
        seat = waiting(hall)
        assert seat is not None
        hall.send(seat, "1" if rng.random() < 0.8 else "2")
    state: TroyesState = hall.position()
    seat = Seat(state.asked[0].seat)
    texts = [offer.title for offer in hall.rules.offers(state, seat)]
    (always,) = [text for text in texts if text.startswith("Always use my cubes on ")]
    number = texts.index(always) + 1
    assert f"[{number}] {always}" in hall.last(seat).text
    hall.send(seat, str(number))
    after: TroyesState = hall.position()
    assert ["always"] == list(after.reacts[seat].values())
    assert after.number > state.number or after.asked != state.asked
    assert sum(tile.cubes.get(seat, 0) for tile in after.tiles) < sum(tile.cubes.get(seat, 0) for tile in state.tiles)


def test_an_ordinary_order_from_a_seat_that_is_not_asked_is_still_late(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.seat_all(3, options=ALL)
    asked = waiting(hall)
    other = next(seat for seat in hall.position().seats if seat != asked)
    hall.send(other, "pass")
    assert "It is not your turn." in hall.last(other).text


def tamper(hall: Hall, blind: str) -> None:
    """Change what others have said about reacting."""
    repo = hall.store.open(hall.table)
    with repo.lock():
        stored = StoredGame.read(repo)
        reacts = dict(stored.hidden.get("reacts", {}))
        for seat in hall.position().seats:
            if seat != blind:
                word = {"always": "never"}.get(next(iter(reacts.get(seat, {}).values()), ""), "always")
                reacts[seat] = dict.fromkeys(hall.position().answering, word)
        hidden: dict[str, Any] = {**stored.hidden, "reacts": reacts}
        changed = StoredGame(stored.table, stored.secrets, stored.game, hidden, stored.commit)
        record = Record.read(repo, stored.table.records)
        repo.commit({path: data for path, data in changed.files().items() if path == "secret.toml"}, record.message("x"))
    hall.restart()


def test_standing_orders_of_others_show_in_no_mail(tmp_path: Path) -> None:
    """No leak: while nothing reacts, what others have said about reacting changes no byte of any mail.

    A part of a game; the soak plays on.
    """
    assert alike(tmp_path, 65) > 5


@pytest.mark.soak
def test_standing_orders_of_others_show_in_no_mail_all_game_long(tmp_path: Path) -> None:
    assert alike(tmp_path, 260) > 20


def alike(tmp_path: Path, letters: int) -> int:
    """How many mails were compared."""
    hall = Hall(tmp_path / "one")
    hall.seat_all(3, options=ALL, seed=TWO_TILES)
    rng, compared = random.Random(4), 0
    for step in range(letters):
        seat = waiting(hall)
        if seat is None:
            break
        raw = hall.write(seat, "1" if rng.random() < 0.8 else "2")
        if step % 9:
            hall.post(raw)
            continue
        twin = hall.twin(tmp_path / "two")
        blind = rng.choice([seat for seat in hall.position().seats if seat])
        question = hall.write(blind, "status")
        mails = hall.mails_from(raw, blind) + hall.mails_from(question, blind)
        newest = StoredGame.read(hall.store.open(hall.table)).table.records
        repo = hall.store.open(hall.table)
        entries = [entry for n in (newest - 1, newest) for entry in Record.read(repo, n).entries]
        if any(entry.data.get("order", {}).get("verb") == "react" for entry in entries) or _asks_reaction(hall.position()):
            continue
        tamper(twin, blind)
        assert mails == twin.mails_from(raw, blind) + twin.mails_from(question, blind), (step, blind)
        compared += len(mails)
    return compared


def test_mails_do_not_tell_whether_somebody_has_answered(tmp_path: Path) -> None:
    """The others answer at one host and only ask something at the other: trials and `undo` say the same at both."""
    hall = Hall(tmp_path / "one")
    # How many have answered is told otherwise.
    hall.seat_all(3, options={**ALL, "answers": "hidden"}, seed=POSSESSED)
    rng, state = random.Random(4), hall.position()
    while not (len(state.asked) == 3 and hall.rules.waiting(state)[0].sealed and not state.sealed):
        seat = waiting(hall)
        assert seat is not None, "no sealed decision of all three came"
        hall.send(seat, "1" if rng.random() < 0.8 else "2")
        state = hall.position()
    blind, one, other = (asked.seat for asked in state.asked)
    twin = hall.twin(tmp_path / "two")
    for host in (hall, twin):
        host.send(blind, "1")
    for seat in (one, other):
        hall.send(seat, "1")
        twin.send(seat, "status")
        # Only while somebody is missing at both hosts may the blind seat answer without closing the decision.
        for text in ("try 2", "undo", "undo", *(("1", "2", "undo") if seat == one else ()), "try 1\ntry 2", "history"):
            for host in (hall, twin):
                host.send(blind, text)
            assert [got.raw for got in hall.mails(blind)] == [got.raw for got in twin.mails(blind)], (seat, text)
    assert {one, other} == set(hall.position().sealed) and not twin.position().sealed
    hall.send(one, "undo")
    assert {other} == set(hall.position().sealed) and state.asked == hall.position().asked


def _asks_reaction(state: TroyesState) -> bool:
    return any(asked.kind == "react" for asked in state.asked)
