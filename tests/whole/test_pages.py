"""The HTML part of whole games' mails: valid, small, without anything remote; each of its links plays what it shows."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import html5lib
import pytest
from jinja2 import ChoiceLoader, DictLoader, PackageLoader

from engine.game import find
from pbem.outbound import render
from tests.desk import room as desk_room
from tests.desk.room import Got, Room
from tests.measure_mails import GAMES, play
from tests.parts import page_of
from tests.whole.pages import choices_of, faults, links_of, words_of
from tests.whole.room import Hall
from tests.whole.test_private import test_no_mail_tells_what_its_reader_may_not_know as private_law

NASTY = '"><img src=x onerror=1><script>say("3")</script></td><!-- {{ 7*7 }} --><a href="https://evil.test">pass</a>&amp;'


@pytest.mark.parametrize("name", ["all of the Ladies, 3 players", "solo", "dice, 3 players"])
def test_every_page_of_a_game_is_valid_small_and_holds_nothing_that_acts(name: str, tmp_path: Path) -> None:
    kind, players, options = GAMES[name]
    hall, _, _ = play(tmp_path, kind, players, options)
    assert hall.asked() is None
    for got in hall.mails():
        page = page_of(got.message)
        assert faults(page) == [], got.kind
        html5lib.HTMLParser(strict=True).parse(page)


def test_a_fault_of_a_page_is_found() -> None:
    page = '<html lang="en"><body><img src="https://x.test/a.png"><!-- x --><a href="https://x.test" onclick="x">x</a><th>'
    assert len(faults(page)) == 8
    with pytest.raises(Exception, match=r"(?i)doctype"):
        html5lib.HTMLParser(strict=True).parse(page)


def tapped(room: Room, seat: str, link: tuple[str, str, str], sender: str = "") -> bytes:
    """A letter as a composer makes it of a link: no In-Reply-To, a signature below."""
    address, subject, body = link
    fields = {"To": address, "Subject": subject, "In-Reply-To": ""}
    return room.write(seat, f"{body}\n\n-- \nSent from my phone", fields=fields, sender=sender)


def taps(folder: Path, kind: str, options: dict[str, str], letters: int, seed: int, plus: bool) -> int:
    """Play with taps on random choices; every one plays the words that it shows."""
    hall, rng, played = Hall(folder, kind, plus), random.Random(seed), 0
    hall.seat_all(3, seed=bytes([seed]) * 32, options=options)
    while played < letters:
        waiting = [asked for asked in hall.rules.waiting(hall.position()) if not asked.answered]
        if not waiting:
            break
        seat = rng.choice(waiting).seat
        got = next(got for got in reversed(hall.mails(seat)) if choices_of(got))
        links = choices_of(got)
        offers = find(kind).offers(hall.position(), seat)
        number = rng.randrange(len(links))
        hall.post(tapped(hall, seat, links[number]))
        orders = hall.record(0, hall.table).private.get("orders")
        assert orders == [offers[number].text], links[number]
        played += 1
    return played


@pytest.mark.parametrize("plus", [True, False])
@pytest.mark.parametrize("kind", ["troyes", "troyes-dice"])
def test_a_tap_plays_exactly_the_choice_it_shows(kind: str, plus: bool, tmp_path: Path) -> None:
    """With the key in the address, or on a host without plus addresses in the subject."""
    assert taps(tmp_path, kind, {}, 14, 3, plus) == 14


@pytest.mark.soak
def test_five_hundred_taps(tmp_path: Path) -> None:
    options = {"bonus": "yes", "ladies": "all"}
    done, seed = 0, 0
    while done < 500:
        seed += 1
        kind, chosen = ("troyes-dice", {}) if seed % 4 == 0 else ("troyes", options)
        done += taps(tmp_path / f"{seed}", kind, chosen, min(100, 500 - done), seed, seed % 2 == 0)


@pytest.mark.parametrize("kind", ["troyes", "troyes-dice"])
def test_a_tap_in_an_older_mail_of_the_decision_plays_its_words_or_asks_back(kind: str, tmp_path: Path) -> None:
    """A newer mail has another list with other numbers: what is played is what the tapped link shows, or nothing."""
    hall, rng, played = Hall(tmp_path, kind), random.Random(5), 0
    hall.seat_all(2)
    for _ in range(14):
        seat = next(asked.seat for asked in hall.rules.waiting(hall.position()) if not asked.answered)
        links = choices_of(next(got for got in reversed(hall.mails(seat)) if choices_of(got)))
        offers = find(kind).offers(hall.position(), seat)
        narrow = rng.choice(links)[2].partition(" ")[2].split()
        hall.send(seat, f"options {narrow[0].strip(':')}" if narrow else "options")
        newer = choices_of(hall.last(seat))
        link = rng.choice([one for one in links if one not in newer] or links)
        shown = offers[int(link[2].partition(" ")[0].strip("[]")) - 1].text
        state, mails = hall.position(), len(hall.mails(seat))
        hall.post(tapped(hall, seat, link))
        orders = hall.record(0, hall.table).private.get("orders")
        if orders:
            assert orders == [shown], link
            played += 1
        else:
            assert hall.position() == state
            hall.send(seat, offers[0].text)
        assert len(hall.mails(seat)) > mails
    assert played > 0


def test_a_tap_twice_late_and_from_elsewhere(tmp_path: Path) -> None:
    """Twice: already played. From another address: nothing, and the registered one is told."""
    hall = Hall(tmp_path)
    hall.seat_all(2)
    seat = hall.asked()
    assert seat is not None
    link = choices_of(hall.last(seat))[1]
    state = hall.position()
    before = len(hall.mails())
    hall.post(tapped(hall, seat, link, sender="Somebody <other@people.test>"))
    assert hall.position() == state
    assert [row.rcpt for row in hall.spool.rows()[before:]] == [f"{seat}@people.test"]
    hall.post(tapped(hall, seat, link))
    assert hall.position() != state
    state = hall.position()
    hall.post(tapped(hall, seat, link))
    assert hall.position() == state
    assert "Already played; nothing was done again." in hall.last(seat).text


def test_commands_of_every_mail_are_links(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.seat_all(2)
    seat = hall.asked()
    assert seat is not None
    links = links_of(hall.last(seat))
    assert [body for _, _, body in links][-4:] == ["options", "status", "undo", "help"]
    hall.post(tapped(hall, seat, links[-1]))
    assert "WHAT YOU CAN WRITE" in hall.last(seat).text


def test_a_mail_to_be_forwarded_has_no_link_and_no_key(tmp_path: Path) -> None:
    """Contract, «Private»: `board` answers with a public view without token or options."""
    hall = Hall(tmp_path)
    hall.seat_all(2)
    hall.send("anna", "board")
    page = page_of(hall.last("anna").message)
    assert links_of(hall.last("anna")) == []
    assert "troyes-1." not in page
    assert "Cathedral" in page


def test_what_people_write_injects_nothing(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.seat_all(3)
    hall.send("anna", f"say Look: {NASTY}")
    hall.send("anna", f"build {NASTY}")
    mails: list[Got] = [hall.last("faye"), hall.last("anna")]
    for got in mails:
        page = page_of(got.message)
        assert faults(page) == []
        html5lib.HTMLParser(strict=True).parse(page)
        assert '<script>say("3")</script>' in words_of(page)
        assert "49" not in re.sub(r"#[0-9a-f]+", "", words_of(page))


PLANTED = {
    "attribute": '<p title="{{ view.asked[0].kind }}">x</p>',
    "comment": "<!-- {{ view.asked[0].kind }} -->",
    "link": '<a href="mailto:x@games.test?body={{ view.asked[0].kind }}">x</a>',
    "alt": '<img alt="{{ view.asked[0].kind }}">',
    "class": '<p class="{{ view.asked[0].kind }}">x</p>',
}


@pytest.mark.parametrize("where", PLANTED)
def test_a_leak_planted_in_the_html_alone_is_found(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The private law reads every byte of both parts: a rival's character is put where no eye would see it."""
    true_view = find("troyes").view

    def leaky(state: Any, seat: str | None) -> Any:
        view = true_view(state, seat)
        rival = next(other for other in state.seats if other != seat)
        kind = ",".join(state.characters.get(rival, ()))
        return type(view)(**{
            name: view.asked and (type(view.asked[0])(view.asked[0].owner, kind, view.asked[0].question),)
            if name == "asked" else getattr(view, name)
            for name in view.__slots__
        })  # fmt: skip

    def loader(*names: str) -> ChoiceLoader:
        planted = "{% if view.asked %}" + PLANTED[where] + "{% endif %}"
        return ChoiceLoader([DictLoader({"troyes/mine.html": planted}), PackageLoader(*names)])

    monkeypatch.setattr(type(find("troyes")), "view", staticmethod(leaky))
    monkeypatch.setattr(render, "PackageLoader", loader)
    # The templates that other tests share are compiled already, without the leak.
    monkeypatch.setattr(desk_room, "renderer_of", desk_room.renderer_of.__wrapped__)
    with pytest.raises(AssertionError):
        private_law(tmp_path, 3, 1)
