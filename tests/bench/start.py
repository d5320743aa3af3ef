"""A daemon that starts and works once, as a process of its own: `python -m tests.bench.start GAMES MAIL IMAP SMTP`.

On stdout its greatest size in MB, and the seconds of the processor from before its first import.
"""

from __future__ import annotations

import time

BEGAN = time.process_time()

import logging  # noqa: E402
import resource  # noqa: E402
import sys  # noqa: E402
from pathlib import Path  # noqa: E402

from pbem.daemon.service import run_daemon  # noqa: E402
from pbem.host.config import Config, HostConfig, ImapConfig, SmtpConfig  # noqa: E402


def main(games: str, mail: str, imap: str, smtp: str) -> None:
    """One round, and its figures."""
    config = Config(
        Path(games), Path(mail), host=HostConfig("pbem@games.test"),
        imap=ImapConfig("127.0.0.1", int(imap), "games", "none"), smtp=SmtpConfig("127.0.0.1", int(smtp), "games", "none"),
    )  # fmt: skip
    logging.disable(logging.CRITICAL)
    run_daemon(config, once=True)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, time.process_time() - BEGAN)


if __name__ == "__main__":
    main(*sys.argv[1:])
