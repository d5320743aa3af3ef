"""What one mail will say, as far as it cannot be read from the position again; it is kept with the letter's record.

A `Draft` and the commit it belongs to are enough to write the same mail again when the spool was lost.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.catalog import Msg
from engine.chronicle import Data
from engine.game import CardText, Seat
from pbem.outbound.mail import Choice, MailKind, Said, Spoken
from pbem.store.fields import read, write


@dataclass(frozen=True, slots=True)
class Draft:
    """One mail to come.

    `heard` is the number of the record whose entries the seat was told last; `own` says that the entries of the
    draft's own record are told by `said` and not again as news; `position` that the position is shown whoever is
    asked; `public` that the mail is a view to forward, without token and options.
    """

    seat: Seat
    kind: MailKind
    said: tuple[Said, ...] = ()
    notes: tuple[Msg, ...] = ()
    answers: tuple[CardText, ...] = ()
    messages: tuple[Spoken, ...] = ()
    heard: int = 0
    told: int = 0
    """Number of the last entry the seat was told before."""
    own: bool = False
    position: bool = False
    public: bool = False
    quiet: bool = False
    """No news, no position: for a mail that must not fail."""
    answering: str = ""
    """Message-ID of the letter it answers."""
    root: str = ""
    last: str = ""
    """Thread: the intents of its first and of its last mail."""
    since: int = 0
    """With `own`: number of the last entry that `said` tells; later ones of the record are news. 0: it tells all."""

    options: bool = False
    """The options are listed even to a seat that has answered."""
    earned: tuple[Msg, ...] = ()
    """What the end of the game adds to the achievements of the seat's holder."""
    choices: tuple[Choice, ...] = ()
    """Choices of the mail's own, in place of the game's options."""
    brief: bool = False
    """The position is not repeated, whatever the kind."""

    def retold(self, kind: MailKind) -> Draft:
        """The same content in a mail of another kind."""
        return replace(self, kind=kind)


def pack(draft: Draft) -> Data:
    """The draft as plain data for TOML; what is empty is left out."""
    found: Data = write(draft)
    return found


def unpack(data: Data) -> Draft:
    """Read what `pack` wrote. Raises PositionError on anything else."""
    return read(Draft, data, "mail")
