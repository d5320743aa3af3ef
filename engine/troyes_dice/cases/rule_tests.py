"""Rule positions of Troyes Dice: a few facts of a table, an order, and what must have changed.

A position holds only what matters and need not be reachable in a game, so nothing here checks invariants. Seats without
an order do not hold the others up. `terms` lists the words of a position.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.event_log import Data
from engine.kit import cases
from engine.reference import Verdict
from engine.troyes_dice import notation
from engine.troyes_dice.actions import scoring, sealed_answers, standing_orders
from engine.troyes_dice.actions.half_day import plan_half_day
from engine.troyes_dice.card_data.phrases import choice_word
from engine.troyes_dice.card_data.sheet import COLOURS, RESOURCES, ROWS, Sheet
from engine.troyes_dice.cases.terms import DEFAULTS, GAMES, RESOURCE_WORDS, TERMS, by_row, lay_out_table, scenario_words
from engine.troyes_dice.events import Destroys, DicePlay, HalfDayOpens, Numbered
from engine.troyes_dice.phases import game_flow
from engine.troyes_dice.state import serialization
from engine.troyes_dice.state.dice import affordable
from engine.troyes_dice.state.dice_state import DiceState
from engine.troyes_dice.state.orders import Fallback, Numbering, Standing

OUTCOMES = {"late": "illegal"}
"""A seat that can pay for no die is not asked: its order counts as forbidden."""


def rule_test(scenario: Data, defaults: Data) -> Verdict:
    """Play one position and compare (engine.kit.cases)."""
    return cases.judge(scenario, defaults, GAMES, (DEFAULTS, scenario_words), _differences)


def _differences(scenario: Data, facts: Data) -> Iterator[str]:
    expected = scenario["expected"]
    game = Scenario(lay_out_table(scenario, facts), scenario, facts)
    outcome, said = game.run()
    yield from cases.compare_result(expected, outcome, said)
    if outcome == expected["result"] and outcome in ("ok", "asks"):
        yield from game.compare(expected)


class Scenario:
    """One position being played. `before` is the table once the dice lie as the position says."""

    def __init__(self, state: DiceState, scenario: Data, facts: Data) -> None:
        self.roll: Data = scenario.get("position", {}).get("roll", facts.get("roll", {}))
        self.turn: str = facts.get("turn", next(iter(state.names)))
        self.play = DicePlay(state, cases.case_chance(scenario.get("scripted", {})))
        self.lines: list[str] = list(scenario.get("action", ()))
        if state.phase == "numbering":
            state.asked = {state.crier: sealed_answers.NUMBERING}
        elif self.roll and "system> lay the dice" not in self.lines:
            self._lay_dice()
        if state.dice and "system> resolve event" not in self.lines:
            # The plaza is gone; the attack is made only when the position asks for the event.
            self._strike(attacks=False)
        self.before = state.copy()
        self.play.facts.clear()

    def run(self) -> tuple[str, str]:
        """Return the outcome, and what a refusal said."""
        outcome, said = cases.run_lines(self.lines, self._act, lambda: serialization.dump(self.play.state))
        if outcome != "ok":
            return OUTCOMES.get(outcome, outcome), said
        open_ = {seat: self._choices(seat) for seat, found in self.play.state.sealed.items() if found.open}
        if open_:
            return "asks", f" ({open_})"
        self._close()
        return "ok", ""

    def _choices(self, seat: str) -> list[str]:
        """What the seat can choose from, where its answer lacks a choice."""
        given = sealed_answers.sealed_answer(self.play.state, seat)
        missing = plan_half_day(self.play.state, seat, given).open if given is not None else None
        return sorted(map(choice_word, missing.options)) if missing else []

    # Orders, and what nobody orders.

    def _act(self, line: str) -> None:
        seat, text = cases.split_speaker(line, self.turn)
        if seat == "system":
            SYSTEM[text](self)
            return
        order = notation.parse_order(self.play.state, seat, text).order
        # The half day stays open: what follows is not this position's matter.
        made = DicePlay(self.play.state.copy(), self.play.chance, self.play.facts[:])
        if isinstance(order, Numbering):
            made.record(Numbered(order.numbers, seat))
            made.state.asked = {}
        elif isinstance(order, Standing):
            standing_orders.keep_standing(made, seat, order)
        else:
            game_flow.seal_answer(made, seat, order)
        self.play = made

    def _lay_dice(self) -> None:
        game_flow.lay_dice(self.play, self.roll["clear"], self.roll["black"])
        self._ask()

    def _event(self) -> None:
        if not self.play.state.dice:
            self._lay_dice()
        self._strike(attacks=True)

    def _strike(self, *, attacks: bool) -> None:
        game_flow.black_die_works(self.play, attacks=attacks)
        self._ask()

    def _ask(self) -> None:
        state = self.play.state
        state.asked = {
            seat: sealed_answers.HALF_DAY if affordable(state, seat) else sealed_answers.BONUS for seat in state.sheets
        }

    def _close(self) -> None:
        """Apply what was ordered, and the gains of those who can pay for no die."""
        state = self.play.state
        forced = [
            seat for seat, kind in state.asked.items() if kind == sealed_answers.BONUS and seat not in state.sealed
        ]
        given = {seat: sealed_answers.sealed_answer(state, seat) for seat in state.names if seat in state.sealed}
        if state.dice:
            game_flow.open_answers(
                self.play, {seat: one for seat, one in given.items() if one} | dict.fromkeys(forced, Fallback())
            )

    def _end(self) -> None:
        self._close()
        game_flow.end_of_half_day(self.play)
        following = game_flow.next_half_day(self.play.state)
        if following is None:
            game_flow.count_scores(self.play)
        else:
            self.play.record(HalfDayOpens(*following))

    def _score(self) -> None:
        self._close()
        game_flow.count_scores(self.play)

    # What is expected.

    def compare(self, expected: Data) -> Iterator[str]:
        """Yield every difference. A quantity that `delta` does not name must not have changed."""
        after = self.play.state
        for seat, sheet in after.sheets.items() if "delta" in expected else ():
            yield from _delta(f"delta.{seat}", expected["delta"].get(seat, {}), self.before.sheets[seat], sheet)
        found = [("black " if die.black else "") + str(die.value) for die in after.dice]
        wanted = expected.get("slots", found)
        if len(wanted) != len(found) or not all(map(_fits, wanted, found)):
            yield f"slots: {wanted} expected, {found} found"
        if "destroyed_slot" in expected:
            gone = [fact.slot for fact in self.play.facts if isinstance(fact, Destroys)]
            gone = [slot for slot, die in enumerate(after.dice) if die.gone] or gone
            slots = expected["destroyed_slot"]
            yield from cases.compare("destroyed_slot", slots if isinstance(slots, list) else [slots], gone)
        yield from cases.compare_after(TERMS, self.before, after, expected.get("after", {}))
        yield from self._asks(expected.get("asks"))
        yield from cases.compare_scores(expected.get("scores", {}), after.scores)
        if "winner" in expected:
            yield from cases.compare_winner(expected["winner"], scoring.winners(after.scores), after.scores)
        for seat, ids in expected.get("achieved", {}).items():
            met = [id_.replace("_", "-") for id_ in scoring.achieved(after, seat)]
            yield from cases.compare(f"achieved.{seat}", ids, met)

    def _asks(self, wanted: Any) -> Iterator[str]:
        state = self.play.state
        asked = [(seat, sealed_answers.asked_kind(state, seat)) for seat in state.asked]
        if isinstance(wanted, str):
            # Only whoever lacks a choice is said to be asked by name alone.
            asked = [(seat, kind) for seat, kind in asked if kind == sealed_answers.BONUS]
        yield from cases.compare_asked(wanted, asked)
        if isinstance(wanted, dict) and "choices" in wanted:
            yield from cases.compare("asks.choices", sorted(wanted["choices"]), self._choices(wanted["seat"]))


SYSTEM = {
    "lay the dice": Scenario._lay_dice,
    "resolve event": Scenario._event,
    "end of half day": Scenario._end,
    "final scoring": Scenario._score,
}
"""What stands after `system>`, for what nobody orders."""


def _fits(wanted: Any, found: str) -> bool:
    """Compare value and blackness as far as given: `3`, `"black"`, `"black 3"`, `{ value = 3, black = true }`."""
    black, value = found.startswith("black"), int(found[-1])
    if isinstance(wanted, dict):
        return bool((wanted.get("value", value), wanted.get("black", False)) == (value, black))
    digits = "".join(filter(str.isdecimal, str(wanted)))
    return int(digits or value) == value and (isinstance(wanted, int) or wanted.lower().startswith("b") == black)


def _delta(path: str, wanted: Data, old: Sheet, new: Sheet) -> Iterator[str]:
    """Compare one sheet; a number alone is what is left of a resource, or citizens of all colours."""
    was, is_ = _counted(old), _counted(new)
    values: Data = dict.fromkeys(RESOURCES, 0) | {"citizens": {}}
    values |= {RESOURCE_WORDS.get(word, word): value for word, value in wanted.items() if word != "built"}
    for name, value in values.items():
        parts = COLOURS if name == "citizens" else ("circled", "spent")
        one_by_one = {f".{part}": value.get(part, 0) for part in parts} if isinstance(value, dict) else {"": value}
        for part, n in one_by_one.items():
            yield from cases.compare(f"{path}.{name}{part}", n, is_[name + part] - was[name + part])
    built = by_row(wanted.get("built", {}))
    for row in ROWS:
        fresh = sorted({*new.built[row]} - {*old.built[row]})
        yield from cases.compare(f"{path}.built.{row}", built.get(row, []), fresh)


def _counted(sheet: Sheet) -> dict[str, int]:
    """Every number of a sheet by its path."""
    return {
        "citizens": sum(sheet.citizens.values()),
        **{f"citizens.{colour}": n for colour, n in sheet.citizens.items()},
        **{resource: sheet.unspent(resource) for resource in RESOURCES},
        **{f"{resource}.circled": n for resource, n in sheet.circled.items()},
        **{f"{resource}.spent": n for resource, n in sheet.spent.items()},
    }
