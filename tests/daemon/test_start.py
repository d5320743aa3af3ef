"""What a daemon has done before it looks at letters."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from engine import game as games
from pbem.daemon import service
from pbem.host.config import bare


def test_the_games_are_loaded_before_somebody_waits_for_a_receipt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Loading them takes a second, which the first letter would wait."""
    loaded = []

    class Began:
        async def run(self, *, once: bool) -> int:
            loaded.append(games.games.cache_info().currsize)
            return 0

    monkeypatch.setattr(service, "open_service", lambda config: SimpleNamespace(close=lambda: None))
    monkeypatch.setattr(service, "daemon", lambda opened: Began())
    games.games.cache_clear()
    assert 0 == service.run(bare(tmp_path), once=True) == service.run(bare(tmp_path))
    assert [0, 1] == loaded
