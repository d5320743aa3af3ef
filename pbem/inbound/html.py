"""Turn the HTML of a letter into plain lines. Nothing is rendered or fetched.

Quotations get `>` before each line as in plain text, so one cutter serves both. A program's mark before its quotation
becomes a rule of underscores. Hidden (`hidden_text`) and struck text is left out. An empty line ends a paragraph.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from engine.catalog import T
from pbem.inbound.hidden_text import TextStyle, style_below
from pbem.inbound.mime import LimitExceeded

MAX_TAGS = 10_000

RULE = "_" * 32
"""The rule that Outlook's plain text puts before its quotation."""


_BLOCKS = frozenset(
    {"address", "article", "body", "center", "dd", "div", "dl", "dt", "fieldset", "footer", "form"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "header", "li", "main", "ol", "p", "pre", "section"}
    | {"table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"}
)
_SILENT = frozenset({"head", "noscript", "script", "style", "template", "title"})
_KEPT = _BLOCKS | _SILENT | {"blockquote", "br", "hr", "html"}
_EMPTY = frozenset(
    {"area", "base", "basefont", "bgsound", "col", "embed", "frame", "img", "input", "keygen", "link", "meta"}
    | {"param", "source", "track", "wbr"}
)
_STRUCK = frozenset({"del", "s", "strike"})
_INLINE = "span"
"""Stands for every other tag, which may hide its content; the parser keeps it open at no cost."""

_TAG = re.compile(
    r"""<(?P<close>/?)(?P<name>[A-Za-z][^\s<>/"']*+)(?P<rest>(?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+)>|<(?=[A-Za-z/])""",
)
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?|"[^"]*"|'[^']*'""")
_NAMES = frozenset({"id", "class", "data-marker", "data-smartmail"})
"""Attributes that tell a program's quotation or signature."""
_LOOKS = frozenset({"style", "hidden", "aria-hidden", "color", "bgcolor", "text"})
"""Attributes that may hide text."""

_QUOTE_BEGINS = re.compile(
    r"\b(?:x_)?(?:divRplyFwdMsg|appendonsend|yahoo_quoted|zwchr|__DIVIDER__|"
    r"mail-editor-reference-message-container)\b"
)
_LINE = "MsoNormal"
"""The class of Outlook's <p>, which is a line, not a paragraph."""

_SIGNATURES = 20

_SIGNATURE = re.compile(
    r"\b(?:x_)?(?:gmail_signature|moz-signature|AppleMailSignature|protonmail_signature_block|"
    r"ms-outlook-mobile-signature|Signature)\b"
)


def lines_of_html(html: str) -> tuple[str, ...]:
    """The lines of `html`, quoted ones with `> ` for each level. Raises LimitExceeded."""
    if html.count("<") > MAX_TAGS:
        raise LimitExceeded(
            T(
                "The formatting of your letter has more than {limit} tags. Nothing was done; please write plain text.",
                limit=MAX_TAGS,
            )
        )
    # Attributes and inline tags make the parser quadratic: 250 kB of attributes in one tag take 4 s, and unclosed
    # <b> before each <p> exhaust memory. So they are removed first.
    tree = LexborHTMLParser(_TAG.sub(_bare, html))
    writer = _Writer()
    if tree.root is not None:
        _walk(tree.root, writer)
    return writer.finished()


def _bare(tag: re.Match[str]) -> str:
    """The tag with those attributes alone that matter here, the names in `class`. Time is linear."""
    if tag["name"] is None:
        return "&lt;"
    name = tag["name"].lower()
    if name in _EMPTY:
        return ""
    kept = name if name in _KEPT else _INLINE
    if tag["close"]:
        return f"</{kept}>"
    found: dict[str, str] = {"hidden": ""} if name in _STRUCK else {}
    marks: list[str] = []
    for attribute, *values in _ATTRIBUTE.findall(tag["rest"][:2000]):
        value = next(filter(None, values), "").replace('"', " ")
        if attribute.lower() in _NAMES:
            marks.append(value.strip())
        elif attribute.lower() in _LOOKS:
            found.setdefault(attribute.lower(), value)
    found |= {"class": " ".join(marks)} if marks else {}
    return "<" + " ".join([kept, *(f'{key}="{value}"' for key, value in found.items())]) + ">"


def _walk(root: LexborNode, writer: _Writer) -> None:
    """Walk depth first with a stack: letters may be nested deeper than Python recurses."""
    stack: list[tuple[LexborNode, bool, TextStyle]] = [(root, True, TextStyle())]
    while stack:
        node, opening, style = stack.pop()
        tag = node.tag or ""
        if not opening:
            writer.leave(tag, node.attributes.get("class") or "")
            continue
        if tag == "-text":
            if style.seen:
                writer.words(node.text_content or "")
        elif not _passed_over(node, tag, writer):
            below = style_below(style, node.attributes)
            if below is None:
                if tag in _BLOCKS:
                    writer.new_block()
                continue
            writer.enter(tag, bool(_QUOTE_BEGINS.search(node.attributes.get("class") or "")))
            stack.append((node, False, below))
            stack.extend((child, True, below) for child in reversed([*node.iter(include_text=True)]))


def _passed_over(node: LexborNode, tag: str, writer: _Writer) -> bool:
    if tag in _SILENT or tag.startswith(("-", "!", "_")):
        return True
    if not _SIGNATURE.search(node.attributes.get("class") or ""):
        return False
    # A signature that holds the quotation by mistake is read, so that the cutter finds the quotation. Each such search
    # costs the size of the signature, so their number is limited.
    writer.signatures += 1
    return writer.signatures > _SIGNATURES or node.css_first("blockquote, hr") is None


class _Writer:
    """Collects lines with their quotation depth."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line: list[str] = []
        self.depth = 0
        self.verbatim = 0
        self.signatures = 0

    def words(self, text: str) -> None:
        text = text.replace("\x00", "")
        if self.verbatim:
            first, *more = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            self.line.append(first)
            for line in more:
                self.end_line()
                self.line.append(line)
        else:
            # Unicode's line separators are the writer's, those of the HTML source are not.
            self.line.append(re.sub(r"[ \t\r\n\f]+", " ", text))

    def end_line(self) -> None:
        words = "".join(self.line)
        self.lines.append("> " * min(self.depth, 20) + (words.rstrip() if self.verbatim else words.strip(" ")))
        self.line = []

    def new_block(self) -> None:
        if "".join(self.line).strip():
            self.end_line()
        self.line = []

    def enter(self, tag: str, quote_begins: bool) -> None:
        if tag == "br":
            self.end_line()
        elif tag in _BLOCKS or tag in ("blockquote", "hr"):
            self.new_block()
        if tag == "hr" or quote_begins:
            self.lines.append("> " * min(self.depth, 20) + RULE)
        self.depth += tag == "blockquote"
        self.verbatim += tag == "pre"

    def leave(self, tag: str, marks: str) -> None:
        if tag in _BLOCKS or tag == "blockquote":
            self.new_block()
        if tag == "p" and _LINE not in marks:
            self.lines.append("")
        self.depth -= tag == "blockquote"
        self.verbatim -= tag == "pre"

    def finished(self) -> tuple[str, ...]:
        self.new_block()
        return tuple(self.lines)
