"""What a restored host takes up of the folder of handled letters, and when it has done so for good."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.daemon.replay_handled import replay_handled_letters
from pbem.inbound.mailbox import AccountTrouble, Mailbox
from pbem.store import toml_format
from pbem.store.spool import Spool

from .odd import Talk, imap, odd_server, settings

MADE = datetime(2026, 11, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("command", "answer", "over"),
    [
        ("SELECT", "NO [NONEXISTENT] there is no such folder", True),
        ("SELECT", "NO Mailbox doesn't exist: Elsewhere", True),
        ("SELECT", "NO Something went wrong: Handled", False),
        ("SELECT", "NO [INUSE] somebody else reads it", False),
        ("SELECT", "NO [SERVERBUG] Internal error occurred.", False),
        ("LOGIN", "NO [LIMIT] too many connections", False),
    ],
)
async def test_only_where_nothing_was_ever_handled_is_it_over_without_a_look(
    tmp_path: Path, command: str, answer: str, over: bool
) -> None:
    """Whatever else keeps the folder shut passes, and the letters in it are still to be taken up then."""

    async def refuse(talk: Talk, tag: str, rest: str) -> bool:
        if rest.startswith("LIST") and "Handled" in answer:
            talk.say(r'* LIST (\HasNoChildren) "/" Handled')
        if not rest.startswith(command):
            return False
        talk.say(f"{tag} {answer}")
        return True

    mark = tmp_path / "restored.toml"
    mark.write_bytes(toml_format.toml_bytes({"made": MADE}))
    async with odd_server(lambda talk: imap(talk, refuse)) as odd:
        box = Mailbox(settings(odd.port))
        with closing(Spool(tmp_path)) as spool:
            if over:
                assert 0 == await replay_handled_letters(mark, spool, box, MADE)
            else:
                with pytest.raises(AccountTrouble):
                    await replay_handled_letters(mark, spool, box, MADE)
    assert mark.exists() is not over
