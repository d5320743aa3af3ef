"""A moderator's action is declared once: the command, the line of a letter, `gm help` and the manual follow from it."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from engine.catalog import T
from pbem.admin import admin_words
from pbem.admin.admin_action import (
    SEAT,
    AdminAction,
    Argument,
    ArgumentKind,
    action_result,
    admin_action,
    checked_reason,
    find_row,
    flag_argument,
)
from pbem.cli import ACTIONS, COMMANDS, action_commands, main
from pbem.desk.core.context import Context
from pbem.desk.core.result import Result
from tests.repair.bench import Bench
from tests.repair.terminal import at

GAME = "troyes-1"


@admin_action(
    T("praises a seat before the table"), SEAT, Argument(name="text", takes=ArgumentKind.NAME, shown="WORDS"),
    flag_argument("loudly", "In a mail of its own."), sure=lambda context, given: f"Praise {given['seat']}?",
)  # fmt: skip
def praise(context: Context, seat: str, text: str, why: str, loudly: bool = False) -> Result:
    """Praise a seat.

    Everybody reads it.
    """
    sentence = T("The moderator praises {name}: {text}.", name=find_row(context, seat).name, text=text)
    return action_result(context, "praise", sentence, checked_reason(why), concerned=() if not loudly else tuple(context.names()))


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> AdminAction[...]:
    """The action, where an action is listed: by mail, and in the list of commands."""
    monkeypatch.setitem(admin_words.BY_MAIL, "praise", praise)
    monkeypatch.setitem(action_commands.COMMANDS, "praise", action_commands.made_command(praise))
    monkeypatch.setattr("pbem.cli.COMMANDS", {**COMMANDS, "praise": "Praise a seat."})
    monkeypatch.setattr("pbem.cli.ACTIONS", (*ACTIONS, "praise"))
    monkeypatch.setattr("pbem.cli.PLACES", {"praise": "action_commands", "show": "show"})
    return praise


def test_an_action_is_done_by_mail(bench: Bench, planted: AdminAction[...]) -> None:
    key = bench.moderate("gm help\n")[-1]
    assert "«gm praise anna WORDS because REASON»: praises a seat before the table" in key.text.replace("\n", " ")
    sent = bench.moderate("gm praise Faye loudly for her patience because she waited\n", to=key)
    assert {"anna", "faye", "gm"} == {got.seat for got in sent}
    told = "The moderator praises Faye: for her patience. Reason: «she waited»"
    assert all(told in got.text.replace("\n", " ") for got in sent)
    (mail,) = bench.moderate("gm praise faye\n", to=sent[-1])
    assert "gm praise anna WORDS because REASON" in mail.text


def test_an_action_is_done_at_a_terminal(bench: Bench, planted: AdminAction[...]) -> None:
    bench.spool.close()
    term = at(bench.folder)
    told = term.read("praise", GAME, "faye", "for", "her", "patience", "--why", "x", "--yes")
    assert ["The moderator praises Faye: for her patience. Reason: «x»"] == told["says"]
    assert "--yes" in term.read("praise", GAME, "faye", "well", "--why", "x", code=2)["error"]
    assert "--why" in term.read("praise", GAME, "faye", "well", "--yes", code=2)["error"]
    page = CliRunner().invoke(main, ["praise", "--help"]).output
    assert "Praise a seat." in page
    assert "--loudly" in page


def test_the_list_of_commands_has_every_deed_of_a_terminal() -> None:
    """The list is light and knows no action; this holds it to the declarations."""
    known = {word: one.help.partition("\n")[0] for word, one in admin_words.AT_TERMINAL.items()}
    assert known == {word: COMMANDS[word] for word in known}
    assert {*ACTIONS, "edit"} == known.keys()
    assert all(isinstance(main.get_command(click.Context(main), word), click.Command) for word in known)


def test_what_is_done_in_one_place_alone_says_so() -> None:
    assert {"edit"} == admin_words.AT_TERMINAL.keys() - admin_words.BY_MAIL.keys()
    assert {"as", "fsck", "help", "log", "status", "try"} == admin_words.BY_MAIL.keys() - admin_words.AT_TERMINAL.keys()
