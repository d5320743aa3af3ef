"""A game's repository as one file, which `git clone` takes."""

from __future__ import annotations

from pbem.store.git import git
from pbem.store.repo import GameRepo
from pbem.store.trouble import StoreError


def bundle(repo: GameRepo) -> bytes:
    """The whole history. Raises StoreError with what git says."""
    try:
        return git(repo.gitdir, "bundle", "create", "--quiet", "-", "HEAD", "main")
    except StoreError as error:
        raise StoreError(f"{repo.name}: {error}") from None
