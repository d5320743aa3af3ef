"""Letters whose writer is not proven: without a key, with one from a foreign address, or failing the own server's test.

They play nothing. What is answered goes to registered addresses only, as a mail that no record promises: a crash
leaves it unwritten or in the spool.
"""

from __future__ import annotations

from dataclasses import dataclass
from email.headerregistry import Address

from engine.catalog import Msg
from engine.catalog import T
from engine.errors import PositionError
from engine.game import Seat
from pbem.desk import notices
from pbem.desk.budgets import UNPROVEN
from pbem.desk.budgets import nth_today
from pbem.desk.identity import Who
from pbem.desk.office import Office
from pbem.desk.scene import Scene
from pbem.desk.scene import waiting_for
from pbem.letter import Letter
from pbem.mail import Mail
from pbem.mail import MailKind
from pbem.people import MODERATOR
from pbem.people import Holder
from pbem.render import Thread
from pbem.store.ledger import Outgoing
from pbem.store.stored import Stored
from pbem.store.table import Status
from pbem.store.trouble import StoreError
from pbem.tokens import message_id

_OVER = (Status.ENDED, Status.ABANDONED)


@dataclass(frozen=True, slots=True)
class Place:
    """An open game and the seat that somebody holds in it."""

    game: str
    holder: Holder
    scene: Scene


def places(office: Office, address: str) -> tuple[Place, ...]:
    """The open games in which an address holds a seat."""
    found = []
    for game, seat in office.people.seats_of(address):
        scene = _scene(office, game)
        if scene is not None and scene.stored.table.status not in _OVER:
            found.append(Place(game, office.people.holder(game, seat), scene))
    return tuple(found)


def _scene(office: Office, game: str) -> Scene | None:
    """A game at rest; None for one that is not there or cannot be read, which must not stop what is told of others."""
    try:
        stored = Stored.read(office.store.open(game))
        rules = office.find(stored.table.kind)
        return Scene(rules, stored, rules.load(stored.game, stored.hidden) if stored.game else None, lambda _: ())
    except (StoreError, PositionError, LookupError):
        return None


def list_tables(office: Office, letter: Letter, found: tuple[Place, ...], nth: int) -> None:
    """Mail somebody who has named no open game their open games, each with its own reply address."""
    notes = [T("Your letter carries no key of an open game, so nothing of it was done.")]
    if found:
        notes += [T("Your open games, each with the address to write to:"), *(_line(office, place) for place in found)]
    else:
        notes.append(T("You have no open game here."))
    if nth == UNPROVEN:
        notes.append(
            T("This was answer {n} today to a letter without a valid key, and the last one today.", n=UNPROVEN)
        )
    holder = Holder(Seat(""), letter.sender_name, (letter.sender,))
    answering = notices.usable(letter.message_id)
    _mail(office, "pbem", holder, MailKind.ANSWER, T("your games"), tuple(notes), letter.digest, answering)


def _line(office: Office, place: Place) -> Msg:
    token = _token(office, place.scene, place.holder)
    host = office.renderer.host
    where: Msg | str = host.reply_address(token)
    if not host.plus_addressing:
        where = T("{address}, with [{token}] in the subject", address=host.address, token=token)
    scene = place.scene
    stage = T("before the game") if scene.state is None else scene.game.heading(scene.state)
    waited = waiting_for(scene)
    asked = next((one for one in scene.waiting() if one.seat == place.holder.seat), None)
    told = T("the game is held")
    if asked is not None and asked.answered:
        told = T("your answer is kept, and may still be changed")
    elif scene.names()[place.holder.seat] in waited:
        told = T("it is your turn")
    elif waited:
        told = T("waiting for {names}", names=waited)
    return T("{game}, {stage}: {told}. {where}", game=place.game, stage=stage, told=told, where=where)


def stolen(office: Office, who: Who, letter: Letter) -> str:
    """Tell the holder of a seat that somebody else has written with its key; what to log."""
    if nth_today(office, f"stolen {who.game} {who.seat}", letter.digest) > UNPROVEN:
        return f"{who.why}; told often enough today"
    holder = office.people.holder(who.game, who.seat)
    if not holder.addresses:
        return who.why
    says = T(
        "A letter with your key came from another address. Nothing was done. If it was you, send it from this one."
    )
    scene = _scene(office, who.game)
    token = "" if scene is None else _token(office, scene, holder)
    _mail(office, who.game, holder, MailKind.NEWS, T("a letter from elsewhere"), (says,), letter.digest, token=token)
    return f"{who.why}; the seat was told"


def fails(office: Office, letter: Letter) -> bool:
    """Whether the own mail server says that a letter is not from the domain in its From. No verdict is no failure."""
    if not office.authserv_id or letter.sender in office.dmarc_exempt:
        return False
    return (office.authserv_id, "fail") in letter.verdicts


def failed(office: Office, letter: Letter) -> str:
    """Tell the registered sender once a day, and the moderator, why such a letter plays nothing; what to log."""
    seats = office.people.seats_of(letter.sender)
    known = bool(seats) or letter.sender in office.people.moderator.addresses
    person = office.keys.person(letter.sender)
    if not known or nth_today(office, f"dmarc {person}", letter.digest) > 1:
        return "dmarc=fail"
    for game, seat in seats[:1]:
        says = T(
            "A letter in your name failed the test of this host's mail server (dmarc=fail), so nothing of it was done. "
            "If it was yours, send it through your own provider, or ask the moderator to exempt your address."
        )
        holder = Holder(seat, office.people.holder(game, seat).name, (letter.sender,))
        _mail(office, "pbem", holder, MailKind.NEWS, T("a letter was not read"), (says,), letter.digest)
    places_ = tuple(f"{game} {seat}" for game, seat in seats[:5]) or (str(MODERATOR),)
    tells = T(
        "A letter in the name of {seats} failed DMARC and played nothing. If such letters are genuine (forwarded mail, "
        "a list), dmarc_exempt in pbem.toml lets an address through.",
        seats=places_,
    )
    notices.notice(office, "", MODERATOR, tells, f"dmarc {person} {office.clock().date().isoformat()}")
    return "dmarc=fail; the sender was told"


def _token(office: Office, scene: Scene, holder: Holder) -> str:
    asked = (one.number for one in scene.waiting() if one.seat == holder.seat)
    number = next(asked, scene.stored.table.decisions)
    return str(office.keys.token(scene.stored.table.game, holder.seat, holder.generation, number))


def _mail(
    office: Office, game: str, holder: Holder, kind: MailKind, heading: Msg, notes: tuple[Msg, ...], letter: str,
    answering: str = "", token: str = "",
) -> None:  # fmt: skip
    host, address = office.renderer.host, holder.addresses[0]
    mail = Mail(kind, game, "", "", holder.name, heading, token, notes=notes)
    name = office.keys.mail(game, f"note {kind}", letter)
    own = message_id(name, host.domain)
    to = Address(holder.name, addr_spec=address)
    raw = office.renderer.message(mail, to, Thread(last=answering), own, office.clock(), language=holder.language)
    office.spool.enqueue(Outgoing(f"note.{name}", "", address, raw, "notice", host.address), "")
