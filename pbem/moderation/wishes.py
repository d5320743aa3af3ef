"""Letters to the host itself, about no game: `new`, `join TABLE`, `tables`, `follow TABLE`, `language fr`, `my data`,
`forget me`; and what it tells a stranger.

What changes something needs a writer who is proven. A letter with a key of theirs proves them; any other is kept as a
wish, and a question goes to its From, whose answer proves it. So a forged From brings one person few questions a day
and all strangers together few more, and nobody else anything. A question that waits for its answer is not asked again
on the same day, and what one kind of wish uses up no other misses: whoever forges letters mutes nobody.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood, OrderRefused
from engine.game import Seat
from pbem.desk import consent
from pbem.desk.automatic import Note, note_in
from pbem.desk.budgets import QUESTIONS, UNPROVEN, midnight, nth_today, nth_unproven, the_last_today
from pbem.desk.commands.hours import SPOKEN, chosen_language, language_of
from pbem.desk.consent import Means
from pbem.desk.desk import Desk
from pbem.desk.identity import Who, named, usable
from pbem.desk.notices import note
from pbem.desk.outcome import Handled, Outcome, Silence
from pbem.desk.services import Services
from pbem.host.keys import tokens_of
from pbem.host.people import Holder
from pbem.host.wishes import KEPT, Asker, Wanted
from pbem.inbound.letter import Kind, Letter
from pbem.inbound.triage import READ
from pbem.moderation import following, own, strangers, tables, wanted
from pbem.moderation.asks import AROUND, LANGUAGE, Asked, asked_of, in_letter
from pbem.outbound.catalogue import languages
from pbem.outbound.mail import MailKind
from pbem.reading.courtesy import is_greeting
from pbem.reading.tongue import written_in
from pbem.store.record import LetterMark

LINES = 12
"""Lines of a letter that tell its language."""


def handle(desk: Desk, letter: Letter, who: Who, mark: LetterMark) -> Handled | None:
    """Handle a letter to the host itself; None for one that is about a game, or whose writer gets silence.

    Raises what the store raises.
    """
    services = desk.services
    if letter.kind not in READ or not letter.sender:
        return None
    tokens = tokens_of((*letter.recipients, letter.subject))
    wish = services.wishes.answered(tokens, letter.sender)
    # The words of a robot agree to nothing.
    if wish is not None:
        sure = note_in(letter.subject, letter.lines) is Note.NO
        return _answered(desk, letter, wish, mark) if sure else desk.silent(letter, Silence.NOTE)
    if letter.kind is Kind.BULK and not who.proven:
        return None
    people = services.people
    known = who.proven or letter.sender in people.moderator.addresses
    registered = known or bool(people.seats_of(letter.sender)) or bool(services.followers.followed(letter.sender))
    registered = registered or _was_known(services, letter, who)
    if not registered and (who.stolen or "anyone" not in (services.tables.open, services.tables.follow)):
        return None
    try:
        asked = in_letter(services, letter, who.game if who.proven else "")
    except OrderRefused as odd:
        may = (registered or services.tables.open == "anyone") and _may(services, letter, who, registered, "several")
        return _told(desk, letter, (odd.reason,), "more than one thing") if may else None
    if not registered and services.tables.open != "anyone" and (asked is None or asked.word != "follow"):
        # Who may follow a table may ask for nothing else.
        return None
    asked = asked or _late(services, letter, who)
    if asked is None and (registered or note_in(letter.subject, letter.lines) is not Note.NO):
        return None
    if asked is None and not strangers.wonders(letter):
        return None
    if asked is not None and not who.proven and _is_asked(services, letter, asked, mark):
        return desk.silent(letter, Silence.WAITS, who=who)
    if not _may(services, letter, who, registered, asked.word if asked else ""):
        # Who has a key is always answered: from here on by the desk of the game.
        return None if who.proven else desk.silent(letter, Silence.NO_KEY, "answered often enough today", who)
    if asked is None:
        return _told(desk, letter, strangers.welcome(services), "a stranger is told how")
    return _asked(desk, letter, who, asked, mark)


def _was_known(services: Services, letter: Letter, who: Who) -> bool:
    """Whether somebody who has lost their seat asks to be forgotten; they may ask for nothing else."""
    if who.stolen:
        return False
    try:
        asked = in_letter(services, letter, "")
    except OrderRefused:
        return False
    return asked is not None and asked.word == "forget" and bool(own.once_held(services, letter.sender))


def _late(services: Services, letter: Letter, who: Who) -> Asked | None:
    """A place that is asked for by an answer to an invitation whose seat somebody else has by now."""
    lines = [line for line in letter.lines if line.strip() and not is_greeting(line)]
    if who.proven or not lines or consent.heard(lines[0], (letter.sender_name,)).means is not Means.JOINS:
        return None
    games = (token.game for token in tokens_of((*letter.recipients, letter.subject)))
    game = next((game for game in games if services.store.has(game)), "")
    return Asked("join", f"join {game}", game) if game and not _sits(services, letter.sender, game) else None


def _sits(services: Services, address: str, game: str) -> bool:
    return any(place == game for place, _ in services.people.seats_of(address))


def _is_asked(services: Services, letter: Letter, asked: Asked, mark: LetterMark) -> bool:
    """Whether the same question went to the same mailbox today, for another letter, and waits for its answer."""
    own, since = named(mark, letter, services.keys).name, midnight(services.clock())
    return services.wishes.waits(letter.sender, asked.line, own, since)


def _may(services: Services, letter: Letter, who: Who, registered: bool, word: str) -> bool:
    """Count a letter; whether it is answered. Each measure is of its own, and none is a game's. `word` is what it asks
    for; empty for nothing that can be done."""
    if who.proven:
        return nth_today(services, f"host {services.keys.mailbox(letter.sender)}", letter.digest) <= QUESTIONS
    if nth_unproven(services, letter, word) > UNPROVEN:
        return False
    return registered or strangers.may_be_told(services, letter, asks=bool(word))


def _asked(desk: Desk, letter: Letter, who: Who, asked: Asked, mark: LetterMark) -> Handled:
    """What a letter asks for is done if its writer is proven; else they are asked whether it was they."""
    services = desk.services
    names = [services.people.holder(*seat).name for seat in services.people.seats_of(letter.sender)]
    # Of several who share the address, whoever signs.
    name = letter.sender_name if letter.sender_name in names or not names else names[0]
    language = "" if services.spoken(letter.sender) else _language(services, letter)
    asker = Asker(letter.sender, name, named(mark, letter, services.keys).name, language)
    try:
        _allowed(services, asker, asked)
        if asked.word == "tables":
            return _told(desk, letter, tables.listing(services), "the open tables")
        if asked.word == "language" and not _written_to(services, asker):
            chosen_language(asked.line.partition(" ")[2])
            return _told(desk, letter, strangers.spoken_to(services), "a stranger's language")
        # What cannot be taken back is asked again in any case.
        if asked.word == "unfollow" or (who.proven and asked.word != "forget"):
            return _done(desk, letter, asker, asked, None, mark)
        question = _question(services, asker, asked)
    except OrderRefused as odd:
        last = not who.proven and nth_unproven(services, letter, asked.word) == UNPROVEN
        return _refused(desk, letter, odd, last=last)
    token = services.wishes.ask(letter.digest, asker, asked.line, services.clock())
    return _told(desk, letter, (*question, _otherwise()), "asked whether it was they", T("was it you?"), str(token))


def _question(services: Services, asker: Asker, asked: Asked) -> tuple[Msg, ...]:
    """What somebody is asked who may have written a letter. Raises OrderRefused for what would be refused anyway."""
    if asked.word == "new":
        opening = wanted.opening_of(services, asker, asked.line)
        return (
            T("A letter from your address asks this host to open a table."),
            wanted.told(services, opening),
            T("If that was you, answer this mail with «yes»."),
            T("«join» and one word of your own says yes, too, and adds that word to the dice."),
        )
    if asked.word == "data":
        return (
            T("A letter from your address asks this host what it keeps about you."),
            T("If that was you, answer this mail with «yes»."),
        )
    if asked.word == "forget":
        own.leavable(services, asker.address)
        return (
            T("A letter from your address asks this host to forget you: what you wrote, your addresses, your settings "
              "and achievements go for good, and no mail comes to you any more."),
            T("If you wish that, answer this mail with «yes»."),
        )  # fmt: skip
    if asked.word == "language":
        _spoken(services, asker, asked)
        return (
            T("A letter from your address asks for your mails in another language: «{line}».", line=asked.line),
            T("If that was you, answer this mail with «yes»."),
        )
    if asked.word == "follow":
        following.check_followable(services, asker.address, asked.game)
        return (
            T("A letter from your address asks for one mail a round about the table {game}.", game=asked.game),
            T("If that was you, answer this mail with «yes»."),
        )
    table = tables.gathering(services, asked.game)
    return (
        T("A letter from your address asks for a place at the table {game}.", game=asked.game),
        tables.line_of(services, table, joining=False),
        T("The hash over its dice was fixed before anybody gave a word: {hash}", hash=table.commitment),
        T("If that was you, answer this mail with «join», or «join» and one word of your own for the dice."),
    )


def _answered(desk: Desk, letter: Letter, wish: Wanted, mark: LetterMark) -> Handled:
    """The answer to the question whether somebody has a wish: it is done, or dropped."""
    services = desk.services
    asked = asked_of(services, wish.line)
    lines = [line for line in letter.lines if line.strip() and not is_greeting(line)]
    said = consent.heard(lines[0], (wish.asker.name,)) if lines else consent.Consent(Means.NOTHING)
    if said.means is Means.DECLINES or asked is None:
        services.wishes.drop(wish.number)
        says = T("It is forgotten; nothing was done.")
        return _told(desk, letter, (says,), "a wish is dropped", spoken=wish.asker.language)
    if lines and (other := LANGUAGE.fullmatch(lines[0].strip(AROUND))) and (language := language_of(other[1])):
        # The mail that asks tells strangers in which other languages they may be asked.
        return _asked_again(desk, letter, wish, asked, language)
    if said.means is not Means.JOINS and (instead := _instead(services, letter)) is not None:
        # Its key proves whoever has answered: what they ask for now is done in the place of it.
        return _in_its_place(desk, letter, wish, instead, mark)
    if said.means is not Means.JOINS:
        if nth_today(services, f"wish {wish.number}", letter.digest) > UNPROVEN:
            return desk.silent(letter, Silence.QUESTION)
        says = T("This answers neither yes nor no. Write «yes» above everything else, or «no». Nothing was done yet.")
        heading, token = T("was it you?"), _key_of(letter, wish)
        return _told(desk, letter, (says,), "no answer to the question", heading, token, spoken=wish.asker.language)
    try:
        asker = wish.asker
        _allowed(services, asker, asked)
        found = _done(desk, letter, asker, asked, said.word, mark)
    except OrderRefused as odd:
        found = _refused(desk, letter, odd, wish.asker.language)
    services.wishes.drop(wish.number)
    return found


def _instead(services: Services, letter: Letter) -> Asked | None:
    """What an answer asks for instead, a table or a place at one: whoever has seen that the first was not right."""
    with suppress(OrderRefused):
        asked = in_letter(services, letter, "")
        return asked if asked is not None and asked.word in ("new", "join", "follow", "tables") else None
    return None


def _in_its_place(desk: Desk, letter: Letter, wish: Wanted, asked: Asked, mark: LetterMark) -> Handled:
    services, asker = desk.services, replace(wish.asker, mark=named(mark, letter, desk.services.keys).name)
    if nth_today(services, f"wish {wish.number}", letter.digest) > QUESTIONS:
        return desk.silent(letter, Silence.QUESTION)
    try:
        _allowed(services, asker, asked)
        if asked.word == "tables":
            return _told(desk, letter, tables.listing(services), "the open tables", token=_key_of(letter, wish))
        found = _done(desk, letter, asker, asked, None, mark)
    except OrderRefused as odd:
        return _refused(desk, letter, odd, asker.language, _key_of(letter, wish))
    services.wishes.drop(wish.number)
    return found


def _asked_again(desk: Desk, letter: Letter, wish: Wanted, asked: Asked, language: str) -> Handled:
    """The same question in the language that its answer asks for; the seat that may come of it has that language."""
    services = desk.services
    if nth_today(services, f"wish {wish.number}", letter.digest) > UNPROVEN:
        return desk.silent(letter, Silence.QUESTION)
    services.wishes.speak(wish, language)
    try:
        notes = (*_question(services, wish.asker, asked), _otherwise())
    except OrderRefused as odd:
        return _refused(desk, letter, odd, language)
    token = _key_of(letter, wish)
    return _told(desk, letter, notes, "asked in another language", T("was it you?"), token, spoken=language)


def _key_of(letter: Letter, wish: Wanted) -> str:
    return str(next(one for one in tokens_of((*letter.recipients, letter.subject)) if one.decision == wish.number))


def _otherwise() -> Msg:
    return T("Otherwise leave it: nothing is done, and after {n} days it is forgotten.", n=KEPT.days)


def _allowed(services: Services, asker: Asker, asked: Asked) -> None:
    """Raises NotAllowed where the host's policy lets somebody not do what they ask for."""
    policy = services.tables.open
    if asked.word in ("data", "forget", "language", "unfollow"):
        return
    if asked.word == "follow":
        sits = bool(services.people.seats_of(asker.address)) or asker.address in services.people.moderator.addresses
        if services.tables.follow == "nobody" or (services.tables.follow == "known" and not sits):
            raise NotAllowed(T("No table called {game} can be followed.", game=asked.game))
        return
    if policy == "nobody":
        raise NotAllowed(T("At this host the moderator opens the tables, and invites to them."))
    if policy == "known" and not tables.known(services, asker.address):
        raise NotAllowed(T("Here tables are opened and joined by people who have joined one before."))


def _done(desk: Desk, letter: Letter, asker: Asker, asked: Asked, word: str | None, mark: LetterMark) -> Handled:
    services, tell = desk.services, partial(_told, desk, letter, spoken=asker.language)
    if asked.word == "new":
        told = tables.opened(desk, asker, asked.line, word or "")
        return tell(told, "a table is opened", T("your table"), outcome=Outcome.PLAYED)
    if asked.word == "follow":
        told = following.followed(services, asker.address, asked.game, asker.language)
        return tell(told, "somebody follows a table", T("a table that you follow"))
    if asked.word == "unfollow":
        told = following.left(services, asker.address, asked.game)
        return tell(told, "somebody follows a table no more", T("a table that you followed"))
    if asked.word == "language":
        language = _spoken(services, asker, asked)
        services.people.choose(asker.address, asker.name, language=language)
        services.followers.speak(asker.address, language)
        return tell((SPOKEN,), "its writer has chosen a language", T("your language"))
    if asked.word == "data":
        return tell(own.kept(services, asker.address), "what is kept of its writer", T("your data"))
    if asked.word == "forget":
        told = own.forgotten(desk, asker.address)
        return tell(told, "its writer is forgotten", T("you are forgotten"), outcome=Outcome.PLAYED)
    tables.joined(desk, asker, asked.game, word, letter, named(mark, letter, services.keys))
    services.spool.done(letter.digest, "a place is taken", asked.game)
    return Handled(Outcome.PLAYED, asked.game, why="a place is taken")


def _spoken(services: Services, asker: Asker, asked: Asked) -> str:
    """The language that somebody asks for. Raises NotAllowed where there is none such, or nothing is mailed to them."""
    if not _written_to(services, asker):
        raise NotAllowed(T("This address has no seat at a table here, and follows none."))
    return chosen_language(asked.line.partition(" ")[2])


def _written_to(services: Services, asker: Asker) -> bool:
    """Whether somebody sits at a table here, or follows one, so that a language can be kept of them."""
    return bool(services.people.seats_of(asker.address) or services.followers.followed(asker.address))


def _refused(
    desk: Desk, letter: Letter, odd: OrderRefused, spoken: str = "", token: str = "", *, last: bool = False
) -> Handled:
    """Say why nothing was done; `last`: that no more is said today."""
    notes = [odd.reason]
    if odd.possible:
        notes.append(T("This would do: {lines}", lines=tuple(T("«{line}»", line=one) for one in odd.possible)))
    if last:
        notes.append(the_last_today())
    kind = "not understood" if isinstance(odd, NotUnderstood) else "not allowed"
    return _told(desk, letter, tuple(notes), kind, T("not done"), token, outcome=Outcome.REFUSED, spoken=spoken)


def _told(
    desk: Desk, letter: Letter, notes: tuple[Msg, ...], why: str, heading: Msg | None = None, token: str = "",
    outcome: Outcome = Outcome.ANSWERED, spoken: str = "",
) -> Handled:  # fmt: skip
    """Answer a letter to its address, in the language that its writer has chosen, the `spoken` one, or the letter's.

    A crash before leaves it in the spool, and its answer is the same again.
    """
    name = wanted.plain_name(letter.sender_name)
    language = desk.services.spoken(letter.sender) or spoken or _language(desk.services, letter)
    holder = Holder(Seat(""), name, (letter.sender,), language=language)
    answering, heading = usable(letter.message_id), heading or T("your letter")
    kind = MailKind.REFUSAL if outcome is Outcome.REFUSED else MailKind.ANSWER
    note(desk.services, "pbem", holder, kind, heading, notes, letter.digest, answering, token)
    desk.services.spool.done(letter.digest, why)
    return Handled(outcome, why=why)


def _language(services: Services, letter: Letter) -> str:
    """The language of a letter: the one that it asks for, or that of its words; empty for what is usual here, so that
    its writer is told of the others."""
    lines = [line for line in letter.lines if line.strip()]
    named = next((found[1] for line in lines if (found := LANGUAGE.fullmatch(line.strip(AROUND)))), "")
    language = language_of(named) or written_in(lines[:LINES], languages())
    return "" if language == services.people.usual else language
