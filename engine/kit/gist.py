"""The gist of a line that the grammar refuses: whether what it says is one order and no other, word by word.

A game takes a line apart into words, each of which is *evidence* of what it names, a *mark*, *harmless* (a small word),
or *unknown*. Unknown words are passed over where they cannot be what the sentence says: in a part of it that names
nothing, or between two words that do. Whether something turns the meaning of the line (a negation, a question,
somebody else) is not known here: whoever asks has seen that nothing does.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from importlib.resources import files
from itertools import groupby, islice
from typing import TypeVar

O = TypeVar("O")  # noqa: E741 - an order

_TABLE = tomllib.loads((files(__package__) / "gist.toml").read_text(encoding="utf-8"))
HARMLESS = frozenset(" ".join(_TABLE.values()).split())
"""Small words of both languages."""
LEADING = frozenset(_TABLE["leading"].split())
"""Those of them that stand before a noun."""
NAMING, SPEAKING, STANDING = (frozenset(_TABLE[kind].split()) for kind in ("naming", "speaking", "standing"))
"""Articles and possessives; who speaks, behind whom a verb stands; and what stands there that is nobody."""
_SO = ("so", "donc", "alors")
BEING = frozenset(_TABLE["being"].split())
MOST, BETWEEN, ASIDE, LONGEST = 4, 2, 14, 60
"""Unknown words of all parts that name something, and side by side; words of a part that names nothing; of a line."""


class Role(Enum):
    """What a word is to an order."""

    EVIDENCE = "evidence"
    MARK = "mark"
    """It parts a sentence."""
    HARMLESS = "harmless"
    UNKNOWN = "unknown"


def passed_over(words: Sequence[tuple[str, Role]]) -> tuple[str, ...] | None:
    """The unknown words of a line; None where they may be what the sentence says."""
    if len(words) > LONGEST:
        return None
    unread: list[str] = []
    strange, telling, first = 0, 0, True
    for part in _parts(words):
        roles = [role for _, role in part]
        some = [word for word, role in part if role is Role.UNKNOWN]
        if Role.EVIDENCE in roles:
            if not all(_may_stand(part, *run, first=first) for run in _runs(roles)):
                return None
            strange, telling, first = strange + len(some), telling + roles.count(Role.EVIDENCE), False
            unread += some
        elif len(part) > ASIDE:
            return None
        elif some:
            unread.append(" ".join(word for word, _ in part))
    return tuple(unread) if strange <= min(MOST, telling) else None


def _runs(roles: Sequence[Role]) -> Iterator[tuple[int, int]]:
    """Where unknown words stand side by side: the first, and behind the last."""
    at = 0
    for role, some in groupby(roles):
        end = at + len(list(some))
        if role is Role.UNKNOWN:
            yield at, end
        at = end


def _may_stand(part: Sequence[tuple[str, Role]], at: int, end: int, *, first: bool) -> bool:
    """Whether unknown words may stand there in a part that names something; `first`: no part before it does.

    Between two words that name something they may. Before the first of them there is one at most, which belongs to
    what follows at once: behind an article it is else who does something. Behind the last of them it is what somebody
    says of all, unless a small word leads to it; and so it is behind «is», and where it is a verb behind its subject:
    «influence shifts».
    """
    words, roles = [word for word, _ in part], [role for _, role in part]
    if at and (words[at - 1] in BEING or (roles[at - 1] is Role.EVIDENCE and words[at].endswith("s"))):
        return False
    known = [here for here, role in enumerate(roles) if role is Role.EVIDENCE]
    if at > known[-1] and not BEING.isdisjoint(words[known[-1] : at]):
        return False  # «farming is for beginners»
    named = at > 0 and words[at - 1] in NAMING
    if known[0] < at and end <= known[-1]:
        # «the brigands deserve my die», «the brigands still deserve my die»
        does = roles[_before(words, roles, at)] is Role.EVIDENCE and words[end] in NAMING
        return end - at <= BETWEEN and not does and (not named or roles[end] is Role.EVIDENCE)
    if first and at and at < known[0] and words[at - 1] in SPEAKING:
        return False  # «I covet»
    if at > known[-1]:
        return end - at == 1 and (words[at - 1] in LEADING or (not first and roles[at - 1] is Role.EVIDENCE))
    if end - at > 1:
        return False
    led = at > 0 and words[at - 1] in LEADING
    return roles[end] is Role.EVIDENCE or (words[end] in LEADING and not led)


def _before(words: Sequence[str], roles: Sequence[Role], at: int) -> int:
    """The place before another, past small words that lead to nothing."""
    at -= 1
    while at and roles[at] is Role.HARMLESS and words[at] not in LEADING:
        at -= 1
    return at


def _parts(words: Sequence[tuple[str, Role]]) -> Iterator[list[tuple[str, Role]]]:
    """What stands between marks, and before a reason's «so»: «I'm broke so I farm»."""
    part: list[tuple[str, Role]] = []
    for at, (word, role) in enumerate((*words, ("", Role.MARK))):
        after = words[at + 1][0].partition("'")[0] if at + 1 < len(words) else ""
        if role is not Role.MARK and not (word in _SO and after in SPEAKING):
            part.append((word, role))
        elif part:
            yield part
            part = []


def the_one(orders: Iterable[O]) -> O | None:
    """The only one of some orders; None for none and for several."""
    found = list(islice(orders, 2))
    return found[0] if len(found) == 1 else None
