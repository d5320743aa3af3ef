"""Commands of a host, called in this process."""

from __future__ import annotations

import json
from typing import Any, Protocol

from click.testing import Result


class Commands(Protocol):
    """`run` calls a command; `read` its JSON, which must be all of stdout."""

    def run(self, *words: str, typed: str | None = None) -> Result: ...

    def read(self, *words: str, code: int = 0, typed: str | None = None) -> Any:
        result = self.run(*words, "--json", typed=typed)
        assert code == result.exit_code, result.output
        return json.loads(result.stdout)
