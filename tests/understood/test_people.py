"""What ordinary people wrote of whom the reader had asked back: dice told behind one another, several dice that were
turned over, what is left to others, cubes of tiles; and that each reading hangs on what it was mended by."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.troyes.notation import composing
from engine.troyes.notation.covering import Named
from engine.troyes.notation.explaining import Explained
from engine.troyes.notation.faces import Faces
from engine.troyes.notation.picked import Picked
from engine.troyes.notation.remarks import Remarks
from pbem.desk import between, numbered, supposing

from .mailed import Reader, table

EARLY, FOUR, LATE = "thirty-fifth: an early turn", "thirty-fourth: a turn for four", "thirty-fifth: a late turn for two"
BLACK, LADIES = "thirty-fifth: black dice", "eighteenth, ladies: a turn"
THREE = "Mes trois blancs à la cathédrale : le 1, le 2 et le 3."


def _read(folder: Path, at: str, line: str) -> tuple[str, ...]:
    return Reader(table(folder, at)).read(line).orders


@pytest.mark.parametrize(
    ("at", "line", "orders"),
    [
        # Several dice that were turned over, and what only tells what one becomes.
        (EARLY, "flip both my yellow dice to 6 and 5 and then fight the drought with them",
         ("flip Y2 Y1", "fight drought with Y5 Y6")),
        (EARLY, "je retourne J1 et J2 et je cultive avec les deux", ("flip Y1 Y2", "farm Y6 Y5")),
        (EARLY, "Flip both yellows (4 influence) and send the 6 and the 5 against Marauding",
         ("flip Y2 Y1", "fight marauding with Y6 Y5")),
        ("thirty-fourth: an early turn", "Je retourne mon J2 (il passe à 5)", ("flip Y2",)),
        ("thirty-fourth: an early turn", "flip Y2 (5)", ("flip Y2",)),
        ("thirty-fourth: an early turn", "flip Y2 (6)", ()),
        ("thirty-fourth: black dice", "Flip my yellow 3, it becomes a 4.", ("flip Y3",)),
        ("thirty-eighth: an early turn", "Turn my yellow 2 over so it's a 5", ("flip Y2",)),
        ("thirty-eighth: an early turn", "Bonjour. Je retourne mon 2 jaune pour en faire un 5. Merci !", ("flip Y2",)),
        ("thirty-eighth: an early turn", "flip my 2 and my 5", ("flip Y2 R5",)),
        ("thirty-eighth: an early turn", "flip Y2, now 5", ("flip Y2",)),
        ("thirty-eighth: an early turn", "flip Y2 giving 5", ("flip Y2",)),
        ("thirty-eighth, ladies: a turn", "flip the yellow 1 and 2, that's a 6 and a 5 for me then", ("flip Y1 Y2",)),
        ("thirty-ninth: a late turn for two", "Flip my white 3 so it's a 4, and build on the cathedral with the white 4",
         ("flip W3", "build with W4")),
        # Who lies where.
        ("thirty-eighth: a turn for four", "Put my man who's lying in City Hall back up with Faye's yellow 4",
         ("place faye:Y4 from city-hall lying",)),
        ("thirty-eighth: a turn for four", "Faye's yellow 4 for the city hall please, and take my man who is lying there",
         ()),
        ("thirty-eighth: a turn for four", "Je prends le R6 de Faye pour déplacer mon bonhomme du palais 4 vers le 6.",
         ("place faye:R6 from palace 4",)),
        ("thirty-eighth: an early turn", "Archer. Hire from palace 4 and shoot with Faye's red six!",
         ("activate archer hiring from palace 4 with faye:R6",)),
        ("thirty-eighth: black dice", "Je retourne mon 1 rouge en 6 et avec ça je contre les deux 4",
         ("flip R1", "counter 4 4 with R6")),
        ("forty-first: an early turn", "reroll my two yellow 2s", ()),
        ("nineteenth: a late turn for two",
         "The wayfarers bother me more than the rest, so my 5 goes there. Best wishes, Margaret", ()),
        ("forty-first: an early turn", "reroll Y2 Y2", ()),
        ("forty-first: an early turn", "reroll one of my two yellow 2s", ("reroll Y2",)),
        # Dice behind one another, each of somebody.
        (FOUR, "hire a blacksmith with the two yellow 5s, Faye's and the gray one",
         ("activate blacksmith hiring from supply with faye:Y5 gray:Y5",)),
        ("eighteenth: an early turn", "maraudage avec le 5 et le 4 rouges de Faye",
         ("fight marauding with faye:R5 faye:R4",)),
        ("eighteenth: a turn for four", "2 dés blancs d'Anna, le 5 et le 4, contre le conflit théologique",
         ("fight theological-conflict with anna:W5 anna:W4",)),
        ("eighteenth: a turn for four", "2 dés blancs d'Anna contre le conflit théologique", ()),
        ("eighteenth: a late turn for two", THREE, ("build with W3 W2 W1",)),
        ("thirty-fifth, ladies: a turn", "reroll the red one", ("reroll R5",)),
        ("thirty-fifth, ladies: a turn",
         "I place my citizen from the supply in the Bishopric with the white 6. Faye's man must leave, I'm afraid.",
         ("place W6 from supply",)),
        (BLACK, "One red 5 deals with both, the 6 and the 2.", ("counter 6 2 with R5",)),
        # What is kept or left.
        (BLACK, "White 4 and white 2 for the six, leave the two", ("counter 6 with W4 W2",)),
        (BLACK, "red 5 on the 6, leave the 2 for the others", ("counter 6 with R5",)),
        (BLACK, "red 5 on the 6, Faye can have the 2", ("counter 6 with R5",)),
        (BLACK, "red 5 on the 6, leave the 6", ()),
        (BLACK, "Y3 Y1 W4 on the 6 and the 2, leave the 2", ()),
        (BLACK, "I'd rather keep my red ones. Yellow 3, yellow 1 and white 4 against both black dice, the 6 and the 2.",
         ("counter 6 2 with Y3 Y1 W4",)),
        (BLACK, "I'd rather keep my yellow 3. Yellow 3, yellow 1 and white 4 against both black dice", ()),
        ("thirty-fourth: black dice", "relancer le J3 (je garde le 2)", ("reroll Y3",)),
        ("thirty-fourth: black dice", "relancer le J3 (je garde le 3)", ()),
        # Who is put out, what is paid, what is said of a die.
        ("eighteenth: a turn for four", "sorry Emily!! my red 6 kicks you out of the palace, I take the citizen from my supply",
         ("place R6 from supply",)),
        (BLACK, "I'll spend my last influence on rerolling the yellow 1", ("reroll Y1",)),
        (FOUR, "reroll one of my red 1s, they're useless", ("reroll R1",)),
        (FOUR, "reroll one of my red 1s, they're useless?", ()),
        # Cubes of outdoor tiles.
        (LADIES, "Farm with one of Anna's yellow twos, and use a Harvest cube for the 5 extra deniers",
         ("farm anna:Y2 using I",)),
        (LADIES, "Farm with one of Anna's yellow twos, and use a Harvest cube for the 4 extra deniers", ()),
        (LADIES, "J'achète le rouge d'Anna contre le soulèvement, retourné avec mon cube de volte-face (donc 5)",
         ("fight uprising with anna:R2 using II: anna:R2",)),
        (LADIES, "harvest with Anna's Y2", ("farm anna:Y2",)),
        # What stands behind «then».
        ("eighteenth: a late turn for two", "First turn over my white 1 and both my red ones, then I'll see.",
         ("flip W1 R1 R1",)),
        ("eighteenth: a late turn for two", "First turn over my white 1, then I farm with the big one.", ()),
    ],
)  # fmt: skip
def test_what_ordinary_people_write_is_read(tmp_path: Path, at: str, line: str, orders: tuple[str, ...]) -> None:
    """As it is meant; nothing where it says two things, or what is not true."""
    assert _read(tmp_path, at, line) == orders


@pytest.mark.parametrize(
    ("room", "name", "instead", "at", "line"),
    [
        (supposing, "lists", lambda *_: False, EARLY,
         "Flip both yellows (4 influence) and send the 6 and the 5 against Marauding"),
        (between, "_THEM", between._IT, EARLY, "je retourne J1 et J2 et je cultive avec les deux"),
        (numbered, "is_talk", lambda *_: True, "eighteenth: a late turn for two", THREE),
        (Faces, "_is_like_behind", lambda *_: False, "eighteenth: an early turn",
         "maraudage avec le 5 et le 4 rouges de Faye"),
        (Picked, "_told_apart", lambda *_: False, "eighteenth: a turn for four",
         "2 dés blancs d'Anna, le 5 et le 4, contre le conflit théologique"),
        (Picked, "is_article", lambda *_: False, BLACK, "One red 5 deals with both, the 6 and the 2."),
        (Named, "_names_tile", lambda *_: False, LADIES,
         "Farm with one of Anna's yellow twos, and use a Harvest cube for the 5 extra deniers"),
        (Faces, "_is_result", lambda *_: False, "thirty-eighth: an early turn", "Turn my yellow 2 over so it's a 5"),
        (composing, "named_once", list, "nineteenth: an early turn",
         "Je combats les brigands avec mes deux rouges, le 3 et le 2"),
        (Remarks, "_does_more", lambda self, at: self.said.tokens[at].of("verb") == "use", BLACK,
         "I'll spend my last influence on rerolling the yellow 1"),
    ],
)  # fmt: skip
def test_planted_fault_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: object, name: str, instead: object, at: str, line: str
) -> None:
    """Without what each was mended by it is read otherwise, or asked back."""
    right = _read(tmp_path / "right", at, line)
    assert right
    monkeypatch.setattr(room, name, instead)
    assert _read(tmp_path / "wrong", at, line) != right


def test_were_what_is_left_never_looked_at_it_would_be_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supposing, "_takes", lambda *_: False)
    assert _read(tmp_path, BLACK, "red 5 on the 6, leave the 6") == ("counter 6 with R5",)


def test_were_no_die_idle_one_would_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at, line = "twenty-ninth: black dice", "4 and 3 get the white one and the red three, my yellow snores"
    assert _read(tmp_path / "right", at, line) == ()
    monkeypatch.setattr(Explained, "_idle_dice", lambda _: iter(()))
    assert _read(tmp_path / "wrong", at, line) == ("counter 4 3 with W1 R3 Y3",)


def test_were_it_nothing_where_somebody_lies_another_would_rise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at, line = "thirty-eighth: a turn for four", "Faye's yellow 4 for the city hall please, and take my man who is lying there"
    assert _read(tmp_path / "right", at, line) == ()
    monkeypatch.setattr(Named, "_tells_where_he_lies", True)
    assert _read(tmp_path / "wrong", at, line) == ("place faye:Y4 from bishopric lying",)
