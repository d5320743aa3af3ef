"""Text of a letter that its reader cannot see, told by what stands on the tags, or in a style sheet for their classes.

Contract, «How a letter is read»: such text is not there. Of style sheets only rules for one class, id or tag are read,
and none that hold for some screens alone: what is hidden otherwise is taken for visible, and then it is a quotation, a
line of the writer's, or asked back like any other text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

_SHEET = re.compile(r"<style\b[^<>]*+>(.*?)(?:</style|\Z)", re.IGNORECASE | re.DOTALL)
_SIMPLE = re.compile(r"[a-z][a-z0-9]*|(?:[a-z][a-z0-9]*)?[.#][\w-]+")
_AT = re.compile(r"@[^@{};]{0,500}\{(?:[^{}]*+\{[^{}]*+\})*+[^{}]*+\}")
_MOST_RULES = 500
_HIDING = frozenset(
    {"display", "mso-hide", "opacity", "visibility", "font", "font-size", "overflow", "overflow-x", "overflow-y"}
    | {"width", "height", "max-width", "max-height", "clip", "clip-path", "transform", "text-indent"}
    | {"left", "top", "margin-left", "margin-top"}
)
"""What a rule of a style sheet may hide by."""

_LONGEST_VALUE = 60
"""Characters of what a rule declares: it is written anew on each of its tags."""

_LONGEST = 2000
"""Characters of a tag's attributes that are looked at."""

_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?|"[^"]*"|'[^']*'""")
_READ = frozenset({"style", "hidden", "aria-hidden", "color", "bgcolor", "text"})
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ZERO_FONT = re.compile(r"(?:^|\s)0(?:\.0+)?(?:px|pt|em|rem|%)?(?:\s|/|$)")
_NUMBER = re.compile(r"\s*([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))\s*([a-z%]*)")
_HEX = re.compile(r"#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_RGB = re.compile(r"rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)\s*(?:[,/]\s*([0-9.]+%?)\s*)?\)")
_COLOUR = re.compile(r"rgba?\([^)]*\)|#[0-9a-f]{3,8}|[a-z]+")

_FAR = 1000
"""Pixels or points to the left or above, from which text has left the page."""

_NEAR = 16
"""How far two colours may lie apart in each channel (of 255) and still be one to the eye."""

_NAMED = {
    "black": (0, 0, 0), "white": (255, 255, 255), "snow": (255, 250, 250), "ivory": (255, 255, 240),
    "ghostwhite": (248, 248, 255), "mintcream": (245, 255, 250), "whitesmoke": (245, 245, 245),
    "floralwhite": (255, 250, 240), "azure": (240, 255, 255), "aliceblue": (240, 248, 255),
}  # fmt: skip

Colour = tuple[int, int, int] | str
"""Red, green, blue; or the name of a colour, which is like itself alone."""

_PAPER: Colour = (255, 255, 255)


@dataclass(frozen=True, slots=True)
class Look:
    """How text looks at one place of a letter, as far as it decides whether it can be seen."""

    gone: bool = False
    """Nothing below can show itself again: display, opacity, a box without size, `hidden`, struck out."""
    hidden: bool = False
    """`visibility`, which a tag below may undo."""
    tiny: bool = False
    """A type size of nothing, which a tag below may undo with a size that does not depend on it."""
    ink: Colour | None = None
    paper: Colour = _PAPER

    @property
    def seen(self) -> bool:
        """Whether text here can be read."""
        return not (self.gone or self.hidden or self.tiny or (self.ink is not None and _alike(self.ink, self.paper)))


def matters(attributes: str, style: str = "") -> str:
    """Those attributes of a tag that `looks` reads, written anew, "" for none. Time is linear.

    `style` is what a style sheet says of it, which its own declarations overrule.
    """
    found: dict[str, str] = {}
    for name, *values in _ATTRIBUTE.findall(attributes[:_LONGEST]):
        if name.lower() in _READ:
            found.setdefault(name.lower(), next((value for value in values if value), ""))
    if style:
        found["style"] = f"{style};{found.get('style', '')}"
    return " ".join(f'{name}="{value.replace(chr(34), " ")}"' for name, value in found.items())


def sheet_of(html: str) -> dict[str, dict[str, str]]:
    """What a letter's own style sheets hide: simple selector (`.class`, `#id`, `tag`, `tag.class`) to declarations.

    Colours are left out, since what lies behind a text is told by another rule than its own.
    """
    found: dict[str, dict[str, str]] = {}
    for sheet in _SHEET.findall(html):
        # Rules inside `@media` hold for some screens alone.
        rules = _AT.sub(" ", _COMMENT.sub(" ", sheet.replace("<!--", " ").replace("-->", " ")))
        for rule in rules.split("}", _MOST_RULES)[:_MOST_RULES]:
            selectors, _, declarations = rule.partition("{")
            told = _declarations(declarations).items()
            style = {name: value for name, value in told if name in _HIDING and len(value) <= _LONGEST_VALUE}
            if _styled(Look(), style).seen:
                continue
            for name in (selector.strip().lower() for selector in selectors.split(",")):
                if _SIMPLE.fullmatch(name):
                    found[name] = style
    return found


def hidden_by(sheet: Mapping[str, Mapping[str, str]], tag: str, names: Iterable[tuple[str, str]]) -> str:
    """The declarations of a sheet for a tag with these values of `class` and `id`, each once."""
    called = [f"{'#' if kind == 'id' else '.'}{name.lower()}" for kind, value in names for name in value.split()]
    found: dict[str, str] = {}
    for name in dict.fromkeys((tag, *called, *(tag + name for name in called))):
        found.update(sheet.get(name, {}))
    return ";".join(f"{name}:{value}" for name, value in found.items())


def looks(above: Look, tag: dict[str, str | None]) -> Look:
    """How text looks below a tag with these attributes (names in lower case)."""
    look = above
    if "hidden" in tag or (tag.get("aria-hidden") or "").strip().lower() == "true":
        return replace(look, gone=True)
    for name in ("color", "text"):
        if value := tag.get(name):
            look = replace(look, ink=_colour(value))
    if value := tag.get("bgcolor"):
        look = replace(look, paper=_colour(value))
    return _styled(look, _declarations(tag.get("style") or ""))


def _declarations(style: str) -> dict[str, str]:
    found = {}
    for declaration in _COMMENT.sub(" ", style.lower()).split(";"):
        name, _, value = declaration.partition(":")
        found[name.strip()] = value.replace("!important", "").strip()
    return found


def _styled(look: Look, style: dict[str, str]) -> Look:
    if not style:
        return look
    if (
        style.get("display") == "none"
        or style.get("mso-hide") == "all"
        or _is_zero(style.get("opacity"))
        or _is_boxless(style)
        or _is_off_the_page(style)
    ):
        return replace(look, gone=True)
    if visibility := style.get("visibility"):
        look = replace(look, hidden=visibility in ("hidden", "collapse"))
    if (size := style.get("font-size")) is not None:
        look = replace(look, tiny=_is_tiny(size, look.tiny))
    elif _ZERO_FONT.search(style.get("font", "")):
        look = replace(look, tiny=True)
    if (ink := style.get("color", "inherit")) not in ("inherit", "currentcolor"):
        look = replace(look, ink=look.paper if _is_glass(ink) else _colour(ink))
    for name in ("background", "background-color"):
        if value := style.get(name):
            look = replace(look, paper=_paper(value, look.paper))
    return look


def _is_zero(value: str | None) -> bool:
    number = _NUMBER.match(value or "")
    return number is not None and float(number[1]) == 0


def _is_tiny(size: str, above: bool) -> bool:
    """Below two pixels or points nobody reads anything; `em` and `%` count from the size above."""
    number = _NUMBER.fullmatch(size)
    if number is None:
        return above and size in ("inherit", "smaller", "larger")
    if number[2] in ("em", "%"):
        return above or float(number[1]) == 0
    return float(number[1]) < (2 if number[2] in ("px", "pt", "") else 0.05)


def _is_boxless(style: dict[str, str]) -> bool:
    """A box without width or height, whose text may not stand out of it; `scale(0)`; a clip to nothing."""
    cut = any(style.get(name, "").startswith(("hidden", "clip")) for name in ("overflow", "overflow-x", "overflow-y"))
    sides = (style.get(side) for side in ("width", "height", "max-width", "max-height"))
    clipped = re.match(r"rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?", style.get("clip", ""))
    return (
        (cut and any(_is_zero(side) for side in sides))
        or re.search(r"scale\(\s*0(?:\.0+)?\s*[,)]", style.get("transform", "")) is not None
        or clipped is not None
        or style.get("clip-path", "").startswith(("inset(50%", "inset(100%"))
    )


def _is_off_the_page(style: dict[str, str]) -> bool:
    for side in ("text-indent", "left", "top", "margin-left", "margin-top"):
        number = _NUMBER.match(style.get(side, ""))
        if number is not None and float(number[1]) <= -_FAR:
            return True
    return False


def _is_glass(value: str) -> bool:
    """A colour that shows nothing."""
    match = _RGB.match(value)
    return value == "transparent" or (match is not None and match[4] is not None and _is_zero(match[4]))


def _colour(value: str) -> Colour:
    value = value.strip().lower()
    if value in _NAMED:
        return _NAMED[value]
    if match := _RGB.match(value):
        return int(match[1]), int(match[2]), int(match[3])
    if (match := _HEX.fullmatch(value)) and (value.startswith("#") or len(value) == 6):
        digits = match[1]
        if len(digits) < 6:
            digits = "".join(digit * 2 for digit in digits)
        return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
    return value


def _paper(value: str, above: Colour) -> Colour:
    """What a background leaves behind the text; a picture is like nothing else."""
    if "(" in value and not value.startswith("rgb"):
        return value
    first = _COLOUR.match(value)
    if first is None or first[0] in ("none", "inherit", "initial", "unset") or _is_glass(first[0]):
        return above
    return _colour(first[0])


def _alike(one: Colour, other: Colour) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return all(abs(a - b) <= _NEAR for a, b in zip(one, other, strict=True))
