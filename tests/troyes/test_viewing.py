"""The view and its templates: complete for whoever may see it, and blind to what that reader may not know."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

import pytest

from engine.catalog import Msg
from engine.errors import OrderRefused
from engine.game import Seat
from engine.troyes.state.troyes_state import QueuedEvent, TroyesState
from pbem.outbound.mail import Mail, MailKind
from pbem.outbound.render import Host, Renderer
from tests.troyes import games
from tests.troyes.games import GAME

RENDERER = Renderer(Host("games@host.test"))
SEEDS = (*range(3), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(3, 10)))


def body(state: TroyesState, seat: str | None) -> str:
    """The mail that shows the position and nothing else."""
    players = tuple(state.names.items())
    name = state.names.get(seat or "", "")
    view = GAME.view(state, seat)
    mail = Mail(kind=MailKind.TURN, game="troyes-1", game_kind="troyes", seat=Seat(seat or ""), name=name, heading=GAME.heading(state), view=view, board=True, full=True, players=players)
    return RENDERER.text(mail).body


def check_shown(state: TroyesState, seat: str | None) -> str:
    """That mail, whole, and with no line that begins like an order."""
    text = body(state, seat)
    assert not [odd for odd in ("{", "None", "Msg(", "Owner(") if odd in text]
    for line in filter(None, text.splitlines()):
        assert line.split()[0].strip(":").lower() not in GAME.reference.verbs(), line
    return text


def middle(seed: int = 5, at: float = 0.6, **options: Any) -> tuple[TroyesState, Seat]:
    """A position of a three-player game, in which a seat has to act."""
    found = played(seed, **options) if options else course(seed)
    return next((state.copy(), seat) for state, seat in found[int(len(found) * at) :] if state.asked[0].kind == "turn")


def played(seed: int, **options: Any) -> list[tuple[TroyesState, Seat]]:
    """Every position of a game with who has to act."""
    return [(state, seat) for state, seat, _, _ in games.random_game(3, seed, **options)]


@cache
def course(seed: int) -> list[tuple[TroyesState, Seat]]:
    """`played` without options, once for all; not to be changed."""
    return played(seed)


def test_the_heading_says_where_the_game_stands() -> None:
    towns = [step.state for *_, step in games.random_game(2, 1)]
    assert "initial placement" == str(GAME.heading(towns[0]))
    assert "final scores" == str(GAME.heading(towns[-1]))
    shown = list(dict.fromkeys(str(GAME.heading(state)) for state in towns[:-1]))
    assert ["initial placement", *(f"round {n} of 4" for n in range(1, 5))] == shown


@pytest.mark.parametrize("seed", SEEDS)
def test_whole_games_are_shown_to_every_reader(seed: int) -> None:
    """Every position renders: no unfilled brace, no line that begins like an order, no handle for a name."""
    players = 2 + seed % 3
    names = {Seat("h-one"): "Anna", Seat("h-two"): "Faye", Seat("h-three"): "Geoffrey", Seat("h-four"): "Émile Nord"}
    for number, (*_, step) in enumerate(games.random_game(players, seed, seed % 2 == 0, names=names)):
        for seat in (None, *list(names)[:players]):
            if (number + len(seat or "")) % 4:
                continue
            assert "h-" not in check_shown(step.state, seat).replace("(h-", "(")


def test_no_line_of_the_position_is_an_order() -> None:
    """Our mail comes back quoted, in every way there is."""
    state, seat = middle()
    assert "pass" == GAME.read(state, seat, "pass").text
    for line in filter(None, body(state, seat).splitlines()):
        with pytest.raises(OrderRefused):
            GAME.read(state, seat, line)


def set_(**changes: Any) -> Callable[[TroyesState, str], None]:
    def change(state: TroyesState, other: str) -> None:
        for name, value in changes.items():
            setattr(state.houses[other], name, value)

    return change


def push_threat(state: TroyesState, other: str) -> None:
    state.queue.append(QueuedEvent("war"))


def cube(state: TroyesState, other: str) -> None:
    state.queue[0].cubes.append(other)


def take_out_a_die(state: TroyesState, other: str) -> None:
    next(dice for dice in state.dice.values() if dice).pop()


PUBLIC: dict[str, Callable[[TroyesState, str], Any]] = {
    "deniers": set_(deniers=99),
    "influence": set_(influence=19),
    "citizens in hand": set_(supply=9),
    "citizens in the general supply": set_(reserve=11),
    "passing": lambda state, other: set_(passed=not state.houses[other].passed)(state, other),
    "coins": set_(passed=True, coins=17),
    "events won": set_(won=["heresy"]),
    "dice": take_out_a_die,
    "black dice": lambda state, _: state.black.append(5),
    "palace": lambda state, other: state.palace.__setitem__(0, "" if state.palace[0] == other else other),
    "row": lambda state, other: state.rows["bishopric"][2].__setitem__(
        1, "" if state.rows["bishopric"][2][1] == other else other
    ),
    "lying": lambda state, other: state.lying["city_hall"].append(other),
    "neutral citizens": lambda state, _: setattr(state, "neutrals", state.neutrals + 1),
    "activities": lambda state, _: state.cards.pop(),
    "tradesman": lambda state, other: state.cards[0].spaces.__setitem__(
        0, "" if state.cards[0].spaces[0] == other else other
    ),
    "illustration": lambda state, other: state.cards[0].picture.append(other),
    "cubes on a card": lambda state, other: state.cards[0].cubes.__setitem__(other, 7),
    "cathedral": lambda state, other: state.cathedral[2].__setitem__(5, "" if state.cathedral[2][5] == other else other),
    "queue": push_threat,
    "cubes on an event": cube,
    "round": lambda state, _: setattr(state, "round", state.round - 1),
    "phase": lambda state, _: setattr(state, "phase", "black dice"),
    "start player": lambda state, _: setattr(state, "start", state.after(state.start)),
    "rolls of the Archer": lambda state, _: state.agenda.append({"step": "archery", "left": 2}),
}


@pytest.mark.parametrize("what", PUBLIC)
@pytest.mark.parametrize("whose", ["mine", "another's", "a spectator's"])
def test_nobody_needs_another_source(what: str, whose: str) -> None:
    """The position is complete. Whatever lies openly on the table and changes, changes the mail."""
    state, seat = middle()
    changed = state.copy()
    PUBLIC[what](changed, seat if whose == "mine" else state.after(seat))
    reader = None if whose == "a spectator's" else seat
    assert body(state, reader) != body(changed, reader)


def test_my_own_secrets_stand_in_the_last_block_with_what_they_count_now() -> None:
    """Thresholds, points, and the VP held."""
    state, seat = middle()
    state = state.copy()
    state.characters[seat] = ["hugues_de_payns"]
    state.houses[seat].influence, state.houses[seat].vp = 12, 11
    public, _, secret = body(state, seat).partition("ONLY FOR YOU, cut before forwarding\n")
    assert (
        "You are Hugues de Payns. Counts your influence. From 5, 10, 15 on: 1, 3, 6 VP. Now 12, worth 3 VP.\n"
        "You hold 11 VP." == secret
    )
    assert "Hugues" not in public


def test_a_spectator_gets_no_side_and_no_secrets() -> None:
    state, _ = middle()
    seen = GAME.view(state, None)
    assert seen.mine is None and seen.secret is None and seen.question is None
    assert set(state.seats) == {purse.owner.seat for purse in seen.others}
    assert "ONLY FOR YOU" not in body(state, None) and "YOUR SIDE" not in body(state, None)


def test_totals_of_others_are_shown_only_where_the_table_plays_open() -> None:
    """VP of others are shown only with `rule.vp=open`."""
    hidden, seat = middle()
    open_, _ = middle(options={"rule.vp": "open"})
    assert {None} == {purse.vp for purse in GAME.view(hidden, seat).others}
    assert {hidden.houses[other].vp for other in hidden.others(seat)} == {
        purse.vp for purse in GAME.view(open_, seat).others
    }
    other = GAME.view(open_, seat).others[0]
    assert re.search(rf"citizens? \(\+\d+\), {other.vp} VP", body(open_, seat))


def test_a_view_is_values_all_the_way_down() -> None:
    """Templates can reach nothing but what was put in: frozen dataclasses, tuples, words and numbers."""

    def check(value: Any) -> None:
        if isinstance(value, tuple):
            for part in value:
                check(part)
        elif is_dataclass(value) and not isinstance(value, (type, Msg)):
            assert value.__dataclass_params__.frozen  # type: ignore[attr-defined]
            for field in fields(value):
                check(getattr(value, field.name))
        else:
            assert value is None or isinstance(value, (str, int, Msg)), value

    state, seat = middle()
    check(GAME.view(state, seat))
    hash(GAME.view(state, seat))


def test_a_redacted_position_can_be_viewed() -> None:
    state, seat = middle()
    assert () == GAME.view(GAME.moderation.redacted(state), seat).secret.characters


# The no-leak law at the engine's door.
