"""Two games that differ only in what a seat may not see send that seat byte-identical mail (contract, «Private»).

Letter by letter through a whole game: before each letter the host is copied, what the blind seat may not know is
changed in the copy, and the same letter is posted to both.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from engine.game import Seat
from engine.troyes import GAME, Troyes
from engine.troyes.view.position_view import view as true_view
from pbem.store.commit_record import Record
from pbem.store.state_file import StoredGame
from tests.whole.room import Hall

DRAWS = {"threat", "activity", "over"}
"""Entries that turn up a card from a deck or from a hand."""
QUESTIONS = (
    *("status", "options", "history", "help", "card merchant", "board", "try 1", "activate nonsense with Y6", ""),
    *("tell faye: truce?", "say faye: truce?", "say Nice move"),
    *("passs", "farm Y5 Y4 gray:Y6", "build with W9", "activate pirest with W6", "settle palace 7", "try fihgt heresy R6"),
)


def tamper(hall: Any, blind: str, drawn: set[str]) -> None:
    """Change all that `blind` may not know, except what the coming letter would turn up anyway."""
    repo = hall.store.open(hall.table)
    with repo.lock():
        stored = StoredGame.read(repo)
        hidden: dict[str, Any] = {**stored.hidden}
        others = [seat for seat in hidden["characters"] if seat != blind]
        hands = [hidden["characters"][seat] for seat in others]
        known = {id for held in hidden["characters"].values() for id in held}
        unused = [id for id in hall.position().box.characters if id not in known]
        if "over" not in drawn:
            swapped = [unused[: len(hands[0])], *hands[:-1]] if len(unused) >= len(hands[0]) else hands[::-1]
            hidden["characters"] = {**hidden["characters"], **dict(zip(others, swapped, strict=True))}
        if not drawn & {"threat", "activity"}:
            hidden["decks"] = {name: deck[::-1] for name, deck in hidden["decks"].items()}
        changed = StoredGame(stored.table, stored.secrets, stored.game, hidden, stored.commit)
        # Straight into the files of the newest record, so that numbers and ids stay the same.
        record = Record.read(repo, stored.table.records)
        repo.commit({path: data for path, data in changed.files().items() if path == "secret.toml"}, record.message("x"))
    hall.restart()


SOAK = pytest.mark.soak


@pytest.mark.parametrize(
    ("players", "seed", "every"), [(3, 1, 7), pytest.param(3, 1, 3, marks=SOAK), pytest.param(2, 2, 3, marks=SOAK)]
)
def test_no_mail_tells_what_its_reader_may_not_know(tmp_path: Path, players: int, seed: int, every: int) -> None:
    """Turns, receipts, refusals, trials, answers: whichever mail, every byte, at every so many letters.

    At every third in the soak, in which two play as well.
    """
    rng = random.Random(seed)
    hall = Hall(tmp_path / "one")
    hall.seat_all(players, seed=bytes([seed]) * 32)
    compared = numbered = 0
    for step in range(400):
        seat = hall.asked()
        if seat is None:
            break
        offers = GAME.offers(hall.position(), seat)
        number = 1 if rng.random() < 0.85 else min(2, len(offers))
        blind = None if step % every else rng.choice(list(hall.position().seats))
        # Others answer in words: what stands first in a list may rest on the character of whoever reads it.
        raw = hall.write(seat, str(number) if seat == blind else offers[number - 1].text)
        if blind is None:
            hall.post(raw)
            continue
        numbered += seat == blind
        twin, before = hall.twin(tmp_path / "two"), listed(hall, blind)
        question = hall.write(blind, QUESTIONS[step // every % len(QUESTIONS)])
        mails = hall.mails_from(raw, blind) + hall.mails_from(question, blind)
        drawn = entries_of_last(hall, 2) & DRAWS
        tamper(twin, blind, drawn)
        assert listed(twin, blind) == before, (step, blind)
        twins = twin.mails_from(raw, blind) + twin.mails_from(question, blind)
        assert mails == twins, (step, blind)
        compared += len(mails)
    assert hall.asked() is None
    assert compared > 20
    assert numbered > 1


def listed(hall: Hall, seat: str) -> list[tuple[str, str]]:
    """The options of a seat that is asked, and what it is told of them."""
    state = hall.position()
    if seat not in {decision.seat for decision in GAME.waiting(state)}:
        return []
    return [(offer.text, str(offer.says)) for offer in GAME.offers(state, Seat(seat))]


def entries_of_last(hall: Any, records: int) -> set[str]:
    """Kinds of the entries in the newest records."""
    newest = StoredGame.read(hall.store.open(hall.table)).table.records
    return {
        entry.kind
        for number in range(max(1, newest - records + 1), newest + 1)
        for entry in hall.record(number, hall.table).entries
    }


def test_a_planted_leak_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The law is no decoration: a view that shows a rival's character turns it red."""
    def leaky(state: Any, seat: str | None) -> Any:
        rival = next(other for other in state.seats if other != seat)
        shown = state.copy()
        if seat:
            shown.characters = {**state.characters, seat: state.characters[rival]}
        return true_view(shown, seat)

    monkeypatch.setattr(Troyes, "view", staticmethod(leaky))
    with pytest.raises(AssertionError):
        test_no_mail_tells_what_its_reader_may_not_know(tmp_path, 3, 1, 7)


def test_commit_subjects_and_public_files_hold_no_secret(tmp_path: Path) -> None:
    """Commit messages, file names and the public half of every record: no character, no undrawn card."""
    hall = Hall(tmp_path / "one")
    hall.seat_all(3)
    for _ in range(30):
        seat = hall.asked()
        assert seat is not None
        hall.send(seat, "1")
    repo = hall.store.open(hall.table)
    state = hall.position()
    newest = StoredGame.read_public(repo).table.records
    hidden = [id for held in state.characters.values() for id in held] + [id for deck in state.decks.values() for id in deck]
    public = {
        path: data.decode()
        for number in range(2, newest + 1)
        for path, data in hall.record(number, hall.table).files().items()
        if "secret" not in path
    }
    assert len(public) == newest - 1
    public["state.toml"] = repo.read("state.toml").decode().replace(state_box(repo), "")
    public |= {commit.id: f"{commit.subject} {commit.message}" for commit in repo.log()}
    for where, text in public.items():
        assert not [id for id in hidden if f'"{id}"' in text], where


def state_box(repo: Any) -> str:
    """The part of state.toml that lists every card there is."""
    text = repo.read("state.toml").decode()
    return text[text.index("[game.box") :] if "[game.box" in text else ""
