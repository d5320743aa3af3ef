"""The Ladies' cards and tiles against numbers typed by hand from the fact tables, and how sure each is."""

from __future__ import annotations

import pytest

from engine.catalog import ENGLISH
from engine.kit.card_data import CorrectionsRefused
from engine.troyes.card_data import tables
from engine.troyes.card_data.explain import card_text, explain
from engine.troyes.card_data.item_names import activity_of, events_of
from engine.troyes.card_data.proof import proof_rows
from engine.troyes.card_data.troyes_box import load_box

LADIES = "ladies"

# color, level, kind, hire, currency, spaces, divisor.
ACTIVITIES = {
    "lumberjack": ("yellow", 1, "mixed", 4, "deniers", (2, 1), 2),
    "clog_maker": ("yellow", 1, "immediate", 5, "deniers", (2, 1), 2),
    "weaver": ("yellow", 1, "immediate", 4, "deniers", (2, 1), 2),
    "landlady": ("yellow", 2, "immediate", 5, "deniers", (2, 1), 3),
    "distiller": ("yellow", 2, "delayed", 5, "deniers", (3, 2), 2),
    "viticulturist": ("yellow", 2, "delayed", 4, "deniers", (3, 2), 3),
    "banker": ("yellow", 3, "immediate", 6, "deniers", (3, 2), 5),
    "breeder": ("yellow", 3, "mixed", 8, "deniers", (3, 2), 2),
    "master_tradesman": ("yellow", 3, "immediate", 8, "deniers", (3, 2), 4),
    "bishop": ("white", 1, "immediate", 4, "deniers", (2, 1), 2),
    "augustine": ("white", 1, "delayed", 5, "deniers", (2, 1), 3),
    "chief_templar": ("white", 1, "delayed", 5, "influence", (2, 1), 4),
    "herbalist": ("white", 2, "delayed", 5, "deniers", (2, 1), 3),
    "master_builder": ("white", 2, "immediate", 8, "deniers", (2, 1), 4),
    "preacher": ("white", 2, "delayed", 6, "deniers", (3, 1), 5),
    "scribe": ("white", 3, "immediate", 5, "deniers", (2, 1), 4),
    "hermit": ("white", 3, "endgame", 5, "deniers", (3, 2), 5),
    "nun": ("white", 3, "immediate", 4, "deniers", (2, 1), 4),
    "ransom": ("red", 1, "immediate", 4, "deniers", (2, 1), 2),
    "catapult": ("red", 1, "mixed", 6, "deniers", (2, 1), 3),
    "scout": ("red", 1, "immediate", 5, "deniers", (3, 2), 8),
    "executioner": ("red", 2, "immediate", 5, "deniers", (2, 1), 3),
    "squire": ("red", 2, "mixed", 7, "deniers", (2, 1), 3),
    "recruiter": ("red", 2, "delayed", 3, "influence", (2, 1), 3),
    "marriage": ("red", 3, "immediate", 6, "deniers", (3, 2), 6),
    "fort": ("red", 3, "endgame", 6, "deniers", (3, 2), 0),
    "princess": ("red", 3, "endgame", 8, "deniers", (3, 2), 3),
}

# color, calls, divisor, first, second, banners, black dice.
EVENTS = {
    "wolves": ("yellow", "", 2, 3, 1, 4, 1),
    "harsh_winter": ("yellow", "", 3, 2, 1, 3, 0),
    "chief_outlaw": ("red", "white", 16, 6, 3, 1, 0),
    "uprising": ("red", "yellow", 4, 3, 2, 4, 0),
    "monk_event": ("white", "", 4, 3, 2, 4, 0),
    "possession": ("white", "", 3, 3, 2, 4, 0),
}


def test_ladies_activities_have_the_numbers_of_the_tables() -> None:
    """Fact tables; 27 cards, three of each colour and level."""
    found = {
        card.id: (card.color, card.level, card.kind, card.hire, card.currency, card.spaces, card.divisor)
        for card in load_box().activities.values()
        if card.set == LADIES
    }
    assert ACTIVITIES == found
    for color in ("yellow", "white", "red"):
        for level in (1, 2, 3):
            assert 3 == len(load_box().pile(color, level, {LADIES})), (color, level)


def test_ladies_events_have_the_numbers_of_the_tables() -> None:
    found = {
        card.id: (card.color, card.calls, card.divisor, card.first, card.second, card.banners, card.black_dice)
        for card in load_box().events.values()
        if card.set == LADIES
    }
    assert EVENTS == found
    assert ("monk_event",) == events_of("monk")
    assert "monk" == activity_of("monk")


def test_there_are_sixteen_tile_faces_four_to_a_level() -> None:
    """D3: sixteen are needed; D2: 8, 4, 2."""
    box = load_box()
    assert [1] * 4 + [2] * 4 + [3] * 4 + [4] * 4 == [tile.level for tile in box.outdoor.values()]
    assert (8, 4, 2) == box.outdoor["majority"].prizes
    assert (6, 4, 2, 1) == box.outdoor["arrival_race"].prizes
    assert {"yellow", "white", "red", "purple"} == {tile.rolls for tile in box.outdoor.values()} - {""}


@pytest.mark.parametrize(
    ("id", "level", "field", "confidence"),
    [
        ("lumberjack", "activity", "divisor", "seed"),
        ("lumberjack", "activity", "hire", "inferred"),
        ("chief_templar", "activity", "hire", "seed"),
        ("scout", "activity", "divisor", "unknown"),
        ("scout", "activity", "cost", "seed"),
        ("bishop", "activity", "hire", "unknown"),
        ("herbalist", "activity", "kind", "seed"),
        ("wolves", "event", "banners", "unknown"),
        ("chief_outlaw", "event", "divisor", "seed+public"),
        ("majority", "outdoor", "prizes", "seed"),
        ("majority", "outdoor", "level", "inferred"),
    ],
)
def test_the_proof_sheet_says_how_sure_each_number_is(id: str, level: str, field: str, confidence: str) -> None:
    """A host sees what to hold against the cards."""
    rows = {(row["id"], row["field"]): row["confidence"] for row in proof_rows()}
    assert confidence == rows[id, field]


def test_another_printing_stands_beside_the_number() -> None:
    rows = {(row["id"], row["field"]): row["source"] for row in proof_rows()}
    assert "another printing has [9, 6, 3]" in rows["majority", "prizes"]
    assert "another printing has 4" in rows["weaver", "divisor"]


def test_ladies_numbers_can_be_corrected() -> None:
    """Numbers that are inferred or unknown are defaults which a host can correct."""
    box = load_box(
        {
            "activity": {"scout": {"divisor": 5}, "hermit": {"worth": 8}},
            "event": {"chief_outlaw": {"banners": 2}},
            "outdoor": {"majority": {"prizes": [9, 6, 3]}, "deniers_on_agriculture": {"deniers": 6}},
            "board": {"gates": [4, 9, 14, 20]},
        }
    )
    assert 5 == box.activities["scout"].divisor
    assert (9, 6, 3) == box.outdoor["majority"].prizes
    assert (4, 9, 14, 20) == box.board.gates
    assert "majority" in load_box(box.to_data()).outdoor
    with pytest.raises(CorrectionsRefused):
        load_box({"activity": {"fort": {"divisor": 3}}})
    with pytest.raises(CorrectionsRefused):
        load_box({"outdoor": {"majority": {"prizes": [1, 2, 3]}}})


def test_a_game_keeps_the_numbers_of_its_modules_only() -> None:
    """A box trimmed to the modules that are played is restored exactly from what a game stores."""
    for modules in ((), ("events",), ("activities", "ramparts"), ("characters", "activities", "events", "ramparts")):
        box = load_box().with_modules(modules)
        assert box is load_box(box.to_data())
        assert ("ramparts" in modules) == bool(box.outdoor)
    base = load_box().with_modules(())
    assert not base.ladies and "gates" not in base.to_data()["board"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("bûcheron", "Lumberjack"),
        ("maître d'œuvre", "Master Builder"),
        ("chef templier", "Chief Templar"),
        ("exchange", "Exchange"),
        ("moisson", "Harvest"),
        ("guard", "The guard"),
        ("remparts", "Ramparts"),
        ("hiver intense", "Harsh Winter"),
        ("Jeanne", "Jeanne de Champagne"),
    ],
)
def test_ladies_words_are_explained(word: str, expected: str) -> None:
    found = explain(word)
    assert found is not None
    assert expected == str(found.title)
    assert found.lines


def test_fort_and_influence_prices_are_explained_as_they_are() -> None:
    fort, templar = explain("fort"), explain("chief templar")
    assert fort is not None and templar is not None
    assert "One cube per die; red dice." in map(str, fort.lines)
    assert "Hire: 5 influence. Spaces: 2, 1 VP, then the illustration." in map(str, templar.lines)


def test_tile_texts_fit_a_phone_and_have_their_french() -> None:
    """About 45 characters to a line, in both languages."""
    for tile in load_box().outdoor.values():
        table = tables.shipped_tables("outdoor")[tile.id]
        assert len(ENGLISH.render(card_text(tile))) <= 95, tile.id
        assert len(table["text_fr"]) <= 95, tile.id
        assert table["name_fr"].strip(), tile.id
