"""What stands in a sentence for the `{}` of a want (`pbem/reading/wants.toml`): a card, dates, hours, an order, a zone.

Each finder gives what is to be written there and the places of its words, or nothing where the sentence has none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import combinations, pairwise, product, takewhile

from engine.chance import Unknown
from engine.errors import OrderRefused
from engine.kit.words import folded, near
from pbem.desk import commands
from pbem.desk.commands.hours import language_of
from pbem.desk.lists import offered
from pbem.desk.moments import Found, address, at_hour, dates, hours, span, zone
from pbem.desk.request import Request
from pbem.desk.seated import COMPUTER
from pbem.desk.session import Session
from pbem.reading import evidence
from pbem.reading.courtesy import NUMBERS
from pbem.reading.line import PlainLine, names_die, read
from pbem.reading.wants import Sentence

_LONGEST = 5
"""Words of a name at most."""
_OWN = frozenset({"my", "our", "mon", "ma", "mes", "notre", "nos"})
_IDLE = frozenset(
    (
        *("de", "des", "die", "dice", "place", "tour", "turn", "move", "moves", "score", "scores", "vp", "pv", "point"),
        *("points", "choice", "choices", "choix", "solo", "option", "options", "order", "ordre", "matin", "morning"),
    )
)
"""Words of the game that people use for other things."""
_KINDS = frozenset(
    ("tile", "tuile", "carte", "card", "event", "evenement", "character", "personnage", "rempart", "rampart")
)
"""What a name may be called with."""
_TO_SEE = re.compile(
    r"[\s,;.?!(–—-]+(?:(?:mais|but|et|and)\s+)?(?:(?:(?:just|juste|c'est|it's|only)\s+)*"
    r"(?:to see|pour voir|svp|stp|please|pls)"
    r"|(?:ça|ca|cela) (?:donne|fait|donnerait|ferait) quoi|(?:qu'est-ce que )?(?:ça|ca|cela) (?:donnerait|ferait)"
    r"|(?:(?:sans|et ne pas|ne pas)\s+(?:(?:le|la|les|rien|vraiment|encore)\s+)*(?:jouer|valider|envoyer))"
    r"|without (?:really )?(?:playing|doing)(?: it| that| anything)?|don't play it|what happens|what would happen)$",
    re.IGNORECASE,
)
_CALLED = frozenset(
    ("la", "le", "l", "option", "numero", "number", "no", "n", "choix", "choice", "proposition", "possibilite", "coup")
)
"""What stands before the number of an option."""
_STEM = 4
"""Letters of a stem that two words must share."""
_ENDING = re.compile(r"(?:ations?|ements?|ees?|es|ers?|ez|ent|ant|ons|ions?|ing|ed|e|s)$")
_DIE = re.compile(
    r"(?P<colour>[a-z]{3,})\s+(?P<value>[1-6])\b|\b(?P<before>[1-6])\s+(?P<after>[a-z]{3,})", re.IGNORECASE
)
"""A die by its colour."""
_RULING = re.compile(r"[ade]\d{1,3}")


def finder(takes: str, request: Request, session: Session) -> Callable[[Sentence, frozenset[int]], Found]:
    """What finds it, in a sentence whose words at some places are spent."""
    return {
        "": lambda sentence, spent: iter((("", frozenset()),)),
        "word": lambda sentence, spent: _words(request, sentence, spent),
        "term": lambda sentence, spent: _terms(request, sentence, spent, frozenset()),
        "any_word": lambda sentence, spent: _terms(request, sentence, spent, commands.words()),
        "command": lambda sentence, spent: _each(sentence, lambda word: word if word in commands.words() else ""),
        "count": lambda sentence, spent: _each(sentence, _count),
        "hour": lambda sentence, spent: at_hour(sentence),
        "about": lambda sentence, spent: _about(request, sentence, spent),
        "order": lambda sentence, spent: _order(request, session, sentence, spent),
        "ruling": lambda sentence, spent: _each(sentence, lambda word: word.upper() if _RULING.fullmatch(word) else ""),
        "language": lambda sentence, spent: _each(sentence, _language),
        "hours": lambda sentence, spent: hours(sentence),
        "span": lambda sentence, spent: span(sentence),
        "zone": lambda sentence, spent: zone(sentence),
        "address": lambda sentence, spent: address(sentence),
        "dates": lambda sentence, spent: dates(request, sentence),
        "computer": lambda sentence, spent: _computer(request),
        "kept": lambda sentence, spent: _kept(request, session),
        "name": lambda sentence, spent: _named(request, sentence, spent),
        "like_order": lambda sentence, spent: _like_order(request, session, sentence, spent),
        "standing": lambda sentence, spent: standing(request, session, sentence),
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
    if names_die(said) or said in _IDLE or said.isdigit():
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
    if stemmed := _stems(game.words()).get(_stem(said), ""):
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
                if word := said if known else stems.get(_stem(said)):
                    found.append((word, places))
            if found:
                yield from found
                return


@lru_cache(maxsize=8)
def _stems(known: tuple[str, ...]) -> dict[str, str]:
    """The words of a game by their stems, so that «expulsé» is «expulser»; of several the first."""
    stems = ((_stem(word), word) for word in reversed(known))
    return {stem: word for stem, word in stems if len(stem) >= _STEM}


def _stem(word: str) -> str:
    return _ENDING.sub("", word)


def _count(word: str) -> str:
    number = int(word) if word.isdigit() else NUMBERS.get(word, 0)
    return str(number) if number > 1 else ""


def _named(request: Request, sentence: Sentence, spent: frozenset[int]) -> Found:
    """The likest names and words of rules: proper ones, quoted ones and long ones, then others, dice and verbs last."""
    verbs = frozenset(map(folded, request.game.reference.verbs()))
    smaller = sentence.idle | sentence.holds("asking")

    def rank(one: tuple[str, frozenset[int]]) -> tuple[float, int]:
        word, places = one
        first = min(places)
        begins = sentence.spans[first][0]
        proper = first > 0 and sentence.raw[begins].isupper() and not sentence.raw.isupper()
        quoted = sentence.raw[:begins].rstrip()[-1:] in ("«", '"', "“", "'", "‘")
        common = word in verbs or names_die(word) or word in _IDLE or places <= smaller
        return -(1.0 * len(places) + proper + 2 * quoted - 2 * common), first

    found = [*_words(request, sentence, spent)]
    found += [one for one in _terms(request, sentence, spent, frozenset()) if one not in found]
    found = [one for one in found if one[0] not in commands.words()]
    yield from sorted(found, key=rank)[:2]


def _like_order(request: Request, session: Session, sentence: Sentence, spent: frozenset[int]) -> Found:
    """The orders that are nearest to a sentence, without the words that only ask what they would do."""
    idle, game, state = spent | sentence.holds("denied"), request.game, session.now.state
    if session.decision() is None:
        return
    told = " ".join(sentence.part(at, at + 1) for at in range(len(sentence.words)) if at not in idle)
    redacted = game.moderation.redacted(state, request.seat)
    seen = game.reference.repairs(redacted, request.seat, told, request.language)
    verbs = game.reference.verbs()
    alone = (verb for at in range(len(sentence.words)) if at not in idle for verb in _verbs(sentence.words[at], verbs))
    first = (one for number in _numbered(sentence) for one in _orders(session, session.meant, number))
    said = (one for text in (sentence.raw, told) for one in _orders(session, lambda line: (line.text,), text))
    seen = tuple(request.worded(state, order) for order in (*first, *said)) + seen
    if not seen:
        seen = tuple(one for verb in alone for one in _orders(session, lambda line: (line.text,), verb))
    places = frozenset(range(len(sentence.words))) - spent
    yield from ((order, places) for order in dict.fromkeys(seen) if commands.command_of(order) is None)


def _orders(session: Session, meant: Callable[[PlainLine], Sequence[str]], text: str) -> Iterator[str]:
    """The orders that a text is, none where it is no order."""
    with suppress(OrderRefused):
        yield "\n".join(session.understand(one).text for one in meant(read(text)))


def _numbered(sentence: Sentence) -> Iterator[str]:
    """The number of an option, as one is called: «la 2», «number 4»."""
    for before, word in pairwise(sentence.words):
        number = int(word) if word.isdigit() else NUMBERS.get(word, 0)
        if number and before in _CALLED:
            yield str(number)


def standing(request: Request, session: Session, sentence: Sentence) -> Found:
    """A standing order: a verb or a word of the game in the sentence, and when it is to be carried out."""
    verbs, said = request.game.reference.verbs(), evidence.conditions(sentence.words)
    known = frozenset(map(folded, request.game.reference.words()))
    # What is to be every round may have to wait for something as well.
    some = (" ".join(part) for size in range(len(said), 1, -1) for part in combinations(said, size))
    more = (f"{one} {other}" for one, other in product(evidence.STANDING, said) if one not in said)
    ways = dict.fromkeys((*some, *more, said[-1] if said else "", said[0] if said else "", ""))
    for at, word in enumerate(sentence.words):
        for one in (*_verbs(word, verbs), *((word,) if word in known else ())):
            for way in ways:
                line = f"auto: {one}{', ' if way and not way.startswith('when') else ' '}{way}".strip()
                with suppress(OrderRefused):
                    if (order := session.understand(line)).anytime:
                        yield request.worded(session.now.state, order.text), frozenset({at})
                        return


def for_ever(request: Request, session: Session, raw: str) -> tuple[str, ...]:
    """The standing order of a sentence that says that something is to be done each time."""
    sentence = Sentence.of(raw)
    if not any(one.startswith("every") for one in evidence.conditions(sentence.words)):
        return ()
    return tuple(text for text, _ in standing(request, session, sentence))


def _about(request: Request, sentence: Sentence, spent: frozenset[int]) -> Found:
    """Dice, colours and names behind the words of the want."""
    game, spent = request.game.reference, spent | sentence.idle
    known = frozenset(map(folded, game.words()))
    rest = [(at, word) for at, word in enumerate(sentence.words) if at not in spent and word not in _IDLE]
    rest = [(at, word) for at, word in rest if sentence.raw[: sentence.spans[at][0]][-1:] != "+"]
    told = [at for at, word in rest if word in known or game.explain(word) or any(map(str.isdigit, word))]
    if told and not all(sentence.words[at].isdigit() for at in told):
        yield _dice_spelled(request, " ".join(sentence.part(at, at + 1) for at in told)), frozenset(told)
        # One of them may have been said by the way: «l'évêché … ce matin».
        yield from ((sentence.part(at, at + 1), frozenset({at})) for at in told[: 2 * (len(told) > 1)])


def _dice_spelled(request: Request, text: str) -> str:
    """The same with dice as this game's orders have them: «le blanc 4» is «B4»."""
    offers = offered(request.game, request.state, request.seat, request.language)
    listed = " ".join(folded(offer.text) for offer in offers)

    def spelled(found: re.Match[str]) -> str:
        colour, value = found["colour"] or found["after"], found["value"] or found["before"]
        die = f"{colour[0]}{value}".upper()
        return die if re.search(rf"\b{folded(die)}\b", listed) else found[0]

    return _DIE.sub(spelled, text)


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

    def unlike(verb: str) -> tuple[int, str]:
        alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(said, folded(verb), strict=False)))
        return -alike, verb

    begun = (verb for verb in verbs if len(verb) > 2 and said.startswith(folded(verb)[:4]))
    return sorted(begun, key=unlike)[:3]


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
