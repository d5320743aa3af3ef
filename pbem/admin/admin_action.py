"""A moderator's action, declared once: its word, its arguments, what it does, and its line of `gm help`.

The declaration makes the command (`pbem hold GAME --why …`, `pbem.cli.action_commands`), its completion and manual
page, and the line of a mail (`gm hold because …`, `admin_words`). The help page is the docstring of the declared
function. That function decides and makes the sentence that the table reads (`action_result`); `Desk.change` commits its
result and mails everybody. `admin_words.ADMIN_WORDS` lists all actions.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any, Concatenate, Generic, ParamSpec, TypeAlias, cast

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood
from engine.event_log import Data
from engine.game import Seat
from engine.reference import CardText
from pbem.admin.persons import parse_person
from pbem.desk.commands.game_news import action_sentence, news_lines
from pbem.desk.core.context import Context
from pbem.desk.core.result import Result
from pbem.desk.core.services import Services
from pbem.desk.core.undo import ACTION_SENTENCE, changes_position
from pbem.inbound.sanitize import clean_text
from pbem.store.data_codec import to_data
from pbem.store.game_table import SeatRow, Status
from pbem.store.state_file import StoredGame

P = ParamSpec("P")

BoundAction: TypeAlias = Callable[[Context], Result]
"""An action with its arguments: decides what becomes of a game at rest. `Desk.change` commits the result."""


class ArgumentKind(Enum):
    """The kind of an argument."""

    SEAT = auto()
    STEP = auto()
    PATH = auto()
    VALUE = auto()
    NAME = auto()
    TEXT = auto()
    """The rest of the line, even where it holds «because»."""
    PERSON = auto()
    ORDER = auto()
    NUMBER = auto()
    FLAG = auto()
    """True or false; in a mail a word behind the first argument."""


_VALUES: Mapping[ArgumentKind, Callable[[str], Any]] = {
    ArgumentKind.PERSON: parse_person,
    ArgumentKind.ORDER: lambda text: [text],
}
"""How an argument is read whose value is no text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument: a parameter of the declared function. `gm help` prints it as `shown`.

    `option`: at a terminal its name stands before it, in a mail it may. `help` tells of it at a terminal.
    """

    name: str
    takes: ArgumentKind
    shown: str = ""
    optional: bool = False
    default: str = ""
    help: str = ""
    by_mail: bool = True
    option: bool = False

    def value(self, text: str) -> Any:
        """The value that the function gets."""
        return _VALUES[self.takes](text) if self.takes in _VALUES else text


def flag_argument(name: str, says: str, by_mail: bool = True) -> Argument:
    """An argument that is given or not."""
    return Argument(name=name, takes=ArgumentKind.FLAG, help=says, optional=True, by_mail=by_mail)


SEAT = Argument(name="seat", takes=ArgumentKind.SEAT, shown="anna")
SEAT_OF_ORDER = Argument(name="seat", takes=ArgumentKind.SEAT, shown="anna:")
ORDER = Argument(name="orders", takes=ArgumentKind.ORDER, shown="ORDER")
LANGUAGE = Argument(
    name="language", takes=ArgumentKind.NAME, help="The language of the new person's mails.", by_mail=False, option=True
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminWord:
    """A word behind `gm`; `says` is its line of `gm help`. `does` is the declared function.

    The function takes a Context, the host's services if it has a parameter of that name, and the arguments by name.
    A parameter `why` is the reason, which every player reads; it is needed unless it has a default.
    """

    word: str
    says: Msg
    takes: tuple[Argument, ...] = ()
    does: Callable[..., Any]

    @property
    def _parameters(self) -> Mapping[str, inspect.Parameter]:
        return inspect.signature(self.does).parameters

    @property
    def takes_reason(self) -> bool:
        return "why" in self._parameters

    @property
    def needs_reason(self) -> bool:
        return self.takes_reason and self._parameters["why"].default is inspect.Parameter.empty

    def given(self, services: Services, values: Mapping[str, Any], why: str = "") -> dict[str, Any]:
        """The keyword arguments of the function from values by their names."""
        host = {"services": services} if "services" in self._parameters else {}
        return {**host, **values, **({"why": why} if self.takes_reason else {})}

    @property
    def usage(self) -> str:
        """How a line of a mail is written."""
        shown = (one.shown for one in self.takes if one.shown)
        return " ".join(("gm", self.word, *shown, *(("because REASON",) if self.needs_reason else ())))

    def read(self, text: str) -> dict[str, Any]:
        """The arguments in what stands between word and reason. Raises NotUnderstood with the usage."""
        given = [one for one in self.takes if one.by_mail]
        flags = {one.name for one in given if one.takes is ArgumentKind.FLAG}
        plain = [one for one in given if one.takes is not ArgumentKind.FLAG]
        found: dict[str, Any] = {}
        if flags:
            # Flags stand behind the first argument.
            words = text.split()
            first, rest = words[: bool(plain)], words[bool(plain) :]
            found = {name: name in [word.casefold() for word in rest] for name in flags}
            text = " ".join((*first, *(word for word in rest if word.casefold() not in flags)))
        if any(one.takes is ArgumentKind.STEP for one in plain) and text[:3].casefold() == "to ":
            text = text[3:]
        if any(one.takes is ArgumentKind.ORDER for one in plain):
            head, colon, rest_ = text.partition(":")
            if colon and " " not in head.strip():
                text = f"{head.strip()} {rest_}"
        if plain and plain[0].option:
            text = re.sub(rf"^{plain[0].name}\b", "", text, flags=re.IGNORECASE).strip()
        # The last argument is the rest of the line.
        parts = text.split(None, len(plain) - 1) if plain else []
        if len(parts) < sum(not one.optional for one in plain):
            raise NotUnderstood(T("It is written otherwise."), possible=(T("{usage}", usage=self.usage),))
        texts = [*parts, *("" for _ in plain[len(parts) :])]
        return found | {one.name: one.value(part.strip()) for one, part in zip(plain, texts, strict=True)}


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminQuestion(AdminWord):
    """A question by mail, answered in titled blocks. `costs`: it is work, so it needs the moderator's key."""

    costs: bool = False

    def answer(self, context: Context, services: Services, values: Mapping[str, Any]) -> tuple[CardText, ...]:
        """The blocks. Raises OrderRefused."""
        found: tuple[CardText, ...] = self.does(context, **self.given(services, values))
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminAction(AdminWord, Generic[P]):
    """An action that changes a game. Called with its arguments it gives what is to be done to a game at rest.

    `moment`: it depends on where the game stands, so a mail must answer the newest position. `sure` is the question
    that a terminal asks first, or makes it from the game and the values (with `step` where `shows`); empty: none.
    `shows` finds the step that the game would go back to, so that what would be undone is shown first; a mail without
    a reason shows only that.
    """

    does: Callable[Concatenate[Context, P], Result]
    moment: bool = False
    sure: str | Callable[[Context, Mapping[str, Any]], str] = ""
    shows: Callable[[Context, Mapping[str, Any]], Any] | None = None
    by_mail: bool = True
    at_terminal: bool = True

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> BoundAction:
        return lambda context: self.does(context, *args, **kwargs)

    def of(self, services: Services, values: Mapping[str, Any], why: str) -> BoundAction:
        """The same from values by their names."""
        return cast(Callable[..., BoundAction], self)(**self.given(services, values, why))

    @property
    def help(self) -> str:
        """The help page; its first line stands in the list of commands."""
        return inspect.getdoc(self.does) or ""


def admin_action(
    says: Msg, *takes: Argument, word: str = "", **more: Any
) -> Callable[[Callable[Concatenate[Context, P], Result]], AdminAction[P]]:
    """Declare a function as an action, called like the function unless `word` is given. `more`: see `AdminAction`."""

    def declared(does: Callable[Concatenate[Context, P], Result]) -> AdminAction[P]:
        return AdminAction(word=word or does.__name__, says=says, takes=takes, does=does, **more)

    return declared


def admin_question(
    says: Msg, *takes: Argument, word: str = "", **more: Any
) -> Callable[[Callable[..., Any]], AdminQuestion]:
    """Declare a function as a question; `more`: see `AdminQuestion`."""

    def declared(does: Callable[..., tuple[CardText, ...]]) -> AdminQuestion:
        return AdminQuestion(word=word or does.__name__, says=says, takes=takes, does=does, **more)

    return declared


# The parts that actions are made of.

MAX_REASON = 300
"""Characters of a reason."""


def checked_reason(text: str) -> str:
    """The reason as a mail may show it. Raises NotUnderstood when there is none."""
    found = clean_text(text, MAX_REASON)
    if not found:
        raise NotUnderstood(T("A reason is needed; every player reads it."), possible=(T("because …"), T("--why …")))
    return found


def all_seats(context: Context) -> tuple[Seat, ...]:
    """All seats of the table, clockwise."""
    return tuple(Seat(row.seat) for row in context.stored.table.seats)


def find_row(context: Context, word: str) -> SeatRow:
    """The row of a seat by its handle or name. Raises NotUnderstood with the seats there are."""
    wanted = word.strip().casefold()
    for row in context.stored.table.seats:
        if wanted in (row.seat, row.name.casefold()):
            return row
    seats = tuple(row.seat for row in context.stored.table.seats)
    raise NotUnderstood(T("No seat is called «{name}»; there are: {seats}.", name=clean_text(word, 40), seats=seats))


def require_begun(context: Context) -> Any:
    """The position. Raises NotAllowed before the game has begun."""
    if context.state is None:
        raise NotAllowed(T("The game has not begun."))
    return context.state


def action_result(
    context: Context, what: str, sentence: Msg, why: str = "", *, also: Data | None = None, **more: Any
) -> Result:
    """The result of an action that all are told in a sentence with its reason. `more`: other fields of `Result`."""
    data: Data = to_data(sentence)
    # People's words lie outside the repository, so the record's line has no reason.
    bare = str(action_sentence(data, ""))
    given = {"stored": context.stored, "state": context.state, "concerned": all_seats(context), **more}
    told_all = (action_sentence(data, why),)
    return Result(what=what, says=bare, note=why, also={ACTION_SENTENCE: data, **(also or {})}, told=told_all, **given)


def public_lines(context: Context, state: Any, entries: Any) -> tuple[Msg, ...]:
    """Entries in words, as a spectator may read them."""
    return tuple(line.says for line in context.game.tell(state, entries, None, context.stored.table.entries + 1))


def undone_lines(context: Context, after: int) -> tuple[Msg, ...]:
    """What going back to record `after` would undo, in words that a spectator may read.

    Seats, pace and remarks belong to the table; going back does not change them.
    """
    lost = [one for one in context.past(after) if changes_position(one) and one.what not in ("replace", "rename")]
    people = any(one.what in ("replace", "rename") for one in context.past(after))
    stays = (T("Who sits where stays as it is now: «replace» gives a seat back."),) if people else ()
    if context.state is None or not lost:
        return stays
    lines = news_lines(context.game, context.state, context.names(), lost, None, 0)
    return (*(line.says for line in lines), *stays) or (T("What the table cannot see: a sealed answer or a plan."),)


def ask_again(stored: StoredGame, seat: str = "") -> StoredGame:
    """The table as if the seat (or all of them) had not been mailed what is asked, so that the mail goes out again."""
    rows = tuple(replace(row, asked=0) if seat in ("", row.seat) else row for row in stored.table.seats)
    return replace(stored, table=replace(stored.table, seats=rows))


def require_not_over(context: Context) -> None:
    """Raises NotAllowed once the game is over."""
    if context.stored.table.status is Status.ENDED:
        raise NotAllowed(T("The game is over."))
