"""Tables that people open and join by mail, as far as the host lets them; and what forged letters bring upon others."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from engine.game import find_game
from pbem.admin.request_parser import parse_request
from pbem.admin.tables import player_tables
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.admin.tables.opening_parser import parse_opening
from pbem.clocks import pace
from pbem.host.pending_requests import Requester
from pbem.host.people import Holder, People
from tests.desk.open_tables import answer, fresh, lets, opened, seats, to
from tests.desk.room import OWN, Room


def test_strangers_get_silence_unless_the_host_opens_tables_to_anyone(room: Room) -> None:
    """SECURITY: a stranger learns nothing. And by default nobody opens a table."""
    for who in ("nobody", "known"):
        lets(room, who)
        for text in ("hello?", "new tally 3 players", "tables", "join tally-1"):
            assert [] == fresh(room, "zoe@elsewhere.test", text)
    room.restart()
    (mail,) = room.sent_by("anna", "new tally 3 players")
    assert "At this host the moderator opens the tables" in mail.text
    assert ["tally-1"] == list(room.store.names())


def test_a_stranger_is_told_how_and_then_asked_whether_it_was_they(empty: Room) -> None:
    room = lets(empty, "anyone")
    (how,) = fresh(room, "Zoe <zoe@elsewhere.test>", "Hello, may I play?")
    assert "zoe@elsewhere.test" == to(how)
    for part in ("«tables»", "«join troyes-12»", "«new troyes 3 players»", OWN):
        assert part in how.text
    (question,) = fresh(room, "Zoe <zoe@elsewhere.test>", "new tally 2 players")
    assert "answer this mail with «yes»" in question.text
    assert () == room.store.names()
    mails = answer(room, "zoe@elsewhere.test", "yes", question)
    assert [("zoe", "invitation"), ("", "notice")] == [(got.seat, got.kind) for got in mails]
    table = room.stored("tally-1").table
    assert (["zoe"], 2, "gathering") == (seats(room, "tally-1"), table.places, str(table.status))
    assert "1 place is free: «join tally-1»" in " ".join(mails[0].text.split())
    # What was answered once is done once.
    assert [] == answer(room, "zoe@elsewhere.test", "yes", question)[1:]
    assert ("tally-1",) == tuple(room.store.names())


def test_a_table_fills_by_its_name_and_begins_with_everybodys_words(room: Room) -> None:
    lets(room, "anyone")
    game = opened(room)
    room.send("anna", "join heron")
    assert "gathering" == room.stored(game).table.status, "a table with free places does not begin"
    (question,) = fresh(room, "Zoe <zoe@elsewhere.test>", f"Hi!\njoin {game}")
    assert room.stored(game).table.commitment in question.text.replace("\n", "")
    (receipt,) = answer(room, "zoe@elsewhere.test", "join marmalade", question)
    assert ("zoe", "receipt") == (receipt.seat, receipt.kind)
    assert "You have joined; your word is fixed." in receipt.text
    assert "marmalade" == room.stored(game).secrets.words["zoe"]
    # Bob has a key, of another game: he is invited at once, and asked for his word.
    mails = room.sent_by("bob", f"join {game}", to=room.mails("bob")[0])
    assert [("bob", "invitation")] == [(got.seat, got.kind) for got in mails]
    mails = room.sent_by("bob", "join kettle", to=mails[0])
    assert {"welcome"} == {got.kind for got in mails}
    stored = room.stored(game)
    assert ("running", ["anna", "zoe", "bob"]) == (stored.table.status, seats(room, game))
    assert {"host": "", "anna": "heron", "zoe": "marmalade", "bob": "kettle"} == stored.secrets.words
    assert 0 == room.state("tally-1").counter
    (told,) = fresh(room, "eve@elsewhere.test", f"join {game}")
    assert f"No table called {game} has a free place." in told.text


@pytest.mark.parametrize("label", ["", "b-", "b2-", "host2024-"])
@pytest.mark.parametrize("kind", ["troyes", "troyes-dice"])
def test_a_table_is_named_with_the_label_of_its_host(empty: Room, label: str, kind: str) -> None:
    """`label` under `[host]`: a letter, or up to eight letters and digits."""
    game, services = f"{label}{kind}-12", empty.desk.services
    for word in ("join", "follow", "unfollow", "rejoindre", "suivre", "ne plus suivre"):
        found = parse_request(services, f"{word} {game}.")
        assert found is not None and game == found.game, word
    assert None is parse_request(services, "join 2-troyes-12")
    assert None is parse_request(services, "follow w2-3")


def test_the_last_place_taken_with_a_word_begins_the_game(room: Room) -> None:
    lets(room, "anyone")
    game = opened(room, "new tally 2 players")
    room.send("anna", "join")
    (question,) = fresh(room, "Zoe <zoe@elsewhere.test>", f"join {game}")
    mails = answer(room, "zoe@elsewhere.test", "join marmalade", question)
    assert [("anna", "welcome"), ("zoe", "welcome")] == [(got.seat, got.kind) for got in mails]
    assert "running" == room.stored(game).table.status


def test_a_forged_letter_without_a_key_opens_nothing_and_mails_nobody_but_its_from(room: Room) -> None:
    """Third parties hear of nothing before the one in From has said yes; and that one of little."""
    lets(room, "anyone")
    text = "new tally with Carl <carl@victim.test>, Dan <dan@victim.test>"
    for address in ("anna@people.test", "zoe@elsewhere.test"):
        got = [one for _ in range(8) for one in fresh(room, address, text)]
        assert [address] == [to(one) for one in got], "a question that waits is not asked again"
        assert not any("victim" in one.text or "Carl" in one.text for one in got)
    assert ["tally-1"] == list(room.store.names())
    # From another address than the one that was asked, the key of the question is worth nothing.
    (question,) = fresh(room, "bob@people.test", text)
    assert [] == [one for one in answer(room, "thief@elsewhere.test", "yes", question) if "question" in one.text]
    assert ["tally-1"] == list(room.store.names())


def test_an_address_below_the_line_is_a_signature(empty: Room) -> None:
    room = lets(empty, "anyone")
    (question,) = fresh(room, "zoe@elsewhere.test", "new tally 3 players\nZoe\nzoe@elsewhere.test")
    answer(room, "zoe@elsewhere.test", "yes", question)
    (question,) = fresh(room, "zoe@elsewhere.test", "new tally 2 players\nzoe@elsewhere.test")
    answer(room, "zoe@elsewhere.test", "yes", question)
    assert [3, 2] == [room.stored(game).table.places for game in room.store.names()]


def test_a_question_is_answered_by_its_own_address_and_its_own_key_alone(empty: Room) -> None:
    services = lets(empty, "anyone").desk.services
    zoe, eve = "zoe@elsewhere.test", "eve@elsewhere.test"
    token = services.wishes.ask("0" * 64, Requester(zoe, "Zoe", "mark"), "new tally 2 players", empty.time)
    found = services.wishes.answered((token,), zoe)
    assert found is not None
    assert zoe == found.asker.address
    assert services.wishes.answered((replace(token, key="a" * 16),), zoe) is None
    assert services.wishes.answered((services.keys.token("wish", eve, 1, token.decision),), eve) is None


@pytest.mark.parametrize("text", ["I am out of office until Monday.\nyes", "Automatic reply: yes"])
def test_a_vacation_note_confirms_nothing(empty: Room, text: str) -> None:
    room = lets(empty, "anyone")
    (question,) = fresh(room, "zoe@elsewhere.test", "new tally 2 players")
    assert [] == answer(room, "zoe@elsewhere.test", text, question)
    (told,) = answer(room, "zoe@elsewhere.test", "which table?", question)
    assert "neither yes nor no" in told.text
    (told,) = answer(room, "zoe@elsewhere.test", "no", told)
    assert "It is forgotten" in told.text
    assert () == room.store.names()
    assert not list((room.folder / "mail" / "wishes").iterdir())


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("new tally", "For how many players?"),
        ("new tally 9 players", "players"),
        ("new tally 3 players rounds=7", "rounds is one of 1, 2, 3, not 7."),
        ("new tally 3 players quick", "«quick» is no option"),
        ("new tally 1 player with Carl <carl@victim.test>", "are too few"),
        ("new tally with Carl", "names nobody that mail can be sent to"),
        ("new tally with Carl <carl@victim>", "names nobody that mail can be sent to"),
        ("new tally with Carl <carl@victim,test>", "names nobody that mail can be sent to"),
        ("new tally with Carl <carl@victim.test>, a computer", "The moderator seats computers"),
        ("new tally 3 players colour=red", "«colour red» is no option; one is written NAME=VALUE. There are: rounds"),
        ("new tally 3 players pace=evil.test", "«pace evil test» is no option"),
        ("new tally 3 players without pace", "«without» is no option"),
        ("new tally with me <pbem+tally-1.0.x@games.test>", "names nobody that mail can be sent to"),
        ("new tally with A <a@x.test>, B <a@x.test>", "An address is named twice"),
        ("new chess 3 players", "No game is called «chess» here."),
        ("tables\nnew tally 3 players", "A letter asks this host for one thing"),
        ("new tally 3 players\nadd 1", "«add 1» stands below"),
        ("join tally-1", "No table called tally-1 has a free place."),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason_and_nothing_is_done(room: Room, line: str, says: str) -> None:
    lets(room, "anyone")
    key = room.open()
    (told,) = room.sent_by("anna", line, to=next(got for got in room.mails("anna") if key in got.name))
    assert says in " ".join(told.text.split())
    assert ["tally-1", "tally-2"] == list(room.store.names())
    assert 0 == room.state("tally-2").counter


def test_a_sentence_that_begins_with_new_is_the_games_own(room: Room) -> None:
    lets(room, "anyone")
    assert "refused" == room.send("anna", "New computer here, sorry.\nadd 1").outcome
    assert "I can't place" in room.last("anna").text
    assert ["tally-1"] == list(room.store.names())


def test_a_letter_across_lines_and_in_french_opens_a_table(room: Room) -> None:
    lets(room, "known")
    game = opened(room, "Bonjour,\nnouvelle partie tally 4 joueurs rounds=1\navec Carl <carl@victim.test>,\n Dan <dan@victim.test>\nMerci, Anna")
    table = room.stored(game).table
    assert (["anna", "carl", "dan"], 4, "1") == (seats(room, game), table.places, table.options["rounds"])


def test_the_open_tables_are_listed_without_what_has_begun(room: Room) -> None:
    lets(room, "known")
    assert "No table has a free place now." in room.sent_by("anna", "tables")[0].text
    game = opened(room, "new tally 3 players rounds=1")
    open_table(room.desk, Opening("tally", (Invited("Eve", ("eve@people.test",)), Invited("Ed", ("ed@people.test",)))))
    text = " ".join(room.sent_by("anna", "tables")[0].text.split())
    assert f"{game}: Tally, 3 players, rounds 1; there are Anna. «join {game}» takes a place." in text
    assert "tally-3" not in text


def test_a_crash_after_the_table_was_opened_opens_no_second_one(room: Room) -> None:
    lets(room, "known")
    letter = room.write("anna", "new tally 3 players")
    room.post(letter)
    with room.spool.change() as db:
        db.execute("DELETE FROM handled WHERE record = 0")
    room.post(letter)
    assert ["tally-1", "tally-2"] == list(room.store.names())


def test_the_moderator_may_begin_an_open_table_without_its_free_places(room: Room) -> None:
    from pbem.admin.tables.invitations import start

    lets(room, "anyone")
    game = opened(room)
    room.send("anna", "join")
    room.send("bob", f"join {game}", to=room.mails("bob")[0])
    room.send("bob", "join")
    assert "gathering" == room.stored(game).table.status
    room.desk.change(game, "start", start.of(room.desk.services, {"without": ""}, ""))
    assert ("running", 0) == (room.stored(game).table.status, room.stored(game).table.places)


def test_two_questions_that_wait_never_have_one_number(room: Room) -> None:
    kept, digest = room.desk.services.wishes, "0123456" + 57 * "a"
    anna, zoe = (Requester(f"{name}@people.test", name, name) for name in ("anna", "zoe"))
    first = kept.ask(digest, anna, "tables", room.time)
    assert first == kept.ask(digest, anna, "tables", room.time), "the same letter again is the same question"
    others = [kept.ask(digest, zoe, "tables", room.time), kept.ask(digest, anna, "forget me", room.time)]
    assert 3 == len({one.decision for one in (first, *others)})
    for token, asker, line in zip((first, *others), (anna, zoe, anna), ("tables", "tables", "forget me"), strict=True):
        wish = kept.answered([token], asker.address)
        assert wish is not None
        assert (asker, line) == (wish.asker, wish.line)


def test_a_crash_after_the_last_place_was_taken_tells_nobody_that_none_is_free(room: Room) -> None:
    lets(room, "known")
    game = opened(room, "new tally 2 players")
    letter = room.write("bob", f"join {game}", to=room.mails("bob")[0])
    room.post(letter)
    before = len(room.mails())
    with room.spool.change() as db:
        db.execute("DELETE FROM handled WHERE game = ?", (game,))
    room.post(letter)
    assert [] == room.mails()[before:]
    assert ["anna", "bob"] == seats(room, game)


def test_what_one_process_changes_of_people_another_does_not_write_over(room: Room) -> None:
    """The daemon and a command at the terminal."""
    here, there = room.people, People(room.folder / "mail")
    anna, bob = here.holders("tally-1")
    read, reads = there.holders, list[str]()

    def slowly(game: str) -> tuple[Holder, ...]:
        found = read(game)
        reads.append(game)
        if len(reads) == 2:
            changing.start()
            changing.join(0.2)
        return found

    changing = Thread(target=here.change, args=("tally-1", replace(anna, zone="Europe/Paris")))
    there.holders = slowly  # type: ignore[method-assign]
    there.change("tally-1", replace(bob, zone="Europe/Rome"))
    changing.join()
    assert ["Europe/Paris", "Europe/Rome"] == [one.zone for one in People(room.folder / "mail").holders("tally-1")]


@pytest.mark.parametrize(
    ("written", "places", "named", "is_so"),
    [
        ("new tally for 3 players, slow, with Carl <carl@x.test>", 3, ["carl"], {"pace": "slow"}),
        ("new game of tally with Carl carl@x.test and dan@x.test (Dan), pace=brisk", 3, ["carl", "dan"], {"pace": "brisk"}),
        ("nouvelle partie de tally à 3 joueurs, rythme moyen lun-ven 20:00", 3, [], {"pace": "medium mon,tue,wed,thu,fri 20:00"}),
        ("new tally for three, anonymous", 3, [], {"anonymous": "yes"}),
        ("new tally with me and Carl <carl@x.test>, 3 players", 3, ["carl"], {}),
    ],
)
def test_a_table_is_asked_for_as_people_write(
    empty: Room, written: str, places: int, named: list[str], is_so: dict[str, str]
) -> None:
    """Options in words and people stand in whatever order."""
    asked = parse_request(empty.desk.services, written)
    assert asked is not None
    found = parse_opening(empty.desk.services, Requester("zoe@x.test", "Zoe", "mark"), asked.line)
    assert places == found.places
    assert ["Zoe", *(one.title() for one in named)] == [one.name for one in found.invited]
    assert is_so == {name: pace.pace_text(pace.parse_pace(one)) if name == "pace" else one for name, one in found.options.items()}


def test_options_of_the_game_are_named_in_words() -> None:
    for line in ("new troyes 3 players with the Ladies", "new troyes 3 joueurs avec les Dames"):
        services: Any = SimpleNamespace(find=find_game)
        assert {"ladies": "all"} == parse_opening(services, Requester("zoe@x.test", "Zoe", "mark"), line).options
    assert "troyes-dice" == parse_opening(services, Requester("zoe@x.test", "Zoe", "mark"), "new troyes dice 3 players").kind


def test_who_is_asked_whether_it_was_they_is_told_what_it_would_be_and_nothing_that_is_refused_afterwards(
    empty: Room,
) -> None:
    room = lets(empty, "anyone")
    (question,) = fresh(room, "zoe@x.test", "new tally 3 players slow")
    assert "It would be: Tally, 3 players, pace slow." in question.text
    page = str(question.message.get_body(("html",)).get_content())
    assert "carry a key of yours" in page and "send «board»" not in page, "there is no game yet"
    for line in ("new tally 9 players", "new tally 3 players pace=quick"):
        (told,) = fresh(room, "zoe@x.test", line)
        assert "Nothing was done." in told.text
    assert "answer 3 today to a letter without a valid key, and the last one today" in " ".join(told.text.split())


@pytest.mark.parametrize("says", ["Yes, that was me. Thanks!", "Oui, c'était moi"])
def test_who_says_that_it_was_they_says_yes(empty: Room, says: str) -> None:
    room = lets(empty, "anyone")
    (question,) = fresh(room, "zoe@x.test", "new tally 3 players")
    answer(room, "zoe@x.test", says, question)
    assert ("tally-1",) == tuple(room.store.names())


def test_an_answer_may_ask_for_another_table_instead(empty: Room) -> None:
    """Whoever sees in the question that it is not what they meant writes it anew; its key proves them, and one comes."""
    room = lets(empty, "anyone")
    (question,) = fresh(room, "zoe@x.test", "new tally 3 players")
    (told,) = answer(room, "zoe@x.test", "new tally 9 players", question)
    assert "Nothing was done." in told.text
    _, note = answer(room, "zoe@x.test", "new tally 2 players slow", told)
    assert note.message["Reply-To"] is None, "the key of the question is dropped"
    assert ("tally-1",) == tuple(room.store.names())
    assert (2, "slow") == (room.stored("tally-1").table.places, room.stored("tally-1").table.pace.name)
    # The first is forgotten with it.
    answer(room, "zoe@x.test", "yes", question)
    assert ("tally-1",) == tuple(room.store.names())


def test_whoever_opens_a_table_has_joined_it_and_is_told_when_all_are_here(empty: Room) -> None:
    """The place of the opener is nobody else's, and no table waits for an answer that was given by opening it."""
    room = lets(empty, "anyone")
    (question,) = fresh(room, "zoe@x.test", "new tally 2 players")
    invitation, note = answer(room, "zoe@x.test", "yes", question)
    assert "You have joined" in str(invitation.message["Subject"])
    assert "When all are here, the game begins, and you are told." in " ".join(invitation.text.split())
    assert "[1] join" not in invitation.text and "Joined: Player." in invitation.text
    assert "you have joined it" in " ".join(note.text.split())
    room.time += timedelta(days=20)
    player_tables.give_up_stale(room.desk, room.time)
    assert (["player"], ("player",)) == (seats(room, "tally-1"), room.stored("tally-1").table.joined)
    (question,) = fresh(room, "eve@y.test", "join tally-1")
    told = [got for got in answer(room, "eve@y.test", "join", question) if to(got) == "zoe@x.test"]
    assert ["welcome"] == [got.kind for got in told]
    assert "All are here, and the game begins." in " ".join(told[0].text.split())


def test_the_word_of_whoever_opens_a_table_comes_with_it_or_once_until_the_game_begins(empty: Room) -> None:
    room = lets(empty, "anyone")
    (question,) = fresh(room, "zoe@x.test", "new tally 2 players")
    (invitation, _) = answer(room, "zoe@x.test", "join heron", question)
    assert "heron" == room.stored("tally-1").secrets.words["player"]
    (refused,) = answer(room, "zoe@x.test", "join kettle", invitation)
    assert "your word is fixed" in refused.text
    (question,) = fresh(room, "eve@y.test", "new tally 2 players")
    (invitation, _) = answer(room, "eve@y.test", "yes", question)
    for word, kept in (("heron", "heron"), ("kettle", "heron")):
        answer(room, "eve@y.test", f"join {word}", invitation)
        assert kept == room.stored("tally-2").secrets.words["player"]


def test_a_table_for_one_begins_when_it_is_opened(empty: Room) -> None:
    room = lets(empty, "anyone")
    (question,) = fresh(room, "zoe@x.test", "new tally 1 player")
    if "Was it you" in str(question.message["Subject"]):
        assert ["welcome", "notice"] == [got.kind for got in answer(room, "zoe@x.test", "yes", question)]
