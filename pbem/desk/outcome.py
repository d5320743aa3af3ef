"""What became of a letter or of a turn file."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pbem.desk.silence import Silence
from pbem.outbound.mail import Mail


class Outcome(StrEnum):
    """What became of a letter."""

    PLAYED = "played"
    """Something of it changed the game or was passed on."""
    ANSWERED = "answered"
    """A question or a trial was answered."""
    REFUSED = "refused"
    SILENT = "silent"
    """Nobody is answered: `Silence` has the kinds."""
    SEEN = "seen"
    """It was handled before."""
    RETRY = "retry"
    """A defect was met; it is tried again."""
    QUARANTINED = "quarantined"
    """A defect was met too often; its writer was told."""


@dataclass(frozen=True, slots=True)
class Handled:
    """What became of a letter, for the log: `why` holds no secret, no address and nothing of the letter. `silence` is
    the kind of one that gets no answer."""

    outcome: Outcome
    game: str = ""
    seat: str = ""
    record: int = 0
    why: str = ""
    silence: Silence | None = None


@dataclass(frozen=True, slots=True)
class FromFile:
    """What became of a turn file, and the answer, which is not mailed."""

    handled: Handled
    mail: Mail
