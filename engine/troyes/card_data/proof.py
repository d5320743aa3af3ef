"""The proof sheet: every number of the box with how sure it is, to compare with real cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from engine.catalog import ENGLISH
from engine.event_log import Data
from engine.kit.card_data import confidence_of, proof_row
from engine.troyes.card_data.card_types import Activity, Character, EventCard, Outdoor
from engine.troyes.card_data.explain import card_text
from engine.troyes.card_data.fields import card_fields, correctable_numbers
from engine.troyes.card_data.tables import COLORS, shipped_numbers, shipped_tables
from engine.troyes.card_data.troyes_box import PLURALS, TroyesBox, load_box

GROUPS = (*COLORS, "events", "characters", "outdoor", "board", "solo")
"""The pages of the sheet."""

Face = Activity | EventCard | Character | Outdoor

SOURCES = {"board": "rulebooks, English and French", "solo": "solo rules in the English rulebook"}
UNREAD = "no rule asks for it; not to be corrected"
FIXED = {"board": "the shape of the board; not to be corrected", "solo": "how the solo game works; not to be corrected"}


def proof_rows(box: TroyesBox | None = None) -> tuple[Data, ...]:
    """Rows `{group, id, name, color, field, value, confidence, source, text}`, page by page in the order of GROUPS.

    `confidence` is `corrected` where the box differs from the shipped number; `source` then tells that number.
    """
    box = box or load_box()
    rows: list[Data] = []
    for color in COLORS:
        for card in box.activities.values():
            if card.color == color:
                rows.extend(_card_rows(color, "activity", card))
    for kind in ("event", "character", "outdoor"):
        for face in getattr(box, PLURALS[kind]).values():
            rows.extend(_card_rows(PLURALS[kind], kind, face))
    rows.extend(_single_rows("board", box.number, load_box().number))
    rows.extend(_single_rows("solo", partial(getattr, box.solo), partial(getattr, load_box().solo)))
    return tuple(rows)


def _card_rows(group: str, kind: str, card: Face) -> Iterator[Data]:
    text = card.text_en if isinstance(card, Character) else ENGLISH.render(card_text(card))
    table = shipped_tables(kind)[card.id]
    shown = list(card_fields(kind, card.id))
    if isinstance(card, Activity):
        # Shown to be compared with the card, though no host may correct it.
        currency = ["currency"] if card.currency != "deniers" else []
        shown[1:1] = ["kind", *currency, *(["becomes"] if card.becomes else []), *(["forbids"] if card.forbids else [])]
        shown.insert(shown.index("divisor") + 1 if "divisor" in shown else len(shown), "dice")
    standard: Face = getattr(load_box(), PLURALS[kind])[card.id]
    for field in shown:
        value = _value(card, field)
        sure = confidence_of(table, field, value, _value(standard, field))
        if field not in card_fields(kind, card.id):
            # Facts that are no numbers are in the text of every card, whatever the source of its numbers.
            sure["confidence"] = "seed"
        yield proof_row(group, card.id, card.name, getattr(card, "color", ""), field, value, text, sure)


def _value(card: Face, field: str) -> object:
    own: dict[str, int] = getattr(card, "numbers", {})
    return own[field] if field in own else getattr(card, field)


def _single_rows(group: str, number: Callable[[str], Any], shipped: Callable[[str], Any]) -> Iterator[Data]:
    """The numbers of the board, or of the solo game."""
    for name, table in shipped_numbers(group).items():
        sure = confidence_of({"source": SOURCES[group], **table}, name, number(name), shipped(name))
        text = "" if name in correctable_numbers(group) else UNREAD if table.get("unread") else FIXED[group]
        yield proof_row(group, group, table["en"], "", name, number(name), text, sure)
