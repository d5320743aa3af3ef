"""Half days are answered at once: sealed, replaceable until the last answer is in, applied together, and secret.

The law: two games that differ only in one seat's sealed answer look the same to everybody else, in every public
place, until the half day closes. A planted leak turns these tests red.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from engine.chance import BlindChance, UnknownDraw
from engine.errors import TooLate
from engine.event_log import LogEntry
from engine.game import Line, Seat
from engine.troyes_dice.events import Acts, DicePlay
from engine.troyes_dice.news import sentences as telling
from engine.troyes_dice.notation.writing import answer_text
from pbem.outbound.mail import Mail, MailKind
from pbem.outbound.render import Host, Renderer
from tests.dice.games import ANNA, FAYE, GAME, GEOFFREY, Run, begin, steps

ROOM = Renderer(Host("pbem@games.test"))


def with_choice() -> Run:
    """Three at the table; Anna is about to earn a work building."""
    run = begin(3, seed=1)
    run.state.sheets[ANNA].citizens |= {"red": 5, "yellow": 5, "white": 5}
    run.state.sheets[ANNA].circled |= {"influence": 5, "denier": 5, "knowledge": 12}
    run.state.sheets[ANNA].citizens |= {"red": 6, "yellow": 6, "white": 4}
    return run


def answers(run: Run) -> tuple[str, str, str]:
    """Orders of Anna's that differ in everything that may not show: one plain, one complete with a choice, one open."""
    plain = next(text for text in GAME.reference.every(run.state, ANNA) if "bonus" not in text)
    whole = next(text for text in GAME.reference.every(run.state, ANNA) if "bonus" in text)
    return plain, whole, whole.partition("; bonus")[0]


def seen(run: Run, seat: Seat | None, tell: Callable[..., tuple[Line, ...]] = GAME.tell) -> str:
    """Everything that reaches `seat` (None: a spectator) or stands in a public place, as one text."""
    state, entries = run.state, run.entries
    public, _ = GAME.dump(state)
    parts: list[Any] = [public, [entry.public() for entry in entries]]
    parts += [str(GAME.heading(state)), GAME.stage(state), [str(line.says) for line in tell(state, entries, seat, 1)]]
    parts += [[entry.seen_by(seat) for entry in entries], repr(GAME.moderation.redacted(state, seat).sealed)]
    parts.append([(d.seat, d.number, d.sealed) for d in GAME.waiting(state)])
    if seat:
        parts += [
            [(offer.text, str(offer.says)) for offer in GAME.offers(state, seat)],
            GAME.reference.examples(state, seat, [offer.text for offer in GAME.offers(state, seat)]),
        ]
        parts.append(repr(next(d for d in GAME.waiting(state) if d.seat == seat)))
    parts.append(body(run, seat, tell))
    return json.dumps(parts, default=repr)


def body(run: Run, seat: Seat | None, tell: Callable[..., tuple[Line, ...]] = GAME.tell) -> str:
    """The words of a mail to the seat, or of a board to be forwarded."""
    state = run.state
    mail = Mail(
        kind=MailKind.TURN,
        game="dice-1",
        game_kind=GAME.kind,
        seat=Seat(seat or ""),
        name=str(seat),
        heading=GAME.heading(state),
        news=tell(state, run.entries, seat, 1),
        view=GAME.view(state, seat), board=True, full=True,
        players=tuple(state.names.items()),
    )
    return ROOM.text(mail).body


@pytest.mark.parametrize("other", [FAYE, GEOFFREY, None])
def test_an_answer_shows_nowhere_before_the_half_day_closes(other: Seat | None) -> None:
    """A plain answer, one with a choice, and one whose choice is open look alike to the others."""
    looks = set()
    for at in range(3):
        run = with_choice()
        run.order(ANNA, answers(run)[at])
        run.order(FAYE, GAME.offers(run.state, FAYE)[0].text)
        looks.add(seen(run, other))
    assert 1 == len(looks)


def test_the_answer_shows_to_its_own_seat() -> None:
    """What the test above compares would show a difference if there were one to see."""
    looks = set()
    for at in range(3):
        run = with_choice()
        run.order(ANNA, answers(run)[at])
        looks.add(seen(run, ANNA))
    assert 3 == len(looks)


def test_a_planted_leak_is_found() -> None:
    """A telling that gives the sealed order to everybody makes the looks differ."""

    def leaking(state: Any, entries: list[LogEntry], reader: Seat | None, first: int = 0) -> tuple[Line, ...]:
        opened = [
            replace(entry, only={str(reader): next(iter(entry.only.values()))}) if entry.kind == "sealed" else entry
            for entry in entries
        ]
        return telling.tell_news(state, opened, reader, first)

    looks = set()
    for at in range(2):
        run = with_choice()
        run.order(ANNA, answers(run)[at])
        looks.add(seen(run, FAYE, leaking))
    assert 2 == len(looks)


def test_who_has_answered_is_secret_too() -> None:
    """The same letters from Anna, refused or sealed: others are asked the same and see the same position."""
    quiet, ready = with_choice(), with_choice()
    ready.order(ANNA, answers(ready)[0])
    assert GAME.dump(quiet.state)[0] == GAME.dump(ready.state)[0]
    assert body(quiet, FAYE) == body(ready, FAYE)
    assert {} == ready.last[0].data
    assert () == GAME.tell(ready.state, ready.last, FAYE, 1) == GAME.tell(ready.state, ready.last, None, 1)


def test_nothing_shows_over_whole_games() -> None:
    """At random moments of random games: replacing a sealed answer changes nothing for anybody else."""
    for seed in range(6):
        run = begin(3, seed=seed, expansion="yes")
        for seat, text in steps(run, seed):
            open_ = run.open_seats()
            if len(open_) < 2 or GAME.waiting(run.state)[0].kind == "numbering":
                continue
            one, two = Run(run.state, run.chance, run.entries[:]), Run(run.state, run.chance, run.entries[:])
            one.order(seat, text)
            others = [way for way, _ in zip(GAME.reference.every(run.state, seat), range(3), strict=False)]
            two.order(seat, others[-1])
            reader = next(other for other in open_ if other != seat)
            assert seen(one, reader) == seen(two, reader)
            assert seen(one, None) == seen(two, None)
            if run.state.day > 2:
                break


def test_all_are_applied_together_by_the_last_one() -> None:
    """One step holds everything, in the order of the seats, whoever was last; and it is a commit point."""
    entries = []
    for order in ((ANNA, FAYE, GEOFFREY), (GEOFFREY, ANNA, FAYE)):
        run = begin(3, seed=7)
        texts = {seat: GAME.offers(run.state, seat)[0].text for seat in order}
        for seat in order[:-1]:
            run.order(seat, texts[seat])
            assert ["sealed"] == [entry.kind for entry in run.last]
            assert {"anna": 3, "faye": 3, "geoffrey": 3} == {
                s: x.unspent("denier") for s, x in run.state.sheets.items()
            }
        reading = GAME.read(run.state, order[-1], texts[order[-1]])
        step = GAME.apply(run.state, order[-1], reading.order, run.chance)
        assert step.reveals
        assert ["anna", "faye", "geoffrey"] == [e.data["seat"] for e in step.entries if e.kind == "acts"]
        entries.append([entry for entry in step.entries if entry.kind != "sealed"])
    assert entries[0] == entries[1]


def test_an_answer_is_no_commit_point_before_the_last() -> None:
    run = begin(2)
    reading = GAME.read(run.state, ANNA, GAME.offers(run.state, ANNA)[0].text)
    assert not GAME.apply(run.state, ANNA, reading.order, run.chance).reveals


def test_an_answer_can_be_replaced_until_the_last_is_in() -> None:
    run = begin(2)
    first, second = (offer.text for offer in GAME.offers(run.state, ANNA)[:2])
    run.order(ANNA, first)
    number = run.state.number
    (decision,) = [decision for decision in GAME.waiting(run.state) if decision.seat == ANNA]
    assert (True, number) == (decision.answered, decision.number)
    run.order(ANNA, second)
    assert number == run.state.number
    run.finish_half_day()
    acts = {
        fact.seat: answer_text(fact.order, fact.die) for fact in DicePlay.kinds.read(run.last) if isinstance(fact, Acts)
    }
    assert second == acts["anna"]
    assert number + 1 == run.state.number


def test_a_missing_choice_is_asked_of_its_seat_alone() -> None:
    """The half day waits for the choice; everybody's number stays the same, so that nobody sees it."""
    run = with_choice()
    number = run.state.number
    run.order(ANNA, answers(run)[2])
    anna, faye, _ = GAME.waiting(run.state)
    assert ("bonus", True, False, number) == (anna.kind, anna.sealed, anna.answered, anna.number)
    assert ("half-day", False, number) == (faye.kind, faye.answered, faye.number)
    assert "work building" in str(anna.question)
    assert "choice is still open" in str(GAME.tell(run.state, run.last, ANNA, 1)[0].says)
    run.order(FAYE, GAME.offers(run.state, FAYE)[0].text)
    run.order(GEOFFREY, GAME.offers(run.state, GEOFFREY)[0].text)
    assert number == run.state.number, "the half day is still open"
    run.order(ANNA, GAME.offers(run.state, ANNA)[0].text)
    assert number + 1 == run.state.number


def test_a_choice_completes_the_answer_as_if_it_had_stood_there() -> None:
    one, two = with_choice(), with_choice()
    whole = answers(one)[1]
    one.order(ANNA, whole)
    order, _, choice = whole.partition("; bonus ")
    two.order(ANNA, order)
    two.order(ANNA, f"bonus {choice}")
    assert GAME.dump(one.state) == GAME.dump(two.state)


def test_who_can_pay_for_nothing_is_not_asked_and_holds_nobody_up() -> None:
    """A decision with one outcome is made for the player, and told."""
    run = begin(2, seed=1)
    black_first = next(seed for seed in range(99) if begin(1, seed=seed).state.dice[0].black)
    run = begin(2, seed=black_first)
    sheet = run.state.sheets[ANNA]
    run.state.sheets[ANNA] = replace(sheet, spent=dict(sheet.circled))
    play = conduct_again(run)
    assert [FAYE] == [decision.seat for decision in GAME.waiting(play.state)]
    with pytest.raises(TooLate) as late:
        GAME.read(play.state, ANNA, "red 2: influence")
    assert "no die" in str(late.value.reason)
    play.order(FAYE, GAME.offers(play.state, FAYE)[0].text)
    said = [str(line.says) for line in GAME.tell(play.state, play.last, ANNA, 1) if line.mine]
    assert any("can pay for no die: +1 influence, +1 denier, +1 knowledge" in line for line in said)


def conduct_again(run: Run) -> Run:
    """The half day's question asked again, after a test has changed what somebody owns."""
    from engine.troyes_dice.events import DicePlay
    from engine.troyes_dice.phases.game_flow import ask_everybody

    play = DicePlay(run.state, run.chance)
    ask_everybody(play)
    return Run(play.state, run.chance, [*run.entries, *play.entries])


def test_a_trial_never_tells_whether_the_others_are_ready() -> None:
    """On a redacted position the half day stays open, whoever has answered; one's own choices can be tried."""
    for ready in (False, True):
        run = with_choice()
        plain, whole, open_ = answers(run)
        run.order(ANNA, open_)
        if ready:
            run.order(FAYE, GAME.offers(run.state, FAYE)[0].text)
            run.order(GEOFFREY, GAME.offers(run.state, GEOFFREY)[0].text)
        for known in (GAME.moderation.redacted(run.state), GAME.moderation.redacted(run.state, ANNA)):
            for text in (plain, whole):
                step = GAME.apply(known, ANNA, GAME.read(known, ANNA, text).order, BlindChance())
                assert (["sealed"], False) == ([entry.kind for entry in step.entries], step.reveals)
        choice = whole.partition("; ")[2]
        mine = GAME.moderation.redacted(run.state, ANNA)
        assert "sealed" == GAME.apply(mine, ANNA, GAME.read(mine, ANNA, choice).order, BlindChance()).entries[0].kind
        blank = GAME.moderation.redacted(run.state)
        with pytest.raises(UnknownDraw):
            GAME.apply(blank, ANNA, GAME.read(blank, ANNA, choice).order, BlindChance())


def test_a_trial_alone_ends_at_the_roll() -> None:
    """Alone one's answer closes the half day; what it does is told, the roll is not."""
    run = begin(1)
    known = GAME.moderation.redacted(run.state)
    with pytest.raises(UnknownDraw) as ends:
        GAME.apply(known, ANNA, GAME.read(known, ANNA, GAME.offers(known, ANNA)[0].text).order, BlindChance())
    told = [str(line.says) for line in GAME.tell(run.state, ends.value.entries, ANNA, 1)]
    assert told and told[0].startswith("You: «")


def test_redacted_has_no_answer_in_it() -> None:
    run = with_choice()
    before = GAME.moderation.redacted(run.state)
    run.order(ANNA, answers(run)[1])
    assert GAME.dump(before) == GAME.dump(GAME.moderation.redacted(run.state))
    assert deepcopy(run.state) == run.state


def test_renumbering_keeps_sealed_answers_and_makes_older_letters_late() -> None:
    run = begin(2)
    run.order(ANNA, GAME.offers(run.state, ANNA)[0].text)
    changed = GAME.moderation.renumber(run.state, 40)
    assert {41} == {decision.number for decision in GAME.waiting(changed)}
    assert run.state.sealed == changed.sealed
