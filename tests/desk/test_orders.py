"""Orders by letter: what is played, what is passed over, what is refused."""

from __future__ import annotations

import pytest

from tests.desk.room import Room

PLAYED, REFUSED, ANSWERED = "played", "refused", "answered"


@pytest.mark.parametrize(
    ("letter", "outcome", "counter", "points", "says"),
    [
        pytest.param("1", PLAYED, 3, 3, "", id="the first option is «add 3»"),
        *(pytest.param(line, PLAYED, 2, 3, "", id=line) for line in ("option 2", "2.", "#2", "Option 2", "(2)")),
        pytest.param("spend 3\n1", REFUSED, 0, 3, "have changed", id="after «spend 3» the list is another"),
        pytest.param("spend 1\n1", PLAYED, 3, 2, "", id="«spend 1» of three leaves every option open"),
        pytest.param("17", REFUSED, 0, 3, "no option 17", id="a number beyond the list"),
        pytest.param("Bonjour Bob,\nHere is what I want this time:\n\nadd 1", REFUSED, 0, 3, "", id="talk is asked about"),
        pytest.param("Bonjour Bob,\nHere is my move:\n\nadd 1", PLAYED, 1, 3, "", id="a greeting is passed over"),
        pytest.param("Bonjour,\najoute 2\nmerci", PLAYED, 2, 3, "", id="French"),
        pytest.param("I would like to pass now\nadd 1", REFUSED, 0, 3, "", id="a line with a verb is no chatter"),
        pytest.param("pasz\nadd 1", REFUSED, 0, 3, "[1] pass", id="a nearest order is suggested and never played"),
        pytest.param("spend 1\nand then some\nadd 1", REFUSED, 0, 3, "and then some", id="an unknown line is an error"),
        *(
            pytest.param(f"add 1\n{closing}", PLAYED, 1, 3, "", id=closing)
            for closing in ("Anna", "Best regards, Anna", "Cordialement", *(f"{end}\nadd nonsense forever" for end in ("-- ", "fin", "end")))
        ),
        pytest.param("add 1\nadd 2", REFUSED, 0, 3, "", id="a line after the turn is over refuses everything"),
        pytest.param("spend 1\npass", REFUSED, 0, 3, "", id="spending and passing is a likely mistake"),
        pytest.param("spend 1\nroll\npass", PLAYED, 0, 2, "", id="with a roll between it is none"),
        pytest.param("\n".join(["status"] * 61), REFUSED, 0, 3, "at most 60", id="sixty orders are the most"),
        pytest.param("add 1; add 2", REFUSED, 0, 3, "", id="the game alone splits a line"),
        pytest.param("spend", PLAYED, 0, 2, "One point.", id="what is assumed is echoed"),
        pytest.param("\n\n", REFUSED, 0, 3, "No order was found", id="an empty letter is answered"),
        *(
            pytest.param(letter, outcome, 0, 3, "Not played: Your turn was over before this line.", id=letter)
            for letter, outcome in (
                ("add 1\n1", REFUSED), ("add 1\nadd 1", REFUSED), ("try add 1\ntry 1", ANSWERED), ("try add 1\ntry add 1", ANSWERED),
            )
        ),
    ],
)  # fmt: skip
def test_what_becomes_of_a_letter(room: Room, letter: str, outcome: str, counter: int, points: int, says: str) -> None:
    """Its writer is asked; the answer never says that it is not their turn."""
    handled = room.send("anna", letter)
    state, text = room.state(), room.last("anna").text
    assert (outcome, counter, points) == (handled.outcome, state.counter, state.points["anna"])
    assert says in text and "It is not your turn" not in text


def test_order_is_played_and_the_next_player_is_asked(room: Room) -> None:
    """A receipt to the writer, a turn to the one who must decide, who alone is asked from then on."""
    sent = room.sent_by("anna", "add 2")
    assert [(got.seat, got.kind) for got in sent] == [("anna", "receipt"), ("bob", "turn")]
    assert "Anna added 2." in sent[1].text
    assert "It is not your turn." in room.sent_by("anna", "add 1")[0].text
    assert room.state().counter == 2


def test_failing_line_after_a_commit_point_leaves_what_was_shown(room: Room) -> None:
    """What was shown stands, everything since is undone, and the answer says which."""
    sent = room.sent_by("anna", "spend 1\nroll\nspend 1\nadd 9")
    state = room.state()
    assert (state.points["anna"], state.counter) == (2, 0)
    assert 1 <= state.rolled <= 6
    assert [(got.seat, got.kind) for got in sent] == [("anna", "receipt")]
    for says in ("«roll» stands", "Add 1 to 3, not 9.", "Nothing else was done; it is still your turn."):
        assert says in sent[0].text


def test_commit_point_issues_a_new_number_and_the_old_token_is_late(room: Room) -> None:
    old = room.last("anna")
    room.send("anna", "roll")
    handled = room.send("anna", "add 1", to=old)
    assert (handled.outcome, room.state().counter) == ("refused", 0)
    assert "has gone on" in room.last("anna").text
    room.send("anna", "add 1")
    assert room.state().counter == 1


def test_talk_is_not_proposed_for_a_word_that_begins_otherwise(room: Room) -> None:
    assert "] say add 2" in room.sent_by("anna", "sayy add 2")[0].text
    assert "say add 2" not in room.sent_by("anna", "lay add 2")[0].text
    assert "dire add 2" not in room.sent_by("anna", "hire add 2")[0].text


def test_whole_game_ends_with_the_seed_revealed(room: Room) -> None:
    """At the end everybody can check every number."""
    for _ in range(20):
        for seat in ("anna", "bob"):
            if room.stored().table.status == "running":
                room.send(seat, "1")
    assert "ended" == room.stored().table.status
    assert (b"s" * 32).hex() in room.last("anna").text
    assert {"final"} == {room.last("anna").kind, room.last("bob").kind}
    assert (b"s" * 32).hex() == room.record().also["seed"]
