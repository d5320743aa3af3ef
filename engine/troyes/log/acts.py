"""What each kind of order is called in a sentence, and the changes that are no deniers, influence or points."""

from __future__ import annotations

from collections.abc import Callable

from engine.catalog import Msg, T
from engine.chronicle import Entry
from engine.troyes.board.words import named
from engine.troyes.log import ladies, phrases
from engine.troyes.log.deeds import Deed, activations
from engine.troyes.log.phrases import Voice
from engine.troyes.log.wording import Act, dice
from engine.troyes.state import places
from engine.troyes.state.places import Place
from engine.troyes.state.state import TroyesState


def _banners(done: Deed, *, name_event: bool) -> tuple[Msg, ...]:
    count: dict[str, int] = {}
    for entry in done.group.of("banner"):
        count[entry.data["event"]] = count.get(entry.data["event"], 0) + 1
    if not name_event:
        return tuple(phrases.cubes(n) for n in count.values())
    return tuple(T("{cubes} on {event}", cubes=phrases.cubes(n), event=named(event)) for event, n in count.items())


def _pushed(voice: Voice, entry: Entry) -> tuple[Msg, ...]:
    return tuple(voice.moved(push["owner"], Place.parse(push["to"])) for push in entry.data.get("pushed", ()))


def _settle(voice: Voice, done: Deed) -> Act:
    place = phrases.where(Place.parse(done.group.of("moves")[0].data["to"]))
    wanted = tuple(
        phrases.where(Place.parse(word))
        for entry in done.group.of("wishes")
        for word in entry.only.get(voice.reader or "", {}).get("places", ())
        if voice.reader == done.seat and not done.group.head.seen_by(voice.reader).get("given")
    )
    extra = (T("your list for later is {places}", places=wanted),) if wanted else ()
    return T("settle in {place}", place=place), T("settles in {place}", place=place), extra


def _activate(voice: Voice, done: Deed) -> Act:
    card, words, often = named(done.card), dice(voice, done), phrases.times(activations(voice.state, done))
    cubes = sum(entry.data["by"] for entry in done.group.of("cubes") if entry.data["card"] == done.card)
    extra: tuple[Msg, ...] = (_kept(cubes),) if cubes else ()
    extra += _shots(done) + _levels(done) + _banners(done, name_event=True)
    if not extra and not done.sums.touched() and not done.group.counters:
        extra = (T("no effect"),)
    hired = _hired(voice.state, done)
    if hired is None:
        return (
            T("activate {card} {often} with {dice}", card=card, often=often, dice=words),
            T("activates {card} {often} with {dice}", card=card, often=often, dice=words),
            extra,
        )
    return (
        T("hire {tradesman} and activate the card {often} with {dice}", tradesman=hired, often=often, dice=words),
        T("hires {tradesman} and activates the card {often} with {dice}", tradesman=hired, often=often, dice=words),
        extra,
    )


def _hired(state: TroyesState, done: Deed) -> Msg | None:
    """«a tradesman on Merchant (2 VP space, -4 deniers)», and where he comes from, if it is not the supply."""
    move = next((entry for entry in done.group.of("moves") if Place.parse(entry.data["to"]).on == done.card), None)
    if move is None:
        return None
    to, source = Place.parse(move.data["to"]), Place.parse(move.data["from"])
    spaces = state.activity(done.card).spaces
    space = T("illustration") if to.spot == places.PICTURE else T("{n} VP space", n=spaces[int(to.spot) - 1])
    details: tuple[Msg, ...] = (space, *((phrases.deniers(-done.sums.hire),) if done.sums.hire else ()))
    if source.on == places.SUPPLY:
        return T("a tradesman on {card} ({details})", card=named(done.card), details=details)
    return T(
        "a tradesman on {card} from {place} ({details})",
        card=named(done.card),
        place=phrases.where(source),
        details=details,
    )


def _shots(done: Deed) -> tuple[Msg, ...]:
    shots = done.group.of("shot")
    if not shots:
        return ()
    rolled = T("rolls {dice}", dice=phrases.dice(str(entry.data["shown"][0]) for entry in shots))
    hits = sum(bool(entry.data["hit"]) for entry in shots)
    told = done.group.of("banner")[1:] if done.group.head.data["deed"] == "target" else done.group.of("banner")
    if hits > len(told):
        return rolled, T("a hit that still needs its event")
    return (rolled,) if hits else (rolled, T("no hit"))


def _kept(cubes: int) -> Msg:
    """Cubes put on the card that is activated, or used from it."""
    return phrases.cubes(cubes) if cubes > 0 else T("{n} cube used", "{n} cubes used", n=-cubes)


def _levels(done: Deed) -> tuple[Msg, ...]:
    return tuple(
        T("level {level} column {column}", level=entry.data["level"], column=entry.data["column"])
        for entry in done.group.of("builds")
    )


def _build(voice: Voice, done: Deed) -> Act:
    words = dice(voice, done)
    cubes = _levels(done)
    you = T("build on the cathedral with {dice}", dice=words)
    return you, T("builds on the cathedral with {dice}", dice=words), cubes


def _fight(voice: Voice, done: Deed) -> Act:
    event, words = named(done.group.of("banner")[0].data["event"]), dice(voice, done)
    return (
        T("fight {event} with {dice}", event=event, dice=words),
        T("fights {event} with {dice}", event=event, dice=words),
        _banners(done, name_event=False),
    )


def _station(voice: Voice, done: Deed) -> Act:
    move, words = done.group.of("moves")[0], dice(voice, done)
    source, to = Place.parse(move.data["from"]), phrases.where(Place.parse(move.data["to"]))
    if source.on == places.SUPPLY:
        return (
            T("place a citizen on {place} with {dice}", place=to, dice=words),
            T("places a citizen on {place} with {dice}", place=to, dice=words),
            _pushed(voice, move),
        )
    came = phrases.where(source)
    return (
        T("move a citizen from {source} to {place} with {dice}", source=came, place=to, dice=words),
        T("moves a citizen from {source} to {place} with {dice}", source=came, place=to, dice=words),
        _pushed(voice, move),
    )


def _farm(voice: Voice, done: Deed) -> Act:
    words = dice(voice, done)
    extra = () if done.sums.deniers.get(done.seat) else (T("no deniers"),)
    return T("farm with {dice}", dice=words), T("farms with {dice}", dice=words), extra


def _pass(voice: Voice, done: Deed) -> Act:
    coins = done.group.of("passes")[0].data["coins"]
    put = T("{n} denier on the district", "{n} deniers on the district", n=coins)
    return T("pass"), T("passes"), (put,)


def _reroll(voice: Voice, done: Deed) -> Act:
    turned = done.group.of("rerolled")[0].data
    was, now = phrases.dice(turned["dice"]), phrases.dice(turned["now"])
    return T("re-roll {was} → {now}", was=was, now=now), T("re-rolls {was} → {now}", was=was, now=now), ()


def _flip(voice: Voice, done: Deed) -> Act:
    turned = done.group.of("flipped")[0].data
    was, now = phrases.dice(turned["dice"]), phrases.dice(turned["now"])
    return T("flip {was} → {now}", was=was, now=now), T("flips {was} → {now}", was=was, now=now), ()


def _recruit(voice: Voice, done: Deed) -> Act:
    n = done.group.of("recruited")[0].data["citizens"]
    return (
        T("recruit {n} citizen", "recruit {n} citizens", n=n),
        T("recruits {n} citizen", "recruits {n} citizens", n=n),
        (),
    )


def _counter(voice: Voice, done: Deed) -> Act:
    gone = done.group.of("black_gone")[0].data
    black, words = phrases.dice(map(str, gone["dice"])), dice(voice, done)
    if gone["beaten"] and not done.taken:
        tile = named(done.group.of("tile")[0].data["tile"])
        return (
            T("beat the black {black} with a cube of {tile}", black=black, tile=tile),
            T("beats the black {black} with a cube of {tile}", black=black, tile=tile),
            (),
        )
    if gone["beaten"]:
        return (
            T("beat the black {black} with {dice}", black=black, dice=words),
            T("beats the black {black} with {dice}", black=black, dice=words),
            (),
        )
    extra = () if done.sums.points.get(done.seat) else (T("no VP to lose"),)
    return T("cannot beat the black {black}", black=black), T("cannot beat the black {black}", black=black), extra


def _support(voice: Voice, done: Deed) -> Act:
    events = tuple(named(entry.data["event"]) for entry in done.group.of("banner"))
    cube = voice.cube(voice.state.neutral)
    return (
        T("choose for Support: {cube} on each of {events}", cube=cube, events=events),
        T("chooses for Support: {cube} on each of {events}", cube=cube, events=events),
        (),
    )


def _target(voice: Voice, done: Deed) -> Act:
    first = done.group.of("banner")[0].data["event"]
    more = _banners(done, name_event=True) if len(done.group.of("banner")) > 1 else (phrases.cubes(1),)
    return T("hit {event}", event=named(first)), T("hits {event}", event=named(first)), (*more, *_shots(done))


ACTS: dict[str, Callable[[Voice, Deed], Act]] = {
    "settle": _settle,
    "activate": _activate,
    "build": _build,
    "fight": _fight,
    "station": _station,
    "farm": _farm,
    "pass": _pass,
    "reroll": _reroll,
    "flip": _flip,
    "recruit": _recruit,
    "counter": _counter,
    "support": _support,
    "target": _target,
    **ladies.ACTS,
}
"""The word of an order's class to how it is told."""
