"""Tokens, people, kinds of lines, messages: the small parts by themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.catalog import T
from engine.game import Seat
from engine.kit.words import edit_distance
from engine.reference import CardText
from pbem.desk.core.option_lists import MOST_OFFERED, offers_of
from pbem.host.keys import Keys, mail_of, message_id, tokens_in
from pbem.host.people import Holder, People, PeopleError, slug
from pbem.outbound.mail import Choice, LineAnswer, MailKind, Message, TableMessage
from pbem.reading import courtesy
from pbem.reading.line_parser import is_chatter
from pbem.reading.line_parser import parse_line as read_line
from pbem.store import toml_format
from pbem.store.data_codec import from_data, to_data
from tests.desk.one_letter import ANNA, heard, position
from tests.fakegame import GAME, Tally

KEYS = Keys(b"k" * 32)


def test_token_fits_its_seat_game_generation_and_decision_only() -> None:
    token = KEYS.token("troyes-12", "anna", 1, 17)
    assert KEYS.fits(token, "anna", 1)
    assert not KEYS.fits(token, "bob", 1)
    assert not KEYS.fits(token, "anna", 2)
    assert not Keys(b"x" * 32).fits(token, "anna", 1)
    for other in (KEYS.token("troyes-13", "anna", 1, 17), KEYS.token("troyes-12", "anna", 1, 18)):
        assert token.key != other.key


def test_token_is_found_in_address_and_subject() -> None:
    token = KEYS.token("troyes-12", "anna", 1, 17)
    for text in (f"pbem+{token}@games.test", f"Re: [troyes-12] Your turn [{token}]"):
        assert (token,) == tokens_in(text)


def test_message_id_tells_nothing_and_is_known_by_its_name() -> None:
    """Contract, «The token»: an HMAC over game, seat and intent, which carries no token and no record number."""
    intents = [f"troyes-12.{record}.{nth}" for record in range(1, 40) for nth in (1, 2)]
    names = {KEYS.mail("troyes-12", seat, intent) for seat in ("anna", "bob") for intent in intents}
    assert len(names) == 2 * len(intents)
    assert {32} == {len(name) for name in names}
    own = message_id(KEYS.mail("troyes-12", "anna", "troyes-12.40.2"), "games.test")
    assert () == tokens_in(own)
    assert mail_of(own) == mail_of(own.upper()) == KEYS.mail("troyes-12", "anna", "troyes-12.40.2")
    assert "" == mail_of("<letter1@people.test>")
    assert Keys(b"x" * 32).mail("troyes-12", "anna", "troyes-12.40.2") != mail_of(own)


@pytest.mark.parametrize("text", ["troyes-12.17.short", "troyes-12.x.abcdefgh23456723", "a" * 100_000, "." * 100_000])
def test_what_is_no_token_is_not_found(text: str) -> None:
    assert tokens_in(text) == ()


def test_people_are_read_again_when_the_file_changed(tmp_path: Path) -> None:
    one, other = People(tmp_path), People(tmp_path)
    one.register("troyes-1", (Holder(Seat("anna"), "Anna", ("anna@people.test",)),))
    assert other.holder("troyes-1", "anna").addresses == ("anna@people.test",)
    one.change("troyes-1", Holder(Seat("anna"), "Eve", ("eve@people.test",), 2))
    assert (other.holder("troyes-1", "anna").name, other.holder("troyes-1", "anna").generation) == ("Eve", 2)
    assert other.seats_of("EVE@people.test") == (("troyes-1", "anna"),)
    assert other.seats_of("anna@people.test") == ()


def test_damaged_people_file_is_named(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.register("troyes-1", ())
    (people.folder / "troyes-1.toml").write_text("seats = [")
    with pytest.raises(PeopleError, match=r"troyes-1\.toml"):
        people.holders("troyes-1")


def test_people_who_are_to_come_are_never_nobody(tmp_path: Path) -> None:
    """Where the file is gone, those there are stay; one that cannot be read waits for its repair."""
    people, anna = People(tmp_path), Holder(Seat("anna"), "Anna", ("anna@people.test",))
    people.register("troyes-1", (anna,))
    with pytest.raises(PeopleError, match=r"coming/troyes-1\.toml"):
        people.settle("troyes-1", committed=True)
    assert people.holders("troyes-1") == (anna,)
    assert people.awaited("troyes-1") == ""
    people.prepare("troyes-1", (anna,), "x")
    file = people.folder / "coming" / "troyes-1.toml"
    file.write_text(f'later = "key"\n{file.read_text()}')
    with pytest.raises(PeopleError, match=r"coming/troyes-1\.toml"):
        people.awaited("troyes-1")


def test_nothing_is_kept_of_games_that_nobody_sits_at(tmp_path: Path) -> None:
    """Strangers' letters may name any number of them."""
    people = People(tmp_path)
    assert {()} == {people.holders(f"tally-{n}") for n in range(100)}
    assert not people._known


@pytest.mark.parametrize(
    ("name", "handle"),
    [
        ("Anna", "anna"),
        ("Zoë Müller", "zoe-muller"),
        ("Gray", "gray-2"),
        ("Y5", "y5-2"),
        ("42", "player-42"),
        ("李", "player"),
    ],
)
def test_slug_is_ascii_and_no_order_word(name: str, handle: str) -> None:
    assert handle == slug(name, [], ["gray"])


@pytest.mark.parametrize(
    ("line", "number"),
    [("3", 3), ("option 3", 3), ("[3]", 3), ("(3)", 3), ("3.", 3), ("choix 3", 3), ("3 4", None), ("three", 3)],
)
def test_option_number(line: str, number: int | None) -> None:
    read = read_line(line)
    assert number == (read.number if read.is_number else None)


@pytest.mark.parametrize("line", ["Hi Bob,", "Bonjour à tous", "Salut !", "Dear Anna", "Hello everyone"])
def test_greeting(line: str) -> None:
    assert courtesy.is_greeting(line, ("Anna", "Bob"))


@pytest.mark.parametrize("line", ["Hi, add 3", "everyone", "hello world"])
def test_no_greeting(line: str) -> None:
    assert not courtesy.is_greeting(line, ("Anna", "Bob"))


@pytest.mark.parametrize("line", ["Thanks!", "merci", "À bientôt, Anna", "Bob", "Best wishes from"])
def test_closing(line: str) -> None:
    assert (line != "Best wishes from") == courtesy.is_closing(line, ("Anna", "Bob"))


@pytest.mark.parametrize(
    ("line", "chatter"),
    [
        ("here is my move", True),
        ("I moved city hall", False),
        ("my Y5 is for you", False),
        ("buy geoffrey:R3", False),
        ("activte", False),
        ("ativate merchant", False),
        ("statsu", False),
        ("us two, as always", False),
        ("as always, the two of us", True),
        ("Please find my orders below", True),
        ("Well then", True),
        ("--", True),
    ],
)
def test_chatter_holds_no_word_of_the_game(line: str, chatter: bool) -> None:
    """Contract: no verb, die, card or place word, and not within two letters of a verb."""
    assert chatter == is_chatter(line, frozenset(("activate", "use", "pass", "place")), ("city-hall", "merchant"), frozenset(("status",)))


@pytest.mark.parametrize(
    ("one", "other", "most", "near"),
    [("pass", "pas", 1, True), ("form", "from", 1, True), ("abcd", "badc", 1, False), ("", "ab", 2, True)],
)
def test_letters_apart(one: str, other: str, most: int, near: bool) -> None:
    assert near == (edit_distance(one, other, most) <= most)


def test_message_survives_the_record() -> None:
    said = LineAnswer("a", "b", (T("x {n}", "xs {n}", n=2),), (T("y"),), T("{a} {b}", a=T("z"), b=("p", 3)), (T("q"),))
    message = Message(
        seat=Seat("anna"), kind=MailKind.RECEIPT, said=(said,), notes=(T("note"),),
        answers=(CardText(T("t"), (T("l"),)),), messages=(TableMessage("Bob", "hi", True),), heard=3, told=9, own=True,
        position=True, public=True, quiet=True, answering="<x@y>", root="troyes-1.2.1", last="troyes-1.3.1", since=7,
        options=True, earned=(T("earned"),), choices=(Choice("tell bob: hi", T("alone")), Choice("add 1\nadd 2")),
        repairs=(Choice("add 1", T("")),), brief=True, wait=(T("wait"),), waited=True,
    )  # fmt: skip
    assert all(getattr(message, name) != field.default for name, field in Message.__dataclass_fields__.items())
    written = toml_format.toml_bytes({"mail": to_data(message)}, "")
    assert message == from_data(Message, toml_format.parse_toml(written, "mail")["mail"], "mail")


def test_options_are_made_once_for_a_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mail that asks and the letter that answers it share them; an equal position is another."""
    made: list[object] = []
    offers = Tally.offers

    def count(self: Tally, state: Any, seat: Seat, language: str = "en") -> Any:
        made.append(state)
        return offers(self, state, seat, language)

    monkeypatch.setattr(Tally, "offers", count)
    state, other = position(), position()
    assert offers_of(GAME, state, ANNA) == offers_of(GAME, state, ANNA) == offers_of(GAME, other, ANNA) != ()
    assert [id(state), id(other)] == [id(one) for one in made]
    for one in [position() for _ in range(MOST_OFFERED)]:
        offers_of(GAME, one, ANNA)
    offers_of(GAME, state, ANNA)
    assert made.pop() is state


def test_a_line_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """By whoever asks what it is, what it means, and plays it; what follows is read in the position that it leaves."""
    asked: list[tuple[int, str]] = []
    game_read = Tally.read

    def count(self: Tally, state: Any, seat: Seat, text: str) -> Any:
        asked.append((id(state), text))
        return game_read(self, state, seat, text)

    monkeypatch.setattr(Tally, "read", count)
    assert ("add 3",) == heard("Hello Bob\n\nadd 3\n").effects.played
    assert 1 == asked.count(next(one for one in asked if one[1] == "add 3"))
    assert len(asked) == len(set(asked))
