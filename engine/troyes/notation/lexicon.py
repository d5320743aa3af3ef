"""Cut a line of free text into words with all they can mean: dice, owners, numbers, cards, places, small words.

Only words of the tables and names of the box count. A name may stand whole, in the singular or plural, in part, or cut
short, where only one is possible: «geoff», «pal», «bldg». A line with any other word is not understood at all, so
nothing is read past a «not», an «if» or an «or».
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from engine.kit.words import fold_text, kebab
from engine.troyes.notation import order_words as table
from engine.troyes.notation.word_senses import NAMED, SHORT, Senses, first_words, name_beginnings, word_senses
from engine.troyes.state import places
from engine.troyes.state.troyes_state import TroyesState

_ARROW = re.compile(r"[-=]+>|[→⇒➔➜➡]\ufe0f?")
_WORD = re.compile(r"'s\b|w/|->|[a-z0-9]+(?:['.\-][a-z0-9]+)*|\S")
_OWNS = re.compile(r"(?<=[a-z0-9])'s\b")
_DIE = re.compile(rf"({table.LETTER})([1-6])|([1-6])({table.LETTER})")
_ELISION = re.compile(r"\b([ld])'(?=[a-z])")
_SELF = re.compile(r"\b(?:[jm]'|s'(?!ils?\b))(?:y (?=[a-z]{3}))?(?=[a-z])")  # «j'achète», «j'y engage»
_PRONOUN = re.compile(r"(?<=[a-z])-(le|la|les|moi|nous|y|en)(?![\w-])")  # «place-le»
_DICE = re.compile(rf"({table.LETTER})([1-6])s")
_OFTEN = re.compile(r"x?([0-9]{1,2})x?")
_SPOT = re.compile(r"[1-3]\.[12]")
_APART = 7  # words that may stand between them
_MARKS = {
    **table.MARKS,
    **dict.fromkeys(",;&", "and"),
    "+": "plus",
    **dict.fromkeys((":", "->", ">", "="), "colon"),
    **dict.fromkeys(("'s", "'"), "owns"),
    **dict.fromkeys("()!.", "aside"),
    **dict.fromkeys("-–—", "and"),
}


@dataclass(frozen=True, slots=True)
class WordToken:
    """One or more words of a line, with all they can mean."""

    text: str
    senses: Senses = field(default_factory=dict)

    def of(self, sense: str, otherwise: Any = "") -> Any:
        """What it means in this sense; else something empty."""
        return self.senses.get(sense, otherwise)


def tokenize(state: TroyesState, line: str, *, loose: bool = False) -> list[WordToken]:
    """The words of a line. Empty when one means nothing; with `loose` such words are left out."""
    found = [token for _, token in tokenize_all(state, line)]
    return join_names(filter(None, found)) if loose or None not in found else []


def join_names(some: Iterable[WordToken]) -> list[WordToken]:
    """Join two parts of one name into one word."""
    found: list[WordToken] = []
    for token in some:
        if found and (both := _one_name(found[-1], token)):
            found[-1] = both
        else:
            found.append(token)
    return found


def tokenize_all(state: TroyesState, line: str) -> Iterator[tuple[str, WordToken | None]]:
    """Every word of a line as it stands there, with its meanings; None for a word that means nothing."""
    text = _SELF.sub("", _ARROW.sub("->", fold_text(line)).strip().rstrip(".!"))
    text = _PRONOUN.sub(r" \1", _ELISION.sub(r"\1 ", _OWNS.sub(" 's", text)))
    words = _rejoined(_WORD.findall(text))
    people = _people(state)
    while words:
        token, width = _next(state, words, people)
        yield " ".join(words[:width]), token
        del words[:width]


def _one_name(word: WordToken, behind: WordToken) -> WordToken | None:
    """Two parts of a name as one: «theo conflict», «trav builders»; None where no name in play has both."""
    apart = not word.of("part") or not behind.of("part") or word.text.endswith(behind.text)
    kinds = () if apart else NAMED
    both = {kind: tuple(id for id in word.of(kind, ()) if id in behind.of(kind, ())) for kind in kinds}
    senses: Senses = {kind: ids for kind, ids in both.items() if ids}
    return WordToken(f"{word.text}-{behind.text}", senses | {"part": True}) if senses else None


def _rejoined(words: list[str]) -> list[str]:
    """Put the two words of each verb such as «turn … over» side by side.

    «out of» is none. A die between the two is no object of «take out», which may be left out.
    """
    if table.PARTICLES.isdisjoint(words):
        return words
    for at in range(len(words)):
        for end in range(at + 2, min(at + 2 + _APART, len(words))):
            between, particle = words[at + 1 : end], words[end]
            if between[-1] in _MARKS and between[-1] != "'s":
                break
            both = word_senses().get(f"{words[at]}-{particle}", {})
            apart = words[end + 1 : end + 2] == ["of"] and both.get("role") != "expels"  # «throw Faye out of palace 5»
            if particle not in table.PARTICLES or apart or not (verb := both.get("verb")):
                continue
            if verb == "flip" or not any(_DIE.fullmatch(word) or word in table.COLOURS for word in between):
                return [*words[: at + 1], particle, *between, *words[end + 1 :]]
    return words


def _next(state: TroyesState, words: list[str], people: Senses) -> tuple[WordToken | None, int]:
    """The next words as one, and how many they are."""
    if words[0] in _MARKS and "-".join(words[:2]) not in word_senses():
        return WordToken(words[0], {"mark": _MARKS[words[0]]}), 1
    if words[1:2] == [":"] and words[2:] and (owner := _owner(state, words[0])) and (found := _DIE.fullmatch(words[2])):
        return WordToken("".join(words[:3]), {"die": _canonical(found), "whose": owner}), 3
    die, width = _die(words)
    if width and not any(die in lying for lying in state.dice.values()):
        # «w six» is «with six» where no white six lies, and «the red one» none that shows 1.
        said = words[width - 1] == "one" or (words[0] in table.ROLES and words[1] in table.NUMBERS)
        width = 0 if said else width
    if width:
        return (WordToken(die, {"die": die}) if die else None), width
    if many := _DICE.fullmatch(words[0]):
        return WordToken(words[0], {"dice": f"{table.DIE_LETTERS[many[1]]}{many[2]}"}), 1
    for width in range(min(table.WIDEST, len(words)) if _begins(words, people) else 1, 0, -1):
        last = words[width - 1]
        if width > 1 and ((last in _MARKS and not last.isalpha()) or _die(words[width - 1 :])[0]):
            continue  # «reroll red» is a tile, «reroll red 1» is not
        phrase = kebab("-".join(words[:width]))
        senses = dict(word_senses().get(phrase, ()))
        if phrase in people:
            senses |= {"owner": people[phrase], "owns": phrase[:-1] in people}
        if width > 1 and senses.keys() == {"outdoor"} and not any(tile.id in senses["outdoor"] for tile in state.tiles):
            continue  # «yellow die» is a tile only where that lies
        if senses:
            width += _spot(senses, words[width:])
            return WordToken(phrase, senses), width
    token = _single(state, words[0], people)
    return token, 1 + (_spot(token.senses, words[1:]) if token is not None else 0)


def _begins(words: list[str], people: Senses) -> bool:
    """Whether the first words may be one phrase or a name, or the first is a mark between words."""
    first, behind, _ = kebab("-".join(words[:2])).partition("-")
    return not behind or first in first_words() or any(name.startswith(f"{first}-") for name in people)


def _single(state: TroyesState, word: str, people: Senses) -> WordToken | None:
    """A number, a space, an event by number, how often, a part of a name, or a shortened word."""
    if _SPOT.fullmatch(word):
        return WordToken(word, {"spot": word})
    if word.isdecimal() and len(word) < 4:
        return WordToken(word, {"number": int(word)})
    if (often := _OFTEN.fullmatch(word)) and "x" in word:
        return WordToken(word, {"often": int(often[1])})
    if event := table.EVENT.fullmatch(word):
        at = int(event[1])
        return WordToken(word, {"event": (state.queue[at - 1].id,)}) if 1 <= at <= len(state.queue) else None
    if word in table.WHOLE:
        return None
    here: dict[str, Any] = {"activity": state.cards, "event": state.queue, "outdoor": state.tiles}
    ids = {kind: [one.id for one in some] for kind, some in here.items()}
    senses: Senses = {kind: found for kind in ids if (found := _meant(kind, word, ids[kind]))}
    senses = senses or _begun(people, word)
    return WordToken(word, senses | {"part": True}) if senses else None


def _meant(kind: str, word: str, ids: Iterable[str]) -> tuple[str, ...]:
    """The ids that a part of a name, or a shortened name, may mean."""
    known = name_beginnings(kind)
    meant = known.get(word) or known.get(word.removesuffix("s"), frozenset())
    return tuple(id for id in ids if id in meant)


def _begun(people: Senses, word: str) -> Senses:
    """The person whose name a word begins, in the possessive too: «geoff», «geoffs»."""
    stems = [stem for stem in (word, word.removesuffix("s")) if len(stem) >= SHORT]
    owners = {people[name] for name in people for stem in stems if name.startswith(stem)}
    return {"owner": owners.pop(), "owns": word.endswith("s")} if len(owners) == 1 else {}


def _canonical(found: re.Match[str]) -> str:
    return f"{table.DIE_LETTERS[found[1] or found[4]]}{found[2] or found[3]}"


def _die(words: list[str]) -> tuple[str, int]:
    """A die in one to three words, and how many they are. A width without a die: they can be cut in two ways."""
    if found := _DIE.fullmatch(words[0]):
        return _canonical(found), 1
    parts = [(at, word) for at, word in enumerate(words[:5]) if at == 0 or word not in table.DICE]
    if table.DICE.get(words[0]) == "one":
        parts = parts[1:]
    if len(parts) < 2:
        return "", 0
    (_, first), (at, second), third = parts[0], parts[1], parts[2][1] if len(parts) > 2 else ""
    letter, value = table.COLOURS.get(first) or table.DIE_LETTERS.get(first), _value(second)
    if letter and value:
        return f"{letter}{value}", at + 1
    letter, value = table.COLOURS.get(second), _value(first)
    if not (letter and value) or table.NUMBERS.get(first) == 1:  # an article
        return "", 0
    if third in table.PLURALS:
        return "", 0  # «two white sixes»
    after = words[at + 1] if len(words) > at + 1 else ""
    many = second.endswith("s") or table.DICE.get(after) == "many"
    if many:
        return "", 0  # «two white dice»
    if _value(third) and not (len(parts) > 3 and parts[3][1] in table.COLOURS):
        return "", at + 1  # «6 red 5»
    return f"{letter}{value}", at + 1


def _value(word: str) -> int:
    number = int(word) if word.isdecimal() and len(word) == 1 else table.NUMBERS.get(word, 0)
    return number if 1 <= number <= 6 else 0


def _spot(senses: Senses, after: list[str]) -> int:
    """Take a space behind a building into its sense. Returns how many words that are."""
    building = senses.get("place", "")
    if building not in places.BUILDINGS or not after:
        return 0
    if table.CLAUSES.get(after[0]) == "space" and len(after) > 1:
        found = _spot(senses, after[1:])
        return found and found + 1
    spot = after[0]
    if table.CLAUSES.get(spot) == "lying":
        senses["place"] = f"{building} {places.LYING}"
        return 1
    good = _SPOT.fullmatch(spot) if building != places.PALACE else _value(spot) and _is_spot(after)
    if not good or (len(after) > 1 and table.CLAUSES.get(after[1]) == "times"):
        return 0
    senses["place"] = f"{building} {_value(spot) or spot}"
    return 1


def _is_spot(after: list[str]) -> bool:
    """Whether a number behind the Palace is a space. In words it may count what follows: «palace two citizens»."""
    return after[0].isdecimal() or not after[1:] or after[1] in _MARKS or after[1] in table.NOISE - table.ARTICLES


def _people(state: TroyesState) -> Senses:
    """Words that name the owner of a district or citizen."""
    return _named_after(tuple(state.names.items()), state.neutral, state.solo)


@lru_cache(maxsize=256)
def _named_after(names: tuple[tuple[str, str], ...], neutral: str, solo: bool) -> Senses:
    """Words that name these seats. A name that is a small word too needs its colon."""
    found: Senses = dict.fromkeys((*table.DISTRICTS, *(table.KING if solo else ())), neutral)
    named = [(word, seat) for seat, name in names for word in (seat, kebab(name))]
    found |= {word: seat for word, seat in named if word not in word_senses()}
    for word, seat in (*named, *list(found.items())):  # «fayes R4», «the kings R5»
        if f"{word}s" not in word_senses():
            found.setdefault(f"{word}s", seat)
    return found


def _owner(state: TroyesState, word: str) -> str:
    """The owner that a word before a colon and a die names."""
    named = {word: seat for seat, name in state.names.items() for word in (seat, kebab(name))}
    return named.get(word) or _people(state).get(word, "")
