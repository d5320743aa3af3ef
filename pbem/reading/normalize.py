"""Normalize a line: forms of letters and digits, marks around it, and line breaks made by programs. Linear time."""

from __future__ import annotations

import re
import unicodedata

from engine.kit.words import fold_text

_UNFIT = frozenset({"Cc", "Cf", "Co", "Cs"})
BLANK = frozenset(
    map(
        chr,
        (
            *(0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2065, 0x2800, 0x3164, 0xFFA0),
            *(*range(0xFFF0, 0xFFF9), *range(0xE0000, 0xE1000)),
        ),
    )
)
"""Invisible letters and signs: Unicode's default ignorables that are neither control nor format characters, and the
empty Braille pattern. Variation selectors, which give emoji their colour, are not among them."""
_FOLDED = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′ʼ`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−⁃➖", "-"),
        "×": "x",
        "º": "°",
        "\t": " ",
        # Keycaps and variation selectors, and the keycap ten.
        **dict.fromkeys(["\u20e3", *map(chr, range(0xFE00, 0xFE10))], ""),
        "\U0001f51f": "10",
        **dict.fromkeys(BLANK, ""),
        # Circled digits: two of them are two numbers.
        **{chr(first + n): f" {n + 1} " for first in (0x2460, 0x2776, 0x2780, 0x278A) for n in range(10)},
        **{chr(0x246A + n): f" {n + 11} " for n in range(10)},
        "№": "n°",
    }
)
_OVERLAID = "".join(char for char in map(chr, range(0x300, 0x2100)) if unicodedata.combining(char) == 1)
_STRUCK = re.compile(f".[{_OVERLAID}]+")
"""A character struck out by an overlay."""

_ITEM = re.compile(r"(?:[-*•·–—]\s+|[•·→]\s*|[-=]>\s*|[-–—](?=[^\W\d])|\*(?=[^\W\d][^*]*$))(?=\S)")
"""The mark of a list item."""
_PAIRS = {"[": "]", "«": "»", '"': '"', "“": "”", "„": "“", "*": "*", "_": "_", "`": "`", "'": "'", "‘": "’", "‹": "›"}
_YEA = frozenset(
    "👍👌👏🙏💪🤝🤞✌👋🙌🫡🫶👉➡▶✅✔☑🆗"
    "🙂😀😃😄😁😆😊😉😇☺😌😎🤗🥳🤩😋😛😜😅😂🤣🥰😍😘😏😈🎉🎊🥂🍻🍀✨⭐🌟❤♥🧡💛💚💙💜🖤🤍💕☕☀🌞🌈🔥"
    "🎲🎯🏆🏰⛪🏗🔨⚔🗡🛡🏹🌾🐑💰🪙👑"
)
"""Emoji that count as courtesy; any other may express doubt."""
_SMILE = re.compile(r"(?:^|\s)(?:[:;=][-']?[)(dp|*]|<3|xd|\^\^)$", re.IGNORECASE)
_CLOSE = "\"'»)]*_ "
_LONG, BREAKS = 55, 60
"""Columns from which a line may be broken by a program; the narrowest width of wrapping programs."""


def normalize_line(line: str) -> str:
    """Resolve compatibility forms, write typographic signs as ASCII, and leave single blanks.

    Covers full-width digits, keycaps, no-break spaces, smart quotes, dashes, `×`, zero-width and control characters.
    Letters keep accents and case. Struck-out characters are removed, as in HTML.
    """
    if line.isascii():
        if not line.isprintable():
            line = "".join(char for char in line.replace("\t", " ") if char.isprintable())
        return " ".join(line.split())
    # Signs first, because NFKC takes some apart (´ becomes a blank with an accent).
    line = _STRUCK.sub("", line)
    line = unicodedata.normalize("NFKC", line.translate(_FOLDED)).translate(_FOLDED)
    if not line.isprintable():
        line = "".join(char for char in line if unicodedata.category(char) not in _UNFIT)
    return " ".join(line.split())


folded_line = fold_text
"""A line in lower case and without accents, to be compared with our words."""


def strip_marks(text: str, ends: bool = True) -> str:
    """Strip list marks, quotation marks around the whole, emoji around it and final punctuation."""
    while True:
        before, text = text, text.strip()
        opens = len(text) - len(text.lstrip(text[:1]))
        inside = text[opens:-opens]
        if inside and text.endswith(_PAIRS.get(text[0], "\n") * opens) and not {text[0], text[-1]} & set(inside):
            text = inside
        elif item := _ITEM.match(text):
            text = text[item.end() :]
        text = _unsmiled(text, ends)
        if ends:
            text = text.rstrip("!.;, ") or text
        if text == before:
            return text


def _unsmiled(text: str, ends: bool) -> str:
    while text and _is_sign(text[0]):
        text = text[1:].lstrip()
    while ends and text and _is_sign(text[-1]):
        text = text[:-1].rstrip()
    if ends and (smile := _SMILE.search(text[-4:])):
        text = text[: len(text) - len(text[-4:]) + smile.start()]
    return text


def _is_sign(char: str) -> bool:
    return char in _YEA or (char > "\u00ff" and unicodedata.category(char) in ("Sk", "Mn", "Cf"))


def may_be_wrapped(line: str, below: str) -> bool:
    """Whether a program may have wrapped the line before `below`: it is long, and does not end with . ! ? … : or an
    emoji."""
    end = line.rstrip()
    if end.rstrip(_CLOSE).endswith((".", "!", "?", "…", ":")) or _SMILE.search(end[-4:]):
        return False
    if end and (unicodedata.category(end[-1]) == "So" or "\U0001f3fb" <= end[-1] <= "\U0001f3ff"):
        return False
    return len(line) >= _LONG or len(line) + 1 + len(below) > BREAKS
