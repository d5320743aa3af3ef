"""What le Roy does, with the roll that made him do it, in one sentence each."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from engine.catalog import Msg, T
from engine.troyes.board.words import named
from engine.troyes.entries.cards import BannerCovered, CharacterJudges, CubeBuilt
from engine.troyes.entries.citizens import CitizenMoves
from engine.troyes.entries.dice import BlackGone, DiceLeave, KingActs
from engine.troyes.log import voice as say
from engine.troyes.log.groups import Matter
from engine.troyes.log.voice import Told, Voice
from engine.troyes.state import dice
from engine.troyes.state.state import LE_ROY


def tell(voice: Voice, group: Matter) -> Told:
    """One answer of his: a part of the placement, a black die, or a turn."""
    pushed = [push.owner for move in group.of(CitizenMoves) for push in move.pushed]
    sold = [fact.owner for fact in group.of(DiceLeave)]
    mine = voice.reader is not None and voice.reader in (*pushed, *sold, *group.sums.touched())
    rolled = next(iter(group.of(KingActs)), None)
    if rolled is None:
        black = say.dice(chain.from_iterable(fact.dice for fact in group.of(BlackGone)))
        says = T("Le Roy spends {dice} on the black {black}.", dice=say.dice(_spent(group)), black=black)
    elif rolled.action == "settle":
        spaces = tuple(say.where(move.to) for move in group.of(CitizenMoves))
        says = T("Le Roy rolls {dice} and settles in {places}.", dice=say.dice(rolled.dice), places=spaces)
    else:
        says = _turn(voice, group, rolled)
    return Told(says, mine, LE_ROY)


def _turn(voice: Voice, group: Matter, rolled: KingActs) -> Msg:
    sums, spent = group.sums, _spent(group)
    parts: list[Msg] = [ACTIONS[rolled.action](voice, group)]
    parts += [_bought(voice, fact, sums.deniers[fact.owner]) for fact in group.of(DiceLeave) if fact.owner != LE_ROY]
    parts.append(T("he spends {dice}", dice=say.dice(spent)) if spent else T("he spends no die"))
    if by := sums.points[LE_ROY]:
        parts.append(T("le Roy {points}", points=say.points(by)))
    gained = [(seat, by) for seat, by in sums.points.items() if seat != LE_ROY]
    parts += [T("{who} {points}", who=voice.name(seat), points=say.points(by)) for seat, by in gained]
    one, two = rolled.rolled.numbers
    return T("Le Roy rolls {one} and {two}: {parts}.", one=one, two=two, parts=say.chain(parts))


def _bought(voice: Voice, fact: DiceLeave, price: int) -> Msg:
    words, gain = say.dice(fact.dice), say.deniers(price)
    if fact.owner == voice.reader:
        n = len(fact.dice)
        return T("he buys YOUR {dice} (you {gain})", "he buys YOUR {dice} (you {gain})", n=n, dice=words, gain=gain)
    return T("he buys {dice} of {who} ({who} {gain})", dice=words, who=voice.name(fact.owner), gain=gain)


def _spent(group: Matter) -> list[str]:
    return dice.ranked(word for fact in group.of(DiceLeave) if fact.owner == LE_ROY for word in fact.dice)


# What each action came to.


def _points(voice: Voice, group: Matter) -> Msg:
    return T("he takes points")


def _worker(voice: Voice, group: Matter) -> Msg:
    moves = group.of(CitizenMoves)
    if not moves:
        return T("he can place no citizen")
    return say.chain([T("a citizen to {place}", place=say.where(moves[0].to)), *voice.pushed(moves)])


def _event(voice: Voice, group: Matter) -> Msg:
    banners = group.of(BannerCovered)
    return T("he covers {event}, {cubes}", event=named(banners[0].event), cubes=say.cubes(len(banners)))


def _tradesman(voice: Voice, group: Matter) -> Msg:
    if not group.of(CitizenMoves):
        return T("he finds no place for a tradesman")
    to = group.of(CitizenMoves)[0].to
    if not to.spot.isdecimal():
        return T("a tradesman on {card} (illustration)", card=named(to.on))
    worth = voice.state.activity(to.on).spaces[int(to.spot) - 1]
    return T("a tradesman on {card} ({n} VP space)", card=named(to.on), n=worth)


def _cathedral(voice: Voice, group: Matter) -> Msg:
    cubes = tuple(say.level(fact.level, fact.column) for fact in group.of(CubeBuilt))
    return T("he builds on the cathedral, {cubes}", cubes=cubes) if cubes else T("the cathedral has no room left")


def _character(voice: Voice, group: Matter) -> Msg:
    for fact in group.of(CharacterJudges):
        return T("{character} judges you both and leaves", character=named(fact.character))
    return T("no character is left")


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
