"""Rule positions of Troyes Dice: a few facts of a table, an order, and what must have changed (design: positions).

A position holds only what matters and need not be reachable in a game, so nothing here asks whether it is sound.
Seats that are given no order do not hold the others up. The words of a position are read by `layout`, what must
have changed is compared by `comparing`.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.catalog import Msg, T
from engine.chronicle import Data
from engine.errors import NotUnderstood
from engine.kit import cases
from engine.reference import Verdict
from engine.troyes_dice import notation
from engine.troyes_dice.actions import answers
from engine.troyes_dice.actions.half_day import plan
from engine.troyes_dice.cases.comparing import compare
from engine.troyes_dice.cases.laying import GAMES, lay
from engine.troyes_dice.cases.wording import DEFAULTS, words_of
from engine.troyes_dice.entries import Course
from engine.troyes_dice.log.summary import question
from engine.troyes_dice.phases import conduct
from engine.troyes_dice.state import serialization
from engine.troyes_dice.state.dice import affordable, ordered
from engine.troyes_dice.state.orders import Bonus, Fallback, HalfDay, Numbering
from engine.troyes_dice.state.state import MORNING, SLOTS, DiceState

OUTCOMES = {"late": "illegal"}
"""A seat that can pay for no die is not asked: its order is as good as forbidden."""


def rule_test(scenario: Data, defaults: Data) -> Verdict:
    """Play one position and compare (engine.kit.cases)."""
    return cases.judge(scenario, defaults, GAMES, (DEFAULTS, words_of), _differences)


def _differences(scenario: Data, facts: Data) -> Iterator[str]:
    expected = scenario["expected"]
    game = Scenario(lay(scenario, facts), scenario, facts)
    outcome, said = game.run()
    yield from cases.compare_result(expected, outcome, said)
    if outcome == expected["result"] and outcome in ("ok", "asks"):
        yield from compare(game.before, game.play.state, game.play.entries, expected)


class Scenario:
    """One position being played. `before` is the table once the dice lie as the position says."""

    def __init__(self, state: DiceState, scenario: Data, facts: Data) -> None:
        self.scenario = scenario
        self.facts = facts
        self.roll: Data = scenario.get("position", {}).get("roll", facts.get("roll", {}))
        self.play = Course(state, cases.chance(scenario.get("scripted", {})))
        self.lines: list[str] = list(scenario.get("action", ()))
        if state.phase == "numbering":
            state.asked = [{"seat": state.crier, "kind": answers.NUMBERING}]
        elif self.roll and "system> lay the dice" not in self.lines:
            self._lay_dice()
        if state.dice and "system> resolve event" not in self.lines:
            self._destroy()
        self.before = state.copy()
        self.play.entries.clear()

    def run(self) -> tuple[str, str]:
        """The outcome, and what a refusal said."""
        outcome, said = cases.run(self.lines, self._act, lambda: serialization.dump(self.play.state))
        if outcome != "ok":
            return OUTCOMES.get(outcome, outcome), said
        state = self.play.state
        if any(found["open"] for found in state.sealed.values()):
            asked = [(seat, question_of(state, seat)) for seat, found in state.sealed.items() if found["open"]]
            return "asks", f" ({asked})"
        self._settle()
        return "ok", ""

    def _act(self, line: str) -> None:
        seat, text = cases.spoken(line, self.facts.get("turn", next(iter(self.play.state.names))))
        if seat == "system":
            self._system(text)
            return
        order = notation.read(self.play.state, seat, text).order
        made = self._alone(seat, order)
        self.play.state = made.state
        self.play.entries += made.entries

    def _alone(self, seat: str, order: object) -> Course:
        """One order applied so that the half day stays open: what follows is not this position's matter."""
        state = self.play.state.copy()
        play = Course(state, self.play.chance)
        if isinstance(order, Numbering):
            play.record("numbered", numbers=list(order.numbers), seat=seat)
            state.asked = []
            return play
        assert isinstance(order, HalfDay | Bonus)
        conduct.seal(play, seat, order)
        return play

    def _system(self, text: str) -> None:
        play = self.play
        if text == "lay the dice":
            self._lay_dice()
        elif text == "resolve event":
            if not play.state.dice:
                self._lay_dice()
            conduct.event(play)
            self._ask()
        elif text == "end of half day":
            self._settle()
            conduct.end_of_half_day(play)
            day, half = play.state.day, play.state.half
            if half == MORNING:
                play.record("half_day", day=day, half="afternoon")
            elif day < play.state.box.days:
                play.record("half_day", day=day + 1, half=MORNING)
            else:
                conduct.final(play)
        elif text == "final scoring":
            self._settle()
            conduct.final(play)
        else:
            raise NotUnderstood(question_of(play.state, play.state.crier))

    def _lay_dice(self) -> None:
        values, black = ordered(self.roll["clear"], self.roll["black"])
        colours = [self.play.state.plaza(slot).up for slot in range(SLOTS)]
        self.play.record("rolled", values=values, black=black, colours=colours)
        self._ask()

    def _destroy(self) -> None:
        """The plaza is gone; the attack is made only when the position asks for the event."""
        conduct.event(self.play, attacks=False)
        self._ask()

    def _ask(self) -> None:
        state = self.play.state
        state.asked = [
            {"seat": seat, "kind": answers.HALF_DAY if affordable(state, sheet) else answers.BONUS}
            for seat, sheet in state.sheets.items()
        ]

    def _settle(self) -> None:
        """Apply what was ordered, and what befalls those who can pay for no die."""
        state = self.play.state
        if not state.dice:
            return
        kinds = {row["seat"]: row["kind"] for row in state.asked}
        given = {seat: answers.answer(state, seat) for seat in state.names if seat in state.sealed}
        for seat, kind in kinds.items():
            if kind == answers.BONUS and seat not in given:
                given[seat] = Fallback()
        self.play.record("shown", answers={})
        for seat, answer in given.items():
            if answer is not None:
                for fact, data in plan(state, seat, answer).facts:
                    self.play.record(fact, **data)


def question_of(state: DiceState, seat: str) -> Msg:
    """What a seat is still asked."""
    given = answers.answer(state, seat)
    missing = plan(state, seat, given).open if given is not None else None
    return question(missing) if missing is not None else T("Choose a die and use it.")
