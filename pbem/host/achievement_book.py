"""What people have achieved over all their games at this host: the book, one TOML file a person, in a git repository.

A file is named by a mark of a registered address, made with the host's secret: so no address stands in the repository,
and people of the same name are kept apart. The book follows from the finished games. It is written after the commit
that ends one; until then a note in the folder `achieved` says that this is still to be done. `recount` writes it anew.
"""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import tomli_w

from engine.catalog import Msg, T
from engine.game import AnyGame, Ending
from engine.reference import Achievement, CardText
from pbem.host.keys import Keys
from pbem.host.people import People
from pbem.store.errors import StoreError
from pbem.store.game_store import GameStore
from pbem.store.game_table import Status
from pbem.store.state_file import StoredGame

log = logging.getLogger(__name__)

BOOK = "achievements"
"""The repository beside the games; its folder begins with «_», as no game's does."""

COMPUTER = "computer"

FindGame = Callable[[str], AnyGame]


@dataclass(frozen=True, slots=True)
class AchievementCount:
    """One achievement and in how many finished games somebody has reached it."""

    of: Achievement
    games: int

    @property
    def earned(self) -> bool:
        return self.games >= self.of.times


class Achievements:
    """The book of one host. `find` gives the rules of a kind of game."""

    def __init__(self, store: GameStore, people: People, keys: Keys, find: FindGame) -> None:
        self._store, self._people, self._keys, self._find = store, people, keys, find
        self._due = people.folder.parent / "achieved"

    def reached(self, game: AnyGame, addresses: Iterable[str], besides: str = "") -> tuple[AchievementCount, ...]:
        """Every achievement of a kind of game, and how often the person with these addresses has reached it.

        `besides` names a game that does not count. Raises StoreError for a book that cannot be read.
        """
        played = [row for name, row in self._games(addresses).items() if name != besides and row["kind"] == game.kind]
        every = game.reference.achievements
        return tuple(AchievementCount(one, sum(one.id in row["achieved"] for row in played)) for one in every)

    def news(
        self, game: AnyGame, name: str, addresses: Iterable[str], achieved: Collection[str], missed: Mapping[str, Msg]
    ) -> tuple[Msg, ...]:
        """Tell what the end of the game `name` adds for one person: what is earned, what has come nearer, and what was
        nearly reached and has not been earned before."""
        found: list[Msg] = []
        near: list[Msg] = []
        try:
            rows = self.reached(game, addresses, name)
        except StoreError as odd:
            # A damaged page must not keep a game from ending.
            log.warning("%s: %s", name, odd)
            return ()
        for row in rows:
            one, games = row.of, row.games + 1
            if row.earned:
                continue
            if one.id not in achieved:
                near += [missed[one.id]] if one.id in missed else []
            elif games >= one.times:
                found.append(T("Earned: {title}. {text}", title=one.text.title, text=one.text.lines))
            else:
                found.append(T("{title}: {n} of {times} games.", title=one.text.title, n=games, times=one.times))
        return (*found, *near)

    def listing(self, kind: str, addresses: Iterable[str]) -> tuple[CardText, ...]:
        """List all achievements for one person: those of `kind`, and of every other game they have finished here."""
        known = tuple(addresses)
        kinds = dict.fromkeys([kind, *(row["kind"] for row in self._games(known).values())])
        blocks = []
        for rules in map(self._find, kinds):
            rows = self.reached(rules, known)
            ranked = sorted(rows, key=lambda row: (not row.earned, not row.games))
            earned = sum(row.earned for row in rows)
            lines = (T("{n} of {all} earned.", "{n} of {all} earned.", n=earned, all=len(rows)), *map(_line, ranked))
            if rows or rules.kind == kind:
                title = T("Achievements in {game}", game=rules.title)
                blocks.append(CardText(title, lines if rows else (T("This game has none."),)))
        return tuple(blocks)

    def everybody(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Name and addresses of everybody who holds a seat, by name. Holders who share an address are one person, under
        the name they last had."""
        names: dict[frozenset[str], str] = {}
        for game in self._people.games():
            for holder in self._people.holders(game):
                shared = [group for group in names if group & set(holder.addresses)]
                if holder.addresses:
                    group = frozenset(holder.addresses).union(*shared)
                    for old in shared:
                        del names[old]
                    names[group] = holder.name
        return tuple(sorted((name, tuple(sorted(group))) for group, name in names.items()))

    def expect(self, game: str) -> None:
        """Note that a game is about to end, or not to have ended."""
        self._due.mkdir(parents=True, exist_ok=True, mode=0o700)
        (self._due / game).touch()

    def expected(self) -> tuple[str, ...]:
        """The games with such a note."""
        try:
            return tuple(sorted(path.name for path in self._due.iterdir()))
        except FileNotFoundError:
            return ()

    def settle(self, stored: StoredGame, result: Ending | None) -> None:
        """Write what the stored position of a game says, and take its note away. Where that fails, the note stays, and
        the next letter tries again."""
        name = stored.table.game
        try:
            self._write(stored, result)
            (self._due / name).unlink(missing_ok=True)
        except (StoreError, OSError) as odd:
            log.warning("%s: the book of achievements could not be written: %s", name, odd)

    def recount(self) -> int:
        """Write the book anew from every stored game; returns how many are over. Raises StoreError, PositionError."""
        over = 0
        for name in self._store.names():
            with self._store.open(name).lock("achievements", check=False) as repo:
                stored = StoredGame.read(repo)
                rules = self._find(stored.table.kind)
                if not rules.reference.achievements:
                    continue
                result = rules.result(rules.load(stored.game, stored.hidden)) if stored.game else None
                self._write(stored, result)
                over += result is not None
        return over

    def _write(self, stored: StoredGame, result: Ending | None) -> None:
        table = stored.table
        mine: dict[str, dict[str, Any]] = {}
        if result is not None and table.status is Status.ENDED:
            by = {row.seat: row.by for row in table.seats}
            for holder in self._people.holders(table.game):
                if by.get(str(holder.seat)) == COMPUTER:
                    continue
                achieved = list(result.achieved.get(holder.seat, ()))
                row = {"kind": table.kind, "ended": table.changed, "achieved": achieved}
                mine |= {self._keys.person(address): row for address in holder.addresses}
        before = self._pages()
        people = before.keys() | mine.keys()
        after = {person: _entered(before.get(person, {}), table.game, mine.get(person)) for person in sorted(people)}
        changed = {person: games for person, games in after.items() if games != before.get(person)}
        if changed:
            says = f"{table.game} {'is over' if mine else 'does not count'}"
            files = {f"{person}.toml": tomli_w.dumps({"games": games}).encode() for person, games in changed.items()}
            self._commit(files, says, table.changed)

    def _commit(self, files: Mapping[str, bytes], says: str, at: datetime) -> None:
        repo = self._store.book(BOOK)
        if repo is None:
            self._store.create_book(BOOK, files, says, at)
            return
        with repo.lock("achievements") as held:
            held.commit(files, says, at=at)

    def _pages(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Every person's games. Raises StoreError for a page that is no TOML."""
        repo = self._store.book(BOOK)
        if repo is None:
            return {}
        return {path.stem: _read(path) for path in sorted(repo.folder.glob("*.toml"))}

    def _games(self, addresses: Iterable[str]) -> dict[str, dict[str, Any]]:
        """The games on the pages of these addresses, each once."""
        repo = self._store.book(BOOK)
        found: dict[str, dict[str, Any]] = {}
        if repo is not None:
            for address in addresses:
                found |= _read(repo.folder / f"{self._keys.person(address)}.toml")
        return found


def _line(row: AchievementCount) -> Msg:
    title, text, times = row.of.text.title, row.of.text.lines, row.of.times
    if row.earned:
        return T("{title}: earned. {text}", title=title, text=text)
    if times > 1:
        return T("{title}: {n} of {times}. {text}", title=title, n=row.games, times=times, text=text)
    return T("{title}: not yet. {text}", title=title, text=text)


def _entered(games: dict[str, dict[str, Any]], name: str, row: dict[str, Any] | None) -> dict[str, dict[str, Any]]:
    kept = {game: found for game, found in games.items() if game != name}
    return kept if row is None else dict(sorted({**kept, name: row}.items()))


def _read(path: Path) -> dict[str, dict[str, Any]]:
    data: dict[str, Any] = {}
    with suppress(FileNotFoundError):
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
            for row in data["games"].values():
                row["kind"], list(row["achieved"])
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, LookupError, TypeError, AttributeError) as odd:
            raise StoreError(f"{path} is no page of achievements: {odd}; `git checkout` brings it back") from None
    return dict(data.get("games", {}))
