"""Commands about playing itself: `try`, `undo`, `end`. The desk carries them out."""

from __future__ import annotations

from engine.catalog import T
from pbem.desk.commands.word import Command, Does

COMMANDS = (
    Command(
        "try",
        Does.TRY,
        "try ORDER",
        T("shows what the orders would do, up to the first thing nobody can know; nothing is played"),
        ("essai", "essayer"),
        argument=True,
    ),
    Command(
        "undo",
        Does.UNDO,
        "undo",
        T("takes back your last orders, until somebody else has acted or something hidden was shown"),
        ("annuler", "annule"),
    ),
    Command("end", Does.STOP, "end", T("nothing after this line is read"), ("fin", "stop")),
)
