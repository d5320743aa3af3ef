"""French mails of whole games beside their English twins: no English word is left in them, and no line is much longer.

Both twins are the same game: everybody answers with the same numbers. Three games of each kind are soak; the sample is
one short game of each.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from pathlib import Path

import pytest

from pbem.admin.tables.opening import Invited, Opening, open_table
from tests.clocks.table import Clocked
from tests.tools import language
from tests.whole.room import NAMES, Hall

KINDS: dict[str, tuple[str, int, dict[str, str], int]] = {
    "base": ("troyes", 2, {"bonus": "yes"}, 14),
    "ladies": ("troyes", 2, {"ladies": "all"}, 14),
    "solo": ("troyes", 1, {"solo": "yes"}, 12),
    "dice": ("troyes-dice", 2, {"expansion": "yes"}, 12),
}
"""Kind of game to the game, its players and options, and after how many letters the sample ends."""

WORD = re.compile(r"[^\W\d_]{3,}")
TYPED = frozenset(["solo", "yes", "bonus", "ladies", "all", "expansion", "heron", "poplar", "walnut"])
"""Options as hosts type them."""
MARK = "——"
"""Begins the line above which one answers; it is in both languages, since mail programs quote it anywhere."""

SPOKEN = {"anna": "en", "faye": "fr", "geoffrey": "fr"}
"""The languages at the table of the golden games."""
REFUSED = re.compile("Not played|Not done|Pas joué|Pas fait")
CHOICE = re.compile(r"^\[\d+\] (.*?)(?: · .*)?$", re.MULTILINE)


@cache
def english() -> frozenset[str]:
    """Words of English sentences that stand in no French one."""
    rows = language.read(language.LOCALE / "fr" / "LC_MESSAGES" / "pbem.po")
    said = {word for row in rows.values() for text in row.said for word in words(text)}
    meant = {word for key in rows for text in key[1:] for word in words(text)}
    people = {word for name in NAMES for word in words(name)}
    return frozenset(meant - said - people - TYPED)


def words(text: str) -> set[str]:
    """The words of a sentence, without the names of what is filled in."""
    return {word.lower() for word in WORD.findall(language.FIELDS.sub(" ", text))}


def strangers(text: str) -> set[str]:
    """English words in a French mail."""
    lines = (line for line in text.splitlines() if not line.startswith(MARK))
    return {word for line in lines for word in words(line)} & english()


def played(folder: Path, kind: str, spoken: str, seed: int, most: int) -> list[tuple[str, str]]:
    """Subject and body of every mail of a game that answers drawn from the best three play."""
    game, players, options, _ = KINDS[kind]
    hall, dice = Hall(folder, game), random.Random(seed)
    hall.seat_all(players, seed=bytes([seed]) * 32, options=options, languages=(spoken,) * players)
    for _ in range(most):
        seat = next((one.seat for one in hall.rules.waiting(hall.position()) if not one.answered), None)
        if seat is None:
            break
        hall.send(seat, str(dice.choice((1, 1, 1, 2, 3))))
    return [(str(got.message["Subject"]), got.text) for got in hall.mails()]


def longer(french: str, english: str) -> Iterator[str]:
    """The lines of one mail that are more than half longer than those of its twin, a few letters aside."""
    both = zip(french.splitlines(), english.splitlines(), strict=True)
    return (one for one, other in both if len(one) > max(1.5 * len(other), len(other) + SHORT))


SHORT = 25
"""So much longer a line may always be: headings, and what counts something that French needs an article for."""


def check(folder: Path, kind: str, seed: int, most: int) -> None:
    """Both laws over one game."""
    french, twin = (played(folder / spoken, kind, spoken, seed, most) for spoken in ("fr", "en"))
    assert len(french) == len(twin) > 3
    for (subject, body), (_, other) in zip(french, twin, strict=True):
        assert set() == strangers(f"{subject}\n{body}"), body
        assert [] == list(longer(body, other))


@pytest.mark.parametrize("kind", KINDS)
def test_no_english_word_and_no_long_line_is_in_french_mails(kind: str, tmp_path: Path) -> None:
    check(tmp_path, kind, 1, KINDS[kind][3])


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
def test_soak_of_whole_games_in_french(kind: str, seed: int, tmp_path: Path) -> None:
    check(tmp_path, kind, seed, 400)


def test_a_sentence_without_french_and_a_long_line_are_found() -> None:
    """What the program says in English stands out, whatever is filled in; quotes of both languages do not."""
    assert {"wait"} <= strangers("On attend Anna.\nWe wait for Anna.")
    assert set() == strangers("—— answer above this line / répondez au-dessus de cette ligne ——\nOn attend Anna.")
    assert ["x" * 61] == list(longer("x" * 61 + "\ny", "x" * 30 + "\ny"))


ASKED = (
    "aide", "aide dire", "aide courriel", "aide congé", "aide cultiver", "aide activer", "aide contrer", "aide ensuite",
    "aide palais", "aide cathédrale", "aide numérotation", "statut", "possibilités", "possibilités tout", "historique", "plateau",
    "parties", "succès", "notes", "conseil", "carte marchnd", "carte cathédrl", "aide bidule", "précision A900",
    "essai passer", "essai 1", "dire Faye, bonjour", "dire", "chuchoter personne: oui", "chuchoter faye: oui", "noter ceci",
    "vote non", "vote suspendre", "congé hier", "congé fini", "rappel 100h", "silence beaucoup", "courriel complet", "fuseau Lune",
    "langue klingon", "adresse rien", "annuler", "retour", "aidez moi", "statu", "diree bonjour", "9", "99", "passer utilement",
    "cultiver J9", "cultiver J1 J1", "cultiver R1", "activer marchand avec J6", "activer marchand", "construire", "construire avec B6",
    "combattre", "combattre guerre avec R6", "placer R6 de palais 9", "placer R6", "relancer J9", "retourner J9", "recruter 99",
    "installer palais 9", "installer mairie", "installer", "auto: passer", "auto: placer palais 9", "auto: réagir IV toujours",
    "ensuite:", "ensuite: passer", "ensuite: cultiver J9", "révoquer", "révoquer tout", "révoquer ensuite", "soutenir guerre",
    "cultiver J6 utilisant prêtre", "cultiver J6 utilisant I", "construire avec B6 utilisant sculpteur", "contrer 6 avec R6",
    "cible guerre", "garde J6", "réagir I", "donner réserve", "défausser herboriste", "libérer anna", "utiliser III",
    "rouge 9: cathédrale", "rouge 6 comme blanc 5: cathédrale", "rouge 1: palais-des-comtes 9", "bonus jaune", "numérotation 4",
    "ensuite: blanc 5: cathédrale | savoir 4+ max 2", "auto: deniers | ressources, chaque jour", "auto: bonus hôtel-de-ville 9",
)  # fmt: skip
"""Letters of a French player: questions, settings, standing orders, and slips of every kind."""


@pytest.mark.parametrize("kind", KINDS)
def test_no_english_word_is_in_french_answers(kind: str, tmp_path: Path) -> None:
    """To questions, settings, standing orders and what is refused, with what is proposed instead."""
    game, players, options, _ = KINDS[kind]
    hall = Hall(tmp_path, game)
    hall.seat_all(players, options=options, languages=("fr",) * players)
    left = {}
    for at, text in enumerate(ASKED):
        seat = hall.asked()
        assert seat is not None
        hall.time += timedelta(minutes=11)
        hall.send(seat, text)
        told = hall.last(seat)
        # Their own lines, and what a word is called in the other language.
        body = "\n".join(line for line in told.text.splitlines() if not line.startswith((">", "Aussi\u00a0:")))
        if found := strangers(f"{told.message['Subject']}\n{body}"):
            left[text] = found, body
        if at % 12 == 11:
            hall.send(seat, "1")
    assert {} == left


def test_what_the_clock_asks_and_plays_is_told_in_french(tmp_path: Path) -> None:
    """Reminders, what is played for somebody without an answer, and what the others read of it."""
    host = Clocked(tmp_path)
    people = tuple(Invited(name, (f"{name.lower()}@people.test",), language="fr") for name in ("Anna", "Faye"))
    open_table(host.desk, Opening("troyes", people, now=True, seed=b"s" * 32, options={"pace": "medium"}))
    host.deliver()
    host.wait(150)
    kinds = {got.kind for got in host.mails()}
    assert {"reminder", "turn"} <= kinds and any("a été joué pour vous, faute de réponse à temps" in got.text for got in host.mails())
    for got in host.mails():
        assert set() == strangers(got.text), got.text


def told(hall: Hall) -> str:
    """Who is written to, about what, and a mark of the words of each mail; the words themselves of the first of each
    kind in each language, and of the last mail to everybody.

    The other words are those of more than a hundred mails; a mark says which mail has changed, and it can be read then.
    """
    mails, parts, seen = hall.mails(), [], set[tuple[str, str]]()
    last = {got.seat: got for got in mails}
    for got in mails:
        kind = (SPOKEN[got.seat], got.kind)
        mark = hashlib.sha256(got.text.encode()).hexdigest()[:16]
        whole = kind not in seen or got == last[got.seat]
        parts.append(f"##### to {got.seat}, {mark}: {got.message['Subject']}\n{got.text if whole else ''}")
        seen.add(kind)
    return "\n".join(parts)


@pytest.mark.parametrize("game", ["troyes", "troyes-dice"])
def test_a_golden_game_in_two_languages(game: str, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """A whole game of Anna in English, Faye and Geoffrey in French, each writing in the words of their own mails."""
    hall, dice = Hall(tmp_path, game), random.Random(1)
    hall.seat_all(len(SPOKEN), languages=tuple(SPOKEN.values()))
    while asked := [one.seat for one in hall.rules.waiting(hall.position()) if not one.answered]:
        order = dice.choice(CHOICE.findall(hall.newest(asked[0]).text)[:3])
        hall.send(asked[0], order.replace("\u00a0", " "))
        assert not REFUSED.search(hall.newest(asked[0]).text), order
    for got in hall.mails():
        assert (SPOKEN[got.seat] == "en") == bool(strangers(got.text)), got.text
    found = told(hall)
    file = Path(__file__).parents[1] / "golden" / f"{game.replace('-', '_')}_two_languages.txt"
    if pytestconfig.getoption("--golden"):
        file.write_text(found, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == found


def test_what_gives_a_seat_back_is_one_word(tmp_path: Path) -> None:
    """The example and the order that it is of are the same."""
    hall = Hall(tmp_path)
    people = tuple(Invited(name, (f"{name.lower()}@people.test",), language="fr") for name in NAMES[:2])
    open_table(hall.desk, Opening("troyes", people, now=False))
    hall.send("anna", "rejoindre")
    text = " ".join(hall.sent_by("anna", "aide")[0].text.split())
    assert text.count("« quitter »") == 2
    assert "« décliner »" not in text
