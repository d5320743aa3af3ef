"""Set-up: options, plazas, tiles, the town crier and the numbers of the columns (rulings, section 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.catalog import T
from engine.chance import Chance
from engine.errors import NotAllowed
from engine.kit.rolls import Draws
from engine.table_options import Option, settled_options
from engine.troyes_dice.card_data import DiceBox
from engine.troyes_dice.events import Begins
from engine.troyes_dice.state.dice import SECOND_SLOT
from engine.troyes_dice.state.dice_state import Plaza

TITLE = "Troyes Dice"
PLAYERS = range(1, 11)
DRAWS = ("plazas", "sides", "banquets", "start", "numbering")
"""The kinds of draws of a set-up."""
TILES = 3
"""Banquets and Raids tiles in a game, one for each plaza of a single colour."""

OPTIONS: tuple[Option, ...] = (
    Option("expansion", ("no", "yes"), "no", T("play with the Banquets and Raids"),
           played={"yes": T("with the Banquets and Raids")},
           words={"fr": {"yes": "oui", "no": "non"}}),
    Option(
        "numbering",
        ("first", "crier", "expert"),
        "first",
        T("numbers of the columns: 1 to 6; one rolled and then up or down; or any order, chosen by the town crier"),
        played={
            "crier": T("the town crier rolls the number of one column and chooses whether they go up or down from it"),
            "expert": T("the town crier chooses the numbers of the columns"),
        },
        words={"fr": {"numbering": "numérotation", "first": "premier", "crier": "crieur"}},
    ),
    Option("numbers", (), "", T("the host's own choice instead of the town crier's: 4 5 6 1 2 3, or up or down"),
           played={"": T("the numbers of the columns, as the host has chosen them")},
           words={"fr": {"numbers": "numéros", "up": "montant", "down": "descendant"}}),
    Option(
        SECOND_SLOT,
        ("any", "denier"),
        "any",
        T("what the second plaza of a half day costs: one resource of any kind, or a denier"),
        played={"denier": T("the second plaza of a half day costs a denier")},
    ),
)


def settle_options(players: int, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return every option with its value. Raises NotAllowed for unknown names, values or a wrong number of players."""
    settled = settled_options(TITLE, PLAYERS, OPTIONS, players, chosen)
    given, mode = settled["numbers"].replace(",", " ").split(), settled["numbering"]
    right = {"first": False, "crier": given in (["up"], ["down"]), "expert": sorted(given) == list("123456")}
    if given and not right[mode]:
        fits = {
            "first": T("nothing, since the columns are numbered 1 to 6"),
            "crier": T("up or down, since the first number is rolled"),
            "expert": T("each number from 1 to 6 once, such as 4 5 6 1 2 3"),
        }
        raise NotAllowed(
            T(
                "numbers is «{value}»; with numbering={mode} it is {fits}.",
                value=settled["numbers"],
                mode=mode,
                fits=fits[mode],
            )
        )
    settled["numbers"] = " ".join(given)
    return settled


def begin_game(
    players: Mapping[Any, str], options: Mapping[str, str], chance: Chance, box: DiceBox, first: str | None
) -> Begins:
    """Return the first event: seats, facts, plazas, and the number rolled for the first column."""
    draws = Draws(chance)
    order = draws.shuffled("plazas", box.plazas)
    sides = draws.roll("sides", len(box.plazas), 2)
    plazas = [Plaza(*(faces if side == 1 else faces[::-1])) for faces, side in zip(order, sides, strict=True)]
    if options["expansion"] == "yes":
        tiles = iter(draws.shuffled("banquets", list(box.banquets))[:TILES])
        plazas = [replace(one, tile=next(tiles), side="banquet") if one.up == one.down else one for one in plazas]
    seats = [str(seat) for seat in players]
    return Begins(
        seats=dict(zip(seats, players.values(), strict=True)),
        options=dict(options),
        crier=str(first) if first is not None else seats[draws.roll("start", 1, len(seats))[0] - 1],
        plazas=tuple(plazas),
        first_number=draws.roll("numbering")[0] if options["numbering"] == "crier" else 0,
        draws=draws.rows,
        box=box.to_data(),
    )


def cyclic_numbers(first: int, way: str) -> tuple[int, ...]:
    """Return six numbers from `first` on, rising or falling, with 1 after 6 and 6 after 1."""
    step = 1 if way == "up" else -1
    return tuple((first - 1 + step * at) % 6 + 1 for at in range(6))
