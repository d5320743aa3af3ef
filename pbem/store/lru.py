"""Small caches of the values that were used last."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class LruCache:
    """The `room` values used last, by key; safe between threads."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._values: OrderedDict[Hashable, Any] = OrderedDict()
        self._guard = threading.Lock()

    def get(self, key: Hashable) -> Any:
        with self._guard:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: Hashable, value: Any) -> None:
        with self._guard:
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._room:
                self._values.popitem(last=False)


class PositionCache(Generic[T]):
    """Values made from a position and a few words, kept for the last `room` calls.

    A position is known by its identity, since it is never changed, only copied.
    """

    def __init__(self, room: int, make: Callable[..., T]) -> None:
        self._make = make
        self._known = LruCache(room)

    def __call__(self, game: Any, state: Any, *words: Hashable) -> T:
        key = (id(game), id(state), *words)
        known: tuple[Any, Any, T] | None = self._known.get(key)
        if known is not None and known[0] is game and known[1] is state:
            return known[2]
        found = self._make(game, state, *words)
        self._known.put(key, (game, state, found))
        return found
