"""The course of a game: initial placement, then rounds of phases 0 to 5, then the scores.

`STEPS` are what the agenda runs. `course` stands at the bottom of the agenda and names the phase that comes next;
phases in which somebody decides put their own frame on top.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.agenda import Step
from engine.troyes import archery
from engine.troyes import countering
from engine.troyes import dice
from engine.troyes import invaders
from engine.troyes import le_roy
from engine.troyes import losses
from engine.troyes import modules
from engine.troyes import places
from engine.troyes import possession
from engine.troyes import purse
from engine.troyes import reactions
from engine.troyes import scoring
from engine.troyes import sealed
from engine.troyes.invaders import hidden
from engine.troyes.places import Place
from engine.troyes.state import BANK
from engine.troyes.state import GRAY
from engine.troyes.state import LE_ROY
from engine.troyes.state import Frame
from engine.troyes.state import Town
from engine.troyes.verbs import Play


def course(play: Play, frame: Frame) -> bool:
    """Begin the next phase."""
    phase = frame["next"]
    if phase == "over":
        play.town.agenda.pop()
        play.town.asked = []
        return False
    frame["next"] = FOLLOWING[phase]
    PHASES[phase](play)
    return False


# Initial placement.


def _settling(play: Play) -> None:
    play.record("phase", phase="initial placement")
    if len(play.town.seats) == 2:
        board = play.town.box.board
        spaces = [Place(places.PALACE, str(number)) for number in board.neutral_palace]
        spaces += [Place(places.CITY_HALL, f"{row}.{column}") for row, column in board.neutral_city_hall]
        spaces += [Place(places.BISHOPRIC, f"{row}.{column}") for row, column in board.neutral_bishopric]
        _neutrals(play, spaces)
    play.town.agenda.append({"step": "settle", "turn": 0})


def _neutrals(play: Play, spaces: list[Place]) -> None:
    for place in spaces[: play.town.neutrals]:
        play.move(GRAY, places.SUPPLY, place)


def settler(town: Town, turn: int) -> str:
    """Whose placement is the `turn`-th: clockwise, then back, and so on (rulebook, Initial Placement)."""
    if town.solo:
        return le_roy.settler(town, turn)
    lap, at = divmod(turn, len(town.seats))
    order = town.clockwise(town.start)
    return order[at] if lap % 2 == 0 else order[-1 - at]


def settling(play: Play, frame: Frame) -> bool:
    """Ask for the next placement; when all are done, neutral citizens fill the gaps."""
    town = play.town
    done = len(town.seats) * town.box.board.start_citizens[town.players]
    if not town.free_spaces() if town.solo else frame["turn"] >= done:
        town.agenda.pop()
        for seat in list(town.wishes):
            play.record("wishes", only={seat: {"places": []}})
        _neutrals(play, town.free_spaces())
        return False
    play.ask(settler(town, frame["turn"]), "settle")
    return True


# Phases 0 to 2.


def _activities(play: Play) -> None:
    town = play.town
    play.record("round", round=town.round + 1)
    hidden(town.decks["activities"])
    for id in [id for id in town.decks["activities"] if town.activity(id).level == town.round]:
        play.record("activity", card=id)


def _income(play: Play) -> None:
    """Income for all, then salaries; who cannot pay them all pays what there is and loses points (D4)."""
    town, board = play.town, play.town.box.board
    play.record("phase", phase="income")
    for seat in town.around(town.start):
        purse.pay(play, BANK, seat, board.income, "income")
        due = sum(board.salary[building] * town.standing(building).count(seat) for building in places.BUILDINGS)
        paid = min(due, town.houses[seat].deniers)
        purse.pay(play, seat, BANK, paid, "salaries")
        if paid < due:
            purse.points(play, seat, -board.unpaid_loss)


def _workforce(play: Play) -> None:
    """A die for each citizen standing in a building, the neutral ones last (rulebook, Phase 2)."""
    town = play.town
    play.record("phase", phase="workforce")
    for owner in (*town.around(town.start), town.neutral):
        colours = [
            places.COLOUR_OF_BUILDING[building]
            for building in places.BUILDINGS
            for _ in range(town.standing(building).count(owner))
        ]
        if owner != GRAY and town.has("head"):
            colours.append("purple")
        if colours:
            rolled = play.rolls("workforce", owner, len(colours))
            words = [dice.die(colour, number) for colour, number in zip(colours, rolled.numbers, strict=True)]
            play.record("rolled", rolled, owner=owner, dice=words)


# Phases 3 and 4.


def _events(play: Play) -> None:
    play.record("phase", phase="events")
    new = [id for id in invaders.reveal(play) if id == places.POSSESSION]
    frame: Frame = {"step": "queue", "left": [threat.id for threat in play.town.queue], "black": 0}
    # Possession alone asks whether it is new.
    play.town.agenda.append(frame | ({"new": new} if new else {}))


def _black_dice(play: Play) -> None:
    if play.town.black:
        play.town.agenda.append({"step": "counter", "seat": play.town.start})


def _actions(play: Play) -> None:
    play.record("phase", phase="actions")
    play.town.agenda.append({"step": "turns", "seat": play.town.start})


def turns(play: Play, frame: Frame) -> bool:
    """Ask the next seat that has not passed; those that have take a denier each time round (A8, A47).

    Le Roy never passes: he goes on until his dice are spent, and then the player plays on alone (A58).
    """
    town = play.town
    waits = bool(town.solo and town.dice[LE_ROY])
    if town.no_dice or (all(town.houses[seat].passed for seat in town.seats) and not waits):
        town.agenda.pop()
        return False
    seat = frame["seat"]
    if seat == LE_ROY and not waits:
        frame["seat"] = town.after(seat)
        return False
    if town.houses[seat].passed:
        play.record("passes", seat=seat, coins=town.box.board.pass_later, again=True)
        frame["seat"] = town.after(seat)
        return False
    play.ask(seat, "turn")
    return True


# Phase 5.


def _end_of_round(play: Play) -> None:
    """Coins and expelled citizens go home, dice go back, the start player card goes left."""
    town = play.town
    play.record("phase", phase="end of round")
    for seat, house in town.houses.items():
        if house.coins:
            play.record("collects", seat=seat, deniers=house.coins)
    for building, lying in town.lying.items():
        for owner in lying[:]:
            play.move(owner, Place(building, places.LYING), places.SUPPLY)
    for owner, words in town.dice.items():
        if words:
            play.record("leaves", owner=owner, dice=words[:])
    play.record("starts", seat=_next_start(town))
    if not town.decks["red"]:
        town.agenda[0]["next"] = "final scoring"


def _next_start(town: Town) -> str:
    """The left-hand neighbour; before the last round of the tournament variant the right-hand one (A72)."""
    if modules.tournament(town.options) and town.round == town.box.board.rounds[town.players] - 1:
        return town.clockwise(town.start)[-1]
    return town.after(town.start)


FOLLOWING = {
    "initial placement": "activities",
    "activities": "income",
    "income": "workforce",
    "workforce": "events",
    "events": "black dice",
    "black dice": "actions",
    "actions": "end of round",
    "end of round": "activities",
    "final scoring": "over",
}
"""The phases in order. The last round is the one in which the red deck ran out (rulebook, End of the Game)."""

PHASES: dict[str, Callable[[Play], None]] = {
    "initial placement": _settling,
    "activities": _activities,
    "income": _income,
    "workforce": _workforce,
    "events": _events,
    "black dice": _black_dice,
    "actions": _actions,
    "end of round": _end_of_round,
    "final scoring": scoring.final,
}

STEPS: dict[str, Step[Play]] = {
    "course": course,
    "settle": settling,
    "queue": invaders.queue,
    "support": invaders.support,
    "losses": losses.step,
    "sealed": sealed.step,
    "free": possession.step,
    "reactions": reactions.step,
    "counter": countering.step,
    "turns": turns,
    "archery": archery.step,
}
