"""Numbers come from a seed and a purpose, never from the order of drawing."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from engine.chance import Purpose, ScriptedChance, SeededChance, commitment, words_hash


def test_same_seed_and_purpose_give_the_same_numbers() -> None:
    """Undo or another order cannot shift anybody's luck."""
    one, other = SeededChance(b"seed", ["a"], "troyes-1"), SeededChance(b"seed", ["a"], "troyes-1")
    purpose = Purpose(2, "reroll", "anna", 1)
    expected = one.roll(purpose, 3)
    other.roll(Purpose(2, "black"), 4)
    assert expected == other.roll(purpose, 3)


@pytest.mark.parametrize(
    "other",
    [
        SeededChance(b"tree", ["a", "b"], "troyes-1"),
        SeededChance(b"seed", ["ab", ""], "troyes-1"),
        SeededChance(b"seed", ["a", "b"], "troyes-2"),
        SeededChance(b"seed", ["a", "b"], "troyes-1", 1),
    ],
    ids=["seed", "words", "game", "epoch"],
)
def test_each_part_of_the_key_matters(other: SeededChance) -> None:
    """Another seed, list of words, game or epoch gives other numbers."""
    purpose = Purpose(1, "black")
    assert SeededChance(b"seed", ["a", "b"], "troyes-1").roll(purpose, 24) != other.roll(purpose, 24)


def test_what_is_drawn_is_hmac_of_the_purpose() -> None:
    """Whoever checks a finished game with a program of their own needs nothing but HMAC-SHA-256."""
    chance, block = SeededChance(b"seed", ["a"], "troyes-1", 2), b"troyes-1/2/3/black/-/1/0"
    found = hmac.digest(chance.key, block, "sha256")
    assert tuple(1 + value % 6 for value in found if value < 252)[:5] == chance.roll(Purpose(3, "black"), 5)


@pytest.mark.parametrize("sides", [2, 7, 100, 256])
def test_a_byte_that_favours_some_faces_is_passed_over(sides: int) -> None:
    """More dice than one block has, of any number of sides that a byte can tell apart."""
    chance, fair = SeededChance(b"seed", ["a"], "troyes-1"), 256 - 256 % sides
    blocks = (f"troyes-1/0/3/black/-/1/{n}".encode() for n in range(4))
    found = b"".join(hmac.digest(chance.key, block, "sha256") for block in blocks)
    expected = tuple(1 + value % sides for value in found if value < fair)[:50]
    assert expected == chance.roll(Purpose(3, "black"), 50, sides)
    assert len(expected) == 50


def test_dice_are_fair_enough() -> None:
    """24,000 dice: each face within 5 % of a sixth (six standard deviations)."""
    chance = SeededChance(b"fair", [], "troyes-1")
    faces = Counter(number for n in range(4000) for number in chance.roll(Purpose(1, "black", "", n), 6))
    assert {1, 2, 3, 4, 5, 6} == set(faces)
    assert all(3800 < count < 4200 for count in faces.values()), faces


def test_a_shuffle_is_a_permutation_and_every_place_is_reached() -> None:
    """Fisher-Yates without bias at the ends."""
    chance = SeededChance(b"shuffle", [], "troyes-1")
    first = Counter()
    for n in range(600):
        order = chance.order(Purpose(0, "red", "", n), 9)
        assert list(range(9)) == sorted(order)
        first[order[0]] += 1
    assert set(range(9)) == set(first)
    assert min(first.values()) > 30


def test_a_purpose_reads_back() -> None:
    """`str` and `parse` are inverse, with and without a seat."""
    for purpose in (Purpose(3, "reroll", "anna", 2), Purpose(0, "start")):
        assert purpose == Purpose.parse(str(purpose))


def test_scripted_numbers_run_out_loudly() -> None:
    """A position that rolls more than it says is a mistake in the position."""
    chance = ScriptedChance({"black": [6]}, SeededChance(b"", [], ""))
    assert (6,) == chance.roll(Purpose(1, "black"))
    with pytest.raises(LookupError, match="needs 1 numbers, 0 are scripted"):
        chance.roll(Purpose(1, "black", n=2))
    assert 1 <= chance.roll(Purpose(1, "other"))[0] <= 6


def test_the_commitment_is_a_hash_over_seed_and_word_that_anybody_can_compute() -> None:
    parts = b"troyes-by-mail seed 1" + b"\0\0\0\3abc" + b"\0\0\0\4mill"
    assert hashlib.sha256(parts).hexdigest() == commitment(b"abc", "mill")
    parts = b"troyes-by-mail words 1" + b"\0\0\0\4mill" + b"\0\0\0\0" + b"\0\0\0\2\xc3\xa9"
    assert hashlib.sha256(parts).hexdigest() == words_hash(("mill", "", "é"))


def test_no_other_seed_or_word_has_the_same_commitment() -> None:
    """Lengths are hashed too: a letter cannot wander from the seed into the word, nor from word to word."""
    assert 4 == len({commitment(*of) for of in ((b"ab", "c"), (b"a", "bc"), (b"abc", ""), (b"ab", "d"))})
    assert 3 == len({words_hash(of) for of in (("ab", "c"), ("a", "bc"), ("abc", ""))})
