"""The replay page in a headless Chromium, opened from a file: whole games, views, keys, fingers, phones, the dark.

`PBEM_PICTURES=FOLDER` keeps the screenshots.
"""

from __future__ import annotations

import json
import os
import pickle
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.catalog import ENGLISH
from pbem.export.audience import Audience
from pbem.export.document import export_document
from pbem.export.game_source import GameSource
from pbem.export.replay_page import write_replay_page
from tests.export import browser as chromium
from tests.export.browser import CONTRAST, JUMPS, UNNAMED, Browser
from tests.export.tables import KINDS, positions, table
from tests.fakegame import GAME as TALLY
from tests.parts import page_of
from tests.patience import PATIENCE
from tests.tools import gallery
from tests.whole.room import Hall

PHONE, DESK = (390, 844), (1280, 900)
MOST_BYTES = 2_000_000
MOST_MILLISECONDS = 20_000
"""No page takes that long, on whatever machine; one on two quiet cores takes 150."""

# Words of a card's name that stand on two lines.
BROKEN = """[...document.querySelectorAll('.activity h4')].flatMap((node) => [...node.firstChild.data.matchAll(/\\p{L}+/gu)].filter((word) => {
  const range = document.createRange(); range.setStart(node.firstChild, word.index); range.setEnd(node.firstChild, word.index + word[0].length);
  const box = range.getBoundingClientRect(); return range.getClientRects().length > 1 || box.right > node.closest('.card').getBoundingClientRect().right; }).map(String))"""

WALKED = """(() => { const seen = []; let last = -1; while (last < now) { last = now;
  seen.push([now, $('says').textContent, document.querySelector('#log [aria-current]')?.textContent]);
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true })); } return seen; })()"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if not chromium.found():
        if os.environ.get("PBEM_REQUIRE_SERVERS") == "1":
            pytest.fail("there is no Chromium, and PBEM_REQUIRE_SERVERS=1")
        pytest.skip("there is no Chromium on this machine (Debian: chromium)")
    profile = tmp_path_factory.mktemp("profile")
    with Browser(profile) as opened:
        yield opened
    shutil.rmtree(profile, ignore_errors=True)


def written(source: GameSource, view: str, folder: Path) -> tuple[Path, dict[str, Any]]:
    """The page of a view in a file, and the document it was made from."""
    found = export_document(source, Audience.parse(view, source.seats))
    path = folder / f"{source.stored.table.kind}-{view.replace(':', '-')}.html"
    path.write_text(write_replay_page(found, ENGLISH))
    return path, found


@cache
def drawn(kind: str, players: int, seed: int, view: str) -> bytes:
    """The document of a whole game; what its positions promised takes seconds."""
    source = table(kind, players, seed)
    return pickle.dumps(export_document(source, Audience.parse(view, source.seats)))


def whole(kind: str, players: int, seed: int, view: str, folder: Path) -> tuple[Path, dict[str, Any]]:
    """As `written`, of a whole game."""
    found = pickle.loads(drawn(kind, players, seed, view))
    path = folder / f"{kind}-{view}.html"
    path.write_text(write_replay_page(found, ENGLISH))
    return path, found


def kept(browser: Browser, name: str, folder: Path, whole: bool = False) -> int:
    """Take a picture; its size in bytes."""
    place = Path(os.environ.get("PBEM_PICTURES", str(folder)))
    place.mkdir(parents=True, exist_ok=True)
    browser.picture(place / f"{name}.png", whole)
    return (place / f"{name}.png").stat().st_size


@pytest.mark.parametrize("kind", ["troyes", pytest.param("troyes-dice", marks=pytest.mark.soak)])
def test_a_whole_game_is_stepped_through(kind: str, browser: Browser, tmp_path: Path) -> None:
    """Every position is the one that was played, and each press of a key shows the next one and its line."""
    path, found = whole(kind, 2, 11, "full", tmp_path)
    assert path.stat().st_size < MOST_BYTES
    browser.requests.clear()
    browser.window(*DESK)
    browser.open(path)
    assert int(browser.ask("document.documentElement.dataset.since")) < MOST_MILLISECONDS
    wanted = [*positions(found)]
    assert len(wanted) == browser.ask("steps.length")
    played = json.loads(browser.ask("JSON.stringify(positions.map((one) => one.table || {}))"))
    assert [one.get("table", {}) for one in wanted] == played
    # Pressed in the page, where no frame is painted between two keys; those of a real keyboard are the next test's.
    seen = []
    for at, says, marked in browser.ask(WALKED):
        assert not says.strip() or marked[:30] in says
        seen.append(at)
    assert seen == sorted(set(seen))
    assert len(wanted) - 1 == browser.ask("now")
    assert browser.ask("document.querySelectorAll('.scores tbody tr').length") > 2
    assert browser.ask("document.querySelectorAll('#charts figure').length") > 3
    assert [] == browser.complaints
    assert [path.resolve().as_uri()] == [
        asked.split("#")[0] for asked in browser.requests if not asked.startswith("about:")
    ]


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_estimates_are_drawn_and_costly_turns_marked(size: tuple[int, int], browser: Browser, tmp_path: Path) -> None:
    """On the lines, in the log, in a list that leads there, and in numbers; in a full export alone."""
    path, found = whole("troyes-dice", 2, 11, "full", tmp_path)
    browser.window(*size, phone=size == PHONE)
    browser.open(path)
    costly = browser.ask("ctx.costly")
    told = [step.get("turn") for row in found["records"] for step in row["steps"]]
    assert costly == sorted(costly)
    assert all(told[at]["cost"] >= 1 for at in costly)
    assert len(costly) > 2
    assert browser.ask("document.querySelector('#log > .hint').textContent").startswith("A red number: so many points")
    count = "document.querySelectorAll('{}').length"
    assert [len(costly)] * 3 == [browser.ask(count.format(what)) for what in (".expected circle.cost", "#log .cost", ".costly li")]
    for n, at in enumerate(costly):
        browser.ask(f"document.querySelectorAll('.costly button')[{n}].click()")
        assert at == browser.ask("now")
        says = browser.ask(f"document.querySelectorAll('.costly li')[{n}].textContent")
        assert f"«{told[at]['best']}» promised {told[at]['cost']:.1f} more" in says
    ends = [str(total) for total in found["result"]["totals"].values()]
    rows = "[...document.querySelectorAll('.expected tbody tr:last-child td')].map((one) => one.textContent)"
    assert [f"{end}.0" for end in ends] == browser.ask(rows)
    assert browser.ask("document.querySelector('.expected svg').getAttribute('aria-label')").endswith(
        ", ".join(f"{name} {end}" for name, end in zip(("Anna", "Faye"), ends, strict=True))
    )
    browser.ask("document.querySelector('.expected details').open = true")
    assert browser.ask("document.documentElement.scrollWidth") <= size[0]
    assert [] == browser.ask(UNNAMED) + browser.ask(JUMPS) + browser.ask(CONTRAST) + browser.complaints
    path, _ = whole("troyes-dice", 2, 11, "public", tmp_path)
    browser.open(path)
    assert [0, 0] == browser.ask("[ctx.costly.length, document.querySelectorAll('.expected').length]")


def test_keys_fingers_log_slider_and_play_move_the_game(browser: Browser, tmp_path: Path) -> None:
    path, _ = written(table("troyes", 3, 12), "public", tmp_path)
    browser.window(*PHONE, phone=True)
    browser.open(path, "#40")
    assert 39 == browser.ask("now")
    browser.key("ArrowLeft", 37)
    assert 38 == browser.ask("now")
    browser.key("Home", 36)
    assert 0 == browser.ask("now")
    browser.key("PageDown", 34)
    later = browser.ask("now")
    assert later == browser.ask("rounds.find((one) => one.at > 0).at")
    browser.swipe((330, 620), (80, 630))
    assert later + 1 == browser.ask("now")
    browser.swipe((80, 620), (330, 630))
    assert later == browser.ask("now")
    browser.swipe((200, 640), (205, 440))
    assert later == browser.ask("now")
    browser.ask("document.querySelectorAll('#log button')[30].click()")
    assert browser.ask("Number(document.querySelectorAll('#log button')[30].dataset.at)") == browser.ask("now")
    browser.ask("$('slider').value = 5; $('slider').dispatchEvent(new Event('input'))")
    assert 5 == browser.ask("now")
    browser.ask("$('speed').value = '200'; document.activeElement.blur()")
    browser.key(" ", 32, " ")
    assert "true" == browser.ask("$('play').getAttribute('aria-pressed')")
    end = time.monotonic() + PATIENCE
    while browser.ask("now") < 8 and time.monotonic() < end:
        time.sleep(0.05)
    assert browser.ask("now") >= 8
    browser.key("ArrowLeft", 37)
    assert "false" == browser.ask("$('play').getAttribute('aria-pressed')")
    assert [] == browser.complaints


def test_the_view_is_switched_in_a_full_export_only(browser: Browser, tmp_path: Path) -> None:
    """Each seat's secrets in its own view, in its own words; a seat's page has one view and no switch."""
    source = table("troyes", 3, 13)
    path, found = written(source, "full", tmp_path)
    browser.window(*DESK)
    browser.open(path, "#60")
    assert browser.ask("$('secret').hidden")
    for seat in source.seats:
        browser.ask(f"$('view').value = '{seat}'; $('view').dispatchEvent(new Event('change'))")
        said = browser.ask("$('secret').textContent")
        for rival in source.seats:
            for one in [*positions(found)][59]["secret"][rival]["characters"]:
                assert (rival == seat) == (one["name"] in said)
        assert "You " in browser.ask("$('log').textContent")
    path, _ = written(source, "seat:faye", tmp_path)
    browser.open(path, "#60")
    assert browser.ask("$('viewing').hidden")
    assert not browser.ask("$('secret').hidden")
    assert ["faye"] == browser.ask("Object.keys(positions[positions.length - 1].secret)")
    path, _ = written(source, "public", tmp_path)
    browser.open(path, "#60")
    assert browser.ask("$('secret').hidden && $('viewing').hidden && !positions.some((one) => one.secret)")


@pytest.mark.parametrize("width", [360, 600, *(pytest.param(width, marks=pytest.mark.soak) for width in (390, 1000))])
def test_names_of_cards_are_whole(width: int, browser: Browser, tmp_path: Path) -> None:
    """The longest one, wherever a card lies."""
    path, found = whole("troyes", 2, 11, "full", tmp_path)
    found["cards"] = {id: {**card, "name": "Apprenticeship"} for id, card in found["cards"].items()}
    path.write_text(write_replay_page(found, ENGLISH))
    browser.window(width, 844, phone=width < 860)
    browser.open(path)
    browser.ask("go(steps.length - 1)")
    assert browser.ask("document.querySelectorAll('.activity h4').length") > 5
    assert browser.ask(BROKEN) == []


LOOKS = [
    # Each game on each screen, by day or by night; the soak has both.
    pytest.param(kind, size, dark, marks=[] if dark == ((kind == KINDS[0]) == (size == PHONE)) else pytest.mark.soak)
    for kind in KINDS for size in (PHONE, DESK) for dark in (False, True)
]  # fmt: skip


@pytest.mark.parametrize(("kind", "size", "dark"), LOOKS)
def test_it_can_be_read_on_a_phone_at_a_desk_and_at_night(
    kind: str, size: tuple[int, int], dark: bool, browser: Browser, tmp_path: Path
) -> None:
    """Nothing hangs over the side, everything has a name, headings do not jump, and letters stand out."""
    path, found = whole(kind, 4, 14, "full", tmp_path)
    browser.window(*size, phone=size == PHONE, dark=dark)
    last = len([*positions(found)])
    middle = last // 2
    browser.open(path)
    for at in (1, middle, middle + 7, last):
        browser.ask(f"go({at - 1})")
        browser.ask("if (seats.length) { $('view').value = seats[0]; $('view').dispatchEvent(new Event('change')) }")
        assert browser.ask("document.documentElement.scrollWidth") <= size[0]
        assert [] == browser.ask(UNNAMED)
        assert [] == browser.ask(JUMPS)
        assert [] == browser.ask(CONTRAST)
        assert 1 == browser.ask("document.querySelectorAll('h1').length")
    covered = """(() => { const chart = [...document.querySelectorAll('#charts figure')].pop(); chart.scrollIntoView({block: 'center'});
      const box = document.querySelector('#charts').getBoundingClientRect();
      return [0.1, 0.5, 0.95].every((part) => document.elementFromPoint(box.left + part * box.width, innerHeight / 2).closest('#after')); })()"""
    assert browser.ask(covered)
    name = f"{kind}-{size[0]}{'-dark' if dark else ''}"
    browser.ask(f"go({middle - 1})")
    assert kept(browser, name, tmp_path) > 20_000
    assert kept(browser, f"{name}-whole", tmp_path, whole=True) > 30_000
    assert [] == browser.complaints


def test_a_game_without_a_drawing_of_its_own_is_shown_as_a_table(browser: Browser, tmp_path: Path) -> None:
    path, found = written(table("tally", 3, 4, game=TALLY), "full", tmp_path)
    browser.window(*DESK)
    browser.open(path)
    browser.key("End", 35)
    last = [*positions(found)][-1]["table"]
    assert str(last["counter"]) in browser.ask("$('board').textContent")
    assert [] == browser.complaints


def test_names_and_talk_are_text_and_never_markup(browser: Browser, tmp_path: Path) -> None:
    """A player may be called anything, and say it."""
    odd = "</script><img src=x onerror=window.bad=1>"
    source = table("troyes", 2, 5, stop=9)
    rows = tuple(replace(row, name=odd if row.seat == "anna" else row.name) for row in source.stored.table.seats)
    records = [*source.records[:-1], replace(source.records[-1], also={"says": [f"<b>{odd}</b> ]]> \u2028 --> {odd}"]})]
    source = replace(
        source, stored=replace(source.stored, table=replace(source.stored.table, seats=rows)), records=tuple(records)
    )
    path, _ = written(source, "seat:faye", tmp_path)
    browser.window(*DESK)
    browser.open(path)
    browser.key("End", 35)
    assert odd in browser.ask("$('players').textContent")
    assert odd in browser.ask("$('log').textContent")
    assert [0, None] == browser.ask(
        "[document.querySelectorAll('#log img, #log b, header img').length, window.bad ?? null]"
    )
    assert [] == browser.complaints


@pytest.mark.parametrize("kind", ["troyes", "troyes-dice"])
def test_a_mail_fits_a_phone_and_the_gallery_sees_what_does_not(kind: str, browser: Browser, tmp_path: Path) -> None:
    """The widest tables, in French; then the same page with a word that no phone holds, and one that nobody can read."""
    hall = Hall(tmp_path / "hall", kind)
    options = {"bonus": "yes", "ladies": "all"} if kind == "troyes" else {"expansion": "yes"}
    hall.seat_all(4, options=options, languages=("fr",) * 4)
    for _ in range(6):
        hall.send(hall.asked() or "", "1")
    hall.send(hall.asked() or "", "aide")
    hall.send(hall.asked() or "", "statut")
    browser.complaints.clear()
    browser.window(*gallery.PHONE)
    for got in hall.mails(hall.asked())[-2:]:
        file = tmp_path / "mail.html"
        file.write_text(mail := page_of(got.message))
        browser.show(file)
        assert [] == browser.ask(gallery.WIDE) + list(gallery.looked_at(browser, "")) + gallery.invalid(mail)
    planted = f"<table><tr><td>{'x' * 90}</td></tr></table><p style='color:#eee'>pale</p><h4>jump</h4><tr>"
    file.write_text(mail.replace("</body>", f"{planted}</body>").replace("overflow-wrap:break-word", ""))
    browser.show(file)
    assert any("out of the window" in one for one in browser.ask(gallery.WIDE))
    assert {"too little contrast", "a heading that jumps"} == {
        one.partition(":")[0] for one in gallery.looked_at(browser, "")
    }
    assert gallery.invalid(mail.replace("</body>", f"{planted}</body>"))
