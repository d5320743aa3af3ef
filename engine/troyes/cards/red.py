"""The military cards of the base game (rulebook, appendix; A27, A40, A41)."""

from __future__ import annotations

from collections.abc import Callable

from engine.troyes.board import influence, purse, threats
from engine.troyes.cards.act import Activation, pay_influence
from engine.troyes.entries import Play
from engine.troyes.state import dice, places
from engine.troyes.state.state import BANK


def archer(play: Play, act: Activation) -> None:
    """A roll for each activation, each shown before the next; what follows is `engine.troyes.actions.archery`."""
    play.state.agenda.append(
        {"step": "archery", "seat": act.seat, "card": act.card.id, "left": act.times, "targets": list(act.targets)}
    )


def chivalry(play: Play, act: Activation) -> None:
    """A cube for each red die left in one's district, on one event per activation (A27)."""
    cubes = _red(play, act.seat)
    for event in act.targets:
        threats.place_cubes(play, act.seat, event, len(cubes))


def diplomat(play: Play, act: Activation) -> None:
    """Influence turned into cubes, all paid before the first is placed."""
    pay_influence(play, act)
    for event in act.targets:
        threats.place_cube(play, act.seat, event)


def hunting(play: Play, act: Activation) -> None:
    """Influence."""
    influence.gain(play, act.seat, act.number("influence"))


def mercenary(play: Play, act: Activation) -> None:
    """Deniers."""
    purse.earn(play, act.seat, act.number("deniers"))


def tax_collector(play: Play, act: Activation) -> None:
    """A denier for each citizen standing in City Hall: opponents pay as far as able, the bank for neutrals (A41).

    For le Roy's the bank pays more (rulebook, Card Modifications).
    """
    standing = play.state.standing(places.CITY_HALL)
    for opponent in play.state.others(act.seat):
        owed = standing.count(opponent) * act.number("deniers")
        purse.pay(play, opponent, act.seat, min(owed, play.state.houses[opponent].deniers), "tax")
    each = play.state.box.solo.tax_deniers * act.times if play.state.solo else act.number("deniers")
    purse.pay(play, BANK, act.seat, standing.count(play.state.neutral) * each)


def captain(play: Play, act: Activation) -> None:
    """Victory points for each event with an own cube, Marauding included."""
    present = sum(act.seat in threat.cubes for threat in play.state.queue)
    purse.points(play, act.seat, present * act.number("points"))


def joust(play: Play, act: Activation) -> None:
    """Victory points if no player's red dice show more pips than one's own, and to all who tie (A40)."""
    pips = {seat: sum(dice.value(word) for word in _red(play, seat)) for seat in play.state.clockwise(act.seat)}
    most = max(pips.values())
    if not pips[act.seat] or pips[act.seat] < most:
        return
    for seat, there in pips.items():
        if there == most:
            purse.points(play, seat, act.number("points"))


def troubadour(play: Play, act: Activation) -> None:
    """Influence turned into victory points."""
    pay_influence(play, act)
    purse.points(play, act.seat, act.number("points"))


def _red(play: Play, seat: str) -> list[str]:
    return [word for word in play.state.dice[seat] if dice.colour(word) == dice.RED]


EFFECTS: dict[str, Callable[[Play, Activation], None]] = {
    function.__name__: function
    for function in (
        archer,
        chivalry,
        diplomat,
        hunting,
        mercenary,
        tax_collector,
        captain,
        joust,
        troubadour,
    )
}
