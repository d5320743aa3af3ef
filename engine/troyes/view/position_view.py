"""What one reader may see of a position, built field by field. Templates see only this and sentences.

Nothing is copied and then stripped: what is not named here is not shown. Hands and decks of others are not named.
"""

from __future__ import annotations

from engine.catalog import Msg, T
from engine.kit.words import kebab
from engine.troyes.actions import reactions, sealed_answers
from engine.troyes.board import scoring, threats
from engine.troyes.board.phrases import colour_name, owner_name, plan_duration, reaction_text, typed_place, typed_text
from engine.troyes.card_data.explain import LEVELS, card_text
from engine.troyes.card_data.house_rules import read_rules
from engine.troyes.card_data.item_names import item_name
from engine.troyes.notation.writing import order_message
from engine.troyes.phases import game_flow
from engine.troyes.state import dice, orders, places
from engine.troyes.state.troyes_state import LE_ROY, Card, QueuedEvent, TroyesState
from engine.troyes.view import view_values as views


def heading(state: TroyesState) -> Msg:
    """Where the game stands: «initial placement», «round 3 of 6», «final scores»."""
    if state.phase == "over" or state.scores:
        return T("final scores")
    if not state.round:
        return T("initial placement")
    return T("round {round} of {rounds}", round=state.round, rounds=_rounds(state))


def view(state: TroyesState, seat: str | None) -> views.TroyesView:
    """The position for `seat`; None is a spectator."""
    order = state.around(state.start)
    # The reader's own district is shown elsewhere; the others come clockwise.
    around = state.others(seat) if seat else order
    if state.solo:
        order = (state.start, state.after(state.start))
    settling = any(frame["step"] == "settle" for frame in state.agenda)
    return views.TroyesView(
        seat=seat or "",
        heading=heading(state),
        phase=_phase(state),
        round=state.round,
        rounds=_rounds(state),
        start=_owner(state, state.start, seat),
        order=tuple(_owner(state, other, seat) for other in order),
        asked=tuple(
            views.OpenDecision(_owner(state, asked.seat, seat), asked.kind, game_flow.question_kind(asked.kind))
            for asked in state.asked
        ),
        question=next((game_flow.question_text(state, asked) for asked in state.asked if asked.seat == seat), None),
        mine=_mine(state, seat) if seat else None,
        square=tuple(
            views.District(_owner(state, other, seat), tuple(dice.dice_by_rank(words) if other == LE_ROY else words))
            for other in (*around, state.neutral)
            for words in (state.dice[other],)
        ),
        prices=state.box.board.prices,
        activities=tuple(_activity(state, card, seat) for card in state.cards),
        free_spaces=tuple(typed_place(str(place)) for place in state.free_spaces()) if settling else (),
        events=tuple(_event(state, number, threat, seat) for number, threat in enumerate(state.queue, start=1)),
        black=tuple(state.black),
        rolls_left=sum(frame["left"] for frame in state.agenda if frame["step"] == "archery"),
        cathedral=_cathedral(state, seat),
        buildings=tuple(_building(state, building, seat) for building in reversed(places.BUILDINGS)),
        others=tuple(_purse(state, other, seat) for other in around),
        neutrals=state.neutrals,
        secret=_secret(state, seat) if seat else None,
        king=_solo(state, seat) if state.solo else None,
        ramparts=_ramparts(state, seat) if state.tiles else None,
        open_characters=tuple(item_name(id) for id in state.open_characters),
    )


def _rounds(state: TroyesState) -> int:
    return state.box.board.rounds[state.players]


def _phase(state: TroyesState) -> Msg:
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
    return known.get(state.phase) or T("initial placement")


def _owner(state: TroyesState, seat: str, reader: str | None) -> views.Owner:
    if seat == reader:
        return views.Owner(seat, T("you"), mine=True)
    name = owner_name(state, seat)
    if seat == LE_ROY:
        return views.Owner(typed_text(seat), name, typed=True)
    return views.Owner(seat, name, typed=isinstance(name, str) and kebab(name) != seat)


def _mine(state: TroyesState, seat: str) -> views.OwnSide:
    words = state.dice[seat]
    by_colour = (tuple(word for word in words if dice.die_colour(word) == colour) for colour in dice.LETTERS)
    cubes = tuple((item_name(card.id), card.cubes[seat]) for card in state.cards if card.cubes.get(seat))
    cubes += tuple((item_name(tile.id), tile.cubes[seat]) for tile in state.tiles if tile.cubes.get(seat))
    return views.OwnSide(_purse(state, seat, seat), tuple(group for group in by_colour if group), cubes)


def _purse(state: TroyesState, seat: str, reader: str | None) -> views.Purse:
    house = state.houses[seat]
    return views.Purse(
        owner=_owner(state, seat, reader),
        deniers=house.deniers,
        influence=house.influence,
        supply=house.supply,
        reserve=house.reserve,
        coins=house.coins,
        passed=house.passed,
        won=tuple(item_name(event) for event in house.won),
        vp=house.vp if read_rules(state.options).vp == "open" else None,
    )


def _activity(state: TroyesState, card: Card, reader: str | None) -> views.ActivityView:
    face = state.activity(card.id)
    there = [
        views.Tradesman(_owner(state, owner, reader), worth)
        for worth, owner in zip((*face.spaces, *(0 for _ in card.picture)), (*card.spaces, *card.picture), strict=True)
        if owner
    ]
    return views.ActivityView(
        word=typed_text(card.id) if typed_text(card.id) != face.name.lower() else "",
        name=item_name(card.id),
        colour=colour_name(face.color),
        delayed=face.kind in ("delayed", "endgame"),
        divisor=face.divisor,
        effect=card_text(face, state.box.solo if state.solo else None),
        hire=face.hire,
        free=next((worth for worth, owner in zip(face.spaces, card.spaces, strict=True) if not owner), None),
        mine=next((tradesman for tradesman in there if tradesman.owner.mine), None),
        others=tuple(tradesman for tradesman in there if not tradesman.owner.mine),
        cubes=tuple((_owner(state, owner, reader), n) for owner, n in card.cubes.items()),
        for_influence=face.currency == "influence",
        dye=face.color[0],
    )


def _event(state: TroyesState, number: int, threat: QueuedEvent, reader: str | None) -> views.EventView:
    event = state.event(threat.id)
    count = {owner: threat.cubes.count(owner) for owner in dict.fromkeys(threat.cubes)}
    leaders: list[str] = []
    if count:
        first = threats.event_rewards(threat.cubes, event.first, event.second)[1]
        leaders = [first, *(owner for owner, n in count.items() if n == count[first] and owner != first)]
    return views.EventView(
        word=T("event-{n}", n=number),
        name=item_name(threat.id),
        colours=tuple(colour_name(colour) for colour in event.dice),
        divisor=event.divisor,
        effect=card_text(event, state.box.solo if state.solo else None),
        banners=event.banners,
        free=state.free_banners(threat),
        cubes=tuple((_owner(state, owner, reader), n) for owner, n in count.items()),
        leaders=tuple(_owner(state, owner, reader) for owner in leaders),
        first=event.first,
        second=event.second,
        held=tuple(_owner(state, owner, reader) for owner in threat.held),
        sends=event.black_dice,
        dye=event.color[0],
        twin=[state.event(other.id).word for other in state.queue].count(event.word) > 1,
    )


def _cathedral(state: TroyesState, reader: str | None) -> views.Cathedral:
    board = state.box.board
    levels = tuple(
        views.Level(
            number,
            tuple((column, _owner(state, owner, reader)) for column, owner in enumerate(row, start=1) if owner),
            tuple(column for column, owner in enumerate(row, start=1) if not owner),
            reader in row,
        )
        for number, row in enumerate(state.cathedral, start=1)
    )
    return views.Cathedral(levels, board.cathedral_influence, board.cathedral_points, board.missing_level_loss)


def _building(state: TroyesState, building: str, reader: str | None) -> views.Building:
    spaces = [place for place in places.SPACES if place.on == building]
    rows = range(1) if building == places.PALACE else range(len(state.box.board.rows))
    return views.Building(
        item_name(building),
        colour_name(places.COLOUR_OF_BUILDING[building]),
        tuple(
            views.PlaceRow(
                () if building == places.PALACE else state.box.board.rows[row],
                tuple(
                    views.Space(place.spot, _owner(state, owner, reader) if (owner := state.owner_at(place)) else None)
                    for place in spaces
                    if building == places.PALACE or place.row == row
                ),
            )
            for row in rows
        ),
        tuple(_owner(state, owner, reader) for owner in state.lying[building]),
    )


def _secret(state: TroyesState, seat: str) -> views.SecretView:
    players = state.players
    held: list[views.OwnCharacter] = []
    for id in state.characters.get(seat, ()):
        face = state.box.characters.get(id)
        if face is None:
            continue  # a redacted position has blanks here
        now = scoring.character_counts(state, seat)[id]
        thresholds = face.two_player_thresholds if players == 2 else face.thresholds
        held.append(
            views.OwnCharacter(item_name(id), T(face.text_en), thresholds, face.points, now, face.worth(now, players))
        )
    return views.SecretView(
        tuple(held),
        state.houses[seat].vp,
        tuple(typed_place(place) for place in state.wishes.get(seat, ())),
        reaction_rules(state, seat),
        own_sealed_answer(state, seat),
        tuple(
            (order_message(state, seat, plan.order), plan_duration(plan))
            for plan in state.plans.get(seat, ())
            if plan.holds(state.round, state.houses[seat].passed)
        ),
    )


def _solo(state: TroyesState, reader: str | None) -> views.LeRoyView:
    """Le Roy's side, all of it open."""
    return views.LeRoyView(
        owner=_owner(state, LE_ROY, reader),
        dice=tuple(dice.dice_by_rank(state.dice[LE_ROY])),
        vp=state.houses[LE_ROY].vp,
        citizens=state.neutrals,
        won=tuple(item_name(event) for event in state.houses[LE_ROY].won),
        pile=tuple(_judge(state, id, reader) for id in state.pile if id in state.box.characters),
    )


def _judge(state: TroyesState, id: str, reader: str | None) -> views.PileCharacter:
    face, counts = state.box.characters[id], list[views.CharacterCount]()
    for seat in state.circle:
        if seat != LE_ROY or id not in scoring.OTHERS_HIDDEN:
            now, worth = scoring.character_counts(state, seat)[id], scoring.character_points(state, seat, id)
            counts.append(views.CharacterCount(_owner(state, seat, reader), now, worth))
    return views.PileCharacter(item_name(id), T(face.text_en), face.two_player_thresholds, face.points, tuple(counts))


RULE_WORDS = {
    reactions.ALWAYS: T.of("a reaction", "always"),
    reactions.NEVER: T.of("a reaction", "never"),
    reactions.ASK: T.of("a reaction", "ask"),
}
"""Standing answers for a tile, as the reader types them."""


def _ramparts(state: TroyesState, reader: str | None) -> views.Ramparts:
    """Tiles and guards."""
    board, tiles = state.box.board, list[views.TileView]()
    owners = {seat: _owner(state, seat, reader) for seat in state.clockwise(state.start)}
    for tile in state.tiles:
        face, cubes = state.outdoor(tile.id), tuple((owners[seat], n) for seat, n in tile.cubes.items())
        gate = board.gates[face.level - 1]
        tiles.append(views.TileView(LEVELS[face.level], item_name(tile.id), gate, card_text(face), cubes))
    guards = tuple((owner, state.houses[seat].guard) for seat, owner in owners.items())
    return views.Ramparts(tuple(tiles), guards, board.ramparts, tuple(owners[seat] for seat in state.arrived))


def reaction_rules(state: TroyesState, seat: str) -> tuple[tuple[Msg, Msg], ...]:
    """What the seat's cubes do on each tile that reacts to others, and how to change it."""
    return tuple(
        (
            reaction_text(tile, said),
            T(
                "To change it: «auto: react {level} {one}», or {other}.",
                level=LEVELS[state.outdoor(tile).level],
                one=RULE_WORDS[one],
                other=RULE_WORDS[other],
            ),
        )
        for tile in state.answering
        for said in (reactions.reaction_rule(state, seat, tile),)
        for one, other in ([word for word in reactions.REACTION_RULES if word != said],)
    )


def own_sealed_answer(state: TroyesState, seat: str) -> Msg | str:
    """The seat's own answer to the open sealed decision, as an order; `""` for none."""
    said = state.sealed.get(seat, "")
    if not said or not state.agenda or state.agenda[-1]["step"] != "sealed":
        return ""
    order = orders.Give(said) if sealed_answers.SEALED[state.agenda[-1]["event"]] == "give" else orders.Discard(said)
    return order_message(state, seat, order)
