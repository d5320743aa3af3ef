"""The course of a game: initial placement, then rounds of phases 0 to 5, then the scores.

`STEPS` maps the steps on the agenda to what runs them. `course` stands at the bottom of the agenda and names the next
phase. A phase in which somebody decides puts a step of its own on top.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from engine.pending_stack import Step
from engine.troyes.actions import archery, countering, reactions
from engine.troyes.board import losses, possession, purse, scoring
from engine.troyes.events.card_events import ActivityRevealed
from engine.troyes.events.dice_events import DiceLeave, DiceRolled
from engine.troyes.events.money_events import CoinsCollected, SeatPasses
from engine.troyes.events.order_events import WishesKept
from engine.troyes.events.play import Play
from engine.troyes.events.round_events import PhaseBegins, RoundBegins, StartPlayerMoves
from engine.troyes.phases import event_phase
from engine.troyes.phases.event_phase import check_deck_known
from engine.troyes.solo.solo_turn import solo_settler
from engine.troyes.state import dice, ladies_modules, places
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import BANK, GRAY, LE_ROY, Frame, TroyesState


def next_phase(play: Play, frame: Frame) -> bool:
    """Begin the next phase."""
    phase = frame["next"]
    if phase == "over":
        play.state.agenda.pop()
        play.state.asked = []
        return False
    frame["next"] = FOLLOWING[phase]
    PHASES[phase](play)
    return False


# Initial placement.


def _settling(play: Play) -> None:
    play.record(PhaseBegins("initial placement"))
    if len(play.state.seats) == 2:
        board = play.state.box.board
        spaces = [Place(places.PALACE, str(number)) for number in board.neutral_palace]
        spaces += [Place(places.CITY_HALL, f"{row}.{column}") for row, column in board.neutral_city_hall]
        spaces += [Place(places.BISHOPRIC, f"{row}.{column}") for row, column in board.neutral_bishopric]
        _neutrals(play, spaces)
    play.state.agenda.append({"step": "settle", "turn": 0})


def _neutrals(play: Play, spaces: list[Place]) -> None:
    for place in spaces[: play.state.neutrals]:
        play.move(GRAY, Place(places.SUPPLY), place)


def settler_of(state: TroyesState, turn: int) -> str:
    """The seat of the `turn`-th placement: clockwise, then back, and so on (rulebook, Initial Placement)."""
    if state.solo:
        return solo_settler(state, turn)
    lap, at = divmod(turn, len(state.seats))
    order = state.clockwise(state.start)
    return order[at] if lap % 2 == 0 else order[-1 - at]


def ask_placement(play: Play, frame: Frame) -> bool:
    """Ask for the next placement. When all are done, neutral citizens fill the gaps."""
    state = play.state
    done = len(state.seats) * state.box.board.start_citizens[state.players]
    if not state.free_spaces() if state.solo else frame["turn"] >= done:
        state.agenda.pop()
        play.record(WishesKept(dict.fromkeys(state.seats, ())))
        _neutrals(play, state.free_spaces())
        return False
    play.ask(settler_of(state, frame["turn"]), "settle")
    return True


# Phases 0 to 2.


def _activities(play: Play) -> None:
    state = play.state
    play.record(RoundBegins(state.round + 1))
    check_deck_known(state.decks["activities"])
    for id in [id for id in state.decks["activities"] if state.activity(id).level == state.round]:
        play.record(ActivityRevealed(id))


def _income(play: Play) -> None:
    """Pay income to all, then salaries. A seat that cannot pay them all pays what it has and loses points (D4)."""
    state, board = play.state, play.state.box.board
    play.record(PhaseBegins("income"))
    salaries = [(board.salary[building], state.spaces(building)) for building in places.BUILDINGS]
    for seat in state.around(state.start):
        purse.pay_deniers(play, BANK, seat, board.income, "income")
        due = sum([salary * there.count(seat) for salary, there in salaries])
        paid = min(due, state.houses[seat].deniers)
        purse.pay_deniers(play, seat, BANK, paid, "salaries")
        if paid < due:
            purse.change_points(play, seat, -board.unpaid_loss)


def _workforce(play: Play) -> None:
    """A die for each citizen standing in a building, the neutral ones last (rulebook, Phase 2)."""
    state = play.state
    play.record(PhaseBegins("workforce"))
    for owner in (*state.around(state.start), state.neutral):
        if colours := state.workforce(owner):
            rolled = play.rolls("workforce", owner, len(colours))
            words = [dice.die_word(colour, number) for colour, number in zip(colours, rolled.numbers, strict=True)]
            play.record(DiceRolled(rolled, owner, tuple(words)))


# Phases 3 and 4.


def _events(play: Play) -> None:
    play.record(PhaseBegins("events"))
    new = [id for id in event_phase.reveal_events(play) if id == places.POSSESSION]
    frame: Frame = {"step": "queue", "left": [threat.id for threat in play.state.queue], "black": 0}
    # Possession alone asks whether it is new.
    play.state.agenda.append(frame | ({"new": new} if new else {}))


def _black_dice(play: Play) -> None:
    if play.state.black:
        play.state.agenda.append({"step": "counter", "seat": play.state.start})


def _actions(play: Play) -> None:
    play.record(PhaseBegins("actions"))
    play.state.agenda.append({"step": "turns", "seat": play.state.start})


def ask_turn(play: Play, frame: Frame) -> bool:
    """Ask the next seat that has not passed. Seats that have take a denier each time round (A8, A47).

    Le Roy never passes. He goes on until his dice are spent, and then the player plays on alone (A58).
    """
    state = play.state
    seat, waits = frame["seat"], bool(state.solo and state.dice[LE_ROY])
    if state.no_dice or not (waits or any(not state.houses[other].passed for other in state.names)):
        state.agenda.pop()
        return False
    if seat == LE_ROY and not waits:
        frame["seat"] = state.after(seat)
        return False
    if state.houses[seat].passed:
        play.record(SeatPasses(seat, state.box.board.pass_later, again=True))
        frame["seat"] = state.after(seat)
        return False
    play.ask(seat, "turn")
    return True


# Phase 5.


def _end_of_round(play: Play) -> None:
    """Coins and expelled citizens go home, dice go back, the start player card goes left."""
    state = play.state
    play.record(PhaseBegins("end of round"))
    for seat, house in state.houses.items():
        if house.coins:
            play.record(CoinsCollected(seat, house.coins))
    for building, lying in state.lying.items():
        for owner in lying[:]:
            play.move(owner, Place(building, places.LYING), Place(places.SUPPLY))
    for owner, words in state.dice.items():
        if words:
            play.record(DiceLeave(owner, tuple(words)))
    play.record(StartPlayerMoves(_next_start(state)))
    if not state.decks["red"]:
        state.agenda[0]["next"] = "final scoring"


def _next_start(state: TroyesState) -> str:
    """The left-hand neighbour; before the last round of the tournament variant the right-hand one (A72)."""
    if ladies_modules.is_tournament(state.options) and state.round == state.box.board.rounds[state.players] - 1:
        return state.clockwise(state.start)[-1]
    return state.after(state.start)


PHASES: dict[str, Callable[[Play], None]] = {
    "initial placement": _settling,
    "activities": _activities,
    "income": _income,
    "workforce": _workforce,
    "events": _events,
    "black dice": _black_dice,
    "actions": _actions,
    "end of round": _end_of_round,
    "final scoring": scoring.count_scores,
}
"""The phases in order."""

FOLLOWING = dict(pairwise(PHASES)) | {"end of round": "activities", "final scoring": "over"}
"""Phase to the next one. The last round is the one in which the red deck ran out (rulebook, End of the Game)."""

STEPS: dict[str, Step[Play]] = {
    "course": next_phase,
    "settle": ask_placement,
    "queue": event_phase.resolve_queue,
    "support": event_phase.ask_support,
    "losses": losses.ask_next_loser,
    "sealed": event_phase.ask_sealed,
    "free": possession.free_next,
    "reactions": reactions.ask_reaction,
    "counter": countering.ask_counter,
    "turns": ask_turn,
    "archery": archery.shoot_next,
}
