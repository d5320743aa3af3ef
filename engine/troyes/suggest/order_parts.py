"""What an order says, part by part: the same for every kind of order, so that each part is compared in one place."""

from __future__ import annotations

from typing import Any

from engine.troyes.board.card_choices import PLACE, USE
from engine.troyes.state import dice as dicing
from engine.troyes.state import orders, places
from engine.troyes.state.orders import Order
from engine.troyes.state.picks import NOTHING_USED, Pick, Using

VERBS: dict[type, str] = {
    orders.Activate: "activate", orders.Build: "build", orders.Fight: "fight", orders.Station: "place",
    orders.Farm: "farm", orders.Guard: "guard", orders.Pass: "pass", orders.Reroll: "reroll", orders.Flip: "flip",
    orders.Recruit: "recruit", orders.Use: "use", orders.Counter: "counter", orders.Settle: "settle",
    orders.Support: "support", orders.Target: "target", orders.React: "react", orders.Give: "give",
    orders.Discard: "discard", orders.Release: "release",
}  # fmt: skip
"""What each order begins with."""
HOUSES = {"red": places.PALACE, "white": places.BISHOPRIC, "yellow": places.CITY_HALL}


class OrderParts:
    """What one order says."""

    def __init__(self, seat: str, order: Order) -> None:
        def of(name: str, otherwise: Any = "") -> Any:
            return getattr(order, name, otherwise)

        self.order, self.verb = order, VERBS.get(type(order), "")
        used = of("using", NOTHING_USED)
        # A black die is destroyed by a tile alone.
        self.using: Using = NOTHING_USED if isinstance(used, str) else used
        self.tiles = [tile for tile in (used if isinstance(used, str) else "", of("tile")) if tile]
        self.tiles += [use.tile for use in self.using.tiles]
        dice = (*of("dice", ()), *((of("die"),) if of("die") else ()))
        self.picks = [die if isinstance(die, Pick) else Pick(seat, die) for die in dice]
        self.goals = [id_ for id_ in (of("card"), of("event"), of("on")) if id_] + [*of("events", ()), *of("then", ())]
        """Cards and events that it is done to, and the tile that a cube is taken from."""
        self.targets = [one for one in of("targets", ()) if one not in (PLACE, USE)]
        self.mixed = next((one for one in of("targets", ()) if one in (PLACE, USE)), "")
        self.source: str = of("hiring") or of("source")
        self.freed = [owner for owner in (*of("freed", ()), of("owner")) if owner]
        self.ends = [one for one in self.targets if one in places.BUILDINGS]
        """Where somebody, or a cube, goes."""
        if isinstance(order, orders.Station):
            self.ends = [HOUSES.get(order.die.colour or dicing.die_colour(order.die.die), "")]
        elif isinstance(order, orders.Settle):
            self.ends = list(order.places)
        elif isinstance(order, orders.Build):
            self.ends = ["cathedral"]
