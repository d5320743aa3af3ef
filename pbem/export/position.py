"""Positions as plain data, and what changes from one to the next.

A position is `{table, secret, hidden}`: what lies on the table (the public half of `Game.dump`); by seat what only
that seat knows (the `secret` of its view, where the game's views have one); and in a full export what nobody knows
(the other half of `Game.dump`). Only what the reader may see is put in; nothing is taken out afterwards.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from engine.catalog import Catalogue, Msg
from engine.chronicle import Data
from engine.game import AnyGame, Seat
from pbem.export.sight import Sight


def position(game: AnyGame, state: Any, sight: Sight, seats: Sequence[str], words: Catalogue) -> Data:
    """What may be seen of a state; empty before the game begins."""
    if state is None:
        return {}
    public, hidden = game.dump(state)
    found: Data = {"table": public}
    secrets = {
        seat: plain(secret, words)
        for seat in sight.seats(seats)
        if (secret := getattr(game.view(state, Seat(seat)), "secret", None)) is not None
    }
    if secrets:
        found["secret"] = secrets
    if sight.full:
        found["hidden"] = hidden
    return found


def plain(value: Any, words: Catalogue) -> Any:
    """A view, or a part of one, as tables, lists, texts and numbers; what is None is left out."""
    if isinstance(value, Msg):
        return words.render(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return plain(parts, words)
    if isinstance(value, Mapping):
        return {str(key): plain(part, words) for key, part in value.items() if part is not None}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(part, words) for part in value if part is not None]
    return value if isinstance(value, int | str | float) else str(value)


def difference(old: Data, new: Data) -> tuple[Data, list[list[str]]]:
    """What to lay over `old` to get `new`, and the paths that have to go first.

    Tables are laid over each other key by key; anything else, lists too, is replaced whole.
    """
    change: Data = {}
    gone = [[key] for key in old if key not in new]
    for key, value in new.items():
        before = old.get(key)
        if key in old and type(before) is type(value) and before == value:
            continue
        if isinstance(before, dict) and isinstance(value, dict) and value:
            inner, lost = difference(before, value)
            gone += [[key, *path] for path in lost]
            if inner:
                change[key] = inner
        else:
            if isinstance(before, dict) and before and value == {}:
                gone.append([key])
            change[key] = value
    return change, gone


def applied(old: Data, change: Data, gone: Sequence[Sequence[str]]) -> Data:
    """The position after a change; `old` stays as it was."""
    found = dict(old)
    for head, *rest in gone:
        if rest:
            found[head] = applied(found[head], {}, [rest])
        else:
            found.pop(head, None)
    for key, value in change.items():
        both = isinstance(value, dict) and isinstance(found.get(key), dict)
        found[key] = applied(found[key], value, ()) if both else value
    return found
