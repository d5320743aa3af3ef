"""What people ask and tell the server besides orders (tests/wordings/questions.toml), and what the desk makes of each.

A wording is read right where the desk does and answers what it would of a command that would be right: the same changes,
the same answer. Each is read as the first answer to its mail: a desk that commits nothing keeps no setting either.
"""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from pbem.desk.core.result import LETTER, Result
from pbem.outbound.mail import MailKind

from .bench import DryDesk
from .mailed import SHEETS as FOLDER
from .mailed import asked, table
from .measure import LANGUAGES, Rate

SHEET = FOLDER / "questions.toml"
TRAP = "trap"


@dataclass(frozen=True)
class Deed:
    """What a letter does and what it is answered; `did` is empty where nothing changes."""

    did: tuple[object, ...] = ()
    answered: tuple[object, ...] = ()
    """Questions that are answered, and trials; empty for none."""
    why: tuple[str, ...] = ()
    """Why nothing is done."""
    choices: tuple[str, ...] = ()

    @property
    def same(self) -> tuple[object, ...]:
        """What is compared."""
        return self.did, self.answered, self.why


@dataclass(frozen=True)
class Said:
    """A wording of a sheet; `language` is `trap` for talk that may change nothing. `mended`: one number does it."""

    mail: str
    language: str
    written: str
    deed: Deed
    right: bool = False
    mended: bool = False

    @property
    def wrong(self) -> bool:
        """Something was changed or answered that was not meant; a refusal or what is asked back is neither."""
        return not self.right and bool(self.deed.did or self.deed.answered)

    @property
    def red(self) -> bool:
        """Whether it is read otherwise than it should be."""
        return self.wrong or not (self.right or self.language == TRAP)

    def row(self) -> dict[str, object]:
        """For `--red`."""
        return {
            "part": f"asked, {self.language}", "name": f"{self.mail}: {self.written}", "wrong": self.wrong,
            "mended": self.mended, "choices": self.deed.choices, "says": " / ".join(self.deed.why),
        }


class Listener:
    """What the desk makes of answers to the newest mail of the seat that was asked."""

    def __init__(self, folder: Path, at: str, before: Collection[str], language: str) -> None:
        self.hall = table(folder, at, language)
        self.seat = asked(self.hall)
        for text in before:
            self.hall.send(self.seat, text)
        self.desk = self.hall.desk = DryDesk(self.hall.desk.services)
        self.desk.dry, self.mail = True, self.hall.newest(self.seat)
        self._heard: dict[str, Deed] = {}

    def hear(self, text: str) -> Deed:
        """What would become of a letter with this text."""
        if text not in self._heard:
            self._heard[text] = self._hear(text)
        return self._heard[text]

    def _hear(self, text: str) -> Deed:
        self.desk.result, time = None, self.hall.time
        self.hall.send(self.seat, text, to=self.mail)
        # The same moment again, so that absences are alike; budgets are no matter of reading.
        self.hall.time = time
        self.hall.spool.forget_spent(time + timedelta(days=1))
        return _deed(self.desk.result)


def _deed(result: Result | None) -> Deed:
    if result is None or result.answer is None:
        return Deed()
    answer = result.answer
    settings = (result.stored.table, result.status, tuple(sorted(result.effects.personal.items()))) if result.effects.sets else ()
    back = "" if result.effects.taken_back is None else "undo"
    did = (result.effects.played, result.effects.talk, settings, back, result.what.removeprefix(LETTER), bool(result.entries))
    # A card or a word is one, in whatever language it was asked for.
    shown = (tuple(text.title for text in answer.answers), answer.position, answer.public, answer.options)
    tells: tuple[object, ...] = ()
    if answer.kind is MailKind.TRIAL:
        tells = tuple((one.understood, one.effects) for one in answer.said if one.understood)
    elif answer.kind is not MailKind.REFUSAL:
        tells = (*shown, tuple(choice.text for choice in answer.choices))
    why = tuple(str(one.reason) for one in answer.said if one.reason is not None)
    choices = tuple(choice.text for choice in (*answer.choices, *answer.repairs))
    return Deed(did if any(did) else (), tells, why, choices)


def sayings(sample: int = 1) -> Iterator[Said]:
    """Every wording of the sheet, or each so-manieth one, read at its mail in its language."""
    for mail in tomllib.loads(SHEET.read_text(encoding="utf-8"))["mail"]:
        for language in LANGUAGES:
            with tempfile.TemporaryDirectory() as folder:
                listener = Listener(Path(folder), mail["at"], mail.get("before", ()), language)
                for written, *right in mail.get(language, ())[::sample]:
                    yield _judged(listener, mail["name"], language, written, right)
                if language == "fr":
                    for written in mail.get("traps", ())[::sample]:
                        yield Said(mail["name"], TRAP, written, listener.hear(written))
                listener.hall.spool.close()


def _judged(listener: Listener, mail: str, language: str, written: str, right: Collection[str]) -> Said:
    meant = [listener.hear(command).same for command in right]
    meant = [one for one in meant if any(one)]
    assert meant, (mail, right)
    deed = listener.hear(written)
    if deed.same in meant:
        return Said(mail, language, written, deed, right=True)
    mended = not deed.did and any(listener.hear(choice).same in meant for choice in deed.choices)
    return Said(mail, language, written, deed, mended=mended)


def rates(said: Sequence[Said]) -> dict[str, Rate]:
    """The figures, by name."""
    found: dict[str, Rate] = {}
    for language in LANGUAGES:
        some = [one for one in said if one.language == language]
        found[f"asked, {language}, first try"] = Rate(sum(one.right for one in some), len(some))
        found[f"asked, {language}, first try or one number"] = Rate(
            sum(one.right or one.mended for one in some), len(some)
        )
        found[f"asked, {language}, done or answered otherwise"] = Rate(sum(one.wrong for one in some), len(some))
    traps = [one for one in said if one.language == TRAP]
    found["asked, traps that did something"] = Rate(sum(one.wrong for one in traps), len(traps))
    return found
