"""Checks a stored game: its repository, position, mails, letters and people. Nothing is changed.

What is found is told in words without a secret in them, with what `pbem mend` would do about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from engine import data_paths
from engine.errors import PositionError
from engine.game import AnyGame
from pbem.admin.actions.position_values import public_laws
from pbem.desk.core.services import Services
from pbem.desk.core.undo import replay_records
from pbem.host.people import PeopleError
from pbem.store.audit import Fault, Remedy, check_repository, is_unreadable
from pbem.store.commit_record import Record, read_records
from pbem.store.errors import StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.permissions import world_readable
from pbem.store.state_file import SECRET_FILE, STATE_FILE, StoredGame

_HIDDEN = "cannot be read as what it should hold (not shown)"
_EDIT = "put it right with `pbem edit` or `pbem set`"


def check_game(services: Services, repo: GameRepo) -> tuple[Fault, ...]:
    """Everything that is wrong with a game, worst first; empty when it is sound. Takes its lock (LockHeld)."""
    found = check_stored_game(services.find, repo)
    people = tuple(_people(services, repo))
    if any(map(is_unreadable, found)):
        return (*found, *people)
    stored = StoredGame.read(repo)
    past = tuple(read_records(repo, upto=stored.table.records, commit=stored.commit))
    return (*found, *_mails(services, stored, past), *_letters(services, stored, past), *people)


def check_stored_game(find: Callable[[str], AnyGame], repo: GameRepo) -> tuple[Fault, ...]:
    """What is wrong with the repository of a game and with the position in it."""
    found = [*_modes(repo), *_git_files(repo), *map(_without_secrets, check_repository(repo))]
    if any(map(is_unreadable, found)):
        return tuple(found)
    try:
        stored = StoredGame.read(repo)
        past = tuple(read_records(repo, upto=stored.table.records, commit=stored.commit))
    except (PositionError, StoreError) as odd:
        says = _HIDDEN if "secret" in str(odd) else str(odd)
        return (*found, Fault("state", getattr(odd, "where", ""), says, Remedy.BACK))
    by_hand = tuple(_by_hand(repo))
    if not any(one.what == "hand" for one in by_hand):
        by_hand += tuple(_position(find, stored, past))
    return (*found, *by_hand)


def is_playable(find: Callable[[str], AnyGame], repo: GameRepo, commit: str) -> bool:
    """Whether a commit holds a position that its game can read, and records that fold."""
    try:
        stored = StoredGame.read(repo, commit)
        past = tuple(read_records(repo, upto=stored.table.records, commit=commit))
    except (PositionError, StoreError, KeyError):
        return False
    return all(one.remedy is not Remedy.BACK for one in _position(find, stored, past))


def _modes(repo: GameRepo) -> Iterator[Fault]:
    if open_ := list(world_readable(repo.folder)):
        says = f"{len(open_)} files and folders can be read by other users of this machine"
        yield Fault("mode", str(open_[0].relative_to(repo.folder.parent)), says, Remedy.CLOSE)


def _without_secrets(fault: Fault) -> Fault:
    """The fault without its text, where that could quote a secret file."""
    told = "secret" not in fault.path or fault.what in ("file", "object")
    return fault if told else replace(fault, says=_HIDDEN)


def _git_files(repo: GameRepo) -> Iterator[Fault]:
    """HEAD, and the locks of git programs that were killed."""
    try:
        with repo.lock("fsck", check=False):
            for name in ("HEAD.lock", "refs/heads/main.lock", "packed-refs.lock", "index.lock"):
                if (repo.gitdir / name).exists():
                    yield Fault("lock", f".git/{name}", "a git program was killed and left its lock", Remedy.TIDY)
    except StoreError:
        pass
    try:
        head = (repo.gitdir / "HEAD").read_text(errors="replace").strip()
    except OSError:
        head = ""
    if head != "ref: refs/heads/main":
        yield Fault("head", ".git/HEAD", f"HEAD says «{head[:60]}», not the branch main", Remedy.HEAD)


def _by_hand(repo: GameRepo) -> Iterator[Fault]:
    last = repo.last_written
    if not last:
        yield Fault("journal", ".git/pbem/journal", "the journal does not say which commit was the last", Remedy.TIDY)
    elif last != repo.head:
        says = f"the commit {repo.head[:10]} was made by hand after {last[:10]}"
        yield Fault("hand", "", says, Remedy.CHOICE)


def _position(find: Callable[[str], AnyGame], stored: StoredGame, past: tuple[Record, ...]) -> Iterator[Fault]:
    if not stored.game:
        return
    try:
        game = find(stored.table.kind)
    except LookupError as odd:
        yield Fault("state", STATE_FILE, str(odd.args[0]), person="install the version that plays this game")
        return
    try:
        state = game.load(stored.game, stored.hidden)
    except PositionError as odd:
        yield Fault("state", odd.where, "the game cannot read it (its value is not shown)", Remedy.BACK)
        return
    for law in public_laws(game, state, game.moderation.violations(state)):
        yield Fault("law", "", str(law), person=_EDIT)
    try:
        public, hidden = game.dump(replay_records(game, past))
    except PositionError as odd:
        yield Fault("record", odd.where, "the records do not fold to a position", Remedy.BACK)
        return
    for path, _, _ in data_paths.differences(public, stored.game):
        yield Fault("fold", path, "differs from what the records fold to", Remedy.CHOICE)
    if hidden != stored.hidden:
        yield Fault("fold", SECRET_FILE, "differs from what the records fold to (not shown)", Remedy.CHOICE)


def _mails(services: Services, stored: StoredGame, past: tuple[Record, ...]) -> Iterator[Fault]:
    spool, name = services.spool, stored.table.game
    known = spool.ask("SELECT record, head FROM games WHERE game = ?", name)
    if not known:
        yield Fault("outbox", "", "the spool does not know the game", Remedy.OUTBOX)
    elif tuple(known[0]) != (stored.table.records, stored.commit):
        says = f"the spool knows the game up to record {known[0][0]}, the history goes to {stored.table.records}"
        yield Fault("outbox", "", says, Remedy.OUTBOX)
    if prepared := spool.rows(name, "prepared"):
        yield Fault("outbox", "", f"{len(prepared)} mails were laid down and never released", Remedy.OUTBOX)
    if lost := [intent.message_id for record in past for intent in spool.missing(record)]:
        says = f"{len(lost)} mails that the history promises are not there: {', '.join(lost[:5])}"
        yield Fault("outbox", "", says, Remedy.OUTBOX)
    for row in spool.rows(name, "ready"):
        if not spool.raw(row.message_id).startswith(b"From: "):
            yield Fault("outbox", row.message_id, "the mail waits and has no text", Remedy.OUTBOX)


def _letters(services: Services, stored: StoredGame, past: tuple[Record, ...]) -> Iterator[Fault]:
    spool, name, last = services.spool, stored.table.game, stored.table.records
    if unknown := [one for one in past if one.letter and spool.seen(one.letter.digest) is None]:
        says = f"{len(unknown)} letters were answered and the spool does not know it; they could be played again"
        yield Fault("letters", "", says, Remedy.LETTERS)
    if ahead := spool.ask("SELECT count(*) FROM handled WHERE game = ? AND record > ?", name, last)[0][0]:
        says = f"{ahead} letters count as answered by records that are not in the history"
        yield Fault("letters", "", says, Remedy.LETTERS)


def _people(services: Services, repo: GameRepo) -> Iterator[Fault]:
    name, path = repo.name, f"people/{repo.name}.toml"
    if services.people.awaited(name):
        says = "a seat was changing hands when we were killed"
        yield Fault("people", f"people/coming/{name}.toml", says, Remedy.SETTLE)
    try:
        holders = services.people.holders(name)
        table = StoredGame.read_public(repo).table
    except PeopleError:
        yield Fault("people", path, "the file cannot be read", Remedy.PEOPLE)
        return
    except (StoreError, PositionError):
        return
    if not holders:
        yield Fault("people", path, "nobody is known at this table", Remedy.PEOPLE)
        return
    generations = {row.seat: row.generation for row in table.seats}
    known = {holder.seat for holder in holders}
    if generations.keys() != known:
        odd = ", ".join(sorted(generations.keys() ^ known))
        yield Fault("people", path, f"the seats are not those of the table: {odd}", Remedy.PEOPLE)
    for one in holders:
        if one.generation != (count := generations.get(one.seat, one.generation)):
            says = f"{one.seat} has changed hands {count - 1} times, the file says otherwise"
            yield Fault("people", path, says, Remedy.PEOPLE)
