"""The cubes of an order, read from its clauses: of one card, of tiles, with the dice and cards they name."""

from __future__ import annotations

from engine.catalog import T
from engine.errors import NotAllowed, NotUnderstood
from engine.troyes.board import declared
from engine.troyes.board.words import one_die
from engine.troyes.notation.cursor import Wording
from engine.troyes.notation.usings import Clause
from engine.troyes.state.picks import NOTHING_USED, Pick, Swap, TileUse, Using


def using(cursor: Wording, picks: tuple[Pick, ...]) -> Using:
    """What the clauses of a line ask for. Raises NotUnderstood, NotAllowed.

    Where a cube works on one die of the group and only one can be meant, that one is filled in and echoed.
    """
    if not cursor.clauses:
        return NOTHING_USED
    clauses, cursor.clauses = cursor.clauses, []
    named = [clause for clause in clauses if not clause.tile]
    if len(named) > 1:
        raise NotAllowed(T("One cube of a card may be used in an action, not two."), rule="A29")
    card, die = "", None
    if named:
        card = named[0].id
        die = _die(cursor, named[0], picks)
    tiles = [_tile(cursor, clause, picks) for clause in clauses if clause.tile]
    tiles.sort(key=lambda use: cursor.state.outdoor(use.tile).level if use.tile in cursor.state.box.outdoor else 0)
    return Using(card, die, tuple(tiles))


def _die(cursor: Wording, clause: Clause, picks: tuple[Pick, ...]) -> Pick | None:
    """The die that a card's cube works on."""
    if clause.detail:
        part = cursor.part(clause.detail)
        dice = part.dice()
        part.finish()
        if len(dice) != 1:
            raise NotUnderstood(T("Name one die after «using {card}:».", card=clause.id.replace("_", "-")))
        return dice[0]
    whose = declared.of(clause.id).names
    if whose not in ("own", "others"):
        return None
    return _only(cursor, [pick for pick in picks if (pick.owner == cursor.seat) is (whose == "own")])


def _only(cursor: Wording, picks: list[Pick]) -> Pick | None:
    """The only die that can be meant, echoed; None where there are several."""
    if len(set(picks)) != 1:
        return None
    cursor.assumed.append(T("on {die}", die=one_die(picks[0].word(cursor.seat))))
    return picks[0]


def _tile(cursor: Wording, clause: Clause, picks: tuple[Pick, ...]) -> TileUse:
    if clause.id == "exchange_dice":
        return TileUse(clause.id, swaps=tuple(_swap(cursor, part) for part in clause.detail.split(",") if part.strip()))
    if clause.id == "flip_bought_die":
        bought = [pick for pick in picks if pick.owner != cursor.seat]
        return TileUse(clause.id, die=_die(cursor, clause, picks) if clause.detail else _only(cursor, bought))
    if clause.id == "extra_delayed_cube" and clause.detail:
        part = cursor.part(clause.detail)
        card = part.activity()
        part.finish()
        return TileUse(clause.id, card=card)
    return TileUse(clause.id)


def _swap(cursor: Wording, words: str) -> Swap:
    part = cursor.part(words)
    own = part.pick()
    if part.clause() == "for":
        part.words.pop(0)
    other = part.pick()
    if own is None or other is None or own.owner != cursor.seat or other.owner == cursor.seat or part.words:
        raise NotUnderstood(T("An exchange is written «Y1 for faye:Y6», your own die first."))
    return Swap(own.die, other)
