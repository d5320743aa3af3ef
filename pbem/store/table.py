"""What a game's files say besides the position: the table, its seats, and what stays hidden until the end."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from engine.chronicle import Data
from pbem.store.fields import Count, Moment


class Status(StrEnum):
    """Where a table is in its life."""

    GATHERING = "gathering"
    RUNNING = "running"
    ENDED = "ended"
    HELD = "held"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class ThreadMark:
    """The mails of one stage of a game, by their intents: the first and the newest one to a seat."""

    stage: str
    root: str
    last: str


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a decision may take: `hours`, 0 for ever. It ends on one of the ISO weekdays `days` (`12345`; empty:
    any) and at the clock time `at` (`20:00`; empty: any), where the person lives.

    `late` is what is done at the end of grace: `default`, `computer` or `wait` (`pbem.clocks`).
    """

    name: str = "none"
    hours: Count = 0
    days: str = ""
    at: str = ""
    late: str = "default"


@dataclass(frozen=True, slots=True)
class Absence:
    """A time in which a person is away."""

    since: Moment
    until: Moment


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The clock of decision `number` (0: of the invitation): it runs from when the server took the mail that `asked`,
    an intent (empty: it stands until the seat is asked again). `more` are the seconds by which its end was moved.

    It stands here alike for who has answered a sealed decision and who has not.
    """

    number: Count
    asked: str
    more: int = 0


@dataclass(frozen=True, slots=True)
class Wait:
    """The newest decision: its number, since when it is open, whom it asked, and as much of who has answered as all
    may know.

    `told`: when everybody was last told that the game is held.
    """

    number: Count
    since: Moment
    asked: tuple[str, ...] = ()
    answered: Count = 0
    names: tuple[str, ...] = ()
    told: Moment | None = None


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat as the table sees it. `by` is person or computer, which plays on `level`.

    `told` is the last entry its mails have told, `heard` the last record, `asked` the decision that was mailed last (0:
    it is to be asked anew), `noted` the day on which its holder was last told that a letter was taken for an automatic
    note, with a mark of its words, `generation` the how-many-th holder sits there, `hinted` the decision that it had a
    hint for. `clock` runs while it is asked, at a table with a pace; `away` are its absences.
    """

    seat: str
    name: str
    by: str = "person"
    told: Count = 0
    heard: Count = 0
    asked: Count = 0
    generation: Count = 1
    noted: str = ""
    thread: ThreadMark | None = None
    level: str = ""
    hinted: Count = 0
    clock: SeatClock | None = None
    away: tuple[Absence, ...] = ()


@dataclass(frozen=True, slots=True)
class UndoPoint:
    """A position that `seat` may go back to: that of `commit`, then the entries of `record` up to `entry`.

    `entry` is the number of the last entry that still counts; `number` is not 0 when decisions have to be counted
    on from there, because that position was itself reached by an undo.
    """

    seat: str
    commit: str
    record: Count
    entry: Count
    number: Count = 0


@dataclass(frozen=True, slots=True)
class Table:
    """What everybody may know of a table. Seats stand clockwise.

    `engine` is the version that wrote the position, `game_schema` that of the game's own tables; `records`,
    `entries` and `decisions` are the last numbers given; `reason` says why a game is held; `commitment` is the hash
    over seed and host's word that was published before anybody's word was known. `joined` have taken up their
    invitation, or needed none; `declined` have said no, and may still join. `first` is the start player, if one was
    named; `facts` what the game was opened with; `undo` where its last player may go back to; `origin` the name under
    which it was opened, where that is another; `hints` whether they may be asked for. `answers` is what a mail tells of
    who has answered a sealed decision: count, names or hidden; `cooling` are the minutes for which the others are not
    mailed after a letter that may be replaced; `follow` says whether people who do not sit here may follow it,
    `anonymous` that its seats have names of their own until the end; `votes` are the seats that ask for a hold, or for
    its end; `outage` the end of the last time without post by which its clocks were moved. `again` are the seats that
    would play another game, once it is over; `follows` is the table whose people have asked for this one. `wish` marks
    the letter that a player has opened it with (empty: the moderator has), `places` how many it gathers when others may
    join it by its name (0: those who sit there). `lost` begins the id of the last commit that damage took away.
    """

    game: str
    kind: str
    status: Status
    engine: str
    game_schema: Count
    options: dict[str, str]
    seats: tuple[SeatRow, ...]
    opened: Moment
    changed: Moment
    commitment: str = ""
    records: Count = 0
    entries: Count = 0
    decisions: Count = 0
    reason: str = ""
    joined: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    first: str = ""
    origin: str = ""
    undo: tuple[UndoPoint, ...] = ()
    facts: Data | None = None
    hints: bool = False
    pace: Pace = Pace()
    answers: str = "count"
    cooling: Count = 0
    follow: bool = False
    anonymous: bool = False
    wait: Wait | None = None
    votes: tuple[str, ...] = ()
    outage: Moment | None = None
    again: tuple[str, ...] = ()
    follows: str = ""
    wish: str = ""
    places: Count = 0
    lost: str = ""

    def intent(self, record: int, nth: int) -> str:
        """The public name of the nth mail (from 1) of a record, such as `troyes-12.17.2`.

        The numbers of lost records are given again, and names of mails never: `troyes-12.17.2.4f0c12aa`.
        """
        return f"{self.game}.{record}.{nth}{self.lost and '.'}{self.lost}"

    def seat(self, handle: str) -> SeatRow:
        """The row of a seat. Raises KeyError."""
        for row in self.seats:
            if row.seat == handle:
                return row
        raise KeyError(handle)


@dataclass(frozen=True, slots=True)
class Heard:
    """What a seat has said on a decision: when it says that it wrote (ISO 8601, or empty), in which record, and the
    marks of the orders that each of its letters played."""

    number: Count
    at: str
    record: Count
    played: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Ends:
    """Marks of lines that a person's letters ended with and that were passed over; and of those that one letter was
    asked back for, until the next."""

    passed: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lists:
    """The lists of options that were mailed to a seat for a decision: record, mark, and choices of the mail's own."""

    number: Count = 0
    shown: tuple[tuple[int | str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Waiting:
    """An answer that waits to be sent with others, as plain data, and how often the seat had changed
    hands when it was given."""

    handed: Count
    mail: Data


@dataclass(frozen=True, slots=True)
class ModeratorKey:
    """The number in the moderator's newest key, and the newest decision when it was given."""

    number: Count = 0
    decisions: int = -1


@dataclass(frozen=True, slots=True)
class Reminded:
    """A reminder on a decision: the mail by its intent, when it was written, and the order that it showed.

    Without a mail: the moderator was told that the seat is late.
    """

    number: Count
    mail: str
    at: Moment
    order: str = ""


@dataclass(frozen=True, slots=True)
class LastTold:
    """What a seat's newest mail has told, as `SeatRow` has it."""

    told: Count
    heard: Count
    thread: ThreadMark | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """A mail to a seat that is held back, since when and until when; a `daily` one goes with those of other tables."""

    since: Moment
    until: Moment
    daily: bool = False


@dataclass(frozen=True, slots=True)
class Secrets:
    """The seed (hexadecimal), the players' words for the dice by seat, the epoch; and by seat what was mailed and said:
    `lists`, `said` on the last decisions, answers that wait for `later`; who was `reminded`, and how many decisions in
    a row the clock has answered (`defaults`), which tell who has not answered and what was sealed; `mailed`, what mails
    have told of which the row, which is public, tells nothing; what is `held` back of them. `gm`: the moderator's key.
    `ends`: how the letters of each person end (`author_of`).

    A rollback leaves `gm`, `later` and `ends`, which are no part of a position.
    """

    seed: str = ""
    words: dict[str, str] = field(default_factory=dict)
    epoch: Count = 0
    gm: ModeratorKey = ModeratorKey()
    lists: dict[str, Lists] = field(default_factory=dict)
    said: dict[str, tuple[Heard, ...]] = field(default_factory=dict)
    later: dict[str, tuple[Waiting, ...]] = field(default_factory=dict)
    ends: dict[str, Ends] = field(default_factory=dict)
    reminded: dict[str, tuple[Reminded, ...]] = field(default_factory=dict)
    defaults: dict[str, Count] = field(default_factory=dict)
    mailed: dict[str, LastTold] = field(default_factory=dict)
    held: dict[str, Held] = field(default_factory=dict)
