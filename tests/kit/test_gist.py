"""Which unknown words of a line may be passed over."""

from __future__ import annotations

import pytest

from engine.kit.gist import HARMLESS, Role, passed_over, the_one

NAMES = ("white", "five", "cathedral", "red", "two")


def _words(line: str) -> list[tuple[str, Role]]:
    """A line in which a few words name something."""
    marks = dict.fromkeys(",.;", Role.MARK)
    known = {**dict.fromkeys(HARMLESS, Role.HARMLESS), **dict.fromkeys(NAMES, Role.EVIDENCE), **marks}
    return [(word, known.get(word, Role.UNKNOWN)) for word in line.split()]


@pytest.mark.parametrize(
    ("line", "unread"),
    [
        ("white five for the cathedral", ()),
        ("white five humbly into the cathedral", ("humbly",)),
        ("my humble white five for the cathedral", ("humble",)),
        ("white five for the cathedral , glorious weather outside", ("glorious weather outside",)),
        ("white five for the cathedral with the banquet", ("banquet",)),
        ("my brother takes the white five for the cathedral", None),
        ("the neighbour the white five for the cathedral", None),
        ("white five for the cathedral stinks", None),
        ("white five is awful for the cathedral", None),
        ("white ruins five cathedral", None),
        ("white really quite utterly awfully badly five cathedral", None),
        ("verily forsooth white five cathedral", None),
    ],
)
def test_where_unknown_words_may_stand(line: str, unread: tuple[str, ...] | None) -> None:
    """Between two that name something, beside a noun, in a part of their own; never as what the sentence says."""
    assert passed_over(_words(line)) == unread


def test_there_are_few_of_them() -> None:
    """Fewer than the words that speak for the order; a long part that names nothing is a tale."""
    assert passed_over(_words("white ab five cd cathedral , red ef two gh white ij five")) is None
    assert passed_over(_words(f"white five cathedral , {' '.join(f'w{n}' for n in range(15))}")) is None
    assert passed_over(_words(" ".join(["white"] * 61))) is None


def test_one_of_several_is_none() -> None:
    assert [the_one([]), the_one([1]), the_one([1, 2])] == [None, 1, None]
