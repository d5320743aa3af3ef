"""What a moderator can write in a letter: lines that begin with `gm`. `pbem.moderation.letters` carries them out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.catalog import Msg, T
from engine.errors import NotUnderstood
from engine.kit.words import folded

PREFIX = "gm"


@dataclass(frozen=True, slots=True)
class GmCommand:
    """One word: how it is written, what it does, whether it changes anything.

    `moment`: what it means depends on where the game stands, so that it must not have gone on since the mail that is
    answered. `costs`: though it changes nothing, the answer is work that only a key is worth.
    """

    word: str
    usage: str
    says: Msg
    acts: bool = True
    moment: bool = False
    costs: bool = False


COMMANDS = (
    GmCommand("status", "gm status", T("the position as the table sees it"), acts=False),
    GmCommand("log", "gm log 20", T("the last steps with their numbers"), acts=False, costs=True),
    GmCommand("try", "gm try anna: ORDER", T("what an order would do; nothing is played"), acts=False, costs=True),
    GmCommand("fsck", "gm fsck", T("looks through the stored game for damage"), acts=False, costs=True),
    GmCommand("help", "gm help", T("this list"), acts=False),
    GmCommand("undo", "gm undo because REASON", T("takes back the last orders"), moment=True),
    GmCommand(
        "rollback",
        "gm rollback 17 because REASON",
        T("goes back to a step; without a reason it shows what would be undone; «redraw» after the number: other dice"),
    ),
    GmCommand("rollforward", "gm rollforward", T("brings back what was gone back from"), moment=True),
    GmCommand("as", "gm as anna: ORDER because REASON", T("gives an order for a seat"), moment=True),
    GmCommand("set", "gm set anna.deniers 12 because REASON", T("puts one value right")),
    GmCommand("hold", "gm hold because REASON", T("nobody has to answer until «resume»")),
    GmCommand("resume", "gm resume", T("lets a held game go on")),
    GmCommand("resend", "gm resend anna", T("mails the position again, to one seat or to all")),
    GmCommand("computer", "gm computer anna because REASON", T("a computer plays for a seat; «off» gives it back")),
    GmCommand("replace", "gm replace anna Zoe <zoe@example.org> because REASON", T("another person takes a seat")),
    GmCommand("rename", "gm rename anna Annabel", T("a seat is called otherwise")),
    GmCommand("remark", "gm remark TEXT", T("a word to the table, in everybody's next mail")),
    GmCommand("end", "gm end because REASON", T("ends the game without a result and publishes the seed")),
    GmCommand("abandon", "gm abandon because REASON", T("gives the game up; «resume» takes it up again")),
)
_BY_WORD = {command.word: command for command in COMMANDS}
_WHY = re.compile(r"(?:^|\s)(?:because|parce que)\s+(.*)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GmLine:
    """One line understood: its command, what stands after the word, and the reason."""

    command: GmCommand
    argument: str
    why: str
    line: str


def is_line(line: str) -> bool:
    """Whether a line is for the moderator's desk."""
    words = line.split(None, 1)
    return bool(words) and folded(words[0]).rstrip(":") == PREFIX


def read(line: str) -> GmLine:
    """Understand one line. Raises NotUnderstood naming the words there are."""
    words = line.split(None, 2)
    word = folded(words[1]).rstrip(":") if len(words) > 1 else "help"
    command = _BY_WORD.get(word)
    if command is None:
        known = tuple(one.word for one in COMMANDS)
        raise NotUnderstood(
            T("«gm {word}» is nothing that can be asked of the moderator's desk.", word=word[:40]),
            possible=(T("gm and one of: {words}", words=known),),
        )
    rest = words[2] if len(words) > 2 else ""
    if command.word == "remark":
        return GmLine(command, rest, "", line)
    match = _WHY.search(rest)
    argument = rest[: match.start()] if match else rest
    return GmLine(command, argument.strip(), match[1].strip() if match else "", line)
