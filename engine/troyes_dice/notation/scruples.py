"""What a line says beside its half day that it does not do: that nothing is paid, or what a resource is spent on."""

from __future__ import annotations

import re

from engine.kit.scruple import NO_PAYING
from engine.kit.words import folded
from engine.troyes_dice.state.orders import HalfDay, Order

_NAMES = {"influence": "influence", "denier": r"deniers?|coins?|sous|money", "knowledge": "knowledge|savoirs?"}
_PAYS = re.compile(r"\b(?:pay\w*|pai\w*|buy\w*|bought|price|prix|costs?|cout\w*|for the (?:die|plaza)|achet\w*)\b")
_CHANGES = re.compile(
    r"\b(?:to|pour|and|et)\s+(?:\w+\s+){0,2}?"
    r"(?:make|change|turn|set|raise|lower|chang\w*|fai\w*|mett\w*|mont\w*|baiss\w*)\b"
)


def amiss(line: str, order: Order) -> bool:
    """Whether a line that is no canonical one may deny what its order pays, or names a resource for something else."""
    if not isinstance(order, HalfDay) or not order.pay:
        return False
    text = folded(line)
    if NO_PAYING.search(text):
        return True
    named = re.findall(rf"\b(?:{_NAMES.get(order.pay, order.pay)})\b", text)
    return len(named) == 1 and _CHANGES.search(text) is not None and _PAYS.search(text) is None
