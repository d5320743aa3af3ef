"""The life of a table by letter and at a terminal: who leaves, another game, another address."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.admin.actions import lifecycle, seat_holders
from pbem.admin.persons import Person
from pbem.admin.tables import invitations
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.cli import main
from pbem.desk.core.seat_controller import COMPUTER, PERSON
from pbem.host.keys import tokens_in
from tests.clocks.table import HOUR, Clocked
from tests.desk.room import NAMES, OWN
from tests.repair.bench import MODERATOR
from tests.repair.terminal import at


def text(room: Clocked, seat: str) -> str:
    return room.last(seat).text.replace("\n", " ")


def test_who_resigns_is_played_by_a_computer_until_somebody_else_comes(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    room.seated(3)
    assert "You have left the game." in room.says("anna", "resign")
    for seat in ("bob", "cleo", "gm"):
        assert "Anna has left the game; a computer (level steady) plays" in text(room, seat)
    assert "gm replace anna" in text(room, "gm")
    assert "bob" == room.state().turn
    assert [] == [got for got in room.wait(24) if got.seat == "anna"]
    # It is hers until somebody else has it.
    assert 1 == room.says("anna", "back").count("You play again; the computer has left your seat.")
    assert "person" == room.row("anna").get("by", "person")
    room.says("anna", "resign")
    action = seat_holders.replace_holder(room.desk.services, "anna", Person("Zoe", ("zoe@people.test",)), "Anna has left")
    anna = room.last("anna")
    room.desk.change("tally-1", "replace", action)
    assert "person" == room.row("anna").get("by", "person")
    before = len(room.mails())
    room.send("anna", "back", to=anna)
    assert before == len(room.mails())


def test_a_game_that_everybody_leaves_is_given_up(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    room.seated(2)
    room.says("anna", "resign")
    # No «back» is promised to the last one, who comes back to nothing.
    assert "You have left the game. Nobody else is left who plays, so it is given up." in room.says("bob", "resign")
    assert "«back»" not in text(room, "bob")
    assert "abandoned" == room.stored().table.status
    assert "it is given up" in text(room, "gm")
    room.desk.change("tally-1", "resume", lifecycle.resume())
    assert "running" == room.stored().table.status


def test_a_person_in_five_tables_asks_where(tmp_path: Path) -> None:
    """`games`, with a key: the others, each with its own address, who is waited for and until when."""
    room = Clocked(tmp_path)
    for _ in range(5):
        room.seated(2)
    first = next(got for got in room.mails("anna") if "tally-1" in str(got.message["Subject"]))
    room.send("anna", "games", to=first)
    told = text(room, "anna")
    assert all(f"tally-{n}, " in told for n in (2, 3, 4, 5))
    assert "tally-1, " not in told
    assert "Please answer by Thursday 26 November, 09:00 (UTC)." in told
    # The address that stands there plays.
    address = next(word for word in told.split() if word.startswith("pbem+tally-3."))
    raw = room.write("anna", "add 2", to=first, fields={"To": address, "In-Reply-To": "", "Subject": "hello"})
    room.post(raw)
    assert "bob" == room.state("tally-3").turn
    assert "You have no other open game here." in solo(tmp_path / "one")


def solo(folder: Path) -> str:
    room = Clocked(folder)
    room.seated(2)
    return room.says("anna", "games")


@pytest.mark.parametrize("plays", [True, False])
def test_who_has_not_answered_is_named_where_somebody_asks(tmp_path: Path, plays: bool) -> None:
    """`--awaited`: recorded and told where the moderator plays; without it nobody is named."""
    room = Clocked(tmp_path)
    names = NAMES[:3]
    invited = tuple(Invited(name, (f"{name.lower()}@people.test",)) for name in names)
    if plays:
        invited = (*invited[:2], Invited("Cleo", (MODERATOR,)))
    name = open_table(room.desk, Opening("troyes-dice", invited, now=True, seed=b"s" * 32)).table.game
    room.says("anna", "1")
    room.spool.close()
    at(room.folder)
    (room.folder / "pbem.toml").write_text(
        f'[host]\naddress = "{OWN}"\n[moderator]\naddresses = ["{MODERATOR}"]\n'
    )
    for words in (("list",), ("show", name), ("watch", "--once")):
        for asked in ((), ("--awaited",)):
            before = room.stored(name).table.records
            call = ["--config", str(room.folder / "pbem.toml"), *words, *asked, "--json"]
            result = CliRunner().invoke(main, call)
            assert 0 == result.exit_code, result.output
            told = json.loads(result.stdout)
            rows = told if isinstance(told, list) else told.get("games", [told])
            found = rows[0].get("awaited", rows[0]["waiting_for"])
            assert (["bob", "cleo"] if asked else ["anna", "bob", "cleo"]) == found
            assert before + (1 if asked and plays else 0) == room.stored(name).table.records
    room.restart()
    looked = "The moderator has looked who has not answered yet."
    assert plays == (looked in room.says("bob", "status"))


@pytest.mark.parametrize("kind", ["tally", "troyes", "troyes-dice"])
def test_all_together_ask_for_another_game(tmp_path: Path, kind: str) -> None:
    """Once it is over: the same people and options, opened once, whatever is killed in between."""
    room = Clocked(tmp_path)
    name = room.seated(2, "brisk", kind, answers="names")
    assert "The game is not over yet." in room.says("anna", "again")
    if kind == "tally":
        room.wait(24 * 40, until=lambda: room.stored().table.status == "ended")
        assert "«again» asks for another game with the same people" in text(room, "anna")
    else:
        room.desk.change(name, "end", lifecycle.end("enough"))
        room.deliver()
    assert "1 of 2 would play another game" in room.says("anna", "again")
    assert "Anna would play another game with the same people (1 of 2)" in text(room, "bob")
    assert [] == room.wait(24)
    room.says("bob", "again")
    room.wait(1)
    room.look()
    assert (name, f"{kind}-2") == room.store.names()
    new = room.stored(f"{kind}-2").table
    assert (name, "brisk", "names") == (new.follows, new.pace.name, new.answers)
    assert [("anna", "invitation"), ("bob", "invitation")] == room.kinds(room.mails())[-2:]
    # Killed between the two: the new table is there, and the old one still asks for it.
    stored = room.stored(name)
    assert () == stored.table.again
    room.says("anna", "join")
    room.says("bob", "join")
    assert "running" == room.stored(f"{kind}-2").table.status


def test_another_game_is_opened_once_whatever_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = Clocked(tmp_path)
    name = room.seated(2)
    room.desk.change(name, "end", lifecycle.end("enough"))
    room.deliver()
    room.says("anna", "again")
    room.says("bob", "again")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(room.keeper._desk, "commit", killed)
        room.look()
    assert (name, "tally-2") == room.store.names()
    room.restart()
    room.look()
    room.look()
    assert (name, "tally-2") == room.store.names()
    assert "The next table of these people is tally-2." in room.reports


def from_there(room: Clocked, to: str, reply_to: str, about: str) -> None:
    raw = room.write("anna", about, sender=f"Anna <{to}>", fields={"To": reply_to, "In-Reply-To": ""})
    room.post(raw)


def test_whoever_does_not_know_them_says_no_and_the_address_is_forgotten(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    name = room.seated(2)
    room.says("anna", "address eve@new.test")
    asked = room.mails("")[-1]
    from_there(room, "eve@new.test", asked.reply_to, "no")
    assert "" == room.people.holder(name, "anna").coming
    from_there(room, "eve@new.test", asked.reply_to, "yes")
    assert ("anna@people.test",) == room.people.holder(name, "anna").addresses


def test_a_person_moves_to_another_address(tmp_path: Path) -> None:
    """Confirmed at both ends: said with the key from the old one, answered from the new one."""
    room = Clocked(tmp_path)
    name = room.seated(2)
    assert "Answer it from there; until then everything comes here." in room.says("anna", "address anna@new.test")
    asked = room.mails("")[-1]
    assert "anna@new.test" == str(asked.message["To"].addresses[0].addr_spec)
    assert "Anna wishes to get the mails of the table tally-1 here." in asked.text.replace("\n", " ")
    # It may have gone to a stranger: it holds no key of the seat.
    assert not [one for one in tokens_in(asked.raw.decode()) if one.game == name]
    # Nothing is different before somebody has answered there, and another address confirms nothing.
    room.says("anna", "status")
    from_there(room, "eve@new.test", asked.reply_to, "yes")
    from_there(room, "anna@new.test", asked.reply_to, "I am out of the office until Monday.")
    assert ("anna@people.test",) == room.people.holder(name, "anna").addresses
    from_there(room, "anna@new.test", asked.reply_to, "Who is that?")
    assert ("anna@people.test",) == room.people.holder(name, "anna").addresses
    assert "This answers neither yes nor no." in room.mails("")[-1].text
    from_there(room, "anna@new.test", room.mails("")[-1].reply_to, "Hello,\nyes")
    assert ("anna@new.test",) == room.people.holder(name, "anna").addresses
    assert "" == room.people.holder(name, "anna").coming
    told = {str(got.message["To"].addresses[0].addr_spec) for got in room.mails("")[-2:]}
    assert {"anna@people.test", "anna@new.test"} == told
    # From there it is played, and not from the old one.
    from_there(room, "anna@new.test", room.last("anna").reply_to, "add 2")
    assert "bob" == room.state().turn
    assert "anna@new.test" in str(room.last("anna").message["To"])


def test_a_host_asks_at_few_addresses_a_day(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    room.seated(2)
    for n in range(5):
        room.says("anna", f"address anna{n}@new.test")
    to = [str(got.message["To"].addresses[0].addr_spec) for got in room.mails("")]
    assert ["anna0@new.test", "anna1@new.test", "anna2@new.test", "anna@people.test", "anna@people.test"] == to
    assert "is no address" in room.says("anna", "address nowhere")


@pytest.mark.parametrize("text", ["address eve@new.test", "resign"])
def test_an_old_key_gives_no_seat_away(tmp_path: Path, text: str) -> None:
    """It stands in every mail that was ever passed on; whoever holds the seat is asked with the newest."""
    room = Clocked(tmp_path)
    room.seated(2, "none")
    old = room.last("anna")
    room.says("anna", "add 2")
    room.says("bob", "add 2")
    room.send("anna", text, to=old)
    asked = room.last("anna").text
    assert "is not your newest one" in asked.replace("\n", " ")
    assert f"[1] {text}" in asked
    assert ("", PERSON) == _given(room)
    room.send("anna", "1")
    assert _given(room) == (("", COMPUTER) if text == "resign" else ("eve@new.test", PERSON))


def _given(room: Clocked) -> tuple[str, str]:
    """The address that Anna has named, and who plays for her."""
    return room.people.holder("tally-1", "anna").coming, room.stored().table.seat("anna").by


def test_an_address_is_asked_few_times_a_month_whoever_names_it(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    room.seated(2, "none")
    for day in range(3):
        room.time += 26 * HOUR
        for seat in ("anna", "bob"):
            room.says(seat, "address eve@new.test")
            asked = [str(got.message["To"].addresses[0].addr_spec) for got in room.mails("")].count("eve@new.test")
            assert asked == min(2 * day + 1 + (seat == "bob"), 3)
    assert "eve@new.test was asked 3 times within 30 days" in room.last("").text.replace("\n", " ")
    room.time += 31 * 24 * HOUR
    room.says("anna", "address eve@new.test")
    assert "eve@new.test" == room.last("").message["To"].addresses[0].addr_spec


def test_a_sentence_that_begins_with_such_a_word_is_no_command(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    room.seated(2)
    room.says("anna", "Again, sorry for the delay.\nGames like this are fun!\n\nadd 2")
    assert "anna" == room.state().turn
    room.says("anna", "1")
    assert "bob" == room.state().turn


def test_what_waited_for_a_seat_that_is_left_out_stops_no_clock(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    room.open(3, now=False)
    room.deliver()
    room.says("cleo", "mail daily")
    invitation = room.mails("cleo")[0]
    for n in range(14):
        room.time -= timedelta(seconds=45)
        room.send("cleo", f"zorkle {n}", to=invitation)
    room.says("anna", "join\nsay Who begins?")
    room.says("bob", "join")
    stored = room.stored()
    assert "cleo" in stored.secrets.held
    assert "cleo" in stored.secrets.later
    room.desk.change("tally-1", "start", invitations.start(room.desk.services, "cleo"))
    room.wait(48)
    assert 0 == room.desk.answer_waiting()
    secrets = room.stored().secrets
    assert not [name for name in ("held", "later", "lists", "said", "reminded") if "cleo" in getattr(secrets, name)]
    assert room.rules.waiting(room.state())
