"""No command shows a secret without `--reveal`.

Two hosts that differ only in what nobody may see print the same, byte for byte, whatever is asked of them or done.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pbem.store.commit_record import Record
from pbem.store.state_file import StoredGame
from tests.repair.bench import Bench
from tests.repair.terminal import Terminal, at

GAME = "troyes-1"

LOOKS: list[tuple[str, ...]] = [
    ("show", GAME),
    ("show", GAME, "--json"),
    ("log", GAME),
    ("list",),
    ("watch", "--once"),
    ("try", GAME, "{seat}", "pass"),
    ("try", GAME, "{seat}", "activate", "monk", "with", "Y1"),
    ("rollback", GAME),
    ("rollback", GAME, "--to", "2", "--preview"),
    ("undo", GAME, "--preview"),
    ("set", GAME),
    ("set", GAME, "anna.influence", "99", "--why", "x"),
    ("set", GAME, "decks.red", "x", "--why", "x"),
    ("orders", GAME, "faye", "{turn}"),
    ("orders", GAME, "--as", "{seat}", "{nonsense}", "--why", "x"),
    ("orders", GAME, "--try", "--as", "{seat}", "{turn}"),
    ("fsck",),
    ("mend",),
    ("verify", GAME),
]
"""Commands that change nothing."""

DOES: list[tuple[str, ...]] = [
    ("orders", GAME, "--as", "{seat}", "{turn}", "--why", "x"),
    ("undo", GAME, "--why", "x", "--yes"),
    ("rollforward", GAME, "--why", "x", "--yes"),
    ("rollback", GAME, "--to", "12", "--why", "x", "--yes"),
    ("set", GAME, "anna.vp", "+2", "--why", "x"),
    ("edit", GAME, "--why", "x", "--yes"),
    ("hold", GAME, "--why", "x"),
    ("resume", GAME),
    ("resend", GAME),
    ("computer", GAME, "faye", "--why", "x"),
    ("computer", GAME, "faye", "--off", "--why", "x"),
    ("replace", GAME, "faye", "Zoe <zoe@people.test>", "--why", "x", "--yes"),
    ("address", GAME, "faye", "fay@people.test"),
    ("rename", GAME, "faye", "Fanny"),
    ("remark", GAME, "hello"),
    ("abandon", GAME, "--why", "x", "--yes"),
]
"""Commands that change something and turn no card up; in this order."""


def tampered(hidden: dict[str, Any]) -> dict[str, Any]:
    """Other hands and other decks, as lawful as those that are there."""
    hands = list(hidden["characters"].values())
    swapped = dict(zip(hidden["characters"], [*hands[1:], hands[0]], strict=True))
    return {**hidden, "characters": swapped, "decks": {name: deck[::-1] for name, deck in hidden["decks"].items()}}


def twins(begun: Bench, folder: Path) -> tuple[Terminal, Terminal]:
    """Two copies of a host that differ in their last secret file alone; the spool knows both."""
    found = []
    for name in ("one", "two"):
        bench = begun.copy(folder / name)
        repo = bench.store.open(GAME)
        with repo.lock():
            stored = StoredGame.read(repo)
            hidden = tampered(stored.hidden) if name == "two" else stored.hidden
            changed = StoredGame(stored.table, stored.secrets, stored.game, hidden, stored.commit)
            record = Record.read(repo, stored.table.records)
            raw = changed.files()["secret.toml"]
            repo.commit({"secret.toml": raw + b"# another\n"}, record.message("x"))
            bench.spool.catch_up(repo)
        bench.spool.close()
        found.append(at(bench.folder))
    return found[0], found[1]


def output(term: Terminal, words: tuple[str, ...], folder: Path) -> str:
    turn, nonsense = folder / "turn", folder / "nonsense"
    turn.write_text("pass\n")
    nonsense.write_text("build a spaceship\n")
    seat = StoredGame.read_public(_repo(term)).game["asked"][0]["seat"]
    script = folder / "editor.sh"
    script.write_text("#!/bin/sh\nsed -i 's/^neutrals = .*/neutrals = 0 # typed/' \"$1\"\n")
    script.chmod(0o755)
    filled = [word.format(seat=seat, turn=turn, nonsense=nonsense) for word in words]
    result = term.run(*filled, env={"EDITOR": str(script), "VISUAL": ""})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    # Ids of commits and the place of the host differ, and tell nothing.
    text = f"{result.exit_code}\n{result.stdout}\n{result.stderr}".replace(str(term.folder), "HOST")
    return re.sub(r"\b[0-9a-f]{10}(?:[0-9a-f]{30})?\b|[0-9]{2}:[0-9]{2}(?::[0-9]{2}[0-9.+:]*)?", "…", text)


def _repo(term: Terminal) -> Any:
    from pbem.store.game_store import GameStore

    return GameStore(term.folder / "games").open(GAME)


def compare(begun: Bench, folder: Path, commands: list[tuple[str, ...]]) -> None:
    one, two = twins(begun, folder)
    for words in commands:
        first, second = output(one, words, folder), output(two, words, folder)
        if words[0] in ("fsck", "mend"):
            # Damage to what is hidden is told, and what is hidden is not.
            second = "\n".join(line for line in second.splitlines() if "not shown" not in line)
        else:
            assert first == second, words
        for word in secrets_of(one) | secrets_of(two):
            assert word not in first + second, words


def secrets_of(term: Terminal) -> set[str]:
    """Hands in the words of the files; ids that are no ordinary words, and the seed."""
    stored = StoredGame.read(_repo(term))
    held = {id for cards in stored.hidden["characters"].values() for id in cards}
    assert held
    return {stored.secrets.seed, *(json.dumps(sorted(cards)) for cards in stored.hidden["characters"].values())}


def test_looking_shows_no_secret(begun: Bench, tmp_path: Path) -> None:
    compare(begun, tmp_path, LOOKS)


def test_repairing_shows_no_secret(begun: Bench, tmp_path: Path) -> None:
    compare(begun, tmp_path, DOES)


def test_a_planted_leak_in_what_a_repair_tells_is_found(
    begun: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The law is no decoration: a repair that tells a hand turns it red."""
    from engine.catalog import Msg
    from pbem.admin.actions import position_values

    def leaky(case: Any, state: Any, entries: Any) -> tuple[Msg, ...]:
        return (Msg(" ".join(state.characters["faye"])),)

    monkeypatch.setattr(position_values, "public_lines", leaky)
    with pytest.raises(AssertionError):
        compare(begun, tmp_path, [("set", GAME, "anna.deniers", "+2", "--why", "x")])


def test_a_planted_leak_in_the_preview_is_found(begun: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.catalog import Msg

    monkeypatch.setattr("pbem.cli.action_commands.undone_lines", lambda case, after: (Msg(case.state.decks["red"][0]),))
    with pytest.raises(AssertionError):
        compare(begun, tmp_path, [("rollback", GAME, "--to", "2", "--preview")])


def test_looking_on_purpose_is_told_to_the_table(bench: Bench) -> None:
    bench.spool.close()
    term = at(bench.folder)
    assert 0 == term.run("show", GAME, "--seat", "faye", "--reveal").exit_code
    again = Bench(bench.folder)
    again.time, again.count = bench.time, bench.count
    seat = str(again.asked())
    again.send(seat, "status")
    assert "The moderator has looked at the secrets of Faye." in again.last(seat).text


def test_an_edit_of_secrets_is_recorded_and_told(bench: Bench) -> None:
    bench.spool.close()
    term = at(bench.folder)
    result = term.run("edit", GAME, "--reveal", "--why", "x", "--yes", env={"EDITOR": "true", "VISUAL": ""})
    assert "Nothing differs" in result.stderr
    assert "looked at all secrets" in term.read("log", GAME, "-n", "1")[0]["says"]
