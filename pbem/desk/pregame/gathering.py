"""A table before its game in the shape of a game, so that the same desk reads letters before the game.

Its position is who has joined and declined; its orders are `join`, `decline` and `leave`; questions are answered from
the rules of the game to come. Its events tell what an answer did and are not recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import cast

from engine.catalog import Msg, T
from engine.chance import Chance
from engine.errors import NotAllowed, NotUnderstood, Unclear
from engine.event_log import LogEntry
from engine.game import AnyGame, Decision, Ending, Line, Offer, Reading, Seat, Step
from engine.kit.words import fold_text
from engine.reference import CardText, Spelling
from engine.table_options import Option
from pbem.clocks.pace import TABLE_OPTIONS, option_texts
from pbem.desk import commands
from pbem.desk.core.context import Context
from pbem.desk.core.game_start import LONGEST
from pbem.desk.pregame import invitation_answer
from pbem.desk.pregame.invitation_answer import Means
from pbem.inbound.sanitize import clean_text
from pbem.outbound.mail import Choice, LineAnswer
from pbem.outbound.translation import language_catalogue
from pbem.reading.line_parser import parse_line
from pbem.store.game_table import Pace, Status, Table
from pbem.store.state_file import StoredGame

KIND = str(Status.GATHERING)
"""The word for the templates and the mail thread of a table before its game."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """Who has answered the invitation. `wordless` have joined and may still give a word for the dice.

    `now` is the answer of the letter that is being read, and `word` its word.
    """

    table: Table
    joined: tuple[str, ...]
    declined: tuple[str, ...]
    wordless: tuple[str, ...] = ()
    word: str | None = None
    now: Means = Means.NOTHING


@dataclass(frozen=True, slots=True)
class Answer:
    """An order: join with a word, or decline with a reason."""

    means: Means
    text: str = ""


JOIN = Spelling("join", T.each("join", fr="rejoindre"), T.each("join heron", fr="rejoindre héron"))
DECLINE = Spelling(
    "decline",
    T.each("decline", fr="décliner"),
    T.each("decline no time before June", fr="décliner pas le temps avant juin"),
)
LEAVE = Spelling("leave", T.each("leave", fr="quitter"), T.each("leave", fr="quitter"))
"""How an invitation is answered."""


@dataclass(frozen=True, slots=True)
class View:
    """What everybody may know before the game: its options, and who has answered what.

    `options`: those that were chosen, each with its meaning. `open`: places free to whoever joins the table `game` by
    its name. `opener`: the player who opened it, if any. `kept`: days for which a named player's place is kept.
    `taken`, `refused`: the reader has joined, or declined.
    """

    title: str
    options: tuple[tuple[Msg, Msg], ...]
    players: tuple[str, ...]
    joined: tuple[str, ...]
    declined: tuple[str, ...]
    waiting: tuple[str, ...]
    size: int
    game: str
    open: int = 0
    opener: str = ""
    kept: int = 0
    taken: bool = False
    refused: bool = False


def gathering_state(stored: StoredGame) -> Gathered:
    """The position of a table that has not begun."""
    table, words = stored.table, stored.secrets.words
    wordless = tuple(seat for seat in table.joined if words.get(seat) == "")
    return Gathered(table, table.joined, table.declined, wordless)


def as_game(context: Context) -> Context:
    """The context as letters and mails use it: before the game begins, with a `Gathering` for its game."""
    if context.state is not None:
        return context
    return replace(context, game=cast(AnyGame, Gathering(context.game)), state=gathering_state(context.stored))


def invitation_choices(state: Gathered, seat: Seat, language: str) -> tuple[Choice, ...]:
    """What a seat can answer with a number: 1 joins, 2 declines."""
    if seat in state.joined:
        return ()
    words = invitation_answer.WRITTEN.get(language, {})
    join = Choice(words.get(Means.JOINS, "join"), T("you take the seat"))
    decline = Choice(words.get(Means.DECLINES, "decline"), T("you say no, and the moderator is told"))
    return (join,) if seat in state.declined else (join, decline)


def place_kept_for(pace: Pace) -> timedelta:
    """How long a player's table keeps a place for somebody who has not answered."""
    return timedelta(days={24: 4, 48: 7}.get(pace.hours, 14))


def free_places(table: Table, declined: Sequence[str]) -> int:
    """How many may still join a table by its name. Whoever has declined makes room."""
    return max(table.places - sum(row.seat not in declined for row in table.seats), 0)


class Gathering:
    """The part of `engine.game.Game` that the desk uses. It is its own moderation and reference."""

    kind = KIND

    def __init__(self, game: AnyGame) -> None:
        self.game, self.title, self.options = game, game.title, game.options
        self.moderation = self.reference = self

    def waiting(self, state: Gathered) -> tuple[Decision, ...]:
        """Everybody who has not answered."""
        answered = (*state.joined, *state.declined)
        return tuple(
            Decision(Seat(row.seat), "join", 0, T("take the seat, or say no."), sealed=True)
            for row in state.table.seats
            if row.seat not in answered
        )

    def read(self, state: Gathered, seat: Seat, text: str) -> Reading[Answer]:
        """A joining or declining line. Raises Unclear for what might be one, NotUnderstood for anything else."""
        said = invitation_answer.parse_invitation_answer(text, tuple(row.name for row in state.table.seats))
        if said.means in (Means.UNSURE, Means.NOTHING) and fold_text(text).split()[0] in self.game.reference.verbs():
            raise NotAllowed(T("The game has not begun, so that nothing can be played yet."))
        if said.means is Means.UNSURE:
            raise _unclear(text)
        if said.means is Means.NOTHING:
            raise NotUnderstood(T("«{line}» answers no invitation.", line=clean_text(text, 80)))
        if len(said.word) > LONGEST:
            raise NotAllowed(
                T("A word has at most {most} characters; yours has {n}.", most=LONGEST, n=len(said.word))
            )
        answer = Answer(said.means, said.word or said.reason)
        # An answer may be changed later, but one letter says one thing.
        return Reading(answer, self.write(state, seat, answer, "en"), anytime=state.now in (Means.NOTHING, said.means))

    def write(self, state: Gathered, seat: Seat, order: Answer, language: str) -> str:
        """An answer as it is written."""
        return f"{invitation_answer.WRITTEN.get(language, {}).get(order.means, order.means)} {order.text}".strip()

    def apply(self, state: Gathered, seat: Seat, order: Answer, chance: Chance) -> Step[Gathered]:
        """Note an answer. Raises NotAllowed for a second word, which could be chosen to bend the dice."""
        joins = order.means is Means.JOINS
        new = replace(state, now=order.means)
        if seat in (state.joined if joins else state.declined) and seat in (*state.table.joined, *state.table.declined):
            if joins and order.text and seat not in state.wordless:
                raise NotAllowed(
                    T("You have joined already, and your word is fixed; the game begins when everybody has answered.")
                )
            if not (joins and order.text):
                return Step(new, (LogEntry(f"{order.means} again"),), reveals=False)
        if joins and state.word and order.text not in ("", state.word):
            raise NotAllowed(T("Your letter holds two words for the dice: {words}.", words=(state.word, order.text)))
        new = _without(new, seat)
        if joins:
            new = replace(new, joined=(*new.joined, str(seat)), word=order.text or state.word or "")
        else:
            new = replace(new, declined=(*new.declined, str(seat)))
        left = not joins and seat in state.joined
        return Step(new, (LogEntry("leave" if left else str(order.means), {"word": new.word or ""}),), reveals=False)

    def standing(self, state: Gathered, seat: Seat) -> Msg:
        """Say what a seat's answer is."""
        if seat in state.joined:
            return T("You have joined; the game begins when everybody has. «leave» gives the seat back.")
        if seat in state.declined:
            return T("The seat is not yours now, since you have declined it or not answered; «join» takes it back.")
        return T("You have not joined yet, nor declined.")

    def doubt(self, state: Gathered, lines: Sequence[str]) -> LineAnswer | None:
        """The first line that leaves the letter's answer in doubt, to be asked back."""
        names = tuple(row.name for row in state.table.seats)
        for line in lines:
            one = parse_line(line, names)
            if one.is_number or commands.command_line(one):
                continue
            # A tapped choice: its number was compared with its words already.
            said = line if one.number is None else one.text
            if invitation_answer.parse_invitation_answer(said, names).means is Means.UNSURE:
                return LineAnswer(line, reason=_unclear(line).reason)
        return None

    def unanswered(self, lines: Sequence[str]) -> tuple[Msg, ...]:
        """Notes for a letter without an answer; a single word may have been meant for the dice."""
        words = " ".join(lines).split()
        told = T("No answer to the invitation was found in your letter.")
        if words and fold_text(words[0]) in _BEGINNING:
            return (told, T("To begin without somebody, or to invite others, is for the moderator; a free place is "
                            "anybody's who writes «join» and the name of the table."))  # fmt: skip
        if len(words) != 1:
            return (told,)
        word = clean_text(words[0], 80).strip(".,;:!")
        return (told, T("If «{word}» is your word for the dice, write «join {word}».", word=word))

    def suspicious(self, state: Gathered, seat: Seat, orders: Sequence[Answer]) -> Msg | None:
        """Nothing of this costs anything."""
        return None

    def renumber(self, state: Gathered, number: int) -> Gathered:
        """Nothing here is numbered."""
        return state

    def withdraw(self, state: Gathered, seat: Seat) -> Step[Gathered] | None:
        """Take an answer back, as a sealed one."""
        if seat not in (*state.joined, *state.declined):
            return None
        return Step(_without(state, seat), (), reveals=False)

    def redacted(self, state: Gathered, seat: Seat | None = None) -> Gathered:
        """No secret is in it."""
        return state

    def offers(self, state: Gathered, seat: Seat, language: str = "en") -> tuple[Offer, ...]:
        """None: every mail lists choices of its own."""
        return ()

    def every(self, state: Gathered, seat: Seat) -> Iterator[str]:
        """No order of the game is legal yet."""
        return iter(())

    def asked_back(
        self, state: Gathered, seat: Seat, asked: tuple[Choice, ...], language: str
    ) -> tuple[Choice, ...]:
        """The choices of a question back: 1 joins, with the letter's word, 2 declines. Choices of talk stay."""
        names = tuple(row.name for row in state.table.seats)
        lines = [choice.text.split("\n") for choice in asked]
        means = [{invitation_answer.parse_invitation_answer(line, names).means for line in one} for one in lines]
        usual = invitation_choices(state, seat, language)
        if not usual or not any(one & {Means.JOINS, Means.DECLINES} for one in means):
            return asked
        joins = [choice for choice, one in zip(asked, means, strict=True) if Means.JOINS in one]
        return (*joins[:1], *usual[1:]) if joins else usual

    def spellings(self, state: Gathered, seat: Seat) -> tuple[Spelling, ...]:
        """What answers the invitation."""
        return (LEAVE,) if seat in state.joined else (JOIN, DECLINE)

    def repairs(self, state: Gathered, seat: Seat, text: str, language: str = "en") -> tuple[str, ...]:
        """None."""
        return ()

    def topics(self, order: str) -> frozenset[str]:
        """None."""
        return frozenset()

    def examples(self, state: Gathered, seat: Seat, offered: Sequence[str], language: str = "en") -> tuple[str, ...]:
        """Answers to imitate."""
        return tuple(map(language_catalogue(language).render, (one.order for one in self.spellings(state, seat))))

    def view(self, state: Gathered, seat: Seat | None) -> View:
        """What a reader may know."""
        names = {row.seat: row.name for row in state.table.seats}
        open_ones = (seat for seat in names if seat not in (*state.joined, *state.declined))
        groups = [tuple(names[one] for one in group) for group in (state.joined, state.declined, open_ones)]
        return View(
            self.title,
            tuple(chosen_options((*self.options, *TABLE_OPTIONS), state.table.options | option_texts(state.table))),
            tuple(names.values()),
            joined=groups[0],
            declined=groups[1],
            waiting=groups[2],
            size=max(len(names), state.table.places),
            game=state.table.game,
            open=free_places(state.table, state.declined),
            opener=state.table.seats[0].name if state.table.wish else "",
            kept=place_kept_for(state.table.pace).days,
            taken=seat in state.joined,
            refused=seat in state.declined,
        )

    def heading(self, state: Gathered) -> Msg:
        """Where the table stands, for a subject."""
        return T("before the game")

    def stage(self, state: Gathered) -> str:
        """One mail thread."""
        return KIND

    def tell(
        self, state: Gathered, entries: Sequence[LogEntry], reader: Seat | None, first: int = 0
    ) -> tuple[Line, ...]:
        """What an answer did."""
        return tuple(Line(_says(entry), mine=True) for entry in entries)

    def result(self, state: Gathered) -> Ending | None:
        """There is none."""
        return None

    def explain(self, word: str, state: Gathered | None = None) -> CardText | None:
        """A card or word of the game to come, or an answer to the invitation."""
        wanted = fold_text(word).strip()
        if wanted in (*invitation_answer.JOIN, *invitation_answer.DECLINE, *invitation_answer.LEAVE):
            return CardText(T("{word}, before the game", word=wanted), (_JOINING, _DECLINING))
        return self.game.reference.explain(word, None)

    def words(self) -> tuple[str, ...]:
        """What can be asked about."""
        return self.game.reference.words()

    def verbs(self) -> frozenset[str]:
        """The words that answer an invitation, and those of the game, which are refused as too early."""
        own = {*invitation_answer.JOIN, *invitation_answer.DECLINE, *invitation_answer.LEAVE}
        return self.game.reference.verbs() | own


_BEGINNING = frozenset(("start", "begin", "invite", "commencer", "commence", "demarrer", "inviter"))
"""How a line begins that would start the game or invite somebody."""

_JOINING = T("«join», or «join» and one word of your own: every die of the game will depend on all words.")
_DECLINING = T("«decline», with or without a reason, says no; «leave» does after joining. «join» takes it back.")


def chosen_options(options: Sequence[Option], values: Mapping[str, str]) -> Iterator[tuple[Msg, Msg]]:
    """The options that differ from their default, each with its meaning."""
    for option in options:
        value = values.get(option.name, option.default)
        if value not in ("", option.default):
            yield option.shown(value), option.told(value)


def _without(state: Gathered, seat: Seat) -> Gathered:
    """The table as if the seat had not answered."""
    joined = tuple(one for one in state.joined if one != seat)
    return replace(state, joined=joined, declined=tuple(one for one in state.declined if one != seat))


def _unclear(text: str) -> Unclear:
    return Unclear(T("«{line}» is not clear enough to take a seat or to give it away.", line=clean_text(text, 80)))


_TOLD = {
    "join": T("You have joined without a word."),
    "join again": T("You have joined already; nothing was done again."),
    "decline": T("You have declined. The moderator is told; «join» takes it back, until the seat is given away."),
    "decline again": T("You have declined already; nothing was done again."),
    "leave": T("You have left. The moderator is told; «join» takes it back, until the seat is given away."),
}


def _says(entry: LogEntry) -> Msg:
    return T("Your word is fixed; you have joined.") if entry.data.get("word") else _TOLD[entry.kind]
