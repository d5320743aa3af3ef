"""Deniers and victory points changing hands, with the losses that stop at nothing."""

from __future__ import annotations

from engine.troyes.board.dice_group import Group
from engine.troyes.events import Play
from engine.troyes.events.card_events import CubesChange
from engine.troyes.events.dice_events import DiceLeave
from engine.troyes.events.money_events import Pays, PointsChange
from engine.troyes.state.troyes_state import BANK, NEUTRALS


def pay_deniers(play: Play, payer: str, payee: str, deniers: int, reason: str = "") -> None:
    """Deniers from one purse to another; the bank and the neutral player have endless ones (A59)."""
    if deniers:
        play.record(Pays(payer, payee, deniers, reason))


def earn_deniers(play: Play, seat: str, deniers: int) -> None:
    """Deniers from the bank."""
    pay_deniers(play, BANK, seat, deniers)


def change_points(play: Play, seat: str, by: int) -> None:
    """Victory points gained; or lost, down to none (A49)."""
    by = max(by, -play.state.houses[seat].vp)
    if by:
        play.record(PointsChange(seat, by))


def settle_group(play: Play, group: Group) -> None:
    """Pay the sellers and take the dice off the square: what every action does first."""
    for owner, deniers in group.bill:
        pay_deniers(play, group.seat, BANK if owner in NEUTRALS else owner, deniers, "dice")
    for owner, words in group.taken:
        play.record(DiceLeave(owner, words, group.seat))
    if group.using.card:
        play.record(CubesChange(group.using.card, group.seat, -1))
