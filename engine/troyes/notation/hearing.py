"""What the words of a line say of an order, in whatever order they stand: the verb, dice and owners, cards, places.

The words are passed once from the left. What stands before a word decides what it is: «from palace 4» is where a
citizen comes from, «on palace 4» where he goes. Every word finds its place or the line is not understood (`Unplaced`);
which places an order has is for `composing` to say.
"""

from __future__ import annotations

from engine.troyes.notation.grouping import Phrase
from engine.troyes.notation.lexicon import Wordlet
from engine.troyes.notation.naming import Naming
from engine.troyes.notation.saying import NamedDie, Saying, Unplaced
from engine.troyes.notation.words import ARTICLES, DOES

_STAND_INS = ("use", "")
"""Verbs that a later one may take the place of: «use Y5 to activate …»."""
_LEADS = {"use": "using", "target": "on"}
"""Verbs that behind another one only lead to what that one takes."""
_TAKEN = {"use": "yes", "guard": "keep"}
"""What the bare verb answers where a cube may be used or kept."""
_FLAGS = frozenset(
    (
        *("citizen", "both", "highest", "turn", "then", "exploit", "put", "black", "steps", "more", "each", "again"),
        *("district", "thing"),
    )
)
_SILENT = frozenset(("die", "take", "mine", "courtesy"))


class Hearing(Naming):
    """One line, passed once."""

    def hear(self) -> Saying:
        """Everything the line says. Raises Unplaced."""
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            try:
                self._word(token)
            except Unplaced:
                if not self.loose:
                    raise
        self._settle_group()
        self._drop_told_twice()
        if self.loose:
            return self.said
        if self.owner or self.buying or self.swapping or self.column or self._breaks_off():
            raise Unplaced
        if self._only_calls():
            raise Unplaced
        spot = self.asked == "settle" and any(" " in spot for spot in self.said.spots)  # «pal 6»
        if self.in_part and not (self.said.verb or self.said.dice or spot):  # prose may hold it
            raise Unplaced
        return self.said

    def _from(self) -> bool:
        return bool(self._next().of("role") == "from")

    def _only_calls(self) -> bool:
        """Whether somebody is called and nothing else is said: «people, please»."""
        says = [token.of("role") for token in self.tokens if not token.of("mark") and token.of("role") != "courtesy"]
        return says == ["citizen"]

    def _breaks_off(self) -> bool:
        """Whether the line ends with a word that something must follow."""
        last = self.tokens[-1]
        return last.of("mark") in ("and", "plus", "colon") or last.of("role") in ("with", "using", "from", "on")

    def _word(self, token: Wordlet) -> None:
        self.in_part = self.in_part or token.of("part", False)
        if mark := token.of("mark"):
            self._mark(mark)
        elif self._shown_again() or (token.text == "ones" and self.tokens[self.at - 2].of("role") == "black"):
            pass  # «both the black ones»
        elif self._lone(token) or self._group():
            self.glued = "die"
        elif token.of("role") == "same" or (token.text == "one" and self._from() and not self._one()):
            self.same = True
        elif (die := token.of("die")) and not self._becomes(die[0], int(die[1])):
            alone = self.at > 1 and self.tokens[self.at - 2].text in ARTICLES
            self._die(NamedDie(die[0], int(die[1]), self.run, token.of("whose"), alone=alone))
        elif die:
            pass
        elif self._of_each(token):
            pass  # «my and Faye's Y5»
        elif token.of("owner") or (token.of("role") == "mine" and self._die_follows()):
            self._owner(token.of("owner", self.seat))
        elif self._verb(self._verb_of(token)) or self._thing(token):
            self.glued = ""
        elif often := token.of("often"):
            if not self._copies(often):
                self._once("times", often)
        elif token.of("ordinal") and self._next().of("event"):
            pass  # «the second brigands»
        elif token.of("ordinal") == 1 and self._ends_here():
            pass  # «reroll W1 first»
        elif self._is_whom(token):
            self.said.flags.add("citizen")
        elif self.gates and self._tile(Wordlet(token.text, {"level": token.of("number", 0)})):
            pass  # «gates 1, 2 and 3»
        elif token.of("number") and not self._article(token):
            self._number(token.of("number"))
        elif self.before == "as" and self._colour(token):
            pass  # «as W», where «w» is no «with»
        elif not (self._clause(token.of("clause")) or self._role(token.of("role")) or self._colour(token)):
            silent = (token.of("noise") or token.of("filler")) and not self._does(token)
            if not silent and not self._article(token) and not self._is_me(token):
                raise Unplaced
            after, turned = self._next(), self.said.verb == "flip" and bool(self.said.dice)
            if token.text == "a" and (after.text in ARTICLES or after.of("place") or (turned and after.of("number"))):
                # «à», no article
                self.before = "on"

    def _does(self, token: Wordlet) -> bool:
        """Whether a card, a tile or an event does what a word says: «Procession counts it»."""
        before = self.tokens[self.at - 2] if self.at > 1 else Wordlet("")
        return token.text in DOES and any(map(before.of, ("activity", "outdoor", "event")))

    # Marks and small words.

    def _mark(self, mark: str) -> None:
        if mark == "colon":
            self.before, self.run, self.glued = "on", self.run + 1, ""
        elif mark == "plus" and self._may_add() and self._adds_pips():
            moved = self.said.advance or self.said.numbers or self.said.tiles or "cube" in self.said.flags
            if self.glued not in ("die", "owned") and (moved or not self.said.dice):
                raise Unplaced
            self.said.pips.append(self._next().of("number"))
            self.at += 1
        elif mark == "owns":
            if not self.owner and not self.said.seats and not self._of_district():
                raise Unplaced
        elif mark != "aside":
            self.glued = ""

    # Verbs.

    def _verb(self, verb: str) -> bool:
        said = self.said
        if not verb:
            return False
        if verb == "pass" and said.answer == "none":
            said.answer = ""  # «nothing for me, I pass»
        if verb == "reroll" and said.verb == "use" and said.tiles:
            said.flags.add("rolls")  # «use III and roll a white die»
            return True
        if verb == "fight" and self.at > 1 and self.tokens[self.at - 2].of("event") and self._suffers():
            raise Unplaced  # «the brigands hit R3»
        if self.asked == "react" and verb in _TAKEN:
            self._answer(_TAKEN[verb])
            return True
        if said.verb in ("", "activate") and verb in ("place", "use") and not said.mixed and self._mixed(said.card):
            said.mixed, said.verb = verb, "activate"
        elif said.verb and verb in _LEADS and not (verb == "use" and said.verb in _STAND_INS):
            self._lead(_LEADS[verb])
            return True
        elif verb == "place" and "put" in said.flags and said.verb:
            return False
        elif said.verb in _STAND_INS or (said.verb == "place" and verb == "settle"):
            said.verb = verb
            self.before = "with" if verb == "use" else ""
            self.run += 1
        elif verb == "pass" and not (said.dice or said.events or said.card or said.spots):
            said.verb = verb  # «I stop here, pass»
        elif said.verb == verb:
            pass
        elif said.verb == "fight" and verb == "release":
            said.flags.add("free")
        else:
            return False
        self.glued, self.gates = "", False
        return True

    def _suffers(self) -> bool:
        """Whether a die that no small word leads to follows: something is done to it."""
        after = self._next()
        return not self.said.dice and after.of("role") != "with" and (bool(after.of("owner")) or self._die_follows())

    # The rest.

    def _clause(self, clause: str) -> bool:
        said = self.said
        match clause:
            case "using" | "from":
                self._lead(clause)
            case "to":
                self._lead("on")
            case "as":
                self.before = "as"
            case "space" if said.verb == "activate" and (number := self._next().of("number")):
                self.at += 1
                self._once("space", number)
            case "for":
                self._for()
            case "twice" | "once":
                self._once("times", 2 if clause == "twice" else 1)
            case "cubes":
                self.glued, said.every = "cube", said.every or self.tokens[self.at - 1].text.endswith("s")
                said.flags.add("cube")
            case "advance":
                self.advancing = True
                said.flags.add(clause)
                said.verb = said.verb or "guard"
            case "no" if self._unpaid():
                pass
            case "lying":
                self._once("source", self._lies())
                if self._next().text == "one":
                    self.said.flags.add("citizen")
                    self.at += 1
            case "no" | "none" | "always" | "never" | "ask":
                self._answer(clause)
            case "influence" | "vp":
                said.gains.append(clause)
            case "hiring":
                self._hire()
            case "free" | "auto":
                said.flags.add(clause)
            case _:
                return False
        return True

    def _shows(self) -> bool:
        """Whether a number follows, or an article and one: «it becomes a 4»."""
        return bool(self._next(int(bool(self._next().of("noise")))).of("number"))

    def _hire(self) -> None:
        """Who hires activates."""
        self.said.flags.add("hire")
        self.said.verb = "activate" if self.said.verb in _STAND_INS else self.said.verb
        self.before = self.glued = ""

    def _for(self) -> None:
        """An exchange, what it costs, or what something is for."""
        said = self.said
        if self._cost():
            return
        if self.asked == "turn" and said.dice and self._next().of("number") and self.at + 1 == len(self.tokens):
            self._costs()  # «for 2»
            return
        last = said.used[-1] if said.used else None
        if last is not None and last.ids == ("exchange_dice",) and said.dice:
            own = said.dice.pop()
            last.swaps.append((own, own))
            self.swapping = True
            self.glued = ""
            self.run += 1
        else:
            self._lead("on")

    def _role(self, role: str) -> bool:
        match role:
            case "with" | "using" | "from" | "on":
                self._lead(role)
            case "bought_from" if self._next().of("owner"):  # «W4 off Faye», and not «W4 off»
                self._lead("from")
            case "hire":
                self._hire()
            case "hired" if self.said.card and (self._behind_mark() or self.tokens[self.at - 2].of("activity")):
                self._hire()  # «Templar, hired from …», and not «the Templar I hired»
            case "he_goes" if self.said.source or "citizen" in self.said.flags:
                self.said.flags.add("put")
            case "makes" if self._next().of("number") and self._unit(1):
                pass  # «that is 2 cubes»
            case "makes" if self.said.verb == "flip" and self.said.dice and self._shows():
                self.making = True  # «flip W3, it becomes a 4»
            case "makes" if self._next().of("activity") and (self.said.source or "citizen" in self.said.flags):
                self._hire()  # «my man in the palace becomes a mercenary»
            case "play":
                if self.said.verb:
                    return False
                self.said.verb = "activate"
            case "buy" if self._bought_from():
                self.said.dice[-1].bought, self.glued = True, "die from"
            case "buy":
                self.before, self.buying = "with", not self._counts_citizens()
            case "price" if self.said.pips:
                pass
            case "somebody" if self.at > 1 and self.tokens[self.at - 2].of("role") in ("hire", "put"):
                self.said.flags.add("citizen")
            case "his":
                owners = [die.owner for die in self.said.dice if die.owner not in ("", self.seat)]
                if not owners or not self._die_follows():
                    return False
                self._owner(owners[-1])
            case "beside":
                if self.glued == "die" or not self._next().of("owner"):  # «the Y5 beside Faye» may be hers
                    return False
                self.at += 1
            case "without":
                return self._unpaid()
            case "costs":
                return self._costs() or self._pays_for()
            case "gate":
                self.said.flags.add(role)
                self.gates = self.said.verb in ("guard", "use")
                if self.state.tiles and self.asked == "turn":
                    self.said.verb = self.said.verb or "guard"
            case "make":
                self.making = self._die_follows()
                return self.making
            case "adds" if self.said.verb == "guard" and self.said.dice and self._adds_pips():
                self.said.pips.append(self._next().of("number"))
                self.at += 1
            case "fresh" if self._next().of("role") == "citizen":
                self.said.flags.add("hire")
            case "level" if self._next().of("number"):
                self._once("level", self._next().of("number"))
                self.at += 1
            case "column":
                self.column = True
            case "everything":
                self._some_of(Phrase(self.seat, every=True))
            case "yes" | "keep":
                self._answer(role)
            case "event":
                number = self._next().of("number", 0)
                if not 1 <= number <= len(self.state.queue):
                    return False
                id = self.state.queue[number - 1].id
                if self._in_brackets() and id in (self.said.events or ((),))[-1]:
                    self.said.events.pop()  # «brigands (event 4)»
                self.at += 1
                self.said.events.append((id,))
            case "both" if self._lays() and self._next().of("role") == "on" and self._next(1).of("event"):
                self.said.every = True  # «all on support»
            case "both" if self._lays() and self._next().of("clause") == "cubes":
                self.lays, self.at = 2, self.at + 1  # «both cubes on war»
            case "both" if self._next().of("number") and self._next(1).of("role") == "steps":
                pass  # «all six steps»
            case "both" if self.asked == "turn" and len(self.said.dice) == 2 and not self._die_follows():
                pass  # «Y5 and Y4, both»
            case "both" if self._both_of_two():
                self._some_of(Phrase(self.seat, count=2, every=True))
            case "mine_too":
                return self._mine_too()
            case "both" if self._next().of("verb"):  # «all fight»: who does it?
                return False
            case _ if role in _FLAGS:
                self.said.flags.add(role)
                if role == "citizen":
                    self.glued = ""
            case _ if role in _SILENT:
                if role == "take":
                    self.before = "with"
            case _:
                return False
        return True

    def _colour(self, token: Wordlet) -> bool:
        """The colour that a purple die takes."""
        purple = bool(self.said.dice) and self.said.dice[-1].letter == "P"
        if not purple or not token.of("colour") or self.before not in ("as", "on"):
            return False
        self.said.dice[-1].colour = token.of("colour")
        self.before = "with"
        return True
