"""Dice on the city square, black dice, and rolls that only decide what follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from engine.chance import Draw
from engine.errors import PositionError
from engine.event_log import LogEntry
from engine.kit.events import Event
from engine.kit.rolls import Rolled, next_draw, once_a_round
from engine.troyes.card_data.house_rules import read_rules
from engine.troyes.events.card_events import BannerCovered, EventResolves, TileCubes
from engine.troyes.events.lookup import list_without
from engine.troyes.events.order_events import Ordered, order_of_entry
from engine.troyes.state import dice, places
from engine.troyes.state.orders import Activate, Use
from engine.troyes.state.troyes_state import GRAY, LE_ROY, TroyesState
from engine.values import fixed

NEWCOMERS = {
    "wayfarers": places.CITY_HALL,
    "theological_conflict": places.BISHOPRIC,
    "conflict_of_succession": places.PALACE,
}
"""Events that roll for the place where a neutral citizen enters, while one is left, with the building."""
UPRISING, MONK, OUTLAW = "uprising", "monk_event", "chief_outlaw"
THROW = frozenset({UPRISING, MONK})
"""Events that always throw a black die."""


def black_dice_bonus(state: TroyesState) -> int:
    """What Chief Outlaw adds to every black die while it is in the queue."""
    return state.event(OUTLAW).numbers["plus"] if state.threat(OUTLAW) else 0


def raised_black_die(state: TroyesState, number: int) -> int:
    """A black die with that bonus, 6 at most."""
    return min(6, number + black_dice_bonus(state))


def thrown_die(state: TroyesState, number: int) -> int:
    """A die that an uprising or the monk throws, with the bonus too where the table plays so (A23)."""
    return raised_black_die(state, number) if read_rules(state.options).chief_outlaw_raises == "all" else number


def le_roy_placing_dice(state: TroyesState, numbers: Iterable[int]) -> tuple[str, ...]:
    """Le Roy's dice of the initial placement, by rank. They are rolled in the order in which equal ones rank."""
    colours = [colour for colour in (dice.RED, dice.YELLOW, dice.WHITE) for _ in range(state.box.solo.placement_dice)]
    return tuple(dice.dice_by_rank(map(dice.die_word, colours, numbers)))


def _must(right: bool, says: str) -> None:
    """Raises PositionError where the rules make no such draw, or where its result does not follow from the roll."""
    if not right:
        raise PositionError(says)


def _lay(state: TroyesState, owner: str, words: list[str]) -> None:
    """Replace the dice of a district."""
    state.dice = {**state.dice, owner: words}


@fixed
class DiceRolled(Event[TroyesState]):
    """Dice rolled into a district."""

    kind = "rolled"
    draws_for = ("workforce", "tile")
    rolled: Rolled
    owner: str
    dice: tuple[str, ...]

    def draw(self, state: TroyesState, past: Sequence[LogEntry]) -> Draw:
        if state.phase == "workforce":
            colours, purpose = state.workforce(self.owner), once_a_round(state, "workforce", self.owner)
        else:
            seat, colour = tile_die_user(state, past)
            _must(bool(colour) and seat == self.owner, "no cube of a tile that rolls a die was used for it")
            colours, purpose = [colour], next_draw(state, "tile", seat)
        right = tuple(map(dice.die_word, colours, self.rolled.numbers))
        _must(self.dice == right, "the dice are not laid as they were rolled")
        return Draw(purpose, len(colours))

    def apply(self, state: TroyesState) -> None:
        _lay(state, self.owner, dice.sorted_dice([*state.dice[self.owner], *self.dice]))
        state.rolled = {**state.rolled, self.owner: state.rolled.get(self.owner, 0) + len(self.dice)}


@fixed
class DiceLeave(Event[TroyesState]):
    """Dice taken off a district, by a seat or at the end of the round."""

    kind = "leaves"
    owner: str
    dice: tuple[str, ...]
    by: str = ""

    def apply(self, state: TroyesState) -> None:
        _lay(state, self.owner, list_without(state.dice[self.owner], *self.dice))


@fixed
class DiceRerolled(Event[TroyesState]):
    """Own dice rolled again for influence: the old and the new dice."""

    kind = "rerolled"
    draws_for = ("reroll",)
    rolled: Rolled
    seat: str
    dice: tuple[str, ...]
    now: tuple[str, ...]

    def draw(self, state: TroyesState, past: Sequence[LogEntry]) -> Draw:
        paid = {"seat": self.seat, "by": -state.box.board.reroll}
        _must(not paid["by"] or (past[-1].kind == "influence" and past[-1].data == paid), "nobody has paid for it")
        (word,) = self.dice
        right = (dice.die_word(dice.die_colour(word), self.rolled.numbers[0]),)
        _must(self.now == right, "the die is not laid as it was rolled")
        return Draw(next_draw(state, "reroll", self.seat))

    def apply(self, state: TroyesState) -> None:
        _turn(state, self.seat, self.dice, self.now)


@fixed
class DiceFlipped(Event[TroyesState]):
    """Own dice turned to their opposite faces for influence."""

    kind = "flipped"
    seat: str
    dice: tuple[str, ...]
    now: tuple[str, ...]

    def apply(self, state: TroyesState) -> None:
        _turn(state, self.seat, self.dice, self.now)


def _turn(state: TroyesState, seat: str, were: tuple[str, ...], now: tuple[str, ...]) -> None:
    district = state.dice[seat]
    for was, is_ in zip(were, now, strict=True):
        district = [*list_without(district, was), is_]
    _lay(state, seat, dice.sorted_dice(district))


@fixed
class DiceExchanged(Event[TroyesState]):
    """An own die for one of another district (outdoor tile)."""

    kind = "exchanged"
    seat: str
    owner: str
    gives: str
    takes: str

    def apply(self, state: TroyesState) -> None:
        for owner, loses, gains in ((self.seat, self.gives, self.takes), (self.owner, self.takes, self.gives)):
            _lay(state, owner, dice.sorted_dice([*list_without(state.dice[owner], loses), gains]))


@fixed
class BlackRolled(Event[TroyesState]):
    """The black dice, with what is `raised` on each (Chief Outlaw); `seat` counters first."""

    kind = "black"
    draws_for = ("black",)
    rolled: Rolled
    seat: str
    dice: tuple[int, ...]
    raised: int = 0

    def draw(self, state: TroyesState, past: Sequence[LogEntry]) -> Draw:
        raised = tuple(raised_black_die(state, number) for number in self.rolled.numbers)
        right = (black_dice_bonus(state), raised, state.start)
        _must((self.raised, self.dice, self.seat) == right, "the black dice are not laid as they were rolled")
        return Draw(once_a_round(state, "black", state.start), black_dice_sent(past))

    def apply(self, state: TroyesState) -> None:
        state.black = sorted(self.dice, reverse=True)


@fixed
class BlackGone(Event[TroyesState]):
    """Black dice that a seat has beaten or could not beat."""

    kind = "black_gone"
    seat: str
    dice: tuple[int, ...]
    beaten: bool

    def apply(self, state: TroyesState) -> None:
        state.black = list_without(state.black, *self.dice)


@fixed
class ArrowShot(Event[TroyesState]):
    """A roll of the Archer, and the event it was meant for."""

    kind = "shot"
    draws_for = ("archer",)
    rolled: Rolled
    seat: str
    hit: bool
    target: str = ""

    def draw(self, state: TroyesState, past: Sequence[LogEntry]) -> Draw:
        seat, card, left = arrows_left(state, past)
        _must(left > 0 and seat == self.seat, "nobody has ordered it")
        hits = self.rolled.numbers[0] >= state.activity(card).numbers["hits"]
        _must(self.hit is hits, "whether it hits does not follow from what was rolled")
        return Draw(next_draw(state, "archer", seat))


@fixed
class FateRolled(Event[TroyesState]):
    """A die that an event throws."""

    kind = "fate"
    draws_for = (*NEWCOMERS, UPRISING, MONK, places.POSSESSION)
    rolled: Rolled
    event: str

    def draw(self, state: TroyesState, past: Sequence[LogEntry]) -> Draw:
        threat = state.threat(self.event)
        if threat is not None and throwing_event(state, past) == self.event:
            if self.event == places.POSSESSION:
                return Draw(next_draw(state, self.event, state.start), 1, len(threat.held))
            return Draw(once_a_round(state, self.event, state.start))
        raise PositionError(f"{self.event} throws no die here")


@fixed
class LeRoyActs(Event[TroyesState]):
    """Solo: le Roy's roll, the action it makes him do, and the dice he settles with."""

    kind = "acts"
    draws_for = ("placement", "le_roy_action")
    rolled: Rolled
    action: str
    dice: tuple[str, ...] = ()

    def draw(self, state: TroyesState, past: Sequence[LogEntry]) -> Draw:
        _must(is_le_roys(past[-1]), "it is not le Roy's turn")
        right: tuple[str, tuple[str, ...]]
        if state.phase == "initial placement":
            right = ("settle", le_roy_placing_dice(state, self.rolled.numbers))
            draw = Draw(next_draw(state, "placement", LE_ROY), len(dice.COLOURS) * state.box.solo.placement_dice)
        else:
            right = (state.box.solo.actions[sum(self.rolled.numbers) - 2], ())
            draw = Draw(next_draw(state, "le_roy_action", LE_ROY), 2)
        _must((self.action, self.dice) == right, "what he does does not follow from what was rolled")
        return draw


# What calls for a draw, in the entries so far.


def is_le_roys(entry: LogEntry) -> bool:
    """Whether an entry says that le Roy's dice decide now."""
    return entry.kind == Ordered.kind and entry.data["seat"] == LE_ROY


def black_dice_sent(past: Sequence[LogEntry]) -> int:
    """How many black dice the events of this round send."""
    this_round = takewhile(lambda entry: entry.kind != "round", reversed(past))
    return sum(entry.data.get("black", 0) for entry in this_round if entry.kind == EventResolves.kind)


def throwing_event(state: TroyesState, past: Sequence[LogEntry]) -> str:
    """The event that throws a die now because of the last entry; empty for none."""
    last, event = past[-1], str(past[-1].data.get("event"))
    if last.kind == EventResolves.kind:
        return event if event in THROW or (event in NEWCOMERS and state.neutrals) else ""
    freed = last.kind == BannerCovered.kind and event == places.POSSESSION and last.data["owner"] == GRAY
    return event if freed and (threat := state.threat(event)) is not None and threat.held else ""


def tile_die_user(state: TroyesState, past: Sequence[LogEntry]) -> tuple[str, str]:
    """The seat that has just used and paid for a cube that rolls a die, and the colour of that die."""
    paid = past[-1].kind == "pays"
    order, cube = past[-3:-1] if paid else past[-2:]
    if cube.kind == TileCubes.kind and order.kind == Ordered.kind and isinstance(order_of_entry(order), Use):
        tile = state.outdoor(cube.data["tile"])
        if paid is bool(tile.numbers.get("cost", 0)):
            return cube.data["seat"], tile.rolls
    return "", ""


def arrows_left(state: TroyesState, past: Sequence[LogEntry]) -> tuple[str, str, int]:
    """Whose arrows are shot, by which card, and how many are left since the last order that shoots any."""
    count = 0
    for entry in reversed(past):
        if entry.kind == ArrowShot.kind:
            count += 1
        elif entry.kind == Ordered.kind and isinstance(order := order_of_entry(entry), Activate):
            if "hits" in state.activity(order.card).numbers:
                return entry.data["seat"], order.card, order.times - count
        elif entry.kind == "round":
            break
    return "", "", 0
