"""Who sits where: names, addresses and generations of the holders of seats, kept outside the games' repositories.

One TOML file per game, mode 0600, in the folder `people` of the host's mail folder, so that no address ever gets
into a game's history and a letter costs the same with ten games as with two thousand.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from filelock import FileLock

from engine.errors import PositionError
from engine.game import Seat
from pbem.host.toml_folder import TomlFolder
from pbem.store.data_codec import Count, Moment
from pbem.store.durable_files import file_stamp
from pbem.store.errors import StoreError


@dataclass(frozen=True, slots=True)
class Holder:
    """The person (or computer) who holds a seat."""

    seat: Seat
    name: str
    addresses: tuple[str, ...] = ()
    """Registered addr-specs, lower case, the first one written to; none is a seat without mail."""
    generation: Count = 1
    """Rises when another person takes the seat over."""
    unreachable: str = ""
    """Why mail came back."""
    language: str = ""
    """Empty until they or the host have chosen one."""
    zone: str = ""
    """The time zone they live in; empty: the host's."""
    quiet: str = ""
    """Their hours without reminders: `22-7`."""
    remind: Count = 0
    """How many hours before the end of a decision they are reminded; 0: as usual."""
    coming: str = ""
    """An address that they have named for themselves and that has not answered yet."""
    full: bool = False
    """Every mail that asks shows the board, all options, and what each card does."""
    plain: bool = False
    """Mails have a text part alone."""
    volume: str = ""
    """What is mailed to them: `every-turn`, `daily`, or what is usual."""
    hour: Count = 8
    """When the daily mail goes, where they live."""
    unreachable_since: Moment | None = None
    """When mail came back the last time."""
    refused: bool = False
    """Our own server takes no mail for the address; else a report says that it came back."""
    keyed: bool = False
    """The key stands in the subjects of their mails, too: what carries their mail keeps neither our reply address nor
    our Message-IDs (an alias service)."""

    @property
    def cut_off(self) -> bool:
        """Whether no mail for them leaves this host."""
        return bool(self.unreachable) and (self.refused or self.unreachable_since is None)

    @property
    def reached(self) -> Holder:
        """The same with another address, of which nothing is known."""
        return replace(self, unreachable="", unreachable_since=None, refused=False, keyed=False)


SHARED_PREFERENCES = ("language", "zone", "quiet")
"""What a person chooses once for every table."""

MODERATOR = Seat("gm")
"""What stands for a seat where the moderator is written to; no seat can be called so."""


class PeopleError(StoreError):
    """A people file does not hold together; the message names the file and the value. Letters wait for its repair."""


@dataclass(frozen=True, slots=True)
class _PeopleFile:
    """A people file; `commit` is the fingerprint of the record that coming people wait for."""

    seats: tuple[Holder, ...]
    commit: str = ""


class People:
    """The people of every game under `folder`/people. Files are read again when they changed on disk.

    `moderators` are the addresses that may repair games, the first one written to. `usual` is the language of whoever
    has chosen none.
    """

    def __init__(self, folder: Path, moderators: Iterable[str] = (), usual: str = "en") -> None:
        self.usual = usual
        self.folder = folder / "people"
        self.moderator = Holder(MODERATOR, "moderator", tuple(address.lower() for address in moderators))
        self._files = TomlFolder(self.folder, _PeopleFile)
        self._coming = TomlFolder(self.folder / "coming", _PeopleFile)
        self._known: dict[str, tuple[str, tuple[Holder, ...]]] = {}

    def holders(self, game: str) -> tuple[Holder, ...]:
        """The holders clockwise; empty for a game that is not known. Raises PeopleError."""
        stamp, (known, holders) = self.stamp(game), self._known.get(game, ("", ()))
        if stamp != known:
            if (found := _read(self._files, game)) is None:
                # Not kept: strangers' letters may name any number of games.
                self._known.pop(game, None)
                return ()
            holders = found.seats
            self._known[game] = (stamp, holders)
        return holders

    def stamp(self, game: str) -> str:
        """A text that is another one when the people of a game have changed."""
        return file_stamp(self.path(game))

    def holder(self, game: str, seat: str) -> Holder:
        """The holder of one seat. Raises LookupError naming the seats there are."""
        if seat == MODERATOR:
            return self.moderator
        holders = {holder.seat: holder for holder in self.holders(game)}
        if seat not in holders:
            raise LookupError(f"{game} has no seat {seat!r}; its seats are: {', '.join(holders) or 'none'}")
        return holders[Seat(seat)]

    def language(self, game: str, seat: str) -> str:
        """The language in which the holder of a seat is written to."""
        return next((self.read_by(one) for one in self.holders(game) if one.seat == seat), self.usual)

    def read_by(self, holder: Holder) -> str:
        """The language in which somebody is written to."""
        return holder.language or self.usual

    def known(self, holder: Holder) -> Holder:
        """Somebody who is to sit at a table, with what they have chosen at another for all."""
        ones = (holder, *(self.holder(*seat) for address in holder.addresses for seat in self.seats_of(address)))
        found = {name: next(filter(None, (getattr(one, name) for one in ones)), "") for name in SHARED_PREFERENCES}
        return replace(holder, keyed=any(one.keyed for one in ones), **found)  # type: ignore[arg-type]

    def spoken(self, address: str) -> str:
        """The language that somebody has chosen, at whichever table; empty where they have chosen none."""
        found = (self.holder(*seat).language for seat in self.seats_of(address))
        return next(filter(None, found), "")

    def choose(self, address: str, name: str, **chosen: str) -> None:
        """Change what somebody has chosen, at all their tables. Who shares the address has their `name` at each."""
        seats = self.seats_of(address)
        shared = len({game for game, _ in seats}) < len(seats)
        for game, seat in seats:
            holder = self.holder(game, seat)
            if not shared or holder.name == name:
                self.change(game, replace(holder, **chosen))  # type: ignore[arg-type]

    def register(self, game: str, holders: Iterable[Holder]) -> None:
        """Write the people of a game. A crash leaves the old file or the new one, whole."""
        with self._locked(".changing"):
            self._put(game, holders)

    def _put(self, game: str, holders: Iterable[Holder]) -> None:
        self.path(game)
        self._files.put(game, _PeopleFile(tuple(holders)))
        self._known.pop(game, None)

    @contextmanager
    def _locked(self, name: str) -> Iterator[None]:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with FileLock(self.folder / name, mode=0o600):
            yield

    def opening(self) -> AbstractContextManager[None]:
        """Keep others from opening or importing a game: two would write the people of one name."""
        return self._locked(".opening")

    def change(self, game: str, holder: Holder) -> None:
        """Replace one holder. Raises LookupError when the game has no such seat."""
        with self._locked(".changing"):
            self.holder(game, holder.seat)
            self._put(game, (holder if old.seat == holder.seat else old for old in self.holders(game)))

    # A change of people that belongs to a commit is laid down before it and settled after it, since the two cannot be
    # written at once: whether the commit was made says which people count.

    def prepare(self, game: str, holders: Iterable[Holder], commit: str) -> None:
        """Lay down the people a game will have once a record with the fingerprint `commit` stands."""
        self.path(game)
        self._coming.put(game, _PeopleFile(tuple(holders), commit))

    def coming(self) -> tuple[str, ...]:
        """The games whose people may be about to change."""
        return self._coming.names()

    def awaited(self, game: str) -> str:
        """The fingerprint of the record that the coming people of a game wait for; empty when there are none.

        Raises PeopleError: to play on with the old people could be wrong.
        """
        found = _read(self._coming, game)
        return found.commit if found else ""

    def to_come(self, game: str) -> tuple[Holder, ...]:
        """The coming people of a game. Raises PeopleError, also where there are none."""
        if (found := _read(self._coming, game)) is None:
            raise PeopleError(f"{self._coming.path(game)} is gone, and people were to come from it")
        return found.seats

    def settle(self, game: str, committed: bool) -> None:
        """The coming people of a game count from now on, or never. A crash leaves them to be settled again."""
        if committed:
            self.register(game, self.to_come(game))
        self._coming.drop(game)

    def unreachable(self, game: str) -> tuple[Holder, ...]:
        return tuple(one for one in self.holders(game) if one.unreachable)

    def games(self) -> tuple[str, ...]:
        return self._files.names()

    def moderator_sits(self, game: str) -> bool:
        own = set(self.moderator.addresses)
        return any(own & set(one.addresses) for one in self.holders(game))

    def seats_of(self, address: str) -> tuple[tuple[str, Seat], ...]:
        """Every (game, seat) that a registered address holds. Looks at all files: for letters without a token only."""
        wanted = address.lower()
        return tuple(
            (game, holder.seat) for game in self.games() for holder in self.holders(game) if wanted in holder.addresses
        )

    def path(self, game: str) -> Path:
        """The file of a game's people. Raises LookupError for what is not the name of a game."""
        if not re.fullmatch(r"[a-z][a-z0-9-]{0,39}", game):
            raise LookupError(f"{game!r} is not the name of a game")
        return self._files.path(game)


class PeopleAfterCommit(People):
    """The same people, with those of one game as they will be once a commit stands."""

    def __init__(self, people: People, game: str, holders: Iterable[Holder]) -> None:
        super().__init__(people.folder.parent, people.moderator.addresses, people.usual)
        self._game, self._expected = game, tuple(holders)

    def holders(self, game: str) -> tuple[Holder, ...]:
        """Those expected, and of other games those there are."""
        return self._expected if game == self._game else super().holders(game)


def _read(files: TomlFolder[_PeopleFile], game: str) -> _PeopleFile | None:
    """A people file, addresses in lower case; None where there is none. Raises PeopleError."""
    try:
        found = files.get(game)
    except PositionError as trouble:
        raise PeopleError(str(trouble)) from None
    lowered = (replace(one, addresses=tuple(map(str.lower, one.addresses))) for one in found.seats) if found else ()
    return replace(found, seats=tuple(lowered)) if found else None


def slug(name: str, taken: Collection[str], reserved: Collection[str]) -> Seat:
    """The seat's handle for a name: lower-case ASCII, unique at the table, never a word an order could hold.

    >>> slug("Zoë Müller", [], [])
    'zoe-muller'
    """
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    handle = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:20].strip("-")
    if not handle or not handle[0].isalpha():
        handle = f"player-{handle}".strip("-")
    wanted, count = handle, 1
    # `y5`, `w1` and the like are dice in every game of this house, whatever letters a game uses.
    while wanted in taken or wanted in reserved or re.fullmatch(r"[a-z]{1,2}[0-9]{1,2}", wanted):
        count += 1
        wanted = f"{handle}-{count}"
    return Seat(wanted)
