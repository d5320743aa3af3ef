"""The final scores, every component shown, with what cubes on cards and tiles are worth at the end.

Rulebook, End of the Game; rulings A28, A37, A38, A48, A49 and D2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.chance import UnknownDraw
from engine.troyes.board.card_declaration import declaration_of
from engine.troyes.card_data.card_types import Character
from engine.troyes.events.play import Play
from engine.troyes.events.round_events import PhaseBegins, SeatScored, TroyesEnds
from engine.troyes.state import places
from engine.troyes.state.troyes_state import BLANK, LE_ROY, House, TroyesState


def cube_points(state: TroyesState, seat: str) -> dict[str, int]:
    """Points of the seat's cubes at the end, by card and tile. Cards that only work during the game are left out."""
    found: dict[str, int] = {}
    for card in state.cards:
        facts = state.activity(card.id)
        end = declaration_of(card.id).end
        if end is not None:
            found[card.id] = end(card.cubes, facts.numbers).get(seat, 0)
    return found | tile_points(state, seat)


def tile_points(state: TroyesState, seat: str) -> dict[str, int]:
    """Points of the seat's cubes on outdoor tiles."""
    found: dict[str, int] = {}
    for tile in state.tiles:
        face = state.outdoor(tile.id)
        if tile.id == "majority":
            found[tile.id] = ranked_points(tile.cubes, face.prizes).get(seat, 0)
        elif face.when == "end":
            found[tile.id] = face.numbers["points"] * tile.cubes.get(seat, 0)
    return found


def ranked_points(cubes: Mapping[str, int], prizes: Sequence[int]) -> dict[str, int]:
    """Share prizes by rank among those with most cubes.

    Tied seats add up the prizes of the ranks they cover and share them, rounded down. A rank beyond the last prize is
    worth nothing, and nobody without a cube gets any.
    """
    found: dict[str, int] = {}
    rank = 0
    for count in sorted({n for n in cubes.values() if n > 0}, reverse=True):
        tied = [seat for seat, n in cubes.items() if n == count]
        pot = sum(prizes[rank : rank + len(tied)])
        found |= {seat: pot // len(tied) for seat in tied}
        rank += len(tied)
    return found


def _tradesman_points(state: TroyesState, seat: str) -> int:
    """The points of the spaces with own tradesmen."""
    return sum(
        worth
        for card in state.cards
        for worth, owner in zip(state.activity(card.id).spaces, card.spaces, strict=True)
        if owner == seat
    )


def cathedral_points(state: TroyesState, seat: str) -> int:
    """The loss for each level without an own cube."""
    return -state.box.board.missing_level_loss * sum(seat not in level for level in state.cathedral)


def character_counts(state: TroyesState, seat: str) -> dict[str, int]:
    """What each character counts for a seat (appendix)."""
    return counts_of(
        state.houses[seat],
        state.cubes_on_cathedral(seat),
        citizens_by_colour(state, seat),
        cards_by_colour(state, seat),
    )


def citizens_by_colour(state: TroyesState, seat: str) -> dict[str, int]:
    """How many citizens stand in the building of each colour."""
    return {colour: state.spaces(building).count(seat) for colour, building in places.BUILDING_OF.items()}


def cards_by_colour(state: TroyesState, seat: str) -> dict[str, int]:
    """On how many cards of each colour the seat has a tradesman."""
    men = dict.fromkeys(places.BUILDING_OF, 0)
    for card in state.cards:
        if seat in card.spaces or seat in card.picture:
            men[state.box.activities[card.id].color] += 1
    return men


def counts_of(house: House, cubes: int, stand: Mapping[str, int], work: Mapping[str, int]) -> dict[str, int]:
    """What each character counts, from the house, its cubes on the cathedral, and by colour its citizens in the
    building and its tradesmen on the cards. The three ladies count the last two together."""
    deniers, influence, won = in_house(house)
    return {
        "chretien_de_troyes": sum(stand.values()),
        "urbain_iv": cubes,
        "thibaut_ii": deniers,
        "hugues_de_payns": influence,
        "le_florentin": sum(work.values()),
        "henry_i": won,
        "jeanne_de_champagne": work["yellow"] + stand["yellow"],
        "isabeau_de_baviere": work["red"] + stand["red"],
        "marie_de_champagne": work["white"] + stand["white"],
    }


IN_HOUSE = ("thibaut_ii", "hugues_de_payns", "henry_i")
"""Characters that count what lies in the house."""


def in_house(house: House) -> tuple[int, int, int]:
    """The counts of these characters, in their order."""
    return house.deniers, house.influence, len(house.won)


OTHERS_HIDDEN = frozenset(("thibaut_ii", "hugues_de_payns"))
"""Characters that count deniers or influence, and so never judge le Roy (A62)."""


def dealt_characters(state: TroyesState) -> list[str]:
    """Every character in play, in the order of the box. In a solo game those left in the pile."""
    if state.solo:
        return state.pile[:]
    in_play = {id for held in state.characters.values() for id in held} | {*state.open_characters}
    return [id for id in state.box.characters if id in in_play]


def character_points(state: TroyesState, seat: str, id: str) -> int:
    """What one character gives one family."""
    if seat == LE_ROY and id in OTHERS_HIDDEN:
        return 0
    facts: Character = state.box.characters[id]
    return facts.worth(character_counts(state, seat)[id], state.players)


def score_parts(state: TroyesState, seat: str) -> dict[str, int]:
    """Every component of a seat's score. Each event still in the queue with an own cube is worth a point (A28)."""
    score = {
        "tokens": state.houses[seat].vp,
        "presence": state.box.board.presence_points * sum(seat in threat.cubes for threat in state.queue),
        "tradesmen": _tradesman_points(state, seat),
        "cathedral": cathedral_points(state, seat),
    }
    judges = (id for id in dealt_characters(state) if seat != LE_ROY or id not in OTHERS_HIDDEN)
    return score | cube_points(state, seat) | {id: character_points(state, seat, id) for id in judges}


def winners(scores: dict[str, dict[str, int]]) -> list[str]:
    """The seats with the highest total, several when tied (A48). Le Roy wins a tied solo game alone (D7)."""
    totals = {seat: sum(parts.values()) for seat, parts in scores.items()}
    best = [seat for seat, total in totals.items() if total == max(totals.values())]
    return [LE_ROY] if LE_ROY in best else best


def count_scores(play: Play) -> None:
    """Score everybody; the highest total wins, unclamped (A49). Raises UnknownDraw in a redacted position."""
    if any(BLANK in held for held in play.state.characters.values()):
        raise UnknownDraw("the characters")
    state = play.state
    play.record(PhaseBegins("final scoring"))
    for seat in state.circle:
        play.record(SeatScored(seat, score_parts(state, seat)))
    held = {seat: tuple(held) for seat, held in state.characters.items()}
    play.record(TroyesEnds(tuple(winners(state.scores)), held))
