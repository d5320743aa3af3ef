"""The corpus: letters like those of real programs, each with what it must be read as in `letters/expected.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbem.inbound.incoming_letter import Letter, open_letter

FOLDER = Path(__file__).parent / "letters"
OWN = frozenset({"troyes@gm.test", "Troyes by Mail"})
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((FOLDER / "expected.toml").read_text(encoding="utf-8"))
LETTERS = sorted(path.stem for path in FOLDER.glob("*.eml"))

PLAIN = ("sender", "subject", "asks_subject", "message_id")
LISTS = ("raw_lines", "references", "recipients", "attached", "turn_file")


def _opened(name: str) -> Letter:
    return open_letter((FOLDER / f"{name}.eml").read_bytes(), OWN)


def test_every_letter_has_an_expectation_and_the_other_way_round() -> None:
    """A letter that nobody says anything about tests nothing."""
    assert sorted(EXPECTED) == LETTERS
    assert len(LETTERS) >= 300
    for name, wanted in EXPECTED.items():
        assert {"kind", "sender"} <= set(wanted), name
        assert {"lines", "outcome"} & set(wanted), name


@pytest.mark.parametrize("name", LETTERS)
def test_letter_is_read_as_expected(name: str) -> None:
    """One letter of one program, with its habits."""
    wanted, letter = EXPECTED[name], _opened(name)
    assert wanted["kind"] == letter.kind
    # Where what becomes of it is told, that is more than its lines (tests/understood).
    if "lines" in wanted:
        assert tuple(wanted["lines"] * wanted.get("lines_times", 1)) == letter.lines
    assert len(letter.lines) == len(letter.raw_lines)
    for field in PLAIN:
        if field in wanted:
            assert wanted[field] == getattr(letter, field), field
    if "bounced" in wanted:
        report = letter.report
        assert wanted["bounced"] == (report.to[0] if report and report.to else "")
        assert wanted["permanent"] == (report is not None and report.what == "failed")
    for field in LISTS:
        if field in wanted:
            assert tuple(wanted[field]) == getattr(letter, field), field
    if "name" in wanted:
        assert wanted["name"] == letter.sender_name
    if "trouble" in wanted:
        assert letter.trouble is not None
        assert wanted["trouble"] in str(letter.trouble)
    else:
        assert letter.trouble is None
    assert bool(letter.auto) == (letter.kind != "orders")


@pytest.mark.parametrize("name", [name for name in LETTERS if EXPECTED[name]["kind"] not in ("orders", "forward", "bulk")])
def test_no_line_is_read_from_what_no_person_wrote(name: str) -> None:
    """Bounces and echoes hold our own examples (survey, item 12)."""
    letter = _opened(name)
    assert (letter.lines, letter.raw_lines, letter.turn_file) == ((), (), ())


def test_letters_cover_the_programs_people_use() -> None:
    """The issue names them."""
    wanted = ("gmail-web", "gmail-android", "gmail-ios", "outlook-desktop", "outlook-web", "outlook-ios",
              "outlook-android", "apple-iphone", "apple-mac", "icloud", "thunderbird", "k9", "fairemail", "samsung",
              "yahoo", "proton", "fastmail", "gmx", "webde", "tonline", "orange", "free", "sfr", "laposte", "roundcube",
              "zimbra", "sogo", "horde", "mutt", "neomutt", "alpine", "s-nail", "evolution", "kmail", "claws",
              "emclient", "mailspring", "spark", "bluemail", "tuta")  # fmt: skip
    assert tuple(program for program in wanted if not any(program in name for name in LETTERS)) == ()


@pytest.mark.parametrize(
    ("field", "kind"),
    [
        ("X-Loop: (troyes)", "orders"),
        ("X-Autoreply: ;", "robot"),
        ("X-Auto-Response-Suppress: DR, RN, NRN, OOF, AutoReply", "orders"),
        ("List-Id: (the town)", "bulk"),
        ("Precedence: Bulk", "bulk"),
        ("Precedence: bulk (at night)", "orders"),
        ("Precedence: list; all", "orders"),
        ("Precedence: first-class", "orders"),
        ("Auto-Submitted: no (by hand); at=night", "orders"),
        ("Auto-Submitted: auto-replied (vacation); at=night", "robot"),
    ],
)
def test_a_field_tells_by_being_there_and_only_one_is_read_without_its_comments(field: str, kind: str) -> None:
    """Comments and parameters belong to the grammar of Auto-Submitted alone (RFC 3834, section 5)."""
    letter = f"From: anna@people.test\r\nTo: troyes@gm.test\r\nSubject: 3\r\n{field}\r\n\r\n3\r\n"
    assert kind == open_letter(letter.encode(), OWN).kind


@pytest.mark.parametrize(
    ("field", "kind"), [("List-Id: <town.test>", "bulk"), ("Return-Path: <>", "robot"), ("X-Note: -", "calendar")]
)
def test_the_subject_of_a_calendar_is_asked_last(field: str, kind: str) -> None:
    """A person may attach a calendar: all else that a letter says of itself is surer than such a subject."""
    parts = "--q\r\n\r\n3\r\n--q\r\nContent-Type: text/calendar; name=x.ics\r\n\r\nBEGIN:VCALENDAR\r\n--q--\r\n"
    head = f"From: anna@people.test\r\nSubject: Accepted: dinner\r\n{field}\r\nContent-Type: multipart/mixed; boundary=q"
    assert kind == open_letter(f"{head}\r\n\r\n{parts}".encode(), OWN).kind


@pytest.mark.parametrize(
    "written",
    ["Anna <anna@people.test>", "Anna (at (her (old)) desk) <anna@people.test>", "anna@people.test (Anna (the first))"],
)
def test_a_comment_within_a_comment_is_a_comment(written: str) -> None:
    """RFC 5322, section 3.2.2: whoever writes so is a person and no stranger."""
    letter = f"From: {written}\r\nTo: troyes@gm.test\r\nSubject: 3\r\n\r\n3\r\n"
    assert "anna@people.test" == open_letter(letter.encode(), OWN).sender
