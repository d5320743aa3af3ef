"""Reports of mail after the shape of what mail servers and providers write, with addresses of our own."""

from __future__ import annotations

NOBODY = "From: MAILER-DAEMON@mx.example.org\nReturn-Path: <>\n"


def fields(action: str, status: str, said: str, recipient: str = "anna@people.test", head: str = NOBODY) -> str:
    """A delivery report (RFC 3464)."""
    return (
        f"{head}Subject: Undelivered Mail Returned to Sender\nMIME-Version: 1.0\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nSorry.\n--b\n"
        f"Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n\n"
        f"Final-Recipient: rfc822; {recipient}\nAction: {action}\nStatus: {status}\nDiagnostic-Code: {said}\n\n--b--\n"
    )


def prose(subject: str, text: str, head: str = NOBODY) -> str:
    return f"{head}Subject: {subject}\n\n{text}\n"


WHO = "anna@people.test"
REPORTS: dict[str, tuple[str, str, str]] = {
    # name: (what it tells, whose fault, the letter)
    "no such mailbox": ("failed", "ADDRESS", fields("failed", "5.1.1", "smtp; 550 5.1.1 user unknown")),
    "class of the code alone": ("failed", "ADDRESS", fields("failed", "5.0.0", "smtp; 550 no such user here")),
    "full": ("failed", "FULL", fields("failed", "5.2.2", "smtp; 552 5.2.2 over quota")),
    "full in words": ("failed", "FULL", fields("failed", "5.0.0", "smtp; 550 the mailbox of the user is full")),
    "too large": ("failed", "SIZE", fields("failed", "5.3.4", "smtp; 552 5.3.4 too big for us")),
    "spam": ("failed", "POLICY", fields("failed", "5.7.1", "smtp; 550 5.7.1 looks like spam")),
    "our DMARC": ("failed", "DOMAIN", fields("failed", "5.7.26", "smtp; 550 5.7.26 unauthenticated (DMARC)")),
    "our machine": ("failed", "ACCOUNT", fields("failed", "5.7.1", "smtp; 550 5.7.1 client host is blocked by a list")),
    "expired": ("failed", "OTHER", fields("expired", "", "smtp; Connection timed out")),
    "action unknown": ("failed", "ADDRESS", fields("bounced", "5.1.1", "smtp; 550 5.1.1 no")),
    "delayed": ("delayed", "OTHER", fields("delayed", "4.4.1", "smtp; timed out")),
    "exim warning": ("delayed", "OTHER", prose(
        "Warning: message 1abc-00 delayed 24 hours",
        f"A message that you sent has not yet been delivered to one or more of its\nrecipients after more than 24 hours.\n\n  {WHO}",
    )),
    "exim failure without fields": ("failed", "OTHER", prose(
        "Mail delivery failed: returning message to sender",
        f"A message that you sent could not be delivered to one or more of its\nrecipients.\n\n  {WHO}\n",
        NOBODY + f"X-Failed-Recipients: {WHO}\n",
    )),
    "gateway in prose": ("failed", "ADDRESS", prose(
        "[Postmaster] Email Delivery Failure",
        f"This could not be delivered:\n\n-- {WHO}\n\n-- 5.4.1 Recipient address rejected: Access denied.",
        "From: postmaster <postmaster@firm.example.org>\n",
    )),
    "dma": ("failed", "ADDRESS", prose(
        "Mail delivery failed", f"There was an error delivering your mail to <{WHO}>.\n\n550 5.1.1 no such user",
        "From: MAILER-DAEMON <>\n",
    )),
    "postfix without text": ("failed", "OTHER", (
        f"{NOBODY}Subject: Undelivered Mail Returned to Sender\nMIME-Version: 1.0\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n"
        f"Content-Type: text/rfc822-headers\n\nTo: {WHO}\nMessage-ID: <x@games.test>\n\n--b--\n"
    )),
    "qmail": ("failed", "ADDRESS", prose(
        "failure notice", f"Hi. This is the qmail-send program.\n\n<{WHO}>:\nRemote host said: 550 5.1.1 unknown user",
    )),
    "carrier": ("failed", "OTHER", prose(
        "Mail System Error - Returned Mail", f"Your message was not delivered.\n\n<{WHO}>",
        "From: Postmaster@carrier.example.org\nReturn-Path: <MAILER-DAEMON>\n",
    )),
    "scanner": ("failed", "OTHER", prose(
        "Mail could not be delivered", f"Unable to deliver message to <{WHO}>.",
        'From: postmaster@scan.example.org ("Notification")\nMailing-List: contact help@scan.example.org\n',
    )),
    "complaint": ("complaint", "OTHER", (
        "From: complaints@fbl.example.org\nSubject: a complaint\nMIME-Version: 1.0\n"
        "Content-Type: multipart/report; report-type=feedback-report; boundary=b\n\n--b\n\nAn abuse report.\n--b\n"
        f"Content-Type: message/feedback-report\n\nFeedback-Type: abuse\nOriginal-Rcpt-To: {WHO}\n\n--b--\n"
    )),
    "complaint without fields": ("complaint", "OTHER", (
        "From: staff@provider.example.org\nSubject: complaint about message from 192.0.2.1\nMIME-Version: 1.0\n"
        f"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\nTo: {WHO}\n\nHello\n--b--\n"
    )),
}  # fmt: skip
