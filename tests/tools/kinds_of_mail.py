"""A mail of every kind that a host writes, of every game: what `make gallery` draws.

Whole games give what people are mailed while they play; letters that ask, slip, talk and wish give the rest. Other
people's tables, clocks and moderators are played by the rooms of the tests that look at them more closely.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from pbem.admin.tables.opening import Invited, Opening, open_table
from tests.clocks.table import Clocked
from tests.desk.open_tables import fresh, lets
from tests.desk.room import Got
from tests.repair.bench import Bench
from tests.tools.measure_mails import GAMES, play
from tests.whole.room import NAMES, Hall

QUESTIONS = (
    "status", "options", "help", "card merchant", "history", "ruling A43", "rulings", "board", "achievements",
    "try 1", "activate nonsense with Y6", "say Shall we?", "mail full",
)  # fmt: skip
"""Letters to a game, each answered by a mail of its own look."""

FULLEST: dict[str, tuple[str, int, dict[str, str]]] = {
    "base, 4 players": ("troyes", 4, {}),
    "all of the Ladies, 4 players": ("troyes", 4, {"bonus": "yes", "ladies": "all"}),
    "dice, 4 players": ("troyes-dice", 4, {"expansion": "yes"}),
    "solo dice": ("troyes-dice", 1, {}),
}
"""Tables with more beside the drawn board than `GAMES`: their mails in French, with the widest and longest turns."""

LATER = {"troyes": 40, "troyes-dice": 12}
"""Letters after which a table of `FULLEST` has filled its board, by its game."""


def stem(name: str, sort: str) -> str:
    """The name of a mail's files."""
    return re.sub(r"[^\w-]+", "-", f"{name}-{sort}").strip("-")


def mails(words: list[str], folder: Path) -> Iterator[tuple[str, Got]]:
    """All of them with their names; those of games whose names hold one of the words, where any are given."""
    makers = {
        **{name: lambda name=name: of_game(name, folder / name) for name in GAMES},
        **{name: lambda name=name: of_full_table(name, folder / name) for name in FULLEST},
        "long names": lambda: of_long_names(folder / "long names"),
        "clock": lambda: of_the_clock(folder / "clock"),
        "host": lambda: of_the_host(folder / "host"),
        "moderator": lambda: of_the_moderator(folder / "moderator"),
    }
    for name, maker in makers.items():
        if not words or any(word in name for word in words):
            for sort, got in maker():
                yield stem(name, sort), got


def of_game(name: str, folder: Path) -> Iterator[tuple[str, Got]]:
    """One mail of every kind of a whole game, from its middle; then answers to letters of all sorts."""
    kind, players, options = GAMES[name]
    hall, _, _ = play(folder / "whole", kind, players, options)
    found: dict[str, list[Got]] = {}
    for got in hall.mails():
        found.setdefault(got.kind, []).append(got)
    for sort, gots in found.items():
        yield sort, gots[len(gots) // 2]
    yield "long turn", max(hall.mails(), key=lambda got: len(got.raw))
    yield from answers(kind, players, options, folder / "begun")
    gathering = gathered(folder / "gathering", kind, players, options)
    yield "invitation", gathering.last("anna")
    if players > 1:
        gathering.send("anna", "join heron")
        yield "joined", gathering.last("anna")
        gathering.send("faye", "join")
        gathering.send("anna", "help")
        yield "help before the game", gathering.last("anna")


def gathered(folder: Path, kind: str, players: int, options: dict[str, str], language: str = "") -> Hall:
    """A table that nobody has joined yet."""
    hall = Hall(folder, kind)
    invited = tuple(Invited(one, (f"{one.lower()}@people.test",), language=language) for one in islice(NAMES, players))
    open_table(hall.desk, Opening(kind, invited, seed=b"s" * 32, options=options))
    return hall


def answers(kind: str, players: int, options: dict[str, str], folder: Path) -> Iterator[tuple[str, Got]]:
    """What is answered to whoever is asked something in the middle of a game."""
    begun = Hall(folder, kind)
    begun.seat_all(players, options=options)
    # Then somebody's turn, or an answer that is still to come: what is refused then shows choices.
    for letter in range(30):
        waiting = next(one for one in begun.rules.waiting(begun.position()) if not one.answered)
        asked = waiting.seat
        if letter > 11 and not waiting.sealed:
            break
        begun.send(asked, "1")
    keyed = begun.last(asked)
    for question in QUESTIONS:
        begun.send(asked, question, to=keyed)
        yield "refusal" if "nonsense" in question else question, begun.last(asked)
    begun.send(asked, "I would rather not take that\n2", to=keyed)
    yield "asked back", begun.last(asked)
    begun.send(asked, "status")
    yield "status in full", begun.last(asked)
    begun.send(asked, "1")
    begun.send(asked, "undo")
    yield "undo", begun.last(asked)
    if players > 1:
        yield "news", next(got for got in reversed(begun.mails()) if got.kind == "news")


def of_full_table(name: str, folder: Path) -> Iterator[tuple[str, Got]]:
    """In French: the invitation, the longest turn and receipt of a table's first half, what is asked, and the end."""
    kind, players, options = FULLEST[name]
    yield "invitation", gathered(folder / "gathering", kind, players, options, "fr").last("anna")
    hall = Hall(folder / "whole", kind)
    hall.seat_all(players, options=options, languages=("fr",) * 4)
    for _ in range(LATER[kind]):
        if (seat := hall.asked()) is None:
            break
        hall.send(seat, "1")
    for sort in ("welcome", "turn", "receipt"):
        if gots := [got for got in hall.mails() if got.kind == sort]:
            yield sort, max(gots, key=lambda got: len(got.raw))
    seat = hall.asked() or "anna"
    for question in ("aide", "possibilités", "carte marchand", "jouer n'importe quoi"):
        hall.send(seat, question)
        yield "refus" if "n'importe" in question else question.replace("é", "e"), hall.last(seat)
    while open_ones := [one.seat for one in hall.rules.waiting(hall.position()) if not one.answered]:
        hall.send(open_ones[0], "1")
    yield "final", hall.last("anna")


LONG = ("Christopher", "Maximilienne", "Bartholomew", "Alexandrina")


def of_long_names(folder: Path) -> Iterator[tuple[str, Got]]:
    """A turn and the scores of people whose names a phone has hardly room for."""
    hall = Hall(folder, "troyes")
    hall.seat_all(4, names=LONG)
    while seat := hall.asked():
        hall.send(seat, "1")
    turns = [got for got in hall.mails() if got.kind == "turn"]
    yield "turn", turns[len(turns) // 2]
    yield "final", hall.last("christopher")


def of_the_clock(folder: Path) -> Iterator[tuple[str, Got]]:
    """What comes of time: a reminder, a mail a day over two tables, an answer that the clock has given."""
    host = Clocked(folder / "reminder")
    host.seated(2, kind="troyes")
    kinds = {got.kind: got for got in host.wait(24 * 9)}
    yield from ((sort, got) for sort, got in kinds.items() if sort != "welcome")
    french = Clocked(folder / "rappel")
    french.seated(2, kind="troyes")
    for got in french.mails():
        french.send(got.seat, "langue fr", to=got)
    yield "rappel", next(got for got in french.wait(24 * 9) if got.kind == "reminder")
    yield "daily", of_a_day(Clocked(folder / "daily"))


def of_a_day(host: Clocked) -> Got:
    """One mail of all tables that ask somebody something, who wishes one a day."""
    tables = [host.seated(2, "none", kind="troyes") for _ in range(3)]
    for mail in host.mails():
        host.send(mail.seat, "mail daily", to=mail)
    for table in tables:
        stored = host.stored(table)
        asked = host.rules.waiting(host.rules.load(stored.game, stored.hidden))[0].seat
        host.send(asked, "1", to=next(got for got in reversed(host.mails(asked)) if f"[{table}]" in str(got.message["Subject"])))
    host.deliver()
    host.wait(24)
    rows = host.spool.ask("SELECT seat, kind, message_id FROM outbox WHERE within = '' AND state = 'sent' ORDER BY number")
    sent = [Got(seat, kind, host.spool.raw(name), name) for seat, kind, name in rows]
    return next(got for got in reversed(sent) if "[pbem]" in str(got.message["Subject"]))


def of_the_host(folder: Path) -> Iterator[tuple[str, Got]]:
    """What is answered to letters that are about no game, and to strangers."""
    hall = Hall(folder)
    for _ in range(2):
        hall.seat_all(2)
    lets(hall, "anyone")
    letters = {
        "stranger": ("Zoe <zoe@elsewhere.test>", "Hello, may I play?"),
        "new table": ("Zoe <zoe@elsewhere.test>", "new troyes 3 players"),
        "tables": ("Anna <anna@people.test>", "tables"),
        "which game": ("Anna <anna@people.test>", "help"),
        "forget me": ("Anna <anna@people.test>", "forget me"),
    }
    for sort, (sender, text) in letters.items():
        if got := fresh(hall, sender, text):
            yield sort, got[-1]
    for sort in ("my data", "games"):
        yield sort, hall.sent_by("anna", sort)[-1]


def of_the_moderator(folder: Path) -> Iterator[tuple[str, Got]]:
    """What a moderator is told, and a table of what he has done; a game that ends without a result."""
    bench = Bench(folder)
    bench.seat_all(2)
    bench.play(6)
    (key,) = bench.moderate("gm status\n")
    yield "key", key
    for text in ("help", "status", "hold because Faye is ill", "resume", "end because nobody plays"):
        sent = bench.moderate(f"gm {text}\n", to=bench.mails("gm")[-1])
        yield from ((f"{text.split()[0]} {got.seat}", got) for got in sent if got.seat in ("gm", "anna"))
