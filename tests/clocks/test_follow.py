"""People who follow a table without sitting there: they ask for it themselves, and see what everybody may."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.game import Seat
from pbem.admin.tables import spectator_mail
from pbem.host.config import TablesConfig
from pbem.store.commit_record import read_records
from tests.clocks.table import Clocked
from tests.desk.open_tables import answer, fresh
from tests.desk.room import OWN, Got
from tests.parts import page_of

ZOE = "zoe@elsewhere.test"


def opened(folder: Path, who: str = "anyone", **options: str) -> Clocked:
    """A host with one table of two that may be followed."""
    host = Clocked(folder)
    host.seated(2, "none", **{"follow": "yes", **options})
    host.desk.services = replace(host.desk.services, tables=TablesConfig(follow=who))  # type: ignore[arg-type]
    return host


def followed(host: Clocked, address: str = ZOE, game: str = "tally-1") -> list[Got]:
    """The mails that somebody gets who asks for it and says that it was they."""
    (question,) = fresh(host, address, f"follow {game}")
    assert "answer this mail with «yes»" in question.text
    answer(host, address, "yes", question)
    before = len(views(host))
    host.look()
    return views(host)[before:]


def views(host: Clocked) -> list[Got]:
    return [got for got in host.mails("") if got.kind == "follow"]


def test_who_asks_and_confirms_it_gets_the_public_view_once_a_round(tmp_path: Path) -> None:
    host = opened(tmp_path)
    (first,) = followed(host)
    assert first.message["To"].addresses[0].addr_spec == ZOE
    assert "This is what everybody may see of the table tally-1" in first.text
    assert "unfollow tally-1" in first.text
    assert first.message["Reply-To"] is None
    host.send("anna", "add 2")
    host.wait(30)
    assert [first] == views(host)
    host.send("bob", "add 1")
    for seat in ("anna", "bob"):
        host.send(seat, "bid 1")
    host.wait(30)
    _, second = views(host)
    assert "Anna added 2." in second.text
    assert str(second.message["Subject"]) == "[tally-1] Round 2 of 2"


def test_a_follower_has_a_language_as_a_seat_has(tmp_path: Path) -> None:
    host = opened(tmp_path)
    followed(host)
    (question,) = fresh(host, ZOE, "langue fr")
    (told,) = answer(host, ZOE, "yes", question)
    assert "Vos courriels sont désormais en français" in told.text.replace("\u00a0", " ")
    assert "fr" == host.desk.services.followers.of("tally-1")[0].language
    for seat in ("anna", "bob"):
        host.send(seat, "add 1")
    for seat in ("anna", "bob"):
        host.send(seat, "bid 1")
    host.wait(30)
    view = views(host)[-1].text.replace("\u00a0", " ")
    assert "Voici ce que chacun peut voir de la table tally-1" in view and "ne plus suivre tally-1" in view, view
    fresh(host, ZOE, "ne plus suivre tally-1")
    assert () == host.desk.services.followers.games()


def test_nobody_is_mailed_who_has_not_said_that_it_was_they(tmp_path: Path) -> None:
    host = opened(tmp_path)
    (question,) = fresh(host, ZOE, "follow tally-1")
    host.wait(30)
    answer(host, "eve@elsewhere.test", "yes", question)
    host.wait(30)
    assert [] == views(host)
    (told,) = answer(host, ZOE, "no", question)
    assert "nothing was done" in told.text
    host.wait(30)
    assert [] == views(host)
    assert len([got for n in range(5) for got in fresh(host, ZOE, f"Hi!\n\nfollow tally-1\n{'-' * n}")]) < 4


def test_it_ends_when_they_say_so_and_when_the_game_is_over(tmp_path: Path) -> None:
    host = opened(tmp_path)
    followed(host)
    (told,) = fresh(host, ZOE, "unfollow tally-1")
    assert "You do not follow tally-1 any more." in told.text
    assert () == host.desk.services.followers.games()
    followed(host, "eve@elsewhere.test")
    host.finish()
    host.wait(30)
    last = views(host)[-1]
    assert last.message["To"].addresses[0].addr_spec == "eve@elsewhere.test"
    assert "Final result" in str(last.message["Subject"])
    assert host.stored().secrets.seed not in last.text
    assert () == host.desk.services.followers.games()


@pytest.mark.parametrize(("who", "option"), [("nobody", "yes"), ("known", "yes"), ("anyone", "no")])
def test_the_host_and_the_table_say_who_may(tmp_path: Path, who: str, option: str) -> None:
    host = opened(tmp_path, who, follow=option)
    assert [] == [got for got in fresh(host, ZOE, "follow tally-1") if "can be followed" not in got.text]
    host.look()
    assert [] == views(host)


def test_a_known_person_follows_by_the_name_of_the_table_and_no_seat_follows_its_own(tmp_path: Path) -> None:
    host = opened(tmp_path, "known")
    host.seated(2, "none", follow="yes")
    people = host.people
    people.register("tally-2", [replace(one, addresses=(f"{one.seat}@other.test",)) for one in people.holders("tally-2")])
    assert followed(host, "bob@other.test")
    (told,) = fresh(host, "bob@people.test", "follow tally-1")
    assert "You sit at tally-1" in told.text


def test_a_stranger_who_may_follow_may_ask_for_nothing_else(tmp_path: Path) -> None:
    host = opened(tmp_path)
    for text in ("hello?", "tables", "tables\nnew tally 3 players", "new tally 3 players", "unfollow tally-1"):
        assert [] == fresh(host, ZOE, text)
    (told,) = fresh(host, ZOE, "follow tally-7")
    assert "No table called tally-7 can be followed." in told.text


def report(host: Clocked, to: str) -> None:
    """A mail server tells that no mail reaches the follower."""
    host.post(f"From: mailer-daemon@elsewhere.test\nTo: {to}\nX-Failed-Recipients: {ZOE}\n\nNo such user.\n".encode())


def test_a_report_ends_no_following_and_the_moderator_hears_of_a_true_one(tmp_path: Path) -> None:
    """All that a report can name lies in the follower's mailbox; our own server's refusal ends it."""
    host = opened(tmp_path)
    followed(host)
    ((sent_from,),) = host.spool.ask("SELECT mail_from FROM outbox WHERE kind = 'follow'")
    report(host, OWN)
    report(host, host.last("anna").reply_to)
    assert ("tally-1",) == host.desk.services.followers.games()
    before = len(host.mails())
    report(host, str(sent_from))
    assert ("tally-1",) == host.desk.services.followers.games()
    (told,) = host.mails()[before:]
    assert f"Mail to {ZOE}, who follows tables here, comes back" in told.text.replace("\n", " ")


def test_a_wish_to_be_forgotten_ends_it(tmp_path: Path) -> None:
    host = opened(tmp_path)
    followed(host)
    (data,) = [got for got in _confirmed(host, "my data") if "You follow tally-1" in got.text]
    assert data.message["To"].addresses[0].addr_spec == ZOE
    _confirmed(host, "forget me")
    assert () == host.desk.services.followers.games()


def test_a_file_that_cannot_be_read_stops_no_letter(tmp_path: Path) -> None:
    host = opened(tmp_path)
    followed(host)
    (host.folder / "mail" / "followers" / "tally-1.toml").write_text("followers = 3")
    (question,) = fresh(host, ZOE, "unfollow")[:1] or [None]
    assert question is None
    assert "Played." in host.says("anna", "add 2")
    assert host.wait(3) == []


def _confirmed(host: Clocked, text: str) -> list[Got]:
    host.desk.services = replace(host.desk.services, tables=TablesConfig("anyone", follow="anyone"))
    (question,) = fresh(host, ZOE, text)
    return answer(host, ZOE, "yes", question)


def test_a_kill_between_the_mail_and_the_row_sends_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host = opened(tmp_path)
    (question,) = fresh(host, ZOE, "follow tally-1")
    answer(host, ZOE, "yes", question)

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("pbem.host.followers.Followers.keep", dies)
        with pytest.raises(KeyboardInterrupt):
            host.look()
    host.restart()
    host.look()
    host.wait(10)
    assert len(views(host)) == 1


def seen(folder: Path, bids: tuple[str, str], whispers: bool) -> list[tuple[str, str]]:
    """All that a follower is mailed of a round in which these secrets are."""
    host = opened(folder)
    followed(host)
    for seat in ("anna", "bob"):
        host.send(seat, "pass")
    host.send("anna", f"bid {bids[0]}" + ("\ntell bob: psst" if whispers else ""))
    # Who is away and who wishes for a hold is told to the table alone.
    host.send("bob", "away 1 dec to 3 dec")
    host.send("anna", "vote hold")
    host.look()
    host.send("bob", f"bid {bids[1]}")
    host.look()
    return [(got.text, page_of(got.message)) for got in views(host)]


def test_followers_see_no_secret(tmp_path: Path) -> None:
    """The law: whatever lies hidden in the position, and whatever is whispered, the view is the same."""
    one = seen(tmp_path / "one", ("1", "1"), False)
    assert len(one) == 2
    assert "Anna passed" in one[1][0]
    assert not [word for word in ("away", "held", "psst", "@people") if word in one[1][0] + one[1][1]]
    assert one == seen(tmp_path / "two", ("1", "1"), True)


def test_a_planted_leak_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A view of somebody's seat in place of the public one breaks the law."""
    real = spectator_mail.compose

    def leaky(context: object, message: object, token: str) -> object:
        mail = real(context, message, token)  # type: ignore[arg-type]
        return replace(mail, notes=(*mail.notes, *(one["text"] for one in _tells(context))))  # type: ignore[arg-type]

    monkeypatch.setattr(spectator_mail, "compose", leaky)
    with pytest.raises(AssertionError):
        test_followers_see_no_secret(tmp_path)


def _tells(context: Any) -> list[dict[str, str]]:
    return [tell for record in read_records(context.repo) for tell in record.private.get("tells", ())]


def test_what_is_done_again_after_a_crash_is_told_as_the_first_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host = opened(tmp_path)
    services = host.desk.services
    first = spectator_mail.follow_table(services, ZOE, "tally-1")
    monkeypatch.setattr(spectator_mail, "MAX_FOLLOWERS", 1)
    assert first == spectator_mail.follow_table(services, ZOE, "tally-1")
    left = spectator_mail.unfollow_table(services, ZOE, "tally-1")
    assert left == spectator_mail.unfollow_table(services, ZOE, "tally-1")


def test_a_follower_reads_the_language_that_they_have_chosen_or_that_of_the_host(tmp_path: Path) -> None:
    host = opened(tmp_path)
    other = host.seated(2, "none")
    anna = host.people.holder(other, Seat("anna"))
    host.people.change(other, replace(anna, addresses=(ZOE,), language="fr"))
    spectator_mail.follow_table(host.desk.services, ZOE, "tally-1")
    host.look()
    assert "que vous suivez" in views(host)[-1].text
    host.people.usual = "fr"
    spectator_mail.follow_table(host.desk.services, "eve@elsewhere.test", "tally-1")
    host.look()
    assert 2 == len(views(host))
    assert "que vous suivez" in views(host)[-1].text
