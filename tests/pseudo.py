"""Languages of their own for tests, so that a sentence which no translator would ever see stands out."""

from __future__ import annotations

import gettext
import re

from tests.tools.language import FIELDS

DOT = "\N{COMBINING DOT BELOW}"
PLAIN = re.compile(rf"[^\W\d_](?!{DOT})(?:[^\W\d_](?!{DOT})|['-](?=\w))*")
"""A word with a letter that no catalogue has dotted."""


class Pseudo(gettext.NullTranslations):
    """A language for tests: every translated sentence stands between ⟦ and ⟧, so that a sentence that no
    translator would ever see stands out."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return self.ngettext(msgid1, msgid2, n)


class Dotted(Pseudo):
    """All that a translator is given has a dot under each letter, but not what is filled in, wherever it stands."""

    def gettext(self, message: str) -> str:
        parts = FIELDS.split(message)
        found = FIELDS.finditer(message)
        texts = parts[:: FIELDS.groups + 1]
        return "".join(_dotted(text) + (field[0] if (field := next(found, None)) else "") for text in texts)


def _dotted(text: str) -> str:
    return "".join(letter + DOT if letter.isalpha() else letter for letter in text)


PSEUDO, DOTTED = Pseudo(), Dotted()
"""Each once in a process, as a shipped language is: templates are compiled anew for every other one."""
