"""Rolls, folding, repairs, lines, cases and lots on a game of ten lines: what a new game gets without writing it."""

from __future__ import annotations

import pickle
import sys
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import data_paths
from engine.catalog import T
from engine.chance import Purpose, SeededChance
from engine.errors import NotAllowed, NotUnderstood, PositionError, no_verb, unknown_word
from engine.event_log import Data, LogEntry
from engine.game import Offer, Step
from engine.kit import cases, codec
from engine.kit.edits import Edited, StateEdits
from engine.kit.events import HIDDEN, ONLY, Beginning, Event, EventTypes
from engine.kit.rolls import Draws, Rolled
from engine.kit.sampling import NumberStream
from engine.kit.transaction import Transaction
from pbem.export.verify_alone import draws, expected_draw, words_hash

CHANCE = SeededChance(b"s", (), "race")
NAMES = {"anna": "Anna", "bo": "Bo"}


@dataclass(slots=True)
class Runner:
    """How far one has come."""

    at: int = 0


@dataclass(slots=True)
class Track:
    """A race."""

    names: dict[str, str]
    runners: dict[str, Runner] = field(default_factory=dict)
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Begins(Beginning[Track]):
    """The race begins."""

    def begun(self) -> Track:
        return Track(dict(NAMES), {seat: Runner() for seat in NAMES})


@dataclass(frozen=True, slots=True)
class Runs(Event[Track]):
    """One comes forward."""

    kind = "runs"
    seat: str
    by: int
    rolled: Rolled | None = None

    def apply(self, state: Track) -> None:
        state.runners[self.seat].at += self.by


@dataclass(frozen=True, slots=True)
class Rests(Event[Track]):
    """Cards are dealt; what each has drawn it alone sees, what is left nobody."""

    kind = "rests"
    rolled: Rolled
    drawn: dict[str, tuple[int, ...]] = field(default_factory=dict, metadata=ONLY)
    said: dict[str, str] = field(default_factory=dict, metadata=ONLY)
    left: tuple[int, ...] = field(default=(), metadata=HIDDEN)


@dataclass(frozen=True, slots=True)
class Looks(Event[Track]):
    """A card is turned up."""

    kind = "looks"
    shows = True


class Race(Transaction[Track]):
    """A run of the race."""

    __slots__ = ()
    kinds: ClassVar = EventTypes(sys.modules[__name__])


def dump(track: Track) -> tuple[Data, Data]:
    form = codec.Codec(Runner)
    return {"turn": track.turn, "seats": codec.write_seats(track.names, track.runners, form)}, {}


def load(public: Data, secret: Data) -> Track:
    names, runners = codec.take_seats(public, codec.Codec(Runner))
    return Track(names, runners, public["turn"])


START = Begins()
BEGINS = LogEntry("begins")


def test_a_roll_is_recorded_with_all_that_verify_needs() -> None:
    play = Race(START.begun(), CHANCE)
    rolled = play.roll(Purpose(1, "run", "anna"), 2)
    play.record(Runs("anna", sum(rolled.numbers), rolled))
    six = play.roll(Purpose(1, "run", "bo"), 1, 4)
    play.record(Runs("bo", six.numbers[0], six))
    order = play.shuffle(Purpose(1, "cards"), 5)
    play.record(Rests(order))
    step = play.step()
    assert step.reveals
    for entry, drawn in zip(step.entries, (rolled, six, order), strict=True):
        (found,) = draws(entry.data)
        assert str(drawn.purpose) == found["draw"]
        _, recorded, right = expected_draw(words_hash("dice", b"s"), f"race/0/{found['draw']}", found)
        assert list(drawn.numbers) == recorded == right
    assert play.facts == list(Race.kinds.read(step.entries))


def test_a_roll_that_no_entry_tells_is_an_error() -> None:
    """Else `verify` would say of such a game that it holds."""
    play = Race(START.begun(), CHANCE)
    rolled = play.roll(Purpose(1, "run", "anna"))
    play.record(Runs("anna", rolled.numbers[0]))
    with pytest.raises(PositionError, match="1/run/anna/1 was drawn and is in no entry"):
        play.step()
    with pytest.raises(ValueError, match=r"."):
        play.record(Runs("anna", 6, Rolled(Purpose(1, "made-up"), (6,))))
    assert {"runs", "rests"} == Race.kinds.draws.keys()


def test_a_fact_says_what_one_seat_sees_and_what_nobody_does() -> None:
    """What has its default is not written; what is private stands in no public table."""
    rolled = Rolled(Purpose(1, "cards"), (1, 0), 0)
    fact = Rests(rolled, {"anna": (1,), "bo": ()}, {"anna": "hm"}, (0, 2))
    entry = Race.kinds.entry(fact)
    assert {"draw": "1/cards/-/1", "order": [1, 0]} == entry.data
    assert {"anna": {"drawn": [1], "said": "hm"}, "bo": {"drawn": []}} == entry.only
    assert {"left": [0, 2]} == entry.hidden
    assert fact == Race.kinds.fact(entry)
    assert LogEntry("rests", {"draw": "1/cards/-/1", "order": [1, 0]}) == Race.kinds.entry(Rests(rolled))


def test_draws_of_a_set_up_are_kept_as_rows() -> None:
    setup = Draws(CHANCE)
    cards, dice = setup.shuffled("cards", "abcd"), setup.roll("first", 1, 3)
    assert sorted(cards) == list("abcd")
    shuffled, rolled = draws(setup.rows)
    assert ("0/cards/-/1", "0/first/-/1", 3) == (shuffled["draw"], rolled["draw"], rolled["sides"])
    assert list(dice) == rolled["shown"]
    assert cards == ["abcd"[at] for at in shuffled["order"]]


def test_a_state_is_what_its_entries_fold_to() -> None:
    play = Race(START.begun(), CHANCE, [START])
    play.record(Runs("anna", 3))
    assert not play.reveals
    play.record(Looks())
    assert play.reveals, "a kind that shows what was hidden"
    assert play.state == Race.fold(None, play.entries)


def test_entries_of_a_step_are_written_when_they_are_read_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Event[Track]] = []
    entry = Race.kinds.entry

    def write(fact: Event[Track]) -> LogEntry:
        written.append(fact)
        return entry(fact)

    monkeypatch.setattr(Race.kinds, "entry", write)
    play = Race(START.begun(), CHANCE, [START])
    play.record(Runs("anna", 3))
    step = play.step()
    assert [] == written
    assert Race.fold(None, step.entries) == step.state == Race.fold(None, step.entries)
    assert [START, Runs("anna", 3)] == written


def test_a_step_tells_what_had_happened_when_it_was_made() -> None:
    """Whatever the same run records later, and also where it is sent to another process before anybody has read it."""
    play = Race(START.begun(), CHANCE, [START])
    play.record(Runs("anna", 3))
    step = play.step()
    sent = pickle.loads(pickle.dumps(play.step()))
    play.record(Runs("bo", 2))
    assert [START, Runs("anna", 3)] == list(Race.kinds.read(step.entries)) == list(Race.kinds.read(sent.entries))


def test_numbers_of_a_chance_that_is_sent_to_another_process_are_the_same() -> None:
    for sent in (pickle.loads(pickle.dumps(CHANCE)), deepcopy(CHANCE)):
        assert CHANCE.roll(Purpose(1, "run", "anna"), 9) == sent.roll(Purpose(1, "run", "anna"), 9)
        assert CHANCE.order(Purpose(1, "cards"), 9) == sent.order(Purpose(1, "cards"), 9)


@pytest.mark.parametrize(
    ("make", "name", "value"),
    [
        (lambda make: Offer("run", make), "says", T("it runs")),
        (lambda make: Offer(make, T("it runs")), "text", "run"),
        (lambda make: Step(None, make, reveals=False), "entries", (BEGINS,)),
    ],
)
def test_what_is_written_when_it_is_read_may_be_read_meanwhile(make: Any, name: str, value: Any) -> None:
    """Positions and what was made of them are shared between threads."""
    reads: list[Any] = []

    def written() -> Any:
        if not reads:
            reads.append(None)
            reads[0] = getattr(thing, name)
        return value

    thing = make(written)
    assert [value, value] == [getattr(thing, name), *reads]


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ((), "there are no entries"),
        ((LogEntry("runs", {"seat": "anna", "by": 1}),), "a chronicle begins with `begins`, once"),
        ((BEGINS, BEGINS), "a chronicle begins with `begins`, once"),
        ((BEGINS, LogEntry("flies")), r"entry 1 \(flies\): «flies» is no kind of entry here"),
        ((BEGINS, LogEntry("runs", {"seat": "anna"})), r"entry 1 \(runs\): by: is missing"),
        ((BEGINS, LogEntry("runs", {"seat": "anna", "by": "3"})), r"entry 1 \(runs\): by: '3' is not a whole number"),
        ((BEGINS, LogEntry("runs", {"seat": "anna", "by": 3, "at": 4})), r"entry 1 \(runs\): at: is not known here"),
        ((BEGINS, LogEntry("runs", {"seat": "carl", "by": 3})), r"entry 1 \(runs\): does not hold together"),
        ((BEGINS, LogEntry("rests")), r"entry 1 \(rests\): draw: does not tell what was drawn"),
    ],
)
def test_entries_that_do_not_fit_are_told_with_their_number(entries: tuple[LogEntry, ...], says: str) -> None:
    with pytest.raises(PositionError, match=says):
        Race.fold(None, entries)


def test_a_position_is_put_right_by_short_paths() -> None:
    repairs = StateEdits(dump, load, frozenset({"turn"}), frozenset({"hands"}))
    track = START.begun()
    assert {"anna.name": "Anna", "anna.at": 0, "bo.name": "Bo", "bo.at": 0} == repairs.settable(track)
    entry = repairs.change(track, "anna.at", 5, "a slip")
    assert (data_paths.EDIT_KIND, {"path": "anna.at", "reason": "a slip", "before": 0, "after": 5}) == (entry.kind, entry.data)
    edited = Edited(**entry.data)
    repairs.fold(track, edited)
    assert 5 == track.runners["anna"].at
    with pytest.raises(PositionError, match="is not what the repair found there"):
        repairs.fold(track, edited)
    with pytest.raises(NotAllowed, match=r"cannot be changed"):
        repairs.change(track, "anna.seat", "carl")
    with pytest.raises(NotAllowed, match="holds"):
        repairs.change(track, "seats.bo.at", "far")


def test_a_word_that_means_nothing_is_told() -> None:
    """Without one that is like it: what a line may have meant is said in whole orders (`Reference.repairs`)."""
    assert "«Plaace» is not understood in «run Plaace»." == str(unknown_word("Plaace", "run Plaace").reason)
    assert "«rnu» begins no order." == str(no_verb("rnu").reason)


def test_a_position_passes_fails_or_is_not_for_this_game() -> None:
    def differences(scenario: Data, facts: Data) -> Any:
        if facts["at"] > 9:
            raise ValueError("too far")
        return ["at: 0 expected"] if facts["at"] else []

    def outcome(**scenario: Any) -> tuple[str, tuple[str, ...]]:
        words = {"at": None, "row": [{"seat": None}]}
        known = (words, lambda facts: {"id": None, "game": None, **words})
        verdict = cases.judge({"id": "a"} | scenario, {"at": 0}, {"race": 1}, known, differences)
        return verdict.outcome, verdict.differences

    assert ("pass", ()) == outcome()
    assert ("fail", ("at: 0 expected",)) == outcome(at=1)
    assert ("unsupported", ("no game is called chess",)) == outcome(game="chess")
    assert ("fail", ("the position cannot be laid out: ValueError: too far",)) == outcome(at=10)
    assert ("fail", ("att is no word of a position; did you mean at?",)) == outcome(att=3)
    assert ("fail", ("row.1.seats is no word of a position; did you mean seat?",)) == outcome(row=[{"seats": "anna"}])


def test_lines_of_a_position_stop_where_one_is_refused() -> None:
    done: list[str] = []

    def act(line: str) -> None:
        if line == "spoil":
            done.append(line)
        if line in ("spoil", "bad"):
            raise NotUnderstood(no_verb(line).reason)
        done.append(line)

    assert ("ok", "") == cases.run_lines(["a", "b"], act, done.copy)
    assert ("unreadable", " (bad: «bad» begins no order.)") == cases.run_lines(["bad", "c"], act, done.copy)
    assert ["a", "b"] == done
    assert "changed" == cases.run_lines(["spoil"], act, done.copy)[0], "a refusal that has changed something"


def test_who_speaks_and_who_is_asked() -> None:
    assert [("bo", "run"), ("anna", "run"), ("system", "rest")] == [
        cases.split_speaker(line, "anna") for line in ("bo> run", " run ", "system > rest")
    ]
    asked = [("anna", "turn")]
    assert [] == [*cases.compare_asked({"seat": "anna", "kind": "turn"}, asked), *cases.compare_asked(None, [])]
    assert 2 == len(
        [*cases.compare_asked("bo must choose", asked), *cases.compare_asked({"seat": "bo", "kind": "turn"}, asked)]
    )
    assert [] == list(cases.compare_winner("anna", ["anna"], {}))
    assert ["winner: ['bo'] expected, ['anna'] found ({'anna': 3})"] == list(
        cases.compare_winner(["bo"], ["anna"], {"anna": {"a": 1, "b": 2}})
    )


@given(st.lists(st.integers(0, 2**30)), st.lists(st.integers(1, 9), max_size=30))
def test_a_lot_never_ends_and_picks_the_same_again(numbers: list[int], limits: list[int]) -> None:
    one, other = NumberStream(numbers), NumberStream(numbers)
    for limit in limits:
        assert one.below(limit) == other.below(limit) < limit
    assert one.pick("abc") == other.pick("abc")
