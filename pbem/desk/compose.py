"""From a message and a position to a `Mail`: everything in it is what that seat may know.

The same function writes a mail before its commit and again after a lost spool, from the same values.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from engine.catalog import T
from engine.chance import Blind, Unknown
from engine.errors import OrderRefused
from engine.game import AnyGame, Decision, Offer, Seat
from pbem.desk import finale
from pbem.desk.commands import command_of
from pbem.desk.commands.word import Does
from pbem.desk.context import Context
from pbem.desk.diary import SHOWN, diaries
from pbem.desk.history import news, spoken
from pbem.desk.joining import Gathered, as_game, choices_of, chosen
from pbem.desk.lists import offered
from pbem.desk.seated import COMPUTER, told
from pbem.desk.start import opening
from pbem.host.people import MODERATOR
from pbem.inbound.speech import one_line
from pbem.outbound.mail import Choice, Mail, MailKind, Message
from pbem.outbound.news import NEWS_SHOWN
from pbem.store.recent import OfStates
from pbem.store.table import Status, Table

SHOWS_BOARD = frozenset({MailKind.TURN, MailKind.REMINDER, MailKind.WELCOME, MailKind.FINAL})
"""Kinds that show the board; any other shows it to whoever has asked for it."""

FEW = 4
"""Effects of a letter after which a receipt need not show the board."""

MOST, CHOICES = 8, 6
"""What a mail lists, and one that answers a letter without the board: the rest is there for the asking."""

COUNTED = 40
"""Legal orders are counted up to here, since each costs time to find; whoever asks for `options` has more counted."""

COUNTED_ON_DEMAND = 400

VIEWS = 256
"""Views that are remembered: what a seat sees now is what its next mail is compared with."""


def compose(context: Context, message: Message, token: str) -> Mail:
    """The whole mail of a message."""
    # What the templates ask of a game, a table before its game has as well.
    context = as_game(context)
    table, seat, names = context.stored.table, message.seat, context.names()
    mail = Mail.of(
        message,
        game=table.game,
        game_kind=context.game.kind,
        name=names.get(seat, seat),
        heading=context.game.heading(context.state),
        token=token,
        stage=context.game.stage(context.state),
        title=context.game.title,
        rules=tuple(chosen(context.game.options, table.options)),
        players=tuple((str(other), name) for other, name in names.items()),
        computers=tuple(told(row) for row in table.seats if row.by == COMPUTER),
        over=table.status is Status.ENDED or message.kind is MailKind.FINAL,
        takes_over=message.kind is MailKind.WELCOME and message.own,
    )
    if seat == MODERATOR:
        # Whoever repairs a game sees what the table sees; how players answer is nothing to tell him.
        seen = _view(context, None) if message.position else None
        return replace(mail, spectator=True, board=message.position, full=message.position, view=seen)
    if message.quiet:
        return mail
    # Its own record's words stand in the message already.
    mail = replace(mail, messages=(*spoken(context, message, table.records - 1), *mail.messages))
    if message.public:
        return replace(mail, spectator=True, board=True, full=True, view=_view(context, None))
    if isinstance(context.state, Gathered):
        return _before(context, message, mail)
    decision, fresh = context.asked(seat), news(context, message)
    board = _shows_board(table, message, decision)
    mail = replace(
        mail,
        news=fresh,
        decision=decision,
        waiting_for=() if decision else waiting_for(context),
        board=board,
        full=message.kind is MailKind.WELCOME or message.position or len(fresh) > NEWS_SHOWN,
        view=_view(context, seat),
        before=_before_this(context, message) if board else None,
    )
    if message.kind in (MailKind.INVITATION, MailKind.WELCOME):
        mail = _with_dice(context, mail)
    if message.choices:
        mail = with_choices(mail, message.choices, context)
    elif decision is not None or message.repairs:
        listed = decision is not None and (message.options or not decision.answered)
        mail = _with_offers(context, mail, listed=listed)
    return _ending(context, mail) if table.status is Status.ENDED and message.kind is MailKind.FINAL else mail


def _shows_board(table: Table, message: Message, decision: Decision | None) -> bool:
    """Whether the whole position stands in a mail: where it is asked about, and where the game has gone on unseen."""
    if message.kind is MailKind.TURN:
        return not message.brief and (message.position or (decision is not None and not decision.answered))
    asks = decision is not None and not decision.answered and not message.brief
    if message.kind is MailKind.RECEIPT and asks and decision is not None:
        # A receipt asks about what its reader has not seen: alone, of all at once, and when much has followed.
        much = sum(len(one.effects) for one in message.said) > FEW
        return message.position or decision.sealed or much or len(table.seats) == 1
    return message.kind in SHOWS_BOARD or message.position


def _with_offers(context: Context, mail: Mail, *, listed: bool) -> Mail:
    """The mail with what is nearest to a refused order and, where they are `listed`, the options, counted.

    A mail that answers a letter shows the best few of them.
    """
    repairs = tuple(_choice(choice, context, mail.seat) for choice in mail.repairs)
    if not listed:
        return replace(mail, offers=repairs)
    game, state, seat = context.game, context.state, mail.seat
    options = offered(game, state, seat, context.language(seat))
    named = {choice.text for choice in mail.repairs}
    offers = (*repairs, *(offer for offer in options if offer.text not in named))
    upto = COUNTED_ON_DEMAND if mail.options else COUNTED
    legal = _counted(game, state, seat, upto + 1)
    return replace(
        mail,
        offers=offers,
        most=0 if mail.options else MOST if mail.board else CHOICES,
        legal=max(min(legal, upto), len(offers)),
        bounded=legal > upto,
        examples=game.reference.examples(state, seat, [offer.text for offer in options], context.language(seat)),
    )


@partial(OfStates, VIEWS)
def _counted(game: AnyGame, state: Any, seat: Seat, upto: int) -> int:
    """How many legal orders there are, counted up to so many."""
    return sum(1 for _ in islice(game.reference.every(state, seat), upto))


def with_choices(mail: Mail, choices: tuple[Choice, ...], context: Context | None = None) -> Mail:
    """The mail with choices of its own in place of options; orders have titles in the position of a `context`."""
    return replace(mail, choices=choices, offers=tuple(_choice(choice, context, mail.seat) for choice in choices))


def _choice(choice: Choice, context: Context | None, seat: Seat) -> Offer:
    """A choice of the mail's own as an option: its first line, and what that does or what follows it."""
    lines = tuple(map(one_line, choice.text.split("\n")))
    title, *rest = lines if context is None else _titles(context, seat, lines)
    says = T("and nothing else") if choice.says is None else choice.says
    if rest and choice.says is None:
        says = T("then {orders}", orders=tuple(T("«{order}»", order=order) for order in rest))
    return Offer(lines[0], says, title=title)


def _titles(context: Context, seat: Seat, lines: tuple[str, ...]) -> tuple[str, ...]:
    """The lines of a choice as their reader is shown them: orders by their titles, each in the position that those
    before it leave, and everything else as it stands."""
    game, state, found = context.game, context.game.moderation.redacted(context.state, seat), list[str]()
    for line in lines:
        found.append(line)
        if command := command_of(line):
            if command[0].does is Does.UNDO:
                return lines
            continue
        with suppress(OrderRefused, Unknown):
            order = game.read(state, seat, line).order
            found[-1] = game.title_of(state, seat, order, context.language(seat))
            state = game.apply(state, seat, order, Blind()).state
    return tuple(found)


def _with_dice(context: Context, mail: Mail) -> Mail:
    """What was fixed of the dice so far: seed and host's word by their hash; from the beginning on every word."""
    mail = replace(mail, commitment=context.stored.table.commitment)
    if isinstance(context.state, Gathered):
        return mail
    fixed = opening(context.stored)
    return replace(mail, words=tuple(fixed["words"].items()), words_hash=fixed["hash"])


def _ending(context: Context, mail: Mail) -> Mail:
    result, past = context.game.result(context.state), context.past(0)
    told = () if result is None else finale.story(context, result, past)
    mail = replace(mail, answers=(*mail.answers, *diaries(context, mail.seat, past, SHOWN)))
    fresh = mail.news if result is None else tuple(line for line in mail.news if not line.final)
    return replace(_with_dice(context, mail), news=fresh, result=result, story=told, seed=context.stored.secrets.seed)


def _before(context: Context, message: Message, mail: Mail) -> Mail:
    """A mail before the game: who has answered what, and the choices of a seat that may still answer."""
    if message.kind is MailKind.INVITATION:
        mail = _with_dice(context, mail)
    open_table = context.stored.table.status is Status.GATHERING
    choices, language = message.choices, context.language(message.seat)
    if open_table and not choices:
        choices = choices_of(context.state, message.seat, language)
    mail = replace(mail, news=news(context, message), board=True, view=_view(context, message.seat))
    mail = with_choices(mail, choices)
    ends = context.stored.table.status is Status.ENDED and message.kind is MailKind.FINAL
    return _ending(context, mail) if ends else mail


@partial(OfStates, VIEWS)
def _seen(game: AnyGame, state: Any, seat: Seat | None) -> Any:
    return game.view(state, seat)


def _view(context: Context, seat: Seat | None) -> Any:
    return _seen(context.game, context.state, seat)


def _before_this(context: Context, message: Message) -> Any:
    """What the seat saw when it was mailed last."""
    commit = context.commit_of(message.heard)
    if context.seen_at is not None and (known := context.seen_at(commit, message.seat)) is not None:
        return known
    past = context.position_at(commit) if commit else None
    return None if past is None else _seen(context.game, past, message.seat)


def waiting_for(context: Context) -> tuple[str, ...]:
    """Display names of those whom the table waits for, as everybody may know them."""
    names = context.names()
    return tuple(names[asked.seat] for asked in context.waiting())
