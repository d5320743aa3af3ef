"""Troyes Dice as the post room sees it: the `Game` that `engine.game.find_game("troyes-dice")` returns."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.catalog import Msg, T
from engine.chance import Chance
from engine.errors import NotUnderstood, Unclear
from engine.game import Decision, Ending, Game, Reading, Seat
from engine.game_search import GameSearch
from engine.kit.sampling import NumberStream
from engine.kit.suggest import is_playable
from engine.reference import Achievement, CardText, Reference
from engine.state_repair import StateRepair
from engine.troyes_dice import card_data, events, notation
from engine.troyes_dice import view as viewing
from engine.troyes_dice.actions import invariants, scoring, sealed_answers, setup
from engine.troyes_dice.actions.half_day import plan_half_day
from engine.troyes_dice.cases import rule_tests
from engine.troyes_dice.news import sentences, story
from engine.troyes_dice.news.sentences import bonus_question
from engine.troyes_dice.notation.order_words import CANCELS, DICE, EVERYDAY, TABLE, TELLING, VERBS, words_of_kinds
from engine.troyes_dice.options import legal_orders
from engine.troyes_dice.options import offers as offering
from engine.troyes_dice.options.estimate import estimate
from engine.troyes_dice.phases import game_flow
from engine.troyes_dice.spelling import spellings
from engine.troyes_dice.state import edits, serialization
from engine.troyes_dice.state.dice_state import DiceState
from engine.troyes_dice.state.orders import Order
from engine.troyes_dice.suggest import covered_order, suggested_orders

_BEGINNINGS = frozenset({*VERBS, *words_of_kinds("colour"), *CANCELS, "auto"})
"""First words of an order, short dice apart."""

_NAMED = tuple(sorted({*card_data.known_names(), *(words_of_kinds(*TELLING).keys() - EVERYDAY)}))
"""All words that can be explained or read, small words apart."""


class DiceModeration(StateRepair[DiceState]):
    """What taking back, trials and repairs need."""

    redacted = staticmethod(serialization.redacted)
    violations = staticmethod(invariants.violations)
    settable = staticmethod(edits.REPAIRS.settable)
    change = staticmethod(edits.REPAIRS.change)
    without_plans = staticmethod(edits.without_plans)


class DiceThinking(GameSearch[DiceState, Order]):
    """What a computer player needs. Nobody has rivals: the best sheet wins, whatever the others hold."""

    horizon = 2
    ranked = staticmethod(offering.ranked_orders)
    groups = staticmethod(offering.order_groups)
    likely = staticmethod(offering.likely_order)
    after = staticmethod(game_flow.position_after)

    def asked(self, state: DiceState) -> tuple[str, str] | None:
        """Whoever has not answered."""
        seat = next((seat for seat in state.asked if not sealed_answers.has_answered(state, seat)), "")
        return (seat, sealed_answers.asked_kind(state, seat)) if seat else None

    def shown(self, state: DiceState) -> Hashable:
        """The dice of the half day."""
        return state.half_day, state.dice

    def imagined(self, state: DiceState, seat: str, chance: Chance) -> DiceState:
        """The seat's own sheet alone: nobody changes another's, and only answers are hidden."""

        def own(table: Any) -> Any:
            return {seat: table[seat]} if seat in table else {}

        found = state.copy()
        names, sheets, asked, sealed = map(own, (found.names, found.sheets, found.asked, found.sealed))
        return replace(found, crier=seat, names=names, sheets=sheets, asked=asked, sealed=sealed, plans={})


class DiceReference(Reference[DiceState]):
    """Buildings, tiles and words."""

    achievements: tuple[Achievement, ...] = tuple(
        Achievement(
            id_.replace("_", "-"),
            CardText(card_data.item_name(id_), card_data.achievement_text(card_data.load_box(), id_)),
            int(state.get("times", 1)),
        )
        for id_, state in card_data.load_box().facts["achievement"].items()
    )
    facts = staticmethod(card_data.proof_rows)
    rule_test = staticmethod(rule_tests.rule_test)
    spellings = staticmethod(spellings)

    def explain(self, word: str, state: DiceState | None = None) -> CardText | None:
        return card_data.explain(word, state.box if state is not None else None)

    def words(self) -> tuple[str, ...]:
        """Without the small words between the parts, which any letter may hold."""
        return _NAMED

    def verbs(self) -> frozenset[str]:
        """Colours begin an order, as its die does; short dice such as `R6` are dice in every game."""
        return _BEGINNINGS

    def reserved(self) -> frozenset[str]:
        """Order words, buildings, tiles and dice; words that say nothing in an order are free."""
        return frozenset({*words_of_kinds(*TABLE.keys() - {"article"}), *card_data.known_names(), *DICE, "system"})

    def examples(self, state: DiceState, seat: str, offered: Sequence[str], language: str = "en") -> tuple[str, ...]:
        return offering.example_orders(offered)

    def every(self, state: DiceState, seat: str, sample: Sequence[int] | None = None) -> Iterator[str]:
        found = (
            legal_orders.every_order(state, seat)
            if sample is None
            else legal_orders.random_order(state, seat, NumberStream(sample))
        )
        return (notation.write_order(state, seat, order) for order in found)

    def repairs(self, state: DiceState, seat: str, text: str, language: str = "en") -> tuple[str, ...]:
        return suggested_orders(
            state, seat, text, lambda order: is_playable(game_flow.apply_order, state, seat, order), language
        )


class TroyesDice(Game[DiceState, Order]):
    """The base game, alone or at a table, with or without the Banquets and Raids.

    Nothing is suspicious: an order replaces the one before it, so a slip costs nothing until the half day closes.
    """

    kind = "troyes-dice"
    title = setup.TITLE
    schema = serialization.SCHEMA
    seats = setup.PLAYERS
    options = setup.OPTIONS
    draws: Mapping[str, tuple[str, ...]] = {**events.DicePlay.kinds.draws, events.Begins.kind: setup.DRAWS}
    moderation = DiceModeration()
    reference = DiceReference()
    thinking = DiceThinking()

    settle_options = staticmethod(setup.settle_options)
    start = staticmethod(game_flow.start_game)
    write = staticmethod(notation.write_order)
    title_of = staticmethod(notation.order_title)
    choices = staticmethod(offering.offered_orders)
    kind_of = staticmethod(offering.order_kind)
    estimate = staticmethod(estimate)
    default = staticmethod(legal_orders.default_order)
    apply = staticmethod(game_flow.apply_order)
    withdraw = staticmethod(game_flow.withdraw)
    view = staticmethod(viewing.view)
    heading = staticmethod(viewing.heading)
    tell = staticmethod(sentences.tell_news)
    story = staticmethod(story.best_half_days)
    dump = staticmethod(serialization.dump)
    load = staticmethod(serialization.load)
    fold = staticmethod(events.fold)
    due = staticmethod(events.DicePlay.due)

    def read(self, state: DiceState, seat: Seat, text: str) -> Reading[Order]:
        """By the grammar, or else by the one order that the line names whole; `later:` alone lists what may be said."""
        try:
            return notation.parse_order(state, seat, text)
        except NotUnderstood as strange:
            found = None if strange.anytime else covered_order(serialization.redacted(state, seat), seat, text)
            if found is None:
                raise
            return replace(found, covered=True)
        except Unclear as unclear:
            if unclear.anytime:
                unclear.orders = tuple(
                    notation.write_order(state, seat, one) for one in offering.later_orders(state, seat)
                )
            raise

    def waiting(self, state: DiceState) -> tuple[Decision, ...]:
        """In a half day everybody asked, with one number, until it closes."""
        return tuple(_decision(state, seat) for seat in state.asked)

    def stage(self, state: DiceState) -> str:
        """A day: its morning and afternoon are one mail thread."""
        return f"d{state.day}"

    def result(self, state: DiceState) -> Ending | None:
        if not state.scores:
            return None
        scores = {Seat(seat): dict(parts) for seat, parts in state.scores.items()}
        totals = {seat: sum(parts.values()) for seat, parts in scores.items()}
        return Ending(
            scores=scores,
            totals=totals,
            winners=tuple(map(Seat, scoring.winners(state.scores))),
            names={"characters": T("characters"), "resources": T("resources"), "citizens": T("citizens")},
            achieved={seat: tuple(id_.replace("_", "-") for id_ in scoring.achieved(state, seat)) for seat in totals},
            missed={seat: scoring.near_misses(state, seat) for seat in totals},
            explains=story.score_explanations(state.box),
            notes=(_alone(state, *totals.values()),) if len(totals) == 1 else (),
        )


def _decision(state: DiceState, seat: str) -> Decision:
    kind = sealed_answers.asked_kind(state, seat)
    return Decision(
        Seat(seat),
        kind,
        state.number,
        _question(state, seat, kind),
        sealed=kind != sealed_answers.NUMBERING,
        answered=sealed_answers.has_answered(state, seat),
    )


def _question(state: DiceState, seat: str, kind: str) -> Msg:
    """Return what a seat is asked, in words."""
    if kind == sealed_answers.NUMBERING:
        if state.first_number:
            return T("The leftmost column is {n}: number the others up or down.", n=state.first_number)
        return T("Number the columns, each number from 1 to 6 once.")
    given = sealed_answers.sealed_answer(state, seat)
    missing = plan_half_day(state, seat, given).open if kind == sealed_answers.BONUS and given is not None else None
    if missing is not None:
        return bonus_question(missing)
    if sealed_answers.has_answered(state, seat):
        return T("You have answered; until everybody has, another answer replaces yours.")
    return T("Choose a die and use it.")


def _alone(state: DiceState, points: int) -> Msg:
    """Return how good a result alone is: the highest mark that it reaches (rulings, section 6)."""
    mark = scoring.solo_mark(state.box, points)
    if mark:
        return T("Alone, the mark of {mark} VP is reached.", mark=mark)
    return T("Alone, the first mark to reach is {mark} VP.", mark=scoring.solo_marks(state.box)[0])
