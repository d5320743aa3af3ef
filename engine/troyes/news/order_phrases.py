"""How each kind of order is phrased, and its effects other than deniers, influence and points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from engine.catalog import Arg, Msg, T
from engine.troyes.card_data.item_names import item_name
from engine.troyes.events import card_events, dice_events
from engine.troyes.events.citizen_events import CitizenMoves, CitizensRecruited
from engine.troyes.events.money_events import SeatPasses
from engine.troyes.events.order_events import WishesKept
from engine.troyes.news import sentence_parts as say
from engine.troyes.news.event_groups import EventGroup
from engine.troyes.news.sentence_parts import Voice, Words
from engine.troyes.state import orders, places
from engine.troyes.state.orders import Pick, Using
from engine.troyes.state.places import Place
from engine.values import fixed


@fixed
class OrderPhrase:
    """What was done, for its seat (`you`) and others, what came of it, and of that what no order says (`brief`)."""

    you: Msg
    other: Msg
    extra: tuple[Msg, ...] = ()
    brief: tuple[Msg, ...] = ()


def _act(you: Msg, other: Msg, extra: Sequence[Msg] = (), brief: Sequence[Msg] = (), /, **args: Arg) -> OrderPhrase:
    """Fill the same words into both phrases."""
    filled = tuple(args.items())
    return OrderPhrase(replace(you, args=filled), replace(other, args=filled), tuple(extra), tuple(brief))


# Dice.


def dice_taken(group: EventGroup) -> list[Pick]:
    """Dice that were taken off the square, in the order they were named, district by district."""
    return [Pick(fact.owner, die) for fact in group.of(dice_events.DiceLeave) for die in fact.dice]


def dice_sold(reader: str | None, group: EventGroup) -> list[Pick]:
    """The dice that the reader sold for another seat's order."""
    if reader is None or reader == group.head.seat:
        return []
    return [pick for pick in dice_taken(group) if pick.owner == reader]


def _dice(voice: Voice, group: EventGroup) -> Words:
    """The dice with their price and the cube that changed them. Dice bought from the reader were named before."""
    if voice.brief:
        return ""
    sold, bought = dice_sold(voice.reader, group), group.sums.bought
    rest = [pick for pick in dice_taken(group) if pick not in sold]
    words: Words = say.dice_list(pick.word(group.head.seat) for pick in rest)
    paid = sum(paid for payee, paid in bought.items() if not sold or payee != voice.reader)
    if paid:
        words = T("{dice} ({price})", dice=words, price=say.deniers_text(-paid))
    if sold and rest:
        words = T("it and {dice}", dice=words) if len(sold) == 1 else T("them and {dice}", dice=words)
    elif sold:
        words = T("it") if len(sold) == 1 else T("them")
    using = getattr(group.head.order, "using", None)
    if isinstance(using, Using) and using.card:
        return T("{dice} using {card}", dice=words, card=item_name(using.card))
    return words


# What came of it.


def _banners(group: EventGroup, *, name_event: bool) -> tuple[Msg, ...]:
    count = Counter(fact.event for fact in group.of(card_events.BannerCovered))
    if not name_event:
        return tuple(say.cubes_text(n) for n in count.values())
    return tuple(T("{cubes} on {event}", cubes=say.cubes_text(n), event=item_name(event)) for event, n in count.items())


def _levels(group: EventGroup) -> tuple[Msg, ...]:
    return tuple(say.level_text(fact.level, fact.column) for fact in group.of(card_events.CubeBuilt))


def _shots(group: EventGroup) -> tuple[Msg, ...]:
    shots = group.of(dice_events.ArrowShot)
    if not shots:
        return ()
    rolled = T("rolls {dice}", dice=say.dice_list(shot.rolled.numbers[0] for shot in shots))
    hits = sum(shot.hit for shot in shots)
    told = group.of(card_events.BannerCovered)[1 if isinstance(group.head.order, orders.Target) else 0 :]
    if hits > len(told):
        return rolled, T("a hit that still needs its event")
    return (rolled,) if hits else (rolled, T("no hit"))


def side_effects(voice: Voice, group: EventGroup) -> tuple[Msg, ...]:
    """What an order did with outdoor tiles and Possession besides its own effect."""
    order, parts = group.head.order, []
    activated = order.card if isinstance(order, orders.Activate) else ""
    itself = isinstance(order, orders.React | orders.Use | orders.Counter | orders.Discard)
    for fact in group.facts:
        match fact:
            case card_events.TileCubes() if fact.by < 0 and not itself:
                parts.append(T("a cube of {tile}", tile=item_name(fact.tile)))
            case dice_events.DiceExchanged():
                own, other, who = say.dice_list((fact.gives,)), say.dice_list((fact.takes,)), voice.name(fact.owner)
                parts.append(T("{own} for {other} of {who}", own=own, other=other, who=who))
            case CitizenMoves() if fact.source.on == places.POSSESSION:
                parts.append(voice.freed(fact.owner))
            case card_events.CubesChange() if fact.by > 0 and fact.card != activated:
                parts.append(T("a cube on {card}", card=item_name(fact.card)))
    return tuple(parts)


# Placements and influence.


def _settle(voice: Voice, group: EventGroup, order: orders.Settle) -> OrderPhrase:
    own = voice.reader == group.head.seat and voice.reader not in group.head.why
    words = [word for fact in group.of(WishesKept) if own for word in fact.places.get(voice.reader or "", ())]
    wanted = tuple(say.place_text(Place.parse(word)) for word in words)
    extra = [T("your list for later is {places}", places=wanted)] if wanted else []
    place = say.place_text(Place.parse(order.places[0]))
    return _act(T("settle in {place}"), T("settles in {place}"), extra, place=place)


def _reroll(voice: Voice, group: EventGroup, order: orders.Reroll) -> OrderPhrase:
    now = say.dice_list(word for fact in group.of(dice_events.DiceRerolled) for word in fact.now)
    return _act(T("re-roll {was} → {now}"), T("re-rolls {was} → {now}"), was=say.dice_list((order.die,)), now=now)


def _flip(voice: Voice, group: EventGroup, order: orders.Flip) -> OrderPhrase:
    now = say.dice_list(word for fact in group.of(dice_events.DiceFlipped) for word in fact.now)
    return _act(T("flip {was} → {now}"), T("flips {was} → {now}"), was=say.dice_list(order.dice), now=now)


def _recruit(voice: Voice, group: EventGroup, order: orders.Recruit) -> OrderPhrase:
    you, other = T("recruit {n} citizen", "recruit {n} citizens"), T("recruits {n} citizen", "recruits {n} citizens")
    return _act(you, other, n=order.citizens)


# Actions.


def _activate(voice: Voice, group: EventGroup, order: orders.Activate) -> OrderPhrase:
    on_it = sum(fact.by for fact in group.of(card_events.CubesChange) if fact.card == order.card)
    extra: tuple[Msg, ...] = (_kept(on_it),) if on_it else ()
    extra += _shots(group) + _levels(group) + _banners(group, name_event=True)
    # Whether an arrow hits is rolled afterwards.
    shoots = "hits" in voice.state.activity(order.card).numbers
    if not extra and not shoots and not group.sums.touched() and not group.counters:
        extra = (T("no effect"),)
    # Cubes on the card itself are told already.
    brief: tuple[Msg, ...] = () if on_it > 0 else (say.times_text(order.times),)
    often, dice = say.times_text(order.times), _dice(voice, group)
    move = next((fact for fact in group.of(CitizenMoves) if fact.to.on == order.card), None)
    if move is None:
        you, other = T("activate {card} {often} with {dice}"), T("activates {card} {often} with {dice}")
        return _act(you, other, extra, brief, card=item_name(order.card), often=often, dice=dice)
    if move.to.spot == places.PICTURE:
        space = T("illustration")
    else:
        worth = voice.state.activity(order.card).spaces[int(move.to.spot) - 1]
        space = T("{n} VP space", n=worth)
        brief += (T("tradesman worth {worth} VP", worth=worth),)
    return _act(
        T("hire {tradesman} and activate the card {often} with {dice}"),
        T("hires {tradesman} and activates the card {often} with {dice}"),
        extra, brief, tradesman=_hired(group, order, move, space), often=often, dice=dice,
    )  # fmt: skip


def _hired(group: EventGroup, order: orders.Activate, move: CitizenMoves, space: Msg) -> Msg:
    """«a tradesman on Merchant (2 VP space, -4 deniers)», with where he comes from unless it is the supply."""
    card, hire = item_name(order.card), group.sums.hire
    details: tuple[Msg, ...] = (space, say.deniers_text(-hire)) if hire else (space,)
    if move.source.on == places.SUPPLY:
        return T("a tradesman on {card} ({details})", card=card, details=details)
    source = say.place_text(move.source)
    return T("a tradesman on {card} from {place} ({details})", card=card, place=source, details=details)


def _kept(n: int) -> Msg:
    """Cubes put on the activated card, or used from it."""
    return say.cubes_text(n) if n > 0 else T("{n} cube used", "{n} cubes used", n=-n)


def _build(voice: Voice, group: EventGroup, order: orders.Build) -> OrderPhrase:
    you, other = T("build on the cathedral with {dice}"), T("builds on the cathedral with {dice}")
    return _act(you, other, _levels(group), dice=_dice(voice, group))


def _fight(voice: Voice, group: EventGroup, order: orders.Fight) -> OrderPhrase:
    you, other = T("fight {event} with {dice}"), T("fights {event} with {dice}")
    return _act(you, other, _banners(group, name_event=False), event=item_name(order.event), dice=_dice(voice, group))


def _station(voice: Voice, group: EventGroup, order: orders.Station) -> OrderPhrase:
    moves, dice = group.of(CitizenMoves), _dice(voice, group)
    to, pushed = say.place_text(moves[0].to), voice.pushed(moves)
    brief = [T("to {place}", place=to)]
    if order.source == places.SUPPLY:
        you, other = T("place a citizen on {place} with {dice}"), T("places a citizen on {place} with {dice}")
        return _act(you, other, pushed, brief, place=to, dice=dice)
    return _act(
        T("move a citizen from {source} to {place} with {dice}"),
        T("moves a citizen from {source} to {place} with {dice}"),
        pushed, brief, source=say.place_text(moves[0].source), place=to, dice=dice,
    )  # fmt: skip


def _farm(voice: Voice, group: EventGroup, order: orders.Farm) -> OrderPhrase:
    extra = [] if group.sums.deniers[group.head.seat] else [T("no deniers")]
    return _act(T("farm with {dice}"), T("farms with {dice}"), extra, dice=_dice(voice, group))


def _pass(voice: Voice, group: EventGroup, order: orders.Pass) -> OrderPhrase:
    n = sum(fact.coins for fact in group.of(SeatPasses))
    return _act(T("pass"), T("passes"), [T("{n} denier on the district", "{n} deniers on the district", n=n)])


def _guard(voice: Voice, group: EventGroup, order: orders.Guard) -> OrderPhrase:
    extra = [T("to space {to}", to=fact.to) for fact in group.of(card_events.GuardMoves)]
    extra += [T("arrived at the last gate")] * len(group.of(card_events.GuardArrives))
    extra += [
        T("a cube on {tile}", tile=item_name(fact.tile)) for fact in group.of(card_events.TileCubes) if fact.by > 0
    ]
    return _act(T("send the guard with {dice}"), T("sends the guard with {dice}"), extra, dice=_dice(voice, group))


def _use(voice: Voice, group: EventGroup, order: orders.Use) -> OrderPhrase:
    rolled = [T("rolls {dice}", dice=say.dice_list(fact.dice)) for fact in group.of(dice_events.DiceRolled)]
    return _act(T("use a cube of {tile}"), T("uses a cube of {tile}"), rolled, tile=item_name(order.tile))


# Answers.


def _counter(voice: Voice, group: EventGroup, order: orders.Counter) -> OrderPhrase:
    gone = group.of(dice_events.BlackGone)[0]
    black, using = say.dice_list(gone.dice), order.using
    if not gone.beaten:
        extra = [] if group.sums.points[group.head.seat] else [T("no VP to lose")]
        you, other = T.of("you", "cannot beat the black {black}"), T("cannot beat the black {black}")
        return _act(you, other, extra, black=black)
    if using:
        you = T("beat the black {black} with a cube of {tile}", "beat the black {black} with a cube of {tile}")
        other = T("beats the black {black} with a cube of {tile}", "beats the black {black} with a cube of {tile}")
        return _act(you, other, n=len(gone.dice), black=black, tile=item_name(using))
    you = T("beat the black {black} with {dice}", "beat the black {black} with {dice}")
    other = T("beats the black {black} with {dice}", "beats the black {black} with {dice}")
    return _act(you, other, n=len(gone.dice), black=black, dice=_dice(voice, group))


def _support(voice: Voice, group: EventGroup, order: orders.Support) -> OrderPhrase:
    you = T("choose for Support: {cube} on each of {events}")
    other = T("chooses for Support: {cube} on each of {events}")
    events = tuple(map(item_name, order.events))
    brief = [] if group.counters else [T("a neutral cube on {events}", events=events)]
    return _act(you, other, (), brief, cube=voice.cube(voice.state.neutral), events=events)


def _target(voice: Voice, group: EventGroup, order: orders.Target) -> OrderPhrase:
    more = _banners(group, name_event=True) if len(group.of(card_events.BannerCovered)) > 1 else (say.cubes_text(1),)
    return _act(T("hit {event}"), T("hits {event}"), (*more, *_shots(group)), event=item_name(order.event))


def _react(voice: Voice, group: EventGroup, order: orders.React) -> OrderPhrase:
    extra = [
        T("{cube} falls from the cathedral", cube=voice.cube(fact.owner)) for fact in group.of(card_events.CubeFalls)
    ]
    if not order.tile:
        return _act(T("keep the outdoor cube"), T("keeps the outdoor cube"), extra)
    extra = [T("spared")] if order.tile == "protection" else extra
    return _act(T("react with a cube of {tile}"), T("reacts with a cube of {tile}"), extra, tile=item_name(order.tile))


def _give(voice: Voice, group: EventGroup, order: orders.Give) -> OrderPhrase:
    extra = [T("hired for it")] * len(group.of(CitizensRecruited))
    place = say.place_text(group.of(CitizenMoves)[0].source)
    you, other = T("give a citizen to Possession, from {place}"), T("gives a citizen to Possession, from {place}")
    return _act(you, other, extra, place=place)


def _discard(voice: Voice, group: EventGroup, order: orders.Discard) -> OrderPhrase:
    return _act(T("lose a cube on {card}"), T("loses a cube on {card}"), card=item_name(order.on))


def _release(voice: Voice, group: EventGroup, order: orders.Release) -> OrderPhrase:
    return OrderPhrase(T("choose who leaves Possession"), T("chooses who leaves Possession"))


ORDER_PHRASES: dict[type, Callable[[Voice, EventGroup, Any], OrderPhrase]] = {
    orders.Settle: _settle,
    orders.Reroll: _reroll,
    orders.Flip: _flip,
    orders.Recruit: _recruit,
    orders.Activate: _activate,
    orders.Build: _build,
    orders.Fight: _fight,
    orders.Station: _station,
    orders.Farm: _farm,
    orders.Pass: _pass,
    orders.Guard: _guard,
    orders.Use: _use,
    orders.Counter: _counter,
    orders.Support: _support,
    orders.Target: _target,
    orders.React: _react,
    orders.Give: _give,
    orders.Discard: _discard,
    orders.Release: _release,
}
"""Kind of order to its phrase."""
