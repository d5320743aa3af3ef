"""A half day as it is written, read without the grammar: each part is looked up among those that it is written with.

The tables are the writer's words turned round, in each language that orders are written in. A line that holds anything
else is not read here, and neither is one that the grammar would ask about or refuse: the grammar says what it means.
"""

from __future__ import annotations

from functools import cache

from engine.errors import NotAllowed
from engine.game import Reading
from engine.troyes_dice.actions import answers
from engine.troyes_dice.actions.half_day import settled
from engine.troyes_dice.box.sheet import COLOUR, COLOURS, COLUMNS, RESOURCES
from engine.troyes_dice.notation.words import WRITTEN
from engine.troyes_dice.notation.writing import chosen_text, pay_text, said, use_text, write
from engine.troyes_dice.state.dice import FACES, laid
from engine.troyes_dice.state.orders import RESOURCES_USE, HalfDay, Order
from engine.troyes_dice.state.state import SLOTS, DiceState

_VALUES = (0, *FACES)
"""What a die may count."""


class _HalfDayWords:
    """The parts of a half day as one language writes them, to what they mean."""

    def __init__(self, language: str) -> None:
        faces = {f"{colour} {value}": (colour, value) for colour in COLOURS for value in _VALUES}
        plazas = ("", *(f" plaza {slot}" for slot in range(1, SLOTS + 1)))
        choices = (*COLOURS, *(f"{row} {at}" for row in COLOUR for at in COLUMNS))
        self.exact = language not in WRITTEN
        """Whether what is written in it is the text of a reading."""
        self.as_, self.bonus = f" {said('as', language)} ", f"{said('bonus', language)} "
        self.faces = {said(text, language): face for text, face in faces.items()}
        self.dice = {
            said(text + plaza, language): (text + plaza, face) for text, face in faces.items() for plaza in plazas
        }
        """The words that tell a die apart, and its colour and value."""
        self.uses = {use_text(RESOURCES_USE, colour, 0, language): (RESOURCES_USE, colour, 0) for colour in COLOURS}
        self.uses |= {use_text(row, "", at, language): (row, COLOUR[row], at) for row in COLOUR for at in COLUMNS}
        """The use, the colour of die that it needs, and the column."""
        self.pays = {pay_text(resource, language): resource for resource in RESOURCES}
        self.choices = {chosen_text(choice, language): choice for choice in choices}


@cache
def _languages() -> dict[str, _HalfDayWords]:
    """The first word of a half day, a colour, to the language that it is written in."""
    turned = {language: _HalfDayWords(language) for language in ("en", *WRITTEN)}
    return {said(colour, language): words for language, words in turned.items() for colour in COLOURS}


def read(state: DiceState, seat: str, line: str) -> Reading[Order] | None:
    """The half day of a canonical line, as the grammar reads it; None where that has to say what a line means."""
    language = _languages().get(line.partition(" ")[0])
    act = _act(language, state, seat, line) if language else None
    if language is None or act is None:
        return None
    try:
        order, _ = settled(state, seat, act)
    except NotAllowed:
        return None
    return Reading(order, line if order is act and language.exact else write(state, seat, order))


def _act(language: _HalfDayWords, state: DiceState, seat: str, line: str) -> HalfDay | None:
    """The order of a line, where each of its parts is as it is written of a die that lies there."""
    words, _, rest = line.partition(": ")
    words, changed, made = words.partition(language.as_)
    use, *others = rest.split("; ")
    if use not in language.uses or words not in language.dice or (changed and made not in language.faces):
        return None
    word, lies = language.dice[words]
    face, (used, needed, column) = language.faces[made] if changed else lies, language.uses[use]
    if face[0] != needed or (changed and face == lies) or answers.asked_kind(state, seat) != answers.HALF_DAY:
        return None
    die = next((die for die in laid(state) if die.word == word and die.usable), None)
    value = face[1]
    if die is None or (column and (value not in FACES or state.column(value) != column)):
        return None
    pay = language.pays[others.pop(0)] if others and others[0] in language.pays else ""
    bonus = _bonus(language, others)
    if bonus is None or bool(pay) != bool(die.any):
        return None
    return HalfDay(die.slot, needed, value, used, column, pay, bonus)


def _bonus(language: _HalfDayWords, parts: list[str]) -> tuple[str, ...] | None:
    """The choices behind the word for a bonus, which may be missing; None where something else stands there."""
    if not parts:
        return ()
    (said, *others) = parts
    choices = said.removeprefix(language.bonus).split(", ")
    if others or not said.startswith(language.bonus) or not all(one in language.choices for one in choices):
        return None
    return tuple(language.choices[one] for one in choices)
