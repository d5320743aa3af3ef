"""A line cut into words, and the small readers that take parts from it: dice, cards, events, places, counts."""

from __future__ import annotations

import re

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood, Unclear
from engine.kit.cursor import Cursor, no_order, no_verb, unknown
from engine.kit.words import kebab
from engine.troyes import box
from engine.troyes.actions.activating import in_play
from engine.troyes.board.words import event_typed, named, one_die, spelled, typed
from engine.troyes.notation.usings import JOINT, Clause, names_cube, take, tile_of
from engine.troyes.notation.words import (
    BEGINNINGS,
    CLAUSES,
    COLOURS,
    DIE_LETTERS,
    DISTRICTS,
    EVENT,
    KING,
    LETTER,
    NOISE,
    VERBS,
)
from engine.troyes.state import dice, places
from engine.troyes.state.picks import Pick
from engine.troyes.state.places import Place
from engine.troyes.state.state import TroyesState

_OWNED = re.compile(rf"([^\s:,]+)\s*:\s*({LETTER}[1-6])(?![\w.])", re.IGNORECASE)
_DIE = re.compile(rf"{LETTER}[1-6]", re.IGNORECASE)


class Wording(Cursor):
    """One line being read against a state. `words` is what is left before the colon, `tail` the parts after it."""

    noise = NOISE

    def __init__(self, state: TroyesState, seat: str, line: str, words: list[str]) -> None:
        super().__init__(seat, line, words)
        self.state = state
        self.verb = ""
        self.tail: list[str] = []
        self.clauses: list[Clause] = []
        """Cubes to be used, taken out of the words."""

    @classmethod
    def begin(cls, state: TroyesState, seat: str, line: str) -> Wording:
        """Cut a line. Raises NotUnderstood when it begins with no verb."""
        left, clauses = take(state, _OWNED.sub(_joined, line.strip().rstrip(".!")))
        head, colon, tail = left.partition(":")
        cursor = cls(state, seat, line, head.replace(",", " ").replace(";", " ").split())
        cursor.clauses = clauses
        cursor.tail = [part.strip() for part in tail.split(",") if part.strip()]
        if not cursor.words:
            raise no_order(line)
        first = cursor.words.pop(0).lower()
        cursor.verb = VERBS.get(kebab(first), "")
        if cursor.verb == "use" and any(asked["seat"] == seat and asked["kind"] == "react" for asked in state.asked):
            cursor.verb = "react"
        if kebab(first) in BEGINNINGS and not cursor.verb:
            raise NotUnderstood(T("Not all of «{line}» is understood.", line=line))
        if not cursor.verb:
            raise no_verb(first.replace(JOINT, ":"))
        if colon and not cursor.tail:
            raise NotUnderstood(T("Nothing stands after the colon."))
        return cursor

    def part(self, words: str) -> Wording:
        """A reader for some words of the line."""
        return Wording(self.state, self.seat, self.line, words.split())

    # What is next.

    def clause(self) -> str:
        """The clause that the next word opens, or `""`."""
        return CLAUSES.get(self.folded(), "")

    def finish(self) -> None:
        """Raises NotUnderstood when something is left over."""
        self.skip()
        if self.clauses:
            raise NotAllowed(T("No cube of a card can be used here."), rule="A14")
        if self.words:
            raise self.lost(self.words[0])
        if self.tail:
            raise NotUnderstood(T("{verb} takes nothing after a colon.", verb=self.verb))

    def lost(self, word: str = "", missing: Msg | None = None) -> NotUnderstood:
        """The refusal for a word that means nothing here (the next one); or for what is `missing` at the end."""
        word = word or (self.words[0] if self.words else "")
        if not word and missing is not None:
            return NotUnderstood(missing)
        return unknown(word.replace(JOINT, ":"), self.line)

    # Parts.

    def pick(self) -> Pick | None:
        """A die, if one is next: bare ones are one's own, always (buying is never silent)."""
        if not self.words:
            return None
        word = self.words[0]
        if JOINT in word:
            owner, die = word.split(JOINT)
            self.words.pop(0)
            return Pick(self._district(owner), _die(die))
        if _DIE.fullmatch(word):
            self.words.pop(0)
            return self._coloured(_die(word))
        return None

    def _coloured(self, die: str) -> Pick:
        """One's own die; a purple one perhaps with the colour it takes: `P4 as W`."""
        if self.clause() != "as" or die[0] != "P":
            return Pick(self.seat, die)
        self.words.pop(0)
        word = self.words.pop(0) if self.words else ""
        letter = DIE_LETTERS.get(word.lower(), "") or COLOURS.get(kebab(word), "")
        colour = dice.COLOUR_OF.get(letter, "")
        if colour not in dice.COLOURS:
            raise NotUnderstood(T("A purple die counts as Y, W or R: «{die} as W».", die=one_die(die)))
        return Pick(self.seat, die, colour)

    def seat_called(self, word: str) -> str:
        """The seat that a handle or a name means. Raises NotUnderstood."""
        found = self._seat(word)
        if found:
            return found
        raise NotUnderstood(
            T("Nobody here is called {word}; there are {seats}.", word=word, seats=tuple(self.state.names))
        )

    def _seat(self, word: str) -> str:
        folded = kebab(word)
        if folded in self.state.names:
            return folded
        return next((seat for seat, name in self.state.names.items() if kebab(name) == folded), "")

    def _district(self, word: str) -> str:
        if kebab(word) in DISTRICTS:
            return self.state.neutral
        found = self._seat(word)
        if found:
            return found
        if self.state.solo and kebab(word) in KING:
            return self.state.neutral
        raise NotUnderstood(
            T(
                "No district is called {word}; there are {districts}.",
                word=word,
                districts=(*self.state.names, typed(self.state.neutral)),
            )
        )

    def dice(self) -> tuple[Pick, ...]:
        """All dice that stand here, with the small words between them."""
        found: list[Pick] = []
        while True:
            self.skip()
            pick = self.pick()
            if pick is None:
                return tuple(found)
            found.append(pick)

    def activity(self) -> str:
        """The id of an Activity card. Raises NotUnderstood."""
        self.skip()
        word = self.named(box.activity_of)
        found = box.activity_of(word) if word else None
        if not found:
            raise self.lost(missing=T("Name an Activity card."))
        if found not in self.state.box.activities:
            in_play(self.state, found)  # of another box: it says which are in play
        return found

    def event(self) -> str:
        """The id of an event in the queue. Raises NotUnderstood, NotAllowed or Unclear."""
        self.skip()
        word = self.named(self._is_event)
        if not word:
            raise self.lost(missing=T("Name an event of the queue."))
        return find_event(self.state, word)

    def _is_event(self, word: str) -> bool:
        return bool(box.events_of(word)) or bool(EVENT.fullmatch(word))

    def tile(self) -> str:
        """The id of an outdoor tile, by its level or name; `""` when none is next."""
        self.skip()
        word = self.named(lambda word: bool(tile_of(self.state, word)))
        return tile_of(self.state, word) if word else ""

    def place(self, *, own: bool = False) -> str:
        """A place a citizen can stand on; `own`: where one of the seat's citizens is to be taken from.

        Raises NotUnderstood; Unclear when a building is named and several own citizens are there.
        """
        self.skip()
        word = self.named(lambda word: box.place_of(word) in (*places.BUILDINGS, places.SUPPLY))
        if not word:
            word = self.named(box.activity_of)
            found = box.activity_of(word) if word else None
            if not found:
                raise self.lost(missing=T("Name a place."))
            return found
        place = box.place_of(word)
        assert place is not None
        if place == places.SUPPLY:
            return place
        return self._spot(place, own)

    def _spot(self, building: str, own: bool) -> str:
        if own and (not self.words or not self.words[0][:1].isdecimal()) and self.clause() != "lying":
            return self._only_one(building)
        if self.clause() == "lying":
            self.words.pop(0)
            return str(Place(building, places.LYING))
        spot = self.words.pop(0) if self.words else ""
        good = r"[1-6]" if building == places.PALACE else r"[1-3]\.[12]"
        if not re.fullmatch(good, spot):
            example = spelled(str(Place(building, "4" if building == places.PALACE else "3.2")))
            raise NotUnderstood(
                T("Say which space of the {building}, such as «{example}».", building=named(building), example=example)
            )
        return str(Place(building, spot))

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


def _joined(found: re.Match[str]) -> str:
    """A die with its district as one word; `preacher: W5` is a card and a die."""
    if names_cube(found[1]):
        return f" {found[1]} : {found[2]} "
    return f" {found[1]}{JOINT}{found[2]} "


def _die(word: str) -> str:
    return DIE_LETTERS[word[0].lower()] + word[1]


def find_event(state: TroyesState, word: str) -> str:
    """The id of the event in the queue that a word names.

    Raises Unclear where copies share the word, NotAllowed for an event that is not in the queue, NotUnderstood else.
    """
    if place := EVENT.fullmatch(word):
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
