"""Troyes for the post room: the `Game` that `engine.game.find_game("troyes")` returns."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence

from engine.catalog import Msg, T
from engine.chance import BlindChance, UnknownDraw
from engine.errors import NotUnderstood, OrderRefused, Unclear
from engine.game import Decision, Ending, Game, Reading, Seat
from engine.game_search import GameSearch
from engine.kit.sampling import NumberStream
from engine.kit.words import kebab
from engine.reference import Achievement, CardText, Reference
from engine.state_repair import StateRepair
from engine.troyes import cases
from engine.troyes.board import scoring
from engine.troyes.card_data import explain
from engine.troyes.card_data.item_names import known_names
from engine.troyes.card_data.proof import proof_rows
from engine.troyes.events import play, round_events
from engine.troyes.events.play import KINDS, Play, changed_plans, fold_entries
from engine.troyes.news import sentences
from engine.troyes.news.round_text import part_name
from engine.troyes.notation.order_words import BEGINNINGS, CLAUSES, COLOURS, DISTRICTS, VERBS
from engine.troyes.notation.standing_parser import parse_order
from engine.troyes.notation.title import order_title
from engine.troyes.notation.writing import write_order
from engine.troyes.options import offers
from engine.troyes.options.estimate import expected_points
from engine.troyes.options.legal_orders import every_order
from engine.troyes.options.random_orders import random_order
from engine.troyes.phases import determinize, game_flow, invariants, setup
from engine.troyes.solo.solo_result import difference, verdict
from engine.troyes.spelling import spellings
from engine.troyes.state import orders, serialization
from engine.troyes.state.orders import Order
from engine.troyes.state.troyes_state import LE_ROY, TroyesState
from engine.troyes.suggest.cover import covered_order
from engine.troyes.suggest.ranking import suggested_orders
from engine.troyes.view import position_view as viewing


class TroyesRepair(StateRepair[TroyesState]):
    """What undoing, trials and repairs need."""

    renumber = staticmethod(game_flow.renumber)
    redacted = staticmethod(serialization.redacted)
    violations = staticmethod(invariants.violations)
    settable = staticmethod(round_events.REPAIRS.settable)
    change = staticmethod(round_events.REPAIRS.change)
    without_plans = staticmethod(play.without_plans)
    gone_with = staticmethod(changed_plans)


class TroyesSearch(GameSearch[TroyesState, Order]):
    """What a computer player needs."""

    horizon = 1
    ranked = staticmethod(offers.ranked_orders)
    groups = staticmethod(offers.order_groups)
    likely = staticmethod(offers.likely_order)
    after = staticmethod(game_flow.position_after)
    imagined = staticmethod(determinize.determinized)

    def asked(self, state: TroyesState) -> tuple[str, str] | None:
        """The seat and kind of the first decision without a sealed answer."""
        return next(((one.seat, one.kind) for one in state.asked if one.seat not in state.sealed), None)

    def shown(self, state: TroyesState) -> Hashable:
        """What a roll has shown: dice, and what the Archer has hit. Cards are turned up only between rounds."""
        return state.round, str((state.dice, state.black, [threat.cubes for threat in state.queue]))

    def rivals(self, state: TroyesState, seat: str) -> tuple[str, ...]:
        """Every other family, le Roy's too."""
        return tuple(other for other in state.circle if other != seat)


class TroyesReference(Reference[TroyesState]):
    """Cards and words."""

    achievements: tuple[Achievement, ...] = ()
    words = staticmethod(known_names)
    facts = staticmethod(proof_rows)
    rule_test = staticmethod(cases.rule_test)
    spellings = staticmethod(spellings)

    def explain(self, word: str, state: TroyesState | None = None) -> CardText | None:
        """A card, place or event with the numbers of this game; `event-2` is the second of the queue."""
        if state is None:
            return explain.explain(word)
        at = kebab(word).removeprefix("event-")
        if at.isdecimal() and at != kebab(word) and 1 <= int(at) <= len(state.queue):
            word = state.queue[int(at) - 1].id
        return explain.explain(word, state.box, solo=state.solo)

    def verbs(self) -> frozenset[str]:
        """First words of orders."""
        return BEGINNINGS

    def reserved(self) -> frozenset[str]:
        """Order words, districts, ids and dice."""
        dice = {f"{letter}{value}" for letter in "ywrpjbm" for value in range(1, 7)}
        others = ("le-roy", "le_roy", "bank", "event")
        return frozenset({*BEGINNINGS, *CLAUSES, *DISTRICTS, *known_names(), *dice, *others})

    def examples(self, state: TroyesState, seat: str, offered: Sequence[str], language: str = "en") -> tuple[str, ...]:
        """Two of the options, to imitate."""
        return offers.example_orders(offered)

    def every(self, state: TroyesState, seat: str, sample: Sequence[int] | None = None) -> Iterator[str]:
        """All legal orders, or a few picked by `sample`."""
        found = every_order(state, seat) if sample is None else random_order(state, seat, NumberStream(sample))
        return (write_order(state, seat, order) for order in found)

    def repairs(self, state: TroyesState, seat: str, text: str, language: str = "en") -> tuple[str, ...]:
        """The legal orders nearest to a line."""
        return suggested_orders(state, seat, text, game_flow.apply_on_copy, language)

    def topics(self, order: str) -> frozenset[str]:
        """The colours and values of an order's dice, and the forms of its verb."""
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
    draws = KINDS.draws
    moderation = TroyesRepair()
    reference = TroyesReference()
    thinking = TroyesSearch()

    settle_options = staticmethod(setup.settle_options)
    start = staticmethod(game_flow.start_game)
    write = staticmethod(write_order)
    title_of = staticmethod(order_title)
    choices = staticmethod(offers.offered_orders)
    kind_of = staticmethod(offers.order_kind)
    estimate = staticmethod(expected_points)
    default = staticmethod(offers.default_order)
    apply = staticmethod(game_flow.apply_on_copy)
    withdraw = staticmethod(game_flow.withdraw)
    view = staticmethod(viewing.view)
    heading = staticmethod(viewing.heading)
    tell = staticmethod(sentences.tell_news)
    story = staticmethod(sentences.best_turns)
    dump = staticmethod(serialization.dump)
    load = staticmethod(serialization.load)
    fold = staticmethod(fold_entries)
    due = staticmethod(Play.due)

    def read(self, state: TroyesState, seat: Seat, line: str) -> Reading[Order]:
        """Parse one line, or find the one order that it names whole. An Unclear carries the orders legal now."""
        try:
            return parse_order(state, seat, line)
        except NotUnderstood:
            # In the position as the seat sees it: others' secrets must not change how a line is read.
            order = covered_order(serialization.redacted(state, seat), seat, line, game_flow.apply_on_copy)
            if order is None:
                raise
            return Reading(order, write_order(state, seat, order), covered=True)
        except Unclear as unclear:
            found = unclear.orders or (_for_later(state, seat) if unclear.anytime else ())
            unclear.orders = tuple(order for order in found if _is_legal(state, seat, order))
            raise

    def waiting(self, state: TroyesState) -> tuple[Decision, ...]:
        """Open decisions. `answered` is for their seat alone."""
        return tuple(
            Decision(
                Seat(asked.seat),
                asked.kind,
                asked.number,
                game_flow.question_text(state, asked),
                asked.kind in game_flow.SEALED,
                asked.seat in state.sealed,
            )
            for asked in state.asked
        )

    def suspicious(self, state: TroyesState, seat: Seat, orders_: Sequence[Order]) -> Msg | None:
        """Warn of influence spent before a pass, with no roll in between: it is likely a slip."""
        passes = any(isinstance(order, orders.Pass) for order in orders_)
        if passes and any(isinstance(order, orders.Flip | orders.Recruit) for order in orders_):
            return T(
                "You spend influence and then pass, without acting: this looks like a slip. Send «pass» alone if "
                "you mean it."
            )
        return None

    def stage(self, state: TroyesState) -> str:
        """One stage a round."""
        return f"r{state.round}"

    def result(self, state: TroyesState) -> Ending | None:
        """Points by part. Le Roy has a row of his own, and the difference says how a solo game went."""
        if not state.scores:
            return None
        names = {part: part_name(part) for parts in state.scores.values() for part in parts}
        notes: tuple[Msg, ...] = ()
        if state.solo:
            names[LE_ROY] = T("Le Roy")
            points = difference(state.scores)
            notes = (T("The difference is {points}.", points=points), verdict(points)[1])
        return Ending(
            scores={Seat(seat): dict(parts) for seat, parts in state.scores.items()},
            totals={Seat(seat): sum(parts.values()) for seat, parts in state.scores.items()},
            winners=tuple(Seat(seat) for seat in scoring.winners(state.scores)),
            names=names,
            explains=sentences.score_explanations(state),
            notes=notes,
        )


def _for_later(state: TroyesState, seat: str) -> tuple[str, ...]:
    """The orders that may be given for later, as lines."""
    return tuple(write_order(state, seat, order) for order in offers.later_orders(state, seat))


def _is_legal(state: TroyesState, seat: str, text: str) -> bool:
    """Whether a canonical order can be played now, as far as can be known before a roll."""
    try:
        game_flow.apply_on_copy(state, Seat(seat), parse_order(state, seat, text).order, BlindChance())
    except OrderRefused:
        return False
    except UnknownDraw:
        return True
    return True
