"""Rule positions of Troyes (engine.kit.cases): the town is laid, the orders are played, and what came out compared.

A position holds only what matters and need not be reachable in a game, so nothing here asks whether it is sound.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.agenda import Step
from engine.chronicle import Data
from engine.errors import NotUnderstood
from engine.game import Verdict
from engine.kit import cases
from engine.troyes import archive
from engine.troyes import conduct
from engine.troyes import dice
from engine.troyes import invaders
from engine.troyes import language
from engine.troyes import rounds
from engine.troyes import scoring
from engine.troyes.le_roy import scenario as solo
from engine.troyes.position.comparing import compare
from engine.troyes.position.laying import GAMES
from engine.troyes.position.laying import event_ids
from engine.troyes.position.laying import lay
from engine.troyes.position.wording import DEFAULTS
from engine.troyes.position.wording import words_of
from engine.troyes.state import GRAY
from engine.troyes.state import Frame
from engine.troyes.state import Town
from engine.troyes.verbs import Play

__all__ = ["judge", "lay"]


def judge(scenario: Data, defaults: Data) -> Verdict:
    """Play one position and compare (engine.kit.cases)."""
    return cases.judge(scenario, defaults, GAMES, (DEFAULTS, words_of), _differences)


def _differences(scenario: Data, facts: Data) -> Iterator[str]:
    expected = scenario["expected"]
    before, play, outcome, said = _played(scenario, facts, spare=False)
    if _emptied(play, facts) and not expected.get("round_ends") and not play.town.solo:
        before, play, outcome, said = _played(scenario, facts, spare=True)
    if outcome == "ok" and expected["result"] == "asks" and play.town.asked:
        outcome = "asks"
    yield from cases.compare_result(expected, outcome, said)
    if outcome == expected["result"] and outcome in ("ok", "asks"):
        yield from compare(before, play, expected)


def _played(scenario: Data, facts: Data, *, spare: bool) -> tuple[Town, Play, str, str]:
    """The town before, the play after, the outcome, and what a refusal said."""
    town, scripted = lay(scenario, facts), scenario.get("scripted", {})
    if spare:
        town.dice[GRAY] = dice.tidy([*town.dice[GRAY], _spare(town)])
    before = town.copy()
    play = Play(town, cases.chance(scripted))
    _open(play, facts, scripted)

    def act(line: str) -> None:
        nonlocal play
        play = _act(play, line, facts, scenario["expected"])

    outcome, said = cases.run(scenario["action"], act, lambda: archive.dump(play.town))
    return before, play, outcome, said


def _emptied(play: Play, facts: Data) -> bool:
    return facts.get("phase", "actions") == "actions" and play.town.no_dice


def _spare(town: Town) -> str:
    """A gray die beside those the position has, so that the square does not run empty."""
    return next(word for word in ("W1", "R1", "Y1") if word not in town.dice[GRAY])


def _open(play: Play, facts: Data, scripted: Data) -> None:
    """What is pending when the first order is read."""
    town, phase = play.town, facts.get("phase", "actions")
    if phase == "initial placement":
        start = town.box.board.start_citizens[town.players] * len(town.seats)
        turn = start - sum(house.supply for house in town.houses.values())
        if town.solo:
            turn += 1 + max(0, turn - 1) // town.box.solo.placed_by_player
        town.agenda = [{"step": "course", "next": "activities"}, {"step": "settle", "turn": turn}]
    elif phase in ("events", "black dice"):
        town.agenda = [{"step": "course", "next": "actions"}]
        if "black" in scripted:
            town.black = sorted(scripted["black"], reverse=True)
            town.agenda.append({"step": "counter", "seat": town.start})
    else:
        seat = facts.get("turn", town.start)
        town.agenda = [{"step": "course", "next": "end of round"}, {"step": "turns", "seat": seat}]
    if not any(line.startswith("system>") for line in facts["action"][:1]):
        conduct.rest(play, _steps(facts, {}))


def _steps(facts: Data, expected: Data) -> dict[str, Step[Play]]:
    """The engine's steps, but the course of the game rests where the position's interest ends."""

    def course(play: Play, frame: Frame) -> bool:
        stops = {"activities"} if expected.get("round_ends") else {"activities", "end of round"}
        if frame["next"] in stops:
            play.town.asked = []
            return True
        return rounds.course(play, frame)

    return {**solo.held_back(rounds.STEPS, facts.get("scripted", {})), "course": course}


def _act(play: Play, line: str, facts: Data, expected: Data) -> Play:
    """One line. A line that is refused leaves the town as it was."""
    seat, text = cases.spoken(line, facts.get("turn", play.town.start))
    trial = Play(play.town.copy(), play.chance, play.entries[:])
    if seat == "system":
        _system(trial, text, facts, expected)
        return trial
    if _given_already(play, seat, text):
        return play
    order = language.read(trial.town, seat, text).order
    conduct.submit(trial, seat, order, _steps(facts, expected))
    return trial


def _given_already(play: Play, seat: str, text: str) -> bool:
    """Whether the engine has just made this very order for the seat, as the only legal one."""
    made = [entry.data for entry in play.entries if entry.kind == "order" and entry.data["given"] == "only"]
    return any(data["seat"] == seat and data["text"] == text for data in made[-2:])


def _system(play: Play, text: str, facts: Data, expected: Data) -> None:
    """What nobody orders."""
    town = play.town
    town.asked = []
    verb, _, rest = text.partition(" ")
    if verb == "resolve":
        threat = next(threat for threat in town.queue if threat.id in event_ids(rest))
        town.agenda = [{"step": "course", "next": "activities"}, {"step": "queue", "left": [threat.id], "black": 0}]
        town.agenda[-1]["new"] = [threat.id]
        conduct.rest(play, _steps(facts, expected))
    elif text == "income":
        rounds.PHASES["income"](play)
    elif text == "workforce":
        rounds.PHASES["workforce"](play)
    elif text == "reveal events":
        invaders.reveal(play)
    elif text == "end of round":
        town.agenda = [{"step": "course", "next": "end of round"}]
        conduct.rest(play, _steps(facts, {"round_ends": True}))
    elif text in solo.SYSTEM:
        solo.SYSTEM[text](play)
    elif text == "final scoring":
        scoring.final(play)
    elif text == "score characters only":
        for seat in town.circle:
            town.scores[seat] = {id: scoring.character(town, seat, id) for id in scoring.dealt(town)}
    else:
        raise NotUnderstood(conduct.questions("turn"))
