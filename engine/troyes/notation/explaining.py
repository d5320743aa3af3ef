"""An order of Troyes held against every word of a line: whether the line names all of it, and tells nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from engine.kit.gist import HARMLESS
from engine.troyes.notation.agreeing import leads
from engine.troyes.notation.amounting import COSTS, unit_at
from engine.troyes.notation.called import is_put_out
from engine.troyes.notation.covering import Named
from engine.troyes.notation.lexicon import Wordlet
from engine.troyes.notation.picked import PARTING, TELLING, Word, tells
from engine.troyes.state import dice, orders, places

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
    orders.Pass: frozenset(("pass",)),
    orders.Target: frozenset(("target", "place", "fight")),
    orders.Support: frozenset(("support", "place", "target")),
    orders.Settle: frozenset(("settle", "place")),
    orders.Give: frozenset(("give",)),
}
"""The orders whose lines are heard so, with the verbs that say them."""
_SILENT = frozenset(
    ("with", "using", "from", "on", "play", "courtesy", "turn", "thing", "district", "mine", "die", "dice", "value")
) | {"makes", "take", "put", "event", "level", "to", "for", "hired", "he_goes"}
"""Roles and clauses that lead from one part of an order to the next."""
_BESIDE_DICE = frozenset(
    ("with", "using", "from", "mine", "his", "district", "die", "dice", "courtesy", "value", "both", "everything")
) | {"makes", "cubes", "buy", "take", "put", "to", "for", "adds", "again", "as", "costs"}
"""Those that may stand beside dice that are listed in a part of their own."""
_LAYING = orders.Fight | orders.Activate | orders.Guard | orders.Build | orders.Target | orders.Support
"""Orders by which cubes are laid."""
_NAMES = ("activity", "event", "outdoor")
_POINTING = frozenset(("that", "tout", "do", "fais", "y"))
"""What points at the order itself, or says nothing beside it, though it may mean more elsewhere."""
_DONE = ("verb", "activity", "event", "place")
"""Senses of words that tell what is done with dice."""
_SORTS = (
    ("die", ("die", "dice")),
    ("name", ("activity", "event", "outdoor")),
    ("place", ("place", "spot")),
    ("owner", ("owner",)),
    ("colour", ("colour",)),
    ("number", ("number", "often", "told", "level")),
)
"""Sorts of what words name, by their senses."""
_ASKED = {
    "people": frozenset(("citizen", "hire", "hiring", "more", "fresh")),
    "bought": frozenset(("buy", "bought_from", "his")),
    "standing": frozenset(("always", "never", "ask", "auto")),
    "how many": frozenset(("lying", "cubes", "times", "both", "everything", "each", "gate", "steps", "advance"))
    | {"as", "once", "twice"},
    "asked": frozenset(("again", "free", "none", "no", "without")),
}
"""What small words ask of an order."""
_JOINING = frozenset(("and", "et", "&", "+", "plus"))


def _is_die(token: Wordlet) -> bool:
    return bool(token.of("die") or token.of("dice") or (len(token.text) > 1 and token.of("colour")))


def kind_of(token: Wordlet) -> str:
    """What sort of thing a word names; of small ones whether they ask something of an order."""
    kind = next((kind for kind, senses in _SORTS if any(map(token.of, senses))), "")
    meant = {token.of("clause"), token.of("role")}
    return kind or next((kind for kind, words in _ASKED.items() if meant & words), "small")


def order_cubes(order: Any) -> tuple[int, ...]:
    """The outdoor tiles on which cubes of the guard are laid."""
    return order.cubes if isinstance(order, orders.Guard) else ()


def addresses(part: Sequence[Word]) -> bool:
    """Whether a part of a line names somebody and nothing else: «pardon Emily»."""
    told = [at for at, (_, token) in enumerate(part) if token is not None and tells(token)]
    before = part[told[0] - 1][1] if told and told[0] else None
    led = before is not None and "from" in (before.of("role"), before.of("clause"))  # «the old trick of Faye»
    called = (part[told[0]][1] if told else None) or Wordlet("")
    return len(told) == 1 and not led and bool(called.of("owner")) and not called.of("owns")  # «mine and annas»


def parts_of(words: Sequence[Word], marks: frozenset[str] = PARTING) -> Iterator[list[Word]]:
    """What stands between marks."""
    part: list[Word] = []
    for text, token in words:
        if text not in marks:
            part.append((text, token))
        elif part:
            yield part
            part = []
    if part:
        yield part


def _is_one(two: tuple[Wordlet, Wordlet]) -> bool:
    """Whether two words say «one citizen»."""
    return two[1].of("role") == "citizen" and (two[0].of("number") == 1 or two[0].text in ("a", "an", "un"))


@dataclass
class Explained(Named):
    """An order held against the words of a line, once all of it is named there."""

    @cached_property
    def _addressed(self) -> list[Wordlet]:
        """The words of the parts of the line that name somebody and nothing else."""
        return [token for part in parts_of(self.words) if addresses(part) for _, token in part if token is not None]

    def is_said(self) -> bool:
        """Whether the line names all of the order, and nothing else."""
        return next(self.faults(), None) is None

    def faults(self) -> Iterator[str]:
        """What is between the order and the line, each by its kind: words that say something else, and parts of the
        order that are not named."""
        if not self.is_heard:
            yield "unheard"
            return
        yield from ("verb" for _ in {self.tokens[at].of("verb") for at in self.strange_verbs()})
        yield from (kind_of(self.tokens[at]) for at in self.unexplained())
        yield from self.others()

    @property
    def is_heard(self) -> bool:
        """Whether orders of its kind are said in words at all."""
        return type(self.order) in _VERBS

    def strange_verbs(self) -> Iterator[int]:
        """Where verbs stand that say that something else is done."""
        told = self._telling
        fits = _VERBS[type(self.order)] | LOOSE_VERBS | {""}
        if isinstance(self.order, orders.Station) and all(self.tokens[at].text != "pass" for at in told):
            fits |= {"pass"}  # «mon bonhomme passe au palais»
        if self.turned_over:
            fits |= {"flip"}
        if isinstance(self.order, orders.Activate) and self.state.activity(self.order.card).color == "red":
            fits |= {"fight"}  # «hire the archer and shoot»
        # «kick» and «take on» are no fights where somebody is put out or hired.
        strange = (at for at in told if self.tokens[at].of("verb") not in fits)
        yield from (at for at in strange if not self._is_so(self.tokens[at].of("role"), at))

    def unexplained(self) -> Iterator[int]:
        """Where words stand that are not said of the order; verbs are looked at together."""
        yield from (at for at in range(len(self.tokens)) if not self._explains(at))

    def others(self) -> Iterator[str]:
        """What else is between the order and the line: what is done by an event or to it, dice that are listed for
        something else, and parts of the order that are not named."""
        if self._suffers():
            yield "suffers"
        yield from ("list" for part in parts_of(self.words, PARTING | _JOINING) if not self._only_lists(part))
        yield from ("more dice" for _ in self._idle_dice())
        many = isinstance(self.order, orders.Recruit) and self.order.citizens > 1
        if many and any(map(_is_one, pairwise(self.tokens))):
            yield "number"
        said = {self.tokens[at].of("verb") for at in self._telling}
        yield from self.unnamed(verb=not said.isdisjoint(_VERBS[type(self.order)]))

    @cached_property
    def _telling(self) -> list[int]:
        """Where words stand that say something, but for names of what the order is done with."""
        return [at for at, token in enumerate(self.tokens) if tells(token) and not self._is_name(token, at)]

    def explained(self) -> int:
        """How many words that say something it explains."""
        return sum(tells(token) and self._explains(at) for at, token in enumerate(self.tokens))

    def _is_name(self, token: Wordlet, at: int) -> bool:
        """Whether a verb is the name of what the order is done with as well: «support»."""
        return any(self._is_true_of(kind, token.of(kind), at) for kind in _NAMES if token.of(kind))

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

    def _idle_dice(self) -> Iterator[Sequence[Word]]:
        """The parts of a line about black dice that name dice behind others, and say of them what means nothing here:
        «my yellow rests»."""
        if not isinstance(self.order, orders.Counter):
            return
        parts = [part for part in parts_of(self.words) if any(token and _is_die(token) for _, token in part)]
        yield from (part for part in parts[1:] if any(token is None and text not in HARMLESS for text, token in part))

    def _suffers(self) -> bool:
        """Whether an event does something, or somebody: «marauding hits R3», «le Roy combat la guerre»."""
        told = [token for token in self.tokens if tells(token) or token.of("noise")]
        if len(told) > 1 and told[0].of("owner") and told[1].of("verb"):
            return True
        return any(one.of("event") and two.of("verb") and two.text.endswith("s") for one, two in pairwise(told))

    # Explained.

    def _explains(self, at: int) -> bool:
        """Whether a word is said of the order."""
        token = self.tokens[at]
        if any(token is one for one in self._addressed):
            return True
        if tells(token):
            return self._is_told(token, at)
        if result := token.of("told"):
            return isinstance(self.order, orders.Flip) and result in self._numbers()
        if token.text in _POINTING or token.of("noise") or token.of("filler") or token.of("mark"):
            return True
        if (level := token.of("level")) and level in order_cubes(self.order):
            return True
        if level:
            return token.text == "i" and at + 1 < len(self.tokens) and not self.tokens[at + 1].of("mark")
        meant = [token.of(kind) for kind in ("clause", "role") if token.of(kind)]
        return any(one in _SILENT or self._is_so(one, at) for one in meant)

    def _is_told(self, token: Wordlet, at: int) -> bool:
        """Whether a word that says something says it of the order; verbs are looked at together."""
        senses = TELLING & token.senses.keys()
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
            case "yes":
                return True  # where nothing is asked that «yes» answers
            case "buy" | "bought_from" | "his":
                return isinstance(order, orders.Counter) or any(pick.owner != self.seat for pick in self.picks)
            case "expels":
                return isinstance(order, orders.Station)  # «my red 6 kicks you out»
            case "citizen":
                return hires or isinstance(order, orders.Recruit | orders.Station | orders.Settle | orders.Give)
            case "hiring" | "hire":
                return hires or isinstance(order, orders.Recruit)
            case "same":
                return hires or isinstance(order, orders.Station | orders.Give) or len(self.picks) > 1
            case "fresh":
                return isinstance(order, orders.Recruit) or self.source == places.SUPPLY
            case "more":
                cubes = any(token.of("clause") == "cubes" for token in self.tokens[max(at - 1, 0) : at + 2])
                lays = cubes and isinstance(order, _LAYING)
                lays = lays or bool(at and self.tokens[at - 1].of("number") and unit_at(self.tokens, at))
                return lays or isinstance(order, orders.Recruit) or bool(getattr(order, "boost", 0))
            case "lying":
                return self.source.endswith(places.LYING)
            case "both" | "everything" | "each":
                several = (self.picks, getattr(order, "black", ()), getattr(order, "targets", ()), order_cubes(order))
                return any(len(some) > 1 for some in several)
            case "black" | "highest":
                return isinstance(order, orders.Counter)
            case "again":
                return isinstance(order, orders.Reroll)
            case "then":
                return isinstance(order, orders.Settle)
            case "as":
                return any(pick.colour for pick in self.picks)
            case "once" | "twice":
                return (1 if meant == "once" else 2) in self._often()
            case "steps" | "space" | "column" | "row" if not isinstance(order, orders.Guard):
                after = self.tokens[at + 1] if at + 1 < len(self.tokens) else Wordlet("")
                return bool(after.of("number")) or "." in after.of("spot")
            case "adds":
                return isinstance(order, orders.Guard) or len(self.picks) > 1
            case "gate" | "steps" | "advance":
                return isinstance(order, orders.Guard)
            case "cubes" if isinstance(order, orders.Guard):
                return bool(order.cubes or self.used)
            case "cubes" | "times":
                return isinstance(order, _LAYING) or bool(self.used)
            case "costs":
                return True  # what, is looked at by itself
            case "influence" | "vp" | "price":
                told = ({token.of("clause"), token.of("role"), token.of("verb")} for token in self.tokens[:at])
                pays = any(kinds & {"costs", "use"} for kinds in told)
                if pays and meant == "influence" and isinstance(order, orders.Reroll | orders.Flip | orders.Recruit):
                    return True  # it is what they cost
                article = pays and self.tokens[at - 1].text in ("a", "an")  # «it costs me a denier»
                return article or any(token.of("number") for token in self.tokens[max(at - 3, 0) : at])
        return False

    def _is_true_of(self, sense: str, meant: Any, at: int) -> bool:
        match sense:
            case "die" | "dice":
                whose = self.tokens[at].of("whose")
                return any(pick.die == meant and whose in ("", pick.owner) for pick in self.picks)
            case "colour":
                return any(meant in (pick.die[0], dice.LETTERS.get(pick.colour)) for pick in self.picks)
            case "owner":
                out = is_put_out(self.tokens, at) and isinstance(self.order, orders.Station)
                return out or meant == self.seat or any(pick.owner == meant for pick in self.picks)
            case "activity":
                return bool({getattr(self.order, "card", ""), *self.used} & {*meant})
            case "outdoor":
                return bool(self.used & {*meant}) or bool(self.levels(meant) & {*order_cubes(self.order)})
            case "event":
                goals = getattr(self.order, "events", ()) or getattr(self.order, "targets", ())
                return bool({getattr(self.order, "event", ""), *goals} & {*meant})
            case "place" | "spot":
                return self._is_place(str(meant))
            case "often":
                return meant in self._often()
            case "number":
                before = self.tokens[at - 1] if at else Wordlet("")
                if before.of("mark") == "plus" and isinstance(self.order, orders.Guard):
                    return bool(meant == self.order.boost)
                if self.is_article(at) or (before.of("owner") and self.tokens[at].text == "one"):
                    return True  # «one red 5», «the gray one»
                if before.of("role") == "event" and (event := getattr(self.order, "event", "")):
                    return [threat.id for threat in self.state.queue][meant - 1 : meant] == [event]
                paid = any(token.of("role") == "costs" for token in self.tokens[max(0, at - COSTS) : at])
                paid = paid or before.of("role") == "level" or bool(unit_at(self.tokens, at + 1))
                return paid or at in self._faces.spent or meant in self._numbers()
        return False

    def _is_place(self, place: str) -> bool:
        building, _, spot = place.partition(" ")
        if building == "cathedral":
            return isinstance(self.order, orders.Build)
        if place == places.SUPPLY and isinstance(self.order, orders.Recruit):
            return True
        if place and place in (*getattr(self.order, "places", ()), *getattr(self.order, "targets", ())):
            return True
        if place in (self.source, self.source.partition(" ")[0]) or place in self.source.split():
            return True
        if isinstance(self.order, orders.Station):
            die = self.order.die
            colour = die.colour or dice.COLOUR_OF.get(die.die[0], "")
            goal = places.BUILDING_OF.get(colour, "")
            return building == goal and leads(self.state.box.board, building, spot, die.die[1:])
        return place in getattr(self.order, "targets", ())

    def _often(self) -> Iterator[int]:
        """How often something is done, or cubes are laid in one place."""
        order = self.order
        yield from (number for name in ("times", "cubes") if isinstance(number := getattr(order, name, 0), int))
        yield from Counter(getattr(order, "targets", ())).values()

    def _numbers(self) -> Iterator[int]:
        """The numbers that are said of the order itself."""
        order = self.order
        yield from (int(pick.die[1:]) for pick in self.picks)
        if isinstance(order, orders.Counter):
            yield from (*order.black, len(order.black))  # which stands for what is looked at by itself
        else:
            yield from (len(self.picks), *Counter(pick.die for pick in self.picks).values())
            yield from Counter(pick.die[0] for pick in self.picks).values()
        yield from self._often()
        yield from (number for name in ("citizens", "advance", "boost") if (number := getattr(order, name, 0)))
        if isinstance(order, orders.Flip):
            yield from {dice.value(dice.flipped(pick.die)) for pick in self.picks}
        yield from (dice.value(dice.flipped(die)) for die in self.turned_over)
        yield from order_cubes(order)
        for place in (self.source, *getattr(order, "places", ())):
            spot = place.partition(" ")[2]
            if spot.isdecimal():
                yield int(spot)
