"""Rule positions: a few facts of a table, an order, the numbers that the dice showed, and what must have changed.

They are data that a person who knows the rules can read and write. A game gives its `Term`s, each with how it is laid
out and how it is found afterwards; judging a position is done here. A position with an unknown word fails: a misspelt
word would be ignored, and the position would pass without a comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from engine.chance import Chance, ScriptedChance, SeededChance
from engine.errors import OrderRefused
from engine.event_log import Data
from engine.kit.words import closest_match
from engine.reference import Verdict
from engine.values import fixed

S = TypeVar("S")
Words = Any
"""The words allowed in a place: a table of words to what may stand there in turn, a list with one such table for the
rows of a list, or None for anything."""


@fixed
class Term(Generic[S]):
    """What one word of a position stands for. `words` may stand behind it; `seats` says that its values are by seat.

    `lay` brings a state to what is wanted before the orders. `found` returns what lies there, given the states before
    and after them, and the key of a table of facts (else `""`). `spelled` brings what is wanted into the words of what
    is found. A word without `lay` and `found` is read by the game itself.
    """

    lay: Callable[[S, Any], None] | None = None
    found: Callable[[S, S, str], Any] | None = None
    words: Words = None
    seats: bool = False
    spelled: Callable[[S, Any], Any] = lambda state, wanted: wanted

    @property
    def laid(self) -> bool:
        """True if a position may say it of the state before the orders."""
        return self.lay is not None or self.found is None


Terms = Mapping[str, Term[S]]
"""By the word of a position, in the order in which they are laid out."""


def default_words(terms: Terms[Any], *table: str) -> Data:
    """Words that a file may say for all of its positions: those that are not by seat, and `table`."""
    return _words({word: term for word, term in terms.items() if term.laid and not term.seats}) | dict.fromkeys(table)


NOTES = ("note", "why", "source")
"""Words for notes of the writer, in positions and in defaults; nothing reads them."""


def case_words(
    terms: Terms[Any], usual: Data, seats: Collection[str], draws: Iterable[str], counts: Words, others: Iterable[str]
) -> Data:
    """Return all words that a position may say. `usual` are the defaults, `draws` what may be scripted, `counts` what
    may change of a seat, `others` what else the game compares."""
    return {
        **dict.fromkeys(("id", "title", "rule", "depends", "action", *NOTES)),
        **usual,
        "position": _words({word: term for word, term in terms.items() if term.laid}, seats),
        "scripted": dict.fromkeys(draws),
        "expected": {
            **dict.fromkeys(("result", "scores", "winner", *others)),
            "asks": dict.fromkeys(("seat", "kind", "choices")),
            "delta": dict.fromkeys(seats, counts),
            "after": _words({word: term for word, term in terms.items() if term.found}, seats),
        },
    }


def _words(terms: Terms[Any], seats: Iterable[str] = ()) -> Data:
    return {word: dict.fromkeys(seats, term.words) if term.seats else term.words for word, term in terms.items()}


def lay_out(terms: Terms[S], state: S, wanted: Data) -> None:
    """Bring the state to what is wanted of it."""
    for word, term in terms.items():
        if term.lay is not None and word in wanted:
            term.lay(state, wanted[word])


def compare_after(terms: Terms[S], before: S, after: S, wanted: Data) -> Iterator[str]:
    """Compare what lies there afterwards."""
    for word, value in wanted.items():
        term = terms[word]
        for key, one in value.items() if isinstance(value, dict) else (("", value),):
            there = term.found(before, after, key) if term.found else None
            yield from compare(f"after.{word}.{key}".rstrip("."), term.spelled(after, one), there)


def compare(path: str, wanted: Any, found: Any) -> Iterator[str]:
    """Yield a line if two values differ; changes of numbers are shown with their signs."""
    if wanted != found:
        sign = "+d" if path.startswith("delta") and isinstance(wanted, int) else ""
        yield f"{path}: {wanted:{sign}} expected, {found:{sign}} found"


def judge(
    scenario: Data,
    defaults: Data,
    games: Collection[str],
    words: tuple[Words, Callable[[Data], Words]],
    differences: Callable[[Data, Data], Iterable[str]],
) -> Verdict:
    """Play one position and compare. The result is `unsupported` for a game that is not in `games` (the first is the
    default).

    `words` are those of the defaults of a file, and a function for those of a position; `differences` gets the
    position, and its facts over the defaults.
    """
    id, game = str(scenario.get("id", "?")), scenario.get("game", next(iter(games)))
    if game not in games:
        return Verdict(id, "unsupported", (f"no game is called {game}",))
    facts = {**defaults, **scenario}
    try:
        usual = words[0] | dict.fromkeys(NOTES)
        unknown = (*misspelt(defaults, usual, "defaults"), *misspelt(scenario, words[1](facts)))
        found = unknown or tuple(differences(scenario, facts))
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        return Verdict(id, "fail", (f"the position cannot be laid out: {type(error).__name__}: {error}",))
    return Verdict(id, "fail" if found else "pass", found)


def misspelt(data: Any, words: Words, path: str = "") -> Iterator[str]:
    """Yield a line for each unknown key of `data`, with its path and the nearest known word."""
    if isinstance(words, list) and isinstance(data, list):
        for number, row in enumerate(data, start=1):
            yield from misspelt(row, words[0], f"{path}.{number}")
    elif isinstance(words, dict) and isinstance(data, dict):
        for key, value in data.items():
            whole = f"{path}.{key}" if path else str(key)
            if key in words:
                yield from misspelt(value, words[key], whole)
            else:
                near = closest_match(str(key), words)
                yield f"{whole} is no word of a position" + (f"; did you mean {near}?" if near else "")


def case_chance(scripted: Mapping[str, Any] | None = None) -> Chance:
    """The numbers of a position: the scripted ones, and else always the same."""
    rest = SeededChance(b"a position", (), "position")
    return rest if scripted is None else ScriptedChance(scripted, rest)


def split_speaker(line: str, usual: str) -> tuple[str, str]:
    """Split a line into seat and order: `anna> pass`; without a name it is the seat `usual`."""
    seat, arrow, text = line.partition(">")
    return (seat.strip(), text.strip()) if arrow else (usual, line.strip())


def run_lines(lines: Iterable[str], act: Callable[[str], None], dumped: Callable[[], object]) -> tuple[str, str]:
    """Give the lines one by one. Return `ok`, or how one was refused and what the refusal said.

    A refused line that changed the position gives `changed`.
    """
    for line in lines:
        was = dumped()
        try:
            act(line)
        except OrderRefused as refusal:
            if dumped() != was:
                return "changed", f" ({line}: refused, and yet something changed)"
            return refusal.word, f" ({line}: {refusal.reason})"
    return "ok", ""


def compare_result(expected: Data, outcome: str, said: str) -> Iterator[str]:
    """Compare the outcome of the lines."""
    if outcome != expected["result"]:
        yield f"result: {expected['result']} expected, {outcome} found{said}"


def compare_asked(wanted: Any, asked: Collection[tuple[str, str]]) -> Iterator[str]:
    """Compare who is asked what; `asked` are all by seat and kind."""
    if isinstance(wanted, str):
        if not any(seat in wanted for seat, _ in asked):
            yield f"asks: {wanted!r} expected, {list(asked)} found"
    elif wanted is not None and (wanted["seat"], wanted["kind"]) not in asked:
        yield f"asks: {wanted['seat']} {wanted['kind']} expected, {list(asked)} found"


def compare_scores(wanted: Data, scores: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """Compare each part of each score; `total` is their sum."""
    for seat, parts in wanted.items():
        found = {**scores.get(seat, {}), "total": sum(scores.get(seat, {}).values())}
        for part, points in parts.items():
            yield from compare(f"scores.{seat}.{part}", points, found.get(part.replace("-", "_")))


def compare_winner(wanted: Any, winners: list[str], scores: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """Compare the winners with one seat or a list of them."""
    if winners != (wanted if isinstance(wanted, list) else [wanted]):
        totals = {seat: sum(parts.values()) for seat, parts in scores.items()}
        yield f"winner: {wanted} expected, {winners} found ({totals})"
