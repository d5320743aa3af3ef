"""What cards may be called, and how they are explained, in English and French."""

from __future__ import annotations

import re
import string
from typing import Any

import pytest

from engine.catalog import ENGLISH
from engine.kit.words import closest_match
from engine.troyes.card_data import tables
from engine.troyes.card_data.card_types import Activity, EventCard
from engine.troyes.card_data.explain import card_text, explain
from engine.troyes.card_data.item_names import (
    KINDS,
    activity_of,
    events_of,
    find_meanings,
    ids_by_word,
    known_names,
    place_of,
)
from engine.troyes.card_data.troyes_box import load_box
from pbem.outbound.translation import language_catalogue
from tests.tools.language import boxed

# The order words: what a card may not be called unless the place in the order decides.
VERBS = {
    *("activate", "activer", "build", "construire", "batir", "fight", "combattre", "lutter", "place", "placer"),
    *("farm", "cultiver", "pass", "passer", "reroll", "relancer", "flip", "retourner", "recruit", "recruter"),
    *("counter", "contrer", "settle", "installer", "support", "soutenir", "target", "cible", "cibler"),
    *("use", "utiliser", "guard", "give", "discard", "react"),
}


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("Marchand", "merchant"),
        ("aubergiste", "innkeeper"),
        ("Orfèvre", "goldsmith"),
        ("orfevre", "goldsmith"),
        ("PRETRE", "priest"),
        ("dîme", "tithe"),
        ("tithing", "tithe"),
        ("militia", "militiaman"),
        ("Pèlerinage", "pilgrimage"),
        ("verrier", "glassblower"),
        ("chasse", "hunting"),
        ("percepteur", "tax_collector"),
        ("tax collector", "tax_collector"),
        ("tax-collector", "tax_collector"),
        ("TAX_COLLECTOR", "tax_collector"),
        ("activity-monk", "monk"),
        ("Boulangier", "baker"),
        ("boulanger", "baker"),
        ("prieur", "prior"),
        ("support", None),
        ("marchant", None),
    ],
)
def test_activities_are_found_by_every_name(word: str, expected: str | None) -> None:
    """Kebab-case typed, snake_case in files, both read; accents and case do not matter."""
    assert expected == activity_of(word)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("war", ("war",)),
        ("event-war", ("war",)),
        ("Guerre", ("war",)),
        ("guerre civile", ("civil_war",)),
        ("Sécheresse", ("drought",)),
        ("attaque des normands", ("normans_attack",)),
        ("escarmouches", ("skirmishes_a", "skirmishes_b")),
        ("brigands_a2", ("brigands_a2",)),
        ("maraudage", ("marauding",)),
        ("Succession Conflict", ("conflict_of_succession",)),
        ("migrant-workers", ("traveling_builders",)),
        ("perturbation de travaux", ("interrupted_work",)),
        ("Résistance", ("resistance",)),
        ("merchant", ()),
    ],
)
def test_events_are_found_by_every_name(word: str, expected: tuple[str, ...]) -> None:
    """Copies of one event share a word; D9 for the names of another printing."""
    assert expected == events_of(word)


def test_places_and_characters_are_found_in_both_languages() -> None:
    """French rulebook for the names."""
    typed = ("Palais", "évêché", "hotel de ville", "Town Hall", "cathédrale", "réserve")
    expected = ("palace", "bishopric", "city_hall", "city_hall", "cathedral", "supply")
    assert expected == tuple(place_of(word) for word in typed)
    assert (("character", "chretien_de_troyes"),) == find_meanings("chretien-de-troyes")
    assert (("character", "le_florentin"),) == find_meanings("Florentin")
    assert place_of("moulin") is None


def test_no_word_means_two_things_among_cards_of_one_kind_places_and_verbs() -> None:
    """The verb decides between kinds. Support is an event and an order: the one word that is both."""
    for kind in KINDS:
        for word, ids in ids_by_word(kind).items():
            shared = {tables.shipped_tables(kind)[id_].get("word", id_) for id_ in ids}
            assert 1 == len(shared), (kind, word, ids)
    assert {} == {word: ids for word, ids in ids_by_word("place").items() if word in ids_by_word("rule")}
    for kind in ("activity", "event", "character"):
        known = set(ids_by_word(kind))
        assert set() == known & (set(ids_by_word("place")) | set(ids_by_word("rule"))), kind
        assert ({"support"} if kind == "event" else set()) == known & VERBS, kind
    assert set() == set(ids_by_word("place")) & VERBS


def test_all_words_are_typed_in_kebab_case_and_find_something() -> None:
    """Ids are typed in kebab-case."""
    assert len(known_names()) > 150
    for word in known_names():
        assert set(word) <= set(string.ascii_lowercase + string.digits + "-"), word
        assert explain(word) is not None, word


def _fields_in(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_french_and_english_texts_name_the_same_numbers() -> None:
    """A correction must show in both languages: no number of an effect stands in a text as a digit of its own."""
    for kind in ("activity", "event"):
        for id_, table in tables.shipped_tables(kind).items():
            own = set(table.get("numbers", {})) | ({"black_dice"} if table.get("black_dice") else set())
            assert _fields_in(table["text_en"]) == _fields_in(table["text_fr"]), id_
            assert own - {"as" if id_ == "militiaman" else ""} == _fields_in(table["text_en"]), id_
    for kind in ("place", "rule"):
        for id_, table in tables.shipped_tables(kind).items():
            for english, french in zip(table["text_en"], table["text_fr"], strict=True):
                assert _fields_in(english) == _fields_in(french), id_


def test_texts_fit_two_lines_of_a_phone() -> None:
    """About 45 characters to a line, in both languages."""
    box = load_box()
    both: list[Activity | EventCard] = [*box.activities.values(), *box.events.values()]
    french = tables.shipped_tables("activity") | tables.shipped_tables("event")
    for card in both:
        assert len(ENGLISH.render(card_text(card))) <= 90, card.id
        assert len(french[card.id]["text_fr"]) <= 92, card.id


def lines(word: str, **at: Any) -> list[str]:
    """What is told of a card, place or rule word."""
    told = explain(word, **at)
    assert told is not None
    return [ENGLISH.render(line) for line in told.lines]


def test_explain_tells_all_numbers_of_a_card() -> None:
    """`card merchant`: colour, level, hire, spaces, divisor, effect; those of this game, in the singular where they are one."""
    assert [
        "Yellow activity, level 1, immediate",
        "Hire: 4 deniers. Spaces: 2, 1 VP, then the illustration.",
        "Once per 2 of the total of yellow dice.",
        "Each time: +2 deniers.",
    ] == lines("marchand")
    box = load_box({"activity": {"merchant": {"divisor": 3, "deniers": 1}}, "board": {"income": 9}})
    assert ["Once per 3 of the total of yellow dice.", "Each time: +1 denier."] == lines("merchant", box=box)[2:]
    assert lines("salary", box=box)[0].startswith("Each round everyone gets 9 deniers, then pays")


def test_explain_lists_the_copies_of_an_event() -> None:
    """D18: three Brigands, which do not call the same colour."""
    first, *_, last = lines("brigands")
    assert ("Red event", "3 copies are in the box; they call: yellow, yellow, white.") == (first, last)


def test_explain_tells_thresholds_for_two_players_where_they_differ() -> None:
    """Appendix: numbers in brackets for Chrétien and Urbain only."""
    assert "With two players from 4, 6, 8 on it earns 1, 3, 6 VP." in lines("Urbain")
    assert not any("two players" in line for line in lines("thibaut"))


def test_explain_knows_nothing_of_other_words() -> None:
    """None, so that the post room can suggest a word; a beginning shared by two cards is no name."""
    assert explain("windmill") is None
    assert explain("conf") is None
    assert explain("") is None
    assert "merchant" == closest_match("merchnat", known_names())


def test_every_name_and_text_has_its_french() -> None:
    """The catalogue of a later language is fed from here."""
    rows = [table for kind in KINDS for table in tables.shipped_tables(kind).values()]
    found = boxed([*rows, *tables.solo_texts().values()], "fr")
    assert "Orfèvre" == found["Goldsmith"]
    assert "À chaque fois : +{deniers}." == found["Each time: +{deniers}."]
    assert [] == [english for english, french in found.items() if not french.strip()]
    for table in rows:
        assert found[table["name_en"]] == table["name_fr"], table["id"]
        texts = table["text_en"], table["text_fr"]
        for english, french in [texts] if isinstance(table["text_en"], str) else zip(*texts, strict=True):
            assert found[english] == french, table["id"]


BOTH = frozenset(
    ["cube", "cubes", "denier", "deniers", "total", "illustration", "illustrations", "influence", "action", "placement", "place", "six", "second", "point", "max", "auto", "solo", "roy", "archer", "procession", "possession", "iii"]
)
"""Words that are the same in both languages."""
WORD = re.compile(r"[^\W\d_]{3,}")


def test_no_english_word_stands_in_a_french_card_text() -> None:
    """Every card, place and rule word, also against le Roy: no sentence of the program is left as it is in English."""
    english, french = language_catalogue("en").render, language_catalogue("fr").render
    for kind in KINDS:
        for id_ in tables.shipped_tables(kind):
            for solo in (False, True):
                told = explain(id_, solo=solo)
                assert told is not None
                for line in told.lines:
                    words = [set(WORD.findall(say(line).casefold())) for say in (english, french)]
                    assert set() == set.intersection(*words) - BOTH, french(line)


@pytest.mark.parametrize(("card", "says"), [
    ("executioner", "the opponent with most influence"), ("master_builder", "whoever has no cube on it loses 2 VP"),
    ("uprising", "A 1 or 2 names the Bishopric, 3 or 4 the Palace, 5 or 6 the City Hall."),
    ("event-monk", "A 1 or 2 names white, 3 or 4 yellow, 5 or 6 red."),
    ("possession", "with nobody in hand you may hire one for 2 influence. Whoever has none to give loses 2 VP."),
    ("catapult", "Where a single banner is free, a cube used puts one there."),
    ("joust", "You need a red die of your own for it."), ("fort", "Those who are tied for most share these"),
    ("chief-outlaw", "1 banner;"),
])  # fmt: skip
def test_card_texts_say_what_decides(card: str, says: str) -> None:
    """Whoever asks for a card is told all that costs points."""
    assert any(says in line for line in lines(card))
