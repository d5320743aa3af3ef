"""The commands as they are typed: what they print, ask, return, and say to do next."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.store.private_text import PrivateText
from pbem.store.spool import Spool
from tests.repair import damages
from tests.repair.bench import Bench
from tests.repair.terminal import Terminal, at

GAME = "troyes-1"


@pytest.fixture
def term(bench: Bench) -> Terminal:
    bench.spool.close()
    return at(bench.folder)


def records(term: Terminal) -> int:
    return int(term.read("show", GAME)["records"])


@pytest.mark.parametrize(
    "words",
    [
        ("undo", GAME, "--why", "a slip", "--yes"),
        ("rollback", GAME, "--to", "12", "--why", "a slip", "--yes"),
        ("rollback", GAME, "--to", "12", "--redraw", "--why", "a slip", "--yes"),
        ("set", GAME, "anna.deniers", "+3", "--why", "a slip"),
        ("set", GAME, "anna.influence", "-1", "--why", "a slip"),
        ("hold", GAME, "--why", "Faye is ill"),
        ("resend", GAME),
        ("resend", GAME, "anna"),
        ("replace", GAME, "faye", "Zoe <zoe@people.test>", "--why", "she left", "--yes"),
        ("rename", GAME, "faye", "Fanny", "Fox"),
        ("computer", GAME, "faye", "--why", "on holiday"),
        ("remark", GAME, "Merry", "Christmas"),
        ("remark", GAME, "Merry", "Christmas", "--now"),
        ("end", GAME, "--why", "enough", "--yes"),
        ("abandon", GAME, "--why", "enough", "--yes"),
    ],
)
def test_every_repair_is_one_commit_and_says_what_is_next(term: Terminal, words: tuple[str, ...]) -> None:
    before = records(term)
    result = term.run(*words)
    assert 0 == result.exit_code, result.output
    assert f"step {before + 1} of {GAME}" in result.stderr
    assert re.search(r"wait for the daemon|waits for the daemon|in their next mail", result.stderr)
    assert before + 1 == records(term)


@pytest.mark.parametrize("command", ["undo", "hold", "end", "abandon", "set", "computer", "replace"])
def test_a_reason_is_asked_for(term: Terminal, command: str) -> None:
    more = {"set": ("anna.deniers", "9"), "computer": ("faye",), "replace": ("faye", "Zoe <zoe@x.test>")}
    told = term.read(command, GAME, *more.get(command, ()), code=2)
    assert "--why" in told["error"]
    assert 15 == records(term)


@pytest.mark.parametrize("command", [("undo",), ("rollback", "--to", "12"), ("end",), ("abandon",)])
def test_what_cannot_be_taken_back_easily_asks_first(term: Terminal, command: tuple[str, ...]) -> None:
    told = term.read(command[0], GAME, *command[1:], "--why", "x", code=2)
    assert "--yes" in told["error"]
    assert 15 == records(term)


def test_rollback_shows_steps_and_what_would_be_undone(term: Terminal) -> None:
    result = term.run("rollback", GAME)
    assert 2 == result.exit_code
    assert "\n14\t" in result.stdout
    undoes = term.read("rollback", GAME, "--to", "13", "--preview")["undoes"]
    assert any(re.match(r"(?:Anna|Faye) \w+s ", one) for one in undoes)
    result = term.run("rollback", GAME, "--to", "13", "--preview")
    assert undoes == re.findall(r"^- (.+)$", result.stdout, re.MULTILINE)
    assert 14 == term.read("undo", GAME, "--preview")["step"]
    assert 15 == records(term)


def test_going_back_to_a_held_step_is_told_as_it_comes_out(term: Terminal) -> None:
    """Preview and outcome agree: what was played is taken back, not that the game goes on."""
    term.read("hold", GAME, "--why", "Faye is ill")
    term.read("resume", GAME)
    term.read("set", GAME, "anna.deniers", "+1", "--why", "a slip")
    shown = term.run("rollback", GAME, "--to", "16", "--preview")
    assert "and go on from there" in shown.stdout + shown.stderr
    assert "holds the game" not in (shown.stdout + shown.stderr).partition("Undone would be")[0]
    assert "running" == term.read("rollback", GAME, "--to", "16", "--preview")["status"]
    assert "running" == term.read("rollback", GAME, "--to", "16", "--why", "x", "--yes")["status"]
    term.read("hold", GAME, "--why", "Faye is ill")
    assert "and stay held" in term.run("rollback", GAME, "--to", "12", "--preview").stdout
    assert "held" == term.read("rollback", GAME, "--to", "12", "--why", "x", "--yes")["status"]


def test_an_edit_that_changes_nothing_leaves_no_text(term: Terminal) -> None:
    for _ in range(2):
        result = term.run("edit", GAME, "--why", "x", "--yes", env={"EDITOR": "true", "VISUAL": "true"})
        assert "Nothing differs in the text" in result.stderr
        assert (1, 15) == (result.exit_code, records(term))


def test_the_log_marks_what_was_taken_back(term: Terminal) -> None:
    term.read("rollback", GAME, "--to", "12", "--why", "x", "--yes")
    marked = [row["step"] for row in term.read("log", GAME) if row["taken_back"]]
    assert [15, 14, 13] == marked
    assert 3 == term.run("log", GAME).stdout.count("taken back: ")
    term.read("rollforward", GAME, "--yes", "--why", "it was right")
    assert not [row for row in term.read("log", GAME) if row["taken_back"]]


def test_the_list_names_the_person_who_is_awaited(term: Terminal) -> None:
    seat = term.read("show", GAME)["waiting_for"][0]
    term.read("replace", GAME, seat, "Max <max@people.test>", "--why", "left", "--yes")
    row = next(line for line in term.run("list").stdout.splitlines() if line.startswith(GAME))
    assert 2 == row.count("Max")
    assert seat not in row.split("\t")


def test_steps_of_the_log_are_those_of_rollback(term: Terminal) -> None:
    assert [*range(15, 0, -1)] == [row["step"] for row in term.read("log", GAME)]


def test_undo_and_forward(term: Terminal) -> None:
    before = term.read("show", GAME)["position"]["seats"]
    assert 0 == term.run("undo", GAME, "--why", "x", "--yes").exit_code
    assert before != term.read("show", GAME)["position"]["seats"]
    assert "rollforward" in term.run("undo", GAME, "--why", "x", "--yes").stderr
    assert 0 == term.run("rollforward", GAME, "--why", "x", "--yes").exit_code
    assert before == term.read("show", GAME)["position"]["seats"]


def test_set_without_a_value_lists_what_there_is(term: Terminal) -> None:
    found = term.read("set", GAME, "anna.")
    assert "anna.deniers" in found
    assert all(path.startswith("anna.") for path in found)
    assert "anna.deniers" in term.run("set", GAME, "anna.").stdout.splitlines()


def test_try_plays_nothing_and_tells_refusals(term: Terminal) -> None:
    seat = term.read("show", GAME)["waiting_for"][0]
    told = term.read("try", GAME, seat, "pass")
    assert told["stands"]
    assert told["lines"][0]["effects"]
    told = term.read("try", GAME, seat, "activate", "monk", "with", "Y1", code=1)
    assert told["lines"][0]["reason"]
    told = term.read("try", GAME, seat, "fly", "to", "moon", code=1)
    assert (False, ["«fly to moon» is no order of the game."]) == (told["stands"], told["notes"])
    assert "«fly to moon» is no order of the game." in term.run("try", GAME, seat, "fly", "to", "moon").stdout
    told = term.read("try", GAME, seat, "pass", ";", "fly", "to", "moon", code=1)
    assert (False, ["Not read: «fly to moon»"]) == (told["stands"], told["notes"])
    assert told["lines"][0]["effects"]
    assert 15 == records(term)


def test_orders_as_moderator(term: Terminal, tmp_path: Path) -> None:
    seat = term.read("show", GAME)["waiting_for"][0]
    turn = tmp_path / "turn"
    turn.write_text("pass\n")
    told = term.read("orders", GAME, "--as", seat, str(turn), "--why", "the mail is down")
    assert told["says"][0].startswith(seat.title())
    told = term.read("orders", GAME, "--as", seat, str(turn), "--why", "the mail is down", code=1)
    assert "not your turn" in told["refused"][0]["reason"].lower()


def test_orders_for_somebody_with_an_address_need_as(term: Terminal, tmp_path: Path) -> None:
    """Else the receipt, with the seat's secrets, would be printed to the moderator."""
    turn = tmp_path / "turn"
    turn.write_text("1\n")
    told = term.read("orders", GAME, "faye", str(turn), code=2)
    assert "--as faye" in told["error"]


# edit


def editor(folder: Path, before: str, after: str) -> dict[str, str]:
    """An editor that replaces the first text that fits a pattern."""
    script = folder / "editor.py"
    script.write_text(
        "import pathlib, re, sys\n"
        "file = pathlib.Path(sys.argv[1])\n"
        f"file.write_text(re.sub({before!r}, {after!r}, file.read_text(), count=1))\n"
    )
    return {"EDITOR": f"{sys.executable} {script}", "VISUAL": ""}


def test_an_edit_is_shown_in_words_and_taken_over(term: Terminal, tmp_path: Path) -> None:
    was = term.read("show", GAME)["position"]["seats"][0]["deniers"]
    env = editor(tmp_path, r"deniers = \d+", f"deniers = {was + 2}")
    result = term.run("edit", GAME, "--why", "as agreed", "--yes", env=env)
    assert 0 == result.exit_code, result.output
    assert f"The moderator has corrected deniers of Anna: {was + 2}, was {was}." in result.stdout
    assert 16 == records(term)
    assert not list((term.folder / "mail" / "edits").glob("*.toml"))


def test_a_broken_edit_is_kept_and_can_be_gone_on_with(term: Terminal, tmp_path: Path) -> None:
    env = editor(tmp_path, r"influence = \d+", "influence = 25")
    result = term.run("edit", GAME, "--why", "as agreed", "--yes", env=env)
    assert 1 == result.exit_code
    assert "25 influence; 20 is the most" in result.stderr
    assert "--continue" in result.stderr
    assert 15 == records(term)
    again = term.run("edit", GAME, "--why", "x", "--yes", env=env)
    assert 1 == again.exit_code
    assert "--anew" in again.stderr
    env = editor(tmp_path, "influence = 25", "influence = 16")
    result = term.run("edit", GAME, "--continue", "--why", "as agreed", "--yes", env=env)
    assert 0 == result.exit_code, result.output
    assert 16 == records(term)


def test_an_edit_that_is_no_toml_says_where(term: Terminal, tmp_path: Path) -> None:
    result = term.run("edit", GAME, "--why", "x", "--yes", env=editor(tmp_path, r"\[position", "[[position"))
    assert 1 == result.exit_code
    assert "is not TOML" in result.stderr
    assert 15 == records(term)


def test_no_editor_is_begun_without_a_terminal_and_an_untouched_text_stops_nobody(term: Terminal, tmp_path: Path) -> None:
    none = {"EDITOR": "", "VISUAL": ""}
    told = term.run("edit", GAME, "--why", "x", "--yes", env=none)
    assert (2, True) == (told.exit_code, "no terminal for an editor" in told.stderr)
    assert not list((term.folder / "mail").glob("edits/*.toml"))
    failed = term.run("edit", GAME, "--why", "x", "--yes", env={"EDITOR": "false", "VISUAL": ""})
    assert 3 == failed.exit_code
    again = term.run("edit", GAME, "--why", "x", "--yes", env={"EDITOR": "true", "VISUAL": ""})
    assert "Nothing differs" in again.stderr


def test_what_an_editor_draws_is_no_part_of_the_json(term: Terminal, tmp_path: Path) -> None:
    script = tmp_path / "editor.sh"
    script.write_text('#!/bin/sh\necho drawn\nsed -i "0,/deniers = [0-9]*/s//deniers = 19/" "$1"\n')
    script.chmod(0o755)
    command = f"{sys.executable} -c 'from pbem.cli import main; main()' --store {term.folder / 'games'}"
    words = f"{command} edit {GAME} --why x --yes --json"
    ran = subprocess.run(
        ["sh", "-c", words], capture_output=True, text=True, check=True, env={**os.environ, "VISUAL": str(script)}
    )
    assert 16 == json.loads(ran.stdout)["step"]
    assert "drawn" in ran.stderr


# fsck and mend


def test_fsck_names_and_mend_repairs(term: Terminal) -> None:
    assert [True] == [row["sound"] for row in term.read("fsck")]
    damages.truncated_state(term.folder)
    (row,) = term.read("fsck", code=1)
    assert "file" == row["findings"][0]["what"]
    result = term.run("mend")
    assert 0 == result.exit_code, result.output
    assert "kept as" in result.stdout
    assert [True] == [row["sound"] for row in term.read("fsck")]


def test_mend_asks_to_choose_about_a_hand_edit(term: Terminal) -> None:
    damages.edited_deniers(term.folder)
    result = term.run("mend")
    assert 1 == result.exit_code
    assert "--adopt" in result.stdout
    assert "--restore" in result.stdout
    assert 2 == term.run("mend", "--adopt", "--restore").exit_code
    result = term.run("mend", "--adopt")
    assert 1 == result.exit_code
    assert "done:" not in result.stdout
    assert "not mended: file state.toml: a reason is needed, since every player reads it: --why '…'\n" in result.stdout
    assert 0 == term.run("mend", "--adopt", "--why", "as agreed").exit_code
    assert 16 == records(term)


def test_a_damaged_spool_is_set_aside_and_filled_again(term: Terminal) -> None:
    spool = term.folder / "mail" / "spool.sqlite"
    for name in ("spool.sqlite-wal", "spool.sqlite-shm"):
        (spool.parent / name).unlink(missing_ok=True)
    spool.write_bytes(b"no database at all" * 100)
    rows = term.read("fsck", code=1)
    assert "spool" == rows[0]["findings"][0]["what"]
    result = term.run("mend", "--yes")
    assert 0 == result.exit_code, result.output
    assert list(spool.parent.glob("spool.sqlite.damaged-*"))
    assert all(row["sound"] for row in term.read("fsck"))


# watch, completion, manual


def test_watch_shows_whose_turn_it_is_and_trouble(term: Terminal) -> None:
    told = term.read("watch")
    seat = told["games"][0]["waiting_for"][0]
    assert "does not run" == told["daemon"]
    result = term.run("watch", "--once")
    assert seat.title() in result.stdout
    damages.truncated_state(term.folder)
    assert "changed by hand" in term.read("watch")["games"][0]["trouble"]
    damages.deleted_ref(term.folder)
    row = term.read("watch")["games"][0]
    assert ("damaged", True) == (row["status"], "pbem fsck" in row["trouble"])


def completed(term: Terminal, *words: str) -> list[str]:
    line = ["pbem", "--store", str(term.folder / "games"), *words]
    env = {"_PBEM_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(line), "COMP_CWORD": str(len(line) - 1)}
    result = CliRunner().invoke(main, [], prog_name="pbem", env=env)
    return [one.split(",", 1)[1] for one in result.output.splitlines()]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("roll",), ["rollback", "rollforward"]),
        (("rollback", "tr"), [GAME]),
        (("resend", GAME, "a"), ["anna"]),
        (("set", GAME, "an"), ["anna."]),
        (("set", GAME, "anna.d"), ["anna.deniers"]),
        (("show", "tr"), [GAME]),
        (("log", "tr"), [GAME]),
    ],
)
def test_the_shell_completes(term: Terminal, words: tuple[str, ...], found: list[str]) -> None:
    assert found == completed(term, *words)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_what_the_shell_evaluates(term: Terminal, shell: str) -> None:
    assert "_PBEM_COMPLETE" in term.run("completion", shell).stdout




def test_forgetting_that_was_broken_off_is_gone_on_with(term: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose words stood where is kept when they are emptied, so that what quotes them is found again."""
    who = ("forget", "anna@people.test", "--yes")

    def killed(*_: object) -> None:
        raise OSError("the power went")

    def kept() -> int:
        """Letters of Anna's whose bytes are there."""
        with contextlib.closing(Spool(term.folder / "mail")) as spool:
            there = {number for (number,) in spool.ask(
                "SELECT record FROM handled JOIN letters USING (digest) WHERE game = ? AND raw IS NOT NULL", GAME)}
        return len(there & hers)

    with contextlib.closing(PrivateText(term.folder / "mail")) as words:
        rows = words.ask("SELECT DISTINCT record FROM words WHERE game = ? AND author = ?", GAME, "anna.1")
        hers = {number for (number,) in rows}
    assert kept() > 0
    for method in ("private_text.PrivateText.forget", "spool.Spool.forget"):
        with monkeypatch.context() as patch:
            patch.setattr(f"pbem.store.{method}", killed)
            assert "the power went" in term.read(*who, code=3)["error"]
    for _ in range(2):
        (row,) = term.read(*who)
        assert ("anna", len(hers), 0) == (row["seat"], row["letters"], kept())
    assert "nobody is or was registered" in term.read("forget", "eve@evil.test", "--yes", code=2)["error"]


def test_nobody_is_put_out_of_a_seat_unasked(term: Terminal) -> None:
    """Nor left without mails, by an address that was forgotten; what is the same person's own needs no yes."""
    for person, says in (("Zoe <zoe@people.test>", "for good?"), ("Zoe", "has no address"), ("Faye", "has no address")):
        refused = term.run("replace", GAME, "faye", person, "--why", "x")
        assert refused.exit_code == 2
        assert says in refused.stderr
    assert term.run("rollforward", GAME, "--why", "x").exit_code != 0
    assert term.run("replace", GAME, "faye", "Faye <f2@people.test>", "--why", "moved").exit_code == 0
    assert term.run("address", GAME, "faye", "f3@people.test").exit_code == 0
    assert term.run("replace", GAME, "faye", "Zoe <zoe@people.test>", "--why", "x", "--yes").exit_code == 0
    shown = term.run("rollback", GAME, "--to", "12", "--preview").stdout
    assert "Who sits where stays as it is now" in shown
