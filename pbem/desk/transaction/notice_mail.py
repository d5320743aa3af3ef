"""Mails of the host itself, which no record promises: to the moderator, and to people outside their games."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from email.headerregistry import Address

from engine.catalog import Msg, T
from engine.game import Seat
from pbem.desk.core.context import Context
from pbem.desk.core.identity import Who, fails, fitting_keys, identify, usable_message_id
from pbem.desk.core.outcome import PASSED_OVER, Silence
from pbem.desk.core.services import Services
from pbem.desk.transaction.compose import compose
from pbem.host.keys import message_id
from pbem.host.people import Holder
from pbem.inbound.incoming_letter import Letter
from pbem.outbound.mail import Mail, MailKind, Message, Reader
from pbem.outbound.render import Thread
from pbem.store.database import OutgoingMail
from pbem.store.state_file import StoredGame


def uncommitted_mail(context: Context, message: Message) -> Mail:
    """A mail that is shown on the spot and neither sent nor stored."""
    table = context.stored.table
    return compose(context, replace(message, heard=table.records, told=table.entries), "")


def same_again(services: Services, game: str, seat: Seat) -> None:
    """Tell the moderator, once a day, that a seat sends the same letter over and over."""
    says = T(
        "The same text came from {seat} more than three times within an hour. It played nothing and its answer stays "
        "the same, so it is not answered for now; anything else is.",
        seat=seat,
    )
    notify_admin(services, game, seat, f"the same again {services.clock().date().isoformat()}", says)


def without_end(services: Services, game: str, seat: Seat, most: int, mark: str) -> None:
    """Tell the moderator, once a day, that a program may be answering our mails to a seat."""
    says = T(
        "More than {n} letters that play nothing came from {seat} today; a program may be answering our mails there. "
        "Until midnight (UTC) such letters are answered together, once an hour.",
        n=most, seat=seat,
    )  # fmt: skip
    notify_admin(services, game, seat, mark, says)


def note_silence(services: Services, letter: Letter, kind: Silence) -> Who:
    """Tell the moderator, once a day, that a letter with a seat's key got no answer; returns the seat, if any."""
    for proof in fitting_keys(letter, services.people, services.keys, services.spool.mailed):
        says = T(
            "A letter with the key of {seat} was passed over, and nobody was answered: {why}. If it was theirs, they "
            "do not know that nothing was done.",
            seat=proof.seat, why=PASSED_OVER[kind],
        )  # fmt: skip
        about = f"passed over {kind.name} {services.clock().date().isoformat()}"
        notify_admin(services, proof.game, proof.seat, about, says)
        return Who(proof.game, proof.seat)
    return Who()


def notify_admin(services: Services, game: str, seat: Seat, about: str, *says: Msg) -> None:
    """Mail the moderator, once for the same `about`; does nothing when no moderator is named."""
    if not services.moderator:
        return
    key = hashlib.sha256(f"{game} {seat} {about}".encode()).hexdigest()[:20]
    mail = Mail(
        kind=MailKind.NEWS, game=game or "pbem", seat=Seat(""), name="moderator", heading=T("a notice"), notes=says
    )
    host = services.renderer.host
    to, own = Address("", addr_spec=services.moderator), f"<notice.{key}@{host.domain}>"
    now, language = services.clock(), services.people.usual
    raw = services.renderer.message(mail, to, Thread(), own, now, language=language)
    services.spool.enqueue(OutgoingMail(f"notice.{key}", "", services.moderator, raw, "notice", host.address), game)


def notify_door(services: Services, says: Msg) -> None:
    """Tell the moderator, once a day, of a game that another host has brought here."""
    notify_admin(services, "", Seat(""), f"the door {says} {services.clock().date()}", says)


def notify_person(
    services: Services, game: str, holder: Holder, kind: MailKind, heading: Msg, notes: tuple[Msg, ...], letter: str,
    answering: str = "", token: str = "",
) -> None:  # fmt: skip
    """Mail somebody's first address, once of a kind for the same `letter`."""
    host, address = services.renderer.host, holder.addresses[0]
    mail = Mail(
        kind=kind, game=game, seat=Seat(""), name=holder.name, heading=heading, token=token, notes=notes,
        reader=Reader(unspoken=not (holder.seat or holder.language)),
    )
    name = services.keys.mail(game, f"note {kind}", letter)
    own = message_id(name, host.domain)
    to = Address(holder.name, addr_spec=address)
    language, now = services.people.read_by(holder), services.clock()
    raw = services.renderer.message(mail, to, Thread(last=answering), own, now, language=language)
    services.spool.enqueue(OutgoingMail(f"note.{name}", "", address, raw, "notice", host.address), "")


def tell_writer(services: Services, letter: Letter, unread: bool = False) -> bool:
    """Tell a proven writer that their letter was put aside; returns whether they were told.

    It uses the letter's header and the seat's row alone, so that nothing is tried again that may have failed. `unread`:
    the mailbox does not give the letter out. Raises whatever reading the table's files raises.
    """
    who = identify(letter, services.people, services.keys, services.spool.mailed)
    if not who.proven or fails(services, letter):
        return False
    holder, table = services.people.holder(who.game, who.seat), StoredGame.read(services.store.open(who.game)).table
    number = table.seat(who.seat).asked or table.decisions
    token = str(services.keys.token(who.game, who.seat, holder.generation, number))
    notes = (
        T("The mailbox of the games does not give your letter out, so it could not be read.")
        if unread
        else T("Your letter met a fault in this program and could not be handled."),
        T("The moderator was told, and can have it read again. You can also write again, in answer to this mail and in "
          "other words; everything else goes on."),
    )  # fmt: skip
    answering = usable_message_id(letter.message_id)
    heading = T("a letter was put aside")
    notify_person(services, who.game, holder, MailKind.REFUSAL, heading, notes, letter.digest, answering, token)
    return True


def notify_replaced(services: Services, stored: StoredGame, after: Iterable[Holder]) -> None:
    """Tell everybody who loses a seat; not who has declined it. `stored` is the game before.

    Whoever keeps an address or the name keeps the seat.
    """
    table, now = stored.table, {one.seat: one for one in after}
    for one in services.people.holders(table.game):
        new = now.get(one.seat)
        stays = new is not None and (new.name == one.name or bool(set(new.addresses) & set(one.addresses)))
        if stays or not one.addresses or one.cut_off or one.seat in table.declined:
            continue
        if stored.game:
            says = T("Somebody else has your seat at the table {game} from now on. What you answer to its mails is not "
                     "read any more.", game=table.game)  # fmt: skip
        elif new is not None:
            says = T("The seat that was kept for you at the table {game} went to somebody else. What you answer to the "
                     "invitation is not read any more.", game=table.game)  # fmt: skip
        else:
            says = T("The table {game} begins without you, since you had not answered its invitation. Nothing more "
                     "comes of it.", game=table.game)  # fmt: skip
        about = f"parted {one.seat} {one.generation}"
        notify_person(services, table.game, replace(one, seat=Seat("")), MailKind.NEWS, T("your seat"), (says,), about)
