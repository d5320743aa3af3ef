"""Values put right: what may be set, what the laws forbid, and edits of the whole in a text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from engine import data_paths
from engine.catalog import T
from engine.errors import NotAllowed, NotUnderstood, OrderRefused, PositionError
from engine.game import find_game
from pbem.admin.actions import position_text as sheets
from pbem.admin.actions import position_values
from pbem.desk.core.undo import replay_records
from pbem.store.commit_record import read_records
from pbem.store.state_file import StoredGame
from tests.fakeposition import edit
from tests.repair.bench import Bench


def folds(bench: Bench) -> bool:
    game, stored = find_game("troyes"), bench.stored(bench.table)
    return game.dump(replay_records(game, read_records(bench.store.open(bench.table)))) == (stored.game, stored.hidden)


@pytest.mark.parametrize(
    ("path", "text", "after"),
    [
        ("anna.deniers", "12", lambda was: 12),
        ("anna.deniers", "+3", lambda was: was + 3),
        ("anna.influence", "-1", lambda was: was - 1),
        ("anna.vp", "+2", lambda was: was + 2),
        ("faye.passed", "yes", lambda was: True),
    ],
)
def test_a_value_is_put_right_and_the_chronicle_folds_to_it(bench: Bench, path: str, text: str, after: Any) -> None:
    settable = find_game("troyes").moderation.settable
    was = settable(bench.position())[path]
    bench.repair(position_values.set_value(path, text, "a slip"))
    assert after(was) == settable(bench.position())[path]
    assert folds(bench)
    assert "a slip" == bench.record(0, bench.table).note
    assert "a slip" in bench.last("anna").text
    assert "a slip" in bench.last("faye").text


def test_totals_of_points_are_told_to_nobody(bench: Bench) -> None:
    """VP gained and lost are public, totals of others are not printed."""
    bench.repair(position_values.set_value("anna.vp", "+2", "a slip"))
    assert "corrected VP of Anna: +2 VP" in bench.last("faye").text
    assert "corrected VP of Anna: +2 VP" in bench.told[0]


@pytest.mark.parametrize(
    ("path", "text", "error", "says"),
    [
        ("anna.influence", "99", NotAllowed, "99 influence; 20 is the most"),
        ("anna.supply", "+1", NotAllowed, "13 citizens, not 12"),
        ("anna.deniers", "-99", NotAllowed, "{less} deniers"),
        ("anna.deniers", "many", NotAllowed, "no whole number"),
        ("anna.deniers", "+0", NotAllowed, "is that already"),
        ("anna.denier", "4", NotUnderstood, "Nothing that can be set"),
        ("decks.red", "war", NotUnderstood, "Nothing that can be set"),
        ("palace.1", "nobody", NotAllowed, "nobody is called"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(
    bench: Bench, path: str, text: str, error: type[OrderRefused], says: str
) -> None:
    head, less = bench.store.open(bench.table).head, bench.position().houses["anna"].deniers - 99
    with pytest.raises(error) as refusal:
        bench.repair(position_values.set_value(path, text, "x"))
    assert says.format(less=less) in str(refusal.value.reason)
    assert head == bench.store.open(bench.table).head


def test_a_number_of_the_list_before_a_repair_plays_nothing(bench: Bench) -> None:
    """The options have changed; the numbers of an old mail must not count in the new list."""
    seat = str(bench.asked())
    old = bench.last(seat)
    bench.repair(position_values.set_value(f"{seat}.deniers", "+30", "a slip"))
    assert "refused" == bench.send(seat, "1", to=old).outcome


def test_every_settable_path_can_be_set(bench: Bench) -> None:
    """Each path names a value that stands there, and its entry folds."""
    game, state = find_game("troyes"), bench.position()
    for path, value in game.moderation.settable(state).items():
        other = not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else "elsewhere"
        entry = game.moderation.change(state, path, other)
        assert other == game.moderation.settable(game.fold(state, [entry])).get(path, other)


def test_a_hidden_change_shows_its_path_alone(bench: Bench) -> None:
    deck = bench.position().decks["red"]
    bench.repair(lambda case: position_values.set_values(case, [("decks.red", deck[::-1])], "the deck was wrong"))
    assert deck[::-1] == bench.position().decks["red"]
    assert folds(bench)
    for seat in ("anna", "faye"):
        text = bench.last(seat).text
        assert "decks.red" in text
        assert not [id for id in deck if id.replace("_", " ") in text.split("EVENTS")[0]]


def test_a_law_about_hidden_things_is_broken_in_silence(bench: Bench) -> None:
    deck = bench.position().decks["red"]
    with pytest.raises(NotAllowed) as refusal:
        bench.repair(lambda case: position_values.set_values(case, [("decks.red", [*deck, deck[0]])], "x"))
    assert "hidden" in str(refusal.value.reason)
    assert deck[0] not in str(refusal.value.reason)


@pytest.mark.parametrize("way", ["set", "edit"])
def test_a_name_on_the_board_alone_is_refused_with_the_way_to_change_both(bench: Bench, way: str) -> None:
    """One person is called one thing: `set anna.name` would leave «We wait for Anna» in every mail."""
    action = position_values.set_value("anna.name", "Annabel", "x") if way == "set" else lambda case: position_values.set_values(case, [("seats.anna.name", "Annabel")], "x")
    with pytest.raises(NotAllowed) as refusal:
        bench.repair(action)
    assert ["rename anna Annabel"] == [str(one) for one in refusal.value.possible]


@pytest.mark.parametrize(
    ("path", "change", "says"),
    [
        ("palace", lambda there: ["" if one == "anna" else one for one in there], None),
        ("dice.gray", lambda there: there[:-1], "corrected dice.gray: {after}, was {before}."),
        ("dice.gray", lambda there: [], "corrected dice.gray: nothing, was {before}."),
    ],
)
def test_lists_are_mailed_as_they_were_and_as_they_are(bench: Bench, path: str, change: object, says: str | None) -> None:
    public, _ = find_game("troyes").dump(bench.position())
    before = data_paths.value_at(public, path)
    after = change(before)  # type: ignore[operator]
    if says is None:
        with pytest.raises(NotAllowed, match="not be sound"):
            bench.repair(lambda case: position_values.set_values(case, [(path, after)], "x"))
        return
    bench.repair(lambda case: position_values.set_values(case, [(path, after)], "as agreed"))
    sentence = says.format(before=", ".join(before), after=", ".join(after))
    for seat in ("anna", "faye"):
        assert sentence in bench.last(seat).text


def test_a_change_of_what_is_hidden_or_counts_points_shows_its_path_alone() -> None:
    nobody = T("nobody")
    assert data_paths.edit_sides({"path": "decks.red"}, nobody) is None
    assert data_paths.edit_sides({"path": "x", "before": {"vp": 3}, "after": {"vp": 4}}, nobody) is None
    assert data_paths.edit_sides({"path": "x", "before": [{"vp": 3}], "after": []}, nobody) is None
    assert ("a 1, b 2", "nothing") == tuple(
        str(one) for one in data_paths.edit_sides({"path": "x", "before": {"a": 1, "b": 2}}, nobody) or ()
    )
    rows = {"path": "x", "before": [["anna", ""], ["", "faye"]], "after": [["", ""], ["", ""]]}
    assert ("anna, – / –, faye", "–, – / –, –") == data_paths.edit_sides(rows, nobody)


# The text in the editor.


def begun(bench: Bench, secrets: bool = False) -> sheets.PositionText:
    repo = bench.store.open(bench.table)
    stored = StoredGame.read(repo) if secrets else StoredGame.read_public(repo)
    return sheets.begin_edit(repo, stored, bench.folder / "mail", secrets)


def changed(sheet: sheets.PositionText, before: str, after: str) -> None:
    """Put `after` in the place of the first text that fits the pattern `before`."""
    text, count = re.subn(before, after, sheet.path.read_text(), count=1)
    assert count
    sheet.path.write_text(text)


def test_an_edit_counts_value_by_value(bench: Bench) -> None:
    sheet = begun(bench)
    was = bench.position().houses["anna"].deniers
    changed(sheet, r"deniers = \d+", f"deniers = {was + 2}")
    changed(sheet, r"(neutrals = \d+)", r"\1 # counted twice")
    bench.repair(sheets.edit(sheet, "as agreed"))
    assert was + 2 == bench.position().houses["anna"].deniers
    (entry,) = bench.record(0, bench.table).entries
    assert {"path": "anna.deniers", "before": was, "after": was + 2, "reason": "as agreed"} == entry.data
    assert folds(bench)


def test_the_text_holds_no_secret_unless_it_may(bench: Bench) -> None:
    held = [id for cards in bench.position().characters.values() for id in cards]
    text = begun(bench).path.read_text()
    assert "[hidden" not in text
    assert all(f'"{id}"' not in text.split("[position.box", 1)[0] for id in held)
    assert f'"{held[0]}"' in begun(bench, secrets=True).path.read_text().split("[hidden", 1)[1]


def test_a_game_that_went_on_keeps_what_it_did(bench: Bench) -> None:
    while bench.asked() != "faye":
        bench.play(1)
    sheet = begun(bench)
    changed(sheet, r"deniers = \d+", "deniers = 21")
    bench.send("faye", "pass")
    after = bench.position().houses["faye"].deniers
    bench.repair(sheets.edit(sheet, "as agreed"))
    assert (21, after) == (bench.position().houses["anna"].deniers, bench.position().houses["faye"].deniers)


def test_a_value_that_the_game_has_changed_meanwhile_is_not_overwritten(bench: Bench) -> None:
    sheet = begun(bench)
    was = bench.position().houses["faye"].deniers
    changed(sheet, rf'(seat = "faye".*?deniers = ){was}', rf"\g<1>{was + 3}")
    while bench.position().houses["faye"].deniers == was:
        bench.play(1)
    with pytest.raises(NotAllowed, match="has changed"):
        bench.repair(sheets.edit(sheet, "as agreed"))


@pytest.mark.parametrize(
    ("before", "after", "error"),
    [
        (r"\[position", "[[position", PositionError),
        (r"deniers = \d+", "deniers = 'four'", (PositionError, NotAllowed)),
        (r"influence = \d+", "influence = 21", NotAllowed),
        (r"deniers = \d+", "money = 4", (PositionError, NotAllowed)),
    ],
)
def test_a_broken_edit_never_reaches_the_store(bench: Bench, before: str, after: str, error: type[Exception]) -> None:
    sheet = begun(bench)
    changed(sheet, before, after)
    head = bench.store.open(bench.table).head
    with pytest.raises(error):
        bench.repair(sheets.edit(sheet, "x"))
    assert head == bench.store.open(bench.table).head
    assert after in sheets.waiting_edit(bench.table, bench.folder / "mail").path.read_text()  # type: ignore[union-attr]


def test_a_text_without_its_mark_says_so(bench: Bench) -> None:
    sheet = begun(bench)
    changed(sheet, "# pbem-edit:", "# my edit:")
    with pytest.raises(NotUnderstood, match="has lost its line"):
        sheets.waiting_edit(bench.table, bench.folder / "mail")


# Paths.


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ({"a": 1}, {"a": 2}, [("a", 1, 2)]),
        ({"a": [1, 2]}, {"a": [1, 3]}, [("a.2", 2, 3)]),
        ({"a": [1, 2]}, {"a": [1]}, [("a", [1, 2], [1])]),
        ({"a": {"b": 1}}, {"a": {"c": 1}}, [("a.b", 1, data_paths.NOTHING), ("a.c", data_paths.NOTHING, 1)]),
        ({"s": [{"id": "x", "n": 1}]}, {"s": [{"id": "x", "n": 2}]}, [("s.x.n", 1, 2)]),
        ({"a": 1}, {"a": True}, [("a", 1, True)]),
        ({"a.b": 1}, {"a.b": 2}, [("", {"a.b": 1}, {"a.b": 2})]),
    ],
)
def test_differences_go_as_deep_as_the_shapes_agree(before: object, after: object, found: list[object]) -> None:
    assert found == list(data_paths.differences(before, after))


def test_what_differs_can_be_put_back_entry_by_entry(tmp_path: Path) -> None:
    public = {"a": [{"id": "x", "n": [1, 2]}], "b": {"c": "d"}, "e": 5}
    wanted = {"a": [{"id": "x", "n": [1, 9]}], "b": {"f": "g"}, "e": 6}
    for path, _, value in list(data_paths.differences(public, wanted)):
        edit(public, {}, data_paths.edit_entry(public, {}, path, value))
    assert wanted == public
