"""What was read of late, kept in the memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any


class Recent:
    """The last few values asked for, by key; safe between threads."""

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
