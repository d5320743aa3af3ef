"""What may turn an order that was read from a line, in any game: the line says something that the order does not do."""

from __future__ import annotations

import re
from collections.abc import Callable

from engine.reference import Gist

NO_PAYING = re.compile(
    r"\b(?:don'?t|do not|not|without|never|no|ne|pas|sans|jamais)\W+(?:\w+\W+){0,2}?"
    r"(?:pay\w*|pai\w*|buy\w*|spend\w*|achet\w*|depens\w*)"
)
"""Where somebody says, folded, that something is not paid: what has a price is asked back then."""


def held_against(found: Gist | None, amiss: Callable[[str], bool]) -> Gist | None:
    """The gist of a line, but where one of its orders is `amiss`."""
    return None if found is None or any(map(amiss, found.orders)) else found
