"""Letters to the host itself, about no game: `new`, `join TABLE`, `tables`, `follow TABLE`, `language fr`, `my data`,
`forget me`; and what strangers are told.

A request that changes something needs a proven writer. A key in the letter proves its writer, and the request is done
at once. Without a key the request is kept (`pbem.host.pending_requests`) and its address is asked. The answer carries
that question's key, which proves the writer. It confirms or declines the request, or asks for something else instead.

From can be forged, so each mailbox gets few questions a day, and all strangers together get few. A question that waits
for its answer is not asked again on the same day. The budgets are separate: nobody is muted by forged letters.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood, OrderRefused
from engine.game import Seat
from pbem.admin import personal_data
from pbem.admin.request_parser import (
    LANGUAGE_LINE,
    TRIMMED,
    HostRequest,
    language_not_kept,
    parse_request,
    request_in_letter,
    seems_interested,
    welcome_text,
)
from pbem.admin.tables import opening_parser, player_tables, spectator_mail
from pbem.desk.commands.preferences import LANGUAGE_SET, chosen_language, language_of
from pbem.desk.core.identity import Who, unique_mark, usable_message_id, vouched
from pbem.desk.core.outcome import Handled, Outcome, Silence
from pbem.desk.core.services import Services
from pbem.desk.desk import Desk
from pbem.desk.limits.auto_replies import AutoReply, find_auto_reply
from pbem.desk.limits.rate_limits import QUESTIONS, UNPROVEN, midnight, nth_today, nth_unproven, the_last_today
from pbem.desk.pregame.invitation_answer import InvitationAnswer, Means, parse_invitation_answer
from pbem.desk.transaction.notice_mail import notify_person
from pbem.host.keys import tokens_of
from pbem.host.pending_requests import REQUESTS_KEPT, PendingRequest, Requester
from pbem.host.people import Holder
from pbem.inbound.incoming_letter import Kind, Letter
from pbem.inbound.triage import READ_KINDS
from pbem.outbound.mail import MailKind
from pbem.outbound.translation import languages
from pbem.reading.courtesy import is_greeting
from pbem.reading.language_detection import detect_language
from pbem.store.commit_record import AnsweredLetter

LANGUAGE_LINES = 12
"""Lines of a letter that tell its language."""

REQUESTS_A_DAY = 100
"""Answers a day to strangers who ask for something, all together."""
WELCOMES_A_DAY = 10
"""Answers a day to strangers who ask for nothing that can be done, all together."""
PER_DOMAIN_A_DAY = 10
"""Answers a day to strangers of one domain, of either kind."""

_ALWAYS = ("data", "forget", "language", "unfollow")
"""Requests that no policy of a host forbids."""
_YES = T("If that was you, answer this mail with «yes».")
_WAS_IT_YOU = T("was it you?")


def handle_host_letter(desk: Desk, letter: Letter, who: Who, mark: AnsweredLetter) -> Handled | None:
    """Handle a letter to the host itself; None for one that is about a game, or whose writer gets silence.

    Raises what the store raises.
    """
    if letter.kind not in READ_KINDS or not letter.sender:
        return None
    here, is_human = _HostLetter(desk, letter, who, mark), find_auto_reply(letter.subject, letter.lines) is AutoReply.NO
    if (wish := desk.services.wishes.answered(here.tokens, letter.sender)) is not None:
        # A robot's words agree to nothing.
        return here.answered(wish) if is_human else desk.silent(letter, Silence.NOTE)
    return None if letter.kind is Kind.BULK and not who.proven else here.requested(is_human)


@dataclass(frozen=True, slots=True)
class _HostLetter:
    """One letter to the host, and what becomes of it."""

    desk: Desk
    letter: Letter
    who: Who
    mark: AnsweredLetter

    @property
    def services(self) -> Services:
        return self.desk.services

    @property
    def tokens(self) -> tuple[Any, ...]:
        """The keys in its addresses and subject."""
        return tuple(tokens_of((*self.letter.recipients, self.letter.subject)))

    @property
    def lines(self) -> list[str]:
        """Its lines that say something."""
        return [line for line in self.letter.lines if line.strip() and not is_greeting(line)]

    # A new request.

    def requested(self, is_human: bool) -> Handled | None:
        """Do what the letter asks for, or ask its writer first; None where it asks the host for nothing."""
        services, letter, who = self.services, self.letter, self.who
        registered = self._is_registered()
        if not registered and (who.stolen or "anyone" not in (services.tables.open, services.tables.follow)):
            return None
        is_open = registered or services.tables.open == "anyone"
        try:
            asked = request_in_letter(services, letter, who.game if who.proven else "")
        except OrderRefused as odd:
            may = is_open and self._may(registered, "several")
            return self.tell((odd.reason,), "more than one thing") if may else None
        if not is_open and (asked is None or asked.word != "follow"):
            return None
        asked = asked or self._late_join()
        if asked is None and (registered or not is_human or not seems_interested(letter)):
            return None
        if asked is not None and not who.proven and self._waits(asked):
            return self.desk.silent(letter, Silence.WAITS, who=who)
        if not self._may(registered, asked.word if asked else ""):
            # The desk of the game goes on with a letter that has a key.
            return None if who.proven else self.desk.silent(letter, Silence.NO_KEY, "answered often enough today", who)
        if asked is None:
            return self.tell(welcome_text(services), "a stranger is told how")
        return self._do_or_ask(asked)

    def _is_registered(self) -> bool:
        """Whether the host knows the writer. Whoever has lost their seat is known where they ask to be forgotten."""
        services, sender = self.services, self.letter.sender
        if self.who.proven or sender in services.people.moderator.addresses:
            return True
        if services.people.seats_of(sender) or services.followers.followed(sender):
            return True
        with suppress(OrderRefused):
            asked = None if self.who.stolen else request_in_letter(services, self.letter, "")
            return asked is not None and asked.word == "forget" and bool(personal_data.lost_seats(services, sender))
        return False

    def _late_join(self) -> HostRequest | None:
        """The request for a place, in a late answer to an invitation whose seat somebody else has by now."""
        lines, services = self.lines, self.services
        if self.who.proven or not lines:
            return None
        if parse_invitation_answer(lines[0], (self.letter.sender_name,)).means is not Means.JOINS:
            return None
        game = next((token.game for token in self.tokens if services.store.has(token.game)), "")
        sits = any(place == game for place, _ in services.people.seats_of(self.letter.sender))
        return HostRequest("join", f"join {game}", game) if game and not sits else None

    def _waits(self, asked: HostRequest) -> bool:
        """Whether this mailbox was asked the same question today, for another letter, and has not answered."""
        since, name = midnight(self.services.clock()), unique_mark(self.mark, self.letter, self.services.keys).name
        return self.services.wishes.waits(self.letter.sender, asked.line, name, since)

    def _may(self, registered: bool, word: str) -> bool:
        """Count the letter against its budget; whether it is answered. `word`: its request, empty for none."""
        services, letter = self.services, self.letter
        if self.who.proven:
            return nth_today(services, f"host {services.keys.mailbox(letter.sender)}", letter.digest) <= QUESTIONS
        if nth_unproven(services, letter, word) > UNPROVEN:
            return False
        # A vouched mail goes to its writer and to nobody else.
        if registered or vouched(services, letter):
            return True
        share, most = ("asking", REQUESTS_A_DAY) if word else ("wondering", WELCOMES_A_DAY)
        domain = letter.sender.rpartition("@")[2]
        return (
            nth_today(services, f"{share} {domain}", letter.digest) <= min(most, PER_DOMAIN_A_DAY)
            and nth_today(services, share, letter.digest) <= most
        )

    def _do_or_ask(self, asked: HostRequest) -> Handled:
        """Do what a proven writer asks for; ask any other whether it was they."""
        services, letter, proven = self.services, self.letter, self.who.proven
        names = [services.people.holder(*seat).name for seat in services.people.seats_of(letter.sender)]
        # Where several share the address, the one who signs.
        name = letter.sender_name if letter.sender_name in names or not names else names[0]
        language = "" if services.spoken(letter.sender) else self.language
        asker = Requester(letter.sender, name, unique_mark(self.mark, letter, services.keys).name, language)
        try:
            _check_policy(services, asker, asked)
            if asked.word == "language" and not _is_written_to(services, asker):
                chosen_language(asked.line.partition(" ")[2])
                return self.tell(language_not_kept(services), "a stranger's language")
            # Forgetting cannot be taken back, so it is always confirmed.
            if asked.word in ("tables", "unfollow") or (proven and asked.word != "forget"):
                return self._do(asker, asked)
            question = _question(services, asker, asked)
        except OrderRefused as odd:
            return self._refuse(odd, last=not proven and nth_unproven(services, letter, asked.word) == UNPROVEN)
        token = services.wishes.ask(letter.digest, asker, asked.line, services.clock())
        return self.tell(question, "asked whether it was they", _WAS_IT_YOU, token=str(token))

    # The answer to a question.

    def answered(self, wish: PendingRequest) -> Handled:
        """Do or drop the request that this letter confirms or declines."""
        services, lines, asker = self.services, self.lines, wish.asker
        asked = parse_request(services, wish.line)
        first = lines[0] if lines else ""
        said = parse_invitation_answer(first, (asker.name,)) if lines else InvitationAnswer(Means.NOTHING)
        if said.means is Means.DECLINES or asked is None:
            services.wishes.drop(wish.number)
            return self.tell((T("It is forgotten; nothing was done."),), "a wish is dropped", spoken=asker.language)
        other = LANGUAGE_LINE.fullmatch(first.strip(TRIMMED))
        if other and (language := language_of(other[1])):
            return self._ask_in(wish, asked, language)
        if said.means is Means.JOINS:
            done = self._try(asker, asked, said.word)
            services.wishes.drop(wish.number)
            return done
        with suppress(OrderRefused):
            instead = request_in_letter(services, self.letter, "")
            if instead is not None and instead.word in ("new", "join", "follow", "tables"):
                return self._do_instead(wish, instead)
        if self._too_many(wish, UNPROVEN):
            return self.desk.silent(self.letter, Silence.QUESTION)
        says = T("This answers neither yes nor no. Write «yes» above everything else, or «no». Nothing was done yet.")
        return self._tell_again(wish, (says,), "no answer to the question", asker.language)

    def _ask_in(self, wish: PendingRequest, asked: HostRequest, language: str) -> Handled:
        """Ask the same in another language, which the seat that may come of it has, too."""
        if self._too_many(wish, UNPROVEN):
            return self.desk.silent(self.letter, Silence.QUESTION)
        self.services.wishes.speak(wish, language)
        try:
            question = _question(self.services, wish.asker, asked)
        except OrderRefused as odd:
            return self._refuse(odd, language)
        return self._tell_again(wish, question, "asked in another language", language)

    def _do_instead(self, wish: PendingRequest, asked: HostRequest) -> Handled:
        """Do something else than was asked first: the question's key proves the writer."""
        services, token = self.services, self._token_of(wish)
        asker = replace(wish.asker, mark=unique_mark(self.mark, self.letter, services.keys).name)
        if self._too_many(wish, QUESTIONS):
            return self.desk.silent(self.letter, Silence.QUESTION)
        done = self._try(asker, asked, token=token)
        if asked.word != "tables" and done.outcome is not Outcome.REFUSED:
            services.wishes.drop(wish.number)
        return done

    def _too_many(self, wish: PendingRequest, most: int) -> bool:
        return nth_today(self.services, f"wish {wish.number}", self.letter.digest) > most

    def _token_of(self, wish: PendingRequest) -> str:
        return str(next(one for one in self.tokens if one.decision == wish.number))

    # What is done, and what is told.

    def _try(self, asker: Requester, asked: HostRequest, word: str | None = None, token: str = "") -> Handled:
        """Do a confirmed request, or tell why it cannot be done."""
        try:
            _check_policy(self.services, asker, asked)
            return self._do(asker, asked, word, token)
        except OrderRefused as odd:
            return self._refuse(odd, asker.language, token)

    def _do(self, asker: Requester, asked: HostRequest, word: str | None = None, token: str = "") -> Handled:
        """Do a request of a proven writer; `word` is theirs for the dice. Raises OrderRefused, StoreError."""
        services, address, heading, outcome = self.services, asker.address, None, Outcome.ANSWERED
        match asked.word:
            case "tables":
                notes, why = player_tables.tables_text(services), "the open tables"
            case "new":
                notes = player_tables.open_requested(self.desk, asker, asked.line, word or "")
                why, heading, outcome = "a table is opened", T("your table"), Outcome.PLAYED
            case "follow":
                notes = spectator_mail.follow_table(services, address, asked.game, asker.language)
                why, heading = "somebody follows a table", T("a table that you follow")
            case "unfollow":
                notes = spectator_mail.unfollow_table(services, address, asked.game)
                why, heading = "somebody follows a table no more", T("a table that you followed")
            case "language":
                language = _language_asked(services, asker, asked)
                services.people.choose(address, asker.name, language=language)
                services.followers.speak(address, language)
                notes, why, heading = (LANGUAGE_SET,), "its writer has chosen a language", T("your language")
            case "data":
                notes = personal_data.data_report(services, address)
                why, heading = "what is kept of its writer", T("your data")
            case "forget":
                notes = personal_data.forget_person(self.desk, address)
                why, heading, outcome = "its writer is forgotten", T("you are forgotten"), Outcome.PLAYED
            case _:
                mark = unique_mark(self.mark, self.letter, services.keys)
                player_tables.join_table(self.desk, asker, asked.game, word, self.letter, mark)
                services.spool.done(self.letter.digest, "a place is taken", asked.game)
                return Handled(Outcome.PLAYED, asked.game, why="a place is taken")
        # Only «tables» leaves the question waiting; its key is of no use after the others.
        return self.tell(notes, why, heading, outcome, asker.language, token if asked.word == "tables" else "")

    def _refuse(self, odd: OrderRefused, spoken: str = "", token: str = "", *, last: bool = False) -> Handled:
        """Say why nothing was done; `last`: that no more is said today."""
        notes = [odd.reason]
        if odd.possible:
            notes.append(T("This would do: {lines}", lines=tuple(T("«{line}»", line=one) for one in odd.possible)))
        if last:
            notes.append(the_last_today())
        why = "not understood" if isinstance(odd, NotUnderstood) else "not allowed"
        return self.tell(tuple(notes), why, T("not done"), Outcome.REFUSED, spoken, token)

    def _tell_again(self, wish: PendingRequest, notes: tuple[Msg, ...], why: str, spoken: str) -> Handled:
        """Answer with the key of the question that still waits."""
        return self.tell(notes, why, _WAS_IT_YOU, spoken=spoken, token=self._token_of(wish))

    def tell(
        self, notes: tuple[Msg, ...], why: str, heading: Msg | None = None, outcome: Outcome = Outcome.ANSWERED,
        spoken: str = "", token: str = "",
    ) -> Handled:  # fmt: skip
        """Answer the letter to its address, in the language its writer has chosen, else `spoken`, else the letter's.

        `why` is for the log. A crash before the end leaves the letter in the spool, and it is answered again the same.
        """
        services, letter = self.services, self.letter
        language = services.spoken(letter.sender) or spoken or self.language
        holder = Holder(Seat(""), opening_parser.plain_name(letter.sender_name), (letter.sender,), language=language)
        kind = MailKind.REFUSAL if outcome is Outcome.REFUSED else MailKind.ANSWER
        answering, heading = usable_message_id(letter.message_id), heading or T("your letter")
        notify_person(services, "pbem", holder, kind, heading, notes, letter.digest, answering, token)
        services.spool.done(letter.digest, why)
        return Handled(outcome, why=why)

    @property
    def language(self) -> str:
        """The language that the letter asks for, or is written in; empty for this host's usual one."""
        lines = [line for line in self.letter.lines if line.strip()]
        name = next((found[1] for line in lines if (found := LANGUAGE_LINE.fullmatch(line.strip(TRIMMED)))), "")
        language = language_of(name) or detect_language(lines[:LANGUAGE_LINES], languages())
        return "" if language == self.services.people.usual else language


def _question(services: Services, asker: Requester, asked: HostRequest) -> tuple[Msg, ...]:
    """What an unproven writer is asked. Raises OrderRefused for a request that would be refused anyway."""
    otherwise = T("Otherwise leave it: nothing is done, and after {n} days it is forgotten.", n=REQUESTS_KEPT.days)
    match asked.word:
        case "new":
            opening = opening_parser.parse_opening(services, asker, asked.line)
            return (
                T("A letter from your address asks this host to open a table."),
                opening_parser.opening_text(services, opening), _YES,
                T("«join» and one word of your own says yes, too, and adds that word to the dice."), otherwise,
            )  # fmt: skip
        case "data":
            return T("A letter from your address asks this host what it keeps about you."), _YES, otherwise
        case "forget":
            personal_data.check_no_seat(services, asker.address)
            return (
                T("A letter from your address asks this host to forget you: what you wrote, your addresses, your "
                  "settings and achievements go for good, and no mail comes to you any more."),
                T("If you wish that, answer this mail with «yes»."), otherwise,
            )  # fmt: skip
        case "language":
            _language_asked(services, asker, asked)
            says = T("A letter from your address asks for your mails in another language: «{line}».", line=asked.line)
            return says, _YES, otherwise
        case "follow":
            spectator_mail.check_followable(services, asker.address, asked.game)
            says = T("A letter from your address asks for one mail a round about the table {game}.", game=asked.game)
            return says, _YES, otherwise
    table = player_tables.joinable_table(services, asked.game)
    return (
        T("A letter from your address asks for a place at the table {game}.", game=asked.game),
        player_tables.table_line(services, table, joining=False),
        T("The hash over its dice was fixed before anybody gave a word: {hash}", hash=table.commitment),
        T("If that was you, answer this mail with «join», or «join» and one word of your own for the dice."), otherwise,
    )  # fmt: skip


def _check_policy(services: Services, asker: Requester, asked: HostRequest) -> None:
    """Raises NotAllowed for a request that the host's policy does not allow this writer."""
    policy, follow = services.tables.open, services.tables.follow
    if asked.word in _ALWAYS:
        return
    if asked.word == "follow":
        sits = bool(services.people.seats_of(asker.address)) or asker.address in services.people.moderator.addresses
        if follow == "nobody" or (follow == "known" and not sits):
            raise NotAllowed(T("No table called {game} can be followed.", game=asked.game))
    elif policy == "nobody":
        raise NotAllowed(T("At this host the moderator opens the tables, and invites to them."))
    elif policy == "known" and not player_tables.is_known_player(services, asker.address):
        raise NotAllowed(T("Here tables are opened and joined by people who have joined one before."))


def _language_asked(services: Services, asker: Requester, asked: HostRequest) -> str:
    """The language that is asked for. Raises NotAllowed where there is none such, or nothing is mailed to the asker."""
    if not _is_written_to(services, asker):
        raise NotAllowed(T("This address has no seat at a table here, and follows none."))
    return chosen_language(asked.line.partition(" ")[2])


def _is_written_to(services: Services, asker: Requester) -> bool:
    """Whether the asker has a seat or follows a table, so that a language can be kept."""
    return bool(services.people.seats_of(asker.address) or services.followers.followed(asker.address))
