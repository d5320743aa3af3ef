"""One mail of every kind, with everything it can hold, as the desk might make it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address

from engine.catalog import T
from engine.game import Decision, Ending, Line, Offer, Seat
from engine.reference import CardText
from pbem.outbound.mail import DiceProof, LineAnswer, Mail, MailKind, TableMessage

ANNA = Address("Anna", addr_spec="anna@players.test")
TOKEN = "tale-3.17.abcdefghijklmnop"
ID = "<tale-3.17.2.abcdefghijklmnop@host.test>"
WHEN = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)

PLAYERS = (("anna", "Anna"), ("eve", "Ève Nord"), ("faye", "Faye"))

OFFERS = (
    Offer("activate merchant with Y5 Y4", T("four times, {gain}", gain=T("{n} denier", "{n} deniers", n=8))),
    Offer(
        "fight brigands with R4 gray:R2 using blacksmith hiring from city-hall 3.2",
        T("{cubes} cubes, {influence} influence, pay {price}, you lead", cubes=2, influence=2, price=4),
    ),
    Offer("pass", T("{n} denier", "{n} deniers", n=2)),
)


@dataclass(frozen=True)
class View:
    """What a seat of the tale may know."""

    deniers: int
    character: str
    taken: bool = False
    """Of an invitation: its reader has joined already."""


def mail(kind: MailKind, **changes: object) -> Mail:
    """A mail of `kind` to Anna with every part filled in."""
    played = kind in (MailKind.RECEIPT, MailKind.TRIAL)
    given: dict[str, object] = {
        "kind": kind,
        "game": "tale-3",
        "game_kind": "tale",
        "seat": "anna",
        "name": "Anna",
        "heading": T("round {round} of {rounds}", round=3, rounds=6),
        "token": TOKEN,
        "stage": "3",
        "said": (
            LineAnswer(
                "Activate MERCHANT with y5 y4",
                "activate merchant with Y5 Y4",
                (T("{n} denier", "{n} deniers", n=8),),
                (T("the citizen comes from the supply"),),
            ),
            LineAnswer("build with W5", "build with W5", (T("a cube on the cathedral"),))
            if played
            else LineAnswer("biuld", reason=T("no order begins with {word}", word="biuld"), possible=(T("build with W5"),)),
        ),
        "notes": (T("It is still your turn."),),
        "answers": (CardText(T("Merchant"), (T("For every {n} deniers.", n=2),)),),
        "messages": (
            TableMessage("Ève Nord", "pass\nfarm Y4 Y5"),
            TableMessage("Faye", "a\u202eb\x07c " + "long " * 300),
            TableMessage("Faye", "truce?", alone=True),
        ),
        "news": (
            Line(T("{who} bought {what} from you: {n} denier.", "{who} bought {what} from you: {n} deniers.",
                   who="Faye", what="Y5", n=4), True, 12, "faye"),
            Line(T("{who} passed.", who="Ève Nord"), False, 13, "eve"),
        ),
        "decision": Decision(Seat("anna"), "turn", 17, T("act once, or pass."), sealed=True),
        "offers": OFFERS,
        "examples": ("flip W2", "activate merchant with Y5 Y4 faye:Y5"),
        "view": View(12, "Hugues"),
        "board": True,
        "players": PLAYERS,
        "dice": DiceProof(commitment="ab" * 32),
    }  # fmt: skip
    if kind == MailKind.FINAL:
        given |= {
            "decision": None,
            "offers": (),
            "waiting_for": (),
            "dice": DiceProof(commitment="ab" * 32, seed="cd" * 32),
            "result": Ending(
                {Seat("anna"): {"tokens": 20, "hugues": 6}, Seat("eve"): {"tokens": 30, "hugues": 1}},
                {Seat("anna"): 26, Seat("eve"): 31},
                (Seat("eve"),),
                {"tokens": T("VP tokens"), "hugues": T("Character of {who}", who="Hugues")},
            ),
        }
    return Mail(**(given | changes))  # type: ignore[arg-type]
