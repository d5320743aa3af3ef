"""A number counts in what the answered mail shows: of the options that it leaves out none is played unseen."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

from pbem.outbound.mail import MailKind
from tests.desk.room import Got
from tests.whole.room import Hall


def numbers(got: Got) -> list[int]:
    """Those that a mail shows before its options."""
    return [int(number) for number in re.findall(r"^\[(\d+)\] ", got.text, re.MULTILINE)]


def at_a_short_list(hall: Hall) -> tuple[str, list[int], int]:
    """The seat that is asked by a mail which leaves options out, the numbers it shows, and one between them."""
    for _ in range(20):
        seat = hall.asked()
        assert seat is not None
        shown = numbers(hall.last(seat))
        left = sorted(set(range(1, max(shown, default=0))) - set(shown))
        if left and "auto: " not in hall.last(seat).text:
            return seat, shown, left[0]
        hall.send(seat, "1")
    raise AssertionError("no mail has left an option out")


def orders(hall: Hall) -> list[str]:
    """The orders of the newest record."""
    found: list[str] = hall.record(0, hall.table).private.get("orders", [])
    return found


def test_a_number_that_the_mail_left_out_is_asked_back_with_what_it_is(hall: Hall) -> None:
    seat, _, left = at_a_short_list(hall)
    asking, before = hall.last(seat), hall.position()
    offer = hall.rules.offers(before, hall.asked())[left - 1]
    hall.send(seat, f"{left}")
    got = hall.last(seat)
    assert got.kind == MailKind.REFUSAL
    assert f"The mail that you answer does not show option {left}, which is this." in got.text
    assert f"[1] {offer.title}" in got.text
    assert hall.position() == before
    hall.send(seat, f"[{left}] {offer.text}", to=asking)
    assert orders(hall) == [offer.text]


def test_what_it_shows_is_played_by_its_number_to_the_last(tmp_path: Path) -> None:
    """The last one of the list is the last that the mail shows, though more are in the whole list behind it."""
    hall = Hall(tmp_path / "host")
    hall.seat_all(2)
    for _ in range(20):
        seat = hall.asked()
        assert seat is not None
        shown, offers = numbers(hall.last(seat)), hall.rules.offers(hall.position(), seat)
        die = re.fullmatch(r"farm (\w+):Y(\d)", offers[shown[-1] - 1].text)
        if shown[-1] < len(offers) and die:
            break
        hall.time += timedelta(hours=9)
        hall.send(seat, "1")
    else:
        raise AssertionError("no list ends so")
    hall.send(seat, f"{shown[-1]}")
    assert orders(hall) == [die[0]]


def test_whoever_has_seen_them_all_may_tell_any(hall: Hall) -> None:
    """By asking for the options, or by having mails in full."""
    seat, _, left = at_a_short_list(hall)
    option = hall.rules.offers(hall.position(), hall.asked())[left - 1].text
    twin = hall.twin(hall.folder.with_name("twin"))
    for host, words in ((hall, "options"), (twin, "mail full")):
        host.send(seat, words)
        if words == "mail full":
            host.send(seat, "status")
        assert left in numbers(host.last(seat))
        host.send(seat, f"{left}")
        assert orders(host) == [option]
