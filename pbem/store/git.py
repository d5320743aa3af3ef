"""Calls the `git` program with a clean environment.

The daemon's environment may hold the passwords of the mailbox, and names another repository inside a git hook. Neither
may reach git, nor the ssh that git starts.
"""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

from pbem.store.durable_files import private_umask
from pbem.store.errors import StoreError

_NO_SETTINGS = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
_OF_ANOTHER = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES")


def run_git(gitdir: Path, *words: str, given: str = "", user_settings: bool = False) -> bytes:
    """What git prints for a call on the repository `gitdir`. Raises StoreError with git's own words.

    `user_settings` uses the user's git configuration and ssh keys, as a backup on a server needs.
    """
    try:
        with private_umask():
            done = subprocess.run(
                ["git", f"--git-dir={gitdir}", *words],
                env=_environment(user_settings), input=given.encode(), capture_output=True, check=False,
            )  # fmt: skip
    except FileNotFoundError:
        raise StoreError("git is not installed") from None
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).decode("utf-8", "replace")
        # Each of git's processes repeats the message.
        said = "\n".join(dict.fromkeys(said.splitlines()))
        # Options of git itself come before the command; `-c` takes a value.
        command = next(word for before, word in pairwise(("", *words)) if word[0] != "-" and before != "-c")
        raise StoreError(f"git {command} failed: {said}")
    return done.stdout


def _environment(user_settings: bool) -> dict[str, str]:
    """The environment of this process without what git must not see."""
    kept = {
        key: value
        for key, value in os.environ.items()
        if not (key.startswith("PBEM_") or key in _OF_ANOTHER or (key.startswith("GIT_") and not user_settings))
    }
    if not user_settings:
        return kept | {"LC_ALL": "C"} | _NO_SETTINGS
    return kept | {"LC_ALL": "C"} | ({} if sys.stdin.isatty() else {"GIT_TERMINAL_PROMPT": "0"})
