"""Questions: `status`, `options`, `history`, `help`, `card`, `board`. They never change anything."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.catalog import Msg, T
from engine.errors import NotUnderstood
from engine.game import AnyGame, Line, Seat
from engine.kit.words import folded
from engine.reference import CardText
from pbem.desk.commands.word import Command, Does

HISTORY = 20
"""Lines of history without a number; 200 is the most that is sent."""

COMMANDS = (
    Command("status", Does.ASK, "status", T("the position as it is now"), ("statut", "etat")),
    Command("options", Does.ASK, "options", T("what is open to you, numbered"), ("possibilites",)),
    Command(
        "history", Does.ASK, "history 30", T("what happened, the last lines"), ("historique",), argument=True
    ),
    Command("help", Does.ASK, "help WORD", T("this list, or about one word"), ("aide", "?"), argument=True),
    Command(
        "card", Does.ASK, "card NAME", T("what a card does, with its numbers"), ("carte",), argument=True, needs=True
    ),
    Command(
        "achievements", Does.ASK, "achievements", T("what you have achieved over all your games"),
        ("achievement", "succes", "exploits"),
    ),
    Command("board", Does.ASK, "board", T("a public view that you may forward"), ("plateau",)),
)


@dataclass(frozen=True, slots=True)
class Question:
    """Where a question is asked: the game, its position (None before it begins), who asks, and its history.

    `history(n)` gives the last lines as the seat may see them; `commands` are those that `help` lists.
    """

    game: AnyGame
    state: Any
    seat: Seat
    history: Callable[[int], Sequence[Line]]
    commands: tuple[Command, ...]
    achievements: Callable[[], tuple[CardText, ...]] = tuple
    """What the holder of the seat has achieved."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer: titled blocks, and whether the position belongs to it, or a public view of it alone."""

    blocks: tuple[CardText, ...] = ()
    position: bool = False
    public: bool = False


def answer(command: Command, argument: str, asked: Question) -> Answered:
    """Answer one question. Raises NotUnderstood for a word that nobody knows."""
    match command.word:
        case "status":
            return Answered(position=True)
        case "options":
            return Answered()
        case "board":
            return Answered(public=True)
        case "history":
            return Answered((_history(argument, asked),))
        case "achievements":
            return Answered(asked.achievements() or (CardText(T("Achievements"), (T("There are none here."),)),))
        case "card":
            return Answered((_explained(argument, asked),))
        case _:
            return Answered(_help(argument, asked))


def _history(argument: str, asked: Question) -> CardText:
    if argument and not argument.isdecimal():
        raise NotUnderstood(T("«history» takes a number of lines, not «{text}».", text=argument[:40]))
    wanted = min(int(argument[:6] or HISTORY), 200)
    lines = tuple(line.says for line in asked.history(wanted))[-wanted:]
    return CardText(T("The last {n} lines", n=len(lines)), lines or (T("Nothing has happened yet."),))


def _explained(argument: str, asked: Question) -> CardText:
    text = asked.game.reference.explain(argument, asked.state)
    if text is None:
        known = list(asked.game.reference.words())
        near = difflib.get_close_matches(folded(argument).strip(), known, 3, 0.6)
        raise NotUnderstood(
            T("No card or word here is called «{word}».", word=argument[:60]),
            possible=tuple(T("card {word}", word=word) for word in near),
        )
    return text


def _help(argument: str, asked: Question) -> tuple[CardText, ...]:
    if not argument:
        rows = tuple(_row(command) for command in asked.commands)
        return (CardText(T("What you can write"), (*_orders(asked), *rows)),)
    wanted = folded(argument).strip()
    for command in asked.commands:
        if wanted in command.words():
            also = (T("Also: {words}", words=tuple(command.aliases)),) if command.aliases else ()
            return (CardText(T("{usage}", usage=command.usage), (_row(command), *also)),)
    if wanted in asked.game.reference.verbs() and asked.game.reference.explain(wanted, asked.state) is None:
        return (CardText(T("{usage}", usage=wanted), _orders(asked)),)
    return (_explained(argument, asked),)


def _row(command: Command) -> Msg:
    return T("{usage}: {says}", usage=command.usage, says=command.says)


def _orders(asked: Question) -> tuple[Msg, ...]:
    lines = [T("A number alone plays that option of the mail you answer. Or write orders, one a line.")]
    if asked.state is not None:
        offered = [offer.text for offer in asked.game.offers(asked.state, asked.seat)]
        shown = asked.game.reference.examples(asked.state, asked.seat, offered)
        if shown:
            lines.append(T("For example: {orders}", orders=tuple(T("«{order}»", order=order) for order in shown)))
    return tuple(lines)
