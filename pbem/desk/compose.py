"""From a draft and a position to a `Mail`: everything in it is what that seat may know.

The same function writes a mail before its commit and again after a lost spool, from the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from engine.catalog import T
from engine.game import Decision, Game, Line, Offer, Seat
from pbem.desk import corrections as deeds
from pbem.desk.draft import Draft
from pbem.desk.joining import Gathered, Gathering, gathered
from pbem.desk.start import opening
from pbem.desk.undo import UNDO, surviving
from pbem.host.people import MODERATOR
from pbem.inbound.speech import one_line
from pbem.outbound.mail import Choice, Mail, MailKind
from pbem.store.record import Record
from pbem.store.stored import Stored
from pbem.store.table import Status

SHOWS_POSITION = frozenset({MailKind.TURN, MailKind.WELCOME, MailKind.RECEIPT, MailKind.REFUSAL, MailKind.TRIAL})
"""Kinds that repeat the position when the seat is asked something."""

STOPPED = frozenset({Status.HELD, Status.ABANDONED, Status.ENDED})
"""States of a table in which nobody is asked anything."""

PAST = 200
"""Records that `history` looks through at most."""


@dataclass(frozen=True, slots=True)
class MailContext:
    """A position to write mails from: `state` None before the game begins; `past(n)` the records after number n,
    up to and with the one that the mail belongs to."""

    game: Game
    stored: Stored
    state: Any
    past: Callable[[int], Sequence[Record]]

    def waiting(self) -> tuple[Decision, ...]:
        """The open decisions; none while the game is held or after it was given up or ended."""
        if self.stored.table.status in STOPPED:
            return ()
        if self.state is None:
            return Gathering(self.game).waiting(gathered(self.stored))
        return self.game.waiting(self.state)

    def names(self) -> dict[Seat, str]:
        """Seats, clockwise, with their display names."""
        return {Seat(row.seat): row.name for row in self.stored.table.seats}


def compose(context: MailContext, draft: Draft, token: str) -> Mail:
    """The whole mail of a draft."""
    room = Gathering(context.game) if context.state is None else None
    if room is not None:
        # What the templates ask of a game, a table before its game has as well.
        context = replace(context, game=cast(Game, room), state=gathered(context.stored))
    table = context.stored.table
    seat, names = draft.seat, context.names()
    mail = Mail(
        draft.kind,
        table.game,
        context.game.kind,
        seat,
        names.get(seat, seat),
        context.game.heading(context.state),
        token,
        context.game.stage(context.state),
        draft.said,
        draft.notes,
        draft.answers,
        draft.messages,
        earned=draft.earned,
        players=tuple((str(other), name) for other, name in names.items()),
    )
    if draft.seat == MODERATOR:
        # Whoever repairs a game sees what the table sees; how players answer is nothing to tell him.
        return replace(mail, extra={"public": "yes"}, view=_view(context, None) if draft.position else None)
    if draft.quiet:
        return mail
    if draft.public:
        return replace(mail, view=_view(context, None), extra={"public": "yes"})
    if draft.kind is MailKind.WELCOME and draft.own:
        mail = replace(mail, extra={"takes_over": "yes"})
    if room is not None:
        return _before(context, room, draft, mail)
    decision = next((asked for asked in context.waiting() if asked.seat == seat), None)
    mail = replace(
        mail,
        news=_news(context, draft),
        decision=decision,
        waiting_for=() if decision else waiting_for(context),
    )
    if draft.kind in (MailKind.INVITATION, MailKind.WELCOME):
        mail = _with_dice(context, mail)
    if draft.choices:
        mail = with_choices(mail, draft.choices)
    elif decision is not None and (draft.options or not decision.answered):
        offers = context.game.offers(context.state, seat)
        mail = replace(mail, offers=offers, examples=context.game.examples(context.state, seat, offers))
    # Who has answered needs no second look at the same position, but for a letter that went wrong.
    short = decision is not None and decision.answered and draft.kind is not MailKind.REFUSAL
    shown = decision is not None and draft.kind in SHOWS_POSITION and not (short or draft.brief)
    if shown or draft.position or draft.kind in (MailKind.WELCOME, MailKind.FINAL):
        mail = replace(mail, view=_view(context, seat))
    return _ending(context, mail) if table.status is Status.ENDED and draft.kind is MailKind.FINAL else mail


def with_choices(mail: Mail, choices: tuple[Choice, ...]) -> Mail:
    """The mail with choices of its own in place of options."""
    return replace(mail, choices=choices, offers=tuple(_choice(choice) for choice in choices))


def _choice(choice: Choice) -> Offer:
    """A choice of the mail's own as an option: its first line, and what that does or what follows it."""
    first, *rest = (one_line(line) for line in choice.text.split("\n"))
    if choice.says is not None:
        return Offer(first, choice.says)
    if not rest:
        return Offer(first, T("and nothing else"))
    return Offer(first, T("then {orders}", orders=tuple(T("«{order}»", order=order) for order in rest)))


def _with_dice(context: MailContext, mail: Mail) -> Mail:
    """What was fixed of the dice so far: seed and host's word by their hash; from the beginning on every word."""
    mail = replace(mail, commitment=context.stored.table.commitment)
    if isinstance(context.state, Gathered):
        return mail
    fixed = opening(context.stored)
    return replace(mail, words=tuple(fixed["words"].items()), words_hash=fixed["hash"])


def _ending(context: MailContext, mail: Mail) -> Mail:
    result = context.game.result(context.state)
    return replace(_with_dice(context, mail), result=result, seed=context.stored.secrets.seed)


def _before(context: MailContext, room: Gathering, draft: Draft, mail: Mail) -> Mail:
    """A mail before the game: who has answered what, and the choices of a seat that may still answer."""
    if draft.kind is MailKind.INVITATION:
        mail = _with_dice(context, mail)
    open_table = context.stored.table.status is Status.GATHERING
    choices = draft.choices or (room.choices(context.state, draft.seat) if open_table else ())
    mail = with_choices(replace(mail, news=_news(context, draft), view=_view(context, draft.seat)), choices)
    ends = context.stored.table.status is Status.ENDED and draft.kind is MailKind.FINAL
    return _ending(context, mail) if ends else mail


def _view(context: MailContext, seat: Seat | None) -> Any:
    return context.game.view(context.state, seat)


def waiting_for(context: MailContext) -> tuple[str, ...]:
    """Display names of those whom the table waits for, as everybody may know them."""
    names = context.names()
    return tuple(names[asked.seat] for asked in context.waiting())


def _news(context: MailContext, draft: Draft) -> tuple[Line, ...]:
    records: Iterable[Record] = context.past(draft.heard)
    number = context.stored.table.records
    if draft.own:
        records = [_after(record, draft) if record.number == number else record for record in records]
    return told(context.game, context.state, context.names(), records, draft.seat, draft.told)


def _after(record: Record, draft: Draft) -> Record:
    """The draft's own record with the entries that `said` does not tell."""
    entries = record.entries[draft.since - record.first + 1 :] if draft.since and record.entries else ()
    also = {name: part for name, part in record.also.items() if name != UNDO}
    return replace(record, first=draft.since + 1, entries=entries, also=also)


def told(
    game: Game, state: Any, names: dict[Seat, str], records: Iterable[Record], seat: Seat | None, before: int
) -> tuple[Line, ...]:
    """What these records hold, as sentences for one reader, who was told the entries up to number `before`.

    Orders that were taken back before the reader heard of them are not told; of those the reader has heard of, it
    is told that they were taken back.
    """
    lines: list[Line] = []
    for piece in surviving(records):
        if piece.deed:
            lines.append(Line(deeds.says(piece.deed, piece.note), mine=True))
        elif piece.number and piece.seat:
            if piece.restored < before and piece.seat != seat:
                name = names.get(Seat(piece.seat), piece.seat)
                says = T("{name} took back the last orders; they are as if never given.", name=name)
                lines.append(Line(says, mine=True, seat=piece.seat))
        elif piece.entries:
            lines.extend(game.tell(state, piece.entries, seat, piece.first))
    return tuple(lines)


def history(context: MailContext, seat: Seat | None, wanted: int) -> tuple[Line, ...]:
    """The last `wanted` lines of the game as a seat may see them. Reads from the end, a bounded number of records."""
    if context.state is None:
        return ()
    last = context.stored.table.records
    look = 16
    while True:
        after = max(0, last - look)
        lines = told(context.game, context.state, context.names(), context.past(after), seat, 0)
        if len(lines) >= wanted or after == 0 or look >= PAST:
            return lines[-wanted:] if wanted else ()
        look *= 2
