"""Set-up: decks, characters, the start player (rulebook, Setup)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.catalog import T
from engine.chance import Chance, Purpose
from engine.errors import NotAllowed
from engine.kit.rolls import Draws, roll
from engine.table_options import Option, settled_options
from engine.troyes.card_data.house_rules import rule_options
from engine.troyes.card_data.troyes_box import TroyesBox, load_box
from engine.troyes.events.round_events import TroyesBegins
from engine.troyes.state import dice, ladies_modules
from engine.troyes.state.troyes_state import LE_ROY

TITLE = "Troyes"
PLAYERS = range(1, 5)

OPTIONS: tuple[Option, ...] = (
    ladies_modules.switch(
        "solo",
        T("one player against le Roy, an automaton; a table of one is always that"),
        T("one player against le Roy, an automaton"),
    ),
    ladies_modules.switch(
        "bonus",
        T("shuffle in the four bonus cards: Baker, Prior, Banquet, Resistance"),
        T("the four bonus cards are shuffled in: Baker, Prior, Banquet, Resistance"),
    ),
    *ladies_modules.OPTIONS,
    *rule_options(),
)


def settle_options(players: int, chosen: Mapping[str, str]) -> dict[str, str]:
    """Every option with its value. Raises NotAllowed for unknown names, values or a wrong number of players."""
    settled = settled_options(TITLE, PLAYERS, OPTIONS, players, chosen)
    ladies_modules.settled_modules(settled, players)
    _settle_solo(players, chosen, settled)
    return settled


def _settle_solo(players: int, chosen: Mapping[str, str], settled: dict[str, str]) -> None:
    """One player means solo, and solo means one player. Raises NotAllowed where the host says otherwise."""
    if players == 1 and chosen.get("solo", "yes") == "no":
        raise NotAllowed(T("One player alone plays against le Roy: leave solo=no out, or seat more players."))
    if players > 1 and settled["solo"] == "yes":
        raise NotAllowed(T("The solo game is for one player; {n} are seated.", n=players))
    if players == 1:
        settled["solo"] = "yes"


def begin_game(
    players: Mapping[Any, str],
    options: Mapping[str, str],
    chance: Chance,
    facts: Mapping[str, Any] | None,
    first: str | None,
) -> TroyesBegins:
    """The event a game begins with: who plays what, and (hidden) how everything was shuffled and dealt."""
    played = ladies_modules.modules_played(options)
    box = load_box(facts).with_modules(played)
    solo = options.get("solo") == "yes"
    # The solo game has two in the circle, and uses the numbers of two players (D25).
    count, circle = (2, [*players, LE_ROY]) if solo else (len(players), list(players))
    draws = Draws(chance, names=True)
    decks = _decks(box, count, options, draws)
    characters = draws.shuffled("characters", list(box.characters))
    turned_up = [characters.pop(0)] if options.get("open-character") == "yes" else []
    each = 0 if solo else box.board.characters[count]
    dealt = {seat: characters[at * each : (at + 1) * each] for at, seat in enumerate(players)}
    drawn = None if first is not None else roll(chance, Purpose(0, "start"), 1, count)
    return TroyesBegins(
        seats={str(seat): name for seat, name in players.items()},
        options=dict(options),
        start=str(circle[drawn.numbers[0] - 1]) if drawn else str(first),
        rolled=drawn,
        pile=tuple(characters) if solo else (),
        open_characters=tuple(turned_up),
        tiles=tuple(_tiles(box, "head" in played, draws)) if "ramparts" in played else (),
        box=box.to_data(),
        characters={str(seat): tuple(held) for seat, held in dealt.items()},
        decks=decks,
        draws=draws.rows,
    )


def _tiles(box: TroyesBox, purple: bool, draws: Draws) -> list[str]:
    """An outdoor tile for each gate. The one that rolls a purple die stays in the box where nobody has any."""
    found: list[str] = []
    for level in (1, 2, 3, 4):
        faces = [tile.id for tile in box.outdoor.values() if tile.level == level]
        if not purple:
            faces = [id for id in faces if box.outdoor[id].rolls != "purple"] or faces
        found.append(draws.shuffled(f"outdoor-{level}", faces)[0])
    return found


def _decks(box: TroyesBox, count: int, options: Mapping[str, str], draws: Draws) -> dict[str, tuple[str, ...]]:
    """One activity of each colour and level, as many red events as rounds, all white and yellow ones."""
    activity_sets, event_sets = ladies_modules.activity_sets(options), ladies_modules.event_sets(options)
    activities = [
        draws.shuffled(f"{colour}-{level}", box.pile(colour, level, activity_sets))[0]
        for level in (1, 2, 3)
        for colour in dice.COLOURS
    ]
    red = draws.shuffled("red-events", box.deck("red", event_sets))
    size = box.board.red_events[count]
    return {
        "activities": tuple(activities),
        "red": tuple(red[:size]),
        "unused_red": tuple(red[size:]),
        "yellow": tuple(draws.shuffled("yellow-events", box.deck("yellow", event_sets))),
        "white": tuple(draws.shuffled("white-events", box.deck("white", event_sets))),
    }
