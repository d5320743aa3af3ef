"""An anonymous table: its seats have names of their own, and who sat there is told in the final mail."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from engine.game import find_game
from pbem.admin.actions.seat_holders import rename, replace_holder
from pbem.admin.persons import parse_person
from pbem.admin.tables.invitations import invite, seat_newcomer
from pbem.admin.tables.opening import (
    ALIASES,
    Invited,
    Opening,
    draw_alias,
    new_holder,
    open_table,
    rematch_opening,
)
from pbem.desk.orders import reply_builder
from pbem.host.people import Holder
from pbem.store.commit_record import record_paths
from tests.clocks.table import Clocked
from tests.desk.room import Got
from tests.parts import page_of

PEOPLE = (("Anna Blum", "anna@people.test"), ("Bob", "bob@people.test"), ("Cleo", "cleo@people.test"))
SEATS = ("aubry", "blanche", "colin")
SEED = (2001).to_bytes(32, "big")
"""Draws these seats for three people in their order."""


def opened(folder: Path, people: tuple[tuple[str, str], ...] = PEOPLE, *, now: bool = True) -> Clocked:
    host = Clocked(folder)
    invited = tuple(Invited(name, (address,)) for name, address in people)
    open_table(host.desk, Opening("tally", invited, now=now, seed=SEED, options={"anonymous": "yes"}))
    host.deliver()
    return host


def says(host: Clocked, nth: int, text: str, people: tuple[tuple[str, str], ...] = PEOPLE) -> Got:
    """What somebody is answered who writes from their own address."""
    name, address = people[nth]
    host.post(host.write(SEATS[nth], text, sender=f"{name} <{address}>"))
    host.deliver()
    return host.last(SEATS[nth])


def finished(host: Clocked) -> Clocked:
    while host.state().phase != "over":
        for asked in host.rules.waiting(host.state()):
            says(host, SEATS.index(asked.seat), host.rules.offers(host.state(), asked.seat)[0].text)
    return host


def test_seats_have_names_of_their_own_until_the_end(tmp_path: Path) -> None:
    host = opened(tmp_path)
    mail = host.last("blanche")
    assert str(mail.message["To"]) == "Bob <bob@people.test>"
    assert "You are called Blanche." in mail.text
    assert "Aubry" in mail.text
    others = [got.text + page_of(got.message) for got in host.mails() if got.seat != "aubry"]
    assert not [text for text in others if "Anna" in text or "anna@" in text]
    finished(host)
    final = next(got for got in host.mails("blanche") if got.kind == "final")
    assert "Aubry was Anna Blum." in final.text
    assert "anna@people.test" not in final.text


@pytest.mark.parametrize(
    ("text", "relayed"),
    [
        ("Good move! -- Anna", "Good move"), ("Good move, Anna Blum", "Good move"), ("Bravo (anna)", "Bravo"),
        ("Annapurna is high", "Annapurna is high"), ("Anna is a nice name", "Anna is a nice name"),
    ],
)
def test_a_signature_is_cut_from_what_is_said(tmp_path: Path, text: str, relayed: str) -> None:
    host = opened(tmp_path)
    says(host, 0, f"say {text}")
    assert f"Aubry says: «{relayed}»" in host.last("colin").text
    assert "Anna Blum" not in host.last("colin").text


def test_nobody_says_only_who_they_are(tmp_path: Path) -> None:
    host = opened(tmp_path)
    before = len(host.mails("colin"))
    assert "nobody says before the end who they are" in says(host, 0, "say Anna").text
    assert len(host.mails("colin")) == before


def test_who_takes_a_seat_over_has_its_name(tmp_path: Path) -> None:
    host = opened(tmp_path)
    action = replace_holder(host.desk.services, "colin", parse_person("Zoe <zoe@people.test>"), "somebody had to leave")
    told = host.desk.change("tally-1", "replace", action).told
    assert str(told[0]).startswith("Somebody else has taken over the seat of Colin.")
    assert "Zoe" not in says(host, 0, "history").text


def test_a_seat_that_is_called_otherwise_keeps_its_person(tmp_path: Path) -> None:
    host = opened(tmp_path)
    host.desk.change("tally-1", "rename", rename(host.desk.services, "aubry", "Gautier"))
    assert "Anna Blum" == host.people.holder("tally-1", "aubry").name
    assert "Gautier" == host.stored().table.seat("aubry").name
    finished(host)
    final = next(got for got in host.mails("blanche") if got.kind == "final")
    assert "Gautier was Anna Blum." in final.text


def test_neither_names_nor_places_follow_from_who_was_named_first_or_came_last(tmp_path: Path) -> None:
    """Whoever has opened a table knows in which order they have named the others."""
    found = set()
    for n in range(6):
        host = Clocked(tmp_path / f"{n}")
        invited = tuple(Invited(name, (address,)) for name, address in PEOPLE[:2])
        ways = {"anonymous": "yes"}
        open_table(host.desk, Opening("tally", invited, seed=bytes([n]) * 32, options=ways, places=4))
        late = Invited("Cleo", ("cleo@people.test",))
        host.desk.change("tally-1", "join", partial(seat_newcomer, services=host.desk.services, one=late))
        host.desk.change("tally-1", "invite", invite(host.desk.services, parse_person("Zoe <zoe@people.test>")))
        rows = [row.seat for row in host.stored().table.seats]
        people = host.people.holders("tally-1")
        assert rows == [str(one.seat) for one in people] == sorted(rows)
        assert not [row.name for row in host.stored().table.seats if row.name.lower() != row.seat]
        assert "Zoe" not in str(host.record().also)
        found.add(tuple(one.name for one in people))
    assert len(found) > 3


def test_another_game_of_the_same_people_is_anonymous_too_and_finds_them(tmp_path: Path) -> None:
    host = finished(opened(tmp_path))
    opening = rematch_opening(host.stored(), host.people.holders("tally-1"))
    assert {one.name for one in opening.invited} == {name for name, _ in PEOPLE}
    assert opening.options["anonymous"] == "yes"


def test_the_repository_holds_no_name_of_anybody(tmp_path: Path) -> None:
    host = opened(tmp_path, now=False)
    for nth in range(3):
        says(host, nth, "join heron")
    says(host, 0, "add 1")
    repo = host.store.open("tally-1")
    files = [repo.read("state.toml"), repo.read("secret.toml"), *(commit.message.encode() for commit in repo.log())]
    files += [repo.read(path) for n in range(1, host.stored().table.records + 1) for path in record_paths(n) if repo.id_of(path)]
    assert len(files) > 10
    assert not [raw for raw in files if b"Anna" in raw]


def mailed(folder: Path, people: tuple[tuple[str, str], ...]) -> list[tuple[str, ...]]:
    """All that Blanche is mailed before the end of a game of these people."""
    host = opened(folder, people, now=False)
    for nth, text in enumerate(("join heron", "join", "join plume")):
        says(host, nth, text, people)
    texts = (f"add 2\nsay Hello, {people[0][0]}", "status", "pass\ntell blanche: psst", "bid 1", "history", "bid 2", "bid 0")
    for text, nth in zip(texts, (0, 1, 1, 0, 1, 1, 2), strict=True):
        says(host, nth, text, people)
    host.wait(30)
    mails = [(got, got.message) for got in host.mails("blanche") if got.kind != "final"]
    fixed = ("Date", "Subject", "Reply-To", "To")
    return [(got.text, page_of(message), *(str(message[name]) for name in fixed)) for got, message in mails]


ELSE = (("Zelda Quill", "zelda@elsewhere.test"), PEOPLE[1], ("Yann", "yann@elsewhere.test"))


def test_nobody_is_mailed_who_the_others_are(tmp_path: Path) -> None:
    """The law: whoever sits there, the mails are the same."""
    one = mailed(tmp_path / "one", PEOPLE)
    assert len(one) > 5
    assert one == mailed(tmp_path / "two", ELSE)


def test_a_planted_leak_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A signature that is left standing breaks the law."""
    monkeypatch.setattr(reply_builder, "strip_signature", lambda one, names: replace(one))
    with pytest.raises(AssertionError):
        test_nobody_is_mailed_who_the_others_are(tmp_path)


@pytest.mark.parametrize("kind", ["troyes", "troyes-dice"])
def test_no_alias_is_a_word_of_the_game(kind: str) -> None:
    """Isabeau is one of the Ladies, and «blanche» a colour: drawn, such a name got a number and was drawn again."""
    game = find_game(kind)
    for seed in range(64):
        others: list[Holder] = []
        for one in ("Anna", "Bob", "Cleo", "Dora")[: game.seats[-1]]:
            alias = draw_alias(game, others, bytes([seed]) * 32)
            others.append(new_holder(game, Invited(one, (f"{one.lower()}@people.test",)), others, alias))
        assert {str(one.seat) for one in others} <= {name.lower() for name in ALIASES}
