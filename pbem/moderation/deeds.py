"""The life of a table (hold, resume, end, abandon, remark, resend), and the parts that every action is made of.

An action only decides; `Desk.change` commits its result and mails everybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.catalog import Msg, T
from engine.chronicle import Data
from engine.errors import NotAllowed, NotUnderstood
from engine.game import Seat
from pbem.desk.context import Context
from pbem.desk.corrections import says
from pbem.desk.history import told
from pbem.desk.result import Result
from pbem.desk.undo import DEED, acted
from pbem.inbound.speech import relayed
from pbem.moderation.deed import SEAT, Argument, Takes, deed, flag
from pbem.outbound.mail import MailKind, Message
from pbem.store.fields import write
from pbem.store.stored import Stored
from pbem.store.table import SeatRow, Status

LONGEST = 300
"""Characters of a reason."""


def reason(text: str) -> str:
    """The reason as a mail may show it. Raises NotUnderstood when there is none."""
    found = relayed(text, LONGEST)
    if not found:
        raise NotUnderstood(T("A reason is needed; every player reads it."), possible=(T("because …"), T("--why …")))
    return found


def everyone(context: Context) -> tuple[Seat, ...]:
    """All seats of the table, clockwise."""
    return tuple(Seat(row.seat) for row in context.stored.table.seats)


def seat_of(context: Context, word: str) -> SeatRow:
    """The row of a seat by its handle or name. Raises NotUnderstood with the seats there are."""
    wanted = word.strip().casefold()
    for row in context.stored.table.seats:
        if wanted in (row.seat, row.name.casefold()):
            return row
    seats = tuple(row.seat for row in context.stored.table.seats)
    raise NotUnderstood(T("No seat is called «{name}»; there are: {seats}.", name=relayed(word, 40), seats=seats))


def begun(context: Context) -> Any:
    """The position. Raises NotAllowed before the game has begun."""
    if context.state is None:
        raise NotAllowed(T("The game has not begun."))
    return context.state


def done(
    context: Context, what: str, sentence: Msg, why: str = "", *, also: Data | None = None, **more: Any
) -> Result:
    """The result of an action that all are told in a sentence with its reason. `more`: other fields of `Result`."""
    data: Data = write(sentence)
    # People's words lie outside the repository, so the record's line has no reason.
    bare = str(says(data, ""))
    given = {"stored": context.stored, "state": context.state, "concerned": everyone(context), **more}
    return Result(what=what, says=bare, note=why, also={DEED: data, **(also or {})}, told=(says(data, why),), **given)


def told_of(context: Context, state: Any, entries: Any) -> tuple[Msg, ...]:
    """Entries in words, as a spectator may read them."""
    return tuple(line.says for line in context.game.tell(state, entries, None, context.stored.table.entries + 1))


def undone(context: Context, after: int) -> tuple[Msg, ...]:
    """What going back to record `after` would undo, in words that a spectator may read.

    Seats, pace and remarks belong to the table; going back does not change them.
    """
    lost = [one for one in context.past(after) if acted(one) and one.what not in ("replace", "rename")]
    people = any(one.what in ("replace", "rename") for one in context.past(after))
    stays = (T("Who sits where stays as it is now: «replace» gives a seat back."),) if people else ()
    if context.state is None or not lost:
        return stays
    lines = told(context.game, context.state, context.names(), lost, None, 0)
    return (*(line.says for line in lines), *stays) or (T("What the table cannot see: a sealed answer or a plan."),)


def asked_anew(stored: Stored, seat: str = "") -> Stored:
    """The table as if the seat (or all of them) had not been mailed what is asked, so that the mail goes out again."""
    rows = tuple(replace(row, asked=0) if seat in ("", row.seat) else row for row in stored.table.seats)
    return replace(stored, table=replace(stored.table, seats=rows))


def not_over(context: Context) -> None:
    """Raises NotAllowed once the game is over."""
    if context.stored.table.status is Status.ENDED:
        raise NotAllowed(_IS[Status.ENDED])


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


@deed(T("nobody has to answer until «resume»"))
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


@deed(T("lets a held game go on"))
def resume(context: Context, why: str = "") -> Result:
    """Let a game go on that was held or given up.

    Whoever is asked is mailed again with the position and the options.
    """
    _must_be(context, Status.HELD, Status.ABANDONED)
    context = _without_votes(context)
    status = Status.GATHERING if context.state is None else Status.RUNNING
    why = relayed(why, LONGEST)
    return done(context, "resume", T("The game goes on."), why, stored=asked_anew(context.stored), status=status)


@deed(
    T("ends the game without a result and publishes the seed"),
    sure=lambda context, given: f"End {context.stored.table.game} for good, without a result?",
)  # fmt: skip
def end(context: Context, why: str) -> Result:
    """End a game here and now, without a result.

    The seed is published, so that everybody can check the dice; nothing can be played or taken back after that.
    """
    _must_be(context, Status.RUNNING, Status.HELD)
    says = T("The moderator has ended the game; it has no result.")
    return _stopped(context, "end", says, why, Status.ENDED, marks=())


@deed(
    T("gives the game up; «resume» takes it up again"),
    sure=lambda context, given: f"Give {context.stored.table.game} up?",
)  # fmt: skip
def abandon(context: Context, why: str) -> Result:
    """Give a game up.

    Nobody is asked any more; the seed stays secret, and `pbem resume` takes the game up again.
    """
    _must_be(context, Status.GATHERING, Status.RUNNING, Status.HELD)
    says = T("The moderator has given the game up; nobody has to answer any more.")
    return _stopped(context, "abandon", says, why, Status.ABANDONED)


def _stopped(context: Context, what: str, says: Msg, why: str, status: Status, **more: Any) -> Result:
    why = reason(why)
    return done(context, what, says, why, status=status, reason=why, **more)


@deed(
    T("a word to the table, in everybody's next mail"),
    Argument(name="text", takes=Takes.TEXT, shown="TEXT", optional=True),
    flag("now", "Mail it at once, instead of in everybody's next mail.", by_mail=False),
)
def remark(context: Context, text: str, now: bool = False) -> Result:
    """Say a word to the table.

    It stands in the history, and in everybody's next mail.
    """
    said = relayed(text, 1000)
    if not said:
        raise NotUnderstood(T("A remark needs a text."))
    sentence = T("The moderator says: «{text}»")
    return done(context, "remark", sentence, said, concerned=everyone(context) if now else ())


@deed(T("mails the position again, to one seat or to all"), replace(SEAT, optional=True))
def resend(context: Context, seat: str = "") -> Result:
    """Mail the present position again, to SEAT or to everybody.

    For a mail that was lost or deleted. The key in it is the newest.
    """
    not_over(context)
    if not seat:
        says = T("Everybody is sent the position again.")
        return Result(
            what="resend", says=str(says), told=(says,), stored=asked_anew(context.stored), state=context.state,
            concerned=everyone(context), shows=True, invites=context.state is None,
        )  # fmt: skip
    row = seat_of(context, seat)
    says = T("{name} is sent the position again.", name=row.name)
    asked = context.state is not None and any(one.seat == row.seat for one in context.game.waiting(context.state))
    kind = MailKind.INVITATION if context.state is None else MailKind.TURN if asked else MailKind.NEWS
    message = Message(seat=Seat(row.seat), kind=kind, position=True)
    return Result(
        what="resend", says=str(says), told=(says,), stored=context.stored, state=context.state, answer=message
    )


def named(context: Context) -> Result:
    """Record that a moderator who may play here has looked who has not answered; the next mails tell it."""
    sentence = T("The moderator has looked who has not answered yet.")
    return replace(done(context, "awaited", sentence, concerned=()), says="the host has looked who has not answered")


def revealed(context: Context, seat: str = "") -> Result:
    """Record that somebody has looked at the secrets of a seat, or of the whole game; the next mails tell it."""
    sentence, what = T("The moderator has looked at the secrets of the game."), "all secrets"
    if seat:
        name = context.stored.table.seat(seat).name
        sentence = T("The moderator has looked at the secrets of {name}.", name=name)
        what = f"the secrets of {name}"
    return replace(done(context, "reveal", sentence, concerned=()), says=f"the host has looked at {what}")
