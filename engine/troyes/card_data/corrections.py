"""A host's corrections of card numbers (`engine.kit.card_data`), and which of them cannot be played together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from engine.catalog import Msg, T
from engine.kit.card_data import Corrections, Heading, Value, checked_corrections
from engine.troyes.card_data.fields import card_defaults, card_fields, correctable_numbers, single_defaults
from engine.troyes.card_data.item_names import ids_by_word
from engine.troyes.card_data.tables import COLORS, shipped_tables

KINDS = ("activity", "event", "character", "outdoor")


def check_corrections(data: Mapping[str, Any], path: str = "corrections") -> Corrections:
    """The corrections with card ids and fields as the tables spell them. Raises CorrectionsRefused."""
    cards = {kind: Heading(partial(card_fields, kind), ids_by_word(kind)) for kind in KINDS}
    tables = {
        "board": Heading(lambda _: correctable_numbers("board")),
        "solo": Heading(lambda _: correctable_numbers("solo")),
    }
    return checked_corrections(data, cards | tables, _together, path)


def _together(found: Corrections, path: str) -> Iterator[Msg]:
    """Numbers that are possible one by one, but cannot be played together."""

    def of(kind: str, id_: str, field: str) -> Value:
        value: Value = found.get(kind, {}).get(id_, {}).get(field, card_defaults(kind, id_)[field])
        return value

    level = {
        id_: of("activity", id_, "level") for id_, table in shipped_tables("activity").items() if table["set"] == "base"
    }
    for color in COLORS:
        for number in (1, 2, 3):
            if not any(level[id_] == number and shipped_tables("activity")[id_]["color"] == color for id_ in level):
                yield T(
                    "{path}: no {color} activity of level {level} is left; each colour needs one of each level.",
                    path=path,
                    color=T(color),
                    level=number,
                )
    for color in ("yellow", "white"):
        # A game may lack the Ladies' events, so the others must be enough.
        events = {id_: table for id_, table in shipped_tables("event").items() if table["set"] != "ladies"}
        calls = [of("event", id_, "calls") for id_ in events if "calls" in card_fields("event", id_)].count(color)
        there = sum(table["color"] == color for table in events.values())
        if calls > there:
            yield T(
                "{path}: {calls} red events call a {color} one, and there are {there}; "
                "change another card's `calls` as well.",
                path=path,
                calls=calls,
                color=T(color),
                there=there,
            )
    yield from _tiles_together(of, path)
    yield from _board_together(single_defaults("board") | found.get("board", {}), path)
    yield from _solo_together(single_defaults("solo") | found.get("solo", {}), path)


def _solo_together(solo: Mapping[str, Any], path: str) -> Iterator[Msg]:
    """Le Roy's order of the spaces has to name each of them once."""
    if len(set(solo["palace_order"])) != len(solo["palace_order"]):
        yield T("{path}: solo.palace_order must name each of the six spaces once.", path=path)
    for name in ("city_hall_order", "bishopric_order"):
        if any(space > 2 for _, space in solo[name]):
            yield T(
                "{path}: solo.{name} must name each of the six spaces once (row 1 to 3, space 1 or 2).",
                path=path,
                name=name,
            )


def _tiles_together(of: Callable[[str, str, str], Value], path: str) -> Iterator[Msg]:
    levels = [of("outdoor", id_, "level") for id_ in shipped_tables("outdoor")]
    for level in (1, 2, 3, 4):
        if level not in levels:
            yield T("{path}: no outdoor tile of level {level} is left; each gate needs one.", path=path, level=level)


def _board_together(board: Mapping[str, Any], path: str) -> Iterator[Msg]:
    for players, rounds, reds, citizens, dealt in zip(
        (2, 3, 4), board["rounds"], board["red_events"], board["start_citizens"], board["characters"], strict=True
    ):
        if rounds != reds:
            yield T(
                "{path}: with {players} players board.rounds is {rounds} and board.red_events {reds}; "
                "the red deck makes the rounds, so they must be equal.",
                path=path,
                players=players,
                rounds=rounds,
                reds=reds,
            )
        gray = 18 - players * citizens
        listed = sum(len(board[f"neutral_{place}"]) for place in ("palace", "city_hall", "bishopric"))
        if gray < 0 or citizens > board["citizens"]:
            yield T(
                "{path}: with {players} players board.start_citizens is {citizens}, which does not fit "
                "on the 18 spaces or into {all} citizens each.",
                path=path,
                players=players,
                citizens=citizens,
                all=board["citizens"],
            )
        elif players == 2 and listed != gray:
            yield T(
                "{path}: with 2 players {gray} spaces stay for gray citizens, "
                "and the three lists board.neutral_… name {listed}.",
                path=path,
                gray=gray,
                listed=listed,
            )
        elif gray > board["neutral_citizens"]:
            yield T(
                "{path}: with {players} players {gray} spaces stay for gray citizens, "
                "and board.neutral_citizens is {n}.",
                path=path,
                players=players,
                gray=gray,
                n=board["neutral_citizens"],
            )
        characters = sum(table["set"] == "base" for table in shipped_tables("character").values())
        if players * dealt > characters:
            yield T(
                "{path}: with {players} players board.characters is {dealt}; there are only {n} characters.",
                path=path,
                players=players,
                dealt=dealt,
                n=characters,
            )
    if sorted(die for row in board["rows"] for die in row) != [1, 2, 3, 4, 5, 6]:
        yield T("{path}: board.rows must name each die from 1 to 6 once.", path=path)
    for place in ("neutral_city_hall", "neutral_bishopric"):
        if any(space > 2 for _, space in board[place]):
            yield T("{path}: board.{place} has a space above 2; a row has two spaces.", path=path, place=place)
    if len(set(board["neutral_palace"])) != len(board["neutral_palace"]):
        yield T("{path}: board.neutral_palace names a space twice.", path=path)
