"""Orders of the Ladies: what players type, what is assumed, and how it is refused."""

from __future__ import annotations

import pytest

from engine.chance import SeededChance
from engine.errors import NotAllowed, NotUnderstood, OrderRefused, Unclear
from engine.game import Seat, find_game
from engine.troyes.cases import lay_out_table
from engine.troyes.state import orders
from engine.troyes.state.troyes_state import OpenQuestion, TroyesState
from tests.troyes.ladies import ALL

GAME = find_game("troyes")
ANNA = Seat("anna")

POSITION = {
    "dice": {
        "anna": ["Y6", "Y5", "Y1", "W5", "W2", "W1", "R6", "R4", "P4"],
        "faye": ["Y6", "R3"],
        "geoffrey": ["Y5", "Y2"],
        "gray": ["R2"],
    },
    "cards": [
        {"id": "lumberjack", "spaces": ["anna", ""], "cubes": {"anna": 3}},
        {"id": "landlady", "spaces": ["anna", ""]},
        {"id": "master_builder", "spaces": ["anna", ""]},
        {"id": "executioner", "spaces": ["anna", ""]},
        {"id": "scout", "spaces": ["anna", ""]},
        {"id": "catapult", "spaces": ["anna", ""], "cubes": {"anna": 2}},
        {"id": "distiller", "spaces": ["", ""], "cubes": {"anna": 1}},
        {"id": "preacher", "spaces": ["", ""], "cubes": {"anna": 1}},
        {"id": "viticulturist", "spaces": ["", ""], "cubes": {"anna": 1}},
        {"id": "priest", "spaces": ["", ""], "cubes": {"anna": 1}},
    ],
    "events": [{"id": "marauding"}, {"id": "brigands"}, {"id": "war"}],
    "guards": {"anna": 15},
    "outdoor": [
        {"id": "deniers_on_agriculture", "cubes": {"anna": 1}},
        {"id": "exchange_dice", "cubes": {"anna": 1}},
        {"id": "reroll_red", "cubes": {"anna": 1}},
        {"id": "vp_on_cube"},
    ],
}


@pytest.fixture
def state() -> TroyesState:
    facts = {"game": "ladies", "players": 3, "deniers": 20, "influence": 6, "supply": 2, "reserve": 2, "action": []}
    found = lay_out_table({"position": POSITION}, facts)
    found.agenda = [{"step": "course", "next": "end of round"}, {"step": "turns", "seat": "anna"}]
    found.asked = [OpenQuestion("anna", "turn", 1)]
    return found


SAME: tuple[tuple[str, str], ...] = (
    ("guard Y5 +1: advance 3, cube I, cube II", "guard Y5 +1: advance 3, cube I, cube II"),
    ("garde J5 +1 : avancer 3, cube I", "guard Y5 +1: advance 3, cube I"),
    ("guard faye:R3: cube exchange, advance 1", "guard faye:R3: advance 1, cube II"),
    ("use III", "use III"),
    ("use red die", "use III"),
    ("utiliser dé rouge", "use III"),
    ("farm Y6 Y1 using priest using I", "farm Y6 Y1 using priest using I"),
    ("farm Y6 using I using priest with Y1", "farm Y6 Y1 using priest using I"),
    ("farm Y6 Y5 using exchange: Y1 for faye:Y6", "farm Y6 Y5 using II: Y1 for faye:Y6"),
    (
        "farm Y6 Y5 using exchange: Y1 for faye:Y6, W1 for geoffrey:Y5 using harvest",
        "farm Y6 Y5 using I using II: Y1 for faye:Y6, W1 for geoffrey:Y5",
    ),
    ("build with W5 W1 W2 using preacher: W5", "build with W5 W1 W2 using preacher: W5"),
    ("fight war with R4 using distiller: R4", "fight war with R4 using distiller: R4"),
    ("fight war with R4 using distiller", "fight war with R4 using distiller: R4"),
    ("farm Y6 faye:Y6 using viticulturist", "farm Y6 faye:Y6 using viticulturist: faye:Y6"),
    ("activate lumberjack with Y5 Y1: place", "activate lumberjack with Y5 Y1: place"),
    ("activate lumberjack with Y5 Y1: place 2", "activate lumberjack with Y5 Y1: place 2"),
    ("activer bûcheron avec J5 J1 : utiliser 2", "activate lumberjack with Y5 Y1: use 2"),
    ("activate lumberjack 2 times with Y5 Y1: use", "activate lumberjack with Y5 Y1: use 2"),
    ("activate lumberjack with Y5 using priest: use 3", "activate lumberjack with Y5 using priest: use 3"),
    ("activate landlady with Y6: influence, vp", "activate landlady with Y6: influence, vp"),
    ("activate landlady with Y6: pv, influence", "activate landlady with Y6: vp, influence"),
    ("activate master-builder with W5: 6", "activate master-builder with W5: 6"),
    ("activate executioner with R6: Faye, geoffrey", "activate executioner with R6: faye, geoffrey"),
    ("activate scout with R6 R4: marauding, war", "activate scout with R6 R4: marauding, war"),
    ("activate scout once with R6 R4: nothing", "activate scout with R6 R4: nothing"),
    ("activate catapult with R6: use 2, brigands, war", "activate catapult with R6: use 2, brigands, war"),
    ("farm P4", "farm P4"),
    ("farm M4", "farm P4"),
    ("place P4 as W from supply", "place P4 as W from supply"),
    ("placer M4 comme blanc", "place P4 as W from supply"),
    ("PLACE THE PURPLE FOUR AS W FROM SUPPLY", "place P4 as W from supply"),
    ("placer le quatre mauve comme B depuis la réserve", "place P4 as W from supply"),
    ("auto: react ask", "auto: react ask"),
    ("auto: react I always", "auto: react I always"),
    ("auto react III never", "auto: react III never"),
    ("auto : réagir I toujours", "auto: react I always"),
    ("auto react never", "auto: react never"),
    ("react I", "react I"),
    ("react no", "react no"),
    ("réagir non", "react no"),
    ("give supply", "give supply"),
    ("give recruit", "give recruit"),
    ("discard distiller", "discard distiller"),
    ("discard III", "discard III"),
    ("release Faye", "release faye"),
)


@pytest.mark.parametrize(("typed", "canonical"), SAME, ids=lambda text: str(text)[:40])
def test_ladies_orders_are_read_as_people_type_them(state: TroyesState, typed: str, canonical: str) -> None:
    """Fewest words, both languages; and what is written is read back as the same order."""
    reading = GAME.read(state, ANNA, typed)
    assert canonical == reading.text
    assert reading.order == GAME.read(state, ANNA, canonical).order


REFUSED: tuple[tuple[str, type[OrderRefused], str], ...] = (
    ("guard Y5: hop 3", NotUnderstood, "The guard does «advance 3» or «cube II», not «hop 3»."),
    ("guard Y5 +3: advance 5", NotAllowed, "The die counts 5 and can be boosted to 6 at most."),
    ("guard Y5: advance 6", NotAllowed, "That takes 6 points; the die gives 5."),
    ("guard R4: cube III", NotAllowed, "A cube comes on Red Die only with a die of another colour."),
    ("guard Y5: cube IV", NotAllowed, "Your guard on 15 has not reached the gate of level IV, on 20."),
    ("guard Y5 using priest: advance 1", NotAllowed, "No cube of a card helps the guard; pips can be bought: «guard Y4 +2»."),
    ("use I", NotAllowed, "Harvest is used in an action: «… using I»."),
    ("use turnover", NotAllowed, "Turnover is not in play; outdoor tiles in play: Harvest, Exchange, Red Die, Renown."),
    ("farm Y6 using IV", NotAllowed, "You have no cube on Renown."),
    ("farm Y6 using exchange", Unclear, "Say which dice are exchanged: «using exchange: Y1 for faye:Y6»."),
    ("farm Y6 using exchange: Y1 for Y5", NotUnderstood, "An exchange is written «Y1 for faye:Y6», your own die first."),
    ("farm Y6 using lumberjack", NotAllowed, "Lumberjack is used when it is activated: «: use 2»."),
    ("farm Y6 Y5 using distiller", Unclear, "Distiller: say which die, after a colon."),
    ("farm Y6 using windmill", NotUnderstood, "«windmill» is not understood in «farm Y6 using windmill»."),
    ("activate lumberjack with Y5", Unclear, "Lumberjack: say whether cubes are placed or used; you have 3 there."),
    ("activate lumberjack with Y6 Y5: use 5", NotAllowed, "You have 3 cubes on Lumberjack; you use 5."),
    ("activate master-builder with W5: 9", NotAllowed, "Columns are 1 to 6."),
    ("activate executioner with R6: bob, faye", NotUnderstood, "Nobody here is called bob; there are anna, faye, geoffrey."),
    ("activate scout with R6 R4", Unclear, "Scout: name the events that you pay a cube for, or «: nothing»."),
    ("place P4", Unclear, "P4 takes the colour you choose: say which."),
    ("place P4 as X", NotUnderstood, "A purple die counts as Y, W or R: «P4 as W»."),
    ("react I", NotAllowed, "That does not answer what you are asked: Act once, or pass."),
    ("auto: react perhaps", NotUnderstood, "A standing order about reactions is «auto: react I always», «never» or «ask»; without a tile for all."),
)


@pytest.mark.parametrize(("line", "kind", "said"), REFUSED, ids=[line for line, _, _ in REFUSED])
def test_ladies_refusals_say_what_is_in_the_way(state: TroyesState, line: str, kind: type[OrderRefused], said: str) -> None:
    """One class each, with the numbers; and nothing has changed."""
    was = GAME.dump(state)
    with pytest.raises(OrderRefused) as refusal:
        GAME.apply(state, ANNA, GAME.read(state, ANNA, line).order, None)  # type: ignore[arg-type]
    assert (kind.word, said) == (refusal.value.word, str(refusal.value.reason))
    assert was == GAME.dump(state)


def test_what_a_cube_works_on_is_filled_in_and_said(state: TroyesState) -> None:
    """Assumed where one reading is left, and echoed."""
    assumed = GAME.read(state, ANNA, "farm Y6 faye:Y6 using viticulturist").assumed
    assert ["on faye:Y6"] == [str(msg) for msg in assumed]


def test_only_a_standing_order_may_be_given_at_any_time(state: TroyesState) -> None:
    assert GAME.read(state, Seat("faye"), "auto: react ask").anytime
    assert not GAME.read(state, ANNA, "pass").anytime


def test_who_is_called_like_a_small_word_can_be_named() -> None:
    """Possession: the citizen of somebody called Le is freed as the option says it."""
    seats = {ANNA: "Anna", Seat("le"): "Le"}
    state = GAME.start(seats, GAME.settle_options(2, ALL.options), SeededChance(b"names", [], "troyes-1")).state
    for line in ("release le", "release the Anna"):
        order = GAME.read(state, ANNA, line).order
        assert orders.Release(line.split()[-1].lower()) == order
