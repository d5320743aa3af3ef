"""Rule positions of Troyes Dice: a few facts of a table, an order, and what must have changed (design: positions).

A position holds only what matters and need not be reachable in a game, so nothing here asks whether it is sound.
Seats that are given no order do not hold the others up. The words of a position are read by `layout`, what must
have changed is compared by `comparing`.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.catalog import Msg
from engine.catalog import T
from engine.chance import Derived
from engine.chance import Scripted
from engine.chronicle import Data
from engine.errors import NotUnderstood
from engine.errors import OrderRefused
from engine.game import Verdict
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

OUTCOMES = {"late": "illegal"}
"""A seat that can pay for no die is not asked: its order is as good as forbidden."""


def judge(scenario: Data, defaults: Data) -> Verdict:
    """Play one position and compare. `unsupported` for games this engine does not have."""
    id_ = str(scenario.get("id", "?"))
    if scenario.get("game", "dice") not in GAMES:
        return Verdict(id_, "unsupported", (f"no game is called {scenario.get('game')}",))
    try:
        differences = tuple(_differences(scenario, {**defaults, **scenario}))
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        return Verdict(id_, "fail", (f"the position cannot be laid out: {type(error).__name__}: {error}",))
    return Verdict(id_, "fail" if differences else "pass", differences)


def _differences(scenario: Data, facts: Data) -> Iterator[str]:
    expected = scenario["expected"]
    table = lay(scenario, facts)
    game = _Game(table, scenario, facts)
    outcome, said = game.run()
    if outcome != expected["result"]:
        yield f"result: {expected['result']} expected, {outcome} found{said}"
    elif outcome in ("ok", "asks"):
        yield from compare(game.before, game.play.table, game.play.entries, expected)


class _Game:
    """One position being played. `before` is the table once the dice lie as the position says."""

    def __init__(self, table: Table, scenario: Data, facts: Data) -> None:
        self.scenario = scenario
        self.facts = facts
        self.roll: Data = scenario.get("position", {}).get("roll", facts.get("roll", {}))
        chance = Scripted(scenario.get("scripted", {}), Derived(b"a position", (), "position"))
        self.play = Course(table, chance)
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
        """The outcome, and what a refusal said. A refused line changes nothing."""
        for line in self.lines:
            was = archive.dump(self.play.table)
            try:
                self._act(line)
            except OrderRefused as refusal:
                if archive.dump(self.play.table) != was:
                    return "changed", f" ({line}: refused, and yet something changed)"
                return OUTCOMES.get(refusal.word, refusal.word), f" ({line}: {refusal.reason})"
        table = self.play.table
        if any(found["open"] for found in table.sealed.values()):
            asked = [(seat, question_of(table, seat)) for seat, found in table.sealed.items() if found["open"]]
            return "asks", f" ({asked})"
        self._settle()
        return "ok", ""

    def _act(self, line: str) -> None:
        seat, arrow, text = line.partition(">")
        if not arrow:
            seat, text = self.facts.get("turn", next(iter(self.play.table.names))), line
        seat, text = seat.strip(), text.strip()
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
