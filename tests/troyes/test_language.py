"""The order language: what players type, what is assumed, and how it is refused."""

from __future__ import annotations

from typing import Any

import pytest

from engine.chance import BlindChance
from engine.errors import NotAllowed, NotUnderstood, OrderRefused, Unclear
from engine.game import Seat, find_game
from engine.troyes.board import possession
from engine.troyes.board.phrases import typed_place
from engine.troyes.cases import lay_out_table
from engine.troyes.notation import order_words
from engine.troyes.state import orders
from engine.troyes.state.troyes_state import OpenQuestion, TroyesState
from pbem.outbound.translation import language_catalogue

GAME = find_game("troyes")
ANNA = Seat("anna")


def table(**position: Any) -> TroyesState:
    """Anna's turn at a table of three, with what a rule position would lay."""
    facts = {"players": 3, "deniers": 10, "influence": 6, "supply": 2, "reserve": 2, "action": []}
    state = lay_out_table({"position": position}, facts)
    state.agenda = [{"step": "course", "next": "end of round"}, {"step": "turns", "seat": "anna"}]
    state.asked = [OpenQuestion("anna", "turn", 1)]
    return state


SQUARE = {"anna": ["Y5", "Y4", "W2", "R4"], "faye": ["Y2", "W6"], "geoffrey": ["Y5", "R2"], "gray": ["R2", "R2"]}
CARDS = [
    {"id": "merchant", "spaces": ["anna", ""]},
    {"id": "priest", "spaces": ["", ""], "cubes": {"anna": 2}},
    {"id": "archer", "spaces": ["faye", ""]},
    {"id": "miller", "spaces": ["anna", ""]},
]
EVENTS = [{"id": "marauding"}, {"id": "brigands"}, {"id": "war"}, {"id": "brigands"}, {"id": "drought"}]


@pytest.fixture
def state() -> TroyesState:
    return table(dice=SQUARE, cards=CARDS, events=EVENTS, palace=["anna", "", "", "anna", "", ""])


SAME: tuple[tuple[str, str], ...] = (
    ("activate merchant with Y5 Y4", "activate merchant with Y5 Y4"),
    ("ACTIVATE Merchant with y5, y4.", "activate merchant with Y5 Y4"),
    ("activer marchand avec J5 et J4", "activate merchant with Y5 Y4"),
    ("activate merchant Y5 Y4 geoffrey:Y5", "activate merchant with Y5 Y4 geoffrey:Y5"),
    ("activate merchant with Y5 Y4 Geoffrey : Y5", "activate merchant with Y5 Y4 geoffrey:Y5"),
    ("activate merchant 2 times with Y5 Y4", "activate merchant 2 times with Y5 Y4"),
    ("activate merchant twice with Y5 Y4", "activate merchant 2 times with Y5 Y4"),
    ("activate merchant once with Y5", "activate merchant once with Y5"),
    ("activate merchant 4 times with Y5 Y4", "activate merchant with Y5 Y4"),
    ("activate archer hiring from supply with R4", "activate archer hiring from supply with R4"),
    ("activate archer hiring with R4", "activate archer hiring from supply with R4"),
    ("activate archer hiring from palace 4 with R4: war, war", "activate archer hiring from palace 4 with R4: war, war"),
    ("activate archer with R4 hiring from palace 4 : war, war", "activate archer hiring from palace 4 with R4: war, war"),
    ("activate miller with Y5 Y4: palace, bishopric", "activate miller with Y5 Y4: palace, bishopric"),
    ("activer meunier avec J5 J4 : palais, évêché", "activate miller with Y5 Y4: palace, bishopric"),
    ("farm Y5 Y4 using priest", "farm Y5 Y4 using priest"),
    ("farm Y4 faye:Y2", "farm Y4 faye:Y2"),
    ("build with W2", "build with W2"),
    ("construire avec B2 faye:B6", "build with W2 faye:W6"),
    ("fight war with R4", "fight war with R4"),
    ("fight war with R4 gray:R2", "fight war with R4 gray:R2"),
    ("combattre guerre avec R4 gris:R2", "fight war with R4 gray:R2"),
    ("fight war 1 cube with R4 gray:R2", "fight war 1 cube with R4 gray:R2"),
    ("fight event-3 with R4", "fight war with R4"),
    ("fight event-2 with R4", "fight event-2 with R4"),
    ("fight sécheresse with Y5", "fight drought with Y5"),
    ("place R4 from supply", "place R4 from supply"),
    ("place R4", "place R4 from supply"),
    ("place gray:R2 from palace 1", "place gray:R2 from palace 1"),
    ("place W2 from merchant", "place W2 from merchant"),
    ("reroll W2", "reroll W2"),
    ("relancer B2", "reroll W2"),
    ("flip Y5 W2", "flip Y5 W2"),
    ("recruit 2", "recruit 2"),
    ("recruit", "recruit 1"),
    ("pass", "pass"),
    ("passe", "pass"),
)


@pytest.mark.parametrize(("typed", "canonical"), SAME, ids=[typed for typed, _ in SAME])
def test_orders_are_read_as_people_type_them(state: TroyesState, typed: str, canonical: str) -> None:
    """Fewest words, both languages, any case; and what is written is read back as the same order."""
    reading = GAME.read(state, ANNA, typed)
    assert canonical == reading.text
    assert reading.order == GAME.read(state, ANNA, canonical).order


def test_what_is_filled_in_is_said(state: TroyesState) -> None:
    """Supply, as often as the dice allow, and the dearest space are assumed, and echoed."""
    reading = GAME.read(state, ANNA, "activate archer hiring with R4")
    assert ["from supply", "2 times, as often as the dice allow", "the space worth 2 VP"] == [
        str(msg) for msg in reading.assumed
    ]
    said_all = GAME.read(state, ANNA, "activate merchant 4 times with Y5 Y4")
    assert () == said_all.assumed


REFUSED: tuple[tuple[str, type[OrderRefused], str], ...] = (
    ("activate baker with Y5", NotAllowed, "Baker is not in play now; in play are Merchant, Priest, Archer, Miller."),
    ("activate merchant with Y6", NotAllowed, "You have no Y6 left; your dice are Y5 Y4 W2 R4."),
    ("activate merchant with Y2", NotAllowed, "You have no Y2 left; your dice are Y5 Y4 W2 R4."),
    ("activate merchant with faye:Y6", NotAllowed, "Faye has no Y6 on the square; the dice there are Y2 W6."),
    ("activate merchant with Y5 Y5", NotAllowed, "You have only 1 Y5, and named 2."),
    ("activate merchant with W2", NotAllowed, "Merchant needs yellow dice; W2 count as white."),
    ("activate merchant with Y5 R4", NotAllowed, "All dice of a group have one colour; Y5 R4 are yellow, red."),
    ("activate archer with R4", NotAllowed, "You have no tradesman on Archer; hiring one costs 6 deniers and must be said."),
    ("activate merchant hiring with Y5", NotAllowed, "You have a tradesman on Merchant already: leave «hiring» out."),
    ("activate merchant 9 times with Y5 Y4", NotAllowed, "9 divided by 2 allows 4 activations, at least one; you asked for 9."),
    ("farm Y5 using merchant", NotAllowed, "Merchant works at once: it keeps no cubes to use."),
    ("farm Y5 using priest on Y4", NotUnderstood, "«on» is not understood in «farm Y5 using priest on Y4»."),
    ("build with W2 using priest", NotAllowed, "Priest needs yellow dice and nothing else; W2 would not be changed by it."),
    ("fight heresy with W2", NotAllowed, "Heresy is not in the queue; there are: marauding, event-2, war, event-4, drought."),
    ("flip faye:Y2", NotAllowed, "faye:Y2 is not yours: only dice of your own district serve here."),
    ("reroll Y6", NotAllowed, "You have no Y6 in your district; your dice are Y5 Y4 W2 R4. Only your own dice can be turned."),
    ("flip Y5 Y4 W2 R4", NotAllowed, "One payment turns 1 to 3 dice; you named 4."),
    ("recruit 3", NotAllowed, "Of your 12 citizens 2 are still in the general supply; you asked for 3."),
    ("place Y5 Y4", NotAllowed, "Exactly one die places a citizen; you named 2."),
    ("place R4 from palace 2", NotAllowed, "You have no citizen at palace 2."),
    ("counter 6 with R4", NotAllowed, "That does not answer what you are asked: Act once, or pass."),
    ("combattre guerre avec le rouge 4 gris R2", Unclear, "These words have more than one meaning here."),
    ("combattre guerre avec le rouge 4 gris rouge deux", Unclear, "These words have more than one meaning here."),
    ("fight brigands with R4", Unclear, "«brigands» stands in the queue 2 times."),
    ("activate miller with Y5 Y4: palace", Unclear, "Miller: 2 activations need 2 choices after the colon; you named 1."),
    ("", NotUnderstood, "There is no order in «»."),
    ("activte merchant with Y5", NotUnderstood, "«activte» begins no order."),
    ("J'étudie merchant with Y5", NotUnderstood, "«j'étudie» begins no order."),
    ("hire merchant with my best dice", NotUnderstood, "«best» is not understood in «hire merchant with my best dice»."),
    ("activate merchnt with Y5", NotUnderstood, "«merchnt» is not understood in «activate merchnt with Y5»."),
    ("activate merchant with Y5 perhaps", NotUnderstood, "«perhaps» is not understood in «activate merchant with Y5 perhaps»."),
    ("farm bob:Y5", NotUnderstood, "No district is called bob; there are anna, faye, geoffrey, gray."),
    ("activate merchant", NotUnderstood, "Name the dice, such as «activate … with Y5 Y4»."),
    ("activate merchant with Y5:", NotUnderstood, "Nothing stands after the colon."),
)


@pytest.mark.parametrize(("line", "kind", "said"), REFUSED, ids=[line or "empty" for line, _, _ in REFUSED])
def test_refusals_say_what_is_in_the_way(state: TroyesState, line: str, kind: type[OrderRefused], said: str) -> None:
    """One class each, with the numbers; and nothing has changed."""
    was = GAME.dump(state)
    with pytest.raises(OrderRefused) as refusal:
        GAME.apply(state, ANNA, GAME.read(state, ANNA, line).order, None)  # type: ignore[arg-type]
    assert isinstance(refusal.value, kind) and kind.word == refusal.value.word
    assert said == str(refusal.value.reason)
    assert was == GAME.dump(state)


def test_too_expensive_is_said_with_price_size_and_purse() -> None:
    """The price of a die depends on the size of the group."""
    state = table(dice=SQUARE, cards=CARDS, deniers={"anna": 5})
    reading = GAME.read(state, ANNA, "activate merchant with Y5 Y4 geoffrey:Y5")
    with pytest.raises(NotAllowed) as refusal:
        GAME.apply(state, ANNA, reading.order, None)  # type: ignore[arg-type]
    assert "Bought dice cost 6 deniers each in a group of 3, 6 to Geoffrey; you have 5." == str(refusal.value.reason)


def test_a_near_word_is_suggested_never_executed(state: TroyesState) -> None:
    """Prefix matching and autocorrect are dangerous; say the order instead."""
    for line, order in {
        "activte merchant with Y5": "activate merchant with Y5",
        "activate merchnt with Y5": "activate merchant with Y5",
        "farm Y5 using prist": "farm Y5 using priest",
    }.items():
        with pytest.raises(NotUnderstood):
            GAME.read(state, ANNA, line)
        assert order == next(iter(GAME.reference.repairs(state, ANNA, line)), ""), line


def test_both_readings_are_shown(state: TroyesState) -> None:
    """Two copies in the queue: neither is chosen, both are named."""
    with pytest.raises(Unclear) as refusal:
        GAME.read(state, ANNA, "fight brigands with R4")
    assert ["event-2", "event-4"] == [str(msg) for msg in refusal.value.possible]


@pytest.mark.parametrize("line", ["place R4", "activate archer hiring with R4"])
def test_with_no_citizen_in_hand_nobody_is_moved_unnamed(line: str) -> None:
    """From the supply if somebody is there, else the place must be named, be there only one."""
    state = table(dice=SQUARE, cards=CARDS[2:3], events=EVENTS, palace=["anna", "", "", "", "", ""], supply=0)
    with pytest.raises(Unclear) as refusal:
        GAME.read(state, ANNA, line)
    assert "You have no citizen in hand: say where the citizen comes from, or recruit one first." == str(refusal.value.reason)
    assert ["palace 1"] == [str(msg).partition("from ")[2] for msg in refusal.value.possible]


def test_where_a_citizen_may_come_from_is_told_in_words_that_are_read_as_orders_are_written() -> None:
    """Each place in each language: a space, who lies, a card, one who is hired."""
    state = table(dice=SQUARE, cards=CARDS, events=EVENTS, palace=["anna", "", "", "", "", ""], supply=0)
    state.lying["bishopric"] = ["anna"]
    state.agenda.append({"step": "sealed", "event": "possession"})
    for place in (*possession.citizen_sources(state, ANNA), "city_hall 3.1", "supply"):
        order = orders.Give(place)
        for language in ("en", "fr"):
            verb = GAME.write(state, ANNA, orders.Give("supply"), language).split()[0]
            assert f"{verb} {language_catalogue(language).render(typed_place(place))}" == GAME.write(state, ANNA, order, language)


@pytest.mark.parametrize(("line", "possible"), [
    ("activer archer engageant de palais 4 avec R4", ["de palais 1", "de palais couché", "de marchand", "de meunier"]),
    ("placer R4 de réserve", ["de palais 1", "de palais couché", "de marchand", "de meunier"]),
    ("placer R4 de palais", ["de palais 1", "de palais couché"]),
    ("activer archer avec R4 engageant", [
        f"engageant de {place}" for place in ("palais 1", "palais couché", "marchand", "meunier")
    ]),
    ("construire avec B2 utilisant moine", ["utilisant prêtre"]),
])  # fmt: skip
def test_a_french_refusal_speaks_of_places_and_cards_in_french(line: str, possible: list[str]) -> None:
    """What would work is told as it may be typed there."""
    cards = [*CARDS, {"id": "monk", "spaces": ["", ""], "cubes": {}}]
    state = table(dice=SQUARE, cards=cards, events=EVENTS, palace=["anna", "", "", "", "", ""], supply=0)
    state.lying["palace"] = ["anna"]
    with pytest.raises(OrderRefused) as refusal:
        GAME.apply(state, ANNA, GAME.read(state, ANNA, line).order, BlindChance())
    assert possible == [language_catalogue("fr").render(way) for way in refusal.value.possible]


def test_no_word_means_two_things() -> None:
    """Verbs and clauses, English and French together, are exact and disjoint where they could meet."""
    assert set(order_words.VERBS) & set(order_words.CLAUSES) <= {"place", "liberer", "auto"}
    assert not set(order_words.VERBS) & order_words.NOISE
    assert not set(order_words.CLAUSES) & order_words.NOISE
    assert not set(order_words.VERBS) & order_words.DISTRICTS


def test_every_decision_has_its_words() -> None:
    """A decision kind without a row in the project's table is a defect; each kind has a verb and a question."""
    from engine.troyes.options.offers import LISTS
    from engine.troyes.phases import game_flow

    assert set(game_flow.ANSWERS) == set(LISTS)
    for kind, answers in game_flow.ANSWERS.items():
        assert str(game_flow.question_kind(kind))
        assert answers
    answered = {order for answers in game_flow.ANSWERS.values() for order in answers}
    assert set(orders.Order.__args__) == answered | set(orders.ANYTIME)


def test_influence_and_then_a_pass_looks_like_a_slip(state: TroyesState) -> None:
    """Refused as a likely mistake, unless something was shown in between."""
    flip, recruit = orders.Flip(("W2",)), orders.Recruit(1)
    assert GAME.suspicious(state, ANNA, [flip, orders.Pass()]) is not None
    assert GAME.suspicious(state, ANNA, [recruit, orders.Pass()]) is not None
    assert GAME.suspicious(state, ANNA, [orders.Pass()]) is None
