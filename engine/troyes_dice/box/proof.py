"""The proof sheet: every fact with how sure it is, to compare with a real box."""

from __future__ import annotations

from engine.chronicle import Data
from engine.kit.box import proof_row, surety
from engine.troyes_dice.box.box import DiceBox, load_box
from engine.troyes_dice.box.explain import achievement, tile
from engine.troyes_dice.box.tables import groups, shipped

_COLOUR_FIELDS = ("front", "citizen", "counts")


def facts(box: DiceBox | None = None) -> tuple[Data, ...]:
    """Return rows `{group, id, name, color, field, value, confidence, source, text}`, in the order of the tables.

    `confidence` is `corrected` if the box differs from the shipped fact; `source` then tells that fact.
    """
    box = box or load_box()
    rows: list[Data] = []
    for group in groups():
        for id_, values in box.facts[group].items():
            table = shipped()[group][id_]
            color = next((str(values[field]) for field in _COLOUR_FIELDS if field in values), "")
            text = _text(box, group, id_)
            # A tile without numbers, or an achievement, is still to be held against the box.
            shown = dict(values) or {"text": text}
            for field, value in shown.items():
                sure = surety(table, field, value, table.get(field, value))
                rows.append(proof_row(group, id_, table["en"], color, field, value, text, sure))
    return tuple(rows)


def _text(box: DiceBox, group: str, id_: str) -> str:
    if group == "banquet":
        return " ".join(map(str, tile(box, id_)))
    if group == "achievement":
        return " ".join(map(str, achievement(box, id_)))
    return ""
