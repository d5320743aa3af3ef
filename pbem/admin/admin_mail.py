"""A moderator's mail, with lines that begin with `gm`: what it asks and changes, as one result.

The moderator is known by the registered address in From. An action, or a question that costs work, also needs the
newest moderator's key of that game, which an action uses up. A mail without the key is answered to the registered
address, and the answer carries the key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood, OrderRefused, TooLate
from engine.reference import CardText
from pbem.admin.actions.seat_orders import RejectedOrders
from pbem.admin.admin_action import AdminAction, AdminQuestion, ArgumentKind, find_row
from pbem.admin.admin_questions import rollback_preview, status
from pbem.admin.admin_words import PREFIX, AdminLine, is_admin_line, parse_admin_line
from pbem.desk.core.context import Context
from pbem.desk.core.identity import TAG, identify, unique_mark, usable_message_id
from pbem.desk.core.outcome import Handled, Outcome, Silence
from pbem.desk.core.result import LETTER, Result
from pbem.desk.core.services import Services
from pbem.desk.desk import Desk
from pbem.desk.limits.auto_replies import AutoReply, find_auto_reply
from pbem.desk.limits.rate_limits import UNPROVEN, limit_admin_mail
from pbem.desk.orders.reply_builder import fitting
from pbem.desk.transaction import notice_mail
from pbem.host.keys import mail_of, tokens_of
from pbem.host.people import MODERATOR
from pbem.inbound.incoming_letter import Kind, Letter
from pbem.inbound.triage import READ_KINDS
from pbem.outbound.mail import LineAnswer, MailKind, Message
from pbem.reading import courtesy
from pbem.store.commit_record import AnsweredLetter


@dataclass(frozen=True, slots=True)
class AdminKey:
    """The moderator's key in a mail: its game and number; -1 without a key.

    `direct`: it stands in the mail itself, not in a mail that it refers to.
    """

    game: str = ""
    number: int = -1
    direct: bool = False


def is_admin_letter(letter: Letter, services: Services) -> bool:
    """Whether a letter is the moderator's: it has a `gm` line, or answers a moderator's mail and no seat's."""
    if letter.sender not in services.people.moderator.addresses:
        return False
    if letter.kind in READ_KINDS and any(is_admin_line(line) for line in letter.lines):
        return True
    key = admin_key(letter, services)
    if not key.game or find_auto_reply(letter.subject, letter.lines) is not AutoReply.NO:
        return False
    seat = identify(letter, services.people, services.keys, services.spool.mailed)
    return key.direct or not seat.proven


def handle_admin_letter(desk: Desk, letter: Letter, mark: AnsweredLetter, attempt: int) -> Handled:
    """Handle a moderator's mail. Raises what the store raises."""
    services = desk.services
    key = admin_key(letter, services)
    game = game_of_letter(letter, key, services)
    proven = bool(game) and key.game == game
    if not game:
        return answer_without_key(desk, letter)
    nth = 0 if proven else _nth_this_hour(services, letter)
    if nth > UNPROVEN:
        return desk.silent(letter, Silence.NO_KEY, "no key of the moderator's; answered often enough this hour")
    mark = unique_mark(mark, letter, services.keys) if proven else mark
    with services.store.open(game).lock("a letter", check=False) as repo:
        if before := desk.taken_before(repo, letter, mark, attempt):
            return before
        context = desk.context(repo)
        result = limited_answer(context, letter, key, services, nth)
        record = desk.commit(context, replace(result, letter=mark)).record
    kind = result.aside.kind if result.aside else MailKind.ANSWER
    outcomes = {MailKind.RECEIPT: Outcome.PLAYED, MailKind.REFUSAL: Outcome.REFUSED}
    why = "" if proven else "without a key"
    return Handled(outcomes.get(kind, Outcome.ANSWERED), game, "gm", record.number, why)


def admin_key(letter: Letter, services: Services) -> AdminKey:
    """The moderator's key in a mail."""
    generation = services.people.moderator.generation
    for token in tokens_of((*letter.recipients, letter.subject)):
        if services.keys.fits(token, MODERATOR, generation):
            return AdminKey(token.game, token.decision, direct=True)
    for name in filter(None, map(mail_of, letter.references)):
        mail = services.spool.mailed(name)
        if mail is not None and mail.seat == MODERATOR and mail.handed == generation - 1:
            return AdminKey(mail.game, mail.decision)
    return AdminKey()


def game_of_letter(letter: Letter, key: AdminKey, services: Services) -> str:
    """The game that a mail is about: of its key, its subject's tag, or the only one; else empty."""
    names = services.store.names()
    tagged = [name.lower() for name in TAG.findall(letter.subject)]
    game = key.game or next((name for name in tagged if name in names), names[0] if len(names) == 1 else "")
    return game if game and services.store.has(game) else ""


def answer_without_key(desk: Desk, letter: Letter) -> Handled:
    """Answer a moderator's mail that has no key and names no game with what to write."""
    services = desk.services
    nth, why = _nth_this_hour(services, letter), "the moderator, without a key"
    if nth > UNPROVEN:
        return desk.silent(letter, Silence.NO_KEY, f"{why}; answered often enough this hour")
    says = T(
        "Your letter carries no key of the moderator's and names no game, so nothing of it was done. Answer a mail of "
        "the moderator's desk, or write «gm status» with the name of a game in brackets in the subject; there are: "
        "{names}",
        names=services.store.names()[:50],
    )
    if nth == UNPROVEN:
        says = T("{told} {last}", told=says, last=_the_last(services))
    notice_mail.notify_admin(services, "", MODERATOR, letter.digest, says)
    services.spool.done(letter.digest, why)
    return Handled(Outcome.REFUSED, why=why)


def _nth_this_hour(services: Services, letter: Letter) -> int:
    """Count a mail without a key, since its From may be forged."""
    now, purse = services.clock(), f"unproven {MODERATOR}"
    services.spool.spend(purse, letter.digest, now)
    return services.spool.spent(purse, now.replace(minute=0, second=0, microsecond=0), now)


def _the_last(services: Services) -> Msg:
    until = services.clock().replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    return T(
        "This was answer {n} within the hour to a letter without a key; from {until} (UTC) on they are answered again.",
        n=UNPROVEN, until=f"{until:%H:%M}",
    )  # fmt: skip


def limited_answer(context: Context, letter: Letter, key: AdminKey, services: Services, nth: int) -> Result:
    """What becomes of a mail, within the limits; `nth` counts mails without a key this hour, 0 for one with a key."""
    result = answer_admin_letter(context, letter, key, services)
    if not nth:
        return limit_admin_mail(services, result, letter.digest)
    if nth == UNPROVEN and result.aside is not None:
        return replace(result, aside=replace(result.aside, notes=(*result.aside.notes, _the_last(services))))
    return result


def answer_admin_letter(context: Context, letter: Letter, key: AdminKey, services: Services) -> Result:
    """What becomes of a mail: at most one action, and the answer. Raises only for defects and StoreError."""
    answering = usable_message_id(letter.message_id)
    if letter.kind is Kind.FORWARD:
        says = T("This is a forwarded mail, so nothing of it was done. Please answer the mail itself.")
        return _refused(context, (), answering, says)
    line = ""
    try:
        given: list[AdminLine] = []
        for line in _lines(letter) or (PREFIX,):
            given.append(parse_admin_line(line))  # noqa: PERF401 - the line that is refused must be known
        line = next((one.line for one in given if isinstance(one.word, AdminAction)), given[0].line)
        result, blocks = _decided(context, given, key, services)
    except RejectedOrders as fault:
        return _refused(context, fault.said, answering, *fault.notes)
    except OrderRefused as refusal:
        bad = LineAnswer(line, reason=refusal.reason, possible=refusal.possible)
        return _refused(context, (bad,), answering)
    message = Message(seat=MODERATOR, kind=MailKind.ANSWER, answers=blocks, answering=answering)
    if result is None:
        message = replace(message, position=any(one.word is status for one in given))
        return _aside(context, "the moderator asks", message)
    understood = LineAnswer(line, line.strip(), result.told)
    message = replace(message, kind=MailKind.RECEIPT, said=(understood,), position=True)
    return replace(result, aside=message, uses_key=True)


def _lines(letter: Letter) -> Sequence[str]:
    """The lines of a mail, without greetings before and closings after them.

    Where no line begins with `gm`, all are read as if they did.
    """
    found: list[str] = []
    bare = not any(is_admin_line(line) for line in letter.lines)
    for line in letter.lines:
        if not line.strip():
            continue
        if is_admin_line(line):
            found.append(line)
        elif found and (courtesy.is_closing(line, (letter.sender_name,)) or line.strip().casefold() in ("end", "fin")):
            break
        elif bare and not courtesy.is_greeting(line):
            found.append(f"{PREFIX} {line.strip()}")
        elif found or not courtesy.is_greeting(line):
            raise NotUnderstood(
                T("«{line}» is no line for the moderator's desk; each begins with «gm».", line=line.strip()[:80])
            )
    return found


def _decided(
    context: Context, given: Sequence[AdminLine], key: AdminKey, services: Services
) -> tuple[Result | None, tuple[CardText, ...]]:
    """The result of the action among the lines, if there is one, and the answers to the questions among them."""
    acting = [(one, one.word) for one in given if isinstance(one.word, AdminAction)]
    asking = [(one, one.word) for one in given if isinstance(one.word, AdminQuestion)]
    if key.game != context.stored.table.game and (acting or any(word.costs for _, word in asking)):
        raise NotAllowed(
            T("Your letter carries no key of the moderator's for this game. Answer this mail, with the same line.")
        )
    once = {one.line.casefold(): (one, word) for one, word in asking}.values()
    blocks = fitting(tuple(block for one, word in once for block in word.answer(context, services, one.values())))
    if not acting:
        return None, blocks
    first, action = acting[0]
    several = any(one.takes is ArgumentKind.ORDER for one in action.takes)
    if any(word is not action for _, word in acting) or (len(acting) > 1 and not several):
        raise NotAllowed(T("A letter changes one thing; send the others on their own."))
    if action.shows is not None and not first.why:
        return None, (*blocks, rollback_preview(context, action, first.values()))
    newest = context.stored.secrets.gm
    if key.number != newest.number:
        raise TooLate(
            T("The key in your letter was used, or is not the newest. If you still want it, answer this mail with it.")
        )
    if action.moment and newest.decisions != context.stored.table.decisions:
        raise TooLate(T("The game has gone on since the mail that you answer. If you still want it, answer this one."))
    if (who := first.values().get("person")) and who.name and not who.addresses:
        raise NotAllowed(T("Write the address too, as in {usage}.", usage=action.usage))
    values = _together(context, [one for one, _ in acting]) if several else first.values()
    why = next((one.why for one, _ in acting if one.why), "")
    return action.of(services, values, why)(context), blocks


def _together(context: Context, given: Sequence[AdminLine]) -> dict[str, Any]:
    """The orders of several lines as one action. Raises NotUnderstood when they are for several seats."""
    rows = [one.values() for one in given]
    if len({find_row(context, row["seat"]).seat for row in rows}) > 1:
        raise NotUnderstood(T("The orders of one letter are for one seat."))
    return {"seat": rows[0]["seat"], "orders": [order for row in rows for order in row["orders"]]}


def _refused(context: Context, said: tuple[LineAnswer, ...], answering: str, *notes: Msg) -> Result:
    notes = (*notes, T("Nothing was done."))
    message = Message(seat=MODERATOR, kind=MailKind.REFUSAL, said=said, notes=notes, answering=answering)
    return _aside(context, "the moderator: a letter is refused", message)


def _aside(context: Context, says: str, message: Message) -> Result:
    """A result that changes nothing and answers the moderator."""
    return Result(what=LETTER, says=says, stored=context.stored, state=context.state, aside=message)
