"""Deniers, victory points and influence changing hands, and what influence buys.

Rulebook, Influence; rulings A1 to A3, A49, A59 and A68. A re-roll ends what can be foreseen: its number is shown.
"""

from __future__ import annotations

from engine.catalog import T
from engine.errors import NotAllowed
from engine.troyes.board.dice_group import Group
from engine.troyes.board.phrases import dice_text
from engine.troyes.events.card_events import CubesChange
from engine.troyes.events.citizen_events import CitizensRecruited
from engine.troyes.events.dice_events import DiceFlipped, DiceLeave, DiceRerolled
from engine.troyes.events.money_events import InfluenceChanges, Pays, PointsChange
from engine.troyes.events.play import Play
from engine.troyes.state import dice
from engine.troyes.state.troyes_state import BANK, NEUTRALS, TroyesState


def pay_deniers(play: Play, payer: str, payee: str, deniers: int, reason: str = "") -> None:
    """Move deniers from one purse to another. The bank and the neutral player have no limit (A59)."""
    if deniers:
        play.record(Pays(payer, payee, deniers, reason))


def earn_deniers(play: Play, seat: str, deniers: int) -> None:
    """Give deniers from the bank."""
    pay_deniers(play, BANK, seat, deniers)


def change_points(play: Play, seat: str, by: int) -> None:
    """Give victory points, or take them, down to none (A49)."""
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


def gain_influence(play: Play, seat: str, influence: int) -> None:
    """Give influence up to the limit. What is beyond it is wasted, and recorded as such."""
    got = min(influence, play.state.box.board.influence_max - play.state.houses[seat].influence)
    if influence > got:
        play.record(InfluenceChanges(seat, got, influence - got))
    elif got:
        play.record(InfluenceChanges(seat, got))


def spend_influence(play: Play, seat: str, influence: int) -> None:
    """Pay influence. The caller has checked that it is there."""
    if influence:
        play.record(InfluenceChanges(seat, -influence))


def _check(state: TroyesState, seat: str, price: int) -> None:
    there = state.houses[seat].influence
    if there < price:
        raise NotAllowed(T("That costs {price} influence; you have {there}.", price=price, there=there))


def _check_own(state: TroyesState, seat: str, words: tuple[str, ...]) -> None:
    lacking = dice.missing_dice(words, state.dice[seat])
    if lacking:
        raise NotAllowed(
            T(
                "You have no {die} in your district; your dice are {dice}. Only your own dice can be turned.",
                die=dice_text(lacking),
                dice=dice_text(state.dice[seat]) or T("none"),
            ),
            rule="A3",
        )


def reroll_die(play: Play, seat: str, word: str, until: int = 0, most: int = 0) -> None:
    """Roll one own die again; the new number stands.

    With `until` it is rolled again while it shows fewer pips, for at most `most` influence in all. Raises NotAllowed.
    """
    price, spent = play.state.box.board.reroll, 0
    while not spent or (
        dice.die_value(word) < until and spent + price <= most and play.state.houses[seat].influence >= price
    ):
        word, spent = _reroll(play, seat, word), spent + price


def _reroll(play: Play, seat: str, word: str) -> str:
    """Roll once, and return the new die."""
    price = play.state.box.board.reroll
    _check_own(play.state, seat, (word,))
    _check(play.state, seat, price)
    spend_influence(play, seat, price)
    rolled = play.rolls("reroll", seat)
    now = dice.die_word(dice.die_colour(word), rolled.numbers[0])
    play.record(DiceRerolled(rolled, seat, (word,), (now,)))
    return now


def flip_dice(play: Play, seat: str, words: tuple[str, ...]) -> None:
    """Turn own dice to their opposite faces, one payment for up to three (A2). Raises NotAllowed."""
    board = play.state.box.board
    if not 1 <= len(words) <= board.flip_dice:
        raise NotAllowed(
            T("One payment turns 1 to {most} dice; you named {count}.", most=board.flip_dice, count=len(words)),
            rule="A2",
        )
    _check_own(play.state, seat, words)
    _check(play.state, seat, board.flip)
    spend_influence(play, seat, board.flip)
    play.record(DiceFlipped(seat, words, tuple(map(dice.flipped_die, words))))


def recruit_citizens(play: Play, seat: str, citizens: int) -> None:
    """Take citizens from the general supply into the personal one. Raises NotAllowed (A68: twelve at most)."""
    board, house = play.state.box.board, play.state.houses[seat]
    if citizens < 1:
        raise NotAllowed(T("Recruit at least one citizen."))
    if house.reserve < citizens:
        raise NotAllowed(
            T(
                "Of your {most} citizens {left} are still in the general supply; you asked for {count}.",
                most=board.citizens,
                left=house.reserve,
                count=citizens,
            ),
            rule="A68",
        )
    _check(play.state, seat, board.recruit * citizens)
    spend_influence(play, seat, board.recruit * citizens)
    play.record(CitizensRecruited(seat, citizens))
