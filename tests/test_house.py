"""The measures of the house hold, and each of them can fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house import BUDGETS, House, Measure, budgets, circles, floors, measures


def found(name: str, **planted: str) -> Measure:
    """The measure whose name begins so, with modules planted (dots as two underscores)."""
    house = House(planted={module.replace("__", "."): text for module, text in planted.items()})
    return next(row for row in measures(house) if row.name.startswith(name))


def test_every_measure_holds() -> None:
    """As `make house` prints them."""
    assert [] == [row for row in measures(House()) if row.holds is False]


@pytest.mark.parametrize(
    ("name", "planted"),
    [
        ("circles of files", {"pbem__store__one": "import pbem.store.two\n", "pbem__store__two": "import pbem.store.one\n"}),
        ("circles of rooms", {"pbem__store__one": "import pbem.desk.two\n", "pbem__desk__two": "import pbem.store\n"}),
        ("class names", {"pbem__store__one": "class Game:\n    pass\n"}),
        ("dead", {"pbem__store__one": "def never_called_by_anybody():\n    pass\n"}),
        ("dead", {"pbem__store__one": "NEVER_READ_BY_ANYBODY: int = 3\n"}),
        ("imports hidden", {"pbem__store__one": "def late():\n    import pbem.host\n"}),
        ("lines of the longest", {"pbem__store__one": "#\n" * 601}),
        ("lines of the reader in engine/kit", {"engine__kit__cover": "#\n" * 351}),
        ("lines of pbem/export", {"pbem__export__one_line_more_than_today": "#\n"}),
        ("rooms of pbem", {f"pbem__room{n}": "" for n in range(20)}),
        ("rooms of engine.troyes", {f"engine__troyes__room{n}": "" for n in range(20)}),
        ("rooms of engine.troyes_dice", {f"engine__troyes_dice__room{n}": "" for n in range(20)}),
        ("floors of engine.troyes", {
            f"engine__troyes__room{n}": f"import engine.troyes.room{n + 1}\n" for n in range(11)
        }),
        ("floors of engine.troyes_dice", {
            f"engine__troyes_dice__room{n}": f"import engine.troyes_dice.room{n + 1}\n" for n in range(11)
        }),
        ("lines of a file, median", {f"pbem__store__room{n}": "#\n" * 130 for n in range(600)}),
        ("arrows between rooms of engine.troyes", {
            f"engine__troyes__room{n}": "".join(f"import engine.troyes.room{m}\n" for m in range(n)) for n in range(20)
        }),
        ("floors of files in pbem.desk", {
            f"pbem__desk__deep{n}": f"import pbem.desk.deep{n + 1}\n" for n in range(16)
        }),
        ("arrows between files of pbem.desk", {
            f"pbem__desk__wide{n}": "".join(f"import pbem.desk.wide{m}\n" for m in range(n)) for n in range(9)
        }),
        ("arrows between rooms of pbem", {
            f"pbem__room{n}": "".join(f"import pbem.room{m}\n" for m in range(n)) for n in range(13)
        }),
    ],
)
def test_a_measure_can_fail(name: str, planted: dict[str, str]) -> None:
    """Each wall, once with a breach planted."""
    assert found(name, **planted).holds is False


def test_budgets_of_the_reader_count_every_room_and_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = {name: {key: value for key, value in row.items() if key != "today"} for name, row in BUDGETS.items()}
    monkeypatch.setattr("tests.house.BUDGETS", bare)
    for folder, lines in (("tests/wordings", 700), ("pbem/reading", 1)):
        (tmp_path / folder).mkdir(parents=True)
        for n in range(13):
            (tmp_path / folder / f"{n}.toml").write_text("#\n" * lines, encoding="utf-8")
    house = House(tmp_path, {"pbem.reading.line_parser": "#\n" * 901, "engine.troyes.notation": "#\n" * 8100})
    failing = [row.name.removeprefix("lines of ") for row in budgets(house) if not row.holds]
    assert failing == ["the reader of Troyes", "pbem/reading", "the whole reader", "files of tests/wordings", "tests/wordings"]


def test_a_folder_of_the_desk_with_too_many_files_is_found() -> None:
    """Modules without code are not counted."""
    house = House(planted={f"pbem.desk.fold.file{n}": "A: int = 1\n" if n < 11 else '"""."""\n' for n in range(13)})
    assert 11 == house.folders("pbem.desk")["pbem.desk.fold"]


def test_names_that_stand_for_two_things_are_found() -> None:
    """A module name twice in a package, and a function in a fourth module; a game may have the names of another."""
    planted = {"pbem.store.twin": "A: int = 1\n", "pbem.host.twin": "B: int = 1\n", "pbem.cli.twin": "C: int = 1\n"}
    planted |= {f"engine.{game}.lonely": "D: int = 1\n" for game in ("troyes", "troyes_dice", "kit")}
    planted |= {f"pbem.store.four{n}": "def everywhere():\n    pass\n" for n in range(4)}
    planted |= {f"pbem.store.three{n}": "def here_and_there():\n    pass\n" for n in range(3)}
    house = House(planted=planted)
    names, functions = " ".join(house.module_names()), " ".join(house.function_names())
    assert "twin (pbem.host.twin, pbem.store.twin)" in names or "twin (pbem.store.twin, pbem.host.twin)" in names
    assert "everywhere (4)" in functions
    assert not any(name in f"{names} {functions}" for name in ("lonely", "here_and_there", "command ("))


def test_floors_and_circles_of_small_graphs() -> None:
    """Three rooms in a row are three floors; two that know each other are a circle and no floor."""
    assert 3 == floors({"top": {"middle"}, "middle": {"ground"}, "ground": set()})
    assert [["a", "b"]] == circles({"a": {"b"}, "b": {"a"}, "c": {"a"}})
    assert 0 == floors({"a": {"b"}, "b": {"a"}})
