"""Opening a table: its seats, its options, and the secret seed of the dice.

The seed is drawn and the host's own word is fixed. The invitations publish one hash over both, before any player's
word is known. Nothing is dealt before every seat's word is fixed.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.catalog import T
from engine.chance import commitment
from engine.errors import NotAllowed
from engine.game import AnyGame
from engine.kit.words import fold_text
from pbem.admin.persons import checked_addresses
from pbem.clocks import pace
from pbem.desk import commands
from pbem.desk.core.context import Context
from pbem.desk.core.game_start import HOST, beginning, fixed_word, is_complete
from pbem.desk.core.result import Result
from pbem.desk.core.seat_controller import COMPUTER, PERSON, level_at, parse_level
from pbem.desk.core.services import Services, program_version
from pbem.desk.desk import Desk
from pbem.desk.transaction.commit import commit_by
from pbem.host.people import Holder, slug
from pbem.inbound.sanitize import clean_text
from pbem.store.commit_record import Record
from pbem.store.errors import GameExists
from pbem.store.game_table import SeatRow, Secrets, Status, Table
from pbem.store.state_file import StoredGame, create_game

ALIASES = (
    "Aubry", "Blanche", "Colin", "Denise", "Ermengarde", "Foulques", "Guillemette", "Hugues", "Isabeau", "Jehan",
    "Yolande", "Thibaut",
)  # fmt: skip
"""Names of Troyes in 1200 for the seats of an anonymous table; more than any game has seats."""


@dataclass(frozen=True, slots=True)
class Invited:
    """One player to be seated. A given `word` is fixed without asking, and so is one without addresses.

    With a `level` it is a computer, which has no address.
    """

    name: str
    addresses: tuple[str, ...] = ()
    word: str | None = None
    level: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Opening:
    """A table to be opened, with the options of its game and of the table (`pbem.clocks.pace`).

    `seed` None: it is drawn. `first` names the start player. `now`: no words are asked for. `hints`: players may ask
    for hints. `follows` is the table of which this is a rematch; `wish` and `places` are those of `Table`.
    """

    kind: str
    invited: tuple[Invited, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    first: str = ""
    seed: bytes | None = None
    host_word: str = ""
    now: bool = False
    hints: bool = False
    facts: Mapping[str, Any] | None = None
    follows: str = ""
    wish: str = ""
    places: int = 0


def rematch_opening(stored: StoredGame, holders: Sequence[Holder]) -> Opening:
    """A rematch: the people, computers, order and options of a table that is over, with other dice."""
    table, known = stored.table, {str(one.seat): one for one in holders}
    invited = tuple(
        Invited(row.name, level=row.level)
        if row.by == COMPUTER
        else Invited(known[row.seat].name, known[row.seat].addresses, language=known[row.seat].language)
        for row in table.seats
    )
    options = {**table.options, **pace.option_texts(table)}
    return Opening(table.kind, invited, options, hints=table.hints, facts=table.facts, follows=table.game)


def open_table(desk: Desk, opening: Opening) -> StoredGame:
    """Make the game with its first commit and send invitations, or welcomes when no word is left to ask.

    Raises LookupError for an unknown kind of game, OrderRefused for seats and options that the game does not take, and
    StoreError. A crash leaves nothing, the whole table, or people without a game, which the next opening overwrites.
    """
    services = desk.services
    game = services.find(opening.kind)
    if opening.seed is None:
        opening = replace(opening, seed=secrets.token_bytes(32))
    seated, opening, options, ways = checked_opening(game, opening)
    holders = tuple(map(services.people.known, seated))
    first = _start_player(opening, holders)
    people = services.people
    # Whoever opens or imports a table now may take long, and others may wait for the commits of this batch.
    services.store.group_commit.flush()
    with people.opening():
        label = services.renderer.host.label
        head = f"{label}-{game.kind}" if label else game.kind
        number = 1 + max((_number(name, head) for name in services.store.names()), default=0)
        while True:
            name = f"{head}-{number}"
            if services.spool.rows(name):
                # A game of this name was removed or has moved. Its mails are out, so the name is used up.
                number += 1
                continue
            people.register(name, holders)
            try:
                laid_out = _laid_out(services, game, opening, name, holders, options, first, ways)
                return _opened(services, game, opening, laid_out)
            except GameExists:
                number += 1


def checked_opening(
    game: AnyGame, opening: Opening
) -> tuple[tuple[Holder, ...], Opening, dict[str, str], dict[str, Any]]:
    """The holders, the opening in their order, all options of the game, and those of the table. Raises OrderRefused."""
    seated, opening = _seated(game, opening)
    own = {option.name for option in pace.TABLE_OPTIONS}
    chosen = {name: one for name, one in opening.options.items() if name not in own}
    options = game.settle_options(max(len(seated), opening.places), chosen)
    return seated, opening, options, pace.table_fields(opening.options)


def _seated(game: AnyGame, opening: Opening) -> tuple[tuple[Holder, ...], Opening]:
    """The holders clockwise, and the opening with the invited in that order.

    At an anonymous table neither names nor places follow from the order in which people were named.
    """
    check_seat_count(game, max(len(opening.invited), opening.places))
    holders: list[Holder] = []
    hidden = opening.options.get("anonymous") == "yes"
    for one in opening.invited:
        alias = draw_alias(game, holders, opening.seed or b"") if hidden and not one.level else ""
        holders.append(new_holder(game, one, holders, alias))
    seats = sorted(zip(holders, opening.invited, strict=True), key=lambda pair: str(pair[0].seat) if hidden else "")
    return tuple(one for one, _ in seats), replace(opening, invited=tuple(one for _, one in seats))


def _reserved(game: AnyGame) -> set[str]:
    """Words that no seat may have as its handle."""
    return {fold_text(word) for word in (*game.reference.reserved(), *commands.command_words(), *commands.RESERVED)}


def draw_alias(game: AnyGame, others: Sequence[Holder], seed: bytes) -> str:
    """A drawn name for a seat of an anonymous table, so that it does not tell who came when."""
    # A word of the game would get a number as a handle, and be drawn again.
    taken = {str(one.seat) for one in others} | _reserved(game)
    free = (name for name in ALIASES if name.lower() not in taken)
    return min(free, key=lambda name: hashlib.sha256(seed + name.encode()).digest())


def check_seat_count(game: AnyGame, seats: int) -> None:
    """Raises NotAllowed for a number of seats that the game is not for."""
    if seats not in game.seats:
        raise NotAllowed(
            T("{game} is for {least} to {most} players; {n} are named.",
              game=game.title, least=game.seats[0], most=game.seats[-1], n=seats)
        )  # fmt: skip


def new_holder(game: AnyGame, one: Invited, others: Sequence[Holder], alias: str = "") -> Holder:
    """The holder of a new seat beside the `others`, under an `alias` at an anonymous table.

    Raises NotAllowed for a name or an address that cannot be.
    """
    name = clean_text(one.name, 40)
    if not name:
        raise NotAllowed(T("A seat needs a name."))
    if one.level:
        parse_level(one.level)
    if one.level and one.addresses:
        raise NotAllowed(
            T(
                "{name} has an address: a person's seat is played by that person. Leave the address out for a "
                "computer's seat; «pbem computer» lends it a seat later, and everybody is told why.",
                name=name,
            )
        )
    if not alias and any(fold_text(other.name).strip() == fold_text(name).strip() for other in others):
        raise NotAllowed(T("Two seats are called {name}.", name=name))
    seat = slug(alias or name, {other.seat for other in others}, _reserved(game))
    return Holder(seat, name, checked_addresses(one.addresses), language=one.language)


def _start_player(opening: Opening, holders: Sequence[Holder]) -> str:
    if not opening.first:
        return ""
    for holder in holders:
        if fold_text(opening.first) in (holder.seat, fold_text(holder.name).strip()):
            return holder.seat
    names = tuple(holder.name for holder in holders)
    raise NotAllowed(T("No seat is called {name}; there are: {names}.", name=opening.first, names=names))


def _number(name: str, wanted: str) -> int:
    head, _, number = name.rpartition("-")
    return int(number) if head == wanted and number.isdecimal() else 0


def _laid_out(
    services: Services, game: AnyGame, opening: Opening, name: str, holders: Sequence[Holder], options: dict[str, str],
    first: str, ways: Mapping[str, Any],
) -> StoredGame:  # fmt: skip
    """The table before its first commit."""
    seed = opening.seed or b""
    words = {HOST: fixed_word(opening.host_word)}
    joined = []
    for holder, one in zip(holders, opening.invited, strict=True):
        if one.word is not None or opening.now or not holder.addresses:
            words[holder.seat] = fixed_word(one.word or "")
            joined.append(str(holder.seat))
    rows = tuple(
        _row(game, holder, one.level, ways["anonymous"]) for holder, one in zip(holders, opening.invited, strict=True)
    )
    at = services.clock()
    table = Table(
        game=name, kind=game.kind, status=Status.GATHERING, engine=program_version(), game_schema=game.schema,
        options=options, seats=rows, opened=at, changed=at, commitment=commitment(seed, words[HOST]),
        joined=tuple(joined), first=first,
        hints=opening.hints, facts=dict(opening.facts) if opening.facts else None, **ways, follows=opening.follows,
        wish=opening.wish, places=opening.places,
    )  # fmt: skip
    return StoredGame(table, Secrets(seed.hex(), words))


def _row(game: AnyGame, holder: Holder, level: str, hidden: bool) -> SeatRow:
    if not level:
        return SeatRow(holder.seat, holder.seat.title() if hidden else holder.name, PERSON)
    return SeatRow(holder.seat, holder.name, COMPUTER, level=level_at(level, game))


def _opened(services: Services, game: AnyGame, opening: Opening, stored: StoredGame) -> StoredGame:
    names = ", ".join(row.name for row in stored.table.seats)
    if not is_complete(stored):
        result = Result(what="open", says=f"table opened for {names}", stored=stored, state=None, invites=True)
    else:
        result = Result(what="start", says=f"the game begins: {names}", stored=stored, **beginning(game, stored))

    def commit(new: StoredGame, record: Record, says: str) -> StoredGame:
        return create_game(services.store, new, record, says)[1]

    context = Context(game=game, stored=stored, state=None, services=services)
    return commit_by(services, context, result, commit).stored
