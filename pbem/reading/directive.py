"""How surely a sentence is a directive: that it tells what its writer does now, and not how things are, or what
somebody asks, wishes, plans or remembers (Searle, A classification of illocutionary acts, 1976).

A logistic model over the words of a sentence, their pairs and pieces (`intents.features`), and the kinds of what bars
it (`bars`), whose weights are the table `directive.json` (`tests/learn_directives.py` learns them from what people
wrote). What a directive orders is no concern of it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib.resources import files

from pbem.reading.intents import features as of_words

LEAST, HARDLY = 1.0, -0.5
"""How surely a sentence must be one for what it most likely means to be played, and below what even what it can only
mean is not, where no grammar reads it: logits, 0 for as likely as not."""
SURELY, CERTAINLY = 1.4, 3.0
"""The same where what bars it may be said of what it names: of some kinds (`WITHIN`), and of more (`AROUND`)."""
BESIDE = frozenset(("contrast", "past", "others", "telling"))
"""Kinds of what bars a sentence that may be said in a clause beside a directive, where it names nothing of the game;
what asks never stands beside one."""
WAVERING, LONG = frozenset(("hedge", "doubt", "renouncing", "negation", "later")), 4
"""The same, but only in a clause of its own of so many words: «maybe» and «not now» are said of the directive, «my
grandmother would approve» and «that one does not hurt anybody» are not."""
WITHIN = frozenset(("contrast", "others", "hedge", "doubt"))
"""Kinds of what bars a sentence that may be said of what it names itself: «bye bye Faye's man, my R4 goes there»."""
AROUND = WITHIN | frozenset(("telling", "past", "musing", "reported"))
"""The same, where it is all the more surely one. What denies, asks, makes it depend on something or names another thing
is none of them; nor what stands at the edge of a clause, before a colon, or says that somebody else does it."""
ALSO = frozenset(("too", "aussi"))
"""What says at the end of such a clause that more is done: «the others too»."""
JOINING = frozenset(("and", "then", "so", "ok", "okay", "well", "now", "et", "puis", "alors", "donc", "bon"))
"""What may stand before whoever does something."""
_BAR = 0.35
"""How much what bars a sentence counts beside its words, which have the length one."""


def features(words: Sequence[str], raw: str, barred: Collection[str]) -> dict[str, float]:
    """What is seen of a sentence: its words, what stands for others marked as such (`intents.marked`), and the kinds of
    what bars it."""
    return {**of_words(words, raw), **{f"b{kind}": _BAR for kind in barred}}


def directive(words: Sequence[str], raw: str, barred: Collection[str]) -> float:
    """How surely a sentence is a directive, as a logit: above 0 it is likelier one than none."""
    bias, weights = _table()
    return bias + sum(n * weights.get(name, 0) / 100 for name, n in features(words, raw, barred).items())


@cache
def _table() -> tuple[float, Mapping[str, int]]:
    """What a sentence weighs by itself, and what each of its features does, in hundredths."""
    read = json.loads((files(__package__) / "directive.json").read_text(encoding="utf-8"))
    return read["bias"], read["weights"]
