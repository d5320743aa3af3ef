"""Troyes Dice as the post room sees it: the `Game` that `engine.game.find("troyes-dice")` returns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.catalog import Msg, T
from engine.chance import Chance
from engine.chronicle import Data, Entry
from engine.game import Achievement, CardText, Decision, Ending, Line, Offer, Option, Reading, Seat, Step, Verdict
from engine.kit.sampling import Lot
from engine.troyes_dice import box, notation
from engine.troyes_dice import entries as verbs
from engine.troyes_dice import view as viewing
from engine.troyes_dice.actions import answers, invariants, scoring, setup
from engine.troyes_dice.actions.half_day import plan
from engine.troyes_dice.cases import checking
from engine.troyes_dice.log import news
from engine.troyes_dice.log.summary import question
from engine.troyes_dice.moves import legal
from engine.troyes_dice.moves import options as offering
from engine.troyes_dice.notation.words import CLAUSES, COLOURS, DICE, USES, VERBS
from engine.troyes_dice.phases import conduct
from engine.troyes_dice.state import edits, serialization
from engine.troyes_dice.state.orders import Order
from engine.troyes_dice.state.state import DiceState


class TroyesDice:
    """The base game, alone or at a table, with or without the Banquets and Raids."""

    kind = "troyes-dice"
    title = "Troyes Dice"
    schema = serialization.SCHEMA
    seats = setup.PLAYERS
    options: tuple[Option, ...] = setup.OPTIONS
    draws = frozenset({"begins", "rolled"})
    achievements: tuple[Achievement, ...] = tuple(
        Achievement(
            id_.replace("_", "-"),
            CardText(box.name(id_), box.achievement(box.load_box(), id_)),
            int(state.get("times", 1)),
        )
        for id_, state in box.load_box().facts["achievement"].items()
    )

    def reserved(self) -> frozenset[str]:
        """Order words, buildings, tiles and dice."""
        return frozenset({*VERBS, *COLOURS, *CLAUSES, *USES, *box.words(), *DICE, "black", "system"})

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

    def waiting(self, state: DiceState) -> tuple[Decision, ...]:
        """In a half day everybody asked is here until it closes, with one number; `answered` is theirs to know."""
        return tuple(self._decision(state, row["seat"]) for row in state.asked)

    def _decision(self, state: DiceState, seat: str) -> Decision:
        kind = answers.asked_kind(state, seat)
        return Decision(
            Seat(seat),
            kind,
            state.number,
            _question(state, seat, kind),
            sealed=kind != answers.NUMBERING,
            answered=answers.has_answered(state, seat),
        )

    def read(self, state: DiceState, seat: Seat, text: str) -> Reading:
        return notation.read(state, seat, text)

    def write(self, state: DiceState, seat: Seat, order: Order) -> str:
        return notation.write(state, seat, order)

    def apply(self, state: DiceState, seat: Seat, order: Order, chance: Chance) -> Step:
        return conduct.apply(state, seat, order, chance)

    def suspicious(self, state: DiceState, seat: Seat, orders: Sequence[Order]) -> Msg | None:
        """Nothing: an order replaces the one before it, so a slip costs nothing until the half day closes."""
        return None

    def renumber(self, state: DiceState, number: int) -> DiceState:
        return conduct.renumber(state, number)

    def withdraw(self, state: DiceState, seat: Seat) -> Step | None:
        return conduct.withdraw(state, seat)

    def offers(self, state: DiceState, seat: Seat) -> tuple[Offer, ...]:
        return offering.offers(state, seat)

    def every(self, state: DiceState, seat: Seat, sample: Sequence[int] | None = None) -> Iterator[str]:
        found = legal.every(state, seat) if sample is None else legal.some(state, seat, Lot(sample))
        return (notation.write(state, seat, order) for order in found)

    def view(self, state: DiceState, seat: Seat | None) -> viewing.DiceView:
        return viewing.view(state, seat)

    def heading(self, state: DiceState) -> Msg:
        return viewing.heading(state)

    def stage(self, state: DiceState) -> str:
        """One a day: its morning and afternoon are one thread."""
        return f"d{state.day}"

    def tell(self, state: DiceState, entries: Sequence[Entry], reader: Seat | None, first: int = 0) -> tuple[Line, ...]:
        return news.tell(state, entries, reader, first)

    def result(self, state: DiceState) -> Ending | None:
        if not state.scores:
            return None
        totals = {Seat(seat): sum(parts.values()) for seat, parts in state.scores.items()}
        best = max(totals.values())
        return Ending(
            scores={Seat(seat): dict(parts) for seat, parts in state.scores.items()},
            totals=totals,
            winners=tuple(seat for seat, total in totals.items() if total == best),
            names={"characters": T("characters"), "resources": T("resources"), "citizens": T("citizens")},
            achieved={seat: tuple(id_.replace("_", "-") for id_ in scoring.achieved(state, seat)) for seat in totals},
            notes=(_alone(state, best),) if len(totals) == 1 else (),
        )

    def explain(self, word: str, state: DiceState | None = None) -> CardText | None:
        return box.explain(word, state.box if state is not None else None)

    def words(self) -> tuple[str, ...]:
        """Without the small words between the parts, which any letter may hold."""
        parts = (word for word, clause in CLAUSES.items() if clause in ("plaza", "pay"))
        return tuple(sorted({*box.words(), *VERBS, *COLOURS, *USES, *parts}))

    def verbs(self) -> frozenset[str]:
        """Colours begin an order, as its die does; short dice such as `R6` are dice in every game."""
        return frozenset({*VERBS, *COLOURS})

    def examples(self, state: DiceState, seat: Seat, made: Sequence[Offer]) -> tuple[str, ...]:
        return offering.examples(made)

    def fold(self, state: DiceState | None, entries: Sequence[Entry]) -> DiceState:
        return verbs.fold(state.copy() if state is not None else None, entries)

    def dump(self, state: DiceState) -> tuple[Data, Data]:
        return serialization.dump(state)

    def load(self, public: Data, secret: Data) -> DiceState:
        return serialization.load(public, secret)

    def redacted(self, state: DiceState, seat: Seat | None = None) -> DiceState:
        """Without sealed answers; `seat` keeps its own, so that it can try the choices of a bonus."""
        return serialization.redacted(state, seat)

    def broken(self, state: DiceState) -> tuple[str, ...]:
        return invariants.broken(state)

    def settable(self, state: DiceState) -> dict[str, Any]:
        return edits.REPAIRS.settable(state)

    def change(self, state: DiceState, path: str, value: Any, reason: str = "") -> Entry:
        return edits.REPAIRS.change(state, path, value, reason)

    def calmed(self, state: DiceState) -> tuple[Entry, ...]:
        return edits.calmed(state)

    def facts(self) -> tuple[Data, ...]:
        return box.facts()

    def judge(self, scenario: Data, defaults: Data) -> Verdict:
        return checking.judge(scenario, defaults)


def _question(state: DiceState, seat: str, kind: str) -> Msg:
    """What a seat is asked, in words."""
    if kind == answers.NUMBERING:
        if state.first_number:
            return T("The leftmost column is {n}: number the others up or down.", n=state.first_number)
        return T("Number the columns, each number from 1 to 6 once.")
    given = answers.answer(state, seat)
    missing = plan(state, seat, given).open if kind == answers.BONUS and given is not None else None
    if missing is not None:
        return question(missing)
    if answers.has_answered(state, seat):
        return T("You have answered; until everybody has, another answer replaces yours.")
    return T("Choose a die and use it.")


def _alone(state: DiceState, points: int) -> Msg:
    """How good a result alone is: the highest mark it reaches (rulings, section 6)."""
    mark = scoring.band(state.box, points)
    if mark:
        return T("Alone, the mark of {mark} VP is reached.", mark=mark)
    return T("Alone, the first mark to reach is {mark} VP.", mark=scoring.marks(state.box)[0])
