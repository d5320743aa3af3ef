"""What a reader may not know changes nothing that he is sent: views, news, options."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.catalog import Msg
from engine.chance import Purpose
from engine.event_log import LogEntry
from engine.game import Decision, Seat
from engine.troyes.events.order_events import WishesKept
from engine.troyes.news import order_phrases
from engine.troyes.news.event_groups import EventGroup
from engine.troyes.news.sentence_parts import Voice
from engine.troyes.state import ladies_modules, orders
from engine.troyes.state.troyes_state import TroyesState
from engine.troyes.view import position_view as viewing
from engine.troyes.view.view_values import Purse
from tests.troyes import games
from tests.troyes.entries import e, ordered
from tests.troyes.games import GAME
from tests.troyes.test_viewing import SEEDS, body, middle


def otherwise(state: TroyesState, seat: str, seed: int) -> TroyesState:
    """A position that differs from `state` in everything that `seat` may not know, and in nothing else."""
    rng, other = random.Random(seed), state.copy()
    for deck in ("red", "unused_red", "yellow", "white"):
        rng.shuffle(other.decks[deck])
    if other.decks["red"] and other.decks["unused_red"]:
        red, unused = other.decks["red"], other.decks["unused_red"]
        red[0], unused[0] = unused[0], red[0]
    sets = ladies_modules.activity_sets(state.options)
    dealt = {*state.decks["activities"], *(card.id for card in state.cards)}
    for at, id in enumerate(state.decks["activities"]):
        face = state.activity(id)
        spare = [card for card in state.box.pile(face.color, face.level, sets) if card not in dealt]
        other.decks["activities"][at] = rng.choice(spare or [id])
    mine = state.characters[seat]
    rest = [id for id in state.box.characters if id not in mine]
    for opponent in state.others(seat):
        before = state.characters[opponent]
        other.characters[opponent] = [id for id in rest if id not in before][: len(before)] or rest[:1]
        other.houses[opponent].vp += 7
        if state.answering:
            said = state.reacts.get(opponent, {}).get(state.answering[0], "")
            other.reacts[opponent] = {state.answering[0]: {"": "never", "never": "always"}.get(said, "never")}
        if any(asked.seat == opponent and asked.kind in ("give", "discard") for asked in state.asked):
            other.sealed.pop(opponent, None)
            if opponent not in state.sealed:
                other.sealed[opponent] = "supply"
        if state.phase == "initial placement":
            other.wishes[opponent] = [] if state.wishes.get(opponent) else ["palace 1"]
    return other


def entries_otherwise(entries: tuple[LogEntry, ...], seat: str) -> tuple[LogEntry, ...]:
    """The same entries with other secrets of others."""
    changed = []
    for entry in entries:
        only = {owner: data for owner, data in entry.only.items() if owner == seat}
        if entry.kind == "order" and entry.data["seat"] != seat and not entry.data.get("given"):
            only[entry.data["seat"]] = {"why": "wish"}
        if entry.kind == "sealed" and seat not in entry.only:
            only = {owner: {"answer": "palace 1"} for owner in entry.only}
        if entry.kind == "standing" and seat not in entry.only:
            only = {owner: {"react": "never", "tiles": ["protection"]} for owner in entry.only}
        if entry.kind == "wishes" and seat not in entry.only:
            only = {owner: {"places": ["palace 1", "palace 2"]} for owner in entry.only}
        changed.append(replace(entry, only=only, hidden={"decks": {}} if entry.hidden else {}))
    return tuple(changed)


def asked_openly(state: TroyesState, seat: str) -> list[Decision]:
    """The open decisions; whether another seat has answered a sealed one is its secret."""
    return [replace(asked, answered=asked.answered and asked.seat == seat) for asked in GAME.waiting(state)]


def check_blind(state: TroyesState, seat: str, entries: tuple[LogEntry, ...], seed: int, *, offers: bool = True) -> None:
    """`seat` is told and shown the same, whatever is hidden from it."""
    other = otherwise(state, seat, seed)
    assert GAME.view(state, seat) == GAME.view(other, seat)
    assert GAME.heading(state) == GAME.heading(other)
    assert asked_openly(state, seat) == asked_openly(other, seat)
    changed = entries_otherwise(entries, seat)
    assert GAME.tell(state, entries, seat) == GAME.tell(other, changed, seat)
    assert body(state, seat) == body(other, seat)
    if offers and any(asked.seat == seat for asked in GAME.waiting(state)):
        assert GAME.offers(state, seat) == GAME.offers(other, seat)
        assert GAME.reference.examples(state, seat, [offer.text for offer in GAME.offers(state, seat)]) == GAME.reference.examples(other, seat, [offer.text for offer in GAME.offers(other, seat)])


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_hidden_from_a_seat_changes_nothing_it_is_sent(seed: int) -> None:
    """Nothing private is shown, over whole games, for every seat in turn."""
    players = 2 + seed % 3
    for number, (*_, step) in enumerate(games.random_game(players, seed, seed % 2 == 1)):
        seats = step.state.seats
        seat = step.state.asked[0].seat if number % 3 == 0 and step.state.asked else seats[number % players]
        check_blind(step.state, seat, step.entries, seed + number, offers=number % 6 == 0)


class Swapped:
    """The dice of the seeded game, but other characters for all seats save one, and another order of red events
    that never come."""

    def __init__(self, seed: int, keeps: range, red: int) -> None:
        self._true = games.chance_of(seed)
        self._keeps = keeps
        self._red = red

    def roll(self, purpose: Purpose, dice: int = 1, sides: int = 6) -> tuple[int, ...]:
        return self._true.roll(purpose, dice, sides)

    def order(self, purpose: Purpose, count: int) -> tuple[int, ...]:
        drawn = self._true.order(purpose, count)
        if purpose.kind == "red-events":
            return drawn[: self._red] + drawn[self._red :][::-1]
        if purpose.kind != "characters":
            return drawn
        others = [card for at, card in enumerate(drawn) if at not in self._keeps][::-1]
        return tuple(drawn[at] if at in self._keeps else others.pop(0) for at in range(count))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_games_that_differ_in_hidden_things_tell_a_seat_the_same_to_the_last_round(players: int) -> None:
    """What others see does not depend on anybody's characters until the scores show them."""
    seed, seat = 20 + players, Seat("faye")
    each = 2 if players == 2 else 1
    start = games.opening(players, seed)
    swapped = Swapped(seed, range(each, 2 * each), start.state.box.board.rounds[players])
    other = games.opening(players, seed, chance=swapped)
    assert start.state.characters != other.state.characters
    assert start.state.characters[seat] == other.state.characters[seat]
    ones = games.random_game(players, seed)
    twos = games.random_game(players, seed, chance=swapped)
    for (_, _, text, one), (_, _, same, two) in zip(ones, twos, strict=True):
        assert text == same
        if one.state.scores:
            break
        assert GAME.tell(one.state, one.entries, seat) == GAME.tell(two.state, two.entries, seat)
        assert GAME.view(one.state, seat) == GAME.view(two.state, seat)
    else:
        raise AssertionError("the game did not end")


def placed(lists: bool) -> tuple[list[str], TroyesState]:
    """An initial placement in which Anna gives a list at once, or answers each time with what would be in it."""
    step = games.opening(2, 3)
    wanted = {"anna": ["palace 3", "palace 4", "palace 5", "palace 6", "bishopric 1.1", "bishopric 2.1"]}
    heard = [str(line.says) for line in GAME.tell(step.state, step.entries, Seat("faye"))]
    chance = games.chance_of(3)
    while not step.state.round:
        seat = GAME.waiting(step.state)[0].seat
        free = [str(place) for place in step.state.free_spaces()]
        places = [place for place in wanted.get(seat, free[::-1]) if place in free]
        text = "settle " + ", ".join(place.replace("_", "-") for place in (places if lists else places[:1]))
        if seat == "faye":
            text = text.split(",")[0]
        step = GAME.apply(step.state, seat, GAME.read(step.state, seat, text).order, chance)
        heard += [str(line.says) for line in GAME.tell(step.state, step.entries, Seat("faye"))]
    return heard, step.state


def test_a_list_of_wishes_is_heard_by_nobody_else() -> None:
    """Standing orders are private: the same sentences in the same order; only Anna waits less."""
    (heard, state), (same, other) = placed(True), placed(False)
    assert heard == same
    assert GAME.view(state, Seat("faye")) == GAME.view(other, Seat("faye"))


def test_a_planted_leak_in_the_view_turns_the_law_red(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = viewing._purse

    def leaky(state: TroyesState, seat: str, reader: str | None) -> Purse:
        held = state.characters[seat][0]
        return replace(honest(state, seat, reader), won=(Msg(held),))

    state, seat = middle()
    check_blind(state, seat, (), 1)
    monkeypatch.setattr(viewing, "_purse", leaky)
    with pytest.raises(AssertionError):
        check_blind(state, seat, (), 1)


def test_a_planted_leak_in_the_news_turns_the_law_red(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = order_phrases.ORDER_PHRASES[orders.Settle]

    def leaky(voice: Voice, group: EventGroup, order: orders.Settle) -> order_phrases.OrderPhrase:
        told = honest(voice, group, order)
        kept = [fact.places for fact in group.of(WishesKept)]
        return replace(told, extra=(*told.extra, Msg(str(kept))))

    state = games.opening(3, 1).state
    moves = e("moves", owner="anna", source="supply", to="palace 6")
    wishes = LogEntry("wishes", {}, {"anna": {"places": ["palace 5"]}})
    entries = (*ordered("anna", orders.Settle(("palace 6",)), moves), wishes)
    check_blind(state, "faye", entries, 1)
    monkeypatch.setitem(order_phrases.ORDER_PHRASES, orders.Settle, leaky)
    with pytest.raises(AssertionError):
        check_blind(state, "faye", entries, 1)
