"""A letter of the moderator's, with lines that begin with `gm`: read, judged, drawn up as one change.

Who he is: his registered address in From, and for whatever changes something the key of the moderator of that game.
A letter without it is answered to the registered address, and the answer carries the key.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace

from engine.catalog import Msg
from engine.catalog import T
from engine.errors import NotAllowed
from engine.errors import NotUnderstood
from engine.errors import OrderRefused
from engine.errors import TooLate
from engine.game import CardText
from pbem.commands import gm
from pbem.desk import lines as kinds
from pbem.desk import notices
from pbem.desk.answering import Case
from pbem.desk.draft import Draft
from pbem.desk.drawing import Change
from pbem.desk.office import Office
from pbem.letter import Kind
from pbem.letter import Letter
from pbem.mail import MailKind
from pbem.mail import Said
from pbem.people import MODERATOR
from pbem.repair.asked import asked
from pbem.repair.deeds import Drawn
from pbem.repair.orders import Faulty
from pbem.repair.spoken import deed_of
from pbem.store.stored import Stored
from pbem.tokens import tokens_of

_TAG = re.compile(r"\[([a-z][a-z0-9-]{0,39})\]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Key:
    """The moderator's key in a letter: for which game, and which number the newest decision had. -1: there is none."""

    game: str = ""
    number: int = -1


def is_for(letter: Letter, office: Office) -> bool:
    """Whether a letter is for the moderator's desk."""
    known = letter.kind is Kind.ORDERS and letter.sender in office.people.moderator.addresses
    return known and any(gm.is_line(line) for line in letter.lines)


def key_of(letter: Letter, office: Office) -> Key:
    """The moderator's key that a letter carries."""
    for token in tokens_of((*letter.recipients, letter.subject, *letter.references)):
        if office.keys.fits(token, MODERATOR, office.people.moderator.generation):
            return Key(token.game, token.decision)
    return Key()


def table_of(letter: Letter, office: Office) -> tuple[str, str]:
    """The game a letter is about, or "" and why; then the moderator has been told."""
    names = office.store.names()
    key = key_of(letter, office)
    tagged = [name.lower() for name in _TAG.findall(letter.subject)]
    game = key.game or next((name for name in tagged if name in names), names[0] if len(names) == 1 else "")
    if game and office.store.has(game):
        return game, "" if key.game else "without a key"
    says = T(
        "Your letter names no game. Write its name in brackets into the subject; there are: {names}", names=names[:50]
    )
    notices.notice(office, "", MODERATOR, says, letter.digest)
    return "", "the moderator names no game"


def answer(case: Case, letter: Letter, office: Office) -> tuple[Stored, Change]:
    """The change that a letter makes: at most one deed, and its answer. Raises only for defects and StoreError."""
    key, said = key_of(letter, office), ()
    number = key.number if key.game == case.stored.table.game else -1
    answering = notices.usable(letter.message_id)
    line = ""
    try:
        given: list[gm.Given] = []
        for line in _lines(letter):
            given.append(gm.read(line))  # noqa: PERF401 - the line that is refused must be known
        line = next((one.line for one in given if one.command.acts), given[0].line)
        drawn, blocks, position = _judge(case, given, number, office)
    except Faulty as fault:
        notes = (*fault.notes, T("Nothing was done."))
        return case.stored, _refused(case, (*said, *fault.said), notes, answering)
    except OrderRefused as refusal:
        bad = Said(line, reason=refusal.reason, possible=refusal.possible)
        return case.stored, _refused(case, (bad,), (T("Nothing was done."),), answering)
    if drawn is None:
        draft = Draft(MODERATOR, MailKind.ANSWER, answers=blocks, position=position, answering=answering)
        return case.stored, Change("letter", "the moderator asks", case.state, aside=draft)
    understood = Said(line, line.strip(), drawn.told)
    draft = Draft(MODERATOR, MailKind.RECEIPT, (understood,), answers=blocks, position=True, answering=answering)
    return drawn.stored, replace(drawn.change, aside=draft)


def _lines(letter: Letter) -> Sequence[str]:
    """The lines for the desk; greetings before and closings after them are passed over."""
    found: list[str] = []
    for line in letter.lines:
        if not line.strip():
            continue
        if gm.is_line(line):
            found.append(line)
        elif found and (kinds.is_closing(line, (letter.sender_name,)) or line.strip().casefold() in ("end", "fin")):
            break
        elif found or not kinds.is_greeting(line):
            raise NotUnderstood(
                T("«{line}» is no line for the moderator's desk; each begins with «gm».", line=line.strip()[:80])
            )
    return found


def _judge(
    case: Case, given: Sequence[gm.Given], number: int, office: Office
) -> tuple[Drawn | None, tuple[CardText, ...], bool]:
    acting = [one for one in given if one.command.acts]
    blocks = tuple(block for one in given if not one.command.acts for block in asked(case, one, office))
    position = any(one.command.word == "status" for one in given)
    if not acting:
        return None, blocks, position
    if len({one.command.word for one in acting}) > 1 or (len(acting) > 1 and acting[0].command.word != "as"):
        raise NotAllowed(T("A letter changes one thing; send the others on their own."))
    if acting[0].command.word == "rollback" and not acting[0].why:
        return None, (*blocks, *asked(case, acting[0], office)), position
    if number < 0:
        raise NotAllowed(
            T("Your letter carries no key of the moderator's for this game. Answer this mail, with the same line.")
        )
    if acting[0].command.newest and number != case.stored.table.decisions:
        raise TooLate(T("The game has gone on since the mail that you answer. If you still want it, answer this one."))
    return deed_of(acting, office)(case), blocks, position


def _refused(case: Case, said: tuple[Said, ...], notes: tuple[Msg, ...], answering: str) -> Change:
    draft = Draft(MODERATOR, MailKind.REFUSAL, said, notes, position=False, answering=answering)
    return Change("letter", "the moderator: a letter is refused", case.state, aside=draft)
