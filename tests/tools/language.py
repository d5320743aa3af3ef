"""The catalogue of a language: `make language fr` collects the sentences of the program, keeps what is translated,
compiles it, and says what is missing.

`templates/locale/fr/LC_MESSAGES/pbem.po` is what translators edit; nothing is lost of it but sentences that are gone.
Its order is by file and sentence, and it names no lines, so that two who change it seldom meet. French texts of cards
stand in the tables of the box beside the English ones and are copied from there.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import write_mo
from babel.messages.plurals import PLURALS
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[2]
LOCALE = ROOT / "templates" / "locale"
BOXES = tuple(sorted(path for room in ("box", "card_data") for path in (ROOT / "engine").glob(f"*/{room}/*.toml")))
NEVER = datetime(2000, 1, 1, tzinfo=UTC)
"""Stands in the compiled file for when it was made, which would change it every time."""

FIELDS = re.compile(r"\{(\w+)(?::\w+)?\}|%\((\w+)(?::\w+)?\)[sd]")

Key = tuple[str, str, str]
"""Context, sentence, and its plural; each empty where there is none."""


@dataclass(slots=True)
class Sentence:
    """One message of a catalogue: where it stands, its French (two for a count), whether that is only a guess."""

    key: Key
    files: list[str] = field(default_factory=list)
    said: tuple[str, ...] = ()
    fuzzy: bool = False
    notes: tuple[str, ...] = ()

    @property
    def done(self) -> bool:
        """Whether all of it is translated."""
        return bool(self.said) and all(self.said) and not self.fuzzy


def sentences(
    source: IO[bytes], keywords: Collection[str], tags: Collection[str], options: Mapping[str, object]
) -> Iterator[tuple[int, str | None, str | tuple[str, ...], list[str]]]:
    """An extraction method for Babel (babel.cfg): `T("…")`, `T("one", "many", n=…)`, and `T.of("context", …)`.

    Babel's own one takes the second argument of a call for a plural only when no keyword argument follows.
    """
    for node in ast.walk(ast.parse(source.read())):
        if not isinstance(node, ast.Call):
            continue
        within = ast.unparse(node.func) == "T.of"
        if not within and ast.unparse(node.func) != "T":
            continue
        words = tuple(arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str))
        if len(words) < 1 + within or not words[0]:
            continue
        match within, len(words) - within:
            case False, 1:
                yield node.lineno, None, words[0], []
            case False, 2:
                yield node.lineno, "ngettext", words, []
            case True, 1:
                yield node.lineno, "pgettext", words, []
            case True, 2:
                yield node.lineno, "npgettext", words, []


def tables(
    source: IO[bytes], keywords: Collection[str], tags: Collection[str], options: Mapping[str, object]
) -> Iterator[tuple[int, str | None, str, list[str]]]:
    """An extraction method for Babel: names and texts of the tables of a box."""
    for english in boxed(tomllib.loads(source.read().decode()), "fr"):
        yield 1, None, english, []


def boxed(table: object, language: str) -> dict[str, str]:
    """English to another language in all of a table and what is in it: `en` beside `fr`, `name_en` beside `name_fr`."""
    found: dict[str, str] = {}
    for part in table if isinstance(table, list) else table.values() if isinstance(table, dict) else ():
        found |= boxed(part, language)
    for key, text in table.items() if isinstance(table, dict) else ():
        if (key == "en" or key.endswith("_en")) and isinstance(text, str | list):
            other = table.get(f"{key[:-2]}{language}", [""] * len(text) if isinstance(text, list) else "")
            found |= dict(zip(text, other, strict=True)) if isinstance(text, list) else {text: other}
    return found


def collected() -> dict[Key, Sentence]:
    """Every sentence of the program, in order of file and sentence."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as rules:
        methods, options = parse_mapping_cfg(rules)
    found: dict[tuple[str, str], Sentence] = {}
    keywords = {
        "_": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2), "npgettext": ((1, "c"), 2, 3),
    }  # fmt: skip
    for file, _, words, _, context in extract_from_dir(str(ROOT), methods, options, keywords):
        one, many = (words, "") if isinstance(words, str) else words
        row = found.setdefault((context or "", one), Sentence((context or "", one, many)))
        if many:
            # A catalogue has one row for a sentence, whether or not it is counted in all places.
            row.key = (context or "", one, many)
        if file not in row.files:
            row.files = sorted((*row.files, file))
    return {row.key: row for row in sorted(found.values(), key=lambda row: (row.files[0], row.key))}


def read(path: Path) -> dict[Key, Sentence]:
    """The messages of a catalogue."""
    if not path.exists():
        return {}
    found: dict[Key, Sentence] = {}
    for row in read_po(io.BytesIO(path.read_bytes())):
        if row.id:
            one, many = row.id if isinstance(row.id, tuple | list) else (row.id, "")
            said = tuple(row.string) if isinstance(row.string, tuple | list) else (str(row.string),)
            key = (row.context or "", one, many)
            found[key] = Sentence(key, [file for file, _ in row.locations], said, row.fuzzy, tuple(row.user_comments))
    return found


def merged(language: str, old: Mapping[Key, Sentence], new: Mapping[Key, Sentence]) -> dict[Key, Sentence]:
    """What is to be translated with what is: of the box, of the same sentence, or, as a guess, of a context before."""
    box: dict[str, str] = {}
    for path in BOXES:
        box |= boxed(tomllib.loads(path.read_text(encoding="utf-8")), language)
    before = {key[1:]: row for key, row in old.items()}
    for key, row in new.items():
        if box.get(key[1]) and not key[0]:
            row.said = (box[key[1]],)
        elif same := old.get(key):
            row.said, row.fuzzy, row.notes = same.said, same.fuzzy, same.notes
        elif not key[2] and not re.search(r"\w", FIELDS.sub("", key[1])):
            row.said = (key[1],)
        elif near := before.get(key[1:]):
            row.said, row.fuzzy = near.said, any(near.said)
        else:
            row.said = ("",) * (PLURALS.get(language, (2, ""))[0] if key[2] else 1)
    return dict(new)


def written(language: str, rows: Mapping[Key, Sentence], head: str = "") -> str:
    """The catalogue as a file, with the comment that stands at its head."""
    count, plural = PLURALS.get(language, (2, "(n != 1)"))
    lines = [head.rstrip("\n")] if head else []
    lines += ['msgid ""', 'msgstr ""', _quoted(f"Language: {language}\n")]
    lines += [_quoted("MIME-Version: 1.0\n"), _quoted("Content-Type: text/plain; charset=utf-8\n")]
    lines += [_quoted("Content-Transfer-Encoding: 8bit\n")]
    lines += [_quoted(f"Plural-Forms: nplurals={count}; plural={plural};\n"), ""]
    for (context, one, many), row in rows.items():
        lines += [f"# {note}" for note in row.notes]
        lines += [f"#: {file}" for file in row.files]
        lines += ["#, fuzzy"] if row.fuzzy else []
        lines += [f"msgctxt {_quoted(context)}"] if context else []
        lines += [f"msgid {_quoted(one)}"]
        if many:
            lines += [f"msgid_plural {_quoted(many)}"]
            lines += [f"msgstr[{n}] {_quoted(text)}" for n, text in enumerate(row.said)]
        else:
            lines += [f"msgstr {_quoted(row.said[0])}"]
        lines.append("")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


def head_of(path: Path) -> str:
    """The comment at the head of a catalogue: its words, for whoever translates."""
    if not path.exists():
        return ""
    return "\n".join(iter_head(path.read_text(encoding="utf-8").splitlines()))


def iter_head(lines: list[str]) -> Iterator[str]:
    """The lines before the first message."""
    for line in lines:
        if not line.startswith("#"):
            return
        yield line


def compiled(folder: Path) -> bytes:
    """`pbem.mo` of the folder of a language: what is translated for certain, with the blanks that must not break."""
    file = folder / "forms.toml"
    rules = tomllib.loads(file.read_text(encoding="utf-8")).get("typography", {}) if file.exists() else {}
    with (folder / "pbem.po").open("rb") as source:
        catalog = read_po(source)
    made = Catalog(catalog.locale, creation_date=NEVER, revision_date=NEVER, fuzzy=False)
    made.mime_headers = [(name, text) for name, text in catalog.mime_headers if "Date" not in name]
    for row in catalog:
        if row.id and not row.fuzzy:
            said = row.string if isinstance(row.string, tuple | list) else (row.string,)
            if all(said):
                kept = tuple(_set(text, rules) for text in said)
                made.add(row.id, kept if isinstance(row.string, tuple | list) else kept[0], context=row.context)
    found = io.BytesIO()
    write_mo(found, made)
    return found.getvalue()


def _set(text: str, rules: Mapping[str, str]) -> str:
    for plain, instead in rules.items():
        text = text.replace(plain, instead)
    return text


def names(text: str) -> set[str]:
    """What is filled into a sentence, whatever its form."""
    return {brace or percent for brace, percent in FIELDS.findall(text)}


def faults(rows: Mapping[Key, Sentence]) -> Iterator[str]:
    """What is wrong with a catalogue, a line each: not translated, a guess, something else filled in."""
    for key, row in rows.items():
        where = f"{row.files[0]}: {key[1]!r}"
        if row.fuzzy:
            yield f"a guess, to be read: {where}"
        elif not row.done:
            yield f"not translated: {where}"
        for text in row.said if row.done else ():
            if "¦" in text and "¦" not in key[1]:
                yield f"singular and plural stand in one: {where}"
            wanted = names(key[1]) | names(key[2])
            # A singular may leave out what it counts, as English does.
            if names(text) != wanted and names(text) not in (names(key[1]), names(key[2])):
                yield f"{', '.join(sorted(names(text) ^ wanted))} is not filled in on both sides: {where}"


def main(language: str) -> int:
    """Bring a catalogue up to the program, compile it, and say what is missing; 1 when something is."""
    folder = LOCALE / language.replace("-", "_") / "LC_MESSAGES"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "pbem.po"
    rows = merged(language, read(path), collected())
    path.write_text(written(language, rows, head_of(path)), encoding="utf-8")
    (folder / "pbem.mo").write_bytes(compiled(folder))
    found = list(faults(rows))
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{path.relative_to(ROOT)}: {sum(row.done for row in rows.values())} of {len(rows)} sentences translated")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
