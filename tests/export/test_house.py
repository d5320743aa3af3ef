"""Exports out of a whole post room: repairs and take-backs, mails without addresses, bundles, and the commands."""

from __future__ import annotations

import contextlib
import json
import mailbox
import re
import subprocess
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest
from click.testing import Result

from engine.catalog import ENGLISH
from pbem.admin.actions import rollback
from pbem.export.audience import Audience, NoAudience
from pbem.export.document import export_document
from pbem.export.formats import FULL_FORMATS, make_export
from pbem.export.game_source import GameSource, read_source
from pbem.export.mbox import Anonymizer
from pbem.export.verify_export import verify_document
from pbem.host.keys import tokens_in
from pbem.store.game_repo import GameRepo
from tests.cli.conftest import Host
from tests.cli.conftest import host as host_fixture
from tests.export.tables import KINDS, positions
from tests.whole.room import Hall

host = host_fixture
ADDRESS = re.compile(r"[a-z.+]+@(people|games|host)\.test")


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Hall:
    """A table with talk, a take-back, a refusal, a rollback and a secret look; tests only read it."""
    hall = Hall(tmp_path_factory.mktemp("busy"))
    hall.seat_all(3)
    for _ in range(17):
        seat = hall.asked()
        assert seat is not None
        hall.send(seat, "1")
    seat = hall.asked()
    assert seat is not None
    hall.send(seat, f"1\nsay good morning, I am {seat}@people.test")
    hall.send(seat, "undo")
    hall.send(str(hall.asked()), "nonsense 7")
    hall.send(str(hall.asked()), "1")
    repo = hall.store.open(hall.table)
    number = source_of(hall).stored.table.records - 6
    action = rollback.rollback(str(number), "a slip of mine")
    hall.desk.change(repo.name, "test", action)
    for _ in range(3):
        hall.send(str(hall.asked()), "1")
    return hall


def source_of(hall: Hall) -> GameSource:
    """The only table as an export reads it, with its people."""
    name = hall.table
    known = {str(one.seat): one.addresses for one in hall.people.holders(name)}
    return replace(read_source(hall.store.open(name), words=hall.spool.words), addresses=known)


def test_what_was_taken_back_is_told_as_it_was_told_at_the_table(busy: Hall) -> None:
    """A player's own take-back leaves no trace of the orders but in full; a moderator's is seen by everybody."""
    source = source_of(busy)
    full, public = export_document(source, Audience(full=True)), export_document(source, Audience())
    assert source.stored.game == [*positions(full)][-1]["table"] == [*positions(public)][-1]["table"]
    undone = [row["what"] for row in full["records"] if row.get("undone")]
    assert len(undone) > len([row for row in public["records"] if row.get("undone")]) > 0
    lines = [line for row in public["records"] for step in row["steps"] for line in step.get("lines", {}).get("*", ())]
    assert any("took back the last orders" in line for line in lines)
    assert any("a slip of mine" in line for line in lines)
    assert () == verify_document(full).differences


def test_an_mbox_holds_every_mail_and_no_address(busy: Hall, tmp_path: Path) -> None:
    """What each person was sent and sent, as a mail client opens it; threads still hold together."""
    source = source_of(busy)
    repo = busy.store.open(busy.table)
    for open_hand in (False, True):
        made = make_export(replace(source, open_hand=open_hand), Audience(full=True), "mbox", repo, busy.spool, None, "games.test")  # type: ignore[arg-type]
        assert "" == made.note
        path = tmp_path / f"{open_hand}.mbox"
        path.write_bytes(made.data)
        with contextlib.closing(mailbox.mbox(path)) as box:
            mails = list(box)
        letters = [record for record in source.records if record.letter]
        assert len(busy.mails()) + len(letters) == len(mails)
        text = made.data.decode().replace("=\n", "")
        assert open_hand == bool(ADDRESS.search(text))
        assert open_hand == bool(tokens_in(text))
        ids = {mail["Message-ID"] for mail in mails}
        answers = [mail["In-Reply-To"] for mail in mails if mail["In-Reply-To"]]
        assert len(answers) > 20
        assert set(answers) <= ids


def test_only_a_hand_that_is_opened_shows_addresses(busy: Hall) -> None:
    """json, toml, html and md, in every view."""
    source = source_of(busy)
    repo = busy.store.open(busy.table)
    for form in ("json", "toml", "html", "md"):
        for view in ("public", "seat:anna", "full"):
            made = make_export(source, Audience.parse(view, source.seats), form, repo, None, ENGLISH)
            text = made.data.decode()
            said = text.replace("anna@people.test", "").replace("faye@people.test", "").replace("geoffrey@people.test", "")
            assert not tokens_in(text), (form, view)
            assert not ADDRESS.search(said if view != "public" else text), (form, view)
    opened = make_export(replace(source, open_hand=True), Audience(full=True), "json", repo, None, ENGLISH).data.decode()
    assert ["anna@people.test"] == json.loads(opened)["addresses"]["anna"]


def test_the_same_stranger_is_always_called_the_same() -> None:
    hide = Anonymizer({"anna@people.test": "anna"}, "games.test").hide
    assert "anna@seat.invalid, somebody-1@hidden.invalid, somebody-2@hidden.invalid, somebody-1@hidden.invalid" == hide(
        "Anna@People.test, x@a.test, y@b.test, x@a.test"
    )


def test_the_message_id_of_a_mail_is_hidden_and_its_thread_stays() -> None:
    """It stands for the mail's token."""
    hide = Anonymizer({}, "games.test").hide
    name = "abcdefghijklmnopqrstuvwxyz234567"
    hidden = hide(f"<{name}@games.test> and <{name.upper()}@Games.test>")
    assert name not in hidden.lower()
    assert 2 == hidden.count(hide(f"<{name}@games.test>"))


@pytest.mark.parametrize("form", FULL_FORMATS)
def test_what_holds_every_secret_goes_with_the_full_view_only(form: str, tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.seat_all(2)
    source = source_of(hall)
    for sight in (Audience(), Audience("anna")):
        with pytest.raises(NoAudience, match="full"):
            make_export(source, sight, form, hall.store.open(hall.table), hall.spool, None)  # type: ignore[arg-type]


def test_a_bundle_clones_into_the_same_history(busy: Hall, tmp_path: Path) -> None:
    repo: GameRepo = busy.store.open(busy.table)
    made = make_export(source_of(busy), Audience(full=True), "bundle", repo, None, None)  # type: ignore[arg-type]
    (tmp_path / "game.bundle").write_bytes(made.data)
    words = ["git", "clone", "--quiet", str(tmp_path / "game.bundle"), str(tmp_path / "clone")]
    subprocess.run(words, check=True, capture_output=True)
    head = subprocess.run(
        ["git", "-C", str(tmp_path / "clone"), "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    )
    assert repo.head == head.stdout.strip()


@pytest.fixture
def running(host: Host) -> str:
    """A game of two, a few orders old."""
    name = str(host.read("new", "troyes", "--seat", "Anna", "--seat", "Faye", "--now")["game"])
    for _ in range(3):
        seat = host.asked(name)
        (host.folder / "turn.txt").write_text("1\n")
        assert 0 == host.run("orders", name, seat, str(host.folder / "turn.txt")).exit_code
    return name


def works(result: Result) -> bytes:
    assert 0 == result.exit_code, result.output
    return result.stdout_bytes


def test_a_running_game_shows_its_secrets_only_when_that_is_told(host: Host, running: str) -> None:
    """full and a seat's view ask for --reveal, and the table is told; the public view asks for nothing."""
    before = len(host.read("log", running))
    for view in ("full", "seat:anna"):
        refused = host.run("export", running, "--view", view)
        assert 1 == refused.exit_code
        assert "--reveal" in refused.stderr
    assert "public" == json.loads(works(host.run("export", running)))["view"]
    assert before == len(host.read("log", running))
    found = json.loads(works(host.run("export", running, "--view", "full", "--reveal")))
    assert "full" == found["view"]
    assert any("looked at" in line for line in found["records"][-1]["steps"][0]["lines"]["*"])
    assert before + 1 == len(host.read("log", running))


def test_a_moderator_who_plays_sees_the_own_seat_unasked(host: Host, running: str) -> None:
    settings = host.folder / "pbem.toml"
    settings.write_text(settings.read_text().replace('# seat = "anna"', 'seat = "anna"'))
    assert "seat:anna" == json.loads(works(host.run("export", running, "--view", "seat:anna")))["view"]
    assert 1 == host.run("export", running, "--view", "seat:faye").exit_code


def test_everything_goes_into_one_folder_with_the_script(host: Host, running: str) -> None:
    """Also with a broken game among them: the others are written, and the exit code tells."""
    told = host.read("export", "--all", "-o", str(host.folder / "out"), "--format", "html")
    assert [(running, "public")] == [(row["game"], row["view"]) for row in told]
    assert {f"{running}.html", "verify.py"} == {path.name for path in (host.folder / "out").iterdir()}


def test_a_file_that_is_there_is_written_in_another_form_and_checked(host: Host, running: str) -> None:
    file = host.folder / "game.json"
    works(host.run("export", running, "--view", "full", "--reveal", "-o", str(file)))
    assert 0o600 == file.stat().st_mode & 0o777
    assert b"<!doctype html>" in works(host.run("export", str(file), "--format", "html"))
    assert works(host.run("export", str(file), "--format", "md")).startswith(b"# Troyes")
    assert 2 == host.run("export", str(file), "--format", "bundle").exit_code
    assert 1 == host.run("export", str(file), "--format", "csv").exit_code
    assert host.read("verify", str(file))["holds"]
    file.write_text(file.read_text().replace('"shown":[', '"shown":[9,', 1))
    assert not host.read("verify", str(file), code=1)["holds"]


def test_a_game_goes_to_another_host_and_is_played_on(host: Host, running: str, tmp_path: Path) -> None:
    """import, then orders: the same dice, the same decision."""
    file = host.folder / "game.toml"
    works(host.run("export", running, "--view", "full", "--reveal", "--format", "toml", "-o", str(file)))
    taken = host.run("import", str(file))
    assert (3, True) == (taken.exit_code, "nothing was changed" in taken.stderr)
    asked = host.asked(running)
    (host.folder / "games" / running).rename(tmp_path / "gone")
    told = host.read("import", str(file))
    assert (running, "running", ["Anna", "Faye"]) == (told["game"], told["status"], told["without_address"])
    assert asked == host.asked(running)
    (host.folder / "turn.txt").write_text("1\n")
    assert 0 == host.run("orders", running, asked, str(host.folder / "turn.txt")).exit_code
    assert 0 == host.run("fsck", running).exit_code


def test_an_imported_game_may_have_another_name_and_is_sound_at_once(host: Host, running: str) -> None:
    file = host.folder / "game.json"
    works(host.run("export", running, "--view", "full", "--reveal", "-o", str(file)))
    assert "--as NAME" in host.run("import", str(file)).stderr
    assert "once-more" == host.read("import", str(file), "--as", "once-more")["game"]
    assert [] == [row for row in host.read("fsck") if not row["sound"]]
    assert host.read("verify", "once-more", "--reveal")["holds"]
    refused = host.run("import", str(file), "--as", "gm")
    assert (1, True) == (refused.exit_code, "--as troyes-100" in refused.stderr)
    assert "Traceback" not in refused.output


def test_what_is_asked_wrongly_is_told_in_one_sentence(host: Host, running: str) -> None:
    for words, code in (
        ((), 2),
        ((running, "--all"), 2),
        ((running, "--view", "anna"), 2),
        ((running, "--format", "csv"), 1),
        (("nothing-7",), 2),
        ((running, "-o", str(host.folder / "no" / "such" / "folder.json")), 3),
    ):
        result = host.run("export", *words)
        assert code == result.exit_code, (words, result.output)
        assert "Traceback" not in result.output


def test_no_module_of_the_export_names_a_game() -> None:
    """It writes and reads any game; the script that stands alone holds the kinds of draws (test_doctored checks them)."""
    for path in Path(str(resources.files("pbem.export"))).glob("*.py"):
        text = path.read_text().replace("troyes-by-mail", "").lower()
        assert path.name == "verify_alone.py" or not [kind for kind in KINDS if kind in text], path.name
