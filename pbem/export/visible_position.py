"""Positions as plain data, and the changes between them.

A position is `{table, secret, hidden}`: the public half of `Game.dump`, the `secret` of each seat's view, and in a full
export the other half of `Game.dump`. Only what the reader may see is put in; nothing is removed afterwards.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from engine.catalog import Catalogue, Msg
from engine.event_log import Data
from engine.game import AnyGame, Seat
from pbem.export.audience import Audience


def visible_position(game: AnyGame, state: Any, sight: Audience, seats: Sequence[str], words: Catalogue) -> Data:
    """The visible part of a state; empty before the game begins."""
    if state is None:
        return {}
    public, hidden = game.dump(state)
    found: Data = {"table": public}
    secrets = {
        seat: plain_data(secret, words)
        for seat in sight.seats(seats)
        if (secret := getattr(game.view(state, Seat(seat)), "secret", None)) is not None
    }
    if secrets:
        found["secret"] = secrets
    if sight.full:
        found["hidden"] = hidden
    return found


def plain_data(value: Any, words: Catalogue) -> Any:
    """A view as dicts, lists, texts and numbers, without None."""
    if isinstance(value, Msg):
        return words.render(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return plain_data(parts, words)
    if isinstance(value, Mapping):
        return {str(key): plain_data(part, words) for key, part in value.items() if part is not None}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain_data(part, words) for part in value if part is not None]
    return value if isinstance(value, int | str | float) else str(value)


def difference(old: Data, new: Data) -> tuple[Data, list[list[str]]]:
    """The change from `old` to `new`: values to merge, and paths to delete before.

    Dicts are merged key by key; anything else is replaced.
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


def apply_change(old: Data, change: Data, gone: Sequence[Sequence[str]]) -> Data:
    """The position after a change; `old` is not modified."""
    found = dict(old)
    for head, *rest in gone:
        if rest:
            found[head] = apply_change(found[head], {}, [rest])
        else:
            found.pop(head, None)
    for key, value in change.items():
        both = isinstance(value, dict) and isinstance(found.get(key), dict)
        found[key] = apply_change(found[key], value, ()) if both else value
    return found
