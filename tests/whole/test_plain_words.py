"""What a mail says of itself is true: what became of a letter, what can be written, since when something is told."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from engine.game import find_game
from engine.table_options import Option
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.clocks.pace import TABLE_OPTIONS, option_value
from pbem.outbound.html_style import draw_dice
from pbem.outbound.translation import language_catalogue, languages
from pbem.store.state_file import StoredGame
from tests.parts import page_of
from tests.whole.pages import links_of, words_of
from tests.whole.room import NAMES, Hall


def verdict(hall: Hall, seat: str) -> str:
    """What a mail says first, below the answer line."""
    return hall.last(seat).text.splitlines()[2]


def gathering(folder: Path, kind: str = "troyes", **options: str) -> Hall:
    """A table whose invitations have gone out."""
    hall = Hall(folder, kind)
    invited = tuple(Invited(name, (f"{name.lower()}@people.test",)) for name in islice(NAMES, 2))
    open_table(hall.desk, Opening(kind, invited, seed=b"s" * 32, options=options))
    return hall


def test_what_became_of_words_beside_a_sealed_answer_is_told_first(tmp_path: Path) -> None:
    hall = Hall(tmp_path, "troyes-dice")
    hall.seat_all(2)
    hall.send("anna", "1")
    assert verdict(hall, "anna") == "Your answer is kept."
    for letter, says in {"say hello": "Sent.", "tell faye: hello": "Sent.", "note red": "Done.", "zone UTC": "Done."}.items():
        hall.send("anna", letter)
        assert verdict(hall, "anna") == says
        assert "Your answer is kept, sealed until everybody has answered" in hall.last("anna").text
        assert "Kept: " not in hall.last("anna").text


def test_a_setting_is_no_order(tmp_path: Path) -> None:
    """Before the game it joins nobody, and in it plays nothing."""
    hall = gathering(tmp_path)
    hall.send("anna", "zone UTC")
    assert verdict(hall, "anna") == "Done."
    hall.send("anna", "join")
    assert verdict(hall, "anna") == "You have joined."


def test_before_the_game_only_what_works_is_offered(tmp_path: Path) -> None:
    hall = gathering(tmp_path)
    hall.send("faye", "status")
    for got in (hall.last("anna"), hall.last("faye")):
        for words in (got.text, words_of(page_of(got.message))):
            assert "«card NAME»" in words
            assert not [one for one in ("history", "try …", "undo", "options,", "«board»") if one in words]
        assert {body for _, _, body in links_of(got)} == {"[1] join", "[2] decline", "status", "help"}


@pytest.mark.parametrize("language", ["", "en", "fr"])
@pytest.mark.parametrize(("tap", "says"), [(0, "joined"), (1, "declined")])
def test_a_choice_of_an_invitation_is_tapped(tap: int, says: str, language: str, tmp_path: Path) -> None:
    """As composers make letters of links: number and words, no In-Reply-To, a signature below."""
    hall = gathering(tmp_path)
    if language:
        hall.send("anna", f"language {language}")
    address, subject, body = links_of(hall.last("anna"))[tap]
    assert body.lstrip("[").startswith(f"{tap + 1}")
    fields = {"To": address, "Subject": subject, "In-Reply-To": ""}
    hall.post(hall.write("anna", f"{body}\n\n-- \nSent from my phone", fields=fields))
    table = StoredGame.read(hall.store.open(hall.table)).table
    assert (table.joined, table.declined) == ((("anna",), ()) if says == "joined" else ((), ("anna",)))


def test_a_number_that_disagrees_with_the_words_beside_it_takes_no_seat(tmp_path: Path) -> None:
    hall = gathering(tmp_path)
    hall.send("anna", "[2] join")
    assert verdict(hall, "anna") == "Nothing was done."


def test_a_welcome_tells_what_was_so_far(tmp_path: Path) -> None:
    hall = gathering(tmp_path)
    hall.send("anna", "join")
    hall.send("faye", "join")
    for seat in ("anna", "faye"):
        assert "\nSo far" in hall.last(seat).text
        assert "ince your last mail" not in hall.last(seat).text


def test_a_public_view_speaks_to_nobody(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.seat_all(2)
    hall.send("anna", "board")
    got = hall.last("anna")
    for words in (got.text, words_of(page_of(got.message))):
        assert "a level without a cube costs its player" in words
        assert " you " not in words


@pytest.mark.parametrize("letter", ["try 1", "try help"])
def test_what_is_no_order_is_not_tried(tmp_path: Path, letter: str) -> None:
    """A command may stand among the nearest to what was written, and has a number there."""
    hall = Hall(tmp_path)
    hall.seat_all(2)
    state, seat = hall.position(), str(hall.asked())
    hall.send(seat, "hlep")
    assert "[1] help" in hall.last(seat).text
    hall.send(seat, letter)
    text = hall.last(seat).text
    assert verdict(hall, seat) == "NOT PLAYED."
    assert "«help» is no order: there is nothing to try." in text
    assert "[1] help" in text
    assert hall.position() == state


@pytest.mark.parametrize("kind", ["troyes", "troyes-dice"])
@pytest.mark.parametrize(("word", "meant"), [("hlep", "help"), ("statsu", "status"), ("optoins", "options")])
def test_a_mistyped_question_is_put_right(kind: str, word: str, meant: str, tmp_path: Path) -> None:
    """In every game, whatever words are near in its orders."""
    hall = Hall(tmp_path, kind)
    hall.seat_all(2)
    seat = hall.rules.waiting(hall.position())[0].seat
    hall.send(seat, word)
    assert f"Nearest to what you wrote:\n[1] {meant}\n" in hall.last(seat).text


def test_an_invitation_says_what_is_played(tmp_path: Path) -> None:
    text = gathering(tmp_path, bonus="yes", ladies="events,head", pace="medium").last("anna").text
    assert "- bonus yes: the four bonus cards are shuffled in: Baker, Prior, Banquet, Resistance\n" in text
    assert "- ladies events,head: the Ladies' events, the head of the family, with a purple die\n" in text
    assert "- pace medium: a decision may take 48 hours\n" in text


def test_who_reads_french_has_names_and_values_in_french(tmp_path: Path) -> None:
    hall = gathering(tmp_path, bonus="yes", ladies="events,head", pace="medium mon-fri 20:00")
    hall.send("anna", "langue fr")
    hall.send("anna", "statut")
    text = hall.last("anna").text.replace("\N{NO-BREAK SPACE}", " ")
    assert "- bonus oui : " in text and "- dames événements,chef : " in text
    assert "- rythme moyen lun,mar,mer,jeu,ven 20:00 : une décision" in text, text


EVERY_OPTION = [*find_game("troyes").options, *find_game("troyes-dice").options, *TABLE_OPTIONS]


@pytest.mark.parametrize("option", EVERY_OPTION, ids=lambda one: one.name)
@pytest.mark.parametrize("language", [one for one in languages() if one != "en"])
def test_an_option_is_read_as_it_is_written_in_any_language(option: Option, language: str) -> None:
    words = language_catalogue(language)
    for value in option.values or ("medium mon-fri 20:00", "4 5 6 1 2 3", "up"):
        name, _, said = words.render(option.shown(value)).partition(" ")
        assert value == option_value(option, name, said), said
        assert value == option_value(option, option.name, said)
        assert option_value(option, "another", said) is None
        assert f"{option.name} {value}" == str(option.shown(value))


@pytest.mark.parametrize("option", [*find_game("troyes").options, *find_game("troyes-dice").options, *TABLE_OPTIONS], ids=lambda one: one.name)
def test_every_value_of_an_option_is_told_as_it_is_played(option: Option) -> None:
    """House rules tell what they are about, beside their value."""
    if option.name.startswith("rule"):
        return
    for value in (*option.values, *(() if option.values else ("anything",))):
        if value not in (option.default, "none"):
            assert option.told(value) != option.says or option.name == "pace", value


def test_several_black_dice_are_one_drawn_word() -> None:
    assert ">black 6 1</b> with" in str(draw_dice("Faye beats the black 6 1 with R4."))
