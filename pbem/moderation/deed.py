"""A moderator's action, declared once: its word, its arguments, what it does, and its line of `gm help`.

The command (`pbem hold GAME --why …`, `pbem.cli.deeds`), its completion and manual page, and the line of a mail
(`gm hold because …`, `words`) are made from the declaration. The help page is the docstring of the declared function.
That function also makes the sentence that the table reads (`deeds.done`). `words.WORDS` lists all actions.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Concatenate, Generic, ParamSpec, TypeAlias, cast

from engine.catalog import Msg, T
from engine.errors import NotUnderstood
from engine.reference import CardText
from pbem.desk.context import Context
from pbem.desk.result import Result
from pbem.desk.services import Services
from pbem.moderation.opening import person

P = ParamSpec("P")

Doing: TypeAlias = Callable[[Context], Result]
"""An action with its arguments: decides what becomes of a game at rest. `Desk.change` commits the result."""


class Takes(Enum):
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


_VALUES: Mapping[Takes, Callable[[str], Any]] = {Takes.PERSON: person, Takes.ORDER: lambda text: [text]}
"""How an argument is read whose value is no text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument: a parameter of the declared function. `gm help` prints it as `shown`.

    `option`: at a terminal its name stands before it, in a mail it may. `help` tells of it at a terminal.
    """

    name: str
    takes: Takes
    shown: str = ""
    optional: bool = False
    default: str = ""
    help: str = ""
    by_mail: bool = True
    option: bool = False

    def value(self, text: str) -> Any:
        """The value that the function gets."""
        return _VALUES[self.takes](text) if self.takes in _VALUES else text


def flag(name: str, says: str, by_mail: bool = True) -> Argument:
    """An argument that is given or not."""
    return Argument(name=name, takes=Takes.FLAG, help=says, optional=True, by_mail=by_mail)


SEAT = Argument(name="seat", takes=Takes.SEAT, shown="anna")
SEAT_OF_ORDER = Argument(name="seat", takes=Takes.SEAT, shown="anna:")
ORDER = Argument(name="orders", takes=Takes.ORDER, shown="ORDER")
LANGUAGE = Argument(
    name="language", takes=Takes.NAME, help="The language of the new person's mails.", by_mail=False, option=True
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
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
        flags = {one.name for one in given if one.takes is Takes.FLAG}
        plain = [one for one in given if one.takes is not Takes.FLAG]
        found: dict[str, Any] = {}
        if flags:
            # Flags stand behind the first argument.
            words = text.split()
            first, rest = words[: bool(plain)], words[bool(plain) :]
            found = {name: name in [word.casefold() for word in rest] for name in flags}
            text = " ".join((*first, *(word for word in rest if word.casefold() not in flags)))
        if any(one.takes is Takes.STEP for one in plain) and text[:3].casefold() == "to ":
            text = text[3:]
        if any(one.takes is Takes.ORDER for one in plain):
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
class GmQuestion(Word):
    """A question by mail, answered in titled blocks. `costs`: it is work, so it needs the moderator's key."""

    costs: bool = False

    def answer(self, context: Context, services: Services, values: Mapping[str, Any]) -> tuple[CardText, ...]:
        """The blocks. Raises OrderRefused."""
        found: tuple[CardText, ...] = self.does(context, **self.given(services, values))
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed(Word, Generic[P]):
    """An action that changes a game. Called with its arguments it gives what is to be done to a game at rest.

    `moment`: it depends on where the game stands, so a mail must answer the newest position. `sure` makes the question
    that a terminal asks first, from the game and the values (with `step` where `shows`); empty: nothing is asked.
    `shows` finds the step that the game would go back to, so that what would be undone is shown first; a mail without
    a reason shows only that.
    """

    does: Callable[Concatenate[Context, P], Result]
    moment: bool = False
    sure: Callable[[Context, Mapping[str, Any]], str] | None = None
    shows: Callable[[Context, Mapping[str, Any]], Any] | None = None
    by_mail: bool = True
    at_terminal: bool = True

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Doing:
        return lambda context: self.does(context, *args, **kwargs)

    def of(self, services: Services, values: Mapping[str, Any], why: str) -> Doing:
        """The same from values by their names."""
        return cast(Callable[..., Doing], self)(**self.given(services, values, why))

    @property
    def help(self) -> str:
        """The help page; its first line stands in the list of commands."""
        return inspect.getdoc(self.does) or ""


def deed(
    says: Msg, *takes: Argument, word: str = "", **more: Any
) -> Callable[[Callable[Concatenate[Context, P], Result]], Deed[P]]:
    """Declare a function as an action; its word is the function's name unless another is given. `more`: see `Deed`."""

    def declared(does: Callable[Concatenate[Context, P], Result]) -> Deed[P]:
        return Deed(word=word or does.__name__, says=says, takes=takes, does=does, **more)

    return declared


def question(says: Msg, *takes: Argument, word: str = "", **more: Any) -> Callable[[Callable[..., Any]], GmQuestion]:
    """Declare a function as a question; `more`: see `GmQuestion`."""

    def declared(does: Callable[..., tuple[CardText, ...]]) -> GmQuestion:
        return GmQuestion(word=word or does.__name__, says=says, takes=takes, does=does, **more)

    return declared
