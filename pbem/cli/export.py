"""`pbem export`: games as files that programs, people and other hosts can read."""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

import click

from engine.catalog import Catalogue
from engine.errors import PositionError
from pbem.cli.kit import console
from pbem.cli.kit.call import DIFFERS, TROUBLE, USAGE, Call, CommandEnd, json_option, print_answer, wants_json
from pbem.cli.kit.host_access import open_host, read_with_secrets
from pbem.cli.kit.stored import GAME, config_of, game_of, store_of
from pbem.export.audience import Audience, NoAudience
from pbem.export.document_reader import read_document
from pbem.export.formats import FORMATS, ExportFile, convert_document, make_export
from pbem.export.game_source import read_source
from pbem.export.score_sheet import NoScores
from pbem.host.people import People
from pbem.outbound.translation import language_catalogue
from pbem.store.errors import StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.game_table import Status
from pbem.store.private_text import open_private_text
from pbem.store.state_file import StoredGame


@click.command("export")
@click.argument("game", required=False, type=GAME)
@click.option("--format", "form", type=click.Choice(FORMATS), default="json", show_default=True, help="What to write.")
@click.option("--view", default="", metavar="public|seat:NAME|full", help="Who may read it [public].")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file to write; with --all, the folder.")
@click.option("--all", "everything", is_flag=True, help="Every game, into a folder.")
@click.option("--with-addresses", is_flag=True, help="Put mail addresses and tokens in, which stay out otherwise.")
@click.option("--reveal", is_flag=True, help="Also of a game that goes on; that you have looked is told to the table.")
@click.option("--language", default="en", metavar="CODE", help="The language of the sentences, such as fr.")
@json_option
@click.pass_obj
def command(
    call: Call, /, game: str | None, output: Path | None, everything: bool, language: str, **wanted: Any
) -> None:
    """Write a game to a file: data, a page that plays it, mails, history.

    json and toml hold every step for programs and come back with `pbem import` (from --view full); html is a page
    that plays the game in a browser; mbox and bundle hold the mails and the git history; csv the scores, md the
    story; see docs/export.md. Without -o the text goes to stdout. GAME may also be a json or toml export, which is then
    written in another format. --all writes every game and verify.py: those that are over in full, the others in the
    public view unless --reveal.
    """
    if bool(game) == everything:
        raise CommandEnd("name one game, or say --all", USAGE)
    job = Job(call, words=language_catalogue(language), **wanted)
    if not game:
        job.every(output or Path("export"))
    elif Path(game).is_file():
        job.again(Path(game), output)
    else:
        job.one(game_of(call, game), output)


@dataclass(frozen=True, slots=True)
class Job:
    """An export as it was asked for."""

    call: Call
    form: str
    view: str
    with_addresses: bool
    reveal: bool
    words: Catalogue

    def one(self, repo: GameRepo, output: Path | None) -> None:
        """Write one game to its file or to stdout."""
        sight, made = self._made(repo, self.view or "public")
        self._out(repo.name, str(sight), made, output, private=sight.full or self.with_addresses)

    def again(self, file: Path, output: Path | None) -> None:
        """Write an export in another format."""
        found = read_document(file)
        view = str(found["view"])
        if self.view not in ("", view):
            raise CommandEnd(f"{file} shows the view {view}; another needs the stored game", USAGE)
        try:
            made = convert_document(found, self.form, self.words)
        except (KeyError, TypeError, AttributeError) as odd:
            raise CommandEnd(f"{file} does not hold together: {type(odd).__name__}: {odd}", TROUBLE) from None
        self._out(str(found["game"].get("name")), view, made, output, private=False)

    def _out(self, game: str, view: str, made: ExportFile, output: Path | None, private: bool) -> None:
        if output is not None:
            _write(output, made.data, private)
        elif wants_json():
            raise CommandEnd("--json tells of the file that was written: name one with -o", USAGE)
        else:
            sys.stdout.buffer.write(made.data)
            sys.stdout.buffer.flush()
        if made.note:
            console.warn(f"{game}: {made.note}")
        told = {"game": game, "format": self.form, "view": view, "file": str(output)}
        print_answer(told | {"bytes": len(made.data), "note": made.note}, lambda _: None)

    def every(self, folder: Path) -> None:
        """Write every game of the store into a folder, and the script that checks their dice."""
        folder.mkdir(parents=True, exist_ok=True)
        store, rows = store_of(self.call), []
        for name in store.names():
            repo, path = store.open(name), folder / f"{name}.{self.form}"
            try:
                sight, made = self._made(repo, self.view or ("full" if self.reveal or _over(repo) else "public"))
                _write(path, made.data, private=sight.full or self.with_addresses)
                rows.append({"game": name, "view": str(sight), "file": str(path), "note": made.note})
            except (CommandEnd, NoAudience, NoScores, PositionError, StoreError, LookupError) as odd:
                says = odd.message if isinstance(odd, CommandEnd) else str(odd)
                rows.append({"game": name, "view": "", "file": "", "note": says})
        script = resources.files("pbem.export").joinpath("verify_alone.py").read_bytes()
        _write(folder / "verify.py", script, private=False)
        failed, head = sum(not row["file"] for row in rows), ("game", "view", "file", "note")
        if failed:
            console.warn(f"pbem: {failed} of {len(rows)} games could not be written; the others are there")
        cells = [tuple(row[cell] for cell in head) for row in rows]
        print_answer(rows, lambda _: console.print_table(head, cells), DIFFERS if failed else 0)

    def _made(self, repo: GameRepo, view: str) -> tuple[Audience, ExportFile]:
        config = config_of(self.call)
        sight = self._allowed(repo, view)
        known = {str(holder.seat): holder.addresses for holder in People(config.mail).holders(repo.name)}
        source = read_source(repo, words=open_private_text(config.mail))
        source = replace(source, addresses=known, open_hand=self.with_addresses)
        domain = config.host.address.rpartition("@")[2]
        if self.form != "mbox":
            return sight, make_export(source, sight, self.form, repo, None, self.words, domain)
        with open_host(self.call) as service:
            return sight, make_export(source, sight, self.form, repo, service.spool, self.words, domain)

    def _allowed(self, repo: GameRepo, view: str) -> Audience:
        """The view that may be written. Others' secrets of a game that goes on need --reveal."""
        names = {row.seat: row.name for row in StoredGame.read_public(repo).table.seats}
        sight = Audience.parse(view, list(names))
        moderator = config_of(self.call).moderator.seat.casefold()
        own = bool(sight.seat) and moderator in (sight.seat, names[sight.seat].casefold())
        if own or not (sight.full or sight.seat) or _over(repo):
            return sight
        if not self.reveal:
            raise CommandEnd(
                f"{repo.name} is not over: --view {view} would show secrets; with --reveal it is written all the "
                "same, and the table is told that you have looked",
                DIFFERS,
            )
        read_with_secrets(self.call, repo, sight.seat)
        return sight


def _over(repo: GameRepo) -> bool:
    return StoredGame.read_public(repo).table.status is Status.ENDED


def _write(path: Path, data: bytes, private: bool) -> None:
    """Write the whole file or none; `private`: readable by its owner only."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o600 if private else 0o644)
        Path(name).replace(path)
    except OSError as odd:
        raise CommandEnd(f"{path} could not be written: {odd.strerror or odd}", TROUBLE) from None
