"""Which room may know which: engine stands on the standard library, games apart, the post room outside the rules."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.game import games

ROOT = Path(__file__).parent.parent
ENGINE = sorted(ROOT.glob("engine/**/*.py"))
PBEM = sorted(ROOT.glob("pbem/**/*.py"))
GAMES = sorted(path.parent.name for path in ROOT.glob("engine/*/__init__.py") if "GAME" in path.read_text())
DOORS = {
    *("engine", "engine.game", "engine.errors", "engine.catalog", "engine.chronicle", "engine.chance"),
    "engine.kit.words",
}
"""What the post room may import: the protocol, its values, where numbers come from (the seed is the host's), and the
one way to compare words."""


def imports(path: Path) -> Iterator[str]:
    """Every module a file imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names if node.module == "engine")


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: str(path.relative_to(ROOT)))
def test_engine_imports_the_standard_library_and_itself(path: Path) -> None:
    """Architecture: no mail, files, clock, `random` or logging in the rules."""
    banned = {"random", "time", "datetime", "logging", "os", "socket", "email", "pathlib", "secrets", "asyncio"}
    for name in imports(path):
        top = name.partition(".")[0]
        assert top == "engine" or top in sys.stdlib_module_names, name
        assert top not in banned, f"{name} is not for the rules"


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: str(path.relative_to(ROOT)))
def test_games_do_not_know_each_other(path: Path) -> None:
    """Architecture: the games do not import each other; the common rooms and the kit import no game."""
    parts = path.relative_to(ROOT / "engine").parts
    mine = parts[0] if parts[0] in GAMES else ""
    for name in imports(path):
        for game in GAMES:
            if name == f"engine.{game}" or name.startswith(f"engine.{game}."):
                assert game == mine, name


@pytest.mark.parametrize("path", PBEM, ids=lambda path: str(path.relative_to(ROOT)))
def test_post_room_knows_games_only_through_the_protocol(path: Path) -> None:
    """Nothing in pbem imports a game, or an inner room of the engine."""
    for name in imports(path):
        if name.partition(".")[0] == "engine":
            assert name in DOORS or name.rpartition(".")[0] in DOORS, name


@pytest.mark.parametrize("path", PBEM, ids=lambda path: str(path.relative_to(ROOT)))
def test_post_room_names_no_game(path: Path) -> None:
    """Nothing in pbem asks which game it is: no game's word stands in it as a literal."""
    words = {game.replace("_", "-") for game in GAMES} | set(GAMES)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert node.value not in words, f"line {node.lineno}: {node.value!r}"


def test_the_kit_is_no_game() -> None:
    """It is a package under `engine` and offers no `GAME`; what it may import is as for the common rooms."""
    assert GAMES == sorted(kind.replace("-", "_") for kind in games())
    assert "kit" not in GAMES
    assert any(path.parent.name == "kit" for path in ENGINE)


def test_engine_files_are_rooms_not_halls() -> None:
    """Past 400 lines there are two things in a file."""
    long = [str(path.relative_to(ROOT)) for path in (*ENGINE, *PBEM) if len(path.read_text().splitlines()) > 400]
    assert [] == long
