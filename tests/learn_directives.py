"""Learns how surely a sentence is a directive (`pbem/reading/directive.json`): `python -m tests.learn_directives`, a minute;
with `measure`, how many sentences of each kind would be taken for one, whole sheets left out, and nothing is written.

The sentences are those of the sheets of tests/wordings: the orders of `mailed-*.toml` are directives; their traps, and all
that `asked-*.toml` and `wished.toml` ask, wish and tell, are none. The model is the one of `learn_wishes`.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pbem.reading import bars, directive, intents
from pbem.reading.wants import Sentence
from tests.learn_wishes import LANGUAGES, ORDER, PEOPLE, SHEETS, TALK, Example, Lesson, names_known, wishes, written

TABLE = Path(directive.__file__).with_name("directive.json")
RIDGE, FOLDS = 0.12, 5
LEAST = 0.03
"""Weights below are left out."""
COUNTS = {"mailed-dice-likely": 0.4, "mailed-talk": 0.4, "mailed-thirty-fifth": 0.3}
"""What a sentence counts of sheets of traps many of which are orders by their words, and not clear which; or whose
writers were asked to make talk look like an order."""
UNSEEN = frozenset(("unseen-third", "unseen-later", "unseen-orders"))
"""Sheets that nothing is learnt from, so that they tell how others are read."""


def mailed() -> Iterator[Example]:
    """What was written at a position: each position of a sheet is a sheet of its own."""
    for path in sorted(SHEETS.glob("mailed-*.toml")):
        for mail in tomllib.loads(path.read_text(encoding="utf-8"))["mail"]:
            sheet = f"{path.stem} {mail.get('at', mail['name'])}"
            for language in LANGUAGES:
                yield from (Example(sheet, language, row[0], (ORDER,)) for row in mail.get(language, ()))
            yield from (Example(sheet, TALK, text, (TALK,)) for text in mail.get("traps", ()))


def others() -> Iterator[Example]:
    """Questions, wishes and commands."""
    for one in (*wishes(), *written()):
        yield Example(one.sheet, one.language, one.written, (ORDER if one.right == (ORDER,) else TALK,))


def seen(line: str) -> dict[str, float]:
    """The features of a sentence."""
    sentence = Sentence.of(line)
    barred = frozenset(bars.every_bar(line, sorted(PEOPLE)))
    return directive.features(intents.marked(sentence, PEOPLE, *names_known()), sentence.raw, barred)


def lesson() -> Lesson:
    """All that is learnt from."""
    return Lesson([*mailed(), *others()], seen, lambda one: COUNTS.get(one.sheet.partition(" ")[0], 1.0), RIDGE, LEAST)


def left_out(learnt: Lesson) -> NDArray[np.float64]:
    """How surely each sentence is a directive, by what whole other sheets teach."""
    sheets = sorted({one.sheet for one in learnt.examples}, key=lambda name: (hash_of(name), name))
    logits = np.zeros(len(learnt.examples))
    for fold in range(FOLDS):
        out = {*sheets[fold::FOLDS]}
        rows = [at for at, one in enumerate(learnt.examples) if one.sheet not in out]
        weights, bias = _logit(learnt, rows)
        at = [at for at, one in enumerate(learnt.examples) if one.sheet in out]
        logits[at] = learnt.laid[at] @ weights + bias
    return logits


def hash_of(name: str) -> int:
    """A number that follows from a name, the same each time."""
    return int.from_bytes(name.encode()) % 1009


def cross_fitted() -> Mapping[tuple[str, str], float]:
    """Sheet with position, and sentence, to how surely it is a directive, as `left_out`."""
    learnt = lesson()
    return {(one.sheet, one.written): float(n) for one, n in zip(learnt.examples, left_out(learnt), strict=True)}


def _logit(learnt: Lesson, rows: Sequence[int]) -> tuple[NDArray[np.float64], float]:
    """The weights of features, and what a sentence weighs by itself, for a directive against none."""
    weights, bias = learnt.fitted(rows)
    order, talk = learnt.intents.index(ORDER), learnt.intents.index(TALK)
    return np.asarray(weights[:, order] - weights[:, talk]), float(bias[order] - bias[talk])


def measure(learnt: Lesson) -> None:
    """Print what of the sentences of each kind is at least so surely a directive."""
    logits = left_out(learnt)
    every = Counter(one.right[0] for one in learnt.examples)
    for least in (-1, 0, 1, 2, 3):
        found = Counter(one.right[0] for one, n in zip(learnt.examples, logits, strict=True) if n >= least)
        print(f"at least {least}: {found[ORDER]} of {every[ORDER]} directives, {found[TALK]} of {every[TALK]} others")


def main(what: str = "") -> None:
    """Learn and write the table, or measure."""
    learnt = lesson()
    if what == "measure":
        measure(learnt)
        return
    weights, bias = _logit(learnt, range(len(learnt.examples)))
    told = {name: round(100 * float(n)) for name, n in zip(learnt.names, weights, strict=True) if n}
    text = json.dumps({"bias": round(bias, 2), "weights": told}, ensure_ascii=False, separators=(",", ":"))
    TABLE.write_text(text.replace(',"', ',\n"') + "\n", encoding="utf-8")
    print(f"{len(learnt.examples)} sentences, {len(told)} features, {TABLE.stat().st_size} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
