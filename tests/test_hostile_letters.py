"""Whatever arrives, the door stays on its hinges: no exception, no long work, no more than the limits allow."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest

from pbem.inbound import incoming_letter as door
from pbem.inbound.incoming_letter import MAX_BYTES, MAX_LINE_LENGTH, MAX_LINES, MAX_TEXT, Kind, open_letter
from pbem.inbound.mime import Part
from tests.hostile import HAND_MADE, hostile

SECONDS = 10.0
"""Of the processor, for one letter: a hundred times what the worst needs, and less than work that grows with the square
of a letter's size or beyond it takes."""

LETTERS = hostile(20261120, HAND_MADE + 20)


def _seconds(raw: bytes, most: float = SECONDS) -> float:
    """What a letter takes; measured again where it is more than that, since a machine may have been busy."""
    best = most
    for _ in range(3):
        begun = time.process_time()
        open_letter(raw)
        best = min(best, time.process_time() - begun)
        if best < most:
            break
    return best


@pytest.mark.parametrize("number", range(len(LETTERS)))
def test_hostile_letter_is_opened_quickly_and_within_limits(number: int) -> None:
    """Never raises (pbem.inbound.incoming_letter.open_letter): 256 kB, 50 parts, depth 10, 400 lines of 1,000 characters."""
    stands(LETTERS[number])


@pytest.mark.soak
def test_many_hostile_letters_are_opened_quickly_and_within_limits() -> None:
    """Two hundred that were spoilt at random."""
    for raw in hostile(20261120, HAND_MADE + 200)[len(LETTERS) :]:
        stands(raw)


def stands(raw: bytes) -> None:
    """The law for one letter."""
    letter = open_letter(raw, frozenset({"troyes@gm.test"}))
    assert letter.auto.partition("unreadable")[1] == "", letter.auto
    assert len(letter.lines) == len(letter.raw_lines)
    assert sum(bool(line) for line in letter.lines) <= MAX_LINES
    assert all(len(line) <= MAX_LINE_LENGTH and line.strip() == line for line in (*letter.raw_lines, *letter.lines))
    assert sum(map(len, letter.lines)) <= MAX_TEXT
    paragraphs = ["", *letter.lines, ""] if letter.lines else []
    assert ("", "") not in pairwise(paragraphs)
    assert not any(char in text for text in (letter.subject, letter.sender_name, *letter.lines) for char in "\r\n\x00")
    assert letter.trouble is None or (letter.lines == () and letter.turn_file == ())
    assert letter.trouble is None or str(letter.trouble)
    assert _seconds(raw) < SECONDS


def test_time_grows_with_size_and_no_faster() -> None:
    """Sixteen times the text takes sixteen times the time where work is linear, 256 times where it is quadratic."""

    def seconds(size: int) -> float:
        raw = b"From: anna@home.test\n\n" + b"On " + b"a " * (size // 2)
        times = []
        for _ in range(5):
            begun = time.process_time()
            for _ in range(20):
                open_letter(raw)
            times.append(time.process_time() - begun)
        return min(times)

    assert seconds(200_000) / seconds(12_500) < 64


@pytest.mark.parametrize(
    ("parts", "said"), [(49, ""), (50, "more than 50 parts"), (5000, "more than 50 parts")], ids=str
)
def test_letter_of_more_than_fifty_parts_is_not_read(parts: int, said: str) -> None:
    """The letter itself is the first part."""
    body = b"--b\n\n3\n" * parts
    letter = open_letter(b"From: anna@home.test\nContent-Type: multipart/mixed; boundary=b\n\n" + body)
    assert ((), said) == (letter.lines, said) if said else ("3",) * parts == letter.lines
    assert said in str(letter.trouble or "")
    assert bool(said) == (letter.trouble is not None)


@pytest.mark.parametrize(("depth", "said"), [(10, ""), (11, "more than 10 deep"), (40, "more than 10 deep")], ids=str)
def test_letter_nested_deeper_than_ten_is_not_read(depth: int, said: str) -> None:
    """Ten levels below the letter itself are more than any program makes."""
    levels = [b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth)]
    letter = open_letter(b"From: anna@home.test\n" + b"".join(levels) + b"\n3\n")
    assert (() if said else ("3",)) == letter.lines
    assert said in str(letter.trouble or "")
    assert bool(said) == (letter.trouble is not None)


LONG = "0" * 1900


@pytest.mark.parametrize("style", [f"opacity:{LONG}x", f"overflow:hidden;width:{LONG}x", "font:" + "1." * 950, f"font:{LONG}"])
def test_styles_of_tags_take_no_long_work(style: str) -> None:
    """Thirty times what is needed and more, and less than work that grows with the square takes."""
    html = f'<p style="{style}">x</p>' * 120
    assert _seconds(f"From: anna@home.test\nContent-Type: text/html\n\n{html}".encode(), 1) < 1


def test_html_of_too_many_tags_is_not_read() -> None:
    """The parser behind it is not linear in every letter."""
    html = b"<br>" * 10_001 + b"3"
    letter = open_letter(b"From: anna@home.test\nContent-Type: text/html\n\n" + html)
    assert letter.lines == ()
    assert "10000 tags" in str(letter.trouble)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\ufdfa" * 55, ""),
        ("\ufdfa" * 60, "A line of your letter has 1080 characters"),
        ("\u00bd" * 400, "A line of your letter has 1200 characters"),
        ("x" * 1000 + ("\n" + "x" * 1000) * 9, ""),
        ("x" * 1000 + ("\n" + "x" * 1000) * 10, "What you have written has 11000 characters; at most 10000"),
    ],
    ids=["one line", "a line in signs of many letters", "fractions", "all lines", "one line more"],
)
def test_text_is_measured_as_it_will_be_read(text: str, said: str) -> None:
    """Signs that stand for many are written out before a line is read; what is read takes time for each character."""
    body = b"From: anna@home.test\nContent-Type: text/plain; charset=utf-8\n\n" + text.encode()
    filed = b'From: anna@home.test\nContent-Type: text/plain; charset=utf-8; name="turn.txt"\n\n' + text.encode()
    for letter in (open_letter(body), open_letter(filed)):
        assert said in str(letter.trouble or "")
        assert bool(said) == (letter.trouble is not None) == (not letter.lines and not letter.turn_file)


def test_oversized_letter_says_so_and_keeps_its_token() -> None:
    """The desk needs sender and token to answer; nothing of the text is read."""
    head = b"From: anna@home.test\nTo: troyes+abc@gm.test\nSubject: 3\nIn-Reply-To: <x.41.key@gm.test>\n\n3\n"
    letter = open_letter(head + b"x" * MAX_BYTES)
    assert (letter.sender, letter.recipients) == ("anna@home.test", ("troyes+abc@gm.test",))
    assert letter.references == ("<x.41.key@gm.test>",)
    assert letter.lines == ()
    assert "257 kB" in str(letter.trouble)
    assert "256 kB" in str(letter.trouble)


@pytest.mark.parametrize(
    "sent_from",
    [
        "anna@home.test, eve@home.test",
        "anna@home.test, <eve@home.test>",
        "anna@home.test <eve@home.test>",
        "<anna@home.test> <eve@home.test>",
        "Anna <anna@home.test>, Eve <eve@home.test>",
        "eve@home.test, Anna <anna@home.test>",
        "Group: anna@home.test;",
        "<anna@home.test",
        "anna at home.test",
        "anna@home.test(eve@home.test",
        "",
        "anna@home.test\nFrom: eve@home.test",
    ],
)
def test_from_that_names_nobody_or_several_is_nobody(sent_from: str) -> None:
    """Identity is one address or none."""
    letter = open_letter(f"From: {sent_from}\nReply-To: anna@home.test\nSender: anna@home.test\n\n3\n".encode())
    assert letter.sender == ""


@pytest.mark.parametrize(
    ("sent_from", "name"),
    [
        ("anna@home.test", ""),
        ("Anna@Home.Test", ""),
        ("<anna@home.test>", ""),
        ("Anna <anna@home.test>", "Anna"),
        ('"eve@home.test" <anna@home.test>', "eve@home.test"),
        ('"Eve <eve@home.test>" <anna@home.test>', "Eve <eve@home.test>"),
        ("Doe, Anna <anna@home.test>", "Doe, Anna"),
        ("anna@home.test <anna@home.test>", "anna@home.test"),
        ("=?iso-8859-1?q?Ana=EFs?= <anna@home.test>", "Anaïs"),
        ("anna@home.test (eve@home.test)", ""),
    ],
)
def test_from_is_the_address_whatever_the_name_pretends(sent_from: str, name: str) -> None:
    """Display names never count as identity."""
    letter = open_letter(f"From: {sent_from}\n\n3\n".encode())
    assert ("anna@home.test", name) == (letter.sender, letter.sender_name)


def test_defect_behind_the_door_is_told_to_the_sender(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even a defect of ours gives a letter that can be answered."""

    def broken(*_: object) -> object:
        raise RecursionError("deep")

    monkeypatch.setattr(door, "triage", broken)
    letter = open_letter(b"From: anna@home.test\n\n3\n")
    assert (letter.sender, letter.lines, letter.kind) == ("anna@home.test", (), Kind.ORDERS)
    assert letter.trouble is not None
    monkeypatch.setattr(door.headers, "from_address", broken)
    assert open_letter(b"From: anna@home.test\n\n3\n").sender == ""


def test_attached_letter_is_not_looked_into() -> None:
    """message/rfc822 is a leaf: its orders are somebody else's."""
    inner = b"From: eve@home.test\nContent-Type: text/plain\n\npass\n"
    raw = (
        b"From: anna@home.test\nContent-Type: multipart/mixed; boundary=b\n\n"
        b"--b\n\n3\n--b\nContent-Type: message/rfc822\n\n" + inner + b"\n--b--\n"
    )
    letter = open_letter(raw)
    assert (letter.lines, letter.attached) == (("3",), ("message/rfc822",))
    assert isinstance(door.mime.parse_parts(raw), Part)


def test_same_seed_gives_the_same_letters() -> None:
    """Failures can be repeated."""
    assert hostile(7, HAND_MADE + 20) == hostile(7, HAND_MADE + 20)
    assert hostile(7, HAND_MADE + 20) != hostile(8, HAND_MADE + 20)
