"""Which text of an HTML letter its reader cannot see. Such text counts as absent.

Only what stands on the tags themselves is read: `hidden`, `aria-hidden`, `display:none`, `visibility:hidden`,
`opacity:0`, a font size or a box of zero, and text in the colour of its background. Style sheets and positions are not
read: text that they hide counts as visible, so it is cut as a quotation or asked about like any other line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_NUMBER = re.compile(r"\s*([+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++))\s*([a-z%]*)")
_FONT_SIZE = re.compile(r"(?:^|\s)(0|(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:px|pt|r?em|%))(?=\s|/|$)")
"""The size in the short form `font`."""
_HEX = re.compile(r"#[0-9a-f]{3,4}|#?[0-9a-f]{6}|#[0-9a-f]{8}")
_RGB = re.compile(r"rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)\s*(?:[,/]\s*([0-9.]+)%?\s*)?\)")
_NAMED = {
    "black": (0, 0, 0), "white": (255, 255, 255), "snow": (255, 250, 250), "ivory": (255, 255, 240),
    "ghostwhite": (248, 248, 255), "mintcream": (245, 255, 250), "whitesmoke": (245, 245, 245),
    "floralwhite": (255, 250, 240), "azure": (240, 255, 255), "aliceblue": (240, 248, 255),
}  # fmt: skip

_NEAR = 16
"""How far two colours may differ in each channel (of 255) and still look the same."""

Colour = tuple[int, int, int] | str
"""Red, green and blue; or a colour as it is written, which equals itself alone."""


@dataclass(frozen=True, slots=True)
class TextStyle:
    """How text looks at one place of a letter, as far as it decides whether it can be seen."""

    hidden: bool = False
    """By `visibility`, which a tag below may undo."""
    tiny: bool = False
    """By the font size, which a tag below may undo with a size of its own."""
    ink: Colour | None = None
    paper: Colour = (255, 255, 255)

    @property
    def seen(self) -> bool:
        """Whether text here can be read."""
        return not (self.hidden or self.tiny or (self.ink is not None and _alike(self.ink, self.paper)))


def style_below(above: TextStyle, tag: dict[str, str | None]) -> TextStyle | None:
    """How text looks below a tag with these attributes (names in lower case); None if nothing below it can be seen."""
    if "hidden" in tag or (tag.get("aria-hidden") or "").strip().lower() == "true":
        return None
    style = _declarations(tag.get("style") or "")
    gone = style.get("display") == "none" or style.get("mso-hide") == "all"
    if gone or _is_zero(style, "opacity") or _boxless(style):
        return None
    hidden, tiny, ink, paper = above.hidden, above.tiny, above.ink, above.paper
    if visibility := style.get("visibility"):
        hidden = visibility in ("hidden", "collapse")
    if size := style.get("font-size") or next(iter(_FONT_SIZE.findall(style.get("font", ""))), ""):
        tiny = _is_tiny(size, tiny)
    for colour in (tag.get("color") or tag.get("text"), style.get("color")):
        if colour and colour not in ("inherit", "currentcolor"):
            ink = _colour(colour, paper)
    if colour := style.get("background-color") or style.get("background") or tag.get("bgcolor"):
        paper = _colour(colour, paper)
    return TextStyle(hidden, tiny, ink, paper)


def _declarations(style: str) -> dict[str, str]:
    pairs = (one.partition(":") for one in _COMMENT.sub(" ", style.lower()).replace("!important", "").split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs}


def _is_zero(style: dict[str, str], name: str) -> bool:
    number = _NUMBER.match(style.get(name, ""))
    return number is not None and float(number[1]) == 0


def _is_tiny(size: str, above: bool) -> bool:
    """A font size below two pixels or points; `em` and `%` count from the size above."""
    number = _NUMBER.fullmatch(size)
    if number is None:
        return above and size in ("inherit", "smaller", "larger")
    if number[2] in ("em", "%"):
        return above or float(number[1]) < (0.05 if number[2] == "em" else 1)
    return float(number[1]) < (2 if number[2] in ("px", "pt", "") else 0.05)


def _boxless(style: dict[str, str]) -> bool:
    """A box without width or height, whose text may not stand out of it."""
    cut = any(style.get(name, "").startswith(("hidden", "clip")) for name in ("overflow", "overflow-x", "overflow-y"))
    return cut and any(_is_zero(style, side) for side in ("width", "height", "max-width", "max-height"))


def _colour(value: str, below: Colour) -> Colour:
    """The colour that a value names; `below` where it lets that shine through. A picture equals nothing else."""
    value = value.strip().lower()
    first = value if "(" in value else value.partition(" ")[0]
    if found := _RGB.match(first):
        glass = found[4] is not None and not found[4].strip("0.")
        return below if glass else (int(found[1]), int(found[2]), int(found[3]))
    if _HEX.fullmatch(first):
        digits = first.lstrip("#")
        red, green, blue = (digits[n : n + 2] if len(digits) > 5 else digits[n // 2] * 2 for n in (0, 2, 4))
        return int(red, 16), int(green, 16), int(blue, 16)
    return below if first in ("transparent", "none", "inherit", "initial", "unset") else _NAMED.get(first, first)


def _alike(one: Colour, other: Colour) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return all(abs(a - b) <= _NEAR for a, b in zip(one, other, strict=True))
