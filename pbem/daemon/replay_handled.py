"""A host made of a backup reads again what the old one has answered since: these letters lie among the handled ones.

They are taken before those in the inbox, which were written later, and stay where they lie. A letter that the restored
spool knows is not taken, so nothing is played twice.
"""

from __future__ import annotations

import hashlib
import logging
import tomllib
from datetime import datetime, timedelta
from pathlib import Path

from pbem.inbound.fetch_queue import FETCH_BATCH
from pbem.inbound.mailbox import Mailbox, NoFolder
from pbem.inbound.maildir import Maildir
from pbem.store.spool import Spool

log = logging.getLogger(__name__)

WAITED = timedelta(days=7)
"""A letter may have come so long before the backup and been answered after it. What is older was another host's."""


async def replay_handled_letters(path: Path, spool: Spool, handled: Mailbox | Maildir, now: datetime) -> int:
    """Lay whatever has come to `handled` since the backup, and is not known, into the spool; how many letters that was.

    `path` says when the backup was made, and goes when all is done: a crash before that repeats it, and harms nothing.
    Raises MailboxError, OSError, sqlite3.Error.
    """
    made, count, unread = tomllib.loads(path.read_text(encoding="utf-8"))["made"], 0, list[int]()
    try:
        await handled.connect()
        there = await handled.arrived((made - WAITED).date())
        for start in range(0, len(there), FETCH_BATCH):
            batch = there[start : start + FETCH_BATCH]
            found = await handled.fetch(batch)
            for place in batch:
                # A letter that the server does not give out must not keep the others from being read.
                found |= {} if place in found else await handled.fetch([place])
            unread += [place.uid for place in batch if place not in found]
            for place, raw in found.items():
                digest = hashlib.sha256(raw).hexdigest()
                if spool.seen(digest) is None:
                    # Place 0 is no place of the inbox; where the letter lies it is removed when its days are over.
                    count += spool.take(raw, digest, 0, place.uid, now)
                    spool.filed({(0, place.uid): (place.uidvalidity, place.uid)})
    except NoFolder as odd:
        # Nothing was ever handled in this mailbox. Other trouble with the folder passes.
        log.warning("no letters answered after the backup were found: %s", odd)
    finally:
        await handled.close()
    if unread:
        log.error("of the handled letters the mailbox does not give out UID %s", ", ".join(map(str, unread)))
    path.unlink()
    log.info("%d letters that were answered after the backup are read once more", count)
    return count
