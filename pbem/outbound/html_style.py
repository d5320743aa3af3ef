"""Style the HTML part of a mail. Styles are inlined on each tag as well, because some programs drop style sheets.

`templates/mail/look.css` holds the inlined rules above a line, and the style sheet of the head below it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib import resources

from markupsafe import Markup, escape

_RULE = re.compile(r"^\.([a-z0-9-]+) *\{([^}]*)\}", re.MULTILINE)
SHEET_LINE = "/* ---- */"
SEAT_COLOURS = 4
"""Player colours; at larger tables two players share one and differ by their letters."""

_CLASSES = {
    "yellow": "y", "white": "w", "red": "r", "purple": "p", "black": "k", "Y": "y", "W": "w", "R": "r", "P": "p",
    "jaune": "y", "blanc": "w", "rouge": "r", "mauve": "p", "noir": "k", "J": "y", "B": "w", "M": "p",
}
"""Colours and their letters in each language to CSS classes."""

_DIE = re.compile(
    rf"(?<![\w.-])(?:([{''.join(filter(str.isupper, _CLASSES))}])([1-6])"
    rf"|({'|'.join(filter(str.islower, _CLASSES))}) ([0-6](?: [1-6](?!\w|\.\w))*))(?!\w|\.\w)"
)


@cache
def style_sheet() -> tuple[dict[str, str], str]:
    """The inlined rules by class, and the style sheet of the head."""
    text = resources.files("templates").joinpath("mail", "look.css").read_text(encoding="utf-8")
    tags, head = (re.sub(r"/\*.*?\*/", "", part, flags=re.DOTALL) for part in text.split(SHEET_LINE))
    return dict(_RULE.findall(tags)), re.sub(r"\s+", " ", head).strip()


@cache
def css(*names: str) -> Markup:
    """The attributes `class` and `style` of a tag with these classes."""
    rules, _ = style_sheet()
    style = ";".join(rules[name] for name in names if name in rules)
    return Markup('class="{}" style="{}"' if style else 'class="{}"').format(" ".join(names), style)


def seat_badges(players: Sequence[tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """For each seat the unique letters that stand for its name on a board, and the class of its colour."""
    made: dict[str, tuple[str, str]] = {}
    taken: set[str] = set()
    for number, (seat, name) in enumerate(players):
        word = "".join(filter(str.isalnum, name)) or seat
        short = next((word[:n].capitalize() for n in (1, 2, 3) if word[:n].capitalize() not in taken), str(number + 1))
        taken.add(short)
        made[seat] = (short, f"s{number % SEAT_COLOURS}")
    return made


def draw_dice(text: str) -> Markup:
    """Escape a sentence and draw its dice as coloured squares."""

    def square(found: re.Match[str]) -> str:
        return f"<b {css(_CLASSES[found[3] or found[1]])}>{found[0]}</b>"

    # Escaped first: a die is letters and digits, which escaping leaves alone.
    return Markup(_DIE.sub(square, str(escape(text))))


def prose_html(text: str) -> Markup:
    """Turn logical lines into headings, lists and paragraphs, for a part without an HTML template."""
    parts: list[str] = []
    listed = False
    for line in text.split("\n"):
        item = line.startswith(("- ", "* "))
        if listed and not item:
            parts.append("</ul>")
        if item:
            if not listed:
                parts.append(f"<ul {css('list')}>")
            own = f"<li {css('item', 'mine')}>★ " if line.startswith("* ") else f"<li {css('item')}>"
            parts.append(f"{own}{draw_dice(line[2:])}</li>")
        elif line.startswith("> "):
            parts.append(f"<p {css('yours')}>{escape(line)}</p>")
        elif line and line.isupper():
            parts.append(f"<h2 {css('head')}>{escape(line)}</h2>")
        elif line:
            parts.append(f"<p {css('line')}>{draw_dice(line)}</p>")
        listed = item
    if listed:
        parts.append("</ul>")
    return Markup("\n".join(parts))
