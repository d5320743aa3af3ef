"""Every die and shuffle of an export is checked, by the program and by the script that stands alone."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from pbem.export import verify_alone
from pbem.export.document import document
from pbem.export.inquiry import NoSeed
from pbem.export.inquiry import inquire
from pbem.export.sight import Sight
from pbem.export.writing import json_text
from pbem.export.writing import toml_text
from tests.export.tables import KINDS
from tests.export.tables import sample
from tests.export.tables import table

SCRIPT = Path(str(resources.files("pbem.export").joinpath("verify_alone.py")))


def alone(path: Path) -> subprocess.CompletedProcess[str]:
    """The script as somebody would run it who has nothing else: no package of ours can be imported."""
    return subprocess.run(
        [sys.executable, "-I", "-S", str(SCRIPT), str(path)], capture_output=True, text=True, check=False, cwd=path.parent
    )


def test_the_script_is_short_and_needs_the_standard_library_only() -> None:
    lines = SCRIPT.read_text().splitlines()
    assert len(lines) < 100
    imported = {line.split()[1].split(".")[0] for line in lines if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("number", range(6))
def test_an_honest_game_holds(kind: str, number: int) -> None:
    """In full, with the deal and every position, and in the public view, with what can be seen of it."""
    source = sample(kind, number)
    full, public = inquire(document(source, Sight(full=True))), inquire(document(source, Sight()))
    assert ((), True) == (full.differences, full.holds)
    assert ((), True) == (public.differences, public.holds)
    assert full.rolls == public.rolls > 5
    assert full.positions > 20


@pytest.mark.parametrize("kind", KINDS)
def test_the_script_alone_finds_an_honest_game_honest(kind: str, tmp_path: Path) -> None:
    found = document(sample(kind, 2), Sight(full=True))
    for path, text in ((tmp_path / "a.json", json_text(found)), (tmp_path / "a.toml", toml_text(found))):
        path.write_text(text)
        done = alone(path)
        assert (0, "") == (done.returncode, done.stderr)
        assert "0 differ" in done.stdout


def dice(found: dict[str, Any]) -> Iterator[tuple[list[Any], int]]:
    """Every place of a document where a number of a draw stands: the list and the index in it."""
    for record in found["records"]:
        for step in record["steps"]:
            for draw in verify_alone.draws(step.get("entries", [])):
                for name in ("shown", "order", "now", "dice", "values"):
                    if isinstance(draw.get(name), list) and not (name == "dice" and "now" in draw):
                        yield from ((draw[name], at) for at in range(len(draw[name])))


@pytest.mark.parametrize("kind", KINDS)
def test_any_single_changed_die_is_found(kind: str) -> None:
    """Each number of each roll and shuffle, one after the other, wherever it stands."""
    found = document(sample(kind, 0), Sight(full=True))
    places = len(list(dice(found)))
    assert places > 60
    for nth in range(places):
        values, at = list(dice(found))[nth]
        was = values[at]
        values[at] = f"{was[:-1]}{int(was[-1]) % 6 + 1}" if isinstance(was, str) else was % 6 + 1
        wrong = verify_alone.check(found)[1]
        assert wrong, (nth, was, values[at])
        values[at] = was
    assert [] == verify_alone.check(found)[1]


def test_the_script_alone_finds_a_changed_die(tmp_path: Path) -> None:
    found = document(sample("troyes", 0), Sight())
    values, at = list(dice(found))[7]
    values[at] = f"{values[at][:-1]}{int(values[at][-1]) % 6 + 1}" if isinstance(values[at], str) else values[at] % 6 + 1
    path = tmp_path / "odd.json"
    path.write_text(json_text(found))
    done = alone(path)
    assert 1 == done.returncode
    assert "1 differ" in done.stdout


def test_another_seed_a_lost_roll_and_a_moved_card_are_found() -> None:
    honest = document(sample("troyes", 0), Sight(full=True))
    seed = copy.deepcopy(honest)
    seed["chance"]["seed"] = "ab" * 32
    assert not inquire(seed).seed_fits
    lost = copy.deepcopy(honest)
    for record in lost["records"]:
        for step in record["steps"]:
            step["entries"] = [e for e in step.get("entries", ()) if e["data"].get("draw", "").split("/")[1:2] != ["workforce"]]
    assert inquire(lost).differences
    hand = copy.deepcopy(honest)
    first = next(e for record in hand["records"] for step in record["steps"] for e in step.get("entries", ()))
    one, other = list(first["only"])[:2]
    first["only"][one], first["only"][other] = first["only"][other], first["only"][one]
    assert any("is not what the seed deals" in said for said in inquire(hand).differences)
    place = copy.deepcopy(honest)
    place["records"][9]["steps"][0]["change"]["table"]["round"] = 5
    assert any("position" in said for said in inquire(place).differences)


def test_dice_drawn_anew_are_checked_with_their_epoch() -> None:
    """From a record that names an epoch on, the draws follow from that epoch."""
    found = document(sample("troyes", 0), Sight(full=True))
    later = next(n for n, row in enumerate(found["records"]) if n > 20 and list(verify_alone.draws(row)))
    found["records"][later]["epoch"] = 1
    assert verify_alone.check(found)[1]
    found["records"][later]["epoch"] = 0
    assert [] == verify_alone.check(found)[1]


def test_a_game_that_goes_on_shows_no_seed() -> None:
    found = document(table("troyes", 3, 7, stop=20), Sight())
    assert "chance" not in json.loads(json_text(found))
    with pytest.raises(NoSeed, match="was not over"):
        inquire(found)
