"""A refusal is a repair: it numbers the orders that would do before the options, and the number plays them."""

from __future__ import annotations

import random
import re
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest

from engine.errors import OrderRefused
from engine.game import Seat
from engine.reference import Reference
from pbem.admin.actions import seat_holders
from pbem.admin.persons import Person
from pbem.desk.commands import parse_command
from pbem.reading.line_parser import parse_line
from pbem.store.game_table import LetterEndings
from pbem.store.private_text import author_id
from tests.dice_mail.table import missing
from tests.repair.breaking import one_slip, refuses, spoilt
from tests.whole.room import Hall

_NEAREST = "Nearest to what you wrote:\n"
_ADVICE = re.compile(r"^Possible: (.+)$", re.MULTILINE)
_CHOSEN = re.compile(r"^\[(\d+)\] (.+?) · ", re.MULTILINE)
_LISTED = re.compile(r"^\[(\d+)\] (.*?)(?: · .*)?$", re.MULTILINE)


def suggested(text: str) -> list[str]:
    """The orders that a refusal proposes, above its list of options, whose numbers go on from theirs."""
    _, _, below = text.partition(_NEAREST)
    found = [order for _, order in _LISTED.findall(below.partition("\n\n")[0])]
    listed = _LISTED.findall(text)
    assert [str(n) for n in range(1, len(found) + 1)] == [number for number, _ in listed[: len(found)]]
    lines = re.findall(r"^\[\d+\] .*$", text, re.MULTILINE)
    assert len({line.partition("] ")[2] for line in lines}) == len(lines)
    return found


def ends_of(hall: Hall, seat: str) -> LetterEndings:
    """How the letters of a seat's first holder end."""
    return hall.stored(hall.table).secrets.ends.get(author_id(seat, 1), LetterEndings())


def reads(hall: Hall, seat: Seat, line: str) -> bool:
    """Whether a line is an order, legal or not."""
    try:
        hall.rules.read(hall.position(), seat, line)
    except OrderRefused:
        return False
    return True


def answered(hall: Hall, rng: random.Random, seats: list[Seat]) -> int:
    """Have a seat send a spoilt order and answer what is suggested with a number; how many were suggested."""
    seat = rng.choice(seats)
    state = hall.position()
    numbers = [rng.randrange(1 << 30) for _ in range(64)]
    text = next(iter(hall.rules.reference.every(state, seat, numbers)))
    line = rng.choice((one_slip, spoilt))(rng, text)
    if not line or parse_line(line).number is not None or not refuses(hall.rules, state, seat, line):
        return 0
    hall.send(seat, line)
    mail = hall.last(seat)
    found = suggested(mail.text) if mail.kind == "refusal" else []
    for advice in _ADVICE.findall(mail.text):
        assert advice != line and (refuses(hall.rules, state, seat, advice) is False or not reads(hall, seat, advice))
    if not found:
        return 0
    number = rng.randrange(len(found))
    with suppress(OrderRefused):  # a command has no title
        found[number] = hall.rules.read(state, seat, found[number]).text
    asks = parse_command(found[number]) is not None  # «carm Y1» is near a question, too
    assert ("answered" if asks else "played") == hall.send(seat, str(number + 1)).outcome, (line, found[number])
    if asks:
        return 0
    told = hall.last(seat)
    assert f"«{found[number]}»" in told.text, (line, found[number])
    return 1


def play(folder: Path, kind: str, seed: int, letters: int) -> int:
    """A table of a kind at which orders are spoilt again and again; how many repairs were played."""
    rng, hall, count = random.Random(seed), Hall(folder, kind), 0
    hall.seat_all(2 + seed % 3, seed=bytes([seed % 256]) * 32)
    for _ in range(letters):
        seats = missing(hall) if kind == "troyes-dice" else list(filter(None, [hall.asked()]))
        if not seats:
            break
        done = answered(hall, rng, seats)
        count += done
        if not done:
            hall.send(seats[0], "1")
    return count


@pytest.mark.parametrize("kind", ["troyes", "troyes-dice"])
def test_a_number_plays_what_a_refusal_suggests(tmp_path: Path, kind: str) -> None:
    assert play(tmp_path, kind, 3, 16) > 5


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["troyes", "troyes-dice"])
def test_a_number_plays_what_a_thousand_refusals_suggest(tmp_path: Path, kind: str) -> None:
    count = sum(play(tmp_path / str(seed), kind, seed, 120) for seed in range(4, 40))
    print(f"{kind}: {count} refusals repaired with a number")
    assert count > 1000


def _can_recruit(hall: Hall) -> bool:
    return hall.rules.waiting(hall.position())[0].kind == "turn" and hall.position().houses[str(hall.asked())].influence > 1


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    """A table whose placement is over, at the turn of somebody who can recruit."""
    hall = Hall(tmp_path)
    hall.seat_all(3)
    while not _can_recruit(hall):
        hall.send(str(hall.asked()), "1")
    return hall


def test_the_lines_above_and_below_are_kept(hall: Hall) -> None:
    """All or nothing: who mends the one wrong line plays the whole letter."""
    while hall.position().houses[hall.asked()].influence < 2:
        hall.send(str(hall.asked()), "pass")
    seat = str(hall.asked())
    hall.send(seat, "recruit 1\npasss\nsay good luck")
    mail = hall.last(seat)
    assert "then «Pass»" not in mail.text, "spent and passed is a slip"
    every = hall.rules.reference.every(hall.position(), Seat(seat))
    order = next(text for text in every if text.startswith(("farm", "build", "activate")))
    verb, _, rest = order.partition(" ")
    hall.send(seat, f"recruit 1\n{verb}z {rest}\nsay good luck")
    mail = hall.last(seat)
    assert re.search(r"\[1\] Recruit 1 citizen · then «[A-Z][^«»]+», «say good luck»", mail.text)
    before = len(hall.mails())
    assert "played" == hall.send(seat, "1").outcome
    assert any("good luck" in got.text for got in hall.mails()[before:] if got.seat != seat)


def test_a_trial_that_is_refused_offers_trials(hall: Hall) -> None:
    seat = str(hall.asked())
    hall.send(seat, "try passs")
    mail = hall.last(seat)
    assert ["try pass"] == suggested(mail.text)
    before = hall.position()
    assert "answered" == hall.send(seat, "1").outcome
    assert "NOT PLAYED: this is what your orders would do." in hall.last(seat).text
    assert before == hall.position()


def test_a_command_with_a_slip_is_offered_whole(hall: Hall) -> None:
    seat = str(hall.asked())
    hall.send(seat, "crad miller")
    assert "\n[1] card miller\n" in hall.last(seat).text
    hall.send(seat, "1")
    assert "MILLER" in hall.last(seat).text


def test_a_late_letter_whose_words_still_count_asks_whether_to_do_it_now(hall: Hall) -> None:
    """Never silent, never played unasked: one tap does what an answer to an older mail says."""
    seat = str(hall.asked())
    old = hall.last(seat)
    hall.send(seat, "recruit 1")
    hall.send(seat, "1")
    while hall.asked() != seat:
        hall.send(str(hall.asked()), "pass")
    before = hall.position()
    assert "refused" == hall.send(seat, "pass\nsay bye", to=old).outcome
    mail = hall.last(seat)
    assert "The game has gone on since the mail that you answer; what you wrote can still be done now." in mail.text
    assert "[1] Pass · then «say bye»" in mail.text and "[2] " in mail.text
    assert before == hall.position()
    hall.send(seat, "3", to=old)
    assert "The game has gone on since the mail that you answer; here is the position now." in hall.last(seat).text
    assert "played" == hall.send(seat, "1", to=mail).outcome
    assert "Done: «pass»" in hall.last(seat).text


def test_a_suggestion_of_another_order_would_be_found(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """The laws are no decoration: a suggestion that cannot be played never reaches the list."""
    seat = str(hall.asked())

    def wrong(self: Reference[object], state: object, seat: str, text: str, language: str = "en") -> tuple[str, ...]:
        return ("farm Y6 Y6 Y6", "recruit 1")

    monkeypatch.setattr(type(hall.rules.reference), "repairs", wrong)
    hall.send(seat, "farmm")
    assert ["Recruit 1 citizen"] == suggested(hall.last(seat).text)
    with pytest.raises(OrderRefused):
        hall.rules.read(hall.position(), Seat(seat), "farmm")


def test_a_choice_of_orders_and_commands_can_be_played(hall: Hall) -> None:
    """Politeness around a command, and talk that was itself chosen with a number, stand in a choice as they are sent."""
    seat = str(hall.asked())
    hall.send(seat, "recruit 1")
    hall.send(seat, "undo please\npasss")
    numbers = dict(_CHOSEN.findall(hall.last(seat).text))
    assert "undo" == numbers["1"]
    assert "played" == hall.send(seat, "1").outcome
    others = [one for one in ("anna", "faye", "geoffrey") if one != seat]
    hall.send(seat, f"say {others[0]} hello")
    assert "Is it private, or for all?" in hall.last(seat).text
    hall.send(seat, "1\nrecruitt 1\npass")
    assert f"[1] tell {others[0]}: hello" in hall.last(seat).text
    before = len(hall.mails(others[0]))
    assert "played" == hall.send(seat, "1").outcome
    assert "hello" in hall.mails(others[0])[before].text


def test_talk_beside_a_refused_trial_is_told_not_to_be_sent(hall: Hall) -> None:
    seat = str(hall.asked())
    before = len(hall.mails())
    hall.send(seat, "say hello\ntry nonsense")
    (answer,) = hall.mails()[before:]
    assert "Sent to everybody" not in answer.text and "A later line was refused." in answer.text


def test_a_question_with_a_slip_under_a_trial_is_offered_as_it_is(hall: Hall) -> None:
    seat = str(hall.asked())
    hall.send(seat, "try recruit 1\ncrad miller\ntry pass")
    mail = hall.last(seat)
    assert "[1] try recruit 1 · then «card miller»" in mail.text
    hall.send(seat, "1")
    assert "MILLER" in hall.last(seat).text and "NOT PLAYED: this is what your orders would do." in hall.last(seat).text


def test_answers_that_wait_number_nothing(hall: Hall) -> None:
    """What they would number is no list of the mail that tells them together: «1» would play something else."""
    seat = str(hall.asked())
    for n in range(13):
        hall.time -= timedelta(seconds=55)
        hall.send(seat, f"zorkle {n + 1}")
    waiting = ("pass\nthe palace, maybe", "my 2 cents, as they say", "recruit 1\npasss", "farmm Y3")
    for text in waiting:
        hall.time -= timedelta(seconds=55)
        assert "refused" == hall.send(seat, text).outcome
    hall.time += timedelta(minutes=10)
    assert 1 == hall.desk.answer_waiting()
    text = hall.last(seat).text
    assert "5 letters of yours" in text and "[1] " in text
    assert _NEAREST not in text


@pytest.mark.parametrize("tail", ["This e-mail is confidential.", "Anna Troyes\n06 12 34 56 78", "Scrap that."])
def test_what_a_program_puts_under_every_letter_locks_nobody_out(hall: Hall, tail: str) -> None:
    """«1» with the very lines that were asked about plays; with others, or with the order instead of «1», it is asked."""
    seat = str(hall.asked())
    assert "refused" == hall.send(seat, f"recruit 1\n\n{tail}").outcome
    assert "refused" == hall.send(seat, f"recruit 1\n\n{tail}").outcome
    assert "refused" == hall.send(seat, "1\n\nNo, wait.").outcome
    assert "refused" == hall.send(seat, f"recruit 1\n\n{tail}").outcome
    assert "played" == hall.send(seat, f"1\n\n{tail}").outcome
    known = "06 12" in tail
    assert ("played" if known else "refused") == hall.send(seat, f"recruit 1\n\n{tail}").outcome


def test_a_line_is_a_signature_once_it_was_passed_over(hall: Hall) -> None:
    """A number that answers another refusal in between passes over nothing."""
    seat = str(hall.asked())
    hall.send(seat, "recruit 1\nAnna Faye Troyes\n+33 1 23 45 67 89")
    assert ends_of(hall, seat).asked and not ends_of(hall, seat).passed
    hall.send(seat, "recruitt 1")
    assert "played" == hall.send(seat, "1").outcome
    assert not ends_of(hall, seat).passed
    hall.send(seat, "recruit 1\nAnna Faye Troyes\n+33 1 23 45 67 89")
    assert "played" == hall.send(seat, "1").outcome
    assert ends_of(hall, seat).passed
    assert "played" == hall.send(seat, "undo\nAnna Faye Troyes\n+33 1 23 45 67 89").outcome


def test_what_the_person_before_was_asked_is_not_told_to_who_takes_the_seat(hall: Hall) -> None:
    """A number that tells of no mail counts in all lists of its decision, but in none of somebody else's."""
    seat = str(hall.asked())
    other = next(one for one in ("anna", "faye") if one != seat)
    hall.send(seat, f"say {other} the plan")
    assert f"[1] tell {other}: the plan" in hall.last(seat).text
    zoe = Person("Zoe", ("zoe@people.test",))
    hall.desk.change(hall.table, "replace", seat_holders.replace_holder(hall.desk.services, seat, zoe, "has moved"))
    before = len(hall.mails(seat))
    assert "played" == hall.send(seat, "1", sender="zoe@people.test", fields={"In-Reply-To": ""}).outcome
    assert all("the plan" not in got.text for got in hall.mails(seat)[before:])
