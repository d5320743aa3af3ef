"""Troyes as the post room sees it: the `Game` that `engine.game.find("troyes")` returns."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any

from engine.catalog import Msg
from engine.catalog import T
from engine.chance import Chance
from engine.chronicle import Data
from engine.chronicle import Entry
from engine.game import Achievement
from engine.game import CardText
from engine.game import Decision
from engine.game import Line
from engine.game import Offer
from engine.game import Option
from engine.game import Reading
from engine.game import Result
from engine.game import Seat
from engine.game import Step
from engine.game import Verdict
from engine.kit.sampling import Lot
from engine.troyes import archive
from engine.troyes import cards
from engine.troyes import conduct
from engine.troyes import language
from engine.troyes import laws
from engine.troyes import le_roy
from engine.troyes import offering
from engine.troyes import orders
from engine.troyes import position
from engine.troyes import possible
from engine.troyes import repairs
from engine.troyes import scoring
from engine.troyes import setup
from engine.troyes import telling
from engine.troyes import verbs
from engine.troyes import viewing
from engine.troyes.language.words import CLAUSES
from engine.troyes.language.words import DISTRICTS
from engine.troyes.language.words import VERBS
from engine.troyes.orders import Order
from engine.troyes.state import LE_ROY
from engine.troyes.state import Town
from engine.troyes.words import named


class Troyes:
    """The base game, its bonus cards, the solo game, and The Ladies of Troyes.

    Every method is a function of its arguments.
    """

    kind = "troyes"
    title = "Troyes"
    schema = archive.SCHEMA
    seats = setup.PLAYERS
    options: tuple[Option, ...] = setup.OPTIONS
    achievements: tuple[Achievement, ...] = ()
    draws = frozenset({"begins", "rolled", "black", "shot", "rerolled", "fate", "reseated", "acts"})

    def reserved(self) -> frozenset[str]:
        """Order words, districts, ids and dice."""
        dice = {f"{letter}{value}" for letter in "ywrpjbm" for value in range(1, 7)}
        others = ("le-roy", "le_roy", "bank", "event")
        return frozenset({*VERBS, *CLAUSES, *DISTRICTS, *cards.words(), *dice, *others})

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

    def waiting(self, state: Town) -> tuple[Decision, ...]:
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

    def read(self, state: Town, seat: Seat, text: str) -> Reading:
        return language.read(state, seat, text)

    def write(self, state: Town, seat: Seat, order: Order) -> str:
        return language.write(state, seat, order)

    def apply(self, state: Town, seat: Seat, order: Order, chance: Chance) -> Step:
        return conduct.apply(state, seat, order, chance)

    def withdraw(self, state: Town, seat: Seat) -> Step | None:
        """Nothing: whoever has answered is not asked any more, and what is taken back is taken back as any order."""
        return None

    def offers(self, state: Town, seat: Seat) -> tuple[Offer, ...]:
        return offering.offers(state, seat)

    def every(self, state: Town, seat: Seat, sample: Sequence[int] | None = None) -> Iterator[str]:
        found = possible.every(state, seat) if sample is None else possible.some(state, seat, Lot(sample))
        return (language.write(state, seat, order) for order in found)

    def suspicious(self, state: Town, seat: Seat, given: Sequence[Order]) -> Msg | None:
        """Influence spent and then a pass, with nothing shown in between, is likely a slip."""
        if any(isinstance(order, orders.Pass) for order in given):
            before = [order for order in given if isinstance(order, orders.Flip | orders.Recruit)]
            if before:
                return T(
                    "You spend influence and then pass, without acting: this looks like a slip. Send «pass» alone if "
                    "you mean it."
                )
        return None

    def renumber(self, state: Town, number: int) -> Town:
        return conduct.renumber(state, number)

    def view(self, state: Town, seat: Seat | None) -> viewing.View:
        return viewing.view(state, seat)

    def heading(self, state: Town) -> Msg:
        return viewing.heading(state)

    def stage(self, state: Town) -> str:
        return f"r{state.round}"

    def tell(self, state: Town, entries: Sequence[Entry], reader: Seat | None, first: int = 0) -> tuple[Line, ...]:
        return telling.tell(state, entries, reader, first)

    def result(self, state: Town) -> Result | None:
        if not state.scores:
            return None
        names = {part: _part_name(part) for parts in state.scores.values() for part in parts}
        notes: tuple[Msg, ...] = ()
        if state.solo:
            names[LE_ROY] = T("Le Roy")
            points = le_roy.difference(state.scores)
            notes = (T("The difference is {points}.", points=points), le_roy.verdict(points)[1])
        return Result(
            scores={Seat(seat): dict(parts) for seat, parts in state.scores.items()},
            totals={Seat(seat): sum(parts.values()) for seat, parts in state.scores.items()},
            winners=tuple(Seat(seat) for seat in scoring.winners(state.scores)),
            names=names,
            notes=notes,
        )

    def explain(self, word: str, state: Town | None = None) -> CardText | None:
        if state is None:
            return cards.explain(word)
        return cards.explain(word, state.box, solo=state.solo)

    def words(self) -> tuple[str, ...]:
        return cards.words()

    def verbs(self) -> frozenset[str]:
        return frozenset(VERBS)

    def examples(self, state: Town, seat: Seat, made: Sequence[Offer]) -> tuple[str, ...]:
        return offering.examples(made)

    def fold(self, state: Town | None, entries: Sequence[Entry]) -> Town:
        return verbs.fold(state.copy() if state is not None else None, entries)

    def dump(self, state: Town) -> tuple[Data, Data]:
        return archive.dump(state)

    def load(self, public: Data, secret: Data) -> Town:
        return archive.load(public, secret)

    def redacted(self, state: Town, seat: Seat | None = None) -> Town:
        return archive.redacted(state)

    def broken(self, state: Town) -> tuple[str, ...]:
        return laws.broken(state)

    def settable(self, state: Town) -> dict[str, Any]:
        return repairs.REPAIRS.settable(state)

    def change(self, state: Town, path: str, value: Any, reason: str = "") -> Entry:
        return repairs.REPAIRS.change(state, path, value, reason)

    def calmed(self, state: Town) -> tuple[Entry, ...]:
        return repairs.calmed(state)

    def facts(self) -> tuple[Data, ...]:
        return cards.facts()

    def judge(self, scenario: Data, defaults: Data) -> Verdict:
        return position.judge(scenario, defaults)


def _part_name(part: str) -> Msg:
    fixed = {
        "tokens": T("tokens"),
        "presence": T("presence on events"),
        "tradesmen": T("tradesmen"),
        "cathedral": T("missing cathedral levels"),
    }
    return fixed.get(part) or named(part)
