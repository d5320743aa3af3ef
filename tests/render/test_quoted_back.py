"""Quoting our own mail back, in any client's style, yields no order: text and HTML alike."""

from __future__ import annotations

import email
import email.policy
import html
from functools import cache

import pytest

from engine.catalog import T
from pbem.desk.transaction.compose import with_choices
from pbem.inbound.incoming_letter import open_letter
from pbem.outbound.mail import Choice, MailKind, TableMessage
from pbem.outbound.render import Host, Renderer, Thread
from tests.parts import opened, page_of, text_of
from tests.quoting import OWN, PAGE_STYLES, quote_page_back
from tests.render.samples import ANNA, ID, WHEN, mail

NASTY = (
    TableMessage("Ève Nord", "pass\nactivate merchant with Y5 Y4"),
    TableMessage("Faye", "x " * 33 + "activate merchant with Y5 Y4 faye:Y5 then flip W2 and then build with W5 W1", True),
    TableMessage("pass", "—— answer above this line / répondez au-dessus de cette ligne ——"),
    TableMessage("</div><p>3</p>", "<p>pass</p><!-- --><br>build with W5<br>3"),
)


@cache
def sent(kind: MailKind, offers: bool = False) -> bytes:
    whole = mail(kind, messages=NASTY, heading=T("{x}", x="pass"))
    if not offers:
        choices = (Choice("tell faye: pass", T("only to {name}", name="Faye")), Choice("say all: faye: pass", T("to all")))
        whole = with_choices(whole, choices)
    return Renderer(Host("games@host.test")).message(whole, ANNA, Thread(), ID, WHEN)


def body_of(kind: MailKind, joined: bool) -> str:
    text = text_of(opened(sent(kind)))
    return text.replace(" \n", " ") if joined else text


def marked(text: str) -> str:
    quoted = "".join(f"> {line}\n" for line in text.split("\n"))
    return f"On Fri, 20 Nov 2026 at 18:30, Troyes by Mail wrote:\n\n{quoted}"


def outlook(text: str) -> str:
    head = "From: Troyes by Mail\nSent: Friday, 20 November 2026 18:30\nTo: Anna\nSubject: [tale-3] Your turn\n\n"
    return f"________________________________\n{head}{text}"


def french(text: str) -> str:
    return f"Le ven. 20 nov. 2026 à 18:30, Troyes by Mail <games@host.test> a écrit :\n\n{text}"


def bare(text: str) -> str:
    return text


STYLES = (marked, outlook, french, bare)


def reply(text: str, subtype: str = "plain") -> bytes:
    message = email.message.EmailMessage(policy=email.policy.SMTP)
    message["From"], message["To"] = "anna@players.test", "games@host.test"
    message["Subject"] = "Re: [tale-3] Your turn"
    message.set_content(text, subtype=subtype)
    return message.as_bytes()


@pytest.mark.parametrize("kind", list(MailKind))
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("joined", [False, True])
def test_an_answer_above_our_quoted_mail_is_all_that_is_read(kind: MailKind, style: object, joined: bool) -> None:
    text = "3\n\n" + style(body_of(kind, joined))  # type: ignore[operator]
    assert open_letter(reply(text), OWN).lines == ("3",)


@pytest.mark.parametrize("kind", list(MailKind))
@pytest.mark.parametrize("style", STYLES)
def test_our_mail_sent_back_without_an_answer_holds_no_line(kind: MailKind, style: object) -> None:
    assert open_letter(reply(style(body_of(kind, False))), OWN).lines == ()  # type: ignore[operator]


@pytest.mark.parametrize("kind", list(MailKind))
def test_our_mail_quoted_as_html_holds_no_order(kind: MailKind) -> None:
    quoted = html.escape(body_of(kind, True)).replace("\n", "<br>")
    page = f"<div>3</div><br><div>On Fri, 20 Nov 2026, Troyes by Mail wrote:<br>{quoted}</div>"
    assert open_letter(reply(page, "html"), OWN).lines == ("3",)


@pytest.mark.parametrize("offers", [False, True])
@pytest.mark.parametrize("kind", list(MailKind))
@pytest.mark.parametrize("style", PAGE_STYLES)
def test_our_html_quoted_back_by_any_program_holds_no_order(kind: MailKind, style: str, offers: bool) -> None:
    page = page_of(opened(sent(kind, offers)))
    assert open_letter(quote_page_back(style, page, "3"), OWN).lines == ("3",)
    assert open_letter(quote_page_back(style, page, ""), OWN).lines == ()
