"""The course of a game: numbering, sixteen half days in which everybody answers at once, and the scores.

An answer is sealed until the last one is in and can be replaced until then; all are applied in one step. An answer of a
standing order is sealed when the half day opens, and may close it, or several, without a letter. Whether an answer
still lacks a choice is as secret as the answer itself: its entry names nobody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.catalog import T
from engine.chance import BlindChance, Chance, Purpose, UnknownDraw
from engine.errors import NotAllowed, TooLate
from engine.game import Step
from engine.kit.rolls import Rolled
from engine.troyes_dice import events as did
from engine.troyes_dice.actions import standing_orders
from engine.troyes_dice.actions.half_day import plan_half_day, plan_settled
from engine.troyes_dice.actions.scoring import score_parts
from engine.troyes_dice.actions.sealed_answers import (
    BONUS,
    HALF_DAY,
    NUMBERING,
    asked_kind,
    has_answered,
    is_unknown,
    not_asked_reason,
    sealed_answer,
)
from engine.troyes_dice.actions.setup import begin_game, cyclic_numbers
from engine.troyes_dice.card_data import load_box
from engine.troyes_dice.card_data.sheet import PRESTIGE, WORK
from engine.troyes_dice.events import DicePlay
from engine.troyes_dice.notation.writing import die_of
from engine.troyes_dice.state.dice import affordable, laid_dice, sorted_dice
from engine.troyes_dice.state.dice_state import AFTERNOON, MORNING, SLOTS, DiceState
from engine.troyes_dice.state.orders import (
    Answer,
    Bonus,
    Fallback,
    HalfDay,
    Numbering,
    Order,
    SealedAnswer,
)


def start_game(
    players: Mapping[Any, str],
    options: Mapping[str, str],
    chance: Chance,
    *,
    facts: Mapping[str, Any] | None = None,
    first: str | None = None,
) -> Step[DiceState]:
    """Set up and run to the first decision."""
    box = load_box(facts)
    opening = begin_game(players, options, chance, box, first)
    play = DicePlay(opening.begun(box), chance, [opening], reveals=True)
    mode, fixed = options["numbering"], options["numbers"]
    if mode == "first" or fixed:
        if mode == "crier":
            numbers = cyclic_numbers(play.state.first_number, fixed)
        else:
            numbers = tuple(map(int, fixed.split())) or tuple(range(1, 7))
        _number(play, numbers, "")
    else:
        _ask(play, {play.state.crier: NUMBERING})
    return play.step()


def apply_order(state: DiceState, seat: str, order: Order, chance: Chance) -> Step[DiceState]:
    """Take one order. Raises NotAllowed (then nothing has happened), TooLate if the seat is not asked,
    UnknownDraw in trials."""
    play = DicePlay(state.copy(), chance)
    try:
        _take(play, seat, order)
    except UnknownDraw as unknown:
        unknown.entries = play.entries
        raise
    return play.step()


def position_after(state: DiceState, seat: str, order: Order, chance: Chance) -> DiceState:
    """Return the position that `apply_order` leads to, without a record. Raises as it does."""
    play = DicePlay(state.copy(), chance)
    _take(play, seat, order)
    return play.state


def _take(play: DicePlay, seat: str, order: Order) -> None:
    if not isinstance(order, (HalfDay, Fallback, Bonus, Numbering)):
        standing_orders.keep_standing(play, seat, order)
        _close_if_complete(play)
        return
    kind = asked_kind(play.state, seat)
    if not kind:
        raise TooLate(not_asked_reason(play.state, seat))
    if isinstance(order, Numbering):
        if kind != NUMBERING:
            raise NotAllowed(T("The columns are numbered already."))
        _number(play, order.numbers, seat)
    else:
        if kind == NUMBERING:
            raise NotAllowed(T("First the columns must be numbered."))
        seal_answer(play, seat, order)
        _close_if_complete(play)


def withdraw(state: DiceState, seat: str) -> Step[DiceState] | None:
    """Take back a seat's sealed answer, complete or not, and what was said for later on top of it.

    Others cannot tell the entry from that of an answer.
    """
    if seat not in state.sealed or is_unknown(state, seat):
        return None
    play = DicePlay(state.copy(), BlindChance())
    had = state.plans.get(seat, ())
    left = tuple(one for one in had if one.kind != "later")
    gone = {seat: left} if left != had else {}
    play.record(did.Sealed(withdrawn={seat: True}, said=dict.fromkeys(gone, "undo"), plans=gone))
    return play.step()


def _ask(play: DicePlay, asked: dict[str, str]) -> None:
    """Ask, with the answers of standing orders. What became of these stands in the same entry, for their owners alone:
    another entry would tell that there are any."""
    state = play.state
    if not state.plans:
        play.record(did.Asks(asked, state.number + 1))
        return
    at = replace(state, asked=asked)
    found = {seat: standing_orders.fire_standing(at, seat, asked.get(seat, "")) for seat in state.plans}
    fired = {seat: one.answer for seat, one in found.items() if one.answer is not None}
    play.record(
        did.Asks(
            asked,
            state.number + 1,
            answers={seat: SealedAnswer(one.order) for seat, one in fired.items()},
            does={seat: one.made.facts for seat, one in fired.items()},
            why={seat: one.why for seat, one in fired.items()},
            plans={seat: one.left for seat, one in found.items() if one.left},
            cancelled={seat: one.surprise for seat, one in found.items() if one.surprise is not None},
        )
    )


def _number(play: DicePlay, numbers: tuple[int, ...], seat: str) -> None:
    play.record(did.Numbered(numbers, seat))
    _open(play, 1, MORNING)


# One half day.


def _open(play: DicePlay, day: int, half: str) -> None:
    """Roll, let the black die strike, and ask everybody who can pay for a die."""
    play.record(did.HalfDayOpens(day, half))
    rolled = play.roll(Purpose(play.state.half_day, "dice"), SLOTS)
    *clear, darkest = rolled.numbers
    lay_dice(play, clear, darkest, rolled)
    black_die_works(play)
    ask_everybody(play)


def lay_dice(play: DicePlay, clear: Sequence[int], darkest: int, rolled: Rolled | None = None) -> None:
    """Lay the dice on the plazas, in rising order."""
    values, black = sorted_dice(clear, darkest)
    play.record(did.DiceLaid(values, black, tuple([plaza.up for plaza in play.state.row()]), rolled))


def black_die_works(play: DicePlay, *, attacks: bool = True) -> None:
    """Let the black die destroy its plaza and, from the third day on, attack every sheet (E6, E7)."""
    state, row = play.state, play.state.row()
    for slot, die in enumerate(state.dice):
        plaza = row[slot]
        if not die.black and not plaza.tile:
            continue
        tiled = plaza.side if plaza.tile == "black_die" else ""
        if die.black and tiled == "banquet":
            play.record(did.Feeds(slot))
        elif die.black or tiled == "raid":
            play.record(did.Destroys(slot, plaza.up, die.black))
            if attacks and state.day >= state.box.attacks_from:
                _attack(play, die.value, plaza.up)


def _attack(play: DicePlay, number: int, colour: str) -> None:
    state = play.state
    column = state.column(number)
    safe: list[str] = []
    crossed: dict[str, tuple[str, ...]] = {}
    for seat, sheet in state.sheets.items():
        if column in sheet.crossed[colour]:
            continue
        if column in sheet.built["fortress"]:
            safe.append(seat)
        else:
            # The buildings that are lost with the die box: those not drawn.
            rows = (PRESTIGE[colour], WORK[colour])
            crossed[seat] = tuple([row for row in rows if column not in sheet.built[row]])
    play.record(did.Attacks(number, colour, column, crossed, tuple(safe)))


def ask_everybody(play: DicePlay) -> None:
    """Open the half day's decision. A seat that can pay for no die is asked only for choices of its gains."""
    state = play.state
    asked: dict[str, str] = {}
    for seat in state.sheets:
        if affordable(state, seat):
            asked[seat] = HALF_DAY
        elif plan_half_day(state, seat, Fallback()).open is not None:
            asked[seat] = BONUS
    _ask(play, asked)
    _close_if_complete(play)


def seal_answer(play: DicePlay, seat: str, order: HalfDay | Fallback | Bonus) -> None:
    """Keep an answer, or the missing choices of the one that is kept. Raises NotAllowed."""
    state = play.state
    if isinstance(order, Bonus):
        if is_unknown(state, seat):
            raise UnknownDraw("a sealed answer")
        before = sealed_answer(state, seat)
        if before is None or has_answered(state, seat):
            raise NotAllowed(T("No choice of a bonus is open."))
        found, made = plan_settled(state, seat, replace(before, bonus=(*before.bonus, *order.choices)))
    else:
        if not isinstance(order, HalfDay) or state.asked[seat] == BONUS:
            raise NotAllowed(not_asked_reason(state, seat))
        found, made = plan_settled(state, seat, order)
    why = {}
    if made.open is not None and (words := standing_orders.chosen_bonuses(state, seat)):
        whole = standing_orders.with_choices(state, seat, found, words)
        if (all_ := plan_half_day(state, seat, whole)).open is None:
            found, made, why = whole, all_, {seat: "bonus"}
    play.record(did.Sealed({seat: SealedAnswer(found, made.open is not None)}, {seat: made.facts}, why=why))


def _close_if_complete(play: DicePlay) -> None:
    """Once all have answered: apply every answer, mend the plazas, and go on to the next half day or to the scores."""
    state = play.state
    if state.phase != "half day" or not all(has_answered(state, seat) for seat in state.asked):
        return
    open_answers(play, {seat: sealed_answer(state, seat) or Fallback() for seat in state.names})
    end_of_half_day(play)
    if (coming := next_half_day(state)) is not None:
        _open(play, *coming)
    else:
        count_scores(play)


def open_answers(play: DicePlay, given: Mapping[str, Answer]) -> None:
    """Show these answers, and apply them."""
    state = play.state
    play.record(did.Shows(tuple(given)))
    for seat, order in given.items():
        made = plan_half_day(state, seat, order)
        play.carry_out(did.Acts(seat, order, die_of(state, order)), made.facts, made.sheet)


def next_half_day(state: DiceState) -> tuple[int, str] | None:
    """Return day and half of the next half day; None after the last."""
    if state.half == MORNING:
        return state.day, AFTERNOON
    return (state.day + 1, MORNING) if state.day < state.box.days else None


def end_of_half_day(play: DicePlay) -> None:
    """Put destroyed plazas back turned over, their tiles on the raid side (E6, E8)."""
    state, dice = play.state, laid_dice(play.state)
    plazas, notches = state.plazas, [state.notch(die.slot) for die in dice if not die.usable]
    fed = [state.notch(die.slot) for die in dice if die.black and die.usable]
    raids = [notch for notch in (*notches, *fed) if plazas[notch].side == "banquet"]
    play.record(did.Flips(tuple(notches), tuple(raids), tuple([plazas[notch].tile for notch in raids])))


def count_scores(play: DicePlay) -> None:
    """Count every sheet."""
    for seat, sheet in play.state.sheets.items():
        play.record(did.Scored(seat, score_parts(play.state.box, sheet)))
    play.record(did.Over())
