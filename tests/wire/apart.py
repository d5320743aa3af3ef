"""The embedded post office in a process of its own: `python -m tests.wire.apart FOLDER DOMAIN`.

Where it shares a process with those who write, each of their mails that is read holds its answers up.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from .servers import Office, local_office


@contextlib.contextmanager
def office_apart(folder: Path, domain: str) -> Iterator[Office]:
    """`local_office`, elsewhere."""
    words = [sys.executable, "-m", "tests.wire.apart", str(folder), domain]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        into, out = process.stdin, process.stdout

        def make(name: str) -> str:
            into.write(f"{name}\n")
            into.flush()
            return out.readline().strip()

        smtp_port, imap_port, password = out.readline().rstrip("\n").split("\t")
        try:
            yield Office(int(smtp_port), int(imap_port), password, domain, make, into.close, folder=folder)
        finally:
            into.close()


def main(folder: str, domain: str) -> None:
    """Serve until standard input ends; each line of it is an account to make, and is answered by its address."""
    with local_office(Path(folder), domain=domain) as office:
        print(office.smtp_port, office.imap_port, office.password, sep="\t", flush=True)
        for line in sys.stdin:
            print(office.make_account(line.strip()), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
