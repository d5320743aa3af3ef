"""`pbem demo`: a whole game by real mail between programs that know nothing but their mails."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine.game import find_game
from pbem.cli import main
from pbem.demo import demo_game
from pbem.demo.demo_game import DemoError, Plan, play_demo
from pbem.demo.progress import Progress
from pbem.export.game_source import read_source
from pbem.export.verify_export import verify_source
from pbem.inbound.mailbox import MailboxError
from pbem.outbound.sender import SendError
from pbem.store.commit_record import Record, read_records
from pbem.store.game_store import GameStore
from pbem.store.state_file import StoredGame
from tests.patience import PATIENCE

KEYS = {
    *("game", "kind", "options", "rounds", "letters_in", "mails_out", "mails_per_person", "serial_waits", "refusals"),
    *("scores", "winners", "store", "mailbox", "commits"),
}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A game of two with seed 7, from the command line: played once, it serves several of these tests."""
    folder = tmp_path_factory.mktemp("demo")
    words = ("demo", "--players", "2", "--seed", "7", "--dir", str(folder), "--json")
    result = CliRunner().invoke(main, words)
    assert 0 == result.exit_code, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def chronicle(told: dict[str, Any]) -> list[Record]:
    return list(read_records(GameStore(Path(told["store"])).open(told["game"])))


def test_a_demo_tells_its_figures(told: dict[str, Any]) -> None:
    assert KEYS == set(told)
    assert "troyes" == told["kind"]
    assert "2" == told["options"]["players"]
    assert 4 == told["rounds"]
    assert {"anna", "faye"} == set(told["scores"]) == set(told["mails_per_person"])
    for row in told["scores"].values():
        assert sum(row["components"].values()) == row["total"]
        assert {"tokens", "presence", "tradesmen", "cathedral"} < set(row["components"])
    best = max(row["total"] for row in told["scores"].values())
    assert [seat for seat, row in told["scores"].items() if row["total"] == best] == told["winners"]


def test_every_letter_of_a_demo_is_a_commit(told: dict[str, Any]) -> None:
    assert told["letters_in"] + 1 == told["commits"]
    assert 0 == told["refusals"]
    assert 0 < told["serial_waits"] < told["letters_in"]


def test_the_mails_of_a_demo_lie_in_the_mailboxes(told: dict[str, Any]) -> None:
    for seat, number in told["mails_per_person"].items():
        assert number == len([*(Path(told["mailbox"]) / seat).glob("[nc][eu][wr]/*")])
    handled = Path(told["mailbox"]) / "pbem" / ".Handled" / "cur"
    assert told["letters_in"] == len([*handled.iterdir()])


def test_mails_of_a_demo_stay_below_the_bound(told: dict[str, Any]) -> None:
    """One letter in causes at most one mail per person."""
    assert told["mails_out"] <= 2 * told["letters_in"] + 2


def test_the_dice_of_a_demo_can_be_checked(told: dict[str, Any]) -> None:
    result = CliRunner().invoke(main, ["--store", told["store"], "verify", told["game"], "--json"])
    assert 0 == result.exit_code, result.output
    proof = json.loads(result.stdout)
    assert proof["holds"]
    assert proof["rolls"] > 10


def test_a_changed_roll_does_not_pass(told: dict[str, Any]) -> None:
    """Fair dice: each number must follow from seed, words and purpose."""
    honest = read_source(GameStore(Path(told["store"])).open(told["game"]))
    published, kept = honest.stored.table.commitment, honest.records
    at, nth = next((r, n) for r, one in enumerate(kept) for n, e in enumerate(one.entries) if "shown" in e.data)
    entry = kept[at].entries[nth]
    loaded = replace(entry, data={**entry.data, "shown": [7 - n for n in entry.data["shown"]]})
    entries = (*kept[at].entries[:nth], loaded, *kept[at].entries[nth + 1 :])
    forged = replace(honest, records=(*kept[:at], replace(kept[at], entries=entries), *kept[at + 1 :]))
    assert verify_source(honest, published).holds
    proof = verify_source(forged, published)
    assert not proof.holds
    assert entry.data["draw"] in proof.differences[0]
    assert not verify_source(honest, "00" * 32).seed_fits


@pytest.mark.soak
def test_the_same_seed_gives_the_same_chronicle(told: dict[str, Any], tmp_path: Path) -> None:
    """Times and ids apart. The sample is of Troyes Dice (tests/dice_mail/test_demo.py)."""
    again = asyncio.run(play_demo(Plan("troyes", 2, tmp_path, "7"), Progress()))
    apart = {"store", "mailbox"}
    assert {k: v for k, v in told.items() if k not in apart} == {k: v for k, v in again.items() if k not in apart}
    for one, other in zip(chronicle(told), chronicle(again), strict=True):
        assert (one.what, one.seat, one.entries) == (other.what, other.seat, other.entries)
        assert [(i.seat, i.kind, i.decision) for i in one.intents] == [
            (i.seat, i.kind, i.decision) for i in other.intents
        ]


def test_no_post_office_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Computer seats know nothing but their mails."""
    answer = demo_game.MailComputer.answer
    offices: list[demo_game.PostOffice] = []
    started = demo_game.PostOffice.start

    async def start(self: demo_game.PostOffice) -> None:
        offices.append(self)
        await started(self)

    async def fifth_is_the_last(self: demo_game.MailComputer) -> None:
        await answer(self)
        if self.mail.sent == 5:
            await offices[0].stop()

    monkeypatch.setattr(demo_game.PostOffice, "start", start)
    monkeypatch.setattr(demo_game.MailComputer, "answer", fifth_is_the_last)
    with pytest.raises((MailboxError, SendError)):
        asyncio.run(play_demo(Plan("troyes", 2, tmp_path, "7"), Progress()))
    rules = find_game("troyes")
    stored = StoredGame.read(GameStore(tmp_path / "games").open("troyes-1"))
    assert rules.waiting(rules.load(stored.game, stored.hidden))


def test_a_folder_that_holds_a_demo_is_left_alone(told: dict[str, Any]) -> None:
    folder = Path(told["store"]).parent
    with pytest.raises(DemoError, match="is there already"):
        asyncio.run(play_demo(Plan("troyes", 2, folder), Progress()))


def test_a_person_plays_a_seat_in_the_terminal(tmp_path: Path) -> None:
    """`--seat me`: the newest mail is shown, answers go out as real mail, «quit» leaves."""
    code = "from pbem.cli import main; main()"
    words = ("demo", "--players", "2", "--seed", "3", "--seat", "me", "--dir", str(tmp_path), "--json")
    ran = subprocess.run(
        [sys.executable, "-c", code, *words],
        input="join quince\nmail\n1\n1\nquit\n",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert 0 == ran.returncode, ran.stderr
    told = json.loads(ran.stdout)
    assert {} == told["scores"]
    assert "user me, password" in ran.stderr
    assert "A seat is kept for you" in ran.stderr
    mine = [record for record in chronicle(told) if record.letter and record.seat == "me"]
    assert 3 == len(mine)
    assert ["order"] == sorted({e.kind for record in mine[1:] for e in record.entries if e.kind == "order"})


def test_a_solo_game_is_played_by_mail_to_its_verdict(tmp_path: Path) -> None:
    """`pbem demo --solo`: one seat, le Roy's score beside the player's, every letter answered by one mail."""
    words = ("demo", "--game", "troyes", "--solo", "--bonus", "--seed", "5", "--dir", str(tmp_path), "--json")
    result = CliRunner().invoke(main, words)
    assert 0 == result.exit_code, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    assert ("1", "yes", 4) == (found["options"]["players"], found["options"]["solo"], found["rounds"])
    assert {"anna", "le_roy"} == set(found["scores"])
    assert {"anna": found["letters_in"] + 1} == found["mails_per_person"]
    assert 0 == found["refusals"]
    assert 2 == len(found["notes"]) and found["notes"][0].startswith("The difference is ")
