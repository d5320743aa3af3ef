"""`pbem mend` where it loses something or mails somebody: it is shown and asked before; and words of a lost seat."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.admin.actions import seat_holders
from pbem.admin.persons import Person
from pbem.cli import main
from pbem.store.game_store import GameStore
from pbem.store.private_text import PrivateText
from tests.repair import damages
from tests.repair.bench import MODERATOR, Bench
from tests.repair.terminal import Terminal, at

GAME = "troyes-1"


@pytest.fixture
def term(bench: Bench) -> Terminal:
    bench.spool.close()
    return at(bench.folder)


def records(term: Terminal) -> int:
    return len(term.read("log", GAME))


def test_going_back_shows_what_is_lost_asks_and_needs_a_reason(term: Terminal) -> None:
    damages.lost_record(term.folder)
    result = term.run("fsck")
    assert 1 == result.stdout.count("to mend"), "one advice, once"
    assert result.stdout.index("--from") < result.stdout.index("--back")
    assert " these " in result.stdout
    assert {"done": [], "not_mended": []}.items() <= term.read("mend", code=1)[0].items()
    for words, says in ((("--yes",), "a reason is needed"), (("--why", "the disk"), "say --yes to do it")):
        result = term.run("mend", "--back", *words)
        assert 2 == result.exit_code, result.output
        assert f"{GAME}: the game would stand at step 11 again, 4 steps would be lost, and 4 letters" in result.stderr
        assert 4 == result.stderr.count("\n- step 1") and says in result.stderr
        assert 15 == records(term)
    assert 0 == term.run("mend", "--back", "--yes", "--why", "the disk").exit_code
    assert 12 == records(term)


def test_doctor_tells_how_old_the_backup_is(term: Terminal, tmp_path: Path) -> None:
    def told() -> tuple[str, str]:
        result = term.run("doctor", "--offline", "--skip-games", "--json")
        return next((one["state"], one["says"]) for one in json.loads(result.stdout) if one["what"] == "backup")

    assert ("doubt", "none was made yet") == told()
    assert 0 == term.run("backup", str(tmp_path / "backup")).exit_code
    state, says = told()
    assert "well" == state and says.endswith("0 days ago")
    (note,) = (term.folder / "mail").glob("backup.git/pushed")
    note.write_text("2026-01-01T00:00:00+00:00")
    assert "doubt" == told()[0]


def test_a_backup_gives_back_what_a_torn_pack_had(term: Terminal, tmp_path: Path) -> None:
    """What would be lost since is shown, asked, and named by its step."""
    assert 0 == term.run("backup", str(tmp_path / "backup")).exit_code
    assert 0 == term.run("remark", GAME, "I am away until Monday.").exit_code
    count = records(term)
    GameStore(term.folder / "games").open(GAME).pack()
    pack = damages.newest_pack(term.folder)
    pack.chmod(0o600)
    damages.cut(pack)
    words = ("mend", GAME, "--from", str(tmp_path / "backup"))
    result = term.run(*words, "--why", "the disk")
    assert 2 == result.exit_code
    assert f"the game would stand at step {count - 1} again, 1 step would be lost, and 0 letters" in result.stderr
    result = term.run(*words, "--why", "the disk", "--yes")
    assert 0 == result.exit_code, result.output
    assert f"done: the game stands at step {count - 1} again; lost: 1 step" in result.stdout
    assert 0 == term.run("fsck").exit_code


def test_what_cannot_be_mended_is_not_told_as_done(term: Terminal) -> None:
    damages.nothing_whole(term.folder)
    result = term.run("mend", "--back", "--yes", "--why", "the disk")
    assert 1 == result.exit_code
    assert "done:" not in result.stdout
    assert "not mended: " in result.stdout and "no commit is whole, and nothing was changed" in result.stdout


def test_mails_to_the_moderator_are_counted_among_those_that_go_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    (mail,) = bench.moderate("gm status\n")
    bench.moderate("gm hold because Faye is ill\n", to=mail)
    bench.spool.close()
    at(bench.folder)
    for path in (bench.folder / "mail").glob("spool.sqlite*"):
        path.unlink()
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "sesame")
    config = ("--config", str(bench.folder / "pbem.toml"))
    words = ("init", "--batch", "--address", "games@host.test", "--imap-host", "127.0.0.1", "--moderator", MODERATOR)
    assert 0 == (made := CliRunner().invoke(main, [*config, *words])).exit_code, made.output
    result = CliRunner().invoke(main, [*config, "mend", "--yes"])
    assert 0 == result.exit_code, result.output
    (before,) = re.findall(r"(\d+) mails will go out again", result.stderr)
    (after,) = re.findall(r"(\d+) mails go again", result.stdout)
    assert ("3", "3") == (before, after)


def test_the_words_of_who_has_lost_the_seat_are_emptied(bench: Bench) -> None:
    bench.send("faye", "say to all of you a heron")
    bench.repair(seat_holders.replace_holder(bench.desk.services, "faye", Person("Zoe", ("zoe@people.test",)), "Faye has moved"))
    bench.spool.sent([row.message_id for row in bench.spool.rows()], bench.time)
    bench.spool.close()
    term = at(bench.folder)
    assert b"a heron" in (bench.folder / "mail" / "words.sqlite").read_bytes()
    (row,) = term.read("forget", "Faye@people.test", "--yes")
    assert (GAME, "faye", False) == (row["game"], row["seat"], row["holds"])
    with contextlib.closing(PrivateText(bench.folder / "mail")) as words:
        assert set() == {author for *_, author, text in words.of(GAME) if author == "faye.1" and text}
    for path in Path(bench.folder / "mail").rglob("*.sqlite*"):
        assert b"a heron" not in path.read_bytes(), path
    assert "(once held)" in term.run("forget", "faye@people.test", "--yes").stderr
