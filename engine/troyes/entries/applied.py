"""What each kind of entry does to a state: the only code that changes one.

Kinds are never renamed once released. A fold that does not fit raises (PositionError, LookupError, ValueError); `fold`
says which entry it was.
"""

from __future__ import annotations

from engine.chronicle import Data, Entry, copied
from engine.errors import PositionError
from engine.kit.edits import Edited
from engine.kit.folding import Fold, heading
from engine.troyes.state import dice as dice_
from engine.troyes.state import edits, places
from engine.troyes.state.places import Place
from engine.troyes.state.state import BANK, NEUTRALS, Card, QueuedEvent, TroyesState

# Money, influence, points.


def _pays(state: TroyesState, data: Data, entry: Entry) -> None:
    payer, payee, deniers = data["payer"], data["payee"], data["deniers"]
    if payer != BANK and payer not in NEUTRALS:
        state.houses[payer].deniers -= deniers
    if payee != BANK and payee not in NEUTRALS:
        state.houses[payee].deniers += deniers


def _influence(state: TroyesState, data: Data, entry: Entry) -> None:
    state.houses[data["seat"]].influence += data["by"]


def _points(state: TroyesState, data: Data, entry: Entry) -> None:
    state.houses[data["seat"]].vp += data["by"]


# Dice on the city square.


def _rolled(state: TroyesState, data: Data, entry: Entry) -> None:
    owner = data["owner"]
    state.dice[owner] = dice_.tidy(state.dice[owner] + data["dice"])
    state.rolled[owner] = state.rolled.get(owner, 0) + len(data["dice"])


def _leaves(state: TroyesState, data: Data, entry: Entry) -> None:
    for die in data["dice"]:
        state.dice[data["owner"]].remove(die)


def _turned(state: TroyesState, data: Data, entry: Entry) -> None:
    district = state.dice[data["seat"]]
    for was, now in zip(data["dice"], data["now"], strict=True):
        district.remove(was)
        district.append(now)
    state.dice[data["seat"]] = dice_.tidy(district)


def _black(state: TroyesState, data: Data, entry: Entry) -> None:
    state.black = sorted(data["dice"], reverse=True)


def _black_gone(state: TroyesState, data: Data, entry: Entry) -> None:
    for number in data["dice"]:
        state.black.remove(number)


# Citizens.


def _recruited(state: TroyesState, data: Data, entry: Entry) -> None:
    house = state.houses[data["seat"]]
    house.reserve -= data["citizens"]
    house.supply += data["citizens"]


def _moves(state: TroyesState, data: Data, entry: Entry) -> None:
    """A citizen leaves first, then those in his way are pushed, then he arrives (A42, A67)."""
    owner = data["owner"]
    _take(state, owner, Place.parse(data["from"]))
    for push in data.get("pushed", ()):
        _take(state, push["owner"], Place.parse(push["from"]))
        _stand(state, push["owner"], Place.parse(push["to"]))
    _stand(state, owner, Place.parse(data["to"]))


def _take(state: TroyesState, owner: str, place: Place) -> None:
    if place.on == places.SUPPLY:
        if owner in NEUTRALS:
            state.neutrals -= 1
        else:
            state.houses[owner].supply -= 1
    elif place.on == places.POSSESSION:
        _threat_at(state, places.POSSESSION).held.remove(owner)
    elif place.spot == places.LYING:
        state.lying[place.on].remove(owner)
    elif place.building:
        if state.owner_at(place) != owner:
            raise PositionError(f"{owner} does not stand there", str(place))
        _set(state, place, "")
    else:
        card = _card(state, place.on)
        if owner in card.spaces:
            card.spaces[card.spaces.index(owner)] = ""
        else:
            card.picture.remove(owner)


def _stand(state: TroyesState, owner: str, place: Place) -> None:
    if place.on == places.SUPPLY:
        if owner in NEUTRALS:
            state.neutrals += 1
        else:
            state.houses[owner].supply += 1
    elif place.on == places.POSSESSION:
        _threat_at(state, places.POSSESSION).held.append(owner)
    elif place.spot == places.LYING:
        state.lying[place.on].append(owner)
    elif place.building:
        if state.owner_at(place):
            raise PositionError(f"{state.owner_at(place)} stands there already", str(place))
        _set(state, place, owner)
    elif place.spot == places.PICTURE:
        _card(state, place.on).picture.append(owner)
    else:
        _card(state, place.on).spaces[int(place.spot) - 1] = owner


def _set(state: TroyesState, place: Place, owner: str) -> None:
    if place.on == places.PALACE:
        state.palace[place.space] = owner
    else:
        state.rows[place.on][place.row][place.space] = owner


def _card(state: TroyesState, id: str) -> Card:
    card = state.card(id)
    if card is None:
        raise PositionError("is not in play", id)
    return card


# Cards, cathedral, events.


def _activity(state: TroyesState, data: Data, entry: Entry) -> None:
    id = data["card"]
    state.decks["activities"].remove(id)
    state.cards.append(Card(id, [""] * len(state.activity(id).spaces)))
    if state.activity(id).opens_level:
        state.cathedral.append([""] * len(state.cathedral[0]))


def _cubes(state: TroyesState, data: Data, entry: Entry) -> None:
    card, seat = _card(state, data["card"]), data["seat"]
    left = card.cubes.get(seat, 0) + data["by"]
    if left < 0:
        raise PositionError(f"{seat} has {left} cubes", data["card"])
    card.cubes[seat] = left
    if not left:
        del card.cubes[seat]


def _builds(state: TroyesState, data: Data, entry: Entry) -> None:
    state.cathedral[data["level"] - 1][data["column"] - 1] = data["owner"]


def _falls(state: TroyesState, data: Data, entry: Entry) -> None:
    state.cathedral[data["level"] - 1][data["column"] - 1] = ""


def _threat(state: TroyesState, data: Data, entry: Entry) -> None:
    state.decks[data["deck"]].remove(data["event"])
    state.queue.append(QueuedEvent(data["event"]))


def _banner(state: TroyesState, data: Data, entry: Entry) -> None:
    _threat_at(state, data["event"]).cubes.append(data["owner"])


def _banner_off(state: TroyesState, data: Data, entry: Entry) -> None:
    cubes = _threat_at(state, data["event"]).cubes
    if cubes.pop() != data["owner"]:
        raise PositionError(f"the newest cube is not {data['owner']}'s", data["event"])


def _threat_at(state: TroyesState, id: str) -> QueuedEvent:
    threat = state.threat(id)
    if threat is None:
        raise PositionError("is not in the queue", id)
    return threat


def _countered(state: TroyesState, data: Data, entry: Entry) -> None:
    threat = _threat_at(state, data["event"])
    if data.get("stays"):
        threat.cubes.clear()
        return
    state.queue.remove(threat)
    if data["winner"] in state.houses:
        state.houses[data["winner"]].won.append(data["event"])
        if data.get("fought"):
            state.houses[data["winner"]].fought.append(data["event"])


def _reseated(state: TroyesState, data: Data, entry: Entry) -> None:
    """A whole building anew: who stands where (`seats`, row by row), who lies, and whether a neutral citizen came."""
    building = data["building"]
    spaces = [place for place in places.SPACES if place.on == building]
    for place, owner in zip(spaces, data["seats"], strict=True):
        _set(state, place, owner)
    state.lying[building] = list(data["lying"])
    state.neutrals -= data["neutrals"]


# Outdoor tiles and the ramparts.


def _tile(state: TroyesState, data: Data, entry: Entry) -> None:
    tile, seat = state.tile(data["tile"]), data["seat"]
    if tile is None:
        raise PositionError("is not in play", data["tile"])
    left = tile.cubes.get(seat, 0) + data["by"]
    if left < 0:
        raise PositionError(f"{seat} has {left} cubes", data["tile"])
    tile.cubes[seat] = left
    if not left:
        del tile.cubes[seat]


def _exchanged(state: TroyesState, data: Data, entry: Entry) -> None:
    for owner, loses, gains in (
        (data["seat"], data["gives"], data["takes"]),
        (data["owner"], data["takes"], data["gives"]),
    ):
        state.dice[owner].remove(loses)
        state.dice[owner] = dice_.tidy([*state.dice[owner], gains])


def _guard(state: TroyesState, data: Data, entry: Entry) -> None:
    state.houses[data["seat"]].guard = data["to"]


def _arrives(state: TroyesState, data: Data, entry: Entry) -> None:
    state.arrived.append(data["seat"])


# Answers that are not open.


def _sealed(state: TroyesState, data: Data, entry: Entry) -> None:
    """An answer that is shown with all others, when the last one is in."""
    for seat, private in entry.only.items():
        state.sealed[seat] = private["answer"]


def _unsealed(state: TroyesState, data: Data, entry: Entry) -> None:
    state.sealed = {}


def _standing(state: TroyesState, data: Data, entry: Entry) -> None:
    for seat, private in entry.only.items():
        kept = {tile: word for tile, word in state.reacts.pop(seat, {}).items() if tile not in private["tiles"]}
        if private["react"] not in ("", "ask"):
            kept |= dict.fromkeys(private["tiles"], private["react"])
        if kept:
            state.reacts[seat] = kept


# The course of a round.


def _round(state: TroyesState, data: Data, entry: Entry) -> None:
    state.round = data["round"]
    state.draws, state.rolled = {}, {}
    for house in state.houses.values():
        house.passed = False


def _phase(state: TroyesState, data: Data, entry: Entry) -> None:
    state.phase = data["phase"]


def _passes(state: TroyesState, data: Data, entry: Entry) -> None:
    house = state.houses[data["seat"]]
    house.passed = True
    house.coins += data["coins"]


def _collects(state: TroyesState, data: Data, entry: Entry) -> None:
    house = state.houses[data["seat"]]
    house.coins -= data["deniers"]
    house.deniers += data["deniers"]


def _starts(state: TroyesState, data: Data, entry: Entry) -> None:
    state.start = data["seat"]


def _agenda(state: TroyesState, data: Data, entry: Entry) -> None:
    state.agenda = copied(data["pending"])
    state.asked = copied(data["asked"])
    state.number = data["number"]


def _wishes(state: TroyesState, data: Data, entry: Entry) -> None:
    for seat, private in entry.only.items():
        wanted = list(private["places"])
        if wanted:
            state.wishes[seat] = wanted
        else:
            state.wishes.pop(seat, None)


def _scored(state: TroyesState, data: Data, entry: Entry) -> None:
    state.scores[data["seat"]] = dict(data["parts"])


def _judged(state: TroyesState, data: Data, entry: Entry) -> None:
    """Solo: a character leaves the pile; what it gave stands in entries of its own."""
    state.pile.remove(data["character"])


def _edited(state: TroyesState, data: Data, entry: Entry) -> None:
    """A moderator's repair: `path` is `seat.deniers` and the like, `before` and `after` its values (edits.py)."""
    edits.REPAIRS.fold(state, Edited(**entry.data, **entry.hidden))


APPLIED: dict[str, Fold[TroyesState]] = {
    "order": heading,
    "resolves": heading,
    "pays": _pays,
    "influence": _influence,
    "points": _points,
    "rolled": _rolled,
    "leaves": _leaves,
    "rerolled": _turned,
    "flipped": _turned,
    "shot": heading,
    "fate": heading,
    "black": _black,
    "black_gone": _black_gone,
    "recruited": _recruited,
    "moves": _moves,
    "activity": _activity,
    "cubes": _cubes,
    "builds": _builds,
    "falls": _falls,
    "threat": _threat,
    "banner": _banner,
    "banner_off": _banner_off,
    "countered": _countered,
    "round": _round,
    "phase": _phase,
    "passes": _passes,
    "collects": _collects,
    "starts": _starts,
    "agenda": _agenda,
    "wishes": _wishes,
    "scored": _scored,
    "acts": heading,
    "judged": _judged,
    "over": _phase,
    "edited": _edited,
    "reseated": _reseated,
    "tile": _tile,
    "exchanged": _exchanged,
    "guard": _guard,
    "arrives": _arrives,
    "sealed": _sealed,
    "unsealed": _unsealed,
    "standing": _standing,
}
"""Kind of entry to what it does. `shot`, `fate` and `acts` hold dice that only decide what follows."""
