"""`pbem letter`: what would become of raw mails; nothing is played, stored or sent.

The desk's own functions run on a copy of the spool, without a lock and a commit. Without --reveal orders are tried on
what the table can see, up to the first thing that nobody can know.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import click

from engine.catalog import T
from engine.chance import BlindChance, Chance, UnknownDraw
from engine.errors import OrderRefused
from pbem.admin import admin_mail
from pbem.admin.request_parser import request_in_letter
from pbem.cli.kit import console
from pbem.cli.kit.arguments import files_in
from pbem.cli.kit.call import DIFFERS, TROUBLE, Call, CommandEnd, json_option, print_answer
from pbem.cli.kit.host_access import read_with_secrets
from pbem.cli.kit.stored import config_of, store_of
from pbem.daemon.service import host_of
from pbem.desk.answering import answer_request as answered
from pbem.desk.core.context import Context
from pbem.desk.core.identity import Who, fails, identify, unique_mark
from pbem.desk.core.request import Request
from pbem.desk.core.result import Result
from pbem.desk.core.services import Services, current_time
from pbem.desk.limits.auto_replies import passes_over
from pbem.desk.orders.suggestions import STILL
from pbem.host.keys import Keys
from pbem.host.passwords import host_secret
from pbem.host.people import People
from pbem.inbound.incoming_letter import Kind, Letter, open_letter
from pbem.outbound.mail import LineAnswer, MailKind
from pbem.outbound.render import Renderer
from pbem.router import PERSONAL_KINDS
from pbem.store.commit_record import AnsweredLetter
from pbem.store.spool import Spool
from pbem.store.state_file import StoredGame

ATTEMPTS = 20
"""Attempts to copy a spool that is being written."""

MARKS = {"play": "well", "answer": "well", "ask": "doubt", "refuse": "bad", "silent": "doubt", "duplicate": "doubt"}


@click.command("letter")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--reveal", is_flag=True, help="Open the secrets, too; the tables are told that you have looked.")
@json_option
@click.pass_obj
def command(call: Call, files: tuple[Path, ...], reveal: bool) -> None:
    """Say what the desk would make of raw mails.

    FILES are raw mails as a mail program saves them, or folders of them. Nothing is played, stored or sent. Without
    --reveal no secret is read: orders are tried on what the table can see, and numbers count in the list that is open
    now. Exit 1 if a letter would be refused or asked back.
    """
    host = host_of(config_of(call))
    ours, found = frozenset({host.address, host.name}), []
    with _services(call) as services:
        for file in files_in(files, ".eml"):
            letter = open_letter(file.read_bytes(), ours)
            found.append(replace(_foreseen(call, services, letter, reveal), file=str(file)))
    print_answer(found, _print, DIFFERS if any(one.outcome in ("refuse", "ask") for one in found) else 0)


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What would become of a letter. `decision`: the number it answers; `why`: the reason where nothing is played."""

    outcome: str
    game: str = ""
    seat: str = ""
    decision: int | None = None
    lines: tuple[LineAnswer, ...] = ()
    not_read: tuple[str, ...] = ()
    why: str = ""
    file: str = ""

    def to_data(self) -> dict[str, Any]:
        """For `--json`."""
        lines = [
            {
                "written": line.written, "understood": line.understood,
                "reason": "" if line.reason is None else str(line.reason),
                "possible": [str(way) for way in line.possible],
            }
            for line in self.lines
        ]  # fmt: skip
        return {"file": self.file, **{one.name: getattr(self, one.name) for one in fields(self)}, "lines": lines}


@contextmanager
def _services(call: Call) -> Iterator[Services]:
    """The host's services with a copy of its spool, since opening the spool itself would write there."""
    config = config_of(call)
    store = store_of(call)
    people = People(config.mail, config.moderator.addresses, config.host.language)
    with tempfile.TemporaryDirectory(prefix="pbem-letter-") as folder:
        _copied(config.mail, Path(folder))
        spool = Spool(Path(folder))
        try:
            yield Services(
                store=store, spool=spool, people=people, renderer=Renderer(host_of(config)),
                keys=Keys(host_secret(config)), clock=current_time, authserv_id=config.host.authserv_id,
                dmarc_exempt=frozenset(address.lower() for address in config.host.dmarc_exempt), zone=config.host.zone,
            )  # fmt: skip
        finally:
            spool.close()


def _copied(mail: Path, folder: Path) -> None:
    """Copy the databases at a moment in which nobody writes them."""
    for _ in range(ATTEMPTS):
        files = [file for file in sorted(mail.glob("*.sqlite*")) if not file.name.endswith("-shm")]
        before = _state(files)
        for file in files:
            shutil.copyfile(file, folder / file.name)
        if before == _state(files):
            return
    raise CommandEnd(f"the spool in {mail} is written all the time; stop the daemon, or try again", TROUBLE)


def _state(files: list[Path]) -> list[tuple[int, int] | None]:
    return [(file.stat().st_mtime_ns, file.stat().st_size) if file.exists() else None for file in files]


def _foreseen(call: Call, services: Services, letter: Letter, reveal: bool) -> Foreseen:
    """What would become of a letter, in the order of the router."""
    spool = services.spool
    if seen := spool.seen(letter.digest):
        return Foreseen("duplicate", seen.game, why=f"answered before, by record {seen.record}")
    if letter.kind not in PERSONAL_KINDS:
        return Foreseen("silent", why=f"{letter.kind}: {letter.auto}"[:80])
    if fails(services, letter):
        return Foreseen("silent", why="dmarc=fail; its registered sender is told once a day")
    if admin_mail.is_admin_letter(letter, services):
        return Foreseen("answer", why="for the moderator's desk; actions are not tried here")
    who = identify(letter, services.people, services.keys, spool.mailed)
    at = Foreseen("silent", who.game, str(who.seat), who.decision if who.decision >= 0 else None, why=who.why)
    if who.stolen or not (who.proven or who.trouble) or (who.game and not services.store.has(who.game)):
        return at
    if letter.kind is Kind.BULK and not who.proven:
        return replace(at, why=f"{letter.kind}: {letter.auto}")
    if (told := _of_host(services, letter, who)) is not None:
        return replace(at, outcome=told[0], why=told[1])
    if not who.proven:
        return replace(at, outcome="refuse", why=str(who.trouble))
    mark = unique_mark(AnsweredLetter(letter.digest, 0, 0), letter, services.keys)
    if known := spool.taken(mark.name):
        return replace(at, outcome="duplicate", why=f"the same letter was answered by record {known.record}")
    result, tried = _result(call, services, letter, who, reveal)
    return replace(at, why=f"{letter.kind}: {letter.auto}") if result is None else _of(at, result, tried)


def _of_host(services: Services, letter: Letter, who: Who) -> tuple[str, str] | None:
    """(outcome, reason) of a letter to the host itself; None for one about a game."""
    try:
        asked = request_in_letter(services, letter, who.game if who.proven else "")
    except OrderRefused as odd:
        return "refuse", str(odd.reason)
    if asked is None:
        return None
    why = f"asks the host for «{asked.line}», which is not tried here"
    return ("answer" if who.proven or asked.word == "tables" else "ask"), why


def _result(call: Call, services: Services, letter: Letter, who: Who, reveal: bool) -> tuple[Result | None, bool]:
    """The result of a proven letter (None if it is passed over), and whether its orders were only tried."""
    repo = services.store.open(who.game)
    stored = read_with_secrets(call, repo) if reveal else StoredGame.read_public(repo)
    context = Context.loaded(services, stored, repo)
    request = Request.of(context, letter, who, services.people.holder(who.game, who.seat), services.clock())
    if passes_over(letter, request):
        return None, False
    if reveal:
        return answered(request), False
    blind = _Blind(**{name: getattr(request, name) for name in Request.__dataclass_fields__})
    try:
        return answered(blind), False
    except UnknownDraw:
        # Something is rolled or drawn. What comes before it can be told.
        return answered(replace(blind, lines=("try", *request.lines), written=("try", *request.written))), True


class _Blind(Request):
    """A letter whose reader knows no number that will be drawn."""

    @property
    def chance(self) -> Chance:
        return BlindChance()


def _of(at: Foreseen, result: Result, tried: bool) -> Foreseen:
    mail = result.answer
    if mail is None:
        return replace(at, why="nothing is answered")
    refused = [line for line in mail.said if line.reason is not None and not line.understood]
    if result.plays or result.hearers or (tried and not refused):
        outcome = "play"
    elif refused or mail.kind is MailKind.REFUSAL:
        # Before the game every doubtful answer is asked back, and so are late orders that still count.
        asked = mail.choices or result.state is None or any(line.reason == STILL for line in refused)
        outcome = "ask" if asked else "refuse"
    else:
        outcome = "answer"
    why = "" if outcome == "play" else " ".join(map(str, [line.reason for line in refused] or mail.notes))
    near = tuple(T("{text}", text=" / ".join(choice.text.split("\n"))) for choice in mail.choices or mail.repairs)
    lines = tuple(replace(line, possible=near + line.possible) if line in refused[-1:] else line for line in mail.said)
    return replace(at, outcome=outcome, lines=lines, not_read=result.reading.unread, why=why)


def _print(found: list[Foreseen]) -> None:
    for one in found:
        place = f"{one.game} {one.seat}".strip() or "no game"
        click.echo(f"{console.colored(one.outcome, MARKS[one.outcome])}\t{one.file}\t{place}\t{one.why}")
        for line in one.lines:
            click.echo(f"\t> {line.written}")
            if line.understood:
                click.echo(f"\t{line.understood}")
            if line.reason is not None:
                click.echo(f"\tnot done: {line.reason}")
            for way in line.possible:
                click.echo(f"\tpossible: {way}")
        for passed in one.not_read:
            click.echo(f"\tnot read: {passed}")
    console.warn("Nothing was played, stored or sent.")
