"""Orders nearest to a line: what is shared counts, slips are put right, and all work is bounded."""

from __future__ import annotations

from collections.abc import Iterator

from engine.catalog import T
from engine.errors import NotUnderstood
from engine.kit.nearness import COMPARED, MOST, READ, Nearness, Weight, alike, is_talk, likeness, readings, respelled

WORDS = frozenset(("build", "farm", "palace", "y5", "y4", "with"))


def weigh(part: str) -> Weight:
    return 1.0, 0.4


def nearness(plays: bool = True) -> Nearness[str]:
    return Nearness(str, str.split, weigh, WORDS, lambda order: plays and order != "farm y9")


def test_what_is_shared_counts_for_an_order_and_what_it_has_beside_against_it() -> None:
    one, shared = likeness(["farm", "y5"], ["farm", "y5"], weigh)
    more, still = likeness(["farm", "y5"], ["farm", "y5", "y4"], weigh)
    assert (2.0, 2.0) == (one, shared)
    assert still == shared and more < one


def test_a_die_stands_for_one_of_its_colour_and_for_the_same_one_elsewhere() -> None:
    assert alike("y5", "y4") > alike("y5", "y1") > alike("y5", "r5") == 0.0
    assert alike("gray:w6", "w6") > alike("w5", "w6")
    assert 0.0 == alike("nonsense", "none") == alike("nonsense", "once") == alike("3", "4")
    assert alike("merchnat", "merchant") > 0.5


def test_a_sentence_of_strange_words_without_a_die_is_talk() -> None:
    def talks(line: str) -> bool:
        return is_talk(line, lambda word: word in WORDS, lambda word: word in ("y4", "y5"))

    assert talks("we would farm with friends, or build castles")
    assert talks("one two three four five six")
    assert not talks("we would farm with friends, or build castles Y5")
    assert not talks("biuld somewhere today")


def test_unknown_words_are_put_right_and_known_ones_left() -> None:
    def known(word: str) -> bool:
        return word in WORDS

    assert ["build with y5"] == list(respelled("biuld with y5", known, WORDS))[:1]
    assert [] == list(respelled("build with y5", known, WORDS))
    assert [] == list(respelled("build with xyzzyx", known, WORDS))
    assert {"farm y5", "farm y4"} == set(respelled("farm y", known, WORDS))
    assert ["build — with y5"] == list(respelled("biuld — with y5", known, WORDS))[:1], "a dash is no word"
    assert [] == list(respelled("build — with - y5", known, WORDS))
    assert READ >= len(list(respelled("biuld frm pallace wth y", known, WORDS)))


def test_the_nearest_are_legal_few_and_never_the_line_itself() -> None:
    found = nearness().nearest("farm y9", [], ["farm y9", "farm y5", "farm y4", "farm y3", "build w1", "farm y2"])
    assert MOST == len(found)
    assert "farm y9" not in found and "build w1" not in found
    assert () == nearness(plays=False).nearest("farm y9", ["farm y5"], ["farm y4"])
    assert () == nearness().nearest("nonsense", [], ["farm y5", "none"])
    assert ("farm y2", "farm y5") == nearness().nearest("farm y1", ["farm y2"], ["farm y5", "farm y2"])


def test_the_work_is_bounded() -> None:
    """However many orders there are, so many are compared."""
    seen = []

    def text(order: str) -> str:
        seen.append(order)
        return order

    many = ("farm y2" for _ in range(10**6))
    Nearness(text, str.split, weigh, WORDS, lambda order: False).nearest("farm y1", [], many)
    assert COMPARED <= len(seen) < 2 * COMPARED


def test_orders_are_not_made_where_a_line_has_too_little_of_any() -> None:
    def others() -> Iterator[str]:
        made.append("farm y5")
        yield "farm y5"

    made: list[str] = []
    assert () == nearness().nearest("the weather", [], others())
    assert ("palace y4",) == nearness().nearest("the weather", ["palace y4"], others())
    assert [] == made
    for line in ("fram palce", "fram", "9 o'clock"):
        nearness().nearest(line, [], others())
    assert 2 == len(made), "enough of words that are nearly one, or a number"


def test_lines_that_are_no_orders_are_left_out() -> None:
    def read(line: str) -> str:
        if line == "no":
            raise NotUnderstood(T("no"))
        return line

    assert ["yes"] == list(readings(["no", "yes"], read))
