"""What the host tells whoever has no seat at a table: what it is, and what may be asked of it."""

from __future__ import annotations

from engine.catalog import Msg, T
from pbem.desk.services import Services


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
