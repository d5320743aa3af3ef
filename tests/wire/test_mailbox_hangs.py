"""Every way known to us in which an IMAP server makes a client hang or lose letters ends in a MailboxError, soon."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.demo.postoffice import PostOffice
from pbem.inbound.mailbox import Mailbox, MailboxError
from tests.patience import AGES

from .certificate import Certificate
from .odd import TIMEOUT, Talk, imap, mailbox_at, odd_server, on, settings, soon


async def test_server_that_closes_on_idle_is_noticed() -> None:
    """aioimaplib's own `idle_start` never returns here (its issue 110)."""
    async with mailbox_at(on("IDLE", then="cut")) as (mailbox, _):
        await mailbox.arrived()
        with soon(), pytest.raises(MailboxError, match="IDLE"):
            await mailbox.wait(AGES)
        assert not mailbox.connected


@pytest.mark.parametrize("farewell", [True, False])
async def test_connection_lost_in_idle_is_noticed(farewell: bool) -> None:
    async with mailbox_at(on("IDLE", "+ idling", *["* BYE going down"] * farewell, then="cut")) as (mailbox, _):
        await mailbox.arrived()
        with soon(), pytest.raises(MailboxError, match="IDLE failed: the server said goodbye" if farewell else "IDLE"):
            await mailbox.wait(AGES)


async def test_connection_lost_in_idle_under_tls_is_noticed(certificate: Certificate) -> None:
    """aioimaplib's IMAP4_SSL passes no callback on, so that nobody hears of the loss."""
    leaves = on("IDLE", "+ idling", then="cut")
    async with odd_server(lambda talk: imap(talk, leaves), certificate.server_context()) as odd:
        mailbox = Mailbox(settings(odd.port, tls="tls", ca_file=str(certificate.cert)))
        await mailbox.connect()
        assert len(await mailbox.arrived()) == 3
        with soon(), pytest.raises(MailboxError):
            await mailbox.wait(AGES)


@pytest.mark.parametrize("silent_on", ["", "CAPABILITY", "LOGIN", "SELECT", "NOOP", "UID SEARCH", "UID FETCH", "IDLE"])
async def test_server_that_never_answers_costs_one_timeout(silent_on: str) -> None:
    async def script(talk: Talk) -> None:
        if not silent_on:
            await talk.silence()
        await imap(talk, on(silent_on, then="silent"))

    async with odd_server(script) as odd:
        mailbox = Mailbox(settings(odd.port, timeout=TIMEOUT))
        with soon(), pytest.raises(MailboxError, match=r"(no|not) answer within"):
            await mailbox.connect()
            await mailbox.arrived()
            await mailbox.wait(AGES)
        assert not mailbox.connected
        with pytest.raises(MailboxError, match="not connected"):
            await mailbox.arrived()


async def test_idle_that_is_never_ended_costs_one_timeout() -> None:
    """The server takes DONE and says nothing."""
    async with mailbox_at(on("IDLE", "+ idling", then="silent")) as (mailbox, _):
        await mailbox.arrived()
        mailbox.settings = replace(mailbox.settings, timeout=TIMEOUT)
        with soon(), pytest.raises(MailboxError, match="IDLE"):
            await mailbox.wait(0.2)


async def test_idle_refused_falls_back_to_asking() -> None:
    asked = 0

    async def refuses(talk: Talk, tag: str, rest: str) -> bool:
        nonlocal asked
        if rest == "IDLE":
            talk.say(f"{tag} NO not today")
            return True
        asked += rest == "NOOP"
        if asked == 4:
            talk.say("* 4 EXISTS")
        return False

    async with mailbox_at(refuses) as (mailbox, odd):
        await mailbox.arrived()
        with soon():
            await mailbox.wait(AGES)
        assert sum(line.endswith("IDLE") for line in odd.heard()) == 1
        assert sum(line.endswith("NOOP") for line in odd.heard()) == 4


async def test_idle_ended_by_the_server_is_begun_anew() -> None:
    """After 29 minutes, or whenever it likes, a server may end IDLE in good order."""

    begun = 0

    async def impatient(talk: Talk, tag: str, rest: str) -> bool:
        nonlocal begun
        if rest == "IDLE":
            begun += 1
            talk.say("+ idling")
            await talk.writer.drain()
            if begun == 3:
                talk.say("* 4 EXISTS")
                return False
            talk.say(f"{tag} OK enough")
            return True
        return False

    async with mailbox_at(impatient) as (mailbox, odd):
        await mailbox.arrived()
        with soon():
            await mailbox.wait(AGES)
        assert sum(line.endswith("IDLE") for line in odd.heard()) == 3
        assert mailbox.connected


@pytest.mark.parametrize("kind", ["one missing", "none at all", "without its octets", "cut in the middle"])
async def test_what_does_not_come_is_no_letter_and_never_an_empty_one(kind: str) -> None:
    async def short(talk: Talk, tag: str, rest: str) -> bool:
        if "BODY.PEEK[]" not in rest:
            return False
        if kind == "cut in the middle":
            talk.say("* 1 FETCH (UID 7 BODY[] {5}", "hi")
            await talk.writer.drain()
            talk.cut()
            return True
        if kind != "none at all":
            talk.say("* 1 FETCH (UID 7 BODY[] {5}", "hi 7)", "* 2 FETCH (UID 8 BODY[] {5}", "hi 8)")
        if kind == "without its octets":
            talk.say("* 3 FETCH (UID 9 FLAGS (\\Seen))")
        talk.say(f"{tag} OK done")
        return True

    async with mailbox_at(short) as (mailbox, _):
        arrived = await mailbox.arrived()
        if kind == "cut in the middle":
            with soon(), pytest.raises(MailboxError):
                await mailbox.fetch(arrived)
            return
        came = await mailbox.fetch(arrived)
        assert came == ({} if kind == "none at all" else {one: b"hi %d)" % one.uid for one in arrived[:2]})
        assert mailbox.connected


async def test_fetch_answers_in_any_order_with_other_news_between_are_understood() -> None:
    """RFC 3501 section 7: any untagged answer may come at any time, and UID may stand after the octets."""
    mixed = (
        "* 3 FETCH (BODY[] {5}", "c(\r\n) UID 9)", "* 4 EXISTS", "* 2 FETCH (FLAGS (\\Seen))",
        '* 1 FETCH (UID 7 BODY[] "")', "* 2 FETCH (UID 8 FLAGS () BODY[] {3}", "* (  FLAGS ())", "{tag} OK done",
    )  # fmt: skip
    async with mailbox_at(on("BODY.PEEK[]", *mixed)) as (mailbox, _):
        fetched = await mailbox.fetch(await mailbox.arrived())
        expected = {8: b"* (", 9: b"c(\r\n)"}
        assert expected == {one.uid: got for one, got in fetched.items()}


async def test_letter_larger_than_the_server_said_is_cut() -> None:
    letters = (f"* {n} FETCH (UID {n + 6} BODY[] {{3000}}\r\n{'x' * 3000})" for n in (1, 2, 3))
    async with mailbox_at(on("BODY.PEEK[]", *letters, "{tag} OK done")) as (mailbox, _):
        fetched = await mailbox.fetch(await mailbox.arrived(), limit=1000)
        assert [b"x" * 1000] * 3 == list(fetched.values())


@pytest.mark.parametrize(
    "nonsense",
    ["A0 OK who?", "* 1 FETCH (UID 7 BODY[] {99999999999}", "* BYE", "\x00\xff" * 50, "* SEARCH " + "9" * 5_000_000],
)
async def test_nonsense_ends_the_connection_and_raises(nonsense: str) -> None:
    async with mailbox_at(on("NOOP", nonsense, then="silent")) as (mailbox, _):
        mailbox.settings = replace(mailbox.settings, timeout=TIMEOUT)
        with soon(), pytest.raises(MailboxError):
            await mailbox.arrived()


@pytest.mark.parametrize("greeting", ["* BYE full", "220 smtp.example ESMTP", "HTTP/1.1 400 Bad Request"])
async def test_what_is_no_imap_server_is_told_soon(greeting: str) -> None:
    async def script(talk: Talk) -> None:
        talk.say(greeting)
        await talk.silence()

    async with odd_server(script) as odd:
        with soon(), pytest.raises(MailboxError):
            await Mailbox(settings(odd.port)).connect()


async def test_nobody_listening_is_told_at_once() -> None:
    async with odd_server(lambda talk: talk.silence()) as odd:
        port = odd.port
    with soon(), pytest.raises(MailboxError, match="connecting"):
        await Mailbox(settings(port)).connect()


async def test_without_uidplus_nobody_elses_marked_letters_are_removed() -> None:
    """RFC 4315: a plain EXPUNGE removes what anybody has marked deleted."""
    marked = "7 8"

    async def marks(talk: Talk, tag: str, rest: str) -> bool:
        if rest == "UID SEARCH DELETED":
            talk.say(f"* SEARCH {marked}", f"{tag} OK done")
            return True
        return False

    async with mailbox_at(marks, "IMAP4rev1 IDLE") as (mailbox, odd):
        arrived = (await mailbox.arrived())[:1]
        await mailbox.file(arrived, "Done")
        assert not any("EXPUNGE" in line for line in odd.heard())
        marked = "7"
        await mailbox.file(arrived, "Done")
        assert any(line.endswith("EXPUNGE") for line in odd.heard())


async def test_folder_is_made_when_the_first_letter_is_filed() -> None:
    made = False

    async def no_folder(talk: Talk, tag: str, rest: str) -> bool:
        nonlocal made
        made = made or rest == 'CREATE "Games done"'
        if rest.startswith("UID MOVE") and not made:
            talk.say(f"{tag} NO [TRYCREATE] no such folder")
            return True
        return False

    async with mailbox_at(no_folder) as (mailbox, odd):
        await mailbox.file((await mailbox.arrived())[1:], "Games done")
        moves = [line.partition(" ")[2] for line in odd.heard() if "MOVE" in line]
        tried = 'UID MOVE 8:9 "Games done"'
        assert [tried, tried] == moves


async def test_three_thousand_letters_in_a_folder_are_no_trouble(tmp_path: Path) -> None:
    """aioimaplib parses by recursion: 3,000 lines at once end in a RecursionError and a hang (its issue 118)."""
    office = PostOffice(tmp_path, ["table"], password="pw", durable=False)
    for number in range(3000):
        office.accounts["table"].inbox.add(b"From: a@players.example\r\n\r\n%d\r\n" % number)
    await office.start()
    try:
        mailbox = Mailbox(settings(office.imap_port))
        await mailbox.connect()
        arrived = await mailbox.arrived()
        assert len(arrived) == 3000
        fetched = await mailbox.fetch(arrived[:1000])
        assert fetched[arrived[999]].endswith(b"\r\n999\r\n")
        await mailbox.file(arrived, "Done")
        assert await mailbox.arrived() == []
        await mailbox.close()
    finally:
        await office.stop()


async def test_a_flood_of_unasked_lines_is_no_trouble() -> None:
    """Another program empties the folder: thousands of EXPUNGE lines in one packet."""
    flood = ["* 1 EXPUNGE"] * 20_000
    async with mailbox_at(on("NOOP", *flood, "* 3 EXISTS", then="go on")) as (mailbox, _):
        assert len(await mailbox.arrived()) == 3
        assert mailbox.connected
