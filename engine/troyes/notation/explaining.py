"""An order of Troyes held against every word of a line: whether the line names all of it, and tells nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from engine.chronicle import Entry
from engine.game import Step
from engine.troyes.notation.agreeing import leads
from engine.troyes.notation.lexicon import Wordlet
from engine.troyes.notation.opposing import opposes
from engine.troyes.state import orders, places
from engine.troyes.state.dice import COLOUR_OF
from engine.troyes.state.picks import NOTHING_USED, Pick
from engine.troyes.state.state import TroyesState

Word = tuple[str, "Wordlet | None"]
"""A word as it stands in the line, and what it can be."""

_TELLING = frozenset(
    ("verb", "die", "dice", "colour", "number", "often", "owner", "activity", "event", "outdoor", "place", "spot")
)
"""Senses of words that say something of an order."""
PARTING = frozenset((",", ";", ".", "!", "(", ")", ":", "-", "–", "—", "->"))
LOOSE_VERBS = frozenset(("use", "give", "place", "activate"))
"""What may be said of dice, citizens and cubes in any order."""
_VERBS: dict[type, frozenset[str]] = {
    orders.Activate: frozenset(("activate",)),
    orders.Build: frozenset(("build",)),
    orders.Fight: frozenset(("fight", "counter")),
    orders.Station: frozenset(("place", "settle")),
    orders.Farm: frozenset(("farm",)),
    orders.Counter: frozenset(("counter", "fight")),
    orders.Reroll: frozenset(("reroll",)),
    orders.Flip: frozenset(("flip",)),
    orders.Recruit: frozenset(("recruit",)),
    orders.Guard: frozenset(("guard",)),
}
"""The orders whose lines are heard so, with the verbs that say them."""
_SILENT = frozenset(
    ("with", "using", "from", "on", "play", "courtesy", "turn", "thing", "district", "mine", "die", "dice", "value")
) | {"makes", "take", "put", "event", "level", "to", "for", "hired", "he_goes"}
"""Roles and clauses that lead from one part of an order to the next."""
_BESIDE_DICE = frozenset(
    ("with", "using", "from", "mine", "his", "district", "die", "dice", "courtesy", "value", "both", "everything")
) | {"makes", "cubes", "buy"}
"""Those that may stand beside dice that are listed in a part of their own."""
_POINTING = frozenset(("that", "tout", "do", "fais"))
"""What points at the order itself, or says nothing beside it, though it may mean more elsewhere."""
_DONE = ("verb", "activity", "event", "place")
"""Senses of words that tell what is done with dice."""
_JOINING = frozenset(("and", "et", "&", "+", "plus"))


def tells(token: Wordlet) -> bool:
    """Whether a word says something of an order."""
    return bool(_TELLING & token.senses.keys()) and not token.senses.keys() & {"noise", "filler"}


def _is_die(token: Wordlet) -> bool:
    return bool(token.of("die") or token.of("dice") or (len(token.text) > 1 and token.of("colour")))


def addresses(part: Sequence[Word]) -> bool:
    """Whether a part of a line names somebody and nothing else: «pardon Emily»."""
    told = [token for _, token in part if token is not None and tells(token)]
    return len(told) == 1 and bool(told[0].of("owner"))


def parts_of(words: Sequence[Word], marks: frozenset[str] = PARTING) -> Iterator[list[Word]]:
    """What stands between marks."""
    part: list[Word] = []
    for text, token in (*words, (",", None)):
        if text not in marks:
            part.append((text, token))
        elif part:
            yield part
            part = []


@dataclass
class Explained:
    """An order held against the words of a line."""

    state: TroyesState
    seat: str
    order: Any
    words: Sequence[Word]

    @cached_property
    def tokens(self) -> list[Wordlet]:
        """The words that mean anything."""
        return [token for _, token in self.words if token is not None]

    @cached_property
    def _addressed(self) -> list[Wordlet]:
        """The words of the parts of the line that name somebody and nothing else."""
        return [token for part in parts_of(self.words) if addresses(part) for _, token in part if token is not None]

    @cached_property
    def picks(self) -> tuple[Pick, ...]:
        """The dice of the order."""
        found = getattr(self.order, "dice", None) or [one for one in (getattr(self.order, "die", ""),) if one]
        return tuple(one if isinstance(one, Pick) else Pick(self.seat, one) for one in found)

    @property
    def source(self) -> str:
        """Where a citizen comes from."""
        return getattr(self.order, "hiring", "") or getattr(self.order, "source", "")

    def is_said(self) -> bool:
        """Whether the line names all of the order, and nothing else."""
        verbs = _VERBS.get(type(self.order))
        uses = getattr(self.order, "using", "") not in ("", NOTHING_USED)
        if verbs is None or uses or bool(getattr(self.order, "freed", False)):
            return False
        said = {token.of("verb") for token in self.tokens if tells(token)} - {""}
        if self._suffers() or said - verbs - LOOSE_VERBS or not all(map(self._explains, range(len(self.tokens)))):
            return False
        named = self._names_goal(bool(said & verbs)) and self._names_dice() and self._names_source()
        if isinstance(self.order, orders.Counter) and not opposes(self.state, self.tokens, self.order):
            return False
        return named and all(map(self._only_lists, parts_of(self.words, PARTING | _JOINING)))

    def _only_lists(self, part: Sequence[Word]) -> bool:
        """Whether a part of the line that names dice and not what is done with them only lists them: «leave R1» does
        not."""
        tokens = [token for _, token in part if token is not None]
        dice = any(map(_is_die, tokens))
        done = any(token.of(thing) for token in tokens if tells(token) for thing in _DONE)
        if not dice or done or isinstance(self.order, orders.Counter):
            return True
        kinds = ({token.of("role"), token.of("clause")} - {""} for token in tokens if not token.of("noise"))
        return len(tokens) == len(part) and all(kind <= _BESIDE_DICE for kind in kinds)

    def _suffers(self) -> bool:
        """Whether an event does something: «marauding hits R3»."""
        told = [token for token in self.tokens if tells(token) or token.of("noise")]
        return any(one.of("event") and two.of("verb") and two.text.endswith("s") for one, two in pairwise(told))

    # Named.

    def _names_goal(self, verb: bool) -> bool:
        match self.order:
            case orders.Activate():
                return self._has("activity")
            case orders.Fight():
                return self._has("event")
            case orders.Station():
                return verb or self._has("place")
            case orders.Build():
                return verb or any(token.of("place") == "cathedral" for token in self.tokens)
            case orders.Counter():
                return self._asked == "counter"
        return verb

    @property
    def _asked(self) -> str:
        return next((asked["kind"] for asked in self.state.asked if asked["seat"] == self.seat), "")

    def _has(self, sense: str) -> bool:
        return any(token.of(sense) and tells(token) for token in self.tokens)

    def _names_dice(self) -> bool:
        """Whether each die is named, by its face, its number or its colour, and with whoever it is bought of."""
        faces = [token.of("die") or token.of("dice") for token in self.tokens if token.of("die") or token.of("dice")]
        numbers = [token.of("number") for token in self.tokens if token.of("number")]
        colours = [token.of("colour") for token in self.tokens if len(token.text) > 1 and token.of("colour")]
        owners = {token.of("owner") or token.of("whose") for token in self.tokens}
        if len(faces) > len(self.picks):
            return False
        every = any(token.of("role") in ("both", "everything") for token in self.tokens)
        for pick in self.picks:
            if pick.owner not in (self.seat, *owners):
                return False
            face, letter, value = pick.die, pick.die[0], int(pick.die[1:])
            if face in faces:
                faces.remove(face)
            elif value in numbers:
                numbers.remove(value)
            elif letter in colours:
                if not every:
                    colours.remove(letter)
            else:
                return False
        return not faces or {*faces} <= {pick.die for pick in self.picks}

    def _names_source(self) -> bool:
        """Whether whoever is hired or moved is said to be: nobody is hired unasked."""
        if isinstance(self.order, orders.Activate) and self.order.hiring:
            hires = any(token.of("clause") == "hiring" or token.of("role") == "hire" for token in self.tokens)
            return hires and any(self._is_source(token) for token in self.tokens)
        if isinstance(self.order, orders.Station):
            return any(self._is_source(token) for token in self.tokens)
        return True

    def _is_source(self, token: Wordlet) -> bool:
        place = str(token.of("place"))
        lies = self.source.endswith(places.LYING) and token.of("clause") == "lying"
        return bool(place) and (place in (self.source, self.source.partition(" ")[0]) or lies)

    # Explained.

    def _explains(self, at: int) -> bool:
        """Whether a word is said of the order."""
        token = self.tokens[at]
        if any(token is one for one in self._addressed):
            return True
        if tells(token):
            return self._is_told(token, at)
        if token.text in _POINTING or token.of("noise") or token.of("filler") or token.of("mark"):
            return True
        if token.of("level"):
            return token.text == "i" and at + 1 < len(self.tokens) and not self.tokens[at + 1].of("mark")
        meant = [token.of(kind) for kind in ("clause", "role") if token.of(kind)]
        return any(one in _SILENT or self._is_so(one, at) for one in meant)

    def _is_told(self, token: Wordlet, at: int) -> bool:
        """Whether a word that says something says it of the order; verbs are looked at together."""
        senses = _TELLING & token.senses.keys()
        if "verb" in senses:
            # «farm Y6 for the harvest» uses a card.
            alone = sum(bool(one.of("verb")) for one in self.tokens if tells(one)) == 1
            things = senses & {"activity", "event", "outdoor"}
            return alone or not things or any(self._is_true_of(one, token.of(one), at) for one in things)
        return any(self._is_true_of(sense, token.of(sense), at) for sense in senses)

    def _is_so(self, meant: str, at: int) -> bool:
        """Whether what a small word asks of the order is so."""
        order = self.order
        hires = bool(getattr(order, "hiring", ""))
        match meant:
            case "buy" | "bought_from" | "his":
                return any(pick.owner != self.seat for pick in self.picks)
            case "hiring" | "hire" | "citizen":
                moves = isinstance(order, orders.Recruit) or (meant == "citizen" and isinstance(order, orders.Station))
                return hires or moves
            case "lying":
                return self.source.endswith(places.LYING)
            case "both" | "everything" | "each":
                return len(self.picks) > 1 or len(getattr(order, "black", ())) > 1
            case "black" | "highest":
                return isinstance(order, orders.Counter)
            case "again":
                return isinstance(order, orders.Reroll)
            case "adds" | "gate" | "steps" | "advance":
                return isinstance(order, orders.Guard)
            case "cubes" | "times":
                return isinstance(order, orders.Fight | orders.Activate)
            case "costs":
                behind = [n for n in range(at + 1, min(at + 4, len(self.tokens))) if self.tokens[n].of("number")]
                return all(self._is_unit(n + 1) for n in behind[:1])
            case "influence" | "vp" | "price":
                pays = any("costs" in (token.of("clause"), token.of("role")) for token in self.tokens[:at])
                if pays and meant == "influence" and isinstance(order, orders.Reroll | orders.Flip | orders.Recruit):
                    return True  # it is what they cost
                return any(token.of("number") for token in self.tokens[max(at - 3, 0) : at])
        return False

    def _is_true_of(self, sense: str, meant: Any, at: int) -> bool:
        match sense:
            case "die" | "dice":
                whose = self.tokens[at].of("whose")
                return any(pick.die == meant and whose in ("", pick.owner) for pick in self.picks)
            case "colour":
                return any(pick.die[0] == meant for pick in self.picks)
            case "owner":
                return meant == self.seat or any(pick.owner == meant for pick in self.picks)
            case "activity":
                return getattr(self.order, "card", "") in meant
            case "event":
                return bool({getattr(self.order, "event", ""), *getattr(self.order, "targets", ())} & {*meant})
            case "place" | "spot":
                return self._is_place(str(meant))
            case "often":
                return meant in (getattr(self.order, "times", 0), getattr(self.order, "cubes", 0))
            case "number":
                before = self.tokens[at - 1] if at else Wordlet("")
                if before.of("mark") == "plus" and isinstance(self.order, orders.Guard):
                    return bool(meant == self.order.boost)
                return before.of("role") == "level" or self._is_unit(at + 1) or meant in self._numbers()
        return False

    def _is_place(self, place: str) -> bool:
        building, _, spot = place.partition(" ")
        if building == "cathedral":
            return isinstance(self.order, orders.Build)
        if place in (self.source, self.source.partition(" ")[0]) or place in self.source.split():
            return True
        if isinstance(self.order, orders.Station):
            die = self.order.die
            colour = die.colour or COLOUR_OF.get(die.die[0], "")
            goal = places.BUILDING_OF.get(colour, "")
            return building == goal and leads(self.state.box.board, building, spot, die.die[1:])
        return place in getattr(self.order, "targets", ())

    def _numbers(self) -> Iterator[int]:
        """The numbers that are said of the order itself."""
        yield from (int(pick.die[1:]) for pick in self.picks)
        if not isinstance(self.order, orders.Counter):
            yield len(self.picks)
        for name in ("times", "cubes", "citizens", "advance", "boost"):
            if number := getattr(self.order, name, 0):
                yield number
        yield from getattr(self.order, "black", ())
        spot = self.source.partition(" ")[2]
        if spot.isdecimal():
            yield int(spot)

    # True.

    def _is_unit(self, at: int) -> bool:
        return bool(self._unit(at))

    def _unit(self, at: int) -> str:
        """What the number before a word counts; empty where that is the order's own."""
        while at < len(self.tokens) and (token := self.tokens[at]):
            for kind, meant in (("clause", "influence"), ("clause", "vp"), ("clause", "cubes"), ("role", "price")):
                if token.of(kind) == meant:
                    return meant
            if not (token.of("noise") or token.of("role") in ("from", "bought_from") or token.of("clause") == "from"):
                return ""
            at += 1
        return ""

    def is_true(self, then: Step[TroyesState]) -> bool:
        """Whether each amount that is told is what the order costs or brings."""
        for at, token in enumerate(self.tokens):
            number, unit = token.of("number"), self._unit(at + 1)
            if at and number and self.tokens[at - 1].of("role") == "level" and number not in self._levels(then.state):
                return False
            if number and unit and number not in self._amounts(unit, then):
                return False
        return True

    def _levels(self, then: TroyesState) -> Iterator[int]:
        """The levels of the cathedral on which cubes are laid."""
        pairs = zip(self.state.cathedral, then.cathedral, strict=True)
        yield from (level for level, (before, after) in enumerate(pairs, 1) if before != after)

    def _amounts(self, unit: str, then: Step[TroyesState]) -> Iterator[int]:
        """So much of it the order costs, brings, or gives to somebody."""
        if unit == "cubes":
            yield from (number for name in ("cubes", "times") if (number := getattr(self.order, name, 0)))
            return
        if unit == "price":
            yield from _paid(then.entries, self.seat)
            return
        yield abs(getattr(then.state.houses[self.seat], unit) - getattr(self.state.houses[self.seat], unit))
        if isinstance(self.order, orders.Reroll) and unit == "influence":
            yield self.state.box.board.reroll


def _paid(entries: Sequence[Entry], seat: str) -> Iterator[int]:
    """What a seat pays in all, and to each; and what it gets."""
    paid: Counter[str] = Counter()
    for entry in entries:
        if entry.kind == "pays" and seat in (payer := entry.data["payer"], payee := entry.data["payee"]):
            paid[f"{payer} {payee}"] += entry.data["deniers"]
    yield from paid.values()
    yield sum(deniers for way, deniers in paid.items() if way.startswith(f"{seat} "))
