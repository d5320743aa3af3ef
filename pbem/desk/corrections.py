"""A moderator's deed as the sentence that players read in their next mail."""

from __future__ import annotations

from collections.abc import Mapping

from engine.catalog import Msg, T
from engine.chronicle import Data
from engine.game import Seat
from pbem.store.fields import read


def says(deed: Data, note: str, names: Mapping[Seat, str]) -> Msg | None:
    """The sentence of a record's deed with its reason; None when its entries say it all. `names` by seat."""
    told = _told(deed, names)
    if deed["what"] == "remark" and note:
        return T("The moderator says: «{text}»", text=note)
    if told is None or not note:
        return told
    return T("{sentence} Reason: «{reason}»", sentence=told, reason=note)


def _told(deed: Data, names: Mapping[Seat, str]) -> Msg | None:
    seat = Seat(str(deed.get("seat", "")))
    who = names.get(seat, seat)
    match deed["what"]:
        case "undo" | "rollback" | "rollforward":
            return _moved(deed)
        case "hold":
            return T("The moderator holds the game: nobody has to answer until it goes on.")
        case "resume":
            return T("The game goes on.")
        case "end":
            return T("The moderator has ended the game; it has no result.")
        case "abandon":
            return T("The moderator has given the game up; nobody has to answer any more.")
        case "replace":
            return T("{name} has taken over the seat of {before}.", name=who, before=deed["before"])
        case "rename":
            return T("{before} is called {name} from now on.", before=deed["before"], name=deed["after"])
        case "computer" if deed["by"] == "computer":
            return T("A computer plays for {name} from now on.", name=who)
        case "computer":
            return T("{name} plays again; the computer has left the seat.", name=who)
        case "orders":
            return T("The moderator has given orders for {name}.", name=who)
        case "remark":
            return T("The moderator writes to the table.")
        case "reveal" if who:
            return T("The moderator has looked at the secrets of {name}.", name=who)
        case "reveal":
            return T("The moderator has looked at the secrets of the game.")
        case "mend":
            return T("The moderator has mended the files of the game; the position is what the history says.")
        case _:
            return None


def _moved(deed: Data) -> Msg:
    number, where, when = deed["record"], read(Msg, deed["where"], "where"), deed["when"]
    place = T("step {number}, {where}, {when} UTC", number=number, where=where, when=when)
    if deed["what"] == "undo":
        told = T("The moderator has taken back the last orders. The game stands again at {place}.", place=place)
    elif deed["what"] == "rollback":
        told = T("The moderator has put the game back. The game stands again at {place}.", place=place)
    else:
        told = T("What the moderator had taken back counts again. The game stands again at {place}.", place=place)
    if deed.get("redraw"):
        return T("{told} The dice that come are drawn anew.", told=told)
    return T("{told} The same dice will return.", told=told) if deed["what"] != "rollforward" else told
