"""Every die and shuffle of an export is checked, by the program and by the script that stands alone."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from engine.catalog import ENGLISH
from engine.chance import Chance, Purpose, SeededChance
from engine.game import AnyGame, Seat, find_game
from engine.troyes.board import possession
from engine.troyes.events.play import Play
from engine.troyes.state.places import POSSESSION
from engine.troyes.state.troyes_state import GRAY, QueuedEvent
from pbem.export import verify_alone
from pbem.export.audience import Audience
from pbem.export.document import export_document
from pbem.export.formats import WRITERS, json_text
from pbem.export.verify_export import NoSeed, verify_document
from tests.export.tables import KINDS, NUMBERS, exported, table
from tests.fakegame import GAME as TALLY

SCRIPT = Path(str(resources.files("pbem.export").joinpath("verify_alone.py")))


def alone(path: Path) -> subprocess.CompletedProcess[str]:
    """The script as somebody would run it who has nothing else: no package of ours can be imported."""
    return subprocess.run(
        [sys.executable, "-I", "-S", str(SCRIPT), str(path)], capture_output=True, text=True, check=False, cwd=path.parent
    )


def test_the_script_is_short_and_needs_the_standard_library_only() -> None:
    lines = SCRIPT.read_text().splitlines()
    assert len(lines) < 240
    imported = {line.split()[1].split(".")[0] for line in lines if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("number", NUMBERS)
def test_an_honest_game_holds(kind: str, number: int) -> None:
    """In full, with the deal and every position, and in the public view, with what can be seen of it."""
    full, public = (verify_document(exported(kind, number, sight)) for sight in (Audience(full=True), Audience()))
    assert ((), True) == (full.differences, full.holds)
    assert ((), True) == (public.differences, public.holds)
    assert full.rolls == public.rolls > 5
    assert full.positions > 20


@pytest.mark.parametrize("kind", KINDS)
def test_the_script_alone_finds_an_honest_game_honest(kind: str, tmp_path: Path) -> None:
    found = exported(kind, 2, Audience(full=True))
    for form in ("json", "toml"):
        path = tmp_path / f"a.{form}"
        path.write_text(WRITERS[form](found, ENGLISH))
        done = alone(path)
        assert (0, "") == (done.returncode, done.stderr)
        assert "0 differ" in done.stdout


def dice(found: dict[str, Any]) -> Iterator[tuple[list[Any], int]]:
    """Every place of a document where a number of a draw stands: the list and the index in it."""
    for record in found["records"]:
        for step in record["steps"]:
            for draw in verify_alone.draws(step.get("entries", [])):
                for name in ("shown", "order", "now", "dice", "values"):
                    if isinstance(draw.get(name), list) and not (name == "dice" and "now" in draw):
                        yield from ((draw[name], at) for at in range(len(draw[name])))


@pytest.mark.parametrize("kind", KINDS)
def test_any_single_changed_die_is_found(kind: str) -> None:
    """Each number of each roll and shuffle, one after the other, wherever it stands."""
    found = exported(kind, 0, Audience(full=True))
    places = list(dice(found))
    assert len(places) > 60
    for nth, (values, at) in enumerate(places):
        was = values[at]
        values[at] = f"{was[:-1]}{int(was[-1]) % 6 + 1}" if isinstance(was, str) else was % 6 + 1
        wrong = verify_alone.check_draws(found)[1]
        assert wrong, (nth, was, values[at])
        values[at] = was
    assert [] == verify_alone.check_draws(found)[1]


def test_the_script_alone_finds_a_changed_die(tmp_path: Path) -> None:
    found = exported("troyes", 0, Audience())
    values, at = list(dice(found))[7]
    values[at] = f"{values[at][:-1]}{int(values[at][-1]) % 6 + 1}" if isinstance(values[at], str) else values[at] % 6 + 1
    path = tmp_path / "odd.json"
    path.write_text(json_text(found))
    done = alone(path)
    assert 1 == done.returncode
    assert "1 differ" in done.stdout


def test_another_seed_a_lost_roll_and_a_moved_card_are_found() -> None:
    honest = exported("troyes", 0, Audience(full=True))
    seed = copy.deepcopy(honest)
    seed["chance"]["seed"] = "ab" * 32
    assert not verify_document(seed).seed_fits
    assert any("seed and host's word" in said for said in verify_document(seed).differences)
    lost = copy.deepcopy(honest)
    for record in lost["records"]:
        for step in record["steps"]:
            step["entries"] = [e for e in step.get("entries", ()) if e["data"].get("draw", "").split("/")[1:2] != ["workforce"]]
    assert verify_document(lost).differences
    hand = copy.deepcopy(honest)
    first = next(e for record in hand["records"] for step in record["steps"] for e in step.get("entries", ()))
    one, other = list(first["only"])[:2]
    first["only"][one], first["only"][other] = first["only"][other], first["only"][one]
    assert any("is not what the seed deals" in said for said in verify_document(hand).differences)
    place = copy.deepcopy(honest)
    place["records"][9]["steps"][0]["change"]["table"]["round"] = 5
    assert any("position" in said for said in verify_document(place).differences)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("view", [Audience(), Audience(full=True)], ids=str)
def test_entries_without_their_draws_are_refused(kind: str, view: Audience) -> None:
    """«0 rolls checked» is not «holds»: neither where every draw was taken out, nor where one was."""
    none, one = (exported(kind, 0, view) for _ in range(2))
    for draw in list(verify_alone.draws(none["records"])):
        draw.pop("draw")
    found = verify_document(none)
    assert (0, 0, False) == (found.rolls, found.shuffles, found.holds)
    assert any("nothing could be checked" in said for said in found.differences)
    list(verify_alone.draws(one["records"]))[-1].pop("draw")
    assert any("holds no draw" in said for said in verify_document(one).differences)


@pytest.mark.parametrize("kind", KINDS)
def test_a_draw_without_its_numbers_is_refused(kind: str) -> None:
    found = exported(kind, 0, Audience(full=True))
    list(verify_alone.draws(found["records"]))[-1].pop("shown")
    assert any("nothing is recorded" in said for said in verify_alone.check_draws(found)[1])


def test_an_export_that_names_fewer_kinds_of_draws_than_the_game_has_is_refused() -> None:
    found = exported("troyes", 0, Audience())
    found["game"]["draws"].remove("black")
    assert any("game.draws" in said for said in verify_document(found).differences)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("view", [Audience(), Audience(full=True)], ids=str)
def test_words_and_their_hashes_are_checked(kind: str, view: Audience) -> None:
    """By the script alone, too: each word, the hash over all of them, the hash over seed and host's word."""
    honest = exported(kind, 0, view)
    opening = next(row["opening"] for row in honest["records"] if "opening" in row)
    assert verify_document(honest).words_hash == opening["hash"]
    for path, after, says in (
        (("chance", "words", "host"), "h217", "seed and host's word"),
        (("chance", "words", "host"), "h217", "the word of host was «mill»"),
        (("chance", "words", "anna"), "plum", "the word of anna was «word of Anna»"),
        (("chance", "seed"), "ab" * 32, "seed and host's word"),
        (("game", "commitment"), "ab" * 32, "seed and host's word"),
        (("records", 0, "opening", "words", "faye"), "plum", "do not have the hash"),
        (("records", 0, "opening", "hash"), "ab" * 32, "do not have the hash"),
        (("records", 0, "opening"), None, "no record tells which words"),
    ):
        odd: Any = copy.deepcopy(honest)
        inner = odd
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = after
        if after is None:
            del inner[path[-1]]
        wrong = verify_alone.check_draws(odd)[1]
        assert any(says in said for said in wrong), (path, wrong)
        assert not verify_document(odd).holds
        assert not verify_document(odd).seed_fits


class Witness:
    """A chance that remembers what was taken from it."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self.taken: list[tuple[str, tuple[int, ...]]] = []

    def roll(self, purpose: Purpose, dice: int = 1, sides: int = 6) -> tuple[int, ...]:
        self.taken.append((str(purpose), self._chance.roll(purpose, dice, sides)))
        return self.taken[-1][1]

    def order(self, purpose: Purpose, count: int) -> tuple[int, ...]:
        self.taken.append((str(purpose), self._chance.order(purpose, count)))
        return self.taken[-1][1]


EVERYTHING = {
    "troyes": {"ladies": "all"}, "troyes-dice": {"expansion": "yes", "numbering": "crier"}, "tally": {}
}  # fmt: skip


@pytest.mark.parametrize("kind", [*KINDS, "tally"])
@pytest.mark.parametrize("number", range(5))
def test_whatever_a_game_draws_stands_in_its_entries(kind: str, number: int) -> None:
    """A law for every game: all its draws are recorded, with their numbers, in entries of the kinds that it names."""
    rules: AnyGame = TALLY if kind == "tally" else find_game(kind)
    rng, seats = random.Random(number), {Seat(one): one.title() for one in ("anna", "faye", "emily")[: 2 + number % 2]}
    options = rules.settle_options(len(seats), EVERYTHING[kind])
    chance = Witness(SeededChance(bytes([number]), [""], "x"))
    step, kinds = rules.start(seats, options, chance), set()
    for _ in range(600):
        recorded = [
            (draw["draw"], tuple(draw["order"] if "order" in draw else draw["shown"]))
            for entry in step.entries
            for draw in verify_alone.draws([entry.data, entry.only, entry.hidden])
        ]
        assert sorted(chance.taken) == sorted(recorded)
        chance.taken.clear()
        for entry in step.entries:
            holds = any(verify_alone.draws([entry.data, entry.only, entry.hidden]))
            assert (entry.kind in rules.draws) == holds, entry
            kinds |= {entry.kind} if holds else set()
        asked = [one for one in rules.waiting(step.state) if not one.answered]
        if not asked:
            break
        seat = asked[0].seat
        text = next(iter(rules.reference.every(step.state, seat, [rng.randrange(1 << 30) for _ in range(64)])))
        step = rules.apply(step.state, seat, rules.read(step.state, seat, text).order, chance)
    assert kinds


def test_a_citizen_freed_by_lot_is_a_draw_that_can_be_checked() -> None:
    """Among as many citizens as Possession holds, which are seldom six."""
    seats = {Seat("anna"): "Anna", Seat("faye"): "Faye"}
    chance = SeededChance(b"s", ["mill"], "troyes-1")
    begun = find_game("troyes").start(seats, find_game("troyes").settle_options(2, {"ladies": "all"}), chance)
    state = begun.state.copy()
    threat = QueuedEvent(POSSESSION, [], ["faye", "anna", "anna"])
    state.queue.append(threat)
    for owner in threat.held:
        state.houses[owner].supply -= 1
    play = Play(state, chance)
    possession.free_citizen(play, threat, GRAY, None)
    fate = next(entry for entry in play.entries if entry.kind == "fate")
    purpose = f"troyes-1/0/{fate.data['draw']}"
    key = verify_alone.words_hash("dice", b"s", b"mill")
    kind, recorded, right = verify_alone.expected_draw(key, purpose, fate.data)
    assert ("roll", recorded) == (kind, right)
    assert 3 == fate.data["sides"]


def test_dice_drawn_anew_are_checked_with_their_epoch() -> None:
    """From a record that names an epoch on, the draws follow from that epoch."""
    found = exported("troyes", 0, Audience(full=True))
    later = next(n for n, row in enumerate(found["records"]) if n > 20 and list(verify_alone.draws(row)))
    honest = verify_alone.check_draws(found)[1]
    found["records"][later] |= {"epoch": 1, "note": "seen too early", "what": "rollback"}
    assert any("the seed gives" in says for says in verify_alone.check_draws(found)[1])
    assert [(later + 1, "seen too early")] == verify_alone.redraws(found)
    assert [] == honest


@pytest.mark.parametrize("change", [{"epoch": 2}, {"what": "letter"}, {"note": ""}], ids=str)
def test_no_epoch_comes_of_itself(change: dict[str, Any]) -> None:
    """The first is 0; each later one is the next, comes with a rollback, and has a reason."""
    found = exported("troyes-dice", 0, Audience())
    found["records"][-1] |= {"epoch": 1, "note": "seen too early", "what": "rollback", "steps": []}
    assert not any("epoch" in says for says in verify_alone.check_draws(found)[1])
    found["records"][-1] |= change
    assert any("the epoch becomes" in says for says in verify_alone.check_draws(found)[1])
    found["chance"]["epoch"] = 1
    assert any("begin with epoch 1" in says for says in verify_alone.check_draws(found)[1])


def test_a_name_that_the_game_never_had_is_refused() -> None:
    """A host could try many of them, as the draws follow from the name, too."""
    found = exported("troyes-dice", 0, Audience())
    found["chance"]["game"] = "troyes-dice-77"
    assert any("ever called so" in says for says in verify_alone.check_draws(found)[1])


def test_a_game_that_goes_on_shows_no_seed() -> None:
    found = export_document(table("troyes", 3, 7, stop=20), Audience())
    assert "chance" not in json.loads(json_text(found))
    with pytest.raises(NoSeed, match="was not over"):
        verify_document(found)
