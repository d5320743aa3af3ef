"""What every deed is made of, and the plain ones: whether a table goes on, a word to it, its mails again.

Nothing is written here: `carried_out` has the desk commit a deed and mail everybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.catalog import Msg, T
from engine.chronicle import Data
from engine.errors import NotAllowed, NotUnderstood
from engine.game import Seat
from pbem.desk import Desk
from pbem.desk.answering import Case
from pbem.desk.changes import Changes
from pbem.desk.commit import Committed
from pbem.desk.compose import told
from pbem.desk.corrections import says
from pbem.desk.draft import Draft, pack_msg
from pbem.desk.undo import DEED
from pbem.inbound.speech import relayed
from pbem.moderation.deed import SEAT, Argument, Doing, Drawn, Takes, Why, deed, flag
from pbem.outbound.mail import MailKind
from pbem.store.stored import Stored
from pbem.store.table import SeatRow, Status

LONGEST = 300
"""Characters of a reason."""


def carried_out(
    desk: Desk, game: str, what: str, doing: Doing, check: bool = True
) -> tuple[Committed, tuple[Msg, ...]]:
    """Do a deed to a game: its commit, and what the moderator is told. Raises what `Desk.change` raises."""
    told: list[Msg] = []

    def draw(case: Case) -> tuple[Stored, Changes]:
        drawn = doing(case)
        told.extend(drawn.told)
        return drawn.stored, drawn.change

    return desk.change(game, what, draw, check), tuple(told)


def reason(text: str) -> str:
    """A reason fit for a mail. Raises NotUnderstood when there is none."""
    found = relayed(text, LONGEST)
    if not found:
        raise NotUnderstood(T("A reason is needed; every player reads it."), possible=(T("because …"), T("--why …")))
    return found


def everyone(case: Case) -> tuple[Seat, ...]:
    """Every seat of the table."""
    return tuple(Seat(row.seat) for row in case.stored.table.seats)


def names(case: Case) -> dict[Seat, str]:
    """Seats with their display names."""
    return {Seat(row.seat): row.name for row in case.stored.table.seats}


def seat_of(case: Case, word: str) -> SeatRow:
    """The row of a seat, by handle or name. Raises NotUnderstood naming the seats there are."""
    wanted = word.strip().casefold()
    for row in case.stored.table.seats:
        if wanted in (row.seat, row.name.casefold()):
            return row
    seats = tuple(row.seat for row in case.stored.table.seats)
    raise NotUnderstood(T("No seat is called «{name}»; there are: {seats}.", name=relayed(word, 40), seats=seats))


def begun(case: Case) -> Any:
    """The position. Raises NotAllowed before the game has begun."""
    if case.state is None:
        raise NotAllowed(T("The game has not begun."))
    return case.state


def done(
    case: Case, what: str, sentence: Msg, why: str = "", *, stored: Stored | None = None, also: Data | None = None,
    **more: Any,
) -> Drawn:  # fmt: skip
    """A deed that everybody is told in a sentence and with its reason; `more` is what its `Changes` hold beside."""
    data = pack_msg(sentence)
    told_ = says(data, why)
    values = {"state": case.state, "concerned": everyone(case), **more}
    change = Changes(what, str(told_), note=why, also={DEED: data, **(also or {})}, **values)
    return Drawn(stored or case.stored, change, (told_,))


def told_of(case: Case, state: Any, entries: Any) -> tuple[Msg, ...]:
    """Entries as a spectator may read them."""
    return tuple(line.says for line in case.game.tell(state, entries, None, case.stored.table.entries + 1))


def undone(case: Case, after: int) -> tuple[Msg, ...]:
    """What the records after number `after` hold, as a spectator may read it."""
    if case.state is None:
        return ()
    return tuple(line.says for line in told(case.game, case.state, names(case), case.past(after), None, 0))


def asked_anew(stored: Stored, seat: str = "") -> Stored:
    """The table as if nobody (or not `seat`) had been mailed what is asked."""

    def anew(row: SeatRow) -> SeatRow:
        kept = {name: part for name, part in row.also.items() if name != "asked"}
        return replace(row, also=kept) if not seat or row.seat == seat else row

    return replace(stored, table=replace(stored.table, seats=tuple(anew(row) for row in stored.table.seats)))


def _must_be(case: Case, *allowed: Status) -> None:
    if case.stored.table.status not in allowed:
        raise NotAllowed(_IS[case.stored.table.status])


_IS: Mapping[Status, Msg] = {
    Status.GATHERING: T("The game has not begun."),
    Status.RUNNING: T("The game goes on already."),
    Status.HELD: T("The game is held already; «resume» lets it go on."),
    Status.ENDED: T("The game is over."),
    Status.ABANDONED: T("The game was given up; «resume» lets it go on."),
}


@deed(T("nobody has to answer until «resume»"), why=Why.NEEDED)
def hold(case: Case, why: str) -> Drawn:
    """Hold a game: nobody has to answer until `pbem resume`.

    Orders that come meanwhile are refused with the reason; questions and talk are answered.
    """
    _must_be(case, Status.RUNNING)
    says = T("The moderator holds the game: nobody has to answer until it goes on.")
    return _stopped(case, "hold", says, why, Status.HELD)


@deed(T("lets a held game go on"), why=Why.OPTIONAL)
def resume(case: Case, why: str = "") -> Drawn:
    """Let a game go on that was held or given up.

    Whoever is asked is mailed again with the position and the options.
    """
    _must_be(case, Status.HELD, Status.ABANDONED)
    status = Status.GATHERING if case.state is None else Status.RUNNING
    why = relayed(why, LONGEST)
    return done(case, "resume", T("The game goes on."), why, stored=asked_anew(case.stored), status=status)


@deed(
    T("ends the game without a result and publishes the seed"), why=Why.NEEDED,
    sure=lambda given: f"End {given['game']} for good, without a result?",
)  # fmt: skip
def end(case: Case, why: str) -> Drawn:
    """End a game here and now, without a result.

    The seed is published, so that everybody can check the dice; nothing can be played or taken back after that.
    """
    _must_be(case, Status.RUNNING, Status.HELD)
    says = T("The moderator has ended the game; it has no result.")
    return _stopped(case, "end", says, why, Status.ENDED, marks=())


@deed(
    T("gives the game up; «resume» takes it up again"), why=Why.NEEDED,
    sure=lambda given: f"Give {given['game']} up?",
)  # fmt: skip
def abandon(case: Case, why: str) -> Drawn:
    """Give a game up.

    Nobody is asked any more; the seed stays secret, and `pbem resume` takes the game up again.
    """
    _must_be(case, Status.GATHERING, Status.RUNNING, Status.HELD)
    says = T("The moderator has given the game up; nobody has to answer any more.")
    return _stopped(case, "abandon", says, why, Status.ABANDONED)


def _stopped(case: Case, what: str, says: Msg, why: str, status: Status, **more: Any) -> Drawn:
    why = reason(why)
    return done(case, what, says, why, status=status, reason=why, **more)


@deed(
    T("a word to the table, in everybody's next mail"),
    Argument(name="text", takes=Takes.TEXT, shown="TEXT", optional=True),
    flag("now", "Mail it at once, instead of in everybody's next mail.", by_mail=False),
)
def remark(case: Case, text: str, now: bool = False) -> Drawn:
    """Say a word to the table.

    It stands in the history, and in everybody's next mail.
    """
    said = relayed(text, 1000)
    if not said:
        raise NotUnderstood(T("A remark needs a text."))
    sentence = T("The moderator says: «{text}»", text=said)
    return done(case, "remark", sentence, concerned=everyone(case) if now else ())


@deed(T("mails the position again, to one seat or to all"), replace(SEAT, optional=True))
def resend(case: Case, seat: str = "") -> Drawn:
    """Mail the present position again, to SEAT or to everybody.

    For a mail that was lost or deleted. The key in it is the newest.
    """
    if not seat:
        says, stored = T("Everybody is sent the position again."), asked_anew(case.stored)
        invites = case.state is None
        change = Changes("resend", str(says), case.state, concerned=everyone(case), shows=True, invites=invites)
        return Drawn(stored, change, (says,))
    row = seat_of(case, seat)
    says = T("{name} is sent the position again.", name=row.name)
    asked = case.state is not None and any(one.seat == row.seat for one in case.game.waiting(case.state))
    kind = MailKind.TURN if asked else MailKind.NEWS
    draft = Draft(Seat(row.seat), MailKind.INVITATION if case.state is None else kind, position=True)
    return Drawn(case.stored, Changes("resend", str(says), case.state, answer=draft), (says,))


def revealed(stored: Stored, seat: str = "") -> Data:
    """What a record keeps of a look at the secrets of a seat, or of the whole game."""
    if not seat:
        return {DEED: pack_msg(T("The moderator has looked at the secrets of the game."))}
    return {DEED: pack_msg(T("The moderator has looked at the secrets of {name}.", name=stored.table.seat(seat).name))}
