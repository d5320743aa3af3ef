"""What is known when a letter is read, and what is decided of it: two values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.catalog import Msg
from engine.chance import Chance
from engine.chronicle import Entry
from engine.game import CardText, Game, Line, Seat
from pbem.desk.commands.talk import Message
from pbem.desk.lists import Listed
from pbem.outbound.mail import Choice, MailKind, Said
from pbem.store.table import UndoPoint


@dataclass(frozen=True, slots=True)
class Hearing:
    """All that is known when a letter is read.

    `late` says that its token is not the seat's newest; `first` is the number that the next entry will have;
    `listed` are the lists of options that a number may count in; `held` says why nobody may play; `marks` are the
    positions that may be gone back to and `back_to` loads one; `decisions` the highest number a decision has had.
    """

    game: Game
    seat: Seat
    names: dict[Seat, str]
    state: Any
    chance: Chance
    first: int
    decisions: int
    late: bool
    listed: tuple[Listed, ...]
    marks: tuple[UndoPoint, ...]
    back_to: Callable[[UndoPoint], Any]
    history: Callable[[int], Sequence[Line]]
    closings: tuple[str, ...] = ()
    """The writer's own names, which may end a letter."""
    held: Msg | None = None
    achievements: Callable[[], tuple[CardText, ...]] = tuple
    nothing: Msg | None = None
    """What is told when nothing was done, where it is more than whose turn it is."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What became of a letter: the answer to its writer, and what is to be stored."""

    kind: MailKind
    state: Any
    said: tuple[Said, ...] = ()
    notes: tuple[Msg, ...] = ()
    answers: tuple[CardText, ...] = ()
    position: bool = False
    public: bool = False
    entries: tuple[Entry, ...] = ()
    safe: int = 0
    """Number of the last entry that a commit point has shown; 0 without one."""
    revealed: bool = False
    messages: tuple[Message, ...] = ()
    taken_back: UndoPoint | None = None
    played: tuple[str, ...] = ()
    """Canonical texts of the orders that stand."""
    asked: tuple[str, ...] = ()
    """The commands that were answered."""
    sealed: bool = False
    """Whether it gives or takes back a sealed answer that the seat may withdraw by itself."""
    choices: tuple[Choice, ...] = ()
    """Choices of the answer's own, in place of the game's options."""
    brief: bool = False
    """Whether the answer leaves the position out."""
