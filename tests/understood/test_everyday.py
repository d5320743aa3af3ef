"""Everyday letters: a number, a tap, a pasted option or an order, with courtesy above, below and on its line, signed.

They are drawn from the table of courtesy itself, so that a word added there is tried here. Nearly all are read at once.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from pbem.reading import courtesy

from .bench import TABLES, Bench
from .measure import send

SAMPLE, SOAK = 300, 6000
READ = 0.995
FORMS = ("{n}", "option {n}", "[{n}] {order}", "[{n}] {order} · {says}", "{order}", "- {order}", "«{order}»", "{order}.")
"""How the order itself is written: the third is what a tap sends."""
LETTERS = (
    "{line}", "{above}\n\n{line}\n\n{below}\nAnna", "{above},\n{line}\n{below}", "{line}\n\n{below}", "{line}. {below}!",
    "{above}, {line}", "{line}\n-- \nAnna\n06 12 34 56 78", "{above}\n\n{before} {line}\n\n{signed},\nAnna",
    "{line}\n\n{signed}\nAnna\n\nSent from my iPhone",
)  # fmt: skip
OPENS = sorted(courtesy.GREETINGS.all)
CLOSES = sorted(courtesy.GREETED.all)
SIGNED = sorted(courtesy.SIGNED.all)
BEFORE = ("please", "ok", "svp")


def misread(rng: random.Random, tables: dict[str, Bench], letters: int) -> Iterator[str]:
    """Everyday letters whose order was not played at once."""
    for _ in range(letters):
        kind = rng.choice(tuple(tables))
        n, row = rng.choice(tuple(enumerate(TABLES[kind]["offers"], 1)))
        line = rng.choice(FORMS).format(n=n, order=row["text"], says=row["says"])
        said = {"above": rng.choice(OPENS), "below": rng.choice(CLOSES), "signed": rng.choice(SIGNED)}
        text = rng.choice(LETTERS).format(line=line, before=rng.choice(BEFORE), **said)
        if (found := send(tables[kind], text).orders) != (row["text"],):
            yield f"{text!r} played {found}"


def test_everyday_letters_are_read_at_once(tables: dict[str, Bench]) -> None:
    found = list(misread(random.Random(31), tables, SAMPLE))
    assert len(found) <= SAMPLE * (1 - READ), found


@pytest.mark.soak
def test_soak_of_everyday_letters(tables: dict[str, Bench]) -> None:
    found = list(misread(random.Random(32), tables, SOAK))
    assert len(found) <= SOAK * (1 - READ), found


def test_a_reader_without_the_table_is_found(tables: dict[str, Bench], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courtesy.COMPANY, "at", lambda words, at: 0)
    monkeypatch.setattr("pbem.desk.orders.line_types.Sorter._is_courteous", lambda self, text: False)
    assert len(list(misread(random.Random(31), tables, 60))) > 60 * (1 - READ)
