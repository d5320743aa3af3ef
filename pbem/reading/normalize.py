"""A line made plain: whatever dress letters and digits come in, the marks around it, and where a program broke it.

Linear in the length of a line, for any text.
"""

from __future__ import annotations

import re
import unicodedata

from engine.kit.words import folded

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
"""Letters and signs that nobody sees: what Unicode calls ignorable by default and neither control nor format (those are
told by their kind), and the empty pattern of Braille. Not the selectors that give a sign its colour."""
_FOLDED = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′ʼ`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−⁃➖", "-"),
        "×": "x",
        "º": "°",
        "\t": " ",
        # What makes a digit into a coloured key on phones, and digits that are signs of their own.
        **dict.fromkeys(["\u20e3", *map(chr, range(0xFE00, 0xFE10))], ""),
        "\U0001f51f": "10",
        **dict.fromkeys(BLANK, ""),
        # They stand for themselves: two of them are two numbers.
        **{chr(first + n): f" {n + 1} " for first in (0x2460, 0x2776, 0x2780, 0x278A) for n in range(10)},
        **{chr(0x246A + n): f" {n + 11} " for n in range(10)},
        "№": "n°",
    }
)
_OVERLAID = "".join(char for char in map(chr, range(0x300, 0x2100)) if unicodedata.combining(char) == 1)
_STRUCK = re.compile(f".[{_OVERLAID}]+")
"""What a sign laid over it strikes out."""

_ITEM = re.compile(r"(?:[-*•·–—]\s+|[•·→]\s*|[-=]>\s*|[-–—](?=[^\W\d])|\*(?=[^\W\d][^*]*$))(?=\S)")
"""The mark of a list."""
_PAIRS = {"[": "]", "«": "»", '"': '"', "“": "”", "„": "“", "*": "*", "_": "_", "`": "`", "'": "'", "‘": "’", "‹": "›"}
_YEA = frozenset(
    "👍👌👏🙏💪🤝🤞✌👋🙌🫡🫶👉➡▶✅✔☑🆗"
    "🙂😀😃😄😁😆😊😉😇☺😌😎🤗🥳🤩😋😛😜😅😂🤣🥰😍😘😏😈🎉🎊🥂🍻🍀✨⭐🌟❤♥🧡💛💚💙💜🖤🤍💕☕☀🌞🌈🔥"
    "🎲🎯🏆🏰⛪🏗🔨⚔🗡🛡🏹🌾🐑💰🪙👑"
)
"""Signs that are courtesy; any other may doubt what it stands beside."""
_SMILE = re.compile(r"(?:^|\s)(?:[:;=][-']?[)(dp|*]|<3|xd|\^\^)$", re.IGNORECASE)
_CLOSE = "\"'»)]*_ "
_LONG, BREAKS = 55, 60
"""Columns from which a program may have broken a line; the narrowest at which programs break lines."""


def fold(line: str) -> str:
    """A line as the reader of orders wants it: compatibility forms resolved, typographic signs as ASCII, single blanks.

    Full-width digits, keycaps, no-break spaces, smart quotes, dashes, `×`, zero-width and control characters are all
    made plain; letters keep their accents and their case. What is struck out is not there, as in HTML.
    """
    if line.isascii():
        if not line.isprintable():
            line = "".join(char for char in line.replace("\t", " ") if char.isprintable())
        return " ".join(line.split())
    # Signs first: NFKC takes some of them apart (´ becomes a blank with an accent).
    line = _STRUCK.sub("", line)
    line = unicodedata.normalize("NFKC", line.translate(_FOLDED)).translate(_FOLDED)
    if not line.isprintable():
        line = "".join(char for char in line if unicodedata.category(char) not in _UNFIT)
    return " ".join(line.split())


plain = folded
"""A folded line in lower case and without accents, to be compared with words of ours."""


def unmarked(text: str, ends: bool = True) -> str:
    """Without list marks, quotation marks around all of it, emoji around it and final marks."""
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


def may_go_on(line: str, below: str) -> bool:
    """Whether a program may have put the words below onto a line of their own for want of room: the line above is long,
    and does not end its sentence with . ! ? … : or an emoji."""
    end = line.rstrip()
    if end.rstrip(_CLOSE).endswith((".", "!", "?", "…", ":")) or _SMILE.search(end[-4:]):
        return False
    if end and (unicodedata.category(end[-1]) == "So" or "\U0001f3fb" <= end[-1] <= "\U0001f3ff"):
        return False
    return len(line) >= _LONG or len(line) + 1 + len(below) > BREAKS
