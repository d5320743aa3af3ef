"""Whom players name at tables of their own: how often anybody is mailed for that, and for how long a place is kept."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.admin.tables import player_tables
from pbem.desk.clock.clock_actions import due_result
from pbem.host.keys import tokens_of
from tests.desk.open_tables import answer, fresh, lets, opened, seats, to
from tests.desk.room import Room


def test_whom_a_player_names_gets_one_mail_and_a_decline_ends_it(room: Room) -> None:
    """Neither reminders nor talk before they have joined; and the place is another's then."""
    lets(room, "anyone")
    game = opened(room, "new tally 3 players with Carl http://x.test <carl@victim.test>")
    (mail,) = [got for got in room.mails() if to(got) == "carl@victim.test"]
    assert "Anna has opened this table." in mail.text
    assert "x.test" not in mail.text, "nothing to follow stands in a name"
    room.send("anna", "join")
    room.send("anna", "say come and buy")
    room.time += timedelta(days=9)
    context = room.desk.look(game, lambda at: at)
    room.spool.sent([row.message_id for row in room.spool.rows()], room.time - timedelta(days=8))
    assert due_result(context, room.desk.services, room.time) is None
    assert [mail.name] == [got.name for got in room.mails() if to(got) == "carl@victim.test"]
    answer(room, "carl@victim.test", "decline", mail)
    assert 2 == len([got for got in room.mails() if to(got) == "carl@victim.test"]), "the receipt of the decline"
    room.send("bob", f"join {game}", to=room.mails("bob")[0])
    fresh_one = fresh(room, "Carl <carl@other.test>", f"join {game}")[0]
    answer(room, "carl@other.test", "join", fresh_one)
    found = seats(room, game)
    assert ["anna", "bob"] == [one for one in found if one in ("anna", "bob")]
    assert 3 == len(found)
    assert not any("carl@victim.test" in one.addresses for one in room.people.holders(game))
    # Their key died with the seat.
    lets(room, "known")
    assert "silent" == room.post(room.write("carl", "join", to=mail, sender="carl@victim.test")).outcome


def test_no_key_of_a_former_holder_fits_a_seat_of_the_same_name(room: Room) -> None:
    """Contract: tokens die with the seat."""
    lets(room, "anyone")
    game = opened(room, "new tally with Carl <carl@victim.test>, Dan <dan@victim.test>")
    (mail,) = [got for got in room.mails() if to(got) == "carl@victim.test"]
    answer(room, "carl@victim.test", "decline", mail)
    for address in ("zoe@elsewhere.test", "carl@other.test"):
        (question,) = fresh(room, f"{address.partition('@')[0].title()} <{address}>", f"join {game}")
        (receipt,) = answer(room, address, "join", question)
        if address.startswith("zoe"):
            answer(room, address, "leave", receipt)
    assert ["anna", "dan", "carl"] == seats(room, game)
    (token,) = tokens_of((mail.reply_to,))
    assert not room.desk.services.keys.fits(token, "carl", room.people.holder(game, "carl").generation)


def test_nobody_is_invited_often_by_players(room: Room) -> None:
    lets(room, "known", a_day=9, waiting=50)
    text = "new tally with Carl <carl@victim.test>"
    opened(room, text)
    (told,) = room.sent_by("anna", text)
    assert "carl@victim.test cannot be invited by mail for now." in told.text
    (told,) = room.sent_by("bob", text.replace("carl@", "C.arl+games@"))
    assert "cannot be invited" in told.text, "of whomever one has not played with, one mail a day is enough"
    room.time += timedelta(days=1)
    opened(room, text, by="bob")
    room.time += timedelta(days=2)
    (told,) = room.sent_by("bob", text)
    assert "cannot be invited" in told.text
    assert 2 == len([got for got in room.mails() if to(got) == "carl@victim.test"])
    room.time += timedelta(days=31)
    opened(room, text)
    # Bob plays with Anna: nothing keeps them apart, but two mails a day are enough.
    for _ in range(2):
        opened(room, "new tally with Bob <bob@people.test>")
    (told,) = room.sent_by("anna", "new tally with Bob <bob@people.test>")
    assert "cannot be invited" in told.text
    many = ", ".join(f"P{n} <p{n}@victim.test>" for n in range(3))
    opened(room, f"new tally with {many}", by="bob")
    room.send("bob", f"new tally with {many.replace('victim', 'other')}")
    (told,) = room.sent_by("bob", "new tally with Q <q@victim.test>")
    assert "At most 6 people are invited for you in a day." in told.text


def test_tables_a_day_and_tables_that_wait_have_an_end(room: Room) -> None:
    lets(room, "known", a_day=2, waiting=3)
    for _ in range(2):
        opened(room)
    (told,) = room.sent_by("anna", "new tally 3 players")
    assert "You have opened 2 tables today, which is the most." in told.text
    opened(room, by="bob")
    (told,) = room.sent_by("bob", "new tally 3 players")
    assert "3 tables wait for players here" in told.text


def test_a_table_that_nobody_fills_is_given_up_and_only_who_has_joined_hears_of_it(room: Room) -> None:
    lets(room, "known")
    game = opened(room, "new tally 4 players with Carl <carl@victim.test>")
    room.send("anna", "join")
    before = len(room.mails())
    player_tables.give_up_stale(room.desk, room.time + timedelta(days=29))
    assert "gathering" == room.stored(game).table.status
    player_tables.give_up_stale(room.desk, room.time + timedelta(days=31))
    assert "abandoned" == room.stored(game).table.status
    # Of the place that became free, and of the end.
    assert ["anna", "anna"] == [got.seat for got in room.mails()[before:]]


@pytest.mark.parametrize(("pace", "days"), [("brisk", 4), ("medium", 7), ("none", 14)])
def test_a_place_is_kept_for_whom_a_player_has_named_as_long_as_the_pace_allows(
    room: Room, pace: str, days: int
) -> None:
    """Then somebody else may have it; until then a late «join» takes it. The invitation has told so, and no mail does."""
    lets(room, "known")
    game = opened(room, f"new tally 3 players pace={pace} with Carl <carl@victim.test>")
    room.send("anna", "join")
    # Who has come of their own accord loses nothing by when the table was opened.
    room.sent_by("bob", f"join {game}")
    assert "bob" in seats(room, game) and "bob" not in room.stored(game).table.joined
    (mail,) = [got for got in room.mails() if to(got) == "carl@victim.test"]
    assert f"kept for {days} days" in mail.text
    player_tables.give_up_stale(room.desk, room.time + timedelta(days=days, hours=-1))
    assert () == room.stored(game).table.declined
    before = len(room.mails())
    player_tables.give_up_stale(room.desk, room.time + timedelta(days=days, hours=1))
    assert ("carl",) == room.stored(game).table.declined
    assert ["anna"] == [got.seat for got in room.mails()[before:]]
    player_tables.give_up_stale(room.desk, room.time + timedelta(days=days, hours=2))
    assert len(room.mails()) == before + 1
    answer(room, "carl@victim.test", "join", mail)
    assert {"anna", "carl"} == set(room.stored(game).table.joined)
    assert () == room.stored(game).table.declined


def test_known_is_who_has_taken_a_seat_not_whom_a_player_has_named(room: Room) -> None:
    lets(room, "known")
    opened(room, "new tally 3 players with Carl <carl@victim.test>")
    (mail,) = [got for got in room.mails() if to(got) == "carl@victim.test"]
    (told,) = answer(room, "carl@victim.test", "new tally 3 players", mail)
    assert "people who have joined one before" in told.text
    answer(room, "carl@victim.test", "join", mail)
    (invited, receipt) = answer(room, "carl@victim.test", "new tally 3 players", mail)
    assert ("invitation", "notice") == (invited.kind, receipt.kind)


def test_those_who_have_joined_a_players_table_hear_who_declines_and_who_comes_after_all(room: Room) -> None:
    """They know whom else to ask for the place, which is free to all."""
    lets(room, "known")
    game = opened(room, "new tally 3 players with Carl <carl@x.test>, Dan <dan@x.test>")
    room.send("anna", "join")
    carl, dan = (next(got for got in room.mails() if to(got) == f"{name}@x.test") for name in ("carl", "dan"))
    told = {got.seat: " ".join(got.text.split()) for got in answer(room, "carl@x.test", "decline", carl)}
    assert {"anna", "carl"} == set(told)
    assert "* Carl has declined the seat." in told["anna"]
    told = {got.seat: " ".join(got.text.split()) for got in answer(room, "carl@x.test", "join", carl)}
    assert {"anna", "carl"} == set(told)
    assert "* Carl has joined after all." in told["anna"]
    answer(room, "dan@x.test", "join, sorry for being late!", dan)
    assert "running" == room.stored(game).table.status


def test_the_place_of_whoever_said_no_goes_before_that_of_the_silent_who_may_ask_for_another(room: Room) -> None:
    lets(room, "anyone")
    game = opened(room, "new tally 3 players pace=brisk with Dan <dan@x.test>, Carl <carl@x.test>")
    room.send("anna", "join")
    carl, dan = (next(got for got in room.mails() if to(got) == f"{name}@x.test") for name in ("carl", "dan"))
    answer(room, "carl@x.test", "decline", carl)
    player_tables.give_up_stale(room.desk, room.time + timedelta(days=5))
    assert ("carl", "dan") == room.stored(game).table.declined
    room.sent_by("bob", f"join {game}")
    assert ["anna", "dan", "bob"] == seats(room, game)
    (told,) = answer(room, "dan@x.test", "hello?", dan)
    assert "since you have declined it or not answered; «join» takes it back" in " ".join(told.text.split())
    # Whose seat is another's by now asks for a place with the same word.
    (question,) = answer(room, "Carl <carl@x.test>", "join", carl)
    assert f"asks for a place at the table {game}" in " ".join(question.text.split())
    answer(room, "carl@x.test", "join", question)
    assert ["anna", "bob", "carl"] == seats(room, game)


@pytest.mark.parametrize("line", ["start without Carl", "invite Dan <dan@x.test>", "commencer sans Carl"])
def test_what_is_the_moderators_before_the_game_is_told_so(room: Room, line: str) -> None:
    lets(room, "known")
    opened(room, "new tally 3 players with Carl <carl@x.test>")
    room.send("anna", "join")
    (told,) = room.sent_by("anna", line)
    assert "To begin without somebody, or to invite others, is for the moderator" in " ".join(told.text.split())
