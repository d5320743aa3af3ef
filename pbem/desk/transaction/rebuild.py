"""Rebuild a spool that was lost, damaged, or restored from a backup: which mails go again, and their bytes.

Of the mails that records promise and the spool does not have, a seat gets its newest one again, if no newer mail went
to it, the game is not over, and the seat's holder is still the same; all others count as sent. Mails are written anew
from the repository and from private texts, with the same bytes unless somebody changed their language, zone or style.
After a crash the next call does the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from engine.game import Seat
from pbem.desk.core.context import OVER, Context
from pbem.desk.core.services import Services
from pbem.desk.transaction.commit import by_preference, write_mail
from pbem.desk.transaction.compose import compose
from pbem.host.people import MODERATOR, People
from pbem.outbound.mail import Message
from pbem.store.commit_record import Intent, Record, read_records
from pbem.store.data_codec import from_data
from pbem.store.database import OutgoingMail
from pbem.store.game_repo import GameRepo
from pbem.store.state_file import StoredGame


@dataclass(frozen=True, slots=True)
class LostMails:
    """Mails of a game that the spool does not have: those that go `again`, those that are `gone`.

    `seats` have lost their newest mail, so that older ones in the spool are out of date.
    """

    again: tuple[Intent, ...] = ()
    gone: tuple[Intent, ...] = ()
    seats: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.again or self.gone)


def rebuild_all(record: Record) -> list[Intent]:
    """What a missing spool lacks of a record."""
    return list(record.intents)


def lost_mails(repo: GameRepo, people: People, missing: Callable[[Record], list[Intent]]) -> LostMails:
    """What is lost of a game, and what goes again. `missing` gives the mails of a record that the spool lacks.

    Raises StoreError, PositionError, and LookupError if the people of the game are not known.
    """
    newest: dict[str, tuple[int, Intent]] = {}
    lacking: list[Intent] = []
    for record in read_records(repo):
        newest |= {intent.seat: (record.number, intent) for intent in record.intents}
        lacking += missing(record)
    names = {intent.message_id for intent in lacking}
    late = {seat: found for seat, found in newest.items() if found[1].message_id in names}
    if late and StoredGame.read_public(repo).table.status not in OVER:
        commits = _commits(repo, {number for number, _ in late.values()})
        again = tuple(
            intent for seat, (number, intent) in late.items() if _same_holder(repo, people, seat, commits[number])
        )
    else:
        again = ()
    chosen = {intent.message_id for intent in again}
    gone = tuple(intent for intent in lacking if intent.message_id not in chosen)
    return LostMails(again, gone, tuple(late))


def rebuild_spool(services: Services, repo: GameRepo) -> int:
    """Restore what a spool lost of a game, under its lock; returns how many mails go again."""
    found = lost_mails(repo, services.people, services.spool.missing)
    if not found:
        return 0
    mails = rewritten_mails(services, repo, {intent.message_id for intent in found.again})
    services.spool.assume_sent(repo.name, found.gone, services.clock(), found.seats)
    services.spool.restock(repo.name, mails)
    return len(mails)


def rewritten_mails(services: Services, repo: GameRepo, wanted: Collection[str]) -> list[OutgoingMail]:
    """The mails of these intents, the oldest first, as they were written when they were promised."""
    promising = [one for one in read_records(repo) if any(intent.message_id in wanted for intent in one.intents)]
    commits = _commits(repo, {record.number for record in promising})
    found, words = [], services.spool.words
    for record in (Record.read(repo, one.number, commits[one.number]) for one in promising):
        context = Context.loaded(services, StoredGame.read(repo, commits[record.number]), repo)
        messages = [from_data(Message, words.mail(row), "mail") for row in record.private.get("mails", ())]
        for message, intent in zip(messages, record.intents, strict=True):
            if intent.message_id in wanted:
                holder = services.people.holder(repo.name, message.seat)
                token = services.keys.token(repo.name, message.seat, holder.generation, intent.decision)
                mail = compose(context, message, "" if message.public else str(token))
                found.append(write_mail(services, by_preference(services, mail), intent, record.at))
    return found


def _commits(repo: GameRepo, numbers: Collection[int]) -> dict[int, str]:
    """The commit that wrote each of these records."""
    found: dict[int, str] = {}
    if numbers:
        for commit in repo.log():
            number = int(commit.trailers.get("Record", "0"))
            if number in numbers:
                found.setdefault(number, commit.id)
            if len(found) == len(set(numbers)):
                break
    return found


def _same_holder(repo: GameRepo, people: People, seat: str, commit: str) -> bool:
    """True if the seat's holder can be mailed and held it when that commit was made."""
    if seat == MODERATOR:
        return bool(people.moderator.addresses)
    row = StoredGame.read_public(repo, commit).table.seat(seat)
    holder = people.holder(repo.name, Seat(seat))
    return bool(holder.addresses) and row.generation == holder.generation
