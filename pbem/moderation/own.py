"""What this host keeps about a person, told to that person alone: the answer to `my data`.

Only what is theirs is opened: their rows, their words, their letters. What others wrote, and what their seats may not
see, stands in none of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime

from engine.catalog import Msg, T
from engine.errors import PositionError
from engine.game import Seat
from pbem.desk.services import Services
from pbem.host.people import Holder
from pbem.inbound import headers, mime
from pbem.inbound.speech import relayed
from pbem.store.stored import Stored
from pbem.store.trouble import StoreError
from pbem.store.words import author_of

MOST = 200
"""Letters that are listed; of more the newest."""

_HEAD = 64 * 1024
_OWN_WORDS = re.compile(r"\.(?:say|tell|note|reason)[0-9]*$")
"""Marks of what its author wrote. A packed mail has another; it tells its reader more than that."""


def kept(services: Services, address: str) -> tuple[Msg, ...]:
    """Everything that is kept about whoever has an address, in sentences."""
    seats = services.people.seats_of(address)
    found = [T("What this host keeps about {address}:", address=address)]
    if not seats:
        found.append(T("No seat of any table is registered with this address."))
    for game, seat in seats:
        found += _of_seat(services, game, services.people.holder(game, seat))
    found += _achieved(services, address, {game for game, _ in seats})
    found += _letters(services, address)
    wishes = len(services.wishes.of(address))
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
        game=game, seat=str(holder.seat), name=holder.name, addresses=holder.addresses, language=holder.language,
    )  # fmt: skip
    settings = {
        "zone": holder.zone, "quiet": holder.quiet, "remind": f"{holder.remind} h" if holder.remind else "",
        "coming": holder.coming, "unreachable": holder.unreachable, "full": "yes" if holder.full else "",
        "plain": "yes" if holder.plain else "",
    }  # fmt: skip
    set_ones = tuple(f"{name} {value}" for name, value in settings.items() if value)
    if set_ones:
        yield T("{game}, what is set for you: {settings}.", game=game, settings=set_ones)
    with suppress(StoreError, PositionError, KeyError):
        stored = Stored.read(services.store.open(game))
        yield from _of_table(stored, holder.seat)
    rows = services.spool.words.ask(
        "SELECT mark, text FROM words WHERE game = ? AND author = ? AND text IS NOT NULL ORDER BY record, mark",
        game, author_of(holder.seat, holder.generation),
    )  # fmt: skip
    for mark, text in rows:
        if _OWN_WORDS.search(mark):
            yield T("{game}, you wrote: «{text}»", game=game, text=relayed(str(text)))


def _of_table(stored: Stored, seat: Seat) -> Iterator[Msg]:
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
    kinds = set()
    for game in games:
        with suppress(StoreError, PositionError):
            kinds.add(Stored.read_public(services.store.open(game)).table.kind)
    for kind in sorted(kinds):
        for card in services.achievements.listing(kind, (address,)):
            yield T("Achievements, under a mark of your address: {title}: {lines}", title=card.title, lines=card.lines)


def _letters(services: Services, address: str) -> Iterator[Msg]:
    """Letters and mails whose bytes lie in the spool."""
    spool, wanted = services.spool, address.encode()
    found = []
    for received, raw in spool.ask("SELECT received, raw FROM letters WHERE raw IS NOT NULL ORDER BY received DESC"):
        if wanted not in raw[:_HEAD].lower():
            continue
        tree = mime.head(raw[:_HEAD])
        if headers.sender(tree)[0] == address:
            found.append((str(received), relayed(headers.words(tree.first("subject")), 80), len(raw)))
    yield T("{n} letter of yours lies in the spool.", "{n} letters of yours lie in the spool.", n=len(found))
    for received, subject, size in found[:MOST]:
        day = datetime.fromisoformat(received).strftime("%Y-%m-%d %H:%M")
        yield T("{day} (UTC), «{subject}», {n} bytes, as you sent it", day=day, subject=subject, n=size)
    count = spool.ask("SELECT count(*) FROM outbox WHERE rcpt = ? AND length(raw) > 0", address)[0][0]
    yield T("{n} mail to you lies there, too.", "{n} mails to you lie there, too.", n=int(count))
