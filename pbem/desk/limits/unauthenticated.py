"""Answer letters whose writer is not proven: without a key, with a key from a foreign address, or failing DMARC.

They play nothing. Answers go to registered addresses only, as mails that no record promises.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta

from engine.catalog import Msg, T
from engine.errors import PositionError
from engine.game import Seat
from engine.reference import CardText
from pbem.clocks.dates import local_day
from pbem.desk.clock.clock_text import with_clock_text
from pbem.desk.core.context import OVER, Context, hours_of
from pbem.desk.core.identity import Who, fitting_keys, usable_message_id
from pbem.desk.core.services import Services
from pbem.desk.limits.auto_replies import AutoReply, find_auto_reply
from pbem.desk.limits.rate_limits import UNPROVEN, nth_today, the_last_today
from pbem.desk.pregame.gathering import as_game
from pbem.desk.pregame.invitation_answer import Means, parse_invitation_answer
from pbem.desk.transaction import notice_mail
from pbem.desk.transaction.compose import waiting_for
from pbem.desk.transaction.notice_mail import notify_person
from pbem.host.keys import tokens_of
from pbem.host.people import MODERATOR, Holder
from pbem.inbound.incoming_letter import Letter
from pbem.outbound.mail import MailKind
from pbem.reading.courtesy import is_greeting
from pbem.store.errors import StoreError
from pbem.store.game_table import Status
from pbem.store.state_file import StoredGame

ADDRESS = "address"
"""Stands for a game in the key of the question whether an address is somebody's."""

ALIAS = 2
"""Letters without a key after which somebody's subjects carry it."""

ASKED = timedelta(days=30)
"""An address is asked `UNPROVEN` times within so long whether it is somebody's, whoever names it."""

_IS_IT_YOURS = T("is this your address?")


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """An open game and the seat that somebody holds in it."""

    game: str
    holder: Holder
    context: Context


def open_seats(services: Services, address: str) -> tuple[OpenSeat, ...]:
    """The open games in which an address holds a seat."""
    return _open(services, services.people.seats_of(address))


def _open(services: Services, seats: Iterable[tuple[str, Seat]]) -> tuple[OpenSeat, ...]:
    found = []
    for game, seat in seats:
        context = _at_rest(services, game)
        if context is not None and context.stored.table.status not in OVER:
            found.append(OpenSeat(game, services.people.holder(game, seat), context))
    return tuple(found)


def _at_rest(services: Services, game: str) -> Context | None:
    """A game at rest; None for one that is not there or cannot be read."""
    try:
        repo = services.store.open(game)
        stored = StoredGame.read(repo)
        return as_game(Context.loaded(services, stored, repo))
    except (StoreError, PositionError, LookupError):
        return None


def list_tables(services: Services, letter: Letter, found: tuple[OpenSeat, ...], nth: int) -> None:
    """Mail somebody who has named no open game the list of theirs, each with its own reply address."""
    notes = [T("Your letter carries no key of an open game, so nothing of it was done.")]
    if found:
        notes.append(T("Your open games, each with the address to write to:"))
        notes += [line for place in found for line in _lines(services, place)]
    else:
        notes.append(T("You have no open game here."))
    if services.tables.open != "nobody":
        notes.append(
            T("«tables» lists the tables with a free place; «new troyes 3 players», say, opens one, and «join» with "
              "the name of a table takes a place.")
        )  # fmt: skip
    if nth == UNPROVEN:
        notes.append(the_last_today())
    holder = Holder(Seat(""), letter.sender_name, (letter.sender,), language=services.spoken(letter.sender))
    answering = usable_message_id(letter.message_id)
    notify_person(services, "pbem", holder, MailKind.ANSWER, T("your games"), tuple(notes), letter.digest, answering)


def keyed_by(services: Services, who: Who, letter: Letter) -> Who:
    """Put the key into somebody's subjects, once `ALIAS` answers of theirs have come without it, and tell them.

    An alias service, say, keeps neither our reply address nor our Message-IDs.
    """
    keys = fitting_keys(letter, services.people, services.keys, services.spool.mailed)
    if keys or tokens_of((*letter.recipients, letter.subject)) or not (letter.references and who.game):
        return who
    purse, now = f"alias {services.keys.person(letter.sender)}", services.clock()
    services.spool.spend(purse, letter.digest, now)
    if services.spool.spent(purse, now - ASKED, now) < ALIAS:
        return who
    for game, seat in services.people.seats_of(letter.sender):
        if not (holder := services.people.holder(game, seat)).keyed:
            services.people.change(game, replace(holder, keyed=True))
    says = T(
        "Your letter carries no key, so nothing of it was done. What carries your mail seems to change our addresses; "
        "from now on the key stands in the subject, too: please answer this mail, and leave its subject as it is."
    )
    return replace(who, trouble=says)


def other_games(services: Services, holder: Holder, game: str) -> tuple[CardText, ...]:
    """The open games of somebody beside this one."""
    known = dict.fromkeys(place for address in holder.addresses for place in services.people.seats_of(address))
    found = [place for place in _open(services, known) if (place.game, place.holder.seat) != (game, holder.seat)]
    lines = tuple(line for place in found for line in _lines(services, place))
    return (CardText(T("Your games beside this one"), lines),) if lines else ()


def _lines(services: Services, place: OpenSeat) -> tuple[Msg, ...]:
    """A game with the address to write to, and the wait at it."""
    context, holder = place.context, place.holder
    if context.stored.table.status is Status.GATHERING:
        return (_line(services, place),)
    holders = {one.seat: one for one in services.people.holders(place.game)}
    wait = with_clock_text(services, context.stored.table, context.waiting(), holders, holder.seat, services.clock())
    return (_line(services, place), *wait)


def _line(services: Services, place: OpenSeat) -> Msg:
    token = _token(services, place.context, place.holder)
    host = services.renderer.host
    where: Msg | str = host.reply_address(token)
    if place.holder.keyed or not host.plus_addressing:
        where = T("{address}, with [{token}] in the subject", address=host.address, token=token)
    context = place.context
    stage = context.game.heading(context.state)
    waited = waiting_for(context)
    asked = context.asked(place.holder.seat)
    wait, row = context.stored.table.wait, context.stored.table.seat(place.holder.seat)
    since = local_day(wait.since, hours_of(services.zone, place.holder, row).zone) if wait else None
    says = T("the game is held, since {day}", day=since) if since else T("the game is held")
    if asked is not None and asked.answered:
        says = T("your answer is kept, and may still be changed")
    elif context.names()[place.holder.seat] in waited:
        says = T("it is your turn, since {day}", day=since) if since else T("it is your turn")
    elif waited:
        says = T("waiting for {names}", names=waited)
        says = T("waiting for {names}, since {day}", names=waited, day=since) if since else says
    game: Msg | str = place.game
    beside = (one for one in services.people.holders(place.game) if one.seat != place.holder.seat)
    if any(not set(place.holder.addresses).isdisjoint(one.addresses) for one in beside):
        # Two seats share an address.
        game = T("{game} for {name}", game=place.game, name=context.names()[place.holder.seat])
    return T("{game}, {stage}: {told}. {where}", game=game, stage=stage, told=says, where=where)


def report_stolen_key(services: Services, who: Who, letter: Letter) -> str:
    """Tell the holder of a seat that somebody else has written with its key; returns what to log."""
    if nth_today(services, f"stolen {who.game} {who.seat}", letter.digest) > UNPROVEN:
        return f"{who.why}; told often enough today"
    holder = services.people.holder(who.game, who.seat)
    if not holder.addresses:
        return who.why
    says = T(
        "A letter with your key came from another address. Nothing was done. If it was you, send it from this one."
    )
    context = _at_rest(services, who.game)
    token = "" if context is None else _token(services, context, holder)
    heading = T("a letter from elsewhere")
    notify_person(services, who.game, holder, MailKind.NEWS, heading, (says,), letter.digest, token=token)
    return f"{who.why}; the seat was told"


def confirm_new_address(services: Services, who: Who, letter: Letter) -> None:
    """Ask at the address that somebody has named for themselves whether it is theirs. A crash loses the mail, so that
    it must be named again."""
    holder = services.people.holder(who.game, who.seat)
    if nth_today(services, f"address {services.keys.mailbox(letter.sender)}", letter.digest) > UNPROVEN:
        # A host that writes to whatever address it is told is a relay.
        says = T("No mail has gone there: this was tried {n} times today. Please say it again tomorrow.", n=UNPROVEN)
        notify_person(services, who.game, holder, MailKind.NEWS, T("another address"), (says,), letter.digest)
    elif holder.coming and _asked_enough(services, holder.coming, letter):
        says = T("No mail has gone there: {address} was asked {n} times within {days} days. Your mails come here.",
                 address=holder.coming, n=UNPROVEN, days=ASKED.days)  # fmt: skip
        notify_person(services, who.game, holder, MailKind.NEWS, T("another address"), (says,), letter.digest)
    elif holder.coming:
        there = replace(holder, addresses=(holder.coming,))
        says = T(
            "{name} wishes to get the mails of the table {game} here. If that is you, answer this mail with «yes»; "
            "if not, with «no», or leave it.",
            name=holder.name, game=who.game,
        )  # fmt: skip
        token = _question(services, who.game, holder)
        notify_person(services, who.game, there, MailKind.NEWS, _IS_IT_YOURS, (says,), letter.digest, token=token)


def _asked_enough(services: Services, address: str, letter: Letter) -> bool:
    """Count a question to an address; whether it was asked too often."""
    purse, now = f"is it yours {services.keys.mailbox(address)}", services.clock()
    services.spool.spend(purse, letter.digest, now)
    return services.spool.spent(purse, now - ASKED, now) > UNPROVEN


def _question(services: Services, game: str, holder: Holder) -> str:
    """The key of the question to a new address. A stranger may read it, so it is no key of the seat."""
    return str(services.keys.token(ADDRESS, f"{game} {holder.seat} {holder.coming}", holder.generation, 1))


def answer_moved_address(services: Services, letter: Letter) -> str:
    """Handle an answer to that question, from the address it went to; returns what to log, empty for no answer."""
    tokens = {str(one) for one in tokens_of((*letter.recipients, letter.subject)) if one.game == ADDRESS}
    for game in services.people.games() if tokens else ():
        for holder in services.people.holders(game):
            if holder.coming == letter.sender and (token := _question(services, game, holder)) in tokens:
                return f"{game} {holder.seat}: {_moves(services, letter, game, holder, token)}"
    return ""


def _moves(services: Services, letter: Letter, game: str, holder: Holder, token: str) -> str:
    """Take the address over for a yes, and forget it for a no."""
    if find_auto_reply(letter.subject, letter.lines) is not AutoReply.NO:
        return "an automatic note"
    lines = [line for line in letter.lines if line.strip() and not is_greeting(line)]
    means = parse_invitation_answer(lines[0], (holder.name,)).means if lines else Means.NOTHING
    if means is Means.DECLINES:
        services.people.change(game, replace(holder, coming=""))
        return "no address of theirs"
    if means is not Means.JOINS:
        there = replace(holder, addresses=(holder.coming,))
        if nth_today(services, f"address of {game} {holder.seat}", letter.digest) <= UNPROVEN:
            says = T(
                "This answers neither yes nor no. Write «yes» above everything else, or «no». Nothing was done yet."
            )
            notify_person(services, game, there, MailKind.NEWS, _IS_IT_YOURS, (says,), letter.digest, token=token)
        return "no answer to the question"
    fresh = replace(holder.reached, addresses=(letter.sender, *holder.addresses[1:]), coming="")
    services.people.change(game, fresh)
    says = T("The mails of the table {game} come to {to} from now on.", game=game, to=letter.sender)
    for one in (holder, fresh):
        about = f"{letter.digest} {one.addresses[0]}"
        notify_person(services, game, one, MailKind.NEWS, T("another address"), (says,), about)
    return "another address"


def report_dmarc(services: Services, letter: Letter) -> str:
    """Tell a registered sender once a day, and the moderator, that a letter failed DMARC; returns what to log."""
    seats = services.people.seats_of(letter.sender)
    known = bool(seats) or letter.sender in services.people.moderator.addresses
    person = services.keys.mailbox(letter.sender)
    if not known or nth_today(services, f"dmarc {person}", letter.digest) > 1:
        return "dmarc=fail"
    for game, seat in seats[:1]:
        says = T(
            "A letter in your name failed the test of this host's mail server (dmarc=fail), so nothing of it was done. "
            "If it was yours, send it through your own provider, or ask the moderator to exempt your address."
        )
        name, language = services.people.holder(game, seat).name, services.spoken(letter.sender)
        holder = Holder(seat, name, (letter.sender,), language=language)
        notify_person(services, "pbem", holder, MailKind.NEWS, T("a letter was not read"), (says,), letter.digest)
    places_ = tuple(f"{game} {seat}" for game, seat in seats[:5]) or (str(MODERATOR),)
    tells = T(
        "A letter in the name of {seats} failed DMARC and played nothing. If such letters are genuine (forwarded mail, "
        "a list), dmarc_exempt in pbem.toml lets an address through.",
        seats=places_,
    )
    notice_mail.notify_admin(services, "", MODERATOR, f"dmarc {person} {services.clock().date().isoformat()}", tells)
    return "dmarc=fail; the sender was told"


def _token(services: Services, context: Context, holder: Holder) -> str:
    asked, table = context.asked(holder.seat), context.stored.table
    number = table.decisions if asked is None else asked.number
    return str(services.keys.token(table.game, holder.seat, holder.generation, number))
