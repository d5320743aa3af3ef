"""Laws over whole games with every combination of the Ladies' modules: seeded samples here, the full numbers in soak."""

from __future__ import annotations

import random
import tomllib
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from engine.chance import Blind, Derived
from engine.chronicle import Entry, entry
from engine.errors import NotAllowed, TooLate
from engine.game import Seat
from engine.troyes.actions import reactions, sealed
from engine.troyes.box import LEVELS
from engine.troyes.state import orders
from engine.troyes.state.modules import MODULES
from engine.troyes.state.places import SPACES as PLACES
from engine.troyes.state.state import Card, TroyesState
from tests.troyes.games import GAME
from tests.troyes.ladies import Table, opening, played, table_of

SAVED = Path(__file__).parent.parent / "saved"
ALL = Table(3, {"ladies": "all"})


def hold(seed: int) -> set[str]:
    """Every law over one whole random game; the kinds of orders that were given."""
    first = opening(seed)
    entries: list[Entry] = list(first.entries)
    state: Any = first.state
    kinds: set[str] = set()
    for before, seat, text, step in played(seed):
        state = step.state
        assert () == GAME.moderation.violations(state), (seed, text)
        kept = {asked["number"] for asked in before.asked}
        new = {asked["number"] for asked in state.asked} - kept
        assert all(number > before.number for number in new), "every new question has a new number"
        assert GAME.dump(GAME.fold(before, step.entries)) == GAME.dump(state), (seed, seat, text)
        entries += step.entries
        kinds.add(text.split()[0].rstrip(":"))
        if " using " in text:
            kinds.add("using")
    assert GAME.result(state) is not None
    stored = [entry(made.public(), made.secret()) for made in entries]
    assert GAME.dump(state) == GAME.dump(GAME.fold(None, stored)), "the chronicle alone rebuilds the game"
    assert GAME.dump(state) == GAME.dump(GAME.load(*GAME.dump(state)))
    return kinds


@pytest.mark.parametrize("seed", range(42))
def test_random_games_with_the_ladies_hold_the_laws(seed: int) -> None:
    """Citizens, cubes, dice, decks, limits; fold equals state; save and load; read(write(order)); every game ends."""
    hold(seed)


@pytest.mark.soak
def test_a_thousand_random_games_with_the_ladies_hold_the_laws() -> None:
    """The full number of the issue; between them every new kind of order is given."""
    kinds: set[str] = set()
    for seed in range(5000, 6000):
        kinds |= hold(seed)
    assert {"guard", "use", "react", "give", "discard", "release", "auto", "using"} <= kinds


@pytest.mark.parametrize("seed", range(700, 710))
def test_every_ladies_offer_is_accepted_and_changes_nothing_until_played(seed: int) -> None:
    """Offers are read and applied; looking leaves the state as it was; every question has offers."""
    chance = Derived(b"offers", [], "troyes-1")
    for at, (state, seat, _, _) in enumerate(played(seed, replace(ALL, players=2 + seed % 3))):
        if at % 6 and state.asked[0]["kind"] in ("turn", "settle", "counter"):
            continue
        if all(asked["seat"] != seat for asked in state.asked):
            continue
        was = GAME.dump(state)
        offers = GAME.offers(state, seat)
        texts = [offer.text for offer in offers]
        assert texts and len(set(texts)) == len(texts)
        for offer in offers:
            assert str(offer.says)
            reading = GAME.read(state, seat, offer.text)
            assert offer.text == reading.text
            GAME.apply(state, seat, reading.order, chance)
        assert was == GAME.dump(state)


def test_offers_cover_every_new_kind_of_order() -> None:
    """Guard, outdoor cubes before and in an action, reactions, sealed answers, mixed cards both ways."""
    wanted = {"guard", "use", "react", "give", "discard", ": place", ": use", " using I"}
    seen: set[str] = set()
    for seed in range(720, 740):
        if wanted <= seen:
            break
        for at, (state, seat, _, _) in enumerate(played(seed, replace(ALL, players=2 + seed % 3))):
            asked = next((asked["kind"] for asked in state.asked if asked["seat"] == seat), "")
            if asked and (at % 3 == 0 or asked not in ("turn", "settle", "counter")):
                for offer in GAME.offers(state, seat):
                    clauses = (word for word in (": place", ": use", " using I") if word in offer.text)
                    seen |= {offer.text.split()[0], *clauses}
    assert wanted <= seen


@pytest.mark.parametrize("seed", (7, 14))
def test_everything_the_generator_lists_with_the_ladies_is_accepted(seed: int) -> None:
    """The exhaustive generator, sampled by stride where it is long."""
    chance = Derived(b"every", [], "troyes-1")
    for at, (state, seat, _, _) in enumerate(played(seed, ALL)):
        if at % 31 or all(asked["seat"] != seat for asked in state.asked):
            continue
        for text in islice(GAME.reference.every(state, seat), 0, 2500, 53):
            reading = GAME.read(state, seat, text)
            assert text == reading.text
            GAME.apply(state, seat, reading.order, chance)


def middle(kind: str, seed: int = 0) -> tuple[TroyesState, Seat]:
    """A position of some game with all modules in which a decision of that kind is open."""
    for at in range(seed, seed + 40):
        for state, *_ in played(at, ALL):
            if state.asked and state.asked[0]["kind"] == kind:
                return state, Seat(state.asked[0]["seat"])
    raise AssertionError(f"no game asks {kind}")


def test_a_standing_order_may_come_from_anybody_at_any_time_and_leaves_open_questions_alone() -> None:
    """Issue, «Reactions by mail»: the question of another seat keeps its number, so that its answer is not late."""
    state, seat = middle("react")
    other = Seat(next(name for name in state.seats if name != seat))
    step = GAME.apply(state, other, GAME.read(state, other, "auto: react always").order, Blind())
    assert state.asked == step.state.asked
    assert dict.fromkeys(state.answering, "always") == step.state.reacts[other]
    assert not step.reveals
    with pytest.raises(TooLate):
        GAME.apply(state, other, GAME.read(state, other, "pass").order, Blind())


def test_a_standing_order_is_told_to_its_seat_alone() -> None:
    """Private: nothing of it, not even whose it is, stands in what others are told or in the public part of an entry."""
    state, seat = middle("react")
    other = Seat(next(name for name in state.seats if name != seat))
    step = GAME.apply(state, other, GAME.read(state, other, "auto: react never").order, Blind())
    assert {"kind": "standing"} == step.entries[0].public()
    assert () == GAME.tell(step.state, step.entries, seat) == GAME.tell(step.state, step.entries, None)
    told = [str(line.says) for line in GAME.tell(step.state, step.entries, other)]
    assert len(state.answering) == len(told)
    assert all(says.endswith(": your cubes do not react, and you are not asked.") for says in told)
    assert GAME.dump(state)[0] == GAME.dump(step.state)[0]
    assert GAME.view(state, seat) == GAME.view(step.state, seat)


def test_a_standing_order_answers_the_question_that_is_open() -> None:
    """Who is asked about a reaction and says «never» has answered."""
    state, seat = middle("react")
    step = GAME.apply(state, seat, GAME.read(state, seat, "auto: react never").order, Derived(b"", [], ""))
    assert all(asked["seat"] != seat or asked["kind"] != "react" for asked in step.state.asked)


def test_the_question_offers_each_answer_once_for_all() -> None:
    """contract: the mail that asks offers «always» as a numbered choice; taken, it answers and is kept for that tile."""
    state, seat = middle("react")
    tile = reactions.asked_tile(state.agenda[-1])
    level = LEVELS[state.outdoor(tile).level]
    texts = [offer.text for offer in GAME.offers(state, seat)]
    always = f"auto: react {level} always"
    assert sorted([f"react {level}", "react no", always, f"auto: react {level} never"]) == sorted(texts)
    step = GAME.apply(state, seat, GAME.read(state, seat, always).order, Derived(b"", [], ""))
    assert {tile: "always"} == step.state.reacts[seat]
    assert any(made.kind == "tile" and made.data["seat"] == seat and made.data["by"] == -1 for made in step.entries)


def test_no_cube_is_spent_unasked() -> None:
    """Over whole games: a cube that answers others goes by the seat's own order, or by what it has said of that tile."""
    asked = spent = 0
    for seed in range(24):
        for state, seat, text, step in played(seed, replace(ALL, players=2 + seed % 3)):
            asked += text.startswith("react ")
            said = {**state.reacts, **({seat: step.state.reacts.get(seat, {})} if text.startswith("auto") else {})}
            head: Entry | None = None
            for made in step.entries:
                head = made if made.kind == "order" else head
                if made.kind != "tile" or made.data["by"] > 0 or made.data["tile"] not in state.answering or head is None:
                    continue
                if head.data["order"]["verb"] == "react" and (made.data["seat"], "react") != (seat, text.split()[0]):
                    spent += 1
                    assert "always" == said[made.data["seat"]][made.data["tile"]]
    assert asked and spent


def test_standing_orders_need_the_ramparts() -> None:
    """Without outdoor tiles nothing reacts, and the reply says so."""
    state = opening(3, Table(3, {"ladies": "events"})).state
    with pytest.raises(NotAllowed, match="No tile"):
        GAME.apply(state, Seat("anna"), GAME.read(state, Seat("anna"), "auto: react ask").order, Blind())


@pytest.mark.parametrize("kind", ("give", "discard"))
def test_nothing_of_a_sealed_answer_is_seen_before_the_last(kind: str) -> None:
    """Contract: others see neither the answer nor whether there is one; one's own can be given anew."""
    state, seat = middle(kind)
    assert all(decision.sealed for decision in GAME.waiting(state))
    text = GAME.offers(state, seat)[0].text
    step = GAME.apply(state, seat, GAME.read(state, seat, text).order, Blind())
    others = [Seat(name) for name in state.seats if name != seat]
    if len(state.asked) > 1 and len(state.sealed) + 1 < len(state.asked):
        for other in others:
            assert GAME.view(state, other) == GAME.view(step.state, other)
            assert () == GAME.tell(step.state, step.entries, other)
        assert GAME.dump(state)[0] == GAME.dump(step.state)[0]
        assert [True] == [decision.answered for decision in GAME.waiting(step.state) if decision.seat == seat]
        again = GAME.offers(step.state, seat)[-1].text
        GAME.apply(step.state, seat, GAME.read(step.state, seat, again).order, Blind())


@pytest.mark.parametrize("kind", ("give", "discard"))
def test_a_trial_never_tells_whether_the_others_are_ready(kind: str) -> None:
    """On a redacted position a sealed decision stays open for whoever is not asked alone, whoever has answered."""
    state, seat = sealed_by_several(kind)
    order = GAME.read(state, seat, GAME.offers(state, seat)[0].text).order
    ready = state.copy()
    for other in state.asked:
        if other["seat"] != seat:
            ready.sealed[other["seat"]] = sealed.ways(state, kind, other["seat"])[0]
    assert GAME.apply(ready, seat, order, Derived(b"", [], "")).reveals, "it is the last answer"
    assert GAME.moderation.redacted(state, seat) == GAME.moderation.redacted(ready, seat)
    for known in (GAME.moderation.redacted(ready), GAME.moderation.redacted(ready, seat)):
        step = GAME.apply(known, seat, order, Blind())
        assert (["sealed"], False) == ([entry.kind for entry in step.entries], step.reveals)
        assert {seat} == set(step.state.sealed)


@pytest.mark.parametrize("kind", ("give", "discard"))
def test_a_sealed_answer_is_taken_back_whoever_has_answered_since(kind: str) -> None:
    """Else a refusal would tell who has. Others see of it what they see of an answer: nothing."""
    state, seat = sealed_by_several(kind)
    assert GAME.withdraw(state, seat) is None
    answered = GAME.apply(state, seat, GAME.read(state, seat, GAME.offers(state, seat)[0].text).order, Blind())
    back = GAME.withdraw(answered.state, seat)
    assert back is not None and not back.reveals
    assert [entry.public() for entry in answered.entries] == [entry.public() for entry in back.entries]
    assert GAME.dump(state) == GAME.dump(back.state) == GAME.dump(GAME.fold(answered.state, back.entries))
    assert GAME.waiting(state) == GAME.waiting(back.state)
    other = next(name for name in state.seats if name != seat)
    assert () == GAME.tell(back.state, back.entries, Seat(other)) == GAME.tell(back.state, back.entries, None)
    assert ["Your sealed answer is taken back; you have not answered."] == [
        str(line.says) for line in GAME.tell(back.state, back.entries, seat)
    ]


def test_what_changes_no_question_shows_in_no_entry() -> None:
    """An entry that others can read would tell that somebody has answered, or said something once for all."""
    quiet = 0
    for seed in (0, 7):
        for state, _, text, step in played(seed):
            if not (text.startswith("auto") or state.asked[0]["kind"] in ("give", "discard")):
                continue
            if step.state.asked == state.asked:
                quiet += 1
                assert [] == [entry for entry in step.entries if entry.data], text
                assert GAME.dump(step.state) == GAME.dump(GAME.fold(state, step.entries))
    assert quiet > 5


def test_a_list_for_later_placements_shows_in_no_entry() -> None:
    """What the table reads of the entries is the same with such a list and without, to the end of the placement."""
    found: list[list[dict[str, Any]]] = []
    for planned in (False, True):
        state, entries = opening(1, Table(3, {"ladies": "none"})).state, []
        while state.asked and state.asked[0]["kind"] == "settle":
            seat, free = Seat(state.asked[0]["seat"]), list(map(str, state.free_spaces()))
            # The places wished for are taken by then, so that the list never answers.
            wished = [str(place) for place in PLACES if str(place) not in free][:2] if planned else []
            words = ", ".join(place.replace("_", "-") for place in (free[0], *wished))
            step = GAME.apply(state, seat, GAME.read(state, seat, f"settle {words}").order, Derived(b"", [], ""))
            state, entries = step.state, [*entries, *step.entries]
        assert planned == any(entry.only.get(seat, {}).get("places") for entry in entries for seat in state.seats)
        assert {} == state.wishes
        found.append([entry.public() for entry in entries])
    assert found[0] == found[1]


def sealed_by_several(kind: str) -> tuple[TroyesState, Seat]:
    """A position with a sealed decision that nobody has answered yet, and one of those who are asked."""
    for seed in range(40):
        for state, *_ in played(seed, ALL):
            if len(state.asked) > 1 and state.asked[0]["kind"] == kind and not state.sealed:
                return state, Seat(state.asked[0]["seat"])
    raise AssertionError("no game came there")


def test_cubes_of_a_mixed_card_are_used_with_an_empty_purse() -> None:
    """The generator: the price of a mixed card is one of placing its cubes, never of using them."""
    state = next(state for state, seat, *_ in played(3, ALL) if ("turn", seat) == (state.asked[0]["kind"], "anna")).copy()
    state.cards[0] = Card("breeder", ["anna", ""], cubes={"anna": 2})
    state.houses["anna"].deniers, state.dice["anna"] = 0, ["Y4"]
    found = [text for text in GAME.reference.every(state, Seat("anna")) if text.startswith("activate breeder with Y4:")]
    assert ["activate breeder with Y4: use 2", "activate breeder with Y4: use 1"] == found


def test_who_is_called_like_a_small_word_can_be_named() -> None:
    """Possession: the citizen of somebody called Le is freed as the option says it."""
    seats = {Seat("anna"): "Anna", Seat("le"): "Le"}
    state = GAME.start(seats, GAME.settle_options(2, ALL.options), Derived(b"names", [], "troyes-1")).state
    for line in ("release le", "release the Anna"):
        order = GAME.read(state, Seat("anna"), line).order
        assert orders.Release(line.split()[-1].lower()) == order


def test_what_only_standing_orders_differ_in_is_not_seen() -> None:
    """No leak: two positions that differ only in what others have said about reacting look and read the same."""
    rng = random.Random(1)
    for state, seat, _, step in islice(played(3, ALL), 30, 200, 5):
        other = step.state.copy()
        for opponent in state.others(seat):
            other.reacts[opponent] = dict.fromkeys(state.answering, rng.choice(("always", "never")))
        assert GAME.view(step.state, seat) == GAME.view(other, seat)
        assert GAME.offers(step.state, seat) == GAME.offers(other, seat)
        assert GAME.dump(step.state)[0] == GAME.dump(other)[0]


def test_a_base_game_is_stored_as_it_always_was() -> None:
    """A position saved before the Ladies came: it loads, goes on, and is written with the same tables."""
    saved = tomllib.loads((SAVED / "troyes_schema_1_base.toml").read_text(encoding="utf-8"))
    state = GAME.load(saved["public"], saved["secret"])
    assert () == GAME.moderation.violations(state)
    public, secret = GAME.dump(state)
    assert saved == {"public": public, "secret": secret}
    seat = GAME.waiting(state)[0].seat
    for offer in GAME.offers(state, seat):
        GAME.apply(state, seat, GAME.read(state, seat, offer.text).order, Derived(b"saved", [], "troyes-1"))


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
    """Issue: each module on its own and in any combination."""
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


def test_the_planted_break_of_the_ramparts_is_seen() -> None:
    """The laws are no decoration: a cube beyond a gate, a guard past the last space, a second purple die."""
    state = opening(0, ALL).state.copy()
    assert () == GAME.moderation.violations(state)
    state.tiles[2].cubes["anna"] = 1
    assert any("the guard stands on 0" in law for law in GAME.moderation.violations(state))
    state.tiles[2].cubes.clear()
    state.houses["faye"].guard = 20
    assert any("arrived are none" in law for law in GAME.moderation.violations(state))
    state.houses["faye"].guard = 0
    state.dice["anna"] = ["P5", "P2"]
    assert any("2 purple dice" in law for law in GAME.moderation.violations(state))
