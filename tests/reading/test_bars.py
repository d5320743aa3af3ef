"""What turns a line into no order bars it, whatever words of an order it holds; courtesy and what is spared do not."""

from __future__ import annotations

import pytest

from pbem.reading.bars import KINDS, SPARED, bars
from tests.understood.bench import Bench, laid_out
from tests.understood.measure import send

TABLE = ("Anna", "Faye", "Geoffrey", "Emily")
READ = {
    "troyes": "Brigands with my red four and the red two from gray, heres the 4 deniers",
    "dice": "I take the yellow five into the city hall, box five",
}
"""For each game a line that no grammar reads, and that can only mean one order."""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Bench]:
    """The tables at which wordings are read."""
    return {kind: laid_out(tmp_path_factory.mktemp(kind), kind) for kind in READ}


@pytest.mark.parametrize("kind", READ)
def test_a_line_can_only_mean_one_order(tables: dict[str, Bench], kind: str) -> None:
    """The line in which all that bars is planted below."""
    wanted = {"troyes": ("fight brigands with R4 gray:R2",), "dice": ("yellow 5: city-hall 5",)}[kind]
    assert send(tables[kind], READ[kind]).orders == wanted


@pytest.mark.parametrize("kind", KINDS)
def test_every_word_of_a_kind_bars_a_line(kind: str) -> None:
    """Before the order, behind it, and within: each word and phrase of both languages."""
    for word in KINDS[kind]:
        for line in (f"{word} {READ['dice']}", f"{READ['dice']} {word}", READ["dice"].replace("take ", f"take {word} ")):
            assert bars(line, TABLE), line


@pytest.mark.parametrize("game", READ)
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_played_of_a_line_with_such_a_word(tables: dict[str, Bench], game: str, kind: str) -> None:
    """A sample of each kind, through the whole desk."""
    for word in KINDS[kind][::30]:
        for line in (f"{word} {READ[game]}", f"{READ[game]} {word}"):
            assert send(tables[game], line).orders == (), line


def test_a_planted_fault_is_found(tables: dict[str, Bench], monkeypatch: pytest.MonkeyPatch) -> None:
    """Were nothing barred, a condition would be played over: the evidence alone does not see it."""
    line = f"{READ['dice']}, unless somebody minds"
    assert send(tables["dice"], line).orders == ()
    monkeypatch.setattr("pbem.desk.surely.every_bar", lambda line, names=(): ())
    assert send(tables["dice"], line).orders == ("yellow 5: city-hall 5",)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("Faye takes the yellow 5 into the city hall", "others"),
        ("Faye: yellow 5, city hall", "others"),
        ("fight brigands with Faye's R6", ""),
        ("brigands : rouge 6 de Faye, je lui paie ses 2 deniers", ""),
        ("je construirais avec le blanc 5", "hedge"),
        ("je voudrais construire avec le blanc 5", ""),
        ("I'd like to build with the white 5, please", ""),
        ("Fortress 3 with the red 3, it costs me nothing", ""),
        ("je prends le rouge tel quel, sans le modifier", ""),
        ("yellow 5 gives 5 deniers", "telling"),
        ("yellow 5 on marauding, that gives me 2 VP", ""),
        ("Bonjour à tous, blanc 5 pour la cathédrale, tant pis pour Anna", ""),
        ("white 5: cathedral 🛑", "question"),
        ("white 5: cathedral...", "question"),
    ],
)  # fmt: skip
def test_what_bars_a_line(line: str, kind: str) -> None:
    """Owners, who is paid, who is pitied, and what a thing costs turn nothing."""
    assert bars(line, TABLE) == kind


def test_spared_phrases_and_kinds_are_of_one_table() -> None:
    """What is spared holds a word that bars: else it would stand there for nothing."""
    idle = [one for one in SPARED.all if not bars(f"zz {one.replace(' ', ' zz ')} zz")]
    assert idle == []
