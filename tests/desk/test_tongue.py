"""Whoever is no player yet is answered in the language of their letter, and sits down with it; players in theirs."""

from __future__ import annotations

import pytest

from pbem.outbound.translation import languages
from pbem.reading.language_detection import LANGUAGE_WORDS, detect_language
from tests.desk.open_tables import answer, fresh, lets
from tests.desk.room import OWN, Got, Room

ZOE = "zoe@elsewhere.test"
KEYLESS = {"To": OWN, "In-Reply-To": "", "Subject": "hello"}


def plain(got: Got) -> str:
    """Its text with ordinary blanks, on one line."""
    return " ".join(got.text.replace("\u00a0", " ").split())


@pytest.mark.parametrize(
    ("said", "language"),
    [("nouvelle troyes 3 joueurs", "fr"), ("new troyes 3 players", "en"), ("Bonjour, comment puis-je jouer ?", "fr"),
     ("Hello, may I play?", "en"), ("tables", ""), ("troyes-12", ""), ("", ""), ("mes données", "fr"),
     ("rejoindre troyes-12", "fr"), ("Salut Bob, hello!", "")],
)  # fmt: skip
def test_the_language_of_a_letter_is_that_of_most_of_its_words(said: str, language: str) -> None:
    assert language == detect_language([said], languages())


def test_no_word_is_of_two_languages() -> None:
    assert set(LANGUAGE_WORDS) >= set(languages())
    assert set() == LANGUAGE_WORDS["en"] & LANGUAGE_WORDS["fr"]


def test_a_stranger_who_asks_for_a_language_is_told_in_it_what_to_do(empty: Room) -> None:
    """What the foot of our mails offers does something for whom they are sent to."""
    room = lets(empty, "anyone")
    (offer,) = fresh(room, ZOE, "Hello, may I play?")
    assert "Pour recevoir vos courriels en français, répondez « langue fr »." in plain(offer)
    for (told,) in (fresh(room, ZOE, "langue fr"), answer(room, ZOE, "Langue fr !\n\nZoé", offer)):
        assert "on vous répond dans la langue où vous écrivez" in plain(told)
        assert "« nouvelle troyes 3 joueurs »" in plain(told)
        assert "langue fr" not in plain(told) and "Rien n'en a été fait" not in plain(told)
    (refused,) = fresh(room, "eve@elsewhere.test", "language klingon")
    assert "There are no mails in the language «klingon» here." in plain(refused)


def test_a_table_that_is_asked_for_in_french_is_opened_and_answered_in_french(empty: Room) -> None:
    room = lets(empty, "anyone")
    (question,) = fresh(room, f"Zoé <{ZOE}>", "Bonjour,\nnouvelle tally 3 joueurs rythme=moyen suivi=oui")
    assert "répondez à ce courriel par « oui »" in plain(question)
    invited, told = answer(room, ZOE, "yes", question)
    assert "fr" == room.desk.services.people.holder("tally-1", invited.seat).language
    assert "rejoindre" in plain(invited)
    assert "La table tally-1 est ouverte" in plain(told)
    assert (48, True) == (room.stored("tally-1").table.pace.hours, room.stored("tally-1").table.follow)


def test_a_question_that_is_answered_with_a_language_is_asked_again_in_it(empty: Room) -> None:
    room = lets(empty, "anyone")
    (question,) = fresh(room, f"Zoé <{ZOE}>", "new tally 3 players")
    (again,) = answer(room, ZOE, "langue fr", question)
    assert "répondez à ce courriel par « oui »" in plain(again)
    answer(room, ZOE, "oui", again)
    assert ["fr"] == [one.language for one in room.desk.services.people.holders("tally-1")]


def test_a_place_is_taken_in_the_language_of_the_letter(empty: Room) -> None:
    room = lets(empty, "anyone")
    (question,) = fresh(room, "eve@elsewhere.test", "new tally 3 players")
    answer(room, "eve@elsewhere.test", "yes", question)
    (question,) = fresh(room, f"Zoé <{ZOE}>", "rejoindre tally-1")
    assert "par « rejoindre »" in plain(question)
    (joined,) = answer(room, ZOE, "rejoindre marmelade", question)
    assert "Vous avez rejoint" in plain(joined)
    assert ["", "fr"] == [one.language for one in room.desk.services.people.holders("tally-1")]


def test_who_names_no_game_is_told_of_their_games_in_their_language(empty: Room) -> None:
    room = empty
    room.open()
    room.open()
    room.send("anna", "langue fr", to=room.last("anna"))
    (told,) = room.sent_by("anna", "help", fields=KEYLESS)
    assert "Vos parties en cours" in plain(told)
    assert "langue fr" not in plain(told)
