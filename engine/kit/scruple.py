"""What may turn an order that a grammar has read, in the words of any game."""

from __future__ import annotations

import re

NO_PAYING = re.compile(
    r"\b(?:don'?t|do not|not|without|never|no|ne|pas|sans|jamais)\W+(?:\w+\W+){0,2}?"
    r"(?:pay\w*|pai\w*|buy\w*|spend\w*|achet\w*|depens\w*)"
)
"""Where somebody says, folded, that something is not paid: what has a price is asked back then."""
