"""Deniers and victory points changing hands, with the losses that stop at nothing."""

from __future__ import annotations

from engine.troyes.board.group import Group
from engine.troyes.entries import Play
from engine.troyes.entries.cards import CubesChange
from engine.troyes.entries.dice import DiceLeave
from engine.troyes.entries.money import Pays, PointsChange
from engine.troyes.state.state import BANK, NEUTRALS


def pay(play: Play, payer: str, payee: str, deniers: int, reason: str = "") -> None:
    """Deniers from one purse to another; the bank and the neutral player have endless ones (A59)."""
    if deniers:
        play.record(Pays(payer, payee, deniers, reason))


def earn(play: Play, seat: str, deniers: int) -> None:
    """Deniers from the bank."""
    pay(play, BANK, seat, deniers)


def points(play: Play, seat: str, by: int) -> None:
    """Victory points gained; or lost, down to none (A49)."""
    by = max(by, -play.state.houses[seat].vp)
    if by:
        play.record(PointsChange(seat, by))


def settle_group(play: Play, group: Group) -> None:
    """Pay the sellers and take the dice off the square: what every action does first."""
    for owner, deniers in group.bill:
        pay(play, group.seat, BANK if owner in NEUTRALS else owner, deniers, "dice")
    for owner, words in group.taken:
        play.record(DiceLeave(owner, words, group.seat))
    if group.using.card:
        play.record(CubesChange(group.using.card, group.seat, -1))
