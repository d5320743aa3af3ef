"""The dice of a line and whose they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.troyes.board import declared
from engine.troyes.notation.grouping import PAIR, SINGULAR, THESE, Phrase, phrase
from engine.troyes.notation.lexicon import Wordlet
from engine.troyes.notation.saying import NamedCube, NamedDie, Saying, Unplaced
from engine.troyes.notation.words import COLOURS, DICE, LINKS
from engine.troyes.state.dice import OPPOSITE
from engine.troyes.state.state import TroyesState

_BETWEEN = ("die", "district")
"""What may stand between an owner and a die."""
_WIDE = 9
"""No phrase for some dice has more words."""
_OF_TILES = ("use", "react", "discard")
"""Verbs and questions of tiles."""
UNITS = {"cubes": "cubes", "times": "times"}


def _lone_colour(token: Wordlet) -> str:
    """The letter of a colour in one whole word in the singular, as a single die may be called."""
    return token.of("colour") if len(token.text) > 1 and not token.text.endswith("s") else ""


def _is_so(die: str, letter: str, value: int) -> bool:
    return letter in ("", die[0]) and value in (0, int(die[1:] or 0))


class Listening:
    """A line that is passed once, as far as it is of dice and numbers."""

    def __init__(
        self,
        state: TroyesState,
        seat: str,
        asked: str,
        tokens: Sequence[Wordlet],
        *,
        behind: bool = False,
        loose: bool = False,
    ) -> None:
        self.state = state
        self.seat = seat
        self.asked = asked
        self.tokens = tokens
        self.behind = behind
        """Whether an owner between two dice is the first one's: «W4 gray W6» can be said of either."""
        self.loose = loose
        """Whether what has no place is passed over: such a line is never played."""
        self.either = False
        """Whether there was such an owner."""
        self.at = 0
        self.said = Saying()
        self.before = ""
        """The small word that counts: with, from, on, using, for, as."""
        self.run = 0
        self.glued = ""
        """What the last word was: a die, a source of an owner, a cube."""
        self.owner = ""
        """Whose the next die is."""
        self.column = self.buying = self.swapping = self.advancing = self.same = False
        self.gates = False
        """Whether numbers are those of outdoor tiles."""
        self.copies = 1
        """How many of the next die are meant."""
        self.lays = 0
        """How many cubes of its card the next event gets, once it was said of one."""
        self.making = False
        """Whether it follows what a die is made to show."""
        self.groups = 0
        self.gathered: list[NamedDie] = []
        """Dice that are named by how many there are."""
        self.unowned = False
        """Whether it is asked which dice are meant: of all that lie there so many, or all, are named with nobody; or
        somebody else's by its colour alone."""
        self.in_part = False
        """Whether something is only named in part."""

    def _next(self, ahead: int = 0) -> Wordlet:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else Wordlet("")

    def _once(self, slot: str, value: Any) -> None:
        """Say a thing that can be said once."""
        if getattr(self.said, slot):
            raise Unplaced
        setattr(self.said, slot, value)

    def _lead(self, before: str) -> None:
        """A small word begins a part; after a die or a cube it may belong to that."""
        self.glued = f"{self.glued} from" if before == "from" and self.glued in ("die", "cube") else ""
        self.before = before
        if not self.glued:
            self.run += 1

    # Dice and their owners.

    def _die_follows(self) -> bool:
        """Whether the next word that says something is a die, or a number that can be one."""
        ahead = 0
        while (token := self._next(ahead)).of("noise") or token.of("role") in _BETWEEN or token.of("mark") == "owns":
            ahead += 1
        lone = len(token.text) > 1 and bool(token.of("colour"))
        named = lone or bool(token.of("die") or token.of("dice"))
        return named or (1 <= token.of("number", 0) <= 6 and not self._unit(ahead + 1))

    def _unit(self, ahead: int = 0) -> bool:
        token = self._next(ahead)
        return token.of("clause") in UNITS or token.of("role") in ("citizen", "steps", "black")

    def _owner(self, owner: str) -> None:
        if self.before == "as":  # «farm with Y5 like Faye»
            raise Unplaced
        follows, last = self._die_follows(), self.said.dice[-1] if self.glued.startswith("die") else None
        if not follows and (self._of_group(owner) or self._of_same(owner)):
            return
        between = self._is_between(last)
        self.either = self.either or between
        if last is not None and (self.glued == "die from" or not follows or (between and self.behind)):
            if last.owner:
                raise Unplaced
            adjective, last.owner = self.glued == "die", owner
            self.glued = "owned"
            if between:
                self.run += 1
            elif not (adjective and last.alone):
                self._share(owner, last.run)
        elif self.owner:
            raise Unplaced
        elif follows:
            self.owner = owner
            self.glued = ""
        else:
            self.said.seats.append(owner)
            self.glued = ""

    def _of_each(self, token: Wordlet) -> bool:
        """Whether he has such a die too, as who is named behind «and» has: the die is then said of him."""
        ahead = int(self._next().of("mark") == "owns")
        link, other, die = self._next(ahead), self._next(ahead + 1), ""
        own, more = ("" if one.of("role") != "mine" else self.seat for one in (token, other))
        owner = own or token.of("owner")
        if owner and link.text in LINKS and (more or other.of("owner")):
            die = next((self._next(at).of("die") for at in (ahead + 2, ahead + 3) if self._next(at).of("die")), "")
        if die:
            self._die(NamedDie(die[0], int(die[1]), self.run, owner))
            self.at += ahead
        return bool(die)

    def _of_district(self) -> bool:
        """Whether a die is told to be of somebody's district: «W4 from Faye's district»."""
        return self.glued == "owned" and self._next().of("role") == "district"

    def _of_group(self, owner: str) -> bool:
        """Whether he is the owner of one of several dice: «both sixes, from Faye and Geoffrey»."""
        last = self.said.dice[-1] if self.said.dice else None
        if last is None or not last.group:
            return False
        dice = [die for die in self.said.dice if die.group == last.group]
        free = [die for die in dice if not die.owner]
        led = self.glued in ("die", "die from", "group") or self.before == "from"
        if not led and (not free or len(free) == len(dice)):
            return False
        if not free:
            raise Unplaced
        free[0].owner, self.glued = owner, "group"
        return True

    def _of_same(self, owner: str) -> bool:
        """Whether another die of the same face is named by its owner alone: «my Y6 and Geoffrey's», «celui de Faye»."""
        last = self.said.dice[-1] if self.said.dice else None
        owns = self._next().of("mark") == "owns" and self.before == "with"
        linked = self.at > 1 and self.tokens[self.at - 2].text in LINKS and self.tokens[self.at - 1].of("owns")
        linked = linked and last is not None and f"{last.letter}{last.value}" in self.state.dice.get(owner, ())
        if last is None or not (self.same or owns or linked):
            return False
        self.same = False
        self.said.dice.append(NamedDie(last.letter, last.value, self.run, owner))
        self.glued = "owned"
        return True

    def _mine_too(self) -> bool:
        """Whether «mine» is said of dice: one of several, the die before it, or one more such die of one's own."""
        last, before = self.said.dice[-1] if self.said.dice else None, self.tokens[self.at - 2]
        if "from" in (before.of("role"), before.of("clause")):
            return True  # «a citizen of mine»
        if last is None:
            return False
        if any(die.group == last.group and not die.owner for die in self.said.dice if die.group):
            self.glued = "die"
            return self._of_group(self.seat)
        if self.glued == "die" and not last.owner:
            last.owner = self.seat
            return True
        own = [die for die in self.state.dice[self.seat] if die[0] == last.letter]
        same = [die for die in own if int(die[1:]) == last.value] or own
        if len({*same}) != 1 or last.owner in ("", self.seat):
            return False
        self.said.dice.append(NamedDie(last.letter, int(same[0][1:]), self.run, self.seat))
        return True

    def _both_of_two(self) -> bool:
        """Whether «both» is said of the only two dice of one's own: «flip both»."""
        alone = self.asked == "turn" and self.tokens[self.at - 1].text in PAIR and not self.said.dice
        return alone and len(self.state.dice[self.seat]) == 2 and self.at == len(self.tokens)

    def _settle_group(self) -> None:
        """Who is named behind several dice has all of them, or as many are named as dice."""
        for group in {die.group for die in self.said.dice if die.group}:
            dice = [die for die in self.said.dice if die.group == group]
            owners = [die.owner for die in dice if die.owner]
            if owners and len(owners) not in (1, len(dice)):
                raise Unplaced
            for die in dice:
                die.owner = die.owner or (owners[0] if owners else "")
            self._whose(Phrase(self.seat, dice[0].letter, dice[0].value, dice[0].owner, count=len(dice)))

    def _group(self) -> bool:
        """Whether dice stand here that are named by how many there are; they are then said."""
        here = self.at - 1 if self.tokens[self.at - 1].of("number") else self.at
        lone = 0 < here < len(self.tokens) and self.tokens[here - 1].text in SINGULAR and self.tokens[here].of("number")
        if lone or self.making:  # «mon 4 et mon 2 jaunes» are two dice, «pour en faire un 5» none
            return False
        said = phrase(self.seat, self.tokens[self.at - 1 : self.at + _WIDE])
        if said is None or self._dyes():
            return said is not None
        if said.names_dice() and self.owner and not said.owner:
            said.owner, self.owner = self.owner, ""  # «Faye's two sixes»
        if not said.names_dice():
            self._once("counted", said.count)  # «three dice: Y5 Y4 Y4»
        elif (
            self.asked == "counter"
            and (self.said.verb in ("", "counter", "fight") or (self.said.verb == "use" and self.said.dice))
            and not (said.letter or said.noun or said.owner)
        ):
            return False  # black dice
        elif self._one_more_black(said):
            return False  # «5 2 1 R4»
        elif "rolls" in self.said.flags:
            self.said.dice.append(NamedDie(said.letter, 0, self.run))
        elif said.letter and said.value:
            self.groups += 1
            for _ in range(said.count or (2 if said.many else 1)):
                self._die(NamedDie(said.letter, said.value, self.run, said.owner, group=self.groups))
        else:
            self._whose(said)
            self._some_of(said)
        self.at += said.width - 1
        return True

    def _dyes(self) -> bool:
        """Whether it is the colour of the dice before it, which are told by their values: «son 5 et son 4 blancs»."""
        token, last = self.tokens[self.at - 1], self.tokens[self.at - 2]
        bare = [die for die in self.said.dice if die.value and not die.letter]
        if not (token.of("colour") and token.text.endswith("s") and len(bare) > 1 and last.of("number")):
            return False
        for die in bare:
            die.letter = token.of("colour")
        return True

    def _one_more_black(self, said: Phrase) -> bool:
        """Whether the number before a die is a black one's, listed behind others."""
        black = said.count in self.state.black and self.asked == "counter"
        return black and bool(self.said.numbers) and self.tokens[self.at - 1].text.isdigit()

    def _lone(self, token: Wordlet) -> bool:
        """Whether a die is named by its colour alone, of which its owner has one: «le rouge de Geoffrey»."""
        letter, ahead = _lone_colour(token) or self._dyed(token), 0
        last = self.said.dice[-1].letter if self.said.dice else ""
        if not letter or self.before == "as" or (last == "P" and self.before == "on"):
            return False
        lone = f"{letter}1" not in self.state.dice.get(self.owner or self.seat, ())
        while self._next(ahead).of("role") == "die" or (lone and self._next(ahead).text == "one"):
            ahead += 1  # «the red one», where there is no red 1
        at = ahead
        while "from" in (self._next(at).of("role"), self._next(at).of("clause")):
            at += 1
        behind = self._next(at).of("owner") if at > ahead else ""
        owner = self.owner or behind or self.seat
        lying = [die for die in self.state.dice.get(owner, ()) if die[0] == letter]
        if len(lying) != 1 or (self.owner and behind) or self._next(ahead).of("number"):
            return False
        bought = owner not in (self.seat, self.state.neutral) and not self.buying
        self.unowned = self.unowned or bought  # it is named, or said to be bought, or asked back
        self.at, self.owner = self.at + (at + 1 if behind else ahead), ""
        self._die(NamedDie(letter, int(lying[0][1:]), self.run, owner))
        return True

    def _dyed(self, token: Wordlet) -> str:
        """The colour of a die where a tile is called so too: «purple die», first of the dice and not said of a cube."""
        of_tile = self.before == "using" or self.glued.startswith("cube") or self.said.verb in _OF_TILES
        if not token.of("outdoor") or self.said.dice or of_tile or self.asked in _OF_TILES:
            return ""
        words = token.text.split("-")
        return next((COLOURS[word] for word in words if word in COLOURS), "") if {*words} & DICE.keys() else ""

    def _drop_told_twice(self) -> None:
        """Dice that are counted, and then named: «both my ones (Y1 and W1)»."""
        rest = [die for die in self.said.dice if not any(die is one for one in self.gathered)]
        faces = sorted((die.letter, die.value) for die in self.gathered)
        again = sorted((die.letter, die.value) for die in rest if not die.owner)
        if self.gathered and faces == again and len(again) == len(rest):
            self.said.dice = self.gathered

    def _whose(self, said: Phrase) -> None:
        """With nobody named so many dice, or all, may be somebody else's, too; both of a pair are one's own."""
        if said.owner or (said.every and said.count) or not (said.every or said.count):
            return
        if self.at > 1 and self.tokens[self.at - 2].text in THESE:
            return  # «these two sixes»: those that were just turned
        theirs = [die for seat, dice in self.state.dice.items() if seat != self.seat for die in dice if die[0] != "P"]
        self.unowned = self.unowned or any(_is_so(die, said.letter, said.value) for die in theirs)

    def _some_of(self, said: Phrase) -> None:
        """So many of somebody's dice, of one's own where nobody is named: all that are so, or one of them. Raises
        Unplaced for some of more."""
        there = self.state.dice.get(said.owner or self.seat, ())
        found = [die for die in there if _is_so(die, said.letter, said.value)]
        every = said.every or (said.many and not said.count)
        several = said.count > 1 or every
        mine = said.every and not (said.letter or said.value) and (said.owner or self.seat) == self.seat
        if mine and self.gathered and len(self.gathered) == len(found):
            return  # «everything I have: all my dice»
        if not found or said.count > len(found):
            raise Unplaced
        if len(found) > 1 and not (several or said.count or (said.noun and said.letter) or said.value):
            raise Unplaced  # «my white» may be one or all, «my die» any
        if not (several or said.letter or said.value) and any(token.of("die") for token in self.tokens):
            raise Unplaced  # «my die, the white 5»
        if several and said.count not in (0, len(found)) and len(set(found)) > 1:
            raise Unplaced
        if several or len(set(found)) == 1:
            for die in found[: said.count or (None if every else 1)]:
                self._die(NamedDie(die[0], int(die[1:]), self.run, said.owner or self.seat))
                self.gathered.append(self.said.dice[-1])
        else:
            self._die(NamedDie(said.letter, 0, self.run, said.owner or self.seat))

    def _bought_from(self) -> bool:
        """Whether a die is told to be bought from somebody: «le B6 acheté à Faye»."""
        return self.glued == "die" and (self._next().text in ("a", "from", "de") or bool(self._next().of("owner")))

    def _is_between(self, last: NamedDie | None) -> bool:
        """Whether an owner stands between two dice, and each of them may be his."""
        die = self._next().of("die")
        return last is not None and not last.owner and bool(die) and die != f"{last.letter}{last.value}"

    def _share(self, owner: str, run: int) -> None:
        for die in self.said.dice:
            if die.run == run and not die.owner:
                die.shared = owner

    def _die(self, die: NamedDie) -> None:
        said = self.said
        last = said.used[-1] if said.used else None
        if self.owner and die.owner:
            raise Unplaced
        if self.owner:
            die.owner, self.owner = self.owner, ""
        elif die.run == self.run and said.dice and said.dice[-1].run == self.run:
            named = [other.owner for other in said.dice if other.run == self.run and other.owner]
            die.shared = next((owner for owner in named if owner != self.seat), "")
        die.bought, self.buying = self.buying, False
        if self.swapping and last is not None:
            last.swaps[-1] = (last.swaps[-1][0], die)
            self.swapping = False
            said.dice.append(die)  # so that an owner behind it finds it; taken out when the line is written
        elif self.before == "on" and last is not None and last.die is None and self._asks_a_die(last):
            last.die = die
            said.dice.append(die)
        else:
            said.dice += [die, *(replace(die) for _ in range(self.copies - 1))]
            self.copies = 1
        self.glued = "die"
        self.same = False

    def _becomes(self, letter: str, value: int) -> bool:
        """Whether it is what the die before it shows when it is turned over: «flip W2 → W5». Raises Unplaced."""
        last, before = self.said.dice[-1] if self.said.dice else None, self.tokens[self.at - 2]
        led = before.of("mark") == "colon" or before.of("role") == "on" or before.of("clause") == "to"
        if last is None or not led or self.said.verb != "flip":
            return False
        if (letter, value) != (last.letter, OPPOSITE - last.value):
            raise Unplaced
        self._once("result", value)
        return True

    def _asks_a_die(self, cube: NamedCube) -> bool:
        if cube.kind == "outdoor":
            return cube.ids == ("flip_bought_die",)
        return all(declared.of(id).names for id in cube.ids)

    def _counts_black(self) -> bool:
        return self.asked == "counter" and self.said.verb in ("", "counter", "use", "fight") and not self.owner
