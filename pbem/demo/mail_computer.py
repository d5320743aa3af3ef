"""A computer seat that plays by mail: reads its mails, and answers what is asked with one of the numbered options.

The level `novice`: it has no way to the game but these mails. Options come ranked by what they promise, so it mostly
takes the first; a seeded variation keeps two seats from playing alike.
"""

from __future__ import annotations

import random

from pbem.demo.mail_client import MailClient
from pbem.demo.received_mail import ReceivedMail

WORDS = ("heron", "anvil", "poplar", "lantern", "mallet", "quince", "rampart", "thimble", "vellum", "walnut")
"""Words for the dice."""

CHANCES = (0.85, 0.1, 0.05)
"""How often the first, the second, the third option is taken."""


class MailComputer:
    """Plays one seat through its mailbox, by a rule that the same seed repeats."""

    def __init__(self, mail: MailClient, seed: str) -> None:
        self.mail = mail
        self.heading = ""
        self._random = random.Random(f"{seed}/{mail.account}")
        self._question: ReceivedMail | None = None
        self._tried: set[str] = set()

    async def look(self) -> None:
        """Fetch what has come; the newest mail that asks something is the question."""
        for mail in await self.mail.fetch():
            self.heading = mail.heading or self.heading
            if mail.asks:
                self._question = mail
                if not mail.refused:
                    self._tried.clear()

    @property
    def asked(self) -> bool:
        """Whether there is a question to answer."""
        return self._question is not None

    async def answer(self) -> None:
        """Answer the question, if there is one."""
        mail, self._question = self._question, None
        if mail is not None and mail.invites:
            await self.mail.answer(mail, f"join {self._random.choice(WORDS)}")
        elif mail is not None:
            await self.mail.answer(mail, str(self._choice(mail.options) + 1))

    def _choice(self, options: tuple[str, ...]) -> int:
        """Which option; one that was refused is not taken again as long as there is another."""
        open_ones = [n for n, text in enumerate(options) if text not in self._tried] or list(range(len(options)))
        ranks = open_ones[: len(CHANCES)]
        picked = self._random.choices(ranks, CHANCES[: len(ranks)])[0]
        self._tried.add(options[picked])
        return picked
