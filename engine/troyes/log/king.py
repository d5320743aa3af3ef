"""What le Roy does, with the roll that made him do it, in one sentence each."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.catalog import Msg, T
from engine.chronicle import Entry
from engine.troyes.board.words import named
from engine.troyes.log import phrases
from engine.troyes.log.groups import Matter
from engine.troyes.log.phrases import Told, Voice
from engine.troyes.log.tally import Tally, tally
from engine.troyes.state import dice
from engine.troyes.state.places import Place
from engine.troyes.state.state import LE_ROY


def tell(voice: Voice, group: Matter) -> Told:
    """One answer of his: a part of the placement, a black die, or a turn."""
    sums = tally(group.entries)
    pushed = [push["owner"] for entry in group.of("moves") for push in entry.data.get("pushed", ())]
    sold = [entry.data["owner"] for entry in group.of("leaves")]
    mine = voice.reader is not None and voice.reader in (*pushed, *sold, *sums.touched())
    rolled = next(iter(group.of("acts")), None)
    if rolled is None:
        return Told(_counter(group), mine, LE_ROY)
    if rolled.data["action"] == "settle":
        return Told(_settle(group, rolled), mine, LE_ROY)
    return Told(_turn(voice, group, rolled, sums), mine, LE_ROY)


def _settle(group: Matter, rolled: Entry) -> Msg:
    spaces = tuple(phrases.where(Place.parse(entry.data["to"])) for entry in group.of("moves"))
    return T("Le Roy rolls {dice} and settles in {places}.", dice=phrases.dice(rolled.data["dice"]), places=spaces)


def _counter(group: Matter) -> Msg:
    black = phrases.dice(str(number) for entry in group.of("black_gone") for number in entry.data["dice"])
    return T("Le Roy spends {dice} on the black {black}.", dice=phrases.dice(_spent(group)), black=black)


def _turn(voice: Voice, group: Matter, rolled: Entry, sums: Tally) -> Msg:
    parts: list[Msg] = [ACTIONS[rolled.data["action"]](voice, group)]
    parts += [_bought(voice, entry, sums) for entry in group.of("leaves") if entry.data["owner"] != LE_ROY]
    spent = _spent(group)
    parts.append(T("he spends {dice}", dice=phrases.dice(spent)) if spent else T("he spends no die"))
    if by := sums.points.get(LE_ROY, 0):
        parts.append(T("le Roy {points}", points=phrases.points(by)))
    gained = [(seat, by) for seat, by in sums.points.items() if seat != LE_ROY]
    parts += [T("{who} {points}", who=voice.name(seat), points=phrases.points(by)) for seat, by in gained]
    one, two = rolled.data["shown"]
    return T("Le Roy rolls {one} and {two}: {parts}.", one=one, two=two, parts=phrases.chain(parts))


def _bought(voice: Voice, entry: Entry, sums: Tally) -> Msg:
    seat, words = entry.data["owner"], phrases.dice(entry.data["dice"])
    gain = phrases.deniers(sums.deniers.get(seat, 0))
    if seat == voice.reader:
        return T("he buys YOUR {dice} (you {gain})", dice=words, gain=gain)
    return T("he buys {dice} of {who} ({gain})", dice=words, who=voice.name(seat), gain=gain)


def _spent(group: Matter) -> list[str]:
    return dice.ranked(
        word for entry in group.of("leaves") if entry.data["owner"] == LE_ROY for word in entry.data["dice"]
    )


# What each action came to.


def _points(voice: Voice, group: Matter) -> Msg:
    return T("he takes points")


def _worker(voice: Voice, group: Matter) -> Msg:
    if not group.of("moves"):
        return T("he can place no citizen")
    move = group.of("moves")[0]
    told = T("a citizen to {place}", place=phrases.where(Place.parse(move.data["to"])))
    for push in move.data.get("pushed", ()):
        told = T("{first}; {then}", first=told, then=voice.moved(push["owner"], Place.parse(push["to"])))
    return told


def _event(voice: Voice, group: Matter) -> Msg:
    banners = group.of("banner")
    return T("he covers {event}, {cubes}", event=named(banners[0].data["event"]), cubes=phrases.cubes(len(banners)))


def _tradesman(voice: Voice, group: Matter) -> Msg:
    if not group.of("moves"):
        return T("he finds no place for a tradesman")
    to = Place.parse(group.of("moves")[0].data["to"])
    if not to.spot.isdecimal():
        return T("a tradesman on {card} (illustration)", card=named(to.on))
    worth = voice.state.activity(to.on).spaces[int(to.spot) - 1]
    return T("a tradesman on {card} ({n} VP space)", card=named(to.on), n=worth)


def _cathedral(voice: Voice, group: Matter) -> Msg:
    cubes = tuple(
        T("level {level} column {column}", level=entry.data["level"], column=entry.data["column"])
        for entry in group.of("builds")
    )
    return T("he builds on the cathedral, {cubes}", cubes=cubes) if cubes else T("the cathedral has no room left")


def _character(voice: Voice, group: Matter) -> Msg:
    judged = group.of("judged")
    if not judged:
        return T("no character is left")
    return T("{character} judges you both and leaves", character=named(judged[0].data["character"]))


ACTIONS: dict[str, Callable[[Voice, Matter], Msg]] = {
    "pair": _points,
    "deal": _points,
    "worker": _worker,
    "event": _event,
    "tradesman": _tradesman,
    "cathedral": _cathedral,
    "character": _character,
}
"""The words of his actions to what is said of them."""


def over(points: int, verdict: Msg) -> Iterator[Told]:
    """The difference, and what the court says of it."""
    yield Told(T("The difference is {points}. {verdict}", points=points, verdict=verdict), True)
