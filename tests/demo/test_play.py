"""`pbem play`: an evening against computers, left and gone on with, in the terminal and in any mail program."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.cli import main
from pbem.demo.demo_folder import PASSWORD, SETTINGS, unfinished_table
from pbem.demo.demo_game import client_of
from pbem.demo.received_mail import ReceivedMail
from pbem.demo.terminal_player import TerminalPlayer
from pbem.store.commit_record import read_records
from pbem.store.game_store import GameStore
from pbem.store.game_table import Status
from tests.whole.byrealmail import until

DUEL = ("--game", "troyes-dice", "--players", "2", "--level", "novice", "--seed", "3")


def evening(folder: Path, typed: Sequence[str] = (), *words: str) -> Result:
    """One call of the command, with lines that are typed as mails ask for them."""
    return CliRunner().invoke(main, ["play", "--dir", str(folder), *words], input="".join(f"{line}\n" for line in typed))


def written(folder: Path, game: str) -> int:
    """Letters that the person has written."""
    return sum(record.letter is not None for record in read_records(GameStore(folder / "games").open(game)))


async def shown(person: TerminalPlayer, text: str = "") -> bool:
    """Whether the newest mail in the terminal holds a text."""
    await person.show_new()
    return person._newest is not None and text in person._newest.text


def test_an_evening_is_left_and_gone_on_with(tmp_path: Path) -> None:
    """The same table, its newest mail alone, the same mailbox; what would be for another game is refused."""
    first = evening(tmp_path, ["join", "1", "quit"], *DUEL)
    assert 0 == first.exit_code, first.output
    assert f"go on\tpbem play --dir {tmp_path}" in first.stdout
    assert "Anna (level novice)" in first.stderr
    assert "A seat is kept for you" in first.stderr
    kept, word = (tmp_path / SETTINGS).read_text(), (tmp_path / PASSWORD).read_text()
    before = unfinished_table(tmp_path)
    assert before is not None
    assert (2, Status.RUNNING) == (written(tmp_path, before.game), before.status)

    other = evening(tmp_path, ["1"], "--players", "3", "--expansion")
    assert 2 == other.exit_code
    assert "troyes-dice-1" in other.output
    assert "--players, --expansion" in other.output
    assert 2 == written(tmp_path, before.game)

    again = evening(tmp_path, ["1"])
    assert 0 == again.exit_code, again.output
    assert 3 == written(tmp_path, before.game)
    assert "A seat is kept for you" not in again.stderr
    assert "[1] " in again.stderr
    assert (kept, word) == ((tmp_path / SETTINGS).read_text(), (tmp_path / PASSWORD).read_text())


def test_one_learns_at_ones_own_table_as_fast_as_one_types(tmp_path: Path) -> None:
    """Fifteen letters within a minute that play nothing, the same one five times: each is answered."""
    slips = [f"put number {n} somewhere nice" for n in range(10)] + ["blah"] * 5
    found = evening(tmp_path, ["join", *slips, "quit"], *DUEL)
    assert 0 == found.exit_code, found.output
    assert 16 == written(tmp_path, "troyes-dice-1")
    assert 15 == found.stderr.count("NOT PLAYED")


def test_a_game_is_played_to_its_end_and_another_begun(tmp_path: Path) -> None:
    """The scores, and a page that plays it; the next call opens a new table in the same place."""
    first = evening(tmp_path, ["join", *["1"] * 40], "--game", "troyes-dice", "--players", "1", "--seed", "4")
    assert 0 == first.exit_code, first.output
    assert "winner\tme" in first.stdout
    page = tmp_path / "troyes-dice-1.html"
    assert f"replay\t{page}" in first.stdout
    assert page.read_text().startswith("<!doctype html>")
    assert unfinished_table(tmp_path) is None
    second = evening(tmp_path, ["quit"], *DUEL)
    assert 0 == second.exit_code, second.output
    assert "[troyes-dice-2] A seat is kept for you" in second.stderr
    assert "troyes-dice-1]" not in second.stderr


def test_the_page_of_a_game_tells_what_was_said_at_the_table(tmp_path: Path) -> None:
    """And it is in the player's language, the table's words as they were said."""
    lines = ["je participe", "dire : bonne partie, le Roy !", *["1"] * 40]
    ran = evening(tmp_path, lines, "--game", "troyes-dice", "--players", "1", "--seed", "4", "--language", "fr")
    assert 0 == ran.exit_code, ran.output
    page = (tmp_path / "troyes-dice-1.html").read_text()
    assert "bonne partie, le Roy !" in page and "(words lost)" not in page
    assert '<html lang="fr">' in page


def test_ctrl_c_leaves_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was played stays, and the way back is told."""

    async def interrupted(self: TerminalPlayer) -> None:
        await until("a mail", lambda: shown(self))
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(3600)

    monkeypatch.setattr(TerminalPlayer, "run", interrupted)
    result = evening(tmp_path, (), *DUEL)
    assert 0 == result.exit_code, result.output
    assert "go on\tpbem play" in result.stdout
    assert "Traceback" not in result.output
    assert unfinished_table(tmp_path) is not None


def test_what_a_mail_program_answers_is_shown_in_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both look into one mailbox; the terminal answers what came last."""

    async def beside(self: TerminalPlayer) -> None:
        program = client_of(self._server, self.mail.name)
        mails: list[ReceivedMail] = []

        async def fetched() -> bool:
            mails.extend(await program.fetch())
            return bool(mails)

        await until("a mail", fetched)
        await program.answer(mails[-1], "join heron")
        await until("the answer", lambda: shown(self, "Done: «join heron»"))
        await self._handle("1")
        await program.close()

    monkeypatch.setattr(TerminalPlayer, "run", beside)
    result = evening(tmp_path, (), *DUEL)
    assert 0 == result.exit_code, result.output
    assert "Done: «join heron»" in result.stderr
    assert "Sent; the answer comes by mail." in result.stderr


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("--level", "grandmaster"), 1, "No level is called «grandmaster»; there are: novice, steady"),
        (("--players", "7"), 2, "troyes is for 1 to 4 players, not 7"),
        (("--game", "chess"), 2, "no game is called 'chess'; there are: "),
        (("--name", " "), 2, "a name is needed"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_made(
    words: tuple[str, ...], code: int, says: str, tmp_path: Path
) -> None:
    for command in ("demo", "play") if words[0] != "--name" else ("play",):
        result = CliRunner().invoke(main, [command, "--dir", str(tmp_path / "new"), *words])
        assert code == result.exit_code, result.output
        assert says in result.output
        assert not (tmp_path / "new").exists()


def test_a_host_of_its_own_is_left_alone(tmp_path: Path) -> None:
    settings = tmp_path / SETTINGS
    settings.write_text('[host]\naddress = "games@example.org"\n[imap]\nhost = "127.0.0.1"\nuser = "x"\n[smtp]\nhost = "127.0.0.1"\n')
    before = settings.read_bytes()
    result = evening(tmp_path)
    assert 3 == result.exit_code, result.output
    assert "belongs to a host of its own" in result.output
    assert before == settings.read_bytes()
    assert [SETTINGS] == [path.name for path in tmp_path.iterdir()]


def test_letters_of_computers_are_not_waited_for(tmp_path: Path) -> None:
    """A demo whose computers answer by mail is no evening to go on with: nobody would write for them."""
    result = CliRunner().invoke(main, ["demo", "--players", "2", "--seat", "me", "--dir", str(tmp_path)], input="quit\n")
    assert 0 == result.exit_code, result.output
    again = evening(tmp_path)
    assert 3 == again.exit_code
    assert "waits for letters of Me, Anna" in again.output


@pytest.mark.parametrize("command", ["demo", "play"])
def test_without_its_extra_the_post_office_says_what_to_install(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "aiosmtpd.smtp", None)
    result = CliRunner().invoke(main, [command, "--dir", str(tmp_path / "game")])
    assert result.exit_code == 3
    assert "troyes-by-mail[demo]" in result.output
    assert not (tmp_path / "game" / SETTINGS).exists()


def test_a_folder_may_have_a_long_path(tmp_path: Path) -> None:
    """The command that prints the password holds it."""
    folder = tmp_path / ("x" * 100) / ("y" * 100)
    ran = evening(folder, ["quit"], *DUEL)
    assert 0 == ran.exit_code, ran.output
    assert unfinished_table(folder) is not None
