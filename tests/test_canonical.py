"""Canonical lines are read by tables, all others by the grammar: what the tables read is what the grammar reads.

Held over the positions of random games of every kind, in both languages: for each line as it is written, for lines of
other positions, which may be refused here, and for lines with one change. The last tests plant a fault in the tables.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from engine.chance import Derived
from engine.errors import OrderRefused
from engine.game import Seat, find
from engine.troyes_dice.box.sheet import COLOURS, COLUMNS, ROWS, WORKS
from engine.troyes_dice.notation import grammar as dice_grammar
from tests.dice.games import ANNA, begin

NAMES = ("Anna", "Faye", "Jean-Paul", "Emily")
READERS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "troyes-dice": (dice_grammar.as_written, dice_grammar.understood),
}
"""Game to its reader by tables and its grammar."""
KINDS: tuple[tuple[str, int, dict[str, str]], ...] = (
    ("troyes-dice", 2, {}),
    ("troyes-dice", 3, {"expansion": "yes", "numbering": "expert"}),
)
MOST = 700
"""Orders of a game that are looked at."""


@dataclass
class Place:
    """A seat that is asked, in a position of a random game, and the order that it gives as a line."""

    kind: str
    state: Any
    seat: Seat
    line: str

    def written(self) -> tuple[str, str]:
        """The line in both languages."""
        order = READERS[self.kind][1](self.state, self.seat, self.line).order
        return self.line, find(self.kind).write(self.state, self.seat, order, "fr")


def places(kind: str, players: int, options: dict[str, str], seed: int) -> Iterator[Place]:
    """The positions of a random game; of each second one only what its seat may know."""
    game, rng, chance = find(kind), random.Random(seed), Derived(seed.to_bytes(8, "big"), [], "canonical")
    seats = {Seat(name.lower()): name for name in NAMES[:players]}
    state = game.start(seats, game.settle_options(players, options), chance).state
    for number in range(MOST):
        asked = [one.seat for one in game.waiting(state) if not one.answered]
        if not asked:
            return
        seen = game.moderation.redacted(state, asked[0]) if number % 2 else state
        line = next(iter(game.reference.every(state, asked[0], [rng.getrandbits(30) for _ in range(64)])))
        yield Place(kind, seen, asked[0], line)
        state = game.apply(state, asked[0], READERS[kind][1](state, asked[0], line).order, chance).state


def told(read: Callable[..., Any], place: Place, line: str) -> Any:
    """What a reader makes of a line, its refusal as all that it holds."""
    try:
        return read(place.state, place.seat, line)
    except OrderRefused as refused:
        return type(refused), refused.reason, refused.possible, refused.orders, refused.rule, refused.anytime, refused.otherwise


def differs(place: Place, line: str) -> bool:
    """Whether the tables read a line, and otherwise than the grammar."""
    tables, grammar = READERS[place.kind]
    found = told(tables, place, line)
    return found is not None and found != told(grammar, place, line)


def is_taken(place: Place, line: str) -> bool:
    """Whether the tables read it, or refuse it."""
    return told(READERS[place.kind][0], place, line) is not None


OWNERS = (*(name.lower() for name in NAMES), "gray", "gris", "le-roy")
VERBS = ("red", "yellow", "white")
MORE = (
    *("", "the", "with", "avec", "2", "3", "0", "once", "times", "fois", "from", "to", "as", "W", "no", "and", ":", ",", ";", "-"),
    *("4", "2.2", "lying", "supply", "Y1", "J1", "gray:Y1", "event-2", "II", "cube", "+2", "using", "hiring", "all", "none"),
    *("until", "max", "pay", "bonus", "plaza", "yellow", "deniers", "not", "please"),
)
ENDS = (
    *(".", "!", " ", ",", ":", ": ", ": none", ": nothing", ": rien", ": use", ": place", ": palace", " using priest", " using II", " please", " every round"),
    *("; pay deniers", "; pay influence", "; bonus yellow, red"),
)
BONUS = (*COLOURS, *(f"{row.replace('_', '-')} {column}" for row in ROWS for column in COLUMNS))
BETWEEN = (": ", ", ", "; ", " using ", " with ", " avec ", " hiring ")
WITHIN = (" with ", " avec ", ": ")
SAID = (" once", " 1 times", " 2 times", " 3 times", " 2 fois", " 1 cube", " 2 cubes", " to space 1", " to space 2", " as white 3", " comme jaune 2", " as W")


def changed(rng: random.Random, line: str) -> str:
    """A line with one thing changed: a word dropped, doubled, moved, put in, dressed or another; a part dropped or moved;
    a digit, an owner, the end."""
    words, marks = line.split(" "), [mark for mark in BETWEEN if mark in line]
    at, other = rng.randrange(len(words)), rng.randrange(len(words))
    digits = [number for number, char in enumerate(line) if char.isdigit()]
    match rng.randrange(13):
        case 0 if len(words) > 1:
            del words[at]
        case 1:
            words.insert(at, words[other])
        case 2:
            words[at], words[other] = words[other], words[at]
        case 3:
            words.insert(at, rng.choice(MORE))
        case 4:
            words[at] = rng.choice((words[at].upper(), words[at].title(), words[at].replace("-", " "), words[at].rstrip(",:")))
        case 5 if digits:
            number = rng.choice(digits)
            return line[:number] + str(rng.randrange(10)) + line[number + 1 :]
        case 6:
            words[at] = rng.choice((f"{rng.choice(OWNERS)}:{words[at].rpartition(':')[2]}", rng.choice(OWNERS)))
        case 7:
            return line + rng.choice(ENDS)
        case 8:
            words[at] = rng.choice(BONUS)
        case 9:
            words[0] = rng.choice(VERBS)
        case 10 if marks:
            mark = rng.choice(marks)
            parts = line.split(mark)
            return mark.join(rng.choice((parts[:-1], parts[:-2] + parts[-1:], [parts[0], *reversed(parts[1:])], [*parts, parts[-1]])))
        case 11 if found := [mark for mark in WITHIN if mark in line]:
            before, mark, behind = line.partition(found[0])
            return before + rng.choice((*SAID, f" as {before}")) + mark + behind
        case _:
            letter = rng.choice("YWRPJBM")
            return line.replace(letter, rng.choice("YWRPJBM".replace(letter, "")), 1)
    return " ".join(words)


SEEDS = [*range(10), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(10, 80))]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_what_the_tables_read_is_what_the_grammar_reads(kind: tuple[str, int, dict[str, str]], seed: int) -> None:
    """Order, text, what is assumed, and what is refused with which words: for lines as they are written here, for those
    of the positions before, and for each of these with a change."""
    rng, lines, wrong = random.Random(seed), list[str](), list[tuple[str, str]]()
    for place in places(*kind, seed):
        here = place.written()
        lines += here
        tried = [*here, rng.choice(lines)]
        tried += [changed(rng, line) for line in (*tried, *tried)]
        wrong += [(place.seat, line) for line in tried if differs(place, line)]
    assert [] == wrong


def test_a_choice_of_a_bonus_is_left_out_where_it_need_not_be_said() -> None:
    """Whatever choice stands behind an order: the only one there is is taken off its text, one of several is not."""
    texts = set[str]()
    for columns in ((), (1, 2, 4, 5, 6)):
        run = begin(3, seed=1)
        sheet = run.state.sheets[ANNA]
        sheet.citizens |= {"red": 6, "yellow": 6, "white": 4}
        sheet.circled |= {"influence": 5, "denier": 5, "knowledge": 12}
        sheet.built |= {row: columns if row == "counts_palace" else (*columns, 3) for row in WORKS if columns}
        for choice in BONUS:
            line = f"yellow 1 as yellow 6: great-hall 6; bonus {choice}"
            place = Place("troyes-dice", run.state, ANNA, line)
            assert not differs(place, line)
            texts |= {told(dice_grammar.as_written, place, line).text} if is_taken(place, line) else set()
    assert "yellow 1 as yellow 6: great-hall 6" in texts
    assert "yellow 1 as yellow 6: great-hall 6; bonus counts-palace 3" in texts


@pytest.mark.parametrize(("kind", "least"), [*zip(KINDS, (98, 90), strict=True)], ids=str)
def test_orders_as_they_are_written_are_read_by_tables(kind: tuple[str, int, dict[str, str]], least: int) -> None:
    """Of a hundred orders of a game so many at least; for the grammar are left choices of a bonus alone, and the numbering
    of columns."""
    taken = [is_taken(place, line) for seed in range(4) for place in places(*kind, seed) for line in place.written()]
    assert len(taken) >= 50
    assert 100 * sum(taken) >= least * len(taken)


def first_fault(kind: int, seeds: int = 8) -> str:
    """The first line that the two readers read otherwise."""
    found = (line for seed in range(seeds) for place in places(*KINDS[kind], seed) for line in place.written() if differs(place, line))
    return next(found, "")


def test_a_wrong_word_in_the_tables_of_dice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A resource for another, and a building a column aside."""
    assert "" == first_fault(0, 2)
    _, dice, _, pays, _ = dice_grammar.written_words()["red"]
    with monkeypatch.context() as planted:
        planted.setitem(pays, "pay deniers", "influence")
        assert "; pay deniers" in first_fault(0)
    with monkeypatch.context() as planted:
        planted.setitem(dice, "white 3", ("white 3", ("white", 4)))
        assert " as white 3" in first_fault(0)
