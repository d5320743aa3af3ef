"""`pbem position`: rule positions held against the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pbem.cli import paper
from pbem.cli.outcome import DIFFERS, TROUBLE, USAGE, CommandEnd, json_option, print_json

MARKS = {"pass": "well", "fail": "bad", "unsupported": "doubt"}


@click.command("position")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--id", "only", multiple=True, help="Only the position of this name.")
@json_option
@click.pass_context
def command(ctx: click.Context, files: tuple[Path, ...], only: tuple[str, ...], as_json: bool) -> None:
    """Check rule positions against the rules.

    FILES are TOML files, or folders of them. Each position passes, fails (with both values of each difference), or
    is unsupported. Exit 1 if one fails, 2 if the worst is that some are unsupported.
    """
    found: list[dict[str, Any]] = []
    for file in _each(files):
        found += judged(file, only, as_json)
    if only and not found:
        raise CommandEnd(f"no position is called {', '.join(only)} in these files", USAGE, as_json)
    if as_json:
        print_json(found)
    else:
        _print(found)
    outcomes = {row["outcome"] for row in found}
    if "fail" in outcomes:
        ctx.exit(DIFFERS)
    if "unsupported" in outcomes:
        ctx.exit(USAGE)


def _each(files: tuple[Path, ...]) -> list[Path]:
    return [one for file in files for one in (sorted(file.glob("**/*.toml")) if file.is_dir() else [file])]


def judged(file: Path, only: tuple[str, ...] = (), as_json: bool = False) -> list[dict[str, Any]]:
    """The verdict on each position of a file, as `{file, id, outcome, differences}`."""
    import tomllib

    from engine.game import games

    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as odd:
        raise CommandEnd(f"{file}: is no TOML: {odd}", TROUBLE, as_json) from None
    scenarios = data.get("scenario", [])
    if not isinstance(scenarios, list) or not scenarios:
        raise CommandEnd(f"{file}: holds no position; each begins with a line [[scenario]]", TROUBLE, as_json)
    for word in data.keys() - {"defaults", "scenario"}:
        raise CommandEnd(f"{file}: {word} is no word of it; there are [defaults] and [[scenario]]", TROUBLE, as_json)
    rows = []
    for number, scenario in enumerate(scenarios, 1):
        name = str(scenario.get("id", f"position {number}"))
        if only and name not in only:
            continue
        test, defaults = {"id": name, **scenario}, data.get("defaults", {})
        verdicts = [game.reference.rule_test(test, defaults) for game in games().values()]
        verdict = next((one for one in verdicts if one.outcome != "unsupported"), verdicts[0])
        rows.append(
            {"file": str(file), "id": name, "outcome": verdict.outcome, "differences": list(verdict.differences)}
        )
    return rows


def _print(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        click.echo(f"{paper.mark(row['outcome'], MARKS[row['outcome']])}\t{row['id']}")
        for difference in row["differences"]:
            click.echo(f"\t{difference}")
    counts = [f"{sum(row['outcome'] == word for row in rows)} {word}" for word in MARKS]
    paper.warn(", ".join(counts))
