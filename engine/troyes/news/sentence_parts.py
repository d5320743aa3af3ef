"""The parts that news sentences are made of: who, where, which dice, and what it changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.catalog import Msg, T
from engine.troyes.board.phrases import dice_text, owner_name
from engine.troyes.card_data.item_names import item_name
from engine.troyes.events.citizen_events import CitizenMoves, Push
from engine.troyes.state import places
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import GRAY, LE_ROY, TroyesState
from engine.values import fixed

Words = Msg | str


@fixed
class Sentence:
    """A sentence, whether it touches the reader, who acted (`""` for the game itself), and whether the reader gets a
    mail at once (`engine.game.Line`)."""

    says: Msg
    mine: bool = False
    seat: str = ""
    at_once: bool = False


@fixed
class Voice:
    """Whom the sentences are for. Only names and printed facts of `state` are used, since the position has moved on."""

    state: TroyesState
    reader: str | None
    brief: bool = False
    """Whether the written order stands beside, so that its dice are not told again."""

    def name(self, owner: str) -> Words:
        """The owner in the middle of a sentence."""
        return T("you") if owner == self.reader else owner_name(self.state, owner)

    def subject(self, owner: str) -> Words:
        """The owner, who is not the reader, at the beginning of a sentence."""
        return T("Le Roy") if owner == LE_ROY else self.name(owner)

    def act(self, seat: str, you: Msg, other: Msg) -> Msg:
        """A sentence about what a seat did, told to itself (`you`) or to others."""
        if seat == self.reader:
            return T("You {act}", act=you)
        return T("{who} {act}", who=self.subject(seat), act=other)

    def citizen(self, owner: str) -> Msg:
        """Somebody's citizen, as the subject of a clause."""
        if owner == self.reader:
            return T("YOUR citizen")
        return T("a gray citizen") if owner == GRAY else T("a citizen of {who}", who=self.name(owner))

    def cube(self, owner: str) -> Msg:
        """Somebody's cube, as the subject of a clause."""
        if owner == self.reader:
            return T("YOUR cube")
        return T("a gray cube") if owner == GRAY else T("a cube of {who}", who=self.name(owner))

    def moved(self, push: Push) -> Msg:
        """What happened to a citizen who was in the way."""
        if push.to.spot == places.LYING:
            return T("{citizen} is expelled", citizen=self.citizen(push.owner))
        return T("{citizen} moves on to {place}", citizen=self.citizen(push.owner), place=place_text(push.to))

    def pushed(self, moves: Iterable[CitizenMoves]) -> list[Msg]:
        """What happened to all who were in the way."""
        return [self.moved(push) for move in moves for push in move.pushed]

    def freed(self, owner: str) -> Msg:
        """A citizen who leaves Possession."""
        return T("{citizen} is freed", citizen=self.citizen(owner))


def place_text(place: Place) -> Msg:
    """A place in words: «Palace 4», «City Hall 3.2», «Merchant», «the supply»."""
    if place.on == places.SUPPLY:
        return T("the supply")
    if place.spot == places.LYING:
        return T("among the expelled of the {building}", building=item_name(place.on))
    if place.building:
        return T("{building} {spot}", building=item_name(place.on), spot=place.spot)
    return item_name(place.on)


def deniers_text(by: int) -> Msg:
    """Deniers gained or lost."""
    if by < 0:
        return T("-{n} denier", "-{n} deniers", n=-by)
    return T("+{n} denier", "+{n} deniers", n=by)


def influence_text(by: int) -> Msg:
    """Influence gained or lost."""
    return T("-{n} influence", n=-by) if by < 0 else T("+{n} influence", n=by)


def points_text(by: int) -> Msg:
    """Victory points gained or lost."""
    return T("-{n} VP", n=-by) if by < 0 else T("+{n} VP", n=by)


def cubes_text(n: int) -> Msg:
    """A number of cubes."""
    return T("{n} cube", "{n} cubes", n=n)


def level_text(number: int, column: int) -> Msg:
    """A space of the cathedral."""
    return T("level {level} column {column}", level=number, column=column)


def times_text(n: int) -> Msg:
    """How often."""
    if n == 1:
        return T("once")
    return T("twice") if n == 2 else T("{n} times", n=n)


def dice_list(words: Iterable[object]) -> Words:
    """Dice side by side."""
    return dice_text(map(str, words))


def joined(parts: Sequence[Msg]) -> Msg:
    """Parts side by side, separated more strongly than by commas. There must be at least one."""
    told = parts[0]
    for part in parts[1:]:
        told = T("{first}; {then}", first=told, then=part)
    return told


def deed_sentence(act: Msg, own: Iterable[Msg], others: Sequence[Msg] = ()) -> Msg:
    """What was done, with what it changed for the seat itself, then for others."""
    changed = tuple(own)
    if changed and others:
        return T("{act}: {changes}; {others}.", act=act, changes=changed, others=joined(others))
    if changed:
        return T("{act}: {changes}.", act=act, changes=changed)
    return T("{act}; {others}.", act=act, others=joined(others)) if others else T("{act}.", act=act)
