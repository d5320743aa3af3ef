"""Every kind of mail as a picture, to be looked at: `make gallery`, with Chromium.

Each is written at the width of a phone and of a window, light and dark, with an index page; nothing is fetched.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html import escape
from itertools import islice
from pathlib import Path

from PIL import Image, ImageChops

from pbem.moderation.opening import Invited, Opening, open_table
from tests.desk.room import Got
from tests.measure_mails import GAMES, play
from tests.parts import page_of
from tests.whole.room import NAMES, Hall

WIDTHS = (390, 1000)
TALLEST = 6000
QUESTIONS = ("status", "options", "help", "card merchant", "try 1", "activate nonsense with Y6", "say Shall we?", "board")
DARK = "@media (prefers-color-scheme: dark)"


def mails(name: str, folder: Path) -> Iterator[tuple[str, Got]]:
    """One mail of every kind of a game, from its middle."""
    kind, players, options = GAMES[name]
    hall, _, _ = play(folder / "whole", kind, players, options)
    found: dict[str, list[Got]] = {}
    for got in hall.mails():
        found.setdefault(got.kind, []).append(got)
    for sort, gots in found.items():
        yield sort, gots[len(gots) // 2]
    yield "long-turn", max(hall.mails(), key=lambda got: len(got.raw))
    begun = Hall(folder / "begun", kind)
    begun.seat_all(players, options=options)
    for _ in range(12):
        if (seat := begun.asked()) is not None:
            begun.send(seat, "1")
    asked = begun.asked() or "anna"
    for question in QUESTIONS:
        begun.send(asked, question)
        yield question.partition(" ")[0], begun.last(asked)
    if players > 1:
        yield "news", next(got for got in reversed(begun.mails()) if got.kind == "news")
    gathering = Hall(folder / "gathering", kind)
    invited = tuple(Invited(one, (f"{one.lower()}@people.test",)) for one in islice(NAMES, players))
    open_table(gathering.desk, Opening(kind, invited, seed=b"s" * 32, options=options))
    yield "invitation", gathering.last("anna")


def picture(browser: str, page: Path, width: int, file: Path) -> None:
    """The whole page as PNG, cut below its end. Raises CalledProcessError."""
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile}",
             f"--window-size={width},{TALLEST}", f"--screenshot={file}", page.as_uri()],
            check=True, capture_output=True, timeout=120,
        )  # fmt: skip
    with Image.open(file) as whole:
        shown = whole.convert("RGB")
    paper = Image.new("RGB", shown.size, shown.getpixel((shown.width - 1, shown.height - 1)))
    box = ImageChops.difference(shown, paper).getbbox()
    shown.crop((0, 0, shown.width, (box[3] if box else 10) + 10)).quantize(64).save(file, optimize=True)


def main() -> None:
    """Write the folder."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("names", nargs="*", help="games, by words of their names")
    given = options.parse_args()
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        sys.exit("Chromium is needed: apt-get install chromium")
    given.folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for name in GAMES:
        if given.names and not any(word in name for word in given.names):
            continue
        with tempfile.TemporaryDirectory() as folder:
            for sort, got in mails(name, Path(folder)):
                stem = f"{name.split(',')[0].replace(' ', '-')}-{sort}"
                light = page_of(got.message)
                cells = []
                for look, page in (("light", light), ("dark", light.replace(DARK, "@media all"))):
                    source = given.folder / f"{stem}-{look}.html"
                    source.write_text(page, encoding="utf-8")
                    for width in WIDTHS:
                        file = given.folder / f"{stem}-{look}-{width}.png"
                        picture(browser, source.absolute(), width, file)
                        cells.append(f'<td><a href="{file.name}"><img src="{file.name}" width="{width // 3}" alt="{look}"></a></td>')
                rows.append(f"<tr><th>{escape(stem)}<br>{len(light) // 1000} kB</th>{''.join(cells)}</tr>")
                print(stem, flush=True)
    index = f"<!DOCTYPE html><meta charset=utf-8><title>Mails</title><table>{''.join(rows)}</table>"
    (given.folder / "index.html").write_text(index, encoding="utf-8")


if __name__ == "__main__":
    main()
