"""The dice of an order of Troyes held against the words of a line: whether each is told, and whose it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from engine.troyes.notation.bag import Bag, DieWish
from engine.troyes.notation.called import is_put_out
from engine.troyes.notation.faces import Faces
from engine.troyes.notation.lexicon import Wordlet
from engine.troyes.state import orders
from engine.troyes.state.picks import Pick
from engine.troyes.state.state import TroyesState

Word = tuple[str, "Wordlet | None"]
"""A word as it stands in the line, and what it can be."""

TELLING = frozenset(
    ("verb", "die", "dice", "colour", "number", "often", "owner", "activity", "event", "outdoor", "place", "spot")
)
"""Senses of words that say something of an order."""
PARTING = frozenset((",", ";", ".", "!", "(", ")", ":", "-", "–", "—", "->"))
"""What parts a line."""
_ENDING = frozenset((".", "!", ";"))
"""What ends a sentence."""
_DYED = orders.Farm | orders.Build | orders.Fight | orders.Activate
"""Orders by which dice of one colour are used."""
_INDEFINITE = frozenset(("a", "an", "one", "un", "une"))
_YOURS = frozenset(("your", "yours", "ton", "ta", "tes", "votre", "vos", "te", "t'"))
"""What says of the dice of who is spoken to that they are his."""


def parted(words: Sequence[Word], marks: frozenset[str] = PARTING) -> list[int]:
    """In which part of a line, between marks, each word stands that means anything."""
    part, found = 0, list[int]()
    for text, token in words:
        part += text in marks
        found += [part] if token is not None else []
    return found


def _names(token: Wordlet, die: str) -> bool:
    """Whether a word names a die, its colour or what it shows."""
    colour = token.of("colour") if len(token.text) > 1 else ""
    return die in (token.of("die"), token.of("dice")) or colour == die[0] or token.of("number") == int(die[1:])


def tells(token: Wordlet) -> bool:
    """Whether a word says something of an order."""
    says = TELLING & (token.senses.keys() if len(token.text) > 1 else token.senses.keys() - {"colour"})
    return bool(says) and not token.senses.keys() & {"noise", "filler"}


@dataclass
class Picked:
    """An order held against the words of a line: its dice."""

    state: TroyesState
    seat: str
    order: Any
    words: Sequence[Word]

    @cached_property
    def tokens(self) -> list[Wordlet]:
        """The words that mean anything."""
        return [token for _, token in self.words if token is not None]

    @cached_property
    def picks(self) -> tuple[Pick, ...]:
        """The dice of the order."""
        found = getattr(self.order, "dice", None) or [one for one in (getattr(self.order, "die", ""),) if one]
        return tuple(one if isinstance(one, Pick) else Pick(self.seat, one) for one in found)

    @property
    def _asked(self) -> str:
        return next((asked["kind"] for asked in self.state.asked if asked["seat"] == self.seat), "")

    @cached_property
    def _faces(self) -> Faces:
        return Faces(self.state, self.seat, self._asked, Bag(), self.tokens, parted(self.words, _ENDING))

    @cached_property
    def _wishes(self) -> list[DieWish]:
        """The dice that the line names."""
        return self._faces.dice()

    def _names_dice(self) -> bool:
        """Whether each die is named, by its face, its number or its colour, and with whoever it is bought of; and none
        beside."""
        if any(pick.owner not in {self.seat}.union(*self._owners) for pick in self.picks):
            return False
        return self._matches(list(self.picks), self._wishes)

    def _matches(self, picks: list[Pick], wishes: Sequence[DieWish]) -> bool:
        """Whether each wish is one of the dice, and each die wished for; a number may be said of a die that is not."""
        if not wishes:
            return all(self._is_told_by_number(pick) for pick in picks)
        first, *rest = wishes
        for at, pick in enumerate(picks):
            fits = first.is_so(pick.die) and first.owner in ("", pick.owner)
            certain = first.value or pick.owner in (self.seat, self.state.neutral) or self._buys or self._is_only(first)
            if fits and certain and self._matches([*picks[:at], *picks[at + 1 :]], rest):
                return True
        # «relance mon 2 rouge, c'est nul un 2», where no other die shows it.
        lying = [die for die in self.state.dice.get(self.seat, []) if int(die[1:]) == first.value]
        again = not (first.letter or first.owner) and bool(lying) and lying == [pick.die for pick in self.picks]
        return again and self._matches(picks, rest)

    def _is_only(self, wish: DieWish) -> bool:
        """Whether it is told whose a die is and what colour, and he has one such die: «Geoffrey's white die»."""
        return bool(wish.letter) and sum(map(wish.is_so, self.state.dice.get(wish.owner, ()))) == 1

    def strange_dice(self) -> Iterator[str]:
        """What is wrong with its dice: dice that are not named, or a die that is named beside."""
        left, missing = list(self.picks), list[DieWish]()
        for wish in self._wishes:
            fits = [pick for pick in left if wish.is_so(pick.die) and wish.owner in ("", pick.owner)]
            if fits:
                left.remove(fits[0])
            missing += [] if fits else [wish]
        # A number alone may count something else.
        yield from ("die beside" if wish.letter and wish.value else "named beside" for wish in missing)
        more = [pick for pick in left if not self._is_told_by_number(pick, strictly=bool(self._wishes))]
        if self._wishes:
            yield from ("more dice" for _ in more)
        else:
            yield from ("die unsaid" for _ in more)
        if not (missing or more or (self._wishes and all(map(self._told_apart, self._wishes)))):
            yield "die in doubt"

    def doubtful_dice(self) -> Iterator[str]:
        """Its dice of which the line does not tell whose they are, or which of several."""
        yield from ("whose" for pick in self.picks if not self._tells_owner(pick))
        left, digits = list(self.picks), any(token.text == "1" for token in self.tokens)
        for wish in self._wishes:
            if not (wish.letter or wish.owner or digits) and wish.value == 1:
                continue
            fits = [pick for pick in left if wish.is_so(pick.die) and wish.owner in ("", pick.owner)]
            left = [pick for pick in left if pick is not fits[0]] if fits else left
            if fits and self._is_one_of_several(wish, fits[0].owner) and not self._told_apart(wish):
                yield "which"
        # «one yellow six» is no die that shows 1, and a number that is said of black dice is none of one's own.
        black = getattr(self.order, "black", ())
        for pick in left if self._wishes else ():
            if int(pick.die[1:]) in black or not self._is_told_by_number(pick, strictly=True):
                yield "more dice"

    def _told_apart(self, wish: DieWish) -> bool:
        """Whether the dice that are called so are told beside that, by what each shows or by its colour: «two white
        dice, the 5 and the 4», «mes deux 3, le jaune et le blanc»."""
        called = [pick for pick in self.picks if wish.is_so(pick.die) and wish.owner in ("", pick.owner)]
        if len(called) < 2:
            return False
        colours = [token.of("colour") for token in self.tokens if len(token.text) > 1]
        if wish.value:
            return not wish.letter and all(pick.die[0] in colours for pick in called)
        return all(self._is_told_by_number(pick, strictly=True) for pick in called)

    def _tells_owner(self, pick: Pick) -> bool:
        """Whether the line tells whose a die is: where others have such a die too, in the part that names it; and one's
        own is not «a red 6» where somebody else has one."""
        alike = [owner for owner, dice in self.state.dice.items() if owner != pick.owner and pick.die in dice]
        if pick.owner == self.seat:
            pairs = pairwise(self.tokens)
            return not (alike and any(two.of("die") == pick.die and one.text in _INDEFINITE for one, two in pairs))
        rows = list(zip(parted(self.words), self.tokens, strict=True))
        parts = {part for (part, _), owners in zip(rows, self._owners, strict=True) if pick.owner in owners}
        spoken = any(text in _YOURS for text, _ in self.words) or self._in_possessive(pick.owner)
        if not alike or spoken or not parts:
            return bool(parts)
        return any(part in parts and _names(token, pick.die) for part, token in rows)

    @cached_property
    def _owners(self) -> list[set[str]]:
        """Whose dice each word may be of; whoever is only put out of a building owns none."""
        kept = (not is_put_out(self.tokens, at) for at in range(len(self.tokens)))
        whose = ({token.of("owner"), token.of("whose")} - {""} for token in self.tokens)
        return [owners if keeps else set() for owners, keeps in zip(whose, kept, strict=True)]

    def _in_possessive(self, owner: str) -> bool:
        """Whether something is said to be somebody's: «mine and Faye's», «celui de Faye»."""
        for one, two in pairwise((Wordlet(""), *self.tokens)):
            called = owner == self.state.neutral and one.text in ("the", "le")  # «Faye's and the gray one»
            if two.of("owner") == owner and (two.of("owns") or called or "from" in (one.of("role"), one.of("clause"))):
                return True
            if one.of("owner") == owner and two.of("mark") == "owns":
                return True
        return False

    def _is_one_of_several(self, wish: DieWish, owner: str) -> bool:
        """Whether somebody has more different dice that are called so than the order takes: «Faye's die». What is done
        with dice of one colour says which that is."""
        there = {die for die in self.state.dice.get(owner, ()) if wish.is_so(die)}
        letters = {pick.die[0] for pick in self.picks}
        if isinstance(self.order, _DYED) and wish.value and len(letters) == 1:
            there = {die for die in there if die[0] in letters}
        return len(there) > len({pick.die for pick in self.picks if pick.owner == owner and wish.is_so(pick.die)})

    @cached_property
    def _buys(self) -> bool:
        """Whether it is said that something is bought: then a colour alone may name a die of somebody else."""
        return any(token.of("role") in ("buy", "bought_from", "costs", "price") for token in self.tokens)

    def _is_told_by_number(self, pick: Pick, *, strictly: bool = False) -> bool:
        """Whether a number of the line is what the die shows; `strictly` only one that counts nothing and is no
        article."""
        value, spent = int(pick.die[1:]), self._faces.spent | self._faces.results
        told = (at for at, token in enumerate(self.tokens) if token.of("number") == value and at not in spent)
        return any(not (self.is_article(at) or (strictly and self._counts(at))) for at in told)

    def is_article(self, at: int) -> bool:
        """Whether a number stands before a die as its article: «one red 5»."""
        behind = self.tokens[at + 1] if at + 1 < len(self.tokens) else Wordlet("")
        return self.tokens[at].text in _INDEFINITE and bool(behind.of("die"))

    def _counts(self, at: int) -> bool:
        """Whether a number is an article, or says how many there are of what stands behind it: «two black dice»."""
        behind = self.tokens[at + 1] if at + 1 < len(self.tokens) else Wordlet("")
        counted = behind.of("colour") or behind.of("dice") or behind.of("plural")
        return bool(counted) or behind.of("role") in ("black", "die") or self.tokens[at].text in _INDEFINITE
