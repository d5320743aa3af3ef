"""Handle bounces and complaints: which reports are believed, and what follows.

A report counts only if it names a mail of ours to that seat and no letter has come from there since. The seat's owner
could forge one, so it stops a clock for two days at most while our server accepts mail for the address
(`pbem.clocks.deadlines.time_stopped`), and ends nothing.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from engine.catalog import T
from engine.game import Seat
from pbem.desk.core.identity import Proof, fitting_keys
from pbem.desk.core.services import Services
from pbem.desk.transaction.notice_mail import notify_admin
from pbem.host.keys import Token, tokens_of
from pbem.host.people import Holder
from pbem.inbound.bounce import Report, ReportKind
from pbem.inbound.incoming_letter import Letter
from pbem.inbound.smtp_replies import ReplyFault
from pbem.store.commit_record import Record
from pbem.store.errors import StoreError
from pbem.store.state_file import StoredGame

FOLLOWER = "follower"
"""Stands for a game in the key of a follower's mails."""

LOOKED = 200
"""Records that are searched for a later letter."""

AGAIN = timedelta(days=14)
"""A report so soon after another does not stop the clock again."""

_TOLD = {
    ReplyFault.ADDRESS: T("there is no such mailbox. The address must be mended."),
    ReplyFault.FULL: T("the mailbox is full."),
    ReplyFault.SIZE: T("the mail is too large for it."),
    ReplyFault.POLICY: T("it was refused as spam or by a rule. That is yours to mend, the address is right."),
    ReplyFault.DOMAIN: T("our domain does not prove that the mail is ours (SPF, DKIM, DMARC). That is yours to mend."),
    ReplyFault.ACCOUNT: T(
        "the server there takes no mail from our account, address or machine. That is yours to mend."
    ),
    ReplyFault.OTHER: T("it could not be delivered."),
}


def handle_report(services: Services, letter: Letter) -> str:
    """Mark the seat of a credible report and tell the moderator; returns what to log."""
    report = letter.report or Report(ReportKind.FAILED, "")
    found = _named(services, letter, report)
    if report.what is ReportKind.COMPLAINT:
        return _complaint(services, found)
    if found is None:
        return _follower(services, letter, report) or _unnamed(services, report)
    if _written_since(services, found):
        return f"report: {found.game} {found.seat}, who has written since"
    if report.what is ReportKind.DELAYED:
        return _delayed(services, found, letter, report)
    services.people.change(found.game, _marked(services, found, report))
    return f"report: {found.game} {found.seat}, {report.fault}"


def _named(services: Services, letter: Letter, report: Report) -> Proof | None:
    """The mail of ours that a report names: by Message-ID, or by the key it came to and its recipient's address."""
    told = replace(letter, references=(*letter.references, *report.ids))
    for proof in fitting_keys(told, services.people, services.keys, services.spool.mailed):
        holder = services.people.holder(proof.game, proof.seat)
        if proof.record or set(report.to) & set(holder.addresses):
            return proof
    return None


def _written_since(services: Services, mail: Proof) -> bool:
    """True if a letter of that seat was answered after the mail went out, so that its mailbox is read."""
    try:
        repo = services.store.open(mail.game)
        stored = StoredGame.read_public(repo)
        for number in range(stored.table.records, max(mail.record, stored.table.records - LOOKED), -1):
            record = Record.read(repo, number, stored.commit)
            if record.letter is not None and record.seat == mail.seat:
                return True
            asked = ((one.seat, one.decision) for one in record.intents)
            if not mail.record and (mail.seat, mail.decision) in asked:
                break
    except (StoreError, LookupError):
        pass  # a game that cannot be read moves no clock either
    return False


def _marked(services: Services, mail: Proof, report: Report) -> Holder:
    """The holder of a seat whose mail comes back; the moderator is told, once for each reason."""
    holder, now = services.people.holder(mail.game, mail.seat), services.clock()
    why = unreachable_text(report.fault, report.words, now)
    if holder.unreachable and holder.unreachable.startswith(report.fault):
        return holder
    says = [T("Mail to {seat} comes back: {why}", seat=holder.seat, why=_TOLD[report.fault])]
    if report.words:
        says.append(T("The server's own words: «{words}»", words=report.words))
    notify_admin(services, mail.game, holder.seat, f"{report.fault} {now.date().isoformat()}", *says)
    since = holder.unreachable_since
    again = since is not None and now - since < AGAIN
    return replace(holder, unreachable=why, unreachable_since=since if again else now, refused=holder.cut_off)


def unreachable_text(fault: str, words: str, at: datetime) -> str:
    """The reason as `list`, `doctor` and the moderator's daily mail tell it."""
    return f"{fault}, {at.date().isoformat()}" + (f": «{words}»" if words else "")


def _follower(services: Services, letter: Letter, report: Report) -> str:
    """Handle a report of a follower's mail; only a refusal by our own server ends following."""
    keys = tokens_of((*letter.recipients, letter.subject))
    address = next((one for one in report.to if follower_key(services, one) in keys), "")
    if not address:
        return ""
    if report.what is ReportKind.FAILED:
        why = _TOLD[report.fault]
        says = T("Mail to {address}, who follows tables here, comes back: {why}", address=address, why=why)
        notify_admin(services, "", Seat(FOLLOWER), f"{address} {report.fault}", says)
    return "report: of a follower"


def _unnamed(services: Services, report: Report) -> str:
    """Handle a report that names no mail of ours: tell the moderator if somebody here has the address."""
    today = services.clock().date().isoformat()
    to = report.to if report.what is ReportKind.FAILED else ()
    seats = [seat for one in to for seat in services.people.seats_of(one)]
    for game, seat in seats:
        says = T("Mail to {seat} seems to come back; please look whether the address is right.", seat=seat)
        notify_admin(services, game, seat, today, says)
    return f"report: {seats[0][0]} {seats[0][1]}, without a key" if seats else "report: of no mail to a seat"


def _delayed(services: Services, mail: Proof, letter: Letter, report: Report) -> str:
    """Handle a report of delay: tell the moderator of one more than a day after another. The seat is not marked."""
    now = services.clock()
    purse = f"delayed {mail.game} {mail.seat}"
    before = services.spool.spent(purse, now - timedelta(days=7), now - timedelta(days=1))
    services.spool.spend(purse, letter.digest, now)
    if before:
        says = [T("Mail to {seat} has been on its way for more than a day; it may be lost.", seat=mail.seat)]
        if report.words:
            says.append(T("The server's own words: «{words}»", words=report.words))
        notify_admin(services, mail.game, mail.seat, f"delayed {now.date().isoformat()}", *says)
    return f"report: {mail.game} {mail.seat}, not for good"


def _complaint(services: Services, mail: Proof | None) -> str:
    """Tell the moderator alone, once, that a mail was called spam."""
    if mail is None:
        says = T("A provider complains of a mail of this host as spam, and does not say whose it was.")
        notify_admin(services, "", Seat(""), f"complaint {services.clock().date().isoformat()}", says)
        return "complaint: of no mail to a seat"
    says = T(
        "A mail to {seat} was called spam, by {seat} or by their provider. Please ask whether they wish to play on, on "
        "another way than by mail from here.", seat=mail.seat,
    )  # fmt: skip
    notify_admin(services, mail.game, mail.seat, "complaint", says)
    return f"complaint: {mail.game} {mail.seat}"


def follower_key(services: Services, address: str) -> Token:
    """The key of a follower's mails, by which a report is recognized."""
    return services.keys.token(FOLLOWER, address, 1, 1)


def clear_unreachable(services: Services, stored: StoredGame, holder: Holder, decision: int) -> None:
    """Clear the mark of a seat whose mail came back, once its holder answers the mail that asks.

    The moment of the mark stays, so that time that was given is not taken back.
    """
    if holder.unreachable and decision == stored.table.seat(holder.seat).asked:
        services.people.change(stored.table.game, replace(holder, unreachable="", refused=False))
