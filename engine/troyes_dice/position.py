"""Rule positions of Troyes Dice: a few facts of a table, an order, and what must have changed (design: positions).

A position holds only what matters and need not be reachable in a game, so nothing here asks whether it is sound.
Seats that are given no order do not hold the others up. The words of a position are read by `layout`, what must
have changed is compared by `comparing`.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.catalog import Msg
from engine.catalog import T
from engine.chronicle import Data
from engine.errors import NotUnderstood
from engine.game import Verdict
from engine.kit import cases
from engine.troyes_dice import answers
from engine.troyes_dice import archive
from engine.troyes_dice import conduct
from engine.troyes_dice import language
from engine.troyes_dice.action import plan
from engine.troyes_dice.comparing import compare
from engine.troyes_dice.dice import affordable
from engine.troyes_dice.dice import ordered
from engine.troyes_dice.layout import GAMES
from engine.troyes_dice.layout import lay
from engine.troyes_dice.orders import Act
from engine.troyes_dice.orders import Bonus
from engine.troyes_dice.orders import Fallback
from engine.troyes_dice.orders import Numbering
from engine.troyes_dice.state import MORNING
from engine.troyes_dice.state import SLOTS
from engine.troyes_dice.state import Table
from engine.troyes_dice.summary import question
from engine.troyes_dice.verbs import Course
from engine.troyes_dice.wording import DEFAULTS
from engine.troyes_dice.wording import words_of

OUTCOMES = {"late": "illegal"}
"""A seat that can pay for no die is not asked: its order is as good as forbidden."""


def judge(scenario: Data, defaults: Data) -> Verdict:
    """Play one position and compare (engine.kit.cases)."""
    return cases.judge(scenario, defaults, GAMES, (DEFAULTS, words_of), _differences)


def _differences(scenario: Data, facts: Data) -> Iterator[str]:
    expected = scenario["expected"]
    game = Scenario(lay(scenario, facts), scenario, facts)
    outcome, said = game.run()
    yield from cases.compare_result(expected, outcome, said)
    if outcome == expected["result"] and outcome in ("ok", "asks"):
        yield from compare(game.before, game.play.table, game.play.entries, expected)


class Scenario:
    """One position being played. `before` is the table once the dice lie as the position says."""

    def __init__(self, table: Table, scenario: Data, facts: Data) -> None:
        self.scenario = scenario
        self.facts = facts
        self.roll: Data = scenario.get("position", {}).get("roll", facts.get("roll", {}))
        self.play = Course(table, cases.chance(scenario.get("scripted", {})))
        self.lines: list[str] = list(scenario.get("action", ()))
        if table.phase == "numbering":
            table.asked = [{"seat": table.crier, "kind": answers.NUMBERING}]
        elif self.roll and "system> lay the dice" not in self.lines:
            self._lay_dice()
        if table.dice and "system> resolve event" not in self.lines:
            self._destroy()
        self.before = table.copy()
        self.play.entries.clear()

    def run(self) -> tuple[str, str]:
        """The outcome, and what a refusal said."""
        outcome, said = cases.run(self.lines, self._act, lambda: archive.dump(self.play.table))
        if outcome != "ok":
            return OUTCOMES.get(outcome, outcome), said
        table = self.play.table
        if any(found["open"] for found in table.sealed.values()):
            asked = [(seat, question_of(table, seat)) for seat, found in table.sealed.items() if found["open"]]
            return "asks", f" ({asked})"
        self._settle()
        return "ok", ""

    def _act(self, line: str) -> None:
        seat, text = cases.spoken(line, self.facts.get("turn", next(iter(self.play.table.names))))
        if seat == "system":
            self._system(text)
            return
        order = language.read(self.play.table, seat, text).order
        made = self._alone(seat, order)
        self.play.state = made.table
        self.play.entries += made.entries

    def _alone(self, seat: str, order: object) -> Course:
        """One order applied so that the half day stays open: what follows is not this position's matter."""
        table = self.play.table.copy()
        play = Course(table, self.play.chance)
        if isinstance(order, Numbering):
            play.record("numbered", numbers=list(order.numbers), seat=seat)
            table.asked = []
            return play
        assert isinstance(order, Act | Bonus)
        conduct.seal(play, seat, order)
        return play

    def _system(self, text: str) -> None:
        play = self.play
        if text == "lay the dice":
            self._lay_dice()
        elif text == "resolve event":
            if not play.table.dice:
                self._lay_dice()
            conduct.event(play)
            self._ask()
        elif text == "end of half day":
            self._settle()
            conduct.end_of_half_day(play)
            day, half = play.table.day, play.table.half
            if half == MORNING:
                play.record("half_day", day=day, half="afternoon")
            elif day < play.table.box.days:
                play.record("half_day", day=day + 1, half=MORNING)
            else:
                conduct.final(play)
        elif text == "final scoring":
            self._settle()
            conduct.final(play)
        else:
            raise NotUnderstood(question_of(play.table, play.table.crier))

    def _lay_dice(self) -> None:
        values, black = ordered(self.roll["clear"], self.roll["black"])
        colours = [self.play.table.plaza(slot).up for slot in range(SLOTS)]
        self.play.record("rolled", values=values, black=black, colours=colours)
        self._ask()

    def _destroy(self) -> None:
        """The plaza is gone; the attack is made only when the position asks for the event."""
        conduct.event(self.play, attacks=False)
        self._ask()

    def _ask(self) -> None:
        table = self.play.table
        table.asked = [
            {"seat": seat, "kind": answers.HALF_DAY if affordable(table, sheet) else answers.BONUS}
            for seat, sheet in table.sheets.items()
        ]

    def _settle(self) -> None:
        """Apply what was ordered, and what befalls those who can pay for no die."""
        table = self.play.table
        if not table.dice:
            return
        kinds = {row["seat"]: row["kind"] for row in table.asked}
        given = {seat: answers.answer(table, seat) for seat in table.names if seat in table.sealed}
        for seat, kind in kinds.items():
            if kind == answers.BONUS and seat not in given:
                given[seat] = Fallback()
        self.play.record("shown", answers={})
        for seat, answer in given.items():
            if answer is not None:
                for fact, data in plan(table, seat, answer).facts:
                    self.play.record(fact, **data)


def question_of(table: Table, seat: str) -> Msg:
    """What a seat is still asked."""
    given = answers.answer(table, seat)
    missing = plan(table, seat, given).open if given is not None else None
    return question(missing) if missing is not None else T("Choose a die and use it.")
