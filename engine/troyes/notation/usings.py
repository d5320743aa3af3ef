"""Clauses that name cubes: `using priest`, `using II: …`, `using distiller: W2`, several in one line.

They are taken out of a line before anything else of it is read, because each may bring a colon of its own. A clause
begins with `using` and the name of a card or tile (or the level of a tile); where that card or tile needs a word more,
a colon and that word follow. Everything after it belongs to the order again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.catalog import T
from engine.errors import NotUnderstood
from engine.kit.cursor import unknown
from engine.kit.words import folded, kebab
from engine.troyes import box
from engine.troyes.actions.activating import in_play
from engine.troyes.board import declared
from engine.troyes.notation.words import CLAUSES, NOISE, TABLES, WIDEST
from engine.troyes.state.state import TroyesState

_TOKEN = re.compile(r"[:,;]|[^\s:,;]+")
_SPELLED = " ".join(TABLES["clause"]["using"].values())
_CLAUSE = re.compile(rf"\b(?:{'|'.join(f'{_SPELLED} {folded(_SPELLED)}'.split())})\b", re.IGNORECASE)
"""A quick look before the long one; the words of the clause `using`, with accents or without."""
_BETWEEN = NOISE | {"cube", "of", "de", "d"}
LEVELS = {kebab(word): level for level, word in box.LEVELS.items()}
JOINT = "\ue000"
"""What joins a die to its district while a line is cut: a colon would end a part."""
DETAILED = frozenset({"exchange_dice", "flip_bought_die", "extra_delayed_cube"})
"""Tiles whose cubes need a word more, as those of some cards do."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One cube: `id` is a card or tile, `detail` the words after its colon."""

    id: str
    tile: bool
    detail: str = ""


def tile_of(state: TroyesState, word: str) -> str:
    """The id of the tile that a word names: a level of this game, or a name; `""` for another word."""
    folded = kebab(word)
    if folded in LEVELS:
        here = (tile.id for tile in state.tiles if state.outdoor(tile.id).level == LEVELS[folded])
        return next(here, "")
    return box.outdoor_of(folded) or ""


def names_cube(word: str) -> bool:
    """Whether a word before a colon and a die is the name of a card or tile, and not a district."""
    folded = kebab(word)
    return folded in LEVELS or box.activity_of(folded) is not None or box.outdoor_of(folded) is not None


def take(state: TroyesState, line: str) -> tuple[str, list[Clause]]:
    """The line without its clauses, and these. Raises NotUnderstood for a name that is no card and no tile, NotAllowed
    for a card of another box."""
    if not _CLAUSE.search(line):
        return line, []
    tokens = _TOKEN.findall(line)
    left: list[str] = []
    found: list[Clause] = []
    while tokens:
        token = tokens.pop(0)
        if not left or CLAUSES.get(kebab(token)) != "using":
            left.append(token)
            continue
        while tokens and kebab(tokens[0]) in _BETWEEN:
            tokens.pop(0)
        found.append(_clause(state, tokens, line))
    return " ".join(left), found


def _clause(state: TroyesState, tokens: list[str], line: str) -> Clause:
    for width in range(min(WIDEST, len(tokens)), 0, -1):
        word = "-".join(kebab(token) for token in tokens[:width])
        card = box.activity_of(word)
        tile = "" if card else tile_of(state, word)
        if card and card not in state.box.activities:
            in_play(state, card)  # of another box: it says which are in play
        if card or tile:
            del tokens[:width]
            id = card or tile
            detailed = id in DETAILED or (card and declared.of(card).names)
            return Clause(id, bool(tile), _detail(tokens) if detailed else "")
    word = tokens[0] if tokens else ""
    if kebab(word) in LEVELS:
        raise NotUnderstood(T("No outdoor tile of level {level} is in this game.", level=word.upper()))
    if not word:
        raise NotUnderstood(T("Name the card or tile after «using»."))
    raise unknown(word, line.replace(JOINT, ":"))


def _detail(tokens: list[str]) -> str:
    if not tokens or tokens[0] != ":":
        return ""
    tokens.pop(0)
    words: list[str] = []
    while tokens and tokens[0] != ":" and CLAUSES.get(kebab(tokens[0])) != "using":
        words.append(tokens.pop(0))
    return " ".join(words)
