"""The measures of the house: rooms, floors, arrows, circles, names and sizes, read from the source as text.

`make house` prints them and says which hold; exit code 1 when one does not. `tests/test_house.py` holds the same
measures and the table of allowed arrows. Nothing of the project is run.

A *room* is what lies directly in a package: a file, or a folder with all that is in it. An *arrow* leads from one room
to another that it imports, once however often. A room stands on the *floor* above the highest one it imports.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from functools import cache, cached_property
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parent.parent
PACKAGES = ("engine", "pbem")
BUDGETS: dict[str, dict[str, Any]] = tomllib.loads((ROOT / "tests" / "budgets.toml").read_text(encoding="utf-8"))
TOPS = {
    "pbem": (14, 0, 70),
    "pbem.desk": (9, 9, 30),
    "engine.troyes": (16, 10, 170),
    "engine.troyes_dice": (16, 10, 170),
}
"""Package to the most rooms, floors (0: not measured) and arrows between its rooms."""
FILES = {"pbem.desk": (10, 14, 235)}
"""Package to the most modules in one of its folders, and to the most floors of and arrows between all its modules."""
MEDIAN, LONGEST = 123, 600
"""The most lines of the file in the middle, and of any file.

What a room may hold is said by its budget, so these two ask only that no file is hard to take in. The median is what it
is today. A class may have 600 lines: to cut it in two for the sake of a number makes neither half easier to read.
"""
NAMED_ONCE = ("pbem", "engine.troyes", "engine.troyes_dice", "engine")
"""Packages in which no public module name may occur twice, the inner ones before the one around them."""
SHARED = 3
"""Modules that may define a top-level function of the same name."""
PARSERS = {"engine.troyes.notation.grammar": 1500, "engine.troyes_dice.notation.grammar": 800}
"""Module to its most lines where one parser is one class in one file, however long."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One line of the report. `holds` is None where a number is printed and nothing asked of it."""

    name: str
    found: str
    asked: str = ""
    holds: bool | None = None


@dataclass(frozen=True)
class House:
    """The product's modules by dotted name, as text. `planted` adds or replaces some, for tests of these measures."""

    root: Path = ROOT
    planted: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def texts(self) -> dict[str, str]:
        """Module to its source."""
        found = {
            module_of(path.relative_to(self.root)): path.read_text(encoding="utf-8")
            for package in PACKAGES
            for path in sorted((self.root / package).rglob("*.py"))
        }
        return found | dict(self.planted)

    @cached_property
    def trees(self) -> dict[str, ast.Module]:
        """Module to its syntax tree."""
        return {module: parsed(text) for module, text in self.texts.items()}

    @cached_property
    def imports(self) -> dict[str, set[str]]:
        """Module to the modules of the product that it imports, wherever in it the import stands."""
        return {
            module: {name for node, _ in imports_of(text) for name in self._named(node)} - {module}
            for module, text in self.texts.items()
        }

    def _named(self, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
        if isinstance(node, ast.Import):
            yield from (self._module(alias.name) for alias in node.names if self._module(alias.name))
        elif node.module:
            for alias in node.names:
                found = self._module(f"{node.module}.{alias.name}")
                if found:
                    yield found

    def _module(self, name: str) -> str:
        """The longest beginning of a dotted name that is a module of the product; empty when there is none."""
        while name and name not in self.texts:
            name = name.rpartition(".")[0]
        return name

    def hidden(self) -> list[str]:
        """Imports of the product's own modules inside functions: arrows that nobody sees at the top of a file."""
        return [
            f"{module}:{node.lineno}"
            for module, text in self.texts.items()
            for node, late in imports_of(text)
            if late and any(self._named(node))
        ]

    def arrows(self, package: str) -> dict[str, set[str]]:
        """Room to the rooms of the same package that it imports."""
        rooms: dict[str, set[str]] = {}
        for module, names in self.imports.items():
            here = room(package, module)
            if here:
                there = {room(package, name) for name in names} - {"", here}
                rooms.setdefault(here, set()).update(there)
        return rooms

    def classes(self) -> dict[str, list[str]]:
        """Name of a class to the modules that define one of that name at their top."""
        found = defaultdict(list)
        for module, tree in self.trees.items():
            for node in tree.body:
                if isinstance(node, ast.ClassDef):
                    found[node.name].append(module)
        return found

    def module_names(self) -> list[str]:
        """Public module names that occur twice in a package of `NAMED_ONCE`; click's modules (`pbem/cli/*.py`) aside."""
        found = defaultdict(list)
        for module, tree in self.trees.items():
            package = next((one for one in NAMED_ONCE if module.startswith(f"{one}.")), "")
            within, _, name = module.rpartition(".")
            if package and within != "pbem.cli" and not name.startswith("_") and not _is_empty(tree):
                found[package, name].append(module)
        return [f"{name} ({', '.join(where)})" for (_, name), where in sorted(found.items()) if len(where) > 1]

    def function_names(self) -> list[str]:
        """Names of top-level functions that more than `SHARED` modules define; click's `command` aside."""
        counts = Counter(
            node.name
            for tree in self.trees.values()
            for node in tree.body
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.name.startswith("_")
        )
        return [f"{name} ({count})" for name, count in counts.most_common() if count > SHARED and name != "command"]

    def modules(self, package: str) -> dict[str, set[str]]:
        """Module of a package to the modules of the same package that it imports."""
        found = {module for module in self.texts if module.startswith(f"{package}.")}
        return {module: self.imports[module] & found for module in found}

    def folders(self, package: str) -> Counter[str]:
        """Folder of a package to the modules in it, those without code aside."""
        found = (module.rpartition(".")[0] for module, tree in self.trees.items() if not _is_empty(tree))
        return Counter(folder for folder in found if f"{folder}.".startswith(f"{package}."))

    def unused(self) -> list[str]:
        """Functions, classes and constants at a module's top that nothing else in the product or templates names."""
        texts = [*self.texts.values(), *_templates(self.root)]
        counts: Counter[str] = Counter()
        for text in texts:
            counts.update(words_of(text))
        return [
            f"{module}.{name}"
            for module, tree in self.trees.items()
            for name, node in _defined(tree)
            if counts[name] == 1 and not _registered(node)
        ]

    def lines(self) -> dict[str, int]:
        """Module to its number of lines."""
        return {module: len(text.splitlines()) for module, text in self.texts.items()}


@cache
def parsed(text: str) -> ast.Module:
    """A module's syntax tree; kept, since every planted house holds the same files but one."""
    return ast.parse(text)


@cache
def imports_of(text: str) -> tuple[tuple[ast.Import | ast.ImportFrom, bool], ...]:
    """The imports of a module, each with whether it stands inside a function."""
    found = _statements(parsed(text).body, False)
    return tuple((node, late) for node, late in found if isinstance(node, (ast.Import, ast.ImportFrom)))


def _statements(nodes: Iterable[ast.AST], late: bool) -> Iterator[tuple[ast.AST, bool]]:
    """All statements of a block and of the blocks within, each with whether it stands inside a function."""
    for node in nodes:
        yield node, late
        inside = late or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        for block in ("body", "orelse", "handlers", "finalbody", "cases"):
            yield from _statements(getattr(node, block, ()), inside)


@cache
def words_of(text: str) -> Counter[str]:
    """The words of a text, counted."""
    return Counter(re.findall(r"\w+", text))


def module_of(path: Path) -> str:
    """`pbem/store/spool.py` is `pbem.store.spool`, a package's `__init__` the package."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room(package: str, module: str) -> str:
    """The room of `package` that a module lies in; empty when it lies elsewhere, or is the package itself."""
    return module.removeprefix(f"{package}.").partition(".")[0] if module.startswith(f"{package}.") else ""


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Sets of two or more nodes that lead to each other, each in order."""
    reach = {node: _reached(graph, node) for node in graph}
    found = {
        tuple(sorted(other for other in reach[node] if node in reach.get(other, ()))) for node in graph if node in reach[node]
    }
    return [list(circle) for circle in sorted(found)]


def floors(graph: Mapping[str, set[str]]) -> int:
    """How many floors a graph without circles has; 0 with circles."""
    if circles(graph):
        return 0
    heights: dict[str, int] = {}

    def height(node: str) -> int:
        if node not in heights:
            heights[node] = 1 + max((height(below) for below in graph.get(node, ())), default=0)
        return heights[node]

    return max((height(node) for node in graph), default=0)


def _reached(graph: Mapping[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    ahead = list(graph[start])
    while ahead:
        node = ahead.pop()
        if node not in found:
            found.add(node)
            ahead += graph.get(node, ())
    return found


def _is_empty(tree: ast.Module) -> bool:
    """True for a module without code: the `__init__` of a plain folder."""
    return all(isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) for node in tree.body)


def _templates(root: Path) -> Iterator[str]:
    for path in sorted((root / "templates").rglob("*")):
        if path.suffix in (".txt", ".html", ".js", ".j2"):
            yield path.read_text(encoding="utf-8")


def _defined(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, node
        elif isinstance(node, ast.Assign):
            yield from ((target.id, node) for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node


def _registered(node: ast.stmt) -> bool:
    """Whether a decorator or a dunder hands it on, so that nobody needs to name it."""
    if getattr(node, "decorator_list", None):
        return True
    names = [target.id for target in getattr(node, "targets", ()) if isinstance(target, ast.Name)]
    return any(name.startswith("__") for name in names)


def measures(house: House) -> list[Measure]:
    """Everything that `make house` prints."""
    found = []
    for package, (rooms, most, arrows) in TOPS.items():
        graph = house.arrows(package)
        count = sum(map(len, graph.values()))
        found.append(_at_most(f"rooms of {package}", len(graph), rooms))
        found.append(_at_most(f"floors of {package}", floors(graph), most) if most else Measure(f"floors of {package}", str(floors(graph))))
        found.append(_at_most(f"arrows between rooms of {package}", count, arrows))
    for package, (most, high, arrows) in FILES.items():
        folder, count = house.folders(package).most_common(1)[0]
        within = house.modules(package)
        found.append(_at_most(f"files of a folder in {package}", count, most, f" ({folder})"))
        found.append(_at_most(f"floors of files in {package}", floors(within), high))
        found.append(_at_most(f"arrows between files of {package}", sum(map(len, within.values())), arrows))
    found.append(_none("circles of files", [" ".join(circle) for circle in circles(house.imports)]))
    packages = {name for module in house.texts for name in (module.rpartition(".")[0],) if name}
    rings = [f"{package}: {' '.join(circle)}" for package in sorted(packages) for circle in circles(house.arrows(package))]
    found.append(_none("circles of rooms", rings))
    found.append(_none("imports hidden in functions", house.hidden()))
    twice = [f"{name} ({', '.join(where)})" for name, where in sorted(house.classes().items()) if len(where) > 1]
    found.append(_none("class names that stand for two things", twice))
    found.append(_none("dead or test-only names", house.unused()))
    found.append(_none("module names that stand twice", house.module_names()))
    found.append(_none("functions of more than three modules", house.function_names()))
    lines = house.lines()
    found.append(_at_most("lines of a file, median", int(median(lines.values())), MEDIAN))
    found += [_at_most(f"lines of {parser}", lines.pop(parser, 1), most) for parser, most in PARSERS.items()]
    longest = max(lines, key=lambda module: lines[module])
    found.append(_at_most(f"lines of the longest file ({longest})", lines[longest], LONGEST))
    return [*found, *budgets(house)]


def budgets(house: House) -> Iterator[Measure]:
    """How many lines read letters and orders, room by room, and how many lie beside them as tables and sheets."""
    lines, whole = house.lines(), 0
    for name, row in BUDGETS.items():
        if "globs" in row:
            found = [path for glob in row["globs"] for path in house.root.glob(glob) if path.is_file()]
            if "files" in row:
                yield _budget(f"files of {name}", len(found), row["files"], row)
            count = sum(len(path.read_bytes().splitlines()) for path in found)
        elif "modules" in row:
            count = sum(lines[module] for module in lines if any(fnmatch(module, one) for one in row["modules"]))
            whole += count
        else:
            count = whole
        yield _budget(f"lines of {name}", count, row["lines"], row)


def _budget(name: str, found: int, most: int, row: Mapping[str, Any]) -> Measure:
    over = f", over by {found - most:,}" if found > most else ""
    held = row.get("today", most)
    asked = f"at most {most:,}" + (f", {held:,} for today" if held > most else "")
    return Measure(name, f"{found:,}{over}", asked, found <= held)


def _at_most(name: str, found: int, most: int, where: str = "") -> Measure:
    fits = 0 < found <= most
    return Measure(name, f"{found}{where}", f"at most {most}", fits)


def _none(name: str, found: list[str]) -> Measure:
    some = "; ".join(found[:8]) + (f"; and {len(found) - 8} more" if len(found) > 8 else "") or "0"
    return Measure(name, some, "none", not found)


def main() -> int:
    """Print the measures; 1 when one does not hold."""
    rows = measures(House())
    for row in rows:
        sign = {True: "holds", False: "FAILS", None: "     "}[row.holds]
        print(f"{sign}  {row.name}: {row.found}" + (f"  ({row.asked})" if row.asked else ""))
    return 1 if any(row.holds is False for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
