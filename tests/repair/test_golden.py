"""Some repairs on a running game of Troyes, with all the mails they cause, word for word: one of each shape.

`pytest tests/repair/test_golden.py --golden` writes the files anew; look at the difference before you keep it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.desk.room import Got
from tests.repair.bench import Bench, prepared

FOLDER = Path(__file__).parents[1] / "golden" / "repair"

REPAIRS = ("rollback", "set", "orders", "replace", "end", "undo", "rollforward", "hold", "computer", "address")

LETTERS = {
    "gm-help": "gm help\n",
    "gm-status": "gm status\ngm log 5\n",
    "gm-preview": "gm rollback to 12\n",
    "gm-set": "gm set anna.denier 12 because of a slip\n",
    "gm-as": "gm as {asked}: 1 because the mail does not get through\n",
}


def shown(bench: Bench, mails: list[Got]) -> str:
    parts = ["THE MODERATOR IS TOLD", *bench.told, ""] if bench.told else []
    for got in mails:
        parts += [f"{'=' * 20} {got.seat}, {got.kind}", f"Subject: {got.message['Subject']}", "", got.text, ""]
    return "\n".join(parts)


def compare(name: str, text: str, config: pytest.Config) -> None:
    file = FOLDER / f"{name}.txt"
    if config.getoption("--golden"):
        FOLDER.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("name", REPAIRS)
def test_a_repair_and_its_mails(name: str, bench: Bench, pytestconfig: pytest.Config) -> None:
    action = prepared(bench, name)
    before = len(bench.mails())
    bench.repair(action(bench))
    compare(name, shown(bench, bench.mails()[before:]), pytestconfig)


@pytest.mark.parametrize("name", list(LETTERS))
def test_the_moderators_letters_and_their_mails(name: str, bench: Bench, pytestconfig: pytest.Config) -> None:
    text = LETTERS[name].format(asked=bench.asked())
    key = bench.moderate("gm status\n")[-1]
    compare(name, shown(bench, bench.moderate(text, to=key)), pytestconfig)
