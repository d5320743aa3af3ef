"""`pbem watch`: one screen of all games: whose turn, for how long, and what is in trouble."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from pbem.cli import paper
from pbem.cli.list_ import bouncing, told
from pbem.cli.outcome import Call, json_option, print_json

if TYPE_CHECKING:
    from rich.console import Group

    from pbem.host.config import Config
    from pbem.store.games import GameStore

LONG = 3 * 24 * 3600
"""Seconds after which a game that waits stands out."""


@click.command("watch")
@click.option("--every", type=click.FloatRange(min=0.2), default=2.0, show_default=True, help="Seconds between looks.")
@click.option("--once", is_flag=True, help="Print it once and end.")
@click.option("--all", "everything", is_flag=True, help="Games that are over, too.")
@json_option
@click.pass_obj
def command(call: Call, every: float, once: bool, everything: bool, as_json: bool) -> None:
    """One screen of all games, alive.

    Whose turn it is, how long they have been waited for, mails that cannot be sent, games in trouble, and whether the
    daemon runs. What waits longest stands first. Ends with Ctrl-C. Secrets are not opened.
    """
    screen = Screen(call.store(), call.config(), everything)
    if as_json:
        print_json(screen.data())
        return
    if once or not paper.on_terminal():
        data = screen.data()
        paper.print_table(HEAD, [cells(row) for row in data["games"]])
        paper.warn(f"daemon: {data['daemon']}; {data['waiting_mails']} mails wait to be sent")
        return
    from rich.live import Live

    try:
        with Live(screen.drawn(), screen=True, auto_refresh=False) as live:
            while True:
                time.sleep(every)
                live.update(screen.drawn(), refresh=True)
    except KeyboardInterrupt:
        return


HEAD = ("game", "status", "where", "waits for", "since", "trouble")


class Screen:
    """All games of a store. A game that has not changed is not read again."""

    def __init__(self, store: GameStore, config: Config, everything: bool) -> None:
        self._store, self._config, self._everything = store, config, everything
        self._known: dict[str, tuple[str, dict[str, Any]]] = {}

    def data(self) -> dict[str, Any]:
        """Everything the screen shows, as plain data; what waits longest first."""
        from pbem.host.people import People

        daemon, troubles, ready = self._post()
        people = People(self._config.mail)
        now = datetime.now(UTC)
        rows = []
        for name in self._store.names():
            row = dict(self._row(name))
            if row["status"] in ("ended", "abandoned") and not self._everything:
                continue
            since = datetime.fromisoformat(row["changed"]) if row["changed"] else now
            row["waited"] = max(0, int((now - since).total_seconds()))
            # Whoever's mail comes back is told with the reason; a refusal by our own server has no more to say.
            mails = bouncing(people, name) or troubles.get(name, "")
            row["trouble"] = "; ".join(filter(None, (row.get("trouble", ""), mails)))
            rows.append(row)
        rows.sort(key=lambda row: (not row["trouble"], row["status"] != "running", -row["waited"]))
        return {"daemon": daemon, "waiting_mails": ready, "games": rows}

    def _row(self, name: str) -> dict[str, Any]:
        from pbem.store.trouble import StoreError

        try:
            head = self._store.head(name)
            known = self._known.get(name)
            if known is None or known[0] != head:
                repo = self._store.open(name)
                known = (head, told(repo))
                self._known[name] = known
            row = dict(known[1])
            if edited := self._edited(name):
                row["trouble"] = edited
        except StoreError as odd:
            row = {"game": name, "status": "damaged", "heading": "", "players": {}, "waiting_for": [], "changed": ""}
            row["trouble"] = str(odd)
        if row["status"] == "damaged":
            row["trouble"] = row.get("trouble") or row["heading"] or "cannot be read"
            row["heading"] = ""
            row["trouble"] += "; see `pbem fsck`"
        return row

    def _edited(self, name: str) -> str:
        repo = self._store.open(name)
        changed = [one.path for one in repo.status() if one.how != "unknown"]
        if changed:
            # A letter may just be being committed; its files follow the branch at once.
            time.sleep(0.1)
            changed = [one.path for one in repo.status() if one.how != "unknown" and one.path in changed]
        return f"{', '.join(changed)} changed by hand: parked; see `pbem mend`" if changed else ""

    def _post(self) -> tuple[str, dict[str, str], int]:
        """What the daemon says, mails in trouble by game, and how many wait."""
        import sqlite3

        from pbem.daemon.pulse import STALE, read_heartbeat
        from pbem.store.spool import Spool

        mail = self._config.mail
        beat = read_heartbeat(mail / "heartbeat.toml")
        if beat is None or beat.state == "stopped":
            daemon = "does not run"
        elif datetime.now(UTC) - beat.at > STALE:
            daemon = f"no sign of life since {beat.at:%Y-%m-%d %H:%M} UTC"
        else:
            daemon = f"{beat.state}, {beat.trouble}" if beat.trouble else beat.state
        if not (mail / "spool.sqlite").exists():
            return daemon, {}, 0
        troubles: dict[str, list[str]] = {}
        try:
            spool = Spool(mail)
        except sqlite3.Error:
            return f"{daemon}; the spool is damaged, see `pbem fsck`", {}, 0
        try:
            ready = spool.rows(state="ready")
            for row in (*ready, *spool.rows(state="failed"), *spool.rows(state="bounced")):
                if row.state != "ready" or row.attempts > 1:
                    troubles.setdefault(row.game, []).append(row.seat)
        finally:
            spool.close()
        told_ = {game: f"no mail reaches {', '.join(dict.fromkeys(seats))}" for game, seats in troubles.items()}
        return daemon, told_, len(ready)

    def drawn(self) -> Group:
        """The screen as rich draws it."""
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        data = self.data()
        table = Table(*HEAD, expand=True, header_style="bold", box=None, pad_edge=False)
        for row in data["games"]:
            style = "red" if row["trouble"] else "yellow" if row["status"] == "running" and row["waited"] > LONG else ""
            table.add_row(*(Text(cell) for cell in cells(row)), style=style)
        at = datetime.now().strftime("%H:%M:%S")
        head = Text(f"{at}  daemon: {data['daemon']}; {data['waiting_mails']} mails wait to be sent", style="bold")
        foot = Text("Ctrl-C ends; `pbem show GAME` shows one", style="dim")
        empty = Text("There is no game that goes on; `pbem new` opens one.")
        return Group(head, Text(), table if data["games"] else empty, Text(), foot)


def cells(row: dict[str, Any]) -> tuple[str, ...]:
    """One game as the words of a line."""
    names = row["players"]
    waits = ", ".join(names.get(seat, seat) for seat in row["waiting_for"])
    where = row["heading"] or ("before the game" if row["status"] == "gathering" else "")
    return row["game"], row["status"], where, waits, "".join(_ago(row["waited"])), row["trouble"]


def _ago(seconds: int) -> Iterator[str]:
    """How long ago, in the two largest units."""
    days, rest = divmod(seconds, 86400)
    hours, rest = divmod(rest, 3600)
    minutes = rest // 60
    if days:
        yield f"{days} d {hours} h"
    elif hours:
        yield f"{hours} h {minutes} min"
    else:
        yield f"{minutes} min"
