"""What the daemon and the computer players need of a mail server, proved on the embedded one and on a real one.

The same tests run against the local post office, against the same without IDLE, MOVE and UIDPLUS, and against
Dovecot with Postfix (or aiosmtpd) before it.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from email.message import EmailMessage

import pytest
import pytest_asyncio

from pbem.inbound.mailbox import Arrived, LoginRefused, Mailbox, MailboxError, MailboxSettings
from pbem.outbound.sender import SendDelayed, Sender, SenderSettings
from tests.patience import AGES, PATIENCE

from . import servers
from .servers import Office, absent, dovecot_office, local_office


@pytest.fixture(scope="module", params=["local", "poor", pytest.param("dovecot", marks=pytest.mark.servers)])
def office(request: pytest.FixtureRequest) -> Iterator[Office]:
    if request.param == "dovecot":
        with dovecot_office() as one:
            yield one
    else:
        without = ["IDLE", "MOVE", "UIDPLUS"] if request.param == "poor" else []
        with local_office(without=without) as one:
            yield one


@pytest.fixture
def table(office: Office) -> str:
    """A fresh account's name: no test sees another's letters."""
    name = f"t{uuid.uuid4().hex[:10]}"
    office.make_account(name)
    return name


@pytest_asyncio.fixture
async def mailbox(office: Office, table: str) -> AsyncIterator[Mailbox]:
    box = Mailbox(settings(office, table))
    await box.connect()
    yield box
    await box.close()


@pytest_asyncio.fixture
async def sender(office: Office) -> AsyncIterator[Sender]:
    one = Sender(SenderSettings(office.host, office.smtp_port, tls="none", timeout=PATIENCE))
    yield one
    await one.close()


Post = Callable[..., Awaitable[list[Arrived]]]


@pytest.fixture
def post(office: Office, table: str, mailbox: Mailbox, sender: Sender) -> Post:
    """Send letters to the table, or so many; return all that are there once these have come."""

    async def send(letters: int | list[bytes] = 1) -> list[Arrived]:
        before = len(await mailbox.arrived())
        raws = [letter(n) for n in range(letters)] if isinstance(letters, int) else letters
        for raw in raws:
            await sender.send(raw, "anna@players.example", f"{table}@{office.domain}")
        return await until(mailbox, before + len(raws))

    return send


def settings(office: Office, user: str, **changes: object) -> MailboxSettings:
    values: dict[str, object] = {
        "host": office.host,
        "port": office.imap_port,
        "user": user,
        "password": office.password,
        "tls": "none",
        "timeout": PATIENCE,
        "poll": 0.2,
    }
    return MailboxSettings(**(values | changes))  # type: ignore[arg-type]


def letter(number: int = 1, body: str = "pass\n") -> bytes:
    message = EmailMessage()
    message["From"] = "Anna <anna@players.example>"
    message["To"] = "table@games.example"
    message["Subject"] = f"Re: [troyes-12] turn {number} (é)"
    message["Message-ID"] = f"<{uuid.uuid4().hex}@players.example>"
    message.set_content(body)
    return message.as_bytes()


async def until(mailbox: Mailbox, count: int, seconds: float = PATIENCE) -> list[Arrived]:
    """All letters, once there are `count`: a real server takes its time between SMTP and IMAP."""
    end = time.monotonic() + seconds
    while len(found := await mailbox.arrived()) < count:
        assert time.monotonic() < end, f"{len(found)} of {count} letters came"
        await mailbox.wait(0.5)
    return found


async def test_letter_sent_to_a_plus_address_arrives_whole(
    office: Office, table: str, mailbox: Mailbox, sender: Sender
) -> None:
    """RFC 5233: what follows the plus is ours; Delivered-To or To must still show it, for the token is in it."""
    sent = letter(body="build cathedral 3 with R4\n.a line with a dot\n")
    tagged = f"{table}+troyes-12.7.abcdefgh@{office.domain}"
    await sender.send(sent.replace(b"table@games.example", tagged.encode()), "anna@players.example", tagged)
    (arrived,) = await until(mailbox, 1)
    raw = (await mailbox.fetch([arrived]))[arrived]
    assert raw.endswith(b"build cathedral 3 with R4\r\n.a line with a dot\r\n")
    assert tagged.encode() in raw
    assert b"return-path: <anna@players.example>" in raw.lower()
    assert b"\nReceived: " in raw
    assert len(raw) == arrived.size


async def test_letters_come_in_the_order_of_arrival_and_stay_unread_until_filed(
    mailbox: Mailbox, sender: Sender, post: Post
) -> None:
    """Orders are judged in the order of arrival, and a crash before filing must leave every letter where it was."""
    for number in range(7):
        first = await post([letter(number)])
    await mailbox.fetch(first)
    second = await mailbox.arrived()
    assert first == second
    texts = [(await mailbox.fetch(second))[one] for one in second]
    assert [f"turn {number}".encode() in text for number, text in enumerate(texts)] == [True] * 7
    assert sender.connections == 1


async def test_only_what_has_come_since_is_listed_of_the_same_folder(mailbox: Mailbox, post: Post) -> None:
    """A range that ends with «*» names the last letter in any case; UIDs of another time name nothing here."""
    there = await post(3)
    first, *later = there
    assert later == await mailbox.arrived(after=first)
    assert [] == await mailbox.arrived(after=there[-1])
    assert there == await mailbox.arrived(after=Arrived(first.uidvalidity + 1, there[-1].uid, first.size))


async def test_sixty_letters_are_fetched_in_batches_and_filed(
    office: Office, table: str, mailbox: Mailbox, post: Post
) -> None:
    arrived = await post(60)
    fetched = await mailbox.fetch(arrived)
    assert list(fetched) == arrived
    assert all(one.rstrip().endswith(b"pass") for one in fetched.values())
    await mailbox.file(arrived, "Games.Done")
    assert await mailbox.arrived() == []
    done = Mailbox(settings(office, table, folder="Games.Done"))
    await done.connect()
    assert len(await done.arrived()) == 60
    await done.close()


async def test_filing_letters_twice_or_letters_that_are_gone_harms_nothing(mailbox: Mailbox, post: Post) -> None:
    """After a kill between filing and noting it, the same letters are filed again."""
    arrived = await post()
    await mailbox.file(arrived, "Done")
    await mailbox.file(arrived, "Done")
    await mailbox.file([], "Done")
    assert await mailbox.arrived() == []


async def test_a_filed_letter_is_removed_by_the_place_that_the_server_told_and_no_other(
    office: Office, table: str, mailbox: Mailbox, post: Post
) -> None:
    """COPYUID (RFC 4315, RFC 6851) tells where it lies; UID EXPUNGE removes that one alone."""
    arrived = await post(3)
    moved = await mailbox.file(arrived, "Done")
    assert list(moved) == arrived
    done = Mailbox(settings(office, table, folder="Done"))
    await done.connect()
    there = await done.arrived()
    assert sorted(moved.values()) == [(one.uidvalidity, one.uid) for one in there]
    validity, uid = moved[arrived[1]]
    assert not await done.expunge(validity + 1, [uid])
    assert len(await done.arrived()) == 3
    can = "UIDPLUS" in done.capabilities
    assert await done.expunge(validity, [uid, uid + 1000]) is can
    assert [one.uid for one in await done.arrived()] == [one.uid for one in there if one.uid != uid or not can]
    await done.close()


async def test_a_letter_that_is_gone_is_not_among_the_fetched_and_never_comes_back_empty(mailbox: Mailbox, post: Post) -> None:
    """A lost connection or a moved letter read as an empty answer is how other mail programs lost letters."""
    arrived = await post()
    await mailbox.file(arrived, "Done")
    assert await mailbox.fetch(arrived) == {}
    assert await mailbox.head(arrived[0]) == b""
    assert await mailbox.arrived() == []


async def test_a_large_letter_is_fetched_in_part_and_says_so(mailbox: Mailbox, post: Post) -> None:
    """RFC 3501 section 6.4.5, BODY.PEEK[]<0.N>: enough to read the headers and answer politely."""
    there = await post([letter(1, "x" * 70 + "\n"), letter(2, ("y" * 70 + "\n") * 3000)])
    small, large = sorted(there, key=lambda one: one.size)
    fetched = await mailbox.fetch([small, large], limit=50_000)
    assert large.size > 200_000
    assert len(fetched[large]) == 50_000
    assert b"Subject: " in fetched[large]
    assert small.size == len(fetched[small])


async def test_waiting_ends_when_a_letter_comes(office: Office, table: str, mailbox: Mailbox, sender: Sender) -> None:
    """RFC 2177: in IDLE the server speaks first; without it the mailbox asks."""
    await mailbox.arrived()
    waiting = asyncio.create_task(mailbox.wait(AGES))
    await asyncio.sleep(0.1)
    await sender.send(letter(), "anna@players.example", f"{table}@{office.domain}")
    await asyncio.wait_for(waiting, PATIENCE)
    assert len(await mailbox.arrived()) == 1


async def test_a_letter_that_was_listed_does_not_end_the_next_wait(mailbox: Mailbox, post: Post) -> None:
    """Else the daemon would look twice for every letter."""
    await post()
    await mailbox.arrived()
    begin = time.monotonic()
    await mailbox.wait(0.5)
    assert time.monotonic() - begin > 0.45


async def test_waiting_without_news_ends_in_time_and_the_connection_stays_good(mailbox: Mailbox) -> None:
    await mailbox.arrived()
    begin = time.monotonic()
    await asyncio.wait_for(mailbox.wait(0.6), PATIENCE)
    assert time.monotonic() - begin > 0.55
    assert await mailbox.arrived() == []


async def test_news_told_between_two_commands_ends_the_next_wait_at_once(
    office: Office, table: str, mailbox: Mailbox, sender: Sender, post: Post
) -> None:
    """A server tells of a letter once; if that happened during another command, IDLE would sleep over it."""
    arrived = await post()
    await sender.send(letter(2), "anna@players.example", f"{table}@{office.domain}")
    other = Mailbox(settings(office, table))
    await other.connect()
    await until(other, 2)
    await other.close()
    await mailbox.fetch(arrived)
    await mailbox.file(arrived, "Done")
    await asyncio.wait_for(mailbox.wait(AGES), PATIENCE)
    assert len(await mailbox.arrived()) == 1


async def test_a_cancelled_wait_gives_the_connection_up_and_connecting_again_works(
    office: Office, table: str, mailbox: Mailbox
) -> None:
    """The daemon cancels the wait when it stops or a due time comes; the server still idles on that connection."""
    waiting = asyncio.create_task(mailbox.wait(AGES))
    await asyncio.sleep(0.2)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await mailbox.connect()
    assert await mailbox.arrived() == []


async def test_wrong_password_is_told_apart_and_never_shown(office: Office, table: str) -> None:
    secret = 's3cret-"quoted\\word'
    box = Mailbox(settings(office, table, password=secret))
    with pytest.raises(LoginRefused) as caught:
        await box.connect()
    told = str(caught.value) + repr(caught.value.__cause__) + repr(caught.value.__context__) + repr(box.settings)
    assert "s3cret" not in told
    assert table in str(caught.value)


async def test_unknown_folder_is_an_error_and_a_name_that_is_not_ascii_is_refused(
    office: Office, table: str, mailbox: Mailbox
) -> None:
    with pytest.raises(MailboxError, match="SELECT"):
        await Mailbox(settings(office, table, folder="Nowhere")).connect()
    with pytest.raises(MailboxError, match="ASCII"):
        await mailbox.file([], "Réponses")


async def test_uids_of_another_time_are_refused(mailbox: Mailbox) -> None:
    """RFC 3501 section 2.3.1.1: with another UIDVALIDITY a UID may name another letter."""
    with pytest.raises(MailboxError, match="anew"):
        await mailbox.fetch([Arrived(1, 1, 100)])


async def test_a_server_that_relays_nothing_is_for_the_host_to_mend_and_the_connection_is_kept(
    sender: Sender, post: Post
) -> None:
    """No address is dead for it: it is the same for everybody's."""
    with pytest.raises(SendDelayed) as caught:
        await sender.send(letter(), "table@games.example", "somebody@elsewhere.example")
    assert 500 <= caught.value.code < 600
    assert len(await post()) == 1
    assert sender.connections == 1


async def test_three_clients_watch_one_mailbox_and_all_wake(office: Office, table: str, sender: Sender) -> None:
    boxes = [Mailbox(settings(office, table)) for _ in range(3)]
    for box in boxes:
        await box.connect()
        await box.arrived()
    waiting = [asyncio.create_task(box.wait(AGES)) for box in boxes]
    await asyncio.sleep(0.1)
    await sender.send(letter(), "anna@players.example", f"{table}@{office.domain}")
    await asyncio.wait_for(asyncio.gather(*waiting), PATIENCE)
    assert [len(await box.arrived()) for box in boxes] == [1, 1, 1]
    for box in boxes:
        await box.close()


def test_absent_servers_skip_a_test_and_fail_it_where_they_are_required(monkeypatch: pytest.MonkeyPatch) -> None:
    """Continuous integration installs the servers; there a skip would hide that nothing was tested."""
    monkeypatch.setattr(servers, "program", lambda: None)
    monkeypatch.delenv("PBEM_REQUIRE_SERVERS", raising=False)
    with pytest.raises(pytest.skip.Exception, match="Dovecot is not installed"), dovecot_office():
        pass
    monkeypatch.setenv("PBEM_REQUIRE_SERVERS", "1")
    with pytest.raises(pytest.fail.Exception, match="Dovecot is not installed"), dovecot_office():
        pass


@pytest.mark.servers
@pytest.mark.parametrize(("smtp", "tls"), [("postfix", "starttls"), ("aiosmtpd", "tls")])
async def test_dovecot_over_tls_with_both_smtp_sides(smtp: str, tls: str) -> None:
    """RFC 8314: TLS from the first byte, or STARTTLS; the certificate is the host's own."""
    with dovecot_office(smtp=smtp) as office:
        if office.certificate is None:
            absent("the openssl program, which makes the certificate, is not installed")
            return
        port = office.imaps_port if tls == "tls" else office.imap_port
        box = Mailbox(settings(office, "table", port=port, tls=tls, ca_file=str(office.certificate.cert)))
        sender = Sender(SenderSettings(office.host, office.smtp_port, tls="none"))
        await sender.send(letter(), "anna@players.example", office.make_account("table"))
        await sender.close()
        await box.connect()
        arrived = await until(box, 1)
        assert b"pass" in (await box.fetch(arrived))[arrived[0]]
        await box.arrived()
        waiting = asyncio.create_task(box.wait(AGES))
        await asyncio.sleep(0.3)
        await asyncio.to_thread(office.stop)
        with pytest.raises(MailboxError):
            await asyncio.wait_for(waiting, PATIENCE)
        with pytest.raises(MailboxError):
            await box.connect()
