"""The table of commands in people's own words."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.kit.words import fold_text
from pbem.desk import commands
from pbem.reading.command_phrases import COMMAND_ROWS, LineWords, begins_asking, nearest_commands


def test_each_phrase_stands_once() -> None:
    """It belongs to one command, and is written as lines are compared."""
    counts = Counter(phrase for row in COMMAND_ROWS for phrase in row.said)
    assert [phrase for phrase, count in counts.items() if count > 1] == []
    assert [phrase for phrase in counts if " ".join(LineWords(fold_text(phrase)).words) != phrase] == []


def test_every_command_has_its_row() -> None:
    told = {row.line.split()[0].rstrip(":") for row in COMMAND_ROWS}
    assert {one.word for one in commands.COMMANDS} - told == set()
    assert told - commands.command_words() == {"cancel", "auto"}, "which are orders"


@pytest.mark.parametrize(
    ("line", "command", "behind"),
    [
        ("Where do we stand?", "status", ""), ("could you tell me whose turn it is", "status", "it is"),
        ("Pourriez-vous me dire où en est-on ?", "status", ""), ("what can I do with my R6?", "options", "R6"),
        ("à quoi sert l'influence exactement", "help", "influence"), ("the whole where do we stand", "", ""),
    ],
)  # fmt: skip
def test_a_synonym_begins_its_line(line: str, command: str, behind: str) -> None:
    words = LineWords(line)
    found = next(((row.line, words.part(*words.argument(at))) for row, at in words.synonyms()), ("", ""))
    assert (command, behind) == found


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("I would like to have much shorter mails", "mail short"), ("plus de rappels la nuit, je dors", "quiet"),
        ("es-tu sûr que c'est bien à moi de jouer ?", "status"), ("the weather is lovely", ""),
    ],
)  # fmt: skip
def test_the_nearest_shares_the_rare_words_of_a_phrase(line: str, first: str) -> None:
    assert first == next((row.line for row, _ in nearest_commands(line)), "")


def test_what_asks_is_known_by_its_mark_or_its_first_word() -> None:
    assert begins_asking("raining there?") and begins_asking("Combien de cubes reste-t-il")
    assert not begins_asking("I know what you did")
