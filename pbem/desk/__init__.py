"""The desk: one letter, one transaction, one commit.

`Desk.answer` takes a letter that the spool holds, and either everything of it happens (position, record, mails) or
nothing does. The steps and what a crash leaves after each are told in `pbem.router` and `commit.py`.
"""

from pbem.desk.desk import Desk
from pbem.desk.outcome import FromFile, Handled, Outcome
from pbem.desk.services import Services

__all__ = ["Desk", "FromFile", "Handled", "Outcome", "Services"]
