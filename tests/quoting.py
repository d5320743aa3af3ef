"""Answers to a mail of ours as people's programs write them: every habit of quoting, as whole letters.

`quote_back` is given a mail text, so that tests can feed it real ones.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from email.message import EmailMessage
from html import escape

WHO = "Troyes by Mail <troyes@gm.test>"
OWN = frozenset({"troyes@gm.test", "Troyes by Mail"})
PLAYER = "Anna <anna@home.test>"
SUBJECT = "[troyes-12] Your turn, round 3 of 6"

NBSP = "\u00a0"

GMAIL_EN = "On Fri, Nov 20, 2026 at 6:02{nnbsp}PM Troyes by Mail <troyes@gm.test> wrote:".format(nnbsp="\u202f")
GMAIL_FR = f"Le{NBSP}ven. 20 nov. 2026 à{NBSP}18:02, Troyes by Mail <troyes@gm.test> a écrit{NBSP}:"
APPLE_EN = "On 20 Nov 2026, at 18:02, Troyes by Mail <troyes@gm.test> wrote:"
APPLE_FR = f"Le 20 nov. 2026 à 18:02, Troyes by Mail <troyes@gm.test> a écrit{NBSP}:"
THUNDERBIRD_FR = f"Le 20/11/2026 à 18:02, Troyes by Mail a écrit{NBSP}:"
PROTON_EN = "On Friday, November 20th, 2026 at 6:02 PM, Troyes by Mail <troyes@gm.test> wrote:"

OUTLOOK_EN = (
    "From: Troyes by Mail <troyes@gm.test>",
    "Sent: Friday, November 20, 2026 6:02 PM",
    "To: Anna <anna@home.test>",
    f"Subject: {SUBJECT}",
)
OUTLOOK_FR = (
    f"De{NBSP}: Troyes by Mail <troyes@gm.test>",
    f"Envoyé{NBSP}: vendredi 20 novembre 2026 18:02",
    f"À{NBSP}: Anna <anna@home.test>",
    f"Objet{NBSP}: {SUBJECT}",
)
RULE = "_" * 32


def prefixed(text: str, mark: str = "> ") -> str:
    """Each line with `mark` before it, as programs do that quote properly."""
    return "\n".join((mark + line).rstrip() for line in text.splitlines())


def flowed(text: str, quoted: bool) -> str:
    """Lines wrapped near column 72 as RFC 3676 wants it, quoted ones one level deep."""
    out = []
    for line in text.splitlines():
        pieces = textwrap.wrap(line, 70, break_long_words=False, break_on_hyphens=False) or [""]
        soft = [piece + " " for piece in pieces[:-1]] + pieces[-1:]
        out += [("> " + piece) if quoted else (" " + piece if piece[:1] in (" ", ">") else piece) for piece in soft]
    return "\n".join(out)


def in_html(text: str) -> str:
    """The lines of a text, each ended by <br>."""
    return "<br>\n".join(escape(line) for line in text.splitlines())


Built = tuple[str, str, dict[str, str]]
"""Plain text, HTML ("" for none), and parameters for the Content-Type of the plain text."""


def _around(quote: str, answer: str, position: str) -> str:
    if position == "top":
        return f"{answer}\n\n{quote}\n"
    if position == "bottom":
        return f"{quote}\n\n{answer}\n"
    lines = quote.splitlines()
    middle = len(lines) // 2
    # Between two of our paragraphs or options, with an empty line on either side, as one answers point by point.
    return "\n".join([*lines[:middle], "", answer, "", *lines[middle:]]) + "\n"


def _plain_prefixed(attribution: str, mark: str = "> ") -> Callable[[str, str, str], Built]:
    def build(text: str, answer: str, position: str) -> Built:
        return _around(f"{attribution}\n{prefixed(text, mark)}", answer, position), "", {}

    return build


def _wrapped_attribution(text: str, answer: str, position: str) -> Built:
    head = "On Fri, Nov 20, 2026 at 6:02 PM Troyes by Mail <\ntroyes+troyes-12.41.abcdefgh@gm.test> wrote:"
    return _around(f"{head}\n\n{prefixed(text)}", answer, position), "", {}


def _wrapped_attribution_fr(text: str, answer: str, position: str) -> Built:
    head = f"Le ven. 20 nov. 2026 à 18:02, Troyes by Mail <troyes+troyes-12.41.abcd@gm.test> a\nécrit{NBSP}:"
    return _around(f"{head}\n\n{prefixed(text)}", answer, position), "", {}


def _orange(text: str, answer: str, position: str) -> Built:
    head = f"Message du 20/11/26 18:02\nDe : {WHO}\nA : {PLAYER}\nCopie à :\nObjet : {SUBJECT}\n"
    return _around(prefixed(f"{head}\n{text}"), answer, position), "", {}


def _iphone(text: str, answer: str, position: str) -> Built:
    quote = prefixed(f"{APPLE_FR}\n\n\ufeff{text}")
    if position == "top":
        return f"{answer}\n\nEnvoyé de mon iPhone\n\n{quote}\n", "", {}
    return _around(quote, answer, position), "", {}


def _thunderbird_flowed(text: str, answer: str, position: str) -> Built:
    quote = f"{THUNDERBIRD_FR}\n{flowed(text, quoted=True)}"
    return _around(quote, flowed(answer, quoted=False), position), "", {"format": "flowed"}


def _apple_delsp(text: str, answer: str, position: str) -> Built:
    quote = f"{APPLE_EN}\n\n{flowed(text, quoted=True)}".replace(" \n", "  \n")
    return _around(quote, answer, position), "", {"format": "flowed", "delsp": "yes"}


def _outlook(*head: str) -> Callable[[str, str, str], Built]:
    def build(text: str, answer: str, position: str) -> Built:
        return _around("\n".join([*head, "", text]), answer, position), "", {}

    return build


def _gmail_html(text: str, answer: str, position: str) -> Built:
    quote = (
        f'<div class="gmail_quote"><div dir="ltr" class="gmail_attr">{escape(GMAIL_FR)}<br></div>'
        f'<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px solid rgb(204,204,204)">'
        f"{in_html(text)}</blockquote></div>"
    )
    own = f'<div dir="ltr">{in_html(answer)}</div><br>'
    return "", own + quote if position == "top" else quote + own, {}


def _apple_html(text: str, answer: str, position: str) -> Built:
    half = text.splitlines()[: len(text.splitlines()) // 2]
    rest = text.splitlines()[len(half) :]
    attribution = f"<div>{escape(APPLE_EN)}</div><br class='Apple-interchange-newline'>"
    own = f"<div>{in_html(answer)}</div>"

    def cite(inside: str) -> str:
        return f'<blockquote type="cite">{inside}</blockquote>'

    if position == "between":
        both = cite(attribution + in_html("\n".join(half))) + own + cite(in_html("\n".join(rest)))
        return "", f"<html><body>{both}</body></html>", {}
    quote = cite(f"{attribution}<div>{in_html(text)}</div>")
    return "", f"<html><body>{own + quote if position == 'top' else quote + own}</body></html>", {}


def _outlook_html(text: str, answer: str, position: str) -> Built:
    own = f'<div class="elementToProof">{in_html(answer)}</div>'
    head = "<br>".join(f"<b>{name}:</b>{escape(value)}" for name, _, value in (x.partition(":") for x in OUTLOOK_FR))
    quote = (
        '<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1">'
        f'<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif">{head}</font><div>&nbsp;</div></div>'
        f'<div class="BodyFragment"><div class="PlainText">{in_html(text)}</div></div>'
    )
    return "", own + quote if position == "top" else quote + own, {}


def _outlook_desktop_html(text: str, answer: str, position: str) -> Built:
    fields = (line.partition(":") for line in OUTLOOK_EN)
    head = "<br>".join(f"<b><span lang=EN-US>{name}:</span></b>{escape(value)}" for name, _, value in fields)
    lines = (escape(line) or "<o:p>&nbsp;</o:p>" for line in text.splitlines())
    paragraphs = "".join(f"<p class=MsoNormal>{line}</p>\n" for line in lines)
    own = "".join(f"<p class=MsoNormal>{escape(line)}<o:p></o:p></p>" for line in answer.splitlines())
    quote = (
        "<div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'>"
        f"<p class=MsoNormal>{head}<o:p></o:p></p></div></div>{paragraphs}"
    )
    body = f"{own}<p class=MsoNormal><o:p>&nbsp;</o:p></p>{quote}" if position == "top" else quote + own
    return "", f"<html><head><style>p.MsoNormal > a {{margin:0cm}}</style></head><body>{body}</body></html>", {}


def _thunderbird_html(text: str, answer: str, position: str) -> Built:
    quote = (
        f'<div class="moz-cite-prefix">{escape(THUNDERBIRD_FR)}<br></div><blockquote type="cite" cite="mid:x@gm.test">'
        f'<pre class="moz-quote-pre" wrap="">{escape(text)}</pre></blockquote>'
    )
    own = f"<p>{in_html(answer)}</p>"
    return "", own + quote if position == "top" else quote + own, {}


def _indented(text: str, answer: str, position: str) -> Built:
    return _around(f"{GMAIL_EN}\n\n{textwrap.indent(text, '    ')}", answer, position), "", {}


def _indented_bare(text: str, answer: str, position: str) -> Built:
    return _around(textwrap.indent(text, "\t"), answer, position), "", {}


def _bare(text: str, answer: str, position: str) -> Built:
    return _around(text, answer, position), "", {}


_STYLES: dict[str, Callable[[str, str, str], Built]] = {
    "gmail": _plain_prefixed(GMAIL_EN),
    "gmail-fr": _plain_prefixed(GMAIL_FR),
    "gmail-wrapped": _wrapped_attribution,
    "gmail-wrapped-fr": _wrapped_attribution_fr,
    "gmail-html": _gmail_html,
    "proton": _plain_prefixed(PROTON_EN + "\n"),
    "proton-old": _plain_prefixed("------- Original Message -------\n" + PROTON_EN + "\n"),
    "roundcube-fr": _plain_prefixed("Le 2026-11-20 18:02, Troyes by Mail a écrit :"),
    "zimbra-fr": _plain_prefixed("\n".join(("----- Mail original -----", *OUTLOOK_FR, ""))),
    "orange": _orange,
    "iphone-fr": _iphone,
    "thunderbird-flowed": _thunderbird_flowed,
    "thunderbird-html": _thunderbird_html,
    "apple-delsp": _apple_delsp,
    "apple-html": _apple_html,
    "pipes": _plain_prefixed("Anna asked about this, on 20 Nov 2026 Troyes by Mail wrote:", "| "),
    "tight": _plain_prefixed("Troyes by Mail <troyes@gm.test> wrote:", ">"),
    "initials": _plain_prefixed(GMAIL_EN, "TbM> "),
    "outlook": _outlook(*OUTLOOK_EN),
    "outlook-fr": _outlook(*OUTLOOK_FR),
    "outlook-rule": _outlook(RULE, *OUTLOOK_EN),
    "outlook-phone": _outlook("Get Outlook for iOS<https://aka.test/o0ukef>", RULE, *OUTLOOK_EN),
    "outlook-phone-fr": _outlook("Télécharger Outlook pour Android", RULE, *OUTLOOK_FR),
    "outlook-original": _outlook("-----Original Message-----", *OUTLOOK_EN),
    "outlook-original-fr": _outlook("-----Message d'origine-----", *OUTLOOK_FR),
    "outlook-html": _outlook_html,
    "outlook-desktop-html": _outlook_desktop_html,
    "windows-mail-fr": _outlook("Provenance : Courrier pour Windows", "", *OUTLOOK_FR),
    "indented": _indented,
    "indented-bare": _indented_bare,
    "bare": _bare,
}

STYLES = tuple(_STYLES)
"""Every style `quote_back` knows."""

OPEN_ENDED = frozenset(style for style in STYLES if style.startswith(("outlook", "windows", "indented", "bare")))
"""Styles that mark only where the quotation begins: an answer under it cannot be told from it and is not read."""

BETWEEN = frozenset(STYLES) - OPEN_ENDED - {"gmail-html", "thunderbird-html"}
"""Styles in which an answer may stand in the middle of the quotation."""


def quote_back(style: str, mail_text: str, answer: str, position: str = "top") -> bytes:
    """A letter from Anna that quotes `mail_text` whole in one of STYLES and answers `answer`.

    `position` is "top", "bottom", or, for the styles in BETWEEN, "between".
    """
    text, html, parameters = _STYLES[style](mail_text, answer, position)
    letter = EmailMessage()
    letter["From"] = PLAYER
    letter["To"] = WHO
    letter["Subject"] = f"Re: {SUBJECT}"
    letter["Message-ID"] = "<answer@home.test>"
    if html:
        letter.set_content(html, subtype="html", cte="quoted-printable")
    else:
        letter.set_content(text, cte="quoted-printable")
        for name, value in parameters.items():
            letter.set_param(name, value)
    return letter.as_bytes()


# The HTML part of our mails, as programs take it into an answer.

_BODY = re.compile(r"<body[^>]*>(.*)</body>", re.DOTALL)
_STYLE = re.compile(r' (?:style|class)="[^"]*"')


def _inside(page: str) -> str:
    found = _BODY.search(page)
    return found[1] if found else page


def _stripped(page: str) -> str:
    """Without styles and classes, so that what was hidden is seen: what some programs leave of a page."""
    return _STYLE.sub("", _inside(page))


def _cited(attribution: str, quote: str, inside: Callable[[str], str] = _inside) -> Callable[[str, str], str]:
    def build(page: str, answer: str) -> str:
        own = f'<div dir="auto">{in_html(answer)}</div><br>' if answer else ""
        return own + attribution + quote.format(inside(page))

    return build


def _headed(rule: str, inside: Callable[[str], str] = _inside) -> Callable[[str, str], str]:
    head = "<br>".join(f"<b>{name}:</b>{escape(value)}" for name, _, value in (line.partition(":") for line in OUTLOOK_EN))

    def build(page: str, answer: str) -> str:
        own = f"<p class=MsoNormal>{in_html(answer)}</p>" if answer else ""
        return f"{own}{rule.format(head)}{inside(page)}"

    return build


_GMAIL = f'<div class="gmail_quote"><div dir="ltr" class="gmail_attr">{escape(GMAIL_EN)}<br></div>'
_PAGES: dict[str, Callable[[str, str], str]] = {
    "gmail": _cited(_GMAIL, '<blockquote class="gmail_quote" style="margin:0 0 0 .8ex">{}</blockquote></div>'),
    "gmail-stripped": _cited(_GMAIL, '<blockquote class="gmail_quote">{}</blockquote></div>', _stripped),
    "outlook-web": _headed('<hr tabindex="-1" style="display:inline-block"><div id="divRplyFwdMsg">{}</div><div></div>'),
    "outlook-desktop": _headed("<div style='border:none;border-top:solid #E1E1E1 1.0pt'><p class=MsoNormal>{}</p></div>"),
    "outlook-stripped": _headed("<div><div><p class=MsoNormal>{}</p></div></div>", _stripped),
    "apple": _cited("", f'<blockquote type="cite"><div>{escape(APPLE_EN)}</div><br>{{}}</blockquote>'),
    "thunderbird": _cited(
        f'<div class="moz-cite-prefix">{escape(THUNDERBIRD_FR)}<br></div>', '<blockquote type="cite">{}</blockquote>'
    ),
    "yahoo": _cited("", f'<div id="yahoo_quoted_1" class="yahoo_quoted"><div>{escape(GMAIL_EN)}</div>{{}}</div>'),
    "proton": _cited(
        f"<div>{escape(PROTON_EN)}</div>", '<blockquote class="protonmail_quote" type="cite">{}</blockquote>'
    ),
    "samsung": _headed('<div>-------- Original message --------</div><div>{}</div>'),
    "k9": _cited(f'<div class="gmail_quote">{escape(GMAIL_EN)}', '<blockquote class="gmail_quote">{}</blockquote></div>'),
    "bare": _cited("", "{}"),
    "bare-stripped": _cited("", "{}", _stripped),
}  # fmt: skip

PAGE_STYLES = tuple(_PAGES)
"""Every style `quote_page_back` knows."""


def quote_page_back(style: str, page: str, answer: str) -> bytes:
    """A letter from Anna in HTML alone that quotes the HTML of a mail in one of PAGE_STYLES, below her answer."""
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = PLAYER, WHO, f"Re: {SUBJECT}"
    letter["Message-ID"] = "<answer@home.test>"
    letter.set_content(_PAGES[style](page, answer), subtype="html", cte="quoted-printable")
    return letter.as_bytes()
