"""The position as a text to edit, beside the store: a broken edit is never stored and never lost."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import data_paths
from engine.catalog import T
from engine.errors import NotAllowed, NotUnderstood, PositionError
from engine.event_log import Data
from pbem.admin.actions.position_values import set_values
from pbem.admin.admin_action import admin_action
from pbem.desk.core.context import Context
from pbem.desk.core.result import Result
from pbem.store import toml_format
from pbem.store.game_repo import GameRepo
from pbem.store.state_file import StoredGame

_MARK = re.compile(r"^# pbem-edit: (\S+) commit=([0-9a-f]{40}) secrets=(yes|no)$", re.MULTILINE)
_NOTE = """\
# The position of {game}, to be put right by hand. Save and leave the editor; an empty file gives up.
# What you change is checked (is it a position? does it keep the laws of the game?), shown in words, and asked for a
# reason, which every player reads. Do not change the next line.
# pbem-edit: {game} commit={commit} secrets={secrets}

"""


@dataclass(frozen=True, slots=True)
class PositionText:
    """A text at `path`, made of the position of `game` at `commit`; `secrets`: with the hidden tables."""

    game: str
    commit: str
    secrets: bool
    path: Path


def edits_folder(mail: Path) -> Path:
    """The folder of texts, in the host's mail folder."""
    return mail / "edits"


def begin_edit(repo: GameRepo, stored: StoredGame, mail: Path, secrets: bool) -> PositionText:
    """Write the text of a position. `stored` holds secrets only where they may be seen."""
    path = edits_folder(mail) / f"{repo.name}.toml"
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    data: Data = {"position": stored.game} | ({"hidden": stored.hidden} if secrets else {})
    head = _NOTE.format(game=repo.name, commit=stored.commit, secrets="yes" if secrets else "no")
    path.touch(mode=0o600)
    path.write_bytes(head.encode() + toml_format.toml_bytes(data))
    return PositionText(repo.name, stored.commit, secrets, path)


def waiting_edit(game: str, mail: Path) -> PositionText | None:
    """The text of an unfinished edit; None when there is none."""
    path = edits_folder(mail) / f"{game}.toml"
    if not path.is_file():
        return None
    match = _MARK.search(path.read_text(encoding="utf-8", errors="replace"))
    if match is None:
        says = T("{path} has lost its line «# pbem-edit: …»; put it back or remove the file.", path=str(path))
        raise NotUnderstood(says)
    return PositionText(match[1], match[2], match[3] == "yes", path)


def is_empty(sheet: PositionText) -> bool:
    """Whether the text holds nothing but comments."""
    lines = sheet.path.read_text("utf-8", "replace").splitlines()
    return not any(line.strip() and not line.lstrip().startswith("#") for line in lines)


def is_unchanged(sheet: PositionText, repo: GameRepo) -> bool:
    """Whether the text still is the position that it was made of; comments do not count."""
    try:
        return not text_changes(sheet, repo)
    except PositionError:
        return False


def text_changes(sheet: PositionText, repo: GameRepo) -> tuple[tuple[str, Any, Any], ...]:
    """The changed values as (path, before, after). Raises PositionError with the place of an error in the text."""
    name = sheet.path.name
    data = toml_format.parse_toml(sheet.path.read_bytes(), name)
    wanted = {"position", "hidden"} if sheet.secrets else {"position"}
    if set(data) != wanted:
        raise PositionError(f"must hold the tables {', '.join(sorted(wanted))} and nothing else", name)
    base = StoredGame.read(repo, sheet.commit) if sheet.secrets else StoredGame.read_public(repo, sheet.commit)
    found = [*data_paths.differences(base.game, data["position"])]
    if sheet.secrets:
        found += data_paths.differences(base.hidden, data["hidden"])
    return tuple(found)


@admin_action(T("opens the whole position in an editor"), by_mail=False, sure="Take this over?")
def edit(context: Context, sheet: PositionText, why: str) -> Result:
    """Put the position of a game right in your editor.

    Opens the position as TOML in $EDITOR, on a copy beside the store. What you change must be a position and keep the
    laws of the game; it is shown in words before it counts, and everybody is mailed it with the reason. A text that
    is not taken over is kept; --continue opens it again.
    """
    # Changes that the game has made meanwhile to other values stay.
    found = text_changes(sheet, context.repo)
    public, hidden = context.game.dump(context.state) if context.state is not None else ({}, {})
    for path, before, _ in found:
        present = data_paths.value_at(public, path)
        if present is data_paths.NOTHING:
            present = data_paths.value_at(hidden, path)
        if present != before:
            raise NotAllowed(
                T("The game has changed {path} meanwhile; nothing was done, and your text is kept.", path=path),
                possible=(T("begin again from the present position: --anew"),),
            )
    try:
        return set_values(context, ((path, after) for path, _, after in found), why)
    except PositionError as odd:
        # The message holds the value, which may be secret.
        where = odd.where or "the text"
        says = "what stands there is no position" if sheet.secrets else str(odd).removeprefix(f"{odd.where}: ")
        raise PositionError(says, where) from None


def finish_edit(sheet: PositionText) -> None:
    """Remove the text: it was taken over, or given up."""
    sheet.path.unlink(missing_ok=True)
