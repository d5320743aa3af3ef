"""A table of Troyes Dice: options, offers, news, mails, the end and what it is remembered for."""

from __future__ import annotations

import re

import pytest

from engine.catalog import ENGLISH, Msg
from engine.errors import NotAllowed
from engine.game import Seat
from engine.troyes_dice.actions import scoring
from engine.troyes_dice.card_data import load_box
from engine.troyes_dice.card_data.sheet import ROWS
from pbem.outbound.mail import Mail, MailKind
from pbem.outbound.render import Host, Renderer
from tests.dice.games import ANNA, FAYE, GAME, Run, begin
from tests.pseudo import PSEUDO


def mail(run: Run, seat: Seat = ANNA, renderer: Renderer | None = None) -> str:
    """The words of a turn's mail to a seat."""
    state = run.state
    decision = next((decision for decision in GAME.waiting(state) if decision.seat == seat), None)
    whole = Mail(
        kind=MailKind.TURN,
        game="dice-1",
        game_kind=GAME.kind,
        seat=seat,
        name=state.names[seat],
        heading=GAME.heading(state),
        news=GAME.tell(state, run.last, seat, 1),
        decision=decision,
        offers=GAME.offers(state, seat),
        examples=GAME.reference.examples(state, seat, [offer.text for offer in GAME.offers(state, seat)]),
        view=GAME.view(state, seat), board=True, full=True,
        players=tuple(state.names.items()),
    )
    return (renderer or Renderer(Host("pbem@games.test"))).text(whole).body


def late(players: int = 2, half_days: int = 9, seed: int = 3, **options: str) -> Run:
    """A game some half days on."""
    run = begin(players, seed, **options)
    for _ in range(half_days):
        run.finish_half_day()
    return run


@pytest.mark.parametrize("players", range(1, 11))
def test_any_number_of_players_from_one_to_ten(players: int) -> None:
    run = begin(players)
    assert players == len(GAME.waiting(run.state))
    run.finish_half_day()
    assert ("afternoon", 2) == (run.state.half, run.state.number)


def test_more_or_fewer_are_refused() -> None:
    for players in (0, 11):
        with pytest.raises(NotAllowed) as refused:
            GAME.settle_options(players, {})
        assert str(players) in str(refused.value.reason)


def test_options_are_checked() -> None:
    assert {"expansion": "no", "numbering": "first", "numbers": "", "rule.second_slot": "any"} == GAME.settle_options(
        1, {}
    )
    assert "denier" == GAME.settle_options(1, {"rule.second-slot": "denier"})["rule.second_slot"]
    for chosen in ({"expansion": "maybe"}, {"ladies": "all"}, {"numbering": "third"}):
        with pytest.raises(NotAllowed):
            GAME.settle_options(1, chosen)


def test_offers_are_ranked_complete_and_cover_every_kind() -> None:
    """On an empty sheet with means: every building and every resource is there once."""
    run = begin(1, seed=2)
    run.state.sheets[ANNA].circled = dict.fromkeys(run.state.sheets[ANNA].circled, 12)
    texts = [offer.text for offer in GAME.offers(run.state, ANNA)]
    used = [text.partition(": ")[2].partition(";")[0].rstrip(" 123456") for text in texts]
    assert {"influence", "deniers", "knowledge", *(row.replace("_", "-") for row in ROWS)} == set(used)
    assert len(set(used)) == len(used)


def test_the_first_offer_plays_a_sensible_game() -> None:
    """A greedy player is what the computer seats of the demo are; random ones make less than half."""
    totals = []
    for seed in range(6):
        run = begin(1, seed)
        while GAME.waiting(run.state):
            run.finish_half_day()
        result = GAME.result(run.state)
        assert result is not None
        totals += result.totals.values()
    assert sum(totals) / len(totals) > 38


def test_news_tell_the_attack_and_what_it_cost_me() -> None:
    """An attack that touches the reader is marked; everybody's loss is told to all."""
    run = late(2, 4)
    while run.state.day < 3 or not any(entry.kind == "attack" and entry.data["crossed"] for entry in run.last):
        run.finish_half_day()
    mine = [str(line.says) for line in GAME.tell(run.state, run.last, ANNA, 1) if line.mine]
    assert any(line.startswith("You: «") for line in mine)
    assert any("The black die attacks" in line for line in mine)
    public = [str(line.says) for line in GAME.tell(run.state, run.last, None, 1)]
    assert any("Anna loses" in line or "Faye loses" in line for line in public)
    assert any(line.startswith("Faye: «") for line in public), "sheets are public after each half day"


def test_lines_end_at_the_last_entry_they_tell() -> None:
    run = late(3, 5)
    lines = GAME.tell(run.state, run.last, ANNA, 101)
    ends = [line.end for line in lines]
    assert ends == sorted(ends)
    assert 101 <= ends[0] and ends[-1] <= 100 + len(run.last)
    acts = [line for line in lines if line.seat]
    assert [ANNA, FAYE, Seat("geoffrey")] == [Seat(line.seat) for line in acts]


def test_a_mail_holds_dice_wheel_and_sheets() -> None:
    """Mails: everything needed to play well is in the mail itself."""
    body = mail(late(3, 9, expansion="yes"))
    for part in ("THE DICE", "Plaza 1:", "Plaza 4:", "THE WHEEL", "YOUR SHEET", "OTHER PLAYERS", "Faye:", "Geoffrey:"):
        assert part in body
    assert len(re.findall(r"(?m); \d+ VP now$", body)) == 3
    assert "destroyed" in body


def test_no_line_of_the_position_begins_like_an_order() -> None:
    """Quoted back, a mail yields no order: no line of ours begins with a word that an order begins with."""
    verbs = GAME.reference.verbs()
    for half_days in range(0, 16, 3):
        for line in mail(late(2, half_days, expansion="yes")).splitlines():
            first = line.split()[0].rstrip(":,").lower() if line.split() else ""
            assert first not in verbs, line


def test_a_sealed_answer_stands_in_the_last_block_only() -> None:
    """Secrets stand in one block at the end."""
    run = late()
    text = GAME.offers(run.state, ANNA)[2].text
    run.order(ANNA, text)
    body = mail(run)
    position, cut, secret = body.partition("ONLY FOR YOU, cut before forwarding")
    assert cut and f"Your sealed answer: «{text}»" in secret
    assert "ealed answer:" not in position
    assert "ONLY FOR YOU" not in mail(run, FAYE)


def test_columns_are_explained_when_numbers_differ() -> None:
    run = begin(1, numbering="expert", numbers="4 5 6 1 2 3")
    assert "\nNumber: 4 5 6 1 2 3\n" in mail(run)
    assert "\nNumber: 1 2 3 4 5 6\n" in mail(begin(1))


def test_every_sentence_of_the_templates_can_be_translated() -> None:
    """In a pseudo language every sentence is marked: none is written by hand."""
    body = mail(late(2, 9, expansion="yes"), renderer=Renderer(Host("pbem@games.test"), look=lambda _: PSEUDO))
    position = body[body.index("⟦THE DICE") :]
    for line in position.splitlines():
        assert not line or "⟦" in line


def test_headings_and_stages() -> None:
    run = begin(1)
    assert ("morning of day 1 of 8", "d1") == (str(GAME.heading(run.state)), GAME.stage(run.state))
    run.finish_half_day()
    assert ("afternoon of day 1 of 8", "d1") == (str(GAME.heading(run.state)), GAME.stage(run.state))
    run.finish_half_day()
    assert ("morning of day 2 of 8", "d2") == (str(GAME.heading(run.state)), GAME.stage(run.state))


def test_sixteen_serial_waits() -> None:
    """A ten-player game is 16 answers of each player, plus bonus questions, and no more."""
    run, answers = begin(10, seed=9), 0
    while GAME.waiting(run.state):
        seat = run.open_seats()[0]
        run.order(seat, GAME.offers(run.state, seat)[0].text)
        answers += 1
    assert answers <= 160
    assert 16 == run.state.number


def test_the_end_has_components_totals_and_winners() -> None:
    run = late(2, 16)
    result = GAME.result(run.state)
    assert result is not None
    assert ["characters", "resources", "citizens"] == list(result.scores[ANNA])
    assert set(result.names) == set(result.scores[ANNA])
    assert {seat: sum(parts.values()) for seat, parts in result.scores.items()} == result.totals
    assert () == GAME.waiting(run.state)
    assert GAME.result(begin(2).state) is None
    assert "the game is over" == str(GAME.heading(run.state))


def test_alone_a_mark_is_told() -> None:
    """Section 6: 45, 55 and 65."""
    box = load_box()
    assert [0, 45, 45, 55, 65, 65] == [scoring.solo_mark(box, points) for points in (44, 45, 54, 55, 65, 99)]
    run = late(1, 16)
    result = GAME.result(run.state)
    assert result is not None
    (note,) = result.notes
    assert "Alone, the" in str(note)
    assert str(scoring.solo_mark(box, result.totals[ANNA]) or 45) in str(note)
    together = GAME.result(late(2, 16).state)
    assert together is not None and () == together.notes


def test_achievements_are_listed_with_what_they_ask() -> None:
    """Section 8: 21 boxes to tick, three of them three times."""
    listed = {achievement.id: achievement for achievement in GAME.reference.achievements}
    assert 21 == len(listed) == len(GAME.reference.achievements)
    assert {"solo-games": 3, "table-games": 3, "expansion-games": 3} == {
        id_: achievement.times for id_, achievement in listed.items() if achievement.times > 1
    }
    for id_, achievement in listed.items():
        assert achievement.text == GAME.reference.explain(id_)


def test_achievements_of_a_game_are_among_those_listed() -> None:
    known = {achievement.id for achievement in GAME.reference.achievements}
    for seed in range(3):
        run = late(2, 16, seed, expansion="yes")
        result = GAME.result(run.state)
        assert result is not None
        for ids in result.achieved.values():
            assert {"table-games", "expansion-games"} <= set(ids) <= known
            assert "solo-games" not in ids


def test_all_messages_render() -> None:
    """No sentence names a value that it does not carry."""
    run = begin(3, seed=6, expansion="yes", numbering="crier")
    for _ in range(17):
        for seat in (*run.state.names, None):
            for line in GAME.tell(run.state, run.entries, Seat(seat) if seat else None, 1):
                assert isinstance(line.says, Msg) and ENGLISH.render(line.says)
        run.finish_half_day()


def test_words_for_suggestions_hold_the_words_of_orders() -> None:
    assert {"red", "jaune", "fortress", "bonus", "pay", "price-tile"} <= set(GAME.reference.words())
    assert {"red", "rouge", "numbering", "bonus"} <= GAME.reference.verbs()
    assert not {"en", "as", "up", "use", "with", "money", "argent", "others", "number"} & set(GAME.reference.words())
    assert GAME.suspicious(begin(1).state, ANNA, ()) is None
