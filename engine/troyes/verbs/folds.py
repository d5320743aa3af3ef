"""What each kind of entry does to a town: the only code that changes one.

Kinds are never renamed once released. A fold that does not fit raises (PositionError, LookupError, ValueError); `fold`
says which entry it was.
"""

from __future__ import annotations

from engine.chronicle import Data
from engine.chronicle import Entry
from engine.chronicle import copied
from engine.errors import PositionError
from engine.kit.folding import Fold
from engine.kit.folding import heading
from engine.troyes import dice as dice_
from engine.troyes import places
from engine.troyes import repairs
from engine.troyes.places import Place
from engine.troyes.state import BANK
from engine.troyes.state import NEUTRALS
from engine.troyes.state import Card
from engine.troyes.state import Threat
from engine.troyes.state import Town

# Money, influence, points.


def _pays(town: Town, data: Data, entry: Entry) -> None:
    payer, payee, deniers = data["payer"], data["payee"], data["deniers"]
    if payer != BANK and payer not in NEUTRALS:
        town.houses[payer].deniers -= deniers
    if payee != BANK and payee not in NEUTRALS:
        town.houses[payee].deniers += deniers


def _influence(town: Town, data: Data, entry: Entry) -> None:
    town.houses[data["seat"]].influence += data["by"]


def _points(town: Town, data: Data, entry: Entry) -> None:
    town.houses[data["seat"]].vp += data["by"]


# Dice on the city square.


def _rolled(town: Town, data: Data, entry: Entry) -> None:
    owner = data["owner"]
    town.dice[owner] = dice_.tidy(town.dice[owner] + data["dice"])
    town.rolled[owner] = town.rolled.get(owner, 0) + len(data["dice"])


def _leaves(town: Town, data: Data, entry: Entry) -> None:
    for die in data["dice"]:
        town.dice[data["owner"]].remove(die)


def _turned(town: Town, data: Data, entry: Entry) -> None:
    district = town.dice[data["seat"]]
    for was, now in zip(data["dice"], data["now"], strict=True):
        district.remove(was)
        district.append(now)
    town.dice[data["seat"]] = dice_.tidy(district)


def _black(town: Town, data: Data, entry: Entry) -> None:
    town.black = sorted(data["dice"], reverse=True)


def _black_gone(town: Town, data: Data, entry: Entry) -> None:
    for number in data["dice"]:
        town.black.remove(number)


# Citizens.


def _recruited(town: Town, data: Data, entry: Entry) -> None:
    house = town.houses[data["seat"]]
    house.reserve -= data["citizens"]
    house.supply += data["citizens"]


def _moves(town: Town, data: Data, entry: Entry) -> None:
    """A citizen leaves first, then those in his way are pushed, then he arrives (A42, A67)."""
    owner = data["owner"]
    _take(town, owner, Place.parse(data["from"]))
    for push in data.get("pushed", ()):
        _take(town, push["owner"], Place.parse(push["from"]))
        _stand(town, push["owner"], Place.parse(push["to"]))
    _stand(town, owner, Place.parse(data["to"]))


def _take(town: Town, owner: str, place: Place) -> None:
    if place.on == places.SUPPLY:
        if owner in NEUTRALS:
            town.neutrals -= 1
        else:
            town.houses[owner].supply -= 1
    elif place.on == places.POSSESSION:
        _threat_at(town, places.POSSESSION).held.remove(owner)
    elif place.spot == places.LYING:
        town.lying[place.on].remove(owner)
    elif place.building:
        if town.owner_at(place) != owner:
            raise PositionError(f"{owner} does not stand there", str(place))
        _set(town, place, "")
    else:
        card = _card(town, place.on)
        if owner in card.spaces:
            card.spaces[card.spaces.index(owner)] = ""
        else:
            card.picture.remove(owner)


def _stand(town: Town, owner: str, place: Place) -> None:
    if place.on == places.SUPPLY:
        if owner in NEUTRALS:
            town.neutrals += 1
        else:
            town.houses[owner].supply += 1
    elif place.on == places.POSSESSION:
        _threat_at(town, places.POSSESSION).held.append(owner)
    elif place.spot == places.LYING:
        town.lying[place.on].append(owner)
    elif place.building:
        if town.owner_at(place):
            raise PositionError(f"{town.owner_at(place)} stands there already", str(place))
        _set(town, place, owner)
    elif place.spot == places.PICTURE:
        _card(town, place.on).picture.append(owner)
    else:
        _card(town, place.on).spaces[int(place.spot) - 1] = owner


def _set(town: Town, place: Place, owner: str) -> None:
    if place.on == places.PALACE:
        town.palace[place.space] = owner
    else:
        town.rows[place.on][place.row][place.space] = owner


def _card(town: Town, id: str) -> Card:
    card = town.card(id)
    if card is None:
        raise PositionError("is not in play", id)
    return card


# Cards, cathedral, events.


def _activity(town: Town, data: Data, entry: Entry) -> None:
    id = data["card"]
    town.decks["activities"].remove(id)
    town.cards.append(Card(id, [""] * len(town.activity(id).spaces)))
    if id == "master_builder":
        # His card brings a fourth level, which only he builds and which counts at the end (A35).
        town.cathedral.append([""] * len(town.cathedral[0]))


def _cubes(town: Town, data: Data, entry: Entry) -> None:
    card, seat = _card(town, data["card"]), data["seat"]
    left = card.cubes.get(seat, 0) + data["by"]
    if left < 0:
        raise PositionError(f"{seat} has {left} cubes", data["card"])
    card.cubes[seat] = left
    if not left:
        del card.cubes[seat]


def _builds(town: Town, data: Data, entry: Entry) -> None:
    town.cathedral[data["level"] - 1][data["column"] - 1] = data["owner"]


def _falls(town: Town, data: Data, entry: Entry) -> None:
    town.cathedral[data["level"] - 1][data["column"] - 1] = ""


def _threat(town: Town, data: Data, entry: Entry) -> None:
    town.decks[data["deck"]].remove(data["event"])
    town.queue.append(Threat(data["event"]))


def _banner(town: Town, data: Data, entry: Entry) -> None:
    _threat_at(town, data["event"]).cubes.append(data["owner"])


def _banner_off(town: Town, data: Data, entry: Entry) -> None:
    cubes = _threat_at(town, data["event"]).cubes
    if cubes.pop() != data["owner"]:
        raise PositionError(f"the newest cube is not {data['owner']}'s", data["event"])


def _threat_at(town: Town, id: str) -> Threat:
    threat = town.threat(id)
    if threat is None:
        raise PositionError("is not in the queue", id)
    return threat


def _countered(town: Town, data: Data, entry: Entry) -> None:
    threat = _threat_at(town, data["event"])
    if data.get("stays"):
        threat.cubes.clear()
        return
    town.queue.remove(threat)
    if data["winner"] in town.houses:
        town.houses[data["winner"]].won.append(data["event"])
        if data.get("fought"):
            town.houses[data["winner"]].fought.append(data["event"])


def _reseated(town: Town, data: Data, entry: Entry) -> None:
    """A whole building anew: who stands where (`seats`, row by row), who lies, and whether a neutral citizen came."""
    building = data["building"]
    spaces = [place for place in places.SPACES if place.on == building]
    for place, owner in zip(spaces, data["seats"], strict=True):
        _set(town, place, owner)
    town.lying[building] = list(data["lying"])
    town.neutrals -= data["neutrals"]


# Outdoor tiles and the ramparts.


def _tile(town: Town, data: Data, entry: Entry) -> None:
    tile, seat = town.tile(data["tile"]), data["seat"]
    if tile is None:
        raise PositionError("is not in play", data["tile"])
    left = tile.cubes.get(seat, 0) + data["by"]
    if left < 0:
        raise PositionError(f"{seat} has {left} cubes", data["tile"])
    tile.cubes[seat] = left
    if not left:
        del tile.cubes[seat]


def _exchanged(town: Town, data: Data, entry: Entry) -> None:
    for owner, loses, gains in (
        (data["seat"], data["gives"], data["takes"]),
        (data["owner"], data["takes"], data["gives"]),
    ):
        town.dice[owner].remove(loses)
        town.dice[owner] = dice_.tidy([*town.dice[owner], gains])


def _guard(town: Town, data: Data, entry: Entry) -> None:
    town.houses[data["seat"]].guard = data["to"]


def _arrives(town: Town, data: Data, entry: Entry) -> None:
    town.arrived.append(data["seat"])


# Answers that are not open.


def _sealed(town: Town, data: Data, entry: Entry) -> None:
    """An answer that is shown with all others, when the last one is in."""
    for seat, private in entry.only.items():
        town.sealed[seat] = private["answer"]


def _unsealed(town: Town, data: Data, entry: Entry) -> None:
    town.sealed = {}


def _standing(town: Town, data: Data, entry: Entry) -> None:
    for seat, private in entry.only.items():
        kept = {tile: word for tile, word in town.reacts.pop(seat, {}).items() if tile not in private["tiles"]}
        if private["react"] not in ("", "ask"):
            kept |= dict.fromkeys(private["tiles"], private["react"])
        if kept:
            town.reacts[seat] = kept


# The course of a round.


def _round(town: Town, data: Data, entry: Entry) -> None:
    town.round = data["round"]
    town.draws, town.rolled = {}, {}
    for house in town.houses.values():
        house.passed = False


def _phase(town: Town, data: Data, entry: Entry) -> None:
    town.phase = data["phase"]


def _passes(town: Town, data: Data, entry: Entry) -> None:
    house = town.houses[data["seat"]]
    house.passed = True
    house.coins += data["coins"]


def _collects(town: Town, data: Data, entry: Entry) -> None:
    house = town.houses[data["seat"]]
    house.coins -= data["deniers"]
    house.deniers += data["deniers"]


def _starts(town: Town, data: Data, entry: Entry) -> None:
    town.start = data["seat"]


def _agenda(town: Town, data: Data, entry: Entry) -> None:
    town.agenda = copied(data["pending"])
    town.asked = copied(data["asked"])
    town.number = data["number"]


def _wishes(town: Town, data: Data, entry: Entry) -> None:
    for seat, private in entry.only.items():
        wanted = list(private["places"])
        if wanted:
            town.wishes[seat] = wanted
        else:
            town.wishes.pop(seat, None)


def _scored(town: Town, data: Data, entry: Entry) -> None:
    town.scores[data["seat"]] = dict(data["parts"])


def _judged(town: Town, data: Data, entry: Entry) -> None:
    """Solo: a character leaves the pile; what it gave stands in entries of its own."""
    town.pile.remove(data["character"])


def _edited(town: Town, data: Data, entry: Entry) -> None:
    """A moderator's repair: `path` is `seat.deniers` and the like, `before` and `after` its values (repairs.py)."""
    repairs.REPAIRS.fold(town, entry)


FOLDS: dict[str, Fold[Town]] = {
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
