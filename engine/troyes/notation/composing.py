"""What a line says, written as canonical lines: one for each thing that it can mean.

An order takes only what is its own (`slots.TAKES`): a line that says more is not understood, nothing is passed over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, product
from math import prod

from engine.troyes.actions import reactions
from engine.troyes.board import declared
from engine.troyes.board.choices import PLACE, USE
from engine.troyes.board.words import event_word, typed
from engine.troyes.notation.agreeing import columns_agree, costs_so, leads, level_agrees, shows
from engine.troyes.notation.saying import NamedCube, NamedDie, Saying, Unplaced, named_once
from engine.troyes.notation.slots import CHOSEN, SPOKEN, TAKES
from engine.troyes.state import dice, places
from engine.troyes.state.picks import Pick
from engine.troyes.state.state import TroyesState

MOST = 9
"""Meanings that are told at most."""
_TRIED = 64
"""Ways to understand a line that are looked at, at most: a long line can have more than anybody can count."""


class Composer:
    """The lines that one `Saying` can mean with a verb. Raises Unplaced for none."""

    def __init__(self, state: TroyesState, seat: str, verb: str, said: Saying, *, loose: bool = False) -> None:
        self.state = state
        self.seat = seat
        self.verb = verb
        self.said = said
        self.doubt = False
        """Whether somebody else's die may be meant where nobody is named with it, and only that could be played."""
        self.there = False
        """Whether all dice of a line lie where it says."""
        self.told = False  # whether the place tells what its die shows
        self.written = self._lines(loose)

    def _lines(self, loose: bool) -> tuple[str, ...]:
        """All that it can mean, once each. Raises Unplaced."""
        spoken = {slot for slot in SPOKEN if getattr(self.said, slot)} | self.said.flags
        if self.verb != "counter" and len(self.said.dice) > 1:
            spoken.discard("both")  # «both Y5 and Y4»
            if self.said.is_twice(self.seat, self.state.dice):
                raise Unplaced
        spoken -= {"cube", "thing", "gate"} if self.said.used else set()
        spoken -= {"district"} if self.said.dice or self.said.seats else set()
        spoken.discard("again")
        if self.verb == "activate" and {"put", "cube"} <= self.said.flags and self.said.events:
            spoken.discard("put")  # «and the cube goes on war»
        if "put" in self.said.flags:
            spoken.discard("then")  # «take him, then put him»
        costs = loose or costs_so(self.said, self.verb, self.seat, self.state.box.board)
        if not costs or (not loose and spoken - set(TAKES[self.verb].split())):
            raise Unplaced
        lines = tuple(islice(dict.fromkeys(islice(_LINES[self.verb](self), _TRIED)), MOST))
        if not lines:
            raise Unplaced
        return lines

    # Dice.

    def _dice(self, colours: Iterable[str] = dice.COLOURS) -> Iterator[str]:
        """The dice of the order, in each way they can be meant."""
        inner = {id(die) for cube in self.said.used for die in (cube.die, *(swap[1] for swap in cube.swaps))}
        outer = named_once([die for die in self.said.dice if id(die) not in inner])
        meant = [self._meant(die, tuple(colours)) for die in outer]
        if prod(map(len, meant)) > _TRIED or self.said.counted not in (0, len(outer)):
            raise Unplaced
        ways = list(product(*meant))
        there = [way for way in ways if self._lie_there(way)]
        self.there = self.there or bool(there)
        yield from (" ".join(pick.word(self.seat) for pick in way) for way in there or ways)

    def _lie_there(self, way: tuple[Pick, ...]) -> bool:
        """Whether every district has as many of its dice as are named."""
        count = Counter((pick.owner, pick.die) for pick in way)
        return all(self.state.dice.get(owner, []).count(die) >= n for (owner, die), n in count.items())

    def _meant(self, die: NamedDie, colours: tuple[str, ...]) -> list[Pick]:
        """What one die can be. Raises Unplaced for nothing."""
        if die.bought and die.owner in ("", self.seat):
            raise Unplaced
        owners = [die.owner or self.seat]
        if die.shared and not die.owner:
            both = [owner for owner in (die.shared, self.seat) if self._letters(die, owner, colours)]
            others = [owner for owner in self.state.dice if owner not in (die.shared, self.seat)]
            third = any(self._letters(die, owner, colours) for owner in others)
            self.doubt = self.doubt or (both == [die.shared] and third)
            owners = both or owners
        taken = dice.COLOUR_OF.get(die.colour, "")
        if not die.value:  # whichever it is of a colour
            faces = dict.fromkeys(face for face in self.state.dice[die.owner] if face[0] == die.letter)
            return [Pick(die.owner, face, taken) for face in faces]
        ways = [(owner, letter) for owner in owners for letter in self._letters(die, owner, colours)]
        if not ways and not die.letter:
            raise Unplaced
        return [Pick(owner, f"{letter}{die.value}", taken) for owner, letter in ways or [(owners[0], die.letter)]]

    def _letters(self, die: NamedDie, owner: str, colours: tuple[str, ...]) -> list[str]:
        """The letters with which the die lies in a district."""
        wanted = [die.letter] if die.letter else [dice.LETTERS[colour] for colour in colours]
        if not die.letter and owner == self.seat:
            wanted.append("P")
        return [letter for letter in wanted if f"{letter}{die.value}" in self.state.dice.get(owner, ())]

    # Cubes.

    def _using(self) -> str:
        return "".join(f" using {self._cube(cube)}" for cube in self.said.used)

    def _cube(self, cube: NamedCube) -> str:
        ids = cube.ids
        if cube.kind == "activity" and len(ids) > 1:
            ids = tuple(id for id in ids if (card := self.state.card(id)) and card.cubes.get(self.seat))
        if len(ids) != 1:
            raise Unplaced
        word = typed(ids[0])
        if cube.swaps:
            pairs = [(self._one(own), self._one(other)) for own, other in cube.swaps]
            return f"{word}: {', '.join(f'{own} for {other}' for own, other in pairs)}"
        detail = typed(cube.card[0]) if len(cube.card) == 1 else self._one(cube.die) if cube.die else ""
        return f"{word}: {detail}" if detail else word

    def _one(self, die: NamedDie) -> str:
        found = self._meant(die, dice.COLOURS)
        if len(found) != 1:
            raise Unplaced
        return found[0].word(self.seat)

    # Orders.

    def settle(self) -> Iterator[str]:
        yield f"settle {', '.join(map(typed, self.said.spots))}"

    def turned(self) -> Iterator[str]:
        yield from (f"{self.verb} {words}" for words in self._dice() if words and shows(self.said, words, flips=True))

    def recruit(self) -> Iterator[str]:
        numbers = [*self.said.numbers, *([self.said.citizens] if self.said.citizens else ())]
        if len(numbers) > 1 or self.said.source not in ("", places.SUPPLY):
            raise Unplaced
        yield f"recruit {numbers[0] if numbers else 1}"

    def activate(self) -> Iterator[str]:
        said = self.said
        for id in said.card:
            if id not in self.state.box.activities:
                yield f"activate {typed(id)}"  # it is refused for that
                continue
            hiring = "hiring " if "hire" in said.flags or {"put", "citizen"} <= said.flags else ""
            said.source = said.source or self._hired_at(id, hiring)
            card = self.state.card(id)
            if said.source and ("citizen" in said.flags or (card is not None and not card.has(self.seat))):
                hiring = "hiring "  # «the tradesman comes from palace 5»; where nobody is on the card, who else
            if "citizen" in said.flags and not hiring:
                raise Unplaced
            if said.source and not hiring:
                raise Unplaced
            targets = self._targets(id)
            times = f"{said.times} times " if said.times else ""
            for source in self._sources():
                for words in self._dice(self.state.activity(id).dice):
                    origin = f"{hiring}from {typed(source)} " if source and hiring else hiring
                    origin += f"to space {said.space} " if said.space else ""
                    named = f"activate {typed(id)} {origin}{times}" + (f"with {words}{self._using()}" if words else "")
                    yield f"{named}: {targets}" if targets else named

    def _hired_at(self, id: str, hiring: str) -> str:
        """The place of who is hired, where it is said like a goal: «hiring my citizen in bishopric 3.2»."""
        here = [spot for spot in self.said.spots if " " in spot and spot in map(str, self.state.whereabouts(self.seat))]
        chooses = CHOSEN.get(declared.of(id).chooses) == "spots"
        if not hiring or len(here) != 1 or (len(self.said.spots) != 1 and not chooses):
            return ""
        self.said.spots.remove(here[0])
        return here[0]

    def _sources(self) -> list[str]:
        """Where a citizen comes from: as said, or each place where there is a choice; else what stands there assumes
        the supply, or asks."""
        said = self.said
        if said.source or not ({"hire", "put"} & said.flags or self.verb == "place"):
            return [said.source]
        there = [str(place) for place in dict.fromkeys(self.state.whereabouts(self.seat))]
        return [""] if self.state.houses[self.seat].supply or len(there) < 2 else there

    def _targets(self, id: str) -> str:
        """What stands after the colon. Raises Unplaced for choices that the card does not ask."""
        said, card = self.said, self.state.activity(id)
        slot = CHOSEN.get(declared.of(id).chooses, "")
        foreign = {"spots", "gains", "columns", "seats", "events"} - {slot}
        if any(getattr(said, other) for other in foreign) or (said.mixed and card.kind != "mixed"):
            raise Unplaced
        if said.numbers and (said.columns if slot == "columns" else not said.mixed or said.cubes or said.numbers[1:]):
            raise Unplaced
        if said.answer:
            if said.answer != "none" or said.numbers or said.mixed or said.cubes or (slot and getattr(said, slot)):
                raise Unplaced
            return "nothing"
        numbers = said.numbers if slot == "columns" else []
        chosen = [self._choice(slot, one) for one in (getattr(said, slot) or numbers)] if slot else []
        if card.kind == "mixed":
            cubes = said.cubes or (said.numbers[0] if said.numbers else 0)
            if cubes and said.times:
                raise Unplaced
            how = said.mixed or (PLACE if cubes else "")
            count = f" {cubes}" if cubes else ""
            if not how and chosen:
                how = USE
            return ", ".join((f"{how}{count}", *chosen)) if how else ""
        if said.cubes or ("cube" in said.flags and not said.used and not said.events):
            raise Unplaced
        if len(chosen) == 1 and slot == "events" and said.every and not said.times:
            return f"all {chosen[0]}"  # «cubes on brigands»
        return ", ".join(chosen * said.times if len(chosen) == 1 and said.times else chosen)

    def _choice(self, slot: str, one: object) -> str:
        if slot == "events":
            ids: tuple[str, ...] = one  # type: ignore[assignment]
            if len(ids) != 1:
                raise Unplaced
            return self._event(ids[0])
        return typed(str(one))

    def _event(self, id: str) -> str:
        return event_word(self.state, id) if self.state.threat(id) else typed(id)

    def build(self) -> Iterator[str]:
        if self.said.spots not in ([], ["cathedral"]) or self.said.cubes not in (0, len(self.said.dice)):
            raise Unplaced
        for words in self._dice(("white",)):
            if columns_agree(self.said, words) and level_agrees(self.said, words, self.state.cathedral):
                yield f"build with {words}{self._using()}"

    def fight(self) -> Iterator[str]:
        said = self.said
        if len(said.events) != 1 or (said.cubes and said.times) or bool(said.seats) != ("free" in said.flags):
            raise Unplaced
        count = said.cubes or said.times
        cubes = f" {count} cubes" if count else ""
        freed = f": free {', '.join(said.seats)}" if said.seats else ""
        for id in said.events[0]:
            colours = self.state.event(id).dice if self.state.threat(id) else dice.COLOURS
            for words in self._dice(colours):
                yield f"fight {self._event(id)}{cubes} with {words}{self._using()}{freed}"

    def place(self) -> Iterator[str]:
        """A citizen; where he goes must be where the die leads."""
        said = self.said
        if len(said.spots) == 2 and not said.source:
            first = 0 if " " in said.spots[0] else 1
            if said.spots[first] in map(str, self.state.whereabouts(self.seat)):
                said.source = said.spots.pop(first)  # «my man on palace 5 goes to city hall»
        goal = said.spots[0] if said.spots else ""
        on, _, spot = goal.partition(" ")
        if len(said.spots) > 1 or (goal and on not in places.BUILDINGS) or (spot and said.used):
            raise Unplaced
        colour = places.COLOUR_OF_BUILDING.get(on, "")
        for words in self._dice((colour,) if colour else dice.COLOURS):
            letter, value = words.rpartition(":")[2][:1], words.partition(" ")[0][-1:]
            if " as " in words:
                letter = words[-1]
            elif letter == "P" and colour and not said.used:
                words = f"{words} as {dice.LETTERS[colour]}"
                letter = dice.LETTERS[colour]
            goes = dice.LETTERS.get(colour) == letter and leads(self.state.box.board, on, spot, value)
            self.told = self.told or (goes and on == places.PALACE and bool(spot))
            if goal and goal in said.bare and not said.source and not (goes and not spot):
                yield f"place {words} from {typed(goal)}"
            if not goal or goes:
                yield from (
                    f"place {words}{f' from {typed(source)}' if source else ''}{self._using()}"
                    for source in self._sources()
                )

    def farm(self) -> Iterator[str]:
        yield from (f"farm {words}{self._using()}" for words in self._dice(("yellow",)))

    def counter(self) -> Iterator[str]:
        said, black = self.said, self.said.numbers
        if len({bool(black), bool({"both", "highest"} & said.flags)}) == 1 and black:
            raise Unplaced
        if said.answer:
            if said.answer != "none" or black or said.dice:
                raise Unplaced
            yield "counter none"
            return
        if "both" in said.flags:
            black = self.state.black
        elif "highest" in said.flags:
            black = self.state.black[:1]
        numbers = " ".join(map(str, black))
        for words in self._dice():
            yield f"counter {numbers} {f'with {words}' if words else ''}{self._using()}"

    def threatened(self) -> Iterator[str]:
        """Orders that name events alone."""
        if set(self.said.numbers) - {1}:
            raise Unplaced
        for ids in product(*self.said.events):
            yield f"{self.verb} {', '.join(map(self._event, ids))}"

    def guard(self) -> Iterator[str]:
        said = self.said
        if said.cubes not in (0, 1, len(said.tiles)):
            raise Unplaced
        pips = sum(said.pips) or said.cost[0]
        boost = f" +{pips}" if pips else ""
        if len(said.numbers) > 1 or (said.numbers and said.advance) or (pips and "unpaid" in said.flags):
            raise Unplaced
        if pips and said.cost[0] not in (0, pips):
            raise Unplaced
        advance = said.advance or sum(said.numbers)
        steps = [f"advance {advance}"] if advance else []
        steps += [f"cube {typed(ids[0])}" for ids in said.tiles if len(ids) == 1]
        for words in self._dice():
            if shows(self.said, words, pips):
                yield f"guard {words}{boost}{self._using()}{': ' if steps else ''}{', '.join(steps)}"

    def _tile(self) -> str:
        if len(self.said.tiles) > 1 or any(len(ids) != 1 for ids in self.said.tiles):
            raise Unplaced
        return typed(self.said.tiles[0][0]) if self.said.tiles else ""

    def use(self) -> Iterator[str]:
        if "rolls" in self.said.flags:  # «white die» is a name of that tile
            self.said.tiles = list(dict.fromkeys(self.said.tiles))
        tile, rolls = self._tile(), self.said.dice
        rolled = [letter for colour, letter in dice.LETTERS.items() if tile == f"reroll-{colour}"]
        if rolls or "rolls" in self.said.flags:  # «use III and roll a white die»
            wrong = [die for die in rolls if die.owner not in ("", self.seat) or [die.letter] != rolled]
            if wrong or not rolled or len(rolls) > 1 or "rolls" not in self.said.flags:
                raise Unplaced
        yield f"use {tile}"

    def react(self) -> Iterator[str]:
        said, tile = self.said, self._tile()
        if said.answer not in ("", "no", "none", "yes", "keep") or (tile and said.answer not in ("", "yes")):
            raise Unplaced
        if said.answer == "yes" and not tile:
            tile = typed(reactions.asked_tile(self.state.agenda[-1]))
        yield f"react {tile or 'no'}" if tile or said.answer else "react"

    def auto(self) -> Iterator[str]:
        yield f"auto: react {self._tile()} {self.said.answer}"

    def give(self) -> Iterator[str]:
        said, found = self.said, [*self.said.spots, *([self.said.source] if self.said.source else ())]
        hires = not found and (said.verb == "recruit" or "hire" in said.flags)
        if (len(found) != 1 and not hires) or set(said.numbers) - {1}:
            raise Unplaced
        yield f"give {'recruit' if hires else typed(found[0])}"

    def discard(self) -> Iterator[str]:
        if self.said.numbers not in ([], [1]) or self.said.cubes > 1:
            raise Unplaced
        found = [ids for ids in (self.said.card, (self.said.source,)) if any(ids)]
        found += [*self.said.tiles, *(cube.ids for cube in self.said.used)]
        if len(found) != 1:
            raise Unplaced
        yield from (f"discard {typed(id)}" for id in found[0])

    def release(self) -> Iterator[str]:
        if len(self.said.seats) != 1:
            raise Unplaced
        yield f"release {self.said.seats[0]}"

    def passed(self) -> Iterator[str]:
        yield "pass"


_LINES: dict[str, Callable[[Composer], Iterator[str]]] = {
    "settle": Composer.settle,
    "reroll": Composer.turned,
    "flip": Composer.turned,
    "recruit": Composer.recruit,
    "activate": Composer.activate,
    "build": Composer.build,
    "fight": Composer.fight,
    "place": Composer.place,
    "farm": Composer.farm,
    "pass": Composer.passed,
    "counter": Composer.counter,
    "support": Composer.threatened,
    "target": Composer.threatened,
    "guard": Composer.guard,
    "use": Composer.use,
    "react": Composer.react,
    "auto": Composer.auto,
    "give": Composer.give,
    "discard": Composer.discard,
    "release": Composer.release,
}
"""The verb to what writes its lines."""
