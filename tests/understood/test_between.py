"""Two orders of one line of which the second points at what the first has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.desk.between import names_once, pointed

from .mailed import Reader, table

FOUR, LATE, EARLY = "twenty-ninth: a turn for four", "twenty-sixth: a late turn for two", "thirty-first: an early turn"
LADIES = "twenty-ninth, ladies: a turn"


@pytest.mark.parametrize(
    ("at", "line", "orders"),
    [
        (FOUR, "turning over W1 to a six and doing the theological conflict with it",
         ("flip W1", "fight theological-conflict with W6")),
        (FOUR, "Recruit 1, he becomes a mercenary right away w the gray red 5", ()),
        ("twenty-fourth: an early turn", "Je retourne mon 2 rouge et je combats les brigands avec",
         ("flip R2", "fight brigands with R5")),
        (LADIES, "I recruit a citizen and with Geoffrey's W3 he walks into the bishopric", ()),
        (LATE, "Flip my white 1 to 6, then build with it and the white 3 as well",
         ("flip W1", "build with W6 W3")),
        (EARLY, "Flip the white 1 to a 6 and then use that six on the marauding",
         ("flip W1", "fight marauding with W6")),
        (EARLY, "turn my white 1 to a 6 and build with that and the 4", ("flip W1", "build with W6 W4")),
        (EARLY, "flip W1, farm with Y6", ("flip W1", "farm Y6")),
        ("thirtieth: a late turn for two", "Je retourne mon 2 jaune, ça fait 5, et avec le 4 j'attaque la sécheresse", ()),
    ],
)  # fmt: skip
def test_what_the_first_has_changed_is_what_the_second_points_at(
    tmp_path: Path, at: str, line: str, orders: tuple[str, ...]
) -> None:
    """A die that was turned over and may be meant is never left out."""
    assert Reader(table(tmp_path, at)).read(line).orders == orders


def test_were_nothing_pointed_at_another_die_would_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted fault: six lines of 520 were read so."""
    monkeypatch.setattr("pbem.desk.session.pointed", lambda what, words: iter(((words, ""),)))
    line = "Flip the white 1 to a 6 and then fight the marauding with my six"
    assert Reader(table(tmp_path, EARLY)).read(line).orders == ("flip W1", "fight marauding with Y6")


def test_words_that_point_at_nothing_stay() -> None:
    assert [*pointed("", "build with it")] == [("build with it", "")]
    assert [*pointed("W6", "farm Y6")] == [("farm Y6", "")]
    assert [*pointed("W6", "build with it")] == [("build with it", "W6"), ("build with W6", "W6")]
    assert [*pointed("W6", "with the 4 I build")] == [("with the 4 I build", "W6")]
    assert [*pointed("citizen from supply", "he goes there")][1] == ("citizen from supply goes there", "supply")
    assert names_once("build with W6 W3", "W6") and not names_once("farm Y6 Y6", "Y6")
