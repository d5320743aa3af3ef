"""Orders as people may say them: the canonical words put into everyday ones, the same every time for a seed."""

from __future__ import annotations

import random
import re

from engine.troyes.card_data.item_names import ids_by_word
from engine.troyes.notation.order_words import TABLES, WRITTEN
from engine.troyes.state.troyes_state import TroyesState

LANGUAGES = ("en", "fr")
NUMBERS = {language: [row[language].split()[0] for row in TABLES["number"].values()] for language in LANGUAGES}
COLOURS = {
    language: {letter: [word for word in row[language].split() if word[-1] != "s"] for letter, row in TABLES["colour"].items()}
    for language in LANGUAGES
}
AND = {"en": ("and", "+", "&", ","), "fr": ("et", "+", "&", ",")}
_FOREIGN = re.compile(r"([a-z_-]+):([YWRP])([1-6])")
_OWN = re.compile(r"(?<![:\w])([YWRP])([1-6])(?![\w.])")
_HIRING = re.compile(r"^(?:activate|activer) (\S+) (?:hiring|engageant)(?: |$)")


def mixed(text: str, rng: random.Random) -> str:
    """An English order with some of its words in French; a phrase is in one language."""
    if "when I have no die" in text:
        return text
    verb, *rest = text.split(" ")
    words = [verb, *(f" {word}" if word == "support" else word for word in rest)]  # the event, not the order
    return " ".join(WRITTEN["fr"].get(word, word) if rng.random() < 0.5 else word for word in words)


def dressed(state: TroyesState, text: str, language: str, rng: random.Random) -> str:
    """An order of a language with its dice, owners and small words as a person would say them."""
    line = _FOREIGN.sub(lambda found: _foreign(state, found, language, rng), text)
    if rng.random() < 0.5:
        line = _OWN.sub(lambda found: _die(found[1], found[2], language, rng), line)
    if rng.random() < 0.6:
        line = _listed(line, language, rng)
    if (hiring := _HIRING.match(line)) and rng.random() < 0.6:
        verb = rng.choice(("hire", "hire the", "hire a") if language == "en" else ("engage", "embaucher", "engagez le"))
        line = f"{verb} {hiring[1]} {line[hiring.end():]}"
    if rng.random() < 0.5:
        line = _verb(line, language, rng)
    if rng.random() < 0.3:
        line = line.upper() if rng.random() < 0.5 else line.capitalize()
    return line + rng.choice(("", "", ".", " !"))


def _die(letter: str, value: str, language: str, rng: random.Random) -> str:
    colour, number = rng.choice(COLOURS[language][letter]), rng.choice((value, NUMBERS[language][int(value) - 1]))
    if number in ("un", "une", "one"):
        number = value
    ways = [f"{colour} {number}", f"{letter} {value}", f"{letter}{value}"]
    return rng.choice([*ways, f"the {colour} {number}" if language == "en" else f"le {value} {colour}"])


def _foreign(state: TroyesState, found: re.Match[str], language: str, rng: random.Random) -> str:
    seat, die = found[1], f"{found[2]}{found[3]}"
    owner = state.names.get(seat, seat)
    if language == "en":
        return rng.choice((f"{owner}'s {die}", f"{seat} {die}", f"{die} from {owner}", found[0]))
    return rng.choice((f"le {die} de {owner}", f"{die} de {owner}", f"{seat} {die}", found[0]))


def _listed(line: str, language: str, rng: random.Random) -> str:
    """Dice that follow each other joined by a word or a sign."""
    return re.sub(r"(?<=[YWRP][1-6]) (?=[YWRP][1-6])", lambda _: f" {rng.choice(AND[language])} ", line)


def _verb(line: str, language: str, rng: random.Random) -> str:
    """The first word in another form of the same verb."""
    first, _, rest = line.partition(" ")
    for row in TABLES["verb"].values():
        if row[language].split()[0] == first:
            return f"{rng.choice(row[language].split())} {rest}".strip()
    return line


def names() -> dict[str, str]:
    """Every word that a name of the box is, for a look at what a line of prose may hit."""
    return {word: id for kind in ("activity", "event", "outdoor") for word, (id, *_) in ids_by_word(kind).items()}
