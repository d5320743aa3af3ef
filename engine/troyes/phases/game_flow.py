"""The way of an order to the next decision: what it answers, what it does, and what follows by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from engine import pending_stack
from engine.catalog import Msg, T
from engine.chance import BlindChance, Chance, UnknownDraw
from engine.errors import NotAllowed, TooLate
from engine.game import Step
from engine.troyes.actions import countering, reactions, sealed_answers, standing_orders, turn_actions
from engine.troyes.actions.carry_out_order import carry_out
from engine.troyes.board.phrases import owner_name
from engine.troyes.events.order_events import AnswerSealed, Ordered
from engine.troyes.events.play import Play
from engine.troyes.events.round_events import MattersPending
from engine.troyes.phases import automatic_answers
from engine.troyes.phases.rounds import STEPS
from engine.troyes.phases.setup import begin_game
from engine.troyes.solo.solo_turn import act_for_le_roy
from engine.troyes.state import orders
from engine.troyes.state.kept_plans import Cancellation
from engine.troyes.state.orders import Order
from engine.troyes.state.troyes_state import OpenQuestion, TroyesState

ANSWERS: dict[str, tuple[type, ...]] = {
    "settle": (orders.Settle, orders.LeRoy),
    "turn": (*turn_actions.ACTIONS, orders.Reroll, orders.Flip, orders.Recruit, orders.Use, orders.LeRoy),
    "counter": (orders.Counter, orders.Reroll, orders.Flip, orders.Recruit, orders.LeRoy),
    "support": (orders.Support,),
    "target": (orders.Target,),
    "react": (orders.React,),
    "give": (orders.Give,),
    "discard": (orders.Discard,),
    "release": (orders.Release,),
}
"""Kind of decision to the orders that answer it."""

SEALED = frozenset({"give", "discard"})
"""Decisions whose answers are shown together."""


@cache
def question_kind(kind: str) -> Msg:
    """What a seat is asked, in words."""
    return {
        "settle": T("Place a citizen on an empty space."),
        "turn": T("Act once, or pass."),
        "counter": T("Counter the highest black die."),
        "support": T("Choose the events that receive a neutral cube."),
        "target": T("Choose the event for your cube."),
        "react": T("Use a cube of an outdoor tile, or keep it."),
        "give": T("Give a citizen to Possession. All answer at once; nothing is shown before the last."),
        "discard": T("Harsh Winter takes one of your cubes: say which. All answer at once."),
        "release": T("Choose whose citizen leaves Possession."),
    }[kind]


def question_text(state: TroyesState, asked: OpenQuestion) -> Msg:
    """The question of one open decision, with numbers of the position where they matter."""
    if asked.kind == "react":
        return reactions.reaction_question(state, asked.seat)
    if asked.kind == "counter" and asked.seat == state.start and countering.may_be_last(state, state.start):
        return T("Counter the highest black die. With none left your turn follows: you may act in the same letter.")
    return question_kind(asked.kind)


def start_game(
    players: Mapping[Any, str],
    options: Mapping[str, str],
    chance: Chance,
    *,
    facts: Mapping[str, Any] | None = None,
    first: str | None = None,
) -> Step[TroyesState]:
    """Set up a game and run it to the first decision."""
    opening = begin_game(players, options, chance, facts, first)
    state = opening.begun()
    play = Play(state, chance, [opening], reveals=True)
    state.agenda = [{"step": "course", "next": "initial placement"}]
    return advance(play).step()


def apply_on_copy(state: TroyesState, seat: str, order: Order, chance: Chance) -> Step[TroyesState]:
    """Play an order on a copy of the state, with what follows. Raises NotAllowed or TooLate; UnknownDraw in trials."""
    play = Play(state.fork(), chance)
    try:
        return submit_order(play, seat, order).step()
    except UnknownDraw as unknown:
        unknown.entries = play.entries
        raise


def position_after(state: TroyesState, seat: str, order: Order, chance: Chance) -> TroyesState:
    """The position that `apply_on_copy` leads to, without its entries. Raises as it does."""
    return submit_order(Play(state.fork(), chance), seat, order).state


def submit_order(play: Play, seat: str, order: Order, steps: Mapping[str, pending_stack.Step[Play]] = STEPS) -> Play:
    """Play an order on the state of `play`, with what follows. Raises NotAllowed or TooLate; UnknownDraw in trials."""
    state = play.state
    if isinstance(order, orders.ANYTIME):
        if not state.asked:
            raise TooLate(not_asked_reason(state))
        _stand(play, seat, order)
    else:
        apply_order(play, seat, order)
    # A question that is still open keeps its number. No entry says what is pending, since it would reveal to others
    # that somebody has answered.
    return play if state.asked and not sealed_answers.is_complete(state) else advance(play, steps)


def withdraw(state: TroyesState, seat: str) -> Step[TroyesState] | None:
    """Take back a seat's sealed answer. Others cannot tell the entry from that of an answer."""
    if seat not in state.sealed:
        return None
    play = Play(state.fork(), BlindChance())
    play.record(AnswerSealed(withdrawn={seat: True}))
    return play.step()


def _stand(play: Play, seat: str, order: Order) -> None:
    """Keep a standing order. If the seat is asked now, the order must answer the open question."""
    standing_orders.keep_standing(play, seat, order)
    if play.state.asked[0].seat != seat:
        return
    told: dict[str, Cancellation] = {}
    given = automatic_answers.answer_given(play.state.fork(), told)
    if given is not None and given.private:
        apply_order(play, seat, given.order, given)
    elif told:
        now = question_text(play.state, play.state.asked[0])
        raise NotAllowed(T("It cannot answer what you are asked now: {question}", question=now))


def renumber(state: TroyesState, number: int) -> TroyesState:
    """The same position with open decisions numbered above `number`, so that older answers are late."""
    changed = state.fork()
    first = max(state.number, number) + 1
    changed.asked = [replace(asked, number=number) for number, asked in enumerate(state.asked, first)]
    changed.number = first - 1 + len(state.asked)
    return changed


def not_asked_reason(state: TroyesState) -> Msg:
    if not state.asked:
        return T("The game is over.")
    return T(
        "It is not your turn: {name} is asked.", name=tuple(owner_name(state, asked.seat) for asked in state.asked)
    )


def advance(play: Play, steps: Mapping[str, pending_stack.Step[Play]] = STEPS) -> Play:
    """Run until a person must decide (`automatic_answers`). The last entry holds what is then pending."""
    state = play.state
    told: dict[str, Cancellation] = {}
    while True:
        pending_stack.run_pending(play, state.agenda, steps)
        given = automatic_answers.answer_given(state, told)
        if given is None:
            break
        # A private order becomes visible, so it can be neither tried out nor taken back.
        play.reveals = play.reveals or bool(given.private)
        apply_order(play, given.seat, given.order, given)
    play.record(MattersPending(state.agenda, state.asked, state.number, state.plans, told))
    return play


def apply_order(play: Play, seat: str, order: Order, given: automatic_answers.GivenAnswer | None = None) -> None:
    """Play one order, recorded first by the entry that says it was given. Raises NotAllowed or TooLate."""
    state = play.state
    for asked in state.asked:
        if asked.seat == seat:
            break
    else:
        raise TooLate(not_asked_reason(state))
    if not isinstance(order, ANSWERS[asked.kind]):
        raise NotAllowed(T("That does not answer what you are asked: {question}", question=question_text(state, asked)))
    if isinstance(order, orders.AT_ONCE):
        sealed_answers.sealed_answer(play, seat, order)
        return
    public, private = (given.public, given.private) if given else ("", "")
    play.record(Ordered(seat, public_order(order), public, {seat: private} if private else {}))
    state.asked = []
    if not isinstance(order, orders.BEFORE):
        standing_orders.clear_surprises(state, seat)
    frame = state.agenda[-1]
    if isinstance(order, orders.LeRoy):
        act_for_le_roy(play, frame, asked.kind)
    else:
        carry_out(play, frame, seat, order)


def public_order(order: Order) -> Order:
    """What the table sees of an order: not the preferences for later placements."""
    return orders.Settle(order.places[:1]) if isinstance(order, orders.Settle) else order
