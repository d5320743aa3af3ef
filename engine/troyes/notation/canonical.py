"""Canonical lines read without the grammar: each part is looked up among the parts that orders are written with.

The tables are the writer's words turned round, in each language that orders are written in. A line that holds anything
else is not read here, and neither is one that the grammar would ask about: the grammar says what it means. What a
position has to say of the parts is asked of the functions that the grammar asks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache

from engine.catalog import Msg
from engine.errors import NotUnderstood, Unclear
from engine.game import Reading
from engine.kit.words import kebab
from engine.troyes import box
from engine.troyes.actions.unsaid import most_cubes
from engine.troyes.board import declared
from engine.troyes.board.choices import USE
from engine.troyes.board.words import event_word, typed
from engine.troyes.notation.activation import completed
from engine.troyes.notation.cursor import Wording, find_event
from engine.troyes.notation.usings import Clause, names_cube
from engine.troyes.notation.words import CLAUSES, DISTRICTS, WRITTEN
from engine.troyes.notation.writing import OrderWriter, Vocabulary, write
from engine.troyes.state import dice, orders, places
from engine.troyes.state.orders import Order
from engine.troyes.state.picks import NOTHING_USED, Pick, Using
from engine.troyes.state.state import NEUTRALS, TroyesState

_COUNTS = 100
"""Numbers from here on are left to the grammar."""
_COUNTED = ((orders.NOTHING,), (USE,))
"""What is chosen first where the line may have to say how often."""
_DIE = r"[^\s:]+(?::[^\s:]+)?"
_DICE = rf"({_DIE}(?: {_DIE})*?)"


class _Unwritten(Exception):  # noqa: N818 - nothing is wrong with the line
    """The line is not written so, or not surely."""


class _Words(dict[str, str]):
    """What each word means."""

    def __missing__(self, word: str) -> str:
        raise _Unwritten


class _Counts(dict[str, int]):
    """The same of numbers."""

    def __missing__(self, word: str) -> int:
        raise _Unwritten


COUNTS = _Counts({str(number): number for number in range(_COUNTS)})
LEVELS = _Counts({word: level for level, word in box.LEVELS.items()})


class _OrderWords(Vocabulary):
    """The words of one language as orders are written in it, to what they mean."""

    def __init__(self, language: str) -> None:
        super().__init__(language)
        say = self.say
        cards = {ids[0] for ids in box.meanings("activity").values()}
        spots = (*map(str, places.SPACES), *(f"{on} {places.LYING}" for on in places.BUILDINGS), places.SUPPLY)
        self.exact = self.language == "en"
        """Whether what is written in it is the text of a reading."""
        self.cards = _Words({self.named(id): id for id in cards if box.activity_of(self.named(id)) == id})
        self.places = _Words(self.cards | {self.place(spot): spot for spot in spots})
        self.dice = _Words({dice.written(die, self.language): die for die in dice.FACES})
        self.neutrals = _Words({say(typed(owner)): owner for owner in NEUTRALS})
        self.heads = {
            dice.written(Pick("", die, colour).word("", say), self.language): (die, colour)
            for die in dice.FACES
            if dice.colour(die) not in dice.COLOURS
            for colour in dice.COLOURS
        }
        """Purple dice with the colour that they take."""
        self.cubes = _Counts({f"cube {word}": level for word, level in LEVELS.items()})
        self.advance = f"{say('advance')} "
        self.from_, self.with_, self.using = (f" {say(word)} " for word in ("from", "with", "using"))
        using = rf"(?:{self.using}(\S+))?"
        self.activation = re.compile(
            rf"(\S+)(?: {say('hiring')}{self.from_}(\S+(?: \S+)??))?(?: {say('to space')} ([0-9]))?"
            rf"(?: (?:({say('once')})|([1-9][0-9]?) {say('times')}))?{self.with_}{_DICE}{using}(?:: (.+))?"
        )
        self.fight = re.compile(rf"(\S+)(?: ([1-9]) cubes?)?{self.with_}{_DICE}{using}")


Found = tuple[Order, tuple[Msg, ...], bool]
"""An order, what was filled in, and whether the line is surely as it is written."""
Reader = Callable[[_OrderWords, TroyesState, str, str], Found]
"""What reads a line behind its verb, for a seat. Raises _Unwritten, and OrderRefused once all words are known."""


def read(state: TroyesState, seat: str, line: str) -> Reading[Order] | None:
    """The order of a canonical line, as the grammar reads it; None where that has to say what a line means. Raises
    NotAllowed, as the grammar does."""
    verb, blank, rest = line.partition(" ")
    reads = _verbs().get(verb)
    if reads is None or (blank and not rest):
        return None
    language, reader = reads
    try:
        order, assumed, written = reader(language, state, seat, rest)
    except (_Unwritten, NotUnderstood, Unclear):
        return None
    return Reading(order, line if written and language.exact else write(state, seat, order), assumed)


@cache
def _verbs() -> dict[str, tuple[_OrderWords, Reader]]:
    """The first word of a line to what reads the others."""
    turned = [_OrderWords(language) for language in ("en", *WRITTEN)]
    return {language.say(verb): (language, reader) for language in turned for verb, reader in READERS.items()}


# Parts.


_taken = lru_cache(1024)(Pick)


@lru_cache(256)
def _is_handle(word: str) -> bool:
    """Whether a word that is a seat can be nothing else, and is read as it stands."""
    return kebab(word) == word and not (word in DISTRICTS or word in CLAUSES or names_cube(word))


def _owner(language: _OrderWords, state: TroyesState, seat: str, word: str) -> str:
    """Somebody else whose die it is."""
    if word in state.names:
        if word == seat or not _is_handle(word):
            raise _Unwritten
        return word
    if (owner := language.neutrals[word]) != state.neutral:
        raise _Unwritten
    return owner


def _pick(language: _OrderWords, state: TroyesState, seat: str, word: str) -> Pick:
    if word in language.heads:
        return _taken(seat, *language.heads[word])
    owner, colon, die = word.rpartition(":")
    return _taken(_owner(language, state, seat, owner) if colon else seat, language.dice[die])


def _picks(language: _OrderWords, state: TroyesState, seat: str, words: str) -> tuple[Pick, ...]:
    own = language.dice
    return tuple(
        [_taken(seat, own[word]) if word in own else _pick(language, state, seat, word) for word in words.split(" ")]
    )


def _own(language: _OrderWords, words: str) -> tuple[str, ...]:
    return tuple([language.dice[word] for word in words.split(" ")])


def _cube(language: _OrderWords, state: TroyesState, word: str) -> str:
    """A card whose cubes need no other word."""
    card = language.cards[word]
    if card not in state.box.activities or declared.of(card).names:
        raise _Unwritten
    return card


def _using(language: _OrderWords, state: TroyesState, rest: str) -> tuple[str, Using]:
    """A line without the cube of a card at its end, and this."""
    rest, said, card = rest.partition(language.using)
    return rest, Using(_cube(language, state, card)) if said else NOTHING_USED


def _some(word: str) -> int:
    """A number that is not 0."""
    return COUNTS[word] or COUNTS[""]


def _tile(state: TroyesState, level: int) -> str:
    """The outdoor tile of a level that is in play."""
    for tile in state.tiles:
        if state.box.outdoor[tile.id].level == level:
            return tile.id
    raise _Unwritten


def _events(state: TroyesState, words: str) -> tuple[tuple[str, ...], bool]:
    """Events of the queue, and whether they are written so in English."""
    said = words.split(", ")
    found = tuple([find_event(state, kebab(word)) for word in said])
    return found, all(event_word(state, id) == word for id, word in zip(found, said, strict=True))


# Verbs.


def _settle(language: _OrderWords, state: TroyesState, seat: str, rest: str) -> Found:
    known = language.places
    return orders.Settle(tuple([known[place] for place in rest.split(", ")])), (), True


def _reroll(language: _OrderWords, state: TroyesState, seat: str, rest: str) -> Found:
    return orders.Reroll(language.dice[rest]), (), True


def _flip(language: _OrderWords, state: TroyesState, seat: str, rest: str) -> Found:
    return orders.Flip(_own(language, rest)), (), True


def _recruit(language: _OrderWords, state: TroyesState, seat: str, rest: str) -> Found:
    return orders.Recruit(COUNTS[rest]), (), True


def _activate(language: _OrderWords, state: TroyesState, seat: str, rest: str) -> Found:
    found = language.activation.fullmatch(rest)
    if found is None:
        raise _Unwritten
    word, hiring, space, once, times, words, cube, tail = found.groups()
    card, picks = language.cards[word], _picks(language, state, seat, words)
    if card not in state.box.activities:
        raise _Unwritten
    cursor = Wording(state, seat, rest, [])
    if cube is not None:
        cursor.clauses = [Clause(_cube(language, state, cube), False)]
    if tail is not None:
        cursor.tail = tail.split(", ")
        for part in cursor.tail:
            if part in state.names and not _is_handle(part):
                raise _Unwritten
    order = completed(
        cursor,
        card,
        picks,
        language.places[hiring] if hiring else "",
        int(space) if space else -1,
        1 if once else int(times) if times else 0,
    )
    written = not (space or once or times) and order.targets[:1] not in _COUNTED
    if written and (tail or order.targets):
        written = tail == ", ".join(map(OrderWriter(state, seat, language.language).target, order.targets))
    return order, tuple(cursor.assumed), written


def _build(language: _OrderWords, state: TroyesState, seat: str, rest: str) -> Found:
    rest, using = _using(language, state, rest)
    with_ = language.with_[1:]
    if not rest.startswith(with_):
        raise _Unwritten
    return orders.Build(_picks(language, state, seat, rest[len(with_) :]), using), (), True


def _fight(language: _OrderWords, state: TroyesState, seat: str, rest: str) -> Found:
    found = language.fight.fullmatch(rest)
    if found is None:
        raise _Unwritten
    word, cubes, words, cube = found.groups()
    picks = _picks(language, state, seat, words)
    using = Using(_cube(language, state, cube)) if cube else NOTHING_USED
    event = find_event(state, kebab(word))
    if cubes:
        return orders.Fight(event, picks, int(cubes), using), (), False
    most = most_cubes(state, seat, event, picks, using)
    return orders.Fight(event, picks, max(1, most), using), (), most > 0 and event_word(state, event) == word


def _place(language: _OrderWords, state: TroyesState, seat: str, rest: str) -> Found:
    rest, using = _using(language, state, rest)
    die, _, source = rest.partition(language.from_)
    return orders.Station(_pick(language, state, seat, die), language.places[source], using), (), True


def _farm(language: _OrderWords, state: TroyesState, seat: str, rest: str) -> Found:
    rest, using = _using(language, state, rest)
    return orders.Farm(_picks(language, state, seat, rest), using), (), True


def _pass(language: _OrderWords, state: TroyesState, seat: str, rest: str) -> Found:
    if rest:
        raise _Unwritten
    return orders.Pass(), (), True


def _counter(language: _OrderWords, state: TroyesState, seat: str, rest: str) -> Found:
    if rest == language.say("none"):
        return orders.Counter((), ()), (), True
    black, _, words = rest.partition(language.with_)
    return orders.Counter(tuple([COUNTS[one] for one in black.split(" ")]), _own(language, words)), (), True


def _support(language: _OrderWords, state: TroyesState, seat: str, rest: str) -> Found:
    events, written = _events(state, rest)
    return orders.Support(events), (), written


def _target(language: _OrderWords, state: TroyesState, seat: str, rest: str) -> Found:
    (event, *then), written = _events(state, rest)
    return orders.Target(event, tuple(then)), (), written


def _guard(language: _OrderWords, state: TroyesState, seat: str, rest: str) -> Found:
    rest, colon, tail = rest.partition(": ")
    die, plus, boost = rest.partition(" +")
    steps, advance = tail.split(", ") if colon else [], 0
    if steps and steps[0].startswith(language.advance):
        advance = _some(steps.pop(0).removeprefix(language.advance))
    cubes = [language.cubes[step] for step in steps]
    if cubes != sorted({*cubes}):
        raise _Unwritten
    for level in cubes:
        _tile(state, level)
    return orders.Guard(_pick(language, state, seat, die), _some(boost) if plus else 0, advance, tuple(cubes)), (), True


def _use(language: _OrderWords, state: TroyesState, seat: str, rest: str) -> Found:
    if any(asked["seat"] == seat and asked["kind"] == "react" for asked in state.asked):
        raise _Unwritten
    return orders.Use(_tile(state, LEVELS[rest])), (), True


def _react(language: _OrderWords, state: TroyesState, seat: str, rest: str) -> Found:
    return orders.React("" if rest == language.say("no") else _tile(state, LEVELS[rest])), (), True


def _give(language: _OrderWords, state: TroyesState, seat: str, rest: str) -> Found:
    return orders.Give(language.places[rest]), (), True


def _discard(language: _OrderWords, state: TroyesState, seat: str, rest: str) -> Found:
    if rest in LEVELS:
        return orders.Discard(_tile(state, LEVELS[rest])), (), True
    card = language.cards[rest]
    if card not in state.box.activities or box.outdoor_of(rest):
        raise _Unwritten
    return orders.Discard(card), (), True


READERS: dict[str, Reader] = {
    "settle": _settle,
    "reroll": _reroll,
    "flip": _flip,
    "recruit": _recruit,
    "activate": _activate,
    "build": _build,
    "fight": _fight,
    "place": _place,
    "farm": _farm,
    "pass": _pass,
    "counter": _counter,
    "support": _support,
    "target": _target,
    "guard": _guard,
    "use": _use,
    "react": _react,
    "give": _give,
    "discard": _discard,
}
"""The verb to what reads the rest of a canonical line."""
