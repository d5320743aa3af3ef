"""`pbem watch`: a screen of all games: whose turn it is, for how long, and what is in trouble."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.kit import console, game_rows
from pbem.cli.kit.call import Call, json_option, print_answer
from pbem.cli.kit.host_access import awaited_option, awaited_seats
from pbem.cli.kit.stored import config_of, store_of
from pbem.daemon.heartbeat import STALE_AFTER, read_heartbeat
from pbem.host.config import Config
from pbem.host.people import People
from pbem.store.errors import StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.game_store import GameStore
from pbem.store.spool import Spool

if TYPE_CHECKING:
    from rich.console import Group

LONG = 3 * 24 * 3600
"""Seconds after which a game that waits stands out."""

HEAD = ("game", "status", "where", "waits for", "since", "wait", "trouble")


@click.command("watch")
@click.option("--every", type=click.FloatRange(min=0.2), default=2.0, show_default=True, help="Seconds between looks.")
@click.option("--once", is_flag=True, help="Print it once and end.")
@click.option("--all", "everything", is_flag=True, help="Games that are over, too.")
@awaited_option
@json_option
@click.pass_obj
def command(call: Call, every: float, once: bool, everything: bool, awaited: bool) -> None:
    """One screen of all games, alive.

    Whose turn it is, how long they have been waited for, mails that cannot be sent, games in trouble, and whether the
    daemon runs. What waits longest stands first. Ends with Ctrl-C. Secrets are not opened.
    """
    names = (lambda repo: awaited_seats(call, repo)) if awaited else None
    screen = Screen(store_of(call), config_of(call), everything, names)
    if once or call.as_json or not console.on_terminal():
        print_answer(screen.data(), _print)
        return
    # A screen that is printed once need not wait for the import.
    from rich.live import Live

    try:
        with Live(draw_screen(screen.data()), screen=True, auto_refresh=False) as live:
            while True:
                time.sleep(every)
                live.update(draw_screen(screen.data()), refresh=True)
    except KeyboardInterrupt:
        return


class Screen:
    """All games of a store; `awaited` looks up who has not answered."""

    def __init__(
        self, store: GameStore, config: Config, everything: bool, awaited: Callable[[GameRepo], list[str]] | None = None
    ) -> None:
        self._store, self._config, self._everything, self._awaited = store, config, everything, awaited
        self._mail = config.mail
        self._known: dict[str, tuple[str, list[str]]] = {}

    def data(self) -> dict[str, Any]:
        """The screen as plain data; what waits longest first."""
        people = People(self._mail)
        now = datetime.now(UTC)
        odd: list[str] = []
        with game_rows.open_mail_folder(self._config, people, odd.append) as post:
            found = [self._row(name, post) for name in self._store.names()]
            troubles, ready = _mails(post.spool) if post else ({}, 0)
        rows = []
        for row in found:
            name = row["game"]
            if game_rows.is_over(row) and not self._everything:
                continue
            since = datetime.fromisoformat(row["since"]) if row["since"] else now
            row["waited"] = max(0, int((now - since).total_seconds()))
            # A bounce tells the reason; it stands instead of mails that cannot be sent.
            mails = game_rows.bounce_text(people, name) or troubles.get(name, "")
            row["trouble"] = "; ".join(filter(None, (row["trouble"], mails)))
            rows.append(row)
        rows.sort(key=lambda row: (not row["trouble"], row["status"] != "running", -row["waited"]))
        return {"daemon": "; ".join((self._daemon(), *odd)), "waiting_mails": ready, "games": rows}

    def _row(self, name: str, post: game_rows.MailFolder | None) -> dict[str, Any]:
        by_hand = ""
        try:
            row = game_rows.game_row(repo := self._store.open(name), post)
            if self._awaited is not None and row["status"] == "running":
                row["waiting_for"] = self._looked_up(repo)
            by_hand = game_rows.edited_by_hand(repo)
        except StoreError as odd:
            row = game_rows.damaged_row(name, odd)
        if row["status"] == "damaged":
            why = by_hand or row["heading"] or "cannot be read"
            return row | {"heading": "", "trouble": f"{why}; see `pbem fsck`"}
        return row | {"trouble": by_hand}

    def _looked_up(self, repo: GameRepo) -> list[str]:
        """The awaited seats, looked up once after a change, since a look may be recorded."""
        assert self._awaited is not None
        if self._known.get(repo.name, ("", []))[0] != self._store.head(repo.name):
            seats = self._awaited(repo)
            self._known[repo.name] = self._store.head(repo.name), seats
        return self._known[repo.name][1]

    def _daemon(self) -> str:
        """The daemon's state in words."""
        beat = read_heartbeat(self._mail / "heartbeat.toml")
        if beat is None or beat.ended:
            return "does not run"
        if datetime.now(UTC) - beat.at > STALE_AFTER:
            return f"no sign of life since {beat.at.strftime(console.MINUTES)} UTC"
        return f"{beat.state}, {beat.trouble}" if beat.trouble else beat.state


def _mails(spool: Spool) -> tuple[dict[str, str], int]:
    """Trouble with mails by game, in words, and the number of mails that wait."""
    troubles: dict[str, list[str]] = {}
    ready = spool.rows(state="ready")
    for row in (*ready, *spool.rows(state="failed")):
        if row.state != "ready" or row.attempts > 1:
            troubles.setdefault(row.game, []).append(row.seat or row.rcpt)
    told = {game: f"no mail reaches {', '.join(dict.fromkeys(seats))}" for game, seats in troubles.items()}
    return told, len(ready)


def _print(data: Mapping[str, Any]) -> None:
    console.print_table(HEAD, [row_cells(row) for row in data["games"]])
    console.warn(_post_says(data))


def _post_says(data: Mapping[str, Any]) -> str:
    return f"daemon: {data['daemon']}; {data['waiting_mails']} mails wait to be sent"


def draw_screen(data: Mapping[str, Any]) -> Group:
    """The screen for rich."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(*HEAD, expand=True, header_style="bold", box=None, pad_edge=False)
    for row in data["games"]:
        style = "red" if row["trouble"] else "yellow" if row["status"] == "running" and row["waited"] > LONG else ""
        table.add_row(*(Text(cell) for cell in row_cells(row)), style=style)
    head = Text(f"{datetime.now():%H:%M:%S}  {_post_says(data)}", style="bold")
    foot = Text("Ctrl-C ends; `pbem show GAME` shows one", style="dim")
    empty = Text("There is no game that goes on; `pbem new` opens one.")
    return Group(head, Text(), table if data["games"] else empty, Text(), foot)


def row_cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The cells of a game's line."""
    names = row["players"]
    waits = ", ".join(names.get(seat, seat) for seat in row["waiting_for"])
    where = row["heading"] or ("before the game" if row["status"] == "gathering" else "")
    return row["game"], row["status"], where, waits, _ago(row["waited"]), game_rows.wait_text(row), row["trouble"]


def _ago(seconds: int) -> str:
    """A duration in the two largest units."""
    days, rest = divmod(seconds, 86400)
    hours, minutes = rest // 3600, rest % 3600 // 60
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
