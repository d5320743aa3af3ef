"""`pbem export`: games as files that programs, people and other hosts can read."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import paper
from pbem.cli.complete import GAME
from pbem.cli.outcome import DIFFERS, TROUBLE, USAGE, Call, CommandEnd, json_option, print_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.export.formats import Made
    from pbem.export.sight import Sight
    from pbem.store.repo import GameRepo

FORMATS = ("json", "toml", "html", "mbox", "bundle", "csv", "md")


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
    call: Call,
    game: str | None,
    form: str,
    view: str,
    output: Path | None,
    everything: bool,
    with_addresses: bool,
    reveal: bool,
    language: str,
    as_json: bool,
) -> None:
    """Write a game to a file: data, a page that plays it, mails, history.

    json and toml hold every step for programs and come back with `pbem import` (from --view full); html is a page
    that plays the game in a browser; mbox and bundle hold the mails and the git history; csv the scores, md the
    story. EXPORT.md explains them. Without -o the text goes to stdout. GAME may also be a json or toml export, which
    is then written in another format. --all writes every game and verify.py: those that are over in full, the others
    in the public view unless --reveal.
    """
    if bool(game) == everything:
        raise CommandEnd("name one game, or say --all", USAGE, as_json)
    job = Job(call, form, view, with_addresses, reveal, language, as_json)
    if game and Path(game).is_file():
        job.again(Path(game), output)
    elif game:
        job.one(call.game(game), output)
    else:
        job.every(output)


class Job:
    """What was asked for, and the writing of it."""

    def __init__(
        self, call: Call, form: str, view: str, with_addresses: bool, reveal: bool, language: str, as_json: bool
    ) -> None:
        self.call = call
        self.form = form
        self.view = view
        self.with_addresses = with_addresses
        self.reveal = reveal
        self.language = language
        self.as_json = as_json

    def one(self, repo: GameRepo, output: Path | None) -> None:
        """One game, to its file or to stdout."""
        sight, made = self._made(repo, self.view or "public")
        self._out(repo.name, str(sight), made, output, private=sight.full or self.with_addresses)

    def again(self, file: Path, output: Path | None) -> None:
        """An export that is there, in another format."""
        from engine.catalog import Catalogue
        from pbem.export.formats import again
        from pbem.export.sheet import NoScores
        from pbem.export.sight import NoSight
        from pbem.export.writing import read_document
        from pbem.outbound.catalogue import translations

        found = read_document(file)
        view = str(found["view"])
        if self.view not in ("", view):
            raise CommandEnd(f"{file} shows the view {view}; another needs the stored game", USAGE, self.as_json)
        try:
            made = again(found, self.form, Catalogue(translations(self.language), self.language))
        except NoSight as odd:
            raise CommandEnd(str(odd), USAGE, self.as_json) from None
        except NoScores as odd:
            raise CommandEnd(str(odd), DIFFERS, self.as_json) from None
        except (KeyError, TypeError, AttributeError) as odd:
            raise CommandEnd(f"{file} does not hold together: {type(odd).__name__}: {odd}", TROUBLE) from None
        self._out(str(found["game"].get("name")), view, made, output, private=False)

    def _out(self, game: str, view: str, made: Made, output: Path | None, private: bool) -> None:
        if output is None:
            if self.as_json:
                raise CommandEnd("--json tells of the file that was written: name one with -o", USAGE, True)
            sys.stdout.buffer.write(made.data)
            sys.stdout.buffer.flush()
        else:
            _write(output, made.data, private)
        if made.note:
            paper.warn(f"{game}: {made.note}")
        if self.as_json:
            told = {"game": game, "format": self.form, "view": view, "file": str(output)}
            print_json(told | {"bytes": len(made.data), "note": made.note})

    def every(self, output: Path | None) -> None:
        """Every game of the store, into a folder, and the script that checks their dice."""
        from importlib import resources

        from engine.errors import PositionError
        from pbem.store.trouble import StoreError

        folder = output or Path("export")
        folder.mkdir(parents=True, exist_ok=True)
        store, rows = self.call.store(), []
        for name in store.names():
            repo = store.open(name)
            path = folder / f"{name}.{self.form}"
            try:
                sight, made = self._made(repo, self.view or ("full" if self.reveal or _over(repo) else "public"))
                _write(path, made.data, private=sight.full or self.with_addresses)
                rows.append({"game": name, "view": str(sight), "file": str(path), "note": made.note})
            except (CommandEnd, PositionError, StoreError, LookupError) as odd:
                says = odd.message if isinstance(odd, CommandEnd) else str(odd)
                rows.append({"game": name, "view": "", "file": "", "note": says})
        script = resources.files("pbem.export").joinpath("verify_alone.py").read_bytes()
        _write(folder / "verify.py", script, private=False)
        if self.as_json:
            print_json(rows)
        else:
            head = ("game", "view", "file", "note")
            paper.print_table(head, [tuple(row[cell] for cell in head) for row in rows])
        if failed := sum(not row["file"] for row in rows):
            raise CommandEnd(f"{failed} of {len(rows)} games could not be written; the others are there", DIFFERS)

    def _made(self, repo: GameRepo, view: str) -> tuple[Sight, Made]:
        from engine.catalog import Catalogue
        from pbem.export.formats import make
        from pbem.export.sheet import NoScores
        from pbem.export.sight import NoSight
        from pbem.export.source import read
        from pbem.host.people import People
        from pbem.outbound.catalogue import translations
        from pbem.store.stored import Stored
        from pbem.store.words import words_in

        config = self.call.config()
        table = Stored.read_public(repo).table
        words = Catalogue(translations(self.language), self.language)
        try:
            sight = self._allowed(repo, view, {row.seat: row.name for row in table.seats}, str(table.status))
            source = read(repo, words=words_in(config.mail))
            holders = People(config.mail).holders(repo.name)
            known = {str(holder.seat): holder.addresses for holder in holders}
            source = replace(source, addresses=known, open_hand=self.with_addresses)
            domain = config.host.address.rpartition("@")[2]
            if self.form != "mbox":
                return sight, make(source, sight, self.form, repo, None, words, domain)
            with self.call.service() as service:
                return sight, make(source, sight, self.form, repo, service.spool, words, domain)
        except NoSight as odd:
            raise CommandEnd(str(odd), USAGE, self.as_json) from None
        except NoScores as odd:
            raise CommandEnd(str(odd), DIFFERS, self.as_json) from None

    def _allowed(self, repo: GameRepo, view: str, seats: Mapping[str, str], status: str) -> Sight:
        """The sight, once it may be had: of a game that goes on, secrets are for --reveal and one's own seat."""
        from pbem.export.sight import Sight

        sight = Sight.parse(view, list(seats))
        over = status == "ended"
        moderator = self.call.config().moderator.seat.casefold()
        own = bool(sight.seat) and moderator in (sight.seat, seats[sight.seat].casefold())
        if over or own or not (sight.full or sight.seat):
            return sight
        if not self.reveal:
            raise CommandEnd(
                f"{repo.name} is not over: --view {view} would show secrets; with --reveal it is written all the "
                "same, and the table is told that you have looked",
                DIFFERS,
                self.as_json,
            )
        from pbem.cli.show import look

        look(self.call, repo, sight.seat)
        return sight


def _over(repo: GameRepo) -> bool:
    from pbem.store.stored import Stored
    from pbem.store.table import Status

    return Stored.read_public(repo).table.status is Status.ENDED


def _write(path: Path, data: bytes, private: bool) -> None:
    """The whole file or none; what holds secrets or addresses is for its owner alone."""
    import os
    import tempfile

    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o600 if private else 0o644)
        Path(name).replace(path)
    except OSError as odd:
        raise CommandEnd(f"{path} could not be written: {odd.strerror or odd}", TROUBLE) from None
