"""What people ask and tell besides orders is read, or mended by one number; talk changes nothing."""

from __future__ import annotations

import pytest

from .asked import LANGUAGES, Deed, Listener, Said, rates, sayings

MENDED = 0.85
"""The share that is asked: read at the first try, or mended by one number."""


def _share(found: list[Said], language: str) -> float:
    return rates(found)[f"asked, {language}, first try or one number"].share


def test_a_sample_of_what_people_ask_is_answered_or_asked_back() -> None:
    """Every fifth wording of each mail, and of the talk beside it."""
    found = list(sayings(5))
    assert [(one.written, one.deed) for one in found if one.wrong] == []
    assert len(found) >= 120
    assert all(_share(found, language) >= MENDED for language in LANGUAGES)


@pytest.mark.soak
def test_what_people_ask_is_answered_or_asked_back() -> None:
    """Each language by itself; nothing is done or answered that was not meant, and no trap does anything."""
    found = list(sayings())
    assert [(one.written, one.deed) for one in found if one.wrong] == []
    assert all(_share(found, language) >= MENDED for language in LANGUAGES)


@pytest.fixture(scope="module")
def listener(tmp_path_factory: pytest.TempPathFactory) -> Listener:
    """Somebody's turn in French."""
    return Listener(tmp_path_factory.mktemp("asked"), "troyes: a turn with eight deniers", (), "fr")


def test_what_is_set_is_not_kept(listener: Listener) -> None:
    """Every letter is the first answer to its mail: neither the table nor the person is changed by the one before."""
    people, game = listener.hall.people, listener.hall.table
    before = listener.hall.stored(game), people.holder(game, listener.seat)  # type: ignore[arg-type]
    for line in ("language en", "mail short", "zone Europe/Berlin", "away 24 dec to 30 dec", "quiet 21-8", "vote hold"):
        assert listener.hear(line).did
    assert (listener.hall.stored(game), people.holder(game, listener.seat)) == before  # type: ignore[arg-type]


def test_the_judge_can_tell(listener: Listener) -> None:
    """The same is right; another setting, another question and nothing at all are not."""
    short = listener.hear("mail short")
    assert listener.hear("courriel short").same == short.same
    assert listener.hear("mail full").same != short.same
    assert listener.hear("status").same != listener.hear("help").same
    assert listener.hear("blabla").same == Deed().same
    assert Said("", "fr", "", short).wrong
    assert not Said("", "fr", "", short, right=True).wrong
    assert not Said("", "fr", "", Deed(choices=("mail short",))).wrong


@pytest.mark.parametrize(
    ("written", "choice"),
    [
        ("je préfère des mails courts", "courriel court"), ("Bonjour,\n\nmoins de mails svp.\n\nAnna", "courriel mon-tour"),
        ("laissez-moi dormir, pas de mails entre 22h et 8h", "silence entre 22h et 8h"),
        ("Nous serons absents du 3 au 10 décembre", "congé du 3 au 10 décembre"), ("je m'absente", "aide congé"),
        ("je quitte la partie", "démissionner"), ("oups annule stp", "annuler"),
        ("annule mon dernier coup", "annuler"), ("à tous : bonne partie !", "dire tous: bonne partie !"),
        ("un mot à Faye : bravo", "chuchoter faye: bravo"), ("Faye : on joue contre lui", "chuchoter faye: on joue contre lui"),
        ("note : 20/20 pour Faye", "noter privé: 20/20 pour Faye"), ("un petit conseil ?", "conseil"),
    ],
)  # fmt: skip
def test_what_changes_something_needs_its_word_or_a_number(listener: Listener, written: str, choice: str) -> None:
    """It is the first choice, and done by that number; a hint, too, since the table is told of it."""
    deed = listener.hear(written)
    assert not (deed.did or deed.answered)
    assert choice == deed.choices[0]
    assert listener.hear(choice).did or listener.hear(choice).answered or listener.hear(choice).why


@pytest.mark.parametrize(
    ("written", "command"),
    [
        ("Où en est-on ?", "statut"), ("Pourriez-vous me dire qui joue, svp ?", "statut"), ("artisan ?", "aide artisan"),
        ("que fait l'artisan exactement ?", "aide artisan"), ("que puis-je faire avec mon R6 ?", "possibilités R6"),
        ("les 20 derniers coups", "historique 20"), ("et si je construisais avec B2 ?", "essai construire avec B2"),
    ],
)  # fmt: skip
def test_a_synonym_of_a_question_is_answered(listener: Listener, written: str, command: str) -> None:
    assert listener.hear(written).answered == listener.hear(command).answered != ()


@pytest.mark.parametrize("written", ["que fait l'artisan de Faye ce soir ?", "qui joue au Scrabble ?", "what a card!"])
def test_more_than_a_synonym_is_not_answered(listener: Listener, written: str) -> None:
    assert not listener.hear(written).answered


def test_beside_an_order_nothing_is_wished(listener: Listener) -> None:
    """A letter that may play is no letter of wishes."""
    both = listener.hear("construire avec B2\nje préfère des mails courts")
    assert not both.did and both.choices[0] == "construire avec B2"


@pytest.mark.parametrize(
    "written",
    [
        "dis à faye en privé : bravo", "chuchoter faye, à elle seule : bravo", "tell Faye, in private: bravo",
        "Peux-tu glisser à Faye, seulement à elle : bravo", "souffle à Faye (à elle seule) : bravo",
    ],
)  # fmt: skip
def test_that_it_is_for_nobody_else_is_no_part_of_what_is_told(listener: Listener, written: str) -> None:
    deed = listener.hear(written)
    assert deed.did in ((), listener.hear("tell faye: bravo").did)
    assert deed.did or listener.hear(deed.choices[0]).did == listener.hear("tell faye: bravo").did


def test_a_receipt_names_what_was_set(listener: Listener) -> None:
    """The command with its value, in the reader's language."""
    for written in ("mail daily 20", "courriel quotidien 20"):
        assert listener.hear(written).did
        assert listener.desk.result is not None
        assert listener.desk.result.answer is not None
        assert [one.understood for one in listener.desk.result.answer.said] == ["courriel quotidien 20"]
