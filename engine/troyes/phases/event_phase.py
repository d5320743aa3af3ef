"""Phase 3: two events are revealed, the queue takes effect from left to right, then the black dice attack.

Rulebook, Phase 3 and appendix; rulings A12 to A18, A21 to A26. Possession and Harsh Winter ask all seats at once: the
answers take effect in the order of play from the start player, when the last one is in. A seat with one possible answer
is not asked, one with none is passed over.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.chance import UnknownDraw
from engine.errors import NotAllowed
from engine.troyes.actions.sealed_answers import SEALED, is_complete, possible_answers
from engine.troyes.board import buildings, losses, possession, purse, threats
from engine.troyes.card_data.house_rules import read_rules
from engine.troyes.events import card_events, dice_events
from engine.troyes.events.citizen_events import BuildingReseated, lot_count, uprising_building
from engine.troyes.events.order_events import AnswersShown, Ordered
from engine.troyes.events.play import Play
from engine.troyes.events.round_events import PhaseBegins
from engine.troyes.state import dice, orders, places
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import BLANK, GRAY, LE_ROY, Frame, QueuedEvent


def reveal_events(play: Play) -> list[str]:
    """Reveal the top red event and those it calls, Resistance a red one from the box (A18). Returns their ids."""
    before = len(play.state.queue)
    calls = _enter(play, "red")
    if calls == "red":
        calls = _enter(play, "unused_red") if play.state.decks["unused_red"] else ""
    if calls:
        _enter(play, calls)
    return [threat.id for threat in play.state.queue[before:]]


def check_deck_known(deck: list[str]) -> None:
    """Raises UnknownDraw when the cards of a deck are blank, as in a redacted position."""
    if BLANK in deck:
        raise UnknownDraw("a card face down")


def _enter(play: Play, deck: str) -> str:
    check_deck_known(play.state.decks[deck])
    id = play.state.decks[deck][0]
    play.record(card_events.EventRevealed(id, deck))
    return play.state.event(id).calls


def resolve_queue(play: Play, frame: Frame) -> bool:
    """Resolve the next event of the queue. When all are done, roll the black dice they sent."""
    state = play.state
    if frame["left"]:
        id, *frame["left"] = frame["left"]
        threat = state.threat(id)
        if threat is not None:
            sent = state.event(id).black_dice
            frame["black"] += sent
            play.record(card_events.EventResolves(id, sent))
            if id in EFFECTS:
                EFFECTS[id](play, threat)
        return False
    state.agenda.pop()
    if frame["black"]:
        rolled = play.rolls("black", state.start, frame["black"])
        play.record(PhaseBegins("black dice"))
        dice = tuple(dice_events.raised_black_die(state, number) for number in rolled.numbers)
        play.record(dice_events.BlackRolled(rolled, state.start, dice, dice_events.black_dice_bonus(state)))
    return False


# Effects of the events that send no black dice.


def _everybody_loses(play: Play, threat: QueuedEvent) -> None:
    """Everybody loses something, in the order of play (`losses`)."""
    play.state.agenda.append({"step": "losses", "event": threat.id, "left": list(play.state.around(play.state.start))})


def _newcomer(building: str) -> Callable[[Play, QueuedEvent], None]:
    def effect(play: Play, threat: QueuedEvent) -> None:
        """A neutral citizen enters on a roll; nobody does when none is left (A16) or he may not expel (A43)."""
        if not play.state.neutrals:
            return
        rolled = play.rolls(threat.id, play.state.start)
        play.record(dice_events.FateRolled(rolled, threat.id))
        try:
            way = buildings.checked_entry(
                play.state, play.state.neutral, building, rolled.numbers[0], Place(places.SUPPLY)
            )
        except NotAllowed:
            return
        buildings.enter_building(play, way)

    return effect


def _traveling_builders(play: Play, threat: QueuedEvent) -> None:
    """Put a neutral cube on the lowest free space, at most on level 3 (A35); le Roy gains points for his."""
    levels = play.state.cathedral[: play.state.box.board.levels]
    for level, row in enumerate(levels, start=1):
        if "" in row:
            play.record(card_events.CubeBuilt(play.state.neutral, level, row.index("") + 1))
            if play.state.solo:
                purse.change_points(play, LE_ROY, play.state.box.solo.builders_points)
            return


def _interrupted_work(play: Play, threat: QueuedEvent) -> None:
    """The highest cube falls, of those the highest number; its owner keeps what it gave (A22). Le Roy's stays."""
    found = losses.falling_cube(play.state)
    if found is None or found[0] == LE_ROY:
        return
    owner, level, column = found
    if owner == play.state.neutral:
        play.record(card_events.CubeFalls(owner, level, column))
    else:
        play.state.agenda.append({"step": "losses", "event": threat.id, "left": [owner]})


def _resistance(play: Play, threat: QueuedEvent) -> None:
    """The newest cube of each event goes back to its owner, who keeps the influence (A18). Le Roy's cubes stay."""
    spared = threat.id if read_rules(play.state.options).resistance_spares_itself else ""
    for other in play.state.queue:
        if other.cubes and other.id != spared and other.cubes[-1] != LE_ROY:
            play.record(card_events.BannerFreed(other.id, other.cubes[-1]))


def _all_at_once(play: Play, threat: QueuedEvent) -> None:
    """Open a decision that all seats answer at once."""
    play.state.agenda.append({"step": "sealed", "event": threat.id})


def _possession(play: Play, threat: QueuedEvent) -> None:
    """Ask for citizens, only in the round in which the card was revealed (A24)."""
    if threat.id in play.state.agenda[-1].get("new", ()):
        _all_at_once(play, threat)


def _support(play: Play, threat: QueuedEvent) -> None:
    """Put neutral cubes on two events to the left, those that a human start player chooses, else the nearest (A17)."""
    cubes = play.state.event(threat.id).numbers["cubes"]
    eligible = threats.supportable(play.state, threat.id)
    chooses = read_rules(play.state.options).support == "start-player" and play.state.start != LE_ROY
    if len(eligible) > cubes and chooses:
        play.state.agenda.append({"step": "support", "event": threat.id})
        return
    for id in eligible[-cubes:]:
        threats.place_cube(play, play.state.neutral, id)


def ask_support(play: Play, frame: Frame) -> bool:
    """Ask the start player which events receive a neutral cube."""
    play.ask(play.state.start, "support")
    return True


SETTLES = (dice.WHITE, dice.YELLOW, dice.RED)
"""The colours on which the monk settles, for a die of 1-2, 3-4, 5-6."""


def _die(play: Play, threat: QueuedEvent) -> int:
    """Roll the die that an event throws."""
    rolled = play.rolls(threat.id, play.state.start)
    play.record(dice_events.FateRolled(rolled, threat.id))
    return rolled.numbers[0]


def uprising(play: Play, threat: QueuedEvent) -> None:
    """Seat everybody in a building anew by lot (A25)."""
    state = play.state
    building = uprising_building(state, _die(play, threat))
    rolled = play.shuffles("uprising_seats", state.start, lot_count(state, building))
    play.record(BuildingReseated.by_lot(rolled, state, building))


def monk(play: Play, threat: QueuedEvent) -> None:
    """A neutral tradesman takes the dearest free space of a colour, on the card of the lowest level (A26)."""
    state = play.state
    colour = SETTLES[(dice_events.thrown_die(state, _die(play, threat)) - 1) // 2]
    free = [
        (-worth, facts.level, card.id, number)
        for card in state.cards
        if (facts := state.activity(card.id)).color == colour
        for number, worth in enumerate(facts.spaces, start=1)
        if not card.spaces[number - 1]
    ]
    if not state.neutrals or not free:
        return
    *_, id, number = min(free, key=lambda found: found[:2])
    play.move(GRAY, Place(places.SUPPLY), Place(id, str(number)))


def ask_sealed(play: Play, frame: Frame) -> bool:
    """Ask who has a choice, then apply all answers. A seat with no citizen to give loses points (A15, A24)."""
    state, kind = play.state, SEALED[frame["event"]]
    if not is_complete(state):
        waiting = [seat for seat in state.around(state.start) if len(possible_answers(state, kind, seat)) > 1]
        if waiting:
            play.ask_all(waiting, kind)
            return True
    state.agenda.pop()
    state.asked = []
    answers = dict(state.sealed)
    play.record(AnswersShown(frame["event"]))
    order = state.around(state.start)
    for seat in order:
        if kind == "give" and not possible_answers(state, kind, seat):
            purse.change_points(play, seat, -state.box.board.unresolved_loss)
    for seat in order:
        _apply(play, kind, seat, answers.get(seat, ""))
    return False


def _apply(play: Play, kind: str, seat: str, answered: str) -> None:
    """Apply one answer, or the only possible one."""
    state = play.state
    only = possible_answers(state, kind, seat)
    given = "" if answered else "only"
    if not answered and only:
        answered = only[0]
    if not answered:
        return
    order = orders.Give(answered) if kind == "give" else orders.Discard(answered)
    play.record(Ordered(seat, order, given))
    if isinstance(order, orders.Give):
        possession.give_citizen(play, seat, order)
    elif state.tile(order.on) is not None:
        play.record(card_events.TileCubes(order.on, seat, -1))
    else:
        play.record(card_events.CubesChange(order.on, seat, -1))


EFFECTS: dict[str, Callable[[Play, QueuedEvent], None]] = {
    "drought": _everybody_loses,
    "support": _support,
    "civil_war": _everybody_loses,
    **{event: _newcomer(building) for event, building in dice_events.NEWCOMERS.items()},
    "heresy": _everybody_loses,
    "traveling_builders": _traveling_builders,
    "interrupted_work": _interrupted_work,
    "resistance": _resistance,
    dice_events.UPRISING: uprising,
    dice_events.MONK: monk,
    "harsh_winter": _all_at_once,
    "possession": _possession,
}
"""What an event does each round, besides the black dice it sends."""
