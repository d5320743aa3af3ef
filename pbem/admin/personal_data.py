"""A person's data on this host: told to that person alone (`my data`), and erased (`forget me`).

Only that person's rows, words and letters are opened, never what others wrote or what their seats may not see.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from engine.catalog import Msg, T
from engine.errors import NotAllowed, PositionError
from engine.game import Seat
from pbem.admin.tables.player_tables import read_table
from pbem.desk.core.context import OVER
from pbem.desk.core.seat_controller import COMPUTER
from pbem.desk.core.services import Services
from pbem.desk.desk import Desk
from pbem.host.people import MODERATOR, Holder
from pbem.inbound import headers, mime
from pbem.inbound.mime import Part
from pbem.inbound.sanitize import clean_text
from pbem.store.errors import StoreError
from pbem.store.game_table import Status
from pbem.store.private_text import author_id
from pbem.store.state_file import StoredGame

MAX_LETTERS = 200
"""Letters that are listed, the newest first."""

_HEAD = 64 * 1024
_OWN_WORDS = re.compile(r"\.(?:say|tell|note|reason)[0-9]*$")
"""Placeholders of what an author wrote; a packed mail has another, which is not shown."""


def data_report(services: Services, address: str) -> tuple[Msg, ...]:
    """All that is kept about the person of an address, in sentences."""
    seats = services.people.seats_of(address)
    found = [T("What this host keeps about {address}:", address=address)]
    if not seats:
        found.append(T("No seat of any table is registered with this address."))
    for game, seat in seats:
        found += _of_seat(services, game, services.people.holder(game, seat))
    found += _achieved(services, address, {game for game, _ in seats})
    found += _letters(services, address)
    wishes = len(services.wishes.of(address))
    if games := services.followers.followed(address):
        language = services.spoken(address) or services.people.usual
        found.append(T("You follow {games}, as you have asked; the language is {one}.", games=games, one=language))
    if wishes:
        found.append(
            T("{n} question waits for an answer of yours.", "{n} questions wait for answers of yours.", n=wishes)
        )
    found.append(
        T("Beside these: marks of your letters in the games' histories, counts of letters, and when mails were taken.")
    )
    return tuple(found)


def _of_seat(services: Services, game: str, holder: Holder) -> Iterator[Msg]:
    yield T(
        "{game}, seat {seat}: your name {name}, addresses {addresses}, language {language}.",
        game=game, seat=str(holder.seat), name=holder.name, addresses=holder.addresses,
        language=services.people.read_by(holder),
    )  # fmt: skip
    settings = {
        "zone": holder.zone, "quiet": holder.quiet, "remind": f"{holder.remind} h" if holder.remind else "",
        "coming": holder.coming, "unreachable": holder.unreachable, "full": "yes" if holder.full else "",
        "plain": "yes" if holder.plain else "",
        "mails": f"{holder.volume} {holder.hour}:00" if holder.volume == "daily" else holder.volume,
    }  # fmt: skip
    set_ones = tuple(f"{name} {value}" for name, value in settings.items() if value)
    if set_ones:
        yield T("{game}, what is set for you: {settings}.", game=game, settings=set_ones)
    with suppress(StoreError, PositionError, KeyError):
        stored = StoredGame.read(services.store.open(game))
        yield from _of_table(stored, holder.seat)
    rows = services.spool.words.ask(
        "SELECT mark, text FROM words WHERE game = ? AND author = ? AND text IS NOT NULL ORDER BY record, mark",
        game, author_id(holder.seat, holder.generation),
    )  # fmt: skip
    for mark, text in rows:
        if _OWN_WORDS.search(mark):
            yield T("{game}, you wrote: «{text}»", game=game, text=clean_text(str(text)))


def _of_table(stored: StoredGame, seat: Seat) -> Iterator[Msg]:
    table, word = stored.table, stored.secrets.words.get(seat, "")
    if word:
        yield T("{game}, your word for the dice: «{word}».", game=table.game, word=word)
    for one in table.seat(seat).away:
        since, until = one.since.date().isoformat(), one.until.date().isoformat()
        yield T("{game}, away from {since} to {until}.", game=table.game, since=since, until=until)
    yield T(
        "{game}: your orders stand in its history, a git repository; «history», in an answer to one of its mails, "
        "shows them.",
        game=table.game,
    )


def _achieved(services: Services, address: str, games: set[str]) -> Iterator[Msg]:
    for kind in sorted({table.kind for game in games if (table := read_table(services, game))}):
        for card in services.achievements.listing(kind, (address,)):
            yield T("Achievements, under a mark of your address: {title}: {lines}", title=card.title, lines=card.lines)


def _written(services: Services, address: str) -> Iterator[tuple[str, str, Part, int]]:
    """A person's letters in the spool, the newest first: (digest, time it came, header, number of bytes)."""
    every = "SELECT digest, received, raw FROM letters WHERE raw IS NOT NULL ORDER BY received DESC"
    for digest, received, raw in services.spool.ask(every):
        if address.encode() in raw[:_HEAD].lower():
            tree = mime.parse_header(raw[:_HEAD])
            if headers.from_address(tree)[0] == address:
                yield str(digest), str(received), tree, len(raw)


def _letters(services: Services, address: str) -> Iterator[Msg]:
    """Letters of a person and mails to them that lie in the spool."""
    spool = services.spool
    found = [
        (received, clean_text(headers.decode_words(tree.first("subject")), 80), size)
        for _, received, tree, size in _written(services, address)
    ]
    yield T("{n} letter of yours lies in the spool.", "{n} letters of yours lie in the spool.", n=len(found))
    for received, subject, size in found[:MAX_LETTERS]:
        day = datetime.fromisoformat(received).strftime("%Y-%m-%d %H:%M")
        yield T("{day} (UTC), «{subject}», {n} bytes, as you sent it", day=day, subject=subject, n=size)
    count = spool.ask("SELECT count(*) FROM outbox WHERE rcpt = ? AND length(raw) > 0", address)[0][0]
    yield T("{n} mail to you lies there, too.", "{n} mails to you lie there, too.", n=int(count))


def check_no_seat(services: Services, address: str) -> None:
    """Raises NotAllowed where the person still plays, or a seat of theirs cannot be read now."""
    held = []
    for game, seat in services.people.seats_of(address):
        table = read_table(services, game)
        if table is None:
            held.append(T("{game} (which cannot be read now; the moderator must mend it)", game=game))
            continue
        before = table.status is Status.GATHERING
        left = table.status in OVER or table.seat(seat).by == COMPUTER or (before and seat in table.declined)
        if not left:
            held.append(T("{game} («leave»)", game=game) if before else T("{game} («resign»)", game=game))
    if held:
        raise NotAllowed(T("You still have a seat at these tables; first leave them: {games}.", games=tuple(held)))


@dataclass(frozen=True, slots=True)
class HeldSeat:
    """A seat that an address holds, or held before (not `now`). `author` marks the holder's words in the store.

    `others`: the same holder has another address now.
    """

    game: str
    seat: str
    author: str
    now: bool
    others: bool = False


def held_seats(services: Services, address: str) -> tuple[HeldSeat, ...]:
    """All seats that an address holds, or held when a mail of the table went there."""
    people, spool, address = services.people, services.spool, address.lower()
    found: dict[tuple[str, str], HeldSeat] = {}
    for game, seat in people.seats_of(address):
        author = author_id(seat, people.holder(game, seat).generation)
        found[game, author] = HeldSeat(game, seat, author, now=True)
    rows = spool.ask("SELECT game, seat, message_id FROM outbox WHERE rcpt = ? AND seat <> '' AND game <> ''", address)
    for game, seat, intent in rows:
        # The record that promised the mail tells who held the seat. Notes have no such record.
        mailed = spool.mailed(services.keys.mail(game, seat, intent))
        if mailed is None or seat == MODERATOR:
            continue
        author = author_id(seat, mailed.handed + 1)
        others = any(
            one.seat == seat and one.generation == mailed.handed + 1 and bool(one.addresses)
            for one in people.holders(game)
        )
        found.setdefault((game, author), HeldSeat(game, seat, author, now=False, others=others))
    return tuple(found[key] for key in sorted(found))


def lost_seats(services: Services, address: str) -> tuple[HeldSeat, ...]:
    """The seats that an address has lost, without those whose holder has another address now."""
    return tuple(one for one in held_seats(services, address) if not one.now and not one.others)


def forget_person(desk: Desk, address: str) -> tuple[Msg, ...]:
    """Erase the data of a person; what remains, and why, in sentences. Raises NotAllowed, StoreError.

    A seat's addresses go last: after a crash the same call finds the rest and goes on.
    """
    services = desk.services
    check_no_seat(services, address)
    people, spool = services.people, services.spool
    addresses = {address}
    seats = people.seats_of(address)
    before = lost_seats(services, address)
    for one in before:
        # The addresses of its mails tell that it was theirs; these are erased below.
        spool.forget(one.game, spool.words.forget(one.game, one.author))
    for game, seat in seats:
        addresses |= set(people.holder(game, seat).addresses)
    for own in sorted(addresses):
        spool.forget_person(own, [digest for digest, *_ in _written(services, own)])
        services.followers.forget(own)
        for wish in services.wishes.of(own):
            services.wishes.drop(wish.number)
    for game, seat in seats:
        with services.store.open(game).lock("forgetting", check=False) as repo:
            holder = people.holder(game, seat)
            spool.forget(game, spool.words.forget(game, author_id(seat, holder.generation)))
            people.change(game, Holder(seat, holder.name, generation=holder.generation))
            context = desk.context(repo)
            if context.state is not None and context.game.reference.achievements:
                # A finished game counts for those whose addresses are known.
                services.achievements.settle(context.stored, context.game.result(context.state))
    return _remains(tuple(dict.fromkeys((*(game for game, _ in seats), *(one.game for one in before)))))


def _remains(games: tuple[str, ...]) -> tuple[Msg, ...]:
    found = [
        T("Done. Your addresses and settings, what you wrote, your letters and the mails to you are emptied here, and "
          "your achievements taken away."),
    ]  # fmt: skip
    if games:
        found.append(
            T("In the histories of {games} remain: your name, your orders, your word for the dice and when you played. "
              "They are git histories, each step of which stands on the one before; without them the game would not "
              "hold together, nor its dice be checked.", games=games)
        )
    found.append(
        T("Not reached: this mail and the letter that it answers, and your letters in the folder of handled ones, "
          "until the host's days for them are over; mails that others have received; the host's backups and exports.")
    )  # fmt: skip
    return tuple(found)
