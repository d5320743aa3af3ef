"""What a line that the grammar refuses most likely means: the orders that are like it, each with what speaks for and
against it (`engine.kit.certainty`).

Each is held against every word of the line (`explaining`), as for the gist; but what is wrong with it is counted, and
not forbidden. What would be grave is never played: a die or its owner that is not named, dice more than are named, a
name, a number or a verb that has no part in it, a price or a number of cubes that is not true, a cube that nobody uses,
hiring that is not said. What only speaks of the order, beside it, is told apart (`remarks`). How surely the line orders
anything is told by whoever asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import chain, groupby, islice
from typing import Protocol

from engine.game import Step
from engine.kit.certainty import Alternative, Case, Logit, sure
from engine.kit.gist import LEADING, LONGEST, NAMING, SPEAKING, STANDING, Role, passed_over
from engine.reference import Gist
from engine.troyes.notation.amounting import untrue
from engine.troyes.notation.explaining import Explained, kind_of, parts_of
from engine.troyes.notation.gist import heard, is_dark, numbered, only_passes, role
from engine.troyes.notation.lexicon import Wordlet, spread
from engine.troyes.notation.picked import Word
from engine.troyes.notation.remarks import Remarks
from engine.troyes.notation.writing import write
from engine.troyes.state import dice, orders, places
from engine.troyes.state.orders import Order
from engine.troyes.state.state import TroyesState

_MOST = 20
"""Orders that are held against a line at most."""
_MARGIN, _MANY, _SCORE = 3.0, 6, 2.0
"""What a margin, a count and a likeness are taken for at most."""
_PASSING = 2.0
"""How surely a line that says more than that its writer passes must be a directive: «passer, c'est pour les lâches».
Nothing may bar it («I may pass»): why somebody passes is told apart by whoever asks."""
_GRAVE = frozenset(
    (
        *("cubes", "freed", "unheard", "whose", "which", "more dice", "die unsaid", "who is hired", "hired unasked"),
        *("verb", "name", "people", "bought", "number", "how many", "untrue cubes", "untrue level", "untrue price"),
        *("counts less", "suffers", "place", "owner beside the die"),
    )
)
"""What is never passed over."""
_TURNING, _GRAVE_TURNING = orders.Flip | orders.Reroll, frozenset(("die beside", "goal"))
"""What is not either of dice that are turned or rolled: each that is named is meant, and that they are is said."""
_RISING = frozenset(
    ("up", "feet", "back", "again", "releve", "relever", "relevez", "redresse", "redresser", "leve", "debout", "remets")
)
"""What says of whoever lies that he stands again."""
_HOW = ("ly", "ment")
"""How an adverb ends: it is nothing that can be passed."""
_AS_IT_IS = frozenset(("then", "pis"))
"""What leads on from how things are as well as from what is done: «then I pass»."""
_IDLE = frozenset(("small", "asked"))
"""What may be said beside that one passes."""


class Likest(Protocol):
    """The legal orders likest to a line, and how like one is."""

    @property
    def line(self) -> str:
        """The line with its slips put right."""

    def orders(self) -> Sequence[Order]:
        """The orders, the likest first."""

    def of(self, order: Order) -> float:
        """How like the line an order is."""


WEIGHTS = Logit.load(files(__package__) / "gist.json")
"""What each of what is told of orders and lines weighs, learnt by `tests/learn_gist.py`."""


def certain(
    state: TroyesState,
    seat: str,
    line: str,
    says: Mapping[str, float],
    after: Callable[[Order], Step[TroyesState] | None],
    like: Likest,
) -> Gist | None:
    """The order that a line most surely means, with the words passed over; None where none is sure enough. `says`: what
    speaks for an order in it, and what against any."""
    held = case(state, seat, line, says, after, like)
    text = sure(held, WEIGHTS) if held is not None else None
    return Gist((text,), held.unread) if held is not None and text is not None else None


def case(
    state: TroyesState,
    seat: str,
    line: str,
    says: Mapping[str, float],
    after: Callable[[Order], Step[TroyesState] | None],
    like: Likest,
) -> Case | None:
    """The orders that a line may mean, legal now, each with what speaks for it; None where it names nothing, or is too
    long. What a slip was to be is asked: an order that needs one is barred.

    `after` gives what comes of an order, as far as it can be known; None for one that is not legal.
    """
    words = list(numbered(spread(state, line)))
    rows = [(text, role(text, token)) for text, token in words]
    evidence = [token for (_, one), (_, token) in zip(rows, words, strict=True) if token and one is Role.EVIDENCE]
    if not evidence or len(words) > LONGEST:
        return None
    # A word that looks like a slip may be none: of both ways to read it each order takes the better one.
    ways = [words] if like.line == line else [words, list(numbered(spread(state, like.line)))]
    told = dict.fromkeys(order for one in ways for order in heard(state, seat, one))
    first = [order for order in told if after(order) is not None]
    every = _once_each(state, seat, islice(dict.fromkeys(chain(first, like.orders())), _MOST))
    scores = {order: like.of(order) for order in every}
    held = [_Weighed.of(state, seat, order, then, ways) for order in every if (then := after(order)) is not None]
    found: dict[str, Alternative] = {}
    for one in held:
        order, faults = one.order, one.faults
        # What is done once less, or on a worse space, is like it in all else, and is no rival where it is not told.
        rivals = [other for other in held if other is not one and one.lesser >= other.lesser]
        others = max((scores[other.order] for other in rivals), default=0.0)
        fewest = min((other.wrong for other in rivals), default=_MANY)
        counted = {name: float(min(count, _MANY)) for name, count in faults.items()}
        counted |= {f"is {type(order).__name__.lower()}": 1.0, "heard": float(order in first)}
        counted |= {"margin": max(-_MARGIN, min(_MARGIN, scores[order] - others)), "score": min(_SCORE, scores[order])}
        counted |= {"without fault": float(not faults), "explained": float(min(_MANY, one.said.explained()))}
        counted |= {"lead": max(-_MARGIN, min(_MARGIN, float(fewest - one.wrong))), "alone": float(one.wrong < fewest)}
        passes = isinstance(order, orders.Pass) and only_passes(state, seat, words)
        counted |= {"only passes": float(passes), "slips": float(one.slips)}
        barred = one.slips or not _GRAVE.isdisjoint(faults)
        barred = barred or (isinstance(order, _TURNING) and not _GRAVE_TURNING.isdisjoint(faults))
        if isinstance(order, orders.Pass):
            turned = any(name.startswith("barred by ") for name in says)
            surely = passes or (says.get("directive", 0.0) >= _PASSING and not _passes_something(words))
            barred = barred or turned or not (surely and _IDLE.issuperset(faults))
        found.setdefault(one.text, Alternative(one.text, {name: n for name, n in counted.items() if n}, barred))
    of_line = {**says, **_of_line(words, evidence), "may stand": float(passed_over(rows) is not None)}
    return Case(of_line, tuple(found.values()), tuple(_unread(rows)))


def _passes_something(words: Sequence[Word]) -> bool:
    """Whether it is something else that is passed, or passes, than its writer's turn: «je passe le temps», «ça passe»;
    or something is done before: «ensuite je passe»."""
    if any(token is not None and token.of("role") == "then" and text not in _AS_IT_IS for text, token in words):
        return True
    for part in parts_of(words):
        at = next((at for at, (_, token) in enumerate(part) if token and token.of("verb") == "pass"), None)
        if at is None:
            continue
        if at and part[at - 1][0] in STANDING:
            return True
        for n, (text, token) in enumerate(part[at + 1 :], at + 1):
            turn = n + 1 < len(part) and (noun := part[n + 1][1]) is not None and noun.of("role") == "turn"
            if (role(text, token) is Role.UNKNOWN and not text.endswith(_HOW)) or (text in NAMING and not turn):
                return True
    return False


def _once_each(state: TroyesState, seat: str, found: Iterable[Order]) -> list[Order]:
    """Orders without those that only name their dice the other way round."""
    kept: dict[tuple[str, ...], Order] = {}
    for order in found:
        kept.setdefault(tuple(sorted(write(state, seat, order).split())), order)
    return list(kept.values())


@dataclass(frozen=True)
class _Weighed:
    """An order held against a line, how it is written, and what is between them. `slips`: whether words were put
    right."""

    order: Order
    text: str
    said: Explained
    faults: Counter[str]
    slips: bool

    @property
    def wrong(self) -> int:
        """How much is between them."""
        return sum(self.faults.values())

    @property
    def lesser(self) -> bool:
        """Whether it does less than the line tells."""
        return "counts less" in self.faults

    @classmethod
    def of(
        cls, state: TroyesState, seat: str, order: Order, then: Step[TroyesState], ways: Sequence[Sequence[Word]]
    ) -> _Weighed:
        """The order held against the words of each way to read the line: the first that has the least against it."""
        text = write(state, seat, order)
        every = (Explained(state, seat, order, words) for words in ways)
        held = [cls(order, text, said, Counter(_faults(said, text, then)), bool(at)) for at, said in enumerate(every)]
        return min(held, key=lambda one: one.wrong)


def _faults(said: Explained, text: str, then: Step[TroyesState]) -> Iterator[str]:
    """What is between an order and a line, each by its kind. `text` is the order as it is written, `then` what comes of
    it."""
    if not said.is_heard:
        yield "unheard"
        return
    yield from Remarks(said, then.state).faults()
    yield from (f"untrue {unit}" for unit in untrue(said.state, said.seat, said.order, said.tokens, then))
    yield from said.doubtful_dice()
    if not said.counts_so(text):
        yield "counts less"
    if _only_lies(said):
        yield "place"
    for fault in said.others():
        if fault == "dice":
            yield from said.strange_dice()
        elif fault == "source":
            yield _hired(said)
        elif fault == "cubes" and said.tells_cubes():
            yield "using unsaid"
        else:
            yield fault


def _only_lies(said: Explained) -> bool:
    """Whether a citizen is only said to lie where the order sets him up again, by no word that tells it: «my man who
    lies in the City Hall turns winegrower»."""
    order = said.order
    if not isinstance(order, orders.Station) or not said.source.endswith(places.LYING):
        return False
    goal = places.BUILDING_OF.get(order.die.colour or dice.COLOUR_OF.get(order.die.die[0], ""), "")
    named = [token for token in said.tokens if str(token.of("place")).partition(" ")[0] == goal]
    does = any(token.of("verb") in ("place", "settle") for token in said.tokens)
    rises = any(word in _RISING for text, _ in said.words for word in text.split())
    return said.source.partition(" ")[0] == goal and len(named) < 2 and not (does or rises)


def _hired(said: Explained) -> str:
    """What is unsaid of a citizen: only that he is hired; or nothing is said of him and he comes from where nobody
    stands, lying there or of the supply; or else who he is."""
    if said.is_from():
        return "hiring unsaid"
    lying = [str(place) for place in said.state.whereabouts(said.seat) if str(place).endswith(places.LYING)]
    silent = not any(token.of("place") or token.of("spot") or token.of("clause") == "lying" for token in said.tokens)
    return "hired unasked" if silent and said.source in (lying or [places.SUPPLY]) else "who is hired"


def _of_line(words: Sequence[Word], evidence: Sequence[Wordlet]) -> dict[str, float]:
    """What speaks for a line that orders nothing, or none of what is held against it. `evidence` are its words that
    name something."""
    found = Counter[str]({"line": 1})
    found["dark"] = sum(is_dark(text, token) for text, token in words)
    for part in parts_of(words):
        found.update(_of_part(part))
    kinds = Counter("verb" if token.of("verb") else kind_of(token) for token in evidence)
    found["no verb"] = int(not kinds["verb"])
    found["more verbs"] = max(0, len({token.of("verb") for token in evidence} - {""}) - 1)
    found["only one word"] = int(len(evidence) == 1)
    found["two words"] = int(len(evidence) == 2)
    found[f"begins with {'verb' if evidence[0].of('verb') else kind_of(evidence[0])}"] = 1
    found["somebody speaks"] = int(any(text.partition("'")[0] in SPEAKING for text, _ in words))
    return {name: float(min(count, _MANY)) for name, count in sorted(found.items()) if count}


def _of_part(part: Sequence[Word]) -> Iterator[str]:
    """Where its unknown words stand."""
    roles = [role(text, token) for text, token in part]
    known = [at for at, one in enumerate(roles) if one is Role.EVIDENCE]
    at = 0
    for one, some in groupby(roles):
        end = at + len(list(some))
        if one is Role.UNKNOWN:
            where = _where(known, at, end)
            led = " a small word" if at and part[at - 1][0] in LEADING and where != "beside" else ""
            yield f"unknown {where}{led}"
            if at and part[at - 1][0].partition("'")[0] in SPEAKING and where != "beside":
                yield "unknown of who speaks"
            yield from (f"unknown {where} more" for _ in range(end - at - 1))
        at = end


def _where(known: Sequence[int], at: int, end: int) -> str:
    """Where words stand to those of their part that name something."""
    if not known:
        return "beside"
    return "before" if end <= known[0] else "behind" if at > known[-1] else "between"


def _unread(rows: Sequence[tuple[str, Role]]) -> Iterator[str]:
    """The unknown words of a line, those that stand together as one."""
    for one, some in groupby(rows, key=lambda row: row[1]):
        if one is Role.UNKNOWN:
            yield " ".join(text for text, _ in some)
