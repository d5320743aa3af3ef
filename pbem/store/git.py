"""The `git` program, called with a clean environment.

The daemon's environment can hold the mailbox's passwords, and inside a git hook it names another repository. Neither
may reach git, nor the ssh that git starts.
"""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

from pbem.store.durable import private
from pbem.store.trouble import StoreError

_NO_SETTINGS = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
_OF_ANOTHER = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES")


def git(gitdir: Path, *words: str, given: str = "", user_settings: bool = False) -> bytes:
    """What git prints for a call on the repository `gitdir`. Raises StoreError with git's own words.

    With `user_settings` the user's own git configuration and ssh keys count, as a server that takes backups needs.
    """
    try:
        with private():
            done = subprocess.run(
                ["git", f"--git-dir={gitdir}", *words],
                env=_environment(user_settings), input=given.encode(), capture_output=True, check=False,
            )  # fmt: skip
    except FileNotFoundError:
        raise StoreError("git is not installed") from None
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).decode("utf-8", "replace")
        # Each of git's processes says the same once more.
        said = "\n".join(dict.fromkeys(said.splitlines()))
        # Options of git itself come before the command, `-c` with a value of its own.
        command = next(word for before, word in pairwise(("", *words)) if word[0] != "-" and before != "-c")
        raise StoreError(f"git {command} failed: {said}")
    return done.stdout


def _environment(user_settings: bool) -> dict[str, str]:
    """This process's environment without what git must not see."""
    kept = {
        key: value
        for key, value in os.environ.items()
        if not (key.startswith("PBEM_") or key in _OF_ANOTHER or (key.startswith("GIT_") and not user_settings))
    }
    if not user_settings:
        return kept | {"LC_ALL": "C"} | _NO_SETTINGS
    return kept | {"LC_ALL": "C"} | ({} if sys.stdin.isatty() else {"GIT_TERMINAL_PROMPT": "0"})
