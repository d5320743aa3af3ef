"""The parser of orders: canonical lines, titles of choices, and what lies between.

A line begins with its verb, in either language. Parts follow in any order, each opened by a word of its own. Small
words of the tables are skipped, and any other word refuses the line. What the line leaves out is filled in and reported
as assumed, unless it would cost something else: hiring, buying, a cube, influence, an opponent or an event.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood, OrderRefused, Unclear, no_order, no_verb, unknown_word
from engine.game import Reading
from engine.kit.words import fold_text, kebab
from engine.troyes.actions import countering
from engine.troyes.actions.activation import card_in_play
from engine.troyes.actions.order_defaults import most_cubes, most_times
from engine.troyes.board import card_declaration, possession
from engine.troyes.board.card_choices import INFLUENCE, PLACE, POINTS, USE, check_choices
from engine.troyes.board.dice_group import form_group
from engine.troyes.board.phrases import die_text, event_typed, typed_place, typed_text
from engine.troyes.card_data.card_types import Activity
from engine.troyes.card_data.item_names import activity_of, events_of, item_name, longest_name, place_of
from engine.troyes.notation import order_words as table
from engine.troyes.notation.writing import write_order
from engine.troyes.state import dice, orders, places
from engine.troyes.state.orders import NOTHING_USED, Order, Pick, Swap, TileUse, Using
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import TroyesState

_PIECE = re.compile(rf"[^\s:,;]+:{table.LETTER}[1-6](?![\w.])|[,;:]|[^\s,;:]+", re.IGNORECASE)
_DIE = re.compile(rf"{table.LETTER}[1-6]", re.IGNORECASE)
_NUMBER = re.compile("[0-9]{1,3}")
_BOOST = re.compile(r"\+(\d{1,2})")
_ELIDED = re.compile("([ld])'(.+)")
_DETAILED = frozenset({"exchange_dice", "flip_bought_die", "extra_delayed_cube"})
"""Tiles whose cubes need one more word, as those of some cards do."""


class Lexeme:
    """One word or mark of a line, with what it means in any place."""

    __slots__ = ("clause", "die", "letter", "noise", "number", "owner", "part", "text", "width", "word")

    def __init__(self, text: str, word: str = "") -> None:
        owner, colon, die = text.rpartition(":")
        self.text = text
        self.word = word = word or kebab(text) or text
        self.die = table.DIE_LETTERS[die[0].lower()] + die[1] if _DIE.fullmatch(die) else ""
        self.owner = owner if colon and self.die else ""
        self.letter = table.COLOURS.get(word, "")
        self.number = int(word) if _NUMBER.fullmatch(word) else -1
        self.clause = table.CLAUSES.get(word, "")
        self.part = table.PARTS.get(word, "")
        self.noise = word in table.NOISE or word in ",;"
        self.width = longest_name(word) or int(word in table.LEVELS or word in table.PLACES or "-" in word)
        """How many words the longest name that begins so has; 0 for none."""


def _is_event(word: str) -> bool:
    return bool(events_of(word)) or bool(table.EVENT.fullmatch(word))


@lru_cache(4096)
def _words(chunk: str) -> tuple[Lexeme, ...]:
    """The words between two blanks: «Faye's» is two words, and so is «l'Évêché»."""
    found: list[Lexeme] = []
    for piece in _PIECE.findall(chunk):
        plain = fold_text(piece)
        if elided := _ELIDED.fullmatch(plain):
            found += [Lexeme(piece[:2], elided[1]), Lexeme(piece[2:])]
        elif plain.endswith("'s") and len(plain) > 2:
            found += [Lexeme(piece[:-2]), Lexeme(piece[-2:], "s")]
        else:
            found.append(Lexeme(piece))
    return tuple(found)


_END = Lexeme("", "-")


@dataclass(frozen=True, slots=True)
class Spot:
    """A place as the line names it: a building, its row and the space there, as far as they are said."""

    on: str
    row: int = 0
    space: int = 0
    lying: bool = False

    @property
    def place(self) -> str:
        """The place as it stands in the state; empty where the space is not said."""
        if self.lying:
            return str(Place(self.on, places.LYING))
        if self.on == places.PALACE:
            return f"{self.on} {self.space}" if self.space else ""
        return f"{self.on} {self.row}.{self.space}" if self.row and self.space else ""


class Grammar:
    """One line being parsed for one seat: parts read so far are attributes, of which the verb makes the order."""

    tokens: Sequence[Lexeme] = ()
    at = end = 0
    verb = ""
    card = ""
    event = ""
    source = ""
    goal: Spot | None = None
    dice: tuple[Pick, ...] = ()
    cubes_used: tuple[TileUse, ...] = ()
    """Cubes of cards and tiles, with what each works on as far as the line names it."""
    numbers: tuple[int, ...] = ()
    events: tuple[str, ...] = ()
    spots: tuple[str, ...] = ()
    tiles: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    freed: tuple[str, ...] = ()
    mixed = ""
    every = False
    hires = moves = False
    tailed = False
    behind = False
    """Whether «with» has been read: numbers behind it count nothing."""
    cubes = times = raised = advance = boost = 0
    space = -1
    owned = ""
    """The owner named for the die before: in «Faye's R6 and R3» both may be hers."""
    bare = False
    """Whether the die before was called «le R6», without an owner."""
    other: tuple[Pick, ...] = ()
    """The dice of the line in their other reading."""

    def __init__(self, state: TroyesState, seat: str, line: str) -> None:
        self.state = state
        self.seat = seat
        self.line = line
        self.assumed: list[Msg] = []

    def read(self) -> Reading[Order]:
        """Parse the order. Raises NotUnderstood, Unclear or NotAllowed."""
        verb = self._verb()
        try:
            if verb not in _READERS:
                raise self._lost()
            order = _READERS[verb](self)
        except NotUnderstood:
            if verb in _TALKED and table.VERBS.get(self.tokens[0].word) is None:
                raise no_verb(self.line.split()[0].lower()) from None  # «Let me think» is talk
            raise
        if self.other:
            says = T("Say whose each die is: one that nobody is named with is your own.")
            ways = (order, replace(order, dice=self.other))  # type: ignore[arg-type]
            raise Unclear(says, orders=tuple(write_order(self.state, self.seat, way) for way in ways))
        text = write_order(self.state, self.seat, order)
        return Reading(order, text, tuple(self.assumed))

    def cut(self) -> Grammar:
        """Cut the line into words and marks."""
        tokens: list[Lexeme] = []
        for chunk in self.line.rstrip(" .!").split():
            tokens += _words(chunk)
        self.tokens = tokens
        self.end = len(tokens)
        return self

    def places(self) -> tuple[str, ...]:
        """Read the line as a list of places. Raises NotUnderstood."""
        while self.at < self.end:
            self._skip(*table.BESIDE["settle"])
            if self.at < self.end:
                self.spots = (*self.spots, self._place())
        if not self.spots:
            raise self._lost(T("Name a place."))
        return self.spots

    def one_tile(self) -> str:
        """Read the line as the name of an outdoor tile. Raises NotUnderstood."""
        self._parts(Grammar._tile)
        if len(self.tiles) != 1:
            raise self._lost(T("Name an outdoor tile, such as III."))
        return self.tiles[0]

    def my_cubes(self) -> str:
        """The tile of «use my cubes on Exchange»; empty where the line is not of that form."""
        self.verb, self.at = "use", 1
        said = {self._next(at).part for at in (0, 1)}
        try:
            return self.one_tile() if table.VERBS.get(self.tokens[0].word) == "use" and "cube" in said else ""
        except (NotUnderstood, IndexError):
            return ""

    def _verb(self) -> str:
        self.cut()
        if not self.end:
            raise no_order(self.line)
        first, second = self.tokens[0], self.tokens[1] if self.end > 1 else _END
        verb = table.VERBS.get(f"{first.word}-{second.word}", "")
        self.at = 2 if verb else 1
        verb = verb or table.VERBS.get(first.word, "") or table.OPENS.get(first.word, "")
        if not verb:
            if first.word in table.BEGINNINGS:
                raise NotUnderstood(T("Not all of «{line}» is understood.", line=self.line))
            raise no_verb(self.line.split()[0].lower())
        if self.tokens[-1].word == ":":
            raise NotUnderstood(T("Nothing stands after the colon."))
        if verb in ("place", "move", "put"):
            verb = self._put(verb)
        elif verb == "hire" and any(token.part == "citizen" for token in self.tokens[1:3]):
            verb = "recruit"  # «Engager 1 habitant»
        elif verb == "use" and self._asked("react"):
            verb = "react"
        self.verb = verb
        return verb

    def _put(self, verb: str) -> str:
        """The verb for what is placed, put or moved: a citizen, the guard, or cubes on tiles or events."""
        at = self.at
        while at < self.end and (self.tokens[at].noise or self.tokens[at].word in _PUT_BESIDE):
            at += 1
        said = self.tokens[at].part if at < self.end else ""
        if said == "cube" and verb != "move":
            return "put"
        self.moves = verb == "move"
        if verb in ("move", "put"):
            return "guard" if said == "guard" and verb == "move" else "place" if said == "citizen" else verb
        return "settle" if self._asked("settle") else verb

    def _asked(self, kind: str) -> bool:
        return any(asked.seat == self.seat and asked.kind == kind for asked in self.state.asked)

    # Words.

    def _parts(self, *parts: Callable[[Grammar, Lexeme], bool]) -> None:
        """Read the rest of the line, each word by the first part that takes it. Raises OrderRefused."""
        if self.at >= self.end:
            return
        tokens, end, beside = self.tokens, self.end, table.BESIDE.get(self.verb, ())
        while self.at < end:
            token = tokens[self.at]
            if token.noise and (not token.part or token.part == "with"):
                self.behind = self.behind or token.part == "with"
                self.at += 1
                continue
            for part in parts:
                if part(self, token):
                    break
            else:
                if not (token.noise or token.word in beside):
                    raise self._foreign(token)
                self.at += 1

    def _foreign(self, token: Lexeme) -> OrderRefused:
        """The refusal of a word that belongs to no part of the order."""
        if token.clause == "using":
            return NotAllowed(T("No cube of a card can be used here."), rule="A14")
        if token.word == ":":
            return NotUnderstood(T("{verb} takes nothing after a colon.", verb=self.verb))
        return unknown_word(token.text, self.line)

    def _lost(self, missing: Msg | None = None) -> NotUnderstood:
        """The refusal of the next word, or of the line's end with what is `missing`."""
        self._skip()
        if self.at < self.end:
            return unknown_word(self.tokens[self.at].text, self.line)
        return NotUnderstood(missing) if missing is not None else unknown_word("", self.line)

    def _next(self, ahead: int = 0) -> Lexeme:
        at = self.at + ahead
        return self.tokens[at] if at < self.end else _END

    def _skip(self, *words: str) -> None:
        """Skip small words, and these words."""
        while self.at < self.end and (self.tokens[self.at].noise or self.tokens[self.at].word in words):
            self.at += 1

    def _named(self, known: Callable[[str], object], at: int = -1, widest: int = 0) -> tuple[str, int]:
        """The longest run of words that is known, and where it ends; empty for none."""
        at = self.at if at < 0 else at
        width = min(widest or (self.tokens[at].width if at < self.end else 0), self.end - at)
        while width > 0:
            word = "-".join([token.word for token in self.tokens[at : at + width]])
            if known(word):
                return word, at + width
            width -= 1
        return "", at

    # Dice.

    def _die(self, token: Lexeme) -> bool:
        """Read one more die, whosever it is."""
        pick = self._pick(token)
        if pick is None:
            return False
        self.dice = (*self.dice, pick)
        return True

    def _pick(self, token: Lexeme) -> Pick | None:
        """Read a die, if one comes next. A die without an owner is one's own, since buying is never assumed."""
        if token.owner:
            self.at += 1
            return Pick(self._district(token.owner), token.die)
        article = self.tokens[self.at - 1].word
        if face := self._face():
            return self._whose(face, article)
        if token.clause or token.part or token.word == ":":
            return None
        owner, behind = self._owner()
        if not owner:
            return None
        after = self._next(behind - self.at).word
        if after in ("s", ":"):
            behind += 1
        elif owner != self.state.neutral:
            return None
        at, self.at = self.at, behind
        if not (face := self._face()):
            self.at = at
            return None
        self.owned = owner if after != ":" else ""
        return self._coloured(Pick(owner, face))

    def _face(self) -> str:
        """Read a die by its letter or colour: `R5`, «red 5», «le cinq rouge»."""
        token, after = self._next(), self._next(1)
        if token.die and not token.owner:
            self.at += 1
            return token.die
        letter, value = token.letter, after.number if after.number >= 0 else table.NUMBERS.get(after.word, 0)
        if not letter and after.letter and self.tokens[self.at - 1].word in _ONE and after.word in _SINGLE:
            letter, value = after.letter, token.number if token.number >= 0 else table.NUMBERS.get(token.word, 0)
        if not (letter and 1 <= value <= 6):
            return ""
        self.at += 2
        return f"{letter}{value}"

    def _whose(self, face: str, article: str) -> Pick:
        """The owner of a die that nobody is named before: one's own, but for «le R4 gris» and «le R6 de Faye»."""
        token = self._next()
        if token.word in _GRAY and article == "le":
            self.at += 1
            owner, after = self.state.neutral, self._next(int(self._next().number >= 0))
            if after.die or after.letter:  # «le 3 rouge gris R5»: which of the two is gray?
                raise Unclear(T("These words have more than one meaning here."))
        elif token.part == "of":
            owner, behind = self._owner(self.at + 1 + self._next(1).noise)  # «de Le Roy»
            self.at = behind if owner else self.at
        else:
            owner = ""
        pick = self._coloured(Pick(owner or self.seat, face))
        if owner:
            if self.dice and self.bare:  # «le R6 et le R3 de Faye»
                self.other = (*self.dice[:-1], replace(self.dice[-1], owner=owner), pick)
            self.owned = owner if token.part == "of" else ""
        elif self.owned and table.PARTS.get(article) != "mine":
            self.other = (*(self.other or self.dice), replace(pick, owner=self.owned))
        elif self.other:
            self.other = (*self.other, pick)
        self.bare = not owner and article == "le"
        return pick

    def _coloured(self, pick: Pick) -> Pick:
        """A purple die with the colour it counts as, where it is said: `P4 as W`, «P4 as white»."""
        if self._next().clause != "as" or pick.die[0] != "P":
            return pick
        word = self._next(1).word
        self.at += 2
        colour = dice.COLOUR_OF.get(table.DIE_LETTERS.get(word, "") or table.COLOURS.get(word, ""), "")
        if colour not in dice.COLOURS:
            raise NotUnderstood(T("A purple die counts as Y, W or R: «{die} as W».", die=die_text(pick.die)))
        return Pick(pick.owner, pick.die, colour)

    def _who(self, word: str) -> str:
        """The seat or neutral player that a word names; empty for none."""
        if word in self.state.names:
            return word
        if word in table.DISTRICTS or (self.state.solo and word in table.KING):
            return self.state.neutral
        return _called(tuple(self.state.names.items())).get(word, "")

    def _owner(self, at: int = -1) -> tuple[str, int]:
        """The owner named here, the neutral player too, and where the name ends."""
        name, behind = self._named(self._who, at, table.WIDEST)
        return self._who(name), behind

    def _seat(self) -> str:
        """Read a seat by its handle or name. Raises NotUnderstood."""
        owner, behind = self._owner()
        if not owner or owner not in self.state.names:
            word, seats = self._next().text, tuple(self.state.names)
            raise NotUnderstood(T("Nobody here is called {word}; there are {seats}.", word=word, seats=seats))
        self.at = behind
        return owner

    def _district(self, word: str) -> str:
        if found := self._who(kebab(word)):
            return found
        there = (*self.state.names, typed_text(self.state.neutral))
        raise NotUnderstood(T("No district is called {word}; there are {districts}.", word=word, districts=there))

    def _some(self) -> tuple[Pick, ...]:
        if not self.dice:
            raise NotUnderstood(table.needs_dice(self.verb))
        return self.dice

    def _own(self) -> tuple[str, ...]:
        """The dice of the line, which must all be one's own."""
        for pick in self._some():
            if pick.owner != self.seat:
                die = die_text(pick.word(self.seat))
                says = T("{die} is not yours: only dice of your own district serve here.", die=die)
                raise NotAllowed(says, rule="A3")
        return tuple([pick.die for pick in self.dice])

    # Cubes that are used.

    def _using(self, token: Lexeme) -> bool:
        """Read a used cube with what it works on: `using priest`, «a Priest cube», «un cube du Prêtre»."""
        if not (token.width or token.clause == "using" or token.part == "cube"):
            return False
        at = self.at
        if token.clause == "using":
            self.at += 1
            self._skip("cube", "of", "de", "d")
            self.cubes_used = (*self.cubes_used, self._cube())
            return True
        if token.part == "cube" and self._next(1).part == "of":
            self.at += 2
            self._skip()
            word, _ = self._named(partial(_names_cube, self.state))
        else:
            word, behind = self._named(partial(_names_cube, self.state))
            word = word if behind < self.end and self.tokens[behind].part == "cube" else ""
        if not word:
            self.at = at
            return False
        self.cubes_used = (*self.cubes_used, self._cube(of_name=token.part != "cube"))
        return True

    def _cube(self, *, of_name: bool = False) -> TileUse:
        """Read the name of a cube. Raises NotUnderstood for no name, NotAllowed for a card of another box."""
        token = self._next()
        word, behind = self._named(partial(_names_cube, self.state))
        if not word and token.owner and _names_cube(self.state, kebab(token.owner)):
            word, behind = kebab(token.owner), self.at + 1  # «preacher:W5»
        if not word:
            if token is _END:
                raise NotUnderstood(T("Name the card or tile after «using»."))
            if token.word in table.LEVELS:
                raise NotUnderstood(T("No outdoor tile of level {level} is in this game.", level=token.text.upper()))
            raise unknown_word(token.text, self.line)
        self.at = behind
        card = activity_of(word) or ""
        if card and card not in self.state.box.activities:
            card_in_play(self.state, card)  # of another box: this refuses, naming the cards in play
        id = card or table.tile_of(self.state, word)
        self.at += of_name  # «Priest cube»
        detailed = id in _DETAILED or bool(card and card_declaration.declaration_of(card).names)
        if token.owner:
            return TileUse(id, die=Pick(self.seat, token.die) if card or id == "flip_bought_die" else None)
        if not detailed and self._next().part == "on":
            raise unknown_word(self._next().text, self.line)  # a die behind it is not in the group
        if not detailed or not (self._next().word == ":" or self._next().part in ("on", "swapping")):
            return TileUse(id)
        self.at += 1
        return self._detail(TileUse(id))

    def _detail(self, cube: TileUse) -> TileUse:
        """Read what a cube works on: dice that are exchanged, a card, or a die."""
        if cube.tile == "exchange_dice":
            swaps = [self._swap()]
            while self._next().word in (",", "and", "et") and (self._next(1).die or self._next(1).letter):
                self.at += 1
                swaps.append(self._swap())
            return replace(cube, swaps=tuple(swaps))
        self._skip()
        if cube.tile == "extra_delayed_cube":
            return replace(cube, card=self._activity())
        pick = self._pick(self._next())
        if pick is None:
            raise NotUnderstood(T("Name one die after «using {card}:».", card=typed_text(cube.tile)))
        return replace(cube, die=pick)

    def _swap(self) -> Swap:
        self.owned = ""
        own = self._pick(self._next())
        if self._next().clause == "for" or table.VERBS.get(self._next().word) == "counter":  # «contre»
            self.at += 1
        self._skip()
        other = self._pick(self._next())
        if own is None or other is None or own.owner != self.seat or other.owner == self.seat:
            raise NotUnderstood(T("An exchange is written «Y1 for faye:Y6», your own die first."))
        self.owned = ""
        return Swap(own.die, other)

    def _used(self) -> Using:
        """The cubes of the order, of one card and of tiles by level. The only die that one can work on is filled in."""
        if not self.cubes_used:
            return NOTHING_USED
        cards = [cube for cube in self.cubes_used if self._is_card(cube)]
        if len(cards) > 1:
            raise NotAllowed(T("One cube of a card may be used in an action, not two."), rule="A29")
        card, die = (cards[0].tile, cards[0].die) if cards else ("", None)
        whose = card_declaration.declaration_of(card).names if card else ""
        if die is None and whose in ("own", "others"):
            die = self._only(pick for pick in self.dice if (pick.owner == self.seat) is (whose == "own"))
        tiles = [cube for cube in self.cubes_used if cube not in cards]
        for at, use in enumerate(tiles):
            if use.tile == "flip_bought_die" and use.die is None:
                tiles[at] = replace(use, die=self._only(one for one in self.dice if one.owner != self.seat))
        levels = self.state.box.outdoor
        tiles.sort(key=lambda use: levels[use.tile].level if use.tile in levels else 0)
        return Using(card, die, tuple(tiles))

    def _is_card(self, cube: TileUse) -> bool:
        return cube.tile in self.state.box.activities

    def _only(self, picks: Iterable[Pick]) -> Pick | None:
        """The only possible die, reported as assumed; None where there are several."""
        found = set(picks)
        if len(found) != 1:
            return None
        (pick,) = found
        self.assumed.append(T("on {die}", die=die_text(pick.word(self.seat))))
        return pick

    # What has a name.

    def _activity(self) -> str:
        """Read an Activity card. Raises NotUnderstood, or NotAllowed for a card of another box."""
        self._skip()
        word, behind = self._named(activity_of)
        if not word:
            raise self._lost(T("Name an Activity card."))
        self.at = behind
        found = activity_of(word) or ""
        if found not in self.state.box.activities:
            card_in_play(self.state, found)  # this refuses, naming the cards in play
        return found

    def _card(self, token: Lexeme) -> bool:
        if self.card or not self._named(activity_of)[0]:
            return False
        self.card = self._activity()
        return True

    def _an_event(self, token: Lexeme) -> bool:
        """Read an event of the queue: its name, `event-2`, or «the second Brigands»."""
        nth = table.ORDINALS.get(token.word) or table.ORDINALS.get(token.word.removesuffix("s"), 0)
        word, behind = self._named(_is_event, self.at + bool(nth))
        if not word:
            return False
        if nth:
            alike = [threat.id for threat in self.state.queue if threat.id in events_of(word)]
            if nth > len(alike):
                return False
            found = alike[nth - 1]
        else:
            found = find_event(self.state, word)
        self.at = behind
        self.events = (*self.events, found)
        return True

    def _the_event(self, token: Lexeme) -> bool:
        return not self.events and self._an_event(token)

    def _tile(self, token: Lexeme) -> bool:
        """Read an outdoor tile, by its level or name."""
        word, behind = self._named(partial(table.tile_of, self.state))
        if not word:
            return False
        self.at = behind
        self.tiles = (*self.tiles, table.tile_of(self.state, word))
        return True

    # Places.

    def _place(self, *, own: bool = False) -> str:
        """Read a place where a citizen can stand. `own` says that one of the seat's citizens is taken from there.

        Raises NotUnderstood, or Unclear when a building is named and several own citizens are there.
        """
        self._skip()
        spot = self._spot()
        if spot is None:
            word, behind = self._named(activity_of)
            if not word:
                raise self._lost(T("Name a place."))
            self.at = behind
            return activity_of(word) or ""
        if spot.on == places.SUPPLY:
            return places.SUPPLY
        if spot.place:
            return spot.place
        if own and not spot.row:
            return self._only_one(spot.on)
        example = typed_place(str(Place(spot.on, "4" if spot.on == places.PALACE else "3.2")))
        says = T(
            "Say which space of the {building}, such as «{example}».", building=item_name(spot.on), example=example
        )
        raise NotUnderstood(says)

    def _spot(self) -> Spot | None:
        """Read a building with what is said of the space there, or the supply; None where none comes next."""
        word, behind = self._named(_is_place)
        if not word:
            return None
        self.at = behind
        on = _is_place(word)
        if on == places.SUPPLY:
            return Spot(on)
        row = space = 0
        while True:
            comma = self._next().word == ","
            token, after = self._next(comma), self._next(comma + 1)
            nth = table.ORDINALS.get(token.word, 0)
            if token.clause == "lying":
                self.at += comma + 1
                return Spot(on, lying=True)
            if token.part == "row" and after.number > 0:
                row = after.number
            elif nth and after.part == "space":
                space = nth
            elif comma or row or space:
                break
            elif on == places.PALACE and 1 <= token.number <= 6:
                self.at += 1
                return Spot(on, 0, token.number)
            elif found := re.fullmatch(r"([1-3])\.([12])", token.text):
                self.at += 1
                return Spot(on, int(found[1]), int(found[2]))
            else:
                break
            self.at += comma + 2
        return Spot(on, row, space)

    def _only_one(self, building: str) -> str:
        here = [str(place) for place in dict.fromkeys(self.state.whereabouts(self.seat)) if place.on == building]
        if len(here) == 1:
            self.assumed.append(T("from {place}", place=typed_place(here[0])))
            return here[0]
        if not here:
            raise NotAllowed(T("You have no citizen at {place}.", place=item_name(building)))
        raise Unclear(
            T("You have {n} citizen there.", "You have {n} citizens there: say which.", n=len(here)),
            possible=tuple(T("from {place}", place=typed_place(word)) for word in here),
        )

    def _supply(self, says: Callable[[Msg], Msg]) -> str:
        """The supply, if a citizen is there. Raises Unclear otherwise, since the place must then be named."""
        if self.state.houses[self.seat].supply:
            self.assumed.append(T("from supply"))
            return places.SUPPLY
        there = list(dict.fromkeys(self.state.whereabouts(self.seat)))
        raise Unclear(
            T("You have no citizen in hand: say where the citizen comes from, or recruit one first."),
            possible=tuple(says(typed_place(str(place))) for place in there[:8]),
        )

    def _from(self, token: Lexeme) -> bool:
        """Read where a citizen is taken from."""
        if self.source or (token.clause != "from" and token.part != "of"):
            return False
        self.at += 1
        self.source = self._place(own=True)
        return True

    def _goal(self, token: Lexeme) -> bool:
        """Read where a citizen goes: «to City Hall, row 2»."""
        if self.goal is not None or token.part != "goal":
            return False
        at, self.at = self.at, self.at + 1
        self._skip()
        self.goal = self._spot()
        if self.goal is None:
            self.at = at
        return self.goal is not None

    # Counts and the other parts.

    def _hiring(self, token: Lexeme) -> bool:
        """Read `hiring from supply`, `hiring palace 4`, or `hiring` alone; the place may stand apart behind «hire»."""
        if token.clause != "hiring" or self.hires:
            return False
        self.at += 1
        self.hires = True
        if self._next().clause == "from":
            self.at += 1
            self.source = self._place(own=True)
        elif self._named(_is_place)[0]:
            self.source = self._place(own=True)
        else:
            self.source = self._supply(lambda place: T("hiring from {place}", place=place))
        return True

    def _hired_from(self, token: Lexeme) -> bool:
        return self.hires and self._from(token)

    def _space(self, token: Lexeme) -> bool:
        """Read where the tradesman stands: `to space 2`, «space 2»."""
        to = token.clause == "to"
        if self._next(to).clause != "space" or self._next(to + 1).number < 0:
            return False
        self.space = self._next(to + 1).number
        self.at += to + 2
        return True

    def _times(self, token: Lexeme) -> bool:
        """Read `once`, `twice` or `3 times`."""
        if token.clause in ("once", "twice"):
            self.times = 1 if token.clause == "once" else 2
            self.at += 1
            return True
        if token.number < 0 or self._next(1).clause != "times":
            return False
        if not token.number:
            raise NotAllowed(T("Activate at least once."), rule="A7")
        self.times = token.number
        self.at += 2
        return True

    def _cubes(self, token: Lexeme) -> bool:
        """Read the `2 cubes` of a fight."""
        if token.number < 0 or self.cubes or self._next(1).clause not in ("cubes", "times"):
            return False
        self.cubes = token.number or -1
        self.at += 2
        return True

    def _number(self, token: Lexeme) -> bool:
        """Read a number before the dice: black dice, citizens."""
        if token.number < 0 or self.dice or self.behind:
            return False
        self.numbers = (*self.numbers, token.number)
        self.at += 1
        return True

    def _free(self, token: Lexeme) -> bool:
        """Read `: free anna, geoffrey`, for cubes on Possession."""
        colon = token.word == ":"
        verb = self._next(colon)
        if table.VERBS.get(verb.word) != "release" and verb.clause != "free":
            if colon:
                raise unknown_word(verb.text, self.line)
            return False
        self.at += colon + 1
        while self._owner_follows():
            self.freed = (*self.freed, self._seat())
        return True

    def _owner_follows(self) -> bool:
        self._skip()
        return self.at < self.end and self.tokens[self.at].part != "with"

    # Verbs.

    def _settle(self) -> Order:
        count = self._all_for_me() if self.end else 0
        spots = self.places()
        if count and count != len(spots):
            raise NotUnderstood(T("Not all of «{line}» is understood.", line=self.line))
        return orders.Settle(spots)

    def _all_for_me(self) -> int:
        """How many places are said to follow: «Place all five for me: …»; 0 for none."""
        at = self.at
        self._skip("all")
        token = self._next()
        count = token.number if token.number >= 0 else table.NUMBERS.get(token.word, 0)
        if count and f"{self._next(1).word}-{self._next(2).word}" in table.STANDING and self._next(3).word == ":":
            self.at += 4
            return count
        self.at = at
        return 0

    def _reroll(self) -> Order:
        self._parts(Grammar._die, Grammar._limit)
        (die, *more) = self._own()
        if more:
            raise NotUnderstood(T("Re-roll one die a line: each roll is shown before the next."))
        if not self.numbers:
            return orders.Reroll(die)
        until, most = (*self.numbers, 0)[:2]
        if not (1 < until <= 6 and most and len(self.numbers) == 2):
            says = T("Say how far, and how much influence at most: «reroll {die} until 4+ max 3».", die=die_text(die))
            raise NotUnderstood(says)
        return orders.Reroll(die, until, most)

    def _limit(self, token: Lexeme) -> bool:
        """Read `until 4+ max 3`."""
        if table.STANDING.get(token.word) != ("most" if self.numbers else "until"):
            return False
        number = self._next(1).text.removesuffix("+")
        self.numbers = (*self.numbers, int(number) if number.isdecimal() and len(number) < 3 else 0)
        self.at += 2
        if table.STANDING.get(self._next().word) == "influence":
            self.at += 1
        return True

    def _flip(self) -> Order:
        self._parts(Grammar._die)
        return orders.Flip(self._own())

    def _recruit(self) -> Order:
        self._parts(Grammar._number)
        if len(self.numbers) > 1:
            raise unknown_word(str(self.numbers[1]), self.line)
        if not self.numbers:
            self.assumed.append(T("one citizen"))
        return orders.Recruit(*(self.numbers or (1,)))

    def _hire(self) -> Order:
        self.hires = True
        self.verb = "activate"
        return self._activate()

    def _activate(self) -> Order:
        self._parts(*_ACTIVATES)
        if not self.card:
            raise self._lost(T("Name an Activity card."))
        if not self.dice:
            raise NotUnderstood(table.needs_dice("activate"))
        if self.hires and not self.source:
            self.source = self._supply(lambda place: T("hiring from {place}", place=place))
        used, activity = self._used(), self.state.activity(self.card)
        if activity.kind == "mixed":
            times = self._mixed_times(activity, used)
        elif self.times or self.targets == (orders.NOTHING,):
            times = self.times or 1
        else:
            times = most_times(self.state, self.seat, activity.id, self.dice, used)
            self.assumed.append(T("once", "{n} times, as often as the dice allow", n=times))
            self.targets *= times if self.every else 1
        order = orders.Activate(self.card, self.dice, times, self.source, self._best(), self.targets, used)
        if not self.times and activity.kind != "mixed":
            self._check_one_choice(activity, order)
        return order

    def _best(self) -> int:
        if not self.source or self.space >= 0:
            return max(self.space, 0) if self.source else 0
        best = self.state.best_space(self.card)
        if best:
            self.assumed.append(T("the space worth {worth} VP", worth=self.state.activity(self.card).spaces[best - 1]))
        return best

    def _check_one_choice(self, activity: Activity, order: orders.Activate) -> None:
        """Raise Unclear where one choice stands for activations that nobody has counted: each time, or only once?"""
        if len(order.targets) != 1 or order.times < 2:
            return
        try:
            check_choices(self.state, self.seat, activity, order)
        except Unclear as unclear:
            ways = (replace(order, targets=order.targets * order.times), replace(order, times=1))
            lines = tuple(write_order(self.state, self.seat, way) for way in ways)
            raise Unclear(unclear.reason, possible=unclear.possible, orders=lines, rule=unclear.rule) from unclear
        except NotAllowed:
            return  # carrying it out gives the reason

    def _mixed_times(self, activity: Activity, used: Using) -> int:
        """How often a mixed card is activated. Without own cubes there only placing is possible."""
        card = self.state.card(activity.id)
        there = card.cubes.get(self.seat, 0) if card is not None else 0
        most = most_times(self.state, self.seat, activity.id, self.dice, used)
        if not self.mixed:
            if not there:
                self.assumed.append(T("placing cubes"))
                self.targets = (PLACE,)
            return self.times or most  # carrying it out refuses it and shows both ways
        return self.times or (min(most, max(there, 1)) if self.mixed == USE else most)

    def _choices(self, token: Lexeme) -> bool:
        """Read what stands behind the colon of a card: a choice for each activation, or a use of its cubes."""
        if token.word != ":":
            return False
        if not self.card:
            raise self._lost(T("Name an Activity card."))
        self.at += 1
        activity = self.state.activity(self.card)
        if activity.kind == "mixed":
            self._mixed()
        elif self._next().clause == "none" and self.at + 1 == self.end:
            self.at += 1
            self.targets = (orders.NOTHING,)
        else:
            self.every = table.STANDING.get(self._next().word) == "all" and self.at + 1 < self.end
            self.at += self.every
            self._read_targets(card_declaration.declaration_of(activity.id).chooses)
        return True

    def _mixed(self) -> None:
        """Read `place`, `place 2` or `use 2, brigands`."""
        word = table.VERBS.get(self._next().word, "")
        if word not in (PLACE, USE):
            raise NotUnderstood(T("After the colon of a mixed card stands «place» or «use 2»."))
        self.at += 1
        if self._next().number >= 0:
            self.times = self._next().number
            self.at += 1
        self._skip("cube", "cubes")
        self.mixed, self.targets = word, (word,)
        if word == PLACE and self.at < self.end:
            raise NotAllowed(T("Placing cubes leaves nothing to choose."))
        self._read_targets("events")

    def _read_targets(self, kind: str) -> None:
        """Read the rest of the line, choice by choice."""
        while self.at < self.end:
            token = self.tokens[self.at]
            if token.noise or (kind == "column" and token.part == "column"):
                self.at += 1
            else:
                self.targets = (*self.targets, self._target(kind, token))

    def _target(self, kind: str, token: Lexeme) -> str:
        match kind:
            case "building":
                word, behind = self._named(place_of)
                if not word:
                    raise self._lost()
                self.at = behind
                return place_of(word) or ""
            case "gain":
                if token.clause not in (INFLUENCE, POINTS):
                    raise self._lost()
                self.at += 1
                return token.clause
            case "column":
                if not 0 <= token.number < 100:
                    raise NotUnderstood(T("Name a column of the cathedral, 1 to 6."))
                self.at += 1
                return str(token.number)
            case "seat":
                return self._seat()
        if self._an_event(token):
            *_, found = self.events
            return found
        return find_event(self.state, token.word)

    def _work(self) -> Order:
        """`build` and `farm`: dice and cubes alone."""
        self._parts(Grammar._die, Grammar._using)
        return (orders.Build if self.verb == "build" else orders.Farm)(self._some(), self._used())

    def _fight(self) -> Order:
        self._parts(Grammar._the_event, Grammar._cubes, Grammar._die, Grammar._using, Grammar._free)
        if not self.events:
            raise self._lost(T("Name an event of the queue."))
        picks, used, (event,) = self._some(), self._used(), self.events
        cubes = self.cubes or max(1, most_cubes(self.state, self.seat, event, picks, used))
        return orders.Fight(event, picks, cubes, used, self.freed)

    def _station(self) -> Order:
        self._parts(Grammar._die, Grammar._using, Grammar._from, Grammar._goal)
        die, *more = self._some()
        if more:
            raise NotAllowed(T("Exactly one die places a citizen; you named {n}.", n=len(more) + 1))
        if self.moves and not self.source:
            raise self._lost(T("Name a place."))
        source = self.source or self._supply(lambda place: T("from {place}", place=place))
        order = orders.Station(die, source, self._used())
        if self.goal is not None and not _goes(self.state, self.seat, order, self.goal):
            ways = (write_order(self.state, self.seat, order),)
            raise Unclear(T("These words have more than one meaning here."), orders=ways)
        return order

    def _pass(self) -> Order:
        self._parts()
        return orders.Pass()

    def _counter(self) -> Order:
        state = self.state
        self._skip()
        if self.at + 1 == self.end and self._next().clause in ("none", "auto"):
            if self._next().clause == "none":
                return orders.Counter((), ())
            if not state.black:
                raise NotAllowed(T("There is no black die to counter."))
            order = countering.cheapest_counter(state, self.seat)
            self.assumed.append(T("{order}", order=write_order(state, self.seat, order)))
            return order
        self._parts(Grammar._number, Grammar._die, Grammar._using)
        black = self.numbers
        if len(self.cubes_used) == 1 and not self._is_card(self.cubes_used[0]) and not self.dice:
            return orders.Counter(black or self._highest(), (), self.cubes_used[0].tile)
        own = self._own()
        if self.cubes_used:
            raise NotAllowed(T("No cube of a card can be used here."), rule="A14")
        if not black and state.black:
            made = countering.total_strength(state, own)
            if len(state.black) > 1 and made >= state.black[0] + state.black[-1]:
                ways = ((state.black[0],), (state.black[0], state.black[-1]))
                raise Unclear(
                    T("{made} could beat more than the highest black die: say which.", made=made),
                    orders=tuple(write_order(state, self.seat, orders.Counter(way, own)) for way in ways),
                )
            black = self._highest()
        return orders.Counter(black, own)

    def _highest(self) -> tuple[int, ...]:
        """The highest black die, reported as assumed."""
        black = tuple(self.state.black[:1])
        if black:
            self.assumed.append(T("against the {black}", black=black[0]))
        return black

    def _let(self) -> Order:
        """Read «Let the black 6 through»: it cannot be countered."""
        said = {token.part or token.word for token in self.tokens} & {"through", "black", "noir"}
        self.verb = "counter"
        self._skip("passer")
        while self._next().part != "through" and self.at < self.end:
            if not (self._next().noise or self._number(self._next())):
                if self._next().word not in table.BESIDE["counter"]:
                    raise self._lost()
                self.at += 1
        self.at += self._next().part == "through"
        if len(said) < 2 or self.at < self.end or len(self.numbers) != 1:
            raise self._lost()
        if not self.state.black or self.numbers[0] != self.state.black[0]:
            left = tuple(self.state.black) or T("none")
            number = self.numbers[0]
            raise NotAllowed(T("There is no black {number} left; black dice are {black}.", number=number, black=left))
        return orders.Counter((), ())

    def _support(self) -> Order:
        """Gray cubes on events; or the cube of a hit on one, and those that follow it."""
        hits, self.verb = self.verb != "support", "support"
        self._parts(Grammar._an_event)
        if not self.events:
            raise self._lost(T("Name an event of the queue."))
        return orders.Target(self.events[0], self.events[1:]) if hits else orders.Support(self.events)

    def _put_cubes(self) -> Order:
        """Gray cubes on events, the cube of a hit on one, or cubes on outdoor tiles as the guard passes."""
        on = next((at for at, token in enumerate(self.tokens) if token.part == "on"), 0)
        if {token.word for token in self.tokens[:on]} & table.DISTRICTS:
            self.verb = "support"
        elif any(token.die or token.letter for token in self.tokens):
            self.verb = "guard"
            return self._guard()
        return self._support()

    def _guard(self) -> Order:
        self._parts(*_GUARDS)
        die, *more = self._some()
        if more:
            raise NotAllowed(T("Exactly one die moves the guard; you named {n}.", n=len(more) + 1), rule="A50")
        if self.raised:
            self.boost = self.raised - dice.die_value(die.die)
        for tile in self.tiles:
            if self.state.tile(tile) is None:
                raise NotAllowed(T("{tile} is not in play.", tile=item_name(tile)))
        levels = sorted(self.state.outdoor(tile).level for tile in self.tiles)
        if len(set(levels)) < len(levels):
            raise NotAllowed(T("One cube on each tile in one action."), rule="A50")
        advance = self.advance + sum(self.numbers)
        return orders.Guard(die, self.boost, advance, tuple(levels), self._used())

    def _boost(self, token: Lexeme) -> bool:
        """Read `+2` behind the die, or «raised to 6»."""
        if found := _BOOST.fullmatch(token.text):
            self.boost = int(found[1])
            self.at += 1
            return True
        to = self._next(1).part == "goal"
        if token.part != "raised" or self._next(to + 1).number < 0:
            return False
        self.raised = self._next(to + 1).number
        self.at += to + 2
        return True

    def _step(self, token: Lexeme) -> bool:
        """Read `: advance 3, cube I, cube II`, in any order."""
        if token.word == ":" and not self.tailed:
            self.tailed = True
            self.at += 1
        elif token.clause == "advance" and self._next(1).number >= 0:
            self.advance += self._next(1).number
            self.at += 2
        elif token.part == "cube":
            self.at += 1
            self._skip()
            if not self._tile(self._next()):
                raise NotUnderstood(T("Say on which tile: «cube II»."))
            while self._another_tile():
                pass
        elif self.tailed:
            raise NotUnderstood(T("The guard does «advance 3» or «cube II», not «{part}».", part=self._part_here()))
        else:
            return False
        return True

    def _another_tile(self) -> bool:
        """Read one more tile behind «and» or a comma."""
        at = self.at
        self._skip()
        if self.at > at and self.at < self.end and self._tile(self.tokens[self.at]):
            return True
        self.at = at
        return False

    def _part_here(self) -> str:
        """Read up to the next comma."""
        words: list[str] = []
        while self.at < self.end and self.tokens[self.at].word != ",":
            words.append(self.tokens[self.at].text)
            self.at += 1
        return " ".join(words)

    def _react(self) -> Order:
        self._skip()
        if self._next().clause in ("no", "none") and self.at + 1 == self.end:
            return orders.React("")
        return orders.React(self.one_tile())

    def _keep(self) -> Order:
        """Read «Keep the cube»."""
        self._skip()
        if self._next().part != "cube" or self.at + 1 < self.end:
            raise self._lost()
        return orders.React("")

    def _give(self) -> Order:
        fresh = table.VERBS.get(self._next().word) == "recruit"
        self.at += fresh
        self._skip(*table.BESIDE["give"], "from")
        if self._next().part == "fresh":
            self.at, fresh = self.at + 1, True
        source = possession.RECRUIT if fresh else self._place(own=True)
        self._parts()
        return orders.Give(source)

    def _discard(self) -> Order:
        self._parts(Grammar._tile, Grammar._card)
        found = (*self.tiles, *((self.card,) if self.card else ()))
        if len(found) != 1:
            raise self._lost(T("Name an Activity card."))
        return orders.Discard(found[0])

    def _release(self) -> Order:
        if self.end > self.at + 1:  # a single word is a name, be it Le or An
            self._skip(*table.BESIDE["release"])
        if self.at == self.end:
            raise NotUnderstood(T("Say whose citizen is freed."))
        owner = self._seat()
        self._parts()
        return orders.Release(owner)


_ACTIVATES = (
    *(Grammar._card, Grammar._die, Grammar._hiring, Grammar._hired_from),
    *(Grammar._space, Grammar._times, Grammar._using, Grammar._choices),
)
_GUARDS = (Grammar._number, Grammar._die, Grammar._boost, Grammar._using, Grammar._step)

_READ = (
    *(Grammar._settle, Grammar._reroll, Grammar._flip, Grammar._recruit, Grammar._activate, Grammar._hire),
    *(Grammar._fight, Grammar._pass, Grammar._counter, Grammar._let, Grammar._support, Grammar._guard),
    *(Grammar._react, Grammar._keep, Grammar._give, Grammar._discard, Grammar._release),
)
_READERS: dict[str, Callable[[Grammar], Order]] = {
    **{read.__name__.removeprefix("_"): read for read in _READ},
    "build": Grammar._work,
    "farm": Grammar._work,
    "place": Grammar._station,
    "target": Grammar._support,
    "put": Grammar._put_cubes,
    "use": lambda line: orders.Use(line.one_tile()),
}
"""Verb to what reads the rest of its line."""

_TALKED = frozenset(table.OPENS.values()) - {"hire"}
"""Verbs whose words also begin talk, such as «Let me think»."""
_PUT_BESIDE = frozenset(("gray", "gris", "your", "votre", "the", "de", "expelled", "expulse"))
_ONE = frozenset(("the", "my", "le", "mon"))
"""Words before one die that is called by value and colour."""
_GRAY = frozenset(("gris", "neutre"))
"""French for the neutral player, behind a die: «le R4 gris»."""
_SINGLE = frozenset(word for word in table.COLOURS if not word.endswith("s"))


def _names_cube(state: TroyesState, word: str) -> bool:
    return activity_of(word) is not None or bool(table.tile_of(state, word))


@lru_cache(1024)
def _is_place(word: str) -> str:
    """The building or supply that a word names; empty for none."""
    found = place_of(word) or table.PLACES.get(word, "")
    return found if found in (*places.BUILDINGS, places.SUPPLY) else ""


def _goes(state: TroyesState, seat: str, order: orders.Station, goal: Spot) -> bool:
    """Whether the die of an order sends a citizen where the line says. A die that sends nobody is refused elsewhere."""
    try:
        group = form_group(state, seat, (order.die,), order.using, exact=True)
    except OrderRefused:
        return True
    if places.BUILDING_OF[group.colour] != goal.on or goal.lying:
        return False
    if goal.on == places.PALACE:
        return goal.space in (0, group.total)
    return goal.row in (0, state.box.board.row(group.total)) and goal.space in (0, 1)


@lru_cache(64)
def _called(names: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Folded names of people to their seats."""
    return {kebab(name): seat for seat, name in names}


def find_event(state: TroyesState, word: str) -> str:
    """The id of the event in the queue that a word names.

    Raises Unclear where copies share the word, NotAllowed for an event that is not in the queue, else NotUnderstood.
    """
    if place := table.EVENT.fullmatch(word):
        at = int(place[1])
        if not 1 <= at <= len(state.queue):
            raise NotAllowed(T("The queue has {n} event.", "The queue has {n} events.", n=len(state.queue)))
        return state.queue[at - 1].id
    ids = events_of(word)
    here = [threat.id for threat in state.queue if threat.id in ids]
    if len(here) == 1:
        return here[0]
    if here:
        raise Unclear(
            T("«{word}» stands in the queue {count} times.", word=word, count=len(here)),
            possible=tuple(T("{word}", word=event_typed(state, id)) for id in here),
        )
    queue = tuple(event_typed(state, threat.id) for threat in state.queue)
    if ids:
        raise NotAllowed(T("{event} is not in the queue; there are: {here}.", event=item_name(ids[0]), here=queue))
    raise NotUnderstood(T("No event is called «{word}»; in the queue are {here}.", word=word, here=queue))
