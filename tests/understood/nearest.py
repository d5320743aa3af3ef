"""How near what is suggested comes to what was meant, if nothing else answered: `python -m tests.understood.nearest`.

Every order of the sheets is looked for by likeness alone, read or not, as if the reader of orders did not know a word of
it: at which place stands what was meant, and is it among all the numbers that the mail shows. So is told how strong the
last resort is for wordings that nobody foresaw.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from engine.chance import Derived, Unknown
from engine.errors import OrderRefused
from engine.game import AnyGame, Seat, find
from engine.kit.nearness import MOST, playable
from engine.troyes import repairs as troyes_repairs
from engine.troyes_dice import suggest as dice_suggest
from pbem.reading.line import read as plain
from tests.troyes import test_wordings as troyes

from . import mailed
from .bench import KINDS
from .test_mailed import NATURAL

ANNA = Seat("anna")


class Place(NamedTuple):
    """A position as the seat that is asked may see it."""

    game: AnyGame
    state: Any
    seat: Seat

    @classmethod
    def of(cls, kind: str, state: Any, seat: Seat) -> Place:
        """The position as that seat sees it."""
        game = find(KINDS.get(kind, kind))
        return cls(game, game.moderation.redacted(state, seat), seat)

    def canonical(self, lines: Iterable[str]) -> str:
        """Orders, one after the other, as the game writes them. Raises OrderRefused."""
        state, texts = self.state, list[str]()
        for line in lines:
            reading = self.game.read(state, self.seat, line)
            texts.append(reading.text)
            with suppress(Unknown):
                state = self.game.apply(state, self.seat, reading.order, Derived(b"", [], "")).state
        return "\n".join(texts)

    def nearest(self, line: str) -> tuple[str, ...]:
        """What likeness alone suggests for a line."""
        if self.game.kind == "troyes":
            return troyes_repairs.nearest(self.state, self.seat, line, self.game.apply, "en")
        found = dice_suggest.nearest(self.state, self.seat, line, self._plays, "en")
        return tuple(islice(found, MOST))

    def _plays(self, order: Any) -> bool:
        return playable(self.game.apply, self.state, self.seat, order)

    def offers(self) -> tuple[str, ...]:
        """The options of the mail."""
        return tuple(offer.text for offer in self.game.offers(self.state, self.seat))


class Wording(NamedTuple):
    """A line of a sheet at its place, and what it means: any of these, orders of several lines among them; empty for a
    trap."""

    sheet: str
    language: str
    place: Place
    line: str
    meant: tuple[str, ...]


@dataclass(frozen=True)
class Near:
    """A wording, and what was suggested for it."""

    wording: Wording
    found: tuple[str, ...]
    offered: tuple[str, ...]

    @property
    def at(self) -> int:
        """The number that plays it, from 1; 0 for none."""
        every = (*self.found, *(text for text in self.offered if text not in self.found))
        wanted = {_sorted(text) for text in self.wording.meant}
        return next((at for at, text in enumerate(every, 1) if _sorted(text) in wanted), 0)


def _sorted(text: str) -> tuple[tuple[str, ...], ...]:
    """Orders without the order in which dice are named in them."""
    return tuple(tuple(sorted(line.split())) for line in text.split("\n"))


def wordings() -> Iterator[Wording]:
    """Every line of every sheet of orders."""
    yield from _of_mails(NATURAL)
    for one in troyes.wordings():
        if troyes.is_playable(one.file, one.asked):
            place = Place.of("troyes", troyes.position(one.file, one.asked), ANNA)
            yield Wording(f"troyes {one.file}", one.language, place, one.line, one.meant)


def _of_mails(sheet: str) -> Iterator[Wording]:
    for mail in tomllib.loads((mailed.SHEETS / f"{sheet}.toml").read_text(encoding="utf-8"))["mail"]:
        place = _mailed(mail.get("at", mail["name"]))
        for language in ("en", "fr"):
            for written, text in mail.get(language, ()):
                try:
                    yield Wording(sheet, language, place, written, (place.canonical(text.split(" / ")),))
                except OrderRefused:
                    continue  # a command, or what rests on a roll
        for written in mail.get("traps", ()):
            yield Wording(sheet, "trap", place, written, ())


@cache
def _mailed(mail: str) -> Place:
    said = mailed.positions()[mail]
    game = find(said["kind"])
    state = game.load(said["game"], said["hidden"])
    return Place.of(said["kind"], state, next(one.seat for one in game.waiting(state) if not one.answered))


def near(some: Iterable[Wording]) -> Iterator[Near]:
    """What is suggested for each; numbers of the list are no matter of likeness."""
    offered: dict[int, tuple[str, ...]] = {}
    for one in some:
        if not plain(one.line, ("anna", "faye", "geoffrey")).is_number:
            if id(one.place.state) not in offered:
                offered[id(one.place.state)] = one.place.offers()
            yield Near(one, one.place.nearest(one.line), offered[id(one.place.state)])


def rates(found: Iterable[Near], by: Callable[[Wording], str]) -> dict[str, tuple[int, int, int, int]]:
    """For each group: how many wordings, and of how many what was meant stands first, among the first three, and among
    all numbers."""
    counts: dict[str, tuple[int, int, int, int]] = {}
    for one in found:
        if one.wording.meant:
            at, name = one.at, by(one.wording)
            known = counts.get(name, (0, 0, 0, 0))
            counts[name] = tuple(a + b for a, b in zip(known, (1, at == 1, 0 < at <= MOST, at > 0), strict=True))  # type: ignore[assignment]
    return counts


def kind(one: Wording) -> str:
    """Its game and language."""
    return f"{one.place.game.kind} {one.language}"


def main() -> None:
    """Print the shares; with `--red` each wording that no number plays, `--sheets` the shares of each sheet."""
    found = list(near(wordings()))
    for by in (kind, *([lambda one: f"{kind(one)} {one.sheet}"] if "--sheets" in sys.argv else [])):
        for name, (all, first, few, any_) in sorted(rates(found, by).items()):
            print(f"{name:34} {all:5}: first {first / all:.1%}, first three {few / all:.1%}, any number {any_ / all:.1%}")
    if "--red" in sys.argv:
        for one in found:
            if one.wording.meant and not 0 < one.at <= MOST:
                print(f"{one.wording.sheet}: {one.wording.line!r}\n    meant {one.wording.meant}, found {one.found}, at {one.at}")


if __name__ == "__main__":
    main()
