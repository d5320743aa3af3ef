"""Which text of an HTML letter its reader cannot see. Such text counts as absent.

Only what stands on the tags themselves is read: `hidden`, `aria-hidden`, `display:none`, `visibility:hidden`,
`opacity:0`, a font size or a box of zero, and text in the colour of its background. Style sheets and positions are not
read: text that they hide counts as visible, so it is cut as a quotation or asked about like any other line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ZERO = re.compile(r"[+-]?(?:0+\.?0*|\.0+)(?:px|pt|em|rem|%)?")
_TINY = re.compile(r"(?:[01](?:\.\d*)?|\.\d+)(?:px|pt)?|(?:0?\.)?0+\d?r?em|0+(?:\.\d*)?%")
"""A font size under two pixels or points, or a few hundredths of the usual."""
_SIZE = re.compile(r"\b(?:[\d.]+(?:px|pt|r?em|%)|0(?=[/ ]))")
"""The size in the short form `font`."""
_HEX = re.compile(r"#?(?:([0-9a-f])([0-9a-f])([0-9a-f])|([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2}))")
_RGB = re.compile(r"rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)\s*(?:[,/]\s*([0-9.]+)%?\s*)?\)")
_NAMED = {"white": (255, 255, 255), "snow": (255, 250, 250), "ivory": (255, 255, 240), "black": (0, 0, 0)}

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
    if size := style.get("font-size") or next(iter(_SIZE.findall(style.get("font", ""))), ""):
        # A size in `em` or `%` counts from the one above.
        tiny = _TINY.fullmatch(size) is not None or (tiny and size.endswith(("em", "%", "inherit")))
    if colour := style.get("color") or tag.get("color") or tag.get("text"):
        ink = ink if colour in ("inherit", "currentcolor") else _colour(colour, paper)
    if colour := style.get("background-color") or style.get("background") or tag.get("bgcolor"):
        paper = _colour(colour, paper)
    return TextStyle(hidden, tiny, ink, paper)


def _declarations(style: str) -> dict[str, str]:
    pairs = (one.partition(":") for one in _COMMENT.sub(" ", style.lower()).replace("!important", "").split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs}


def _is_zero(style: dict[str, str], name: str) -> bool:
    return _ZERO.fullmatch(style.get(name, "")) is not None


def _boxless(style: dict[str, str]) -> bool:
    """A box without width or height, whose text may not stand out of it."""
    cut = any(style.get(name, "").startswith(("hidden", "clip")) for name in ("overflow", "overflow-x", "overflow-y"))
    return cut and any(_is_zero(style, side) for side in ("width", "height", "max-width", "max-height"))


def _colour(value: str, below: Colour) -> Colour:
    """The colour that a value names; `below` where it lets that shine through. A picture equals nothing else."""
    value = value.strip().lower()
    first = value if "(" in value else value.partition(" ")[0]
    if found := _RGB.match(first):
        return below if found[4] and _ZERO.fullmatch(found[4]) else (int(found[1]), int(found[2]), int(found[3]))
    if found := _HEX.fullmatch(first):
        return tuple(int(digits * (3 - len(digits)), 16) for digits in found.groups() if digits)  # type: ignore[return-value]
    return below if first in ("transparent", "none", "inherit", "initial", "unset") else _NAMED.get(first, first)


def _alike(one: Colour, other: Colour) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return all(abs(a - b) <= _NEAR for a, b in zip(one, other, strict=True))
