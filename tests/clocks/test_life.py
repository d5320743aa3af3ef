"""The life of a table by letter and at a terminal: invitations, who begins, who leaves, where else somebody plays."""

from __future__ import annotations

import email.policy
import json
from datetime import timedelta
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.errors import NotAllowed
from pbem.cli import main
from pbem.host.keys import tokens_in
from pbem.moderation import deeds, gathering, seats, tables
from pbem.moderation.opening import Invited, Opening, Person, open_table
from pbem.store.record import records
from tests.clocks.table import HOUR, Clocked
from tests.desk.room import NAMES, OWN
from tests.desk.test_open_tables import lets, opened
from tests.repair.bench import MODERATOR
from tests.repair.terminal import at


@pytest.fixture
def room(tmp_path: Path) -> Clocked:
    """Two people are invited; their invitations are on the way."""
    made = Clocked(tmp_path)
    made.open(2, now=False)
    made.deliver()
    return made


def text(room: Clocked, seat: str) -> str:
    return room.last(seat).text.replace("\n", " ")


def gm(room: Clocked, line: str) -> str:
    """The answer to the moderator's letter."""
    message = EmailMessage()
    message["From"], message["To"] = MODERATOR, room.last("gm").reply_to if room.mails("gm") else OWN
    message["Message-ID"] = f"<gm{len(room.mails())}@host.test>"
    message["Subject"] = "[tally-1]"
    message.set_content(f"{line}\n")
    room.post(message.as_bytes())
    return text(room, "gm")


def test_an_invitation_is_repeated_twice_and_then_the_moderator_is_told(room: Clocked) -> None:
    """After two and five days, by day, at a table without a pace too; and then no more."""
    begun = room.time
    room.says("bob", "join heron")
    sent = room.wait(24 * 30)
    assert [("anna", "invitation"), ("anna", "invitation"), ("gm", "news")] == room.kinds(sent)
    days = [(BytesParser(policy=email.policy.default).parsebytes(got.raw)["Date"].datetime - begun) / (24 * HOUR)
            for got in sent]  # fmt: skip
    assert [2, 5, 8] == [round(day) for day in days]
    assert "You have not answered this invitation yet." in text(room, "anna")
    assert "[1] join" in text(room, "anna")
    assert "Anna has not answered the invitation" in text(room, "gm")
    assert "gm start without anna" in text(room, "gm")
    # A number in the repeated mail counts.
    room.says("anna", "1")
    assert "running" == room.stored().table.status


@pytest.mark.parametrize("answer", ["decline no time", "join"])
def test_whoever_has_answered_is_not_asked_again(room: Clocked, answer: str) -> None:
    room.says("anna", answer)
    sent = room.wait(24 * 9)
    assert {"bob", "gm"} == {got.seat for got in sent}


def test_a_new_person_is_invited_anew(room: Clocked) -> None:
    room.wait(24 * 4)
    deed = seats.replaced(room.desk.services, "anna", Person("Zoe", ("zoe@people.test",)), "she is ill")
    room.desk.change("tally-1", "replace", deed)
    room.deliver()
    begun = room.time
    sent = [got for got in room.wait(24 * 3) if got.seat == "anna"]
    assert ["invitation"] == [got.kind for got in sent]
    assert room.time - begun > timedelta(days=2)
    assert "zoe@people.test" in str(sent[0].message["To"])


def test_an_outage_repeats_no_invitation_twice_at_once(room: Clocked) -> None:
    room.time += 24 * 20 * HOUR
    for _ in range(4):
        room.look()
    assert [("anna", "invitation"), ("bob", "invitation")] == room.kinds(room.mails()[2:])
    assert [] == [record for record in records(room.store.open("tally-1")) if record.what == "outage"]


def test_a_game_begins_without_who_does_not_answer(tmp_path: Path) -> None:
    """By letter; the others are welcomed, and the key of who was left out is dead."""
    room = Clocked(tmp_path)
    room.open(3, now=False)
    room.deliver()
    cleo = room.last("cleo")
    room.says("anna", "join")
    gm(room, "gm status")
    assert "an answer is missing from Bob, Cleo" in gm(room, "gm start without")
    assert "Anna has joined" in gm(room, "gm start without anna")
    room.says("bob", "join")
    gm(room, "gm start without cleo")
    assert ["anna", "bob"] == [row.seat for row in room.stored().table.seats]
    assert "running" == room.stored().table.status
    for seat in ("anna", "bob"):
        assert "welcome" == room.last(seat).kind
        assert "The game begins without Cleo." in text(room, seat)
    before = len(room.mails())
    room.send("cleo", "join", to=cleo)
    assert before == len(room.mails())
    assert "turn" in room.says("anna", "add 1") or "bob" == room.state().turn


def test_too_few_do_not_begin(room: Clocked) -> None:
    room.says("anna", "join")
    with pytest.raises(NotAllowed):
        room.desk.change("tally-1", "start", gathering.start(room.desk.services, "bob"))
    room.says("bob", "join")
    with pytest.raises(NotAllowed):
        room.desk.change("tally-1", "start", gathering.start(room.desk.services, ""))


def test_one_more_is_invited(room: Clocked) -> None:
    """The others hear of it, and the hash that was published stays."""
    before = room.stored().table.commitment
    zoe = Person("Zoe", ("zoe@people.test",))
    room.desk.change("tally-1", "invite", gathering.invite(room.desk.services, zoe))
    assert before == room.stored().table.commitment
    assert "invitation" == room.last("zoe").kind
    assert "Zoe is invited to the table." in room.says("bob", "join")
    room.says("zoe", "join owl")
    room.says("anna", "join")
    assert "running" == room.stored().table.status
    assert "The word of Zoe: «owl»" in text(room, "bob")
    with pytest.raises(NotAllowed):
        room.desk.change("tally-1", "invite", gathering.invite(room.desk.services, zoe))


def test_whom_the_moderator_invites_has_as_long_as_the_table_is_open(tmp_path: Path) -> None:
    """The days of those who were named when it was opened are not theirs."""
    room = Clocked(tmp_path)
    room.seated()
    lets(room, "known")
    game = opened(room, "new tally 3 players pace=brisk")
    zoe = Person("Zoe", ("zoe@people.test",))
    room.desk.change(game, "invite", gathering.invite(room.desk.services, zoe))
    tables.give_up(room.desk, room.time + timedelta(days=5))
    assert "zoe" not in room.stored(game).table.declined


def test_a_terminal_invites_and_begins(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    invited = tuple(Invited(name, (f"{name.lower()}@people.test",)) for name in NAMES[:2])
    name = open_table(room.desk, Opening("troyes-dice", invited)).table.game
    for seat in ("anna", "bob"):
        room.says(seat, "join")
        room.spool.close()
        if seat == "anna":
            told = at(room.folder).read("invite", name, "Zoe <zoe@people.test>")
            assert ["Zoe is invited to the table."] == told["says"]
        else:
            at(room.folder).read("start", name, code=1)
            told = at(room.folder).read("start", name, "--without", "zoe")
            assert ["The game begins without Zoe."] == told["says"]
        room.restart()
    assert "running" == room.stored(name).table.status


def test_a_computer_joins_for_a_seat(room: Clocked) -> None:
    """Whoever is awaited last is played by a computer: then the game begins."""
    room.says("anna", "join")
    room.desk.change("tally-1", "computer", seats.computer("bob", "he does not answer"))
    assert "running" == room.stored().table.status
    assert "A computer (level steady) plays for Bob from now on." in text(room, "anna")
    room.says("anna", "add 1")
    assert "anna" == room.state().turn or room.state().phase == "bid"


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
    room.says("anna", "back")
    assert "person" == room.row("anna").get("by", "person")
    room.says("anna", "resign")
    deed = seats.replaced(room.desk.services, "anna", Person("Zoe", ("zoe@people.test",)), "Anna has left")
    anna = room.last("anna")
    room.desk.change("tally-1", "replace", deed)
    assert "person" == room.row("anna").get("by", "person")
    before = len(room.mails())
    room.send("anna", "back", to=anna)
    assert before == len(room.mails())


def test_a_game_that_everybody_leaves_is_given_up(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    room.seated(2)
    room.says("anna", "resign")
    room.says("bob", "resign")
    assert "abandoned" == room.stored().table.status
    assert "it is given up" in text(room, "gm")
    room.desk.change("tally-1", "resume", deeds.resume())
    assert "running" == room.stored().table.status


def test_nobody_resigns_before_the_game(room: Clocked) -> None:
    room.says("anna", "resign")
    assert () == room.stored().table.joined
    assert () == room.stored().table.declined


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
        room.desk.change(name, "end", deeds.end("enough"))
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
    room.desk.change(name, "end", deeds.end("enough"))
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


def test_a_sentence_that_begins_with_such_a_word_is_no_command(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    room.seated(2)
    room.says("anna", "Again, sorry for the delay.\nGames like this are fun!\n\nadd 2")
    assert "bob" == room.state().turn


def test_what_waited_for_a_seat_that_is_left_out_stops_no_clock(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    room.open(3, now=False)
    room.deliver()
    room.says("cleo", "mail daily")
    invitation = room.mails("cleo")[0]
    for n in range(14):
        room.time -= timedelta(seconds=45)
        room.send("cleo", f"help card {n}", to=invitation)
    room.says("anna", "join\nsay Who begins?")
    room.says("bob", "join")
    stored = room.stored()
    assert "cleo" in stored.secrets.held
    assert "cleo" in stored.secrets.later
    room.desk.change("tally-1", "start", gathering.start(room.desk.services, "cleo"))
    room.wait(48)
    assert 0 == room.desk.answer_waiting()
    secrets = room.stored().secrets
    assert not [name for name in ("held", "later", "lists", "said", "reminded") if "cleo" in getattr(secrets, name)]
    assert room.rules.waiting(room.state())
