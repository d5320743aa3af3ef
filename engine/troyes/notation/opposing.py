"""The numbers of a line about black dice, each held to what it is said of: a black die, or one of one's own.

A number that no colour and no «my» or «with» stands beside is said of a black die that shows it, if one lies there. It
never becomes a die of one's own, and each black die that is named is beaten.
"""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterator, Sequence
from itertools import pairwise

from engine.troyes.notation.lexicon import Wordlet
from engine.troyes.notation.words import LINKS
from engine.troyes.state.orders import Counter
from engine.troyes.state.state import TroyesState

_FACES = range(1, 7)
_LED = ("with", "using", "mine", "mine_too")
"""What stands before a die of one's own."""
_COUNTED = ("cubes", "times", "influence", "vp")


def opposes(state: TroyesState, tokens: Sequence[Wordlet], order: Counter) -> bool:
    """Whether an order beats each black die that a line names, with no die of one's own but those that it names."""
    lying = state.black
    claims, ones, own = Count[int](), set[int](), Count[int]()
    for value, count, led in _said(tokens, lying):
        if led or value not in lying:
            own[value] += max(count, 1)
        elif count:
            claims[value] += count
        else:
            claims[value] += 1
            ones.add(value)
    beaten, there = Count(order.black), Count(lying)
    if any(beaten[value] < min(claims[value], there[value]) for value in claims):
        return False
    if any(beaten[value] != claims[value] for value in ones):
        return False
    own += claims - beaten
    return _are_named(tokens, order.dice, own)


def _are_named(tokens: Sequence[Wordlet], dice: Sequence[str], own: Count[int]) -> bool:
    """Whether each die is named by its face or colour, or by a number that is not said of a black one."""
    colours = {token.of("colour") for token in tokens if len(token.text) > 1}
    faces = {token.of("die") or token.of("dice") for token in tokens}
    if not (own or colours - {""} or faces - {""}) or any(_is_every(token) for token in tokens):
        return True
    left = Count(int(die[1:]) for die in dice if die not in faces and die[0] not in colours)
    return not left - own


def _is_every(token: Wordlet) -> bool:
    return token.of("role") in ("both", "everything", "mine", "mine_too")


def _said(tokens: Sequence[Wordlet], lying: Sequence[int]) -> Iterator[tuple[int, int, bool]]:
    """Each number that a die shows, of how many dice it is said (0: of one of some), and whether of one's own."""
    words = [token for token in tokens if not token.of("noise") or {"role", "clause", "number"} & token.senses.keys()]
    led, count = False, 1
    for at, token in enumerate(words):
        after, value = words[at + 1] if at + 1 < len(words) else Wordlet(""), token.of("number", 0)
        if not value:
            keeps = token.of("die") or token.of("colour") or token.text in LINKS or leads(token)
            led = bool(led and keeps) or token.of("role") in _LED or "use" in (token.of("verb"), token.of("clause"))
            count = count if leads(token) else 1
        elif _counts(token, after, lying) and not _is_named(tokens, token):
            count = 0 if value == 1 and leads(after) else value if count else 0
        elif value in _FACES and not (token.of("noise") or after.of("colour")):
            many = 2 if token.of("plural") and count == 1 else count
            before = words[at - 1] if at else Wordlet("")
            own = bool(before.of("colour")) and before.of("role") != "black"  # «both yellow twos»
            yield value, many, (led or own) and not before.of("die")
            count = 1


def _is_named(tokens: Sequence[Wordlet], token: Wordlet) -> bool:
    """Whether an article of one thing stands before a number: «le 6 et le 4 noirs»."""
    return any(one.text == "le" and two is token for one, two in pairwise(tokens))


def leads(token: Wordlet) -> bool:
    """Whether it leads from one of some to these: «one of the fives», «un des cinq»."""
    return "from" in (token.of("role"), token.of("clause")) or token.text in ("des", "de", "d")


def _counts(token: Wordlet, after: Wordlet, lying: Sequence[int]) -> bool:
    """Whether a number counts what stands behind it."""
    value: int = token.of("number", 0)
    if after.of("number"):
        return bool(after.of("plural")) or not (token.text.isdigit() and value in lying)
    if after.of("role") == "black" and value in lying:
        return bool(value == len(lying))
    if after.of("clause") in _COUNTED or after.of("role") in ("citizen", "price", "die", "black"):
        return True
    return (value == 1 and leads(after)) or (value == len(lying) and value not in lying)
