"""What a seat did, in a few words for the subject of a commit: handles, no dice, nothing that is not public."""

from __future__ import annotations

from collections.abc import Sequence

from engine.catalog import Msg, T
from engine.chronicle import Entry
from engine.troyes.board.words import typed
from engine.troyes.log import phrases
from engine.troyes.log.deeds import Deed, deed
from engine.troyes.log.groups import grouped
from engine.troyes.state.state import BANK, LE_ROY, TroyesState


def summary(state: TroyesState, entries: Sequence[Entry]) -> Msg:
    """The first order among the entries, such as «anna activates merchant (+16 deniers), pays geoffrey 6».

    Without an order: that the game begins, or that something was repaired.
    """
    groups = grouped(entries)
    # Le Roy's part of it needs no word: it follows from the seat's.
    made = (group for group in groups if group.kind == "order" and group.head.data["seat"] != LE_ROY)
    order = next(made, None)
    if order is None:
        if any(group.kind in ("sealed", "standing") for group in groups):
            # Whose it is, and what, is nobody's business.
            return T("a sealed answer or a standing order")
        return T("the game begins") if any(group.kind == "begins" for group in groups) else T("repair")
    done = deed(order)
    told = T("{seat} {act}", seat=done.seat, act=_act(state, done, order.head.data["deed"]))
    if changes := done.sums.changes(done.seat):
        told = T("{told} ({changes})", told=told, changes=changes)
    for payee, paid in done.sums.bought.items():
        if payee != BANK:
            told = T("{told}, pays {seat} {n}", told=told, seat=payee, n=paid)
    for countered in order.counters:
        told = T("{told}, {event} countered", told=told, event=_word(state, countered.head.data["event"]))
    return told


def _word(state: TroyesState, event: str) -> str:
    return state.event(event).word


def _act(state: TroyesState, done: Deed, word: str) -> Msg:
    group = done.group
    match word:
        case "settle":
            return T("settles {place}", place=typed(group.of("moves")[0].data["to"]))
        case "activate" if any(entry.data["to"].startswith(f"{done.card} ") for entry in group.of("moves")):
            return T("hires on {card} and activates it", card=typed(done.card))
        case "activate":
            return T("activates {card}", card=typed(done.card))
        case "build":
            return T("builds on the cathedral")
        case "fight":
            return T("fights {event}", event=_word(state, group.of("banner")[0].data["event"]))
        case "station":
            return T("places a citizen on {place}", place=typed(group.of("moves")[0].data["to"]))
        case "farm":
            return T("farms")
        case "pass":
            return T("passes")
        case "reroll":
            turned = group.of("rerolled")[0].data
            return T("re-rolls {was} → {now}", was=phrases.dice(turned["dice"]), now=phrases.dice(turned["now"]))
        case "flip":
            turned = group.of("flipped")[0].data
            return T("flips {was} → {now}", was=phrases.dice(turned["dice"]), now=phrases.dice(turned["now"]))
        case "recruit":
            return T("recruits {n}", n=group.of("recruited")[0].data["citizens"])
        case "counter":
            gone = group.of("black_gone")[0].data
            black = phrases.dice(map(str, gone["dice"]))
            return T("beats black {black}", black=black) if gone["beaten"] else T("loses to black {black}", black=black)
        case "support":
            return T("chooses for support")
        case "guard":
            return T("moves the guard")
        case "use":
            return T("uses {tile}", tile=typed(group.of("tile")[0].data["tile"]))
        case "react":
            return T("reacts") if group.of("tile") else T("does not react")
        case "give" | "discard":
            return T("answers with the others")
        case "release":
            return T("frees a citizen")
        case _:
            return T("hits {event}", event=_word(state, group.of("banner")[0].data["event"]))
