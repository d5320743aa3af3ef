"""The locks: what `make`, continuous integration and the container recipe install, each file known by its hash."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WANTED = {
    "requirements.lock": PROJECT["project"]["dependencies"],
    "requirements-demo.lock": PROJECT["project"]["dependencies"] + PROJECT["project"]["optional-dependencies"]["demo"],
    "requirements-dev.lock": PROJECT["project"]["dependencies"] + PROJECT["project"]["optional-dependencies"]["dev"],
    "requirements-build.lock": PROJECT["build-system"]["requires"],
}
PYTHONS = ("3.11.7", "3.12.1", "3.13.0")


def locked(name: str, python: str) -> dict[str, str]:
    """Name to version, of what `python` on Linux would install. Every line must be pinned and have hashes."""
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
    found = {}
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        wanted, *hashes = line.split(" --hash=")
        assert hashes, line
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", one.strip()) for one in hashes), line
        one = Requirement(wanted)
        (pin,) = one.specifier
        assert pin.operator == "==", line
        surroundings = {"python_full_version": python, "python_version": python[:4], "sys_platform": "linux"}
        if one.marker is None or one.marker.evaluate(surroundings):
            assert one.name not in found, f"{one.name} twice for {python}"
            found[canonicalize_name(one.name)] = pin.version
    return found


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("name", WANTED)
def test_a_lock_holds_what_the_project_asks_for(name: str, python: str) -> None:
    """After a change of pyproject.toml, `make lock`."""
    found = locked(name, python)
    for one in map(Requirement, WANTED[name]):
        assert one.specifier.contains(found[canonicalize_name(one.name)]), f"{one} but {found.get(one.name)}: make lock"


@pytest.mark.parametrize("python", PYTHONS)
def test_the_locks_agree(python: str) -> None:
    """A game that was tested is the game that is played: all versions are those of the developers' lock."""
    every, build = locked("requirements-dev.lock", python), locked("requirements-build.lock", python)
    for found in (locked("requirements.lock", python), locked("requirements-demo.lock", python), build):
        assert found.items() <= (every | build).items()
    assert all(build[name] == every[name] for name in build.keys() & every.keys())


@pytest.mark.parametrize("name", WANTED)
def test_a_lock_names_no_place(name: str) -> None:
    """Where packages come from is the host's own setting; the hash says that they are the right ones."""
    assert not re.search(r"://|--(?:extra-)?index|--find-links", (ROOT / name).read_text(encoding="utf-8"))
