"""`mail full`, `mail text` and their likes: kept with the person, told to nobody; `options WORD` lists what is legal."""

from __future__ import annotations

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
    assert "build with" in page_of(got.message)
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
        assert all("palais" in body for body in bodies), word


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
        if f"options all {page}" not in hall.last(seat).text:
            break
        hall.send(seat, f"options {page}")
    assert found >= legal
