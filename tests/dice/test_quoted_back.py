"""A whole mail of Troyes Dice quoted back in any program's style yields no order (product, «not negotiable»)."""

from __future__ import annotations

import pytest

from pbem.inbound.incoming_letter import open_letter
from tests.dice.games import ANNA, GAME, begin
from tests.dice.test_table import mail
from tests.quoting import OWN, STYLES, quote_back


@pytest.fixture(scope="module")
def text() -> str:
    """A mail with news, options, attacks, tiles and a sealed answer."""
    run = begin(3, seed=3, expansion="yes")
    for _ in range(9):
        run.finish_half_day()
    run.order(ANNA, GAME.offers(run.state, ANNA)[0].text)
    return mail(run)


@pytest.mark.parametrize("style", STYLES)
def test_only_the_answer_above_is_read(style: str, text: str) -> None:
    order = "red 6 as white 5: cathedral; pay influence"
    assert (order,) == open_letter(quote_back(style, text, order), OWN).lines
