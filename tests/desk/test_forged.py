"""What letters that anybody may have forged bring upon others: few mails, and nobody is muted by them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.admin import host_requests
from pbem.host.keys import mailbox_of
from tests.desk.open_tables import answer, fresh, lets, opened, to
from tests.desk.room import Room

PASS = {"Authentication-Results": "mx.host.test; dmarc=pass header.from=people.test"}


@pytest.mark.parametrize(
    ("written", "is_of"),
    [
        ("Eve+games@Home.test", "eve@home.test"),
        ("e.v.e@home.test", "eve@home.test"),
        ("E.ve+1+2@home.test", "eve@home.test"),
        ("+@home.test", "+@home.test"),
        ("eve@ho.me.test", "eve@ho.me.test"),
    ],
)
def test_a_mailbox_is_known_however_it_is_spelt(written: str, is_of: str) -> None:
    assert is_of == mailbox_of(written)


def test_a_letter_that_asks_for_nothing_is_not_answered(empty: Room) -> None:
    """Its From may be forged, and spam names people who have written nothing."""
    room = lets(empty, "anyone")
    for text in ("hello, buy this", "Your invoice is attached", "", "Viagra!", "Dear Sir, I am a prince"):
        assert [] == fresh(room, "victim@home.test", text)
    for n, text in enumerate(("May I play?", "Puis-je jouer ?", "help", "Une place à une table ?")):
        (how,) = fresh(room, f"zoe{n}@elsewhere{n}.test", text)
        assert "troyes-12" in how.text


def test_open_tables_stay_open_to_newcomers_under_forged_letters(empty: Room) -> None:
    """Whatever a forger asks for, in whoever's name: forty a day, and those who look for a table are answered."""
    room = lets(empty, "anyone")
    mails = [one for n in range(40) for one in fresh(room, f"victim+{n}@home.test", "May I play a game?")]
    mails += [one for n in range(40) for one in fresh(room, f"v{n}@home.test", "new tally 3 players")]
    mails += [one for n in range(40) for one in fresh(room, f"v@home{n}.test", "tables")]
    mails += [one for n in range(40) for one in fresh(room, f"v@home{n}.test", "a game?")]
    assert 3 >= sum("victim" in to(one) for one in mails), "one mailbox, whatever its spelling"
    assert host_requests.PER_DOMAIN_A_DAY + 3 >= sum(to(one).endswith("@home.test") for one in mails)
    assert host_requests.WELCOMES_A_DAY == sum("a program that runs games" in one.text for one in mails)
    (listed,) = fresh(room, "new@newcomer.test", "tables")
    assert "No table has a free place now." in listed.text
    (question,) = fresh(room, "new@newcomer.test", "new tally 3 players")
    answer(room, "new@newcomer.test", "yes", question)
    assert ("tally-1",) == tuple(room.store.names())


def test_all_strangers_together_are_mailed_seldom(empty: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host is no relay: a forger with many addresses reaches few."""
    monkeypatch.setattr(host_requests, "REQUESTS_A_DAY", 5)
    room = lets(empty, "anyone")
    got = [one for n in range(9) for one in fresh(room, f"v@victim{n}.test", "new tally 3 players")]
    assert 5 == len(got)
    assert [] == fresh(room, "v@victim10.test", "tables\nnew tally 3 players")
    room.time += timedelta(days=1)
    assert 1 == len(fresh(room, "v@victim9.test", "tables"))


@pytest.mark.parametrize("forged", ["my data", "join tally-2", "new tally 3 players", "add 1", "hello?", "forget me"])
def test_forged_letters_mute_nobody(room: Room, forged: str) -> None:
    """What they ask for is asked once; what she asks for herself goes on, and her letters with a key anyway."""
    lets(room, "anyone")
    game = opened(room, by="bob")
    sent = [one for n in range(20) for one in fresh(room, f"Anna+{n % 2 * '+x'}@people.test", forged)]
    sent += [one for _ in range(20) for one in fresh(room, "anna@people.test", forged)]
    assert 3 >= len([one for one in sent if "was it you" in str(one.message["Subject"]).lower()])
    assert 6 >= len(sent)
    for line in {"my data", f"join {game}", "new tally 4 players", "tables"} - {forged}:
        (mail,) = fresh(room, "anna@people.test", line)
        assert "anna@people.test" == to(mail)
        if line != "tables":
            assert any(one.kind != "refusal" for one in answer(room, "anna@people.test", "yes", mail))
    assert "answered" == room.send("anna", "status", to=room.mails("anna")[0]).outcome


def test_what_the_own_server_vouches_for_is_counted_apart(room: Room) -> None:
    """The same words in a forger's letters use nothing up."""
    room.desk.services = replace(room.desk.services, authserv_id="mx.host.test")
    for _ in range(9):
        fresh(room, "anna@people.test", "add 1")
    assert [] == fresh(room, "anna@people.test", "add 1")
    (told,) = fresh(room, "anna@people.test", "add 1", **PASS)
    assert "add 1" in told.text


def test_a_mailbox_is_invited_once_a_day_whoever_asks_and_however_it_is_spelt(empty: Room) -> None:
    """Fourteen made-up senders of one domain, four letters each."""
    room = lets(empty, "anyone")
    for sender in range(14):
        address = f"sybil{sender}@evil.test"
        for n in range(2):
            names = ", ".join(f"V{k} <victim+{sender}{n}{k}@home.test>" for k in range(1 if n else 3))
            for mail in fresh(room, address, f"new tally with {names}"):
                answer(room, address, "yes", mail)
    assert 1 == len([one for one in room.mails() if "victim" in to(one)])


def test_newcomers_of_one_domain_do_not_take_all_tables_that_may_wait(room: Room) -> None:
    lets(room, "anyone", waiting=6, a_day=9)

    def asked(address: str) -> int:
        before = len(room.store.names())
        for mail in fresh(room, address, "new tally 3 players"):
            answer(room, address, "yes", mail)
        return len(room.store.names()) - before

    assert 2 == sum(asked(f"sybil{n}@evil.test") for n in range(6))
    assert 1 == asked("zoe@elsewhere.test")
    assert 3 == sum(asked(f"sybil@evil{n}.test") for n in range(6))
    assert 0 == asked("yet@another.test")
    # Whom others here have played with is not kept out by newcomers.
    assert 1 == asked("anna@people.test")
