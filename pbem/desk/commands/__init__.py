"""The commands of letters in any game: questions, talk, `try`, `undo`, `end`, and preferences.

One module a family, each with a tuple `COMMANDS`; `help` is made from the table here. Words are exact, English and
French together, folded to lower case without accents.
"""

from __future__ import annotations

from functools import cache

from engine.catalog import T
from engine.game import AnyGame
from engine.kit.words import fold_text
from pbem.desk.commands import info_commands, preferences, rulings, table_talk
from pbem.desk.commands.command import Command, Does, takes_nothing
from pbem.reading.line_parser import PlainLine

_PLAYING = (
    Command(
        "try", Does.TRY, T.of("a letter", "try ORDER"),
        T("shows what the orders would do, up to the first thing nobody can know; nothing is played"),
        ("essai", "essayer"), argument=True,
    ),
    Command(
        "undo", Does.UNDO, T.of("a letter", "undo"),
        T("takes back your last orders, until somebody else has acted or something hidden was shown"),
        ("annuler", "annule"),
    ),
    Command(
        "back", Does.BACK, T.of("a letter", "back"),
        T("you play again yourself, where a computer has played for you; or you are here again before an absence ends"),
        ("retour",),
    ),
    Command(
        "end", Does.STOP, T.of("a letter", "end"), T("nothing after this line is read"),
        ("fin", "stop"), only=takes_nothing,
    ),
)  # fmt: skip
"""About playing itself."""

COMMANDS: tuple[Command, ...] = (
    *info_commands.COMMANDS, *rulings.COMMANDS, *_PLAYING, *table_talk.COMMANDS, *preferences.COMMANDS,
)  # fmt: skip
"""Every command, in the order `help` shows them."""

RESERVED = frozenset({"join", "word", "rejoindre", "mot", "option", "choix", "gm", "new", "all", "table", "host"})
"""Words of the post room that no seat may be called, beside the commands themselves."""


@cache
def _by_word() -> dict[str, Command]:
    return {word: command for command in COMMANDS for word in command.words()}


@cache
def command_words() -> frozenset[str]:
    """Every command word and alias."""
    return frozenset(_by_word())


@cache
def game_words() -> frozenset[str]:
    """Words that make a line one of the game, in whatever sentence they stand."""
    return frozenset(word for command in COMMANDS if command.only is None for word in command.words())


def is_reserved_word(name: str, game: AnyGame) -> bool:
    """Whether a game cannot be called so, because the word begins an order or a question."""
    return fold_text(name) in command_words() | RESERVED | {fold_text(verb) for verb in game.reference.verbs()}


def parse_command(line: str) -> tuple[Command, str] | None:
    """The command that `line` begins with and the text after it; None for any other line."""
    head, _, rest = line.strip().partition(" ")
    glued, colon, more = head.partition(":")
    if colon:
        head, rest = glued, f"{more} {rest}"
    if (command := _by_word().get(fold_text(head))) is None:
        return None
    text = rest.strip().removeprefix(":").strip()
    # People begin sentences with some of the words.
    return None if command.only is not None and not command.only(fold_text(text).strip(" .!")) else (command, text)


def find_command(word: str) -> Command:
    """The command of a word in any language. Raises KeyError."""
    return _by_word()[fold_text(word)]


def translate_command(line: str, language: str) -> str:
    """A command as a reader of the language writes it; any other line as it stands."""
    found = parse_command(line)
    return found[0].written(found[1], language) if found else line


def command_line(read: PlainLine) -> str:
    """The line of a command that was read, as `parse_command` takes it apart; empty for anything else.

    What is said or tried stands as it was written; around a question, and behind it, courtesy may stand.
    """
    if read.sure or (read.number is not None and not read.counts):
        return ""  # «8 options and no idea» is no question
    if (found := parse_command(read.front)) and found[0].does in (Does.SAY, Does.TRY):
        return read.front
    asked = read.text.rstrip(" ?")
    if (found := parse_command(asked)) and found[0].only is not None and not found[1]:
        return asked if fold_text(read.whole).strip(" ?!.") in found[0].words() else ""
    if (found := parse_command(asked)) and (found[0].does is Does.ASK or asked == read.text):
        return asked
    return ""
