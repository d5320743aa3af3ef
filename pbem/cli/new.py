"""`pbem new`: a table is opened, and its invitations wait for the daemon."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pbem.admin.persons import parse_person
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.cli.kit import console
from pbem.cli.kit.arguments import TableCommand, chosen_options, languages_by_name, read_toml, rules_of
from pbem.cli.kit.call import USAGE, Call, CommandEnd, json_option, print_answer
from pbem.cli.kit.host_access import open_host
from pbem.cli.kit.stored import config_of, table_data
from pbem.host.config import Config
from pbem.host.settings_file import is_address

SEAT = "'Anna <anna@example.org>', clockwise, one each; a computer's is NAME=computer:LEVEL."


@click.command("new", cls=TableCommand)
@click.argument("kind")
@click.argument("pairs", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--seat", "seats", multiple=True, required=True, help=SEAT)
@click.option("--start", default="", help="Who begins; drawn otherwise.", metavar="NAME")
@click.option("--now", is_flag=True, help="Begin at once: words that are not given are empty.")
@click.option("--word", "words", multiple=True, help="A player's word for the dice, fixed by you.", metavar="NAME=WORD")
@click.option("--host-word", default="", help="Your own word for the dice.", metavar="WORD")
@click.option("--language", "spoken", multiple=True, help="Somebody's language, or `all=fr`.", metavar="NAME=fr")
@click.option("--hints", is_flag=True, help="Players may ask for a hint, once a decision; the table is told.")
@click.option("--facts", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Corrected card numbers.")
@json_option
@click.pass_obj
def command(
    call: Call, /, kind: str, pairs: tuple[str, ...], seats: tuple[str, ...], start: str, now: bool,
    words: tuple[str, ...], host_word: str, spoken: tuple[str, ...], hints: bool, facts: Path | None, **flags: Any,
) -> None:  # fmt: skip
    """Open a table.

    KIND is a game. Everybody is sent an invitation that asks for a word for the dice; the game begins when all have
    answered, or at once with --now. A seat without an address is played with `pbem orders`. Options of the game are
    flags, or words of the form NAME=VALUE.
    """
    rules_of(kind)
    invited = _invited(seats, words, spoken, config_of(call))
    numbers = read_toml(facts) if facts else None
    opening = Opening(kind, invited, chosen_options(flags, pairs), start, None, host_word, now, hints, numbers)
    with open_host(call) as service:
        stored = open_table(service.desk, opening)
        mails = len(service.spool.rows(stored.table.game))
    told = table_data(stored) | {"mails": mails, "commit": stored.commit}
    print_answer(told, _print)


def _print(told: dict[str, Any]) -> None:
    click.echo(f"{told['game']}\t{told['status']}")
    for seat, name in told["seats"].items():
        click.echo(f"{seat}\t{name}")
    mails = told["mails"]
    console.warn(f"{console.mails_text(mails)}." if mails else "Nobody has an address, so no mail waits.")


def _invited(
    seats: tuple[str, ...], words: tuple[str, ...], spoken: tuple[str, ...], config: Config
) -> tuple[Invited, ...]:
    fixed = dict(_pair(word) for word in words)
    found = []
    for seat in seats:
        who, equals, level = seat.rpartition("=computer:")
        name, addresses = parse_person(who if equals else seat)
        if wrong := next((one for one in addresses if not is_address(one)), ""):
            raise CommandEnd(f"--seat {seat!r}: {wrong!r} is no address that mail can be sent to", USAGE)
        if not addresses and name.casefold() == config.moderator.seat.casefold() != "":
            addresses = config.moderator.addresses
        found.append(Invited(name, addresses, fixed.pop(name.casefold(), None), level if equals else ""))
    if fixed:
        names = ", ".join(one.name for one in found)
        raise CommandEnd(f"--word: nobody is called {', '.join(fixed)}; there are: {names}", USAGE)
    languages = languages_by_name(spoken, [one.name for one in found])
    return tuple(replace(one, language=languages.get(one.name, "")) for one in found)


def _pair(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals or not name.strip():
        raise CommandEnd(f"--word {word!r}: a word is given as NAME=WORD", USAGE)
    return name.strip().casefold(), value.strip()
