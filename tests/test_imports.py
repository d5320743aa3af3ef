"""Which room may know which: a table of allowed arrows, held against every import of the product.

The engine stands on the standard library, games stand apart, and the post room knows a game through its doors alone.
The last tests plant a breach of each kind and see it found.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping

import pytest

from engine.game import games
from tests.house import House, circles, room

HOUSE = House()
DOORS = frozenset({"engine", "engine.game", "engine.errors", "engine.catalog", "engine.event_log", "engine.chance", "engine.data_paths", "engine.reference", "engine.table_options", "engine.kit.words", "engine.levels"})
"""What the post room may import of the engine: the protocol, its values, and where numbers come from."""

PBEM: Mapping[str, str] = {
    "store": "",
    "tournament": "",
    "clocks": "store",
    "host": "store",
    "reading": "",
    "inbound": "store host reading",
    "outbound": "store host inbound",
    "desk": "store clocks host reading inbound outbound",
    "admin": "store clocks host reading inbound outbound desk",
    "router": "store inbound desk admin",
    "export": "store host inbound outbound desk admin",
    "daemon": "store clocks host inbound outbound desk admin router",
    "demo": "store host inbound outbound desk admin daemon",
    "cli": "store clocks host reading inbound outbound desk admin router daemon export demo tournament",
}
"""Room of `pbem` to the rooms it may import."""

TROYES: Mapping[str, str] = {
    "card_data": "",
    "state": "card_data",
    "events": "card_data state",
    "board": "card_data state events",
    "cards": "card_data state events board",
    "solo": "card_data state events board",
    "actions": "card_data state events board cards",
    "notation": "card_data state board actions",
    "options": "card_data state events board cards actions news",
    "phases": "card_data state events board actions solo options",
    "news": "card_data state events board solo",
    "view": "card_data state board actions phases notation",
    "cases": "card_data state events board solo notation phases",
    "suggest": "card_data state board actions notation options",
    "spelling": "state actions notation options",
    "game": "card_data state events board solo notation options phases suggest spelling news view cases",
}
"""The same for `engine.troyes`."""

DICE: Mapping[str, str] = {
    "card_data": "",
    "state": "card_data",
    "events": "card_data state",
    "actions": "card_data state events",
    "notation": "card_data state actions",
    "news": "card_data state events actions notation",
    "options": "card_data state events actions notation news",
    "phases": "card_data state events actions notation",
    "view": "card_data state actions notation news",
    "cases": "card_data state events actions notation phases",
    "suggest": "card_data state actions notation options",
    "spelling": "card_data state actions notation options",
    "game": "card_data state events actions notation options phases suggest spelling news view cases",
}
"""The same for `engine.troyes_dice`."""

BANNED = frozenset({"random", "time", "datetime", "logging", "os", "socket", "email", "pathlib", "secrets", "asyncio"})
"""What no rule needs: numbers come from `engine.chance`, moments from whoever calls."""


def games_of(house: House) -> set[str]:
    """The packages of the engine that are games: each has a `game.py`."""
    return {module.split(".")[1] for module in house.texts if module.count(".") == 2 and module.endswith(".game")}


def breaches(house: House) -> Iterator[str]:
    """Every arrow that the tables do not allow."""
    for package, table in (("pbem", PBEM), ("engine.troyes", TROYES), ("engine.troyes_dice", DICE)):
        for here, others in house.arrows(package).items():
            allowed = set(table.get(here, "").split())
            yield from (f"{package}: {here} -> {there}" for there in sorted(others - allowed))
            if here not in table:
                yield f"{package}: {here} stands in no table"
    games = games_of(house)
    for module, names in house.imports.items():
        for name in sorted(names):
            if module.startswith("pbem") and name.startswith("engine") and name not in DOORS:
                yield f"{module} -> {name}: no door"
            if module.startswith("engine") and not name.startswith("engine"):
                yield f"{module} -> {name}: a rule knows no post room"
            to = room("engine", name)
            if to in games and module.startswith("engine") and room("engine", module) != to:
                yield f"{module} -> {name}: a game that is not its own"


def foreign(house: House) -> Iterator[str]:
    """Imports of the engine that are neither its own nor the standard library's, or that no rule needs."""
    for module, tree in house.trees.items():
        if not module.startswith("engine"):
            continue
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            for name in names:
                top = name.partition(".")[0]
                if top in BANNED or (top != "engine" and top not in sys.stdlib_module_names):
                    yield f"{module}: {name}"


def game_words(house: House) -> Iterator[str]:
    """Literals of `pbem` that are the word for a game: it never asks which one it plays. The script that checks an
    export alone is read by itself, and holds the list of what each game draws."""
    games = games_of(house)
    words = games | {game.replace("_", "-") for game in games}
    for module, tree in house.trees.items():
        if module.startswith("pbem") and module != "pbem.export.verify_alone":
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and node.value in words:
                    yield f"{module}:{node.lineno}: {node.value!r}"


def test_every_arrow_is_in_the_table() -> None:
    """Architecture: rooms know only what lies below them."""
    assert [] == list(breaches(HOUSE))


def test_every_game_is_known_to_the_walls() -> None:
    """A game that the tests of the walls did not see would stand in none of them."""
    assert games_of(HOUSE) == {kind.replace("-", "_") for kind in games()}


def test_the_tables_have_no_circle() -> None:
    """A table that allowed a circle would hold no wall."""
    for table in (PBEM, TROYES, DICE):
        assert [] == circles({here: set(below.split()) for here, below in table.items()})


def test_the_engine_stands_on_the_standard_library() -> None:
    """Architecture: no mail, files, clock, `random` or logging in the rules."""
    assert [] == list(foreign(HOUSE))


def test_the_post_room_names_no_game() -> None:
    """Architecture: nothing in pbem asks which game it is."""
    assert [] == list(game_words(HOUSE))


@pytest.mark.parametrize(
    ("module", "text", "found"),
    [
        ("pbem.planted", "import engine.troyes\n", "no door"),
        ("pbem.desk.planted", "from engine.troyes import game\n", "no door"),
        ("pbem.desk.planted", "def late():\n    import engine.troyes\n", "no door"),
        ("pbem.store.planted", "from pbem.desk import desk\n", "store -> desk"),
        ("engine.troyes.card_data.planted", "from engine.troyes_dice import game\n", "not its own"),
        ("engine.troyes.state.planted", "from engine.troyes.news import news\nimport engine.troyes.news\n", "state -> news"),
        ("engine.planted", "import pbem.store\n", "knows no post room"),
    ],
)
def test_a_planted_breach_is_found(module: str, text: str, found: str) -> None:
    """A wall test that holds no wall is worse than none: each kind of breach is planted once."""
    assert any(found in breach for breach in breaches(House(planted={module: text})))


def test_a_planted_library_in_the_rules_is_found() -> None:
    """The same for what is not the project's own."""
    assert ["engine.planted: random"] == list(foreign(House(planted={"engine.planted": "import random\n"})))


@pytest.mark.parametrize("word", ["troyes", "troyes-dice", "troyes_dice"])
def test_a_planted_word_for_a_game_is_found(word: str) -> None:
    """The same for what the post room asks."""
    text = f"def f(kind):\n    return kind == {word!r}\n"
    assert [f"pbem.planted:2: {word!r}"] == list(game_words(House(planted={"pbem.planted": text})))
