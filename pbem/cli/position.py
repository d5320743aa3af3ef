"""`pbem position`: checks rule positions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from engine.game import games
from pbem.cli.kit import console
from pbem.cli.kit.arguments import files_in, read_toml
from pbem.cli.kit.call import DIFFERS, TROUBLE, USAGE, CommandEnd, json_option, print_answer
from pbem.reading.line_parser import parse_line

MARKS = {"pass": "well", "fail": "bad", "unsupported": "doubt"}


@click.command("position")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--id", "only", multiple=True, help="Only the position of this name.")
@json_option
def command(files: tuple[Path, ...], only: tuple[str, ...]) -> None:
    """Check rule positions against the rules.

    FILES are TOML files, or folders of them. Each position passes, fails (with both values of each difference), or
    is unsupported. Exit 1 if one fails, 2 if the worst is that some are unsupported.
    """
    found = [row for file in files_in(files, ".toml") for row in check_file(file, only)]
    if only and not found:
        raise CommandEnd(f"no position is called {', '.join(only)} in these files", USAGE)
    outcomes = {row["outcome"] for row in found}
    print_answer(found, _print, DIFFERS if "fail" in outcomes else USAGE if "unsupported" in outcomes else 0)


def check_file(file: Path, only: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """The verdict on each position of a file, as `{file, id, outcome, differences}`."""
    data = read_toml(file)
    scenarios = data.get("scenario", [])
    if not isinstance(scenarios, list) or not scenarios:
        raise CommandEnd(f"{file}: holds no position; each begins with a line [[scenario]]", TROUBLE)
    for word in data.keys() - {"meta", "defaults", "scenario"}:
        there = "there are [defaults] and [[scenario]], and [meta] for notes of your own"
        raise CommandEnd(f"{file}: {word} is no word of it; {there}", TROUBLE)
    rows = []
    for number, scenario in enumerate(scenarios, 1):
        name = str(scenario.get("id", f"position {number}"))
        if only and name not in only:
            continue
        test, defaults = {"id": name, **scenario, **_actions(scenario)}, data.get("defaults", {})
        verdicts = [game.reference.rule_test(test, defaults) for game in games().values()]
        verdict = next((one for one in verdicts if one.outcome != "unsupported"), verdicts[0])
        rows.append(
            {"file": str(file), "id": name, "outcome": verdict.outcome, "differences": list(verdict.differences)}
        )
    return rows


def _actions(scenario: dict[str, Any]) -> dict[str, list[str]]:
    """The lines of a position, read as a letter's; each begins with the seat that orders it."""
    lines = scenario.get("action")
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        return {}
    return {"action": [_plainly(line) for line in lines]}


def _plainly(line: str) -> str:
    seat, arrow, order = line.partition(">") if ">" in line else ("", "", line)
    return line if seat.strip() == "system" else f"{seat}{arrow}{parse_line(order).text or order}"


def _print(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        click.echo(f"{console.colored(row['outcome'], MARKS[row['outcome']])}\t{row['id']}")
        for difference in row["differences"]:
            click.echo(f"\t{difference}")
    counts = [f"{sum(row['outcome'] == word for row in rows)} {word}" for word in MARKS]
    console.warn(", ".join(counts))
