"""The life of a table: hold, resume, end, abandon, remark, resend; and the record that somebody has looked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood
from engine.game import Seat
from pbem.admin.admin_action import (
    MAX_REASON,
    SEAT,
    Argument,
    ArgumentKind,
    action_result,
    admin_action,
    all_seats,
    ask_again,
    checked_reason,
    find_row,
    flag_argument,
    require_not_over,
)
from pbem.desk.core.context import Context
from pbem.desk.core.result import Result
from pbem.inbound.sanitize import clean_text
from pbem.outbound.mail import MailKind, Message
from pbem.store.game_table import Status


def _must_be(context: Context, *allowed: Status) -> None:
    if context.stored.table.status not in allowed:
        raise NotAllowed(_IS[context.stored.table.status])


_IS: Mapping[Status, Msg] = {
    Status.GATHERING: T("The game has not begun."),
    Status.RUNNING: T("The game goes on already."),
    Status.HELD: T("The game is held already; «resume» lets it go on."),
    Status.ENDED: T("The game is over."),
    Status.ABANDONED: T("The game was given up; «resume» lets it go on."),
}


@admin_action(T("nobody has to answer until «resume»"))
def hold(context: Context, why: str) -> Result:
    """Hold a game: nobody has to answer until `pbem resume`.

    Orders that come meanwhile are refused with the reason; questions and talk are answered.
    """
    _must_be(context, Status.RUNNING)
    context = _without_votes(context)
    says = T("The moderator holds the game: nobody has to answer until it goes on.")
    return _stopped(context, "hold", says, why, Status.HELD)


def _without_votes(context: Context) -> Context:
    """The context without the players' votes, which the moderator's word ends."""
    return replace(context, stored=replace(context.stored, table=replace(context.stored.table, votes=())))


@admin_action(T("lets a held game go on"))
def resume(context: Context, why: str = "") -> Result:
    """Let a game go on that was held or given up.

    Whoever is asked is mailed again with the position and the options.
    """
    _must_be(context, Status.HELD, Status.ABANDONED)
    context = _without_votes(context)
    status = Status.GATHERING if context.state is None else Status.RUNNING
    stored, why = ask_again(context.stored), clean_text(why, MAX_REASON)
    return action_result(context, "resume", T("The game goes on."), why, stored=stored, status=status)


@admin_action(
    T("ends the game without a result and publishes the seed"),
    sure="End {game} for good, without a result?",
)  # fmt: skip
def end(context: Context, why: str) -> Result:
    """End a game here and now, without a result.

    The seed is published, so that everybody can check the dice; nothing can be played or taken back after that.
    """
    _must_be(context, Status.RUNNING, Status.HELD)
    says = T("The moderator has ended the game; it has no result.")
    return _stopped(context, "end", says, why, Status.ENDED, marks=())


@admin_action(
    T("gives the game up; «resume» takes it up again"),
    sure="Give {game} up?",
)  # fmt: skip
def abandon(context: Context, why: str) -> Result:
    """Give a game up.

    Nobody is asked any more; the seed stays secret, and `pbem resume` takes the game up again.
    """
    _must_be(context, Status.GATHERING, Status.RUNNING, Status.HELD)
    says = T("The moderator has given the game up; nobody has to answer any more.")
    return _stopped(context, "abandon", says, why, Status.ABANDONED)


def _stopped(context: Context, what: str, says: Msg, why: str, status: Status, **more: Any) -> Result:
    why = checked_reason(why)
    return action_result(context, what, says, why, status=status, reason=why, **more)


@admin_action(
    T("a word to the table, in everybody's next mail"),
    Argument(name="text", takes=ArgumentKind.TEXT, shown="TEXT", optional=True),
    flag_argument("now", "Mail it at once, instead of in everybody's next mail.", by_mail=False),
)
def remark(context: Context, text: str, now: bool = False) -> Result:
    """Say a word to the table.

    It stands in the history, and in everybody's next mail.
    """
    said = clean_text(text, 1000)
    if not said:
        raise NotUnderstood(T("A remark needs a text."))
    sentence = T("The moderator says: «{text}»")
    return action_result(context, "remark", sentence, said, concerned=all_seats(context) if now else ())


@admin_action(T("mails the position again, to one seat or to all"), replace(SEAT, optional=True))
def resend(context: Context, seat: str = "") -> Result:
    """Mail the present position again, to SEAT or to everybody.

    For a mail that was lost or deleted. The key in it is the newest.
    """
    require_not_over(context)
    if not seat:
        says = T("Everybody is sent the position again.")
        return Result(
            what="resend", says=str(says), told=(says,), stored=ask_again(context.stored), state=context.state,
            concerned=all_seats(context), shows=True, invites=context.state is None,
        )  # fmt: skip
    row = find_row(context, seat)
    says = T("{name} is sent the position again.", name=row.name)
    asked = context.state is not None and any(one.seat == row.seat for one in context.game.waiting(context.state))
    kind = MailKind.INVITATION if context.state is None else MailKind.TURN if asked else MailKind.NEWS
    message = Message(seat=Seat(row.seat), kind=kind, position=True)
    return Result(
        what="resend", says=str(says), told=(says,), stored=context.stored, state=context.state, answer=message
    )


def record_awaited_look(context: Context) -> Result:
    """Record that a moderator who may play here has looked who has not answered; the next mails tell it."""
    sentence = T("The moderator has looked who has not answered yet.")
    result = action_result(context, "awaited", sentence, concerned=())
    return replace(result, says="the host has looked who has not answered")


def record_reveal(context: Context, seat: str = "") -> Result:
    """Record that somebody has looked at the secrets of a seat, or of the whole game; the next mails tell it."""
    sentence, what = T("The moderator has looked at the secrets of the game."), "all secrets"
    if seat:
        name = context.stored.table.seat(seat).name
        sentence = T("The moderator has looked at the secrets of {name}.", name=name)
        what = f"the secrets of {name}"
    return replace(action_result(context, "reveal", sentence, concerned=()), says=f"the host has looked at {what}")
