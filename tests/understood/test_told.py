"""Options told by their number within a sentence, standing orders said as one, and orders that follow on each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from .mailed import Reader, lines, rates, table

SHEET = "mailed-twenty-sixth"
READ = {"troyes en": 19 / 22, "troyes fr": 15 / 18, "dice en": 1.0, "dice fr": 1.0}
"""Of the sheet, of which 8 of 60 lines were read before anything was mended for it."""
EARLY, LATE = "twenty-fifth: an early turn", "twenty-fifth: a late turn for two"
BLACK, MORNING = "twenty-fifth: black dice", "dice, twenty-fifth: a morning"


def _made(folder: Path, mail: str, written: str, language: str = "") -> tuple[tuple[str, ...], tuple[str, ...]]:
    found = Reader(table(folder, mail, language)).read(written)
    return found.orders, found.choices


@pytest.mark.parametrize(
    ("mail", "written", "order"),
    [
        (EARLY, "Number eleven. Yes, one more citizen at last!", "recruit 1"),
        (EARLY, "Hello all,\nI'd like option number eight, the Conflict of Succession.\nKind regards, Anna",
         "fight conflict-of-succession with geoffrey:R6"),
        (BLACK, "The first one of the list, the yellow three.", "counter 3 with Y3"),
        (LATE, "La 7. Euh non pardon, la 9, cultiver !", "farm Y3"),
        (MORNING, "option three for me. coins it is", "yellow 5: deniers"),
        (MORNING, "I'd go for the second one of your list, the City Hall.", "yellow 1: city-hall 1"),
        (MORNING, "I think I'd like the second one of your list, the City Hall.", "yellow 1: city-hall 1"),
    ],
)  # fmt: skip
def test_number_told_in_a_sentence_is_the_option(tmp_path: Path, mail: str, written: str, order: str) -> None:
    """What stands beside it is true of the option, or says nothing of the game."""
    assert _made(tmp_path, mail, written)[0] == (order,)


@pytest.mark.parametrize(
    ("mail", "written", "option"),
    [
        (EARLY, "number eleven, the merchant please", "recruit 1"),
        (EARLY, "number eleven is tempting", "recruit 1"),
        (EARLY, "option six if Faye doesn't take it", "fight marauding with geoffrey:W6"),
        (BLACK, "Le numéro deux, avec le rouge", "counter 3 with W4"),
        (BLACK, "number two, the white three", "counter 3 with W4"),
        (LATE, "La 7. Euh non pardon, la 9, la sécheresse !", "farm Y3"),
        (LATE, "number seven\nbut wait for me", "recruit 1"),
        (MORNING, "number four, with the red die", "yellow 1 as white 3: cathedral 3"),
        (MORNING, "Faye said number two is best.", "yellow 1: city-hall 1"),
    ],
)
def test_number_beside_what_is_not_its_option_is_asked_back(
    tmp_path: Path, mail: str, written: str, option: str
) -> None:
    orders, choices = _made(tmp_path, mail, written)
    assert orders == () and option in choices


def test_option_with_another_payment_is_asked_first(tmp_path: Path) -> None:
    orders, choices = _made(tmp_path, MORNING, "number five, but i want to pay with a denier instead")
    assert orders == ()
    assert choices[:2] == ("red 1: counts-palace 1; pay deniers", "red 1: counts-palace 1; pay knowledge")


@pytest.mark.parametrize(
    ("written", "order"),
    [
        ("Pass, and keep passing for me every round once I have no dice left.",
         "auto: pass when I have no die, every round"),
        ("Désormais, passez automatiquement quand je n'ai plus de dés", "auto: pass when I have no die, every round"),
        ("Always counter for me, every round, the cheapest way and without asking me.", "auto: counter, every round"),
        ("A partir de maintenant contrer à chaque manche", "auto: counter, every round"),
    ],
)  # fmt: skip
def test_standing_order_said_as_a_sentence_is_kept(tmp_path: Path, written: str, order: str) -> None:
    assert _made(tmp_path, EARLY, written)[0] == (order,)


@pytest.mark.parametrize(
    ("written", "order"),
    [
        ("Pass for me every round", "auto: pass when I have no die, every round"),
        ("Always counter for me every round?", "auto: counter, every round"),
        ("From now on I always counter", "auto: counter, every round"),
    ],
)
def test_standing_order_stands_before_the_plain_one(tmp_path: Path, written: str, order: str) -> None:
    orders, choices = _made(tmp_path, EARLY, written)
    assert orders == () and choices[0] == order


def test_choices_have_the_words_of_orders(tmp_path: Path) -> None:
    """Not those that were typed, in their reader's language."""
    _, choices = _made(tmp_path, EARLY, "Recruit two citizens please\nI'd like the Marauding gone")
    assert choices[0].startswith("recruit 2\nfight marauding with ") and choices[-1] == "recruit 2"
    _, choices = _made(tmp_path / "fr", EARLY, "Recruite deux citoyen\ncombat le maraudage avec geoffrey:B6", "fr")
    assert choices[0] == "recruter 2\ncombattre maraudage avec geoffrey:B6"


@pytest.mark.parametrize(
    ("mail", "written", "orders"),
    [
        (EARLY, "recruit 1\nThen Geoffrey's white 6 goes to the Marauding",
         ("recruit 1", "fight marauding with geoffrey:W6")),
        (EARLY, "flip W1 and Y2 / farm with gray Y5", ("flip W1 Y2", "farm gray:Y5")),
        (LATE, "recruter 1 / cultiver J3", ("recruit 1", "farm Y3")),
    ],
)  # fmt: skip
def test_two_orders_are_played(tmp_path: Path, mail: str, written: str, orders: tuple[str, ...]) -> None:
    assert _made(tmp_path, mail, written)[0] == orders


def test_two_orders_of_which_the_first_shows_or_ends_are_asked_back(tmp_path: Path) -> None:
    """The pair stands first; what ends the turn stands alone."""
    shows = _made(tmp_path / "shows", BLACK, "Relancer B2 / contrer 3 avec J3")
    assert shows == ((), ("reroll W2\ncounter 3 with Y3", "reroll W2"))
    ends = _made(tmp_path / "ends", LATE, "Farm with the yellow three; then build with the white four")
    assert ends == ((), ("farm Y3",))


@pytest.mark.soak
def test_the_sheet_is_read() -> None:
    """Nothing else is played, and all that is not read is mended by one number."""
    found = list(lines(SHEET))
    assert [one.written for one in found if one.wrong] == []
    for name, (all, right, mended) in rates(found).items():
        assert right / all >= READ[name] and mended == all, name


@pytest.mark.parametrize(
    ("mail", "written", "orders"),
    [
        (BLACK, "Please counter for me in every round, don't ask me again", ("auto: counter, every round",)),
        (BLACK, "never counter for me every round", ()),
        (BLACK, "From now on I always counter", ()),
        (BLACK, "Pass for me every round", ()),
        ("twenty-sixth: black dice", "Both yellows, both blacks. Done.", ("counter 3 3 with Y4 Y2",)),
        (
            "twenty-sixth: black dice",
            "R3 kills the two blacks and then I farm with 4 and 2, supper money",
            ("counter 3 3 with R3", "farm Y4 Y2"),
        ),
    ],
)
def test_what_is_said_for_ever_or_one_behind_the_other_is_read_as_such(
    tmp_path: Path, mail: str, written: str, orders: tuple[str, ...]
) -> None:
    """A standing order with all that it waits for, a line without a word of our mails, two orders that «then» parts."""
    assert _made(tmp_path, mail, written)[0] == orders
