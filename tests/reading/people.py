"""Letters as people write them around one order: courtesy, marks, signatures, adverts, quotations; and talk that is none."""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Any

from engine.chance import SeededChance
from engine.game import AnyGame, Seat, find_game
from pbem.desk.core.context import Context
from pbem.desk.core.request import Request
from pbem.desk.core.result import Result
from pbem.desk.orders.interpret_letter import interpret
from pbem.inbound.incoming_letter import open_letter
from pbem.outbound.render import DELIMITER
from pbem.store.game_table import SeatRow, Secrets, Status, Table
from pbem.store.state_file import StoredGame
from tests.quoting import BETWEEN, OPEN_ENDED, STYLES, quote_back

NAMES = ("Anna", "Faye", "Geoffrey", "Emily")
KINDS: tuple[tuple[str, dict[str, str]], ...] = (
    ("troyes", {}),
    ("troyes", {"bonus": "yes"}),
    ("troyes", {"ladies": "all"}),
    ("troyes-dice", {}),
    ("troyes-dice", {"expansion": "yes", "numbering": "expert"}),
)
AT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True)
class Place:
    """A seat that is asked, in a position of a game."""

    rules: AnyGame
    state: Any
    seat: Seat
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        """Who sits there."""
        return next(name for name in self.names if name.lower() == self.seat)

    def order(self, rng: random.Random) -> str:
        """An order that is legal here; long ones, which programs break, come more often than in play."""
        return max((self.any_order(rng) for _ in range(rng.choice((1, 1, 4)))), key=len)

    def any_order(self, rng: random.Random) -> str:
        """An order that is legal here."""
        return next(iter(self.rules.reference.every(self.state, self.seat, [rng.randrange(1 << 30) for _ in range(64)])))

    def request(self, lines: Sequence[str], written: Sequence[str]) -> Request:
        """A letter of that seat's."""
        rows = tuple(SeatRow(name.lower(), name) for name in self.names)
        table = Table("game-1", self.rules.kind, Status.RUNNING, "0", 1, {}, rows, AT, AT, decisions=1)
        stored = StoredGame(table, Secrets("ab" * 32))
        context = Context(game=self.rules, stored=stored, state=self.state)
        return Request(context=context, seat=self.seat, lines=lines, written=written, signed=(self.name,))

    def heard(self, raw: bytes) -> Result | None:
        """What becomes of a letter; None where it is not read at all."""
        letter = open_letter(raw)
        if letter.trouble is not None:
            return None
        return interpret(self.request(letter.lines, letter.raw_lines))


def places(rng: random.Random, most: int) -> Iterator[Place]:
    """Positions on random ways through random games, one game after the other."""
    while most:
        kind, options = rng.choice(KINDS)
        rules, players = find_game(kind), rng.choice((2, 3, 4))
        names = NAMES[:players]
        seats = {Seat(name.lower()): name for name in names}
        chance = SeededChance(rng.randbytes(8), [], "people")
        step = rules.start(seats, rules.settle_options(players, options), chance)
        for _ in range(rng.randrange(5, 40)):
            waiting = [asked for asked in rules.waiting(step.state) if not asked.answered]
            if not waiting or not most:
                break
            place = Place(rules, step.state, rng.choice(waiting).seat, names)
            if rng.random() < 0.4:
                most -= 1
                yield place
            step = rules.apply(step.state, place.seat, rules.read(step.state, place.seat, place.any_order(rng)).order, chance)


def said_in_french(place: Place, order: str) -> str:
    """The same order as it is written in French."""
    reading = place.rules.read(place.state, place.seat, order)
    return place.rules.write(place.state, place.seat, reading.order, "fr")


# Around the order. Written down here, not taken from the tables of the reader.

LEADS = (
    "I ", "I'll ", "I’ll ", "Please ", "please, ", "OK, ", "Ok ", "I'd like to ", "My move: ", "Hi, ", "Then ", "so ",
    "Hello Faye, ", "I want to ", "Je ", "je ", "je voudrais ", "Bonjour, ", "Alors ", "s'il te plaît ", "Je vais ",
    "Mon coup : ", "Salut Anna, ",
)  # fmt: skip
TRAILS = (
    " please", ", please", ", thanks!", " Thanks", " thank you", " merci", ", s'il te plaît", " svp", " :-)", " 👍", " 🙂",
    " !", "!", ".", " .", ", thanks Faye", " please.", ". Merci !", "…", " stp", " pour moi", " for me",
)  # fmt: skip
NUMBER_LEADS = (
    "", "option ", "Option ", "number ", "#", "n° ", "le ", "je prends le ", "I'll take ", "I take option ", "the ",
    "choix ", "No. ", "l'option ", "I choose ",
)  # fmt: skip
DRESS = ("{}", "[{}]", "({})", "{}.", "{} .", "{}!", "*{}*", "«{}»", "« {} »", '"{}"', "- {}", "• {}")
FULL = str.maketrans("0123456789", "０１２３４５６７８９")
MARKS = ("{}", "{}", "{}", "- {}", "* {}", "• {}", "1. {}", "1) {}", "«{}»", "« {} »", '"{}"', "*{}*", "“{}”", "→ {}")
ABOVE = (
    "Hi Faye,", "Hello everybody,", "Bonjour à tous,", "Salut", "Dear all", "Here is my move:", "Sorry for being late!",
    "Voici mon coup :", "Désolé du retard.", "I hope you are well.", "Good evening!", "Coucou",
    "", "",
)  # fmt: skip
BELOW = (
    "", "", "Thanks!", "Merci", "{name}", "Cheers,\n{name}", "Bien à toi", "Best regards,\n{name}", "see you", "Bonne soirée !",
    "-- \n{name}\n06 12 34 56 78", "--\n{name}, not a robot", "have a nice weekend", "What a game!", "À samedi !",
)  # fmt: skip
ADVERTS = (
    "Sent from my iPhone", "Get Outlook for iOS<https://aka.test/x>", "Envoyé de mon iPhone", "Sent from Proton Mail",
    "Envoyé depuis mon smartphone Samsung Galaxy.", "Télécharger Outlook pour Android", "Von meinem iPhone gesendet",
    "Gesendet mit der GMX Mail App", "Enviado desde mi iPhone", "Enviado do meu Galaxy", "Inviato da iPhone",
    "Verstuurd vanaf mijn iPhone", "Skickat från min iPhone", "Sent from Yahoo Mail on Android", "Virus-free.www.avast.com",
    "Diese Nachricht wurde von meinem Android-Mobiltelefon mit WEB.DE Mail gesendet.", "Libre de virus. www.avast.com",
)  # fmt: skip
MAIL = f"""{DELIMITER}

Since your last mail
- Faye fought Marauding with R5 R3: 2 cubes, +2 influence.
- Emily passed.
Faye says: «pass»

You: act once, or pass.

[1] activate merchant with Y5 Y4 · four times, +8 deniers
[2] red 6: cathedral 2 · 1 VP
[3] pass · +2 deniers
Answer with a number, or write your own, one order a line, such as «farm Y5» or «yellow 4: influence».

ONLY FOR YOU, cut before forwarding
You hold 11 VP.
"""


def around(rng: random.Random, order: str, number: bool) -> str:
    """The line of an order, or of the number of an option, as somebody might write it."""
    if number:
        digits = order.translate(FULL) if rng.random() < 0.1 else f"{order}\ufe0f\u20e3" if rng.random() < 0.1 else order
        line = rng.choice(NUMBER_LEADS) + digits
        line = rng.choice(DRESS).format(line) if rng.random() < 0.4 else line
        return line + (rng.choice(TRAILS) if rng.random() < 0.3 else "")
    if rng.random() < 0.2:
        order = order.replace("'", "’").replace(" ", "\u00a0", 1)
    if rng.random() < 0.2:
        order = rng.choice((str.upper, str.capitalize))(order) if rng.random() < 0.5 else order.capitalize()
    order = rng.choice(MARKS).format(order) if rng.random() < 0.4 else order
    if rng.random() < 0.4:
        order = rng.choice(LEADS) + order
    return order + (rng.choice(TRAILS) if rng.random() < 0.4 else "")


def letter_of(rng: random.Random, line: str, name: str) -> tuple[str, bytes]:
    """A letter around a line, signed by its writer, and how it is quoted."""
    if rng.random() < 0.3:
        line = "\n".join(textwrap.wrap(line, rng.randint(60, 80), break_long_words=False, break_on_hyphens=False))
    above, below = rng.choice(ABOVE), rng.choice(BELOW).format(name=name)
    advert = rng.choice(ADVERTS) if rng.random() < 0.4 else ""
    gaps = [rng.choice(("\n", "\n\n")) for _ in range(3)]
    answer = line
    answer = f"{above}{gaps[0]}{answer}" if above else answer
    answer = f"{answer}{gaps[1]}{below}" if below else answer
    answer = f"{answer}{gaps[2]}{advert}" if advert else answer
    style = rng.choice((*STYLES, "", "", ""))
    if not style:
        message = EmailMessage()
        message["From"] = "anna@home.test"
        message.set_content(answer, cte="quoted-printable")
        return "new", message.as_bytes()
    where = "top" if style in OPEN_ENDED or rng.random() < 0.7 else "bottom"
    where = "between" if style in BETWEEN and rng.random() < 0.1 else where
    return f"{style} {where}", quote_back(style, MAIL, answer, where)


# Talk that orders nothing.


@cache
def prose() -> tuple[str, ...]:
    """Paragraphs about the games: ours, the texts of cards, and talk that somebody might put into a letter."""
    found = list(TALK)
    for name in ("README.md", "docs/playing.md", "docs/hosting.md", "docs/moderating.md", "docs/computers.md", "RULINGS.md", "ARCHITECTURE.md", "docs/security.md"):
        text = re.sub(r"```.*?```|^ {4,}.*$|^\|.*$", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        found += [" ".join(part.split()) for part in text.split("\n\n") if len(part.split()) > 8]
    for kind in ("troyes", "troyes-dice"):
        reference = find_game(kind).reference
        texts = {id(text): text for word in reference.words() if (text := reference.explain(word)) is not None}
        found += [f"{text.title}: {' '.join(map(str, text.lines))}" for text in texts.values()]
    return tuple(dict.fromkeys(found))


TALK = (
    "I was going to pass, but then my brother called and we talked for an hour about the cathedral and the old market.",
    "If Faye takes the merchant again I shall have to fight the brigands with the red dice that Geoffrey leaves me.",
    "Do you remember when we could build with a single white die? I would never do that again, not even with a 6.",
    "On devrait passer plus de temps sur la place, et moins à combattre ces brigands qui reviennent toujours.",
    "J'ai failli activer le marchand hier soir, mais finalement je ne sais pas si je veux encore dépenser de l'influence.",
    "Yesterday I thought 3 was the best option; today I am not so sure, because 4 and 5 would leave me more deniers.",
    "Nobody told me that the priest counts three for each die! I thought it was two, or maybe one, as with the monk.",
    "What would happen if I were to reroll Y2 and then activate the miller? I suppose it depends on what comes.",
    "Please tell me how the farm works, I have read the rules twice and still do not see where the money comes from.",
    "Je me demande si on peut contrer deux dés noirs avec un seul dé rouge, et combien cela coûte en influence.",
    "We should play together in Troyes one day, drink a glass in the city hall, and undo all these years of quarrels.",
    "My dice are awful: two ones and a two. Nothing to build with, nothing to fight with, and no money to buy others.",
    "Un jour je prendrai la cathédrale, et ce jour-là vous verrez : plus rien ne passera, ni le 6 blanc ni le 5 rouge.",
)


def wrapped(rng: random.Random, text: str) -> bytes:
    """Prose in a letter, as some program breaks it."""
    width = rng.choice((0, *range(40, 81)))
    lines = [text] if not width or len(text) > 990 else textwrap.wrap(text, width, break_long_words=False)
    message = EmailMessage()
    message["From"] = "anna@home.test"
    message.set_content("\n".join(textwrap.wrap(text, 900) if not width else lines), cte="quoted-printable")
    return message.as_bytes()


def played(result: Result | None) -> tuple[str, ...]:
    """What a letter has played, said or taken back."""
    if result is None:
        return ()
    back = ("undo",) if result.effects.taken_back is not None else ()
    return (*result.effects.played, *(f"say {one.text}" for one in result.effects.talk), *back)


def alone(place: Place, order: str) -> tuple[str, ...]:
    """What the order plays that is sent alone."""
    return played(interpret(place.request((order,), (order,))))


