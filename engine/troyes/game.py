"""Troyes as the post room sees it: the `Game` that `engine.game.find("troyes")` returns."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence

from engine.catalog import Msg, T
from engine.chance import Blind, Unknown
from engine.errors import NotUnderstood, OrderRefused, Unclear
from engine.game import Decision, Ending, Game, Reading, Seat
from engine.kit.sampling import Lot
from engine.kit.words import kebab
from engine.moderation import Moderation
from engine.reference import Achievement, CardText, Reference
from engine.thinking import Thinking
from engine.troyes import automaton, box, cases, entries, log, notation
from engine.troyes import view as viewing
from engine.troyes.board import scoring
from engine.troyes.entries import edits
from engine.troyes.moves import legal
from engine.troyes.moves import options as offering
from engine.troyes.moves.default import default
from engine.troyes.notation.words import BEGINNINGS, CLAUSES, COLOURS, DISTRICTS, VERBS
from engine.troyes.phases import conduct, imagining, invariants, setup
from engine.troyes.spelling import spellings
from engine.troyes.state import orders, serialization
from engine.troyes.state.orders import Order
from engine.troyes.state.state import LE_ROY, TroyesState
from engine.troyes.suggest import repairs, sole


class TroyesModeration(Moderation[TroyesState]):
    """What taking back, trials and repairs need."""

    renumber = staticmethod(conduct.renumber)
    redacted = staticmethod(serialization.redacted)
    violations = staticmethod(invariants.violations)
    settable = staticmethod(edits.REPAIRS.settable)
    change = staticmethod(edits.REPAIRS.change)
    without_plans = staticmethod(entries.without_plans)
    gone_with = staticmethod(entries.gone_with)


class TroyesThinking(Thinking[TroyesState, Order]):
    """What a computer player needs."""

    horizon = 1
    ranked = staticmethod(offering.ranked)
    groups = staticmethod(offering.groups)
    likely = staticmethod(offering.likely)
    after = staticmethod(conduct.after)
    imagined = staticmethod(imagining.imagined)

    def asked(self, state: TroyesState) -> tuple[str, str] | None:
        """Whoever has not sealed an answer."""
        return next(((one["seat"], one["kind"]) for one in state.asked if one["seat"] not in state.sealed), None)

    def shown(self, state: TroyesState) -> Hashable:
        """Dice, and what the Archer's have hit; cards are turned up only between rounds."""
        return state.round, str((state.dice, state.black, [threat.cubes for threat in state.queue]))

    def rivals(self, state: TroyesState, seat: str) -> tuple[str, ...]:
        """Every other family, le Roy's too."""
        return tuple(other for other in state.circle if other != seat)


class TroyesReference(Reference[TroyesState]):
    """Cards and words."""

    achievements: tuple[Achievement, ...] = ()
    words = staticmethod(box.words)
    facts = staticmethod(box.facts)
    rule_test = staticmethod(cases.rule_test)
    spellings = staticmethod(spellings)

    def explain(self, word: str, state: TroyesState | None = None) -> CardText | None:
        """A card, place or event with the numbers of this game; `event-2` is the second of the queue."""
        if state is None:
            return box.explain(word)
        at = kebab(word).removeprefix("event-")
        if at.isdecimal() and at != kebab(word) and 1 <= int(at) <= len(state.queue):
            word = state.queue[int(at) - 1].id
        return box.explain(word, state.box, solo=state.solo)

    def verbs(self) -> frozenset[str]:
        """First words of orders."""
        return BEGINNINGS

    def reserved(self) -> frozenset[str]:
        """Order words, districts, ids and dice."""
        dice = {f"{letter}{value}" for letter in "ywrpjbm" for value in range(1, 7)}
        others = ("le-roy", "le_roy", "bank", "event")
        return frozenset({*BEGINNINGS, *CLAUSES, *DISTRICTS, *box.words(), *dice, *others})

    def examples(self, state: TroyesState, seat: str, offered: Sequence[str], language: str = "en") -> tuple[str, ...]:
        """Two of the options that differ."""
        return offering.examples(offered)

    def every(self, state: TroyesState, seat: str, sample: Sequence[int] | None = None) -> Iterator[str]:
        """All legal orders, or some."""
        found = legal.every(state, seat) if sample is None else legal.some(state, seat, Lot(sample))
        return (notation.write(state, seat, order) for order in found)

    def repairs(self, state: TroyesState, seat: str, text: str, language: str = "en") -> tuple[str, ...]:
        """The legal orders nearest to a line."""
        return repairs(state, seat, text, conduct.apply, language)

    def topics(self, order: str) -> frozenset[str]:
        """The colours and values of its dice, and the forms of its verb."""
        verb, said = order.partition(" ")[0], set("".join(re.findall(r"\b[YWRP][1-6]\b", order)))
        forms = [word for word, meant in VERBS.items() if meant == verb]
        return frozenset((*forms, *said, *(word for word, letter in COLOURS.items() if letter in said)))


class Troyes(Game[TroyesState, Order]):
    """The base game, its bonus box, the solo game, and The Ladies of Troyes."""

    kind = "troyes"
    title = setup.TITLE
    schema = serialization.SCHEMA
    seats = setup.PLAYERS
    options = setup.OPTIONS
    draws = entries.KINDS.draws
    moderation = TroyesModeration()
    reference = TroyesReference()
    thinking = TroyesThinking()

    settle_options = staticmethod(setup.settle_options)
    start = staticmethod(conduct.start)
    write = staticmethod(notation.write)
    title_of = staticmethod(notation.title)
    choices = staticmethod(offering.offers)
    kind_of = staticmethod(offering.kind_of)
    estimate = staticmethod(offering.estimate)
    default = staticmethod(default)
    apply = staticmethod(conduct.apply)
    withdraw = staticmethod(conduct.withdraw)
    view = staticmethod(viewing.view)
    heading = staticmethod(viewing.heading)
    tell = staticmethod(log.tell)
    story = staticmethod(log.story)
    dump = staticmethod(serialization.dump)
    load = staticmethod(serialization.load)
    fold = staticmethod(entries.fold)
    due = staticmethod(entries.Play.due)

    def read(self, state: TroyesState, seat: Seat, line: str) -> Reading[Order]:
        """One line; where it can mean several orders, those that are legal now go with the refusal.

        A line that the grammar does not know may name one order whole.
        """
        try:
            return notation.read(state, seat, line)
        except NotUnderstood:
            # In the position as the seat sees it: another's plan must change nothing of what is read.
            order = sole(serialization.redacted(state, seat), seat, line, conduct.apply)
            if order is None:
                raise
            return Reading(order, notation.write(state, seat, order), covered=True)
        except Unclear as unclear:
            found = unclear.orders or (_for_later(state, seat) if unclear.anytime else ())
            unclear.orders = tuple(order for order in found if _is_legal(state, seat, order))
            raise

    def waiting(self, state: TroyesState) -> tuple[Decision, ...]:
        """Whoever is asked; `answered` is theirs to know."""
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

    def suspicious(self, state: TroyesState, seat: Seat, orders_: Sequence[Order]) -> Msg | None:
        """Influence spent and then a pass, with nothing shown in between, is likely a slip."""
        passes = any(isinstance(order, orders.Pass) for order in orders_)
        if passes and any(isinstance(order, orders.Flip | orders.Recruit) for order in orders_):
            return T(
                "You spend influence and then pass, without acting: this looks like a slip. Send «pass» alone if "
                "you mean it."
            )
        return None

    def stage(self, state: TroyesState) -> str:
        """One a round."""
        return f"r{state.round}"

    def result(self, state: TroyesState) -> Ending | None:
        """Points by part; le Roy's are in a row of their own, and the difference says how a solo game went."""
        if not state.scores:
            return None
        names = {part: log.part_name(part) for parts in state.scores.values() for part in parts}
        notes: tuple[Msg, ...] = ()
        if state.solo:
            names[LE_ROY] = T("Le Roy")
            points = automaton.difference(state.scores)
            notes = (T("The difference is {points}.", points=points), automaton.verdict(points)[1])
        return Ending(
            scores={Seat(seat): dict(parts) for seat, parts in state.scores.items()},
            totals={Seat(seat): sum(parts.values()) for seat, parts in state.scores.items()},
            winners=tuple(Seat(seat) for seat in scoring.winners(state.scores)),
            names=names,
            explains=log.explained(state),
            notes=notes,
        )


def _for_later(state: TroyesState, seat: str) -> tuple[str, ...]:
    """What may be said for later, in order lines."""
    return tuple(notation.write(state, seat, order) for order in offering.for_later(state, seat))


def _is_legal(state: TroyesState, seat: str, text: str) -> bool:
    """Whether a canonical order can be played now, as far as can be seen without a roll."""
    try:
        conduct.apply(state, Seat(seat), notation.read(state, seat, text).order, Blind())
    except OrderRefused:
        return False
    except Unknown:
        return True
    return True
