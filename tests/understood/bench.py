"""A table at rest, and what the desk makes of a letter to it: the whole walk of a letter but for its commit.

The letters are plain files with a made-up key and Message-ID; both are put in their place before a letter is read.
Nothing is kept, so that each letter is read as the first one, and a thousand of them take a few seconds.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engine import game as games
from engine.catalog import T
from engine.game import AnyGame, Offer, Seat
from engine.kit import cases
from engine.troyes.cases import lay_out_table
from engine.troyes.events.play import Play
from engine.troyes.phases import game_flow
from engine.troyes_dice.cases.rule_tests import Scenario
from engine.troyes_dice.cases.terms import lay_out_table as lay_dice
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.desk.core.context import Context
from pbem.desk.core.outcome import Handled, Outcome, Silence
from pbem.desk.core.result import Result
from pbem.desk.core.services import Services
from pbem.desk.desk import Desk
from pbem.desk.transaction.commit import Committed
from pbem.host.keys import Keys
from pbem.host.people import People
from pbem.inbound.incoming_letter import Letter, open_letter
from pbem.outbound.mail import MailKind
from pbem.outbound.render import Host, Renderer
from pbem.router import Router
from pbem.store.game_store import GameStore
from pbem.store.spool import Spool

TABLES: dict[str, Any] = tomllib.loads((Path(__file__).parent / "tables.toml").read_text(encoding="utf-8"))
KINDS = {"troyes": "troyes", "dice": "troyes-dice"}

OWN = "troyes@gm.test"
TOKEN = "troyes-12.41.k7q2m5xw3hbd4ntr"
"""The key that the letters carry."""
MAIL = "6h2wq5ydm3vtn7kxbz4rcpjfs2ealgou@gm.test"
"""The Message-ID that they answer."""
DECISION = 41


@dataclass(frozen=True)
class Read:
    """What the desk made of a letter. `outcome` is play, ask, refuse, answer (automatic notes too) or silent."""

    outcome: str
    orders: tuple[str, ...] = ()
    """Canonical texts of the orders that stand."""
    talk: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    """What the numbers of the answer stand for, in place of the game's options."""
    says: str = ""
    """What its writer is told, in one line."""


@dataclass
class Listed:
    """A game that lists the options of the table, and everything else as it is."""

    game: AnyGame
    offered: tuple[Offer, ...]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def offers(self, state: Any, seat: Seat, language: str = "en") -> tuple[Offer, ...]:
        asked = next((one for one in self.game.waiting(state) if one.seat == seat), None)
        if asked is not None and asked.number == DECISION and seat == "anna":
            return self.offered
        return self.game.offers(state, seat, language)


class DryDesk(Desk):
    """A desk that reads and commits nothing, once it is `dry`."""

    dry = False

    def answer(self, letter: Letter, *rest: Any, **more: Any) -> Handled:
        if self.dry:
            # What holds at all tables is kept before the commit, for the person and not for the game.
            self.services.people.choose = lambda *_, **__: None  # type: ignore[method-assign]
        return super().answer(letter, *rest, **more)

    def commit(self, context: Context, result: Result, waits: str = "") -> Committed:
        if not self.dry:
            return super().commit(context, result, waits)
        self.result = result
        return Committed(context.stored, context.past(context.stored.table.records - 1)[-1], {}, None)

    def silent(self, letter: Letter, kind: Silence, why: str = "", who: Any = None) -> Handled:
        return Handled(Outcome.SILENT, why=why or kind)

    def defect(self, letter: Letter, who: Any, trouble: Exception) -> Handled:
        raise trouble


class Bench:
    """A table at which Anna, who sits first, is asked; `offers` are what her mail lists, if not what the game would."""

    def __init__(self, folder: Path, kind: str, state: Any, offers: Sequence[Offer] = ()) -> None:
        rules = games.find_game(KINDS[kind])
        listed = Listed(rules, tuple(offers)) if offers else rules
        seats = [row["seat"] for row in rules.dump(state)[0]["seats"]]
        self.spool = Spool(folder / "mail")
        self.time = datetime(2026, 11, 20, 17, 2, tzinfo=UTC)
        services = Services(
            store=GameStore(folder / "games"), spool=self.spool, people=People(folder / "mail"),
            renderer=Renderer(Host(OWN, True)), keys=Keys(bytes(range(32))), clock=lambda: self.time,
            find=lambda _: listed, moderator="mod@host.test",
        )  # fmt: skip
        self.desk = DryDesk(services)
        people = tuple(Invited(seat.title(), (f"{seat}@home.test",)) for seat in seats)
        table = open_table(self.desk, Opening(rules.kind, people, now=True, seed=b"s" * 32)).table
        self.game = table.game
        self.desk.change(self.game, "laid out", laid(state))
        row = next(row for row in reversed(self.spool.rows()) if row.seat == "anna")
        holder = services.people.holder(self.game, "anna")
        number = next(one.number for one in rules.waiting(state) if one.seat == "anna")
        token = services.keys.token(self.game, "anna", holder.generation, number)
        self.put = {TOKEN: str(token), MAIL: row.message_id.strip("<>"), "[troyes-12]": f"[{self.game}]"}
        self.put = {f"<{TOKEN}@gm.test>": f"<{self.put[MAIL]}>", **self.put}
        self.mail = self.spool.raw(row.message_id)
        """The mail that Anna answers."""
        self.time = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
        self.desk.dry = True

    def close(self) -> None:
        """Free the spool."""
        self.spool.close()

    def read(self, raw: bytes) -> Read:
        """What would become of a letter."""
        for written, real in self.put.items():
            raw = raw.replace(written.encode(), real.encode())
        self.desk.result = None
        handled = Router(self.desk).handle(open_letter(raw, frozenset({OWN, "Troyes by Mail"})))
        return told(handled, self.desk.result)


def told(handled: Handled, result: Result | None) -> Read:
    """What the writer of a letter would be told."""
    if result is None or result.answer is None:
        return Read("silent" if handled.outcome is Outcome.SILENT else "refuse", says=handled.why)
    answer = result.answer
    choices = tuple(choice.text for choice in answer.choices or answer.repairs)
    told = [said.reason for said in answer.said if said.reason is not None]
    says = " / ".join(map(str, (*told, *answer.notes)))
    talk = tuple(one.text for one in result.effects.talk)
    if result.plays or result.hearers:
        return Read("play", result.effects.played, talk, choices, says)
    if result.reading.noted or answer.kind in (MailKind.ANSWER, MailKind.TRIAL):
        return Read("answer", choices=choices, says=says)
    return Read("ask" if choices else "refuse", choices=choices, says=says)


def laid(state: Any) -> Callable[[Context], Result]:
    """A change that puts a state in place of a table's own."""

    def change(context: Context) -> Result:
        return Result(what="laid out", says="laid out", stored=context.stored, state=state, shows=True)

    return change


def troyes(facts: dict[str, Any]) -> Any:
    state = lay_out_table(facts, facts)
    state.number = DECISION - 1
    state.agenda = [{"step": "course", "next": "end of round"}, {"step": "turns", "seat": facts["turn"]}]
    return game_flow.advance(Play(state, cases.case_chance())).state


def _dice(facts: dict[str, Any]) -> Any:
    state = Scenario(lay_dice(facts, facts), facts, facts).before
    state.number = DECISION
    return state


def laid_out(folder: Path, kind: str) -> Bench:
    """The table of `kind` (`troyes` or `dice`) at which the letters are read."""
    facts = TABLES[kind]
    state = {"troyes": troyes, "dice": _dice}[kind](facts)
    return Bench(folder / kind, kind, state, [Offer(row["text"], T("{says}", says=row["says"])) for row in facts["offers"]])
