"""The recorded games under `games/samples`: what `pbem export` shows a newcomer, and a fixture of every reader."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

from engine.catalog import ENGLISH
from pbem.desk.core.undo import replay_records
from pbem.export.audience import EVERYBODY
from pbem.export.document_reader import read_document, records_of
from pbem.export.formats import convert_document
from pbem.export.verify_export import verify_document
from tests.desk.room import OWN
from tests.export.tables import find_game

FOLDER = Path(__file__).parents[2] / "games" / "samples"
SAMPLES = sorted(FOLDER.glob("*.json"))
SCHEMA = json.loads(resources.files("pbem.export").joinpath("schema.json").read_text())


def test_there_are_samples() -> None:
    assert "troyes-3.json" in [path.name for path in SAMPLES]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_is_read_checked_folded_and_told(path: Path) -> None:
    """By today's program, whatever version wrote it; running games of that version still fold, too."""
    found = read_document(path)
    assert [] == [error.message for error in jsonschema.Draft202012Validator(SCHEMA).iter_errors(found)]
    assert "full" == found["view"]
    assert "ended" == found["game"]["status"]
    checked = verify_document(found)
    assert ((), True) == (checked.differences, checked.holds)
    game = find_game(found["game"]["kind"])
    state = replay_records(game, records_of(found))
    result = game.result(state)
    assert result is not None
    assert found["result"]["totals"] == {str(seat): total for seat, total in result.totals.items()}
    assert () == game.moderation.violations(state)
    for form in ("json", "toml", "html", "csv", "md"):
        assert convert_document(found, form, ENGLISH).data, form


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_tells_its_news_in_the_words_of_today(path: Path) -> None:
    """A sentence that changes is a change of wording and not of the game: record the sample anew and look at it."""
    found = read_document(path)
    game, records = find_game(found["game"]["kind"]), records_of(found)
    state = replay_records(game, records)
    for row, record in zip(found["records"], records, strict=True):
        told = [line for step in row["steps"] for line in step.get("lines", {}).get(EVERYBODY, ())]
        again_told = [str(line.says) for line in game.tell(state, record.entries, None, record.first)]
        assert again_told == told or not record.entries, record.number


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_names_nobody(path: Path) -> None:
    assert "@" not in path.read_text()
    assert OWN not in path.read_text()
