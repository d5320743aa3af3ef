"""The words orders are made of, English and French together, read from `words.toml` beside this module.

Words are compared folded: lower case, without accents, in kebab-case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from engine.catalog import Msg, T
from engine.chronicle import Data
from engine.kit.box import read_tables
from engine.kit.words import kebab
from engine.troyes.card_data import explain
from engine.troyes.card_data.item_names import outdoor_of
from engine.troyes.state.dice import dice_in_language
from engine.troyes.state.troyes_state import TroyesState

PARTICLES = frozenset(("out", "over", "off", "away", "back", "up"))
"""Words that are a verb with another before them, also behind what that is done to: «turn W1 over»."""

TABLES: Data = read_tables(__package__, "words")
TITLES: Data = read_tables(__package__, "title")


def _said(row: Mapping[str, str]) -> Iterator[str]:
    for text in row.values():
        yield from map(kebab, text.split())


def _meanings(table: str) -> dict[str, str]:
    """Every word of a table to what it means."""
    return {word: meaning for meaning, row in TABLES[table].items() for word in _said(row)}


VERBS = _meanings("verb")
"""The first word of an order to what it orders."""

STANDING = _meanings("standing")
"""What standing orders begin with beside `auto`, and what stands in them."""

CLAUSES = _meanings("clause")
"""Words that open or close a part of an order."""

DICE = _meanings("die")
"""What dice are called, to whether that is `one` or `many`."""


ROLES = _meanings("role") | {word: "die" for word in DICE if word not in CLAUSES}
"""What else people write between the parts, and what that does."""

PLACES = _meanings("place")
"""What else a place may be called."""

NOISE = frozenset(_said(TABLES["noise"]))
"""Words that may stand between the parts and say nothing."""


WHOLE = frozenset(_said(TABLES["whole"]))
"""Words that are never short for others, though names begin so."""

FILLER = frozenset(_said(TABLES["filler"]["words"]))
"""What else says nothing, where nothing else is meant by it."""

AGAINST = _meanings("against")
"""Words that together are no part of any order, though one of them alone is."""

MARKS = _meanings("mark")
"""Words for the signs between things."""

LINKS = frozenset(("&", "+", *MARKS))
"""What stands between two that belong together."""

ARTICLES = frozenset(_meanings("article"))
"""Articles that tell what a word beside them is."""

SPEECH = _meanings("speech")
"""What else people say for a verb."""

NUMBERS = {word: int(number) for word, number in _meanings("number").items()}
PLURALS = {f"{word}{'es' if word[-1] == 'x' else 's'}": number for word, number in NUMBERS.items() if word[0] != "u"}
PLURALS |= {f"{number}s": number for number in NUMBERS.values()}
"""Several of one value: «fives», «5s»."""

ORDINALS = {word: int(number) for word, number in _meanings("ordinal").items()}
TIMES = {word: int(number) for word, number in _meanings("times").items()}
"""How often, in one word, beside the clauses `once` and `twice`."""

_DISTRICTS = _meanings("district")
DISTRICTS = frozenset(word for word, whose in _DISTRICTS.items() if whose == "gray")
"""What the neutral player's district may be called; le Roy's in a solo game (A55)."""
KING = frozenset(word for word, whose in _DISTRICTS.items() if whose == "le-roy")
"""What le Roy's district may be called where he plays."""

COLOURS = _meanings("colour")
"""Colours in words to their letters."""

DIE_LETTERS = _meanings("letter")
"""Colour letters, English and French: jaune, blanc, rouge, mauve."""

LETTER = f"[{''.join(DIE_LETTERS)}]"
"""One of them, as a pattern."""

EVENT = re.compile(rf"(?:{'|'.join(word for word, role in ROLES.items() if role == 'event')})-?([0-9]{{1,2}})")
"""An event by its number in the queue: `event-3`."""

WIDEST = 5
"""No name of a card or tile has more words."""

OPENS = {word: verb for verb, row in TITLES["opens"].items() for word in _said(row)}
"""What titles begin with that no order does, to how they are read (`grammar`)."""

BESIDE = {verb: frozenset(_said(row)) for verb, row in TITLES["beside"].items()}
"""What may stand in an order of each kind, and says nothing more of it."""

PARTS = {word: part for part, row in TITLES["part"].items() for word in _said(row)}
"""What opens or closes a part, beside the clauses."""

FEMININE, PLURAL = (frozenset(TITLES["french"][gender].split()) for gender in ("feminine", "plural"))
"""Cards, tiles and places whose French names are so."""

LEVELS = {kebab(word): level for level, word in explain.LEVELS.items()}


def tile_of(state: TroyesState, word: str) -> str:
    """The id of the outdoor tile that a folded word names: a level of this game, or a name; `""` for another word."""
    if word in LEVELS:
        here = (tile.id for tile in state.tiles if state.outdoor(tile.id).level == LEVELS[word])
        return next(here, "")
    return outdoor_of(word) or ""


CANCELS = frozenset(word for word, meaning in STANDING.items() if meaning == "cancel")
"""What takes standing orders back. What begins one for later is none without its colon: people say it as often."""

BEGINNINGS = frozenset((*VERBS, *CANCELS, *(word for word, role in ROLES.items() if role == "hire")))
"""What an order may begin with."""


def _written(language: str) -> dict[str, str]:
    words: dict[str, str] = {
        row["en"].split()[0]: row[language].split()[0]
        for table in ("district", "standing", "clause", "verb")
        for row in TABLES[table].values()
    }
    words.update(TABLES["written"][language])
    return words


WRITTEN = {"fr": _written("fr")}
"""Language to the words that orders are written with in it, by the English ones; what is left out is as it stands."""


_DICE = {"place": "Y5", "guard": "Y5", "reroll": "Y2", "build": "W5 W4", "fight": "R5 R4"}
"""Dice that a verb takes, where others would not do: one, or those of its colour."""


def needs_dice(verb: str) -> Msg:
    """That an order names no dice, with how it would."""
    dice = _DICE.get(verb, "Y5 Y4")
    example = {
        language: f"{words.get(verb, verb)} … {words['with']} {dice_in_language(dice, language)}"
        for language, words in WRITTEN.items()
    }
    return T("Name the dice, such as «{example}».", example=T.each(f"{verb} … with {dice}", **example))
