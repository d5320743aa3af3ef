"""An order and a sentence that stands beside it: what the closed list of courtesy does not know is never played over."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.reading.people import Place, alone, places, played, prose, said_in_french

SHEETS = Path(__file__).parents[1] / "wordings"
PLACES = {
    "above": "{said}\n{order}", "far above": "{said}\n\n{order}", "below": "{order}\n{said}", "far below": "{order}\n\n{said}",
    "before": "{said} {order}", "behind": "{order}. {said}", "clause before": "{said}, {order}", "clause behind": "{order}, {said}",
    "dash behind": "{order} - {said}", "below the name": "{order}\n\n{name}\n{said}", "with thanks": "{order}\nThanks!\n{said}",
    "in brackets": "{order} ({said})",
}  # fmt: skip
"""Where it stands."""
SAID = (
    "It rained here all day.", "Cancel that.", "I changed my mind.", "The other one, I meant.", "What does the brewer do?",
    "My sister says hello.", "That was a joke.", "We moved house in spring.", "Only if nobody minds.", "Emily would laugh.",
    "Please wait for my next letter.", "I liked the last round.", "Read that twice.", "Not my best idea.", "Somebody rang the bell.",
    "Hold it for now.", "On annule tout.", "Il pleut depuis ce matin.", "C'était pour rire.", "Je réfléchis encore.",
    "Ma sœur vous salue bien bas.", "Plutôt l'autre, en fait.", "Que fait le brasseur ?", "Nous avons déménagé au printemps.",
    "Seulement si personne n'y voit d'inconvénient.", "Attendez ma prochaine lettre.", "Ce n'est pas ma meilleure idée.",
    "On a sonné à la porte.", "J'ai bien aimé la dernière manche.", "Gardez-le de côté.",
)  # fmt: skip
"""Written for this, in both languages."""


class Pair(NamedTuple):
    """An order at a place, with a sentence beside it."""

    at: Place
    order: str
    said: str
    where: str

    @property
    def text(self) -> str:
        """The letter."""
        return PLACES[self.where].format(order=self.order, said=self.said, name=self.at.name)

    @property
    def plays(self) -> tuple[str, ...]:
        """What the letter plays."""
        message = EmailMessage()
        message["From"] = "anna@home.test"
        message.set_content(self.text, cte="quoted-printable")
        return played(self.at.heard(message.as_bytes()))


@cache
def sentences() -> tuple[str, ...]:
    """What people say: half of it talk from the sheets and prose, which was written for something else."""
    found = []
    for sheet in sorted(SHEETS.glob("talk*.toml")):
        mails = tomllib.loads(sheet.read_text(encoding="utf-8"))["mail"]
        found += [line for mail in mails for line in mail.get("traps", ())]
    found += [part.strip() for text in prose() for part in text.split(". ") if 8 < len(part) < 200]
    return tuple(dict.fromkeys(found))


@cache
def retractions() -> dict[str, list[str]]:
    """Second thoughts, by language."""
    return tomllib.loads((SHEETS / "letters.toml").read_text(encoding="utf-8"))["retractions"]  # type: ignore[no-any-return]


def pairs(rng: random.Random, count: int) -> Iterator[Pair]:
    """So many letters, in both languages, at positions of all games."""
    second = [line for lines in retractions().values() for line in lines]
    for place in places(rng, count // 8):
        for _ in range(8):
            order = place.any_order(rng)
            order = said_in_french(place, order) if rng.random() < 0.5 else order
            said = rng.choice(sentences() if rng.random() < 0.5 else (*SAID, *second))
            yield Pair(place, order, said, rng.choice(tuple(PLACES)))


def everywhere(rng: random.Random, said: str, language: str) -> Iterator[Pair]:
    """A sentence at each place beside an order of its language."""
    for place in places(rng, 1):
        order = place.any_order(rng)
        order = said_in_french(place, order) if language == "fr" else order
        assert alone(place, order)
        yield from (Pair(place, order, said, where) for where in PLACES)
