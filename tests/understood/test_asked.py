"""What people ask and tell besides orders is read, or mended by one number; talk changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from .asked import LANGUAGES, SHEETS, TALK, TRAP, UNMENDED, Deed, Listener, Said, rates, sayings

MENDED = 0.85
"""The share that is asked: read at the first try, or mended by one number."""


def _wrong(found: list[Said]) -> list[tuple[str, Deed]]:
    return [(one.written, one.deed) for one in found if one.wrong]


def test_a_sample_of_what_people_ask_is_read() -> None:
    """Every fifth wording of each mail."""
    found = [one for sheet in SHEETS for one in sayings(sheet, sample=5)]
    assert _wrong(found) == []
    meant = [one for one in found if one.language != TRAP]
    assert len(meant) >= 25
    assert sum(one.right or one.mended for one in meant) / len(meant) >= MENDED


@pytest.mark.soak
@pytest.mark.parametrize("sheet", [*SHEETS, *UNMENDED])
def test_what_people_ask_is_read(sheet: str) -> None:
    """Each language by itself; nothing is done or answered that was not meant, and no trap does anything."""
    found = list(sayings(sheet))
    assert _wrong(found) == []
    for language in LANGUAGES:
        share = rates(found)[f"asked, {language}, first try or one number"].share
        assert share >= UNMENDED.get(sheet, MENDED), language


def test_talk_changes_nothing() -> None:
    """That is like settings and wishes: nothing is done, nothing answered, however likely its words are to mean one."""
    found = list(sayings(TALK))
    assert len(found) >= 60
    assert _wrong(found) == []
    assert not any(one.deed.did for one in found)


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
    ("written", "did"),
    [
        ("je préfère des mails courts", True),
        ("Bonjour,\n\nje préfère des mails courts.\n\nMerci !\nAnna", True),
        ("je ne préfère pas des mails courts", False),
        ("Faye préfère des mails courts", False),
        ("si les mails étaient courts je les lirais", False),
        ("avant j'avais des mails courts", False),
        ("Bonnes vacances du 3 au 10 décembre !", False),
        ("Le facteur est en congé du 3 au 10 décembre", False),
        ("Silence de 22h à 7h chez les moines", False),
        ("En français, on dit dîme", False),
        ("Silence de 22h à 7h", True),
        ("à tous : bonne partie !", True),
        ("je préfère des mails courts et salés comme ma grand-mère", False),
        ("je préfère des mails courts\nj'ai mangé des frites", False),
    ],
)
def test_only_a_whole_wish_is_done(listener: Listener, written: str, did: bool) -> None:
    """Denied, somebody else's, perhaps, over, with more around it: not done."""
    assert bool(listener.hear(written).did) is did


def test_beside_an_order_nothing_is_wished(listener: Listener) -> None:
    """A letter that may play is no letter of wishes."""
    both = listener.hear("construire avec B2\nje préfère des mails courts")
    assert not both.did and both.choices[0] == "construire avec B2"


@pytest.mark.parametrize(
    ("written", "choices"),
    [
        ("remets les mails complets, le format court j'y comprends rien", ["courriel complet"]),
        ("à lundi : je pars", ["congé lundi"]),
        ("note : 20/20 pour Faye", ["noter privé: 20/20 pour Faye"]),
        ("oups annule stp", ["annuler"]),
        ("Pour mon prochain tour : cultiver J4, sinon passer", ["ensuite: cultiver J4 | auto: passer"]),
        ("merci, quelle belle soirée", []),
        ("peut-être que je tenterai autre chose plus tard", []),
    ],
)
def test_what_only_a_part_says_is_asked_back(listener: Listener, written: str, choices: list[str]) -> None:
    """A wish that a part of the sentence holds, a farewell, a mark, a lone verb; what is only told is not asked about."""
    deed = listener.hear(written)
    assert not (deed.did or deed.answered)
    assert list(deed.choices[:1]) == choices
    assert all(listener.hear(one).did or listener.hear(one).why for one in choices)


@pytest.mark.parametrize(
    "written",
    [
        "dis à faye en privé : bravo", "chuchoter faye, à elle seule : bravo", "tell Faye, in private: bravo",
        "Peux-tu glisser à Faye, seulement à elle : bravo", "souffle à Faye (à elle seule) : bravo",
    ],
)  # fmt: skip
def test_that_it_is_for_nobody_else_is_no_part_of_what_is_told(listener: Listener, written: str) -> None:
    assert listener.hear(written).did == listener.hear("tell faye: bravo").did


def test_of_several_plans_one_is_asked_for(tmp_path: Path) -> None:
    """«The plan» of several may be any; the numbers name each kind, then all."""
    before = ("auto: passer quand je n'ai plus de dé", "auto: contrer")
    several = Listener(tmp_path, "troyes: a turn with eight deniers", before, "fr")
    deed = several.hear("oublie le plan")
    assert not deed.did
    assert deed.choices[:3] == ("révoquer contrer", "révoquer passer", "révoquer")
    assert len({several.hear(one).did for one in deed.choices[:3]}) == 3


def test_a_receipt_names_what_was_set(listener: Listener) -> None:
    """The command with its value, in the reader's language."""
    for written in ("mail daily 20", "courriel quotidien 20", "un seul mail par jour, à 20 heures"):
        assert listener.hear(written).did
        assert listener.desk.result is not None
        assert listener.desk.result.answer is not None
        assert [one.understood for one in listener.desk.result.answer.said] == ["courriel quotidien 20"]
