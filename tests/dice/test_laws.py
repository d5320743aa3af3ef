"""Laws over whole random games: a few in a normal run, 2,000 in `make soak`."""

from __future__ import annotations

import random
import tomllib
from collections import Counter

import pytest
import tomli_w

from engine.errors import NotAllowed, PositionError
from engine.event_log import LogEntry
from engine.event_log import read_log_entry as read_entry
from engine.troyes_dice.card_data import load_box
from engine.troyes_dice.card_data.sheet import RESOURCES
from engine.troyes_dice.events import Acts, DicePlay, SheetChange
from tests.dice.games import ANNA, FAYE, GAME, Run, begin, options_of, sample, steps


def recount(entries: list[LogEntry], seat: str) -> dict[str, int]:
    """A seat's score from its entries alone, by other code than the game's: sums and the rulebook's lists."""
    counts: dict[str, list[int]] = {"influence": [3, 0], "denier": [3, 0], "knowledge": [3, 0]}
    citizens, rows, cathedrals = 0, Counter[str](), []
    for entry in entries:
        data = entry.data
        if data.get("seat") != seat:
            continue
        if entry.kind == "circles":
            counts[data["resource"]][0] += data["by"]
        elif entry.kind == "spends":
            for resource in counts:
                counts[resource][1] += data.get(resource, 0)
        elif entry.kind == "citizens":
            citizens += data["by"]
        elif entry.kind == "builds":
            rows[data["row"]] += 1
            if data["row"] == "cathedral":
                cathedrals.append(data["column"])
    scores = ["fortress", "counts_palace", "great_hall", "city_hall", "cathedral", "bishopric"]
    times = [1, 1, 2, 2, 3, 3]
    characters = sum(times[at] * rows[scores[column - 1]] for at, column in enumerate(cathedrals))
    return {
        "characters": characters,
        "resources": sum((circled - spent) // 2 for circled, spent in counts.values()),
        "citizens": citizens,
    }


def check_whole_game(seed: int) -> None:
    """Everything that must hold in one game, and at each of its decisions."""
    players, options = options_of(seed)
    run = begin(players, seed, **options)
    rng = random.Random(seed)
    decisions = 0
    for seat, text in steps(run, seed):
        decisions += 1
        state = run.state
        assert () == GAME.moderation.violations(state)
        reading = GAME.read(state, seat, text)
        assert text == reading.text == GAME.write(state, seat, reading.order)
        if rng.random() < 0.15:
            _check_position(run, seat)
    assert decisions <= 16 * players * 3 + 1, "every game ends"
    _check_end(run)


def _check_position(run: Run, seat: str) -> None:
    state = run.state
    before = GAME.dump(state)
    assert GAME.load(*_through_toml(before)) == state
    assert GAME.fold(None, _through_records(run.entries)) == state
    offers = GAME.offers(state, seat)
    assert 0 < len(offers) <= 12
    texts = [offer.text for offer in offers]
    for text in (*texts, *GAME.reference.examples(state, seat, texts)):
        reading = GAME.read(state, seat, text)
        assert text == reading.text
        step = GAME.apply(state, seat, reading.order, run.chance)
        assert GAME.fold(state, step.entries) == step.state
    for reader in (seat, None):
        assert GAME.view(state, reader) == GAME.view(state, reader)
        for line in GAME.tell(state, run.entries, reader, 1):
            assert str(line.says) and line.end <= len(run.entries)
    assert before == GAME.dump(state), "looking changes nothing"


def _through_toml(data: tuple[dict[str, object], dict[str, object]]) -> tuple[dict[str, object], dict[str, object]]:
    public, secret = (tomllib.loads(tomli_w.dumps(part)) for part in data)
    return public, secret


def _through_records(entries: list[LogEntry]) -> list[LogEntry]:
    """Entries as the store writes and reads them."""
    return [read_entry(*_through_toml((entry.public(), entry.secret()))) for entry in entries]


def _check_end(run: Run) -> None:
    state = run.state
    assert () == GAME.moderation.violations(state)
    assert GAME.fold(None, _through_records(run.entries)) == state
    result = GAME.result(state)
    assert result is not None
    for seat in state.names:
        assert recount(run.entries, seat) == result.scores[seat]
        built = [
            (e.data["row"], e.data["column"]) for e in run.entries if e.kind == "builds" and e.data["seat"] == seat
        ]
        assert len(set(built)) == len(built), "each building at most once"
        assert result.scores[seat]["characters"] <= 72 and result.scores[seat]["citizens"] <= 60
        assert all(0 <= state.sheets[seat].unspent(resource) <= 18 for resource in RESOURCES)
        lost = [
            (r, a.data["column"]) for a in run.entries if a.kind == "attack" for r in a.data["crossed"].get(seat, [])
        ]
        assert not set(lost) & set(built), "what was crossed out is never built"
    best = max(result.totals.values())
    assert {seat for seat, total in result.totals.items() if total == best} == set(result.winners)
    assert () == GAME.waiting(state)


@pytest.mark.parametrize("seed", range(6))
def test_laws_hold_over_a_random_game(seed: int) -> None:
    """Each building at most once, tracks within bounds, score equals a recount, fold equals state."""
    check_whole_game(seed)


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(40))
def test_laws_hold_over_many_random_games(batch: int) -> None:
    """2,000 games beside those of the sample."""
    for seed in range(1000 + 50 * batch, 1050 + 50 * batch):
        check_whole_game(seed)


def test_every_listed_order_is_accepted() -> None:
    """All of them, in positions of several games, with what they fold to; each order is there once."""
    rng = random.Random(5)
    for seed in range(4):
        run = begin(1, seed, expansion="yes" if seed % 2 else "no")
        for seat, _ in steps(run, seed):
            if rng.random() > 0.2:
                continue
            texts = list(GAME.reference.every(run.state, seat))
            assert len(set(texts)) == len(texts)
            for text in rng.sample(texts, min(40, len(texts))):
                step = GAME.apply(run.state, seat, GAME.read(run.state, seat, text).order, run.chance)
                assert GAME.fold(run.state, step.entries) == step.state
            listed = next(GAME.reference.every(run.state, seat, sample(rng)))
            assert listed in texts, "what is picked stands in the list"


def test_the_offered_orders_stand_in_the_whole_list() -> None:
    for seed in range(3):
        run = begin(1, seed)
        for _ in range(10):
            texts = set(GAME.reference.every(run.state, ANNA))
            assert {offer.text for offer in GAME.offers(run.state, ANNA)} <= texts
            run.finish_half_day()


def test_a_broken_position_is_noticed() -> None:
    """The laws can fail: each of these repairs by a clumsy hand is told."""
    run = begin(2, seed=3)
    for _ in range(6):
        run.finish_half_day()

    def spoil(path: str, value: object) -> tuple[str, ...]:
        public, secret = GAME.dump(run.state)
        part, *rest = path.split(".")
        target = public[part]
        for step in rest[:-1]:
            target = target[int(step)] if step.isdecimal() else target[step]
        last = rest[-1]
        target[int(last) if isinstance(target, list) else last] = value
        return GAME.moderation.violations(GAME.load(public, secret))

    assert () == GAME.moderation.violations(run.state)
    for path, value in (
        ("seats.0.built.fortress", [1, 1]),
        ("seats.0.citizens.red", 21),
        ("seats.1.spent.denier", 19),
        ("seats.0.crossed.white", [7]),
        ("plazas.0", {"up": "red", "down": "purple"}),
        ("dice.0.value", 7),
        ("dice.3", {"value": 1, "black": True, "gone": True}),
        ("asked.eve", "half-day"),
        ("numbering.0", 6),
    ):
        assert spoil(path, value), path


def test_damaged_states_name_the_place() -> None:
    """`load` says which value is wrong."""
    public, secret = GAME.dump(begin(2).state)
    for spoilt, where in (
        ({**public, "day": "one"}, "day"),
        ({**public, "schema": 99}, "schema"),
        ({**public, "seats": [{**public["seats"][0], "citizens": {"red": 1}}]}, "seats.anna"),
        ({**public, "box": {**public["box"], "slot": {"1": {"kind": "gold"}}}}, "box"),
    ):
        with pytest.raises(PositionError) as error:
            GAME.load(spoilt, secret)
        assert error.value.where.startswith(where)
    with pytest.raises(PositionError):
        GAME.load(public, {"sealed": {"anna": {"bonus": 3, "open": False}}})


def test_entries_that_do_not_fit_are_refused() -> None:
    run = begin(1)
    building = LogEntry("builds", {"seat": "anna", "row": "fortress", "column": 1})
    with pytest.raises(PositionError):
        GAME.fold(run.state, [building, building])
    with pytest.raises(PositionError):
        GAME.fold(None, run.entries[1:])
    with pytest.raises(PositionError):
        GAME.fold(run.state, [LogEntry("nonsense")])


def test_a_repair_changes_one_value_and_must_fit() -> None:
    """A moderator's repair is an entry like any other; everything that can be set is found by its path."""
    run = begin(2)
    values = GAME.moderation.settable(run.state)
    assert (0, 3, "Anna") == (values["anna.citizens.red"], values["anna.circled.denier"], values["anna.name"])
    assert not any(path.startswith(("sealed", "box", "number.")) for path in values)
    fits = GAME.moderation.change(run.state, "anna.citizens.red", 4, "a lost letter")
    state = GAME.fold(run.state, [fits])
    assert (4, 0) == (state.sheets[ANNA].citizens["red"], run.state.sheets[ANNA].citizens["red"])
    told = GAME.tell(state, [fits], ANNA, 1)
    assert ["The moderator has corrected your red citizens: 4, was 0. Reason: «a lost letter»"] == [
        str(line.says) for line in told
    ]
    assert told[0].mine
    renamed = GAME.moderation.change(run.state, "anna.name", "Annabel")
    assert () == GAME.tell(GAME.fold(run.state, [renamed]), [renamed], ANNA, 1), "the post room tells it"
    with pytest.raises(PositionError):
        GAME.fold(state, [fits])
    built = GAME.moderation.change(run.state, "anna.built.fortress", [2])
    assert (2,) == GAME.fold(run.state, [built]).sheets[ANNA].built["fortress"]
    for path, value in (("anna.seat", "eve"), ("anna.nowhere.gold", 3), ("anna.citizens.red", "many")):
        with pytest.raises(NotAllowed):
            GAME.moderation.change(run.state, path, value)


def test_a_repair_of_a_sealed_answer_stays_hidden() -> None:
    run = begin(2)
    run.order(ANNA, GAME.offers(run.state, ANNA)[0].text)
    pay = GAME.dump(run.state)[1]["sealed"]["anna"]["order"]["pay"]
    entry = GAME.moderation.change(run.state, "sealed.anna.order.pay", "denier" if pay == "" else "")
    assert {"path": "sealed.anna.order.pay"} == entry.data
    assert run.state.sealed[ANNA].order != GAME.fold(run.state, [entry]).sealed[ANNA].order
    assert "denier" not in str(GAME.tell(run.state, [entry], None, 1)[0].says)


def test_a_repair_forgets_the_answers_that_rest_on_it() -> None:
    """A purse put right asks its seat again, a die asks everybody; a name asks nobody. No answer turns impossible."""
    run = begin(3)
    for seat in (ANNA, FAYE):
        run.order(seat, GAME.offers(run.state, seat)[0].text)
    for path, value, kept in (
        ("anna.spent.denier", 3, {FAYE}),
        ("dice.4.value", 6, set()),
        ("anna.name", "Annette", {ANNA, FAYE}),
        ("geoffrey.citizens.red", 2, {ANNA, FAYE}),
    ):
        before = GAME.moderation.settable(run.state)[path]
        repair = GAME.moderation.change(run.state, path, value if value != before else value - 1)
        assert kept == set(GAME.fold(run.state, [repair]).sealed), path


def test_sealed_answers_are_forgotten_after_a_rollback_whoever_has_answered() -> None:
    run = begin(2)
    before = GAME.moderation.without_plans(run.state)
    run.order(ANNA, GAME.offers(run.state, ANNA)[0].text)
    assert before == GAME.moderation.without_plans(run.state)
    assert {} == GAME.fold(run.state, before).sealed
    assert () == GAME.moderation.without_plans(begin(1, numbering="expert").state)


def test_without_its_secrets_a_position_can_be_looked_at() -> None:
    """What tools may do that must not open the secrets: they see what a redacted position shows."""
    run = begin(2)
    run.order(ANNA, GAME.offers(run.state, ANNA)[0].text)
    state = GAME.load(GAME.dump(run.state)[0], {})
    assert state == GAME.moderation.redacted(run.state)
    assert [False, False] == [decision.answered for decision in GAME.waiting(state)]
    assert GAME.view(state, None) == GAME.view(run.state, None)
    assert GAME.offers(state, ANNA) and GAME.heading(state) and GAME.result(state) is None
    assert () == GAME.moderation.violations(state)


def test_every_sheet_entry_names_its_seat() -> None:
    run = begin(3, seed=4)
    for _ in range(4):
        run.finish_half_day()
    facts = [fact for fact in DicePlay.kinds.read(run.entries) if isinstance(fact, SheetChange | Acts)]
    assert len(facts) > 8 and all(fact.seat in run.state.names for fact in facts)


def test_a_correction_stays_with_the_game() -> None:
    """Facts given at the start are stored whole and used: here the second plaza costs 2 deniers."""
    run = begin(1, facts={"slot": {"2": {"kind": "denier", "amount": 2}}, "work": {"all": {"citizens": 3}}})
    assert GAME.load(*GAME.dump(run.state)).box is run.state.box
    assert run.state.box is not load_box()
    assert ("denier", 2) == run.state.box.slots[1]
    assert 3 == run.state.box.work
