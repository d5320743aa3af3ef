"""A post room whose moderator repairs things: a game of Troyes between two people that has come some way."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path

from pbem.admin.actions import lifecycle, position_values, rollback, seat_holders, seat_orders
from pbem.admin.admin_action import BoundAction
from pbem.admin.persons import Person
from pbem.desk.transaction.commit import Committed
from pbem.host.people import People
from tests.desk.room import OWN, Got
from tests.whole.room import Hall

MODERATOR = "mod@host.test"


class Bench(Hall):
    """A `Hall` with a moderator. `repair` does an action; `told` is what he was told then."""

    def __init__(self, folder: Path, kind: str = "troyes", plus: bool = True) -> None:
        self.told: tuple[str, ...] = ()
        super().__init__(folder, kind, plus)

    def restart(self) -> None:
        """A new process: nothing is known but what lies on the disk."""
        self.people = People(self.folder / "mail", (MODERATOR,))
        super().restart()

    def copy(self, folder: Path) -> Bench:
        """An independent copy of the whole host, files and clock."""
        shutil.copytree(self.folder, folder, symlinks=True)
        other = Bench(folder, self.kind)
        other.time, other.count = self.time, self.count
        return other

    def repair(self, action: BoundAction, game: str = "") -> Committed:
        committed = self.desk.change(game or self.table, "a repair", action)
        self.told = tuple(str(one) for one in committed.told)
        return committed

    def play(self, letters: int) -> None:
        """So many letters, each with the first option."""
        for _ in range(letters):
            seat = self.asked()
            assert seat is not None
            self.send(seat, "1")

    def moderate(self, text: str, *, to: Got | None = None, sender: str = MODERATOR, subject: str = "") -> list[Got]:
        """The mails that a letter of the moderator's leads to; an answer to `to`, or to nothing."""
        before = len(self.mails())
        self.count += 1
        message = EmailMessage()
        message["From"] = sender
        message["To"] = to.reply_to if to else OWN
        message["Subject"] = subject or f"[{self.table}]"
        message["Message-ID"] = f"<gm{self.count}@host.test>"
        message.set_content(text)
        self.post(message.as_bytes())
        return self.mails()[before:]

    @property
    def status(self) -> str:
        return str(self.stored(self.table).table.status)


def opened(folder: Path, letters: int = 14) -> Bench:
    """A table of Anna and Faye after so many letters."""
    bench = Bench(folder)
    bench.seat_all(2)
    bench.play(letters)
    return bench


Makes = Callable[[Bench], BoundAction]

ACTIONS: dict[str, Makes] = {
    "undo": lambda bench: rollback.undo("Anna has sent the wrong line"),
    "rollback": lambda bench: rollback.rollback("11", "the host had forgotten a rule"),
    "redraw": lambda bench: rollback.rollback("11", "the dice were seen before they were rolled", redraw=True),
    "set": lambda bench: position_values.set_value("anna.deniers", "+3", "the salary was forgotten"),
    "edit": lambda bench: lambda case: position_values.set_values(case, [("seats.anna.deniers", 9), ("seats.faye.influence", 7)], "as agreed by mail"),
    "orders": lambda bench: seat_orders.give_orders(str(bench.asked()), ["1"], "the mail does not get through"),
    "hold": lambda bench: lifecycle.hold("Faye is ill"),
    "end": lambda bench: lifecycle.end("we begin anew on Sunday"),
    "abandon": lambda bench: lifecycle.abandon("nobody has time"),
    "remark": lambda bench: lifecycle.remark("I am away until Monday.", now=True),
    "replace": lambda bench: seat_holders.replace_holder(bench.desk.services, "faye", Person("Zoe", ("zoe@people.test",)), "Faye has moved"),
    "address": lambda bench: seat_holders.address(bench.desk.services, "faye", "fay@people.test"),
    "rename": lambda bench: seat_holders.rename(bench.desk.services, "faye", "Fanny", "she is called so"),
    "computer": lambda bench: seat_holders.computer(str(bench.asked()), "on holiday"),
    "resend": lambda bench: lifecycle.resend(str(bench.asked())),
}
"""Every repair that a running game can meet, by name."""

AFTER: dict[str, tuple[Makes, Makes]] = {
    "rollforward": (ACTIONS["rollback"], lambda bench: rollback.rollforward("the rule was not forgotten")),
    "resume": (ACTIONS["hold"], lambda bench: lifecycle.resume("Faye is well")),
    "person": (ACTIONS["computer"], lambda bench: seat_holders.computer(_by_computer(bench), "back again", off=True)),
}
"""Repairs that follow on another."""


def _by_computer(bench: Bench) -> str:
    return next(row.seat for row in bench.stored(bench.table).table.seats if row.by == "computer")


def prepared(bench: Bench, name: str) -> Makes:
    """The repair called so, after the one it follows on was done."""
    if name in ACTIONS:
        return ACTIONS[name]
    first, second = AFTER[name]
    bench.repair(first(bench))
    return second


def names() -> Iterator[str]:
    yield from (*ACTIONS, *AFTER)


def key(bench: Bench) -> Got:
    """A mail to the moderator that carries the newest key."""
    return (bench.mails("gm") or bench.moderate("gm status\n"))[-1]
