"""The local post office as other mail programs see it: through the standard library's imaplib and smtplib."""

from __future__ import annotations

import asyncio
import imaplib
import mailbox
import re
import smtplib
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.demo.postoffice import PostOffice
from pbem.demo.postoffice.imap_fetch import FetchedLetter, envelope, fetch_items, structure
from pbem.demo.postoffice.imap_grammar import BadCommand, in_set, parse_command
from pbem.demo.postoffice.imap_session import ImapSession
from pbem.demo.postoffice.mail_storage import Folder
from pbem.demo.postoffice.selected_folder import SelectedFolder
from pbem.inbound.mailbox import Mailbox, MailboxSettings
from tests.patience import AGES, PATIENCE

from .servers import Office, local_office

PLAIN = (
    b"From: Anna <anna@office.test>\r\nTo: table@office.test\r\nSubject: Your turn\r\n"
    b"Date: Fri, 20 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@office.test>\r\n\r\nfight war\r\n"
)
MIXED = (
    b'From: "Bert" <bert@office.test>\r\nTo: Table <table@office.test>,\r\n other@office.test\r\n'
    b"Subject: =?utf-8?q?d=C3=A9?= (two parts)\r\nMIME-Version: 1.0\r\n"
    b'Content-Type: multipart/mixed; boundary="b 1"\r\n\r\npreamble\r\n'
    b"--b 1\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nfirst\r\n\r\n"
    b"--b 1\r\nContent-Type: message/rfc822\r\n\r\nSubject: inner\r\nFrom: x@office.test\r\n\r\ninner body\r\n\r\n"
    b"--b 1\r\nContent-Type: multipart/alternative; boundary=b2\r\n\r\n"
    b"--b2\r\n\r\none\r\n--b2\r\nContent-Type: text/html\r\n\r\n<p>two\r\n--b2--\r\n\r\n--b 1--\r\n"
)


@pytest.fixture
def office() -> Iterator[Office]:
    with local_office(accounts=["table", "anna"]) as one:
        yield one


@pytest.fixture
def client(office: Office) -> Iterator[imaplib.IMAP4]:
    one = logged_in(office)
    yield one
    one.shutdown()


def logged_in(office: Office, name: str = "table") -> imaplib.IMAP4:
    one = imaplib.IMAP4("127.0.0.1", office.imap_port, timeout=PATIENCE)
    one.login(name, office.password)
    return one


def post(office: Office, *letters: bytes, to: str = "table@office.test") -> None:
    with smtplib.SMTP("127.0.0.1", office.smtp_port, timeout=PATIENCE) as smtp:
        for letter in letters:
            smtp.sendmail("anna@office.test", [to], letter)


def fetched(client: imaplib.IMAP4, numbers: str, what: str) -> list[bytes]:
    """Everything in a FETCH answer, literals and words, joined per letter."""
    kind, data = client.fetch(numbers, what)
    assert kind == "OK", data
    joined: list[bytes] = []
    for part in data:
        text = b" ".join(part) if isinstance(part, tuple) else part or b""
        if re.match(rb"\d+ \(", text):
            joined.append(text)
        elif joined:
            joined[-1] += text
    return joined


def test_a_person_reads_answers_and_files_a_letter_with_imaplib(office: Office, client: imaplib.IMAP4) -> None:
    post(office, PLAIN, MIXED)
    assert client.select("INBOX") == ("OK", [b"2"])
    assert client.search(None, "UNSEEN", "FROM", "anna")[1] == [b"1"]
    assert b"fight war" in fetched(client, "1", "(RFC822)")[0]
    assert client.search(None, "UNSEEN")[1] == [b"2"]
    assert b"\\Answered" in fetched(client, "1", "(FLAGS)")[0] + client.store("1", "+FLAGS", r"(\Answered)")[1][0]
    assert client.create("Done")[0] == "OK"
    assert client.copy("1", "Done")[0] == "OK"
    assert client.store("1", "+FLAGS.SILENT", r"(\Deleted)")[0] == "OK"
    assert client.expunge()[1] == [b"1"]
    assert client.list()[1] == [b'() "." "INBOX"', b'() "." "Done"']
    status = client.status("Done", "(MESSAGES UNSEEN UIDNEXT UIDVALIDITY)")[1][0]
    assert status.startswith(b'"Done" (MESSAGES 1 UNSEEN 0 UIDNEXT ')
    assert client.append("Drafts", "", None, PLAIN)[0] == "NO"  # type: ignore[arg-type]
    assert client.append("Done", r"(\Seen)", '"01-Feb-2026 10:00:00 +0100"', PLAIN)[0] == "OK"
    client.select("Done")
    assert client.search(None, "BEFORE", "2-Feb-2026")[1] == [b"2"]
    assert b'"01-Feb-2026 09:00:00 +0000"' in fetched(client, "2", "(INTERNALDATE)")[0]


def test_parts_headers_and_partials_are_the_very_octets(office: Office, client: imaplib.IMAP4) -> None:
    """RFC 3501 section 6.4.5."""
    post(office, MIXED)
    client.select("INBOX", readonly=True)

    def octets(section: str) -> bytes:
        data = client.fetch("1", f"({section})")[1]
        assert isinstance(data[0], tuple), data
        return bytes(data[0][1])

    whole = octets("BODY[]")
    assert whole.endswith(MIXED)
    assert octets("BODY[HEADER]") + octets("BODY[TEXT]") == whole
    assert octets("BODY.PEEK[HEADER.FIELDS (subject TO)]") == (
        b"To: Table <table@office.test>,\r\n other@office.test\r\nSubject: =?utf-8?q?d=C3=A9?= (two parts)\r\n\r\n"
    )
    assert b"Subject" not in octets("BODY.PEEK[HEADER.FIELDS.NOT (Subject)]")
    assert octets("BODY[1]") == b"first\r\n"
    assert octets("BODY[1.MIME]") == b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
    assert octets("BODY[2]") == b"Subject: inner\r\nFrom: x@office.test\r\n\r\ninner body\r\n"
    assert octets("BODY[3.2]") == b"<p>two"
    assert octets("BODY[]<10.7>") == whole[10:17]
    assert octets("BODY[]<999999.7>") == b""
    assert b"NIL" in fetched(client, "1", "(BODY[4])")[0]
    assert int(re.search(rb"RFC822.SIZE (\d+)", fetched(client, "1", "(RFC822.SIZE)")[0])[1]) == len(whole)  # type: ignore[index]
    assert client.search(None, "UNSEEN")[1] == [b"1"]


@pytest.fixture
def described(tmp_path: Path) -> Callable[[bytes], FetchedLetter]:
    """A letter as it is answered for."""
    folder = Folder("INBOX", tmp_path / "described", durable=False)
    return lambda raw: FetchedLetter(folder.add(raw))


def test_envelope_and_structure_describe_the_letter(described: Callable[[bytes], FetchedLetter]) -> None:
    """RFC 3501 section 7.4.2."""
    tree = described(MIXED).tree
    bert = b'(("Bert" NIL "bert" "office.test"))'
    to = b'(("Table" NIL "table" "office.test")(NIL NIL "other" "office.test"))'
    subject = b'"=?utf-8?q?d=C3=A9?= (two parts)"'
    assert envelope(tree) == b"(" + b" ".join([b"NIL", subject, bert, bert, bert, to, *[b"NIL"] * 4]) + b")"
    ascii_text = b'"text" "plain" ("charset" "us-ascii") NIL NIL "7bit"'
    assert structure(tree) == (
        b'(("text" "plain" ("charset" "utf-8") NIL NIL "7bit" 7 1)'
        b'("application" "octet-stream" NIL NIL NIL "7bit" 51)'
        b"((" + ascii_text + b' 3 0)("text" "html" ("charset" "us-ascii") NIL NIL "7bit" 6 0) "alternative") "mixed")'
    )


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\r\n",
        b"no header at all",
        b"Content-Type: multipart/mixed; boundary=x\r\n\r\n" + b"--x\r\n" * 5000,
        b"Content-Type: message/rfc822\r\n\r\n" * 500,
        b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(500)),
        b"To: " + b"(" * 20000 + b"\r\nMessage-ID: <[x@y]>\r\nContent-Type: ;;;=\xff\xfe\r\n\r\n\x00",
        b"Content-Disposition: attachment; filename*0*=x''%ff\r\nContent-Type: text/plain; charset*=bad\r\n\r\nx",
    ],
)
def test_hostile_letters_are_described_without_harm(
    described: Callable[[bytes], FetchedLetter], raw: bytes
) -> None:
    begin = time.process_time()
    tree = described(raw).tree
    assert envelope(tree).startswith(b"(")
    assert structure(tree).endswith(b")")
    assert time.process_time() - begin < 30, "work that grows out of proportion takes hours"


def test_hostile_letter_can_be_delivered_listed_and_read(office: Office, client: imaplib.IMAP4) -> None:
    deep = b"Content-Type: message/rfc822\r\n\r\n" * 400
    odd = b"To: " + b"(" * 900 + b"\r\nMessage-ID: <[x@y]>\r\nContent-Type: multipart/x; boundary=\r\n\r\n\x00\r\n"
    post(office, odd, deep)
    client.select()
    told = fetched(client, "1:2", "(ENVELOPE BODYSTRUCTURE BODY BODY.PEEK[1] UID RFC822.SIZE FLAGS)")
    assert b"<[x@y]>" in told[0]
    assert b"BODY[1] NIL" in told[1]
    assert client.noop()[0] == "OK"


def test_a_letter_that_another_client_removes_while_letters_are_fetched_is_passed_over(tmp_path: Path) -> None:
    folder = Folder("INBOX", tmp_path / "inbox", durable=False)
    first, second, third = (folder.add(PLAIN) for _ in range(3))
    answers = iter(SelectedFolder(folder, False, lambda: None).fetch([b"1:3", b"BODY[]"], by_uid=False))
    assert next(answers).startswith(b"* 1 ")
    folder.remove([second])
    assert [line[:4] for line in answers] == [b"* 3 "]
    folder.remove([first, first])
    assert list(folder.mails.values()) == [third]


async def test_a_client_is_forgotten_however_its_connection_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(_: ImapSession) -> None:
        raise RuntimeError

    monkeypatch.setattr(ImapSession, "serve", fails)
    office = PostOffice(tmp_path, ["table"])
    with pytest.raises(RuntimeError):
        await office._serve(None, None)  # type: ignore[arg-type]
    assert not office._imap_clients


def test_letters_can_be_opened_as_a_maildir_and_outlive_the_office(tmp_path: Path) -> None:
    """`mutt -f DIR/mail/anna`, and a second run in the same folder; flags and folders stay what they were."""
    with local_office(tmp_path, ["anna"]) as office:
        post(office, PLAIN, PLAIN, PLAIN, to="anna+x@office.test")
        with logged_in(office, "anna") as client:
            client.select()
            client.store("1", "+FLAGS", r"(\Seen)")
            client.create("Old.2026")
            client.uid("MOVE", "1:2", "Old.2026")
            client.store("1", "+FLAGS", r"(\Deleted)")
            client.expunge()
            before = client.status("Old.2026", "(MESSAGES UNSEEN)")[1]
            counted = client.status("Old.2026", "(UIDVALIDITY)")[1]
    folder = mailbox.Maildir(tmp_path / "anna", create=False)
    assert list(folder) == []
    assert folder.list_folders() == ["Old.2026"]
    old = folder.get_folder("Old.2026")
    first = next(letter for letter in old if "S" in letter.get_flags())
    assert first["Delivered-To"] == "anna+x@office.test"
    assert first["Return-Path"] == "<anna@office.test>"
    assert first.get_payload() == "fight war\n"
    with local_office(tmp_path, ["anna"]) as office, logged_in(office, "anna") as client:
        assert client.status("Old.2026", "(MESSAGES UNSEEN)")[1] == before
        assert client.status("Old.2026", "(UIDVALIDITY)")[1] != counted
        client.select("Old.2026")
        assert client.uid("SEARCH", "SEEN")[1] == [b"1"]


def test_letter_is_on_the_disk_when_smtp_says_so(office: Office) -> None:
    post(office, PLAIN, to="anna+table.1.x@office.test")
    (path,) = (office.folder / "anna" / "new").iterdir()
    text = path.read_bytes()
    assert b"\r" not in text
    assert text.startswith(
        b"Return-Path: <anna@office.test>\nDelivered-To: anna+table.1.x@office.test\nReceived: from "
    )


def test_a_file_renamed_by_another_program_is_found_and_a_deleted_one_is_told(
    office: Office, client: imaplib.IMAP4
) -> None:
    """Somebody opens the Maildir with mutt while the office runs."""
    post(office, PLAIN, MIXED)
    client.select()
    first, second = sorted((office.folder / "table" / "new").iterdir(), key=lambda path: path.name)
    first.rename(office.folder / "table" / "cur" / f"{first.name}:2,S")
    second.unlink()
    assert b"fight war" in fetched(client, "1", "(BODY.PEEK[])")[0]
    assert fetched(client, "2", "(BODY.PEEK[])") == []
    client.noop()
    assert client.search(None, "ALL")[1] == [b"1"]
    post(office, PLAIN, PLAIN)
    client.create("Done")
    client.noop()
    max((office.folder / "table" / "new").iterdir(), key=lambda path: path.name).unlink()
    assert client.copy("1:3", "Done")[0] == "NO"
    assert client.status("Done", "(MESSAGES)")[1] == [b'"Done" (MESSAGES 0)']
    assert client.uid("MOVE", "3:9", "Done")[0] == "OK"
    assert client.status("Done", "(MESSAGES)")[1] == [b'"Done" (MESSAGES 1)']
    assert client.unsubscribe("Done")[0] == "OK"
    assert client.search(None, "ALL")[1] == [b"1"]


def test_only_the_accounts_of_the_office_get_mail(office: Office) -> None:
    with smtplib.SMTP("127.0.0.1", office.smtp_port, timeout=PATIENCE) as smtp:
        with pytest.raises(smtplib.SMTPRecipientsRefused) as caught:
            smtp.sendmail("anna@office.test", ["nobody@office.test", "x@elsewhere.example"], PLAIN)
        codes = {address: answer[1][:5] for address, answer in caught.value.recipients.items()}
        assert codes == {"nobody@office.test": b"5.1.1", "x@elsewhere.example": b"5.7.1"}
        smtp.login("anna", office.password)
        assert smtp.sendmail("", ["Table+A.b@OFFICE.test"], PLAIN) == {}
    smtp = smtplib.SMTP("127.0.0.1", office.smtp_port, timeout=PATIENCE)
    with smtp, pytest.raises(smtplib.SMTPAuthenticationError):
        smtp.login("anna", "wrong")


def test_it_listens_on_the_loopback_address_only(office: Office) -> None:
    for port in (office.smtp_port, office.imap_port):
        with socket.socket() as other:
            other.bind(("127.0.0.2", port))


def test_a_second_client_hears_of_new_moved_and_marked_letters(office: Office, client: imaplib.IMAP4) -> None:
    post(office, PLAIN, MIXED)
    client.select()
    with logged_in(office) as other:
        other.select()
        client.create("Done")
        client.store("2", "+FLAGS", r"(\Flagged)")
        client.uid("MOVE", "1", "Done")
        post(office, PLAIN)
        assert other.fetch("1:*", "(UID)")[1] == [
            b"2 (UID 2 FLAGS (\\Flagged))",
            b"2 (UID 2)",
            b"3 (UID 3)",
        ]
        assert "EXPUNGE" not in other.untagged_responses
        other.noop()
        assert other.untagged_responses["EXPUNGE"] == [b"1"]
        assert other.search(None, "FLAGGED")[1] == [b"1"]
        assert other.uid("SEARCH", "UID", "2:*")[1] == [b"2 3"]


def test_search_keys(office: Office, client: imaplib.IMAP4) -> None:
    post(office, PLAIN, MIXED)
    client.select()
    client.store("2", "FLAGS", r"(\Flagged \Draft)")
    wanted = {
        "ALL": b"1 2",
        "FLAGGED DRAFT": b"2",
        "NOT FLAGGED": b"1",
        "OR (SUBJECT turn) (FLAGGED)": b"1 2",
        "FROM anna": b"1",
        "SINCE 1-Jan-2020": b"1 2",
        "BEFORE 1-Jan-2020": b"",
        "2:* UNDELETED": b"2",
        "UID 1": b"1",
        "CC one": b"",
    }
    found = {key: client.search(None, key)[1][0] for key in wanted}
    assert wanted == found
    assert client.search("UTF-8", "SUBJECT", "turn")[1] == [b"1"]
    for path in office.folder.glob("table/*/*"):
        path.unlink()
    assert client.search(None, "SUBJECT turn") == ("OK", [b""])


@pytest.mark.parametrize(
    "command",
    ["FETCH", "FETCH 1", "FETCH 1 (NONSENSE)", "FETCH x FLAGS", "STORE 1 FLAGS", "STORE 1 X (\\Seen)", "SEARCH",
     "SEARCH BOGUS", "SEARCH SINCE yesterday", "COPY 1", "UID", "UID NOOP", "UID EXPUNGE", "FETCH 1 (FLAGS",
     "SELECT \"x", "FETCH 1 BODY[", "STATUS INBOX", "LIST x", "APPEND INBOX", "X" * 1000, ")", "LOGIN a b",
     "SEARCH " + "(" * 500, "FETCH 1 " + "(" * 500 + ")" * 500],
)  # fmt: skip
def test_bad_commands_are_answered_bad_and_the_connection_goes_on(office: Office, command: str) -> None:
    post(office, PLAIN)
    with (
        socket.create_connection(("127.0.0.1", office.imap_port), timeout=PATIENCE) as wire,
        wire.makefile("rwb") as file,
    ):
        file.write(b"a LOGIN table {%d}\r\n" % len(office.password))
        file.flush()
        assert file.readline().startswith(b"* OK")
        assert file.readline().startswith(b"+ ")
        file.write(office.password.encode() + b"\r\nb SELECT inbox\r\nc " + command.encode() + b"\r\nd NOOP\r\n")
        file.flush()
        answers = {}
        while b"d" not in answers:
            tag, _, said = file.readline().partition(b" ")
            answers[tag] = said
        assert answers[b"b"].startswith(b"OK")
        assert answers[b"c"].startswith((b"BAD", b"NO"))
        assert answers[b"d"].startswith(b"OK")


@pytest.mark.parametrize("name", ["../x", "a/b", ".a", "a..b", "INBOX", "x" * 200, "", "é"])
def test_folder_names_that_could_leave_the_account_are_refused(client: imaplib.IMAP4, name: str) -> None:
    kind, _ = client._simple_command("CREATE", f'"{name}"') if name.isascii() else ("NO", None)
    assert kind == "NO"


@pytest.mark.parametrize("name", ["", "../x", "A", "a b", ".a", "a.", "é", "a/b", "-"])
def test_account_names_that_could_leave_the_folder_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="account"):
        PostOffice(tmp_path, [name])


def test_words_are_read_as_rfc_3501_writes_them() -> None:
    assert parse_command(b'UID FETCH 1:* (FLAGS BODY.PEEK[HEADER.FIELDS (To "Cc")]<0.9>) "a \\"b" {3}\r\n(c) NIL') == [
        b"UID", b"FETCH", b"1:*", [b"FLAGS", b'BODY.PEEK[HEADER.FIELDS (To "Cc")]<0.9>'], b'a "b', b"(c)", b"NIL"
    ]  # fmt: skip
    assert in_set("2:4,9,*", [1, 3, 4, 9, 12]) == [3, 4, 9, 12]
    assert in_set("*:10", [1, 3]) == [3]
    assert in_set("1:*", []) == []
    with pytest.raises(BadCommand):
        fetch_items(b"BODY[1.X]")


async def test_letter_wakes_an_idle_client(tmp_path: Path) -> None:
    """The office speaks first: this client would ask again only after minutes."""
    office = PostOffice(tmp_path, ["table"], password="pw")
    await office.start()
    box = Mailbox(MailboxSettings("127.0.0.1", office.imap_port, "table", "pw", tls="none"))
    await box.connect()
    for count in range(10):
        assert len(await box.arrived()) == count
        waiting = asyncio.create_task(box.wait(AGES))
        await asyncio.sleep(0.02)
        office.accounts["table"].inbox.add(PLAIN)
        await asyncio.wait_for(waiting, PATIENCE)
    await box.close()
    await office.stop()


async def test_office_stops_at_once_with_clients_connected_and_its_ports_are_free(tmp_path: Path) -> None:
    office = PostOffice(tmp_path, ["table"], password="pw")
    await office.start()
    box = Mailbox(MailboxSettings("127.0.0.1", office.imap_port, "table", "pw", tls="none"))
    await box.connect()
    _, writer = await asyncio.open_connection("127.0.0.1", office.smtp_port)
    await asyncio.wait_for(office.stop(), PATIENCE)
    again = PostOffice(tmp_path, ["table"], smtp_port=office.smtp_port, imap_port=office.imap_port)
    await again.start()
    with pytest.raises(OSError):
        await PostOffice(tmp_path / "other", smtp_port=again.smtp_port).start()
    await again.stop()
    writer.close()
    await box.close()
