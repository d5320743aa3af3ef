"""Words of another moment or of another game are told what they are, and play nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.whole.room import Hall


def _answered(hall: Hall, text: str) -> str:
    """The answer to a letter that plays nothing."""
    before, seat = hall.position(), hall.asked()
    assert seat is not None
    (answer,) = hall.sent_by(seat, text)
    assert "refusal" == answer.kind
    assert before == hall.position()
    return answer.text


@pytest.fixture(params=["troyes", "troyes-dice"])
def hall(request: pytest.FixtureRequest, tmp_path: Path) -> Hall:
    """A game of either kind that has begun."""
    found = Hall(tmp_path, request.param)
    found.seat_all(3)
    return found


@pytest.mark.parametrize("text", ["join", "Join wolf", "Rejoindre !"])
def test_joining_a_game_that_runs_is_told_what_it_is(hall: Hall, text: str) -> None:
    """It answers an invitation."""
    assert "answers an invitation; you have your seat already" in _answered(hall, text)


@pytest.mark.parametrize("text", ["leave", "Please leave.", "quitter", "decline"])
def test_leaving_a_game_that_runs_is_told_its_word(hall: Hall, text: str) -> None:
    """It is never taken for `resign`."""
    answer = _answered(hall, text)
    assert "«resign» leaves it" in answer
    assert "No order was found" not in answer


@pytest.mark.parametrize("text", ["leave me alone", "join us for dinner tomorrow", "pass me the salt"])
def test_prose_is_told_nothing_of_it(hall: Hall, text: str) -> None:
    """Such a word in a sentence is no such word."""
    answer = _answered(hall, text)
    assert "invitation" not in answer and "Nobody passes" not in answer


@pytest.mark.parametrize("text", ["pass", "Je passe", "I'll pass this time", "skip", "je passe mon tour"])
def test_passing_in_troyes_dice_is_told_what_would_do_least(tmp_path: Path, text: str) -> None:
    """A5: nobody can; the number plays what is given where nobody answers."""
    hall = Hall(tmp_path, "troyes-dice")
    hall.seat_all(3)
    seat = hall.asked()
    assert seat is not None
    answer = _answered(hall, text)
    assert "Nobody passes in Troyes Dice" in answer
    state = hall.position()
    least = hall.rules.default(state, seat)
    assert f"[1] {hall.rules.title_of(state, seat, least, 'en')}" in answer
    hall.send(seat, "1")
    assert f"«{hall.rules.write(state, seat, least, 'en')}»" in hall.last(seat).text
