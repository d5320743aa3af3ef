"""Standing orders, sealed answers and lists for later: what they do, and that nobody else sees them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from engine.chance import BlindChance, SeededChance
from engine.errors import NotAllowed, TooLate
from engine.event_log import LogEntry
from engine.game import Seat
from engine.troyes.actions import reactions, sealed_answers
from engine.troyes.card_data.explain import LEVELS
from engine.troyes.state.places import SPACES as PLACES
from engine.troyes.state.troyes_state import TroyesState
from tests.troyes.games import GAME
from tests.troyes.ladies import ALL, Table, opening, played


def middle(kind: str, good: Callable[[TroyesState], bool] = lambda state: True) -> tuple[TroyesState, Seat]:
    """A position of some game with all modules in which a decision of that kind is open."""
    for seed in range(40):
        for state, *_ in played(seed, ALL):
            if state.asked and state.asked[0].kind == kind and good(state):
                return state, Seat(state.asked[0].seat)
    raise AssertionError(f"no game asks {kind}")


def sealed_by_several(kind: str) -> tuple[TroyesState, Seat]:
    """One with a sealed decision that nobody has answered yet."""
    return middle(kind, lambda state: len(state.asked) > 1 and not state.sealed)


def test_a_standing_order_may_come_from_anybody_at_any_time_and_leaves_open_questions_alone() -> None:
    """The question of another seat keeps its number, so that its answer is not late."""
    state, seat = middle("react")
    other = Seat(next(name for name in state.seats if name != seat))
    step = GAME.apply(state, other, GAME.read(state, other, "auto: react always").order, BlindChance())
    assert state.asked == step.state.asked
    assert dict.fromkeys(state.answering, "always") == step.state.reacts[other]
    assert not step.reveals
    with pytest.raises(TooLate):
        GAME.apply(state, other, GAME.read(state, other, "pass").order, BlindChance())


def test_a_standing_order_is_told_to_its_seat_alone() -> None:
    """Private: nothing of it, not even whose it is, stands in what others are told or in the public part of an entry."""
    state, seat = middle("react")
    other = Seat(next(name for name in state.seats if name != seat))
    step = GAME.apply(state, other, GAME.read(state, other, "auto: react never").order, BlindChance())
    assert {"kind": "standing"} == step.entries[0].public()
    assert () == GAME.tell(step.state, step.entries, seat) == GAME.tell(step.state, step.entries, None)
    told = [str(line.says) for line in GAME.tell(step.state, step.entries, other)]
    assert len(state.answering) == len(told)
    assert all(says.endswith(": your cubes do not react, and you are not asked.") for says in told)
    assert GAME.dump(state)[0] == GAME.dump(step.state)[0]
    assert GAME.view(state, seat) == GAME.view(step.state, seat)


def test_a_standing_order_answers_the_question_that_is_open() -> None:
    """Who is asked about a reaction and says «never» has answered."""
    state, seat = middle("react")
    step = GAME.apply(state, seat, GAME.read(state, seat, "auto: react never").order, SeededChance(b"", [], ""))
    assert all(asked.seat != seat or asked.kind != "react" for asked in step.state.asked)


def test_the_question_offers_each_answer_once_for_all() -> None:
    """The mail that asks offers «always» as a numbered choice; taken, it answers and is kept for that tile."""
    state, seat = middle("react")
    tile = reactions.asked_tile(state.agenda[-1])
    level = LEVELS[state.outdoor(tile).level]
    texts = [offer.text for offer in GAME.offers(state, seat)]
    always = f"auto: react {level} always"
    assert sorted([f"react {level}", "react no", always, f"auto: react {level} never"]) == sorted(texts)
    step = GAME.apply(state, seat, GAME.read(state, seat, always).order, SeededChance(b"", [], ""))
    assert {tile: "always"} == step.state.reacts[seat]
    assert any(made.kind == "tile" and made.data["seat"] == seat and made.data["by"] == -1 for made in step.entries)


def test_no_cube_is_spent_unasked() -> None:
    """Over whole games: a cube that answers others goes by the seat's own order, or by what it has said of that tile."""
    asked = spent = 0
    for seed in range(24):
        for state, seat, text, step in played(seed, replace(ALL, players=2 + seed % 3)):
            asked += text.startswith("react ")
            said = {**state.reacts, **({seat: step.state.reacts.get(seat, {})} if text.startswith("auto") else {})}
            head: LogEntry | None = None
            for made in step.entries:
                head = made if made.kind == "order" else head
                if made.kind != "tile" or made.data["by"] > 0 or made.data["tile"] not in state.answering or head is None:
                    continue
                if head.data["order"]["verb"] == "react" and (made.data["seat"], "react") != (seat, text.split()[0]):
                    spent += 1
                    assert "always" == said[made.data["seat"]][made.data["tile"]]
    assert asked and spent


def test_standing_orders_need_the_ramparts() -> None:
    """Without outdoor tiles nothing reacts, and the reply says so."""
    state = opening(3, Table(3, {"ladies": "events"})).state
    with pytest.raises(NotAllowed, match="No tile"):
        GAME.apply(state, Seat("anna"), GAME.read(state, Seat("anna"), "auto: react ask").order, BlindChance())


def test_what_only_standing_orders_differ_in_is_not_seen() -> None:
    """No leak: two positions that differ only in what others have said about reacting look and read the same."""
    rng = random.Random(1)
    for state, seat, _, step in islice(played(3, ALL), 30, 200, 5):
        other = step.state.copy()
        for opponent in state.others(seat):
            other.reacts[opponent] = dict.fromkeys(state.answering, rng.choice(("always", "never")))
        assert GAME.view(step.state, seat) == GAME.view(other, seat)
        assert GAME.offers(step.state, seat) == GAME.offers(other, seat)
        assert GAME.dump(step.state)[0] == GAME.dump(other)[0]


@pytest.mark.parametrize("kind", ("give", "discard"))
def test_nothing_of_a_sealed_answer_is_seen_before_the_last(kind: str) -> None:
    """Others see neither the answer nor whether there is one; one's own can be given anew."""
    state, seat = middle(kind)
    assert all(decision.sealed for decision in GAME.waiting(state))
    text = GAME.offers(state, seat)[0].text
    step = GAME.apply(state, seat, GAME.read(state, seat, text).order, BlindChance())
    others = [Seat(name) for name in state.seats if name != seat]
    if len(state.asked) > 1 and len(state.sealed) + 1 < len(state.asked):
        for other in others:
            assert GAME.view(state, other) == GAME.view(step.state, other)
            assert () == GAME.tell(step.state, step.entries, other)
        assert GAME.dump(state)[0] == GAME.dump(step.state)[0]
        assert [True] == [decision.answered for decision in GAME.waiting(step.state) if decision.seat == seat]
        again = GAME.offers(step.state, seat)[-1].text
        GAME.apply(step.state, seat, GAME.read(step.state, seat, again).order, BlindChance())


@pytest.mark.parametrize("kind", ("give", "discard"))
def test_a_trial_never_tells_whether_the_others_are_ready(kind: str) -> None:
    """On a redacted position a sealed decision stays open for whoever is not asked alone, whoever has answered."""
    state, seat = sealed_by_several(kind)
    order = GAME.read(state, seat, GAME.offers(state, seat)[0].text).order
    ready = state.copy()
    for other in state.asked:
        if other.seat != seat:
            ready.sealed[other.seat] = sealed_answers.possible_answers(state, kind, other.seat)[0]
    assert GAME.apply(ready, seat, order, SeededChance(b"", [], "")).reveals, "it is the last answer"
    assert GAME.moderation.redacted(state, seat) == GAME.moderation.redacted(ready, seat)
    for known in (GAME.moderation.redacted(ready), GAME.moderation.redacted(ready, seat)):
        step = GAME.apply(known, seat, order, BlindChance())
        assert (["sealed"], False) == ([entry.kind for entry in step.entries], step.reveals)
        assert {seat} == set(step.state.sealed)


@pytest.mark.parametrize("kind", ("give", "discard"))
def test_a_sealed_answer_is_taken_back_whoever_has_answered_since(kind: str) -> None:
    """Else a refusal would tell who has. Others see of it what they see of an answer: nothing."""
    state, seat = sealed_by_several(kind)
    assert GAME.withdraw(state, seat) is None
    answered = GAME.apply(state, seat, GAME.read(state, seat, GAME.offers(state, seat)[0].text).order, BlindChance())
    back = GAME.withdraw(answered.state, seat)
    assert back is not None and not back.reveals
    assert [entry.public() for entry in answered.entries] == [entry.public() for entry in back.entries]
    assert GAME.dump(state) == GAME.dump(back.state) == GAME.dump(GAME.fold(answered.state, back.entries))
    assert GAME.waiting(state) == GAME.waiting(back.state)
    other = next(name for name in state.seats if name != seat)
    assert () == GAME.tell(back.state, back.entries, Seat(other)) == GAME.tell(back.state, back.entries, None)
    assert ["Your sealed answer is taken back; you have not answered."] == [
        str(line.says) for line in GAME.tell(back.state, back.entries, seat)
    ]


def test_what_changes_no_question_shows_in_no_entry() -> None:
    """An entry that others can read would tell that somebody has answered, or said something once for all."""
    quiet = 0
    for seed in (0, 7):
        for state, _, text, step in played(seed):
            if not (text.startswith("auto") or state.asked[0].kind in ("give", "discard")):
                continue
            if step.state.asked == state.asked:
                quiet += 1
                assert [] == [entry for entry in step.entries if entry.data], text
                assert GAME.dump(step.state) == GAME.dump(GAME.fold(state, step.entries))
    assert quiet > 5


def test_a_list_for_later_placements_shows_in_no_entry() -> None:
    """What the table reads of the entries is the same with such a list and without, to the end of the placement."""
    found: list[list[dict[str, Any]]] = []
    for planned in (False, True):
        state, entries = opening(1, Table(3, {"ladies": "none"})).state, []
        while state.asked and state.asked[0].kind == "settle":
            seat, free = Seat(state.asked[0].seat), list(map(str, state.free_spaces()))
            # The places wished for are taken by then, so that the list never answers.
            wished = [str(place) for place in PLACES if str(place) not in free][:2] if planned else []
            words = ", ".join(place.replace("_", "-") for place in (free[0], *wished))
            step = GAME.apply(state, seat, GAME.read(state, seat, f"settle {words}").order, SeededChance(b"", [], ""))
            state, entries = step.state, [*entries, *step.entries]
        assert planned == any(entry.only.get(seat, {}).get("places") for entry in entries for seat in state.seats)
        assert {} == state.wishes
        found.append([entry.public() for entry in entries])
    assert found[0] == found[1]
