"""What the writer of a letter is told that was put aside, since the program fails at it or the mailbox keeps it.

It is told from the letter's header and the seat's row alone: nothing that may have failed at the letter is tried again.
The mail is promised by no record, and goes once for a letter.
"""

from __future__ import annotations

from engine.catalog import T
from pbem.desk import unproven
from pbem.desk.identity import identify, usable
from pbem.desk.notices import note
from pbem.desk.services import Services
from pbem.inbound.letter import Letter
from pbem.outbound.mail import MailKind
from pbem.store.stored import Stored


def tell_writer(services: Services, letter: Letter, unread: bool = False) -> bool:
    """Tell whoever wrote, if they are registered and the letter carries a key of theirs; whether they were told.

    `unread`: the mailbox does not give the letter out. Raises whatever reading the table's files raises.
    """
    who = identify(letter, services.people, services.keys, services.spool.mailed)
    if not who.proven or unproven.fails(services, letter):
        return False
    holder, table = services.people.holder(who.game, who.seat), Stored.read(services.store.open(who.game)).table
    number = table.seat(who.seat).asked or table.decisions
    token = str(services.keys.token(who.game, who.seat, holder.generation, number))
    notes = (
        T("The mailbox of the games does not give your letter out, so it could not be read.")
        if unread
        else T("Your letter met a fault in this program and could not be handled."),
        T("The moderator was told, and can have it read again. You can also write again, in answer to this mail and in "
          "other words; everything else goes on."),
    )  # fmt: skip
    answering = usable(letter.message_id)
    heading = T("a letter was put aside")
    note(services, who.game, holder, MailKind.REFUSAL, heading, notes, letter.digest, answering, token)
    return True
