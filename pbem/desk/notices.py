"""The host's own notes: seats whose mail comes back, who loses a seat, and what the moderator should know at once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from email.headerregistry import Address

from engine.catalog import Msg, T
from engine.game import Seat
from pbem.desk.compose import compose
from pbem.desk.context import Context
from pbem.desk.identity import Who, proofs
from pbem.desk.services import Services
from pbem.desk.silence import PASSED_OVER, Silence
from pbem.host.keys import Token, message_id, tokens_of
from pbem.host.people import Holder
from pbem.inbound.letter import Letter
from pbem.outbound.mail import Mail, MailKind, Message
from pbem.outbound.render import Thread
from pbem.store.database import Outgoing
from pbem.store.stored import Stored

FOLLOWER = "follower"
"""What stands for a game in the key that a follower's mails come back with; no game is called so."""


def composed(context: Context, message: Message) -> Mail:
    """A mail that is shown on the spot and neither sent nor stored."""
    table = context.stored.table
    return compose(context, replace(message, heard=table.records, told=table.entries), "")


def bounced(services: Services, letter: Letter) -> str:
    """Mark the seat whose mail came back for good, or end a following; returns what to log.

    Only a report that came to an address with a token of their own counts. Any other may be forged, or come from
    a host without plus addressing: then the moderator is told, and nothing is marked.
    """
    if not letter.permanent:
        return _delayed(services, letter)
    today = services.clock().date().isoformat()
    if follower_key(services, letter.bounced) in tokens_of((*letter.recipients, letter.subject)):
        # Nobody is written to in vain who need not be written to.
        services.followers.forget(letter.bounced)
        return "bounce: of a follower"
    for proof in proofs(letter, services.people, services.keys, services.spool.mailed):
        holder = services.people.holder(proof.game, proof.seat)
        if letter.bounced in holder.addresses:
            if not holder.unreachable:
                services.people.change(proof.game, replace(holder, unreachable=f"mail came back on {today}"))
                says = T("Mail to {seat} comes back for good; the address must be mended.", seat=holder.seat)
                notice(services, proof.game, holder.seat, says, today)
            return f"bounce: {proof.game} {holder.seat}"
    for game, seat in services.people.seats_of(letter.bounced) if letter.bounced else ():
        says = T("Mail to {seat} seems to come back; please look whether the address is right.", seat=seat)
        notice(services, game, seat, says, today)
        return f"bounce: {game} {seat}, without a key"
    return "bounce: of no mail to a seat"


def follower_key(services: Services, address: str) -> Token:
    """What a follower's mails are sent with, so that a forged report ends nobody's following."""
    return services.keys.token(FOLLOWER, address, 1, 1)


def heard(services: Services, stored: Stored, holder: Holder, decision: int) -> None:
    """Take the mark off a seat whose mail came back, once its holder answers the mail that asks: that one has come."""
    if holder.unreachable and decision == stored.table.seat(holder.seat).asked:
        services.people.change(stored.table.game, replace(holder, unreachable=""))


def _delayed(services: Services, letter: Letter) -> str:
    """A report that a mail is late: the moderator is told of the second one that comes more than a day after another.

    It marks nothing; who is asked may have been reached since.
    """
    now = services.clock()
    for proof in proofs(letter, services.people, services.keys, services.spool.mailed):
        purse = f"delayed {proof.game} {proof.seat}"
        before = services.spool.spent(purse, now - timedelta(days=7), now - timedelta(days=1))
        services.spool.spend(purse, letter.digest, now)
        if before:
            says = T("Mail to {seat} has been on its way for more than a day; it may be lost.", seat=proof.seat)
            notice(services, proof.game, proof.seat, says, f"delayed {now.date().isoformat()}")
        return f"bounce: {proof.game} {proof.seat}, not for good"
    return "bounce: not for good"


def same_again(services: Services, game: str, seat: Seat, mark: str) -> None:
    """Tell the moderator, once, that a seat sends the same letter over and over."""
    says = T(
        "The same text came from {seat} more than three times within an hour. It played nothing and its answer stays "
        "the same, so it is not answered for now; anything else is.",
        seat=seat,
    )
    notice(services, game, seat, says, mark)


def without_end(services: Services, game: str, seat: Seat, most: int, mark: str) -> None:
    """Tell the moderator, once a day, that a seat's letters may be a program's, which answers our mails."""
    says = T(
        "More than {n} letters that play nothing came from {seat} today; a program may be answering our mails there. "
        "Until midnight (UTC) such letters are answered together, once an hour.",
        n=most, seat=seat,
    )  # fmt: skip
    notice(services, game, seat, says, mark)


def passed_over(services: Services, letter: Letter, kind: Silence) -> Who:
    """Tell the moderator, once a day, that a letter with a seat's key got no answer; whose it is, nobody's without."""
    for proof in proofs(letter, services.people, services.keys, services.spool.mailed):
        says = T(
            "A letter with the key of {seat} was passed over, and nobody was answered: {why}. If it was theirs, they "
            "do not know that nothing was done.",
            seat=proof.seat, why=PASSED_OVER[kind],
        )  # fmt: skip
        about = f"passed over {kind.name} {services.clock().date().isoformat()}"
        notice(services, proof.game, proof.seat, says, about)
        return Who(proof.game, proof.seat)
    return Who()


def notice(services: Services, game: str, seat: Seat, says: Msg, about: str) -> None:
    """A mail to the moderator, once for the same matter; nothing when no moderator is named."""
    if not services.moderator:
        return
    key = hashlib.sha256(f"{game} {seat} {about}".encode()).hexdigest()[:20]
    heading = T("a notice")
    mail = Mail(kind=MailKind.NEWS, game=game, seat=Seat(""), name="moderator", heading=heading, notes=(says,))
    host = services.renderer.host
    to = Address("", addr_spec=services.moderator)
    raw = services.renderer.message(
        mail, to, Thread(), f"<notice.{key}@{host.domain}>", services.clock(),
        language=services.people.usual,
    )  # fmt: skip
    services.spool.enqueue(Outgoing(f"notice.{key}", "", services.moderator, raw, "notice", host.address), game)


def note(
    services: Services, game: str, holder: Holder, kind: MailKind, heading: Msg, notes: tuple[Msg, ...], letter: str,
    answering: str = "", token: str = "",
) -> None:  # fmt: skip
    """A mail that no record promises, to somebody's first address; once of its kind for the same `letter`."""
    host, address = services.renderer.host, holder.addresses[0]
    mail = Mail(
        kind=kind, game=game, seat=Seat(""), name=holder.name, heading=heading, token=token, notes=notes,
        unspoken=not (holder.seat or holder.language),
    )
    name = services.keys.mail(game, f"note {kind}", letter)
    own = message_id(name, host.domain)
    to = Address(holder.name, addr_spec=address)
    language, now = services.people.read_by(holder), services.clock()
    raw = services.renderer.message(mail, to, Thread(last=answering), own, now, language=language)
    services.spool.enqueue(Outgoing(f"note.{name}", "", address, raw, "notice", host.address), "")


def parted(services: Services, stored: Stored, after: Iterable[Holder]) -> None:
    """Tell whoever loses a seat because its game has other people from now on, once; not who has declined it.

    `stored` is the game before. Whoever has one of the same addresses, or the same name, has the seat still.
    """
    table, now = stored.table, {one.seat: one for one in after}
    for one in services.people.holders(table.game):
        new = now.get(one.seat)
        stays = new is not None and (new.name == one.name or bool(set(new.addresses) & set(one.addresses)))
        if stays or not one.addresses or one.unreachable or one.seat in table.declined:
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
        note(services, table.game, replace(one, seat=Seat("")), MailKind.NEWS, T("your seat"), (says,), about)
