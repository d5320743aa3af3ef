"""What a game's files hold besides the position: the table and its seats, and the secrets of the table."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from engine.event_log import Data
from pbem.store.data_codec import Count, Moment


class Status(StrEnum):
    """The stage of a table's life."""

    GATHERING = "gathering"
    RUNNING = "running"
    ENDED = "ended"
    HELD = "held"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class ThreadMark:
    """The first and the newest mail to a seat in one stage of a game, by their intents."""

    stage: str
    root: str
    last: str


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a decision may take: `hours`, 0 for ever.

    It ends on an ISO weekday of `days` (`12345`; empty: any) and at the clock time `at` (`20:00`; empty: any), in the
    person's time zone. `late` is what is done at the end of grace: `default`, `computer` or `wait` (`pbem.clocks`).
    """

    name: str = "none"
    hours: Count = 0
    days: str = ""
    at: str = ""
    late: str = "default"


@dataclass(frozen=True, slots=True)
class Absence:
    """A time when a person is away."""

    since: Moment
    until: Moment


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The clock of decision `number` (0: the invitation), which runs from when the server took the mail `asked`.

    `asked` is an intent; without one the clock stands until the seat is asked again. `more`: seconds by which its end
    was moved. Seats that have answered a sealed decision keep their clocks, too, so that nobody sees who has.
    """

    number: Count
    asked: str
    more: int = 0


@dataclass(frozen=True, slots=True)
class AwaitedDecision:
    """The newest decision: its number, since when it is open, whom it asked, and what all may know of who answered.

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
    """A seat as the table sees it. `by` is person, or computer of a `level`.

    `told` is the last entry that its mails have told, `heard` the last record, `asked` the last decision that was
    mailed (0: ask again). `generation` counts its holders from 1. `noted`: the day when its holder was last told that
    a letter was taken for an automatic note, with a mark of its words. `hinted`: the decision that it had a hint for.
    `clock` runs while it is asked, at a table with a pace; `away` are its absences.
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
    """A position that `seat` may go back to: that of `commit`, then the entries of `record` up to number `entry`.

    `number` is not 0 when decisions are counted on from there, because an undo had led to that position.
    """

    seat: str
    commit: str
    record: Count
    entry: Count
    number: Count = 0


@dataclass(frozen=True, slots=True)
class Table:
    """All that everybody may know of a table. Seats stand clockwise.

    Versions: `engine` wrote the position, `game_schema` is that of the game's own tables. Last numbers given:
    `records`, `entries`, `decisions`. Opening: `facts`, `options`, `first` (a named start player), `commitment` (the
    hash over seed and host's word, published before anybody's word was known), `origin` (its first name, if it has
    another now), `wish` (the letter of the player who opened it; empty: the moderator did), `places` (how many it
    gathers when others may join by its name; 0: those who sit there), `follows` (the table whose people asked for
    this one). People: `joined`, `declined` (they may still join), `votes` (seats that ask for a hold, or its end),
    `again` (seats that want another game). `answers` is what mails tell of who answered a sealed decision: count,
    names or hidden. `cooling`: minutes for which others are not mailed after a letter that may be replaced. `follow`:
    outsiders may follow it. `anonymous`: seats have aliases until the end. `undo`: positions that its last player may
    go back to. `outage`: the end of the last time without post that moved its clocks. `reason`: why it is held.
    `lost`: the last commit that damage took, abbreviated.
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
    wait: AwaitedDecision | None = None
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
class DecisionAnswers:
    """What a seat answered to a decision: the Date of its letter (ISO 8601, or empty), its record, and the marks of the
    orders that each of its letters played."""

    number: Count
    at: str
    record: Count
    played: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class LetterEndings:
    """Marks of the lines that a person's letters end with: those passed over, and those asked back until the next
    letter."""

    passed: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MailedLists:
    """The lists of options mailed to a seat for a decision: record, mark, and choices of that mail alone."""

    number: Count = 0
    shown: tuple[tuple[int | str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class DelayedAnswer:
    """An answer that waits to be sent with others, as plain data; `handed`: how often the seat had changed hands."""

    handed: Count
    mail: Data


@dataclass(frozen=True, slots=True)
class ModeratorKey:
    """The number of the moderator's newest key, and the newest decision at that time."""

    number: Count = 0
    decisions: int = -1


@dataclass(frozen=True, slots=True)
class ReminderSent:
    """A reminder of a decision: its mail (intent), its time, and the order that it showed.

    Without a mail it was the moderator who was told that the seat is late.
    """

    number: Count
    mail: str
    at: Moment
    order: str = ""


@dataclass(frozen=True, slots=True)
class LastMailed:
    """What a seat's newest mail has told, as in `SeatRow`."""

    told: Count
    heard: Count
    thread: ThreadMark | None = None


@dataclass(frozen=True, slots=True)
class HeldMail:
    """A mail to a seat that is held back for a time; a `daily` one goes with those of other tables."""

    since: Moment
    until: Moment
    daily: bool = False


@dataclass(frozen=True, slots=True)
class Secrets:
    """The secrets of a table: the seed (hexadecimal), the players' words for the dice by seat, and the epoch.

    And by seat: mailed `lists`, answers to the last decisions (`said`), answers that wait (`later`), reminders, how
    many decisions in a row the clock answered (`defaults`), what mails told that the public row does not show
    (`mailed`), mails `held` back; by author (`author_id`) the ends of their letters. `gm` is the moderator's key. A
    rollback leaves `gm`, `later` and `ends`, which are no part of a position.
    """

    seed: str = ""
    words: dict[str, str] = field(default_factory=dict)
    epoch: Count = 0
    gm: ModeratorKey = ModeratorKey()
    lists: dict[str, MailedLists] = field(default_factory=dict)
    said: dict[str, tuple[DecisionAnswers, ...]] = field(default_factory=dict)
    later: dict[str, tuple[DelayedAnswer, ...]] = field(default_factory=dict)
    ends: dict[str, LetterEndings] = field(default_factory=dict)
    reminded: dict[str, tuple[ReminderSent, ...]] = field(default_factory=dict)
    defaults: dict[str, Count] = field(default_factory=dict)
    mailed: dict[str, LastMailed] = field(default_factory=dict)
    held: dict[str, HeldMail] = field(default_factory=dict)
