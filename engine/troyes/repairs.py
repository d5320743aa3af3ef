"""Legal orders nearest to a line that was refused: what it wishes for, and what could be meant by it.

A line is taken apart into verbs, names and dice without being understood. Everything here reads the position as the
seat sees it, and is bounded by counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from heapq import nsmallest
from itertools import chain, islice
from typing import Any

from engine.errors import OrderRefused
from engine.kit.nearness import Nearness, Weight, is_talk, readings, respelled
from engine.kit.words import folded, kebab
from engine.troyes import box, notation
from engine.troyes.board.words import event_word, typed
from engine.troyes.box.words import KINDS, meanings
from engine.troyes.moves import legal
from engine.troyes.moves import options as offering
from engine.troyes.notation.usings import LEVELS, names_cube
from engine.troyes.notation.words import (
    CLAUSES,
    COLOURS,
    DIE_LETTERS,
    DISTRICTS,
    KING,
    LETTER,
    NOISE,
    NUMBERS,
    ROLES,
    TIMES,
    VERBS,
    WIDEST,
)
from engine.troyes.state.orders import Activate, Order
from engine.troyes.state.picks import Pick
from engine.troyes.state.state import TroyesState

_PIECE = re.compile(rf"[^\s:,;]+:{LETTER}[1-6]\b|[^\s:,;()«»\"!?]+", re.IGNORECASE)
_DIE = re.compile(r"(?:([^:]+):)?([ywrp][1-6])")
_SHORT = re.compile(rf"(?:([^:]+):)?(?:({LETTER})([1-6])|([1-6])({LETTER}))")
_OR = re.compile(r"\b((?:[a-z]+ )?[a-z]?[1-6](?: [a-z]+)?) (?:or|ou) ((?:[a-z]+ )?[a-z]?[1-6])\b", re.IGNORECASE)
"""Two dice of which one is meant: «R3 or Y5», «red 3 or yellow 5»."""
_MADE, _CHOSEN, _HIRED, _WAYS = 6000, 200, 4, 24
"""Candidates that are made, and written out; for each group the places to hire from, and the lists of choices."""
_LIGHT, _NUMBER, _OWN, _BOUGHT = (0.5, 0.2), (1.0, 0.4), (2.0, 0.8), (1.8, 1.2)
_VERB, _NAME, _PLACE = (4.5, 1.5), (3.0, 1.2), (3.0, 0.4)
"""The weights of clauses, numbers, dice, bought dice (which a line must ask for); of verbs, cards, and places."""


def repairs(state: TroyesState, seat: str, line: str, plays: Callable[[Order], bool], language: str) -> tuple[str, ...]:
    """Up to three legal orders, the nearest to a line first. `plays` tells whether an order is legal now."""
    if is_talk(line, lambda word: word in _every_word() or word in state.names or word[0].isdecimal(), _is_die):
        return ()
    here = _words_here(state)
    districts = {*state.names, *DISTRICTS, *KING, typed(state.neutral)}

    def known(word: str) -> bool:
        if short := _SHORT.fullmatch(word):
            return not short[1] or short[1] in districts or names_cube(short[1])
        return word in here or word in _every_word() or word[0] in "0123456789+"

    def parts(text: str) -> list[str]:
        return _parts(text, state, seat)

    words = _words() | frozenset(map(typed, state.names))
    nearness = Nearness(lambda order: notation.write(state, seat, order), parts, _weigh, words, plays)
    right = readings(respelled(line, known, here), lambda text: notation.read(state, seat, text).order)
    heard = _heard(state, seat, line)
    right = iter(()) if _OR.search(line) else right  # «or» is no slip
    found = nearness.nearest(line, chain(right, heard), *_others(state, seat, _wish(state, seat, parts(line))))
    return tuple(notation.write(state, seat, order, language) for order in found)


def _heard(state: TroyesState, seat: str, line: str) -> Iterator[Order]:
    """What the words of a line say that mean something, whatever stands between them; each of two dice with «or»."""
    for words in _either(line):
        meant = notation.understood(state, seat, words, loose=True)
        for one in meant.lines if meant else ():
            with suppress(OrderRefused):
                yield from _hired(state, seat, notation.read(state, seat, one).order)


def _either(line: str) -> tuple[str, ...]:
    """The line with each of two dice that «or» stands between; as it is where there are none."""
    found = _OR.search(line)
    return tuple(_OR.sub(found[side], line, count=1) for side in (1, 2)) if found else (line,)


def _hired(state: TroyesState, seat: str, order: Order) -> Iterator[Order]:
    """The order; where it activates a card that must be hired on first, with the hiring, from the supply first."""
    card = state.card(order.card) if isinstance(order, Activate) else None
    if not isinstance(order, Activate) or order.hiring or card is None or card.has(seat):
        yield order
        return
    for source in legal.sources(state, seat)[:_HIRED]:
        yield replace(order, hiring=source, space=notation.best_space(card))


# A line taken apart.


@cache
def _every_word() -> frozenset[str]:
    """Every word that means something somewhere, names also in their parts."""
    words = {*VERBS, *CLAUSES, *NOISE, *DISTRICTS, *KING, *COLOURS, *ROLES, *NUMBERS, *TIMES, *LEVELS, *box.words()}
    return frozenset(words | {part for name in words for part in name.split("-")})


@cache
def _names() -> dict[str, str]:
    """Names of cards, tiles, places and events, in both languages, to the word that orders are written with."""
    found: dict[str, str] = {}
    for kind in KINDS[:-1]:
        for word, ids in meanings(kind).items():
            found.setdefault(word, typed(ids[0]))
    return found


@cache
def _words() -> frozenset[str]:
    """What an order's parts are, dice, numbers and seats aside."""
    names = frozenset(_names().values())
    letters = map(str.lower, DIE_LETTERS.values())
    return names | {f"using {word}" for word in (*names, *LEVELS)} | {*_VERBS, *CLAUSES.values(), *LEVELS, *letters}


def _is_die(word: str) -> bool:
    """Whether a word is a die, or may be one of its words."""
    return word in COLOURS or _SHORT.fullmatch(word) is not None


def _words_here(state: TroyesState) -> frozenset[str]:
    """The words that an order may hold in this position, dice in all their letters."""
    ids = {card.id for card in state.cards} | {threat.id for threat in state.queue} | {tile.id for tile in state.tiles}
    named = [
        (word, id_)
        for kind in ("activity", "event", "outdoor", "place")
        for word, among in meanings(kind).items()
        for id_ in among
        if kind == "place" or id_ in ids
    ]
    letters = {letter: [short for short, to in DIE_LETTERS.items() if to == letter] for letter in "YWRP"}
    faces = {f"{short}{word[1:]}" for words in state.dice.values() for word in words for short in letters[word[0]]}
    faces |= {f"{typed(owner)}:{word.lower()}" for owner, words in state.dice.items() for word in words}
    parts = {part for word, _ in named for part in (word, *word.split("-"))}
    return frozenset(
        {*VERBS, *CLAUSES, *NOISE, *DISTRICTS, *state.names, *faces, *parts}
        | {event_word(state, threat.id) for threat in state.queue}
    )


def _parts(line: str, state: TroyesState, seat: str) -> list[str]:
    """Verb, names, dice and numbers of a line, each as one word, whatever language they are in."""
    pieces = [piece.strip(".'") for piece in _PIECE.findall(folded(line))]
    found: list[str] = []
    while pieces:
        pieces = pieces[_taken(pieces, found, state, seat) :]
    return found


def _taken(pieces: Sequence[str], found: list[str], state: TroyesState, seat: str) -> int:
    """Add what the first pieces are; how many they are."""
    first = pieces[0]
    if short := _SHORT.fullmatch(first):
        letter, value = (short[2], short[3]) if short[2] else (short[5], short[4])
        owner = kebab(short[1] or "")
        if not owner and found and found[-1].removesuffix("-s") in (*state.names, *DISTRICTS):
            owner = found.pop().removesuffix("-s")
        found.append(_face(owner, f"{DIE_LETTERS[letter].lower()}{value}", state, seat))
        return 1
    if first in COLOURS and pieces[1:] and pieces[1] in "123456":
        found.append(f"{COLOURS[first].lower()}{pieces[1]}")
        return 2
    width, word, meant = 1, kebab(first), ""
    for wide in range(1, min(WIDEST, len(pieces)) + 1):
        phrase = kebab("-".join(pieces[:wide]))
        means = (VERBS.get(phrase) if not found else "") or _means().get(phrase)
        if means:
            width, word, meant = wide, phrase, means
        if phrase not in _begun():
            break
    if word and word not in NOISE:
        # A card's cube is another thing than the card.
        found.append(f"using {meant or word}" if found[-1:] == ["using"] else meant or word)
    return width


@cache
def _means() -> dict[str, str]:
    """Every name, verb and clause to the word that orders are written with."""
    return {**CLAUSES, **VERBS, **_names()}


@cache
def _begun() -> frozenset[str]:
    """What names, verbs and clauses of several words begin with."""
    return frozenset(word[:at] for word in _means() for at, char in enumerate(word) if char == "-") | {""}


def _face(owner: str, die: str, state: TroyesState, seat: str) -> str:
    """A die with its district; bare when it is the seat's own."""
    if owner in DISTRICTS or (state.solo and owner in KING):
        owner = typed(state.neutral)
    return die if owner in ("", seat) else f"{owner}:{die}"


def _weigh(part: str) -> Weight:
    if die := _DIE.fullmatch(part):
        return _BOUGHT if die[1] else _OWN
    if part[0].isdecimal() or part[0] == "+":
        return _NUMBER
    if part in _CLAUSE_WORDS:
        return _LIGHT
    return _VERB if part in _VERBS else _PLACE if box.place_of(part) else _NAME


_VERBS = frozenset(VERBS.values())
_CLAUSE_WORDS = frozenset((*CLAUSES.values(), *LEVELS)) - {"place", "none", "no"}


# What could be meant by it.


@dataclass(frozen=True, slots=True)
class _Wish:
    """What a line names that is there: verbs, cards, events, a card's cube, dice with their districts, numbers."""

    verbs: frozenset[str]
    words: frozenset[str]
    dice: Counter[tuple[str, str]]
    numbers: frozenset[int]

    def far(self, order: Any) -> float:
        """How far an order is, by its dice, its source and its count alone: cheap, to keep the nearest."""
        taken = Counter((pick.owner, pick.die) for pick in _dice_of(order))
        missing, beside = (self.dice - taken).total(), (taken - self.dice).total()
        source = getattr(order, "hiring", "") or getattr(order, "source", "")
        named = source.partition(" ")[0].replace("_", "-") in self.words
        times = getattr(order, "times", 0) or getattr(order, "cubes", 0)
        counted = isinstance(times, int) and times in self.numbers
        return 2 * missing + 1.5 * beside - 0.5 * named - 0.5 * counted


def _dice_of(order: Any) -> tuple[Pick, ...]:
    picks = getattr(order, "dice", None) or ((order.die,) if hasattr(order, "die") else ())
    return tuple(pick for pick in picks if isinstance(pick, Pick))


def _wish(state: TroyesState, seat: str, parts: Sequence[str]) -> _Wish:
    faces: Counter[tuple[str, str]] = Counter()
    for part in parts:
        if found := _DIE.fullmatch(part):
            owner = found[1] or seat
            faces[(state.neutral if owner == typed(state.neutral) else owner, found[2].upper())] += 1
    numbers = frozenset(int(part) for part in parts if part.isdecimal() and len(part) < 4)
    words = frozenset(part.removeprefix("using ") for part in parts)
    return _Wish(words & frozenset(VERBS.values()), words, faces, numbers)


def _others(state: TroyesState, seat: str, wish: _Wish) -> tuple[Iterator[Order], ...]:
    """Orders that could be meant, the best ones first: the options, then what is like the wish, not yet walked.

    Where the line names dice, the options, which take others, are listed only if none of these does.
    """
    options = _options(state, seat)
    if legal.asked_kind(state, seat) != "turn":
        return (chain(options, legal.every(state, seat)),)
    like = _like(state, seat, wish)
    return (like, options) if wish.dice else (chain(options, like),)


def _options(state: TroyesState, seat: str) -> Iterator[Order]:
    """The options, made when they are asked for."""
    yield from (order for order, _ in offering.offers(state, seat))


def _like(state: TroyesState, seat: str, wish: _Wish) -> Iterator[Order]:
    """Orders of a turn that are like a wish."""
    yield from nsmallest(_CHOSEN, islice(_actions(state, seat, wish), _MADE), key=wish.far)
    yield from legal.plain(state, seat)


def _actions(state: TroyesState, seat: str, wish: _Wish) -> Iterator[Order]:
    """Actions with the dice that the line names, some of them, or others of the seat's own."""
    thin = _thin(state, seat, wish)
    cards = [card.id for card in thin.cards if typed(card.id) in wish.words]
    verbs = set(wish.verbs & set(legal.ACTIONS))
    verbs |= {"activate"} if cards else set()
    verbs |= {"fight"} if any(event_word(state, threat.id) in wish.words for threat in state.queue) else set()
    verbs = verbs or set(legal.ACTIONS)
    if "activate" in verbs:
        named = [place for place in legal.sources(state, seat) if typed(place).partition(" ")[0] in wish.words]
        hired = [*named, *legal.sources(state, seat)][:_HIRED]
        for card in cards or [card.id for card in thin.cards]:
            yield from _dressed(thin, seat, wish, legal.activations(thin, seat, card, hired, _WAYS))
    if rest := verbs - {"activate"}:
        yield from _dressed(thin, seat, wish, legal.candidates(thin, seat, rest))


def _dressed(state: TroyesState, seat: str, wish: _Wish, found: Iterator[Order]) -> Iterator[Order]:
    """The same orders, each also with the cube of a tile where the line uses one."""
    uses = bool(state.tiles) and not wish.words.isdisjoint(LEVELS)
    for order in found:
        yield order
        if uses:
            yield from islice(legal.with_tile(state, seat, order), _WAYS)


def _thin(state: TroyesState, seat: str, wish: _Wish) -> TroyesState:
    """The position with other districts' dice, and own cubes, as far as the line names them: to make candidates in."""
    thin = state.copy()
    for owner in thin.dice:
        if owner != seat:
            thin.dice[owner] = [die for die in thin.dice[owner] if wish.dice[owner, die]]
    for card in thin.cards:
        if typed(card.id) not in wish.words and state.activity(card.id).delayed:
            card.cubes.pop(seat, None)
    return thin
