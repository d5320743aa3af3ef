"""Half days as people may dress them: the parts of an order in any order, in English or French, long or short."""

from __future__ import annotations

import random

from engine.kit.words import fold_text
from engine.troyes_dice.card_data.sheet import COLOUR, RESOURCE
from engine.troyes_dice.notation.order_words import TABLE
from engine.troyes_dice.state.dice import laid_dice
from engine.troyes_dice.state.dice_state import DiceState
from engine.troyes_dice.state.orders import HalfDay

SMALL = {
    "en": {
        "with": ("with the {}", "using {}", "with {}"),
        "take": ("take the {}", "the {}", "{}", "{} die", "use {}"),
        "to": ("turned into {}", "as {}", "changed to {}", "into {}"),
        "build": ("build the {}", "{}", "the {}", "for the {}", "build {}"),
        "column": ("{} {}", "{} column {}", "{} in column {}", "{}, column {}"),
        "pay": ("pay {}", "paying {}", "paid with {}"),
        "bonus": ("bonus {}", "bonus: {}", "and the bonus: {}", "with the bonus on {}"),
        "plaza": ("plaza {}", "the plaza {}"),
    },
    "fr": {
        "with": ("avec le {}", "avec {}", "grâce à {}"),
        "take": ("prendre le {}", "le {}", "{}", "dé {}", "j’utilise {}"[2:]),
        "to": ("changé en {}", "comme {}", "en {}", "transformé en {}"),
        "build": ("construire {}", "{}", "pour {}", "bâtir {}"),
        "column": ("{} {}", "{} colonne {}", "{}, colonne {}"),
        "pay": ("payer {}", "en payant {}", "payé avec {}"),
        "bonus": ("bonus {}", "bonus : {}", "et le bonus : {}", "avec le bonus sur {}"),
        "plaza": ("place {}", "la place {}"),
    },
}
"""Language to the ways of saying a part."""


def dressed(state: DiceState, order: HalfDay, rng: random.Random, language: str) -> str:
    """The order in other words, all of it said."""
    return _Dress(state, rng, language).half_day(order)


class _Dress:
    def __init__(self, state: DiceState, rng: random.Random, language: str) -> None:
        self.state, self.rng, self.small, self.at = state, rng, SMALL[language], int(language == "fr")

    def word(self, kind: str, meaning: str) -> str:
        """Any word of that meaning, hyphens as blanks or not."""
        word = self.rng.choice(TABLE[kind][meaning][self.at].split())
        return self.rng.choice((word, word.replace("-", " ")))

    def say(self, part: str, *words: str) -> str:
        """One of the ways to say a part."""
        return self.rng.choice(self.small[part]).format(*words)

    def face(self, colour: str, value: int) -> str:
        """`white 5`, `W5`, `5 white`, `white five`."""
        word, number = self.word("colour", colour), str(value)
        spelled = self.word("number", number) if value != 1 else number  # «the red one» may be any
        short = TABLE["letter"][colour][self.at]
        ways = (f"{word} {number}", f"{short}{number}", f"{short.upper()} {number}", f"{number} {word}")
        return self.rng.choice((*ways, f"{word} {spelled}"))

    def choice(self, word: str) -> str:
        """A choice of a bonus."""
        name, _, column = word.partition(" ")
        return f"{self.word('building', name)} {column}" if column else self.word("colour", name)

    def half_day(self, order: HalfDay) -> str:
        """The die with what it is made, the use, what pays and the choices, in any order."""
        die = laid_dice(self.state)[order.slot]
        face = self.face(die.colour, self.rng.choice((die.value, die.face)))
        alike = [one for one in laid_dice(self.state) if one.colour == die.colour and die.face in (one.face, one.value)]
        if len(alike) > 1 or die.face != die.value or self.rng.random() < 0.1:
            face = f"{face} {self.say('plaza', str(die.slot + 1))}"
        if (order.colour, order.value) != (die.colour, die.value):
            face = f"{face} {self.say('to', self.face(order.colour, order.value))}"
        if order.use in COLOUR:
            use = self.say("build", self.word("building", order.use))
            use = self.say("column", use, str(order.column)) if self.rng.random() < 0.7 else use
        else:
            use = self.word("resource", RESOURCE[order.colour])
            use = f"{order.value} {use}" if self.rng.random() < 0.5 else use
        parts = [f"{use} {self.say('with', face)}"] if self.rng.random() < 0.4 else [self.say("take", face), use]
        if order.pay:
            parts.append(self.say("pay", self.word("resource", order.pay)))
        if order.bonus:
            parts.append(self.say("bonus", ", ".join(map(self.choice, order.bonus))))
        self.rng.shuffle(parts)
        line = self.rng.choice(("; ", ": ", " ; ", " - ")).join(parts)
        return self.rng.choice((line, line, fold_text(line), fold_text(line).upper()))
