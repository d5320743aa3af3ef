"""The words of orders, English and French together, read from `order_words.toml` beside this module.

Words are compared folded: lower case, without accents, in kebab-case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from engine.catalog import Msg, T
from engine.event_log import Data
from engine.kit.card_data import read_tables
from engine.kit.words import kebab
from engine.troyes.card_data import explain
from engine.troyes.card_data.item_names import outdoor_of
from engine.troyes.state.dice import dice_in_language
from engine.troyes.state.troyes_state import TroyesState

PARTICLES = frozenset(("out", "over", "off", "away", "back", "up"))
"""Words that form a verb with another word before them, also apart from it: «turn W1 over»."""

TABLES: Data = read_tables(__package__, "order_words")
TITLES: Data = read_tables(__package__, "title")


def _said(row: Mapping[str, str]) -> Iterator[str]:
    for text in row.values():
        yield from map(kebab, text.split())


def _meanings(table: str) -> dict[str, str]:
    """Every word of a table to its meaning."""
    return {word: meaning for meaning, row in TABLES[table].items() for word in _said(row)}


VERBS = _meanings("verb")
"""First words of orders to what they order."""

STANDING = _meanings("standing")
"""Words of standing orders besides `auto`."""

CLAUSES = _meanings("clause")
"""Words that open or close a part of an order."""

DICE = _meanings("die")
"""Words for dice, to whether they mean `one` or `many`."""

ROLES = _meanings("role") | {word: "die" for word in DICE if word not in CLAUSES}
"""Other words between the parts of an order, to what they do."""

PLACES = _meanings("place")
"""Other names of places."""

NOISE = frozenset(_said(TABLES["noise"]))
"""Words that may stand between the parts and mean nothing."""

WHOLE = frozenset(_said(TABLES["whole"]))
"""Words that are never short for others, though names begin so."""

FILLER = frozenset(_said(TABLES["filler"]["words"]))
"""Other words that mean nothing, unless something else is meant by them."""

AGAINST = _meanings("against")
"""Phrases that belong to no order, though one of their words alone does."""

MARKS = _meanings("mark")
"""Words for the signs between things."""

LINKS = frozenset(("&", "+", *MARKS))
"""Words between two things that belong together."""

ARTICLES = frozenset(_meanings("article"))
"""Articles, which tell what a word beside them is."""

SPEECH = _meanings("speech")
"""Other words for verbs."""

NUMBERS = {word: int(number) for word, number in _meanings("number").items()}
PLURALS = {f"{word}{'es' if word[-1] == 'x' else 's'}": number for word, number in NUMBERS.items() if word[0] != "u"}
PLURALS |= {f"{number}s": number for number in NUMBERS.values()}
"""Several of one value: «fives», «5s»."""

ORDINALS = {word: int(number) for word, number in _meanings("ordinal").items()}
TIMES = {word: int(number) for word, number in _meanings("times").items()}
"""How often in one word, besides the clauses `once` and `twice`."""

_DISTRICTS = _meanings("district")
DISTRICTS = frozenset(word for word, whose in _DISTRICTS.items() if whose == "gray")
"""Names of the neutral player's district; le Roy's in a solo game (A55)."""
KING = frozenset(word for word, whose in _DISTRICTS.items() if whose == "le-roy")
"""Names of le Roy's district where he plays."""

COLOURS = _meanings("colour")
"""Colours in words to their letters."""

DIE_LETTERS = _meanings("letter")
"""Colour letters, English and French: jaune, blanc, rouge, mauve."""

LETTER = f"[{''.join(DIE_LETTERS)}]"
"""A pattern of one colour letter."""

EVENT = re.compile(rf"(?:{'|'.join(word for word, role in ROLES.items() if role == 'event')})-?([0-9]{{1,2}})")
"""A pattern of an event by its number in the queue: `event-3`."""

WIDEST = 5
"""No name of a card or tile has more words."""

OPENS = {word: verb for verb, row in TITLES["opens"].items() for word in _said(row)}
"""First words of titles that begin no order, to the verb by which the grammar reads them."""

BESIDE = {verb: frozenset(_said(row)) for verb, row in TITLES["beside"].items()}
"""Verb to words that may stand in its order and add nothing."""

PARTS = {word: part for part, row in TITLES["part"].items() for word in _said(row)}
"""Words that open or close a part, besides the clauses."""

FEMININE, PLURAL = (frozenset(TITLES["french"][gender].split()) for gender in ("feminine", "plural"))
"""Cards, tiles and places whose French names are feminine, or plural."""

LEVELS = {kebab(word): level for level, word in explain.LEVELS.items()}


def tile_of(state: TroyesState, word: str) -> str:
    """The id of the outdoor tile that a folded word names by its level in this game or its name; empty for none."""
    if word in LEVELS:
        here = (tile.id for tile in state.tiles if state.outdoor(tile.id).level == LEVELS[word])
        return next(here, "")
    return outdoor_of(word) or ""


CANCELS = frozenset(word for word, meaning in STANDING.items() if meaning == "cancel")
"""First words that take standing orders back. One that begins an order for later needs its colon."""

BEGINNINGS = frozenset((*VERBS, *CANCELS, *(word for word, role in ROLES.items() if role == "hire")))
"""First words of orders."""


def _written(language: str) -> dict[str, str]:
    words: dict[str, str] = {
        row["en"].split()[0]: row[language].split()[0]
        for table in ("district", "standing", "clause", "verb")
        for row in TABLES[table].values()
    }
    words.update(TABLES["written"][language])
    return words


WRITTEN = {"fr": _written("fr")}
"""Language to its words in orders, by the English ones. A word that is missing is the same in both."""

_DICE = {"place": "Y5", "guard": "Y5", "reroll": "Y2", "build": "W5 W4", "fight": "R5 R4"}
"""Dice for the example of a verb, where others would not do."""


def needs_dice(verb: str) -> Msg:
    """Says that an order names no dice, with an example."""
    dice = _DICE.get(verb, "Y5 Y4")
    example = {
        language: f"{words.get(verb, verb)} … {words['with']} {dice_in_language(dice, language)}"
        for language, words in WRITTEN.items()
    }
    return T("Name the dice, such as «{example}».", example=T.each(f"{verb} … with {dice}", **example))
