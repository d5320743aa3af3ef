"""Orders by letter: what is played, what is passed over, what is refused."""

from __future__ import annotations

import pytest

from tests.desk.room import Room


def test_order_is_played_and_the_next_player_is_asked(room: Room) -> None:
    """Contract, «Mail volume»: a receipt to the writer, a turn to the one who must decide."""
    sent = room.sent_by("anna", "add 2")
    assert [(got.seat, got.kind) for got in sent] == [("anna", "receipt"), ("bob", "turn")]
    assert room.state().counter == 2
    assert "Anna added 2." in sent[1].text


def test_number_plays_that_option_of_the_mail(room: Room) -> None:
    """The first option of a turn is `add 3`."""
    room.send("anna", "1")
    assert room.state().counter == 3


@pytest.mark.parametrize("line", ["option 2", "2.", "#2", "Option 2", "(2)"])
def test_number_may_be_written_in_many_ways(room: Room, line: str) -> None:
    room.send("anna", line)
    assert room.state().counter == 2


def test_number_after_an_order_that_changed_the_list_is_refused(room: Room) -> None:
    """After `spend 3` nothing can be spent, and the list is another."""
    handled = room.send("anna", "spend 3\n1")
    assert handled.outcome == "refused"
    assert room.state().points["anna"] == 3
    assert "have changed" in room.last("anna").text


def test_number_after_an_order_that_left_the_list_alone_counts(room: Room) -> None:
    """`spend 1` of three points leaves every option open."""
    room.send("anna", "spend 1\n1")
    assert (room.state().counter, room.state().points["anna"]) == (3, 2)


def test_number_that_the_list_does_not_have_is_refused(room: Room) -> None:
    room.send("anna", "17")
    assert room.state().counter == 0
    assert "no option 17" in room.last("anna").text


def test_greeting_before_the_first_order_is_passed_over_and_talk_is_asked_about(room: Room) -> None:
    """Contract, «How a letter is read»."""
    room.send("anna", "Bonjour Bob,\nHere is what I want this time:\n\nadd 1")
    assert room.state().counter == 0
    room.send("anna", "Bonjour Bob,\nHere is my move:\n\nadd 1")
    assert room.state().counter == 1


def test_line_with_a_verb_before_the_first_order_is_not_chatter(room: Room) -> None:
    handled = room.send("anna", "I would like to pass now\nadd 1")
    assert (handled.outcome, room.state().counter) == ("refused", 0)


def test_line_nearly_a_verb_is_refused_with_the_order_suggested(room: Room) -> None:
    """The nearest order is suggested, never executed."""
    room.send("anna", "pasz\nadd 1")
    assert room.state().counter == 0
    assert "[1] pass" in room.last("anna").text


def test_unknown_line_after_an_order_refuses_the_letter(room: Room) -> None:
    """Product: an unknown line is an error, not noise; nothing of the letter is applied."""
    handled = room.send("anna", "spend 1\nand then some\nadd 1")
    assert handled.outcome == "refused"
    assert (room.state().counter, room.state().points["anna"]) == (0, 3)
    assert "and then some" in room.last("anna").text


@pytest.mark.parametrize("closing", ["Anna", "Best regards, Anna", "Cordialement", "-- \nadd nonsense forever", "fin\nadd nonsense forever", "end\nadd nonsense forever"])
def test_signature_stands_under_an_order(room: Room, closing: str) -> None:
    room.send("anna", f"add 1\n{closing}")
    assert room.state().counter == 1


def test_line_after_the_turn_is_over_refuses_everything(room: Room) -> None:
    handled = room.send("anna", "add 1\nadd 2")
    assert (handled.outcome, room.state().counter) == ("refused", 0)


def test_failing_line_after_a_commit_point_leaves_what_was_shown(room: Room) -> None:
    """Orders: what was shown stands, everything since is undone, and the answer says which."""
    sent = room.sent_by("anna", "spend 1\nroll\nspend 1\nadd 9")
    state = room.state()
    assert (state.points["anna"], state.counter) == (2, 0)
    assert 1 <= state.rolled <= 6
    assert [(got.seat, got.kind) for got in sent] == [("anna", "receipt")]
    assert "«roll» stands" in sent[0].text
    assert "Add 1 to 3, not 9." in sent[0].text
    assert "Nothing else was done; it is still your turn." in sent[0].text


def test_commit_point_issues_a_new_number_and_the_old_token_is_late(room: Room) -> None:
    """Contract, «The token»."""
    old = room.last("anna")
    room.send("anna", "roll")
    handled = room.send("anna", "add 1", to=old)
    assert (handled.outcome, room.state().counter) == ("refused", 0)
    assert "has gone on" in room.last("anna").text
    room.send("anna", "add 1")
    assert room.state().counter == 1


def test_spending_and_then_passing_is_refused_as_a_likely_mistake(room: Room) -> None:
    """Contract, «What is assumed»: nothing was shown between the two."""
    handled = room.send("anna", "spend 1\npass")
    assert (handled.outcome, room.state().points["anna"]) == ("refused", 3)


def test_spending_and_passing_with_a_roll_between_is_played(room: Room) -> None:
    room.send("anna", "spend 1\nroll\npass")
    assert (room.state().turn, room.state().points["anna"]) == ("bob", 2)


def test_sixty_orders_are_the_most(room: Room) -> None:
    handled = room.send("anna", "\n".join(["status"] * 61))
    assert handled.outcome == "refused"
    assert "at most 60" in room.last("anna").text


def test_semicolon_is_left_to_the_game(room: Room) -> None:
    """The desk never splits a line: an order of Troyes Dice holds semicolons."""
    handled = room.send("anna", "add 1; add 2")
    assert (handled.outcome, room.state().counter) == ("refused", 0)


def test_assumed_values_are_echoed(room: Room) -> None:
    sent = room.sent_by("anna", "spend")
    assert "One point." in sent[0].text


def test_empty_letter_gets_an_answer(room: Room) -> None:
    """Every letter from a player gets an answer, even «nothing understood»."""
    sent = room.sent_by("anna", "\n\n")
    assert [(got.seat, got.kind) for got in sent] == [("anna", "refusal")]
    assert "No order was found" in sent[0].text


def test_order_out_of_turn_is_refused(room: Room) -> None:
    room.send("anna", "add 1")
    room.send("anna", "add 1")
    assert room.state().counter == 1
    assert "It is not your turn." in room.last("anna").text


@pytest.mark.parametrize("letter", ["add 1\n1", "add 1\nadd 1", "try add 1\ntry 1", "try add 1\ntry add 1"])
def test_line_under_the_end_of_a_turn_is_told_that(room: Room, letter: str) -> None:
    """Nothing stands of the letter: that it is not one's turn would be wrong."""
    sent = room.sent_by("anna", letter)
    assert "Not played: Your turn was over before this line." in sent[0].text
    assert "It is not your turn" not in sent[0].text


def test_talk_is_not_proposed_for_a_word_that_begins_otherwise(room: Room) -> None:
    assert "] say add 2" in room.sent_by("anna", "sayy add 2")[0].text
    assert "say add 2" not in room.sent_by("anna", "lay add 2")[0].text
    assert "dire add 2" not in room.sent_by("anna", "hire add 2")[0].text


def test_order_in_french_is_an_order(room: Room) -> None:
    room.send("anna", "Bonjour,\najoute 2\nmerci")
    assert room.state().counter == 2


def test_whole_game_ends_with_the_seed_revealed(room: Room) -> None:
    """Fair dice: at the end everybody can check every number."""
    for _ in range(20):
        for seat in ("anna", "bob"):
            if room.stored().table.status == "running":
                room.send(seat, "1")
    assert "ended" == room.stored().table.status
    assert (b"s" * 32).hex() in room.last("anna").text
    assert {"final"} == {room.last("anna").kind, room.last("bob").kind}
    assert (b"s" * 32).hex() == room.record().also["seed"]
