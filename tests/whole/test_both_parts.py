"""Text and page of a mail say the same: what a line of the text part tells is told by the HTML part too."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from tests.desk.room import Got
from tests.parts import page_of
from tests.tools.kinds_of_mail import FULLEST, mails
from tests.tools.measure_mails import GAMES
from tests.whole.room import Hall

WORD = re.compile(r"\w+")
UNSEEN = re.compile(r"<head>.*?</head>|<div style=\"display:none.*?</div>|<[^>]*>", re.DOTALL)

OTHER_WORDS = (
    r"^(Write above or below|To answer, reply|Any time:|Écrivez au-dessus|Répondez à ce courriel|À tout moment).*",
    # The reader's own side is headed «You»; colours of citizens are letters on their colour.
    r"^(Yours|Vous avez)\s?:|\b(citizens|habitants)\b|\b(red|yellow|white|rouges|jaunes|blancs) (?=\d)",
    # Headings of what is drawn under captions of its own; legends of a sheet that is drawn.
    r"^(BUILDINGS|BÂTIMENTS|OTHER PLAYERS|LES AUTRES JOUEURS|THE WHEEL|LA ROUE)$",
    r"^(WHAT THE BOXES BRING|CE QUE RAPPORTENT LES CASES) .*|^\(- (open|libre).*|(?<=: )[-Bx]( [-Bx]){5}$",
    # Dice of a building's rows, the columns of the cathedral: beside what is drawn.
    r"\b(to row|à la ligne) \d|; (full|plein)$|, (full|plein)$|(at the end|à la fin)\.$|\bcolumn 1 to 6\b",
    r"\b(Clockwise from|Dans l'ordre du tour, depuis le premier joueur)\b|\b(Now|À présent) (?=\w+ \d)|(?<=Le Roy)'s",
)
"""What the page says otherwise: in another place, drawn, or in words of its own."""

OTHERWISE = re.compile("|".join(OTHER_WORDS), re.MULTILINE)


def unsaid(text: str, page: str) -> list[str]:
    """The lines of a text with words that its page does not say."""
    known = set(WORD.findall(unescape(UNSEEN.sub(" ", page)).lower()))
    return [line for line in text.split("\n") if not known.issuperset(WORD.findall(OTHERWISE.sub("", line).lower()))]


def test_a_line_that_the_page_leaves_out_is_found() -> None:
    page = '<html lang="en"><body><p>You: choose. Yours: 3 deniers.</p></body></html>'
    assert unsaid("You: choose.\nComputers play here: Bob.\nYours: 3 deniers\nWrite above or below. Also: help.", page) == [
        "Computers play here: Bob."
    ]


QUICK = ("solo dice", "clock", "host", "moderator")


@pytest.mark.parametrize(
    "name",
    [
        *QUICK,
        *(pytest.param(one, marks=pytest.mark.soak) for one in dict.fromkeys((*GAMES, *FULLEST)) if one not in QUICK),
    ],
)
def test_the_page_of_every_kind_of_mail_says_what_its_text_says(name: str, tmp_path: Path) -> None:
    found = [(sort, unsaid(got.text, page_of(got.message))) for sort, got in mails([name], tmp_path) if paged(got)]
    assert found and [(sort, lines) for sort, lines in found if lines] == []


def paged(got: Got) -> bool:
    """Whether a mail has a page at all."""
    return got.message.get_body(("html",)) is not None


def test_whoever_is_asked_reads_in_both_who_is_played_by_a_computer(tmp_path: Path) -> None:
    hall = Hall(tmp_path, "troyes")
    hall.seat_all(3)
    asked = hall.asked() or ""
    leaves = next(seat for seat in ("anna", "faye") if seat != asked)
    for words in ("resign", "yes"):
        hall.send(leaves, words)
    hall.send(asked, "status")
    got = hall.last(asked)
    assert "\nComputers play here: " in got.text and "\nYou: " in got.text
    assert unsaid(got.text, page_of(got.message)) == []


def test_a_board_to_forward_says_in_both_how_the_columns_are_numbered(tmp_path: Path) -> None:
    hall = Hall(tmp_path, "troyes-dice")
    hall.seat_all(3, options={"numbering": "crier"})
    asked = hall.asked() or ""
    for words in ("2", "board"):
        hall.send(asked, words)
    got = hall.last(asked)
    assert "\nColumns 1 to 6 carry the numbers " in got.text
    assert unsaid(got.text, page_of(got.message)) == []
