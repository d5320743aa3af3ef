"""What people would write who have read one mail is read at the desk of that very game, or is one number away."""

from __future__ import annotations

import pytest

from .mailed import Line, lines, rates

NATURAL, TALK, ODD = "unseen-tenth", "mailed-talk", "mailed-thirty-fifth"
FLOORS = {
    "troyes en": (50 / 99, 95 / 99), "troyes fr": (62 / 100, 95 / 100), "dice en": (72 / 102, 1.0), "dice fr": (76 / 102, 1.0),
}  # fmt: skip
"""Of the natural sheet the share that is read as meant at the first try, and that or mended by one number: what was reached."""
FRESH = {
    "natural-troyes": {"troyes en": (91 / 204, 190 / 204), "troyes fr": (92 / 204, 183 / 204)},
    "natural-dice": {"dice en": (106 / 204, 199 / 204), "dice fr": (113 / 204, 197 / 204)},
}
"""The same of sheets that were read once, and tuned for by nobody."""
MOST_WRONG = 1
"""Lines of the odd sheet, of 1,152 that sound like orders and are talk, that are taken for one."""


def _played_wrongly(found: list[Line]) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.written, one.read.orders) for one in found if one.wrong]


def test_a_sample_of_what_people_write_from_a_mail_is_read() -> None:
    """Some lines of four mails: a table for each mail is what costs."""
    found = [one for at in range(4) for one in lines(NATURAL, sample=2 * at)]
    assert _played_wrongly(found) == []
    meant = [one for one in found if one.meant]
    assert len(meant) >= 10
    assert sum(one.right or one.mended for one in meant) / len(meant) >= 0.8


@pytest.mark.soak
def test_what_people_write_from_a_mail_is_read() -> None:
    """Each game and language by itself; no trap and nothing else than what was meant is played."""
    found = list(lines(NATURAL))
    assert _played_wrongly(found) == []
    for name, (every, right, mended) in rates(found).items():
        assert right / every >= FLOORS[name][0], name
        assert mended / every >= FLOORS[name][1], name


def test_talk_of_the_game_orders_nothing() -> None:
    """What was, what others do, wishes, comparisons, and verbs that nobody knows, with all words of an order beside."""
    assert _played_wrongly(list(lines(TALK))) == []


@pytest.mark.soak
@pytest.mark.parametrize("sheet", FRESH)
def test_what_nobody_has_looked_at_is_read_or_one_number_away(sheet: str) -> None:
    found = list(lines(sheet))
    assert _played_wrongly(found) == []
    for name, (every, right, mended) in rates(found).items():
        assert right / every >= FRESH[sheet][name][0], name
        assert mended / every >= FRESH[sheet][name][1], name


@pytest.mark.soak
def test_talk_that_nobody_has_looked_at_orders_nothing() -> None:
    assert _played_wrongly(list(lines("sounding-talk"))) == []


@pytest.mark.soak
def test_talk_that_sounds_like_orders_is_hardly_ever_one() -> None:
    assert len(_played_wrongly(list(lines(ODD)))) <= MOST_WRONG
