"""Signs made plain: whatever dress letters and digits come in, and the two forms in which lines are compared.

Linear in the length of a line, for any text.
"""

from __future__ import annotations

import re
import unicodedata

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


_ASKED = frozenset(("please", "pls", "i", "we", "you", "us", "to", "me", "must", "will", "can", "do", "should")) | {
    *("now", "just", "and", "let", "svp", "stp", "on", "et", "je")
}
"""Behind these «stop» is a verb."""


def untelegraphed(line: str) -> str:
    """A line whose parts a telegram's STOP ends, with commas: it stands at the end of capitals, or more than once."""
    words = line.split()
    stops = [at for at, word in enumerate(words) if word.lower().rstrip(".,;") == "stop"]
    wired = len(stops) > 1 or (line.isupper() and stops[-1:] == [len(words) - 1])
    before = ["" if at == 0 or at - 1 in stops else words[at - 1].lower() for at in stops]
    if not wired or not all(word[-1:].isalnum() and word not in _ASKED for word in before):
        return line
    ended = (f"{word}," if at + 1 in stops else word for at, word in enumerate(words) if at not in stops)
    return " ".join(ended).rstrip(",")


def plain(line: str) -> str:
    """A folded line in lower case and without accents, to be compared with words of ours."""
    if line.isascii():
        return line.lower()
    return re.sub(r"[\u0300-\u036f]", "", unicodedata.normalize("NFKD", line.lower()))
