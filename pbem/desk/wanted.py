"""What stands in a sentence for the `{}` of a want (`pbem/reading/wants.toml`): a card, dates, hours, an order, a zone.

Each finder gives what is to be written there and the places of its words, or nothing where the sentence has none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from itertools import pairwise, takewhile
from zoneinfo import available_timezones

from engine.chance import Unknown
from engine.errors import OrderRefused
from engine.kit.words import folded, near
from pbem.clocks.dates import period
from pbem.desk import commands
from pbem.desk.commands.hours import language_of
from pbem.desk.request import Request
from pbem.desk.seated import COMPUTER
from pbem.desk.session import Session
from pbem.reading import kinds
from pbem.reading.phrases import NUMBERS
from pbem.reading.wants import Sentence, stem

Found = Iterator[tuple[str, frozenset[int]]]
"""What may stand there, the likest first."""

_LONGEST = 5
"""Words of a name at most."""
_OWN = frozenset({"my", "our", "mon", "ma", "mes", "notre", "nos"})
_IDLE = frozenset(
    (
        *("de", "des", "die", "dice", "place", "tour", "turn", "move", "moves", "score", "scores", "vp", "pv", "point"),
        *("points", "choice", "choices", "choix", "solo", "option", "options", "order", "ordre"),
    )
)
"""Words of the game that people use for other things."""
_KINDS = frozenset(
    ("tile", "tuile", "carte", "card", "event", "evenement", "character", "personnage", "rempart", "rampart")
)
"""What a name may be called with."""
_TIME = r"(\d{1,2}|noon|midday|midi|midnight|minuit)\s*(?:h|:|heures?|o'clock)?\s*(?:00)?\s*(am|pm|a\.m\.|p\.m\.)?"
_HOURS = re.compile(rf"\b{_TIME}\s*(?:-|to|till|until|and|et|a|jusqu'a)\s*{_TIME}(?![\w/])")
_HOUR = re.compile(
    r"(?<![\d/.])(?:\b(at|a|vers|around|by)\s+)?(\d{1,2}|noon|midday|midi|midnight|minuit)"
    r"(\s*(?:h(?:00)?|heures?|:00|o'clock))?\s*(am|pm|a\.m\.|p\.m\.)?(?![\w/:])"
)
_TO_SEE = re.compile(
    r"[\s,;.?!(–—-]+(?:(?:mais|but|et|and)\s+)?(?:(?:(?:just|juste|c'est|it's|only)\s+)*"
    r"(?:to see|pour voir|svp|stp|please|pls)"
    r"|(?:ça|ca|cela) (?:donne|fait|donnerait|ferait) quoi|(?:qu'est-ce que )?(?:ça|ca|cela) (?:donnerait|ferait)"
    r"|(?:(?:sans|et ne pas|ne pas)\s+(?:(?:le|la|les|rien|vraiment|encore)\s+)*(?:jouer|valider|envoyer))"
    r"|without (?:really )?(?:playing|doing)(?: it| that| anything)?|don't play it|what happens|what would happen)$",
    re.IGNORECASE,
)
_STEM = 4
"""Letters of a stem that two words must share."""
_NAMED_HOURS = {"noon": 12, "midday": 12, "midi": 12, "midnight": 0, "minuit": 0}
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_RULING = re.compile(r"[ade]\d{1,3}")
_UNITS = {
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours", "heure", "heures"), 1),
    **dict.fromkeys(("j", "d", "day", "days", "jour", "jours"), 24),
}
_DATED = re.compile(r"\d|demain|tomorrow|today|aujourd|day\b|di\b|dimanche|week|semaine|jours?\b")
_SHORT = frozenset({"utc", "gmt"})
_ELSEWHERE = {
    town: zone
    for zone, towns in {
        "Europe/Paris": "france marseille lyon troyes", "Europe/Brussels": "belgique belgium bruxelles",
        "Europe/Zurich": "suisse switzerland geneve geneva lausanne", "Europe/Berlin": "allemagne germany",
        "Europe/London": "londres uk england angleterre", "America/Toronto": "quebec", "Europe/Rome": "italie italy",
        "Europe/Madrid": "espagne spain",
    }.items()
    for town in towns.split()
}  # fmt: skip
"""Places that no zone is named after."""


def finder(takes: str, request: Request, session: Session) -> Callable[[Sentence, frozenset[int]], Found]:
    """What finds it, in a sentence whose words at some places are spent."""
    return {
        "": lambda sentence, spent: iter((("", frozenset()),)),
        "word": lambda sentence, spent: _words(request, sentence, spent),
        "term": lambda sentence, spent: _terms(request, sentence, spent, frozenset()),
        "any_word": lambda sentence, spent: _terms(request, sentence, spent, commands.words()),
        "command": lambda sentence, spent: _each(sentence, lambda word: word if word in commands.words() else ""),
        "count": lambda sentence, spent: _each(sentence, _count),
        "hour": lambda sentence, spent: _at(sentence),
        "about": lambda sentence, spent: _about(request, sentence, spent),
        "order": lambda sentence, spent: _order(request, session, sentence, spent),
        "ruling": lambda sentence, spent: _each(sentence, lambda word: word.upper() if _RULING.fullmatch(word) else ""),
        "language": lambda sentence, spent: _each(sentence, _language),
        "hours": lambda sentence, spent: _hours(sentence),
        "span": lambda sentence, spent: _span(sentence),
        "zone": lambda sentence, spent: _zone(sentence),
        "address": lambda sentence, spent: _address(sentence),
        "dates": lambda sentence, spent: _dates(request, sentence),
        "computer": lambda sentence, spent: _computer(request),
        "kept": lambda sentence, spent: _kept(request, session),
    }[takes]


def _each(sentence: Sentence, read: Callable[[str], str]) -> Found:
    yield from ((found, frozenset({at})) for at, word in enumerate(sentence.words) if (found := read(word)))


def _language(word: str) -> str:
    # A code is a word of the other language: «en».
    return language_of(word) or "" if len(word) > 2 else ""


def _words(request: Request, sentence: Sentence, spent: frozenset[int]) -> Found:
    """Names of cards, places and words of rules, the longest first; none that is the writer's own («my score»)."""
    taken, filler = set(spent), sentence.idle
    # «the tile II», «l'événement Maraudage»: what it is called stands behind.
    taken.update(at for at, word in enumerate(sentence.words[:-1]) if word in _KINDS)
    for size in range(_LONGEST, 0, -1):
        for at in range(len(sentence.words) - size + 1):
            places = range(at, at + size)
            if taken.intersection(places) or (size == 1 and at in filler):
                continue
            if at and sentence.words[at - 1] in _OWN:
                continue
            if name := _known(request, sentence, at, size):
                taken.update(places)
                yield name, frozenset(places)


def _known(request: Request, sentence: Sentence, at: int, size: int) -> str:
    game, words = request.game.reference, sentence.words[at : at + size]
    said = "-".join(words)
    if size > 1:
        return said if game.explain(said, request.state) else ""
    if kinds.names_die(said) or said in _IDLE or said.isdigit():
        return ""
    if at and sentence.words[at - 1] in _KINDS:
        told = game.explain(sentence.part(at, at + 1), request.state) or game.explain(said, request.state)
        return sentence.part(at, at + 1) if told else ""
    if len(said) < 4:
        return ""
    forms = (
        *(said, said.removesuffix("s"), f"{said}r", said.removesuffix("ez") + "er", said.removesuffix("ons") + "er"),
        *(said.removesuffix("ing"), said.removesuffix("ing") + "e"),
    )
    if found := next((form for form in forms if game.explain(form, request.state)), ""):
        return found
    if stemmed := _stems(game.words()).get(stem(said), ""):
        return stemmed
    return next((one for one in near(said, game.words(), 1, 0.85) if game.explain(one, request.state)), "")


def _terms(request: Request, sentence: Sentence, spent: frozenset[int], others: Collection[str]) -> Found:
    """The longest words of the game that are asked for themselves, however short, or one of others; any may be common
    where others are told."""
    game, taken = request.game.reference, spent | sentence.holds("denied")
    stems = _stems(game.words())
    for idle in (sentence.idle, frozenset[int]())[: 1 + bool(others)]:
        for size in range(_LONGEST, 0, -1):
            found = []
            for at in range(len(sentence.words) - size + 1):
                places, said = frozenset(range(at, at + size)), "-".join(sentence.words[at : at + size])
                if places <= idle or places & taken or said.isdigit() or (at and sentence.words[at - 1] in _OWN):
                    continue
                known = said in others or game.explain(said, request.state) is not None
                if word := said if known else stems.get(stem(said)):
                    found.append((word, places))
            if found:
                yield from found
                return


@lru_cache(maxsize=8)
def _stems(known: tuple[str, ...]) -> dict[str, str]:
    """The words of a game by their stems, so that «expulsé» is «expulser»; of several the first."""
    stems = ((stem(word), word) for word in reversed(known))
    return {bare: word for bare, word in stems if len(bare) >= _STEM}


def _count(word: str) -> str:
    number = int(word) if word.isdigit() else NUMBERS.get(word, 0)
    return str(number) if number > 1 else ""


def _at(sentence: Sentence) -> Found:
    """An hour of the day: «à 20h», «at 8pm», «à 7 heures»."""
    for found in _HOUR.finditer(folded(sentence.raw)):
        hour = _hour(found[2], found[4])
        if (found[1] or found[3] or found[4]) and hour < 24:
            yield str(hour), _between(sentence, *found.span())
            return


def _about(request: Request, sentence: Sentence, spent: frozenset[int]) -> Found:
    """Dice, colours and names behind the words of the want."""
    game, spent = request.game.reference, spent | sentence.idle
    known = frozenset(map(folded, game.words()))
    rest = [(at, word) for at, word in enumerate(sentence.words) if at not in spent and word not in _IDLE]
    told = [at for at, word in rest if word in known or game.explain(word) or any(map(str.isdigit, word))]
    if told and not all(sentence.words[at].isdigit() for at in told):
        yield " ".join(sentence.part(at, at + 1) for at in told), frozenset(told)


def _order(request: Request, session: Session, sentence: Sentence, spent: frozenset[int]) -> Found:
    """An order behind words of the want, its verb in any form."""
    count, firsts = len(sentence.words), sorted(at + 1 for at in spent if at + 1 not in spent)
    # «construire» may belong to the words before it.
    for at in (at for first in firsts for at in range(first, min(first + 3, count))):
        text, verb = _bare(sentence.raw[sentence.spans[at][0] :]), sentence.words[at]
        for one in (verb, *_verbs(verb, request.game.reference.verbs())):
            line = text if one == verb else f"{one}{text[len(verb) :]}"
            with suppress(OrderRefused):
                order = session.understand(line).text
                yield request.worded(request.state, order), frozenset(range(at, count))
                return


def _bare(order: str) -> str:
    """Without the words behind an order that only ask what it would do."""
    while (text := _TO_SEE.sub("", order.rstrip(" ?!.…)"))) != order:
        order = text
    return order


def _verbs(said: str, verbs: frozenset[str]) -> list[str]:
    """Verbs that begin like a form of them, the likest first."""

    def alike(verb: str) -> int:
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(said, folded(verb), strict=False)))

    begun = (verb for verb in verbs if len(verb) > 2 and said.startswith(folded(verb)[:4]))
    return sorted(begun, key=alike, reverse=True)[:3]


def _hours(sentence: Sentence) -> Found:
    text = folded(sentence.raw)
    if found := _HOURS.search(text):
        first, last = (_hour(found[at], found[at + 1]) for at in (1, 3))
        if first < 24 and last < 24 and first != last:
            yield f"{first}-{last}", _between(sentence, *found.span())


def _hour(said: str, half: str | None) -> int:
    hour = _NAMED_HOURS.get(said, int(said) if said.isdigit() else 0)
    return hour % 12 + 12 * half.startswith("p") if half else hour % 24 if hour == 24 else hour


def _span(sentence: Sentence) -> Found:
    yield from (("24h", frozenset({at})) for at, word in enumerate(sentence.words) if word == "veille")
    words = [part for word in sentence.words for part in re.findall(r"\d+|[a-z]+", word)]
    for count, unit in pairwise(words):
        number = int(count) if count.isdigit() else NUMBERS.get(count, 0)
        if number and unit in _UNITS:
            spent = {at for at, word in enumerate(sentence.words) if word in (count, unit, count + unit)}
            yield f"{number * _UNITS[unit]}h", frozenset(spent)


@cache
def _zones() -> Mapping[str, str]:
    """Zones by the names of their towns."""
    found = {}
    for name in sorted(available_timezones(), key=lambda name: ("/" in name, name)):
        town = folded(name).rpartition("/")[2].replace("_", " ")
        if len(town) > 3 or town in _SHORT:
            found[town] = name
    return {**found, **_ELSEWHERE}


def _zone(sentence: Sentence) -> Found:
    for size in (3, 2, 1):
        for at in range(len(sentence.words) - size + 1):
            if zone := _zones().get(" ".join(sentence.words[at : at + size])):
                region = at and folded(zone).startswith(f"{sentence.words[at - 1]}/")
                yield zone, frozenset(range(at - bool(region), at + size))
                return


def _address(sentence: Sentence) -> Found:
    if found := _ADDRESS.search(sentence.raw):
        yield found[0], _between(sentence, *found.span())


def _dates(request: Request, sentence: Sentence) -> Found:
    """The longest stretch that tells a day or two."""
    if request.now is None or request.hours is None:
        return
    today = request.now.astimezone(request.hours.zone).date()
    count = len(sentence.words)
    for size in range(min(count, 10), 0, -1):
        for at in range(count - size + 1):
            text = sentence.part(at, at + size)
            if _DATED.search(folded(text)):
                with suppress(OrderRefused):
                    period(text, today)
                    yield text, frozenset(range(at, at + size))
                    return


def _computer(request: Request) -> Found:
    """Nothing, where a computer plays for the writer."""
    if request.table.seat(request.seat).by == COMPUTER:
        yield "", frozenset()


def _kept(request: Request, session: Session) -> Found:
    """What the writer has said for later, each kind, where there are several."""
    reference, state = request.game.reference, session.now.state
    kinds: dict[str, str] = {}
    for word in sorted({*reference.verbs(), *reference.words()}):
        trial = Session(request, state, request.entries)
        with suppress(OrderRefused, Unknown):
            kinds.setdefault(trial.understand(f"cancel {word}").text.partition(" ")[2], word)
    told = []
    for kind in filter(None, kinds):
        trial = Session(request, state, request.entries)
        with suppress(OrderRefused, Unknown):
            trial.play(f"cancel {kind}", "")
            told += [kind] * (trial.now.state != state)
    yield from ((kind, frozenset()) for kind in told if len(told) > 1)


def _between(sentence: Sentence, first: int, last: int) -> frozenset[int]:
    return frozenset(at for at, (begins, _) in enumerate(sentence.spans) if first <= begins < last)
