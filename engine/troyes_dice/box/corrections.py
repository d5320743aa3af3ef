"""A host's corrections of facts, as tables `{group: {id: {field: value}}}`, for games that begin afterwards.

```toml
[slot.2]            # the second plaza of a half day
kind = "denier"
[plaza.4]
back = "white"
```

Everything wrong is found at once and told with its place, what stands there and what would be right.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.catalog import Msg
from engine.catalog import T
from engine.errors import NotAllowed
from engine.troyes_dice.box.fields import WrongValue
from engine.troyes_dice.box.fields import fields
from engine.troyes_dice.box.tables import groups
from engine.troyes_dice.box.tables import shipped
from engine.troyes_dice.box.words import fold_word
from engine.troyes_dice.box.words import nearest

Corrections = dict[str, dict[str, dict[str, Any]]]


class CorrectionsRefused(NotAllowed):
    """Corrections that do not fit. `problems` holds one sentence each; `reason` all of them; nothing was taken."""

    def __init__(self, problems: tuple[Msg, ...]) -> None:
        *rest, joined = problems
        for problem in reversed(rest):
            joined = T("{first} {rest}", first=problem, rest=joined)
        super().__init__(joined)
        self.problems = problems


def check_corrections(data: Mapping[str, Any], path: str = "corrections") -> Corrections:
    """The corrections with ids and fields as the tables spell them. Raises CorrectionsRefused."""
    found: Corrections = {}
    problems: list[Msg] = []
    for heading, table in data.items():
        group = _word(heading)
        if group not in groups():
            problems.append(_unknown(path, str(heading), groups()))
            continue
        known = shipped()[group]
        if not isinstance(table, Mapping):
            problems.append(_wrong(path, group, table, T("a table, such as {example}", example=f"[{group}.…]")))
            continue
        for id_, values in table.items():
            where = f"{group}.{id_}"
            if _word(id_) not in known:
                problems.append(_unknown(path, where, tuple(f"{group}.{one}" for one in known)))
            elif not isinstance(values, Mapping):
                problems.append(_wrong(path, where, values, T("a table, such as {example}", example=f"[{where}]")))
            else:
                _take(found.setdefault(group, {}).setdefault(_word(id_), {}), group, _word(id_), values, path, problems)
    if not problems:
        problems.extend(_together(found, path))
    if problems:
        raise CorrectionsRefused(tuple(problems))
    return found


def _word(word: object) -> str:
    return fold_word(str(word)).replace("-", "_")


def _take(
    found: dict[str, Any], group: str, id_: str, values: Mapping[str, Any], path: str, problems: list[Msg]
) -> None:
    known = fields(group, id_)
    for given, value in values.items():
        name, where = _word(given), f"{group}.{id_}.{given}"
        if name not in known:
            problems.append(_unknown(path, where, tuple(f"{group}.{id_}.{one}" for one in known)))
            continue
        try:
            taken = known[name].read(value)
        except WrongValue as wrong:
            problems.append(_wrong(path, where, value, wrong.right))
        else:
            found[name] = list(taken) if isinstance(taken, tuple) else taken


def _together(found: Corrections, path: str) -> list[Msg]:
    """Facts that are each possible, and cannot be played together."""
    value: dict[tuple[str, str, str], Any] = {
        (group, id_, name): found.get(group, {}).get(id_, {}).get(name, shipped()[group][id_].get(name))
        for group in ("resources", "citizens", "column_bonus", "track_bonus", "plaza")
        for id_ in shipped()[group]
        for name in fields(group, id_)
    }
    problems: list[Msg] = []
    length = value["resources", "all", "length"]
    if max(value["resources", "all", "citizens"]) > length or value["resources", "all", "start"] > length:
        problems.append(
            T("{path}: a resource track of {length} is shorter than what it holds.", path=path, length=length)
        )
    track = value["citizens", "all", "length"]
    last = max(value["track_bonus", colour, "full_at"] for colour in shipped()["track_bonus"])
    if last > track:
        problems.append(
            T(
                "{path}: a citizen track of {length} has no place {last} for its last bonus.",
                path=path,
                length=track,
                last=last,
            )
        )
    same = sum(value["plaza", id_, "front"] == value["plaza", id_, "back"] for id_ in shipped()["plaza"])
    if same != 3:
        problems.append(
            T("{path}: {same} plazas have one colour on both sides; there must be {n}.", path=path, same=same, n=3)
        )
    return problems


def _unknown(path: str, where: str, known: tuple[str, ...]) -> Msg:
    near = nearest(where, known)
    if near:
        return T("{path}: {where} is not there to correct; did you mean {near}?", path=path, where=where, near=near)
    last = tuple(one.rpartition(".")[2] for one in known)
    return T("{path}: {where} is not there to correct; there are: {known}.", path=path, where=where, known=last)


def _wrong(path: str, where: str, found: object, right: Msg) -> Msg:
    shown = f'"{found}"' if isinstance(found, str) else str(found).lower() if isinstance(found, bool) else str(found)
    return T("{path}: {where} is {found}; it must be {right}.", path=path, where=where, found=shown[:60], right=right)
