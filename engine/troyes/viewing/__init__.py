"""What one reader may see of a position, built field by field; templates see this and sentences only.

Nothing is copied and then stripped: what is not named here is not shown. Hands and decks of others are not named.
"""

from __future__ import annotations

from engine.catalog import Msg
from engine.catalog import T
from engine.kit.words import kebab
from engine.troyes import cards
from engine.troyes import conduct
from engine.troyes import dice
from engine.troyes import places
from engine.troyes import scoring
from engine.troyes import threats
from engine.troyes.state import LE_ROY
from engine.troyes.state import Card
from engine.troyes.state import Threat
from engine.troyes.state import Town
from engine.troyes.viewing import ladies
from engine.troyes.viewing.king import king
from engine.troyes.viewing.parts import ActivityView
from engine.troyes.viewing.parts import Asked
from engine.troyes.viewing.parts import Building
from engine.troyes.viewing.parts import Cathedral
from engine.troyes.viewing.parts import District
from engine.troyes.viewing.parts import EventView
from engine.troyes.viewing.parts import Level
from engine.troyes.viewing.parts import Mine
from engine.troyes.viewing.parts import OnlyYou
from engine.troyes.viewing.parts import Owner
from engine.troyes.viewing.parts import Purse
from engine.troyes.viewing.parts import Row
from engine.troyes.viewing.parts import Secret
from engine.troyes.viewing.parts import Space
from engine.troyes.viewing.parts import Tradesman
from engine.troyes.viewing.parts import View
from engine.troyes.words import colour_name
from engine.troyes.words import named
from engine.troyes.words import typed
from engine.troyes.words import who

__all__ = ["View", "heading", "view"]


def heading(town: Town) -> Msg:
    """Where the game stands: «initial placement», «round 3 of 6», «final scores»."""
    if town.phase == "over" or town.scores:
        return T("final scores")
    if not town.round:
        return T("initial placement")
    return T("round {round} of {rounds}", round=town.round, rounds=_rounds(town))


def view(town: Town, seat: str | None) -> View:
    """The position for `seat`; None is a spectator."""
    order = town.around(town.start)
    # The reader's own district stands with the reader's other things; the others' come clockwise from there.
    around = town.others(seat) if seat else order
    if town.solo:
        order = (town.start, town.after(town.start))
    return View(
        seat=seat or "",
        heading=heading(town),
        phase=_phase(town),
        round=town.round,
        rounds=_rounds(town),
        start=_owner(town, town.start, seat),
        order=tuple(_owner(town, other, seat) for other in order),
        asked=tuple(
            Asked(_owner(town, asked["seat"], seat), asked["kind"], conduct.questions(asked["kind"]))
            for asked in town.asked
        ),
        question=next((conduct.question(town, asked) for asked in town.asked if asked["seat"] == seat), None),
        mine=_mine(town, seat) if seat else None,
        square=tuple(
            District(_owner(town, other, seat), tuple(dice.ranked(words) if other == LE_ROY else words))
            for other in (*around, town.neutral)
            for words in (town.dice[other],)
        ),
        prices=town.box.board.prices,
        activities=tuple(_activity(town, card, seat) for card in town.cards),
        free_spaces=tuple(typed(str(place)) for place in town.free_spaces()) if _settling(town) else (),
        events=tuple(_event(town, number, threat, seat) for number, threat in enumerate(town.queue, start=1)),
        black=tuple(town.black),
        rolls_left=sum(frame["left"] for frame in town.agenda if frame["step"] == "archery"),
        cathedral=_cathedral(town, seat),
        buildings=tuple(_building(town, building, seat) for building in reversed(places.BUILDINGS)),
        others=tuple(_purse(town, other, seat) for other in around),
        neutrals=town.neutrals,
        secret=_secret(town, seat) if seat else None,
        king=king(town, lambda other: _owner(town, other, seat)) if town.solo else None,
        ramparts=ladies.ramparts(town, lambda other: _owner(town, other, seat)) if town.tiles else None,
        open_characters=tuple(named(id) for id in town.open_characters),
    )


def _rounds(town: Town) -> int:
    return town.box.board.rounds[town.players]


def _phase(town: Town) -> Msg:
    known = {
        "income": T("income"),
        "workforce": T("workforce"),
        "events": T("events"),
        "black dice": T("black dice"),
        "actions": T("actions"),
        "end of round": T("end of the round"),
        "final scoring": T("final scoring"),
        "over": T("game over"),
    }
    return known.get(town.phase) or T("initial placement")


def _settling(town: Town) -> bool:
    return any(frame["step"] == "settle" for frame in town.agenda)


def _owner(town: Town, seat: str, reader: str | None) -> Owner:
    if seat == reader:
        return Owner(seat, T("you"), mine=True)
    name = who(town, seat)
    if seat == LE_ROY:
        return Owner(typed(seat), name, typed=True)
    return Owner(seat, name, typed=isinstance(name, str) and kebab(name) != seat)


def _mine(town: Town, seat: str) -> Mine:
    words = town.dice[seat]
    by_colour = (tuple(word for word in words if dice.colour(word) == colour) for colour in dice.LETTERS)
    cubes = tuple((named(card.id), card.cubes[seat]) for card in town.cards if card.cubes.get(seat))
    cubes += tuple((named(tile.id), tile.cubes[seat]) for tile in town.tiles if tile.cubes.get(seat))
    return Mine(_purse(town, seat, seat), tuple(group for group in by_colour if group), cubes)


def _purse(town: Town, seat: str, reader: str | None) -> Purse:
    house = town.houses[seat]
    return Purse(
        owner=_owner(town, seat, reader),
        deniers=house.deniers,
        influence=house.influence,
        supply=house.supply,
        reserve=house.reserve,
        coins=house.coins,
        passed=house.passed,
        won=tuple(named(event) for event in house.won),
        vp=house.vp if cards.read_rules(town.options).vp == "open" else None,
    )


def _activity(town: Town, card: Card, reader: str | None) -> ActivityView:
    face = town.activity(card.id)
    there = [
        Tradesman(_owner(town, owner, reader), worth)
        for worth, owner in zip((*face.spaces, *(0 for _ in card.picture)), (*card.spaces, *card.picture), strict=True)
        if owner
    ]
    return ActivityView(
        id=card.id,
        word=typed(card.id) if typed(card.id) != face.name.lower() else "",
        name=named(card.id),
        colour=colour_name(face.color),
        delayed=face.kind in ("delayed", "endgame"),
        divisor=face.divisor,
        effect=cards.card_text(face, town.box.solo if town.solo else None),
        hire=face.hire,
        free=next((worth for worth, owner in zip(face.spaces, card.spaces, strict=True) if not owner), None),
        mine=next((tradesman for tradesman in there if tradesman.owner.mine), None),
        others=tuple(tradesman for tradesman in there if not tradesman.owner.mine),
        cubes=tuple((_owner(town, owner, reader), n) for owner, n in card.cubes.items()),
        for_influence=face.currency == "influence",
    )


def _event(town: Town, number: int, threat: Threat, reader: str | None) -> EventView:
    event = town.event(threat.id)
    count = {owner: threat.cubes.count(owner) for owner in dict.fromkeys(threat.cubes)}
    leaders: list[str] = []
    if count:
        first = threats.shares(threat.cubes, event.first, event.second)[1]
        leaders = [first, *(owner for owner, n in count.items() if n == count[first] and owner != first)]
    return EventView(
        id=threat.id,
        word=f"event-{number}",
        name=named(threat.id),
        colours=tuple(colour_name(colour) for colour in event.dice),
        divisor=event.divisor,
        effect=cards.card_text(event, town.box.solo if town.solo else None),
        banners=event.banners,
        free=town.free_banners(threat),
        cubes=tuple((_owner(town, owner, reader), n) for owner, n in count.items()),
        leaders=tuple(_owner(town, owner, reader) for owner in leaders),
        first=event.first,
        second=event.second,
        held=tuple(_owner(town, owner, reader) for owner in threat.held),
    )


def _cathedral(town: Town, reader: str | None) -> Cathedral:
    board = town.box.board
    levels = tuple(
        Level(
            number,
            tuple((column, _owner(town, owner, reader)) for column, owner in enumerate(row, start=1) if owner),
            tuple(column for column, owner in enumerate(row, start=1) if not owner),
            reader in row,
        )
        for number, row in enumerate(town.cathedral, start=1)
    )
    return Cathedral(levels, board.cathedral_influence, board.cathedral_points, board.missing_level_loss)


def _building(town: Town, building: str, reader: str | None) -> Building:
    spaces = [place for place in places.SPACES if place.on == building]
    rows = range(1) if building == places.PALACE else range(len(town.box.board.rows))
    return Building(
        building,
        named(building),
        colour_name(places.COLOUR_OF_BUILDING[building]),
        tuple(
            Row(
                () if building == places.PALACE else town.box.board.rows[row],
                tuple(
                    Space(place.spot, _owner(town, owner, reader) if (owner := town.owner_at(place)) else None)
                    for place in spaces
                    if building == places.PALACE or place.row == row
                ),
            )
            for row in rows
        ),
        tuple(_owner(town, owner, reader) for owner in town.lying[building]),
    )


def _secret(town: Town, seat: str) -> OnlyYou:
    players = town.players
    held: list[Secret] = []
    for id in town.characters.get(seat, ()):
        face = town.box.characters.get(id)
        if face is None:
            continue  # a redacted position has blanks here
        now = scoring.COUNTED[id](town, seat)
        thresholds = face.two_player_thresholds if players == 2 else face.thresholds
        held.append(Secret(named(id), T(face.text_en), thresholds, face.points, now, face.worth(now, players)))
    return OnlyYou(
        tuple(held),
        town.houses[seat].vp,
        tuple(typed(place) for place in town.wishes.get(seat, ())),
        ladies.reacts(town, seat),
        ladies.answered(town, seat),
    )
