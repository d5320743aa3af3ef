from __future__ import annotations

import io
from pathlib import Path

from jinja2 import DictLoader

from engine.catalog import Catalogue, T
from pbem.inbound.speech import one_line, relayed
from pbem.outbound.catalogue import languages, sentences, translations
from pbem.outbound.rooms import environment
from tests.pseudo import Pseudo


def test_a_language_without_catalogue_is_english() -> None:
    assert Catalogue(translations("xx-yy")).render(T("{n} denier", "{n} deniers", n=2)) == "2 deniers"
    assert Catalogue(translations("../../etc")).render(T("pass")) == "pass"


def test_templates_are_compiled_once_in_a_run() -> None:
    """A quarter of the run's time was their compiling, when the cache of tests/conftest.py stood at a name of before."""
    assert environment(DictLoader({}), translations("en"), "en").bytecode_cache is not None


def test_english_is_always_there() -> None:
    assert languages()[0] == "en"


def test_translators_are_given_singulars_and_plurals_of_every_sentence() -> None:
    source = b'T("one")\nT("{n} cube", "{n} cubes", n=3)\nT("with {x}", x=T("inside"))\nT(name)\nother("no")\n'
    found = [(line, function, words) for line, function, words, _ in sentences(io.BytesIO(source), (), (), {})]
    assert sorted(found, key=str) == [
        (1, None, "one"),
        (2, "ngettext", ("{n} cube", "{n} cubes")),
        (3, None, "inside"),
        (3, None, "with {x}"),
    ]


def test_every_sentence_of_the_program_is_a_literal_that_translators_can_be_given() -> None:
    """`T(variable)` would never be found; names of cards and the like come from tables and are data."""
    root = Path(__file__).parents[2] / "pbem"
    broken = []
    for path in root.rglob("*.py"):
        text = path.read_bytes()
        calls = text.count(b" T(") + text.count(b"(T(")
        found = len(list(sentences(io.BytesIO(text), (), (), {})))
        if calls > found:
            broken.append(path.name)
    assert broken == []


def test_pseudo_language_marks_what_it_translates() -> None:
    assert Catalogue(Pseudo()).render(T("{n} denier", "{n} deniers", n=1)) == "⟦1 denier⟧"


def test_people_cannot_turn_or_break_a_line() -> None:
    """Contract, «Private»: control and bidirectional characters are removed, on one line."""
    nasty = "a\u202eb\u2066c\r\nd\u2028e\x00f\x1b[31mg\ufeffh\u200bi\ud800j"
    assert one_line(nasty) == "abc  d ef[31mghij"
    assert relayed(nasty) == "abc d ef[31mghij"


def test_what_joins_letters_and_emoji_stays() -> None:
    family = "👩\u200d👧"
    assert one_line(f"é {family}\u00a0ß") == f"é {family}\u00a0ß"


def test_a_line_cut_off_says_so() -> None:
    assert relayed("x" * 50, 10) == "x" * 9 + "…"
