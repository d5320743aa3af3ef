"""What a line tells beside an order, by what it is: what would make another order of it, and what only speaks of it.

«Marauding with my two yellows, makes 8, three cubes» names one order and adds what is true of it; «it hurts us all» is
said beside it. What is said of the order itself, and is not so, stays what it is (`explaining.kind_of`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.kit.gist import Role
from engine.troyes.actions.countering import total
from engine.troyes.board.group import together
from engine.troyes.notation.amounting import unit_at
from engine.troyes.notation.explaining import Explained, kind_of
from engine.troyes.notation.gist import role
from engine.troyes.notation.lexicon import Wordlet
from engine.troyes.notation.picked import PARTING, parted, tells
from engine.troyes.state import dice, orders
from engine.troyes.state.picks import Using
from engine.troyes.state.state import TroyesState

_THINGS = ("die", "dice", "activity", "event", "outdoor", "place", "spot")
"""Senses of words without which a part of a line names nothing that an order is made of."""
_LEADING = frozenset(("as", "both", "everything", "each", "his", "buy", "bought_from", "lying"))
"""Small words that ask something of what they lead to, and nothing where they lead to no die."""
_FIRST, _DOING = orders.Flip | orders.Reroll | orders.Recruit, frozenset(("use", "place", "activate"))
"""What is done before something else, and verbs that say that more is done: «flip W2 and use that»."""
_PLACING = frozenset(("column", "level", "row", "space", "steps", "makes"))
"""What leads to a number that tells of the order wherever it stands."""
_NEAR = 2
"""Words between somebody and the die that is his, with the die; and between a verb and what is paid."""
_NUMBER = re.compile(r"\d")
_KEPT = frozenset(("verb", "name", "number", "how many", "bought", "people", "colour", "owner", "place"))
"""Kinds of what is wrong that are told apart where it stands in a part of the line that names nothing."""


@dataclass
class Remarks:
    """An order held against a line, and the position after it."""

    said: Explained
    after: TroyesState

    def faults(self) -> Iterator[str]:
        """What is between the order and the line, each by its kind."""
        tokens = self.said.tokens
        for at in self.said.strange_verbs():
            yield self._beside(at, "verb")
        for at in self.said.unexplained():
            yield self._of(at, kind_of(tokens[at]))
        if isinstance(self.said.order, _FIRST) and any(self._does_more(at) for at in range(len(tokens))):
            yield "verb"
        if isinstance(self.said.order, orders.Counter):
            yield from ("number" for at, token in enumerate(tokens) if token.of("number") and self._is_apart(at))

    def _does_more(self, at: int) -> bool:
        """Whether a verb says that more is done, and not that something is paid: «spend my last influence»."""
        token, behind = self.said.tokens[at], self.said.tokens[at + 1 : at + 1 + _NEAR]
        pays = token.of("verb") == "use" and any(one.of("clause") == "influence" for one in behind)
        return token.of("verb") in _DOING and not pays

    def _of(self, at: int, kind: str) -> str:
        token = self.said.tokens[at]
        if kind == "number" and token.of("number") in self._true_numbers:
            return "number told"
        if kind in ("number", "colour") and len(token.text) == 1 and token.text.isalpha():
            return "small"  # «I need», «y aller»
        asks = {token.of("clause"), token.of("role")} & _LEADING
        if asks and kind in ("how many", "bought") and not self._leads_to_die(at):
            return "small"
        if token.of("role") == "steps" and kind == "how many" and not isinstance(self.said.order, orders.Guard):
            return "small"  # «all four spaces»
        return self._beside(at, kind)

    def _beside(self, at: int, kind: str) -> str:
        """The kind, told apart in a part of the line that names nothing else; a whole name is never said by the way."""
        if kind == "name" and not self.said.tokens[at].of("part"):
            return kind
        if kind == "number" and (isinstance(self.said.order, _FIRST) or self._is_led(at)):
            return kind
        gray = self.said.tokens[at].of("owner") == self.said.state.neutral
        if kind == "owner" and (gray or self._is_by_die(at)):
            return "owner beside the die"  # «farm Y3, the gray one», «Y5 and a die of Anna»
        return f"{kind} beside" if kind in _KEPT and self._parts[at] not in self._naming else kind

    def _is_by_die(self, at: int) -> bool:
        """Whether a die is spoken of beside a word, in its part of the line."""
        near = range(max(0, at - _NEAR), min(at + _NEAR + 1, len(self.said.tokens)))
        return any(self.said.tokens[one].of("role") == "die" and self._parts[one] == self._parts[at] for one in near)

    def _is_led(self, at: int) -> bool:
        """Whether a number is that of a column, a level, a row or a space."""
        before = self.said.tokens[at - 1] if at else Wordlet("")
        return not _PLACING.isdisjoint((before.of("role"), before.of("clause")))

    def _is_apart(self, at: int) -> bool:
        """Whether a word stands in a part of the line that names nothing else and has words that mean nothing, or that
        names somebody else: «the small 1 is for Faye»."""
        unknown, part = set[int](), 0
        for text, token in self.said.words:
            part += text in PARTING
            unknown |= {part} if token is None and role(text, token) is Role.UNKNOWN else set()
        rows = zip(self._parts, self.said.tokens, strict=True)
        others = {part for part, token in rows if token.of("owner") not in ("", None, self.said.seat)}
        return self._parts[at] in (unknown - self._naming) | others

    def _leads_to_die(self, at: int) -> bool:
        """Whether the next word that says something is a die, a colour, a black die, or a number of them."""
        tokens = self.said.tokens
        for ahead in range(at + 1, len(tokens)):
            token = tokens[ahead]
            if self._parts[ahead] != self._parts[at]:
                return False
            if token.of("number"):
                return not unit_at(tokens, ahead + 1)
            if tells(token) or token.of("role") in ("black", "die"):
                return bool(token.of("die") or token.of("dice") or token.of("colour") or token.of("role"))
        return False

    @cached_property
    def _parts(self) -> list[int]:
        """In which part of the line each word stands."""
        return parted(self.said.words)

    @cached_property
    def _naming(self) -> frozenset[int]:
        """The parts that name something that an order is made of."""
        wrong = {*self.said.strange_verbs(), *self.said.unexplained()}
        rows = zip(self._parts, self.said.tokens, strict=True)
        return frozenset(
            part for at, (part, token) in enumerate(rows) if at not in wrong and tells(token) and _is_thing(token)
        )

    @cached_property
    def _true_numbers(self) -> frozenset[int]:
        """Numbers that tell of the order: what its dice come to, the cubes it lays and the spaces there are."""
        said, order = self.said, self.said.order
        own = sum(int(pick.die[1:]) for pick in said.picks)
        found = {own, own + getattr(order, "boost", 0), *self._group()}
        if isinstance(order, orders.Fight):
            found |= {*_laid(said.state, self.after, order.event)}
        if isinstance(order, orders.Counter):
            found |= {total(said.state, order.dice), sum(order.black)}
        if isinstance(order, orders.Station):
            before, after = (Counter(map(str, one.whereabouts(said.seat))) for one in (said.state, self.after))
            found |= {int(number) for place in after - before for number in _NUMBER.findall(place)}
        return frozenset(found - {0})

    def _group(self) -> Iterator[int]:
        """What the dice of the order come to together, and each of them, with the cube that is used."""
        using = getattr(self.said.order, "using", None)
        if isinstance(using, Using) and using.card:
            colours = isinstance(self.said.order, orders.Activate)
            group = together(self.said.state.box, self.said.seat, self.said.picks, using, dice.COLOURS, colours)
            yield from (group.total, *group.values) if group is not None else ()


def _is_thing(token: Wordlet) -> bool:
    return any(map(token.of, _THINGS)) or (len(token.text) > 1 and bool(token.of("colour")))


def _laid(before: TroyesState, after: TroyesState, event: str) -> Sequence[int]:
    """How many cubes are laid on an event, and how many spaces it has."""
    lay = [len(threat.cubes) for threat in before.queue if threat.id == event]
    lie = [len(threat.cubes) for threat in after.queue if threat.id == event]
    spaces = before.box.events[event].banners
    return [*(two - one for one, two in zip(lay, lie, strict=False)), *(spaces - one for one in lay), spaces]
