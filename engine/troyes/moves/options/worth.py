"""What things are worth to a family now, in deniers: a rule of thumb for ranking, not a rule of the game."""

from __future__ import annotations

from engine.troyes.box.faces import Activity
from engine.troyes.moves.options import ladies
from engine.troyes.moves.options.weights import Weights, best_cube
from engine.troyes.state import dice, places
from engine.troyes.state.state import GRAY, LE_ROY, NEUTRALS, TroyesState


def activation(state: TroyesState, seat: str, card: Activity, w: Weights) -> float:
    """One activation of a card; dice that will have been used are counted as if still there."""
    n = card.numbers
    standing = {building: state.standing(building).count(seat) for building in places.BUILDINGS}
    red = {owner: [word for word in words if dice.colour(word) == dice.RED] for owner, words in state.dice.items()}
    match card.id:
        case "merchant" | "mercenary":
            return n["deniers"] * w.denier
        case "miller":
            return n["deniers"] * w.denier * max(standing[places.PALACE], standing[places.BISHOPRIC])
        case "artisan":
            return n["deniers"] * w.denier - n["influence"] * w.influence
        case "innkeeper":
            return n["influence"] * w.influence - n["cost"] * w.denier
        case "sculptor" | "pilgrimage":
            return n["points"] * w.point
        case "journeyman":
            return n["points"] * w.point - n["cost"] * w.denier
        case "goldsmith":
            return n["points"] * w.point + n["deniers"] * w.denier
        case "glassblower":
            return n["points"] * w.point * (state.cubes_on_cathedral(seat) // n["cubes"])
        case "procession":
            mine = len(state.dice[seat]) - 1
            most = max((len(state.dice[other]) for other in state.others(seat)), default=1)
            return n["points"] * w.point * (mine >= most)
        case "archer":
            return best_cube(state, seat, w) * (7 - n["hits"]) / 6
        case "chivalry":
            return best_cube(state, seat, w) * max(0, len(red[seat]) - 1)
        case "diplomat":
            return best_cube(state, seat, w) - n["influence"] * w.influence
        case "hunting":
            return n["influence"] * w.influence
        case "tax_collector":
            others = [owner for owner in state.standing(places.CITY_HALL) if owner != seat]
            return (state.box.solo.tax_deniers if state.solo else n["deniers"]) * w.denier * len(others)
        case "captain":
            return n["points"] * w.point * sum(seat in threat.cubes for threat in state.queue)
        case "joust":
            pips = {owner: sum(map(dice.value, words)) for owner, words in red.items() if owner not in NEUTRALS}
            most = max((pips[other] for other in state.others(seat)), default=1)
            return n["points"] * w.point * (pips[seat] / 2 >= most)
        case "troubadour":
            return n["points"] * w.point - n["influence"] * w.influence
        case "baker":
            yellow = sum(dice.colour(word) == dice.YELLOW for words in state.dice.values() for word in words)
            return n["deniers"] * w.denier * max(0, yellow - 1)
        case "banquet":
            return n["points"] * w.point * max(len(words) for owner, words in red.items() if owner != LE_ROY)
    return ladies.activation(state, seat, card, w)


def own_dice(state: TroyesState, seat: str, words: list[str]) -> float:
    """What using these own dice gives up: they could do something else."""
    return sum(0.42 * dice.value(word) + 0.3 for word in words)


def citizen(state: TroyesState, seat: str, to: str, source: str, expels: str, w: Weights) -> float:
    """A citizen in a building: a die in every round to come, less salary, less what he leaves."""
    on = to.partition(" ")[0]
    die = 1.7 * w.left - state.box.board.salary[on] * w.left * 0.5
    leaves = source.partition(" ")[0]
    cost = 0.0 if leaves == places.SUPPLY or source.endswith(places.LYING) else 1.6 * w.left + 0.5
    hurt = 0.5 * w.left if expels not in ("", seat, GRAY) else 0.0
    own = -1.7 * w.left if expels == seat else 0.0
    return die - cost + hurt + own
