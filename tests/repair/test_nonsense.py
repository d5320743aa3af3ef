"""Whatever is typed into the text of a position: a refusal in words, or a lawful position that can be played on."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.errors import NotAllowed, NotUnderstood, OrderRefused, PositionError
from engine.game import find_game
from pbem.admin.actions import position_text as sheets
from pbem.store import toml_format
from pbem.store.state_file import StoredGame
from tests.repair.bench import Bench

KINDS = {
    "troyes": ("troyes", 2, {}, 14),
    "troyes, before its first round": ("troyes", 3, {}, 4),
    "troyes with the Ladies": ("troyes", 3, {"ladies": "all"}, 25),
    "troyes against le Roy": ("troyes", 1, {}, 12),
    "troyes-dice": ("troyes-dice", 3, {}, 11),
    "troyes-dice with its expansion": ("troyes-dice", 2, {"expansion": "yes", "numbering": "crier"}, 9),
}
STRANGE: tuple[Any, ...] = (
    "bogus", "", "anna", "Y6", "gray", 0, 1, -1, 7, 10**30, True, False, 1.5, [], ["x"], [[]], [1, 2], {}, {"x": 1},
    [{"seat": "anna"}], "\u202ex", "a.b", [{}],
)  # fmt: skip


Begun = Callable[[Path, str], Bench]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Begun:
    """A host whose table has come some way, in a folder of its own: each is played once, and copied."""

    @cache
    def played(name: str) -> Bench:
        kind, players, options, letters = KINDS[name]
        bench = Bench(tmp_path_factory.mktemp("begun") / "host", kind)
        bench.seat_all(players, options=options)
        bench.play(letters)
        bench.spool.close()
        return bench

    return lambda folder, name: played(name).copy(folder / "host")


def text_of(bench: Bench, secrets: bool) -> tuple[sheets.PositionText, dict[str, Any]]:
    repo = bench.store.open(bench.table)
    stored = StoredGame.read(repo) if secrets else StoredGame.read_public(repo)
    sheet = sheets.begin_edit(repo, stored, bench.folder / "mail", secrets)
    return sheet, toml_format.parse_toml(sheet.path.read_bytes(), "x")


def holders(data: Any) -> Iterator[Any]:
    """Every table and list that is not empty."""
    if isinstance(data, dict | list) and data:
        yield data
        for part in data.values() if isinstance(data, dict) else data:
            yield from holders(part)


def spoilt(data: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The tables after one to three changes: a value or a key replaced, taken out, put in, doubled, or exchanged."""
    found = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        # The box is most of the text; what is changed should mostly be the position.
        parts = [part for name, part in found["position"].items() if name != "box" or rng.random() < 0.1]
        place = rng.choice([*holders([found["position"], *parts, found.get("hidden", {})])][1:])
        key = rng.choice(list(place)) if isinstance(place, dict) else rng.randrange(len(place))
        strange = copy.deepcopy(rng.choice(STRANGE))
        match rng.randrange(5):
            case 0 | 1:
                place[key] = strange
            case 2:
                del place[key]
            case 3 if isinstance(place, dict):
                place[rng.choice(("bogus", "a b", "anna", "kind"))] = strange
            case 3:
                place.insert(key, copy.deepcopy(place[key]))
            case _ if isinstance(place[key], bool):
                place[key] = not place[key]
            case _ if isinstance(place[key], int):
                place[key] += rng.choice((-1, 1))
            case _:
                place[key] = strange
    return found


def tried(bench: Bench, sheet: sheets.PositionText, found: dict[str, Any]) -> bool:
    """Whether the text was taken over; then the position keeps its laws and goes on."""
    head = sheet.path.read_text().partition("\n\n")[0]
    sheet.path.write_bytes(f"{head}\n\n".encode() + toml_format.toml_bytes(found))
    before = bench.store.open(bench.table).head
    try:
        bench.repair(sheets.edit(sheet, "as agreed"))
    except OrderRefused as refusal:
        says = str(refusal.reason)
    except PositionError as odd:
        says = str(odd)
    else:
        state = bench.position()
        assert () == bench.rules.moderation.violations(state)
        for seat in bench.stored(bench.table).table.seats:
            bench.send(seat.seat, "status")
            bench.send(seat.seat, "options")
        assert "Traceback" not in bench.mails()[-1].text
        bench.play(1)
        return True
    assert says
    assert before == bench.store.open(bench.table).head
    return False


def fuzz(begun: Begun, folder: Path, name: str, times: int) -> None:
    bench, rng, taken = begun(folder / "0", name), random.Random(f"{name} {times}"), 0
    for number in range(times):
        sheet, data = text_of(bench, secrets=rng.random() < 0.5)
        if tried(bench, sheet, spoilt(data, rng)):
            taken += 1
            bench = begun(folder / str(number + 1), name)
    assert taken < times


@pytest.mark.parametrize("name", KINDS)
def test_nonsense_is_refused_or_lawful(begun: Begun, name: str, tmp_path: Path) -> None:
    fuzz(begun, tmp_path, name, 8)


@pytest.mark.soak
@pytest.mark.parametrize("name", KINDS)
def test_much_nonsense_is_refused_or_lawful(begun: Begun, name: str, tmp_path: Path) -> None:
    fuzz(begun, tmp_path, name, 1000)


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("asked", 0, "kind"), "bogus", "is no question of"),
        (("asked", 0, "kind"), "settle", "is no question of"),
        (("agenda", 0, "step"), "bogus", "nobody knows how to do"),
        (("phase"), "bogus", "no phase in which somebody is asked"),
        (("round"), 2, "activities are in play in round 2"),
        (("round"), 9, "round 9 of 4"),
        (("palace"), [], "the Palace has 0 spaces"),
    ],
)
def test_what_does_not_belong_together_is_named(begun: Begun, path: Any, value: Any, says: str, tmp_path: Path) -> None:
    bench = begun(tmp_path, "troyes")
    sheet, data = text_of(bench, secrets=False)
    inner: Any = data["position"]
    steps = (path,) if isinstance(path, str) else path
    for step in steps[:-1]:
        inner = inner[step]
    inner[steps[-1]] = value
    with pytest.raises((NotAllowed, NotUnderstood)) as refusal:
        head = sheet.path.read_text().partition("\n\n")[0]
        sheet.path.write_bytes(f"{head}\n\n".encode() + toml_format.toml_bytes(data))
        bench.repair(sheets.edit(sheet, "x"))
    assert says in str(refusal.value.reason)


def test_what_is_missing_is_told_once_and_in_words(begun: Begun, tmp_path: Path) -> None:
    """Not «queue: queue: KeyError: 'queue'»."""
    bench = begun(tmp_path, "troyes")
    sheet, data = text_of(bench, secrets=False)
    del data["position"]["queue"]
    head = sheet.path.read_text().partition("\n\n")[0]
    sheet.path.write_bytes(f"{head}\n\n".encode() + toml_format.toml_bytes(data))
    with pytest.raises(PositionError) as odd:
        bench.repair(sheets.edit(sheet, "x"))
    assert "queue: is missing" == str(odd.value)


def test_a_fifth_die_is_no_lawful_one(begun: Begun, tmp_path: Path) -> None:
    """Of a colour of which some lie in the box; a die that was taken away wrongly may come back."""
    bench = begun(tmp_path, "troyes")
    state = bench.position()
    seat = max(state.seats, key=lambda one: len(state.dice[one]))
    rules, dice, count = find_game("troyes"), state.dice[seat], state.rolled[seat]
    more = rules.fold(state, [rules.moderation.change(state, f"dice.{seat}", sorted([*dice, *["W1"] * (count + 1 - len(dice))]))])
    assert any(f"{count + 1} dice on the square; {count} were rolled" in law for law in rules.moderation.violations(more))
    less = rules.fold(state, [rules.moderation.change(state, f"dice.{seat}", dice[1:])])
    assert () == rules.moderation.violations(less)
    assert () == rules.moderation.violations(rules.fold(less, [rules.moderation.change(less, f"dice.{seat}", dice)]))


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("phase", "bogus", "no phase is called"),
        ("phase", "over", "the game is over on the"),
        ("phase", "numbering", "which is no question of"),
        ("day", 0, "stands on day 0"),
        ("crier", "nobody", "town crier"),
        ("half", "noon", "noon of day"),
    ],
)
def test_dice_what_does_not_belong_together_is_named(begun: Begun, path: str, value: Any, says: str, tmp_path: Path) -> None:
    bench = begun(tmp_path, "troyes-dice")
    public, secret = bench.rules.dump(bench.position())
    assert any(says in law for law in bench.rules.moderation.violations(bench.rules.load({**public, path: value}, secret)))
