"""An option that a sentence tells by its number, and what it says beside that (`pbem/reading/numbered`).

It is played where every word of the game in the rest is true of the option's order; else it is among what is asked
back.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from engine.errors import OrderRefused
from engine.kit.words import folded
from engine.reference import Gist
from pbem.desk import commands, repairing
from pbem.desk.lists import Listed, offered, offers_mark
from pbem.desk.request import Request
from pbem.desk.session import Session
from pbem.desk.sorting import Sorted, SortedLine
from pbem.desk.supposing import DIE, around_of, is_talk
from pbem.desk.surely import Surely
from pbem.reading import directive
from pbem.reading.apart import parted
from pbem.reading.bars import bars
from pbem.reading.line import read
from pbem.reading.numbered import COLOURS, LAST, SEVERAL, SMALL, ToldOption, numbered, pieces
from pbem.reading.phrases import NUMBERS, words_of
from pbem.reading.signs import fold

_GREY = frozenset(("gray", "grey", "gris", "grise", "neutral", "neutre"))
_COLOURED = "|".join(COLOURS)
_VALUES = rf"[1-6]|{'|'.join(word for word, n in NUMBERS.items() if n <= 6)}"
_DICE = re.compile(rf"\b(?:(?P<before>{_VALUES})\s+)?(?P<colour>{_COLOURED})(?:\s+(?P<after>{_VALUES}))?\b")
_OPPOSED = ("black", "noir", "noirs", "noire")
_OF = frozenset(("with", "avec", "from", "off", "of", "de", "d", "chez", "using", "buying"))
"""What stands before somebody whose die it is."""
_GREETED = frozenset(("others",))
"""The kinds of what may be said beside an option's number where all is surely a directive."""
_SENTENCES = re.compile(r"(?<=[.!?])\s+|,\s+")
MOST_TOLD = 2
"""Options told in one line that are asked back."""


def told(request: Request, session: Session, letter: Sorted, row: SortedLine, names: Collection[str]) -> Gist | None:
    """The orders of the option that the only line of a letter that says anything tells by its number, and by nothing
    that is not true of it; None where that is not certain."""
    if len(letter.rows) > 1 or row.read.is_number or row.read.sure or commands.line_of(row.read):
        return None
    state = session.now.state
    if request.held is not None or request.late or state is None:
        return None
    if (asked := session.decision()) is None or asked.answered:
        return None
    around = around_of(request, names)
    parts = parted(row.line, around)
    found = numbered(parts.said, names)
    if found is None or parts.unused or parts.left:
        return None
    sure = len(found.numbers) == 1 and is_talk(request, found.before)
    if sure:
        line = Surely.of(request, row.line, parts.said, around)
        sure = line.logit >= directive.LEAST and line.is_enough and line.barred <= _GREETED
    rest = [said for text in letter.unread if (said := parted(text, around).said)]
    if not (found.is_clear or sure):
        return None
    if any(bars(part, names) or not is_talk(request, part) for part in rest):
        return None
    text = option(request, session, found.number)
    if not text or any(commands.command_of(one) for one in text.split("\n")):
        return None
    shown = request.game.moderation.redacted(state, request.seat)
    left = _unexplained(request, shown, text, found, sure=sure)
    if left is None or repairing.tried(request, session, text.split("\n")) is None:
        return None
    return Gist(tuple(text.split("\n")), (*parts.beside, *left))


def asked_back(request: Request, session: Session, line: str, names: Collection[str]) -> tuple[str, ...]:
    """What a line may mean that tells an option by its number and is not certain: what is near to the option with its
    other words, and the option; nothing where the number is of what stands before it: «my cathedral number 5», «mes
    trois blancs : le 1, le 2 et le 3»."""
    found = numbered(line, names)
    if found is None or session.decision() is None or len(found.numbers) > MOST_TOLD:
        return ()
    if (words := words_of(found.before)) and not is_talk(request, f"the {words[-1][0]}"):
        return ()
    if found.lead and not is_talk(request, found.lead):
        return ()
    texts = tuple(filter(None, (option(request, session, number) for number in found.numbers)))
    if len(texts) != 1 or not found.rest or "\n" in texts[0]:
        return texts
    state = request.game.moderation.redacted(session.now.state, request.seat)
    near = request.game.reference.repairs(state, request.seat, f"{_english(request, state, texts[0])}, {found.rest}")
    return tuple(dict.fromkeys((*(request.worded(state, text) for text in near[:1]), *texts)))


def told_beside(request: Request, rows: Sequence[str]) -> tuple[str, ...]:
    """What stands for the options that sentences beside a question tell by their numbers: «What's left? ok, 2»."""
    session, names = Session(request, request.state, request.entries), tuple(request.names.values())
    if session.decision() is None or request.held is not None or request.late:
        return ()
    parts = [part for raw in rows for part in _SENTENCES.split(fold(raw)) if part.strip() and "?" not in part]
    found = [(read(part, names), numbered(part, names)) for part in parts]
    said = [(one.number,) if one.is_number else two.numbers if two else () for one, two in found]
    return tuple(filter(None, (option(request, session, told[0]) for told in said if len(told) == 1 and told[0])))


def option(request: Request, session: Session, number: int) -> str:
    """What a number stands for in the only list that it can count in, a line or more; empty for nothing."""
    offers = tuple(one.text for one in offered(request.game, session.now.state, request.seat, request.language))
    listed = request.listed
    if session.played or len(listed) > 1:
        return ""
    texts, mailed = offers, listed[0] if listed else Listed()
    if mailed.choices:
        texts = mailed.choices
    elif listed and mailed.mark != offers_mark(offers):
        return ""
    if number == LAST:
        number = mailed.only[-1] if mailed.only else len(texts)
    return texts[number - 1] if 1 <= number <= len(texts) and mailed.shows(number) else ""


def _english(request: Request, state: Any, order: str) -> str:
    try:
        return request.game.read(state, request.seat, order).text
    except OrderRefused:
        return order


def _unexplained(
    request: Request, state: Any, text: str, found: ToldOption, *, sure: bool
) -> tuple[str, ...] | None:
    """What is said beside an option and says nothing of the game; None where something is not true of it. In a line
    that is surely a directive people may be greeted, and what is said may go on without a mark."""
    orders = tuple(_english(request, state, one) for one in text.split("\n"))
    whose = {word for order in orders for word, _, _ in words_of(order.replace(":", " "))}
    others = {word for seat, name in request.names.items() if seat != request.seat for word, _, _ in words_of(name)}
    words = [word for word, _, _ in words_of(found.rest)]
    said = {word.removesuffix("'s") for word in words}
    if sure:
        said = {word.removesuffix("'s") for at, word in enumerate(words) if _owns(words, at)}
    rest = _without_dice(found.rest, " ".join(orders))
    if rest is None or not said & others <= whose or (len(orders) > 1 and rest):
        return None
    left: list[str] = []
    named = rest != found.rest
    for part in pieces(rest):
        if SMALL.issuperset(word for word, _, _ in words_of(part)):
            continue
        explains = _explains(request, state, orders[0], part)
        named = named or explains is True
        if explains is None and not is_talk(request, part):
            return None
        if not explains:
            left.append(part)
    if (found.must_name and not named) or (found.goes_on and left and not sure):
        return None
    return tuple(left)


def _owns(words: Sequence[str], at: int) -> bool:
    """Whether a name is of whose something is, and no greeting: «with Faye's», «de Faye»."""
    return words[at].endswith("'s") or (at > 0 and words[at - 1] in _OF)


def _explains(request: Request, state: Any, order: str, said: str) -> bool | None:
    """Whether an order explains what is said beside it; False where this says nothing of the game, None where it says
    something else."""
    reference, seat = request.game.reference, request.seat

    def gist(words: str) -> Gist | None:
        found = reference.gist(state, seat, f"{order}, {words}")
        return found if found is not None and found.orders == (order,) else None

    if (found := gist(said)) is not None:
        return not found.unread or not _is_wholly(found.unread, said)
    known = [word for word, _, _ in words_of(said) if reference.explain(word, state) is not None or word in NUMBERS]
    if not known and not reference.repairs(state, seat, said, request.language):
        return False
    strange = [word for word, _, _ in words_of(said) if word not in known]
    near = bool(known) and all(gist(word) for word in (*known, *strange))
    return True if near and gist(" ".join(known)) is not None else None


def _is_wholly(unread: Collection[str], said: str) -> bool:
    return {word for text in unread for word, _, _ in words_of(text)} >= {word for word, _, _ in words_of(said)}


def _without_dice(rest: str, orders: str) -> str | None:
    """What is said beside an option without the dice that it names; None where one of them is not the option's."""
    dice = [(found["owner"] or "", found["colour"], found["value"]) for found in DIE.finditer(orders)]
    if not dice:
        return rest
    named = [COLOURS[found["colour"]] for found in _DICE.finditer(rest)]
    several = not SEVERAL.isdisjoint(word for word, _, _ in words_of(rest))
    if several and any([colour for _, colour, _ in dice].count(one) < 2 for one in named):
        return None
    for found in _DICE.finditer(rest):
        said = found["after"] or found["before"]
        value = str(NUMBERS.get(said, said)) if said and said not in ("one", "un", "une") else ""
        if not any(colour == COLOURS[found["colour"]] and value in ("", face) for _, colour, face in dice):
            return None
    rest = _DICE.sub(" ", rest)
    whose = {folded(owner) for owner, _, _ in dice}
    kept: list[str] = []
    for word in rest.split():
        name = word.removesuffix("'s").removesuffix(",")
        grey = name in _GREY and "gray" in whose
        if not (grey or name in whose or (name in _OPPOSED and orders.startswith("counter"))):
            kept.append(word)
    return " ".join(kept)
