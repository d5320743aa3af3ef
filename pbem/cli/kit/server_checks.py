"""Checks of `pbem doctor` that talk to servers: IMAP, SMTP, and the domain's records of who may send for it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator, Sequence
from email.message import EmailMessage
from email.utils import format_datetime, localtime
from pathlib import Path

from pbem.cli.kit.local_checks import Check
from pbem.cli.kit.txt_records import Unanswered, txt_records
from pbem.daemon.service import mailbox_settings, open_mailbox, sender_settings
from pbem.host.config import IMAP_PORTS, SMTP_PORTS, Config
from pbem.host.passwords import SecretError
from pbem.inbound.mailbox import (
    AccountTrouble,
    LoginRefused,
    Mailbox,
    MailboxError,
    NoFolder,
    NotFiled,
    TooManyConnections,
)  # fmt: skip
from pbem.inbound.maildir import Maildir
from pbem.inbound.sanitize import one_line
from pbem.outbound.sender import Sender, SendError, SendRefused

PATIENCE = 60.0
"""Seconds our letter to ourselves may take."""

_NOT_PRIVATE = (
    ("certificate has expired", "the server's certificate has run out: whoever keeps the server renews it"),
    ("certificate is not valid for", "set host in [{part}] to a name that the server's certificate is made for"),
    ("CERTIFICATE_VERIFY_FAILED", "nobody whom this machine trusts has signed the certificate: if the server is yours, "
     "name the certificate, or who has signed it, as ca_file in [{part}]"),
    ("WRONG_VERSION_NUMBER", 'the server does not speak TLS there from the first byte: set tls = "starttls" in '
     "[{part}], or the port that does, {port}"),
)  # fmt: skip
"""Words of a failed TLS connection, and what would help; the first that fits counts."""


def _to_mend(odd: Exception, part: str, port: int, usual: str) -> str:
    """What would help where a server of that `part` of the settings was not reached; else `usual`."""
    ways = (mend for words, mend in _NOT_PRIVATE if words in str(odd))
    return next(ways, usual).format(part=part, port=port)


async def check_servers(config: Config, send: bool) -> list[Check]:
    """Check both servers, and with `send` whether a letter to a plus address arrives in the mailbox."""
    maildir = config.mailbox.maildir
    if not config.imap.host and not config.smtp.host and maildir is None:
        return [Check("servers", "doubt", "no servers are named", "set host in [imap] and [smtp]")]
    mailbox = await _imap(config) if maildir is None else await _maildir(config, maildir)
    found = [*mailbox, await _sender(config), *await asyncio.to_thread(lambda: list(_known(config)))]
    if any(one.state == "bad" for one in found):
        return found
    if send:
        found.append(await _plus(config))
    elif config.host.plus_addressing:
        says = "not looked at: whether they arrive in the mailbox"
        found.append(Check("plus addresses", "doubt", says, "`pbem doctor --send` sends one letter to ourselves"))
    return found


def _known(config: Config) -> Iterator[Check]:
    """SPF and DMARC records of our domain, without which large providers take our mails for spam."""
    domain = (config.smtp.sender or config.host.address).rpartition("@")[2]
    for what, name, mark, mend in (
        ("SPF", domain, "v=spf1", f"a TXT record of {domain} names the servers that send for it; ask your provider"),
        ("DMARC", f"_dmarc.{domain}", "v=DMARC1", f"a TXT record of _dmarc.{domain}, such as «v=DMARC1; p=none»"),
    ):
        try:
            found = [text for text in txt_records(name) if text.lower().startswith(mark.lower())]
        except Unanswered as odd:
            yield Check(what, "doubt", f"could not look: {odd}", "look again where names can be asked")
            continue
        if len(found) == 1:
            yield Check(what, "well", f"{name}: {one_line(found[0], 200)}")
        else:
            yield Check(what, "doubt", f"{name} has {len(found) or 'no'} record{'s' * (len(found) > 1)} of it", mend)


async def _maildir(config: Config, path: Path) -> list[Check]:
    try:
        box = Maildir(path)
        await box.connect()
        letters = len(await box.arrived())
    except MailboxError as odd:
        return [Check("maildir", "bad", str(odd), "set maildir in [mailbox] to where the mail server delivers")]
    says = f"{path}: {letters} letters; it is looked into every {box.poll:g} s"
    return [Check("maildir", "well", says), *await _folders(config, box)]


async def _folders(config: Config, box: Mailbox | Maildir) -> list[Check]:
    """The folders for handled letters, which are made where they are missing."""
    found = []
    for key, folder in (("filed", config.imap.filed), ("quarantine", config.imap.quarantine)):
        try:
            found.append(Check(f"folder {folder}", "well", f"letters are moved to {await box.make(folder)}"))
        except NotFiled as odd:
            mend = f"its words say why; {key} in [imap] names another folder. Letters are read and answered meanwhile"
            found.append(Check(f"folder {folder}", "bad", str(odd), mend))
    return found


def _room(quota: tuple[int, int] | None) -> Check:
    """How full the mailbox is."""
    if quota is None:
        return Check("quota", "well", "the server tells of none")
    used, most = quota
    says = f"{used // 1024:,} of {most // 1024:,} MB of the mailbox are used"
    state = "well" if used < most * 0.8 else "doubt" if used < most * 0.95 else "bad"
    mend = "empty its folders, or lower keep_filed_days in [imap]: a full one takes no letter"
    return Check("quota", state, says, "" if state == "well" else mend)


async def _imap(config: Config) -> list[Check]:
    one = config.imap
    where = f"{one.host}:{one.port}"
    if not one.host:
        return [Check("imap", "bad", "no server is named", "set host in [imap], or maildir in [mailbox]")]
    try:
        box = Mailbox(mailbox_settings(config))
        await box.connect()
        letters = len(await box.arrived())
        words, quota = box.capabilities, await box.quota()
        folders = await _folders(config, box)
        await box.close()
    except SecretError as odd:
        return [Check("imap", "bad", "no login without a password", str(odd))]
    except MailboxError as odd:
        return [Check("imap", "bad", str(odd), _imap_mend(odd, one.folder))]
    idle = "wakes us" if one.idle and "IDLE" in words else f"is looked into every {one.poll} s"
    return [Check("imap", "well", f"{where}, {one.folder}: {letters} letters; it {idle}"), _room(quota), *folders]


def _imap_mend(odd: MailboxError, folder: str) -> str:
    match odd:
        case LoginRefused():
            return "check user and password; some providers want an app password"
        case TooManyConnections():
            says = "user and password may be right: close other programs that read this mailbox, or wait"
            return f"{says}; it is tried again"
        case NoFolder():
            return f"the mailbox has no folder {folder}: set folder in [imap]"
        case AccountTrouble():
            return "host, port and tls are right: the server does not open this account's mailbox; look into its log"
    return _to_mend(odd, "imap", IMAP_PORTS["tls"], "check host, port and tls in [{part}]")


async def _sender(config: Config) -> Check:
    one = config.smtp
    if not one.host:
        return Check("smtp", "bad", "no server is named", "set host in [smtp]")
    try:
        sender = Sender(sender_settings(config))
        await sender.check()
        await sender.close()
    except SecretError as odd:
        return Check("smtp", "bad", "no login without a password", str(odd))
    except SendError as odd:
        mend = _to_mend(odd, "smtp", SMTP_PORTS["tls"], "check host, port, tls, user and password in [{part}]")
        return Check("smtp", "bad", str(odd), mend)
    return Check("smtp", "well", f"{one.host}:{one.port} lets us in")


async def _plus(config: Config) -> Check:
    """Send a letter to a plus address of ours, and wait for it."""
    what = "plus addresses"
    off = "set plus_addressing = false in [host]; the token then stands in the subject"
    word = f"doctor-{secrets.token_hex(6)}"
    local, _, domain = config.host.address.rpartition("@")
    box = open_mailbox(config)
    sender = Sender(sender_settings(config))
    try:
        await box.connect()
        to = f"{local}+{word}@{domain}"
        await sender.send(_letter(config.host.address, to, word), config.smtp.sender or config.host.address, to)
        arrived = await _arrives(box, [config.imap.filed], word)
    except SendRefused as odd:
        return Check(what, "bad" if config.host.plus_addressing else "well", f"refused: {odd}", off)
    except (MailboxError, SendError) as odd:
        return Check(what, "doubt", f"could not be tried: {odd}", "try again")
    finally:
        await sender.close()
        await box.close()
    if arrived and config.host.plus_addressing:
        return Check(what, "well", f"a letter to {local}+…@{domain} came back to us")
    if arrived:
        return Check(what, "doubt", "they would arrive, but are switched off", "you may set plus_addressing = true")
    if not config.host.plus_addressing:
        return Check(what, "well", "they do not arrive, and are switched off")
    says = f"a letter to {local}+…@{domain} did not arrive within {PATIENCE:g} s"
    return Check(what, "bad", says, f"if a daemon runs, stop it and try again; else {off}")


def _letter(address: str, to: str, word: str) -> bytes:
    letter = EmailMessage()
    for name, value in {
        "From": address, "To": to, "Subject": f"pbem {word}", "Date": format_datetime(localtime()),
        "Message-ID": f"<{word}@{address.partition('@')[2]}>", "Auto-Submitted": "auto-generated",
    }.items():  # fmt: skip
        letter[name] = value
    letter.set_content("pbem doctor asks whether this address reaches the mailbox. Nothing is to be done.\n")
    return letter.as_bytes()


async def _arrives(box: Mailbox | Maildir, filed: Sequence[str], word: str) -> bool:
    """Whether the letter comes in time; it is then filed."""
    loop = asyncio.get_running_loop()
    end = loop.time() + PATIENCE
    known = set()
    while True:
        there = [one for one in await box.arrived() if one not in known]
        bodies = await box.fetch(there)
        ours = [one for one in there if f"pbem {word}".encode() in bodies.get(one, b"")[:65536]]
        if ours:
            await box.file(ours, filed[0])
            return True
        known.update(there)
        left = end - loop.time()
        if left <= 0:
            return False
        await box.wait(min(left, 10.0))
