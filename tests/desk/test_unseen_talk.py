"""Letters that nobody sees: they are no talk, no line that was not read, and no part of anybody's words."""

from __future__ import annotations

import unicodedata

import pytest

from pbem.inbound.sanitize import clean_text, one_line
from pbem.reading.normalize import normalize_line
from tests.desk.room import Room

IGNORABLE = (
    *(0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0),
    *(*range(0x180B, 0x1810), *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)),
    *(*range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFF9), *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B)),
    *range(0xE0000, 0xE1000),
)
"""Default_Ignorable_Code_Point of Unicode 16 (DerivedCoreProperties.txt), and a Braille pattern without a dot."""
BLANKS = tuple(map(chr, (*IGNORABLE, 0x2800)))


def test_what_nobody_sees_is_nothing() -> None:
    assert [] == [hex(ord(char)) for char in BLANKS if one_line(char) or clean_text(f" {char} {char}")]
    assert [] == [hex(ord(char)) for char in BLANKS if normalize_line(f"{char} {char}")]
    # Beside what is seen only what shapes it stays.
    kept = {char for char in BLANKS if one_line(f"a{char}b") != "ab"}
    assert {"\u200c", "\u200d", *map(chr, range(0xFE00, 0xFE10))} >= kept


@pytest.mark.parametrize("text", ["\u2764\ufe0f", "\U0001f469\u200d\U0001f680", "한국", "d\u2019accord, à demain", "मैं\u200d"])
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert unicodedata.normalize("NFC", text) == one_line(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize("blank", ["\u3164", "\u3164\u2800 \u115f\u1160", "\u200d\ufe0f", "\U000e0041"])
def test_talk_without_anything_to_see_rings_nobody(room: Room, blank: str) -> None:
    for line in (f"say {blank}", f"tell bob: {blank}", f"note {blank}", blank):
        mails = room.sent_by("anna", line)
        assert ["anna"] == [one.seat for one in mails]
        assert "«»" not in mails[0].text and "\u3164" not in mails[0].text
    room.sent_by("anna", f"say hello{blank}")
    assert "Anna says: «hello»" in room.last("bob").text.replace("\u200d\ufe0f", "")


def test_a_line_of_blanks_beside_an_order_is_no_line(room: Room) -> None:
    assert "played" == room.send("anna", "add 1\n\u3164\n\u2800\u2800").outcome
    assert "Not read" not in room.last("anna").text
