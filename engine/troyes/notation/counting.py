"""What the numbers of a line count: pips, steps, cubes, black dice, what it costs."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from engine.troyes.board import declared
from engine.troyes.notation.called import SMALL
from engine.troyes.notation.grouping import PAIR
from engine.troyes.notation.lexicon import Wordlet
from engine.troyes.notation.listening import UNITS, Listening
from engine.troyes.notation.opposing import leads
from engine.troyes.notation.saying import NamedDie, Unplaced
from engine.troyes.notation.slots import CHOSEN
from engine.troyes.notation.words import DICE, LINKS
from engine.troyes.state.dice import OPPOSITE


class Counting(Listening):
    """A line that is passed once, as far as its numbers go."""

    def _may_add(self) -> bool:
        """Whether the order may be one that pips are paid for."""
        said = self.said
        return said.verb == "guard" or not (said.verb or said.card or said.events or said.spots)

    def _copies(self, often: int) -> bool:
        """Whether that many of one die are meant, which lie there: «2x W3», «Faye's W3 x2»."""
        if self.glued in ("die", "owned") and self.said.dice:
            die = self.said.dice[-1]
            if (lying := self.state.dice.get(die.owner or self.seat, [])).count(f"{die.letter}{die.value}") < often:
                return False
            self.said.dice += [replace(die) for _ in range(often - 1)]
            return bool(lying)
        ahead = int(bool(self._next().of("owner")))
        die, owner = self._next(ahead).of("die"), self._next().of("owner") or self.owner or self.seat
        if not die or self.state.dice.get(owner, []).count(die) < often:
            return False
        self.copies = often
        return True

    def _adds_pips(self) -> bool:
        """Whether what follows «plus» is pips, and not another die, cubes or steps."""
        unit = self._next(1)
        other = self._counts_black() or self._unit(1) or unit.of("colour") or unit.of("owner")
        return bool(self._next().of("number")) and not other

    def _article(self, token: Wordlet) -> bool:
        """Whether «un», «one» only stands before a noun: «1 gray Y6», where it cannot be a die of that value."""
        if token.text == "1" and self._next().of("owner") and self._next(1).of("die") and not self._counts_black():
            return self.before != "with" or not any(die.endswith("1") for die in self.state.dice[self.seat])
        if token.text == "one" and self.at > 1 and self.tokens[self.at - 2].of("role") == "highest":
            return True
        after = self._next()
        if not token.text.isdigit() and after.of("role") == "black" and self._next(1).of("number"):
            return bool(token.of("number") == 1)  # «one black 3»
        if self._one():
            return False
        unit = after.of("clause") in (*UNITS, "influence", "vp") or after.of("role") in ("citizen", "price", "steps")
        return token.of("number") == 1 and bool(token.of("noise")) and not unit

    def _is_shown(self, number: int) -> bool:
        """Whether a number is what the die before it is to show: it is led to, or in brackets; or it would be that and
        nothing links it to the die: «flip Y2, now 5»."""
        at = self.at - 2
        while at > 0 and self.tokens[at].text in SMALL:
            at -= 1
        linked = self.tokens[at].of("mark") in ("and", "plus")
        shown = number == OPPOSITE - self.said.dice[-1].value and not linked
        return shown or self.before == "on" or self._in_brackets()

    def _in_brackets(self) -> bool:
        """Whether a bracket is opened before a word: «flip Y2 (5)»."""
        return self.at > 1 and self.tokens[self.at - 2].text == "("

    def _number(self, number: int) -> None:
        while {*self._next().senses} == {"filler"}:
            self.at += 1  # «one whole denier»
        said, unit = self.said, self._next()
        turns = said.verb in ("reroll", "flip")
        if (turns or self.asked == "turn") and not said.card and self._cost(-1):
            pass
        elif said.dice and (self.making or (said.verb == "flip" and self._is_shown(number))):
            self.making = False
            self._once("result", number)
        elif number == 2 and unit.of("place") and said.spots:
            self._lead("on")  # «palace 5 2 city hall»
        elif said.verb == "guard" and said.dice and unit.of("role") == "more":
            said.pips.append(number)
            self.at += 1
        elif self.column:
            said.columns.append(number)
            self.column = False
        elif self._lays() and self._lays_on(unit):
            self.at, self.lays = self.at + (unit.of("clause") == "cubes"), number  # «one on war»
        elif unit.of("clause") in UNITS:
            self.at += 1
            if said.verb == "guard" and unit.of("clause") == "cubes":
                said.cubes += number  # «one cube on I and one cube on II»
            else:
                self._once(UNITS[unit.of("clause")], number)
            self.glued = "cube" if unit.of("clause") == "cubes" else ""
        elif unit.of("role") == "citizen":
            self._once("citizens", 0 if number == 1 else number)
        elif unit.of("clause") in ("influence", "vp"):
            self.at += 1
            said.gains += [unit.of("clause")] * number
        elif self.advancing or unit.of("role") == "steps":
            self.advancing, self.glued = False, ""
            self._once("advance", number)
        elif self._counts_black() and self._every(number):
            said.numbers += [number] * self._blacks(number)
            said.flags.discard("both")
        elif self._counts_black() and self._several(number, unit):
            self.at += 1  # «two fives», «deux 5»
            said.numbers += [unit.of("number")] * number
        elif number == 1 and self._one():
            said.numbers.append(self._one_of())
            while self._next().of("number") != said.numbers[-1] or self._next(1).of("number") == said.numbers[-1]:
                self.at += 1
            self.at += 1
        elif self._counts_black() and self._all_black(number):
            said.flags.add("both")  # «all four», «the three black dice»
        elif unit.of("activity") and self._next(1).of("clause") == "cubes":
            self._once("cubes", number)
        elif self._is_of_owner(number) or self._is_own(number) or (turns and 1 <= number <= 6):
            self._die(NamedDie("", number, self.run))
        elif self._alike(number):
            self._die(NamedDie(said.dice[-1].letter, number, self.run))  # «red 3 and 1»
        elif (self.owner and 1 <= number <= 6) or (said.verb == "farm" and self._yellow(number)):
            self._die(NamedDie("", number, self.run))
        elif self._counts_black() or self.before == "on" or said.verb in ("recruit", "settle") or self._steps_on():
            said.numbers.append(number)
        elif self.before == "with" and 1 <= number <= 6:
            self._die(NamedDie("", number, self.run))
        else:
            said.numbers.append(number)

    def _is_of_owner(self, number: int) -> bool:
        """Whether it is somebody's die of that value: «the 6 from Geoffrey»."""
        leads = "from" in (self._next().of("role"), self._next().of("clause"))
        owner = self._next(1).of("owner") if leads and self.asked == "turn" else ""
        return bool(owner) and any(die[1:] == str(number) for die in self.state.dice.get(owner, ()))

    def _is_own(self, number: int) -> bool:
        """Whether it is a die of one's own that is put in against black ones: «put the six in»."""
        puts = self._counts_black() and ("put" in self.said.flags or self.said.verb == "use") and not self.said.dice
        own = [die for die in self.state.dice[self.seat] if die[1:] == str(number)]
        return puts and bool(own) and not self._blacks(number)

    def _yellow(self, number: int) -> bool:
        """Whether a number behind «farm» is what a die of one's own shows, and not how many there are."""
        here = [die for die in self.state.dice[self.seat] if die[0] in "YP"]
        counts = self._unit() or self.owner or number == len(here)
        return not counts and any(die[1:] == str(number) for die in here)

    def _alike(self, number: int) -> bool:
        """Whether it is one more die of the colour that the die before «and» has."""
        before, link = self.tokens[max(self.at - 3, 0)], self.tokens[self.at - 2].text
        if link not in LINKS or not self.said.dice or not (before.of("die") or before.of("number")):
            return False
        last = self.said.dice[-1]
        there = [die for owner in (self.seat, last.owner) for die in self.state.dice.get(owner, ())]
        alike = [die for die in there if die[1:] == str(number) and die.startswith(last.letter)]
        return self.said.verb != "guard" and not self._unit() and bool(alike)

    def _shown_again(self) -> bool:
        """Whether the line ends with what the dice show that are counted before: «my three whites, 3 2 and 1»."""
        shown = sorted(die.value for die in self.gathered)
        if len(shown) < 2:
            return False
        said = (self.tokens[at] for at in range(self.at - 1, len(self.tokens)) if not self.tokens[at].of("mark"))
        again = sorted(token.of("number", 0) for token in islice(said, len(shown) + 1)) == shown
        self.at = len(self.tokens) if again else self.at
        return again

    def _lays_on(self, unit: Wordlet) -> bool:
        """Whether a number counts cubes: «two cubes», «one on war»."""
        onto = unit.of("role") == "on" and bool(self.lays or self._next(1).of("event"))
        return onto or unit.of("clause") == "cubes"

    def _lays(self) -> bool:
        """Whether the card lays cubes on events that are chosen."""
        ids = self.said.card
        known = self.said.verb == "activate" and len(ids) == 1 and ids[0] in self.state.box.activities
        return known and CHOSEN.get(declared.of(ids[0]).chooses) == "events"

    def _several(self, number: int, unit: Wordlet) -> bool:
        """Whether a number counts black dice of a value: «two fives», «deux 5»; but «2 1» names a 2 where one lies."""
        value = unit.of("number", 0)
        named = self.tokens[self.at - 1].text.isdigit() and self._blacks(number)
        few = self._blacks(value) >= number and (number > 1 or not self._blacks(1))
        return bool(value) and (bool(unit.of("plural")) or (few and not named))

    def _every(self, number: int) -> bool:
        """Whether a number is what all of some black dice show: «both 3s», «les deux 3». Raises Unplaced for «both» of
        more."""
        token, before = self.tokens[self.at - 1], self.tokens[self.at - 2] if self.at > 1 else Wordlet("")
        pair, here = before.text in PAIR, self._blacks(number)
        if self.before == "with" or before.of("role") != "both" or not here or not (pair or token.of("plural")):
            return False
        if pair and here != 2:
            raise Unplaced
        return True

    def _blacks(self, value: int) -> int:
        return self.state.black.count(value)

    def _steps_on(self) -> bool:
        """Whether the guard has its one die, so that no number is another."""
        return self.said.verb == "guard" and bool(self.said.dice)

    def _all_black(self, number: int) -> bool:
        """Whether a number counts the black dice: «all three», «the three black dice». Raises Unplaced for some."""
        here, both = len(self.state.black), self.at > 1 and self.tokens[self.at - 2].of("role") == "both"
        pair = (self._next(), self._next(1)) if self._next().of("role") == "die" else (self._next(),)
        pair = (*pair, self._next(1)) if self._next(1).of("role") == "die" else pair
        many = any(one.text.endswith("s") or DICE.get(one.text) == "many" for one in pair)
        if many and any(one.of("role") == "black" for one in pair) and number != here:
            if self._blacks(number) and self.tokens[self.at - 2].of("number") == 1:
                return False  # «un 2 noirs»
            raise Unplaced
        counts = many and any(one.of("role") == "black" for one in pair)
        return number == here and (both or counts or number not in self.state.black)

    def _one(self) -> bool:
        """Whether one of several black dice is meant."""
        return self._counts_black() and leads(self._next()) and bool(self._one_of())

    def _one_of(self) -> int:
        """The value of which one is meant: «one of the fives», «un des cinq»."""
        ahead = 1
        while self._next(ahead).of("noise") and not self._next(ahead).of("number"):
            ahead += 1
        ahead += bool(self._next(ahead + 1).of("plural") or self._next(ahead + 1).of("number"))  # «of the two fives»
        number: int = self._next(ahead).of("number", 0)
        return number if self._blacks(number) else 0

    def _cost(self, ahead: int = 0) -> bool:
        """Whether a number and what it counts follow, which is what the order costs."""
        article = int(self._next(ahead).text in ("a", "an"))
        number, unit = self._next(ahead).of("number") or article, self._next(ahead + 1)
        if unit.text in ("d", "of"):
            unit, ahead = self._next(ahead + 2), ahead + 1
        if not number or not (unit.of("clause") == "influence" or unit.of("role") == "price"):
            return False
        if self.said.cost[0]:
            raise Unplaced
        self.said.cost = (number, unit.of("clause") or "deniers")
        self.at += ahead + 2
        return True

    def _costs(self) -> bool:
        """What the order is said to cost, with or without what of: «costs me 1 influence», «pay 4»."""
        ahead, owners = 0, [die.owner for die in self.said.dice if die.owner]
        while self._next(ahead).of("role") in ("courtesy", "his") or self._next(ahead).of("owner") in owners:
            ahead += 1  # «pay her 2», «pay Faye 2»
        number = self._next(ahead).of("number", 0)
        if self._cost(ahead):
            return True
        if not number or self.said.cost[0] or self._next(ahead + 1).of("colour"):
            return False
        self.said.cost, self.at = (number, ""), self.at + ahead + 1
        return True

    def _pays_for(self) -> bool:
        """Whether somebody is paid for a die of his: «je paie à Anna son 5»."""
        ahead = int(self._next().text == "a")
        owner = self._next(ahead).of("owner")
        if not owner or self.owner or self._next(ahead + 1).of("role") != "his":
            return False
        self.owner, self.at = owner, self.at + ahead + 2
        return True

    def _unpaid(self) -> bool:
        """Whether it is said that nothing is paid: «no extra money», «sans argent»."""
        ahead = 0
        while self._next(ahead).of("role") == "more":
            ahead += 1
        if self._next(ahead).of("role") != "price":
            return False
        self.at += ahead + 1
        self.said.flags.add("unpaid")
        return True
