"""Every kind of mail as a picture, to be looked at: `make gallery`, with Chromium.

Each is written at the width of a phone and of a window, light and dark, with an index page; nothing is fetched. With
`--axe FILE` (axe.min.js of the npm package axe-core) each page is checked for whoever cannot see it, and what is found
is printed. `--readme` makes the two pictures of README anew, and nothing else.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html import escape, unescape
from itertools import islice
from pathlib import Path

from PIL import Image, ImageChops

from engine.catalog import ENGLISH
from pbem.export.page import page
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
    # Then somebody's turn, or an answer that is still to come: what is refused then shows choices.
    for letter in range(30):
        waiting = next(one for one in begun.rules.waiting(begun.position()) if not one.answered)
        asked = waiting.seat
        if letter > 11 and not waiting.sealed:
            break
        begun.send(asked, "1")
    for question in QUESTIONS:
        begun.send(asked, question)
        yield question.partition(" ")[0], begun.last(asked)
    if players > 1:
        yield "news", next(got for got in reversed(begun.mails()) if got.kind == "news")
    gathering = Hall(folder / "gathering", kind)
    invited = tuple(Invited(one, (f"{one.lower()}@people.test",)) for one in islice(NAMES, players))
    open_table(gathering.desk, Opening(kind, invited, seed=b"s" * 32, options=options))
    yield "invitation", gathering.last("anna")


_RUN = """axe.run().then((found) => { const told = document.createElement("pre"); told.id = "axe";
told.textContent = JSON.stringify(found.violations.map((one) => [one.impact, one.id, one.nodes[0].html.slice(0, 120)]));
document.body.append(told); });"""


def findings(browser: str, page: str, axe: str) -> list[list[str]]:
    """What axe-core finds on a page: impact, rule, and the first place. Raises CalledProcessError, ValueError."""
    head, end, tail = page.rpartition("</body>")
    head = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", head)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "page.html"
        file.write_text(f"{head}<script>{axe}</script><script>{_RUN}</script>{end}{tail}", encoding="utf-8")
        told = subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile",
             "--virtual-time-budget=20000", "--window-size=390,900", "--dump-dom", file.as_uri()],
            check=True, capture_output=True, timeout=120, text=True,
        ).stdout  # fmt: skip
    found = re.search(r'<pre id="axe">(.*?)</pre>', told, re.DOTALL)
    if found is None:
        raise ValueError("axe-core has not run")
    rows: list[list[str]] = json.loads(unescape(found[1]))
    return rows


SAMPLES = Path("games/samples")


def shown(got: Got) -> int:
    """How much of a turn is seen on the first screen: choices, below few news."""
    return len(re.findall(r"^\[\d", got.text, re.MULTILINE)) - 2 * len(re.findall(r"^[-*] ", got.text, re.MULTILINE))


def readme(browser: str) -> None:
    """A turn on a phone and the replay page, as README shows them."""
    with tempfile.TemporaryDirectory() as folder:
        phone, replay = Path(folder) / "turn.html", Path(folder) / "replay.html"
        hall = Hall(Path(folder) / "game")
        hall.seat_all(3)
        for _ in range(22):
            hall.send(hall.asked() or "", "1")
        turn = max((got for got in hall.mails() if got.kind == "turn" and "settle" not in got.text), key=shown)
        phone.write_text(page_of(turn.message), encoding="utf-8")
        picture(browser, phone, 390, SAMPLES / "turn.png")
        given = json.loads((SAMPLES / "troyes-3.json").read_text(encoding="utf-8"))
        replay.write_text(page(given, ENGLISH), encoding="utf-8")
        step = replay.as_uri() + "#120"
        shot(browser, step, (1000, 760), SAMPLES / "replay.png")
    for name, box in {"turn.png": (0, 0, 390, 1500), "replay.png": (0, 0, 1000, 760)}.items():
        with Image.open(SAMPLES / name) as whole:
            few(whole.convert("RGB").crop(box)).save(SAMPLES / name, optimize=True)


def shot(browser: str, address: str, size: tuple[int, int], file: Path) -> None:
    """A window of a page as PNG. Raises CalledProcessError."""
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile}",
             f"--window-size={size[0]},{size[1]}", f"--screenshot={file}", address],
            check=True, capture_output=True, timeout=120,
        )  # fmt: skip


def few(whole: Image.Image) -> Image.Image:
    """The same in its 160 most frequent colours, each as it is: a purple die must not become a gray one."""
    frequent = sorted(whole.getcolors(1 << 24) or (), reverse=True)[:160]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for _, colour in frequent for part in colour])
    return whole.quantize(palette=palette, dither=Image.Dither.NONE)


def picture(browser: str, page: Path, width: int, file: Path) -> None:
    """The whole page as PNG, cut below its end. Raises CalledProcessError."""
    shot(browser, page.as_uri(), (width, TALLEST), file)
    with Image.open(file) as whole:
        shown = whole.convert("RGB")
    paper = Image.new("RGB", shown.size, shown.getpixel((shown.width - 1, shown.height - 1)))
    box = ImageChops.difference(shown, paper).getbbox()
    few(shown.crop((0, 0, shown.width, (box[3] if box else 10) + 10))).save(file, optimize=True)


def main() -> None:
    """Write the folder."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--axe", type=Path, help="axe.min.js, to check the pages with")
    options.add_argument("--readme", action="store_true", help="the two pictures of README alone")
    options.add_argument("names", nargs="*", help="games, by words of their names")
    given = options.parse_args()
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        sys.exit("Chromium is needed: apt-get install chromium")
    if given.readme:
        readme(browser)
        return
    axe = given.axe.read_text(encoding="utf-8") if given.axe else ""
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
                print(stem, *(findings(browser, light, axe) if axe else ()), flush=True)
    index = f"<!DOCTYPE html><meta charset=utf-8><title>Mails</title><table>{''.join(rows)}</table>"
    (given.folder / "index.html").write_text(index, encoding="utf-8")


if __name__ == "__main__":
    main()
