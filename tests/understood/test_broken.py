"""What letters have broken: titles behind their number, and a number that counts the lines of a list."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.reading.line import read

from .bench import laid_out
from .measure import send


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("[3] Move your citizen from the Palace to City Hall", "Move your citizen from the Palace to City Hall"),
        ("[4] Always counter for me", "Always counter for me"),
        ("2. Move your guard 5 with P5", "Move your guard 5 with P5"),
    ],
)
def test_a_title_behind_its_number_is_read_as_it_stands_alone(line: str, words: str) -> None:
    assert words in read(line).readings


def test_the_number_of_a_list_is_no_die(tmp_path: Path) -> None:
    """«2. Turn over Y5 and Y4» once turned over W2 as well."""
    table = laid_out(tmp_path, "troyes")
    for line in ("2. Turn over Y5 and Y4", "2) Turn over Y5 and Y4", "2: Turn over Y5 and Y4", "2. Retourner J5 et J4"):
        assert all("W2" not in order for order in send(table, line).orders), line
    table.close()
