"""Cut quotations, attributions and signatures off a letter, line by line, in linear time.

There are two kinds of quotation. A *prefixed* one (`>`) may have answers above, below and between its lines. An
*unprefixed* one (Outlook, most phones) has a beginning and no end: everything below it is ignored. Our own mails begin
with a marker line. A line that may belong to either side is reported as doubtful, because playing an order out of a
quotation is worse than asking again.

Text glued to the beginning of a quotation is cut free. A line typed into the quotation just before our marker is read
if nothing else was written. An empty line and a quotation each end a paragraph.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pbem.reading.courtesy import is_advert
from pbem.reading.normalize import folded_line, normalize_line

DELIMITERS = ("answer above this line", "repondez au-dessus de cette ligne")
"""The two halves of the marker line of our mails, folded. Either is enough, because programs wrap lines."""

_LONGEST = 1000
"""Characters of a line that are read."""

_WRAPPED = 72
"""Columns beyond which a program may have broken a quoted line and left the rest without `>`."""

_PREFIX = re.compile(r"\s{0,8}(?:\w{0,4}>|\|)")
_RULE = re.compile(r"--.*|[_=*~]{2,}|-")
_OPTION = re.compile(r"\[\s*\d{1,3}\s*\]\s*\S")
_GLUED = re.compile(r"(?P<own>[^\s>].{0,200}?)(?P<rest>(?<![A-Z\s])(?:On|Le|Am|El|Il|Op|Em|Den) .*\d.*)")
"""`3On 11/22/26 …`, `passOn Fri, …`: text that a program glued to an attribution."""

_FIRST_LINE = re.compile(DELIMITERS[0], re.IGNORECASE)

_ARMOUR = "-----begin pgp signed message"
"""Begins an inline-signed text (RFC 9580, section 7); headers and an empty line follow."""

_FRAMED = re.compile(r"[-_*]{3,}\s?[^-_*]{2,60}\s?[-_*]{3,}:?")
"""`----- Original Message -----`, in any language."""

_FORWARDED = re.compile(
    r"[-_*\s]{2,}(?:forwarded message|message transfere|message reexpedie|mail transfere|weitergeleitete nachricht|"
    r"forwarded by .{1,80}|fwd message)[-_*:\s]{0,80}"
    r"|(?:begin forwarded message|debut du message (?:transfere|reexpedie))\s?:"
)
_HEADERS_SEEN = 3
_LABEL = re.compile(r"[*\s]{0,4}([^\W\d_](?:[^\W\d_]|[ .'-]){0,24}?)\s?[*]{0,2}\s?:(?!\S*//)")
"""The beginning of a line of a header block, in any language."""

_BLOCK = 6
"""Most lines of an attribution."""

_DAY = re.compile(r"\b20\d\d(?!\d)|\b\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}\b")
_HOUR = re.compile(r"\b\d{1,2}\s?[:.h]\s?\d\d\b")
_WRAPS = 40
"""Least columns of a wrapped line of an attribution."""

_NAMED_ADDRESS = re.compile(r"<[^<>]{0,200}>?")


@dataclass(frozen=True, slots=True)
class OwnLines:
    """The writer's own lines, normalized and `raw`, with one empty line between paragraphs.

    `doubtful` is a raw line that may be the writer's or a copy of ours; then the writer is asked and nothing is played.
    """

    lines: tuple[str, ...] = ()
    raw: tuple[str, ...] = ()
    doubtful: str = ""


@dataclass(frozen=True, slots=True)
class _Line:
    raw: str
    folded: str
    plain: str

    @property
    def prefixed(self) -> bool:
        return _PREFIX.match(self.folded) is not None

    @property
    def empty(self) -> bool:
        return not self.folded


@lru_cache(maxsize=8)
def _marks(ours: frozenset[str]) -> re.Pattern[str]:
    """A pattern of our names and addresses, with or without a plus tag; without any it matches nothing."""
    found = []
    for one in ours:
        local, at, domain = folded_line(normalize_line(one)).partition("@")
        tagged = rf"{re.escape(local)}(?:\+[^\s@<>]{{1,120}})?@{re.escape(domain)}"
        found.append(tagged if at else rf"\b{re.escape(local)}\b")
    return re.compile("|".join(found) or r"(?!)")


def own_lines(
    lines: tuple[str, ...], exact: bool = False, ours: frozenset[str] = frozenset(), subject: str = ""
) -> OwnLines:
    """Keep only what the writer of a letter wrote.

    `lines` are the lines of the letter, `ours` our addresses and names, `subject` the subject of our mail. `exact`: no
    program has wrapped lines, so an unprefixed line below a quoted one is an answer and not its rest.
    """
    read = [line for raw in lines for line in _read(raw)]
    own = _Own(_marks(ours), folded_line(normalize_line(subject)))
    at = 0
    while at < len(read):
        line = read[at]
        if line.empty:
            own.gap = True
            at += 1
        elif line.plain.startswith(_ARMOUR):
            at = next((below for below in range(at, len(read)) if read[below].empty), len(read))
        elif line.prefixed:
            own.introduced()
            own.quoted()
            at += 1
        elif cut := _unglued(read, at, own.ours):
            read[at : at + 1] = cut
        elif any(mark in line.plain for mark in DELIMITERS):
            own.introduced()
            break
        elif after := _introduction(read, at, own.ours):
            # A rule, a header block and `On … wrote:` may follow one another.
            while after < len(read) and not read[after].prefixed and (further := _introduction(read, after, own.ours)):
                after = further
            # A prefixed quotation may have answers below it; an unprefixed one has no end.
            own.untitled()
            if not (after < len(read) and read[after].prefixed):
                break
            own.gap = True
            at = after
        elif _signature(line):
            at = _past_signature(read, at, own.ours)
        else:
            if not exact and at and _remnant(read, at, own.remnants):
                own.remnants.append(line)
            else:
                own.keep(line)
            at += 1
    if not own.kept and not own.remnants and (typed := _typed_in_quotation(read)):
        own.keep(typed)
    return own.finished()


class _Own:
    """Collects the lines that are kept."""

    def __init__(self, ours: re.Pattern[str], subject: str) -> None:
        self.ours = ours
        self.subject = subject
        self.kept: list[_Line] = []
        self.remnants: list[_Line] = []
        """Lines that may be the rest of a quoted line that a program has broken."""
        self.top = -1
        """The number of lines above the first quoted one; -1 without one."""
        self.gap = False
        """Whether a paragraph has ended since the last kept line."""

    def quoted(self) -> None:
        self.top = len(self.kept) if self.top < 0 else self.top
        self.gap = True

    def introduced(self) -> None:
        """Drop an attribution right above a quotation: lines that name us, in any language and however wrapped."""
        self.untitled()
        last = range(max(0, len(self.kept) - 2 * _BLOCK), len(self.kept))
        filled = [at for at in last if not self.kept[at].empty][-_BLOCK:]
        named = [at for at in filled if self.ours.search(self.kept[at].plain)]
        # Below the line that names us only its end may stand: an order below a greeting is kept.
        if not named or (named[-1] != filled[-1] and not self.kept[filled[-1]].plain.endswith((":", ">"))):
            return
        top = named[-1]
        for at in reversed([at for at in filled if at < top]):
            begun = any(map(str.isalnum, self.kept[top].plain))
            # Date and time may stand on a line of their own; no order has both.
            dates = not any(map(_is_dated, self.kept[top:])) and _is_dated(self.kept[at], whole=True)
            empty = not any(map(str.isalnum, self.kept[at].plain))
            if at in named or empty or (dates and (top - at == 1 or not begun)):
                top = at
            else:
                break
        block = "".join(line.plain for line in self.kept[top:])
        if "@" in block or block.endswith(":") or any(map(_is_dated, self.kept[top:])):
            del self.kept[top:]
            self.untitled()

    def untitled(self) -> None:
        """Drop the subject of our mail, which some programs repeat above the quotation."""
        while self.kept and (self.kept[-1].empty or ("[" in self.subject and self.subject in self.kept[-1].plain)):
            self.kept.pop()

    def keep(self, line: _Line) -> None:
        if self.gap and self.kept:
            self.kept.append(_line(""))
        self.kept.append(line)
        self.gap = False

    def finished(self) -> OwnLines:
        # One pasted option is an order; several may be a copy of our list.
        options = [line for line in self.kept if _OPTION.match(line.folded)]
        doubtful = options[0].raw if len(options) > 1 else ""
        if self.remnants and (not self.kept or 0 <= self.top < len(self.kept)):
            doubtful = doubtful or self.remnants[0].raw
        lines, raw = (line.folded for line in self.kept), (line.raw.strip() for line in self.kept)
        return OwnLines(tuple(lines), tuple(raw), doubtful.strip())


def holds_forwarded(lines: tuple[str, ...], ours: frozenset[str] = frozenset()) -> bool:
    """Whether the text holds a copied letter: a forwarding rule or a header block, prefixed or not."""
    read, marks = [_line(raw.lstrip("> |")) for raw in lines], _marks(ours)
    return any(_FORWARDED.match(line.plain) or _header_block(read, at, marks) for at, line in enumerate(read))


def _read(raw: str) -> list[_Line]:
    """The line, split at other separators that a writer may use (phones write U+2028)."""
    line = _line(raw)
    if raw.isprintable() or line.prefixed:
        return [line]
    return [_line(piece) for piece in raw.splitlines()] or [line]


def _line(raw: str) -> _Line:
    folded = normalize_line(raw[: _LONGEST + 1])
    return _Line(raw, folded, folded_line(folded[:_LONGEST]))


def _signature(line: _Line) -> bool:
    """Whether a line is a rule, `-- `, or an advert of a phone."""
    return _RULE.fullmatch(line.folded) is not None or is_advert(line.plain)


def _past_signature(read: list[_Line], at: int, ours: re.Pattern[str]) -> int:
    """Where a prefixed quotation begins below a signature, as answers may follow it; else the end."""
    if not (read[at].folded == "--" or is_advert(read[at].plain)):
        return len(read)
    for below in range(at + 1, len(read)):
        if any(mark in read[below].plain for mark in DELIMITERS):
            # A prefixed one ends with its last prefix, any other has no end.
            return below if read[below].prefixed else len(read)
        after = _introduction(read, below, ours)
        if after and not read[below].prefixed:
            return below if after < len(read) and read[after].prefixed else len(read)
    return len(read)


def _unglued(read: list[_Line], at: int, ours: re.Pattern[str]) -> list[_Line]:
    """Split a line that was glued to our marker or to an attribution; empty if it was not."""
    line = read[at]
    if match := _FIRST_LINE.search(line.folded):
        typed = line.folded[: match.start()].rstrip(" -")
        return [_line(typed), _line(match[0])] if typed else []
    match = _GLUED.fullmatch(line.folded)
    if match is None or _is_dated(_line(match["own"])):
        return []
    rest = _line(match["rest"])
    if not _attribution([rest, *read[at + 1 : at + 4]], 0, ours):
        return []
    return [_line(match["own"]), rest]


def _typed_in_quotation(read: list[_Line]) -> _Line | None:
    """A line that was typed into a prefixed quotation right before our marker, which is the first line of our mails."""
    for at, line in enumerate(read[1:], 1):
        if not (line.prefixed and DELIMITERS[0] in line.plain):
            continue
        mark = _PREFIX.match(line.folded)
        over = next((one for one in reversed(read[:at]) if one.folded.strip("> |")), line)
        above = _PREFIX.match(over.folded)
        if mark is None or above is None or mark[0].strip() != above[0].strip():
            return None
        typed = _line(over.folded[above.end() :].strip())
        ours = typed.empty or typed.prefixed or typed.plain.endswith(":") or "@" in typed.plain
        return None if ours or _LABEL.match(typed.plain) or _signature(typed) else typed
    return None


def _introduction(read: list[_Line], at: int, ours: re.Pattern[str]) -> int:
    """Where the quotation begins that the line at `at` introduces; 0 if it introduces none."""
    text = read[at].plain
    if _FRAMED.fullmatch(text) or _FORWARDED.match(text) or _header_block(read, at, ours):
        end = _past_headers(read, at)
    elif _is_dated(read[at], whole=True) and at + 1 < len(read) and _header_block(read, at + 1, ours):
        end = _past_headers(read, at + 1)
    else:
        end = _attribution(read, at, ours)
    while 0 < end < len(read) and read[end].empty:
        end += 1
    return end


def _header_block(read: list[_Line], at: int, ours: re.Pattern[str]) -> bool:
    """Whether a block of From:, Sent:, To:, Subject: begins here, in any language, on several lines or on one.

    It has three labels; the first names us or an address, or follows a date. People's own lines above may have colons.
    """
    text, below = read[at].plain, read[at + 1].plain if at + 1 < len(read) else ""
    if not (first := _LABEL.match(text)) or not (_names(text, ours) or (_is_dated(read[at]) and _names(below, ours))):
        return False
    labels, others = {first[1]}, 0
    for line in read[at + 1 : at + 12]:
        if line.empty:
            continue
        label = _LABEL.match(line.plain)
        # The rest of a long line, such as a list of addresses, has no label.
        others += label is None
        if line.prefixed or others > 2:
            break
        labels |= {label[1]} if label else set()
        text = f"{text}\n{line.plain[:300]}" if label else text
    if len(labels) < _HEADERS_SEEN:
        labels = set(re.findall(r"\b(\w{1,20})\s?:\s", text.partition("\n")[0]))
    if ours.search(text):
        # A paragraph of its own that holds an address is none.
        return len(labels) >= _HEADERS_SEEN and bool(below or ours.search(read[at].plain))
    # A message to people has their names behind a verb.
    return "@" in text and len([one for one in labels if " " not in one]) >= _HEADERS_SEEN


def _names(text: str, ours: re.Pattern[str]) -> bool:
    return "@" in text or ours.search(text) is not None


def _past_headers(read: list[_Line], at: int) -> int:
    """The end of the header block that begins at or below `at`, with its wrapped lines."""
    end = at + 1
    while end < len(read) and (read[end].empty or _LABEL.match(read[end].plain)):
        if read[end].empty and not any(_LABEL.match(line.plain) for line in read[end + 1 : end + 3]):
            break
        end += 1
        # A list of addresses may go on; any other line belongs to the quotation.
        while end < len(read) and not read[end].prefixed and "@" in read[end].plain and end - at < 20:
            end += 1
    return end


def _attribution(read: list[_Line], at: int, ours: re.Pattern[str]) -> int:
    """The end of an attribution (`On … wrote:`) in any language, wrapped over up to four lines; 0 if it is none.

    It has a date or a time, and names us or an address. One that names neither is a single line right above a prefixed
    quotation or our marker.
    """
    text = ""
    for end in range(at, min(at + 4, len(read))):
        line = read[end]
        if line.empty or line.prefixed:
            return 0
        named, last = ours.search(line.plain) is not None, line.plain.endswith(":")
        # An answer right above the attribution must not be taken for its beginning.
        begins = named or _is_dated(line, whole=True) or (last and ("@" in line.plain or _is_dated(line)))
        if not (text or begins) or (text and named and _is_dated(line) and not text.endswith("<")):
            return 0
        text = f"{text} {line.plain[:300]}"
        if last:
            break
        if not (len(line.plain) >= _WRAPS or line.plain.endswith("<") or _is_dated(line, whole=True)):
            return 0
    else:
        return 0
    whole = _line(text)
    if _names(text, ours):
        return end + 1 if _is_dated(whole) else 0
    below = next((one for one in read[end + 1 :] if not one.empty), None)
    quoted = below is not None and (below.prefixed or any(mark in below.plain for mark in DELIMITERS))
    return end + 1 if end == at and quoted and _is_dated(whole) else 0


def _is_dated(line: _Line, *, whole: bool = False) -> bool:
    """Whether a line has a date or a time; `whole`: both."""
    text = _NAMED_ADDRESS.sub(" ", line.plain)
    day, hour = _DAY.search(text) is not None, _HOUR.search(text) is not None
    return (day and hour) if whole else (day or hour)


def _remnant(read: list[_Line], at: int, remnants: list[_Line]) -> bool:
    """Whether the line looks like the rest of the quoted line above, broken off by a program."""
    above, line = read[at - 1], read[at]
    if not (above.prefixed or (remnants and remnants[-1] is above)):
        return False
    word = line.folded.partition(" ")[0]
    return len(above.raw.rstrip()) + 1 + len(word) > _WRAPPED
