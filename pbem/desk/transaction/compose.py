"""Compose a `Mail` from a message and a position: everything in it is what that seat may know.

The same function writes a mail before its commit and again after a lost spool, from the same values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from engine.catalog import Msg, T
from engine.chance import BlindChance, UnknownDraw
from engine.errors import OrderRefused
from engine.game import AnyGame, Decision, Ending, Offer, Seat
from pbem.desk.commands import parse_command
from pbem.desk.commands.command import Does
from pbem.desk.commands.diary import SHOWN, diaries
from pbem.desk.commands.game_news import news_since_mail, talk_since_mail
from pbem.desk.core.context import Context
from pbem.desk.core.game_start import published_words
from pbem.desk.core.option_lists import offers_of
from pbem.desk.core.seat_controller import COMPUTER, computer_text
from pbem.desk.core.undo import surviving
from pbem.desk.pregame.gathering import Gathered, as_game, chosen_options, invitation_choices
from pbem.host.people import MODERATOR
from pbem.inbound.sanitize import one_line
from pbem.outbound.mail import Choice, DiceProof, Mail, MailKind, Message
from pbem.outbound.news import NEWS_SHOWN
from pbem.store.commit_record import Record
from pbem.store.game_table import Status, Table
from pbem.store.lru import PositionCache

SHOWS_BOARD = frozenset({MailKind.TURN, MailKind.REMINDER, MailKind.WELCOME, MailKind.FINAL})
"""Kinds that always show the board."""

FEW = 4
"""Effects of a letter after which a receipt need not show the board."""

MOST, CHOICES = 8, 6
"""Options that a mail lists with the board, and without it; `options` lists the rest."""

COUNTED = 40
"""Legal orders are counted up to here, since each costs time to find."""

COUNTED_ON_DEMAND = 400
"""The same for whoever asks for `options`."""

VIEWS = 256
"""Views that are remembered: the next mail is compared with them."""


def compose(context: Context, message: Message, token: str) -> Mail:
    """The whole mail of a message."""
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
        rules=tuple(chosen_options(context.game.options, table.options)),
        players=tuple((str(other), name) for other, name in names.items()),
        computers=tuple(computer_text(row) for row in table.seats if row.by == COMPUTER),
        over=table.status is Status.ENDED or message.kind is MailKind.FINAL,
        takes_over=message.kind is MailKind.WELCOME and message.own,
    )
    if seat == MODERATOR:
        # The moderator sees what the table sees.
        seen = _view(context, None) if message.position else None
        return replace(mail, spectator=True, board=message.position, full=message.position, view=seen)
    if message.quiet:
        return mail
    # The message already contains this record's talk.
    mail = replace(mail, messages=(*talk_since_mail(context, message, table.records - 1), *mail.messages))
    if message.public:
        return replace(mail, spectator=True, board=True, full=True, view=_view(context, None))
    if isinstance(context.state, Gathered):
        return _before(context, message, mail)
    decision, fresh = context.asked(seat), news_since_mail(context, message)
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
    """True if a mail shows the whole position: where something is asked, or the game has gone on unseen."""
    if message.kind is MailKind.TURN:
        return not message.brief and (message.position or (decision is not None and not decision.answered))
    asks = decision is not None and not decision.answered and not message.brief
    if message.kind is MailKind.RECEIPT and asks and decision is not None:
        # The reader of this receipt has not seen the position it asks about.
        much = sum(len(one.effects) for one in message.said) > FEW
        return message.position or decision.sealed or much or len(table.seats) == 1
    return message.kind in SHOWS_BOARD or message.position


def _with_offers(context: Context, mail: Mail, *, listed: bool) -> Mail:
    """Add the orders nearest to a refused one and, if `listed`, the options, of which some mails show the best few."""
    repairs = tuple(_choice(choice, context, mail.seat) for choice in mail.repairs)
    if not listed:
        return replace(mail, offers=repairs)
    game, state, seat = context.game, context.state, mail.seat
    options = offers_of(game, state, seat, context.language(seat))
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


@partial(PositionCache, VIEWS)
def _counted(game: AnyGame, state: Any, seat: Seat, upto: int) -> int:
    """The number of legal orders, counted up to `upto`."""
    return sum(1 for _ in islice(game.reference.every(state, seat), upto))


def with_choices(mail: Mail, choices: tuple[Choice, ...], context: Context | None = None) -> Mail:
    """Replace the options by choices of the mail's own; a `context` gives their orders titles."""
    return replace(mail, choices=choices, offers=tuple(_choice(choice, context, mail.seat) for choice in choices))


def _choice(choice: Choice, context: Context | None, seat: Seat) -> Offer:
    """A choice as an option: its first line, and what that does or what follows it."""
    lines = tuple(map(one_line, choice.text.split("\n")))
    title, *rest = lines if context is None else _titles(context, seat, lines)
    says = T("and nothing else") if choice.says is None else choice.says
    if rest and choice.says is None:
        says = T("then {orders}", orders=tuple(T("«{order}»", order=order) for order in rest))
    return Offer(lines[0], says, title=title)


def _titles(context: Context, seat: Seat, lines: tuple[str, ...]) -> tuple[str, ...]:
    """The lines of a choice as shown: orders by their titles, each in the position that those before it leave."""
    game, state, found = context.game, context.game.moderation.redacted(context.state, seat), list[str]()
    for line in lines:
        found.append(line)
        if command := parse_command(line):
            if command[0].does is Does.UNDO:
                return lines
            continue
        with suppress(OrderRefused, UnknownDraw):
            order = game.read(state, seat, line).order
            found[-1] = game.title_of(state, seat, order, context.language(seat))
            state = game.apply(state, seat, order, BlindChance()).state
    return tuple(found)


def _with_dice(context: Context, mail: Mail) -> Mail:
    """Add what is fixed of the dice: the hash of seed and host's word, and every word once the game has begun."""
    dice = DiceProof(commitment=context.stored.table.commitment)
    if not isinstance(context.state, Gathered):
        fixed = published_words(context.stored)
        dice = replace(dice, words=tuple(fixed["words"].items()), words_hash=fixed["hash"])
    return replace(mail, dice=dice)


def _ending(context: Context, mail: Mail) -> Mail:
    result, past = context.game.result(context.state), context.past(0)
    told = () if result is None else _story(context, result, past)
    mail = replace(mail, answers=(*mail.answers, *diaries(context, mail.seat, past, SHOWN)))
    fresh = mail.news if result is None else tuple(line for line in mail.news if not line.final)
    mail = replace(_with_dice(context, mail), news=fresh, result=result, story=told)
    return replace(mail, dice=replace(mail.dice, seed=context.stored.secrets.seed))


def _before(context: Context, message: Message, mail: Mail) -> Mail:
    """Complete a mail before the game: who has answered, and the choices of a seat that may still answer."""
    if message.kind is MailKind.INVITATION:
        mail = _with_dice(context, mail)
    open_table = context.stored.table.status is Status.GATHERING
    choices, language = message.choices, context.language(message.seat)
    if open_table and not choices:
        choices = invitation_choices(context.state, message.seat, language)
    mail = replace(mail, news=news_since_mail(context, message), board=True, view=_view(context, message.seat))
    mail = with_choices(mail, choices)
    ends = context.stored.table.status is Status.ENDED and message.kind is MailKind.FINAL
    return _ending(context, mail) if ends else mail


@partial(PositionCache, VIEWS)
def _seen(game: AnyGame, state: Any, seat: Seat | None) -> Any:
    return game.view(state, seat)


def _view(context: Context, seat: Seat | None) -> Any:
    return _seen(context.game, context.state, seat)


def _before_this(context: Context, message: Message) -> Any:
    """The view of the seat when it was mailed last."""
    commit = context.commit_of(message.heard)
    past = context.position_at(commit) if commit else None
    return None if past is None else _seen(context.game, past, message.seat)


def waiting_for(context: Context) -> tuple[str, ...]:
    """Display names of those whom the table waits for."""
    names = context.names()
    return tuple(names[asked.seat] for asked in context.waiting())


def _story(context: Context, result: Ending, past: Iterable[Record]) -> tuple[tuple[str, tuple[Msg, ...]], ...]:
    """(row of the scores, sentences), the highest total first: the biggest turn, and the margin to the rival."""
    entries = [entry for piece in surviving(past) for entry in piece.entries]
    turns = context.game.story(context.state, entries)
    called: dict[str, Msg | str] = {**result.names, **{str(seat): name for seat, name in context.names().items()}}
    found = []
    for row in sorted(result.totals, key=lambda row: -result.totals[row]):
        told = tuple(one for one in (turns.get(row), decided(result, row, called)) if one is not None)
        if told:
            found.append((str(row), told))
    return tuple(found)


def decided(result: Ending, row: str, called: Mapping[str, Msg | str]) -> Msg | None:
    """By how much a row leads or trails its nearest rival, and which component decided it; None for a row alone.

    The first is compared with the second, everybody else with the first.
    """
    totals = {str(one): total for one, total in result.totals.items()}
    others = [one for one in totals if one != row]
    if not others:
        return None
    rival = max(others, key=lambda one: totals[one])
    gap = totals[row] - totals[rival]
    if not gap:
        return T("Level with {who}.", who=called[rival])
    scores = {str(one): part for one, part in result.scores.items()}
    mine, theirs = scores[row], scores[rival]
    sign = 1 if gap > 0 else -1
    part = max(dict.fromkeys([*mine, *theirs]), key=lambda part: sign * (mine.get(part, 0) - theirs.get(part, 0)))
    given = {"who": called[rival], "gap": abs(gap), "part": result.names.get(part, part)}
    one, other = mine.get(part, 0), theirs.get(part, 0)
    if gap > 0:
        return T("{gap} VP ahead of {who}, above all by {part}: {one} against {other}.", **given, one=one, other=other)
    return T("{gap} VP behind {who}, above all by {part}: {one} against {other}.", **given, one=one, other=other)
