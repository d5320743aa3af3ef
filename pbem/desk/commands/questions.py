"""Questions: `status`, `options`, `history`, `help`, `card`, `board`. They never change anything."""

from __future__ import annotations

import difflib

from engine.catalog import Msg, T
from engine.errors import NotUnderstood
from engine.kit.words import folded
from engine.reference import CardText
from pbem.desk.commands.word import Command, Does
from pbem.desk.hint import hint
from pbem.desk.history import history
from pbem.desk.request import Request

HISTORY = 20
"""Lines of history without a number; 200 is the most that is sent."""

HINT = "hint"
"""The question that is told to the table."""

COMMANDS = (
    Command("status", Does.ASK, "status", T("the position as it is now"), ("statut", "etat")),
    Command("options", Does.ASK, "options", T("what is open to you, numbered"), ("possibilites",)),
    Command(HINT, Does.ASK, "hint", T("what a computer would think of, where the table allows it"), ("conseil",)),
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


def answer(command: Command, argument: str, request: Request, known: tuple[Command, ...]) -> tuple[CardText, ...]:
    """The titled blocks that answer a question; `help` lists the commands that are `known`.

    None for the position itself, its options or a public view. Raises NotUnderstood for a word that nobody knows.
    """
    match command.word:
        case "status" | "options" | "board":
            return ()
        case "hint":
            return (hint(request),)
        case "history":
            return (_history(argument, request),)
        case "achievements":
            none = (CardText(T("Achievements"), (T("There are none here."),)),)
            return request.context.achievements(request.seat) or none
        case "card":
            return (_explained(argument, request),)
        case _:
            return _help(argument, request, known)


def _history(argument: str, request: Request) -> CardText:
    if argument and not argument.isdecimal():
        raise NotUnderstood(T("«history» takes a number of lines, not «{text}».", text=argument[:40]))
    wanted = min(int(argument[:6] or HISTORY), 200)
    lines = tuple(line.says for line in history(request.context, request.seat, wanted))[-wanted:]
    return CardText(T("The last {n} lines", n=len(lines)), lines or (T("Nothing has happened yet."),))


def _explained(argument: str, request: Request) -> CardText:
    text = request.game.reference.explain(argument, request.state)
    if text is None:
        known = list(request.game.reference.words())
        near = difflib.get_close_matches(folded(argument).strip(), known, 3, 0.6)
        raise NotUnderstood(
            T("No card or word here is called «{word}».", word=argument[:60]),
            possible=tuple(T("card {word}", word=word) for word in near),
        )
    return text


def _help(argument: str, request: Request, known: tuple[Command, ...]) -> tuple[CardText, ...]:
    if not argument:
        rows = tuple(_row(command) for command in known)
        return (CardText(T("What you can write"), (*_orders(request), *rows)),)
    wanted = folded(argument).strip()
    for command in known:
        if wanted in command.words():
            also = (T("Also: {words}", words=tuple(command.aliases)),) if command.aliases else ()
            return (CardText(T("{usage}", usage=command.usage), (_row(command), *also)),)
    if wanted in request.game.reference.verbs() and request.game.reference.explain(wanted, request.state) is None:
        return (CardText(T("{usage}", usage=wanted), _orders(request)),)
    return (_explained(argument, request),)


def _row(command: Command) -> Msg:
    return T("{usage}: {says}", usage=command.usage, says=command.says)


def _orders(request: Request) -> tuple[Msg, ...]:
    lines = [T("A number alone plays that option of the mail you answer. Or write orders, one a line.")]
    if request.state is not None:
        offered = [offer.text for offer in request.game.offers(request.state, request.seat)]
        shown = request.game.reference.examples(request.state, request.seat, offered)
        if shown:
            lines.append(T("For example: {orders}", orders=tuple(T("«{order}»", order=order) for order in shown)))
    return tuple(lines)
