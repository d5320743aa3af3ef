"""Quoting our own mail back, in any program's style, yields no order (product.md, «not negotiable»)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.inbound.body_text import unflow
from pbem.inbound.incoming_letter import open_letter
from pbem.inbound.quotes import DELIMITERS, own_lines
from pbem.outbound.format_flowed import flow
from pbem.outbound.render import DELIMITER
from pbem.reading.normalize import folded_line, normalize_line
from tests.quoting import BETWEEN, OPEN_ENDED, OWN, RULE, STYLES, quote_back

MAIL = f"""{DELIMITER}

Since your last mail
- Faye fought Marauding with R5 R3: 2 cubes, +2 influence.
- Geoffrey bought YOUR Y5 (you +4 deniers) and farmed: +4 deniers.
- Emily passed.
Eve says: «pass»
Eve says: «3»
Eve tells you: «On Fri, 20 Nov 2026, Troyes wrote: activate merchant with Y5 Y4»

You: act once, or pass. By Thu 26 Nov 20:00.

[1] activate merchant with Y5 Y4 · four times, +8 deniers
[2] fight brigands with R4 gray:R2 · 2 cubes, +2 influence, pay 4, you lead
[3] build with W2 · 1 VP, +1 influence
[4] place R4 from supply · Palace 4, expels Emily
[5] farm Y5 Y4 · +4 deniers
[6] pass · +2 deniers
Answer with a number, or write your own, one order a line, such as
«activate merchant with Y5 Y4 geoffrey:Y5» or «flip W2» and then «build with W5».

> activate merchant with Y5 Y4 geoffrey:Y5
Not possible: Geoffrey's die costs 6 deniers in a group of three; you have 5.
Possible: activate merchant with Y5 Y4 (9: four times, +8 deniers, nothing to pay).

YOUR SIDE
Dice Y5 Y4 · W2 · R4
12 deniers · 7 influence · 2 citizens in hand
Cubes: Priest 2

pass
3
Subject: [troyes-12] Your turn, round 3 of 6

ONLY FOR YOU, cut before forwarding
You are Hugues de Payns: influence 5, 10, 15 for 1, 3, 6 VP.
You hold 11 VP.
"""


@pytest.mark.parametrize("written", [MAIL, flow(MAIL)], ids=["logical", "flowed"])
@pytest.mark.parametrize("position", ["top", "bottom"])
@pytest.mark.parametrize("style", STYLES)
def test_quotation_without_answer_yields_no_line(style: str, position: str, written: str) -> None:
    """The quoting law: nobody ordered anything."""
    letter = open_letter(quote_back(style, written, "", position), OWN)
    assert letter.lines == ()
    assert letter.turn_file == ()


@pytest.mark.parametrize("written", [MAIL, flow(MAIL)], ids=["logical", "flowed"])
@pytest.mark.parametrize("style", STYLES)
def test_answer_above_quotation_is_all_that_is_read(style: str, written: str) -> None:
    """Most people answer on top."""
    letter = open_letter(quote_back(style, written, "3", "top"), OWN)
    assert (letter.lines, letter.trouble) == (("3",), None)


@pytest.mark.parametrize("style", sorted(set(STYLES) - {"bare", "indented-bare"}))
def test_quotation_is_known_by_its_introduction_alone(style: str) -> None:
    """Somebody may have deleted our first line: headers and attributions still say that a quotation begins."""
    letter = open_letter(quote_back(style, MAIL.replace(DELIMITER, ""), "3", "top"), OWN)
    assert (letter.lines, letter.trouble) == (("3",), None)


@pytest.mark.parametrize("style", sorted(set(STYLES) - OPEN_ENDED))
def test_answer_below_marked_quotation_is_read(style: str) -> None:
    """Quotation marks say where the quotation ends, so that an answer below it is one."""
    letter = open_letter(quote_back(style, MAIL, "3", "bottom"), OWN)
    assert (letter.lines, letter.trouble) == (("3",), None)


@pytest.mark.parametrize("style", sorted(OPEN_ENDED))
def test_answer_below_open_ended_quotation_is_lost_rather_than_guessed(style: str) -> None:
    """To take an order out of a quotation is worse than to ask again."""
    assert open_letter(quote_back(style, MAIL, "3", "bottom"), OWN).lines == ()


@pytest.mark.parametrize("style", sorted(BETWEEN))
def test_answer_between_quoted_lines_is_read(style: str) -> None:
    """Interleaved answers, as mailing lists have taught many people."""
    letter = open_letter(quote_back(style, MAIL, "flip W2\nbuild with W5", "between"), OWN)
    assert (letter.lines, letter.trouble) == (("flip W2", "build with W5"), None)


def test_delimiter_of_our_mails_is_the_one_that_is_looked_for() -> None:
    """Either half is enough, so both must be there."""
    assert dict.fromkeys(DELIMITERS, True) == {half: half in folded_line(normalize_line(DELIMITER)) for half in DELIMITERS}


@pytest.mark.parametrize("lines", ["[3] pass\n[4] reroll Y2", "3\n\n[1] activate merchant with Y5 Y4 · four times\n[2]pass"])
def test_list_in_the_form_of_our_mails_is_asked_about(lines: str) -> None:
    """Several options that stand without quotation mark may be a copy: nothing is played."""
    letter = open_letter(f"From: anna@home.test\n\n{lines}\n".encode())
    assert letter.lines == ()
    assert letter.trouble is not None
    assert "[" in str(letter.trouble)


@pytest.mark.parametrize("line", ["[3]", "- Emily passed.", "- pass", "• pass", "[2]pass", "[2] pass · nothing"])
def test_single_line_in_the_form_of_our_mails_is_read(line: str) -> None:
    """A list mark or an option pasted: what it means is seen beside the position."""
    assert open_letter(f"From: anna@home.test\n\nHi\n{line}\n".encode()).lines == ("Hi", line)


def test_line_right_above_an_attribution_is_not_part_of_it() -> None:
    """Both may begin with the same small word, and people forget the empty line."""
    text = ("Le marchand", "Le ven. 20 nov. 2026 à 18:02, Troyes", "<troyes@gm.test> a écrit :", "> pass", "3")
    assert own_lines(text).lines == ("Le marchand", "", "3")


@pytest.mark.parametrize(
    "glued",
    [
        "3On 11/22/26 01:04, Troyes by Mail wrote:", "3On Fri, Nov 20, 2026 at 6:02 PM Troyes by Mail <troyes@gm.test> wrote:",
        "3Le 20/11/2026 à 18:02, Troyes by Mail a écrit :", "3Am 20.11.26 um 18:02 schrieb Troyes by Mail:",
        f"3 {DELIMITER}", f"3{DELIMITER}", "3On Fri, Nov 20, 2026 at 6:02 PM Troyes by Mail <\nt@gm.test> wrote:",
    ],
)  # fmt: skip
def test_what_a_program_glued_to_the_quotation_is_cut_free(glued: str) -> None:
    """Some programs put the cursor right before their attribution."""
    assert own_lines((*glued.split("\n"), "", *MAIL.splitlines()), ours=OWN).lines == ("3",)
    quoted = (f"> {line}" for line in MAIL.splitlines())
    assert own_lines((*glued.split("\n"), "", *quoted), ours=OWN).lines == ("3",)


@pytest.mark.parametrize(
    "whole",
    [
        "On 11/22/26 01:04, Troyes by Mail wrote:", "Anna asked about this, on 20 Nov 2026 Troyes by Mail wrote:",
        "Le\u00a0ven. 20 nov. 2026 à\u00a018:02, LaOn Le 2 <t@gm.test> a écrit\u00a0:",
    ],
)  # fmt: skip
def test_nothing_is_cut_out_of_an_attribution(whole: str) -> None:
    assert own_lines((whole, *(f"> {line}" for line in MAIL.splitlines())), ours=OWN).lines == ()


@pytest.mark.parametrize("mark", ["> ", ">", "| "])
def test_line_typed_into_the_quotation_before_our_first_line_is_read(mark: str) -> None:
    """Our mails begin with that line, so that nothing of ours stands before it."""
    quoted = tuple(mark + line for line in MAIL.splitlines())
    head = "On 20 Nov 2026, at 18:02, Troyes by Mail <troyes@gm.test> wrote:"
    assert own_lines((head, mark + "3", *quoted)).lines == ("3",)
    assert own_lines(("pass", head, mark + "3", *quoted)).lines == ("pass",)
    for ours in ("", head, "To: anna@home.test", "Objet : [troyes-12] Your turn", "-- ", "> 3"):
        assert own_lines((head, mark + ours, *quoted)).lines == ()


@pytest.mark.parametrize("signature", [("-- ", "Anna", "> the best"), ("Sent from my iPhone",), ("Envoyé de mon iPhone",)])
def test_answer_below_a_signature_and_a_marked_quotation_is_read(signature: tuple[str, ...]) -> None:
    """Whoever changes an answer below must not be taken at the word above."""
    head = "On 20 Nov 2026, at 18:02, Troyes by Mail <troyes@gm.test> wrote:"
    quoted = (head, *(f"> {line}" for line in MAIL.splitlines()))
    assert own_lines(("pass", "", *signature, "", *quoted, "", "no wait, 3")).lines == ("pass", "", "no wait, 3")
    assert own_lines(("pass", "", *signature, "", *MAIL.splitlines())).lines == ("pass",)
    assert own_lines(("pass", "", *signature, "", RULE, *MAIL.splitlines()[1:])).lines == ("pass",)


def test_paragraphs_are_kept_and_a_quotation_ends_one() -> None:
    text = ("", "one", "two", "", " ", "three", "> quoted", "four", "")
    assert own_lines(text).lines == ("one", "two", "", "three", "", "four")
    assert own_lines(text).raw == ("one", "two", "", "three", "", "four")
    html = "<p>one</p><p>two<br>three</p><div>four</div><div><br></div><div>five</div><p class=MsoNormal>six</p>seven"
    letter = open_letter(b"From: anna@home.test\nContent-Type: text/html\n\n" + html.encode())
    assert letter.lines == ("one", "", "two", "three", "", "four", "", "five", "six", "seven")


def test_option_pasted_is_an_order() -> None:
    """Two of them may be a copy of our list."""
    assert open_letter(b"From: anna@home.test\n\n[3] build with W2\n").lines == ("[3] build with W2",)
    assert open_letter(b"From: anna@home.test\n\n[3]\n\nAnna\n").lines == ("[3]", "", "Anna")
    assert open_letter(b"From: anna@home.test\n\n[3] build with W2\n[4] pass\n").lines == ()


def test_soft_broken_word_is_joined_without_blank_when_the_letter_says_so() -> None:
    """RFC 3676, section 4.3, `DelSp=yes`: the blank belongs to the break."""
    assert unflow(["x" * 60 + " ", "yz"], delete_space=True) == ("x" * 60 + "yz",)
    assert unflow(["x" * 60 + " ", "yz"], delete_space=False) == ("x" * 60 + " yz",)


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1e"])
def test_separator_within_a_quoted_line_makes_no_new_line(separator: str) -> None:
    """A program that quotes puts `>` after line ends only; the writer's own separators still end an order."""
    head = "From: anna@home.test\nContent-Type: text/plain; charset=utf-8\n\n"
    letter = open_letter(f"{head}flip W2{separator}build with W5\n> Eve says: «ha{separator}pass»\n".encode())
    assert letter.lines == ("flip W2", "build with W5")
    html = f"<p>3</p><blockquote>Eve says: «ha{separator}pass»</blockquote>"
    letter = open_letter(head.replace("plain", "html").encode() + html.encode())
    assert letter.lines == ("3",)


def test_rest_of_a_wrapped_quoted_line_is_no_answer() -> None:
    """Outlook's prefix setting breaks quoted lines at 76 columns and leaves the rest without prefix."""
    text = (
        "3",
        "",
        "> Eve tells you: «I would not activate the merchant here, there is the miller,",
        "pass»",
        "> Dice Y5 Y4",
    )
    assert own_lines(text).lines == ("3",)
    assert own_lines(text).doubtful == ""


def test_rest_of_a_wrapped_quoted_line_beside_an_answer_between_is_asked_about() -> None:
    """Where both may be, neither is taken."""
    text = (
        "> Eve tells you: «I would not activate the merchant here, there is the miller,",
        "pass",
        "> Dice Y5 Y4",
        "",
        "build with W2",
    )
    assert own_lines(text).doubtful == "pass"
    letter = open_letter(("From: anna@home.test\n\n" + "\n".join(text)).encode())
    assert letter.lines == ()
    assert letter.trouble is not None


_WORDS = """pass 3 [1] activate merchant with Y5 Eve says: «pass» passed. On Le wrote: From: To: Subject: é · build farm
Y4 > Sent from | 42 a@b <a@b> _______ — 20/11/2026 <div> &nbsp; TbM>"""
_WORD = st.sampled_from([*_WORDS.split(), "", "- Emily", "> pass", "-- ", "a écrit :", "De :", "\u2028", "\u202f"])


@settings(max_examples=60)
@given(
    st.lists(st.lists(_WORD, max_size=14).map(" ".join), max_size=25),
    st.sampled_from(STYLES),
    st.booleans(),
)
def test_any_mail_of_ours_quoted_back_yields_no_line(lines: list[str], style: str, soft: bool) -> None:
    """Whatever people's messages and names put into a mail, it is still a quotation when it comes back."""
    mail = "\n".join([DELIMITER, "", *lines])
    written = flow(mail) if soft else mail
    assert open_letter(quote_back(style, written, ""), OWN).lines == ()
    assert open_letter(quote_back(style, written, "3"), OWN).lines == ("3",)


ATTRIBUTIONS = (
    "On Sat, Nov 28, 2026 at 2:10 PM Troyes by Mail <troyes@gm.test> wrote:",
    "Le sam. 28 nov. 2026 à 14:10, Troyes by Mail <troyes@gm.test> a écrit :",
    "Troyes by Mail <troyes@gm.test> schrieb am Sa., 28. Nov. 2026 um 14:10:",
    "El sáb, 28 nov 2026 a las 14:10, Troyes by Mail (<troyes@gm.test>) escribió:",
    "Il giorno sab 28 nov 2026 alle ore 14:10 Troyes by Mail <troyes@gm.test> ha scritto:",
    "Op za 28 nov. 2026 om 14:10 schreef Troyes by Mail <troyes@gm.test>:",
    "Em sáb., 28 de nov. de 2026 às 14:10, Troyes by Mail <troyes@gm.test> escreveu:",
    "Den lör 28 nov. 2026 kl 14:10 skrev Troyes by Mail <troyes@gm.test>:",
    "lør. 28. nov. 2026 kl. 14.10 skrev Troyes by Mail <troyes@gm.test>:",
    "la 28. marrask. 2026 klo 14.10 Troyes by Mail <troyes@gm.test> kirjoitti:",
    "sob., 28 lis 2026 o 14:10 Troyes by Mail <troyes@gm.test> napisał(a):",
    "so 28. 11. 2026 v 14:10 odesílatel Troyes by Mail <troyes@gm.test> napsal:",
    "Troyes by Mail <troyes@gm.test> ezt írta (időpont: 2026. nov. 28., Szo, 14:10):",
    "сб, 28 нояб. 2026 г. в 14:10, Troyes by Mail <troyes@gm.test>:",
    "Στις Σάβ 28 Νοε 2026 στις 2:10 μ.μ., ο χρήστης Troyes by Mail <troyes@gm.test> έγραψε:",
    "28 Kas 2026 Cmt, saat 14:10 tarihinde Troyes by Mail <troyes@gm.test> şunu yazdı:",
    "Vào Th 7, 28 thg 11, 2026 vào lúc 14:10 Troyes by Mail <troyes@gm.test> đã viết:",
    "2026年11月28日(土) 14:10 Troyes by Mail <troyes@gm.test>:",
    "Troyes by Mail <troyes@gm.test> 于2026年11月28日周六 14:10写道：",
    "2026-11-28 14:05 GMT+01:00 Troyes by Mail <troyes@gm.test>:",
    "On 28/11/2026 14:10, Troyes by Mail wrote:",
    "28.11.2026 14:10, Troyes by Mail пишет:",
    "2026. 11. 28. 14:10 keltezéssel, Troyes by Mail írta:",
    "Troyes by Mail ---28.11.2026 14:05:01---Troyes by Mail <troyes@gm.test>",
)


@pytest.mark.parametrize("attribution", ATTRIBUTIONS)
def test_an_attribution_that_names_us_is_cut_in_any_language_wherever_it_is_wrapped(attribution: str) -> None:
    """What stands next above the quotation and holds our address or name."""
    quoted = ["> [1] settle palace 1", "> [2] pass"]
    blanks = [at for at, letter in enumerate(attribution) if letter == " " and at > 40]
    broken = {attribution, *(f"{attribution[:at]}\n{attribution[at + 1 :]}" for at in blanks)}
    # Gmail breaks at the end of an address, too, where the next line then looks quoted.
    broken |= {attribution.replace("<troyes", "<\ntroyes"), attribution.replace("test>", "test\n>")}
    for text in broken:
        for gap in ([], [""]):
            for own in (("3",), ("flip W2", "build with W5")):
                assert own_lines((*own, *gap, *text.split("\n"), *gap, *quoted), ours=OWN).lines == own, text


POLYMAIL = ("On Sat, Nov 28, 2026 at 2:10 PM Troyes by Mail", "", "<", "mailto:Troyes by Mail <troyes@gm.test>", "> wrote:")
BLOCKS = {
    "sv": ("Från: Troyes by Mail <troyes@gm.test>", "Skickat: den 28 november 2026 14:05", "Till: a@t.test", "Ämne: x"),
    "no": ("Fra: Troyes by Mail <troyes@gm.test>", "Sendt: 28. november 2026 14:05", "Til: Anna", "Emne: x"),
    "fi": ("Lähettäjä: Troyes by Mail", "Lähetetty: 28. marraskuuta 2026 14:05", "Vastaanottaja: Anna", "Aihe: x"),
    "pl": ("Od: Troyes by Mail <troyes@gm.test>", "Wysłano: sobota, 28 listopada 2026 14:05", "Do: Anna", "Temat: x"),
    "it": ('Da: "Troyes by Mail" <troyes@gm.test>', "Per: anna@home.test", "Data: 28.11.2026 14:05", "Oggetto: x"),
}


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
def test_a_block_of_headers_that_names_us_begins_a_quotation_in_any_language(block: tuple[str, ...]) -> None:
    for gap in ([], [""]):
        assert own_lines(("3", *gap, *block, *gap, "[1] settle palace 1"), ours=OWN).lines == ("3",)


def test_an_attribution_in_pieces_is_cut_whole() -> None:
    assert own_lines(("3", "", *POLYMAIL, "", "> [1] settle palace 1"), ours=OWN).lines == ("3",)


@pytest.mark.parametrize(
    "own",
    [
        ("Dear Troyes by Mail", "3"), ("tell eve: away until 2026-12-24", "tell bob: see a@x.test"), ("3", "Anna"),
        ("away 2026-12-24 to 2027-01-06",), ("quiet 22-7", "3"), ("say in Troyes by Mail I am at 14:10", "", "3"),
    ],
)  # fmt: skip
def test_what_people_write_above_a_quotation_is_no_attribution(own: tuple[str, ...]) -> None:
    """Whom a greeting names, or what tells a day, takes no order with it."""
    for gap in ([], [""]):
        assert own_lines((*own, *gap, "> [1] settle palace 1"), ours=OWN).lines == own
        assert own_lines((*own, *gap, ATTRIBUTIONS[2], *gap, "> [1] settle palace 1"), ours=OWN).lines == own


@pytest.mark.parametrize("above", [(), ("Re: {}",), ("", "{}"), ("Subject: Re: {}", "")])
def test_the_subject_of_our_mail_above_the_quotation_is_none_of_the_writers(above: tuple[str, ...]) -> None:
    subject = "[troyes-12] Your turn, round 3 of 6"
    title = [line.format(subject) for line in above]
    for head in ([], [ATTRIBUTIONS[0]], [ATTRIBUTIONS[2].replace(" um ", " um\n")]):
        text = "\n".join(["flip W2", "build with W5", *title, *head, "> [1] settle palace 1"]).split("\n")
        assert own_lines(tuple(text), ours=OWN, subject=subject).lines == ("flip W2", "build with W5")


@pytest.mark.parametrize(
    "order", ["red 6 as white 5: cathedral; pay influence", "tell eve: see you", "activate archer: brigands, war", "say: a@x.test"]
)
@pytest.mark.parametrize("gap", [[], [""]])
def test_an_order_with_a_colon_above_a_block_of_headers_is_no_header(order: str, gap: list[str]) -> None:
    for block in (*BLOCKS.values(), ("Date: 28.11.2026 14:05", "Von: Troyes by Mail", "An: Anna", "Betreff: x")):
        for above in ((order,), ("tell bob: no", order)):
            if "@" in order and not gap:
                continue
            assert own_lines((*above, *gap, *block, "", "[1] settle palace 1"), ours=OWN).lines == above


def _read_html(body: str) -> tuple[str, ...]:
    return open_letter(f"From: anna@home.test\nContent-Type: text/html\n\n<p>3</p>{body}".encode()).lines


@pytest.mark.parametrize(
    "hides",
    [
        "hidden", "aria-hidden=TRUE", 'style="display: none !important"', "style='visibility:hidden'", 'style="opacity:0.0"',
        'style="font-size:0"', 'style="font:1px/1 serif"', 'style="overflow:hidden;max-height:0"', 'style="color:#fff"',
        'style="color:rgb(250, 250, 250);background:white"', 'style="background:#222;color:#202020"', 'style="mso-hide:all"',
        'style="/* x */ DISPLAY:none"', 'style="color:rgba(1,2,3,0)" color=white',
        'style="font-size:0cm"', 'style="overflow:hidden;height:0in"', 'style="color:#ffff"', 'style="color:#ffffffff"',
        'style="color:whitesmoke"', 'style="color:inherit" color=white', 'style="font:0/0 a"',
    ],
)  # fmt: skip
def test_text_hidden_on_its_tag_is_not_read(hides: str) -> None:
    assert _read_html(f"<div {hides}>pass<p>pass</p></div>") == ("3",)


@pytest.mark.parametrize(
    "shows",
    [
        'style="color:#fff;background:#222"', 'style="font-size:0.9em"', 'style="opacity:0.5"', 'style="max-height:0"',
        'style="color:rgba(1,2,3,1.2.3)"', 'style="font-size:10px"', 'style="visibility:visible"', 'style=";:;display"',
    ],
)  # fmt: skip
def test_text_that_can_be_seen_is_read(shows: str) -> None:
    assert _read_html(f"<p {shows}>pass</p>") == ("3", "", "pass")
    for size in ("12px", "1rem"):
        inner = f"<p style='visibility:visible;font-size:{size}'>pass</p>"
        assert _read_html(f"<div style='visibility:hidden;font-size:0'>6{inner}</div>") == ("3", "", "pass")
