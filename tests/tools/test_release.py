"""`make release`: the change log dated, the version raised, a tag, a wheel and notes; or a sentence, and nothing done."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from tests.tools import release

LOG = "# Changelog\n\n## [Unreleased]\n\n### Upgrading\n\nNothing to do.\n\n### Fixed\n\n- A card.\n"
PROJECT = """[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "scratch"
version = "0.1.0"

[tool.hatch.build.targets.wheel]
include = ["scratch.py"]
"""


def test_the_unreleased_section_becomes_the_version() -> None:
    dated = release.date_changelog(LOG, "0.2.0", date(2030, 1, 2))
    assert "## [Unreleased]\n\n## [0.2.0] - 2030-01-02\n\n### Upgrading" in dated
    assert release.notes_of(dated, "0.2.0").startswith("### Upgrading\n\nNothing to do.")
    with pytest.raises(release.ReleaseError, match="already"):
        release.date_changelog(dated, "0.2.0", date(2030, 1, 3))


def test_upgrading_comes_first() -> None:
    with pytest.raises(release.ReleaseError, match="Upgrading"):
        release.date_changelog(LOG.replace("### Upgrading\n\nNothing to do.\n\n", ""), "0.2.0", date(2030, 1, 2))


@pytest.mark.parametrize("version", ["0.1.0", "0.0.9", "two", "0.2"])
def test_a_version_is_a_higher_number(version: str) -> None:
    with pytest.raises(release.ReleaseError, match=version):
        release.set_version(PROJECT, version)


def test_a_release_is_tagged_and_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"CHANGELOG.md": LOG, "pyproject.toml": PROJECT, "scratch.py": "", "Makefile": "lint house test:\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(release, "ROOT", tmp_path)
    for word in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{word}_NAME", "somebody")
        monkeypatch.setenv(f"GIT_{word}_EMAIL", "somebody@example.org")
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main", tmp_path], check=True)
    release.git("add", ".")
    release.git("commit", "--quiet", "--message", "first")
    monkeypatch.setattr(sys, "argv", ["release", "0.2.0"])
    (tmp_path / "left").write_text("uncommitted")
    assert 1 == release.main()
    assert "" == release.git("tag")
    (tmp_path / "left").unlink()
    assert 0 == release.main()
    assert "v0.2.0" == release.git("tag")
    made = {file.suffix for file in (tmp_path / "dist").iterdir()}
    assert {".whl", ".gz", ".md"} == made
