"""The desk: one letter, one transaction, one commit.

`Desk.handle` takes a letter that the spool holds, and either everything of it happens (position, record, mails) or
nothing does. The steps and what a crash leaves after each are told in `desk.py` and `sealing.py`.
"""

from pbem.desk.desk import Desk
from pbem.desk.office import Office
from pbem.desk.outcome import FromFile
from pbem.desk.outcome import Handled
from pbem.desk.outcome import Outcome

__all__ = ["Desk", "FromFile", "Handled", "Office", "Outcome"]
