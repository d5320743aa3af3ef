"""The HTML part of mails in tests: its links, and what must never stand in it."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from urllib.parse import parse_qs, unquote, urlsplit

from pbem.outbound.translation import languages
from tests.desk.room import Got
from tests.parts import LINKS, page_of

MOST = 60_000
"""Bytes of an HTML part: some programs cut what is longer than about 100 kB."""

NEVER = frozenset({"script", "form", "input", "button", "iframe", "object", "embed", "link", "base", "svg", "img"})
"""Tags that have no place in a mail of ours."""


class _Reader(HTMLParser):
    """Tags and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.comments: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def faults(page: str) -> list[str]:
    """What is wrong with a page, in words."""
    reader = _Reader()
    reader.feed(page)
    found = [f"<{tag}>" for tag, _ in reader.tags if tag in NEVER]
    found += [f"comment {comment!r}" for comment in reader.comments]
    for tag, attributes in reader.tags:
        found += [f"{tag} {name}" for name in attributes if name.startswith("on") or name in ("src", "background", "srcset")]
        if (href := attributes.get("href")) is not None and not href.startswith("mailto:"):
            found.append(f"link to {href}")
        if tag == "th" and attributes.get("scope") not in ("row", "col"):
            found.append("th without scope")
    acting = [value or "" for _, attributes in reader.tags for value in attributes.values()]
    acting += re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    found += [f"remote {one}" for text in acting for one in re.findall(r"url\(|https?:|@import|expression\(", text)]
    if len(page.encode()) > MOST:
        found.append(f"{len(page.encode())} bytes")
    if reader.tags[0] not in [("html", {"lang": one}) for one in languages()]:
        found.append("no language")
    return found


def words_of(page: str) -> str:
    """What a reader of the page sees, hidden or not, without tags."""
    reader = _Reader()
    reader.feed(page)
    return "".join(reader.words)


def links_of(got: Got) -> list[tuple[str, str, str]]:
    """Address, subject and body of each link of a mail."""
    found = []
    for href in re.findall(r'href="([^"]*)"', page_of(got.message)):
        whole = urlsplit(unescape(href))
        assert "+" not in whole.query + whole.path, href
        said = parse_qs(whole.query, strict_parsing=True, keep_blank_values=True)
        found.append((unquote(whole.path), said["subject"][0], said["body"][0]))
    return found


def choices_of(got: Got) -> list[tuple[str, str, str]]:
    """The links of the numbered choices alone."""
    return [link for link in links_of(got) if link[2] not in LINKS]
