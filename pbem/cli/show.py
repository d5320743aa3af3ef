"""`pbem show`: where a game stands, from public facts unless --reveal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import click
import tomli_w

from engine.game import AnyGame, Seat
from pbem.cli.kit import console
from pbem.cli.kit.arguments import rules_of
from pbem.cli.kit.call import USAGE, Call, CommandEnd, json_option, print_answer
from pbem.cli.kit.game_rows import open_mail_folder, wait_data, wait_text
from pbem.cli.kit.host_access import awaited_option, awaited_seats, read_with_secrets, without_delimiter
from pbem.cli.kit.stored import GAME, config_of, game_of, table_data
from pbem.daemon.service import host_of
from pbem.desk.core.context import OVER
from pbem.desk.core.seat_controller import COMPUTER, computer_text
from pbem.host.people import People
from pbem.outbound.mail import Mail, MailKind
from pbem.outbound.render import Renderer
from pbem.store.game_table import Status
from pbem.store.state_file import StoredGame

HEADING = "ONLY FOR YOU"
"""The heading of a reader's secrets in a mail."""


@click.command("show")
@click.argument("game", type=GAME)
@click.option("--seat", help="The position as this seat has it before it, with what is open to it.")
@click.option("--reveal", is_flag=True, help="Show secrets, too; the table is told that you have looked.")
@awaited_option
@json_option
@click.pass_obj
def command(call: Call, game: str, seat: str | None, reveal: bool, awaited: bool) -> None:
    """Show where a game stands.

    What everybody at the table can see. Secrets are not even read without --reveal, and that you have looked is
    written into the game's history.
    """
    repo = game_of(call, game)
    stored = read_with_secrets(call, repo, seat or "") if reveal else StoredGame.read_public(repo)
    if seat and seat not in [row.seat for row in stored.table.seats]:
        names = ", ".join(row.seat for row in stored.table.seats)
        raise CommandEnd(f"{game} has no seat {seat}; its seats are: {names}", USAGE)
    renderer = Renderer(host_of(config_of(call)))
    people = People(config_of(call).mail)
    with open_mail_folder(config_of(call), people) as post:
        wait = wait_data(stored.table, post)
    if awaited and stored.table.status is Status.RUNNING:
        wait["awaited"] = awaited_seats(call, repo)
    print_answer(Shown(rules_of(stored.table.kind), stored, seat or "", reveal, renderer, wait), Shown.print)


@dataclass
class Shown:
    """A game as a seat or the table sees it; with secrets where `reveal`."""

    rules: AnyGame
    stored: StoredGame
    seat: str
    reveal: bool
    renderer: Renderer
    wait: dict[str, Any]

    @cached_property
    def state(self) -> Any:
        """The position; None before the game."""
        return self.rules.load(self.stored.game, self.stored.hidden) if self.stored.game else None

    @property
    def awaited(self) -> list[str]:
        """Seats that have not answered the invitation."""
        table = self.stored.table
        return [row.seat for row in table.seats if row.seat not in (*table.joined, *table.declined)]

    @property
    def secrets(self) -> dict[str, Any]:
        """Seed, words and hidden tables."""
        hidden = self.stored.secrets
        return {"seed": hidden.seed, "epoch": hidden.epoch, "words": hidden.words, "game": self.stored.hidden}

    def to_data(self) -> dict[str, Any]:
        """For `--json`."""
        table, rules, state = self.stored.table, self.rules, self.state
        found = table_data(self.stored) | {
            "opened": table.opened.isoformat(), "changed": table.changed.isoformat(), "records": table.records,
            "entries": table.entries, "commit": self.stored.commit, **self.wait,
        }  # fmt: skip
        if state is None:
            found["waiting_for"] = [] if table.status in OVER else self.awaited
        else:
            asked = () if table.status in OVER else rules.waiting(state)
            found |= {
                "heading": str(rules.heading(state)),
                "waiting_for": [one.seat for one in asked],
                "asked": [{"seat": one.seat, "kind": one.kind, "number": one.number} for one in asked],
                "position": self.stored.game,
            }
            if self.seat in found["waiting_for"]:
                found["options_open"] = [offer.text for offer in rules.offers(state, Seat(self.seat))]
        if self.reveal and self.seat and state is not None:
            _, _, private = self.renderer.text(self._mail()).body.partition(HEADING)
            found["secrets"] = {"text": private.partition("\n")[2]}
        elif self.reveal:
            found["secrets"] = self.secrets
        return found

    def print(self) -> None:
        """Print it for a person."""
        table = self.stored.table
        console.title(f"{table.game}: {self.rules.title}, {table.status}")
        options = ", ".join(f"{name} {value}" for name, value in table.options.items() if value)
        click.echo(f"options: {options or 'none'}")
        if computers := ", ".join(str(computer_text(row)) for row in table.seats if row.by == COMPUTER):
            click.echo(f"computers: {computers}")
        if until := wait_text(self.wait):
            click.echo(f"since {self.wait['since'][:16].replace('T', ' ')} UTC: {until}")
        if names := [table.seat(one).name for one in self.wait.get("awaited", ())]:
            click.echo(f"not answered yet: {', '.join(names)}")
        if table.pace.hours:
            click.echo(f"pace: {self.wait['pace']}; who is late: {table.pace.late}")
        click.echo(f"hash over seed and host's word: {table.commitment}")
        if self.state is None:
            waiting = ", ".join(table.seat(one).name for one in self.awaited)
            click.echo(f"before the game; an answer is awaited from {waiting or 'nobody'}")
            if table.declined:
                click.echo(f"declined: {', '.join(table.seat(one).name for one in table.declined)}")
        else:
            click.echo(f"\n{without_delimiter(self.renderer.text(self._mail()).body)}")
            self._print_scores()
        if self.reveal and not self.seat:
            click.echo(f"\nSECRETS\n{tomli_w.dumps(self.secrets)}".rstrip())

    def _print_scores(self) -> None:
        result = self.rules.result(self.state)
        if result is None:
            return
        for seat, total in result.totals.items():
            parts = ", ".join(f"{result.names.get(part, part)} {n}" for part, n in result.scores[seat].items())
            click.echo(f"{result.names.get(seat, seat)}: {total} VP ({parts})")
        for note in result.notes:
            click.echo(str(note))

    def _mail(self) -> Mail:
        """The mail that shows it: private for a revealed seat, else as the table sees it."""
        table, rules, state, seat = self.stored.table, self.rules, self.state, self.seat
        names = {row.seat: row.name for row in table.seats}
        asked = () if table.status in OVER else rules.waiting(state)
        decision = next((one for one in asked if one.seat == seat), None)
        return Mail(
            kind=MailKind.ANSWER, game=table.game, game_kind=table.kind, seat=Seat(seat), name=names.get(seat, ""),
            heading=rules.heading(state), waiting_for=tuple(names[one.seat] for one in asked),
            players=tuple(names.items()), view=rules.view(state, Seat(seat) if seat else None), board=True, full=True,
            result=rules.result(state), decision=decision,
            offers=rules.offers(state, Seat(seat)) if decision else (), spectator=not (seat and self.reveal),
        )  # fmt: skip
