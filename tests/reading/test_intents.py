"""What sentences are likest to want, by the table that was learnt; and that it can be learnt again."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest

from pbem.desk import commands
from pbem.reading import haste, intents
from pbem.reading.wants import Sentence
from tests import learn_wishes
from tests.learn_wishes import Example, Lesson

_OF_GAMES = ("{}", "cancel {}", intents.ORDER, intents.TALK)


def _likeliest(said: str) -> str:
    sentence = Sentence.of(said)
    words = intents.marked(sentence, learn_wishes.PEOPLE, frozenset({"gargoyle"}), frozenset({"paris"}))
    return intents.likeliest(words, sentence.raw)[0].intent


@pytest.mark.parametrize(
    ("said", "intent"),
    [
        ("Oops, I pressed the wrong one, I want my move back.", "undo"),
        ("jveux annuler mon coup, jme suis plante", "undo"),
        ("c koi le gargoyle", "help {}"),
        ("secoue moi si jai tjrs pas joue au bout de 6 heures", "remind {}"),
        ("Je m'en vais pour de bon, retirez-moi de la partie.", "resign"),
        ("Who is everybody waiting for?", "status"),
        ("jsais pas koi jouer tu me conseilles koi", "hint"),
        ("Il fait beau aujourd'hui, merci à tous.", intents.TALK),
        ("Je construis avec mon B4", intents.ORDER),
    ],
)
def test_the_likeliest_is_what_is_meant(said: str, intent: str) -> None:
    assert _likeliest(said) == intent


def test_shares_are_of_one() -> None:
    """And nothing is likelier because it is said twice as long."""
    found = intents.likeliest(["zzz"], "zzz")
    assert sum(one.share for one in found) == pytest.approx(1)
    assert [one.share for one in found] == sorted((one.share for one in found), reverse=True)


def test_every_intent_is_a_command() -> None:
    """That there is, or something of the games, and has sentences in both languages to learn from."""
    names = intents.likeliest([], "")
    written = tomllib.loads((learn_wishes.SHEETS / "wished.toml").read_text(encoding="utf-8"))
    for one in names:
        assert one.intent in _OF_GAMES or one.intent.split()[0] in commands.words()
        assert one.intent == intents.ORDER or {*written[one.intent]} == {"fr", "en"}


def test_what_is_a_name_is_told_by_who_asks() -> None:
    sentence = Sentence.of("Anna, que fait le gargoyle avec J5 à Paris le 3 mars à 20h ?")
    words = intents.marked(sentence, {"anna"}, {"gargoyle"}, {"paris"})
    assert [word for word in words if word[0] == "#"] == [
        intents.WHO, intents.NAME, intents.DIE, intents.TOWN, intents.NUMBER, intents.DAY, intents.TIME,
    ]  # fmt: skip
    assert intents.speaking(words, "help {}") <= frozenset(range(len(words)))
    assert not any(words[at][0] == "#" for at in intents.speaking(words, "help {}"))


def test_the_same_is_learnt_again() -> None:
    """From the same sentences the same weights, and these tell them apart."""
    rows = ("undo that", "undo it"), ("whose turn is this", "whose turn now")
    examples = [Example("", "en", said, (what,)) for what, some in zip(("undo", "status"), rows, strict=True) for said in some]
    lesson = Lesson(examples)
    weights, bias = lesson.fitted(range(4))
    again, _ = Lesson(examples).fitted(range(4))
    assert np.array_equal(weights, again)
    found = (lesson.laid @ weights + bias).argmax(1)
    assert [lesson.intents[at] for at in found] == ["undo", "undo", "status", "status"]


def test_what_is_held_out_is_not_learnt() -> None:
    assert learn_wishes.UNTOUCHED.isdisjoint(one.sheet for one in learn_wishes.wishes())


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("jveux J5", "je veux J5"),
        ("Chuis pas là, jai rien joué", "Je suis pas là, j'ai rien joué"),
        ("cest koi", "c'est quoi"),
        ("j peux", "je peux"),
        ("j'ai joué, le jaune", "j'ai joué, le jaune"),
        ("G3 et jr", "G3 et jr"),
    ],
)
def test_what_is_written_in_haste_is_put_into_words(written: str, meant: str) -> None:
    """In whatever line; what may be a word of orders stays there."""
    assert haste.spelt(written) == meant


def test_in_a_sentence_more_is_haste() -> None:
    assert haste.spelt("g raté koi ke tu dis", sentence=True) == "ai raté quoi que tu dis"
    assert haste.spelt("g 3") == "g 3"
