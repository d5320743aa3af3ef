"""Letters meant to break a reader: made by hand, and made from sound ones by seeded damage.

`hostile(seed, count)` gives any number of them, the same for the same seed; tests of other rooms use it too.
"""

from __future__ import annotations

import random
from base64 import b64encode
from collections.abc import Callable
from itertools import cycle, islice

from tests.quoting import STYLES, quote_back

HEAD = b"From: Anna <anna@home.test>\r\nTo: Troyes <troyes@gm.test>\r\nSubject: Re: [troyes-12] Your turn\r\n"
PLAIN = HEAD + b"Message-ID: <a@home.test>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"

BIG = 1_000_000
FULL = 250_000
"""Just within the size that is read, where time has to be linear."""


def _headers(*lines: bytes, body: bytes = b"3\r\n") -> bytes:
    return HEAD + b"\r\n".join(lines) + b"\r\n\r\n" + body


def _nested(depth: int) -> bytes:
    opening = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(depth))
    return HEAD + opening + b"\r\n3\r\n"


def _many_parts(count: int) -> bytes:
    return _headers(b"Content-Type: multipart/mixed; boundary=b", body=b"--b\r\n\r\n3\r\n" * count + b"--b--\r\n")


def _html(html: bytes) -> bytes:
    return _headers(b"Content-Type: text/html; charset=utf-8", body=html[:FULL])


def _encoded(kind: bytes, encoding: bytes, body: bytes) -> bytes:
    return _headers(b"Content-Type: " + kind, b"Content-Transfer-Encoding: " + encoding, body=body)


_LABELS = (
    *(b"no-such", b"rot13", b"base64", b"punycode", b"idna", b"utf-7", b"utf-16", b"utf-32", b"koi8-r", b"zlib"),
    *(b"unicode_escape", b"\xff\xfe", b'"', b"mbcs", b"undefined", b"x" * 5000, b"../../etc"),
)

_HAND_MADE: list[Callable[[], bytes]] = [
    # nothing, and hardly anything
    lambda: b"",
    lambda: b"\n",
    lambda: b"\r\n\r\n",
    lambda: b"\x00" * 5000,
    lambda: b"3",
    lambda: b"From ",
    lambda: b"From anna@home.test Fri Nov 20 18:02:00 2026\n" + PLAIN + b"3\n",
    lambda: b"\xff\xfe\x00\xd8" * 2000,
    lambda: bytes(range(256)) * 200,
    lambda: HEAD,
    lambda: HEAD.replace(b"\r\n", b"\r"),
    lambda: b": no name\r\n:\r\n::::\r\n\r\n3\r\n",
    lambda: b" begins with a folded line\r\n" + PLAIN + b"3\r\n",
    # size and repetition
    lambda: PLAIN + b"On " + b"a " * (BIG // 2),
    lambda: PLAIN + (b"On " + b"a " * (FULL // 2))[:FULL],
    lambda: PLAIN + b"On a\n" * (FULL // 5),
    lambda: PLAIN + b"On a wrote\n" * (FULL // 11),
    lambda: PLAIN + b">" * BIG,
    lambda: PLAIN + b">" * FULL,
    lambda: PLAIN + b">\n" * (FULL // 2),
    lambda: PLAIN + b"\n" * FULL,
    lambda: PLAIN + b"3\n" * (FULL // 2),
    lambda: PLAIN + b"3\n" * 401,
    lambda: PLAIN + b"x" * FULL,
    lambda: PLAIN + b" " * FULL,
    lambda: PLAIN + b"-" * FULL,
    lambda: PLAIN + b"_ " * (FULL // 2),
    lambda: PLAIN + b"----- \n" * (FULL // 7),
    lambda: PLAIN + b"From: a\n" * (FULL // 8),
    lambda: PLAIN + b"De : \n" * 4900,
    lambda: PLAIN + b"To: x\n" * 4900,
    lambda: PLAIN + b"Le " * 4900 + b"\n",
    lambda: PLAIN + b"Le a:\n" * 4900,
    lambda: PLAIN + b"message du " * 20000,
    lambda: PLAIN + b"[1] pass\n" * 400,
    lambda: PLAIN + "\u202e\u2066\u200b\ufeff".encode() * 20000 + b"3\n",
    lambda: PLAIN + "\ufdfa".encode() * 80000,
    lambda: PLAIN + "a\u0300\u0301\u0302".encode() * 30000,
    lambda: PLAIN + "\u2028".encode() * 80000,
    lambda: PLAIN + "３".encode() + b"\x00\n\x00p\x00a\x00s\x00s\x00",
    # header fields
    lambda: _headers(b"Message-ID: <[abc@x]>"),
    lambda: _headers(b"Message-ID: " + b"<" * 200_000),
    lambda: _headers(b"References: " + b"<a@b> " * 40_000),
    lambda: _headers(b"In-Reply-To: <" + b"x" * 200_000 + b">"),
    lambda: b"To: " + b"(" * 20_000 + b"\r\n" + PLAIN + b"3\r\n",
    lambda: b"From: " + b"(" * 20_000 + b"anna@home.test\r\n\r\n3\r\n",
    lambda: b"From: " + b'"' * 20_000 + b"\r\n\r\n3\r\n",
    lambda: b"From: " + b"a@b," * 20_000 + b"\r\n\r\n3\r\n",
    lambda: b"From: " + b"<" * 20_000 + b"\r\n\r\n3\r\n",
    lambda: b"From: " + b"\\" * 20_000 + b"\r\n\r\n3\r\n",
    lambda: b"From: " + b" " * 20_000 + b"@\r\n\r\n3\r\n",
    lambda: b"From: " + b"a" * 200_000 + b"@home.test\r\n\r\n3\r\n",
    lambda: b"From: =?utf-8?q?a=0Ab?= <anna@home.test>\r\n\r\n3\r\n",
    lambda: b"From: =?utf-8?q?eve=40home.test=3E?= <anna@home.test>, <eve@home.test>\r\n\r\n3\r\n",
    lambda: b"From: \xe9\xff <anna@home.test>\r\nSubject: \xe9t\xe9\r\n\r\n3\r\n",
    lambda: b"From: anna@home.test\r\nFrom: eve@home.test\r\n\r\n3\r\n",
    lambda: b"From: undisclosed-recipients:;\r\n\r\n3\r\n",
    lambda: b"Subject: =?utf-8?q?Re=0D=0ABcc:_eve=40home.test?=\r\n" + PLAIN + b"3\r\n",
    lambda: b"Subject: =?no-such?q?abc?= =?utf-8?b?!!!!?= =?utf-8?x?abc?=\r\n" + PLAIN + b"3\r\n",
    lambda: b"Subject: " + b"=?utf-8?q?" * 50_000 + b"\r\n" + PLAIN + b"3\r\n",
    lambda: b"Subject: " + b"Re: " * 50_000 + b"\r\n" + PLAIN + b"3\r\n",
    lambda: b"Subject: " + b"=?utf-8?b?" + b64encode(b"\x00\x01\x02" * 9000) + b"?=\r\n" + PLAIN + b"3\r\n",
    lambda: b"X-Big: " + b"x" * FULL + b"\r\n" + PLAIN + b"3\r\n",
    lambda: b"X-Fold: a\r\n" + b" b\r\n" * (FULL // 4) + PLAIN + b"3\r\n",
    lambda: b"X: y\r\n" * (FULL // 6) + PLAIN + b"3\r\n",
    lambda: b"Auto-Submitted: " + b"(" * 100_000 + b"\r\n" + PLAIN + b"3\r\n",
    lambda: b"Delivered-To: " + b"a@b " * 50_000 + b"\r\n" + PLAIN + b"3\r\n",
    lambda: b"Date: Fri, 99 Foo 99999 99:99:99 +9999\r\n" + PLAIN + b"3\r\n",
    # parts
    lambda: _nested(2000),
    lambda: _nested(11),
    lambda: b"".join(b"Content-Type: message/rfc822\r\n\r\n" for _ in range(2000)) + b"3",
    lambda: _many_parts(5000),
    lambda: _many_parts(51),
    lambda: _headers(b"Content-Type: multipart/mixed"),
    lambda: _headers(b'Content-Type: multipart/mixed; boundary=""', body=b"--\r\n\r\n3\r\n--\r\n"),
    lambda: _headers(b"Content-Type: multipart/mixed; boundary=" + b"b" * 100_000),
    lambda: _headers(b"Content-Type: multipart/mixed; boundary=b", body=b"--b\r\n" * 50_000),
    lambda: _headers(b"Content-Type: multipart/mixed; boundary=b", body=b"--b   \t " * 30_000),
    lambda: _headers(b"Content-Type: multipart/alternative; boundary=b", body=b"--b--\r\n--b\r\n\r\n3\r\n"),
    lambda: _headers(b"Content-Type: multipart/mixed; boundary*=x''%FF%FE"),
    lambda: _headers(b"Content-Type: text/plain; charset*=no-such'x'%00"),
    lambda: _headers(b"Content-Type: text/plain; " + b'";' * 60_000),
    lambda: _headers(b"Content-Type: text/plain; " + b";a=b" * 60_000),
    lambda: _headers(b"Content-Type: /"),
    lambda: _headers(b"Content-Type: multipart/report; report-type=delivery-status; boundary=b", body=b"--b\r\n\r\n"),
    lambda: _headers(b"Content-Type: message/delivery-status", body=b"Final-Recipient: ;\n\n" * 10_000),
    lambda: _headers(b"Content-Type: text/calendar; method=" + b"R" * 5000),
    lambda: _headers(b'Content-Disposition: attachment; filename="' + b"../" * 500 + b'\x00.toml"', body=b"= = =\n"),
    # charsets and encodings
    *(
        (lambda label=label: _headers(b"Content-Type: text/plain; charset=" + label, body=b"3\r\n\xe9\xff\xfe\r\n"))
        for label in _LABELS
    ),
    lambda: _encoded(b"text/plain; charset=utf-8", b"base64", b"!!!! not base64 \xff ===="),
    lambda: _encoded(b"text/plain", b"base64", b"Mw" + b"=" * FULL),
    lambda: _encoded(b"text/plain", b"base64", b64encode(b"3\n" * 90_000)),
    lambda: _encoded(b"text/plain", b"quoted-printable", b"=" * FULL),
    lambda: _encoded(b"text/plain", b"quoted-printable", b"=\r\n" * (FULL // 3)),
    lambda: _encoded(b"text/plain", b"x-uuencode", b"begin 644 x\n" + b"M" * 60 + b"\n"),
    lambda: _encoded(b"text/plain; format=flowed; delsp=yes", b"8bit", b"a \n" * (FULL // 3)),
    lambda: _encoded(b"text/plain; format=flowed", b"8bit", (b"> " * 600 + b"\n") * 200),
    lambda: _encoded(b"text/plain; format=flowed", b"8bit", b"x" * 60 + b" \n" + b"y" * 60 + b" \n" * 80_000),
    # HTML
    lambda: _html(b"<" * FULL),
    lambda: _html(b"<p " + b" ".join(b"a%d" % n for n in range(34_000)) + b">3"),
    lambda: _html(b"".join(b"<b id=%d>" % n for n in range(4900)) + b"<p>" * 4900),
    lambda: _html(b"".join(b'<b x="<" id=%d>' % n for n in range(4900)) + b"<p>" * 4900),
    lambda: _html(b"<div>" * 9_900),
    lambda: _html(b"<div>" * 4900 + b"<p>" * 4900),
    lambda: _html(b"<div>" * 4900 + b"</x>" * 4900),
    lambda: _html(b"<blockquote>" * 9_900 + b"3"),
    lambda: _html(b'<div class="gmail_signature">' * 8000 + b"<hr>"),
    lambda: _html(b"<!--" * 9_900),
    lambda: _html(b"<![CDATA[" * 9_900),
    lambda: _html(b"&" * FULL),
    lambda: _html(b"&#0;&#55296;&#1114112;&#x202e;" * 5000 + b"3"),
    lambda: _html(b'<p class="' + b"x" * FULL),
    lambda: _html(b"<a href='" * 20_000),
    lambda: _html(b"<table>" * 9_900 + b"3"),
    lambda: _html(b"<pre>" * 9_900 + b"3"),
    lambda: _html(b"<script>3</script><style>3</style><title>3</title>" * 3000),
    lambda: _html(b"<br>" * 9_999),
]

HAND_MADE = len(_HAND_MADE)


def hostile(seed: int, count: int) -> list[bytes]:
    """`count` broken letters: all hand-made ones first (as far as they reach), then damaged sound ones."""
    chance = random.Random(seed)
    letters = [build() for build in islice(_HAND_MADE, count)]
    for style in islice(cycle(STYLES), max(0, count - len(letters))):
        sound = quote_back(style, _MAIL, "3\npass", "top")
        letters.append(_damaged(sound, chance))
    return letters


_MAIL = """—— answer above this line / répondez au-dessus de cette ligne ——

You: act once, or pass.
[1] activate merchant with Y5 Y4 · four times, +8 deniers
[2] pass · +2 deniers
Answer with a number, or write your own.
"""

_BITS = (
    *(b"\x00", b"\xff", b"\r", b"\n", b"\r\n\r\n", b"--", b"=?utf-8?q?=", b"<", b">", b"(", b'"', b"=", b";", b":"),
    *(b"\xe2\x80\xae", b"boundary=", b"&#x0;", b"[1] ", b"\xed\xa0\x80"),
    b"Content-Type: multipart/mixed; boundary=x\r\n",
)


def _damaged(letter: bytes, chance: random.Random) -> bytes:
    """One to eight wounds: bytes changed, cut out, doubled, or put in where they hurt."""
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(letter) + 1)
        length = chance.choice((1, 1, 3, 20, 200))
        wound = chance.randrange(5)
        if wound == 0:
            letter = letter[:at] + bytes(chance.randrange(256) for _ in range(length)) + letter[at + length :]
        elif wound == 1:
            letter = letter[:at] + letter[at + length :]
        elif wound == 2:
            letter = letter[:at] + letter[at : at + length] * chance.choice((2, 2, 50)) + letter[at + length :]
        elif wound == 3:
            letter = letter[:at] + chance.choice(_BITS) * chance.choice((1, 1, 30)) + letter[at:]
        else:
            letter = letter[:at]
    return letter
