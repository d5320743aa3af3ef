from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.outbound.format_flowed import FLOW_WIDTH, flow


def joined(text: str) -> str:
    """What a reader of RFC 3676 makes of it, section 4; quotations keep their mark."""
    lines: list[str] = []
    before = ("", False)
    for written in text.split("\n"):
        mark, line = ("> ", written[1:]) if written.startswith(">") else ("", written)
        line = line[1:] if line.startswith(" ") else line
        soft = line.endswith(" ") and line != "-- "
        if before == (mark, True):
            lines[-1] += line
        else:
            lines.append(mark + line)
        before = (mark, soft)
    return "\n".join(lines)


def test_lines_that_look_like_quotes_mail_separators_or_begin_blank_are_stuffed() -> None:
    """RFC 3676, section 4.4."""
    assert flow("From here") == " From here"
    assert flow(">x") == " >x"
    assert flow(" indented") == "  indented"


@given(st.lists(st.text(alphabet="a >-F·—\u00a0", max_size=300), max_size=4))
def test_joining_what_was_broken_gives_the_lines_back(lines: list[str]) -> None:
    lines = [line.rstrip() for line in lines]
    text = "\n".join(lines)
    written = flow(text)
    assert text == joined(written)
    assert "-- " not in written.split("\n")


@given(st.lists(st.text(alphabet="ab·—", min_size=1, max_size=60), max_size=40))
def test_words_that_fit_never_make_a_line_too_long(words: list[str]) -> None:
    assert max(len(line) for line in flow(" ".join(words)).split("\n")) <= FLOW_WIDTH
