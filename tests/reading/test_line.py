"""The one reader of lines: what is taken off, and what never is."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest

from engine.game import games
from engine.kit.words import fold_text
from pbem.desk import commands
from pbem.reading import courtesy
from pbem.reading.courtesy import AFTER, BEFORE, BEFORE_NUMBER, is_advert
from pbem.reading.line_parser import parse_further_line, parse_line, talk_text
from pbem.reading.normalize import folded_line

NAMES = ("Anna", "Bob")


@pytest.mark.parametrize(
    "line",
    [
        "3", "3.", "3 !", "[3]", "(3)", "#3", "n° 3", "N°3", "nº 3", "No. 3", "option 3", "Option 3.", "number three", "three",
        "the third one", "the 3rd option, please", "le 3", "le troisième", "La 3ème", "je prends le 3", "Je prends la 3, merci",
        "I'll take 3", "I’ll take the third one please", "3, thanks Bob!", "Hi Bob, 3", "Salut, le 3 s'il te plaît", "3️⃣",
        "３", "③", "➌", "**3**", "«3»", "“3”", "- 3", "-> 3", "👍 3", "3 🙂", "3 :-)", "l'option 3", "choix n°3", "3 svp",
        "third", "3 for me", "Ok, option 3", "3 is my choice", "va pour le 3", "3 alors",
        "take 3", "take the third one", "prends le 3", "Hi all, 3", "Hi Bob 3", "Thank you, 3", "№ 3", "option③", "4\u0336 3",
    ],
)  # fmt: skip
def test_line_with_one_number_and_courtesy_is_that_number(line: str) -> None:
    one = parse_line(line, NAMES)
    assert (one.number, one.is_number) == (3, True)


@pytest.mark.parametrize(
    "line",
    [
        "no 3", "No, 3", "not 3", "3?", "3 or 4", "3, 4", "3 👎", "3 ❌", "maybe 3", "I would take 3", "-3", "3 of us", "the one",
        "3 if Bob agrees", "3 dice", "not the third one", "if 3", "ne prends pas le 3", "l'une", "3000", "Y3", "3 minutes",
        "take three", "take 3 deniers", "make it 3",
        # It counts something, or is struck out.
        "Hi you two", "Thank you two", "See you on the 3rd", "see you the 2nd", "OK, you first", "We three", "ok all three",
        "OK, a second", "Salut vous deux", "Merci à vous deux", "On the third", "Bon, encore deux",
        "3 ✗", "✘ 3", "3 🛑", "🤷 3", "3\u0336", "3\u20e5", "①②", "➊ ➋",
    ],
)  # fmt: skip
def test_line_with_more_is_no_number(line: str) -> None:
    """A question, a doubt, or anything that is no courtesy."""
    assert not parse_line(line, NAMES).is_number


@pytest.mark.parametrize(
    "line",
    [
        "build with W2", "Build with W2!", "- build with W2", "• build with W2", "* build with W2", "*build with W2*",
        "**build with W2**", "«build with W2»", "« build with W2 »", '"build with W2".', "“build with W2”", "`build with W2`",
        "I build with W2", "I'd like to build with W2, please", "Please build with W2. Thanks, Bob!", "we build with W2 now",
        "OK so build with W2 for me", "build with W2 · 1 VP, +1 influence", "My move: build with W2 😀", "→ build with W2",
        "Bonjour, je voudrais build with W2 s’il vous plaît", "play «build with W2» please", "j'build with W2",
    ],
)  # fmt: skip
def test_marks_and_courtesy_are_taken_off_an_order(line: str) -> None:
    assert parse_line(line, NAMES).text.lower() == "build with w2"


@pytest.mark.parametrize(
    "line",
    [
        "don't build with W2", "I would build with W2", "I built with W2", "build with W2?", "if I build with W2", "build with W2, if",
        "build with W2 or pass", "Faye builds with W2", "I could build with W2", "build with W2 not", "(build with W2)",
    ],
)  # fmt: skip
def test_nothing_that_changes_a_meaning_is_taken_off(line: str) -> None:
    assert parse_line(line, NAMES).text.lower() != "build with w2"


@pytest.mark.parametrize(
    ("line", "number", "text", "sure", "counts"),
    [
        ("[3] build with W2 · 1 VP", 3, "build with W2", True, False),
        ("[3]build with W2", 3, "build with W2", True, False),
        ("3. build with W2", 3, "build with W2", False, True),
        ("3) I build with W2, please", 3, "build with W2", False, True),
        ("option 3: build with W2", 3, "build with W2", False, False),
        ("3 - build with W2", 3, "build with W2", False, False),
        ("3 build with W2", 3, "build with W2", False, False),
        ("4 up", 4, "up", False, False),
    ],
)
def test_number_beside_words(line: str, number: int, text: str, sure: bool, counts: bool) -> None:
    one = parse_line(line)
    assert (one.number, one.text, one.sure, one.counts) == (number, text, sure, counts)


@pytest.mark.parametrize("line", ["Here is my move:", "Here is my choice", "it is", "Voici mon coup", "That is my answer"])
def test_nothing_is_cut_out_of_a_sentence(line: str) -> None:
    """«Here» alone would be near the name of an event."""
    assert len(parse_line(line).text.split()) == len(line.split())


def test_what_leads_on_is_no_word_of_ours() -> None:
    """«ensuite: passer» is a standing order, also beneath another order; «ensuite passer» only goes on."""
    under = [parse_further_line(parse_line(line)).whole for line in ("ensuite: passer", "ensuite : passer", "ensuite passer", "then build with W2")]
    assert under == ["ensuite: passer", "ensuite : passer", "passer", "build with W2"]


def test_what_a_list_counts_is_read_by_itself() -> None:
    assert parse_line("1) settle bishopric 1.1").item == "settle bishopric 1.1"
    assert parse_line("2. option 3").item == "option 3"


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("- say Thanks, all!", "say Thanks, all!"), ("Please say «Merci !» 👍", "say «Merci !» 👍"), ("«say hello»", "say hello"),
        ("say please", "say please"), ("Ok, tell Bob: thanks!", "tell Bob: thanks!"),
    ],
)  # fmt: skip
def test_talk_is_kept_as_it_was_written(raw: str, said: str) -> None:
    assert said == talk_text(raw)
    assert commands.command_line(parse_line(raw)).startswith(said[:4])


@pytest.mark.parametrize("line", ["Undo.", "undo!", "Please undo", "« undo »", "UNDO, thanks", "- undo", "je annuler svp", "1. undo"])
def test_commands_may_be_dressed(line: str) -> None:
    assert commands.parse_command(commands.command_line(parse_line(line))) == commands.parse_command("undo")


@pytest.mark.parametrize(("line", "command"), [("help?", "help"), ("status ?", "status"), ("Help!", "help"), ("card merchant, please", "card merchant")])
def test_questions_may_end_as_questions(line: str, command: str) -> None:
    assert commands.command_line(parse_line(line)).lower() == command


@pytest.mark.parametrize("kind", sorted(games()))
def test_no_phrase_begins_an_order(kind: str) -> None:
    """What is taken off before an order must not be its verb, nor a command: then another would be read."""
    verbs = {fold_text(verb) for verb in games()[kind].reference.verbs()} | commands.command_words()
    assert [phrase for phrase in sorted(BEFORE.all) if fold_text(phrase.split()[0]) in verbs and phrase in verbs] == []
    assert [phrase for phrase in sorted(AFTER.all | BEFORE_NUMBER.all) if phrase in verbs] == []


def test_phrases_hold_no_denial() -> None:
    """What turns an order into its opposite must not be passed over as courtesy."""
    polite = BEFORE.all | AFTER.all
    assert [phrase for phrase in sorted(polite) if courtesy.denies(phrase)] == []


def test_table_is_folded() -> None:
    """Words are compared without case and accents; a phrase that has either would never be found."""
    table = tomllib.loads((files("pbem.reading") / "courtesy.toml").read_text(encoding="utf-8"))
    rows = [*(phrase for value in table.values() if isinstance(value, list) for phrase in value)]
    rows += [start for starts in table["adverts"].values() for start in starts]
    assert [phrase for phrase in rows if phrase != fold_text(phrase)] == []


def test_adverts_are_known_in_nine_languages() -> None:
    table = tomllib.loads((files("pbem.reading") / "courtesy.toml").read_text(encoding="utf-8"))
    assert len(table["adverts"].keys() - {"ends"}) == 9
    assert [text for text in ("3", "build with w2", "send me the rules", "envoyer", "pass") if is_advert(text)] == []


@pytest.mark.parametrize("line", ["Hi, add 3", "everyone", "hello world", "Thanks!"])
def test_what_says_more_than_a_greeting_is_none(line: str) -> None:
    assert courtesy.is_greeting("Hi Bob, hello everyone", NAMES)
    assert not courtesy.is_greeting(line, NAMES)


@pytest.mark.parametrize("line", ["Thanks!", "merci", "À bientôt, Anna", "Bob", "Best wishes from"])
def test_a_closing_is_whole(line: str) -> None:
    assert (line != "Best wishes from") == courtesy.is_closing(line, NAMES)


@pytest.mark.parametrize("line", ["Alors Bob passe", "Donc, tout le monde passe", "so all pass", "OK you pass", "Bien, Anna passe", "OK Bob, passe", "Alors, Bob: passe", "Bob, pass"])
def test_who_does_something_is_not_taken_off(line: str) -> None:
    """It tells what others do, and would read as the writer's own order."""
    assert parse_line(line, NAMES).text.lower() not in ("pass", "passe")


@pytest.mark.parametrize("line", ["Salut Bob passe", "Thanks everybody pass"])
def test_who_is_greeted_is_taken_off(line: str) -> None:
    assert parse_line(line, NAMES).text in ("pass", "passe")


@pytest.mark.parametrize("does", ["1 VP", "only if Bob agrees", "1 VP. No wait, pass", "1 PV, mais pas avant Bob"])
def test_what_stands_behind_a_pasted_option_is_told_apart(does: str) -> None:
    """Whether it is what our mail says is for whoever knows that mail."""
    one = parse_line(f"[3] build with W2 · {does}")
    assert (one.text, one.does) == ("build with W2", does)


SENT = (
    "Sent by mistake", "Sent by accident, sorry", "This message has been sent too early", "Message envoyé par erreur",
    "Envoyé par mégarde", "Message envoyé trop vite",
)  # fmt: skip
"""What takes a letter back."""


@pytest.mark.parametrize("line", ["Please excuse my late answer.", *SENT])
def test_what_a_person_says_of_a_letter_is_no_advert(line: str) -> None:
    """What stands below an advert is not read; these are words of the letter itself."""
    assert not is_advert(folded_line(line))


@pytest.mark.parametrize(
    ("line", "number"),
    [("the first one", 1), ("the second one, please", 2), ("the third", 3), ("le deuxième", 2), ("le troisième stp", 3), ("the fourth one", 4)],
)
def test_a_number_in_words_is_that_number(line: str, number: int) -> None:
    assert parse_line(line).number == number
