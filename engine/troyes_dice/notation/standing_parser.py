"""Parse standing orders: `later: white 5: cathedral | knowledge 4+ max 2`, `auto: …`, `cancel`.

A goal is said in the words of an order, of dice that are not known yet. It spends only what it allows: a die is used as
it lies, and a price that leaves a choice only if the line says what pays, or how much may be spent in all.
"""

from __future__ import annotations

import re
from functools import lru_cache

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood, OrderRefused, Unclear, unknown_word
from engine.game import Reading
from engine.kit.words import fold_text, kebab
from engine.troyes_dice.actions.standing_orders import MOST
from engine.troyes_dice.card_data.sheet import COLOUR
from engine.troyes_dice.notation.grammar import READ, OrderToken, ParsedOrder, Parser, UnexpectedToken, passes, tokenize
from engine.troyes_dice.notation.order_words import STANDING, standing_words
from engine.troyes_dice.state.kept_plans import KINDS
from engine.troyes_dice.state.orders import AutoBonus, AutoGoals, Goal, LaterGoals, Order, Standing, TakeBack

_MEANS = standing_words()
_BEGINS = re.compile(r"\s*(plus[ -]tard|\S+?)\s*(:\s*|\s+|$)(.*)", re.DOTALL)
_MAX = re.compile(
    rf"[,;]?\s*\b(?:{'|'.join(word.replace('-', ' ') for row in STANDING['max'] for word in row.split())})\.?\s+"
    r"(\d{1,2})\b(?:\s+(?:in all|en tout|resources?|ressources?)\b)?"
)
_FREE = re.compile(r"[,;]?\s*\b(?:for free|for nothing|free|gratuitement|gratuit)\s*$")
_LEAST = (
    re.compile(r"\b(?:at least|au moins)\s+(\d)\b"),
    re.compile(r"\b(\d)\s+(?:or|and|ou|et)\s+(?:more|better|higher|above|up|plus|mieux|davantage)\b"),
)
"""How people say `4+`."""
_HIGHER = re.compile(r"(?<![+\d])(\d)\s*\+(?!\s*\d)")
_EVERY_DAY = re.compile(
    rf"[,;]?\s*\b(?:{'|'.join(word for word, means in _MEANS.items() if means == 'every-day').replace('-', '[ -]')})$"
)
_SPLIT = re.compile(r"\s*\|\s*")
_STRANGE = ("made", "counts", "way", "plaza", "bonus")
"""What may be said of a die that lies, and not of one to come."""


@lru_cache(maxsize=READ)
def parse_standing(line: str) -> Reading[Order] | None:
    """Return a standing order without its text; None if the line is none. Raises NotUnderstood, NotAllowed, Unclear."""
    found = _BEGINS.fullmatch(fold_text(line).strip().rstrip(".!"))
    if found is None:
        return None
    colon, rest = ":" in found[2], found[3].strip()
    try:
        match _MEANS.get(kebab(found[1])):
            case "later" if colon:  # «See you later!» is talk
                return Reading(LaterGoals(_goals(rest)), "", anytime=True)
            case "auto":
                return Reading(_auto(rest), "", anytime=True)
            case "cancel":
                return Reading(_cancel(rest), "", anytime=True)
    except OrderRefused as refused:
        refused.anytime = True
        raise
    return None


def standing_kinds() -> Msg:
    """Return what there is to say for later."""
    return T(
        "Standing orders are «later: white 5: cathedral | knowledge 4+ max 2», «auto: deniers» for the rest of this "
        "day, «auto: bonus counts-palace 3, yellow»; the last two also with «every day»."
    )


def _auto(text: str) -> Standing:
    words, always = _EVERY_DAY.subn("", text)
    terms = tokenize(words)
    if passes(terms):
        raise NotUnderstood(T("Nobody passes in Troyes Dice: who can pay for a die uses one each half day."), rule="A5")
    if not terms or terms[0].kind != "bonus":
        return AutoGoals(_goals(words), bool(always))
    parts = Parser(terms[1:])
    try:
        choices = parts.choices()
    except UnexpectedToken:
        choices = ()
    if not choices or parts.kind():
        raise NotUnderstood(standing_kinds())
    _few(choices)
    return AutoBonus(tuple(word if column is None else f"{word} {column}" for word, column in choices), bool(always))


def _cancel(text: str) -> TakeBack:
    word = kebab(text.replace(":", " ")).removeprefix("auto-")
    what = _MEANS.get(word, word)
    if what not in ("", "all", *KINDS.values()):
        raise NotUnderstood(T("«cancel» takes back all your standing orders; «cancel later», auto or bonus one kind."))
    return TakeBack("" if what == "all" else what)


def _few(said: tuple[object, ...]) -> None:
    if len(said) > MOST:
        raise NotAllowed(T("One standing order holds at most {n} goals or choices.", n=MOST))


def _goals(text: str) -> tuple[Goal, ...]:
    lines = _SPLIT.split(text.strip())
    if not all(lines):
        raise Unclear(
            T("Say what is wanted of the dice to come, the first choice first: {kinds}", kinds=standing_kinds())
        )
    _few(tuple(lines))
    return tuple(map(_goal, lines))


def _goal(line: str) -> Goal:
    """Parse one goal. Raises NotUnderstood, NotAllowed."""
    most, text = -1, line
    if found := _MAX.search(text):
        most, text = int(found[1]), f"{text[: found.start()]} {text[found.end() :]}".strip(" ,;")
    elif found := _FREE.search(text):
        most, text = 0, text[: found.start()].strip(" ,;")
    for wording in _LEAST:
        text = wording.sub(r"\1+", text)
    higher = False
    for plus in _HIGHER.finditer(text):
        before = _known(text[: plus.start()])
        higher = higher or (bool(before) and before[-1].kind in ("colour", "letter"))
    text = _HIGHER.sub(r"\1", text)
    try:
        wish = Parser(_known(text)).read() if text else ParsedOrder()
    except UnexpectedToken as misfit:
        typed = misfit.term.typed if misfit.term is not None else line
        says = misfit.why or T("«{word}» does not fit in «{line}».", word=typed, line=line)
        raise NotUnderstood(says) from None
    return _made(wish, line, higher, most)


def _made(wish: ParsedOrder, line: str, higher: bool, most: int) -> Goal:
    if not wish.use or (wish.value is not None and not wish.colour):
        raise NotUnderstood(
            T("«{line}» does not say a building or a resource, with a colour where it says a value.", line=line)
        )
    if any(getattr(wish, said) != getattr(ParsedOrder(), said) for said in _STRANGE):
        says = T("«{line}» says more of a die than can be known before it lies.", line=line)
        raise NotAllowed(says, possible=(T("«max 2» lets a goal spend up to 2 resources, on colour and value too."),))
    if wish.paid:
        raise NotAllowed(T("In «{line}», «max» says how much may be spent, and «pay» what pays.", line=line))
    at = wish.at or 0
    if wish.use in COLOUR and at > 6:
        raise NotAllowed(T("There are six columns."))
    if wish.value is not None and not 0 <= wish.value <= 6:
        raise NotAllowed(T("A die shows 1 to 6."))
    return Goal(wish.use, at, wish.colour, wish.value or 0, higher and bool(wish.value), most, wish.pay)


def _known(line: str) -> tuple[OrderToken, ...]:
    """Return the terms of some words. Raises NotUnderstood for an unknown one."""
    terms = tokenize(line)
    if strange := next((term for term in terms if term.kind == "unknown"), None):
        raise unknown_word(strange.typed, line)
    return terms
