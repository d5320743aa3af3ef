"""Rule positions of Troyes (`engine.kit.cases`): set up a state, play the orders, and compare the outcome.

A position holds only what matters and need not be reachable in a game, so nothing here checks that it is sound.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.errors import NotUnderstood
from engine.event_log import Data
from engine.kit import cases
from engine.pending_stack import Step
from engine.reference import Verdict
from engine.troyes.board import scoring, threats
from engine.troyes.cases.terms import COUNTS, DEFAULTS, GAMES, TERMS, event_ids, lay_out_table, scenario_words
from engine.troyes.events.dice_events import DiceLeave
from engine.troyes.events.order_events import Ordered
from engine.troyes.events.play import Play
from engine.troyes.notation.standing_parser import parse_order
from engine.troyes.notation.writing import write_order
from engine.troyes.phases import event_phase, game_flow, rounds
from engine.troyes.solo import solo_result as solo
from engine.troyes.state import dice, serialization
from engine.troyes.state.troyes_state import GRAY, Frame, TroyesState

__all__ = ["lay_out_table", "rule_test"]


def rule_test(scenario: Data, defaults: Data) -> Verdict:
    """Play one position and compare (engine.kit.cases)."""
    return cases.judge(scenario, defaults, GAMES, (DEFAULTS, scenario_words), _differences)


def _differences(scenario: Data, facts: Data) -> Iterator[str]:
    expected = scenario["expected"]
    before, play, outcome, said = _played(scenario, facts, spare=False)
    emptied = facts.get("phase", "actions") == "actions" and play.state.no_dice
    if emptied and not expected.get("round_ends") and not play.state.solo:
        before, play, outcome, said = _played(scenario, facts, spare=True)
    if outcome == "ok" and expected["result"] == "asks" and play.state.asked:
        outcome = "asks"
    yield from cases.compare_result(expected, outcome, said)
    if outcome == expected["result"] and outcome in ("ok", "asks"):
        yield from _compare(before, play, expected)


def _compare(before: TroyesState, play: Play, expected: Data) -> Iterator[str]:
    """Every difference between the outcome and what is expected. A seat that `delta` does not name gained nothing."""
    state = play.state
    for seat, house in state.houses.items() if "delta" in expected else ():
        wanted = expected["delta"].get(seat, {})
        for name in COUNTS:
            if name != "reserve" or name in wanted:
                found = getattr(house, name) - getattr(before.houses[seat], name)
                yield from cases.compare(f"delta.{seat}.{name}", wanted.get(name, 0), found)
    if "gone" in expected:
        left = [f"{fact.owner}:{die}" for fact in play.facts if isinstance(fact, DiceLeave) for die in fact.dice]
        yield from cases.compare("gone", sorted(expected["gone"]), sorted(left))
    yield from cases.compare_after(TERMS, before, state, expected.get("after", {}))
    yield from _compare_asked(state, expected.get("asks"))
    if expected.get("round_ends"):
        yield from cases.compare("phase", "end of round", state.phase)
    yield from cases.compare_scores(expected.get("scores", {}), state.scores)
    if "winner" in expected:
        yield from cases.compare_winner(expected["winner"], scoring.winners(state.scores), state.scores)
    yield from solo.compare_result(state.scores, expected)


def _compare_asked(state: TroyesState, wanted: Any) -> Iterator[str]:
    asked = [(row.seat, row.kind) for row in state.asked]
    wrong = tuple(cases.compare_asked(wanted, asked))
    yield from wrong
    if not wrong and isinstance(wanted, dict) and "choices" in wanted:
        ids = [threat.id for threat in state.queue]
        if wanted["kind"] == "support":
            ids = threats.supportable(state, state.agenda[-1]["event"])
        yield from cases.compare("asks.choices", list(wanted["choices"]), [state.event(id).word for id in ids])


def _played(scenario: Data, facts: Data, *, spare: bool) -> tuple[TroyesState, Play, str, str]:
    """The state before, the play after, the outcome, and what a refusal said."""
    state, scripted = lay_out_table(scenario, facts), scenario.get("scripted", {})
    if spare:  # one more gray die, so that the square does not run empty
        there = state.dice[GRAY]
        more = next(word for word in ("W1", "R1", "Y1") if word not in there)
        state.dice[GRAY] = dice.sorted_dice([*there, more])
    before = state.copy()
    play = Play(state, cases.case_chance(scripted))
    _open(play, facts, scripted)

    def act(line: str) -> None:
        nonlocal play
        play = _act(play, line, facts, scenario["expected"])

    outcome, said = cases.run_lines(scenario["action"], act, lambda: serialization.dump(play.state))
    return before, play, outcome, said


def _open(play: Play, facts: Data, scripted: Data) -> None:
    """What is pending when the first order is read."""
    state, phase = play.state, facts.get("phase", "actions")
    if phase not in rounds.PHASES:
        raise ValueError(f"no phase is called {phase}")
    if phase == "initial placement":
        start = state.box.board.start_citizens[state.players] * len(state.seats)
        turn = start - sum(house.supply for house in state.houses.values())
        if state.solo:
            turn += 1 + max(0, turn - 1) // state.box.solo.placed_by_player
        state.agenda = [{"step": "course", "next": "activities"}, {"step": "settle", "turn": turn}]
    elif phase in ("events", "black dice"):
        state.agenda = [{"step": "course", "next": "actions"}]
        if "black" in scripted:
            state.black = sorted(scripted["black"], reverse=True)
            state.agenda.append({"step": "counter", "seat": state.start})
    else:
        seat = facts.get("turn", state.start)
        state.agenda = [{"step": "course", "next": "end of round"}, {"step": "turns", "seat": seat}]
    if not any(line.startswith("system>") for line in facts["action"][:1]):
        game_flow.advance(play, _steps(facts, {}))


def _steps(facts: Data, expected: Data) -> dict[str, Step[Play]]:
    """The engine's steps, but the course of the game stops where the position's interest ends."""

    def course(play: Play, frame: Frame) -> bool:
        stops = {"activities"} if expected.get("round_ends") else {"activities", "end of round"}
        if frame["next"] in stops:
            play.state.asked = []
            return True
        return rounds.next_phase(play, frame)

    return {**solo.without_le_roy_turn(rounds.STEPS, facts.get("scripted", {})), "course": course}


def _act(play: Play, line: str, facts: Data, expected: Data) -> Play:
    """Play one line. A refused line leaves the state as it was."""
    seat, text = cases.split_speaker(line, facts.get("turn", play.state.start))
    trial = Play(play.state.copy(), play.chance, play.facts[:])
    if seat == "system":
        _system(trial, text, facts, expected)
        return trial
    if _given_already(play, seat, text):
        return play
    order = parse_order(trial.state, seat, text).order
    game_flow.submit_order(trial, seat, order, _steps(facts, expected)).step()
    return trial


def _given_already(play: Play, seat: str, text: str) -> bool:
    """Whether the engine has just made this very order for the seat, as the only legal one."""
    made = [fact for fact in play.facts if isinstance(fact, Ordered) and fact.given == "only"]
    return any(fact.seat == seat and write_order(play.state, seat, fact.order) == text for fact in made[-2:])


def _system(play: Play, text: str, facts: Data, expected: Data) -> None:
    """Do what nobody orders: a line of the `system`."""
    state = play.state
    state.asked = []
    verb, _, rest = text.partition(" ")
    if verb == "resolve":
        threat = next(threat for threat in state.queue if threat.id in event_ids(rest))
        state.agenda = [{"step": "course", "next": "activities"}, {"step": "queue", "left": [threat.id], "black": 0}]
        state.agenda[-1]["new"] = [threat.id]
        game_flow.advance(play, _steps(facts, expected))
    elif text == "income":
        rounds.PHASES["income"](play)
    elif text == "workforce":
        rounds.PHASES["workforce"](play)
    elif text == "reveal events":
        event_phase.reveal_events(play)
    elif text == "end of round":
        state.agenda = [{"step": "course", "next": "end of round"}]
        game_flow.advance(play, _steps(facts, {"round_ends": True}))
    elif text in solo.SYSTEM:
        solo.SYSTEM[text](play)
    elif text == "final scoring":
        scoring.count_scores(play)
    elif text == "score characters only":
        for seat in state.circle:
            state.scores[seat] = {
                id: scoring.character_points(state, seat, id) for id in scoring.dealt_characters(state)
            }
    else:
        raise NotUnderstood(game_flow.question_kind("turn"))
