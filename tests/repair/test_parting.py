"""Whoever loses a seat is told so, once; what they answer to its mails is read by nobody."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.admin.actions import seat_holders
from pbem.admin.persons import Person
from pbem.admin.tables import invitations
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.host.people import People
from tests.desk.room import Got, Room
from tests.repair.bench import Bench


def told(room: Room) -> list[tuple[str, str]]:
    """To whom notes went, and what they say."""
    rows = [row for row in room.spool.rows() if row.kind == "notice"]
    mails = [Got("", row.kind, room.spool.raw(row.message_id), row.rcpt) for row in rows]
    return [(mail.name, " ".join(mail.text.split())) for mail in mails]


def replace_faye(bench: Bench, person: Person) -> None:
    bench.repair(seat_holders.replace_holder(bench.desk.services, "faye", person, "she left"))


def gather(room: Room) -> str:
    """A table of three that has not begun, of whom one has joined."""
    people = tuple(Invited(name, (f"{name.lower()}@people.test",)) for name in ("Anna", "Faye", "Geoffrey"))
    game = open_table(room.desk, Opening("troyes", people, seed=b"s" * 32)).table.game
    room.send("anna", "join", to=next(got for got in room.mails() if got.seat == "anna"))
    return game


def test_whoever_is_replaced_is_told_in_their_own_language(bench: Bench) -> None:
    bench.send("faye", "langue fr")
    replace_faye(bench, Person("Zoe", ("zoe@people.test",)))
    ((to, says),) = told(bench)
    assert to == "faye@people.test"
    assert "Quelqu'un d'autre a désormais votre siège à la table" in says
    assert "Zoe" not in says and "she left" not in says


def test_whoever_has_a_new_address_or_another_of_the_same_is_told_nothing(bench: Bench) -> None:
    replace_faye(bench, Person("Faye", ("other@people.test",)))
    replace_faye(bench, Person("Faye Blue", ("other@people.test", "faye@people.test")))
    assert told(bench) == []


def test_whom_mail_does_not_reach_is_written_to_no_more(bench: Bench) -> None:
    people = bench.desk.services.people
    people.change(bench.table, replace(people.holder(bench.table, "faye"), unreachable="mail came back"))
    replace_faye(bench, Person("Zoe", ("zoe@people.test",)))
    assert told(bench) == []


def test_a_table_that_begins_without_somebody_tells_them_unless_they_have_declined(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "host")
    game = gather(bench)
    bench.send("geoffrey", "decline", to=next(got for got in bench.mails() if got.seat == "geoffrey"))
    bench.repair(invitations.invite(bench.desk.services, Person("Emily", ("emily@people.test",))))
    bench.send("emily", "join", to=next(got for got in bench.mails() if got.seat == "emily"))
    bench.repair(invitations.start(bench.desk.services, "faye,geoffrey"))
    ((to, says),) = told(bench)
    assert to == "faye@people.test"
    assert f"The table {game} begins without you, since you had not answered its invitation." in says


def test_an_invitation_that_goes_to_somebody_else_is_taken_back(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "host")
    gather(bench)
    replace_faye(bench, Person("Zoe", ("zoe@people.test",)))
    ((to, says),) = told(bench)
    assert (to, "went to somebody else" in says) == ("faye@people.test", True)


@pytest.mark.parametrize("step", ["before", "after"])
def test_a_crash_between_takes_no_note_and_doubles_none(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Killed when the commit stands, before the note or before the people count; the next start does both, once."""
    settle = People.settle

    def dies(self: People, game: str, committed: bool) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        if step == "before":
            patched.setattr("pbem.desk.transaction.commit.notify_replaced", lambda *_: dies(bench.people, "", True))
        else:
            patched.setattr(People, "settle", dies)
        replace_faye(bench, Person("Zoe", ("zoe@people.test",)))
    assert People.settle is settle
    bench.restart()
    bench.desk.look(bench.table, lambda context: context)
    assert [to for to, _ in told(bench)] == ["faye@people.test"]
    assert bench.desk.services.people.holder(bench.table, "faye").name == "Zoe"
