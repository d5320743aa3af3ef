"""The order language: words of both languages, what may be left out, what never is, and refusals with their numbers."""

from __future__ import annotations

from itertools import chain

import pytest

from engine.chance import ScriptedChance
from engine.errors import NotAllowed, NotUnderstood, OrderRefused, TooLate, Unclear
from engine.troyes_dice.notation import order_words
from engine.troyes_dice.notation.order_words import english_forms, french_forms
from engine.troyes_dice.phases import game_flow
from engine.troyes_dice.state.dice_state import DiceState, Plaza
from pbem.reading.courtesy import denies
from tests.dice.games import ANNA, FAYE, GAME, begin


def table(colours: str = "red white yellow white", dice: tuple[int, ...] = (2, 4, 5, 6)) -> DiceState:
    """One player; three clear dice and a black one (the last number) on plazas of these colours."""
    state = game_flow.start_game(
        {"anna": "Anna"}, GAME.settle_options(1, {}), ScriptedChance({"dice": dice}, begin(1).chance)
    ).state
    notches = list(state.plazas)
    for slot, colour in enumerate(colours.split()):
        notches[state.notch(slot)] = Plaza(colour, colour)
    state.plazas = tuple(notches)
    return state


def understood(text: str, state: DiceState | None = None) -> str:
    return GAME.read(state or table(), ANNA, text).text


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("red 2: influence", "red 2: influence"),
        ("RED 2 : Influence.", "red 2: influence"),
        ("R2: influence", "red 2: influence"),
        ("rouge 2 : influence", "red 2: influence"),
        ("red 2: resources", "red 2: influence"),
        ("red 2: fortress", "red 2: fortress 2"),
        ("red 2: fortress 2", "red 2: fortress 2"),
        ("rouge 2 : forteresse", "red 2: fortress 2"),
        ("red 2 as white 3: cathedral", "red 2 as white 3: cathedral 3"),
        ("R2 comme B3 : cathédrale 3", "red 2 as white 3: cathedral 3"),
        ("red 2 en jaune: grande halle", "red 2 as yellow 2: great-hall 2"),
        ("red 2 as yellow: Great Hall", "red 2 as yellow 2: great-hall 2"),
        ("red 2 as 3: Count's Palace", "red 2 as red 3: counts-palace 3"),
        ("red 2 as 3: palais des comtes", "red 2 as red 3: counts-palace 3"),
        ("red 2 as red 2: palace", "red 2: counts-palace 2"),
        ("yellow 5: hôtel de ville", "yellow 5: city-hall 5"),
        ("J5 : mairie", "yellow 5: city-hall 5"),
        ("yellow 5: city-hall; pay deniers", "yellow 5: city-hall 5"),
        ("white 4: évêché; payer savoir", "white 4: bishopric 4; pay knowledge"),
        ("white 4: knowledge, pay denier", "white 4: knowledge; pay deniers"),
        ("white 4: knowledge 4; pay denier", "white 4: knowledge; pay deniers"),
        ("blanc 4: connaissances; paye influence", "white 4: knowledge; pay influence"),
        ("yellow 5: deniers;", "yellow 5: deniers"),
    ],
)
def test_words_of_both_languages(typed: str, canonical: str) -> None:
    """Orders: read against the position; the receipt prints the canonical line, which reads the same."""
    assert canonical == understood(typed) == understood(canonical)


def test_what_a_line_means_here_says_nothing_of_what_it_means_there() -> None:
    """Lines are kept as they were understood: «the red one» is the only red die here, and one of two there."""
    line = "the red one: influence"
    assert "red 2: influence" == understood(line)
    with pytest.raises(NotUnderstood):
        understood(line, table("red white red white", (1, 4, 5, 6)))
    assert "red 2: influence" == understood(line)


def test_a_column_that_is_filled_in_is_echoed() -> None:
    """Echoed."""
    assert ("column 2",) == tuple(str(msg) for msg in GAME.read(table(), ANNA, "red 2: fortress").assumed)
    assert () == GAME.read(table(), ANNA, "red 2: fortress 2").assumed


def test_what_pays_is_never_assumed() -> None:
    """Where two readings cost different things, both are shown, complete."""
    with pytest.raises(Unclear) as unclear:
        understood("white 4: knowledge")
    ways = list(unclear.value.orders)
    assert [f"white 4: knowledge; pay {resource}" for resource in ("influence", "deniers", "knowledge")] == ways
    assert ways == [understood(way) for way in ways]


def test_one_way_to_pay_is_not_assumed_either() -> None:
    """Legality does not break the tie."""
    state = table()
    state.sheets[ANNA].spent = {"influence": 3, "denier": 3, "knowledge": 1}
    with pytest.raises(Unclear) as unclear:
        understood("white 4: knowledge", state)
    assert ("white 4: knowledge; pay knowledge",) == unclear.value.orders


def test_two_dice_alike_are_told_apart_by_their_plaza() -> None:
    state = table("red red yellow white", (4, 4, 5, 6))
    with pytest.raises(Unclear) as unclear:
        understood("red 4: influence", state)
    pays = ("influence", "deniers", "knowledge")
    second = tuple(f"red 4 plaza 2: influence; pay {resource}" for resource in pays)
    assert ("red 4 plaza 1: influence", *second) == unclear.value.orders
    assert "red 4 plaza 1: influence" == understood("rouge 4 place 1: influence", state)


@pytest.mark.parametrize(
    ("text", "refusal", "said"),
    [
        ("", NotUnderstood, "no order"),
        ("reed 2: influence", NotUnderstood, "«reed»"),
        ("red red: influence", NotUnderstood, "one die"),
        ("red 2", NotUnderstood, "not complete"),
        ("red 2:", NotUnderstood, "not complete"),
        ("red 2: castle", NotUnderstood, "«castle»"),
        ("red 2: fortress 2 quickly", NotUnderstood, "«quickly»"),
        ("red 2: influence; pay gold", NotUnderstood, "«gold»"),
        ("red 2: influence; pay", NotUnderstood, "not complete"),
        ("red 2: influence; bonus", NotUnderstood, "not complete"),
        ("bonus", NotUnderstood, "not complete"),
        ("bonus yellow", NotAllowed, "No choice of a bonus is open"),
        ("numbering 4 up", NotAllowed, "numbered already"),
        ("white 2: knowledge", NotAllowed, "No white 2"),
        ("white 6: knowledge", NotAllowed, "destroyed"),
        ("red 2: knowledge", NotAllowed, "needs a white die; yours is red"),
        ("red 2: cathedral", NotAllowed, "Cathedral needs a white die; yours is red"),
        ("red 2: fortress 3", NotAllowed, "builds in column 2; you named column 3"),
        ("red 2 as red 7: fortress", NotAllowed, "1 to 6"),
        ("red 2 as red 6: influence", NotAllowed, "4 influence (you have 3)"),
        ("red 2: influence 3", NotAllowed, "brings 2"),
        ("red 2: influence; pay deniers", NotAllowed, "costs nothing"),
        ("yellow 5: deniers; pay influence", NotAllowed, "deniers, nothing else"),
        ("red 2: influence; bonus yellow", NotAllowed, "yellow is too much"),
        ("yellow 5 as red: fortress; bonus counts-palace", NotAllowed, "counts-palace is too much"),
    ],
)
def test_refusals_say_what_is_in_the_way(text: str, refusal: type[OrderRefused], said: str) -> None:
    """Orders: what was read, with its numbers."""
    with pytest.raises(refusal) as refused:
        understood(text)
    assert type(refused.value) is refusal
    assert said in str(refused.value.reason)
    assert all(str(way) for way in refused.value.possible)


def test_a_refusal_shows_what_can_be_paid() -> None:
    state = table()
    state.sheets[ANNA].spent["denier"] = 3
    with pytest.raises(NotAllowed) as refused:
        understood("yellow 5: deniers", state)
    assert "1 denier (you have 0)" in str(refused.value.reason)
    assert ["red 2 can be paid for as it lies.", "white 4 can be paid for as it lies."] == [
        str(way) for way in refused.value.possible
    ]


def test_a_built_or_crossed_place_names_the_open_ones() -> None:
    state = table()
    state.sheets[ANNA].built["fortress"] = (2,)
    with pytest.raises(NotAllowed) as refused:
        understood("red 2: fortress", state)
    assert "Fortress 2 is built already." == str(refused.value.reason)
    assert ["Fortress: columns 1, 3, 4, 5, 6 are open."] == [str(way) for way in refused.value.possible]
    state.sheets[ANNA].crossed["red"] = (2,)
    with pytest.raises(NotAllowed) as refused:
        understood("red 2: counts-palace", state)
    assert "crossed out by the black die" in str(refused.value.reason)


def test_near_words_are_suggested_and_never_executed() -> None:
    for text, near in (
        ("red 2: fortres", "red 2: fortress 2"),
        ("whit 4: knowledge", "white 4: knowledge; pay knowledge"),
        ("red 2: bishopri", "red 2 as white 2: bishopric 2"),
    ):
        with pytest.raises(NotUnderstood):
            understood(text)
        assert near in GAME.reference.repairs(table(), ANNA, text)


def test_after_the_end_and_before_the_columns_are_numbered() -> None:
    run = begin(2, numbering="expert")
    crier = GAME.waiting(run.state)[0].seat
    other = FAYE if crier == ANNA else ANNA
    with pytest.raises(NotAllowed):
        GAME.read(run.state, crier, "red 2: influence")
    with pytest.raises(TooLate) as late:
        GAME.read(run.state, other, "numbering 1 2 3 4 5 6")
    assert "numbers the columns first" in str(late.value.reason)
    assert "numbering 3 4 5 6 1 2" == GAME.read(run.state, crier, "numérotation 3 croissant").text
    run.state.phase, run.state.asked = "over", {}
    with pytest.raises(TooLate) as over:
        GAME.read(run.state, crier, "red 2: influence")
    assert "The game is over." == str(over.value.reason)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("numbering", "not complete"),
        ("numbering 5 up", "was rolled: 4"),
        ("numbering 4 5 6 1 3 2", "leftmost number is 4"),
        ("numbering 4 5 6", "leftmost number is 4"),
    ],
)
def test_the_rolled_number_stands(text: str, said: str) -> None:
    """Ruling A21."""
    run = begin(1, numbering="crier")
    run.state.first_number = 4
    with pytest.raises(OrderRefused) as refused:
        GAME.read(run.state, ANNA, text)
    assert said in str(refused.value.reason)
    assert "numbering 4 down" == GAME.read(run.state, ANNA, "numbering down").text
    assert "numbering 4 up" == GAME.read(run.state, ANNA, "numbering 4, 5, 6, 1, 2, 3").text


def test_no_word_means_two_things() -> None:
    """Orders: exact words, all languages together; in each language every meaning has one."""
    found: dict[str, tuple[str, str]] = {}
    for kind, rows in order_words.TABLE.items():
        for meaning, row in rows.items():
            assert all(row) and len(row) == 2, (kind, meaning)
            spelled = [[order_words.lookup_key(word) for word in each.split()] for each in row]
            assert all(len(each) == len(set(each)) for each in spelled), (kind, meaning)
            for word in chain(*spelled):
                assert found.setdefault(word, (kind, meaning)) == (kind, meaning), word
    assert found == order_words.WORDS
    assert not {word.replace(" ", "") for word in found} & order_words.DICE


@pytest.mark.parametrize("text", ["red thre: influence", "wite red 2 influence", "red 2 mions 1 influence"])
def test_a_slip_that_may_be_a_word_of_orders_is_none_of_those_that_say_nothing(text: str) -> None:
    """«thre» is as near to «three» as to «there»: left out, it would play another die than was meant."""
    with pytest.raises(NotUnderstood, match=r"is not understood|begins no order"):
        understood(text)


@pytest.mark.parametrize(
    "text",
    [
        *("qui prend le rouge 2 pour influence", "que fait le rouge 2 pour influence"),
        *("show me red 2: influence", "I miss red 2 influence", "though red 2: influence"),
    ],
)
def test_what_asks_misses_or_doubts_plays_nothing(text: str) -> None:
    with pytest.raises(NotUnderstood, match=r"is not understood|begins no order"):
        understood(text)


def test_nothing_that_denies_says_nothing() -> None:
    """Here no less than where letters are read."""
    assert [] == [word for word, (kind, _) in order_words.WORDS.items() if kind == "article" and denies(word)]


def test_words_are_formed_as_they_are_spelled() -> None:
    """A last letter is doubled behind a short vowel, and a g stays soft."""
    assert "grab grabbing use using draw drawing commit committing" == english_forms("grab use draw commit")
    assert {"changeant", "changeons", "changez"} <= set(french_forms("chang").split())
    assert "red 2: influence" == understood("grabbing red 2 for influence")


def test_no_seat_can_be_called_like_a_word() -> None:
    reserved = GAME.reference.reserved()
    for word in ("red", "rouge", "bonus", "fortress", "palais", "r6", "price-tile", "as", "plaza", "system"):
        assert word in reserved


@pytest.mark.parametrize(
    "text", ["red 2" + " a" * 2000, "bonus " + "yellow, " * 500, "red " * 500, ":" * 900, "r9: ;;;"]
)
def test_odd_lines_are_refused_quickly(text: str) -> None:
    with pytest.raises(OrderRefused):
        understood(text)
