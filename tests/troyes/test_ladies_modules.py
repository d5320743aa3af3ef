"""The Ladies' modules and variants: each brings its own, which go together, and a game without them keeps nothing."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from engine.chance import SeededChance
from engine.errors import NotAllowed
from engine.troyes.state.ladies_modules import MODULES
from tests.troyes.games import GAME
from tests.troyes.ladies import Table, opening, played, table_of

SAVED = Path(__file__).parent.parent / "saved"


def test_a_base_game_is_stored_as_it_always_was() -> None:
    """A position saved before the Ladies came: it loads, goes on, and is written with the same tables."""
    saved = tomllib.loads((SAVED / "troyes_schema_1_base.toml").read_text(encoding="utf-8"))
    state = GAME.load(saved["public"], saved["secret"])
    assert () == GAME.moderation.violations(state)
    public, secret = GAME.dump(state)
    assert saved == {"public": public, "secret": secret}
    seat = GAME.waiting(state)[0].seat
    for offer in GAME.offers(state, seat):
        GAME.apply(state, seat, GAME.read(state, seat, offer.text).order, SeededChance(b"saved", [], "troyes-1"))


def test_a_game_without_the_ladies_keeps_nothing_of_theirs() -> None:
    """No key of the Ladies in the tables or entries of a base game."""
    step = opening(1, Table(3, {"ladies": "none"}))
    public, secret = GAME.dump(step.state)
    for word in ("tiles", "arrived", "open_characters", "reacts", "sealed"):
        assert word not in public and word not in secret
    assert "outdoor" not in public["box"] and "gates" not in public["box"]["board"]
    assert "herbalist" not in public["box"]["activities"] and "uprising" not in public["box"]["events"]
    assert not {"tiles", "open_characters"} & set(step.entries[0].data)


def test_each_module_brings_its_own_and_no_other() -> None:
    """Each module on its own and in any combination."""
    for module in MODULES:
        state = opening(2, Table(3, {"ladies": module})).state
        assert (module == "characters") == ("jeanne_de_champagne" in state.box.characters)
        assert (module == "activities") == ("herbalist" in state.box.activities)
        assert (module == "events") == ("uprising" in state.box.events)
        assert (module == "events") == (state.all_neutrals == 10)
        assert (module == "ramparts") == (len(state.tiles) == 4)
        assert "reroll_purple" not in [tile.id for tile in state.tiles]


def test_activities_alone_leave_the_base_cards_in_the_box() -> None:
    for seed in range(8):
        state = opening(seed, Table(2, {"ladies": "activities", "activities": "alone"})).state
        assert {"ladies"} == {state.activity(id).set for id in state.decks["activities"]}


def test_the_open_character_is_seen_and_scored_by_all() -> None:
    """A72."""
    table = Table(3, {"ladies": "characters", "open-character": "yes"})
    state = opening(4, table).state
    (open_,) = state.open_characters
    assert open_ not in {id for held in state.characters.values() for id in held}
    assert 1 == len(GAME.view(state, None).open_characters)
    last = [step.state for *_, step in played(4, table)][-1]
    assert all(open_ in parts for parts in last.scores.values())


@pytest.mark.parametrize(
    ("players", "chosen", "said"),
    [
        (3, {"ladies": "dragons"}, "ladies is a list of"),
        (3, {"ladies": "none,head"}, "ladies is a list of"),
        (3, {"activities": "alone"}, "needs the Ladies' activities"),
        (3, {"open-character": "yes"}, "variant of the Ladies' characters"),
        (2, {"tournament": "yes"}, "for 3 or 4 players"),
        (1, {"ladies": "all"}, "for 2 to 4 players"),
    ],
)
def test_options_that_do_not_go_together_are_refused(players: int, chosen: dict[str, str], said: str) -> None:
    with pytest.raises(NotAllowed) as refused:
        GAME.settle_options(players, chosen)
    assert said in str(refused.value.reason)


def test_modules_are_written_in_one_way() -> None:
    assert "head,ramparts" == GAME.settle_options(2, {"ladies": "ramparts, head"})["ladies"]
    assert "all" == GAME.settle_options(2, {"ladies": ",".join(MODULES)})["ladies"]
    assert "none" == GAME.settle_options(2, {})["ladies"]
    assert {table_of(seed).options["ladies"] for seed in range(42)} >= {"none"} | {",".join(MODULES)}
