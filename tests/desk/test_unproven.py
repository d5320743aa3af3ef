"""Letters whose writer is not proven play nothing, and only registered addresses hear of them."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.inbound.incoming_letter import open_letter
from tests.desk.open_tables import to
from tests.desk.room import OWN, Room

KEYLESS = {"To": OWN, "In-Reply-To": "", "Subject": "hello"}


def test_a_key_from_a_foreign_address_is_told_to_the_seat_three_times_a_day(room: Room) -> None:
    """Contract, «The token»: at once, to the registered address; nothing is done."""
    mine, before = room.last("anna"), len(room.mails())
    for n in range(5):
        text = f"add 1\nrubbish {n}" if n else "add 1"
        assert "silent" == room.send("anna", text, to=mine, sender="thief@elsewhere.test").outcome
    sent = room.mails()[before:]
    assert ["anna@people.test"] * 3 == [to(got) for got in sent]
    assert "A letter with your key came from another address. Nothing was done." in sent[0].text
    assert "rubbish" not in "".join(got.text for got in sent)
    assert 0 == room.state().counter
    # The mail can be answered: it carries the seat's key.
    assert "played" == room.send("anna", "add 1", to=sent[0]).outcome
    room.time += timedelta(days=1)
    room.send("anna", "add 1", to=mine, sender="thief@elsewhere.test")
    assert "anna@people.test" == to(room.mails()[-1])


@pytest.mark.parametrize("plus", [True, False])
def test_a_fresh_letter_of_somebody_in_several_games_gets_the_open_ones(empty: Room, plus: bool) -> None:
    """No random table, no game that is over; each with whose turn it is, since when, and its own reply address."""
    room = empty if plus else Room(empty.folder / "other", plus=False)
    for _ in range(3):
        room.open()
    room.open(now=False)
    room.send("anna", "add 1", to=next(got for got in room.mails("anna") if "tally-2" in got.name))
    end(room, "tally-1")
    opened, before = room.time, len(room.mails())
    room.time += timedelta(days=3)
    room.send("anna", "help", to=room.mails("anna")[0], fields=KEYLESS)
    (answer,) = room.mails()[before:]
    assert "anna@people.test" == to(answer)
    text = " ".join(answer.text.split())
    assert "tally-1" not in text
    day = f"since {opened:%A} {opened.day} {opened:%B}."
    assert f"tally-2, round 1 of 2: waiting for Bob, {day}" in text
    assert f"tally-3, round 1 of 2: it is your turn, {day}" in text
    assert "tally-4, before the game: it is your turn." in text
    tokens = dict(re.findall(r"(tally-\d)\.(\d+\.[a-z2-7]{16})", text))
    assert {"tally-2", "tally-3", "tally-4"} == set(tokens)
    token = f"tally-3.{tokens['tally-3']}"
    fields = {"To": OWN.replace("@", f"+{token}@")} if plus else {"To": OWN, "Subject": f"move [{token}]"}
    assert "played" == room.send("anna", "add 2", fields={**fields, "In-Reply-To": ""}).outcome
    assert 2 == room.state("tally-3").counter


def end(room: Room, game: str) -> None:
    from pbem.admin.actions import lifecycle

    room.desk.change(game, "the end", lifecycle.end("enough"))


def test_a_fresh_letter_that_names_an_open_game_is_answered_about_it(empty: Room) -> None:
    empty.open()
    empty.open()
    sent = empty.sent_by("anna", "help", fields={**KEYLESS, "Subject": "[tally-2] what now?"})
    assert ["tally-2"] == [got.message["X-PBEM-Game"] for got in sent]


def test_a_fresh_letter_of_somebody_whose_games_are_over_is_told_so(room: Room) -> None:
    end(room, "tally-1")
    before = len(room.mails())
    room.send("anna", "help", fields={**KEYLESS, "Subject": "[tally-1] help"})
    (answer,) = room.mails()[before:]
    assert "You have no open game here." in answer.text


def test_a_damaged_game_does_not_keep_the_list_of_the_others_back(empty: Room) -> None:
    for _ in range(3):
        empty.open()
    repo = empty.store.open("tally-2")
    broken = repo.read("state.toml").replace(b'"tally"', b'"nonesuch"')
    with repo.lock():
        repo.commit({"state.toml": broken}, "a bad repair")
    before = len(empty.mails())
    empty.send("anna", "help", to=empty.mails("anna")[0], fields=KEYLESS)
    text = empty.mails()[before].text
    assert ("tally-1" in text, "tally-2" in text, "tally-3" in text) == (True, False, True)


def test_who_answers_everybody_is_told_and_plays_nothing_with_the_key_of_another(room: Room) -> None:
    """Reply-All among players: Bob answers Anna's letter, which carries her key; then one that carries both."""
    mine = room.last("anna")
    room.send("anna", "add 1", to=mine)
    before, state = len(room.mails()), room.state()
    to_all = {"To": "anna@people.test", "Cc": mine.reply_to, "In-Reply-To": "<letter1@people.test>"}
    assert "refused" == room.send("bob", "add 2", to=mine, fields=to_all).outcome
    (answer,) = room.mails()[before:]
    assert ("bob", "bob@people.test") == (answer.seat, to(answer))
    assert "The key in your letter belongs to another seat." in answer.text
    both = {"Cc": mine.reply_to}
    assert "refused" == room.send("bob", "add 2", to=room.last("bob"), fields=both).outcome
    assert "Your letter carries keys of different mails." in room.last("bob").text
    assert state == room.state()
    assert mine.reply_to not in "".join(got.text for got in room.mails("bob"))


FAIL = "mx.host.test; spf=fail smtp.mailfrom=evil.test; dmarc=fail (p=reject) header.from=people.test"
PASS = "mx.host.test; dkim=pass header.d=people.test; dmarc=pass header.from=people.test"


def strict(room: Room, exempt: tuple[str, ...] = ()) -> None:
    """The host names its own mail server."""
    services = room.desk.services
    room.desk.services = replace(services, authserv_id="mx.host.test", dmarc_exempt=frozenset(exempt))


def test_a_letter_that_fails_dmarc_plays_nothing_and_its_sender_is_told_once_a_day(room: Room) -> None:
    strict(room)
    mine, before = room.last("anna"), len(room.mails())
    for n in range(3):
        text = f"add 1\nrubbish {n}"
        assert "silent" == room.send("anna", text, to=mine, fields={"Authentication-Results": FAIL}).outcome
    sent = room.mails()[before:]
    assert ["anna@people.test", "mod@host.test"] == [to(got) for got in sent]
    assert "dmarc=fail" in sent[0].text
    assert "dmarc_exempt" in sent[1].text
    assert "rubbish" not in sent[0].text + sent[1].text
    assert 0 == room.state().counter
    assert "played" == room.send("anna", "add 1", to=mine).outcome, "no verdict is no failure"


def test_dmarc_counts_only_where_the_host_names_its_server_and_not_for_exempt_addresses(room: Room) -> None:
    fields = {"Authentication-Results": FAIL}
    assert "played" == room.send("anna", "spend 1", fields=fields).outcome
    strict(room, ("anna@people.test",))
    assert "played" == room.send("anna", "spend 1", fields=fields).outcome


@pytest.mark.parametrize(
    ("fields", "fails"),
    [
        ([f"Authentication-Results: {FAIL}"], True),
        ([f"Authentication-Results: {PASS}"], False),
        (["Authentication-Results: MX.Host.Test 1; dmarc = FAIL"], True),
        (["Authentication-Results: mx.host.test; spf=fail"], False),
        (["Authentication-Results: mx.evil.test; dmarc=fail"], False),
        (["Authentication-Results: mx.host.test; x=dmarc=fail", "Received: a"], False),
        # The server writes one field for each test; what the writer put below cannot make a failure good.
        (["Received: ours", "Authentication-Results: mx.host.test; spf=pass", f"Authentication-Results: {FAIL}"], True),
        (["Received: ours", f"Authentication-Results: {FAIL}", f"Authentication-Results: {PASS}"], True),
        # Below a further Received anybody may have written it.
        ([f"Authentication-Results: {PASS}", "Received: from evil", f"Authentication-Results: {FAIL}"], False),
        (["Authentication-Results: mx.host.test (dmarc=fail); dmarc=none"], False),
        ([], False),
    ],
)
def test_only_the_own_servers_topmost_verdict_counts(room: Room, fields: list[str], fails: bool) -> None:
    """RFC 8601."""
    strict(room)
    raw = "".join(f"{field}\n" for field in fields).encode() + room.write("anna", "add 1")
    from pbem.desk.core.identity import fails as fails_dmarc

    assert fails == fails_dmarc(room.desk.services, open_letter(raw))


def test_a_stranger_who_fails_is_told_nothing(room: Room) -> None:
    strict(room)
    before = len(room.mails())
    room.send("anna", "add 1", sender="who@elsewhere.test", fields={"Authentication-Results": FAIL})
    assert before == len(room.mails())


def relayed(room: Room, text: str, **fields: str) -> str:
    """What becomes of a letter that came through an alias service: at the plain address, with ids of its own."""
    subject = f"Re: {room.last('anna').message['Subject']}"
    told = {"To": OWN, "In-Reply-To": f"<{room.count}@relay.test>", "Subject": subject, **fields}
    return str(room.send("anna", text, fields=told).outcome)


def test_whoever_answers_twice_without_a_key_gets_it_in_the_subject(room: Room) -> None:
    """Contract, «The token»: an alias service keeps neither our reply address nor our Message-IDs."""
    assert "refused" == relayed(room, "add 1")
    assert not re.search(r"\[tally-1\.", str(room.last("anna").message["Subject"]))
    assert "refused" == relayed(room, "add 1")
    mail = room.last("anna")
    assert re.search(r"\[tally-1\.\d+\.[a-z2-7]{16}\]$", str(mail.message["Subject"])), "last"
    assert "the key stands in the subject" in " ".join(mail.text.split())
    assert "anna@people.test" == to(mail)
    assert 0 == room.state().counter
    assert "played" == relayed(room, "add 1")
    assert 1 == room.state().counter
    # Every mail of theirs from now on, at every table, and nobody else's.
    room.send("bob", "add 1")
    room.open()
    for game in ("tally-1", "tally-2"):
        newest = [got for got in room.mails("anna") if got.message["X-PBEM-Game"] == game][-1]
        assert re.search(rf"\[{game}\.\d+\.[a-z2-7]{{16}}\]$", str(newest.message["Subject"]))
    assert not any(re.search(r"\[tally-\d\.", str(got.message["Subject"])) for got in room.mails("bob"))


@pytest.mark.parametrize("fields", [{"In-Reply-To": ""}, {"Subject": "hello"}, {"From": "zoe@elsewhere.test"}])
def test_what_answers_no_mail_of_ours_puts_no_key_into_subjects(room: Room, fields: dict[str, str]) -> None:
    for _ in range(3):
        relayed(room, "add 1", **fields)
    assert not room.people.holder("tally-1", "anna").keyed


def test_results_without_the_id_of_a_server_are_nobodys(room: Room) -> None:
    """Exchange writes none; what stands first there is a result, which is no id whatever the settings say."""
    bare = "spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=people.test; dmarc=fail action=none header.from=people.test"
    assert () == open_letter(f"From: anna@people.test\nAuthentication-Results: {bare}\n\nadd 1\n".encode()).verdicts
    room.desk.services = replace(room.desk.services, authserv_id="spf=pass")
    assert "played" == room.send("anna", "add 1", fields={"Authentication-Results": bare}).outcome


ENCRYPTED = {
    "pgp/mime": 'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b\n\n--b\nContent-Type: '
                "application/pgp-encrypted\n\nVersion: 1\n--b\nContent-Type: application/octet-stream\n\nhQEMA\n--b--\n",
    "s/mime": "Content-Type: application/pkcs7-mime; smime-type=enveloped-data\nContent-Transfer-Encoding: base64\n\nMIIB\n",
    "armour": "Content-Type: text/plain\n\n-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n",
}  # fmt: skip


@pytest.mark.parametrize("way", ENCRYPTED)
def test_an_encrypted_letter_is_told_what_it_is(room: Room, way: str) -> None:
    mail = room.last("anna")
    head = f"From: anna@people.test\nTo: {mail.reply_to}\nMessage-ID: <locked@people.test>\nSubject: x\n"
    assert "refused" == room.post(f"{head}{ENCRYPTED[way]}".encode()).outcome
    assert "Your letter is encrypted" in room.last("anna").text


@pytest.mark.parametrize("kind", ["=?utf-8?Q?application/pdf=3B_name=3Dx.pdf?=", "pdf", "application"])
def test_an_attachment_whose_type_cannot_be_read_is_no_text(room: Room, kind: str) -> None:
    """RFC 2045 takes it for text; but who writes text does not call it something else."""
    mail = room.last("anna")
    head = f"From: anna@people.test\nTo: {mail.reply_to}\nMessage-ID: <broken@people.test>\nSubject: x\n"
    parts = f"--b\nContent-Type: text/plain\n\nadd 1\n--b\nContent-Type: {kind}\n\n%PDF-1.4\nadd 2\n--b--\n"
    handled = room.post(f"{head}Content-Type: multipart/mixed; boundary=b\n\n{parts}".encode())
    assert ("played", 1) == (handled.outcome, room.state().counter)
    plain = f"From: anna@people.test\nContent-Type: {kind}\n\nadd 1\n".encode()
    assert ("add 1",) == open_letter(plain).lines, "a letter of one part is text"


@pytest.mark.parametrize("told", ["UTC+2", "CEST", "EST", "GMT-5"])
def test_a_zone_without_a_place_is_asked_back_with_towns(room: Room, told: str) -> None:
    """One tap sets a zone that has summer time; never `Etc/UTC`, never a word of French."""
    assert "refused" == room.send("anna", f"zone {told}").outcome
    text = " ".join(room.last("anna").text.split())
    assert f"«{told}» names no place" in text
    assert re.search(r"\[1\] zone [A-Z][a-z]+/\w+", text)
    assert "Etc/" not in text and "C'est" not in text
    room.send("anna", "1")
    assert re.fullmatch(r"[A-Z]\w+/\w+", room.people.holder("tally-1", "anna").zone)
