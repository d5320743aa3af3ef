"""What stands beside an order, and what is proposed then: each kind once, met in letters."""

from __future__ import annotations

import pytest

from .conftest import Sent


@pytest.mark.parametrize(
    "line",
    [
        "build with W2, right?", "build with W2, ok?", "build with W2, please?", "could you build with W2", "I'd love to build with W2",
        "would you build with W2", "can you please build with W2", "I would love to build with W2", "build with W2 if possible",
        "peux-tu bâtir avec B2", "pouvez-vous bâtir avec B2", "si possible bâtir avec B2",
        "build with W2 until Friday", "build with W2 🙄", "hier build with W2", "First\nbuild with W2", "Faye, build with W2",
    ],
)  # fmt: skip
def test_what_is_no_plain_order_is_asked_about(sent: Sent, line: str) -> None:
    read = sent(line)
    assert (read.orders, read.choices[:1]) == ((), ("build with W2",))


@pytest.mark.parametrize("line", ["- pass", "* pass", "• pass", "1. pass"])
def test_a_mark_of_a_list_plays(sent: Sent, line: str) -> None:
    assert sent(line).orders == ("pass",)


@pytest.mark.parametrize("does", ["pass", "+4 deniers", "four times, +8 deniers", "expels Emily", "farm Y5 Y4"])
def test_what_our_mails_say_of_another_option_is_strange_beside_this(sent: Sent, does: str) -> None:
    read = sent(f"[3] build with W2 · {does}")
    assert (read.orders, read.choices[:1]) == ((), ("build with W2",))
    for told in ("1 VP, +1 influence", "1 VP", "1 VP, +1 influence. Thanks!"):
        assert sent(f"[3] build with W2 · {told}").orders == ("build with W2",)


def test_a_choice_offers_only_what_plays(sent: Sent) -> None:
    read = sent("[3] build with W5")
    assert (read.orders, read.choices) == ((), ("build with W2",))
    for line in ("say", "undo", "try", "tell", "undoo", "build with W2\nundo", "build with W2\nFaye", "sya", "build with W2, Faye!"):
        bare = ("say", "undo", "try", "tell", "")
        assert not [one for text in sent(line).choices for one in text.split("\n") if one in (*bare, "say Faye", "say Faye!")]


def test_a_friendly_line_can_be_said_with_the_move(sent: Sent) -> None:
    for line in ("build with W2\nI love this game", "build with W2, I love this game"):
        assert sent(line).choices[:2] == ("build with W2", "build with W2\nsay I love this game")


@pytest.mark.parametrize("line", ["flip W2, build with W5", "flip W2 and build with W5", "retourner B2, construire avec B5"])
def test_two_orders_of_one_line_are_one_choice(sent: Sent, line: str) -> None:
    read = sent(line)
    assert (read.orders, read.choices[:1]) == ((), ("flip W2\nbuild with W5",))
    for parted in ("flip W2 then build with W5", "flip W2; build with W5", "retourner B2, puis construire avec B5", "flip W2 -> build with W5"):
        assert sent(parted).orders == ("flip W2", "build with W5")


@pytest.mark.parametrize("order", ["fight brigands with gray:R2 R4", "fight brigands with R4 gray:R2"])
@pytest.mark.parametrize("line", ["{}, or not", "{} 🤔", "I was going to {}", "{} - hmm"])
def test_no_two_choices_differ_in_the_order_of_dice_alone(sent: Sent, order: str, line: str) -> None:
    read = sent(line.format(order))
    alone = [tuple(sorted(one.split())) for one in read.choices if "\n" not in one]
    assert not read.orders and len({*alone}) == len(alone) and alone[0] == tuple(sorted(order.split()))


@pytest.mark.parametrize("line", ["{die}: no {what}", "{die}: pas de {what}", "{die}: {what} NOT", "{die}: not {what}"])
@pytest.mark.parametrize("order", ["red 2: influence", "yellow 5: deniers"])
def test_no_choice_does_what_was_denied(sent: Sent, line: str, order: str) -> None:
    die, _, what = order.partition(": ")
    read = sent(line.format(die=die, what=what), "dice")
    assert not read.orders and order not in read.choices


@pytest.mark.parametrize("line", ["hier {}", "tout le monde veut que je {}", "as if I would {}"])
def test_an_order_that_stands_whole_in_a_line_comes_first(sent: Sent, line: str) -> None:
    for order in ("red 2: influence", "yellow 5: deniers"):
        read = sent(line.format(order), "dice")
        assert (read.orders, read.choices[:1]) == ((), (order,))


def test_orders_of_one_line_that_no_grammar_reads_are_asked_about(sent: Sent) -> None:
    """What is an order since it names one whole stands alone on its line."""
    for line in ("the W2 to flip\nbuild with W5", "flip W2 then build with W5"):
        assert sent(line).orders == ("flip W2", "build with W5")
    assert not sent("the W2 to flip then build with W5").orders
