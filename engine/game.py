"""All that the post room may know of a game.

`pbem` plays any game that offers a `Game` and never asks which one it is. States are opaque to it; log entries,
decisions and offers are not. A game package under `engine/` offers its `Game` as the module attribute `GAME` and is
found by looking, so that nothing outside names it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import cache, cached_property, partial
from typing import Any, Generic, NewType, Protocol, TypeAlias, TypeVar

import engine
from engine.catalog import Msg, T
from engine.chance import Chance, Draw
from engine.event_log import Data, LogEntry
from engine.game_search import GameSearch
from engine.reference import Reference
from engine.state_repair import StateRepair
from engine.table_options import Option, settled_options
from engine.values import fixed

Seat = NewType("Seat", str)
"""A seat's handle: a lower-case ASCII slug of the player's name, unique at its table."""

S = TypeVar("S")
"""A game's own state. Only the game looks inside; `Game.dump` writes it as plain data."""
O = TypeVar("O")  # noqa: E741 - an order
"""A game's own orders."""


@fixed
class Decision:
    """What one seat is asked.

    `number` counts the decisions of the game and is part of the token: an answer to an older number is late. `kind` is
    a word such as `turn` or `settle`. If `sealed`, several seats answer at once, and nothing of an answer is shown
    before the last one is in.

    `answered` marks a sealed decision that the seat has answered completely and may answer anew: nobody has to be
    reminded of it. It is as secret as the answer, so only that seat and the clock may know it.
    """

    seat: Seat
    kind: str
    number: int
    question: Msg
    sealed: bool = False
    answered: bool = False


@fixed
class Reading(Generic[O]):
    """An order as understood: the game's own value, its canonical text, and what was filled in."""

    order: O
    text: str
    assumed: tuple[Msg, ...] = ()
    anytime: bool = False
    """True for a standing order, which answers no decision and may be given whoever is asked."""
    covered: bool = False
    """True if no grammar reads the line, and this is the only order that it names whole."""


NO_KIND = T("")
"""The heading of an option that belongs to no group."""


Says: TypeAlias = "Msg | Callable[[], Msg]"
"""A sentence, or a function that makes it when somebody reads it."""


class Offer:
    """A complete legal order, in the words `read` accepts, with what it would do and what kind of thing it is.

    `title` is the order as a sentence (`Game.title_of`), by default its canonical words. Text, title and sentence may
    be given as functions, which are called once, when somebody reads them.
    """

    def __init__(
        self, text: str | Callable[[], str], says: Says, kind: Msg = NO_KIND, title: str | Callable[[], str] = ""
    ) -> None:
        self._text, self._says, self._title = text, says, title
        self.kind = kind

    @cached_property
    def text(self) -> str:
        """The order's canonical words."""
        return self._text if isinstance(self._text, str) else self._text()

    @cached_property
    def title(self) -> str:
        """The order as a sentence, which `read` accepts too."""
        return (self._title if isinstance(self._title, str) else self._title()) or self.text

    @cached_property
    def says(self) -> Msg:
        """What the order would do."""
        return self._says if isinstance(self._says, Msg) else self._says()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Offer):
            return NotImplemented
        return (self.text, self.says, self.kind) == (other.text, other.says, other.kind)

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Offer({self.text!r}, {self.says!r}, {self.kind!r})"


class Step(Generic[S]):
    """What an order led to: the position after it (and after every answer given for a seat), and what was recorded.

    `reveals` is true when something random or hidden was shown: a commit point, which no `undo` crosses. `entries` may
    be given as a function, which is called once, when somebody reads them.
    """

    def __init__(
        self, state: S, entries: tuple[LogEntry, ...] | Callable[[], tuple[LogEntry, ...]], reveals: bool
    ) -> None:
        self.state = state
        self.reveals = reveals
        self._entries = entries

    @cached_property
    def entries(self) -> tuple[LogEntry, ...]:
        """What was recorded, in its order."""
        return self._entries() if callable(self._entries) else self._entries

    def __reduce__(self) -> tuple[Any, ...]:
        return Step, (self.state, self.entries, self.reveals)


@fixed
class Line:
    """One sentence of news. `mine` marks what concerns the reader; `end` is the number of the last entry told."""

    says: Msg
    mine: bool = False
    end: int = 0
    seat: str = ""
    """Who acted, so that a long absence can be summed up by player; empty for the game itself."""
    final: bool = False
    """True if the final mail shows it in its table."""
    at_once: bool = False
    """True if its reader is mailed though nothing is asked: a standing order has ended the reader's round."""


@fixed
class Ending:
    """The end of a game: per seat its components in the order they are counted, totals, and who won."""

    scores: Mapping[Seat, Mapping[str, int]]
    totals: Mapping[Seat, int]
    winners: tuple[Seat, ...]
    names: Mapping[str, Msg] = field(default_factory=dict)
    """The name of each component, and of each row of `scores` without a seat (the solo opponent)."""
    achieved: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    """Per seat the ids of the achievements that this game adds to."""
    missed: Mapping[Seat, Mapping[str, Msg]] = field(default_factory=dict)
    """Per seat and achievement id: how much was short, as a sentence."""
    explains: Mapping[str, Msg] = field(default_factory=dict)
    """What each component counts, in a line."""
    notes: tuple[Msg, ...] = ()
    """Other sentences about the outcome."""


class Game(Protocol[S, O]):
    """What a post room needs to play one game. Every method is a function of its arguments: nothing is kept.

    `moderation` holds what repairs and trials need, `reference` what cards and words mean. A game inherits from this
    class; methods with a body suit most games. `staticmethod(function)` names a function that does the work.
    """

    kind: str
    """Its word on the command line, such as `troyes`."""
    title: str
    schema: int = 1
    """The version of `dump`'s tables; `load` brings older ones up to date."""
    seats: range
    options: tuple[Option, ...] = ()
    draws: Mapping[str, tuple[str, ...]]
    """Kinds of entries that record a draw, to the kinds of their draws. Each such entry holds, in `data`, `only` or
    `hidden`, a table with `draw` (the purpose as text) and `shown` (a roll, with `sides` unless they are 6) or `order`
    (a shuffle). `verify` refuses an entry of such a kind without one, and a draw of another kind."""

    @property
    def moderation(self) -> StateRepair[S]:
        """What taking back, trials and repairs need."""

    @property
    def reference(self) -> Reference[S]:
        """What the game's cards and words mean, and every legal order."""

    @property
    def thinking(self) -> GameSearch[S, O]:
        """What a computer player needs beyond playing."""
        found: GameSearch[S, O] = GameSearch(self)
        return found

    def settle_options(self, players: int, chosen: Mapping[str, str]) -> dict[str, str]:
        """Return every option with its value. Raises NotAllowed for a value or combination that the game lacks."""
        return settled_options(self.title, self.seats, self.options, players, chosen)

    def start(
        self,
        players: Mapping[Seat, str],
        options: Mapping[str, str],
        chance: Chance,
        *,
        facts: Mapping[str, Any] | None = None,
        first: Seat | None = None,
    ) -> Step[S]:
        """Set the game up and run it to its first decision. `players` maps seats, clockwise, to their names.

        `facts` are a host's corrections of card numbers, kept with the game; `first` names the start player, who is
        drawn otherwise.
        """

    def waiting(self, state: S) -> tuple[Decision, ...]:
        """The open decisions: one, or several that are answered at once; none when the game is over."""

    def read(self, state: S, seat: Seat, text: str) -> Reading[O]:
        """Parse one line against the position. Raises NotUnderstood, Unclear, NotAllowed or TooLate."""

    def write(self, state: S, seat: Seat, order: O, language: str) -> str:
        """Return the canonical text of an order in a reader's language; English where the game has no words of it.

        In every language `read(write(order))` gives the same order.
        """

    def title_of(self, state: S, seat: Seat, order: O, language: str) -> str:
        """Return an order as a sentence in a reader's language, the title of a choice: «Fight Brigands with R5».

        `read(title_of(order))` gives the same order. Where no sentence can be read so, it is the canonical text.
        """
        return self.write(state, seat, order, language)

    def default(self, state: S, seat: Seat) -> O:
        """Return the answer that does least, for a decision that the seat has open: it is given when nobody answers.

        It is always legal; if only one outcome is legal, it is that one. Raises TooLate if the seat is not asked.
        """

    def apply(self, state: S, seat: Seat, order: O, chance: Chance) -> Step[S]:
        """Play an order that `read` understood, and what follows until a person must decide.

        `state` stays as it was. Raises NotAllowed (then nothing has happened), or TooLate if the seat is not asked.
        """

    def suspicious(self, state: S, seat: Seat, orders: Sequence[O]) -> Msg | None:
        """Say why this run of legal orders is probably a mistake, such as paying for a turn and then passing; else
        None.

        `orders` are those of one letter since something was last shown, the newest last; `state` is the position before
        them. The desk asks before it plays the newest, and refuses it if told so.
        """
        return None

    def withdraw(self, state: S, seat: Seat) -> Step[S] | None:
        """Take back the seat's own sealed answer, whoever else has answered; None if there is none.

        The open decisions keep their numbers, and others cannot tell the entries from those of an answer. A game in
        which a later answer rests on an earlier one returns None: then the answer is taken back like any other order.
        """
        return None

    def choices(self, state: S, seat: Seat) -> Iterable[tuple[O, Says]]:
        """Orders with what each would do: a short ranked list that covers every kind of thing the seat can do now."""

    def offers(self, state: S, seat: Seat, language: str = "en") -> tuple[Offer, ...]:
        """The choices in a reader's language."""
        return tuple(
            Offer(
                partial(self.write, state, seat, order, language),
                says,
                self.kind_of(order),
                partial(self.title_of, state, seat, order, language),
            )
            for order, says in self.choices(state, seat)
        )

    def kind_of(self, order: O) -> Msg:
        """The heading that an order is listed under; empty where there are no groups."""
        return NO_KIND

    def estimate(self, state: S, seat: str) -> float:
        """The points that a seat may expect at the end, as far as it can see: hidden things change nothing."""
        return 0.0

    def view(self, state: S, seat: Seat | None) -> Any:
        """Return a frozen value with all that `seat` may know (None: a spectator), built by inclusion."""

    def heading(self, state: S) -> Msg:
        """Say in a few words where the game stands, for a subject: «round 3 of 6»."""

    def stage(self, state: S) -> str:
        """A key that changes when a new mail thread should begin: one a round."""

    def tell(self, state: S, entries: Sequence[LogEntry], reader: Seat | None, first: int = 0) -> tuple[Line, ...]:
        """The entries as sentences for one reader, one for each thing that happened; `first` is the number of the first
        entry."""

    def result(self, state: S) -> Ending | None:
        """The final scores once the game is over, else None."""

    def story(self, state: S, entries: Sequence[LogEntry]) -> Mapping[str, Msg]:
        """For each row of the scores, the turn that brought most, as a sentence, once the game is over. `entries` are
        all that count. It tells only what the end has opened."""
        return {}

    def fold(self, state: S | None, entries: Sequence[LogEntry]) -> S:
        """Rebuild a state from entries alone; if `state` is None, the first entry begins the game.

        Raises PositionError if the entries do not fit.
        """

    def due(self, state: S, past: Sequence[LogEntry], entry: LogEntry) -> tuple[Draw, ...]:
        """Return what the rules draw for an entry after the first, in the order in which it tells of the draws.

        It is worked out from the position before the entry and from the valid entries `past`, never from what the entry
        says of its draws. Raises PositionError if nothing calls for the entry, if it does not follow from its numbers,
        or if a draw is missing before it.
        """

    def dump(self, state: S) -> tuple[Data, Data]:
        """Return plain data: the public tables and the secret ones. The public one has a list `seats` with a row for
        each seat, clockwise, called `seat` there: paths of repairs and the replay page use it."""

    def load(self, public: Data, secret: Data) -> S:
        """Read what `dump` wrote, of this or an older schema. Raises PositionError with the path of the wrong value.

        An empty `secret` gives the position as the table sees it, for tools that may not open the secrets: fit for
        `waiting`, `view`, `heading`, `stage`, `result`, `offers`, not for `apply`.
        """


AnyGame: TypeAlias = Game[Any, Any]
"""A game that was found; its states and orders are opaque."""


@cache
def games() -> Mapping[str, AnyGame]:
    """Return every game under `engine` by its word: the packages that offer a `GAME`."""
    packages = [module.name for module in pkgutil.iter_modules(engine.__path__) if module.ispkg]
    offered = [getattr(importlib.import_module(f"engine.{name}"), "GAME", None) for name in packages]
    return {game.kind: game for game in offered if game is not None}


def find_game(kind: str) -> AnyGame:
    """Return the game called `kind`. Raises LookupError that names those there are."""
    try:
        return games()[kind]
    except KeyError:
        raise LookupError(f"no game is called {kind!r}; there are: {', '.join(sorted(games()))}") from None
