"""What le Roy does, with the roll that made him do it, in one sentence each."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from engine.catalog import Msg, T
from engine.troyes.card_data.item_names import item_name
from engine.troyes.events.card_events import BannerCovered, CharacterJudges, CubeBuilt
from engine.troyes.events.citizen_events import CitizenMoves
from engine.troyes.events.dice_events import BlackGone, DiceLeave, LeRoyActs
from engine.troyes.news import sentence_parts as say
from engine.troyes.news.event_groups import EventGroup
from engine.troyes.news.sentence_parts import Sentence, Voice
from engine.troyes.state import dice
from engine.troyes.state.troyes_state import LE_ROY


def le_roy_text(voice: Voice, group: EventGroup) -> Sentence:
    """One of his answers: a part of the placement, a black die, or a turn."""
    pushed = [push.owner for move in group.of(CitizenMoves) for push in move.pushed]
    sold = [fact.owner for fact in group.of(DiceLeave)]
    mine = voice.reader is not None and voice.reader in (*pushed, *sold, *group.sums.touched())
    rolled = next(iter(group.of(LeRoyActs)), None)
    if rolled is None:
        black = say.dice_list(chain.from_iterable(fact.dice for fact in group.of(BlackGone)))
        says = T("Le Roy spends {dice} on the black {black}.", dice=say.dice_list(_spent(group)), black=black)
    elif rolled.action == "settle":
        spaces = tuple(say.place_text(move.to) for move in group.of(CitizenMoves))
        says = T("Le Roy rolls {dice} and settles in {places}.", dice=say.dice_list(rolled.dice), places=spaces)
    else:
        says = _turn(voice, group, rolled)
    return Sentence(says, mine, LE_ROY)


def _turn(voice: Voice, group: EventGroup, rolled: LeRoyActs) -> Msg:
    sums, spent = group.sums, _spent(group)
    parts: list[Msg] = [ACTIONS[rolled.action](voice, group)]
    parts += [_bought(voice, fact, sums.deniers[fact.owner]) for fact in group.of(DiceLeave) if fact.owner != LE_ROY]
    parts.append(T("he spends {dice}", dice=say.dice_list(spent)) if spent else T("he spends no die"))
    if by := sums.points[LE_ROY]:
        parts.append(T("le Roy {points}", points=say.points_text(by)))
    gained = [(seat, by) for seat, by in sums.points.items() if seat != LE_ROY]
    parts += [T("{who} {points}", who=voice.name(seat), points=say.points_text(by)) for seat, by in gained]
    one, two = rolled.rolled.numbers
    return T("Le Roy rolls {one} and {two}: {parts}.", one=one, two=two, parts=say.joined(parts))


def _bought(voice: Voice, fact: DiceLeave, price: int) -> Msg:
    words, gain = say.dice_list(fact.dice), say.deniers_text(price)
    if fact.owner == voice.reader:
        n = len(fact.dice)
        return T("he buys YOUR {dice} (you {gain})", "he buys YOUR {dice} (you {gain})", n=n, dice=words, gain=gain)
    return T("he buys {dice} of {who} ({who} {gain})", dice=words, who=voice.name(fact.owner), gain=gain)


def _spent(group: EventGroup) -> list[str]:
    return dice.dice_by_rank(word for fact in group.of(DiceLeave) if fact.owner == LE_ROY for word in fact.dice)


# What each action came to.


def _worker(voice: Voice, group: EventGroup) -> Msg:
    moves = group.of(CitizenMoves)
    if not moves:
        return T("he can place no citizen")
    return say.joined([T("a citizen to {place}", place=say.place_text(moves[0].to)), *voice.pushed(moves)])


def _event(voice: Voice, group: EventGroup) -> Msg:
    banners = group.of(BannerCovered)
    return T("he covers {event}, {cubes}", event=item_name(banners[0].event), cubes=say.cubes_text(len(banners)))


def _tradesman(voice: Voice, group: EventGroup) -> Msg:
    if not group.of(CitizenMoves):
        return T("he finds no place for a tradesman")
    to = group.of(CitizenMoves)[0].to
    if not to.spot.isdecimal():
        return T("a tradesman on {card} (illustration)", card=item_name(to.on))
    worth = voice.state.activity(to.on).spaces[int(to.spot) - 1]
    return T("a tradesman on {card} ({n} VP space)", card=item_name(to.on), n=worth)


def _cathedral(voice: Voice, group: EventGroup) -> Msg:
    cubes = tuple(say.level_text(fact.level, fact.column) for fact in group.of(CubeBuilt))
    return T("he builds on the cathedral, {cubes}", cubes=cubes) if cubes else T("the cathedral has no room left")


def _character(voice: Voice, group: EventGroup) -> Msg:
    for fact in group.of(CharacterJudges):
        return T("{character} judges you both and leaves", character=item_name(fact.character))
    return T("no character is left")


ACTIONS: dict[str, Callable[[Voice, EventGroup], Msg]] = {
    **dict.fromkeys(("pair", "deal"), lambda *_: T("he takes points")),
    "worker": _worker,
    "event": _event,
    "tradesman": _tradesman,
    "cathedral": _cathedral,
    "character": _character,
}
"""His actions by the names of `solo.actions` to what is said of them."""
