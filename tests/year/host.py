"""The year's host: one process from the first day to the last, which works whenever it is told what time it is.

So its memory is the daemon's alone, and nothing that it keeps is let go by a restart.
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import resource
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import Any

from pbem.daemon.service import make_daemon, open_service
from pbem.store.game_repo import GameRepo
from pbem.store.repack import count_packs
from tests.month.sim import BEGINS, settings
from tests.ticking import Ticking
from tests.year.sizes import Size, size_of

MEASURE = "measure"


class Log(logging.Handler):
    """Counts the octets of what the daemon tells its log."""

    octets = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.octets += len(self.format(record)) + 1


class Packing:
    """What packing has done: octets on the disk and files of the games, before and after."""

    def __init__(self) -> None:
        self.games, self.packs, self.before, self.after = 0, 0, Size(), Size()
        self.seconds = 0.0
        real = GameRepo.pack

        def pack(repo: GameRepo) -> None:
            began = time.process_time() + resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            packs, before = count_packs(repo.folder), size_of(repo.folder)
            real(repo)
            self.games, self.packs = self.games + 1, self.packs + packs
            self.before, self.after = self.before + before, self.after + size_of(repo.folder)
            self.seconds += time.process_time() + resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - began

        GameRepo.pack = pack  # type: ignore[method-assign]

    def told(self) -> dict[str, Any]:
        return {
            "times": self.games, "packs": self.packs, "before": self.before.told(), "after": self.after.told(),
            "seconds": round(self.seconds, 2),
        }  # fmt: skip


def memory() -> int:
    """Octets of this process that are in the memory now."""
    rows = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return 1024 * int(rows["VmRSS"].split()[0])


async def serve(folder: Path, imap: int, smtp: int, keep: int) -> None:
    """A line in is a time, or asks for measures; a line out tells what came of it, as JSON."""
    at = [BEGINS]
    log, packing = Log(), Packing()
    logging.basicConfig(level=logging.INFO, handlers=[log], format="%(asctime)s %(levelname)s %(name)s %(message)s")
    service = open_service(settings(folder, imap, smtp, keep), now=Ticking(lambda: at[0]))
    works = make_daemon(service)
    # Nothing else runs in this loop meanwhile.
    for line in sys.stdin:
        if line.strip() == MEASURE:
            gc.collect()
            fds, maps = len([*Path("/proc/self/fd").iterdir()]), len(Path("/proc/self/maps").read_text().splitlines())
            told = {
                "memory": memory(), "files_open": fds, "maps": maps, "log": log.octets, "packing": packing.told(),
                "seconds": round(time.process_time(), 2),
            }  # fmt: skip
        else:
            at[0] = datetime.fromisoformat(line.strip())
            told = {"code": await works.run(once=True)}
        print(json.dumps(told), flush=True)
    service.close()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), *map(int, sys.argv[2:])))
