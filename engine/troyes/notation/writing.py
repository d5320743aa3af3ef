"""The canonical line of an order in the reader's language, as receipts and options show it and the parser reads it."""

from __future__ import annotations

from collections.abc import Iterable

from engine.catalog import Msg, T
from engine.errors import OrderRefused
from engine.troyes.actions.order_defaults import BEST, MOST, most_cubes, most_times
from engine.troyes.board.card_choices import PLACE, USE
from engine.troyes.board.phrases import event_word, typed_text
from engine.troyes.card_data.explain import LEVELS
from engine.troyes.card_data.item_names import typed_name
from engine.troyes.notation.order_words import WRITTEN
from engine.troyes.state import dice, orders, places
from engine.troyes.state.orders import Order, Pick, Using
from engine.troyes.state.troyes_state import TroyesState

SPELLED = {
    "en": {"dieless": "when I have no die", "always": "every round", "until": "until"},
    "fr": {"dieless": "quand je n'ai plus de dé", "always": "à chaque manche", "until": "jusqu'à"},
}
"""Phrases of standing orders."""


def write_order(state: TroyesState, seat: str, order: Order, language: str = "en") -> str:
    """The canonical text of `order` as `seat` would type it in this position."""
    line = OrderWriter(state, seat, language).line(order)
    return dice.dice_in_language(line, language) if language in WRITTEN else line


def order_message(state: TroyesState, seat: str, order: Order) -> Msg:
    """The canonical text in every language that orders are written in."""
    others = {language: write_order(state, seat, order, language) for language in WRITTEN}
    return T.each(write_order(state, seat, order), **others)


class OrderWriter:
    """Writes for one seat in its language; `words` are the words of that language by the English ones."""

    def __init__(self, state: TroyesState, seat: str, language: str) -> None:
        self.state, self.seat = state, seat
        self.language = language if language in WRITTEN else "en"
        self.words = WRITTEN.get(language, {})

    def say(self, word: str) -> str:
        """A word of the tables; a word that is in no table stays the same."""
        return self.words.get(word, word)

    def named(self, id: str) -> str:
        """A card, tile or place by its name."""
        return typed_name(id, self.language)

    def place(self, place: str) -> str:
        """A place by its words: `hôtel-de-ville 3.1`."""
        on, _, spot = place.partition(" ")
        return f"{self.named(on)} {self.say(spot)}" if spot else self.say(self.named(on))

    def line(self, order: Order) -> str:
        """The whole order."""
        say = self.say
        match order:
            case orders.Settle():
                return f"{say('settle')} {', '.join(map(self.place, order.places))}"
            case orders.Reroll():
                limits = f" {SPELLED[self.language]['until']} {order.until}+ {say('max')} {order.most}"
                return f"{say('reroll')} {order.die}{limits if order.until else ''}"
            case orders.Flip():
                return f"{say('flip')} {' '.join(order.dice)}"
            case orders.Recruit():
                return f"{say('recruit')} {order.citizens}"
            case orders.Activate():
                return self._activate(order)
            case orders.Build():
                return f"{say('build')} {say('with')} {self._dice(order.dice)}{self._using(order.using)}"
            case orders.Fight():
                return self._fight(order)
            case orders.Station():
                source = f"{say('from')} {self.place(order.source)}"
                return f"{say('place')} {self._die(order.die)} {source}{self._using(order.using)}"
            case orders.Farm():
                return f"{say('farm')} {self._dice(order.dice)}{self._using(order.using)}"
            case orders.Pass():
                return say("pass")
            case orders.Counter():
                return self._counter(order)
            case orders.Support():
                return f"{say('support')} {', '.join(self._event(id) for id in order.events)}"
            case orders.Target():
                return f"{say('target')} {', '.join(map(self._event, (order.event, *order.then)))}"
            case orders.Guard():
                return self._guard(order)
            case orders.Use():
                return f"{say('use')} {self._tile(order.tile)}"
            case orders.React():
                return f"{say('react')} {self._tile(order.tile) if order.tile else say('no')}"
            case orders.Give():
                return f"{say('give')} {self.place(order.source)}"
            case orders.Discard():
                on = self.named(order.on) if self.state.tile(order.on) is None else self._tile(order.on)
                return f"{say('discard')} {on}"
            case orders.Release():
                return f"{say('release')} {order.owner}"
            case orders.Auto():
                tile = f"{self._tile(order.tile)} " if order.tile else ""
                return f"auto: {say('react')} {tile}{say(order.react)}"
            case orders.Later():
                parts = (*order.orders, *((orders.AutoPass(),) if order.passes else ()))
                return f"{say('later')}: {' | '.join(map(self.line, parts))}"
            case orders.Cancel():
                return " ".join(filter(None, (say("cancel"), say(order.what))))
            case orders.AutoPlace():
                return f"auto: {say('place')} {', '.join(map(self.place, order.places))}"
            case orders.AutoPass() | orders.AutoCounter():
                return f"auto: {self._kept(order)}"
            case orders.LeRoy():
                return "the dice of le-roy"

    def _kept(self, order: orders.AutoPass | orders.AutoCounter) -> str:
        """What a seat does by a standing order, and how long."""
        if isinstance(order, orders.AutoPass):
            line = self.say("pass") + (f" {SPELLED[self.language]['dieless']}" if order.dieless else "")
        else:
            keep = f" {self.say('keep')} {order.keep} {self.say('influence')}" if order.keep else ""
            line = f"{self.say('counter')}{keep}"
        return f"{line}, {SPELLED[self.language]['always']}" if order.always else line

    def _event(self, id: str) -> str:
        """An event of the queue by its name, or its number where copies share one."""
        word = event_word(self.state, id)
        if self.language == "en":
            return word
        event, _, number = word.partition("-")
        return f"{self.say(event)}-{number}" if number.isdecimal() else self.named(id)

    def _die(self, pick: Pick) -> str:
        return pick.word(self.seat, self.say)

    def _dice(self, picks: Iterable[Pick]) -> str:
        return " ".join(map(self._die, picks))

    def _tile(self, tile: str) -> str:
        """A tile by its level, where it is in this game, else by its name."""
        return LEVELS[self.state.outdoor(tile).level] if self.state.tile(tile) is not None else self.named(tile)

    def _using(self, using: Using) -> str:
        """The clauses for cubes, the card's first, then the tiles by level."""
        if not (using.card or using.tiles):
            return ""
        clause = f" {self.say('using')} "
        words = f"{clause}{self.named(using.card)}" if using.card else ""
        if using.die is not None:
            words += f": {self._die(using.die)}"
        tiles = self.state.box.outdoor
        for use in sorted(using.tiles, key=lambda use: tiles[use.tile].level if use.tile in tiles else 0):
            words += f"{clause}{self._tile(use.tile)}"
            if use.swaps:
                swaps = (f"{swap.own} {self.say('for')} {self._die(swap.other)}" for swap in use.swaps)
                words += f": {', '.join(swaps)}"
            elif use.die is not None:
                words += f": {self._die(use.die)}"
            elif use.card:
                words += f": {self.named(use.card)}"
        return words

    def _counter(self, order: orders.Counter) -> str:
        black = " ".join([self.say("counter"), *map(str, order.black)])
        if order.using:
            return f"{black} {self.say('using')} {self._tile(order.using)}"
        if not order.dice:
            return f"{self.say('counter')} {self.say('none')}"
        return f"{black} {self.say('with')} {' '.join(order.dice)}"

    def _guard(self, order: orders.Guard) -> str:
        boost = f" +{order.boost}" if order.boost else ""
        steps = [f"{self.say('advance')} {order.advance}"] if order.advance else []
        steps += [f"cube {LEVELS[level]}" for level in order.cubes]
        tail = f": {', '.join(steps)}" if steps else ""
        return f"{self.say('guard')} {self._die(order.die)}{boost}{self._using(order.using)}{tail}"

    def _activate(self, order: orders.Activate) -> str:
        words = [f"{self.say('activate')} {self.named(order.card)}"]
        if order.hiring:
            words.append(f"{self.say('hiring')} {self.say('from')} {self.place(order.hiring)}")
            if order.space not in (BEST, self.state.best_space(order.card)):
                words.append(f"{self.say('to space')} {order.space}")
        most, mixed = self._most(order), order.targets[:1] in ((PLACE,), (USE,))
        if order.times != most and not mixed:
            words.append(f"{order.times} {self.say('times')}" if order.times != 1 else self.say("once"))
        words.append(f"{self.say('with')} {self._dice(order.dice)}{self._using(order.using)}")
        line = " ".join(words)
        targets = list(map(self.target, order.targets))
        if targets and mixed and (order.targets[0] == USE or order.times != most):
            targets[0] += f" {order.times}"
        return f"{line}: {', '.join(targets)}" if targets else line

    def target(self, target: str) -> str:
        """A choice after the colon: an event, or a place, a gain, a column, a seat."""
        if self.state.threat(target) is not None:
            return self._event(target)
        return self.named(target) if target in places.BUILDINGS else self.say(typed_text(target))

    def _most(self, order: orders.Activate) -> int:
        """How often the dice allow it; -1 where they make no group."""
        try:
            return most_times(self.state, self.seat, order.card, order.dice, order.using)
        except OrderRefused:
            return -1

    def _fight(self, order: orders.Fight) -> str:
        most = self._most_cubes(order)
        cubes = "" if order.cubes in (MOST, most) else f" {order.cubes} cube{'s' if order.cubes != 1 else ''}"
        freed = f": {self.say('free')} {', '.join(order.freed)}" if order.freed else ""
        event = self._event(order.event)
        with_ = f"{self.say('with')} {self._dice(order.dice)}{self._using(order.using)}"
        return f"{self.say('fight')} {event}{cubes} {with_}{freed}"

    def _most_cubes(self, order: orders.Fight) -> int:
        """How many cubes are possible; -1 where the dice make no group."""
        if self.state.threat(order.event) is None:
            return -1
        try:
            return most_cubes(self.state, self.seat, order.event, order.dice, order.using)
        except OrderRefused:
            return -1
