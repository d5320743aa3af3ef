"""How a letter is read (contract): what was not ordered is not played, whatever it looks like."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pbem.outbound.mail import Choice, MailKind
from tests.desk.one_letter import heard
from tests.desk.room import Room

UNFINISHED = (
    # A negation.
    "I would not take", "I will never take", "I don't think I would want", "I won't take", "Bob cannot take",
    "we didn't want", "nor would I ever want", "neither of us wants", "Bob said he would never take", "I wouldnt take",
    "je n'ai vraiment envie de rien, sauf", "je ne veux", "je ne prendrai jamais", "on ne va pas prendre",
    "surtout pas", "n'importe quoi mais", "ni l'un ni l'autre, donc jamais", "ce n'est", "Bob ne veut jamais",
    # A condition, a second thought.
    "if Bob is away I would take", "unless Bob minds, I take", "wait, I might want", "instead I would take",
    "maybe I should take", "perhaps", "it was nice, but", "that one or", "whether I should take",
    "rather than waiting, I would take", "I want to see the others first, otherwise", "until Bob is here I take",
    "forget that I wanted", "please ignore what I said about", "everything except",
    "si Bob est absent je prends", "s'il est d'accord, je prends", "s'ils sont d'accord, alors",
    "plutôt la semaine prochaine, ou", "attends, je voulais", "attendez", "sinon je prends", "peut-être que je veux",
    "mais je voulais dire", "oubliez ce que je disais de", "sauf erreur de ma part", "je voulais, mais finalement",
    # A number.
    "of the 6 of us nobody takes", "in 2026 I would have taken", "in two weeks I would take", "the third one is better than",
    "les trois premiers sont mieux que", "dans 2 jours je prendrai",
    # As long as a line that a program breaks.
    "I have been thinking about this for a while and should say that I like",
    "Yesterday evening my brother told me that in his opinion the best choice is",
    "thank you all so much for this wonderful evening, we had great fun with",
    "j'ai longuement réfléchi à tout cela hier soir, et il me semble que je préfère",
    "hier soir mon frère me disait que selon lui la meilleure des choses est vraiment",
)  # fmt: skip
"""Lines without a word of the game that do not end their sentence."""


@pytest.mark.parametrize("tail", ["3", "pass", "undo", "option 3"])
@pytest.mark.parametrize("line", UNFINISHED)
def test_line_above_that_no_table_knows_is_asked_about(line: str, tail: str) -> None:
    """Nothing is played; the order alone is the first choice, or the list in which its number counts."""
    result = heard(f"Hello,\n{line}\n{tail}\n")
    assert result.entries == ()
    assert (result.answer.kind, result.answer.brief, result.answer.position) == (MailKind.REFUSAL, True, False)
    assert result.answer.choices[0].text == ("add 1" if "3" in tail else tail)


@pytest.mark.parametrize(
    "above",
    [
        "I would never take that one.", "Not this time!", "What if?", "I will never do that…", "here is what I want, not more:",
        "If you like 😀", "not bad :-)", "we'll see ;)", "I hope Bob is well", "(not that one!)", "«jamais !»",
        "I would never take that one.\n", "he said he would not\n", "It is raining cats and dogs.",
    ],
)  # fmt: skip
@pytest.mark.parametrize("order", ["3", "pass", "add 2", "spend 1"])
def test_whether_it_ends_a_sentence_does_not_matter(above: str, order: str) -> None:
    result = heard(f"{above}\n{order}\n")
    assert (result.entries, result.answer.choices[0].text) == ((), "add 1" if order == "3" else order)


@pytest.mark.parametrize(
    "above",
    ["Hello Bob,", "Bonjour à tous", "Salut", "here is my move", "voici mon coup", "merci", "s'il te plaît", "s'il vous plaît", "Sorry for the delay!"],
)
@pytest.mark.parametrize("order", ["3", "pass"])
def test_order_under_courtesy_is_played(above: str, order: str) -> None:
    assert heard(f"{above}\n{order}\n").entries != ()


@pytest.mark.parametrize("tail", ["pass", "3"])
def test_tail_of_long_talk_is_asked_back(tail: str) -> None:
    """`say` is one line, which a program may have broken."""
    result = heard(f"say Hello all, I shall be away until Monday, so please just\n{tail}")
    assert (result.entries, result.effects.talk) == ((), ())
    assert heard(f"say hello\n{tail}").entries != ()


def test_question_at_the_end_of_a_sentence_is_answered() -> None:
    """It changes nothing."""
    assert heard("if you can, I would love some\nhelp").answer.kind is MailKind.ANSWER


BELOW = (
    "unless Bob minds", "not that I like it", "wait", "no!", "No", "non", "but only today", "or maybe later",
    "if that is allowed", "4 would be fine too", "make that four", "instead of the other thing", "sorry, I can't decide",
    "cancel that", "forget it", "scratch that", "mais attends", "sauf contrordre", "si c'est possible", "ou plutôt demain",
    "je n'ai rien dit", "jamais de la vie", "pas tout de suite", "enfin, peut-être", "my counter is high",
    "I meant that we should wait for Bob", "the third one was better",
)  # fmt: skip


@pytest.mark.parametrize("gap", ["", "\n"])
@pytest.mark.parametrize("line", [*BELOW, "no hurry", "No worries, take your time", "What a mess!", "on s'amuse bien"])
def test_line_below_that_no_table_knows_is_asked_about(line: str, gap: str) -> None:
    """The orders alone stand first; then, as the line may be for people, with that said to the table."""
    result = heard(f"spend 1\nadd 2\n{gap}{line}\n")
    assert result.entries == ()
    assert (result.answer.kind, result.answer.said[-1].written) == (MailKind.REFUSAL, line)
    choices = [choice.text for choice in result.answer.choices]
    assert choices[:2] == ["spend 1\nadd 2", f"spend 1\nadd 2\nsay {line}"]
    told = " ".join(str(note) for note in result.answer.notes)
    assert "Your move is clear" in told and "«1» plays" in told and "«--» or «end»" in told


@pytest.mark.parametrize("line", ["see you", "have a nice weekend", "Merci beaucoup !", "Anna", "Sent from my iPhone"])
def test_courtesy_below_is_passed_over_and_not_shown(line: str) -> None:
    result = heard(f"3\n{line}")
    assert (result.effects.played, result.answer.notes) == (("add 1",), ())


@pytest.mark.parametrize("end", ["-- ", "--", "end", "fin", "Sent from my phone"])
def test_what_stands_below_an_end_is_not_read(end: str) -> None:
    assert heard(f"3\n{end}\nnot 3, but 06 12 34 56 78\n").entries != ()


@pytest.mark.parametrize("name", ["Anna", "Best regards", "Cordialement,"])
def test_a_name_ends_no_reading(name: str) -> None:
    """What stands below it may be a second thought, and a postcript often is."""
    assert heard(f"3\n{name}\n").entries != ()
    assert heard(f"3\n{name}\nPS: rather not\n").entries == ()


def test_the_name_of_another_is_no_signature() -> None:
    assert heard("add 2\nBob").entries == ()


def test_nothing_is_rolled_for_a_letter_that_is_asked_about() -> None:
    """What was shown would stand, and the line may say that it was not wanted."""
    result = heard("roll\nunless Bob minds")
    assert (result.entries, result.reveals, result.answer.choices[0]) == ((), False, Choice("roll"))


def test_thanks_do_not_end_the_reading() -> None:
    """People think again under them."""
    assert heard("pass\nthanks\nno wait, not that").entries == ()
    assert heard("spend 1\nmerci\nadd 2").entries != ()


def test_name_that_reads_as_an_order_is_asked_back() -> None:
    """A player called Pass signs."""
    result = heard("add 1\nPass", names=("Anna", "Pass"))
    assert (result.entries, result.answer.choices) == ((), (Choice("add 1"), Choice("pass")))


def test_letter_without_an_order_is_shown() -> None:
    result = heard("Hello Bob,\n\nwhat a game\n")
    assert [said.written for said in result.answer.said] == ["Hello Bob,", "what a game"]
    assert "No order was found" in str(result.answer.notes[0])


@pytest.mark.parametrize(
    "text",
    [
        "3", "3.", "[3]", "option 3", "pass", "Pass", "ajoute 2", "Hi Bob,\n3", "Bonjour,\n\n3\n\nMerci\nAnna",
        "3\nAnna", "3\n-- \nAnna\nnot 4", "spend 1\nadd 2", "spend 1\n1", "Hello\n\nsorry for being late\n\n3\n", "3 sounds good", "opt 3", "je prends le 3", "the third one, please",
        "[1] add 3", "[1] add 3 · the counter to 3", "[3] add 1", "3\n\nSent from my iPhone", "Hallo!\n3\nThanks, Bob!",
    ],
)  # fmt: skip
def test_letters_that_were_meant_as_orders_are_played(text: str) -> None:
    assert heard(text).entries != ()


HIDING = (
    '<div style="display:none">3</div>', '<span style="display: none !important">3</span>', '<p hidden>3</p>',
    '<p hidden="hidden">3</p>', '<b aria-hidden="true">3</b>', "<template>3</template>", "<noscript>3</noscript>",
    '<span style="visibility:hidden">3</span>', '<table><tr><td style="visibility:collapse">3</td></tr></table>',
    '<div style="opacity:0">3</div>', '<i style="opacity: 0.0">3</i>', '<i style="OPACITY:0%">3</i>',
    '<span style="font-size:0">3</span>', '<span style="font-size:0px;line-height:1">3</span>',
    '<span style="font-size:1px">3</span>', '<span style="font:0/0 a">3</span>',
    '<div style="max-height:0;overflow:hidden">3</div>', '<div style="width:0px;overflow:hidden">3</div>',
    '<div style="height:0;overflow: hidden">3</div>',
    '<font color="#ffffff">3</font>', '<font color="white">3</font>', "<font color=#FEFEFE>3</font>",
    '<span style="color:#fff">3</span>', '<span style="color: rgb(255, 255, 255)">3</span>',
    '<span style="color:transparent">3</span>', '<span style="color:rgba(0,0,0,0)">3</span>',
    '<table bgcolor="#003366"><tr><td><font color="#003366">3</font></td></tr></table>',
    '<div style="background:black;color:#000">3</div>', '<div style="color:white"><b>3</b></div>',
    '<p style="mso-hide:all">3</p>', "<s>3</s>", "<del>3</del>",
    '<div style="font-size:0"><p>3</p></div>',
    '<div style="display:none"><div style="display:block"><p style="visibility:visible">3</p></div></div>',
)  # fmt: skip


@pytest.mark.parametrize("html", HIDING)
def test_text_that_cannot_be_seen_is_not_there(html: str) -> None:
    """Neither alone nor beside an order that can."""
    assert heard(f"<html><body>{html}</body></html>", "html").entries == ()
    result = heard(f"<html><body>{html}<p>add 2</p></body></html>", "html")
    assert result.effects.played == ("add 2",)


@pytest.mark.parametrize(
    "html",
    [
        "<p>3</p>", '<p class="hidden">3</p>', '<p style="overflow:hidden">3</p>', '<p aria-hidden="false">3</p>',
        # Style sheets, positions and clips are not read.
        '<style>.x{display:none}</style><p class="x">3</p>', '<p style="text-indent:-9999px">3</p>',
        '<div style="position:absolute;clip:rect(0 0 0 0)">3</div>', '<span style="transform:scale(0)">3</span>',
        '<p title="a hidden style">3</p>', '<div style="font-size:0"><span style="font-size:12pt">3</span></div>',
        '<body bgcolor="#111111" text="#ffffff">3</body>', '<div style="background:#036;color:white">3</div>',
        '<div style="visibility:hidden"><b style="visibility:visible">3</b></div>', '<p style="opacity:.9">3</p>',
        '<font color="#0000ff">3</font>', '<p style="color:inherit;margin-left:-18.0pt">3</p>',
        '<p style="font:12px/0 Arial">3</p>', '<p style="font-size:0.9em;max-height:0">3</p>', "<s>4</s><p>3</p>",
        '<font color="white"><span style="background-color:navy">3</span></font>',
    ],
)  # fmt: skip
def test_text_that_can_be_seen_is_read(html: str) -> None:
    assert heard(html, "html").effects.played == ("add 1",)


PROSE = (
    "Alice", "brother", "house", "garden", "evening", "weather", "coffee", "music", "river", "mountain",
    "window", "letter", "story", "yesterday", "tomorrow", "lovely", "slowly", "together", "never", "not",
    "unless", "maybe", "bonjour", "maison", "jardin", "soleil", "chanson", "demain", "toujours", "jamais",
    "hier", "encore", "really", "quite", "the", "with", "for", "about", "while", "nous", "avec", "sans",
    "pour", "dans",
)  # fmt: skip


TAILS = st.sampled_from(["3", "1", "pass", "passe", "undo", "annuler", "option 2", "2."])


MUCH = st.lists(st.sampled_from(PROSE), min_size=60, max_size=60)


@settings(max_examples=60)
@given(MUCH, TAILS, st.integers(60, 80))
def test_wrapped_prose_never_plays_its_tail(words: list[str], tail: str, width: int) -> None:
    """A sample; the soak wraps more."""
    plays_no_tail(words, tail, width)


@pytest.mark.soak
@settings(max_examples=1000)
@given(MUCH, TAILS, st.integers(60, 80))
def test_much_wrapped_prose_never_plays_its_tail(words: list[str], tail: str, width: int) -> None:
    plays_no_tail(words, tail, width)


def plays_no_tail(words: list[str], tail: str, width: int) -> None:
    """Whatever column a program breaks at: of these sentences, those whose tail comes to stand alone."""
    wrapped = (textwrap.wrap(" ".join([*words[:n], tail]), width, break_on_hyphens=False) for n in range(10, 60))
    alone = [lines for lines in wrapped if lines[-1] == tail]
    assume(alone)
    for lines in alone:
        result = heard("\n".join(lines))
        assert (result.entries, result.effects.taken_back, result.answer.kind) == ((), None, MailKind.REFUSAL)


@settings(max_examples=100)
@given(st.lists(st.sampled_from(PROSE), min_size=12, max_size=60), TAILS, st.integers(60, 80))
def test_wrapped_prose_never_plays_a_word_of_its_middle(words: list[str], order: str, width: int) -> None:
    half = len(words) // 2
    text = " ".join([*words[:half], order, *words[half:]])
    assert heard("\n".join(textwrap.wrap(text, width, break_on_hyphens=False))).entries == ()


@pytest.mark.parametrize(
    "line",
    [
        "spend 1 then add 2", "spend 1; add 2", "spend 1, then add 2!",
        "I spend 1 and then I add 2, please", "spend 1 puis ajoute 2", "- spend 1. Then add 2.", "First spend 1, then add 2",
        "spend 1 et ensuite ajoute 2, merci",
    ],
)  # fmt: skip
def test_two_orders_on_one_line_are_taken_apart(line: str) -> None:
    """Only where the whole is no order and each part is one."""
    result = heard(line)
    assert result.effects.played == ("spend 1", "add 2")
    assert [said.written for said in result.answer.said] == [line, ""]


@pytest.mark.parametrize("word", ["then", "Puis", "- ensuite", "Then,"])
def test_word_that_leads_on_stands_under_an_order_alone(word: str) -> None:
    """First in a letter it may be the rest of something."""
    assert heard(f"spend 1\n{word} add 2").effects.played == ("spend 1", "add 2")
    assert heard(f"{word} add 2").entries == ()


@pytest.mark.parametrize("line", ["roll, add 2", "spend 1, add 2", "spend 1. Add 2."])
def test_orders_that_nothing_parts_plainly_are_asked_about(line: str) -> None:
    """A comma or «and» may as well be the middle of one order."""
    result = heard(line)
    assert (result.entries, result.answer.kind) == ((), MailKind.REFUSAL)
    assert result.answer.choices or result.answer.repairs


@pytest.mark.parametrize(
    "line",
    [
        "spend 1 then fly", "roll then fly to the moon", "add 2 or pass", "add 2, not 3", "spend 1, add", "spend 1 if add 2",
        "roll, then if it is good add 2", "add 1 add 2", "spend 1, 3", "add 2 and say hello", "pass, add 2",
    ],
)  # fmt: skip
def test_line_that_is_no_two_orders_plays_nothing(line: str) -> None:
    """Nothing is rolled for the part that reads."""
    result = heard(line)
    assert (result.entries, result.effects.talk, result.reveals) == ((), (), False)


def test_orders_of_one_line_are_told_once(room: Room) -> None:
    """As it was written; word for word again, it has been played."""
    turn = room.last("anna")
    sent = room.sent_by("anna", "spend 1, then add 2")
    assert sent[0].text.count("> spend 1, then add 2") == 1
    room.send("anna", "Spend 1, then add 2", to=turn)
    assert "Already played" in room.last("anna").text


def test_line_that_a_program_broke_is_put_together(room: Room) -> None:
    """An option pasted with what it would do, of which no half is an order."""
    sent = room.sent_by("anna", "[2] add 2 · the\ncounter to 2")
    assert room.state().counter == 2
    assert "> [2] add 2 · the counter to 2" in sent[0].text


@pytest.mark.parametrize("line", ["3\n[3] add 1", "3\n[3] add 1 · the counter to 1", "1. spend 1\n2. add 1", "1) add 1", "• add 1"])
def test_lists_and_options_as_mails_and_people_write_them(line: str) -> None:
    assert heard(line).effects.played[-1] == "add 1"


@pytest.mark.parametrize("line", ["Here is my move:", "OK, please", "Mon coup :", "Voici mon ordre"])
def test_line_of_courtesy_alone_is_passed_over(line: str) -> None:
    result = heard(f"{line}\nadd 2")
    assert (result.effects.played, [str(note) for note in result.answer.notes]) == (("add 2",), [])


def test_talk_at_the_end_of_a_sentence_is_asked_back() -> None:
    """It would go to all."""
    result = heard("If Bob were here I would never dare to\nsay what I think of him")
    assert (result.effects.talk, result.answer.choices[0]) == ((), Choice("say what I think of him"))


@pytest.mark.parametrize(
    "line",
    [
        "add 2. Scrap that.", "add 2. Psych!", "add 2. C'est faux.", "add 2. Sleep on it.", "add 2. That was Bob's line.",
        "add 2, sorry, wrong game", "add 2, pardon, erreur", "add 2. Nah.",
    ],
)  # fmt: skip
def test_what_is_said_at_once_behind_an_order_may_be_of_it(line: str) -> None:
    """Only thanks, wishes, praise and apologies are passed over inside one line."""
    assert heard(line).entries == ()


@pytest.mark.parametrize("line", ["add 2, sorry I'm late!", "add 2. Great game, guys!", "add 2 - merci beaucoup"])
def test_a_wish_behind_an_order_is_passed_over(line: str) -> None:
    assert heard(line).effects.played[-1] == "add 2"
