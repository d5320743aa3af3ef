"""A language of its own for tests, so that a sentence which no translator would ever see stands out."""

from __future__ import annotations

import gettext


class Pseudo(gettext.NullTranslations):
    """A language for tests: every translated sentence stands between ⟦ and ⟧, so that a sentence that no
    translator would ever see stands out."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"

    def pgettext(self, context: str, message: str) -> str:
        return f"⟦{message}⟧"

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return self.ngettext(msgid1, msgid2, n)
