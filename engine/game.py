"""All that the post room may know of a game.

`pbem` plays any game that offers a `Game`: it never asks which one it is. States are opaque to it; entries,
decisions and offers are not. A game package under `engine/` offers its `Game` as the module attribute `GAME`,
and is found by looking, so that nothing outside names it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NewType, Protocol

import engine
from engine.catalog import Msg
from engine.chance import Chance
from engine.chronicle import Data, Entry

Seat = NewType("Seat", str)
"""A seat's handle: a lower-case ASCII slug of the player's name, unique at its table."""

State = Any
"""A game's own position. Only the game looks inside; `Game.dump` writes it as plain data."""


@dataclass(frozen=True, slots=True)
class Option:
    """One choice that a host makes when a table opens. `values` empty means free text checked by the game.

    `default` is one of `values`; a list option (`many`) takes several, separated by commas.
    """

    name: str
    values: tuple[str, ...]
    default: str
    says: Msg
    many: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """What one seat is asked.

    `number` counts the decisions of the game and is part of the token: an answer to an older number is late.
    `kind` is a word of the contract's table (`turn`, `settle`, …). When `sealed`, several seats answer at once
    and nothing of an answer is shown before the last one is in.

    `answered` marks a sealed decision that the seat has answered completely and may still answer anew: nobody has
    to be reminded of it. It is as secret as the answer, so only that seat and the clock may know it.
    """

    seat: Seat
    kind: str
    number: int
    question: Msg
    sealed: bool = False
    answered: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """An order as understood: the game's own value, its canonical text, and what was filled in."""

    order: Any
    text: str
    assumed: tuple[Msg, ...] = ()
    anytime: bool = False
    """Whether it answers no decision, and may be given whoever is asked: a standing order that the game keeps."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A complete legal order, in the words `read` accepts, with what it would do."""

    text: str
    says: Msg


@dataclass(frozen=True, slots=True)
class Step:
    """What an order led to: the position after it (and after every answer given for a seat), what was recorded.

    `reveals` is true when something random or hidden was shown: a commit point, which no `undo` crosses.
    """

    state: State
    entries: tuple[Entry, ...]
    reveals: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of news. `mine` marks what touches the reader; `end` is the number of the last entry told."""

    says: Msg
    mine: bool = False
    end: int = 0
    seat: str = ""
    """Who acted, so that a long absence can be folded by player; empty for the game itself."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game: per seat its components in the order they are counted, totals, and who won."""

    scores: Mapping[Seat, Mapping[str, int]]
    totals: Mapping[Seat, int]
    winners: tuple[Seat, ...]
    names: Mapping[str, Msg] = field(default_factory=dict)
    """What each component is called; and each row of `scores` that is nobody's seat (an automaton's)."""
    achieved: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    """Per seat the ids of the achievements this game adds to; empty for a game that has none."""
    notes: tuple[Msg, ...] = ()
    """What else is to be said of the outcome, a sentence each."""


@dataclass(frozen=True, slots=True)
class CardText:
    """A card, place or rule word explained: its title and a few sentences with its numbers."""

    title: Msg
    lines: tuple[Msg, ...]


@dataclass(frozen=True, slots=True)
class Achievement:
    """Something a player can collect over several games: `times` is in how many of them it must be reached."""

    id: str
    text: CardText
    times: int = 1


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a rule position (design/positions): `pass`, `fail` or `unsupported`, and each difference."""

    id: str
    outcome: str
    differences: tuple[str, ...] = ()


class Game(Protocol):
    """One game. Every method is a function of its arguments: nothing is kept between calls."""

    kind: str
    """The word for it on the command line, such as `troyes`."""
    title: str
    schema: int
    """The version of `dump`'s tables; `load` brings older ones up to date."""
    seats: range
    options: tuple[Option, ...]
    achievements: tuple[Achievement, ...]
    """All there are, in the order to list them; empty for a game that has none. `explain` knows their ids too."""
    draws: frozenset[str]
    """The kinds of entries that record a draw. Each such entry holds, in `data`, `only` or `hidden`, a table with
    `draw` (the purpose as text) and `shown` (a roll, with `sides` unless they are 6) or `order` (a shuffle): whatever
    a game takes from its chance. `verify` refuses an entry of such a kind that holds none."""

    def reserved(self) -> frozenset[str]:
        """Words that no seat may be called: order words, ids, dice, districts."""

    def settle_options(self, players: int, chosen: Mapping[str, str]) -> dict[str, str]:
        """Every option with its value. Raises NotAllowed for a value or combination the game does not have."""

    def start(
        self,
        players: Mapping[Seat, str],
        options: Mapping[str, str],
        chance: Chance,
        *,
        facts: Mapping[str, Any] | None = None,
        first: Seat | None = None,
    ) -> Step:
        """Set the game up and run to its first decision. `players` maps seats, clockwise, to their names.

        `facts` are a host's corrections of card numbers (kept with the game); `first` names the start player,
        who is drawn otherwise.
        """

    def waiting(self, state: State) -> tuple[Decision, ...]:
        """The open decisions: one, or several that are answered at once; none when the game is over."""

    def read(self, state: State, seat: Seat, text: str) -> Reading:
        """Understand one line against the position. Raises NotUnderstood, Unclear, NotAllowed or TooLate."""

    def write(self, state: State, seat: Seat, order: Any) -> str:
        """The canonical text of an order: `read(write(order))` gives the same order."""

    def apply(self, state: State, seat: Seat, order: Any, chance: Chance) -> Step:
        """Play an order that `read` understood, and what follows until a person must decide.

        `state` is left as it was. Raises NotAllowed, then nothing has happened; TooLate when the seat is not
        asked.
        """

    def suspicious(self, state: State, seat: Seat, orders: Sequence[Any]) -> Msg | None:
        """Why this run of legal orders is probably a mistake, such as paying for a turn and then passing; else None.

        `orders` are what one letter asks for since something was last shown, the newest last; `state` is the
        position before the first of them. The desk asks before it plays the newest, and refuses it if told so.
        """

    def renumber(self, state: State, number: int) -> State:
        """The same position whose open decisions carry a number above `number`, and so all later ones.

        Used when orders are taken back: no token that was given out for the orders taken back fits again.
        """

    def withdraw(self, state: State, seat: Seat) -> Step | None:
        """Take back the seat's own sealed answer, whoever else has answered; None when there is none to take back.

        The open decisions keep their numbers, and the entries look to others like those of an answer. A game in which
        a later answer rests on an earlier one gives None: then the answer is taken back like any other order.
        """

    def offers(self, state: State, seat: Seat) -> tuple[Offer, ...]:
        """A short ranked list of complete orders that covers every kind of thing the seat can do now."""

    def every(self, state: State, seat: Seat, sample: Sequence[int] | None = None) -> Iterator[str]:
        """Orders open to the seat, for computers and tests: all of them, or a few picked by the numbers in `sample`."""

    def view(self, state: State, seat: Seat | None) -> Any:
        """A frozen value with all that `seat` may know (None: a spectator), built by inclusion, for templates."""

    def heading(self, state: State) -> Msg:
        """Where the game stands in a few words, for a subject: «round 3 of 6»."""

    def stage(self, state: State) -> str:
        """A key that changes when a new mail thread should begin: one a round."""

    def tell(self, state: State, entries: Sequence[Entry], reader: Seat | None, first: int = 0) -> tuple[Line, ...]:
        """The entries as sentences for one reader, one per thing that happened; `first` is the number of the first."""

    def result(self, state: State) -> Ending | None:
        """The final scores, once the game is over."""

    def explain(self, word: str, state: State | None = None) -> CardText | None:
        """The card, place, event or rule word of that name, with the numbers of this game; None if there is none."""

    def words(self) -> tuple[str, ...]:
        """Every word `explain` and `read` know, for suggestions and completion."""

    def verbs(self) -> frozenset[str]:
        """The words that can begin an order, all languages."""

    def examples(self, state: State, seat: Seat, made: Sequence[Offer]) -> tuple[str, ...]:
        """Two orders to imitate, from this very position; `made` is what `offers` gave for it."""

    def fold(self, state: State | None, entries: Sequence[Entry]) -> State:
        """Rebuild a state from entries alone; `state` None begins with the first entry of the game.

        Raises PositionError when the entries do not fit.
        """

    def dump(self, state: State) -> tuple[Data, Data]:
        """Plain data: what the table can see, and the secrets."""

    def load(self, public: Data, secret: Data) -> State:
        """Read what `dump` wrote, of this or an older schema. Raises PositionError with the path that is wrong.

        An empty `secret` gives the position as the table sees it, with nothing hidden in it, for tools that may not
        open the secrets: fit for `waiting`, `view`, `heading`, `stage`, `result`, `offers`, not for `apply`.
        """

    def redacted(self, state: State, seat: Seat | None = None) -> State:
        """The same position with every secret replaced by an equal-sized blank, for trials and tools that may not look.

        `seat` keeps its own sealed answer, so that it can try what follows on it; what it keeps tells of nobody else.
        `apply` on it raises `engine.chance.Unknown`, with the entries up to there, where it would need a secret.
        """

    def broken(self, state: State) -> tuple[str, ...]:
        """Which laws the position breaks (citizens, cubes, dice, decks, limits), in words; empty when it is sound."""

    def settable(self, state: State) -> Mapping[str, Any]:
        """Every single public value that a moderator may put right alone, by its path (engine.editing).

        `anna.name` is what a seat is called, where the game keeps names.
        """

    def change(self, state: State, path: str, value: Any, reason: str = "") -> Entry:
        """The entry of kind `edited` that puts `value` at a path of `dump`'s tables. Raises NotAllowed.

        `engine.editing.NOTHING` takes the value away. Of a path in the secret tables the entry shows the path alone.
        Folding it changes nothing else: whether the position then keeps the laws is for `broken` to say.
        """

    def calmed(self, state: State) -> tuple[Entry, ...]:
        """The entries that cancel all private plans and preferences, as a position that was gone back to needs.

        Which there are depends on public facts only, so that nobody can tell who had made plans.
        """

    def facts(self) -> tuple[Data, ...]:
        """Every number of the box as rows `{group, id, name, color, field, value, confidence, source, text}`."""

    def judge(self, scenario: Data, defaults: Data) -> Verdict:
        """Run one rule position."""


@cache
def games() -> Mapping[str, Game]:
    """Every game under `engine`, by its word: the packages that offer a `GAME`."""
    packages = [module.name for module in pkgutil.iter_modules(engine.__path__) if module.ispkg]
    offered: list[Game | None] = [getattr(importlib.import_module(f"engine.{name}"), "GAME", None) for name in packages]
    return {game.kind: game for game in offered if game is not None}


def find(kind: str) -> Game:
    """The game called `kind`. Raises LookupError naming those there are."""
    try:
        return games()[kind]
    except KeyError:
        raise LookupError(f"no game is called {kind!r}; there are: {', '.join(sorted(games()))}") from None
