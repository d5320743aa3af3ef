"""The Archer's rolls, one at a time: each roll is shown before the next target matters.

Every activation has one target. A miss uses the target up. A hit whose target is gone or was never named asks for one,
and the targets named for later rolls stay. A roll cannot be taken back.
"""

from __future__ import annotations

from engine.catalog import T
from engine.errors import NotAllowed
from engine.troyes.actions import outdoor
from engine.troyes.board import threats
from engine.troyes.events.dice_events import ArrowShot
from engine.troyes.events.play import Play
from engine.troyes.state.orders import Target
from engine.troyes.state.troyes_state import Frame


def shoot_next(play: Play, frame: Frame) -> bool:
    """Roll once, and place the cube of a hit. Waits where a hit has no target yet."""
    if frame.get("hit"):
        return _aim(play, frame)
    if not frame["left"]:
        play.state.agenda.pop()
        return False
    frame["left"] -= 1
    rolled = play.rolls("archer", frame["seat"])
    hit = rolled.numbers[0] >= play.state.activity(frame["card"]).numbers["hits"]
    target, *frame["targets"] = frame["targets"] or ("",)
    play.record(ArrowShot(rolled, frame["seat"], hit, target))
    if hit:
        frame["hit"] = True
        frame["target"] = target
    return False


def _aim(play: Play, frame: Frame) -> bool:
    state = play.state
    target = frame.get("target", "")
    if not state.threat(target):
        card = state.activity(frame["card"])
        open_events = [threat.id for threat in state.queue if threats.open_to(threat, card)]
        if len(open_events) > 1:
            frame["target"] = ""
            play.ask(frame["seat"], "target")
            return True
        target = open_events[0]
    place_hit(play, frame, target)
    return False


def aim_arrow(play: Play, frame: Frame, order: Target) -> None:
    """Place the cube of a hit, and keep the targets named for later rolls. Raises NotAllowed."""
    if order.then:
        if len(order.then) > frame.get("left", 0):
            left: int = frame.get("left", 0)
            raise NotAllowed(T("{n} roll is left after this one.", "{n} rolls are left after this one.", n=left))
        for event in order.then:
            threats.check_open(play.state, event, play.state.activity(frame["card"]))
        frame["targets"] = list(order.then)
    place_hit(play, frame, order.event)


def place_hit(play: Play, frame: Frame, target: str) -> None:
    """Place the cube of a hit. Raises NotAllowed when the event is not in the queue, or not open to the Archer."""
    threats.check_open(play.state, target, play.state.activity(frame["card"]))
    frame["hit"] = False
    frame["target"] = ""
    threats.place_cube(play, frame["seat"], target)
    outdoor.archer_renown(play, frame)
