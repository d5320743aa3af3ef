"""What has a name in a line: cards, events, outdoor tiles, places, and cubes that are used."""

from __future__ import annotations

from engine.troyes.notation.answering import ToTheQuestion
from engine.troyes.notation.lexicon import Wordlet
from engine.troyes.notation.saying import NamedCube, Unplaced

_CARRIES = ("", "activate", "use", "discard")
"""Verbs that are said of a card."""


class Naming(ToTheQuestion):
    """A line that is passed once, as far as names go."""

    def _mixed(self, ids: tuple[str, ...]) -> bool:
        """Whether the card keeps cubes that are placed or used."""
        activities = self.state.box.activities
        return any(id in activities and activities[id].kind == "mixed" for id in ids)

    def _thing(self, token: Wordlet) -> bool:
        """Put what has a name where it belongs; whether it has one."""
        if place := token.of("place"):
            self._place(place)
            if token.of("whom"):
                self.said.flags.add("citizen")
            return True
        return self._card(token) or self._event(token) or self._tile(token)

    def _uses(self, token: Wordlet) -> bool:
        """Whether the cube of what is named is to be used; «with» says so before a whole name alone."""
        return self._cube_said() or (self.before == "with" and not token.of("part"))

    def _cube_said(self) -> bool:
        return self.before == "using" or self.glued in ("cube", "cube from")

    def _cube_follows(self, ids: tuple[str, ...]) -> bool:
        """Whether it is a cube of that card: «and a priest cube»."""
        known = self.state.box.activities
        delayed = all(id in known and known[id].delayed and known[id].kind != "mixed" for id in ids)
        return delayed and bool(self.said.dice) and self._next().of("clause") == "cubes"

    def _use_cube(self, kind: str, ids: tuple[str, ...]) -> None:
        said = self.said
        said.used.append(NamedCube(kind, ids))
        said.cubes = 0 if said.cubes == 1 and self.glued else said.cubes
        self.run += 1

    def _place(self, place: str) -> None:
        another = bool(self.said.source) and " " not in place and bool(self.said.card)  # «from palace 2, palace and …»
        if (self.before == "from" and not another) or self._is_source(place) or self._is_his(place):
            self._once("source", place)
            self.same = False
            return
        self.same = False
        self.said.spots.append(place)
        if not self.before:
            self.said.bare.append(place)

    def _card(self, token: Wordlet) -> bool:
        said, ids = self.said, token.of("activity", ())
        if token.of("role") and not any(map(self.state.card, ids)):  # «artisan» is a card, and a man
            return False
        if not ids or (token.of("event") and not self._is_card(token)):
            return False
        last = said.used[-1] if said.used else None
        if self.before == "on" and last is not None and last.ids == ("extra_delayed_cube",) and not last.card:
            last.card = ids
            return True
        cube = said.verb != "discard" and (self._cube_said() or self._cube_follows(ids)) and not self._mixed(ids)
        cube = cube or (said.verb == "" and bool(said.events) and self._uses(token) and not self._mixed(ids))
        source = self.before == "from" and (said.card or "hire" in said.flags or said.verb not in _CARRIES)
        if not cube and (source or (said.verb == "place" and not self.before)):
            if len(ids) > 1:
                raise Unplaced
            self._once("source", ids[0])
        elif not cube and not said.card and said.verb in _CARRIES:
            said.card = ids
        elif cube or (said.verb and self._uses(token)):
            self._use_cube("activity", ids)
        else:
            return False
        return True

    def _is_card(self, token: Wordlet) -> bool:
        """Whether a name that a card and an event share is the card's here. Raises Unplaced where it may be either."""
        if self.before == "from" or self._cube_said():
            return True
        if self.said.verb:
            return self.said.verb not in ("fight", "target", "support") and not self.said.card
        card = any(self.state.card(id) for id in token.of("activity"))
        if card and any(self.state.threat(id) for id in token.of("event")):
            raise Unplaced
        return card

    def _event(self, token: Wordlet) -> bool:
        here = {threat.id for threat in self.state.queue}
        ids = token.of("event", ())
        before = self.tokens[self.at - 2] if self.at > 1 else token
        if ids and (nth := before.of("ordinal")):  # «the second brigands»
            alike = [threat.id for threat in self.state.queue if threat.id in ids]
            ids = tuple(alike[nth - 1 : nth])
            if not ids:
                raise Unplaced
        if ids:
            self.said.events += [tuple(id for id in ids if id in here) or ids[:1]] * (self.lays or 1)
        return bool(ids)

    def _tile(self, token: Wordlet) -> bool:
        ids = token.of("outdoor", ())
        if level := token.of("level"):
            ids = tuple(tile.id for tile in self.state.tiles if self.state.outdoor(tile.id).level == level)
        if not ids:
            return False
        if self.asked == "counter":
            self._use_cube("outdoor", ids)
        elif self.before != "using" and (
            self.said.verb in ("guard", "use", "react", "discard") or self.asked == "discard"
        ):
            self.said.tiles.append(ids)
        elif self.said.verb and (self._uses(token) or self._next().of("clause") == "cubes"):
            self._use_cube("outdoor", ids)
        elif not self.said.verb and "cube" in self.said.flags and self.before == "on" and self.asked == "turn":
            self.said.verb = "guard"  # «a cube on Exchange with R4»
            self.said.tiles.append(ids)
        else:
            return False
        return True
