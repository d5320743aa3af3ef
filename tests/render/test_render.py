from __future__ import annotations

import re
from dataclasses import replace
from email import message_from_bytes
from email.header import decode_header, make_header
from email.headerregistry import Address

import pytest
from jinja2 import ChoiceLoader, DictLoader, Environment, PackageLoader

from engine.catalog import Msg, T
from engine.game import Line, Offer
from pbem.outbound.html_style import css
from pbem.outbound.mail import MailKind, Reader
from pbem.outbound.news import NEWS_SHOWN, News, fold_news
from pbem.outbound.render import DELIMITER, Host, Renderer, Thread
from tests.parts import opened, page_of, text_of
from tests.pseudo import PSEUDO
from tests.render.samples import ANNA, ID, OFFERS, TOKEN, WHEN, mail

HOST = Host("games@host.test")
TALE = ChoiceLoader(
    [
        DictLoader(
            {
                "tale/position.txt": "{{ _('YOUR SIDE') }}\n{{ _('Deniers: %(n)s', n=view.deniers) }}",
                "tale/secret.txt": "{{ _('You are %(who)s.', who=view.character) }}",
            }
        ),
        PackageLoader("templates", ""),
    ]
)
ALL = list(MailKind)
FIRST = Thread()


def sent(
    kind: MailKind = MailKind.TURN, host: Host = HOST, thread: Thread = FIRST, **changes: object
) -> bytes:
    return Renderer(host, loader=TALE).message(mail(kind, **changes), ANNA, thread, ID, WHEN)


def body(kind: MailKind = MailKind.TURN, **changes: object) -> str:
    return Renderer(HOST, loader=TALE).text(mail(kind, **changes)).body


@pytest.mark.parametrize("kind", ALL)
def test_the_bytes_of_every_mail(kind: MailKind) -> None:
    """Equal mails have equal ones: seven bits, CRLF and short lines (RFC 5321, section 4.5.3.1.6), no trailing blanks.

    The text is flowed and begins with the line to answer above; robots are told not to answer (RFC 3834, RFC 2919).
    """
    raw = sent(kind)
    assert raw == sent(kind)
    assert raw.isascii()
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert not any(line.endswith(b" ") for line in raw.split(b"\r\n\r\n", 1)[1].split(b"\r\n"))
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    message = opened(raw)
    part = message.get_body(("plain",))
    assert part is not None
    assert (part.get_param("format"), part.get_param("delsp")) == ("flowed", "no")
    lines = text_of(message).split("\n")
    assert lines[0] == DELIMITER
    assert max(map(len, lines)) <= 76
    replies = {MailKind.RECEIPT, MailKind.TRIAL, MailKind.REFUSAL, MailKind.ANSWER}
    assert ("auto-replied" if kind in replies else "auto-generated") == message["Auto-Submitted"]
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["List-Id"] == "<pbem.host.test>"


def test_soft_breaks_survive_quoted_printable() -> None:
    """RFC 3676, section 4.2: the blank at the end of a line means that the line goes on."""
    written = text_of(opened(sent()))
    option = f"[2] {OFFERS[1].text} · 2 cubes, 2 influence, pay 4, you lead"
    assert option in written.replace(" \n", " ")
    assert option not in written


def test_what_follows_the_number_up_to_the_dot_is_exactly_the_order() -> None:
    found = re.findall(r"^\[(\d+)\] (.*?)(?: ·.*)?$", body(), re.MULTILINE)
    assert [(str(n), offer.text) for n, offer in enumerate(OFFERS, 1)] == found


def test_an_option_without_explanation_is_the_order_alone() -> None:
    assert "[1] pass" in body(offers=(Offer("pass", Msg("")),)).split("\n")


def test_orders_stand_nowhere_at_the_beginning_of_a_line() -> None:
    """Quoting law: options are numbered, examples and canonical forms stand in « », the writer's lines after `>`."""
    verbs = ("activate", "fight", "pass", "flip", "build", "biuld", "farm", "join", "try", "undo")
    for kind in ALL:
        for line in body(kind).split("\n"):
            assert not line.lower().startswith(verbs), line


def test_references_and_reply_to_ids_are_never_encoded_however_long() -> None:
    """cpython 85725; RFC 5322, section 3.6.4."""
    root, last = "<" + "r" * 180 + "@host.test>", "<" + "l" * 180 + "@host.test>"
    raw = sent(thread=Thread(root, last))
    assert f"In-Reply-To: {last}\r\n".encode() in raw
    assert f"References: {root}\r\n {last}\r\n".encode() in raw
    assert f"Message-ID: {ID}\r\n".encode() in raw
    assert b"References: <a@b>\r\nAuto" in sent(thread=Thread("<a@b>", "<a@b>")), "the same id is told once"
    first = opened(sent())
    assert (first["References"], first["In-Reply-To"]) == (None, None)


def test_with_plus_addressing_the_token_stands_in_the_reply_address_only() -> None:
    message = opened(sent())
    assert f"games+{TOKEN}@host.test" == message["Reply-To"].addresses[0].addr_spec
    assert message["Subject"] == "[tale-3] Round 3 of 6: your turn"
    assert TOKEN not in text_of(message)
    assert f"mailto:games%2B{TOKEN}@host.test?" in page_of(message)


def test_without_plus_addressing_the_token_is_last_in_the_subject() -> None:
    message = opened(sent(host=Host("games@host.test", plus_addressing=False)))
    assert message["Reply-To"].addresses[0].addr_spec == "games@host.test"
    assert message["Subject"].endswith(f" [{TOKEN}]")


def test_a_mail_to_be_forwarded_has_no_token_no_secret_and_no_footer() -> None:
    """`board` answers with a public view without token or options."""
    raw = sent(MailKind.ANSWER, token="", offers=(), decision=None, spectator=True)
    message = opened(raw)
    assert message["Reply-To"] is None
    assert "YOUR SIDE" in text_of(message)
    assert "ONLY FOR YOU" not in text_of(message)
    assert "To answer" not in text_of(message)


def test_secrets_stand_in_the_last_block() -> None:
    assert body().endswith("\n\nONLY FOR YOU, cut before forwarding\nYou are Hugues.")


def test_a_game_without_templates_of_its_own_has_no_position() -> None:
    text = Renderer(HOST).text(mail(MailKind.TURN)).body
    assert "ONLY FOR YOU" not in text


@pytest.mark.parametrize("kind", [MailKind.TRIAL, MailKind.REFUSAL])
def test_not_played_stands_first(kind: MailKind) -> None:
    assert body(kind).split("\n")[2].startswith("NOT PLAYED")


def test_a_receipt_says_first_whether_all_was_played() -> None:
    """What was shown stands, and a later line that fails is told."""
    assert body(MailKind.RECEIPT).split("\n")[2] == "Played."
    said = mail(MailKind.REFUSAL).said
    assert body(MailKind.RECEIPT, said=said).split("\n")[2] == "PLAYED ONLY IN PART."


def test_a_round_has_two_subjects_whatever_becomes_of_a_letter() -> None:
    """It is the same to the letter, so programs that thread by subject show one thread."""
    kinds = set(ALL) - {MailKind.INVITATION, MailKind.FINAL}
    asks = {Renderer(HOST).text(mail(kind)).subject for kind in kinds}
    rest = {Renderer(HOST).text(mail(kind, decision=None)).subject for kind in kinds}
    assert (asks, rest) == ({"[tale-3] Round 3 of 6: your turn"}, {"[tale-3] Round 3 of 6"})


def test_a_mail_to_a_household_names_its_seat_in_the_subject_and_first() -> None:
    """One address may hold several seats of a table."""
    words = Renderer(HOST).text(mail(MailKind.TURN, reader=Reader(shared=True)))
    assert words.subject == "[tale-3] Anna, Round 3 of 6: your turn"
    assert words.body.split("\n")[2] == "This mail is for the seat of Anna."


def test_a_receipt_shows_each_line_as_written_understood_and_done() -> None:
    expected = """\
> Activate MERCHANT with y5 y4
Done: «activate merchant with Y5 Y4»
- 8 deniers
assumed: the citizen comes from the supply"""
    assert expected in body(MailKind.RECEIPT)


def test_a_refusal_shows_the_line_the_reason_and_what_would_work() -> None:
    expected = """\
> biuld
Not played: no order begins with biuld
Possible: build with W5"""
    assert expected in body(MailKind.REFUSAL)


def test_a_message_is_one_line_without_control_or_bidirectional_characters_of_1000_at_most() -> None:
    lines = body().split("\n")
    assert "Ève Nord says: «pass farm Y4 Y5»" in lines
    relayed = next(line for line in lines if line.startswith("Faye says: «"))
    assert relayed.startswith("Faye says: «abc long long")
    assert 990 < len(relayed) - len("Faye says: «»") <= 1000


def test_names_from_people_make_no_header_of_their_own() -> None:
    raw = Renderer(HOST).message(
        mail(MailKind.TURN, heading=T("{x}", x="round\r\nBcc: eve@players.test")),
        Address("Anna\u2028Bcc: x", addr_spec="anna@players.test"),
        Thread(),
        ID,
        WHEN,
    )
    assert opened(raw)["Bcc"] is None


def test_a_subject_with_accents_is_encoded_in_short_words() -> None:
    """RFC 2047, section 2: an encoded word has at most 75 characters."""
    raw = sent(heading=T("manche décisive après une très longue négociation à l'évêché de la cité"))
    words = re.findall(rb"=\?[^ \r\n]*\?=", raw.split(b"\r\n\r\n")[0])
    assert words
    assert max(map(len, words)) <= 75


def test_an_address_that_plain_smtp_cannot_carry_is_refused() -> None:
    with pytest.raises(ValueError, match="ASCII"):
        Renderer(HOST).message(mail(MailKind.TURN), Address("Zoë", addr_spec="zoë@players.test"), Thread(), ID, WHEN)


def test_up_to_twelve_news_stand_alone() -> None:
    news = tuple(Line(T("n{n}", n=n), seat="eve") for n in range(12))
    assert len(fold_news(news)) == 12


def test_more_news_of_one_seat_in_a_row_are_one_paragraph_and_none_is_lost() -> None:
    news = tuple(Line(T("n{n}", n=n), mine=n == 5, seat="eve" if n < 9 else "faye") for n in range(14))
    folds = fold_news(news)
    assert [len(fold.says) for fold in folds] == [5, 1, 3, 5]
    assert [line.says for line in news] == [says for fold in folds for says in fold.says]


def test_a_long_absence_counts_the_older_lines_but_tells_the_readers_own() -> None:
    news = tuple(Line(T("n{n}", n=n), mine=n == 3, seat="eve" if n % 2 else "faye") for n in range(NEWS_SHOWN + 10))
    folds = fold_news(news)
    assert [9] == [fold.more for fold in folds if fold.more]
    assert sum(len(fold.says) for fold in folds) == 1 + NEWS_SHOWN
    assert "- 9 things more before, see «history»." in body(news=news).splitlines()


@pytest.mark.parametrize("others", [0, NEWS_SHOWN // 2, NEWS_SHOWN])
def test_equal_neighbours_are_told_once_with_their_number(others: int) -> None:
    """The reader's own too, where others' actions that stood between them are now below or only counted."""
    passed = Line(T("You have passed."), mine=True, seat="eve")
    parted = (passed, Line(T("Faye builds."), seat="faye")) * 3 if others else (passed,) * 3
    text = body(news=(*parted, *(Line(T("n{n}", n=n), seat=f"s{n % 2}") for n in range(others))))
    assert text.count("You have passed.") == 1
    assert "* You have passed. (3 times)" in text.splitlines()
    both = News.of(fold_news((passed, Line(passed.says, seat="faye"))))
    assert [fold.mine for fold in both.above] == [True, False]


@pytest.mark.parametrize("kind", ALL)
def test_every_sentence_of_every_mail_passes_the_catalogue(kind: MailKind) -> None:
    """In a language that marks what it translates, only names, orders, dice and addresses stay unmarked."""
    renderer = Renderer(HOST, loader=TALE, look=lambda _: PSEUDO)
    words = renderer.text(mail(kind), language="xx")
    allowed = (
        re.escape(DELIMITER) + r"|\[tale-3\]|^> .*$|^\[\d+\] .*?(?= ·|$)|^(?:ab|cd){32}$"
    )  # what is fixed, what people wrote, orders, and hashes
    left = re.sub(allowed, "", f"{words.subject}\n{words.body}", flags=re.MULTILINE)
    assert "".join(re.findall(r"[^\W\d_]+", outside(left))) == ""


def outside(text: str) -> str:
    """What stands outside all ⟦ ⟧."""
    kept, depth = [], 0
    for char in text:
        depth += {"⟦": 1, "⟧": -1}.get(char, 0)
        if depth == 0 and char != "⟧":
            kept.append(char)
    return "".join(kept)


def test_a_mail_to_the_moderator_tells_nobody_how_to_answer() -> None:
    plain = replace(mail(MailKind.NEWS), seat="", token="", decision=None, offers=(), examples=(), view=None)
    text = Renderer(HOST).text(plain).body
    assert "To answer" not in text
    assert "It is still your turn." in text


def test_nothing_is_compiled_once_a_host_is_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first letters do not wait for the templates of their mails; without that they would."""
    renderer = Renderer(HOST)
    assert len([*renderer.prepare()]) > 50

    def compiled(*_: object, **__: object) -> None:
        raise AssertionError("a template was compiled for a mail")

    monkeypatch.setattr(Environment, "compile", compiled)
    for kind in ALL:
        for language in ("en", "fr"):
            assert renderer.text(mail(kind), language=language).body and renderer.page(mail(kind), language=language)
    with pytest.raises(AssertionError, match="compiled"):
        Renderer(HOST, loader=ChoiceLoader([TALE])).text(mail(MailKind.TURN))


def test_what_keeps_a_page_within_a_phone_stands_on_its_tags() -> None:
    """Some programs drop the head: then long names of the scores, a hash and a sheet would push the page aside."""
    kept = {
        "page": "overflow-wrap:break-word", "figure": "overflow-wrap:anywhere", "part": "overflow-wrap:anywhere",
        "circles": "overflow-wrap:anywhere", "scores": "table-layout:fixed", "sheet": "table-layout:fixed", "board": "width:100%",
    }  # fmt: skip
    assert {name for name, rule in kept.items() if rule not in css(name)} == set()


@pytest.mark.parametrize("name", ["=?utf-8?q?Anna?=", "Anna =?x", "=?utf-8?b?QW5uYQ==?= " + "and a long name " * 5])
def test_words_that_look_encoded_are_read_as_they_were_typed(name: str) -> None:
    """RFC 2047: whatever is typed as a name or heading comes out as that, and in no word too long."""
    to = Address(name.strip(), addr_spec="anna@players.test")
    raw = Renderer(HOST).message(mail(MailKind.TURN, heading=T("{x}", x=name)), to, Thread(), ID, WHEN)
    # By the older reader: the newer one puts blanks between encoded words of a name.
    message = message_from_bytes(raw)
    assert f"{name.strip()} <anna@players.test>" == str(make_header(decode_header(message["To"])))
    assert name.strip() in str(make_header(decode_header(message["Subject"])))
    assert all(len(line) <= 78 for line in raw.split(b"\r\n\r\n")[0].split(b"\r\n"))
