"""How often a table waits, with and without standing orders: whole games by computers (`make waits`, ARGS=--json).

Each seat takes the option that promises most. At the naive table it answers one question a letter. At the other it gives
the standing orders that a sensible person would: a list of all spaces for the placement, `auto: counter, every round`,
`auto: react always` where tiles answer others, and seeing what it would do if it were asked now, `auto: pass` where that
is to pass, and else `later:` with the best orders that use no die but its own. It does so below an order of its own; and
whoever reads while the table waits for somebody else, told of every turn (`mail every-turn`), and has nothing said for
the next one, says it then. In Troyes Dice it says `auto: bonus` once, and in the morning what it wants of the afternoon
(`wanted`). A letter ends where another seat is asked, or a roll is shown.

A wait is one that somebody else's next answer stands behind: what several answer at once is one. Days are those of people
in four time zones who read at eight in the morning and at eight in the evening, and answer what they find.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from statistics import mean
from time import process_time
from typing import Any

from engine.chance import Chance, SeededChance
from engine.errors import OrderRefused
from engine.game import AnyGame, Seat, find_game
from engine.troyes.actions.standing_orders import position_if_asked
from engine.troyes.options.offers import best_spaces
from engine.troyes.state import orders
from engine.troyes_dice.options.offers import later_orders as for_next
from engine.troyes_dice.state.dice_state import MORNING
from engine.troyes_dice.state.orders import AutoBonus

NAMES = {Seat(name.lower()): name for name in ("Anna", "Faye", "Geoffrey", "Emily")}
ZONES = (0, -6, 9, 1)
"""Hours from UTC at which the seats live."""
READS = (8, 20)
"""Hours of their days at which they read."""
TABLES: dict[str, tuple[str, int, dict[str, str]]] = {
    **{f"troyes-{players}": ("troyes", players, {}) for players in (2, 3, 4)},
    **{
        f"troyes-3-{name}": ("troyes", 3, {"ladies": modules})
        for name, modules in {
            **{one: one for one in ("characters", "activities", "events", "head", "ramparts")},
            "ladies": "all",
        }.items()
    },
    **{f"troyes-dice-{players}": ("troyes-dice", players, {}) for players in (2, 3, 4)},
}
CHOICES = ("cathedral", "bishopric", "great_hall", "fortress", "counts_palace", "city_hall")
"""What a bonus of Troyes Dice is to bring, the first row that is open."""
LONGEST = 2000
SAID = 3
"""Orders of one `later`."""


@dataclass
class Course:
    """What one game took."""

    letters: int = 0
    waits: Counter[str] = field(default_factory=Counter)
    """Cause to how often the table waited for it."""
    hours: float = 0.0
    """UTC, from the first question."""
    points: float = 0.0
    """The mean of the seats: what is said beforehand costs some."""
    seconds: float = 0.0
    """Of a processor."""


def next_read(hours: float, zone: int) -> float:
    """When a person next reads, in hours UTC."""
    local = (hours + zone) % 24
    return hours + min((at - local) % 24 for at in READS)


def cause(state: Any, seat: str, kind: str) -> str:
    """What a wait is for: a turn without a die of one's own apart."""
    return "turn without a die" if kind == "turn" and not state.dice[seat] else kind


def play(kind: str, players: int, options: Mapping[str, str], seed: int, *, standing: bool) -> Course:
    """One game."""
    game, course, last, clock = find_game(kind), Course(), "", process_time()
    chance = SeededChance(seed.to_bytes(8, "big"), [], "waits")
    names = dict(list(NAMES.items())[:players])
    state = game.start(names, game.settle_options(players, options), chance).state
    began = course.hours = next_read(0.0, ZONES[0])
    for _ in range(LONGEST):
        asked = [one for one in game.waiting(state) if not one.answered]
        if not asked:
            course.hours -= began
            ending = game.result(state)
            assert ending is not None
            course.points, course.seconds = mean(ending.totals.values()), process_time() - clock
            return course
        many = len(asked) > 1
        reads = {seat: next_read(course.hours, zone) for seat, zone in zip(names, ZONES, strict=False)}
        # Whoever is asked again at once, by what he has just been shown, is still at it.
        goes_on = not many and asked[0].seat == last
        if not goes_on:
            course.waits[cause(state, asked[0].seat, asked[0].kind)] += 1
            began_waiting, course.hours = course.hours, max(reads[one.seat] for one in asked)
            if standing and not many:
                early = [seat for seat in sorted(names, key=reads.__getitem__) if reads[seat] < course.hours]
                for seat in early if began_waiting < course.hours else ():
                    state, letters = off_turn(game, state, seat, chance)
                    course.letters += letters
        for one in asked if many else asked[:1]:
            state, letters = letter(game, state, one.seat, chance, standing=standing)
            course.letters += letters
        last = "" if many else asked[0].seat
    raise AssertionError(f"{kind} {seed} does not end")


def letter(game: AnyGame, state: Any, seat: Seat, chance: Chance, *, standing: bool) -> tuple[Any, int]:
    """What a seat answers with one letter, or with several where rolls are shown; the position, and how many."""
    letters = 1
    while True:
        number = state.number
        if standing and game.kind == "troyes-dice":
            state = wanted(game, state, seat, chance)
        order = chosen(game, state, seat, standing=standing)
        step = game.apply(state, seat, order, chance)
        state = step.state
        asked = [one for one in game.waiting(state) if one.seat == seat and not one.answered]
        if not asked or isinstance(order, orders.ANYTIME):
            break
        if state.number == number or step.reveals or not isinstance(order, orders.Flip | orders.Recruit):
            break
    return (SAYS.get(game.kind, _nothing)(game, state, seat, chance) if standing else state), letters


def off_turn(game: AnyGame, state: Any, seat: Seat, chance: Chance) -> tuple[Any, int]:
    """The position once a seat that is not asked has read its mail, and whether it has written a letter."""
    found = SAYS.get(game.kind, _nothing)(game, state, seat, chance)
    return found, int(found is not state)


def chosen(game: AnyGame, state: Any, seat: Seat, *, standing: bool) -> Any:
    """The option that promises most; at the naive table one placement alone."""
    order = game.thinking.ranked(state, seat)[0][0]
    if isinstance(order, orders.Settle):
        return orders.Settle(tuple(dict.fromkeys((*order.places, *map(str, state.free_spaces())))) if standing else order.places[:1])
    return order


def for_later(game: AnyGame, state: Any, seat: Seat, chance: Chance) -> Any:
    """What a seat of Troyes says for its next turn, and of its placements before that."""
    if not state.asked or any(one.seat == seat for one in state.asked):
        return state
    known = {plan.kind for plan in state.plans.get(seat, ()) if plan.holds(state.round, state.houses[seat].passed)}
    if "counter" not in known:
        state = said(game, state, seat, orders.AutoCounter(always=True), chance)
    if state.answering and seat not in state.reacts:
        state = said(game, state, seat, orders.Auto("always"), chance)
    if not state.round:
        spaces = tuple(map(str, best_spaces(state)))
        return state if seat in state.wishes else said(game, state, seat, orders.AutoPlace(spaces), chance)
    if known & {"later", "pass"}:
        return state
    try:
        at = position_if_asked(state, seat, "turn")
    except OrderRefused:
        return state
    ranked = game.thinking.ranked(at, seat)
    if isinstance(ranked[0][0], orders.Pass):
        return said(game, state, seat, orders.AutoPass(), chance)
    own = [order for order, worth in ranked if worth > 0 and isinstance(order, orders.PlannableOrder) and uses_own(order, seat)]
    return said(game, state, seat, orders.Later(tuple(own[:SAID])), chance) if own else state


def wanted(game: AnyGame, state: Any, seat: Seat, chance: Chance) -> Any:
    """In Troyes Dice a seat says above the answer of a morning what it wants of the afternoon, as the mail proposes it: the
    building that promises most for two resources at most, else a resource. Choices of bonuses are said once for all."""
    if not state.asked or state.phase != "half day":
        return state
    if "bonus" not in {plan.kind for plan in state.plans.get(seat, ())}:
        state = said(game, state, seat, AutoBonus(CHOICES, True), chance)
    proposed = for_next(state, seat)
    return said(game, state, seat, proposed[0], chance) if proposed and state.half == MORNING else state


def _nothing(_game: AnyGame, state: Any, _seat: Seat, _chance: Chance) -> Any:
    return state


SAYS: dict[str, Callable[[AnyGame, Any, Seat, Chance], Any]] = {"troyes": for_later}
"""A kind of game to what a seat that is not asked says there for later."""


def uses_own(order: Any, seat: str) -> bool:
    """Whether an order uses no die but the seat's own: others' dice are bought away, and cost more or less then."""
    dice = (*getattr(order, "dice", ()), *filter(None, (getattr(order, "die", None),)))
    return all(pick.owner == seat for pick in dice)


def said(game: AnyGame, state: Any, seat: Seat, order: Any, chance: Chance) -> Any:
    """The position once the seat has said it; the same where it may not."""
    try:
        return game.apply(state, seat, order, chance).state
    except OrderRefused:
        return state


def figures(found: list[Course]) -> dict[str, Any]:
    """The means of some games."""
    causes: Counter[str] = sum((one.waits for one in found), Counter())
    return {
        "letters": round(mean(one.letters for one in found), 1),
        "waits": round(mean(one.waits.total() for one in found), 1),
        "days": round(mean(one.hours for one in found) / 24, 1),
        "points": round(mean(one.points for one in found), 1),
        "seconds": round(mean(one.seconds for one in found), 1),
        "causes": {name: round(n / len(found), 1) for name, n in causes.most_common()},
    }


def one(task: tuple[str, int, bool]) -> Course:
    """A game of a table."""
    name, seed, standing = task
    kind, players, options = TABLES[name]
    return play(kind, players, options, seed, standing=standing)


def measured(name: str, games: int, run: Callable[..., Iterable[Course]] = map) -> dict[str, Any]:
    """One table without standing orders and with them; `run` plays games as `map` does, or on several processors."""
    tasks = [(name, seed, standing) for standing in (False, True) for seed in range(games)]
    courses = list(run(one, tasks))
    return {"naive": figures(courses[:games]), "standing": figures(courses[games:])}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="make waits", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"all of them, if none is named: {', '.join(TABLES)}")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--workers", type=int, default=2, help="how many games are played at once (2)")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    told: dict[str, dict[str, Any]] = {}
    if strange := [name for name in args.tables if name not in TABLES]:
        parser.error(f"no table is called {strange[0]}; there are: {', '.join(TABLES)}")
    with ProcessPoolExecutor(args.workers) as pool:
        for name in args.tables or TABLES:
            told[name] = measured(name, args.games, pool.map)
            if not args.json:
                for how, row in told[name].items():
                    means = " ".join(f"{what} {row[what]:5}" for what in ("letters", "waits", "days", "points", "seconds"))
                    causes = ", ".join(f"{what} {n}" for what, n in row["causes"].items())
                    print(f"{name:20} {how:8} {means}  {causes}", flush=True)
    if args.json:
        print(json.dumps(told))


if __name__ == "__main__":
    main()
