"""The log of a host: what it says of letters, and what of foreign words it shows."""

from __future__ import annotations

import logging
import sys

import pytest

from pbem.cli.daemon import Plain
from pbem.inbound.mailbox import LoginRefused, MailboxError
from pbem.outbound.sender import SendDelayed, SendRefused
from tests.daemon.fakes import Host
from tests.daemon.test_daemon import host

__all__ = ["host"]


async def test_the_log_names_neither_whose_a_letter_is_nor_whether_it_has_played(
    host: Host, caplog: pytest.LogCaptureFixture
) -> None:
    """`pbem log` says «a sealed answer is given» or «a letter is answered» alike, whoever has given it."""
    host.box.deliver("one", "two")
    host.desk.moods["two"] = "answered"
    with caplog.at_level(logging.DEBUG, "pbem"):
        await host.daemon.run(once=True)
    said = [line.partition(": ")[2].strip() for line in caplog.messages if line.startswith("letter ")]
    assert ["tale-3, answered", "tale-3, answered no reason"] == said


def test_the_log_shows_nothing_that_moves_a_terminal() -> None:
    """ESC, OSC, bidirectional characters and line ends of a foreign server."""
    shown = Plain("%(levelname)s %(message)s")
    said = "550 \x1b[31mno\x1b]0;pwned\x07 such\r\nERROR forged \u202egnp.exe\x9b2J"
    record = logging.LogRecord("x", logging.WARNING, __file__, 1, "mail %s", (said,), None)
    line = shown.format(record)
    assert line.isprintable()
    assert "\n" not in line
    try:
        raise ValueError(said)
    except ValueError:
        record.exc_info = sys.exc_info()
    lines = shown.format(record).split("\n")
    assert all(line.isprintable() for line in lines)
    assert lines[1] == "Traceback (most recent call last):"


@pytest.mark.parametrize("kind", [SendRefused, SendDelayed, MailboxError, LoginRefused])
def test_what_a_server_has_said_is_one_plain_line(kind: type[Exception]) -> None:
    text = str(kind("\x1b]0;pwned\x07no\r\nsuch \u202euser\x9b2J"))
    assert text.isprintable()
    assert text.endswith("]0;pwnedno  such user2J")
