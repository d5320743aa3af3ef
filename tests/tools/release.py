"""Make a release: `make release VERSION=0.2.0`.

It wants a clean tree on `main` and a green `make test lint house`. Then it dates the «Unreleased» section of
CHANGELOG.md, sets the version in pyproject.toml, commits, tags, builds sdist and wheel into `dist/`, and writes the
release's notes beside them: «Upgrading» first. Nothing is pushed or uploaded.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path

ROOT = Path(__file__).parents[2]
NUMBER = re.compile(r"\d+\.\d+\.\d+")
UNRELEASED = "## [Unreleased]"


class ReleaseError(Exception):
    """The tree, the version or the change log is not ready; the text says what to do."""


def date_changelog(text: str, version: str, day: date) -> str:
    """The change log with its unreleased section as that of a version, and a new empty one above.

    Raises ReleaseError if there is nothing to release or «Upgrading» is not its first part.
    """
    head, mark, rest = text.partition(UNRELEASED)
    if not mark or f"## [{version}]" in text:
        raise ReleaseError(f"CHANGELOG.md has no section {UNRELEASED}, or has {version} already")
    if not rest.lstrip().startswith("### Upgrading"):
        raise ReleaseError("the first part of the unreleased section of CHANGELOG.md must be “### Upgrading”")
    return f"{head}{UNRELEASED}\n\n## [{version}] - {day.isoformat()}{rest}"


def notes_of(changelog: str, version: str) -> str:
    """The section of one version, without its heading."""
    found = re.search(rf"^## \[{re.escape(version)}\][^\n]*\n(.*?)(?=^## \[|\Z)", changelog, re.MULTILINE | re.DOTALL)
    if found is None:
        raise ReleaseError(f"CHANGELOG.md has no section of {version}")
    return found[1].strip() + "\n"


def set_version(pyproject: str, version: str) -> str:
    """pyproject.toml with another version. Raises ReleaseError if that is not higher than the one it has."""
    found = re.search(r'^version = "(.+)"$', pyproject, re.MULTILINE)
    if found is None or not NUMBER.fullmatch(version):
        raise ReleaseError(f"“{version}” is no version such as 0.2.0")
    if [int(part) for part in version.split(".")] <= [int(part) for part in found[1].split(".")]:
        raise ReleaseError(f"{version} is not higher than {found[1]}")
    return f"{pyproject[: found.start(1)]}{version}{pyproject[found.end(1) :]}"


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version")
    version: str = parser.parse_args().version
    changelog, pyproject = ROOT / "CHANGELOG.md", ROOT / "pyproject.toml"
    try:
        if git("status", "--porcelain") or git("branch", "--show-current") != "main":
            raise ReleaseError("release from a clean tree, on the branch main")
        dated = date_changelog(changelog.read_text(encoding="utf-8"), version, datetime.now(UTC).date())
        raised = set_version(pyproject.read_text(encoding="utf-8"), version)
        subprocess.run(["make", "lint", "house", "test"], cwd=ROOT, check=True)
        changelog.write_text(dated, encoding="utf-8")
        pyproject.write_text(raised, encoding="utf-8")
        git("commit", "--quiet", "--all", "--message", f"[release] Make version {version}")
        git("tag", "--annotate", f"v{version}", "--message", f"Troyes by Mail {version}")
        subprocess.run([sys.executable, "-m", "hatchling", "build"], cwd=ROOT, check=True)
        (ROOT / "dist" / f"notes-{version}.md").write_text(notes_of(dated, version), encoding="utf-8")
    except ReleaseError as wrong:
        print(f"No release was made: {wrong}.", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as failed:
        print(f"No release was made: {failed}", file=sys.stderr)
        return 1
    print(f"v{version} is tagged; dist/ has sdist, wheel and notes. To publish: git push --follow-tags, upload dist/.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
