"""Half days that are most likely meant, though not all of them is said: what may be left out, and what may never be."""

from __future__ import annotations

import pytest

from engine.kit.certainty import Logit, shares
from engine.troyes_dice.notation import case
from pbem.reading.line import read
from tests.dice.games import ANNA
from tests.dice.test_gist import meant
from tests.dice.test_wordings import position
from tests.gist_lines import Written, held, surely

LIKELY = [
    ("first", "allez, l'hôtel de ville, première case", "yellow 1: city-hall 1"),
    ("first", "white 5 red, fortress", "white 5 as red 5: fortress 5"),
]
ASKED = [
    ("first", "cathedral 4 w the white 5"),  # one influence
    ("first", "cathedral 3 w the white 5"),
    ("first", "cathedral 2 w the white 5"),  # three influence
    ("first", "fortress 5 w the white 5"),  # knowledge
    ("first", "cathedral 4 w the white 6"),  # no such die
    ("first", "4 knowledge from the white 5"),
    ("first", "city hall 2 with the freebie"),  # it lies for column 1
    ("first", "the white 5 and the red, fortress"),
    ("first", "fortress 2 with the red 2"),  # what pays is not said
    ("first", "cathedral 4 w the white 5 and the yellow 1"),
    ("first", "white 5 for the cathedral beckons"),
    ("first", "sorry about the white 5 and cathedral 5"),
    ("alike", "great hall 4 with the four"),
    ("alike", "Deniers: Yellow resource. Deniers pay for the dearer dice"),  # the sheet's own words
]


@pytest.mark.parametrize(("name", "line", "order"), LIKELY)
def test_what_is_left_out_is_filled_in_where_it_can_be_nothing_else(name: str, line: str, order: str) -> None:
    """The die that lies for the column, the word that a colour becomes."""
    assert meant(name, line) == order


@pytest.mark.parametrize(("name", "line"), ASKED)
def test_nothing_dear_and_nothing_doubtful_is_filled_in(name: str, line: str) -> None:
    assert not meant(name, line)


def test_planted_faults_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Might all be played, much would be that was not asked; were nothing learnt, none of it would be."""
    with monkeypatch.context() as planted:
        planted.setattr(case._Held, "may_be", lambda self, every: True)
        assert [line for name, line in ASKED if meant(name, line)]
    monkeypatch.setattr(case, "_WEIGHTS", Logit({}, {}, case._WEIGHTS.least))
    monkeypatch.setattr(case, "_PLAINLY", case._WEIGHTS)
    assert not [line for name, line, _ in LIKELY if meant(name, line)]


def test_orders_are_few_and_what_is_learnt_of_them_is_known() -> None:
    """Every weight is of something that is told of some line, and what it says is of one."""
    told: set[str] = set()
    for name, line, _ in LIKELY:
        state, says = position(name), {"directive": surely(line)}
        found = held("troyes-dice", Written("", name, "en", "refused", state, ANNA, line, (), False, says))
        assert found is not None and len(found.alternatives) <= case.MOST
        assert 0 < sum(shares(found, case._WEIGHTS)) <= 1
        told |= {*found.line}.union(*(one.says for one in found.alternatives))
    assert {"none", "value not named", "die not named", "may not be played"} <= told
    assert {"none", "value not named", "die not named"} <= {*case._WEIGHTS.line, *case._WEIGHTS.order}


@pytest.mark.parametrize(
    "line",
    [
        "Thanks for the white 5 and cathedral 5", "Merci pour le blanc 5 et la cathédrale 5", "Good luck with the white 5",
        "Bye bye white 5 and cathedral 5", "See you white 5 and cathedral 5",
    ],
)  # fmt: skip
def test_courtesy_that_goes_on_is_no_order(line: str) -> None:
    """What is thanked for, or parted with, is not done: nothing is taken off such a line."""
    assert read(line).text == line


def test_courtesy_before_an_order_is_taken_off() -> None:
    assert [read(line, ("Faye",)).text for line in ("Thanks Faye, white 5: cathedral", "Good luck all! white 5: cathedral")] == [
        "white 5: cathedral", "white 5: cathedral",
    ]  # fmt: skip
