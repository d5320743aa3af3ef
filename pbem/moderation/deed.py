"""A moderator's deed, declared once: its word, what it takes, what it does, what `gm help` says of it.

From the declaration are made the command (`pbem hold GAME --why …`, by `pbem.cli.deeds`) with its completion and its
manual page, and the line of a letter (`gm hold because …`, by `words`). The page of help is the docstring of the
function that does it; that function also says the sentence that the table reads (`deeds.done`). `words.WORDS` lists
them all.
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
"""A deed with all that it takes: from a game at rest to what is decided of it. `Desk.change` commits that."""


class Takes(Enum):
    """What an argument is."""

    SEAT = auto()
    STEP = auto()
    PATH = auto()
    VALUE = auto()
    NAME = auto()
    TEXT = auto()
    """The rest of the line, a reason in it or not."""
    PERSON = auto()
    ORDER = auto()
    NUMBER = auto()
    FLAG = auto()
    """Said or not; by mail a word behind the first argument."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument: the parameter of the function, and how `gm help` shows it."""

    name: str
    takes: Takes
    shown: str = ""
    optional: bool = False
    default: str = ""
    help: str = ""
    """Of an option at a terminal; what is one there without being a step cannot be given by mail."""
    by_mail: bool = True
    option: bool = False
    """At a terminal it has its name before it, and may have it in a letter."""

    def value(self, text: str) -> Any:
        """What the function is given."""
        return _VALUES[self.takes](text) if self.takes in _VALUES else text


_VALUES: Mapping[Takes, Callable[[str], Any]] = {Takes.PERSON: person, Takes.ORDER: lambda text: [text]}


def flag(name: str, says: str, by_mail: bool = True) -> Argument:
    """Something that is said or not."""
    return Argument(name=name, takes=Takes.FLAG, help=says, optional=True, by_mail=by_mail)


SEAT = Argument(name="seat", takes=Takes.SEAT, shown="anna")
SEAT_OF_ORDER = Argument(name="seat", takes=Takes.SEAT, shown="anna:")
ORDER = Argument(name="orders", takes=Takes.ORDER, shown="ORDER")


class Why(Enum):
    """Whether a deed takes a reason, which every player reads."""

    NONE = auto()
    OPTIONAL = auto()
    NEEDED = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A word of the moderator's desk; `says` is its line of `gm help`. `host`: it is given the host's services."""

    word: str
    says: Msg
    takes: tuple[Argument, ...] = ()
    why: Why = Why.NONE
    host: bool = False

    @property
    def usage(self) -> str:
        """How a line of a letter is written."""
        shown = (one.shown for one in self.takes if one.shown)
        return " ".join(("gm", self.word, *shown, *(("because REASON",) if self.why is Why.NEEDED else ())))

    def read(self, text: str) -> dict[str, Any]:
        """What a line says behind the word and before the reason. Raises NotUnderstood with the usage."""
        given = [one for one in self.takes if one.by_mail]
        flags = {one.name for one in given if one.takes is Takes.FLAG}
        plain = [one for one in given if one.takes is not Takes.FLAG]
        found: dict[str, Any] = {}
        if flags:
            # A flag stands behind the first argument, if there is one.
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
        # The last one is all that is left of the line.
        parts = text.split(None, len(plain) - 1) if plain else []
        if len(parts) < sum(not one.optional for one in plain):
            raise NotUnderstood(T("It is written otherwise."), possible=(T("{usage}", usage=self.usage),))
        texts = [*parts, *("" for _ in plain[len(parts) :])]
        return found | {one.name: one.value(part.strip()) for one, part in zip(plain, texts, strict=True)}


@dataclass(frozen=True, slots=True, kw_only=True)
class GmQuestion(Word):
    """What a moderator asks by mail, answered in titled blocks; `costs`: that is work which only a key is worth."""

    answers: Callable[..., tuple[CardText, ...]]
    costs: bool = False

    def answer(self, context: Context, services: Services, values: Mapping[str, Any]) -> tuple[CardText, ...]:
        """The blocks. Raises OrderRefused."""
        return self.answers(context, *((services,) if self.host else ()), **values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed(Word, Generic[P]):
    """What changes a game. Called with what it takes it gives what is to be done to a game at rest.

    `moment`: what it means depends on where the game stands, so that by mail it must not have gone on since the mail
    that is answered. `sure`: what is asked at a terminal before it is done, from the values and the `game`; `asks` the
    same from the game at rest, empty where nothing need be asked. `shows`:
    where the game would stand, so that what would be undone is shown first; a letter without a reason shows only that.
    """

    does: Callable[Concatenate[Context, P], Result]
    moment: bool = False
    sure: Callable[[Mapping[str, Any]], str] | None = None
    asks: Callable[[Context, Mapping[str, Any]], str] | None = None
    shows: Callable[[Context, Mapping[str, Any]], Any] | None = None
    by_mail: bool = True
    at_terminal: bool = True

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Doing:
        return lambda context: self.does(context, *args, **kwargs)

    def of(self, services: Services, values: Mapping[str, Any], why: str) -> Doing:
        """The same from values by their names."""
        reason = {} if self.why is Why.NONE else {"why": why}
        return cast(Callable[..., Doing], self)(*((services,) if self.host else ()), **values, **reason)

    @property
    def help(self) -> str:
        """The page of help; its first line stands in the list of commands."""
        return inspect.getdoc(self.does) or ""


def deed(
    says: Msg,
    *takes: Argument,
    word: str = "",
    **more: Any,
) -> Callable[[Callable[Concatenate[Context, P], Result]], Deed[P]]:
    """Declare a function as a deed; its word is the function's name unless another is given. `more`: see `Deed`."""

    def declared(does: Callable[Concatenate[Context, P], Result]) -> Deed[P]:
        return Deed(word=word or does.__name__, says=says, takes=takes, does=does, **more)

    return declared


def question(says: Msg, *takes: Argument, word: str = "", **more: Any) -> Callable[[Callable[..., Any]], GmQuestion]:
    """The same for a question; `more`: see `GmQuestion`."""

    def declared(answers: Callable[..., tuple[CardText, ...]]) -> GmQuestion:
        return GmQuestion(word=word or answers.__name__, says=says, takes=takes, answers=answers, **more)

    return declared
