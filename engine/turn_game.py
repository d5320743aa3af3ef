"""A base for games without secrets in which the seats take turns and an order is one word.

`tests/guide` plays one by mail; other games inherit from `engine.game.Game`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, TypeVar

from engine.catalog import Msg, T
from engine.chance import Chance, Draw
from engine.errors import NotAllowed, TooLate, no_order, no_verb
from engine.event_log import Data, LogEntry
from engine.game import Decision, Ending, Game, Line, Reading, Seat, Step
from engine.kit import codec
from engine.kit.edits import Edited, StateEdits
from engine.kit.events import Beginning, Event, EventTypes
from engine.kit.rolls import Draws, Rolled, next_draw
from engine.kit.sampling import NumberStream
from engine.kit.suggest import MAX_SUGGESTED
from engine.kit.transaction import Transaction
from engine.kit.words import close_matches, kebab
from engine.reference import Reference, Spelling
from engine.state_repair import StateRepair
from engine.values import fixed

KEPT = frozenset({"schema", "number", "turn", "round", "options", "draws"})
"""Tables of a state that hang together: not repaired singly."""


@dataclass(slots=True)
class TurnState:
    """A state with nothing hidden: `names` by seat, clockwise; `turn` is empty once the game is over.

    A game adds fields of plain values, with defaults.
    """

    names: dict[str, str]
    turn: str = ""
    round: int = 0
    number: int = 0
    options: dict[str, str] = field(default_factory=dict)
    draws: dict[str, int] = field(default_factory=dict)

    def after(self, seat: str) -> str:
        """The next seat clockwise."""
        seats = list(self.names)
        return seats[(seats.index(seat) + 1) % len(seats)]


S = TypeVar("S", bound=TurnState)


@fixed
class TurnsBegin(Beginning[TurnState]):
    """Seats, options, and the draw of the start player."""

    state: ClassVar[type[TurnState]]
    seats: dict[str, str]
    options: dict[str, str]
    draws: list[Any]

    def begun(self) -> TurnState:
        return self.state(names=dict(self.seats), options=dict(self.options))


@fixed
class NextTurn(Event[TurnState]):
    """The next seat is asked under a new number, or nobody (the game is over); draws are counted by the round."""

    kind = "turn"
    seat: str
    round: int

    def apply(self, state: TurnState) -> None:
        if self.round != state.round:
            state.draws = {}
        state.turn, state.round = self.seat, self.round
        state.number += 1


class TurnTransaction(Transaction[S]):
    """A transaction of a game in turns."""

    __slots__ = ()

    def rolls(self, kind: str, seat: str = "", dice: int = 1, sides: int = 6) -> Rolled:
        """Roll dice for the next draw of this kind, to be recorded with what they did."""
        return self.roll(next_draw(self.state, kind, seat), dice, sides)

    @staticmethod
    def counts(state: S, rolled: Rolled) -> None:
        """Count draws by their kind and seat."""
        drawn = rolled.purpose
        state.draws[f"{drawn.kind}/{drawn.seat or '-'}"] = drawn.n


@fixed
class SimpleView:
    """What everybody may know, in sentences."""

    lines: tuple[Msg, ...]


class TurnReference(Reference[S]):
    """The words that begin an order; its legal orders are those offered."""

    def __init__(self, game: TurnGame[Any]) -> None:
        self.game = game

    def _texts(self, state: Any, seat: str) -> list[str]:
        return [offer.text for offer in self.game.offers(state, Seat(seat))]

    def verbs(self) -> frozenset[str]:
        return frozenset(self.game.verbs)

    def spellings(self, state: Any, seat: str) -> tuple[Spelling, ...]:
        texts = {text.split()[0]: text for text in reversed(self._texts(state, seat))}
        verbs = sorted(self.verbs())
        return tuple(Spelling(verb, T.each(verb), T.each(texts.get(verb, verb)), verb in texts) for verb in verbs)

    def every(self, state: Any, seat: str, sample: Sequence[int] | None = None) -> Iterator[str]:
        texts = self._texts(state, seat)
        return iter(texts if sample is None else [NumberStream(sample).pick(texts)])

    def repairs(self, state: Any, seat: str, text: str, language: str = "en") -> tuple[str, ...]:
        return close_matches(text, self._texts(state, seat), MAX_SUGGESTED)


class TurnGame(Game[S, str]):
    """A game without secrets in which the seats take turns and an order is one word.

    A game gives its `state` class, its `verbs` (in all languages), its events (`facts`) and their sentences (`says`),
    what an order does (`play`), and the points at the end (`scores`).
    """

    state: type[S]
    verbs: Mapping[str, str]
    written: Mapping[str, Mapping[str, str]] = {}
    """Language to the words that orders are written with in it."""
    facts: tuple[type[Event[Any]], ...] = ()

    def __init__(self) -> None:
        self._form = codec.Codec(self.state, " ".join(one.name for one in fields(self.state) if one.name != "names"))
        self._repairs = StateEdits(self.dump, self.load, KEPT, frozenset())
        self._begins: Any = type("Begins", (TurnsBegin,), {"__slots__": (), "state": self.state})
        edited = type("TurnEdited", (Edited,), {"__slots__": (), "repairs": self._repairs})
        self._kinds: EventTypes[S] = EventTypes(others=(self._begins, NextTurn, edited, *self.facts))
        self._run: Any = type("Turns", (TurnTransaction,), {"__slots__": (), "kinds": self._kinds})
        self.draws = {**self._kinds.draws, "begins": ("first",)}  # the start player

    # What a game of its own says.

    def play(self, run: TurnTransaction[S], seat: str, order: str) -> bool:
        """Let an order happen through `run.record`. Return True if it is still the seat's turn. Raises NotAllowed."""
        raise NotImplementedError

    def scores(self, state: S) -> Mapping[str, Mapping[str, int]]:
        """Points by seat and component once the game is over; empty until then."""
        raise NotImplementedError

    def says(self, state: S, fact: Event[S]) -> Msg | None:
        """The sentence about an event, if there is anything to say."""
        raise NotImplementedError

    def lines(self, state: S) -> Iterable[Msg]:
        """The position in words."""
        raise NotImplementedError

    def question(self, state: S) -> Msg:
        """What the seat is asked whose turn it is."""
        return T("It is your turn.")

    # What follows from it.

    @property
    def moderation(self) -> StateRepair[S]:
        return self._repairs

    @property
    def reference(self) -> Reference[S]:
        return TurnReference(self)

    def start(
        self,
        players: Mapping[Seat, str],
        options: Mapping[str, str],
        chance: Chance,
        *,
        facts: Mapping[str, Any] | None = None,
        first: Seat | None = None,
    ) -> Step[S]:
        drawn = Draws(chance)
        seats = list(players)
        start = seats[drawn.roll("first", 1, len(seats))[0] - 1]
        begins = self._begins(dict(players), dict(options), drawn.rows)
        run = self._run(begins.begun(), chance, [begins], reveals=True)
        run.record(NextTurn(first or start, 1))
        begun: Step[S] = run.step()
        return begun

    def waiting(self, state: S) -> tuple[Decision, ...]:
        return (Decision(Seat(state.turn), "turn", state.number, self.question(state)),) if state.turn else ()

    def read(self, state: S, seat: Seat, text: str) -> Reading[str]:
        words = text.strip(" .!").split()
        if not words:
            raise no_order(text)
        word = kebab(" ".join(words))
        if word not in self.verbs:
            raise no_verb(word)
        return Reading(self.verbs[word], self.verbs[word])

    def write(self, state: S, seat: Seat, order: str, language: str) -> str:
        return self.written.get(language, {}).get(order, order)

    def default(self, state: S, seat: Seat) -> str:
        self._ask(state, seat)
        *_, (order, _) = self.choices(state, seat)
        return order

    def apply(self, state: S, seat: Seat, order: str, chance: Chance) -> Step[S]:
        self._ask(state, seat)
        if order not in [one for one, _ in self.choices(state, seat)]:
            raise NotAllowed(T("«{order}» is not possible now.", order=order))
        run = self._run(deepcopy(state), chance)
        again = self.play(run, seat, order)
        turn = "" if self.scores(run.state) else seat if again else state.after(seat)
        rounds = 0 if again or turn != next(iter(state.names)) else 1
        run.record(NextTurn(turn, state.round + rounds))
        played: Step[S] = run.step()
        return played

    def view(self, state: S, seat: Seat | None) -> SimpleView:
        return SimpleView(tuple(self.lines(state)))

    def heading(self, state: S) -> Msg:
        return T("round {round}", round=state.round)

    def stage(self, state: S) -> str:
        return f"r{state.round}"

    def tell(self, state: S, entries: Sequence[LogEntry], reader: Seat | None, first: int = 0) -> tuple[Line, ...]:
        told = ((at, fact, self.says(state, fact)) for at, fact in enumerate(self._kinds.read(entries), first))
        seats = ((at, str(getattr(fact, "seat", "")), says) for at, fact, says in told if says is not None)
        return tuple(Line(says, mine=seat == reader, end=at, seat=seat) for at, seat, says in seats)

    def result(self, state: S) -> Ending | None:
        scores = {Seat(seat): dict(parts) for seat, parts in self.scores(state).items()}
        totals = {seat: sum(parts.values()) for seat, parts in scores.items()}
        best = max(totals.values(), default=0)
        winners = tuple(seat for seat, total in totals.items() if total == best)
        return Ending(scores, totals, winners) if scores else None

    def fold(self, state: S | None, entries: Sequence[LogEntry]) -> S:
        changed: S = self._run.fold(deepcopy(state), entries)
        return changed

    def due(self, state: S, past: Sequence[LogEntry], entry: LogEntry) -> tuple[Draw, ...]:
        found: tuple[Draw, ...] = self._run.due(state, past, entry)
        return found

    def dump(self, state: S) -> tuple[Data, Data]:
        seats = [{"seat": seat, "name": name} for seat, name in state.names.items()]
        return {"schema": self.schema, "seats": seats, **self._form.write(state)}, {}

    def load(self, public: Data, secret: Data) -> S:
        data = dict(public)
        codec.migrate(data, secret, self.schema, {})
        del data["schema"]
        names = {row["seat"]: row["name"] for row in codec.take_value(list[dict[str, str]], data, "seats")}
        return self.state(names=names, **self._form.values(data))

    def _ask(self, state: S, seat: str) -> None:
        if not state.turn:
            raise TooLate(T("The game is over."))
        if seat != state.turn:
            raise TooLate(T("It is not your turn: {name} is asked.", name=state.names[state.turn]))
