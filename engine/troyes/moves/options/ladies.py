"""What one activation of a card of the Ladies is worth; for mixed cards one cube used."""

from __future__ import annotations

from engine.troyes import box
from engine.troyes.box.faces import Activity
from engine.troyes.moves.options.weights import Weights, best_cube
from engine.troyes.state import dice, places
from engine.troyes.state.state import TroyesState


def activation(state: TroyesState, seat: str, card: Activity, w: Weights) -> float:
    """One activation; for cards that only keep cubes for later what a cube may be worth."""
    n, house = card.numbers, state.houses[seat]
    match card.id:
        case "lumberjack":
            return n["deniers"] * w.denier
        case "clog_maker":
            return n["deniers"] * w.denier * state.standing(places.CITY_HALL).count(seat)
        case "weaver":
            return n["deniers"] * w.denier * max(1, state.tradesmen(seat))
        case "landlady":
            return max(n["influence"] * w.influence, n["points"] * w.point)
        case "banker":
            return n["points"] * w.point * (house.deniers > n["above"])
        case "breeder" | "marriage":
            return n["points"] * w.point - (n["cost"] * w.denier if card.id == "marriage" else 0.0)
        case "master_tradesman":
            return n["points"] * w.point * (max(1, state.tradesmen(seat)) // n["men"])
        case "bishop":
            return n["deniers"] * w.denier * state.cubes_on_cathedral(seat)
        case "master_builder":
            return w.point + 1.5 * w.influence
        case "scribe":
            won = house.won if box.read_rules(state.options).scribe_counts == "all" else house.fought
            return n["points"] * w.point * len(won)
        case "nun":
            return n["points"] * w.point * max(0, sum(dice.colour(word) == dice.WHITE for word in state.dice[seat]) - 1)
        case "hermit":
            there = sum(
                town_card.cubes.get(owner, 0)
                for town_card in state.cards
                if town_card.id == card.id
                for owner in state.names
            )
            return max(n["least"], n["worth"] - there - 2) * w.point * 0.7
        case "fort":
            return n["high"] * (w.point + w.influence) * 0.8
        case "princess":
            return n["points"] * w.point / 4
        case "ransom" | "scout":
            return best_cube(state, seat, w) * (1.0 if card.id == "ransom" else 2.0) - n["cost"] * w.denier
        case "catapult":
            return n["cubes"] * best_cube(state, seat, w)
        case "executioner":
            return n["influence"] * w.influence * 2.2
        case "squire":
            return n["influence"] * w.influence
    return (2.0 if w.left else 0.4) * w.denier
