"""Nothing a mail prints is unknown to `help` or `card`: every word of the game, in whole games of each kind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.errors import NotUnderstood, OrderRefused
from engine.game import Seat
from engine.kit.words import kebab
from pbem.desk import commands
from pbem.desk.commands import info_commands
from pbem.desk.core.context import Context
from pbem.desk.core.request import Request
from pbem.outbound.translation import language_catalogue
from tests.whole.room import Hall

KINDS = {
    "base": ("troyes", 2, {}),
    "bonus": ("troyes", 3, {"bonus": "yes"}),
    "ladies": ("troyes", 2, {"ladies": "all"}),
    "solo": ("troyes", 1, {}),
    "dice": ("troyes-dice", 2, {}),
    "banquets": ("troyes-dice", 1, {"expansion": "yes"}),
}
LETTERS = 14
_OPTION = re.compile(r"^\[\d+\] ([^A-Z].*?)(?: · .*)?$", re.MULTILINE)
"""A choice in the words of orders; a title is a sentence."""
_QUOTED = re.compile(r"«([^»]+)»")
_WORD = re.compile(r"[A-Za-z][A-Za-z'.-]*[0-9]?|[A-Za-z]")
ASKED = ("help", "card")
TOPICS = {
    "troyes": {"order", "orders", "tile", "P", "auto", "verbs", "verb", "card", "Y5", "gray", "vp", "hiring", "using"},
    "troyes-dice": {"order", "orders", "pay", "verbs", "verb", "card", "Y5", "as", "vp", "plaza"},
}
"""What people ask about, beside what stands in the mails."""


def words_of(hall: Hall, text: str) -> set[str]:
    """The words of a mail that are words of the game: of orders, quoted or listed, of its names and commands."""
    reference = hall.rules.reference
    verbs, known = reference.verbs() | commands.command_words(), set(reference.words())
    lines = _OPTION.findall(text) + [line for line in _QUOTED.findall(text) if kebab(line.split()[0]) in verbs]
    people = {kebab(name) for name in ("anna", "faye", "geoffrey", "heron")}
    found = {word.strip(".'") for line in lines for word in _WORD.findall(line)}
    found |= {word for word in map(kebab, _WORD.findall(text)) if word in known}
    found |= {word for word in map(kebab, _WORD.findall(text.replace(" ", "-"))) if word in known}
    return {word for word in found if kebab(word) not in people and word.islower() | (len(word) < 4)}


def unknown(request: Request, words: set[str]) -> set[str]:
    """Those of the words that lead nowhere."""
    lost = set()
    for asked in ASKED:
        command = next(one for one in commands.COMMANDS if one.word == asked)
        for word in words:
            try:
                told = info_commands.answer_question(command, word, request, commands.COMMANDS)
            except NotUnderstood:
                lost.add(f"{asked} {word}")
            else:
                assert told and all(block.lines for block in told), (asked, word)
    return lost


def context_of(hall: Hall) -> Context:
    with hall.store.open(hall.table).lock() as repo:
        return hall.desk.context(repo)


@pytest.mark.parametrize("kind", KINDS)
def test_every_word_of_every_mail_is_explained(tmp_path: Path, kind: str) -> None:
    game, players, options = KINDS[kind]
    hall = Hall(tmp_path, game)
    hall.seat_all(players, options=options)
    for at in range(LETTERS):
        seat = hall.asked()
        if seat is None:
            break
        hall.send(seat, ("1", "2", "options", "status", "farm W6", "help", "1", "1")[at % 8])
    words = {word for got in hall.mails() for word in words_of(hall, got.text)}
    request = Request(context=context_of(hall), seat=Seat("anna"), lines=(), written=())
    assert set() == unknown(request, words | TOPICS[game])
    assert len(words) > 15


def test_a_word_of_no_game_leads_nowhere(tmp_path: Path) -> None:
    """The law is no decoration."""
    hall = Hall(tmp_path)
    hall.seat_all(2)
    request = Request(context=context_of(hall), seat=Seat("anna"), lines=(), written=())
    assert {"help spaceship", "card spaceship"} == unknown(request, {"spaceship", "palace"})


def test_help_alone_lists_every_verb_with_a_spelling_from_here(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.seat_all(2)
    seat = str(hall.asked())
    hall.send(seat, "help")
    text = hall.last(seat).text
    listed = dict(re.findall(r"^([a-z]+): «([^»]+)»", text, re.MULTILINE))
    verbs = {"activate", "build", "fight", "place", "farm", "pass", "reroll", "flip", "recruit", "counter"}
    assert {"settle"} == verbs.union({"settle"}) & listed.keys(), "in the placement nothing else can be given"
    (later,) = re.findall(r"^When they can be given: .*$", text, re.MULTILINE)
    assert verbs <= {order.split()[0].rstrip(":") for order in _QUOTED.findall(later)}
    assert len(list(filter(None, text.splitlines()))) <= 50, "the list is no wall"
    heads = [line for line in text.splitlines() if line.isupper()]
    assert ["QUESTIONS", "TRYING AND TAKING BACK", "TALK AND NOTES", "YOUR TIME, YOUR MAILS, YOUR SEAT"] == heads[2:]
    assert hall.rules.read(hall.position(), Seat(seat), listed["settle"]).text == listed["settle"]
    hall.send(seat, "help settle")
    assert "INITIAL PLACEMENT" in hall.last(seat).text and f"settle: «{listed['settle']}»" in hall.last(seat).text


@pytest.mark.parametrize("kind", ["troyes", "troyes-dice"])
def test_orders_to_imitate_say_the_same_in_each_language(tmp_path: Path, kind: str) -> None:
    """What can be given now is read as one order; what cannot is refused for one reason, or is the same wish."""
    hall = Hall(tmp_path, kind)
    hall.seat_all(2, options={"ladies": "all"} if kind == "troyes" else {"expansion": "yes"})
    state, seat = hall.position(), Seat(str(hall.asked()))

    def means(text: str) -> str:
        try:
            return str(hall.rules.read(state, seat, text).order)
        except OrderRefused as refused:
            return type(refused).__name__

    french = language_catalogue("fr")
    for one in hall.rules.reference.spellings(state, seat):
        assert means(str(one.order)) == means(french.render(one.order)), one.verb
        assert str(one.order) != french.render(one.order), one.verb


def test_a_name_that_is_nearly_known_is_offered_in_the_readers_language(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.seat_all(2)
    seat = str(hall.asked())
    hall.send(seat, "card mercant")
    assert "Nearest to what you wrote:\n[1] card merchant" in hall.last(seat).text
    hall.send(seat, "1")
    assert "MERCHANT" in hall.last(seat).text
    hall.send(seat, "card nonsense")
    assert "Nearest to what you wrote:\n[1] help" in hall.last(seat).text
