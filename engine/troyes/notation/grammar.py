"""One parser for the orders of Troyes: as they are written, as titles of choices, and what lies between.

A line begins with its verb, in either language. What follows are parts, each opened by a word of its own, in any order;
small words of the tables are passed over, and a word that belongs to no part refuses the line. What is filled in is
echoed as assumed; what would cost something else never is (contract, «What is assumed»): hiring, buying, a cube,
influence, an opponent or an event.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood, OrderRefused, Unclear, no_order, no_verb, unknown_word
from engine.game import Reading
from engine.kit.words import folded, kebab
from engine.troyes import box
from engine.troyes.actions import countering
from engine.troyes.actions.activating import in_play
from engine.troyes.actions.unsaid import best_space, most_cubes, most_times
from engine.troyes.board import declared, possession
from engine.troyes.board.choices import INFLUENCE, PLACE, POINTS, USE, check_choices
from engine.troyes.board.group import form
from engine.troyes.board.words import event_typed, event_word, named, one_die, spelled, typed
from engine.troyes.box.faces import Activity
from engine.troyes.notation import words as table
from engine.troyes.notation.writing import OrderWriter, Vocabulary, write
from engine.troyes.state import dice, orders, places
from engine.troyes.state.orders import Order
from engine.troyes.state.picks import NOTHING_USED, Pick, Swap, TileUse, Using
from engine.troyes.state.places import Place
from engine.troyes.state.state import TroyesState

_PIECE = re.compile(rf"[^\s:,;]+:{table.LETTER}[1-6](?![\w.])|[,;:]|[^\s,;:]+", re.IGNORECASE)
_DIE = re.compile(rf"{table.LETTER}[1-6]", re.IGNORECASE)
_NUMBER = re.compile("[0-9]{1,3}")
_BOOST = re.compile(r"\+(\d{1,2})")
_ELIDED = re.compile("([ld])'(.+)")
_DETAILED = frozenset({"exchange_dice", "flip_bought_die", "extra_delayed_cube"})
"""Tiles whose cubes need a word more, as those of some cards do."""


class Lexeme:
    """One word or mark of a line, with what it means wherever it stands."""

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
        self.width = box.widest(word) or int(word in table.LEVELS or word in table.PLACES or "-" in word)
        """How many words a name that begins so may have; 0 where none does."""


def _is_event(word: str) -> bool:
    return bool(box.events_of(word)) or bool(table.EVENT.fullmatch(word))


@lru_cache(4096)
def _words(chunk: str) -> tuple[Lexeme, ...]:
    """What stands between two blanks: «Faye's» are two words, and so is «l'Évêché»."""
    found: list[Lexeme] = []
    for piece in _PIECE.findall(chunk):
        plain = folded(piece)
        if elided := _ELIDED.fullmatch(plain):
            found += [Lexeme(piece[:2], elided[1]), Lexeme(piece[2:])]
        elif plain.endswith("'s") and len(plain) > 2:
            found += [Lexeme(piece[:-2]), Lexeme(piece[-2:], "s")]
        else:
            found.append(Lexeme(piece))
    return tuple(found)


_END = Lexeme("", "-")
_taken = lru_cache(1024)(Pick)
_lexeme = lru_cache(1024)(Lexeme)


@dataclass(frozen=True, slots=True)
class Cube:
    """A cube that is used: `id` is a card or tile; the die, the dice or the card that it works on, as far as named."""

    id: str
    tile: bool
    dice: tuple[Pick, ...] = ()
    swaps: tuple[Swap, ...] = ()
    card: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place as it is called: a building, its row and the space there, as far as they are said."""

    on: str
    row: int = 0
    space: int = 0
    lying: bool = False

    @property
    def place(self) -> str:
        """Its word in the state; empty where the space is not said."""
        if self.lying:
            return str(Place(self.on, places.LYING))
        if self.on == places.PALACE:
            return f"{self.on} {self.space}" if self.space else ""
        return f"{self.on} {self.row}.{self.space}" if self.row and self.space else ""


class Grammar:
    """One line being read for one seat against a position. What the line says of an order stays here until all of it
    is read; then the verb makes the order of it, and fills in what may be."""

    tokens: Sequence[Lexeme] = ()
    at = end = 0
    verb = ""
    tail = ""
    exact = False
    """Whether the line is its canonical text."""
    card = ""
    event = ""
    source = ""
    goal: Spot | None = None
    dice: tuple[Pick, ...] = ()
    cubes_used: tuple[Cube, ...] = ()
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
    """Whether «with» has been said: numbers behind it are no counts."""
    cubes = times = raised = advance = boost = 0
    space = -1
    owned = ""
    """Whose the die before was said to be: «Faye's R6 and R3» may both be hers."""
    bare = False
    """Whether it was called «le R6», and nobody named with it."""
    other: tuple[Pick, ...] = ()
    """The dice of the line as they may be meant too."""

    def __init__(self, state: TroyesState, seat: str, line: str) -> None:
        self.state = state
        self.seat = seat
        self.line = line
        self.assumed: list[Msg] = []

    def read(self) -> Reading[Order]:
        """The order. Raises NotUnderstood, Unclear or NotAllowed."""
        verb = self._as_written() or self._verb()
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
            raise Unclear(says, orders=tuple(write(self.state, self.seat, way) for way in ways))
        if self.tail and isinstance(order, orders.Activate):
            targets = map(OrderWriter(self.state, self.seat, "en").target, order.targets)
            self.exact = (
                self.exact and not self.mixed and order.targets != (orders.NOTHING,) and self.tail == ", ".join(targets)
            )
        text = self.line if self.exact else write(self.state, self.seat, order)
        return Reading(order, text, tuple(self.assumed))

    def cut(self) -> Grammar:
        """Find the words and marks of the line."""
        tokens: list[Lexeme] = []
        for chunk in self.line.rstrip(" .!").split():
            tokens += _words(chunk)
        self.tokens = tokens
        self.end = len(tokens)
        return self

    # Lines as they are written.

    def _as_written(self) -> str:
        """The verb of a line that is word for word as `write` has the commonest orders, its parts already read; else
        nothing. It reads no other order than the words one by one: it spares looking for what a line has not."""
        row = _written_parts(self.line)
        if row is None:
            return ""
        written, verb, parts = row
        self.exact = written.language == "en"
        try:
            for reads, words in parts:
                reads(self, written, words)
        except (KeyError, OrderRefused):
            state, seat, line, assumed = self.state, self.seat, self.line, self.assumed
            self.__dict__.clear()
            self.__dict__.update(state=state, seat=seat, line=line, assumed=assumed)
            return ""
        self.verb = verb
        return verb

    def _written_dice(self, written: WrittenForms, words: str) -> None:
        found = []
        for word in words.split(" "):
            token = _lexeme(word)
            if not token.die:
                raise KeyError(word)
            pick = _taken(self._district(token.owner) if token.owner else self.seat, token.die)
            self.exact = self.exact and word == (pick.word(self.seat) if token.owner else token.die)
            found.append(pick)
        self.dice = tuple(found)

    def _written_numbers(self, written: WrittenForms, words: str) -> None:
        self.numbers = tuple(map(int, words.split()))

    def _written_spots(self, written: WrittenForms, words: str) -> None:
        self.spots = tuple([written.places[word] for word in words.split(", ")])

    def _written_source(self, written: WrittenForms, words: str) -> None:
        self.source = written.places[words]

    def _written_hiring(self, written: WrittenForms, words: str) -> None:
        self.source, self.hires = written.places[words], True

    def _written_events(self, written: WrittenForms, words: str) -> None:
        said = words.split(", ")
        self.events = events = tuple([find_event(self.state, kebab(word)) for word in said])
        self.exact = self.exact and all(
            event_word(self.state, id) == word for id, word in zip(events, said, strict=True)
        )

    def _written_card(self, written: WrittenForms, words: str) -> None:
        self.card = card = written.cards[words]
        if card not in self.state.box.activities:
            raise KeyError(card)

    def _written_using(self, written: WrittenForms, words: str) -> None:
        card = written.cards[words]
        if card not in self.state.box.activities or declared.of(card).names:
            raise KeyError(card)
        self.cubes_used = (Cube(card, False),)

    def _written_cubes(self, written: WrittenForms, words: str) -> None:
        self.cubes, self.exact = int(words), False  # not written where they are as many as can be

    def _written_times(self, written: WrittenForms, words: str) -> None:
        self.times, self.exact = int(words), False

    def _written_tail(self, written: WrittenForms, words: str) -> None:
        """What is chosen behind the colon is read word by word."""
        tokens = [token for chunk in words.split() for token in _words(chunk)]
        self.tokens, self.end, self.tail = tokens, len(tokens), words[2:]

    def places(self) -> tuple[str, ...]:
        """The line as places one after the other. Raises NotUnderstood."""
        while self.at < self.end:
            self._skip(*table.BESIDE["settle"])
            if self.at < self.end:
                self.spots = (*self.spots, self._place())
        if not self.spots:
            raise self._lost(T("Name a place."))
        return self.spots

    def one_tile(self) -> str:
        """The line as the name of an outdoor tile. Raises NotUnderstood."""
        self._parts(Grammar._tile)
        if len(self.tiles) != 1:
            raise self._lost(T("Name an outdoor tile, such as III."))
        return self.tiles[0]

    def my_cubes(self) -> str:
        """The tile of «use my cubes on Exchange»; nothing where the line is none such."""
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
        """What is placed, put or moved: a citizen, the guard, or cubes on tiles or events."""
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
        return any(asked["seat"] == self.seat and asked["kind"] == kind for asked in self.state.asked)

    # Words.

    def _parts(self, *parts: Callable[[Grammar, Lexeme], bool]) -> None:
        """Read what is left, each word by the first part that takes it. Raises NotUnderstood, NotAllowed, Unclear."""
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
        """What refuses a word that belongs to no part of the order."""
        if token.clause == "using":
            return NotAllowed(T("No cube of a card can be used here."), rule="A14")
        if token.word == ":":
            return NotUnderstood(T("{verb} takes nothing after a colon.", verb=self.verb))
        return unknown_word(token.text, self.line)

    def _lost(self, missing: Msg | None = None) -> NotUnderstood:
        """The refusal for the next word, which means nothing here; or for what is `missing` at the end."""
        self._skip()
        if self.at < self.end:
            return unknown_word(self.tokens[self.at].text, self.line)
        return NotUnderstood(missing) if missing is not None else unknown_word("", self.line)

    def _next(self, ahead: int = 0) -> Lexeme:
        at = self.at + ahead
        return self.tokens[at] if at < self.end else _END

    def _skip(self, *words: str) -> None:
        """Pass over small words, and these."""
        while self.at < self.end and (self.tokens[self.at].noise or self.tokens[self.at].word in words):
            self.at += 1

    def _named(self, known: Callable[[str], object], at: int = -1, widest: int = 0) -> tuple[str, int]:
        """The longest run of words that is known, and where it ends; nothing where none is."""
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
        """One die more, whosever it is."""
        pick = self._pick(token)
        if pick is None:
            return False
        self.dice = (*self.dice, pick)
        return True

    def _pick(self, token: Lexeme) -> Pick | None:
        """A die, if one is next: bare ones are one's own, always (buying is never silent)."""
        if token.owner:
            self.at += 1
            return _taken(self._district(token.owner), token.die)
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
        return self._coloured(_taken(owner, face))

    def _face(self) -> str:
        """A die by its letter or its colour: `R5`, «red 5», «le cinq rouge»."""
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
        """A die that nobody is named before: one's own, but for «le R4 gris» and «le R6 de Faye»."""
        token = self._next()
        if token.word in _GRAY and article == "le":
            self.at += 1
            owner = self.state.neutral
        elif token.part == "of":
            owner, behind = self._owner(self.at + 1 + self._next(1).noise)  # «de Le Roy»
            self.at = behind if owner else self.at
        else:
            owner = ""
        pick = self._coloured(_taken(owner or self.seat, face))
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
        """A purple die perhaps with the colour that it takes: `P4 as W`, «P4 as white»."""
        if self._next().clause != "as" or pick.die[0] != "P":
            return pick
        word = self._next(1).word
        self.at += 2
        colour = dice.COLOUR_OF.get(table.DIE_LETTERS.get(word, "") or table.COLOURS.get(word, ""), "")
        if colour not in dice.COLOURS:
            raise NotUnderstood(T("A purple die counts as Y, W or R: «{die} as W».", die=one_die(pick.die)))
        return _taken(pick.owner, pick.die, colour)

    def _who(self, word: str) -> str:
        """The seat that a word names, or the neutral player; nothing where it names nobody."""
        if word in self.state.names:
            return word
        if word in table.DISTRICTS or (self.state.solo and word in table.KING):
            return self.state.neutral
        return _called(tuple(self.state.names.items())).get(word, "")

    def _owner(self, at: int = -1) -> tuple[str, int]:
        """Who is named here, the neutral player too, and where the name ends."""
        name, behind = self._named(self._who, at, table.WIDEST)
        return self._who(name), behind

    def _seat(self) -> str:
        """The seat that a handle or a name means. Raises NotUnderstood."""
        owner, behind = self._owner()
        if not owner or owner not in self.state.names:
            word, seats = self._next().text, tuple(self.state.names)
            raise NotUnderstood(T("Nobody here is called {word}; there are {seats}.", word=word, seats=seats))
        self.at = behind
        return owner

    def _district(self, word: str) -> str:
        if found := self._who(kebab(word)):
            return found
        there = (*self.state.names, typed(self.state.neutral))
        raise NotUnderstood(T("No district is called {word}; there are {districts}.", word=word, districts=there))

    def _some(self) -> tuple[Pick, ...]:
        if not self.dice:
            raise NotUnderstood(table.needs_dice(self.verb))
        return self.dice

    def _own(self) -> tuple[str, ...]:
        """Dice that must be one's own."""
        for pick in self._some():
            if pick.owner != self.seat:
                die = one_die(pick.word(self.seat))
                says = T("{die} is not yours: only dice of your own district serve here.", die=die)
                raise NotAllowed(says, rule="A3")
        return tuple([pick.die for pick in self.dice])

    # Cubes that are used.

    def _using(self, token: Lexeme) -> bool:
        """`using priest`, «a Priest cube», «un cube du Prêtre»; with what it works on."""
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

    def _cube(self, *, of_name: bool = False) -> Cube:
        """The cube that is named here. Raises NotUnderstood for no name, NotAllowed for a card of another box."""
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
        card = box.activity_of(word) or ""
        if card and card not in self.state.box.activities:
            in_play(self.state, card)  # of another box: it says which are in play
        id = card or table.tile_of(self.state, word)
        self.at += of_name  # «Priest cube»
        detailed = id in _DETAILED or bool(card and declared.of(card).names)
        if token.owner:
            return Cube(id, not card, (_taken(self.seat, token.die),))
        if not detailed and self._next().part == "on":
            raise unknown_word(self._next().text, self.line)  # a die behind it is no more of the group
        if not detailed or not (self._next().word == ":" or self._next().part in ("on", "swapping")):
            return Cube(id, not card)
        self.at += 1
        return self._detail(Cube(id, not card))

    def _detail(self, cube: Cube) -> Cube:
        """What a cube works on: dice that are exchanged, a card, or a die."""
        if cube.id == "exchange_dice":
            swaps = [self._swap()]
            while self._next().word in (",", "and", "et") and (self._next(1).die or self._next(1).letter):
                self.at += 1
                swaps.append(self._swap())
            return replace(cube, swaps=tuple(swaps))
        self._skip()
        if cube.id == "extra_delayed_cube":
            return replace(cube, card=self._activity())
        pick = self._pick(self._next())
        if pick is None:
            raise NotUnderstood(T("Name one die after «using {card}:».", card=typed(cube.id)))
        return replace(cube, dice=(pick,))

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
        """The cubes of the order, of one card and of tiles by their level. Where one works on one die of the group and
        only one can be meant, that one is filled in and echoed."""
        if not self.cubes_used:
            return NOTHING_USED
        cards = [cube for cube in self.cubes_used if not cube.tile]
        if len(cards) > 1:
            raise NotAllowed(T("One cube of a card may be used in an action, not two."), rule="A29")
        card, die = "", None
        for cube in cards:
            card, whose = cube.id, declared.of(cube.id).names
            if cube.dice:
                die = cube.dice[0]
            elif whose in ("own", "others"):
                die = self._only(pick for pick in self.dice if (pick.owner == self.seat) is (whose == "own"))
        tiles = [self._tile_use(cube) for cube in self.cubes_used if cube.tile]
        levels = self.state.box.outdoor
        tiles.sort(key=lambda use: levels[use.tile].level if use.tile in levels else 0)
        return Using(card, die, tuple(tiles))

    def _tile_use(self, cube: Cube) -> TileUse:
        if cube.id == "flip_bought_die":
            die = cube.dice[0] if cube.dice else self._only(one for one in self.dice if one.owner != self.seat)
            return TileUse(cube.id, die=die)
        return TileUse(cube.id, cube.swaps, card=cube.card)

    def _only(self, picks: Iterable[Pick]) -> Pick | None:
        """The only die that can be meant, echoed; None where there are several."""
        found = set(picks)
        if len(found) != 1:
            return None
        (pick,) = found
        self.assumed.append(T("on {die}", die=one_die(pick.word(self.seat))))
        return pick

    # What has a name.

    def _activity(self) -> str:
        """The id of an Activity card. Raises NotUnderstood; NotAllowed for one of another box."""
        self._skip()
        word, behind = self._named(box.activity_of)
        if not word:
            raise self._lost(T("Name an Activity card."))
        self.at = behind
        found = box.activity_of(word) or ""
        if found not in self.state.box.activities:
            in_play(self.state, found)  # it says which are in play
        return found

    def _card(self, token: Lexeme) -> bool:
        if self.card or not self._named(box.activity_of)[0]:
            return False
        self.card = self._activity()
        return True

    def _an_event(self, token: Lexeme) -> bool:
        """An event of the queue: its name, `event-2`, or «the second Brigands»."""
        nth = table.ORDINALS.get(token.word) or table.ORDINALS.get(token.word.removesuffix("s"), 0)
        word, behind = self._named(_is_event, self.at + bool(nth))
        if not word:
            return False
        if nth:
            alike = [threat.id for threat in self.state.queue if threat.id in box.events_of(word)]
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
        """An outdoor tile, by its level or name."""
        word, behind = self._named(partial(table.tile_of, self.state))
        if not word:
            return False
        self.at = behind
        self.tiles = (*self.tiles, table.tile_of(self.state, word))
        return True

    # Places.

    def _place(self, *, own: bool = False) -> str:
        """A place a citizen can stand on; `own`: where one of the seat's citizens is to be taken from.

        Raises NotUnderstood; Unclear when a building is named and several own citizens are there.
        """
        self._skip()
        spot = self._spot()
        if spot is None:
            word, behind = self._named(box.activity_of)
            if not word:
                raise self._lost(T("Name a place."))
            self.at = behind
            return box.activity_of(word) or ""
        if spot.on == places.SUPPLY:
            return places.SUPPLY
        if spot.place:
            return spot.place
        if own and not spot.row:
            return self._only_one(spot.on)
        example = spelled(str(Place(spot.on, "4" if spot.on == places.PALACE else "3.2")))
        says = T("Say which space of the {building}, such as «{example}».", building=named(spot.on), example=example)
        raise NotUnderstood(says)

    def _spot(self) -> Spot | None:
        """A building with what is said of the space there, or the supply; None where none is next."""
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
            self.assumed.append(T("from {place}", place=spelled(here[0])))
            return here[0]
        if not here:
            raise NotAllowed(T("You have no citizen at {place}.", place=named(building)))
        raise Unclear(
            T("You have {n} citizen there.", "You have {n} citizens there: say which.", n=len(here)),
            possible=tuple(T("from {place}", place=spelled(word)) for word in here),
        )

    def _supply(self, says: Callable[[Msg], Msg]) -> str:
        """The supply if somebody is there; else the place must be named (contract). Raises Unclear."""
        if self.state.houses[self.seat].supply:
            self.assumed.append(T("from supply"))
            return places.SUPPLY
        there = list(dict.fromkeys(self.state.whereabouts(self.seat)))
        raise Unclear(
            T("You have no citizen in hand: say where the citizen comes from, or recruit one first."),
            possible=tuple(says(spelled(str(place))) for place in there[:8]),
        )

    def _from(self, token: Lexeme) -> bool:
        """Where a citizen is taken from."""
        if self.source or (token.clause != "from" and token.part != "of"):
            return False
        self.at += 1
        self.source = self._place(own=True)
        return True

    def _goal(self, token: Lexeme) -> bool:
        """Where a citizen goes: «to City Hall, row 2»."""
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
        """`hiring from supply`, `hiring palace 4`, or `hiring` alone; the place may stand apart behind «hire»."""
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
        """`to space 2`, «space 2»: where the tradesman stands."""
        to = token.clause == "to"
        if self._next(to).clause != "space" or self._next(to + 1).number < 0:
            return False
        self.space = self._next(to + 1).number
        self.at += to + 2
        return True

    def _times(self, token: Lexeme) -> bool:
        """`once`, `twice`, `3 times`."""
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
        """`2 cubes` of a fight."""
        if token.number < 0 or self.cubes or self._next(1).clause not in ("cubes", "times"):
            return False
        self.cubes = token.number or -1
        self.at += 2
        return True

    def _number(self, token: Lexeme) -> bool:
        """A count before the dice: black dice, citizens."""
        if token.number < 0 or self.dice or self.behind:
            return False
        self.numbers = (*self.numbers, token.number)
        self.at += 1
        return True

    def _free(self, token: Lexeme) -> bool:
        """`: free anna, geoffrey`, for cubes on Possession."""
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
        """How many places are said to follow: «Place all five for me: …»; 0 where nothing is."""
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
            says = T("Say how far, and how much influence at most: «reroll {die} until 4+ max 3».", die=one_die(die))
            raise NotUnderstood(says)
        return orders.Reroll(die, until, most)

    def _limit(self, token: Lexeme) -> bool:
        """`until 4+ max 3`."""
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
        best = best_space(self.state.card(self.card))
        if best:
            self.assumed.append(T("the space worth {worth} VP", worth=self.state.activity(self.card).spaces[best - 1]))
        return best

    def _check_one_choice(self, activity: Activity, order: orders.Activate) -> None:
        """One choice for several activations that nobody has counted: each time, or only once? Raises Unclear."""
        if len(order.targets) != 1 or order.times < 2:
            return
        try:
            check_choices(self.state, self.seat, activity, order)
        except Unclear as unclear:
            ways = (replace(order, targets=order.targets * order.times), replace(order, times=1))
            lines = tuple(write(self.state, self.seat, way) for way in ways)
            raise Unclear(unclear.reason, possible=unclear.possible, orders=lines, rule=unclear.rule) from unclear
        except NotAllowed:
            return  # the walk says it

    def _mixed_times(self, activity: Activity, used: Using) -> int:
        """How often a card with two uses is activated. With no cube there only placing can be meant."""
        card = self.state.card(activity.id)
        there = card.cubes.get(self.seat, 0) if card is not None else 0
        most = most_times(self.state, self.seat, activity.id, self.dice, used)
        if not self.mixed:
            if not there:
                self.assumed.append(T("placing cubes"))
                self.targets = (PLACE,)
            return self.times or most  # the walk refuses it and shows both ways
        return self.times or (min(most, max(there, 1)) if self.mixed == USE else most)

    def _choices(self, token: Lexeme) -> bool:
        """What stands behind the colon of a card: one choice per activation, or what is done with its cubes."""
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
            self._read_targets(declared.of(activity.id).chooses)
        return True

    def _mixed(self) -> None:
        """`place`, `place 2`, `use 2, brigands`."""
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
        """What is left of the line, choice by choice."""
        while self.at < self.end:
            token = self.tokens[self.at]
            if token.noise or (kind == "column" and token.part == "column"):
                self.at += 1
            else:
                self.targets = (*self.targets, self._target(kind, token))

    def _target(self, kind: str, token: Lexeme) -> str:
        match kind:
            case "building":
                word, behind = self._named(box.place_of)
                if not word:
                    raise self._lost()
                self.at = behind
                return box.place_of(word) or ""
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
            ways = (write(self.state, self.seat, order),)
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
            order = countering.cheapest(state, self.seat)
            self.assumed.append(T("{order}", order=write(state, self.seat, order)))
            return order
        self._parts(Grammar._number, Grammar._die, Grammar._using)
        black = self.numbers
        if len(self.cubes_used) == 1 and self.cubes_used[0].tile and not self.dice:
            return orders.Counter(black or self._highest(), (), self.cubes_used[0].id)
        own = self._own()
        if self.cubes_used:
            raise NotAllowed(T("No cube of a card can be used here."), rule="A14")
        if not black and state.black:
            made = countering.total(state, own)
            if len(state.black) > 1 and made >= state.black[0] + state.black[-1]:
                ways = ((state.black[0],), (state.black[0], state.black[-1]))
                raise Unclear(
                    T("{made} could beat more than the highest black die: say which.", made=made),
                    orders=tuple(write(state, self.seat, orders.Counter(way, own)) for way in ways),
                )
            black = self._highest()
        return orders.Counter(black, own)

    def _highest(self) -> tuple[int, ...]:
        """The highest black die, echoed."""
        black = tuple(self.state.black[:1])
        if black:
            self.assumed.append(T("against the {black}", black=black[0]))
        return black

    def _let(self) -> Order:
        """«Let the black 6 through»: it cannot be countered."""
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
            self.boost = self.raised - dice.value(die.die)
        for tile in self.tiles:
            if self.state.tile(tile) is None:
                raise NotAllowed(T("{tile} is not in play.", tile=named(tile)))
        levels = sorted(self.state.outdoor(tile).level for tile in self.tiles)
        if len(set(levels)) < len(levels):
            raise NotAllowed(T("One cube on each tile in one action."), rule="A50")
        advance = self.advance + sum(self.numbers)
        return orders.Guard(die, self.boost, advance, tuple(levels), self._used())

    def _boost(self, token: Lexeme) -> bool:
        """`+2` behind the die, «raised to 6»."""
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
        """`: advance 3, cube I, cube II`, in any order."""
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
        """One more tile behind «and» or a comma."""
        at = self.at
        self._skip()
        if self.at > at and self.at < self.end and self._tile(self.tokens[self.at]):
            return True
        self.at = at
        return False

    def _part_here(self) -> str:
        """What stands from here to the next comma."""
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
        """«Keep the cube»."""
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
    *(
        Grammar._settle,
        Grammar._reroll,
        Grammar._flip,
        Grammar._recruit,
        Grammar._activate,
        Grammar._hire,
        Grammar._fight,
    ),
    *(Grammar._pass, Grammar._counter, Grammar._let, Grammar._support, Grammar._guard, Grammar._react, Grammar._keep),
    *(Grammar._give, Grammar._discard, Grammar._release),
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
"""The verb to what reads the rest of its line."""

_TALKED = frozenset(table.OPENS.values()) - {"hire"}
"""What begins so and is no order is talk: «Let me think»."""
_PUT_BESIDE = frozenset(("gray", "gris", "your", "votre", "the", "de", "expelled", "expulse"))
_ONE = frozenset(("the", "my", "le", "mon"))
"""What stands before one die that is called by value and colour."""
_GRAY = frozenset(("gris", "neutre"))
"""French for the neutral player, behind a die: «le R4 gris»."""
_SINGLE = frozenset(word for word in table.COLOURS if not word.endswith("s"))


class WrittenForms(Vocabulary):
    """How one language writes the commonest orders: a pattern for each verb, cards and places by their words."""

    def __init__(self, language: str) -> None:
        super().__init__(language)
        say = self.say
        spots = (*map(str, places.SPACES), *(f"{on} {places.LYING}" for on in places.BUILDINGS), places.SUPPLY)
        cards = {ids[0] for ids in box.meanings("activity").values()}
        self.cards = {self.named(id): id for id in cards if box.activity_of(self.named(id)) == id}
        self.places = self.cards | {self.place(spot): spot for spot in spots}
        die = r"[^\s:]+(?::[^\s:]+)?"
        dice_ = rf"(?P<dice>{die}(?: {die})*?)"
        using = rf"(?: {say('using')} (?P<using>[^\s:]+))?"
        with_ = f"{say('with')} {dice_}{using}"
        times = rf"(?: (?P<times>[1-9][0-9]?) {say('times')})?"
        hiring = rf"(?: {say('hiring')} {say('from')} (?P<hiring>\S+(?: \S+)??))?"
        patterns = {
            "settle": "(?P<spots>.+)",
            "activate": rf"(?P<card>\S+){hiring}{times} {with_}(?P<tail>: .+)?",
            "build": with_,
            "fight": rf"(?P<events>\S+)(?: (?P<cubes>[1-9]) cubes?)? {with_}",
            "place": rf"{dice_} {say('from')} (?P<source>\S+(?: \S+)??){using}",
            "farm": f"{dice_}{using}",
            "pass": "",
            "reroll": dice_,
            "flip": dice_,
            "recruit": "(?P<numbers>[0-9]{1,2})",
            "support": "(?P<events>.+)",
            "target": "(?P<events>.+)",
            "counter": f"(?P<numbers>[0-9]+(?: [0-9]+)*) {say('with')} {dice_}",
        }
        self.patterns: dict[str, WrittenVerb] = {}
        for verb, pattern in patterns.items():
            compiled = re.compile(pattern)
            readers = tuple([_WRITTEN_PARTS[part] for part in compiled.groupindex])
            self.patterns[say(verb)] = (self, verb, compiled, readers)


@cache
def _written() -> dict[str, WrittenVerb]:
    """The first word of a line, in each language that orders are written in, to what reads the others."""
    return {word: row for language in ("en", *table.WRITTEN) for word, row in WrittenForms(language).patterns.items()}


WrittenPart = Callable[[Grammar, WrittenForms, str], None]
WrittenVerb = tuple[WrittenForms, str, re.Pattern[str], tuple[WrittenPart, ...]]
"""The words of a language, the verb, and what reads each group of the pattern of what stands behind it."""
_WRITTEN_READERS: tuple[WrittenPart, ...] = (
    *(Grammar._written_dice, Grammar._written_numbers, Grammar._written_spots, Grammar._written_source),
    *(Grammar._written_hiring, Grammar._written_events, Grammar._written_card, Grammar._written_using),
    *(Grammar._written_cubes, Grammar._written_times, Grammar._written_tail),
)
_WRITTEN_PARTS = {reads.__name__.removeprefix("_written_"): reads for reads in _WRITTEN_READERS}


@lru_cache(4096)
def _written_parts(line: str) -> tuple[WrittenForms, str, tuple[tuple[WrittenPart, str], ...]] | None:
    """A line that is written so: in which words, its verb, and each of its parts with what reads it."""
    first, _, rest = line.partition(" ")
    row = _written().get(first)
    if row is None or (found := row[2].fullmatch(rest)) is None:
        return None
    written, verb, _, readers = row
    pairs = zip(readers, found.groups(), strict=True)
    return written, verb, tuple([(reads, words) for reads, words in pairs if words is not None])


def _names_cube(state: TroyesState, word: str) -> bool:
    return box.activity_of(word) is not None or bool(table.tile_of(state, word))


@lru_cache(1024)
def _is_place(word: str) -> str:
    """The building or the supply that a word names, or nothing."""
    found = box.place_of(word) or table.PLACES.get(word, "")
    return found if found in (*places.BUILDINGS, places.SUPPLY) else ""


def _goes(state: TroyesState, seat: str, order: orders.Station, goal: Spot) -> bool:
    """Whether the die of an order sends a citizen where the line says; a die that sends nobody is refused elsewhere."""
    try:
        group = form(state, seat, (order.die,), order.using, exact=True)
    except OrderRefused:
        return True
    if places.BUILDING_OF[group.colour] != goal.on or goal.lying:
        return False
    if goal.on == places.PALACE:
        return goal.space in (0, group.total)
    return goal.row in (0, state.box.board.row(group.total)) and goal.space in (0, 1)


@lru_cache(64)
def _called(names: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The names of people as they are compared, to their seats."""
    return {kebab(name): seat for seat, name in names}


def find_event(state: TroyesState, word: str) -> str:
    """The id of the event in the queue that a word names.

    Raises Unclear where copies share the word, NotAllowed for an event that is not in the queue, NotUnderstood else.
    """
    if place := table.EVENT.fullmatch(word):
        at = int(place[1])
        if not 1 <= at <= len(state.queue):
            raise NotAllowed(T("The queue has {n} event.", "The queue has {n} events.", n=len(state.queue)))
        return state.queue[at - 1].id
    ids = box.events_of(word)
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
        raise NotAllowed(T("{event} is not in the queue; there are: {here}.", event=named(ids[0]), here=queue))
    raise NotUnderstood(T("No event is called «{word}»; in the queue are {here}.", word=word, here=queue))
