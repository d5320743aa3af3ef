"""Learns what sentences want of the server (`pbem/reading/intents.json`): `python -m tests.learn_wishes`, half a minute;
with `measure`, how many of each sheet are found by all the others, whole sheets left out, and nothing is written.

The sentences are those of the sheets of tests/wordings: `asked-*.toml` and `wished.toml` under the commands that are right,
the orders of `mailed-*.toml` and `troyes-*.toml` as `ORDER`, and all that does nothing as `TALK`. A multinomial logistic
model with a ridge (Hastie, Tibshirani, Friedman, The Elements of Statistical Learning, chapters 4.4 and 18.3.2) is fitted
to them in the space of the sentences, by Nesterov's accelerated gradient from nought: the same weights each time. Weights
near nought are left out. Needs NumPy, which comes with the extra `dev`.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.game import find
from engine.kit.words import folded
from pbem.desk import commands, moments
from pbem.reading import intents
from pbem.reading.intents import ORDER, TALK
from pbem.reading.wants import Sentence

SHEETS = Path(__file__).parent / "wordings"
TABLE = Path(intents.__file__).with_name("intents.json")
KINDS = ("troyes", "troyes-dice")
PEOPLE = frozenset(("anna", "faye", "geoffrey", "emily", "bob", "cleo", "dora"))
"""Who sits at the tables of the sheets."""
LANGUAGES = ("en", "fr")
RIDGE, STEPS = 0.01, 200
OTHERS = 0.5
"""What an order, or talk beside orders, counts: there are many of them."""
LEAST, SEEN = 0.4, 2
"""Weights below are left out, and features that fewer sentences have."""
FOLDS = 5
UNTOUCHED = frozenset(("asked-ninth", "asked-twelfth", "asked-talk"))
"""Sheets that nothing is learnt from, so that they tell how others are read."""
_VALUED = ("mail", "vote")
_SWITCHED = {"away": "off", "quiet": "off", "remind": "usual"}
Matrix = NDArray[np.float32]


@dataclass(frozen=True)
class Example:
    """A sentence, where it stands, and the intents that are right, the first of them learnt."""

    sheet: str
    language: str
    written: str
    right: tuple[str, ...]


def intent(line: str) -> str:
    """The intent of a command as a player writes it."""
    found = commands.command_of(line)
    if found is None:
        head = folded(line).partition(" ")[0].rstrip(":")
        return "cancel {}" if head in ("revoquer", "cancel") else "{}" if head in ("auto", "ensuite", "later") else ORDER
    command, argument = found
    argument = command.meant(argument)
    word, first = command.word, folded(argument).partition(" ")[0].strip(":")
    if word == "card":
        return "help {}"
    if word == "ruling":
        return "ruling {}" if argument else "rulings"
    if word in _SWITCHED:
        return f"{word} {first}" if first == _SWITCHED[word] else f"{word} {{}}"
    if word in _VALUED:
        return f"{word} {first}" + " {}" * (first == "daily" and argument != "daily")
    return f"{word} {{}}" if command.argument and argument not in ("", "all") else word


def _lines(folder: Path, pattern: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for path in sorted(folder.glob(pattern)):
        yield path.stem, tomllib.loads(path.read_text(encoding="utf-8"))


def wishes(folder: Path = SHEETS) -> Iterator[Example]:
    """What people ask and wish, and the talk beside it."""
    for sheet, table in _lines(folder, "asked-*.toml"):
        if sheet in UNTOUCHED:
            continue
        for mail in table["mail"]:
            for language in LANGUAGES:
                for written, *right in mail.get(language, ()):
                    # What is no command is an order only where nothing else is right.
                    known = sorted(dict.fromkeys(map(intent, right)), key=lambda one: one == ORDER)
                    yield Example(sheet, language, written, tuple(known))
            yield from (Example(sheet, TALK, written, (TALK,)) for written in mail.get("traps", ()))


def others() -> Iterator[Example]:
    """Orders, and what plays nothing although it has the words of orders."""
    for sheet, table in _lines(SHEETS, "mailed-*.toml"):
        for mail in table["mail"]:
            for language in LANGUAGES:
                yield from (Example(sheet, ORDER, row[0], (ORDER,)) for row in mail.get(language, ()))
            yield from (Example(sheet, ORDER, written, (TALK,)) for written in mail.get("traps", ()))
    for sheet, table in _lines(SHEETS, "troyes-*.toml"):
        for language in ("english", "french", *LANGUAGES):
            rows = table.get(language, ())
            yield from (Example(sheet, ORDER, row[0], (ORDER,)) for row in rows if isinstance(row, list))
    for sheet, table in _lines(SHEETS, "letters-traps*.toml"):
        for rows in table.values():
            for letter in (one for language in LANGUAGES for one in rows.get(language, ()) if isinstance(one, str)):
                yield from (Example(sheet, ORDER, line, (TALK,)) for line in letter.split("\n") if " " in line)


def written() -> Iterator[Example]:
    """What was written to learn from."""
    for what, said in tomllib.loads((SHEETS / "wished.toml").read_text(encoding="utf-8")).items():
        for language in LANGUAGES:
            yield from (Example("wished", language, line, (what,)) for line in said[language].split("\n") if line)


@cache
def names_known() -> tuple[frozenset[str], frozenset[str]]:
    """What is marked as a name of a game, and as a town."""
    known = [find(kind).reference for kind in KINDS]
    verbs = {folded(verb) for one in known for verb in one.verbs()} | commands.words()
    return intents.names_in([word for one in known for word in one.words()], verbs), moments.towns()


def seen(line: str) -> dict[str, float]:
    """The features of a sentence."""
    sentence = Sentence.of(line)
    return intents.features(intents.marked(sentence, PEOPLE, *names_known()), sentence.raw)


class Lesson:
    """Examples laid out as a matrix of features; `counts` is what each counts."""

    def __init__(
        self,
        examples: Sequence[Example],
        look: Callable[[str], Mapping[str, float]] = seen,
        counts: Callable[[Example], float] = lambda one: OTHERS if one.language == ORDER else 1.0,
        ridge: float = RIDGE,
        least: float = LEAST,
    ) -> None:
        self.examples, self.ridge, self.least = examples, ridge, least
        rows = [look(one.written) for one in examples]
        often = Counter(name for row in rows for name in row)
        self.names = sorted(name for name, count in often.items() if count >= SEEN)
        places = {name: at for at, name in enumerate(self.names)}
        self.laid: Matrix = np.zeros((len(rows), len(places)), np.float32)
        for at, row in enumerate(rows):
            for name, value in row.items():
                if name in places:
                    self.laid[at, places[name]] = value
        self.intents = sorted({what for one in examples for what in one.right})
        self.right: Matrix = np.zeros((len(rows), len(self.intents)), np.float32)
        for at, one in enumerate(examples):
            self.right[at, self.intents.index(one.right[0])] = 1
        self.counts: Matrix = np.array([counts(one) for one in examples], np.float32)
        self.alike: Matrix = self.laid @ self.laid.T

    def fitted(self, rows: Sequence[int]) -> tuple[Matrix, Matrix]:
        """The weights of features by intents, and what each intent weighs by itself, learnt from some rows."""
        alike, right, counts = self.alike[np.ix_(rows, rows)], self.right[rows], self.counts[rows]
        bias = np.log(right.T @ counts / counts.sum() + 1e-3)
        spread = np.ones(len(rows), np.float32)
        for _ in range(20):
            spread = alike @ spread
            spread /= np.linalg.norm(spread)
        steep = 0.5 * float(spread @ (alike @ spread)) * float(counts.max()) + self.ridge
        now = np.zeros_like(right)
        ahead, pace = now, 1.0
        for _ in range(STEPS):
            shares = _shares(alike @ ahead + bias)
            after = ahead - (counts[:, None] * (shares - right) + self.ridge * ahead) / steep
            faster = (1 + (1 + 4 * pace * pace) ** 0.5) / 2
            ahead, now, pace = after + (pace - 1) / faster * (after - now), after, faster
        weights = self.laid[rows].T @ now
        weights[np.abs(weights) < self.least] = 0
        return weights, bias

    def table(self) -> dict[str, Any]:
        """What is learnt from all, as it is written."""
        weights, bias = self.fitted(range(len(self.examples)))
        rows = {
            name: [int(one) for at in np.flatnonzero(row) for one in (at, round(100 * row[at]))]
            for name, row in zip(self.names, weights, strict=True)
            if row.any()
        }
        return {"intents": self.intents, "bias": [round(float(one), 2) for one in bias], "weights": rows}


def _shares(sums: Matrix) -> Matrix:
    shares: Matrix = np.exp(sums - sums.max(1, keepdims=True))
    shares /= shares.sum(1, keepdims=True)
    return shares


def measure(lesson: Lesson) -> None:
    """Print how many are found, each sheet by all that stand in others: the first command, and any of three."""
    asked = sorted({one.sheet for one in lesson.examples if one.sheet.startswith("asked")})
    found, every = Counter[tuple[str, str]](), Counter[str]()
    for fold in range(FOLDS):
        left = set(asked[fold::FOLDS])
        rows = [at for at, one in enumerate(lesson.examples) if one.sheet not in left]
        weights, bias = lesson.fitted(rows)
        for at in (at for at, one in enumerate(lesson.examples) if one.sheet in left):
            one, sums = lesson.examples[at], lesson.laid[at] @ weights + bias
            order = [lesson.intents[n] for n in np.argsort(-sums)]
            meant = [what for what in order if what not in (ORDER, TALK)]
            every[one.language] += 1
            found[one.language, "first"] += order[0] in one.right
            found[one.language, "first command"] += meant[0] in one.right
            found[one.language, "of three"] += not {*meant[:3]}.isdisjoint(one.right)
    for (language, what), count in sorted(found.items()):
        print(f"{language}, {what}: {count} of {every[language]}, {count / every[language]:.1%}")


def main(what: str = "") -> None:
    """Learn and write the table, or measure."""
    lesson = Lesson([*wishes(), *others(), *written()])
    if what == "measure":
        measure(lesson)
        return
    text = json.dumps(lesson.table(), ensure_ascii=False, separators=(",", ":"))
    TABLE.write_text(text.replace('],"', '],\n"') + "\n", encoding="utf-8")
    print(f"{len(lesson.examples)} sentences, {len(lesson.names)} features, {TABLE.stat().st_size} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
