"""Two hosts that differ only in what others have sealed are the same host to everybody else.

At random half days of whole games the host is copied, the others answer differently in the copy, and the same letters
of the blind seat are posted to both: every mail, every public file, every view of the terminal, every export.
"""

from __future__ import annotations

import logging
import random
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine.game import Seat
from engine.troyes_dice import TroyesDice
from engine.troyes_dice.news.sentences import tell_news
from pbem.cli import main
from pbem.store.commit_record import Record
from tests.dice.games import GAME
from tests.dice_mail.table import EARLY, decision, missing, offered, seated, with_choice
from tests.whole.room import Hall

SEATS = ("anna", "faye", "geoffrey")
LETTERS = (
    *("status", "options", "history", "help", "card wheel", "board", "achievements", "undo", "try 1", "try 2\ntry 1"),
    *("try bonus city-hall 3", "red 9: influence", "bonus city-hall 3", "purple 3: gold", "99", "", "say hello", "2"),
    *("undo\n1", "status", "undo"),
)
VIEWS = (
    *(("show",), ("show", "--json"), ("show", "--seat", "BLIND"), ("log",), ("log", "--json")),
    *(("export", "--format", "json"), ("export", "--format", "md"), ("export", "--format", "html")),
)
USES = ("fortress", "palace", "great-hall", "city-hall", "cathedral", "bishopric", "influence", "deniers", "knowledge")
IDS = re.compile(r"\b[0-9a-f]{7,64}\b")


def terminal(hall: Hall, blind: str) -> list[str]:
    """What the commands print that need no `--reveal`. Commit ids differ, as any commit's do."""
    found = []
    for view in VIEWS:
        words = [blind if word == "BLIND" else word for word in view[1:]]
        result = CliRunner().invoke(main, ["--store", str(hall.folder / "games"), view[0], hall.table, *words])
        assert 0 == result.exit_code, (view, result.output)
        found.append(IDS.sub("ID", result.stdout.replace(str(hall.folder), "HOST")))
    listed = CliRunner().invoke(main, ["--store", str(hall.folder / "games"), "list", "--json"])
    return [*found, listed.stdout]


def public(hall: Hall) -> list[str]:
    """The files and commits that everybody may read. A letter's digest stands there, and tells nothing of it."""
    repo = hall.store.open(hall.table)
    newest = hall.stored(hall.table).table.records
    records = [Record.read(repo, number) for number in range(1, newest + 1)]
    shown = [data.decode() for one in records for path, data in sorted(one.files().items()) if "secret" not in path]
    shown += [repo.read("state.toml").decode(), *(f"{commit.subject}\n{commit.message}" for commit in repo.log())]
    return [IDS.sub("ID", text) for text in shown]


HIDDEN = {"answers": "hidden"}
"""A table that tells not even how many have answered."""


def seen(hall: Hall, blind: str) -> list[bytes]:
    return [got.raw for got in hall.mails(blind)]


def different(hall: Hall, seat: str, other: str) -> str:
    """An order of the seat's list that is not `other`."""
    return next(text for text in reversed(offered(hall, seat)) if text != other)


def check(tmp_path: Path, seed: int, rounds: int) -> int:
    rng = random.Random(seed)
    hall = seated(tmp_path / "one", 3, options={"expansion": "yes"}, seed=bytes([seed]) * 32)
    compared = 0
    while rounds and missing(hall):
        if rng.random() < 0.6:
            for seat in missing(hall):
                hall.send(seat, str(rng.randint(1, 2)))
            continue
        rounds -= 1
        blind, *others = rng.sample(SEATS, 3)
        if not set(others) <= set(missing(hall)):
            hall.send(missing(hall)[0], "1")
            continue
        # A day has so many answers to letters that play nothing.
        hall.time += timedelta(days=1)
        twin = hall.twin(tmp_path / "two")
        if rng.random() < 0.5:
            hall.send(blind, "1")
            twin.send(blind, "1")
        # The last of the others does not answer, so that the half day stays open whatever the blind seat sends.
        first = offered(hall, others[0])[0]
        # What `send` says is what the log tells of a letter.
        assert hall.send(others[0], first) == twin.send(others[0], different(twin, others[0], first))
        for text in LETTERS:
            assert hall.send(blind, text) == twin.send(blind, text), (seed, blind, text)
            assert seen(hall, blind) == seen(twin, blind), (seed, blind, text)
        assert seen(hall, others[1]) == seen(twin, others[1])
        assert public(hall) == public(twin)
        assert terminal(hall, blind) == terminal(twin, blind)
        compared += 1
        twin.spool.close()
        for seat in missing(hall):
            hall.send(seat, "1")
    return compared


@pytest.mark.parametrize("seed", [4])
def test_others_see_no_sealed_answer(tmp_path: Path, seed: int, caplog: pytest.LogCaptureFixture) -> None:
    """Mails, refusals, options, trials, undo, files, commits, the terminal, exports, and the log.

    A sample of one half day; in the soak every half day of twelve games.
    """
    with caplog.at_level(logging.DEBUG, "pbem"):
        assert 1 == check(tmp_path, seed, 1), "the half day of the sample was compared"
    assert not [line for line in caplog.messages if any(use in line for use in USES)]


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 22))
def test_others_see_no_sealed_answer_over_many_games(tmp_path: Path, seed: int) -> None:
    assert check(tmp_path, seed, 16)


def test_mails_do_not_tell_whether_somebody_has_answered(tmp_path: Path) -> None:
    """Anna answers at one host and only asks something at the other; then she takes back what she may have given."""
    hall = seated(tmp_path / "one", options=HIDDEN)
    twin = hall.twin(tmp_path / "two")
    hall.send("anna", "1")
    twin.send("anna", "status")
    for text in LETTERS:
        for host in (hall, twin):
            host.send("faye", text)
        assert seen(hall, "faye") == seen(twin, "faye"), text
    hall.send("anna", "undo")
    twin.send("anna", "status")
    for text in ("status", "undo", "2", "board"):
        for host in (hall, twin):
            host.send("faye", text)
        assert seen(hall, "faye") == seen(twin, "faye"), text
    assert seen(hall, "geoffrey") == seen(twin, "geoffrey")


def test_a_choice_that_is_open_does_not_show(tmp_path: Path) -> None:
    """Not even in the position that the terminal shows, which is loaded without the secrets."""
    hall = seated(tmp_path / "one", facts=EARLY, options=HIDDEN)
    twin = hall.twin(tmp_path / "two")
    order, choice = with_choice(hall, "anna")
    hall.send("anna", order)
    twin.send("anna", f"{order}; {choice}")
    assert ("bonus", True) == (decision(hall, "anna").kind, decision(twin, "anna").answered), "the hosts differ"
    for text in LETTERS:
        for host in (hall, twin):
            host.send("faye", text)
        assert seen(hall, "faye") == seen(twin, "faye"), text
    assert public(hall) == public(twin)
    assert terminal(hall, "faye") == terminal(twin, "faye")


def leaky_tell(table: Any, entries: Any, reader: Any, first: int = 0) -> Any:
    """News that tell everybody what one seat alone may know."""
    opened = [replace(one, only={str(reader): next(iter(one.only.values()))}) if one.only else one for one in entries]
    return tell_news(table, opened, reader, first)


@pytest.mark.parametrize("leak", ["view", "news"])
def test_a_planted_leak_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leak: str) -> None:
    """The law is no decoration."""
    true_view = GAME.view

    def leaky_view(table: Any, seat: str | None) -> Any:
        found = true_view(table, seat)
        words = tuple(str(answer.order) for other, answer in table.sealed.items() if other != seat)
        return replace(found, numbering=f"{found.numbering} {words}", plain=False)

    if leak == "view":
        monkeypatch.setattr(TroyesDice, "view", staticmethod(leaky_view))
    else:
        monkeypatch.setattr(TroyesDice, "tell", staticmethod(leaky_tell))
    with pytest.raises(AssertionError, match=r"^\(1, '\w+', '(status|board)'\)"):
        check(tmp_path, 1, 4)


def test_sealed_answers_lie_among_the_secrets_only(tmp_path: Path) -> None:
    """A word of the order is looked for in every public file and message."""
    hall = seated(tmp_path / "one")
    order = next(text for text in GAME.reference.every(hall.position(), Seat("anna")) if "bishopric" in text)
    hall.send("anna", order)
    repo = hall.store.open(hall.table)
    assert b"bishopric" in repo.read("secret.toml")
    newest = Record.read(repo, hall.stored(hall.table).table.records)
    shown = [data for path, data in newest.files().items() if "secret" not in path]
    assert shown and not [data for data in shown if b"bishopric" in data]
    assert not [commit for commit in repo.log() if "bishopric" in commit.message]
