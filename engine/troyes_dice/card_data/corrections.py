"""A host's corrections of facts (engine.kit.card_data), as tables `{group: {id: {field: value}}}`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from engine.catalog import Msg, T
from engine.kit.card_data import Corrections, Heading, checked_corrections
from engine.kit.words import kebab
from engine.troyes_dice.card_data.fields import fields
from engine.troyes_dice.card_data.tables import fact_groups, shipped_tables


def check_corrections(data: Mapping[str, Any]) -> Corrections:
    """Return the corrections with ids and fields as the tables spell them. Raises CorrectionsRefused."""
    parts = {
        group: Heading(partial(fields, group), {kebab(id_): (id_,) for id_ in shipped_tables()[group]})
        for group in fact_groups()
    }
    return checked_corrections(data, parts, _together)


def _together(found: Corrections, path: str) -> list[Msg]:
    """Find facts that are each possible, and cannot be played together."""
    whole = {
        group: {id_: table | found.get(group, {}).get(id_, {}) for id_, table in shipped_tables()[group].items()}
        for group in ("resources", "citizens", "track_bonus", "plaza")
    }
    problems: list[Msg] = []
    resources, length = whole["resources"]["all"], whole["resources"]["all"]["length"]
    if max(*resources["citizens"], resources["start"]) > length:
        problems.append(
            T("{path}: a resource track of {length} is shorter than what it holds.", path=path, length=length)
        )
    track = whole["citizens"]["all"]["length"]
    last = max(table["full_at"] for table in whole["track_bonus"].values())
    if last > track:
        problems.append(
            T(
                "{path}: a citizen track of {length} has no place {last} for its last bonus.",
                path=path,
                length=track,
                last=last,
            )
        )
    same = sum(plaza["front"] == plaza["back"] for plaza in whole["plaza"].values())
    if same != 3:
        problems.append(
            T("{path}: {same} plazas have one colour on both sides; there must be {n}.", path=path, same=same, n=3)
        )
    return problems
