"""Every kind of mail as a picture, to be looked at: `make gallery`, with Chromium.

Each is written at the width of a phone and of a window, light and dark, with an index page; nothing is fetched. What a
program finds wrong with a page is printed: no valid HTML, what has no place in a mail, what hangs out of a phone or of
its cell, text that cannot be told from its ground. With `--axe FILE` (axe.min.js of the npm package axe-core: `npm pack
axe-core`) each page and the replay page are also checked for whoever cannot see them. Findings end it with 1.
`--readme` makes the two pictures of README anew, and nothing else.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path

import html5lib
from PIL import Image

from engine.catalog import ENGLISH
from pbem.export.replay_page import write_replay_page
from tests.desk.room import Got
from tests.export import browser as chromium
from tests.export.browser import CONTRAST, JUMPS, UNNAMED, Browser
from tests.parts import page_of
from tests.tools.kinds_of_mail import mails
from tests.whole.pages import faults
from tests.whole.room import Hall

PHONE, WINDOW = (390, 844), (1000, 760)
LOOKS = tuple((size, dark) for dark in (False, True) for size in (PHONE, WINDOW))
SAMPLES = Path("games/samples")
GRAVE = frozenset({"serious", "critical"})
"""Findings of axe-core that a page must not have."""

# What is wider than its place: the page than the window, words than their cell, and letters that nobody can read.
WIDE = """(() => {
  const bad = [], across = document.documentElement.clientWidth;
  for (const node of document.querySelectorAll('body *')) {
    const box = node.getBoundingClientRect(), named = `${node.tagName} ${node.className} ${node.textContent.trim().slice(0, 30)}`;
    if (box.width && (box.right > across + 1 || box.left < -1)) bad.push(`out of the window: ${named}`);
    else if (/^(TD|TH|LI|DIV|P)$/.test(node.tagName) && node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 1)
      bad.push(`out of its place by ${node.scrollWidth - node.clientWidth}: ${named}`);
  }
  return bad;
})()"""

# What a finger misses: a link lower than 40 pixels.
LOW = """[...document.querySelectorAll('a')].map((node) => [node.getBoundingClientRect().height, node.textContent.trim().slice(0, 30)])
  .filter(([height]) => height && height < 40).map(([height, words]) => `${Math.round(height)} px: ${words}`)"""

CHECKED = "axe.run().then((found) => found.violations.map((one) => [one.impact, one.id, one.nodes[0].html.slice(0, 120)]))"


def main() -> None:
    """Write the folder."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--axe", type=Path, help="axe.min.js, to check the pages with")
    options.add_argument("--readme", action="store_true", help="the two pictures of README alone")
    options.add_argument("names", nargs="*", help="games, by words of their names")
    given = options.parse_intermixed_args()
    if not chromium.found():
        sys.exit("Chromium is needed: apt-get install chromium")
    with tempfile.TemporaryDirectory() as folder, Browser(Path(folder) / "profile") as browser:
        if given.readme:
            readme(browser, Path(folder))
            return
        axe = given.axe.read_text(encoding="utf-8") if given.axe else ""
        given.folder.mkdir(parents=True, exist_ok=True)
        rows, bad = [], 0
        for stem, got in mails(given.names, Path(folder)):
            row, found = drawn(browser, stem, got, given.folder, axe)
            rows.append(row)
            bad += len(found)
            print(f"{stem}:", *found or ["well"], sep="\n    " if found else " ", flush=True)
        if not given.names:
            found = replayed(browser, Path(folder), axe)
            bad += len(found)
            print("replay page:", *found or ["well"], sep="\n    " if found else " ")
    index = f"<!DOCTYPE html><meta charset=utf-8><title>Mails</title><table>{''.join(rows)}</table>"
    (given.folder / "index.html").write_text(index, encoding="utf-8")
    print(f"{len(rows)} mails, {bad} findings")
    sys.exit(bool(bad))


def drawn(browser: Browser, stem: str, got: Got, folder: Path, axe: str) -> tuple[str, list[str]]:
    """A row of the index, its pictures in the folder; and what is wrong with the page."""
    if got.message.get_body(("html",)) is None:
        return f"<tr><th>{escape(stem)}</th><td colspan=4><pre>{escape(got.text)}</pre></td></tr>", []
    page = page_of(got.message)
    file = folder / f"{stem}.html"
    file.write_text(page, encoding="utf-8")
    cells, found = [], [*faults(page), *invalid(page)]
    for (width, height), dark in LOOKS:
        look = f"{'dark' if dark else 'light'} {width}"
        # A phone as a window of its width: a page that does not fit would be made smaller there, and look well.
        browser.window(width, height, dark=dark)
        browser.show(file)
        found += [f"{look}: {one}" for one in browser.ask(WIDE)]
        found += [f"{look}: too low for a finger: {one}" for one in browser.ask(LOW)]
        found += [f"{look}: {one}" for one in looked_at(browser, axe if width == PHONE[0] else "")]
        picture = folder / f"{stem}-{look.replace(' ', '-')}.png"
        browser.picture(picture, whole=True)
        cells.append(f'<td><a href="{picture.name}"><img src="{picture.name}" width="{width // 3}" alt="{look}"></a></td>')
    return f"<tr><th>{escape(stem)}<br>{len(page.encode()) // 1000} kB</th>{''.join(cells)}</tr>", found


def looked_at(browser: Browser, axe: str) -> Iterator[str]:
    """What is wrong with the page that is shown, as it is shown."""
    yield from (f"too little contrast: {one}" for one in browser.ask(CONTRAST))
    yield from (f"a heading that jumps: {one}" for one in browser.ask(JUMPS))
    yield from (f"without a name: {one}" for one in browser.ask(UNNAMED))
    if axe:
        browser.ask(axe)
        yield from (f"axe: {' '.join(one)}" for one in browser.ask(CHECKED) if one[0] in GRAVE)


def invalid(page: str) -> list[str]:
    """Why a page is no HTML."""
    parser = html5lib.HTMLParser()
    parser.parse(page)
    return [f"invalid at {place}: {what} {more}" for place, what, more in parser.errors]


def replayed(browser: Browser, folder: Path, axe: str) -> list[str]:
    """What is wrong with the replay page of a sample game, in its middle."""
    file, found = folder / "replay.html", []
    file.write_text(sample(), encoding="utf-8")
    for (width, height), dark in LOOKS:
        browser.window(width, height, dark=dark)
        browser.open(file, "#120")
        look = f"{'dark' if dark else 'light'} {width}"
        found += [f"{look}: {one}" for one in looked_at(browser, axe if width == PHONE[0] else "")]
    return found


def sample() -> str:
    """The replay page of the recorded game of three."""
    return write_replay_page(json.loads((SAMPLES / "troyes-3.json").read_text(encoding="utf-8")), ENGLISH)


def readme(browser: Browser, folder: Path) -> None:
    """A turn on a phone and the replay page, as README shows them."""
    phone, replay = folder / "turn.html", folder / "replay.html"
    hall = Hall(folder / "game")
    hall.seat_all(3)
    for _ in range(22):
        hall.send(hall.asked() or "", "1")
    turn = max((got for got in hall.mails() if got.kind == "turn" and "settle" not in got.text), key=shown)
    phone.write_text(page_of(turn.message), encoding="utf-8")
    browser.window(390, 1500)
    browser.show(phone)
    browser.picture(SAMPLES / "turn.png")
    replay.write_text(sample(), encoding="utf-8")
    browser.window(*WINDOW)
    browser.open(replay, "#120")
    browser.picture(SAMPLES / "replay.png")
    for name in ("turn.png", "replay.png"):
        with Image.open(SAMPLES / name) as whole:
            few(whole.convert("RGB")).save(SAMPLES / name, optimize=True)


def shown(got: Got) -> int:
    """How much of a turn is seen on the first screen: choices, below few news."""
    return len(re.findall(r"^\[\d", got.text, re.MULTILINE)) - 2 * len(re.findall(r"^[-*] ", got.text, re.MULTILINE))


def few(whole: Image.Image) -> Image.Image:
    """The same in its 160 most frequent colours, each as it is: a purple die must not become a gray one."""
    frequent = sorted(whole.getcolors(1 << 24) or (), reverse=True)[:160]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for _, colour in frequent for part in colour])
    return whole.quantize(palette=palette, dither=Image.Dither.NONE)


if __name__ == "__main__":
    main()
