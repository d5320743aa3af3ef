"""The final scores, every component shown (rulebook, End of the Game; A28, A48, A49)."""

from __future__ import annotations

from collections.abc import Callable

from engine.troyes import places
from engine.troyes import prizes
from engine.troyes.cards.faces import Character
from engine.troyes.state import LE_ROY
from engine.troyes.state import Town
from engine.troyes.verbs import Play


def tokens(town: Town, seat: str) -> int:
    """Victory points gained during the game."""
    return town.houses[seat].vp


def presence(town: Town, seat: str) -> int:
    """A point for each event still in the queue with an own cube, Marauding included (A28)."""
    return town.box.board.presence_points * sum(seat in threat.cubes for threat in town.queue)


def tradesmen(town: Town, seat: str) -> int:
    """The points of the spaces own tradesmen stand on."""
    return sum(
        worth
        for card in town.cards
        for worth, owner in zip(town.activity(card.id).spaces, card.spaces, strict=True)
        if owner == seat
    )


def cathedral(town: Town, seat: str) -> int:
    """Lost for each level without an own cube."""
    return -town.box.board.missing_level_loss * sum(seat not in level for level in town.cathedral)


def _citizens(town: Town, seat: str, colour: str) -> int:
    """Tradesmen on the cards of a colour, and citizens standing in its building: what the three ladies count."""
    men = sum(card.has(seat) for card in town.cards if town.activity(card.id).color == colour)
    return men + town.standing(places.BUILDING_OF[colour]).count(seat)


COUNTED: dict[str, Callable[[Town, str], int]] = {
    "chretien_de_troyes": lambda town, seat: sum(
        town.standing(building).count(seat) for building in ("palace", "bishopric", "city_hall")
    ),
    "urbain_iv": lambda town, seat: town.cubes_on_cathedral(seat),
    "thibaut_ii": lambda town, seat: town.houses[seat].deniers,
    "hugues_de_payns": lambda town, seat: town.houses[seat].influence,
    "le_florentin": lambda town, seat: town.tradesmen(seat),
    "henry_i": lambda town, seat: len(town.houses[seat].won),
    "jeanne_de_champagne": lambda town, seat: _citizens(town, seat, "yellow"),
    "isabeau_de_baviere": lambda town, seat: _citizens(town, seat, "red"),
    "marie_de_champagne": lambda town, seat: _citizens(town, seat, "white"),
}
"""What each character counts (appendix)."""

PARTS: dict[str, Callable[[Town, str], int]] = {
    "tokens": tokens,
    "presence": presence,
    "tradesmen": tradesmen,
    "cathedral": cathedral,
}


BLIND = frozenset(("thibaut_ii", "hugues_de_payns"))
"""Characters that count deniers and influence, and so never look at le Roy (A62)."""


def dealt(town: Town) -> list[str]:
    """Every character in play, in the order of the box: each looks at every family. Solo: those left in the pile."""
    if town.solo:
        return town.pile[:]
    in_play = {id for held in town.characters.values() for id in held} | {*town.open_characters}
    return [id for id in town.box.characters if id in in_play]


def character(town: Town, seat: str, id: str) -> int:
    """What one character gives one family."""
    if seat == LE_ROY and id in BLIND:
        return 0
    facts: Character = town.box.characters[id]
    return facts.worth(COUNTED[id](town, seat), town.players)


def parts(town: Town, seat: str) -> dict[str, int]:
    """Every component of a seat's score."""
    score = {name: count(town, seat) for name, count in PARTS.items()}
    judges = (id for id in dealt(town) if seat != LE_ROY or id not in BLIND)
    return score | prizes.worth(town, seat) | {id: character(town, seat, id) for id in judges}


def winners(scores: dict[str, dict[str, int]]) -> list[str]:
    """Who has the highest total, shared when tied (A48); le Roy wins a tied solo game alone (D7)."""
    totals = {seat: sum(parts.values()) for seat, parts in scores.items()}
    best = [seat for seat, total in totals.items() if total == max(totals.values())]
    return [LE_ROY] if LE_ROY in best else best


def final(play: Play) -> None:
    """Score everybody; the highest total wins. Totals are not clamped (A49)."""
    town = play.town
    play.record("phase", phase="final scoring")
    for seat in town.circle:
        play.record("scored", seat=seat, parts=parts(town, seat))
    play.record(
        "over",
        phase="over",
        winners=winners(town.scores),
        characters={seat: list(held) for seat, held in town.characters.items()},
    )
