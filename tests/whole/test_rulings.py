"""Every ruling that a refusal names can be asked about, in the game that names it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.errors import NotUnderstood
from engine.game import find
from pbem.desk.commands import rulings
from tests.whole.room import Hall

ENGINE = Path(__file__).parents[2] / "engine"
_RULE = re.compile(r'rule="([A-Z]\d+)"')


@pytest.mark.parametrize("kind", ["troyes", "troyes-dice"])
def test_every_ruling_that_the_code_names_is_explained(kind: str) -> None:
    folder = ENGINE / kind.replace("-", "_")
    named = {rule for file in folder.rglob("*.py") for rule in _RULE.findall(file.read_text(encoding="utf-8"))}
    assert len(named) > 5
    title = find(kind).title
    for rule in named:
        (line,) = rulings.answer(rule.lower(), title).lines
        assert rule in str(line) or " to " in str(line), rule
    assert len(rulings.answer("", title).lines) > 12


def test_rulings_of_another_game_are_not_those_of_this_one() -> None:
    with pytest.raises(NotUnderstood):
        rulings.answer("E4", find("troyes").title)
    assert str(rulings.answer("A4", find("troyes").title).lines) != str(rulings.answer("A4", find("troyes-dice").title).lines)


def test_a_refusal_that_rests_on_a_ruling_names_it_and_it_can_be_asked(tmp_path: Path) -> None:
    hall = Hall(tmp_path, "troyes-dice")
    hall.seat_all(1)
    hall.send("anna", "ruling E4")
    assert "RULING E4" in hall.last("anna").text
    hall.send("anna", "rulings")
    assert "A21: The town crier" in hall.last("anna").text
    hall.send("anna", "white 9: cathedral")
    hall.send("anna", "ruling Z9")
    assert "There is no ruling «Z9» of this game." in hall.last("anna").text
