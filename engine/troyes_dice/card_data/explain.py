"""Buildings, tiles, resources and rule words explained, with the numbers of the game."""

from __future__ import annotations

from collections.abc import Callable

from engine.catalog import Arg, Msg, T
from engine.kit.card_data import fill_numbers
from engine.reference import CardText
from engine.troyes_dice.card_data.dice_box import DiceBox, load_box
from engine.troyes_dice.card_data.item_names import find_meaning, item_name
from engine.troyes_dice.card_data.phrases import citizen_amount, colour_name, gain_text, resource_amount
from engine.troyes_dice.card_data.tables import shipped_tables


def explain(word: str, box: DiceBox | None = None) -> CardText | None:
    """Explain what goes by that name, with the numbers of `box` (None: the shipped ones); None if nothing does."""
    found = find_meaning(word)
    if found is None:
        return None
    group, id_ = found
    box = box or load_box()
    if group == "banquet":
        return CardText(item_name(f"tile {id_}"), tile_sides(box, id_))
    if group == "achievement":
        return CardText(item_name(id_), achievement_text(box, id_))
    return CardText(item_name(id_), tuple(_rule(text, box) for text in shipped_tables()["rule"][id_]["text_en"]))


def tile_sides(box: DiceBox, id_: str) -> tuple[Msg, Msg]:
    """Return both sides of a Banquets and Raids tile."""
    return tile_side(box, id_, "banquet"), tile_side(box, id_, "raid")


def tile_side(box: DiceBox, id_: str, which: str) -> Msg:
    """Return one side of a tile, `banquet` or `raid`."""
    return fill_numbers(shipped_tables()["banquet"][id_][f"{which}_en"], box.banquets[id_])


def achievement_text(box: DiceBox, id_: str) -> tuple[Msg, ...]:
    """Return what has to be done for an achievement."""
    return tuple(
        fill_numbers(text, box.facts["achievement"][id_]) for text in shipped_tables()["achievement"][id_]["text_en"]
    )


def _rule(text: str, box: DiceBox) -> Msg:
    """A sentence of the rules with the numbers it names; only these are worked out."""
    return T(text, **{key: made(box) for key, made in _NUMBERS.items() if f"{{{key}}}" in text})


def _or(rows: tuple[str, ...]) -> Msg:
    return T("{one} or {other}", one=item_name(rows[0]), other=item_name(rows[1]))


_NUMBERS: dict[str, Callable[[DiceBox], Arg]] = {
    "costs": lambda box: tuple(
        T("nothing") if kind == "free" or not n else resource_amount(kind, n) for kind, n in box.slots
    ),
    "steps": lambda box: box.steps,
    "price": lambda box: box.colour_price,
    "attacks_from": lambda box: box.attacks_from,
    "work": lambda box: box.work,
    "fortress": lambda box: tuple(citizen_amount(colour, n) for colour, n in box.fortress),
    "great_hall": lambda box: tuple(
        T("{gain} for each {colour} die", gain=gain_text(gain, n), colour=colour_name(counts))
        for counts, gain, n in box.great_hall
    ),
    "cathedral": lambda box: tuple(
        T("{who}: {row}", who=str(shipped_tables()["cathedral"][str(column)]["en"]), row=item_name(row))
        for column, row in enumerate(box.cathedral, start=1)
    ),
    "multipliers": lambda box: box.multipliers,
    "links": lambda box: tuple(
        T(
            "{row} {first}-{second}: {gain}",
            row=item_name(link.row),
            first=a,
            second=b,
            gain=gain_text(link.gain, link.amount),
        )
        for link in box.links
        for a, b in (link.columns,)
    ),
    "length": lambda box: box.track,
    "start": lambda box: box.start,
    "citizens": lambda box: box.citizen_places,
    "per_point": lambda box: box.per_point,
    "fallback": lambda box: box.fallback,
    "track": lambda box: box.crowd,
    "citizen_points": lambda box: box.citizen_points,
    "resources_at": lambda box: box.resources_at,
    "resources_each": lambda box: box.resources_each,
    "work_at": lambda box: box.work_at,
    "prestige": lambda box: tuple(
        T("{colour} at {at}: {rows}", colour=colour_name(colour), at=box.prestige_at[colour], rows=_or(rows))
        for colour, rows in box.prestige.items()
    ),
    "bands": lambda box: tuple(int(box.facts["achievement"][f"score_{n}"]["points"]) for n in (1, 2, 3)),
    "achievements": lambda box: tuple(item_name(id_) for id_ in shipped_tables()["achievement"]),
}
"""The numbers in the texts of rules."""
