"""A host's corrections of facts (engine.kit.card_data), as tables `{group: {id: {field: value}}}`.

```toml
[slot.2]            # the second plaza of a half day
kind = "denier"
[plaza.4]
back = "white"
```
"""

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
    value: dict[tuple[str, str, str], Any] = {
        (group, id_, name): found.get(group, {}).get(id_, {}).get(name, shipped_tables()[group][id_].get(name))
        for group in ("resources", "citizens", "column_bonus", "track_bonus", "plaza")
        for id_ in shipped_tables()[group]
        for name in fields(group, id_)
    }
    problems: list[Msg] = []
    length = value["resources", "all", "length"]
    if max(value["resources", "all", "citizens"]) > length or value["resources", "all", "start"] > length:
        problems.append(
            T("{path}: a resource track of {length} is shorter than what it holds.", path=path, length=length)
        )
    track = value["citizens", "all", "length"]
    last = max(value["track_bonus", colour, "full_at"] for colour in shipped_tables()["track_bonus"])
    if last > track:
        problems.append(
            T(
                "{path}: a citizen track of {length} has no place {last} for its last bonus.",
                path=path,
                length=track,
                last=last,
            )
        )
    same = sum(value["plaza", id_, "front"] == value["plaza", id_, "back"] for id_ in shipped_tables()["plaza"])
    if same != 3:
        problems.append(
            T("{path}: {same} plazas have one colour on both sides; there must be {n}.", path=path, same=same, n=3)
        )
    return problems
