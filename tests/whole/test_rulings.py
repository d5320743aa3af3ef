"""Every ruling that a refusal names can be asked about, in the game that names it and in the language of who asks."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from engine.errors import NotUnderstood
from engine.game import find_game
from pbem.desk.commands import rulings
from pbem.outbound.translation import language_catalogue, languages
from tests.whole.room import Hall

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "engine"
_RULE = re.compile(r'rule="([A-Z]\d+)"')
NUMBERS = {
    "troyes": (*(f"A{n}" for n in range(1, 74)), *(f"D{n}" for n in range(1, 27))),
    "troyes-dice": (*(f"A{n}" for n in range(1, 22)), *(f"E{n}" for n in range(1, 9))),
}
"""Those that the head of the file promises."""
FILES = {"en": "RULINGS.md", **{language: f"RULINGS.{language}.md" for language in languages() if language != "en"}}
_HEADS = re.compile(r"^(?:- \*\*([ADE]\d+[^*]*)\*\*|\| ([AD]\d+) \||(## ))", re.MULTILINE)
_ENGLISH = re.compile(r"\b(?:the|of|and|is|are|with|a[st]|which|who|dice|lost|here|no)\b")


@pytest.mark.parametrize("kind", ["troyes", "troyes-dice"])
def test_every_ruling_that_the_code_names_is_explained(kind: str) -> None:
    folder = ENGINE / kind.replace("-", "_")
    named = {rule for file in folder.rglob("*.py") for rule in _RULE.findall(file.read_text(encoding="utf-8"))}
    assert len(named) > 5
    title = find_game(kind).title
    for rule in named:
        lines = [str(line) for line in rulings.ruling_text(rule.lower(), title).lines]
        assert all(rule in line or "…" in line for line in lines), rule
    assert len(rulings.ruling_text("", title).lines) > 12


@pytest.mark.parametrize("kind", ["troyes", "troyes-dice"])
def test_every_number_has_its_text(kind: str) -> None:
    """Those of the head of the file, and those of the positions, whether code or a refusal names them or not."""
    folder = ROOT / "tests" / ("rulebook" if kind == "troyes" else "rulebook_dice")
    tables = [tomllib.loads(file.read_text(encoding="utf-8")) for file in folder.glob("*.toml")]
    shown = {scenario.get("rule", "A1") for table in tables for scenario in table["scenario"]}
    assert shown <= set(NUMBERS[kind])
    for number in NUMBERS[kind]:
        assert rulings.ruling_text(number, find_game(kind).title).lines, number


@pytest.mark.parametrize("kind", ["troyes", "troyes-dice"])
@pytest.mark.parametrize("language", [one for one in FILES if one != "en"])
def test_no_answer_is_english_to_who_reads_another_language(language: str, kind: str) -> None:
    words, title = language_catalogue(language), find_game(kind).title
    for number in NUMBERS[kind]:
        for line in rulings.ruling_text(number, title).lines:
            assert [] == _ENGLISH.findall(words.render(line)), number
            assert words.render(line) != str(line)
    for line in rulings.ruling_text("", title).lines:
        assert [] == _ENGLISH.findall(words.render(line))


@pytest.mark.parametrize("language", [one for one in FILES if one != "en"])
def test_every_language_has_the_same_numbers_in_the_same_order(language: str) -> None:
    """By part of the file, so that each text stands beside that of which it is the translation; the part of what a
    number does not stand before is the English file's own."""
    found = [_HEADS.findall((ROOT / file).read_text(encoding="utf-8")) for file in (FILES["en"], FILES[language])]
    english, other = ([ids or row for ids, row, _ in heads if ids or row] for heads in found)
    assert english == other


def test_files_are_packed_with_the_program() -> None:
    made = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    for file in FILES.values():
        assert made["wheel"]["force-include"][file] == f"templates/{file}"
        assert file in made["sdist"]["include"]
        assert f" {file} " in (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")


def test_a_number_that_has_two_texts_is_told_with_both() -> None:
    lines = [str(line) for line in rulings.ruling_text("A40", find_game("troyes").title).lines]
    begun = ("A40, A41: Joust", "A40: He competes")
    assert all(line.startswith(begins) for line, begins in zip(lines, begun, strict=True))


def test_rulings_of_another_game_are_not_those_of_this_one() -> None:
    with pytest.raises(NotUnderstood):
        rulings.ruling_text("E4", find_game("troyes").title)
    assert str(rulings.ruling_text("A4", find_game("troyes").title).lines) != str(rulings.ruling_text("A4", find_game("troyes-dice").title).lines)


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


def test_who_reads_french_is_told_in_french(tmp_path: Path) -> None:
    hall = Hall(tmp_path, "troyes-dice")
    hall.seat_all(1)
    hall.send("anna", "langue fr")
    hall.send("anna", "précision E4")
    assert "Un dé qui compte 0 n'apporte rien" in hall.last("anna").text
    hall.send("anna", "précisions")
    assert "A21 : Le crieur" in hall.last("anna").text.replace("\N{NO-BREAK SPACE}", " ")
