"""A Containerfile read strictly, and its steps done in a scratch folder where no container engine is to be had.

What is not understood is an error, so that a step can never be passed over. `build` does every COPY and RUN with the
image's absolute paths put below the folder; four programs that would change this machine have stand-ins.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

PLAIN = ("ARG", "FROM", "WORKDIR", "COPY", "RUN", "USER", "VOLUME", "ENV", "STOPSIGNAL")
LISTS = ("ENTRYPOINT", "CMD")

_OURS = re.compile(r"(?<![\w./$-])/(?=(?:opt|src|data|var/lib/apt)\b)")
"""An absolute path of the image that its steps make or change."""

STAND_INS = {
    "apt-get": '#!/bin/sh\n[ "$1" = update ] || exec /usr/bin/apt-get --simulate "$@"\n',
    "useradd": '#!/bin/sh\nexec /usr/sbin/useradd --prefix "$ROOT" "$@"\n',
    # The owner must be known to the image; here only its name can be looked up.
    "install": '#!/bin/sh\n[ "$1 $2 $4" = "-d -o -g" ] || exit 9\n'
    'grep -q "^$3:" "$ROOT/etc/passwd" && grep -q "^$5:" "$ROOT/etc/group" || exit 8\n'
    'shift 5\nexec /usr/bin/install -d "$@"\n',
    "python": f'#!/bin/sh\nexec {getattr(sys, "_base_executable", sys.executable)} "$@"\n',
}


class Unreadable(ValueError):  # noqa: N818 - as in engine.errors
    """A line of the file that is not understood, with its number."""


@dataclass(frozen=True)
class Step:
    """One instruction, with its `--options` taken off; `words` is split at blanks but for RUN, whose text is whole."""

    verb: str
    words: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)


def read(text: str) -> list[Step]:
    """The instructions in their order. Raises Unreadable."""
    return [_step(number, line) for number, line in _lines(text)]


def _lines(text: str) -> Iterator[tuple[int, str]]:
    kept, first = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if not kept and (not line.strip() or line.startswith("#")):
            continue
        first = first if kept else number
        kept += line.strip().removesuffix("\\").rstrip() + " "
        if not line.endswith("\\"):
            yield first, kept.strip()
            kept = ""
    if kept:
        raise Unreadable(f"line {first}: ends with a backslash")


def _step(number: int, line: str) -> Step:
    verb, _, rest = line.partition(" ")
    options: dict[str, str] = {}
    while verb != "RUN" and (found := re.match(r"--([a-z-]+)=(\S+) +", rest)):
        options[found[1]] = found[2]
        rest = rest[found.end() :]
    if verb == "HEALTHCHECK":
        inner, _, rest = rest.partition(" ")
        if inner != "CMD":
            raise Unreadable(f"line {number}: {line}")
    if verb in (*LISTS, "HEALTHCHECK"):
        try:
            return Step(verb, tuple(json.loads(rest)), options)
        except ValueError:
            raise Unreadable(f"line {number}: only a list in JSON is run without a shell: {rest}") from None
    if verb not in PLAIN or not rest:
        raise Unreadable(f"line {number}: {line}")
    return Step(verb, (rest,) if verb == "RUN" else tuple(rest.split()), options)


@dataclass
class Image:
    """What a build leaves: files below `root`, and how it is to be run."""

    root: Path
    environ: dict[str, str] = field(default_factory=dict)
    workdir: str = "/"
    user: str = "root"
    entrypoint: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    healthcheck: tuple[str, ...] = ()
    stages: dict[str, Path] = field(default_factory=dict)

    def inside(self, text: str) -> str:
        """The image's own paths, put below `root`."""
        return _OURS.sub(f"{self.root}/", text)

    def folder(self, path: str) -> Path:
        """An absolute path of the image, or one below its working folder."""
        return self.root / (Path(self.workdir) / path).relative_to("/")

    def surroundings(self) -> dict[str, str]:
        """The environment of a process in it."""
        path = f"{self.root.parent / 'bin'}:{os.environ['PATH']}"
        # What is installed for one start need not be compiled.
        found = {**os.environ, "PATH": path, "ROOT": str(self.root), "PYTHONPATH": "", "PIP_NO_COMPILE": "1"}
        for name, value in self.environ.items():
            found[name] = self.inside(value).replace("$PATH", path)
        return found


def build(steps: list[Step], context: Path, scratch: Path) -> Image:
    """Do every step. Raises AssertionError with what a step printed, Unreadable for what cannot be done here."""
    (scratch / "bin").mkdir(parents=True)
    for name, text in STAND_INS.items():
        file = scratch / "bin" / name
        file.write_text(text)
        file.chmod(0o755)
    image = Image(scratch / "root")
    for step in steps:
        _do(step, image, context)
    return image


def _do(step: Step, image: Image, context: Path) -> None:
    match step.verb:
        case "FROM":
            _begin(step, image)
        case "WORKDIR":
            image.workdir = step.words[0]
            image.folder("").mkdir(parents=True, exist_ok=True)
        case "COPY":
            _copy(step, image, context)
        case "RUN":
            command = ["sh", "-ec", image.inside(step.words[0])]
            done = subprocess.run(
                command, cwd=image.folder(""), env=image.surroundings(), capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{step.words[0]}\n{done.stdout}{done.stderr}"
        case "USER":
            assert f"\n{step.words[0]}:" in (image.root / "etc/passwd").read_text(), "a user that no step has made"
            image.user = step.words[0]
        case "ENV":
            image.environ |= dict(word.split("=", 1) for word in step.words)
        case "ENTRYPOINT":
            image.entrypoint = step.words
        case "CMD":
            image.command = step.words
        case "HEALTHCHECK":
            image.healthcheck = step.words
        case "ARG" | "VOLUME" | "STOPSIGNAL":
            pass
        case other:
            raise Unreadable(other)


def _begin(step: Step, image: Image) -> None:
    """A new stage at the same path, so that what one stage made runs in the next; the old one is put aside."""
    if image.root.exists():
        (name,) = [name for name, folder in image.stages.items() if folder == image.root]
        aside = image.root.with_name(f"stage-{name}")
        image.root.rename(aside)
        image.stages[name] = aside
    if step.words[1:2] == ("AS",):
        image.stages[step.words[2]] = image.root
    (image.root / "etc").mkdir(parents=True)
    for name in ("passwd", "group", "shadow", "gshadow"):
        (image.root / "etc" / name).write_text("root:x:0:0::/root:/bin/sh\n" if name == "passwd" else "")
    shutil.copy("/etc/login.defs", image.root / "etc")
    image.workdir, image.user = "/", "root"


def _copy(step: Step, image: Image, context: Path) -> None:
    *sources, target = step.words
    place = image.folder(target)
    if "from" in step.options:
        (source,) = sources
        found = image.stages[step.options["from"]] / Path(source).relative_to("/")
        assert source == target, "a virtual environment works at the path at which it was made"
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(found, place, symlinks=True)
        return
    for source in sources:
        found = context / source
        if found.is_dir():
            shutil.copytree(found, place, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(found, place / source if target.endswith("/") else place)
