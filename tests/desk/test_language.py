"""`language fr`: told to nobody, at all tables of its writer; mails and the orders in them are in it from then on."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from engine.game import Seat
from engine.kit.words import fold_text
from pbem.clocks.dates import local_day
from pbem.clocks.time_zones import zone_of
from pbem.desk import commands
from pbem.desk.commands.command import Command
from pbem.desk.limits import rate_limits
from pbem.outbound.translation import language_catalogue, languages
from tests.desk.open_tables import answer, fresh
from tests.desk.room import Got, Room
from tests.whole.room import Hall


def choices_of(got: Got) -> list[str]:
    return re.findall(r"^\[\d+\] (.*?)(?: · .*)?$", got.text, re.MULTILINE)


def plain(got: Got) -> str:
    """Its text with ordinary blanks."""
    return got.text.replace("\u00a0", " ")


def test_whoever_has_not_chosen_is_told_in_each_language_how(empty: Room) -> None:
    empty.open(now=False)
    invited = empty.last("anna")
    assert "Pour recevoir vos courriels en français, répondez « langue fr »." in plain(invited)


@pytest.mark.parametrize("said", ["language fr", "langue fr", "Langue français", "language French"])
def test_mails_are_in_it_from_the_answer_on_and_nobody_is_told(hall: Hall, seat: Seat, said: str) -> None:
    before = len(hall.mails())
    hall.send(seat, said)
    (mail,) = hall.mails()[before:]
    assert seat == mail.seat
    assert "Vos courriels sont désormais en français, à toutes vos tables." in plain(mail)
    hall.send(seat, "options")
    assert "Passer" in choices_of(hall.last(seat))
    hall.send(seat, "language en")
    assert "Your mails are in English from now on" in plain(hall.last(seat))
    hall.send(seat, "options")
    assert "Pass" in choices_of(hall.last(seat))


def test_a_number_counts_in_the_list_of_a_mail_in_the_other_language(hall: Hall, seat: Seat) -> None:
    hall.send(seat, "options")
    asks = hall.last(seat)
    nth = choices_of(asks).index("Pass") + 1
    hall.send(seat, "language fr")
    hall.send(seat, str(nth), to=asks)
    assert "Fait : « passer »" in plain(hall.last(seat))


def test_a_language_without_mails_is_refused_with_those_there_are(hall: Hall, seat: Seat) -> None:
    hall.send(seat, "language klingon")
    assert "There are no mails in the language «klingon» here." in plain(hall.last(seat))
    assert "language fr" in plain(hall.last(seat))


def test_the_host_itself_is_asked_for_it_and_all_tables_have_it(room: Room) -> None:
    other, people = room.open(), room.desk.services.people
    (asked,) = fresh(room, "anna@people.test", "language fr")
    assert "Si c'était vous, répondez à ce courriel par « oui »." in plain(asked), "in the language it asks for"
    assert "" == people.holder("tally-1", "anna").language
    (told,) = answer(room, "anna@people.test", "yes", asked)
    assert "Vos courriels sont désormais en français" in plain(told)
    assert ["fr", "fr", ""] == [people.holder(*seat).language for seat in (("tally-1", "anna"), (other, "anna"), (other, "bob"))]


@pytest.mark.parametrize("asked", ["the host", "a table"])
def test_of_those_who_share_an_address_it_is_theirs_who_ask(room: Room, asked: str) -> None:
    """Also at a table where the other one sits alone; Bob's first."""
    mail, other, people = room.last("bob"), room.open(), room.desk.services.people
    people.change("tally-1", replace(people.holder("tally-1", "bob"), addresses=("anna@people.test",)))
    people.change(other, replace(people.holder(other, "anna"), name="Bob"))
    people.change(other, replace(people.holder(other, "bob"), name="Zoe"))
    if asked == "a table":
        room.post(room.write("bob", "language fr", to=mail, sender="anna@people.test"))
    else:
        (question,) = fresh(room, "Bob <anna@people.test>", "language fr")
        answer(room, "anna@people.test", "yes", question)
    seats = (("tally-1", "anna"), ("tally-1", "bob"), (other, "anna"), (other, "bob"))
    assert ["", "fr", "fr", ""] == [people.holder(*seat).language for seat in seats]


def test_in_an_answer_to_a_game_it_is_for_all_tables_too_and_for_the_next_one(room: Room) -> None:
    other, people = room.open(), room.desk.services.people
    room.send("anna", "language fr")
    assert "fr" == people.holder(other, "anna").language
    assert "fr" == people.holder(room.open(), "anna").language


def test_a_kill_before_the_commit_leaves_no_table_behind(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The letter is read again; after the commit it is not, and the other tables would never be told."""
    other, people = room.open(), room.desk.services.people

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(room.desk, "commit", killed)
        room.send("anna", "language fr")
    assert "fr" == people.holder(other, "anna").language


def test_a_record_keeps_canonical_words_whatever_language_its_writer_has(hall: Hall, seat: Seat) -> None:
    """What is counted and judged of a game afterwards compares them."""
    hall.send(seat, "language fr")
    hall.send(seat, "passer")
    assert ["pass"] == hall.record(game=hall.table).private["orders"]
    assert "passer" in plain(hall.last(seat))


def test_the_final_mail_has_the_dates_of_the_zone_that_the_last_letter_names(room: Room) -> None:
    """Written anew it has the same bytes: then the people are known as they are after it."""
    room.send("bob", "note: bluff")
    at = room.record().at
    for text in ("pass", "bid 0") * 2:
        room.send("anna", text)
        room.send("bob", text)
    room.send("anna", "keep")
    room.send("bob", "zone Pacific/Kiritimati\n\nkeep")
    assert "final" == room.last("bob").kind
    day = language_catalogue("en").render(local_day(at, zone_of("Pacific/Kiritimati")))
    assert day != language_catalogue("en").render(local_day(at, zone_of("UTC")))
    assert f"{day}: «bluff»" in room.last("bob").text


@pytest.mark.parametrize(("number", "told"), [("1", "Vous avez rejoint la table."), ("2", "Vous avez décliné.")])
def test_the_choices_of_an_invitation_are_in_it_too(empty: Room, number: str, told: str) -> None:
    """The number of a mail in French, and its very words, answer as those of an English one."""
    empty.open(now=False)
    empty.send("anna", "langue fr")
    empty.send("anna", "options")
    asked = empty.last("anna")
    assert ["rejoindre", "décliner"] == choices_of(asked)
    empty.send("anna", number, to=asked)
    answered = plain(empty.last("anna"))
    assert told in answered and f"Fait : « {choices_of(asked)[int(number) - 1]} »" in answered


@pytest.mark.parametrize("command", commands.COMMANDS, ids=lambda command: command.word)
@pytest.mark.parametrize("language", languages())
def test_what_a_mail_calls_a_command_is_read_as_it(command: Command, language: str) -> None:
    """The word that its usage begins with, and what may stand behind it."""
    assert commands.find_command(language_catalogue(language).render(command.name)) is command
    assert commands.find_command(fold_text(language_catalogue(language).render(command.name))) is command, "as a link says it"
    for value, said in command.values.get(language, {}).items():
        assert f"{command.written('', language)} {said}" == command.written(value, language)
        assert f"{value} 19" == command.meant(f"{fold_text(said)} 19")
        assert commands.parse_command(command.written(f"{value} 19" if value == "daily" else value, language)) is not None


@pytest.mark.parametrize(
    ("said", "shown"),
    [("say hello", "dire"), ("tell bob: hi", "chuchoter"), ("noter bluff", "noter"), ("mail full", "courriel complet"),
     ("quiet 22-7", "silence 22-7"), ("dire à bob : salut", "chuchoter")],
)  # fmt: skip
def test_a_command_is_told_in_the_words_of_its_reader(room: Room, said: str, shown: str) -> None:
    room.send("anna", "langue fr")
    room.send("anna", said)
    assert f"« {shown} »" in plain(room.last("anna"))


def test_a_choice_that_holds_commands_has_the_words_of_its_reader(room: Room) -> None:
    room.send("anna", "langue fr")
    room.send("anna", "say Bob, come here")
    asked = room.last("anna")
    assert ["chuchoter bob: come here", "dire tous: Bob, come here"] == choices_of(asked)
    room.send("anna", "1", to=asked)
    assert "Fait : « chuchoter »" in plain(room.last("anna"))


def test_talk_beyond_the_measure_is_known_in_its_writers_language(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "TALK", 1)
    room.send("anna", "langue fr\ndire un")
    room.send("anna", "dire deux\nnoter trois")
    told = plain(room.last("anna"))
    assert "Non transmis" in told
    assert "noter" in told and "notes" in told


def test_a_vote_is_read_in_french(room: Room) -> None:
    room.send("bob", "langue fr")
    room.send("bob", "vote suspendre")
    assert "bob" in room.stored().table.votes
    room.send("bob", "vote reprendre")
    assert () == room.stored().table.votes


def test_a_sentence_is_quoted_in_the_words_of_its_writer(hall: Hall, seat: Seat) -> None:
    """And not in those that it was read as."""
    for said in ("Dis à tout le monde que je rentre dimanche", "tell everybody that I am back on Sunday"):
        hall.send(seat, said)
        assert f"> {said}\n" in plain(hall.last(seat)), said
        assert "> say all" not in plain(hall.last(seat))
