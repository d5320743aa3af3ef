"""What stands beside an order and turns nothing is put aside; what governs the order stays, and bars the line."""

from __future__ import annotations

import pytest

from engine import game as games
from pbem.reading.apart import Parted, parted
from pbem.reading.around import Around
from pbem.reading.bars import bars
from pbem.reading.passing import PASSES

NAMES = ("Anna", "Faye", "Geoffrey", "Emily")
_REFERENCE = games.find("troyes").reference
AROUND = Around(NAMES, _REFERENCE.verbs(), _REFERENCE.words())
ORDER = "Brigands with my red four"


def stays(line: str) -> bool:
    """Whether a line is barred, though all is taken from it that turns nothing."""
    return bool(bars(parted(line, AROUND).said, NAMES))


@pytest.mark.parametrize(
    "line",
    [
        f"Not my day. {ORDER}",
        f"Not much going on here. {ORDER}",
        f"I wasn't lucky with the roll. {ORDER}",
        f"Nobody is going to like this. {ORDER}",
        f"Geoffrey is getting rich. {ORDER}",
        f"Well, that was quick. {ORDER}",
        f"Pas facile contre toi Anna... {ORDER}",
        f"Bon, rien ne me tente ce tour-ci. {ORDER}",
        f"Ça n'avance pas vite, chez moi. {ORDER}",
        f"{ORDER}. Il était temps qu'il se lève",
        f"{ORDER}. Not my best game, I know.",
        f"{ORDER}. On n'a pas toujours de la chance !",
        f"{ORDER}, Faye won't be happy",
        f"{ORDER}, et tant pis si Faye prend son point",
        f"{ORDER} and too bad if Faye is angry",
        f"{ORDER}, comme il se doit",
        f"{ORDER}, sans y toucher",
        f"{ORDER}, no tricks",
        f"{ORDER}, pas la peine de me demander",
        f"{ORDER}. Bonne aprem Faye",
        f"{ORDER}, désolée Faye",
        f"{ORDER}, bonne soirée à vous deux",
        f"{ORDER}, no influence spent",
        f"{ORDER}, non modifié",
        f"{ORDER}, j'y touche pas",
        f"{ORDER}, sans me demander",
        f"{ORDER}, the other one costs too much",
        f"{ORDER}, I'm keeping the yellow",
        f"{ORDER}, je garde les gros pour plus tard",
        f"Could you please farm with Y3, and {ORDER}",
    ],
)
def test_what_turns_nothing_is_put_aside(line: str) -> None:
    """Luck, the position, others' feelings, reasons, what is not done besides, what is kept."""
    assert bars(line, NAMES) or "?" not in line
    assert not stays(line)


@pytest.mark.parametrize(
    "line",
    [
        *(f"{said} {ORDER}" for said in ("No.", "Not now.", "I won't.", "I don't know.", "I have no idea.", "Not this morning.")),
        *(f"{said} {ORDER}" for said in ("I was going to.", "I'm not convinced.", "I don't dare.", "If Faye passes.", "Should I?")),
        *(f"{said} {ORDER}" for said in ("That was a bad idea.", "Not the cathedral.", "Faye passed.", "You choose.", "Faye decides.")),
        *(f"{said} {ORDER}" for said in ("Je ne sais pas.", "Je n'ose pas.", "Je n'ai pas envie.", "Pas pour moi.", "Si Faye passe.")),
        *(f"{ORDER}. {said}" for said in ("Not really.", "Not a chance.", "Not worth my time.", "I'd be happy not to.", "It was fun.")),
        *(f"{ORDER}. {said}" for said in ("Pas drôle.", "Pas si fou.", "Anna en a envie.", "Never in my life.", "Not my style.")),
        *(f"{ORDER}, {said}" for said in ("too bad I can't", "even if not now, no", "tant pis, non", "not today", "je plaisante")),
        *(f"{ORDER}, {said}" for said in ("sans y croire", "no tricks won't do", "pas la peine", "sorry Faye but I won't")),
        *(f"{ORDER}, {said}" for said in ("Faye doesn't want it", "Faye won't be happy with that so no", "I keep it", "I'm keeping them")),
    ],
)  # fmt: skip
def test_what_governs_an_order_stays(line: str) -> None:
    """Refusals, doubt, conditions, questions, second thoughts and what points at the order, in a sentence of its own too."""
    assert stays(line)


def test_what_is_kept_or_not_spent_is_told() -> None:
    """So that no order is played that names it: but another one is no die of the order."""
    assert parted(f"{ORDER}, I'm keeping the yellow five", AROUND).unused == ("the yellow five",)
    assert parted(f"{ORDER}, no influence spent", AROUND).unused == ("influence",)
    assert parted(f"{ORDER}, je garde l'autre J5", AROUND).unused == ()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Faye, je prends ton 6 blanc", "je prends Faye's 6 blanc"),
        ("Désolé Faye mais je t'achète ton 6 blanc", "je t'achète Faye's 6 blanc"),
        ("sorry Faye but I take your white 6", "I take Faye's white 6"),
        ("sorry Bob but I take your white 6", "sorry Bob but I take your white 6"),
        ("Faye, farm with your yellow six", "Faye, farm with your yellow six"),
        ("Faye, I know your yellow six farms", "Faye, I know your yellow six farms"),
    ],
)
def test_your_is_of_who_is_spoken_to(line: str, said: str) -> None:
    """Where somebody tells what he does himself; whoever is told what to do does it."""
    assert parted(line, AROUND).said == said


@pytest.mark.parametrize(
    ("line", "beside"),
    [
        ("No dice, no turn, I pass", ("No dice,", "no turn,")),
        ("Right, no hurry this round. I pass, have fun you two", ("Right,", "no hurry this round.")),
        ("Rien d'intéressant là, je passe", ("Rien d'intéressant là,",)),
        ("Non, je passe mon tour", ("Non,",)),
        ("Je passe mon tour, les dés m'ont boudé", ("les dés m'ont boudé",)),
        ("passe, à vous les filles", ("à vous les filles",)),
        ("Nothing I want to buy at these prices. Pass!", ("Nothing I want to buy at these prices.",)),
        ("no idea what to do here, I pass", ("no idea what to do here,",)),
        ("I'm passing, I'd rather have the two deniers.", ("I'd rather have the two deniers.",)),
        ("Nothing good, so I'm out for this round. Pass.", ("Nothing good,",)),
        ("Je préfère passer et garder mon dé, bonne soirée à vous", ()),
        ("Trop peu de deniers pour faire quoi que ce soit de bien. Je passe.",
         ("Trop peu de deniers pour faire quoi que ce soit de bien.",)),
    ],
)  # fmt: skip
def test_a_pass_stands_beside_what_there_is_not(line: str, beside: tuple[str, ...]) -> None:
    assert parted(line, AROUND) == Parted(PASSES, beside)


@pytest.mark.parametrize(
    ("line", "left"),
    [
        (f"{ORDER}, leave the 2 for the others", "the 2"),
        (f"{ORDER}. Faye can have the five", "the five"),
        (f"{ORDER}, je laisse le 2 à Faye", "le 2"),
    ],
)
def test_what_is_left_to_others_is_none_of_it(line: str, left: str) -> None:
    found = parted(line, AROUND)
    assert found.left == (left,) and not found.said.endswith(left)


@pytest.mark.parametrize(
    "line",
    [
        *("Usually, I pass", "or, I pass", "Next round, I pass", "I pass 🛑", "Faye told me, I pass", "Last turn, pass"),
        *("Not now, I pass", "no wait, I pass", "Not sure, I pass", "I pass, no wait", "No, I farm, I pass"),
        *("No, I pass?", "I pass. Not", "Je passe, enfin non", "I pass. I wasn't lucky to", "I pass, not yet"),
        *("Passer, c'est pour les lâches", "I pass, brigands are dear", "Je passe, et pareil à chaque manche"),
    ],
)
def test_what_doubts_a_pass_stays(line: str) -> None:
    assert parted(line, AROUND).said != PASSES


@pytest.mark.parametrize(
    ("line", "unused"),
    [
        ("city hall 3, I pay the influence not the denier", "denier"),
        ("jaune 3, je paie avec 1 influence plutôt qu'un denier", "denier"),
        ("white die up to 6, bishopric instead of the cathedral", "cathedral"),
    ],
)
def test_what_is_not_meant_is_kept_apart(line: str, unused: str) -> None:
    """The order must not name it."""
    found = parted(line, AROUND)
    assert found.unused == (unused,) and not found.said.endswith(unused)
