"""What a line of a letter stands for: an option by its number, an option pasted with its words, or itself.

Nothing is played here. What may not have been meant is asked back (`asking`).
"""

from __future__ import annotations

from pbem.desk import asking, commands
from pbem.desk.lines import option_number, pasted_option
from pbem.desk.request import Hearing
from pbem.desk.session import Session, Trial, late
from pbem.desk.sorting import Is, Sorted, SortedLine


def doubt(hearing: Hearing, letter: Sorted, row: SortedLine) -> None:
    """Ask back what may be no order, though it reads as one. Raises AskedBack.

    What a letter could not play is not asked about: it is refused for that.
    """
    asked = any(decision.seat == hearing.seat for decision in hearing.game.waiting(hearing.state))
    plays = hearing.held is None and not hearing.late and asked
    if not (plays or commands.command_of(row.line)):
        return
    choices = asking.choices_of(row.line)
    if option_number(row.line) is not None:
        # A number goes on to count in the list that it counts in now.
        choices = asking.choices_of(*hearing.listed[0].choices) if len(hearing.listed) == 1 else ()
    if row is letter.tail:
        raise asking.end_of_sentence(row.line, choices)
    if row.what is Is.NAME:
        raise asking.name_or_order(row.line, choices)


def meant(hearing: Hearing, at: Session | Trial, line: str) -> tuple[str, ...]:
    """The lines that a line stands for, at a place in the letter. Raises OrderRefused for a number without meaning."""
    number, words = option_number(line), ""
    if pasted := pasted_option(line):
        number, words = pasted
    if number is None:
        return (line,)
    own = any(listed.choices for listed in hearing.listed)
    # A choice of a mail's own may be talk, which is never too late; the lines it stands for are refused if they are.
    if not own and (hearing.held is not None or at.decision() is None):
        # The line is refused for that, whatever it stands for.
        return (words or line,)
    if not own and hearing.late:
        raise late()
    if not words:
        return tuple(at.meant(number).split("\n"))
    at.agrees(number, words)
    return (words,)
