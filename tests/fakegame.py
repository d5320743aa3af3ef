"""A game that no shop sells, for tests that prove the post room knows no rules.

`Tally`, for two to four seats. Each seat has a secret number (1 to 6). On a turn a seat may `spend` points, `roll`
a die once (a commit point, which leaves the turn open under a new number), and ends it with `add 1` to `add 3` or
`pass`. After each round every seat makes a sealed `bid` (0 to 3) at once; the bids are shown together. A seat with
two points or more at the end of the last round may `keep` or `drop` them; one with fewer has one legal answer,
which is made for it. The counter is public.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from engine import data_paths
from engine.catalog import Msg, T
from engine.chance import Chance, Draw, Purpose
from engine.errors import NotAllowed, NotUnderstood, PositionError, TooLate, Unclear
from engine.event_log import Data, LogEntry
from engine.game import Decision, Ending, Game, Line, Offer, Reading, Seat, Step
from engine.kit.words import close_matches
from engine.reference import CardText, Reference, Spelling
from engine.state_repair import StateRepair
from engine.table_options import Option
from tests.fakeposition import Position, Run, View, fold_one


class Tally(Game, StateRepair, Reference):
    """The game, as `engine.game.Game` asks; it is its own moderation and reference."""

    kind = "tally"
    title = "Tally"
    seats = range(2, 5)
    draws: ClassVar = {"began": ("secret",), "rolled": ("turn",)}
    options = (Option("rounds", ("1", "2", "3"), "2", T("How many rounds are played.")),)

    @property
    def moderation(self) -> Tally:
        return self

    @property
    def reference(self) -> Tally:
        return self

    def reserved(self) -> frozenset[str]:
        return frozenset(self.words()) | self.verbs()

    def start(
        self,
        players: Mapping[Seat, str],
        options: Mapping[str, str],
        chance: Chance,
        *,
        facts: Mapping[str, Any] | None = None,
        first: Seat | None = None,
    ) -> Step:
        seats = list(players)
        if first:
            cut = seats.index(first)
            seats = seats[cut:] + seats[:cut]
        only: dict[str, Data] = {}
        for seat in seats:
            purpose = Purpose(0, "secret", seat)
            shown = chance.roll(purpose)
            only[seat] = {"number": shown[0], "draw": str(purpose), "shown": list(shown)}
        run = Run(None, chance)
        names = [players[Seat(seat)] for seat in seats]
        run.note("began", {"seats": seats, "names": names, "rounds": int(options["rounds"])}, only)
        return Step(run.state, tuple(run.entries), True)

    def waiting(self, state: Position) -> tuple[Decision, ...]:
        number = state.number
        if state.phase == "turn":
            return (Decision(Seat(state.turn), "turn", number, T("Add to the counter, or pass.")),)
        if state.phase == "keep":
            return (Decision(Seat(state.turn), "keep", number, T("Keep or drop your points.")),)
        if state.phase == "bid":
            question = T("Bid 0 to 3.")
            left = (seat for seat in state.seats if seat not in state.bids)
            return tuple(Decision(Seat(seat), "bid", number, question, sealed=True) for seat in left)
        return ()

    def read(self, state: Position, seat: Seat, text: str) -> Reading:
        words = text.casefold().split()
        verb = {"ajoute": "add", "passe": "pass"}.get(words[0], words[0]) if words else ""
        if verb in ("add", "spend", "bid"):
            if len(words) == 1 and verb == "add":
                raise Unclear(T("How many?"), possible=(T("add 1"), T("add 2"), T("add 3")))
            if len(words) == 2 and words[1].isdigit():
                return Reading((verb, int(words[1])), f"{verb} {int(words[1])}")
            if len(words) == 1 and verb == "spend":
                return Reading(("spend", 1), "spend 1", (T("One point."),))
        if verb in ("roll", "pass", "keep", "drop") and len(words) == 1:
            return Reading((verb, 0), verb)
        if verb == "crash":
            raise ZeroDivisionError("a defect of the game")
        raise NotUnderstood(T("«{text}» is no order.", text=text))

    def write(self, state: Position, seat: Seat, order: Any, language: str) -> str:
        verb, number = order
        return f"{verb} {number}" if verb in ("add", "spend", "bid") else str(verb)

    def default(self, state: Position, seat: Seat) -> Any:
        """Pass, bid nothing, keep."""
        kind = next(decision.kind for decision in self.waiting(state) if decision.seat == seat)
        return {"turn": ("pass", 0), "bid": ("bid", 0), "keep": ("keep", 0)}[kind]

    def apply(self, state: Position, seat: Seat, order: Any, chance: Chance) -> Step:
        verb, number = order
        asked = {decision.seat: decision.kind for decision in self.waiting(state)}
        if seat not in asked:
            raise TooLate(T("You are not asked."))
        fits = {"turn": ("add", "spend", "roll", "pass"), "bid": ("bid",), "keep": ("keep", "drop")}
        if verb not in fits[asked[seat]]:
            raise NotAllowed(T("You are asked something else: {kind}.", kind=asked[seat]))
        run = Run(state, chance)
        match verb:
            case "spend":
                if number > state.points[seat]:
                    raise NotAllowed(
                        T("That costs {cost}; you have {points}.", cost=number, points=state.points[seat]),
                        possible=(T("add 1"),),
                    )
                run.note("spent", {"seat": seat, "points": number})
            case "roll":
                if state.rolled:
                    raise NotAllowed(T("You have rolled {number} already.", number=state.rolled))
                purpose = Purpose(state.round, "turn", seat)
                shown = chance.roll(purpose)
                run.note("rolled", {"seat": seat, "number": shown[0], "draw": str(purpose), "shown": list(shown)})
                run.reveals = True
            case "add":
                if not 1 <= number <= 3:
                    raise NotAllowed(T("Add 1 to 3, not {number}.", number=number))
                run.note("added", {"seat": seat, "points": number})
                run.after_turn()
            case "pass":
                run.note("passed", {"seat": seat})
                run.after_turn()
            case "bid":
                if number > 3:
                    raise NotAllowed(T("Bid 0 to 3, not {number}.", number=number))
                run.note("sealed", {"seat": seat}, {seat: {"bid": number}})
                run.after_bids()
            case _:
                run.note("kept" if verb == "keep" else "dropped", {"seat": seat})
                run.ask_keep(state.at + 1)
        return run.step()

    def suspicious(self, state: Position, seat: Seat, orders: Sequence[Any]) -> Msg | None:
        verbs = [verb for verb, _ in orders]
        if verbs[-1] == "pass" and "spend" in verbs:
            return T("You spend points and then pass: that is probably a mistake.")
        return None

    def renumber(self, state: Position, number: int) -> Position:
        return dataclasses.replace(state, number=max(state.number, number + 1))

    def choices(self, state: Position, seat: Seat) -> list[tuple[Any, Msg]]:
        return [(self.read(state, seat, one.text).order, one.says) for one in self.offers(state, seat)]

    def offers(self, state: Position, seat: Seat, language: str = "en") -> tuple[Offer, ...]:
        kind = next((decision.kind for decision in self.waiting(state) if decision.seat == seat), "")
        if kind == "turn":
            adds = [Offer(f"add {n}", T("the counter to {to}", to=state.counter + n)) for n in (3, 2, 1)]
            roll = [] if state.rolled else [Offer("roll", T("a die"))]
            spend = [Offer("spend 1", T("1 point less"))] if state.points[seat] else []
            return (*adds, *roll, *spend, Offer("pass", T("nothing")))
        if kind == "bid":
            return tuple(Offer(f"bid {n}", T("your points to {to}", to=state.points[seat] + n)) for n in range(4))
        if kind == "keep":
            return (Offer("keep", T("nothing changes")), Offer("drop", T("no points")))
        return ()

    def every(self, state: Position, seat: Seat, sample: Sequence[int] | None = None) -> Iterator[str]:
        texts = [offer.text for offer in self.offers(state, seat)]
        yield from texts if sample is None else (texts[number % len(texts)] for number in sample)

    def view(self, state: Position, seat: Seat | None) -> View:
        secret = state.secrets[seat] if seat else 0
        bid = state.bids.get(seat, -1) if seat else -1
        return View(state.counter, state.round, dict(state.points), secret, bid)

    def heading(self, state: Position) -> Msg:
        return T("round {round} of {rounds}", round=state.round, rounds=state.rounds)

    def stage(self, state: Position) -> str:
        return f"round-{state.round}"

    def tell(self, state: Position, entries: Sequence[LogEntry], reader: Seat | None, first: int = 0) -> tuple[Line, ...]:
        lines = []
        for n, entry in enumerate(entries, first):
            says = _says(state, entry, reader)
            if says is not None:
                seat = str(entry.data.get("seat", ""))
                lines.append(Line(says, mine=bool(reader) and seat == reader, end=n, seat=seat))
        return tuple(lines)

    def result(self, state: Position) -> Ending | None:
        if state.phase != "over":
            return None
        scores = {Seat(s): {"points": state.points[s], "secret": state.secrets[s]} for s in state.seats}
        totals = {seat: sum(parts.values()) for seat, parts in scores.items()}
        best = max(totals.values())
        names = {"points": T("points"), "secret": T("secret number")}
        return Ending(scores, totals, tuple(seat for seat in totals if totals[seat] == best), names)

    def explain(self, word: str, state: Position | None = None) -> CardText | None:
        if word == "counter":
            return CardText(T("The counter"), (T("It goes up."),))
        return None

    def words(self) -> tuple[str, ...]:
        return ("counter", *sorted(self.verbs()))

    def verbs(self) -> frozenset[str]:
        return frozenset({"add", "ajoute", "spend", "roll", "pass", "passe", "bid", "keep", "drop", "crash"})

    def examples(self, state: Position, seat: Seat, offered: Sequence[str], language: str = "en") -> tuple[str, ...]:
        return ("add 2", "roll")

    def fold(self, state: Position | None, entries: Sequence[LogEntry]) -> Position:
        for made in entries:
            state = fold_one(state, made)
        if state is None:
            raise PositionError("no entries", "began")
        return state

    def due(self, state: Position, past: Sequence[LogEntry], entry: LogEntry) -> tuple[Draw, ...]:
        if entry.kind != "rolled":
            return ()
        if state.phase != "turn" or state.rolled or entry.data["shown"] != [entry.data["number"]]:
            raise PositionError("nobody rolls now, or not that")
        return (Draw(Purpose(state.round, "turn", state.turn)),)

    def dump(self, state: Position) -> tuple[Data, Data]:
        public = dataclasses.asdict(state)
        return public, {"secrets": public.pop("secrets"), "bids": public.pop("bids")}

    def load(self, public: Data, secret: Data) -> Position:
        if not secret:
            secret = {"secrets": dict.fromkeys(public["names"], 0), "bids": {}}
        return Position(**public, **secret)

    def redacted(self, state: Position, seat: Seat | None = None) -> Position:
        return dataclasses.replace(state, secrets=dict.fromkeys(state.secrets, 0), bids=dict.fromkeys(state.bids, 0))

    def violations(self, state: Position) -> tuple[str, ...]:
        return tuple(f"{seat} has {n} points" for seat, n in state.points.items() if n < 0)

    def settable(self, state: Position) -> Mapping[str, Any]:
        public, _ = self.dump(state)
        names = ("names", "points", "counter", "rolled")
        return dict(data_paths.scalars({name: public[name] for name in names}))

    def change(self, state: Position, path: str, value: Any, reason: str = "") -> LogEntry:
        public, secret = self.dump(state)
        seat, _, name = path.partition(".")
        if name == "name" and seat in state.names:
            path = f"names.{seat}"
        return data_paths.edit_entry(public, secret, path, value, reason, hidden=path.startswith(("secrets.", "bids.")))

    def spellings(self, state: Position, seat: Seat) -> tuple[Spelling, ...]:
        texts = [offer.text for offer in self.offers(state, seat)]
        return tuple(Spelling(text.split()[0], T.each(text.split()[0]), T.each(text)) for text in texts)

    def repairs(self, state: Position, seat: Seat, text: str, language: str = "en") -> tuple[str, ...]:
        return close_matches(text, [offer.text for offer in self.offers(state, seat)], 3)




def _says(state: Position, entry: LogEntry, reader: Seat | None) -> Msg | None:
    data = entry.data
    name = state.names.get(str(data.get("seat", "")), "")
    match entry.kind:
        case "began":
            if reader:
                return T("The game begins; your number is {n}.", n=entry.only[reader]["number"])
            return T("The game begins.")
        case "spent":
            return T("{name} spent {points}.", name=name, points=data["points"])
        case "rolled":
            return T("{name} rolled {number}.", name=name, number=data["number"])
        case "added":
            return T("{name} added {points}.", name=name, points=data["points"])
        case "passed":
            return T("{name} passed.", name=name)
        case "sealed":
            if reader and data["seat"] == reader:
                return T("You bid {bid}.", bid=entry.only[reader]["bid"])
            return T("{name} has answered.", name=name)
        case "shown":
            return T("The bids: {bids}.", bids=tuple(f"{seat} {bid}" for seat, bid in data["bids"].items()))
        case "round":
            return T("Round {round} begins.", round=data["round"])
        case "kept":
            return T("{name} keeps.", name=name)
        case "dropped":
            return T("{name} drops.", name=name)
        case "ended":
            return T("The game is over.")
        case "edited" if data["path"].startswith("names.") and "reason" not in data:
            return None
        case "edited":
            sides = (data.get("before"), data.get("after"))
            known = all(isinstance(side, int | str) for side in sides)
            says = T("{path}: {after}, was {before}.", path=data["path"], after=str(sides[1]), before=str(sides[0]))
            says = says if known else T("{path} was corrected.", path=data["path"])
            return T("{says} Reason: «{reason}»", says=says, reason=data["reason"]) if "reason" in data else says
        case _:
            return None


GAME = Tally()


def find(kind: str) -> Tally:
    """Stands in for `engine.game.find_game`."""
    if kind != "tally":
        raise LookupError(f"no game is called {kind!r}")
    return GAME
