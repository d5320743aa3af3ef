"""Whole games in a language in which all that a translator is given is dotted: what is not would stay English for ever."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from engine.game import AnyGame
from pbem.outbound.render import Host, Renderer
from tests.desk.room import OWN
from tests.pseudo import DOTTED, PLAIN
from tests.whole.room import NAMES, Hall

KINDS: dict[str, tuple[str, int, dict[str, str], int]] = {
    "base": ("troyes", 2, {}, 5),
    "bonus": ("troyes", 2, {"bonus": "yes"}, 5),
    "ladies": ("troyes", 2, {"ladies": "all"}, 12),
    "solo": ("troyes", 1, {"solo": "yes"}, 8),
    "dice": ("troyes-dice", 2, {"expansion": "yes"}, 6),
}
"""Kind of game to the game, its players and options, and after how many letters the sample ends."""

MARK = "——"
"""Begins the line above which one answers: it is in every language."""
TYPED = re.compile(r"«([^»]*)»|^\[\d+\] (.*?)(?= · |$)")
"""Where orders stand: between quotes, and as a choice."""
TITLE = re.compile(r"^\[\d+\] [A-Z].*?(?= · |$)")
"""The title of a choice, which its game writes by language."""
HASH = re.compile(r"\b[0-9a-f]{64}\b")
NAMED = frozenset(
    (
        *NAMES, *map(str.lower, NAMES), "Troyes", "Dice", "troyes", "troyes-dice", "gray", "le-roy",
        "palace", "bishopric", "city-hall", "Y", "W", "R", "P", "B", "x", "I", "II", "III", "IV",
        "solo", "bonus", "ladies", "all", "expansion", "yes",
    )
)  # fmt: skip
"""Names of people, games and districts, places as one types them, dice, marks of boxes, levels, and hosts' options."""
JOINING = "auto always never with using from as once times every round when have no die to space I for until max later on advance free"
JOINING += " build gain choose count's number columns from raised lowered upward downward paying on the and"
"""Words of orders and of their titles that are explained to nobody by themselves."""


def typed(game: AnyGame) -> frozenset[str]:
    """The words of orders: the game's own, and those that join them."""
    found = (*game.reference.words(), *game.reference.verbs(), *JOINING.split())
    return frozenset(one for word in found for one in (word, *word.split("-")))


def english(text: str, words: frozenset[str]) -> set[str]:
    """The words of a mail that no translator is given, and that are neither names nor words of orders at their place."""
    lines = [TITLE.sub("", HASH.sub("", line)) for line in text.splitlines() if not line.startswith(MARK)]
    orders = (found for line in lines for pair in TYPED.findall(line) for found in pair)
    told = (TYPED.sub("", line) for line in lines)
    typed = {word for word in plain(orders) if not {word, word.lower()} & words}
    return (typed - NAMED) | (plain(told) - NAMED)


def plain(parts: Iterable[str]) -> set[str]:
    return {word.rstrip("-") for part in parts for word in PLAIN.findall(part)}


def check(folder: Path, kind: str, seed: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing stays English in a game that answers drawn from the best three play."""
    monkeypatch.setattr("pbem.outbound.translation.translations", lambda language: DOTTED)
    game, players, options, _ = KINDS[kind]
    hall, dice = Hall(folder, game), random.Random(seed)
    words = typed(hall.rules)
    hall.renderer = Renderer(Host(OWN, True), look=lambda language: DOTTED)
    hall.restart()
    hall.seat_all(players, seed=bytes([seed]) * 32, options=options)
    for _ in range(most):
        seat = next((one.seat for one in hall.rules.waiting(hall.position()) if not one.answered), None)
        if seat is None:
            break
        hall.send(seat, str(dice.choice((1, 1, 1, 2, 3))))
    else:
        assert most == KINDS[kind][3]
    for got in hall.mails():
        assert set() == english(f"{got.message['Subject']}\n{got.text}", words), got.text


@pytest.mark.parametrize("kind", KINDS)
def test_a_translator_is_given_all_that_mails_say(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(tmp_path, kind, 1, KINDS[kind][3], monkeypatch)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
def test_soak_of_whole_games_in_a_pseudo_language(
    kind: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(tmp_path, kind, seed, 400, monkeypatch)


def test_what_no_translator_is_given_is_found() -> None:
    """Filled in, or beside a sentence; in a choice, words of orders pass, and nothing else."""
    said = DOTTED.gettext("{who} waits: «{order}»")
    assert set() == english(said.format(who="Anna", order="pass"), frozenset(["pass"]))
    assert {"he"} == english(said.format(who="he", order="pass"), frozenset(["pass"]))
    assert {"passes"} == english("[1] passes", frozenset(["pass"]))
    assert {"pass"} == english(f"pass {said}", frozenset(["pass", "order", "who"])) - {"who", "order"}
