"""Deeds of The Ladies of Troyes as sentences: the guard, outdoor cubes, reactions, answers shown together."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.catalog import Msg, T
from engine.chronicle import Data
from engine.troyes.actions import reactions
from engine.troyes.board.words import named
from engine.troyes.box import LEVELS
from engine.troyes.log import phrases
from engine.troyes.log.deeds import Deed
from engine.troyes.log.groups import Matter
from engine.troyes.log.phrases import Told, Voice
from engine.troyes.log.tally import tally
from engine.troyes.log.wording import Act, dice
from engine.troyes.state import places
from engine.troyes.state.places import Place

# Beside an action: cubes of tiles, exchanged dice, citizens freed.


def beside(voice: Voice, done: Deed) -> tuple[Msg, ...]:
    """What an order did with outdoor tiles and Possession, beside its own deed."""
    parts: list[Msg] = []
    for entry in done.group.entries:
        data = entry.data
        match entry.kind:
            case "tile" if data["by"] < 0 and done.group.head.data["deed"] not in (
                "react",
                "use",
                "counter",
                "discard",
            ):
                parts.append(T("a cube of {tile}", tile=named(data["tile"])))
            case "exchanged":
                parts.append(
                    T(
                        "{own} for {other} of {who}",
                        own=data["gives"],
                        other=data["takes"],
                        who=voice.name(data["owner"]),
                    )
                )
            case "moves" if data["from"] == places.POSSESSION:
                parts.append(freed(voice, data))
            case "cubes" if data["by"] > 0 and data["card"] != _activated(done):
                parts.append(T("a cube on {card}", card=named(data["card"])))
    return tuple(parts)


def _activated(done: Deed) -> str:
    return done.card if done.group.head.data["deed"] == "activate" else ""


def freed(voice: Voice, data: Data) -> Msg:
    """A citizen who leaves Possession."""
    return T("{citizen} is freed", citizen=voice.citizen(data["owner"]))


def touched(group: Matter) -> set[str]:
    """Seats that an order touches in these ways."""
    found: set[str] = set()
    for entry in group.entries:
        if entry.kind == "exchanged" or (entry.kind == "moves" and entry.data["from"] == places.POSSESSION):
            found.add(entry.data["owner"])
    return found


# Orders.


def _guard(voice: Voice, done: Deed) -> Act:
    words = dice(voice, done)
    extra: list[Msg] = [T("to space {to}", to=entry.data["to"]) for entry in done.group.of("guard")]
    if done.group.of("arrives"):
        extra.append(T("arrived at the last gate"))
    extra += [T("a cube on {tile}", tile=named(e.data["tile"])) for e in done.group.of("tile") if e.data["by"] > 0]
    return T("send the guard with {dice}", dice=words), T("sends the guard with {dice}", dice=words), tuple(extra)


def _use(voice: Voice, done: Deed) -> Act:
    tile = named(done.group.of("tile")[0].data["tile"])
    rolled = phrases.dice(word for entry in done.group.of("rolled") for word in entry.data["dice"])
    you, other = T("use a cube of {tile}", tile=tile), T("uses a cube of {tile}", tile=tile)
    return you, other, (T("rolls {dice}", dice=rolled),)


def _react(voice: Voice, done: Deed) -> Act:
    used = done.group.of("tile")
    extra = tuple(
        T("{cube} falls from the cathedral", cube=voice.cube(entry.data["owner"])) for entry in done.group.of("falls")
    )
    if not used:
        return T("keep the outdoor cube"), T("keeps the outdoor cube"), extra
    tile = named(used[0].data["tile"])
    if used[0].data["tile"] == "protection":
        extra = (T("spared"),)
    return T("react with a cube of {tile}", tile=tile), T("reacts with a cube of {tile}", tile=tile), extra


def _give(voice: Voice, done: Deed) -> Act:
    source = Place.parse(done.group.of("moves")[0].data["from"])
    place = phrases.where(source)
    extra = (T("hired for it"),) if done.group.of("recruited") else ()
    return (
        T("give a citizen to Possession, from {place}", place=place),
        T("gives a citizen to Possession, from {place}", place=place),
        extra,
    )


def _discard(voice: Voice, done: Deed) -> Act:
    lost = next(entry.data for entry in done.group.entries if entry.kind in ("tile", "cubes"))
    card = named(lost.get("tile") or lost["card"])
    return T("lose a cube on {card}", card=card), T("loses a cube on {card}", card=card), ()


def _release(voice: Voice, done: Deed) -> Act:
    return T("choose who leaves Possession"), T("chooses who leaves Possession"), ()


ACTS: dict[str, Callable[[Voice, Deed], Act]] = {
    "guard": _guard,
    "use": _use,
    "react": _react,
    "give": _give,
    "discard": _discard,
    "release": _release,
}
"""The word of an order's class to how it is told."""


# What happens without an order.


def opening(voice: Voice, data: Data) -> Iterator[Told]:
    """What lies open from the start: a character, the outdoor tiles."""
    for id in data.get("open_characters", ()):
        yield Told(T("{name} lies open: this character judges everybody at the end.", name=named(id)))
    if "tiles" in data:
        tiles = tuple(
            T("{level} {tile}", level=LEVELS[voice.state.outdoor(id).level], tile=named(id)) for id in data["tiles"]
        )
        yield Told(T("Outdoor tiles: {tiles}.", tiles=tiles))


def sealed(voice: Voice, group: Matter) -> Iterator[Told]:
    """An answer that is kept: nobody but its seat hears of it."""
    if voice.reader in group.head.only:
        yield Told(T("Your answer is kept; all are shown when the last one is in."), True, voice.reader or "")


def unsealed(voice: Voice, group: Matter) -> Iterator[Told]:
    """All answers are in. Who could not give anything loses points."""
    sums = tally(group.entries)
    lost = sums.others(voice, ())
    if lost:
        says = T("Nothing to give to {event}: {lost}.", event=named(group.head.data["event"]), lost=phrases.chain(lost))
        yield Told(says, voice.reader in sums.points)


def standing(voice: Voice, group: Matter) -> Iterator[Told]:
    """What a seat has said once for all about reacting, told to that seat alone."""
    private = group.head.only.get(voice.reader or "")
    if private is None:
        return
    if not private["react"]:
        says = T("What you said about reacting no longer holds: you are asked each time.")
        yield Told(says, True, voice.reader or "")
        return
    for tile in private["tiles"]:
        yield Told(reactions.reacting(tile, private["react"]), True, voice.reader or "")


def reseated(voice: Voice, data: Data) -> tuple[Msg, set[str]]:
    """A building after an uprising, and whom it touches."""
    spaces = [place for place in places.SPACES if place.on == data["building"]]
    there = [
        T("{space} {who}", space=place.spot, who=voice.name(owner))
        for place, owner in zip(spaces, data["seats"], strict=True)
        if owner
    ]
    there += [T("lying {who}", who=voice.name(owner)) for owner in data["lying"]]
    says = T("{building} is seated anew, {there}", building=named(data["building"]), there=tuple(there) or T("nobody"))
    return says, {*data["seats"], *data["lying"]}
