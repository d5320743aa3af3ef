"""A host's corrections of facts, as tables of a TOML file, for games that begin afterwards.

```toml
[activity.merchant]
divisor = 3
[event.brigands]        # all copies that go by this name; [event.brigands_b] is one card
banners = 5
[board]
income = 9
```

Everything wrong is found at once and told with its place, what stands there and what would be right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine.catalog import Msg, T
from engine.errors import NotAllowed
from engine.event_log import plain_copy
from engine.kit.card_data.fields import Field, WrongValue
from engine.kit.words import closest_match, kebab, table_id
from engine.values import fixed

Corrections = dict[str, Any]
"""`{"activity": {id: {field: value}}, …, "board": {field: value}}`, only what is given."""


@fixed
class Heading:
    """A heading of corrections: the fields of one of its tables by id, and the ids by name.

    If `called` is None, the heading is a single table; its fields are those of the id `""`.
    """

    fields: Callable[[str], Mapping[str, Field]]
    called: Mapping[str, tuple[str, ...]] | None = None


class CorrectionsRefused(NotAllowed):
    """Corrections that do not fit. `problems` holds one sentence each, `reason` all of them; nothing was taken."""

    def __init__(self, problems: tuple[Msg, ...]) -> None:
        *rest, joined = problems
        for problem in reversed(rest):
            joined = T("{first} {rest}", first=problem, rest=joined)
        super().__init__(joined)
        self.problems = problems


def checked_corrections(
    data: Mapping[str, Any],
    parts: Mapping[str, Heading],
    together: Callable[[Corrections, str], Iterable[Msg]],
    path: str = "corrections",
) -> Corrections:
    """Return the corrections with ids and fields as the tables spell them. Raises CorrectionsRefused, naming `path`.

    `together` finds values that are each possible, and cannot be played together.
    """
    found: Corrections = {}
    problems: list[Msg] = []
    for heading, table in data.items():
        name = table_id(str(heading))
        part = parts.get(name)
        if part is None:
            problems.append(_unknown(path, str(heading), tuple(parts)))
        elif not isinstance(table, Mapping):
            problems.append(_wrong(path, str(heading), table, T("a table, such as {example}", example=f"[{name}…]")))
        elif part.called is None:
            _take(found.setdefault(name, {}), table, part.fields(""), path, name, problems)
        else:
            _each(found.setdefault(name, {}), name, part, part.called, table, path, problems)
    if not problems:
        problems.extend(together(found, path))
    if problems:
        raise CorrectionsRefused(tuple(problems))
    return {name: changes for name, changes in found.items() if changes}


def _each(
    found: dict[str, Any],
    heading: str,
    part: Heading,
    called: Mapping[str, tuple[str, ...]],
    table: Mapping[str, Any],
    path: str,
    problems: list[Msg],
) -> None:
    # A word shared by copies first, so that a table for one copy says more than the table for all of them.
    for word, values in sorted(table.items(), key=lambda item: -len(called.get(kebab(str(item[0])), ()))):
        where, ids = f"{heading}.{word}", called.get(kebab(str(word)), ())
        if not ids:
            every = dict.fromkeys(f"{heading}.{id}" for ids in called.values() for id in ids)
            problems.append(_unknown(path, where, tuple(every)))
        elif not isinstance(values, Mapping):
            right = T("a table, such as {example}", example=f"[{heading}.{ids[0]}]")
            problems.append(_wrong(path, where, values, right))
        else:
            before = len(problems)
            for id in ids:
                if len(problems) == before:
                    _take(found.setdefault(id, {}), values, part.fields(id), path, where, problems)


def _take(
    found: dict[str, Any],
    values: Mapping[str, Any],
    known: Mapping[str, Field],
    path: str,
    where: str,
    problems: list[Msg],
) -> None:
    for given, value in values.items():
        name = table_id(str(given))
        if name not in known:
            problems.append(_unknown(path, f"{where}.{given}", tuple(f"{where}.{field}" for field in known)))
            continue
        try:
            found[name] = plain_copy(known[name].read(value))
        except WrongValue as wrong:
            problems.append(_wrong(path, f"{where}.{given}", value, wrong.right))


def _unknown(path: str, where: str, known: tuple[str, ...]) -> Msg:
    near = closest_match(where, known)
    if near:
        return T("{path}: {where} is not there to correct; did you mean {near}?", path=path, where=where, near=near)
    last = tuple(one.rpartition(".")[2] for one in known)
    return T("{path}: {where} is not there to correct; there are: {known}.", path=path, where=where, known=last)


def _wrong(path: str, where: str, found: object, right: Msg) -> Msg:
    shown = f'"{found}"' if isinstance(found, str) else str(found).lower() if isinstance(found, bool) else str(found)
    return T("{path}: {where} is {found}; it must be {right}.", path=path, where=where, found=shown[:60], right=right)
