"""Orders are read as they are written, in both languages and mixed, and as people say them or not at all.

Over random positions of every kind of game: seeded samples here, the full numbers in `make soak`.
"""

from __future__ import annotations

import contextlib
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from engine.chance import SeededChance
from engine.errors import NotAllowed, OrderRefused
from engine.game import Seat
from engine.kit.sampling import NumberStream
from engine.kit.words import fold_text
from engine.troyes.actions.standing_orders import position_if_asked
from engine.troyes.card_data.item_names import known_names
from engine.troyes.card_data.tables import FILES, shipped_tables
from engine.troyes.notation import order_words
from engine.troyes.notation.lexicon import tokenize
from engine.troyes.options.legal_orders import every_order
from engine.troyes.options.random_orders import random_order
from engine.troyes.phases import game_flow
from engine.troyes.state import orders
from engine.troyes.state.orders import Order
from engine.troyes.state.places import SPACES
from engine.troyes.state.troyes_state import Card, QueuedEvent, Tile, TroyesState
from tests.troyes import games, ladies, spoken
from tests.troyes.test_wordings import position

GAME = games.GAME
ANNA = Seat("anna")
ROOT = Path(__file__).parents[2]
STRIDE = 29
"""Of the orders of a position every so-manieth is taken, and a few at random."""
SAYING_NOTHING = ("noise", "written", "filler", "whole")
"""Tables of words that have no meaning of their own."""

Position = tuple[TroyesState, Seat]


def positions(seed: int, every: int) -> Iterator[Position]:
    """Positions of one game: solo, base, with bonus cards, or of the Ladies with what modules the seed has."""
    match seed % 4:
        case 0:
            course = games.random_game(1, seed, seed % 8 == 0)
        case 1:
            course = games.random_game(2 + seed % 3, seed, seed % 8 == 1)
        case _:
            course = ladies.played(seed)
    for at, (state, seat, _, _) in enumerate(course):
        if seat not in {asked.seat for asked in state.asked}:
            continue
        if at % every == seed % every or state.asked[0].kind not in ("turn", "counter", "settle"):
            yield state, seat


def open_to(state: TroyesState, seat: Seat, rng: random.Random) -> Iterator[Order]:
    """Some of the orders that are open, and a standing order where there can be one."""
    yield from islice(every_order(state, seat), rng.randrange(STRIDE), 20 * STRIDE, STRIDE)
    yield GAME.read(state, seat, next(iter(GAME.reference.every(state, seat, [rng.randrange(1 << 30) for _ in range(64)])))).order
    if state.answering:
        yield orders.Auto(rng.choice(("always", "never", "ask")), rng.choice(("", *state.answering)))


def for_later(state: TroyesState, seat: Seat, rng: random.Random) -> Iterator[Order]:
    """One standing order of each kind."""
    yield rng.choice((orders.AutoPass(True, rng.random() < 0.5), orders.AutoPass(), orders.AutoCounter(rng.choice((0, 3)))))
    if state.dice[seat]:
        yield orders.Reroll(rng.choice(state.dice[seat]), rng.randrange(2, 7), rng.randrange(1, 5))
    if len(state.queue) > 1:
        yield orders.Target(state.queue[0].id, (state.queue[1].id, state.queue[0].id))
    yield orders.Cancel(rng.choice(("", "pass", "counter", "place", "react", "later")))
    yield orders.AutoPlace(tuple(map(str, rng.sample(SPACES, 2))))
    with contextlib.suppress(NotAllowed):
        at = position_if_asked(state, seat)
        some = random_order(at, seat, NumberStream([rng.randrange(1 << 30) for _ in range(8)]))
        if found := [order for order in some if isinstance(order, orders.PlannableOrder)]:
            yield orders.Later(tuple(found[:2]))


def read_back(seeds: Iterable[int], every: int) -> Counter[str]:
    """Every language and both together; what was met, by decision and order."""
    met: Counter[str] = Counter()
    for seed in seeds:
        rng = random.Random(seed)
        for state, seat in positions(seed, every):
            for order in open_to(state, seat, rng):
                kind = type(order).__name__
                met.update((f"asked {state.asked[0].kind}", f"order {kind}"))
                english = GAME.write(state, seat, order, "en")
                for line in (english, GAME.write(state, seat, order, "fr"), spoken.mixed(english, rng)):
                    assert order == GAME.read(state, seat, line).order, (seed, line)
            other = random.Random(state.number)
            for order in for_later(state, seat, other):
                met[f"order {type(order).__name__}"] += 1
                english = GAME.write(state, seat, order, "en")
                for line in (english, GAME.write(state, seat, order, "fr"), spoken.mixed(english, other)):
                    assert order == GAME.read(state, seat, line).order, (seed, line)
    return met


def said(seeds: Iterable[int], every: int) -> Counter[str]:
    """As people say them: read as that order, asked back or refused; never read as another one."""
    met: Counter[str] = Counter()
    for seed in seeds:
        rng = random.Random(seed)
        for state, seat in positions(seed, every):
            for order in open_to(state, seat, rng):
                for language in spoken.LANGUAGES:
                    line = spoken.dressed(state, GAME.write(state, seat, order, language), language, rng)
                    try:
                        found = GAME.read(state, seat, line).order
                    except OrderRefused as refusal:
                        met[f"{language} {refusal.word}"] += 1
                    else:
                        assert order == found, (seed, line, GAME.write(state, seat, found, "en"))
                        met[f"{language} read"] += 1
    return met


def told(met: Counter[str]) -> None:
    print("\n" + ", ".join(f"{what} {count:,}" for what, count in sorted(met.items())))


KINDS = {f"asked {kind}" for kind in game_flow.ANSWERS}
ORDERS = {f"order {order.__name__}" for order in orders.Order.__args__} - {"order LeRoy"}
SEEDS = (*range(12, 28), 47)


def test_orders_are_read_as_they_are_written_in_both_languages_and_mixed() -> None:
    """Every kind of decision and of order is met."""
    met = read_back(SEEDS, 16)
    told(met)
    assert set() == (KINDS | ORDERS) - set(met)


def test_orders_are_read_as_people_say_them_or_asked_back() -> None:
    """Owners, dice in words, hire, verbs in other forms, signs between dice: nothing becomes another order."""
    met = said(range(4, 12), 18)
    told(met)
    assert min(met[f"{language} read"] for language in spoken.LANGUAGES) >= 100


@pytest.mark.soak
def test_orders_of_many_games_are_read_as_they_are_written() -> None:
    told(read_back(range(400, 520), 3))


@pytest.mark.soak
def test_orders_of_many_games_are_read_as_people_say_them() -> None:
    told(said(range(400, 520), 3))


# What is no order.

POSITIONS = (("turn", "turn"), ("counter", "counter"), ("ladies", "turn"))
POSITIONS += tuple(("answers", kind) for kind in ("settle", "target", "support", "react", "give", "discard", "release"))


@cache
def sentences() -> frozenset[str]:
    """Every sentence of the guides and of the cards."""
    texts = [line for name in ("README.md", "docs/playing.md", "docs/hosting.md", "docs/moderating.md", "docs/computers.md", "RULINGS.md", "RULINGS.fr.md", "docs/security.md") for line in (ROOT / name).read_text("utf-8").splitlines()]
    for kind in FILES:
        for table in shipped_tables(kind).values():
            found = (value for key, value in table.items() if key.startswith(("text", "more")))
            texts += [line for value in found for line in ([value] if isinstance(value, str) else value)]
    cut = (part.strip(" -*|>#") for text in texts for part in re.split(r"(?<=[.!?;:])\s+", text))
    return frozenset(part for part in cut if len(part.split()) > 3)


def test_prose_plays_nothing() -> None:
    """Guides, rulings and card texts, whatever is asked; orders that stand there as examples aside."""
    found: list[tuple[str, str, str]] = []
    for file, asked in POSITIONS:
        for line in sorted(sentences()):
            try:
                text = GAME.read(position(file, asked), ANNA, line).text
            except OrderRefused:
                continue
            found += [(asked, line, text)] if text != line.rstrip(".") else []
    assert [] == found


@pytest.mark.parametrize("line", ["only Procession counts it.", "Procession helps", "Procession carries it"])
def test_what_a_card_does_is_no_answer(line: str) -> None:
    """Which names the card that could be discarded, with a word that says nothing beside an order."""
    assert GAME.read(position("answers", "discard"), ANNA, "discard Procession").text == "discard procession"
    with pytest.raises(OrderRefused):
        GAME.read(position("answers", "discard"), ANNA, line)


def everything(asked: str) -> TroyesState:
    """A position with every event, card and tile of the box in play at once, as far as one may lie beside another."""
    state = position("ladies", asked).copy()
    state.queue = [QueuedEvent(id) for id in state.box.events]
    state.cards = [Card(id, ["anna"], cubes={"anna": 1}) for id in state.box.activities]
    state.tiles = [Tile(id, {"anna": 1}) for id in state.box.outdoor]
    return state


@pytest.mark.parametrize("asked", ["turn", "target", "support", "react", "give", "discard"])
def test_a_word_of_prose_is_no_answer(asked: str) -> None:
    """Names may be written in part, but what the guides use as a word of their own, and no name in full, says nothing."""
    state = everything(asked)
    known = {*spoken.names(), *order_words.VERBS, *order_words.CLAUSES, *order_words.ROLES, *order_words.PLACES, *order_words.NOISE, *known_names()}
    known |= {word.removesuffix("s") for word in known} | {f"{word}s" for word in known}
    parts = {part for name in spoken.names() for part in name.split("-")}
    prose = {word for text in sentences() for word in re.findall(r"[a-z]{3,}", fold_text(text))} | {"here", "even", "when"}
    alike = {word for word in prose - known if any(part.startswith(word) for part in parts)}
    assert {"here", "even", "when", "chief"} <= alike
    found: list[tuple[str, str]] = []
    for word in sorted(alike):
        for line in (word, f"the {word}", f"on {word}", f"farm with Y5 {word}", f"farm Y5 {word}"):
            with contextlib.suppress(OrderRefused):
                found.append((line, GAME.read(state, ANNA, line).text))
    assert [] == found


@pytest.mark.parametrize("seed", range(4))
def test_any_words_in_any_order_are_read_or_refused(seed: int) -> None:
    """Words of the tables and names of every box thrown together: an order or a refusal, and nothing else."""
    rng = random.Random(seed)
    known = [word for table, rows in order_words.TABLES.items() if table not in SAYING_NOTHING for row in rows.values() for said in row.values() for word in said.split()]
    known += [*spoken.names(), "palace 4", "city hall 3.1", "bishopric lying", "gray", "faye", "Geoffrey's"]
    common = ["with", "from", "on", "using", "avec", "de", "sur", "and", "et", ":", "+", "(", ")", "'", "Y5", "W4", "R4", "P4", "2", "6"]
    for _ in range(1000):
        file, asked = rng.choice(POSITIONS)
        line = " ".join(rng.choice(known if rng.random() < 0.5 else common) for _ in range(rng.randint(1, 9)))
        with contextlib.suppress(OrderRefused):
            assert GAME.read(position(file, asked), ANNA, line).text


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("build with " + "Faye's W6 and W2 and " * 40 + "W2", "turn"),
        ("place " + "gray 6 " * 120, "turn"),
        ("build " + "W4 gray W6 " * 80, "turn"),
        ("target " + "confl " * 160, "target"),
        ("farm Y5 using " + "priest and " * 80 + "I", "turn"),
    ],
)
def test_a_line_of_countless_meanings_is_refused_at_once(line: str, asked: str) -> None:
    """As long as a letter allows: nobody waits for all the ways in which it can be understood."""
    with pytest.raises(OrderRefused):
        state = position("turn", asked)
        GAME.apply(state, ANNA, GAME.read(state, ANNA, line).order, SeededChance(b"", [], ""))


# The tables.


def test_every_row_has_both_languages() -> None:
    for table, rows in order_words.TABLES.items():
        if table not in ("noise", "written", "whole"):
            for meaning, row in rows.items():
                assert row["en"].split() and row["fr"].split(), (table, meaning)


def test_no_word_of_a_table_means_two_things() -> None:
    """Within one table, both languages together; a district is called by one word."""
    for table, rows in order_words.TABLES.items():
        if table in SAYING_NOTHING:
            continue
        meant: dict[str, str] = {}
        for meaning, row in rows.items():
            for word in {word for said in row.values() for word in map(order_words.kebab, said.split())}:
                assert meaning == meant.setdefault(word, meaning), (table, word)


def test_every_phrase_of_a_table_is_found_as_it_is_typed() -> None:
    """Words of several with blanks between them, and elided ones with an apostrophe."""
    state = position("turn", "turn")
    for table, rows in order_words.TABLES.items():
        for row in rows.values() if table not in ("noise", "written", "whole", "district", "standing") else ():
            for language, said in row.items():
                for phrase in filter(re.compile("-").search, said.split()):
                    elided = re.sub(r"\b(d|j|l|m|s|qu)-", r"\1'", phrase) if language == "fr" else phrase
                    line = elided.replace("-", " ")
                    assert order_words.kebab(phrase) in [token.text for token in tokenize(state, line)], (table, phrase)
