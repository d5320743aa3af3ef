"""A store, a game in it, and a spool, new for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.store.game_repo import GameRepo
from pbem.store.game_store import GameStore
from pbem.store.spool import Spool
from tests.store.play import made


@pytest.fixture
def store(tmp_path: Path) -> GameStore:
    return GameStore(tmp_path / "games", wait=0.2)


@pytest.fixture
def repo(store: GameStore) -> GameRepo:
    return made(store)


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    return Spool(tmp_path / "mail")
