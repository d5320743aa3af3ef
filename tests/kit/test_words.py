"""One fold of what people type: what is one word to a reader is one word to every room."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.kit.words import (
    by_name,
    close_matches,
    closest_match,
    correct_typo,
    edit_distance,
    fold_text,
    kebab,
    prefix_matches,
)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("Cœur", "coeur"),
        ("CŒUR", "coeur"),
        ("straße", "strasse"),
        ("STRASSE", "strasse"),
        ("Été", "ete"),
        ("E\u0301te\u0301", "ete"),
        ("L’Hôtel", "l'hotel"),
        ("L'Hôtel", "l'hotel"),
        ("Æneas", "aeneas"),
        ("Øyvind Łukasz", "oyvind lukasz"),
        ("Ｒ６", "r6"),
        ("ﬁn", "fin"),
        ("place W6 – from\u00a0palace 4", "place w6 - from palace 4"),
        ("Σίσυφος", "σισυφοσ"),
        ("İstanbul", "istanbul"),
        ("", ""),
    ],
)
def test_case_accents_and_typography_do_not_count(typed: str, expected: str) -> None:
    """House rule of all readers: the four folds of before disagreed on the first, the third and the seventh."""
    assert expected == fold_text(typed)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("Hôtel de Ville", "hotel-de-ville"),
        ("hotel_de_ville", "hotel-de-ville"),
        ("  hotel-de-ville. ", "hotel-de-ville"),
        ("L’Hôtel", "l-hotel"),
        ("l'hotel", "l-hotel"),
        ("Count’s Palace", "count-s-palace"),
        ("re–roll", "re-roll"),
        ("anna:Y6", "anna:y6"),
        ("’", ""),
    ],
)
def test_a_name_is_one_word_however_it_is_joined(typed: str, expected: str) -> None:
    assert expected == kebab(typed)


@given(st.text())
@example("ŉ´\u0345ς")
def test_what_is_folded_stays_as_it_is(text: str) -> None:
    assert fold_text(text) == fold_text(fold_text(text))
    assert kebab(text) == kebab(kebab(text)) == kebab(fold_text(text))


@given(st.text())
def test_the_case_of_a_text_does_not_count(text: str) -> None:
    assert fold_text(text) == fold_text(text.casefold())


def test_no_character_is_two_words() -> None:
    """Every character there is, alone: folded twice as once, in upper case as in lower case."""
    # What Unicode gives no meaning (unassigned, surrogates, private use) no fold can know.
    named = (chr(code) for code in range(sys.maxunicode + 1))
    every = [char for char in named if unicodedata.category(char) not in ("Cn", "Cs", "Co")]
    assert [] == [char for char in every if fold_text(fold_text(char)) != fold_text(char)]
    assert [] == [char for char in every if fold_text(char.upper()) != fold_text(char.lower())]


def test_the_nearest_word_is_suggested_as_it_is_written() -> None:
    assert "city_hall" == closest_match("ctiy hall", ("palace", "city_hall"))
    assert "" == closest_match("xyz", ("palace", "city_hall"))
    assert ("palace", "place") == close_matches("palac", ("place", "city", "palace"))
    assert ("palace",) == close_matches("palac", ("place", "city", "palace"), 1)


def test_a_slip_of_the_finger() -> None:
    """One letter in words of three to six, two in longer ones; the closest wins."""
    assert "pass" == correct_typo("pss", ("pass", "place"))
    assert "activate" == correct_typo("actvaite", ("activate", "pass"))
    assert "" == correct_typo("hello", ("help", "pass"))
    assert "" == correct_typo("tu", ("to",))
    assert "to" == correct_typo("TO", ("to",))
    assert edit_distance("abc", "acb", 9) == 1
    assert edit_distance("abc", "cab", 9) == 2


@given(st.text("abc", max_size=6), st.text("abc", max_size=6), st.integers(0, 6))
def test_distance_is_the_same_both_ways(one: str, other: str, most: int) -> None:
    assert edit_distance(one, other, most) == edit_distance(other, one, most)
    assert edit_distance(one, one, 0) == 0
    assert edit_distance(one, other, most) <= max(len(one), len(other))


KNOWN = frozenset(("cathedral", "cathédrale", "builders", "builder", "palace", "place", "war", "we", "bishopric"))


@given(st.sampled_from(sorted(KNOWN)), st.lists(st.tuples(st.integers(0, 9), st.sampled_from(("", "z", "é", "ab"))), max_size=3))
def test_a_slip_is_found_as_if_every_word_were_compared(word: str, slips: list[tuple[int, str]]) -> None:
    """One slip before two, then the first of the alphabet; short words may have fewer."""
    for at, letters in slips:
        word = word[:at] + letters + word[at + 1 :]
    allowed = {one: 0 if len(one) < 3 else 1 if len(one) < 7 else 2 for one in KNOWN}
    near = [(most, one) for one in KNOWN for most in range(allowed[one] + 1) if edit_distance(fold_text(word), fold_text(one), most) <= most]
    assert correct_typo(word, KNOWN) == min(near, default=(0, ""))[1]


def test_names_and_their_beginnings() -> None:
    names = by_name((("a", ("Éclair", "eclair", "E")), ("b", ("Éclat", "e"))))
    assert {"eclair": ("a",), "e": ("a", "b"), "eclat": ("b",)} == names
    assert ["eclair", "eclat"] == prefix_matches("Écla", sorted(names))
    assert [] == prefix_matches("ec", sorted(names)), "two letters are too few"
