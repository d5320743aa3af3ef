"""What every deed is made of, and the plain ones: whether a table goes on, a word to it, its mails again.

Nothing is written here: `Desk.change` commits a deed and mails everybody.
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
from pbem.desk.history import action_sentence, told
from pbem.desk.result import Result
from pbem.desk.undo import DEED, acted
from pbem.inbound.speech import relayed
from pbem.moderation.deed import SEAT, Argument, Takes, Why, deed, flag
from pbem.outbound.mail import MailKind, Message
from pbem.store.fields import write
from pbem.store.stored import Stored
from pbem.store.table import SeatRow, Status

LONGEST = 300
"""Characters of a reason."""


def reason(text: str) -> str:
    """A reason fit for a mail. Raises NotUnderstood when there is none."""
    found = relayed(text, LONGEST)
    if not found:
        raise NotUnderstood(T("A reason is needed; every player reads it."), possible=(T("because …"), T("--why …")))
    return found


def everyone(context: Context) -> tuple[Seat, ...]:
    """Every seat of the table."""
    return tuple(Seat(row.seat) for row in context.stored.table.seats)


def seat_of(context: Context, word: str) -> SeatRow:
    """The row of a seat, by handle or name. Raises NotUnderstood naming the seats there are."""
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
    """A deed that everybody is told in a sentence and with its reason (`desk.corrections`).

    `more` is what its `Result` holds beside.
    """
    data: Data = write(sentence)
    # The reason is nobody's business who reads the history: it lies outside the repository.
    bare = str(action_sentence(data, ""))
    given = {"stored": context.stored, "state": context.state, "concerned": everyone(context), **more}
    told = (action_sentence(data, why),)
    return Result(what=what, says=bare, note=why, also={DEED: data, **(also or {})}, told=told, **given)


def told_of(context: Context, state: Any, entries: Any) -> tuple[Msg, ...]:
    """Entries as a spectator may read them."""
    return tuple(line.says for line in context.game.tell(state, entries, None, context.stored.table.entries + 1))


def undone(context: Context, after: int) -> tuple[Msg, ...]:
    """What going back to before the records after number `after` would undo of them, as a spectator may read it.

    Who sits there and what the table is like (its pace, a remark) is nothing that a position takes back.
    """
    lost = [one for one in context.past(after) if acted(one) and one.what not in ("replace", "rename")]
    people = any(one.what in ("replace", "rename") for one in context.past(after))
    stays = (T("Who sits where stays as it is now: «replace» gives a seat back."),) if people else ()
    if context.state is None or not lost:
        return stays
    lines = told(context.game, context.state, context.names(), lost, None, 0)
    return (*(line.says for line in lines), *stays) or (T("What the table cannot see: a sealed answer or a plan."),)


def asked_anew(stored: Stored, seat: str = "") -> Stored:
    """The table as if nobody (or not `seat`) had been mailed what is asked."""

    def anew(row: SeatRow) -> SeatRow:
        return replace(row, asked=0) if not seat or row.seat == seat else row

    return replace(stored, table=replace(stored.table, seats=tuple(anew(row) for row in stored.table.seats)))


def not_over(context: Context) -> None:
    """Raises NotAllowed once the game is over: whatever were changed then would be told to no purpose."""
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


@deed(T("nobody has to answer until «resume»"), why=Why.NEEDED)
def hold(context: Context, why: str) -> Result:
    """Hold a game: nobody has to answer until `pbem resume`.

    Orders that come meanwhile are refused with the reason; questions and talk are answered.
    """
    _must_be(context, Status.RUNNING)
    context = _without_votes(context)
    says = T("The moderator holds the game: nobody has to answer until it goes on.")
    return _stopped(context, "hold", says, why, Status.HELD)


def _without_votes(context: Context) -> Context:
    """What the players have asked for is over once the moderator has spoken."""
    return replace(context, stored=replace(context.stored, table=replace(context.stored.table, votes=())))


@deed(T("lets a held game go on"), why=Why.OPTIONAL)
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
    T("ends the game without a result and publishes the seed"), why=Why.NEEDED,
    sure=lambda given: f"End {given['game']} for good, without a result?",
)  # fmt: skip
def end(context: Context, why: str) -> Result:
    """End a game here and now, without a result.

    The seed is published, so that everybody can check the dice; nothing can be played or taken back after that.
    """
    _must_be(context, Status.RUNNING, Status.HELD)
    says = T("The moderator has ended the game; it has no result.")
    return _stopped(context, "end", says, why, Status.ENDED, marks=())


@deed(
    T("gives the game up; «resume» takes it up again"), why=Why.NEEDED,
    sure=lambda given: f"Give {given['game']} up?",
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
    """Somebody who may play here has looked who has not answered; the table hears it in its next mails."""
    sentence = T("The moderator has looked who has not answered yet.")
    return replace(done(context, "awaited", sentence, concerned=()), says="the host has looked who has not answered")


def revealed(context: Context, seat: str = "") -> Result:
    """Somebody has looked at the secrets of a seat, or of the whole game; the table hears it in its next mails."""
    sentence, what = T("The moderator has looked at the secrets of the game."), "all secrets"
    if seat:
        name = context.stored.table.seat(seat).name
        sentence = T("The moderator has looked at the secrets of {name}.", name=name)
        what = f"the secrets of {name}"
    return replace(done(context, "reveal", sentence, concerned=()), says=f"the host has looked at {what}")
