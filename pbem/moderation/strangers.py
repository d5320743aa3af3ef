"""What the host tells whoever has no seat at a table: what it is, what may be asked of it; and how many a day.

A letter that asks for nothing is not answered: its From may be forged, and the mail would go to somebody who has
written nothing. Who asks for something has a share of each day's mails that no other letter uses up, and no domain
uses up all.
"""

from __future__ import annotations

import re

from engine.catalog import Msg, T
from engine.kit.words import folded
from pbem.desk.budgets import nth_today
from pbem.desk.identity import vouched
from pbem.desk.services import Services
from pbem.inbound.letter import Letter

ASKING = 100
"""Mails that go to people whom the host does not know and who ask it for something, in a day and altogether."""

OF_A_DOMAIN = 10
"""Those of them that go to addresses of one domain."""

WONDERING = 10
"""Mails that tell how to ask, in a day and altogether."""

_OURS = re.compile(
    r"\b(?:play\w*|games?|tables?|join\w*|seats?|troyes|help|jou(?:er|e|ez|ons)|jeux?|parties?|rejoindre|places?|aide)\b"
)
"""A letter of somebody who wonders what this is: it speaks of what is done here."""


def wonders(letter: Letter) -> bool:
    """Whether somebody who has asked for nothing that can be done seems to look for what is done here."""
    return any(_OURS.search(folded(line)) for line in (letter.subject, *letter.lines))


def may_be_told(services: Services, letter: Letter, *, asks: bool) -> bool:
    """Count a letter of somebody whom the host does not know; whether it is answered."""
    if vouched(services, letter):
        # The mail goes to who has written, and to nobody else.
        return True
    share, most = ("asking", ASKING) if asks else ("wondering", WONDERING)
    domain = letter.sender.rpartition("@")[2]
    return (
        nth_today(services, f"{share} {domain}", letter.digest) <= min(most, OF_A_DOMAIN)
        and nth_today(services, share, letter.digest) <= most
    )


def welcome(services: Services) -> tuple[Msg, ...]:
    """For somebody whom the host does not know, and who has asked for nothing that it understands."""
    name = services.renderer.host.name
    says = T("This is {name}, a program that runs games by mail. Nothing of your letter was read.", name=name)
    return (says, *_ways(services))


def spoken_to(services: Services) -> tuple[Msg, ...]:
    """For somebody who has chosen a language, of whom none can be kept yet."""
    return (
        T("Nothing is kept of you here until you have a seat at a table. Until then you are answered in the language "
          "that you write in, and your seat has it from the beginning."),
        *_ways(services),
    )  # fmt: skip


def _ways(services: Services) -> tuple[Msg, ...]:
    """What may be asked for without a seat."""
    host = services.renderer.host
    return (
        T("«tables» lists the tables with a free place; «join troyes-12» takes one."),
        T("«new troyes 3 players» opens a table that others join; with their addresses they are invited: "
          "«new troyes 3 players with Bob <bob@example.org>»."),
        T("Write one of these to {address}; first you are asked whether it was you.", address=host.address),
    )  # fmt: skip
