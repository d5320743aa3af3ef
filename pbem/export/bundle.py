"""A game's repository as one file, which `git clone` takes."""

from __future__ import annotations

import os
import subprocess

from pbem.store.repo import GameRepo
from pbem.store.trouble import StoreError


def bundle(repo: GameRepo) -> bytes:
    """The whole history. Raises StoreError with what git says, OSError when there is no git."""
    folder = str(repo.folder)
    clean = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    clean |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
    words = ["git", "-c", f"safe.directory={folder}", "-C", folder, "bundle", "create", "--quiet", "-", "HEAD", "main"]
    done = subprocess.run(words, env=clean, capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise StoreError(f"{repo.name}: git could not make a bundle: {said[-1] if said else done.returncode}")
    return done.stdout
