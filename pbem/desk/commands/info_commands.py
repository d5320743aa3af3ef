"""Commands that ask: `status`, `options`, `history`, `help`, `card`, `games`, `board`… They never change anything."""

from __future__ import annotations

from engine.catalog import Msg, T
from engine.errors import NotUnderstood
from engine.kit.words import close_matches, fold_text, kebab
from engine.reference import CardText, Spelling
from pbem.desk.commands import preferences, rulings
from pbem.desk.commands.command import Command, Does, takes_nothing
from pbem.desk.commands.diary import asks_for_diary
from pbem.desk.commands.game_news import last_lines
from pbem.desk.commands.hint import hint_answer
from pbem.desk.core.option_lists import offers_of
from pbem.desk.core.request import Request
from pbem.outbound.translation import language_catalogue
from pbem.store.game_table import Status

HISTORY = 20
"""Lines of history without a number; 200 is the most that is sent."""

_ALL = ("verbs", "verb", "verbe", "verbes", "words", "mots", "commands", "command", "commandes", "commande", "help")
"""Words behind `help` that mean all of it."""

_MEANT = {
    **dict.fromkeys(("all", "everybody", "message"), "say"), **dict.fromkeys(("number", "numbers"), "options"),
    "html": "mail",
}  # fmt: skip
"""Words behind `help` that are explained by a command."""

_GROUPS = (
    (T("Questions"), (Does.ASK,)),
    (T("Trying and taking back"), (Does.TRY, Does.UNDO, Does.BACK, Does.STOP)),
    (T("Talk and notes"), (Does.SAY,)),
    (T("Your time, your mails, your seat"), (Does.SET,)),
)
"""The headings of `help`, and the commands under each."""

HINT = "hint"
"""The only question that everybody at the table is told of."""

COMMANDS = (
    Command("status", Does.ASK, T.of("a letter", "status"), T("the position as it is now"), ("statut", "etat")),
    Command(
        "options",
        Does.ASK,
        T.of("a letter", "options WORD"),
        T("what is open to you, numbered; with a word, all that names it"),
        ("possibilites",),
        argument=True,
        values={"fr": {"all": "tout"}},
    ),
    Command(
        HINT,
        Does.ASK,
        T.of("a letter", "hint"),
        T("what a computer would think of, where the table allows it"),
        ("conseil",),
    ),
    Command(
        "history",
        Does.ASK,
        T.of("a letter", "history 30"),
        T("what happened, the last lines"),
        ("historique",),
        argument=True,
    ),
    Command(
        "help",
        Does.ASK,
        T.of("a letter", "help WORD"),
        T("all that you can write, or about one word"),
        ("aide", "?"),
        argument=True,
    ),
    Command(
        "card",
        Does.ASK,
        T.of("a letter", "card NAME"),
        T("what a card does, with its numbers"),
        ("carte",),
        argument=True,
        needs=True,
    ),
    Command(
        "achievements",
        Does.ASK,
        T.of("a letter", "achievements"),
        T("what you have achieved over all your games"),
        ("achievement", "succes", "exploits"),
    ),
    Command(
        "notes",
        Does.ASK,
        T.of("a letter", "notes"),
        T("what you have noted; after the game, what everybody has"),
        only=takes_nothing,
    ),
    Command(
        "games",
        Does.ASK,
        T.of("a letter", "games"),
        T("your open tables, each with its address"),
        ("parties",),
        only=takes_nothing,
    ),
    Command("board", Does.ASK, T.of("a letter", "board"), T("a public view that you may forward"), ("plateau",)),
)


def answer_question(
    command: Command, argument: str, request: Request, known: tuple[Command, ...]
) -> tuple[CardText, ...]:
    """The titled blocks that answer a question; `help` lists the commands that are `known` and do something here.

    None for the position itself, its options or a public view. Raises NotUnderstood for a word that nobody knows.
    """
    match command.word:
        case "status" | "options" | "board":
            return ()
        case "hint":
            return (hint_answer(request),)
        case "history":
            return (_history(argument, request),)
        case "ruling":
            return (rulings.ruling_text(argument, request.game.title),)
        case "achievements":
            none = (CardText(T("Achievements"), (T("There are none here."),)),)
            return request.context.achievements(request.seat) or none
        case "notes":
            return asks_for_diary(request.context, request.seat) or (
                CardText(T("Notes"), (T("There are none here."),)),
            )
        case "games":
            none = (CardText(T("Your games"), (T("You have no other open game here."),)),)
            return request.context.games(request.seat) or none
        case _:
            return _help(argument, request, known)


def _history(argument: str, request: Request) -> CardText:
    if argument and not argument.isdecimal():
        raise NotUnderstood(T("«history» takes a number of lines, not «{text}».", text=argument[:40]))
    wanted = min(int(argument[:6] or HISTORY), 200)
    lines = tuple(line.says for line in last_lines(request.context, request.seat, wanted))[-wanted:]
    return CardText(T("The last {n} lines", n=len(lines)), lines or (T("Nothing has happened yet."),))


def _explained(argument: str, request: Request, known: tuple[Command, ...]) -> CardText:
    """A card, a word of orders, or a command. Raises NotUnderstood with the names that are near."""
    game, wanted = request.game.reference, fold_text(argument).strip().strip("«»\"'!?.,:; ")
    text = game.explain(wanted, request.state)
    meant = _MEANT.get(wanted, wanted)
    usage = next((one for one in known if meant in one.words()), next((one for one in known if one.takes(meant)), None))
    say = language_catalogue(request.language).render
    told = [one for one in _spelled(request) if wanted in (fold_text(one.verb), fold_text(say(one.word)))]
    if usage is not None and not told:
        shown = fold_text(usage.written("", request.language))
        others = tuple(word for word in usage.words() if word != shown)
        also = (T("Also: {words}", words=others),) if others else ()
        return CardText(T("{usage}", usage=usage.usage), (_row(usage), *also, *(text.lines if text else ())))
    if text is None and not told and wanted not in game.verbs():
        found = filter(None, (game.explain(word, request.state) for word in close_matches(wanted, game.words())))
        names = dict.fromkeys(kebab(say(one.title)) for one in found)
        raise NotUnderstood(
            T("No card or word here is called «{word}».", word=argument[:60]),
            orders=tuple(f"card {name}" for name in names if game.explain(name)) or ("help",),
        )
    title = text.title if text else T("{usage}", usage=next((one.word for one in told), wanted))
    return CardText(title, (*(text.lines if text else ()), *map(_order, told)))


def _help(argument: str, request: Request, known: tuple[Command, ...]) -> tuple[CardText, ...]:
    if fold_text(argument).strip() in ("", *_ALL):
        spelled = _spelled(request)
        orders = tuple(_order(one) for one in spelled if one.now)
        later = tuple(T("«{order}»", order=one.order) for one in spelled if not one.now)
        orders += (T("When they can be given: {orders}", orders=later),) if later else ()
        works = [command for command in known if _works(command, request)]
        blocks = (
            CardText(T("What you can write"), _orders(request)),
            CardText(T("Orders, one a line"), orders),
            *(CardText(title, tuple(_row(one) for one in works if one.does in does)) for title, does in _GROUPS),
        )
        return tuple(block for block in blocks if block.lines)
    return (_explained(argument, request, known),)


def _works(command: Command, request: Request) -> bool:
    """Whether a command is more than refused: before the game nothing is played, left or voted about."""
    if request.table.status is not Status.GATHERING:
        return True
    if command.does is Does.SET:
        return command.word in preferences.PERSONAL
    return command.does not in (Does.UNDO, Does.BACK) and command.word != HINT


def _spelled(request: Request) -> tuple[Spelling, ...]:
    """How orders are written; nothing for a game that is over."""
    if request.state is None or request.game.result(request.state) is not None:
        return ()
    game = request.game
    state = game.moderation.redacted(request.state, request.seat)
    return game.reference.spellings(state, request.seat)


def _order(one: Spelling) -> Msg:
    if one.now:
        return T("{verb}: «{order}»", verb=one.word, order=one.order)
    return T("{verb}: such as «{example}», when it can be given", verb=one.word, example=one.order)


def _row(command: Command) -> Msg:
    return T("{usage}: {says}", usage=command.usage, says=command.says)


def _orders(request: Request) -> tuple[Msg, ...]:
    lines = [
        T("A number plays that choice of the mail you answer. So does a tap, and so do its words. Write one a line."),
        T("A question or a setting begins with its word, below. Your own words may cost one more digit."),
    ]
    if request.state is not None:
        texts = [offer.text for offer in offers_of(request.game, request.state, request.seat, request.language)]
        shown = request.game.reference.examples(request.state, request.seat, texts, request.language)
        if shown:
            lines.append(T("For example: {orders}", orders=tuple(T("«{order}»", order=order) for order in shown)))
    return tuple(lines)
