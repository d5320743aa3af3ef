"""Troyes as the post room sees it: the `Game` that `engine.game.find("troyes")` returns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.catalog import Msg, T
from engine.chance import Chance
from engine.chronicle import Data, Entry
from engine.game import Achievement, CardText, Decision, Line, Offer, Option, Reading, Result, Seat, Step, Verdict
from engine.kit.sampling import Lot
from engine.troyes import automaton, box, cases, log, notation
from engine.troyes import entries as verbs
from engine.troyes import view as viewing
from engine.troyes.board import scoring
from engine.troyes.entries import edits
from engine.troyes.moves import legal
from engine.troyes.moves import options as offering
from engine.troyes.notation.words import CLAUSES, DISTRICTS, VERBS
from engine.troyes.phases import conduct, invariants, setup
from engine.troyes.state import orders, serialization
from engine.troyes.state.orders import Order
from engine.troyes.state.state import LE_ROY, TroyesState


class Troyes:
    """The base game, its bonus box, the solo game, and The Ladies of Troyes.

    Every method is a function of its arguments.
    """

    kind = "troyes"
    title = "Troyes"
    schema = serialization.SCHEMA
    seats = setup.PLAYERS
    options: tuple[Option, ...] = setup.OPTIONS
    achievements: tuple[Achievement, ...] = ()
    draws = verbs.KINDS.draws

    def reserved(self) -> frozenset[str]:
        """Order words, districts, ids and dice."""
        dice = {f"{letter}{value}" for letter in "ywrpjbm" for value in range(1, 7)}
        others = ("le-roy", "le_roy", "bank", "event")
        return frozenset({*VERBS, *CLAUSES, *DISTRICTS, *box.words(), *dice, *others})

    def settle_options(self, players: int, chosen: Mapping[str, str]) -> dict[str, str]:
        return setup.settle_options(players, chosen)

    def start(
        self,
        players: Mapping[Seat, str],
        options: Mapping[str, str],
        chance: Chance,
        *,
        facts: Mapping[str, Any] | None = None,
        first: Seat | None = None,
    ) -> Step:
        return conduct.start(players, options, chance, facts, first)

    def waiting(self, state: TroyesState) -> tuple[Decision, ...]:
        return tuple(
            Decision(
                Seat(asked["seat"]),
                asked["kind"],
                asked["number"],
                conduct.question(state, asked),
                asked["kind"] in conduct.SEALED,
                asked["seat"] in state.sealed,
            )
            for asked in state.asked
        )

    def read(self, state: TroyesState, seat: Seat, text: str) -> Reading:
        return notation.read(state, seat, text)

    def write(self, state: TroyesState, seat: Seat, order: Order) -> str:
        return notation.write(state, seat, order)

    def apply(self, state: TroyesState, seat: Seat, order: Order, chance: Chance) -> Step:
        return conduct.apply(state, seat, order, chance)

    def withdraw(self, state: TroyesState, seat: Seat) -> Step | None:
        """Nothing: whoever has answered is not asked any more, and what is taken back is taken back as any order."""
        return None

    def offers(self, state: TroyesState, seat: Seat) -> tuple[Offer, ...]:
        listed = offering.offers(state, seat)
        return tuple(Offer(notation.write(state, seat, order), says) for order, says in listed)

    def every(self, state: TroyesState, seat: Seat, sample: Sequence[int] | None = None) -> Iterator[str]:
        found = legal.every(state, seat) if sample is None else legal.some(state, seat, Lot(sample))
        return (notation.write(state, seat, order) for order in found)

    def suspicious(self, state: TroyesState, seat: Seat, given: Sequence[Order]) -> Msg | None:
        """Influence spent and then a pass, with nothing shown in between, is likely a slip."""
        if any(isinstance(order, orders.Pass) for order in given):
            before = [order for order in given if isinstance(order, orders.Flip | orders.Recruit)]
            if before:
                return T(
                    "You spend influence and then pass, without acting: this looks like a slip. Send «pass» alone if "
                    "you mean it."
                )
        return None

    def renumber(self, state: TroyesState, number: int) -> TroyesState:
        return conduct.renumber(state, number)

    def view(self, state: TroyesState, seat: Seat | None) -> viewing.TroyesView:
        return viewing.view(state, seat)

    def heading(self, state: TroyesState) -> Msg:
        return viewing.heading(state)

    def stage(self, state: TroyesState) -> str:
        return f"r{state.round}"

    def tell(
        self, state: TroyesState, entries: Sequence[Entry], reader: Seat | None, first: int = 0
    ) -> tuple[Line, ...]:
        return log.tell(state, entries, reader, first)

    def result(self, state: TroyesState) -> Result | None:
        if not state.scores:
            return None
        names = {part: log.part_name(part) for parts in state.scores.values() for part in parts}
        notes: tuple[Msg, ...] = ()
        if state.solo:
            names[LE_ROY] = T("Le Roy")
            points = automaton.difference(state.scores)
            notes = (T("The difference is {points}.", points=points), automaton.verdict(points)[1])
        return Result(
            scores={Seat(seat): dict(parts) for seat, parts in state.scores.items()},
            totals={Seat(seat): sum(parts.values()) for seat, parts in state.scores.items()},
            winners=tuple(Seat(seat) for seat in scoring.winners(state.scores)),
            names=names,
            notes=notes,
        )

    def explain(self, word: str, state: TroyesState | None = None) -> CardText | None:
        if state is None:
            return box.explain(word)
        return box.explain(word, state.box, solo=state.solo)

    def words(self) -> tuple[str, ...]:
        return box.words()

    def verbs(self) -> frozenset[str]:
        return frozenset(VERBS)

    def examples(self, state: TroyesState, seat: Seat, made: Sequence[Offer]) -> tuple[str, ...]:
        return offering.examples(made)

    def fold(self, state: TroyesState | None, entries: Sequence[Entry]) -> TroyesState:
        return verbs.Play.fold(state.copy() if state is not None else None, entries)

    def dump(self, state: TroyesState) -> tuple[Data, Data]:
        return serialization.dump(state)

    def load(self, public: Data, secret: Data) -> TroyesState:
        return serialization.load(public, secret)

    def redacted(self, state: TroyesState, seat: Seat | None = None) -> TroyesState:
        return serialization.redacted(state)

    def broken(self, state: TroyesState) -> tuple[str, ...]:
        return invariants.broken(state)

    def settable(self, state: TroyesState) -> dict[str, Any]:
        return edits.REPAIRS.settable(state)

    def change(self, state: TroyesState, path: str, value: Any, reason: str = "") -> Entry:
        return edits.REPAIRS.change(state, path, value, reason)

    def calmed(self, state: TroyesState) -> tuple[Entry, ...]:
        return verbs.calmed(state)

    def facts(self) -> tuple[Data, ...]:
        return box.facts()

    def judge(self, scenario: Data, defaults: Data) -> Verdict:
        return cases.judge(scenario, defaults)
