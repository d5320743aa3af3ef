"""Commands about games: opening, looking, playing a turn file, checking."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.daemon.service import Service
from pbem.store import state_file as stored_
from pbem.store.game_repo import GameRepo
from tests.cli.conftest import Host


def secrets_of(host: Host, game: str) -> dict[str, Any]:
    return tomllib.loads((host.store / game / "secret.toml").read_text())


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Every file that is read from a game's history, by a process that has read none yet."""
    monkeypatch.setattr(stored_, "_parsed", stored_.LruCache(stored_.MAX_PARSED))
    paths: list[str] = []
    read = GameRepo.read

    def noting(self: GameRepo, path: str, commit: str | None = None) -> bytes:
        paths.append(path)
        return read(self, path, commit)

    monkeypatch.setattr(GameRepo, "read", noting)
    yield paths


def test_new_opens_a_table_and_its_invitations_wait(host: Host) -> None:
    seats = ("--seat", "Anna <anna@host.test>", "--seat", "Faye <faye@host.test, f2@host.test>")
    told = host.read("new", "troyes", "rule.vp=open", *seats, "--bonus")
    assert "troyes-1" == told["game"]
    assert "gathering" == told["status"]
    assert {"anna": "Anna", "faye": "Faye"} == told["seats"]
    assert ("yes", "open") == (told["options"]["bonus"], told["options"]["rule.vp"])
    assert 2 == told["mails"]
    assert ["anna", "faye"] == host.read("show", "troyes-1")["waiting_for"]


def test_new_knows_the_moderators_own_seat(host: Host) -> None:
    text = (host.folder / "pbem.toml").read_text()
    (host.folder / "pbem.toml").write_text(text.replace('# seat = "anna"', 'seat = "Eve"'))
    told = host.read("new", "troyes", "--seat", "Eve", "--seat", "Anna <anna@host.test>", "--word", "Eve=quince")
    assert 2 == told["mails"]
    assert ["anna"] == host.read("show", "troyes-1")["waiting_for"]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("chess", "--seat", "Anna"), 2, "no game is called"),
        (("troyes", "--seat", "Anna", "--solo", "no"), 1, "plays against le Roy"),
        (("troyes", "--seat", "Anna", "--seat", "Faye", "--solo"), 1, "for one player; 2"),
        (("troyes", "--seat", "Anna <anna>", "--seat", "Faye"), 2, "no address that mail"),
        (("troyes", "--seat", "Anna", "--seat", "Faye", "--word", "Eve=x"), 2, "nobody is called eve"),
        (("troyes", "--seat", "Anna", "--seat", "Faye", "--start", "Eve"), 1, "No seat is called Eve"),
        (("troyes", "--seat", "Anna", "--seat", "Faye", "height=2"), 1, "height"),
        (("troyes", "--seat", "Anna", "--seat", "Faye", "height"), 2, "NAME=VALUE"),
        (("troyes", "--seat", "Anna", "--seat", "Faye", "--bonus", "maybe"), 2, "maybe"),
    ],
)
def test_new_says_what_is_wrong_and_opens_nothing(host: Host, words: tuple[str, ...], code: int, says: str) -> None:
    result = host.run("new", *words)
    assert code == result.exit_code, result.output
    assert says in result.stderr
    assert [] == host.read("list")


def test_list_tells_where_each_game_stands(host: Host, game: str) -> None:
    (row,) = host.read("list")
    assert (game, "running", ["Anna", "Faye"]) == (row["game"], row["status"], list(row["players"].values()))
    assert [host.asked(game)] == row["waiting_for"]
    assert game in host.run("list").stdout


@pytest.mark.parametrize("words", [("show",), ("show", "--seat", "anna"), ("log",), ("list",)])
def test_looking_opens_and_prints_no_secret(host: Host, game: str, opened: list[str], words: tuple[str, ...]) -> None:
    """Show, log and the like never read the secrets without --reveal."""
    secrets = secrets_of(host, game)
    named = words if words == ("list",) else (words[0], game, *words[1:])
    told = host.read(*named)
    if words[0] == "show":
        # The numbers of every card that the game knows, dealt or not.
        del told["position"]["box"]
    for output in (host.run(*named).output, json.dumps(told)):
        for word in (*secrets["game"]["characters"]["anna"], secrets["secrets"]["seed"]):
            assert word not in output
    assert [] == [path for path in opened if "secret" in path]


@pytest.mark.parametrize("words", [("try", "{game}", "{seat}", "pass"), ("orders", "{game}", "{seat}", "-", "--try")])
def test_a_trial_opens_no_secret(host: Host, game: str, opened: list[str], words: tuple[str, ...]) -> None:
    named = [word.format(game=game, seat=host.asked(game)) for word in words]
    assert host.run(*named, typed="pass\n").exit_code in (0, 1)
    assert "state.toml" in opened
    assert [] == [path for path in opened if "secret" in path]


def test_reveal_shows_the_secrets_and_tells_the_table(host: Host, game: str) -> None:
    hidden = secrets_of(host, game)["game"]
    told = host.read("show", game, "--reveal")
    assert hidden["characters"] == told["secrets"]["game"]["characters"]
    assert "the host has looked at all secrets" == host.read("log", game, "-n", "1")[0]["says"]


def test_reveal_of_one_seat_shows_its_hand_only(host: Host, game: str) -> None:
    output = host.run("show", game, "--seat", "anna", "--reveal").stdout
    assert "ONLY FOR YOU" in output
    assert "SECRETS" not in output
    assert "the host has looked at the secrets of Anna" == host.read("log", game, "-n", "1")[0]["says"]


def test_who_is_awaited_is_told_of_the_state_whose_look_is_told(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """A letter that lands after the record is not looked at."""
    seats = ("--seat", "Anna <me@host.test>", "--seat", "Faye")
    game, close = str(host.read("new", "troyes-dice", *seats, "--now")["game"]), Service.close

    def lands(service: Service) -> None:
        close(service)
        monkeypatch.setattr(Service, "close", close)
        assert 0 == host.run("orders", game, "faye", "-", typed="1\n").exit_code

    monkeypatch.setattr(Service, "close", lands)
    assert ["anna", "faye"] == sorted(host.read("show", game, "--awaited")["awaited"])
    assert ["anna"] == host.read("show", game, "--awaited")["awaited"]


def test_log_tells_commits_newest_first(host: Host, game: str) -> None:
    seat = host.asked(game)
    host.run("orders", game, seat, "-", typed="1\n")
    rows = host.read("log", game)
    assert 2 == len(rows)
    assert "begins" in rows[1]["says"]
    assert seat.title() in rows[0]["says"]


def test_orders_plays_a_turn_file(host: Host, game: str, tmp_path: Path) -> None:
    seat = host.asked(game)
    (tmp_path / "turn.txt").write_text("1\n")
    told = host.read("orders", game, seat, str(tmp_path / "turn.txt"))
    assert "played" == told["outcome"]
    assert 1 == len(told["orders"])
    assert 2 == host.read("show", game)["records"]


def test_orders_with_try_plays_nothing(host: Host, game: str) -> None:
    seat, before = host.asked(game), host.read("show", game)["commit"]
    told = host.read("orders", game, seat, "-", "--try", typed="1\n")
    assert "answered" == told["outcome"]
    assert "NOT PLAYED" in told["text"]
    assert before == host.read("show", game)["commit"]


def test_orders_refuses_a_line_nobody_understands(host: Host, game: str) -> None:
    before = host.read("show", game)["commit"]
    told = host.read("orders", game, host.asked(game), "-", typed="build a spaceship\n", code=1)
    assert "refused" == told["outcome"]
    assert "build a spaceship" == told["refused"][0]["line"]
    assert before == host.read("show", game)["commit"]
    assert "its seats are: anna, faye" in host.read("orders", game, "eve", "-", typed="1\n", code=2)["error"]


@pytest.mark.parametrize("command", [("show",), ("log",), ("verify",), ("fsck",)])
def test_a_game_that_is_not_there_is_a_slip_of_usage(host: Host, game: str, command: tuple[str, ...]) -> None:
    told = host.read(*command, "troyes-99", code=2)
    assert 2 == told["exit"]
    assert "troyes-99" in told["error"]


def test_no_store_is_trouble_with_a_way_out(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["--store", str(tmp_path / "nowhere"), "list"])
    assert 3 == result.exit_code
    assert "`pbem new` makes one" in result.stderr
    assert not (tmp_path / "nowhere").exists()


def test_fsck_finds_a_game_sound_and_tells_an_edit_by_hand(host: Host, game: str) -> None:
    assert [{"game": game, "sound": True, "findings": []}] == host.read("fsck")
    path = host.store / game / "state.toml"
    path.write_text(path.read_text() + "\n# a remark\n")
    (row,) = host.read("fsck", game, code=1)
    assert ["state.toml"] == [finding["path"] for finding in row["findings"]]


def test_verify_leaves_the_seed_of_a_running_game_alone(host: Host, game: str, opened: list[str]) -> None:
    told = host.read("verify", game, code=1)
    assert "--reveal" in told["error"]
    assert [] == [path for path in opened if "secret" in path]


def test_verify_with_reveal_checks_a_running_game_and_tells_the_table(host: Host, game: str) -> None:
    told = host.read("verify", game, "--reveal")
    assert told["holds"]
    assert told["shuffles"] > 5
    assert "looked" in host.read("log", game, "-n", "1")[0]["says"]


def test_cards_is_a_proof_sheet_with_confidence(host: Host) -> None:
    rows = host.read("cards", "troyes", "--colour", "yellow")
    assert {"yellow"} == {row["color"] for row in rows}
    assert all(row["confidence"] for row in rows)
    text = host.run("cards", "troyes", "--colour", "yellow").stdout
    assert "Merchant  [merchant]" in text
    assert all(f"{row['field']}: " in text for row in rows)


def test_cards_has_one_sheet_per_colour_when_piped(host: Host) -> None:
    groups = {row["group"] for row in host.read("cards", "troyes")}
    assert len(groups) == host.run("cards", "troyes").stdout.count("\f") + 1


def test_cards_names_the_pages_there_are(host: Host) -> None:
    result = host.run("cards", "--colour", "mauve")
    assert 2 == result.exit_code
    assert "yellow" in result.stderr


POSITION = """
[[scenario]]
id = "{id}"
game = "{game}"
title = "A merchant without dice of the right value"
players = 2
position.dice = {{ anna = ["Y2"] }}
position.cards = [{{ id = "merchant", spaces = ["anna", ""] }}]
action = ["anna> activate merchant with Y2"]
turn = "anna"
expected.result = "{result}"
"""


@pytest.mark.parametrize(
    ("game", "result", "outcome", "code"),
    [("base", "ok", "pass", 0), ("base", "illegal", "fail", 1), ("chess", "ok", "unsupported", 2)],
)
def test_position_tells_pass_fail_and_unsupported(
    tmp_path: Path, game: str, result: str, outcome: str, code: int
) -> None:
    file = tmp_path / "one.toml"
    file.write_text(POSITION.format(id="merchant-two", game=game, result=result))
    ran = CliRunner().invoke(main, ["position", str(file), "--json"])
    assert code == ran.exit_code, ran.output
    (row,) = json.loads(ran.stdout)
    assert ("merchant-two", outcome) == (row["id"], row["outcome"])
    assert (outcome != "pass") == bool(row["differences"])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[scenario\n", "is no TOML"),
        ('[default]\nplayers = 2\n[[scenario]]\nid = "one"\n', "default is no word of it; there are [defaults] and [[scenario]]"),
    ],
)
def test_position_says_what_is_wrong_with_a_file(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "one.toml"
    file.write_text(text)
    ran = CliRunner().invoke(main, ["position", str(file)])
    assert (3, True) == (ran.exit_code, says in ran.stderr)


@pytest.mark.parametrize(
    "words",
    [
        ("pace", "brisk", "--why", "x"),
        ("computer", "faye", "--why", "x"),
        ("replace", "faye", "Zoe <zoe@people.test>", "--why", "x", "--yes"),
        ("set", "anna.deniers", "+1", "--why", "x"),
        ("rename", "faye", "Fanny"),
        ("resend",),
        ("resend", "faye"),
        ("deadline", "faye", "+2d"),
        ("away", "faye", "24 dec"),
        ("orders", "--as", "faye", "-", "--why", "x"),
    ],
)
def test_what_makes_no_sense_for_a_game_that_is_over_is_refused(host: Host, game: str, words: tuple[str, ...]) -> None:
    host.read("end", game, "--why", "enough", "--yes")
    told = host.read(words[0], game, *words[1:], code=1, typed="1\n")
    assert "The game is over." == told["error"]


def test_a_question_that_nobody_can_answer_ends_a_command_before_the_host_is_opened(host: Host, game: str) -> None:
    """A store that was copied without its mail folder stays as it is."""
    shutil.rmtree(host.folder / "mail")
    for word in ("end", "abandon", "rollforward"):
        result = CliRunner().invoke(main, ["--store", str(host.store), word, game, "--why", "x"])
        assert (2, True) == (result.exit_code, "Nothing was done; say --yes to do it." in result.output), result.output
        assert game in result.output
    assert not (host.folder / "mail").exists()


def test_nobody_is_waited_for_once_a_game_is_over_or_given_up(host: Host, game: str) -> None:
    for word in ("abandon", "end"):
        host.read(word, game, "--why", "enough", "--yes")
        assert [[]] == [row["waiting_for"] for row in host.read("list")]
        shown = host.read("show", game)
        assert ([], []) == (shown["waiting_for"], shown["asked"])
        if word == "abandon":
            host.read("resume", game)
            assert host.asked(game)
    assert "has no result, so it has no score sheet" in host.read("export", game, "--format", "csv", code=1)["error"]


def test_position_reads_notes_over(tmp_path: Path) -> None:
    """What an expert notes beside a position: for the file, for its defaults, and for each."""
    file = tmp_path / "one.toml"
    notes = 'note = "seen at a table"\nwhy = "a letter asked"\nsource = "rulebook, page 7"\n'
    position = POSITION.format(id="merchant-two", game="base", result="ok").replace("[[scenario]]\n", f"[[scenario]]\n{notes}")
    file.write_text(f'[meta]\nauthor = "a referee"\n[defaults]\ndeniers = 5\n{notes}{position}')
    ran = CliRunner().invoke(main, ["position", str(file), "--json"])
    (row,) = json.loads(ran.stdout)
    assert ("pass", []) == (row["outcome"], row["differences"])
