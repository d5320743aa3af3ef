"""How surely a sentence is a directive, learnt from sentences; and what turns one."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from pbem.desk.surely import Surely
from pbem.reading import directive
from tests.gist_lines import surely
from tests.learn_wishes import LANGUAGES, SHEETS
from tests.understood.mailed import Reader, table

NATURAL = "unseen-fifth"
"""A sheet that nothing is learnt from."""


def _logits() -> tuple[list[float], list[float]]:
    """Of the orders of the sheet, and of what orders nothing."""
    mails = tomllib.loads((SHEETS / f"{NATURAL}.toml").read_text(encoding="utf-8"))["mail"]
    orders = [surely(row[0]) for mail in mails for language in LANGUAGES for row in mail.get(language, ())]
    return orders, [surely(text) for mail in mails for text in mail.get("traps", ())]


def _share(logits: list[float], least: float) -> float:
    return sum(logit >= least for logit in logits) / len(logits)


def test_orders_are_told_from_talk(monkeypatch: pytest.MonkeyPatch) -> None:
    """By sentences that nobody has learnt from; were nothing learnt, all would be alike."""
    orders, others = _logits()
    assert _share(orders, 0.0) >= 0.85 and _share(others, directive.LEAST) <= 0.1
    monkeypatch.setattr(directive, "_table", lambda: (0.0, {}))
    orders, others = _logits()
    assert _share(orders, 0.0) == _share(others, 0.0)


@pytest.mark.parametrize(
    ("line", "turned"),
    [
        ("Brigands with gray R6, my grandmother would approve", False),
        ("Brigands with gray R6, maybe", True),
        ("Brigands with the gray R6 that I had", True),
        ("The last time: brigands with gray R6", True),
        ("Faye will be cross, brigands with gray R6", False),
    ],
)
def test_what_bars_a_clause_that_names_nothing_turns_none_that_does(tmp_path: Path, line: str, turned: bool) -> None:
    found: list[Surely] = []
    reader = Reader(table(tmp_path, "thirty-second: an early turn"))
    with pytest.MonkeyPatch.context() as watched:
        seen = Surely.of.__func__  # type: ignore[attr-defined]
        watched.setattr(Surely, "of", classmethod(lambda *given: found.append(seen(*given)) or found[-1]))
        reader.read(line)
    assert found and found[0].barred and bool(found[0].turned) is turned
