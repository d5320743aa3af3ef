"""The git program: what it sees of our environment, and what is told where it fails."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pbem.store.errors import StoreError
from pbem.store.git import run_git


@pytest.mark.parametrize("user_settings", [True, False])
def test_git_sees_no_password_and_no_other_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, user_settings: bool
) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "open sesame")
    monkeypatch.setenv("GIT_INDEX_FILE", "/elsewhere/index")
    program = tmp_path / "git"
    program.write_text("#!/bin/sh\nenv\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    seen = run_git(tmp_path, "status", user_settings=user_settings).decode()
    assert "PATH=" in seen
    assert "sesame" not in seen
    assert "/elsewhere" not in seen


@pytest.mark.parametrize("words", [("log",), ("-c", "core.bare=true", "log"), ("--work-tree=/", "log")])
def test_a_failure_names_the_command(tmp_path: Path, words: tuple[str, ...]) -> None:
    with pytest.raises(StoreError, match="git log failed: fatal: not a git repository"):
        run_git(tmp_path, *words)


def test_a_machine_without_git_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StoreError, match="git is not installed"):
        run_git(tmp_path, "log")
