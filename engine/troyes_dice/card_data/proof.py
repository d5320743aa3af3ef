"""The proof sheet: every fact with how sure it is, to compare with a real box."""

from __future__ import annotations

from engine.event_log import Data
from engine.kit.card_data import confidence_of, proof_row
from engine.troyes_dice.card_data.dice_box import DiceBox, load_box
from engine.troyes_dice.card_data.explain import achievement_text, tile_sides
from engine.troyes_dice.card_data.tables import fact_groups, shipped_tables

_COLOUR_FIELDS = ("front", "citizen", "counts")


def proof_rows(box: DiceBox | None = None) -> tuple[Data, ...]:
    """Return rows `{group, id, name, color, field, value, confidence, source, text}`, in the order of the tables.

    `confidence` is `corrected` if the box differs from the shipped fact; `source` then tells that fact.
    """
    box = box or load_box()
    rows: list[Data] = []
    for group in fact_groups():
        for id_, values in box.facts[group].items():
            table = shipped_tables()[group][id_]
            color = next((str(values[field]) for field in _COLOUR_FIELDS if field in values), "")
            text = _text(box, group, id_)
            # A tile without numbers, or an achievement, is still to be held against the box.
            shown = dict(values) or {"text": text}
            for field, value in shown.items():
                sure = confidence_of(table, field, value, table.get(field, value))
                rows.append(proof_row(group, id_, table["en"], color, field, value, text, sure))
    return tuple(rows)


def _text(box: DiceBox, group: str, id_: str) -> str:
    if group == "banquet":
        return " ".join(map(str, tile_sides(box, id_)))
    if group == "achievement":
        return " ".join(map(str, achievement_text(box, id_)))
    return ""
