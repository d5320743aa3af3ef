"""The choices of an activation, which stand after the colon: whether they fit what the card asks."""

from __future__ import annotations

from engine.catalog import T
from engine.errors import NotAllowed, Unclear
from engine.troyes.board import card_declaration, threats
from engine.troyes.board.phrases import event_typed
from engine.troyes.card_data.card_types import Activity
from engine.troyes.card_data.item_names import item_name
from engine.troyes.state import places
from engine.troyes.state.orders import NOTHING, Activate
from engine.troyes.state.troyes_state import TroyesState

PLACE, USE = "place", "use"
"""The first word after the colon for a mixed card."""

INFLUENCE, POINTS = "influence", "vp"
"""What Landlady gives."""


def check_choices(state: TroyesState, seat: str, activity: Activity, order: Activate) -> None:
    """Raises NotAllowed or Unclear unless the words after the colon fit the card."""
    given, asks = order.targets, card_declaration.declaration_of(activity.id)
    if activity.kind == "mixed":
        chosen = _check_mixed(state, seat, activity, order)
        if chosen is None:
            return
        given = chosen
    if given == (NOTHING,):
        if not asks.priced or activity.keeps:
            raise NotAllowed(T("{card} has no price to leave unpaid.", card=item_name(activity.id)))
        return
    kind = asks.chooses
    if not kind:
        if given:
            raise NotAllowed(T("{card} leaves nothing to choose.", card=item_name(activity.id)))
        return
    if not given and asks.optional:
        return
    _check_number(activity, order.times, given)
    if kind == "building":
        if any(place not in (places.PALACE, places.BISHOPRIC) for place in given):
            raise NotAllowed(T("{card} counts the Palace or the Bishopric only.", card=item_name(activity.id)))
    elif kind == "gain":
        if any(word not in (INFLUENCE, POINTS) for word in given):
            raise NotAllowed(T("{card} gives influence or VP.", card=item_name(activity.id)))
    elif kind == "column":
        if any(not word.isdecimal() or not 1 <= int(word) <= state.box.board.columns for word in given):
            raise NotAllowed(T("Columns are 1 to {most}.", most=state.box.board.columns))
    elif kind in ("event", "events"):
        _check_events(state, activity, given)


def _check_mixed(state: TroyesState, seat: str, activity: Activity, order: Activate) -> tuple[str, ...] | None:
    """The choices after `use`; None where cubes are placed."""
    card = state.card(activity.id)
    there = card.cubes.get(seat, 0) if card is not None else 0
    first, given = order.targets[:1], order.targets[1:]
    if first not in ((PLACE,), (USE,)):
        raise Unclear(
            T(
                "{card}: say whether cubes are placed or used; you have {n} there.",
                card=item_name(activity.id),
                n=there,
            ),
            possible=(T(": place"), T(": use {n}", n=min(there, order.times))) if there else (T(": place"),),
            rule="D11",
        )
    if first == (PLACE,):
        if given:
            raise NotAllowed(T("Placing cubes on {card} leaves nothing to choose.", card=item_name(activity.id)))
        return None
    if order.times > there:
        raise NotAllowed(
            T(
                "You have {there} cubes on {card}; you use {times}.",
                there=there,
                card=item_name(activity.id),
                times=order.times,
            ),
            possible=(T(": use {n}", n=there),) if there else (T(": place"),),
        )
    return given


def _check_number(activity: Activity, times: int, given: tuple[str, ...]) -> None:
    """One choice for each activation; or any number of events, each as often as the card is activated."""
    name, count = item_name(activity.id), len(given)
    if card_declaration.declaration_of(activity.id).chooses == "events":
        if not given:
            raise Unclear(T("{card}: name the events that you pay a cube for, or «: nothing».", card=name))
        if any(given.count(event) > times for event in given):
            raise NotAllowed(T("{card} puts one cube on each event per activation.", card=name))
        return
    if count < times:
        raise Unclear(
            T(
                "{card}: {times} activations need {times} choices after the colon; you named {count}.",
                card=name,
                times=times,
                count=count,
            ),
            possible=(T("{count} times", count=count),) if given else (),
        )
    if count > times:
        raise NotAllowed(
            T(
                "{card} is activated {times} times; you named {count} choices after the colon.",
                card=name,
                times=times,
                count=count,
            )
        )


def _check_events(state: TroyesState, activity: Activity, given: tuple[str, ...]) -> None:
    asks = card_declaration.declaration_of(activity.id)
    each_fits = asks.chooses == "event" and not asks.several and not asks.rolls
    for event in dict.fromkeys(given):
        threats.check_open(state, event, activity)
        threat = threats.find_threat(state, event)
        free, wanted = state.free_banners(threat), given.count(event)
        if each_fits and wanted > free and not state.event(event).permanent:
            raise NotAllowed(
                T(
                    "{event} has {free} free banners; you named it {wanted} times.",
                    event=event_typed(state, event),
                    free=free,
                    wanted=wanted,
                )
            )
