"""The HTML part of whole games' mails: valid, small, without anything remote; each of its links plays what it shows."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, make_dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import html5lib
import pytest

from engine.game import Offer, Seat, find_game
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.desk.answering import answer_request
from pbem.desk.core.context import asked_of
from pbem.desk.core.identity import identify
from pbem.desk.core.request import Request
from pbem.inbound.incoming_letter import open_letter
from pbem.outbound.jinja_environments import TemplateSet as Templates
from pbem.outbound.render import Host, Renderer
from tests.desk import room as desk_room
from tests.desk.room import Got, Room
from tests.dice_mail.test_private import check as dice_law
from tests.parts import page_of
from tests.tools.measure_mails import GAMES, play
from tests.whole.pages import choices_of, faults, links_of, words_of
from tests.whole.room import Hall
from tests.whole.test_private import test_no_mail_tells_what_its_reader_may_not_know as private_law

NASTY = '"><img src=x onerror=1><script>say("3")</script></td><!-- {{ 7*7 }} --><a href="https://evil.test">pass</a>&amp;'


WHOLE = 600
"""More letters than any game takes."""


@pytest.mark.parametrize("letters", [24, pytest.param(WHOLE, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", ["all of the Ladies, 3 players", "solo", "dice, 3 players"])
def test_every_page_of_a_game_is_valid_small_and_holds_nothing_that_acts(
    name: str, letters: int, tmp_path: Path
) -> None:
    """Of its beginning; of whole games in the soak. Final mails are looked at in tests/whole/test_final_mail.py."""
    kind, players, options = GAMES[name]
    hall, _, _ = play(tmp_path, kind, players, options, letters=letters)
    assert letters < WHOLE or hall.asked() is None
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


AGAIN = "Already played; nothing was done again.", "Déjà joué\xa0; rien n'a été refait."


@dataclass
class Tapped:
    """What taps have shown: mails, all their links, and those tapped again after they had closed a decision."""

    mails: int = 0
    links: int = 0
    again: int = 0


def shown(link: tuple[str, str, str], offers: Sequence[Offer]) -> str:
    """The order that a link shows: its number counts in the whole list, of which a mail shows a part."""
    return offers[int(link[2].partition(" ")[0].strip("[]")) - 1].text


def orders_of(hall: Hall) -> list[str]:
    """The orders of the newest record."""
    return hall.record(0, hall.table).private.get("orders", [])


def taps(
    folder: Path, kind: str, options: dict[str, str], mails: int, seed: int, plus: bool, done: Tapped, language: str = ""
) -> None:
    """What each link of a mail would play is what it shows; one of them, at random, is tapped in earnest, before that
    from elsewhere, and again afterwards."""
    hall, rng = Hall(folder, kind, plus), random.Random(seed)
    hall.seat_all(3, seed=bytes([seed]) * 32, options=options, languages=(language,) * 4)
    for _ in range(mails):
        waiting = [asked for asked in hall.rules.waiting(hall.position()) if not asked.answered]
        if not waiting:
            break
        seat = rng.choice(waiting).seat
        links = choices_of(next(got for got in reversed(hall.mails(seat)) if choices_of(got)))
        offers = find_game(kind).offers(hall.position(), seat)
        for link in links:
            assert would_play(hall, tapped(hall, seat, link)) == (shown(link, offers),), link
            done.links += 1
        link = rng.choice(links)
        tap_elsewhere(hall, seat, link)
        number = decision_of(hall, seat)
        hall.post(tapped(hall, seat, link))
        assert orders_of(hall) == [shown(link, offers)], link
        if decision_of(hall, seat) != number:
            tap_again(hall, seat, link)
            done.again += 1
        done.mails += 1
    hall.spool.close()


def would_play(hall: Hall, raw: bytes) -> tuple[str, ...]:
    """The orders that a letter's commit would hold: it is opened, proven, read and answered, and nothing is stored."""
    letter, services = open_letter(raw, frozenset({desk_room.OWN})), hall.desk.services
    who = identify(letter, services.people, services.keys, hall.spool.mailed)
    assert who.proven
    with services.store.open(who.game).lock("looking") as repo:
        context, holder = hall.desk.context(repo), services.people.holder(who.game, who.seat)
        return answer_request(Request.of(context, letter, who, holder, hall.time, services.zone)).effects.played


def tap_elsewhere(hall: Hall, seat: Seat, link: tuple[str, str, str]) -> None:
    """From another address: nothing is done, and the registered one is told so."""
    state, before = hall.position(), len(hall.spool.rows())
    hall.time += timedelta(days=1)
    hall.post(tapped(hall, seat, link, sender="Somebody <other@people.test>"))
    assert hall.position() == state, link
    assert [row.rcpt for row in hall.spool.rows()[before:]] == [f"{seat}@people.test"]


def tap_again(hall: Hall, seat: Seat, link: tuple[str, str, str]) -> None:
    """Again: already played."""
    state = hall.position()
    hall.post(tapped(hall, seat, link))
    assert hall.position() == state, link
    assert any(says in hall.last(seat).text for says in AGAIN), link


def decision_of(hall: Hall, seat: Seat) -> int:
    """The number of what a seat is asked; 0 for nothing."""
    asked = asked_of(hall.rules, hall.position(), seat)
    return asked.number if asked is not None else 0


@pytest.mark.parametrize(("plus", "language"), [(True, ""), (False, ""), (True, "fr")])
@pytest.mark.parametrize("kind", ["troyes", "troyes-dice"])
def test_a_tap_plays_exactly_the_choice_it_shows(kind: str, plus: bool, language: str, tmp_path: Path) -> None:
    """With the key in the address, or on a host without plus addresses in the subject; in French without accents."""
    done = Tapped()
    taps(tmp_path, kind, {}, 5, 3, plus, done, language)
    assert done.mails == 5
    assert done.links > 20
    assert done.again > 0


SOAKED = ("troyes", {}), ("troyes-dice", {"expansion": "yes"}), ("troyes", {"bonus": "yes", "ladies": "all"})


@pytest.mark.soak
@pytest.mark.parametrize("part", range(5))
def test_every_link_of_five_hundred_mails(part: int, tmp_path: Path) -> None:
    """A hundred in each part."""
    done = Tapped()
    for seed in range(10 * part + 1, 10 * part + 9):
        kind, options = SOAKED[seed % 3]
        taps(tmp_path / f"{seed}", kind, options, min(25, 100 - done.mails), seed, seed % 2 == 0, done, ("", "fr")[seed // 3 % 2])
    print(done)
    assert done.mails == 100


@pytest.mark.parametrize("kind", ["troyes", "troyes-dice"])
def test_a_tap_in_an_older_mail_of_the_decision_plays_its_words_or_asks_back(kind: str, tmp_path: Path) -> None:
    assert older_taps(tmp_path, kind, 14, 5) > 0


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["troyes", "troyes-dice"])
def test_taps_in_hundreds_of_older_mails(kind: str, tmp_path: Path) -> None:
    played = [older_taps(tmp_path / f"{seed}", kind, 60, seed) for seed in range(5)]
    print(kind, played)
    assert min(played) > 0


def older_taps(folder: Path, kind: str, letters: int, seed: int) -> int:
    """How many play. A newer mail has another list with other numbers: what is played is what the tapped link shows,
    or nothing."""
    hall, rng, played = Hall(folder, kind), random.Random(seed), 0
    hall.seat_all(2)
    for _ in range(letters):
        waiting = [asked for asked in hall.rules.waiting(hall.position()) if not asked.answered]
        if not waiting:
            break
        seat = waiting[0].seat
        links = choices_of(next(got for got in reversed(hall.mails(seat)) if choices_of(got)))
        offers = find_game(kind).offers(hall.position(), seat)
        narrow = rng.choice(links)[2].partition(" ")[2].split()
        hall.send(seat, f"options {narrow[0].strip(':')}" if narrow else "options")
        newer = choices_of(hall.last(seat))
        link = rng.choice([one for one in links if one not in newer] or links)
        state, mails = hall.position(), len(hall.mails(seat))
        hall.post(tapped(hall, seat, link))
        orders = hall.record(0, hall.table).private.get("orders")
        if orders:
            assert orders == [shown(link, offers)], link
            played += 1
        else:
            assert hall.position() == state
            hall.send(seat, offers[0].text)
        assert len(hall.mails(seat)) > mails
    return played


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


def test_a_link_says_the_word_of_its_reader_which_is_read_without_accents_too(tmp_path: Path) -> None:
    """Before the game and in it; what the tap opens is a letter that its writer might have written."""
    hall = Hall(tmp_path)
    hall.seat_all(2, languages=("fr", "fr"))
    seat = hall.asked()
    assert seat is not None
    links = links_of(hall.last(seat))
    assert [body for _, _, body in links][-4:] == ["possibilites", "statut", "annuler", "aide"]
    hall.post(tapped(hall, seat, links[-1]))
    assert "CE QUE VOUS POUVEZ ÉCRIRE" in hall.last(seat).text
    gathering = Hall(tmp_path / "other")
    people = tuple(Invited(name, (f"{name}@people.test",), language="fr") for name in ("anna", "bob"))
    open_table(gathering.desk, Opening("troyes", people, seed=b"s" * 32))
    for link in [one for one in links_of(gathering.last("anna")) if one[2] in ("statut", "aide")]:
        gathering.post(tapped(gathering, "anna", link))
        assert gathering.last("anna").kind == "answer", link
    assert {"rejoindre", "statut", "aide"} <= {body.partition("] ")[2] or body for _, _, body in links_of(gathering.last("anna"))}


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
    "attribute": '<p title="{{ view.leak }}">x</p>',
    "comment": "<!-- {{ view.leak }} -->",
    "link": '<a href="mailto:x@games.test?body={{ view.leak }}">x</a>',
    "alt": '<img alt="{{ view.leak }}">',
    "class": '<p class="{{ view.leak }}">x</p>',
}


def of_troyes(state: Any, rival: str) -> str:
    """A rival's characters."""
    return ",".join(state.characters.get(rival, ()))


def of_dice(state: Any, rival: str) -> str:
    """A rival's sealed answer."""
    return str(state.sealed.get(rival, ""))


LAWS = {
    "troyes": (of_troyes, lambda folder: private_law(folder, 3, 1, 7)),
    "troyes-dice": (of_dice, lambda folder: dice_law(folder, 4, 1)),
}


@cache
def leaking(shared: Templates, name: str, planted: str) -> Templates:
    """The templates that tests share, one of them replaced."""
    room, leak = copy(shared), shared.environment.from_string(planted)
    room.find = lambda *names: leak if name in names else shared.find(*names)
    return room


class Leaking(Renderer):
    """Draws `planted` in place of what a game draws as the reader's own."""

    def __init__(self, host: Host, kind: str, planted: str) -> None:
        super().__init__(host)
        self._planted = f"{kind}/mine", planted

    def room(self, language: str, part: str) -> Templates:
        shared = super().room(language, part)
        return leaking(shared, *self._planted) if part == "html" else shared


@pytest.mark.parametrize(
    ("kind", "where"),
    # Each place in one of the games; in the soak in both.
    [
        pytest.param(kind, where, marks=[] if (n + m) % 2 else pytest.mark.soak)
        for n, kind in enumerate(LAWS)
        for m, where in enumerate(PLANTED)
    ],
)
def test_a_leak_planted_in_the_html_alone_is_found(
    kind: str, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The private law reads every byte of both parts: a rival's secrets are put where no eye would see them."""
    leaks, law = LAWS[kind]
    true_view = find_game(kind).view

    def leaky(state: Any, seat: str | None) -> Any:
        view = true_view(state, seat)
        rivals = [other for other in state.names if other != seat] if seat else []
        said = "".join(leaks(state, rival) for rival in rivals)
        fields = {name: getattr(view, name) for name in view.__slots__}
        return make_dataclass("Leaky", [*fields, "leak"])(**fields, leak=said)

    monkeypatch.setattr(type(find_game(kind)), "view", staticmethod(leaky))
    monkeypatch.setattr(desk_room, "renderer_of", lambda plus: Leaking(Host(desk_room.OWN, plus), kind, PLANTED[where]))
    with pytest.raises(AssertionError):
        law(tmp_path)


def test_a_french_page_has_french_dice_spaces_and_words_to_tap(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.seat_all(2, languages=("fr", "fr"))
    seat = hall.asked()
    assert seat is not None
    page = page_of(hall.last(seat).message)
    assert " libre" in page and " gratuit" not in page
    assert re.findall(r">([^<>]+)</a> · ", page) == ["possibilités", "statut", "annuler"]
    for _ in range(40):
        if hall.rules.view(hall.position(), seat).round:
            break
        hall.send(hall.asked() or "", "1")
    hall.send(seat, "status")
    assert not re.findall(r">[YWP][1-6]<", page_of(hall.last(seat).message))
    hall.send(seat, "aide")
    helped = page_of(hall.last(seat).message)
    assert re.search(r'<th scope="row" [^>]*>dire TEXTE</th><td>le dit à toute la table', helped)
    assert not re.findall(r"(?:build|fight|place|cancel|later:|auto: pass)\b", words_of(helped))
