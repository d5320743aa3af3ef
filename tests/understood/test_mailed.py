"""What people would write who have read one mail is read at the desk of that very game."""

from __future__ import annotations

import pytest

from .mailed import Line, lines, rates

FIRST, MENDED = 0.85, 0.95
"""The shares that are asked: read as meant at the first try; that, or mended by one number."""
SHEETS = {
    **dict.fromkeys(("mailed-first", "mailed-second", "mailed-third", "mailed-fourth", "mailed-fifth", "mailed-sixth"), FIRST),
    **dict.fromkeys(("mailed-seventh", "mailed-eighth", "mailed-ninth", "mailed-tenth", "mailed-eleventh"), FIRST),
    **dict.fromkeys(("mailed-twelfth", "mailed-thirteenth", "mailed-fourteenth"), FIRST),  # 37 of 60, 26 and 29 of 40 then
    "mailed-fifteenth": 50 / 60,  # what was read of it, untouched: less than FIRST
    "mailed-sixteenth": FIRST,
    "mailed-twentieth": FIRST,  # 43 of 66 and 32 of 48 then
    "mailed-eighteenth": 0.68,  # 83 of 129 read when it was written, before anything was mended for it
    "mailed-dice-likely": 0.44,  # the others leave a change of the die unsaid, which is never filled in: they are asked
    "mailed-dice-likely-later": 0.2,
    "mailed-twenty-first": FIRST,  # 29 of 59 and, of Dice, 29 of 42 then
}
"""Each sheet, and the share of it that must be read as meant at the first try."""
UNMENDED = {"mailed-seventeenth": 0.76, "mailed-nineteenth": 0.8}
"""Nothing was mended for these since they were written: they are held to what was read then, which is less."""

EXPLAINED = {"troyes en": 22 / 40, "troyes fr": 28 / 39, "dice en": 30 / 36, "dice fr": 30 / 36}
"""Of the twenty-second sheet, of which the grammar alone reads 16, 18, 17 and 18: what one order explains besides."""
MIXED = {"troyes en": 36 / 40, "troyes fr": 32 / 40, "dice en": 28 / 30, "dice fr": 29 / 30}
"""Of the twenty-fourth sheet, of which 26, 22, 23 and 18 were read before anything was mended for it."""
UNSEEN = {
    "unseen-orders": {"troyes en": 0.85, "troyes fr": 0.93, "dice en": 0.88, "dice fr": 0.9},
    "unseen-later": {"troyes en": 0.95, "troyes fr": 0.9, "dice en": 0.82, "dice fr": 0.85},
    "unseen-third": {"troyes en": 0.84, "dice fr": 0.87},
}
"""What is read of sheets that nobody had seen when they were read first: 65, 73, 76 and 76 of a hundred of the first, 79, 77, 77
and 79 of the second, some of which was mended then; of the third, for which nothing was mended yet, 82 and 87."""
NATURAL = {"troyes en": 88 / 100, "troyes fr": 88 / 99, "dice en": 95 / 102, "dice fr": 95 / 102}
"""Of the fifth unseen sheet, what ordinary people write, of which 73, 80, 95 and 96 were read before two orders that point at each
other, and what stands within a clause, were; with one number 98, 97, 102 and 101."""
CHATTY = {"troyes en": 82 / 100, "troyes fr": 72 / 100, "dice en": 58 / 102, "dice fr": 60 / 102}
"""Of the thirty-eighth sheet, with a remark, a greeting or a reason in most lines, of which 58, 56, 58 and 60 were read then.
Nothing of it was ever played that was not meant."""
AGAIN = {"troyes en": 87 / 100, "troyes fr": 88 / 100, "dice en": 88 / 102, "dice fr": 89 / 102}
"""Of the thirty-ninth sheet, what ordinary people write: 85, 83, 88 and 90 were read of it first."""
ONCE_MORE = {"troyes en": 92 / 100, "troyes fr": 89 / 100, "dice en": 91 / 102, "dice fr": 98 / 102}
"""Of the fortieth sheet, written alike: 80, 74, 92 and 99 were read of it first."""
SINCE = {"troyes en": 224 / 250, "troyes fr": 230 / 250}
"""Of the forty-first sheet, written alike and learnt from: 199 and 209 were read, and one line wrongly, before."""
FLIPS = {"troyes en": 197 / 240, "troyes fr": 210 / 240}
"""Of the forty-second sheet, written alike and learnt from: 180 and 189 were read, and ten lines wrongly, of dice that are turned
over and show what another die does, before."""
NINTH = {"troyes en": 89 / 100, "troyes fr": 91 / 100, "dice en": 94 / 102, "dice fr": 96 / 102}
TENTH = {"troyes en": 83 / 99, "troyes fr": 87 / 100, "dice en": 98 / 102, "dice fr": 97 / 102}
"""Of the ninth and tenth unseen sheets, written alike: what was read of them first, when all else was done."""
REMARKS = {"troyes en": 187 / 260, "troyes fr": 177 / 260}
"""Of the thirty-sixth sheet, with remarks and learnt from, of which 131 and 130 were read, and three lines wrongly, before."""
ORDINARY = {"troyes en": 207 / 260, "troyes fr": 210 / 260}
"""Of the thirty-seventh sheet, what ordinary people write, learnt from: 176 and 185 were read, and six lines wrongly, before."""
ODD = {"troyes en": 68 / 116, "troyes fr": 63 / 116, "dice en": 63 / 102, "dice fr": 83 / 102}
"""Of the fourth unseen sheet, whose writers were asked for all kinds of people: 48, 45, 58 and 73 before sentences were learnt."""
ASKED = {"troyes en": 100 / 140}
"""Of the twenty-eighth sheet, few of which are copies: 98 were read before anything was mended for it."""
LOOKED_AT = {"troyes en": 74 / 100, "troyes fr": 70 / 100, "dice en": 39 / 48, "dice fr": 76 / 96}
"""Of the thirty-second sheet, of which 73, 65, 39 and 76 were read before anything was mended for it."""
LEFT = 0.08
"""What share of it at most may be neither read nor mended by one number."""
TALK = "mailed-talk"
"""What orders nothing, though it names dice, cards and places."""
HELD_BACK = {"troyes en": 25 / 38, "troyes fr": 20 / 38, "dice en": 28 / 36, "dice fr": 28 / 36}
"""Of the twenty-third sheet, of which 22, 14, 27 and 23 were read before anything was mended for it."""

BARRED = {"troyes en": 10 / 15, "troyes fr": 11 / 15, "dice en": 14 / 15, "dice fr": 15 / 15}
"""Of the twenty-fifth sheet, of which 4, 2, 2 and 1 were read before anything was mended for it."""


def _played_wrongly(found: list[Line]) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.written, one.read.orders) for one in found if one.wrong]


def test_a_sample_of_what_people_write_from_a_mail_is_read() -> None:
    """Some lines of one mail of every sheet, and some traps: a table for each mail is what costs."""
    found = [one for at, sheet in enumerate(SHEETS) for one in lines(sheet, sample=3 * at)]
    assert _played_wrongly(found) == []
    meant = [one for one in found if one.meant]
    assert len(meant) >= 10
    assert sum(one.right or one.mended for one in meant) / len(meant) >= MENDED


@pytest.mark.soak
@pytest.mark.parametrize("sheet", [*SHEETS, *UNMENDED])
def test_what_people_write_from_a_mail_is_read(sheet: str) -> None:
    """Each game and language by itself; no trap and nothing else than what was meant is played."""
    found = list(lines(sheet))
    assert _played_wrongly(found) == []
    for name, (all, right, mended) in rates(found).items():
        assert right / all >= (SHEETS | UNMENDED)[sheet], name
        assert mended / all >= MENDED, name


@pytest.mark.soak
@pytest.mark.parametrize(
    ("sheet", "floors"),
    [("mailed-twenty-second", EXPLAINED), ("mailed-twenty-third", HELD_BACK), ("mailed-twenty-fourth", MIXED), ("mailed-twenty-fifth", BARRED), ("mailed-twenty-eighth", ASKED), ("mailed-thirty-second", LOOKED_AT), ("unseen-fourth", ODD), ("unseen-fifth", NATURAL), ("unseen-ninth", NINTH), ("unseen-tenth", TENTH), ("mailed-thirty-sixth", REMARKS), ("mailed-thirty-seventh", ORDINARY), ("mailed-thirty-eighth", CHATTY), ("mailed-thirty-ninth", AGAIN), ("mailed-fortieth", ONCE_MORE), ("mailed-forty-first", SINCE), ("mailed-forty-second", FLIPS)],
)
def test_what_only_one_order_explains_is_read(sheet: str, floors: dict[str, float]) -> None:
    """Sheets for which hardly a word of the grammar was added."""
    found = list(lines(sheet))
    assert _played_wrongly(found) == []
    for name, (all, right, _) in rates(found).items():
        assert right / all >= floors[name], name


@pytest.mark.soak
@pytest.mark.parametrize(("sheet", "floors"), UNSEEN.items())
def test_what_nobody_had_seen_is_read_or_mended(sheet: str, floors: dict[str, float]) -> None:
    found = list(lines(sheet))
    assert _played_wrongly(found) == []
    for name, (all, right, mended) in rates(found).items():
        assert right / all >= floors[name], name
        assert mended / all >= 1 - LEFT, name


def test_talk_of_the_game_orders_nothing() -> None:
    """What was, what others do, wishes, comparisons, and verbs that nobody knows, with all words of an order beside."""
    assert _played_wrongly(list(lines(TALK))) == []
