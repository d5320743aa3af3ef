from __future__ import annotations

import gettext
import io
import re
from pathlib import Path

import pytest
from jinja2 import Environment
from markupsafe import Markup, escape

from engine.catalog import Catalogue, T
from pbem.inbound.sanitize import clean_text, one_line
from pbem.outbound.render import Host, Renderer
from pbem.outbound.translation import install_translations, languages, name_forms, parse_forms, translations
from tests.pseudo import PSEUDO
from tests.tools import language
from tests.tools.language import sentences


def test_a_language_without_catalogue_is_english() -> None:
    assert Catalogue(translations("xx-yy")).render(T("{n} denier", "{n} deniers", n=2)) == "2 deniers"
    assert Catalogue(translations("../../etc")).render(T("pass")) == "pass"


def test_templates_are_compiled_once_in_a_process_however_many_hosts_write() -> None:
    one, other = Renderer(Host("games@host.test")), Renderer(Host("other@host.test"))
    assert one.room("fr", "txt") is other.room("fr", "txt") is not one.room("fr", "html")


def test_english_is_always_there() -> None:
    assert languages()[0] == "en"


def test_translators_are_given_singulars_and_plurals_of_every_sentence() -> None:
    source = (
        b'T("one")\nT("{n} cube", "{n} cubes", n=3)\nT("with {x}", x=T("inside"))\nT(name)\nother("no")\nT("")\n'
        b'T.of("a die", "free")\nT.of("a die", "{n} is free", "{n} are free", n=3)\n'
    )
    found = [(line, function, words) for line, function, words, _ in sentences(io.BytesIO(source), (), (), {})]
    assert sorted(found, key=str) == [
        (1, None, "one"),
        (2, "ngettext", ("{n} cube", "{n} cubes")),
        (3, None, "inside"),
        (3, None, "with {x}"),
        (7, "pgettext", ("a die", "free")),
        (8, "npgettext", ("a die", "{n} is free", "{n} are free")),
    ]


def test_every_sentence_of_the_program_is_a_literal_that_translators_can_be_given() -> None:
    """`T(variable)` would never be found; names of cards and the like come from tables and are data."""
    root = Path(__file__).parents[2] / "pbem"
    broken = []
    for path in root.rglob("*.py"):
        text = path.read_bytes()
        calls = text.count(b" T(") + text.count(b"(T(") - text.count(b'T("")')
        found = len(list(sentences(io.BytesIO(text), (), (), {})))
        if calls > found:
            broken.append(path.name)
    assert broken == []


def test_pseudo_language_marks_what_it_translates() -> None:
    assert Catalogue(PSEUDO).render(T("{n} denier", "{n} deniers", n=1)) == "⟦1 denier⟧"


FORM = re.compile(r"(?:\{|%\()\w+:(\w+)[})]")

BENDS = parse_forms(
    {
        "articles": {"le ": "palais", "l'": "évêché", "les ": "dames"},
        "forms": {"le": [], "de": [["^le ", "du "], ["^les ", "des "], ["^(?=la |l')", "de "], ["^(?=[aeiou])", "d'"], ["^", "de "]]},
    }
)


class Bent(gettext.NullTranslations):
    """A language that says what it is asked to, with forms."""

    def gettext(self, message: str) -> str:
        return {"from {x}": "vient {x:de}", "{x} is full": "{x:Le} : complet", "of %(x)s": "%(x:De)s %(x)s"}.get(message, message)

    def pgettext(self, context: str, message: str) -> str:
        return f"{message} ({context})"


def test_a_translated_sentence_bends_what_is_filled_in() -> None:
    """Names of the game have their article, people none; each part of a list is bent."""
    words = Catalogue(Bent(), "fr", BENDS)
    assert "vient du Palais 6" == words.render(T("from {x}", x=T("Palais {n}", n=6)))
    assert "vient de l'Évêché" == words.render(T("from {x}", x=T("Évêché")))
    assert "vient des Dames, d'Anna, de Palais" == words.render(T("from {x}", x=(T("Dames"), "Anna", "Palais")))
    assert "L'Évêché : complet" == words.render(T("{x} is full", x=T("Évêché")))
    assert "vient de 6" == words.render(T("from {x}", x=6))
    assert "from Palais" == str(T("from {x}", x=T("Palais")))


def test_a_form_that_the_language_does_not_have_is_a_fault() -> None:
    with pytest.raises(ValueError, match=r"no form 'au'.*le, de"):
        BENDS.bent("Palais", "au")


def test_one_word_may_mean_two_things() -> None:
    assert "free (a die)" == Catalogue(Bent()).render(T.of("a die", "free"))
    assert "free" == str(T.of("a die", "free")) == str(T("free"))


@pytest.mark.parametrize("escaped", [False, True])
def test_templates_may_ask_for_forms_too(escaped: bool) -> None:
    made = Environment(extensions=["jinja2.ext.i18n"], autoescape=escaped)
    install_translations(made, Bent(), BENDS)
    asked = made.from_string("{% trans x=x %}of {{ x }}{% endtrans %}, {% trans 'a die' %}free{% endtrans %}, {% trans n=2 %}{{ n }} day{% pluralize %}{{ n }} days{% endtrans %}")
    began = "D&#39;A&lt;b&gt; A&lt;b&gt;" if escaped else "D'A<b> A<b>"
    assert f"{began}, free (a die), 2 days" == asked.render(x="A<b>")
    assert "D'A<i> A<i>, free (a die), 2 days" == asked.render(x=Markup("A<i>"))


@pytest.mark.parametrize("escaped", [False, True])
@pytest.mark.parametrize("name", ["<b>Zoe</b>", "%(x)s", "%(y)s %s %%", "{x} {x:de} {{ x }}", '"><i', "&lt;i&gt;", "A:de"])
def test_what_people_are_called_is_neither_markup_nor_a_field(name: str, escaped: bool) -> None:
    """In templates and in sentences, bent or not: a name is filled in once, and escaped once where the page is HTML."""
    made = Environment(extensions=["jinja2.ext.i18n"], autoescape=escaped)
    install_translations(made, Bent(), BENDS)
    bent, shown = BENDS.bent(name, "de", name=True), escape if escaped else str
    asked = made.from_string("{% trans x=x %}of {{ x }}{% endtrans %}")
    assert f"{shown(bent[:1].upper() + bent[1:])} {shown(name)}" == asked.render(x=name)
    assert f"vient {bent}" == Catalogue(Bent(), "fr", BENDS).render(T("from {x}", x=name))
    told = made.from_string("{{ said }}").render(said=Catalogue(Bent(), "fr", BENDS).render(T("from {x}", x=name)))
    assert f"vient {shown(bent)}" == told


FOLDERS = sorted(path.parent for path in language.LOCALE.rglob("pbem.po"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_what_is_shipped_is_what_translators_wrote(folder: Path) -> None:
    """`make language fr` makes one of the other."""
    assert language.compiled(folder) == (folder / "pbem.mo").read_bytes()
    rows = language.read(folder / "pbem.po")
    assert language.written(folder.parent.name, rows, language.head_of(folder / "pbem.po")) == (folder / "pbem.po").read_text(encoding="utf-8")


def test_french_says_everything_that_the_program_says() -> None:
    """A sentence without French, or with something else filled in, is told by `make language fr`, too."""
    said = language.read(language.LOCALE / "fr" / "LC_MESSAGES" / "pbem.po")
    rows = language.merged("fr", said, language.collected())
    assert [] == list(language.faults(rows))
    assert list(rows) == list(said)
    assert [row.said for row in rows.values()] == [row.said for row in said.values()], "a text of the box has changed"


def test_every_form_that_a_sentence_asks_for_is_declared() -> None:
    for folder in FOLDERS:
        bends = name_forms(folder.parent.name)
        asked = {form for row in language.read(folder / "pbem.po").values() for text in row.said for form in FORM.findall(text)}
        for form in asked:
            assert bends.bent("x", form), form


def test_people_and_places_are_bent_as_french_does() -> None:
    bends = name_forms("fr")
    assert ["du Palais 6", "de l'Évêché", "de l'Hôtel de ville 3.1", "de la Cathédrale", "des Brigands"] == [
        bends.bent(name, "de") for name in ("Palais 6", "Évêché", "Hôtel de ville 3.1", "Cathédrale", "Brigands")
    ]
    assert ["au Palais", "à l'Archer", "aux Remparts"] == [bends.bent(name, "à") for name in ("Palais", "Archer", "Remparts")]
    assert ["d'Anna", "de Faye", "d'Hugo", "d'Yves", "de Yann"] == [bends.bent(one, "de", name=True) for one in ("Anna", "Faye", "Hugo", "Yves", "Yann")]


def test_a_catalogue_keeps_what_is_translated_and_says_what_is_not() -> None:
    key, other, gone = ("", "{n} cube of {x}", "{n} cubes of {x}"), ("a die", "free", ""), ("", "gone", "")
    old = {key: language.Sentence(key, ["old.py"], ("{n} cube {x:de}", "{n} cubes")), gone: language.Sentence(gone, ["old.py"], ("parti",)), ("", "free", ""): language.Sentence(("", "free", ""), ["old.py"], ("libre",))}
    new = {row: language.Sentence(row, ["new.py"]) for row in (key, other, ("", "Palace", ""), ("", "new", ""), ("", "{x}: {y}", ""))}
    rows = language.merged("fr", old, new)
    assert ("{n} cube {x:de}", "{n} cubes") == rows[key].said and ("Palais",) == rows[("", "Palace", "")].said
    assert rows[("", "{x}: {y}", "")].done
    assert ["x is not filled in on both sides: new.py: '{n} cube of {x}'", "a guess, to be read: new.py: 'free'", "not translated: new.py: 'new'"] == list(language.faults(rows))


def test_a_singular_and_a_plural_in_one_text_are_a_fault() -> None:
    key = ("", "{n} cube", "")
    row = language.Sentence(key, ["a.py"], ("{n} cube ¦ {n} cubes",))
    assert ["singular and plural stand in one: a.py: '{n} cube'"] == list(language.faults({key: row}))


def test_people_cannot_turn_or_break_a_line() -> None:
    """Control and bidirectional characters are removed, on one line."""
    nasty = "a\u202eb\u2066c\r\nd\u2028e\x00f\x1b[31mg\ufeffh\u200bi\ud800j"
    assert one_line(nasty) == "abc  d ef[31mghij"
    assert clean_text(nasty) == "abc d ef[31mghij"


def test_what_joins_letters_and_emoji_stays() -> None:
    family = "👩\u200d👧"
    assert one_line(f"é {family}\u00a0ß") == f"é {family}\u00a0ß"


def test_a_line_cut_off_says_so() -> None:
    assert clean_text("x" * 50, 10) == "x" * 9 + "…"
