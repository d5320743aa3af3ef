"""A letter of the moderator's, with lines that begin with `gm`: read, judged, drawn up as one change.

Who he is: his registered address in From, and for whatever changes something or costs work the newest key of the
moderator of that game, which a deed uses up. A letter without it is answered to the registered address, and the
answer carries the key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood, OrderRefused, TooLate
from engine.game import CardText
from pbem.desk import lines as kinds
from pbem.desk import notices
from pbem.desk.answering import Case
from pbem.desk.budgets import UNPROVEN, last_today, moderated, nth_today
from pbem.desk.changes import Changes
from pbem.desk.commands import gm
from pbem.desk.desk import Desk
from pbem.desk.draft import Draft
from pbem.desk.identity import TAG
from pbem.desk.outcome import Handled, Outcome
from pbem.desk.services import Services
from pbem.desk.taking import named
from pbem.host.keys import mail_of, tokens_of
from pbem.host.people import MODERATOR
from pbem.inbound.letter import Kind, Letter
from pbem.moderation.asked import asked
from pbem.moderation.deeds import Drawn
from pbem.moderation.orders import Faulty
from pbem.moderation.spoken import deed_of
from pbem.outbound.mail import MailKind, Said
from pbem.store.record import LetterMark
from pbem.store.stored import Stored


@dataclass(frozen=True, slots=True)
class Key:
    """The moderator's key in a letter: for which game, and its number. -1: there is none."""

    game: str = ""
    number: int = -1


def is_for(letter: Letter, services: Services) -> bool:
    """Whether a letter is for the moderator's desk."""
    known = letter.kind is Kind.ORDERS and letter.sender in services.people.moderator.addresses
    return known and any(gm.is_line(line) for line in letter.lines)


def handle(desk: Desk, letter: Letter, mark: LetterMark, attempt: int) -> Handled:
    """Handle a letter of the moderator's, with a line for a game. Raises what the store raises."""
    services = desk.services
    key = key_of(letter, services)
    game = table_of(letter, key, services)
    proven = bool(game) and key.game == game
    nth = 0 if proven else nth_today(services, f"unproven {MODERATOR}", letter.digest)
    if nth > UNPROVEN:
        return desk.silent(letter, "no key of the moderator's; answered often enough today")
    if not game:
        return desk.silent(letter, names_no_game(letter, services))
    mark = named(mark, letter, services.keys) if proven else mark
    with services.store.open(game).lock("a letter", check=False) as repo:
        if before := desk.taken_before(repo, letter, mark, attempt):
            return before
        case = desk.case(repo)
        stored, change = measured(case, letter, key, services, nth)
        record = desk.commit(case, stored, replace(change, letter=mark)).record
    kind = change.aside.kind if change.aside else MailKind.ANSWER
    outcomes = {MailKind.RECEIPT: Outcome.PLAYED, MailKind.REFUSAL: Outcome.REFUSED}
    why = "" if proven else "without a key"
    return Handled(outcomes.get(kind, Outcome.ANSWERED), game, "gm", record.number, why)


def key_of(letter: Letter, services: Services) -> Key:
    """The moderator's key that a letter carries."""
    generation = services.people.moderator.generation
    for token in tokens_of((*letter.recipients, letter.subject)):
        if services.keys.fits(token, MODERATOR, generation):
            return Key(token.game, token.decision)
    for name in filter(None, map(mail_of, letter.references)):
        mail = services.spool.mailed(name)
        if mail is not None and mail.seat == MODERATOR and mail.handed == generation - 1:
            return Key(mail.game, mail.decision)
    return Key()


def table_of(letter: Letter, key: Key, services: Services) -> str:
    """The game a letter is about; empty when it does not tell."""
    names = services.store.names()
    tagged = [name.lower() for name in TAG.findall(letter.subject)]
    game = key.game or next((name for name in tagged if name in names), names[0] if len(names) == 1 else "")
    return game if game and services.store.has(game) else ""


def names_no_game(letter: Letter, services: Services) -> str:
    """Tell the moderator that a letter of his names no game; what to log."""
    says = T(
        "Your letter names no game. Write its name in brackets into the subject; there are: {names}",
        names=services.store.names()[:50],
    )
    notices.notice(services, "", MODERATOR, says, letter.digest)
    return "the moderator names no game"


def measured(case: Case, letter: Letter, key: Key, services: Services, nth: int) -> tuple[Stored, Changes]:
    """The change that a letter makes, within the measures of the desk; `nth` counts letters without a key today."""
    stored, change = answer(case, letter, key, services)
    if not nth:
        change = moderated(services, change, letter.digest)
    elif nth == UNPROVEN and change.aside is not None:
        change = replace(change, aside=last_today(change.aside))
    return stored, change


def answer(case: Case, letter: Letter, key: Key, services: Services) -> tuple[Stored, Changes]:
    """The change that a letter makes: at most one deed, and its answer. Raises only for defects and StoreError."""
    answering = notices.usable(letter.message_id)
    line = ""
    try:
        given: list[gm.GmLine] = []
        for line in _lines(letter):
            given.append(gm.read(line))  # noqa: PERF401 - the line that is refused must be known
        line = next((one.line for one in given if one.command.acts), given[0].line)
        drawn, blocks, position = _judge(case, given, key, services)
    except Faulty as fault:
        notes = (*fault.notes, T("Nothing was done."))
        return case.stored, _refused(case, fault.said, notes, answering)
    except OrderRefused as refusal:
        bad = Said(line, reason=refusal.reason, possible=refusal.possible)
        return case.stored, _refused(case, (bad,), (T("Nothing was done."),), answering)
    if drawn is None:
        draft = Draft(MODERATOR, MailKind.ANSWER, answers=blocks, position=position, answering=answering)
        return case.stored, Changes("letter", "the moderator asks", case.state, aside=draft)
    understood = Said(line, line.strip(), drawn.told)
    draft = Draft(MODERATOR, MailKind.RECEIPT, (understood,), answers=blocks, position=True, answering=answering)
    return drawn.stored, replace(drawn.change, aside=draft, deed=True)


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
    case: Case, given: Sequence[gm.GmLine], key: Key, services: Services
) -> tuple[Drawn | None, tuple[CardText, ...], bool]:
    acting = [one for one in given if one.command.acts]
    previews = bool(acting) and acting[0].command.word == "rollback" and not acting[0].why
    if key.game != case.stored.table.game and (acting or any(one.command.costs for one in given)):
        raise NotAllowed(
            T("Your letter carries no key of the moderator's for this game. Answer this mail, with the same line.")
        )
    blocks = tuple(block for one in given if not one.command.acts for block in asked(case, one, services))
    position = any(one.command.word == "status" for one in given)
    if not acting:
        return None, blocks, position
    if len({one.command.word for one in acting}) > 1 or (len(acting) > 1 and acting[0].command.word != "as"):
        raise NotAllowed(T("A letter changes one thing; send the others on their own."))
    if previews:
        return None, (*blocks, *asked(case, acting[0], services)), position
    newest = case.stored.secrets.gm
    if key.number != newest.number:
        raise TooLate(
            T("The key in your letter was used, or is not the newest. If you still want it, answer this mail with it.")
        )
    if acting[0].command.moment and newest.decisions != case.stored.table.decisions:
        raise TooLate(T("The game has gone on since the mail that you answer. If you still want it, answer this one."))
    return deed_of(acting, services)(case), blocks, position


def _refused(case: Case, said: tuple[Said, ...], notes: tuple[Msg, ...], answering: str) -> Changes:
    draft = Draft(MODERATOR, MailKind.REFUSAL, said, notes, position=False, answering=answering)
    return Changes("letter", "the moderator: a letter is refused", case.state, aside=draft)
