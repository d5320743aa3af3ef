"""What turns an order that was read from a line, in any game: it is said that nothing is paid."""

from __future__ import annotations

import re

NO_PAYING = re.compile(
    r"\b(?:don'?t|do not|not|without|never|no|ne|pas|sans|jamais)\W+(?:\w+\W+){0,2}?"
    r"(?:pay\w*|pai\w*|buy\w*|spend\w*|achet\w*|depens\w*)"
)
"""Where somebody says, folded, that something is not paid: what has a price is asked back then."""
