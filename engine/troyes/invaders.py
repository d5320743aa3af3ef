"""Phase 3: two events are revealed, the queue takes effect from left to right, then the black dice attack.

Rulebook, Phase 3 and appendix; rulings A12 to A18, A21, A22.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.chance import Unknown
from engine.chronicle import Data
from engine.errors import NotAllowed
from engine.troyes import buildings
from engine.troyes import cards
from engine.troyes import losses
from engine.troyes import places
from engine.troyes import purse
from engine.troyes import threats
from engine.troyes import unrest
from engine.troyes.places import Place
from engine.troyes.state import BLANK
from engine.troyes.state import LE_ROY
from engine.troyes.state import Frame
from engine.troyes.state import Threat
from engine.troyes.state import Town
from engine.troyes.verbs import Play


def reveal(play: Play) -> list[str]:
    """The top red event, and the one it calls; Resistance calls a red one from the box first (A18). Their ids."""
    before = len(play.town.queue)
    calls = _enter(play, "red")
    if calls == "red":
        calls = _enter(play, "unused_red") if play.town.decks["unused_red"] else ""
    if calls:
        _enter(play, calls)
    return [threat.id for threat in play.town.queue[before:]]


def hidden(deck: list[str]) -> None:
    """Raises Unknown when the cards of a deck are blank, as in a redacted position."""
    if BLANK in deck:
        raise Unknown("a card face down")


def _enter(play: Play, deck: str) -> str:
    hidden(play.town.decks[deck])
    id = play.town.decks[deck][0]
    play.record("threat", event=id, deck=deck)
    return play.town.event(id).calls


def queue(play: Play, frame: Frame) -> bool:
    """Resolve the next event of the queue; when all are done, roll the black dice they sent."""
    town = play.town
    if frame["left"]:
        id = frame["left"].pop(0)
        threat = town.threat(id)
        if threat is not None:
            sent = town.event(id).black_dice
            frame["black"] += sent
            play.record("resolves", event=id, black=sent)
            if id in EFFECTS:
                EFFECTS[id](play, threat)
        return False
    town.agenda.pop()
    if frame["black"]:
        rolled = play.rolls("black", town.start, frame["black"])
        play.record("phase", phase="black dice")
        dice = [unrest.raised(town, number) for number in rolled.numbers]
        plus: Data = {"raised": raised} if (raised := unrest.raise_(town)) else {}
        play.record("black", rolled, seat=town.start, dice=dice, **plus)
    return False


# Effects of the events that send no black dice.


def _everybody_loses(play: Play, threat: Threat) -> None:
    """Everybody in the order of play loses something (`losses`)."""
    play.town.agenda.append({"step": "losses", "event": threat.id, "left": list(play.town.around(play.town.start))})


def _newcomer(building: str) -> Callable[[Play, Threat], None]:
    def effect(play: Play, threat: Threat) -> None:
        """A neutral citizen enters on a roll; nothing when none is left (A16) or he may not expel (A43)."""
        if not play.town.neutrals:
            return
        rolled = play.rolls(threat.id, play.town.start)
        play.record("fate", rolled, event=threat.id)
        try:
            way = buildings.entering(play.town, play.town.neutral, building, rolled.numbers[0], Place(places.SUPPLY))
        except NotAllowed:
            return
        buildings.enter(play, way)

    return effect


def _traveling_builders(play: Play, threat: Threat) -> None:
    """A neutral cube on the lowest free space; le Roy gains points for his (rulebook, Card Modifications).

    Never above level 3 (A35).
    """
    levels = play.town.cathedral[: play.town.box.board.levels]
    for level, row in enumerate(levels, start=1):
        if "" in row:
            play.record("builds", owner=play.town.neutral, level=level, column=row.index("") + 1)
            if play.town.solo:
                purse.points(play, LE_ROY, play.town.box.solo.builders_points)
            return


def _interrupted_work(play: Play, threat: Threat) -> None:
    """The cube on the highest level, then the highest number, falls; its owner keeps what it gave (A22).

    Nothing falls when it is le Roy's, whom no event harms.
    """
    found = losses.falling(play.town)
    if found is None or found[0] == LE_ROY:
        return
    owner, level, column = found
    if owner == play.town.neutral:
        play.record("falls", owner=owner, level=level, column=column)
    else:
        play.town.agenda.append({"step": "losses", "event": threat.id, "left": [owner]})


def _resistance(play: Play, threat: Threat) -> None:
    """The newest cube of each event goes back to its owner, who keeps the influence (A18); le Roy's stay."""
    spared = threat.id if cards.read_rules(play.town.options).resistance_spares_itself else ""
    for other in play.town.queue:
        if other.cubes and other.id != spared and other.cubes[-1] != LE_ROY:
            play.record("banner_off", event=other.id, owner=other.cubes[-1])


def _all_at_once(play: Play, threat: Threat) -> None:
    """A decision that all seats answer at once (`sealed`)."""
    play.town.agenda.append({"step": "sealed", "event": threat.id})


def _possession(play: Play, threat: Threat) -> None:
    """Only in the round in which it was revealed (A24)."""
    if threat.id in play.town.agenda[-1].get("new", ()):
        _all_at_once(play, threat)


def supportable(town: Town, id: str) -> list[str]:
    """The events that Support may strengthen: those to its left (A17), never Chief Outlaw (A23)."""
    ids = [threat.id for threat in town.queue]
    return [other for other in ids[: ids.index(id)] if other != threats.OUTLAW]


def _support(play: Play, threat: Threat) -> None:
    """A neutral cube on two events to the left; the start player chooses when there are more (A17).

    Le Roy, who chooses nothing, takes the nearest ones in his rounds.
    """
    cubes = play.town.event(threat.id).numbers["cubes"]
    eligible = supportable(play.town, threat.id)
    chooses = cards.read_rules(play.town.options).support == "start-player" and play.town.start != LE_ROY
    if len(eligible) > cubes and chooses:
        play.town.agenda.append({"step": "support", "event": threat.id})
        return
    for id in eligible[-cubes:]:
        threats.place_cube(play, play.town.neutral, id)


def support(play: Play, frame: Frame) -> bool:
    """Ask the start player which events receive a neutral cube."""
    play.ask(play.town.start, "support")
    return True


EFFECTS: dict[str, Callable[[Play, Threat], None]] = {
    "drought": _everybody_loses,
    "support": _support,
    "civil_war": _everybody_loses,
    "wayfarers": _newcomer(places.CITY_HALL),
    "theological_conflict": _newcomer(places.BISHOPRIC),
    "conflict_of_succession": _newcomer(places.PALACE),
    "heresy": _everybody_loses,
    "traveling_builders": _traveling_builders,
    "interrupted_work": _interrupted_work,
    "resistance": _resistance,
    "uprising": unrest.uprising,
    "monk_event": unrest.monk,
    "harsh_winter": _all_at_once,
    "possession": _possession,
}
"""What an event does each round, beside the black dice it sends."""
