"""What both games' exact covers share: small words, what forbids a cover, and pairing."""

from __future__ import annotations

import pytest

from engine.kit import cover


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("I'd like to build with W2, please", "build with w2, please"),
        ("S’il te plaît, bâtis avec B2 !", "batis avec b2"),
        ("build with W2, thank you :-)", "build with w2"),
        ("Farm with Y5, no problem", "farm with y5"),
    ],
)
def test_harmless_phrases_are_taken_off(line: str, left: str) -> None:
    assert cover.coverable_text(line) == left


@pytest.mark.parametrize(
    "line",
    [
        *("don't build with W2", "build, but not with W2", "je ne bâtis pas avec B2", "bâtir sans B2"),
        *("build with W2 if they let me", "si possible et s'il reste, bâtis avec B2"),
        *("build with W2?", "shall I build with W2...", "pourquoi bâtir avec B2"),
        *("W2 or W3 to build", "bâtis avec B2 ou B3", "I built with W2", "j'avais bâti avec B2"),
        *("build with W2 next", "demain je bâtis avec B2", "you build with W2", "elle bâtit avec B2"),
        *("maybe build with W2", "je pense bâtir avec B2", "keep W2, build", "garder B2 et bâtir"),
        # One word of a kind, that no other word of the line helps.
        *("not build with W2", "pas bâtir avec B2", "W2 was built", "si bâtir avec B2", "build with W2 tomorrow", "she builds with W2"),
        *("why not build with W2", "pourquoi pas bâtir avec B2", "could you build with W2", "build with W2 if possible"),
        # A question needs no mark.
        *("shall I build with W2", "do we build with W2", "am I to build with W2", "ok, will I build with W2", "can you build with W2"),
        *("puis-je bâtir avec B2", "puis je bâtir avec B2", "vais-je bâtir avec B2", "bâtit-on avec B2", "peux-tu bâtir avec B2"),
    ],
)
def test_closed_list_forbids_anywhere(line: str) -> None:
    assert cover.coverable_text(line) == ""


def test_long_lines_are_not_covered() -> None:
    assert cover.coverable_text("build " + "x" * 240) == "" != cover.coverable_text("build " + "x" * 200)
    assert cover.coverable_text("a " * 40 + "build") == "" != cover.coverable_text("a " * 30 + "build")


def test_no_small_word_forbids() -> None:
    assert not cover.SMALL & cover.FORBIDS


def test_each_is_paired_once() -> None:
    assert cover.can_pair("ab", "ba", str.__eq__)
    assert not cover.can_pair("aa", "ab", str.__eq__)
    assert not cover.can_pair("a", "aa", str.__eq__)
    # What fits several is not given away to the first.
    assert cover.can_pair(("any", "a"), "ab", lambda wish, one: wish in ("any", one))


def test_only_one_may_be_left() -> None:
    assert cover.only_order(["a", "a"]) == "a"
    assert cover.only_order(["a", "b"]) is None
    assert cover.only_order([]) is None
