"""The military cards of the base game (rulebook, appendix; A27, A40, A41)."""

from __future__ import annotations

from engine.troyes.board import purse, threats
from engine.troyes.board.card_declaration import Activation, card
from engine.troyes.events.play import Play
from engine.troyes.state import dice, places
from engine.troyes.state.troyes_state import BANK


@card(chooses="event", optional=True, rolls=True)
def archer(play: Play, act: Activation) -> None:
    """A roll for each activation, each shown before the next; what follows is `engine.troyes.actions.archery`."""
    play.state.agenda.append(
        {"step": "archery", "seat": act.seat, "card": act.card.id, "left": act.times, "targets": list(act.targets)}
    )


@card(chooses="event", several=True)
def chivalry(play: Play, act: Activation) -> None:
    """A cube for each red die left in one's district, on one event per activation (A27)."""
    cubes = _red(play, act.seat)
    for event in act.targets:
        threats.place_cubes(play, act.seat, event, len(cubes))


@card(chooses="event", priced="influence")
def diplomat(play: Play, act: Activation) -> None:
    """Influence turned into cubes, all paid before the first is placed."""
    for event in act.targets:
        threats.place_cube(play, act.seat, event)


@card()
def hunting(play: Play, act: Activation) -> None:
    """Influence."""
    purse.gain_influence(play, act.seat, act.number("influence"))


@card()
def mercenary(play: Play, act: Activation) -> None:
    """Deniers."""
    purse.earn_deniers(play, act.seat, act.number("deniers"))


@card()
def tax_collector(play: Play, act: Activation) -> None:
    """A denier for each citizen standing in City Hall: opponents pay as far as able, the bank for neutrals (A41).

    For le Roy's the bank pays more (rulebook, Card Modifications).
    """
    standing = play.state.standing(places.CITY_HALL)
    for opponent in play.state.others(act.seat):
        owed = standing.count(opponent) * act.number("deniers")
        purse.pay_deniers(play, opponent, act.seat, min(owed, play.state.houses[opponent].deniers), "tax")
    each = play.state.box.solo.tax_deniers * act.times if play.state.solo else act.number("deniers")
    purse.pay_deniers(play, BANK, act.seat, standing.count(play.state.neutral) * each)


@card()
def captain(play: Play, act: Activation) -> None:
    """Victory points for each event with an own cube, Marauding included."""
    present = sum(act.seat in threat.cubes for threat in play.state.queue)
    purse.change_points(play, act.seat, present * act.number("points"))


@card()
def joust(play: Play, act: Activation) -> None:
    """Victory points if no player's red dice show more pips than one's own, and to all who tie (A40)."""
    pips = {seat: sum(dice.die_value(word) for word in _red(play, seat)) for seat in play.state.clockwise(act.seat)}
    most = max(pips.values())
    if not pips[act.seat] or pips[act.seat] < most:
        return
    for seat, there in pips.items():
        if there == most:
            purse.change_points(play, seat, act.number("points"))


@card(priced="influence")
def troubadour(play: Play, act: Activation) -> None:
    """Influence turned into victory points."""
    purse.change_points(play, act.seat, act.number("points"))


def _red(play: Play, seat: str) -> list[str]:
    return [word for word in play.state.dice[seat] if dice.die_colour(word) == dice.RED]
