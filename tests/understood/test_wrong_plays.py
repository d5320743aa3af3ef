"""Letters that once played, or told all, what nobody had ordered; and titles that stand behind their number."""

from __future__ import annotations

import pytest

from pbem.reading.line_parser import parse_line

from .conftest import Sent


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("[3] Move your citizen from the Palace to City Hall", "Move your citizen from the Palace to City Hall"),
        ("[4] Always counter for me", "Always counter for me"),
        ("2. Move your guard 5 with P5", "Move your guard 5 with P5"),
    ],
)
def test_a_title_behind_its_number_is_read_as_it_stands_alone(line: str, words: str) -> None:
    assert words in parse_line(line).readings


def test_the_number_of_a_list_is_no_die(sent: Sent) -> None:
    """«2. Turn over Y5 and Y4» once turned over W2 as well."""
    for line in ("2. Turn over Y5 and Y4", "2) Turn over Y5 and Y4", "2: Turn over Y5 and Y4", "2. Retourner J5 et J4"):
        assert all("W2" not in order for order in sent(line).orders), line


@pytest.mark.parametrize(
    "line",
    [
        "farm Y5 Y4\nSent from my iPhone. Cancel that.", "farm Y5 Y4\nSent from my iPhone, not!", "farm Y5 Y4\nEnvoyé de mon iPhone, mais non",
        "pass\n\nfarm Y5 Y4", "1. pass\n2. build with W2", "Old order: farm Y5 Y4", "done: farm Y5 Y4", "fait : farm Y5 Y4",
        "farm faye:Y2 of Geoffrey", "exploiter faye:J2 de Geoffrey",
    ],
)  # fmt: skip
def test_what_takes_an_order_back_or_reports_it_asks(sent: Sent, line: str) -> None:
    assert not sent(line).orders


def test_an_advert_alone_asks_nothing(sent: Sent) -> None:
    for advert in ("Sent from my iPhone", "Virus-free. www.example.com", "Envoyé de mon iPhone"):
        assert sent(f"farm Y5 Y4\n{advert}").orders == ("farm Y5 Y4",)


def test_a_change_of_nothing_is_no_part_of_a_half_day(sent: Sent) -> None:
    alone = sent("red 2: influence", "dice")
    assert alone.orders and not sent("red 2: influence et passer", "dice").orders


@pytest.mark.parametrize(
    "text",
    ["just for Faye: I am Urbain", "my card is Urbain (Faye only)", "between us, Faye: yes", "psst faye, yes", "entre nous, Faye : oui"],
)
def test_words_that_may_be_private_are_asked_about(sent: Sent, text: str) -> None:
    read = sent(f"say {text}")
    assert not read.talk and read.choices[0].startswith("tell faye: ")


def test_who_is_only_named_is_spoken_of_to_all(sent: Sent) -> None:
    assert sent("say well done Faye").talk
