"""`mail full`, `mail text` and their likes: kept with the person, told to nobody; `options WORD` lists what is legal."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from tests.desk.room import Got
from tests.parts import page_of
from tests.whole.pages import choices_of
from tests.whole.room import Hall


def is_multipart(got: Got) -> bool:
    return got.message.get_body(("html",)) is not None


def test_who_wants_words_alone_gets_them_with_everything_in_them(hall: Hall) -> None:
    seat = hall.asked()
    assert seat is not None
    hall.send(seat, "mail text")
    assert not is_multipart(hall.last(seat))
    assert "Your mails of this game are so from now on." in hall.last(seat).text
    hall.send(seat, "status")
    assert not is_multipart(hall.last(seat))
    assert "Each cube 1 VP" in hall.last(seat).text
    other = next(got for got in hall.mails() if got.seat != seat)
    assert is_multipart(other)
    hall.send(seat, "mail html")
    assert is_multipart(hall.last(seat))


def test_full_mails_show_the_board_in_every_answer_that_asks(hall: Hall) -> None:
    seat = hall.asked()
    assert seat is not None
    hall.send(seat, "try pass")
    assert "CATHEDRAL" not in hall.last(seat).text
    hall.send(seat, "mail full")
    hall.send(seat, "try pass")
    assert "CATHEDRAL" in hall.last(seat).text
    assert "Each cube 1 VP" in hall.last(seat).text
    hall.send(seat, "mail short")
    hall.send(seat, "try pass")
    assert "CATHEDRAL" not in hall.last(seat).text


def test_the_others_are_told_nothing_of_it(hall: Hall) -> None:
    seat = hall.asked()
    assert seat is not None
    before = [got.raw for got in hall.mails() if got.seat != seat]
    hall.send(seat, "mail full")
    assert [got.raw for got in hall.mails() if got.seat != seat] == before


def test_who_writes_of_mail_gives_no_command(hall: Hall) -> None:
    seat = hall.asked()
    assert seat is not None
    hall.send(seat, "Mail me when you are back\n\n1")
    assert "I can't place" in hall.last(seat).text
    hall.send(seat, "1")
    assert "Played." in hall.last(seat).text


def test_options_with_a_word_lists_what_has_to_do_with_it_and_a_number_plays_it(hall: Hall) -> None:
    seat = hall.asked()
    while seat is not None and not any(" build with" in body for _, _, body in choices_of(hall.last(seat))):
        hall.send(seat, "1")
        seat = hall.asked()
    assert seat is not None
    hall.send(seat, "options Cathedral")
    got = hall.last(seat)
    assert "«cathedral»" in got.text
    bodies = [body for _, _, body in choices_of(got)]
    assert bodies
    assert all(" build " in f"{body} " for body in bodies)
    assert "Build on the Cathedral with" in page_of(got.message)
    number = len(bodies)
    hall.send(seat, f"{number}")
    assert hall.record(0, hall.table).private.get("orders") == [bodies[-1].partition("] ")[2]]


def test_options_are_looked_for_in_both_languages(hall: Hall) -> None:
    """Whoever reads French may still have the English rulebook's words in mind, and the other way about."""
    seat = hall.asked()
    assert seat is not None
    hall.send(seat, "langue fr")
    for word in ("palace", "palais"):
        hall.send(seat, f"possibilités {word}")
        bodies = [body for _, _, body in choices_of(hall.last(seat))]
        assert bodies
        # A red die places a citizen in the palace, though the order names no building.
        assert all("palais" in body or "placer R" in body for body in bodies), word


def test_options_with_a_word_that_nothing_has_to_do_with_lists_them_all(hall: Hall) -> None:
    seat = hall.asked()
    assert seat is not None
    hall.send(seat, "options zeppelin")
    assert "No order that is open to you has to do with «zeppelin»." in hall.last(seat).text
    assert "[1] " in hall.last(seat).text


def test_all_legal_orders_are_listed_in_pages(hall: Hall) -> None:
    seat = hall.asked()
    assert seat is not None
    legal = set(hall.rules.reference.every(hall.position(), seat))
    found: set[str] = set()
    hall.send(seat, "options all")
    for page in range(2, 9):
        found |= {body.partition("] ")[2] for _, _, body in choices_of(hall.last(seat))}
        if f"options all page {page}" not in hall.last(seat).text:
            break
        hall.send(seat, f"options {page}" if page % 2 else f"options all page {page}")
    assert found >= legal


FORMS = (("farm", "farming", "cultiver"), ("build", "building", "construction"), ("fight", "fighting", "combattre"))
"""A verb as orders have it, and as people say it."""


def listed(hall: Hall, seat: str, line: str) -> tuple[list[str], str]:
    """The orders that an answer lists, and its words."""
    hall.time += timedelta(hours=1)
    hall.send(seat, line)
    got = hall.last(seat)
    return [body.partition("] ")[2] for _, _, body in choices_of(got)], got.text


def test_orders_are_found_by_what_they_are_about(hall: Hall) -> None:
    """A die by its colour, a verb by its other forms and by what it is done to, in either language."""
    seat = hall.asked()
    assert seat is not None
    legal = sorted(hall.rules.reference.every(hall.position(), seat))
    letter, value = next(found.groups() for order in legal if (found := re.search(r"\b([RWY])([1-6])\b", order)))
    coloured = {order for order in legal if re.search(rf"\b{letter}[1-6]\b", order)}
    english, french = {"R": ("red", "rouge"), "W": ("white", "blanc"), "Y": ("yellow", "jaune")}[letter]
    for words in (english, f"my {english} dice", french):
        found, says = listed(hall, seat, f"options {words}")
        assert found
        assert set(found) <= coloured
        assert f"{len(coloured)} orders" in says
    found, _ = listed(hall, seat, f"options {english} {value}")
    assert f"{letter}{value}" in " ".join(found)
    assert all(value in order for order in found)
    verb, forms = next((verb, forms) for verb, *forms in FORMS if any(order.startswith(verb) for order in legal))
    for word in forms:
        assert {order.partition(" ")[0] for order in listed(hall, seat, f"options {word}")[0]} == {verb}


def test_a_page_that_is_not_there_is_told_by_how_many_there_are(hall: Hall) -> None:
    seat = hall.asked()
    assert seat is not None
    count = len(set(hall.rules.reference.every(hall.position(), seat)))
    _, says = listed(hall, seat, "options page 90")
    assert f"There are {-(-count // 20)} pages of these orders." in says


def test_where_more_is_legal_than_is_looked_through_nobody_is_told_that_there_is_none(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = hall.asked()
    assert seat is not None
    monkeypatch.setattr("pbem.desk.orders.option_search.LOOKED_AT", 5)
    _, says = listed(hall, seat, "options zeppelin")
    assert "Of the 5 orders that were looked through none has to do with «zeppelin»; you have more." in says
