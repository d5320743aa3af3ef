"""The walks that ARCHITECTURE.md describes, and the real calls they are compared with."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[2]
WALKS = ("a letter", "an order", "a mail", "an admin action")
ELSEWHERE = ("pbem.demo", "pbem.daemon")
"""The post office of the tests, and the loop that turns whether or not a letter comes."""


def described(walk: str) -> list[str]:
    """The modules that a walk of ARCHITECTURE.md names, in its order."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    section = text.partition(f"## The walk of {walk}\n")[2].partition("\n## ")[0]
    return [path.replace("/", ".") for path in re.findall(r"(?m)^\| `([\w/]+)\.py`", section)]


def folders(modules: Iterable[str]) -> list[str]:
    """The folder of each module, once for those of one folder that follow each other."""
    found: list[str] = []
    for module in modules:
        if found[-1:] != [module.rpartition(".")[0]]:
            found.append(module.rpartition(".")[0])
    return found


@contextmanager
def traced() -> Iterator[list[str]]:
    """The modules of the product that are called, in order, each as often as it is entered anew; in this thread, and in
    those that are begun meanwhile."""
    calls: list[str] = []

    def note(frame: FrameType, event: str, arg: Any) -> None:
        module = str(frame.f_globals.get("__name__", ""))
        ours = module.startswith(("pbem.", "engine.")) and not module.startswith(ELSEWHERE)
        if event == "call" and ours and frame.f_code.co_name != "<module>" and calls[-1:] != [module]:
            calls.append(module)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def out_of_order(names: Iterable[str], calls: Iterable[str]) -> list[str]:
    """The first name that is not called after those before it, if there is one."""
    left = iter(calls)
    return [name for name in names if name not in left][:1]


def rooms(modules: Iterable[str]) -> list[str]:
    """The rooms of pbem that the modules lie in, in the order they are first met."""
    found = (module.split(".")[1] for module in modules if module.startswith("pbem."))
    return list(dict.fromkeys(found))
