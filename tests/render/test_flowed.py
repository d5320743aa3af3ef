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


def test_a_long_option_is_one_logical_line_and_no_written_line_is_longer_than_76() -> None:
    """RFC 3676, section 4.2."""
    option = "[1] fight brigands with R4 gray:R2 using blacksmith hiring from city-hall 3.2 · 2 cubes, +2 influence"
    written = flow(option).split("\n")
    assert len(written) == 2
    assert all(len(line) <= FLOW_WIDTH for line in written)
    assert option == joined("\n".join(written))


def test_each_written_line_of_a_quoted_line_has_its_mark() -> None:
    """RFC 3676, section 4.5."""
    written = flow("> " + "activate merchant with Y5 Y4 " * 6).split("\n")
    assert len(written) > 1
    assert all(line.startswith("> ") for line in written)


def test_lines_that_look_like_quotes_mail_separators_or_begin_blank_are_stuffed() -> None:
    """RFC 3676, section 4.4."""
    assert flow("From here") == " From here"
    assert flow(">x") == " >x"
    assert flow(" indented") == "  indented"


def test_no_written_line_is_a_signature_mark() -> None:
    """RFC 3676, section 4.3: `-- ` alone would hide the rest of the mail."""
    written = flow("-- " + "x" * 90 + " y").split("\n")
    assert "-- " not in written


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
