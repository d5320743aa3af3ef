"""The title of an order: a sentence for a choice in a mail («Fight Brigands with Faye's R6»), which parses as that
order.

A few orders have no such sentence and keep their canonical text: plans that pass, standing orders that no mail offers,
and in English one's own die behind another's («Faye's R6 and R3»: whose is the R3?).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.errors import OrderRefused
from engine.kit.words import fold_text
from engine.troyes.actions.order_defaults import BEST, MOST
from engine.troyes.board import possession
from engine.troyes.board.card_choices import PLACE, USE
from engine.troyes.board.dice_group import form_group
from engine.troyes.board.phrases import event_word
from engine.troyes.card_data.item_names import printed_name
from engine.troyes.notation import standing_parser
from engine.troyes.notation.order_words import FEMININE, PLURAL, TITLES
from engine.troyes.notation.writing import OrderWriter, write_order
from engine.troyes.state import dice, orders, places
from engine.troyes.state.orders import Order, Pick, TileUse, Using
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import LE_ROY, TroyesState

SPACES = {"en": ("first space", "second space"), "fr": ("1re place", "2e place")}
NTH = {
    "en": ("first", "second", "third", "fourth"),
    "fr": ("premier", "deuxième", "troisième", "quatrième"),
    "fr feminine": ("première", "deuxième", "troisième", "quatrième"),
}
COUNTS = {
    "en": ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    "fr": ("deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"),
}
COLOURS = {"fr": {"yellow": "jaune", "white": "blanc", "red": "rouge"}}
WITH_ARTICLE = {
    "": ("le", "la", "l'", "les"),
    "de": ("du", "de la", "de l'", "des"),
    "à": ("au", "à la", "à l'", "aux"),
}
"""French articles behind a preposition: masculine, feminine, before a vowel, plural."""


def order_title(state: TroyesState, seat: str, order: Order, language: str = "en") -> str:
    """The sentence that parses as exactly this order, else its canonical text."""
    text = TitleWriter(state, seat, language).title(order)
    try:
        if text and standing_parser.parse_order(state, seat, text).order == order:
            return text
    except OrderRefused:
        pass
    return write_order(state, seat, order, language)


def _cubes(number: int) -> str:
    """A number of cubes, in both languages."""
    return f"{number} cube{'s' if number != 1 else ''}"


def _closed(place: str) -> str:
    """A place, with a comma behind it where it holds one."""
    return f"{place}," if ", " in place else place


def _is_vowel(word: str) -> bool:
    return fold_text(word)[:1] in "aeiou"


class TitleWriter(OrderWriter):
    """Writes for one seat in its language."""

    def __init__(self, state: TroyesState, seat: str, language: str) -> None:
        super().__init__(state, seat, language)
        self.french = self.language == "fr"

    def title(self, order: Order) -> str:
        """The whole sentence, or empty where none can say it."""
        try:
            return self._title(order)
        except OrderRefused:
            return ""

    def _title(self, order: Order) -> str:
        says = self._says
        match order:
            case orders.Settle((place,)):
                return says("settle", self._spot(place, "à"))
            case orders.Settle():
                return says("settle all", self._count(len(order.places)), self._spots(order.places))
            case orders.Reroll():
                words = (self._own((order.die,)), order.until, order.most)
                return says("reroll until" if order.until else "reroll", *words)
            case orders.Flip():
                return says("flip", self._own(order.dice))
            case orders.Recruit():
                return says("recruit" if order.citizens == 1 else "recruit more", order.citizens)
            case orders.Activate():
                return self._activating(order)
            case orders.Build():
                return says("build", self._with(order.dice, order.using))
            case orders.Fight():
                most = self._most_cubes(order)
                more = "" if order.cubes in (MOST, most) else says("cubes", _cubes(order.cubes))
                more += says("free", self._list(map(self._person, order.freed))) if order.freed else ""
                return says("fight", self._the_event(order.event), self._with(order.dice, order.using), more)
            case orders.Station():
                return self._placing(order)
            case orders.Farm():
                return says("farm", self._with(order.dice, order.using))
            case orders.Pass():
                return says("pass")
            case orders.Counter():
                return self._countering(order)
            case orders.Support():
                events = self._list(map(self._the_event, order.events))
                return says("support" if len(order.events) == 1 else "support more", events)
            case orders.Target():
                return says("target", says("then").join(map(self._the_event, (order.event, *order.then))))
            case orders.Guard():
                return self._guarding(order)
            case orders.Use() | orders.React():
                return says("use", self._on(order.tile)) if order.tile else says("keep")
            case orders.Give():
                kind = {places.SUPPLY: "give supply", possession.RECRUIT: "give recruit"}.get(order.source, "give")
                return says(kind, self._spot(order.source, "de") if kind == "give" else "")
            case orders.Discard():
                return says("discard", self._on(order.on))
            case orders.Release():
                return says("release", self._whose(order.owner))
            case orders.Auto(react="always", tile=tile) if tile:
                return says("react always", self._on(tile))
            case orders.AutoCounter(keep=0, always=True):
                return says("counter always")
            case orders.AutoPass(dieless=True, always=True):
                return says("pass always")
            case orders.Later(passes=False):
                parts = [self.title(one) for one in order.orders]
                plan = says("or else").join(part[:1].lower() + part[1:] for part in parts)
                return says("plan", plan) if all(parts) else ""
        return ""

    def _says(self, kind: str, *words: str | int) -> str:
        return str(TITLES["sentence"][kind][self.language]).format(*words)

    def _list(self, words: Iterable[str]) -> str:
        *first, last = words
        return f"{', '.join(first)}{self._says('and')}{last}" if first else last

    def _count(self, number: int) -> str:
        counts = COUNTS[self.language]
        return counts[number - 2] if 2 <= number < len(counts) + 2 else str(number)

    # Names.

    def _called(self, id: str) -> str:
        return printed_name(id, self.language)

    def _the(self, id: str, before: str = "") -> str:
        """A card or building with its article; in French behind a preposition."""
        name = self._called(id)
        if not self.french:
            return name if id == places.CITY_HALL else f"the {name}"
        return self._behind(before, id, name)

    def _behind(self, before: str, id: str, name: str) -> str:
        masculine, feminine, vowel, plural = WITH_ARTICLE[before]
        if id in PLURAL:
            return f"{plural} {name}"
        if _is_vowel(name) or fold_text(name).startswith("h"):
            return f"{vowel}{name}"
        return f"{feminine if id in FEMININE else masculine} {name}"

    def _the_event(self, id: str) -> str:
        """An event of the queue; with its ordinal where several share the name."""
        word, name = self.state.event(id).word, self._called(id)
        if event_word(self.state, id) == word:
            return self._behind("", id, name) if self.french else name
        alike = [threat.id for threat in self.state.queue if self.state.event(threat.id).word == word]
        nth = NTH["fr feminine" if self.french and id in FEMININE else self.language][alike.index(id)]
        if not self.french:
            return f"the {nth} {name}"
        return f"les {nth}s {name}" if id in PLURAL else f"{'la' if id in FEMININE else 'le'} {nth} {name}"

    def _on(self, id: str) -> str:
        """Where a cube lies, a card or a tile; in French with its preposition."""
        name = self._called(id)
        if id in self.state.box.activities:
            return self._the(id, "de")
        return self._of(name) if self.french else name

    def _of(self, name: str) -> str:
        return f"d'{name}" if _is_vowel(name) else f"de {name}"

    def _person(self, owner: str) -> str:
        return "Le Roy" if owner == LE_ROY else self.state.names[owner]

    def _whose(self, owner: str) -> str:
        return self._of(self._person(owner)) if self.french else f"{self._person(owner)}'s"

    def _spot(self, place: str, before: str = "", *, short: bool = False) -> str:
        """A place: «City Hall, row 3, first space», «Palace 5», a card."""
        at = Place.parse(place)
        if at.on == places.PALACE and at.standing and at.spot:
            name = f"{self._called(at.on)} {at.spot}"
            return self._behind(before, at.on, name) if self.french and not short else name
        words = [self._called(at.on) if short else self._the(at.on, before)]
        if at.spot == places.LYING:
            words.append(self._says("expelled"))
        elif at.building and at.spot:
            words += [self._says("row", at.row + 1), SPACES[self.language][at.space]]
        return (" " if short else ", ").join(words)

    def _spots(self, spots: Sequence[str]) -> str:
        return ", ".join(self._spot(place, short=True) for place in spots)

    # Dice and cubes.

    def _own(self, words: Sequence[str]) -> str:
        return dice.dice_in_language(self._list(words), self.language)

    def _one(self, pick: Pick) -> str:
        """A die, with its owner where it is not one's own."""
        face = dice.dice_in_language(pick.die, self.language)
        if pick.colour:
            face += f" {self.say('as')} {COLOURS.get(self.language, {}).get(pick.colour, pick.colour)}"
        if pick.owner == self.seat:
            return face
        if pick.owner == self.state.neutral != LE_ROY:
            return f"le {face} gris" if self.french else f"the gray {face}"
        return f"le {face} {self._whose(pick.owner)}" if self.french else f"{self._whose(pick.owner)} {face}"

    def _with(self, picks: Iterable[Pick], using: Using) -> str:
        """The dice and the cubes of an order."""
        cubes = []
        if using.card:
            cubes.append(self._cube(using.card) + (self._says("on", self._one(using.die)) if using.die else ""))
        return self._list([*map(self._one, picks), *cubes, *map(self._tile_cube, using.tiles)])

    def _cube(self, id: str) -> str:
        name = self._called(id)
        return self._says("cube", self._on(id) if self.french else name, "an" if _is_vowel(name) else "a")

    def _tile_cube(self, use: TileUse) -> str:
        cube = self._cube(use.tile)
        if use.swaps:
            swaps = [self._says("swap", self._own((swap.own,)), self._one(swap.other)) for swap in use.swaps]
            return cube + self._says("swapping", self._list(swaps))
        if use.die is not None or use.card:
            return cube + self._says("on", self._one(use.die) if use.die is not None else self._the(use.card))
        return cube

    # Kinds of orders.

    def _activating(self, order: orders.Activate) -> str:
        most, mixed = self._most(order), order.targets[:1] in ((PLACE,), (USE,))
        words = ""
        if order.hiring and order.space not in (BEST, self.state.best_space(order.card)):
            words += self._says("space", order.space)
        if order.hiring not in ("", places.SUPPLY):
            words += self._says("from", _closed(self._spot(order.hiring)))
        if order.times != most and not mixed:
            words += self._says(("times", "once", "twice")[order.times if order.times < 3 else 0], order.times)
        kind, before = ("hire", "à") if order.hiring else ("activate", "")
        chosen = self._chosen(order, most) if order.targets else ""
        return self._says(kind, self._the(order.card, before), words, self._with(order.dice, order.using), chosen)

    def _chosen(self, order: orders.Activate, most: int) -> str:
        """What stands behind the colon."""
        first, *rest = order.targets
        if first in (PLACE, USE):
            open_ = first == PLACE and order.times == most
            words = self._says("place cubes" if open_ else f"cube {first}", _cubes(order.times))
            words += self._says("on", self._list(map(self._the_event, rest))) if rest else ""
        elif first.isdecimal():
            words = self._says("columns" if rest else "column", self._list(order.targets))
        else:
            words = self._list(map(self._target, order.targets))
        return self._says("colon") + words

    def _target(self, target: str) -> str:
        if self.state.threat(target) is not None:
            return self._the_event(target)
        if target in places.BUILDINGS:
            return self._called(target)
        if target in (orders.NOTHING, "vp"):
            return self._says(target)
        return self._person(target) if target in self.state.names else self.say(target)

    def _placing(self, order: orders.Station) -> str:
        group = form_group(self.state, self.seat, (order.die,), order.using, exact=True)
        building, number = places.BUILDING_OF[group.colour], group.total
        if building == places.PALACE:
            goal = self._spot(f"{building} {number}", "à")
        else:
            goal = f"{self._the(building, 'à')}, {self._says('row', self.state.box.board.row(number))},"
        with_ = self._with((order.die,), order.using)
        if order.source == places.SUPPLY:
            return self._says("place", goal, with_)
        at = Place.parse(order.source)
        there = {str(place) for place in self.state.whereabouts(self.seat) if place.on == at.on}
        source = self._the(at.on, "de") if len(there) == 1 else self._spot(order.source, "de")
        return self._says("move", goal, with_, _closed(source))

    def _countering(self, order: orders.Counter) -> str:
        if not order.black:
            return self._says("let", self.state.black[0]) if self.state.black else ""
        with_ = self._cube(order.using) if order.using else self._own(order.dice)
        black = self._list(map(str, order.black))
        return self._says("counter" if len(order.black) == 1 else "counter more", black, with_)

    def _guarding(self, order: orders.Guard) -> str:
        tiles = {self.state.outdoor(tile.id).level: self._called(tile.id) for tile in self.state.tiles}
        on = self._list([tiles[level] for level in order.cubes]) if order.cubes else ""
        die = self._one(order.die)
        if order.boost:
            die = self._says("raised", die, dice.die_value(order.die.die) + order.boost)
        if order.using.card or order.using.tiles:
            return ""
        if order.advance:
            return self._says("guard", order.advance, die, self._says("cubes on", on) if on else "")
        return self._says("guard cube" if len(order.cubes) == 1 else "guard cubes", on, die) if on else ""
