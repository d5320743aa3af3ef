"""What is said beside an order of Troyes: what is true of it, or only speaks of it, and what would make another of it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from engine.troyes.game import after
from engine.troyes.notation import certain, remarks
from engine.troyes.notation.explaining import Explained
from engine.troyes.phases import conduct
from engine.troyes.repairs import Alike

from .mailed import Reader, table

EARLY, FOUR = "twenty-eighth: an early turn", "twenty-sixth: a turn for four"
MONK = "twenty-seventh: a late turn for two"
SAYS = {"directive": 4.0}


def _faults(folder: Path, at: str, line: str, order: str) -> set[str]:
    """What is wrong with an order that is held against a line."""
    hall = table(folder, at)
    state, seat = hall.position(), Reader(hall).seat
    like = Alike(state, seat, line, conduct.apply)
    held = certain.case(state, seat, line, SAYS, partial(after, state, seat), like)
    assert held is not None
    said = next(one.says for one in held.alternatives if one.text == order)
    beside = {"heard", "margin", "score", "explained", "lead", "alone", "without fault"}
    return {name for name in said if name not in beside and not name.startswith("is ")}


@pytest.mark.parametrize(
    ("line", "faults"),
    [
        ("war with my red six, it hurts us all", {"small"}),
        ("war with my red six, 5 deniers", {"untrue price"}),
        ("war with a red six", {"whose"}),
    ],
)
def test_what_is_true_of_an_order_or_only_speaks_of_it_is_told_apart(
    tmp_path: Path, line: str, faults: set[str]
) -> None:
    found = _faults(tmp_path, EARLY, line, "fight war with R6")
    assert found - {"colour", "list", "number told"} == faults


@pytest.mark.parametrize(("makes", "fault"), [(8, "number told"), (7, "number beside")])
def test_what_dice_come_to_may_be_told(tmp_path: Path, makes: int, fault: str) -> None:
    assert fault in _faults(tmp_path, EARLY, f"farm with my two yellows, makes {makes}", "farm Y5 Y3")


def test_planted_faults_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were nothing true of an order, or somebody else's die never looked at."""
    monkeypatch.setattr(remarks.Remarks, "_true_numbers", frozenset())
    line = "farm with my two yellows, makes 8"
    assert "number told" not in _faults(tmp_path / "one", EARLY, line, "farm Y5 Y3")
    monkeypatch.setattr(Explained, "doubtful_dice", lambda _: iter(()))
    assert "whose" not in _faults(tmp_path / "two", EARLY, "war with a red six", "fight war with R6")


@pytest.mark.parametrize(
    ("room", "name", "at", "line", "order", "fault"),
    [
        (certain, "_only_lies", "thirtieth, ladies: a turn",
         "Mon pauvre couché de l'hôtel de ville se fait vigneron, avec le 4 jaune de Faye",
         "place faye:Y4 from city-hall lying", "place"),
        (remarks.Remarks, "_is_by_die", "thirty-fifth: a late turn for two", "Farm with Y6, and a die of Faye",
         "farm Y6", "owner beside the die"),
    ],
)  # fmt: skip
def test_who_only_lies_and_whose_die_is_beside_bar_an_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: object, name: str, at: str, line: str, order: str, fault: str
) -> None:
    assert fault in _faults(tmp_path / "right", at, line, order)
    monkeypatch.setattr(room, name, lambda *_: False)
    assert fault not in _faults(tmp_path / "wrong", at, line, order)


@pytest.mark.parametrize(
    ("at", "line", "orders"),
    [
        (FOUR, "Drought w/ Emily's pair of Y6", ("fight drought with emily:Y6 emily:Y6",)),
        (FOUR, "La paire de 6 d'Emily pour la sécheresse", ("fight drought with emily:Y6 emily:Y6",)),
        (
            FOUR,
            "my white 1 plus a yellow six of Emily's, on pilgrimage with the one lying in the palace",
            ("activate pilgrimage hiring from palace lying with W1 emily:Y6",),
        ),
        (EARLY, "un six rouge contre la guerre", ()),
        (FOUR, "Pilgrimage, sending the one lying in the Palace, with my yellow 1 and one yellow 6 of Emily's",
         ("activate pilgrimage hiring from palace lying with Y1 emily:Y6",)),
        ("thirtieth: a late turn for two",
         "J'active le viticulteur avec le 4 jaune de Faye, en y envoyant mon couché de l'hôtel de ville", ()),
        ("thirtieth: black dice", "Just the 6 for now, with my red 4. Faye can deal with the little one",
         ("counter 6 with R4",)),
        ("thirty-first: black dice", "Only the black 6, using my yellow 4 and red 2. I need the yellow 6 myself", ()),
        ("twenty-ninth: black dice", "4 and 3 get the white one and the red three, my yellow rests",
         ("counter 4 3 with W1 R3",)),
        ("twenty-ninth: black dice", "4 and 3 get the white one and the red three, my yellow snores", ()),
        ("twenty-sixth: black dice", "One black 3 only, with the white four", ("counter 3 with W4",)),
        ("nineteenth: an early turn", "Je combats les brigands avec mes deux rouges, le 3 et le 2",
         ("fight brigands with R3 R2",)),
        ("twenty-sixth: a late turn for two", "Mon bonhomme du Palais (place 2) devient troubadour, j'utilise mon rouge 5",
         ("activate troubadour hiring from palace 2 with R5",)),
        (MONK, "Marauding, with the gray white six, monk cube makes it 18. Three cubes there",
         ("fight marauding with gray:W6 using monk",)),
        (MONK, "Marauding, with the gray white six, monk cube makes it 17. Three cubes there", ()),
        (MONK, "merchant w/ gray W6 + monk pls", ("activate merchant with gray:W6 using monk",)),
        ("nineteenth: an early turn", "Je passe mon tour et je prends les 2 deniers", ("pass",)),
        ("nineteenth: an early turn", "Je passe mon tour et je prends les 7 deniers", ()),
        ("eighteenth: a late turn for two", "Je cultive avec mon 4 et mon 2 jaunes", ("farm Y4 Y2",)),
        ("eighteenth: a late turn for two", "Flip both red 1s, and then one of those 6s on the Brigands",
         ("flip R1 R1", "fight brigands with R6")),
        ("thirtieth, ladies: a turn",
         "Mon pauvre couché de l'hôtel de ville se fait vigneron, avec le 4 jaune de Faye", ()),
        ("dice, twenty-ninth: a morning", "the 3 becomes white for bishopric 3", ("red 3 as white 3: bishopric 3",)),
        ("dice, twenty-ninth: a morning", "3 becomes white: bishopric 3", ()),
    ],
)  # fmt: skip
def test_how_many_and_whose_dice_are_meant_is_never_guessed(
    tmp_path: Path, at: str, line: str, orders: tuple[str, ...]
) -> None:
    """A pair is two; «the one lying» is no die; a die that somebody else has as well is one's own only if it is said."""
    assert Reader(table(tmp_path, at)).read(line).orders == orders


def test_slip_is_taken_for_a_word_only_where_that_explains_more(tmp_path: Path) -> None:
    """«the man goes along» names no «allongé»."""
    line = "Off on Pilgrimage! Yellow 6, my white 3 and my red 5, and the man on palace 2 goes along"
    order = "activate pilgrimage hiring from palace 2 with Y6 W3 R5"
    found = _faults(tmp_path, "twenty-sixth: a late turn for two", line, order)
    assert "slips" not in found and "how many" not in found
